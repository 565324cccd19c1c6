"""The experiments of abril2012, and what the full run found."""

import numpy as np
import pandas as pd
import pytest

from conftest import ROOT
from rlpaper import datasets
from rlpaper.compendium import published
from rlpaper.compendium.readings import fit_of
from rlpaper.papers.abril2012 import claims, protocol, readings, runs, tables
from rlpaper.papers.abril2012.protocol import FILES, TABLES, Reading


@pytest.fixture(scope="module")
def scorecard():
    return pd.read_csv(ROOT / "figures" / "scorecard.csv").query("paper == 'abril2012'")


def test_files_are_those_that_the_paper_prints():
    for item in TABLES:
        printed = (
            published.cells("abril2012", item).query("judge == 'band'")["cell"].str.split().str[0]
        )
        assert set(FILES[item]) == set(printed) - {"Avg"}


@pytest.mark.parametrize(
    ("method", "parameter", "groups", "k"),
    [
        ("Mic2", 7, [2, 2, 2, 2, 2, 2, 1], [7] * 7),
        ("Mic553-2.8.5", None, [5, 5, 3], [2, 8, 5]),
        ("Mic2236-8.3.10.5", None, [2, 2, 3, 6], [8, 3, 10, 5]),
    ],
)
def test_microaggregated_files_by_their_printed_names(method, parameter, groups, k):
    census = datasets.load("census")
    masked = runs.mask(census, method, parameter, Reading(), None)
    for names, size in zip(np.split(census.columns, np.cumsum(groups)[:-1]), k, strict=True):
        assert masked[list(names)].value_counts().min() >= size


def test_groups_end_where_the_masked_variables_do():
    masked = runs.mask(
        datasets.load("census"), "Mic553-2.8.5", None, Reading(variables=7, standardise=False), None
    )
    assert masked.shape == (1080, 7)
    assert masked.iloc[:, 5:].value_counts().min() >= 8


def test_an_experiment_is_ten_samples_of_one_file_in_every_direction_and_treatment_of_ties():
    rows = runs.experiment(
        "Mic2",
        20,
        samples=10,
        test=True,
        sources=["own"],
        random_state=np.random.default_rng(1),
        **Reading().setting("direction", "ties", "moments"),
    )
    rates = pd.DataFrame(rows).set_index(["part", "direction", "ties"])
    assert len(rates) == 2 * 2 * 3
    # Means of ten shares of 400 and of 500 records.
    strict = rates.xs("strict", level="ties")["mean"]
    np.testing.assert_allclose(strict["train"] * 4000, (strict["train"] * 4000).round(), atol=1e-6)
    np.testing.assert_allclose(strict["test"] * 5000, (strict["test"] * 5000).round(), atol=1e-6)
    assert (strict["test"] < strict["train"]).all()  # more records to be mistaken for


def test_an_unknown_choice_is_refused():
    with pytest.raises(TypeError, match="colour"):
        Reading(colour="red")


# Quick tables against the committed full ones: other samples of the same experiment.


@pytest.mark.parametrize("item", [*TABLES, "prose"])
def test_the_quick_tables_agree_with_the_full_ones(item, built):
    quick, full = (
        pd.read_csv(folder / f"abril2012_{item}.csv")
        for folder in (built.root / "build/quick/figures", ROOT / "figures")
    )
    assert set(quick["cell"]) == set(full["cell"])
    # Claims have no number, and learned weights fewer samples.
    quick, full = (
        table[
            pd.to_numeric(table["value"], errors="coerce").notna()
            & ~table["cell"].str.contains("dwm2|improvement")
        ].astype({"value": float})
        for table in (quick, full)
    )
    ours, theirs = (
        quick.groupby("cell")["value"].agg(["mean", "size"]),
        full.groupby("cell")["value"].agg(["mean", "std"]),
    )
    error = theirs["std"] * np.sqrt(1 / ours["size"] + 1 / 100)
    assert ((ours["mean"] - theirs["mean"]).abs() <= 5 * error + 1e-9).all()


@pytest.mark.parametrize("item", ["table2", "table3", "table4", "table7", "table9"])
def test_quick_learned_weights_agree_with_the_full_ones(item, built):
    quick, full = (
        pd.read_csv(folder / f"abril2012_{item}.csv")
        .query("cell.str.endswith(' dwm2')")
        .groupby("cell")["value"]
        for folder in (built.root / "build/quick/figures", ROOT / "figures")
    )
    spread = full.std() * np.sqrt(
        protocol.SAMPLES / 2 + 1 / 5
    )  # two samples against five times ten
    assert ((quick.mean() - full.mean()).abs() <= 5 * spread + 0.5).all()


# Learned weights.


def test_learned_weights_are_at_least_as_good_as_equal_ones_and_proved():
    rows = pd.DataFrame(
        runs.learn(
            "Mic3",
            15,
            samples=2,
            test=True,
            random_state=np.random.default_rng(3),
            **Reading().setting("ties"),
        )
    )
    assert (rows["linked"] > rows["dbrl"]).all() and (rows["linked"] == rows["bound"]).all()
    np.testing.assert_allclose(rows[[f"V{v}" for v in range(1, 8)]].sum(axis=1), 1)
    assert (
        rows[["dbrl_test", "linked_test"]]
        .apply(lambda share: (share * protocol.TEST) % 1)
        .abs()
        .max()
        .max()
        < 1e-6
    )


def test_the_grid_has_177_settings_that_can_be_masked():
    assert len(protocol.GRID) == len(set(protocol.GRID)) == 177
    census = datasets.load("census").iloc[:100]
    for method in dict(protocol.GRID):
        masked = runs.mask(census, method, 3, Reading(), np.random.default_rng(1))
        assert masked.shape == census.shape and not masked.equals(census)


def test_individual_ranking_moves_values_less_than_clusters_of_all_variables():
    census = datasets.load("census")
    moved = [
        (runs.mask(census, method, 10, Reading(), None) - census).abs().mean() / census.std()
        for method in ("MicIR", "MicAll")
    ]
    assert (moved[0] < moved[1]).all()


def samples_of_table5(**changed):
    printed = {"V1": 0.9, "V2": 0.05, "V3": 0.02, "V4": 0.001, "V5": 0.002, "V6": 0.01, "V7": 0.003}
    return pd.DataFrame(
        [{"linked": 400, "bound": 400, "printed": 400, "equal": 400, **printed, **changed}] * 20
    )


def test_table_5_holds_when_weights_have_their_places_and_are_best_together():
    assert tables.table5(samples_of_table5())["holds"].tolist() == [True] * 7
    assert not tables.table5(samples_of_table5(printed=399))["holds"].any()
    # V1 becomes the last one: the next three move up, and the last three share their printed places
    # with each other.
    moved = tables.table5(samples_of_table5(V1=0.0)).set_index("cell")["holds"]
    assert moved.to_dict() == {
        "V1 weight": False,
        "V2 weight": False,
        "V3 weight": False,
        "V4 weight": True,
        "V5 weight": True,
        "V6 weight": False,
        "V7 weight": False,
    }


def test_the_least_protected_variable_is_told_by_the_group_with_the_least_k():
    weights = pd.DataFrame(
        [
            {"cell": f"{file} V{v}", "value": float(v == 4)}
            for file in protocol.NONUNIFORM
            for v in range(1, 8)
        ]
    )
    k = {
        file: [k for k, size in zip(ks, groups, strict=True) for _ in range(size)]
        for file, (groups, ks) in protocol.NONUNIFORM.items()
    }
    answers = claims.least_protected(weights)
    assert answers.to_dict() == {file: values[3] == min(values[:7]) for file, values in k.items()}
    assert answers.nunique() == 2


# What issue, paper and protocol ask of the full run.


def test_every_weighted_mean_is_proved_or_nearly():
    fits = pd.read_csv(ROOT / "figures" / "abril2012_figure2.csv")
    assert fits.groupby("direction").size().to_dict() == {
        "masked_to_original": 1770,
        "original_to_masked": 354,
    }
    gap = fits["bound"] - fits["linked"]
    assert gap.between(0, protocol.TRAIN / 100).all() and (gap == 0).mean() >= 0.95
    assert (fits["linked"] >= fits["dbrl"]).all()
    proofs = pd.read_csv(ROOT / "figures" / "abril2012_proofs.csv").set_index("table")
    assert list(proofs.index) == ["table2", "table3", "table4", "table7", "table9"]
    assert (proofs["largest_gap"] <= protocol.TRAIN / 100).all() and (
        proofs["proved"] >= 0.95 * proofs["fits"]
    ).all()


def test_learned_weights_of_tables_2_to_4_hold_up(scorecard):
    cells = scorecard[
        scorecard["item"].isin(["table2", "table3", "table4"])
        & scorecard["cell"].str.endswith(" dwm2")
    ]
    assert len(cells) == 36
    assert (cells["verdict"] == "match").mean() >= 0.85


def test_the_weights_of_table_8_are_near_or_explained(scorecard):
    far = tables.total_variation(pd.read_csv(ROOT / "figures" / "abril2012_table8.csv")) > 0.1
    cells = scorecard[scorecard["item"] == "table8"]
    for file in far.index[far]:
        own = cells[
            cells["cell"].str.startswith(f"{file} ") & cells["verdict"].isin(["near", "differs"])
        ]
        assert len(own) and (own["explanation"].str.len() > 0).all()


def test_training_bounds_the_test_on_uneven_files(scorecard):
    shares = (
        scorecard[scorecard["cell"].str.endswith(" dwm2")]
        .set_index(["item", "cell"])["reproduced"]
        .astype(float)
    )
    assert (shares["table7"] > shares["table9"]).all()


def test_standard_linkage_of_tables_2_to_4_holds_up(scorecard):
    cells = scorecard[
        scorecard["item"].isin(["table2", "table3", "table4"])
        & scorecard["cell"].str.endswith(" dbrl")
    ]
    assert len(cells) == 36
    assert (cells["verdict"] == "match").mean() >= 0.9
    assert "differs" not in set(cells["verdict"])


def test_standard_linkage_of_uneven_files_holds_up_by_half(scorecard):
    cells = scorecard[
        scorecard["item"].isin(["table7", "table9"]) & scorecard["cell"].str.endswith(" dbrl")
    ]
    assert len(cells) == 8
    assert (cells["verdict"] == "match").mean() >= 0.5
    assert (cells.loc[cells["verdict"] != "match", "explanation"].str.len() > 0).all()


def test_the_chosen_reading_is_no_worse_than_any_other():
    readings = fit_of(pd.read_csv(ROOT / "figures" / "abril2012_readings.csv"))
    matches = readings.pivot(index="reading", columns="table", values="match")
    for reading in matches.index.drop("chosen"):
        both = matches.loc[["chosen", reading]].dropna(axis=1)
        assert both.loc["chosen"].sum() >= both.loc[reading].sum(), reading


def test_every_other_reading_changes_one_choice():
    for item in TABLES:
        chosen, *others = protocol.readings_of(item).values()
        assert chosen == protocol.reading_of(item)
        for other in others:
            assert len(other.setting().items() - chosen.setting().items()) == 1
    assert set().union(*map(protocol.readings_of, TABLES)) == {"chosen", *protocol.READINGS}


def test_a_reading_is_the_setting_of_a_sweep_and_back():
    reading = Reading(order="alphabetical", variables=7)
    assert Reading(**reading.setting()) == reading
    assert reading.setting("ties").keys() == reading.setting().keys() - {"ties"}


# Claims on made-up results.


def made_up_fits(**changed):
    """Two settings: at medium risk four points are gained, and at none nothing."""
    medium = {"method": "Mic3", "parameter": 10, "dbrl": 184, "linked": 200, "work": 1000}
    easy = {"method": "Mic2", "parameter": 3, "dbrl": 400, "linked": 400, "work": 10}
    fits = pd.DataFrame([{**medium, **changed}, {**medium, "work": 990}, easy, {**easy, "work": 9}])
    return fits.assign(
        direction="masked_to_original",
        unlinked=400 - fits["linked"],
        improvement=(fits["linked"] - fits["dbrl"]) / 4,
    )


def test_claims_on_the_figures_follow_from_the_fits():
    judged = claims.of_figures(made_up_fits())
    assert judged["holds"].tolist() == [True] * 4
    assert judged["measured"].tolist() == [
        "4.0 at most",
        "4.0 against 0.0 points",
        "rank correlation 0.89",
        "1.0e+03 against 9.5e+00 rows",
    ]
    judged = claims.of_figures(made_up_fits(dbrl=160, work=0))
    assert judged["holds"].tolist() == [False, True, False, True]


def test_claims_on_improvements_are_the_largest_of_their_tables():
    beside = pd.DataFrame(
        [
            ("table2", "p=1", "dbrl", 98.0),
            ("table2", "p=1", "dwm2", 99.5),
            ("table4", "p=6", "dbrl", 90.0),
            ("table4", "p=6", "dwm2", 96.0),
            ("table7", "Mic553-2.8.5", "dbrl", 40.0),
            ("table7", "Mic553-2.8.5", "dwm2", 91.0),
            ("table9", "Mic553-2.8.5", "dbrl", 10.0),
            ("table9", "Mic553-2.8.5", "dwm2", 90.0),
        ],
        columns=["table", "row", "column", "reproduced"],
    )
    standard = pd.DataFrame({"cell": ["all"], "execution": [0], "value": [100.0]})
    prose = claims.prose(standard, beside)
    assert prose["value"].tolist() == [100, 6.0, 51.0]
    assert prose["holds"].tolist()[1:] == [False, True]


def test_the_weights_of_a_variable_fall_as_its_k_grows():
    k = claims._k_by_variable()
    weights = pd.DataFrame(
        [
            {"cell": f"{file} {v}", "value": 1 / k.loc[file, v] if v != "V7" else 1.0}
            for file in k.index
            for v in k.columns
        ]
    )
    answers = claims.weights_fall_with_k(weights)
    assert answers.index[answers].tolist() == [f"V{v}" for v in range(1, 7)]


def test_cells_beside_print_are_percentages_with_the_words_of_their_names():
    table2 = pd.DataFrame(
        {
            "cell": ["p=6 dbrl", "p=6 dbrl_sd", "Avg dbrl"],
            "execution": 0,
            "value": [87.5, 1.0, 95.0],
        }
    )
    beside = readings.percentages({"table2": table2})
    columns = ["table", "row", "column", "published", "reproduced"]
    assert beside[columns].to_numpy().tolist() == [["table2", "p=6", "dbrl", 88.0, 87.5]]
