"""Tables for people to read, in a notebook or on a page."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
from pandas.io.formats.style import Styler

from .hints import Label


def readable(frame: pd.DataFrame, shares: Sequence[Label] = ()) -> Styler:
    """Show a frame as a table for reading.

    Text stands to the left, numbers to the right, with four digits and thousands apart; an index
    that only counts is left out.

    Parameters
    ----------
    frame : DataFrame
    shares : list of columns
        Shown as percentages.

    Returns
    -------
    pandas Styler

    Examples
    --------
    >>> "12.5%" in readable(pd.DataFrame({"found": [0.125]}), ["found"]).to_html()
    True
    """
    text = [name for name in frame if not pd.api.types.is_numeric_dtype(frame[name])]
    formats = {name: _share if name in shares else _number for name in frame if name not in text}
    style = frame.style.format(formats, na_rep="").set_properties(text, **{"text-align": "left"})
    style = style.set_table_styles(
        [
            {"selector": f"th.col{frame.columns.get_loc(name)}", "props": "text-align: left"}
            for name in text
        ]
    )
    return style.hide() if isinstance(frame.index, pd.RangeIndex) else style


def as_texts(frame: pd.DataFrame, shares: Sequence[Label] = ()) -> dict[str, list]:
    """Turn a frame into texts, for pages with a look of their own.

    Numbers are written as in `readable`.

    Parameters
    ----------
    frame : DataFrame
        An index that has a name comes first, as a column; one that only counts is left out.
    shares : list of columns
        Shown as percentages.

    Returns
    -------
    dict
        `head`, for each column whether it holds text and its name, and `rows`, for each row whether
        a cell is text and what it says. Nothing is escaped: that is for who writes the page.

    Examples
    --------
    >>> as_texts(pd.DataFrame({"found": [0.125, None], "by": ["<b>", "all"]}), ["found"])["rows"]
    [[(False, '12.5%'), (True, '<b>')], [(False, ''), (True, 'all')]]
    """
    if not isinstance(frame.index, pd.RangeIndex):
        frame = frame.reset_index()
    text = [not pd.api.types.is_numeric_dtype(kind) for kind in frame.dtypes]
    columns = []
    for number, name in enumerate(frame):
        values = frame.iloc[:, number]
        if pd.api.types.is_bool_dtype(values):
            text[number] = True
            columns.append(["yes" if value else "no" for value in values])
        elif text[number]:
            columns.append(["" if pd.isna(value) else str(value) for value in values])
        else:
            columns.append([(_share if name in shares else _number)(value) for value in values])
    return {
        "head": [(is_text, str(name)) for is_text, name in zip(text, frame, strict=True)],
        "rows": [list(zip(text, row, strict=True)) for row in zip(*columns, strict=True)],
    }


def _number(value: Any) -> str:
    if pd.isna(value) or isinstance(value, bool):
        return "" if pd.isna(value) else str(value)
    if float(value).is_integer() and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:.4g}"


def _share(value: Any) -> str:
    return "" if pd.isna(value) else f"{100 * value:.3g}%"
