"""What the operators that generalise the weighted mean share: they start from its best weights."""

import numpy as np

from .base import Learner
from .weighted_mean import WeightedMean

WARM = 60_000_000  # rows that the weighted mean may look at to give a start


class _Nesting(Learner):
    """A learner that has the weighted mean as a special case, and starts from its best weights."""

    def _starts(self, a, b, partner, limits):
        mean = WeightedMean()
        quick = {**limits, "work_limit": min(limits["work_limit"] or WARM, WARM)}
        solution, _ = mean._solve(a, b, partner, quick)
        return [self._from_weights(solution.theta), self._from_weights(np.ones(a.shape[1]))]
