"""Libraries that only part of the package needs."""

import importlib


def needed(module, extra):
    """Import a module of a library that an extra of this package installs; if it is missing, say how to get it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        library = module.split(".")[0]
        if error.name != library:
            raise
        raise ModuleNotFoundError(
            f'this needs {library}, which is not installed: pip install "rlpaper[{extra}]"',
            name=library,
        ) from None
