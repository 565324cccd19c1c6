"""The risk of a masked file, measured by attacking it: the analyst's entry point is `assess`."""

import importlib
from typing import TYPE_CHECKING, Any

from .files import FilesError

if TYPE_CHECKING:
    from .assessment import Assessment, assess
    from .pair import Pair, prepare

__all__ = ["Assessment", "FilesError", "Pair", "assess", "prepare"]

# Imported when asked for: what is wrong with two files is found without compiled code, whose import
# takes longer than reading them.
_LATER = {"Assessment": "assessment", "assess": "assessment", "Pair": "pair", "prepare": "pair"}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_LATER[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
