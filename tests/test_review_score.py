"""Display modes and the KAPR score of li2019.

Printed cells, examples by hand, independent counts, properties, bad inputs.
"""

import itertools
from collections import Counter
from fractions import Fraction
from functools import cache
from os.path import commonprefix
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from rapidfuzz.distance import OSA, Indel, LCSseq

from rlpaper.review import k_anonymity, kapr
from rlpaper.review.differences import MARKUPS, align_dates, align_names, align_strings, date_parts
from rlpaper.review.display import ATTRIBUTE_TYPES, MODES, Comparison
from rlpaper.review.score import COUNTINGS, PrivacyScore

PUBLISHED = Path(__file__).resolve().parent.parent / "data" / "published"
TYPES = {"String": "string", "Varchar": "name", "Date": "date", "Category": "category"}
EXAMPLE = {"name": "name", "dob": "date", "race": "category"}
PERSON = {"id": "string", "name": "name", "dob": "date", "race": "category"}
# fmt: off
DATES = ["08/09/1964", "09/08/1964", "08/09/1946", "18/09/1964", "28/12/1999"]
# fmt: on
# fmt: off
NAMES = ["MARTHA", "MARHTA", "MARTA", "M.RTHAS",
         "SANCHEZ (JR", "SANCHEZ", "SANCHES (JR", "SANHCEZ (J."]
# fmt: on
# The symbols of a row, as the other row has them.
OTHER = str.maketrans("@&", "&@")
TURNED = {"inserted": "deleted", "deleted": "inserted"}
some = settings(max_examples=40)


def published(name):
    return pd.read_csv(PUBLISHED / f"li2019_{name}.csv", dtype=str, keep_default_na=False)


def example(modes, **options):
    """The example of the paper, every pair of its four records."""
    records = published("table2_records").set_index("id")
    return kapr(records, itertools.combinations(records.index, 2), EXAMPLE, modes, **options)


def texts(first, second, kind, mode, **options):
    pair = Comparison(first, second, kind, **options)
    return pair.text(0, mode), pair.text(1, mode)


def shares(first, second, kind, mode="partial", **options):
    """The share of the characters that is shown, of both rows."""
    pair = Comparison(first, second, kind, **options)
    return tuple(Fraction(pair.disclosed(row, mode), pair.characters(row)) for row in (0, 1))


def markups(first, second, kind, row, **options):
    return [markup for markup, _ in Comparison(first, second, kind, **options).parts(row, "masked")]


@st.composite
def words(draw):
    """One of few texts, edited up to twice.

    It is without the symbols, but with what means something in regular expressions.
    """
    text = draw(st.sampled_from(["MARTHA", "ANNA", "SANCHEZ (JR."]))
    for edit in draw(
        st.lists(st.sampled_from(["deleted", "inserted", "substituted", "transposed"]), max_size=2)
    ):
        place, more = draw(st.integers(0, len(text) - 1)), draw(st.sampled_from("AN."))
        before, here, after = text[:place], text[place : place + 2], text[place + 2 :]
        text = (
            before
            + {
                "deleted": here[1:],
                "inserted": more + here,
                "substituted": more + here[1:],
                "transposed": here[::-1],
            }[edit]
            + after
        )
    return text


values = {
    "string": words() | st.text("AB.", min_size=1, max_size=6),
    "name": st.sampled_from(NAMES) | words(),
    "date": st.sampled_from(DATES),
    "category": st.sampled_from(["White", "Black", "Asian"]),
}
dates_of_few_digits = st.builds("{}{}/{}{}/{}{}{}{}".format, *[st.sampled_from("012")] * 8)


@st.composite
def cells(draw, attribute_types=ATTRIBUTE_TYPES, missing=True):
    """Type and both values of a cell."""
    kind = draw(st.sampled_from(attribute_types))
    value = dates_of_few_digits if kind == "date" else values[kind]
    value = st.one_of(value, value, value, st.none()) if missing else value
    return kind, draw(value), draw(value)


@st.composite
def files(draw, missing=True, least=2):
    """Records with few values in each column, so that many agree."""
    n, columns = draw(st.integers(least, 6)), {}
    for column, kind in PERSON.items():
        few = draw(st.lists(values[kind], min_size=1, max_size=4)) + draw(
            st.sampled_from([[], [None] * missing])
        )
        columns[column] = draw(st.lists(st.sampled_from(few), min_size=n, max_size=n))
    return pd.DataFrame(columns, dtype=object)


choices = st.lists(st.sampled_from(MODES), min_size=len(PERSON), max_size=len(PERSON))
options = st.fixed_dictionaries(
    {"counting": st.sampled_from(COUNTINGS), "dates": st.sampled_from(["digits", "elements"])}
)


@st.composite
def displays(draw, missing=True):
    """The arguments of `kapr`: a file, some of its pairs, one mode per cell, and how to count."""
    records = draw(files(missing))
    pairs = draw(
        st.lists(
            st.sampled_from(list(itertools.combinations(records.index, 2))),
            min_size=1,
            max_size=4,
            unique=True,
        )
    )
    modes = draw(st.lists(choices, min_size=len(pairs), max_size=len(pairs)))
    return {
        "records": records,
        "pairs": pairs,
        "attribute_types": PERSON,
        "modes": modes,
        **draw(options),
    }


def state(frame):
    """The information disclosure state (Definition 4.5): shares over k, as a list of rows."""
    return [
        [frame.loc[row, f"p_{column}"] / int(frame.loc[row, "k"]) for column in PERSON]
        for row in frame.index
    ]


def norm(matrix, kappa=1):
    """Definition 4.6 of a matrix."""
    return Fraction(kappa, len(matrix) * len(matrix[0])) * sum(
        abs(x) for row in matrix for x in row
    )


# Every cell that is printed.


def test_table_1_cell_by_cell():
    for attribute, rows in published("table1_display_modes").groupby("attribute"):
        pair = Comparison(*rows["full"], TYPES[rows["type"].iloc[0]], dates="elements")
        for row, printed in enumerate(rows.to_dict("records")):
            assert {mode: pair.text(row, mode) for mode in MODES} == {
                mode: printed[mode] for mode in MODES
            }, attribute


@pytest.mark.parametrize(
    ("name", "mode"),
    [("table3_masked", "masked"), ("table4_partial", "partial"), ("table5_full", "full")],
)
def test_tables_3_to_5_cell_by_cell(name, mode):
    printed, ours = published(name), example(mode, categories="hidden")
    assert list(ours.columns) == list(printed.columns) and len(ours) == len(printed) == 12
    for column in printed:
        read = (
            Fraction
            if column[0] in "pK" and column != "pair"
            else int
            if column in ("row", "k")
            else str
        )
        assert ours[column].tolist() == printed[column].map(read).tolist(), column


def test_totals_of_the_example():
    printed = published("totals").set_index("state")["KAPR"].map(Fraction).to_dict()
    assert printed == {"masked": 0, "partial": Fraction(31, 432), "full": Fraction(3, 4)}
    assert {mode: example(mode)["K"].sum() for mode in MODES} == printed


def test_the_other_readings_of_table_4():
    assert example("partial", counting="definition")["K"].sum() == Fraction(7, 108)
    assert example("partial", dates="elements")["K"].sum() == Fraction(49, 432)


def test_with_as_many_rows_as_records_full_disclosure_would_exceed_one():
    risk = PrivacyScore(published("table2_records"), EXAMPLE, rows=4)
    total = sum(
        score
        for pair in itertools.combinations(range(4), 2)
        for _, _, score in risk.rows(*pair, ["full"] * 3)
    )
    # N = 4 records instead of 12 rows: three times 3/4.
    assert total == Fraction(9, 4) == 3 * example("full")["K"].sum()


def test_rows_11_and_12_are_displayed_alike_masked_and_partial_but_counted_otherwise():
    # Against Definition 4.4 and Property 4.2; "definition" does not contradict them.
    for counting, ks in ({"agreement": (4, 3), "definition": (4, 4)}).items():
        masked, partial = (
            example(mode, counting=counting, categories="hidden").tail(2)
            for mode in ("masked", "partial")
        )
        assert masked[list(EXAMPLE)].equals(partial[list(EXAMPLE)])
        assert masked["k"].tolist() == [ks[0]] * 2 and partial["k"].tolist() == [ks[1]] * 2


# By hand.


def test_a_transposition():
    assert texts("MARHTA", "MARTHA", "name", "masked") == ("***@&*", "***&@*")
    assert texts("MARHTA", "MARTHA", "name", "partial") == ("***HT*", "***TH*")
    assert shares("MARHTA", "MARTHA", "name") == (Fraction(2, 6), Fraction(2, 6))


def test_an_insertion_shows_in_the_second_row_only():
    assert texts("ANA", "ANNA", "name", "masked") == ("***", "**&*")
    assert texts("ANA", "ANNA", "name", "partial") == ("***", "**N*")
    assert shares("ANA", "ANNA", "name") == (0, Fraction(1, 4))
    assert Comparison("ANA", "ANNA", "name").parts(0, "partial") == [
        ("equal", "**"),
        ("gap", ""),
        ("equal", "*"),
    ]


def test_a_deletion_shows_in_the_first_row_only():
    assert texts("JOHNS", "JOHN", "name", "masked") == ("****@", "****")
    assert texts("JOHNS", "JOHN", "name", "partial") == ("****S", "****")
    assert shares("JOHNS", "JOHN", "name") == (Fraction(1, 5), 0)


def test_a_substitution():
    assert texts("SMITH", "SMYTH", "name", "masked") == ("**@**", "**&**")
    assert texts("SMITH", "SMYTH", "name", "partial") == ("**I**", "**Y**")
    assert shares("SMITH", "SMYTH", "name") == (Fraction(1, 5), Fraction(1, 5))


def test_several_edits_of_one_name():
    # C to K, ATH, E deleted, R, I to Y, N, E deleted: four edits, not more than half of nine.
    pair = "CATHERINE", "KATHRYN"
    assert texts(*pair, "name", "masked") == ("@***@*@*@", "&****&*")
    assert texts(*pair, "name", "partial") == ("C***E*I*E", "K****Y*")
    assert shares(*pair, "name") == (Fraction(4, 9), Fraction(2, 7))
    assert markups(*pair, "name", 0) == [
        "substituted",
        "equal",
        "deleted",
        "equal",
        "substituted",
        "equal",
        "deleted",
    ]


def test_a_string_is_aligned_by_insertions_and_deletions():
    # 12 and 3 are kept; what stands between, x and yz, is substituted; 4 is deleted.
    assert texts("12x34", "12yz3", "string", "masked") == ("**@*@", "**&&*")
    assert texts("12x34", "12yz3", "string", "partial") == ("**x*4", "**yz*")
    assert shares("12x34", "12yz3", "string") == (Fraction(2, 5), Fraction(2, 5))
    # Nothing is transposed in a string: one of both characters is kept.
    assert (
        shares("1243", "1234", "string")
        == (Fraction(1, 4), Fraction(1, 4))
        != shares("1243", "1234", "name")
    )


def test_swapped_month_and_day():
    # Two of eight digits differ; both elements, four digits, are what Table 1 shows.
    pair = "08/09/1964", "09/08/1964"
    assert texts(*pair, "date", "masked") == ("*@/*&/****", "*&/*@/****")
    assert shares(*pair, "date") == (Fraction(2, 8), Fraction(2, 8))
    assert shares(*pair, "date", dates="elements") == (Fraction(4, 8), Fraction(4, 8))
    for show in ("digits", "elements"):
        assert set(markups(*pair, "date", 0, dates=show)) == {"swapped", "equal", "separator"}
    # Elements that are also each other's reverse are swapped, not transposed.
    assert texts("12/21/1999", "21/12/1999", "date", "masked") == ("@@/&&/****", "&&/@@/****")
    assert "transposed" not in markups("12/21/1999", "21/12/1999", "date", 0)


def test_only_a_true_swap_of_month_and_day_is_one():
    # 08 came from the month to the day, but 09 did not go to the month.
    assert texts("08/09/1964", "07/08/1964", "date", "masked") == ("*@/*@/****", "*&/*&/****")
    assert "swapped" not in markups("08/09/1964", "07/08/1964", "date", 0)


def test_transposed_digits_within_an_element():
    pair = "08/09/1964", "08/09/1946"
    assert texts(*pair, "date", "masked") == ("**/**/**@&", "**/**/**&@")
    assert texts(*pair, "date", "partial") == ("**/**/**64", "**/**/**46")
    assert shares(*pair, "date") == (Fraction(2, 8), Fraction(2, 8))
    assert markups(*pair, "date", 0)[-1] == "transposed"
    assert texts(*pair, "date", "masked", dates="elements") == ("**/**/@@@@", "**/**/&&&&")
    # 1212 and 2121: two transpositions, which stay apart.
    assert markups("01/01/1212", "01/01/2121", "date", 1)[-2:] == ["transposed", "transposed"]
    assert texts("01/01/1212", "01/01/2121", "date", "masked") == ("**/**/@&@&", "**/**/&@&@")


def test_dates_that_begin_with_the_year():
    assert texts("19640908", "19640809", "date", "masked") == ("*****@*&", "*****&*@")
    assert texts("19640908", "19640809", "date", "partial") == ("*****9*8", "*****8*9")
    assert texts("1964-09-08", "1964-09-18", "date", "partial") == ("****-**-0*", "****-**-1*")
    assert shares("1964-09-08", "1964-09-18", "date") == (Fraction(1, 8), Fraction(1, 8))
    assert date_parts("1964-09-08") == ["1964", "-", "09", "-", "08"] and date_parts(
        "19640908"
    ) == ["1964", "09", "08"]


def test_equal_values_show_nothing_in_part():
    for kind, value, masked in (
        ("string", "1742", "****"),
        ("name", "ANN", "***"),
        ("date", "08/09/1964", "**/**/****"),
    ):
        assert (
            texts(value, value, kind, "masked")
            == texts(value, value, kind, "partial")
            == (masked, masked)
        )
        assert shares(value, value, kind) == (0, 0) and shares(value, value, kind, "full") == (1, 1)
        assert Comparison(value, value, kind).agreement == "equal"


def test_a_category_shows_nothing_until_it_shows_all():
    pair, alike = Comparison("White", "Asian", "category"), Comparison("White", "White", "category")
    assert pair.modes == alike.modes == ("masked", "full")
    assert (pair.text(0, "masked"), pair.text(1, "masked"), alike.text(0, "masked")) == (
        "@",
        "&",
        "*",
    )
    assert {
        cell.text(0, mode, "hidden") for cell in (pair, alike) for mode in ("masked", "partial")
    } == {"N/A"}
    assert pair.disclosed(0, "partial") == alike.disclosed(0, "partial") == 0
    assert pair.text(1, "full") == "Asian" and shares("White", "Asian", "category", "full") == (
        1,
        1,
    )


def test_names_that_differ_in_more_than_half_of_the_longer_have_no_partial_display():
    # Two edits of four characters, three of six: half. Three of five: more.
    assert (
        Comparison("ABCD", "ABXY", "name").agreement
        == Comparison("ABC", "ABCDEF", "name").agreement
        == "close"
    )
    pair = Comparison("ABCDE", "ABXYZ", "name")
    assert pair.agreement == "different" and pair.modes == ("masked", "full")
    # Five symbols whatever the length.
    assert (
        texts("ABC", "XYZ", "name", "partial")
        == texts("ABC", "XYZ", "name", "masked")
        == ("@@@@@", "&&&&&")
    )
    assert shares("ABC", "XYZ", "name") == (0, 0) and shares("ABC", "XYZ", "name", "full") == (1, 1)
    # A string has no such limit.
    assert shares("ABC", "XYZ", "string") == (1, 1)


def test_a_blank_is_a_character():
    assert texts("ANN LEE", "ANNLEE", "name", "masked") == ("***@***", "*****")
    assert texts("ANN LEE", "ANNLEE", "name", "partial") == ("*** ***", "*****")
    assert shares("ANN LEE", "ANNLEE", "name") == (Fraction(1, 7), 0)


def test_five_masked_characters_stand_for_five_or_more():
    assert texts("ABCDEFGHX", "ABCDEFGHY", "name", "masked") == ("*****@", "*****&")
    assert shares("ABCDEFGHX", "ABCDEFGHY", "name") == (Fraction(1, 9), Fraction(1, 9))
    file = pd.DataFrame({"name": ["ABCDEFGHX", "ABCDEFGHY", "QQQQQX", "QQQQX"]})
    # Five or more and an X: the first and the third. Nobody else has a Y.
    assert kapr(file, [(0, 1)], {"name": "name"}, "partial")["k"].tolist() == [2, 1]
    # Four masked characters are four: QQQQX, not QQQQQX, next to QQQQY.
    file = pd.DataFrame({"name": ["QQQQX", "QQQQY", "QQQQQX", "ABCDX", "ABCX"]})
    assert kapr(file, [(0, 1)], {"name": "name"}, "partial")["k"].tolist() == [2, 1]


def test_the_masked_length_of_a_date_is_exact():
    file = pd.DataFrame({"dob": ["1964-09-08", "1964-09-18", "1975-10-08", "1964-09-28"]})
    # ****-**-0*: the first and the third. ****-**-1*: the second.
    assert kapr(file, [(0, 1)], {"dob": "date"}, "partial")["k"].tolist() == [2, 1]


def test_first_and_last_name_that_changed_places():
    file = pd.DataFrame({"first": ["JON", "JO", "ANN"], "last": ["JO", "JON", "LEE"]})
    attribute_types = {"first": "name", "last": "name"}
    plain, aware = (
        PrivacyScore(file, attribute_types, 2),
        PrivacyScore(file, attribute_types, 2, swaps=[("first", "last")]),
    )
    # Side by side an N is deleted in one and inserted in the other: 1/3 of JON, nothing of JO.
    assert [p for _, p, _ in plain.rows(0, 1, ["partial"] * 2)] == [
        [Fraction(1, 3), 0],
        [0, Fraction(1, 3)],
    ]
    pair = aware.comparisons(0, 1)
    assert [cell.agreement for cell in pair] == ["swapped", "swapped"]
    # The symbols follow the values: the first name of one row is the last name of the other.
    assert [(cell.text(0, "partial"), cell.text(1, "masked")) for cell in pair] == [
        ("@@@@@", "&&&&&"),
        ("&&&&&", "@@@@@"),
    ]
    # The markup says it all: nothing partial is shown, nobody is excluded.
    assert aware.rows(0, 1, ["partial"] * 2) == [(3, [0, 0], 0), (3, [0, 0], 0)]
    # In full: one record, both shares 1, 1/(2*2) * (1 + 1)/1.
    assert aware.rows(0, 1, ["full"] * 2) == [(1, [1, 1], Fraction(1, 2))] * 2


@pytest.mark.parametrize(
    "names",
    [
        [("JON", "JO"), ("JO", "JOE")],
        [("JON", "JON"), ("JON", "JON")],
        [(None, "JO"), ("JO", None)],
        [(None, None), (None, None)],
    ],
)
def test_nothing_else_is_taken_for_names_that_changed_places(names):
    file = pd.DataFrame(names, columns=["first", "last"], dtype=object)
    risk = PrivacyScore(file, {"first": "name", "last": "name"}, 2, swaps=[("first", "last")])
    assert "swapped" not in [cell.agreement for cell in risk.comparisons(0, 1)]


def test_a_value_that_one_row_misses():
    for first, second, shown in (("ANN", None, ("@@@@@", "")), (None, "ANN", ("", "&&&&&"))):
        pair = Comparison(first, second, "name")
        assert pair.agreement == "missing" and pair.modes == ("masked", "full")
        assert (
            (pair.text(0, "masked"), pair.text(1, "masked"))
            == (pair.text(0, "partial"), pair.text(1, "partial"))
            == shown
        )
        assert (pair.text(0, "full"), pair.text(1, "full")) == (first or "", second or "")
        assert [pair.characters(row) for row in (0, 1)] == [
            3 * (first is not None),
            3 * (second is not None),
        ]
    file = pd.DataFrame({"name": ["ANN", None, "BOB", np.nan]}, dtype=object)
    # The row that has a value excludes the others, the missing too; the row that has none excludes
    # nobody and shows nothing.
    full = kapr(file, [(0, 1)], {"name": "name"}, "full")
    assert full[["k", "p_name", "K"]].values.tolist() == [[1, 1, Fraction(1, 2)], [4, 0, 0]]
    assert kapr(file, [(0, 1)], {"name": "name"}, "partial")["k"].tolist() == [4, 4]


def test_a_value_that_both_rows_miss():
    pair = Comparison(None, None, "name")
    assert pair.agreement == "missing" and pair.modes == ("masked",)
    assert {pair.text(row, mode) for row in (0, 1) for mode in MODES} == {""}
    file = pd.DataFrame({"name": [None, None, "BOB"], "sex": ["f", "m", "f"]}, dtype=object)
    # Only sex counts: two are f, one is m; shares 0 and 1: 1/(2*2) * 1/2 and 1/(2*2) * 1/1.
    shown = kapr(file, [(0, 1)], {"name": "name", "sex": "category"}, "full")
    assert shown[["k", "p_name", "p_sex", "K"]].values.tolist() == [
        [2, 0, 1, Fraction(1, 8)],
        [1, 0, 1, Fraction(1, 4)],
    ]


def test_the_separators_of_a_date_are_no_characters_even_if_the_other_is_missing():
    assert Comparison("08/09/1964", None, "date").characters(0) == 8


def test_agreement_asks_whether_a_value_occurs_twice_in_any_file_and_counts_in_the_rows_own():
    file = pd.DataFrame({"name": ["ANN", "BOB", "EVE", "ANN", "BOB", "KIM"]})
    risk = PrivacyScore(file, {"name": "name"}, 2, files=list("xxxyyy"))
    # Of the three of each file, ANN and BOB occur twice; EVE and KIM have three characters too, but
    # occur once.
    assert [k for k, _, _ in risk.rows(0, 3, ["partial"])] == [2, 2]
    assert [k for k, _, _ in risk.rows(0, 3, ["masked"])] == [3, 3]
    assert [k for k, _, _ in risk.rows(0, 3, ["full"])] == [1, 1]
    # All six, of which four occur twice.
    assert [k for k, _, _ in PrivacyScore(file, {"name": "name"}, 2).rows(0, 3, ["partial"])] == [
        4,
        4,
    ]


# Independent implementations.


@cache
def optima(first, second, names):
    """All alignments with the fewest edits, from the definition.

    Returns the number of edits, and a set of sets of (what, place, place). What is not named is
    deleted or inserted, so that the order of both does not make two of one alignment.
    """
    if not first and not second:
        return 0, frozenset([frozenset()])
    steps = []
    if first and second:
        if first[0] == second[0]:
            steps.append((0, 1, 1, "equal"))
        elif names:
            steps.append((1, 1, 1, "substituted"))
        if names and len(first) > 1 and first[:2] == second[1::-1] and first[0] != first[1]:
            steps.append((1, 2, 2, "transposed"))
    steps += [(1, 1, 0, None)] * bool(first) + [(1, 0, 1, None)] * bool(second)
    found = {}
    for edits, i, j, what in steps:
        more, rest = optima(first[i:], second[j:], names)
        # Places are counted from the end: they do not depend on what was cut off.
        here = frozenset([(what, len(first), len(second))] if what else [])
        found.setdefault(edits + more, set()).update(here | each for each in rest)
    return min(found), frozenset(found[min(found)])


def named(rows, first, second):
    """An alignment in the words of `optima`."""
    i, j, found = len(first), len(second), set()
    for a, b in zip(*rows, strict=True):
        if a.markup == "transposed":
            found.add(("transposed", i, j))
        elif a.markup == "equal" or (
            a.markup == "substituted" and len(a.characters) == len(b.characters)
        ):
            found |= {(a.markup, i - step, j - step) for step in range(len(a.characters))}
        i, j = i - len(a.characters), j - len(b.characters)
    return found


def edits(rows):
    """One a character substituted, inserted or deleted, one a transposition."""
    return sum(
        1 if a.markup == "transposed" else max(len(a.characters), len(b.characters))
        for a, b in zip(*rows, strict=True)
        if a.markup != "equal"
    )


def assert_side_by_side(rows, first, second):
    assert tuple("".join(segment.characters for segment in row) for row in rows) == (first, second)
    assert len(rows[0]) == len(rows[1])
    for a, b in zip(*rows, strict=True):
        assert (a.markup, b.markup) in {("deleted", "gap"), ("gap", "inserted")} or (
            a.markup == b.markup != "gap"
        )
        assert {a.markup, b.markup} <= set(MARKUPS)
        assert all(
            len(segment.symbols) == len(segment.characters) > 0 or segment.markup == "gap"
            for segment in (a, b)
        )
        assert a.markup != "equal" or (
            a.characters == b.characters and set(a.symbols + b.symbols) == {"*"}
        )
        assert a.markup != "transposed" or a.characters == b.characters[::-1]
        assert a.markup == "equal" or a.characters != b.characters or a.markup == "separator"
        if len(a.symbols) == len(b.symbols):
            assert b.symbols == a.symbols.translate(OTHER)
        else:
            assert set(a.symbols) <= {"@"} and set(b.symbols) <= {"&"}
    for row in rows:
        assert all(
            a.markup != b.markup or a.markup == "transposed"
            for a, b in itertools.pairwise(row)
            if a.markup != "gap"
        )


short = st.text("abc", max_size=6)


@given(st.text("abcd", max_size=12), st.text("abcd", max_size=12))
def test_names_need_as_few_edits_as_the_restricted_damerau_levenshtein_distance(first, second):
    rows = align_names(first, second)
    assert edits(rows) == OSA.distance(first, second)
    assert_side_by_side(rows, first, second)
    assert all(
        len(a.characters) == len(b.characters)
        for a, b in zip(*rows, strict=True)
        if a.markup == "substituted"
    )


@given(st.text("abcd", max_size=12), st.text("abcd", max_size=12))
def test_strings_keep_as_many_characters_as_the_longest_common_subsequence(first, second):
    rows = align_strings(first, second)
    kept = sum(len(segment.characters) for segment in rows[0] if segment.markup == "equal")
    assert kept == LCSseq.similarity(first, second)
    assert len(first) + len(second) - 2 * kept == Indel.distance(first, second)
    assert_side_by_side(rows, first, second)


@given(short, short)
def test_alignments_are_among_the_best_ones_by_enumeration(first, second):
    assert optima(first, second, True)[0] == OSA.distance(first, second)
    assert named(align_names(first, second), first, second) in optima(first, second, True)[1]
    kept = {
        place for place in named(align_strings(first, second), first, second) if place[0] == "equal"
    }
    assert kept in optima(first, second, False)[1]


@given(short, short, short)
def test_the_alignment_of_names_keeps_the_beginnings_equal(start, first, second):
    first, second = start + first, start + second
    shared = len(commonprefix([first, second]))
    opening = next(iter(align_names(first, second)[0]), None)
    # All that both begin with, and it is one segment.
    assert shared == (len(opening.characters) if opening and opening.markup == "equal" else 0)


@given(dates_of_few_digits, dates_of_few_digits, st.sampled_from(["digits", "elements"]))
def test_dates_differ_where_their_digits_or_elements_do(first, second, show):
    rows = align_dates(first, second, show)
    assert_side_by_side(rows, first, second)
    for row, value in zip(rows, (first, second), strict=True):
        hidden = "".join(
            "*" * len(segment.characters) if segment.hidden else segment.characters
            for segment in row
        )
        if show == "digits":
            expected = [
                "*" if a == b != "/" else own
                for a, b, own in zip(first, second, value, strict=True)
            ]
        else:
            parts = zip(first.split("/"), second.split("/"), value.split("/"), strict=True)
            expected = "/".join("*" * len(own) if a == b else own for a, b, own in parts)
        assert hidden == "".join(expected)


@given(dates_of_few_digits)
def test_month_and_day_that_changed_places_are_swapped(first):
    second = first[3:6] + first[:3] + first[6:]
    found = {segment.markup for segment in align_dates(first, second)[0]}
    assert ("swapped" in found) == (first != second) and found <= {"swapped", "equal", "separator"}


def fits(value, told):
    """Whether a value can be behind a partial display, by every length of a masked run of five."""
    if not told:
        return value == ""
    (markup, text), rest = told[0], told[1:]
    if markup != "equal":
        return value.startswith(text) and fits(value[len(text) :], rest)
    lengths = range(5, len(value) + 1) if text == "*****" else [len(text)]
    return any(len(value) >= length and fits(value[length:], rest) for length in lengths)


def anonymity(people, pair, row, modes, counting, dates, file=None):
    """K from the words of `PrivacyScore`: records that fit every cell of the row not masked."""
    own, count = people[pair[row]], 0
    cells = [
        Comparison(*(people[record][column] for record in pair), kind, dates)
        for column, kind in PERSON.items()
    ]
    for number, other in enumerate(people):
        possible = file is None or file[number] == file[pair[row]]
        for column, cell, mode in zip(PERSON, cells, modes, strict=True):
            if own[column] is None or mode == "masked":
                continue
            if mode == "full":
                possible &= other[column] == own[column]
            elif "partial" in cell.modes:
                possible &= other[column] is not None and fits(
                    other[column], cell.parts(row, "partial")
                )
                if counting == "agreement" and people[pair[0]][column] == people[pair[1]][column]:
                    possible &= [each[column] for each in people].count(other[column]) >= 2
        count += possible
    return count


@settings(max_examples=120)
@given(files(), choices, options, st.lists(st.booleans(), min_size=6, max_size=6) | st.none())
def test_k_is_what_a_count_record_by_record_gives(records, modes, option, file):
    people = records.to_dict("records")
    file = file and file[: len(people)]
    risk = PrivacyScore(records, PERSON, 2, files=file, **option)
    for pair in itertools.permutations(range(len(people)), 2):
        expected = [anonymity(people, pair, row, modes, file=file, **option) for row in (0, 1)]
        assert [k for k, _, _ in risk.rows(*pair, modes)] == expected


# Properties of a display.


@given(cells())
def test_a_masked_display_shows_symbols_and_separators_only(cell):
    kind, *pair = cell
    for row, text in enumerate(texts(*pair, kind, "masked")):
        assert set(text) <= set("*@&/" if kind == "date" else "*@&")
        assert (text == "") == (pair[row] is None)
        if kind == "category":
            assert Comparison(*pair, kind).text(row, "masked", "hidden") == "N/A"


@given(cells(missing=False), st.sampled_from(["digits", "elements"]))
def test_a_partial_display_shows_characters_of_the_value_and_hides_the_equal_ones(cell, dates):
    kind, *pair = cell
    compared = Comparison(*pair, kind, dates)
    for row, value in enumerate(pair):
        if "partial" not in compared.modes:
            assert compared.parts(row, "partial") == compared.parts(row, "masked")
            continue
        partial, full = compared.parts(row, "partial"), compared.parts(row, "full")
        assert "".join(text for _, text in full) == value
        for (markup, text), (same, characters) in zip(partial, full, strict=True):
            assert markup == same and text == (
                "*" * min(len(characters), 5) if markup == "equal" else characters
            )
        rest = iter(value)
        shown = compared.text(row, "partial").replace("*", "")
        assert all(character in rest for character in shown)
        assert len(shown.replace("/", "") if kind == "date" else shown) == compared.disclosed(
            row, "partial"
        )


@given(cells(), st.sampled_from(["digits", "elements"]))
def test_each_mode_discloses_at_least_what_the_one_before_does(cell, dates):
    kind, *pair = cell
    compared = Comparison(*pair, kind, dates)
    for row, value in enumerate(pair):
        masked, partial, full = (compared.disclosed(row, mode) for mode in MODES)
        assert 0 == masked <= partial <= full == compared.characters(row)
        assert compared.text(row, "full") == (value or "")
        if kind != "date" or None not in pair:
            assert full == (sum(map(str.isdigit, value)) if kind == "date" else len(value or ""))


@given(cells(), st.sampled_from(["digits", "elements"]))
def test_the_order_of_two_rows_swaps_the_symbols_and_nothing_else_where_one_alignment_is_best(
    cell, dates
):
    kind, *pair = cell
    one, two = Comparison(*pair, kind, dates), Comparison(*pair[::-1], kind, dates)
    assert one.agreement == two.agreement and one.modes == two.modes
    if (
        kind in ("name", "string")
        and one.agreement == "close"
        and len(optima(*pair, kind == "name")[1]) > 1
    ):
        # Either alignment may then be chosen; a string keeps as many characters in both, a name
        # needs as many edits.
        if kind == "string":
            assert [one.disclosed(row, "partial") for row in (0, 1)] == [
                two.disclosed(row, "partial") for row in (1, 0)
            ]
        else:
            assert edits(one.segments) == edits(two.segments)
        return
    for row in (0, 1):
        assert one.text(row, "masked") == two.text(1 - row, "masked").translate(OTHER)
        assert all(
            one.text(row, mode) == two.text(1 - row, mode).translate(OTHER) for mode in MODES
        )
        assert [TURNED.get(markup, markup) for markup, _ in one.parts(row, "full")] == [
            markup for markup, _ in two.parts(1 - row, "full")
        ]


def test_letters_that_change_places_are_shown_as_such_where_that_tells_least():
    for first, second, markups_of in (
        ("aab", "aba", ["equal", "transposed"]),  # one edit
        ("aab", "ba", ["substituted", "equal", "deleted"]),  # two, of 3 letters instead of 5
        ("aab", "abac", ["equal", "gap", "equal", "substituted"]),  # inserted in the other row
    ):
        assert [segment.markup for segment in align_names(first, second)[0]] == markups_of


def test_of_two_alignments_with_as_few_edits_a_name_shows_the_one_that_tells_less():
    # Four edits: A deleted, BC kept, AAA inserted, which shows 1 and 3; or A kept, two inserted
    # before it, BC substituted by AA, which shows 2 and 4.
    assert shares("VWXYZABC", "VWXYZBCAAA", "name") == (Fraction(1, 8), Fraction(3, 10))


@some
@given(words(), words())
def test_the_order_of_the_rows_does_not_change_what_a_name_shows(first, second):
    assert shares(first, second, "name") == shares(second, first, "name")[::-1]


# Properties of the score.


def cost(risk, pair, modes):
    return sum(score for _, _, score in risk.rows(*pair, modes))


@some
@given(displays())
def test_scores_are_exact_and_shares_are_from_zero_to_one(display):
    frame = kapr(**display)
    assert len(frame) == 2 * len(display["pairs"])
    for column in ("K", *(f"p_{name}" for name in PERSON)):
        assert all(type(value) is Fraction and 0 <= value <= 1 for value in frame[column])
    assert frame["k"].between(1, len(display["records"])).all()
    assert frame["pair"].tolist() == [f"{a}-{b}" for a, b in display["pairs"] for _ in range(2)]
    assert frame["row"].tolist() == list(range(1, len(frame) + 1))


@some
@given(displays(), st.data())
def test_the_order_of_the_records_changes_nothing(display, data):
    order = data.draw(st.permutations(list(display["records"].index)))
    pd.testing.assert_frame_equal(
        kapr(**{**display, "records": display["records"].loc[order]}), kapr(**display)
    )


@some
@given(displays())
def test_the_score_of_a_display_is_the_sum_over_its_pairs(display):
    parts = [
        kapr(**{**display, "pairs": [pair], "modes": [modes]})["K"].sum()
        for pair, modes in zip(display["pairs"], display["modes"], strict=True)
    ]
    # Each alone has N = 2 rows.
    assert kapr(**display)["K"].sum() == sum(parts) / len(parts)


@some
@given(displays(), st.data())
def test_the_score_is_a_norm_of_the_information_disclosure_state(display, data):
    other = data.draw(
        st.lists(choices, min_size=len(display["pairs"]), max_size=len(display["pairs"]))
    )
    one, two = kapr(**display), kapr(**{**display, "modes": other})
    score, second = one["K"].sum(), two["K"].sum()
    assert score == norm(state(one)) >= 0 and second == norm(state(two)) >= 0
    assert (score == 0) == all(x == 0 for row in state(one) for x in row)
    assert norm([[-3 * x for x in row] for row in state(one)]) == 3 * score
    total, gap = (
        [
            [sign * x + y for x, y in zip(a, b, strict=True)]
            for a, b in zip(state(one), state(two), strict=False)
        ]
        for sign in (1, -1)
    )
    assert abs(score - second) <= norm(gap) and norm(total) <= score + second


@some
@given(displays())
def test_the_score_is_proportional_to_kappa(display):
    score, kappa = kapr(**display)["K"].sum(), len(display["records"])
    frame = kapr(**display, kappa=kappa)
    assert frame["K"].sum() == kappa * score == norm(state(frame), kappa)


@some
@given(displays(), st.data())
def test_the_order_of_disclosure_does_not_matter(display, data):
    pair, final = display["pairs"][0], display["modes"][0]
    order = data.draw(st.permutations(range(len(PERSON))))
    choose = {key: display[key] for key in ("counting", "dates")}
    # One that has seen every state on the way and one that has not; cells change one at a time,
    # with partial on the way to full.
    risk, modes, spent = (
        PrivacyScore(display["records"], PERSON, 2, **choose),
        ["masked"] * len(PERSON),
        Fraction(0),
    )
    for place in order:
        for mode in MODES[1 : MODES.index(final[place]) + 1]:
            before = cost(risk, pair, modes)
            modes[place] = mode
            spent += cost(risk, pair, modes) - before
    assert modes == final and spent == cost(
        PrivacyScore(display["records"], PERSON, 2, **choose), pair, final
    )
    assert risk.rows(*pair, modes) == PrivacyScore(display["records"], PERSON, 2, **choose).rows(
        *pair, final
    )


@some
@given(displays())
def test_the_score_is_zero_masked_and_at_most_one_while_every_k_is_allowed(display):
    masked = kapr(**{**display, "modes": "masked"})
    assert masked["K"].sum() == 0 and set(masked["k"]) == {len(display["records"])}
    smallest = int(kapr(**display)["k"].min())
    assert 0 <= kapr(**display, kappa=smallest)["K"].sum() <= 1


@some
@given(files(missing=False), st.sampled_from(COUNTINGS))
def test_the_score_is_one_when_all_is_shown_and_all_records_differ(records, counting):
    frame = kapr(
        records, itertools.combinations(records.index, 2), PERSON, "full", counting=counting
    )
    assert (frame["K"].sum() == 1) == (not records.duplicated().any())
    distinct = records.assign(id=[f"{number}{value}" for number, value in enumerate(records["id"])])
    shown = kapr(
        distinct, itertools.combinations(records.index, 2), PERSON, "full", counting=counting
    )
    assert shown["K"].sum() == 1 and set(shown["k"]) == {1}
    # Why a k below kappa must be refused: with kappa = 2 the score would be 2.
    assert kapr(distinct, [(0, 1)], PERSON, "full", kappa=2)["K"].sum() == 2


@some
@given(displays(), st.integers(0, len(PERSON) - 1))
def test_disclosing_a_cell_further_never_raises_k_nor_lowers_the_score(display, place):
    (pair, *_), (modes, *_) = display["pairs"], display["modes"]
    risk = PrivacyScore(
        display["records"], PERSON, 2, counting=display["counting"], dates=display["dates"]
    )
    steps = [risk.rows(*pair, [*modes[:place], mode, *modes[place + 1 :]]) for mode in MODES]
    for before, after in itertools.pairwise(steps):
        for (k, p, score), (smaller, more, higher) in zip(before, after, strict=True):
            assert 1 <= smaller <= k and more[place] >= p[place] and higher >= score
            assert higher > score or more[place] == p[place]
            assert [share for j, share in enumerate(more) if j != place] == [
                share for j, share in enumerate(p) if j != place
            ]
            # What it costs where k stays, and more where it falls while something is shown
            # (Property 4.5).
            same = risk.unit * (more[place] - p[place]) / k
            assert higher - score >= same and (higher - score == same) == (
                smaller == k or sum(more) == 0
            )


@some
@given(displays(), files(), st.integers(2, 4))
def test_the_same_disclosure_costs_no_less_where_the_anonymity_set_is_smaller(
    display, further, times
):
    records = display["records"]
    score, ks = (kapr(**display)[column] for column in ("K", "k"))
    larger = kapr(**{**display, "records": pd.concat([records, further], ignore_index=True)})
    assert (larger["k"] >= ks).all() and (larger["K"] <= score).all()
    # Every record several times: each k is as many times larger, each score smaller. Twice at
    # least, for "agreement".
    twice, again = (
        kapr(**{**display, "records": pd.concat([records] * n, ignore_index=True)})
        for n in (2, 2 * times)
    )
    assert (
        again["k"].tolist() == (times * twice["k"]).tolist()
        and (times * again["K"]).tolist() == twice["K"].tolist()
    )


# k-anonymity.


def test_k_anonymity_of_the_example():
    records = published("table2_records")
    assert (
        k_anonymity(records, ["dob", "race"]) == 2
        and k_anonymity(records, ["name"]) == k_anonymity(records) == 1
    )


@some
@given(files(least=1), st.sets(st.sampled_from(list(PERSON)), min_size=1), st.data())
def test_k_anonymity_is_the_smallest_count_of_equal_records(records, columns, data):
    # Drawn again with repetition, so that groups are larger than one.
    records = records.iloc[
        data.draw(st.lists(st.integers(0, len(records) - 1), min_size=1, max_size=12))
    ]
    expected = min(Counter(records[list(columns)].itertuples(index=False, name=None)).values())
    assert k_anonymity(records, columns) == expected
    # However a missing value is written.
    assert k_anonymity(records.where(records.notna(), np.nan), columns) == expected


# Bad inputs.


def small(**columns):
    return pd.DataFrame(
        {
            "id": ["12", "13"],
            "name": ["ANN", "ANNE"],
            "dob": ["08/09/1964", "09/08/1964"],
            "race": ["a", "b"],
            **columns,
        }
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"attribute_types": {"surname": "name"}}, "no column 'surname'.*id, name, dob, race"),
        ({"attribute_types": {"name": "varchar"}}, "'name'.*'varchar'"),
        ({"attribute_types": {}}, "no attribute"),
        ({"records": small(id=[12, 13])}, "'id' holds 12"),
        ({"records": small(id=["12", 13.5])}, "'id' holds 13.5"),
        ({"records": small(name=["ANN", ""])}, "'name' holds an empty"),
        ({"records": small(dob=["08/09/1964", "9/8/1964"])}, "'dob'.*'9/8/1964' is not a date"),
        (
            {"records": small(dob=["08/09/1964", "1964-09-08"])},
            "'dob'.*two ways, '08/09/1964' and '1964-09-08'",
        ),
        (
            {"records": small(dob=["08/09/1964", "08-09-1964"])},
            "'dob'.*two ways, '08/09/1964' and '08-09-1964'",
        ),
        ({"kappa": 0}, "kappa.*not 0"),
        ({"kappa": -1}, "kappa.*not -1"),
        ({"kappa": 3}, "kappa.*from 1 to the 2 records.*not 3"),
        ({"counting": "table"}, "counting.*'table'"),
        ({"modes": [["full"] * 3]}, r"4 modes.*not \['full', 'full', 'full'\]"),
        ({"modes": [["full"] * 5]}, "4 modes"),
        ({"modes": [["full", "part", "full", "full"]]}, "masked, partial, full, not .*'part'"),
        ({"modes": "open"}, "'open'"),
        ({"pairs": [(0, 7)]}, "no record 7"),
        ({"pairs": [("0", 1)]}, "no record '0'"),
        ({"records": small().set_axis([0, 0])}, "the index of the file has 0 twice"),
    ],
)
def test_bad_inputs_are_named(changes, message):
    with pytest.raises(ValueError, match=message):
        kapr(
            **{
                "records": small(),
                "pairs": [(0, 1)],
                "attribute_types": PERSON,
                "modes": "full",
                **changes,
            }
        )


def test_a_comparison_names_the_option_that_is_none():
    for values in (("a", "a"), ("12/31/2001", "12/31/2002")):
        with pytest.raises(ValueError, match="dates is 'words'; it is one of digits, elements"):
            Comparison(*values, "date", "words")
        with pytest.raises(ValueError, match="attribute_type is 'day'; it is one of"):
            Comparison(*values, "day")
        with pytest.raises(ValueError, match="categories is 'shown'; it is one of symbols, hidden"):
            Comparison(*values, "name").text(0, "masked", "shown")


@pytest.mark.parametrize(
    ("frame", "columns", "message"),
    [
        (small(), ["age"], "no column 'age'.*id, name, dob, race"),
        (small().head(0), None, "at least one record"),
        (small(), [], "one column"),
        (pd.DataFrame(index=[0, 1]), None, "one column"),
        (None, None, "the file is None; give a pandas DataFrame"),
        (small()["name"], None, "the file is of the type Series; give a pandas DataFrame"),
        (small(), "name", "columns is 'name'; give a list"),
        (small(), 3, "columns is 3; give a list"),
        (small(), [["name"]], r"no column \['name'\]"),
        (small().set_axis(["id", "id", "dob", "race"], axis=1), ["dob"], "two columns 'id'"),
        (
            pd.DataFrame({"a": [[1], {2}]}),
            None,
            "column 'a' has a value that is no category in record 0",
        ),
    ],
)
def test_k_anonymity_names_bad_inputs(frame, columns, message):
    with pytest.raises(ValueError, match=message):
        k_anonymity(frame, columns)


@pytest.mark.parametrize(
    "values",
    [
        np.array([1, 1, 2, 2], np.float16),
        np.array([1, 1, 2, 2]) * 1j,
        pd.array([1.0, 1, 2, 2], pd.SparseDtype(float)),
        pd.arrays.IntervalArray.from_tuples([(0, 1), (0, 1), (1, 2), (1, 2)]),
        pd.period_range("2001-01", periods=2, freq="M").repeat(2),
        ["\ud800", "\ud800", None, np.nan],
        [1, 1.0, "1", "1"],
        [0.0, -0.0, pd.NaT, None],
        pd.Categorical(["a", "a", None, None], ["b", "a"]),
    ],
    ids=lambda values: str(getattr(values, "dtype", values)).encode("ascii", "replace").decode(),
)
def test_k_anonymity_compares_values_of_any_type(values):
    frame = pd.DataFrame({"a": values, "b": [True] * 4})
    assert k_anonymity(frame.rename_axis("a")) == k_anonymity(frame, ["a", "a"]) == 2
    assert k_anonymity(frame.assign(b=[1, 2, 3, 4])) == 1


def test_a_cell_of_an_unknown_kind_is_named():
    with pytest.raises(ValueError, match="'number'"):
        Comparison("1", "2", "number")


@pytest.mark.parametrize(
    "text",
    [
        "9/8/1964",
        "1964-9-8",
        "64-09-08",
        "08/09/1964 ",
        "x08/09/1964",
        "",
        "1964",
        "2019640908",
        "0809-1964",
    ],
)
def test_what_is_no_date_is_named(text):
    with pytest.raises(ValueError, match=f"'{text}' is not a date"):
        date_parts(text)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        # Definition 4.2 knows pairs of two records; a value that occurs once leaves no record to
        # one of itself.
        ({"pairs": [(0, 0)], "modes": "partial"}, "0"),
        ({"pairs": []}, "pair"),
        ({"pairs": [(0, 1)], "modes": []}, "modes"),
        ({"modes": [["full"] * 4] * 2}, "modes"),
        ({"dates": "digit"}, "'digit'"),
        ({"categories": "none"}, "'none'"),
        ({"kappa": 1.5}, "1.5"),
        ({"kappa": None}, "kappa is None; it is the smallest anonymity set allowed"),
        ({"kappa": np.nan}, "kappa is nan"),
        ({"kappa": "1"}, "kappa is '1'"),
        ({"kappa": True}, "kappa is True"),
        ({"records": None}, "the file is None; give a pandas DataFrame"),
        ({"records": small().head(0)}, "the file is empty"),
        ({"records": pd.concat([small(), small()[["name"]]], axis=1)}, "two columns 'name'"),
        ({"attribute_types": ["name"]}, "attribute_types is of the type list; give a dict"),
        ({"attribute_types": None}, "attribute_types is None; give a dict"),
        ({"pairs": None}, "pairs has None; give a list of pairs of index labels"),
        ({"pairs": 3}, "pairs has 3; give a list of pairs"),
        ({"pairs": pd.DataFrame({"first": [0], "second": [1]})}, "pairs has 'first'; give a list"),
        ({"pairs": [(0, 1, 2)]}, "pairs has .*; give a list of pairs"),
        ({"pairs": [(0,)]}, "pairs has .*; give a list of pairs"),
        ({"pairs": [([0], 1)]}, r"no record \[0\]"),
        ({"modes": None}, "modes is None; give a list"),
        ({"modes": [3]}, "modes is 3; give a list"),
        ({"modes": [[["full"]] * 4]}, "4 modes"),
    ],
)
def test_further_bad_inputs_are_named(changes, message):
    with pytest.raises(ValueError, match=message):
        kapr(
            **{
                "records": small(),
                "pairs": [(0, 1)],
                "attribute_types": PERSON,
                "modes": "full",
                **changes,
            }
        )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"swaps": [("name", "surname")]}, "'surname'"),
        ({"swaps": 3}, "swaps is 3; give a list"),
        ({"swaps": ["name"]}, "a pair of attributes in swaps is 'name'; give a list"),
        ({"swaps": [("name", "name")]}, "not a pair of attributes"),
        ({"files": ["x"]}, "file"),
        ({"files": 3}, "files is 3; give a list"),
        ({"files": "ab"}, "files is 'ab'; give a list"),
        ({"files": [None, 1]}, "files has None; name each file by a number or a text"),
        ({"files": [[], []]}, "files has .*; name each file by a number or a text"),
        ({"rows": 0}, "rows is 0; it is the number of displayed rows"),
        ({"rows": 1.5}, "rows is 1.5"),
        ({"rows": None}, "rows is None"),
    ],
)
def test_bad_swaps_files_and_rows_are_named(changes, message):
    with pytest.raises(ValueError, match=message):
        PrivacyScore(**{"records": small(), "attribute_types": PERSON, "rows": 2, **changes})


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ((0, 2), "second is 2; it is the number of a record, from 0 to 1"),
        ((-1, 1), "first is -1"),
        ((0.5, 1), "first is 0.5"),
        ((None, 1), "first is None"),
        ((True, 0), "first is True"),
        ((0, "1"), "second is '1'"),
        ((1, 1), "record 1 is paired with itself"),
    ],
)
def test_records_that_are_no_pair_are_named(pair, message):
    score = PrivacyScore(small(), PERSON, 2)
    for ask in (score.comparisons, lambda *both: score.rows(*both, ["full"] * 4)):
        with pytest.raises(ValueError, match=message):
            ask(*pair)


def test_numbers_of_any_type_say_which_records_and_files():
    plain = PrivacyScore(small(), PERSON, 2, files=[0, 1]).rows(0, 1, ["full"] * 4)
    for files, pair in (
        (np.array([3, 9]), (np.int64(0), np.uint8(1))),
        (["x", 1], (0.0, 1.0)),
        ([1, "1"], (0, 1)),
        (pd.Series([5, 6], index=[7, 7]), (0, np.float64(1))),
    ):
        score = PrivacyScore(small(), PERSON, 2.0, np.int8(1), files=files)
        assert score.rows(*pair, np.array(["full"] * 4)) == plain


def test_a_name_that_the_result_has_is_refused():
    for name in ("pair", "row", "k", "K", "p_race"):
        records = small().rename(columns={"name": name})
        with pytest.raises(ValueError, match=f"two columns '{name}'; rename the attribute"):
            kapr(records, [(0, 1)], {name: "name", "race": "category"}, "full")


@pytest.mark.parametrize(
    "labels",
    [
        pd.MultiIndex.from_tuples([(0, 0), (0, 1)]),
        pd.to_datetime(["2001-01-01", "2001-01-02"]),
        ["\ud800", None],
        [0.5, "0.5"],
    ],
    ids=ascii,
)
def test_records_may_have_labels_of_any_type(labels):
    records = small().set_index(pd.Index(labels))
    frame = kapr(records, [tuple(records.index)], PERSON, "partial")
    plain = kapr(small(), [(0, 1)], PERSON, "partial")
    pd.testing.assert_frame_equal(frame.drop(columns="pair"), plain.drop(columns="pair"))
    for label in (0, "2001-01-01", "2001"):  # a part of a label names no record
        with pytest.raises(ValueError, match=f"no record {label!r}"):
            kapr(records, [(label, records.index[0])], PERSON, "partial")
