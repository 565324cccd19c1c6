"""What the learned distances share: from two files to parameters, links and a certified bound."""

import time
from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd

from .._internal.estimator import Estimator
from .._internal.hints import RandomState
from .._internal.rounding import LEARNED_SHARE, to_unit
from .._internal.validation import check_files, check_option
from ..distances import PreparedFiles, standardised
from ..linkage.nearest import DIRECTIONS, correct_links, link
from ._problem import TOLERANCE, Problem
from ._solver import METHODS, Solution, Solver
from .formulation import Formulation

MAX_BLOCK = 1 << 20  # numbers held at once
SOLVER_OPTIONS = ("time_limit", "gap", "work_limit", "random_state", "method", "progress")


@dataclass(eq=False, repr=False, kw_only=True)
class Learner(Estimator):
    """A distance whose parameters are learned; see `rlpaper.learning` for those that there are.

    Each of them says what its distance is made of (`_features`), which parameters are allowed
    (`_formulation`), and how parameters are named (`_from_vector`, `_to_vector`). It is a dataclass
    with ``eq=False, repr=False``, and its options are the fields.

    Parameters
    ----------
    standardise : {"own", "original", "pooled", "fit", None} or pair of frames
        Whose moments standardise the variables, see `rlpaper.distances.dbrl1`; ``"fit"`` takes
        those of the files given to `fit`, each its own, also when other records are linked.
    direction : {"masked_to_original", "original_to_masked"}
        Each masked record is linked to an original one, or the reverse.
    time_limit : float, optional
        Seconds; then, or at an interrupt from the keyboard, the best parameters known and the bound
        proved so far are returned.
    gap : float
        Stop when at most this share of the open records separates what is linked from the bound.
    work_limit : int, optional
        As `time_limit`, but in rows looked at: the same answer on every machine.
    random_state : int or Generator
        For the search of good parameters. The bound holds whatever is drawn.
    method : {"boxes", "cuts"}, optional
        How to prove. By default, by boxes where parameters have no other constraint than not to
        be negative and are at most 8, as the weights of a mean; else by cuts. Each is far ahead of
        the other there, by trial.
    progress : bool
        Show a progress bar after the first second.

    Attributes
    ----------
    parameters_ : Series or DataFrame
        What was learned.
    linked_ : int
        Records of the linking file that are linked correctly (strictly), counted by `link` with
        `parameters_`.
    bound_ : int
        No parameters link more, by a margin above `tolerance_`.
    tolerance_ : float
    status_ : {"optimal", "gap"}
    seconds_, cpu_seconds_ : float
        On the clock, and of processor time, in which other work on the machine does not count.
    seconds_to_best_ : float
        Until the best parameters were found; the rest is proof.
    work_ : int
        Rows looked at in the proof.
    records_ : int
        Records of the linking file.
    variables_ : list
        Columns of the files.
    moments_
        Whose moments standardise files that are linked: as `standardise`, or the files given to
        `fit`.
    size_ : dict
        Variables and constraints of the papers' formulation, and of ours; the rows that matter are
        those assembled, of large files those that were found.
    """

    standardise: str | tuple[pd.DataFrame, pd.DataFrame] | None = "own"
    direction: str = "masked_to_original"
    time_limit: float | None = None
    gap: float = 0.0
    work_limit: int | None = None
    random_state: RandomState = 0
    method: str | None = None
    progress: bool = True

    def fit(self, original: pd.DataFrame, masked: pd.DataFrame) -> Self:
        """Learn the parameters that link the most records.

        Parameters
        ----------
        original, masked : DataFrame
            As for `rlpaper.linkage.link`: numeric columns (`WeightedMean` takes categorical ones
            too), the same in both files; who is who is said by the index.
        """
        begin, cpu_begin = time.perf_counter(), time.process_time()
        formulation = self.formulation(original, masked)
        solution, problem = self._solution(formulation)
        self.seconds_ = time.perf_counter() - begin
        self.cpu_seconds_ = time.process_time() - cpu_begin
        self.seconds_to_best_ = self.seconds_ - solution.seconds + solution.to_best
        self._take(original, masked, solution.theta)
        self.linked_ = int(self.correct_links(original, masked).sum())
        self.bound_, self.tolerance_, self.work_ = solution.bound, TOLERANCE, solution.work
        self.status_ = "optimal" if self.linked_ >= self.bound_ else "gap"
        N, own = len(formulation.linking), formulation.own_constraints
        self.records_ = N
        self.size_ = {
            "variables": N + problem.parameters,
            "constraints in the paper": N * N + N + own,
            "constraints": N * (N - 1) + own,
            "rows that matter": len(problem.rows) + len(problem.cone),
        }
        return self

    def with_vector(self, original: pd.DataFrame, masked: pd.DataFrame, theta: np.ndarray) -> Self:
        """Return a copy with parameters that were not learned, as if fitted to the files.

        `theta` is as in `Formulation`, at any scale.
        """
        other = type(self)(**self.get_params())
        other._take(original, masked, theta)
        return other

    def link(
        self, original: pd.DataFrame, masked: pd.DataFrame, ties: str = "strict"
    ) -> pd.DataFrame:
        """Link two files by the learned distance; see `rlpaper.linkage.link`."""
        return link(original, masked, self.distance, self.direction, ties)

    def correct_links(
        self, original: pd.DataFrame, masked: pd.DataFrame, ties: str = "strict"
    ) -> np.ndarray:
        """Say which records the learned distance links correctly.

        See `rlpaper.linkage.correct_links`.
        """
        return correct_links(original, masked, self.distance, self.direction, ties)

    def score(self, original: pd.DataFrame, masked: pd.DataFrame, ties: str = "strict") -> float:
        """Return the share of the linking records that the learned distance links correctly."""
        return float(self.correct_links(original, masked, ties).mean())

    def distance(self, original: pd.DataFrame, masked: pd.DataFrame) -> PreparedFiles:
        """Prepare two files for comparison by the learned distance, as a square.

        The method is a distance like those of `rlpaper.distances`, for `rlpaper.linkage.link`.
        """
        self._check_fitted(original)
        theta = self._to_vector()

        def matrix(a, b):
            table = np.empty((len(a), len(b)))
            size = max(1, MAX_BLOCK // (len(b) * len(theta)))
            for begin in range(0, len(a), size):
                # The learned rows are differences linking record - candidate, whichever file links.
                features = self._features(a[begin : begin + size, None, :] - b[None, :, :])
                # Summed in one order for every pair, unlike a matrix product: equal records stay
                # equally near.
                table[begin : begin + size] = 0.0
                for k, parameter in enumerate(theta):
                    table[begin : begin + size] += parameter * features[..., k]
            largest = max(np.abs(table).max(initial=0), np.finfo(float).tiny)
            return to_unit(table, LEARNED_SHARE * largest)

        x, y = standardised(original, masked, self.moments_)
        return PreparedFiles(x, y, matrix, squared=False)

    def formulation(self, original: pd.DataFrame, masked: pd.DataFrame) -> Formulation:
        """Return what is to be learned from two files, as numbers; options are checked."""
        check_option("direction", self.direction, DIRECTIONS)
        if self.method is not None:
            check_option("method", self.method, METHODS)
        for name in ("time_limit", "gap", "work_limit"):
            value = getattr(self, name)
            if value is not None and not value >= 0:
                raise ValueError(f"{name} is {value!r}; it is 0 or more")
        check_files(original, masked)
        moments = "own" if self.standardise == "fit" else self.standardise
        x, y, columns = self._numbers(original, masked, moments)
        if self.direction == "masked_to_original":
            return self._formulation(y, x, original.index.get_indexer(masked.index), columns)
        return self._formulation(x, y, masked.index.get_indexer(original.index), columns)

    def _formulation(self, linking, candidates, partner, columns=None) -> Formulation:
        """Return the formulation of two files that are arrays."""
        raise NotImplementedError

    def _features(self, differences: np.ndarray) -> np.ndarray:
        """Return, for differences of records in the last axis, what the parameters multiply."""
        raise NotImplementedError

    def _from_vector(self, theta: np.ndarray, variables: list) -> pd.Series | pd.DataFrame:
        """Return the parameters with the names of the variables."""
        raise NotImplementedError

    def _numbers(self, original, masked, moments):
        """Both files as arrays, and how their columns are compared if not as squares."""
        return *standardised(original, masked, moments), None

    def _take(self, original, masked, theta):
        """Take parameters as learned from two files."""
        self.variables_ = list(original.columns)
        self.moments_ = (original, masked) if self.standardise == "fit" else self.standardise
        self.parameters_ = self._from_vector(theta, self.variables_)

    def _to_vector(self):
        """Return what `_from_vector` made into `parameters_`."""
        return self.parameters_.to_numpy()

    def _solution(self, formulation) -> tuple[Solution, Problem]:
        begin, problem = time.perf_counter(), formulation.problem()
        starts = self._starts(formulation)
        limits = {name: getattr(self, name) for name in SOLVER_OPTIONS}
        if self.time_limit is not None:
            limits["time_limit"] = max(0.0, self.time_limit - (time.perf_counter() - begin))
        return Solver(problem, starts, **limits).solution(), problem

    def _starts(self, formulation):
        return [np.ones(len(formulation.lower))]

    def _learned(self):
        if not hasattr(self, "linked_"):
            return ""
        n = self.records_
        sure = (
            "proved: no parameters link more"
            if self.status_ == "optimal"
            else f"no parameters link more than {self.bound_} ({self.bound_ / n:.1%}): proved"
        )
        share = f"links {self.linked_} of {n} records ({self.linked_ / n:.1%})"
        return f"{share}, ties not counted; {sure}"
