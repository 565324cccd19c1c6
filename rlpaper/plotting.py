"""The look of all figures: colours, style, legend, and how a figure is written."""

import matplotlib as mpl
import matplotlib.ticker
import pandas as pd

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
DARK = "#333333"

#: Ink and ticks of seaborn's theme "ticks"; seaborn itself takes a second to import, so only the
#: figures that it draws do.
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


def write_figure(figure, path, caption):
    """Write a figure as SVG and PNG, with nothing in the files that changes from run to run."""
    figure.savefig(
        path.with_suffix(".svg"), metadata={"Date": None, "Creator": "rlpaper", "Title": caption}
    )
    figure.set_layout_engine("none")  # places are found once
    figure.savefig(path.with_suffix(".png"), metadata={"Software": "rlpaper", "Title": caption})


def with_legend(figure):
    """The figure with the legend of its first panel above all of them."""
    figure.legend(
        *figure.axes[0].get_legend_handles_labels(), loc="outside upper left", ncols=3, fontsize=10
    )
    return figure


def show_percent(axis):
    """Show the shares along an axis as percentages, without decimals."""
    axis.set_major_formatter(mpl.ticker.PercentFormatter(1, decimals=0))
