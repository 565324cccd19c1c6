"""What an assessment measures: an ordered list that tables, summary and report go through."""

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ..information_loss.mixed import information_loss
from . import alternatives, figures, summary
from .attackers import BOUND, SUBSET_SHARES, new_records, shortlist, subsets
from .attacks import LEARNED, NEAREST, Findings, Step
from .pair import Pair
from .records import records, records_table
from .variables import MAX_SHAPLEY_RECORDS, variable_risk

if TYPE_CHECKING:
    from .assessment import Assessment

ATTACK_STREAM = 0  # of draws; each measure has another
MAX_RECORDS_SHOWN = 10  # on the page


@dataclass(frozen=True)
class Work:
    """What a measure is computed from.

    Attributes
    ----------
    pair : Pair
        The files.
    findings : Findings
        What the attacks found.
    rng : Generator
        The measure's own stream of draws.
    step : callable
        Told the name of a step as it begins, for the progress bar.
    """

    pair: Pair
    findings: Findings
    rng: np.random.Generator
    step: Step


def _whole_table(assessment: "Assessment", frame: pd.DataFrame, values: bool) -> pd.DataFrame:
    return frame if frame.index.name is None else frame.reset_index()


@dataclass(frozen=True)
class Measure:
    """One measure of risk, and how it is reported.

    Attributes
    ----------
    name : str
        The name of its table, of its files, and of the attribute of an `Assessment`.
    compute : callable
        From `Work` to a frame; None where there is nothing to say of this pair.
    sentences : tuple of callable
        From an `Assessment` to a line of the part "In short", or None.
    figure : callable, optional
        From an `Assessment` to a figure.
    caption : str
        Says what the figure shows.
    title, text : str
        The heading and the paragraph (HTML) of its part of the report. Without a title it belongs
        to the part before it.
    absent : str
        The paragraph where nothing was computed.
    label : str
        Says what the table on the page holds; the title if left out.
    columns : tuple of str, optional
        The columns of that table; all if left out, no table if empty.
    rows : int, optional
        The rows of that table at most.
    shares : tuple of str
        The columns that are shown as percentages.
    table : callable
        From an `Assessment`, the frame and whether original values were asked for to the table
        that is written.
    stream : int
        Number of its stream of draws, which no other measure has; made from the name if left out.
    more_steps : callable
        From a `Pair` to the number of steps that `compute` reports.
    """

    name: str
    compute: Callable[[Work], pd.DataFrame | None]
    sentences: tuple[Callable[["Assessment"], str | None], ...] = ()
    figure: Callable[["Assessment"], Figure] | None = None
    caption: str = ""
    title: str = ""
    text: str = ""
    absent: str = ""
    label: str = ""
    columns: tuple[str, ...] | None = None
    rows: int | None = None
    shares: tuple[str, ...] = ()
    table: Callable[["Assessment", pd.DataFrame, bool], pd.DataFrame] = _whole_table
    stream: int = -1
    more_steps: Callable[[Pair], int] = lambda pair: 0

    def __post_init__(self) -> None:
        """Make a number for the stream from the name, unless one is given."""
        if self.stream < 0:
            object.__setattr__(self, "stream", zlib.crc32(self.name.encode()))


#: In the order of the report. A new measure is a line here, and a module that holds what it calls.
MEASURES = (
    Measure(
        "attacks",
        lambda work: work.findings.attacks,
        sentences=(summary.headline, summary.bound),
        figure=lambda done: figures.attack_shares(done.attacks, done.bound),
        caption="Share of the persons found by each attack.",
        title="The attacks",
        text="The attacker holds the original values of all common variables. <em>Nearest "
        "record</em> links each record to its nearest, <em>learned weights</em> does so with the "
        "weights of the variables that link the most records of a sample, <em>Mahalanobis</em> "
        "knows how the masking spreads the numbers, <em>probabilistic</em> counts agreements "
        "(Fellegi and Sunter), <em>one to one</em> links all records at once. Where several "
        "candidates are equally near, one is taken at random: <code>correct</code> is the expected "
        "share found, <code>strict</code> the share found without a tie. <code>left out</code> are "
        "variables that an attack cannot use.",
        # What was found before how it was counted: a telephone shows the first columns only.
        columns=("attack", "direction", "correct", "low", "high", "strict", "linked", "candidates")
        + ("left out", "knows"),
        shares=("correct", "low", "high", "strict"),
    ),
    Measure("links", lambda work: work.findings.links, columns=()),
    Measure(
        "variables",
        lambda work: variable_risk(work.pair, work.findings.learned, work.rng, work.step),
        sentences=(summary.unmasked, summary.giving_away),
        figure=lambda done: figures.variable_bars(done.variables),
        caption="What each variable gives away.",
        title="The variables",
        text="What each variable finds alone; its part of what all find together (Shapley value, "
        f"in a file of at most {MAX_SHAPLEY_RECORDS} records); its weight in the learned distance. "
        "A variable that was left unmasked is in orange.",
        shares=("changed", "alone", "shapley"),
        stream=1,
        more_steps=lambda pair: len(pair.used) + 1,
    ),
    Measure(
        "types",
        lambda work: work.pair.variables,
        title="How the variables were read",
        text="Where a type is wrong, give the right one by <code>types</code> "
        "(<code>--types</code> on the command line, <code>TYPES=</code> with "
        "<code>make assess</code>) and run again.",
        columns=("variable", "type", "why", "different", "different masked")
        + ("missing", "missing masked"),
        shares=("missing", "missing masked"),
    ),
    Measure(
        "records",
        lambda work: records(work.findings),
        sentences=(summary.persons,),
        figure=lambda done: figures.found_by_attacks(done.records, done.tried),
        caption="How many attacks find how many persons.",
        title="The records",
        text="How many attacks find how many persons without a tie. <code>records.csv</code> has "
        "every record by its row in the original file: <code>risk</code> is the probability that "
        "the worst attack finds it, <code>ties</code> how many candidates were as near; "
        "<code>links.csv</code> says the same of every attack. The table shows the records most at "
        "risk, with their original values where those were asked for.",
        label="The records most at risk",
        rows=MAX_RECORDS_SHOWN,
        shares=("risk",),
        table=records_table,
    ),
    Measure(
        "shortlist",
        lambda work: shortlist(work.pair, work.rng),
        sentences=(summary.short_list,),
        title="Attackers with less",
        text="Attackers who know only some of the persons, who are content with a short list of "
        "candidates, or who meet records that the weights were not learned from.",
        columns=(),
        stream=3,
    ),
    Measure(
        "subsets",
        lambda work: subsets(work.pair, work.rng),
        sentences=(summary.fewer_known,),
        figure=lambda done: figures.fewer_known(done.subsets, done.shortlist),
        caption="What attackers find who know fewer persons or take a short list.",
        label="Attackers who know some of the persons",
        shares=("share known", *SUBSET_SHARES),
        stream=2,
    ),
    Measure(
        "new_records",
        lambda work: new_records(work.pair, work.findings),
        sentences=(summary.new_records,),
        label="Learned weights on new records",
        shares=(NEAREST, LEARNED, BOUND),
    ),
    Measure(
        "information_loss",
        lambda work: information_loss(work.pair.original, work.pair.masked),
        sentences=(summary.cost,),
        title="What the masking cost",
    ),
    Measure(
        "alternatives",
        lambda work: alternatives.alternatives(work.pair, work.rng, work.step),
        sentences=(summary.other_maskings,),
        figure=lambda done: figures.risk_utility_map(done.alternatives),
        caption="Risk against loss, for the file and for other maskings.",
        title="Other maskings of the same file",
        text=f"At most {alternatives.MAX_RECORDS:,} of the records, masked in other ways, by one "
        "yardstick: the plain distance in the better direction, and how far values were moved on "
        "average. Categories are changed by PRAM, more with every step. What lies in the green "
        "corner has both less risk and less loss.",
        absent="None was tried: this assessment was made without "
        "(<code>alternatives=False</code>).",
        shares=("risk",),
        stream=4,
        more_steps=alternatives.count,
    ),
)
