"""Readings of what a paper leaves open, held against what it prints."""


def fit(readings):
    """How well each reading of a paper fits each of its tables.

    Parameters
    ----------
    readings : DataFrame
        One row per reading and printed cell: `reading`, `table`, `verdict` and `difference`, which
        is what was reproduced less what is printed.

    Returns
    -------
    DataFrame
        One row per reading and table: `cells`, how many of them `match`, `mean_difference` and
        `mean_absolute_difference`.

    Examples
    --------
    >>> import pandas as pd
    >>> cells = pd.DataFrame({"reading": "chosen", "table": "table2",
    ...                       "verdict": ["match", "near"], "difference": [0.5, -1.5]})
    >>> fit(cells).to_csv(index=False).splitlines()[1]
    'chosen,table2,2,1,-0.5,1.0'
    """
    grouped = readings.groupby(["reading", "table"], sort=False)
    return grouped.agg(
        cells=("verdict", "size"),
        match=("verdict", lambda verdict: (verdict == "match").sum()),
        mean_difference=("difference", "mean"),
        mean_absolute_difference=("difference", lambda difference: difference.abs().mean()),
    ).reset_index()
