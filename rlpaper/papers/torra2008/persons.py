"""Probabilistic linkage on its own ground: persons with names and dates."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from ... import datasets
from ...compendium.sweep import drawn_by, sweep
from ...linkage.em import estimate
from ...linkage.fellegi_sunter import FellegiSunter

#: Probabilities of agreement that `recovered` draws its pairs with.
KNOWN = pd.DataFrame(
    {"m": [0.95, 0.9, 0.85, 0.8, 0.97], "u": [0.05, 0.2, 0.1, 0.02, 0.3]},
    index=["first name", "last name", "year", "month", "day"],
)


def recovered(
    executions: int, seed: int, pairs: int = 100_000, share: float = 0.01
) -> pd.DataFrame:
    """Estimate m and u of pairs drawn with known ones, one row per variable.

    Given are mean and standard deviation of the estimates.
    """
    table = sweep(recover, {"pairs": [pairs], "share": [share]}, executions=executions, seed=seed)
    grouped = table.groupby("variable", sort=False)[["m", "u"]]
    return KNOWN.join(grouped.mean().add_suffix(" estimated")).join(grouped.std().add_suffix(" sd"))


@drawn_by("pairs", "share")
def recover(pairs: int, share: float, random_state: np.random.Generator) -> list[dict]:
    """Draw pairs with known m and u, and estimate both."""
    same = random_state.random(pairs) < share
    chances = np.where(same[:, None], KNOWN["m"].to_numpy(), KNOWN["u"].to_numpy())
    bits = 1 << np.arange(len(KNOWN))[::-1]
    codes, counts = np.unique(
        (random_state.random(chances.shape) < chances) @ bits, return_counts=True
    )
    m, u, _ = estimate((codes[:, None] & bits) > 0, counts)[0][-1]
    return [
        {"variable": name, "m": float(m[v]), "u": float(u[v])} for v, name in enumerate(KNOWN.index)
    ]


def persons() -> tuple[FellegiSunter, pd.DataFrame]:
    """Return the model of RLdata500, and its pairs by index and by whether they are one person."""
    file = datasets.load("rldata500")
    compared = file[["fname_c1", "lname_c1", "by", "bm", "bd"]]
    model = FellegiSunter().fit(compared)
    pairs = model.classify(compared, false_links=1, false_nonlinks=0)
    identity = file["identity"]
    pairs["same"] = identity[pairs["original"]].to_numpy() == identity[pairs["masked"]].to_numpy()
    return model, pairs.groupby(["weight", "same"]).size().rename("pairs").reset_index()


#: Bounds on the shares of false links and of false non-links.
BOUNDS = ((1e-5, 0.05), (1e-4, 0.05), (1e-3, 0.05), (1e-4, 0.01), (1e-4, 0.2))


def classes(
    model: FellegiSunter, pairs: pd.DataFrame, bounds: Sequence[tuple[float, float]] = BOUNDS
) -> pd.DataFrame:
    """Count linked pairs, pairs for clerical review and the rest, under bounds on both errors."""
    rows = []
    for false_links, false_nonlinks in bounds:
        upper, lower = model.thresholds(false_links, false_nonlinks)
        named = np.select(
            [pairs["weight"] >= upper, pairs["weight"] >= lower],
            ["linked", "clerical"],
            "not linked",
        )
        row = {
            "P(LP|U) at most": false_links,
            "P(NP|M) at most": false_nonlinks,
            "upper": upper,
            "lower": lower,
        }
        for name in ("linked", "clerical", "not linked"):
            part = pairs[named == name]
            row |= {
                name: int(part["pairs"].sum()),
                f"{name}, same person": int(part["pairs"][part["same"]].sum()),
            }
        rows.append(row)
    return pd.DataFrame(rows)
