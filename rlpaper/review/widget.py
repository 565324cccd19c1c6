"""The reviewer's page as a Jupyter widget.

What was disclosed travels in messages and is in no trait: traits are saved with a notebook,
messages are not.
"""

from pathlib import Path
from typing import Any

from .._internal.extras import needed
from .session import Session

anywidget: Any = needed("anywidget", "review")

_HERE = Path(__file__).parent


class Reviewer(anywidget.AnyWidget):
    """Pairs to review, under the budget; see `Project.widget`."""

    _esm = _HERE / "widget.js"
    _css = _HERE / "widget.css"

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.on_msg(self._answer)

    def _answer(self, _: Any, message: object, buffers: list) -> None:
        self.send(self._session.handle(message))
