import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from rlpaper.aggregation import (
    QUANTIFIERS,
    check_measure,
    choquet,
    from_mobius,
    interaction,
    mobius,
    power_quantifier,
    shapley,
    sigmoid_quantifier,
    sugeno,
    symmetric_measure,
    threshold_quantifier,
)
from rlpaper.papers.torra2008 import example

records = arrays(
    float, st.tuples(st.integers(1, 5), st.integers(1, 6)), elements=st.floats(-100, 100)
)
proper = st.one_of(
    st.floats(0.05, 20).map(power_quantifier), st.floats(0, 0.99).map(threshold_quantifier)
)


def by_definition(record, quantifier):
    """Definition 2 of torra2008, term by term."""
    n = len(record)
    ordered = sorted(record, reverse=True)
    return sum(
        (quantifier(i / n) - quantifier((i - 1) / n)) * ordered[i - 1] for i in range(1, n + 1)
    )


def test_worked_example_row_5():
    # r5 = (0.9, 0.2, 0, 0), Q(x) = x^2: 0.9 (1/16) + 0.2 (4/16 - 1/16) = 0.05625 + 0.0375
    assert choquet([[0.9, 0.2, 0, 0]], power_quantifier(2))[0] == pytest.approx(0.09375)


@given(records, st.one_of(proper, st.floats(0, 1).map(sigmoid_quantifier)))
def test_equals_the_definition(values, quantifier):
    expected = [by_definition(record, quantifier) for record in values]
    np.testing.assert_allclose(choquet(values, quantifier), expected, atol=1e-9)


@given(records, proper)
def test_lies_between_minimum_and_maximum(values, quantifier):
    result = choquet(values, quantifier)
    assert (result >= values.min(axis=1) - 1e-9).all() and (
        result <= values.max(axis=1) + 1e-9
    ).all()


@given(records, proper, st.randoms(use_true_random=False))
def test_is_symmetric(values, quantifier, random):
    order = list(range(values.shape[1]))
    random.shuffle(order)
    np.testing.assert_array_equal(
        choquet(values[:, order], quantifier), choquet(values, quantifier)
    )


@given(st.floats(-100, 100), st.integers(1, 8), proper)
def test_is_idempotent(value, n, quantifier):
    assert choquet([[value] * n], quantifier)[0] == pytest.approx(value, abs=1e-9)


@given(records, proper, st.floats(0, 10))
def test_is_monotone(values, quantifier, more):
    raised = values.copy()
    raised[:, 0] += more
    assert (choquet(raised, quantifier) >= choquet(values, quantifier) - 1e-9).all()


@given(records)
def test_power_quantifier_runs_from_maximum_to_minimum(values):
    np.testing.assert_allclose(
        choquet(values, power_quantifier(1e-9)), values.max(axis=1), atol=1e-5
    )
    np.testing.assert_allclose(
        choquet(values, power_quantifier(1e4)), values.min(axis=1), atol=1e-5
    )
    np.testing.assert_allclose(choquet(values, power_quantifier(1)), values.mean(axis=1), atol=1e-9)


def test_sigmoid_quantifier_is_not_idempotent():
    assert choquet([[1, 1, 1]], sigmoid_quantifier(0))[0] == pytest.approx(0.49995, abs=1e-5)
    assert choquet([[1, 1, 1]], sigmoid_quantifier(0.9))[0] == pytest.approx(0.73094, abs=1e-5)


def test_families_have_the_papers_parameters():
    assert {
        family: (len(alphas), alphas[0], alphas[-1]) for family, (_, alphas) in QUANTIFIERS.items()
    } == {"Qe": (10, 0.2, 2.0), "Qs": (10, 0.0, 0.9), "Qt": (10, 0.0, 0.9)}


# Both integrals.

unit_records = arrays(
    float, st.tuples(st.integers(1, 5), st.integers(1, 5)), elements=st.floats(0, 1)
)
integrals = st.sampled_from([choquet, sugeno])


@st.composite
def records_and_measure(draw):
    """Records in [0, 1] and any fuzzy measure of their attributes."""
    n = draw(st.integers(1, 4))
    raw = np.array(draw(st.lists(st.floats(0, 1), min_size=2**n, max_size=2**n)))
    measure = np.array(
        [
            0.0
            if s == 0
            else 1.0
            if s == 2**n - 1
            else max(raw[t] for t in range(1, 2**n) if t & s == t)
            for s in range(2**n)
        ]
    )
    return draw(
        arrays(float, st.tuples(st.integers(1, 4), st.just(n)), elements=st.floats(0, 1))
    ), measure


def sugeno_by_definition(record, quantifier):
    """Definition 3 of torra2008, term by term."""
    n = len(record)
    ordered = sorted(record, reverse=True)
    return max(min(quantifier(i / n), ordered[i - 1]) for i in range(1, n + 1))


@given(records, st.one_of(proper, st.floats(0, 1).map(sigmoid_quantifier)))
def test_sugeno_equals_the_definition(values, quantifier):
    np.testing.assert_array_equal(
        sugeno(values, quantifier), [sugeno_by_definition(record, quantifier) for record in values]
    )


@given(records_and_measure())
def test_choquet_equals_its_moebius_form_and_sugeno_its_largest_bottleneck(pair):
    values, measure = pair
    n = values.shape[1]
    sets = [[v for v in range(n) if s >> v & 1] for s in range(1, 2**n)]
    shares = mobius(measure)[1:]
    np.testing.assert_allclose(
        choquet(values, measure),
        [sum(m * record[s].min() for m, s in zip(shares, sets, strict=True)) for record in values],
        atol=1e-9,
    )
    np.testing.assert_allclose(
        sugeno(values, measure),
        [
            max(min(m, record[s].min()) for m, s in zip(measure[1:], sets, strict=True))
            for record in values
        ],
        atol=1e-12,
    )


@given(records_and_measure(), integrals, st.floats(0, 1), st.data())
def test_integrals_are_idempotent_monotone_and_between_minimum_and_maximum(
    pair, integral, value, data
):
    values, measure = pair
    assert integral([[value] * values.shape[1]], measure)[0] == pytest.approx(value, abs=1e-9)
    result = integral(values, measure)
    assert (result >= values.min(axis=1) - 1e-9).all() and (
        result <= values.max(axis=1) + 1e-9
    ).all()
    raised = values.copy()
    raised[:, data.draw(st.integers(0, values.shape[1] - 1))] += data.draw(st.floats(0, 1))
    assert (integral(np.minimum(raised, 1), measure) >= integral(values, measure) - 1e-9).all()


@given(unit_records, proper, integrals, st.randoms(use_true_random=False))
def test_a_quantifier_is_a_symmetric_measure(values, quantifier, integral, random):
    measure = symmetric_measure(quantifier, values.shape[1])
    np.testing.assert_allclose(integral(values, measure), integral(values, quantifier), atol=1e-12)
    order = list(range(values.shape[1]))
    random.shuffle(order)
    np.testing.assert_array_equal(
        integral(values[:, order], quantifier), integral(values, quantifier)
    )


@given(unit_records, st.floats(0, 0.99))
def test_with_thresholds_both_integrals_are_the_same_on_zero_to_one(values, alpha):
    np.testing.assert_allclose(
        choquet(values, threshold_quantifier(alpha)),
        sugeno(values, threshold_quantifier(alpha)),
        atol=1e-12,
    )


@given(unit_records)
def test_sugeno_runs_from_maximum_to_minimum(values):
    np.testing.assert_allclose(
        sugeno(values, power_quantifier(1e-9)), values.max(axis=1), atol=1e-6
    )
    np.testing.assert_allclose(sugeno(values, power_quantifier(1e4)), values.min(axis=1), atol=1e-6)


@given(records, st.floats(0.1, 4), st.floats(0, 4))
def test_a_larger_alpha_gives_no_larger_power_owa(values, alpha, more):
    assert (
        choquet(values, power_quantifier(alpha + more))
        <= choquet(values, power_quantifier(alpha)) + 1e-9
    ).all()


def test_integrals_agree_with_kappalab(reference):
    measures = reference("capacity4_measures")
    points = reference("capacity4_integrals")
    for number, part in points.groupby("measure"):
        measure = np.zeros(16)
        for row in measures[measures["measure"] == number].itertuples():
            elements = [] if str(row.subset) == "0" else [int(letter) for letter in str(row.subset)]
            measure[sum(1 << (element - 1) for element in elements)] = row.value
        values = part[["x1", "x2", "x3", "x4"]]
        np.testing.assert_allclose(choquet(values, measure), part["choquet"], atol=1e-9)
        np.testing.assert_allclose(sugeno(values, measure), part["sugeno"], atol=1e-9)
    assert points["measure"].nunique() == 10 and len(points) == 120


def test_sugeno_is_not_idempotent_beyond_one():
    assert sugeno([[2.0, 2.0]], power_quantifier(1))[0] == 1.0


@given(records, proper, integrals, st.data())
def test_missing_values_are_zero_or_left_out(values, quantifier, integral, data):
    missing = data.draw(arrays(bool, values.shape))
    missing[:, 0] = False
    holes = np.where(missing, np.nan, values)
    np.testing.assert_array_equal(
        integral(holes, quantifier, "zero"), integral(np.where(missing, 0, values), quantifier)
    )
    alone = [
        integral(record[~gone][None], quantifier)[0]
        for record, gone in zip(values, missing, strict=True)
    ]
    np.testing.assert_allclose(integral(holes, quantifier, "project"), alone, atol=1e-9)


@pytest.mark.parametrize(
    ("values", "measure", "missing", "message"),
    [
        ([[np.nan, np.nan]], power_quantifier(1), "project", "record 0 has no value"),
        ([[1.0, np.nan]], [0, 0.5, 0.5, 1], "project", "use a quantifier"),
        ([[1.0, 2.0]], power_quantifier(1), "drop", "refuse, project, zero"),
        ([[1.0, 2.0]], [0, 0.5, 1], "refuse", "each of 4 sets"),
        ([[1.0, 2.0]], [0, 0.5, 0.5, 0.9], "refuse", "the whole 0.9"),
        ([[1.0, 2.0]], [0, np.nan, 0.5, 1], "refuse", r"measure\[1\] is nan; it is a number betw"),
        ([[1.0, 2.0]], [0, 0.5, 0.5, np.nan], "refuse", r"measure\[3\] is nan; it is a number"),
        ([[1.0, 2.0]], [0, "a", 0.5, 1], "refuse", r"measure\[1\] is 'a'; it is a number between"),
        ([[1.0, 2.0]], [[0, 0.5, 0.5, 1]], "refuse", r"measure\[0\] is of the type list; it is a"),
        ([[1.0, 2.0]], "mean", "refuse", "measure is 'mean'; give a list"),
        ([[1.0, 2.0]], None, "refuse", "measure is None; give a list"),
        ([[1.0, 2.0]], float, "refuse", "quantifier is the class float; give a function"),
        ([[1.0, 2.0]], lambda x: 0.5, "refuse", "the quantifier does not give a number between"),
        ([[1.0, 2.0]], lambda x: 1 - x, "refuse", "the quantifier does not give.*smaller share"),
        ([[1.0, 2.0]], lambda x: 2 * x, "refuse", "the quantifier does not give a number between"),
        ([[1.0, 2.0]], lambda x: x * np.nan, "refuse", "the quantifier does not give a number"),
        (
            [[1.0, 2.0]],
            [0, 1.5, 0.5, 1],
            "refuse",
            "not monotone: set 3 has 1, less than without variable 1, 1.5",
        ),
    ],
)
def test_bad_measures_and_missing_values(values, measure, missing, message):
    with pytest.raises(ValueError, match=message):
        sugeno(values, measure, missing)


def test_a_frame_keeps_its_index():
    frame = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]}, index=["x", "y"])
    assert choquet(frame, power_quantifier(1)).to_dict() == {"x": 2.0, "y": 3.0}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([[1.0, np.nan]], "column 1 has a value that is missing in record 0"),
        ([1.0, 2.0], "records in rows"),
        (np.empty((2, 0)), "at least one"),
        (np.empty((0, 2)), "at least one"),
        ([[1.0, 2.0], [3.0]], "values has rows of different lengths"),
        ([[1.0, np.inf]], "column 1 has a value that is infinite in record 0; replace it or drop"),
        ([["a", "b"]], "column 0 is not numeric"),
        ([[1 + 1j]], "column 0 is not numeric"),
        ("values", "values is 'values'; give a list"),
        (None, "values is None; give a list"),
        (
            pd.DataFrame({"x": [1.0, 2.0], "y": [1.0, -np.inf]}, index=["a", "b"]),
            "column 'y' has a value that is infinite in record 'b'",
        ),
        (pd.DataFrame({"x": ["a"]}), "column 'x' is not numeric"),
        (pd.DataFrame({"x": pd.array([1, None], "Int64")}), "column 'x' has a value that is miss"),
    ],
)
@pytest.mark.parametrize("integral", [choquet, sugeno])
def test_bad_input(integral, values, message):
    with pytest.raises(ValueError, match=message):
        integral(values, power_quantifier(1))


def test_a_record_without_a_value_is_named_by_its_label():
    file = pd.DataFrame({"x": [1.0, None]}, index=["ann", "bob"])
    with pytest.raises(ValueError, match="record 'bob' has no value at all"):
        choquet(file, power_quantifier(1), "project")


@pytest.mark.parametrize("measure", [power_quantifier(0.7), [0, 0.2, 0.5, 1]])
def test_values_of_any_size_are_averaged(measure):
    values = np.array([[3.0, -7.0], [0.1, 0.1], [2.0, 5.0]])
    for power in (-1070, 1020):
        huge = values * 2.0**power
        np.testing.assert_array_equal(choquet(huge, measure), choquet(values, measure) * 2.0**power)
    largest = np.finfo(float).max
    assert choquet([[largest, largest]], measure)[0] == pytest.approx(largest)
    assert sugeno([[largest, -largest]], measure)[0] < 1
    missing = np.array([[1e308, np.nan], [np.nan, 5e-324]])
    assert choquet(missing, power_quantifier(1), "project").tolist() == [1e308, 5e-324]


@pytest.mark.parametrize(
    "values",
    [
        [[True, False]],
        pd.DataFrame({"x": pd.array([1], "Int64"), "y": pd.array([0.0], "Float64")}),
        np.array([[1, 0]], object),
        pd.DataFrame({"x": [1], "y": [False]}),
    ],
)
def test_values_of_any_dtype_are_averaged(values):
    assert np.asarray(choquet(values, power_quantifier(1))).tolist() == [0.5]


@pytest.mark.parametrize("alpha", [0, -1, np.nan, np.inf, "2", None, [2]])
def test_power_quantifier_needs_a_positive_alpha(alpha):
    with pytest.raises(ValueError, match="alpha is .*alpha > 0"):
        power_quantifier(alpha)


@pytest.mark.parametrize("family", [sigmoid_quantifier, threshold_quantifier])
@pytest.mark.parametrize("alpha", [np.nan, np.inf, "2", None])
def test_other_quantifiers_need_a_number(family, alpha):
    with pytest.raises(ValueError, match="alpha is .*; it is a number between"):
        family(alpha)


@pytest.mark.parametrize("family", [power_quantifier, sigmoid_quantifier, threshold_quantifier])
@pytest.mark.parametrize("x", [-0.1, 1.5, np.nan, "half", [0.5, 2], None])
def test_quantifiers_are_functions_of_shares(family, x):
    with pytest.raises(ValueError, match="option x of a quantifier is .*; it is a share between"):
        family(0.5)(x)


def test_the_worked_example_permutes_the_attributes_and_keeps_the_representatives():
    a, b = example.example_files()
    assert example.permutation(a, b) == {
        "V1'": ["V4"],
        "V2'": ["V3"],
        "V3'": ["V1"],
        "V4'": ["V2"],
    }
    pd.testing.assert_frame_equal(
        example.representatives(a), example.representatives(b), check_exact=True
    )


# Fuzzy measures.

set_functions = st.integers(1, 5).flatmap(
    lambda n: st.lists(st.floats(-10, 10), min_size=2**n, max_size=2**n)
)


@given(set_functions)
def test_the_moebius_transform_is_taken_back_and_sums_over_subsets(values):
    np.testing.assert_allclose(from_mobius(mobius(values)), values, atol=1e-9)
    by_definition = [
        sum(values[t] for t in range(len(values)) if t & s == t) for s in range(len(values))
    ]
    np.testing.assert_allclose(from_mobius(values), by_definition, atol=1e-9)


@given(set_functions)
def test_shapley_values_share_out_the_whole(values):
    measure = np.array(values) - values[0]
    assert shapley(measure).sum() == pytest.approx(measure[-1], abs=1e-9)


@pytest.mark.parametrize("values", [[], [0.0, 0.5, 1.0]])
def test_a_measure_needs_a_value_for_every_set(values):
    with pytest.raises(ValueError, match=f"each of 2 \\*\\* n sets.*here are {len(values)}"):
        mobius(values)


@pytest.mark.parametrize("transform", [mobius, from_mobius, shapley, interaction])
@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([0, np.nan], r"\[1\] is nan; it is a number between -1e\+300 and 1e\+300"),
        ([0, 1e308], r"\[1\] is 1e\+308; it is a number between"),
        ([0, "1"], r"\[1\] is '1'; it is a number between"),
        ([[0, 1]], r"\[0\] is of the type list; it is a number between"),
        (1.0, "is 1.0; give a list"),
        (np.array(1.0), "is of the type ndarray; give a list"),
        ("ab", "is 'ab'; give a list"),
    ],
)
def test_what_is_no_number_for_every_set_is_refused(transform, values, message):
    with pytest.raises(ValueError, match=message):
        transform(values)


@pytest.mark.parametrize("n", [0, 1.5, 25, 10**30, None, "2"])
def test_the_number_of_variables_of_a_measure_is_checked(n):
    for call in (
        lambda: symmetric_measure(power_quantifier(1), n),
        lambda: check_measure([0, 1], n),
    ):
        with pytest.raises(ValueError, match="n is .*; it is the number of variables, columns of"):
            call()
