"""Figures of lesson 4, on files without common variables."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ..plotting import BLUE, DARK, GREY, ORANGE, RED, SKY


def quantifier_weights(
    curve: pd.Series, weights: list[float], record: list[float], value: float
) -> Figure:
    """Draw a quantifier, the weights it gives to a record's values by size, and the average.

    Parameters
    ----------
    curve : Series
        Q(x) by x.
    weights : list
        Weight of the largest value, of the second largest, and so on.
    record : list
        The record's values, in any order.
    value : float
        The ordered weighted average.
    """
    n = len(weights)
    figure, axes = plt.subplots(1, 3, figsize=(11, 3.7))
    steps = np.arange(n + 1) / n
    heights = np.interp(steps, curve.index, curve)
    axes[0].plot(curve.index, curve, color=DARK, lw=1.6)
    for i in range(n):
        axes[0].plot(
            [steps[i + 1]] * 2, heights[i : i + 2], color=BLUE, lw=4, solid_capstyle="butt"
        )
        axes[0].plot(steps[i : i + 2], [heights[i]] * 2, color=GREY, lw=0.8, ls=":")
    axes[0].set(title="the quantifier Q", xlabel="x", ylabel="Q(x)", ylim=(-0.04, 1.06))
    axes[1].bar(np.arange(1, n + 1), weights, color=BLUE, width=0.6)
    axes[1].set(
        title="weights: its steps",
        xlabel="value, from the largest",
        ylabel="weight",
        ylim=(0, 1.06),
    )
    axes[1].set_xticks(np.arange(1, n + 1))
    ordered = sorted(record, reverse=True)
    axes[2].bar(np.arange(1, n + 1), ordered, color=SKY, width=0.6)
    axes[2].axhline(value, color=RED, lw=2)
    axes[2].annotate(
        f"{value:.3f}",
        (n + 0.42, value),
        (0, 4),
        textcoords="offset points",
        ha="right",
        va="bottom",
        color=RED,
        fontsize=12,
        weight="bold",
    )
    axes[2].set(
        title="a record, and its average",
        xlabel="value, from the largest",
        ylim=(0, 1.12),
        xlim=(0.5, n + 0.5),
    )
    axes[2].set_xticks(np.arange(1, n + 1))
    for axis in axes[1:]:
        axis.grid(axis="x", visible=False)
    return figure


def two_sides(frame: pd.DataFrame, title: str, label: str = "a representative") -> Figure:
    """Draw each individual's representative in two files; who is linked correctly stands out.

    Parameters
    ----------
    frame : DataFrame
        One row per individual: `first`, `second` (its representative in each file) and `correct`
        (0 to 1).
    title, label : str
    """
    figure, axis = plt.subplots(figsize=(6.4, 5))
    low, high = (
        frame[["first", "second"]].min(axis=None) - 0.2,
        frame[["first", "second"]].max(axis=None) + 0.2,
    )
    axis.plot([low, high], [low, high], color=GREY, lw=0.9, zorder=0)
    for correct, colour, marker, size, words in (
        (False, "#999999", "o", 26, "wrong"),
        (True, BLUE, "D", 46, "linked correctly"),
    ):
        part = frame[(frame["correct"] > 0.5) == correct]
        axis.scatter(
            part["first"],
            part["second"],
            color=colour,
            marker=marker,
            s=size,
            label=f"{words}: {len(part)}",
            edgecolors="white",
            linewidths=0.5,
        )
    correlation = np.corrcoef(frame["first"], frame["second"])[0, 1]
    axis.text(
        0.97,
        0.04,
        f"correlation {correlation:.2f}",
        transform=axis.transAxes,
        ha="right",
        fontsize=10,
        color=DARK,
    )
    axis.set(
        title=title,
        xlabel=f"{label}, first file",
        ylabel=f"{label}, second file",
        xlim=(low, high),
        ylim=(low, high),
    )
    axis.legend(loc="upper left", fontsize=10, reverse=True)
    return figure


def chance_by_size(frame: pd.DataFrame, n: int, average: float) -> Figure:
    """Draw the probabilities of correct links by chance, calculated and counted.

    Parameters
    ----------
    frame : DataFrame
        One row per number of correct links, which is the index; columns `exact` and `counted`.
    n : int
        Number of records.
    average : float
        Correct links on average, counted.
    """
    figure, axis = plt.subplots(figsize=(7, 3.8))
    bars = axis.bar(frame.index, frame["exact"], color=SKY, width=0.7, label="calculated")
    axis.bar_label(bars, [f"{100 * value:.2g}%" for value in frame["exact"]], padding=7, fontsize=9)
    axis.scatter(
        frame.index,
        frame["counted"],
        color=RED,
        marker="_",
        s=260,
        lw=2,
        label="counted in random linkages",
    )
    axis.set(
        title=f"{n} records linked at random: {average:.2f} correct on average",
        xlabel="correct links",
        ylabel="probability",
        ylim=(0, 0.46),
    )
    axis.set_xticks(frame.index)
    axis.grid(axis="x", visible=False)
    axis.legend(loc="upper right", fontsize=10)
    return figure


def pairs_by_index(frame: pd.DataFrame, line: float) -> Figure:
    """Draw pairs of the same person and of different persons by index, and where links begin.

    Parameters
    ----------
    frame : DataFrame
        One row per index and kind of pair: `weight` (the index, in bits), `same` (whether both
        records are the same person) and `pairs` (how many).
    line : float
        Pairs with this index or a higher one are linked.
    """
    figure, axis = plt.subplots(figsize=(8.5, 3.9))
    edges = np.histogram_bin_edges(frame["weight"], 40).tolist()
    counts = {}
    for same, colour, label in (
        (False, ORANGE, "different persons"),
        (True, BLUE, "the same person"),
    ):
        part = frame[frame["same"] == same]
        axis.hist(
            part["weight"], edges, weights=part["pairs"], color=colour, alpha=0.8, label=label
        )
        counts[same] = part.loc[part["weight"] >= line, "pairs"].sum()
    axis.axvline(line, color=DARK, lw=1.2, ls="--")
    axis.text(
        line + 0.2, 0.98, "linked →", transform=axis.get_xaxis_transform(), va="top", fontsize=10
    )
    axis.set(
        title=f"linked: {counts[True]} pairs of the same person, "
        f"{counts[False]} of different persons",
        xlabel="index, bits",
        ylabel="pairs",
        yscale="log",
        ylim=(0.5, 10 * frame["pairs"].max()),
    )
    axis.legend(loc="upper right", bbox_to_anchor=(1, 0.88), fontsize=10)
    return figure
