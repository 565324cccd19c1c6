"""Record linkage: deciding which records of two files belong to the same individual.

Each record is linked to its nearest (`nearest`), the rank of the true record is looked up
(`true_ranks`), or the files are linked one to one (`assignment`), by a distance of
`rlpaper.distances`. `FellegiSunter` links by probabilities of agreement (`comparisons` says when
values agree), `link_without_common` links files that have no variable in common, and `chance` says
what luck alone would find.
"""

from .assignment import link_one_to_one
from .chance import (
    links_by_chance,
    links_by_chance_at_least,
    links_by_permutation,
    simulate_links,
)
from .comparisons import exact, same_bin, within, within_share
from .fellegi_sunter import FellegiSunter
from .nearest import DIRECTIONS, TIES, correct_links, link, reidentification_rate
from .no_common_variables import link_without_common, representatives, symmetric_operators
from .true_ranks import correct_at, ranks

__all__ = [
    "DIRECTIONS",
    "TIES",
    "FellegiSunter",
    "correct_at",
    "correct_links",
    "exact",
    "link",
    "link_one_to_one",
    "link_without_common",
    "links_by_chance",
    "links_by_chance_at_least",
    "links_by_permutation",
    "ranks",
    "reidentification_rate",
    "representatives",
    "same_bin",
    "simulate_links",
    "symmetric_operators",
    "within",
    "within_share",
]
