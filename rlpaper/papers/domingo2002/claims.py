"""What domingo2002 says beside its numbers, judged on three files."""

from collections.abc import Sequence

import pandas as pd

from ...compendium import published
from ...datasets.ahs import SURROGATE
from .protocol import EXPECTED, GROUPS, MEASURES, METHODS, PARAMETERS, THIRDS, files
from .tables import correlations, counted

#: Numbers of links count as similar this close to each other; the printed averages are 2.3 percent
#: apart.
NEAR = 0.05
#: Share of the links of either method that only one makes, for them not to be the same.
APART = 0.1
#: A correlation around -0.9; the weakest printed one is -0.706.
WEAKEST = -0.7


# Re-identification by value.


def protection(rates: pd.DataFrame) -> pd.DataFrame:
    """Compute the share of re-identified records that coding protects, by variable, p and third."""
    keys = ["dataset", "method", "linkage", "variable", "value"]
    before = rates[rates["p"] == 0].set_index(keys)["rate"].rename("before")
    after = rates[rates["p"] > 0].join(before, on=keys)
    after = after[after["before"] > 0]
    return after.assign(protected=1 - after["rate"] / after["before"])


def mean_protection(rates: pd.DataFrame) -> pd.DataFrame:
    """Average `protection` over variables and p.

    `se` is that of the deviation from the mean of the three thirds, which have variable and p in
    common.
    """
    table = protection(rates)
    files = ["dataset", "data", "method", "linkage"]
    common = table.groupby([*files, "variable", "p"])["protected"].transform("mean")
    grouped = table.assign(deviation=table["protected"] - common).groupby(
        [*files, "value"], sort=False
    )
    return grouped.agg(protected=("protected", "mean"), se=("deviation", "sem")).reset_index()


# The claims.


def claims(study: pd.DataFrame, losses: pd.DataFrame, rates: pd.DataFrame) -> pd.DataFrame:
    """Judge every claim on every file: what was measured, and whether the claim holds.

    The rule of each claim is the first line of its function.
    """
    rows = []
    for (dataset, data), part in study.groupby(["dataset", "data"], sort=False):
        loss, rate = (table[table["dataset"] == dataset] for table in (losses, rates))
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
        rows += [
            (f"{claim}, {dataset}", words + _note(data), holds)
            for claim, (words, holds) in judged.items()
        ]
    return pd.DataFrame(rows, columns=["cell", "value", "holds"])


def _note(data: str) -> str:
    return f" ({data})" if data == SURROGATE else ""


def similar_numbers(study: pd.DataFrame) -> tuple[str, bool]:
    """Hold if means over all experiments are no further apart than `NEAR` of the larger."""
    means = {name: counted(study, name, "expected").mean() for name in ("DBRL", "PRL")}
    away = abs(means["DBRL"] - means["PRL"]) / max(means.values())
    return (
        f"DBRL {means['DBRL']:.1f}, PRL {means['PRL']:.1f}: {100 * away:.0f} percent apart",
        bool(away <= NEAR),
    )


def other_records(study: pd.DataFrame) -> tuple[str, bool]:
    """Hold if at least `APART` of the correct links of either method are made by one only."""
    both, either = (counted(study, name, "expected").mean() for name in ("both", "either"))
    alone = 1 - both / either
    return (
        f"{100 * alone:.0f} percent of what either finds is found by one only",
        bool(alone >= APART),
    )


def aware_finds_more(study: pd.DataFrame) -> tuple[str, bool]:
    """Hold if the gain is above two standard errors where there can be one, without PRAM."""
    gain = counted(study, "DBRL aware", "expected") - counted(study, "DBRL", "expected")
    gain = gain.groupby(["method", "p", "group"]).mean()
    able = gain.drop("pram", level="method")
    return (
        f"{able.mean():+.1f} a file without PRAM, {gain['pram'].mean():+.1f} with it, "
        f"{gain.mean():+.1f} over all",
        bool(able.mean() > 2 * able.sem()),
    )


def correlated(
    study: pd.DataFrame, losses: pd.DataFrame, within: Sequence[str]
) -> tuple[str, bool]:
    """Hold if all 14 correlations, within groups their means, are at or below `WEAKEST`."""
    table = (
        correlations(study, losses, EXPECTED, within)
        .groupby(["linkage", "measure"])["correlation"]
        .mean()
    )
    weak = (table > WEAKEST).sum()
    words = f"{table.min():.2f} to {table.max():.2f}, {weak} of {len(table)} weaker than {WEAKEST}"
    return words, bool(weak == 0)


def stronger(study: pd.DataFrame, losses: pd.DataFrame) -> tuple[str, bool]:
    """Hold if the linkage that correlates more with a measure is that of the print, for all."""
    table = (
        correlations(study, losses, EXPECTED)
        .groupby(["measure", "linkage"])["correlation"]
        .mean()
        .unstack()
    )
    printed = published.table("domingo2002_table5_correlations").set_index("measure")
    ours, theirs = table["PRL"] < table["DBRL"], printed["prl"] < printed["dbrl"]
    same = (ours == theirs[ours.index]).sum()
    stronger = ", ".join(name for name in MEASURES if ours[name]) or "none"
    return (
        f"as printed for {same} of 7; PRL is stronger with {stronger}",
        bool(same == len(MEASURES)),
    )


def combined_is_best(study: pd.DataFrame) -> tuple[str, bool]:
    """Hold if the sum of both distances links more than the better one, by two standard errors."""
    together = counted(study, "DBRL and PRL", "expected")
    alone = {name: counted(study, name, "expected") for name in ("DBRL", "PRL")}
    best = max(alone, key=lambda name: alone[name].mean())
    gain = (together - alone[best]).groupby(["method", "p", "group"]).mean()
    either = counted(study, "either", "expected").mean()
    return (
        f"{together.mean():.1f} against {alone[best].mean():.1f} ({best}), {gain.mean():+.1f}; "
        f"found by either {either:.1f}",
        bool(gain.mean() > 2 * gain.sem()),
    )


def protects(rates: pd.DataFrame, method: str) -> tuple[str, bool]:
    """Hold if coded values are protected more than the other end, by two standard errors.

    The standard error is that of the difference over the pairs of variable and p.
    """
    table = protection(rates).query("method == @method and linkage == 'DBRL'")
    table = table.pivot(index=["variable", "p"], columns="value", values="protected")
    gap = table["high"] - table["low"] if method == "top" else table["low"] - table["high"]
    shares = ", ".join(f"{name} {100 * table[name].mean():.0f}" for name in THIRDS)
    return (
        f"percent protected: {shares}; difference {100 * gap.mean():+.0f}, "
        f"se {100 * gap.sem():.0f}",
        bool(gap.mean() > 2 * gap.sem()),
    )


def design(correlations: pd.DataFrame) -> pd.DataFrame:
    """List what the text says of the design, and its claim about all correlations of the survey."""
    file, _ = files("ahs")
    masked_files = len(METHODS) * len(PARAMETERS)
    facts = {
        "records": len(file),
        "variables": file.shape[1],
        "groups of variables": len(GROUPS),
        "masked files": masked_files,
        "experiments a method": masked_files * len(GROUPS),
        "parameters p": f"{min(PARAMETERS)}..{max(PARAMETERS)}",
        "theta of PRAM": "p/10",
    }
    survey = correlations[correlations["dataset"] == "ahs"]
    over_all = survey.groupby(["linkage", "measure"])["correlation"].mean()
    words = f"{over_all.min():.2f} to {over_all.max():.2f}{_note(survey['data'].iloc[0])}"
    rows = [
        *((cell, str(value), "") for cell, value in facts.items()),
        ("all correlations", words, bool((over_all <= WEAKEST).all())),
    ]
    return pd.DataFrame(rows, columns=["cell", "value", "holds"])
