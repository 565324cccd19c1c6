"""The shared look of the figures, and the only place that plots."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from . import results

#: Okabe & Ito's colours, told apart in the common forms of colour blindness.
BLUE, ORANGE, GREEN, RED, PURPLE, SKY, GREY = (
    "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#777777")

#: Colour and marker of each verdict; the marker carries the meaning too.
VERDICT_LOOK = {"match": (BLUE, "o"), "near": (ORANGE, "^"), "differs": (RED, "X"), "not comparable": (GREY, "s")}


def use_style():
    """Set the look of figures, and let tables show whole sentences; notebooks call it once."""
    pd.set_option("display.max_colwidth", None)
    sns.set_theme(context="notebook", style="ticks", palette=[BLUE, ORANGE, GREEN, RED, PURPLE, SKY])
    mpl.rcParams.update({
        "font.family": "DejaVu Sans", "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
        "grid.color": "#E6E6E6", "grid.linewidth": 0.7, "axes.titlelocation": "left", "axes.titlesize": 12,
        "axes.labelsize": 11, "figure.constrained_layout.use": True, "figure.dpi": 110, "savefig.dpi": 160,
        "legend.frameon": False,
        # The same figure is the same file, byte by byte.
        "svg.hashsalt": "rlpaper", "svg.fonttype": "path",
    })


def save_figure(figure, frame, paper, item, folder, caption):
    """Write a figure as SVG and PNG beside the CSV of its data.

    The caption says what a reader who cannot see the figure should know; it goes into both files and is the
    report's alternative text. A figure made from surrogate data says so on its face.
    """
    if frame.attrs.get("surrogate"):
        caption = f"{caption} ({results.SURROGATE})"
        figure.text(0.995, 0.995, results.SURROGATE, ha="right", va="top", color=RED, weight="bold")
    path = results.save_table(frame, paper, item, folder)
    write_figure(figure, path, caption)
    return figure


def write_figure(figure, path, caption):
    """Write a figure as SVG and PNG, with nothing in the files that changes from run to run."""
    figure.savefig(path.with_suffix(".svg"), metadata={"Date": None, "Creator": "rlpaper", "Title": caption})
    figure.savefig(path.with_suffix(".png"), metadata={"Software": "rlpaper", "Title": caption})


def swap_panels(frame):
    """Original against masked values, a panel a value of p."""
    percents = frame["p"].unique()
    figure, axes = plt.subplots(1, len(percents), figsize=(11, 3.9), sharex=True, sharey=True)
    for axis, p in zip(axes, percents):
        part = frame[frame["p"] == p]
        axis.scatter(part["original"] / 1e3, part["masked"] / 1e3, s=6, color=BLUE, alpha=0.6, linewidths=0)
        limit = part["original"].max() / 1e3
        axis.plot([0, limit], [0, limit], color=GREY, lw=0.8, zorder=0)
        axis.set(title=f"p = {p}", xlabel="original V1 (thousands)", aspect="equal")
    axes[0].set_ylabel("masked V1 (thousands)")
    return figure


def beside_print(frame, tables):
    """Published and reproduced percentages, a panel a table; `tables` gives each panel's title and axis label."""
    figure, axes = plt.subplots(1, len(tables), figsize=(3.9 * len(tables), 3.9), squeeze=False)
    for axis, (item, (title, label)) in zip(axes.flat, tables.items()):
        part = frame[frame["table"] == item].reset_index(drop=True)
        numbers = pd.to_numeric(part["row"].str.replace(r"^\w=", "", regex=True), errors="coerce")
        x = numbers if numbers.notna().all() else part.index
        _reproduced(axis, x, part)
        _published(axis, x, part)
        axis.set(title=title, xlabel=label)
        axis.xaxis.set_major_locator(mpl.ticker.MaxNLocator(integer=True))
        if not numbers.notna().all():
            axis.set_xticks(x, part["row"].str.replace("-", "\n", n=1), fontsize=9)
            axis.margins(x=0.12)
    axes[0, 0].set_ylabel("right links, percent")
    return _with_legend(figure)


def _reproduced(axis, x, part):
    axis.errorbar(x, part["reproduced"], yerr=2 * part["se"], fmt="o", ms=5, color=BLUE, capsize=3,
                  label="reproduced, 2 standard errors")


def _published(axis, x, part):
    axis.scatter(x, part["published"], marker="D", s=46, facecolors="none", edgecolors=RED, lw=1.4, zorder=4,
                 label="published")


def _panel_a_file(frame, width, ylabel):
    """A figure, and for each file its panel and its rows, numbered from 0."""
    files = list(frame["file"].unique())
    figure, axes = plt.subplots(1, len(files), figsize=(width * len(files), 3.8), sharey=True, squeeze=False)
    axes[0, 0].set_ylabel(ylabel)
    for axis, file in zip(axes.flat, files):
        axis.set_title(file)
    return figure, [(axis, frame[frame["file"] == file].reset_index(drop=True)) for axis, file in zip(axes.flat, files)]


def _with_legend(figure):
    """The figure with the legend of its first panel above all of them."""
    figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="outside upper left", ncols=3, fontsize=10)
    return figure


def reading_table(frame):
    """How far each reading of the paper is from its tables, and how many cells it matches."""
    readings = frame["reading"].unique()
    away = frame.pivot(index="reading", columns="table", values="mean_absolute_difference").loc[readings]
    texts = frame.assign(text=[f"{row.match} of {row.cells}\n{round(row.mean_difference, 1) + 0:+.1f}"
                               for row in frame.itertuples()])
    texts = texts.pivot(index="reading", columns="table", values="text").loc[readings].fillna("")
    figure, axis = plt.subplots(figsize=(9, 0.52 * len(readings) + 1.4))
    sns.heatmap(away, annot=texts, fmt="", cmap="cividis_r", norm=mpl.colors.LogNorm(0.2, 50), ax=axis, linewidths=1.5,
                annot_kws={"fontsize": 9}, cbar_kws={"label": "mean absolute difference, percentage points", "shrink": 0.7})
    scale = axis.collections[0].colorbar
    scale.set_ticks([0.2, 0.5, 1, 2, 5, 10, 20, 50], labels=["0.2", "0.5", "1", "2", "5", "10", "20", "50"])
    scale.minorticks_off()
    axis.set(xlabel="", ylabel="")
    axis.set_xticklabels([name.replace("table", "Table ") for name in away.columns])
    axis.tick_params(length=0)
    axis.xaxis.tick_top()
    axis.grid(False)
    return figure


#: Colour and marker of each protection method; kinds of method share a colour.
METHOD_LOOK = {
    "RankSwap": (RED, "o"), "Noise": (GREY, "x"), "MicIR": (ORANGE, "D"), "MicZ": (ORANGE, "s"), "MicPCP": (ORANGE, "^"),
    "Mic2": (SKY, "^"), "Mic3": (BLUE, "v"), "Mic4": (GREEN, "x"), "Mic5": (GREEN, "o"), "Mic6": (PURPLE, "P"),
    "MicAll": ("#000000", "d")}

DIRECTION_TITLE = {"m2o": "masked to original", "o2m": "original to masked"}


def methods_against_unlinked(frame, column, label, log=False, general=None):
    """Something against the number of records that the best weights leave unlinked, a panel a direction.

    Parameters
    ----------
    frame : DataFrame
        Columns `direction`, `method`, `unlinked` and the one named.
    column, label : str
        What is drawn, and what the axis says.
    log : bool
    general : DataFrame, optional
        Runs of general solvers, drawn into the first panel: `solver`, `unlinked`, `seconds`, `status`; runs cut off by
        the time limit are drawn as arrows.
    """
    directions = list(frame["direction"].unique())
    figure, axes = plt.subplots(1, len(directions), figsize=(6.0 * len(directions), 4.6), sharey=True, squeeze=False)
    for axis, direction in zip(axes.flat, directions):
        part = frame[frame["direction"] == direction]
        for method, (colour, marker) in METHOD_LOOK.items():
            rows = part[part["method"] == method]
            if len(rows):
                axis.scatter(rows["unlinked"], rows[column], s=20, color=colour, marker=marker, alpha=0.75,
                             linewidths=1 if marker in "x" else 0, label=method)
        axis.set(title=DIRECTION_TITLE[direction], xlabel="records of 400 left unlinked by the best weights",
                 yscale="log" if log else "linear")
    if general is not None:
        for (solver, part), colour in zip(general.groupby("solver", sort=False), (RED, PURPLE)):
            for status, rows in part.groupby("status"):
                marker, ending = ("*", "") if status == "optimal" else (r"$\uparrow$", ", not finished")
                axes[0, 0].scatter(rows["unlinked"], rows["seconds"], s=90, marker=marker, color=colour,
                                   label=f"{solver} on the\npaper's program{ending}")
    axes[0, 0].set_ylabel(label)
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right center", fontsize=9)
    return figure


def weight_ranges(frame):
    """All values that a weight takes among the best solutions, one of these, and what is printed; a panel a file."""
    figure, panels = _panel_a_file(frame, 3.3, "weight")
    for axis, part in panels:
        axis.vlines(part.index, part["least"], part["largest"], color=SKY, lw=7, label="all best weights, one sample")
        axis.scatter(part.index, part["weight"], color=BLUE, s=26, zorder=3, label="weight with the largest margin")
        _published(axis, part.index, part)
        axis.set_xticks(part.index, part["variable"])
        axis.set_ylim(-0.03, 1.03)
    return _with_legend(figure)


def operators_beside_print(frame):
    """Shares of right links by distance, published and reproduced, a panel a file."""
    figure, panels = _panel_a_file(frame, 2.3, "share of right links")
    for axis, part in panels:
        _reproduced(axis, part.index, part)
        _published(axis, part.index, part)
        axis.set_xticks(part.index, [name.removeprefix("d2").replace("MDstar", "MD*") for name in part["operator"]],
                        fontsize=9)
        axis.margins(x=0.12)
    return _with_legend(figure)


def representatives_beside_print(frame):
    """Right links of 100 by operator, published and reproduced: a row a linkage, a column a data set."""
    datasets, linkages = frame["dataset"].unique(), frame["against"].unique()
    figure, axes = plt.subplots(len(linkages), len(datasets), figsize=(13, 3.2 * len(linkages)), sharey="col", squeeze=False)
    for (row, column), axis in np.ndenumerate(axes):
        part = frame[(frame["dataset"] == datasets[column]) & (frame["against"] == linkages[row])]
        own = part[part["linkage"] == linkages[row]].reset_index(drop=True)
        _reproduced(axis, own.index, own)
        _published(axis, own.index, own)
        guarded = part[part["linkage"] == "PRL guarded"]
        if len(guarded):
            axis.scatter(range(len(guarded)), guarded["reproduced"], marker="_", s=130, color=GREEN, lw=2,
                         label="the same with a guard")
        axis.axvline(5.5, color=GREY, lw=0.8)
        axis.set_xticks(own.index, [name.replace("_", " ") for name in own["column"]], rotation=90, fontsize=8)
        axis.set(title=f"{datasets[column]}, {linkages[row]}", ylim=(0, 1.2 * frame[frame["dataset"] == datasets[column]][
            ["published", "reproduced"]].max(axis=None)))
        for place, name in ((2.5, "ranging"), (8.5, "standardised")):
            axis.text(place, 0.97, name, transform=axis.get_xaxis_transform(), ha="center", va="top", fontsize=9, color="#444444")
    for axis in axes[:, 0]:
        axis.set_ylabel("right links of 100")
    figure.legend(*axes[-1, 0].get_legend_handles_labels(), loc="outside upper left", ncols=3, fontsize=10)
    return figure


def vanishing_probabilities(frame):
    """The smallest u after each step of EM, with a guard and without one, and the right links that follow from it."""
    cases = list(frame.groupby(["dataset", "normalisation"], sort=False))
    figure, axes = plt.subplots(2, len(cases), figsize=(4.2 * len(cases), 5.6), sharex=True, sharey="row", squeeze=False)
    for column, ((dataset, normalisation), part) in enumerate(cases):
        for (guard, rows), colour, marker in zip(part.groupby("guard", sort=False), (RED, GREEN), "ov"):
            steps = rows.groupby("step").agg(u=("u", "min"), right=("right", "first"))
            gone = steps.index[steps["u"] == 0]
            axes[0, column].plot(steps.index, steps["u"].where(steps["u"] > 0), color=colour, marker=marker, ms=5,
                                 label="no guard" if guard == "none" else f"u kept above {guard}")
            axes[1, column].plot(steps.index, steps["right"], color=colour, marker=marker, ms=5)
            if len(gone):
                for axis in axes[:, column]:
                    axis.axvline(gone[0], color=colour, lw=0.9, ls="--")
                axes[0, column].text(gone[0] - 0.15, 0.05, "exactly 0", transform=axes[0, column].get_xaxis_transform(), rotation=90,
                                     ha="right", va="bottom", fontsize=9, color=colour)
        axes[0, column].set(title=f"{dataset}, {normalisation}, OWA with thresholds", yscale="log")
        axes[1, column].set_xlabel("step of EM")
        axes[1, column].xaxis.set_major_locator(mpl.ticker.MaxNLocator(integer=True))
    axes[0, 0].set_ylabel("smallest u")
    axes[1, 0].set(ylabel="right links of 100", ylim=(0, None))
    return _with_legend(figure)


#: Colour and marker of each data set of torra2008.
DATASET_LOOK = {
    "ionosphere": (BLUE, "o"), "wdbc": (RED, "s"), "water_treatment": (GREEN, "D"), "census": (ORANGE, "^"),
    "abalone": (PURPLE, "v"), "dermatology": (SKY, "P"), "housing": (GREY, "X"), "iris": ("#000000", "d")}


def links_by_size(frame):
    """Best right links of each data set as files grow, beside what chance links."""
    best = frame.groupby(["dataset", "size"], sort=False)[["right", "share"]].max().reset_index()
    figure, axes = plt.subplots(1, 2, figsize=(11, 4.2))
    for axis, column, label in zip(axes, ("right", "share"), ("right links", "share of the records")):
        for dataset, (colour, marker) in DATASET_LOOK.items():
            part = best[best["dataset"] == dataset].sort_values("size")
            axis.plot(part["size"], part[column], color=colour, marker=marker, ms=6, label=dataset.replace("_", " "))
        ends = np.array([best["size"].min(), best["size"].max()])
        axis.plot(ends, 1 / ends if column == "share" else [1, 1], color=GREY, ls="--", lw=1, label="by chance")
        axis.set(xscale="log", yscale="log", xlabel="records in each file", ylabel=f"{label}, best operator")
        for side in (axis.xaxis, axis.yaxis):
            side.set_major_formatter("{x:g}")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right center", fontsize=9)
    return figure


def links_by_alpha(frame):
    """Right links by one operator alone: a row a normalisation, a column a family of quantifiers, a line a data set."""
    families, normalisations = frame["family"].unique(), frame["normalisation"].unique()
    figure, axes = plt.subplots(len(normalisations), len(families), figsize=(12, 3.0 * len(normalisations)), sharex="col", sharey=True)
    for (row, column), axis in np.ndenumerate(axes):
        part = frame[(frame["family"] == families[column]) & (frame["normalisation"] == normalisations[row])]
        for dataset, (colour, marker) in DATASET_LOOK.items():
            line = part[part["dataset"] == dataset]
            if len(line):
                axis.plot(line["alpha"], line["alone"], color=colour, marker=marker, ms=4, lw=1.2, label=dataset.replace("_", " "))
        axis.axhline(1, color=GREY, ls="--", lw=1)
        axis.set_title(f"{families[column]}, {normalisations[row]}")
    for axis in axes[-1]:
        axis.set_xlabel(r"$\alpha$: small looks at the largest values")
    for axis in axes[:, 0]:
        axis.set_ylabel("right links of 100")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=5, fontsize=10)
    return figure


def pair_weights(frame, upper, lower):
    """Pairs of the same and of different individuals by their index, and where the classes begin."""
    figure, axis = plt.subplots(figsize=(8, 3.8))
    edges = np.histogram_bin_edges(frame["weight"], 40)
    for same, colour, label in ((False, ORANGE, "different individuals"), (True, BLUE, "the same individual")):
        part = frame[frame["same"] == same]
        axis.hist(part["weight"], edges, weights=part["pairs"], color=colour, alpha=0.75, label=label)
    for place, label in ((upper, "linked"), (lower, "clerical review")):
        axis.axvline(place, color="#333333", lw=1, ls="--")
        axis.text(place, 0.98, f" {label} →", transform=axis.get_xaxis_transform(), va="top", fontsize=9)
    axis.set(xlabel="index, bits", ylabel="pairs", yscale="log")
    axis.legend(loc="center right")
    return figure


def quantifier_lines(frame, symbol):
    """A family of quantifiers, a line a parameter, lighter as alpha grows."""
    figure, axis = plt.subplots(figsize=(6.2, 4))
    alphas = frame["alpha"].unique()
    colours = sns.color_palette("viridis", len(alphas))
    for alpha, colour in zip(alphas, colours):
        part = frame[frame["alpha"] == alpha]
        axis.plot(part["x"], part["Q"], color=colour, lw=1.6, label=f"{alpha:g}")
    axis.set(xlabel="x", ylabel=f"${symbol}$(x)", xlim=(0, 1), ylim=(-0.03, 1.03))
    axis.legend(title=r"$\alpha$", loc="center left", bbox_to_anchor=(1, 0.5), fontsize=9)
    return figure


def retailers(frame):
    """Retailers by benefits and start-up costs, a marker a business type."""
    figure, axis = plt.subplots(figsize=(6.2, 4))
    markers = dict(zip(frame["business type"].unique(), "o s ^ D".split()))
    sns.scatterplot(frame, x="start-up costs", y="benefits", hue="business type", style="business type",
                    markers=markers, s=90, ax=axis)
    axis.set(xlabel="start-up costs (file A)", ylabel="benefits (file A)", xticks=[], yticks=[])
    axis.legend(title="business type (file B)", loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


def scenario():
    """The published file and the intruder's file, linked by their key attributes."""
    figure, axis = plt.subplots(figsize=(8.2, 3.3))
    axis.set(xlim=(0, 10), ylim=(0, 4))
    axis.axis("off")
    boxes = [(0.2, "file A\npublished, masked", ["key attributes", "sensitive attributes"], [SKY, ORANGE]),
             (6.0, "file B\nwhat the intruder holds", ["identifiers", "key attributes"], [GREEN, SKY])]
    for left, title, parts, colours in boxes:
        axis.text(left + 1.9, 3.6, title, ha="center", va="center", fontsize=11, weight="bold")
        for place, (part, colour) in enumerate(zip(parts, colours)):
            axis.add_patch(FancyBboxPatch((left + 1.95 * place, 1.5), 1.8, 1.4, boxstyle="round,pad=0.02",
                                          facecolor=colour, alpha=0.45, edgecolor="#333333"))
            axis.text(left + 1.95 * place + 0.9, 2.2, part.replace(" ", "\n"), ha="center", va="center", fontsize=10)
    axis.add_patch(FancyArrowPatch((1.1, 1.45), (8.85, 1.45), connectionstyle="arc3,rad=0.22", arrowstyle="<->",
                                   mutation_scale=16, color="#333333"))
    axis.text(5, 0.28, "record linkage: same individual?", ha="center", va="center", fontsize=10,
              bbox={"facecolor": "white", "edgecolor": "none", "pad": 1})
    return figure


def chance_bars(frame):
    """Simulated shares of random linkages beside the exact probabilities."""
    figure, axis = plt.subplots(figsize=(6.2, 3.8))
    axis.bar(frame["r"], frame["exact"], color=SKY, label="exact (Table IV)")
    axis.errorbar(frame["r"], frame["simulated"], yerr=2 * frame["se"], fmt="o", color=RED, capsize=5,
                  label="simulated, 2 standard errors")
    axis.set(xlabel="right links of 100", ylabel="probability")
    axis.legend()
    return figure


def scorecard_panels(table):
    """Reproduced against published values, a panel an item, on the identity line where they agree."""
    numbers = table[table["verdict"].isin(VERDICT_LOOK)].copy()
    for column in ("published", "reproduced"):
        numbers[column] = _numbers(numbers[column])
    numbers = numbers.dropna(subset=["published", "reproduced"])
    # Standard deviations and errors are drawn apart from the percentages that they belong to.
    spread = numbers["cell"].str.contains("_s[de]$").map({True: " (spread)", False: ""})
    groups = list(numbers.groupby(["paper", numbers["item"] + spread], sort=False))
    across = min(4, max(1, len(groups)))
    down = max(1, -(-len(groups) // across))
    figure, axes = plt.subplots(down, across, figsize=(2.9 * across, 2.9 * down), squeeze=False)
    for axis in axes.flat[len(groups):]:
        axis.axis("off")
    for axis, ((paper, item), part) in zip(axes.flat, groups):
        _identity_panel(axis, part)
        axis.set_title(f"{paper} {item}", fontsize=10)
    figure.supxlabel("published", fontsize=11)
    figure.supylabel("reproduced", fontsize=11)
    handles = [plt.Line2D([], [], color=colour, marker=marker, ls="", label=verdict)
               for verdict, (colour, marker) in VERDICT_LOOK.items() if (numbers["verdict"] == verdict).any()]
    figure.legend(handles=handles, loc="outside upper left", ncols=4, fontsize=10)
    return figure


def _identity_panel(axis, part):
    values = part[["published", "reproduced"]].to_numpy()
    # A table over many orders of magnitude, or of tiny numbers, is read in orders of magnitude.
    if values.min() > 0 and (values.max() / values.min() > 1e4 or values.max() < 1e-3):
        room = (values.max() / values.min()) ** 0.05
        limits = (values.min() / room, values.max() * room)
        axis.set(xscale="log", yscale="log", xlim=limits, ylim=limits)
        for side in (axis.xaxis, axis.yaxis):
            side.set_major_locator(mpl.ticker.LogLocator(numticks=4))
            side.set_minor_locator(mpl.ticker.NullLocator())
    else:
        # Two numbers a hair apart should look so.
        room = max(0.05 * np.ptp(values), 0.01 * np.abs(values).max()) or 1
        limits = (values.min() - room, values.max() + room)
        axis.set(xlim=limits, ylim=limits)
        axis.locator_params(nbins=4)
    axis.axline((values.min(), values.min()), (values.max(), values.max()) if np.ptp(values) else None,
                slope=None if np.ptp(values) else 1, color=GREY, lw=0.8, zorder=0)
    for verdict, (colour, marker) in VERDICT_LOOK.items():
        rows = part[part["verdict"] == verdict]
        axis.scatter(rows["published"], rows["reproduced"], color=colour, marker=marker, s=22, alpha=0.8, linewidths=0)
    axis.tick_params(labelsize=8)


def _numbers(texts):
    """Texts as numbers, fractions such as 31/432 too; NaN where a text is no number."""
    def number(text):
        top, _, bottom = str(text).partition("/")
        try:
            return float(top) / float(bottom or 1)
        except (ValueError, ZeroDivisionError):
            return np.nan
    return texts.map(number)
