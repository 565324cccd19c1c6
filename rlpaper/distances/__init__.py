"""Distances between the records of an original and a masked file.

A distance is made by a function of this package and given to `rlpaper.linkage.link`. Called with
both files, it returns them as `PreparedFiles`: arrays of numbers and how to compare them. The same
columns in the same order are compared; missing values are refused.
"""

from .categories import categorical, gower, likelihood_ratio, mixed
from .combination import combined
from .numeric import dbrl1, dbrl2, kernel, mahalanobis, manhattan, standardised
from .prepared_files import (
    AgreementPattern,
    PreparedFiles,
    SumOverColumns,
    prepared,
    squared_euclidean,
)

__all__ = [
    "SumOverColumns",
    "AgreementPattern",
    "PreparedFiles",
    "categorical",
    "combined",
    "dbrl1",
    "dbrl2",
    "gower",
    "kernel",
    "likelihood_ratio",
    "mahalanobis",
    "manhattan",
    "mixed",
    "prepared",
    "squared_euclidean",
    "standardised",
]
