"""Beyond li2019: what a privacy budget buys a simulated reviewer of person records.

The paper scores what a display discloses (KAPR) and leaves the budget to the manager. Here a rule
stands for the reviewer (`simulated_reviewer`), learned from the pairs of one half of the persons
and judged on those of the other half. What a human makes of a display may be quite another thing.
"""

import itertools
from collections.abc import Iterable

import numpy as np
import pandas as pd
from rapidfuzz.distance import OSA

from ... import datasets
from ..._internal.inputs import remembered
from ...compendium.sweep import drawn_by, sweep
from ...review.display import MODES
from .simulated_reviewer import Modes, Project, Reviewer, odds, spend

#: What is displayed of each file, with its type.
ATTRIBUTE_TYPES = {
    "rldata500": {"first name": "name", "last name": "name", "birth date": "date"},
    "febrl_dataset1": {
        "given name": "name",
        "surname": "name",
        "birth date": "date",
        "suburb": "name",
        "postcode": "string",
        "state": "category",
    },
}

#: Attributes whose values may have changed places.
SWAPS = {"rldata500": [("first name", "last name")], "febrl_dataset1": [("given name", "surname")]}

#: How certain the reviewer wants to be: the probability of the answer above which nothing more is
#: revealed.
CERTAINTIES = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999)

#: Budgets, as KAPR scores, of a reviewer who wants to be 95 percent certain and may run out of
#: money before.
BUDGETS = (0.001, 0.002, 0.005, 0.01, 0.02)

#: Pairs that a manager sends to review.
MAX_PAIRS = 1000

#: A pair is hard if the rule is less certain of it than this when all is masked.
HARD_CERTAINTY = 0.99


@remembered
def persons(name: str) -> tuple[pd.DataFrame, np.ndarray]:
    """Return the displayed attributes as text, one row per record, and whose each record is.

    A date that is not eight digits is missing.
    """
    file = datasets.load(name)
    if name == "rldata500":
        dates = [
            f"{year:04d}-{month:02d}-{day:02d}"
            for year, month, day in zip(file["by"], file["bm"], file["bd"], strict=True)
        ]
        records = pd.DataFrame(
            {"first name": file["fname_c1"], "last name": file["lname_c1"], "birth date": dates}
        )
        return records.astype(object), file["identity"].to_numpy()
    dates = file["date_of_birth"].where(
        file["date_of_birth"].str.fullmatch(r"\d{8}").fillna(False).astype(bool)
    )
    records = file.assign(
        **{
            "given name": file["given_name"],
            "birth date": dates.str[:4] + "-" + dates.str[4:6] + "-" + dates.str[6:],
        }
    )[list(ATTRIBUTE_TYPES[name])]
    return records.astype(object).where(records.notna(), None), file["rec_id"].str.split("-").str[
        1
    ].astype(int).to_numpy()


@remembered
def candidates(name: str) -> pd.DataFrame:
    """Return the pairs for clerical review: numbers of both records, similarity, same person.

    The rule knows no truth. It takes pairs that agree exactly on a value other than a category, but
    not on all of them; of these the most similar, by the mean over the attributes that both have of
    1 - edits / length of the longer value.
    """
    records, person = persons(name)
    values = records.to_numpy()
    pairs = {
        pair
        for attribute, attribute_type in enumerate(ATTRIBUTE_TYPES[name].values())
        if attribute_type != "category"
        for group in pd.Series(values[:, attribute]).groupby(values[:, attribute]).indices.values()
        for pair in itertools.combinations(sorted(group.tolist()), 2)
    }
    rows = []
    for first, second in sorted(pairs):
        cells = [
            (a, b) for a, b in zip(values[first], values[second], strict=True) if None not in (a, b)
        ]
        if tuple(values[first]) != tuple(values[second]):
            rows.append(
                (first, second, float(np.mean([OSA.normalized_similarity(a, b) for a, b in cells])))
            )
    table = pd.DataFrame(rows, columns=["first", "second", "similarity"])
    table = (
        table.sort_values("similarity", ascending=False, kind="stable")
        .head(MAX_PAIRS)
        .sort_index()
        .reset_index(drop=True)
    )
    return table.assign(same=person[table["first"]] == person[table["second"]])


def study(names: Iterable[str], executions: int, seed: int) -> pd.DataFrame:
    """Try every strategy on several splits: one row per file, split, strategy and setting."""
    return sweep(review, {"dataset": list(names)}, executions=executions, seed=seed)


@remembered
def project_of(name: str) -> Project:
    """Return the candidates of a file as a project of the simulated reviewer."""
    return Project(
        persons(name)[0],
        candidates(name)[["first", "second"]].to_numpy(),
        ATTRIBUTE_TYPES[name],
        SWAPS[name],
    )


def halves(name: str, random_state: np.random.Generator) -> tuple[list[int], list[int]]:
    """Return the pairs within either half of the persons.

    Those between the halves, none of them of one person, are left out.
    """
    pairs, person = candidates(name), persons(name)[1]
    everyone = np.unique(person)
    first = np.isin(person, random_state.permutation(everyone)[: len(everyone) // 2])
    inside = first[pairs["first"]].astype(int) + first[pairs["second"]]
    return np.flatnonzero(inside == 2).tolist(), np.flatnonzero(inside == 0).tolist()


@drawn_by("dataset")
def review(dataset: str, random_state: np.random.Generator) -> list[dict]:
    """Try every strategy on one split of the persons."""
    project, same = project_of(dataset), candidates(dataset)["same"].to_numpy()
    learned, judged = halves(dataset, random_state)
    reviewer = Reviewer(project, learned, same[learned])
    displays: dict[tuple[str, float | None], list[Modes]] = {
        (mode, None): [(mode,) * len(ATTRIBUTE_TYPES[dataset])] * len(judged) for mode in MODES
    }
    displays |= {
        ("incremental", value): spend(project, reviewer, judged, value) for value in CERTAINTIES
    }
    displays |= {
        ("budget", value): spend(project, reviewer, judged, 0.95, value) for value in BUDGETS
    }
    scores = {
        key: np.array([reviewer.score(project, *pair) for pair in zip(judged, modes, strict=True)])
        for key, modes in displays.items()
    }
    hard = np.abs(scores["masked", None]) < odds(HARD_CERTAINTY)
    scores["always different", None], displays["always different", None] = (
        -np.ones(len(judged)),
        displays["masked", None],
    )
    shown = {key: sum(map(project.characters, judged, modes)) for key, modes in displays.items()}
    return [
        {
            "strategy": key[0],
            "setting": key[1],
            "KAPR": float(np.mean(list(map(project.price, judged, modes)))),
            "characters": shown[key] / shown["full", None],
            **measures(scores[key] > 0, same[judged], hard),
        }
        for key, modes in displays.items()
    ]


def measures(answers: np.ndarray, same: np.ndarray, hard: np.ndarray) -> dict:
    """Count correct answers; precision, recall and F1 are those of the answer "same person"."""
    said, true, both = int(answers.sum()), int(same.sum()), int((answers & same).sum())
    return {
        "pairs": len(same),
        "same": true,
        "hard": int(hard.sum()),
        "accuracy": float((answers == same).mean()),
        "accuracy, hard pairs": float((answers == same)[hard].mean()) if hard.any() else None,
        "precision": both / said if said else None,
        "recall": both / true,
        "F1": 2 * both / (said + true),
    }


def summary(table: pd.DataFrame) -> pd.DataFrame:
    """Return means over the splits, with standard errors of the accuracies.

    There is one row per file, strategy and setting. The splits share their pairs, so the error does
    not vanish with their number n: the variance is taken 1 / n + 1 times, as there are as many
    judged pairs as pairs learned from (Nadeau & Bengio 2003, Inference for the generalization
    error).
    """
    grouped = table.groupby(["dataset", "strategy", "setting"], sort=False, dropna=False)
    means = grouped.mean().drop(columns="execution")
    for column in ("accuracy", "accuracy, hard pairs"):
        means.insert(
            means.columns.get_loc(column) + 1,
            f"se {column}",
            grouped[column].std() * np.sqrt(1 / grouped.size() + 1),
        )
    return means.reset_index()


def recommended(means: pd.DataFrame) -> pd.DataFrame:
    """Return the smallest KAPR at which incremental disclosure is as accurate as full disclosure.

    There is one row per file and tolerance: the accuracy of full disclosure, less one standard
    error of it or less nothing. Where no certainty reaches that, it is full disclosure itself.
    """
    rows = []
    for name, part in means[means["strategy"].isin(["incremental", "full"])].groupby(
        "dataset", sort=False
    ):
        full = part[part["strategy"] == "full"].iloc[0]
        for tolerance, less in (("one standard error", full["se accuracy"]), ("none", 0.0)):
            enough = (
                part[part["accuracy"] >= full["accuracy"] - less]
                .sort_values("KAPR", kind="stable")
                .iloc[0]
            )
            rows.append(
                {
                    "dataset": name,
                    "tolerance": tolerance,
                    "certainty": enough["setting"],
                    **enough[["KAPR", "characters", "accuracy", "F1"]],
                    "full KAPR": full["KAPR"],
                    "full accuracy": full["accuracy"],
                    "full se accuracy": full["se accuracy"],
                    "full F1": full["F1"],
                }
            )
    return pd.DataFrame(rows)
