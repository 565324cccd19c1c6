"""What a proof costs: the papers' program by general solvers, beside the searches of this package."""

from ..learning.milp import paper_model
from . import abril2012

#: From nearly all linked to nearly none, by way of the middle, where the paper's solver took a week.
INSTANCES = [("Noise", 6), ("Mic2", 10), ("RankSwap", 6), ("Mic3", 10), ("Mic3", 20), ("Mic5", 10), ("MicAll", 5),
             ("MicAll", 20)]


def general_solver(method, parameter, solver, tightened, time_limit, random_state):
    """One sample of abril2012: the papers' program by a general solver with a time limit, and our own proof.

    Returns
    -------
    dict
        `linked`, `bound`, `status` and `seconds` of the solver, the same with ``our_`` of the package, and what the
        program's size is.
    """
    pairs, learner = abril2012.one_sample(method, parameter, random_state)
    model = paper_model(learner, *pairs, tightened=tightened)
    found = model.solve(solver, time_limit=time_limit)
    learner.fit(*pairs, progress=False)
    return {"variables": model.variables, "constraints": model.constraints, "linked": found.linked, "bound": found.bound,
            "status": found.status, "seconds": found.seconds, "our_linked": learner.linked_, "our_bound": learner.bound_,
            "our_status": learner.status_, "our_seconds": learner.seconds_, "our_seconds_to_best": learner.seconds_to_best_}
