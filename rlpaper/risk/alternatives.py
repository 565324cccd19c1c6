"""The risk-utility map: the same file under other maskings, so that a data owner can choose."""

import numpy as np
import pandas as pd

from ..information_loss.mixed import cell_loss
from ..linkage.nearest import DIRECTIONS, reidentification_rate
from ..masking import add_noise, microaggregate, pram, rank_swap, recode_rare
from .attacks import distance
from .pair import Pair

FILE = 2_000  # records that are masked in other ways
THIS = "your file"

#: Methods for numbers, with the parameters tried from weak to strong, and the strength of PRAM for
#: the categories beside them.
NUMERIC = {
    "microaggregation k": (
        lambda file, k, rng: microaggregate(file, min(k, len(file))),
        (3, 5, 10, 25),
    ),
    "rank swapping p": (lambda file, p, rng: rank_swap(file, p, rng), (2, 5, 10, 25)),
    "noise p": (lambda file, p, rng: add_noise(file, p, rng), (5, 10, 25, 50)),
}
PRAM = (0.1, 0.3, 0.6, 1.0)
#: Methods for files without numbers.
CATEGORICAL = {
    "PRAM theta": (lambda file, theta, rng: pram(file, theta, rng), (0.2, 0.4, 0.6, 0.8, 1.0)),
    "rare categories p": (lambda file, p, rng: recode_rare(file, p, into="existing"), (1, 2, 3, 5)),
}


def count(pair):
    """How many other maskings there are for a pair."""
    return sum(
        len(parameters) for _, parameters in (NUMERIC if pair.numbers else CATEGORICAL).values()
    )


def alternatives(pair, rng, step):
    """Risk and loss of the masked file and of others, a row each.

    `FILE` records at most are masked in each way, all variables; with numbers and categories, the
    categories by PRAM of a strength that goes with the numbers' parameter. `risk` is the share
    found by the plain distance, in the better of both directions; `loss` how far values were moved
    (`cell_loss`). An alternative is `better` where both are lower than those of the file at hand.
    """
    some = np.sort(rng.permutation(len(pair))[:FILE])
    original, masked = pair.original.iloc[some], pair.masked.iloc[some]
    rows = [_row(pair, original, masked, THIS, "")]
    for method, parameter, other in _others(original, pair.numbers, rng, step):
        rows.append(_row(pair, original, other, method, parameter))
    table = pd.DataFrame(rows)
    table["better"] = (table["risk"] < table["risk"].iloc[0]) & (
        table["loss"] < table["loss"].iloc[0]
    )
    return table


def _others(original, numbers, rng, step):
    categories = [name for name in original if name not in numbers]
    for name, (mask, parameters) in (NUMERIC if numbers else CATEGORICAL).items():
        for parameter, theta in zip(parameters, PRAM if numbers else parameters):
            step(f"{name} = {parameter}")
            parts = [mask(original[numbers or categories], parameter, rng)]
            label = f"{parameter}"
            if numbers and categories:
                parts.append(pram(original[categories], theta, rng))
                label += f", PRAM {theta}"
            other = pd.concat(parts, axis=1)[list(original)]
            other.attrs = {}
            yield name, label, other


def _row(pair, original, masked, method, parameter):
    here = Pair(original, masked, pair.variables, pair.columns, pair.labels, pair.notes)
    risk = max(
        reidentification_rate(original, masked, distance(here), direction, "expected")
        for direction in DIRECTIONS
    )
    return {
        "method": method,
        "parameter": parameter,
        "risk": risk,
        "loss": float(cell_loss(original, masked).mean()),
    }
