"""The sources of this package: which modules a piece of Python reaches, and what the interpreter sees of them."""

import ast
import hashlib
from functools import lru_cache
from pathlib import Path

#: The folder that holds the package; tests look at copies elsewhere.
HOME = Path(__file__).resolve().parents[2]


def digest(*parts):
    """Checksum of texts, in order; the parts cannot run into each other."""
    state = hashlib.sha256()
    for part in parts:
        encoded = part.encode()
        state.update(len(encoded).to_bytes(8, "big") + encoded)
    return state.hexdigest()


def modules(home=HOME):
    """Names of all modules of this package."""
    return [
        ".".join(path.relative_to(home).with_suffix("").parts).removesuffix(".__init__")
        for path in sorted((home / "rlpaper").rglob("*.py"))
    ]


def module_file(name, home=HOME):
    """The source file of a module of this package, or None if `name` is no such module."""
    base = home.joinpath(*name.split("."))
    found = (path for path in (base / "__init__.py", base.with_suffix(".py")) if path.is_file())
    return next(found, None) if name.split(".")[0] == "rlpaper" else None


def reached(code, module="", home=HOME, leave_out=lambda name: False):
    """Modules of this package that a piece of Python uses, directly or not.

    A name that is imported from a package counts as the module that defines it. The package's
    ``__init__`` counts only where it defines the name itself. Where the whole package is taken, all
    of its modules count. This is right where an ``__init__`` does nothing but offer names, each
    from one place, and where modules are not imported by a text; a test holds the package to it.

    Parameters
    ----------
    code : str
        Python source.
    module : str
        Name of the module that the source belongs to; relative imports are resolved against it.
    leave_out : callable
        Tells of a module's name whether it, and what only it uses, does not count.

    Examples
    --------
    >>> sorted(reached("from rlpaper.distances import dbrl1"))[:2]
    ['rlpaper._internal.arithmetic', 'rlpaper._internal.exhaustive']
    """
    nodes = list(ast.walk(ast.parse(code)))
    found, queue = set(), list(_Uses(nodes, module, home).modules)
    while queue:
        name = queue.pop()
        if name not in found and not leave_out(name):
            found.add(name)
            queue.extend(uses(name, home))
    return found


def uses(module, home=HOME):
    """Modules of this package that a module uses directly."""
    return _parsed(module, home)[0]


def seen(module, home=HOME):
    """What the interpreter sees of a module: its syntax tree without docstrings, as a checksum."""
    return _parsed(module, home)[1]


def texts(module, home=HOME):
    """All texts in a module's code, such as names of files."""
    return _parsed(module, home)[2]


def _parsed(module, home):
    path = module_file(module, home)
    return _parse(module, home, path, path.stat().st_mtime_ns)


@lru_cache(maxsize=1024)
def _parse(module, home, path, modified):
    tree = without_docstrings(ast.parse(path.read_text()))
    nodes = list(ast.walk(tree))
    used = frozenset(_Uses(nodes, module, home).modules) - {module}
    strings = (node.value for node in nodes if isinstance(node, ast.Constant))
    return used, digest(ast.dump(tree)), frozenset(s for s in strings if isinstance(s, str))


def without_docstrings(tree):
    """The tree, changed in place: modules, classes and functions without their docstrings."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            if ast.get_docstring(node, clean=False) is not None:
                node.body = node.body[1:]  # empty bodies are fine, as nobody compiles this
    return tree


class _Uses:
    """The modules of this package that the nodes of a syntax tree name: by imports, and by attributes of what is imported."""

    def __init__(self, nodes, module, home):
        self.home, self.modules, packages = home, set(), {}
        for node in nodes:
            for name, target, part in _imports(node, module, home):
                if part == "*":
                    self._walk(target, ())
                elif part is not None:
                    self.modules.add(_origin(target, part, home))
                elif _is_package(target, home):
                    packages.setdefault(name, set()).add(target)
                else:
                    self.modules.add(target)
        if packages:
            self._follow(nodes, packages)

    def _follow(self, nodes, packages):
        """Chains of attributes that begin with a package."""
        inside = {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}
        for node in nodes:
            names = [] if id(node) in inside else _chain(node)  # not a part of a longer chain
            for package in packages.get(names[0], ()) if names else ():
                self._walk(package, names[1:])

    def _walk(self, target, names):
        """From a module along names, as far as they lead to modules, and one name on."""
        for name in names:
            inner = f"{target}.{name}"
            if not module_file(inner, self.home):
                self.modules.add(_origin(target, name, self.home))
                return
            target = inner
        # Of a package that is taken as a whole, all counts.
        self.modules.add(target)
        self.modules |= {name for name in modules(self.home) if name.startswith(f"{target}.")}


def _imports(node, module, home):
    """(name bound, module, part or None) of an import; a module that is bound as such has no part."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.name.split(".")[0] == "rlpaper":
                yield (
                    (alias.asname, alias.name, None)
                    if alias.asname
                    else ("rlpaper", "rlpaper", None)
                )
    elif isinstance(node, ast.ImportFrom):
        base = _absolute(node, module, home)
        if base.split(".")[0] == "rlpaper":
            for alias in node.names:
                offered = _offers(base, home).get(alias.name, (f"{base}.{alias.name}", None))
                is_module = offered[1] is None and module_file(offered[0], home)
                bound = alias.asname or alias.name
                yield (bound, offered[0], None) if is_module else (bound, base, alias.name)


def _absolute(node, module, home):
    """The module that a ``from`` import names, relative ones resolved."""
    if not node.level:
        return node.module
    parents = module.split(".")
    up = node.level - _is_package(module, home)
    return ".".join([*parents[: len(parents) - up], *([node.module] if node.module else [])])


def _origin(module, name, home):
    """The module that defines a name which a module offers."""
    offers = _offers(module, home)
    if name not in offers:
        return module
    source, part = offers[name]
    return source if part is None else _origin(source, part, home)


def _offers(module, home):
    """What a package's ``__init__`` imports from this package: name -> (module, name there or None)."""
    if not _is_package(module, home):
        return {}
    path = module_file(module, home)
    return _read_offers(module, home, path, path.stat().st_mtime_ns)


@lru_cache(maxsize=256)
def _read_offers(module, home, path, modified):
    tree = ast.parse(path.read_text())
    offers = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            base = _absolute(node, module, home)
            for alias in node.names if base.split(".")[0] == "rlpaper" else ():
                inner = f"{base}.{alias.name}"
                # Inside an __init__, a module of the package itself is no name that hides another
                # module.
                if base == module and module_file(inner, home):
                    continue
                offers[alias.asname or alias.name] = (
                    (inner, None) if module_file(inner, home) else (base, alias.name)
                )
    return offers


def _is_package(module, home):
    path = module_file(module, home) if module else None
    return path is not None and path.name == "__init__.py"


def _chain(node):
    """The names of a chain of attributes, from the left; none if it begins with anything but a name."""
    names = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return [node.id, *reversed(names)] if isinstance(node, ast.Name) else []
