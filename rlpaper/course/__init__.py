"""Exercises of the lessons in notebooks/course: a cell with dots to replace, and a check that fails until they are."""

import numpy as np


class NotSolvedError(Exception):
    """An exercise is still open; a notebook shows this as a line, not as a traceback."""

    def _render_traceback_(self):
        return [f"Not solved yet. {self}"]


class Solved:
    """What a check returns once the answer is right."""

    def __init__(self, note):
        self.note = note

    def __repr__(self):
        return f"Right. {self.note}".strip()

    def _repr_html_(self):
        return f'<p style="color: #006B4C"><b>&#10003; Right.</b> {self.note}</p>'


def check(answer, right, hint="", note=""):
    """Compare the answer to an exercise; raises `NotSolvedError` until it is right.

    Parameters
    ----------
    answer
        What the reader has put in the place of the dots.
    right : value or callable
        What it should be, numbers to nine digits; or a function that tells of an answer whether it
        is right. An answer that this function cannot work with is not right.
    hint : str
        Shown with a wrong answer.
    note : str
        Shown with the right one.

    Examples
    --------
    >>> check(0.25, 1 / 4, note="One of four.")
    Right. One of four.
    >>> check(..., 1 / 4)
    Traceback (most recent call last):
    rlpaper.course.NotSolvedError: Replace the dots by your answer, run that cell, and then this one again.
    """
    if _open(answer):
        raise NotSolvedError(
            "Replace the dots by your answer, run that cell, and then this one again."
        )
    try:
        is_right = bool(right(answer)) if callable(right) else _same(answer, right)
    except (
        Exception
    ) as error:  # an answer may be anything, and a function of the reader's may do anything
        raise NotSolvedError(
            f"That answer cannot be checked ({type(error).__name__}: {error}). {hint}".strip()
        ) from None
    if not is_right:
        raise NotSolvedError(f"That is not it. {hint}".strip())
    return Solved(note)


def _open(answer):
    """Whether there are dots left."""
    return (
        answer is Ellipsis
        or isinstance(answer, (tuple, list))
        and any(_open(part) for part in answer)
        or isinstance(answer, dict)
        and any(_open(part) for part in answer.values())
    )


def _same(answer, right):
    if isinstance(right, (str, bool, set, frozenset, type(None))):
        return type(answer) is type(right) and answer == right
    return np.shape(answer) == np.shape(right) and bool(
        np.allclose(answer, right, rtol=1e-9, atol=1e-9)
    )
