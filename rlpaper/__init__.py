"""Record linkage for disclosure-risk assessment: the methods of five papers, and their results.

``rlpaper.assess(original, masked)`` measures the risk of a masked file; see `rlpaper.risk`.

>>> import rlpaper
>>> "assess" in dir(rlpaper)
True
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # for tools that read the code; a test compares this with the table
    # One import per module; `as` says that the name is public.
    from . import datasets as datasets, review as review
    from .learning import (
        OWA as OWA,
        Choquet as Choquet,
        Mahalanobis as Mahalanobis,
        WeightedMean as WeightedMean,
    )
    from .linkage import (
        FellegiSunter as FellegiSunter,
        link as link,
        reidentification_rate as reidentification_rate,
    )
    from .masking import (
        add_noise as add_noise,
        microaggregate as microaggregate,
        pram as pram,
        rank_swap as rank_swap,
    )
    from .risk import assess as assess

__version__ = "0.1.0"

#: The public names, and the module that each comes from. A name is imported when it is first used:
#: so the command starts at once, and nobody needs a library that only another name needs.
_PUBLIC = {
    "OWA": "learning",
    "Choquet": "learning",
    "FellegiSunter": "linkage",
    "Mahalanobis": "learning",
    "WeightedMean": "learning",
    "add_noise": "masking",
    "assess": "risk",
    "datasets": None,
    "link": "linkage",
    "microaggregate": "masking",
    "pram": "masking",
    "rank_swap": "masking",
    "reidentification_rate": "linkage",
    "review": None,
}

__all__ = [*_PUBLIC]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'rlpaper' has no attribute {name!r}")
    module = importlib.import_module(f"rlpaper.{_PUBLIC[name] or name}")
    return module if _PUBLIC[name] is None else getattr(module, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_PUBLIC})
