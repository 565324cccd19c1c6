"""What a function refuses before it computes: one wording for one mistake."""

import numpy as np
import pandas as pd


def check_option(name, value, options):
    if value not in options:
        raise ValueError(f"{name} is {value!r}; it is one of {', '.join(options)}")


def check_files(original, masked):
    for name, frame in (("original", original), ("masked", masked)):
        if frame.empty:
            raise ValueError(
                f"the {name} file is empty: linkage needs at least one record and one column"
            )
        for axis, labels in (("index", frame.index), ("columns", frame.columns)):
            if not labels.is_unique:
                repeated = labels[labels.duplicated()][0]
                raise ValueError(
                    f"the {axis} of the {name} file has {repeated!r} twice; labels say who is who, so each "
                    "must occur once (reset_index(drop=True) numbers the records)"
                )
    if list(original.columns) != list(masked.columns):
        raise ValueError(
            f"the files have different columns, {list(original.columns)} and {list(masked.columns)}; select "
            "the same ones, in the same order, from both"
        )
    if original.index.equals(masked.index):
        return
    smaller, larger = sorted((original.index, masked.index), key=len)
    stranger = smaller.difference(larger, sort=False)
    if len(stranger):
        raise ValueError(
            f"the files are misaligned: record {stranger[0]!r} is in one file only; give the records of an "
            "individual the same index label in both files"
        )


def finite_array(df, name):
    """A frame's values as an array of floats; refuses what is not numeric, missing or infinite."""
    for column, dtype in df.dtypes.items():
        if not pd.api.types.is_numeric_dtype(dtype):
            raise ValueError(
                f"column {column!r} of the {name} file is not numeric; leave it out, or use a distance for "
                "categories (gower, mixed, categorical)"
            )
    values = df.to_numpy(float, na_value=np.nan)
    finite = np.isfinite(values)
    if not finite.all():
        row, column = np.argwhere(~finite)[0]
        raise ValueError(
            f"column {df.columns[column]!r} of the {name} file is missing or infinite in record "
            f"{df.index[row]!r}; fill it or drop the record first"
        )
    return values
