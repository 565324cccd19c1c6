"""The running text of torra2008: maxima, best averages, baselines, and its claims judged."""

import numpy as np
import pandas as pd

from ...compendium import published
from ...linkage.chance import links_by_chance_at_least
from .protocol import POOR, PRINTED, RECORDS, STUDY  # noqa: F401, a query names PRINTED


def prose(study, baselines):
    """All numbers and claims of the running text: a row an execution, where the study as a whole is one."""
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


def _rankings(baselines):
    """The baselines, single runs in print: whether the printed number is among the middle 95 percent of ours."""
    printed = published.cells("torra2008", "prose").set_index("cell")["published"]
    rows = []
    for score, words in (
        ("component", "first principal component"),
        ("z-scores", "sum of z-scores"),
    ):
        cell, correct = (
            f"census {words} ranking",
            baselines.loc[baselines["score"] == score, "correct"],
        )
        low, high = correct.quantile([0.025, 0.975])
        rows.append(
            (
                cell,
                f"{correct.mean():.1f} on average, {low:.0f} to {high:.0f} in 95 percent of the runs",
                bool(low <= float(printed[cell]) <= high),
            )
        )
    return pd.DataFrame(rows, columns=["cell", "value", "holds"])


def _whole_studies(study):
    """The executions in tens: each ten are one study as the paper made it."""
    return study[study["linkage"].isin(["DBRL", "PRL"])].assign(study=study["execution"] // STUDY)


def _extremes(study):
    whole = _whole_studies(study)
    rows = []
    for (dataset, number), part in whole.groupby(["dataset", "study"], sort=False):
        best = part.groupby(["normalisation", "column", "linkage"])["correct"].mean().max()
        name = dataset.replace("_", " ")
        rows += [(f"{name} maximum", part["correct"].max()), (f"{name} best average", best)]
    table = pd.DataFrame(rows, columns=["cell", "value"])
    return table[table["cell"].isin(published.cells("torra2008", "prose")["cell"])]


def best_averages(study):
    """The best average of each data set: which normalisation, operator and linkage, and how many right links."""
    mean = (
        _whole_studies(study)
        .groupby(["dataset", "normalisation", "column", "linkage"], sort=False)["correct"]
        .mean()
        .reset_index()
    )
    return mean.loc[mean.groupby("dataset", sort=False)["correct"].idxmax()].reset_index(drop=True)


# What the paper says is better.


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


def comparisons(study):
    """Each comparison of the paper, over the cells of its tables: in our executions, and in its printed averages.

    Parameters
    ----------
    study : DataFrame
        As `study` gives it. Of its linkages, those that the paper prints are compared, DBRL, PRL or
        both.

    Returns
    -------
    DataFrame
        A row a comparison and source: how many pairs of cells there are, in how many the first is
        better, their mean difference and (ours) its standard error over the executions, which have
        their samples in common.
    """
    cells = ["dataset", "normalisation", "linkage", "integral", "family"]
    ours = _whole_studies(study).query("dataset in @PRINTED")
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


def claims(study):
    """The claims of the text with what was measured. A comparison holds where its mean difference is above 2 standard
    errors; "at least ten percent" where every file that is not poor has a best average of 10 or
    more.
    """
    rows = []
    table = comparisons(study).query("source == 'reproduced'")
    for claim, part in table.groupby("claim", sort=False):
        words = "; ".join(
            f"{row.first} {row.difference:+.2f} against {row.second}, better in {row.better} of {row.pairs}"
            for row in part.itertuples()
        )
        rows.append((claim, words, bool((part["difference"] > 2 * part["se"]).all())))
    best = best_averages(study).set_index("dataset")["correct"]
    rich = best.drop(list(POOR), errors="ignore")
    words = ", ".join(f"{name.replace('_', ' ')} {value:.1f}" for name, value in rich.items())
    rows.append(
        (
            "at least ten percent re-identified except in the poor files",
            words,
            bool((rich >= 10).all()),
        )
    )
    rows.append(
        (
            "average re-identification",
            f"best averages {rich.min():.1f} to {rich.max():.1f}, mean {rich.mean():.1f}",
            bool(10 <= rich.mean() <= 20),
        )
    )
    water = (
        _whole_studies(study)
        .query("dataset == 'water_treatment'")
        .groupby(["normalisation", "column", "linkage"])["correct"]
        .mean()
    )
    rows.append(
        (
            "water treatment re-identifications",
            f"averages {water.min():.1f} to {water.max():.1f}, median {water.median():.1f}",
            bool(8 <= water.max() <= 12),
        )
    )
    return pd.DataFrame(rows, columns=["cell", "value", "holds"])
