"""The figure of abril2011."""

from ...compendium.figures import draw_published, draw_reproduced, panels_by_file
from ...plotting import with_legend


def operators_beside_print(frame):
    """Shares of right links by distance, published and reproduced, a panel a file."""
    figure, panels = panels_by_file(frame, 2.3, "share of right links")
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
