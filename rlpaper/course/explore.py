"""Figures with sliders."""

import io
import os
from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets
import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from ..compendium.pool import NOTEBOOK


def explore(
    draw: Callable[..., Figure], start: dict[str, Any] | None = None, **controls: Sequence
) -> ipywidgets.VBox | None:
    """Show a figure with a control for each argument of the function that draws it.

    Under `make` there is nobody to move a slider, so the figure is drawn once, as it begins.

    Parameters
    ----------
    draw : callable
        Takes the controls' values by name and returns a figure.
    start : dict, optional
        The value at which a control begins, by its name; otherwise it is the first.
    **controls : list
        The values that each argument may take. Numbers get a slider, texts get a menu.

    Returns
    -------
    ipywidgets.VBox or None

    Examples
    --------
    ``explore(lambda k: some_figure(k), k=[3, 5, 10], start={"k": 5})``
    """
    for name, values in controls.items():
        if not list(values):
            raise ValueError(f"{name} has no values to choose from; give a list of them")
    first = {name: values[0] for name, values in controls.items()} | (start or {})
    for name, value in first.items():
        if value not in controls.get(name, ()):
            raise ValueError(
                f"{name} cannot start at {value!r}; it takes {list(controls.get(name, ()))}"
            )
    if NOTEBOOK in os.environ:
        draw(**first)
        return None
    widgets = {name: _control(name, list(values), first[name]) for name, values in controls.items()}
    picture = ipywidgets.Image(format="png", layout=ipywidgets.Layout(max_width="100%"))

    def redraw(*_):
        figure = draw(**{name: widget.value for name, widget in widgets.items()})
        png = io.BytesIO()
        figure.savefig(png, format="png", dpi=160)
        picture.value, picture.width = png.getvalue(), f"{figure.get_figwidth() * 90:.0f}px"
        plt.close(figure)

    for widget in widgets.values():
        widget.observe(redraw, "value")
    redraw()
    return ipywidgets.VBox(
        [*widgets.values(), picture], layout=ipywidgets.Layout(padding="0 0 0 10px")
    )


def _control(name, values, first):
    options = {
        "options": values,
        "value": first,
        "description": name.replace("_", " "),
        "style": {"description_width": "initial"},
        "layout": ipywidgets.Layout(width="32rem"),
    }
    if any(isinstance(value, str) for value in values):
        return ipywidgets.Dropdown(**options)
    return ipywidgets.SelectionSlider(**options, continuous_update=False)
