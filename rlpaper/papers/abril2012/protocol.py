"""The choices of abril2012: files, samples, executions, readings of what it leaves open."""

from dataclasses import asdict, dataclass, replace
from typing import Any

SAMPLES = 10  # of one masked file
TRAIN = 400  # records that are linked
TEST = 500  # other records, for Table 9
LINKED = 7  # variables that are linked: the first seven
# Rows that a proof may look at: minutes, and none of the paper's files needs as many.
WORK = 1_000_000_000

#: Executions of each sweep by profile. With m executions the standard error of a difference from
#: print is s sqrt(1 + 1/m), so that more of the costly ones would hardly narrow it. What they
#: improve is s itself: two standard errors miss a true match in 7.7 percent of the cells at m = 10,
#: in 6.0 percent at m = 20.
EXECUTIONS = {
    "standard": {"full": 30, "quick": 2},
    "learned": {"full": 10, "quick": 1},
    "the other direction": {"full": 2, "quick": 1},
    "readings": {"full": 10, "quick": 1},
    "key attributes": {"full": 200, "quick": 3},
    "whole file": {"full": 5, "quick": 1},
}

#: Samples of each masked file from which weights are learned.
LEARNED_SAMPLES = {"full": SAMPLES, "quick": 2}

#: The files of Tables 7 to 9: groups of variables and k of each group, as printed.
NONUNIFORM = {
    "Mic553-2.8.5": ([5, 5, 3], [2, 8, 5]),
    "Mic553-8.2.5": ([5, 5, 3], [8, 2, 5]),
    "Mic553-5.3.5": ([5, 5, 3], [5, 3, 5]),
    "Mic2236-8.3.10.5": ([2, 2, 3, 6], [8, 3, 10, 5]),
}

#: Microaggregation along one line: each variable's own, the sum of z-scores, the first principal
#: component.
PROJECTIONS = {"MicIR": "individual", "MicZ": "zscores", "MicPCP": "pca"}

#: Figures 2 to 5: all protection methods and parameters, 177 settings.
GRID = [
    *(
        (method, k)
        for method in (*PROJECTIONS, "Mic2", "Mic3", "Mic4", "Mic5", "Mic6", "MicAll")
        for k in range(3, 21)
    ),
    *(("RankSwap", p) for p in range(1, 7)),
    *(("Noise", p) for p in (1, 2, 4, 6, 8, 10, 12, 14, 16)),
]

#: What the figures show: settings, and samples of each by direction.
SHOWN = {"full": GRID, "quick": GRID[::20]}
SHOWN_SAMPLES = {
    "full": {"masked_to_original": 10, "original_to_masked": 2},
    "quick": {"masked_to_original": 1, "original_to_masked": 1},
}

#: From nearly all linked to nearly none, by way of the middle, where the paper's solver took a
#: week.
INSTANCES = [
    ("Noise", 6),
    ("Mic2", 10),
    ("RankSwap", 6),
    ("Mic3", 10),
    ("Mic3", 20),
    ("Mic5", 10),
    ("MicAll", 5),
    ("MicAll", 20),
]

#: What general solvers are tried on beside the figures: instances, solvers, seconds for each.
TRIED = {"full": (INSTANCES[1::2], ["CBC", "HiGHS"], 15), "quick": (INSTANCES[1:2], ["HiGHS"], 2)}

#: Files that weights of a sample are tried on as a whole.
WHOLE_FILES = {
    "full": [("Mic2", 10), ("Mic2", 20), ("Mic3", 10), *((file, None) for file in NONUNIFORM)],
    "quick": [("Mic2", 10), ("Mic2236-8.3.10.5", None)],
}

#: Files of which every best weight is looked for: masked evenly, and unevenly.
FLAT = {"full": [("Mic2", 5), ("Mic2", 20)], "quick": [("Mic2", 5)]}
FLAT_UNEVEN = {
    "full": [(file, None) for file in NONUNIFORM],
    "quick": [("Mic2236-8.3.10.5", None)],
}

#: What the tables of standard linkage are about: masked files by the name of their row in print.
FILES: dict[str, dict[str, tuple[str, int | None]]] = {
    "table2": {f"p={p}": ("RankSwap", p) for p in range(1, 7)},
    "table3": {f"k={k}": ("Mic2", k) for k in range(3, 21)},
    "table4": {f"p={p}": ("Noise", p) for p in (1, 2, 4, 6, 8, 10, 12, 14, 16)},
    "table6": {f"V{p}": ("Noise1-7", p) for p in range(1, 8)},
    "prose": {"all 7 variables link the noise file of Table 5": ("Noise1-7", None)},
    "table7": {file: (file, None) for file in NONUNIFORM},
    "table9": {file: (file, None) for file in NONUNIFORM},
}

TABLES = [item for item in FILES if item != "prose"]


@dataclass(frozen=True)
class Reading:
    """What the paper does not say, and how it is read.

    Attributes
    ----------
    order : {"file", "alphabetical"}
        Whose order numbers the variables.
    records : {"file", "sample"}
        Whether the whole file is masked, or each sample on its own.
    variables : int
        How many variables are masked.
    standardise : bool
        Whether clusters are formed on standardised values.
    partners : {"above", "around"}
        Which ranks are swapped.
    moments : {"own", "original", "pooled", "train", "none"}
        By whose moments the distance standardises, if any.
    direction : {"masked_to_original", "original_to_masked"}
    ties : {"strict", "expected", "lenient"}
        How a tie counts.
    """

    order: str = "file"
    records: str = "file"
    variables: int = 13
    standardise: bool = True
    partners: str = "above"
    moments: str = "own"
    direction: str = "masked_to_original"
    ties: str = "strict"

    def setting(self, *left_out: str) -> dict:
        """Return the choices by name, as part of a sweep's setting; some may be left out."""
        return {name: value for name, value in asdict(self).items() if name not in left_out}


#: Where a table needs another reading than the rest; notebook 13 shows how far off every other one
#: is.
_ALPHABETICAL = Reading(order="alphabetical")
_UNEVEN = Reading(standardise=False, direction="original_to_masked")
_READING_OF = {
    "table5": _ALPHABETICAL,
    "table6": _ALPHABETICAL,
    "prose": _ALPHABETICAL,
    "table7": _UNEVEN,
    "table9": _UNEVEN,
}


def reading_of(item: str) -> Reading:
    """Return how the paper is read for one of its tables."""
    return _READING_OF.get(item, Reading())


def reading_for(method: str) -> Reading:
    """Return how the paper is read for the files of one protection method."""
    item = "table5" if method == "Noise1-7" else "table7" if method in NONUNIFORM else "table3"
    return reading_of(item)


_CLUSTERED = ["table3", "table7", "table9"]

#: Other readings, one choice changed at a time: which choice, its values, of which the first is
#: taken that a table does not have yet, and the tables that it can move.
READINGS: dict[str, tuple[str, tuple[Any, ...], list[str]]] = {
    "the other direction": ("direction", ("original_to_masked", "masked_to_original"), TABLES),
    "ties count one over their number": ("ties", ("expected",), TABLES),
    "ties count as correct": ("ties", ("lenient",), TABLES),
    "the other order of variables": ("order", ("alphabetical", "file"), TABLES),
    "only the sample is masked": ("records", ("sample",), TABLES),
    "only 7 variables are masked": ("variables", (LINKED,), _CLUSTERED),
    "the other scale for clustering": ("standardise", (False, True), _CLUSTERED),
    "moments of the original": ("moments", ("original",), TABLES),
    "moments of both files": ("moments", ("pooled",), TABLES),
    "moments of the training records": ("moments", ("train",), ["table9"]),
    "distance not standardised": (
        "moments",
        ("none",),
        [item for item in TABLES if item != "table6"],
    ),
    "partners on either side": ("partners", ("around",), ["table2"]),
}

#: Readings under which the uneven files are learned from too.
LEARNED_READINGS = {
    "full": ["chosen", "the other direction", "moments of the training records"],
    "quick": ["chosen"],
}


def readings_of(item: str) -> dict[str, Reading]:
    """Return the chosen reading of a table and all others that can move it, by name."""
    chosen = reading_of(item)
    readings = {"chosen": chosen}
    for name, (choice, values, items) in READINGS.items():
        if item in items:
            other = next(value for value in values if value != getattr(chosen, choice))
            readings[name] = replace(chosen, **{choice: other})
    return readings
