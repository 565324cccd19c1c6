"""Tables I to IV and Figures 1 to 5 of torra2008: worked example, chance, quantifiers."""

import numpy as np
import pandas as pd

from ...aggregation import QUANTIFIERS, choquet, sugeno
from ...compendium import published
from ...linkage import no_common_variables
from ...linkage.chance import links_by_chance, links_by_chance_at_least

# Tables I to IV.


def example_files() -> tuple[pd.DataFrame, ...]:
    """Return files A and B of the worked example, as the paper gives them (Tables I and II)."""
    return tuple(published.table(f"torra2008_table{i}_example").set_index("record") for i in (1, 2))


def permutation(a: pd.DataFrame, b: pd.DataFrame) -> dict[str, list[str]]:
    """Say which attribute of file A each attribute of file B is; an intruder does not know."""
    return {ours: [theirs for theirs in a if (a[theirs] == b[ours]).all()] for ours in b}


def representatives(file: pd.DataFrame) -> pd.DataFrame:
    """Make the ten OWA representatives of each record, alpha = 1/5, ..., 10/5 (Table III)."""
    operators = no_common_variables.symmetric_operators("choquet", "Qe")
    table = no_common_variables.representatives(file, operators, normalise=None)
    return table.set_axis([f"Q{i}/5" for i in range(1, 11)], axis=1)


def table3() -> pd.DataFrame:
    """Table III: representatives of file A; those of file B must be the same."""
    a, b = (cells(representatives(file)) for file in example_files())
    return a.assign(value_b=b["value"])


def cells(table: pd.DataFrame) -> pd.DataFrame:
    """List the cells of a table, named by record and column."""
    return pd.DataFrame(
        [
            (f"{record} {column}", table.loc[record, column])
            for record in table.index
            for column in table
        ],
        columns=["cell", "value"],
    )


def table4(n: int = 100) -> pd.DataFrame:
    """Table IV: probabilities of r, and of r or more, correct links of n by chance."""
    rows = [
        (f"r={r} {words}", float(chance(n, r)))
        for r in published.table("torra2008_table4_random_linkage")["r"]
        for words, chance in (("exactly", links_by_chance), ("at least", links_by_chance_at_least))
    ]
    return pd.DataFrame(rows, columns=["cell", "value"])


# Figures 1 to 5.


def figure1() -> pd.DataFrame:
    """Figure 1: what the two files of the disclosure scenario hold."""
    return pd.DataFrame(
        [
            ("A, published", "key attributes"),
            ("A, published", "sensitive attributes"),
            ("B, intruder", "identifiers"),
            ("B, intruder", "key attributes"),
        ],
        columns=["file", "attributes"],
    )


def figure2(seed: int, retailers: int = 12) -> pd.DataFrame:
    """Figure 2: made-up retailers whose business type follows from benefits and start-up costs.

    File A knows benefits and start-up costs, file B the business type. The files have no attribute
    in common, yet both divide the retailers into the same groups.
    """
    rng = np.random.default_rng(seed)
    centres = {"kiosk": (2, 1), "bakery": (4, 4), "pharmacy": (8, 5), "supermarket": (7, 9)}
    rows = [
        (business, benefits, costs)
        for business, centre in centres.items()
        for benefits, costs in rng.normal(centre, 0.5, (retailers // len(centres), 2))
    ]
    return pd.DataFrame(rows, columns=["business type", "benefits", "start-up costs"])


def quantifier_curves(family: str, points: int = 201) -> pd.DataFrame:
    """Figures 3 to 5: the quantifiers of a family, ``"Qe"``, ``"Qs"`` or ``"Qt"``, on [0, 1]."""
    make, alphas = QUANTIFIERS[family]
    x = np.linspace(0, 1, points)
    return pd.concat(
        [pd.DataFrame({"alpha": alpha, "x": x, "Q": make(alpha)(x)}) for alpha in alphas],
        ignore_index=True,
    )


# Where the paper's propositions end.


def property_failures() -> pd.DataFrame:
    """Try each family on four equal values, at the first and the last alpha.

    One row per integral, family, alpha and value: `result` should be the value itself
    (idempotency).
    """
    rows = [
        (integral, family, alpha, value, float(operator([[value] * 4], make(alpha))[0]))
        for integral, operator in (("OWA", choquet), ("SI", sugeno))
        for family, (make, alphas) in QUANTIFIERS.items()
        for alpha in (alphas[0], alphas[-1])
        for value in (1.0, 0.5, -1.0, 2.0)
    ]
    table = pd.DataFrame(rows, columns=["integral", "family", "alpha", "value", "result"])
    return table.assign(idempotent=np.isclose(table["value"], table["result"]))
