"""Attackers with less: who knows only some of the persons, who is content with a short list, who meets new records."""

import numpy as np
import pandas as pd

from ..linkage.assignment import link_one_to_one
from ..linkage.nearest import correct_links
from ..linkage.true_ranks import correct_at, ranks
from .attacks import LEARNED, NEAREST, distance

MAX_SUBSET_RECORDS = 1_000  # persons in the masked file that subsets of the originals are linked to
KNOWN_SHARES = (1.0, 0.5, 0.2, 0.1, 0.05)
SUBSET_DRAWS = 5
RANKS = (1, 2, 3, 5, 10, 20, 50, 100)
MAX_SHORTLIST_PAIRS = 20_000_000
MAX_SHORTLIST_RECORDS = 2_000


def subsets(pair, rng):
    """What an attacker finds who has the original values of some persons only.

    In a masked file of `MAX_SUBSET_RECORDS` records, a row a share of them that is known: the share of the known
    persons that are found by going from each to the nearest masked record, by linking all known
    ones at once (each to another masked record), and by going from each masked record to the
    nearest known person; then most of the links are wrong, since most masked records belong to
    somebody unknown, and `correct claims` is the share of links that are right.
    """
    rows = []
    for share in KNOWN_SHARES:
        found = []
        for _ in range(SUBSET_DRAWS if share < 1 else 1):
            file = pair.original.index[np.sort(rng.permutation(len(pair))[:MAX_SUBSET_RECORDS])]
            known = file[np.sort(rng.permutation(len(file))[: max(1, round(share * len(file)))])]
            original, masked = pair.original.loc[known], pair.masked.loc[file]
            towards = correct_links(
                original, masked, distance(pair), "original_to_masked", "expected"
            )
            at_once = link_one_to_one(original, masked, distance(pair))["correct"]
            back = correct_links(original, masked, distance(pair), "masked_to_original", "expected")
            found.append(
                (len(known), towards.mean(), at_once.mean(), back.sum() / len(known), back.mean())
            )
        rows.append((share, len(file), *np.mean(found, axis=0)))
    return pd.DataFrame(
        rows,
        columns=[
            "share known",
            "masked records",
            "known",
            "to nearest masked",
            "one to one",
            "masked to nearest known",
            "correct claims",
        ],
    )


def shortlist(pair, rng):
    """Share of the records whose partner is among the first few candidates: at rank 1, 2, and up to each rank.

    Masked records to originals, by the plain distance; of equally near candidates the order is
    random.
    """
    n = max(100, min(MAX_SHORTLIST_RECORDS, MAX_SHORTLIST_PAIRS // len(pair)))
    some = np.sort(rng.permutation(len(pair))[:n])
    table = ranks(pair.original, pair.masked.iloc[some], distance(pair), "masked_to_original")
    rows = []
    for rank in RANKS:
        if rank <= len(pair):
            upto = (np.clip(rank - table["nearer"], 0, table["tied"]) / table["tied"]).mean()
            rows.append(
                {
                    "rank": rank,
                    "at this rank": correct_at(table, rank, "expected").mean(),
                    "up to this rank": float(upto),
                    "by chance": rank / len(pair),
                    "linked": len(some),
                }
            )
    return pd.DataFrame(rows)


def new_records(pair, findings):
    """Learned against equal weights, on the records learned from and on as many others: what is learned and what is chance."""
    equal = findings.learned.with_parameters(
        pair.original, pair.masked, np.ones(pair.original.shape[1])
    )
    rows = []
    for which, index in (("learned from", findings.sample), ("new", findings.fresh)):
        if len(index):
            files = pair.original.loc[index], pair.masked.loc[index]
            rows.append(
                {
                    "records": which,
                    "number": len(index),
                    NEAREST: equal.score(*files),
                    LEARNED: findings.learned.score(*files),
                    "no weights find more than": findings.learned.bound_ / len(index)
                    if which == "learned from"
                    else np.nan,
                }
            )
    return pd.DataFrame(rows)
