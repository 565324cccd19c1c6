"""Attackers with less: they know some of the persons, take a short list, or meet new records."""

import numpy as np
import pandas as pd

from ..linkage.assignment import link_one_to_one
from ..linkage.nearest import correct_links
from ..linkage.true_ranks import correct_at, ranks
from .attacks import LEARNED, NEAREST, Findings, distance
from .pair import Pair

MAX_SUBSET_RECORDS = 1_000  # in the masked file that subsets of the originals are linked to
KNOWN_SHARES = (1.0, 0.5, 0.2, 0.1, 0.05)
SUBSET_DRAWS = 5
RANKS = (1, 2, 3, 5, 10, 20, 50, 100)
MAX_SHORTLIST_PAIRS = 20_000_000
MIN_SHORTLIST_RECORDS, MAX_SHORTLIST_RECORDS = 100, 2_000

#: Columns of `subsets` that are shares.
SUBSET_SHARES = (
    "to nearest masked",
    "one to one",
    "masked to nearest known",
    "correct claims",
)
BOUND = "no weights find more than"


def subsets(pair: Pair, rng: np.random.Generator) -> pd.DataFrame:
    """Measure what is found by an attacker who has the original values of some persons only.

    One row per share of the persons in a masked file of `MAX_SUBSET_RECORDS` records that are
    known. It holds the share of the known persons who are found by going from each to the nearest
    masked record, by linking all of them at once (each to another masked record), and by going
    from each masked record to the nearest known person. Most links of the last kind are wrong,
    since most masked records belong to somebody unknown; `correct claims` is the share that is
    correct.
    """
    rows = []
    for share in KNOWN_SHARES:
        draws = SUBSET_DRAWS if share < 1 else 1
        found = np.mean([_found(pair, share, rng) for _ in range(draws)], axis=0)
        rows.append((share, min(len(pair), MAX_SUBSET_RECORDS), *found))
    columns = ["share known", "masked records", "known", *SUBSET_SHARES]
    return pd.DataFrame(rows, columns=columns)


def _found(pair: Pair, share: float, rng: np.random.Generator) -> tuple[float, ...]:
    file = pair.original.index[np.sort(rng.permutation(len(pair))[:MAX_SUBSET_RECORDS])]
    known = file[np.sort(rng.permutation(len(file))[: max(1, round(share * len(file)))])]
    files = pair.original.loc[known], pair.masked.loc[file]
    towards = correct_links(*files, distance(pair), "original_to_masked", "expected")
    at_once = link_one_to_one(*files, distance(pair))["correct"]
    back = correct_links(*files, distance(pair), "masked_to_original", "expected")
    return len(known), towards.mean(), at_once.mean(), back.sum() / len(known), back.mean()


def shortlist(pair: Pair, rng: np.random.Generator) -> pd.DataFrame:
    """Measure how often a person's record is among the first few candidates.

    One row per length of the list: the share at this rank and up to it. Masked records are linked
    to originals by the plain distance; of equally near candidates the order is random.
    """
    most = min(MAX_SHORTLIST_RECORDS, MAX_SHORTLIST_PAIRS // len(pair))
    some = np.sort(rng.permutation(len(pair))[: max(MIN_SHORTLIST_RECORDS, most)])
    table = ranks(pair.original, pair.masked.iloc[some], distance(pair), "masked_to_original")

    def up_to(rank: int) -> float:
        nearest = np.clip(rank - table["nearer"], 0, table["tied"])
        return float((nearest / table["tied"]).mean())

    return pd.DataFrame(
        {
            "rank": rank,
            "at this rank": correct_at(table, rank, "expected").mean(),
            "up to this rank": up_to(rank),
            "by chance": rank / len(pair),
            "linked": len(some),
        }
        for rank in RANKS
        if rank <= len(pair)
    )


def new_records(pair: Pair, findings: Findings) -> pd.DataFrame:
    """Compare learned with equal weights, on the records learned from and on as many others.

    It shows how much of what was learned is chance.
    """
    learned = findings.learned
    equal = learned.with_parameters(pair.original, pair.masked, np.ones(pair.original.shape[1]))
    bounds = {"learned from": learned.bound_ / len(findings.sample), "new": np.nan}
    rows = []
    for which, index in (("learned from", findings.sample), ("new", findings.fresh)):
        if len(index):
            files = pair.original.loc[index], pair.masked.loc[index]
            scores = {NEAREST: equal.score(*files), LEARNED: learned.score(*files)}
            rows.append({"records": which, "number": len(index), **scores, BOUND: bounds[which]})
    return pd.DataFrame(rows)
