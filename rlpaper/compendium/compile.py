"""Compile what the notebooks and tests need, once for each machine and source, instead of in every process that needs it."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numba

from .. import machine_code, provenance


def compile_all():
    """Fill the user's cache of machine code, unless it has been filled for this source and version of numba."""
    versions = [machine_code.version(name) for name in provenance.package_modules() if machine_code.is_compiled(name)]
    key = provenance.digest(*versions, numba.__version__, Path(__file__).read_text())
    done = machine_code.FOLDER / f"complete-{key[:16]}"
    if not machine_code.writable() or done.exists():
        return
    print("Compiling (once for each machine and version of the code; less than a minute)", flush=True)
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        for part in [pool.submit(part) for part in (_search, _cuts_and_linkage)]:
            part.result()
    done.touch()


def _files():
    """Records of Census and the same masked, few and yet not easy."""
    from .. import datasets
    from ..masking import microaggregate

    original = datasets.load("census").iloc[:60, :5]
    original.attrs = {}
    masked = microaggregate(original, 6, 5)
    masked.attrs = {}
    return original, masked


def _search():
    """Branch and bound, which takes about as long as everything else."""
    from ..learning import WeightedMean

    WeightedMean().fit(*_files(), method="boxes", progress=False)


def _cuts_and_linkage():
    import numpy as np

    from ..distances import categorical, gower
    from ..learning import Choquet, Mahalanobis
    from ..linkage.distance import link, ranks
    from ..linkage.probabilistic import FellegiSunter
    from ..masking import microaggregate, rank_swap

    original, masked = (file.iloc[:12, :3] for file in _files())
    for learner in (Choquet(), Mahalanobis()):
        learner.fit(original, masked, method="cuts", progress=False)
    microaggregate(original, 2, 2), microaggregate(original, 2, method="individual"), rank_swap(original, 30, np.random.default_rng(0))
    link(original, masked), link(original, masked, gower())
    categories = [file.astype(int).astype("category") for file in (original, original)]
    FellegiSunter().fit(*categories).link(*categories), ranks(*categories, categorical())


if __name__ == "__main__":
    compile_all()
