"""OWA, the ordered weighted average of squared differences, learned from known links."""

import numpy as np
import pandas as pd

from .base import Learner
from .formulation import Formulation


class OWA(Learner):
    """``d^2 = sum_r w_r c_(r)`` with weights w >= 0 that sum to 1.

    The squared differences c go from the largest to the smallest: how much the largest counts, not
    which variable it is in. Options, limits and what is learned besides are those of every
    `rlpaper.learning.base.Learner`.
    """

    def _features(self, differences: np.ndarray) -> np.ndarray:
        return -np.sort(-(differences**2), axis=-1)

    def _formulation(
        self,
        linking: np.ndarray,
        candidates: np.ndarray,
        partner: np.ndarray,
        columns: list | None = None,
    ) -> Formulation:
        n = linking.shape[1]
        return Formulation(
            linking,
            candidates,
            partner,
            self._features,
            lower=np.zeros(n),
            normalisations=np.arange(n),
            own_constraints=1 + n,
            sum_to_one=np.ones(n, bool),
        )

    def _from_vector(self, theta: np.ndarray, variables: list) -> pd.Series:
        names = [f"largest {r}" for r in range(1, len(theta) + 1)]
        return pd.Series(theta / theta.sum(), names, name="weight")
