"""The attacks: every way of linking that this package has, against the same pair of files."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..distances import dbrl1, mahalanobis, mixed
from ..learning import WeightedMean
from ..learning._worst import WIDTH
from ..linkage.assignment import link_one_to_one
from ..linkage.comparisons import TABLE, exact, same_bin
from ..linkage.fellegi_sunter import MAX_VARIABLES, FellegiSunter
from ..linkage.nearest import DIRECTIONS, link

#: Largest number of pairs that one linkage looks at, and of records that it links: beyond, records
#: are drawn.
PAIRS, RECORDS = 1_000_000_000, 10_000
SLOW_PAIRS = 20_000_000  # the same where compiled code cannot search
LEARN = 400  # records that weights are learned from, as in abril2012
# records up to which the bound of the weights is proved for the whole file, if it has few columns
WHOLE = 10_000
ASSIGN = 2_000  # records linked one to one
ESTIMATE = 2_000  # records that the probabilities of agreement are estimated from
WORK = 10_000_000  # rows that the proof of the learned weights may look at: a few seconds
WHOLE_WORK, WHOLE_GAP = (
    500_000_000,
    0.01,
)  # the same for the whole file, about a minute and a half, and how near is near enough
BINS = 10  # parts of equal size in which two numbers agree
RIDGE = 1e-6

NEAREST, ONE_TO_ONE, MAHALANOBIS, PROBABILISTIC, LEARNED = (
    "nearest record",
    "one to one",
    "Mahalanobis",
    "probabilistic",
    "learned weights",
)

#: What each attacker knows beyond the original values.
KNOWS = {
    NEAREST: "nothing else",
    ONE_TO_ONE: "that both files hold the same persons",
    MAHALANOBIS: "how the masking spreads the numbers",
    PROBABILISTIC: "nothing else",
    LEARNED: "the true links of some records",
}

WAYS = {
    "masked_to_original": "masked to original",
    "original_to_masked": "original to masked",
    "": "both at once",
}


@dataclass(frozen=True)
class Findings:
    """What the attacks found.

    Attributes
    ----------
    table : DataFrame
        A row an attack and direction: `linked` records, `candidates`, `correct` (expected share: of
        equally near candidates one is taken at random), its 95 percent interval `low` to `high`,
        `strict` (share without ties), `counts` (whether it can be compared with the others: against
        all candidates).
    records : DataFrame
        A row a person, by row of the original file: the probability that each attack finds it,
        missing where it was not drawn.
    ties : DataFrame
        As `records`: how many candidates were as near as the nearest.
    skipped : dict
        Attacks that could not be made, and why.
    learned : WeightedMean
        Fitted to `sample`.
    sample, fresh : Index
        Rows that weights were learned from, and others that they are tried on.
    whole : WeightedMean or None
        Fitted to all records: what no weighting can exceed in the file. None where that would take
        too long.
    """

    table: pd.DataFrame
    records: pd.DataFrame
    ties: pd.DataFrame
    skipped: dict
    learned: WeightedMean
    sample: pd.Index
    fresh: pd.Index
    whole: WeightedMean | None


def distance(pair, columns=None):
    """The plain distance of the pair: Euclidean on standardised numbers; with categories, those count 0 or 1 (ordinal ones in between).

    Moments are those of the whole files, also where only some records are linked.
    """
    original, masked = (
        (pair.original, pair.masked)
        if columns is None
        else (pair.original[columns], pair.masked[columns])
    )
    if all(dtype == float for dtype in original.dtypes):
        return dbrl1((original, masked))
    return mixed(standardise=(original, masked), ordinal="usual")


def attack(pair, rng, step):
    """All attacks on a pair; `step(name)` is called before each."""
    rows, ties, records, skipped = [], {}, {}, {}
    drawn = rng.permutation(len(pair))[
        :RECORDS
    ]  # the persons that are looked for; all of them where they are few
    learned, sample, fresh = learn(pair, rng, step)
    whole = learned if len(sample) == len(pair) else learn_whole(pair, step)

    def run(name, distance, columns=None, most=PAIRS):
        step(name)
        for direction in DIRECTIONS:
            chosen = drawn[: max(100, most // len(pair))]
            original, masked = _linking(pair, direction, chosen, columns)
            links = link(original, masked, distance, direction, "expected")
            rows.append(
                _row(
                    name,
                    direction,
                    links["correct"],
                    (links["correct"] == 1) & (links["ties"] == 1),
                    len(pair),
                )
            )
            records[f"{name}, {WAYS[direction]}"], ties[f"{name}, {WAYS[direction]}"] = (
                links["correct"],
                links["ties"],
            )

    run(NEAREST, distance(pair))
    run(LEARNED, learned.distance)
    if len(pair.numbers) >= 2:
        run(MAHALANOBIS, mahalanobis(ridge=RIDGE), pair.numbers)
    else:
        skipped[MAHALANOBIS] = (
            f"it takes two variables that are numbers, and there {'is one' if pair.numbers else 'are none'}"
        )
    if pair.original.shape[1] <= MAX_VARIABLES:
        step(f"{PROBABILISTIC}: estimating")
        model = probabilities(pair, rng)
        run(
            PROBABILISTIC,
            model.distance,
            most=PAIRS if pair.original.shape[1] <= TABLE else SLOW_PAIRS,
        )
    else:
        skipped[PROBABILISTIC] = (
            f"it takes {MAX_VARIABLES} columns at most, and there are {pair.original.shape[1]}"
        )
    step(ONE_TO_ONE)
    some = pair.original.index[np.sort(rng.permutation(len(pair))[:ASSIGN])]
    links = link_one_to_one(pair.original.loc[some], pair.masked.loc[some], distance(pair))
    rows.append(
        _row(ONE_TO_ONE, "", links["correct"], links["correct"] == 1, len(some), whole=len(pair))
    )
    if len(some) == len(pair):
        records[ONE_TO_ONE] = links["correct"]
    table = pd.DataFrame(rows).sort_values(
        "correct", ascending=False, kind="stable", ignore_index=True
    )
    return Findings(
        table,
        pd.DataFrame(records, index=pair.original.index),
        pd.DataFrame(ties, index=pair.original.index),
        skipped,
        learned,
        sample,
        fresh,
        whole,
    )


def learn(pair, rng, step):
    """Weights learned from some records, in whole-file moments, and the rows they were and were not learned from."""
    step(f"{LEARNED}: proving")
    order = pair.original.index[rng.permutation(len(pair))]
    size = min(LEARN, len(pair) if len(pair) <= LEARN else len(pair) // 2)
    sample, fresh = order[:size].sort_values(), order[size : 2 * size].sort_values()
    learned = WeightedMean(
        standardise=(pair.original, pair.masked),
        work_limit=WORK,
        random_state=rng,
        progress=False,
    )
    learned.fit(pair.original.loc[sample], pair.masked.loc[sample])
    return learned, sample, fresh


def learn_whole(pair, step):
    """The best weights for all records, with their bound; None for files that are too large or too wide for a proof."""
    if len(pair) > WHOLE or pair.original.shape[1] > WIDTH:
        return None
    step(f"{LEARNED}: proving for all records")
    learner = WeightedMean(work_limit=WHOLE_WORK, gap=WHOLE_GAP, progress=False)
    return learner.fit(pair.original, pair.masked)


def probabilities(pair, rng):
    """Fellegi and Sunter's probabilities, estimated from the pairs of some records."""
    some = np.sort(rng.permutation(len(pair))[:ESTIMATE])
    comparisons = {
        name: same_bin(BINS) if dtype == float else exact()
        for name, dtype in pair.original.dtypes.items()
    }
    return FellegiSunter(comparisons, u="pairs").fit(
        pair.original.iloc[some], pair.masked.iloc[some]
    )


def _linking(pair, direction, chosen, columns):
    files = {"original": pair.original, "masked": pair.masked}
    if columns is not None:
        files = {name: file[columns] for name, file in files.items()}
    linking = "masked" if direction == "masked_to_original" else "original"
    files[linking] = files[linking].iloc[np.sort(chosen)]
    return files["original"], files["masked"]


def _row(name, direction, correct, strict, candidates, whole=None):
    whole = candidates if whole is None else whole
    share, n = float(correct.mean()), len(correct)
    low, high = interval(share, n, whole)
    return {
        "attack": name,
        "way": WAYS[direction],
        "knows": KNOWS[name],
        "linked": n,
        "candidates": candidates,
        "correct": share,
        "low": low,
        "high": high,
        "strict": float(strict.mean()),
        "counts": candidates == whole,
    }


def interval(share, n, whole, z=1.959963984540054):
    """95 percent interval of a share by Wilson's score, for n drawn without replacement of `whole`; none where all were taken.

    Examples
    --------
    >>> [round(end, 3) for end in interval(0.5, 100, 10_000)]
    [0.404, 0.596]
    >>> interval(0.5, 100, 100)
    (0.5, 0.5)
    """
    if n >= whole:
        return share, share
    n = n * (whole - 1) / (whole - n)  # as good as so many of an endless file
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    # The share itself is inside, whatever rounding says at 0 and 1.
    return float(min(share, max(0.0, middle - half))), float(max(share, min(1.0, middle + half)))
