import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, strategies as st

from rlpaper import datasets
from rlpaper.distances import (
    AgreementPattern,
    SumOverColumns,
    categorical,
    combined,
    dbrl1,
    dbrl2,
    gower,
    kernel,
    mahalanobis,
    manhattan,
    mixed,
    squared_euclidean,
)
from rlpaper.distances.numeric import columns_with_variation
from rlpaper.distances.prepared_files import PreparedFiles, prepared, prepared_by
from rlpaper.masking import add_noise, top_code

SIZES = pd.CategoricalDtype(["S", "M", "L", "XL"], ordered=True)
COLOURS = pd.CategoricalDtype(["red", "green", "blue"])


def table(distance, original, masked):
    compared = distance(original, masked)
    values = compared.distances(compared.original, compared.masked)
    return np.sqrt(values) if compared.squared else values


@pytest.fixture
def pair():
    census = datasets.load("census").iloc[:60, :5]
    return census, add_noise(census, 20, 1)


@pytest.fixture
def clothes():
    original = pd.DataFrame(
        {
            "size": ["S", "M", "XL", "L"],
            "colour": ["red", "blue", "blue", "green"],
            "price": [1.0, 2.0, 4.0, 9.0],
        }
    )
    masked = pd.DataFrame(
        {
            "size": ["M", "M", "XL", "S"],
            "colour": ["red", "red", "blue", "blue"],
            "price": [1.5, 2.0, 5.0, 8.0],
        }
    )
    return (frame.astype({"size": SIZES, "colour": COLOURS}) for frame in (original, masked))


# Formulas, each from the definition and nothing else.


def test_dbrl1_is_the_euclidean_distance_of_standardised_variables(pair):
    x, y = ((frame - frame.mean()) / frame.std(ddof=0) for frame in pair)
    expected = [[math.dist(a, b) for b in y.to_numpy()] for a in x.to_numpy()]
    np.testing.assert_allclose(table(dbrl1(), *pair), expected, rtol=1e-12)


@pytest.mark.parametrize("standardise", ["original", "pooled", None, "given"])
def test_moments_of_dbrl1(standardise, pair):
    original, masked = pair
    both = pd.concat(pair)
    other = original.head(20), masked.head(30)
    sources = {
        "original": (original, original),
        "pooled": (both, both),
        "given": other,
        None: None,
    }[standardise]
    x, y = (
        pair
        if sources is None
        else ((f - s.mean()) / s.std(ddof=0) for f, s in zip(pair, sources, strict=True))
    )
    expected = [[math.dist(a, b) for b in y.to_numpy()] for a in x.to_numpy()]
    np.testing.assert_allclose(
        table(dbrl1(other if standardise == "given" else standardise), *pair), expected, rtol=1e-9
    )


def test_weighted_mean_of_squared_differences(pair):
    weights = [4, 0, 1, 2, 3]
    x, y = (((frame - frame.mean()) / frame.std(ddof=0)).to_numpy() for frame in pair)
    expected = [
        [
            math.sqrt(sum(w / 10 * (u - v) ** 2 for w, u, v in zip(weights, a, b, strict=True)))
            for b in y
        ]
        for a in x
    ]
    np.testing.assert_allclose(table(dbrl1(weights=weights), *pair), expected, rtol=1e-12)
    named = dict(zip(reversed(pair[0].columns), reversed(weights), strict=True))
    np.testing.assert_array_equal(
        table(dbrl1(weights=named), *pair), table(dbrl1(weights=weights), *pair)
    )


def test_dbrl2_divides_by_the_deviation_of_the_differences(pair):
    spread = (pair[0] - pair[1]).std(ddof=0)
    expected = [
        [math.dist(a, b) for b in (pair[1] / spread).to_numpy()]
        for a in (pair[0] / spread).to_numpy()
    ]
    np.testing.assert_allclose(table(dbrl2(), *pair), expected, rtol=1e-12)


@pytest.mark.parametrize("covariance", ["COV", "COV0"])
def test_mahalanobis_by_the_printed_formula(covariance, pair):
    x, y = (frame.to_numpy(float) for frame in pair)
    joint = np.cov(x.T, y.T)
    n = x.shape[1]
    matrix = joint[:n, :n] + joint[n:, n:]
    if covariance == "COV":
        matrix = matrix - joint[:n, n:] - joint[n:, :n]
    inverse = np.linalg.inv(matrix)
    expected = [[math.sqrt((a - b) @ inverse @ (a - b)) for b in y] for a in x]
    np.testing.assert_allclose(table(mahalanobis(covariance), *pair), expected, rtol=1e-6)


@pytest.mark.parametrize("distance", [dbrl2(), mahalanobis()])
def test_paired_records_are_found_by_label(distance, pair):
    original, masked = pair
    order = np.random.default_rng(1).permutation(len(masked))
    np.testing.assert_allclose(
        table(distance, original, masked.iloc[order]),
        table(distance, original, masked)[:, order],
        rtol=1e-6,
    )
    # An attacker who knows some: what their differences say is used for all.
    some = table(distance, original.iloc[:30], masked)
    np.testing.assert_allclose(
        some[:, :30], table(distance, original.iloc[:30], masked.iloc[:30]), rtol=1e-6
    )


@pytest.mark.parametrize("degree", [1, 2, 3, 4, 7])
def test_kernel_by_the_printed_formula_in_exact_arithmetic(degree):
    from fractions import Fraction

    rng = np.random.default_rng(degree)
    x, y = (pd.DataFrame(rng.integers(-3, 4, (6, 3)) / 2) for _ in range(2))

    def k(a, b):
        return (1 + sum(Fraction(u) * Fraction(v) for u, v in zip(a, b, strict=True))) ** degree

    expected = [
        [float(k(a, a) - 2 * k(a, b) + k(b, b)) for b in y.to_numpy()] for a in x.to_numpy()
    ]
    np.testing.assert_allclose(table(kernel(degree, None), x, y) ** 2, expected, rtol=1e-12)


def test_kernel_of_degree_1_is_euclidean_to_the_last_bit(pair):
    np.testing.assert_array_equal(table(kernel(1), *pair), table(dbrl1(), *pair))


def test_kernel_keeps_small_distances_that_the_printed_form_loses():
    x = pd.DataFrame({"x": [1e4, 1e4 + 1e-4]})
    # The feature map is (x^3, sqrt(3) x^2, sqrt(3) x, 1): a step of 1e-4 at 1e4 is 3 x^2 times it,
    # and little more.
    assert table(kernel(3, None), x, x)[0, 1] == pytest.approx(3e8 * 1e-4, rel=1e-6)


def test_manhattan(pair):
    x, y = (frame.to_numpy(float) for frame in pair)
    expected = [[np.abs(a - b).sum() for b in y] for a in x]
    np.testing.assert_allclose(table(manhattan(None), *pair), expected, rtol=1e-12)


def test_categorical_distance_by_hand(clothes):
    original, masked = (frame[["size", "colour"]] for frame in clothes)
    # S against M spans two of four categories; red equals red.
    expected = [
        [2 / 4, 2 / 4, 4 / 4 + 1, 1 / 4 + 1],
        [1 / 4 + 1, 1 / 4 + 1, 3 / 4, 2 / 4],
        [3 / 4 + 1, 3 / 4 + 1, 1 / 4, 4 / 4],
        [2 / 4 + 1, 2 / 4 + 1, 2 / 4 + 1, 3 / 4 + 1],
    ]
    np.testing.assert_array_equal(table(categorical(), original, masked), expected)
    np.testing.assert_array_equal(
        table(categorical(ordinal="usual"), original, masked), np.array(expected) - 1 / 4
    )
    weighted = table(categorical({"size": 3, "colour": 1}), original, masked)
    assert weighted[0, 2] == pytest.approx(3 / 4 * 1 + 1 / 4 * 1)


def test_mixed_distance_by_hand(clothes):
    original, masked = clothes
    price = dbrl1()(original[["price"]], masked[["price"]])
    parts = (
        table(categorical(), original[["size"]], masked[["size"]])
        + table(categorical(), original[["colour"]], masked[["colour"]])
        + price.distances(price.original, price.masked)
    )
    np.testing.assert_allclose(table(mixed(), original, masked), np.sqrt(parts), rtol=1e-12)
    np.testing.assert_allclose(
        table(mixed(weights=[1, 1, 1]), original, masked), np.sqrt(parts / 3), rtol=1e-12
    )
    numbers = original[["price"]], masked[["price"]]
    np.testing.assert_allclose(table(mixed(), *numbers), table(dbrl1(), *numbers), rtol=1e-12)


def test_mixed_takes_moments_of_other_records(clothes):
    original, masked = clothes
    own = table(mixed(standardise=(original, masked)), original, masked)
    np.testing.assert_array_equal(own, table(mixed(), original, masked))


def test_gower_by_hand(clothes):
    # First pair: |S - M| = 1 of 3 steps, red equals red, |1 - 1.5| of the range 8.
    assert table(gower(), *clothes)[0, 0] == pytest.approx((1 / 3 + 0 + 0.5 / 8) / 3)


# Properties.

columns = st.lists(st.sampled_from(list(SIZES.categories)), min_size=6, max_size=6)
numbers = st.lists(st.integers(-50, 50), min_size=6, max_size=6)


@given(columns, columns, numbers, numbers)
def test_distances_are_symmetric_and_zero_for_equal_records(a, b, c, d):
    assume(len(set(c)) > 1 and len(set(d)) > 1)
    file = pd.DataFrame(
        {"size": pd.Categorical(a, dtype=SIZES), "letter": pd.Categorical(b), "x": c, "y": d}
    )
    for distance, part in (
        (dbrl1(), ["x", "y"]),
        (kernel(3), ["x", "y"]),
        (manhattan(), ["x", "y"]),
        (gower(), list(file)),
        (mixed(ordinal="usual"), list(file)),
        (categorical(ordinal="usual"), ["size", "letter"]),
    ):
        values = table(distance, file[part], file[part])
        np.testing.assert_allclose(values, values.T, rtol=1e-12)
        assert (np.diag(values) == 0).all() and (values >= 0).all()
    assert (table(gower(), file, file) <= 1 + 1e-12).all()


@given(columns, columns)
def test_ordinal_forms_differ_by_a_constant(a, b):
    original, masked = (
        pd.DataFrame({"size": pd.Categorical(values, dtype=SIZES)}) for values in (a, b)
    )
    printed, usual = (
        table(categorical(ordinal=form), original, masked) for form in ("printed", "usual")
    )
    assert (printed - usual == 1 / 4).all()
    assert printed.max() <= 1


def test_equal_sums_of_thirds_and_ninths_are_exact_ties():
    # 1/9 + 1/9 + 1/9 and 1/3: equal, though not when added as floating-point numbers.
    nine, three = (pd.CategoricalDtype(range(n), ordered=True) for n in (9, 3))
    original = pd.DataFrame({"a": [0], "b": [0], "c": [0], "d": [0]})
    masked = pd.DataFrame({"a": [1, 0], "b": [1, 0], "c": [1, 0], "d": [0, 1]})
    dtypes = {"a": nine, "b": nine, "c": nine, "d": three}
    values = table(categorical(ordinal="usual"), original.astype(dtypes), masked.astype(dtypes))
    assert values[0, 0] == values[0, 1]


def test_a_category_added_by_masking_has_its_place_in_the_order():
    file = pd.DataFrame({"size": pd.Categorical(["S", "L", "XL"], dtype=SIZES)})
    values = table(categorical(ordinal="usual"), file, top_code(file, 1))
    assert values[:, 2].tolist() == [4 / 5, 2 / 5, 1 / 5]  # "top" is the fifth of five


def test_a_constant_column_counts_nothing(pair):
    original, masked = (frame.assign(same=0.1) for frame in pair)
    for distance in (dbrl1(), manhattan(), kernel(2)):
        np.testing.assert_array_equal(table(distance, original, masked), table(distance, *pair))


def test_whole_numbers_at_the_end_of_their_range():
    big = np.iinfo(np.int64).max
    original, masked = pd.DataFrame({"x": [-big, 0, big]}), pd.DataFrame({"x": [-big, 1, big]})
    assert table(dbrl1(None), original, masked)[0, 2] == pytest.approx(2.0 * big)
    unsigned = pd.DataFrame({"x": np.array([0, 255], np.uint8)})
    assert table(manhattan(None), unsigned, unsigned)[0, 1] == 255


@pytest.mark.parametrize("scale", [2.0**990, 2.0**600, 2.0**-600, 2.0**-990])
@pytest.mark.parametrize(
    "distance",
    [dbrl1(), dbrl1("pooled"), dbrl2(), mahalanobis(), mahalanobis("COV0"), manhattan(), gower()],
)
def test_the_unit_of_a_column_moves_no_digit_however_large_the_numbers_become(
    distance, scale, pair
):
    column = pair[0].columns[1]
    scaled = [frame.assign(**{column: frame[column] * scale}) for frame in pair]
    np.testing.assert_array_equal(table(distance, *scaled), table(distance, *pair))


def test_two_records_have_a_covariance():
    pair = FILE.head(2), OTHER.head(2)
    distances = table(mahalanobis("COV0", ridge=0.5), *pair)
    assert (np.diag(distances) < np.diag(distances[:, ::-1])).all()


def test_one_outlier_beside_which_all_else_vanishes_is_the_only_one_that_is_told_apart():
    file = pd.DataFrame({"x": [1.0, 2.0, 3.0, 1e200]})
    for distance in (dbrl1(), manhattan(), gower()):
        distances = table(distance, file, file)
        assert distances[:3, :3].max() < 1e-150 < 0.5 < distances[3, :3].min()


def test_more_columns_than_a_common_denominator_holds_are_still_compared():
    # Columns of 2, 3, 5 ... 47 categories: their least common multiple is about 6e17.
    primes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47]
    file = pd.DataFrame(
        {f"v{p}": pd.Categorical([0, p - 1], range(p), ordered=True) for p in primes}
    )
    assert table(categorical(), file, file)[0, 1] == pytest.approx(15)  # from one end to the other


# Bad files and options.

FILE = pd.DataFrame({"x": [1.0, 2.0, 4.0], "y": [2.0, 4.0, 8.0]}, index=list("abc"))
WORDS = pd.DataFrame({"x": ["a", "b", "c"], "y": [2.0, 4.0, 8.0]}, index=list("abc"))
OTHER = FILE + np.array([[0.1, 0.2], [0.3, 0.1], [-0.2, 0.4]])


@pytest.mark.parametrize(
    ("distance", "original", "masked", "message"),
    [
        (dbrl1(), WORDS, FILE, "column 'x' of the original file is not numeric"),
        (
            dbrl1(),
            FILE,
            FILE.mask(FILE == 8),
            "column 'y' of the masked file has a value that is missing or infinite in record 'c'",
        ),
        (
            dbrl1(),
            FILE.replace(8.0, np.inf),
            FILE,
            "column 'y' of the original file has a value that is missing or infinite in record 'c'",
        ),
        (dbrl1(weights=[1]), FILE, FILE, "1 weights for 2 columns"),
        (dbrl1(weights={"x": 1}), FILE, FILE, "give one for each column"),
        (dbrl1((FILE, FILE[["x"]])), FILE, FILE, "must have the columns"),
        (dbrl2(), FILE, FILE.assign(x=OTHER["x"]), "column 'y' has no variation"),
        (
            dbrl2(),
            FILE,
            OTHER.assign(y=FILE["y"] + 0.1),
            "column 'y' has no variation",
        ),  # but for rounding
        (dbrl2(), FILE, OTHER.set_axis(list("xyz")), "fewer than two index labels in common"),
        (mahalanobis(), FILE, FILE.assign(x=OTHER["x"]), "column 'y' has no variation"),
        (mahalanobis("COV0"), FILE, FILE, "singular"),
        (mahalanobis(), FILE, OTHER.assign(y=FILE["y"] + 0.1), "column 'y' has no variation"),
        (mahalanobis(), FILE, OTHER.head(1), "fewer than two index labels in common"),
        (categorical(), FILE, FILE, "column 'x' is not categorical"),
        (
            gower(),
            FILE.astype({"x": "category"}),
            FILE,
            "categorical in one file and not in the other",
        ),
        (mixed(), WORDS, WORDS, "column 'x' of the original file is not numeric"),
        (dbrl1(), FILE.to_numpy(), FILE, "the original file is of the type ndarray; give a pandas"),
        (gower(), FILE, None, "the masked file is None; give a pandas DataFrame"),
        (manhattan(), FILE.iloc[:0], FILE, "the original file is empty"),
        (dbrl2(), FILE, FILE[[]], "the masked file is empty"),
        (mixed(), FILE, FILE[["y", "x"]], "the files have different columns"),
        (dbrl1(), FILE.set_axis(["x", "x"], axis=1), FILE, "original file has two columns 'x'"),
        (dbrl2(), FILE.set_axis(list("aac")), FILE, "index of the original file has 'a' twice"),
        (
            dbrl1(None),
            FILE,
            FILE.replace(8.0, 1e200),
            "'y' of the masked file has a value that is too large to be squared in record 'c'",
        ),
        (
            dbrl1((FILE, FILE)),
            FILE,
            FILE.replace(8.0, 1e300),
            "'y' of the masked file has a value that is too large to be squared in record 'c'",
        ),
        (dbrl1((FILE, FILE.iloc[:0])), FILE, FILE, "the file that gives the moments is empty"),
        (mahalanobis("COV0"), FILE, OTHER.head(1), "at least two records in each file"),
        (kernel(900, None), FILE, FILE, "degree is 900; the powers of these files' numbers"),
        (
            dbrl2(),
            pd.concat([FILE, pd.DataFrame({"x": 1e300, "y": 1.0}, ["d"])]),
            OTHER,
            "column 'x' has no variation to divide by .* far larger than all others",
        ),
        (
            mahalanobis(),
            FILE,
            pd.concat([OTHER, pd.DataFrame({"x": 1e155, "y": 1.0}, ["d"])]),
            "'x' of the masked file has a value that is too large to be squared in record 'd'",
        ),
        (kernel(3, None), FILE * 1e60, FILE, "degree is 3; the powers of these files' numbers"),
        (kernel(3, None), FILE, FILE * 1e60, "degree is 3; the powers of these files' numbers"),
        (
            dbrl2(),
            FILE * 1e6,
            (FILE * 1e6).assign(x=OTHER["x"], y=lambda file: file["y"] + 0.1),
            "column 'y' has no variation",
        ),
        (combined(dbrl1(), "gower"), FILE, FILE, "distance is 'gower'; give one that"),
        (combined(gower), FILE, FILE, r"which makes one; call it: gower\(\)"),
        (combined(lambda a, b: 3), FILE, FILE, "distance gives 3; called with both files"),
        (
            categorical(transitions={"x": pd.DataFrame({"a": ["much"]}, ["a"])}),
            *(WORDS[["x"]].astype("category"),) * 2,
            "transitions of column 'x' have a cell that is no probability",
        ),
    ],
)
def test_bad_files(distance, original, masked, message):
    with pytest.raises(ValueError, match=message):
        distance(original, masked)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: dbrl1("mine"),
            "standardise is 'mine'; it is 'own', 'original', 'pooled', None or",
        ),
        (lambda: dbrl1((FILE, 2)), "a pair of frames"),
        (lambda: kernel(2, FILE), "a pair of frames"),
        (lambda: manhattan("mine"), "standardise is 'mine'"),
        (lambda: mixed(standardise="mine"), "standardise is 'mine'"),
        (lambda: dbrl1(weights=[0, 0]), "not all 0"),
        (lambda: mixed(weights={"x": 1, "y": -1}), "0 or more"),
        (lambda: categorical(weights=[np.nan]), "0 or more"),
        (lambda: kernel(0), "whole number, 1 or more"),
        (lambda: kernel(1.5), "whole number"),
        (lambda: mahalanobis("cov"), "covariance is 'cov'; it is one of COV, COV0"),
        (lambda: categorical(ordinal="new"), "ordinal is 'new'; it is one of printed, usual"),
        (lambda: mixed(ordinal="new"), "ordinal is 'new'; it is one of printed, usual"),
        (lambda: dbrl1(FILE), "standardise is of the type DataFrame"),
        (lambda: dbrl1(weights="xy"), "weights is 'xy'; give a list"),
        (lambda: dbrl1(weights=[1, "much"]), "one of the weights is 'much'; it is 0 or more"),
        (lambda: dbrl1(weights={"x": True, "y": 1}), "one of the weights is True"),
        (lambda: kernel("2"), "degree is '2'; it is a whole number, 1 or more"),
        (lambda: kernel(math.inf), "degree is inf"),
        (lambda: mahalanobis(ridge=-1), "ridge is -1; it is a share of the variances"),
        (lambda: mahalanobis(ridge="small"), "ridge is 'small'"),
        (lambda: combined(), "no distance is given"),
        (lambda: SumOverColumns(["cube"], [1]), "comparison is 'cube'; it is one of square"),
        (lambda: SumOverColumns(["square"], [1, 2]), "2 factors for 1 comparisons"),
        (lambda: SumOverColumns(["square"], [-1]), "one of the factors is -1"),
        (lambda: SumOverColumns(["square"], [1], denominator=0), "denominator is 0"),
        (lambda: SumOverColumns(["square"], [1], unit=-1), "unit is -1"),
        (lambda: AgreementPattern(np.zeros(3)), "one distance for each of the 2"),
        (lambda: AgreementPattern(np.zeros((2, 2))), "one distance for each of the 2"),
        (lambda: AgreementPattern(np.zeros(1)), "one distance for each of the 2"),
        (lambda: AgreementPattern([0, np.nan]), "none of them missing"),
        (lambda: squared_euclidean(np.zeros((2, 2)), np.zeros((2, 3))), r"shape \(2, 3\)"),
    ],
)
def test_bad_options(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_categories_that_do_not_fit_together():
    ordered = pd.DataFrame({"s": pd.Categorical(["S"], ["S", "M"], ordered=True)})
    for other, message in (
        (pd.Categorical(["S"], ["M", "S"], ordered=True), "one common order"),
        (pd.Categorical(["S"], ["S", "M"]), "ordered in one file and not in the other"),
        (
            pd.Categorical([None], ["S", "M"], ordered=True),
            "column 's' of the masked file has a value that is missing in record 0",
        ),
    ):
        with pytest.raises(ValueError, match=message):
            categorical()(ordered, pd.DataFrame({"s": other}))


# How files are prepared.


def test_squares_are_searched_by_a_tree_and_anything_else_is_looked_at_first():
    file = pd.DataFrame({"x": [1.0, 2.0, 4.0]})
    assert prepared_by(dbrl1(), file, file).distances is squared_euclidean
    given = PreparedFiles(file.to_numpy(), file.to_numpy(), lambda a, b: np.abs(a - b.T))
    looked_at = prepared_by(lambda a, b: given, file, file)
    assert looked_at.distances is not given.distances
    np.testing.assert_array_equal(
        looked_at.distances(given.original, given.masked), [[0, 1, 3], [1, 0, 2], [3, 2, 0]]
    )


def test_whole_numbers_beside_fractions_are_compared_as_fractions():
    file, whole = np.array([[1.5], [2.5]]), np.array([[1], [2]])
    frame = pd.DataFrame({"x": [1.5, 2.5]})
    for x, y in ((file, whole), (whole, file), (whole, whole)):
        given = PreparedFiles(x, y, squared_euclidean)
        compared = prepared_by(lambda a, b, given=given: given, frame, frame)
        assert compared.original.dtype == compared.masked.dtype == float


def test_a_distance_is_prepared_of_comparable_files_only():
    file = pd.DataFrame({"x": [1.0, 2.0]})
    with pytest.raises(ValueError, match="distance is 'euclid'; give one that"):
        prepared("euclid", file, file)
    with pytest.raises(ValueError, match="original file is of the type ndarray"):
        prepared(dbrl1(), file.to_numpy(), file)
    given = PreparedFiles(np.ones((2, 1)), np.ones((2, 1)), squared_euclidean)
    with pytest.raises(ValueError, match="masked file is of the type list"):
        prepared(lambda original, masked: given, file, [1.0, 2.0])
    with pytest.raises(ValueError, match="different columns"):
        prepared(dbrl1(), file, file.rename(columns={"x": "y"}))


def test_tables_of_other_columns_are_refused_by_name():
    distance, rows = SumOverColumns(["square"], [1.0]), np.ones((2, 1))
    with pytest.raises(ValueError, match=r"the first array has the shape \(2, 2\)"):
        distance(np.ones((2, 2)), rows)
    with pytest.raises(ValueError, match=r"the second array has the shape \(0, 1\)"):
        distance(rows, rows[:0])
    for factors in ("1", 1.0, {1.0}):
        with pytest.raises(ValueError, match="factors is .*give a list"):
            SumOverColumns(["square"], factors)


def test_rows_side_by_side_may_broadcast():
    a, b = (
        np.array([[[1.0, 2.0]], [[3.0, 5.0]], [[0.0, 0.0]]]),
        np.array([[[0.0, 0.0], [1.0, 1.0]]]),
    )
    squares = SumOverColumns(["square", "square"], [1.0, 2.0])
    expected = [[9, 2], [59, 36], [0, 3]]
    np.testing.assert_array_equal(squares.paired(a, b), expected)
    np.testing.assert_array_equal(squares(a[:, 0], b[0]), expected)
    agreement = AgreementPattern([0.0, 1.0, 2.0, 3.0])
    np.testing.assert_array_equal(agreement.paired(a, b), [[0, 1], [0, 0], [3, 0]])


def test_a_distance_of_zero_is_a_square_and_one_below_is_none():
    rows = np.ones((2, 1))
    assert PreparedFiles(rows, rows, AgreementPattern([1.0, 0.0])).squared
    assert not PreparedFiles(rows, rows, AgreementPattern([1.0, -1.0]), squared=False).squared
    with pytest.raises(ValueError, match="below 0, which is no square; say squared=False"):
        PreparedFiles(rows, rows, AgreementPattern([1.0, -1.0]))


def test_a_column_of_zeros_has_no_variation():
    file = pd.DataFrame({"x": [1.0, 2.0, 4.0], "zero": 0.0})
    masked = (file * 1.5).assign(same=[1.0, 5.0, 2.0])
    file["same"] = masked["same"]  # not masked: the differences do not vary
    assert columns_with_variation(file, masked) == ["x"]
    assert columns_with_variation(file, masked, ridge=0.1) == ["x", "same"]
    with pytest.raises(ValueError, match="column 'zero' has no variation to divide by"):
        dbrl2()(file, masked)
