"""PRAM, post-randomisation: each category is replaced by another with a known probability.

Files have pandas categorical columns. A missing value stays missing.
"""

import numpy as np
import pandas as pd

from .base import check_categorical, masked_frame


def pram(df, theta, random_state=None):
    """Replace categories at random so that the expected frequencies stay as they are.

    Post-randomisation (Kooiman, Willenborg and Gouweleeuw 1998) with the matrix of `pram_matrix`,
    for each variable and record independently. Method: domingo2002, section 3.2, where p = 10
    theta.

    Parameters
    ----------
    df : DataFrame
        Categorical columns.
    theta : float
        Strength, 0 (nothing changes) to 1.
    random_state : int or numpy Generator, optional
        Same seed, same result.

    Returns
    -------
    DataFrame
        Same index, columns and dtypes.

    Examples
    --------
    >>> file = pd.DataFrame({"animal": pd.Categorical(["dog"] * 4 + ["cat"] * 2)})
    >>> masked = pram(file, theta=0.9, random_state=1)
    >>> masked["animal"].tolist()
    ['dog', 'dog', 'cat', 'dog', 'dog', 'dog']
    """
    check_categorical(df)
    rng = np.random.default_rng(random_state)
    masked, transitions = {}, {}
    for column in df:
        matrix = pram_matrix(df[column], theta)
        draws = rng.random(len(df))
        codes = df[column].cat.codes.to_numpy().astype(np.int64)
        known = np.flatnonzero(codes >= 0)
        if len(matrix) > 1:
            place = df[column].cat.categories.get_indexer(matrix.index)  # codes that occur
            row = np.searchsorted(place, codes[known])
            leave = 1 - np.diag(matrix)[row]
            changed = draws[known] < leave
            # A draw below `leave` is uniform there: it also says which of the others comes.
            share = draws[known][changed] / leave[changed]
            other = np.minimum((share * (len(place) - 1)).astype(np.int64), len(place) - 2)
            codes[known[changed]] = place[other + (other >= row[changed])]
        masked[column] = pd.Categorical.from_codes(codes, dtype=df[column].dtype)
        # A category that does not occur stays as it is.
        transitions[column] = {name: {name: 1.0} for name in df[column].cat.categories} | {
            name: {to: p for to, p in row.items() if p > 0}
            for name, row in matrix.to_dict("index").items()
        }
    return masked_frame(df, masked, {"method": "pram", "theta": theta, "transitions": transitions})


def pram_matrix(column, theta):
    """Probabilities with which PRAM replaces each category (row) by each (column of the matrix).

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
    if not 0 <= theta <= 1:
        raise ValueError(f"theta is {theta}; it lies between 0 and 1")
    frequency = column.value_counts(sort=False)
    frequency = frequency[frequency > 0]
    names = list(frequency.index)
    frequency = frequency.to_numpy(float)
    if len(names) < 2:
        return pd.DataFrame(np.eye(len(names)), names, names)
    leave = theta * frequency.min() / frequency
    matrix = np.repeat(leave[:, None] / (len(names) - 1), len(names), axis=1)
    np.fill_diagonal(matrix, 1 - leave)
    return pd.DataFrame(matrix, names, names)
