"""Blocking: only records that agree on a key are compared.

Blocks are given by keys everywhere: a key is a column that both files have, or a tuple of columns
that must all agree. A list holds several keys, of which one must agree. A missing value or an empty
text agrees with nothing.
"""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from .._internal.hints import Blocks, Label
from .._internal.validation import check_file, check_hashable, shown

#: The numbers of the blocks of two files' records.
BlockNumbers = tuple[np.ndarray, np.ndarray]


def pairs_in_blocks(
    first: pd.DataFrame, second: pd.DataFrame | None, blocks: Blocks
) -> BlockNumbers:
    """Return the pairs of records that agree on at least one key, each pair once.

    Parameters
    ----------
    first, second : DataFrame
        Two files, or one file and None: then pairs within it, the earlier record first.
    blocks : column, tuple of columns, or list of them

    Returns
    -------
    two arrays
        Positions in both files, in the order of the files.

    Examples
    --------
    >>> file = pd.DataFrame({"name": ["Ann", "Bob", "Ann"], "town": ["x", "x", None]})
    >>> [rows.tolist() for rows in pairs_in_blocks(file, None, ["name", "town"])]
    [[0, 0], [1, 2]]
    """
    other = first if second is None else second
    found = []
    for key in _keys(blocks):
        a, b = (
            pd.DataFrame({"block": numbers, "position": np.arange(len(numbers))})[numbers >= 0]
            for numbers in _block_numbers(first, other, key)
        )
        both = a.merge(b, on="block")
        found.append(both["position_x"].to_numpy() * len(other) + both["position_y"].to_numpy())
    # Sorting and hashing by themselves are much faster here than np.unique.
    codes = np.sort(pd.unique(np.concatenate(found)))
    rows, columns = divmod(codes, max(1, len(other)))
    kept = rows < columns if second is None else np.full(len(rows), True)
    return rows[kept], columns[kept]


def split_blocks(
    first: pd.DataFrame, second: pd.DataFrame, blocks: Blocks | None, kept: Iterable[Label] = ()
) -> tuple[BlockNumbers | None, pd.DataFrame, pd.DataFrame]:
    """Return the numbers of the records' blocks, and what of the files is compared within them.

    All records that are compared agree on the key, so its columns are left out, except those to be
    kept. Equal blocks have equal numbers in both files; a record that has no block has -1. Without
    blocks there are no numbers.

    Examples
    --------
    >>> a = pd.DataFrame({"sex": ["f", "m", None], "age": [20, 30, 40]})
    >>> numbers, _, b = split_blocks(a, a.iloc[::-1], "sex")
    >>> [block.tolist() for block in numbers], list(b)
    ([[1, 2, -1], [-1, 2, 1]], ['age'])
    """
    if blocks is None:
        return None, first, second
    keys = _keys(blocks)
    if len(keys) > 1:
        raise ValueError(
            f"blocks name {len(keys)} keys, so that a record would be in several blocks; give one, "
            "a column or a tuple of columns that must all agree"
        )
    numbers = _block_numbers(first, second, keys[0])
    left_out = [column for column in keys[0] if column not in kept]
    if {*first.columns} <= {*left_out}:
        raise ValueError("blocks use all columns of the files; leave one by which to compare")
    return numbers, first.drop(columns=left_out), second.drop(columns=left_out)


def common_codes(x: pd.Series, y: pd.Series) -> BlockNumbers:
    """Return the values of two columns as whole numbers, the same where they are equal.

    A missing value is -1.

    Examples
    --------
    >>> [codes.tolist() for codes in common_codes(pd.Series(["u", None]), pd.Series(["v", "u"]))]
    [[0, -1], [1, 0]]
    """
    if isinstance(x.dtype, pd.CategoricalDtype) and isinstance(y.dtype, pd.CategoricalDtype):
        first, second = (column.cat.categories.astype(object) for column in (x, y))
        codes = first.get_indexer(second)
        codes = np.where(codes < 0, len(first) + np.arange(len(codes)), codes)
        # The last, which is at -1, stands for what is missing.
        return x.cat.codes.to_numpy(np.int64), np.append(codes, -1)[y.cat.codes]
    check_hashable(x.to_frame())
    check_hashable(y.to_frame())
    codes, _ = pd.factorize(pd.concat([x.astype(object), y.astype(object)]))
    return codes[: len(x)], codes[len(x) :]


def _keys(blocks: Blocks) -> list[list[Label]]:
    """Return each key as a list of columns."""
    keys = [
        list(key) if isinstance(key, (list, tuple)) else [key]
        for key in (blocks if isinstance(blocks, list) else [blocks])
    ]
    if not keys or not all(keys):
        raise ValueError("name at least one key to block by: a column, or a tuple of columns")
    return keys


def _block_numbers(first: pd.DataFrame, second: pd.DataFrame, key: list[Label]) -> BlockNumbers:
    """Return the number of each record's block by one key, -1 where a value is missing."""
    for name, file in (("first", first), ("second", second)):
        check_file(file, f"the {name} file")
        for column in key:
            if not pd.api.types.is_hashable(column) or column not in file:
                raise ValueError(f"the {name} file has no column {shown(column)} to block by")
    numbers = np.zeros(len(first) + len(second), np.int64)
    missing = np.full(len(numbers), False)
    for column in key:
        both = first[column], second[column]
        parts = common_codes(*both)
        is_number = [pd.api.types.is_numeric_dtype(part) for part in both]
        if is_number[0] != is_number[1] and not {*parts[0]} & {*parts[1]} - {-1}:
            raise ValueError(
                f"column {column!r} holds numbers in one file and no equal ones in the other; "
                "convert it, so that equal values are equal"
            )
        codes = np.concatenate(parts)
        missing |= (codes < 0) | np.concatenate([part.isin([""]) for part in both])
        numbers = np.unique(numbers * (codes.max(initial=0) + 2) + codes, return_inverse=True)[1]
    numbers = np.where(missing, -1, numbers)
    return numbers[: len(first)], numbers[len(first) :]
