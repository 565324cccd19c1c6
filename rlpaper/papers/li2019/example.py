"""The paper's own example as a review project."""

from ...compendium import published
from ...review import create


def paper(folder, **choices):
    """Table 2 of li2019, every pair, one reviewer and a budget of 1; choices as in `create`."""
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
