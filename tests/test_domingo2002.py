"""domingo2002: the study, its counts and claims, and the user's own survey up to the last table."""

import itertools
import shutil

import numpy as np
import pandas as pd
import pytest

from conftest import ROOT
from rlpaper import datasets
from rlpaper.compendium import paths, published, results, scorecard, sweep
from rlpaper.datasets import ahs
from rlpaper.linkage.fellegi_sunter import FellegiSunter
from rlpaper.masking import transitions
from rlpaper.papers.domingo2002 import beyond, claims, implied, protocol, runs, tables

# Files and masking.


@pytest.mark.parametrize("dataset", protocol.FILES)
def test_groups_are_made_as_in_table_2(dataset):
    file, reference = protocol.files(dataset)
    groups = protocol.variables(dataset, file)
    sizes = {name: len(file[name].cat.categories) for name in file}
    assert (
        len(file) == 1000
        and len(reference) > 1000
        and list(file.columns) == list(reference.columns)
    )
    assert not file.isna().any(axis=None) and len(sizes) == 10
    assert [len(groups[group]) for group in "sml"] == [4, 3, 3] and set(groups["u"]) == {
        *groups["m"],
        *groups["l"],
    }
    for smaller, larger in (("s", "m"), ("m", "l")):
        assert max(sizes[name] for name in groups[smaller]) <= min(
            sizes[name] for name in groups[larger]
        )
    assert groups["o"] == [name for name in file if file[name].cat.ordered] or dataset == "ahs"
    assert all(file[name].cat.ordered for name in groups["o"])


def test_the_replications_have_the_variables_that_they_should():
    income, _ = protocol.files("income_esl")
    assert sum(income[name].cat.ordered for name in income) == 6
    assert {len(income[name].cat.categories) for name in income} <= set(range(3, 11))
    adult, reference = protocol.files("adult")
    sizes = pd.concat([adult, reference]).nunique()
    assert sizes[
        [
            "native-country",
            "education",
            "occupation",
            "workclass",
            "marital-status",
            "relationship",
            "race",
        ]
    ].tolist() == [
        41,
        16,
        14,
        7,
        7,
        6,
        5,
    ]  # those who never worked have no occupation, so are not complete
    order = adult["education"].cat.categories.tolist()
    assert order.index("Bachelors") < order.index("Prof-school") < order.index("Doctorate")


def test_adults_classes_hold_what_they_say():
    raw = datasets.load("adult")
    binned = protocol._adult()
    for column in protocol.BINS:
        for name, part in raw[column].groupby(binned[column], observed=True):
            low, _, high = str(name).partition(" to ")
            if high:
                assert int(low) <= part.min() and part.max() <= int(high)
            else:
                assert int(str(name).removesuffix(" or more")) <= part.min()
        assert binned[column].notna().all() and binned[column].cat.ordered


@pytest.mark.parametrize("method", protocol.METHODS)
def test_the_links_and_the_losses_are_of_the_same_masked_file(method):
    file, _ = protocol.files("income_esl")
    setting = {"dataset": "income_esl", "method": method, "p": 5, "scope": "all"}
    first, second = (
        runs.mask(file, method, 5, "all", sweep.generator(function, 1, setting, 0))
        for function in (runs.links, runs.loss)
    )
    assert first.equals(second)
    other = runs.mask(file, method, 5, "all", sweep.generator(runs.links, 2, setting, 1))
    assert first.equals(other) == (method != "pram")


def test_bottom_coding_and_global_recoding_end_with_the_same_file_if_all_variables_are_coded():
    file, _ = protocol.files("income_esl")
    file = file[protocol.variables("income_esl", file)["s"]]
    one = runs.mask(file, "global", 9)
    assert one.nunique().max() == 1
    assert runs.mask(file, "bottom", 9).astype(str).equals(one.astype(str))
    assert runs.mask(file, "bottom", 9, scope="ordinal").nunique().max() > 1


# Counts.


def test_counts_by_the_same_values_on_a_small_file():
    # Two kinds of originals, aab; masked, all alike. The nearest, first in the file, is an a: both
    # a's have its values.
    dtype = pd.CategoricalDtype(["a", "b", "recoded"])
    original = pd.DataFrame({"x": list("aab")}, dtype=dtype)
    masked = pd.DataFrame({"x": ["recoded"] * 3}, dtype=dtype)
    masked.attrs["masking"] = [
        {"transitions": {"x": {"a": {"recoded": 1.0}, "b": {"recoded": 1.0}}}}
    ]
    counts = {
        (row["linkage"], row["direction"], row["rank"], row["ties"]): row["correct"]
        for row in runs._linked(original, masked, transitions(masked))
    }
    assert counts["DBRL", "masked_to_original", 1, "same values"] == 2
    assert (
        counts["DBRL", "masked_to_original", 1, "lenient"] == 3
        and counts["DBRL", "masked_to_original", 1, "strict"] == 0
    )
    assert (
        counts["DBRL", "masked_to_original", 1, "expected"]
        == pytest.approx(1)
        == counts["DBRL", "masked_to_original", 2, "expected"]
    )
    # One to one at random, an a goes to one of two a's of three: 2 * 2/3 + 1/3.
    assert counts["PRL one to one", "", 1, "same values"] == pytest.approx(5 / 3)
    assert counts["PRL one to one", "", 1, "expected"] == pytest.approx(1)


def test_one_to_one_counts_are_means_over_the_orders_of_equal_masked_records():
    rng = np.random.default_rng(3)
    dtype = pd.CategoricalDtype(list("abc"))
    original = pd.DataFrame(
        {
            "x": pd.Categorical(rng.choice(list("abc"), 5), dtype=dtype),
            "y": pd.Categorical(rng.choice(list("ab"), 5), dtype=dtype),
        }
    )
    masked = original.assign(x=pd.Categorical(["a"] * 5, dtype=dtype))
    model = FellegiSunter().fit(original, masked)
    kind, masked_kind = (
        file.groupby(["x", "y"], observed=True, sort=False).ngroup() for file in (original, masked)
    )
    counts = runs._assigned(model, original, masked, kind, masked_kind)
    pairs = model.link_one_to_one(original, masked)
    hits = []
    for order in itertools.permutations(range(5)):
        # Equal masked records change places; whoever is linked to one is linked to any with the
        # same chance.
        if (masked.iloc[list(order)].to_numpy() == masked.to_numpy()).all():
            hits.append(
                sum(kind[who] == kind[order[partner]] for who, partner in pairs["partner"].items())
            )
    assert counts["PRL one to one", "", 1, "same values"] == pytest.approx(np.mean(hits))


def test_the_order_of_the_records_makes_correct_links_of_none():
    found = runs.record_order(["income_esl"], 1, [9]).iloc[0]
    # All masked records are alike: chance gives one correct link, the file's order gives all.
    assert found["same order"] == 1000 and found["shuffled"] < 10
    assert found["same order, expected"] == pytest.approx(1) == found["shuffled, expected"]


@pytest.fixture(scope="module")
def study():
    """One strength of every method on one real file, computed here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RLPAPER_WORKERS", "1")
        rows = [
            {**setting, "execution": 0, **row}
            for setting in (
                {"dataset": "income_esl", "method": method, "p": 4, "scope": "all"}
                for method in protocol.METHODS
            )
            for row in runs.links(
                **setting, random_state=sweep.generator(runs.links, 1, setting, 0)
            )
        ]
    return runs.marked(pd.DataFrame(rows))


def test_the_aware_distance_leaves_pram_unchanged_and_finds_more_elsewhere(study):
    for ties, direction in itertools.product(
        ("strict", "lenient", "expected"), ("masked_to_original", "original_to_masked")
    ):
        plain, aware = (
            tables.counted(study, name, ties, direction) for name in ("DBRL", "DBRL aware")
        )
        pd.testing.assert_series_equal(
            plain.xs("pram", level="method"), aware.xs("pram", level="method")
        )
        assert (aware >= plain - 1e-9).all()
    gain = tables.counted(study, "DBRL aware", "expected") - tables.counted(
        study, "DBRL", "expected"
    )
    assert gain.drop("pram", level="method").mean() > 10


def test_originals_become_one_masked_record_only_so_an_aware_attacker_ties_with_all_of_them(study):
    found = tables.counted(study, "DBRL aware", "lenient", "original_to_masked")
    assert (found.drop("pram", level="method") == 1000).all() and (
        found.xs("pram", level="method") < 1000
    ).all()


def test_likelihoods_find_more_than_any_other_way_under_pram(study):
    best = tables.counted(study, "likelihood ratio", "expected").xs("pram", level="method").mean()
    for name in ("DBRL", "PRL", "DBRL and PRL", "DBRL aware"):
        assert best > tables.counted(study, name, "expected").xs("pram", level="method").mean()


def test_both_and_either_bound_the_two_methods(study):
    for ties in ("strict", "lenient", "expected"):
        both, either, first, second = (
            tables.counted(study, name, ties) for name in ("both", "either", "DBRL", "PRL")
        )
        assert (both <= np.minimum(first, second) + 1e-9).all() and (
            either >= np.maximum(first, second) - 1e-9
        ).all()
        np.testing.assert_allclose(both + either, first + second)


def test_fewer_links_are_kept_by_higher_thresholds(study):
    counts = [
        tables.counted(study, name, "expected")
        for name in ("PRL linked", "PRL linked or clerical", "PRL one to one")
    ]
    assert (counts[0] <= counts[1] + 1e-9).all() and (counts[1] <= counts[2] + 1e-9).all()


# What the print implies.


def test_conclusions_from_the_printed_tables_alone():
    follows = implied.implied().set_index("where")["what follows"]
    assert (
        "574.8" in follows["group s and the other groups, PRL"]
        and "641.3" in follows["group s and the other groups, DBRL"]
    )
    assert (
        "+93.9 each" in follows["aware distance"]
        and "750 on average" in follows["aware distance, direction"]
    )


# The user's own survey.


@pytest.fixture
def own_survey(tmp_path, monkeypatch):
    """1200 made-up records in the survey's format, where the loader looks for it."""
    rng = np.random.default_rng(7)
    rows = []
    for _ in range(1200):
        place = rng.random()
        codes = {
            name: str(1 + int((0.6 * place + 0.4 * rng.random()) * (size - 2)))
            for name, size in ahs.CATEGORIES.items()
        }
        codes |= {
            name: code
            for name, code in (("SCH", "B"), ("WHYMOVE", "-9"), ("TRAN1", ""))
            if rng.random() < 0.1
        }
        rows.append(["'0100'", *(f"'{codes[name]}'" for name in ahs.CATEGORIES)])
    data = tmp_path / "data"
    shutil.copytree(ROOT / "data", data, ignore=shutil.ignore_patterns("local"))
    (data / "local").mkdir()
    lines = [",".join(["CONTROL", *ahs.CATEGORIES]), *(",".join(row) for row in rows)]
    (data / "local" / "ahs1993.csv").write_text("\n".join(lines) + "\n")
    monkeypatch.setenv("RLPAPER_DATA", str(data))
    monkeypatch.setattr(paths, "checkout", lambda: tmp_path)  # kept calls go there
    monkeypatch.setenv("RLPAPER_WORKERS", "1")
    return tmp_path


def test_the_users_own_survey_goes_from_the_loader_to_the_last_table(own_survey):
    file, reference = protocol.files("ahs")
    assert (
        protocol.data_of("ahs") == ahs.ORIGINAL
        and len(reference) == 200
        and "blank" in set(file["TRAN1"])
    )
    parameters = [9]
    study = runs.study(["ahs"], 1, 1, parameters)
    losses = runs.losses(["ahs"], 1, 1, parameters)
    made = {
        "table3": tables.printed_table(study, "PRL"),
        "table4": tables.printed_table(study, "DBRL"),
        "table5": tables.table5(tables.correlations(study, losses)),
        "prose": tables.averages(study),
    }
    for item, table in made.items():
        results.save_table(table, "domingo2002", item, own_survey)
    rates = runs.by_value(["ahs"], 1, parameters)
    results.save_table(claims.claims(study, losses, rates), "domingo2002", "claims", own_survey)
    card = (
        scorecard.scorecard(own_survey).query("paper == 'domingo2002'").set_index(["item", "cell"])
    )
    # Numbers of one's own survey are judged like any others.
    for item, cell in (
        ("table3", "p=9 bottom"),
        ("table4", "p=9 pram"),
        ("table5", "ILMF dbrl"),
        ("prose", "mean of 1000, PRL"),
        ("claims", "an aware distance finds more, ahs"),
    ):
        assert card.loc[(item, cell), "verdict"] in ("match", "near", "differs")
        assert card.loc[(item, cell), "reproduced"] != ""
    learned = beyond.learn("ahs", "pram", 5, "s", 1_000_000, np.random.default_rng(1))
    assert learned["equal"] <= learned["learned"] <= learned["bound"]


def test_a_survey_of_too_few_records_is_refused(own_survey):
    path = own_survey / "data" / "local" / "ahs1993.csv"
    path.write_text("\n".join(path.read_text().splitlines()[:1000]) + "\n")
    with pytest.raises(
        ValueError, match="ahs has 999 complete records; the study masks the first 1000"
    ):
        protocol.files("ahs")


# The surrogate.


def test_every_table_that_is_made_from_the_surrogate_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "checkout", lambda: tmp_path)
    monkeypatch.setenv("RLPAPER_WORKERS", "1")
    parameters = [1, 9]
    study = runs.study(["ahs"], 1, 1, parameters)
    losses = runs.losses(["ahs"], 1, 1, parameters)
    rates = runs.by_value(["ahs"], 1, parameters)
    correlations = tables.correlations(study, losses)
    variables = tables.variable_table().query("dataset == 'ahs'")
    made = {
        "runs.study": study,
        "runs.losses": losses,
        "runs.by_value": rates,
        "runs.record_order": runs.record_order(["ahs"], 1, [9]),
        "tables.variable_table": variables,
        "tables.table2": tables.table2(variables),
        "tables.distinct": tables.distinct().query("dataset == 'ahs'"),
        "tables.counted": tables.counted(study, "DBRL", "expected").reset_index(),
        "tables.printed_table": tables.printed_table(study, "PRL"),
        "tables.against_print": tables.against_print(study),
        "tables.averages": tables.averages(study),
        "tables.mean_by_group": tables.mean_by_group(study).reset_index(),
        "tables.links_and_loss": tables.links_and_loss(study, losses, "ILMF"),
        "tables.correlations": correlations,
        "tables.table5": tables.table5(correlations),
        "tables.correlation_readings": tables.correlation_readings(study, losses).query(
            "dataset == 'ahs'"
        ),
        "claims.protection": claims.protection(rates),
        "claims.mean_protection": claims.mean_protection(rates),
        "implied.scopes_against_print": implied.scopes_against_print(study, study),
        "implied.counting_checks": implied.counting_checks(study, study).query("dataset == 'ahs'"),
        "beyond.means": beyond.means(study),
    }
    for name, table in made.items():
        assert len(table) and set(table["data"]) == {ahs.SURROGATE}, name
    # Claims are tried on any file; their words say what it was.
    judged = claims.claims(study, losses, rates)
    assert judged["value"].str.endswith(f"({ahs.SURROGATE})").all()
    last = claims.design(correlations).iloc[-1]
    assert last["cell"] == "all correlations" and last["value"].endswith(f"({ahs.SURROGATE})")


def test_files_of_the_replications_are_no_surrogates():
    assert [protocol.data_of(dataset) for dataset in protocol.FILES[1:]] == ["", ""]


# What stands in figures/, and what the quick profile leaves.


def committed(item):
    return pd.read_csv(ROOT / "figures" / f"domingo2002_{item}.csv", keep_default_na=False)


def test_numbers_of_the_surrogate_say_so_and_claims_are_judged_on_three_files():
    card = scorecard.scorecard(ROOT / "figures").query("paper == 'domingo2002'")
    assert set(card.query("item in ['table3', 'table4', 'table5', 'prose']")["verdict"]) == {
        "not comparable"
    }
    for item in ("table3", "table4", "table5", "prose"):
        assert set(committed(item)["data"]) == {results.SURROGATE}
    for item in (
        "tables3_4",
        "correlations",
        "scopes",
        "loss",
        "protection",
        "attackers",
        "learned",
    ):
        table = committed(item)
        assert ((table["data"] == results.SURROGATE) == (table["dataset"] == "ahs")).all()
    judged = card[card["item"] == "claims"]
    assert len(judged) == 27 and set(judged["verdict"]) == {"match", "differs"}


def test_the_study_has_the_papers_360_experiments_on_every_file():
    counts = committed("counts")
    assert {"strict", "lenient", "expected", "same values", "file order"} == set(counts["ties"])
    assert {"masked_to_original", "original_to_masked", ""} == set(counts["direction"]) and {
        1,
        2,
    } == set(counts["rank"])
    table = committed("table4")
    assert table.groupby("cell").ngroups == 36 == len(published.cells("domingo2002", "table4"))


def test_the_quick_tables_are_those_of_the_full_ones_where_nothing_is_random(built):
    for item in ("table3", "table4"):
        quick = pd.read_csv(built.root / "build/quick/figures" / f"domingo2002_{item}.csv")
        full = committed(item)
        both = quick[~quick["cell"].str.endswith("pram")].merge(
            full[full["execution"] == 0], on="cell"
        )
        assert len(both) == 6
        np.testing.assert_allclose(both["value_x"], both["value_y"].astype(float), rtol=1e-9)


def test_transitions_of_a_group_are_those_of_its_columns():
    file, _ = protocol.files("income_esl")
    masked = runs.mask(file, "global", 3)
    names = protocol.variables("income_esl", file)["s"]
    assert list(transitions(masked[names])) == names
