"""Record linkage for disclosure-risk assessment: the algorithms of five papers and their reproduction.

``rlpaper.assess(original, masked)`` measures the risk of a masked file; see `rlpaper.risk`.

>>> import rlpaper
>>> "assess" in dir(rlpaper)
True
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # for tools that read the code; a test holds this against the table
    from . import datasets, review
    from .learning import OWA, Choquet, Mahalanobis, WeightedMean
    from .linkage import FellegiSunter, link, reidentification_rate
    from .masking import add_noise, microaggregate, pram, rank_swap
    from .risk import assess

__version__ = "0.1.0"

#: The public names, and the module that each comes from. They are imported when they are first
#: used, so that the command starts at once, and so that what one of them needs is not needed for
#: the others.
_PUBLIC = {
    "assess": "risk",
    "link": "linkage",
    "reidentification_rate": "linkage",
    "FellegiSunter": "linkage",
    "microaggregate": "masking",
    "rank_swap": "masking",
    "add_noise": "masking",
    "pram": "masking",
    "WeightedMean": "learning",
    "Choquet": "learning",
    "Mahalanobis": "learning",
    "OWA": "learning",
    "datasets": None,
    "review": None,
}

__all__ = [
    "OWA",
    "Choquet",
    "FellegiSunter",
    "Mahalanobis",
    "WeightedMean",
    "add_noise",
    "assess",
    "datasets",
    "link",
    "microaggregate",
    "pram",
    "rank_swap",
    "reidentification_rate",
    "review",
]


def __getattr__(name):
    if name not in _PUBLIC:
        raise AttributeError(f"module 'rlpaper' has no attribute {name!r}")
    module = importlib.import_module(f"rlpaper.{_PUBLIC[name] or name}")
    return module if _PUBLIC[name] is None else getattr(module, name)


def __dir__():
    return sorted({*globals(), *_PUBLIC})
