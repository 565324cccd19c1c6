"""The experiments of abril2011, and what the full run found."""

import numpy as np
import pandas as pd
import pytest

from conftest import ROOT
from rlpaper.compendium import published
from rlpaper.papers.abril2011 import claims, protocol, runs, tables
from rlpaper.papers.abril2012 import protocol as abril2012

FIGURES = ROOT / "figures"


@pytest.mark.parametrize("file", protocol.FILES)
def test_files_are_masked_on_their_own_in_the_printed_groups(file):
    original, masked = runs.sample(file, np.random.default_rng(1))
    groups, ks = protocol.FILES[file]
    assert original.shape == masked.shape == (400, sum(groups))
    for names, k in zip(np.split(original.columns, np.cumsum(groups)[:-1]), ks, strict=True):
        assert masked[list(names)].value_counts().min() >= k


def test_one_sample_is_linked_by_every_distance_named():
    names = ["d2AM", "d2WM", "d2OWA"]
    rows = pd.DataFrame(
        [runs.compare("M4-33", name, np.random.default_rng(2)) for name in names], index=names
    )
    assert rows.loc["d2AM", "linked"] <= rows.loc["d2WM", "linked"] == rows.loc["d2WM", "bound"]
    assert rows.loc["d2WM", "constraints in the paper"] == 400**2 + 400 + 1 + 4


def made_up_runs(linked):
    """Two runs on one file: what each distance links; no bound is off but that of d2CI, by 2."""
    return pd.DataFrame(
        [
            {"file": "M4-33", "execution": i, "operator": name, "linked": n, "bound": n + more}
            for i in range(2)
            for name, n in linked.items()
            for more in [2 if name == "d2CI" else 0]
        ]
    )


def test_the_special_case_never_links_more_than_the_general_one():
    standard = made_up_runs({"d2AM": 380, "d2WM": 385})
    nesting = tables.nesting(made_up_runs({"d2WM": 385, "d2CI": 390, "d2MDstar": 384}))
    assert claims.special_cases(standard, nesting).tolist() == [True, True, False]
    proved = claims.proved(nesting)
    assert proved.loc["d2CI"].tolist() == [0, 2] and proved.loc["d2WM"].tolist() == [1, 0]


def test_the_quick_table_agrees_with_the_full_one(built):
    quick, full = (
        pd.read_csv(folder / "abril2011_table2.csv").groupby("cell")["value"]
        for folder in (built.root / "build/quick/figures", FIGURES)
    )
    assert set(quick.groups) <= set(full.groups)
    error = full.std() * np.sqrt(1 / quick.size() + 1 / full.size())
    assert (
        ((quick.mean() - full.mean()).abs() <= 5 * error + 0.005).dropna()[list(quick.groups)].all()
    )


# What issue and paper ask of the full run.


def test_the_weighted_mean_matches_in_five_of_six_files():
    cells = pd.read_csv(FIGURES / "scorecard.csv").query(
        "paper == 'abril2011' and cell.str.endswith('d2WM')"
    )
    assert len(cells) == 6 and (cells["verdict"] == "match").sum() >= 5


def test_richer_distances_link_at_least_as_many_in_every_run():
    linked = pd.read_csv(FIGURES / "abril2011_nesting.csv")
    assert set(linked["file"]) == set(protocol.FILES)
    for operator in ("d2CI", "d2MDstar"):
        assert (linked[operator] >= linked["d2WM"]).all()
        assert (linked[operator] <= linked[f"{operator} bound"]).all()


@pytest.mark.parametrize(
    ("name", "stated"),
    [
        ("abril2011_files", protocol.FILES),
        ("abril2012_table7_9_nonuniform", abril2012.NONUNIFORM),
    ],
)
def test_the_files_of_both_protocols_are_the_printed_ones(name, stated):
    printed = {
        row.file: tuple([int(n) for n in text.split("-")] for text in (row.groups, row.ks))
        for row in published.table(name).itertuples()
    }
    assert printed == stated
