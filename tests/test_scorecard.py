import io
import math

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from conftest import ROOT
from rlpaper.compendium import published, results, scorecard
from rlpaper.compendium.figures import save_figure
from rlpaper.datasets.ahs import ORIGINAL

positive = st.floats(0, 1e3)


def tidy(cells):
    return pd.DataFrame(cells, columns=["cell", "value"])


@pytest.mark.parametrize(
    ("difference", "se", "unit", "verdict"),
    [
        (0.5, 0, 1, "match"),
        (0.51, 0, 1, "near"),
        (2, 0, 1, "near"),
        (2.01, 0, 1, "differs"),
        (1, 0.5, 1, "match"),
        (1.01, 0.5, 1, "near"),
        (-2, 0.1, 1, "near"),
        (4.1, 1, 1, "differs"),
        (3.9, 1, 1, "near"),
    ],
)
def test_bands(difference, se, unit, verdict):
    assert scorecard.band(difference, se, unit) == verdict


@given(st.floats(-1e3, 1e3), positive, positive, positive)
def test_a_wider_band_never_worsens_and_a_larger_difference_never_improves(
    difference, se, unit, more
):
    rank = scorecard.VERDICTS.index
    here = rank(scorecard.band(difference, se, unit))
    assert rank(scorecard.band(difference, se + more, unit)) <= here
    assert rank(scorecard.band(abs(difference) + more, se, unit)) >= here
    assert scorecard.band(-difference, se, unit) == scorecard.band(difference, se, unit)


@pytest.mark.parametrize(
    ("paper", "item", "cell", "printed", "executions"),
    [
        (
            "abril2012",
            "table2",
            "p=6 dbrl",
            88.0,
            1,
        ),  # the ten samples share a masked file: one experiment
        ("torra2008", "table6", "ionosphere N1 DBRL OWA_Qe", None, 10),
    ],
)
def test_standard_error_combines_both_sides(paper, item, cell, printed, executions):
    printed = printed or float(
        published.cells(paper, item).set_index("cell").loc[cell, "published"]
    )
    values = np.array([-1.0, 0.0, 1.0, 2.0]) + printed
    row = (
        scorecard.compare(tidy([(cell, value) for value in values]), paper, item)
        .set_index("cell")
        .loc[cell]
    )
    assert float(row["reproduced"]) == pytest.approx(printed + 0.5)
    assert row["se"] == pytest.approx(np.std(values, ddof=1) * math.sqrt(1 / 4 + 1 / executions))
    assert row["verdict"] == "match" and row["unit"] == 1


def test_cells_without_a_value_are_missing():
    table = scorecard.compare(tidy([("p=6 dbrl", 80.0)]), "abril2012", "table2")
    assert table["verdict"].value_counts().to_dict() == {"missing": 41, "differs": 1}


def test_an_unknown_cell_is_an_error():
    with pytest.raises(ValueError, match="abril2012 table2 has no cell 'p=7 dbrl'.*named like"):
        scorecard.compare(tidy([("p=7 dbrl", 1.0)]), "abril2012", "table2")


def test_a_table_with_an_unknown_cell_is_not_written(tmp_path):
    with pytest.raises(ValueError, match="no cell 'p=7 dbrl'"):
        results.save_table(tidy([("p=7 dbrl", 1.0)]), "abril2012", "table2", tmp_path)
    assert not any(tmp_path.iterdir())


def test_a_number_that_is_none_differs_in_memory_and_from_disk(tmp_path):
    frame = tidy([("p=6 dbrl", math.nan)])
    results.save_table(frame, "abril2012", "table2", tmp_path)
    card = scorecard.scorecard(tmp_path).query("paper == 'abril2012' and item == 'table2'")
    for table in (scorecard.compare(frame, "abril2012", "table2"), card):
        assert table.set_index("cell").loc["p=6 dbrl", "verdict"] == "differs"


def test_texts_match_by_character_only():
    frame = tidy([("partial KAPR", "31/432"), ("full KAPR", "6/8")])
    table = scorecard.compare(frame, "li2019", "totals").set_index("cell")
    assert table[["verdict", "explanation"]].T.to_dict("list") == {
        "masked KAPR": ["missing", "not reproduced yet"],
        "partial KAPR": ["match", ""],
        "full KAPR": ["differs", ""],
    }


def test_two_values_for_a_text_are_an_error():
    with pytest.raises(ValueError, match="one text, not 2"):
        scorecard.compare(tidy([("full KAPR", "3/4")] * 2), "li2019", "totals")


def test_claims_are_judged_by_whether_they_hold():
    cell = "improvement on non-uniformly masked files"
    for holds, verdict in ((True, "match"), (False, "differs")):
        frame = tidy([(cell, "56.5")]).assign(holds=holds)
        assert (
            scorecard.compare(frame, "abril2012", "prose").set_index("cell").loc[cell, "verdict"]
            == verdict
        )


def made_up(value=853.0):
    """Rows of a printed table as they come from a run on the surrogate."""
    return tidy([("p=1 top", value), ("p=2 top", value)]).assign(data=results.SURROGATE)


def test_surrogate_data_are_not_comparable_in_memory_and_from_disk(tmp_path):
    results.save_table(made_up(), "domingo2002", "table4", tmp_path)
    compared = scorecard.compare(made_up(), "domingo2002", "table4")
    for table in (compared, scorecard.scorecard(tmp_path)):
        row = table[(table["item"] == "table4") & (table["cell"] == "p=1 top")].iloc[0]
        assert row["verdict"] == "not comparable" and row["reproduced"] == "853"
    assert results.SURROGATE in (tmp_path / "domingo2002_table4.csv").read_text()


#: What a notebook might do to a table of made-up numbers, knowingly or not.
TREATMENTS = {
    "the column is dropped": lambda frame: frame.drop(columns="data"),
    "the columns are chosen": lambda frame: frame[["cell", "value"]],
    "the column is renamed": lambda frame: frame.rename(columns={"data": "source"}),
    "means are taken": lambda frame: frame.groupby("cell")["value"].mean().reset_index(),
    "it is pivoted and melted": lambda frame: frame.pivot_table(
        columns="cell", values="value"
    ).melt(var_name="cell"),
    "rows without a mark are added": lambda frame: pd.concat(
        [frame, tidy([("p=3 top", 700.0)])], ignore_index=True
    ),
    "real rows are added": lambda frame: pd.concat(
        [frame, tidy([("p=3 top", 700.0)]).assign(data=ORIGINAL)], ignore_index=True
    ),
    "it is merged": lambda frame: tidy([("p=1 top", 1.0)])[["cell"]].merge(frame, on="cell"),
    "values are missing": lambda frame: frame.assign(data=np.nan),
    "something else is written": lambda frame: frame.assign(data="survey"),
    "the column is emptied": lambda frame: frame.assign(data=""),
    "one row is cleared": lambda frame: frame.assign(data=[results.SURROGATE, ORIGINAL]),
    "it is written and read": lambda frame: pd.read_csv(io.StringIO(frame.to_csv(index=False))),
    "rows are sampled": lambda frame: frame.sample(1, random_state=1).reset_index(drop=True),
}


@pytest.mark.parametrize("treatment", TREATMENTS)
def test_a_surrogates_numbers_never_become_a_verdict(treatment, tmp_path):
    table = TREATMENTS[treatment](made_up())
    for judge in (
        lambda: scorecard.compare(table, "domingo2002", "table4"),
        lambda: results.save_table(table, "domingo2002", "table4", tmp_path),
    ):
        try:
            judge()
        except ValueError as fault:
            assert "every row needs a column `data`" in str(fault)
        else:
            judged = scorecard.compare(table, "domingo2002", "table4")
            assert set(judged["verdict"]) <= {"not comparable", "missing"}
    # Neither what was written, nor a file that was written by other means.
    for refused in (False, True):
        if refused:
            table.to_csv(tmp_path / "domingo2002_table4.csv", index=False)
        try:
            card = scorecard.scorecard(tmp_path)
        except ValueError as fault:
            assert refused and "every row needs a column `data`" in str(fault)
        else:
            verdicts = card.query("paper == 'domingo2002' and item == 'table4'")["verdict"]
            assert set(verdicts) <= {"not comparable", "missing"}


def test_every_number_about_the_survey_asks_for_the_column():
    cells = published.cells("domingo2002")
    numbers = cells[~cells["judge"].isin(["input", "claim"])]
    assert set(numbers.loc[~numbers["marked"], "item"]) == {"design"}  # facts of the design
    assert set(numbers.loc[numbers["marked"], "item"]) == {
        "table2",
        "table3",
        "table4",
        "table5",
        "prose",
    }
    others = published.cells()
    assert not others.loc[others["paper"] != "domingo2002", "marked"].any()


def test_a_table_of_ones_own_survey_is_judged_like_any_other():
    own = made_up().assign(data=ORIGINAL)
    judged = scorecard.compare(own, "domingo2002", "table4").set_index("cell")["verdict"]
    assert judged["p=1 top"] in ("match", "near", "differs")


def test_a_figure_of_surrogate_data_says_so_on_its_face(tmp_path):
    for frame, said in ((made_up(), True), (made_up().assign(data=ORIGINAL), False)):
        figure = plt.figure()
        save_figure(figure, frame, "domingo2002", "tables3_4", tmp_path, "A caption.")
        assert (results.SURROGATE in [text.get_text() for text in figure.texts]) == said
        drawn = (tmp_path / "domingo2002_tables3_4.svg").read_text()
        assert (f"A caption. ({results.SURROGATE})" in drawn) == said
        plt.close(figure)


def test_scorecard_lists_every_published_number_once_and_only_once(tmp_path):
    table = scorecard.scorecard(tmp_path)
    assert list(table.columns) == scorecard.COLUMNS
    assert not table.duplicated(["paper", "item", "cell"]).any()
    assert len(table) == len(published.cells())
    assert set(table["verdict"]) == {"missing", "input", "not comparable"}


def test_a_verdict_can_be_recomputed_from_its_row(built):
    table = pd.read_csv(
        built.root / "build/quick/figures/scorecard.csv",
        dtype={"published": str, "reproduced": str},
    )
    rows = table[table["se"].notna()]
    assert len(rows) >= 128
    for row in rows.itertuples():
        verdict = scorecard.band(float(row.reproduced) - float(row.published), row.se, row.unit)
        made_up = (
            results.SURROGATE
            in (built.root / f"build/quick/figures/{row.paper}_{row.item}.csv").read_text()
        )
        assert row.verdict == ("not comparable" if made_up else verdict)


# The transcribed numbers.


def every_number():
    """Count the numbers of the transcribed files without the index: all but names and remarks."""
    remarks = {"unit", "line", "how to judge", "note", "meaning", "type"}
    names = {
        "file",
        "p",
        "variable",
        "quantity",
        "method",
        "parameter",
        "measure",
        "attribute",
        "row",
        "id",
        "pair",
        "state",
        "record",
        "r",
        "dataset",
        "normalisation",
        "linkage",
        "number",
        "claim",
        "data",
    }
    for path in sorted((ROOT / "data/published").glob("*_*.csv")):
        frame = pd.read_csv(path, dtype=str)
        own = {"k"} if path.name.startswith("abril2012_table3") else set()
        yield path.name, frame.drop(columns=[c for c in frame if c in remarks | names | own]).size


def test_every_transcribed_cell_is_a_published_cell():
    assert sum(size for _, size in every_number()) == len(published.cells())


def test_cells_are_named_in_the_papers_words():
    cells = published.cells().set_index(["paper", "item", "cell"])["published"]
    assert cells["abril2012", "table2", "p=6 dbrl"] == "88"
    assert cells["abril2012", "table3", "Avg dwm2"] == "98.39583"
    assert cells["abril2012", "table9", "Mic553-8.2.5 dwm2"] == "78.48"
    assert cells["torra2008", "table5", "abalone N1 PRL OWA_Qt"] == "1.8"
    assert cells["torra2008", "table8", "wdbc N2 DBRL OWA_Qt"] == "18.2"
    assert cells["li2019", "table4", "pair 2-3 row 7 K"] == "1/72"


@pytest.mark.parametrize(
    ("paper", "item", "cell", "unit"),
    [
        ("abril2012", "table2", "p=6 dbrl", 1),
        ("abril2012", "table6", "V1 re-identification", 1),
        ("domingo2002", "table3", "p=2 top", 1),
        ("torra2008", "table6", "ionosphere N1 DBRL OWA_Qe", 1),
        ("abril2011", "table2", "M4-33 d2CI", 0.01),
        ("abril2012", "table8", "Mic553-2.8.5 V1", 0.05),
        ("domingo2002", "table5", "Dist prl", 0.02),
        ("torra2008", "table3", "r1 Q5/5", 0.001),
        ("torra2008", "table3", "r3 Q10/5", 1e-5),
        ("torra2008", "table4", "r=0 at least", 1e-8),
        ("torra2008", "table4", "r=26 exactly", 1e-32),
    ],
)
def test_units(paper, item, cell, unit):
    assert published.cells(paper, item).set_index("cell").loc[cell, "unit"] == pytest.approx(unit)


def test_only_four_cells_are_given_room_for_being_cut_in_print():
    cells = published.cells()
    printed = cells[cells["judge"] == "printed"]
    minimum = {"table3": 3, "table4": 8, "prose": 0}
    strict = [
        published.last_digit(row.published, minimum[row.item]) for row in printed.itertuples()
    ]
    cut = printed[~np.isclose(printed["unit"] / strict, 1)]
    assert sorted(cut["item"] + " " + cut["cell"]) == [
        "prose probability of 28 or more by chance",
        "table3 r1 Q2/5",
        "table4 r=100 at least",
        "table4 r=100 exactly",
    ]
    assert np.allclose(cut["unit"] / np.array(strict)[~np.isclose(printed["unit"] / strict, 1)], 2)


def widths(table):
    """Half-width of the near band and range of published values of each table and unit.

    Of prose, of each number.
    """
    table = table.assign(value=pd.to_numeric(table["published"], errors="coerce")).dropna(
        subset=["unit", "value"]
    )
    single = table["cell"].where(table["item"].isin(["prose", "user_study"]), "")
    for _, column in table.groupby(["paper", "item", single, "unit"]):
        span = (
            np.ptp(column["value"])
            if column["value"].nunique() > 1
            else column["value"].abs().max()
        )
        near = np.maximum(4 * column["se"].fillna(0), 2 * column["unit"])
        yield (*column.iloc[0][["paper", "item", "cell"]], near.max(), span)


def too_wide(table):
    return [row for row in widths(table) if row[3] >= row[4]]


def test_no_band_would_pass_anything_in_its_tables_range():
    committed = pd.read_csv(ROOT / "figures" / "scorecard.csv", dtype={"published": str})
    assert too_wide(published.cells().assign(se=0.0)) == []
    # The deviation of ten samples has a standard error of 1 / sqrt(18) of itself, about a quarter,
    # and four of those reach from the largest of Tables 2 and 4 to their smallest. There the match
    # band has to be the narrow one, the error the one that theory gives, not one of too few
    # repetitions, and the column's mean, which is known better, narrow.
    column = committed["cell"].str.split().str[-1]
    known = (
        (committed["paper"] == "abril2012")
        & committed["item"].isin(["table2", "table4"])
        & column.str.contains("_s[de]$")
    )
    assert {row[:3] for row in too_wide(committed)} == {
        ("abril2012", "table2", "p=1 dbrl_sd"),
        ("abril2012", "table2", "p=1 dbrl_se"),
        ("abril2012", "table4", "p=1 dbrl_sd"),
        ("abril2012", "table4", "p=1 dbrl_se"),
        ("abril2012", "table4", "p=1 dwm2_sd"),
    }
    assert too_wide(committed[~known]) == []
    assert too_wide(committed[known].assign(se=committed["se"] / 2)) == []
    columns = list(committed[known].groupby([committed["item"], column]))
    assert len(columns) == 8
    far_from_theory = set()
    for name, rows in columns:
        average = rows["cell"].str.startswith("Avg")
        largest = (
            rows[~average]
            .assign(value=rows["reproduced"].astype(float))
            .nlargest(1, "value")
            .iloc[0]
        )
        if not 0.75 < math.sqrt(18) * largest["se"] / largest["value"] < 1.25:
            far_from_theory.add(name)
        mean = rows[average].iloc[0]
        assert max(4 * mean["se"], 2 * mean["unit"]) < np.ptp(rows["published"].astype(float)), name
    # Ten repetitions are too few for this column: its error is 0.70 of what theory gives.
    assert far_from_theory == {("table4", "dwm2_sd"), ("table4", "dwm2_se")}


def test_that_test_notices_a_band_that_is_too_wide():
    table = published.cells("torra2008", "table5").assign(se=0.0)
    assert too_wide(table.assign(unit=5.0)) and too_wide(table.assign(se=3.0))


def test_every_near_or_different_number_is_explained():
    committed = pd.read_csv(ROOT / "figures" / "scorecard.csv", keep_default_na=False)
    open_questions = committed[committed["verdict"].isin(["near", "differs"])]
    assert (open_questions["explanation"] != "").all()


def test_explanations_name_cells_that_exist():
    lines = pd.read_csv(ROOT / "data/published/explanations.csv")
    table = scorecard.scorecard(ROOT / "figures")
    assert set(lines["explanation"]) <= set(table["explanation"])
