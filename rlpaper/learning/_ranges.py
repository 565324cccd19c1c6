"""How far each parameter can go without a loss of links."""

import logging
from dataclasses import replace

import numpy as np

from ._branch_and_bound import BoxSearch
from ._problem import UNDECIDED, UndecidedError

log = logging.getLogger(__name__)


def ranges(problem, theta, steps=10):
    """Return the least and the largest share of each parameter that cost no link.

    Shares are of the parameters' sum, over all parameters that link as many records as theta.
    Only where all parameters are 0 or more. By halving: is there a solution as good with a share
    beyond this one?

    Parameters
    ----------
    problem : Problem
    theta : array
        A best solution.
    steps : int
        Halvings; each end is known to a share of ``2 ** -steps``.

    Returns
    -------
    array
        One row per parameter: a least and a largest share at which a solution was found.
    """
    d, best = problem.parameters, problem.linked(theta) - problem.always_linked
    found = np.tile((theta / theta.sum())[:, None], 2)
    for k in range(d):
        for end, (sign, limit) in enumerate(((-1.0, 0.0), (1.0, 1.0))):
            inner, outer = found[k, end], limit
            for _ in range(steps):
                middle = (inner + outer) / 2
                beyond = sign * (np.eye(d)[k] - middle)
                search = BoxSearch(
                    replace(problem, cone=np.vstack([problem.cone, beyond])), best - 1, theta, best
                )
                try:
                    search.run(np.iinfo(np.int64).max // 2)
                except UndecidedError:
                    log.warning(UNDECIDED)
                if search.best >= best:
                    shares = search.theta / search.theta.sum()
                    inner = shares[k] if sign * (shares[k] - middle) > 0 else middle
                    found[:, 0], found[:, 1] = (
                        np.minimum(found[:, 0], shares),
                        np.maximum(found[:, 1], shares),
                    )
                else:
                    outer = middle
            found[k, end] = inner
    return found
