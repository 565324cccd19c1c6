"""The two files that a loss is measured between: the same records, no value missing."""


def _aligned(original, masked):
    """The masked file in the order of the original records."""
    if (
        list(original.columns) != list(masked.columns)
        or len(original) != len(masked)
        or not original.index.is_unique
        or not masked.index.is_unique
        or len(original.index.difference(masked.index))
    ):
        raise ValueError(
            "original and masked file must have the same columns in the same order, and the same individuals, "
            "each under its own index label"
        )
    _refuse_missing(original)
    _refuse_missing(masked)
    return masked.loc[original.index]


def _refuse_missing(file):
    for column in file:
        missing = file[column].isna()
        if missing.any():
            raise ValueError(
                f"column {column!r} is missing in record {missing.idxmax()!r}; make missing a category of its own, or "
                "drop the record first"
            )
