"""Probabilistic record linkage: the index of Fellegi and Sunter, its probabilities estimated by EM.

Two records are compared variable by variable; each comparison agrees or not, and the *pattern* of
agreements is all that the estimation sees. m is the probability of agreement in pairs of the same
individual, u in other pairs. A variable adds log2(m/u) to the index of a pair where it agrees,
log2((1-m)/(1-u)) where it does not.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd

from .._internal import arithmetic
from .._internal.estimator import Estimator
from .._internal.hints import Blocks, Label
from .._internal.rounding import to_decimals
from .._internal.validation import check_comparable, check_list, check_number, check_option
from ..distances import AgreementPattern, PreparedFiles
from . import assignment, nearest
from .blocking import split_blocks
from .comparisons import (
    MAX_TABLE_VARIABLES,
    agreements,
    compared_by,
    compared_pairs,
    count_patterns,
    count_patterns_across,
    exact,
    pattern_bits,
    prorated,
    value_ranges,
)
from .em import estimate, responsibilities

MAX_VARIABLES = 50  # products of more probabilities could vanish
MAX_ITERATIONS = 1_000_000  # whose probabilities fit in memory


@dataclass(eq=False, repr=False)
class FellegiSunter(Estimator):
    """Record linkage by the probabilities of agreement, estimated without knowing any link.

    EM for two classes of pairs under conditional independence (Fellegi and Sunter 1969; Jaro 1989).

    Parameters
    ----------
    comparisons : comparison, or dict of them by column
        `exact`, `within`, `within_share`, `same_bin`; default `exact` for all columns. A missing
        value agrees with nothing.
    prorate : bool
        Whether numbers that nearly agree add part of the weight: the index is then the sum of ``wd
        + s (wa - wd)``, wa and wd the weights of agreement and disagreement and ``s = 1 - |a - b| /
        range``, as in the Census Bureau's software. The estimation sees agreement or disagreement
        all the same.
    probability_floor : float or None
        m and u are kept this far from 0 and 1. None lets them reach 0 and 1, where weights are
        infinite and pairs tie: with columns that repeat each other this happens in a few steps. It
        is here to show what torra2008 shows.
    start : (m, u, p)
        Where the estimation begins; p is the share of pairs of the same individual.
    tolerance, max_iterations : float, int
        The estimation ends when no probability moves by more than `tolerance`.
    u : {"em", "pairs"}
        Whether EM estimates u and p too; or u is the share of agreements among all pairs, of which
        hardly any belong together, and p that of one partner for each record of the shorter file.
        When variables depend on each other, as those of persons do, two classes that EM is free to
        choose need not be the pairs of the same and of different individuals.

    Attributes
    ----------
    m_, u_ : Series
        Probabilities of agreement by variable.
    p_ : float
    patterns_ : DataFrame
        One row per pattern that occurs, from the largest weight down: `pairs`, `weight` (index, in
        bits) and `probability` (that a pair with this pattern is of the same individual).
    history_ : DataFrame
        m, u and p after every step: one row per step and variable, the start as step 0.
    converged_ : bool
    variables_ : list
        Columns of the files.
    agreements_, pairs_ : array
        Patterns that occur, one row per pattern and one column per variable, and how many pairs
        have each.
    steps_ : list of (m, u, p)
        The start and what each step gave.

    Examples
    --------
    >>> file = pd.DataFrame({"name": list("abcdefgh"), "town": list("xxyyzzww")})
    >>> file["age"] = [1, 2, 3, 4, 1, 2, 3, 4]
    >>> other = file.assign(age=[1, 2, 3, 4, 1, 2, 3, 1])
    >>> model = FellegiSunter().fit(file, other)
    >>> model.m_.round(2).to_dict()
    {'name': 1.0, 'town': 1.0, 'age': 0.88}
    >>> model.link(file, other)["correct"].sum()
    np.float64(8.0)
    """

    comparisons: Callable | dict[Label, Callable] | None = None
    prorate: bool = False
    probability_floor: float | None = 1e-6
    start: tuple[float, float, float] = (0.9, 0.1, 0.1)
    tolerance: float = 1e-6
    max_iterations: int = 1000
    u: str = "em"

    def fit(
        self,
        original: pd.DataFrame,
        masked: pd.DataFrame | None = None,
        blocks: Blocks | None = None,
    ) -> Self:
        """Estimate m, u and p from the patterns of all pairs.

        Parameters
        ----------
        original, masked : DataFrame
            The same columns in the same order. Without a second file, the pairs of the first are
            compared.
        blocks : column, tuple of columns, or list of them, optional
            Only pairs that agree on at least one key are compared, see `rlpaper.linkage.blocking`.
        """
        other = original if masked is None else masked
        check_comparable(original, other)
        if original.shape[1] > MAX_VARIABLES:
            raise ValueError(f"there are {original.shape[1]} columns; compare 1 to {MAX_VARIABLES}")
        self._check_options()
        variables = list(original.columns)
        compared = self._prepared(original, other)
        if self.prorate:
            value_ranges(original, other)  # refuses what could not be linked later
        if masked is not None and blocks is None:
            codes, pairs = count_patterns_across(*compared)
        else:
            codes, pairs = count_patterns(compared, compared_pairs(original, masked, blocks))
        bits = pattern_bits(codes, len(variables))
        fixed = None
        if self.u == "pairs":
            shorter = min(len(original), len(other))
            fixed = pairs @ bits / pairs.sum(), min(1.0, shorter / pairs.sum())
        steps, self.converged_ = estimate(
            bits,
            pairs,
            self.start,
            self.probability_floor,
            self.tolerance,
            int(self.max_iterations),
            fixed,
        )
        self.variables_, self.agreements_, self.pairs_, self.steps_ = variables, bits, pairs, steps
        m, u, self.p_ = steps[-1]
        self.m_, self.u_ = pd.Series(m, variables, name="m"), pd.Series(u, variables, name="u")
        return self

    def _check_options(self) -> None:
        check_option("u", self.u, ("em", "pairs"))
        check_option("prorate", self.prorate, (False, True))
        probabilities = "m, u and p, each from 0 to 1"
        if len(check_list("start", self.start)) != 3:
            raise ValueError(f"start is {self.start!r}; it is {probabilities}")
        for probability in self.start:
            check_number("start", probability, probabilities, 0, 1)
        if self.probability_floor is not None:
            check_number(
                "probability_floor",
                self.probability_floor,
                "0 or more and less than 0.5, or None",
                0,
                np.nextafter(0.5, 0),
            )
        check_number("tolerance", self.tolerance, "a number")
        check_number(
            "max_iterations",
            self.max_iterations,
            f"a whole number, 1 or more, up to {MAX_ITERATIONS:,}",
            1,
            MAX_ITERATIONS,
            whole=True,
        )

    def _learned(self) -> str:
        pairs, steps = int(self.pairs_.sum()), len(self.steps_) - 1
        came = "converged" if self.converged_ else "has NOT converged (see max_iterations)"
        return (
            f"{pairs:,} pairs in {len(self.pairs_)} patterns; EM {came} after {steps} steps; "
            f"share of pairs of the same individual {self.p_:.3g}"
        )

    @property
    def patterns_(self) -> pd.DataFrame:
        """Table of patterns."""
        self._check_fitted()
        bits = self.agreements_
        names = pd.Index(["".join(map(str, row)) for row in bits.astype(int)], name="pattern")
        table = pd.DataFrame(
            {
                "pairs": self.pairs_,
                "weight": self._index(bits.T.astype(float)),
                "probability": responsibilities(bits, *self.steps_[-1])[0],
            },
            index=names,
        )
        return table.sort_values("weight", ascending=False, kind="stable")

    @property
    def history_(self) -> pd.DataFrame:
        """Table of steps."""
        self._check_fitted()
        m, u, p = (np.array(values) for values in zip(*self.steps_, strict=True))
        n, steps = len(self.variables_), len(p)
        return pd.DataFrame(
            {
                "step": np.repeat(np.arange(steps), n),
                "variable": self.variables_ * steps,
                "m": m.ravel(),
                "u": u.ravel(),
                "p": np.repeat(p, n),
            }
        )

    def link(
        self,
        original: pd.DataFrame,
        masked: pd.DataFrame,
        direction: str = "masked_to_original",
        ties: str = "strict",
        blocks: Blocks | None = None,
    ) -> pd.DataFrame:
        """Link each record to the one with which it has the largest index.

        Options and result are those of `rlpaper.linkage.link`, with `weight` and `second_weight`,
        the index in bits, for the distances. Columns of the blocks are compared where the model has
        them.
        """
        self._check_fitted()
        numbers, original, masked = split_blocks(original, masked, blocks, self.variables_)
        return _as_weights(
            nearest.link_within(original, masked, self.distance, direction, ties, numbers)
        )

    def link_one_to_one(
        self, original: pd.DataFrame, masked: pd.DataFrame, threshold: float = -np.inf
    ) -> pd.DataFrame:
        """Link the files one to one so that the sum of the indices is largest.

        Links of at least `threshold` bits are kept. The result is as for
        `rlpaper.linkage.link_one_to_one`, with `weight` for the distance.
        """
        if not (isinstance(threshold, float) and np.isinf(threshold)):
            check_number("threshold", threshold, "a number of bits")
        links = _as_weights(assignment.link_one_to_one(original, masked, self.distance))
        return links[links["weight"] >= threshold]

    def thresholds(self, false_links: float, false_nonlinks: float) -> tuple[float, float]:
        """Return the index in bits above which pairs are linked, and that below which they are not.

        Of the patterns that occur, the linked ones have probability `false_links` at most among
        pairs of different individuals, P(LP|U), and those not linked `false_nonlinks` at most among
        pairs of the same, P(NP|M), as many as these bounds allow. Where they allow more than there
        are, nothing is left for clerical review.

        Returns
        -------
        (float, float)
            A pair is linked where its index is at least the first, not linked where it is below the
            second.
        """
        self._check_fitted()
        for name, share in (("false_links", false_links), ("false_nonlinks", false_nonlinks)):
            check_number(name, share, "a probability, 0 to 1", 0, 1)
        bits = self.agreements_
        weights = self._index(bits.T.astype(float))
        m, u = (
            np.where(bits, values.to_numpy(), 1 - values.to_numpy()).prod(axis=1)
            for values in (self.m_, self.u_)
        )
        # Patterns of equal weight are decided alike.
        values, equal = np.unique(-weights, return_inverse=True)
        linked = np.cumsum(np.bincount(equal, u)) <= false_links
        unlinked = np.cumsum(np.bincount(equal, m)[::-1])[::-1] <= false_nonlinks
        upper = -values[linked].max() if linked.any() else np.inf
        lower = np.nextafter(-values[unlinked].min(), np.inf) if unlinked.any() else -np.inf
        return float(upper), float(min(lower, upper))

    def classify(
        self,
        original: pd.DataFrame,
        masked: pd.DataFrame | None = None,
        false_links: float = 0.001,
        false_nonlinks: float = 0.05,
        blocks: Blocks | None = None,
    ) -> pd.DataFrame:
        """Sort the pairs into linked ones and ones for clerical review.

        The others, by far the most, are left out.

        Parameters
        ----------
        original, masked, blocks
            As for `fit`.
        false_links, false_nonlinks : float
            As for `thresholds`.

        Returns
        -------
        DataFrame
            One row per pair: `original` and `masked` (labels; of one file, `original` is the
            earlier record), `weight` and `class`, ``"linked"`` or ``"clerical"``, from the largest
            weight down.
        """
        upper, lower = self.thresholds(false_links, false_nonlinks)
        other = original if masked is None else masked
        a, b, index = self._compared(original, other)
        parts = [(np.empty(0, int), np.empty(0, int), np.empty(0))]  # there may be no pair
        for i, j in compared_pairs(original, masked, blocks):
            weights = index(a[i], b[j])
            kept = np.nonzero(weights >= lower)
            parts.append((*(rows[kept] for rows in np.broadcast_arrays(i, j)), weights[kept]))
        i, j, weights = (np.concatenate(part) for part in zip(*parts, strict=True))
        pairs = pd.DataFrame(
            {"original": original.index[i], "masked": other.index[j], "weight": weights}
        )
        pairs["class"] = np.where(pairs["weight"] >= upper, "linked", "clerical")
        return pairs.sort_values("weight", ascending=False, kind="stable", ignore_index=True)

    def distance(self, original: pd.DataFrame, masked: pd.DataFrame) -> PreparedFiles:
        """Prepare two files for comparison by the index with its sign turned.

        The method is a distance like those of `rlpaper.distances`, for `rlpaper.linkage.link`.
        """
        check_comparable(original, masked)
        self._check_fitted(original)
        n = len(self.variables_)
        if self.prorate:
            a, b, spread = value_ranges(original, masked)

            def partial(x: np.ndarray, y: np.ndarray) -> np.ndarray:
                return -_rounded(prorated(x, y, spread, *self._weights()))

            return PreparedFiles(a, b, partial, squared=False)
        a, b, agree = self._prepared(original, masked)
        if n <= MAX_TABLE_VARIABLES and all(compare is np.equal for compare in agree):
            # A pattern is all that there is to know.
            patterns = pattern_bits(np.arange(1 << n), n).T.astype(float)
            return PreparedFiles(a, b, AgreementPattern(-self._index(patterns)), squared=False)

        def matrix(x: np.ndarray, y: np.ndarray) -> np.ndarray:
            return -self._index(agreements(x[:, None], y[None, :], agree))

        return PreparedFiles(a, b, matrix, squared=False)

    def _compared(
        self, original: pd.DataFrame, masked: pd.DataFrame
    ) -> tuple[np.ndarray, np.ndarray, Callable]:
        """Return both files as numbers, and a function for the index of records of them."""
        check_comparable(original, masked)
        self._check_fitted(original)
        if self.prorate:
            a, b, spread = value_ranges(original, masked)
            agree = [lambda x, y, s=s: np.maximum(0, 1 - np.abs(x - y) / s) for s in spread]
        else:
            a, b, agree = self._prepared(original, masked)
        return a, b, lambda x, y: self._index(agreements(x, y, agree))

    def _index(self, shares: Iterable[np.ndarray]) -> np.ndarray:
        """Return the index, in bits, of pairs of which each variable agrees by these shares."""
        total: np.ndarray | float = 0.0
        with np.errstate(invalid="ignore"):
            for share, gain, loss in zip(shares, *self._weights(), strict=True):
                total = (
                    total
                    + np.where(share == 0, 0, share * gain)
                    + np.where(share == 1, 0, (1 - share) * loss)
                )
        return _rounded(total)

    def _weights(self) -> tuple[np.ndarray, np.ndarray]:
        """Return what each variable adds where it agrees, and where it does not, in bits."""
        m, u = self.m_.to_numpy(), self.u_.to_numpy()
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            return arithmetic.log2(m / u), arithmetic.log2((1 - m) / (1 - u))

    def _prepared(
        self, original: pd.DataFrame, masked: pd.DataFrame
    ) -> tuple[np.ndarray, np.ndarray, list]:
        """Return both files as numbers, and how each variable's are compared."""
        names = list(original.columns)
        if not isinstance(self.comparisons, dict):
            comparison = exact() if self.comparisons is None else self.comparisons
            x, y, agree = compared_by(comparison, original, masked)
            return x, y, [agree] * len(names)
        if set(self.comparisons) != set(names):
            raise ValueError(
                f"comparisons name {sorted(map(str, self.comparisons))}, the files have "
                f"{sorted(map(str, names))}; give one for each column"
            )
        prepared = [
            compared_by(self.comparisons[name], original.iloc[:, [at]], masked.iloc[:, [at]])
            for at, name in enumerate(names)
        ]
        a, b, every = zip(*prepared, strict=True)
        return np.hstack(a), np.hstack(b), list(every)


def _rounded(index: np.ndarray | float) -> np.ndarray:
    """Round an index: sums of different weights that are equal differ in their last digits.

    Without a floor an index may be infinite for and against at once; it then comes last.
    """
    return np.where(np.isnan(index), -np.inf, to_decimals(index))


def _as_weights(links: pd.DataFrame) -> pd.DataFrame:
    weights = {column: -links[column] for column in links if column.endswith("distance")}
    return links.assign(**weights).rename(columns=lambda name: name.replace("distance", "weight"))
