"""What abril2012 leaves out: flat optima, the whole file, and what a proof costs.

The papers' program by general solvers stands beside the searches of this package. Nothing here
judges: what is swept must not depend on how a number is held against print.
"""

from ...compendium.sweep import drawn_by
from ...learning import WeightedMean
from ...learning.milp import paper_model
from .protocol import LINKED, NONUNIFORM, TRAIN, WORK, _choices
from .runs import one_sample, whole_pair

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

#: General solvers, and whether they get the papers' program or the tightened one.
SOLVERS = {"CBC": ("cbc", False), "HiGHS": ("highs", False), "HiGHS, tightened": ("highs", True)}


@drawn_by("method", "parameter")
def flatness(method, parameter, random_state):
    """How much the best weights of one sample can vary: a row a variable."""
    pairs, learner = one_sample(method, parameter, random_state)
    ranges = learner.fit(*pairs).ranges(*pairs)
    return [
        {
            "variable": f"V{v}",
            "weight": weight,
            "least": ranges.iloc[v - 1, 0],
            "largest": ranges.iloc[v - 1, 1],
            "linked": learner.linked_,
            "status": learner.status_,
        }
        for v, weight in enumerate(learner.parameters_, 1)
    ]


@drawn_by("method", "parameter")
def whole_file(method, parameter, random_state):
    """Weights learned on 400 records, tried on all 1080, beside equal ones."""
    choices = _choices("table7" if method in NONUNIFORM else "table3", {})
    whole = whole_pair(method, parameter, random_state)
    records = len(whole[0])
    places = random_state.permutation(records)[:TRAIN]
    learner = WeightedMean(
        standardise=choices["moments"],
        direction=choices["direction"],
        work_limit=WORK,
        progress=False,
    )
    learner.fit(*(file.iloc[places] for file in whole))
    return {
        "records": records,
        "equal": learner.with_parameters(*whole, [1] * LINKED).score(*whole),
        "sample": learner.score(*whole),
    }


@drawn_by("method", "parameter")
def whole_best(method, parameter, random_state):
    """The best weights for all 1080 records: the true worst case of the file."""
    choices = _choices("table7" if method in NONUNIFORM else "table3", {})
    whole = whole_pair(method, parameter, random_state)
    best = WeightedMean(
        standardise=choices["moments"],
        direction=choices["direction"],
        work_limit=WORK,
        progress=False,
    ).fit(*whole)
    return {"best": best.linked_ / len(whole[0]), "bound": best.bound_ / len(whole[0])}


@drawn_by("method", "parameter")
def general_solvers(method, parameter, solvers, time_limit, random_state):
    """One sample of abril2012: the papers' program by general solvers with a time limit, and our own proof.

    Parameters
    ----------
    method, parameter
        The masked file.
    solvers : list of str
        Names of `SOLVERS`.
    time_limit : float
        Seconds.

    Returns
    -------
    list of dict
        A row a solver: `linked`, `bound`, `status` and `seconds`, the same with ``our_`` of the
        package, and the size of the program.
    """
    pairs, learner = one_sample(method, parameter, random_state)
    learner.fit(*pairs)
    ours = {
        "our_linked": learner.linked_,
        "our_bound": learner.bound_,
        "our_status": learner.status_,
        "our_seconds": learner.seconds_,
        "our_seconds_to_best": learner.seconds_to_best_,
    }
    rows = []
    for name in solvers:
        solver, tightened = SOLVERS[name]
        model = paper_model(learner, *pairs, tightened=tightened)
        found = model.solve(solver, time_limit=time_limit)
        rows.append(
            {
                "solver": name,
                "variables": model.variables,
                "constraints": model.constraints,
                "linked": found.linked,
                "bound": found.bound,
                "status": found.status,
                "seconds": found.seconds,
                **ours,
            }
        )
    return rows


@drawn_by()
def constants(factors, random_state):
    """The papers' program of 60 records and three variables, with several values of C: a row a value.

    Parameters
    ----------
    factors : list of float
        C as a multiple of the least constant that makes every row hold where a record is given up.

    Returns
    -------
    list of dict
        `C`, the records that the program's solution links, its bound, and `margin`: by how much the
        right candidate is nearer than the second, the least over the linked records, as a squared
        distance.
    """
    (original, masked), learner = one_sample("Mic3", 10, random_state)
    original, masked = original.iloc[:60, :3], masked.iloc[:60, :3]
    least, rows = paper_model(learner, original, masked).constant, []
    for factor in factors:
        found = paper_model(learner, original, masked, constant=factor * least).solve(
            "highs", time_limit=60
        )
        row = {
            "factor": factor,
            "C": factor * least,
            "linked": found.linked,
            "margin": None,
            "status": found.status if found.linked else "no solution",
        }
        if found.linked:
            links = learner.with_parameters(original, masked, found.theta.tolist()).link(
                original, masked
            )
            correct = links[links["correct"] == 1]
            row["margin"] = round(
                float((correct["second_distance"] ** 2 - correct["distance"] ** 2).min()), 9
            )
        rows.append(row)
    return rows
