import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from rlpaper.aggregation import (
    QUANTIFIERS,
    choquet,
    from_mobius,
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
    ],
)
def test_bad_input(values, message):
    with pytest.raises(ValueError, match=message):
        choquet(values, power_quantifier(1))


def test_power_quantifier_needs_a_positive_alpha():
    with pytest.raises(ValueError, match="alpha > 0"):
        power_quantifier(0)


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
