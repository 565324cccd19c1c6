"""What a masking is, and what all methods do before and after: refuse bad files, return a frame."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from .._internal.arithmetic import product
from .._internal.hints import Label, RandomState, Transitions
from .._internal.validation import (
    check_file,
    check_list,
    check_option,
    check_transitions,
    numeric_array,
    random_generator,
    refuse_values,
    shown,
    transition_table,
)


class Masking(ABC):
    """A masking method with its parameters: what a data owner does to a file.

    What it does follows from the file, the parameters and, where it draws, the seed. It keeps
    nothing of the files that it has masked, and the masked file says nothing of the masking.

    A method is a frozen dataclass, its parameters are the fields. It inherits from
    `NumericMasking` or `CategoricalMasking`, checks its parameters in ``__post_init__`` as far as
    they can be checked without a file, and defines ``_masked_columns``.

    The model of a method belongs here too: log P(masked | original), the likelihood that an
    attacker who knows the masking gives to a pair of records. It is to be one more method of this
    class, computed from the file and the parameters like `CategoricalMasking.transitions`, which
    is the same thing for a single category.
    """

    def mask(self, df: pd.DataFrame, random_state: RandomState = None) -> pd.DataFrame:
        """Mask a file.

        Parameters
        ----------
        df : DataFrame
        random_state : int or numpy Generator, optional
            Same seed, same result. Methods that draw nothing do not use it.

        Returns
        -------
        DataFrame
            A new frame with the index and columns of the file, and with empty ``attrs``: what they
            say of the file, such as its source, is not true of the masked one.
        """
        rng = random_generator(random_state)
        self._check(df)
        columns = self._masked_columns(df, rng)
        masked = pd.DataFrame({name: columns.get(name, df[name]) for name in df}, index=df.index)
        masked.columns = df.columns
        return masked

    @abstractmethod
    def _check(self, df: pd.DataFrame) -> None:
        """Refuse a file that the method cannot mask."""

    @abstractmethod
    def _masked_columns(self, df: pd.DataFrame, rng: np.random.Generator) -> Mapping[Label, Any]:
        """Return the masked columns by name; those left out stay as they are."""


class NumericMasking(Masking):
    """A masking of numeric columns without missing values."""

    def _check(self, df: pd.DataFrame) -> None:
        check_file(df, "the file")
        values = numeric_array(
            df, "leave it out or mask it with a categorical method", booleans=False
        )
        refuse_values(df, np.isnan(values), "missing", "fill or drop it first")
        refuse_values(df, np.isinf(values), "infinite", "replace or drop it first")


class CategoricalMasking(Masking):
    """A masking of columns with a pandas categorical dtype; a missing value stays missing."""

    def transitions(self, df: pd.DataFrame) -> Transitions:
        """Return what an attacker who knows the masking knows of each column.

        Parameters
        ----------
        df : DataFrame
            The file before masking.

        Returns
        -------
        dict of DataFrame
            By column, the probability with which the masking of this file turns each original
            category (row) into each masked one (column). A category that does not occur in the
            file stays as it is. Both have the order of the file's categories.

        Examples
        --------
        >>> from rlpaper.masking import RecodeRare
        >>> file = pd.DataFrame({"animal": pd.Categorical(["dog", "dog", "cat", "emu"])})
        >>> RecodeRare(p=2).transitions(file)["animal"]
             cat  dog  emu  other
        cat  0.0  0.0  0.0    1.0
        dog  0.0  1.0  0.0    0.0
        emu  0.0  0.0  0.0    1.0
        """
        self._check(df)
        return {column: self._column_transitions(df[column]) for column in df}

    @abstractmethod
    def _column_transitions(self, column: pd.Series) -> pd.DataFrame:
        """Return the table of one column."""

    def _check(self, df: pd.DataFrame) -> None:
        check_file(df, "the file")
        for column, dtype in df.dtypes.items():
            if not isinstance(dtype, pd.CategoricalDtype):
                raise ValueError(
                    f"column {column!r} is not categorical; convert it with .astype('category'), "
                    "or with pd.Categorical(..., categories=[...], ordered=True) if its categories "
                    "have an order"
                )


@dataclass(frozen=True)
class Method:
    """A method that `rlpaper.assess` tries, with several strengths.

    Parameters
    ----------
    name : str
        The method and its parameter, as shown.
    make : callable
        From a strength and the file to be masked to the `Masking`.
    strengths : tuple of float
        What is tried, from weak to strong.
    masks : {"numbers", "categories"}
        The columns that the method masks.
    pram : tuple of float
        Of a method for numbers: the strength of PRAM for the categories of the same file, one
        beside each of `strengths`. Of a method for categories: none.
    """

    name: str
    make: Callable[[Any, pd.DataFrame], Masking]
    strengths: tuple[float, ...]
    masks: Literal["numbers", "categories"] = "numbers"
    pram: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a method of which some strength would not be tried."""
        if not callable(self.make):
            raise ValueError(
                f"make is {shown(self.make)}; it is a function that returns a masking for a "
                "strength and a file"
            )
        check_option("masks", self.masks, ("numbers", "categories"))
        strengths, pram = check_list("strengths", self.strengths), check_list("pram", self.pram)
        needed = len(strengths) if self.masks == "numbers" else 0
        if len(pram) != needed:
            raise ValueError(
                f"{self.name} masks {self.masks} with {len(strengths)} strengths and has "
                f"{len(pram)} strengths of PRAM beside them; give {needed}"
            )


def compose_transitions(first: Transitions, *others: Transitions) -> Transitions:
    """Multiply the transitions of several maskings that were applied one after the other.

    Each masking's are those of the file that it was given: of the second one, the file that the
    first one returned.

    Examples
    --------
    >>> from rlpaper.masking import PRAM, RecodeRare
    >>> file = pd.DataFrame({"animal": pd.Categorical(["dog", "dog", "cat", "emu"])})
    >>> merge, change = RecodeRare(p=2, into="existing"), PRAM(theta=0.5)
    >>> merged = merge.mask(file)
    >>> compose_transitions(merge.transitions(file), change.transitions(merged))["animal"]
         cat  dog  emu
    cat  0.0  0.5  0.5
    dog  0.0  0.5  0.5
    emu  0.0  0.5  0.5
    """
    check_transitions(first)
    return {
        column: _composed(column, [transition_table(step, column) for step in (first, *others)])
        for column in first
    }


def _composed(column: Label, tables: list[pd.DataFrame]) -> pd.DataFrame:
    """Multiply the tables of a column; a cell that says nothing is zero."""
    before = tables[0]
    for after in tables[1:]:
        known = set(after.index)
        unknown = [name for name in before.columns[(before > 0).any()] if name not in known]
        if unknown:
            raise ValueError(
                f"the transitions of column {column!r} do not fit together: a masking makes "
                f"category {unknown[0]!r}, of which the next one has no row; take the transitions "
                "of each masking for the file that it was given"
            )
        after = after.reindex(before.columns).fillna(0.0)
        before = pd.DataFrame(product(before.fillna(0.0), after), before.index, after.columns)
    return before


def with_dtype(values: np.ndarray, dtype: Any) -> Any:
    """Return real values in a column's own dtype where it can hold them, else as float64.

    A mean of whole numbers is none.
    """
    if not pd.api.types.is_float_dtype(dtype):
        return values
    with np.errstate(over="ignore"):
        own = pd.array(values, dtype=dtype, copy=False)
    return own if np.isfinite(own).all() else values
