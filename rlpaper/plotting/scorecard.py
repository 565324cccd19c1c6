"""The figure of all verdicts."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np

from .look import GREY, VERDICT_LOOK


def scorecard_panels(table):
    """Reproduced against published values, a panel an item, on the identity line where they agree."""
    numbers = table[table["verdict"].isin(VERDICT_LOOK)].copy()
    for column in ("published", "reproduced"):
        numbers[column] = _numbers(numbers[column])
    numbers["number"] = numbers[["published", "reproduced"]].notna().all(axis=1)
    # A table of texts gets no panel, though one of them may be made of digits.
    texts = numbers.groupby(["paper", "item"])["number"].transform("mean") < 0.5
    numbers = numbers[numbers["number"] & ~texts]
    # Standard deviations and errors are drawn apart from the percentages that they belong to.
    spread = numbers["cell"].str.contains("_s[de]$").map({True: " (spread)", False: ""})
    groups = list(numbers.groupby(["paper", numbers["item"] + spread], sort=False))
    across = min(4, max(1, len(groups)))
    down = max(1, -(-len(groups) // across))
    figure, axes = plt.subplots(down, across, figsize=(2.9 * across, 2.9 * down), squeeze=False)
    for axis in axes.flat[len(groups) :]:
        axis.axis("off")
    for axis, ((paper, item), part) in zip(axes.flat, groups):
        _identity_panel(axis, part)
        axis.set_title(f"{paper} {item}", fontsize=10)
    figure.supxlabel("published", fontsize=11)
    figure.supylabel("reproduced", fontsize=11)
    handles = [
        plt.Line2D([], [], color=colour, marker=marker, ls="", label=verdict)
        for verdict, (colour, marker) in VERDICT_LOOK.items()
        if (numbers["verdict"] == verdict).any()
    ]
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
    axis.axline(
        (values.min(), values.min()),
        (values.max(), values.max()) if np.ptp(values) else None,
        slope=None if np.ptp(values) else 1,
        color=GREY,
        lw=0.8,
        zorder=0,
    )
    for verdict, (colour, marker) in VERDICT_LOOK.items():
        rows = part[part["verdict"] == verdict]
        axis.scatter(
            rows["published"],
            rows["reproduced"],
            color=colour,
            marker=marker,
            s=22,
            alpha=0.8,
            linewidths=0,
        )
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
