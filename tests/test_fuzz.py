"""Whatever the public functions are given, they go through or say what is wrong; see `fuzz`."""

import importlib
import os
import subprocess
import sys

import pytest

from conftest import ROOT
from fuzz.calls import CALLS

PACKAGES = (
    "distances",
    "masking",
    "information_loss",
    "linkage",
    "learning",
    "risk",
    "review",
    "examples",
)
#: Public names that are not called, and why.
LEFT_OUT: dict[str, str] = {
    "risk.Assessment": "assess makes it",
    "risk.FilesError": "an error",
    "risk.Pair": "prepare makes it",
    "review.RefusedError": "an error",
    "review.TamperedError": "an error",
}


@pytest.mark.slow
def test_ten_thousand_calls_go_through_or_are_refused_at_the_door():
    run = subprocess.run(
        [sys.executable, "-m", "fuzz"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "tests"), str(ROOT)])},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_every_public_function_is_called_or_left_out_for_a_reason():
    called = {function for call in CALLS for function in call.functions}
    missing = []
    for package in PACKAGES:
        module = importlib.import_module(f"rlpaper.{package}")
        for name in module.__all__:
            thing = getattr(module, name)
            if callable(thing) and thing not in called and f"{package}.{name}" not in LEFT_OUT:
                missing.append(f"{package}.{name}")
    assert missing == []
