"""Pairs of files that can be assessed.

Kinds of variables, who is who, what missing values become, what was masked.
"""

import datetime
import functools
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from scipy import stats

from rlpaper.masking import add_noise, microaggregate, pram, rank_swap, recode_rare
from rlpaper.risk import FilesError, prepare
from rlpaper.risk.alignment_check import records_look_aligned

N = 40
few = settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
NAMES = [f"name {i}" for i in range(N)]


def column(values, masked=None, **options):
    """The prepared pair of two files with a column x.

    A column beside it shows that the records belong together.
    """
    files = [
        pd.DataFrame(
            {
                "x": pd.Series(list(some), dtype=getattr(some, "dtype", None)),
                "who": NAMES[: len(some)],
            }
        )
        for some in (values, values if masked is None else masked)
    ]
    return prepare(*files, **options)


def kind(values, masked=None, **options):
    return column(values, masked, **options).variables.loc["x", "type"]


def text(values):
    return pd.Series(values, dtype=object)


def in_files(folder, original, masked, separator=",", **options):
    """The paths of both files, written as CSV."""
    for name, file in (("original", original), ("masked", masked)):
        file.to_csv(folder / f"{name}.csv", index=False, sep=separator, **options)
    return folder / "original.csv", folder / "masked.csv"


def same_pair(first, second):
    pd.testing.assert_frame_equal(first.original, second.original)
    pd.testing.assert_frame_equal(first.masked, second.masked)
    pd.testing.assert_frame_equal(first.variables, second.variables)
    assert first.columns == second.columns and first.notes == second.notes


# Types.


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (np.arange(N), "number"),
        (np.arange(N) / 7, "number"),
        (np.arange(N) % 10, "nominal"),  # ten whole numbers: codes
        (np.arange(N) % 11, "number"),
        ((np.arange(N) % 3) / 2, "number"),  # few, but not whole
        ([True, False] * 20, "nominal"),
        (["TRUE", "false"] * 20, "nominal"),
        (["Bonn", "Ulm"] * 20, "nominal"),
        ([f"{i:05d}" for i in range(N)], "nominal"),  # leading zeros
        ([f"{i}" for i in range(N)], "number"),
        (["0", "0.5", "-1", "+2", "1e3", ".5", "5.", "1E-3"] * 5, "number"),
        ([f"E{i}" for i in range(N)], "nominal"),  # no exponents
        ([f"e{i}" for i in range(N)], "nominal"),
        (["1,5", "2", "-3,25", "0,125"] * 10, "number"),
        ([f"{i},125" for i in range(1, N + 1)], "number"),
        (["1,5", "2.5"] * 20, "nominal"),  # neither way of writing
        (["١", "٢"] * 20, "nominal"),  # digits that are no ASCII
        (["²", "³"] * 20, "nominal"),
        (["1", "1.0", "2", "2.00"] * 10, "nominal"),
        ([f"2001-12-{1 + i % 31:02d}" for i in range(N)], "date"),
        ([f"2001-12-31 10:{i:02d}" for i in range(N)], "date"),
        ([f"2001-12-31T10:{i:02d}:30.5" for i in range(N)], "date"),
        (["9999-12-31", "0001-01-01"] * 20, "date"),
        (["31.12.2001", "1.1.2002"] * 20, "date"),
        (["12/31/2001", "1/1/2002"] * 20, "date"),
        (["31/12/2001 9:30", "01/01/2002 21:30:15"] * 20, "date"),
        (["2001/12/31", "2002/1/1"] * 20, "date"),
        (["31.12.01", "1.1.02"] * 20, "nominal"),  # of which century
        (["31.12.2001", "2002-01-01"] * 20, "nominal"),
        (["31/12/2001", "12/31/2001"] * 20, "nominal"),
        (["12.34.5678", "88.77.6655"] * 20, "nominal"),  # codes
        (["1.234,56", "7"] * 20, "number"),
        (["1,234.56", "7"] * 20, "number"),
        (["1 234,56", "1'234,5"] * 20, "number"),
        (["1\u202f234.5", "2.5"] * 20, "number"),
        (["1.234.56", "7"] * 20, "nominal"),  # a section, a version
        (["12,34", "1.2"] * 20, "nominal"),
        (pd.date_range("2001-01-01", periods=N), "date"),
        (pd.date_range("2001-01-01", periods=N, tz="Europe/Berlin"), "date"),
        (text([datetime.date(2001, 1, 1 + i % 28) for i in range(N)]), "date"),
        (text([datetime.datetime(2001, 1, 1 + i % 28, 12) for i in range(N)]), "date"),
        (text([pd.Timestamp(2001, 1, 1 + i % 28) for i in range(N)]), "date"),
        (text([Decimal(i) / 4 for i in range(N)]), "number"),
        (text([1, 2.5, "3", "4.5"] * 10), "number"),
        (text([True, 1, 0, False] * 10), "nominal"),
        (pd.array(range(N), "Int64"), "number"),
        (pd.array([0.5, 1.5] * 20, "Float32"), "number"),
        (pd.array([True, False] * 20, "boolean"), "nominal"),
        (pd.array(["a", "b"] * 20, "string"), "nominal"),
        (pd.array([str(i) for i in range(N)], "string"), "number"),
        (pd.array(range(N), pd.SparseDtype("int")), "number"),
        (pd.Categorical(["a", "b"] * 20), "nominal"),
        (pd.Categorical(range(N)), "nominal"),
        (pd.Categorical(["a", "b"] * 20, ["b", "a"], ordered=True), "ordinal"),
        ([10**17 + i // 2 for i in range(N)], "nominal"),  # floats cannot tell them apart
        ([str(10**17 + i // 2) for i in range(N)], "nominal"),
        (np.arange(N) + 10**9 / 2, "number"),
        (np.arange(N) + 10**9 - 1, "number"),  # nine digits, the first one
        (np.arange(N) // 2 + 10**12, "number"),  # long, and not all different
        (np.arange(N) / 2 + 10**12, "number"),  # not whole
        (np.linspace(1e17, 2e17, N), "number"),
    ],
)
def test_the_kind_of_a_variable_is_inferred(values, expected):
    pair = column(values)
    assert pair.variables.loc["x", "type"] == expected
    assert pair.variables.loc["x", "state"] == "unmasked"
    assert (pair.original["x"].dtype == float) == (expected in ("number", "date"))


@pytest.mark.parametrize(
    "numbers",
    [
        np.arange(N) + 10**9,
        np.arange(N) + 10**12,
        [str(10**12 + i) for i in range(N)],
        [10**17 + i for i in range(N)],
        [10**30 + i for i in range(N)],
        (np.arange(N) + 10**12).astype(float),
        [None, *np.arange(N - 1) + 10**12],
    ],
)
def test_long_whole_numbers_that_are_all_different_are_left_out_and_named(numbers):
    pair = column(numbers)
    assert pair.variables.loc["x", ["type", "state"]].tolist() == ["identifier", "unmasked"]
    assert pair.columns["x"] == [] and pair.used == ["who"] and "x" not in pair.original
    note = next(note for note in pair.notes if note.startswith("Taken for record numbers"))
    assert ": x. Name the one that says who is who as the key (key=, --key); give those" in note


def test_one_known_number_shows_a_record_number():
    numbers = np.arange(N) + 10**12
    pair = column(numbers, [numbers[0], *[None] * (N - 1)])
    assert pair.variables.loc["x", "type"] == "identifier"


def test_long_names_are_cut_in_messages():
    name = "the answer to question 17b in the third wave"
    file = pd.DataFrame({name: np.arange(N) + 10**12, "who": NAMES})
    (note,) = [note for note in prepare(file, file).notes if note.startswith("Taken for record")]
    assert f": {name[:30]}. Name" in note


def test_record_numbers_are_what_types_or_the_key_say():
    numbers = np.arange(N) + 10**12
    for requested in ("number", "nominal"):
        pair = column(numbers, types={"x": requested})
        assert pair.variables.loc["x", "type"] == requested and pair.used == ["x", "who"]
        assert not any("x" in note.split() for note in pair.notes)
    pair = column(numbers, key="x")
    assert pair.labels.tolist() == list(map(str, numbers)) and pair.used == ["who"]
    # Numbers that the masking made equal are an amount, whatever they were.
    assert kind(numbers, numbers // 4 * 4) == "number"


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["1.234,56", "950", "-7,5", "1.000.000"], [1234.56, 950, -7.5, 1e6]),
        (["1,234.56", "950", "-7.5", "1,000,000"], [1234.56, 950, -7.5, 1e6]),
        (["1'234.56", "12\u2019345", "0.5"], [1234.56, 12345, 0.5]),
        (["1\u00a0234,56", "12\u202f345", "1 000"], [1234.56, 12345, 1000]),
        (["1.234.567", "1.234"], [1234567, 1234]),
        (["1,234,567", "1,234"], [1234567, 1234]),
        (["0,125", "1,125"], [0.125, 1.125]),
        (["1,125", "1,5"], [1.125, 1.5]),
        (["1,125", "12345"], [1.125, 12345]),  # nothing parts the thousands of 12345
        (["1.125", "12345"], [1.125, 12345]),
        (["1,5e3", "2"], [1500, 2]),
        (["31.12.2001", "1.1.2002"], [11687, 11688]),
        (["31/12/2001", "1/1/2002"], [11687, 11688]),
        (["12/31/2001", "1/1/2002"], [11687, 11688]),
        (["31-12-2001 12:00", "1-1-2002 6:00:00"], [11687.5, 11688.25]),
        (["2001/12/31", "2002-01-01"], [11687, 11688]),
    ],
)
def test_numbers_and_dates_are_read_as_people_write_them(values, expected):
    asked = "date" if ":" in values[0] or "2001" in values[0] else "number"
    pair = column((values * N)[:N], types={"x": asked})
    assert pair.original["x"].tolist()[: len(values)] == expected
    assert not any(note.startswith(("No value of x", "No date of x")) for note in pair.notes)


@pytest.mark.parametrize(
    ("values", "other", "expected", "unsure"),
    [
        (["1,234", "950"], None, [1234, 950], True),
        (["1.234", "950"], None, [1.234, 950], True),
        (["1,234", "950"], ["1,5", "950"], [1.234, 950], False),
        (["1.234", "950"], ["1.234,5", "950"], [1234, 950], False),
        (["1.234", "950"], ["1234,5", "950"], [1234, 950], False),
        (["1.234", "950"], ["1.5", "950"], [1.234, 950], False),
        (["1/2/2001", "3/4/2001"], None, [11354, 11415], True),
        (["1/12/2001", "3/4/2001"], None, [11657, 11415], True),  # there is a month 12
        (["1/2/2001", "3/4/2001"], ["1/2/2001", "3/14/2001"], [11324, 11385], False),
        (
            ["1/2/2001", "3/4/2001"],
            ["21/2/2001", "3/4/2001"],
            [11354, 11415],
            False,
        ),
    ],
)
def test_where_a_column_does_not_show_how_it_is_written_the_other_file_does(
    values, other, expected, unsure
):
    asked = "date" if "2001" in values[0] else "number"
    pair = column(values * 20, None if other is None else other * 20, types={"x": asked})
    assert pair.original["x"].tolist()[:2] == expected
    assert unsure == any(note.startswith(("No value of x", "No date of x")) for note in pair.notes)


def test_a_pair_written_with_decimal_commas_is_the_pair_written_with_points(tmp_path):
    rng = np.random.default_rng(3)
    file = pd.DataFrame({"income": rng.lognormal(8, 1, N).round(2), "age": rng.integers(18, 90, N)})
    masked = file.assign(income=(file["income"] * rng.uniform(0.9, 1.1, N)).round(2))
    plain = prepare(*in_files(tmp_path, file, masked))
    swap = str.maketrans(",.", ".,")
    for original, other in (("german", "german"), ("german", "plain"), ("plain", "english")):
        files = []
        for frame, written in ((file, original), (masked, other)):
            texts = [f"{value:,.2f}" for value in frame["income"]]
            if written == "german":
                texts = [text.translate(swap) for text in texts]
            elif written == "plain":
                texts = [text.replace(",", "") for text in texts]
            files.append(frame.assign(income=texts))
        again = prepare(*in_files(tmp_path, *files, separator=";"))
        same_pair(plain, again)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (["12 kg", "7 kg", "9 kg"], "look like numbers: x"),
        (["€ 12", "€ 7,50", "€ 9"], "look like numbers: x"),
        (["12%", "7%", "9%"], "look like numbers: x"),
        (["12", "7", "<5", "unknown"], "look like numbers: x"),
        (["1.5", "2,5", "3.5"], "look like numbers: x"),
        (["31.12.01", "1.1.02"], "look like dates: x"),
        (["100.12.2001", "101.11.2002"], "look like dates: x"),  # and are numbers of files, say
        (["31 Dec 2001", "1. Januar 2002"], "look like dates: x"),
        (["December 31, 2001", "May 1, 2002"], "look like dates: x"),
        (["2001-12", "2002-01"], "look like dates: x"),
        (["31.12.2001", "2001-12-31"], "look like dates: x"),
        (["1", "2", "3"], "whole numbers with 10 different values at most: x"),
        ([str(10**16), str(10**17)], "whole numbers of more than 15 digits: x"),
    ],
)
def test_a_column_that_looks_like_numbers_or_dates_and_is_categories_is_named(values, words):
    pair = column(values * (N // len(values)) + values[: N % len(values)])
    assert pair.variables.loc["x", "type"] == "nominal"
    (note,) = [note for note in pair.notes if note.startswith("Read as categories")]
    assert words in note and "(types=, --types)" in note
    asked = column(values * (N // len(values)) + values[: N % len(values)], types={"x": "nominal"})
    assert not any(note.startswith("Read as categories") for note in asked.notes)


@pytest.mark.parametrize(
    "values",
    [
        ["Bonn", "Ulm"],
        ["A12", "B7"],
        ["01067", "80331"],
        ["01", "02", "10", "11"],
        ["20-39", "40-59"],
        ["x", "1"],
        ["true"],
    ],
)
def test_texts_and_codes_are_not_said_to_look_like_numbers(values):
    pair = column((values * N)[:N]) if "x" not in values else column(["x", "y", "1", "z"] * 10)
    assert not any(note.startswith("Read as categories") for note in pair.notes)


def test_what_is_different_for_everybody_and_was_left_is_named():
    file = pd.DataFrame({"no": range(N), "income": np.arange(N) / 7, "sex": ["f", "m"] * 20})
    (note,) = [note for note in prepare(file, file).notes if "Different for every person" in note]
    assert note.startswith("Different for every person, and left as they were: no. If one of")
    assert "name it as the key" in note
    assert not any("Different" in note for note in prepare(file, file, key="no").notes)
    both = file.assign(number=range(N))
    (note,) = [note for note in prepare(both, both, key="no").notes if "Different" in note]
    assert "left as they were: number. If" in note and "remove it, so that it is not" in note
    assert not any("Different" in n for n in prepare(file, file, types={"no": "number"}).notes)


@pytest.mark.parametrize(
    ("values", "requested", "expected"),
    [
        (np.arange(N) % 3, "number", [0.0, 1.0, 2.0]),
        (np.arange(N) % 3, "ordinal", [0.0, 1.0, 2.0]),
        (["10", "9"] * 20, "ordinal", [10.0, 9.0]),
        (np.arange(N) % 3, [2, 1, 0], ["0", "1", "2"]),
        ((np.arange(N) % 3).astype(float), ["2", "1", "0"], ["0", "1", "2"]),
        (["low", "high"] * 20, ("low", "mid", "high"), ["low", "high"]),
        (
            ["None", "some"] * 20,
            ["None", "some"],
            ["None", "some"],
        ),  # the order says that it is a category
        (np.arange(N), "nominal", [0.0, 1.0, 2.0]),
        (["10.1", "10.10"] * 20, "nominal", ["10.1", "10.10"]),
        ([f"2001-12-{1 + i % 31:02d}" for i in range(N)], "nominal", ["2001-12-01", "2001-12-02"]),
        (["2001-12-31", "2002-01-02"] * 20, "date", [11687.0, 11689.0]),
        (["2001-02-30", "x"] * 20, "nominal", ["2001-02-30", "x"]),
        ([1e300, 0.5] * 20, "number", [1e300, 0.5]),
        (["1,234", "950"] * 20, "nominal", [1234.0, 950.0]),
        (pd.Categorical(["a", "b"] * 20, ["b", "a"], ordered=True), "nominal", ["a", "b"]),
    ],
)
def test_the_kind_that_is_asked_for_is_taken(values, requested, expected):
    pair = column(values, types={"x": requested})
    assert pair.variables.loc["x", "type"] == (
        "ordinal" if isinstance(requested, (list, tuple)) else requested
    )
    assert pair.original["x"].tolist()[: len(expected)] == expected
    if isinstance(requested, (list, tuple)):
        assert (
            pair.original["x"].cat.categories.tolist() == list(map(str, requested))
            and pair.original["x"].cat.ordered
        )


@pytest.mark.parametrize(
    ("original", "masked"),
    [
        (np.arange(N), [str(i) for i in range(N)]),
        (np.arange(N), [f"{i}.0" for i in range(N)]),
        ([f"{i},5" for i in range(N)], [f"{i}.5" for i in range(N)]),
        (np.arange(N) % 3, (np.arange(N) % 3).astype(float)),
        (["1", "2"] * 20, ["1.0", "2.0"] * 20),
        ([True, False] * 20, ["TRUE", "FALSE"] * 20),
        (pd.array([True, None] * 20, "boolean"), text([True, None] * 20)),
        (["Bonn ", " Ulm"] * 20, ["Bonn", "Ulm"] * 20),
        (
            pd.date_range("2001-01-01", periods=N),
            [str(day.date()) for day in pd.date_range("2001-01-01", periods=N)],
        ),
        (
            pd.Categorical(pd.to_datetime(["2001-01-01", "2001-01-02"] * 20)),
            ["2001-01-01", "2001-01-02"] * 20,
        ),
        (pd.Categorical(["a", "b"] * 20), ["a", "b"] * 20),
        (pd.Categorical(["a", "b"] * 20, ["b", "a"], ordered=True), ["a", "b"] * 20),
        (
            pd.Categorical([1, 2] * 20, [1, 2, 3], ordered=True),
            pd.Categorical(["1", "2"] * 20, ["1", "2"], ordered=True),
        ),
        ([0.5, np.nan] * 20, ["0.5", "NA"] * 20),
        (text([1, None] * 20), [1.0, np.nan] * 20),
        (["a", "?"] * 20, text(["a", None] * 20)),
        (pd.array([1, None] * 20, "Int64"), ["1", ""] * 20),
        (["01", "10"] * 20, text(["01", "10"] * 20)),
        (["1", "x"] * 20, text([1, "x"] * 20)),
        (["1", "x"] * 20, text([1.0, "x"] * 20)),
    ],
)
def test_what_is_written_in_two_ways_is_the_same(original, masked):
    for files in ((original, masked), (masked, original)):
        pair = column(*files)
        assert pair.variables.loc["x", "state"] == "unmasked"
        assert pair.variables.loc["x", "changed"] == 0


def test_codes_with_leading_zeros_are_codes_where_one_file_has_none_of_these():
    pair = column(["01", "10", "35", "10"] * 10, ["10", "10", "35", "10"] * 10)
    assert (
        pair.variables.loc["x", "type"] == "nominal" and pair.variables.loc["x", "changed"] == 0.25
    )


def test_numbers_beside_a_file_in_which_all_are_missing_stay_numbers():
    for values, expected in (
        (np.arange(N), "number"),
        (pd.date_range("2001-01-01", periods=N), "date"),
        (["a", "b"] * 20, "nominal"),
    ):
        pair = column(values, [None] * N)
        assert pair.variables.loc["x", ["type", "state"]].tolist() == [expected, "suppressed"]


def test_a_variable_that_is_missing_in_both_files_is_nothing_in_particular():
    pair = column([None] * N, [None] * N)
    assert pair.variables.loc["x", ["type", "state"]].tolist() == ["nominal", "constant"]


def test_the_order_of_one_file_holds_for_both():
    sizes = ["S", "M", "L", "XL"]
    ordered = pd.Categorical(["S", "M", "L", "M"] * 10, sizes, ordered=True)
    for other in (
        ["S", "L"] * 20,
        pd.Categorical(["S", "L"] * 20),
        pd.Categorical(["S", "L"] * 20, ["S", "L"], ordered=True),
    ):
        for files in ((ordered, other), (other, ordered)):
            pair = column(*files)
            assert (
                pair.original["x"].cat.categories.tolist()
                == sizes
                == pair.masked["x"].cat.categories.tolist()
            )
            assert pair.variables.loc["x", "type"] == "ordinal"


def test_categories_that_do_not_occur_are_not_looked_at():
    assert (
        kind(pd.Categorical(["1", "2"] * 20, ["1", "2", "unknown"]), types={"x": "number"})
        == "number"
    )


def test_both_files_have_one_dtype():
    pair = column(["a", "b", "c", "b"] * 10, ["a", "b", "other", "b"] * 10)
    assert pair.original["x"].dtype == pair.masked["x"].dtype
    assert pair.original["x"].cat.categories.tolist() == ["a", "b", "c", "other"]


def test_dates_are_days():
    pair = column(["1970-01-01", "1970-01-02 12:00", "1969-12-31", None] * 10)
    assert pair.original["x"].tolist()[:3] == [0.0, 1.5, -1.0]


def test_the_files_given_are_not_changed():
    original = pd.DataFrame(
        {"id": range(N), "x": [" a", "NA"] * 20, "y": pd.Categorical(["b", None] * 20)}
    )
    before = original.copy(deep=True)
    prepare(original, original.iloc[::-1], key="id")
    pd.testing.assert_frame_equal(original, before)


# Missing values.


def test_a_missing_number_has_the_mean_of_its_file_and_a_column_that_says_so():
    pair = column([1.5, None, 2.5, 3.5] * 10, [2.5, 3.5, None, 4.5] * 10)
    assert pair.columns["x"] == ["x", "x (missing)"]
    assert pair.original["x"].tolist()[:4] == [1.5, 2.5, 2.5, 3.5] and pair.masked["x"].tolist()[
        :4
    ] == [2.5, 3.5, 3.5, 4.5]
    assert pair.original["x (missing)"].tolist()[:4] == ["known", "missing", "known", "known"]
    assert pair.masked["x (missing)"].tolist()[:4] == ["known", "known", "missing", "known"]
    assert pair.variables.loc["x", ["missing", "missing masked", "changed"]].tolist() == [
        0.25,
        0.25,
        1.0,
    ]
    assert (
        pair.numbers == ["x"]
        and pair.used == ["x", "who"]
        and pair.columns["x"] == ["x", "x (missing)"]
    )


def test_a_missing_category_is_a_category():
    pair = column(["a", None, "b", "(missing)"] * 10, ["a", "b", None, "b"] * 10)
    assert pair.original["x"].tolist()[:4] == ["a", "(missing)'", "b", "(missing)"]
    assert pair.masked["x"].tolist()[:4] == ["a", "b", "(missing)'", "b"]
    assert pair.columns["x"] == ["x"]


def test_numbers_that_are_all_missing_in_one_file():
    pair = column(np.arange(N), [None] * N)
    assert pair.masked["x"].tolist() == [0.0] * N and set(pair.masked["x (missing)"]) == {"missing"}


@pytest.mark.parametrize(
    "marker", ["", " ", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "?", "."]
)
def test_markers_of_missing_values(marker, tmp_path):
    file = pd.DataFrame(
        {
            "x": text(["1.5", marker, "2.5", "3"] * 10),
            "y": text(["a", "b", marker, "c"] * 10),
            "z": range(N),
        }
    )
    for original, masked in ((file, file), in_files(tmp_path, file, file)):
        pair = prepare(original, masked)
        assert pair.variables["type"].tolist() == ["number", "nominal", "number"]
        assert pair.variables["missing"].tolist() == [0.25, 0.25, 0]


def test_a_column_called_like_the_one_that_says_what_is_missing():
    original = pd.DataFrame(
        {"x": [1.5, None] * 20, "x (missing)": [None, 2.5] * 20, "x (missing)'": range(N)}
    )
    pair = prepare(original, original)
    assert pair.columns == {
        "x": ["x", "x (missing)''"],
        "x (missing)": ["x (missing)", "x (missing) (missing)"],
        "x (missing)'": ["x (missing)'"],
    }
    assert not pair.original.isna().any(axis=None) and pair.original.columns.is_unique


def test_names_that_are_numbers_and_the_same_as_texts():
    original = pd.DataFrame(
        {1: [1.5, None] * 20, "1": [None, 2.5] * 20, 2.5: range(N), "row": range(N)}
    )
    pair = prepare(original, original)
    assert pair.original.shape == (N, 6) and sum(map(len, pair.columns.values())) == 6


# Who is who.


def people(n=N, seed=1):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "id": [f"p{i}" for i in range(n)],
            "age": rng.normal(40, 9, n),
            "born": pd.date_range("1950-01-01", periods=n),
            "town": rng.choice(["Bonn", "Ulm", "Trier", None], n),
            "income": np.where(rng.random(n) < 0.2, np.nan, rng.normal(50, 9, n)),
        }
    )


def masked_people(n=N):
    rng, file = np.random.default_rng(7), people(n)
    return file.assign(
        age=file["age"] + rng.normal(0, 3, n), town=file["town"].where(rng.random(n) < 0.8, "Ulm")
    )


@functools.cache
def prepared_by_key():
    return prepare(people(), masked_people(), key="id")


orders = st.permutations(range(N))


@few
@given(orders, orders)
def test_with_a_key_the_order_of_the_records_does_not_matter(first, second):
    expected = prepared_by_key()
    pair = prepare(
        people().iloc[first], masked_people().iloc[second].reset_index(drop=True), key="id"
    )
    assert pair.labels.tolist() == [f"p{i}" for i in first]
    assert pair.original.index.tolist() == list(range(1, N + 1))
    back = np.argsort(first)
    for prepared, other in ((pair.original, expected.original), (pair.masked, expected.masked)):
        pd.testing.assert_frame_equal(prepared.iloc[back].set_axis(other.index), other, rtol=1e-12)
    pd.testing.assert_frame_equal(pair.variables, expected.variables)


@few
@given(orders)
def test_with_a_key_the_order_in_csv_files_does_not_matter(tmp_path, order):
    expected = prepared_by_key()
    pair = prepare(*in_files(tmp_path, people(), masked_people().iloc[order]), key="id")
    pd.testing.assert_frame_equal(pair.original, expected.original)
    pd.testing.assert_frame_equal(pair.masked, expected.masked)


@few
@given(orders, orders)
def test_without_a_key_records_are_matched_by_index_label(first, second):
    original, masked = people().drop(columns="id"), masked_people().drop(columns="id")
    expected = prepare(original, masked)
    pair = prepare(original.iloc[first], masked.iloc[second])
    assert pair.labels.tolist() == list(first)
    back = np.argsort(first)
    pd.testing.assert_frame_equal(
        pair.masked.iloc[back].set_axis(expected.masked.index), expected.masked, rtol=1e-12
    )
    pd.testing.assert_frame_equal(pair.variables, expected.variables)


@pytest.mark.parametrize(
    "index",
    [
        pd.RangeIndex(5, N + 5),
        pd.Index([f"p{i}" for i in range(N)]),
        pd.date_range("2001-01-01", periods=N),
        pd.MultiIndex.from_product([range(5), range(8)]),
        pd.Index([np.nan, *range(N - 1)]),
    ],
)
def test_labels_of_any_kind(index):
    original, masked = (
        people().drop(columns="id").set_axis(index),
        masked_people().drop(columns="id").set_axis(index),
    )
    pair = prepare(original, masked.sample(frac=1, random_state=1))
    assert pair.variables.loc["born", "state"] == "unmasked" and len(pair) == N
    assert pair.labels.equals(index)


def test_where_one_file_is_a_csv_file_records_are_matched_by_order(tmp_path):
    """Labels from 1 in one file and places from 0 in the other would be matched one off."""
    original, masked = people().drop(columns="id"), masked_people().drop(columns="id")
    _, path = in_files(tmp_path, original, masked)
    pair = prepare(original.set_axis(range(1, N + 1)), path)
    assert len(pair) == N and not pair.notes and pair.variables.loc["born", "state"] == "unmasked"


def test_where_all_persons_are_in_both_files_none_is_said_to_be_left_out():
    assert prepare(people(), masked_people().iloc[::-1], key="id").notes == []


def test_persons_in_one_file_only_are_left_out_and_rows_are_those_of_the_original():
    original, masked = people(), masked_people()
    pair = prepare(original.drop(index=[0, 5]), masked.drop(index=[2, 3, 4]).iloc[::-1], key="id")
    assert pair.labels.tolist() == [f"p{i}" for i in range(N) if i not in (0, 2, 3, 4, 5)]
    # p1 is the first row of the original file, p6 the fifth.
    assert pair.original.index.tolist() == [1, *range(5, N - 1)] == pair.masked.index.tolist()
    assert pair.original["age"].tolist() == original["age"].drop([0, 2, 3, 4, 5]).tolist()
    assert [note.split(" only")[0] for note in pair.notes] == [
        "3 records are in the original file",
        "2 records are in the masked file",
    ]
    assert all("the 35 persons in both" in note for note in pair.notes)


@pytest.mark.parametrize(
    "other",
    [
        [f"{i}" for i in range(N)],
        [f" {i}.0" for i in range(N)],
        np.arange(N, dtype=float),
        pd.array(range(N), "Int64"),
        pd.Categorical(range(N)),
    ],
)
def test_a_key_written_in_two_ways(other):
    original, masked = people().assign(id=range(N)), masked_people().assign(id=other)
    pair = prepare(original, masked.iloc[::-1], key="id")
    assert (
        len(pair) == N
        and pair.variables.loc["born", "state"] == "unmasked"
        and "id" not in pair.variables.index
    )


def test_long_keys_are_told_apart():
    keys = [10**17 + i for i in range(N)]
    pair = prepare(
        people().assign(id=keys), masked_people().assign(id=list(map(str, keys))), key="id"
    )
    assert len(pair) == N


def test_columns_of_one_file_are_noted_and_not_used():
    files = people().drop(columns="id").assign(height=1), people().drop(columns="id")
    pair = prepare(files[0].assign(weight=2), files[1].assign(shoe=3))
    assert pair.notes == [
        "In the original file only, and so not linked on: height, weight.",
        "In the masked file only, and so not linked on: shoe.",
    ]
    assert pair.variables.index.tolist() == ["age", "born", "town", "income"]


def test_columns_are_matched_by_name_in_any_order():
    same_pair(
        prepare(people(), masked_people()[["town", "income", "born", "id", "age"]]),
        prepare(people(), masked_people()),
    )


def test_names_without_letters_are_told_apart():
    pair = prepare(people().assign(**{"%": 1}), people().assign(**{"€": 1}))
    assert len([note for note in pair.notes if note.startswith("In the ")]) == 2


# Files that belong together.


@pytest.mark.parametrize("n", [10, 12, 16, 30])
def test_few_records_can_show_that_they_belong_together(n):
    rng = np.random.default_rng(n)
    original = pd.DataFrame({"x": np.sort(rng.normal(size=n))})
    masked = original.iloc[[1, 0, *range(2, n)]].reset_index(drop=True)  # not in the same order
    assert prepare(original, masked).variables.loc["x", "state"] == "masked"


def test_numbers_of_which_there_are_two_show_that_they_belong_together():
    x = pd.Series([1000.5, 2000.5, 2000.5, 1000.5, 1000.5] * 8)
    noise = np.random.default_rng(1).normal(size=40)
    pair = prepare(pd.DataFrame({"x": x}), pd.DataFrame({"x": x + noise}), types={"x": "number"})
    assert pair.variables.loc["x", "state"] == "masked"


def test_categories_tell_each_other_as_much_as_chi_squared_says():
    def strength(one, two):
        return np.cbrt(stats.chi2_contingency(pd.crosstab(one, two), False).statistic / len(one))

    names, answers = [f"{file}{code}" for file in "ab" for code in range(4)], []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        one = rng.choice(4, 60, p=[0.7, 0.1, 0.1, 0.1])
        two = np.where(rng.random(60) < seed / 100, (one + 1) % 4, rng.permutation(one)) + 4
        frames = [
            pd.DataFrame({"x": pd.Categorical.from_codes(codes, names)}) for codes in (one, two)
        ]
        rng = np.random.default_rng(0)
        rng.permutation(60)  # which records are looked at: all
        chance = [strength(one, rng.permutation(two)) for _ in range(30)]
        least = np.mean(chance) + 4 * max(np.std(chance), 1 / 60)
        answers.append(strength(one, two) > least)
        assert records_look_aligned(*frames) == answers[-1], seed
    assert 10 < sum(answers) < 50


def test_categories_that_all_have_new_names_show_that_they_belong_together():
    rng = np.random.default_rng(3)
    town = pd.Series(rng.choice(["Bonn", "Essen", "Ulm", "Aalen"], 200))
    region = town.map({"Bonn": "west", "Essen": "west", "Ulm": "south", "Aalen": "south"})
    assert (
        prepare(pd.DataFrame({"town": town}), pd.DataFrame({"town": region})).variables.loc[
            "town", "state"
        ]
        == "masked"
    )
    with pytest.raises(FilesError, match="nothing to do with each other"):
        prepare(
            pd.DataFrame({"town": town}),
            pd.DataFrame({"town": region.sample(frac=1, random_state=1).to_numpy()}),
        )


def test_names_of_which_some_are_left_show_that_they_belong_together():
    rng = np.random.default_rng(3)
    original = pd.Series([f"name {i}" for i in range(200)])
    masked = original.where(rng.random(200) < 0.3, "pseudonym " + original)
    assert len(prepare(pd.DataFrame({"name": original}), pd.DataFrame({"name": masked}))) == 200


# What was masked.


def state(values, masked):
    return column(values, masked).variables.loc["x", "state"]


different = st.lists(st.integers(-(10**6), 10**6), min_size=12, max_size=N, unique=True)


@few
@given(different)
def test_a_file_beside_itself_is_unmasked(values):
    assert state(values, values) == "unmasked"


@few
@given(different, st.integers(1, 50), st.integers(-1000, 1000), st.booleans())
def test_the_same_order_or_the_opposite_is_rescaled(values, factor, shift, decreasing):
    masked = [(-factor if decreasing else factor) * value + shift for value in values]
    assert state(values, masked) == ("rescaled" if masked != values else "unmasked")


@few
@given(different, st.data())
def test_another_order_is_masked(values, data):
    masked = data.draw(st.permutations(values))
    ranks = [x for _, x in sorted(zip(values, masked, strict=True))]
    expected = (
        "unmasked"
        if masked == values
        else "rescaled"
        if ranks in (sorted(ranks), sorted(ranks)[::-1])
        else "masked"
    )
    assert state(values, masked) == expected


@few
@given(
    st.lists(st.sampled_from("abcdef"), min_size=12, max_size=N),
    st.permutations("abcdef"),
    st.permutations("uvwxyz"),
)
def test_categories_with_other_names_are_renamed(values, names, others):
    if len(set(values)) == 1:
        assert state(values, values) == "constant"
        return
    rename = dict(zip("abcdef", names, strict=True))
    expected = "unmasked" if all(rename[value] == value for value in values) else "renamed"
    assert state(values, [rename[value] for value in values]) == expected
    assert (
        state(values, [dict(zip("abcdef", others, strict=True))[value] for value in values])
        == "renamed"
    )


@few
@given(st.lists(st.sampled_from("abcdef"), min_size=12, max_size=N), st.data())
def test_one_changed_value_is_enough(values, data):
    place = data.draw(st.integers(0, len(values) - 1))
    masked = [*values]
    masked[place] = "other"
    expected = (
        "constant"
        if len(set(values)) == 1
        else "renamed"
        if values.count(values[place]) == 1
        else "suppressed"
        if len(set(masked)) == 1
        else "masked"
    )
    pair = column(values, masked)
    assert pair.variables.loc["x", "state"] == expected
    assert pair.variables.loc["x", "changed"] == pytest.approx(1 / len(values))


@pytest.mark.parametrize(
    ("values", "masked", "expected"),
    [
        (["a", "b"] * 20, ["*"] * 40, "suppressed"),
        (["a", "b"] * 20, [None] * 40, "suppressed"),
        (["a", "b"] * 20, ["a", None] * 20, "masked"),  # a missing one is not the other's new name
        (["a", None] * 20, ["a", None] * 20, "unmasked"),
        (["a", None] * 20, ["a", "a"] * 20, "suppressed"),
        (["a", None, "b", "a"] * 10, ["x", None, "y", "x"] * 10, "renamed"),
        (["a"] * 40, ["a", "b"] * 20, "constant"),
        ([None] * 40, ["a", "b"] * 20, "constant"),
        (["a", None] * 20, ["b", "c"] * 20, "masked"),
        ([1, 2, 3, 4] * 10, [2, 1, 3, 4] * 10, "renamed"),
        (NAMES, NAMES[::-1], "masked"),  # pseudonyms
        ([f"a{i // 2}" for i in range(40)], [f"b{i // 2}" for i in range(40)], "renamed"),
        ([f"a{i % 21}" for i in range(40)], [f"b{i % 21}" for i in range(40)], "masked"),
        (NAMES, [f"person {i}" for i in range(40)], "masked"),
        (
            np.arange(40) / 3,
            (np.arange(40) / 3).round(14),
            "unmasked",
        ),  # written by a program with fewer digits
        (np.arange(40) / 3, (np.arange(40) / 3).round(9), "rescaled"),
        (
            np.arange(40) + 10**14,
            np.r_[np.arange(39), 40] + 10**14,
            "rescaled",
        ),  # whole numbers have no such excuse
        (np.arange(40) // 2 + 10**14, np.r_[np.arange(39) // 2, 20] + 10**14, "masked"),
        ([10**17 + i for i in range(40)], [10**17 + i + (i == 3) for i in range(40)], "masked"),
        (np.arange(40), np.r_[1, 0, np.arange(2, 40)], "masked"),
        (np.arange(40), np.arange(40) // 2, "masked"),
        ([1.5, None] * 20, [1.5, 2.5] * 20, "masked"),
        ([1.5, None, 2.5, 3.5] * 10, [3.0, None, 5.0, 7.0] * 10, "rescaled"),
        (
            pd.date_range("2001-01-01", periods=40),
            pd.date_range("2001-01-02", periods=40),
            "rescaled",
        ),
        ([True, False] * 20, [False, True] * 20, "renamed"),
    ],
)
def test_states(values, masked, expected):
    assert state(values, masked) == expected


def test_a_constant_variable_is_listed_and_not_used():
    pair = column([1] * N, range(N))
    assert pair.columns["x"] == [] and pair.used == ["who"] and "x" not in pair.original
    assert pair.variables.loc["x", ["different", "different masked"]].tolist() == [1, N]


# Random files, some of whose variables are masked by some method.

NUMERIC = [
    lambda file, rng: add_noise(file, rng.uniform(0.001, 50), rng),
    lambda file, rng: rank_swap(file, rng.uniform(0, 20), rng),
    lambda file, rng: microaggregate(file, int(rng.integers(1, 8))),
    lambda file, rng: file.round(1),
]
CATEGORICAL = [
    lambda file, rng: pram(file, rng.uniform(0, 1), rng),
    lambda file, rng: recode_rare(file, int(rng.integers(0, 3))),
    lambda file, rng: recode_rare(file, int(rng.integers(0, 3)), into="existing"),
]


def random_file(rng):
    n, columns = int(rng.integers(12, 120)), {}
    for i in range(rng.integers(2, 7)):
        draw = rng.integers(4)
        values = (
            rng.normal(size=n).round(int(rng.integers(0, 8)))
            if draw == 0
            else rng.lognormal(8, 2, n)
            if draw == 1
            else rng.integers(0, int(rng.integers(2, 1000)), n)
            if draw == 2
            else rng.choice([f"c{c}" for c in range(rng.integers(2, 9))], n)
        )
        missing = rng.random(n) < rng.choice([0, 0, 0.1, 0.5])
        values = pd.Series(values).mask(missing)
        columns[f"v{i}"] = values.astype("category") if draw == 3 else values
    return pd.DataFrame(columns)


def masked_column(values, rng):
    known = values.dropna().to_frame()
    if known.empty:
        return values
    methods = CATEGORICAL if isinstance(values.dtype, pd.CategoricalDtype) else NUMERIC
    if len(known) < 8 and methods is NUMERIC:
        methods = NUMERIC[:2]
    return methods[rng.integers(len(methods))](known, rng)[values.name].reindex(values.index)


@pytest.mark.parametrize("seed", range(40))
def test_exactly_the_variables_that_were_left_alone_are_unmasked(seed, tmp_path):
    rng = np.random.default_rng(seed)
    original = random_file(rng)
    masked = original.copy()
    for name in original:
        if rng.random() < 0.6:
            masked[name] = masked_column(original[name], rng)
    key = pd.Series([f"k{i}" for i in range(len(original))])
    # A method can leave everything as it was, by chance or by its parameter; then nothing was
    # masked.
    before, after = original.astype(object), masked.astype(object)
    alone = ((before == after) | before.isna() & after.isna()).all()
    varied = original.nunique() + original.isna().any() > 1
    if not varied.any():
        return
    files = original.assign(key=key), masked.assign(key=key).sample(frac=1, random_state=seed)
    for first, second in (files, in_files(tmp_path, *files)):
        variables = prepare(first, second, key="key", aligned=True).variables
        assert set(variables.index[variables["state"] == "unmasked"]) == set(
            original.columns[alone & varied]
        )
        assert set(variables.index[variables["state"] == "constant"]) == set(
            original.columns[~varied]
        )
        assert ((variables["changed"] == 0) == alone).all()


# CSV files.


def everything():
    file = people()
    return file.assign(
        flag=[True, False] * 20,
        code=[f"{i % 7:03d}" for i in range(N)],
        kids=np.arange(N) % 4,
        note=['a, "quoted" b', "two\nlines", "semi;colon", None] * 10,
        moment=pd.date_range("2001-01-01", periods=N, freq="7h"),
        count=pd.array([1, None] * 20, "Int64"),
    )


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"encoding": "utf-8-sig"},
        {"lineterminator": "\r\n"},
        {"lineterminator": "\r", "quoting": 1},
        {"quoting": 1},
        {"na_rep": "NA"},
    ],
    ids=["plain", "byte order mark", "CRLF", "CR", "all quoted", "NA"],
)
def test_csv_files_and_frames_give_the_same_pair(separator, options, tmp_path):
    original = everything()
    masked = original.assign(
        age=original["age"] * 1.1 + np.sin(range(N)),
        code=original["code"].str.replace("003", "004"),
    )
    paths = in_files(tmp_path, original, masked, separator, **options)
    expected = prepare(original, masked)
    same_pair(prepare(*paths), expected)
    same_pair(prepare(*map(str, paths)), expected)
    same_pair(prepare(original, paths[1]), expected)


def written(folder, content):
    path = folder / "file.csv"
    path.write_bytes(content.encode())
    return path


def test_decimal_commas(tmp_path):
    file = pd.DataFrame({"x": np.arange(N) / 4, "y": np.arange(N) % 5, "z": np.arange(N) * 1000.5})
    paths = in_files(tmp_path, file, file + 0.25, ";", decimal=",")
    same_pair(prepare(*paths), prepare(file, file + 0.25))


@pytest.mark.parametrize(
    ("header", "record", "names"),
    [
        ("age, town", '{i}, "Ulm, {i}"', ["age", "town"]),  # a space before the quote
        ("age;town, country", "{i};Ulm, D{i}", ["age", "town, country"]),
        ('"age, in years";town', "{i};Ulm {i}", ["age, in years", "town"]),
        ("\n\nage,town", "{i},Ulm {i}", ["age", "town"]),
        ("age,town", "{i},Ulm {i}\n\n  ", ["age", "town"]),  # empty lines between
        ("age\ttown", "{i}\t", ["age", "town"]),
        ("full name", "Smith{i}", ["full name"]),
        ('"full name"', '"John Smith{i}"', ["full name"]),
        ("time", "10:{i}", ["time"]),
        ("2019,2020", "{i},1{i}", ["2019", "2020"]),
    ],
)
def test_csv_files_as_people_write_them(header, record, names, tmp_path):
    path = written(
        tmp_path,
        "\n".join([header, *(record.replace("{i}", str(i)) for i in range(10, 30))]) + "\n\n \n",
    )
    pair = prepare(path, path)
    assert list(pair.variables.index) == names and len(pair) == 20
    assert set(pair.variables["state"]) <= {"unmasked", "constant"}


def test_an_empty_line_in_a_file_of_one_column_is_a_missing_value(tmp_path):
    path = written(tmp_path, "x\n" + "1.5\n\n2.5\n" * 10)
    pair = prepare(path, path)
    assert len(pair) == 30 and pair.variables.loc["x", "missing"] == pytest.approx(1 / 3)


def test_a_record_of_separators_is_a_record(tmp_path):
    path = written(tmp_path, "x,y\n" + "1,2\n3,4\n,\n" * 10)
    assert len(prepare(path, path)) == 30


def test_more_records_than_are_held_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr("rlpaper.risk.files.CHUNK_RECORDS", 7)
    paths = in_files(tmp_path, everything(), everything())
    same_pair(prepare(*paths), prepare(everything(), everything()))


# Whatever people give.

cells = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.dates(),
    st.datetimes(),
    st.decimals(allow_nan=False),
    st.binary(max_size=2),
    st.complex_numbers(),
    st.timedeltas(),
    st.lists(st.integers(), max_size=2),
    st.sampled_from(["1", "1.0", "01", "NA", "2001-02-30", "1,5"]),
)


@few
@given(
    st.lists(st.lists(cells, min_size=10, max_size=10), min_size=2, max_size=4),
    st.sampled_from([None, "number", "date", "nominal", "ordinal", ["1"]]),
)
def test_any_values_are_prepared_or_refused(columns, requested):
    half = len(columns) // 2
    files = [
        pd.DataFrame({f"c{i}": text(values) for i, values in enumerate(some)})
        for some in (columns[:half], columns[half:])
    ]
    try:
        pair = prepare(*files, types={"c0": requested}, aligned=True)
    except FilesError as error:
        assert "\n" not in str(error)
    else:
        assert not pair.original.isna().any(axis=None) and not pair.masked.isna().any(axis=None)


@few
@given(st.text(st.sampled_from('ab1.,;|\t" \n\r?é\ufeff'), max_size=60), st.integers(0, 12))
def test_any_text_is_read_or_refused(tmp_path, content, times):
    path = written(tmp_path, content + "\n1,2" * times)
    try:
        pair = prepare(path, path)
    except FilesError as error:
        assert "\n" not in str(error) and "; " in str(error)
    else:
        assert set(pair.variables["state"]) <= {"unmasked", "constant"}
