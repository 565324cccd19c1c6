"""The attacks: every way of linking that this package has, against the same pair of files."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from .._internal.hints import Distance, Label
from ..distances import dbrl1, mahalanobis, mixed
from ..distances.numeric import columns_with_variation
from ..learning import WeightedMean
from ..learning.formulation import MAX_WHOLE_COLUMNS
from ..linkage.assignment import link_one_to_one
from ..linkage.comparisons import MAX_TABLE_VARIABLES, exact, same_bin
from ..linkage.fellegi_sunter import MAX_VARIABLES, FellegiSunter
from ..linkage.nearest import DIRECTIONS, link
from .column_values import listed
from .pair import Pair

#: Told the name of each step of the work as it begins.
Step = Callable[[str], None]

#: Pairs that one linkage looks at, and records that it links: of larger files records are drawn.
MAX_PAIRS, MAX_LINKED_RECORDS = 1_000_000_000, 10_000
MAX_SLOW_PAIRS = 20_000_000  # the same where compiled code cannot search
MIN_LINKED_RECORDS = 100  # so many are linked even of the largest files
MAX_LEARNED_RECORDS = 400  # that weights are learned from, as in abril2012
# Records up to which the bound of the weights is proved for the whole file, if it has few columns.
MAX_PROVED_RECORDS = 10_000
MAX_ASSIGNED_RECORDS = 2_000  # linked one to one
MAX_ESTIMATED_RECORDS = 2_000  # that the probabilities of agreement are estimated from
SAMPLE_WORK_LIMIT = 10_000_000  # rows that a proof may look at: a few seconds
# For the whole file about a minute and a half, and how near to the optimum is near enough.
WHOLE_WORK_LIMIT, WHOLE_GAP = 500_000_000, 0.01
BINS = 10  # parts of equal size in which two numbers agree
RIDGE = 1e-6
NORMAL_QUANTILE = 1.959963984540054  # of a two-sided interval of 95 percent

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
    LEARNED: f"the true links of at most {MAX_LEARNED_RECORDS} records",
}

#: Steps that come before some of the attacks.
LEARNING, PROVING, ESTIMATING = PREPARATIONS = (
    f"{LEARNED}: proving",
    f"{LEARNED}: proving for all records",
    f"{PROBABILISTIC}: estimating",
)

#: Steps of `attack`; a few fewer are taken where an attack cannot be made.
STEPS = len(KNOWS) + len(PREPARATIONS)

BOTH_AT_ONCE = "both at once"
DIRECTION_LABELS = {name: name.replace("_", " ") for name in DIRECTIONS}


@dataclass(frozen=True)
class Findings:
    """What the attacks found.

    Attributes
    ----------
    learned : WeightedMean
        Fitted to `sample`.
    sample, fresh : Index
        Rows that weights were learned from, and others that they are tried on.
    whole : WeightedMean or None
        Fitted to all records: what no weighting can exceed in the file. None where that would take
        too long.
    skipped : dict
        Attacks that could not be made, and why.
    left_out : dict
        The variables that an attack cannot use, by its name.
    attacks : DataFrame
        One row per attack and direction: `linked` records, `candidates`, `correct` (expected share:
        of equally near candidates one is taken at random), its 95 percent interval `low` to `high`,
        `strict` (share without ties), `comparable` (whether it was made against all candidates, as
        the others), `left out` (the variables that it cannot use).
    links : DataFrame
        One row per person that was looked for and attack: `row` in the original file, `attack`,
        `direction`, `found` (the probability that the attack finds the person), and how many
        candidates were as near as the nearest (`ties`).
    """

    learned: WeightedMean
    sample: pd.Index
    fresh: pd.Index
    whole: WeightedMean | None
    skipped: dict[str, str]
    left_out: dict[str, list[Label]]
    attacks: pd.DataFrame
    links: pd.DataFrame

    @property
    def worst(self) -> pd.Series:
        """The attack that finds the most, of those against all candidates."""
        return self.attacks[self.attacks["comparable"]].iloc[0]


def distance(pair: Pair, columns: list | None = None) -> Distance:
    """Return the plain distance of the pair, for some of its columns or for all.

    It is Euclidean on standardised numbers; with categories, those count 0 or 1 (ordinal ones in
    between). Moments are those of the whole files, also where only some records are linked.
    """
    original, masked = pair.select(columns)
    if all(map(pd.api.types.is_float_dtype, original.dtypes)):
        return dbrl1((original, masked))
    return mixed(standardise=(original, masked), ordinal="usual")


def attack(pair: Pair, rng: np.random.Generator, step: Step) -> Findings:
    """Attack a pair in every way; `step(name)` is called before each."""
    drawn = rng.permutation(len(pair))[:MAX_LINKED_RECORDS]  # the persons that are looked for
    learned, sample, fresh = learn(pair, rng, step)
    whole = learned if len(sample) == len(pair) else learn_whole(pair, step)
    made: list[tuple[str, str, pd.DataFrame, int]] = []
    skipped, left_out = {}, {}

    def run(name, distance, columns=None, most=MAX_PAIRS):
        step(name)
        chosen = np.sort(drawn[: max(MIN_LINKED_RECORDS, most // len(pair))])
        for direction, label in DIRECTION_LABELS.items():
            original, masked = pair.select(columns)
            if direction == "masked_to_original":
                masked = masked.iloc[chosen]
            else:
                original = original.iloc[chosen]
            found = link(original, masked, distance, direction, "expected")[["correct", "ties"]]
            made.append((name, label, found, len(pair)))

    run(NEAREST, distance(pair))
    run(LEARNED, learned.distance)
    usable = columns_with_variation(*pair.select(pair.numbers), RIDGE) if pair.numbers else []
    if len(usable) >= 2:
        run(MAHALANOBIS, mahalanobis(ridge=RIDGE), usable)
        left_out[MAHALANOBIS] = [name for name in pair.used if pair.columns[name][0] not in usable]
    else:
        there = "there is one" if usable else "there are none"
        skipped[MAHALANOBIS] = f"it takes two variables that are numbers and vary, and {there}"
    width = pair.original.shape[1]
    if width <= MAX_VARIABLES:
        step(ESTIMATING)
        model = probabilities(pair, rng)
        most = MAX_PAIRS if width <= MAX_TABLE_VARIABLES else MAX_SLOW_PAIRS
        run(PROBABILISTIC, model.distance, most=most)
    else:
        skipped[PROBABILISTIC] = f"it takes {MAX_VARIABLES} columns at most, and there are {width}"
    step(ONE_TO_ONE)
    some = pair.original.index[np.sort(rng.permutation(len(pair))[:MAX_ASSIGNED_RECORDS])]
    found = link_one_to_one(pair.original.loc[some], pair.masked.loc[some], distance(pair))
    found = pd.DataFrame({"correct": found["correct"].astype(float), "ties": 1})
    made.append((ONE_TO_ONE, BOTH_AT_ONCE, found, len(some)))
    table = pd.DataFrame(_row(*each, len(pair)) for each in made)
    table["left out"] = [listed(left_out.get(name, [])) for name in table["attack"]]
    table = table.sort_values("correct", ascending=False, kind="stable", ignore_index=True)
    against_all = [
        found.assign(attack=name, direction=direction)
        for name, direction, found, candidates in made
        if candidates == len(pair)
    ]
    links = pd.concat(against_all).rename(columns={"correct": "found"}).rename_axis("row")
    links = links.reset_index()[["row", "attack", "direction", "found", "ties"]]
    return Findings(learned, sample, fresh, whole, skipped, left_out, table, links)


def learn(
    pair: Pair, rng: np.random.Generator, step: Step
) -> tuple[WeightedMean, pd.Index, pd.Index]:
    """Learn weights from some records, in moments of the whole file.

    Returns
    -------
    WeightedMean, Index, Index
        The weights, and the rows that they were learned from and not learned from.
    """
    step(LEARNING)
    order = pair.original.index[rng.permutation(len(pair))]
    few = len(pair) <= MAX_LEARNED_RECORDS
    size = len(pair) if few else min(MAX_LEARNED_RECORDS, len(pair) // 2)
    sample, fresh = order[:size].sort_values(), order[size : 2 * size].sort_values()
    learned = WeightedMean(
        standardise=(pair.original, pair.masked),
        work_limit=SAMPLE_WORK_LIMIT,
        random_state=rng,
        progress=False,
    )
    learned.fit(pair.original.loc[sample], pair.masked.loc[sample])
    return learned, sample, fresh


def learn_whole(pair: Pair, step: Step) -> WeightedMean | None:
    """Learn the best weights for all records, with their bound; None if that takes too long.

    A proof takes too long for files that have many records or columns.
    """
    if len(pair) > MAX_PROVED_RECORDS or pair.original.shape[1] > MAX_WHOLE_COLUMNS:
        return None
    step(PROVING)
    learner = WeightedMean(work_limit=WHOLE_WORK_LIMIT, gap=WHOLE_GAP, progress=False)
    return learner.fit(pair.original, pair.masked)


def probabilities(pair: Pair, rng: np.random.Generator) -> FellegiSunter:
    """Estimate Fellegi and Sunter's probabilities from the pairs of some records."""
    some = np.sort(rng.permutation(len(pair))[:MAX_ESTIMATED_RECORDS])
    numbers = pair.numbers
    comparisons = {name: same_bin(BINS) if name in numbers else exact() for name in pair.original}
    model = FellegiSunter(comparisons, u="pairs")
    return model.fit(pair.original.iloc[some], pair.masked.iloc[some])


def _row(
    name: str, direction: str, found: pd.DataFrame, candidates: int, whole: int
) -> dict[str, Any]:
    share, n = float(found["correct"].mean()), len(found)
    low, high = interval(share, n, whole)
    return {
        "attack": name,
        "direction": direction,
        "knows": KNOWS[name],
        "linked": n,
        "candidates": candidates,
        "correct": share,
        "low": low,
        "high": high,
        "strict": float(((found["correct"] == 1) & (found["ties"] == 1)).mean()),
        "comparable": candidates == whole,
    }


def interval(share: float, n: int, whole: int, z: float = NORMAL_QUANTILE) -> tuple[float, float]:
    """Return the 95 percent interval of a share, by Wilson's score.

    It is for `n` drawn without replacement of `whole`; where all were taken, it is the share.

    Examples
    --------
    >>> [round(end, 3) for end in interval(0.5, 100, 10_000)]
    [0.404, 0.596]
    >>> interval(0.5, 100, 100)
    (0.5, 0.5)
    """
    if n >= whole:
        return share, share
    effective = n * (whole - 1) / (whole - n)  # as good as so many of an endless file
    scale = 1 + z * z / effective
    middle = (share + z * z / (2 * effective)) / scale
    spread = np.sqrt(share * (1 - share) / effective + z * z / (4 * effective * effective))
    half = z / scale * spread
    # The share itself is inside, whatever rounding says at 0 and 1.
    return float(min(share, max(0.0, middle - half))), float(max(share, min(1.0, middle + half)))
