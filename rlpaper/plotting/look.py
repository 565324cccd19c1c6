"""What all figures have in common."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import pandas as pd

from ..compendium import results

#: Okabe & Ito's colours, told apart in the common forms of colour blindness.
BLUE, ORANGE, GREEN, RED, PURPLE, SKY, GREY = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#D55E00",
    "#CC79A7",
    "#56B4E9",
    "#777777",
)

#: Colour and marker of each verdict; the marker carries the meaning too.
VERDICT_LOOK = {
    "match": (BLUE, "o"),
    "near": (ORANGE, "^"),
    "differs": (RED, "X"),
    "not comparable": (GREY, "s"),
}


#: Ink and ticks of seaborn's theme "ticks"; seaborn itself takes a second to import, so only the figures that it draws do.
INK = dict.fromkeys(
    ["axes.edgecolor", "axes.labelcolor", "text.color", "xtick.color", "ytick.color"], ".15"
)
TICKS = {
    f"{axis}tick.{name}": value
    for axis in "xy"
    for name, value in {
        "labelsize": 11,
        "major.size": 6,
        "major.width": 1.25,
        "minor.size": 4,
        "minor.width": 1,
    }.items()
}


def use_style():
    """Set the look of figures, and let tables show whole sentences; notebooks call it once."""
    pd.set_option("display.max_colwidth", None, "display.precision", 4)
    mpl.rcParams.update(
        INK
        | TICKS
        | {
            "axes.prop_cycle": mpl.cycler(color=[BLUE, ORANGE, GREEN, RED, PURPLE, SKY]),
            "axes.axisbelow": True,
            "axes.linewidth": 1.25,
            "font.size": 12,
            "legend.fontsize": 11,
            "legend.title_fontsize": 12,
            "lines.solid_capstyle": "round",
            "patch.edgecolor": "w",
            "patch.force_edgecolor": True,
            "font.family": "DejaVu Sans",
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.grid": True,
            "grid.color": "#E6E6E6",
            "grid.linewidth": 0.7,
            "axes.titlelocation": "left",
            "axes.titlesize": 12,
            "axes.labelsize": 11,
            "figure.constrained_layout.use": True,
            "figure.dpi": 110,
            "savefig.dpi": 160,
            "legend.frameon": False,
            # The same figure is the same file, byte by byte.
            "svg.hashsalt": "rlpaper",
            "svg.fonttype": "path",
        }
    )


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
    figure.savefig(
        path.with_suffix(".svg"), metadata={"Date": None, "Creator": "rlpaper", "Title": caption}
    )
    figure.set_layout_engine("none")  # places are found once
    figure.savefig(path.with_suffix(".png"), metadata={"Software": "rlpaper", "Title": caption})


def draw_reproduced(axis, x, part):
    axis.errorbar(
        x,
        part["reproduced"],
        yerr=2 * part["se"],
        fmt="o",
        ms=5,
        color=BLUE,
        capsize=3,
        label="reproduced, 2 standard errors",
    )


def draw_published(axis, x, part):
    axis.scatter(
        x,
        part["published"],
        marker="D",
        s=46,
        facecolors="none",
        edgecolors=RED,
        lw=1.4,
        zorder=4,
        label="published",
    )


def with_legend(figure):
    """The figure with the legend of its first panel above all of them."""
    figure.legend(
        *figure.axes[0].get_legend_handles_labels(), loc="outside upper left", ncols=3, fontsize=10
    )
    return figure


def reading_table(frame):
    """How far each reading of the paper is from its tables, and how many cells it matches."""
    readings = frame["reading"].unique()
    away = frame.pivot(index="reading", columns="table", values="mean_absolute_difference").loc[
        readings
    ]
    texts = frame.assign(
        text=[
            f"{row.match} of {row.cells}\n{round(row.mean_difference, 1) + 0:+.1f}"
            for row in frame.itertuples()
        ]
    )
    texts = texts.pivot(index="reading", columns="table", values="text").loc[readings].fillna("")
    figure, axis = plt.subplots(figsize=(9, 0.52 * len(readings) + 1.4))
    import seaborn as sns

    sns.heatmap(
        away,
        annot=texts,
        fmt="",
        cmap="cividis_r",
        norm=mpl.colors.LogNorm(0.2, 50),
        ax=axis,
        linewidths=1.5,
        annot_kws={"fontsize": 9},
        cbar_kws={"label": "mean absolute difference, percentage points", "shrink": 0.7},
    )
    scale = axis.collections[0].colorbar
    scale.set_ticks(
        [0.2, 0.5, 1, 2, 5, 10, 20, 50], labels=["0.2", "0.5", "1", "2", "5", "10", "20", "50"]
    )
    scale.minorticks_off()
    axis.set(xlabel="", ylabel="")
    axis.set_xticklabels([name.replace("table", "Table ") for name in away.columns])
    axis.tick_params(length=0)
    axis.xaxis.tick_top()
    axis.grid(False)
    return figure
