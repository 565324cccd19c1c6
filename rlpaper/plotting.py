"""The look of all figures: colours, style, legend, and how a figure is written."""

from pathlib import Path
from typing import Any

import matplotlib as mpl
import pandas as pd
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.rcsetup import cycler

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

#: Ink and ticks of seaborn's theme "ticks". Importing seaborn takes a second, so only modules whose
#: figures need it do so.
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

#: The settings of matplotlib that make this look.
STYLE: dict[Any, Any] = (
    INK
    | TICKS
    | {
        "axes.prop_cycle": cycler(color=[BLUE, ORANGE, GREEN, RED, PURPLE, SKY]),
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
        # The same figure gives the same file, byte by byte.
        "svg.hashsalt": "rlpaper",
        "svg.fonttype": "path",
    }
)


def use_style() -> None:
    """Set the look of figures, and let tables show whole sentences; notebooks call this once."""
    pd.set_option("display.max_colwidth", None, "display.precision", 4)
    mpl.rcParams.update(STYLE)


def write_figure(figure: Figure, path: Path, caption: str) -> None:
    """Write a figure as SVG and PNG, with nothing in the files that changes from run to run."""
    figure.savefig(
        path.with_suffix(".svg"), metadata={"Date": None, "Creator": "rlpaper", "Title": caption}
    )
    figure.set_layout_engine("none")  # the layout was computed for the SVG; keep it
    figure.savefig(path.with_suffix(".png"), metadata={"Software": "rlpaper", "Title": caption})


def with_legend(figure: Figure, ncols: int = 3, **options: Any) -> Figure:
    """Add the legend of the first panel above all panels, with further options of matplotlib's."""
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper left", ncols=ncols, fontsize=10, **options)
    return figure


def show_percent(axis: Axis) -> None:
    """Show the shares along an axis as percentages, without decimals."""
    axis.set_major_formatter(mpl.ticker.PercentFormatter(1, decimals=0))
