"""What domingo2002 says beside its numbers, on three files; and what its printed tables say about how they were made."""

import numpy as np
import pandas as pd

from .. import published
from ..distances import categorical
from ..linkage.distance import ranks, right_at
from ..masking import transitions
from ..runner import sweep
from .domingo2002 import EXPECTED, GROUPS, MEASURES, METHODS, PRINTED, correlations, counted, files, mask, variables

THIRDS = ("low", "middle", "high")
NEAR = 0.05  # numbers of links count as similar this close to each other; the printed averages are 2.3 percent apart
APART = 0.1  # share of the links of either method that only one makes, for them not to be the same
WEAKEST = -0.7  # a correlation around -0.9; the weakest printed one is -0.706


# Re-identification by value.

def by_value(names, seed, parameters):
    """How often records with low, middle and high values of each ordinal variable are re-identified in group o."""
    grid = {"dataset": list(names), "method": ["bottom", "top"], "p": [0, *parameters]}
    return sweep(rates_by_value, grid, seed=seed)


def rates_by_value(dataset, method, p, random_state):
    file, _ = files(dataset)
    file = file[variables(dataset, file)["o"]]
    masked = mask(file, method, p)
    known, masked.attrs = transitions(masked), {}
    rows = []
    for linkage, distance in (("DBRL", categorical()), ("DBRL aware", categorical(transitions=known))):
        right = right_at(ranks(file, masked, distance), ties="expected")
        for column in file:
            codes = file[column].cat.codes.rank(method="dense") - 1
            third = pd.cut(codes / codes.max(), [0, 1 / 3, 2 / 3, 1], labels=THIRDS, include_lowest=True)
            for name, part in right.groupby(third, observed=True):
                rows.append({"linkage": linkage, "variable": column, "value": name, "records": len(part),
                             "rate": float(part.mean())})
    return rows


def protection(rates):
    """Share of the re-identified records of each third that coding protects, over all variables and p.

    `se` is the standard error over pairs of variable and p.
    """
    keys = ["dataset", "method", "linkage", "variable", "value"]
    before = rates[rates["p"] == 0].set_index(keys)["rate"].rename("before")
    after = rates[rates["p"] > 0].join(before, on=keys)
    after = after[after["before"] > 0]
    after["protected"] = 1 - after["rate"] / after["before"]
    table = after.groupby(["dataset", "method", "linkage", "value"], sort=False)["protected"].agg(["mean", "sem"])
    return table.rename(columns={"mean": "protected", "sem": "se"}).reset_index()


# The claims.

def claims(study, losses, rates, surrogate):
    """Every claim on every file: what was measured, and whether it holds by the rule stated in its function."""
    rows = []
    for dataset in study["dataset"].unique():
        part, loss, rate = (table[table["dataset"] == dataset] for table in (study, losses, rates))
        judged = {"both methods find similar numbers": similar_numbers(part),
                  "the re-identified records are not the same": other_records(part),
                  "an aware distance finds more": aware_finds_more(part),
                  "correlations with information loss, all experiments": correlated(part, loss, ()),
                  "correlations with information loss, within a group": correlated(part, loss, ("group",)),
                  "which linkage correlates more": stronger(part, loss),
                  "combining both is best": combined_is_best(part),
                  "top-coding protects large values": protects(rate, "top"),
                  "bottom-coding protects small values": protects(rate, "bottom")}
        note = " (surrogate data)" if dataset == "ahs" and surrogate else ""
        rows += [(f"{claim}, {dataset}", words + note, holds) for claim, (words, holds) in judged.items()]
    return pd.DataFrame(rows, columns=["cell", "value", "holds"])


def similar_numbers(study):
    """Means over all experiments no further apart than `NEAR` of the larger."""
    means = {name: counted(study, name, "expected").mean() for name in ("DBRL", "PRL")}
    away = abs(means["DBRL"] - means["PRL"]) / max(means.values())
    return f"DBRL {means['DBRL']:.1f}, PRL {means['PRL']:.1f}: {100 * away:.0f} percent apart", bool(away <= NEAR)


def other_records(study):
    """At least `APART` of what either links right is linked right by one only."""
    both, either = (counted(study, name, "expected").mean() for name in ("both", "either"))
    alone = 1 - both / either
    return f"{100 * alone:.0f} percent of what either finds is found by one only", bool(alone >= APART)


def aware_finds_more(study):
    """More than two standard errors more over the experiments in which it can make a difference, those without PRAM."""
    gain = counted(study, "DBRL aware", "expected") - counted(study, "DBRL", "expected")
    gain = gain.groupby(["method", "p", "group"]).mean()
    able = gain.drop("pram", level="method")
    words = f"{able.mean():+.1f} a file without PRAM, {gain['pram'].mean():+.1f} with it, {gain.mean():+.1f} over all"
    return words, bool(able.mean() > 2 * able.sem())


def correlated(study, losses, within):
    """All of the 14 correlations, means over groups where taken within them, at or below `WEAKEST`."""
    table = correlations(study, losses, EXPECTED, within).groupby(["linkage", "measure"])["correlation"].mean()
    weak = (table > WEAKEST).sum()
    return f"{table.min():.2f} to {table.max():.2f}, {weak} of {len(table)} weaker than {WEAKEST}", bool(weak == 0)


def stronger(study, losses):
    """The same linkage as in print has the stronger correlation with each measure, over all experiments."""
    table = correlations(study, losses, EXPECTED).groupby(["measure", "linkage"])["correlation"].mean().unstack()
    printed = published.table("domingo2002_table5_correlations").set_index("measure")
    ours, theirs = table["PRL"] < table["DBRL"], (printed["prl"] < printed["dbrl"]).rename(index=str)
    same = (ours == theirs[ours.index]).sum()
    stronger = ", ".join(name for name in MEASURES if ours[name]) or "none"
    return f"as printed for {same} of 7; PRL is stronger with {stronger}", bool(same == len(MEASURES))


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
    """The values that are coded are protected more than those at the other end, by two standard errors."""
    table = protection(rates).query("method == @method and linkage == 'DBRL'").set_index("value")
    coded, other = ("high", "low") if method == "top" else ("low", "high")
    gap = table.loc[coded, "protected"] - table.loc[other, "protected"]
    se = np.hypot(table.loc[coded, "se"], table.loc[other, "se"])
    words = ", ".join(f"{name} {100 * table.loc[name, 'protected']:.0f}" for name in THIRDS)
    return f"percent protected: {words}", bool(gap > 2 * se)


# What the printed tables imply, whatever the data were.

def implied():
    """Conclusions from Tables 2 to 5 and the averages alone: what is printed, and what follows."""
    prl, dbrl = (published.table(f"domingo2002_table{n}_s").set_index("parameter") for n in ("3_prl", "4_dbrl"))
    mean = published.table("domingo2002_averages").set_index("method")["mean_reidentified_of_1000"]
    sizes = published.table("domingo2002_table1_2_variables").query("s == 1").set_index("variable")["categories"]
    rows = []
    last = [table.loc[p, method] for table in (prl, dbrl) for method in ("bottom", "global") for p in (8, 9)]
    rows.append(("bottom 8, 9 and global 8, 9", f"PRL {last[:4]}, DBRL {last[4:]}",
                 "four files with the same counts in both tables: bottom coding leaves what global recoding leaves, one category "
                 "of every variable, nominal ones included"))
    rows.append(("bottom 9, links", str(dbrl.loc[9, "bottom"]),
                 f"coding DEGREE alone leaves METRO as it is: with {sizes['METRO']} categories at least {sizes['METRO']} kinds of "
                 f"records, each with a right link, are more than {dbrl.loc[9, 'bottom']}"))
    rows.append(("top 8 and top 9", f"PRL {prl.loc[8, 'top']} and {prl.loc[9, 'top']}",
                 f"DEGREE has {sizes['DEGREE']} categories, so that coding ordinal variables only gives the same file twice, and "
                 "the same file cannot have two counts"))
    rows.append(("p = 1", f"PRL {prl.loc[1].tolist()}, DBRL {dbrl.loc[1].tolist()}",
                 f"recoding one category is a new name for it; DBRL loses {1000 - dbrl.loc[1, 'bottom']} records in bottom 1 to "
                 "the name alone, as it is foreign to the original file"))
    for name, table in (("PRL", prl), ("DBRL", dbrl)):
        own = table.to_numpy().mean()
        rows.append((f"group s and the other groups, {name}", f"{own:.1f} of {mean[name]} over all",
                     f"the other four groups have {(5 * mean[name] - own) / 4:.1f} on average"))
    files_, without = len(GROUPS) * len(METHODS) * 9, len(GROUPS) * (len(METHODS) - 1) * 9
    gain = mean["DBRL aware of the masking"] - mean["DBRL"]
    rows.append(("aware distance", f"{gain:+.2f} over {files_} experiments",
                 f"PRAM makes nothing impossible, so that all of it is in the other {without}: {gain * files_ / without:+.1f} each"))
    rows.append(("aware distance, direction", str(mean["DBRL aware of the masking"]),
                 f"an original can become one masked record only; linking originals to masked records with ties as links would find "
                 f"all 1000 in {without} experiments, {1000 * without / files_:.0f} on average and more. So masked records are "
                 "linked to originals, or ties are not links"))
    rows.append(("bottom 9 and top 9, DBRL", f"{dbrl.loc[9, 'bottom']} and {dbrl.loc[9, 'top']}",
                 "all masked records are alike and tie with the originals nearest to the new category: if ties are links, as many "
                 f"of the 1000 have the first DEGREE of the file's order ({dbrl.loc[9, 'bottom']}) and the last "
                 f"({dbrl.loc[9, 'top']}). Who has the survey can check it"))
    return pd.DataFrame(rows, columns=["where", "printed", "what follows"])


def scopes_beside_print(all_variables, ordinal_only):
    """Right links of group s under both scopes of top and bottom coding, counted as in print, beside the printed ones."""
    rows = []
    printed = {"PRL": "domingo2002_table3_prl_s", "DBRL": "domingo2002_table4_dbrl_s"}
    for scope, study in (("all variables", all_variables), ("ordinal variables", ordinal_only)):
        for linkage, name in printed.items():
            table = published.table(name).set_index("parameter")
            found = counted(study, *PRINTED[linkage]).xs("s", level="group").groupby(["dataset", "method", "p"]).mean()
            for (dataset, method, p), right in found.items():
                rows.append((scope, linkage, dataset, method, p, right, table.loc[p, method]))
    return pd.DataFrame(rows, columns=["scope", "linkage", "dataset", "method", "p", "right", "published"])


def scope_checks(beside):
    """Which of the printed tables' features each scope of coding has, a row a feature and file."""
    rows = []
    for (scope, dataset), part in beside.groupby(["scope", "dataset"], sort=False):
        right = part.set_index(["linkage", "method", "p"])["right"]
        same = {linkage: bool(right[linkage, "bottom", 9] == right[linkage, "global", 9]) for linkage in ("PRL", "DBRL")}
        rows += [
            (dataset, scope, "bottom 9 = global 9, DBRL", f"{right['DBRL', 'bottom', 9]:.0f}, {right['DBRL', 'global', 9]:.0f}",
             same["DBRL"]),
            (dataset, scope, "bottom 9 = global 9, PRL", f"{right['PRL', 'bottom', 9]:.0f}, {right['PRL', 'global', 9]:.0f}",
             same["PRL"]),
            (dataset, scope, "DBRL falls below a tenth at bottom 9", f"{right['DBRL', 'bottom', 9]:.0f}",
             bool(right["DBRL", "bottom", 9] < 100)),
            (dataset, scope, "p = 1 costs DBRL records, bottom", f"{right['DBRL', 'bottom', 1]:.0f}",
             bool(right["DBRL", "bottom", 1] < 1000)),
        ]
    return pd.DataFrame(rows, columns=["dataset", "scope", "feature of the printed tables", "reproduced", "has it"])
