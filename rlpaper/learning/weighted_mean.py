"""The weighted mean of squared differences, its weights learned from known links."""

import numpy as np
import pandas as pd

from .._internal.rounding import LEARNED_SHARE
from ..distances import PreparedFiles, SumOverColumns, dbrl1
from ..distances.categories import mixed_numbers
from ..distances.prepared_files import COMPARISONS, column_weights
from ._pairs import Pairs, few_rows
from ._ranges import ranges
from ._solver import weightings
from ._worst import WIDTH
from .base import Learner

ASSEMBLED = 2_000_000  # pairs of records up to which all rows are assembled


class WeightedMean(Learner):
    """``d^2 = sum_v p_v (z_v(a) - z_v(b))^2`` with weights p >= 0 that sum to 1 (abril2012, Definition 1).

    Categorical columns are taken too, alone or beside numbers: there the distance of
    `rlpaper.distances.categories` stands for the squared difference, as in
    `rlpaper.distances.mixed`.

    Examples
    --------
    Only one variable says who is who:

    >>> original = pd.DataFrame({"age": [20, 40, 60, 80], "noise": [1, 2, 3, 4]})
    >>> masked = pd.DataFrame({"age": [22, 38, 62, 79], "noise": [3, 4, 1, 2]})
    >>> learned = WeightedMean().fit(original, masked)
    >>> learned.linked_, learned.bound_, learned.status_, learned.parameters_.idxmax()
    (4, 4, 'optimal', 'age')
    """

    _columns = None  # how each column is compared and what divides that; None: squares

    def _numbers(self, original, masked, moments):
        if not _has_categories(original):
            self._columns = None
            return super()._numbers(original, masked, moments)
        x, y, sizes, comparisons = mixed_numbers(original, masked, moments, "usual")
        self._columns = list(zip(comparisons, sizes))
        return x, y

    def _features(self, differences):
        if self._columns is None:
            return differences**2
        return np.stack(
            [
                COMPARISONS[kind](differences[..., v]) / size
                for v, (kind, size) in enumerate(self._columns)
            ],
            axis=-1,
        )

    def _problem(self, a, b, partner):
        if len(a) * len(b) <= ASSEMBLED or a.shape[1] > WIDTH:
            return super()._problem(a, b, partner)
        pairs = Pairs(a, b, partner, self._columns or [("square", 1)] * a.shape[1])
        equal, random = np.ones(a.shape[1]), np.random.default_rng(0)
        return few_rows(
            pairs,
            np.unique(a, axis=0, return_inverse=True)[1].ravel(),
            weightings(a.shape[1], equal, random),
        )

    def _cone(self, n):
        return np.zeros(n), np.arange(n), np.empty((0, n))

    def _named(self, theta):
        return pd.Series(theta / theta.sum(), self.variables_, name="weight")

    def _flat(self, parameters):
        return parameters.to_numpy()

    def with_parameters(self, original, masked, weights):
        """A copy with weights that were not learned, as if fitted to the files; for comparison.

        Examples
        --------
        >>> file = pd.DataFrame({"age": [20.0, 40.0, 60.0], "income": [1.0, 3.0, 2.0]})
        >>> WeightedMean().with_parameters(file, file, [1, 1]).score(file, file)
        1.0
        """
        other = type(self)(**self.get_params())
        other._fitted, other.variables_ = (original, masked), list(original.columns)
        other.parameters_ = other._named(column_weights(weights, original.columns))
        return other

    def ranges(self, original, masked, steps=10):
        """Least and largest weight of each variable over all weights that link as many records as those learned.

        The files are those given to `fit`. Each end is found by `steps` halvings, each a proof of
        its own.
        """
        a, b, partner = self._compared(original, masked)
        problem = self._problem(a, b, partner)
        table = ranges(problem, self.parameters_.to_numpy(), steps)
        return pd.DataFrame(table, self.variables_, ["least", "largest"])

    def distance_(self, original, masked):
        """The learned distance: `rlpaper.distances.dbrl1` with weights; where there are categories, that of `mixed`."""
        self._check_fitted(original)
        if _has_categories(original):
            x, y, sizes, comparisons = mixed_numbers(original, masked, self._moments(), "usual")
            factors = self.parameters_.to_numpy() / sizes
            widest = np.ptp(np.vstack([x, y]), axis=0)
            farthest = sum(
                factor * COMPARISONS[kind](gap)
                for kind, factor, gap in zip(comparisons, factors, widest)
            )
            return PreparedFiles(
                x, y, SumOverColumns(comparisons, factors, unit=LEARNED_SHARE * farthest)
            )
        return dbrl1(self._moments(), self.parameters_.to_numpy())(original, masked)

    def _own_constraints(self, n, N):
        return 1 + n


def _has_categories(file):
    return any(isinstance(dtype, pd.CategoricalDtype) for dtype in file.dtypes)
