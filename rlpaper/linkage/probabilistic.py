"""Probabilistic record linkage: the index of Fellegi and Sunter, its probabilities estimated by EM.

Two records are compared variable by variable; each comparison agrees or not, and the *pattern* of agreements is all that
the estimation sees. m is the probability of agreement in pairs of the same individual, u in other pairs. A variable adds
log2(m/u) to the index of a pair where it agrees, log2((1-m)/(1-u)) where it does not.
"""

import inspect
from collections import Counter

import numpy as np
import pandas as pd

from . import distance, _search
from .._internal import arithmetic, exhaustive
from ..distances import ByPattern, Coordinates
from .._internal.jit import compiled
from .._internal.html import card

PAIRS = 1 << 22  # compared at once
TABLE = 16  # variables whose patterns are counted in a table of all that there can be
TINY = np.finfo(float).tiny
MOST = 50  # variables: products of more probabilities could vanish


# How values are compared. Called with the columns of both files that it is for, a comparison returns them as arrays of numbers, and
# whether two such numbers agree. Missing values become infinite here, and agree with nothing.


def exact():
    """Agreement of equal values."""

    def prepare(x, y):
        codes = [_codes(x.iloc[:, v], y.iloc[:, v]) for v in range(x.shape[1])]
        return *(np.column_stack(part) for part in zip(*codes)), np.equal

    return prepare


def _codes(x, y):
    """The values of two columns as numbers, the same where they are equal."""
    if isinstance(x.dtype, pd.CategoricalDtype) and isinstance(y.dtype, pd.CategoricalDtype):
        x, y = x.array, y.array
        first, second = x.categories.astype(object), y.categories.astype(object)
        place = first.get_indexer(second)
        place = np.append(
            np.where(place < 0, len(first) + np.arange(len(place)), place), -1
        )  # at -1, what is missing
        codes = np.concatenate([x.codes, place[y.codes]])
    else:
        codes, _ = pd.factorize(pd.concat([x.astype(object), y.astype(object)]))
    codes = np.where(codes < 0, np.inf, codes)
    return codes[: len(x)], codes[len(x) :]


def within(tolerance):
    """Agreement of numbers that differ by `tolerance` at most."""
    return _close(lambda a, b: np.abs(a - b) <= tolerance)


def within_share(share):
    """Agreement of numbers that differ by at most `share` of the larger one's absolute value."""
    return _close(lambda a, b: np.abs(a - b) <= share * np.maximum(np.abs(a), np.abs(b)))


def same_bin(bins=5):
    """Agreement of numbers in the same of `bins` parts of equal size of all values in both files.

    A value on the border of two parts belongs to the lower one.
    """
    shares = np.arange(1, bins) / bins

    def prepare(x, y):
        x, y = _numbers(x), _numbers(y)
        both = np.concatenate([x, y])
        if np.isfinite(both).all():
            edges = np.quantile(both, shares, axis=0)
        else:
            edges = np.column_stack(
                [np.quantile(column[np.isfinite(column)], shares) for column in both.T]
            )
        return *(
            np.where(np.isfinite(z), (z[:, None] > edges).sum(axis=1), np.inf) for z in (x, y)
        ), np.equal

    return prepare


def _close(agree):
    return lambda x, y: (_numbers(x), _numbers(y), agree)


def _numbers(file):
    for name, dtype in file.dtypes.items():
        if not pd.api.types.is_numeric_dtype(dtype):
            raise ValueError(f"column {name!r} is not numeric; compare it with exact()")
    values = file.to_numpy(float, na_value=np.nan)
    return np.where(np.isnan(values), np.inf, values)


class FellegiSunter:
    """Record linkage by the probabilities of agreement, estimated without knowing any link.

    EM for two classes of pairs under conditional independence (Fellegi and Sunter 1969; Jaro 1989).

    Parameters
    ----------
    comparisons : comparison, or dict of them by column
        `exact`, `within`, `within_share`, `same_bin`; default `exact` for all columns. A missing value agrees with nothing.
    prorate : bool
        Whether numbers that nearly agree add part of the weight: the index is then the sum of
        ``wd + s (wa - wd)``, wa and wd the weights of agreement and disagreement and ``s = 1 - |a - b| / range``, as in
        the Census Bureau's software. The estimation sees agreement or disagreement all the same.
    guard : float or None
        m and u are kept this far from 0 and 1. None lets them reach 0 and 1, where weights are infinite and pairs
        tie: with columns that repeat each other this happens in a few steps. It is here to show what torra2008 shows.
    start : (m, u, p)
        Where the estimation begins; p is the share of pairs of the same individual.
    tolerance, max_iterations : float, int
        The estimation ends when no probability moves by more than `tolerance`.
    u : {"em", "pairs"}
        Whether EM estimates u and p too; or u is the share of agreements among all pairs, of which hardly any belong together,
        and p that of one partner for each record of the shorter file. When variables depend on each other,
        as those of persons do, two classes that EM is free to choose need not be the pairs of the same and of different
        individuals.

    Attributes
    ----------
    m_, u_ : Series
        Probabilities of agreement by variable.
    p_ : float
    patterns_ : DataFrame
        A row a pattern that occurs, from the largest weight down: `pairs`, `weight` (index, in bits) and `probability`
        (that a pair with this pattern is of the same individual).
    history_ : DataFrame
        m, u and p after every step: a row a step and variable, the start as step 0.
    converged_ : bool

    Examples
    --------
    >>> file = pd.DataFrame({"name": list("abcdefgh"), "town": list("xxyyzzww"), "age": [1, 2, 3, 4, 1, 2, 3, 4]})
    >>> other = file.assign(age=[1, 2, 3, 4, 1, 2, 3, 1])
    >>> model = FellegiSunter().fit(file, other)
    >>> model.m_.round(2).to_dict()
    {'name': 1.0, 'town': 1.0, 'age': 0.88}
    >>> model.link(file, other)["right"].sum()
    np.float64(8.0)
    """

    def __init__(
        self,
        comparisons=None,
        prorate=False,
        guard=1e-6,
        start=(0.9, 0.1, 0.1),
        tolerance=1e-6,
        max_iterations=1000,
        u="em",
    ):
        distance.check_option("u", u, ("em", "pairs"))
        self.u = u
        self.comparisons, self.prorate, self.guard = comparisons, prorate, guard
        self.start, self.tolerance, self.max_iterations = start, tolerance, max_iterations

    def get_params(self, deep=True):
        """The options, by name."""
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    def __repr__(self):
        return f"{type(self).__name__}(u={self.u!r}, prorate={self.prorate}, guard={self.guard})"

    def _repr_html_(self):
        """What was estimated, and whether the estimation came to an end."""
        if not hasattr(self, "m_"):
            return card(repr(self), ["Nothing is estimated yet: call fit with one file or two."])
        pairs, steps = int(self.patterns_["pairs"].sum()), int(self.history_["step"].max())
        came = (
            "converged"
            if self.converged_
            else "has NOT converged; give more steps by max_iterations"
        )
        with np.errstate(divide="ignore"):
            weights = {
                "if it agrees": arithmetic.log2(self.m_ / self.u_),
                "if not": arithmetic.log2((1 - self.m_) / (1 - self.u_)),
            }
        return card(
            repr(self),
            [
                f"From {pairs:,} pairs in {len(self.patterns_)} patterns; EM {came} after {steps} steps.",
                f"Share of pairs of the same individual: {self.p_:.3g}. Weights are in bits.",
            ],
            pd.DataFrame({"m": self.m_, "u": self.u_, **weights}),
        )

    def fit(self, original, masked=None, block_by=None):
        """Estimate m, u and p from the patterns of all pairs.

        Parameters
        ----------
        original, masked : DataFrame
            The same columns in the same order. Without a second file, the pairs of the first are compared.
        block_by : list of lists of columns, optional
            Only pairs that agree exactly in all columns of at least one list are compared.
        """
        if masked is not None and list(original.columns) != list(masked.columns):
            raise ValueError(
                f"the files have different columns, {list(original.columns)} and {list(masked.columns)}; select "
                "the same ones, in the same order, from both"
            )
        if not 1 <= original.shape[1] <= MOST:
            raise ValueError(f"there are {original.shape[1]} columns; compare 1 to {MOST}")
        self.variables_ = list(original.columns)
        other = original if masked is None else masked
        compared = self._prepared(original, other)
        if masked is not None and block_by is None:
            codes, pairs = _counted_across(*compared)
        else:
            codes, pairs = _counted(compared, _pairs(original, masked, block_by))
        bits = _bits(codes, len(self.variables_))
        fixed = None
        if self.u == "pairs":
            fixed = (
                pairs @ bits / pairs.sum(),
                min(1.0, min(len(original), len(other)) / pairs.sum()),
            )
        steps, self.converged_ = estimate(
            bits, pairs, self.start, self.guard, self.tolerance, self.max_iterations, fixed
        )
        self._steps, self._patterns = steps, (bits, pairs)
        m, u, self.p_ = steps[-1]
        self.m_, self.u_ = (
            pd.Series(m, self.variables_, name="m"),
            pd.Series(u, self.variables_, name="u"),
        )
        return self

    @property
    def patterns_(self):
        self._check_fitted()
        bits, pairs = self._patterns
        names = pd.Index(["".join(map(str, row)) for row in bits.astype(int)], name="pattern")
        table = pd.DataFrame(
            {
                "pairs": pairs,
                "weight": self._index(bits.T.astype(float)),
                "probability": responsibilities(bits, *self._steps[-1])[0],
            },
            index=names,
        )
        return table.sort_values("weight", ascending=False, kind="stable")

    @property
    def history_(self):
        self._check_fitted()
        m, u, p = (np.array(values) for values in zip(*self._steps))
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

    def link(self, original, masked, direction="m2o", ties="strict", blocks=None):
        """Link each record to the one with which it has the largest index.

        Options and result are those of `rlpaper.linkage.distance.link`, with `weight` and `second_weight`, the index in
        bits, for the distances.
        """
        links = distance.link(original, masked, self.distance_, direction, ties, blocks)
        return _as_weights(links)

    def link_one_to_one(self, original, masked, threshold=-np.inf):
        """Link the files one to one so that the sum of the indices is largest, and keep links of at least `threshold` bits.

        Result as for `rlpaper.linkage.distance.link_one_to_one`, with `weight` for the distance.
        """
        links = _as_weights(distance.link_one_to_one(original, masked, self.distance_))
        return links[links["weight"] >= threshold]

    def thresholds(self, false_links, false_nonlinks):
        """The index above which pairs are linked, and that below which they are not, in bits.

        Of the patterns that occur, the linked ones have probability `false_links` at most among pairs of different
        individuals, P(LP|U), and those not linked `false_nonlinks` at most among pairs of the same, P(NP|M), as many as
        these bounds allow. Where they allow more than there are, nothing is left for clerical review.

        Returns
        -------
        (float, float)
            A pair is linked where its index is at least the first, not linked where it is below the second.
        """
        self._check_fitted()
        bits, _ = self._patterns
        weights = self._index(bits.T.astype(float))
        m, u = (
            np.where(bits, values.to_numpy(), 1 - values.to_numpy()).prod(axis=1)
            for values in (self.m_, self.u_)
        )
        # Patterns of equal weight are decided alike.
        values, kinds = np.unique(-weights, return_inverse=True)
        linked = np.cumsum(np.bincount(kinds, u)) <= false_links
        unlinked = np.cumsum(np.bincount(kinds, m)[::-1])[::-1] <= false_nonlinks
        upper = -values[linked].max() if linked.any() else np.inf
        lower = np.nextafter(-values[unlinked].min(), np.inf) if unlinked.any() else -np.inf
        return float(upper), float(min(lower, upper))

    def classify(
        self, original, masked=None, false_links=0.001, false_nonlinks=0.05, block_by=None
    ):
        """Sort the pairs into linked ones and ones for clerical review; the others, by far the most, are left out.

        Parameters
        ----------
        original, masked, block_by
            As for `fit`.
        false_links, false_nonlinks : float
            As for `thresholds`.

        Returns
        -------
        DataFrame
            A row a pair: `original` and `masked` (labels; of one file, `original` is the earlier record), `weight` and
            `class`, ``"linked"`` or ``"clerical"``, from the largest weight down.
        """
        upper, lower = self.thresholds(false_links, false_nonlinks)
        other = original if masked is None else masked
        a, b, index = self._coordinates(original, other)
        parts = []
        for i, j in _pairs(original, masked, block_by):
            weights = index(a[i], b[j])
            kept = np.nonzero(weights >= lower)
            i, j = (places[kept] for places in np.broadcast_arrays(i, j))
            parts.append(
                pd.DataFrame(
                    {
                        "original": original.index[i],
                        "masked": other.index[j],
                        "weight": weights[kept],
                    }
                )
            )
        pairs = pd.concat(parts, ignore_index=True)
        pairs["class"] = np.where(pairs["weight"] >= upper, "linked", "clerical")
        return pairs.sort_values("weight", ascending=False, kind="stable", ignore_index=True)

    def distance_(self, original, masked):
        """The index with its sign turned, a distance for `rlpaper.linkage.distance`."""
        self._check_columns(original)
        n = len(self.variables_)
        if not self.prorate and n <= TABLE:
            a, b, agree = self._prepared(original, masked)
            if all(
                compare is np.equal for compare in agree
            ):  # then a pattern is all that there is to know
                return Coordinates(
                    a,
                    b,
                    ByPattern(-self._index(_bits(np.arange(1 << n), n).T.astype(float))),
                    squared=False,
                )
        if self.prorate:
            a, b, spread = _spread(original, masked)
            return Coordinates(
                a,
                b,
                lambda x, y: -_rounded(_prorated(x, y, spread, *self._weights())),
                squared=False,
            )
        a, b, index = self._coordinates(original, masked)
        return Coordinates(a, b, lambda x, y: -index(x[:, None], y[None, :]), squared=False)

    def _check_columns(self, original):
        self._check_fitted()
        if list(original.columns) != self.variables_:
            raise ValueError(
                f"the probabilities are those of {self.variables_}, the files have {list(original.columns)}"
            )

    def _coordinates(self, original, masked):
        """Both files as numbers, and the index of records of them."""
        self._check_columns(original)
        if not self.prorate:
            a, b, agree = self._prepared(original, masked)
            return a, b, lambda x, y: self._index(_agreements(x, y, agree))
        a, b, spread = _spread(original, masked)

        def nearness(v):
            return lambda x, y: np.maximum(0, 1 - np.abs(x - y) / spread[v])

        agree = [nearness(v) for v in range(len(spread))]
        return a, b, lambda x, y: self._index(_agreements(x, y, agree))

    def _index(self, shares):
        """The index, in bits, of pairs of which each variable in turn agrees by these shares."""
        total = 0.0
        with np.errstate(invalid="ignore"):
            for share, gain, loss in zip(shares, *self._weights()):
                total = (
                    total
                    + np.where(share == 0, 0, share * gain)
                    + np.where(share == 1, 0, (1 - share) * loss)
                )
        return _rounded(total)

    def _weights(self):
        """What each variable adds to the index where it agrees, and where it does not, in bits."""
        m, u = self.m_.to_numpy(), self.u_.to_numpy()
        with np.errstate(divide="ignore", invalid="ignore"):
            return arithmetic.log2(m / u), arithmetic.log2((1 - m) / (1 - u))

    def _prepared(self, original, masked):
        """Both files as numbers, and how each variable's are compared."""
        if not isinstance(self.comparisons, dict):
            a, b, agree = (self.comparisons or exact())(original, masked)
            return a, b, [agree] * len(self.variables_)
        if set(self.comparisons) != set(self.variables_):
            raise ValueError(
                f"comparisons name {sorted(map(str, self.comparisons))}, the files have "
                f"{sorted(map(str, self.variables_))}; give one for each column"
            )
        prepared = [
            self.comparisons[name](original[[name]], masked[[name]]) for name in self.variables_
        ]
        return *(np.hstack(columns) for columns in list(zip(*prepared))[:2]), [
            agree for _, _, agree in prepared
        ]

    def _check_fitted(self):
        if not hasattr(self, "m_"):
            raise ValueError("the probabilities are not estimated yet; call fit first")


def estimate(
    patterns,
    pairs,
    start=(0.9, 0.1, 0.1),
    guard=1e-6,
    tolerance=1e-6,
    max_iterations=1000,
    fixed=None,
):
    """EM for two classes of agreement patterns under conditional independence.

    Parameters
    ----------
    patterns : array of bool
        A row a pattern, a column a variable.
    pairs : array
        How many pairs have each pattern.
    start, guard, tolerance, max_iterations
        As for `FellegiSunter`.
    fixed : (u, p), optional
        Known beforehand, so that only m is estimated.

    Returns
    -------
    list of (m, u, p), bool
        The start and what each step gave; whether the last step moved nothing by more than the tolerance.
    """
    n = patterns.shape[1]
    u, p = (np.full(n, float(start[1])), float(start[2])) if fixed is None else fixed
    if guard is not None:
        u = np.clip(u, guard, 1 - guard)
    ms, us, ps = (
        np.empty((max_iterations + 1, n)),
        np.empty((max_iterations + 1, n)),
        np.empty(max_iterations + 1),
    )
    ms[0], us[0], ps[0] = start[0], u, p
    last, converged = _estimate(
        np.ascontiguousarray(patterns),
        pairs.astype(float),
        -1.0 if guard is None else float(guard),
        float(tolerance),
        fixed is not None,
        ms,
        us,
        ps,
    )
    return [(ms[step], us[step], float(ps[step])) for step in range(last + 1)], bool(converged)


@compiled
def _estimate(patterns, pairs, guard, tolerance, only_m, ms, us, ps):
    """The steps of `estimate`, written to m, u and p from the second on: number of the last, and whether it moved nothing.

    All sums are taken in the order of the patterns, so that every processor gives the same digits.
    """
    n, total = patterns.shape[1], pairs.sum()
    agree_same, agree_other = np.empty(n), np.empty(n)
    for step in range(1, len(ps)):
        m, u, p = ms[step - 1], us[step - 1], ps[step - 1]
        agree_same[:], agree_other[:] = 0.0, 0.0
        all_same = all_other = 0.0
        for row in range(len(patterns)):
            same, other = p, 1 - p
            for v in range(n):
                same *= m[v] if patterns[row, v] else 1 - m[v]
                other *= u[v] if patterns[row, v] else 1 - u[v]
            # Without a guard a pattern may be impossible in both classes.
            share = same / (same + other) if same + other > 0 else 0.0
            same, other = pairs[row] * share, pairs[row] * (1 - share)
            all_same, all_other = all_same + same, all_other + other
            for v in range(n):
                if patterns[row, v]:
                    agree_same[v] += same
                    agree_other[v] += other
        moved = 0.0
        for v in range(n):
            ms[step, v] = agree_same[v] / max(all_same, TINY)
            us[step, v] = u[v] if only_m else agree_other[v] / max(all_other, TINY)
            if guard >= 0:
                ms[step, v] = min(max(ms[step, v], guard), 1 - guard)
                us[step, v] = min(max(us[step, v], guard), 1 - guard)
            moved = max(moved, abs(ms[step, v] - m[v]), abs(us[step, v] - u[v]))
        ps[step] = p if only_m else all_same / total
        if max(moved, abs(ps[step] - p)) <= tolerance:
            return step, True
    return len(ps) - 1, False


def responsibilities(patterns, m, u, p):
    """Probabilities that a pair with each pattern is of the same individual, and that it is not."""
    same = p * np.where(patterns, m, 1 - m).prod(axis=1)
    other = (1 - p) * np.where(patterns, u, 1 - u).prod(axis=1)
    total = same + other
    # Without a guard a pattern may be impossible in both classes.
    share = np.divide(same, total, out=np.zeros_like(total), where=total > 0)
    return share, 1 - share


def _spread(original, masked):
    """Both files as numbers, and the range of each variable over both, 1 where it is constant."""
    a, b = _numbers(original), _numbers(masked)
    both = np.vstack([a, b])
    both[np.isinf(both)] = np.nan
    spread = np.nanmax(both, axis=0) - np.nanmin(both, axis=0)
    spread[spread == 0] = 1
    return a, b, spread


def _prorated(x, y, spread, agreement, disagreement):
    """The index of all pairs of two arrays, not rounded, where numbers that nearly agree add part of the weight."""
    table = np.empty((len(x), len(y)))
    _fill_prorated(
        np.ascontiguousarray(x), np.ascontiguousarray(y), spread, agreement, disagreement, table
    )
    return table


@compiled
def _fill_prorated(x, y, spread, agreement, disagreement, table):
    for row in range(len(x)):
        for column in range(len(y)):
            total = 0.0
            for v in range(len(spread)):
                share = 0.0
                if abs(x[row, v]) < np.inf and abs(y[column, v]) < np.inf:
                    share = 1 - abs(x[row, v] - y[column, v]) / spread[v]
                    if share < 0:
                        share = 0.0
                if share != 0:
                    total += share * agreement[v]
                if share != 1:
                    total += (1 - share) * disagreement[v]
            table[row, column] = total


def _rounded(index):
    """Sums of different weights that are equal differ in their last digits. Without a guard an index may be infinite for and
    against at once; it then comes last."""
    return np.where(np.isnan(index), -np.inf, np.round(index, 9))


def _agreements(x, y, agree):
    """By how much records agree, one variable after the other; x and y have the variables in their last axis."""
    for v, compare in enumerate(agree):
        a, b = x[..., v], y[..., v]
        with np.errstate(invalid="ignore"):
            yield np.where(np.isfinite(a) & np.isfinite(b), compare(a, b), 0.0)


def _counted_across(a, b, agree):
    """`_counted` for all pairs of two files; equal records are compared once."""
    (kind_a, copies_a), (kind_b, copies_b) = _search.kinds(a), _search.kinds(b)
    a, b = a[_search.first_two(kind_a)[0]], b[_search.first_two(kind_b)[0]]
    if a.shape[1] <= TABLE and all(compare is np.equal for compare in agree):
        counts = exhaustive.count_patterns(a, b, copies_a, copies_b)
        codes = np.flatnonzero(counts)
        return codes, counts[codes]
    return _counted((a, b, agree), _pairs(a, b, None), (copies_a, copies_b))


def _counted(compared, chunks, copies=None):
    """The patterns that occur, as numbers whose bit v says whether variable v agrees, and how many pairs have each; `copies`
    says how many records each record stands for."""
    a, b, agree = compared
    counts = Counter()
    for i, j in chunks:
        codes = np.int64(0)
        for v, agreement in enumerate(_agreements(a[i], b[j], agree)):
            codes = codes | agreement.astype(np.int64) << v
        times = None if copies is None else (copies[0][i] * copies[1][j]).ravel()
        if len(agree) <= TABLE:
            found = np.bincount(codes.ravel(), times, minlength=1 << len(agree))
            counts.update({int(code): int(found[code]) for code in np.flatnonzero(found)})
        else:
            values, place = np.unique(codes, return_inverse=True)
            counts.update(
                dict(zip(values.tolist(), np.bincount(place.ravel(), times).astype(int).tolist()))
            )
    if not counts:
        raise ValueError("there is no pair to compare; give larger files or wider blocks")
    codes = sorted(counts)
    return np.array(codes), np.array([counts[code] for code in codes])


def _bits(codes, n):
    return (codes[:, None] >> np.arange(n) & 1).astype(bool)


def _pairs(original, masked, block_by):
    """Places of the records to compare, in portions: arrays that broadcast to pairs."""
    if block_by is not None:
        first, second = _blocked(original, masked, block_by)
        for begin in range(0, len(first), PAIRS):
            yield first[begin : begin + PAIRS], second[begin : begin + PAIRS]
        return
    n = len(original if masked is None else masked)
    size = max(1, PAIRS // max(1, n))
    for begin in range(0, len(original), size):
        rows = np.arange(begin, min(begin + size, len(original)))
        if masked is not None:
            yield rows[:, None], np.arange(n)[None, :]
        else:
            yield tuple(
                np.concatenate(places)
                for places in (
                    [np.full(n - row - 1, row) for row in rows],
                    [np.arange(row + 1, n) for row in rows],
                )
            )


def _blocked(original, masked, block_by):
    """Places of the pairs that agree in all columns of at least one list, each pair once."""
    other = original if masked is None else masked
    found = []
    for columns in block_by:
        a, b = (
            file[columns].reset_index(drop=True).dropna().rename_axis("place").reset_index()
            for file in (original, other)
        )
        both = a.merge(b, on=columns)
        found.append(both["place_x"].to_numpy() * len(other) + both["place_y"].to_numpy())
    codes = np.unique(np.concatenate(found))
    first, second = codes // len(other), codes % len(other)
    kept = first < second if masked is None else np.full(len(codes), True)
    return first[kept], second[kept]


def _as_weights(links):
    weights = {column: -links[column] for column in links if column.endswith("distance")}
    return links.assign(**weights).rename(columns=lambda name: name.replace("distance", "weight"))
