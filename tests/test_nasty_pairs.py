"""Pairs of files that are legal, however odd: `assess` measures every one of them.

Each pair is one that an assessment works on, with a column more that some attack, measure or
figure could stumble over.
"""

import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from rlpaper.risk import assess, attacks

pytestmark = pytest.mark.slow

N = 40
ROWS = np.arange(N)
DAYS = pd.Series(pd.date_range("2001-01-01", periods=N))
TIMES = pd.Timestamp("2020-01-01 12:00") + pd.to_timedelta((ROWS * 7919) % 1_000_000, "us")


def people(**columns):
    rng = np.random.default_rng(1)
    return pd.DataFrame(
        {
            "age": ROWS + 20,
            "town": rng.choice(["Bonn", "Ulm", "Trier"], N),
            "income": rng.normal(50, 9, N).round(2),
            **columns,
        }
    )


def noisy(**columns):
    rng, file = np.random.default_rng(2), people()
    return file.assign(
        age=file["age"] + rng.normal(0, 2, N).round(1),
        income=file["income"] + rng.normal(0, 2, N),
        **columns,
    )


def normal(seed=3):
    return np.random.default_rng(seed).normal(size=N)


def shuffled(values, seed=4):
    return np.random.default_rng(seed).permutation(np.asarray(values))


def but_for(values, odd, row=3):
    """The values but for one of another size."""
    values = np.array(values, float)
    values[row] = odd
    return values


def texts(values):
    return pd.Series(values, dtype=object)


#: A column by what is odd about it, and what became of it if it was masked.
COLUMNS = {
    # Numbers that hardly vary, or far too much.
    "record numbers": (ROWS + 10**12,),
    "record numbers, shuffled": (ROWS + 10**12, shuffled(ROWS + 10**12)),
    "record numbers as amounts": (ROWS + 10**12, (ROWS + 10**12) // 4 * 4),
    "record numbers as texts": (texts([str(10**12 + i) for i in range(N)]),),
    "18 digits": (10**18 + ROWS,),
    "18 digits, not all different": (10**18 + ROWS // 2,),
    "30 digits": (texts([10**30 + i for i in range(N)]),),
    "the largest whole numbers": (np.array([2**64 - 1 - i for i in range(N)], np.uint64),),
    "a million but for one": (but_for(np.full(N, 1e6), 1e6 + 0.01),),
    "a million but for one, masked": (
        but_for(np.full(N, 1e6), 1e6 + 0.01),
        but_for(np.full(N, 1e6), 1e6 + 0.02),
    ),
    "a million but for one that moved": (
        but_for(np.full(N, 1e6), 1e6 + 1),
        but_for(np.full(N, 1e6), 1e6 + 1, 9),
    ),
    "zero but for one": (but_for(np.zeros(N), 0.5),),
    "zero but for one that moved": (but_for(np.zeros(N), 0.5), but_for(np.zeros(N), 0.5, 9)),
    "the last digits": (1 + ROWS * 2.3e-16,),
    "digits near the last": (1 + ROWS * 1e-15, 1 + shuffled(ROWS) * 1e-15),
    "large with fractions": (1e15 + ROWS * 0.125,),
    "large with fractions, shuffled": (1e15 + ROWS * 0.5, shuffled(1e15 + ROWS * 0.5)),
    "one outlier of 1e200": (but_for(normal(), 1e200),),
    "one outlier of 1e200, masked away": (but_for(normal(), 1e200), normal()),
    "one outlier of 1e200 that was not there": (normal(), but_for(normal(5), 1e200)),
    "one outlier of 1e308": (but_for(normal(), 1e308), but_for(normal(5), 1.7e308)),
    "one outlier of minus 1e308": (but_for(normal(), -1e308),),
    "outliers on both sides": (but_for(but_for(normal(), 1.7e308), -1.7e308, 5),),
    "all near the largest number": (np.random.default_rng(6).uniform(-1, 1, N) * 1.7e308,),
    "all positive near the largest number": (
        np.random.default_rng(6).uniform(0.5, 1, N) * 1.7e308,
    ),
    "all positive near the largest number, some missing": (
        np.where(ROWS % 3, np.random.default_rng(6).uniform(0.5, 1, N) * 1.7e308, np.nan),
    ),
    "of every size": (10.0 ** np.random.default_rng(7).integers(-300, 300, N),),
    "subnormal": (ROWS * 5e-324,),
    "subnormal, shuffled": (ROWS * 5e-324, shuffled(ROWS) * 5e-324),
    "tiny": (normal() * 1e-300, normal(5) * 1e-300),
    "with squares that vanish": (normal() * 1e-160,),
    "two zeros": ([0.0, -0.0] * 20,),
    "two values": ([0.5, 1.5] * 20,),
    "a copy of another column": (ROWS + 20,),
    "another column turned round": (-(ROWS + 20),),
    "in other units": (ROWS + 20, (ROWS + 20) * 1000),
    "shifted": (ROWS + 20, ROWS + 21),
    # Missing, constant, suppressed.
    "known of one": (but_for(np.full(N, np.nan), 7.5),),
    "known of one, then of none": (but_for(np.full(N, np.nan), 7.5), np.full(N, np.nan)),
    "known of two": (but_for(but_for(np.full(N, np.nan), 7.5), 8.5, 9),),
    "a text of one": (texts([None, "x", *[None] * (N - 2)]),),
    "a date of one": (texts([None, "2001-01-01", *[None] * (N - 2)]),),
    "missing for all": (texts([None] * N),),
    "missing for all in the masked file": (ROWS * 1.1, texts([None] * N)),
    "constant": (np.full(N, 3.0),),
    "constant and large": (np.full(N, 1e308),),
    "constant before masking": (np.full(N, 3.0), ROWS * 1.5),
    "constant after masking": (ROWS * 1.5, np.full(N, 3.0)),
    "constant and missing after masking": (ROWS * 1.5, but_for(np.full(N, np.nan), 3.0)),
    "constant text": (["a"] * N,),
    # Kinds of columns.
    "truth values": ([True, False, False, True] * 10, [False, True] * 20),
    "truth values, some missing": (texts([True, False, None, True] * 10),),
    "nullable truth values": (pd.array([True, False, None, True] * 10, "boolean"),),
    "nullable whole numbers": (pd.array([None, *range(N - 1)], "Int64"),),
    "nullable floats": (pd.array([None, *np.arange(N - 1) / 7], "Float64"),),
    "nullable texts": (pd.array(["a", None] * 20, "string"),),
    "half precision": (normal().astype(np.float16),),
    "single precision": (normal().astype(np.float32),),
    "long doubles": (ROWS.astype(np.longdouble) / 3,),
    "bytes as numbers": (ROWS.astype(np.int8),),
    "decimals": (texts([Decimal(i) / 7 for i in range(N)]),),
    "sparse": (pd.array(but_for(np.zeros(N), 0.5), pd.SparseDtype(float)),),
    "numbers and texts": (texts([1, "a", 2.5, True] * 10),),
    "numbers written as texts": (texts([str(i) for i in range(N)]), ROWS),
    "decimal commas": (texts([f"{i}.{i + 100},5" for i in range(1, N + 1)]),),
    "numbers with units": (texts([f"{i} kg" for i in range(N)]),),
    "categories that occur once": (texts([f"c{i}" for i in range(N)]),),
    "categories that occur once, renamed": (
        texts([f"c{i}" for i in range(N)]),
        texts([f"d{i}" for i in range(N)]),
    ),
    "categories of which some are missing": (pd.Categorical(["a", None] * 20),),
    "categories in order": (pd.Categorical(["low", "high"] * 20, ["low", "high"], ordered=True),),
    "categories that do not occur": (pd.Categorical(["a", "b"] * 20, list("abcdefgh")),),
    "half a pair of surrogates": (texts(["\ud800", "b"] * 20), texts(["b", "\ud800"] * 20)),
    "signs and scripts": (texts(["😀", "日本語", "$x_1$", "<b>&amp;"] * 10),),
    "long texts": (texts(["x" * 10_000, "y"] * 20),),
    "texts of several lines": (texts(["a\nb", 'say "no"'] * 20),),
    "dates": (DAYS, DAYS + pd.to_timedelta(shuffled(ROWS), "D")),
    "dates in a time zone": (DAYS.dt.tz_localize("Europe/Berlin"),),
    "dates in seconds": (DAYS.astype("datetime64[s]"),),
    "dates of Python": (texts([datetime.date(1900, 1, 1 + i % 28) for i in range(N)]),),
    "the first and the last day": (texts(["0001-01-01", "9999-12-31"] * 20),),
    "times before and after all others": (
        texts([datetime.datetime(1, 1, 1), datetime.datetime(9999, 12, 31)] * 20),
    ),
    "days first": (texts([f"{1 + i % 28}.{1 + i % 12}.2001" for i in range(N)]),),
    "times within a second": (TIMES,),
    "times within a second, shuffled": (TIMES, pd.Series(TIMES).iloc[shuffled(ROWS)].array),
}


def measured(original, masked, folder, **options):
    """The assessment, written down as a page too; nothing may warn."""
    assessment = assess(original, masked, progress=False, **options)
    assessment.save(folder, values=True)
    assert 0 <= assessment.risk <= 1 and len(assessment.records) == len(original)
    assert not assessment.attacks.drop(columns="knows").isna().any(axis=None)
    loss = assessment.information_loss["value"]
    assert loss.notna().all() and (loss >= 0).all()
    return assessment


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", COLUMNS)
def test_any_column_can_be_assessed(name, tmp_path):
    before, after = (COLUMNS[name] * 2)[:2]
    assessment = measured(people(x=before), noisy(x=after), tmp_path)
    assert {"age", "town", "income"} <= set(assessment.pair.used)
    # All attacks go on, whatever one of them makes of this column.
    assert set(assessment.attacks["attack"]) == set(attacks.KNOWS)


PAIRS = {
    "sixty columns": (people(**{f"c{i}": normal(i) for i in range(60)}),) * 2,
    "ten records": (people().head(10), noisy().head(10)),
    "twenty equal records": (pd.concat([people().head(1)] * 20 + [people().tail(20)]),) * 2,
    "all equal but one": (pd.DataFrame({"sex": ["f"] * (N - 1) + ["m"]}),) * 2,
    "one text": (people()[["town"]],) * 2,
    "one number": (people()[["income"]], noisy()[["income"]]),
    "two values": (pd.DataFrame({"sex": ["f", "m"] * 20}),) * 2,
    "a record number and a text": (people(id=ROWS + 10**12)[["id", "town"]],) * 2,
    "numbers for names": tuple(f.set_axis([0, 1, 2], axis=1) for f in (people(), noisy())),
    "names of other columns of the tables": tuple(
        f.set_axis(["variable", "risk", "row"], axis=1) for f in (people(), noisy())
    ),
    "no variable that two attacks could use": (
        pd.DataFrame({"a": but_for(np.full(N, 1e6), 1e6 + 0.01), "b": ["f", "m"] * 20}),
    )
    * 2,
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", PAIRS)
def test_any_pair_can_be_assessed(name, tmp_path):
    original, masked = (file.reset_index(drop=True) for file in PAIRS[name])
    assessment = measured(original, masked, tmp_path)
    assessment.report(tmp_path / "report.html", values=True)


def test_a_column_that_an_attack_cannot_use_is_named_everywhere(tmp_path):
    price = but_for(np.full(N, 1e6), 1e6 + 0.001)
    assessment = measured(people(price=price), noisy(price=price), tmp_path)
    table = assessment.attacks.set_index("attack")["left out"]
    assert set(table.loc[[attacks.MAHALANOBIS]]) == {"town, price"}
    assert set(table.drop(attacks.MAHALANOBIS)) == {"none"}
    said = [line for line in assessment.summary() if "leaves out" in line]
    assert said == ["“Mahalanobis” leaves out price: too little variation to divide by."]
    page = assessment.report(tmp_path / "report.html").read_text("utf-8")
    assert said[0] in page and "town, price" in page
    # It finds what it finds without the column.
    found = [
        one.attacks.set_index(["attack", "direction"])["correct"].loc[attacks.MAHALANOBIS].to_dict()
        for one in (assessment, measured(people(), noisy(), tmp_path))
    ]
    assert found[0] == found[1]


def test_where_too_few_columns_vary_an_attack_is_not_tried_and_that_is_said():
    price = but_for(np.full(N, 1e6), 1e6 + 0.001)
    files = (frame.drop(columns="age") for frame in (people(price=price), noisy(price=price)))
    assessment = assess(*files, progress=False)
    assert attacks.MAHALANOBIS not in set(assessment.attacks["attack"])
    assert (
        "Not tried: Mahalanobis; it takes two variables that are numbers and vary, and there is "
        "one." in assessment.summary()
    )


def test_a_record_number_is_named_in_summary_and_page_and_nobody_is_found_by_it(tmp_path):
    number = ROWS + 10**12
    with_number = measured(people(id=number), noisy(id=number), tmp_path)
    assert with_number.risk == measured(people(), noisy(), tmp_path).risk < 1
    (said,) = [line for line in with_number.summary() if "record numbers" in line]
    assert ": id." in said
    assert said in with_number.report(tmp_path / "report.html").read_text("utf-8").replace(
        "&#39;", "'"
    )
    assert set(with_number.unmasked) == {"town", "id"}
    assert with_number.variables.loc["id", ["type", "alone"]].tolist() == ["identifier", 0]


def test_a_loss_of_two_hundred_digits_is_not_written_out():
    files = people(x=normal()), noisy(x=but_for(normal(5), 1e200))
    (said,) = [line for line in assess(*files, progress=False).summary() if "on average (" in line]
    assert said.startswith("Values were moved by 4e+197 on average (0 is not at all;")


def test_a_folder_that_is_not_there_is_named_by_its_own_name(tmp_path):
    assessment = assess(people(), noisy(), alternatives=False, progress=False)
    with pytest.raises(FileNotFoundError, match="the folder .*nowhere does not exist; make it"):
        assessment.report(tmp_path / "nowhere" / "report.html")
