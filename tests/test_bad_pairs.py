"""Pairs of files that cannot be assessed: each gives one clear error.

It says what is wrong, where, and what to do.
"""

import datetime
import gzip
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rlpaper.risk import FilesError, assess, prepare

pytestmark = pytest.mark.slow

N = 40


def people(**columns):
    """A file that is fine, with some columns replaced or added."""
    rng = np.random.default_rng(1)
    return pd.DataFrame(
        {
            "age": np.arange(N) + 20,
            "town": rng.choice(["Bonn", "Ulm", "Trier"], N),
            "income": rng.normal(50, 9, N).round(2),
            **columns,
        }
    )


def csv(frame, separator=","):
    return frame.to_csv(index=False, sep=separator).encode()


def with_line(number, line):
    """The file with another line in the place of one."""
    lines = csv(people()).split(b"\n")
    lines[number - 1] = line
    return b"\n".join(lines)


def shuffled(frame, seed=5):
    return frame.sample(frac=1, random_state=seed).reset_index(drop=True)


def noisy():
    """The file with every variable masked a little: no glance tells the order of the records."""
    rng, file = np.random.default_rng(2), people()
    town = file["town"].where(rng.random(N) < 0.9, "Ulm")
    return file.assign(
        age=file["age"] + rng.normal(0, 2, N),
        income=file["income"] + rng.normal(0, 2, N),
        town=town,
    )


def cell(value, column="age", row=3):
    """The file with one odd value in a column of objects."""
    values = people()[column].astype(object).tolist()
    values[row] = value
    return people(**{column: pd.Series(values, dtype=object)})


CASES = []


def case(name, words, original, masked, **options):
    """A pair, and a regular expression that its error must match.

    Bytes are the content of a CSV file; a function makes the file, given a folder.
    """
    CASES.append(pytest.param(original, masked, options, words, id=name))


def either(name, words, bad, good=None, **options):
    """Two pairs: the bad file as the original and as the masked one; {file} says which."""
    good = people() if good is None else good
    case(f"original {name}", words.replace("{file}", "original"), bad, good, **options)
    case(f"masked {name}", words.replace("{file}", "masked"), good, bad, **options)


# Paths.


def made(name, content=None):
    """A file of some name, or a folder."""

    def make(folder):
        path = folder / name
        path.mkdir() if content is None else path.write_bytes(content)
        return path

    return make


either(
    "missing",
    r"the {file} file nobody\.csv does not exist; check the path",
    lambda folder: folder / "nobody.csv",
)
either(
    "missing, a text",
    r"the {file} file nobody\.csv does not exist; check the path",
    lambda folder: str(folder / "nobody.csv"),
)
either("folder", r"the {file} file things is a folder; name a CSV file", made("things"))
either("empty path", r"the path of the {file} file is empty; name a CSV file", "")
either(
    "text instead of path",
    r"the {file} file is given as text of several lines; name a CSV file or give a pandas "
    r"DataFrame",
    csv(people()).decode(),
)
either(
    "one long text instead of path",
    r"the {file} file 1,2,3.* cannot be opened \(.*\); check the path",
    "1,2,3" * 2000,
)
either(
    "without a byte",
    r"the {file} file {file}\.csv is empty; write one line of column names and one line per record",
    b"",
)
either("of white space", r"the {file} file {file}\.csv is empty; write", b" \r\n\n \t\n")
either("of a byte order mark", r"the {file} file {file}\.csv is empty; write", "\ufeff".encode())
either("only header", r"the {file} file has no records; give", b"age,town,income\n")

for kind, start, words in (
    ("xlsx", b"PK\x03\x04\x14\0\x06\0", "an Excel workbook or a zip archive"),
    ("xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Excel workbook"),
    ("parquet", b"PAR1\x15\x04", "a parquet file"),
    ("pdf", b"%PDF-1.7\n", "a PDF"),
    ("rds", b"X\n\0\0\0\x03", "an R data file"),
    ("RData", b"RDX3\nX\n\0", "an R data file"),
    ("gz", gzip.compress(csv(people())), "a compressed file"),
    ("sav", b"$FL2@(#) SPSS DATA FILE", "an SPSS file"),
    ("dta", b"<stata_dta><header>", "a Stata file"),
    ("html", b"<!DOCTYPE html><html>", "a web page"),
    ("json", b'[{"age": 20}]', "a JSON file"),
):
    case(
        f"{kind} file",
        rf"the masked file people\.{kind} is {words}; save the table as CSV",
        people(),
        made(f"people.{kind}", start),
    )

either(
    "UTF-16",
    r"the {file} file {file}\.csv is written in UTF-16; save it as CSV in UTF-8",
    csv(people()).decode().encode("utf-16"),
)
either(
    "Latin-1",
    r"the {file} file {file}\.csv is not written in UTF-8 \(line 3\); save it",
    "age,town\n20,Bonn\n21,Köln\n".encode("latin-1"),
)
either(
    "NUL bytes",
    r"line 3 of the {file} file {file}\.csv holds bytes that are no text; save",
    b"age,town\n20,Bonn\n21,U\0m\n",
)
either(
    "row too long",
    r"line 4 of the {file} file {file}\.csv has 4 values for 3 columns; quote values that "
    r"hold a ','",
    with_line(4, b"22,Ulm,1,5"),
)
either(
    "row too short",
    r"line 5 of the {file} file {file}\.csv has 2 values for 3 columns; quote",
    with_line(5, b"23,Ulm"),
)
either(
    "row names without a name",
    r"line 2 of the {file} file {file}\.csv has 4 values for 3 columns; .*name every column",
    people().to_csv().replace(",age", "age", 1).encode(),
)
either(
    "row ragged after a value of two lines",
    r"line 4 of the {file} file {file}\.csv has 1 values for 2 columns; quote",
    b'age,town\n20,"Bad\nHomburg"\n21\n',
)
either(
    "row of separators only, too short",
    r"line 3 of the {file} file {file}\.csv has 2 values for 3 columns; quote",
    b"a,b,c\n1,2,3\n,\n",
)
either(
    "unclosed quotes",
    r"the record at line 3 of the {file} file {file}\.csv cannot be read \(.*\); check the quotes",
    b'age,town\n20,Bonn\n21,"Ulm\n22,Trier\n23,Bonn\n',
)
either(
    "quotes in the middle",
    r"the record at line 2 of the {file} file {file}\.csv cannot be read \(.*\); check the quotes",
    b'age,town\n20,"Bonn"am Rhein\n',
)
either(
    "separated by blanks",
    r"the values of the {file} file {file}\.csv seem to be separated by ' '; separate them "
    r"by commas",
    csv(people(), " "),
)
either(
    "separated by colons",
    r"the values of the {file} file {file}\.csv seem to be separated by ':'; separate them "
    r"by commas",
    csv(people(), ":"),
)
either(
    "header by commas, records by semicolons",
    r"line 2 of the {file} file {file}\.csv has 1 values for 3 columns; quote values",
    csv(people(), ";").replace(b"age;town;income", b"age,town,income"),
)
either(
    "title above the header",
    r"line 2 of the {file} file {file}\.csv has 3 values for 1 columns; quote",
    b"Survey 2020\n" + csv(people()),
)
either(
    "duplicate header names",
    r"the {file} file has two columns 'age'; give each",
    csv(people()).replace(b"income", b"age"),
)
either(
    "header names that differ by spaces",
    r"the {file} file has two columns 'age'; give each",
    csv(people()).replace(b"income", b" age "),
)
either(
    "empty header name",
    r"column 1 of the {file} file has no name; name every column, or remove it",
    people().to_csv().encode(),
)
either(
    "header name of white space",
    r"column 2 of the {file} file has no name; name every column",
    csv(people()).replace(b"town", b"  "),
)
case(
    "neither has a header",
    r"names are numbers, '20' in the original file and '21' in the masked one; write a line "
    r"of column names",
    with_line(1, b"").lstrip(),
    csv(people().assign(age=people()["age"] + 1, income=people()["income"] + 1)).split(b"\n", 1)[1],
)
either(
    "without a header",
    r"the files have no column in common: .*; give columns that are the same variable the "
    r"same name",
    with_line(1, b"").lstrip(),
)

# Objects.

for name, thing in (
    ("None", None),
    ("dict", {"age": [1, 2]}),
    ("list", [[1, 2]]),
    ("ndarray", np.ones((20, 2))),
    ("Series", pd.Series(range(20))),
    ("int", 3),
    ("bytes", lambda folder: b"age\n1\n"),
):
    kind = "NoneType" if thing is None else name
    either(
        name,
        rf"the {{file}} file is a {kind}; give a pandas DataFrame or the path of a CSV file",
        (lambda folder: None) if thing is None else thing,
    )
either(
    "levels of columns",
    "the columns of the {file} file have several levels; give each column one name",
    people().set_axis(pd.MultiIndex.from_product([["a"], ["age", "town", "income"]]), axis=1),
)
either("no columns", "the {file} file has no columns; give", pd.DataFrame(index=range(N)))
either("no rows", "the {file} file has no records; give", people().head(0))
either(
    "duplicate columns",
    "the {file} file has two columns 'age'; give each a name of its own",
    people().set_axis(["age", "town", "age"], axis=1),
)
either(
    "NaN as name",
    "column 3 of the {file} file has no name; name every column",
    people().set_axis(["age", "town", np.nan], axis=1),
)
either(
    "None as name",
    "column 2 of the {file} file has no name; name every column",
    people().set_axis(["age", None, "income"], axis=1),
)

either(
    "a tuple as name",
    "column 2 of the {file} file has a tuple for a name; give it a text",
    people().rename(columns={"town": ("town", 1)}),
)
either(
    "half a pair of surrogates in a name",
    r"column 2 of the {file} file has a name that UTF-8 cannot write, town\\ud800; give it another",
    people().rename(columns={"town": "town\ud800"}),
)

# Who is who.

with_id = people(id=[f"p{i}" for i in range(N)])
either(
    "shorter, no key",
    r"the original file has (40|39) records and the masked one (40|39): .*; name a column "
    r"that does as the key",
    people().iloc[1:],
)
case(
    "different lengths in CSV files",
    "the original file has 40 records and the masked one 30: .*; name a column",
    csv(people()),
    csv(people().head(30)),
)
either(
    "without the key",
    r"the {file} file has no column 'id' to be the key; name one of both files; it has age, "
    r"town, income",
    people(),
    with_id,
    key="id",
)
case(
    "key in neither",
    r"the original file has no column 'ID' to be the key; name one of both",
    with_id,
    with_id,
    key="ID",
)
case(
    "key a path",
    r"the original file has no column 'key\.csv' to be the key; name one of both files",
    with_id,
    with_id,
    key="key.csv",
)
for thing in (["id"], {"id"}, {"id": 1}):
    name = type(thing).__name__
    case(f"key a {name}", f"the key is a {name}; name one column", with_id, with_id, key=thing)
case(
    "key a column itself",
    r"the key is a Series; name one column",
    with_id,
    with_id,
    key=with_id["id"],
)
either(
    "key missing",
    r"the key 'id' of the {file} file is missing in record 8; fill it, or remove the record",
    with_id.assign(id=with_id["id"].where(with_id.index != 7)),
    with_id,
    key="id",
)
either(
    "key empty in a CSV file",
    r"the key 'id' of the {file} file is missing in record 8; fill it",
    csv(with_id.replace("p7", "")),
    with_id,
    key="id",
)
either(
    "key a marker of missing",
    r"the key 'id' of the {file} file is missing in record 8; fill it",
    with_id.replace("p7", "NA"),
    with_id,
    key="id",
)
either(
    "key twice",
    r"the key 'id' of the {file} file has 'p3' twice; give each record",
    with_id.replace("p9", "p3"),
    with_id,
    key="id",
)
either(
    "key twice but for spaces",
    r"the key 'id' of the {file} file has 'p3' twice; give each record",
    with_id.replace("p9", "p3 "),
    with_id,
    key="id",
)
either(
    "key 7 and 7.0",
    r"the key 'id' of the {file} file has '7' twice; give each record",
    people(id=pd.Series([7, 7.0, *range(100, 100 + N - 2)], dtype=object)),
    with_id,
    key="id",
)
either(
    "key of nobody",
    r"only 0 records of the original file are in the masked one by the key 'id'; check that "
    r"it is written alike",
    with_id.assign(id=with_id["id"].str.upper()),
    with_id,
    key="id",
)
either(
    "key of few",
    r"only 9 records of the original file are in the masked one by the key 'id'; check",
    with_id.assign(id=with_id["id"].where(with_id.index < 9, "x" + with_id["id"])),
    with_id,
    key="id",
)
case(
    "key the only column of both",
    "the files have no column in common but the key: .*; give",
    with_id[["id"]],
    with_id[["id"]],
    key="id",
)
either(
    "key the only column",
    "the files have no column in common but the key: .*; give columns that are",
    with_id[["id"]],
    with_id,
    key="id",
)
either(
    "index labels of others",
    r"only 0 records of the original file are in the masked one by the index; reset it "
    r"\(reset_index\) in both",
    people().set_axis([f"p{i}" for i in range(N)]),
)
either(
    "index labels twice",
    r"the index of the {file} file has 3 twice; give each record",
    people().set_axis([3, 3, *range(N - 2)]),
)
case(
    "shorter, with a column that says who is who",
    r"the original file has 40 records and the masked one 39: .*; name a column that does as the "
    r"key, perhaps key='record no' \(--key 'record no'\)$",
    people(**{"record no": np.arange(N) + 1}),
    shuffled(noisy().assign(**{"record no": np.arange(N) + 1})).head(39),
)
case(
    "shorter, with months",
    r"column 'month' of the original file has dtype period\[M\]; convert it",
    pd.DataFrame({"month": pd.period_range("2001-01", periods=N, freq="M")}),
    pd.DataFrame({"month": pd.period_range("2001-01", periods=30, freq="M")}),
)
case(
    "other labels, with a column that says who is who",
    r"only 0 records .* by the index; reset it .* as the key, perhaps key='id' \(--key id\)$",
    with_id.set_axis([f"p{i}" for i in range(N)]),
    shuffled(noisy().assign(id=with_id["id"])),
)
case(
    "nine records",
    "the files share 9 records; give files of at least 10",
    people().head(9),
    people().head(9),
)
either(
    "nine records by key",
    "the files share 9 records; give files of at least 10",
    with_id.head(9),
    with_id,
    key="id",
)
case(
    "shuffled, by order",
    "taken in their order, the records of the two files have nothing to do with each other; "
    "check who is who, or say aligned=True",
    people(),
    shuffled(noisy()),
)
case(
    "shuffled, with a column that says who is who",
    r"nothing to do with each other; check who is who, perhaps key='id' \(--key id\), or say",
    with_id,
    shuffled(noisy().assign(id=with_id["id"])),
)
case(
    "shuffled, with record numbers",
    r"nothing to do with each other; check who is who, perhaps key='number' \(--key number\), or",
    people(number=np.arange(N) + 10**12),
    shuffled(noisy().assign(number=[str(10**12 + i) for i in range(N)])),
)
case(
    "shuffled, CSV files",
    "taken in their order, .* nothing to do with each other; check",
    csv(people()),
    csv(shuffled(noisy())),
)
case(
    "shuffled, by key",
    "taken by the key 'id', .* nothing to do with each other; check who is who",
    with_id,
    shuffled(noisy()).assign(id=with_id["id"]),
    key="id",
)
case(
    "shuffled, text only",
    "nothing to do with each other; check who is who",
    people()[["town"]],
    shuffled(noisy())[["town"]],
)
case("aligned a word", "aligned is 'no'; give True or False", people(), people(), aligned="no")
case("aligned a table", "aligned is  .*; give True or False", people(), people(), aligned=people())

# Columns.

case(
    "nothing in common",
    "the files have no column in common: the original has age, town, income, the masked one "
    "x, y; give columns that are the same",
    people(),
    pd.DataFrame({"x": range(N), "y": 1}),
)
for name, other in (
    ("case", "Income"),
    ("space", "income "),
    ("punctuation", "in_come"),
    ("hyphen", "in-come"),
):
    case(
        f"renamed by {name}",
        f"the original file has a column 'income' and the masked one '{other}'; give them "
        "the same name",
        people(),
        people().rename(columns={"income": other}),
    )
case(
    "a number for a name, and text",
    "the original file has a column 2020 and the masked one '2020'; give them the same name",
    people().rename(columns={"income": 2020}),
    csv(people().rename(columns={"income": 2020})),
)
case(
    "everything constant",
    "every variable has one value only in the original file; give",
    pd.DataFrame({"a": [1] * N, "b": "x"}),
    pd.DataFrame({"a": range(N), "b": "y"}),
)
case(
    "everything missing",
    "every variable has one value only in the original file; give",
    pd.DataFrame({"a": [None] * N}),
    pd.DataFrame({"a": range(N)}),
)
case(
    "nothing but record numbers",
    "no variable tells persons apart but record numbers: a; give it the type number if it is an "
    "amount, else",
    pd.DataFrame({"a": np.arange(N) + 10**12, "b": "x"}),
    pd.DataFrame({"a": np.arange(N) + 10**12, "b": "x"}),
)
case(
    "hundreds of columns, none in common",
    r"no column in common: the original has a0, a1, .* and 190 more, the masked one b0.*; give",
    pd.DataFrame({f"a{i}": range(N) for i in range(200)}),
    pd.DataFrame({f"b{i}": range(N) for i in range(200)}),
)

# Types.

typed = [
    (
        "unknown column",
        "a type is given for 'height', which is not a variable of both files; choose from age, "
        "town, income",
        {"height": "number"},
    ),
    (
        "unknown type",
        "column 'age' cannot be of type 'numeric'; give number, date, nominal, ordinal, or",
        {"age": "numeric"},
    ),
    ("type a class", "column 'age' cannot be of type <class 'float'>; give number", {"age": float}),
    (
        "type a set",
        r"column 'town' cannot be of type \{.*\}; give number, date",
        {"town": {"Bonn", "Ulm", "Trier"}},
    ),
    (
        "type an array",
        "column 'town' cannot be of type .*; give number, date",
        {"town": np.array(["Bonn", "Ulm", "Trier"])},
    ),
    (
        "number wanted of text",
        "column 'town' of the original file has '(Bonn|Ulm|Trier)', which is not a number; "
        "correct it, or give",
        {"town": "number"},
    ),
    (
        "date wanted of text",
        "column 'town' of the original file has '(Bonn|Ulm|Trier)', which is not a date; "
        "correct it, or give",
        {"town": "date"},
    ),
    (
        "date wanted of numbers",
        "column 'age' has numbers, not dates; write dates as 2001-12-31",
        {"age": "date"},
    ),
    (
        "order wanted of text",
        "column 'town' has categories whose order is not known; give them in their order",
        {"town": "ordinal"},
    ),
    (
        "order lacks a category",
        "column 'town' of the original file has category 'Trier', which the order does not "
        "name; add it",
        {"town": ["Bonn", "Ulm"]},
    ),
    (
        "order with a repetition",
        "column 'town': the order names 'Ulm' twice; name each category once",
        {"town": ["Bonn", "Ulm", "Trier", "Ulm"]},
    ),
    (
        "order that names no category",
        "column 'town': the order names None; name categories by text or number",
        {"town": ["Bonn", "Ulm", "Trier", None]},
    ),
    (
        "order empty",
        "column 'town' of the original file has category 'Bonn', which the order does not "
        "name; add it",
        {"town": []},
    ),
]
for name, words, types in typed:
    case(name, words, people(), people(), types=types)
case(
    "type of the key",
    "a type is given for 'id', which is not a variable of both files; choose from age",
    with_id,
    with_id,
    key="id",
    types={"id": "nominal"},
)
case(
    "type of a column of one file",
    "a type is given for 'id', which is not a variable of both files; choose from",
    with_id,
    people(),
    types={"id": "nominal"},
)
case(
    "types a text",
    "types is a str; give a dict of columns and their types",
    people(),
    people(),
    types="number",
)
case(
    "types a list",
    "types is a list; give a dict of columns and their types",
    people(),
    people(),
    types=["number", "nominal", "number"],
)

either(
    "order lacks a category there",
    "column 'town' of the {file} file has category 'Mainz', which the order does not name; add it",
    cell("Mainz", "town"),
    types={"town": ["Bonn", "Ulm", "Trier"]},
)
either(
    "number wanted, one text",
    "column 'age' of the {file} file has 'many', which is not a number; correct it, or give the "
    "column another type",
    cell("many"),
    types={"age": "number"},
)
days = pd.Series([f"2001-02-{1 + i % 28:02d}" for i in range(N)], dtype=object)
for name, value in (
    ("impossible day", "2001-02-30"),
    ("month thirteen", "2001-13-01"),
    ("day zero", "0000-00-00"),
):
    bad = people(born=days.where(days.index != 5, value))
    either(
        name,
        f"column 'born' of the {{file}} file has '{value}', which is not a day of the calendar; "
        "correct it or leave it empty",
        bad,
        people(born=days),
    )
    either(
        f"{name}, date wanted",
        f"column 'born' of the {{file}} file has '{value}', which is not a day of the calendar; "
        "correct it",
        bad,
        people(born=days),
        types={"born": "date"},
    )
either(
    "day in another form, date wanted",
    "column 'born' of the {file} file has '28.2.2001', which is not a date; correct it",
    people(born=days.where(days.index != 5, "28.2.2001")),
    people(born=days),
    types={"born": "date"},
)
either(
    "day first among dates with the year first",
    "column 'born' has (dates|text) in the original file and (text|dates) in the masked one; give",
    people(born=days.where(days.index != 5, "28.2.2001")),
    people(born=days),
)
either(
    "impossible day, the day first",
    r"column 'born' of the {file} file has '31\.02\.2001', which is not a day of the calendar; "
    "correct it",
    people(born=["31.02.2001", "28.02.2001"] * 20),
    people(born=days),
)
either(
    "number wanted, two decimal marks",
    "column 'age' of the {file} file has '3,5', which is not a number; correct it",
    people(age=["1.5", "2.5", "3,5", "4.5"] * 10),
    types={"age": "number"},
)
either(
    "text where numbers are",
    "column 'age' has (numbers|text) in the original file and (text|numbers) in the masked "
    "one; give it the type nominal",
    people(age=[f"about {i}" for i in range(N)]),
)
either(
    "intervals where numbers are",
    "column 'age' has .*text.* in the masked one; give it the type nominal, or correct",
    people(age=["20-39", "40-59"] * 20),
)
either(
    "a star among numbers",
    "column 'age' has (numbers|text) in the original file and (text|numbers) in the masked "
    "one; give it",
    people(age=["*", *map(str, np.arange(1, N) // 2)]),
    people(age=np.arange(N) // 2),
)
either(
    "text where dates are",
    "column 'born' has (dates|text) in the original file and (text|dates) in the masked one; "
    "give it the type nominal",
    people(born=["January", "May"] * 20),
    people(born=days),
)
either(
    "years where dates are",
    "column 'born' has (dates|numbers) in the original file and (numbers|dates) in the "
    "masked one; give it the type nominal",
    people(born=np.arange(N) + 1950),
    people(born=days),
)
either(
    "truth values where numbers are",
    "column 'age' has (truth values|numbers) in the original file and (truth values|numbers) "
    "in the masked one; give",
    people(age=[True, False] * 20),
)
either(
    "truth values where 0 and 1 are",
    "column 'age' has (truth values|numbers) in the original file and (truth values|numbers) "
    "in the masked one; give",
    people(age=[True, False] * 20),
    people(age=[1, 0] * 20),
)
SIZES = ["S", "M", "L", "XL"]


def sizes(order, values=("S", "M", "L")):
    return people(size=pd.Categorical([*values] * 13 + [values[0]], order, ordered=True))


case(
    "categories in two orders",
    "column 'size' has its categories in another order in each file; give one order for both",
    sizes(SIZES),
    sizes(SIZES[::-1]),
)
case(
    "categories of its own in each",
    "column 'size' has ordered categories of its own in each file, 'XL' and 'top'; give one "
    "order for both",
    sizes(SIZES),
    sizes(["S", "M", "L", "top"]),
)
case(
    "a text outside the order of the other file",
    "column 'size' of the masked file has category 'XXL', which the order does not name; add it",
    sizes(SIZES),
    people(size=["S", "XXL"] * 20),
)

# Values.

for name, value in (
    ("infinite", np.inf),
    ("minus infinite", -np.inf),
    ("infinite as text", "inf"),
    ("beyond all numbers", "1e999"),
):
    either(
        name,
        "column 'income' of the {file} file has a value that is infinite in record 4; correct it "
        "or leave it empty",
        cell(value, "income"),
    )
either(
    "infinite by key",
    "column 'income' of the {file} file has a value that is infinite in record 'p3'; correct it",
    cell(np.inf, "income").assign(id=with_id["id"]),
    with_id.iloc[::-1],
    key="id",
)
either(
    "infinite by index",
    "column 'income' of the {file} file has a value that is infinite in record 'p3'; correct it",
    cell(np.inf, "income").set_axis(with_id["id"]),
    people().set_axis(with_id["id"]).iloc[::-1],
)
either(
    "infinite float",
    "column 'income' of the {file} file has a value that is infinite in record 2; correct it",
    people(income=[1.5, np.inf] * 20),
)
either(
    "complex",
    "column 'age' of the {file} file has complex numbers; convert them to real ones",
    people(age=np.arange(N) + 1j),
)
either(
    "timedelta",
    r"column 'age' of the {file} file has dtype timedelta64.*; convert it to numbers, dates "
    r"or text",
    people(age=pd.to_timedelta(range(N), "D")),
)
either(
    "period",
    r"column 'age' of the {file} file has dtype period\[M\]; convert it",
    people(age=pd.period_range("2000-01", periods=N, freq="M")),
)
either(
    "intervals",
    r"column 'age' of the {file} file has dtype interval.*; convert it",
    people(age=pd.arrays.IntervalArray.from_breaks(range(N + 1))),
)
either(
    "categories of intervals",
    "column 'age' of the {file} file holds values of type Interval; convert them to numbers "
    "or text",
    people(age=pd.cut(np.arange(N), 4)),
)
for name, value in (
    ("list", [1, 2]),
    ("dict", {"a": 1}),
    ("bytes", b"20"),
    ("tuple", (1, [2])),
    ("set", {1}),
    ("complex", 1j),
    ("time", datetime.time(12)),
    ("Timedelta", pd.Timedelta(days=1)),
    ("Period", pd.Period("2000-01")),
):
    either(
        f"{name} in a cell",
        f"column 'age' of the {{file}} file holds values of type {name}, in record 4 first; "
        "convert them to numbers or text",
        cell(value),
    )
either(
    "array in a cell",
    "column 'age' of the {file} file holds values of type ndarray, in record 4 first; convert",
    cell(np.ones(2)),
)
times = pd.Series(pd.date_range("2001-01-01", periods=N))
case(
    "two time zones",
    "column 'born' is in the time zone Europe/Berlin in the original file and UTC in the "
    "masked one; convert both",
    people(born=times.dt.tz_localize("Europe/Berlin")),
    people(born=times.dt.tz_localize("UTC")),
)
either(
    "time zone in one file",
    "column 'born' is in the time zone (UTC|none) in the original file and (none|UTC) in the "
    "masked one; convert both",
    people(born=times.dt.tz_localize("UTC")),
    people(born=times),
)

VERBS = "add|check|choose|convert|correct|fill|give|name|quote|reset|save|separate|write"


def put(thing, folder, name):
    if isinstance(thing, bytes):
        path = folder / f"{name}.csv"
        path.write_bytes(thing)
        return path
    return thing(folder) if callable(thing) else thing


@pytest.mark.parametrize(("original", "masked", "options", "words"), CASES)
def test_a_bad_pair_gives_one_clear_error(original, masked, options, words, tmp_path, recwarn):
    original, masked = put(original, tmp_path, "original"), put(masked, tmp_path, "masked")
    with pytest.raises(FilesError, match=f"^.*{words}") as caught:
        prepare(original, masked, **options)
    error, message = caught.value, str(caught.value)
    assert error.__cause__ is None and (error.__context__ is None or error.__suppress_context__)
    assert "\n" not in message and len(message) < 400
    assert re.search(f"; ({VERBS}) ", message)
    assert str(Path(tmp_path)) not in message  # a name is enough
    assert not recwarn.list


def test_the_catalogue_has_no_case_twice():
    names = [one.id for one in CASES]
    assert len(names) == len(set(names)) >= 75


def test_the_file_that_the_bad_ones_are_made_from_is_fine():
    """So each case is refused for what was done to it."""
    for masked in (people(), noisy()):
        assert len(prepare(people(), masked)) == N
    assert len(prepare(with_id, noisy().assign(id=with_id["id"]), key="id")) == N


@pytest.mark.parametrize("seed", range(8))
def test_files_in_another_order_are_refused_and_those_in_the_same_are_not(seed):
    for columns in (["age", "town", "income"], ["income"], ["town"]):
        with pytest.raises(FilesError, match="nothing to do with each other"):
            prepare(people()[columns], shuffled(noisy(), seed)[columns])
        assert len(prepare(people()[columns], noisy()[columns])) == N


def test_whoever_says_aligned_is_believed():
    assert len(prepare(people(), shuffled(noisy()), aligned=True)) == N


# Options of assess.


@pytest.mark.parametrize(
    "random_state", [-1, 1.5, "one", [1, -2], None, True, np.random.default_rng(1)]
)
def test_a_bad_seed_is_refused_before_anything_is_read(random_state):
    with pytest.raises(ValueError, match="random_state is .*; it is a whole number, 0 or more"):
        assess("nobody.csv", "nobody.csv", random_state=random_state)


@pytest.mark.parametrize("option", ["alternatives", "progress"])
@pytest.mark.parametrize("value", ["no", None, 1, [], np.nan])
def test_what_is_neither_true_nor_false_is_refused_before_anything_is_read(option, value):
    with pytest.raises(ValueError, match=f"{option} is .*; give True or False"):
        assess("nobody.csv", "nobody.csv", **{option: value})


def test_original_values_are_written_for_those_only_who_say_true(tmp_path):
    assessment = assess(people(), noisy(), alternatives=False, progress=False)
    folder, page = tmp_path / "tables", tmp_path / "report.html"
    for write in (assessment.tables, lambda values: assessment.save(folder, values)):
        with pytest.raises(ValueError, match="values is 'no'; give True or False"):
            write("no")
    with pytest.raises(ValueError, match="values is 'no'; give True or False"):
        assessment.report(page, "no")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"types": {"height": "number"}}, "'height'"),
        ({"key": "height"}, "'height'"),
        ({"aligned": 2}, "aligned is 2"),
        ({"types": 3}, "types is a int"),
    ],
)
def test_assess_hands_its_options_to_prepare(options, words):
    with pytest.raises(FilesError, match=words):
        assess(people(), noisy(), progress=False, **options)
