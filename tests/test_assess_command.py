"""`make assess`: two files of one's own to a page and tables."""

import os
import re
import subprocess
import sys

import pandas as pd
import pytest
from conftest import ROOT

from rlpaper.compendium.assess import main, parse_types
from rlpaper.masking import pram, rank_swap

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """A pair that nobody tuned for, with a key, in another order, assessed by the command."""
    folder = tmp_path_factory.mktemp("assess")
    rng = pd.Series(range(150)).sample(frac=1, random_state=5)
    original = pd.DataFrame(
        {
            "who": [f"person-{i:03d}" for i in range(150)],
            "height": 150 + rng.to_numpy() / 3,
            "weight": rng.to_numpy() * 7 % 83 + 40.5,
            "town": [["Ghent", "Lund", "Porto"][i % 3] for i in range(150)],
            "smokes": [i % 4 == 0 for i in range(150)],
        }
    )
    masked = original.copy()
    masked["height"] = rank_swap(original[["height"]], 30, 1)["height"]
    masked["town"] = pram(original[["town"]].astype("category"), 0.9, 1)["town"].astype(str)
    original.to_csv(folder / "before.csv", index=False)
    masked.sample(frac=1, random_state=2).to_csv(folder / "after.csv", index=False, sep=";")
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "rlpaper.compendium.assess",
            "--original",
            "before.csv",
            "--masked",
            "after.csv",
            "--key",
            "who",
            "--out",
            "out",
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return folder / "out", run


def test_it_ends_with_the_answer_and_where_the_report_is(report):
    out, run = report
    assert run.stdout.startswith("An attacker who holds the original values of 4 variables finds")
    assert (
        "Left as they were: weight and smokes." in run.stdout
        or "Left as they were: smokes and weight." in run.stdout
    )
    assert "Report: out/report.html" in run.stdout
    assert "assessing" in run.stderr  # progress


def test_it_leaves_a_page_and_a_table_a_csv(report):
    out, _ = report
    for name in (
        "attacks",
        "variables",
        "records",
        "subsets",
        "shortlist",
        "new_records",
        "information_loss",
        "types",
        "alternatives",
    ):
        assert len(pd.read_csv(out / f"{name}.csv"))
    for name in ("attacks", "variables", "records", "attackers", "alternatives"):
        assert (out / f"{name}.svg").exists() and (out / f"{name}.png").exists()
    states = pd.read_csv(out / "types.csv", index_col="variable")["state"]
    assert states.to_dict() == {
        "height": "masked",
        "weight": "unmasked",
        "town": "masked",
        "smokes": "unmasked",
    }


def test_the_page_has_no_record_of_the_original_and_no_code(report, browser):
    out, _ = report
    page = browser.new_page()
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto((out / "report.html").as_uri())
    text = page.inner_text("body")
    assert text.startswith("Risk of a masked file") and "In short" in text
    assert page.locator("img").count() == 5 and page.locator("table").count() >= 6
    assert (
        "import rlpaper" not in text
        and "person-0" not in page.content()
        and "Porto" not in page.content()
    )
    assert all(url.startswith(("file:", "data:")) for url in requests)
    headline = re.search(r"finds ([\d.]+)% of the 150 persons", text)
    assert headline and float(headline[1]) > 50  # weight was left as it was
    page.close()


def run_main(capsys, *words):
    code = main([str(word) for word in words])
    return code, capsys.readouterr().err


def test_a_missing_word_is_told_by_an_example(capsys):
    code, said = run_main(capsys, "--original", "a.csv")
    assert code == 2 and "make assess ORIGINAL=before.csv MASKED=after.csv" in said


def test_types_are_read_from_the_command_line(capsys, tmp_path):
    assert parse_types("") == {} and parse_types("a=number,b=x<y") == {
        "a": "number",
        "b": ["x", "y"],
    }
    code, said = run_main(
        capsys, "--original", "a", "--masked", "b", "--types", "age", "--out", tmp_path
    )
    assert code == 2 and "name=type" in said


def test_a_file_in_the_place_of_the_folder_is_refused(capsys, tmp_path):
    (tmp_path / "out").write_text("")
    code, said = run_main(capsys, "--original", "a", "--masked", "b", "--out", tmp_path / "out")
    assert code == 2 and "is a file" in said


def test_what_is_wrong_with_the_files_is_one_sentence(capsys, tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n1,2\n")
    code, said = run_main(
        capsys,
        "--original",
        tmp_path / "a.csv",
        "--masked",
        tmp_path / "none.csv",
        "--out",
        tmp_path / "out",
    )
    assert code == 2 and said.strip().splitlines()[-1].startswith(
        "the masked file none.csv does not exist"
    )
    assert "Traceback" not in said
