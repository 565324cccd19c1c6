"""What a fuzzed call is given: files, options and numbers, legal ones and others, from one seed."""

import datetime
from decimal import Decimal

import numpy as np
import pandas as pd

SIZES = (1, 2, 3, 5, 9, 24)
WRONG = (
    None,
    "",
    "x",
    "\ud800",
    0.5,
    -1,
    np.nan,
    np.inf,
    True,
    10**30,
    1e308,
    [],
    {},
    b"x",
    object,
)
LABELS = ("age", "town", "income", 3, ("a", 1), "\ud800", "", "age of\nthe person")


class Draw:
    """Draws for one call; `wild` calls are given things that a function must refuse."""

    def __init__(self, seed: int, number: int):
        self.rng = np.random.default_rng([seed, number])
        self.wild = self.chance(0.5)
        self.labels: set[str] = set()  # of the files drawn: an error may name any of them

    def chance(self, share: float) -> bool:
        return bool(self.rng.random() < share)

    def of(self, options):
        """One of the options; in a wild call, now and then none of them."""
        if self.wild and self.chance(0.08):
            return self.pick(WRONG)
        return self.pick(options)

    def pick(self, things):
        things = list(things)
        return things[int(self.rng.integers(len(things)))]

    def number(self, low, high, whole=False):
        """A number between two others, these now and then; in a wild call, what is none."""
        if self.wild and self.chance(0.12):
            return self.pick([*WRONG, low - 1, high + 1, np.float32(low), str(low), [low]])
        if self.chance(0.2):
            return self.pick([low, high])
        if whole:
            return self.pick([int, np.int64, float])(self.rng.integers(low, high + 1))
        return float(self.rng.uniform(low, high))

    def seed(self):
        return self.of([0, 1, np.int64(7), np.random.default_rng(3), None])

    def column(self, n: int, kind: str):
        """n values: `numbers` or `categories`, in all the shapes in which people have them."""
        odd = ODD_NUMBERS if kind == "numbers" else ODD_CATEGORIES
        recipe = self.pick(ILLEGAL if self.wild and self.chance(0.15) else odd)
        return recipe(self.rng, n)

    def file(self, kind: str = "numbers", *, rows: int | None = None, columns: int | None = None):
        """A file of `numbers`, `categories` or both (`mixed`); seldom what is no file at all."""
        n = rows or self.pick(SIZES)
        width = columns or self.pick((1, 2, 3, 4))
        if self.wild and self.chance(0.05):
            n, width = self.pick([(0, width), (n, 0), (0, 0)])
        kinds = ["numbers", "categories"] if kind == "mixed" else [kind]
        frame = pd.concat(
            [pd.Series(self.column(n, self.pick(kinds)), range(n)) for _ in range(width)]
            or [pd.Series(index=range(n), dtype=float)],
            axis=1,
        ).iloc[:, :width]
        frame.columns = self._names(width)
        frame.index = self._index(n)
        if frame.size and self.chance(0.1) and all(map(_is_real, frame.dtypes)):
            frame = self._in_odd_memory(frame)
        self._note(frame)
        if self.wild and self.chance(0.04):
            values = frame.to_numpy(object)
            return self.pick(
                [values, None, values.tolist(), "file.csv", frame.iloc[:, :1].squeeze()]
            )
        return frame

    def pair(self, kind: str = "numbers", **size):
        """Two files of the same records and columns, the second masked somehow."""
        original = self.file(kind, **size)
        if not isinstance(original, pd.DataFrame):
            return original, self.file(kind, **size)
        return original, self.masked(original, kind)

    def masked(self, original: pd.DataFrame, kind: str = "numbers") -> pd.DataFrame:
        """A file that may be a masked one of another; in a wild call, one that cannot be."""
        n, width = original.shape
        masked = original.copy()
        way = self.pick(["same", "shuffled", "another", "noise", "rounded"])
        for at in range(width if n else 0):
            values = original.iloc[:, at]
            if way == "shuffled":
                values = values.take(self.rng.permutation(n)).array
            elif way == "another":
                numeric = pd.api.types.is_numeric_dtype(values)
                values = self.column(n, "numbers" if numeric else "categories")
            elif way in ("noise", "rounded") and values.dtype == float:
                with np.errstate(all="ignore"):
                    noisy = values.to_numpy() + self.rng.normal(size=n)
                values = noisy if way == "noise" else np.round(values.to_numpy(), -1)
            masked.isetitem(at, pd.Series(values).array)
        if n and self.chance(0.3):
            masked = masked.take(self.rng.permutation(n))
        if n > 1 and self.chance(0.15):
            masked = masked.iloc[: self.rng.integers(1, n)]
        if self.wild and self.chance(0.1):
            masked = self.pick(
                [
                    masked.iloc[:0],
                    masked.iloc[:, ::-1],
                    masked.iloc[:, :-1],
                    masked.reset_index(drop=True),
                    pd.concat([masked, masked]),
                    None,
                ]
            )
        self._note(masked)
        return masked

    def _note(self, frame: object) -> None:
        if isinstance(frame, pd.DataFrame):
            self.labels |= {repr(label) for label in (*frame.columns, *frame.index)}

    def _names(self, width: int):
        if self.wild and width > 1 and self.chance(0.05):
            return ["age"] * width
        if self.chance(0.7) or width > len(LABELS):
            return [f"v{at}" for at in range(width)]
        return pd.Index(LABELS[:width], tupleize_cols=False)

    def _index(self, n: int):
        if self.wild and n > 1 and self.chance(0.06):
            return [0] * n
        return self.pick(
            [
                pd.RangeIndex(n),
                pd.RangeIndex(n),
                pd.RangeIndex(5, 5 + 3 * n, 3),
                pd.Index(self.rng.permutation(n)),
                pd.Index([f"person {at}" for at in range(n)], dtype=object),
                pd.date_range("2001-01-01", periods=n),
                pd.MultiIndex.from_arrays([range(n), range(n)]),
                pd.Index(np.arange(n) / 2),
            ]
        )

    def _in_odd_memory(self, frame: pd.DataFrame) -> pd.DataFrame:
        """The same file, its array strided, in the order of columns, or read-only."""
        values = frame.to_numpy(float, na_value=np.nan)
        way = self.pick(["strided", "by column", "read-only"])
        if way == "strided":
            wide = np.empty((2 * len(values), 3 * values.shape[1]))
            wide[::2, ::3] = values
            values = wide[::2, ::3]
        elif way == "by column":
            values = np.asfortranarray(values)
        else:
            values.flags.writeable = False
        return pd.DataFrame(values, frame.index, frame.columns, copy=False)


def _is_real(dtype: object) -> bool:
    return pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_complex_dtype(dtype)


def _texts(values) -> pd.array:
    return pd.array(np.array([*values, None], dtype=object)[:-1], dtype=object)


def _with(values, odd):
    """The values with another one at one place."""
    values = np.array(values, float)
    values[: len(values) // 4 + 1] = odd
    return values


#: Numbers that every function takes, or says why not.
ODD_NUMBERS = [
    lambda rng, n: rng.normal(50, 9, n),
    lambda rng, n: rng.normal(50, 9, n),
    lambda rng, n: rng.integers(0, 9, n),
    lambda rng, n: rng.integers(0, 9, n),
    lambda rng, n: rng.integers(0, 2, n).astype(float),
    lambda rng, n: np.arange(n) + 20,
    lambda rng, n: np.full(n, 3.0),
    lambda rng, n: rng.uniform(-1, 1, n) * 1.7e308,
    lambda rng, n: rng.normal(size=n) * 1e153,
    lambda rng, n: rng.normal(size=n) * 1e-300,
    lambda rng, n: rng.integers(0, 9, n) * 5e-324,
    lambda rng, n: _with(rng.normal(size=n), 1e200),
    lambda rng, n: _with(np.full(n, 1e6), 1e6 + 0.01),
    lambda rng, n: 10.0 ** rng.integers(-300, 300, n),
    lambda rng, n: 10**18 + np.arange(n),
    lambda rng, n: np.array([2**64 - 1 - at for at in range(n)], np.uint64),
    lambda rng, n: rng.integers(0, 2, n).astype(bool),
    lambda rng, n: rng.normal(size=n).astype(np.float16),
    lambda rng, n: rng.normal(size=n).astype(np.float32),
    lambda rng, n: np.arange(n).astype(np.longdouble) / 3,
    lambda rng, n: np.arange(n).astype(np.int8),
    lambda rng, n: pd.array(rng.integers(0, 9, n), "Int64"),
    lambda rng, n: pd.array(rng.normal(size=n), "Float64"),
    lambda rng, n: pd.array(rng.normal(size=n), pd.SparseDtype(float)),
    lambda rng, n: np.where(np.arange(n) % 2, 0.0, -0.0),
]
#: Categories that every function takes, or says why not.
ODD_CATEGORIES = [
    lambda rng, n: pd.Categorical(rng.choice(["a", "b", "c"], n)),
    lambda rng, n: pd.Categorical(rng.choice(["a", "b", "c"], n)),
    lambda rng, n: pd.Categorical(
        rng.choice(["a", "b", "c"], n), ["c", "a", "b", "d"], ordered=True
    ),
    lambda rng, n: pd.Categorical(rng.integers(0, 4, n), range(4), ordered=True),
    lambda rng, n: pd.Categorical(["a"] * n),
    lambda rng, n: pd.Categorical([f"c{at}" for at in range(n)]),
    lambda rng, n: pd.Categorical(rng.choice(["a", "b"], n), list("abcdefgh")),
    lambda rng, n: pd.Categorical(rng.integers(0, 2, n).astype(bool)),
    lambda rng, n: _texts(rng.choice(["a", "b", "c"], n)),
    lambda rng, n: _texts([f"c{at}" for at in range(n)]),
    lambda rng, n: _texts(["\ud800", "b"][at % 2] for at in range(n)),
    lambda rng, n: pd.array(rng.choice(["a", "b"], n), "string"),
]
#: Columns that hardly a function takes.
ILLEGAL = [
    lambda rng, n: _with(rng.normal(size=n), np.nan),
    lambda rng, n: _with(rng.normal(size=n), np.inf),
    lambda rng, n: _with(rng.normal(size=n), -np.inf),
    lambda rng, n: np.full(n, np.nan),
    lambda rng, n: pd.Categorical([None] * n),
    lambda rng, n: pd.Categorical(["a" if at else None for at in range(n)]),
    lambda rng, n: pd.Categorical.from_codes([-1] * n, ["a", "b"]),
    lambda rng, n: pd.array([None if at % 3 else at for at in range(n)], "Int64"),
    lambda rng, n: pd.array([None if at % 3 else True for at in range(n)], "boolean"),
    lambda rng, n: rng.normal(size=n) + 1j,
    lambda rng, n: pd.date_range("2001-01-01", periods=n),
    lambda rng, n: pd.to_timedelta(np.arange(n), "D"),
    lambda rng, n: pd.period_range("2001-01", periods=n, freq="M"),
    lambda rng, n: _texts(None for _ in range(n)),
    lambda rng, n: _texts([1, "a", 2.5, True, None][at % 5] for at in range(n)),
    lambda rng, n: _texts(Decimal(at) / 7 for at in range(n)),
    lambda rng, n: _texts(datetime.date(2001, 1, 1 + at % 28) for at in range(n)),
    lambda rng, n: _texts([[1], {2}][at % 2] for at in range(n)),
    lambda rng, n: _texts(10**30 + at for at in range(n)),
    lambda rng, n: pd.arrays.IntervalArray.from_breaks(range(n + 1)),
]
