"""Distances learned from files whose links are known, with proofs of how good any distance of their kind can be."""

from .operators import OWA, Choquet, Mahalanobis, WeightedMean

__all__ = ["OWA", "Choquet", "Mahalanobis", "WeightedMean"]
