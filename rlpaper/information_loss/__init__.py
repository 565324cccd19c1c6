"""Information loss: how much harm masking does to a file.

Measures for categories are in `categorical`, for numbers in `numeric`, for files with both in
`mixed`. A file that was not masked loses nothing, except for what the printed form of `dist` adds.
"""

from .categorical import actbil, ctbil, dist, ebil, il, table_differences
from .mixed import cell_loss
from .numeric import correlation_loss, il1s

__all__ = [
    "actbil",
    "cell_loss",
    "correlation_loss",
    "ctbil",
    "dist",
    "ebil",
    "il",
    "il1s",
    "table_differences",
]
