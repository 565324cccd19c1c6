import itertools
import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

from conftest import with_transitions
from rlpaper.distances import categorical
from rlpaper.information_loss import (
    actbil,
    cell_loss,
    correlation_loss,
    ctbil,
    dist,
    ebil,
    il,
    il1s,
)
from rlpaper.information_loss.mixed import information_loss
from rlpaper.masking import PRAM, BottomCode, RecodeRare, TopCode

SIZES = ["S", "M", "L", "XL"]
few = settings(max_examples=30, deadline=None)

METHODS = {
    "recode_rare": [RecodeRare(2)],
    "top_code": [TopCode(2)],
    "bottom_code": [BottomCode(1, scope="all", into="existing")],
    "pram": [PRAM(0.7)],
    "two steps": [RecodeRare(2, position="start"), PRAM(0.5)],
}


@st.composite
def files(draw, records=None):
    """Two ordinal variables and a nominal one, with categories that do not occur."""
    n = draw(st.integers(1, 25)) if records is None else records
    values = [
        draw(st.lists(st.sampled_from(names), min_size=n, max_size=n))
        for names in (SIZES, "uvwxy", [1, 2, 3])
    ]
    return pd.DataFrame(
        {
            "size": pd.Categorical(values[0], SIZES, ordered=True),
            "letter": pd.Categorical(values[1], list("uvwxyz")),
            "grade": pd.Categorical(values[2], [1, 2, 3, 4], ordered=True),
        }
    )


def single(values):
    return pd.DataFrame({"v": pd.Categorical(list(values))})


def entropy(*shares):
    return -sum(p * math.log2(p) for p in shares)


# By hand.

NOISE = {"v": pd.DataFrame([[0.9, 0.1], [0.3, 0.7]], list("ab"), list("ab"))}
MERGED = {"v": pd.DataFrame([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]], list("abc"), ["a", "other"])}


def test_ebil_and_il_of_noise_by_hand_with_the_files_own_frequencies():
    original, masked = single("aaab"), single("aabb")
    # Counts 3 and 1. Seen as a: 3 * 0.9 = 2.7 that were a, 1 * 0.3 = 0.3 that were b; so 0.9 and
    # 0.1. Seen as b: 3 * 0.1 = 0.3 and 1 * 0.7 = 0.7; so 0.3 and 0.7. Two records are seen as each.
    assert ebil(masked, NOISE, original) == pytest.approx(
        2 * entropy(0.9, 0.1) + 2 * entropy(0.3, 0.7), rel=1e-12
    )
    # a seen as a twice, a as b, b as b: 2 * 0.152003 + 1.736966 + 0.514573.
    assert il(original, masked, NOISE, original) == pytest.approx(
        -2 * math.log2(0.9) - math.log2(0.3) - math.log2(0.7), rel=1e-12
    )
    assert il(original, masked, NOISE, original) == pytest.approx(2.555545, abs=1e-6)
    assert ebil(masked, NOISE, original) == pytest.approx(2.700573, abs=1e-6)


def test_ebil_and_il_of_noise_by_hand_with_another_files_frequencies():
    original, masked, reference = single("aaab"), single("aabb"), single("bbaabbaa")
    # As many a as b. Seen as a: 0.9 to 0.3, so 3/4 and 1/4. Seen as b: 0.1 to 0.7, so 1/8 and 7/8.
    assert ebil(masked, NOISE, reference) == pytest.approx(
        2 * entropy(3 / 4, 1 / 4) + 2 * entropy(1 / 8, 7 / 8), rel=1e-12
    )
    # - 2 log2 3/4 - log2 1/8 - log2 7/8, where - log2 1/8 = 3.
    assert il(original, masked, NOISE, reference) == pytest.approx(
        3 - 2 * math.log2(3 / 4) - math.log2(7 / 8), rel=1e-12
    )


def test_ebil_and_il_of_a_recoding_by_hand():
    original, masked = single("aabc"), single(["a", "a", "other", "other"])
    # a is a for sure; other is b or c, one each: a bit for each of the two records.
    assert ebil(masked, MERGED, original) == 2 and il(original, masked, MERGED, original) == 2
    # With three b for each c: 3/4 and 1/4. IL: - log2 3/4 for the b, - log2 1/4 = 2 for the c.
    reference = single("bbbcaaaaaaa")
    assert ebil(masked, MERGED, reference) == pytest.approx(2 * entropy(3 / 4, 1 / 4), rel=1e-12)
    assert il(original, masked, MERGED, reference) == pytest.approx(2 - math.log2(3 / 4), rel=1e-12)


def test_ebil_looks_at_the_masked_file_alone_and_il_at_the_originals_too():
    masked, reference = single("aabb"), single("aaab")
    for original, surprise in (
        ("aaab", -2 * math.log2(0.9) - math.log2(0.3) - math.log2(0.7)),
        ("bbaa", -2 * math.log2(0.1) - 2 * math.log2(0.3)),
    ):
        assert il(single(original), masked, NOISE, reference) == pytest.approx(surprise, rel=1e-12)


def test_the_loss_of_several_variables_is_the_sum_of_theirs():
    original = pd.DataFrame({"v": pd.Categorical(list("aaab")), "w": pd.Categorical(list("aabc"))})
    masked = pd.DataFrame(
        {"v": pd.Categorical(list("aabb")), "w": pd.Categorical(["a", "a", "other", "other"])}
    )
    known = {"v": NOISE["v"], "w": MERGED["v"]}
    assert ebil(masked, known, original) == pytest.approx(
        2 * entropy(0.9, 0.1) + 2 * entropy(0.3, 0.7) + 2, rel=1e-12
    )
    assert il(original, masked, known, original) == pytest.approx(
        2 - 2 * math.log2(0.9) - math.log2(0.3) - math.log2(0.7), rel=1e-12
    )


def test_contingency_tables_by_hand_with_a_new_category():
    original = pd.DataFrame(
        {"sex": pd.Categorical(list("ffmmf")), "town": pd.Categorical(list("xxxyz"))}
    )
    masked = original.assign(town=pd.Categorical(["x", "x", "x", "other", "other"]))
    # sex: 0 over 2 cells. town: y and z lose one each, other has two too many, 4 over the cells x,
    # y, z, other.
    assert ctbil(original, masked, 1) == 4 and actbil(original, masked, 1) == 4 / 6
    # sex and town: (m, y) and (f, z) are missing, (m, other) and (f, other) too many, 4 more over 2
    # * 4 cells more.
    assert ctbil(original, masked) == 8 and actbil(original, masked) == 8 / 14
    assert (
        ctbil(original, masked, 3) == 8 and actbil(original, masked, 3) == 8 / 14
    )  # there is no third variable


def test_what_single_variables_do_not_show_tables_of_two_do():
    original = pd.DataFrame({"sex": pd.Categorical(list("fm")), "town": pd.Categorical(list("xy"))})
    masked = original.assign(town=pd.Categorical(list("yx")))
    assert ctbil(original, masked, 1) == 0
    assert (
        ctbil(original, masked, 2) == 4 and actbil(original, masked, 2) == 4 / 8
    )  # cells 2 + 2 + 4


def test_dist_by_hand():
    size = pd.CategoricalDtype(SIZES, ordered=True)
    original = pd.DataFrame(
        {
            "size": pd.Categorical(["S", "M", "XL"], dtype=size),
            "colour": pd.Categorical(["r", "b", "r"]),
        }
    )
    masked = pd.DataFrame(
        {
            "size": pd.Categorical(["M", "M", "S"], dtype=size),
            "colour": pd.Categorical(["r", "r", "r"]),
        }
    )
    # Steps of 1, 0 and 3 among 4 sizes; one colour changed.
    assert dist(original, masked, "usual") == 1 / 4 + 0 + 3 / 4 + 1
    # Both ends counted: 2, 1 and 4 sizes. The difference is 3 records / 4 sizes.
    assert dist(original, masked, "printed") == dist(original, masked) == 2 / 4 + 1 / 4 + 4 / 4 + 1
    # A new category at the end is the fifth: steps of 4, 3 and 1.
    coded = original.assign(size=pd.Categorical(["top"] * 3, [*SIZES, "top"], ordered=True))
    assert dist(original, coded, "usual") == pytest.approx((4 + 3 + 1) / 5, rel=1e-12)


# Against definitions in plain loops.


@few
@given(files(), st.sampled_from(list(METHODS)))
def test_dist_is_the_sum_of_each_records_distance_to_itself(file, method):
    masked, _ = with_transitions(file, METHODS[method])
    for ordinal in ("printed", "usual"):
        compared = categorical(ordinal=ordinal)(file, masked)
        own = np.diag(compared.distances(compared.original, compared.masked))
        assert dist(file, masked, ordinal) == pytest.approx(own.sum(), rel=1e-12)


@few
@given(files(), st.sampled_from(list(METHODS)))
def test_the_forms_of_dist_differ_by_the_records_over_the_categories_of_each_ordinal_variable(
    file, method
):
    masked, _ = with_transitions(file, METHODS[method])
    more = sum(len(file) / len(masked[column].cat.categories) for column in ("size", "grade"))
    assert dist(file, masked, "printed") - dist(file, masked, "usual") == pytest.approx(
        more, rel=1e-9
    )


@few
@given(files(), st.sampled_from(list(METHODS)), st.integers(1, 4))
def test_contingency_tables_by_counting_every_cell(file, method, order):
    masked, _ = with_transitions(file, METHODS[method])
    differences, cells = 0, 0
    for count in range(1, min(order, 3) + 1):
        for chosen in itertools.combinations(file, count):
            before, after = (
                Counter(zip(*(df[column] for column in chosen), strict=True))
                for df in (file, masked)
            )
            for cell in itertools.product(
                *(set(file[column]) | set(masked[column]) for column in chosen)
            ):
                differences += abs(before[cell] - after[cell])
                cells += 1
    assert ctbil(file, masked, order) == differences
    assert actbil(file, masked, order) == differences / cells


def posterior(column, value, known, reference, smoothing):
    """P(original category | masked category) by Bayes, category by category."""
    table = known[column]
    joint = {}
    for name in table.index:
        count = sum(other == name for other in reference[column]) + smoothing
        joint[name] = count * (table.loc[name, value] if value in table.columns else 0.0)
    return {name: value / sum(joint.values()) for name, value in joint.items()}


@few
@given(
    st.integers(1, 20).flatmap(lambda n: st.tuples(files(n), files())),
    st.sampled_from(list(METHODS)),
    st.sampled_from([0.0, 0.5]),
)
def test_ebil_and_il_by_bayes_record_by_record(both, method, smoothing):
    file, other = both
    masked, known = with_transitions(file, METHODS[method])
    # Another file may lack a category; with smoothing it need not have it.
    reference = other if smoothing else file
    uncertain, surprise = 0.0, 0.0
    for column in file:
        for before, after in zip(file[column], masked[column], strict=True):
            chances = posterior(column, after, known, reference, smoothing)
            uncertain += entropy(*(p for p in chances.values() if p > 0))
            surprise -= math.log2(chances[before])
    assert ebil(masked, known, reference, smoothing) == pytest.approx(
        uncertain, rel=1e-9, abs=1e-12
    )
    assert il(file, masked, known, reference, smoothing) == pytest.approx(
        surprise, rel=1e-9, abs=1e-12
    )


# Properties.


def measures(original, masked, known, reference):
    values = {
        "dist": dist(original, masked),
        "usual dist": dist(original, masked, "usual"),
        "ctbil": ctbil(original, masked),
        "actbil": actbil(original, masked),
    }
    for name, source, smoothing in (("own", original, 0.0), ("other", reference, 0.5)):
        values[f"ebil, {name}"] = ebil(masked, known, source, smoothing)
        values[f"il, {name}"] = il(original, masked, known, source, smoothing)
    return values


@few
@given(files(), files(), st.sampled_from([PRAM, RecodeRare, TopCode]))
def test_an_unmasked_file_loses_nothing(file, reference, method):
    values = measures(file, *with_transitions(file, [method(0)]), reference)
    ordinal = values.pop("dist")
    assert set(values.values()) == {0}
    assert ordinal == pytest.approx(
        len(file) * (1 / 4 + 1 / 4), rel=1e-12
    )  # as printed, equal values are 1 / |D| apart


@few
@given(files(), files(), st.sampled_from(list(METHODS)), st.randoms())
def test_no_loss_is_negative_and_the_order_of_records_makes_no_difference(
    file, reference, method, random
):
    file = file.set_axis([f"p{i}" for i in range(len(file))])
    masked, known = with_transitions(file, METHODS[method])
    before = measures(file, masked, known, reference)
    assert all(value >= 0 for value in before.values())
    order, other = (random.sample(range(len(file)), len(file)) for _ in range(2))
    for both in ((file.iloc[order], masked.iloc[order]), (file.iloc[other], masked.iloc[order])):
        assert measures(*both, known, reference) == pytest.approx(before, rel=1e-12, abs=1e-12)


@few
@given(files())
def test_merging_more_categories_never_lowers_ebil(file):
    values = [ebil(*with_transitions(file, [RecodeRare(p)]), file) for p in range(7)]
    # One category that gets another name tells as much as before; in the end nothing is told.
    assert values[0] == values[1] == 0
    assert all(more >= less - 1e-9 for less, more in itertools.pairwise(values))
    shares = [
        [count / len(file) for count in file[column].value_counts() if count] for column in file
    ]
    assert values[-1] == pytest.approx(
        len(file) * sum(entropy(*column) for column in shares), rel=1e-9, abs=1e-12
    )


@few
@given(files(), files(), st.integers(0, 5))
def test_recoding_is_as_surprising_as_uncertain_by_its_own_frequencies_and_more_so_by_others(
    file, reference, p
):
    # A group of n records, n_i of them i: n_i times - log2 n_i / n, summed over i, is n times the
    # entropy. By other frequencies it is a cross entropy, which is never less.
    masked, known = with_transitions(file, [RecodeRare(p)])
    own = il(file, masked, known, file)
    assert own == pytest.approx(ebil(masked, known, file), rel=1e-9, abs=1e-12)
    assert il(file, masked, known, reference, 0.5) >= own - 1e-9


@pytest.mark.parametrize(
    "columns",
    [
        {"v": ("aab", NOISE["v"])},
        {"v": ("abc", MERGED["v"])},
        {
            "v": (
                "abca",
                pd.DataFrame(
                    [[0.5, 0.25, 0.25], [0.0, 0.9, 0.1], [0.2, 0.2, 0.6]], list("abc"), list("abc")
                ),
            )
        },
        {
            "v": ("aab", NOISE["v"]),
            "w": ("bab", pd.DataFrame([[0.5, 0.5], [0.0, 1.0]], list("ab"), list("ab"))),
        },
    ],
)
def test_over_all_that_masking_may_do_il_is_expected_to_be_ebil(columns):
    # With the frequencies of the file and the probabilities of the masking both expectations are N
    # H(V | V').
    original = pd.DataFrame(
        {name: pd.Categorical(list(values)) for name, (values, _) in columns.items()}
    )
    known = {name: table for name, (_, table) in columns.items()}
    cells = [(name, value) for name, (values, _) in columns.items() for value in values]
    expected = {"il": 0.0, "ebil": 0.0, "probability": 0.0}
    for outcome in itertools.product(*(known[name].columns for name, _ in cells)):
        chance = math.prod(
            known[name].loc[value, became]
            for (name, value), became in zip(cells, outcome, strict=True)
        )
        if chance > 0:
            masked = pd.DataFrame(
                {
                    name: pd.Categorical(
                        [outcome[k] for k, cell in enumerate(cells) if cell[0] == name]
                    )
                    for name in columns
                }
            )
            expected["il"] += chance * il(original, masked, known, original)
            expected["ebil"] += chance * ebil(masked, known, original)
            expected["probability"] += chance
    assert expected["probability"] == pytest.approx(1, rel=1e-12)
    conditional = 0.0
    for values, table in columns.values():
        joint = np.array(
            [[values.count(i) * table.loc[i, j] for j in table.columns] for i in table.index]
        )
        shares = joint / joint.sum(axis=0)
        conditional -= sum(
            n * math.log2(p) for n, p in zip(joint.ravel(), shares.ravel(), strict=True) if n > 0
        )
    assert expected["il"] == pytest.approx(conditional, rel=1e-12)
    assert expected["ebil"] == pytest.approx(conditional, rel=1e-12)


# Whatever the categories are called.


@pytest.mark.parametrize(
    "names", [[1, 2], [2, 1], [0, 1], [0.5, 1.5], [1, "top"], [False, True]], ids=str
)
def test_categories_may_be_anything(names):
    original, masked = (
        pd.DataFrame({"v": pd.Categorical.from_codes(codes, names)})
        for codes in ([0, 0, 0, 1], [0, 0, 1, 1])
    )
    known = {"v": pd.DataFrame([[0.9, 0.1], [0.3, 0.7]], names, names)}
    assert ebil(masked, known, original) == pytest.approx(
        2 * entropy(0.9, 0.1) + 2 * entropy(0.3, 0.7), rel=1e-12
    )
    assert il(original, masked, known, original) == pytest.approx(
        -2 * math.log2(0.9) - math.log2(0.3) - math.log2(0.7), rel=1e-12
    )
    assert ctbil(original, masked) == 2 and dist(original, masked) == 1


# Reference files that lack something.


def test_a_masked_category_that_the_reference_file_cannot_explain_needs_smoothing():
    file, reference = single("abc"), single("aabb")
    known = {"v": pd.DataFrame(np.eye(3), list("abc"), list("abc"))}
    for call in (
        lambda s: ebil(file, known, reference, s),
        lambda s: il(file, file, known, reference, s),
    ):
        with pytest.raises(
            ValueError,
            match="column 'v': masked category 'c' cannot come from any category of the reference "
            "file; give a larger reference file, or smoothing above 0",
        ):
            call(0.0)
        assert call(0.1) == 0  # nothing was changed


def test_an_original_category_that_the_reference_file_lacks_needs_smoothing_for_il():
    original, masked, reference = single("abc"), single(["a", "other", "other"]), single("aabbb")
    # By this reference file `other` is always b, so nothing is uncertain, and a c cannot be.
    assert ebil(masked, MERGED, reference) == 0
    with pytest.raises(
        ValueError,
        match="column 'v': 'c' became 'other', which the transitions or the reference file make "
        "impossible.* smoothing where the reference file lacks a category",
    ):
        il(original, masked, MERGED, reference)
    # One more of each: 4 b and 1 c.
    assert ebil(masked, MERGED, reference, 1) == pytest.approx(2 * entropy(4 / 5, 1 / 5), rel=1e-12)
    assert il(original, masked, MERGED, reference, 1) == pytest.approx(
        -math.log2(4 / 5) - math.log2(1 / 5), rel=1e-12
    )


def test_transitions_of_another_masking_are_refused():
    with pytest.raises(ValueError, match="masked category 'other' cannot come from"):
        ebil(single(["other"]), NOISE, single("ab"), 1.0)
    with pytest.raises(
        ValueError, match="'a' became 'other'.*give the transitions of this masking"
    ):
        il(single("ab"), single(["other", "other"]), MERGED, single("abc"))


# Bad files and options.

FILE = pd.DataFrame(
    {"v": pd.Categorical(list("aab")), "w": pd.Categorical(list("xyx"))}, index=[7, 8, 9]
)
KNOWN = {"v": NOISE["v"], "w": pd.DataFrame(np.eye(2), list("xy"), list("xy"))}
PAIRED = {"dist": dist, "ctbil": ctbil, "actbil": actbil, "il": lambda a, b: il(a, b, KNOWN, FILE)}


@pytest.mark.parametrize("name", PAIRED)
@pytest.mark.parametrize(
    "masked",
    [
        FILE[["v"]],
        FILE[["w", "v"]],
        FILE.rename(columns={"v": "u"}),
        FILE.iloc[:2],
        FILE.set_axis([6, 7, 8]),
        FILE.set_axis([7, 8, 8]),
        FILE.iloc[[0, 1, 2, 2]],
    ],
    ids=[
        "fewer columns",
        "other order",
        "other name",
        "fewer records",
        "others",
        "label twice",
        "record twice",
    ],
)
def test_files_that_do_not_belong_together(name, masked):
    for pair in ((FILE, masked), (masked, FILE)):
        with pytest.raises(
            ValueError,
            match="same columns in the same order, and the same individuals, each under its own",
        ):
            PAIRED[name](*pair)


def test_a_column_without_transitions_is_refused():
    message = "transitions has no table for column 'w'; those of a masking have one for each"
    with pytest.raises(ValueError, match=message):
        ebil(FILE, NOISE, FILE)
    with pytest.raises(ValueError, match=message):
        il(FILE, FILE, NOISE, FILE)


@pytest.mark.parametrize("order", [0, -1, 1.5, None, True])
def test_bad_orders(order):
    for function in (ctbil, actbil):
        with pytest.raises(
            ValueError,
            match=f"order is {order}; it is the number of variables in a table, 1 or more",
        ):
            function(FILE, FILE, order)


def test_a_bad_form_of_the_ordinal_distance():
    with pytest.raises(ValueError, match="ordinal is 'new'; it is one of printed, usual"):
        dist(FILE, FILE, "new")


@pytest.mark.parametrize(
    "loss",
    [
        lambda original, masked, known: dist(original, masked),
        lambda original, masked, known: ctbil(original, masked),
        lambda original, masked, known: il(original, masked, known, single("ab")),
        lambda original, masked, known: ebil(masked, known, single("ab")),
    ],
    ids=["dist", "ctbil", "il", "ebil"],
)
def test_missing_values_are_refused(loss):
    file, gap = single("abab"), single(["a", None, "b", "a"])
    known = {"v": pd.DataFrame(np.eye(2), list("ab"), list("ab"))}
    with pytest.raises(
        ValueError,
        match="column 'v'.* is missing in record 1; make missing a category of its own",
    ):
        loss(file, gap, known)


def test_a_reference_file_without_the_column_is_refused():
    file = single("abab")
    with pytest.raises(ValueError, match="the reference file has no column 'v'"):
        ebil(
            file,
            {"v": pd.DataFrame(np.eye(2), list("ab"), list("ab"))},
            pd.DataFrame({"w": file["v"]}),
        )


@pytest.mark.parametrize("smoothing", [-1, "1", float("nan"), 1e308])
def test_bad_smoothing(smoothing):
    for call in (
        lambda: ebil(FILE, KNOWN, FILE, smoothing),
        lambda: il(FILE, FILE, KNOWN, FILE, smoothing),
    ):
        with pytest.raises(ValueError, match="smoothing is .*; it is 0 to 1e"):
            call()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"masked": None}, "the masked file is None; give a pandas DataFrame"),
        ({"masked": FILE.iloc[:0]}, "the masked file is empty"),
        ({"reference": [1, 2]}, "the reference file is of the type list; give a pandas"),
        ({"transitions": None}, "transitions is None; it is a dict with a table for each column"),
        ({"transitions": {**KNOWN, "v": 3}}, "the table of column 'v' in transitions is 3"),
        (
            {"transitions": {**KNOWN, "v": -NOISE["v"]}},
            "column 'v' have a cell that is no probability",
        ),
        (
            {"masked": FILE.assign(v=[[1], [2], [3]])},
            "column 'v' of the masked file has a value that is no category in record 7",
        ),
    ],
)
def test_bad_files_and_transitions_of_entropies(change, message):
    with pytest.raises(ValueError, match=message):
        ebil(**{"masked": FILE, "transitions": KNOWN, "reference": FILE, **change})


def test_tables_of_more_cells_than_whole_numbers_count():
    file = pd.DataFrame({f"v{v}": range(3000) for v in range(6)})  # 7e20 cells in one table
    masked = file.assign(v0=np.roll(file["v0"], 1))
    # Every table with v0 and another variable has all its records in wrong cells.
    assert ctbil(file, masked, 6) == 2 * 3000 * (2**5 - 1)
    assert actbil(file, masked, 6) < 1e-12


# Numbers.

MONEY = pd.DataFrame(
    np.random.default_rng(1).normal(100, 30, (50, 3)), columns=list("abc"), index=range(7, 57)
)
MOVED = MONEY + np.random.default_rng(2).normal(0, 9, MONEY.shape)


@pytest.mark.parametrize("loss", [il1s, correlation_loss])
@pytest.mark.parametrize(
    ("original", "masked", "message"),
    [
        (MONEY.astype(str), MOVED, "column 'a' of the original file is not numeric; leave it out"),
        (MONEY, MOVED.astype(str), "column 'a' of the masked file is not numeric; leave it out"),
        (MONEY, MOVED.replace(MOVED["b"].max(), np.inf), "column 'b' of the masked.*infinite"),
        (MONEY, MOVED.where(MOVED["b"] > 90), "column 'a' has a value that is missing"),
        (MONEY, MOVED.iloc[1:], "the same individuals, each under its own index label"),
        (MONEY, MOVED.to_numpy(), "the masked file is of the type ndarray; give a pandas"),
        (MONEY.iloc[:0], MOVED.iloc[:0], "the original file is empty"),
    ],
)
def test_files_that_are_no_numbers_or_do_not_belong_together(loss, original, masked, message):
    with pytest.raises(ValueError, match=message):
        loss(original, masked)


@pytest.mark.parametrize("power", [-1000, -280, 280, 1014])
def test_losses_of_numbers_do_not_depend_on_their_size(power):
    original, masked = MONEY * 2.0**power, MOVED * 2.0**power
    assert il1s(original, masked).equals(il1s(MONEY, MOVED))
    assert correlation_loss(original, masked) == correlation_loss(MONEY, MOVED)
    pd.testing.assert_frame_equal(
        information_loss(original, masked), information_loss(MONEY, MOVED)
    )


def test_numbers_of_a_size_other_than_the_originals_are_far_from_them():
    original = pd.DataFrame({"x": [0.0, 2.0]})
    loss = il1s(original, pd.DataFrame({"x": [0.0, 2e300]}))["x"]
    assert loss == pytest.approx(1e300 / np.sqrt(2))


@pytest.mark.parametrize(
    "dtype", ["int8", "uint8", "uint64", "bool", "Int64", "boolean", "float16", "Sparse[int64]"]
)
def test_numbers_of_any_dtype_lose_what_floats_do(dtype):
    original = pd.DataFrame({"x": [0, 1, 0, 0]}).astype(dtype)
    masked = pd.DataFrame({"x": [1, 0, 0, 0]}).astype(dtype)
    expected = il1s(original.astype(float), masked.astype(float))
    assert il1s(original, masked).equals(expected) and expected["x"] > 0.8
    assert il1s(original, masked.astype(float)).equals(expected)


def test_large_numbers_of_half_precision_are_summed_as_floats():
    original = pd.DataFrame({"x": np.array([60000, -60000] * 50, np.float16)})
    assert il1s(original, -original)["x"] == pytest.approx(np.sqrt(2))


def test_a_constant_column_loses_nothing_or_everything():
    still = pd.DataFrame({"x": [0.1] * 6})  # whose mean is not exactly 0.1
    assert il1s(still, still)["x"] == 0 and il1s(still, still + 1)["x"] == 1
    assert correlation_loss(still.assign(y=range(6)), still.assign(y=range(6))) == 0
    assert information_loss(still, still + 1)["value"].tolist() == [1, 0, 0]


# Numbers and categories.

PERSONS = pd.DataFrame(
    {
        "age": [20, 30, 40],
        "size": pd.Categorical(["S", "M", "XL"], SIZES, ordered=True),
        "sex": pd.Categorical(["f", "m", "f"]),
    },
    index=["ann", "bob", "eve"],
)
SEEN = PERSONS.assign(
    age=[20.0, 40.0, 30.0],
    size=pd.Categorical(["L", "M", "XL"], SIZES, ordered=True),
    sex=pd.Categorical(["f", "other", "f"], ["other", "f", "m"]),
)


def test_losses_by_column_by_hand_whatever_the_order_of_records_and_categories():
    # Numbers: 20 / 3 on average, of sqrt(2) times the deviation sqrt(200 / 3).
    expected = {"age": 20 / 3 / np.sqrt(400 / 3), "size": 2 / 3 / 3, "sex": 1 / 3}
    for masked in (SEEN, SEEN[::-1]):
        assert cell_loss(PERSONS, masked).to_dict() == pytest.approx(expected)
    assert (cell_loss(PERSONS, PERSONS[::-1]) == 0).all()
    assert information_loss(PERSONS, SEEN)["value"].iloc[0] == pytest.approx(
        np.mean([*expected.values()])
    )


@pytest.mark.parametrize("loss", [cell_loss, information_loss])
@pytest.mark.parametrize(
    ("original", "masked", "message"),
    [
        (PERSONS.astype({"sex": object}), SEEN, "column 'sex' of the original.* is not numeric"),
        (PERSONS, SEEN.astype({"sex": object}), "column 'sex' is categorical in one file and not"),
        (PERSONS, SEEN.assign(size=["S", "M", "L"]), "column 'size' is categorical in one file"),
        (PERSONS, SEEN.assign(age=SEEN["sex"]), "column 'age' of the masked file is not numeric"),
        (PERSONS, SEEN.iloc[:2], "the same individuals, each under its own index label"),
        (PERSONS, None, "the masked file is None; give a pandas DataFrame"),
    ],
)
def test_files_of_both_that_cannot_be_compared(loss, original, masked, message):
    with pytest.raises(ValueError, match=message):
        loss(original, masked)
