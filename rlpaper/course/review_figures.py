"""Figures of lesson 6, on reviewing under a privacy budget."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ..plotting import BLUE, GREY, ORANGE, RED


def display_price(table: pd.DataFrame, attributes: list[str]) -> Figure:
    """Draw one pair as a reviewer sees it, and what the display costs.

    Parameters
    ----------
    table : DataFrame
        Two rows, as `rlpaper.review.score` gives them: the text of each attribute, `k`,
        `p_<attribute>` and `K`.
    attributes : list of str
    """
    figure, (page, bars) = plt.subplots(1, 2, figsize=(12, 2.7), width_ratios=[2.4, 1])
    page.set(xlim=(0, len(attributes) + 0.9), ylim=(-0.2, 3))
    page.axis("off")
    for column, name in enumerate([*attributes, "records that fit"]):
        page.text(column, 2.65, name, fontsize=10, color=GREY, va="center")
    for row, line in enumerate(table.to_dict("records")):
        height = 1.75 - row
        for column, name in enumerate(attributes):
            page.text(column, height, line[name], family="monospace", fontsize=14, va="center")
            page.text(
                column,
                height - 0.4,
                f"{float(line[f'p_{name}']):.0%} shown",
                fontsize=8.5,
                color=GREY,
                va="center",
            )
        page.text(
            len(attributes),
            height,
            f"k = {line['k']}",
            fontsize=13,
            va="center",
            color=RED if line["k"] == 1 else "black",
        )
    page.axhline(2.3, color=GREY, lw=0.8)
    costs = [float(cost) for cost in table["K"]]
    drawn = bars.barh([1, 0], costs, color=ORANGE, height=0.55)
    bars.bar_label(drawn, fmt="{:.3f}", padding=3, fontsize=10)
    bars.set(
        xlim=(0, 0.6),
        ylim=(-0.5, 1.5),
        yticks=[],
        xlabel="KAPR of each row (at most 0.5)",
        title=f"this display costs {sum(costs):.3f}",
    )
    bars.grid(axis="y", visible=False)
    return figure


def bought(study: pd.DataFrame, budget: float) -> Figure:
    """Draw what a privacy budget buys: wrong decisions by budget, and what was seen for it.

    Parameters
    ----------
    study : DataFrame
        One row per split and budget: `split`, `budget` (infinite where everything is shown),
        `wrong` of `pairs` decisions, and `KAPR`, the score reached.
    budget : float
        The budget that is marked.
    """
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 3.9))
    limited = study[np.isfinite(study["budget"])]
    means = limited.groupby("budget")[["wrong", "KAPR"]].mean()
    full = study[~np.isfinite(study["budget"])][["wrong", "KAPR"]].mean()
    position = {value: number for number, value in enumerate(means.index)}
    left.plot(
        range(len(means)),
        means["wrong"],
        color=BLUE,
        marker="o",
        lw=2,
        ms=6,
        label="mean of the splits",
    )
    for number, (_, split) in enumerate(limited.groupby("split")):
        left.plot(
            split["budget"].map(position),
            split["wrong"],
            color=GREY,
            lw=0.8,
            alpha=0.6,
            zorder=1,
            label="" if number else "each split",
        )
    left.plot(
        position[budget], means.loc[budget, "wrong"], "o", ms=13, color=BLUE, mec="black", mew=1.4
    )
    left.axhline(
        full["wrong"], color=RED, ls="--", lw=1.4, label=f"everything shown: {full['wrong']:.1f}"
    )
    left.annotate(
        f"{means.loc[budget, 'wrong']:.1f}",
        (position[budget], means.loc[budget, "wrong"]),
        xytext=(0, 11),
        textcoords="offset points",
        ha="center",
        color=BLUE,
        weight="bold",
    )
    left.set_xticks(range(len(means)), [f"{value:g}" for value in means.index])
    left.set(
        xlabel="budget (KAPR)",
        ylabel=f"wrong decisions of {study['pairs'].mean():.0f}",
        ylim=(0, 1.4 * study["wrong"].max()),
    )
    left.legend(fontsize=10, loc="upper right")
    spent = [means.loc[budget, "KAPR"], full["KAPR"]]
    drawn = right.barh([1, 0], spent, color=[BLUE, RED], height=0.5)
    right.bar_label(drawn, fmt="{:.4f}", padding=4, fontsize=10)
    right.set_yticks([1, 0], [f"budget {budget:g}", "everything shown"])
    right.set(xlim=(0, 1.15), xlabel="KAPR reached", title=f"budget {budget:g}: what it costs")
    right.xaxis.set_major_locator(mpl.ticker.MultipleLocator(0.25))
    right.grid(axis="y", visible=False)
    return figure
