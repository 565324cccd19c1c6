"""What the printed tables of domingo2002 say about how they were made, whatever the data were."""

import pandas as pd

from ...compendium import published
from .protocol import GROUPS, METHODS
from .tables import against_print, counted


def implied() -> pd.DataFrame:
    """Draw conclusions from Tables 2 to 5 and the averages alone: what is printed, what follows."""
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
    last = [
        int(table.loc[p, method])
        for table in (prl, dbrl)
        for method in ("bottom", "global")
        for p in (8, 9)
    ]
    own = {name: table.to_numpy().mean() for name, table in (("PRL", prl), ("DBRL", dbrl))}
    experiments = len(GROUPS) * len(METHODS) * 9
    without = len(GROUPS) * (len(METHODS) - 1) * 9
    gain = mean["DBRL aware of the masking"] - mean["DBRL"]
    rows = [
        (
            "bottom 8, 9 and global 8, 9",
            f"PRL {last[:4]}, DBRL {last[4:]}",
            "four files with the same counts in both tables: bottom coding leaves what global "
            "recoding leaves, one category of every variable, nominal ones included",
        ),
        (
            "bottom 9, links",
            str(dbrl.loc[9, "bottom"]),
            f"coding DEGREE alone leaves METRO as it is: with {sizes['METRO']} categories at least "
            f"{sizes['METRO']} kinds of records, each with a correct link unless ties are never "
            f"links, are more than {dbrl.loc[9, 'bottom']}",
        ),
        (
            "top 8 and top 9",
            f"PRL {prl.loc[8, 'top']} and {prl.loc[9, 'top']}",
            f"DEGREE has {sizes['DEGREE']} categories, so that coding ordinal variables only gives "
            "the same file twice, and the same file cannot have two counts",
        ),
        (
            "p = 1",
            f"PRL {prl.loc[1].tolist()}, DBRL {dbrl.loc[1].tolist()}",
            "recoding one category is a new name for it; DBRL loses "
            f"{1000 - dbrl.loc[1, 'bottom']} records in bottom 1 to the name alone, as it is "
            "foreign to the original file",
        ),
        *(
            (
                f"group s and the other groups, {name}",
                f"{value:.1f} of {mean[name]} over all",
                f"the other four groups have {(5 * mean[name] - value) / 4:.1f} on average",
            )
            for name, value in own.items()
        ),
        (
            "aware distance",
            f"{gain:+.2f} over {experiments} experiments",
            "PRAM makes nothing impossible, so that all of it is in the other "
            f"{without}: {gain * experiments / without:+.1f} each",
        ),
        (
            "aware distance, direction",
            str(mean["DBRL aware of the masking"]),
            "an original can become one masked record only; linking originals to masked records "
            f"with ties as links would find all 1000 in {without} experiments, "
            f"{1000 * without / experiments:.0f} on average and more. So masked records are "
            "linked to originals, or ties are not links",
        ),
        (
            "bottom 9 and top 9, DBRL",
            f"{dbrl.loc[9, 'bottom']} and {dbrl.loc[9, 'top']}",
            "all masked records are alike, so all have the same nearest originals: one correct "
            "link, unless ties are links, which the last row speaks against, or links to the "
            "correct values are correct ones. Then these are the numbers of records with the same "
            "values as the nearest original that comes first",
        ),
        (
            "bottom 9, PRL",
            str(prl.loc[9, "bottom"]),
            "one to one, equal masked records are as good as assigned at random, and meet the "
            "correct values as often as the squared numbers of equal originals add up to, divided "
            "by 1000: a record of the survey would share its values with "
            f"{prl.loc[9, 'bottom'] - 1} others on average",
        ),
        (
            "global 1 and bottom 1, DBRL",
            f"{dbrl.loc[1, 'global']} and {dbrl.loc[1, 'bottom']}",
            f"{dbrl.loc[1, 'global']} of 1000 records with different values in four such variables "
            "are hardly to be had, so equal records count as correct ones; yet ties with other "
            "values, which a new name for one category makes, do not",
        ),
    ]
    return pd.DataFrame(rows, columns=["where", "printed", "what follows"])


def scopes_against_print(all_variables: pd.DataFrame, ordinal_only: pd.DataFrame) -> pd.DataFrame:
    """Put group s under both scopes of top and bottom coding, counted as in print, beside print."""
    scopes = {"all variables coded": all_variables, "ordinal ones coded": ordinal_only}
    return pd.concat(
        [against_print(study).assign(scope=scope) for scope, study in scopes.items()],
        ignore_index=True,
    )


#: How equally near originals are counted, for `counting_checks`: linkage and ties.
COUNTINGS = {
    "a tie is no link": "strict",
    "expected over ties": "expected",
    "a tie is a link": "lenient",
    "a link to the same values": "same values",
}

#: Experiments of group s whose counts tell the ways of counting apart.
TELLING = [("global", 1), ("bottom", 1), ("bottom", 9), ("global", 9), ("top", 9)]


def counting_checks(all_variables: pd.DataFrame, ordinal_only: pd.DataFrame) -> pd.DataFrame:
    """Say which features of the printed Table 4 each scope and way of counting has, group s."""
    rows = []

    def check(dataset: str, scope: str, name: str, correct: pd.Series, data: str = "") -> None:
        counts = {f"{method} {p}": correct[method, p] for method, p in TELLING}
        row = {"dataset": dataset, "scope": scope, "counted": name, **counts}
        rows.append({**row, "like print": _like_print(correct), "data": data})

    for scope, study in (("all variables", all_variables), ("ordinal ones", ordinal_only)):
        for (dataset, data), part in study.groupby(["dataset", "data"], sort=False):
            for name, ties in COUNTINGS.items():
                correct = counted(part, "DBRL", ties).xs("s", level="group")
                check(dataset, scope, name, correct.groupby(["method", "p"]).mean(), data)
        if scope == "all variables":
            printed = published.table("domingo2002_table4_dbrl_s").set_index("parameter")
            check("print", "", "", printed.T.stack())
    return pd.DataFrame(rows)


def _like_print(correct: pd.Series) -> bool:
    """Say whether counts have the features of the print that do not depend on the data.

    A new name for one category costs some records, and for the rarest fewer than for the first;
    when all masked records are alike, bottom coding and global recoding leave the same, and
    somewhere more than one record is found.
    """
    last = correct["bottom", 9], correct["global", 9], correct["top", 9]
    return bool(
        correct["bottom", 1] < correct["global", 1] < 1000 and last[0] == last[1] and max(last) > 1
    )
