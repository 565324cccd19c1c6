"""Figures with sliders."""

import io

import ipywidgets
import matplotlib.pyplot as plt

from ..progress import under_make


def explore(draw, **controls):
    """A figure with a control for each argument of the function that draws it.

    Run by `make` there is nobody to move a slider: the figure is drawn once, as it is at first.

    Parameters
    ----------
    draw : callable
        Takes the controls' values by name and returns a figure.
    **controls : list
        The values that each argument may take; the first is where it begins. Numbers get a slider, texts a menu.

    Returns
    -------
    ipywidgets.VBox or None

    Examples
    --------
    ``explore(lambda k: some_figure(k), k=[3, 5, 10])``
    """
    for name, values in controls.items():
        if not list(values):
            raise ValueError(f"{name} has no values to choose from; give a list of them")
    if under_make():
        draw(**{name: values[0] for name, values in controls.items()})
        return None
    widgets = {name: _control(name, list(values)) for name, values in controls.items()}
    picture = ipywidgets.Image(format="png", layout=ipywidgets.Layout(max_width="100%"))

    def redraw(*_):
        figure = draw(**{name: widget.value for name, widget in widgets.items()})
        picture.value, picture.width = _png(figure), f"{figure.get_figwidth() * 90:.0f}px"
        plt.close(figure)

    for widget in widgets.values():
        widget.observe(redraw, "value")
    redraw()
    return ipywidgets.VBox([*widgets.values(), picture])


def _control(name, values):
    kind = ipywidgets.Dropdown if any(isinstance(value, str) for value in values) else ipywidgets.SelectionSlider
    options = {} if kind is ipywidgets.Dropdown else {"continuous_update": False}
    return kind(options=values, value=values[0], description=name.replace("_", " "),
                style={"description_width": "initial"}, layout=ipywidgets.Layout(width="32rem"), **options)


def _png(figure):
    with io.BytesIO() as file:
        figure.savefig(file, format="png", dpi=160)
        return file.getvalue()
