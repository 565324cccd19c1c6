"""`make bench BASE=<revision>`: proofs of the best weights, this tree against an older one.

Two processes, one for each tree (the older one in a git worktree under build/), prove the same
files in turn; processor time, the least of several runs. Every answer is compared. Then whole files
of 10,000 records, for this tree only, with their memory.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

ROOT = Path(__file__).resolve().parent.parent
PROOFS = [
    ("Noise", 6),
    ("Mic2", 10),
    ("RankSwap", 6),
    ("Mic3", 10),
    ("Mic3", 20),
    ("Mic5", 10),
    ("MicAll", 5),
    ("MicAll", 20),
    ("Mic2", 20),
    ("Mic3", 3),
    ("Mic3", 18),
    ("Mic4", 5),
    ("Mic4", 15),
    ("Mic5", 4),
    ("Mic6", 3),
    ("Mic6", 12),
    ("MicAll", 3),
    ("MicAll", 10),
    ("RankSwap", 3),
    ("Noise", 16),
]
WHOLE = [("RankSwap", 6), ("Noise", 16), ("MicAll", 4)]
LARGE, GAP = 10_000, 0.05
TRIVIAL = 0.1  # seconds that a proof takes in the older tree: below, it counts in no mean
HARD = ("Mic3", "Mic4", "Mic5", "Mic6")


def worker():
    """Prove what is asked for on standard input: one pickled pair of frames per line."""
    from rlpaper.learning import WeightedMean

    try:
        from rlpaper.learning.formulation import Formulation as assembler
    except ImportError:  # an older tree: limits are arguments of fit
        assembler = WeightedMean
    try:
        from rlpaper.linkage.nearest import DIRECTIONS as directions
    except ImportError:
        from rlpaper.linkage.distance import DIRECTIONS as directions
    # Older trees have other names for them, in the same order.
    directed = dict(zip(("masked_to_original", "original_to_masked"), directions, strict=True))
    older, assembling = assembler is WeightedMean, []
    name = "_problem" if older else "problem"
    problem = getattr(assembler, name)

    def timed(*arguments):
        begin = time.process_time()
        answer = problem(*arguments)
        assembling.append(time.process_time() - begin)
        return answer

    setattr(assembler, name, timed)
    for line in sys.stdin:
        task = json.loads(line)
        original, masked = (pd.read_pickle(task[name]) for name in ("original", "masked"))
        limits = {"progress": False, **task["limits"]}
        learner = WeightedMean(direction=directed[task["direction"]])
        if not older:
            learner.set_params(**limits)
        for _ in range(task["runs"]):
            assembling.clear()
            begin = time.process_time()
            learner.fit(original, masked, **(limits if older else {}))
            whole = time.process_time() - begin
            answer = {
                "linked": learner.linked_,
                "bound": learner.bound_,
                "work": learner.work_,
                "assemble": sum(assembling),
                "prove": learner.cpu_seconds_ - sum(assembling),
                "seconds": whole,
                "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
            }
            print(json.dumps(answer), flush=True)


class Tree:
    """A process that proves with the package of one tree."""

    def __init__(self, root):
        environment = {
            **os.environ,
            "PYTHONPATH": str(root),
            "TQDM_DISABLE": "1",
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
        }
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--worker"],
            cwd=root,
            env=environment,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def prove(self, files, direction="masked_to_original", **limits):
        with tempfile.TemporaryDirectory() as folder:
            task = {"direction": direction, "limits": limits, "runs": 1}
            for name, file in zip(("original", "masked"), files, strict=True):
                task[name] = f"{folder}/{name}.pkl"
                file.to_pickle(task[name])
            self.process.stdin.write(json.dumps(task) + "\n")
            self.process.stdin.flush()
            return json.loads(self.process.stdout.readline())


def compare(trees, files, name, runs):
    """The least of several runs, in turn."""
    answers = {tree: [] for tree in trees}
    for _ in range(runs):
        for tree, process in trees.items():
            answers[tree].append(process.prove(files))
    row = {"file": name}
    for tree, found in answers.items():
        row |= {
            f"{what} {tree}": min(answer[what] for answer in found)
            for what in ("assemble", "prove")
        }
        row |= {f"work {tree}": found[0]["work"]}
    found = [(answer["linked"], answer["bound"]) for part in answers.values() for answer in part]
    assert len(set(found)) == 1, f"{name}: the trees disagree, {found}"
    row["linked"] = found[0][0]
    row["ratio"] = row["prove base"] / row["prove here"] if "base" in trees else np.nan
    return row


def geometric(ratios):
    return float(np.exp(np.log(ratios).mean()))


def main(base, runs):
    from rlpaper import datasets
    from rlpaper.masking import add_noise, rank_swap
    from rlpaper.papers.abril2012.runs import one_sample, whole_pair

    trees = {"here": Tree(ROOT)}
    if base:
        folder = ROOT / "build" / f"base-{base}"
        if not folder.exists():
            subprocess.run(
                ["git", "worktree", "add", "--detach", "--force", str(folder), base],
                cwd=ROOT,
                check=True,
                capture_output=True,
            )
        trees["base"] = Tree(folder)
    samples = {name: one_sample(*name, np.random.default_rng(1))[0] for name in PROOFS}
    for process in trees.values():
        process.prove(samples["Mic2", 10])  # compile
    rows = []

    def show(row):
        rows.append(row)
        print(
            "  ".join(
                f"{key} {value:.3f}" if isinstance(value, float) else f"{key} {value}"
                for key, value in row.items()
            ),
            flush=True,
        )

    for name in PROOFS:
        show(compare(trees, samples[name], f"{name[0]} {name[1]}", runs))
    census = datasets.load("census").iloc[:, :7].astype(float)
    census.attrs = {}
    for method, parameter in WHOLE:
        files = whole_pair(method, parameter, np.random.default_rng(1))
        show(compare(trees, files, f"{method} {parameter}, all records", 1 if base else runs))
    table = pd.DataFrame(rows)
    found = {}
    if base:
        small = table[~table["file"].str.endswith("records") & (table["prove base"] > TRIVIAL)]
        hard = small[small["file"].str.startswith(HARD)]
        large = table[table["file"].str.endswith("records")]
        for label, part in (
            ("400 records", small),
            ("of these Mic3 to Mic6", hard),
            ("all records", large),
        ):
            found[label] = {
                "files": len(part),
                "geometric mean ratio": geometric(part["ratio"]),
                "seconds base": part["prove base"].sum(),
                "seconds here": part["prove here"].sum(),
                "assembling, seconds base": part["assemble base"].sum(),
                "assembling, seconds here": part["assemble here"].sum(),
            }
    for name, mask in (
        ("Noise 16", lambda file: add_noise(file, 16, 3)),
        ("RankSwap 6", lambda file: rank_swap(file, 6, 3)),
    ):
        drawn = add_noise(
            census.sample(LARGE, replace=True, random_state=1, ignore_index=True), 5, 2
        )
        masked = mask(drawn)
        answer = Tree(ROOT).prove((drawn, masked), gap=GAP)
        found[f"{LARGE:,} records, {name}"] = {
            **answer,
            "gap": (answer["bound"] - answer["linked"]) / LARGE,
        }
    for label, values in found.items():
        print(f"\n{label}")
        print(
            pd.Series(values, dtype=object)
            .map(lambda v: f"{v:.3g}" if isinstance(v, float) else v)
            .to_string()
        )
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("base", nargs="?")
    parser.add_argument("--worker", action="store_true")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    worker() if options.worker else main(options.base, options.runs)
