"""The choices of abril2011: its files, and the distances that it sets side by side."""

from ...compendium import published
from ...distances import dbrl1, mahalanobis
from ...learning import OWA, Choquet, Mahalanobis, WeightedMean

RECORDS = 400  # drawn and masked; all other choices follow the printed text: first variables, own moments, m2o
WORK = 200_000_000  # rows that a proof may look at

#: Groups of variables and k of each group.
FILES = {
    row.file: ([int(size) for size in row.groups.split("-")], [int(k) for k in row.ks.split("-")])
    for row in published.table("abril2011_files").itertuples()
}

#: Distances that are not learned.
STANDARD = {"d2AM": dbrl1(), "d2MD": mahalanobis("COV")}

#: What is learned, by the name in print; the rest are other readings and what the paper leaves out.
LEARNERS = {
    "d2WM": WeightedMean(),
    "d2CI": Choquet(),
    "d2MDstar": Mahalanobis(),
    "d2OWA": OWA(),
    "d2CI, pairs only": Choquet(additive=2),
    "d2MDstar, absolute": Mahalanobis(differences="absolute"),
    "d2MDstar, semidefinite": Mahalanobis(positive="psd"),
}
