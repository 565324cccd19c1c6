"""Which variables give people away."""

import numpy as np
import pandas as pd

from ..aggregation import shapley
from ..linkage.nearest import DIRECTIONS, reidentification_rate
from .attacks import distance

MAX_SHAPLEY_RECORDS = 400  # records of the file in which Shapley values are counted
MAX_LINKED_RECORDS = 2_000  # records linked by one variable
MAX_EXACT_VARIABLES = 10  # variables whose sets are all tried; with more, orders are drawn
DRAWN_ORDERS = 60


def variable_risk(pair, learned, rng, step):
    """A row a variable: what it does alone, its Shapley value and its learned weight.

    - `alone`: share of the records found by this variable alone, in the better of both directions,
      among all candidates.
    - `shapley`: its part of the share found by all variables together, in a file of `MAX_SHAPLEY_RECORDS`
      records: what it adds to the
      variables before it, on average over all orders (Shapley 1953). The values add up to what all
      variables find beyond chance.
    - `weight`: its part in the distance that links the most records; weights are one of many as
      good where many are
      linked, see `rlpaper.learning.WeightedMean.ranges`.
    """
    table = pair.variables[["type", "state", "changed"]].copy()
    some = np.sort(rng.permutation(len(pair))[:MAX_LINKED_RECORDS])
    for variable in pair.used:
        step(f"variable {variable}")
        table.loc[variable, "alone"] = max(
            _alone(pair, variable, some, direction) for direction in DIRECTIONS
        )
    step("Shapley values")
    sample = pair.original.index[np.sort(rng.permutation(len(pair))[:MAX_SHAPLEY_RECORDS])]
    table["shapley"] = shapley_values(pair, sample, rng)
    table["weight"] = pd.Series(
        {
            variable: learned.parameters_[names].sum()
            for variable, names in pair.columns.items()
            if names
        }
    )
    return table.fillna({"alone": 0.0, "shapley": 0.0, "weight": 0.0}).sort_values(
        ["shapley", "alone"], ascending=False, kind="stable"
    )


def _alone(pair, variable, some, direction):
    files = pair.only([variable])
    names = pair.columns[variable]
    linking = 1 if direction == "masked_to_original" else 0
    files = [file.iloc[some] if place == linking else file for place, file in enumerate(files)]
    return reidentification_rate(*files, distance(pair, names), direction, "expected")


def shapley_values(pair, sample, rng):
    """Shapley value of each variable in the game "share of the sample found", masked records to their nearest original.

    Exact for up to `MAX_EXACT_VARIABLES` variables; else the mean over `DRAWN_ORDERS` random orders, each taken
    backwards too.
    """
    game = _Game(pair, sample)
    n = len(pair.used)
    if n <= MAX_EXACT_VARIABLES:
        values = shapley(np.array([game.found(code) for code in range(1 << n)]))
    else:
        values = np.zeros(n)
        for order in [
            order
            for _ in range(DRAWN_ORDERS // 2)
            for drawn in [rng.permutation(n)]
            for order in (drawn, drawn[::-1])
        ]:
            code, before = 0, game.found(0)
            for v in order:
                code |= 1 << int(v)
                after = game.found(code)
                values[v] += (after - before) / DRAWN_ORDERS
                before = after
    return pd.Series(values, pair.used)


class _Game:
    """The share found by each set of variables, bit v of a set's number saying whether it has variable v."""

    def __init__(self, pair, sample):
        self.parts, self.known = [], {}
        for variable in pair.used:
            files = (file.loc[sample] for file in pair.only([variable]))
            compared = distance(pair, pair.columns[variable])(*files)
            self.parts.append(compared.matrix(compared.masked, compared.original))

    def found(self, code):
        if code not in self.known:
            total = np.zeros_like(self.parts[0])
            for v, part in enumerate(
                self.parts
            ):  # always in this order, so that equal sums are equal
                if code >> v & 1:
                    total += part
            near = total.min(axis=1)
            tied = (total == near[:, None]).sum(axis=1)
            self.known[code] = float(np.mean((np.diag(total) == near) / tied))
        return self.known[code]
