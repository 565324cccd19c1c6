"""Which functions are called, how often, and with what: one module per package of the library."""

import inspect

from . import (
    aggregation_calls,
    datasets_calls,
    distances_calls,
    information_loss_calls,
    learning_calls,
    linkage_calls,
    masking_calls,
    review_calls,
    risk_calls,
)
from .call import Call

CALLS: list[Call] = [
    *distances_calls.CALLS,
    *linkage_calls.CALLS,
    *masking_calls.CALLS,
    *information_loss_calls.CALLS,
    *aggregation_calls.CALLS,
    *learning_calls.CALLS,
    *risk_calls.CALLS,
    *review_calls.CALLS,
    *datasets_calls.CALLS,
]
#: The options of all these functions: an error may name any of them.
OPTIONS = {
    name
    for call in CALLS
    for function in call.functions
    for name in inspect.signature(function).parameters
    if name not in ("self", "x", "y", "a", "b", "n", "r")
}
