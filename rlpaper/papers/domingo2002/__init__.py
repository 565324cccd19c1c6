"""Domingo-Ferrer & Torra (2002): distance-based and probabilistic linkage of categories."""
