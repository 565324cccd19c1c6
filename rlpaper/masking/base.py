"""What all masking methods do before and after: refuse bad files, and say what was done, so that it can be read again."""

import numpy as np
import pandas as pd

from .._internal.arithmetic import product
from .._internal.validation import numeric_array, refuse_values


def check_numeric(df):
    """Refuse a file that a numeric method cannot mask."""
    _check_shape(df)
    values = numeric_array(df, "leave it out or mask it with a categorical method", booleans=False)
    refuse_values(df, np.isnan(values), "missing", "fill or drop it first")
    refuse_values(df, np.isinf(values), "infinite", "replace or drop it first")


def check_categorical(df):
    """Refuse a file that a categorical method cannot mask."""
    _check_shape(df)
    for column in df:
        if not isinstance(df[column].dtype, pd.CategoricalDtype):
            raise ValueError(
                f"column {column!r} is not categorical; convert it with .astype('category'), or with "
                "pd.Categorical(..., categories=[...], ordered=True) if its categories have an order"
            )


def _check_shape(df):
    if df.empty:
        raise ValueError("the file is empty: masking needs at least one record and one column")
    if not df.columns.is_unique:
        repeated = df.columns[df.columns.duplicated()][0]
        raise ValueError(f"there are two columns {repeated!r}; give each column a name of its own")


def masked_frame(df, columns, step):
    """The masked file: new columns in the place of the old ones, and one more step in the record."""
    masked = pd.DataFrame(
        {column: columns[column] if column in columns else df[column] for column in df},
        index=df.index,
    )
    masked.columns = df.columns
    masked.attrs = {**df.attrs, "masking": [*df.attrs.get("masking", []), step]}
    return masked


def transitions(masked):
    """Probabilities with which the masking turned each original category (row) into each masked one, by column.

    Read from the record that the masking methods of this package leave; several steps are
    multiplied.

    Examples
    --------
    >>> from rlpaper.masking import recode_rare
    >>> file = pd.DataFrame({"animal": pd.Categorical(["dog", "dog", "cat", "emu"])})
    >>> transitions(recode_rare(file, p=2))["animal"]
         other  dog
    cat    1.0  0.0
    dog    0.0  1.0
    emu    1.0  0.0
    """
    steps = masked.attrs.get("masking")
    if not steps:
        raise ValueError(
            "the file has no record of its masking (attrs['masking']); use the frame that the masking "
            "method returned, or a selection of its rows and columns"
        )
    result = {}
    for column in masked:
        for step in steps:
            if column in step.get("transitions", {}):
                matrix = pd.DataFrame.from_dict(step["transitions"][column], orient="index").fillna(
                    0.0
                )
                before = result.get(column)
                result[column] = (
                    matrix
                    if before is None
                    else pd.DataFrame(
                        product(before, matrix.reindex(before.columns)),
                        before.index,
                        matrix.columns,
                    )
                )
        if column not in result:  # no step touched it
            names = list(masked[column].cat.categories)
            result[column] = pd.DataFrame(np.eye(len(names)), names, names)
    return result


def with_dtype(values, dtype):
    """Real values in a column's own dtype where it can hold them, else as float64: a mean of whole numbers is none."""
    if isinstance(dtype, np.dtype):
        return values.astype(dtype if dtype.kind == "f" else float, copy=False)
    return pd.array(
        values, dtype=dtype if pd.api.types.is_float_dtype(dtype) else "float64", copy=False
    )
