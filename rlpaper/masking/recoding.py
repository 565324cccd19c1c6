"""Recoding of categories: the top, the bottom or the rarest of them become one."""

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
import pandas as pd
from pandas.api.types import is_hashable, is_scalar

from .._internal.hints import Label
from .._internal.validation import check_number, check_option, shown
from .base import CategoricalMasking, Method


class Recoding(CategoricalMasking):
    """A masking that makes one category of the first p categories of a ranking."""

    p: int
    scope: str
    into: str
    label: Label
    position: str

    def __post_init__(self) -> None:
        """Refuse what is not a number of categories, and unknown options."""
        check_number("p", self.p, "a number of categories, 0 or more", 0, whole=True)
        check_option("scope", self.scope, ("ordinal", "all"))
        check_option("into", self.into, ("new", "existing"))
        check_option("position", self.position, ("end", "start"))
        if not is_hashable(self.label) or (is_scalar(self.label) and pd.isna(self.label)):
            raise ValueError(
                f"label is {shown(self.label)}; it is the name of a category, such as a text"
            )

    @abstractmethod
    def _ranking(self, counts: np.ndarray) -> np.ndarray:
        """Return the codes that occur, in the order in which they are recoded.

        `counts` says how often each code occurs.
        """

    def _masked_columns(self, df: pd.DataFrame, rng: np.random.Generator) -> dict[Label, object]:
        columns = {}
        for name in df:
            dtype, becomes = self._recoded(df[name])
            codes = np.append(becomes, -1)[df[name].cat.codes]  # code -1: a missing value stays so
            columns[name] = pd.Categorical.from_codes(codes, dtype=dtype)
        return columns

    def _column_transitions(self, column: pd.Series) -> pd.DataFrame:
        dtype, becomes = self._recoded(column)
        table = np.zeros((len(becomes), len(dtype.categories)))
        table[np.arange(len(becomes)), becomes] = 1
        return pd.DataFrame(table, list(column.cat.categories), list(dtype.categories))

    def _recoded(self, column: pd.Series) -> tuple[pd.CategoricalDtype, np.ndarray]:
        """Return the categories after masking, and which code each code becomes."""
        names, codes = column.cat.categories, column.cat.codes.to_numpy()
        in_scope = self.scope == "all" or column.cat.ordered
        counts = np.bincount(codes[codes >= 0], minlength=len(names))
        first = self._ranking(counts)[: int(self.p) if in_scope else 0]
        becomes = np.arange(len(names))
        if self.into == "existing" or not len(first):
            becomes[first] = first[-1:]
            return column.dtype, becomes
        if self.label in set(names):
            raise ValueError(
                f"column {column.name!r} has a category {self.label!r} already; choose another "
                "label"
            )
        if self.position == "end":
            becomes[first] = len(names)
            categories = [*names, self.label]
        else:
            becomes += 1
            becomes[first] = 0
            categories = [self.label, *names]
        return pd.CategoricalDtype(categories, column.cat.ordered), becomes


@dataclass(frozen=True)
class TopCode(Recoding):
    """Recode the last p categories of each ordinal variable into one.

    Method: domingo2002, section 3.2. Only the categories that occur in the file are counted. With
    p at or above their number, one category is left.

    Parameters
    ----------
    p : int
        How many categories are recoded, 0 or more.
    scope : {"ordinal", "all"}
        Ordered columns only, as the paper's text says; or all columns, in the order of their
        categories, which is what the paper's Tables 3 and 4 look like.
    into : {"new", "existing"}
        A new category, placed after the last one; or the lowest of those that are recoded. A new
        category is added to the dtype of the column, none is taken out.
    label
        Name of the new category.

    Examples
    --------
    >>> size = pd.Categorical(["S", "M", "L", "XL"], ["S", "M", "L", "XL"], ordered=True)
    >>> TopCode(p=2).mask(pd.DataFrame({"size": size}))["size"].tolist()
    ['S', 'M', 'top', 'top']
    """

    p: int
    scope: str = "ordinal"
    into: str = "new"
    label: Label = "top"
    position = "end"

    def _ranking(self, counts: np.ndarray) -> np.ndarray:
        return np.flatnonzero(counts)[::-1]


@dataclass(frozen=True)
class BottomCode(Recoding):
    """Recode the first p categories of each ordinal variable into one.

    As `TopCode`, from the other end: a new category is placed before the first one, an existing
    one is the highest of those that are recoded.

    Examples
    --------
    >>> size = pd.Categorical(["S", "M", "L", "XL"], ["S", "M", "L", "XL"], ordered=True)
    >>> file = pd.DataFrame({"size": size})
    >>> BottomCode(p=2, into="existing").mask(file)["size"].tolist()
    ['M', 'M', 'L', 'XL']
    """

    p: int
    scope: str = "ordinal"
    into: str = "new"
    label: Label = "bottom"
    position = "start"

    def _ranking(self, counts: np.ndarray) -> np.ndarray:
        return np.flatnonzero(counts)


@dataclass(frozen=True)
class RecodeRare(Recoding):
    """Recode the p rarest categories of each variable into one (global recoding).

    Method: domingo2002, section 3.2. Only the categories that occur in the file are counted; of
    equally rare ones the first in the order of categories goes first. With p at or above their
    number, one category is left.

    Parameters
    ----------
    p : int
        How many categories are recoded, 0 or more.
    into : {"new", "existing"}
        A new category; or the most frequent of those that are recoded. A new category is added to
        the dtype of the column, none is taken out.
    label
        Name of the new category.
    position : {"end", "start"}
        Where the new category stands in the order of an ordinal variable: after all others or
        before them.

    Examples
    --------
    >>> animal = pd.Categorical(["dog", "dog", "cat", "cat", "cat", "emu", "owl"])
    >>> RecodeRare(p=2).mask(pd.DataFrame({"animal": animal}))["animal"].tolist()
    ['dog', 'dog', 'cat', 'cat', 'cat', 'other', 'other']
    """

    p: int
    into: str = "new"
    label: Label = "other"
    position: str = "end"
    scope = "all"

    def _ranking(self, counts: np.ndarray) -> np.ndarray:
        order = np.argsort(counts, kind="stable")
        return order[counts[order] > 0]


#: The rarest categories join an existing one: a new name protects nobody.
METHOD = Method(
    "rare categories p",
    lambda p, df: RecodeRare(p, into="existing"),
    (1, 2, 3, 5),
    masks="categories",
)


def top_code(
    df: pd.DataFrame,
    p: int,
    scope: str = "ordinal",
    into: str = "new",
    label: Label = "top",
) -> pd.DataFrame:
    """Recode the last p categories of each ordinal variable into one; see `TopCode`."""
    return TopCode(p, scope, into, label).mask(df)


def bottom_code(
    df: pd.DataFrame,
    p: int,
    scope: str = "ordinal",
    into: str = "new",
    label: Label = "bottom",
) -> pd.DataFrame:
    """Recode the first p categories of each ordinal variable into one; see `BottomCode`."""
    return BottomCode(p, scope, into, label).mask(df)


def recode_rare(
    df: pd.DataFrame,
    p: int,
    into: str = "new",
    label: Label = "other",
    position: str = "end",
) -> pd.DataFrame:
    """Recode the p rarest categories of each variable into one; see `RecodeRare`."""
    return RecodeRare(p, into, label, position).mask(df)
