"""What a privacy budget buys: evidence, prices, strategies, splits and the learned rule."""

import numpy as np
import pandas as pd
import pytest

from rlpaper.papers.li2019 import budget
from rlpaper.papers.li2019.simulated_reviewer import (
    Project,
    Reviewer,
    disclose,
    evidence,
    odds,
    spend,
)
from rlpaper.review.display import MODES, Comparison
from rlpaper.review.score import kapr

TYPES = {"name": "name", "birth date": "date", "state": "category"}
PEOPLE = pd.DataFrame(
    {
        "name": ["Mary", "Mark", "Mary", "Marie", None, "Peter", "Petra", "Pedro"],
        "birth date": [
            "1964-08-09",
            "1964-08-09",
            "1964-09-08",
            "1964-09-08",
            "1970-01-01",
            "1970-01-02",
            None,
            "1981-05-05",
        ],
        "state": ["wa", "wa", "nt", "nt", "wa", None, "wa", "qld"],
    }
)
PAIRS = [(0, 1), (0, 2), (2, 3), (4, 5), (5, 6), (6, 7), (0, 3)]
SAME = [False, True, True, False, True, False, False]


@pytest.fixture(scope="module")
def project():
    return Project(PEOPLE, PAIRS, TYPES)


@pytest.fixture(scope="module")
def reviewer(project):
    return Reviewer(project, range(len(PAIRS)), SAME)


def displays(project, reviewer, certainty, **limits):
    return [
        disclose(project, reviewer, number, certainty, **limits) for number in range(len(PAIRS))
    ]


# Evidence.


@pytest.mark.parametrize(
    "kind, one, other",
    [
        ("name", ("BAUER", "BAUERH"), ("MEYER", "MEYERS")),
        ("name", ("ANNA", "ANNE"), ("OTTO", "OTTI")),
        ("name", ("MARTHA", "MARHTA"), ("PETERS", "PETRES")),
        ("name", ("ANNA", "OTTILIE"), ("ROSWITHA", "KURT")),
        ("date", ("1964-08-09", "1964-08-01"), ("1990-12-12", "1990-12-13")),
        ("string", ("4011", "4012"), ("2776", "2779")),
        ("category", ("wa", "nt"), ("qld", "vic")),
        ("name", ("ANNA", "ANNA"), ("OTTILIE", "OTTILIE")),
    ],
)
def test_masked_evidence_does_not_depend_on_hidden_characters(kind, one, other):
    # Without counts: to look up a value would fail, and a masked display has none.
    first, second = (evidence(Comparison(*values, kind), "masked", {}) for values in (one, other))
    assert first == second and len(first) == 1


def test_partial_evidence_does_not_depend_on_characters_that_both_have():
    first, second = (
        evidence(Comparison(*values, "name"), "partial", {})
        for values in (("BAUER", "BAUAR"), ("SIMEM", "SIMAM"))
    )
    assert first == second
    shown = {
        evidence(Comparison("SIMEM", f"SIM{letter}M", "name"), "partial", {}) for letter in "AK"
    }
    assert len(shown) == 2


def test_full_evidence_tells_a_rare_value_from_a_common_one():
    cell = Comparison("ANNA", "ANNA", "name")
    items = [evidence(cell, "full", {"ANNA": count}) for count in (2, 3, 7, 8, 40)]
    assert items[1] == items[2] and len(set(items)) == 4
    assert evidence(cell, "full", {"ANNA": 2})[:2] == evidence(cell, "partial", {})


def test_every_mode_keeps_the_evidence_of_those_before_it(project):
    for pair in project.evidence:
        for cell in pair:
            masked, partial, full = (cell[mode] for mode in MODES)
            assert partial[: len(masked)] == masked and full[: len(partial)] == partial


# Prices.


@pytest.mark.parametrize("mode", MODES)
def test_the_mean_price_of_the_pairs_is_the_score_of_the_display(project, mode):
    mean = np.mean([project.price(number, (mode,) * len(TYPES)) for number in range(len(PAIRS))])
    assert mean == pytest.approx(float(kapr(PEOPLE, PAIRS, TYPES, mode)["K"].sum()), abs=1e-15)
    assert mode != "masked" or mean == 0


# Strategies.


def test_no_certainty_reveals_nothing_and_full_certainty_everything(project, reviewer):
    assert displays(project, reviewer, 0.5) == [("masked",) * 3] * len(PAIRS)
    for number, modes in enumerate(displays(project, reviewer, 1)):
        full = ("full",) * 3
        assert project.price(number, modes) == project.price(number, full)
        assert project.characters(number, modes) == project.characters(number, full)
        assert reviewer.score(project, number, modes) == reviewer.score(project, number, full)


def test_more_certainty_costs_more_and_never_more_than_full_disclosure(project, reviewer):
    prices = np.array(
        [
            [
                project.price(number, modes)
                for number, modes in enumerate(displays(project, reviewer, certainty))
            ]
            for certainty in (0.5, 0.7, 0.9, 0.99, 1)
        ]
    )
    full = [project.price(number, ("full",) * 3) for number in range(len(PAIRS))]
    assert (np.diff(prices, axis=0) >= 0).all() and (prices <= full).all()


def test_a_reviewer_stops_when_certain_enough(project, reviewer):
    for number, modes in enumerate(displays(project, reviewer, 0.8)):
        certain = abs(reviewer.score(project, number, modes)) >= odds(0.8)
        assert certain or project.price(number, modes) == project.price(number, ("full",) * 3)


@pytest.mark.parametrize("granted", [0, 0.01, 0.1, 0.3])
def test_the_budget_is_kept(project, reviewer, granted):
    chosen = spend(project, reviewer, range(len(PAIRS)), 1, granted)
    assert (
        np.mean([project.price(number, modes) for number, modes in enumerate(chosen)])
        <= granted + 1e-12
    )


def test_the_next_cell_is_chosen_without_its_hidden_value():
    # The two files differ in a hidden letter only, which costs the same; the first step must be the
    # same.
    def first_step(letter):
        people = pd.DataFrame(
            {
                "name": ["ANNA", f"ANN{letter}", "OTTO", "OTTI"],
                "birth date": ["1964-08-09"] * 3 + ["1964-08-01"],
            }
        )
        project = Project(people, [(0, 1), (2, 3)], {"name": "name", "birth date": "date"})
        reviewer = Reviewer(project, [1], [True])
        limits = sorted(
            {
                project.price(0, modes)
                for modes in (("partial", "masked"), ("full", "masked"), ("masked", "full"))
            }
        )
        return disclose(project, reviewer, 0, 1, limits[0]), limits

    assert first_step("E") == first_step("K")
    assert first_step("E")[0] != ("masked", "masked")


# The learned rule.


def test_the_rule_learned_on_a_toy_separates():
    people = pd.DataFrame(
        {
            "name": [f"{letter}{letter}NA" for letter in "ABCDEFGH"] * 2,
            "town": ["york"] * 8 + ["york", "bath"] * 4,
        }
    )
    pairs = [(i, i + 8) for i in range(8)] + [(i, (i + 1) % 8) for i in range(8)]
    project = Project(people, pairs, {"name": "string", "town": "category"})
    same = np.array([True] * 8 + [False] * 8)
    learned = [number for number in range(16) if number % 4]
    rule = Reviewer(project, learned, same[learned])
    for number in range(16):
        assert (rule.score(project, number, ("masked", "masked")) > 0) == same[number]


def test_what_was_never_seen_says_nothing(project, reviewer):
    assert reviewer.adds(0, (((), ("unheard of",)),)) == 0
    assert reviewer.expected_change(0, {"masked": "unheard of"}, "masked", "full") == 0


# The study.


@pytest.mark.parametrize("name", budget.ATTRIBUTE_TYPES)
def test_no_person_is_in_both_halves(name):
    learned, judged = budget.halves(name, np.random.default_rng(3))
    pairs, person = budget.candidates(name), budget.persons(name)[1]
    either = [
        set(person[pairs.loc[numbers, ["first", "second"]].to_numpy().ravel()])
        for numbers in (learned, judged)
    ]
    assert min(map(len, either)) > 50 and not either[0] & either[1]
    # No pair of one person is lost.
    assert pairs["same"][learned + judged].sum() == pairs["same"].sum()


@pytest.mark.parametrize("name, same", [("rldata500", 50), ("febrl_dataset1", 392)])
def test_candidates_agree_on_something_and_not_on_all(name, same):
    pairs, (records, _) = budget.candidates(name), budget.persons(name)
    first, second = (
        records.iloc[pairs[side]].reset_index(drop=True) for side in ("first", "second")
    )
    equal = (first == second) & first.notna()
    assert equal.drop(columns="state", errors="ignore").any(axis=1).all()
    assert not (equal | first.isna() & second.isna()).all(axis=1).any()
    assert len(pairs) == budget.MAX_PAIRS and pairs["same"].sum() == same


def test_the_same_seed_gives_the_same_answers_and_full_disclosure_the_score_of_its_pairs():
    one, two = (
        pd.DataFrame(budget.review("rldata500", np.random.default_rng(5))) for _ in range(2)
    )
    pd.testing.assert_frame_equal(one, two)
    of = one.set_index(["strategy", "setting"])["KAPR"]
    assert of["masked"].item() == 0 and of["always different"].item() == 0
    assert of["incremental"].iloc[0] == 0 and of["incremental"].max() <= of["full"].item() <= 1
    assert (of["budget"] <= of["budget"].index.to_numpy() + 1e-12).all()
    judged = budget.halves("rldata500", np.random.default_rng(5))[1]
    pairs = budget.candidates("rldata500").loc[judged, ["first", "second"]].to_numpy().tolist()
    score = kapr(
        budget.persons("rldata500")[0], pairs, budget.ATTRIBUTE_TYPES["rldata500"], "full"
    )["K"].sum()
    assert of["full"].item() == pytest.approx(float(score))


def test_the_recommended_budget_is_the_smallest_that_is_good_enough():
    rows = [
        ("full", None, 1.0, 0.95),
        ("incremental", 0.5, 0.0, 0.90),
        ("incremental", 0.9, 0.1, 0.94),
        ("incremental", 0.99, 0.3, 0.96),
    ]
    means = pd.DataFrame(rows, columns=["strategy", "setting", "KAPR", "accuracy"]).assign(
        dataset="toy", characters=0.5, F1=0.5, **{"se accuracy": 0.02}
    )
    assert budget.recommended(means)["KAPR"].tolist() == [0.1, 0.3]
    assert budget.recommended(means[means["strategy"] == "full"])["KAPR"].tolist() == [1.0, 1.0]


def test_standard_errors_do_not_vanish_with_the_number_of_splits():
    table = pd.DataFrame(
        {
            "dataset": "toy",
            "strategy": "full",
            "setting": np.nan,
            "execution": range(400),
            "accuracy": [0.9, 1.0] * 200,
            "accuracy, hard pairs": 0.5,
        }
    )
    assert budget.summary(table)["se accuracy"].item() == pytest.approx(0.05, rel=0.01)
