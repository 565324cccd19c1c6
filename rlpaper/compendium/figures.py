"""Figures that hold reproduced values beside published ones, and the files that a figure leaves."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..plotting import BLUE, GREY, ORANGE, RED, write_figure
from . import results

#: Colour and marker of each verdict; the marker carries the meaning too.
VERDICT_LOOK = {
    "match": (BLUE, "o"),
    "near": (ORANGE, "^"),
    "differs": (RED, "X"),
    "not comparable": (GREY, "s"),
}


def save_figure(
    figure: Figure, frame: pd.DataFrame, paper: str, item: str, folder: str | Path, caption: str
) -> Figure:
    """Write a figure as SVG and PNG beside the CSV of its data.

    The caption says what a reader who cannot see the figure should know; it goes into both files
    and is the report's alternative text. A figure made from surrogate data says so on its face.
    """
    if results.is_surrogate(frame):
        caption = f"{caption} ({results.SURROGATE})"
        figure.text(0.995, 0.995, results.SURROGATE, ha="right", va="top", color=RED, weight="bold")
    path = results.save_table(frame, paper, item, folder)
    write_figure(figure, path, caption)
    return figure


def draw_reproduced(axis: Axes, x: pd.Series | pd.Index, part: pd.DataFrame) -> None:
    """Draw the column `reproduced` with two standard errors, `se`."""
    axis.errorbar(
        x,
        part["reproduced"],
        yerr=2 * part["se"],
        fmt="o",
        ms=5,
        color=BLUE,
        capsize=3,
        label="reproduced, 2 standard errors",
    )


def draw_published(axis: Axes, x: pd.Series | pd.Index, part: pd.DataFrame) -> None:
    """Draw the column `published`."""
    axis.scatter(
        x,
        part["published"],
        marker="D",
        s=46,
        facecolors="none",
        edgecolors=RED,
        lw=1.4,
        zorder=4,
        label="published",
    )


def reading_table(fit: pd.DataFrame) -> Figure:
    """Draw how far each reading of a paper is from its tables, and how many cells it matches.

    `fit` is what `readings.fit_of` returns.
    """
    readings = fit["reading"].unique()
    texts = [
        f"{row.match} of {row.cells}\n{round(row.mean_difference, 1) + 0:+.1f}"
        for row in fit.itertuples()
    ]
    by_table = fit.assign(text=texts).pivot(index="reading", columns="table").loc[readings]
    away, texts = by_table["mean_absolute_difference"], by_table["text"].fillna("")
    figure, axis = plt.subplots(figsize=(9, 0.52 * len(readings) + 1.4))
    import seaborn as sns

    sns.heatmap(
        away,
        annot=texts,
        fmt="",
        cmap="cividis_r",
        norm=mpl.colors.LogNorm(0.2, 50),
        ax=axis,
        linewidths=1.5,
        annot_kws={"fontsize": 9},
        cbar_kws={"label": "mean absolute difference, percentage points", "shrink": 0.7},
    )
    scale: Any = axis.collections[0].colorbar
    scale.set_ticks(
        [0.2, 0.5, 1, 2, 5, 10, 20, 50], labels=["0.2", "0.5", "1", "2", "5", "10", "20", "50"]
    )
    scale.minorticks_off()
    axis.set(xlabel="", ylabel="")
    axis.set_xticklabels([name.replace("table", "Table ") for name in away.columns])
    axis.tick_params(length=0)
    axis.xaxis.tick_top()
    axis.grid(False)
    return figure


def panels_by_file(
    frame: pd.DataFrame, width: float, ylabel: str
) -> tuple[Figure, list[tuple[Axes, pd.DataFrame]]]:
    """Return a figure, and for each file its panel and its rows, numbered from 0."""
    files = list(frame["file"].unique())
    figure, axes = plt.subplots(
        1, len(files), figsize=(width * len(files), 3.8), sharey=True, squeeze=False
    )
    axes[0, 0].set_ylabel(ylabel)
    panels = []
    for axis, file in zip(axes.flat, files, strict=True):
        axis.set_title(file)
        panels.append((axis, frame[frame["file"] == file].reset_index(drop=True)))
    return figure, panels


def scorecard_panels(table: pd.DataFrame) -> Figure:
    """Draw reproduced against published values, one panel per table or figure of a paper.

    Where they agree they are on the identity line.
    """
    numbers = table[table["verdict"].isin(VERDICT_LOOK)].copy()
    for column in ("published", "reproduced"):
        numbers[column] = _numbers(numbers[column])
    numbers["number"] = numbers[["published", "reproduced"]].notna().all(axis=1)
    # A table of texts gets no panel, though one of them may be made of digits.
    texts = numbers.groupby(["paper", "item"])["number"].transform("mean") < 0.5
    numbers = numbers[numbers["number"] & ~texts]
    # Standard deviations and errors are drawn apart from the percentages that they belong to.
    spread = numbers["cell"].str.contains("_s[de]$").map({True: " (spread)", False: ""})
    groups = list(numbers.groupby(["paper", numbers["item"] + spread], sort=False))
    across = min(4, max(1, len(groups)))
    down = max(1, -(-len(groups) // across))
    figure, axes = plt.subplots(down, across, figsize=(2.9 * across, 2.9 * down), squeeze=False)
    for axis in axes.flat[len(groups) :]:
        axis.axis("off")
    for axis, ((paper, item), part) in zip(axes.flat, groups, strict=False):
        _identity_panel(axis, part)
        axis.set_title(f"{paper} {item}", fontsize=10)
    figure.supxlabel("published", fontsize=11)
    figure.supylabel("reproduced", fontsize=11)
    handles = [
        plt.Line2D([], [], color=colour, marker=marker, ls="", label=verdict)
        for verdict, (colour, marker) in VERDICT_LOOK.items()
        if (numbers["verdict"] == verdict).any()
    ]
    figure.legend(handles=handles, loc="outside upper left", ncols=4, fontsize=10)
    return figure


def _identity_panel(axis, part):
    values = part[["published", "reproduced"]].to_numpy()
    # A table over many orders of magnitude, or of tiny numbers, is read in orders of magnitude.
    if values.min() > 0 and (values.max() / values.min() > 1e4 or values.max() < 1e-3):
        room = (values.max() / values.min()) ** 0.05
        limits = (values.min() / room, values.max() * room)
        axis.set(xscale="log", yscale="log", xlim=limits, ylim=limits)
        for side in (axis.xaxis, axis.yaxis):
            side.set_major_locator(mpl.ticker.LogLocator(numticks=4))
            side.set_minor_locator(mpl.ticker.NullLocator())
    else:
        # Two numbers a hair apart should look so.
        room = max(0.05 * np.ptp(values), 0.01 * np.abs(values).max()) or 1
        limits = (values.min() - room, values.max() + room)
        axis.set(xlim=limits, ylim=limits)
        axis.locator_params(nbins=4)
    axis.axline(
        (values.min(), values.min()),
        (values.max(), values.max()) if np.ptp(values) else None,
        slope=None if np.ptp(values) else 1,
        color=GREY,
        lw=0.8,
        zorder=0,
    )
    for verdict, (colour, marker) in VERDICT_LOOK.items():
        rows = part[part["verdict"] == verdict]
        axis.scatter(
            rows["published"],
            rows["reproduced"],
            color=colour,
            marker=marker,
            s=22,
            alpha=0.8,
            linewidths=0,
        )
    axis.tick_params(labelsize=8)


def _numbers(texts):
    """Texts as numbers, fractions such as 31/432 too; NaN where a text is not a number."""

    def number(text):
        try:
            return float(Fraction(str(text)))
        except (ValueError, ZeroDivisionError):
            return np.nan

    return texts.map(number)
