"""The reviewer's page in real Chromium: by itself, in JupyterLab and served by Voila."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager

import nbformat
import pytest

from conftest import ROOT
from rlpaper.papers.li2019.example import paper
from rlpaper.papers.li2019.screenshot import fill

#: What only a disclosure may show of the paper's example.
SECRETS = ("Mary", "Mark", "Hispanic", "Black", "1964", "69426", "38001", "27998", "27989")
#: What Jupyter's own messages carry, and may hold any four digits: identifiers and times.
DRAWN = re.compile(
    r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16,}|\d{4}-\d\d-\d\dT[\d:.]+"
)


@pytest.fixture
def project(tmp_path):
    project = paper(tmp_path / "project")
    yield project
    project.close()


@pytest.fixture
def page(browser):
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    page.set_default_timeout(60_000)
    yield page
    page.close()


def kapr(page):
    return page.locator('[role=meter][aria-label="Privacy risk (KAPR)"]').get_attribute(
        "aria-valuetext"
    )


def says(page):
    return page.locator("[role=status].rr-says").inner_text()


def cell(page, position, column):
    return page.locator(f'.rlpaper-review [data-position="{position}"][data-column="{column}"]')


def wait(page, condition):
    page.wait_for_function(
        "() => { const says = document.querySelector('.rr-says').textContent, kapr = "
        "document.querySelector('[role=meter]').getAttribute('aria-valuetext'); "
        f"return {condition}; }}"
    )


def told(frames, secrets=SECRETS):
    """Return the secrets that the frames hold, each with what stands around it."""
    texts = [DRAWN.sub("", frame) for frame in frames]
    found = [(text, text.find(secret)) for text in texts for secret in secrets]
    return [text[max(0, at - 40) : at + 40] for text, at in found if at >= 0]


def review_the_example(page, frames):
    """Wherever the page is, this must be shown: everything partial, then everything full."""
    page.wait_for_selector(".rlpaper-review [role=grid]")
    assert kapr(page) == "0 of 1" and page.locator(".rlpaper-review tbody tr").count() == 6
    assert not told(frames)
    cell(page, 0, 0).hover()
    assert "costs 1/108 = 0.0093" in cell(page, 0, 0).inner_text()
    page.locator("[data-all=partial]").click()
    wait(page, "kapr.startsWith('31/432')")
    assert "y" in cell(page, 0, 0).inner_text() and "Mary" not in cell(page, 0, 0).inner_text()
    assert not told(frames)
    page.locator("[data-all=full]").click()
    wait(page, "kapr.startsWith('3/4')")
    assert "Mary" in cell(page, 0, 0).inner_text()
    assert told(frames) and not told(frames, secrets=SECRETS[5:])


# By itself: the same page, messages handed over by the browser's driver.


def test_everything_can_be_done_by_keyboard(page, project):
    session = project.session("reviewer")
    fill(page, session.handle)
    press = page.keyboard.press
    cell(page, 0, 0).focus()
    press("Enter")
    wait(page, "kapr.startsWith('1/108')")
    assert (
        "To reveal: full costs" in says(page)
        and page.evaluate("document.activeElement.dataset.column") == "0"
    )
    press("f")
    wait(page, "says.includes('All is shown')")
    press("ArrowRight")
    press("ArrowDown")
    assert page.evaluate(
        "[document.activeElement.dataset.position, document.activeElement.dataset.column]"
    ) == ["1", "1"]
    press("p")
    wait(
        page,
        "says.includes('partial') || document.querySelectorAll('[data-mode=partial]').length == 2",
    )
    press("3")
    press("d")
    page.wait_for_selector('[data-position="1"] [data-answer=different][aria-pressed=true]')
    assert session.store.answers("reviewer") == {1: ("different", 3)}
    press("1")
    page.wait_for_selector('[data-position="1"] [data-confidence="1"][aria-pressed=true]')
    assert session.store.answers("reviewer") == {1: ("different", 1)}
    shown = kapr(page)
    press("z")
    press("z")
    page.wait_for_selector('[data-position="1"] [data-answer=different][aria-pressed=false]')
    wait(page, "says.includes('Taken back')")
    assert session.store.answers("reviewer") == {} and kapr(page) == shown
    press("z")
    wait(page, "says.includes('no decision to take back')")


def test_one_stops_and_goes_on_where_one_was(page, browser, project):
    session = project.session("reviewer")
    fill(page, session.handle)
    cell(page, 2, 0).click()
    page.wait_for_selector('[data-position="2"][data-column="0"][data-mode=partial]')
    page.locator('[data-position="0"] [data-answer=same]').click()
    page.wait_for_selector('[data-position="0"] [data-answer=same][aria-pressed=true]')
    session.close()
    again = browser.new_page()
    fill(again, project.session("reviewer").handle)
    assert cell(again, 2, 0).get_attribute("data-mode") == "partial"
    assert (
        again.locator('[data-position="0"] [data-answer=same]').get_attribute("aria-pressed")
        == "true"
    )
    assert (
        again.evaluate("document.querySelector('[role=gridcell][tabindex=\"0\"]').dataset.position")
        == "1"
    )
    again.close()


def test_a_click_over_the_budget_is_refused_and_says_why(page, tmp_path):
    project = paper(tmp_path / "small", budget="1/100")
    fill(page, project.session("reviewer").handle)
    cell(page, 0, 0).click()
    wait(page, "kapr.startsWith('1/108')")
    cell(page, 0, 2).hover()
    assert "more than is left" in cell(page, 0, 2).inner_text()
    cell(page, 0, 2).click()
    wait(page, "says.startsWith('Refused.')")
    assert "would cost" in says(page) and "1/1350" in says(page)  # 1/100 - 1/108 = 2/2700
    assert kapr(page).startswith("1/108") and "Hispanic" not in page.content()


def test_a_click_below_kappa_is_refused_whatever_the_budget(page, tmp_path):
    project = paper(tmp_path / "kappa", kappa=2)
    fill(page, project.session("reviewer").handle)
    assert "never fewer than 2 records" in page.locator(".rr-who").inner_text()
    cell(page, 0, 0).hover()
    assert "not possible: Then only 1 record would fit" in cell(page, 0, 0).inner_text()
    cell(page, 0, 0).click()
    wait(page, "says.includes('Then only 1 record would fit')")
    assert kapr(page).startswith("0 of")


def test_nothing_is_told_by_colour_alone_and_all_has_a_name(page, project):
    session = project.session("reviewer")
    session.reveal({(0, 0), (1, 1)}, "partial")
    fill(page, session.handle)
    label = cell(page, 0, 0).get_attribute("aria-label")
    assert label.startswith(
        "name of pair 1: similar, shown partial. First row: 3 equal hidden, substituted y."
    )
    assert "swapped 8" in cell(page, 1, 1).get_attribute("aria-label")
    decorations = page.evaluate("""() => Object.fromEntries(
        ['rr-substituted', 'rr-swapped'].map(name =>
        [name, getComputedStyle(document.querySelector('td .' + name)).textDecoration]))""")
    assert "underline" in decorations["rr-substituted"] and "wavy" in decorations["rr-swapped"]
    unnamed = page.evaluate("""() => [...document.querySelectorAll(
        'button, [role=meter], [role=gridcell], [role=grid]')]
        .filter(e => !(e.getAttribute('aria-label') || e.textContent.trim())).length""")
    assert unnamed == 0
    assert page.evaluate("document.querySelectorAll('[role=gridcell][tabindex=\"0\"]').length") == 1


# Within JupyterLab and Voila.


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def server(words, url, **environment):
    process = subprocess.Popen(
        [sys.executable, *words],
        cwd=ROOT,
        env={**os.environ, **environment},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + 90
        while True:
            assert process.poll() is None, process.stdout.read()
            try:
                urllib.request.urlopen(url, timeout=30).close()
                break
            except urllib.error.HTTPError:  # it is up, and does not let everybody in
                break
            except OSError:
                assert time.monotonic() < deadline, "the server did not come up"
                time.sleep(0.3)
        yield process
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)


def listen(page):
    """All frames that the page receives from now on, as text."""
    frames, sockets = [], []

    def opened(channel):
        sockets.append(channel.url)
        channel.on(
            "framereceived",
            lambda data: frames.append(
                data if isinstance(data, str) else data.decode("utf-8", "replace")
            ),
        )

    page.on("websocket", opened)
    return frames, sockets


def test_the_example_in_jupyterlab(page, project, tmp_path):
    notebook = nbformat.v4.new_notebook(
        cells=[
            nbformat.v4.new_code_cell(
                'from rlpaper import review\nreview.Project("project").widget("reviewer")'
            )
        ],
        metadata={
            "kernelspec": {"name": "python3", "display_name": "rlpaper", "language": "python"}
        },
    )
    nbformat.write(notebook, tmp_path / "review.ipynb")
    port = free_port()
    home = {
        name: str(tmp_path / name)
        for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    }
    with server(
        [
            "-m",
            "jupyterlab",
            "--no-browser",
            "--allow-root",
            f"--port={port}",
            "--IdentityProvider.token=secret",
            f"--ServerApp.root_dir={tmp_path}",
            "--LabApp.news_url=None",
        ],
        f"http://127.0.0.1:{port}/api/status?token=secret",
        PYTHONPATH=str(ROOT),
        **home,
    ):
        frames, _ = listen(page)
        page.goto(f"http://127.0.0.1:{port}/lab/tree/review.ipynb?token=secret")
        page.locator(".jp-Notebook .jp-CodeCell .cm-content").first.click()
        page.wait_for_selector('.jp-Notebook-ExecutionIndicator[data-status="idle"]')
        page.keyboard.press("Shift+Enter")
        review_the_example(page, frames)
        # JupyterLab's own keys (D twice deletes a cell, Z takes back, A inserts) stay away from the
        # page.
        cells = page.locator(".jp-Notebook .jp-Cell").count()
        cell(page, 0, 0).focus()
        for key in ("d", "d", "z", "a", "b", "x", "m"):
            page.keyboard.press(key)
        wait(page, "says.includes('Taken back')")
        assert page.locator(".jp-Notebook .jp-Cell").count() == cells
        page.screenshot(path=str(tmp_path / "lab.png"))
        page.keyboard.press("Control+s")
        page.wait_for_timeout(1000)
        assert not any(secret in (tmp_path / "review.ipynb").read_text() for secret in SECRETS)
    assert project.audit()


def test_the_example_served_by_voila_which_executes_nothing(page, project, tmp_path):
    port = free_port()
    with server(
        ["-m", "rlpaper", "review", "serve", str(project.folder), "--port", str(port)],
        f"http://127.0.0.1:{port}/voila/static/none-such",
        PYTHONPATH=str(ROOT),
    ) as process:
        link = next(
            re.search(r"http\S+", line).group()
            for line in process.stdout
            if line.startswith("reviewer: ")
        )
        frames, sockets = listen(page)
        page.goto(link)
        review_the_example(page, frames)
        page.screenshot(path=str(tmp_path / "voila.png"))
        assert "rlpaper.review.server" not in page.content()
        channel = next(url for url in sockets if "/api/kernels/" in url).split("?")[0]
        proof = tmp_path / "executed"
        replies = page.evaluate(EXECUTE, [channel, f"open({str(proof)!r}, 'w').write('x')"])
        assert (
            "kernel_info_reply" in replies and "execute_reply" not in replies and not proof.exists()
        )
        page.goto(link.split("=")[0] + "=guessed")
        page.wait_for_selector("text=This link is not valid")
        assert page.locator(".rlpaper-review").count() == 0
    assert project.audit()


#: Ask the kernel of a page to execute code and, to show that it listens at all, who it is; returns
#: the kinds of its replies.
EXECUTE = """([url, code]) => new Promise((done) => {
    const channel = new WebSocket(url);
    const kinds = [];
    const ask = (kind, content) => channel.send(JSON.stringify({
        channel: "shell", content, metadata: {}, parent_header: {},
        header: {msg_id: kind + Math.random(), msg_type: kind, username: "x", session: "x",
                 version: "5.3", date: new Date().toISOString()}}));
    channel.onmessage = (event) => {
        if (typeof event.data === "string") kinds.push(JSON.parse(event.data).header.msg_type);
    };
    channel.onopen = () => {
        ask("execute_request", {code, silent: false, store_history: false, user_expressions: {},
            allow_stdin: false});
        ask("kernel_info_request", {});
        setTimeout(() => done(kinds), 4000);
    };
    channel.onerror = () => done(["error"]);
})"""
