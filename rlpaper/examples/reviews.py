"""Review projects to try: persons of RLdata500, and pairs that show every markup."""

from pathlib import Path
from typing import Any

import pandas as pd

from .. import datasets
from ..review import Project, block, create


def persons(folder: str | Path, **choices: Any) -> Project:
    """Create a project of RLdata500 for two reviewers.

    The pairs agree on last name and year, on first name and birth date, or on both names. The file
    has nothing sensitive; its column `identity`, who a record is, stands for it, so that the linked
    table can be judged. `choices` replace options of `rlpaper.review.create`.
    """
    file = datasets.load("rldata500").rename(
        columns={"fname_c1": "first name", "lname_c1": "last name"}
    )
    file["born"] = (
        file["by"].astype(str)
        + "-"
        + file["bm"].astype(str).str.zfill(2)
        + "-"
        + file["bd"].astype(str).str.zfill(2)
    )
    pairs = block(
        file, blocks=[("last name", "by"), ("first name", "born"), ("first name", "last name")]
    )
    usual = {
        "identifiers": {"first name": "name", "last name": "name"},
        "quasi_identifiers": {"born": "date"},
        "sensitive": ["identity"],
        "pairs": pairs,
        "budget": "1/20",
        "reviewers": {"ann": "1/2", "bob": "1/2"},
        "reviewers_per_pair": 2,
        "swaps": [("first name", "last name")],
    }
    return create(folder, file, **{**usual, **choices})


def markups(folder: str | Path) -> Project:
    """Create a project of invented persons in six pairs that show every markup.

    The first pair is that of Table 1 of li2019.
    """
    people = pd.DataFrame(
        [
            ("1742682819", "MARIA", "SANCHEZ JR", "08/09/1964", "F", "White"),
            ("1742668281", "MARIA", "SANCHEZ", "09/08/1964", "F", "Asian"),
            ("2208114455", "MARTHA", "WELLINGTON", "11/23/1971", "F", "Black"),
            ("2208111445", "MARHTA", "WELLINGTON", "11/23/1971", "F", "Black"),
            ("3310477120", "THOMAS", "JAMES", "02/14/1958", "M", "White"),
            ("3310477120", "JAMES", "THOMAS", "02/14/1958", "M", "White"),
            ("4096620038", "SUSAN", "MILLER", None, "F", "White"),
            ("4096620038", "SUSAN", "OKONKWO", "07/30/1980", "F", None),
            ("5127300918", "ANNA", "LINDQVIST", "05/06/1990", "F", "White"),
            ("5127300919", "HANNA", "LINDQVIST", "05/06/1990", "F", "White"),
            ("6650091273", "ROBERT", "KELLY", "12/21/1947", "M", "Hispanic"),
            ("6650901273", "ROBERT", "KELLEY", "12/12/1974", "M", "Hispanic"),
        ],
        columns=["ID", "first name", "last name", "DOB", "sex", "race"],
    )
    pairs = pd.DataFrame({"first": range(0, 12, 2), "second": range(1, 12, 2)})
    return create(
        folder,
        people,
        identifiers={"ID": "string", "first name": "name", "last name": "name"},
        quasi_identifiers={"DOB": "date", "sex": "category", "race": "category"},
        pairs=pairs,
        budget="1/2",
        swaps=[("first name", "last name")],
    )
