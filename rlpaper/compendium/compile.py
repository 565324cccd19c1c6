"""Compile what notebooks and tests need, once for each machine and source.

Else every process that needs it would.
"""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numba

from .._internal import jit, sources


def compile_all() -> None:
    """Fill the user's cache of machine code, unless it has been filled for this source.

    A new version of numba fills it anew.
    """
    versions = [jit.version(name) for name in sources.modules() if jit.is_compiled(name)]
    key = sources.digest(*versions, numba.__version__, Path(__file__).read_text())
    done = jit.FOLDER / f"complete-{key[:16]}"
    if not jit.writable() or done.exists():
        return
    print(
        "Compiling (once for each machine and version of the code; less than a minute)", flush=True
    )
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        for part in [pool.submit(part) for part in (_search, _learning, _linkage)]:
            part.result()
    done.touch()


def _search():
    """Compile branch and bound, which takes about as long as everything else."""
    import numpy as np

    from ..learning._branch_and_bound import BoxSearch
    from ..learning._problem import Problem

    blocks, parameters = 12, 3
    rows = np.random.default_rng(0).standard_normal((blocks, parameters))
    rows /= np.abs(rows).max(axis=1, keepdims=True)
    places = np.arange(blocks)
    problem = Problem(
        rows,
        np.arange(blocks + 1),
        places,
        places,
        0,
        np.zeros(parameters),
        np.arange(parameters),
        np.empty((0, parameters)),
    )
    BoxSearch(problem, 0, np.ones(parameters), 1).run(1000)


def _learning():
    """Compile what comes before a search, and the search by cuts."""
    from ..learning import Choquet, Mahalanobis, WeightedMean

    files = _files()
    for learner in (WeightedMean, Choquet, Mahalanobis):
        learner(method="cuts", progress=False).fit(*files)


def _linkage():
    import numpy as np

    from .._internal.arithmetic import power
    from ..distances import categorical, gower
    from ..linkage.comparisons import same_bin
    from ..linkage.fellegi_sunter import FellegiSunter
    from ..linkage.nearest import link
    from ..linkage.true_ranks import ranks
    from ..masking import microaggregate, rank_swap

    original, masked = _files()
    for method in ("individual", "pca"):
        microaggregate(original, 2, method=method)
    (
        microaggregate(original, 2, 2),
        power(0.5, 1.5),
        rank_swap(original, 30, np.random.default_rng(0)),
    )
    link(original, masked), link(original, masked, gower())
    categories = [file.astype(int).astype("category") for file in (original, original)]
    FellegiSunter().fit(*categories).link(*categories), ranks(*categories, categorical())
    FellegiSunter(same_bin(), prorate=True).fit(original, masked).link(original, masked)


def _files():
    """Return a few records of Census, and the same masked by exchanging neighbours."""
    from .. import datasets

    original = datasets.load("census").iloc[:12, :3]
    original.attrs = {}
    masked = original.iloc[[place ^ 1 for place in range(len(original))]].set_axis(original.index)
    return original, masked


if __name__ == "__main__":
    compile_all()
