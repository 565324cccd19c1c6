"""Beyond torra2008: larger files, single operators, tests against chance, and the printed attribute lists."""

import numpy as np
import pandas as pd

from ...distances import dbrl1
from ...linkage.chance import links_by_chance_at_least, links_by_permutation
from ...linkage.distance import link
from ...linkage.no_common_variables import correlated_together, normalised, split_by_correlation
from ...compendium.sweep import drawn_by, sweep
from .runs import (
    ATTRIBUTES,
    COLUMNS,
    LINKAGES,
    NORMALISATIONS,
    RECORDS,
    attribute_lists,
    files,
    representatives_of,
    right_links,
    study,
)


def splits():
    """The printed attribute lists beside the paper's own rule: a row a data set."""
    rows = []
    for name in ATTRIBUTES:
        file, printed = attribute_lists(name)
        numeric = file.select_dtypes("number").drop(columns="id", errors="ignore")
        rule = split_by_correlation(numeric)
        chosen = [attribute for attributes in printed for attribute in attributes]
        weak = [attribute for attribute in chosen if attribute in rule.dropped]
        rows.append(
            {
                "dataset": name,
                "attributes": numeric.shape[1],
                "printed": f"{len(printed[0])} + {len(printed[1])}",
                "correlated but together": len(correlated_together(numeric, printed)),
                "below the threshold with all": len(weak),
                "by the rule": f"{len(rule.first)} + {len(rule.second)}",
                "together by the rule": len(rule.together),
            }
        )
    return pd.DataFrame(rows)


def sizes(names, executions, seed, records=(100, 300, 1000)):
    """Distance-based linkage of samples of several sizes, and of all records once: mean right links a setting."""
    parts = []
    for count in [*records, None]:
        large = [name for name in names if count is None or len(files(name)[0]) > count]
        if large:
            parts.append(study(large, 1 if count is None else executions, seed, ["DBRL"], count))
    table = pd.concat(parts, ignore_index=True)
    grouped = table.groupby(["dataset", "normalisation", "column", "size"], sort=False)["right"]
    return grouped.mean().reset_index().assign(share=lambda frame: frame["right"] / frame["size"])


def single_operators(names, executions, seed):
    """Right links by one operator alone, and by the nine others: a row a data set, normalisation, operator and alpha."""
    table = sweep(
        one_alpha, {"dataset": list(names), "records": [RECORDS]}, executions=executions, seed=seed
    )
    return (
        table.groupby(["dataset", "normalisation", "column", "alpha"], sort=False)[
            ["alone", "without", "all"]
        ]
        .mean()
        .reset_index()
    )


@drawn_by("dataset", "records")
def one_alpha(dataset, records, random_state):
    whole = files(dataset)
    places = np.sort(random_state.permutation(len(whole[0]))[:records])
    sample = [file.iloc[places] for file in whole]
    rows = []
    for normalisation, normalise in NORMALISATIONS.items():
        ready = [normalised(file, normalise) for file in sample]
        for column in COLUMNS:
            a, b = (representatives_of(file, column) for file in ready)
            every = right_links(a, b, LINKAGES["DBRL"])
            for place, name in enumerate(a):
                rest = [other for other in range(a.shape[1]) if other != place]
                rows.append(
                    {
                        "normalisation": normalisation,
                        "column": column,
                        "alpha": float(name.split()[1]),
                        "all": every,
                        "alone": right_links(
                            a.iloc[:, [place]], b.iloc[:, [place]], LINKAGES["DBRL"]
                        ),
                        "without": right_links(a.iloc[:, rest], b.iloc[:, rest], LINKAGES["DBRL"]),
                    }
                )
    return rows


def chance_tests(best, seed, times=100_000):
    """Is it luck? One linkage of each data set, by its best operator, against random linkages.

    Parameters
    ----------
    best : DataFrame
        As `best_averages` gives it.
    seed, times : int
        Sample, and shuffles of who is who.

    Returns
    -------
    DataFrame
        A row a data set: `right` links, the probability of so many by a random one-to-one linkage (Table IV), the same
        for these very links if who is who were shuffled, exactly, and counted in shuffles (one more than those that reach
        it, over one more than all).
    """
    rows = []
    for row in best.itertuples():
        rng = np.random.default_rng(seed)
        whole = files(row.dataset)
        places = rng.permutation(len(whole[0]))[:RECORDS]
        a, b = (
            representatives_of(
                normalised(file.iloc[places], NORMALISATIONS[row.normalisation]), row.column
            )
            for file in whole
        )
        nearest = a.index.get_indexer(link(a, b, dbrl1(None))["nearest"])
        right = int((nearest == np.arange(RECORDS)).sum())
        shuffled = rng.permuted(np.tile(np.arange(RECORDS, dtype=np.int16), (times, 1)), axis=1)
        reached = int(((shuffled == nearest).sum(axis=1) >= right).sum())
        rows.append(
            {
                "dataset": row.dataset,
                "normalisation": row.normalisation,
                "column": row.column,
                "right": right,
                "one to one": float(links_by_chance_at_least(RECORDS, right)),
                "shuffled, exactly": float(links_by_permutation(nearest, RECORDS, right)),
                "shuffled, counted": (reached + 1) / (times + 1),
            }
        )
    return pd.DataFrame(rows)
