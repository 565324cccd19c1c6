"""The best parameters, and a certified bound on how good any can be."""

import logging
import time
from dataclasses import dataclass

import numpy as np

from .._internal.arithmetic import exp, product
from .._internal.progress import progress_bar
from .._internal.validation import random_generator
from ._benders import CutSearch
from ._branch_and_bound import WIDTH, BoxSearch
from ._line_search import Climb
from ._lp import best_margin
from ._problem import TOLERANCE, UNDECIDED, UndecidedError, worst_rows

METHODS = ("boxes", "cuts")
log = logging.getLogger(__name__)

# Starts of the climb, lines per start, lines for the best of them; by trial.
STARTS, SHORT_CLIMB, LONG_CLIMB = 3, 100, 300
# Weightings around the best known and all over, whose worst rows a proof begins with; by trial.
AROUND, SPREAD = 8, 8
MAX_NEW_ROWS = 200  # that join the program of the largest margin at a time
ROUNDING = 1e-12  # what sums gather of it
ROUNDS = 4  # of a climb over rows that are not all listed
INSTALMENT = 250_000  # rows between looks at the clock; some hundredths of a second
# Halvings after which boxes shrink around ties, and cuts are tried for as much work again.
MAX_HALVINGS = 50
# Rows after which a climb begins at a new point, their growth, its lines; by trial.
FRESH, GROWTH, FRESH_CLIMB = 400_000, 1.5, 200


@dataclass(frozen=True)
class Solution:
    """What a search leaves.

    Attributes
    ----------
    theta : array
        Parameters of the best solution found, scaled to a largest absolute value of 1.
    bound : int
        No parameters of the cone link more records by a margin above the tolerance.
    seconds : float
    to_best : float
        Seconds until the best solution was found.
    work : int
        Rows looked at in the proof: a measure of cost that does not depend on the machine.
    """

    theta: np.ndarray
    bound: int
    seconds: float
    to_best: float
    work: int


def weightings(parameters, theta, random_state):
    """Return weights at which to look for rows.

    Equal ones, each parameter nearly alone, some around theta and some all over.
    """
    return np.concatenate(
        [
            np.ones((1, parameters)),
            theta[None],
            0.05 + np.eye(parameters),
            np.abs(theta) * exp(0.5 * random_state.standard_normal((AROUND, parameters))),
            random_state.standard_exponential((SPREAD, parameters)) ** 2,
        ]
    )


class Solver:
    """Maximise the number of linked records and prove it.

    Parameters
    ----------
    problem : Problem
    starts : list of arrays
        Parameters in the cone to begin with.
    time_limit, gap, work_limit, random_state, method, progress
        As for `rlpaper.learning.base.Learner`.
    """

    def __init__(
        self, problem, starts, time_limit, gap, work_limit, random_state, method, progress
    ):
        self.begin = time.perf_counter()
        self.problem, self.starts, self.progress = problem, starts, progress
        self.random_state = random_generator(random_state)
        self.until = self.begin + (np.inf if time_limit is None else time_limit)
        self.work_limit = np.inf if work_limit is None else work_limit
        self.slack = int(gap * problem.groups)
        plain = len(problem.cone) == 0 and problem.violated_rows is None
        self.method = method or ("boxes" if plain and problem.parameters <= WIDTH else "cuts")
        self.theta, self.best, self.bound = np.asarray(starts[0], float), 0, problem.groups
        self.to_best, self.work, self.fresh = 0.0, 0, FRESH
        self.tied = problem.pairs is not None

    def solution(self):
        """Search, prove, and return a `Solution`."""
        if self.problem.groups:
            try:
                self._climb()
                if self.best + self.slack < self.bound:
                    self._boxes() if self.method == "boxes" else self._cuts()
            except KeyboardInterrupt:
                log.warning(
                    "interrupted: the best parameters so far are returned, with the bound proved "
                    "so far"
                )
        self._centre()
        return Solution(
            self.theta,
            self.bound + self.problem.always_linked,
            time.perf_counter() - self.begin,
            self.to_best,
            self.work,
        )

    def _record(self, theta, best):
        if best > self.best:
            self.theta, self.best = np.array(theta, float), best
            self.to_best = time.perf_counter() - self.begin

    def _climb(self):
        """Make short climbs from several points, and a long one from the best."""
        self.climb, found = Climb(self.problem), []
        for number in range(max(STARTS, len(self.starts))):
            start = self.starts[number % len(self.starts)]
            theta, best = self._climbed(start, SHORT_CLIMB)
            found.append((best, -number, theta))
            self._record(theta, best)
            if self._out_of_time() or self.best == self.problem.groups:
                return
        self._record(*self._climbed(max(found)[2], LONG_CLIMB))

    def _climbed(self, start, lines):
        """Return where a climb ends, and how many groups that links, counted on all rows.

        Rows that are not listed join as they are violated.
        """
        theta, best = self.climb(start, lines, self.random_state)
        if self.problem.pairs is None:
            return theta, best
        best, best_theta = self.problem.linked_groups(start), start
        for _ in range(ROUNDS):
            blocks, rows = self.problem.violated(theta)
            linked = len(np.unique(np.delete(self.problem.group, blocks)))
            if linked > best:
                best, best_theta = linked, theta
            new = self.problem.linked_blocks(theta)[blocks]
            if not new.any():
                break
            self.problem = self.problem.with_rows(blocks[new], rows[new])
            self.climb = Climb(self.problem)
            theta, _ = self.climb(best_theta, lines, self.random_state)
        return best_theta, best

    def _boxes(self):
        """Search for one more link than is known, or for more than the gap allows.

        There is a bound early on, by cheaper searches for many more links: first, where time is
        limited or the file is large; else where half of the work that is allowed was not enough.
        """
        last = 1 + self.slack
        coarse = {max(last, self.problem.groups // share) for share in (10, 20, 50, 100)}
        searches = [(step, self.work_limit) for step in sorted({*coarse, last}, reverse=True)]
        if np.isinf(self.until) and self.problem.pairs is None:
            searches.insert(0, (last, self.work_limit / 2))
        for step, work_limit in searches:
            if self.best + step <= self.bound:
                self._search(step, work_limit)
            if self._out_of_time() or self.best + self.slack >= self.bound:
                return

    def _search(self, step, work_limit):
        """Look for so many more links than are known; if there are none, that is a bound."""
        problem, done = self.climb.problem, False
        search = BoxSearch(
            problem, self.best, self.theta, self.best + step, self._few_rows(), self._improved
        )
        with progress_bar(None, "proving", self.progress) as bar:
            while not done and self.work < work_limit and not self._out_of_time():
                before = search.work
                try:
                    done = search.run(min(INSTALMENT, work_limit - self.work))
                except UndecidedError:
                    log.warning(UNDECIDED)
                    work_limit = 0  # of boxes; cuts may still tell
                self.work += search.work - before
                bar.update(search.work - before)
                if not done and self.work >= self.fresh:
                    self.fresh *= GROWTH
                    start = self.random_state.standard_exponential(problem.parameters) ** 2
                    search.offer(*self._climbed(start, FRESH_CLIMB))
                self._record(search.theta, search.best)
                if not done and search.level > MAX_HALVINGS and not self.tied:
                    self.tied = True
                    self._cuts(2 * self.work)
                    if self.best + self.slack >= self.bound:
                        return
                    search.offer(self.theta, self.best)
        if done:
            self.bound = min(self.bound, search.target - 1)

    def _improved(self, theta, best):
        """Climb from a point that the search has found."""
        return max((self._climbed(theta, SHORT_CLIMB), (theta, best)), key=lambda found: found[1])

    def _few_rows(self):
        """Return which rows a search begins with; None for all, of large files.

        Those that were active in the last climb, and the worst of each block at some weightings.
        """
        problem = self.climb.problem
        if problem.pairs is not None:
            return None
        few = self.climb.active()
        for theta in weightings(problem.parameters, self.theta, self.random_state):
            few[worst_rows(problem.rows, problem.starts, theta / np.abs(theta).max(), np.inf)] = (
                True
            )
        return few

    def _cuts(self, work_limit=np.inf):
        search = CutSearch(self.problem, self.theta, self.best, self.random_state)
        done = False
        with progress_bar(None, "proving", self.progress) as bar:
            while (
                not done
                and not self._out_of_time()
                and self.work < work_limit
                and self.best + self.slack < self.bound
            ):
                before = search.work
                done = search.step(self.until - time.perf_counter())
                self.work += search.work - before
                bar.update(search.work - before)
                self._record(search.theta, search.best)
                self.bound = min(self.bound, search.bound)

    def _centre(self):
        """Move to where the linked records have the largest margin.

        Among parameters that link the same ones.
        """
        problem = self.problem
        linked = problem.linked_blocks(self.theta)
        if not linked.any():
            return
        rows = problem.rows[np.repeat(linked, np.diff(problem.starts))]
        # Parameters that are not negative are kept off zero: rows left out above hold in the
        # interior of the cone.
        rows = np.concatenate([rows, np.eye(problem.parameters)[problem.lower == 0]])
        theta, margin = _widest(rows, problem)
        if (
            margin > TOLERANCE
            and problem.with_cuts(theta) is problem
            and (problem.pairs is None or problem.linked_groups(theta) >= self.best)
        ):
            self.theta = theta / np.abs(theta).max()

    def _out_of_time(self):
        return time.perf_counter() >= self.until or self.work >= self.work_limit


def _widest(rows, problem):
    """Return the point of the cone with the largest margin over some rows, and that margin.

    Rows join the program as they fall below it.
    """
    centre, half = problem.box()
    theta, chosen = centre, np.zeros(len(rows), bool)
    chosen[np.argsort(product(rows, centre), kind="stable")[:MAX_NEW_ROWS]] = True
    while True:
        program = np.concatenate([rows[chosen], problem.cone])
        theta, margin, *_ = best_margin(
            program, np.arange(len(program)), len(problem.cone), centre, half, np.nan
        )
        below = np.flatnonzero((product(rows, theta) < margin - ROUNDING) & ~chosen)
        if len(below) == 0:
            return theta, margin
        chosen[below[np.argsort(product(rows[below], theta), kind="stable")[:MAX_NEW_ROWS]]] = True
