import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from rlpaper.masking import (
    PRAM,
    BottomCode,
    RecodeRare,
    TopCode,
    bottom_code,
    compose_transitions,
    pram,
    pram_matrix,
    recode_rare,
    top_code,
)

SIZES = ["S", "M", "L", "XL"]


@pytest.fixture
def shop():
    """An ordinal, a nominal and an ordinal variable with a category that does not occur."""
    return pd.DataFrame(
        {
            "size": pd.Categorical(["S", "M", "L", "XL", "M", "M"], SIZES, ordered=True),
            "colour": pd.Categorical(["red", "red", "blue", "green", "red", "blue"]),
            "rank": pd.Categorical([1, 2, 3, 3, 2, 1], [1, 2, 3, 4], ordered=True),
        },
        index=list("abcdef"),
    )


@st.composite
def files(draw):
    column = st.lists(st.sampled_from(SIZES), min_size=1, max_size=30)
    values = draw(column)
    other = draw(st.lists(st.sampled_from("uvwxy"), min_size=len(values), max_size=len(values)))
    return pd.DataFrame(
        {
            "size": pd.Categorical(values, SIZES, ordered=True),
            "letter": pd.Categorical(other, list("uvwxyz")),
        }
    )


METHODS = {
    "top_code": TopCode(2),
    "bottom_code": BottomCode(2, scope="all"),
    "recode_rare": RecodeRare(2),
    "pram": PRAM(0.9),
}


@pytest.mark.parametrize("name", METHODS)
def test_every_method_keeps_index_columns_and_old_categories(name, shop):
    before = shop.copy()
    masked = METHODS[name].mask(shop, 1)
    pd.testing.assert_frame_equal(shop, before)
    assert masked.index.equals(shop.index) and masked.columns.equals(shop.columns)
    for column in shop:
        assert masked[column].cat.ordered == shop[column].cat.ordered
        old = [
            category
            for category in masked[column].cat.categories
            if category in shop[column].cat.categories
        ]
        assert old == list(shop[column].cat.categories)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize(
    ("file", "message"),
    [
        (pd.DataFrame(), "the file is empty"),
        (pd.DataFrame({"x": ["a"]}), "column 'x' is not categorical; convert it"),
        (pd.DataFrame({"x": [1, 2]}), "column 'x' is not categorical; convert it"),
        (pd.DataFrame({"x": [True, False]}), "column 'x' is not categorical; convert it"),
        (pd.DataFrame([list("ab")], columns=["x", "x"], dtype="category"), "two columns 'x'"),
        (pd.Series(["a"], dtype="category"), "the file is of the type Series; give a pandas"),
    ],
)
def test_bad_files(name, file, message):
    with pytest.raises(ValueError, match=message):
        METHODS[name].mask(file)
    with pytest.raises(ValueError, match=message):
        METHODS[name].transitions(file)


def test_top_and_bottom_coding_of_ordinal_variables(shop):
    top, bottom = top_code(shop, 2), bottom_code(shop, 2)
    assert top["size"].tolist() == ["S", "M", "top", "top", "M", "M"]
    assert bottom["size"].tolist() == ["bottom", "bottom", "L", "XL", "bottom", "bottom"]
    assert list(top["size"].cat.categories) == [*SIZES, "top"]  # the new one lies beyond the end
    assert list(bottom["size"].cat.categories) == ["bottom", *SIZES]
    assert top["colour"].equals(shop["colour"])  # nominal
    assert top["rank"].tolist() == [
        1,
        "top",
        "top",
        "top",
        "top",
        1,
    ]  # 4 does not occur and is not counted


def test_coding_of_all_variables_in_the_order_of_their_categories(shop):
    assert top_code(shop, 1, scope="all")["colour"].tolist() == [
        "top",
        "top",
        "blue",
        "green",
        "top",
        "blue",
    ]
    assert bottom_code(shop, 1, scope="all")["colour"].tolist() == [
        "red",
        "red",
        "bottom",
        "green",
        "red",
        "bottom",
    ]


def test_an_existing_category_can_be_reused(shop):
    assert top_code(shop, 2, into="existing")["size"].tolist() == ["S", "M", "L", "L", "M", "M"]
    assert bottom_code(shop, 2, into="existing")["size"].tolist() == ["M", "M", "L", "XL", "M", "M"]
    rare = recode_rare(shop, 2, into="existing")["colour"]
    assert (
        rare.tolist() == ["red", "red", "blue", "blue", "red", "blue"]
        and rare.dtype == shop["colour"].dtype
    )


def test_global_recoding_merges_the_rarest(shop):
    assert recode_rare(shop, 2)["colour"].tolist() == [
        "red",
        "red",
        "other",
        "other",
        "red",
        "other",
    ]
    # S, L and XL occur once each: the first two in order go first.
    assert recode_rare(shop, 2)["size"].tolist() == ["other", "M", "other", "XL", "M", "M"]


@pytest.mark.parametrize(
    "method",
    [
        lambda df, p: top_code(df, p, scope="all"),
        lambda df, p: bottom_code(df, p, scope="all"),
        recode_rare,
    ],
)
def test_p_at_or_above_the_number_of_categories_leaves_one(method, shop):
    for p in (4, 9):
        assert (method(shop, p).nunique() == 1).all()
    assert method(shop, 0).equals(shop)


@given(files(), st.integers(0, 9))
def test_recoding_is_deterministic_and_merges_so_many(file, p):
    for method in (
        lambda df: top_code(df, p, scope="all"),
        lambda df: bottom_code(df, p, scope="all"),
        lambda df: recode_rare(df, p),
    ):
        masked = method(file)
        pd.testing.assert_frame_equal(masked, method(file))
        for column in file:
            before = file[column].nunique()
            assert masked[column].nunique() == (before if p == 0 else max(1, before - p + 1))


def test_missing_stays_missing():
    file = pd.DataFrame({"size": pd.Categorical(["S", None, "L", "S"], SIZES, ordered=True)})
    for method in METHODS.values():
        assert method.mask(file, 1)["size"].isna().tolist() == [False, True, False, False]


@pytest.mark.parametrize(
    "values",
    [
        pd.Categorical([None, None]),
        pd.Categorical.from_codes([-1, -1], ["a", "b"]),
        pd.Categorical(["\ud800", "b"], ordered=True),
        pd.Categorical(pd.interval_range(0, 2), ordered=True),
        pd.Categorical(pd.to_datetime(["2001-01-01", "2001-01-02"]), ordered=True),
        pd.Categorical([1.5, True], [True, 1.5], ordered=True),
        pd.Categorical(["a"]),
    ],
    ids=["all missing", "none occurs", "surrogates", "intervals", "dates", "mixed", "one record"],
)
def test_categories_that_are_odd_and_legal(values):
    file = pd.DataFrame({"x": values, "y": values}, index=["same"] * len(values))
    for method in METHODS.values():
        masked = method.mask(file, 1)
        assert masked.index.equals(file.index) and masked.isna().equals(file.isna())
        for table in method.transitions(file).values():
            assert (table.sum(axis=1) == 1).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda df: top_code(df, -1), "0 or more"),
        (lambda df: pram_matrix(list(df["size"]), 0.5), "column is of the type list; give a col"),
        (lambda df: pram_matrix(df["size"], 2), "theta is 2; it is a strength between 0 and 1"),
        (lambda df: pram_matrix(df, 0.5), "column is of the type DataFrame; give a column"),
        (lambda df: pram_matrix(pd.Series([[1], [2]]), 0.5), "a value that is no category in rec"),
        (lambda df: pram(df, [0.5]), "theta is of the type list; it is a strength between 0 and"),
        (lambda df: recode_rare(df, 1.5), "a number of categories"),
        (lambda df: top_code(df, 1, scope="some"), "one of ordinal, all"),
        (lambda df: top_code(df, 1, into="old"), "one of new, existing"),
        (lambda df: top_code(df, 1, label="S"), "choose another label"),
        (lambda df: TopCode(1, label="S").transitions(df), "choose another label"),
        (lambda df: pram(df, 1.1), "between 0 and 1"),
    ],
)
def test_bad_options(call, message, shop):
    with pytest.raises(ValueError, match=message):
        call(shop)


# PRAM.


@given(files(), st.floats(0, 1))
def test_pram_matrix_has_unit_rows_and_keeps_expected_frequencies(file, theta):
    for column in file:
        matrix = pram_matrix(file[column], theta)
        frequency = file[column].value_counts()[matrix.index].to_numpy()
        assert len(matrix) == file[column].nunique() and (matrix.to_numpy() >= 0).all()
        np.testing.assert_allclose(matrix.sum(axis=1), 1, rtol=1e-12)
        np.testing.assert_allclose(frequency @ matrix.to_numpy(), frequency, rtol=1e-12)


def test_pram_matrix_by_hand():
    # T = (6, 3, 1), theta = 0.5: leaving has probability 0.5 * 1 / T(k), half of it to each of the
    # others.
    matrix = pram_matrix(pd.Series(list("aaaaaabbbc"), dtype="category"), 0.5).loc[
        list("abc"), list("abc")
    ]
    np.testing.assert_allclose(
        matrix, [[1 - 1 / 12, 1 / 24, 1 / 24], [1 / 12, 1 - 1 / 6, 1 / 12], [1 / 4, 1 / 4, 1 / 2]]
    )


def test_pram_follows_its_matrix():
    file = pd.DataFrame(
        {"letter": pd.Categorical(["a"] * 60_000 + ["b"] * 30_000 + ["c"] * 10_000, list("abcd"))}
    )
    masking = PRAM(0.8)
    masked, matrix = masking.mask(file, 1), masking.transitions(file)["letter"]
    observed = pd.crosstab(file["letter"], masked["letter"])
    expected = matrix.loc[observed.index, observed.columns].mul(observed.sum(axis=1), axis=0)
    assert (np.abs(observed - expected) < 5 * np.sqrt(expected)).all(axis=None)
    assert "d" not in set(masked["letter"])  # does not occur, so K does not count it
    assert matrix.loc["d", "d"] == 1


def test_pram_with_theta_zero_or_one_category_changes_nothing(shop):
    assert pram(shop, 0, 1).equals(shop)
    alone = pd.DataFrame({"x": pd.Categorical(["a"] * 5)})
    assert pram(alone, 1, 1).equals(alone)


def test_same_seed_same_file(shop):
    many = pd.concat([shop] * 50, ignore_index=True)
    assert pram(many, 0.9, 3).equals(pram(many, 0.9, np.random.default_rng(3)))
    assert not pram(many, 0.9, 3).equals(pram(many, 0.9, 4))


# What an attacker knows who knows the masking.


@pytest.mark.parametrize("name", METHODS)
def test_transitions_follow_from_the_file_and_have_its_categories_in_their_order(name, shop):
    masking = METHODS[name]
    tables = masking.transitions(shop)
    assert list(tables) == list(shop)
    for seed in (1, 2):
        masked = masking.mask(shop, seed)
        for column, table in masking.transitions(shop).items():
            pd.testing.assert_frame_equal(table, tables[column])
            assert list(table.index) == list(shop[column].cat.categories)
            assert list(table.columns) == list(masked[column].cat.categories)
            for before, after in zip(shop[column], masked[column], strict=True):
                assert table.loc[before, after] > 0
    # A category that does not occur stays as it is, and the order of records makes no difference.
    assert tables["rank"].loc[4, 4] == 1
    pd.testing.assert_frame_equal(masking.transitions(shop[::-1])["size"], tables["size"])


def test_transitions_of_recoding_by_hand(shop):
    top = TopCode(2).transitions(shop)
    assert top["size"].to_numpy().tolist() == [
        [1, 0, 0, 0, 0],
        [0, 1, 0, 0, 0],
        [0, 0, 0, 0, 1],
        [0, 0, 0, 0, 1],
    ]
    np.testing.assert_array_equal(top["colour"], np.eye(3))  # nominal
    first = RecodeRare(2, position="start").transitions(shop)["size"]
    assert list(first.columns) == ["other", *SIZES]
    assert first["other"].tolist() == [1, 0, 1, 0] and first["XL"].tolist() == [0, 0, 0, 1]
    existing = BottomCode(2, into="existing").transitions(shop)["size"]
    assert list(existing.columns) == SIZES and existing["M"].tolist() == [1, 1, 0, 0]


def test_transitions_of_pram_are_its_matrix_for_the_categories_that_occur(shop):
    tables = PRAM(0.6).transitions(shop)
    for column in shop:
        matrix = pram_matrix(shop[column], 0.6)
        part = tables[column].loc[list(matrix.index), list(matrix.columns)]
        np.testing.assert_array_equal(part, matrix)
        assert (tables[column].sum(axis=1).round(12) == 1).all()


def test_transitions_of_several_steps_are_multiplied(shop):
    code, change = TopCode(2), PRAM(0.6)
    coded = code.mask(shop)
    matrix = compose_transitions(code.transitions(shop), change.transitions(coded))["size"]
    assert list(matrix.index) == SIZES
    np.testing.assert_allclose(matrix.sum(axis=1), 1)
    step = pram_matrix(coded["size"], 0.6)
    assert (
        matrix.loc["XL", "top"] == pytest.approx(step.loc["top", "top"]) == matrix.loc["L", "top"]
    )


STEP = PRAM(0.6).transitions(pd.DataFrame({"size": pd.Categorical(["S", "M", "M"])}))


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ([None], "transitions is None; it is a dict with a table for each column"),
        ([STEP, STEP["size"]], "transitions is of the type DataFrame; it is a dict"),
        ([STEP, {}], "transitions has no table for column 'size'"),
        ([STEP, {"size": 0.5}], "the table of column 'size' in transitions is 0.5"),
        ([STEP, {"size": STEP["size"] * 2}], "column 'size' have a cell that is no probability"),
        (
            [STEP, {"size": STEP["size"].astype(str)}],
            "column 'size' have a cell that is no probability",
        ),
        ([STEP, {"size": pd.concat([STEP["size"]] * 2)}], "column 'size' have two rows 'M'"),
        ([STEP, {"size": STEP["size"].loc[["S"]]}], "makes category 'M', of which the next one"),
    ],
)
def test_transitions_that_cannot_be_multiplied(steps, message):
    with pytest.raises(ValueError, match=message):
        compose_transitions(*steps)


def test_what_a_masking_never_makes_needs_no_row_in_the_next_one():
    merge = {"size": pd.DataFrame({"M": [1.0, 1.0], "S": [0.0, None]}, ["M", "S"])}
    after = compose_transitions(merge, {"size": STEP["size"].loc[["M"]]})["size"]
    assert after.to_numpy().tolist() == STEP["size"].loc[["M", "M"]].to_numpy().tolist()
