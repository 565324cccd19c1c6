"""Figures of domingo2002."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np

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


def masked_frequencies(frame):
    """How often each category occurs, a panel a version of the file."""
    versions, categories = frame["file"].unique(), frame["category"].unique()
    figure, axes = plt.subplots(1, len(versions), figsize=(13, 3.6), sharey=True)
    for axis, version in zip(axes, versions):
        part = frame[frame["file"] == version].set_index("category").loc[categories]
        axis.barh(range(len(part)), part["records"], color=GREY if version == "original" else BLUE)
        axis.set_title(METHOD_TITLE.get(version, version))
        axis.set_xlabel("records")
        axis.grid(axis="y", visible=False)
    axes[0].set_yticks(range(len(categories)), categories)
    return figure


def counts_by_parameter(frame, series):
    """Right links by p with the printed ones: a row of panels a linkage, a panel a method, a line a value of `series`."""
    linkages, methods = frame["linkage"].unique(), frame["method"].unique()
    figure, axes = plt.subplots(
        len(linkages),
        len(methods),
        figsize=(max(10, 3.1 * len(methods) + 0.8), 3.1 * len(linkages)),
        sharex=True,
        sharey=True,
        squeeze=False,
    )
    for row, linkage in zip(axes, linkages):
        for axis, method in zip(row, methods):
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
                    label=_series_title(name, frame),
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
        row[0].set_ylabel("right links of 1000")
    for axis in axes[-1]:
        axis.set_xlabel("p")
        axis.set_xticks(sorted(frame["p"].unique()))
    return with_legend(figure)


def _series_title(name, frame):
    ahs = "AHS (surrogate)" if frame.attrs.get("surrogate") else "AHS 1993"
    return {"ahs": ahs, "income_esl": "income (ESL)", "adult": "adult"}.get(name, name)


def links_against_loss(frame, measure):
    """Right links against information loss, a panel a file, a colour a group."""
    names = frame["dataset"].unique()
    figure, axes = plt.subplots(1, len(names), figsize=(4.4 * len(names), 4), squeeze=False)
    for axis, name in zip(axes.flat, names):
        for group, (colour, marker) in GROUP_LOOK.items():
            part = frame[(frame["dataset"] == name) & (frame["group"] == group)]
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
        axis.set(title=_series_title(name, frame), xlabel=f"{measure}, bits a record")
    axes[0, 0].set_ylabel("right links of 1000 (DBRL)")
    return with_legend(figure)


def correlation_table(frame):
    """Correlations by measure; a column a source and linkage, the printed ones first."""
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
        cbar_kws={"label": "correlation with right links", "shrink": 0.8},
    )
    axis.set(xlabel="", ylabel="")
    axis.tick_params(length=0, labelsize=9)
    axis.tick_params(axis="y", rotation=0)
    axis.xaxis.tick_top()
    axis.grid(False)
    return figure


def protection_by_value(frame):
    """Share of re-identifications that coding takes away from low, middle and high values, a panel a file."""
    names = frame["dataset"].unique()
    figure, axes = plt.subplots(
        1, len(names), figsize=(3.9 * len(names), 3.8), sharey=True, squeeze=False
    )
    for axis, name in zip(axes.flat, names):
        for shift, (method, colour, marker) in enumerate(
            (("bottom", BLUE, "o"), ("top", ORANGE, "^"))
        ):
            part = frame[(frame["dataset"] == name) & (frame["method"] == method)]
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
        axis.set(title=_series_title(name, frame), xlabel="value before masking")
        axis.yaxis.set_major_formatter(mpl.ticker.PercentFormatter(decimals=0))
    axes[0, 0].set_ylabel("re-identifications that masking took away")
    return with_legend(figure)


def mean_links(frame, looks):
    """Mean right links by masking method, a panel a file, a marker a linkage; `looks` gives its name in the legend."""
    names = frame["dataset"].unique()
    figure, axes = plt.subplots(1, len(names), figsize=(4.2 * len(names), 4.2), squeeze=False)
    styles = ((GREY, "o"), (BLUE, "s"), (SKY, "D"), (GREEN, "P"), (ORANGE, "^"), (RED, "X"))
    for axis, name in zip(axes.flat, names):
        part = frame[frame["dataset"] == name].reset_index(drop=True)
        for number, ((linkage, title), (colour, marker)) in enumerate(zip(looks.items(), styles)):
            axis.scatter(
                np.arange(len(part)) + 0.11 * (number - (len(looks) - 1) / 2),
                part[linkage],
                color=colour,
                marker=marker,
                s=46,
                label=title,
            )
        axis.set_xticks(range(len(part)), part["method"])
        axis.set(title=_series_title(name, frame), ylim=(0, None))
        axis.grid(axis="x", visible=False)
    axes[0, 0].set_ylabel("right links of 1000, expected over ties")
    return with_legend(figure)


def learned_against_equal(frame):
    """What learned weights add to the links of equal ones, a panel a file, in sample and for new records."""
    names = frame["dataset"].unique()
    figure, axes = plt.subplots(
        1, len(names), figsize=(4.2 * len(names), 4), sharey=True, squeeze=False
    )
    for axis, name in zip(axes.flat, names):
        part = frame[frame["dataset"] == name]
        for ending, filled in (("", True), (", new records", False)):
            for group, (colour, marker) in GROUP_LOOK.items():
                rows = part[part["group"] == group]
                gain = rows["learned" + ending] - rows["equal" + ending]
                axis.scatter(
                    rows["equal" + ending],
                    gain,
                    s=34,
                    marker=marker,
                    edgecolors=colour,
                    lw=1.2,
                    facecolors=colour if filled else "none",
                    label=f"group {group}, {'the records learned from' if filled else 'new records'}",
                )
        axis.axhline(0, color=GREY, lw=0.8, zorder=0)
        axis.set(title=_series_title(name, frame), xlabel="right links of 1000, equal weights")
    axes[0, 0].set_ylabel("more with learned weights")
    return with_legend(figure)
