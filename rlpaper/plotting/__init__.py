"""The shared look of the figures, and the only place that plots: a module a paper."""

from .abril2012 import (
    beside_print,
    methods_against_unlinked,
    operators_beside_print,
    swap_panels,
    weight_ranges,
)
from .domingo2002 import (
    correlation_table,
    counts_by_parameter,
    learned_against_equal,
    links_against_loss,
    masked_frequencies,
    mean_links,
    protection_by_value,
)
from .explore import explore
from .li2019 import accuracy_by_budget
from .look import reading_table, save_figure, use_style, write_figure
from .risk import attack_shares, fewer_known, found_by_attacks, risk_utility_map, variable_bars
from .scorecard import scorecard_panels
from .torra2008 import (
    chance_bars,
    links_by_alpha,
    links_by_size,
    pair_weights,
    quantifier_lines,
    representatives_beside_print,
    retailers,
    scenario,
    vanishing_probabilities,
)

__all__ = [
    "accuracy_by_budget",
    "attack_shares",
    "beside_print",
    "chance_bars",
    "correlation_table",
    "counts_by_parameter",
    "explore",
    "fewer_known",
    "found_by_attacks",
    "learned_against_equal",
    "links_against_loss",
    "links_by_alpha",
    "links_by_size",
    "masked_frequencies",
    "mean_links",
    "methods_against_unlinked",
    "operators_beside_print",
    "pair_weights",
    "protection_by_value",
    "quantifier_lines",
    "reading_table",
    "representatives_beside_print",
    "retailers",
    "risk_utility_map",
    "save_figure",
    "scenario",
    "scorecard_panels",
    "swap_panels",
    "use_style",
    "vanishing_probabilities",
    "variable_bars",
    "weight_ranges",
    "write_figure",
]
