"""Figures of domingo2002."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ...compendium import results
from ...plotting import BLUE, GREEN, GREY, ORANGE, PURPLE, RED, SKY, with_legend

#: Colour and marker of each file, and of each scope of coding.
SERIES_LOOK = {
    "ahs": (GREY, "s"),
    "income_esl": (BLUE, "o"),
    "adult": (ORANGE, "^"),
    "all variables coded": (BLUE, "o"),
    "ordinal ones coded": (ORANGE, "^"),
}
GROUP_LOOK = {
    "u": (PURPLE, "P"),
    "l": (RED, "v"),
    "s": (BLUE, "o"),
    "m": (GREEN, "s"),
    "o": (ORANGE, "^"),
}
METHOD_TITLE = {
    "bottom": "bottom coding",
    "global": "global recoding",
    "pram": "PRAM",
    "top": "top coding",
}


def masked_frequencies(frame: pd.DataFrame) -> Figure:
    """Draw how often each category occurs, one panel per version of the file."""
    versions, categories = frame["file"].unique(), frame["category"].unique()
    figure, axes = plt.subplots(1, len(versions), figsize=(13, 3.6), sharey=True)
    for axis, version in zip(axes, versions, strict=True):
        part = frame[frame["file"] == version].set_index("category").loc[categories]
        axis.barh(range(len(part)), part["records"], color=GREY if version == "original" else BLUE)
        axis.set_title(METHOD_TITLE.get(version, version))
        axis.set_xlabel("records")
        axis.grid(axis="y", visible=False)
    axes[0].set_yticks(range(len(categories)), categories)
    return figure


def counts_by_parameter(frame: pd.DataFrame, series: str) -> Figure:
    """Draw correct links by p with the printed ones, one line per value of the column `series`.

    One row of panels per linkage, one panel per masking method.
    """
    linkages, methods = frame["linkage"].unique(), frame["method"].unique()
    figure, axes = plt.subplots(
        len(linkages),
        len(methods),
        figsize=(max(10, 3.1 * len(methods) + 0.8), 3.1 * len(linkages)),
        sharex=True,
        sharey=True,
        squeeze=False,
    )
    for row, linkage in zip(axes, linkages, strict=True):
        for axis, method in zip(row, methods, strict=True):
            part = frame[(frame["linkage"] == linkage) & (frame["method"] == method)]
            for name, line in part.groupby(series, sort=False):
                colour, marker = SERIES_LOOK[name]
                axis.plot(
                    line["p"],
                    line["correct"],
                    color=colour,
                    marker=marker,
                    ms=5,
                    lw=1.2,
                    label=_series_title(name, line),
                )
            printed = part.drop_duplicates("p")
            axis.scatter(
                printed["p"],
                printed["published"],
                marker="D",
                s=46,
                facecolors="none",
                edgecolors=RED,
                lw=1.4,
                zorder=4,
                label="published (AHS 1993)",
            )
            axis.set_title(f"{linkage}, {METHOD_TITLE[method]}")
        row[0].set_ylabel("correct links of 1000")
    for axis in axes[-1]:
        axis.set_xlabel("p")
        axis.set_xticks(sorted(frame["p"].unique()))
    return with_legend(figure)


def _series_title(name: str, rows: pd.DataFrame) -> str:
    ahs = "AHS (surrogate)" if results.is_surrogate(rows) else "AHS 1993"
    return {"ahs": ahs, "income_esl": "income (ESL)", "adult": "adult"}.get(name, name)


def _panels(frame: pd.DataFrame, width: float, height: float, ylabel: str, sharey: bool) -> tuple:
    """Return a figure with one panel per file, and for each file its panel and its rows."""
    files = list(frame.groupby("dataset", sort=False))
    figure, axes = plt.subplots(
        1, len(files), figsize=(width * len(files), height), sharey=sharey, squeeze=False
    )
    axes[0, 0].set_ylabel(ylabel)
    for axis, (name, part) in zip(axes.flat, files, strict=True):
        axis.set_title(_series_title(name, part))
    return figure, [(axis, part) for axis, (_, part) in zip(axes.flat, files, strict=True)]


def links_against_loss(frame: pd.DataFrame, measure: str) -> Figure:
    """Draw correct links against information loss, one panel per file, one colour per group."""
    figure, panels = _panels(frame, 4.4, 4, "correct links of 1000 (DBRL)", sharey=False)
    for axis, rows in panels:
        for group, (colour, marker) in GROUP_LOOK.items():
            part = rows[rows["group"] == group]
            axis.scatter(
                part["loss"] / 1000,
                part["correct"],
                s=24,
                color=colour,
                marker=marker,
                alpha=0.8,
                linewidths=0,
                label=f"group {group}",
            )
        axis.set(xlabel=f"{measure}, bits per record")
    return with_legend(figure)


def correlation_table(frame: pd.DataFrame) -> Figure:
    """Draw correlations by measure, one column per source and linkage, the printed ones first."""
    frame = frame.assign(column=frame["source"].str.replace(", ", "\n") + "\n" + frame["linkage"])
    table = frame.pivot(index="measure", columns="column", values="correlation")
    table = table.loc[frame["measure"].unique(), frame["column"].unique()]
    figure, axis = plt.subplots(figsize=(1.05 * table.shape[1] + 2.6, 4.6))
    import seaborn as sns

    sns.heatmap(
        table,
        annot=True,
        fmt=".2f",
        cmap="cividis",
        vmin=-1,
        vmax=0,
        ax=axis,
        linewidths=1.5,
        annot_kws={"fontsize": 9},
        cbar_kws={"label": "correlation with correct links", "shrink": 0.8},
    )
    axis.set(xlabel="", ylabel="")
    axis.tick_params(length=0, labelsize=9)
    axis.tick_params(axis="y", rotation=0)
    axis.xaxis.tick_top()
    axis.grid(False)
    return figure


def protection_by_value(frame: pd.DataFrame) -> Figure:
    """Draw the share of re-identifications that coding takes away, by value, one panel per file."""
    ylabel = "re-identifications that masking took away"
    figure, panels = _panels(frame, 3.9, 3.8, ylabel, sharey=True)
    for axis, rows in panels:
        for shift, (method, colour, marker) in enumerate(
            (("bottom", BLUE, "o"), ("top", ORANGE, "^"))
        ):
            part = rows[rows["method"] == method]
            axis.errorbar(
                np.arange(len(part)) + 0.12 * shift - 0.06,
                100 * part["protected"],
                yerr=200 * part["se"],
                color=colour,
                marker=marker,
                capsize=3,
                label=f"{method} coding, 2 standard errors within a variable and p",
            )
        axis.set_xticks(range(3), part["value"])
        axis.set(xlabel="value before masking")
        axis.yaxis.set_major_formatter(mpl.ticker.PercentFormatter(decimals=0))
    return with_legend(figure)


def mean_links(frame: pd.DataFrame) -> Figure:
    """Draw mean correct links by masking method, one panel per file, one marker per attacker."""
    ylabel = "correct links of 1000, expected over ties"
    figure, panels = _panels(frame, 4.2, 4.2, ylabel, sharey=False)
    attackers = frame.columns.drop(["dataset", "data", "method"])
    looks = ((GREY, "o"), (BLUE, "s"), (SKY, "D"), (GREEN, "P"), (ORANGE, "^"), (RED, "X"))
    for axis, part in panels:
        for number, (attacker, (colour, marker)) in enumerate(zip(attackers, looks, strict=True)):
            axis.scatter(
                np.arange(len(part)) + 0.11 * (number - (len(attackers) - 1) / 2),
                part[attacker],
                color=colour,
                marker=marker,
                s=46,
                label=attacker.replace("DBRL aware", "DBRL aware of the masking"),
            )
        axis.set_xticks(range(len(part)), part["method"])
        axis.set(ylim=(0, None))
        axis.grid(axis="x", visible=False)
    return with_legend(figure)


def learned_against_equal(frame: pd.DataFrame) -> Figure:
    """Draw what learned weights add to the links of equal ones, one panel per file.

    Filled markers are the records learned from, empty ones new records.
    """
    figure, panels = _panels(frame, 4.2, 4, "more with learned weights", sharey=True)
    for axis, part in panels:
        for ending, records, filled in (
            ("", "the records learned from", True),
            (", new records", "new records", False),
        ):
            for group, (colour, marker) in GROUP_LOOK.items():
                rows = part[part["group"] == group]
                axis.scatter(
                    rows["equal" + ending],
                    rows["learned" + ending] - rows["equal" + ending],
                    s=34,
                    marker=marker,
                    edgecolors=colour,
                    lw=1.2,
                    facecolors=colour if filled else "none",
                    label=f"group {group}, {records}",
                )
        axis.axhline(0, color=GREY, lw=0.8, zorder=0)
        axis.set(xlabel="correct links of 1000, equal weights")
    return with_legend(figure)
