"""Figures of lesson 3, on learning the attacker's weights."""

from itertools import cycle

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ..plotting import BLUE, DARK, GREEN, GREY, ORANGE, RED, SKY, with_legend


def one_weight(curve: pd.Series, near: pd.Series, weight: float, variable: str) -> Figure:
    """Draw the records linked as one weight goes from 0 to 1, and the same from close by.

    Parameters
    ----------
    curve, near : Series
        Numbers of records linked, by weight: over all weights, and close to the one chosen.
    weight : float
    variable : str
    """
    figure, axes = plt.subplots(1, 2, figsize=(10.5, 3.9), width_ratios=[3, 2], sharey=False)
    for axis, part in zip(axes, (curve, near), strict=True):
        axis.step(part.index, part, where="mid", color=BLUE, lw=1.6)
        axis.yaxis.set_major_locator(mpl.ticker.MaxNLocator(integer=True))
        axis.set_xlabel(f"weight of {variable}")
    here = int(near.iloc[len(near) // 2])
    for axis in axes:
        axis.plot(weight, here, "o", color=RED, ms=8, zorder=4, clip_on=False)
    _beside(axes[0], weight, here, f"{here} linked")
    axes[0].set(
        title="from 0 to 1",
        xlim=(-0.02, 1.02),
        ylim=(0, 1.18 * curve.max()),
        ylabel="records linked",
    )
    axes[1].set(
        title="close by",
        xlim=(near.index.min(), near.index.max()),
        ylim=(near.min() - 2, near.max() + 2),
    )
    axes[1].xaxis.set_major_locator(mpl.ticker.MaxNLocator(5))
    return figure


def _beside(axis, x, y, text):
    """Put a label beside a point, on the side that has room."""
    left = x > 0.6
    axis.annotate(
        text,
        (x, y),
        (-9 if left else 9, 7),
        textcoords="offset points",
        ha="right" if left else "left",
        va="bottom",
        color=RED,
        fontsize=11,
        weight="bold",
    )


def stretches(linked: pd.DataFrame, weight: float, variables: list[str]) -> Figure:
    """Draw at which weights each record is linked, one line per record; below, how many are.

    Parameters
    ----------
    linked : DataFrame of bool
        One row per weight of the first variable, one column per record.
    weight : float
        Where the vertical line is.
    variables : list of two str
    """
    ever = linked.loc[:, linked.any()]
    first, last = ever.idxmax(), ever.iloc[::-1].idxmax()
    order = np.lexsort([first, last])
    here = ever.iloc[np.abs(ever.index - weight).argmin()]
    figure, (above, below) = plt.subplots(2, 1, figsize=(9, 6.4), height_ratios=[3, 2], sharex=True)
    colours = np.where(here.iloc[order], BLUE, "#BBBBBB")
    above.hlines(
        np.arange(len(order)),
        first.iloc[order],
        last.iloc[order],
        color=colours,
        lw=min(5, 170 / len(order)),
    )
    never = linked.shape[1] - ever.shape[1]
    above.set(
        yticks=[],
        ylabel="one line per record",
        title=(
            f"{linked.shape[1]} records: {ever.shape[1]} are linked at some weight, {never} at none"
        ),
    )
    total = linked.sum(axis=1)
    below.step(total.index, total, where="mid", color=DARK, lw=1.6)
    below.plot(weight, here.sum(), "o", color=BLUE, ms=8, zorder=4)
    best = total.max()
    below.axhline(best, color=RED, lw=1, ls="--")
    below.text(
        0.02,
        best + 0.02 * linked.shape[1],
        f"most at once: {best}",
        color=RED,
        fontsize=10,
        va="bottom",
    )
    away, side = (8, "left") if weight < 0.7 else (-8, "right")
    below.annotate(
        f"{here.sum()} linked here",
        (weight, here.sum()),
        (away, -9),
        textcoords="offset points",
        ha=side,
        va="top",
        color=BLUE,
        fontsize=11,
        weight="bold",
    )
    below.set(
        xlabel=f"weight of {variables[0]}; {variables[1]} has the rest",
        ylabel="records linked",
        xlim=(-0.02, 1.02),
        ylim=(0, 1.2 * linked.shape[1]),
    )
    below.yaxis.set_major_locator(mpl.ticker.MaxNLocator(5, integer=True))
    for axis in (above, below):
        axis.axvline(weight, color=BLUE, lw=1.2)
    above.grid(False)
    return figure


def proof(frame: pd.DataFrame) -> Figure:
    """Draw what a search has found and what it has proved, by the work that it had done.

    Parameters
    ----------
    frame : DataFrame
        Columns `work` (rows looked at), `linked` and `bound`.
    """
    figure, axis = plt.subplots(figsize=(8.5, 4))
    work = frame["work"] / 1e6
    axis.fill_between(
        work, frame["linked"], frame["bound"], step="post", color=SKY, alpha=0.35, linewidth=0
    )
    axis.step(work, frame["bound"], where="post", color=RED, lw=1.8, marker="v", ms=6)
    axis.step(work, frame["linked"], where="post", color=BLUE, lw=1.8, marker="o", ms=6)
    first = frame.iloc[0]
    for height, words, colour, side in (
        (first["bound"] + 0.6, "bound: no weights link more", RED, "bottom"),
        (first["linked"] - 0.8, "linked by the best weights so far", BLUE, "top"),
        ((first["bound"] + first["linked"]) / 2, "not known yet", DARK, "center"),
    ):
        axis.text(0.18 * work.iloc[-1], height, words, color=colour, va=side, fontsize=10)
    axis.annotate(
        f"proved: {frame['bound'].iloc[-1]}",
        (work.iloc[-1], frame["bound"].iloc[-1]),
        (-8, -22),
        textcoords="offset points",
        ha="right",
        va="top",
        fontsize=11,
        weight="bold",
        color=DARK,
        arrowprops={"arrowstyle": "-", "color": GREY},
    )
    axis.set(
        xlabel="work done, millions of inequalities looked at",
        ylabel="records",
        ylim=(frame["linked"].min() - 6, frame["bound"].max() + 4),
    )
    axis.yaxis.set_major_locator(mpl.ticker.MaxNLocator(integer=True))
    return figure


#: What is drawn of weights that were tried on their own records and on new ones: column, label,
#: colour, marker, line.
TRIED = (
    ("learned_own", "learned, on the known links themselves", BLUE, "o", "--"),
    ("learned_new", "learned, on new records", BLUE, "o", "-"),
    ("equal_new", "equal, on new records", ORANGE, "s", "-"),
)


def own_and_new(frame: pd.DataFrame) -> Figure:
    """Draw the shares linked by learned and by equal weights, by the number of known links.

    There is one panel per masking.

    Parameters
    ----------
    frame : DataFrame
        One row per trial: `masking`, `known` and the shares `learned_own`, `learned_new` and
        `equal_new`.
    """
    maskings = frame["masking"].unique()
    figure, axes = plt.subplots(1, len(maskings), figsize=(10.5, 4), squeeze=False)
    for axis, masking in zip(axes.flat, maskings, strict=True):
        mean = frame[frame["masking"] == masking].groupby("known").mean(numeric_only=True)
        for column, label, colour, marker, line in TRIED:
            hollow = {"mfc": "white"} if line == "--" else {}
            axis.plot(
                mean.index,
                100 * mean[column],
                color=colour,
                marker=marker,
                ls=line,
                ms=7,
                lw=1.8,
                label=label,
                **hollow,
            )
        lowest = 100 * mean[[column for column, *_ in TRIED]].min(axis=None)
        axis.set(
            title=f"{masking} masking",
            xlabel="known links, and records in the file",
            ylim=(max(0, lowest - 0.25 * (100 - lowest)), 101),
        )
        axis.set_xticks(mean.index)
    axes[0, 0].set_ylabel("records linked, percent")
    return with_legend(figure)


def ranges_of_parts(frame: pd.DataFrame) -> Figure:
    """Draw the values that each weight takes among the best solutions.

    There is one panel per masking; parts of the file stand side by side.

    Parameters
    ----------
    frame : DataFrame
        One row per masking, part and variable: `masking`, `part`, `variable`, `least` and
        `largest`.
    """
    maskings, parts = frame["masking"].unique(), frame["part"].unique()
    figure, axes = plt.subplots(1, len(maskings), figsize=(11, 4.2), squeeze=False)
    for axis, masking in zip(axes.flat, maskings, strict=True):
        for number, (part, colour) in enumerate(
            zip(parts, cycle((BLUE, ORANGE, GREEN)), strict=False)
        ):
            rows = frame[(frame["masking"] == masking) & (frame["part"] == part)].reset_index(
                drop=True
            )
            x = rows.index + 0.3 * (number - (len(parts) - 1) / 2)
            # A range that is nothing but zero can still be seen.
            axis.vlines(
                x,
                rows["least"] - 0.004,
                rows["largest"] + 0.004,
                color=colour,
                lw=7,
                label=part,
            )
        axis.set_xticks(rows.index, rows["variable"], rotation=45, ha="right", fontsize=9)
        axis.set(title=f"{masking} masking", ylim=(-0.03, 0.83))
        axis.grid(axis="x", visible=False)
    axes[0, 0].set_ylabel("weight, all best solutions")
    return with_legend(figure, ncols=len(parts))
