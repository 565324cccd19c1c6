"""The paper's own example as a review project."""

from pathlib import Path
from typing import Any

from ...compendium import published
from ...review import Project, create


def paper(folder: str | Path, **choices: Any) -> Project:
    """Make a project of Table 2: every pair, one reviewer, budget 1; choices as in `create`."""
    records = published.table("li2019_table2_records").astype(str).set_index("id")
    return create(
        folder,
        records,
        **{
            "identifiers": {"name": "name"},
            "quasi_identifiers": {"dob": "date", "race": "category"},
            "sensitive": ["income"],
            **choices,
        },
    )
