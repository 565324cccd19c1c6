"""What an operator learns from two files, as numbers: both our solver and `milp` start from it."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ._pairs import Pairs
from ._problem import Problem, assemble, possible_rows
from ._solver import weightings
from ._worst import WIDTH

MAX_ASSEMBLED_PAIRS = 2_000_000  # pairs of records up to which all rows are assembled
MAX_WHOLE_COLUMNS = WIDTH  # of a file with more pairs, whose rows are found where they are needed


@dataclass(frozen=True)
class Formulation:
    """A distance linear in its parameters, between the records of two files.

    The distance of linking record i and candidate j is ``theta . features(linking[i] -
    candidates[j])``. The allowed theta form a cone, so that every distance can be multiplied by a
    positive number.

    Attributes
    ----------
    linking, candidates : array
        The two files as numbers, one row per record.
    partner : array
        Number of each linking record's own candidate, -1 if it has none.
    features : callable
        ``features(differences)``: by what the parameters are multiplied. The last axis goes over
        variables before, and over parameters after.
    lower : array
        Least value of each parameter, 0 or -1, where the largest is 1.
    normalisations : array
        Every direction of the cone, scaled, has one of these parameters equal to 1 (or to -1, if
        given as ``~k``).
    own_constraints : int
        Constraints on the parameters alone, as the papers count them.
    cone : array
        Rows that must not be negative.
    violated_rows : callable, optional
        ``violated_rows(theta)``: rows of further constraints that theta violates. There may be too
        many to list, such as those of a positive semidefinite matrix.
    sum_to_one : array of bool, optional
        Parameters whose sum is 1 in the papers; None where they state no scale.
    columns : list, optional
        Where the distance is a weighted sum over columns: how each is compared, see
        `rlpaper.distances.prepared_files.COMPARISONS`, and what divides that. Of large files, rows
        are then found where they are needed.
    """

    linking: np.ndarray
    candidates: np.ndarray
    partner: np.ndarray
    features: Callable[[np.ndarray], np.ndarray]
    lower: np.ndarray
    normalisations: np.ndarray
    own_constraints: int
    cone: np.ndarray = field(default_factory=lambda: np.empty((0, 0)))
    violated_rows: Callable[[np.ndarray], np.ndarray] | None = None
    sum_to_one: np.ndarray | None = None
    columns: list | None = None

    def features_of(self, record: int) -> np.ndarray:
        """Return the features of a linking record and every candidate, one row per candidate."""
        return self.features(self.linking[record] - self.candidates)

    def problem(self) -> Problem:
        """Return the learning problem, without the rows and blocks that cannot matter.

        Notes
        -----
        Where all parameters are 0 or more, a row without a negative coefficient holds in the
        interior of the cone, and a row that is nowhere below another of its block is implied by
        it. A block with a row that is nowhere positive is out.

        Of large files only the rows of the wrong candidates that are nearest at some weights are
        there. A record that has no row with a negative coefficient among them counts as linked by
        all weights, which can only raise the bound.
        """
        group_of = np.unique(self.linking, axis=0, return_inverse=True)[1].ravel()
        records = np.argsort(group_of, kind="stable")
        records = records[self.partner[records] >= 0]
        d, pairs = len(self.lower), None
        if (
            self.columns is not None
            and len(self.linking) * len(self.candidates) > MAX_ASSEMBLED_PAIRS
            and d <= MAX_WHOLE_COLUMNS
        ):
            pairs = Pairs(self.linking, self.candidates, self.partner, self.columns)
            found = pairs.blocks(records, weightings(d, np.ones(d), np.random.default_rng(0)))
        else:
            ordered = bool((self.lower >= 0).all())
            found = (
                possible_rows(
                    np.ascontiguousarray(self.features_of(record), float),
                    self.partner[record],
                    ordered,
                )
                for record in records
            )
        return assemble(
            zip(records, found, strict=True),
            group_of,
            lower=np.asarray(self.lower, float),
            normalisations=np.asarray(self.normalisations, int),
            cone=np.asarray(self.cone, float).reshape(-1, d),
            violated_rows=self.violated_rows,
            pairs=pairs,
        )
