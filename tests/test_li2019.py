"""The experiments of li2019: every printed cell, the readings, the properties, a review by rule."""

import json

import matplotlib.pyplot as plt
import pandas as pd
import pytest

from rlpaper import examples
from rlpaper.compendium import published, scorecard
from rlpaper.compendium.figures import scorecard_panels
from rlpaper.papers.li2019 import properties, rule_review, tables

TABLES = {
    "table1": tables.table1,
    "table3": lambda: tables.table("masked"),
    "table4": lambda: tables.table("partial"),
    "table5": lambda: tables.table("full"),
    "totals": tables.totals,
}


@pytest.mark.parametrize("item", TABLES)
def test_every_cell_matches_the_print(item):
    judged = scorecard.compare(TABLES[item](), "li2019", item)
    given = judged["cell"].str.endswith(" full") & (item == "table1")  # what Table 1 is made from
    assert len(judged) == len(published.cells("li2019", item)) and given.sum() == (
        8 if item == "table1" else 0
    )
    assert set(judged["verdict"][given]) <= {"input"} and set(judged["verdict"][~given]) == {
        "match"
    }


def test_only_the_reading_of_the_tables_gives_the_printed_totals():
    table = tables.readings().set_index("reading")
    assert table["as printed"].tolist() == [True, False, False, False]
    assert table["partial"].tolist() == ["31/432", "7/108", "49/432", "31/144"]
    assert table["full"].tolist() == ["3/4", "3/4", "3/4", "9/4"]


def test_which_properties_hold_is_what_the_notebook_says():
    table = properties.properties()
    by_rule = {counting: part["holds"].tolist() for counting, part in table.groupby("counting")}
    # 4.1   4.2    4.3: rows, records, kappa   4.4: rises, else not   4.5
    assert by_rule["agreement"] == [True, False, True, False, False, True, False, True, False]
    assert by_rule["definition"] == [True, True, True, False, False, True, True, True, False]


def test_a_review_by_rule_reads_frames_only_and_stays_within_its_budget(tmp_path):
    project = examples.persons(tmp_path / "persons", budget="1/200")
    for reviewer, mode in (("ann", "masked"), ("bob", "partial")):
        rule_review.review_by_rule(project.session(reviewer), mode, edits=2)
    progress = project.progress().set_index("reviewer")
    assert (progress["decided"] == progress["pairs"]).all()
    assert progress.loc["ann", "KAPR"] == 0 < progress.loc["bob", "KAPR"] <= 1 / 400
    # What differs is told masked as well as partial, so both answer alike.
    assert project.disagreement()["agree"].tolist() == [1.0]
    assert project.audit() and json.loads(project.log()["body"].iloc[0])["checksums"]


def test_a_table_of_texts_has_no_panel_on_the_scorecard():
    table = pd.concat(
        [scorecard.compare(TABLES[item](), "li2019", item) for item in ("table1", "table4")]
    )
    figure = scorecard_panels(table)
    assert [axis.get_title() for axis in figure.axes if axis.get_title()] == ["li2019 table4"]
    plt.close(figure)
