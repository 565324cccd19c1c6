"""Proofs by cuts: small sets of blocks that cannot all be linked.

Where a set of blocks cannot be linked together, the linear program that says so
(`rlpaper.learning._lp`) leaves the few rows that contradict each other, at most one more than there
are parameters. Of the blocks that they belong to, one at least must be given up: a *cut*. The least
number of blocks that meets all cuts known, found by HiGHS, bounds what must be given up in all; if
what is left can be linked, it is optimal, and if not there are new cuts. (Combinatorial Benders
cuts, Codato and Fischetti 2006; implicit hitting sets.) The cost does not grow with the volume of
the parameter space, as that of boxes does, but with the number of records that are lost.
"""

import logging
from dataclasses import replace

import highspy
import numpy as np

from ._line_search import Climb
from ._lp import best_margin
from ._problem import TOLERANCE, UNDECIDED, UndecidedError, worst_rows

log = logging.getLogger(__name__)

LINES = 60  # of the climb from every point that a cut round ends at
MAX_NODES = 500  # of a master problem; its bound holds whether it is finished or not
MAX_NEW_ROWS = 40  # rows that join a linear program at a time


class CutSearch:
    """Cuts, round by round.

    Attributes
    ----------
    best, theta
        The best found so far.
    bound : int
        No more open blocks than this can be linked.
    work : int
        Rows looked at.
    """

    def __init__(self, problem, theta, best, random_state):
        self.problem, self.best, self.random_state = problem, best, random_state
        self.theta = np.array(theta, float)
        self._climb = Climb(problem)
        self.bound, self.work = problem.groups, 0
        self._blocks = len(problem.starts) - 1
        self._block_of = np.repeat(np.arange(self._blocks), np.diff(problem.starts))
        self._pool = np.zeros(len(problem.rows), bool)  # rows that ever mattered
        self._cuts, self._often = set(), np.zeros(self._blocks, int)
        self._exact = False
        self._master = self._new_master()

    def _new_master(self):
        """Make the program of what is given up: as few blocks as possible.

        Of each group all but one are given up.
        """
        master = highspy.Highs()
        master.silent()
        master.setOptionValue("threads", 1)
        master.setOptionValue("mip_max_nodes", MAX_NODES)
        for _ in range(self._blocks):
            master.addVar(0.0, 1.0)
        master.changeColsCost(
            self._blocks, np.arange(self._blocks, dtype=np.int32), np.ones(self._blocks)
        )
        for members in np.split(
            np.arange(self._blocks), np.flatnonzero(np.diff(self.problem.group)) + 1
        ):
            if len(members) > 1:
                self._add(master, members, len(members) - 1)
        return master

    @staticmethod
    def _add(master, blocks, least):
        master.addRow(
            float(least),
            highspy.kHighsInf,
            len(blocks),
            np.asarray(blocks, np.int32),
            np.ones(len(blocks)),
        )

    def step(self, seconds):
        """Go one round; return whether there is nothing more to find out.

        The master problem is relaxed to real numbers until that yields no more, then solved in
        whole numbers.
        """
        given_up, least = self._solve_master(seconds)
        self.bound = min(self.bound, self._blocks - least)
        if self.best >= self.bound:
            return True
        cuts, best = len(self._cuts), self.best
        try:
            self._cut_until_feasible(given_up)
        except UndecidedError:
            log.warning(UNDECIDED)
            return True
        if len(self._cuts) > cuts or self.best > best:
            return self.best >= self.bound
        # The master's choice can be linked: it is the best, or the master was not finished.
        if self._exact:
            return True
        self._exact = True
        whole = np.full(self._blocks, highspy.HighsVarType.kInteger)
        self._master.changeColsIntegrality(
            self._blocks, np.arange(self._blocks, dtype=np.int32), whole
        )
        return False

    def _solve_master(self, seconds):
        """Return the share of each block that is given up, and a lower bound on their number."""
        if np.isfinite(seconds):
            self._master.setOptionValue("time_limit", self._master.getRunTime() + max(seconds, 0.1))
        if self._exact:  # any choice that would beat the best known will do
            self._master.setOptionValue("objective_target", self._blocks - self.best - 0.5)
        self._master.run()
        information = self._master.getInfo()
        least = information.mip_dual_bound if self._exact else information.objective_function_value
        if not self._exact and self._master.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            least = 0.0
        solution = np.array(
            self._master.getSolution().col_value[: self._blocks] or np.zeros(self._blocks)
        )
        return solution, int(np.ceil(max(least, 0.0) - 1e-6))

    def _cut_until_feasible(self, given_up):
        """Give up a block of each contradiction found, until the rest can be linked.

        Looked at are the blocks that are kept. Each contradiction is a cut. What can be linked is
        where the next climb starts.
        """
        kept = given_up < (0.5 if self._exact else 0.999)
        while True:
            theta, contradiction = self._link_all(kept)
            if contradiction is None:
                self._climb.problem = replace(self._climb.problem, cone=self.problem.cone)
                found, best = self._climb(theta, LINES, self.random_state)
                self.problem = replace(self.problem, cone=self._climb.problem.cone)
                self.work += LINES * len(self.problem.rows)
                if best > self.best:
                    self.best, self.theta = best, found
                return
            blocks = np.unique(self._block_of[contradiction])
            if tuple(blocks) not in self._cuts:
                self._cuts.add(tuple(blocks))
                self._add(self._master, blocks, 1)
                self._often[blocks] += 1
            # The block that the relaxed master gives up most, among equals the one most often in
            # contradictions.
            kept[blocks[np.lexsort((blocks, -self._often[blocks], -given_up[blocks]))[0]]] = False

    def _link_all(self, kept):
        """Return parameters that link all blocks kept, or the rows that contradict each other."""
        centre, half = self.problem.box()
        while True:
            problem, theta = self.problem, self.theta
            chosen = np.flatnonzero(self._pool & kept[self._block_of])
            if len(chosen):
                rows = np.concatenate([problem.rows[chosen], problem.cone])
                theta, margin, bound, support, _ = best_margin(
                    rows, np.arange(len(rows)), len(problem.cone), centre, half, TOLERANCE
                )
                self.work += 20 * len(rows)
                if bound <= TOLERANCE:
                    return None, chosen[support[support < len(chosen)]]
                if margin <= TOLERANCE:
                    raise UndecidedError  # the margin is zero but for rounding
                self.problem = problem.with_cuts(theta)
                if self.problem is not problem:
                    continue
            worst = worst_rows(problem.rows, problem.starts, theta)
            self.work += len(problem.rows)
            violated = worst[(worst >= 0) & kept]
            if len(violated) == 0:
                return theta, None
            self._pool[violated[:MAX_NEW_ROWS]] = True
