import importlib
import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings, strategies as st

from conftest import with_transitions
from rlpaper._internal.rounding import LEARNED_SHARE
from rlpaper.distances import (
    categorical,
    combined,
    dbrl1,
    gower,
    likelihood_ratio,
    manhattan,
    mixed,
)
from rlpaper.learning import WeightedMean
from rlpaper.learning.milp import paper_model
from rlpaper.linkage import _search
from rlpaper.linkage.fellegi_sunter import FellegiSunter
from rlpaper.linkage.nearest import DIRECTIONS, TIES, link
from rlpaper.linkage.true_ranks import correct_at, ranks
from rlpaper.masking import (
    PRAM,
    BottomCode,
    RecodeRare,
    TopCode,
    compose_transitions,
    pram,
    recode_rare,
    top_code,
)

adding = importlib.import_module(
    "rlpaper.distances.combination"
)  # the package has the function under this name
SIZES = ["S", "M", "L", "XL"]
PORTIONS = [1, 7, 1 << 22]  # how many distances are held at once
few = settings(max_examples=30, deadline=None)
fewer = settings(max_examples=15, deadline=None)  # of each distance

RECODINGS = {
    "recode_rare": [RecodeRare(2)],
    "at the start": [RecodeRare(3, position="start")],
    "top_code": [TopCode(2)],
    "existing": [BottomCode(2, scope="all", into="existing")],
    "twice": [RecodeRare(2), BottomCode(2)],
}
METHODS = {
    **RECODINGS,
    "pram": [PRAM(0.8)],
    "recoded and pram": [RecodeRare(2), PRAM(0.6)],
}


@st.composite
def files(draw, largest=20):
    """Few categories and many records: equal ones are frequent. One category does not occur."""
    n = draw(st.integers(2, largest))
    sizes, letters, grades = (
        draw(st.lists(st.sampled_from(names), min_size=n, max_size=n))
        for names in (SIZES, "uvw", [1, 2, 3])
    )
    return pd.DataFrame(
        {
            "size": pd.Categorical(sizes, SIZES, ordered=True),
            "letter": pd.Categorical(letters, list("uvwz")),
            "grade": pd.Categorical(grades, [1, 2, 3], ordered=True),
        },
        index=[f"p{i}" for i in range(n)],
    )


@st.composite
def pairs(draw, methods=tuple(METHODS)):
    """A file, its masked form in another order, perhaps with fewer records, and the transitions."""
    original = draw(files())
    masked, known = with_transitions(original, METHODS[draw(st.sampled_from(methods))])
    masked = masked.iloc[draw(st.permutations(range(len(masked))))]
    left_out = draw(st.integers(0, len(original) - 1))
    if draw(st.booleans()):
        return original.iloc[left_out:], masked, known
    return original, masked.iloc[left_out:], known


def full(distance, original, masked):
    """All distances as the linkage sees them, one row per original."""
    compared = distance(original, masked)
    return pd.DataFrame(
        compared.distances(compared.original, compared.masked), original.index, masked.index
    )


def of_codes(distance):
    """A distance of numbers, between the numbers of the categories."""
    return lambda *both: distance(*(file.apply(lambda column: column.cat.codes) for file in both))


# From what the attacker knows: the files, and what the masking does.
DISTANCES = {
    "categorical": lambda *known: categorical(),
    "weighted": lambda *known: categorical({"size": 3, "letter": 1, "grade": 2}, "usual"),
    "aware": lambda original, masked, known: categorical(transitions=known),
    "likelihood ratio": lambda original, masked, known: likelihood_ratio(known),
    "gower": lambda *known: gower(),
    "mixed": lambda *known: mixed(),
    "index": lambda original, masked, known: FellegiSunter().fit(original, masked).distance,
    "combined": lambda *known: combined(categorical(), gower()),
    "manhattan": lambda *known: of_codes(manhattan()),
    "euclidean": lambda *known: of_codes(dbrl1()),  # searched by a tree, ranked by tables
}


# The distance of an attacker who knows the masking.


@few
@given(pairs(), st.sampled_from(["printed", "usual"]), st.sampled_from([None, [1, 0, 2]]))
def test_a_pair_is_infinitely_far_exactly_where_the_masking_cannot_have_made_it(
    both, ordinal, weights
):
    original, masked, known = both
    plain, aware = (
        full(categorical(weights, ordinal, table), original, masked) for table in (None, known)
    )
    for a in original.index:
        for b in masked.index:
            possible = all(
                masked.at[b, column] in known[column].columns
                and known[column].loc[original.at[a, column], masked.at[b, column]] > 0
                for column in original
            )
            assert aware.at[a, b] == (plain.at[a, b] if possible else np.inf)


@few
@given(files(), st.floats(0.01, 0.99))
def test_knowing_pram_changes_no_rank(original, theta):
    # At 1 it would: the rarest category is then sure to be replaced.
    masked, known = with_transitions(original, [PRAM(theta)])
    for direction in DIRECTIONS:
        pd.testing.assert_frame_equal(
            ranks(original, masked, categorical(transitions=known), direction),
            ranks(original, masked, categorical(), direction),
        )


@few
@given(pairs(tuple(RECODINGS)))
def test_the_true_original_is_never_impossible_after_recoding(both):
    original, masked, known = both
    plain, aware = (
        full(categorical(transitions=table), original, masked) for table in (None, known)
    )
    for label in original.index.intersection(masked.index):
        assert aware.at[label, label] == plain.at[label, label] < np.inf


def test_knowing_the_recoding_finds_who_else_could_not_be():
    original = pd.DataFrame(
        {"size": pd.Categorical(["S", "M", "XL"], SIZES, ordered=True)}, index=list("abc")
    )
    masked, known = with_transitions(original, [TopCode(1)])
    # XL became top, the fifth of five and one step away; nobody else can have.
    aware = full(categorical(ordinal="usual", transitions=known), original, masked)
    assert aware.to_numpy().tolist() == [
        [0, np.inf, np.inf],
        [np.inf, 0, np.inf],
        [np.inf, np.inf, 1 / 5],
    ]


@few
@given(pairs(), st.sampled_from(["aware", "likelihood ratio"]))
def test_what_the_masking_makes_possible_is_the_same_whichever_file_comes_first(both, name):
    original, masked, known = both
    compared = DISTANCES[name](*both)(original, masked)
    np.testing.assert_array_equal(
        compared.distances(compared.masked, compared.original),
        compared.distances(compared.original, compared.masked).T,
    )


@pytest.mark.parametrize("make", [lambda known: categorical(transitions=known), likelihood_ratio])
def test_transitions_must_speak_of_every_column_and_category(make):
    file = pd.DataFrame(
        {
            "size": pd.Categorical(["S", "M", "M"], SIZES, ordered=True),
            "letter": pd.Categorical(list("uvw")),
        }
    )
    known = PRAM(0.5).transitions(file)
    make(known)(file, file)
    with pytest.raises(
        ValueError,
        match="transitions has no table for column 'letter'; those of a masking have",
    ):
        make({"size": known["size"]})(file, file)
    with pytest.raises(
        ValueError,
        match="transitions of column 'letter' do not say what becomes of category 'v'; give a row",
    ):
        make({**known, "letter": known["letter"].drop(index="v")})(file, file)
    # Rows of categories that do not occur are not needed.
    make({**known, "size": known["size"].loc[["S", "M"]]})(file, file)


# The likelihood ratio.


@st.composite
def noisy(draw):
    """Two files of two variables, and probabilities in small whole numbers; some are zero."""
    tables = {}
    for column, names in (("size", SIZES), ("letter", list("uvw"))):
        row = st.lists(st.integers(0, 3), min_size=len(names), max_size=len(names)).filter(any)
        tables[column] = {}
        for name in names:
            counts = draw(row)
            tables[column][name] = {
                became: Fraction(count, sum(counts))
                for became, count in zip(names, counts, strict=True)
            }
    n = draw(st.integers(2, 12))
    cells = st.tuples(st.sampled_from(SIZES), st.sampled_from("uvw"))
    dtypes = {
        "size": pd.CategoricalDtype(SIZES, ordered=True),
        "letter": pd.CategoricalDtype(list("uvw")),
    }
    original, masked = (
        pd.DataFrame(
            draw(st.lists(cells, min_size=n, max_size=n)), columns=["size", "letter"]
        ).astype(dtypes)
        for _ in range(2)
    )
    return original, masked, tables


def as_transitions(tables):
    return {
        column: pd.DataFrame.from_dict(table, orient="index").astype(float)
        for column, table in tables.items()
    }


@few
@given(noisy())
def test_the_likelihood_ratio_links_to_the_most_likely_original(both):
    original, masked, tables = both
    links = link(original, masked, likelihood_ratio(as_transitions(tables)))
    for label, record in masked.iterrows():
        likely = [
            math.prod(tables[column][other[column]][record[column]] for column in tables)
            for _, other in original.iterrows()
        ]
        best = [
            place for place, value in enumerate(likely) if value == max(likely)
        ]  # fractions: ties are exact
        found = links.loc[label]
        if max(likely) == 0:
            assert found["distance"] == np.inf
            continue
        assert found["nearest"] == original.index[best[0]] and found["ties"] == len(best)
        assert found["correct"] == float(best == [original.index.get_loc(label)])


@few
@given(noisy())
def test_the_likelihood_ratio_by_its_formula(both):
    original, masked, tables = both
    values = full(likelihood_ratio(as_transitions(tables)), original, masked)
    for a in original.index:
        for b in masked.index:
            ratio = 1
            for column, table in tables.items():
                value = masked.at[b, column]
                p = table[original.at[a, column]][value]
                ratio *= p and p / (
                    sum(table[other][value] for other in original[column]) / len(original)
                )
            assert values.at[a, b] == (
                pytest.approx(-math.log2(ratio), abs=1e-9) if ratio else np.inf
            )


def test_the_likelihood_ratio_by_hand():
    original = pd.DataFrame({"v": pd.Categorical(list("aaab"))})
    known = {"v": pd.DataFrame([[0.9, 0.1], [0.3, 0.7]], list("ab"), list("ab"))}
    # Of the masked categories, a has (3 * 0.9 + 0.3) / 4 = 3/4 and b 1/4.
    expected = -np.log2([[0.9 / 0.75, 0.1 / 0.25], [0.3 / 0.75, 0.7 / 0.25]])
    values = full(likelihood_ratio(known), original, original.iloc[[0, 3]]).to_numpy()
    np.testing.assert_allclose(values, expected[[0, 0, 0, 1]], rtol=0, atol=1e-9)


# Distances added up.


@few
@given(pairs(), st.sampled_from(PORTIONS))
def test_combined_distances_are_added_by_their_spread(both, portion):
    original, masked, _ = both
    parts = [categorical(ordinal="usual"), mixed(), FellegiSunter().fit(original, masked).distance]
    tables = [full(part, original, masked).to_numpy() for part in parts]
    tables[1] = np.sqrt(tables[1])  # the one that is a square
    assume(all(np.ptp(table) > 1e-9 for table in tables))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(adding, "MAX_DISTANCES", portion)
        compared = combined(*parts)(original, masked)
    values = compared.distances(compared.original, compared.masked)
    np.testing.assert_allclose(
        values, sum(table / table.std() for table in tables), rtol=0, atol=1e-9
    )
    np.testing.assert_array_equal(compared.distances(compared.masked, compared.original), values.T)
    assert not compared.squared


def test_combined_distances_by_hand():
    original = pd.DataFrame(
        {
            "size": pd.Categorical(["S", "XL"], SIZES, ordered=True),
            "letter": pd.Categorical(["u", "v"]),
        }
    )
    masked = original.iloc[:1]
    by_size, by_letter = (
        lambda a, b, c=c: categorical(ordinal="usual")(a[[c]], b[[c]]) for c in original
    )
    # Distances 0 and 3/4, of deviation 3/8; 0 and 1, of deviation 1/2.
    assert full(combined(by_size, by_letter), original, masked).iloc[:, 0].tolist() == [0, 2 + 2]


@few
@given(pairs())
def test_one_distance_alone_ranks_as_it_does_by_itself(both):
    original, masked, _ = both
    assume(np.ptp(full(categorical(), original, masked).to_numpy()) > 0)
    for direction in DIRECTIONS:
        # Distances are whole numbers over a common denominator, and differ by far more than is
        # rounded.
        pd.testing.assert_frame_equal(
            ranks(original, masked, combined(categorical()), direction),
            ranks(original, masked, categorical(), direction),
        )


def test_infinite_distances_cannot_be_combined():
    original = pd.DataFrame({"size": pd.Categorical(["S", "XL", "XL"], SIZES, ordered=True)})
    masked, known = with_transitions(original, [TopCode(1)])
    with pytest.raises(
        ValueError, match="infinite for some pairs and has no spread; combine finite distances"
    ):
        combined(categorical(), categorical(transitions=known))(original, masked)


@pytest.mark.parametrize("portion", PORTIONS)
def test_a_distance_that_is_the_same_for_all_pairs_adds_nothing(portion, monkeypatch):
    monkeypatch.setattr(adding, "MAX_DISTANCES", portion)
    for n in range(2, 15):
        file = pd.DataFrame(
            {"same": pd.Categorical(["S"] * n, SIZES[:3], ordered=True), "age": np.arange(n)}
        )
        constant, other = (
            lambda a, b: categorical()(a[["same"]], b[["same"]]),
            lambda a, b: dbrl1()(a[["age"]], b[["age"]]),
        )
        assert (full(constant, file, file) == 1 / 3).all(
            axis=None
        )  # a third, whose mean need not be a third
        for distances in ((constant, other), (other, constant)):
            pd.testing.assert_frame_equal(
                full(combined(*distances), file, file), full(combined(other), file, file)
            )
        assert (full(combined(constant), file, file) == 0).all(axis=None)


# Ranks.


def linking_rows(original, masked, distance, direction):
    """All distances, one row per linking record."""
    table = full(distance, original, masked)
    return table.T if direction == "masked_to_original" else table


@pytest.mark.parametrize("name", DISTANCES)
@fewer
@given(pairs(), st.sampled_from(DIRECTIONS), st.sampled_from(PORTIONS))
def test_ranks_count_who_is_nearer_and_who_is_as_near(name, both, direction, portion):
    original, masked, _ = both
    distance = DISTANCES[name](*both)
    expected = []
    for label, row in linking_rows(original, masked, distance, direction).iterrows():
        known = label in row.index
        expected.append(
            ((row < row[label]).sum(), (row == row[label]).sum()) if known else (len(row), 0)
        )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_search, "MAX_DISTANCES", portion)
        found = ranks(original, masked, distance, direction)
    assert found.index.equals((masked if direction == "masked_to_original" else original).index)
    assert list(found.itertuples(index=False, name=None)) == expected


def test_ranks_of_a_record_that_nobody_knows():
    file = pd.DataFrame(
        {"size": pd.Categorical(["S", "M", "XL"], SIZES, ordered=True)}, index=list("abc")
    )
    found = ranks(file.iloc[:2], file, categorical())
    assert found.loc["c"].tolist() == [2, 0] and found.loc["a"].tolist() == [0, 1]
    assert [correct_at(found, place, "lenient")["c"] for place in (1, 2, 3)] == [0, 0, 0]
    assert ranks(file, file.iloc[:2], categorical(), "original_to_masked").loc["c"].tolist() == [
        2,
        0,
    ]


@settings(max_examples=50, deadline=None)
@given(pairs(), st.sampled_from(list(DISTANCES)), st.sampled_from(DIRECTIONS))
def test_the_first_place_is_what_linkage_counts(both, name, direction):
    original, masked, _ = both
    distance = DISTANCES[name](*both)
    found = ranks(original, masked, distance, direction)
    for ties in TIES:
        pd.testing.assert_series_equal(
            correct_at(found, 1, ties), link(original, masked, distance, direction, ties)["correct"]
        )


@few
@given(pairs(), st.sampled_from(DIRECTIONS))
def test_who_has_a_partner_has_it_at_one_place(both, direction):
    original, masked, _ = both
    linking, candidates = (
        (masked, original) if direction == "masked_to_original" else (original, masked)
    )
    found = ranks(original, masked, categorical(), direction)
    places = range(1, len(candidates) + 1)
    strict, lenient, expected = (
        pd.DataFrame({place: correct_at(found, place, ties) for place in places}) for ties in TIES
    )
    assert (strict <= expected).all(axis=None) and (expected <= lenient).all(axis=None)
    np.testing.assert_allclose(
        expected.sum(axis=1), linking.index.isin(candidates.index), rtol=1e-12
    )
    # Wherever it may stand; nowhere if others are as near.
    assert lenient.sum(axis=1).tolist() == found["tied"].tolist()
    assert strict.sum(axis=1).tolist() == (found["tied"] == 1).tolist()
    assert not correct_at(found, len(candidates) + 1, "lenient").any()


def test_places_by_hand():
    table = pd.DataFrame({"nearer": [0, 1, 1, 3], "tied": [1, 1, 3, 0]}, index=list("abcd"))
    assert correct_at(table, 2).to_dict() == {"a": 0, "b": 1, "c": 0, "d": 0}
    assert correct_at(table, 3, "lenient").to_dict() == {"a": 0, "b": 0, "c": 1, "d": 0}
    assert correct_at(table, 4, "expected").to_dict() == {"a": 0, "b": 0, "c": 1 / 3, "d": 0}


def test_bad_options_of_ranks_and_places():
    file = pd.DataFrame({"size": pd.Categorical(["S", "M"], SIZES, ordered=True)})
    with pytest.raises(
        ValueError, match="direction is 'both'; it is one of masked_to_original, original_to_masked"
    ):
        ranks(file, file, categorical(), "both")
    with pytest.raises(ValueError, match="ties is 'first'; it is one of strict, lenient, expected"):
        correct_at(ranks(file, file, categorical()), 1, "first")
    table = pd.DataFrame({"nearer": [0, 0, 1], "tied": [1, 2, 1]})
    for found, rank, message in (
        (table, 0, "rank is 0; it is a whole number, 1 or more"),
        (table, 1.5, "rank is 1.5; it is a whole number"),
        (table, "1", "rank is '1'; it is a whole number"),
        (table["tied"], 1, "the table ranks is of the type Series; give a pandas DataFrame"),
        (table[["tied"]], 1, "ranks needs the columns nearer and tied; give what ranks"),
        (table.iloc[:0], 1, "the table ranks is empty; it needs at least one record"),
        (-table, 1, "column 'tied' has a value that is no count in record 0; give what ranks"),
        (table / 0, 1, "column 'nearer' has a value that is no count in record 0"),
        (table + np.inf, 1, "column 'nearer' has a value that is no count in record 0"),
        (table.astype(str), 1, "column 'nearer' is not numeric; give what ranks"),
    ):
        with pytest.raises(ValueError, match=message):
            correct_at(found, rank)
    with pytest.raises(ValueError, match="misaligned"):
        ranks(file, file.set_axis([5, 6]), categorical())


# The search, which looks at equal records once.


def plain_search(original, masked, distance, direction):
    """Linkage through the whole table, record by record."""
    rows = []
    for _, row in linking_rows(original, masked, distance, direction).iterrows():
        values = row.tolist()
        first, *others = sorted(range(len(values)), key=lambda j: (values[j], j))
        second = others[0] if others and values[others[0]] < np.inf else None
        rows.append(
            (
                row.index[first],
                values[first],
                None if second is None else row.index[second],
                np.inf if second is None else values[second],
                values.count(values[first]),
            )
        )
    return rows


@pytest.mark.parametrize("name", DISTANCES)
@fewer
@given(pairs(), st.sampled_from(DIRECTIONS), st.sampled_from(PORTIONS))
def test_looking_at_equal_records_once_finds_what_a_plain_search_finds(
    name, both, direction, portion
):
    original, masked, _ = both
    distance = DISTANCES[name](*both)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_search, "MAX_DISTANCES", portion)
        links = link(original, masked, distance, direction)
    expected = plain_search(original, masked, distance, direction)
    if distance(original, masked).squared:
        expected = [
            (first, math.sqrt(near), second, math.sqrt(next_near), ties)
            for first, near, second, next_near, ties in expected
        ]
    columns = ["nearest", "distance", "second", "second_distance", "ties"]
    assert list(links[columns].itertuples(index=False, name=None)) == expected


@few
@given(
    pairs(),
    st.sampled_from(["categorical", "aware", "gower"]),
    st.sampled_from(DIRECTIONS),
    st.sampled_from(TIES),
    st.data(),
)
def test_equal_records_of_different_blocks_are_kept_apart(both, name, direction, ties, data):
    original, masked, _ = both
    table = linking_rows(original, masked, DISTANCES[name](*both), direction)
    block = {
        label: data.draw(st.sampled_from(["north", "south"]))
        for label in sorted({*original.index, *masked.index})
    }
    links = link(
        *(file.assign(block=[block[label] for label in file.index]) for file in (original, masked)),
        DISTANCES[name](*both),
        direction,
        ties,
        "block",
    )
    for label, row in table.iterrows():
        values = {other: value for other, value in row.items() if block[other] == block[label]}
        found = links.loc[label]
        if not values:
            assert found["nearest"] is None and found["ties"] == found["correct"] == 0
            continue
        nearest = [other for other, value in values.items() if value == min(values.values())]
        assert found["nearest"] == nearest[0] and found["ties"] == len(nearest)
        hit = label in nearest
        assert (
            found["correct"]
            == {"strict": nearest == [label], "lenient": hit, "expected": hit / len(nearest)}[ties]
        )


def test_copies_of_the_nearest_come_second_in_the_order_of_the_file():
    sizes = pd.CategoricalDtype(SIZES, ordered=True)
    masked = pd.DataFrame({"size": pd.Categorical(["M"], dtype=sizes)}, index=["a"])
    for values, expected in (
        ("M S M", ("a", "c", 1 / 4)),
        ("L S L", ("a", "b", 2 / 4)),
        ("S S L", ("a", "b", 2 / 4)),
        ("XL S M", ("c", "b", 2 / 4)),
        ("S XL XL", ("a", "b", 3 / 4)),
    ):
        original = pd.DataFrame(
            {"size": pd.Categorical(values.split(), dtype=sizes)}, index=list("abc")
        )
        found = link(original, masked, categorical()).loc["a"]
        assert (found["nearest"], found["second"], found["second_distance"]) == expected, values


# The probability of chance agreement, taken from all pairs.


@few
@given(pairs(), st.sampled_from([1e-6, 0.05, None]))
def test_u_of_all_pairs_is_the_share_of_pairs_that_agree(both, probability_floor):
    original, masked, _ = both
    model = FellegiSunter(u="pairs", probability_floor=probability_floor, max_iterations=50).fit(
        original, masked
    )
    for column in original:
        agreements = sum(a == b for a in original[column] for b in masked[column])
        share = agreements / (len(original) * len(masked))
        assert model.u_[column] == (
            share
            if probability_floor is None
            else min(max(share, probability_floor), 1 - probability_floor)
        )
    assert model.p_ == min(len(original), len(masked)) / (len(original) * len(masked))
    # Neither is estimated.
    later = model.history_[model.history_["step"] > 0]
    assert (later["p"] == model.p_).all() and (later.groupby("variable")["u"].nunique() == 1).all()


def test_p_is_one_partner_for_each_record():
    file = pd.DataFrame({"size": pd.Categorical(["S", "M", "M", "XL"], SIZES, ordered=True)})
    assert FellegiSunter(u="pairs").fit(file, file).p_ == 4 / (4 * 4)
    assert FellegiSunter(u="pairs").fit(file.iloc[:3], file).p_ == 3 / (3 * 4)
    # Of 16 pairs 1 + 4 + 1 agree.
    assert FellegiSunter(u="pairs").fit(file, file).u_["size"] == 6 / 16


def test_a_missing_value_agrees_with_nothing_by_chance_either():
    file = pd.DataFrame(
        {
            "size": pd.Categorical(["S", None, "S", None], SIZES),
            "letter": pd.Categorical(list("uvuv")),
        }
    )
    assert FellegiSunter(u="pairs").fit(file, file).u_.to_dict() == {
        "size": 4 / 16,
        "letter": 8 / 16,
    }


def test_m_is_estimated_by_the_pairs_that_agree_more_than_by_chance():
    # A fixed point of EM: the share of agreements among pairs, each counted by its probability of
    # belonging together.
    rng = np.random.default_rng(1)
    file = pd.DataFrame({name: pd.Categorical(rng.integers(0, 8, 80)) for name in "vwxyz"})
    model = FellegiSunter(u="pairs", tolerance=1e-12).fit(file, pram(file, 0.5, 1))
    assert model.converged_ and (model.m_ > model.u_).all()
    weights = model.patterns_["pairs"] * model.patterns_["probability"]
    for v, name in enumerate("vwxyz"):
        agrees = model.patterns_.index.str[v] == "1"
        assert weights[agrees].sum() / weights.sum() == pytest.approx(model.m_[name], rel=1e-9)


@pytest.mark.parametrize(
    "compare",
    [
        lambda model, file: model.fit(file.iloc[:2]),
        lambda model, file: model.fit(file, blocks=[["size"]]),
        lambda model, file: model.fit(file, file.iloc[::-1], blocks=[["size", "letter"]]),
    ],
    ids=["one pair", "few pairs in blocks", "few pairs of two files"],
)
def test_probabilities_of_few_pairs_are_probabilities(compare):
    # Fewer pairs are compared than there are records.
    file = pd.DataFrame(
        {
            "size": pd.Categorical(["S", "S", "M", "L"]),
            "letter": pd.Categorical([None, "u", "v", None]),
        }
    )
    model = compare(FellegiSunter(u="pairs"), file)
    assert 0 <= model.p_ <= 1
    assert model.patterns_["probability"].between(0, 1).all()


def test_a_bad_source_of_u():
    file = pd.DataFrame({"x": [1, 2]})
    with pytest.raises(ValueError, match="u is 'all'; it is one of em, pairs"):
        FellegiSunter(u="all").fit(file, file)


# Learned weights of categories.


def categories_and_numbers(seed, numbers):
    """Two small files of the same individuals, in different orders, one perhaps smaller."""
    rng = np.random.default_rng([seed, 21])
    n = int(rng.integers(6, 17))
    original = pd.DataFrame(
        {
            "size": pd.Categorical(rng.choice(SIZES, n), SIZES, ordered=True),
            "letter": pd.Categorical(rng.choice(list("uvwx"), n), list("uvwxz")),
            "rank": pd.Categorical(rng.integers(0, 9, n), range(9), ordered=True),
        }
    )
    masked = (pram(original, 0.6, seed), recode_rare(original, 2), top_code(original, 2))[seed % 3]
    if numbers:
        original = original.assign(age=rng.normal(size=n), income=rng.integers(0, 4, n))
        masked = masked.assign(
            age=original["age"] + rng.normal(size=n),
            income=original["income"] + rng.integers(0, 3, n),
        )
    return (original if seed % 5 else original.iloc[2:]), masked.iloc[rng.permutation(n)]


def terms(original, masked):
    """What is weighted: of each column the table of distances, of numbers squared."""
    for column in original:
        x, y = original[column], masked[column]
        if not isinstance(x.dtype, pd.CategoricalDtype):
            x, y = ((values - values.mean()) / values.std(ddof=0) for values in (x, y))
            yield np.array([[(a - b) ** 2 for b in y] for a in x])
        elif x.cat.ordered:
            order = list(y.cat.categories)  # masking may have added one
            yield np.array(
                [[abs(order.index(a) - order.index(b)) / len(order) for b in y] for a in x]
            )
        else:
            yield np.array([[float(a != b) for b in y] for a in x])


def recount(learned, original, masked):
    """Linking records that are nearest to their own candidate, by more than rounding."""
    table = sum(
        weight * term
        for weight, term in zip(learned.parameters_, terms(original, masked), strict=True)
    )
    table = pd.DataFrame(table, original.index, masked.index)
    table = table.T if learned.direction == "masked_to_original" else table
    rounding = 1e-13 * table.to_numpy().max()
    return sum(
        label in row.index and (row.drop(label) > row[label] + rounding).all()
        for label, row in table.iterrows()
    )


@pytest.mark.parametrize("numbers", [False, True], ids=["categories", "categories and numbers"])
def test_learned_weights_of_categories_link_what_the_papers_program_links(numbers):
    for seed in range(30):
        files = categories_and_numbers(seed, numbers)
        learned = WeightedMean(direction=DIRECTIONS[seed // 3 % 2], progress=False).fit(*files)
        solution = paper_model(WeightedMean(direction=learned.direction), *files).solve()
        assert learned.linked_ == learned.bound_ == solution.bound <= solution.linked, (
            f"seed {seed}"
        )
        assert learned.status_ == solution.status == "optimal"
        assert learned.linked_ == recount(learned, *files), f"seed {seed}"
        assert (learned.parameters_ >= 0).all() and learned.parameters_.sum() == pytest.approx(1)
        assert learned.parameters_.index.tolist() == list(files[0])


def test_no_weights_of_two_categorical_variables_link_more():
    for seed in range(20):
        files = [file[["letter", "rank"]] for file in categories_and_numbers(seed, False)]
        learned = WeightedMean(progress=False).fit(*files)
        tables = [table.T for table in terms(*files)]
        own = files[0].index.get_indexer(files[1].index)
        best = 0
        # Letters are 0 or 1 apart, ranks k / 9 or k / 10: links change at weights k / (k + 9) or k
        # / (k + 10) of the letter, which lie farther apart than these.
        for weight in np.arange(0.5, 199) / 199:
            table = weight * tables[0] + (1 - weight) * tables[1]
            best = max(
                best,
                sum(
                    place >= 0 and (np.delete(row, place) > row[place] + 1e-12).all()
                    for row, place in zip(table, own, strict=True)
                ),
            )
        assert learned.linked_ == learned.bound_ == best, f"seed {seed}"


def test_a_learned_distance_of_categories_is_weighted_by_what_was_learned():
    for numbers in (False, True):
        files = categories_and_numbers(1, numbers)
        learned = WeightedMean(progress=False).fit(*files)
        expected = sum(
            weight * term for weight, term in zip(learned.parameters_, terms(*files), strict=True)
        )
        # Rounded to so much of the largest.
        np.testing.assert_allclose(
            full(learned.distance, *files), expected, rtol=0, atol=LEARNED_SHARE * expected.max()
        )
        # These are squares, as those of numbers are.
        np.testing.assert_allclose(
            learned.link(*files)["distance"] ** 2,
            expected.min(axis=0),
            rtol=0,
            atol=LEARNED_SHARE * expected.max(),
        )
        assert learned.score(*files) == learned.linked_ / len(files[1])


def test_moments_of_the_files_that_were_learned_from_serve_for_others():
    original, masked = categories_and_numbers(1, True)
    learned = WeightedMean(standardise="fit", progress=False).fit(original, masked)
    whole, part = (
        full(learned.distance, original, masked),
        full(learned.distance, original.iloc[:4], masked.iloc[:5]),
    )
    np.testing.assert_allclose(
        part, whole.iloc[:4, :5], rtol=0, atol=LEARNED_SHARE * whole.to_numpy().max()
    )


def test_a_learned_distance_of_some_files_is_left_alone_by_that_of_others():
    original, masked = categories_and_numbers(1, False)
    learned = WeightedMean(progress=False).fit(original, masked)
    before = full(learned.distance, original, masked)
    compared = learned.distance(original, masked)
    learned.distance(
        original, top_code(masked, 2, label="more")
    )  # has more categories, which divide differences
    np.testing.assert_array_equal(compared.distances(compared.original, compared.masked), before)


def test_equal_weights_of_categories_tie_where_the_sums_are_equal():
    third, quarter, sixth = (pd.CategoricalDtype(range(n), ordered=True) for n in (3, 4, 6))
    dtypes = {"a": third, "b": quarter, "c": sixth}
    original = pd.DataFrame({"a": [1, 0], "b": [1, 3], "c": [1, 0]}).astype(dtypes)
    masked = pd.DataFrame({"a": [0, 0], "b": [0, 3], "c": [0, 0]}).astype(dtypes)
    # The first masked record is 1/3 + 1/4 + 1/6 from the first original and 3/4, the same, from the
    # second.
    exact = link(original, masked, categorical(ordinal="usual"))
    assert exact["ties"].tolist() == [2, 1] and exact["correct"].tolist() == [0, 1]
    equal = WeightedMean().with_parameters(original, masked, [1, 1, 1])
    assert equal.link(original, masked)["ties"].tolist() == [2, 1]
    assert equal.score(original, masked) == 1 / 2


# The place of a new category, and what the masking does.


def test_a_new_category_can_be_placed_first():
    file = pd.DataFrame(
        {
            "size": pd.Categorical(["S", "M", "M", "L", "XL"], SIZES, ordered=True),
            "letter": pd.Categorical(list("uuvvw"), list("wvu")),
        }
    )
    last, first = recode_rare(file, 2), recode_rare(file, 2, position="start")
    assert list(last["size"].cat.categories) == [*SIZES, "other"]
    assert list(first["size"].cat.categories) == ["other", *SIZES] and first["size"].cat.ordered
    assert (
        list(first["letter"].cat.categories) == ["other", "w", "v", "u"]
        and not first["letter"].cat.ordered
    )
    for column in file:
        assert first[column].tolist() == last[column].tolist()
    # S became other: a step from the start, four from the end.
    one, four = (
        full(categorical(ordinal="usual"), file[["size"]], masked[["size"]]).iloc[0, 0]
        for masked in (first, last)
    )
    assert (one, four) == (1 / 5, 4 / 5)
    # An existing category stays where it is.
    pd.testing.assert_frame_equal(
        recode_rare(file, 2, "existing", position="start"), recode_rare(file, 2, "existing")
    )


@pytest.mark.parametrize("p", [0, 2])
def test_a_bad_place_is_refused(p):
    file = pd.DataFrame({"size": pd.Categorical(["S", "M"], SIZES, ordered=True)})
    with pytest.raises(ValueError, match="position is 'middle'; it is one of end, start"):
        recode_rare(file, p, position="middle")


@few
@given(files(), st.sampled_from(list(METHODS)))
def test_transitions_are_probabilities_and_make_every_record_possible(file, method):
    masked, known = with_transitions(file, METHODS[method])
    for column in file:
        table = known[column]
        assert set(table.index) == set(file[column].cat.categories)
        assert set(table.columns) <= set(masked[column].cat.categories)
        np.testing.assert_allclose(table.sum(axis=1), 1, rtol=1e-12)
        chances = [table.loc[a, b] for a, b in zip(file[column], masked[column], strict=True)]
        assert all(chance == 1 if method in RECODINGS else chance > 0 for chance in chances)


@few
@given(files(), st.integers(0, 4), st.integers(0, 4))
def test_transitions_of_several_steps_by_summing_over_what_lies_between(file, p, q):
    steps, masked = [], file
    for step in (RecodeRare(p, position="start"), RecodeRare(q, label="more"), PRAM(0.5)):
        steps.append(step.transitions(masked))
        masked = step.mask(masked, 1)
    for column, table in compose_transitions(*steps).items():
        for name in table.index:
            chances = {name: 1.0}
            for step in steps:
                after = {}
                for value, chance in chances.items():
                    for became, probability in step[column].loc[value].items():
                        after[became] = after.get(became, 0.0) + chance * probability
                chances = after
            for became in {*chances, *table.columns}:
                found = table.loc[name, became] if became in table else 0.0
                assert found == pytest.approx(chances.get(became, 0.0), abs=1e-12)


def test_transitions_of_some_columns_are_those_of_the_file():
    file = pd.DataFrame(
        {
            "size": pd.Categorical(["S", "M", "M", "L"], SIZES),
            "letter": pd.Categorical(list("uvvw")),
        }
    )
    masking = RecodeRare(2, position="start")
    some = masking.transitions(file[["letter"]])
    assert list(some) == ["letter"]
    pd.testing.assert_frame_equal(some["letter"], masking.transitions(file)["letter"])
    assert (
        some["letter"].loc["u", "other"]
        == some["letter"].loc["w", "other"]
        == some["letter"].loc["v", "v"]
        == 1
    )
