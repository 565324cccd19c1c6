"""The assessment: all measures of a pair of files, and what they say in plain words."""

from dataclasses import dataclass
from html import escape
from pathlib import Path

import numpy as np
import pandas as pd

from .._internal.progress import Steps
from ..information_loss.mixed import information_loss
from . import alternatives as other_maskings
from . import summary
from .attackers import new_records, shortlist, subsets
from .attacks import ONE_TO_ONE, Findings, attack
from .pair import UNMASKED, Pair, prepare
from .variables import variable_risk


@dataclass(frozen=True)
class Assessment:
    """The risk of a pair of files; every table is a frame.

    Attributes
    ----------
    pair : Pair
        The files as they were linked.
    attacks : DataFrame
        What each attack found, the worst first.
    records : DataFrame
        A row a person, by its row in the original file: `risk`, the probability that the worst
        attack finds it; `ties`, how many candidates were as near; `found by`, how many attacks find
        it without a tie; then the probability for each attack.
    variables : DataFrame
        What each variable gives away.
    subsets, shortlist, new_records : DataFrame
        Attackers who know fewer persons, take a short list, or meet records that they have not
        learned from.
    loss : DataFrame
        What the masking cost.
    alternatives : DataFrame or None
        The risk-utility map.
    findings : Findings
    """

    pair: Pair
    attacks: pd.DataFrame
    records: pd.DataFrame
    variables: pd.DataFrame
    subsets: pd.DataFrame
    shortlist: pd.DataFrame
    new_records: pd.DataFrame
    loss: pd.DataFrame
    alternatives: pd.DataFrame
    findings: Findings

    @property
    def worst(self):
        """The attack that finds the most, of those against all candidates."""
        return self.attacks[self.attacks["comparable"]].iloc[0]

    @property
    def risk(self):
        """The largest share of persons that an attack finds."""
        return float(self.worst["correct"])

    @property
    def bound(self):
        """Share that no weights can exceed without ties, masked to original; None where that was proved for a sample only."""
        whole = self.findings.whole
        return None if whole is None else whole.bound_ / len(self.pair)

    @property
    def unmasked(self):
        """Variables that were left as they were."""
        return list(self.variables.index[self.variables["state"] == UNMASKED])

    def __repr__(self):
        return "\n".join(self.summary())

    def _repr_html_(self):
        first, *rest = self.summary()
        lines = "".join(f"<li>{escape(line)}</li>" for line in rest)
        return f"<div><b>{escape(first)}</b><ul>{lines}</ul></div>"

    def summary(self):
        """The assessment in plain words, a sentence or two a line; the first line is the answer."""
        return summary.summary(self)

    def tables(self, values=False):
        """The tables of the report by name; with `values`, the records' labels and original values stand beside their risk."""
        records = self.records.sort_values(["risk", "found by"], ascending=False, kind="stable")
        if values:
            labels = pd.Series(self.pair.labels, self.pair.original.index)
            records = records.join(_apart(self.pair.values, {"row", "label", *records}))
            records = records.assign(label=labels)
        tables = {
            "attacks": self.attacks,
            "variables": self.variables.reset_index(),
            "records": records.reset_index(),
            "subsets": self.subsets,
            "shortlist": self.shortlist,
            "new_records": self.new_records,
            "information_loss": self.loss,
            "types": self.pair.variables.reset_index(),
        }
        return (
            tables if self.alternatives is None else {**tables, "alternatives": self.alternatives}
        )

    def save(self, folder, values=False):
        """Write every table as CSV, and the summary; no value or label of the original file is in them unless asked for."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        for name, table in self.tables(values).items():
            table.to_csv(
                folder / f"{name}.csv", index=False, float_format="%.6g", lineterminator="\n"
            )
        (folder / "summary.txt").write_text("\n".join(self.summary()) + "\n", "utf-8")
        return folder

    def report(self, path, values=False):
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
        from .report import write_report  # figures take matplotlib, the numbers do not

        return write_report(self, path, values)


def assess(
    original,
    masked,
    key=None,
    types=None,
    aligned=False,
    alternatives=True,
    random_state=1,
    progress=True,
):
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
        whole and have ten different values at most; text is nominal.
    aligned : bool
        Do not refuse files whose records seem to have nothing to do with each other.
    alternatives : bool
        Mask the original in other ways too, for the risk-utility map.
    random_state : int
        Same seed, same assessment.
    progress : bool

    Returns
    -------
    Assessment

    Notes
    -----
    Missing values: a missing category is a category; a missing number is replaced by the mean of its column and told by a column of its
    own, which is linked on too. Of files above 10,000 records a sample is linked, against all candidates, with confidence
    intervals; weights are learned from 400 records, of a small file from half. What no weighting can exceed is proved for the whole file up to
    10,000 records and 8 columns, else for those that weights are learned from. Standardisation is by each file's own moments, the whole file's.

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
    _check_seed(random_state)
    pair = prepare(original, masked, key, types, aligned)
    return assess_pair(pair, alternatives, random_state, progress)


def assess_pair(pair, alternatives=True, random_state=1, progress=True):
    """As `assess`, of two files that `prepare` has made comparable already.

    Examples
    --------
    >>> original = pd.DataFrame({"age": range(20, 40), "sex": list("fm") * 10})
    >>> pair = prepare(original, original.assign(age=original["age"] + 1))
    >>> assess_pair(pair, alternatives=False, progress=False).unmasked
    ['sex']
    """
    _check_seed(random_state)
    rngs = [np.random.default_rng(seed) for seed in np.random.SeedSequence(random_state).spawn(5)]
    with Steps("assessing", _steps(pair, alternatives), progress) as step:
        findings = attack(pair, rngs[0], step)
        variables = variable_risk(pair, findings.learned, rngs[1], step)
        step("subsets")
        known = subsets(pair, rngs[2])
        step("short list")
        short = shortlist(pair, rngs[3])
        new = new_records(pair, findings)
        loss = information_loss(pair)
        other = other_maskings.alternatives(pair, rngs[4], step) if alternatives else None
    return Assessment(
        pair,
        findings.table,
        _records(findings),
        variables,
        known,
        short,
        new,
        loss,
        other,
        findings,
    )


def _check_seed(random_state):
    if not isinstance(random_state, (int, np.integer)) or random_state < 0:
        raise ValueError(f"random_state is {random_state!r}; give a whole number, 0 or more")


def _apart(frame, taken):
    """The frame, its columns renamed that have a name which is taken."""
    names = {}
    for name in frame:
        new = name
        while new in taken or new in names.values():
            new = f"{new} (original)"
        names[name] = new
    return frame.rename(columns=names)


def _steps(pair, alternatives):
    """How many steps there are; a few less where an attack cannot be made."""
    return 12 + len(pair.used) + (other_maskings.count(pair) if alternatives else 0)


def _records(findings):
    """What the attacks say of each person."""
    counted = findings.table[findings.table["comparable"]].iloc[0]
    worst = (
        counted["attack"]
        if counted["attack"] == ONE_TO_ONE
        else f"{counted['attack']}, {counted['direction']}"
    )
    table = findings.records.loc[findings.records[worst].notna()]
    ties = findings.ties[worst] if worst in findings.ties else pd.Series(1, findings.records.index)
    front = pd.DataFrame(
        {
            "risk": table[worst],
            "ties": ties.loc[table.index].astype(int),
            "found by": (table == 1).sum(axis=1),
        }
    )
    return pd.concat([front, table], axis=1)
