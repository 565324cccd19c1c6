"""Figures of lesson 5, on hiding people in categories."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ..plotting import BLUE, GREEN, GREY, ORANGE, RED, SKY

#: Groups of people who share their values: smallest size, largest size, label of the bar.
SIZES = (
    (1, 1, "alone"),
    (2, 2, "with 1 other"),
    (3, 5, "with 2 to 4"),
    (6, 10, "with 5 to 9"),
    (11, 20, "with 10 to 19"),
    (21, np.inf, "with 20 or more"),
)
METHOD_LOOK = {
    "top": (SKY, "^"),
    "bottom": (BLUE, "v"),
    "global": (GREEN, "s"),
    "PRAM": (ORANGE, "o"),
}
LOSS_TITLE = {"IL": "IL, bits per person", "CTBIL": "CTBIL, cells of tables changed per person"}
ATTACKER_LOOK = {"knows the masking": (RED, "o"), "does not know it": (GREY, "s")}


def class_sizes(sizes: pd.Series, title: str = "") -> Figure:
    """Draw how many people share all their values with how many others.

    Parameters
    ----------
    sizes : Series
        For each person, how many people have the same values, the person included.
    title : str
    """
    counts = [int(sizes.between(low, high).sum()) for low, high, _ in SIZES]
    figure, axis = plt.subplots(figsize=(9, 3.4))
    bars = axis.bar(range(len(SIZES)), counts, color=[RED, *[BLUE] * (len(SIZES) - 1)], width=0.7)
    axis.bar_label(
        bars, [f"{count}\n{count / len(sizes):.0%}" for count in counts], padding=2, fontsize=10
    )
    axis.set_xticks(range(len(SIZES)), [name for _, _, name in SIZES])
    axis.set(ylabel="people", ylim=(0, 1.22 * max(counts)), title=title)
    axis.grid(axis="x", visible=False)
    return figure


def found_by(frame: pd.DataFrame) -> Figure:
    """Draw the people found: one panel per masked file, one bar per attacker.

    A line marks how many are found without masking.

    Parameters
    ----------
    frame : DataFrame
        `file`, `attacker`, `found`, and `unmasked`, the same for all rows of a file.
    """
    files, attackers = frame["file"].unique(), list(frame["attacker"].unique())
    largest = frame[["found", "unmasked"]].max().max()
    figure, axes = plt.subplots(
        1,
        len(files),
        figsize=(4.4 * len(files) + 1.6, 0.42 * len(attackers) + 1.5),
        sharey=True,
        sharex=True,
        squeeze=False,
    )
    for axis, file in zip(axes.flat, files, strict=True):
        part = frame[frame["file"] == file].set_index("attacker").reindex(attackers)
        axis.barh(range(len(part)), part["found"], color=BLUE, height=0.65)
        for row, found in enumerate(part["found"]):
            inside = found > 0.2 * largest
            axis.annotate(
                f"{found:.0f}",
                (found, row),
                xytext=(-5 if inside else 4, 0),
                textcoords="offset points",
                fontsize=10,
                va="center",
                ha="right" if inside else "left",
                color="white" if inside else "black",
            )
        axis.axvline(part["unmasked"].iloc[0], color=RED, ls="--", lw=1.4)
        axis.annotate(
            f"not masked: {part['unmasked'].iloc[0]:.0f}",
            (part["unmasked"].iloc[0], -0.42),
            ha="right",
            va="bottom",
            xytext=(-4, 0),
            textcoords="offset points",
            color=RED,
            fontsize=9,
        )
        axis.set(title=file, xlabel="people found of 1000", ylim=(len(part) - 0.5, -0.95))
        axis.grid(axis="y", visible=False)
    axes[0, 0].set_xlim(0, 1.08 * largest)
    axes[0, 0].set_yticks(range(len(attackers)), attackers)
    return figure


def risk_and_loss(study: pd.DataFrame, method: str, p: int, loss: str) -> Figure:
    """Draw the people found by p under one method, and the risk and loss of all masked files.

    Parameters
    ----------
    study : DataFrame
        One row per masked file: `method`, `p`, people found by an attacker who knows the masking
        (`informed`) and by one who does not (`naive`), and the information loss per person by each
        measure.
    method : str
    p : int
        With `method`, the file that is marked.
    loss : str
        The measure of loss in the panel on the right.
    """
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 4.2))
    part = study[study["method"] == method]
    chosen = part[part["p"] == p].iloc[0]
    highest = study[["informed", "naive"]].max().max()
    for (name, (colour, marker)), column, above in zip(
        ATTACKER_LOOK.items(), ("informed", "naive"), (True, False), strict=True
    ):
        left.plot(part["p"], part[column], color=colour, marker=marker, ms=5, lw=1.5, label=name)
        left.plot(p, chosen[column], color=colour, marker=marker, ms=11, mec="black", mew=1.2)
        left.annotate(
            f"{chosen[column]:.0f}",
            (p, chosen[column]),
            xytext=(0, 10 if above else -10),
            textcoords="offset points",
            ha="center",
            va="bottom" if above else "top",
            color=colour,
            weight="bold",
        )
    left.legend(title="the attacker", fontsize=10, alignment="left")
    left.set(
        xlabel="p" if method != "PRAM" else r"p = 10 $\theta$",
        ylabel="people found of 1000",
        xticks=sorted(study["p"].unique()),
        ylim=(-0.09 * highest, 1.15 * highest),
        title=f"{method} coding"
        if method in ("top", "bottom")
        else "global recoding"
        if method == "global"
        else "PRAM",
    )
    for name, (colour, marker) in METHOD_LOOK.items():
        line = study[study["method"] == name]
        right.plot(
            line[loss], line["informed"], color=colour, marker=marker, ms=6, lw=1.2, label=name
        )
    right.plot(chosen[loss], chosen["informed"], "o", ms=16, mfc="none", mec="black", mew=1.6)
    beyond = chosen[loss] > 0.8 * study[loss].max()  # no room on its right
    right.annotate(
        f"{method}, p = {p}",
        (chosen[loss], chosen["informed"]),
        xytext=(-11 if beyond else 11, 9),
        fontsize=10,
        textcoords="offset points",
        ha="right" if beyond else "left",
    )
    right.set(
        xlabel=LOSS_TITLE.get(loss, loss),
        ylabel="found by an attacker who knows it",
        ylim=left.get_ylim(),
        xlim=(None, 1.12 * study[loss].max()),
        title="all masked files",
    )
    right.legend(fontsize=10)
    return figure
