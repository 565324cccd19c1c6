"""Figures of abril2012."""

from itertools import cycle

import matplotlib as mpl
import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from ...compendium.figures import draw_published, draw_reproduced, panels_by_file
from ...plotting import BLUE, GREEN, GREY, ORANGE, PURPLE, RED, SKY, with_legend


def swap_panels(frame: pd.DataFrame) -> Figure:
    """Draw original against masked values, one panel per value of p."""
    percents = frame["p"].unique()
    figure, axes = plt.subplots(1, len(percents), figsize=(11, 3.9), sharex=True, sharey=True)
    for axis, p in zip(axes, percents, strict=True):
        part = frame[frame["p"] == p]
        axis.scatter(
            part["original"] / 1e3, part["masked"] / 1e3, s=6, color=BLUE, alpha=0.6, linewidths=0
        )
        limit = part["original"].max() / 1e3
        axis.plot([0, limit], [0, limit], color=GREY, lw=0.8, zorder=0)
        axis.set(title=f"p = {p}", xlabel="original V1 (thousands)", aspect="equal")
    axes[0].set_ylabel("masked V1 (thousands)")
    return figure


#: Title of each table's panel, and what its axis says.
PANELS = {
    "table2": ("Table 2: rank swapping", "p, percent of the ranks"),
    "table3": ("Table 3: microaggregation", "k, smallest cluster"),
    "table4": ("Table 4: noise", "p, percent of the deviation"),
    "table6": ("Table 6: single variables", ""),
    "table7": ("Table 7: uneven masking", ""),
    "table9": ("Table 9: other records", ""),
}


def table_panels(frame: pd.DataFrame) -> Figure:
    """Draw published and reproduced percentages, one panel per table."""
    tables = frame["table"].unique()
    figure, axes = plt.subplots(1, len(tables), figsize=(3.9 * len(tables), 3.9), squeeze=False)
    for axis, item in zip(axes.flat, tables, strict=True):
        part = frame[frame["table"] == item].reset_index(drop=True)
        numbers = pd.to_numeric(part["row"].str.replace(r"^\w=", "", regex=True), errors="coerce")
        x = numbers if numbers.notna().all() else part.index
        draw_reproduced(axis, x, part)
        draw_published(axis, x, part)
        title, label = PANELS[item]
        axis.set(title=title, xlabel=label)
        axis.xaxis.set_major_locator(mpl.ticker.MaxNLocator(integer=True))
        if not numbers.notna().all():
            axis.set_xticks(x, part["row"].str.replace("-", "\n", n=1), fontsize=9)
            axis.margins(x=0.12)
    axes[0, 0].set_ylabel("correct links, percent")
    return with_legend(figure)


#: Colour and marker of each protection method; kinds of method share a colour.
METHOD_LOOK = {
    "RankSwap": (RED, "o"),
    "Noise": (GREY, "x"),
    "MicIR": (ORANGE, "D"),
    "MicZ": (ORANGE, "s"),
    "MicPCP": (ORANGE, "^"),
    "Mic2": (SKY, "^"),
    "Mic3": (BLUE, "v"),
    "Mic4": (GREEN, "x"),
    "Mic5": (GREEN, "o"),
    "Mic6": (PURPLE, "P"),
    "MicAll": ("#000000", "d"),
}


def methods_against_unlinked(
    frame: pd.DataFrame,
    column: str,
    label: str,
    log: bool = False,
    general: pd.DataFrame | None = None,
) -> Figure:
    """Draw a column against how many records the best weights leave unlinked.

    There is one panel per direction.

    Parameters
    ----------
    frame : DataFrame
        Columns `direction`, `method`, `unlinked` and the one named.
    column, label : str
        What is drawn, and what the axis says.
    log : bool
    general : DataFrame, optional
        Runs of general solvers, drawn into the first panel: `solver`, `unlinked`, `seconds`,
        `status`; runs cut off by the time limit are drawn as arrows.
    """
    directions = list(frame["direction"].unique())
    figure, axes = plt.subplots(
        1, len(directions), figsize=(6.0 * len(directions), 4.6), sharey=True, squeeze=False
    )
    for axis, direction in zip(axes.flat, directions, strict=True):
        part = frame[frame["direction"] == direction]
        for method, (colour, marker) in METHOD_LOOK.items():
            rows = part[part["method"] == method]
            if len(rows):
                axis.scatter(
                    rows["unlinked"],
                    rows[column],
                    s=20,
                    color=colour,
                    marker=marker,
                    alpha=0.75,
                    linewidths=1 if marker in "x" else 0,
                    label=method,
                )
        axis.set(
            title=direction.replace("_", " "),
            xlabel="records of 400 left unlinked by the best weights",
            yscale="log" if log else "linear",
        )
    if general is not None:
        solvers = general.groupby("solver", sort=False)
        for (solver, part), colour in zip(solvers, cycle((RED, PURPLE)), strict=False):
            for status, rows in part.groupby("status"):
                marker, ending = (
                    ("*", "") if status == "optimal" else (r"$\uparrow$", ", not finished")
                )
                axes[0, 0].scatter(
                    rows["unlinked"],
                    rows["seconds"],
                    s=90,
                    marker=marker,
                    color=colour,
                    label=f"{solver} on the\npaper's program{ending}",
                )
    axes[0, 0].set_ylabel(label)
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right center", fontsize=9)
    return figure


def range_panels(frame: pd.DataFrame) -> Figure:
    """Draw all values that a weight takes among the best solutions, one of them, and print.

    There is one panel per file.
    """
    figure, panels = panels_by_file(frame, 3.3, "weight")
    for axis, part in panels:
        axis.vlines(
            part.index,
            part["least"],
            part["largest"],
            color=SKY,
            lw=7,
            label="all best weights, one sample",
        )
        axis.scatter(
            part.index,
            part["weight"],
            color=BLUE,
            s=26,
            zorder=3,
            label="weight with the largest margin",
        )
        draw_published(axis, part.index, part)
        axis.set_xticks(part.index, part["variable"])
        axis.set_ylim(-0.03, 1.03)
    return with_legend(figure)
