"""What domingo2002 says beside its numbers, on three files; and what its printed tables say about how they were made."""

import pandas as pd

from ...compendium import published
from ...distances import categorical
from ...linkage.distance import ranks, right_at
from ...linkage.probabilistic import FellegiSunter
from ...masking import transitions
from ...compendium.sweep import drawn_by, sweep
from .runs import (
    EXPECTED,
    GROUPS,
    MEASURES,
    METHODS,
    beside_print,
    correlations,
    counted,
    files,
    mask,
    variables,
)

THIRDS = ("low", "middle", "high")
NEAR = 0.05  # numbers of links count as similar this close to each other; the printed averages are 2.3 percent apart
APART = 0.1  # share of the links of either method that only one makes, for them not to be the same
WEAKEST = -0.7  # a correlation around -0.9; the weakest printed one is -0.706


# Re-identification by value.


def by_value(names, seed, parameters):
    """How often records with low, middle and high values of each ordinal variable are re-identified in group o."""
    grid = {"dataset": list(names), "method": ["bottom", "top"], "p": [0, *parameters]}
    return sweep(rates_by_value, grid, seed=seed)


@drawn_by()
def rates_by_value(dataset, method, p, random_state):
    file, _ = files(dataset)
    file = file[variables(dataset, file)["o"]]
    masked = mask(file, method, p)
    known, masked.attrs = transitions(masked), {}
    rows = []
    for linkage, distance in (
        ("DBRL", categorical()),
        ("DBRL aware", categorical(transitions=known)),
    ):
        right = right_at(ranks(file, masked, distance), ties="expected")
        for column in file:
            codes = file[column].cat.codes.rank(method="dense") - 1
            third = pd.cut(
                codes / codes.max(), [0, 1 / 3, 2 / 3, 1], labels=THIRDS, include_lowest=True
            )
            for name, part in right.groupby(third, observed=True):
                rows.append(
                    {
                        "linkage": linkage,
                        "variable": column,
                        "value": name,
                        "records": len(part),
                        "rate": float(part.mean()),
                    }
                )
    return rows


def protection(rates):
    """Share of the re-identified records of each third that coding protects: a row a variable, p and third."""
    keys = ["dataset", "method", "linkage", "variable", "value"]
    before = rates[rates["p"] == 0].set_index(keys)["rate"].rename("before")
    after = rates[rates["p"] > 0].join(before, on=keys)
    after = after[after["before"] > 0]
    return after.assign(protected=1 - after["rate"] / after["before"])


def mean_protection(rates):
    """`protection` averaged over variables and p; `se` is that of the deviation from the mean of the three thirds, which have
    variable and p in common."""
    table = protection(rates)
    common = table.groupby(["dataset", "method", "linkage", "variable", "p"])[
        "protected"
    ].transform("mean")
    grouped = table.assign(deviation=table["protected"] - common).groupby(
        ["dataset", "method", "linkage", "value"], sort=False
    )
    return grouped.agg(protected=("protected", "mean"), se=("deviation", "sem")).reset_index()


def record_order(names, seed, parameters):
    """Right links one to one (PRL, bottom coding, group s) with the masked file in the order of the original and shuffled."""
    rows = []
    for dataset in names:
        file, _ = files(dataset)
        original = file[variables(dataset, file)["s"]]
        for p in parameters:
            masked = mask(original, "bottom", p)
            masked.attrs = {}
            model = FellegiSunter().fit(original, masked)
            row = {"dataset": dataset, "p": p}
            for name, version in (
                ("same order", masked),
                ("shuffled", masked.sample(frac=1, random_state=seed)),
            ):
                pairs = model.link_one_to_one(original, version)
                row |= {
                    name: int((pairs["partner"] == pairs.index).sum()),
                    f"{name}, expected": float(pairs["right"].sum()),
                }
            rows.append(row)
    return pd.DataFrame(rows)


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
    the pairs of variable and p."""
    table = protection(rates).query("method == @method and linkage == 'DBRL'")
    table = table.pivot(index=["variable", "p"], columns="value", values="protected")
    gap = table["high"] - table["low"] if method == "top" else table["low"] - table["high"]
    words = ", ".join(f"{name} {100 * table[name].mean():.0f}" for name in THIRDS)
    return (
        f"percent protected: {words}; difference {100 * gap.mean():+.0f}, se {100 * gap.sem():.0f}",
        bool(gap.mean() > 2 * gap.sem()),
    )


# What the printed tables imply, whatever the data were.


def implied():
    """Conclusions from Tables 2 to 5 and the averages alone: what is printed, and what follows."""
    prl, dbrl = (
        published.table(f"domingo2002_table{n}_s").set_index("parameter")
        for n in ("3_prl", "4_dbrl")
    )
    mean = published.table("domingo2002_averages").set_index("method")["mean_reidentified_of_1000"]
    sizes = (
        published.table("domingo2002_table1_2_variables")
        .query("s == 1")
        .set_index("variable")["categories"]
    )
    rows = []
    last = [
        int(table.loc[p, method])
        for table in (prl, dbrl)
        for method in ("bottom", "global")
        for p in (8, 9)
    ]
    rows.append(
        (
            "bottom 8, 9 and global 8, 9",
            f"PRL {last[:4]}, DBRL {last[4:]}",
            "four files with the same counts in both tables: bottom coding leaves what global recoding leaves, one category "
            "of every variable, nominal ones included",
        )
    )
    rows.append(
        (
            "bottom 9, links",
            str(dbrl.loc[9, "bottom"]),
            f"coding DEGREE alone leaves METRO as it is: with {sizes['METRO']} categories at least {sizes['METRO']} kinds of "
            f"records, each with a right link unless ties are never links, are more than {dbrl.loc[9, 'bottom']}",
        )
    )
    rows.append(
        (
            "top 8 and top 9",
            f"PRL {prl.loc[8, 'top']} and {prl.loc[9, 'top']}",
            f"DEGREE has {sizes['DEGREE']} categories, so that coding ordinal variables only gives the same file twice, and "
            "the same file cannot have two counts",
        )
    )
    rows.append(
        (
            "p = 1",
            f"PRL {prl.loc[1].tolist()}, DBRL {dbrl.loc[1].tolist()}",
            f"recoding one category is a new name for it; DBRL loses {1000 - dbrl.loc[1, 'bottom']} records in bottom 1 to "
            "the name alone, as it is foreign to the original file",
        )
    )
    for name, table in (("PRL", prl), ("DBRL", dbrl)):
        own = table.to_numpy().mean()
        rows.append(
            (
                f"group s and the other groups, {name}",
                f"{own:.1f} of {mean[name]} over all",
                f"the other four groups have {(5 * mean[name] - own) / 4:.1f} on average",
            )
        )
    files_, without = len(GROUPS) * len(METHODS) * 9, len(GROUPS) * (len(METHODS) - 1) * 9
    gain = mean["DBRL aware of the masking"] - mean["DBRL"]
    rows.append(
        (
            "aware distance",
            f"{gain:+.2f} over {files_} experiments",
            f"PRAM makes nothing impossible, so that all of it is in the other {without}: {gain * files_ / without:+.1f} each",
        )
    )
    rows.append(
        (
            "aware distance, direction",
            str(mean["DBRL aware of the masking"]),
            f"an original can become one masked record only; linking originals to masked records with ties as links would find "
            f"all 1000 in {without} experiments, {1000 * without / files_:.0f} on average and more. So masked records are "
            "linked to originals, or ties are not links",
        )
    )
    rows.append(
        (
            "bottom 9 and top 9, DBRL",
            f"{dbrl.loc[9, 'bottom']} and {dbrl.loc[9, 'top']}",
            "all masked records are alike, so all have the same nearest originals: one right link, unless ties are links, which the "
            "last row speaks against, or links to the right values are right ones. Then these are the numbers of records with the "
            "same values as the nearest original that comes first",
        )
    )
    rows.append(
        (
            "bottom 9, PRL",
            str(prl.loc[9, "bottom"]),
            "one to one, equal masked records are as good as assigned at random, and meet the right values as often as the squared "
            "numbers of equal originals add up to, divided by 1000: a record of the survey would share its values with "
            f"{prl.loc[9, 'bottom'] - 1} others on average",
        )
    )
    rows.append(
        (
            "global 1 and bottom 1, DBRL",
            f"{dbrl.loc[1, 'global']} and {dbrl.loc[1, 'bottom']}",
            f"{dbrl.loc[1, 'global']} of 1000 records with different values in four such variables are hardly to be had, so equal "
            "records count as right ones; yet ties with other values, which a new name for one category makes, do not",
        )
    )
    return pd.DataFrame(rows, columns=["where", "printed", "what follows"])


def scopes_beside_print(all_variables, ordinal_only):
    """Group s under both scopes of top and bottom coding, counted as in print, beside Tables 3 and 4."""
    scopes = {"all variables coded": all_variables, "ordinal ones coded": ordinal_only}
    return pd.concat(
        [beside_print(study).assign(scope=scope) for scope, study in scopes.items()],
        ignore_index=True,
    )


#: How equally near originals are counted, for `counting_checks`: linkage and ties.
COUNTINGS = {
    "a tie is no link": "strict",
    "expected over ties": "expected",
    "a tie is a link": "lenient",
    "a link to the same values": "same values",
}


def counting_checks(study, scope):
    """Which features of the printed Table 4 each way of counting has, group s: a row a file and count."""
    rows = []
    for dataset in study["dataset"].unique():
        for name, ties in COUNTINGS.items():
            right = counted(study, "DBRL", ties).xs((dataset, "s"), level=("dataset", "group"))
            right = right.groupby(["method", "p"]).mean()
            rows.append(
                (
                    dataset,
                    scope,
                    name,
                    right["global", 1],
                    right["bottom", 1],
                    right["bottom", 9],
                    right["global", 9],
                    right["top", 9],
                    _like_print(right),
                )
            )
    printed = published.table("domingo2002_table4_dbrl_s").set_index("parameter")
    rows.append(
        (
            "print",
            "",
            "",
            *(
                printed.loc[p, method]
                for p, method in (
                    (1, "global"),
                    (1, "bottom"),
                    (9, "bottom"),
                    (9, "global"),
                    (9, "top"),
                )
            ),
            _like_print(printed.T.stack()),
        )
    )
    return pd.DataFrame(
        rows,
        columns=[
            "dataset",
            "scope",
            "counted",
            "global 1",
            "bottom 1",
            "bottom 9",
            "global 9",
            "top 9",
            "like print",
        ],
    )


def _like_print(right):
    """A new name for one category costs some records, and for the rarest fewer than for the first; when all masked records are
    alike, bottom coding and global recoding leave the same, and somewhere more than one record is found."""
    last = right["bottom", 9], right["global", 9], right["top", 9]
    return bool(
        right["bottom", 1] < right["global", 1] < 1000 and last[0] == last[1] and max(last) > 1
    )
