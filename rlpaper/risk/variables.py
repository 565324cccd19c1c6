"""Which variables give people away."""

import numpy as np
import pandas as pd

from ..aggregation import shapley
from ..learning import WeightedMean
from ..linkage.nearest import DIRECTIONS, reidentification_rate
from .attacks import Step, distance
from .pair import Pair

MAX_SHAPLEY_RECORDS = 400  # of the file in which Shapley values are counted
MAX_LINKED_RECORDS = 2_000  # by one variable
MAX_EXACT_VARIABLES = 10  # whose sets are all tried; with more, orders are drawn
DRAWN_ORDERS = 60


def variable_risk(
    pair: Pair, learned: WeightedMean, rng: np.random.Generator, step: Step
) -> pd.DataFrame:
    """Measure what each variable does alone, as a part of all, and in the learned weights.

    One row per variable:

    - `alone`: share of the records found by this variable alone, in the better of both directions,
      among all candidates.
    - `shapley`: its part of the share found by all variables together, in a file of
      `MAX_SHAPLEY_RECORDS` records: what it adds to the variables before it, on average over all
      orders (Shapley 1953). The values add up to what all variables find beyond chance.
    - `weight`: its part in the distance that links the most records. Where many weights are as
      good, this is one of them; see `rlpaper.learning.WeightedMean.ranges`.
    """
    table = pair.variables[["type", "state", "changed"]].copy()
    some = np.sort(rng.permutation(len(pair))[:MAX_LINKED_RECORDS])
    for variable in pair.used:
        step(f"variable {variable}")
        names = pair.columns[variable]
        original, masked = pair.select(names)
        linked = {
            "masked_to_original": (original, masked.iloc[some]),
            "original_to_masked": (original.iloc[some], masked),
        }
        table.loc[variable, "alone"] = max(
            reidentification_rate(*linked[direction], distance(pair, names), direction, "expected")
            for direction in DIRECTIONS
        )
        table.loc[variable, "weight"] = learned.parameters_[names].sum()
    step("Shapley values")
    sample = pair.original.index[np.sort(rng.permutation(len(pair))[:MAX_SHAPLEY_RECORDS])]
    table["shapley"] = shapley_values(pair, sample, rng)
    measures = ["alone", "shapley", "weight"]
    table = table[["type", "state", "changed", *measures]].fillna(dict.fromkeys(measures, 0.0))
    return table.sort_values(["shapley", "alone"], ascending=False, kind="stable")


def shapley_values(pair: Pair, sample: pd.Index, rng: np.random.Generator | None) -> pd.Series:
    """Compute the Shapley value of each variable in the game "share of the sample found".

    Masked records are linked to their nearest original. The values are exact for up to
    `MAX_EXACT_VARIABLES` variables; else they are the mean over `DRAWN_ORDERS` random orders, each
    taken backwards too.
    """
    game = _Game(pair, sample)
    n = len(pair.used)
    if n <= MAX_EXACT_VARIABLES:
        values = shapley(np.array([game.found(code) for code in range(1 << n)]))
        return pd.Series(values, pair.used)
    assert rng is not None
    values = np.zeros(n)
    for _ in range(DRAWN_ORDERS // 2):
        drawn = rng.permutation(n)
        for order in (drawn, drawn[::-1]):
            code, before = 0, game.found(0)
            for variable in order:
                code |= 1 << int(variable)
                after = game.found(code)
                values[variable] += (after - before) / DRAWN_ORDERS
                before = after
    return pd.Series(values, pair.used)


class _Game:
    """The share found by each set of variables, by a number whose bit v says if v is in the set."""

    def __init__(self, pair: Pair, sample: pd.Index):
        self.parts: list[np.ndarray] = []
        self.known: dict[int, float] = {}
        for variable in pair.used:
            names = pair.columns[variable]
            files = (file.loc[sample] for file in pair.select(names))
            compared = distance(pair, names)(*files)
            self.parts.append(compared.distances(compared.masked, compared.original))

    def found(self, code: int) -> float:
        if code not in self.known:
            total = np.zeros_like(self.parts[0])
            # Always in this order, so that equal sums are equal.
            for variable, part in enumerate(self.parts):
                if code >> variable & 1:
                    total += part
            near = total.min(axis=1)
            tied = (total == near[:, None]).sum(axis=1)
            self.known[code] = float(np.mean((np.diag(total) == near) / tied))
        return self.known[code]
