"""The weighted mean of squared differences, its weights learned from known links."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import pandas as pd

from .._internal.hints import Label
from .._internal.rounding import LEARNED_SHARE
from .._internal.validation import check_comparable, check_number
from ..distances import PreparedFiles, SumOverColumns, dbrl1
from ..distances.categories import mixed_numbers
from ..distances.prepared_files import COMPARISONS, column_weights
from ._ranges import ranges
from ._worst import WIDTH
from .base import Learner
from .formulation import Formulation

MAX_HALVINGS = 20  # beyond, the tolerance decides


class WeightedMean(Learner):
    """``d^2 = sum_v p_v (z_v(a) - z_v(b))^2`` with weights p >= 0 that sum to 1.

    abril2012, Definition 1. Categorical columns are taken too, alone or beside numbers: there the
    distance of `rlpaper.distances.categories` stands for the squared difference, as in
    `rlpaper.distances.mixed`. Options, limits and what is learned besides are those of every
    `rlpaper.learning.base.Learner`.

    Examples
    --------
    Only one variable says who is who:

    >>> original = pd.DataFrame({"age": [20, 40, 60, 80], "noise": [1, 2, 3, 4]})
    >>> masked = pd.DataFrame({"age": [22, 38, 62, 79], "noise": [3, 4, 1, 2]})
    >>> learned = WeightedMean().fit(original, masked)
    >>> learned.linked_, learned.bound_, learned.status_, learned.parameters_.idxmax()
    (4, 4, 'optimal', 'age')
    """

    def with_parameters(
        self,
        original: pd.DataFrame,
        masked: pd.DataFrame,
        weights: Sequence[float] | np.ndarray | dict[Label, float],
    ) -> Self:
        """Return a copy with weights that were not learned, as if fitted to the files.

        Examples
        --------
        >>> file = pd.DataFrame({"age": [20.0, 40.0, 60.0], "income": [1.0, 3.0, 2.0]})
        >>> WeightedMean().with_parameters(file, file, [1, 1]).score(file, file)
        1.0
        """
        check_comparable(original, masked)
        return self.with_vector(original, masked, column_weights(weights, original.columns))

    def ranges(self, original: pd.DataFrame, masked: pd.DataFrame, steps: int = 10) -> pd.DataFrame:
        """Return how far each weight can go without a loss of links.

        That is the least and the largest weight of each variable over all weights that link as many
        records as those learned. The files are those given to `fit`. Each end is found by `steps`
        halvings, at most 20, each a proof of its own. Files may have up to 8 columns.
        """
        check_comparable(original, masked)
        self._check_fitted(original)
        what = f"a whole number, 0 to {MAX_HALVINGS}"
        check_number("steps", steps, what, 0, MAX_HALVINGS, whole=True)
        if len(self.variables_) > WIDTH:
            raise ValueError(
                f"ranges are found of up to {WIDTH} weights, and these files have "
                f"{len(self.variables_)} columns; leave some out"
            )
        problem = self.formulation(original, masked).problem()
        table = ranges(problem, self.parameters_.to_numpy(), int(steps))
        return pd.DataFrame(table, self.variables_, ["least", "largest"])

    def distance(self, original: pd.DataFrame, masked: pd.DataFrame) -> PreparedFiles:
        """Prepare two files for comparison by the learned distance, as a square.

        It is `rlpaper.distances.dbrl1` with weights; where there are categories, that of `mixed`.
        """
        check_comparable(original, masked)
        self._check_fitted(original)
        if not _has_categories(original):
            return dbrl1(self.moments_, self.parameters_.to_numpy())(original, masked)
        x, y, sizes, comparisons = mixed_numbers(original, masked, self.moments_, "usual")
        factors = self.parameters_.to_numpy() / sizes
        widest = np.ptp(np.vstack([x, y]), axis=0)
        farthest = sum(
            factor * COMPARISONS[comparison](gap)
            for comparison, factor, gap in zip(comparisons, factors, widest, strict=True)
        )
        return PreparedFiles(
            x, y, SumOverColumns(comparisons, factors, unit=LEARNED_SHARE * farthest)
        )

    def _numbers(self, original: pd.DataFrame, masked: pd.DataFrame, moments: Any) -> tuple:
        if not _has_categories(original):
            return super()._numbers(original, masked, moments)
        x, y, sizes, comparisons = mixed_numbers(original, masked, moments, "usual")
        return x, y, list(zip(comparisons, sizes, strict=True))

    def _formulation(
        self,
        linking: np.ndarray,
        candidates: np.ndarray,
        partner: np.ndarray,
        columns: list | None = None,
    ) -> Formulation:
        n = linking.shape[1]

        def features(differences: np.ndarray) -> np.ndarray:
            if columns is None:
                return differences**2
            compared = [
                COMPARISONS[comparison](differences[..., v]) / size
                for v, (comparison, size) in enumerate(columns)
            ]
            return np.stack(compared, axis=-1)

        return Formulation(
            linking,
            candidates,
            partner,
            features,
            lower=np.zeros(n),
            normalisations=np.arange(n),
            own_constraints=1 + n,
            sum_to_one=np.ones(n, bool),
            columns=columns or [("square", 1)] * n,
        )

    def _from_vector(self, theta: np.ndarray, variables: list) -> pd.Series:
        return pd.Series(theta / theta.sum(), variables, name="weight")


def _has_categories(file: pd.DataFrame) -> bool:
    return any(isinstance(dtype, pd.CategoricalDtype) for dtype in file.dtypes)
