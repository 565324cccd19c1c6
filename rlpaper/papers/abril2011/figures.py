"""The figure of abril2011."""

import pandas as pd
from matplotlib.figure import Figure

from ...compendium.figures import draw_published, draw_reproduced, panels_by_file
from ...plotting import with_legend


def operator_panels(frame: pd.DataFrame) -> Figure:
    """Draw shares of correct links by distance, published and reproduced, one panel per file."""
    figure, panels = panels_by_file(frame, 2.3, "share of correct links")
    for axis, part in panels:
        draw_reproduced(axis, part.index, part)
        draw_published(axis, part.index, part)
        axis.set_xticks(
            part.index,
            [name.removeprefix("d2").replace("MDstar", "MD*") for name in part["operator"]],
            fontsize=9,
        )
        axis.margins(x=0.12)
    return with_legend(figure)
