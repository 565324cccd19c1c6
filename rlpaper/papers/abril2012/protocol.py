"""The choices of abril2012: files, samples, executions, readings of what it leaves open."""

SAMPLES, TRAIN, TEST = (
    10,
    400,
    500,
)  # samples of one masked file; records that are linked; others, for Table 9

#: Experiments behind each cell, by profile: with equal weights, and with learned ones; and samples
#: of each masked file for the latter. With m experiments the standard error of a difference from
#: print is s sqrt(1 + 1/m), so that more of the costly ones would hardly narrow it. What they
#: improve is s itself: two standard errors miss a true match in 7.7 percent of the cells at m = 10,
#: in 6.0 percent at m = 20.
PROFILES = {
    "quick": {"standard": 2, "learned": 1, "samples": 2},
    "full": {"standard": 30, "learned": 10, "samples": SAMPLES},
}

LINKED = 7  # variables that are linked: the first seven
# rows that a proof may look at; minutes, and none of the paper's files needs as much
WORK = 1_000_000_000

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

#: What the tables of standard linkage are about: masked files by the name of their row in print.
FILES = {
    "table2": {f"p={p}": ("RankSwap", p) for p in range(1, 7)},
    "table3": {f"k={k}": ("Mic2", k) for k in range(3, 21)},
    "table4": {f"p={p}": ("Noise", p) for p in (1, 2, 4, 6, 8, 10, 12, 14, 16)},
    "table6": {f"V{p}": ("Noise1-7", p) for p in range(1, 8)},
    "prose": {"all 7 variables link the noise file of Table 5": ("Noise1-7", None)},
    "table7": {file: (file, None) for file in NONUNIFORM},
    "table9": {file: (file, None) for file in NONUNIFORM},
}

TABLES = [item for item in FILES if item != "prose"]

#: What the paper does not say: whose order numbers the variables; whether the whole file is masked
#: or each sample on its own; how many variables are masked; whether clusters are formed on
#: standardised values; which ranks are swapped; by whose moments the distance standardises, or by
#: none; which file is linked to which; how ties count.
CHOICES = {
    "order": "file",
    "records": "file",
    "variables": 13,
    "standardise": True,
    "partners": "above",
    "moments": "own",
    "direction": "masked_to_original",
    "ties": "strict",
}

#: Where a table needs another choice than the rest; notebook 13 shows how far off every other
#: choice is.
CHOICES_OF = {
    "table5": {"order": "alphabetical"},
    "table6": {"order": "alphabetical"},
    "prose": {"order": "alphabetical"},
    "table7": {"standardise": False, "direction": "original_to_masked"},
    "table9": {"standardise": False, "direction": "original_to_masked"},
}

#: Other readings, one choice changed at a time, and the tables that it can move.
READINGS = {
    "the other direction": (
        {
            "direction": {
                "masked_to_original": "original_to_masked",
                "original_to_masked": "masked_to_original",
            }
        },
        TABLES,
    ),
    "ties count one over their number": ({"ties": "expected"}, TABLES),
    "ties count as right": ({"ties": "lenient"}, TABLES),
    "the other order of variables": (
        {"order": {"file": "alphabetical", "alphabetical": "file"}},
        TABLES,
    ),
    "only the sample is masked": ({"records": "sample"}, TABLES),
    "only 7 variables are masked": ({"variables": 7}, ["table3", "table7", "table9"]),
    "the other scale for clustering": (
        {"standardise": {True: False, False: True}},
        ["table3", "table7", "table9"],
    ),
    "moments of the original": ({"moments": "original"}, TABLES),
    "moments of both files": ({"moments": "pooled"}, TABLES),
    "moments of the training records": ({"moments": "train"}, ["table9"]),
    "distance not standardised": (
        {"moments": "none"},
        [item for item in TABLES if item != "table6"],
    ),
    "partners on either side": ({"partners": "around"}, ["table2"]),
}


def _choices(item, changed):
    """The choices behind a table, some of them changed."""
    return {**CHOICES, **CHOICES_OF.get(item, {}), **changed}
