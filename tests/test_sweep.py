import importlib
import inspect
import os
import pkgutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client

import joblib
import numpy as np
import pandas as pd
import pytest

from imitation import SWEPT, name_of, swept
from rlpaper import papers
from rlpaper.compendium import fingerprints, pool
from rlpaper.compendium.sweep import drawn_by, generator, sweep
from rlpaper.papers.abril2012 import protocol, runs as abril2012
from rlpaper.papers.domingo2002 import runs as domingo2002
from rlpaper.papers.torra2008 import runs as torra2008
from rlpaper.papers.torra2008.runs import count_links

GRID = {"a": [1, 2, 3], "b": ["x", "y"]}


def noise(a, b, random_state):
    matrix = random_state.normal(size=(200, 200))
    return {"value": a + float((matrix @ matrix).sum()), "word": b * 2}


def two_rows(a, random_state):
    return [{"row": i, "value": a * i} for i in range(2)]


def who(a, random_state):
    time.sleep(0.2)
    return {"pid": os.getpid()}


def csv(frame):
    return frame.to_csv(index=False)


@pytest.mark.parametrize(
    ("workers", "environment", "expected"),
    [(1, None, 1), (2, "3", 2), (None, "3", 3), (None, "0", 5), (None, None, 5), (9, None, 6)],
)
def test_so_many_processes_as_asked_for(workers, environment, expected, monkeypatch):
    asked = []

    class Parallel(joblib.Parallel):
        def __init__(self, number, **options):
            asked.append(number)
            super().__init__(1, **options)

    monkeypatch.setattr(joblib, "Parallel", Parallel)
    monkeypatch.setattr(os, "cpu_count", lambda: 5)
    monkeypatch.delenv("RLPAPER_WORKERS", raising=False)
    if environment is not None:
        monkeypatch.setenv("RLPAPER_WORKERS", environment)
    sweep(two_rows, {"a": [*range(6)]}, workers=workers, cache=False, progress=False)
    assert asked == [expected]  # of six calls


def test_rows_come_in_the_grids_order():
    frame = sweep(
        two_rows, [{"a": 5}, {"a": 1}], executions=2, workers=2, cache=False, progress=False
    )
    assert frame.to_dict("list") == {
        "a": [5, 5, 5, 5, 1, 1, 1, 1],
        "execution": [0, 0, 1, 1, 0, 0, 1, 1],
        "row": [0, 1] * 4,
        "value": [0, 5, 0, 5, 0, 1, 0, 1],
    }


def test_same_bytes_with_one_and_two_workers_fresh_and_from_the_cache(tmp_path):
    one = sweep(noise, GRID, executions=3, seed=4, workers=1, cache=False, progress=False)
    two = sweep(noise, GRID, executions=3, seed=4, workers=2, cache=tmp_path, progress=False)
    again = sweep(noise, GRID, executions=3, seed=4, workers=2, cache=tmp_path, progress=False)
    assert csv(one) == csv(two) == csv(again)
    assert csv(one) != csv(
        sweep(noise, GRID, executions=3, seed=5, workers=1, cache=False, progress=False)
    )


def test_adding_settings_or_executions_leaves_the_others_alone():
    small = sweep(
        noise, {"a": [2], "b": ["y"]}, executions=2, workers=1, cache=False, progress=False
    )
    large = sweep(noise, GRID, executions=4, workers=1, cache=False, progress=False)
    part = large[(large["a"] == 2) & (large["b"] == "y") & (large["execution"] < 2)]
    assert csv(small) == csv(part)


def test_generators_differ_between_calls():
    draws = {
        generator(noise, seed, {"a": a}, execution).random()
        for seed in (0, 1)
        for a in (0, 1)
        for execution in (0, 1)
    }
    assert len(draws) == 8


@drawn_by("size")
def drawn(size, how, random_state):
    return {"value": float(random_state.random())}


@drawn_by("records")
def renamed(records, way, more, random_state):
    return {"value": float(random_state.random())}


def test_draws_depend_on_what_is_drawn_and_not_on_words():
    quiet = {"executions": 3, "seed": 2, "workers": 1, "cache": False, "progress": False}
    table = sweep(drawn, {"size": [5, 6], "how": ["one", "other"]}, **quiet)
    values = table.pivot(index=["size", "execution"], columns="how", values="value")
    assert (values["one"] == values["other"]).all() and values["one"].is_unique
    again = sweep(renamed, {"records": [5, 6], "way": ["one"], "more": [None]}, **quiet)
    assert again["value"].tolist() == values["one"].tolist()
    with pytest.raises(KeyError, match="size"):
        sweep(drawn, {"how": ["one"]}, **quiet)


def test_renaming_an_option_or_adding_a_reading_or_linkage_moves_no_number(monkeypatch):
    quiet = {"seed": 3, "workers": 1, "cache": False, "progress": False}
    setting = {"dataset": "iris", "records": 40, "linkages": ["DBRL", "PRL with a floor"]}
    before = sweep(torra2008.experiment, [setting], **quiet)
    monkeypatch.setattr(
        torra2008,
        "LINKAGES",
        {
            "DBRL": torra2008.LINKAGES["DBRL"],
            "PRL floored": torra2008.LINKAGES["PRL with a floor"],
            "by ranges": torra2008.Linkage(standardise="pooled"),
        },
    )
    after = sweep(
        torra2008.experiment,
        [{**setting, "linkages": ["DBRL", "by ranges", "PRL floored"]}],
        **quiet,
    )
    for old, new in (("DBRL", "DBRL"), ("PRL with a floor", "PRL floored")):
        assert (
            before.loc[before["linkage"] == old, "correct"].tolist()
            == after.loc[after["linkage"] == new, "correct"].tolist()
        )

    options = {
        "samples": 2,
        "test": False,
        "order": "file",
        "records": "file",
        "variables": 13,
        "standardise": True,
        "partners": "above",
    }
    one = sweep(
        abril2012.experiment,
        [{"method": "RankSwap", "parameter": 4, "sources": ["own"], **options}],
        **quiet,
    )
    both = sweep(
        abril2012.experiment,
        [{"method": "RankSwap", "parameter": 4, "sources": ["pooled", "own"], **options}],
        **quiet,
    )
    columns = ["part", "direction", "ties", "mean", "sd"]
    assert csv(one[columns]) == csv(both.loc[both["moments"] == "own", columns])
    learned = sweep(
        abril2012.learn,
        [
            {
                "method": "RankSwap",
                "parameter": 4,
                "moments": "own",
                "direction": "masked_to_original",
                **options,
            }
        ],
        **quiet,
    )
    strict = one[(one["direction"] == "masked_to_original") & (one["ties"] == "strict")]
    assert learned["dbrl"].mean() / protocol.TRAIN == pytest.approx(
        strict["mean"].item()
    )  # the same files and records

    masked = {"dataset": "adult", "method": "pram", "p": 9, "scope": "all"}
    dist = sweep(domingo2002.loss, [masked], **quiet).query("measure == 'Dist'")
    other = sweep(domingo2002.loss, [{**masked, "scope": "ordinal"}], **quiet).query(
        "measure == 'Dist'"
    )
    assert dist["loss"].tolist() == other["loss"].tolist()


def files(folder):
    return {path.name for path in folder.rglob("*.json")}


def test_cache_key_follows_parameters_seed_and_libraries(tmp_path, monkeypatch):
    def run(**options):
        before = files(tmp_path)
        sweep(noise, {"a": [1], "b": ["x"]}, workers=1, cache=tmp_path, progress=False, **options)
        return len(files(tmp_path) - before)

    assert run() == 1
    assert run() == 0
    assert run(seed=1) == 1
    assert run(executions=2) == 1
    monkeypatch.setattr(fingerprints, "library_versions", lambda names: dict.fromkeys(names, "0"))
    assert run() == 1


def test_cache_key_follows_the_functions_source(tmp_path):
    def sweep_source(body):
        script = tmp_path / "study.py"
        script.write_text(f"def study(a, random_state):\n    return {{'value': {body}}}\n")
        program = (
            "import sys; sys.path.insert(0, sys.argv[1]); from study import study; "
            "from rlpaper.compendium.sweep import sweep; "
            "options = {'cache': sys.argv[1] + '/cache', 'progress': False}; "
            "print(sweep(study, {'a': [1]}, workers=1, **options)['value'][0])"
        )
        run = subprocess.run(
            [sys.executable, "-B", "-c", program, str(tmp_path)], capture_output=True, text=True
        )
        assert run.returncode == 0, run.stderr
        return int(run.stdout)

    assert [sweep_source("a"), sweep_source("a"), sweep_source("a + 10")] == [1, 1, 11]
    assert len(files(tmp_path / "cache")) == 2


def test_a_damaged_cache_file_is_computed_again(tmp_path, caplog):
    first = sweep(two_rows, {"a": [1]}, workers=1, cache=tmp_path, progress=False)
    (path,) = tmp_path.rglob("*.json")
    path.write_text('[{"row"')
    assert csv(sweep(two_rows, {"a": [1]}, workers=1, cache=tmp_path, progress=False)) == csv(first)
    assert "damaged" in caplog.text


def returns_frame(a, random_state):
    return {"value": pd.Series([a])}


def returns_own_name(a, random_state):
    return {"a": 1}


def fails(a, random_state):
    raise ZeroDivisionError("a is the trouble")


@pytest.mark.parametrize(
    ("function", "grid", "error", "message"),
    [
        (two_rows, [], ValueError, "the sweep is empty"),
        (two_rows, [{"a": 1}, {"a": 1}], ValueError, "occur twice"),
        (two_rows, {"a": [1, 1]}, ValueError, "occur twice"),
        (two_rows, {"a": [object()]}, TypeError, "numbers, texts"),
        (returns_frame, {"a": [1]}, TypeError, "not Series"),
        (returns_own_name, {"a": [1]}, ValueError, "returned a, which the setting has already"),
        (fails, {"a": [1]}, ZeroDivisionError, "a is the trouble"),
    ],
)
def test_bad_sweeps(tmp_path, function, grid, error, message):
    with pytest.raises(error, match=message):
        sweep(function, grid, workers=1, cache=tmp_path, progress=False)


def test_a_function_that_depends_on_its_surroundings_is_refused(tmp_path):
    factor = 3

    def scaled(a, random_state):
        return {"value": factor * a}

    with pytest.raises(ValueError, match="pass them as parameters"):
        sweep(scaled, {"a": [1]}, cache=tmp_path, progress=False)


def test_numpy_values_are_plain_in_the_result(tmp_path):
    frame = sweep(two_rows, {"a": list(np.arange(2))}, workers=1, cache=tmp_path, progress=False)
    assert frame["value"].tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize("off", ["", "1"])
def test_a_sweep_shows_a_bar_that_can_be_turned_off(off, tmp_path):
    code = "from test_sweep import *; sweep(two_rows, {'a': [1, 2]}, workers=1, cache=False)"
    shown = subprocess.run(
        [sys.executable, "-c", code],
        cwd=os.path.dirname(__file__),
        env={**os.environ, **({"TQDM_DISABLE": off} if off else {})},
        check=True,
        capture_output=True,
        text=True,
    )
    assert shown.stdout == "" and ("two_rows" in shown.stderr) == (not off)


SLOW = """
import sys, time
from pathlib import Path
from rlpaper.compendium.sweep import sweep

def slow(a, log, random_state):
    with open(log, "a") as file:
        file.write(f"{a}\\n")
    time.sleep(0.3)
    return {"value": float(random_state.random())}

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    grid = {"a": list(range(16)), "log": [str(folder / "log")]}
    frame = sweep(slow, grid, workers=2, cache=folder / "cache", progress=False)
    frame.drop(columns="log").to_csv(folder / "result.csv", index=False)
"""


@pytest.mark.slow
def test_killing_a_sweep_loses_only_the_calls_under_way(tmp_path):
    (tmp_path / "slow.py").write_text(SLOW)
    command = [sys.executable, str(tmp_path / "slow.py"), str(tmp_path)]
    process = subprocess.Popen(
        command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 60
    while len(files(tmp_path)) < 6 and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    kept = len(files(tmp_path))
    begun = len((tmp_path / "log").read_text().split())
    assert 6 <= kept < 16 and begun - kept <= 2 * 2  # two workers, and what was on its way back
    (tmp_path / "log").write_text("")
    subprocess.run(command, check=True, timeout=120)
    assert len((tmp_path / "log").read_text().split()) == 16 - kept
    interrupted = (tmp_path / "result.csv").read_bytes()
    subprocess.run(["rm", "-r", str(tmp_path / "cache")], check=True)
    subprocess.run(command, check=True, timeout=120)
    assert (tmp_path / "result.csv").read_bytes() == interrupted


def test_a_pool_that_notebooks_share_gives_the_same_bytes(tmp_path):
    grid = {"n": [20, 50], "times": [500]}
    here = sweep(count_links, grid, executions=3, seed=2, workers=1, cache=False, progress=False)
    with pool.Pool(2):
        there = sweep(count_links, grid, executions=3, seed=2, cache=tmp_path, progress=False)
        typed = sweep(
            two_rows, {"a": [5]}, workers=1, cache=False, progress=False
        )  # not in the package, so made here
        with pytest.raises(KeyError, match="nothing") as fault:
            sweep(
                torra2008.experiment,
                {"dataset": ["iris"], "records": [9], "linkages": [["nothing"]]},
                cache=False,
                progress=False,
            )
        assert "torra2008/runs.py" in str(
            fault.value.__cause__
        )  # where it went wrong, in the other process
        assert csv(
            sweep(count_links, grid, executions=3, seed=2, cache=tmp_path, progress=False)
        ) == csv(here)
    assert pool.ADDRESS not in os.environ
    assert csv(here) == csv(there) and len(files(tmp_path)) == 6 and len(typed) == 2


def test_the_pool_knows_what_a_notebook_cost_and_what_an_earlier_build_had_left(
    tmp_path, monkeypatch
):
    def make(shared, notebook, sizes):
        monkeypatch.setenv(pool.NOTEBOOK, notebook)
        sweep(count_links, {"n": sizes, "times": [500]}, seed=2, cache=tmp_path, progress=False)
        return shared.asked[notebook], shared.kept[notebook]

    with pool.Pool(1) as shared:
        assert make(shared, "a", [20, 30]) == (2, 0)
        began = time.monotonic()
        assert make(shared, "b", [20, 30, 40]) == (1, 0)  # what "a" has left is of this build
        assert shared.spent["a"] > 0 and 0 < shared.spent["b"] < time.monotonic() - began
    with pool.Pool(1) as shared:
        assert make(shared, "c", [20, 30, 40, 50]) == (1, 3)


def test_a_call_that_two_sweeps_ask_for_is_made_once():
    with pool.Pool(2):
        calls = {number: (str(number % 3), (os.getpid,)) for number in range(9)}
        connections = [pool.compute(_stamp, calls) for _ in range(2)]
        first, second = (dict(connection) for connection in connections)
    assert first == second and len(set(first.values())) == 3


def _stamp(function):
    time.sleep(0.05)
    return function(), time.monotonic_ns()


READING = []


def _read_slowly():
    READING.append(1)
    time.sleep(0.2)
    together = len(READING)
    READING.pop()
    return together


class _Slow:
    """Something whose reading takes a while, as that of a module to be imported does."""

    def __reduce__(self):
        return _read_slowly, ()


def test_what_sweeps_send_is_read_one_at_a_time():
    with pool.Pool(1), ThreadPoolExecutor(2) as threads:
        calls = [{0: (str(number), (_first, _Slow()))} for number in range(2)]
        answers = threads.map(lambda call: dict(pool.compute(_called, call)), calls)
        assert [answer[0] for answer in answers] == [1, 1]


def _first(together):
    return together


def _called(function, together):
    return function(together)


def test_a_stranger_cannot_send_calls_to_the_pool():
    with pool.Pool(1):
        with pytest.raises(AuthenticationError):
            Client(os.environ[pool.ADDRESS], authkey=b"guess")
        Client(os.environ[pool.ADDRESS]).close()  # hangs up before it has said anything
        assert dict(pool.compute(_stamp, {0: ("x", (os.getpid,))}))  # and others still can


@pytest.mark.slow
def test_a_dask_cluster_gives_the_same_bytes(tmp_path, monkeypatch):
    from distributed import LocalCluster

    grid = {"n": [20, 50], "times": [500]}
    here = sweep(count_links, grid, executions=3, seed=2, workers=2, cache=False, progress=False)
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        monkeypatch.setenv("RLPAPER_SCHEDULER", cluster.scheduler_address)
        there = sweep(count_links, grid, executions=3, seed=2, cache=tmp_path, progress=False)
        pids = sweep(who, {"a": list(range(8))}, cache=False, progress=False)["pid"]
    assert csv(here) == csv(there)
    assert len(files(tmp_path)) == 6
    assert pids.nunique() == 2 and os.getpid() not in set(pids)


def test_the_list_of_swept_functions_is_complete():
    modules = (
        importlib.import_module(module.name)
        for module in pkgutil.walk_packages(papers.__path__, "rlpaper.papers.")
    )
    assert set(SWEPT) == {
        function
        for module in modules
        for function in vars(module).values()
        if inspect.isfunction(function) and hasattr(function, "drawn_by")
    }


@pytest.fixture(scope="module")
def shared_pool():
    with pool.Pool(2):
        yield


@pytest.mark.slow
@pytest.mark.parametrize("function", SWEPT, ids=name_of)
def test_one_worker_and_two_give_the_same_bytes(function, shared_pool, monkeypatch):
    two = swept(function)
    monkeypatch.delenv(pool.ADDRESS)
    assert swept(function, workers=1) == two
