"""The reviewer's page in a headless browser, without Jupyter: for pictures and for tests."""

import base64
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...review.session import Session

_HERE = Path(__file__).parents[2] / "review"

#: The widget with a model that hands messages to a Python function and its answers back.
_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>review</title>
<style>body {{ margin: 0 }} {css}</style>
<div id="page"></div><script type="module">
import widget from "data:text/javascript;base64,{js}";
const listeners = new Set();
const model = {{
  send: async (message) => {{
    const frame = await window.kernel(message);
    for (const listener of listeners) listener(frame);
  }},
  on: (_, listener) => listeners.add(listener), off: (_, listener) => listeners.delete(listener),
}};
widget.render({{ model, el: document.getElementById("page") }});
</script></html>"""

#: No difference between two pictures of one state.
_OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
    "--disable-lcd-text",
]


def chromium() -> str | None:
    """Return the path of a Chromium or Chrome, or None."""
    return (
        shutil.which("chromium")
        or shutil.which("chromium-browser")
        or shutil.which("google-chrome")
    )


def fill(page: Any, handle: Callable[[object], dict]) -> None:
    """Put the reviewer's page into a page of the browser; `handle` answers its messages."""
    page.expose_function("kernel", handle)
    js = base64.b64encode((_HERE / "widget.js").read_bytes()).decode()
    page.set_content(_PAGE.format(css=(_HERE / "widget.css").read_text(), js=js))
    page.wait_for_selector("[role=grid]")


def take(session: "Session", path: str | Path, hover: tuple[int, int], width: int = 1100) -> None:
    """Take a picture of a session's first page, the pointer on a cell.

    Parameters
    ----------
    session : Session
    path : path
        Of the PNG to write.
    hover : tuple
        Position of the pair and number of the attribute.
    width : int
        Of the page, in pixels; the picture has twice as many.
    """
    # In a thread of its own: the browser's driver does not run within the event loop of a notebook.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(_take, session, path, hover, width).result()


def _take(session: "Session", path: str | Path, hover: tuple[int, int], width: int) -> None:
    with _browser() as browser:
        page = browser.new_page(viewport={"width": width, "height": 800}, device_scale_factor=2)
        fill(page, session.handle)
        page.hover(f'[data-position="{hover[0]}"][data-column="{hover[1]}"]')
        page.locator(".rlpaper-review").screenshot(
            path=str(path), animations="disabled", caret="hide"
        )


@contextmanager
def _browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=_OPTIONS)
        try:
            yield browser
        finally:
            browser.close()
