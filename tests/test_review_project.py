"""A review project.

What is split off, the budget under many hands, forged messages, kills, edits, decisions, bad
inputs.
"""

import ast
import gzip
import itertools
import json
import math
import os
import random
import re
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from conftest import ROOT
from rlpaper import review
from rlpaper._internal import sources
from rlpaper.cli import main
from rlpaper.compendium import published
from rlpaper.review import TamperedError, all_pairs, block, read_pairs
from rlpaper.review.display import MODES, Comparison
from rlpaper.review.project import cohens_kappa
from rlpaper.review.score import PrivacyScore
from rlpaper.review.server import reviewer_of
from rlpaper.review.session import Session, open_ledger
from rlpaper.review.store import (
    FORMAT,
    IDENTIFYING,
    SENSITIVE,
    Entry,
    FormatError,
    Store,
    _append,
    entry_hash,
    fraction,
    fraction_text,
)

TYPES = {"name": "name", "dob": "date", "race": "category"}


def paper():
    """The example of li2019, four records."""
    return published.table("li2019_table2_records").astype(str).set_index("id")


def example(folder, **choices):
    return review.create(
        folder,
        paper(),
        **{
            "identifiers": {"name": "name"},
            "sensitive": ["income"],
            "quasi_identifiers": {"dob": "date", "race": "category"},
            **choices,
        },
    )


def letters(number, start=0x4E00):
    return [chr(start + position) for position in range(number)]


def families(number=6):
    """Two records per family; no letter of a name is in two families."""
    rows = []
    for family in range(number):
        own = letters(10, 0x4E00 + 10 * family)
        base = "".join(own[:7])
        # One letter another, two transposed, one less, nothing changed: all that a partial name can
        # show.
        other = [
            base[:2] + own[8] + base[3:],
            base[:4] + base[5] + base[4] + base[6:],
            base[:-1],
            base,
        ][family % 4]
        for name, day in ((base, 11 + family), (other, 11 + family + family % 2)):
            race = "가나다" if family % 3 else "라마바사"
            rows.append(
                (name, f"0{1 + family % 3}/{day}/19{60 + family % 4}", race, f"secret-{len(rows)}")
            )
    return pd.DataFrame(rows, columns=[*TYPES, "income"])


def family_project(folder, frame=None, **choices):
    frame = families() if frame is None else frame
    return review.create(
        folder,
        frame,
        **{
            "identifiers": {"name": "name"},
            "sensitive": ["income"],
            "quasi_identifiers": {"dob": "date", "race": "category"},
            **choices,
        },
    )


def neighbours(frame):
    """Pairs within families and of each family with the next."""
    return pd.DataFrame([(i, i + 1) for i in range(len(frame) - 1)], columns=["first", "second"])


def table(folder, sql, values=(), file=IDENTIFYING):
    with closing(sqlite3.connect(Path(folder) / file)) as connection:
        return connection.execute(sql, values).fetchall()


def execute(folder, *statements, file=IDENTIFYING):
    """Change a file of a project behind its back."""
    with closing(sqlite3.connect(Path(folder) / file)) as connection, connection:
        connection.execute(
            "PRAGMA synchronous = OFF"
        )  # a copy that is thrown away need not reach the disk
        for statement, *values in statements:
            connection.execute(statement, *values)


def modes_of(folder, reviewer):
    """Place -> modes of a reviewer, from the table."""
    modes = {}
    for position, attribute, mode in table(
        folder, "SELECT position, attribute, mode FROM modes WHERE reviewer = ?", (reviewer,)
    ):
        modes.setdefault(position, ["masked"] * len(TYPES))[attribute] = mode
    return modes


def pairs_of(folder, reviewer):
    return dict(
        table(folder, "SELECT position, pair FROM assignments WHERE reviewer = ?", (reviewer,))
    )


def owed(folder, frame, reviewer, **options):
    """What a reviewer's final modes cost, from the display and not as a sum of clicks."""
    records = dict(
        (pair, both) for pair, *both in table(folder, "SELECT pair, first, second FROM pairs")
    )
    rows = 2 * table(folder, "SELECT count(*) FROM assignments")[0][0]
    risk, positions = PrivacyScore(frame, TYPES, rows, **options), pairs_of(folder, reviewer)
    return sum(
        (
            score
            for position, modes in modes_of(folder, reviewer).items()
            for _, _, score in risk.rows(*records[positions[position]], modes)
        ),
        Fraction(0),
    )


def clicks(session, mode):
    """Every cell, one after the other."""
    for position, attribute in itertools.product(range(len(session.pairs)), range(len(TYPES))):
        yield session.handle({"type": "reveal", "cells": [[position, attribute]], "mode": mode})


def decide(session, position, answer, confidence=2):
    frame = session.handle(
        {"type": "decide", "position": position, "answer": answer, "confidence": confidence}
    )
    assert frame["type"] == "pairs", frame
    return frame


def contents(folder, beginning=""):
    return b"".join(
        path.read_bytes()
        for path in sorted(Path(folder).iterdir())
        if path.name.startswith(beginning)
    )


# What is split off.


def test_neither_file_holds_what_belongs_to_the_other(tmp_path):
    frame = families()
    project = family_project(tmp_path, frame)
    with closing(project.session("reviewer")) as session:
        assert all(frame["type"] == "pairs" for frame in clicks(session, "full"))
        # With the journals of writes under way, which are files of their own.
        identifying, sensitive = contents(tmp_path, "identifying"), contents(tmp_path, "sensitive")
    assert all(name.encode() in identifying for name in frame["name"])
    assert all(income.encode() in sensitive for income in frame["income"])
    assert not any(income.encode() in identifying for income in frame["income"])
    hidden = {*frame["name"], *frame["dob"], *frame["race"]}
    assert not any(
        value.encode() in sensitive or json.dumps(value)[1:-1].encode() in sensitive
        for value in hidden
    )


def test_the_files_are_readable_by_the_owner_only(tmp_path):
    before = os.umask(0)  # the widest there is
    try:
        project = example(tmp_path)
        session = project.session("reviewer")
        session.reveal({(0, 0)}, "full")
        project.linked_table()
        files = sorted(path.name for path in tmp_path.iterdir())
        assert {IDENTIFYING, SENSITIVE, f"{IDENTIFYING}-wal"} <= set(files)
        assert {
            name: stat.S_IMODE((tmp_path / name).stat().st_mode) for name in files
        } == dict.fromkeys(files, 0o600)
    finally:
        os.umask(before)


def test_pseudonyms_are_random_and_differ_between_two_projects_of_the_same_data(tmp_path):
    found = []
    for name in ("one", "two"):
        example(tmp_path / name).close()
        identifying = {
            pseudonym for (pseudonym,) in table(tmp_path / name, "SELECT pseudonym FROM records")
        }
        sensitive = {
            pseudonym
            for (pseudonym,) in table(
                tmp_path / name, "SELECT pseudonym FROM sensitive", file=SENSITIVE
            )
        }
        assert identifying == sensitive and len(identifying) == 4
        assert all(re.fullmatch("[0-9a-f]{32}", pseudonym) for pseudonym in identifying)
        found.append(identifying)
    assert not found[0] & found[1]


def test_the_sensitive_values_belong_to_their_records(tmp_path):
    frame = families()
    family_project(tmp_path, frame).close()
    names = {
        pseudonym: json.loads(cells)[0]
        for pseudonym, cells in table(tmp_path, "SELECT pseudonym, cells FROM records")
    }
    incomes = {
        pseudonym: json.loads(cells)[0]
        for pseudonym, cells in table(tmp_path, "SELECT * FROM sensitive", file=SENSITIVE)
    }
    assert sorted((names[pseudonym], incomes[pseudonym]) for pseudonym in names) == sorted(
        zip(frame["name"], frame["income"], strict=True)
    )


def test_the_order_of_the_export_tells_nothing(tmp_path):
    exported, kept = set(), set()
    for number in range(4):
        project = family_project(tmp_path / str(number))
        exported.add(tuple(project.linked_table()["income"]))
        cells = table(project.folder, "SELECT cells FROM sensitive", file=SENSITIVE)
        kept.add(tuple(json.loads(values)[0] for (values,) in cells))
    # Twelve records: that two orders are the same, or the file's, is less likely than one in ten
    # million.
    for orders in (exported, kept):
        assert len(orders) == 4 and tuple(families()["income"]) not in orders
        assert {frozenset(order) for order in orders} == {frozenset(families()["income"])}


def test_an_identifier_that_is_sensitive_is_neither_shown_nor_exported(tmp_path):
    project = example(tmp_path, sensitive=["income", "name"])
    session = project.session("reviewer")
    assert [attribute["name"] for attribute in session.page()["attributes"]] == ["dob", "race"]
    list(clicks(session, "full"))
    assert project.linked_table().columns.tolist() == ["person", "income"]
    assert b"Mary" not in contents(tmp_path) and b"Mark" not in contents(tmp_path)


def test_a_quasi_identifier_that_is_sensitive_is_exported_and_not_shown(tmp_path):
    project = example(tmp_path, sensitive=["income", "race"])
    session = project.session("reviewer")
    everything = [[position, attribute] for position in range(6) for attribute in (0, 1)]
    frames = [
        session.page(),
        session.handle({"type": "reveal", "cells": everything, "mode": "full"}),
    ]
    assert [attribute["name"] for attribute in frames[0]["attributes"]] == ["name", "dob"]
    assert (
        "Mary" in json.dumps(frames)
        and "Black" not in json.dumps(frames)
        and "race" not in json.dumps(frames)
    )
    assert b"Black" not in contents(tmp_path, "identifying")
    exported = project.linked_table()
    assert exported.columns.tolist() == ["person", "income", "race"]
    assert sorted(zip(exported["income"], exported["race"], strict=True)) == sorted(
        zip(paper()["income"], paper()["race"], strict=True)
    )


def test_no_reviewer_sees_a_sensitive_value_a_pseudonym_or_a_number_of_a_record(tmp_path):
    project = family_project(tmp_path, budget=1)
    session = project.session("reviewer")
    frames = json.dumps(
        [*clicks(session, "full"), session.page(), decide(session, 0, "same")], ensure_ascii=False
    )
    assert all(name in frames for name in families()["name"])
    hidden = [
        pseudonym for (pseudonym,) in table(tmp_path, "SELECT pseudonym FROM records")
    ] + families()["income"].tolist()
    assert not any(value in frames for value in hidden) and "income" not in frames


def test_no_export_of_the_manager_holds_a_pseudonym_or_an_undisclosed_identifier(tmp_path):
    project = family_project(tmp_path, reviewers=("ann", "bob"), reviewers_per_pair=2)
    ann, bob = project.session("ann"), project.session("bob")
    for position in range(3):
        decide(ann, position, "same")
        decide(bob, position, "different")
    project.issue_tokens()
    exports = (
        project.linked_table(),
        project.decisions(),
        project.progress(),
        project.disagreement(),
        project.conflicts(),
    )
    text = "".join(frame.to_csv() + repr(frame.attrs) for frame in exports)
    assert len(project.conflicts()) == 3
    assert not any(
        pseudonym in text for (pseudonym,) in table(tmp_path, "SELECT pseudonym FROM records")
    )
    assert text.isascii(), "no letter of a name or race has been disclosed to anybody"
    ann.reveal({(0, 0)}, "full")
    # A manager who settles a pair sees what reviewers saw, and nothing more; the linked table shows
    # nothing of it.
    seen = set(project.conflicts().to_csv()) - set(text)
    assert seen == {*families()["name"][0], *families()["name"][1]}
    assert project.linked_table().to_csv().isascii()


def test_the_linked_table_is_all_that_is_sensitive_and_the_person(tmp_path):
    frame = families()
    project = family_project(tmp_path, frame, pairs=neighbours(frame))
    session = project.session("reviewer")
    decide(session, 0, "same")
    exported = project.linked_table()
    assert exported.columns.tolist() == ["person", "income"] and sorted(
        exported["income"]
    ) == sorted(frame["income"])
    persons = exported.set_index("income")["person"]
    assert persons["secret-0"] == persons["secret-1"] and persons.nunique() == 11
    assert exported["person"].is_monotonic_increasing and set(persons) == set(range(1, 12))
    assert exported.attrs["open"] == 10


def two_files():
    first = pd.DataFrame(
        {"name": ["Ann", "Anna", "Bob"], "cancer": ["yes", "no", "no"]}, index=["a", "b", "c"]
    )
    second = pd.DataFrame(
        {"name": ["Ann", "Bobby"], "wage": [9_007_199_254_740_993, 40_000]}, index=[7, 8]
    )
    return first, second


def test_two_files_with_sensitive_columns_of_their_own(tmp_path):
    first, second = two_files()
    project = review.create(
        tmp_path, first, second, identifiers={"name": "name"}, sensitive=["cancer", "wage"]
    )
    session = project.session("reviewer")
    assert len(session.pairs) == 6
    decide(session, 0, "same")  # Ann of both
    exported = project.linked_table()
    assert exported.columns.tolist() == ["person", "file", "cancer", "wage"]
    assert Counter(exported["file"]) == {1: 3, 2: 2} and exported["person"].nunique() == 4
    assert (
        sorted(exported["cancer"].dropna()) == ["no", "no", "yes"]
        and exported["cancer"].isna().sum() == 2
    )
    both = exported[exported["person"].duplicated(keep=False)]
    assert set(both["file"]) == {1, 2} and both["cancer"].dropna().tolist() == ["yes"]


def test_sensitive_whole_numbers_are_exported_as_they_were(tmp_path):
    first, second = two_files()
    project = review.create(
        tmp_path, first, second, identifiers={"name": "name"}, sensitive=["cancer", "wage"]
    )
    # Where the other file has no such column the number must not pass through a float, which has no
    # room for it.
    wages = [value for value in project.linked_table()["wage"] if not pd.isna(value)]
    assert sorted(map(str, wages)) == ["40000", "9007199254740993"]


def test_sensitive_values_of_many_types_come_back(tmp_path):
    frame = pd.DataFrame(
        {
            "name": ["Ann", "Bob"],
            "number": [1, 2],
            "share": [0.1, math.nan],
            "flag": [True, False],
            "day": pd.to_datetime(["2020-02-03", None]),
            "text": ['é"\n', None],
            "level": pd.Categorical(["low", "high"]),
            "precise": np.array([0.5, 1], np.longdouble),
            "complex": [1 + 2j, 3j],
            "list": [[1, 2], []],
            "huge": [10**30, math.inf],
        }
    )
    project = review.create(
        tmp_path, frame, identifiers={"name": "name"}, sensitive=frame.columns[1:]
    )
    ann = project.linked_table().set_index("number").loc[1]
    bob = project.linked_table().set_index("number").loc[2]
    assert ann[["share", "flag", "text", "level"]].tolist() == [0.1, True, 'é"\n', "low"] and ann[
        "day"
    ].startswith("2020-02-03")
    assert not bob["flag"] and bob[["share", "day", "text"]].isna().all() and bob["level"] == "high"
    assert ann[["precise", "complex", "list"]].tolist() == ["0.5", "(1+2j)", "[1, 2]"]
    assert ann["huge"] == 10**30 and bob["huge"] == math.inf


def test_for_two_files_k_counts_one_of_them_or_both(tmp_path):
    first, second = pd.DataFrame({"race": ["A", "A", "B"]}), pd.DataFrame({"race": ["A", "C"]})
    costs = {}
    for counts in ("own", "both"):
        project = review.create(
            tmp_path / counts,
            first,
            second,
            quasi_identifiers={"race": "category"},
            k_counts=counts,
        )
        project.session("reviewer").reveal({(0, 0)}, "full")
        costs[counts] = project.kapr()
        assert project.audit()
    # 12 rows, one attribute. Two records of the first file and one of the second are an A: 1/2 + 1,
    # or 1/3 + 1/3.
    assert costs == {"own": Fraction(3, 2) / 12, "both": Fraction(2, 3) / 12}


# The example of the paper.


def test_the_example_through_messages(tmp_path):
    project = example(tmp_path)
    session = project.session("reviewer")
    page = session.handle({"type": "open"})
    assert page["meters"]["kapr"] == {
        "spent": {"value": 0.0, "text": "0"},
        "limit": {"value": 1.0, "text": "1"},
    }
    assert page["pages"] == 1 and len(page["pairs"]) == 6
    everything = [[position, attribute] for position in range(6) for attribute in range(3)]
    for mode, expected, text in (
        ("partial", Fraction(31, 432), "31/432 = 0.0718"),
        ("full", Fraction(3, 4), "3/4 = 0.7500"),
    ):
        frame = session.handle({"type": "reveal", "cells": everything, "mode": mode})
        assert frame["meters"]["kapr"]["spent"] == {"value": float(expected), "text": text}
        assert project.kapr() == expected == owed(tmp_path, paper(), "reviewer")
    shown = frame["meters"]["characters"]
    # Three pairs a record: Mary Mark Mary Mary, eight digits each, twice Hispanic and twice Black.
    assert shown == {"shown": 3 * (16 + 32 + 26), "total": 3 * (16 + 32 + 26)}
    assert project.audit()


def test_what_was_offered_is_what_a_click_costs(tmp_path):
    project = example(tmp_path)
    session = project.session("reviewer")
    for position, attribute in itertools.product(range(6), range(3)):
        for offer in session.page()["pairs"][position]["cells"][attribute]["next"]:
            offered = next(
                o
                for o in session.page()["pairs"][position]["cells"][attribute]["next"]
                if o["mode"] == offer["mode"]
            )
            before = project.kapr()
            session.reveal({(position, attribute)}, offer["mode"])
            assert float(project.kapr() - before) == pytest.approx(
                offered["cost"]["value"], abs=1e-15
            )
    assert project.kapr() == Fraction(3, 4)


def test_a_whole_pair_at_once_costs_what_its_cells_do_one_by_one(tmp_path):
    one, two = example(tmp_path / "one"), example(tmp_path / "two")
    session = one.session("reviewer")
    offer = session.page()["pairs"][3]["all"][1]
    session.reveal({(3, attribute) for attribute in range(3)}, "full")
    for attribute in (2, 0, 1):
        two.session("reviewer").reveal({(3, attribute)}, "full")
    assert (
        one.kapr() == two.kapr()
        and offer["cost"]["value"] == float(one.kapr())
        and offer["cells"] == 3
    )


def test_kappa_refuses_whatever_the_budget(tmp_path):
    project = example(tmp_path, kappa=2, budget=1)
    session = project.session("reviewer")
    # Only record 2 ends in k.
    frame = session.handle({"type": "reveal", "cells": [[0, 0]], "mode": "partial"})
    assert (
        frame["type"] == "refused"
        and "only 1 record would fit" in frame["reason"]
        and "at least 2" in frame["reason"]
    )
    assert project.kapr() == 0 and modes_of(tmp_path, "reviewer") == {}
    # Records 3 and 4 are alike: all of them may be shown, at kappa times the price.
    frame = session.handle({"type": "reveal", "cells": [[5, 0], [5, 1], [5, 2]], "mode": "full"})
    assert frame["type"] == "pairs" and project.kapr() == 2 * Fraction(2, 24)
    # All or nothing: a cell that may be shown is not, next to one that may not.
    frame = session.handle({"type": "reveal", "cells": [[1, 0], [0, 0]], "mode": "partial"})
    assert frame["type"] == "refused" and set(modes_of(tmp_path, "reviewer")) == {5}


def test_no_budget_refuses_what_costs_and_allows_what_is_free(tmp_path):
    project = example(tmp_path, budget=0)
    session = project.session("reviewer")
    frame = session.handle({"type": "reveal", "cells": [[0, 0]], "mode": "partial"})
    assert frame["reason"] == "This would cost 1/108 = 0.0093, and 0 of the privacy budget is left."
    assert "pairs" not in frame and modes_of(tmp_path, "reviewer") == {}
    frame = session.handle(
        {"type": "reveal", "cells": [[1, 0]], "mode": "partial"}
    )  # Mary and Mary: nothing is shown in part
    assert (
        frame["type"] == "pairs"
        and frame["pairs"][0]["cells"][0]["mode"] == "partial"
        and project.kapr() == 0
    )
    assert (
        session.handle({"type": "reveal", "cells": [[1, 0]], "mode": "full"})["type"] == "refused"
    )
    assert project.audit()


def test_a_refusal_names_the_cost_and_what_is_left(tmp_path):
    project = example(tmp_path, budget="1/100")
    session = project.session("reviewer")
    session.reveal({(0, 0)}, "partial")
    # Hispanic of records 1 and 2 next to their names' last letters: k of 3 and 1 become 1 and 1.
    frame = session.handle({"type": "reveal", "cells": [[0, 2]], "mode": "full"})
    risk = PrivacyScore(paper(), TYPES, 12)
    cost = sum(row[2] for row in risk.rows(0, 1, ["partial", "masked", "full"])) - Fraction(1, 108)
    assert (
        f"cost {cost} = " in frame["reason"]
        and "and 1/1350 = 0.000741 of the privacy budget is left" in frame["reason"]
    )
    assert (
        project.kapr() == Fraction(1, 108)
        and frame["meters"]["kapr"]["limit"]["text"] == "1/100 = 0.0100"
    )


def test_the_budget_can_be_spent_to_the_last(tmp_path):
    project = example(tmp_path, budget="31/432")
    session = project.session("reviewer")
    assert all(frame["type"] == "pairs" for frame in clicks(session, "partial"))
    assert project.kapr() == Fraction(31, 432)
    assert (
        session.handle({"type": "reveal", "cells": [[5, 2]], "mode": "full"})["type"] == "refused"
    )
    assert (
        "and 0 of"
        in session.handle({"type": "reveal", "cells": [[5, 2]], "mode": "full"})["reason"]
    )


def test_a_budget_has_a_thousand_characters_at_most(tmp_path):
    longest = "0." + "1" * 998
    project = example(tmp_path / "longest", budget=longest)
    assert project.audit() and project.kapr() == 0
    with pytest.raises(ValueError, match="budget is a KAPR score"):
        example(tmp_path / "longer", budget=longest + "1")


def test_decimals_are_taken_as_written(tmp_path):
    assert Fraction(example(tmp_path, budget=0.1).store.settings["budget"]) == Fraction(1, 10)


# Many hands.


def race(folder, hands, mode="full"):
    """Sessions in threads that click at the same moments on all their cells; returns the frames.

    Each has an order of its own.
    """
    barrier = threading.Barrier(len(hands))
    most = len(TYPES) * table(folder, "SELECT max(position) + 1 FROM assignments")[0][0]

    def work(number, reviewer):
        with closing(Session(folder, reviewer)) as session:
            cells = [
                [position, attribute]
                for position in range(len(session.pairs))
                for attribute in range(len(TYPES))
            ]
            random.Random(number).shuffle(cells)
            frames = []
            try:
                for click in range(most):
                    barrier.wait(60)
                    frames.append(
                        session.handle(
                            {"type": "reveal", "cells": [cells[click % len(cells)]], "mode": mode}
                        )
                    )
            except BaseException:
                barrier.abort()  # the others need not wait for this one
                raise
            return frames

    with ThreadPoolExecutor(len(hands)) as pool:
        return [frame for frames in pool.map(work, range(len(hands)), hands) for frame in frames]


def within(project, frame, reviewers):
    """Each reviewer's spent budget is what their modes cost; returns what was spent."""
    spent = {}
    for reviewer in reviewers:
        spent[reviewer] = project.store.spent()[reviewer][0]
        assert (
            spent[reviewer]
            == owed(project.folder, frame, reviewer)
            <= Fraction(project.store.settings["limits"][reviewer])
        )
    assert project.kapr() == sum(spent.values()) <= Fraction(project.store.settings["budget"])
    assert project.audit()
    return spent


@pytest.mark.parametrize("hands", [["ann"] * 4, ["ann", "ann", "bob", "bob"]])
def test_threads_never_spend_more_than_the_pool(tmp_path, hands):
    frame = families()
    project = family_project(
        tmp_path, frame, pairs=neighbours(frame), budget="1/4", reviewers=sorted(set(hands))
    )
    found = Counter(frame["type"] for frame in race(tmp_path, hands))
    assert found["refused"] and found["pairs"]
    spent = within(project, frame, sorted(set(hands)))
    # Nobody was turned away with room left: the cheapest cell that is still hidden costs more than
    # that.
    assert all(spent.values())
    left, risk = Fraction(1, 4) - project.kapr(), PrivacyScore(frame, TYPES, 22)
    for reviewer in spent:
        positions = pairs_of(tmp_path, reviewer)
        shown = modes_of(tmp_path, reviewer)
        for position, pair in positions.items():
            before = shown.get(position, ["masked"] * 3)
            for attribute in (a for a in range(3) if before[a] == "masked"):
                after = [*before[:attribute], "full", *before[attribute + 1 :]]
                new, old = (
                    sum(score for _, _, score in risk.rows(pair, pair + 1, modes))
                    for modes in (after, before)
                )
                assert new - old > left


def test_every_reviewer_stays_within_their_share(tmp_path):
    frame = families()
    project = family_project(
        tmp_path,
        frame,
        pairs=neighbours(frame),
        budget="1/3",
        reviewers_per_pair=3,
        reviewers={"ann": "1/2", "bob": 0.25, "cyd": "1/10"},
    )
    assert project.store.settings["limits"] == {"ann": "1/6", "bob": "1/12", "cyd": "1/30"}
    found = Counter(frame["type"] for frame in race(tmp_path, ["ann", "bob", "cyd", "bob"]))
    assert found["refused"] and found["pairs"]
    assert all(within(project, frame, ["ann", "bob", "cyd"]).values())


CLICKER = """
import random, sys
from rlpaper.review.session import Session
folder, reviewer, seed = sys.argv[1:]
session = Session(folder, reviewer)
cells = [[position, attribute] for position in range(len(session.pairs)) for attribute in range(3)]
random.Random(int(seed)).shuffle(cells)
print("ready", flush=True)
sys.stdin.readline()
frames = [
    session.handle({"type": "reveal", "cells": [cell], "mode": "full"})["type"] for cell in cells
]
print(frames.count("pairs"), frames.count("refused"))
"""


def start(code, *words):
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, words)],
        cwd=ROOT,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_processes_never_spend_more_than_the_pool(tmp_path):
    frame = families(8)
    project = family_project(
        tmp_path, frame, pairs=neighbours(frame), budget="1/4", reviewers=("ann", "bob")
    )
    hands = [
        start(CLICKER, tmp_path, reviewer, seed)
        for seed, reviewer in enumerate(("ann", "ann", "bob", "bob"))
    ]
    try:
        assert [hand.stdout.readline() for hand in hands] == ["ready\n"] * 4
        for hand in hands:
            hand.stdin.write("\n")
            hand.stdin.flush()
        outcomes = [hand.communicate(timeout=60) for hand in hands]
    finally:
        for hand in hands:
            hand.kill()
    assert [hand.returncode for hand in hands] == [0] * 4, [error for _, error in outcomes]
    given, refused = (sum(int(out.split()[position]) for out, _ in outcomes) for position in (0, 1))
    assert given and refused
    within(project, frame, ["ann", "bob"])


def test_two_pages_of_one_reviewer_pay_once(tmp_path):
    project = example(tmp_path)
    one, two = project.session("reviewer"), project.session("reviewer")
    message = {"type": "reveal", "cells": [[0, 0], [0, 0]], "mode": "partial"}
    frames = [session.handle(message) for session in (one, two, one)]
    assert {frame["meters"]["kapr"]["spent"]["text"] for frame in frames} == {"1/108 = 0.0093"}
    assert table(tmp_path, "SELECT count(*) FROM log WHERE action = 'disclose'") == [(1,)]


def test_verify_can_be_called_while_reviewers_work(tmp_path):
    project = example(tmp_path)
    stop = threading.Event()

    def work():
        with closing(Session(tmp_path, "reviewer")) as session:
            for answer in itertools.cycle(("same", "different")):
                decide(session, 0, answer)
                if stop.is_set():
                    return

    with ThreadPoolExecutor(1) as pool:
        worker = pool.submit(work)
        try:
            for _ in range(20):
                project.audit()
        finally:
            stop.set()
        worker.result(60)
    assert project.audit()


# Forged messages.

# fmt: off
FORGED = [
    None, "open", 1, [], ["reveal"], {}, {"type": None}, {"type": []}, {"type": {}}, {"type": 0},
    {"type": "close"},
    *({"type": "open", "page": page} for page in (-1, 1, 10**30, 0.0, True, "0", [], {}, math.nan)),
    *({"type": "reveal", "cells": [[0, 0]], "mode": mode}
      for mode in ("masked", "FULL", "raw", None, 2, ["full"], {}, True, math.nan, "full ")),
    *({"type": "reveal", "cells": cells, "mode": "full"} for cells in (
        None, [], {}, "00", 0, [[]], [0, 0], [[0]], [[0, 0, 0]], [[6, 0]], [[0, 3]], [[-1, 0]],
        [[0, -1]], [[True, 0]], [[0, False]], [[0.0, 0]], [[0, math.nan]], [["0", "0"]],
        [[None, 0]],
        [[10**40, 0]], [[0, 10**40]], [[[0], 0]],
        [{"0": 0}], [[0, 0], [0, 9]], [[0, 0]] * 1001)),
    {"type": "reveal"}, {"type": "reveal", "mode": "full"}, {"type": "reveal", "cells": [[0, 0]]},
    *({"type": "decide", "position": pair, "answer": "same", "confidence": 1}
      for pair in (None, -1, 6, True, 0.0, "0", [], {}, 10**40)),
    *({"type": "decide", "position": 0, "answer": answer, "confidence": 1}
      for answer in (None, "", "SAME", "yes", 1, True, [], {}, ["same"])),
    *({"type": "decide", "position": 0, "answer": "same", "confidence": confidence}
      for confidence in (None, 0, 4, -1, True, 1.0, "1", [], {})),
    {"type": "decide"}, {"type": "undo"},
]
# fmt: on


@pytest.mark.parametrize("message", FORGED, ids=lambda message: str(message)[:60])
def test_a_forged_message_is_refused_and_changes_nothing(message, forged_at):
    project, session, head = forged_at
    frame = session.handle(message)
    assert frame["type"] == "refused" and frame["reason"].endswith(".")
    assert "pairs" not in frame and frame["meters"]["kapr"]["spent"]["text"] == "0"
    assert project.store.log()[-1].hash == head


@pytest.fixture(scope="module")
def forged_at(tmp_path_factory):
    project = example(tmp_path_factory.mktemp("forged"))
    yield project, project.session("reviewer"), project.store.log()[-1].hash
    project.close()


# fmt: off
JUNK = [None, True, False, -1, 0, 1, 2, 5, 11, 10**30, 2**63, -(2**70), 0.0, 1.0, math.nan,
        math.inf,
        "", "0", "full", "masked", "FULL", "raw", "same", "open", "reveal", "\x00", "\ud800",
        "'; DROP TABLE modes; --", [], {}, [[]], [[0, 0]],
        [[0, 0], None], {"type": "open"}, [None] * 3]
# fmt: on


def fuzzed(rng, positions):
    """A message: one that a page sends, one that was tampered with, or rubbish."""

    def cell():
        return [rng.randrange(positions), rng.randrange(len(TYPES))]

    kind = rng.choices(["open", "reveal", "decide", "undo", "rubbish"], [3, 10, 4, 1, 2])[0]
    message = {
        "open": lambda: {"type": "open", "page": rng.choice([None, 0, 1])},
        "reveal": lambda: {
            "type": "reveal",
            "cells": [cell() for _ in range(rng.choice([1, 1, 1, 2, 4]))],
            "mode": rng.choice(["partial", "full"]),
        },
        "decide": lambda: {
            "type": "decide",
            "position": rng.randrange(positions),
            "answer": rng.choice(["same", "different", "unsure"]),
            "confidence": rng.randint(1, 3),
        },
        "undo": lambda: {"type": "undo"},
        "rubbish": lambda: rng.choice(
            [*JUNK, {rng.choice(["type", "cells", "mode"]): rng.choice(JUNK)}]
        ),
    }[kind]()
    if isinstance(message, dict) and message and rng.random() < 0.4:
        key = rng.choice([*message, "more"])
        if rng.random() < 0.2:
            message.pop(key, None)
        elif key == "cells" and isinstance(message["cells"], list) and rng.random() < 0.7:
            wrong = rng.choice(
                [*JUNK, [rng.choice(JUNK), 0], [0, rng.choice(JUNK)], [-1, 0], [positions, 0]]
            )
            message["cells"] = [*message["cells"], wrong]
        else:
            message[key] = rng.choice(JUNK)
    return message


class Watch:
    """Holds every frame of a reviewer against what the table of modes allows."""

    def __init__(self, folder, frame, reviewer, limit, **options):
        self.folder, self.reviewer, self.limit = folder, reviewer, limit
        self.store = Store(folder)
        records = {
            pair: both
            for pair, *both in self.store.connection.execute(
                "SELECT pair, first, second FROM pairs"
            )
        }
        values = frame[list(TYPES)].to_numpy()
        self.cells = [
            [
                Comparison(*both, kind, **options)
                for *both, kind in zip(values[first], values[second], TYPES.values(), strict=True)
            ]
            for first, second in (
                records[pair] for _, pair in sorted(pairs_of(folder, reviewer).items())
            )
        ]
        self.rows, self.letters = None, set()
        self.types = Counter()

    @staticmethod
    def told(cell, row, mode):
        """Segment by segment: whether its characters are disclosed."""
        return [
            mode == "full"
            or segment.markup == "separator"
            or (
                mode == "partial"
                and "partial" in cell.modes
                and segment.markup not in ("equal", "different")
            )
            for segment in cell.segments[row]
        ]

    def allowed(self):
        rows = self.store.connection.execute(
            "SELECT position, attribute, mode FROM modes WHERE reviewer = ? ORDER BY 1, 2",
            (self.reviewer,),
        ).fetchall()
        if rows != self.rows:
            self.rows, self.modes = (
                rows,
                {(position, attribute): mode for position, attribute, mode in rows},
            )
            segments = [
                pair
                for position, attribute, mode in rows
                for cell in [self.cells[position][attribute]]
                for row in (0, 1)
                for pair in zip(cell.segments[row], self.told(cell, row, mode), strict=True)
            ]
            self.letters = {
                character for segment, told in segments if told for character in segment.characters
            }
        return self.letters

    def check(self, frame, alone=True):
        letters = self.allowed()  # what was disclosed is in the store before it is in a frame
        text = json.dumps(frame, ensure_ascii=False, allow_nan=False)
        assert {character for character in text if not character.isascii()} <= letters
        self.types[frame["type"]] += 1
        kapr, characters = frame["meters"]["kapr"], frame["meters"]["characters"]
        assert 0 <= kapr["spent"]["value"] <= kapr["limit"]["value"] <= float(self.limit)
        assert 0 <= characters["shown"] <= characters["total"]
        assert 0 <= frame["progress"]["decided"] <= frame["progress"]["pairs"] == len(self.cells)
        if alone:
            spent, shown = self.store.spent()[self.reviewer]
            # Of a pool, what others have spent is no longer there.
            pool = Fraction(self.store.settings["budget"]) - sum(
                kapr for kapr, _ in self.store.spent().values()
            )
            assert kapr["limit"]["value"] == float(min(self.limit, spent + pool))
            assert (
                kapr["spent"]["value"] == float(spent) <= self.limit
                and characters["shown"] == shown
            )
        for pair in frame.get("pairs", ()):
            for attribute, cell in enumerate(pair["cells"]):
                kept = self.modes.get((pair["position"], attribute), "masked")
                assert (
                    cell["mode"] == kept
                    if alone
                    else MODES.index(cell["mode"]) <= MODES.index(kept)
                )
                self.check_cell(self.cells[pair["position"]][attribute], cell)

    def check_cell(self, comparison, cell):
        assert cell["agreement"] == comparison.agreement
        for row, shown in enumerate(cell["rows"]):
            told = self.told(comparison, row, cell["mode"])
            for segment, open_, (markup, text) in zip(
                comparison.segments[row], told, shown, strict=True
            ):
                assert markup == segment.markup and (
                    text == segment.characters if open_ else set(text) <= set("*@&")
                )
        for offer in cell["next"]:
            assert "refused" in offer or offer["cost"]["value"] >= 0


ROUNDS = [  # budget, reviewers, what else
    (1, ("ann", "bob"), {}),
    ("1/5", ("ann", "bob"), {}),
    ("1/20", ("ann", "bob"), {"counting": "definition"}),
    (0, ("ann", "bob"), {}),
    ("1/2", {"ann": "1/3", "bob": "2/3"}, {}),
    (1, ("ann", "bob"), {"kappa": 2}),
    ("1/3", ("ann", "bob"), {"dates": "elements"}),
    ("1/100", {"ann": 1, "bob": 0}, {}),
    (1, ("ann", "bob"), {"swaps": [("name", "race")]}),
    ("3/7", ("ann", "bob"), {"kappa": 3}),
]


@pytest.mark.parametrize("number", range(len(ROUNDS)))
def test_a_thousand_fuzzed_messages_disclose_nothing_and_break_nothing(
    tmp_path, number, monkeypatch
):
    # Ten rounds of a thousand: a project whose budget is gone has little left to attack.
    budget, reviewers, options = ROUNDS[number]
    rng, frame = random.Random(number), families()
    project = family_project(
        tmp_path,
        frame,
        pairs=neighbours(frame),
        budget=budget,
        reviewers=reviewers,
        reviewers_per_pair=2,
        **options,
    )
    limits = {name: Fraction(limit) for name, limit in project.store.settings["limits"].items()}
    dates = {"dates": options["dates"]} if "dates" in options else {}
    watches = {name: Watch(tmp_path, frame, name, limits[name], **dates) for name in limits}
    sessions = [project.session(name) for name in ("ann", "ann", "bob")]
    for session in sessions:
        session.store.connection.execute(
            "PRAGMA synchronous = OFF"
        )  # nobody pulls the plug here, and disks are slow
    messages = []

    def message():
        messages.append(
            fuzzed(rng, 11) if not messages or rng.random() > 0.1 else rng.choice(messages[-20:])
        )
        return messages[-1]

    for _ in range(500):
        session = rng.choice(sessions)
        watches[session.reviewer].check(session.handle(message()))

    # Through the widget, whose traits a notebook would save.
    widget, sent = project.widget("bob"), []
    monkeypatch.setattr(widget, "send", sent.append)
    saved = json.dumps(widget.get_state(), default=str)
    for position in range(100):
        widget._answer(widget, message(), [])
        assert len(sent) == position + 1
        watches["bob"].check(sent[-1])
    assert json.dumps(widget.get_state(), default=str) == saved

    # All at once: what each session is sent is held against the modes as they are afterwards, which
    # are never fewer.
    parts = [[message() for _ in range(n)] for n in (133, 133, 134)]
    with ThreadPoolExecutor(3) as pool:
        answers = list(
            pool.map(lambda session, part: [session.handle(one) for one in part], sessions, parts)
        )
    for session, frames in zip(sessions, answers, strict=True):
        for one in frames:
            watches[session.reviewer].check(one, alone=False)

    assert len(messages) == 1000
    types = sum((watch.types for watch in watches.values()), Counter())
    assert (
        types["page"] > 30
        and types["refused"] > 100
        and types["pairs"] > 30
        and types.total() == 1000
    )
    counted = {key: value for key, value in options.items() if key != "swaps"}
    assert [project.store.spent()[name][0] for name in limits] == [
        owed(tmp_path, frame, name, **counted) for name in limits
    ]
    assert all(0 <= project.store.spent()[name][0] <= limit for name, limit in limits.items())
    assert (project.kapr() > 0) == (budget != 0) and project.kapr() <= Fraction(str(budget))
    assert project.audit()


def test_the_watch_over_frames_sees_a_leak(tmp_path):
    # What the fuzzing relies on: one letter, one digit or one mode too many is seen.
    frame = families()
    project = family_project(tmp_path, frame, pairs=neighbours(frame))
    session, watch = project.session("reviewer"), Watch(tmp_path, frame, "reviewer", 1)
    watch.check(session.page())

    def name(page):
        page["pairs"][0]["cells"][0]["rows"][0][0] = ("equal", frame["name"][0][:2])

    def digit(page):
        page["pairs"][0]["cells"][1]["rows"][0][0] = ("equal", "0*")

    def mode(page):
        page["pairs"][0]["cells"][0]["mode"] = "full"

    def note(page):
        page["note"] = frame["race"][0]

    for leak in (name, digit, mode, note):
        page = session.page()
        leak(page)
        with pytest.raises(AssertionError):
            watch.check(page)


def test_the_widget_answers_messages_and_keeps_nothing(tmp_path, monkeypatch):
    project = example(tmp_path)
    widget, sent = project.widget("reviewer"), []
    monkeypatch.setattr(widget, "send", sent.append)
    before = json.dumps(widget.get_state(), default=str)
    # As a comm hands messages over.
    widget._handle_custom_msg({"type": "reveal", "cells": [[0, 2]], "mode": "full"}, [])
    widget._handle_custom_msg({"type": "open"}, [])
    assert [frame["type"] for frame in sent] == ["pairs", "page"] and all(
        "Hispanic" in json.dumps(frame) for frame in sent
    )
    assert json.dumps(
        widget.get_state(), default=str
    ) == before and "Hispanic" not in before + repr(widget)


def test_one_reviewer_is_not_shown_what_another_has_revealed(tmp_path):
    project = example(tmp_path, reviewers=("ann", "bob"), reviewers_per_pair=2)
    ann, bob = project.session("ann"), project.session("bob")
    ann.reveal({(position, 2) for position in range(6)}, "full")
    assert "Hispanic" in json.dumps(ann.page()) and "Hispanic" not in json.dumps(bob.page())
    assert (
        bob.page()["meters"]["kapr"]["spent"]["text"] == "0"
        and bob.page()["meters"]["characters"]["shown"] == 0
    )


# Kills.

WORKER = """
import sys
from rlpaper.review.session import Session
session = Session(sys.argv[1], "reviewer")
for position in range(len(session.pairs)):
    messages = [{"type": "reveal", "cells": [[position, attribute]], "mode": mode}
                for attribute in range(3) for mode in ("partial", "full")]
    decision = {"type": "decide", "position": position, "answer": "same", "confidence": 3}
    for message in [*messages, decision]:
        before = session.store.log()[-1].hash
        assert session.handle(message)["type"] == "pairs"
        if session.store.log()[-1].hash != before:  # a click that an earlier run has made is none
            words = message["cells"][0] + [message["mode"]] if "cells" in message else [position]
            print(message["type"], *words, flush=True)
"""


def test_a_kill_loses_at_most_the_click_under_way(tmp_path):
    frame = families(10)
    project = family_project(tmp_path, frame, pairs=neighbours(frame))
    rng, acknowledged, unheard = random.Random(7), [], []
    for _ in range(5):
        worker = start(WORKER, tmp_path)
        timer = threading.Timer(60, worker.kill)
        timer.start()
        try:
            lines = [worker.stdout.readline() for _ in range(rng.randint(1, 9))]
            threading.Event().wait(rng.random() / 100)  # anywhere within the clicks that follow
        finally:
            timer.cancel()
            worker.send_signal(signal.SIGKILL)
            # Not by `communicate`: it would not see lines that `readline` has read ahead.
            rest, errors = worker.stdout.read(), worker.stderr.read()
            worker.stdin.close()
        assert worker.wait(60) == -signal.SIGKILL and all(lines), errors
        acknowledged += [
            line.split()
            for line in "".join([*lines, rest]).splitlines(keepends=True)
            if line.endswith("\n")
        ]
        assert project.audit()
        modes, answers = modes_of(tmp_path, "reviewer"), project.store.answers("reviewer")
        for what, position, *more in acknowledged:
            if what == "decide":
                assert answers[int(position)] == ("same", 3)
            else:
                assert MODES.index(modes[int(position)][int(more[0])]) >= MODES.index(more[1])
        # Clicks that were done and not acknowledged: one a kill at most.
        unheard.append(
            table(tmp_path, "SELECT count(*) - 1 FROM log")[0][0] - len(acknowledged) - sum(unheard)
        )
        assert unheard[-1] in (0, 1)
        assert project.kapr() == owed(tmp_path, frame, "reviewer")
    with closing(project.session("reviewer")) as session:
        last = len(session.pairs) - 1
        assert (
            session.handle({"type": "reveal", "cells": [[last, 0]], "mode": "full"})["type"]
            == "pairs"
        )
        decide(session, last, "different")
    assert project.audit()


SUICIDE = """
import os, signal, sys
from rlpaper.review.session import Session
from rlpaper.review import store
session = Session(sys.argv[1], "reviewer")
session.reveal({(0, 0)}, "partial")
session.decide(0, "same", 1)
append = store._append
def die(*entry):
    if sys.argv[2] == "after the log":
        append(*entry)
    os.kill(os.getpid(), signal.SIGKILL)
store._append = die
session.decide(0, "different", 1) if sys.argv[3] == "decide" else session.reveal({(0, 0)}, "full")
"""


@pytest.mark.parametrize(
    ("when", "what"), [("before the log", "reveal"), ("after the log", "decide")]
)
def test_a_kill_in_the_middle_of_a_click_leaves_nothing_of_it(tmp_path, when, what):
    project = example(tmp_path)
    worker = start(SUICIDE, tmp_path, when, what)
    _, errors = worker.communicate(timeout=60)
    assert worker.returncode == -signal.SIGKILL, errors
    assert project.kapr() == Fraction(1, 108) and modes_of(tmp_path, "reviewer") == {
        0: ["partial", "masked", "masked"]
    }
    assert project.store.answers("reviewer") == {0: ("same", 1)} and project.audit()
    session = project.session("reviewer")
    assert (
        session.handle({"type": "reveal", "cells": [[0, 0]], "mode": "full"})["type"] == "pairs"
        and project.audit()
    )


def test_a_creation_that_was_cut_off_can_be_repeated(tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            example(tmp_path)
    assert (tmp_path / SENSITIVE).exists() and not (tmp_path / IDENTIFYING).exists()
    old = table(tmp_path, "SELECT pseudonym FROM sensitive", file=SENSITIVE)
    (tmp_path / f"{SENSITIVE}-wal").write_bytes(b"left over")
    with pytest.raises(FileNotFoundError, match="no review project"):
        review.Project(tmp_path)
    project = example(tmp_path)
    assert project.audit() and len(project.linked_table()) == 4
    assert len(old) == 4 and not set(old) & set(
        table(tmp_path, "SELECT pseudonym FROM sensitive", file=SENSITIVE)
    )
    assert not list(tmp_path.glob("unfinished*"))


def test_a_project_is_never_written_over(tmp_path):
    project = example(tmp_path)
    project.session("reviewer").reveal({(0, 0)}, "full")
    head = project.audit()
    with pytest.raises(FileExistsError, match="review project in .* already"):
        example(tmp_path, budget=0)
    assert project.audit() == head and review.Project(tmp_path).kapr() > 0


def test_the_way_out_that_an_existing_project_names_exists(tmp_path):
    example(tmp_path)
    with pytest.raises(FileExistsError) as error:
        example(tmp_path)
    named = re.findall(r"rlpaper\.review\.(\w+)", str(error.value))
    assert named and all(hasattr(review, name) for name in named), named


def test_a_folder_without_a_project_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="rlpaper.review.create"):
        review.Project(tmp_path / "none")
    assert not (tmp_path / "none").exists()
    project = example(tmp_path / "one")
    for name, shown in (("eve", "'eve'"), (None, "None"), (["reviewer"], "of the type list")):
        with pytest.raises(ValueError, match=f"{shown} is not a reviewer.*reviewer"):
            project.session(name)


@pytest.mark.parametrize(("version", "which"), [(0, "an older"), (FORMAT + 1, "a newer")])
def test_a_project_of_another_version_is_refused_and_left_alone(tmp_path, version, which):
    example(tmp_path).close()
    execute(tmp_path, (f"PRAGMA user_version = {version}",))
    before = contents(tmp_path)
    way_out = f"{which} version of rlpaper.*finish and export it with that version.*make it anew"
    for open_it in (review.Project, review.audit, lambda folder: Session(folder, "reviewer")):
        with pytest.raises(FormatError, match=way_out):
            open_it(tmp_path)
    assert contents(tmp_path) == before


def test_the_command_says_what_to_do_with_a_project_of_an_older_version(tmp_path, capsys):
    example(tmp_path).close()
    execute(tmp_path, ("PRAGMA user_version = 0",))
    assert main(["review", "audit", str(tmp_path)]) == 2
    assert "older version of rlpaper" in capsys.readouterr().err


# Who does what.


@pytest.mark.parametrize("module", sorted((ROOT / "rlpaper/review").glob("*.py")), ids=str)
def test_sql_is_in_the_store_only(module):
    texts = [
        node.value
        for node in ast.walk(ast.parse(module.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    sql = [text for text in texts if re.match(r"\s*(SELECT|INSERT|UPDATE|DELETE|BEGIN)\b", text)]
    assert bool(sql) == (module.name == "store.py")


def test_the_ledger_knows_no_file():
    uses = sources.uses("rlpaper.review.ledger")
    assert not uses & {"rlpaper.review.store", "rlpaper.review.session", "sqlite3"}


def test_the_ledger_says_what_a_display_costs_whatever_the_order_of_the_clicks(tmp_path):
    ledger = open_ledger(example(tmp_path).store)
    shown, cost = {}, Fraction(0)
    for position, mode, attribute in itertools.product(range(6), ("partial", "full"), (2, 0, 1)):
        told = ledger.disclosure("reviewer", shown, [(position, attribute)], mode)
        assert ledger.disclosure("reviewer", shown, [(position, attribute)], mode) == told
        cost += told.cost
        for cell in told.cells:
            shown.setdefault(cell[0], {})[cell[1]] = mode
    everything = list(itertools.product(range(6), range(3)))
    at_once = ledger.disclosure("reviewer", {}, everything, "full")
    assert cost == at_once.cost == Fraction(3, 4) and at_once.cells == everything
    assert ledger.disclosure("reviewer", shown, everything, "full") == ([], "full", 0, 0)


def test_a_page_asks_for_its_modes_once(tmp_path):
    frame = families(13)
    session = family_project(tmp_path, frame, pairs=neighbours(frame)).session("reviewer")
    session.reveal({(position, 0) for position in range(25)}, "full")
    statements = []
    session.store.connection.set_trace_callback(statements.append)
    for page in range(3):
        session.handle({"type": "open", "page": page})
    session.store.connection.set_trace_callback(None)
    # Decisions, modes and budget of three pages.
    assert len(statements) == 9 and sum("FROM modes" in one for one in statements) == 3


def test_pairs_and_log_can_be_looked_at(tmp_path):
    project = example(tmp_path)
    assert project.pairs().loc[3].tolist() == [1, 2]
    decide(project.session("reviewer"), 0, "same")
    project.resolve(0, "different")
    assert project.log()[["actor", "action"]].agg(" ".join, axis=1).to_dict() == {
        1: "manager create",
        2: "reviewer decide",
        3: "manager resolve",
    }


def test_a_project_with_nothing_sensitive_is_linked_too(tmp_path):
    project = example(tmp_path, sensitive=[])
    decide(project.session("reviewer"), 5, "same")
    assert project.linked_table()["person"].nunique() == 3 and project.audit()


# Edits.


@pytest.fixture(scope="module")
def worked_on(tmp_path_factory):
    """A closed project with something in every table."""
    folder = tmp_path_factory.mktemp("worked") / "project"
    project = example(
        folder,
        reviewers=("ann", "bob"),
        reviewers_per_pair=2,
        swaps=[("name", "race")],
        budget="3/4",
    )
    ann, bob = project.session("ann"), project.session("bob")
    for session, mode in ((ann, "partial"), (bob, "full"), (ann, "full")):
        session.reveal({(0, 0), (2, 1)}, mode)
    for position, answer in enumerate(("same", "different", "unsure")):
        decide(ann, position, answer)
        decide(bob, position, "same")
    ann.undo()
    project.issue_tokens()
    project.resolve(1, "different")
    project.resolve(3, "same")
    for each in (ann, bob, project):
        each.close()
    return folder


def copies(worked_on, tmp_path):
    """A new copy of the project each time, without the triggers of its log: so does an attacker."""
    for number in itertools.count():
        folder = tmp_path / str(number)
        shutil.copytree(worked_on, folder)
        execute(
            folder, ("DROP TRIGGER log_is_never_changed",), ("DROP TRIGGER log_is_never_shortened",)
        )
        yield folder


def tables(folder):
    """File, table and columns of all there is."""
    for file in (IDENTIFYING, SENSITIVE):
        for (name,) in table(
            folder, "SELECT name FROM sqlite_master WHERE type = 'table'", file=file
        ):
            yield (
                file,
                name,
                [
                    column
                    for _, column, *_ in table(folder, f"PRAGMA table_info({name})", file=file)
                ],
            )


def changed(value):
    """Another value that looks like it: a number stays one, and so do JSON and a fraction."""
    if isinstance(value, int):
        return value + 1000
    for match in (re.search(r"\d", value), re.search("[a-z]", value)):
        if match:
            new = (
                str((int(match[0]) + 1) % 10)
                if match[0].isdigit()
                else "x"
                if match[0] != "x"
                else "y"
            )
            return value[: match.start()] + new + value[match.end() :]
    return value + " "


def outcome(folder, **choices):
    try:
        review.audit(folder, **choices)
    except TamperedError:
        return "noticed"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "not noticed"


EDITS = {
    "plausible": changed,
    "rubbish": lambda value: "rubbish",
    "bytes": lambda value: b"\x00\xff",
}


@pytest.mark.parametrize("how", EDITS)
def test_any_edited_cell_is_noticed(worked_on, tmp_path, how):
    fresh, missed, tried = copies(worked_on, tmp_path), {}, Counter()
    for file, name, columns in tables(worked_on):
        rows = table(worked_on, f"SELECT * FROM {name}", file=file)
        assert rows, f"nothing to edit in {name}"
        for column, row in itertools.product(columns, {0, len(rows) - 1}):
            value, where = (
                rows[row][columns.index(column)],
                " AND ".join(f"{each} = ?" for each in columns),
            )
            folder = next(fresh)
            try:
                execute(
                    folder,
                    (
                        f"UPDATE {name} SET {column} = ? WHERE {where}",
                        (EDITS[how](value), *rows[row]),
                    ),
                    file=file,
                )
            except sqlite3.IntegrityError:  # a number that is a key is never a text
                continue
            assert table(folder, f"SELECT * FROM {name}", file=file) != rows
            tried[name] += 1
            if (found := outcome(folder)) != "noticed":
                missed[f"{name}.{column}, row {row}"] = found
    assert missed == {}
    assert set(tried) == {name for _, name, _ in tables(worked_on)} and sum(tried.values()) > 60


def test_any_deleted_row_is_noticed(worked_on, tmp_path):
    fresh, missed = copies(worked_on, tmp_path), {}
    for file, name, columns in tables(worked_on):
        for row in table(worked_on, f"SELECT * FROM {name}", file=file):
            folder = next(fresh)
            execute(
                folder,
                (
                    f"DELETE FROM {name} WHERE " + " AND ".join(f"{each} = ?" for each in columns),
                    row,
                ),
                file=file,
            )
            if (found := outcome(folder)) != "noticed":
                missed[f"{name}: {row}"] = found
    assert missed == {}


def test_any_inserted_row_is_noticed(worked_on, tmp_path):
    fresh, missed = copies(worked_on, tmp_path), {}
    for file, name, _ in tables(worked_on):
        row = table(worked_on, f"SELECT * FROM {name}", file=file)[-1]
        folder, new = next(fresh), [changed(value) for value in row]
        execute(
            folder, (f"INSERT INTO {name} VALUES ({', '.join('?' * len(row))})", new), file=file
        )
        if (found := outcome(folder)) != "noticed":
            missed[name] = found
    assert missed == {}


def test_values_of_two_records_that_change_places_are_noticed(worked_on, tmp_path):
    fresh = copies(worked_on, tmp_path)
    for file, name, key, column in (
        (IDENTIFYING, "records", "record", "cells"),
        (SENSITIVE, "sensitive", "pseudonym", "cells"),
        (IDENTIFYING, "pairs", "pair", "second"),
        (IDENTIFYING, "tokens", "reviewer", "hash"),
    ):
        rows = table(worked_on, f"SELECT {key}, {column} FROM {name}", file=file)
        (one, here), (two, there) = next(
            pair for pair in itertools.combinations(rows, 2) if pair[0][1] != pair[1][1]
        )
        folder = next(fresh)
        changes = ((there, one), (here, two))
        execute(
            folder,
            *((f"UPDATE {name} SET {column} = ? WHERE {key} = ?", change) for change in changes),
            file=file,
        )
        assert outcome(folder) == "noticed", name


def test_the_sensitive_file_of_another_project_is_noticed(worked_on, tmp_path):
    folder = next(copies(worked_on, tmp_path))
    example(tmp_path / "other").close()
    shutil.copy(tmp_path / "other" / SENSITIVE, folder / SENSITIVE)
    assert outcome(folder) == "noticed"


def test_a_log_cut_with_all_that_followed_is_noticed_with_the_hash_that_was_kept(
    worked_on, tmp_path
):
    # The stated limit: by itself, a project whose last entry is gone with what it did looks like
    # one before that entry.
    head = review.audit(worked_on)
    folder = next(copies(worked_on, tmp_path))
    assert outcome(folder, head=head) == "not noticed"
    action, body = table(folder, "SELECT action, body FROM log ORDER BY number DESC LIMIT 1")[0]
    assert (action, json.loads(body)) == ("resolve", {"answer": "same", "pair": 3})
    execute(
        folder,
        ("DELETE FROM log WHERE number = (SELECT max(number) FROM log)",),
        ("DELETE FROM resolutions WHERE pair = 3",),
    )
    assert outcome(folder) == "not noticed" and outcome(folder, head=head) == "noticed"


def test_a_hash_kept_earlier_is_found_after_more_work(tmp_path):
    project = example(tmp_path)
    heads = [project.audit()]
    session = project.session("reviewer")
    session.reveal({(0, 0)}, "full")
    heads.append(project.audit())
    decide(session, 0, "same")
    assert len({*heads, project.audit()}) == 3
    assert [project.audit(head=head) for head in heads] == [project.audit()] * 2
    with pytest.raises(TamperedError, match="kept"):
        project.audit(head="0" * 64)
    with pytest.raises(TamperedError, match="kept"):
        project.audit(head="")
    for head in (3, b"x", [], project):
        with pytest.raises(ValueError, match="head is .*; it is a hash that audit returned"):
            project.audit(head=head)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE log SET actor = 'eve' WHERE number = 2",
        "UPDATE log SET time = time",
        "DELETE FROM log WHERE number = 2",
        "DELETE FROM log",
        "INSERT OR REPLACE INTO log "
        "SELECT number, time, 'eve', action, body, previous, hash FROM log WHERE number = 2",
    ],
)
def test_the_log_is_append_only(worked_on, tmp_path, statement):
    folder = tmp_path / "copy"
    shutil.copytree(worked_on, folder)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        execute(folder, (statement,))


def forge(project, actor, action, body, *statements):
    """What an attacker writes who knows how entries are chained."""
    store = project.store
    with store.transaction():
        for statement, values in statements:
            store.connection.execute(statement, values)
        _append(store.connection, actor, action, body)


def disclose(project, actor, cells, cost, characters):
    spent, _ = project.store.spent().get(actor, (Fraction(0), 0))
    forge(
        project,
        actor,
        "disclose",
        {"cells": cells, "cost": fraction_text(cost), "characters": characters},
        *(("INSERT OR REPLACE INTO modes VALUES (?, ?, ?, ?)", (actor, *cell)) for cell in cells),
        (
            "UPDATE spent SET kapr = ?, characters = characters + ? WHERE reviewer = ?",
            (fraction_text(spent + cost), characters, actor),
        ),
    )


def test_a_disclosure_that_tells_another_cost_than_it_has_is_noticed(tmp_path):
    for number, (cost, characters, found) in enumerate(
        [
            (Fraction(1, 108), 2, "not noticed"),
            (Fraction(0), 2, "noticed"),
            (Fraction(1, 108), 1, "noticed"),
        ]
    ):
        project = example(tmp_path / str(number))
        disclose(project, "reviewer", [[0, 0, "partial"]], cost, characters)
        assert outcome(project.folder) == found


@pytest.mark.parametrize(("cost", "characters"), [(Fraction(0), 2), (Fraction(1, 108), 1)])
def test_an_entry_that_tells_another_cost_than_was_paid_is_noticed(tmp_path, cost, characters):
    project = example(tmp_path)
    disclose(project, "reviewer", [[0, 0, "partial"]], cost, characters)
    # The table is what it should be, so that only the entry is wrong.
    execute(
        tmp_path,
        ("UPDATE spent SET kapr = ?, characters = 2", (fraction_text(Fraction(1, 108)),)),
    )
    with pytest.raises(TamperedError, match="entry 2 of the log tells another cost"):
        review.audit(tmp_path)


@pytest.mark.parametrize("mode", ["partial", "full"])
def test_a_disclosure_of_two_modes_at_once_is_noticed(tmp_path, mode):
    project = example(tmp_path)
    cells = [(0, 0), (1, 0)]
    told = open_ledger(project.store).disclosure("reviewer", {}, cells, mode)
    disclose(project, "reviewer", [[*cell, mode] for cell in cells], told.cost, told.characters)
    assert outcome(tmp_path) == "not noticed"
    body = json.loads(table(tmp_path, "SELECT body FROM log WHERE number = 2")[0][0])
    body["cells"][1][2] = "full" if mode == "partial" else "partial"
    rewrite(tmp_path, 2, body=json.dumps(body, sort_keys=True))
    with pytest.raises(TamperedError, match="entry 2 of the log is not a disclosure"):
        review.audit(tmp_path)


def rewrite(folder, number, **changes):
    """Change the last entry of a log, and its hash as an attacker would."""
    row = table(folder, "SELECT * FROM log WHERE number = ?", (number,))[0]
    entry = Entry(*row)._replace(**changes)
    execute(
        folder,
        ("DROP TRIGGER log_is_never_changed",),
        (
            "UPDATE log SET action = ?, body = ?, hash = ? WHERE number = ?",
            (entry.action, entry.body, entry_hash(entry[:-1]), number),
        ),
    )


@pytest.mark.parametrize(
    ("position", "answer", "confidence"),
    [(0, "perhaps", 1), (0, "same", 9), (99, "same", 1), (-1, "same", 1)],
)
def test_a_decision_that_no_session_would_take_is_noticed(tmp_path, position, answer, confidence):
    project = example(tmp_path)
    with project.store.transaction():
        project.store.add_decision("reviewer", position, answer, confidence)
    with pytest.raises(TamperedError, match="entry 2 of the log is not a decision"):
        review.audit(tmp_path)


def test_a_log_that_begins_with_something_else_is_noticed(tmp_path):
    example(tmp_path).close()
    rewrite(tmp_path, 1, action="tokens")
    with pytest.raises(TamperedError, match="the log does not begin with the creation"):
        review.audit(tmp_path)


def test_a_log_that_tells_of_nothing_that_is_done_is_noticed(tmp_path):
    project = example(tmp_path)
    forge(project, "manager", "delete", {})
    with pytest.raises(TamperedError, match="entry 2 of the log tells of 'delete'"):
        review.audit(tmp_path)


def test_an_empty_log_is_noticed(tmp_path):
    example(tmp_path).close()
    execute(tmp_path, ("DROP TRIGGER log_is_never_shortened",), ("DELETE FROM log",))
    with pytest.raises(TamperedError, match="the log does not begin with the creation"):
        review.audit(tmp_path)


def test_a_disclosure_over_the_budget_is_noticed(tmp_path):
    project = example(tmp_path, budget="1/109")
    disclose(project, "reviewer", [[0, 0, "partial"]], Fraction(1, 108), 2)
    assert outcome(tmp_path) == "noticed"


def test_disclosures_that_are_over_the_pool_together_are_noticed(tmp_path):
    # Each within the budget, which both share; not both.
    project = example(tmp_path, budget="1/100", reviewers=("ann", "bob"), reviewers_per_pair=2)
    for actor in ("ann", "bob"):
        disclose(project, actor, [[0, 0, "partial"]], Fraction(1, 216), 2)
    assert outcome(tmp_path) == "not noticed" and project.kapr() == Fraction(1, 108)
    for actor in ("ann", "bob"):
        disclose(project, actor, [[3, 0, "partial"]], Fraction(1, 216), 2)
    assert project.kapr() == Fraction(1, 54) > Fraction(1, 100)
    assert outcome(tmp_path) == "noticed"


def test_a_disclosure_below_kappa_is_noticed(tmp_path):
    project = example(tmp_path, kappa=2)
    disclose(project, "reviewer", [[0, 0, "partial"]], Fraction(2, 108), 2)
    assert outcome(tmp_path) == "noticed"


@pytest.mark.parametrize(
    ("actor", "cells"),
    [
        ("eve", [[0, 0, "partial"]]),
        ("reviewer", [[99, 0, "partial"]]),
        ("reviewer", [[0, 99, "partial"]]),
        ("reviewer", [[-6, 0, "partial"]]),
        ("reviewer", [[0, 0, "raw"]]),
        ("reviewer", []),
    ],
)
def test_a_disclosure_that_no_session_would_make_is_noticed(tmp_path, actor, cells):
    project = example(tmp_path)
    disclose(project, actor, cells, Fraction(1, 108) if cells else Fraction(0), 2 if cells else 0)
    assert outcome(tmp_path) == "noticed"


@pytest.mark.parametrize("file", [IDENTIFYING, SENSITIVE])
@pytest.mark.parametrize("how", ["text", "empty", "cut", "cut in a page", "a folder"])
def test_a_damaged_file_is_noticed_and_named(worked_on, tmp_path, file, how):
    folder = tmp_path / "copy"
    shutil.copytree(worked_on, folder)
    content = (folder / file).read_bytes()
    (folder / file).unlink()
    if how == "a folder":
        (folder / file).mkdir()
    else:
        (folder / file).write_bytes(
            {
                "text": b"pseudonym,income\n" * 1000,
                "empty": b"",
                "cut": content[: len(content) - 4096],
                "cut in a page": content[: len(content) - 1000],
            }[how]
        )
    with pytest.raises(TamperedError):
        review.audit(folder)
    with pytest.raises(ValueError, match="project in the folder .*copy cannot be used.*put back"):
        with closing(review.Project(folder)) as project:
            project.linked_table()


def test_a_project_that_was_closed_says_so(tmp_path):
    project = example(tmp_path)
    session = project.session("reviewer")
    for each in (project, session):
        each.close()
    for act in (
        project.progress,
        project.issue_tokens,
        session.page,
        session.undo,
        lambda: session.reveal([(0, 0)], "full"),
        lambda: project.resolve(0, "same"),
    ):
        with pytest.raises(ValueError, match="cannot be used .*closed"):
            act()


# Decisions.


def test_a_repeated_decision_is_no_second_one(tmp_path):
    project = example(tmp_path)
    session = project.session("reviewer")
    for answer, confidence, entries in (
        ("same", 1, 1),
        ("same", 1, 1),
        ("same", 2, 2),
        ("different", 2, 3),
        ("same", 1, 4),
    ):
        frame = decide(session, 2, answer, confidence)
        assert frame["pairs"][0]["decision"] == {"answer": answer, "confidence": confidence}
        assert frame["progress"] == {"decided": 1, "pairs": 6}
        assert table(tmp_path, "SELECT count(*) FROM log WHERE action = 'decide'") == [(entries,)]
    assert project.store.answers("reviewer") == {2: ("same", 1)} and project.audit()


def test_undo_goes_back_step_by_step_and_never_changes_what_is_disclosed(tmp_path):
    frame = families(8)
    project = family_project(tmp_path, frame, pairs=neighbours(frame))
    session = project.session("reviewer")
    session.reveal({(0, 0), (14, 1)}, "full")
    spent, modes = project.kapr(), modes_of(tmp_path, "reviewer")
    steps = [(0, "same", 1), (14, "different", 3), (0, "unsure", 2), (0, "same", 1), (3, "same", 2)]
    states = [{}]
    for step in steps:
        decide(session, *step)
        states.append(project.store.answers("reviewer"))
    for (position, *_), state in zip(reversed(steps), reversed(states[:-1]), strict=True):
        page = session.handle({"type": "undo"})
        assert (
            page["type"] == "page" and page["focus"] == position and page["page"] == position // 10
        )
        assert project.store.answers("reviewer") == state and page["progress"]["decided"] == len(
            state
        )
    refused = session.handle({"type": "undo"})
    assert refused["type"] == "refused" and "no decision to take back" in refused["reason"]
    assert (
        project.kapr() == spent > 0 and modes_of(tmp_path, "reviewer") == modes and project.audit()
    )


def test_undo_takes_back_decisions_of_the_reviewer_only(tmp_path):
    project = example(tmp_path, reviewers=("ann", "bob"), reviewers_per_pair=2)
    ann, bob = project.session("ann"), project.session("bob")
    decide(ann, 0, "same")
    decide(bob, 1, "different")
    ann.handle({"type": "undo"})
    assert ann.handle({"type": "undo"})["type"] == "refused"
    assert project.store.answers("bob") == {1: ("different", 2)}


def test_a_page_opens_where_the_work_was_left(tmp_path):
    frame = families(13)
    project = family_project(tmp_path, frame, pairs=neighbours(frame))  # 25 pairs
    session = project.session("reviewer")
    assert (session.page()["page"], session.page()["pages"]) == (0, 3)
    for position in (*range(12), 13, 24):
        decide(session, position, "same")
    session.reveal({(12, 1)}, "full")
    session.close()
    again = project.session("reviewer").handle({"type": "open"})
    assert again["page"] == 1 and [pair["position"] for pair in again["pairs"]] == list(
        range(10, 20)
    )
    assert [pair["decision"] is None for pair in again["pairs"]][:4] == [False, False, True, False]
    assert again["pairs"][2]["cells"][1]["mode"] == "full"
    session = project.session("reviewer")
    assert [len(session.handle({"type": "open", "page": page})["pairs"]) for page in range(3)] == [
        10,
        10,
        5,
    ]
    for position in range(25):
        decide(session, position, "same")
    assert session.page()["page"] == 0


def test_a_reviewer_without_a_pair_gets_an_empty_page(tmp_path):
    project = example(
        tmp_path, pairs=pd.DataFrame({"first": [1], "second": [2]}), reviewers=("ann", "bob")
    )
    page = project.session("bob").handle({"type": "open"})
    assert (
        page["pairs"] == []
        and page["pages"] == 0
        and page["progress"] == {"decided": 0, "pairs": 0}
    )
    assert project.session("bob").handle({"type": "open", "page": 0})["type"] == "page"
    assert (
        project.session("bob").handle({"type": "reveal", "cells": [[0, 0]], "mode": "full"})["type"]
        == "refused"
    )
    assert project.progress()["pairs"].tolist() == [1, 0]


def test_two_reviewers_per_pair(tmp_path):
    project = example(tmp_path, reviewers=("ann", "bob", "cyd"), reviewers_per_pair=2)
    seen = {}
    for reviewer, _, pair in table(tmp_path, "SELECT * FROM assignments"):
        seen.setdefault(pair, []).append(reviewer)
    assert sorted(seen) == list(range(6)) and all(
        len(set(both)) == len(both) == 2 for both in seen.values()
    )
    assert project.progress()["pairs"].tolist() == [4, 4, 4]
    for name in project.reviewers:
        assert sorted(pairs_of(tmp_path, name)) == list(range(4))
    # N counts the rows that are displayed, to whomever: 2 x 12. Both pay, each for what they see.
    both = [
        (name, next(position for position, pair in pairs_of(tmp_path, name).items() if pair == 0))
        for name in seen[0]
    ]
    for number, (name, position) in enumerate(both, start=1):
        project.session(name).reveal({(position, 0)}, "partial")
        assert project.kapr() == number * Fraction(1, 108) / 2
        assert modes_of(tmp_path, name) == {position: ["partial", "masked", "masked"]}


def test_shares_steer_how_many_pairs_each_gets(tmp_path):
    frame = pd.DataFrame({"name": [f"N{number}" for number in range(13)]})
    choices = {"identifiers": {"name": "name"}, "pairs": neighbours(frame)}
    project = review.create(
        tmp_path / "shares", frame, **choices, reviewers={"ann": "1/2", "bob": "1/4", "cyd": 0}
    )
    assert project.progress()["pairs"].tolist() == [8, 4, 0] and project.progress()[
        "of"
    ].tolist() == [0.5, 0.25, 0]
    project = review.create(tmp_path / "pool", frame, **choices, reviewers=("ann", "bob", "cyd"))
    assert project.progress()["pairs"].tolist() == [4, 4, 4] and project.progress()[
        "of"
    ].tolist() == [1, 1, 1]


def test_cohens_kappa_by_hand():
    one = ["same"] * 25 + ["different"] * 25
    two = ["same"] * 20 + ["different"] * 5 + ["same"] * 10 + ["different"] * 15
    # 35 of 50 agree; by chance 1/2 x 30/50 + 1/2 x 20/50 = 1/2: (0.7 - 0.5) / 0.5.
    assert cohens_kappa(one, two) == pytest.approx(0.4)
    assert cohens_kappa(["same", "different"], ["same", "different"]) == 1
    assert cohens_kappa(["same", "different"], ["different", "same"]) == -1
    assert math.isnan(cohens_kappa(["same"] * 3, ["same"] * 3))


def test_cohens_kappa_by_another_formula():
    rng = np.random.default_rng(5)
    for size in (3, 10, 200):
        one, two = rng.integers(0, 3, (2, size))
        table = np.zeros((3, 3))
        np.add.at(table, (one, two), 1)
        # 1 - observed over expected disagreement.
        expected = np.outer(table.sum(1), table.sum(0)) / size
        off = ~np.eye(3, dtype=bool)
        assert cohens_kappa(one.tolist(), two.tolist()) == pytest.approx(
            1 - table[off].sum() / expected[off].sum()
        )


def test_disagreement_counts_pairs_that_both_decided(tmp_path):
    project = example(tmp_path, reviewers=("ann", "bob", "cyd"), reviewers_per_pair=3)
    answers = {
        "ann": ["same", "same", "different", "different", "unsure"],
        "bob": ["same", "different", "different", "different"],
    }
    for name, given in answers.items():
        session = project.session(name)
        for position, answer in enumerate(given):
            decide(session, position, answer)
    found = project.disagreement()
    # 3 of 4 agree; by chance 2/4 x 1/4 + 2/4 x 3/4 = 1/2.
    assert found.to_dict("records") == [
        {"first": "ann", "second": "bob", "pairs": 4, "agree": 0.75, "kappa": 0.5}
    ]


def test_conflicts_are_named_and_settled(tmp_path):
    project = example(tmp_path, reviewers=("ann", "bob"), reviewers_per_pair=2)
    ann, bob = project.session("ann"), project.session("bob")
    # Pairs 12 13 14 23 24 34.
    given = {
        0: ("same", "same"),
        1: ("same", "same"),
        2: ("same", "different"),
        3: ("different", "different"),
        4: ("unsure", "unsure"),
    }
    for position, (one, two) in given.items():
        decide(ann, position, one, 3)
        decide(bob, position, two, 1)
    decide(ann, 5, "same")  # bob has not decided: no conflict yet
    ann.reveal({(2, 0)}, "full")
    bob.reveal({(4, 0)}, "partial")
    found = project.conflicts().set_index("pair")
    assert found["why"].to_dict() == {
        2: "reviewers disagree",
        3: "same by way of other pairs",
        4: "unsure",
    }
    assert (
        found.loc[2, "answer of ann"] == "same (3)"
        and found.loc[2, "answer of bob"] == "different (1)"
    )
    assert found["name"].to_dict() == {2: "Mary | Mary", 3: "***@ | ***&", 4: "***k | ***y"}
    assert found["race"].tolist() == ["@ | &"] * 3
    assert project.linked_table().attrs["open"] == 3
    project.resolve(2, "different")
    project.resolve(4, "different")
    project.resolve(3, "same")
    assert len(project.conflicts()) == 0 and project.linked_table().attrs["open"] == 1
    assert project.audit()
    with pytest.raises(ValueError, match="'unsure'"):
        project.resolve(2, "unsure")
    for pair in (99, -1, np.int64(6)):
        with pytest.raises(ValueError, match=f"no pair {pair}"):
            project.resolve(pair, "same")
    for pair in (None, "1", 1.5, math.nan, True, []):
        with pytest.raises(ValueError, match="pair is .*; it is the number of a candidate pair"):
            project.resolve(pair, "same")
    with pytest.raises(ValueError, match="answer is None; it is one of same, different"):
        project.resolve(2, None)


def test_a_conflict_names_the_confidence_as_it_was_given(tmp_path):
    project = example(tmp_path)
    decide(project.session("reviewer"), 0, "unsure", 3)
    # Also while other pairs have no decision.
    assert project.conflicts()["answer of reviewer"].tolist() == ["unsure (3)"]


def test_the_linked_table_merges_along_chains_and_only_what_all_agree_on(tmp_path):
    frame = pd.DataFrame({"name": [f"N{number}" for number in range(7)], "income": range(100, 107)})
    pairs = pd.DataFrame([(0, 1), (2, 3), (1, 2), (4, 5), (5, 6)], columns=["first", "second"])
    project = review.create(
        tmp_path,
        frame,
        identifiers={"name": "name"},
        sensitive=["income"],
        pairs=pairs,
        reviewers=("ann", "bob"),
        reviewers_per_pair=2,
    )

    def persons():
        exported = project.linked_table()
        return sorted(
            sorted(part["income"]) for _, part in exported.groupby("person")
        ), exported.attrs["open"]

    assert persons() == ([[100], [101], [102], [103], [104], [105], [106]], 5)
    ann, bob = project.session("ann"), project.session("bob")
    for position in range(5):
        decide(ann, position, "same")
    assert persons()[1] == 5 and len(persons()[0]) == 7
    for position, answer in enumerate(("same", "same", "same", "different", "unsure")):
        decide(bob, position, answer)
    assert persons() == ([[100, 101, 102, 103], [104], [105], [106]], 2)
    project.resolve(3, "same")
    project.resolve(0, "different")
    assert persons() == ([[100], [101, 102, 103], [104, 105], [106]], 1)
    assert project.linked_table()["person"].tolist() == sorted(project.linked_table()["person"])


def test_decisions_and_progress_of_all(tmp_path):
    project = example(tmp_path, reviewers={"ann": "1/2", "bob": "1/2"})
    session = project.session("ann")
    decide(session, 0, "same", 3)
    session.reveal({(0, 0)}, "full")
    assert project.decisions()["pair"].tolist() == list(range(6))
    assert project.decisions().dropna()[["reviewer", "answer", "confidence"]].values.tolist() == [
        ["ann", "same", 3]
    ]
    progress = project.progress().set_index("reviewer")
    assert progress[["pairs", "decided"]].values.tolist() == [[3, 1], [3, 0]] and progress[
        "of"
    ].tolist() == [0.5, 0.5]
    assert progress["KAPR"].tolist() == [float(project.kapr()), 0] and progress[
        "characters"
    ].tolist() == [8, 0]


# Candidates.


def listed(pairs):
    assert pairs.columns.tolist() == ["first", "second"]
    return [tuple(pair) for pair in pairs.values.tolist()]


def test_all_pairs_of_one_file_and_of_two():
    one, two = pd.DataFrame(index=["a", "b", "c"]), pd.DataFrame(index=[1, 2])
    assert listed(all_pairs(one)) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert listed(all_pairs(one, two)) == [
        ("a", 1),
        ("a", 2),
        ("b", 1),
        ("b", 2),
        ("c", 1),
        ("c", 2),
    ]


PEOPLE = pd.DataFrame(
    {
        "name": ["Ann", "Bob", "Ann", None, None, "Bob"],
        "year": [1950, 1960, 1950, 1950, 1950, np.nan],
        "place": ["x", "x", "y", "y", "z", "z"],
    },
    index=list("abcdef"),
)


def test_a_block_pairs_what_agrees_and_missing_agrees_with_nothing():
    assert listed(block(PEOPLE, blocks=["name"])) == [("a", "c"), ("b", "f")]
    assert listed(block(PEOPLE, blocks=[("name", "year")])) == [("a", "c")]
    assert listed(block(PEOPLE, blocks=["year"])) == [
        ("a", "c"),
        ("a", "d"),
        ("a", "e"),
        ("c", "d"),
        ("c", "e"),
        ("d", "e"),
    ]


def test_an_empty_text_is_missing_for_a_block_as_it_is_for_a_project():
    assert listed(block(PEOPLE.fillna({"name": ""}), blocks=["name"])) == [("a", "c"), ("b", "f")]


def test_several_keys_of_a_block_are_united():
    both = listed(block(PEOPLE, blocks=["name", ("name", "year"), "year"]))
    assert (
        both
        == sorted(
            {*listed(block(PEOPLE, blocks=["name"])), *listed(block(PEOPLE, blocks=["year"]))}
        )
        and len(both) == 7
    )


def test_a_block_over_two_files():
    other = pd.DataFrame(
        {"name": ["Bob", "Ann", None], "year": [1960.0, 1970, 1950]}, index=[10, 11, 12]
    )
    assert listed(block(PEOPLE, other, blocks=["name"])) == [
        ("a", 11),
        ("b", 10),
        ("c", 11),
        ("f", 10),
    ]
    assert listed(block(PEOPLE, other, blocks=[("name", "year")])) == [("b", 10)]


def test_a_block_on_a_column_of_any_name():
    # Such as a place of birth.
    assert listed(block(PEOPLE, blocks=["place"])) == [("a", "b"), ("c", "d"), ("e", "f")]
    other = PEOPLE.rename(columns={"place": "place_second"})
    assert listed(block(other, blocks=["place_second"])) == [("a", "b"), ("c", "d"), ("e", "f")]


def test_a_block_against_a_loop():
    rng = np.random.default_rng(3)
    one, two = (
        pd.DataFrame(rng.integers(0, 3, (30, 3)), columns=list("pqr")).astype(object)
        for _ in range(2)
    )
    for frame in (one, two):
        frame[pd.DataFrame(rng.random((30, 3)) < 0.2, columns=list("pqr"))] = None
    keys = [("p", "q"), "r"]

    def agree(a, b):
        return any(all(a[c] is not None and a[c] == b[c] for c in key) for key in keys)

    rows, others = one.to_dict("index"), two.to_dict("index")
    assert listed(block(one, blocks=keys)) == [
        (i, j) for i, j in itertools.combinations(range(30), 2) if agree(rows[i], rows[j])
    ]
    across = [
        (i, j) for i, j in itertools.product(range(30), repeat=2) if agree(rows[i], others[j])
    ]
    assert listed(block(one, two, blocks=keys)) == across


def test_a_block_names_bad_keys():
    for on, message in (([], "at least one key"), (["age"], "'age'"), ([("name", "age")], "'age'")):
        with pytest.raises(ValueError, match=message):
            block(PEOPLE, blocks=on)


def test_pairs_of_other_tools(tmp_path):
    frame = pd.DataFrame({"x": range(4)}, index=[10, 20, 30, 40])
    expected = [(10, 20), (30, 40)]
    splink = pd.DataFrame(
        {"match_probability": [0.9, 0.8], "unique_id_l": [10, 30], "unique_id_r": [20, 40]}
    )
    links = pd.MultiIndex.from_tuples(expected)
    features = pd.DataFrame({"first_name": [1.0, 0.0], "dob": [1, 1], "score": [2, 1]}, index=links)
    tables = [
        pd.DataFrame(expected, columns=["first", "second"]),
        splink,
        links,
        links.set_names(["rec_id_1", "rec_id_2"]),
        features,
        features[["dob"]],
        pd.DataFrame(expected, columns=["idA", "idB"]),
    ]
    for number, pairs in enumerate(tables):
        assert listed(read_pairs(pairs, frame)) == expected, number
        path = tmp_path / f"{number}.csv"
        pairs = pd.DataFrame(index=pairs) if isinstance(pairs, pd.MultiIndex) else pairs
        if pairs.index.nlevels == 2:
            pairs = pairs.rename_axis(["rec_id_1", "rec_id_2"]).reset_index()
        pairs.to_csv(path, index=False)
        assert (
            listed(read_pairs(path, frame)) == listed(read_pairs(str(path), frame)) == expected
        ), number


def test_a_score_of_another_tool_is_not_shown(tmp_path):
    pairs = pd.DataFrame({"unique_id_l": [1], "unique_id_r": [2], "match_probability": [0.123456]})
    project = example(tmp_path, pairs=pairs)
    assert "0.123456" not in json.dumps(
        project.session("reviewer").page()
    ) and b"0.123456" not in contents(tmp_path)


def test_a_table_may_have_the_two_files_the_other_way_round():
    first, second = two_files()
    pairs = pd.DataFrame(
        {"unique_id_l": ["a", "c"], "unique_id_r": [7, 8], "match_probability": [0.5, 0.6]}
    )
    turned = pairs.rename(columns={"unique_id_l": "unique_id_r", "unique_id_r": "unique_id_l"})
    assert (
        listed(read_pairs(pairs, first, second))
        == listed(read_pairs(turned, first, second))
        == [("a", 7), ("c", 8)]
    )


def test_labels_of_a_csv_are_those_of_the_frame_whether_numbers_or_text(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("first,second\n007,010\n010,2\n")
    assert listed(read_pairs(path, pd.DataFrame(index=["007", "010", "2"]))) == [
        ("007", "010"),
        ("010", "2"),
    ]
    path.write_text("first,second\n7,10\n")
    assert listed(read_pairs(path, pd.DataFrame(index=[7, 10]))) == [(7, 10)]


def test_a_pair_is_read_once_whichever_way_it_is_written():
    frame = pd.DataFrame(index=["a", "b", "c"])
    pairs = pd.DataFrame(
        [("c", "b"), ("b", "c"), ("a", "b"), ("a", "b"), ("b", "a"), ("c", "a")],
        columns=["first", "second"],
    )
    assert listed(read_pairs(pairs, frame)) == [("b", "c"), ("a", "b"), ("a", "c")]
    # Of two files with the same labels both ways are two pairs.
    assert len(read_pairs(pairs, frame, frame)) == 5
    assert listed(
        read_pairs(pd.DataFrame([("a", "a")], columns=["first", "second"]), frame, frame)
    ) == [("a", "a")]


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        (pd.DataFrame({"first": ["a"], "second": ["zed"]}), "no record 'zed'"),
        (pd.DataFrame({"first": ["b"], "second": ["b"]}), "'b' is paired with itself"),
        (pd.DataFrame({"p": ["a"], "q": ["b"], "r": [1]}), "columns first and second.*p, q, r"),
        (pd.DataFrame({"first": ["a"]}), "first and second"),
        (pd.MultiIndex.from_tuples([("a", "b"), ("a", None)]), "no record"),
        (pd.DataFrame([["a", "b", "c"]], columns=["first", "first", "second"]), "two columns 'fir"),
        (None, "table of pairs is None; give a pandas DataFrame, a MultiIndex or the path"),
        ([("a", "b")], "table of pairs is of the type list"),
        (pd.Index(["a"]), "table of pairs is of the type Index"),
        ("", "file of pairs '' cannot be read"),
        ("none.csv", "file of pairs 'none.csv' cannot be read .*No such file"),
        ("a\0b", "file of pairs .* cannot be read .*null"),
        ("\ud800", "file of pairs .* cannot be read"),
        ("x" * 300, "file of pairs 'xxx.* cannot be read .*too long"),
    ],
)
def test_bad_pairs_are_named(pairs, message):
    with pytest.raises(ValueError, match=message):
        read_pairs(pairs, pd.DataFrame(index=["a", "b", "c"]))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "pairs.csv' cannot be read .*; name a CSV file in UTF-8"),
        (b"\n\n", "pairs.csv' cannot be read"),
        (b'first,second\n"a,b\n', "pairs.csv' cannot be read .*EOF inside string"),
        (b"first,second\na,b\na,b,c\n", "pairs.csv' cannot be read .*line 3"),
        (b"first,second\n\xff,b\n", "pairs.csv' cannot be read .*utf-8"),
        ("first,second\na,b\n".encode("utf-16"), "pairs.csv' cannot be read"),
        (gzip.compress(b"first,second\na,b\n", mtime=0), "pairs.csv' cannot be read"),
        (b"first,second\na,\n", "no record ''"),
        (b"first,second\na,NA\n", "no record 'NA'"),
    ],
)
def test_broken_files_of_pairs_are_named(tmp_path, content, message):
    path = tmp_path / "pairs.csv"
    path.write_bytes(content)
    for table in (path, str(path)):
        with pytest.raises(ValueError, match=message):
            read_pairs(table, pd.DataFrame(index=["a", "b", "c"]))


def test_a_record_may_have_the_name_of_a_missing_value(tmp_path):
    (tmp_path / "pairs.csv").write_text("first,second\nNA,None\n")
    frame = pd.DataFrame(index=["None", "NA"])
    assert listed(read_pairs(tmp_path / "pairs.csv", frame)) == [("None", "NA")]


def test_an_index_of_pairs_may_name_both_sides_alike():
    pairs = pd.MultiIndex.from_tuples([("a", "b")], names=["id", "id"])
    assert listed(read_pairs(pairs, pd.DataFrame(index=["a", "b"]))) == [("a", "b")]


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        (None, None, "the first file is None; give a pandas DataFrame"),
        (PEOPLE, PEOPLE["name"], "the second file is of the type Series"),
        (PEOPLE.set_axis(list("aabcde")), None, "the index of the first file has 'a' twice"),
        (PEOPLE, PEOPLE.set_axis(list("aabcde")), "the index of the second file has 'a' twice"),
    ],
)
def test_candidates_of_what_are_no_files_are_refused(first, second, message):
    for pairs in (
        all_pairs,
        lambda *files: block(*files, blocks="name"),
        lambda *files: read_pairs(pd.DataFrame({"first": ["a"], "second": ["b"]}), *files),
    ):
        with pytest.raises(ValueError, match=message):
            pairs(first, second)


def test_a_project_of_pairs_that_were_read(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("unique_id_l,unique_id_r,match_probability\n4,3,0.9\n1,2,0.5\n3,4,0.9\n")
    project = example(tmp_path / "project", pairs=path)
    assert table(tmp_path / "project", "SELECT * FROM pairs") == [(0, 2, 3), (1, 0, 1)]
    assert project.session("reviewer").page()["pairs"][0]["cells"][0]["agreement"] == "equal"


# Inputs.

BASE = {
    "identifiers": {"name": "name"},
    "quasi_identifiers": {"dob": "date"},
    "sensitive": ["income"],
}
TWO = {"second": paper().head(2)}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"identifiers": {"nmae": "name"}}, "no column 'nmae'.*name, dob, race, income"),
        (
            {"quasi_identifiers": {"dob": "day"}},
            "'dob' is 'day'; it is one of string, name, date, category",
        ),
        ({"first": paper().set_axis(list("aabc"))}, "the index of the file has 'a' twice"),
        ({"first": paper().head(0)}, "no records"),
        ({"second": paper().head(0)}, "file 2 has no records"),
        ({"second": paper().drop(columns="dob")}, "file 2 has no column 'dob'"),
        ({"identifiers": None, "quasi_identifiers": None}, "see nothing"),
        ({"sensitive": ["name", "dob"]}, "see nothing"),
        ({"quasi_identifiers": {"name": "name"}}, "'name'.*choose one"),
        ({"budget": 1.01}, "from 0 to 1, not 101/100"),
        ({"budget": -1}, "from 0 to 1, not -1"),
        ({"budget": "much"}, "'much'"),
        ({"budget": math.nan}, "nan"),
        ({"reviewers": {"ann": 0.6, "bob": 0.5}}, "at most 1 in all, not 1.1"),
        ({"reviewers": {"ann": 0.6, "bob": -0.1}}, "not negative"),
        ({"reviewers": ["ann", "bob", "ann"]}, "same name"),
        ({"reviewers": []}, "name the reviewers"),
        ({"reviewers": {}}, "name the reviewers"),
        ({"reviewers": "ann"}, "as a list"),
        ({"reviewers_per_pair": 2}, "from 1 to the 1 that there are, not 2"),
        ({"reviewers_per_pair": 0}, "not 0"),
        ({"reviewers_per_pair": 1.5, "reviewers": ["ann", "bob"]}, "1.5"),
        ({"kappa": 5}, "1 to the 4 records.*not 5"),
        ({"kappa": 0}, "not 0"),
        ({"kappa": 1.5}, "not 1.5"),
        ({"kappa": 3, **TWO, "k_counts": "own"}, "1 to the 2 records.*not 3"),
        ({"kappa": 7, **TWO, "k_counts": "both"}, "1 to the 6 records.*not 7"),
        ({"k_counts": "all"}, "k_counts is 'all'.*own, both"),
        ({"counting": "none"}, "counting is 'none'.*agreement, definition"),
        ({"dates": "years"}, "dates is 'years'.*digits, elements"),
        ({"swaps": [("name", "surname")]}, "'surname'"),
        ({"swaps": [("name",)]}, "not a pair of attributes"),
        ({"pairs": pd.DataFrame({"first": [], "second": []})}, "no candidate pairs"),
        ({"first": paper().head(1)}, "no candidate pairs"),
        ({"pairs": pd.DataFrame({"first": [1], "second": [9]})}, "no record 9"),
        ({"pairs": pd.DataFrame({"first": [1], "second": [1]})}, "'1' is paired with itself"),
        ({"pairs": pd.DataFrame({"a": [1], "b": [2], "c": [3]})}, "first and second"),
        ({"first": paper().assign(person="x"), "sensitive": ["person"]}, "'person' of its own"),
        ({"first": paper().assign(file="x"), "sensitive": ["file"]}, "'file' of its own"),
        (
            {"first": paper().assign(dob=["08/09/1964", "1964-09-08", "08/09/1964", "08/09/1964"])},
            "in two ways",
        ),
        ({"second": paper().assign(dob="1964-09-08")}, "in two ways"),
        ({"first": paper().assign(dob="long ago")}, "'long ago' is not a date"),
        ({"sensitive": ["icnome"]}, "no column 'icnome'"),
        ({"sensitive": ["icnome"], **TWO}, "'icnome'"),
        # A text is a sequence of letters; taken so, what it names would not be split off.
        ({"sensitive": "name", "quasi_identifiers": {"dob": "date"}, **TWO}, "sensitive|no column"),
        ({"first": pd.concat([paper(), paper()[["name"]]], axis=1)}, "'name'"),
        ({"first": None}, "the file is None; give a pandas DataFrame"),
        ({"second": paper().to_numpy()}, "file 2 is of the type ndarray; give a pandas DataFrame"),
        ({"identifiers": ["name"]}, "identifiers is of the type list; give a dict, column -> type"),
        ({"identifiers": []}, "identifiers is of the type list; give a dict"),
        ({"quasi_identifiers": "dob"}, "quasi_identifiers is 'dob'; give a dict"),
        ({"identifiers": {"pair": "name"}}, "conflicts has a column 'pair' of its own"),
        ({"identifiers": {"\ud800": "name"}}, "names of columns are texts"),
        ({"sensitive": 3}, "sensitive is 3; give a list"),
        ({"first": paper().assign(name="\ud800x")}, "'name' has a text that no file can hold.*'1'"),
        ({"first": paper().assign(income="\udc80")}, "'income' has a text that no file can hold"),
        ({"first": paper().set_axis([1, "1", 2, 3])}, "two labels that are both written 1"),
        ({"pairs": None}, "table of pairs is None; give a pandas DataFrame"),
        ({"pairs": [("1", "2")]}, "table of pairs is of the type list"),
        ({"pairs": "none.csv"}, "file of pairs 'none.csv' cannot be read"),
        ({"budget": math.inf}, "budget is a KAPR score.* not inf"),
        ({"budget": None}, "budget is a KAPR score.* not None"),
        ({"budget": True}, "budget is a KAPR score.* not True"),
        ({"budget": ""}, "budget is a KAPR score.* not ''"),
        ({"budget": "1/0"}, "budget is a KAPR score.* not '1/0'"),
        ({"budget": "1e-999999999"}, "budget is a KAPR score.* not '1e-999999999'"),
        ({"budget": Fraction(1, 10**5000)}, "budget is a KAPR score.* of the type Fraction"),
        ({"reviewers": 1}, "name the reviewers"),
        ({"reviewers": [None]}, "reviewers has None; name each by a text"),
        ({"reviewers": ["\ud800"]}, "reviewers has .*name each by a text"),
        ({"reviewers": {"ann": None}}, "share of ann in reviewers is a part of the budget.* None"),
        ({"reviewers": {"ann": "1e400"}}, "share of ann in reviewers is a part of the budget"),
        ({"reviewers": {"ann": math.nan}}, "share of ann in reviewers is a part of the budget"),
        ({"reviewers": {1: 0.1, "1": 0.2}}, "same name"),
        ({"reviewers_per_pair": None}, "reviewers_per_pair is None; it is a whole number"),
        ({"kappa": None}, "kappa is None; it is the smallest anonymity set allowed"),
        ({"kappa": math.nan}, "kappa is nan"),
        ({"kappa": "2"}, "kappa is '2'"),
        ({"swaps": "ab"}, "swaps is 'ab'; give a list"),
        ({"swaps": [3]}, "a pair of attributes in swaps is 3"),
        ({"swaps": [("name", "name")]}, "not a pair of attributes"),
        ({"swaps": [([], {})]}, "not a pair of attributes"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_a_bad_input_is_named_and_leaves_nothing(tmp_path, changes, message):
    with pytest.raises(ValueError, match=message):
        review.create(tmp_path / "project", **{"first": paper(), **BASE, **changes})
    assert not (tmp_path / "project").exists()


@pytest.mark.parametrize("folder", [None, "", 3, b"x", []], ids=repr)
def test_what_is_no_folder_is_named(folder):
    for open_it in (review.Project, review.audit, example, lambda one: Session(one, "reviewer")):
        with pytest.raises(ValueError, match="folder is .*; it is the path of a folder"):
            open_it(folder)


@pytest.mark.parametrize("name", ["file", "file/in a file", "\0", "\ud800", "x" * 300], ids=ascii)
def test_a_folder_that_cannot_be_is_named(tmp_path, name):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ValueError, match="the folder of the project cannot be made.*another one"):
        example(tmp_path / name)
    for open_it in (review.Project, review.audit):
        with pytest.raises(FileNotFoundError, match="no review project in the folder"):
            open_it(tmp_path / name)


@pytest.mark.parametrize(
    "choices",
    [
        {"reviewers": ["ann", "bob"], "reviewers_per_pair": 2.0},
        {"reviewers": np.array(["ann", "bob"])},
    ],
    ids=str,
)
def test_choices_may_be_of_any_type_that_says_the_same(tmp_path, choices):
    project = example(tmp_path, **choices)
    assert project.audit() and project.linked_table()["income"].notna().all()


def test_texts_of_any_characters_are_kept(tmp_path):
    names = ["a\0b", "*@&", "'; DROP TABLE log; --", "\U0001f600", "\x85 ", "."]
    frame = pd.DataFrame({"name": names, "note": names[::-1]})
    project = review.create(tmp_path, frame, identifiers={"name": "string"}, sensitive=["note"])
    session = project.session("reviewer")
    session.reveal([(position, 0) for position in range(len(session.pairs))], "full")
    cells = session.page(0)["pairs"][0]["cells"][0]["rows"]
    assert ["".join(text for _, text in row) for row in cells] == names[:2]
    assert sorted(project.linked_table()["note"]) == sorted(names) and project.audit()


def test_the_largest_kappa_of_each_count_is_taken(tmp_path):
    for counts, kappa in (("own", 2), ("both", 6)):
        project = review.create(
            tmp_path / counts, paper(), **TWO, **BASE, k_counts=counts, kappa=kappa
        )
        assert project.session("reviewer").page()["kappa"] == kappa


def test_columns_of_many_types_are_shown_as_text(tmp_path):
    frame = pd.DataFrame(
        {
            "whole": [1950, 1960, 1970],
            "number": [1950.0, np.nan, 1.5],
            "small": np.array([1, np.nan, 2.5], "float32"),
            "nullable": pd.array([7, None, 8], "Int64"),
            "day": pd.to_datetime(["1964-08-09", None, "1964-09-08"]),
            "level": pd.Categorical(["low", None, "high"]),
            "text": ["Ann", "", None],
            "mixed": ["a", math.nan, pd.NA],
            "flag": [True, False, True],
        }
    )
    attribute_types = {
        column: {"day": "date", "level": "category"}.get(column, "string") for column in frame
    }
    project = review.create(tmp_path, frame, quasi_identifiers=attribute_types)
    rows = [
        json.loads(cells)
        for (cells,) in table(tmp_path, "SELECT cells FROM records ORDER BY record")
    ]
    assert dict(zip(frame, map(list, zip(*rows, strict=True)), strict=False)) == {
        "whole": ["1950", "1960", "1970"],
        "number": ["1950", None, "1.5"],
        "small": ["1", None, "2.5"],
        "nullable": ["7", None, "8"],
        "day": ["08/09/1964", None, "09/08/1964"],
        "level": ["low", None, "high"],
        "text": ["Ann", None, None],
        "mixed": ["a", None, None],
        "flag": ["True", "False", "True"],
    }
    session = project.session("reviewer")
    # Two missing values: nothing to reveal, nothing to pay.
    cell = session.page()["pairs"][2]["cells"][list(frame).index("text")]
    assert cell["agreement"] == "missing" and cell["next"] == [] and cell["rows"] == [[], []]
    for position in range(3):
        session.reveal({(position, attribute) for attribute in range(len(attribute_types))}, "full")
    assert project.audit()


def test_columns_named_by_numbers_are_named(tmp_path):
    # They would be texts after reopening, and another name than the swaps'.
    frame = pd.DataFrame({0: ["Ann", "Lee"], 1: ["Lee", "Ann"]})
    with pytest.raises(ValueError, match="column 0: names of columns are texts"):
        review.create(tmp_path, frame, identifiers={0: "name", 1: "name"}, swaps=[(0, 1)])


def test_names_of_reviewers_are_texts_and_differ(tmp_path):
    with pytest.raises(ValueError, match="same name"):
        example(tmp_path, reviewers=[1, "1"])


def test_creation_leaves_other_files_alone(tmp_path):
    (tmp_path / "other.sqlite").write_text("not ours")
    example(tmp_path)
    assert (tmp_path / "other.sqlite").read_text() == "not ours"


def test_sensitive_values_that_are_gone_are_missed_and_not_replaced(tmp_path):
    project = example(tmp_path)
    (tmp_path / "sensitive.sqlite").unlink()
    with pytest.raises(review.TamperedError):
        project.audit()
    assert not (tmp_path / "sensitive.sqlite").exists()


def test_a_chain_stays_a_conflict_until_one_of_its_pairs_is_settled_as_different(tmp_path):
    project = example(tmp_path)
    session = project.session("reviewer")
    for position, answer in enumerate(
        ["same", "same", "different", "different", "different", "different"]
    ):  # 12 13 14 23 24 34
        decide(session, position, answer)
    assert project.conflicts()["pair"].tolist() == [3]
    project.resolve(3, "different")
    assert (
        project.conflicts()["pair"].tolist() == [3]
        and project.linked_table()["person"].nunique() == 2
    )
    project.resolve(1, "different")
    assert len(project.conflicts()) == 0 and project.linked_table()["person"].nunique() == 3


# Exactness.


def test_very_long_fractions_are_kept_exactly(tmp_path):
    # The lengths are primes, so that the sum of the shares has their product under it. Python reads
    # and writes numbers of some digits only in decimals; the fewest that it can be told keeps this
    # example small.
    primes = [n for n in range(7, 2100) if all(n % d for d in range(2, math.isqrt(n) + 1))]
    primes = primes[: len(primes) // 2 * 2]
    frame = pd.DataFrame(
        {
            "name": [
                ("x", "y")[position % 2] + "a" * (prime - 1)
                for position, prime in enumerate(primes)
            ],
            "dob": "08/09/1964",
            "race": [f"r{math.isqrt(2 * position)}" for position in range(len(primes))],
        }
    )
    pairs = pd.DataFrame([(i, i + 1) for i in range(0, len(frame), 2)], columns=["first", "second"])
    attribute_types = {"name": "string", "dob": "date", "race": "category"}
    risk = PrivacyScore(frame, attribute_types, 2 * len(pairs))
    modes = ["partial", "masked", "full"]
    exact = sum(
        score for first, second in pairs.values for _, _, score in risk.rows(first, second, modes)
    )
    assert (
        len({k for first, second in pairs.values for k, _, _ in risk.rows(first, second, modes)})
        > 10
    )
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        with pytest.raises(ValueError, match="digits"):
            str(exact)
        project = review.create(
            tmp_path,
            frame,
            quasi_identifiers=attribute_types,
            pairs=pairs,
            budget=round(float(exact) + 1e-6, 9),
        )
        session = project.session("reviewer")
        session.reveal({(position, 2) for position in range(len(pairs))}, "full")
        session.reveal({(position, 0) for position in range(len(pairs))}, "partial")
        assert project.kapr() == exact
        assert (
            fraction(table(tmp_path, "SELECT kapr FROM spent")[0][0])
            == exact
            == fraction(fraction_text(exact))
        )
        session = project.session("reviewer")
        assert json.dumps(session.page()) and project.progress()["KAPR"].tolist() == [float(exact)]
        refused = session.handle({"type": "reveal", "cells": [[0, 0]], "mode": "full"})
        assert refused["type"] == "refused" and re.search(
            r"cost \d.*, and 0\.\d+ of|and under 0.000001 of", refused["reason"]
        )
        assert project.audit()
    finally:
        sys.set_int_max_str_digits(before)


# Links for reviewers.


def test_a_token_is_its_reviewers_and_is_kept_as_a_hash_only(tmp_path):
    project = example(tmp_path, reviewers=("ann", "bob"))
    assert reviewer_of(project, "") is None
    first = project.issue_tokens()
    assert (
        sorted(first) == ["ann", "bob"]
        and first["ann"] != first["bob"]
        and min(map(len, first.values())) >= 32
    )
    assert {name: reviewer_of(project, token) for name, token in first.items()} == {
        "ann": "ann",
        "bob": "bob",
    }
    second = project.issue_tokens()
    assert {name: reviewer_of(project, token) for name, token in second.items()} == {
        "ann": "ann",
        "bob": "bob",
    }
    hashes = [kept for (kept,) in table(tmp_path, "SELECT hash FROM tokens")]
    near = (second["ann"][:-1], second["ann"] + "x", second["ann"].swapcase(), "ann", "é")
    for wrong in ("", " ", *first.values(), *near, *hashes):
        assert reviewer_of(project, wrong) is None
    assert not any(
        token.encode() in contents(tmp_path) for token in (*first.values(), *second.values())
    )
    assert all(kept.encode() in contents(tmp_path) for kept in hashes)
    assert project.audit()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--port", "0"], "port is 0; it is a whole number from 1 to 65535"),
        (["--port", "65536"], "port is 65536; it is a whole number from 1 to 65535"),
        (["--ip", "no address"], "ip is 'no address'; it is an address of this machine"),
        (["--ip", "a" * 70], "ip is 'aaaa"),
    ],
)
def test_an_address_that_cannot_be_served_at_is_told_and_links_stay(
    words, message, capsys, tmp_path
):
    with closing(example(tmp_path)) as project:
        tokens = project.issue_tokens()
        assert main(["review", "serve", str(tmp_path), *words]) == 2
        assert message in capsys.readouterr().err
        assert reviewer_of(project, tokens["reviewer"]) == "reviewer"


def test_a_port_that_is_taken_is_told_and_links_stay(capsys, tmp_path):
    with closing(example(tmp_path)) as project, socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        tokens = project.issue_tokens()
        port = str(other.getsockname()[1])
        assert main(["review", "serve", str(tmp_path), "--port", port]) == 2
        assert f"port {port} is taken" in capsys.readouterr().err
        assert reviewer_of(project, tokens["reviewer"]) == "reviewer"


def test_a_damaged_project_is_told(capsys, tmp_path):
    (tmp_path / "identifying.sqlite").write_text("no database")
    assert main(["review", "serve", str(tmp_path)]) == 2
    assert "cannot be used (file is not a database)" in capsys.readouterr().err
    assert main(["review", "audit", str(tmp_path)]) == 1
    assert "is not what its log says" in capsys.readouterr().out


@pytest.mark.parametrize(
    "act",
    [
        lambda session: session.decide(0, "yes", 1),
        lambda session: session.decide(0, "same", 9),
        lambda session: session.decide(0, "same", "high"),
        lambda session: session.decide(999, "same", 1),
        lambda session: session.decide(-1, "same", 1),
        lambda session: session.reveal([(-1, 0)], "full"),
        lambda session: session.reveal([(0, 99)], "full"),
        lambda session: session.reveal([(0, "first")], "full"),
        lambda session: session.reveal([(0, 1, 2)], "full"),
        lambda session: session.reveal([(0, 1)], "all"),
        lambda session: session.reveal(None, "full"),
        lambda session: session.reveal([3], "full"),
        lambda session: session.reveal([(0, 1)], pd.NA),
        lambda session: session.decide(0, pd.NA, 1),
        lambda session: session.page(1),
        lambda session: session.page(-1),
        lambda session: session.page("0"),
        lambda session: session.page(0.5),
    ],
)
def test_python_callers_are_refused_what_the_page_is_refused(tmp_path, act):
    project = example(tmp_path / "project")
    with closing(project), closing(project.session("reviewer")) as session:
        with pytest.raises(review.RefusedError):
            act(session)
        assert not session.store.answers("reviewer") and project.kapr() == 0
        assert project.audit()


def test_python_callers_may_count_in_numpy(tmp_path):
    project = example(tmp_path / "project")
    with closing(project), closing(project.session("reviewer")) as session:
        session.reveal([(np.int64(5), np.uint8(0))], "partial")
        session.decide(np.int32(5), "same", np.int8(3))
        assert session.page(np.int64(0))["pairs"][5]["decision"] == {
            "answer": "same",
            "confidence": 3,
        }
        project.resolve(np.int64(5), "different")
        assert project.audit() and json.dumps(session.page(np.int64(0)))
