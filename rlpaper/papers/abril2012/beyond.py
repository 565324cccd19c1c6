"""What abril2012 leaves out: flat optima, the whole file, and what a proof costs.

The papers' program by general solvers stands beside the searches of this package. Nothing here
judges: what is swept must not depend on how a number is held against print.
"""

from typing import Any

import numpy as np
import pandas as pd

from ...compendium.sweep import drawn_by, sweep
from ...learning.milp import paper_model
from .protocol import EXECUTIONS, LINKED, TRAIN, TRIED, WHOLE_FILES, WORK, reading_for
from .runs import learner_of, one_sample, whole_pair

#: General solvers, and whether they get the papers' program or the tightened one.
SOLVERS = {"CBC": ("cbc", False), "HiGHS": ("highs", False), "HiGHS, tightened": ("highs", True)}


def _settings(files: list[tuple], **options: Any) -> list[dict]:
    return [{"method": method, "parameter": parameter, **options} for method, parameter in files]


def flat(files: list[tuple], seed: int) -> pd.DataFrame:
    """Find how much each of the best weights can vary, in one sample of each file."""
    return sweep(flatness, _settings(files), seed=seed)


@drawn_by("method", "parameter")
def flatness(method: str, parameter: int | None, random_state: np.random.Generator) -> list[dict]:
    """Find how much the best weights of one sample can vary: one row per variable."""
    pairs, learner = one_sample(method, parameter, random_state)
    ranges = learner.fit(*pairs).ranges(*pairs)
    return [
        {
            "variable": f"V{v}",
            "weight": weight,
            "least": ranges.iloc[v - 1, 0],
            "largest": ranges.iloc[v - 1, 1],
            "linked": learner.linked_,
            "status": learner.status_,
        }
        for v, weight in enumerate(learner.parameters_, 1)
    ]


def whole_files(profile: str, seed: int) -> pd.DataFrame:
    """Compare three attackers on the whole of each file: shares of correct links.

    One has equal weights, one those of a sample (means over samples), one the best for the file.
    """
    settings, executions = _settings(WHOLE_FILES[profile]), EXECUTIONS["whole file"][profile]
    samples = sweep(whole_file, settings, executions=executions, seed=seed)
    best = sweep(whole_best, settings, seed=seed)  # nothing is random in microaggregation
    keys = ["method", "parameter"]
    means = samples.groupby(keys, sort=False, dropna=False)[["equal", "sample"]].mean()
    table = means.reset_index().join(best[["best", "bound"]])
    return table.assign(proved=best["best"] == best["bound"])


@drawn_by("method", "parameter")
def whole_file(method: str, parameter: int | None, random_state: np.random.Generator) -> dict:
    """Learn weights on 400 records, and try them on all 1080, beside equal ones."""
    whole = whole_pair(method, parameter, random_state)
    records = len(whole[0])
    drawn = random_state.permutation(records)[:TRAIN]
    original, masked = (file.iloc[drawn] for file in whole)
    learner = learner_of(reading_for(method), work_limit=WORK).fit(original, masked)
    return {
        "records": records,
        "equal": learner.with_parameters(*whole, [1] * LINKED).score(*whole),
        "sample": learner.score(*whole),
    }


@drawn_by("method", "parameter")
def whole_best(method: str, parameter: int | None, random_state: np.random.Generator) -> dict:
    """Find the best weights for all 1080 records: the worst case of the file for this distance."""
    whole = whole_pair(method, parameter, random_state)
    best = learner_of(reading_for(method), work_limit=WORK).fit(*whole)
    return {"best": best.linked_ / len(whole[0]), "bound": best.bound_ / len(whole[0])}


def by_general_solvers(profile: str, seed: int) -> pd.DataFrame:
    """Solve the papers' program of some samples by general solvers: one row per sample and solver.

    `unlinked` are the records that the best weights leave unlinked.
    """
    files, solvers, limit = TRIED[profile]
    runs = sweep(general_solvers, _settings(files, solvers=solvers, time_limit=limit), seed=seed)
    return runs.assign(unlinked=TRAIN - runs["our_linked"])


@drawn_by("method", "parameter")
def general_solvers(
    method: str,
    parameter: int | None,
    solvers: list[str],
    time_limit: float,
    random_state: np.random.Generator,
) -> list[dict]:
    """Solve the papers' program of one sample by general solvers, and prove it by our own search.

    Parameters
    ----------
    method, parameter
        The masked file.
    solvers : list of str
        Names of `SOLVERS`.
    time_limit : float
        Seconds.
    random_state : Generator

    Returns
    -------
    list of dict
        One row per solver: `linked`, `bound`, `status` and `seconds`, the same with ``our_`` of the
        package, and the size of the program.
    """
    pairs, learner = one_sample(method, parameter, random_state)
    learner.fit(*pairs)
    ours = {
        "our_linked": learner.linked_,
        "our_bound": learner.bound_,
        "our_status": learner.status_,
        "our_seconds": learner.seconds_,
        "our_seconds_to_best": learner.seconds_to_best_,
    }
    rows = []
    for name in solvers:
        solver, tightened = SOLVERS[name]
        model = paper_model(learner, *pairs, tightened=tightened)
        found = model.solve(solver, time_limit=time_limit)
        rows.append(
            {
                "solver": name,
                "variables": model.variables,
                "constraints": model.constraints,
                "linked": found.linked,
                "bound": found.bound,
                "status": found.status,
                "seconds": found.seconds,
                **ours,
            }
        )
    return rows


def by_constant(seed: int) -> pd.DataFrame:
    """Solve one program with values of C around the least valid one: one row per value."""
    grid = [{"factors": [0.01, 0.1, 0.5, 1, 10, 100]}]
    return sweep(constants, grid, seed=seed).drop(columns="factors")


@drawn_by()
def constants(factors: list[float], random_state: np.random.Generator) -> list[dict]:
    """Solve the papers' program of 60 records and three variables with several values of C.

    Parameters
    ----------
    factors : list of float
        C as a multiple of the least constant that makes every row hold where a record is given up.
    random_state : Generator

    Returns
    -------
    list of dict
        One row per value: `C`, the records that the program's solution links, and `margin`: by how
        much the correct candidate is nearer than the second, the least over the linked records, as
        a squared distance.
    """
    (original, masked), learner = one_sample("Mic3", 10, random_state)
    original, masked = original.iloc[:60, :3], masked.iloc[:60, :3]
    least, rows = paper_model(learner, original, masked).constant, []
    for factor in factors:
        found = paper_model(learner, original, masked, constant=factor * least).solve(
            "highs", time_limit=60
        )
        row = {
            "factor": factor,
            "C": factor * least,
            "linked": found.linked,
            "margin": None,
            "status": found.status if found.linked else "no solution",
        }
        if found.linked:
            links = learner.with_parameters(original, masked, found.theta.tolist()).link(
                original, masked
            )
            correct = links[links["correct"] == 1]
            row["margin"] = round(
                float((correct["second_distance"] ** 2 - correct["distance"] ** 2).min()), 9
            )
        rows.append(row)
    return rows
