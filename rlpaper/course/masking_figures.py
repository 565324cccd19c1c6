"""Figures of lesson 2, on masking and the trade-off."""

from itertools import cycle

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from ..plotting import BLUE, DARK, GREEN, GREY, ORANGE, PURPLE, RED, SKY, show_percent, with_legend

#: Colour and marker in order of appearance, for methods and attackers.
LOOKS = ((BLUE, "o"), (RED, "s"), (GREEN, "D"), (PURPLE, "^"), (ORANGE, "v"), (SKY, "P"))


def before_after(original: pd.Series, files: dict[str, pd.Series], label: str) -> Figure:
    """Draw masked against original values of one variable, one panel per file.

    Parameters
    ----------
    original : Series
    files : dict of Series
        Masked values by title.
    label : str
        What the values are, in thousands.
    """
    figure, axes = plt.subplots(
        1, len(files), figsize=(3.9 * len(files), 4.1), sharex=True, sharey=True, squeeze=False
    )
    for axis, (title, masked) in zip(axes.flat, files.items(), strict=True):
        _cloud(axis, original, masked)
        axis.set(title=title, xlabel=f"original {label}")
    axes[0, 0].set_ylabel(f"masked {label}")
    return figure


def risk_utility(
    table: pd.DataFrame,
    method: str,
    step: int,
    measure: str,
    original: pd.Series,
    masked: pd.Series,
    limit: float | None = None,
) -> Figure:
    """Draw the map of risk against loss; one file is marked and shown beside it.

    The map has one line per method.

    Parameters
    ----------
    table : DataFrame
        Indexed by `method` and `parameter`; columns `step` (1, 2, ...), `risk` and the one
        named by `measure`.
    method : str
    step : int
        The file that is marked.
    measure : str
        The column drawn from left to right; also the label of that axis.
    original, masked : Series
        Values of one variable, drawn on the right.
    limit : float, optional
        Largest risk allowed, drawn as a line.
    """
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 4.9), width_ratios=(1.55, 1))
    methods = table.groupby(level="method", sort=False)
    for (name, part), (colour, marker) in zip(methods, cycle(LOOKS), strict=False):
        chosen = name == method
        left.plot(
            part[measure],
            part["risk"],
            color=colour,
            marker=marker,
            ms=6,
            lw=2.4 if chosen else 1.1,
            alpha=1 if chosen else 0.65,
            label=name,
            zorder=3 if chosen else 2,
        )
    row = table.xs(method, level="method", drop_level=False).query("step == @step").iloc[0]
    left.scatter(
        row[measure], row["risk"], s=260, facecolors="none", edgecolors=DARK, lw=2.2, zorder=4
    )
    if limit is not None:
        left.axhline(limit, color=DARK, ls="--", lw=1)
        left.text(
            0.995,
            limit,
            f"limit {100 * limit:.0f}%",
            transform=left.get_yaxis_transform(),
            ha="right",
            va="bottom",
            fontsize=10,
        )
    left.set(
        xlabel=measure,
        ylabel="share of the records found",
        ylim=(-0.03, 1.04),
        title=f"found {100 * row['risk']:.1f}%, {measure} {row[measure]:.3f}",
    )
    left.legend(loc="upper right", fontsize=10)
    show_percent(left.yaxis)
    _cloud(right, original, masked)
    right.set(
        title=f"{method}, {row.name[1]}",
        xlabel=f"original {original.name}, thousands",
        ylabel="masked, thousands",
    )
    return figure


def by_scope(frame: pd.DataFrame) -> Figure:
    """Draw the share found by the number of variables masked together.

    The frame has one row per number of variables and one column per attacker; each attacker gets a
    line.
    """
    figure, axis = plt.subplots(figsize=(9, 4.2))
    for (attacker, line), (colour, marker) in zip(frame.items(), cycle(LOOKS), strict=False):
        axis.plot(frame.index, line, color=colour, marker=marker, ms=7, lw=1.6, label=attacker)
    axis.set_xticks(frame.index)
    axis.set(
        xlabel="variables masked together", ylabel="share of the records found", ylim=(0, 1.05)
    )
    axis.legend(loc="lower left", fontsize=10)
    show_percent(axis.yaxis)
    return figure


def by_attacker(frame: pd.DataFrame, limit: float | None = None) -> Figure:
    """Draw what each attacker finds in each file.

    The frame has one row per file and one column per attacker; each attacker gets a mark.
    """
    figure, axis = plt.subplots(figsize=(10.5, 0.52 * len(frame) + 1.9))
    heights = range(len(frame))
    axis.hlines(heights, frame.min(axis=1), frame.max(axis=1), color="#BBBBBB", lw=3, zorder=1)
    for (attacker, shares), (colour, marker) in zip(frame.items(), cycle(LOOKS), strict=False):
        axis.scatter(
            shares, heights, color=colour, marker=marker, s=75, label=attacker, zorder=3, alpha=0.9
        )
    if limit is not None:
        axis.axvline(limit, color=DARK, ls="--", lw=1)
    axis.set_yticks(heights, frame.index)
    axis.invert_yaxis()
    axis.set(xlabel="share of the records found", xlim=(-0.02, 1.02))
    axis.tick_params(axis="y", length=0)
    axis.grid(axis="y", visible=False)
    show_percent(axis.xaxis)
    return with_legend(figure, ncols=len(frame.columns), columnspacing=1.2, handletextpad=0.3)


def _cloud(axis, original, masked):
    axis.scatter(original / 1e3, masked / 1e3, s=7, color=BLUE, alpha=0.55, linewidths=0)
    ends = [original.min() / 1e3, original.max() / 1e3]
    axis.plot(ends, ends, color=GREY, lw=0.9, zorder=0)
