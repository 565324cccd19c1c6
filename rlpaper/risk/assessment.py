"""The assessment: all measures of a pair of files, and what they say in plain words."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .._internal.hints import Label
from .._internal.progress import Steps
from .._internal.validation import check_number
from . import summary
from .attacks import STEPS, Findings, attack
from .measures import ATTACK_STREAM, MEASURES, Work
from .pair import UNMASKED, Pair, check_truth, prepare


@dataclass(frozen=True)
class Assessment:
    """The risk of a pair of files.

    What was measured is in `results`, and each measure is an attribute too: a frame, or None where
    it was not computed.

    Attributes
    ----------
    pair : Pair
        The files as they were linked.
    findings : Findings
        What the attacks found, and the weights that they learned.
    results : dict
        The frame of each measure by its name, in the order of the report.
    attacks : DataFrame
        What each attack found, the worst first.
    links : DataFrame
        What each attack found of each person.
    variables : DataFrame
        What each variable gives away.
    types : DataFrame
        How the variables were read.
    records : DataFrame
        The risk of each person, by its row in the original file.
    subsets, shortlist, new_records : DataFrame
        Attackers who know fewer persons, take a short list, or meet records that they have not
        learned from.
    information_loss : DataFrame
        What the masking cost.
    alternatives : DataFrame or None
        The risk-utility map.
    """

    pair: Pair
    findings: Findings
    results: dict[str, pd.DataFrame | None]

    def __getattr__(self, name: str) -> Any:
        """Return the result of a measure by its name."""
        try:
            return vars(self)["results"][name]
        except KeyError:
            raise AttributeError(f"an assessment has no {name!r}") from None

    def __dir__(self) -> list[str]:
        """List the measures too."""
        return sorted({*super().__dir__(), *self.results})

    @property
    def worst(self) -> pd.Series:
        """The attack that finds the most, of those against all candidates."""
        return self.findings.worst

    @property
    def risk(self) -> float:
        """The largest share of persons that an attack finds."""
        return float(self.worst["correct"])

    @property
    def tried(self) -> int:
        """How many attacks were made against all candidates, each direction counted."""
        return int(self.attacks["comparable"].sum())

    @property
    def bound(self) -> float | None:
        """Share of the persons that no weights can exceed without ties, masked to original.

        None where that was proved for a sample only.
        """
        whole = self.findings.whole
        return None if whole is None else whole.bound_ / len(self.pair)

    @property
    def unmasked(self) -> list[Label]:
        """Variables that were left as they were."""
        return list(self.variables.index[self.variables["state"] == UNMASKED])

    def __repr__(self) -> str:
        """Return the summary."""
        return "\n".join(self.summary())

    def _repr_html_(self) -> str:
        first, *rest = self.summary()
        lines = "".join(f"<li>{escape(line)}</li>" for line in rest)
        return f"<div><b>{escape(first)}</b><ul>{lines}</ul></div>"

    def summary(self) -> list[str]:
        """Say the assessment in plain words, line by line; the first line is the answer."""
        told = [
            sentence(self)
            for measure in MEASURES
            if self.results[measure.name] is not None
            for sentence in measure.sentences
        ]
        lines = [*told, *self.pair.notes, summary.drawn(self), *summary.skipped(self)]
        return [line for line in lines if line]

    def tables(self, values: bool = False) -> dict[str, pd.DataFrame]:
        """Return the tables of the report by name.

        With `values`, the records' labels and original values stand beside their risk.
        """
        check_truth("values", values)
        return {
            measure.name: measure.table(self, frame, values)
            for measure in MEASURES
            if (frame := self.results[measure.name]) is not None
        }

    def save(self, folder: str | os.PathLike, values: bool = False) -> Path:
        """Write every table as a CSV file, and the summary.

        No value or label of the original file is in them unless `values` asks for it.
        """
        folder, tables = Path(folder), self.tables(values)
        folder.mkdir(parents=True, exist_ok=True)
        for name, table in tables.items():
            path = folder / f"{name}.csv"
            table.to_csv(
                path,
                index=False,
                float_format="%.6g",
                lineterminator="\n",
                errors="backslashreplace",
            )
        (folder / "summary.txt").write_text("\n".join(self.summary()) + "\n", "utf-8")
        return folder

    def report(self, path: str | os.PathLike, values: bool = False) -> Path:
        """Write the assessment as one HTML page with its figures inside, which needs no network.

        Parameters
        ----------
        path : path
            Of the page, such as ``report.html``. The same assessment gives the same bytes.
        values : bool
            Show labels and original values of the records most at risk; else no value or label of
            the original file is on the page.

        Returns
        -------
        Path
        """
        from .report import write_report

        return write_report(self, path, values)


def assess(
    original: pd.DataFrame | str | os.PathLike,
    masked: pd.DataFrame | str | os.PathLike,
    key: Label | None = None,
    types: Mapping[Any, Any] | None = None,
    aligned: bool = False,
    alternatives: bool = True,
    random_state: int = 1,
    progress: bool = True,
) -> Assessment:
    """Measure the risk of a masked file by attacking it in every way that this package has.

    The attacker holds the original values of all common variables and looks for each person's
    masked record. Attacks: the plain distance, Mahalanobis, probabilistic linkage and weights
    learned from known links, each in both directions, and one to one. The risk is the largest share
    of persons that one of them finds; of equally near records the attacker takes one at random.

    Parameters
    ----------
    original, masked : DataFrame or path of a CSV file
        Columns are matched by name, records by `key`, else by index label (CSV files: by order).
    key : str, optional
        A column that says who is who.
    types : dict, optional
        Types of variables where what is inferred is not right: ``number``, ``date``, ``nominal``,
        ``ordinal``, or a list of categories in their order. Numbers are numbers unless they are
        whole and have ten different values at most, or are all different and long (record
        numbers, which are left out); text is nominal. The summary names what may be read wrongly.
    aligned : bool
        Do not refuse files whose records seem to have nothing to do with each other.
    alternatives : bool
        Mask the original in other ways too, for the risk-utility map.
    random_state : int
        Same seed, same assessment.
    progress : bool
        Show how far the work is.

    Returns
    -------
    Assessment

    Notes
    -----
    Missing values: a missing category is a category of its own. A missing number is replaced by the
    mean of its column, and a further column, which is linked on too, says that it was missing.

    Large files: above 10,000 records a sample is linked, against all candidates, with confidence
    intervals. Weights are learned from 400 records, from half of a file that has fewer than 800,
    and from all of one that has 400 or fewer, where no records are left to try them on. What no
    weighting can exceed is proved for the whole file up to 10,000 records and 8 columns, else for
    those that weights are learned from. Each file is standardised by its own moments, those of the
    whole file.

    Examples
    --------
    >>> from rlpaper import datasets
    >>> from rlpaper.masking import microaggregate
    >>> file = datasets.load("iris").iloc[:60, :4]
    >>> masked = microaggregate(file, 5, groups=[file.columns[:3]])
    >>> assessment = assess(file, masked, alternatives=False, progress=False)
    >>> assessment.unmasked
    ['petal width (cm)']
    """
    _check_options(alternatives, random_state, progress)
    pair = prepare(original, masked, key, types, aligned)
    return assess_pair(pair, alternatives, random_state, progress)


def assess_pair(
    pair: Pair, alternatives: bool = True, random_state: int = 1, progress: bool = True
) -> Assessment:
    """Assess two files that `prepare` has made comparable already; see `assess`.

    Examples
    --------
    >>> original = pd.DataFrame({"age": range(20, 40), "sex": list("fm") * 10})
    >>> pair = prepare(original, original.assign(age=original["age"] + 1))
    >>> assess_pair(pair, alternatives=False, progress=False).unmasked
    ['sex']
    """
    _check_options(alternatives, random_state, progress)
    seed = int(random_state)

    def generator(stream: int) -> np.random.Generator:
        return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(stream,)))

    chosen = [measure for measure in MEASURES if alternatives or measure.name != "alternatives"]
    steps = STEPS + sum(1 + measure.more_steps(pair) for measure in chosen)
    results: dict[str, pd.DataFrame | None] = dict.fromkeys(m.name for m in MEASURES)
    with Steps("assessing", steps, progress) as step:
        findings = attack(pair, generator(ATTACK_STREAM), step)
        for measure in chosen:
            step(measure.name.replace("_", " "))
            work = Work(pair, findings, generator(measure.stream), step)
            results[measure.name] = measure.compute(work)
    return Assessment(pair, findings, results)


def _check_options(alternatives: bool, random_state: int, progress: bool) -> None:
    check_truth("alternatives", alternatives)
    check_number("random_state", random_state, "a whole number, 0 or more", 0, whole=True)
    check_truth("progress", progress)
