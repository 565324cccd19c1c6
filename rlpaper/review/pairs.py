"""Candidate pairs: which records a reviewer is to look at."""

from collections import Counter
from itertools import combinations, product
from pathlib import Path

import pandas as pd

from .._internal.hints import Blocks
from .._internal.validation import check_column_names, check_frame, check_record_labels, shown
from ..linkage.blocking import pairs_in_blocks

#: Column names of pair tables: ours, splink's, recordlinkage's as written to CSV, and how other
#: tools call the two sides.
_NAMES = [
    ("first", "second"),
    ("unique_id_l", "unique_id_r"),
    ("rec_id_1", "rec_id_2"),
    ("id_l", "id_r"),
    ("left", "right"),
]


def all_pairs(first: pd.DataFrame, second: pd.DataFrame | None = None) -> pd.DataFrame:
    """Return every pair of records within a file, or of one file with the other.

    Returns
    -------
    DataFrame
        `first` and `second`, index labels of the two frames.

    Examples
    --------
    >>> all_pairs(pd.DataFrame(index=[1, 2, 3])).values.tolist()
    [[1, 2], [1, 3], [2, 3]]
    """
    _check_files(first, second)
    pairs = combinations(first.index, 2) if second is None else product(first.index, second.index)
    return pd.DataFrame(list(pairs), columns=["first", "second"])


def block(
    first: pd.DataFrame, second: pd.DataFrame | None = None, *, blocks: Blocks
) -> pd.DataFrame:
    """Return the pairs of records that agree on a key, or on any of several.

    Parameters
    ----------
    first, second : DataFrame
        One file, or two.
    blocks : column, tuple of columns, or list of them
        A key is a column, or a tuple of columns that must all agree; of the keys in a list one must
        agree. A missing value or an empty text agrees with nothing.

    Returns
    -------
    DataFrame
        `first` and `second`, in the order of the files.

    Examples
    --------
    >>> block(pd.DataFrame({"name": ["Ann", "Bob", "Ann"]}), blocks=["name"]).values.tolist()
    [[0, 2]]
    """
    _check_files(first, second)
    rows, others = pairs_in_blocks(first, second, blocks)
    other = first if second is None else second
    return pd.DataFrame({"first": first.index[rows], "second": other.index[others]})


def read_pairs(
    table: pd.DataFrame | pd.MultiIndex | str | Path,
    first: pd.DataFrame,
    second: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Read pairs from a table of another tool, as labels of the two frames.

    Parameters
    ----------
    table : DataFrame, MultiIndex or path of a CSV file
        With columns `first` and `second`; splink's predictions (`unique_id_l`, `unique_id_r`);
        recordlinkage's MultiIndex of candidate links or its table of features. What else the table
        holds, such as a match probability, is left out: a reviewer who has seen a score judges the
        score.
    first, second : DataFrame
        The frames, whose indexes hold the labels.

    Returns
    -------
    DataFrame
        `first` and `second`, each pair once, in the order of the table.
    """
    _check_files(first, second)
    pairs = _two_columns(table)
    files = (first, first if second is None else second)
    if not _known(pairs, files) and _known(pairs[["second", "first"]], files):
        pairs = pairs[["second", "first"]].set_axis(
            ["first", "second"], axis=1
        )  # the table has the files the other way round
    pairs = pd.DataFrame(
        {name: _labels(pairs[name], file) for name, file in zip(pairs, files, strict=True)}
    )
    if second is None:
        if len(own := pairs[pairs["first"] == pairs["second"]]):
            raise ValueError(f"record {own['first'].iloc[0]!r} is paired with itself")
        number = {label: number for number, label in enumerate(first.index)}
        turned = pairs["first"].map(number) > pairs["second"].map(number)
        pairs.loc[turned, ["first", "second"]] = pairs.loc[turned, ["second", "first"]].to_numpy()
    return pairs.drop_duplicates(ignore_index=True)


def _check_files(first: pd.DataFrame, second: pd.DataFrame | None) -> None:
    """Refuse files whose labels do not say which record is meant."""
    files = {"the first file": first} | ({} if second is None else {"the second file": second})
    for name, file in files.items():
        check_frame(file, name)
        check_record_labels(file, name)


def _two_columns(table: pd.DataFrame | pd.MultiIndex | str | Path) -> pd.DataFrame:
    if isinstance(table, (str, Path)):
        table = _read_csv(Path(table))
    if isinstance(table, pd.MultiIndex):
        table = pd.DataFrame(index=table)
    if not isinstance(table, pd.DataFrame):
        raise ValueError(
            f"the table of pairs is {shown(table)}; give a pandas DataFrame, a MultiIndex or the "
            "path of a CSV file"
        )
    check_column_names(table, "the table of pairs")
    for names in _NAMES:
        if set(names) <= set(table.columns):
            return table[list(names)].set_axis(["first", "second"], axis=1).reset_index(drop=True)
    if table.index.nlevels == 2:
        pairs = table.index.to_frame(index=False, allow_duplicates=True)
        return pairs.set_axis(["first", "second"], axis=1)
    if len(table.columns) == 2:
        return table.set_axis(["first", "second"], axis=1).reset_index(drop=True)
    raise ValueError(
        "the table of pairs needs columns first and second (or unique_id_l and unique_id_r); "
        f"it has {', '.join(map(str, table.columns))}"
    )


def _read_csv(path: Path) -> pd.DataFrame:
    """Read all cells as texts: a record may be called NA."""
    try:
        return pd.read_csv(path, dtype=str, keep_default_na=False, compression=None)
    except (OSError, ValueError) as error:
        raise ValueError(
            f"the file of pairs {path.name!r} cannot be read ({str(error).strip()}); name a CSV "
            "file in UTF-8 with the columns first and second"
        ) from None


def _known(pairs: pd.DataFrame, files: tuple[pd.DataFrame, ...]) -> bool:
    return all(
        set(pairs.iloc[:, side].map(str)) <= set(map(str, file.index))
        for side, file in enumerate(files)
    )


def _labels(column: pd.Series, file: pd.DataFrame) -> list:
    """Index labels of a file for what a table writes, 7 for "7" too."""
    labels = {str(label): label for label in file.index}
    if len(labels) < len(file):
        written, _ = Counter(map(str, file.index)).most_common(1)[0]
        raise ValueError(
            f"the index of a file has two labels that are both written {written}, so that a pair "
            "does not say which it means; rename one, or number the records by "
            "reset_index(drop=True)"
        )
    missing = [value for value in column if str(value) not in labels]
    if missing:
        raise ValueError(
            f"there is no record {missing[0]!r}: pairs name records by the labels of the frame's "
            "index, so use set_index on the column of identifiers first"
        )
    return [labels[str(value)] for value in column]
