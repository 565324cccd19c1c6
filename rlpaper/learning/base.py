"""What the learned distances have in common: from two files to parameters, links and a certified bound."""

import inspect
import time

import numpy as np

from .._internal.rounding import LEARNED_SHARE, to_unit
from .._internal.validation import check_files, check_option
from ..distances import PreparedFiles, standardised
from ..linkage.nearest import DIRECTIONS, correct_links, link
from ._problem import TOLERANCE, assemble
from ._solver import solve

BLOCK = 1 << 20  # numbers held at once


class Learner:
    """A distance whose parameters are learned; see `rlpaper.learning` for those that there are.

    One of them says what its distance is made of (`_features`, linear in the parameters), which
    parameters are allowed (`_cone`, `_separate`), and how to name them (`_named`, `_flat`).

    Parameters
    ----------
    standardise : {"own", "original", "pooled", "fit", None} or pair of frames
        Whose moments standardise the variables, see `rlpaper.distances.dbrl1`; ``"fit"`` takes
        those of the files given to `fit`, each its own, also when other records are linked.
    direction : {"masked_to_original", "original_to_masked"}
        Each masked record is linked to an original one, or the reverse.

    Attributes
    ----------
    parameters_ : Series or DataFrame
        What was learned.
    linked_ : int
        Records of the linking file that are linked right (strictly), counted by `link` with
        `parameters_`.
    bound_ : int
        No parameters link more, by a margin above `tolerance_`.
    status_ : {"optimal", "gap"}
    seconds_, cpu_seconds_ : float
        On the clock, and of processor time, in which other work on the machine does not count.
    seconds_to_best_ : float
        Until the best parameters were found; the rest is proof.
    records_ : int
        Records of the linking file.
    size_ : dict
        Variables and constraints of the papers' formulation, and of ours; the rows that matter are
        those assembled, of large files those that were found.
    """

    tolerance_ = TOLERANCE

    def __init__(self, standardise="own", direction="masked_to_original"):
        self.standardise, self.direction = standardise, direction

    def get_params(self, deep=True):
        """The options, by name."""
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    def set_params(self, **options):
        """Change options; returns self."""
        for name, value in options.items():
            if name not in self.get_params():
                raise ValueError(
                    f"{type(self).__name__} has no option {name!r}; it has {', '.join(self.get_params())}"
                )
            setattr(self, name, value)
        return self

    def __repr__(self):
        # A pair of frames is given for its moments, not to be looked at.
        shown = {
            name: "(frame, frame)" if isinstance(value, tuple) else repr(value)
            for name, value in self.get_params().items()
        }
        options = ", ".join(f"{name}={value}" for name, value in shown.items())
        return f"{type(self).__name__}({options}){self._learned()}"

    def _learned(self):
        """What was learned, and how sure that is, as a further line."""
        if not hasattr(self, "linked_"):
            return ""
        n = self.records_
        sure = (
            "proved: no parameters link more"
            if self.status_ == "optimal"
            else f"no parameters link more than {self.bound_} ({self.bound_ / n:.1%}): proved"
        )
        return f"\nlinks {self.linked_} of {n} records ({self.linked_ / n:.1%}), ties not counted; {sure}"

    def fit(
        self,
        original,
        masked,
        time_limit=None,
        gap=0.0,
        work_limit=None,
        random_state=0,
        method=None,
        progress=True,
    ):
        """Learn the parameters that link the most records.

        Parameters
        ----------
        original, masked : DataFrame
            As for `rlpaper.linkage.link`: numeric columns (`WeightedMean` takes categorical ones
            too), the same in both files; who is who is said by the index.
        time_limit, gap, work_limit, random_state, method, progress
            As for `rlpaper.learning._solver.solve`.
        """
        begin, cpu_begin = time.perf_counter(), time.process_time()
        a, b, partner = self._compared(original, masked)
        self._fitted = original, masked
        self.records_, self.variables_ = len(a), list(original.columns)
        limits = {
            "time_limit": time_limit,
            "gap": gap,
            "work_limit": work_limit,
            "random_state": random_state,
            "method": method,
            "progress": progress,
        }
        solution, problem = self._solve(a, b, partner, limits)
        self.seconds_, self.cpu_seconds_ = (
            time.perf_counter() - begin,
            time.process_time() - cpu_begin,
        )
        self.parameters_ = self._named(solution.theta)
        self.linked_ = int(self.correct_links(original, masked).sum())
        self.bound_ = solution.bound
        self.status_ = "optimal" if self.linked_ >= self.bound_ else "gap"
        self.seconds_to_best_ = self.seconds_ - solution.seconds + solution.to_best
        self.work_ = solution.work
        self.size_ = self._size(problem)
        return self

    def link(self, original, masked, ties="strict"):
        """Link two files by the learned distance; see `rlpaper.linkage.link`."""
        return link(original, masked, self.distance_, self.direction, ties)

    def correct_links(self, original, masked, ties="strict"):
        """Whether the learned distance links each record right; see `rlpaper.linkage.right`."""
        return correct_links(original, masked, self.distance_, self.direction, ties)

    def score(self, original, masked, ties="strict"):
        """Share of the linking records of two files that the learned distance links right."""
        return float(self.correct_links(original, masked, ties).mean())

    def distance_(self, original, masked):
        """The learned distance, as a square, for `rlpaper.linkage.link`."""
        self._check_fitted(original)
        theta = self._flat(self.parameters_)

        def matrix(a, b):
            table = np.empty((len(a), len(b)))
            size = max(1, BLOCK // (len(b) * len(theta)))
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

        return PreparedFiles(
            *self._numbers(original, masked, self._moments()), matrix, squared=False
        )

    def _moments(self):
        return self._fitted if self.standardise == "fit" else self.standardise

    def _check_fitted(self, original):
        if not hasattr(self, "parameters_"):
            raise ValueError(f"{self!r} has learned nothing yet; call fit with two files first")
        if list(original.columns) != self.variables_:
            raise ValueError(
                f"the distance was learned on {self.variables_}, the files have {list(original.columns)}"
            )

    def _check_options(self, n):
        """Refuse options that make no sense for n variables."""

    def _compared(self, original, masked):
        """Standardised linking records and candidates, and the number of each linking record's own candidate."""
        check_option("direction", self.direction, DIRECTIONS)
        check_files(original, masked)
        self._check_options(original.shape[1])
        x, y = self._numbers(
            original, masked, "own" if self.standardise == "fit" else self.standardise
        )
        if self.direction == "masked_to_original":
            return y, x, original.index.get_indexer(masked.index)
        return x, y, masked.index.get_indexer(original.index)

    def _numbers(self, original, masked, moments):
        """Both files as arrays, of whose differences the distance is made."""
        return standardised(original, masked, moments)

    def _problem(self, a, b, partner):
        lower, faces, cone = self._cone(a.shape[1])
        kinds = np.unique(a, axis=0, return_inverse=True)[1].ravel()
        return assemble(
            lambda i: self._features(a[i] - b),
            partner,
            kinds,
            lower,
            faces,
            cone,
            self._separate(a, b),
        )

    def _solve(self, a, b, partner, limits):
        begin, problem = time.perf_counter(), self._problem(a, b, partner)
        starts = self._starts(a, b, partner, limits)
        if limits["time_limit"] is not None:
            limits = {
                **limits,
                "time_limit": max(0.0, limits["time_limit"] - (time.perf_counter() - begin)),
            }
        return solve(problem, starts, **limits), problem

    def _separate(self, a, b):
        """Constraints that are too many to list; see `Problem.separate`."""

    def _starts(self, a, b, partner, limits):
        return [np.ones(len(self._cone(a.shape[1])[0]))]

    def _size(self, problem):
        n, d, N = len(self.variables_), problem.parameters, self.records_
        return {
            "variables": N + d,
            "constraints in the paper": N * N + N + self._own_constraints(n, N),
            "constraints": N * (N - 1) + self._own_constraints(n, N),
            "rows that matter": len(problem.rows) + len(problem.cone),
        }
