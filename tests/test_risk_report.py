"""The page of an assessment: what is on it, what is not, and that it leaves its caller alone."""

import re
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from rlpaper.masking import add_noise
from rlpaper.risk import assess
from rlpaper.risk.measures import MEASURES
from rlpaper.risk.report import write_folder

pytestmark = pytest.mark.slow

DRAWN = [measure for measure in MEASURES if measure.figure is not None]

SECTIONS = [
    "In short",
    *(measure.title for measure in MEASURES if measure.title),
    "What these numbers are, and are not",
]

#: Names that columns of somebody's file may have.
HOSTILE = [
    "<script>document.title = 'broken'</script>",
    "x--></style><img src=http://example.org/x.png>",
    "price in $ and $\\frac$",
    "収入 & \"more\" 'quotes'",
    "two\nlines, and a name as long as questionnaires have them when somebody exports the question",
    *("risk", "label", "row"),
]


def files(names, n=40):
    rng = np.random.default_rng(1)
    original = pd.DataFrame({name: rng.normal(size=n).round(3) for name in names})
    original["town"] = rng.choice(["Ghent", "Lund", "Porto"], n)
    masked = original.copy()
    masked[names] = add_noise(original[names], 20, 1)
    original.index = masked.index = [f"Ms {number}" for number in range(1000, 1000 + n)]
    return original, masked


@pytest.fixture(scope="module")
def assessment():
    return assess(*files(["age", "income"]), progress=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def plain(assessment, folder):
    return assessment.report(folder / "plain.html")


@pytest.fixture(scope="module")
def hostile(folder):
    """The page of a file whose columns have such names, with values of its records."""
    result = assess(*files(HOSTILE), alternatives=False, progress=False)
    return result.report(folder / "hostile.html", values=True)


def test_the_page_has_the_sections_of_the_notebook_the_summary_and_the_figures(assessment, plain):
    text = plain.read_text("utf-8")
    assert re.findall(r"<h2[^>]*>(.*?)</h2>", text) == SECTIONS
    assert text.count('<svg role="img" aria-label="') == len(DRAWN) >= 5
    assert all(f"<figcaption>{measure.caption}" in text for measure in DRAWN)
    for line in assessment.summary():
        assert line.replace("“", "").split(" (")[0][:60] in text.replace("“", "")
    assert '<html lang="en">' in text and "<title>Risk of a masked file</title>" in text


def test_the_risk_of_a_record_is_a_percentage(plain):
    text = plain.read_text("utf-8")
    table = text[text.index("The records most at risk") :]
    rows = table[: table.index("</table>")].split("<tr>")[2:]
    risks = [re.findall(r"<td[^>]*>(.*?)</td>", row)[0] for row in rows]
    assert risks == ["100%"] * 10


def test_the_page_of_a_folder_comes_last(assessment, tmp_path, monkeypatch):
    moved, replace = [], Path.replace
    monkeypatch.setattr(
        Path, "replace", lambda path, target: moved.append(path.name) or replace(path, target)
    )
    assert write_folder(assessment, tmp_path) == tmp_path / "report.html"
    assert moved[-1] == "report.html" and sorted(moved) == sorted(
        p.name for p in tmp_path.iterdir()
    )


def test_shares_are_of_columns_that_there_are(assessment):
    tables = assessment.tables()
    for measure in MEASURES:
        assert {*measure.shares} <= {*tables[measure.name]}


def test_figures_shrink_to_seven_tenths_of_their_drawn_size_and_no_further(plain):
    drawn = re.findall(r'min-width: (\d+)px" [^>]*?\swidth="([\d.]+)pt"', plain.read_text("utf-8"))
    assert len(drawn) == len(DRAWN)
    for least, points in drawn:
        assert int(least) == pytest.approx(0.7 * 96 / 72 * float(points), abs=0.5)  # of CSS


def test_it_needs_nothing_else(plain):
    text = plain.read_text("utf-8")
    assert not re.search(r"<script|<link|<img|@import|\ssrc=", text)
    # The names of XML's own vocabularies are no addresses that are asked.
    linked = set(re.findall(r'"(https?://[^"]+)"', text))
    assert linked == {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert "<!--" not in text and "<metadata" not in text


def test_the_same_assessment_gives_the_same_bytes_and_no_path_of_the_machine(
    assessment, plain, tmp_path
):
    first = plain.read_bytes()
    assert assessment.report(tmp_path / "second.html").read_bytes() == first
    assert write_folder(assessment, tmp_path / "folder").read_bytes() == first
    assert str(plain.parent).encode() not in first
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "second.html"]


def test_ids_of_the_figures_do_not_meet(plain):
    text = plain.read_text("utf-8")
    ids = re.findall(r'\sid="([^"]+)"', text)
    used = re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', text)
    assert len(ids) == len(set(ids)) and {one or other for one, other in used} <= set(ids)
    assert len(used) > 100


def test_no_value_and_no_label_is_on_it_unless_asked_for(plain, hostile):
    secret = r"Ms 10\d\d|Ghent|Lund|Porto"
    assert not re.search(secret, plain.read_text("utf-8"))
    found = set(re.findall(secret, hostile.read_text("utf-8")))
    assert len(found & {"Ghent", "Lund", "Porto"}) > 1
    assert len(found - {"Ghent", "Lund", "Porto"}) == 10  # records


def test_names_of_columns_are_text(hostile, browser):
    text = hostile.read_text("utf-8")
    assert "<script" not in text and "<img" not in text
    page = browser.new_page()
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(hostile.as_uri())
    assert page.title() == "Risk of a masked file" and len(requests) == 1
    shown = " ".join(page.inner_text("body").split())
    for name in HOSTILE:
        assert " ".join(name.split()) in shown
    assert "None was tried" in shown and page.locator("svg").count() == len(DRAWN) - 1
    # A column that has the name of one of the report's own.
    heads = page.locator("#records ~ .wide >> nth=0").locator("thead th").all_inner_texts()
    assert heads[:5] == ["row", "risk", "ties", "found by", "label"]
    assert heads[-4:] == ["risk (original)", "label (original)", "row (original)", "town"]
    page.close()


@pytest.mark.parametrize("width", [390, 1280])
def test_it_is_read_on_a_telephone_and_on_a_screen(hostile, plain, browser, width):
    for path in (hostile, plain):
        page = browser.new_page(viewport={"width": width, "height": 800})
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        boxes = page.eval_on_selector_all(
            ".wide", "all => all.map(box => [box.clientWidth, box.clientHeight, box.scrollWidth])"
        )
        assert len(boxes) >= 11 and all(height > 40 for _, height, _ in boxes)
        if width == 1280 and path == plain:
            assert all(inside <= room for room, _, inside in boxes)
        sizes = page.eval_on_selector_all("svg", "all => all.map(x => x.clientWidth)")
        assert min(sizes) > 500  # words in them stay legible
        page.close()


def test_it_prints(plain, browser):
    page = browser.new_page()
    page.goto(plain.as_uri())
    assert page.pdf(format="A4").startswith(b"%PDF")
    page.close()


def test_the_callers_figures_settings_and_options_stay(assessment, plain, tmp_path):
    backend = mpl.get_backend()
    with mpl.rc_context({"axes.facecolor": "black", "svg.fonttype": "none", "font.size": 30}):
        figure = plt.figure()
        before = dict(mpl.rcParams), plt.get_fignums(), pd.get_option("display.precision")
        found = assessment.report(tmp_path / "second.html").read_bytes()
        after = dict(mpl.rcParams), plt.get_fignums(), pd.get_option("display.precision")
        assert before == after and plt.gcf() is figure and mpl.get_backend() == backend
        plt.close(figure)
    assert found == plain.read_bytes()


def test_after_an_error_nothing_is_left(assessment, tmp_path, monkeypatch):
    def fail(*_):
        raise RuntimeError("no more")

    (tmp_path / "there").mkdir()
    monkeypatch.setattr("rlpaper.risk.report.draw", fail)
    for folder in ("new/inside", "there"):
        with pytest.raises(RuntimeError):
            write_folder(assessment, tmp_path / folder)
    with pytest.raises(RuntimeError):
        assessment.report(tmp_path / "report.html")
    assert [path.name for path in tmp_path.iterdir()] == ["there"]
    assert not any((tmp_path / "there").iterdir())
