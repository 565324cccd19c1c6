"""The same bytes on every processor: small cases of everything, here and as on an older one."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).parent


def run(**environment):
    run = subprocess.run(
        [sys.executable, HERE / "imitation.py"],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.mark.slow
def test_an_older_processor_gives_the_same_bytes():
    """Without this processor's vector instructions, by the kernels and machine code of another.

    numba keeps machine code by the name of the processor, so that none of this one's is taken.
    """
    features = np._core._multiarray_umath
    has = [name for name in features.__cpu_dispatch__ if features.__cpu_features__[name]]
    older = run(
        NPY_DISABLE_CPU_FEATURES=" ".join(has),
        OPENBLAS_CORETYPE="Prescott",
        NUMBA_CPU_NAME="generic",
        GLIBC_TUNABLES="glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F",
        OMP_NUM_THREADS="1",
    )
    assert run() == older
