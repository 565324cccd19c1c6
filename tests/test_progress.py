"""Progress: bars that are shown of work that takes long, and that reach their end."""

import numpy as np
import pandas as pd
import pytest

from rlpaper._internal import progress
from rlpaper.compendium.sweep import sweep
from rlpaper.distances import dbrl1, kernel, mixed
from rlpaper.learning import WeightedMean
from rlpaper.linkage.nearest import link
from rlpaper.linkage.true_ranks import ranks
from rlpaper.masking import microaggregation


@pytest.fixture
def bars(monkeypatch):
    """What stands for the bars: how far each came."""
    made = []

    class Bar(progress.tqdm):
        def __init__(self, disable, **options):
            super().__init__(disable=True, **options)
            self.shown, self.total, self.n = (
                not disable,
                options["total"],
                options.get("initial", 0),
            )
            made.append(self)

        def update(self, n=1):
            self.n += n

    monkeypatch.setattr(progress, "tqdm", Bar)
    monkeypatch.setenv("TQDM_DISABLE", "0")
    return made


@pytest.fixture(scope="module")
def files():
    random = np.random.default_rng(1)
    original = pd.DataFrame(random.integers(0, 9, (60, 3)).astype(float))
    return original, original + random.normal(size=original.shape)


@pytest.mark.parametrize("distance", [dbrl1(), dbrl1(weights=[1, 2, 3]), kernel(2), mixed()])
def test_linking_reaches_its_end(distance, files, bars):
    link(*files, distance)
    link(files[0], files[0], distance)  # records that are equal are looked at once
    ranks(*files, distance)
    assert bars and all(bar.n == bar.total and not bar.shown for bar in bars)


def test_a_long_clustering_moves_on_and_reaches_its_end(files, bars, monkeypatch):
    points = files[1].to_numpy()
    monkeypatch.setattr(microaggregation, "MIN_SHOWN_RECORDS", 60)
    microaggregation.mdav(points, 3)
    assert not bars[0].shown
    monkeypatch.setattr(microaggregation, "MIN_SHOWN_RECORDS", 59)
    microaggregation.mdav(points, 3)
    assert bars[1].shown and [bar.n for bar in bars] == [bar.total for bar in bars] == [60, 60]


def test_a_proof_says_how_many_rows_it_looked_at(files, bars):
    learned = WeightedMean().fit(*files)
    assert [bar.shown for bar in bars] == [True] and 0 < bars[0].n <= learned.work_


def test_a_sweep_counts_its_calls_also_those_that_it_has_already(tmp_path, bars):
    def draw(size, random_state):
        return {"value": size}

    for sizes in ([1, 2], [1, 2, 3]):
        sweep(draw, {"size": sizes}, workers=1, cache=tmp_path)
    assert [(bar.n, bar.total) for bar in bars] == [(2, 2), (3, 3)]
