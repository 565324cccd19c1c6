"""`rlpaper assess`: two files of one's own to a page and tables."""

import os
import re
import subprocess
import sys

import pandas as pd
import pytest

from conftest import ROOT
from rlpaper._commands import parse_types
from rlpaper.cli import main
from rlpaper.masking import pram, rank_swap
from rlpaper.risk.measures import MEASURES

DRAWN = [measure for measure in MEASURES if measure.figure is not None]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def start(folder, *words):
    return subprocess.Popen(
        [sys.executable, "-m", "rlpaper", "assess", *words],
        cwd=folder,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


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
    run = start(folder, "before.csv", "after.csv", "--key", "who", "--out", "out")
    run.stdout, run.stderr = run.communicate(timeout=600)
    assert run.returncode == 0, run.stdout + run.stderr
    return folder / "out", run


@pytest.mark.slow
def test_it_ends_with_the_answer_and_where_the_report_is(report):
    out, run = report
    assert run.stdout.startswith("An attacker who holds the original values of 4 variables finds")
    assert (
        "Left as they were: weight and smokes." in run.stdout
        or "Left as they were: smokes and weight." in run.stdout
    )
    assert "Report: out/report.html" in run.stdout
    assert re.search(r"\n(\d+ min )?\d+ s\n$", run.stdout)
    assert "assessing" in run.stderr  # progress


@pytest.mark.slow
def test_it_leaves_a_page_and_one_csv_file_per_table(report):
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
    assert {path.stem for path in out.glob("*.csv")} == {measure.name for measure in MEASURES}
    for name in ("attacks", "variables", "records", "subsets", "alternatives"):
        assert (out / f"{name}.svg").exists() and (out / f"{name}.png").exists()
    states = pd.read_csv(out / "types.csv", index_col="variable")["state"]
    assert states.to_dict() == {
        "height": "masked",
        "weight": "unmasked",
        "town": "masked",
        "smokes": "unmasked",
    }
    assert not [path for path in out.iterdir() if path.name.startswith(".")]


@pytest.mark.slow
def test_the_page_has_no_record_of_the_original_and_no_code(report, browser):
    out, _ = report
    page = browser.new_page()
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto((out / "report.html").as_uri())
    text = page.inner_text("body")
    assert text.startswith("Risk of a masked file") and "In short" in text
    assert page.locator("figure svg").count() == len(DRAWN) and page.locator("table").count() >= 6
    assert (
        "import rlpaper" not in text
        and "person-0" not in page.content()
        and "Porto" not in page.content()
    )
    assert len(requests) == 1 and requests[0].startswith("file:")
    headline = re.search(r"finds ([\d.]+)% of the 150 persons", text)
    assert headline and float(headline[1]) > 50  # weight was left as it was
    page.close()


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_never_scrolls_sideways(report, browser, width):
    out, _ = report
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.goto((out / "report.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()


@pytest.mark.slow
def test_two_runs_at_once_do_not_meet(report):
    out, _ = report
    words = ("before.csv", "after.csv", "--key", "who", "--out")
    runs = [start(out.parent, *words, name) for name in ("one", "two")]
    for run in runs:
        said = run.communicate(timeout=600)
        assert run.returncode == 0, said
    expected = {path.name: path.read_bytes() for path in out.iterdir()}
    assert len(expected) == len(MEASURES) + 2 * len(DRAWN) + 2
    for name in ("one", "two"):
        folder = out.parent / name
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == expected
    assert {path.name for path in out.parent.iterdir()} == {
        *("before.csv", "after.csv", "out", "one", "two")
    }


def test_types_are_read_from_the_command_line(capsys, tmp_path):
    assert parse_types("") == {} and parse_types("a=number,b=x<y") == {
        "a": "number",
        "b": ["x", "y"],
    }
    assert main(["assess", "a", "b", "--types", "age", "--out", str(tmp_path / "out")]) == 2
    assert "name=type" in capsys.readouterr().err


GOOD = "who,age,sex\n" + "".join(f"{i},{20 + i * 7 % 41},{'fm'[i % 2]}\n" for i in range(30))

FEW = GOOD[: GOOD.index("5,")]

#: The original file, the masked one, options, and what is said.
WRONG = {
    "missing": (GOOD, None, [], "the masked file masked.csv does not exist"),
    "ragged": (GOOD, "who,age,sex\n1,2\n", [], "line 2 of the masked file masked.csv has 2 values"),
    "other columns": (GOOD, "p,q\n1,2\n", [], "the files have no column in common"),
    "no table": (GOOD, "PK\x03\x04", [], "is an Excel workbook"),
    "few records": (FEW, FEW, [], "give files of at least 10"),
    "no key": (GOOD, GOOD, ["--key", "name"], "has no column 'name' to be the key"),
    "wrong type": (GOOD, GOOD, ["--types", "sex=number"], "which is not a number"),
    "unknown type": (GOOD, GOOD, ["--types", "sex=text"], "cannot be of type 'text'"),
    "two types": (
        GOOD,
        GOOD,
        ["--types", "age=number, age=nominal"],
        "names age twice; give it one",
    ),
    "two types, by two options": (
        GOOD,
        GOOD,
        ["--types", "age=number", "--types", "age=nominal"],
        "names age twice; give it one",
    ),
    "types by two options": (
        GOOD,
        GOOD,
        ["--types", "sex=number", "--types", "age=number"],
        "column 'sex' of the original file has 'f', which is not a number",
    ),
    "level without a name": (GOOD, GOOD, ["--types", "sex=f<<m"], "write name=type, as in"),
    "no key and other records": (
        GOOD,
        GOOD.partition("\n29")[0],
        [],
        "perhaps key='who' (--key who)",
    ),
    "type of nothing": (GOOD, GOOD, ["--types", "name=number"], "is not a variable of both files"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_one_sentence_told_before_anything_slow_is_imported(case, tmp_path):
    original, masked, words, expected = WRONG[case]
    (tmp_path / "original.csv").write_text(original)
    if masked is not None:
        (tmp_path / "masked.csv").write_text(masked)
    before = sorted(tmp_path.iterdir())
    code = (
        "import sys; from rlpaper.cli import main; code = main(sys.argv[1:]);"
        "assert not {'numba', 'matplotlib', 'scipy'} & set(sys.modules); sys.exit(code)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, "assess", "original.csv", "masked.csv", *words],
        cwd=tmp_path,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 2 and run.stdout == "", run.stderr
    assert expected in run.stderr and run.stderr.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    "words, expected",
    [
        (["a.csv"], "required: MASKED; write, say, rlpaper assess before.csv after.csv"),
        (["a.csv", "b.csv", "--seed", "-1"], "'-1' is not a whole number, 0 or more"),
        (["a.csv", "b.csv", "--seeds", "1"], "unrecognized arguments: --seeds"),
    ],
)
def test_a_wrong_word_is_told_with_an_example(words, expected, capsys):
    with pytest.raises(SystemExit) as end:
        main(["assess", *words])
    said = capsys.readouterr().err
    assert end.value.code == 2 and expected in said and said.count("\n") == 1


def test_a_file_in_the_place_of_the_folder_is_refused(capsys, tmp_path):
    (tmp_path / "out").write_text("")
    for out in ("out", "out/inside"):
        assert main(["assess", "a", "b", "--out", str(tmp_path / out)]) == 2
        assert "is a file" in capsys.readouterr().err


def test_a_file_that_a_table_would_replace_is_refused(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "records.csv").write_text(GOOD)
    assert main(["assess", "records.csv", "records.csv", "--out", "."]) == 2
    assert "would take the place of records.csv" in capsys.readouterr().err
    assert (tmp_path / "records.csv").read_text() == GOOD


def test_make_assess_says_what_to_write_and_where_it_writes():
    def make(*words):
        words = ["make", "-o", ".venv/.ready", *words]  # no environment is set up for this
        return subprocess.run(words, cwd=ROOT, capture_output=True, text=True)

    run = make("assess", "ORIGINAL=a.csv")
    assert run.returncode == 2 and "make assess ORIGINAL=before.csv MASKED=after.csv" in run.stderr
    words = make(
        *("-n", "assess", "ORIGINAL=a.csv", "MASKED=x/b.csv", "KEY=who", "TYPES=age=number"),
        *("VALUES=1", "ALIGNED=1", "SEED=3"),
    ).stdout.replace("\\\n", " ")
    assert 'rlpaper assess "a.csv" "x/b.csv" --out "build/assess/${name%.*}"' in words
    assert re.search(
        r'--key "who" +--types "age=number" +--values +--aligned +--seed "3"',
        " ".join(words.split()),
    )
    assert '--out "there"' in make("-n", "assess", "ORIGINAL=a", "MASKED=b", "OUT=there").stdout
