"""Figures of li2019."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from ...plotting import BLUE, GREEN, GREY, ORANGE, PURPLE, RED

#: Colour and marker of what is shown alike for all pairs.
UNIFORM_LOOK = {"masked": (GREY, "s"), "partial": (ORANGE, "^"), "full": (RED, "D")}


def accuracy_by_budget(means: pd.DataFrame, budgets: pd.DataFrame) -> plt.Figure:
    """Draw accuracy against KAPR by strategy, with the recommended budgets marked.

    There is one column per file: above all pairs, below the hard ones.

    Parameters
    ----------
    means, budgets : DataFrame
        Of `papers.li2019.budget.summary` and `recommended`.
    """
    names, measures = means["dataset"].unique(), ("accuracy", "accuracy, hard pairs")
    figure, axes = plt.subplots(
        2, len(names), figsize=(6 * len(names), 7.4), sharex=True, sharey="row", squeeze=False
    )
    for (row, column), axis in np.ndenumerate(axes):
        part = means[means["dataset"] == names[column]]
        _strategies(axis, part, measures[row])
        for style, (_, budget) in zip(
            ("--", ":"), budgets[budgets["dataset"] == names[column]].iterrows(), strict=True
        ):
            less = "one standard error" if budget["tolerance"] != "none" else "nothing"
            axis.axvline(
                budget["KAPR"],
                color=GREEN,
                ls=style,
                lw=1.6,
                label=f"smallest KAPR as good as full, less {less}",
            )
        axis.set_xscale("symlog", linthresh=0.001, linscale=0.6)
        axis.set(xlim=(-0.00025, 1.5), xticks=[0, 0.001, 0.01, 0.1, 1])
        axis.xaxis.set_major_formatter(mpl.ticker.FuncFormatter(lambda value, _: f"{value:g}"))
        axis.xaxis.set_minor_locator(mpl.ticker.NullLocator())
        axis.yaxis.set_major_locator(mpl.ticker.MaxNLocator(6, steps=[1, 2, 5, 10]))
        axis.yaxis.set_major_formatter(
            mpl.ticker.FuncFormatter(lambda value, _: f"{round(100 * value, 2):g}%")
        )
        axis.set_title(f"{names[column]}, {'all pairs' if row == 0 else 'hard pairs'}")
    for axis in axes[:, 0]:
        bottom, top = axis.get_ylim()
        axis.set(
            ylabel="correct answers", ylim=(bottom, min(top, 1 + 0.02 * (1 - bottom)))
        )  # error bars may exceed 100%
    for axis in axes[-1]:
        axis.set_xlabel("KAPR (linear up to 0.001, then logarithmic)")
    figure.legend(
        *axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2, fontsize=10
    )
    return figure


def _strategies(axis: plt.Axes, part: pd.DataFrame, column: str) -> None:
    full = part[part["strategy"] == "full"].iloc[0]
    axis.axhspan(
        full[column] - full[f"se {column}"],
        full[column] + full[f"se {column}"],
        color=RED,
        alpha=0.1,
        lw=0,
        label="full, one standard error either way",
    )
    lines = (
        ("incremental", BLUE, "o", "-", "incremental, by the certainty wanted"),
        (
            "budget",
            PURPLE,
            "v",
            "-.",
            "incremental, one pair after another until the budget is spent",
        ),
    )
    for strategy, colour, marker, style, label in lines:
        line = part[part["strategy"] == strategy]
        axis.errorbar(
            line["KAPR"],
            line[column],
            yerr=line[f"se {column}"] if strategy == "incremental" else None,
            color=colour,
            marker=marker,
            ms=5,
            ls=style,
            lw=1.4,
            elinewidth=0.7,
            capsize=2,
            label=label,
        )
    for strategy, (colour, marker) in UNIFORM_LOOK.items():
        point = part[part["strategy"] == strategy]
        axis.errorbar(
            point["KAPR"],
            point[column],
            yerr=point[f"se {column}"],
            fmt=marker,
            ms=9,
            mfc="none",
            mew=1.8,
            color=colour,
            elinewidth=0.7,
            capsize=2,
            zorder=4,
            label=f"everything {strategy}",
        )
