"""Figures of a risk assessment."""

from itertools import cycle
from typing import Any

import matplotlib.pyplot as plt
import matplotlib.ticker as ticker
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from .._internal.hints import Label
from ..plotting import BLUE, DARK, GREEN, GREY, ORANGE, PURPLE, RED, SKY

#: Direction of linkage: colour and marker.
DIRECTION_LOOKS = {
    "masked to original": (BLUE, "o"),
    "original to masked": (ORANGE, "^"),
    "both at once": (GREEN, "s"),
}
OFFSETS = {"masked to original": 0.13, "original to masked": -0.13}  # beside an attack's own height

#: Looks of the methods in the risk-utility map, one after the other and then again from the start:
#: colours, markers, and where the labels stand beside the marks, so that those of neighbouring
#: methods do not cover each other. Colours and markers repeat together after thirty methods.
MAP_COLOURS = (BLUE, ORANGE, PURPLE, SKY, DARK)
MAP_MARKERS = "osD^vP"
MAP_LABELS = ((6, 5, "left"), (-6, -13, "right"), (6, -13, "left"))

MAX_NAME_CHARACTERS = 40  # of a variable in a figure
MAX_VARIABLES_DRAWN = 25

PERCENT = ticker.FuncFormatter(lambda share, _: f"{100 * share:.3g}%")


def canvas(width: float, height: float, panels: int = 1, **options: Any) -> tuple[Figure, Any]:
    """Open a figure of so many inches, with panels side by side; also for measures of your own."""
    return plt.subplots(1, panels, figsize=(width, height), **options)


def attack_shares(attacks: pd.DataFrame, bound: float | None = None) -> Figure:
    """Draw the share found by each attack in each direction, with intervals.

    Parameters
    ----------
    attacks : DataFrame
        `rlpaper.risk.Assessment.attacks`.
    bound : float, optional
        What no weights can exceed without ties, where it is proved for the whole file.
    """
    names = list(dict.fromkeys(attacks["attack"]))
    figure, axis = canvas(8, 0.55 * len(names) + 1.6)
    for direction, (colour, marker) in DIRECTION_LOOKS.items():
        part = attacks[attacks["direction"] == direction]
        if part.empty:
            continue
        heights = [
            len(names) - 1 - names.index(name) + OFFSETS.get(direction, 0)
            for name in part["attack"]
        ]
        spread = np.array([part["correct"] - part["low"], part["high"] - part["correct"]]).clip(0)
        axis.errorbar(
            part["correct"],
            heights,
            xerr=spread,
            fmt=marker,
            ms=8,
            color=colour,
            capsize=3,
            label=direction,
        )
        for row, height in zip(part.itertuples(), heights, strict=True):
            if not row.comparable:
                axis.annotate(
                    "in a sample file",
                    (row.low, height),
                    (-9, -3.5),
                    textcoords="offset points",
                    ha="right",
                    fontsize=9,
                    color=GREY,
                )
    if bound is not None:
        axis.axvline(bound, color=RED, ls="--", lw=1.3)
        axis.annotate(
            "no weights find more without ties",
            (bound, len(names) - 0.55),
            (-4, 0),
            textcoords="offset points",
            ha="right",
            va="center",
            fontsize=9,
            color=RED,
        )
    axis.set(
        yticks=range(len(names)),
        yticklabels=names[::-1],
        xlim=(-0.02, 1.04),
        ylim=(-0.6, len(names) - 0.3),
        xlabel="share of the persons found",
    )
    axis.xaxis.set_major_formatter(PERCENT)
    figure.legend(loc="outside upper left", ncols=3, fontsize=10)
    return figure


def variable_bars(variables: pd.DataFrame) -> Figure:
    """Draw what each variable gives away: alone, as a part of all, and its learned weight.

    Variables that were not masked are marked.

    Parameters
    ----------
    variables : DataFrame
        `rlpaper.risk.Assessment.variables`.
    """
    shown = variables[variables["state"] != "constant"].head(MAX_VARIABLES_DRAWN).iloc[::-1]
    labels = [
        _short(name) if state == "masked" else f"{_short(name)} ({state})"
        for name, state in shown["state"].items()
    ]
    colours = [
        RED if state in ("unmasked", "renamed", "rescaled") else BLUE for state in shown["state"]
    ]
    panels = [
        ("alone", "found by it alone"),
        ("shapley", "its part of what all find"),
        ("weight", "learned weight"),
    ]
    figure, axes = canvas(10.5, 0.3 * len(shown) + 1.5, len(panels), sharey=True)
    for axis, (column, title) in zip(axes, panels, strict=True):
        axis.barh(range(len(shown)), shown[column], color=colours, height=0.66)
        axis.set_title(title, fontsize=11)
        axis.xaxis.set_major_formatter("{x:.2g}" if column == "weight" else PERCENT)
        axis.xaxis.set_major_locator(ticker.MaxNLocator(4))
        axis.set_xlim(left=min(0, shown[column].min()))
        axis.grid(axis="y", visible=False)
    axes[0].set_yticks(range(len(shown)), labels)
    for tick, colour in zip(axes[0].get_yticklabels(), colours, strict=True):
        tick.set_color(RED if colour == RED else "black")
        tick.set_parse_math(False)  # a name with two dollars is no formula
    return figure


def _short(name: Label) -> str:
    """Write a name in one line, and not more of it than leaves room for the figure."""
    text = " ".join(str(name).split())
    return text if len(text) <= MAX_NAME_CHARACTERS else f"{text[: MAX_NAME_CHARACTERS - 1]}…"


def found_by_attacks(records: pd.DataFrame, tried: int) -> Figure:
    """Draw how many persons are found without a tie by how many attacks.

    Parameters
    ----------
    records : DataFrame
        `rlpaper.risk.Assessment.records`.
    tried : int
        Attacks that were made on every person: `rlpaper.risk.Assessment.tried`.
    """
    counts = np.bincount(records["found by"], minlength=tried + 1)
    figure, axis = canvas(8, 3)
    bars = axis.bar(range(tried + 1), counts, color=[GREY, *[SKY] * (tried - 1), RED], width=0.75)
    axis.bar_label(bars, [f"{count:,}" for count in counts], fontsize=9, padding=2)
    axis.set(
        xticks=range(tried + 1),
        xlabel=f"attacks that find the person without a tie, of {tried}",
        ylabel="persons",
        ylim=(0, 1.12 * max(counts.max(), 1)),
    )
    axis.grid(axis="x", visible=False)
    return figure


def fewer_known(subsets: pd.DataFrame, shortlist: pd.DataFrame) -> Figure:
    """Draw what attackers find who know fewer persons, or are content with a short list.

    Parameters
    ----------
    subsets, shortlist : DataFrame
        `rlpaper.risk.Assessment.subsets` and `shortlist`.
    """
    figure, (left, right) = canvas(10.5, 4.1, 2)
    looks = {
        "to nearest masked": ("each to its nearest masked record", ORANGE, "^"),
        "one to one": ("one to one", GREEN, "s"),
        "masked to nearest known": ("masked records to the nearest known", BLUE, "o"),
        "correct claims": ("… share of these links that are correct", PURPLE, "D"),
    }
    for column, (label, colour, marker) in looks.items():
        left.plot(subsets["share known"], subsets[column], marker=marker, color=colour, label=label)
    left.set(
        xscale="log",
        xticks=subsets["share known"],
        xlabel="share of the persons that the attacker knows",
        ylabel="share of those found",
        ylim=(-0.02, 1.04),
    )
    left.xaxis.set_major_formatter(PERCENT)
    left.minorticks_off()
    right.plot(
        shortlist["rank"],
        shortlist["up to this rank"],
        marker="o",
        color=BLUE,
        label="short list by the plain distance",
    )
    right.plot(
        shortlist["rank"],
        shortlist["by chance"].clip(upper=1),
        color=GREY,
        ls=":",
        label="short list by chance",
    )
    right.set(
        xscale="log",
        xticks=shortlist["rank"],
        xlabel="candidates on the short list",
        ylabel="true person among them",
        ylim=(-0.02, 1.04),
    )
    right.set_xticklabels([str(rank) for rank in shortlist["rank"]])
    right.minorticks_off()
    for axis in (left, right):
        axis.yaxis.set_major_formatter(PERCENT)
    # Beside the panels: anywhere within them some file has a line.
    figure.legend(loc="outside lower left", ncols=2, fontsize=9)
    return figure


def risk_utility_map(alternatives: pd.DataFrame) -> plt.Figure:
    """Draw the share found against how far values were moved, for each masking of a file.

    Parameters
    ----------
    alternatives : DataFrame
        `rlpaper.risk.Assessment.alternatives`; the first row is the file at hand.
    """
    figure, axis = plt.subplots(figsize=(8.5, 5))
    here, others = alternatives.iloc[0], alternatives.iloc[1:]
    axis.fill_between([0, here["loss"]], 0, here["risk"], color="#EAF4EE", zorder=0)
    axis.annotate(
        "less risk and less loss",
        (0, 0),
        (6, 6),
        textcoords="offset points",
        fontsize=9,
        color=GREEN,
    )
    for (method, part), colour, marker, (x, y, side) in zip(
        others.groupby("method", sort=False),
        cycle(MAP_COLOURS),
        cycle(MAP_MARKERS),
        cycle(MAP_LABELS),
        strict=False,  # they go on for ever
    ):
        axis.plot(part["loss"], part["risk"], marker=marker, ms=7, color=colour, lw=1, label=method)
        for row in part.itertuples():
            axis.annotate(
                str(row.parameter).split(",")[0],
                (row.loss, row.risk),
                (x, y),
                textcoords="offset points",
                ha=side,
                fontsize=9,
                color=colour,
            )
    axis.plot(
        here["loss"],
        here["risk"],
        marker="*",
        ms=19,
        color=RED,
        ls="",
        label=here["method"],
        zorder=5,
    )
    axis.set(
        xlabel="how far values were moved",
        ylabel="share of the persons found, plain distance",
        ylim=(-0.02, 1.05 * max(0.1, alternatives["risk"].max())),
        xlim=(0, 1.1 * max(alternatives["loss"].max(), 1e-3)),
    )
    axis.yaxis.set_major_formatter(PERCENT)
    axis.legend(fontsize=10)
    return figure
