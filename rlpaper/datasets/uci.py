"""The UCI repository's copies of data files, and how they differ from the project's own."""

import logging
from itertools import zip_longest
from typing import Any

import pandas as pd

from .._internal.extras import needed
from .._internal.validation import check_frame
from .errors import DatasetError

log = logging.getLogger(__name__)


def fetch(name: str, entry: dict[str, Any], vendored: pd.DataFrame) -> pd.DataFrame:
    """Fetch the UCI repository's copy of a data file; note how it differs from the vendored one."""
    if "uci_id" not in entry:
        raise DatasetError(
            f"{name} is not served by the UCI repository ({entry['source']}); load it without "
            "refresh"
        )
    ucimlrepo = needed("ucimlrepo", "papers")
    try:
        fetched = ucimlrepo.fetch_ucirepo(id=entry["uci_id"]).data.original
    except (OSError, ucimlrepo.fetch.DatasetNotFoundError) as error:
        raise DatasetError(
            f"the UCI repository did not give {name} (id {entry['uci_id']}): {error}; "
            "load it without refresh to use the vendored copy"
        ) from None
    differences = compare(vendored, fetched)
    fetched.attrs["differences"] = differences
    cells = int(differences["different"].sum())
    log.warning(
        "%s: UCI's copy has shape %s, the vendored one %s; %d cells differ in %d columns",
        name,
        fetched.shape,
        vendored.shape,
        cells,
        int((differences["different"] > 0).sum()),
    )
    return fetched


def compare(vendored: pd.DataFrame, fetched: pd.DataFrame) -> pd.DataFrame:
    """Count where two copies of a file differ, one row per column, matched by position.

    Numbers are compared as numbers (to nine digits), the rest as text; two missing values are
    equal. A record or column that only one copy has counts as different in every cell.

    Examples
    --------
    >>> compare(pd.DataFrame({"a": [1.0, 2.0]}), pd.DataFrame({"A": ["1", "3"]})).values.tolist()
    [['a', 'A', 1]]
    """
    check_frame(vendored, "the vendored file")
    check_frame(fetched, "the fetched file")
    rows = []
    common, longest = sorted([len(vendored), len(fetched)])
    for i, (ours, theirs) in enumerate(zip_longest(vendored, fetched)):
        if i >= min(vendored.shape[1], fetched.shape[1]):
            rows.append((ours, theirs, longest))
            continue
        a, b = (frame.iloc[:common, i].reset_index(drop=True) for frame in (vendored, fetched))
        texts = [column.astype(object).astype(str) for column in (a, b)]
        x, y = (pd.to_numeric(text, errors="coerce").astype(float) for text in texts)
        same = (a.isna() & b.isna()) | (texts[0] == texts[1]) | ((x - y).abs() <= 1e-9 * x.abs())
        rows.append((ours, theirs, int((~same).sum()) + longest - common))
    return pd.DataFrame(rows, columns=["vendored", "fetched", "different"])
