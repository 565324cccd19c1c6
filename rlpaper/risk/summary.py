"""What an assessment says, in plain words: each measure's sentences."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .attacks import LEARNED, NEAREST, ONE_TO_ONE
from .column_values import listed
from .masking_state import RENAMED, RESCALED

if TYPE_CHECKING:
    from .assessment import Assessment

MAX_VARIABLES_NAMED = 3
MAX_RANK_NAMED = 10
MAX_WRITTEN_OUT = 10_000  # losses


def headline(assessment: "Assessment") -> str:
    """Say how many persons the worst attack finds."""
    worst, n = assessment.worst, len(assessment.pair)
    low, high = percent(worst["low"]), percent(worst["high"])
    sure = "" if worst["low"] == worst["high"] else f" (95 percent interval {low} to {high})"
    used = len(assessment.pair.used)
    return (
        f"An attacker who holds the original values of {used} variable{'' if used == 1 else 's'} "
        f"finds {percent(assessment.risk)} of the {n:,} persons{sure}; guessing finds "
        f"{percent(1 / n)}. The worst of the attacks is “{worst['attack']}”, {worst['direction']}."
    )


def bound(assessment: "Assessment") -> str:
    """Say what no weighting of the variables can exceed, and where that was proved."""
    findings, n = assessment.findings, len(assessment.pair)
    learned, size = findings.learned, len(findings.sample)
    if findings.whole is not None:
        learned, size = findings.whole, n
    where = "in this file" if size == n else f"in a sample of {size} records"
    if learned.linked_ == size:
        return (
            f"Some weighting of the variables links every record {where}: nothing in the masking "
            "rules that out."
        )
    reached = (
        f"the best found link {percent(learned.linked_ / size)}, which leaves "
        f"{percent((learned.bound_ - learned.linked_) / size)} of all records open"
    )
    if learned.status_ == "optimal":
        reached = "the learned weights reach that"
    # More candidates make linking harder for any weights, so the mean over samples bounds the whole
    # file; one sample does not prove it.
    beyond = (
        f". Among all {n:,} linking is harder, so that this is a guide there and no proof"
        if size < n
        else ""
    )
    return (
        f"No weighting of the variables links more than {percent(learned.bound_ / size)} without "
        f"ties {where} (proved; {reached}){beyond}."
    )


def unmasked(assessment: "Assessment") -> str:
    """Say which variables the masking left as they were, renamed or rescaled."""
    parts = []
    if assessment.unmasked:
        parts.append(f"Left as they were: {_listed(assessment.unmasked)}.")
    for state, what in (
        (
            RENAMED,
            "Renamed one for one, so that anybody who knows the new names reads the originals",
        ),
        (RESCALED, "Changed but in the same order, so that their ranks give them away"),
    ):
        names = list(assessment.variables.index[assessment.variables["state"] == state])
        if names:
            parts.append(f"{what}: {_listed(names)}.")
    return " ".join(parts) or "Every variable was changed in some record."


def giving_away(assessment: "Assessment") -> str | None:
    """Say which variables give people away."""
    telling = assessment.variables[assessment.variables["shapley"] > 0].head(MAX_VARIABLES_NAMED)
    if telling.empty:
        return None
    named = [
        f"{name} (adds {percent(share)} of the persons on average, alone finds {percent(alone)})"
        for name, share, alone in zip(
            telling.index, telling["shapley"], telling["alone"], strict=True
        )
    ]
    return f"What gives people away, by what it adds to other variables: {_listed(named)}."


def persons(assessment: "Assessment") -> str:
    """Say how many persons are found by the worst attack, by all and by none."""
    records = assessment.records
    found, certain = records["found by"], int((records["risk"] == 1).sum())
    return (
        f"{certain:,} of {len(records):,} persons are found without a tie by the worst attack, "
        f"{int((found == assessment.tried).sum()):,} by every attack, "
        f"{int((found == 0).sum()):,} by none."
    )


def short_list(assessment: "Assessment") -> str:
    """Say how often the true person is first, or among the first few."""
    upto = assessment.shortlist.set_index("rank")["up to this rank"]
    last = max(rank for rank in upto.index if rank <= MAX_RANK_NAMED)
    drawn = assessment.shortlist["linked"].iloc[0]
    of = "" if drawn == len(assessment.pair) else f" of {drawn:,} that were looked for"
    return (
        f"By the plain distance the true person comes first for {percent(upto[1])}{of} and among "
        f"the first {last} for {percent(upto[last])}."
    )


def fewer_known(assessment: "Assessment") -> str:
    """Say what somebody finds who knows few of the persons, and who knows all."""
    every, few = assessment.subsets.iloc[0], assessment.subsets.iloc[-1]
    return (
        f"By the plain distance, somebody who knows only {percent(few['share known'])} of "
        f"{few['masked records']:,.0f} persons finds {percent(few['to nearest masked'])} of them "
        f"(one to one {percent(few['one to one'])}); somebody who knows all finds "
        f"{percent(every['to nearest masked'])} ({percent(every['one to one'])})."
    )


def new_records(assessment: "Assessment") -> str | None:
    """Say whether learned weights do as well on new records."""
    table = assessment.new_records.set_index("records")
    if "new" not in table.index:
        return None
    old, new = table.loc["learned from"], table.loc["new"]
    return (
        f"Learned weights link {percent(old[LEARNED])} of the records they were learned from "
        f"(equal weights {percent(old[NEAREST])}) and {percent(new[LEARNED])} of as many new ones "
        f"({percent(new[NEAREST])}), without ties."
    )


def cost(assessment: "Assessment") -> str:
    """Say what the masking cost."""
    loss = assessment.information_loss.set_index("measure")["value"]
    also = f", correlations by {loss['correlations']:.2f}" if "correlations" in loss else ""
    return (
        f"Values were moved by {_loss(loss['values moved'])} on average (0 is not at all; for "
        f"numbers, about the share of their spread){also}."
    )


def other_maskings(assessment: "Assessment") -> str:
    """Say whether another masking has less risk and less loss."""
    table = assessment.alternatives
    tried = f"Of {len(table) - 1} other maskings tried, "
    better = table[table["better"]].sort_values("risk")
    if better.empty:
        return f"{tried}none has both less risk and less loss."
    here, best = table.iloc[0], better.iloc[0]
    less, more = percent(best["risk"]), percent(here["risk"])
    if less == more:
        less, more = f"{best['risk']:.2%}", f"{here['risk']:.2%}"
    return (
        f"{tried}{len(better)} {'has' if len(better) == 1 else 'have'} both less risk by the plain "
        f"distance and less loss, for example {best['method']} = {best['parameter']}: {less} found "
        f"instead of {more}, and values moved by {_loss(best['loss'])} instead of "
        f"{_loss(here['loss'])}."
    )


def drawn(assessment: "Assessment") -> str | None:
    """Say which attacks were made on a part of the file only."""
    attacks = assessment.attacks
    table = attacks[attacks["attack"] != ONE_TO_ONE]
    parts = []
    if (table["linked"] < table["candidates"]).any():
        ends = sorted({table["linked"].min(), table["linked"].max()})
        parts.append(
            f"{' to '.join(f'{n:,}' for n in ends)} persons were drawn at random and looked for "
            f"among all {len(assessment.pair):,}; intervals say how sure that is."
        )
    if not attacks["comparable"].all():
        few = attacks[~attacks["comparable"]].iloc[0]
        parts.append(
            f"The one-to-one attack saw a file of {few['candidates']:,} records, where linking is "
            "easier; it does not count for the risk."
        )
    return " ".join(parts) or None


def skipped(assessment: "Assessment") -> list[str]:
    """Say which attacks could not be made, and why, or left out numbers; one line per attack."""
    findings, types = assessment.findings, assessment.pair.variables["type"]
    told = [f"Not tried: {name}; {why}." for name, why in findings.skipped.items()]
    for attack, names in findings.left_out.items():
        numbers = [name for name in names if types[name] in ("number", "date")]
        if numbers:
            told.append(
                f"“{attack}” leaves out {listed(numbers)}: too little variation to divide by."
            )
    return told


def percent(share: float) -> str:
    """Write a share as people say it.

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


def _loss(loss: float) -> str:
    """Write how far values were moved: with two decimals, unless it is very far."""
    return f"{loss:.2f}" if loss < MAX_WRITTEN_OUT else f"{loss:.0e}"


def _listed(names: Sequence) -> str:
    *first, last = map(str, names)
    return f"{', '.join(first)} and {last}" if first else last
