import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from rlpaper import datasets
from rlpaper.distances import (
    AgreementPattern,
    PreparedFiles,
    SumOverColumns,
    categorical,
    dbrl1,
    dbrl2,
    gower,
    kernel,
    mahalanobis,
    manhattan,
    mixed,
    prepared,
    squared_euclidean,
)
from rlpaper.linkage import FellegiSunter, _search, assignment as module
from rlpaper.linkage.assignment import link_one_to_one
from rlpaper.linkage.blocking import pairs_in_blocks
from rlpaper.linkage.comparisons import same_bin
from rlpaper.linkage.nearest import (
    DIRECTIONS,
    TIES,
    correct_links,
    link,
    reidentification_rate,
    tabled,
)
from rlpaper.linkage.true_ranks import ranks
from rlpaper.masking import add_noise, microaggregate, rank_swap

NUMERIC = {
    "dbrl1": dbrl1(),
    "weighted": dbrl1(weights=[1, 2, 3]),
    "raw": dbrl1(None),
    "kernel": kernel(2),
    "manhattan": manhattan(),
    "gower": gower(),
    "mixed": mixed(),
}
PAIRED = {"dbrl2": dbrl2(), "COV": mahalanobis(), "COV0": mahalanobis("COV0")}


@pytest.fixture
def census():
    file = datasets.load("census").iloc[:, :7]
    file.attrs = {}
    return file


@st.composite
def pairs(draw, columns=3):
    """Two files of the same individuals, in any order, full of ties."""
    n = draw(st.integers(2, 25))
    top = draw(st.integers(1, 6))
    cells = st.lists(
        st.lists(st.integers(0, top), min_size=columns, max_size=columns), min_size=n, max_size=n
    )
    original, masked = (
        pd.DataFrame(draw(cells), columns=list("xyz")[:columns], dtype=float) for _ in range(2)
    )
    order = draw(st.permutations(range(n)))
    return original, masked.iloc[list(order)]


def brute_force(original, masked, distance, direction, ties):
    """Linkage through all pairs in plain loops."""
    compared = distance(original, masked)
    table = compared.distances(compared.original, compared.masked)
    if direction == "masked_to_original":
        original, masked, table = masked, original, table.T
    rows = []
    for label, values in zip(original.index, table, strict=True):
        ranking = sorted(range(len(values)), key=lambda j: (values[j], j))
        nearest = [masked.index[j] for j in ranking if values[j] == values[ranking[0]]]
        hit = label in nearest
        correct = {"strict": nearest == [label], "lenient": hit, "expected": hit / len(nearest)}[
            ties
        ]
        rows.append(
            {
                "nearest": masked.index[ranking[0]],
                "distance": values[ranking[0]],
                "second": masked.index[ranking[1]],
                "second_distance": values[ranking[1]],
                "ties": len(nearest),
                "correct": float(correct),
            }
        )
    frame = pd.DataFrame(rows, index=original.index)
    if compared.squared:
        frame[["distance", "second_distance"]] = np.sqrt(frame[["distance", "second_distance"]])
    return frame


@pytest.mark.parametrize("name", NUMERIC)
@given(pairs(), st.sampled_from(DIRECTIONS), st.sampled_from(TIES))
def test_link_is_a_search_through_all_pairs_ties_included(name, files, direction, ties):
    pd.testing.assert_frame_equal(
        link(*files, NUMERIC[name], direction, ties),
        brute_force(*files, NUMERIC[name], direction, ties),
        check_exact=True,
    )


@pytest.mark.parametrize("name", [*NUMERIC, *PAIRED])
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_link_is_a_search_through_all_pairs_on_census(name, direction, census):
    original = census.iloc[:150, :3]
    masked = microaggregate(original, 3, groups=[2, 1])
    distance = {**NUMERIC, **PAIRED}[name]
    pd.testing.assert_frame_equal(
        link(original, masked, distance, direction, "expected"),
        brute_force(original, masked, distance, direction, "expected"),
        check_exact=True,
    )


def test_categories_are_linked_with_exact_ties():
    income = datasets.load("income_esl").dropna().head(200)
    chosen = income.select_dtypes("category").iloc[:, :4]
    masked = chosen.iloc[np.random.default_rng(1).permutation(len(chosen))].set_axis(chosen.index)
    for distance in (categorical(), mixed(), gower()):
        pd.testing.assert_frame_equal(
            link(chosen, masked, distance, ties="expected"),
            brute_force(chosen, masked, distance, "masked_to_original", "expected"),
            check_exact=True,
        )


def test_blocks_change_nothing(census, monkeypatch):
    masked = rank_swap(census, 10, 1)
    whole = link(census, masked, manhattan())
    monkeypatch.setattr(_search, "MAX_DISTANCES", 5000)  # four records at a time
    pd.testing.assert_frame_equal(link(census, masked, manhattan()), whole)


# Properties.


@given(pairs(), st.randoms(), st.sampled_from(DIRECTIONS), st.sampled_from(TIES))
def test_permuting_records_permutes_links(files, random, direction, ties):
    original, masked = files
    shuffled = [frame.iloc[random.sample(range(len(frame)), len(frame))] for frame in files]
    before, after = (
        link(original, masked, None, direction, ties),
        link(*shuffled, None, direction, ties),
    )
    # Moments are sums, whose last bits depend on the order: distances agree to rounding, so compare
    # where it is clear.
    clear = before["second_distance"] - before["distance"] > 1e-9
    after = after.loc[before.index]
    np.testing.assert_allclose(after["distance"], before["distance"], atol=1e-9)
    pd.testing.assert_frame_equal(
        after.loc[clear, ["nearest", "ties", "correct"]],
        before.loc[clear, ["nearest", "ties", "correct"]],
    )


@given(pairs(), st.randoms(), st.sampled_from(DIRECTIONS), st.sampled_from(TIES))
def test_permuting_records_changes_no_rate(files, random, direction, ties):
    shuffled = [frame.iloc[random.sample(range(len(frame)), len(frame))] for frame in files]
    raw = dbrl1(None)  # whole numbers: no rounding, every tie exact
    assert reidentification_rate(*shuffled, raw, direction, ties) == pytest.approx(
        reidentification_rate(*files, raw, direction, ties), abs=1e-12
    )


@given(pairs(), st.sampled_from(DIRECTIONS), st.sampled_from(TIES), st.integers(0, 2))
def test_all_the_weight_on_one_variable_is_linkage_by_that_variable(files, direction, ties, which):
    weights = [float(j == which) for j in range(3)]
    single = [frame.iloc[:, [which]] for frame in files]
    pd.testing.assert_frame_equal(
        link(*files, dbrl1(weights=weights), direction, ties),
        link(*single, dbrl1(weights=[1]), direction, ties),
    )


@given(
    st.lists(st.integers(-(10**6), 10**6), min_size=2, max_size=30, unique=True),
    st.integers(0, 100),
    st.sampled_from(DIRECTIONS),
)
def test_a_key_attribute_with_all_the_weight_links_everybody(key, seed, direction):
    rng = np.random.default_rng(seed)
    original = pd.DataFrame({"noise": rng.normal(size=len(key)), "key": key})
    masked = pd.DataFrame({"noise": rng.normal(size=len(key)), "key": key})
    assert (
        reidentification_rate(original, masked, dbrl1(weights={"noise": 0, "key": 1}), direction)
        == 1
    )


@given(pairs())
def test_strict_below_expected_below_lenient(files):
    strict, lenient, expected = (reidentification_rate(*files, ties=ties) for ties in TIES)
    assert strict <= expected <= lenient


def test_records_that_share_their_masked_record_never_link_strictly_from_the_original(census):
    masked = microaggregate(census, 10)
    assert reidentification_rate(census, masked, direction="original_to_masked") == 0
    assert (
        0.05 < reidentification_rate(census, masked, direction="masked_to_original") <= 0.1
    )  # at most one of each ten


# The attacker who holds only some of the individuals; files in other orders.


def test_records_are_paired_by_label_not_by_place(census):
    masked = add_noise(census, 5, 1)
    shuffled = masked.sample(frac=1, random_state=1)
    pd.testing.assert_frame_equal(link(census, shuffled).loc[census.index], link(census, masked))


def test_an_attacker_who_knows_some_individuals(census):
    masked = add_noise(census, 5, 1)
    some = census.iloc[:100]
    outward = link(some, masked, dbrl1((census, masked)), direction="original_to_masked")
    assert outward.index.equals(some.index) and outward["correct"].mean() > 0.9
    inward = link(some, masked, dbrl1((census, masked)), direction="masked_to_original")
    assert len(inward) == len(masked)
    assert not inward["correct"].iloc[100:].any()  # nobody to link them to


def test_a_file_of_one_record_has_no_second_nearest():
    one = pd.DataFrame({"x": [1.0]}, index=["a"])
    for distance in (dbrl1(), manhattan()):
        links = link(one, one, distance)
        assert links["second"].tolist() == [None] and links["second_distance"].tolist() == [np.inf]
        assert links["correct"].tolist() == [1.0]


def test_a_file_masked_to_one_record_links_nobody(census):
    masked = microaggregate(census, len(census))
    links = link(census, masked, direction="original_to_masked", ties="expected")
    assert (links["ties"] == len(census)).all()
    assert links["correct"].sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("original", "masked", "message"),
    [
        ({}, {"x": [1]}, "the original file is empty"),
        ({"x": [1]}, {"x": []}, "the masked file is empty"),
        ({"x": [1, 2]}, {"y": [1, 2]}, "different columns"),
        ({"x": [1, 2], "y": [1, 2]}, {"y": [1, 2], "x": [1, 2]}, "in the same order"),
    ],
)
def test_bad_pairs(original, masked, message):
    for function in (link, link_one_to_one, reidentification_rate):
        with pytest.raises(ValueError, match=message):
            function(pd.DataFrame(original), pd.DataFrame(masked))


def test_misaligned_and_repeated_labels():
    file = pd.DataFrame({"x": [1.0, 2.0, 3.0]})
    with pytest.raises(
        ValueError,
        match="misaligned: record 3 is in one file only|misaligned: record 0 is in one file only",
    ):
        link(file, file.set_axis([1, 2, 3]))
    with pytest.raises(ValueError, match="index of the masked file has 'a' twice"):
        link(file, file.set_axis(["a", "a", "b"]))
    with pytest.raises(ValueError, match="the original file has two columns 'x'"):
        link(pd.concat([file, file], axis=1), file)


@pytest.mark.parametrize("options", [{"direction": "both"}, {"ties": "first"}])
def test_bad_options(options):
    file = pd.DataFrame({"x": [1.0, 2.0]})
    for function in (link, correct_links, reidentification_rate):
        with pytest.raises(ValueError, match="it is one of"):
            function(file, file, **options)


# Odd input, and what is none.


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("size", [1.5 * 2.0**1022, 2.0**700, 2.0**-700, 2.0**-1070])
@pytest.mark.parametrize("distance", [None, manhattan(), gower(), dbrl2(), mahalanobis()])
def test_numbers_of_any_size_are_linked(size, distance):
    original = pd.DataFrame({"x": [1.0, -1.0, 0.0, 0.5], "y": [20.0, 40.0, 60.0, 61.0]})
    masked = pd.DataFrame({"x": [0.5, -1.0, 0.0, 1.0], "y": [22.0, 41.0, 66.0, 57.0]})
    large, larger = (file.assign(x=file["x"] * size) for file in (original, masked))
    pd.testing.assert_frame_equal(
        link(large, larger, distance), link(original, masked, distance), rtol=1e-12
    )


def test_numbers_too_large_for_their_distance_are_refused():
    file = pd.DataFrame({"x": [1.0, 1e308], "y": [1.0, 2.0]})
    for function in (link, link_one_to_one, ranks, reidentification_rate):
        with pytest.raises(ValueError, match="'x' of the original file .* too large to be squared"):
            function(file, file, dbrl1(None))


@pytest.mark.parametrize(
    ("distance", "message"),
    [
        ("euclid", "distance is 'euclid'; give one that a function of rlpaper.distances makes"),
        ("", "distance is ''; give one"),
        ([], "distance is of the type list; give one"),
        (dbrl1, r"distance is the function dbrl1, which makes one; call it: dbrl1\(\)"),
        (lambda a, b: None, "distance gives None; called with both files it must give Prepared"),
    ],
)
def test_what_is_no_distance_is_refused(distance, message):
    file = pd.DataFrame({"x": [1.0, 2.0]})
    for function in (link, correct_links, link_one_to_one, ranks, reidentification_rate):
        with pytest.raises(ValueError, match=message):
            function(file, file, distance)
    with pytest.raises(ValueError, match=message):
        tabled(distance, file, file)


def test_arrays_are_refused_as_files():
    file = pd.DataFrame({"x": [1.0, 2.0]})
    for function in (link, link_one_to_one, ranks, reidentification_rate):
        with pytest.raises(ValueError, match="original file is of the type ndarray; give a pandas"):
            function(file.to_numpy(), file.to_numpy())
        with pytest.raises(ValueError, match="the masked file is None; give a pandas DataFrame"):
            function(file, None)


def by_hand(compare, squared=False, change=lambda rows: rows):
    """A distance such as a user writes one."""
    return lambda original, masked: PreparedFiles(
        change(original.to_numpy()), masked.to_numpy(), compare, squared
    )


def differences(a, b):
    return (a[:, None] != b[None, :]).sum(axis=2)


@pytest.mark.parametrize(
    "compare",
    [
        differences,
        lambda a, b: differences(a, b) > 0,
        lambda a, b: differences(a, b).astype(np.float32),
        lambda a, b: np.broadcast_to(2, (len(a), len(b))),
        SumOverColumns(["unequal", "square"], [1, 1]),
        AgreementPattern([3, 2, 1, 0]),
        squared_euclidean,
    ],
)
@pytest.mark.parametrize("dtype", [int, np.uint8, bool, float])
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_distances_and_arrays_of_any_type_of_number_are_linked(compare, dtype, direction):
    rng = np.random.default_rng(1)
    original, masked = (pd.DataFrame(rng.integers(0, 3, (9, 2))).astype(dtype) for _ in range(2))
    numbers = [file.astype(float) for file in (original, masked)]
    pd.testing.assert_frame_equal(
        link(original, masked, by_hand(compare), direction, "expected"),
        brute_force(*numbers, by_hand(compare), direction, "expected"),
        check_dtype=False,
    )


def test_a_table_that_a_distance_keeps_stays_as_it_is():
    file = pd.DataFrame({"x": [1.0, 2.0, 4.0]})
    table = squared_euclidean(file.to_numpy(), file.to_numpy())
    kept = by_hand(lambda a, b: table)
    pd.testing.assert_frame_equal(link(file, file, kept), link(file, file, kept))
    assert table.tolist() == [[0, 1, 9], [1, 0, 4], [9, 4, 0]]


@pytest.mark.parametrize(
    ("distance", "message"),
    [
        (by_hand(lambda a, b: differences(a, b)[0]), r"an array of the shape \(2,\)"),
        (by_hand(lambda a, b: differences(a, b).tolist()), "distance gives of the type list"),
        (by_hand(lambda a, b: differences(a, b) * np.nan), "missing value for two records"),
        (by_hand(lambda a, b: -1 - differences(a, b), True), "or a square below 0"),
        (by_hand(differences, change=lambda rows: rows[:1]), "gives 1 and 2 rows for files of 2"),
        (by_hand(differences, change=lambda rows: rows[0]), "the original file is prepared as an"),
        (by_hand(differences, change=lambda rows: rows[:, :0]), "one column for each that is comp"),
        (by_hand(differences, change=lambda rows: rows.astype(str)), "give an array of numbers"),
        (by_hand(squared_euclidean, change=lambda rows: rows * np.nan), "some are missing or too"),
        (by_hand(squared_euclidean, change=lambda rows: rows * 1e200), "too large to be squared"),
        (by_hand(squared_euclidean, change=lambda rows: rows[:, :1]), "masked file is prepared as"),
        (by_hand(SumOverColumns(["square"] * 3, [1] * 3)), "one column for each that is compared"),
        (by_hand(AgreementPattern(range(8))), "one column for each that is compared"),
        (by_hand(AgreementPattern([0, 1, 2, -3]), True), "is below 0, which is no square"),
    ],
)
def test_what_a_distance_gives_is_looked_at_before_compiled_code_sees_it(distance, message):
    file = pd.DataFrame({"x": [1.0, 2.0], "y": [3.0, 5.0]})
    for function in (link, link_one_to_one, ranks):
        with pytest.raises(ValueError, match=message):
            function(file, file, distance)


# One to one.


def test_impossible_pairs_are_left_out_of_an_assignment():
    file = pd.DataFrame({"x": [0.0, 1.0, 2.0]})

    def near(a, b):
        gaps = np.abs(np.subtract.outer(a[:, 0], b[:, 0]))
        return np.where(gaps > 1, np.inf, gaps)

    masked = pd.DataFrame({"x": [1.0, 2.0, 3.0]})
    links = link_one_to_one(file, masked, by_hand(near))
    assert links["partner"].tolist() == [0, 1, 2] and links["distance"].tolist() == [1, 1, 1]
    with pytest.raises(ValueError, match="not all records of the smaller file can be linked one"):
        link_one_to_one(file, masked + 1, by_hand(near))


def test_infinite_weights_are_refused_in_an_assignment():
    file = pd.DataFrame({name: np.arange(30.0) for name in "pqr"})
    model = FellegiSunter(same_bin(5), probability_floor=None, tolerance=1e-9).fit(file, file)
    with pytest.raises(ValueError, match="weight of some pairs of records is infinite"):
        model.link_one_to_one(file, file)


@pytest.mark.parametrize("masking", ["mdav5", "noise10", "swap8"])
@pytest.mark.parametrize(
    ("name", "distance"),
    [("gower", gower()), ("euclidean", dbrl1(None)), ("manhattan", manhattan(None))],
)
def test_assignment_of_census_has_the_total_distance_and_correct_links_of_sdcmicro(
    masking, name, distance, census, reference
):
    original = (census - census.mean()) / census.std()
    masked = reference(f"census7_masked_{masking}").set_axis(original.index)
    theirs = (
        reference("census7_global_linkage").set_index(["file", "distance"]).loc[(masking, name)]
    )
    links = link_one_to_one(original, masked, distance)
    assert links["distance"].sum() == pytest.approx(theirs["total_distance"], rel=1e-9, abs=1e-9)
    if (
        masking == "mdav5"
    ):  # five records share each masked record: their count depends on the order of rows
        assert links["correct"].sum() < 0.5 * theirs["correct"]
    else:
        assert links["correct"].sum() == theirs["correct"]


def test_expected_correct_links_are_the_mean_over_row_orders():
    rng = np.random.default_rng(5)
    original = pd.DataFrame({"x": rng.integers(0, 6, 40), "y": rng.integers(0, 3, 40)}, dtype=float)
    masked = microaggregate(original + rng.normal(0, 0.8, original.shape).round(1), 4)
    counts = []
    for _ in range(600):
        a, b = original.sample(frac=1, random_state=rng), masked.sample(frac=1, random_state=rng)
        links = link_one_to_one(a, b, dbrl1(None))
        counts.append((links["partner"] == links.index).sum())
    expected = link_one_to_one(original, masked, dbrl1(None))["correct"].sum()
    assert np.mean(counts) == pytest.approx(expected, abs=4 * np.std(counts) / np.sqrt(len(counts)))


@given(pairs(columns=2))
def test_assignment_is_one_to_one_and_no_worse_than_the_identity(files):
    original, masked = files
    links = link_one_to_one(original, masked, dbrl1(None))
    assert sorted(links["partner"]) == sorted(masked.index) and links.index.equals(original.index)
    straight = np.sqrt(((original - masked.loc[original.index]) ** 2).sum(axis=1)).sum()
    assert links["distance"].sum() <= straight + 1e-9
    assert links["correct"].between(0, 1 + 1e-12).all()


def test_assignment_with_fewer_originals(census):
    masked = add_noise(census, 5, 1)
    links = link_one_to_one(census.iloc[:50], masked, dbrl1((census, masked)))
    assert len(links) == 50 and links["correct"].mean() > 0.9
    fewer = link_one_to_one(census, masked.iloc[:50], dbrl1((census, masked)))
    assert len(fewer) == 50 and set(fewer["partner"]) == set(masked.index[:50])


def test_files_too_large_for_an_assignment(monkeypatch, census):
    monkeypatch.setattr(module, "MAX_TABLE_DISTANCES", 10**6)
    with pytest.raises(ValueError, match="link a sample of the records, at most 1000 of each file"):
        link_one_to_one(census, census)


# Blocks.


@pytest.mark.parametrize("name", ["raw", "manhattan"])
@given(pairs(), st.sampled_from(DIRECTIONS), st.sampled_from(TIES), st.data())
def test_blocks_are_linked_one_by_one(name, files, direction, ties, data):
    original, masked = files
    block = pd.Series(
        data.draw(
            st.lists(
                st.sampled_from(["north", "south"]), min_size=len(original), max_size=len(original)
            )
        ),
        original.index,
    )
    whole = link(
        original.assign(block=block),
        masked.assign(block=block),
        {"raw": dbrl1(None), "manhattan": manhattan(None)}[name],
        direction,
        ties,
        "block",
    )
    for _, part in block.groupby(block):
        alone = link(
            original.loc[part.index],
            masked[masked.index.isin(part.index)],
            {"raw": dbrl1(None), "manhattan": manhattan(None)}[name],
            direction,
            ties,
        )
        pd.testing.assert_frame_equal(whole.loc[alone.index], alone, check_dtype=False)


def test_a_record_is_linked_to_nobody_where_its_block_is_empty_missing_or_wrong():
    original = pd.DataFrame({"age": [20.0, 40.0, 60.0, 61.0]}, index=list("abcd"))
    masked = (original + 1).assign(region=["e", None, "n", "n"])
    links = link(original.assign(region=["n", "s", "n", "s"]), masked, dbrl1(None), blocks="region")
    assert links["nearest"].tolist() == [None, None, "c", "c"]
    assert links["correct"].tolist() == [0, 0, 1, 0]  # d is looked for among those of another block
    assert links["ties"].tolist() == [0, 0, 1, 1] and links["second"].tolist() == [
        None,
        None,
        "a",
        "a",
    ]


def test_a_key_of_several_columns_blocks_as_one_that_holds_them_all():
    rng = np.random.default_rng(4)
    original = pd.DataFrame({"age": rng.normal(size=60), "sex": rng.choice(["f", "m", ""], 60)})
    original["region"] = rng.integers(0, 3, 60)
    masked = original.assign(age=original["age"] + rng.normal(size=60))
    both = [file["sex"] + file["region"].astype(str) for file in (original, masked)]
    numbers = [
        key.where(file["sex"] != "") for key, file in zip(both, (original, masked), strict=True)
    ]
    links = link(original, masked, blocks=("sex", "region"))
    expected = link(
        original[["age"]].assign(key=numbers[0]),
        masked[["age"]].assign(key=numbers[1]),
        blocks="key",
    )
    pd.testing.assert_frame_equal(links, expected)
    empty = original["sex"] == ""
    assert empty.any() and links.loc[empty, "nearest"].isna().all()
    assert correct_links(original, masked, blocks=("sex", "region")).sum() == links["correct"].sum()


def test_a_categorical_key_blocks_as_its_texts():
    original = pd.DataFrame({"age": [20.0, 40.0, 60.0], "sex": ["f", "m", "f"]})
    masked = pd.DataFrame({"age": [59.0, 21.0, 22.0], "sex": ["m", "f", None]})
    expected = link(original, masked, dbrl1(None), blocks="sex")
    assert expected["nearest"].tolist() == [1, 0, None]
    original["sex"] = pd.Categorical(original["sex"], ["m", "f"])
    masked["sex"] = pd.Categorical(masked["sex"], ["f", "x", "m"])
    pd.testing.assert_frame_equal(link(original, masked, dbrl1(None), blocks="sex"), expected)


@pytest.mark.parametrize("nothing", [None, np.nan, pd.NA, pd.NaT, ""])
def test_what_is_missing_is_in_no_block(nothing):
    file = pd.DataFrame(
        {"age": [20.0, 40.0, 60.0], "key": pd.Series(["n", nothing, nothing], dtype=object)}
    )
    assert link(file, file, dbrl1(None), blocks="key")["nearest"].tolist() == [0, None, None]
    assert [rows.tolist() for rows in pairs_in_blocks(file, file, "key")] == [[0], [0]]
    assert [rows.tolist() for rows in pairs_in_blocks(file, None, ["key", "age"])] == [[], []]


def test_bad_blocks(census):
    few = census.iloc[:5].assign(year=["1", "2", "3", "4", "5"])
    for blocks, other, message in (
        ("region", few, "the first file has no column 'region' to block by"),
        ("year", few.drop(columns="year"), "the second file has no column 'year' to block by"),
        ([], few, "name at least one key to block by"),
        (["year", "AGI"], few, "blocks name 2 keys, so that a record would be in several blocks"),
        ("year", few.assign(year=range(5)), "column 'year' holds numbers in one file"),
        ({}, few, "the first file has no column of the type dict to block by"),
        ([[None]], few, "the first file has no column None to block by"),
        ("year", few.assign(year=[[1]] * 5), "'year' has a value that is no category in record 0"),
        (tuple(few), few, "blocks use all columns of the files; leave one by which to compare"),
        ("year", pd.concat([few, few], axis=1), "the second file has two columns 'AFNLWGT'"),
        ("year", few.to_numpy(), "the second file is of the type ndarray; give a pandas"),
        ("year", few.iloc[:0], "the second file is empty; it needs at least one record"),
    ):
        with pytest.raises(ValueError, match=message):
            link(few, other, blocks=blocks)


@pytest.mark.parametrize("prepare", [prepared, tabled])
def test_what_was_prepared_for_two_files_is_refused_for_others(census, prepare):
    original, other = census.iloc[:20, :3], census.iloc[20:40, :3].reset_index(drop=True)
    masked = microaggregate(original, 3)
    distance = prepare(dbrl1(), original, masked)
    again = link(original.copy(), masked.copy(), distance)
    pd.testing.assert_frame_equal(again, link(original, masked))
    with pytest.raises(ValueError, match="prepared for another original file"):
        link(other, masked, distance)
    with pytest.raises(ValueError, match="prepared for another masked file"):
        link(original, original, distance)
