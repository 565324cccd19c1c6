import hashlib
import shutil
from types import SimpleNamespace

import pandas as pd
import pytest
import ucimlrepo

from conftest import ROOT
from rlpaper import datasets
from rlpaper.datasets import DatasetError, ahs, uci

NAMES = datasets.catalogue().index.tolist()


@pytest.mark.parametrize("name", NAMES)
def test_every_file_loads_with_the_catalogued_shape_and_provenance(name):
    frame = datasets.load(name)
    entry = datasets.catalogue().loc[name]
    assert frame.shape == (entry["rows"], entry["columns"])
    assert frame.attrs["surrogate"] is False
    assert all(frame.attrs[key] for key in ("title", "source", "licence", "citation"))
    assert list(frame.attrs["variables"]) == [f"V{i}" for i in range(1, frame.shape[1] + 1)]


@pytest.mark.parametrize("name", NAMES)
def test_data_readme_states_each_file_as_the_catalogue_does(name):
    entry = datasets.catalogue().loc[name]
    rows = [
        line
        for line in ((ROOT / "data") / "README.md").read_text().splitlines()
        if f"`{entry['file']}`" in line
    ]
    assert len(rows) == 1
    shape = f"{entry['rows']} x {entry['columns']}"
    for fact in (shape, entry["source"], entry["licence"], entry["citation"], entry["sha256"]):
        assert fact in rows[0]


def test_no_data_file_is_left_out_of_the_catalogue():
    assert {path.name for path in (ROOT / "data").glob("*.csv")} == {
        *datasets.catalogue()["file"],
    }


def test_census_has_both_variable_numberings():
    in_file = datasets.load("census").attrs["variables"]
    printed = datasets.load("census", order="alphabetical").attrs["variables"]
    assert [in_file[v] for v in ("V1", "V5", "V7", "V13")] == [
        "AFNLWGT",
        "PTOTVAL",
        "TAXINC",
        "ERNVAL",
    ]
    assert [printed[v] for v in ("V1", "V5", "V7", "V13")] == [
        "AFNLWGT",
        "FEDTAX",
        "INTVAL",
        "WSALVAL",
    ]


def test_census_is_the_casc_file():
    census = datasets.load("census")
    assert census["AFNLWGT"].mean() == pytest.approx(196039.8, abs=0.05)
    assert census["ERNVAL"].mean() == pytest.approx(38444.6, abs=0.05)
    assert (census["PTOTVAL"] == census["PEARNVAL"] + census["POTHVAL"]).all()


def test_types_follow_the_catalogue():
    adult, esl, febrl = (datasets.load(name) for name in ("adult", "income_esl", "febrl_dataset1"))
    assert adult["education"].cat.ordered and not adult["race"].cat.ordered
    assert adult["education"].min() == "Preschool" and adult["education"].max() == "Doctorate"
    assert adult["age"].dtype == "int64"
    assert adult["income"].isna().sum() == 16281
    assert [c for c in esl if esl[c].cat.ordered] == [
        "income",
        "age",
        "education",
        "years in bay area",
        "number in household",
        "number of children",
    ]
    assert esl.isna().sum().sum() == 2694
    assert all(isinstance(value, str) for value in febrl["postcode"])
    assert datasets.load("water_treatment").isna().sum().sum() == 591


def test_unknown_name_lists_the_known_ones():
    with pytest.raises(
        DatasetError, match="no data file named 'cencus'; choose one of census, iris.*ahs"
    ):
        datasets.load("cencus")


def test_unknown_order_says_what_to_use():
    with pytest.raises(ValueError, match="order is 'reverse'; it is one of file, alphabetical"):
        datasets.load("census", order="reverse")


@pytest.fixture
def folder(tmp_path):
    for name in ("catalogue.toml", "iris.csv"):
        shutil.copy((ROOT / "data") / name, tmp_path)
    return tmp_path


def test_a_folder_may_be_text(folder):
    assert datasets.load("iris", folder=str(folder)).shape == (150, 5)
    assert "iris" in datasets.catalogue(str(folder)).index


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: datasets.load("iris", folder=3), "folder is 3; give a path"),
        (lambda: datasets.catalogue(b"data"), "folder is of the type bytes; give a path"),
        (lambda: datasets.load(None), "no data file named None; choose one of census"),
        (lambda: datasets.load(["iris"]), "no data file named of the type list; choose one of"),
        (lambda: datasets.load("iris", order=1), "order is 1; it is one of file, alphabetical"),
        (lambda: datasets.load("iris", refresh="no"), "refresh is 'no'; it is one of True, False"),
        (lambda: ahs.surrogate(24), "records is 24; it is a whole number, 25 to 1,000,000"),
        (lambda: ahs.surrogate(100, "seed"), "random_state is 'seed'; it is a whole number"),
        (lambda: ahs.read("nowhere.csv"), "nowhere.csv is no file; put the survey's CSV file"),
    ],
)
def test_bad_names_and_options(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"[iris", "catalogue.toml cannot be read: .*; restore it"),
        (b"\xff", "catalogue.toml cannot be read: .*; restore it"),
        (b"iris = 3", "catalogue.toml does not say all of iris; it needs title, rows"),
        (b"[iris]\nrows = 3", "catalogue.toml does not say all of iris; it needs title, rows"),
    ],
)
def test_a_damaged_catalogue_is_refused(folder, text, message):
    (folder / "catalogue.toml").write_bytes(text)
    for call in (lambda: datasets.load("iris", folder=folder), lambda: datasets.catalogue(folder)):
        with pytest.raises(DatasetError, match=message):
            call()


def test_a_corrupted_file_is_refused(folder):
    text = (folder / "iris.csv").read_text()
    (folder / "iris.csv").write_text(text.replace("5.1", "5.2", 1))
    with pytest.raises(
        DatasetError, match=r"data/iris.csv .*checksum.*git checkout -- data/iris.csv"
    ):
        datasets.load("iris", folder=folder)


def test_a_missing_file_is_named(folder):
    with pytest.raises(DatasetError, match="data/census.csv is missing; restore it"):
        datasets.load("census", folder=folder)


def test_a_folder_without_catalogue_says_where_data_come_from(tmp_path):
    with pytest.raises(DatasetError, match="says what each data file is"):
        datasets.load("iris", folder=tmp_path)


def test_outside_a_checkout_the_data_are_named_or_it_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DatasetError, match="work inside a checkout of the project, or name"):
        datasets.load("iris")
    monkeypatch.setenv("RLPAPER_DATA", str(ROOT / "data"))
    assert len(datasets.load("iris")) == 150
    monkeypatch.delenv("RLPAPER_DATA")
    monkeypatch.chdir(ROOT / "notebooks" / "course")
    assert len(datasets.load("iris")) == 150


def test_a_catalogue_that_is_wrong_about_the_shape_is_refused(folder):
    catalogue = (folder / "catalogue.toml").read_text().replace("rows = 150", "rows = 151")
    (folder / "catalogue.toml").write_text(catalogue)
    with pytest.raises(
        DatasetError, match=r"has shape \(150, 5\), data/catalogue.toml says \(151, 5\)"
    ):
        datasets.load("iris", folder=folder)


def test_an_ordinal_value_outside_its_order_is_refused(folder):
    text = '"age"\n"18-24"\n"old"\n'
    (folder / "poll.csv").write_text(text)
    with open(folder / "catalogue.toml", "a") as file:
        file.write(
            '\n[poll]\nfile = "poll.csv"\ntitle = "t"\nrows = 2\ncolumns = 1\n'
            f'sha256 = "{hashlib.sha256(text.encode()).hexdigest()}"\n'
            'source = "s"\nlicence = "l"\ncitation = "c"\nordinal = { age = ["18-24"] }\n'
        )
    with pytest.raises(
        DatasetError, match="age has values that data/catalogue.toml does not order: old"
    ):
        datasets.load("poll", folder=folder)


def test_refresh_reports_the_cells_that_differ(monkeypatch, caplog):
    theirs = datasets.load("iris").astype(object)
    theirs.columns = ["a", "b", "c", "d", "class"]
    theirs.iloc[34, 3] = "0.1"
    theirs.iloc[37, 1] = 3.1
    monkeypatch.setattr(
        ucimlrepo,
        "fetch_ucirepo",
        lambda id: SimpleNamespace(data=SimpleNamespace(original=theirs)),
    )
    frame = datasets.load("iris", refresh=True)
    assert frame.attrs["differences"]["different"].tolist() == [0, 1, 0, 1, 0]
    assert "2 cells differ in 2 columns" in caplog.text


def test_refresh_without_network_says_so_in_one_line(monkeypatch):
    def fail(id):
        raise ConnectionError("Error connecting to server")

    monkeypatch.setattr(ucimlrepo, "fetch_ucirepo", fail)
    with pytest.raises(DatasetError, match="did not give iris .*without refresh") as caught:
        datasets.load("iris", refresh=True)
    assert "\n" not in str(caught.value)


def test_refresh_of_a_file_that_uci_does_not_have():
    with pytest.raises(DatasetError, match="census is not served by the UCI repository"):
        datasets.load("census", refresh=True)


def test_compare_counts_missing_rows_and_columns():
    a = pd.DataFrame({"x": [1, 2, None], "y": ["a", "b", "c"]})
    b = pd.DataFrame({"x": [1.0, 2.0]})
    assert uci.compare(a, b)["different"].tolist() == [1, 3]


def test_compare_goes_by_position_and_takes_any_column():
    a = pd.DataFrame({"x": [True, False], "y": [1 + 1j, 2]}, index=["a", "b"])
    assert uci.compare(a, a.set_axis([2, 1]))["different"].tolist() == [0, 0]
    assert uci.compare(a, ~a[["x"]])["different"].tolist() == [2, 2]
    with pytest.raises(ValueError, match="the fetched file is None; give a pandas DataFrame"):
        uci.compare(a, None)


def test_surrogate_has_the_shape_of_table_2_and_says_what_it_is(tmp_path):
    frame = datasets.load("ahs", folder=tmp_path)
    assert frame.attrs["surrogate"] is True and "surrogate" in frame.attrs["title"]
    assert frame.head(1000).nunique().to_dict() == ahs.CATEGORIES
    assert {column for column in frame if frame[column].cat.ordered} == set(ahs.ORDINAL)
    assert len(frame) > 2000
    pd.testing.assert_frame_equal(frame, datasets.load("ahs", folder=tmp_path))
    printed = pd.read_csv(ROOT / "data/published" / "domingo2002_table1_2_variables.csv").set_index(
        "variable"
    )
    assert printed["categories"].to_dict() == ahs.CATEGORIES
    assert tuple(printed.index[printed["o"] == 1]) == ahs.ORDINAL


HEADER = ["CONTROL", *ahs.CATEGORIES, "WEIGHT"]


def own_file(folder, rows, header=HEADER):
    (folder / "local").mkdir()
    lines = [",".join(header), *(",".join(row) for row in rows)]
    (folder / "local" / "ahs1993.csv").write_text("\n".join(lines) + "\n")


def record(**codes):
    row = {name: "'1'" for name in ahs.CATEGORIES} | codes
    return ["'010003130103'", *row.values(), "2210.5"]


def test_the_users_own_survey_is_parsed_with_its_quoted_codes(tmp_path):
    own_file(
        tmp_path,
        [
            record(BUILT="'10'"),
            record(BUILT="'9'", SCH="'B'"),
            record(BUILT="' '", SCH='"2"'),
            record(METRO="'-6'"),
        ],
    )
    frame = datasets.load("ahs", folder=tmp_path)
    assert frame.attrs["surrogate"] is False
    assert list(frame.columns) == list(ahs.CATEGORIES)
    # Ordinal codes in numeric order, the blank one last; no answer is a category of its own.
    assert (
        frame["BUILT"].cat.categories.tolist() == ["1", "9", "10", "blank"]
        and frame["BUILT"].cat.ordered
    )
    assert frame["SCH"].tolist() == ["1", "B", "2", "1"] and not frame["SCH"].cat.ordered
    assert frame["METRO"].tolist()[-1] == "-6"


def test_what_programs_add_to_a_survey_file_does_not_matter(tmp_path):
    header = [*ahs.CATEGORIES]
    own_file(tmp_path, [record()[1:-1], [], record(BUILT="9" * 5000)[1:-1], []], header)
    path = tmp_path / "local" / "ahs1993.csv"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())  # the mark of a text in UTF-8
    frame = ahs.read(str(path))
    assert frame["BUILT"].cat.categories.tolist() == ["1", "9" * 5000] and len(frame) == 2


def test_a_survey_file_with_wrong_columns_is_refused(tmp_path):
    own_file(tmp_path, [record() + ["'1'"]], header=[*HEADER, "SCH"])
    with pytest.raises(DatasetError, match="ahs1993.csv has two columns SCH; leave one of them"):
        datasets.load("ahs", folder=tmp_path)


def test_a_survey_file_without_some_columns_is_refused(tmp_path):
    own_file(tmp_path, [], header=[name for name in HEADER if name not in ("SCH", "SHP")])
    with pytest.raises(
        DatasetError, match="ahs1993.csv lacks the columns SCH, SHP; it needs BUILT.*data/README.md"
    ):
        datasets.load("ahs", folder=tmp_path)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "has no records"),
        ([record()[:-1]], "line 2: 11 cells where the header has 12"),
        (
            [record(GRADE1="'college'")],
            "GRADE1 is ordinal and has codes that are no numbers: college",
        ),
        ([record(GRADE1="\xb2")], "GRADE1 is ordinal and has codes that are no numbers"),
        ([record(), record(SCH="9" * 200_000)], "line 3: field larger than field limit"),
        ([record(SCH='"1')], "line 2: 6 cells where the header has 12"),
    ],
)
def test_a_damaged_survey_file_is_refused(tmp_path, rows, message):
    own_file(tmp_path, rows)
    with pytest.raises(DatasetError, match=message):
        datasets.load("ahs", folder=tmp_path)


def test_an_empty_survey_file_is_refused(tmp_path):
    (tmp_path / "local").mkdir()
    (tmp_path / "local" / "ahs1993.csv").write_text("")
    with pytest.raises(DatasetError, match="lacks the columns"):
        datasets.load("ahs", folder=tmp_path)


def test_the_survey_cannot_be_refreshed():
    with pytest.raises(DatasetError, match="put your own copy at data/local/ahs1993.csv"):
        datasets.load("ahs", refresh=True)
