"""PRAM, post-randomisation: each category is replaced by another with a known probability."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from .._internal.hints import Label, RandomState
from .._internal.validation import check_hashable, check_number, shown
from .base import CategoricalMasking, Method


@dataclass(frozen=True)
class PRAM(CategoricalMasking):
    """Replace categories at random so that the expected frequencies stay as they are.

    Post-randomisation (Kooiman, Willenborg and Gouweleeuw 1998) with the matrix of `pram_matrix`,
    for each variable and record independently. Method: domingo2002, section 3.2, whose strengths p
    from 1 to 9 are theta = p / 10. Columns keep their dtypes; a missing value stays missing.

    Parameters
    ----------
    theta : float
        Strength, 0 (nothing changes) to 1.

    Examples
    --------
    >>> file = pd.DataFrame({"animal": pd.Categorical(["dog"] * 4 + ["cat"] * 2)})
    >>> PRAM(theta=0.9).mask(file, random_state=1)["animal"].tolist()
    ['dog', 'dog', 'cat', 'dog', 'dog', 'dog']
    """

    theta: float

    def __post_init__(self) -> None:
        """Refuse a strength out of range."""
        _check_strength(self.theta)

    def _masked_columns(self, df: pd.DataFrame, rng: np.random.Generator) -> dict[Label, object]:
        return {column: self._changed(df[column], rng.random(len(df))) for column in df}

    def _changed(self, column: pd.Series, draws: np.ndarray) -> pd.Categorical:
        matrix = pram_matrix(column, self.theta)
        codes = column.cat.codes.to_numpy().astype(np.int64)
        known = np.flatnonzero(codes >= 0)
        occurring = column.cat.categories.get_indexer(matrix.index)  # codes that occur
        row = np.searchsorted(occurring, codes[known])
        leave = 1 - np.diag(matrix)[row]
        changed = draws[known] < leave
        # A draw below `leave` is uniform there: it also says which of the others comes. The share
        # is below 1 and the product below the number of others, also when rounded.
        share = draws[known][changed] / leave[changed]
        other = (share * (len(occurring) - 1)).astype(np.int64)
        codes[known[changed]] = occurring[other + (other >= row[changed])]
        return pd.Categorical.from_codes(codes, dtype=column.dtype)

    def _column_transitions(self, column: pd.Series) -> pd.DataFrame:
        names, matrix = list(column.cat.categories), pram_matrix(column, self.theta)
        occurring = column.cat.categories.get_indexer(matrix.index)
        table = np.eye(len(names))
        table[np.ix_(occurring, occurring)] = matrix
        return pd.DataFrame(table, names, names)


METHOD = Method(
    "PRAM theta", lambda theta, df: PRAM(theta), (0.2, 0.4, 0.6, 0.8, 1.0), masks="categories"
)


def pram(df: pd.DataFrame, theta: float, random_state: RandomState = None) -> pd.DataFrame:
    """Replace categories at random so that expected frequencies stay as they are; see `PRAM`."""
    return PRAM(theta).mask(df, random_state)


def pram_matrix(column: pd.Series, theta: float) -> pd.DataFrame:
    """Return the probabilities with which PRAM replaces each category (row) by each (column).

    With T(k) the frequency of category k, K categories that occur and T(K) the lowest frequency::

        p_kk = 1 - theta T(K) / T(k),    p_kl = theta T(K) / ((K - 1) T(k))  for l != k

    (domingo2002, section 3.2). Rows sum to 1, and T P = T: expected frequencies do not change.

    Examples
    --------
    >>> pram_matrix(pd.Series(["dog"] * 4 + ["cat"] * 2, dtype="category"), theta=0.5)
          cat   dog
    cat  0.50  0.50
    dog  0.25  0.75
    """
    _check_strength(theta)
    if not isinstance(column, pd.Series):
        raise ValueError(f"column is {shown(column)}; give a column of a file, a pandas Series")
    check_hashable(column.to_frame())
    counts = column.value_counts(sort=False)
    counts = counts[counts > 0]
    names, frequency = list(counts.index), counts.to_numpy(float)
    if len(names) < 2:
        return pd.DataFrame(np.eye(len(names)), names, names)
    leave = theta * frequency.min() / frequency
    matrix = np.repeat(leave[:, None] / (len(names) - 1), len(names), axis=1)
    np.fill_diagonal(matrix, 1 - leave)
    return pd.DataFrame(matrix, names, names)


def _check_strength(theta: float) -> None:
    check_number("theta", theta, "a strength between 0 and 1", 0, 1)
