"""Proofs by branch and bound over boxes of parameters.

The search asks for parameters that link at least `target` open blocks, and either finds them or
proves that there are none. In a box a row that is positive everywhere is dropped; where one is
nowhere positive, its block is out; a block without rows is in. What is left bounds the links that
any point of the box can have: groups in, plus groups open, less what open blocks exclude of each
other (`rlpaper.learning._bounds`). Where all open groups would have to be linked to reach the
target, a small linear program looks for a point where they are (`rlpaper.learning._lp`). A box that
may still hold the target is halved. That is compiled: `_boxes` goes from box to box, `_open_rows`
finds what is open in one.

Fewer rows only make a block easier to link, so a proof on few rows is a proof. The search therefore
takes the rows that are worst at some weightings; a point that reaches the target is recounted on
all rows, and what it violates joins the search, which goes back to where the blocks in question
were last open.
"""

import numpy as np

from .._internal.arithmetic import product
from ._boxes import DONE, RECOUNT, ROOM, STUCK, Counters, advance
from ._open_rows import Joined, Scratch, Stack
from ._problem import TOLERANCE, UndecidedError, worst_rows
from ._worst import WIDTH, worst_rows_of

MAX_DEPTH = 2_000  # halvings


class BoxSearch:
    """Branch and bound, in instalments.

    Parameters
    ----------
    problem : Problem
        With at most `WIDTH` parameters, and all its constraints listed.
    best : int
        Open blocks that `theta` links.
    theta : array
    target : int
        Look for parameters that link at least so many open blocks.
    few : array of bool, optional
        The rows to begin with, some of every block; all unless given.
    improve : callable, optional
        ``improve(theta, linked)``: parameters that link no fewer, and how many; asked at every
        point that reaches the target.

    Attributes
    ----------
    best, theta
        The best found so far. The target rises with it: it is never below best + 1.
    target : int
        When the search is done, fewer open blocks than this can be linked.
    work : int
        Rows looked at so far.
    level : int
        How often the box at hand was halved.
    """

    def __init__(self, problem, best, theta, target, few=None, improve=None):
        self.problem, self.best, self._improve = problem, best, improve
        self.theta = np.array(theta, float)
        few = np.ones(len(problem.rows), bool) if few is None else few
        self._few = problem.rows[few]
        self._rows = np.ascontiguousarray(_padded(self._few).T)
        self._starts = (
            np.concatenate([[0], np.cumsum(np.add.reduceat(few, problem.starts[:-1]))])
            if len(few)
            else problem.starts
        )
        blocks, cone = len(problem.starts) - 1, len(problem.cone)
        self._counters = Counters(*np.zeros((len(Counters._fields), 1), np.int64))
        self._counters.target[0], self._counters.level[0] = target, -1
        self._stack = Stack(
            *np.empty((2, MAX_DEPTH, WIDTH)),
            *np.zeros((9, MAX_DEPTH), np.int64),
            np.empty((WIDTH, 4 * self._rows.shape[1] + cone + 16)),
            *np.empty((3, 60 * (blocks + 1)), np.int64),
        )
        self._stack.row[:, :cone] = _padded(problem.cone).T
        self._joined = Joined(
            np.empty((0, WIDTH)), *np.empty((2, 0), np.int64), np.full(blocks, -1)
        )
        self._scratch = Scratch(
            np.zeros(blocks, bool), np.empty(WIDTH), *np.empty((2, self._stack.row.shape[1]))
        )
        self._worst = worst_rows_of(blocks)

    target = property(lambda self: int(self._counters.target[0]))
    work = property(lambda self: int(self._counters.work[0]))
    level = property(lambda self: int(self._counters.level[0]))

    def run(self, work):
        """Go on until about so many more rows are looked at; return whether the search is done."""
        # A whole number: for another type numba would compile once more.
        until, p = self.work + int(work), self.problem
        while True:
            answer = advance(
                self._rows,
                self._starts,
                p.group,
                p.lower,
                p.normalisations,
                len(p.cone),
                self._counters,
                self._stack,
                self._joined,
                self._scratch,
                self._worst,
                until,
            )
            if answer == RECOUNT:
                self._recount(self._scratch.point[: p.parameters].copy())
            elif answer == ROOM:
                self._grow()
            elif answer == STUCK:
                raise UndecidedError(f"a box was halved {MAX_DEPTH} times")
            else:
                return answer == DONE

    def offer(self, theta, best):
        """Take parameters found elsewhere, if they link more than the best known."""
        if best > self.best:
            self.theta, self.best = theta, best
            self._counters.target[0] = max(self.target, best + 1)

    def _recount(self, theta):
        """Look at all rows at a point that reaches the target on few.

        Either it is the best known, or the rows that it violates join.
        """
        violated, rows = self.problem.violated(theta)
        linked = len(np.unique(np.delete(self.problem.group, violated)))
        if linked >= self.target:
            self.offer(*(self._improve(theta, linked) if self._improve else (theta, linked)))
            return
        joined = self._joined
        new = worst_rows(self._few, self._starts, theta)[violated] < 0
        broken = product(joined.rows[:, : len(theta)], theta) <= TOLERANCE
        new &= ~np.isin(violated, joined.block[broken])
        violated, rows = violated[new], rows[new]
        if len(violated) == 0:
            raise RuntimeError(
                "a point links more records on few rows than on all, and no row says why; please "
                "report the two files"
            )
        before = joined.newest[violated]
        joined.newest[violated] = len(joined.rows) + np.arange(len(violated))
        self._joined = Joined(
            np.concatenate([joined.rows, _padded(rows)]),
            np.r_[joined.block, violated],
            np.r_[joined.before, before],
            joined.newest,
        )
        self._return_to(violated)

    def _return_to(self, blocks):
        """Go back to the box, on the way to the present one, in which all of some blocks are open.

        Below, they were taken for linked.
        """
        stack, level = self._stack, self.level
        while not np.isin(
            blocks, stack.block[stack.blocks_from[level] : stack.blocks_to[level]]
        ).all():
            level -= 1
        if level < self.level:
            self._counters.level[0] = level
            stack.side[level] -= 1

    def _grow(self):
        """Make the arenas twice as large."""
        arenas = Stack._fields[Stack._fields.index("row") :]
        self._stack = self._stack._replace(
            **{
                name: np.concatenate([old, np.empty_like(old)], axis=-1)
                for name in arenas
                for old in [getattr(self._stack, name)]
            }
        )
        self._scratch = self._scratch._replace(
            value=np.empty(self._stack.row.shape[1]), radius=np.empty(self._stack.row.shape[1])
        )


def _padded(array):
    """Add columns of zeros up to the width."""
    return np.concatenate([array, np.zeros((*array.shape[:-1], WIDTH - array.shape[-1]))], axis=-1)
