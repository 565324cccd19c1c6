"""Distances learned from files whose links are known, with proofs of how good they can be.

Weighted mean, OWA, Choquet integral and Mahalanobis-like matrix combine the differences of two
standardised records, variable by variable, and are linear in what is learned (abril2012, section 3;
abril2011, section 3). `fit` finds the parameters that link the most records, with a certified bound
on what any parameters can do. That is the worst case of such distances: an attacker who chooses
the best of them. A `Formulation` is the problem as numbers, for other solvers.
"""

from .choquet import Choquet
from .formulation import Formulation
from .mahalanobis import Mahalanobis
from .owa import OWA
from .weighted_mean import WeightedMean

__all__ = ["OWA", "Choquet", "Formulation", "Mahalanobis", "WeightedMean"]
