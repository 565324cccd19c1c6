"""What an operator learns from two files, as numbers: both our solver and `milp` start from it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .._internal.validation import MAX_SQUARED, check_list, check_number, check_option, shown
from ..distances.prepared_files import COMPARISONS
from ._pairs import Pairs
from ._problem import Problem, assemble, possible_rows
from ._solver import weightings
from ._worst import WIDTH

MAX_ASSEMBLED_PAIRS = 2_000_000  # pairs of records up to which all rows are assembled
MAX_WHOLE_COLUMNS = WIDTH  # of a file with more pairs, whose rows are found where they are needed
MAX_FEATURE = float(np.finfo(float).max) / 2  # up to which differences are finite
KINDS = {float: ("fiub", "numbers"), int: ("iu", "whole numbers"), bool: ("b", "booleans")}


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

    def __post_init__(self) -> None:
        """Refuse what is no formulation; compiled code takes arrays of one type."""
        linking = _array("linking", self.linking, float, (None, None))
        lower = _array("lower", self.lower, float, (None,), -1, 0)
        variables, d = linking.shape[1], len(lower)
        candidates = _array("candidates", self.candidates, float, (None, variables))
        last = len(candidates) - 1
        arrays = {
            "linking": linking,
            "candidates": candidates,
            "partner": _array("partner", self.partner, int, (len(linking),), -1, last),
            "lower": lower,
            "normalisations": _array(
                "normalisations", self.normalisations, int, (None,), -d, d - 1
            ),
            "cone": np.empty((0, d)),
        }
        if not isinstance(self.cone, np.ndarray) or self.cone.size:
            arrays["cone"] = _array("cone", self.cone, float, (None, d))
        if self.sum_to_one is not None:
            arrays["sum_to_one"] = _array("sum_to_one", self.sum_to_one, bool, (d,), 0, 1)
        for name, array in arrays.items():
            object.__setattr__(self, name, array)
        if not np.isin(lower, (-1, 0)).all():
            raise ValueError("lower has a number between -1 and 0; it is one of them")
        whole = "a whole number, 0 or more"
        check_number("own_constraints", self.own_constraints, whole, 0, whole=True)
        if not callable(self.features):
            raise ValueError(f"features is {shown(self.features)}; give a function")
        if not (self.violated_rows is None or callable(self.violated_rows)):
            raise ValueError(f"violated_rows is {shown(self.violated_rows)}; give a function")
        if self.columns is not None:
            _check_columns(self.columns, variables, d)

    def features_of(self, record: int) -> np.ndarray:
        """Return the features of a linking record and every candidate, one row per candidate."""
        last = len(self.linking) - 1
        what = f"the number of a linking record, 0 to {last}"
        check_number("record", record, what, 0, last, whole=True)
        features = self.features(self.linking[int(record)] - self.candidates)
        shape = len(self.candidates), len(self.lower)
        return _array("features", features, float, shape, -MAX_FEATURE, MAX_FEATURE)

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
            and len(self.candidates) > 1
            and d <= MAX_WHOLE_COLUMNS
        ):
            pairs = Pairs(self.linking, self.candidates, self.partner, self.columns)
            found = pairs.blocks(records, weightings(d, np.ones(d), np.random.default_rng(0)))
        else:
            ordered = bool((self.lower >= 0).all())
            found = (
                possible_rows(
                    np.ascontiguousarray(self.features_of(record)),
                    self.partner[record],
                    ordered,
                )
                for record in records
            )
        return assemble(
            zip(records, found, strict=True),
            group_of,
            lower=self.lower,
            normalisations=self.normalisations,
            cone=self.cone,
            violated_rows=self.violated_rows,
            pairs=pairs,
        )


def _array(
    name: str,
    values: Any,
    dtype: type,
    shape: tuple[int | None, ...],
    least: float = -MAX_SQUARED,
    largest: float = MAX_SQUARED,
) -> np.ndarray:
    """Return an array in a type; refuse another shape (None: 1 or more), and what is too large."""
    kinds, what = KINDS[dtype]
    if not isinstance(values, np.ndarray) or values.dtype.kind not in kinds:
        found = f"an array of {values.dtype}" if isinstance(values, np.ndarray) else shown(values)
        raise ValueError(f"{name} is {found}; give an array of {what}")
    if values.ndim != len(shape) or not all(
        length == needed if needed else length
        for length, needed in zip(values.shape, shape, strict=True)
    ):
        needs = ", ".join(str(needed or "1 or more") for needed in shape)
        raise ValueError(f"{name} has the shape {values.shape}; it needs ({needs})")
    with np.errstate(over="ignore"):
        numbers = np.asarray(values, float)
    wrong = ~((numbers >= least) & (numbers <= largest))
    if wrong.any():
        raise ValueError(
            f"{name} has the value {shown(values[wrong][0])}; its values are between {least:g} and "
            f"{largest:g}"
        )
    return np.asarray(values, dtype)


def _check_columns(columns: Any, variables: int, parameters: int) -> None:
    """Refuse what does not say of each column how it is compared, and what divides that."""
    if not len(check_list("columns", columns)) == variables == parameters:
        raise ValueError(
            f"columns has the length {len(columns)}, for {variables} variables and {parameters} "
            "parameters; give one for each, or None"
        )
    for column in columns:
        if not isinstance(column, tuple) or len(column) != 2:
            raise ValueError(
                f"columns has {shown(column)}; give for each how it is compared and what divides "
                "that, as a tuple"
            )
        check_option("the comparison of columns", column[0], COMPARISONS)
        check_number("the divisor of columns", column[1], "a number, 1 or more", 1)
