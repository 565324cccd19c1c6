"""The report in a real browser, from the file system and without a network."""

import re

import pandas as pd
import pytest


@pytest.fixture
def open_page(built, browser):
    pages = []

    def open_page(path="index.html", **options):
        page = browser.new_page(**options)
        page.requests, page.faults = [], []
        page.on("request", lambda request: page.requests.append(request.url))
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        page.on("requestfailed", lambda request: page.faults.append(request.url))
        page.goto((built.root / "build/report").as_uri() + "/" + path)
        pages.append(page)
        return page

    yield open_page
    for page in pages:
        page.close()


def test_the_index_opens_with_the_scorecard_and_needs_no_network(open_page, built):
    page = open_page()
    matching, published = map(
        int, re.match(r"(\d+) of (\d+) published numbers match", page.inner_text("h1")).groups()
    )
    scorecard = pd.read_csv(built.root / "build/quick/figures/scorecard.csv")
    assert matching == (scorecard["verdict"] == "match").sum() >= 200
    assert published == (scorecard["verdict"] != "input").sum()
    assert page.inner_text("h2 >> nth=0") == "Scorecard"
    row = page.locator("tr", has=page.locator("a", has_text="torra2008 table3")).first
    assert "100" in row.inner_text()
    assert page.requests and all(url.startswith("file:") for url in page.requests)
    assert page.faults == []


def test_every_link_leads_somewhere(open_page, built):
    page = open_page()
    targets = page.eval_on_selector_all(
        "a[href], img[src]", "all => all.map(x => x.getAttribute('href') || x.getAttribute('src'))"
    )
    assert len(targets) > 50
    for target in targets:
        if target.startswith("#"):
            assert page.locator(target).count() == 1, target
        else:
            assert (built.root / "build/report" / target).exists(), target


def test_figures_are_shown_with_a_text_for_who_cannot_see_them(open_page):
    page = open_page()
    images = page.eval_on_selector_all("img", "all => all.map(x => [x.alt, x.naturalWidth])")
    assert len(images) >= 7
    assert all(alt and width > 0 for alt, width in images)


def test_a_link_from_the_scorecard_unfolds_its_table(open_page):
    page = open_page()
    assert not page.is_visible("#torra2008-table4 td")
    page.click("a[href='#torra2008-table4']")
    page.wait_for_selector("#torra2008-table4 td >> nth=0", state="visible")
    assert "1.0138E-7" in page.inner_text("#torra2008-table4")


@pytest.mark.parametrize(
    "path", ["index.html", "notebooks/32-torra2008-chance.html", "notebooks/00-start-here.html"]
)
def test_nothing_is_wider_than_a_phone(open_page, path):
    page = open_page(path, viewport={"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("width", [390, 1280, 2560])
def test_every_table_shows_its_text(open_page, width):
    page = open_page(viewport={"width": width, "height": 800})
    page.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
    boxes = page.eval_on_selector_all(
        ".wide",
        """all => all.map(box => ({
        room: box.clientWidth, height: box.clientHeight, inside: box.scrollWidth,
        text: box.innerText.trim().length,
        cells: [...box.querySelectorAll('th, td')].map(
            cell => [cell.offsetWidth, cell.scrollWidth, cell.innerText])}))""",
    )
    assert len(boxes) > 20
    for box in boxes:
        assert box["text"] and box["height"] > 20, "an empty box"
        for wide, inside, text in box["cells"]:
            assert max(wide, inside) <= box["room"], (
                f"{text!r} is {wide} wide in a box of {box['room']}"
            )
        if width >= 1280:
            assert box["inside"] <= box["room"], "part of a table is out of sight"
    assert boxes[-1]["text"] and boxes[-1]["inside"] <= boxes[-1]["room"], (
        "part of the colophon is out of sight"
    )
    # What a person sees first of the explanations is words.
    page.locator("#open").scroll_into_view_if_needed()
    for cell in page.locator("#open + .wide tbody tr").first.locator("td").all():
        place = cell.bounding_box()
        assert place["x"] >= 0 and place["x"] + place["width"] <= width, cell.inner_text()


@pytest.mark.parametrize(
    "name",
    ["11-abril2012-data", "31-torra2008-example", "32-torra2008-chance", "33-torra2008-figures"],
)
def test_notebook_pages_show_results_and_formulas_without_a_network(open_page, name):
    page = open_page(f"notebooks/{name}.html")
    assert all(url.startswith(("file:", "data:")) for url in page.requests) and page.faults == []
    assert "$" not in page.inner_text("body")
    assert "Traceback" not in page.inner_text("body")
    assert page.locator("table, img").count() > 0
    if name.startswith("32"):
        assert page.locator("math[display=block]").count() == 1


def test_the_report_prints(open_page, built):
    page = open_page()
    pdf = page.pdf(format="A4")
    assert pdf.startswith(b"%PDF") and pdf.count(b"/Type /Page\n") + pdf.count(b"/Type /Page ") >= 2


def test_pages_name_no_path_of_the_machine(built):
    for path in (built.root / "build/report").rglob("*.html"):
        assert str(built.root) not in path.read_text(), path.name
