"""Small cases of everything that is swept, and of `assess`.

Run as a script, it prints what they give, for another processor to compare.
"""

import json

from rlpaper import assess, datasets, examples
from rlpaper.compendium.sweep import sweep
from rlpaper.masking import add_noise
from rlpaper.papers.abril2011 import runs as abril2011
from rlpaper.papers.abril2012 import beyond as abril2012_beyond, runs as abril2012
from rlpaper.papers.domingo2002 import beyond as domingo2002_beyond, runs as domingo2002
from rlpaper.papers.li2019 import budget as li2019_budget
from rlpaper.papers.torra2008 import beyond as torra2008_beyond, persons, runs as torra2008
from rlpaper.papers.torra2008.protocol import MAIN

#: Every swept function of the package, with a small grid.
SWEPT = {
    abril2012.experiment: [
        {
            "method": "Mic2",
            "parameter": 5,
            "samples": 2,
            "test": True,
            "sources": ["own", "train"],
            "order": "file",
            "records": "sample",
            "variables": 7,
            "standardise": True,
            "partners": "above",
        }
    ],
    abril2012.learn: [
        {
            "method": "Noise",
            "parameter": 16,
            "samples": 1,
            "test": True,
            "order": "file",
            "records": "file",
            "variables": 13,
            "standardise": True,
            "partners": "above",
            "moments": "own",
            "direction": "masked_to_original",
        }
    ],
    abril2012_beyond.flatness: [{"method": "Mic2", "parameter": 3}],
    abril2012.key_attributes: [{}],
    abril2012_beyond.whole_best: [{"method": "RankSwap", "parameter": 1}],
    abril2012_beyond.whole_file: [{"method": "RankSwap", "parameter": 2}],
    abril2011.compare: [{"file": "M4-33", "operator": operator} for operator in ("d2MD", "d2WM")],
    abril2012_beyond.constants: [{"factors": [1]}],
    abril2012_beyond.general_solvers: [
        {"method": "RankSwap", "parameter": 1, "solvers": ["HiGHS"], "time_limit": 1}
    ],
    domingo2002.links: [{"dataset": "income_esl", "method": "pram", "p": 5, "scope": "all"}],
    domingo2002.loss: [{"dataset": "adult", "method": "pram", "p": 5, "scope": "all"}],
    domingo2002_beyond.learn: [
        {"dataset": "ahs", "method": "pram", "p": 3, "group": "m", "work_limit": 100_000}
    ],
    domingo2002.rates_by_value: [{"dataset": "adult", "method": "top", "p": 2}],
    li2019_budget.review: [{"dataset": "rldata500"}],
    persons.recover: [{"pairs": 2000, "share": 0.1}],
    torra2008.count_links: [{"n": 20, "times": 100}],
    torra2008.experiment: [{"dataset": "wdbc", "records": 30, "linkages": MAIN, "without": None}],
    torra2008_beyond.rank_census: [{"records": 90}],
    torra2008_beyond.one_alpha: [{"dataset": "iris", "records": 20}],
}


def name_of(function):
    paper, part = function.__module__.split(".")[-2:]
    return f"{paper}-{part}-{function.__name__}"


def swept(function, **options):
    """What a sweep over the small grid gives, as text.

    Without times, and without what a time limit decides.
    """
    # Its program takes long to write down.
    executions = 1 if function is abril2012_beyond.general_solvers else 2
    found = sweep(
        function,
        SWEPT[function],
        executions=executions,
        seed=5,
        cache=False,
        progress=False,
        **options,
    )
    kept = found.columns[~found.columns.str.contains("seconds")]
    if function is abril2012_beyond.general_solvers:
        kept = [column for column in kept if column not in ("linked", "bound", "status")]
    return found[kept].to_csv(index=False)


def assessed():
    """All tables of two assessments, by name: numbers only, and numbers with categories."""
    census = datasets.load("census").head(120)
    pairs = {"census": (census, add_noise(census, 12, 1)), "survey": examples.household_survey(150)}
    return {
        f"{pair} {name}": table.to_csv(index=False)
        for pair, files in pairs.items()
        for name, table in assess(*files, progress=False).tables().items()
    }


if __name__ == "__main__":
    rows = {name_of(function): swept(function, workers=1) for function in SWEPT}
    print(json.dumps({**rows, **assessed()}))
