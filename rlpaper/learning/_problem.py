"""The one learning problem: which parameters link the most records.

A distance that is linear in its parameters, ``d(i, j) = theta . phi(i, j)``, links record i to its
own partner when ``theta . (phi(i, j) - phi(i, i)) > 0`` for every other candidate j. These rows of
coefficients are the *block* of record i; a block is *linked* by theta when all its rows are
positive. The problem: which theta of a cone links the most blocks? Since a distance may be
multiplied by any positive number, theta is taken with its largest absolute value equal to 1.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from .._internal.jit import compiled

#: A row counts as positive above this, with its largest coefficient and the largest parameter
#: scaled to 1. Closer to zero, rounding in the data decides.
TOLERANCE = 1e-9
UNDECIDED = "rounding leaves the search without an answer; the bound proved so far stands"


class UndecidedError(ArithmeticError):
    """What rounding leaves without an answer."""


@dataclass(frozen=True)
class Problem:
    """Blocks of rows over a cone.

    Attributes
    ----------
    rows : array
        The rows of all open blocks, each scaled to a largest absolute coefficient of 1.
    starts : array
        Block b has the rows ``starts[b]:starts[b + 1]``.
    group : array
        The group of each block, in order: blocks of equal records, of which at most one can be
        linked at a time.
    records : array
        The record that each open block belongs to.
    always_linked : int
        Records that every theta in the cone links.
    lower : array
        Least value of each parameter, 0 or -1; the largest is 1.
    normalisations : array
        Every direction of the cone, scaled, has one of these parameters equal to 1 (or to -1, if
        given as ``~k``).
    cone : array
        Rows that must not be negative.
    violated_rows : callable, optional
        ``violated_rows(theta)``: rows of further constraints that theta violates. There may be too
        many to list, such as those of a positive semidefinite matrix.
    pairs : rlpaper.learning._pairs.Pairs, optional
        Where `rows` are not all rows: the pairs of records to find the others among.
    """

    rows: np.ndarray
    starts: np.ndarray
    group: np.ndarray
    records: np.ndarray
    always_linked: int
    lower: np.ndarray
    normalisations: np.ndarray
    cone: np.ndarray
    violated_rows: Callable | None = None
    pairs: object = None

    @property
    def parameters(self):
        """Number of parameters."""
        return len(self.lower)

    @property
    def groups(self):
        """Number of groups."""
        return int(self.group[-1]) + 1 if len(self.group) else 0

    def box(self):
        """Return centre and half widths of a box that holds every direction of the cone."""
        centre, half = (1 + self.lower) / 2, (1 - self.lower) / 2
        if len(self.normalisations) == 1:
            centre[self.normalisations], half[self.normalisations] = 1.0, 0.0
        return centre, half

    def linked(self, theta):
        """Return how many records theta links, those that are always linked included."""
        theta = np.asarray(theta, float)
        if theta.shape != self.lower.shape:
            raise ValueError(
                f"theta has the shape {theta.shape}; there are {self.parameters} parameters"
            )
        largest = np.abs(theta).max()
        if not largest > 0:  # NaN too
            return 0
        return self.always_linked + int(self.linked_blocks(theta).sum())

    def linked_blocks(self, theta):
        """Say which open blocks theta links."""
        theta = np.asarray(theta, float) / np.abs(theta).max()
        return worst_rows(self.rows, self.starts, theta) < 0

    def violated(self, theta):
        """Return the open blocks that theta does not link, and the worst row of each.

        Rows that are not listed are included.
        """
        theta = np.asarray(theta, float) / np.abs(theta).max()
        worst = worst_rows(self.rows, self.starts, theta)
        blocks = np.flatnonzero(worst >= 0)
        rows = self.rows[worst[blocks]]
        if self.pairs is not None:
            others = np.flatnonzero(worst < 0)
            nearest = self.pairs.rows(
                self.records[others],
                self.pairs.nearest_wrong(self.records[others], theta[None])[:, 0],
            )
            is_violated = worst_rows(nearest, np.arange(len(others) + 1), theta) >= 0
            blocks, rows = (
                np.r_[blocks, others[is_violated]],
                np.concatenate([rows, nearest[is_violated]]),
            )
            order = np.argsort(blocks, kind="stable")
            blocks, rows = blocks[order], rows[order]
        return blocks, rows

    def with_rows(self, blocks, rows):
        """Return the problem with one more row for each of some blocks."""
        order = np.argsort(
            np.r_[np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts)), blocks],
            kind="stable",
        )
        more = np.bincount(blocks, minlength=len(self.starts) - 1)
        return replace(
            self,
            rows=np.concatenate([self.rows, rows])[order],
            starts=self.starts + np.r_[0, np.cumsum(more)],
        )

    def linked_groups(self, theta):
        """Return how many groups theta links, counted on all rows, listed or not."""
        blocks, _ = self.violated(theta)
        return len(np.unique(np.delete(self.group, blocks)))

    def with_cuts(self, theta):
        """Return the problem with the constraints that theta violates added to the cone.

        It is the same one if there are none.
        """
        broken = self.violated_rows(theta) if self.violated_rows else ()
        return replace(self, cone=np.concatenate([self.cone, broken])) if len(broken) else self


def assemble(found, group_of, **cone):
    """Return the problem of some blocks.

    Parameters
    ----------
    found : iterable of (record, (possible, rows))
        Whether each linking record can be linked at all, and its rows; those of equal records one
        after the other.
    group_of : array
        Number of the group of equal records that each linking record is in.
    **cone
        As in `Problem`.
    """
    records, blocks, always_linked = [], [np.empty((0, len(cone["lower"])))], 0
    for record, (possible, rows) in found:
        if possible and len(rows):
            records.append(record)
            blocks.append(rows)
        else:
            always_linked += bool(possible)
    equal = group_of[np.array(records, int)]
    return Problem(
        np.concatenate(blocks),
        np.cumsum([len(rows) for rows in blocks]),
        np.cumsum(np.diff(equal, prepend=equal[:1]) != 0),
        np.array(records, int),
        always_linked,
        **cone,
    )


@compiled
def possible_rows(phi, own, ordered):
    """Return whether a record can be linked at all, and its rows, scaled.

    Where parameters are 0 or more (`ordered`), only rows that matter are returned.
    """
    rows, count = np.empty(phi.shape), 0
    for candidate in range(len(phi)):
        if candidate == own:
            continue
        scale, largest, least = 0.0, -np.inf, np.inf
        for k in range(phi.shape[1]):
            value = phi[candidate, k] - phi[own, k]
            rows[count, k] = value
            scale, largest, least = max(scale, abs(value)), max(largest, value), min(least, value)
        if scale == 0 or (ordered and largest <= 0):
            return False, rows[:0].copy()
        if least < 0 or not ordered:
            for k in range(phi.shape[1]):
                rows[count, k] /= scale
            count += 1
    return True, _minimal(rows[:count].copy()) if ordered else rows[:count].copy()


@compiled
def _minimal(rows):
    """Return the rows that are not at or above another one in every coefficient."""
    order = np.argsort(rows.sum(axis=1), kind="mergesort")
    kept, count = np.empty(len(rows), np.int64), 0
    for at in order:
        row = rows[at]
        free = True
        for other in range(count):
            smaller = rows[kept[other]]
            k = 0
            while k < len(row) and smaller[k] <= row[k]:
                k += 1
            if k == len(row):
                free = False
                break
        if free:
            kept[count] = at
            count += 1
    return rows[np.sort(kept[:count])]


@compiled
def worst_rows(rows, starts, theta, least=TOLERANCE):
    """Return the row of each block that is least at theta, -1 where it is above `least`."""
    worst = np.full(len(starts) - 1, -1)
    for block in range(len(starts) - 1):
        lowest = least
        for row in range(starts[block], starts[block + 1]):
            value = 0.0
            for k in range(rows.shape[1]):
                value += rows[row, k] * theta[k]
            if value <= lowest:
                worst[block], lowest = row, value
    return worst
