"""What the operators that generalise the weighted mean share: they start from its best weights."""

import numpy as np

from .base import LIMITS, Learner
from .weighted_mean import WeightedMean

MAX_WARM_WORK = 60_000_000  # rows that the weighted mean may look at to give a start


class Nesting(Learner):
    """A learner that has the weighted mean as a special case, and starts from its best weights."""

    def _starts(self, formulation):
        mean = WeightedMean(**{name: getattr(self, name) for name in LIMITS})
        mean.work_limit = min(self.work_limit or MAX_WARM_WORK, MAX_WARM_WORK)
        numbers = formulation.linking, formulation.candidates, formulation.partner
        solution, _ = mean._solution(mean._formulation(*numbers))
        equal = np.ones(formulation.linking.shape[1])
        return [self._from_weights(solution.theta), self._from_weights(equal)]
