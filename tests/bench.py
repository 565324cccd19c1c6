"""`make bench`: linkage, MDAV, EM, assessments, reviews and learning against other ways.

Files of any size are drawn from Census: records with replacement, and 20 percent noise so that none
repeats. Prints times, ratios and growth exponents, and leaves them in build/bench.json. No test
depends on these times.
"""

import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter

import numpy as np
import pandas as pd

import rlpaper
from rlpaper import datasets, review
from rlpaper.compendium import fingerprints, paths
from rlpaper.compendium.sweep import sweep
from rlpaper.distances import categorical, mixed
from rlpaper.learning import WeightedMean
from rlpaper.linkage.fellegi_sunter import FellegiSunter
from rlpaper.linkage.nearest import link
from rlpaper.masking import add_noise, pram
from rlpaper.masking.microaggregation import mdav
from rlpaper.papers.abril2012 import beyond, protocol
from rlpaper.papers.domingo2002.protocol import METHODS, PARAMETERS
from rlpaper.papers.domingo2002.runs import links as domingo2002_links
from rlpaper.papers.torra2008.protocol import ATTRIBUTES, MAIN
from rlpaper.papers.torra2008.runs import experiment as torra2008_experiment

VARIABLES = 7


def file(n, seed=1):
    census = datasets.load("census").iloc[:, :VARIABLES].astype(float)
    census.attrs = {}
    drawn = census.sample(n, replace=True, random_state=seed, ignore_index=True)
    return add_noise(drawn, 20, seed)


def standardised(df):
    return ((df - df.mean()) / df.std()).to_numpy()


def timed(function, *arguments):
    start = time.perf_counter()
    answer = function(*arguments)
    return time.perf_counter() - start, answer


def matrix_product_nearest(a, b, chunk=1000):
    """Nearest row of b for each row of a by |a|^2 - 2 a.b + |b|^2, a block of rows at a time."""
    squares = (b**2).sum(axis=1)
    return np.concatenate(
        [
            (squares - 2 * a[begin : begin + chunk] @ b.T).argmin(axis=1)
            for begin in range(0, len(a), chunk)
        ]
    )


def textbook_mdav(x, k):
    """MDAV as in textbooks, vectorised: every search goes through all records that are left."""
    clusters, left, made = np.empty(len(x), int), np.arange(len(x)), 0

    def squares(point):
        return ((x[left] - point) ** 2).sum(axis=1)

    def take(point):
        nonlocal left, made
        near = np.argpartition(squares(point), k - 1)[:k]
        clusters[left[near]] = made
        left = np.delete(left, near)
        made += 1

    while len(left) >= 2 * k:
        pair = len(left) >= 3 * k
        r = x[left[squares(x[left].mean(axis=0)).argmax()]]
        s = x[left[squares(r).argmax()]]
        take(r)
        if pair:
            take(s)
    clusters[left] = made
    return clusters


def same_groups(a, b):
    return len(set(zip(a, b, strict=True))) == len(set(a)) == len(set(b))


def exponent(sizes, seconds):
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def bench_linkage(n=100_000, sizes=(25_000, 50_000, 100_000, 200_000)):
    original = file(n)
    masked = add_noise(original, 10, 2)
    fast, links = timed(link, original, masked)
    slow, nearest = timed(matrix_product_nearest, standardised(masked), standardised(original))
    seconds = [timed(link, file(size), add_noise(file(size), 10, 2))[0] for size in sizes]
    return {
        "records": n,
        "seconds": fast,
        "matrix product, seconds": slow,
        "ratio": slow / fast,
        "same nearest record, share": float((links["nearest"].to_numpy() == nearest).mean()),
        "growth exponent": exponent(sizes, seconds),
    }


def bench_million(n=1_000_000):
    """In a process of its own, whose memory is then that of this alone."""
    if "million" not in sys.argv:
        command = [sys.executable, __file__, "million"]
        return json.loads(
            subprocess.run(command, check=True, capture_output=True, text=True).stdout
        )
    original = file(n)
    masked = add_noise(original, 10, 2)
    seconds, links = timed(link, original, masked)
    return {
        "records": n,
        "seconds": seconds,
        "correct, share": float(links["correct"].mean()),
        "peak memory, GiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
    }


def bench_mdav(n=20_000, k=5, sizes=(20_000, 40_000, 80_000, 160_000), largest=1_000_000):
    x = standardised(file(n))
    fast, clusters = timed(mdav, x, k)
    slow, textbook = timed(textbook_mdav, x, k)
    seconds = [timed(mdav, standardised(file(size)), k)[0] for size in sizes]
    return {
        "records": n,
        "k": k,
        "seconds": fast,
        "textbook, seconds": slow,
        "ratio": slow / fast,
        "same groups": same_groups(clusters, textbook),
        "growth exponent": exponent(sizes, seconds),
        "seconds for a million records": timed(mdav, standardised(file(largest)), k)[0],
    }


def bench_learning(limit=60):
    """Proofs of the best weights against general solvers; what is cut off counts as the limit."""
    tables = []
    for method, parameter in protocol.INSTANCES:
        rows = pd.DataFrame(
            beyond.general_solvers(
                method, parameter, list(beyond.SOLVERS), limit, np.random.default_rng(1)
            )
        )
        tables.append(rows.assign(file=f"{method} {parameter}"))
        columns = [
            "file",
            "solver",
            "linked",
            "bound",
            "seconds",
            "our_linked",
            "our_bound",
            "our_seconds_to_best",
            "our_seconds",
        ]
        print(
            tables[-1][columns].round(2).to_string(index=False, header=len(tables) == 1), flush=True
        )
    table = pd.concat(tables)
    done = (table["status"] == "optimal") & (table["linked"] == table["our_linked"])
    best = (
        table["seconds"]
        .where(done, limit)
        .clip(upper=limit)
        .groupby(table["file"], sort=False)
        .min()
    )
    ours = table.groupby("file", sort=False)[["our_seconds", "our_status"]].first()
    return {
        "instances": len(ours),
        "limit, seconds": limit,
        "proved by ours": int((ours["our_status"] == "optimal").sum()),
        "proved by the best of the others": int((best < limit).sum()),
        "geometric mean ratio": float(np.exp(np.log(best / ours["our_seconds"]).mean())),
    }


def em_over_pairs(agreements, steps):
    """EM with the responsibility of every pair, vectorised over pairs; exactly `steps` steps."""
    m, u, p = np.full(agreements.shape[1], 0.9), np.full(agreements.shape[1], 0.1), 0.1
    for _ in range(steps):
        same = p * np.where(agreements, m, 1 - m).prod(axis=1)
        other = (1 - p) * np.where(agreements, u, 1 - u).prod(axis=1)
        share = same / (same + other)
        m, u, p = (
            share @ agreements / share.sum(),
            (1 - share) @ agreements / (1 - share).sum(),
            share.mean(),
        )
    return m


def bench_probabilistic():
    """EM over patterns against EM over pairs on RLdata500; all 25 million pairs of FEBRL 4."""
    fields = ["fname_c1", "lname_c1", "by", "bm", "bd"]
    persons = datasets.load("rldata500")[fields]
    fast, model = timed(FellegiSunter().fit, persons)
    codes = np.column_stack([persons[name].factorize()[0] for name in fields])
    first, second = np.triu_indices(len(persons), 1)
    slow, m = timed(
        lambda: em_over_pairs(codes[first] == codes[second], model.history_["step"].max())
    )
    names = ["given_name", "surname", "date_of_birth", "postcode", "suburb", "state"]
    a, b = (datasets.load(f"febrl_dataset4{letter}")[names] for letter in "ab")
    large, _ = timed(FellegiSunter().fit, a, b)
    return {
        "pairs": len(first),
        "seconds": fast,
        "over pairs, seconds": slow,
        "ratio": slow / fast,
        "largest difference of m": float(np.abs(model.m_.to_numpy() - m).max()),
        "pairs of FEBRL 4": len(a) * len(b),
        "seconds for these": large,
    }


def bench_representatives():
    """The study of torra2008: eight files, 24 combinations, ten executions, more linkages."""
    seconds, study = timed(
        lambda: sweep(
            torra2008_experiment,
            [{"dataset": name, "records": 100, "linkages": MAIN} for name in ATTRIBUTES],
            executions=10,
            cache=False,
            progress=False,
        )
    )
    return {"linkages": len(study), "seconds": seconds}


def nearest_in_tables(original, masked, distance, chunk=1000):
    """The nearest original of every masked record, through all pairs, equal records or not."""
    compared = distance(original, masked)
    parts = [
        compared.distances(compared.masked[begin : begin + chunk], compared.original).argmin(axis=1)
        for begin in range(0, len(masked), chunk)
    ]
    return np.concatenate(parts)


def bench_categorical(records=10_000):
    """Adult, six variables: different records looked at once against all pairs.

    And the 360 experiments of domingo2002, each masked file linked in eight more ways besides.
    """
    names = ["marital-status", "relationship", "race", "workclass", "occupation", "education"]
    original = datasets.load("adult")[names].dropna().head(records).reset_index(drop=True)
    masked = pram(original, 0.5, 1)
    original.attrs = {}
    fast, links = timed(link, original, masked, categorical())
    slow, nearest = timed(nearest_in_tables, original, masked, categorical())
    study, _ = timed(
        lambda: sweep(
            domingo2002_links,
            {
                "dataset": ["income_esl"],
                "method": list(METHODS),
                "p": list(PARAMETERS),
                "scope": ["all"],
            },
            cache=False,
            progress=False,
        )
    )
    return {
        "records": len(original),
        "different ones": len(original.drop_duplicates()),
        "seconds": fast,
        "all pairs, seconds": slow,
        "ratio": slow / fast,
        "links that differ": int((links["nearest"] != nearest).sum()),
        "360 experiments, seconds": study,
    }


def persons(n, seed=1):
    """Three numbers and seven categories of adult, drawn with replacement, and a masked copy."""
    names = [
        "age",
        "education-num",
        "hours-per-week",
        "workclass",
        "education",
        "marital-status",
        "occupation",
        "relationship",
        "race",
        "sex",
    ]
    drawn = datasets.load("adult")[names].sample(
        n, replace=True, random_state=seed, ignore_index=True
    )
    drawn.attrs = {}
    original = pd.concat([add_noise(drawn[names[:3]], 20, seed), drawn[names[3:]]], axis=1)
    masked = pd.concat(
        [add_noise(original[names[:3]], 30, seed + 1), pram(original[names[3:]], 0.5, seed)], axis=1
    )
    return original, masked


def bench_assess():
    """Assessments of 10,000 and of a million records of ten variables.

    And the linkage of numbers and categories behind them, by compiled code and by tables.
    """
    original, masked = persons(10_000)
    complete = [file.drop(columns=["workclass", "occupation"]) for file in (original, masked)]
    fast, links = timed(link, *complete, mixed())
    slow, nearest = timed(nearest_in_tables, *complete, mixed())
    seconds, small = timed(lambda: rlpaper.assess(original, masked, progress=False))
    large_seconds, large = timed(lambda: rlpaper.assess(*persons(1_000_000), progress=False))
    return {
        "10,000 x 10, seconds": seconds,
        "risk": small.risk,
        "a million x 10, seconds": large_seconds,
        "risk of a million": large.risk,
        "interval of a million": f"{large.worst['low']:.3f} to {large.worst['high']:.3f}",
        "peak memory, GB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
        "linkage, seconds": fast,
        "by tables, seconds": slow,
        "ratio": slow / fast,
        "links that differ": int((links["nearest"] != nearest).sum()),
    }


def count_by_loop(risk, records, own, pair, row, modes):
    """The anonymity set of a row among the records of its own file, one by one."""
    cells = risk.comparisons(*pair)
    tests = []
    for place, (cell, mode) in enumerate(zip(cells, modes, strict=True)):
        if mode == "full" and cell.values[row] is not None:
            tests.append(lambda values, place=place, own=cell.values[row]: values[place] == own)
        elif (pattern := cell.pattern(row, mode)) is not None:
            matches = re.compile(pattern, re.DOTALL).fullmatch
            counts = (
                Counter(values[place] for values in records) if cell.agreement == "equal" else None
            )
            tests.append(
                lambda values, place=place, matches=matches, counts=counts: (
                    values[place] is not None
                    and matches(values[place])
                    and (counts is None or counts[values[place]] >= 2)
                )
            )
    return sum(all(test(values) for test in tests) for values in own)


def bench_review(pairs=10_000, clicks=300):
    """A review of 10,000 pairs of FEBRL 4: opening, clicks at random, the counting of records."""
    files = [
        datasets.load(name).set_index("rec_id") for name in ("febrl_dataset4a", "febrl_dataset4b")
    ]
    for persons in files:
        persons["born"] = persons["date_of_birth"].where(
            persons["date_of_birth"].str.fullmatch(r"\d{8}", na=False)
        )
    kinds = {
        "given_name": "name",
        "surname": "name",
        "born": "date",
        "suburb": "name",
        "postcode": "string",
        "state": "category",
    }
    table = review.block(
        *files, blocks=["surname", "born", ("given_name", "postcode"), ("suburb", "state")]
    ).head(pairs)
    with tempfile.TemporaryDirectory() as folder:
        made, project = timed(
            lambda: review.create(
                f"{folder}/p",
                *files,
                identifiers=kinds,
                pairs=table,
                swaps=[("given_name", "surname")],
            )
        )
        opened, session = timed(project.session, "reviewer")
        shown, _ = timed(session.handle, {"type": "open"})
        rng, seconds = np.random.default_rng(1), []
        for _ in range(clicks):
            message = {
                "type": "reveal",
                "cells": [[int(rng.integers(len(table))), int(rng.integers(len(kinds)))]],
                "mode": str(rng.choice(["partial", "full"])),
            }
            seconds.append(timed(session.handle, message)[0])
        risk, modes = session.risk, ["partial"] * len(kinds)
        records = [tuple(row) for row in risk._values]
        ours, counted = timed(
            lambda: [row[0] for pair in session.pairs[:100] for row in risk.rows(*pair, modes)]
        )
        halves = records[: len(files[0])], records[len(files[0]) :]
        loops, brute = timed(
            lambda: [
                count_by_loop(risk, records, halves[row], pair, row, modes)
                for pair in session.pairs[:5]
                for row in (0, 1)
            ]
        )
    return {
        "pairs": len(table),
        "records": len(records),
        "making, seconds": made,
        "opening, seconds": opened + shown,
        "click, median milliseconds": 1000 * float(np.median(seconds)),
        "click, slowest milliseconds": 1000 * max(seconds),
        "200 rows counted, seconds": ours,
        "10 rows by a loop, seconds": loops,
        "ratio a row": (loops / 10) / (ours / 200),
        "counts that differ": sum(a != b for a, b in zip(counted, brute, strict=True)),
    }


def main():
    link(file(100), file(100)), mdav(standardised(file(100)), 5)  # compile
    WeightedMean(progress=False).fit(file(100), add_noise(file(100), 50, 2))
    if "million" in sys.argv:
        print(json.dumps(bench_million()))
        return
    found = {}
    for name, bench in (
        ("exact linkage", bench_linkage),
        ("linkage of a million records", bench_million),
        ("MDAV", bench_mdav),
        ("probabilistic linkage", bench_probabilistic),
        ("the study of torra2008", bench_representatives),
        ("categorical linkage", bench_categorical),
        ("assessments", bench_assess),
        ("a review of 10,000 pairs", bench_review),
        ("learned weights", bench_learning),
    ):
        found[name] = bench()
        print(f"\n{name}")
        print(
            pd.Series(found[name], dtype=object)
            .map(lambda v: f"{v:.3g}" if isinstance(v, float) else v)
            .to_string()
        )
    path = paths.checkout() / "build" / "bench.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"machine": fingerprints.machine(), **found}, indent=1) + "\n")


if __name__ == "__main__":
    main()
