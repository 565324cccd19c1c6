"""Beyond domingo2002: weights learned for the variables, which the paper names as future work."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from ...compendium.sweep import drawn_by, sweep
from ...distances import categorical
from ...learning import WeightedMean
from ...linkage.nearest import reidentification_rate
from .protocol import GROUPS, METHODS, files, variables
from .runs import marked, mask

#: The attackers that are compared, by the name of their linkage.
ATTACKERS = (
    "PRL",
    "PRL, u of all pairs",
    "DBRL",
    "DBRL and PRL",
    "DBRL aware",
    "likelihood ratio",
)


def learned_weights(
    names: Sequence[str], parameters: Sequence[int], seed: int, work_limit: int
) -> pd.DataFrame:
    """Count correct links with equal and with the best weights, one row per masked file and group.

    They are counted without ties, for the 1000 records, and for a half of them by the weights of
    the other half.
    """
    grid = {
        "dataset": list(names),
        "method": list(METHODS),
        "p": list(parameters),
        "group": list(GROUPS),
        "work_limit": [work_limit],
    }
    table = sweep(learn, grid, seed=seed).drop(columns=["work_limit", "execution"])
    return marked(table)


@drawn_by("dataset", "method", "p")
def learn(
    dataset: str,
    method: str,
    p: int,
    group: str,
    work_limit: int,
    random_state: np.random.Generator,
) -> dict:
    """Learn the weights of one masked file and group, and try them on new records."""
    file, _ = files(dataset)
    columns = variables(dataset, file)[group]
    masked = mask(file, method, p, random_state=random_state)
    original, masked = file[columns], masked[columns]
    whole = WeightedMean(work_limit=work_limit, progress=False).fit(original, masked)
    order = random_state.spawn(1)[0].permutation(len(file))
    known, new = np.sort(order[: len(file) // 2]), np.sort(order[len(file) // 2 :])
    half = WeightedMean(work_limit=work_limit // 10, progress=False).fit(
        original.iloc[known], masked.iloc[known]
    )
    return {
        "equal": 1000 * reidentification_rate(original, masked, categorical()),
        "learned": float(whole.linked_),
        "bound": float(whole.bound_),
        "status": whole.status_,
        "equal, new records": 1000
        * reidentification_rate(original.iloc[new], masked.iloc[new], categorical()),
        "learned, new records": 1000 * half.score(original.iloc[new], masked.iloc[new]),
        "heaviest": str(whole.parameters_.idxmax()),
        "weight": float(whole.parameters_.max()),
    }


def gains(table: pd.DataFrame) -> pd.DataFrame:
    """Average what learned weights add, one row per file and group."""
    gain = table.assign(
        gain=table["learned"] - table["equal"],
        room=table["bound"] - table["learned"],
        new=table["learned, new records"] - table["equal, new records"],
        proved=table["status"] == "optimal",
    )
    grouped = gain.groupby(["dataset", "data", "group"], sort=False)
    means = {
        "equal": ("equal", "mean"),
        "gain": ("gain", "mean"),
        "largest gain": ("gain", "max"),
        "room left by the bound": ("room", "max"),
        "gain for new records": ("new", "mean"),
        "proved": ("proved", "sum"),
        "files": ("proved", "size"),
    }
    return grouped.agg(**means).reset_index()


def means(study: pd.DataFrame) -> pd.DataFrame:
    """Average the correct links of each attacker, expected over ties, by file and masking."""
    part = study[
        study["linkage"].isin(ATTACKERS)
        & (study["ties"] == "expected")
        & (study["rank"] == 1)
        & study["direction"].isin(["masked_to_original", ""])
    ]
    table = part.pivot_table(
        index=["dataset", "data", "method"], columns="linkage", values="correct", sort=False
    )
    return table[list(ATTACKERS)].reset_index()
