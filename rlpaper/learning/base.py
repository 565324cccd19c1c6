"""What the learned distances share: from two files to parameters, links and a certified bound."""

import time
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd

from .._internal.estimator import Estimator
from .._internal.hints import RandomState
from .._internal.magnitudes import exponents, near_one
from .._internal.rounding import LEARNED_SHARE, to_unit
from .._internal.validation import (
    check_comparable,
    check_files,
    check_list,
    check_number,
    check_option,
    random_generator,
)
from ..distances import PreparedFiles, standardised
from ..distances.numeric import check_moments
from ..linkage.nearest import DIRECTIONS, correct_links, link
from ._problem import TOLERANCE, Problem
from ._solver import METHODS, Solution, Solver
from ._worst import WIDTH
from .formulation import Formulation

MAX_BLOCK = 1 << 20  # numbers held at once
MAX_LIMIT = 1e18  # of seconds, and of rows
OUTSIDE = 1e-6  # how far a solver's rounding may put parameters out of their cone
MOMENTS = ("own", "original", "pooled", "fit")
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
        if self.method == "boxes":
            _check_boxes(formulation)
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
        other._take(original, masked, _vector(theta, self.formulation(original, masked)))
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
        check_comparable(original, masked)
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
        self._check_options()
        check_files(original, masked)
        moments = "own" if self.standardise == "fit" else self.standardise
        x, y, columns = self._numbers(original, masked, moments)
        if self.direction == "masked_to_original":
            return self._formulation(y, x, original.index.get_indexer(masked.index), columns)
        return self._formulation(x, y, masked.index.get_indexer(original.index), columns)

    def _check_options(self) -> None:
        """Refuse options that are none."""
        if isinstance(self.standardise, str):
            check_option("standardise", self.standardise, MOMENTS)
        else:
            check_moments(self.standardise)
        check_option("direction", self.direction, DIRECTIONS)
        check_number("gap", self.gap, "a share of the open records, between 0 and 1", 0, 1)
        check_limit("time_limit", self.time_limit, "seconds")
        check_limit("work_limit", self.work_limit, "a whole number of rows", whole=True)
        random_generator(self.random_state)
        if self.method is not None:
            check_option("method", self.method, METHODS)
        check_option("progress", self.progress, (True, False))

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


def check_limit(name: str, limit: float | None, what: str, whole: bool = False) -> None:
    """Refuse what is no limit."""
    if limit is not None:
        what = f"{what}, 0 to {MAX_LIMIT:g}, or None"
        check_number(name, limit, what, 0, MAX_LIMIT, whole=whole)


def _check_boxes(formulation: Formulation) -> None:
    """Refuse a problem that cannot be proved by boxes."""
    parameters = len(formulation.lower)
    if formulation.violated_rows is not None:
        raise ValueError(
            "method is 'boxes', which takes constraints that can be listed, and those of a matrix "
            "are too many; use 'cuts'"
        )
    if parameters > WIDTH:
        raise ValueError(
            f"method is 'boxes', which takes up to {WIDTH} parameters, and of these files there "
            f"are {parameters}; use 'cuts', or fewer columns"
        )


def _vector(theta: Any, formulation: Formulation) -> np.ndarray:
    """Return parameters as an array; refuse those that are not in the cone."""
    numbers, parameters = check_list("theta", theta), len(formulation.lower)
    if len(numbers) != parameters:
        raise ValueError(
            f"theta has the length {len(numbers)}; of files with these columns there are "
            f"{parameters} parameters"
        )
    for number in numbers:
        check_number("a number of theta", number, "a parameter of the distance, finite")
    vector = np.array(numbers, float)
    vector = near_one(vector, exponents(vector[:, None])[0])
    largest = np.abs(vector).max()
    if not largest:
        raise ValueError("theta is 0 everywhere, and so would be all distances; give another")
    broken = formulation.cone @ vector < -OUTSIDE * largest
    if (vector < (formulation.lower - OUTSIDE) * largest).any() or broken.any():
        raise ValueError(
            "theta is not among the parameters that this distance may have: they are not negative, "
            "and a measure grows with the set; see Formulation"
        )
    return np.maximum(vector, formulation.lower * largest)
