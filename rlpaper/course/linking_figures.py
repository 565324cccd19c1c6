"""Figures of lesson 1, on linking by distance."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from ..plotting import BLUE, DARK, GREY, ORANGE, RED, show_percent


def number_line(persons: pd.Series, released: pd.Series, label: str) -> Figure:
    """Draw the values of persons above those of released records, on one scale.

    Parameters
    ----------
    persons, released : Series
        Values, by name and by number of the record.
    label : str
        What the values are.
    """
    figure, axis = plt.subplots(figsize=(10, 2.9))
    for values, height, colour, marker, offset in (
        (persons, 1, BLUE, "o", 13),
        (released, 0, RED, "s", -13),
    ):
        axis.axhline(height, color="#CCCCCC", lw=1, zorder=0)
        axis.scatter(
            values,
            [height] * len(values),
            color=colour,
            marker=marker,
            s=64,
            edgecolors="white",
            zorder=3,
        )
        for (name, value), side in zip(values.items(), _sides(values), strict=True):
            axis.annotate(
                f"{name}\n{value:,.0f}",
                (value, height),
                (0, offset),
                textcoords="offset points",
                ha=side,
                va="bottom" if offset > 0 else "top",
                color=colour,
                fontsize=10,
            )
    axis.set_yticks([0, 1], ["released", "known to\nthe attacker"])
    axis.set(xlabel=label, ylim=(-0.85, 1.85))
    axis.margins(x=0.07)
    axis.grid(axis="y", visible=False)
    axis.tick_params(axis="y", length=0)
    axis.spines["left"].set_visible(False)
    axis.xaxis.set_major_formatter("{x:,.0f}")
    return figure


def _sides(values, close=0.08):
    """Align each label away from a value that is close, by that share of the range."""
    gap = close * (values.max() - values.min())
    for value in values:
        if ((values > value) & (values < value + gap)).any():
            yield "right"
        else:
            yield "left" if ((values < value) & (values > value - gap)).any() else "center"


def share_bars(shares: pd.Series, label: str) -> Figure:
    """Draw one bar per share, with its name and its value."""
    figure, axis = plt.subplots(figsize=(8, 0.3 * len(shares) + 0.9))
    bars = axis.barh(shares.index, shares, color=BLUE)
    axis.bar_label(bars, [f"{100 * value:.1f}%" for value in shares], padding=4, fontsize=10)
    axis.invert_yaxis()
    axis.set_xlabel(label)
    axis.margins(x=0.12)
    axis.xaxis.set_major_locator(mpl.ticker.MaxNLocator(6, steps=[1, 2, 5, 10]))
    axis.grid(axis="y", visible=False)
    show_percent(axis.xaxis)
    return figure


def found_by_variables(
    frame: pd.DataFrame, variables: int, noise: int, guesses: int, records: int
) -> Figure:
    """Draw the share of records found by variables known, and at which rank they are found.

    The left panel has one line per strength of noise.

    Parameters
    ----------
    frame : DataFrame
        Columns `noise`, `variables`, `rank` (1, 2, ...) and `share`, the share of the records found
        at that rank.
    variables, noise, guesses : int
        What is marked on the left and drawn on the right. The first `guesses` ranks count as
        found.
    records : int
        Number of candidates for each record; it gives the line of chance.
    """
    figure, (left, right) = plt.subplots(1, 2, figsize=(11.5, 4.3), width_ratios=(1.25, 1))
    found = frame[frame["rank"] <= guesses].groupby(["noise", "variables"])["share"].sum()
    for strength, line in found.groupby(level="noise"):
        line, chosen = line.droplevel("noise"), strength == noise
        left.plot(
            line.index,
            line,
            color=BLUE if chosen else GREY,
            lw=2.6 if chosen else 1.1,
            marker="o",
            ms=6 if chosen else 3.5,
            zorder=3 if chosen else 2,
        )
        left.annotate(
            f"noise {strength}%",
            (line.index[-1], line.iloc[-1]),
            (9, 0),
            textcoords="offset points",
            va="center",
            fontsize=10,
            color=BLUE if chosen else DARK,
            weight="bold" if chosen else "normal",
            annotation_clip=False,
        )
    left.hlines(guesses / records, line.index[0], line.index[-1], color=RED, ls="--", lw=1.2)
    left.annotate(
        "by chance",
        (line.index[-1], guesses / records),
        (9, 0),
        textcoords="offset points",
        va="center",
        fontsize=10,
        color=RED,
        annotation_clip=False,
    )
    left.scatter(
        variables,
        found[noise, variables],
        s=230,
        facecolors="none",
        edgecolors=ORANGE,
        lw=2.5,
        zorder=4,
    )
    left.set(
        xlabel="variables that the attacker knows",
        ylabel="share of the records found",
        ylim=(-0.03, 1.04),
        title=f"found with {_guesses(guesses)}: {100 * found[noise, variables]:.1f}%",
    )
    left.set_xticks(line.index)
    show_percent(left.yaxis)
    part = frame[(frame["noise"] == noise) & (frame["variables"] == variables)]
    bars = right.bar(
        part["rank"],
        part["share"],
        color=[BLUE if rank <= guesses else "#C8C8C8" for rank in part["rank"]],
    )
    right.bar_label(bars, [f"{100 * share:.1f}" for share in part["share"]], fontsize=9, padding=2)
    right.set(
        xlabel="rank of the true person among the nearest",
        ylabel="share of the records",
        title=f"noise {noise}%, {variables} {'variable' if variables == 1 else 'variables'}",
    )
    right.set_xticks(part["rank"])
    right.grid(axis="x", visible=False)
    right.set_ylim(0, max(0.1, 1.1 * part["share"].max()))
    show_percent(right.yaxis)
    return figure


def _guesses(count):
    return "one guess" if count == 1 else f"{count} guesses"
