"""The papers' own mixed-integer program, for a general solver: a reference for our solver.

With K_i = 1 for a record i that is given up, and one constant C for all rows (abril2012, equations
3 to 7)::

    minimise    sum_i K_i
    subject to  d(i, j) - d(i, i) + C K_i > 0   for every record i and every candidate j
                                                other than its own
                K_i is 0 or 1; the parameters of d are in their cone and have a scale

The papers let j run over all candidates; the row j = i would read C K_i > 0 and give everybody up.
"> 0" is written ">= epsilon", since solvers know no strict inequality and take 1e-6 for zero unless
told otherwise. Weights sum to 1, as do the Moebius values of a 2-additive measure; a fuzzy measure
is 1 for all variables; for a matrix the papers state no scale, and its entries lie between -1 and 1
(the zero matrix links nobody, so it does no harm).
"""

import itertools
import math
import re
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .._internal.extras import needed
from .._internal.validation import check_number, check_option, shown
from .base import Learner, check_limit
from .mahalanobis import Mahalanobis

pulp = needed("pulp", "milp")

EPSILON = 1e-6
TINY = float(np.finfo(float).tiny)
MAX_COEFFICIENT = 1e15  # that solvers take
FEASIBLE = 1e-9  # what the solvers take for zero; times the constant it must stay below epsilon


@dataclass(frozen=True)
class PaperSolution:
    """What a general solver leaves.

    Attributes
    ----------
    theta : array
        Parameters, as in `rlpaper.learning.formulation.Formulation`.
    linked : int
        Records that they link strictly, counted by the linkage code and not by the solver. It can
        be above the bound: solvers end where distances tie, and there rounding decides.
    bound : int
        No parameters link more by a margin of epsilon, says the solver's dual bound.
    status : {"optimal", "gap"}
        Optimal where `linked` reaches the bound.
    seconds : float
        PuLP's translation of the model included.
    """

    theta: np.ndarray
    linked: int
    bound: int
    status: str
    seconds: float


@dataclass
class PaperModel:
    """A mixed-integer program of a learner and two files; see `paper_model`.

    Attributes
    ----------
    learner : Learner
    files : (DataFrame, DataFrame)
        The original and the masked file.
    epsilon : float
        By how much a row is to be above zero.
    problem : pulp.LpProblem
    theta : list
        The program's variables for the parameters.
    always_linked : int
        Records that are linked whatever the parameters; the program leaves them out.
    constant : float
        C; the largest of them where every row has its own.
    given_up : list
        The program's variables for the records, 1 where a record is not linked.
    variables, constraints : int
        Their numbers. Bounds of single variables are not counted as constraints.
    """

    learner: Learner
    files: tuple[pd.DataFrame, pd.DataFrame]
    epsilon: float
    problem: Any
    theta: list
    always_linked: int = 0
    constant: float = 0.0
    given_up: list = field(default_factory=list)
    constraints: int = 0

    @property
    def variables(self) -> int:
        """Number of variables."""
        return len(self.theta) + len(self.given_up)

    def write_mps(self, path: str | Path) -> None:
        """Write the model to a file that other solvers read, as the papers did."""
        self.problem.writeMPS(str(path))

    def solve(self, solver: str = "highs", time_limit: float | None = None) -> PaperSolution:
        """Let a general solver find parameters, on one thread.

        Parameters
        ----------
        solver : {"highs", "cbc"}
        time_limit : float, optional
            Seconds.

        Returns
        -------
        PaperSolution
        """
        check_option("solver", solver, ("highs", "cbc"))
        check_limit("time_limit", time_limit, "seconds")
        begin = time.perf_counter()
        lost = (self._highs if solver == "highs" else self._cbc)(time_limit)
        seconds = time.perf_counter() - begin
        theta, linked = self._counted()
        # The dual bound is on the number given up, a whole number.
        lost = max(0, math.ceil(lost - 1e-6)) if math.isfinite(lost) else 0
        bound = self.always_linked + len(self.given_up) - lost
        return PaperSolution(theta, linked, bound, "optimal" if linked >= bound else "gap", seconds)

    def _highs(self, time_limit: float | None) -> float:
        self.problem.solve(
            pulp.HiGHS(
                msg=False,
                threads=1,
                timeLimit=time_limit,
                gapRel=0.0,
                mip_feasibility_tolerance=FEASIBLE,
                primal_feasibility_tolerance=FEASIBLE,
                dual_feasibility_tolerance=FEASIBLE,
            )
        )
        # PuLP says "Optimal" after a time limit too; the bound does not.
        return self.problem.solverModel.getInfo().mip_dual_bound if self.given_up else 0.0

    def _cbc(self, time_limit: float | None) -> float:
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "cbc.log"
            self.problem.solve(
                pulp.COIN_CMD(
                    path=pulp.PULP_CBC_CMD.pulp_cbc_path,
                    msg=False,
                    threads=1,
                    timeLimit=time_limit,
                    gapRel=0.0,
                    gapAbs=0.0,
                    options=[f"primalT {FEASIBLE}", f"integerT {FEASIBLE}"],
                    logPath=str(log),
                )
            )
            return _cbc_bound(log.read_text())

    def _counted(self) -> tuple[np.ndarray, int]:
        """Return the solver's parameters, and how many records they link; none if it found none."""
        values = [variable.varValue for variable in self.theta]
        found = self.problem.sol_status in (pulp.LpSolutionOptimal, pulp.LpSolutionIntegerFeasible)
        if not found or None in values:
            return np.full(len(values), np.nan), 0
        # Solvers leave bounds by their tolerance.
        theta = np.clip(values, [variable.lowBound for variable in self.theta], 1.0)
        if not theta.any():
            return theta, 0
        learner = self.learner.with_vector(*self.files, theta)
        return theta, int(learner.link(*self.files)["correct"].sum())

    def add_row(
        self, coefficients: list, sense: int, right: float, name: str, given_up: Sequence = ()
    ) -> None:
        """Add a row to the program, without its zeros."""
        terms = [pair for pair in zip(self.theta, coefficients, strict=True) if pair[1]]
        self.problem.addConstraint(
            pulp.LpConstraint(pulp.LpAffineExpression([*terms, *given_up]), sense, name, right)
        )
        self.constraints += 1

    def add_record(self, record: int, rows: np.ndarray, constants: np.ndarray) -> None:
        """Add a record: it may be given up, or all its rows hold.

        Each row has the constant that makes it hold in any case.
        """
        given_up = self.problem.add_variable(f"K_{record}", cat=pulp.LpBinary)
        self.given_up.append(given_up)
        pairs = zip(rows.tolist(), constants.tolist(), strict=True)
        for number, (row, constant) in enumerate(pairs):
            name, term = f"link_{record}_{number}", (given_up, constant)
            self.add_row(row, pulp.LpConstraintGE, self.epsilon, name, [term])


def paper_model(
    learner: Learner,
    original: pd.DataFrame,
    masked: pd.DataFrame,
    constant: float | None = None,
    epsilon: float = EPSILON,
    tightened: bool = False,
) -> PaperModel:
    """Write down the papers' mixed-integer program.

    Parameters
    ----------
    learner : Learner
        A learner of `rlpaper.learning`; its options count, and it is left as it is.
    original, masked : DataFrame
        As for `Learner.fit`.
    constant : float, optional
        C; by default the least that makes every row hold where K is 1.
    epsilon : float
        What "above 0" means: a row's least value where K is 0.
    tightened : bool
        Leave out the rows that cannot matter (see `Formulation.problem`) and give every row its own
        least constant. Rows are then scaled to a largest coefficient of 1, which epsilon refers to,
        and parameters that must not be negative are at least epsilon, since some rows left out hold
        above zero only.

    Returns
    -------
    PaperModel

    Examples
    --------
    >>> import pandas as pd
    >>> from rlpaper.learning import WeightedMean
    >>> original = pd.DataFrame({"age": [20, 40, 60, 80], "noise": [1, 2, 3, 4]})
    >>> masked = pd.DataFrame({"age": [22, 38, 62, 79], "noise": [3, 4, 1, 2]})
    >>> model = paper_model(WeightedMean(), original, masked)
    >>> model.variables, model.constraints
    (6, 13)
    >>> solution = model.solve()
    >>> solution.linked, solution.bound, solution.status
    (4, 4, 'optimal')
    """
    if not isinstance(learner, Learner):
        raise ValueError(f"learner is {shown(learner)}; give one such as WeightedMean()")
    if isinstance(learner, Mahalanobis) and learner.positive == "psd":
        raise ValueError(
            "a positive semidefinite matrix is not a linear constraint, and the papers' program is "
            "linear; use positive='data', or Mahalanobis.fit, which cuts"
        )
    above = "above 0, or the zero distance would link everybody, and at most 1"
    check_number("epsilon", epsilon, above, TINY, 1)
    if constant is not None:
        what = f"a number, 0 to {MAX_COEFFICIENT:g}, or None"
        check_number("constant", constant, what, 0, MAX_COEFFICIENT)
    check_option("tightened", tightened, (True, False))
    formulation = learner.formulation(original, masked)
    lower, whole, partner = formulation.lower, formulation.sum_to_one, formulation.partner
    problem = pulp.LpProblem("links", pulp.LpMinimize)
    least = np.where(lower == 0, epsilon, lower) if tightened else lower
    theta = [problem.add_variable(f"p_{k}", float(low), 1.0) for k, low in enumerate(least)]
    model = PaperModel(learner, (original, masked), epsilon, problem, theta)
    if tightened:
        matter = formulation.problem()
        model.always_linked = matter.always_linked
        records = matter.records
        blocks = [matter.rows[begin:end] for begin, end in itertools.pairwise(matter.starts)]
    else:
        records = np.flatnonzero(partner >= 0)
        blocks = [_rows(formulation.features_of(i), partner[i]) for i in records.tolist()]
    constants = [epsilon - _least(rows, lower, whole) for rows in blocks]
    largest = max((float(c.max(initial=0.0)) for c in constants), default=0.0)
    model.constant = largest if constant is None else constant
    for record, rows, own in zip(records, blocks, constants, strict=True):
        one_for_all = np.full(len(own), model.constant)
        model.add_record(record, rows, own if tightened and constant is None else one_for_all)
    problem.setObjective(pulp.LpAffineExpression([(k, 1) for k in model.given_up]))
    if whole is not None:
        model.add_row(whole.astype(float).tolist(), pulp.LpConstraintEQ, 1, "scale")
    for number, row in enumerate(formulation.cone.tolist()):
        model.add_row(row, pulp.LpConstraintGE, 0, f"cone_{number}")
    if formulation.violated_rows is not None:  # no distance of the files is negative
        for i in range(len(formulation.linking)):
            for j, row in enumerate(formulation.features_of(i).tolist()):
                model.add_row(row, pulp.LpConstraintGE, 0, f"distance_{i}_{j}")
    return model


def _rows(phi: np.ndarray, partner: int) -> np.ndarray:
    return np.delete(phi, partner, axis=0) - phi[partner]


def _least(rows: np.ndarray, lower: np.ndarray, whole: np.ndarray | None) -> np.ndarray:
    """Return a lower bound on each row over all parameters.

    It is exact for weights; for others it is over a box that holds them.
    """
    if whole is None or (lower < 0).any():
        return np.minimum(rows * lower, rows).sum(axis=1)
    return rows[:, whole].min(axis=1) + np.minimum(rows[:, ~whole], 0).sum(axis=1)


def _cbc_bound(log: str) -> float:
    """Return the bound on the objective that CBC's log proves; minus infinity if none."""
    stopped = re.search(r"^Lower bound:\s+(\S+)", log, re.M)
    if stopped:
        return float(stopped.group(1))
    proved = re.search(
        r"^Result - Optimal solution found$.*?^Objective value:\s+(\S+)", log, re.M | re.S
    )
    return float(proved.group(1)) if proved else -math.inf
