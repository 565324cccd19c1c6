"""The sources of this package: which modules code reaches, and what the interpreter sees."""

import ast
import hashlib
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path

#: The folder that holds the package; tests look at copies elsewhere.
HOME = Path(__file__).resolve().parents[2]


def digest(*parts: str) -> str:
    """Compute the checksum of texts, in order; the parts cannot run into each other."""
    state = hashlib.sha256()
    for part in parts:
        encoded = part.encode()
        state.update(len(encoded).to_bytes(8, "big") + encoded)
    return state.hexdigest()


def modules(home: Path = HOME) -> list[str]:
    """List the names of all modules of this package."""
    return [
        ".".join(path.relative_to(home).with_suffix("").parts).removesuffix(".__init__")
        for path in sorted((home / "rlpaper").rglob("*.py"))
    ]


def module_file(name: str, home: Path = HOME) -> Path | None:
    """Find the source file of a module of this package; None if `name` is no such module."""
    base = home.joinpath(*name.split("."))
    found = (path for path in (base / "__init__.py", base.with_suffix(".py")) if path.is_file())
    return next(found, None) if name.split(".")[0] == "rlpaper" else None


def read(name: str, home: Path = HOME) -> str:
    """Return the source of a module of this package."""
    return _file(name, home).read_text()


def _file(name: str, home: Path) -> Path:
    path = module_file(name, home)
    if path is None:
        raise ValueError(f"there is no module {name}")
    return path


def reached(
    code: str,
    module: str = "",
    home: Path = HOME,
    leave_out: Callable[[str], bool] = lambda name: False,
) -> set[str]:
    """Find the modules of this package that a piece of Python uses, directly or not.

    A name that is imported from a package counts as the module that defines it. The package's
    ``__init__`` counts only where it defines the name itself. Where the whole package is taken, all
    of its modules count. This is right where an ``__init__`` does nothing but offer names, each
    from one place, and where no module is imported by a name in a string; a test checks that.

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
    found: set[str] = set()
    queue = list(_Uses(nodes, module, home).modules)
    while queue:
        name = queue.pop()
        if name not in found and not leave_out(name):
            found.add(name)
            queue.extend(uses(name, home))
    return found


def uses(module: str, home: Path = HOME) -> frozenset[str]:
    """Return the modules of this package that a module uses directly."""
    return _parsed(module, home)[0]


def seen(module: str, home: Path = HOME) -> str:
    """Return the checksum of what the interpreter sees: the syntax tree without docstrings."""
    return _parsed(module, home)[1]


def texts(module: str, home: Path = HOME) -> frozenset[str]:
    """Return all texts in a module's code, such as names of files."""
    return _parsed(module, home)[2]


def _parsed(module: str, home: Path) -> tuple[frozenset[str], str, frozenset[str]]:
    path = _file(module, home)
    return _parse(module, home, path, path.stat().st_mtime_ns)


@lru_cache(maxsize=1024)
def _parse(
    module: str, home: Path, path: Path, modified: int
) -> tuple[frozenset[str], str, frozenset[str]]:
    tree = without_docstrings(ast.parse(path.read_text()))
    nodes = list(ast.walk(tree))
    used = frozenset(_Uses(nodes, module, home).modules) - {module}
    strings = (node.value for node in nodes if isinstance(node, ast.Constant))
    return used, digest(ast.dump(tree)), frozenset(s for s in strings if isinstance(s, str))


def without_docstrings(tree: ast.AST) -> ast.AST:
    """Take the docstrings of modules, classes and functions from a tree, in place."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            if ast.get_docstring(node, clean=False) is not None:
                node.body = node.body[1:]  # empty bodies are fine, as nobody compiles this
    return tree


class _Uses:
    """The modules of this package that the nodes of a syntax tree name.

    They name them by imports, and by attributes of what is imported.
    """

    def __init__(self, nodes: list[ast.AST], module: str, home: Path):
        self.home = home
        self.modules: set[str] = set()
        packages: dict[str, set[str]] = {}
        for node in nodes:
            for name, target, part in _imports(node, module, home):
                if part == "*":
                    self._walk(target, ())
                elif part is not None:
                    self.modules.add(_origin(target, part, home))
                elif is_package(target, home):
                    packages.setdefault(name, set()).add(target)
                else:
                    self.modules.add(target)
        if packages:
            self._follow(nodes, packages)

    def _follow(self, nodes: list[ast.AST], packages: dict[str, set[str]]) -> None:
        """Follow the chains of attributes that begin with a package."""
        inside = {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}
        for node in nodes:
            names = [] if id(node) in inside else _chain(node)  # not a part of a longer chain
            for package in packages.get(names[0], ()) if names else ():
                self._walk(package, names[1:])

    def _walk(self, target: str, names: Iterable[str]) -> None:
        """Go from a module along names, as far as they lead to modules, and one name on."""
        for name in names:
            inner = f"{target}.{name}"
            if not module_file(inner, self.home):
                self.modules.add(_origin(target, name, self.home))
                return
            target = inner
        # Of a package that is taken as a whole, all counts.
        self.modules.add(target)
        self.modules |= {name for name in modules(self.home) if name.startswith(f"{target}.")}


def _imports(node: ast.AST, module: str, home: Path) -> Iterator[tuple[str, str, str | None]]:
    """Yield (name bound, module, part) of an import; of a module bound as such, part is None."""
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


def _absolute(node: ast.ImportFrom, module: str, home: Path) -> str:
    """Return the module that a ``from`` import names, relative ones resolved."""
    if not node.level:
        return node.module or ""
    parents = module.split(".")
    up = node.level - is_package(module, home)
    return ".".join([*parents[: len(parents) - up], *([node.module] if node.module else [])])


def _origin(module: str, name: str, home: Path) -> str:
    """Return the module that defines a name which a module offers."""
    offers = _offers(module, home)
    if name not in offers:
        return module
    source, part = offers[name]
    return source if part is None else _origin(source, part, home)


def _offers(module: str, home: Path) -> dict[str, tuple[str, str | None]]:
    """Return what an ``__init__`` imports from this package.

    It goes from a name to the module and the name there, None for the module itself.
    """
    if not is_package(module, home):
        return {}
    path = _file(module, home)
    return _read_offers(module, home, path, path.stat().st_mtime_ns)


@lru_cache(maxsize=256)
def _read_offers(
    module: str, home: Path, path: Path, modified: int
) -> dict[str, tuple[str, str | None]]:
    tree = ast.parse(path.read_text())
    offers: dict[str, tuple[str, str | None]] = {}
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


def is_package(module: str, home: Path = HOME) -> bool:
    """Tell whether a module of this package is a package itself."""
    path = module_file(module, home) if module else None
    return path is not None and path.name == "__init__.py"


def _chain(node: ast.AST) -> list[str]:
    """Return the names of a chain of attributes, from the left.

    There are none if it begins with anything but a name.
    """
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return [node.id, *reversed(names)] if isinstance(node, ast.Name) else []
