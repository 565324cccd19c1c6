"""What is computed for domingo2002: masked files, their links and their information loss."""

import itertools
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from ... import information_loss
from ..._internal.hints import RandomState
from ...compendium.sweep import drawn_by, sweep
from ...distances import categorical, combined, likelihood_ratio, prepared
from ...linkage.comparisons import exact
from ...linkage.fellegi_sunter import FellegiSunter
from ...linkage.nearest import TIES, link, tabled
from ...linkage.true_ranks import correct_at, ranks, share_at
from ...masking import PRAM, BottomCode, RecodeRare, TopCode
from ...masking.base import CategoricalMasking
from .protocol import (
    FALSE_LINKS,
    FALSE_NONLINKS,
    MEASURES,
    METHODS,
    ORDER,
    PARAMETERS,
    SMOOTHING,
    THIRDS,
    data_of,
    files,
    variables,
)


def marked(table: pd.DataFrame) -> pd.DataFrame:
    """Add the column `data`, which says of each row whether it was computed from a surrogate."""
    told = {dataset: data_of(dataset) for dataset in table["dataset"].unique()}
    return table.assign(data=table["dataset"].map(told))


# The masked files.


def masking(method: str, p: int, scope: str = "all") -> CategoricalMasking:
    """Return one of the 36 maskings.

    `scope` is that of top and bottom coding: ordinal variables as the text says, or all, as the
    printed tables look. A new category comes after the last one in top coding and before the first
    one in bottom coding and global recoding: the printed tables have the same counts for these two
    where one category is left.
    """
    if method == "pram":
        return PRAM(p / 10)
    if method == "global":
        return RecodeRare(p, label="recoded", position="start")
    return {"top": TopCode, "bottom": BottomCode}[method](p, scope, label="recoded")


def mask(
    file: pd.DataFrame,
    method: str,
    p: int,
    scope: str = "all",
    random_state: RandomState = None,
) -> pd.DataFrame:
    """Mask a file by one of the 36 maskings."""
    return masking(method, p, scope).mask(file, random_state)


def frequencies(file: pd.DataFrame, column: str, p: int, random_state: RandomState) -> pd.DataFrame:
    """Count each category of a column, before and after each masking method."""
    versions = {"original": file} | {
        method: mask(file[[column]], method, p, random_state=random_state) for method in METHODS
    }
    order = list(
        dict.fromkeys(
            name for version in versions.values() for name in version[column].cat.categories
        )
    )
    return pd.DataFrame(
        [
            (name, category, int((version[column] == category).sum()))
            for name, version in versions.items()
            for category in order
        ],
        columns=["file", "category", "records"],
    )


# The experiments.


def study(
    names: Sequence[str],
    executions: int,
    seed: int,
    parameters: Sequence[int] = PARAMETERS,
    scope: str = "all",
) -> pd.DataFrame:
    """Count the correct links of all masked files and groups, one row per linkage and count.

    Only PRAM is random: the other files are linked once and stand in every execution.
    """
    return _all_files(links, names, executions, seed, parameters, scope)


def losses(
    names: Sequence[str],
    executions: int,
    seed: int,
    parameters: Sequence[int] = PARAMETERS,
    scope: str = "all",
) -> pd.DataFrame:
    """Measure the information loss of the masked files of `study`, by group and measure."""
    return _all_files(loss, names, executions, seed, parameters, scope)


def _all_files(
    function: Callable,
    names: Sequence[str],
    executions: int,
    seed: int,
    parameters: Sequence[int],
    scope: str,
) -> pd.DataFrame:
    grid = [
        {
            "dataset": name,
            "method": method,
            "p": p,
            "scope": "all" if method in ("global", "pram") else scope,
        }
        for name, method, p in itertools.product(names, METHODS, parameters)
    ]
    fixed = sweep(function, [setting for setting in grid if setting["method"] != "pram"], seed=seed)
    random = sweep(
        function,
        [setting for setting in grid if setting["method"] == "pram"],
        executions=executions,
        seed=seed,
    )
    repeated = [fixed.assign(execution=execution) for execution in range(executions)]
    table = pd.concat([*repeated, random], ignore_index=True)
    return marked(
        table.sort_values(
            ["dataset", "execution"],
            kind="stable",
            ignore_index=True,
            key=lambda column: column.map(names.index) if column.name == "dataset" else column,
        )
    )


@drawn_by("dataset", "method", "p")
def links(
    dataset: str, method: str, p: int, scope: str, random_state: np.random.Generator
) -> list[dict]:
    """Count the correct links of one masked file, by group, linkage, direction, rank and ties."""
    file, _ = files(dataset)
    masked = mask(file, method, p, scope, random_state)
    known = masking(method, p, scope).transitions(file)
    return [
        {"group": group, **row}
        for group, names in variables(dataset, file).items()
        for row in _linked(file[names], masked[names], known)
    ]


def _linked(original: pd.DataFrame, masked: pd.DataFrame, known: dict) -> list[dict]:
    same = prepared(exact(), original, masked)
    model = FellegiSunter(same).fit(original, masked)
    informed = FellegiSunter(same, u="pairs").fit(original, masked)
    ways = {
        "DBRL": categorical(),
        "PRL": model.distance,
        "PRL, u of all pairs": informed.distance,
        "DBRL aware": categorical(transitions=known),
        "likelihood ratio": likelihood_ratio(known),
    }
    ways = {name: tabled(distance, original, masked) for name, distance in ways.items()}
    ways["DBRL and PRL"] = tabled(combined(ways["DBRL"], ways["PRL"]), original, masked)
    correct = {}
    for linkage, distance in ways.items():
        for direction in ("masked_to_original", "original_to_masked"):
            nearer, tied = ranks(original, masked, distance, direction).to_numpy().T
            for rank, ties in itertools.product((1, 2), TIES):
                correct[linkage, direction, rank, ties] = share_at(nearer, tied, rank, ties)
    counts = {key: float(found.sum()) for key, found in correct.items()}
    for ties in TIES:
        first, second = (
            correct[linkage, "masked_to_original", 1, ties] for linkage in ("DBRL", "PRL")
        )
        counts["both", "masked_to_original", 1, ties] = float(np.minimum(first, second).sum())
        counts["either", "masked_to_original", 1, ties] = float(np.maximum(first, second).sum())
    kind, masked_kind = (
        pd.DataFrame(codes, original.index).groupby(list(range(codes.shape[1]))).ngroup()
        for codes in same(original, masked)[:2]
    )
    for linkage in ("DBRL", "DBRL aware", "PRL"):
        nearest = link(original, masked, ways[linkage])["nearest"]
        counts[linkage, "masked_to_original", 1, "same values"] = float(
            (kind[nearest].to_numpy() == kind[nearest.index].to_numpy()).sum()
        )
    counts |= _assigned(model, original, masked, kind, masked_kind)
    return [
        {"linkage": linkage, "direction": direction, "rank": rank, "ties": ties, "correct": count}
        for (linkage, direction, rank, ties), count in counts.items()
    ]


def _assigned(
    model: FellegiSunter,
    original: pd.DataFrame,
    masked: pd.DataFrame,
    kind: pd.Series,
    masked_kind: pd.Series,
) -> dict[tuple, float]:
    """Count correct links one to one: all, those of linked pairs, those not given up either.

    They are counted in the order of the file; expected over all orders; and with links to a record
    of the same values as correct ones, expected over all orders of equal masked records. Equal
    records are of one kind.
    """
    pairs = model.link_one_to_one(original, masked)
    upper, lower = model.thresholds(FALSE_LINKS, FALSE_NONLINKS)
    copies = np.bincount(masked_kind)
    together = np.zeros((kind.max() + 1, len(copies)), int)
    np.add.at(together, (kind, masked_kind[kind.index]), 1)
    linked = masked_kind[pairs["partner"]]
    own = together[kind[pairs.index], linked] / copies[linked]
    counts = {}
    for name, threshold in (
        ("PRL one to one", -np.inf),
        ("PRL linked", upper),
        ("PRL linked or clerical", lower),
    ):
        kept = (pairs["weight"] >= threshold).to_numpy()
        counts[name, "", 1, "file order"] = float((pairs["partner"] == pairs.index)[kept].sum())
        counts[name, "", 1, "expected"] = float(pairs["correct"][kept].sum())
        counts[name, "", 1, "same values"] = float(own[kept].sum())
    return counts


@drawn_by("dataset", "method", "p")
def loss(
    dataset: str, method: str, p: int, scope: str, random_state: np.random.Generator
) -> list[dict]:
    """Measure the information loss of one masked file, by group."""
    file, reference = files(dataset)
    masked = mask(file, method, p, scope, random_state)
    known = masking(method, p, scope).transitions(file)
    single = pd.DataFrame(
        {name: _losses(file[[name]], masked[[name]], known, reference) for name in file}
    )
    rows = []
    for group, names in variables(dataset, file).items():
        differences, cells = information_loss.table_differences(file[names], masked[names], ORDER)
        values = {**single[names].sum(axis=1), "CTBIL": differences, "ACTBIL": differences / cells}
        rows += [{"group": group, "measure": name, "loss": values[name]} for name in MEASURES]
    return rows


def _losses(
    original: pd.DataFrame, masked: pd.DataFrame, known: dict, reference: pd.DataFrame
) -> dict[str, float]:
    """Compute the measures that are sums over the variables."""
    values = {"Dist": information_loss.dist(original, masked)}
    for name, source, smoothing in (("RF", reference, SMOOTHING), ("MF", original, 0.0)):
        values[f"EBIL{name}"] = information_loss.ebil(masked, known, source, smoothing)
        values[f"IL{name}"] = information_loss.il(original, masked, known, source, smoothing)
    return values


# Re-identification by value, and by the order of the records.


def by_value(names: Sequence[str], seed: int, parameters: Sequence[int]) -> pd.DataFrame:
    """Find how often low, middle and high values of ordinal variables are re-identified."""
    grid = {"dataset": list(names), "method": ["bottom", "top"], "p": [0, *parameters]}
    return marked(sweep(rates_by_value, grid, seed=seed))


@drawn_by()
def rates_by_value(
    dataset: str, method: str, p: int, random_state: np.random.Generator
) -> list[dict]:
    """Find the shares of records re-identified in one file, by value; nothing is drawn."""
    file, _ = files(dataset)
    file = file[variables(dataset, file)["o"]]
    masked = mask(file, method, p)
    known = masking(method, p).transitions(file)
    rows = []
    for linkage, distance in (
        ("DBRL", categorical()),
        ("DBRL aware", categorical(transitions=known)),
    ):
        correct = correct_at(ranks(file, masked, distance), ties="expected")
        for column in file:
            codes = file[column].cat.codes.rank(method="dense") - 1
            third = pd.cut(
                codes / codes.max(), [0, 1 / 3, 2 / 3, 1], labels=THIRDS, include_lowest=True
            )
            for name, part in correct.groupby(third, observed=True):
                rows.append(
                    {
                        "linkage": linkage,
                        "variable": column,
                        "value": name,
                        "records": len(part),
                        "rate": float(part.mean()),
                    }
                )
    return rows


def record_order(names: Sequence[str], seed: int, parameters: Sequence[int]) -> pd.DataFrame:
    """Count correct links one to one with the masked file in the original's order, and shuffled.

    Linked by PRL after bottom coding, group s.
    """
    rows = []
    for dataset in names:
        file, _ = files(dataset)
        original = file[variables(dataset, file)["s"]]
        for p in parameters:
            masked = mask(original, "bottom", p)
            model = FellegiSunter().fit(original, masked)
            row = {"dataset": dataset, "p": p}
            for name, version in (
                ("same order", masked),
                ("shuffled", masked.sample(frac=1, random_state=seed)),
            ):
                pairs = model.link_one_to_one(original, version)
                row |= {
                    name: int((pairs["partner"] == pairs.index).sum()),
                    f"{name}, expected": float(pairs["correct"].sum()),
                }
            rows.append(row)
    return marked(pd.DataFrame(rows))
