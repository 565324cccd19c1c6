"""Names of types that hints share."""

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np
import pandas as pd

#: A seed, a generator, or nothing: then each call draws anew.
RandomState = int | np.random.Generator | None
#: What labels a record or names a column.
Label = Hashable
#: One number for all columns, one for each in their order, or one for each by name.
PerColumn = float | Sequence[float] | dict[Label, float]
#: Two files, original and masked, prepared for comparison: what the functions of
#: `rlpaper.distances` return.
Distance = Callable[[pd.DataFrame, pd.DataFrame], Any]
#: What a masking does: for each column, the probability with which each original category (row)
#: becomes each masked one (column of the table).
Transitions = dict[Label, pd.DataFrame]
