"""Examples to try: masked files, and review projects."""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .masked_files import adult, household_survey
    from .reviews import markups, persons

__all__ = ["adult", "household_survey", "markups", "persons"]


def __getattr__(name: str) -> object:
    # Imported when asked for: a masked file needs nothing of what a review needs.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = "reviews" if name in ("markups", "persons") else "masked_files"
    return getattr(importlib.import_module(f"{__name__}.{module}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
