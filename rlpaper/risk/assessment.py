"""The assessment: all measures of a pair of files, and what they say in plain words."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from ..progress import progress_bar, under_make
from .alternatives import THIS, alternatives
from .attackers import new_records, shortlist, subsets
from .attacks import LEARNED, NEAREST, ONE_TO_ONE, Findings, attack
from .loss import information_loss
from .pair import RENAMED, RESCALED, UNMASKED, Pair, prepare
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
        A row a person, by its row in the original file: `risk`, the probability that the worst attack finds it; `ties`, how many candidates
        were as near; `found by`, how many attacks find it for certain; then the probability for each attack.
    variables : DataFrame
        What each variable gives away.
    subsets, shortlist, new_records : DataFrame
        Attackers who know fewer persons, take a short list, or meet records that they have not learned from.
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
        return self.attacks[self.attacks["counts"]].iloc[0]

    @property
    def risk(self):
        """The largest share of persons that an attack finds."""
        return float(self.worst["right"])

    @property
    def unmasked(self):
        """Variables that were left as they were."""
        return list(self.variables.index[self.variables["state"] == UNMASKED])

    def __repr__(self):
        return "\n".join(self.summary())

    def _repr_html_(self):
        from html import escape

        first, *rest = self.summary()
        return f"<p><b>{escape(first)}</b></p><ul>{''.join(f'<li>{escape(line)}</li>' for line in rest)}</ul>"

    def summary(self):
        """The assessment in plain words, a sentence or two a line; the first line is the answer."""
        return [self._headline(), *filter(None, [
            self._bound(), self._unmasked(), self._giving_away(), self._persons(), self._second(), self._known(), self._new(),
            self._cost(), self._choice(), *self.pair.notes, self._drawn(), *self._skipped()])]

    def _headline(self):
        worst, n = self.worst, len(self.pair)
        sure = "" if worst["low"] == worst["high"] else f" (95 percent interval {percent(worst['low'])} to {percent(worst['high'])})"
        return (f"An attacker who holds the original values of {_plural(len(self.pair.used), 'variable')} finds {percent(self.risk)} of the "
                f"{n:,} persons{sure}; guessing finds {percent(1 / n)}. The worst of the attacks is “{worst['attack']}”, {worst['way']}.")

    def _bound(self):
        learned, size = self.findings.learned, len(self.findings.sample)
        where = "in this file" if size == len(self.pair) else f"in a sample of {size} of the records, and so on average in the whole file too"
        if learned.status_ == "optimal":
            return (f"No weighting of the variables links more than {percent(learned.bound_ / size)} without ties {where}: proved, and reached "
                    "by the learned weights.")
        return (f"No weighting of the variables links more than {percent(learned.bound_ / size)} without ties {where}: proved. The best "
                f"weights found link {percent(learned.linked_ / size)}.")

    def _unmasked(self):
        parts = []
        if self.unmasked:
            parts.append(f"Left as they were: {_listed(self.unmasked)}.")
        for state, what in ((RENAMED, "categories have other names, one for one"), (RESCALED, "numbers are others in the same order")):
            names = list(self.variables.index[self.variables["state"] == state])
            if names:
                parts.append(f"Not masked but {state} ({what}): {_listed(names)}; who knows how reads the originals.")
        return " ".join(parts) or "Every variable was changed in some record."

    def _giving_away(self):
        top = self.variables[self.variables["shapley"] > 0].head(3)
        if top.empty:
            return None
        named = [f"{name} (alone it finds {percent(row['alone'])})" for name, row in top.iterrows()]
        return f"What gives people away, the most first: {_listed(named)}."

    def _persons(self):
        found, n = self.records["found by"], len(self.records)
        certain = self.records["risk"] == 1
        every = int((found == self._tried()).sum())
        return (f"{certain.sum():,} of {n:,} persons are found for certain by the worst attack, {every:,} by every attack, "
                f"{int((found == 0).sum()):,} by none.")

    def _tried(self):
        return self.records.shape[1] - 3

    def _second(self):
        table = self.shortlist.set_index("place")["up to this place"]
        last = max(place for place in table.index if place <= 10)
        return (f"By the plain distance the right person comes first for {percent(table[1])} and among the first {last} for "
                f"{percent(table[last])}.")

    def _known(self):
        table = self.subsets
        few = table.iloc[-1]
        return (f"Who knows only {percent(few['share known'])} of {few['masked records']:,.0f} persons finds {percent(few['to nearest masked'])} of "
                f"those (one to one {percent(few['one to one'])}); who knows all finds {percent(table.iloc[0]['to nearest masked'])} "
                f"({percent(table.iloc[0]['one to one'])}).")

    def _new(self):
        table = self.new_records.set_index("records")
        if "new" not in table.index:
            return None
        old, new = table.loc["learned from"], table.loc["new"]
        return (f"Learned weights link {percent(old[LEARNED])} of the records they were learned from (equal weights {percent(old[NEAREST])}) and "
                f"{percent(new[LEARNED])} of as many new ones ({percent(new[NEAREST])}), without ties.")

    def _cost(self):
        loss = self.loss.set_index("measure")["value"]
        words = f"Values were moved by {loss['values moved']:.2f} on average (0 is not at all; for numbers, about the share of their spread)"
        return words + (f", correlations by {loss['correlations']:.2f}." if "correlations" in loss else ".")

    def _choice(self):
        if self.alternatives is None:
            return None
        better = self.alternatives[self.alternatives["better"]].sort_values("risk")
        if better.empty:
            return f"Of {len(self.alternatives) - 1} other maskings tried, none has both less risk and less loss."
        best = better.iloc[0]
        return (f"Of {len(self.alternatives) - 1} other maskings tried, {len(better)} have both less risk and less loss by the same yardstick: "
                f"{best['method']} = {best['parameter']}, say, with {percent(best['risk'])} instead of "
                f"{percent(self.alternatives['risk'].iloc[0])} found and {best['loss']:.2f} instead of {self.alternatives['loss'].iloc[0]:.2f} moved.")

    def _drawn(self):
        table = self.attacks[self.attacks["attack"] != ONE_TO_ONE]
        parts = []
        if (table["linked"] < table["candidates"]).any():
            parts.append(f"Records were drawn at random, {table['linked'].min():,} to {table['linked'].max():,} an attack, and linked against all "
                         f"{len(self.pair):,}; intervals say how sure that is.")
        if not self.attacks["counts"].all():
            few = self.attacks[~self.attacks["counts"]].iloc[0]
            parts.append(f"The one-to-one attack saw a file of {few['candidates']:,} records, where linking is easier; it does not count for "
                         "the risk.")
        return " ".join(parts) or None

    def _skipped(self):
        return [f"Not tried: {name}; {why}." for name, why in self.findings.skipped.items()]

    def tables(self, values=None):
        """The tables of the report by name; with `values`, the original records, their values stand beside their risk."""
        records = self.records.sort_values(["risk", "found by"], ascending=False, kind="stable").reset_index()
        if values is not None:
            records = records.merge(values.set_axis(pd.Index(self.pair.original.index)), left_on="row", right_index=True)
        tables = {"attacks": self.attacks, "variables": self.variables.reset_index(), "records": records, "subsets": self.subsets,
                  "shortlist": self.shortlist, "new_records": self.new_records, "information_loss": self.loss,
                  "types": self.pair.variables.reset_index()}
        return tables if self.alternatives is None else {**tables, "alternatives": self.alternatives}

    def save(self, folder, values=None):
        """Write every table as CSV; no value of the original file is in them unless `values` are given."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        for name, table in self.tables(values).items():
            table.to_csv(folder / f"{name}.csv", index=False, float_format="%.6g", lineterminator="\n")
        (folder / "summary.txt").write_text("\n".join(self.summary()) + "\n")
        return folder


def assess(original, masked, key=None, types=None, aligned=False, alternatives=True, random_state=1, progress=True):
    """Measure the risk of a masked file by attacking it in every way that this package has.

    The attacker holds the original values of all common variables and looks for each person's masked record. Attacks: the plain distance,
    Mahalanobis, probabilistic linkage and weights learned from known links, each in both directions, and one to one. The risk is the largest
    share of persons that one of them finds; of equally near records the attacker takes one at random.

    Parameters
    ----------
    original, masked : DataFrame or path of a CSV file
        Columns are matched by name, records by `key`, else by index label (CSV files: by order).
    key : str, optional
        A column that says who is who.
    types : dict, optional
        Types of variables where what is inferred is not right: ``number``, ``date``, ``nominal``, ``ordinal``, or a list of categories in
        their order. Numbers are numbers unless they are whole and have ten different values at most; text is nominal.
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
    intervals; weights are learned from 400 records. Standardisation is by each file's own moments, the whole file's.

    Examples
    --------
    >>> import rlpaper
    >>> from rlpaper import datasets
    >>> from rlpaper.masking import add_noise
    >>> file = datasets.load("iris").drop(columns="target")
    >>> masked = add_noise(file, 30, random_state=1).assign(petal_width=file["petal width (cm)"])  # doctest: +SKIP
    >>> rlpaper.assess(file, masked)  # doctest: +SKIP
    """
    pair = prepare(original, masked, key, types, aligned)
    rngs = [np.random.default_rng(seed) for seed in np.random.SeedSequence(random_state).spawn(5)]
    with progress_bar(None, "assessing", progress and not under_make()) as bar:
        def step(what):
            bar.set_postfix_str(what)
            bar.update()

        findings = attack(pair, rngs[0], step)
        variables = variable_risk(pair, findings.learned, rngs[1], step)
        step("subsets")
        known = subsets(pair, rngs[2])
        step("short list")
        short = shortlist(pair, rngs[3])
        new = new_records(pair, findings)
        loss = information_loss(pair)
        other = _alternatives(pair, rngs[4], step) if alternatives else None
    return Assessment(pair, findings.table, _records(findings), variables, known, short, new, loss, other, findings)


_alternatives = alternatives


def _records(findings):
    """What the attacks say of each person."""
    counted = findings.table[findings.table["counts"]].iloc[0]
    worst = counted["attack"] if counted["attack"] == ONE_TO_ONE else f"{counted['attack']}, {counted['way']}"
    table = findings.records.loc[findings.records[worst].notna()]
    ties = findings.ties[worst] if worst in findings.ties else pd.Series(1, findings.records.index)
    front = pd.DataFrame({"risk": table[worst], "ties": ties.loc[table.index].astype(int), "found by": (table == 1).sum(axis=1)})
    return pd.concat([front, table], axis=1)


def percent(share):
    """A share as people say it.

    >>> percent(0.1234), percent(0.00012), percent(1.0), percent(0.9999)
    ('12%', '0.012%', '100%', '99.99%')
    """
    value = 100 * share
    if value in (0, 100) or 10 <= value < 99:
        return f"{value:.0f}%"
    if value >= 99:
        text = f"{value:.2f}".rstrip("0").rstrip(".")
        return f"{text}%"
    return f"{value:.2g}%"


def _plural(n, noun):
    return f"{n} {noun}{'' if n == 1 else 's'}"


def _listed(names):
    names = [str(name) for name in names]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
