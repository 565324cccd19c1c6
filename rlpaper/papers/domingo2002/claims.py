"""What domingo2002 says beside its numbers, judged on three files."""

import pandas as pd

from ...compendium import published
from .protocol import EXPECTED, MEASURES, THIRDS
from .tables import correlations, counted

# numbers of links count as similar this close to each other; the printed averages are 2.3 percent
# apart
NEAR = 0.05
APART = 0.1  # share of the links of either method that only one makes, for them not to be the same
WEAKEST = -0.7  # a correlation around -0.9; the weakest printed one is -0.706


# Re-identification by value.


def protection(rates):
    """Share of the re-identified records of each third that coding protects: a row a variable, p and third."""
    keys = ["dataset", "method", "linkage", "variable", "value"]
    before = rates[rates["p"] == 0].set_index(keys)["rate"].rename("before")
    after = rates[rates["p"] > 0].join(before, on=keys)
    after = after[after["before"] > 0]
    return after.assign(protected=1 - after["rate"] / after["before"])


def mean_protection(rates):
    """`protection` averaged over variables and p; `se` is that of the deviation from the mean of the three thirds, which have
    variable and p in common.
    """
    table = protection(rates)
    common = table.groupby(["dataset", "method", "linkage", "variable", "p"])[
        "protected"
    ].transform("mean")
    grouped = table.assign(deviation=table["protected"] - common).groupby(
        ["dataset", "method", "linkage", "value"], sort=False
    )
    return grouped.agg(protected=("protected", "mean"), se=("deviation", "sem")).reset_index()


# The claims.


def claims(study, losses, rates, surrogate):
    """Every claim on every file: what was measured, and whether it holds by the rule stated in its function."""
    rows = []
    for dataset in study["dataset"].unique():
        part, loss, rate = (table[table["dataset"] == dataset] for table in (study, losses, rates))
        judged = {
            "both methods find similar numbers": similar_numbers(part),
            "the re-identified records are not the same": other_records(part),
            "an aware distance finds more": aware_finds_more(part),
            "correlations with information loss, all experiments": correlated(part, loss, ()),
            "correlations with information loss, within a group": correlated(
                part, loss, ("group",)
            ),
            "which linkage correlates more": stronger(part, loss),
            "combining both is best": combined_is_best(part),
            "top-coding protects large values": protects(rate, "top"),
            "bottom-coding protects small values": protects(rate, "bottom"),
        }
        note = " (surrogate data)" if dataset == "ahs" and surrogate else ""
        rows += [
            (f"{claim}, {dataset}", words + note, holds) for claim, (words, holds) in judged.items()
        ]
    return pd.DataFrame(rows, columns=["cell", "value", "holds"])


def similar_numbers(study):
    """Means over all experiments no further apart than `NEAR` of the larger."""
    means = {name: counted(study, name, "expected").mean() for name in ("DBRL", "PRL")}
    away = abs(means["DBRL"] - means["PRL"]) / max(means.values())
    return (
        f"DBRL {means['DBRL']:.1f}, PRL {means['PRL']:.1f}: {100 * away:.0f} percent apart",
        bool(away <= NEAR),
    )


def other_records(study):
    """At least `APART` of what either links right is linked right by one only."""
    both, either = (counted(study, name, "expected").mean() for name in ("both", "either"))
    alone = 1 - both / either
    return f"{100 * alone:.0f} percent of what either finds is found by one only", bool(
        alone >= APART
    )


def aware_finds_more(study):
    """More than two standard errors more over the experiments in which it can make a difference, those without PRAM."""
    gain = counted(study, "DBRL aware", "expected") - counted(study, "DBRL", "expected")
    gain = gain.groupby(["method", "p", "group"]).mean()
    able = gain.drop("pram", level="method")
    words = f"{able.mean():+.1f} a file without PRAM, {gain['pram'].mean():+.1f} with it, {gain.mean():+.1f} over all"
    return words, bool(able.mean() > 2 * able.sem())


def correlated(study, losses, within):
    """All of the 14 correlations, means over groups where taken within them, at or below `WEAKEST`."""
    table = (
        correlations(study, losses, EXPECTED, within)
        .groupby(["linkage", "measure"])["correlation"]
        .mean()
    )
    weak = (table > WEAKEST).sum()
    return (
        f"{table.min():.2f} to {table.max():.2f}, {weak} of {len(table)} weaker than {WEAKEST}",
        bool(weak == 0),
    )


def stronger(study, losses):
    """The same linkage as in print has the stronger correlation with each measure, over all experiments."""
    table = (
        correlations(study, losses, EXPECTED)
        .groupby(["measure", "linkage"])["correlation"]
        .mean()
        .unstack()
    )
    printed = published.table("domingo2002_table5_correlations").set_index("measure")
    ours, theirs = (
        table["PRL"] < table["DBRL"],
        (printed["prl"] < printed["dbrl"]).rename(index=str),
    )
    same = (ours == theirs[ours.index]).sum()
    stronger = ", ".join(name for name in MEASURES if ours[name]) or "none"
    return f"as printed for {same} of 7; PRL is stronger with {stronger}", bool(
        same == len(MEASURES)
    )


def combined_is_best(study):
    """The sum of both distances links more than two standard errors more than the better of the two alone."""
    together = counted(study, "DBRL and PRL", "expected")
    alone = {name: counted(study, name, "expected") for name in ("DBRL", "PRL")}
    best = max(alone, key=lambda name: alone[name].mean())
    gain = (together - alone[best]).groupby(["method", "p", "group"]).mean()
    either = counted(study, "either", "expected").mean()
    words = f"{together.mean():.1f} against {alone[best].mean():.1f} ({best}), {gain.mean():+.1f}; found by either {either:.1f}"
    return words, bool(gain.mean() > 2 * gain.sem())


def protects(rates, method):
    """The values that are coded are protected more than those at the other end, by two standard errors of the difference over
    the pairs of variable and p.
    """
    table = protection(rates).query("method == @method and linkage == 'DBRL'")
    table = table.pivot(index=["variable", "p"], columns="value", values="protected")
    gap = table["high"] - table["low"] if method == "top" else table["low"] - table["high"]
    words = ", ".join(f"{name} {100 * table[name].mean():.0f}" for name in THIRDS)
    return (
        f"percent protected: {words}; difference {100 * gap.mean():+.0f}, se {100 * gap.sem():.0f}",
        bool(gap.mean() > 2 * gap.sem()),
    )
