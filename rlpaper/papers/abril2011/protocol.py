"""The choices of abril2011: its files, and the distances that it sets side by side."""

from typing import Any

from ...distances import dbrl1, mahalanobis
from ...learning import OWA, Choquet, Mahalanobis, WeightedMean

# Drawn and masked; all other choices follow the printed text: first variables, own moments,
# masked_to_original.
RECORDS = 400
#: What a proof may cost: so many rows looked at.
LIMITS: dict[str, Any] = {"work_limit": 200_000_000, "progress": False}

#: Executions of each sweep by profile: distances that cost little, those that cost much, and other
#: readings.
EXECUTIONS = {
    "standard": {"full": 50, "quick": 5},
    "learned": {"full": 4, "quick": 1},
    "readings": {"full": 3, "quick": 1},
}

#: Groups of variables and k of each group, as printed; code, so that they are in the key of what is
#: computed from them.
FILES = {
    "M4-33": ([2, 2], [3, 3]),
    "M4-28": ([2, 2], [2, 8]),
    "M4-82": ([2, 2], [8, 2]),
    "M5-38": ([3, 2], [3, 8]),
    "M6-385": ([2, 2, 2], [3, 8, 5]),
    "M6-853": ([2, 2, 2], [8, 5, 3]),
}

#: Files to which the distances that cost much are fitted, and those for other readings.
LEARNED_FILES = {"full": list(FILES), "quick": ["M4-33"]}
READ_FILES = {"full": ["M4-33", "M4-28", "M4-82"], "quick": ["M4-33"]}

#: Distances that are not learned.
STANDARD = {"d2AM": dbrl1(), "d2MD": mahalanobis("COV")}

#: What is learned, by the name in print; the rest are other readings and what the paper leaves out.
LEARNERS = {
    "d2WM": WeightedMean(**LIMITS),
    "d2CI": Choquet(**LIMITS),
    "d2MDstar": Mahalanobis(**LIMITS),
    "d2OWA": OWA(**LIMITS),
    "d2CI, pairs only": Choquet(additive=2, **LIMITS),
    "d2MDstar, absolute": Mahalanobis(differences="absolute", **LIMITS),
    "d2MDstar, semidefinite": Mahalanobis(positive="psd", **LIMITS),
}

#: The distances of Table 2, those of them that cost little, and those of other readings.
TABLE2 = ["d2AM", "d2MD", "d2WM", "d2CI", "d2MDstar"]
CHEAP = TABLE2[:3]
READINGS = {
    "full": [
        "d2WM",
        "d2OWA",
        "d2CI, pairs only",
        "d2MDstar",
        "d2MDstar, absolute",
        "d2MDstar, semidefinite",
    ],
    "quick": ["d2WM", "d2OWA"],
}
