"""Figures of torra2008."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from ...compendium.figures import draw_published, draw_reproduced
from ...plotting import BLUE, GREEN, GREY, ORANGE, PURPLE, RED, SKY, with_legend


def representatives_against_print(frame: pd.DataFrame) -> Figure:
    """Draw correct links of 100 by operator, published and reproduced.

    One row of panels per linkage, one column per data set.
    """
    datasets, linkages = frame["dataset"].unique(), frame["against"].unique()
    figure, axes = plt.subplots(
        len(linkages), len(datasets), figsize=(13, 3.2 * len(linkages)), sharey="col", squeeze=False
    )
    for (row, column), axis in np.ndenumerate(axes):
        part = frame[(frame["dataset"] == datasets[column]) & (frame["against"] == linkages[row])]
        own = part[part["linkage"] == linkages[row]].reset_index(drop=True)
        draw_reproduced(axis, own.index, own)
        draw_published(axis, own.index, own)
        floored = part[part["linkage"] == "PRL with a floor"]
        if len(floored):
            axis.scatter(
                range(len(floored)),
                floored["reproduced"],
                marker="_",
                s=130,
                color=GREEN,
                lw=2,
                label="the same with a floor of u",
            )
        axis.axvline(5.5, color=GREY, lw=0.8)
        axis.set_xticks(
            own.index, [name.replace("_", " ") for name in own["column"]], rotation=90, fontsize=8
        )
        axis.set(
            title=f"{datasets[column]}, {linkages[row]}",
            ylim=(
                0,
                1.2
                * frame[frame["dataset"] == datasets[column]][["published", "reproduced"]].max(
                    axis=None
                ),
            ),
        )
        for place, name in ((2.5, "ranging"), (8.5, "standardised")):
            axis.text(
                place,
                0.97,
                name,
                transform=axis.get_xaxis_transform(),
                ha="center",
                va="top",
                fontsize=9,
                color="#444444",
            )
    for axis in axes[:, 0]:
        axis.set_ylabel("correct links of 100")
    figure.legend(
        *axes[-1, 0].get_legend_handles_labels(), loc="outside upper left", ncols=3, fontsize=10
    )
    return figure


def vanishing_probabilities(frame: pd.DataFrame) -> Figure:
    """Draw the smallest u after each step of EM, and the correct links that follow from it.

    With a floor of probabilities and without one.
    """
    cases = list(frame.groupby(["dataset", "normalisation"], sort=False))
    figure, axes = plt.subplots(
        2, len(cases), figsize=(4.2 * len(cases), 5.6), sharex=True, sharey="row", squeeze=False
    )
    for column, ((dataset, normalisation), part) in enumerate(cases):
        for (probability_floor, rows), colour, marker in zip(
            part.groupby("probability_floor", sort=False), (RED, GREEN), "ov", strict=True
        ):
            steps = rows.groupby("step").agg(u=("u", "min"), correct=("correct", "first"))
            gone = steps.index[steps["u"] == 0]
            axes[0, column].plot(
                steps.index,
                steps["u"].where(steps["u"] > 0),
                color=colour,
                marker=marker,
                ms=5,
                label="no floor"
                if probability_floor == "none"
                else f"u kept above {probability_floor}",
            )
            axes[1, column].plot(steps.index, steps["correct"], color=colour, marker=marker, ms=5)
            if len(gone):
                for axis in axes[:, column]:
                    axis.axvline(gone[0], color=colour, lw=0.9, ls="--")
                axes[0, column].text(
                    gone[0] - 0.15,
                    0.05,
                    "exactly 0",
                    transform=axes[0, column].get_xaxis_transform(),
                    rotation=90,
                    ha="right",
                    va="bottom",
                    fontsize=9,
                    color=colour,
                )
        axes[0, column].set(title=f"{dataset}, {normalisation}, OWA with thresholds", yscale="log")
        axes[1, column].set_xlabel("step of EM")
        axes[1, column].xaxis.set_major_locator(mpl.ticker.MaxNLocator(integer=True))
    axes[0, 0].set_ylabel("smallest u")
    axes[1, 0].set(ylabel="correct links of 100", ylim=(0, None))
    return with_legend(figure)


#: Colour and marker of each data set of torra2008.
DATASET_LOOK = {
    "ionosphere": (BLUE, "o"),
    "wdbc": (RED, "s"),
    "water_treatment": (GREEN, "D"),
    "census": (ORANGE, "^"),
    "abalone": (PURPLE, "v"),
    "dermatology": (SKY, "P"),
    "housing": (GREY, "X"),
    "iris": ("#000000", "d"),
}


def links_by_size(frame: pd.DataFrame) -> Figure:
    """Draw the best correct links of each data set as files grow, beside what chance links."""
    best = frame.groupby(["dataset", "size"], sort=False)[["correct", "share"]].max().reset_index()
    figure, axes = plt.subplots(1, 2, figsize=(11, 4.2))
    labels = {"correct": "correct links", "share": "share of the records"}
    for axis, (column, label) in zip(axes, labels.items(), strict=True):
        for dataset, (colour, marker) in DATASET_LOOK.items():
            part = best[best["dataset"] == dataset].sort_values("size")
            axis.plot(
                part["size"],
                part[column],
                color=colour,
                marker=marker,
                ms=6,
                label=dataset.replace("_", " "),
            )
        ends = np.array([best["size"].min(), best["size"].max()])
        axis.plot(
            ends,
            1 / ends if column == "share" else [1, 1],
            color=GREY,
            ls="--",
            lw=1,
            label="by chance",
        )
        axis.set(
            xscale="log",
            yscale="log",
            xlabel="records in each file",
            ylabel=f"{label}, best operator",
        )
        for side in (axis.xaxis, axis.yaxis):
            side.set_major_formatter("{x:g}")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right center", fontsize=9)
    return figure


def links_by_alpha(frame: pd.DataFrame) -> Figure:
    """Draw correct links by one operator alone, one line per data set.

    One row of panels per normalisation, one column per family of quantifiers.
    """
    families, normalisations = frame["family"].unique(), frame["normalisation"].unique()
    figure, axes = plt.subplots(
        len(normalisations),
        len(families),
        figsize=(12, 3.0 * len(normalisations)),
        sharex="col",
        sharey=True,
    )
    for (row, column), axis in np.ndenumerate(axes):
        part = frame[
            (frame["family"] == families[column]) & (frame["normalisation"] == normalisations[row])
        ]
        for dataset, (colour, marker) in DATASET_LOOK.items():
            line = part[part["dataset"] == dataset]
            if len(line):
                axis.plot(
                    line["alpha"],
                    line["alone"],
                    color=colour,
                    marker=marker,
                    ms=4,
                    lw=1.2,
                    label=dataset.replace("_", " "),
                )
        axis.axhline(1, color=GREY, ls="--", lw=1)
        axis.set_title(f"{families[column]}, {normalisations[row]}")
    for axis in axes[-1]:
        axis.set_xlabel(r"$\alpha$: small looks at the largest values")
    for axis in axes[:, 0]:
        axis.set_ylabel("correct links of 100")
    figure.legend(
        *axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=5, fontsize=10
    )
    return figure


def pair_weights(frame: pd.DataFrame, upper: float, lower: float) -> Figure:
    """Draw pairs of the same and of different individuals by index, and where classes begin."""
    figure, axis = plt.subplots(figsize=(8, 3.8))
    edges = list(np.histogram_bin_edges(frame["weight"], 40))
    for same, colour, label in (
        (False, ORANGE, "different individuals"),
        (True, BLUE, "the same individual"),
    ):
        part = frame[frame["same"] == same]
        axis.hist(
            part["weight"], edges, weights=part["pairs"], color=colour, alpha=0.75, label=label
        )
    for place, label in ((upper, "linked"), (lower, "clerical review")):
        axis.axvline(place, color="#333333", lw=1, ls="--")
        axis.text(
            place, 0.98, f" {label} →", transform=axis.get_xaxis_transform(), va="top", fontsize=9
        )
    axis.set(xlabel="index, bits", ylabel="pairs", yscale="log")
    axis.legend(loc="center right")
    return figure


def quantifier_lines(frame: pd.DataFrame, symbol: str) -> Figure:
    """Draw a family of quantifiers, one line per parameter, lighter as alpha grows."""
    figure, axis = plt.subplots(figsize=(6.2, 4))
    alphas = frame["alpha"].unique()
    colours = plt.get_cmap("viridis")(np.linspace(0, 1, len(alphas) + 2)[1:-1])
    for alpha, colour in zip(alphas, colours, strict=True):
        part = frame[frame["alpha"] == alpha]
        axis.plot(part["x"], part["Q"], color=colour, lw=1.6, label=f"{alpha:g}")
    axis.set(xlabel="x", ylabel=f"${symbol}$(x)", xlim=(0, 1), ylim=(-0.03, 1.03))
    axis.legend(title=r"$\alpha$", loc="center left", bbox_to_anchor=(1, 0.5), fontsize=9)
    return figure


def retailers(frame: pd.DataFrame) -> Figure:
    """Draw retailers by benefits and start-up costs, one marker per business type."""
    figure, axis = plt.subplots(figsize=(6.2, 4))
    markers = dict(zip(frame["business type"].unique(), "os^D", strict=True))
    import seaborn as sns

    sns.scatterplot(
        frame,
        x="start-up costs",
        y="benefits",
        hue="business type",
        style="business type",
        markers=markers,
        s=90,
        ax=axis,
    )
    axis.set(xlabel="start-up costs (file A)", ylabel="benefits (file A)", xticks=[], yticks=[])
    axis.legend(title="business type (file B)", loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


def scenario() -> Figure:
    """Draw the published file and the intruder's file, linked by their key attributes."""
    figure, axis = plt.subplots(figsize=(8.2, 3.3))
    axis.set(xlim=(0, 10), ylim=(0, 4))
    axis.axis("off")
    boxes = [
        (
            0.2,
            "file A\npublished, masked",
            ["key attributes", "sensitive attributes"],
            [SKY, ORANGE],
        ),
        (6.0, "file B\nwhat the intruder holds", ["identifiers", "key attributes"], [GREEN, SKY]),
    ]
    for left, title, parts, colours in boxes:
        axis.text(left + 1.9, 3.6, title, ha="center", va="center", fontsize=11, weight="bold")
        for place, (part, colour) in enumerate(zip(parts, colours, strict=True)):
            axis.add_patch(
                FancyBboxPatch(
                    (left + 1.95 * place, 1.5),
                    1.8,
                    1.4,
                    boxstyle="round,pad=0.02",
                    facecolor=colour,
                    alpha=0.45,
                    edgecolor="#333333",
                )
            )
            axis.text(
                left + 1.95 * place + 0.9,
                2.2,
                part.replace(" ", "\n"),
                ha="center",
                va="center",
                fontsize=10,
            )
    axis.add_patch(
        FancyArrowPatch(
            (1.1, 1.45),
            (8.85, 1.45),
            connectionstyle="arc3,rad=0.22",
            arrowstyle="<->",
            mutation_scale=16,
            color="#333333",
        )
    )
    axis.text(
        5,
        0.28,
        "record linkage: same individual?",
        ha="center",
        va="center",
        fontsize=10,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
    )
    return figure


def chance_bars(frame: pd.DataFrame) -> Figure:
    """Draw simulated shares of random linkages beside the exact probabilities."""
    figure, axis = plt.subplots(figsize=(6.2, 3.8))
    axis.bar(frame["r"], frame["exact"], color=SKY, label="exact (Table IV)")
    axis.errorbar(
        frame["r"],
        frame["simulated"],
        yerr=2 * frame["se"],
        fmt="o",
        color=RED,
        capsize=5,
        label="simulated, 2 standard errors",
    )
    axis.set(xlabel="correct links of 100", ylabel="probability")
    axis.legend()
    return figure
