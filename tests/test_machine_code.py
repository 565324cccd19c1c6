import os
import subprocess
import sys

INNER = "from .machine_code import compiled\n\n@compiled\ndef inner():\n    return {}\n"
OUTER = "from .inner import inner\nfrom .machine_code import compiled\n\n@compiled\ndef outer():\n    return inner() + 1\n"


def answer(clone):
    code = "import numba; from rlpaper.outer import outer; print(outer(), sum(outer.stats.cache_hits.values()), numba.config.CACHE_DIR)"
    run = subprocess.run([sys.executable, "-c", code], cwd=clone.root, env={**os.environ, "NUMBA_CACHE_DIR": ""},
                         check=True, capture_output=True, text=True)
    return run.stdout.split()


def test_machine_code_is_kept_until_a_function_that_it_calls_changes(clone):
    (clone.root / "rlpaper" / "outer.py").write_text(OUTER)
    (clone.root / "rlpaper" / "inner.py").write_text(INNER.format(1))
    assert answer(clone) == ["2", "0"]
    assert answer(clone) == ["2", "1"]
    (clone.root / "rlpaper" / "inner.py").write_text(INNER.format(5))
    assert answer(clone) == ["6", "0"]
