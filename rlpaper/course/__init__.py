"""Check the exercises of the lessons in notebooks/course.

An exercise is a cell with dots to replace, followed by a check that fails until they are replaced.
"""

from typing import Any

import numpy as np


class NotSolvedError(Exception):
    """An exercise is still open; a notebook shows this in one line, without a traceback."""

    def _render_traceback_(self):
        return [f"Not solved yet. {self}"]


class Solved:
    """The result of a check whose answer is right."""

    def __init__(self, note: str):
        self.note = note

    def __repr__(self) -> str:
        """Return the line that a terminal shows."""
        return f"Right. {self.note}".strip()

    def _repr_html_(self):
        return f'<p style="color: #006B4C"><b>&#10003; Right.</b> {self.note}</p>'


def check(answer: Any, correct: Any, hint: str = "", note: str = "") -> Solved:
    """Compare the answer to an exercise; raise `NotSolvedError` until it is right.

    Parameters
    ----------
    answer
        What the reader has put in the place of the dots.
    correct : value or callable
        The right answer, with numbers to nine digits; or a function that says of an answer whether
        it is right. An answer that this function cannot work with is wrong.
    hint : str
        Shown with a wrong answer.
    note : str
        Shown with the right answer.

    Examples
    --------
    >>> check(0.25, 1 / 4, note="One of four.")
    Right. One of four.
    >>> check(..., 1 / 4)
    Traceback (most recent call last):
    rlpaper.course.NotSolvedError: Replace the dots by your answer, then run both cells again.
    """
    if _open(answer):
        raise NotSolvedError("Replace the dots by your answer, then run both cells again.")
    try:
        is_correct = bool(correct(answer)) if callable(correct) else _same(answer, correct)
    except Exception as error:  # an answer may be anything, a function that raises anything too
        raise NotSolvedError(
            f"That answer cannot be checked ({type(error).__name__}: {error}). {hint}".strip()
        ) from None
    if not is_correct:
        raise NotSolvedError(f"That is not it. {hint}".strip())
    return Solved(note)


def _open(answer):
    """Whether there are dots left."""
    if isinstance(answer, dict):
        answer = list(answer.values())
    return answer is Ellipsis or isinstance(answer, (tuple, list)) and any(map(_open, answer))


def _same(answer, correct):
    if isinstance(correct, (str, bool, set, frozenset, type(None))):
        return type(answer) is type(correct) and answer == correct
    return np.shape(answer) == np.shape(correct) and bool(
        np.allclose(answer, correct, rtol=1e-9, atol=1e-9)
    )
