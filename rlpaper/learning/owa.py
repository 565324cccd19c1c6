"""OWA, the ordered weighted average of squared differences, its weights learned from known links."""

import numpy as np
import pandas as pd

from .base import Learner


class OWA(Learner):
    """``d^2 = sum_r w_r c_(r)``, the squared differences c from largest to smallest, weights w >= 0 that sum to 1.

    An ordered weighted average of the differences: how much the largest counts, not which variable
    it is in.
    """

    def _features(self, differences):
        return -np.sort(-(differences**2), axis=-1)

    def _cone(self, n):
        return np.zeros(n), np.arange(n), np.empty((0, n))

    def _named(self, theta):
        return pd.Series(
            theta / theta.sum(), [f"largest {r}" for r in range(1, len(theta) + 1)], name="weight"
        )

    def _flat(self, parameters):
        return parameters.to_numpy()

    def _own_constraints(self, n, N):
        return 1 + n
