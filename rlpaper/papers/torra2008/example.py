"""Tables I to IV and Figures 1 to 5 of torra2008: worked example, chance, quantifiers."""

import numpy as np
import pandas as pd

from ...aggregation import QUANTIFIERS, choquet, sugeno
from ...compendium import published
from ...linkage.chance import links_by_chance, links_by_chance_at_least
from ...linkage import no_common_variables

# Tables I to IV.


def example_files():
    """Files A and B of the worked example, as the paper gives them (Tables I and II)."""
    return tuple(published.table(f"torra2008_table{i}_example").set_index("record") for i in (1, 2))


def permutation(a, b):
    """Which attribute of file A each attribute of file B is; an intruder does not know."""
    return {ours: [theirs for theirs in a if (a[theirs] == b[ours]).all()] for ours in b}


def representatives(file):
    """The ten OWA representatives of each record, alpha = 1/5, ..., 10/5 (Table III)."""
    operators = no_common_variables.symmetric_operators("choquet", "Qe")
    table = no_common_variables.representatives(file, operators, normalise=None)
    return table.set_axis([f"Q{i}/5" for i in range(1, 11)], axis=1)


def table3():
    """Table III: representatives of file A; those of file B must be the same."""
    a, b = (cells(representatives(file)) for file in example_files())
    return a.assign(value_b=b["value"])


def cells(table):
    """A printed table as tidy rows, cells named by record and column."""
    return pd.DataFrame(
        [
            (f"{record} {column}", table.loc[record, column])
            for record in table.index
            for column in table
        ],
        columns=["cell", "value"],
    )


def table4(n=100):
    """Table IV: probabilities of r, and of r or more, right links when n records are linked at random."""
    rows = []
    for r in published.table("torra2008_table4_random_linkage")["r"]:
        rows.append((f"r={r} exactly", float(links_by_chance(n, r))))
        rows.append((f"r={r} at least", float(links_by_chance_at_least(n, r))))
    return pd.DataFrame(rows, columns=["cell", "value"])


# Figures 1 to 5.


def figure1():
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


def figure2(seed, retailers=12):
    """Figure 2: made-up retailers whose business type follows from benefits and start-up costs.

    File A knows benefits and start-up costs, file B the business type. The files have no attribute
    in common, yet both divide the retailers into the same groups.
    """
    rng = np.random.default_rng(seed)
    centres = {"kiosk": (2, 1), "bakery": (4, 4), "pharmacy": (8, 5), "supermarket": (7, 9)}
    rows = []
    for kind, centre in centres.items():
        for benefits, costs in rng.normal(centre, 0.5, (retailers // len(centres), 2)):
            rows.append((kind, benefits, costs))
    return pd.DataFrame(rows, columns=["business type", "benefits", "start-up costs"])


def quantifier_curves(family, points=201):
    """Figures 3 to 5: the quantifiers of a family (``"Qe"``, ``"Qs"`` or ``"Qt"``) on a grid of [0, 1]."""
    make, alphas = QUANTIFIERS[family]
    x = np.linspace(0, 1, points)
    return pd.concat(
        [pd.DataFrame({"alpha": alpha, "x": x, "Q": make(alpha)(x)}) for alpha in alphas],
        ignore_index=True,
    )


# Where the paper's propositions end.


def property_failures():
    """Idempotency and bounds of each family: what an operator makes of equal values, at the ends of alpha.

    A row an integral, family, alpha and value: `result` should be the value itself (idempotency).
    """
    rows = []
    for integral, operator in (("OWA", choquet), ("SI", sugeno)):
        for family, (make, alphas) in QUANTIFIERS.items():
            for alpha in (alphas[0], alphas[-1]):
                for value in (1.0, 0.5, -1.0, 2.0):
                    rows.append(
                        (
                            integral,
                            family,
                            alpha,
                            value,
                            float(operator([[value] * 4], make(alpha))[0]),
                        )
                    )
    table = pd.DataFrame(rows, columns=["integral", "family", "alpha", "value", "result"])
    return table.assign(idempotent=np.isclose(table["value"], table["result"]))
