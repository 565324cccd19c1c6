"""Libraries that only a part of the package needs."""

import importlib
from types import ModuleType


def needed(module: str, extra: str) -> ModuleType:
    """Import a module of a library that an extra of this package installs.

    If it is missing, the error says how to get it.
    """
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
