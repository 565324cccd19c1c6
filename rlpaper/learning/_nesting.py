"""What the operators that generalise the weighted mean share: they start from its best weights."""

import numpy as np

from .base import SOLVER_OPTIONS, Learner
from .weighted_mean import WeightedMean

MAX_WARM_WORK = 60_000_000  # rows that the weighted mean may look at to give a start


class Nesting(Learner):
    """A learner that has the weighted mean as a special case, and starts from its best weights."""

    def _starts(self, formulation):
        mean = WeightedMean(**{name: getattr(self, name) for name in SOLVER_OPTIONS})
        limit = MAX_WARM_WORK if self.work_limit is None else self.work_limit
        mean.work_limit = min(limit, MAX_WARM_WORK)
        numbers = formulation.linking, formulation.candidates, formulation.partner
        solution, _ = mean._solution(mean._formulation(*numbers))
        equal = np.ones(formulation.linking.shape[1])
        return [self._from_weights(solution.theta), self._from_weights(equal)]

    def _from_weights(self, weights: np.ndarray) -> np.ndarray:
        """Return the parameters that make this distance the weighted mean with such weights."""
        raise NotImplementedError
