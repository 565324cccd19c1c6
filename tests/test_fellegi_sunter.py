import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

from rlpaper import datasets
from rlpaper.linkage.comparisons import exact, same_bin, within, within_share
from rlpaper.linkage.em import estimate
from rlpaper.linkage.fellegi_sunter import FellegiSunter

NAMES = ["fname_c1", "lname_c1", "by", "bm", "bd"]
BLOCKS = [["fname_c1"], ["lname_c1"], ["by", "bm", "bd"]]
FEBRL = ["given_name", "surname", "date_of_birth", "postcode", "suburb", "state"]


def rldata():
    return datasets.load("rldata500")[NAMES]


def febrl(name):
    return datasets.load(name).set_index("rec_id")[FEBRL]


@st.composite
def two_files(draw, columns=3):
    n, m = draw(st.integers(2, 8)), draw(st.integers(2, 8))
    cell = st.one_of(st.none(), st.integers(0, 3))
    frames = [
        pd.DataFrame(
            draw(
                st.lists(st.lists(cell, min_size=columns, max_size=columns), min_size=k, max_size=k)
            ),
            columns=list("xyz")[:columns],
            dtype="Int64",
        )
        for k in (n, m)
    ]
    return frames


def em_pair_by_pair(agreements, steps, probability_floor):
    """EM as the textbooks write it, over a list of pairs."""
    k = agreements.shape[1]
    m, u, p = [0.9] * k, [0.1] * k, 0.1
    for _ in range(steps):
        g = []
        for pair in agreements:
            a, b = p, 1 - p
            for v in range(k):
                a *= m[v] if pair[v] else 1 - m[v]
                b *= u[v] if pair[v] else 1 - u[v]
            g.append(a / (a + b))
        g = np.array(g)
        m = [
            float(
                np.clip(
                    (g * agreements[:, v]).sum() / g.sum(), probability_floor, 1 - probability_floor
                )
            )
            for v in range(k)
        ]
        u = [
            float(
                np.clip(
                    ((1 - g) * agreements[:, v]).sum() / (1 - g).sum(),
                    probability_floor,
                    1 - probability_floor,
                )
            )
            for v in range(k)
        ]
        p = g.mean()
    return m, u, p


@given(two_files(), st.integers(1, 6))
def test_em_over_patterns_is_em_over_pairs(files, steps):
    a, b = files
    agreements = np.array(
        [
            [pd.notna(x[c]) and pd.notna(y[c]) and x[c] == y[c] for c in a]
            for _, x in a.iterrows()
            for _, y in b.iterrows()
        ]
    )
    model = FellegiSunter(tolerance=-1, max_iterations=steps).fit(a, b)
    m, u, p = em_pair_by_pair(agreements, steps, 1e-6)
    np.testing.assert_allclose(model.m_, m, atol=1e-9)
    np.testing.assert_allclose(model.u_, u, atol=1e-9)
    assert model.p_ == pytest.approx(p)
    assert model.patterns_["pairs"].sum() == len(a) * len(b) and not model.converged_


def drawn_patterns(m, u, p, pairs, seed):
    rng = np.random.default_rng(seed)
    same = rng.random(pairs) < p
    agreements = rng.random((pairs, len(m))) < np.where(same[:, None], m, u)
    return np.unique(agreements, axis=0, return_counts=True)


def test_em_recovers_known_probabilities():
    m, u, p = np.array([0.95, 0.9, 0.85, 0.8, 0.97]), np.array([0.05, 0.2, 0.1, 0.02, 0.3]), 0.03
    steps, converged = estimate(*drawn_patterns(m, u, p, 500_000, 1), tolerance=1e-9)
    assert converged
    found_m, found_u, found_p = steps[-1]
    # Standard errors if the classes were known, which they nearly are.
    assert (np.abs(found_m - m) < 5 * np.sqrt(m * (1 - m) / (p * 500_000)) + 1e-3).all()
    assert (np.abs(found_u - u) < 5 * np.sqrt(u * (1 - u) / ((1 - p) * 500_000)) + 1e-4).all()
    assert found_p == pytest.approx(p, rel=0.03)


@given(st.lists(st.floats(0.05, 0.95), min_size=2, max_size=5), st.integers(0, 1000))
@settings(max_examples=40)
def test_no_step_lowers_the_likelihood(m, seed):
    patterns, pairs = drawn_patterns(np.array(m), 1 - np.array(m), 0.3, 500, seed)
    steps, _ = estimate(patterns, pairs, probability_floor=None, tolerance=1e-4, max_iterations=50)

    def likelihood(m, u, p):
        with np.errstate(divide="ignore"):
            return pairs @ np.log(
                p * np.where(patterns, m, 1 - m).prod(axis=1)
                + (1 - p) * np.where(patterns, u, 1 - u).prod(axis=1)
            )

    values = [likelihood(*step) for step in steps]
    assert (np.diff(values) > -1e-6).all()


def test_estimation_that_never_converges_ends_after_a_thousand_steps():
    a = pd.DataFrame({"x": [1, 2, 3], "y": [3, 4, 5]})
    model = FellegiSunter(tolerance=-1).fit(a, a)
    assert model.history_["step"].max() == 1000 and not model.converged_
    assert "has NOT converged (see max_iterations) after 1000 steps" in repr(model)


# Other packages on the same input.


@pytest.mark.parametrize(("name", "blocks"), [("rldata500", None), ("rldata500_blocked", BLOCKS)])
def test_agrees_with_recordlinkage_of_r_on_rldata500(name, blocks, reference):
    model = FellegiSunter().fit(rldata(), blocks=blocks)
    theirs = reference(f"{name}_em_model").set_index("field")
    # Theirs stops when nothing moves by 1e-5.
    np.testing.assert_allclose(model.m_[theirs.index], theirs["m"], atol=5e-4)
    np.testing.assert_allclose(model.u_[theirs.index], theirs["u"], atol=5e-5)
    patterns = pd.read_csv(
        f"tests/reference/{name}_em_patterns.csv", dtype={"pattern": str}
    ).set_index("pattern")
    pd.testing.assert_index_equal(
        patterns.index.sort_values(), model.patterns_.index.sort_values(), exact=False
    )
    ours = model.patterns_.loc[patterns.index]
    assert (ours["pairs"] == patterns["pairs"]).all()
    np.testing.assert_allclose(
        ours["weight"], patterns["weight"], rtol=1e-3, atol=5e-3
    )  # to three digits
    summary = reference(f"{name}_em_summary").iloc[0]
    chosen = model.patterns_["weight"] >= summary["threshold"] - 5e-3
    assert model.patterns_["pairs"][chosen].sum() == summary["linked"]
    assert patterns["matches"][model.patterns_.index[chosen]].sum() == summary["right"]


def test_agrees_with_recordlinkage_of_python_on_febrl(reference):
    files = {
        "febrl1": (febrl("febrl_dataset1"), None, None),
        "febrl4": (
            febrl("febrl_dataset4a"),
            febrl("febrl_dataset4b"),
            [["given_name"], ["surname"], ["date_of_birth"]],
        ),
    }
    for name, (a, b, blocks) in files.items():
        model = FellegiSunter(tolerance=1e-8).fit(a, b, blocks)
        theirs = reference("febrl_em_model").query("file == @name").set_index("field")
        summary = reference("febrl_em_summary").set_index("file").loc[name]
        np.testing.assert_allclose(model.m_, theirs["m"][model.m_.index], atol=1e-5)
        np.testing.assert_allclose(model.u_, theirs["u"][model.u_.index], atol=1e-6)
        assert (
            model.p_ == pytest.approx(summary["p"], abs=1e-6)
            and model.patterns_["pairs"].sum() == summary["pairs"]
        )
        likely = model.patterns_["pairs"][model.patterns_["probability"] > 0.5].sum()
        assert likely == summary["linked"]
        # Linked pairs are those above the weight where the probability passes one half.
        threshold = np.log2((1 - model.p_) / model.p_)
        assert (model.patterns_["weight"] > threshold).equals(model.patterns_["probability"] > 0.5)


# Comparisons.


@pytest.mark.parametrize(
    ("comparison", "x", "y", "agree"),
    [
        (exact(), ["a", None, "b"], ["a", None, "c"], [True, False, False]),
        (within(1), [1.0, 2.0, np.nan], [2.0, 3.5, np.nan], [True, False, False]),
        (within_share(0.3), [10.0, 10.0, -10.0], [7.0, 6.9, 10.0], [True, False, False]),
        (same_bin(2), [1.0, 2.0, 9.0, np.nan], [2.0, 8.0, 8.5, np.nan], [True, False, True, False]),
    ],
)
def test_comparisons(comparison, x, y, agree):
    model = FellegiSunter(comparison, start=(0.8, 0.2, 0.5), max_iterations=1).fit(
        pd.DataFrame({"v": x}), pd.DataFrame({"v": y})
    )
    model.m_, model.u_ = pd.Series([0.75], ["v"]), pd.Series([0.25], ["v"])
    weights = model.classify(pd.DataFrame({"v": x}), pd.DataFrame({"v": y}), 1, 0)
    own = weights[weights["original"] == weights["masked"]].sort_values("original")
    assert (own["weight"] > 0).tolist() == agree


@pytest.mark.parametrize("unit", [1, 1 / 64])
def test_partial_agreement_adds_part_of_the_weight(unit):
    a, b = pd.DataFrame({"v": [0.0, 10.0, 4.0]}), pd.DataFrame({"v": [0.0, 5.0, np.nan]})
    a, b = a * unit, b * unit
    model = FellegiSunter(within(unit), prorate=True).fit(a, b)
    model.m_, model.u_ = pd.Series([0.8], ["v"]), pd.Series([0.2], ["v"])
    pairs = model.classify(a, b, 1, 0).set_index(["original", "masked"])["weight"]
    # log2(0.8/0.2) = 2 and log2(0.2/0.8) = -2; the values range over 10.
    assert pairs[[(0, 0), (0, 1), (1, 1), (1, 0), (2, 1), (2, 2)]].round(9).tolist() == [
        2,
        0,
        0,
        -2,
        1.6,
        -2,
    ]


NUMBERS = {
    "within": (within(1), within(2.0**1022)),
    "within_share": (within_share(0.3),) * 2,
    "same_bin": (same_bin(3),) * 2,
    "exact": (exact(),) * 2,
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("prorate", [False, True])
@pytest.mark.parametrize("name", NUMBERS)
def test_the_largest_numbers_are_compared_as_ordinary_ones(name, prorate):
    file = pd.DataFrame({"v": [3.5, -3.5, 1.0, np.nan, 2.0], "w": [1.0, 2.0, 2.0, 3.5, -3.5]})
    file["x"] = [np.nan, 3.5, -3.5, np.nan, np.nan]
    other = file.iloc[::-1].reset_index(drop=True)
    models = [
        FellegiSunter(comparison, prorate=prorate).fit(file * size, other * size)
        for comparison, size in zip(NUMBERS[name], (1, 2.0**1022), strict=True)
    ]
    pd.testing.assert_frame_equal(models[1].patterns_, models[0].patterns_)
    pd.testing.assert_frame_equal(
        models[1].link(file * 2.0**1022, other * 2.0**1022), models[0].link(file, other)
    )


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("prorate", [False, True])
@pytest.mark.parametrize("comparison", [exact(), within(1), within_share(0.1), same_bin()])
def test_a_column_without_any_value_agrees_with_nothing(comparison, prorate):
    file = pd.DataFrame({"v": [1.0, 20.0, 300.0], "nothing": np.nan})
    model = FellegiSunter(comparison, prorate=prorate).fit(file, file)
    assert (model.patterns_.index.str[1] == "0").all()
    assert model.link(file, file)["correct"].tolist() == [1, 1, 1]
    assert model.link_one_to_one(file, file)["correct"].tolist() == [1, 1, 1]
    assert len(model.classify(file, file, 1, 0)) == 9


def test_columns_of_any_name_have_a_comparison_of_their_own():
    file = pd.DataFrame([[1.0, 2.0], [3.0, 5.0]], columns=[True, ("a", 1)])
    model = FellegiSunter({True: within(1), ("a", 1): exact()}).fit(file, file)
    assert model.link(file, file)["correct"].tolist() == [1, 1]


# Linking.


def index_by_hand(model, x, y):
    agree = [pd.notna(x[c]) and pd.notna(y[c]) and x[c] == y[c] for c in model.variables_]
    return sum(
        np.log2(model.m_[c] / model.u_[c])
        if same
        else np.log2((1 - model.m_[c]) / (1 - model.u_[c]))
        for c, same in zip(model.variables_, agree, strict=True)
    )


@given(two_files(), st.sampled_from(["masked_to_original", "original_to_masked"]))
def test_each_record_is_linked_to_the_largest_index(files, direction):
    a, b = (file.head(min(map(len, files))) for file in files)
    model = FellegiSunter(max_iterations=3).fit(a, b)
    links = model.link(a, b, direction, "expected")
    linking, candidates = (b, a) if direction == "masked_to_original" else (a, b)
    for label, record in linking.iterrows():
        weights = np.array(
            [index_by_hand(model, record, other) for _, other in candidates.iterrows()]
        )
        best = np.flatnonzero(np.isclose(weights, weights.max(), atol=1e-9))
        assert links.loc[label, "weight"] == pytest.approx(weights.max())
        assert links.loc[label, "ties"] == len(best)
        assert links.loc[label, "correct"] == pytest.approx(
            (label in candidates.index[best]) / len(best)
        )


@given(two_files(), st.floats(0, 0.6), st.floats(0, 0.6))
def test_thresholds_keep_both_error_probabilities(files, false_links, false_nonlinks):
    model = FellegiSunter(max_iterations=5).fit(*files)
    upper, lower = model.thresholds(false_links, false_nonlinks)
    assert upper >= lower
    bits = np.array([[int(letter) for letter in name] for name in model.patterns_.index], bool)
    u, m = (np.where(bits, values, 1 - values).prod(axis=1) for values in (model.u_, model.m_))
    weights = model.patterns_["weight"].to_numpy()
    assert u[weights >= upper].sum() <= false_links + 1e-12
    assert m[weights < lower].sum() <= false_nonlinks + 1e-12
    # As many as the bounds allow: the next pattern would break them.
    between = weights[weights < upper]
    if len(between):
        assert u[weights >= between.max()].sum() > false_links
    pairs = model.classify(*files, false_links, false_nonlinks)
    assert (pairs["class"] == np.where(pairs["weight"] >= upper, "linked", "clerical")).all()
    assert len(pairs) == model.patterns_["pairs"][weights >= lower].sum()


@given(two_files(), st.randoms(use_true_random=False))
@settings(max_examples=30)
def test_the_order_of_records_and_fields_does_not_matter(files, random):
    a, b = files
    order = list(a.columns)
    random.shuffle(order)
    one, other = (
        FellegiSunter(max_iterations=30).fit(*files)
        for files in ((a, b), (a.iloc[::-1][order], b[order]))
    )
    np.testing.assert_allclose(other.m_[one.m_.index], one.m_, atol=1e-9)
    assert other.p_ == pytest.approx(one.p_, abs=1e-9)


def test_one_to_one_links_most_of_febrl_and_a_threshold_keeps_the_sure_ones():
    a, b = (febrl(f"febrl_dataset4{letter}").head(400) for letter in "ab")
    a, b = (file.set_axis(file.index.str.split("-").str[1]) for file in (a, b))
    common = a.index.intersection(b.index)
    a, b = a.loc[common], b.loc[common]
    model = FellegiSunter().fit(a, b)
    links = model.link_one_to_one(a, b)
    assert len(links) == len(a) and links["partner"].is_unique
    kept = model.link_one_to_one(a, b, threshold=10)
    assert (kept["weight"] >= 10).all() and kept["correct"].mean() > 0.95


def test_blocks_compare_the_pairs_that_agree_in_one_of_them():
    file = rldata().head(60)
    first, second = np.triu_indices(60, 1)
    equal = {name: file[name].to_numpy()[first] == file[name].to_numpy()[second] for name in NAMES}
    chosen = equal["fname_c1"] | equal["bm"] & equal["bd"]
    model = FellegiSunter().fit(file, blocks=[["fname_c1"], ["bm", "bd"]])
    codes = pd.Series(
        ["".join(str(int(equal[name][pair])) for name in NAMES) for pair in np.flatnonzero(chosen)]
    )
    assert model.patterns_["pairs"].to_dict() == codes.value_counts().to_dict()


@pytest.mark.parametrize("blocks", [None, "x"])
def test_no_pairs_are_sorted_into_an_empty_table(blocks):
    file = pd.DataFrame({"x": [1, 2, 1], "y": [3, 4, 3]}, index=list("abc"))
    model = FellegiSunter().fit(file)
    one = model.classify(file.head(1), blocks=blocks)
    assert len(one) == 0 and list(one) == ["original", "masked", "weight", "class"]
    few = model.classify(file.head(2), blocks="x")
    pd.testing.assert_frame_equal(few, one)


# The floor of probabilities.


def test_without_a_floor_repeated_columns_drive_u_to_zero_and_all_pairs_tie():
    rng = np.random.default_rng(3)
    a = pd.DataFrame({"x": rng.normal(size=100)})
    b = a + rng.normal(scale=0.3, size=(100, 1))
    a, b = (pd.concat([file["x"].rename(name) for name in "pqr"], axis=1) for file in (a, b))
    free = FellegiSunter(same_bin(5), prorate=True, probability_floor=None, tolerance=1e-9).fit(
        a, b
    )
    kept = FellegiSunter(same_bin(5), prorate=True, tolerance=1e-9).fit(a, b)
    assert (free.u_ == 0).all() and (kept.u_ == 1e-6).all()
    assert (
        free.link(a, b, ties="expected")["correct"].sum()
        < 2
        < kept.link(a, b, ties="expected")["correct"].sum()
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda a, b: FellegiSunter().fit(a, b.rename(columns={"x": "z"})), "different columns"),
        (lambda a, b: FellegiSunter({"x": exact()}).fit(a, b), "give one for each column"),
        (
            lambda a, b: FellegiSunter(within(1)).fit(a.astype(str), b),
            "'x' is not numeric; compare it with exact",
        ),
        (lambda a, b: FellegiSunter().link(a, b), "call fit first"),
        (
            lambda a, b: FellegiSunter().fit(a, b).link(a[["x"]], b[["x"]]),
            r"FellegiSunter was fitted to \['x', 'y'\], the files have \['x'\]",
        ),
        (
            lambda a, b: FellegiSunter().fit(a, b.assign(x=7), blocks=[["x"]]),
            "no pair to compare",
        ),
        (lambda a, b: FellegiSunter().fit(a[[]], b[[]]), "original file is empty; it needs at"),
        (
            lambda a, b: FellegiSunter().fit(
                pd.concat([a] * 51, axis=1).set_axis(range(102), axis=1)
            ),
            "there are 102 columns; compare 1 to 50",
        ),
        (lambda a, b: FellegiSunter().fit(a.to_numpy()), "original file is of the type ndarray"),
        (lambda a, b: FellegiSunter().fit(a, b.iloc[:0]), "the masked file is empty"),
        (lambda a, b: FellegiSunter().fit(pd.concat([a, a], axis=1)), "has two columns 'x'"),
        (lambda a, b: FellegiSunter(exact).fit(a, b), "comparisons has the function exact; give"),
        (lambda a, b: FellegiSunter("exact").fit(a, b), "comparisons has 'exact'; give what exact"),
        (lambda a, b: FellegiSunter([]).fit(a, b), "comparisons has of the type list; give what"),
        (
            lambda a, b: FellegiSunter({"x": within, "y": exact()}).fit(a, b),
            "comparisons has the function within; give",
        ),
        (lambda a, b: FellegiSunter(lambda x, y: 1).fit(a, b), "which gives no comparison; called"),
        (
            lambda a, b: FellegiSunter(lambda x, y: (x[:1], y, np.equal)).fit(a, b),
            "it must return both as arrays of numbers",
        ),
        (
            lambda a, b: FellegiSunter(within(1)).fit(a, b * np.inf),
            "'x' has a value that is infinite in record 0; correct it first",
        ),
        (
            lambda a, b: FellegiSunter(prorate=True).fit(a.astype(str), b),
            "'x' is not numeric; leave it out, or do without prorate",
        ),
        (
            lambda a, b: FellegiSunter().fit(a.assign(x=[[1], {2}]), b),
            "'x' has a value that is no category in record 0",
        ),
        (lambda a, b: within(-1), "tolerance is -1; it is a number, 0 or more"),
        (lambda a, b: within("1"), "tolerance is '1'; it is a number"),
        (lambda a, b: within_share(30), "share is 30; it is a share of the larger number, 0 to 1"),
        (lambda a, b: same_bin(0), "bins is 0; it is a whole number, 1 to 1000"),
        (lambda a, b: same_bin(2.5), "bins is 2.5; it is a whole number"),
        (lambda a, b: same_bin(10**9), "bins is 1000000000; it is a whole number, 1 to 1000"),
        (
            lambda a, b: FellegiSunter().fit(a, b).classify(a.rename(columns={"x": "z"})),
            r"FellegiSunter was fitted to \['x', 'y'\], the files have \['z', 'y'\]",
        ),
        (
            lambda a, b: FellegiSunter().fit(a, b).classify(a, b[["x"]]),
            "the files have different columns",
        ),
        (lambda a, b: FellegiSunter().fit(a, b).classify(a.to_numpy()), "is of the type ndarray"),
        (
            lambda a, b: FellegiSunter().fit(a, b).distance(a, b[["x"]]),
            "the files have different columns",
        ),
        (
            lambda a, b: FellegiSunter().fit(a, b).thresholds(2, 0.1),
            "false_links is 2; it is a probability, 0 to 1",
        ),
        (
            lambda a, b: FellegiSunter().fit(a, b).classify(a, b, 0.1, np.nan),
            "false_nonlinks is nan; it is a probability, 0 to 1",
        ),
        (
            lambda a, b: FellegiSunter().fit(a, b).link_one_to_one(a, b, None),
            "threshold is None; it is a number of bits",
        ),
        (
            lambda a, b: FellegiSunter().fit(a, b).link_one_to_one(a, b, np.nan),
            "threshold is nan; it is a number of bits",
        ),
        (lambda a, b: FellegiSunter(prorate="no").fit(a, b), "prorate is 'no'; it is one of"),
        (
            lambda a, b: FellegiSunter(probability_floor=0.7).fit(a, b),
            "probability_floor is 0.7; it is 0 or more and less than 0.5, or None",
        ),
        (lambda a, b: FellegiSunter(probability_floor=0.5).fit(a, b), "probability_floor is 0.5;"),
        (lambda a, b: FellegiSunter(probability_floor=-1).fit(a, b), "probability_floor is -1;"),
        (lambda a, b: FellegiSunter(start=(5, 0.1, 0.1)).fit(a, b), "m, u and p, each from 0 to 1"),
        (lambda a, b: FellegiSunter(start=(0.9, 0.1)).fit(a, b), r"start is \(0.9, 0.1\);"),
        (lambda a, b: FellegiSunter(start="abc").fit(a, b), "start is 'abc'; give a list"),
        (lambda a, b: FellegiSunter(start=("a", 0, 0)).fit(a, b), "start is 'a'; it is m, u and p"),
        (lambda a, b: FellegiSunter(probability_floor="x").fit(a, b), "probability_floor is 'x';"),
        (lambda a, b: FellegiSunter(tolerance=None).fit(a, b), "tolerance is None; it is a number"),
        (
            lambda a, b: FellegiSunter(max_iterations=10**30).fit(a, b),
            "whole number, 1 or more, up to 1,000,000",
        ),
        (lambda a, b: FellegiSunter(max_iterations="9").fit(a, b), "max_iterations is '9'; it is"),
        (lambda a, b: FellegiSunter(max_iterations=-1).fit(a, b), "whole number, 1 or more"),
        (lambda a, b: FellegiSunter(tolerance=np.nan).fit(a, b), "tolerance is nan;"),
    ],
)
def test_bad_input(change, message):
    a, b = pd.DataFrame({"x": [1, 2], "y": [3, 4]}), pd.DataFrame({"x": [1, 2], "y": [3, 5]})
    with pytest.raises(ValueError, match=message):
        change(a, b)
