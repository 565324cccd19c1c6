"""The risk-utility map: the same file under other maskings, so that a data owner can choose."""

from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

from .._internal.hints import Label
from .._internal.magnitudes import exponents, near_one
from ..information_loss.mixed import cell_loss
from ..linkage.nearest import DIRECTIONS, reidentification_rate
from ..masking import METHODS, PRAM, Method
from .attacks import distance
from .pair import Pair

MAX_RECORDS = 2_000  # that are masked in other ways
THIS = "your file"


def count(pair: Pair) -> int:
    """Count the other maskings that there are for a pair."""
    return sum(len(method.strengths) for method in _tried(pair))


def alternatives(
    pair: Pair, rng: np.random.Generator, step: Callable[[str], object]
) -> pd.DataFrame:
    """Measure risk and loss of the masked file and of others, one row per file.

    The others are the original under each of `rlpaper.masking.METHODS`, all its variables masked,
    `MAX_RECORDS` records at most. In a file with numbers and categories, the categories are changed
    by PRAM of a strength that goes with the numbers' parameter. `risk` is the share found by the
    plain distance, in the better of both directions; `loss` how far values were moved
    (`cell_loss`). An alternative is `better` where both are lower than those of the file at hand.
    """
    some = np.sort(rng.permutation(len(pair))[:MAX_RECORDS])
    original, masked = pair.original.iloc[some], pair.masked.iloc[some]
    rows = [_row(pair, original, masked, THIS, "")]
    original = _of_ordinary_size(original, pair.numbers)
    for method, parameter, other in _others(pair, original, rng, step):
        rows.append(_row(pair, original, other, method, parameter))
    table = pd.DataFrame(rows)
    table["better"] = (table["risk"] < table["risk"].iloc[0]) & (
        table["loss"] < table["loss"].iloc[0]
    )
    return table


def _tried(pair: Pair) -> list[Method]:
    """Return methods for numbers; of a file without numbers, those for categories."""
    masks = "numbers" if pair.numbers else "categories"
    return [method for method in METHODS if method.masks == masks]


def _others(
    pair: Pair, original: pd.DataFrame, rng: np.random.Generator, step: Callable[[str], object]
) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Yield for each other masking the method, its parameter as shown, and the masked file."""
    numbers = pair.numbers
    categories = [name for name in original if name not in numbers]
    for method in _tried(pair):
        for i, strength in enumerate(method.strengths):
            step(f"{method.name} = {strength}")
            part = original[numbers or categories]
            parts, parameter = [method.make(strength, part).mask(part, rng)], f"{strength}"
            if numbers and categories:
                beside = PRAM(method.pram[i])
                parts.append(beside.mask(original[categories], rng))
                parameter += f", PRAM {beside.theta}"
            yield method.name, parameter, pd.concat(parts, axis=1)[list(original)]


def _of_ordinary_size(original: pd.DataFrame, numbers: list[Label]) -> pd.DataFrame:
    """Divide numbers so large that a masking could not move them, by powers of two."""
    values = original[numbers].to_numpy(float)
    powers = exponents(values)
    if powers.any():
        original = original.copy()
        original[numbers] = near_one(values, powers)
    return original


def _row(
    pair: Pair, original: pd.DataFrame, masked: pd.DataFrame, method: str, parameter: str
) -> dict[str, object]:
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
