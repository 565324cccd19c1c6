"""Beyond li2019: what a privacy budget buys a simulated reviewer of person records.

The paper scores what a display discloses (KAPR) and leaves the budget to the manager. Here a rule
takes the reviewer's place (`simulated_reviewer`), learned from the pairs of one half of the persons
and judged on those of the other half. What a human makes of a display may be quite another thing.
"""

import itertools

import numpy as np
import pandas as pd
from rapidfuzz.distance import OSA

from ... import datasets
from ..._internal.inputs import remembered
from ...compendium.sweep import drawn_by, sweep
from ...review.display import MODES
from .simulated_reviewer import Project, Reviewer, odds, spend

#: What is displayed of each file, with its kind.
KINDS = {
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

#: How certain the reviewer wants to be: the probability of the answer from which on nothing more is
#: revealed.
CERTAINTIES = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999)

#: Budgets, as KAPR scores, of a reviewer who wants to be 95 percent certain and may run out of
#: money before.
BUDGETS = (0.001, 0.002, 0.005, 0.01, 0.02)

#: Pairs that a manager sends to review, and how uncertain the rule is of those that are called
#: hard, when all is masked.
MOST, HARD = 1000, 0.99


@remembered
def persons(name):
    """The displayed attributes as text, a row a record, and whose each record is. A date that is no eight digits is missing."""
    file = datasets.load(name)
    if name == "rldata500":
        dates = [
            f"{year:04d}-{month:02d}-{day:02d}"
            for year, month, day in zip(file["by"], file["bm"], file["bd"])
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
    )[list(KINDS[name])]
    return records.astype(object).where(records.notna(), None), file["rec_id"].str.split("-").str[
        1
    ].astype(int).to_numpy()


@remembered
def candidates(name):
    """The pairs for clerical review, by a rule that knows no truth: numbers of both records, similarity, same person.

    Pairs that agree exactly on a value other than a category, but not on all of them; of these the
    most similar, by the mean over the attributes that both have of 1 - edits / length of the longer
    value.
    """
    records, person = persons(name)
    values = records.to_numpy()
    pairs = {
        pair
        for place, kind in enumerate(KINDS[name].values())
        if kind != "category"
        for group in pd.Series(values[:, place]).groupby(values[:, place]).indices.values()
        for pair in itertools.combinations(sorted(group.tolist()), 2)
    }
    rows = []
    for first, second in sorted(pairs):
        cells = [(a, b) for a, b in zip(values[first], values[second]) if None not in (a, b)]
        if tuple(values[first]) != tuple(values[second]):
            rows.append(
                (first, second, float(np.mean([OSA.normalized_similarity(a, b) for a, b in cells])))
            )
    table = pd.DataFrame(rows, columns=["first", "second", "similarity"])
    table = (
        table.sort_values("similarity", ascending=False, kind="stable")
        .head(MOST)
        .sort_index()
        .reset_index(drop=True)
    )
    return table.assign(same=person[table["first"]] == person[table["second"]])


def study(names, executions, seed):
    """Every strategy on several splits of the persons: a row a file, split, strategy and setting."""
    return sweep(review, {"dataset": list(names)}, executions=executions, seed=seed)


@remembered
def project_of(name):
    return Project(
        persons(name)[0], candidates(name)[["first", "second"]].to_numpy(), KINDS[name], SWAPS[name]
    )


def halves(name, random_state):
    """The pairs within either half of the persons; those between the halves, none of them of one person, are left out."""
    pairs, person = candidates(name), persons(name)[1]
    everyone = np.unique(person)
    first = np.isin(person, random_state.permutation(everyone)[: len(everyone) // 2])
    inside = first[pairs["first"]].astype(int) + first[pairs["second"]]
    return np.flatnonzero(inside == 2).tolist(), np.flatnonzero(inside == 0).tolist()


@drawn_by("dataset")
def review(dataset, random_state):
    project, same = project_of(dataset), candidates(dataset)["same"].to_numpy()
    learned, judged = halves(dataset, random_state)
    reviewer = Reviewer(project, learned, same[learned])
    displays = {(mode, None): [(mode,) * len(KINDS[dataset])] * len(judged) for mode in MODES}
    displays |= {
        ("incremental", value): spend(project, reviewer, judged, value) for value in CERTAINTIES
    }
    displays |= {
        ("budget", value): spend(project, reviewer, judged, 0.95, value) for value in BUDGETS
    }
    scores = {
        key: np.array([reviewer.score(project, *pair) for pair in zip(judged, modes)])
        for key, modes in displays.items()
    }
    hard = np.abs(scores["masked", None]) < odds(HARD)
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


def measures(answers, same, hard):
    """How right the answers are; precision, recall and F1 are those of the answer "same person"."""
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


def summary(table):
    """Means over the splits, with standard errors of the accuracies: a row a file, strategy and setting.

    The splits share their pairs, so the error does not vanish with their number n: the variance is
    taken 1 / n + 1 times, the judged pairs being as many as those learned from (Nadeau & Bengio
    2003, Inference for the generalization error).
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


def recommended(means):
    """The smallest KAPR at which incremental disclosure is as accurate as full disclosure, less one standard error of the
    latter or less nothing; that of full disclosure where no certainty does. A row a file and
    tolerance.
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
