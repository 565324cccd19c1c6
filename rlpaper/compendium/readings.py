"""What was reproduced against what is printed, and how well each reading of a paper fits."""

from collections.abc import Mapping, Sequence

import pandas as pd

from . import scorecard


def against_print(
    paper: str, tables: Mapping[str, pd.DataFrame], names: Sequence[str]
) -> pd.DataFrame:
    """Put reproduced numbers beside the printed ones, for several tables of one paper.

    Parameters
    ----------
    paper : str
    tables : dict
        By item, such as ``"table2"``, a frame with the columns `cell`, `value` and `execution`.
    names : list of str
        What the words are that the name of a cell consists of.

    Returns
    -------
    DataFrame
        One row per printed cell that was reproduced: `table`, the words of its name, `published`,
        `reproduced`, `se` and `verdict`.

    Examples
    --------
    >>> frame = pd.DataFrame({"cell": ["p=6 dbrl"], "execution": [0], "value": [87.5]})
    >>> beside = against_print("abril2012", {"table2": frame}, ["row", "column"])
    >>> beside.to_csv(index=False).splitlines()[1]
    'table2,p=6,dbrl,88.0,87.5,0.0,match'
    """
    judged = pd.concat(
        [scorecard.compare(frame, paper, item) for item, frame in tables.items()],
        ignore_index=True,
    )
    judged = judged[~judged["verdict"].isin(["missing", "input"])].reset_index(drop=True)
    words = judged["cell"].str.split(expand=True).set_axis(list(names), axis=1)
    numbers = judged[["published", "reproduced"]].astype(float)
    return pd.concat(
        [judged["item"].rename("table"), words, numbers, judged[["se", "verdict"]]], axis=1
    )


def fit_of(readings: pd.DataFrame) -> pd.DataFrame:
    """Say how well each reading of a paper fits each of its tables.

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
    >>> cells = pd.DataFrame({"reading": "chosen", "table": "table2",
    ...                       "verdict": ["match", "near"], "difference": [0.5, -1.5]})
    >>> fit_of(cells).to_csv(index=False).splitlines()[1]
    'chosen,table2,2,1,-0.5,1.0'
    """
    grouped = readings.groupby(["reading", "table"], sort=False)
    return grouped.agg(
        cells=("verdict", "size"),
        match=("verdict", lambda verdict: (verdict == "match").sum()),
        mean_difference=("difference", "mean"),
        mean_absolute_difference=("difference", lambda difference: difference.abs().mean()),
    ).reset_index()
