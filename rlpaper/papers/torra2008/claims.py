"""The running text of torra2008: maxima, best averages, baselines, and its claims judged."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from ...compendium import published
from ...linkage.chance import links_by_chance_at_least
from .protocol import POOR, PRINTED, RECORDS, STUDY


def prose(study: pd.DataFrame, baselines: pd.DataFrame) -> pd.DataFrame:
    """List all numbers and claims of the running text, one row per whole study."""
    chances = pd.DataFrame(
        [
            (f"probability of {r} or more by chance", float(links_by_chance_at_least(RECORDS, r)))
            for r in (26, 28)
        ],
        columns=["cell", "value"],
    )
    return pd.concat(
        [chances, _extremes(study), _rankings(baselines), claims(study)], ignore_index=True
    )


def _rankings(baselines: pd.DataFrame) -> pd.DataFrame:
    """Judge the baselines, single runs in print, by the middle 95 percent of our runs."""
    printed = published.cells("torra2008", "prose").set_index("cell")["published"]
    rows = []
    for score, name in (
        ("component", "first principal component"),
        ("z-scores", "sum of z-scores"),
    ):
        cell = f"census {name} ranking"
        correct = baselines.loc[baselines["score"] == score, "correct"]
        low, high = correct.quantile([0.025, 0.975])
        words = (
            f"{correct.mean():.1f} on average, {low:.0f} to {high:.0f} in 95 percent of the runs"
        )
        rows.append((cell, words, bool(low <= float(printed[cell]) <= high)))
    return pd.DataFrame(rows, columns=["cell", "value", "holds"])


def _whole_studies(study: pd.DataFrame) -> pd.DataFrame:
    """Put the executions together in tens, each one study as the paper made it."""
    return study[study["linkage"].isin(["DBRL", "PRL"])].assign(study=study["execution"] // STUDY)


def _extremes(study: pd.DataFrame) -> pd.DataFrame:
    whole = _whole_studies(study)
    rows = []
    for (dataset, _), part in whole.groupby(["dataset", "study"], sort=False):
        best = part.groupby(["normalisation", "column", "linkage"])["correct"].mean().max()
        name = dataset.replace("_", " ")
        rows += [(f"{name} maximum", part["correct"].max()), (f"{name} best average", best)]
    table = pd.DataFrame(rows, columns=["cell", "value"])
    return table[table["cell"].isin(published.cells("torra2008", "prose")["cell"])]


def best_averages(study: pd.DataFrame) -> pd.DataFrame:
    """Find the best average of each data set, and its normalisation, operator and linkage."""
    mean = (
        _whole_studies(study)
        .groupby(["dataset", "normalisation", "column", "linkage"], sort=False)["correct"]
        .mean()
        .reset_index()
    )
    return mean.loc[mean.groupby("dataset", sort=False)["correct"].idxmax()].reset_index(drop=True)


#: What the paper says is better, as pairs of selections of the cells of its tables.
COMPARISONS = {
    "Choquet integral more successful than Sugeno integral": [
        ({"integral": "OWA"}, {"integral": "SI"})
    ],
    "Qt better than Qe and Qs": [
        ({"family": "Qt"}, {"family": "Qe"}),
        ({"family": "Qt"}, {"family": "Qs"}),
    ],
    "distance-based linkage more suitable than probabilistic": [
        ({"linkage": "DBRL"}, {"linkage": "PRL"})
    ],
    "standardisation preferable over ranging": [({"normalisation": "N2"}, {"normalisation": "N1"})],
}


def comparisons(study: pd.DataFrame) -> pd.DataFrame:
    """Repeat each comparison of the paper over the cells of its tables, ours and the printed ones.

    Parameters
    ----------
    study : DataFrame
        As `runs.study` gives it. Of its linkages, those that the paper prints are compared, DBRL,
        PRL or both.

    Returns
    -------
    DataFrame
        One row per comparison and source: how many pairs of cells there are, in how many the first
        is better, their mean difference and (ours) its standard error over the executions, which
        have their samples in common.
    """
    cells = ["dataset", "normalisation", "linkage", "integral", "family"]
    ours = _whole_studies(study)
    ours = ours[ours["dataset"].isin(PRINTED)]
    printed = published.table("torra2008_table5_8_reidentified").melt(
        cells[:3], var_name="column", value_name="correct"
    )
    printed = printed[printed["linkage"].isin(ours["linkage"])].assign(execution=0)
    tables = {}
    for source, table in (("reproduced", ours), ("printed", printed)):
        names = table["column"].str.split("_", expand=True)
        tables[source] = table.assign(integral=names[0], family=names[1]).pivot_table(
            index=cells, columns="execution", values="correct"
        )
    rows = []
    for claim, pairs in COMPARISONS.items():
        for first, second in pairs:
            (level, best), (_, other) = *first.items(), *second.items()
            for source, table in tables.items():
                if not {best, other} <= set(table.index.get_level_values(level)):
                    continue
                difference = table.xs(best, level=level) - table.xs(other, level=level)
                mean = difference.mean()
                rows.append(
                    {
                        "claim": claim,
                        "first": best,
                        "second": other,
                        "source": source,
                        "pairs": len(difference),
                        "better": int((difference.mean(axis=1) > 0).sum()),
                        "difference": mean.mean(),
                        "se": mean.std(ddof=1) / np.sqrt(len(mean)) if len(mean) > 1 else np.nan,
                    }
                )
    return pd.DataFrame(rows)


def with_a_floor(study: pd.DataFrame) -> pd.DataFrame:
    """Compare DBRL with PRL once more, the latter with a floor of probabilities."""
    chosen = study[study["linkage"].isin(["DBRL", "PRL with a floor"])]
    compared = comparisons(chosen.replace({"linkage": {"PRL with a floor": "PRL"}}))
    return compared.query("first == 'DBRL' and source == 'reproduced'")


def claims(study: pd.DataFrame) -> pd.DataFrame:
    """Judge the claims of the text: what was measured, and whether the claim holds.

    A comparison holds where its mean difference is above 2 standard errors; "at least ten percent"
    where every file that is not poor has a best average of 10 or more.
    """
    best = best_averages(study).set_index("dataset")["correct"]
    rich = best.drop(list(POOR), errors="ignore")
    whole = _whole_studies(study)
    water = whole[whole["dataset"] == "water_treatment"]
    water = water.groupby(["normalisation", "column", "linkage"])["correct"].mean()
    rows = [
        *_compared(study),
        (
            "at least ten percent re-identified except in the poor files",
            ", ".join(f"{name.replace('_', ' ')} {value:.1f}" for name, value in rich.items()),
            bool((rich >= 10).all()),
        ),
        (
            "average re-identification",
            f"best averages {rich.min():.1f} to {rich.max():.1f}, mean {rich.mean():.1f}",
            bool(10 <= rich.mean() <= 20),
        ),
        (
            "water treatment re-identifications",
            f"averages {water.min():.1f} to {water.max():.1f}, median {water.median():.1f}",
            bool(8 <= water.max() <= 12),
        ),
    ]
    return pd.DataFrame(rows, columns=["cell", "value", "holds"])


def _compared(study: pd.DataFrame) -> Iterator[tuple[str, str, bool]]:
    table = comparisons(study).query("source == 'reproduced'")
    for claim, part in table.groupby("claim", sort=False):
        words = "; ".join(
            f"{row.first} {row.difference:+.2f} against {row.second}, "
            f"better in {row.better} of {row.pairs}"
            for row in part.itertuples()
        )
        yield claim, words, bool((part["difference"] > 2 * part["se"]).all())
