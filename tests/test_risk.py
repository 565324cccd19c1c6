"""The assessment: each measure against a plain way to get it, and what holds of any pair."""

import copy
import itertools
import math
from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

import rlpaper
from rlpaper import datasets, examples, masking
from rlpaper.distances import dbrl1, mahalanobis, mixed
from rlpaper.information_loss import correlation_loss, il1s
from rlpaper.information_loss.mixed import cell_loss, information_loss
from rlpaper.linkage.assignment import link_one_to_one
from rlpaper.linkage.nearest import link, reidentification_rate
from rlpaper.linkage.true_ranks import ranks
from rlpaper.masking import add_noise, microaggregate, pram, rank_swap
from rlpaper.risk import (
    Assessment,
    assessment as assessment_module,
    attacks,
    figures,
    prepare,
    summary,
)
from rlpaper.risk.alternatives import THIS, alternatives, count
from rlpaper.risk.assessment import assess
from rlpaper.risk.attackers import shortlist
from rlpaper.risk.measures import ATTACK_STREAM, MEASURES
from rlpaper.risk.report import parts
from rlpaper.risk.summary import percent
from rlpaper.risk.variables import shapley_values

pytestmark = pytest.mark.slow


def nothing(_):
    pass


def survey(n=120, seed=1):
    """Numbers and categories, a few missing; age and town are not masked."""
    rng = np.random.default_rng(seed)
    original = pd.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "income": rng.lognormal(10, 1, n).round(2),
            "debt": rng.normal(0, 1000, n),
            "town": rng.choice(list("abcdef"), n),
            "sex": rng.choice(["f", "m"], n),
        }
    )
    original.loc[rng.permutation(n)[:7], "debt"] = np.nan
    masked = original.copy()
    masked["income"] = rank_swap(original[["income"]], 20, seed)["income"]
    known = original["debt"].notna()
    masked.loc[known, "debt"] = add_noise(original.loc[known, ["debt"]], 50, seed)["debt"]
    masked["sex"] = pram(original[["sex"]].astype("category"), 0.8, seed)["sex"].astype(str)
    return original, masked


@pytest.fixture(scope="module")
def files():
    return survey()


@pytest.fixture(scope="module")
def pair(files):
    return prepare(*files)


@pytest.fixture(scope="module")
def assessment(files):
    return assess(*files, progress=False)


# The attacks.


def test_the_package_has_the_function_under_its_own_name():
    assert rlpaper.assess is assess
    for module in (rlpaper, rlpaper.risk):
        with pytest.raises(AttributeError, match="nonsense"):
            _ = module.nonsense


def test_the_risk_is_the_largest_share_and_says_by_which_attack(assessment):
    assert assessment.risk == assessment.attacks["correct"].max()
    assert assessment.worst["attack"] in assessment.summary()[0]
    assert len(assessment.attacks) == 9 and set(assessment.attacks["attack"]) == set(attacks.KNOWS)
    assert assessment.attacks["comparable"].all()


def test_plain_attacks_find_what_linkage_finds(assessment, pair):
    shares = assessment.attacks.set_index(["attack", "direction"])["correct"]
    for direction, way in (
        ("masked_to_original", "masked to original"),
        ("original_to_masked", "original to masked"),
    ):
        direct = reidentification_rate(
            pair.original, pair.masked, mixed(ordinal="usual"), direction, "expected"
        )
        assert shares[attacks.NEAREST, way] == pytest.approx(direct, abs=1e-12)
        numbers = pair.original[pair.numbers], pair.masked[pair.numbers]
        direct = reidentification_rate(
            *numbers, mahalanobis(ridge=attacks.RIDGE), direction, "expected"
        )
        assert shares[attacks.MAHALANOBIS, way] == pytest.approx(direct, abs=1e-12)
    one = link_one_to_one(pair.original, pair.masked, mixed(ordinal="usual"))["correct"].mean()
    assert shares[attacks.ONE_TO_ONE, "both at once"] == pytest.approx(one, abs=1e-12)


def test_learned_weights_find_at_least_what_equal_ones_do_and_at_most_their_bound(assessment):
    learned = assessment.findings.learned
    table = assessment.new_records.set_index("records")
    row = table.loc["learned from"]
    assert learned.linked_ <= learned.bound_
    assert row[attacks.NEAREST] <= row[attacks.LEARNED] <= row["no weights find more than"]
    assert row[attacks.LEARNED] == learned.linked_ / row["number"]


def test_half_of_a_larger_file_is_learned_from_and_the_rest_is_new():
    pair = prepare(*survey(900))
    learned, sample, fresh = attacks.learn(pair, np.random.default_rng(1), nothing)
    assert len(sample) == len(fresh) == attacks.MAX_LEARNED_RECORDS and not len(
        sample.intersection(fresh)
    )


def test_all_of_a_small_file_is_learned_from(pair, monkeypatch):
    for most, sizes in ((len(pair), (len(pair), 0)), (len(pair) - 1, (60, 60))):
        monkeypatch.setattr(attacks, "MAX_LEARNED_RECORDS", most)
        _, sample, fresh = attacks.learn(pair, np.random.default_rng(1), nothing)
        assert (len(sample), len(fresh)) == sizes


def test_records_have_what_each_attack_finds(assessment, pair):
    records, found = assessment.records, assessment.links
    worst = assessment.worst
    links = link(
        pair.original, pair.masked, mixed(ordinal="usual"), "masked_to_original", "expected"
    )
    part = found[found["attack"] == attacks.NEAREST].query("direction == 'masked to original'")
    np.testing.assert_allclose(part["found"], links["correct"])
    np.testing.assert_array_equal(part["ties"], links["ties"])
    part = found[(found[["attack", "direction"]] == worst[["attack", "direction"]]).all(axis=1)]
    assert part["found"].tolist() == records["risk"].tolist()
    assert records["risk"].mean() == pytest.approx(assessment.risk)
    wide = found.pivot(index="row", columns=["attack", "direction"], values="found")
    assert wide.shape == (120, assessment.tried) and assessment.tried == 9
    assert (records["found by"] == (wide == 1).sum(axis=1)).all()
    assert records.index.name == "row" and records.index.min() == 1


def test_the_records_most_at_risk_come_first(assessment):
    shown = assessment.tables()["records"]
    assert shown["risk"].is_monotonic_decreasing and shown["risk"].nunique() > 1
    assert all(part["found by"].is_monotonic_decreasing for _, part in shown.groupby("risk"))


@pytest.mark.parametrize("limit", ["MAX_LINKED_RECORDS", "MAX_PAIRS"])
def test_of_large_files_records_are_drawn_and_the_interval_says_so(limit, monkeypatch):
    files = survey(800)
    whole = assess(*files, alternatives=False, progress=False)
    monkeypatch.setattr(attacks, limit, 200 * (800 if limit == "MAX_PAIRS" else 1))
    monkeypatch.setattr(attacks, "MAX_ASSIGNED_RECORDS", 150)
    drawn = assess(*files, alternatives=False, progress=False)
    both = drawn.attacks.merge(whole.attacks, on=["attack", "direction"], suffixes=("", " of all"))
    one = both["attack"] == attacks.ONE_TO_ONE
    assert (both.loc[~one, "linked"] == 200).all() and (both.loc[~one, "candidates"] == 800).all()
    assert (both["low"] < both["correct"]).all() and (both["correct"] < both["high"]).all()
    inside = both["correct of all"].between(both["low"], both["high"])[~one]
    assert inside.sum() >= 7  # of eight, each with 95 percent
    assert not both.loc[one, "comparable"].any() and both.loc[one, "candidates"].iloc[0] == 150
    assert drawn.worst["attack"] != attacks.ONE_TO_ONE
    assert any(
        "were drawn at random" in line and "does not count" in line for line in drawn.summary()
    )


def test_a_short_list_is_of_two_thousand_records_at_most():
    pair = prepare(*survey(2100))
    assert set(shortlist(pair, np.random.default_rng(1))["linked"]) == {2000}


def test_a_short_list_of_drawn_records_says_so(assessment, files, monkeypatch):
    said = "of 100 that were looked for and among the first"
    monkeypatch.setattr("rlpaper.risk.attackers.MAX_SHORTLIST_RECORDS", 100)
    drawn = assess(*files, alternatives=False, progress=False)
    assert any(said in line for line in drawn.summary())
    assert not any("looked for" in line for line in assessment.summary())


@pytest.mark.parametrize(
    "share, n, whole", [(0.0, 50, 1000), (0.3, 400, 10_000), (1.0, 20, 60), (0.01, 1000, 10**6)]
)
def test_the_interval_is_wilsons(share, n, whole):
    low, high = attacks.interval(share, n, whole)
    effective = n * (whole - 1) / (whole - n)
    for end in (
        low,
        high,
    ):  # its ends are where the share lies 1.96 standard errors of that end away
        if 1e-9 < end < 1 - 1e-9:
            assert abs(share - end) == pytest.approx(
                1.959963984540054 * math.sqrt(end * (1 - end) / effective)
            )
    assert 0 <= low <= share <= high <= 1


def test_intervals_hold_what_they_promise():
    rng = np.random.default_rng(1)
    file = rng.random(2000) < 0.3
    held = sum(
        low <= file.mean() <= high
        for low, high in (
            attacks.interval(rng.permutation(file)[:300].mean(), 300, 2000) for _ in range(1000)
        )
    )
    assert 930 <= held <= 970


def test_files_without_numbers_skip_what_takes_numbers():
    original, masked = (file[["town", "sex"]].assign(job=list("xyz") * 40) for file in survey())
    result = assess(original, masked, progress=False)
    assert attacks.MAHALANOBIS in result.findings.skipped
    assert any(line.startswith("Not tried: Mahalanobis") for line in result.summary())
    tried = {method.name for method in masking.METHODS if method.masks == "categories"}
    assert set(result.alternatives["method"]) == {THIS, *tried}
    assert {"PRAM theta", "rare categories p"} <= tried


@pytest.mark.parametrize("more", [0, 1])
def test_probabilities_are_estimated_of_as_many_columns_as_can_be(more):
    rng = np.random.default_rng(1)
    columns = [f"v{v}" for v in range(attacks.MAX_VARIABLES + more)]
    original = pd.DataFrame(rng.normal(size=(12, len(columns))), columns=columns)
    result = assess(original, original, alternatives=False, progress=False)
    assert (attacks.PROBABILISTIC in set(result.attacks["attack"])) == (not more)
    assert (attacks.PROBABILISTIC in result.findings.skipped) == bool(more)


def test_every_attack_is_named_as_it_begins(pair):
    told = []
    attacks.attack(pair, np.random.default_rng(1), told.append)
    assert set(told) > set(attacks.KNOWS) and len(told) == len(set(told)) <= attacks.STEPS


def test_every_step_is_named_and_counted(files, monkeypatch):
    announced, told = [], []

    class Recorded(assessment_module.Steps):
        def __init__(self, name, total, shown):
            announced.append(total)
            super().__init__(name, total, shown)

        def step(self, what):
            told.append(what)

    monkeypatch.setattr(assessment_module, "Steps", Recorded)
    result = assess(*files, progress=False)
    assert {attacks.LEARNING, "variable income", "Shapley values", "alternatives"} <= set(told)
    left_out = {*attacks.PREPARATIONS, *result.findings.skipped} - {*told}
    assert announced == [len(told) + len(left_out)]


def test_a_ridge_keeps_a_distance_that_unmasked_columns_would_break():
    original = datasets.load("census").iloc[:200, :3]
    masked = add_noise(original, [20, 20, 0], 1)
    with pytest.raises(ValueError, match="no variation"):
        link(original, masked, mahalanobis())
    # The third column tells, but for those who share their value of it.
    assert (
        reidentification_rate(original, masked, mahalanobis(ridge=1e-6))
        > 0.99
        > reidentification_rate(original, masked, dbrl1())
    )
    noisy = add_noise(original, 20, 1)
    pd.testing.assert_series_equal(
        link(original, noisy, mahalanobis())["nearest"],
        link(original, noisy, mahalanobis(ridge=1e-12))["nearest"],
    )
    with pytest.raises(ValueError, match="ridge"):
        mahalanobis(ridge=-1)


# What must hold of any pair.


def test_a_file_that_was_not_masked_is_found_whole():
    original, _ = survey(60)
    result = assess(original, original, progress=False)
    assert (
        result.risk == 1
        and result.unmasked == list(result.variables.index)
        and len(result.unmasked) == 5
    )
    assert result.information_loss["value"].iloc[0] == 0
    assert "100%" in result.summary()[0]


def test_a_file_with_nothing_left_is_found_by_chance():
    original, masked = survey(60)
    result = assess(
        original,
        masked.assign(age=1, income=1, debt=1, town="x", sex="x"),
        aligned=True,
        alternatives=False,
        progress=False,
    )
    assert result.risk == pytest.approx(1 / 60)
    assert set(result.variables["state"]) == {"suppressed"}


def test_the_order_of_the_records_changes_nothing(files):
    original, masked = files
    before = assess(original, masked, alternatives=False, progress=False)
    after = assess(
        original.sample(frac=1, random_state=3),
        masked.sample(frac=1, random_state=4),
        alternatives=False,
        progress=False,
    )
    keys = ["attack", "direction"]
    merged = before.attacks.merge(after.attacks, on=keys)
    untrained = merged["attack"] != attacks.LEARNED  # of many best weights one is chosen
    np.testing.assert_allclose(merged["correct_x"][untrained], merged["correct_y"][untrained])
    assert before.findings.learned.bound_ == after.findings.learned.bound_
    np.testing.assert_allclose(
        before.variables["alone"], after.variables["alone"].reindex(before.variables.index)
    )


def test_the_same_seed_gives_the_same_bytes(files, tmp_path):
    for name in ("first", "second"):
        assess(*files, progress=False).save(tmp_path / name)
    written = {path.name: path.read_bytes() for path in (tmp_path / "first").iterdir()}
    assert written == {path.name: path.read_bytes() for path in (tmp_path / "second").iterdir()}
    assert {
        "attacks.csv",
        "records.csv",
        "variables.csv",
        "alternatives.csv",
        "summary.txt",
    } <= set(written)


METHODS = {
    "noise": lambda file, seed: add_noise(file, 30, seed),
    "rank swapping": lambda file, seed: rank_swap(file, 15, seed),
    "microaggregation": lambda file, seed: microaggregate(file, 4),
    "pram": lambda file, seed: pram(file, 0.9, seed),
}


@settings(max_examples=8)
@given(st.integers(0, 10**6))
def test_nobody_tuned_for_this_pair_and_the_report_is_right_about_what_was_left_unmasked(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(50, 120))
    original = pd.DataFrame(
        {f"n{i}": rng.normal(size=n).cumsum() for i in range(rng.integers(1, 4))}
        | {
            f"c{i}": pd.Categorical(rng.choice(list("pqrst")[: rng.integers(2, 6)], n))
            for i in range(rng.integers(1, 4))
        }
    )
    masked, untouched = original.copy(), []
    for name in original:
        method = rng.choice(
            ["none", "noise", "rank swapping", "microaggregation"]
            if name[0] == "n"
            else ["none", "pram"]
        )
        if method != "none":
            masked[name] = METHODS[method](original[[name]], seed)[name]
        if (masked[name] == original[name]).all():
            untouched.append(name)
    result = assess(original, masked, alternatives=False, aligned=True, progress=False)
    assert sorted(result.unmasked) == sorted(untouched)
    told = [line for line in result.summary() if line.startswith("Left as they were")]
    assert bool(told) == bool(untouched) and all(name in told[0] for name in untouched)
    constant = original.nunique() < 2
    telling = [name for name in untouched if name[0] == "n" and not constant[name]]
    if telling:  # a number that stayed as it was finds everybody
        assert result.risk == 1 and (result.variables.loc[telling, "alone"] == 1).all()


# The variables.


def test_shapley_values_are_means_over_all_orders(pair):
    sample = pair.original.index[:40]
    values = shapley_values(pair, sample, None)

    def found(variables):
        if not variables:
            return 1 / len(sample)
        columns = [name for variable in variables for name in pair.columns[variable]]
        files = [file.loc[sample, columns] for file in (pair.original, pair.masked)]
        return reidentification_rate(
            *files, attacks.distance(pair, columns), "masked_to_original", "expected"
        )

    gains = dict.fromkeys(pair.used, 0.0)
    for order in itertools.permutations(pair.used):
        for place, variable in enumerate(order):
            before = [name for name in pair.used if name in order[:place]]
            upto = [name for name in pair.used if name in order[: place + 1]]
            gains[variable] += (found(upto) - found(before)) / math.factorial(len(order))
    np.testing.assert_allclose(values[pair.used], [gains[name] for name in pair.used], atol=1e-9)
    assert values.sum() == pytest.approx(found(pair.used) - 1 / len(sample))


def test_many_variables_have_shapley_values_by_drawn_orders_that_add_up(monkeypatch, pair):
    sample = pair.original.index[:40]
    exact = shapley_values(pair, sample, None)
    monkeypatch.setattr("rlpaper.risk.variables.MAX_EXACT_VARIABLES", 2)
    drawn = shapley_values(pair, sample, np.random.default_rng(1))
    assert drawn.sum() == pytest.approx(exact.sum())
    assert (drawn - exact).abs().max() < 0.1


def test_what_a_variable_finds_alone_is_linkage_by_it(assessment, pair):
    for variable in ("age", "debt"):
        columns = pair.columns[variable]
        files = pair.original[columns], pair.masked[columns]
        direct = max(
            reidentification_rate(*files, attacks.distance(pair, columns), way, "expected")
            for way in ("masked_to_original", "original_to_masked")
        )
        assert assessment.variables.loc[variable, "alone"] == pytest.approx(direct)
    assert pair.columns["debt"] == ["debt", "debt (missing)"]
    assert assessment.variables["weight"].sum() == pytest.approx(1)
    assert sorted(assessment.unmasked) == ["age", "town"]


# Attackers with less.


def test_who_knows_all_finds_what_linkage_finds(assessment, pair):
    row = assessment.subsets.iloc[0]
    assert row["share known"] == 1 and row["known"] == len(pair)
    distance = mixed(ordinal="usual")
    assert row["to nearest masked"] == pytest.approx(
        reidentification_rate(
            pair.original, pair.masked, distance, "original_to_masked", "expected"
        )
    )
    assert row["masked to nearest known"] == row["correct claims"]
    few = assessment.subsets.iloc[-1]
    assert few["correct claims"] == pytest.approx(
        few["masked to nearest known"] * few["known"] / few["masked records"]
    )


def test_a_short_list_grows_from_the_nearest_to_all(assessment, pair):
    table = assessment.shortlist.set_index("rank")
    distance = mixed(ordinal="usual")
    assert table.loc[1, "up to this rank"] == pytest.approx(
        reidentification_rate(
            pair.original, pair.masked, distance, "masked_to_original", "expected"
        )
    )
    place = ranks(pair.original, pair.masked, distance)
    assert table.loc[2, "up to this rank"] == pytest.approx(
        table.loc[1, "at this rank"] + table.loc[2, "at this rank"]
    )
    assert table["up to this rank"].is_monotonic_increasing
    np.testing.assert_allclose(table["by chance"], table.index / len(pair))
    certain = (place["nearer"] + place["tied"] <= 10).mean()
    assert certain <= table.loc[10, "up to this rank"] <= (place["nearer"] < 10).mean()


# Loss and alternatives.


def test_loss_of_numbers_and_categories_by_hand():
    size = pd.CategoricalDtype(["S", "M", "L"], ordered=True)
    original = pd.DataFrame(
        {
            "x": [0.0, 2.0],
            "c": pd.Categorical(["a", "b"], ["a", "b"]),
            "s": pd.Categorical(["S", "L"], dtype=size),
        }
    )
    masked = pd.DataFrame(
        {
            "x": [1.0, 2.0],
            "c": pd.Categorical(["b", "b"], ["a", "b"]),
            "s": pd.Categorical(["M", "L"], dtype=size),
        }
    )
    assert cell_loss(original, masked).to_dict() == pytest.approx(
        {"x": 0.5 / math.sqrt(2), "c": 0.5, "s": 0.25}
    )


def test_what_numbers_lost():
    original = datasets.load("census").iloc[:100, :4].astype(float)
    assert (il1s(original, original) == 0).all() and correlation_loss(original, original) == 0
    masked = add_noise(original, 40, 1)
    plain = [
        np.mean(np.abs(original[name] - masked[name])) / (math.sqrt(2) * original[name].std(ddof=0))
        for name in original
    ]
    np.testing.assert_allclose(il1s(original, masked), plain)
    assert (
        il1s(original.assign(AGI=1.0), masked)["AGI"] == 1
        and il1s(original.assign(AGI=1.0), masked.assign(AGI=1.0))["AGI"] == 0
    )
    shuffled = masked.sample(frac=1, random_state=1)
    pd.testing.assert_series_equal(il1s(original, shuffled), il1s(original, masked))


def test_every_measure_of_loss_is_zero_for_an_unmasked_file():
    original, _ = survey(60)
    pair = prepare(original, original)
    assert information_loss(pair.original, pair.masked)["value"].abs().max() < 1e-12
    assert set(information_loss(pair.original, pair.masked)["measure"]) == {
        "values moved",
        "means",
        "variances",
        "correlations",
        "contingency tables",
        "entropy",
    }


def test_the_map_has_the_file_at_hand_and_others_by_one_yardstick(assessment, pair):
    table = assessment.alternatives
    assert table["method"].iloc[0] == THIS and len(table) == 1 + count(pair)
    both = [
        reidentification_rate(pair.original, pair.masked, mixed(ordinal="usual"), way, "expected")
        for way in ("masked_to_original", "original_to_masked")
    ]
    assert table["risk"].iloc[0] == pytest.approx(max(both))
    assert table["loss"].iloc[0] == pytest.approx(cell_loss(pair.original, pair.masked).mean())
    assert (
        table["better"] == ((table["risk"] < table["risk"][0]) & (table["loss"] < table["loss"][0]))
    ).all()
    for _, part in table.iloc[1:].groupby("method"):
        assert part["loss"].is_monotonic_increasing  # stronger masking moves more
        assert part["risk"].iloc[-1] < part["risk"].iloc[0]


def test_what_has_less_risk_and_less_loss_than_the_file_at_hand_is_better():
    original, _ = survey(60)
    masked = original.assign(
        income=original["income"].sample(frac=1, random_state=1).to_numpy(),
        sex=original["sex"].iloc[::-1].to_numpy(),
    )
    masked["debt"] = original["income"] / 7  # age and income betray, and little is left
    table = alternatives(prepare(original, masked), np.random.default_rng(1), nothing)
    first, *others = table.itertuples()
    less = [other.risk < first.risk and other.loss < first.loss for other in others]
    assert table["better"].tolist() == [False, *less]
    assert len(set(less)) == 2 and sum(less) > 3  # also with more loss than the weakest of them


def test_large_files_are_masked_anew_in_part(monkeypatch, pair):
    monkeypatch.setattr("rlpaper.risk.alternatives.MAX_RECORDS", 50)
    table = alternatives(pair, np.random.default_rng(1), nothing)
    assert len(table) == 1 + count(pair) and table["risk"].between(0, 1).all()


# The list of measures.


def test_measures_have_names_and_streams_of_their_own(assessment):
    names = [measure.name for measure in MEASURES]
    assert len(names) == len(set(names)) and not set(names) & set(dir(Assessment))
    assert len({ATTACK_STREAM, *(measure.stream for measure in MEASURES)}) == len(MEASURES) + 1
    assert list(assessment.results) == names and set(names) <= set(dir(assessment))
    with pytest.raises(AttributeError, match="has no 'nonsense'"):
        _ = assessment.nonsense
    assert copy.copy(assessment).risk == assessment.risk


def test_every_measure_is_told_and_one_that_was_left_out_is_not(files):
    result = assess(*files, alternatives=False, progress=False)
    assert result.alternatives is None and "alternatives" not in result.tables()
    shown = {measure.name: (text, draw) for measure, text, draw, _ in parts(result)}
    assert list(shown) == [measure.name for measure in MEASURES]
    assert "None was tried" in shown["alternatives"][0] and shown["alternatives"][1] is None
    for measure in MEASURES[:-1]:
        told = [sentence(result) for sentence in measure.sentences]
        assert all(line is None or line in result.summary() for line in told)


# What is told.

SECRET = 918273.64


def test_no_value_or_label_of_the_original_is_told_unless_asked_for(tmp_path):
    original, masked = survey(60)
    original.loc[5, "income"] = SECRET
    original.index = masked.index = [f"Ms {number}" for number in range(1000, 1060)]
    result = assess(original, masked, progress=False)
    result.save(tmp_path / "plain")
    assert not {"label", "income"} & set(result.tables()["records"])
    text = (
        "".join(path.read_text() for path in (tmp_path / "plain").iterdir()) + result._repr_html_()
    )
    assert "918273" not in text and "Ms 1" not in text
    result.save(tmp_path / "asked", values=True)
    records = pd.read_csv(tmp_path / "asked/records.csv")
    assert (
        records.set_index("row").loc[6, "label"] == "Ms 1005"
        and abs(records.set_index("row").loc[6, "income"] - SECRET) < 10
    )


def test_values_that_are_asked_for_are_told_as_they_were(tmp_path):
    original, masked = survey(60)
    born = pd.Series(pd.date_range("1967-02-12", periods=60, freq="31h"))
    original["born"] = born.dt.strftime("%Y-%m-%d")
    original["moved in"] = born
    masked["born"] = original["born"].sample(frac=1, random_state=1).to_numpy()
    masked["moved in"] = born + pd.Timedelta(hours=5)
    original.loc[7, ["income", "born"]] = None
    result = assess(original, masked, alternatives=False, progress=False)
    result.save(tmp_path, values=True)
    records = pd.read_csv(tmp_path / "records.csv").set_index("row").sort_index()
    assert records["born"].fillna("").tolist() == original["born"].fillna("").tolist()
    assert records["moved in"].tolist() == original["moved in"].astype(str).tolist()
    np.testing.assert_allclose(records["income"], original["income"], rtol=1e-5)  # NaN is NaN
    assert not [name for name in records if "missing" in name]
    page = result.report(tmp_path / "report.html", values=True).read_text()
    assert "1967-0" in page and "income (missing)" not in page


def test_a_bound_of_a_sample_is_not_told_as_one_of_the_file(assessment):
    assert (
        assessment.bound == assessment.findings.learned.bound_ / 120
    )  # the whole file was learned from
    learned = SimpleNamespace(linked_=300, bound_=350, status_="gap")
    part = SimpleNamespace(
        pair=range(1000), findings=SimpleNamespace(learned=learned, sample=range(400), whole=None)
    )
    assert summary.bound(part).endswith(
        "this is a guide there and no proof."
    ) and "in a sample of 400 records" in summary.bound(part)
    assert Assessment.bound.fget(part) is None
    whole = SimpleNamespace(
        pair=range(1000), findings=SimpleNamespace(learned=None, sample=range(400), whole=learned)
    )
    told = summary.bound(whole)
    assert (
        "in this file (proved; the best found link 30%, which leaves 5% of all records open)"
        in told
        and "guide" not in told
    )
    assert Assessment.bound.fget(whole) == 0.35


@pytest.mark.parametrize("records, whole", [(2_000, True), (10_000, True), (10_001, False)])
def test_the_bound_of_a_file_of_few_columns_is_that_of_all_its_records(records, whole, monkeypatch):
    monkeypatch.setattr(attacks, "WHOLE_WORK_LIMIT", 3_000_000)
    census = datasets.load("census").iloc[:, :7].astype(float)
    census.attrs = {}
    original = add_noise(
        census.sample(records, replace=True, random_state=1, ignore_index=True), 5, 2
    )
    learned = attacks.learn_whole(prepare(original, add_noise(original, 16, 3)), nothing)
    assert (learned is not None) == whole
    if whole:
        assert learned.records_ == records and 0 < learned.linked_ <= learned.bound_ <= records
        if (
            records == 2_000
        ):  # so much is proved within the few rows looked at here; the whole limit proves more
            assert learned.bound_ - learned.linked_ <= 0.11 * records


def test_the_bound_of_a_wide_file_rests_on_a_sample():
    census = datasets.load("census").iloc[:600].astype(float)
    census.attrs = {}
    assessment = assess(census, microaggregate(census, 5), alternatives=False, progress=False)
    assert census.shape[1] == 13 and assessment.bound is None
    assert (
        "in a sample of 300 records" in assessment.summary()[1]
        and "no proof" in assessment.summary()[1]
    )
    (line,) = (line for line in assessment.summary() if line.startswith("Learned weights link"))
    table = assessment.new_records.set_index("records")
    for which in ("learned from", "new"):
        assert percent(table.loc[which, attacks.LEARNED]) in line


def test_the_summary_is_one_screen_of_plain_words(assessment):
    lines = assessment.summary()
    assert 8 <= len(lines) <= 16 and all(line.endswith(".") for line in lines)
    assert not any("nan" in line.split() for line in lines)
    assert all(line in repr(assessment) for line in lines)


@pytest.mark.parametrize(
    "share, text",
    [
        (0, "0%"),
        (1, "100%"),
        (0.5, "50%"),
        (0.1, "10%"),
        (0.0123, "1.2%"),
        (0.99999, "100%"),
        (0.995, "99.5%"),
    ],
)
def test_shares_are_said_as_people_say_them(share, text):
    assert percent(share) == text


@pytest.mark.parametrize(
    "example, rows, columns", [(examples.household_survey, 4580, 12), (examples.adult, 48842, 14)]
)
def test_the_worked_examples_are_the_whole_files(example, rows, columns):
    original, masked = example()
    assert original.shape == masked.shape == (rows, columns)
    states = prepare(original, masked).variables["state"]
    expected = {"age", "sex"} if rows == 4580 else set()
    assert set(states.index[states == "unmasked"]) == expected


def test_figures_are_labelled(assessment):
    drawn = [
        figures.attack_shares(assessment.attacks, 0.9),
        figures.variable_bars(assessment.variables),
        figures.found_by_attacks(assessment.records, assessment.tried),
        figures.fewer_known(assessment.subsets, assessment.shortlist),
        figures.risk_utility_map(assessment.alternatives),
    ]
    for figure in drawn:
        assert all(
            axis.get_xlabel() or axis.get_title() or axis.get_title(loc="left")
            for axis in figure.axes
        )
        plt.close(figure)


def test_a_measure_has_a_name_of_its_own():
    """Its table is an attribute of an assessment: no other measure and no attribute may hide it."""
    names = [measure.name for measure in MEASURES]
    assert len(set(names)) == len(names) and not set(names) & set(dir(Assessment))
