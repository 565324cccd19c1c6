"""What an assessment says, in plain words."""

from .attacks import LEARNED, NEAREST, ONE_TO_ONE
from .pair import RENAMED, RESCALED


def summary(assessment):
    """The lines of `Assessment.summary`."""
    parts = [
        _headline,
        _bound,
        _unmasked,
        _giving_away,
        _persons,
        _second,
        _known,
        _new,
        _cost,
        _choice,
    ]
    lines = [
        *(part(assessment) for part in parts),
        *assessment.pair.notes,
        _drawn(assessment),
        *_skipped(assessment),
    ]
    return [line for line in lines if line]


def _headline(assessment):
    worst, n = assessment.worst, len(assessment.pair)
    sure = (
        ""
        if worst["low"] == worst["high"]
        else f" (95 percent interval {percent(worst['low'])} to {percent(worst['high'])})"
    )
    return (
        f"An attacker who holds the original values of {_plural(len(assessment.pair.used), 'variable')} finds {percent(assessment.risk)} of the "
        f"{n:,} persons{sure}; guessing finds {percent(1 / n)}. The worst of the attacks is “{worst['attack']}”, {worst['direction']}."
    )


def _bound(assessment):
    findings, n = assessment.findings, len(assessment.pair)
    learned, size = (
        (findings.whole, n)
        if findings.whole is not None
        else (findings.learned, len(findings.sample))
    )
    where = "in this file" if size == n else f"in a sample of {size} records"
    if learned.linked_ == size:
        return f"Some weighting of the variables links every record {where}: nothing in the masking rules that out."
    reached = (
        "the learned weights reach that"
        if learned.status_ == "optimal"
        else (
            f"the best found link {percent(learned.linked_ / size)}, which leaves {percent((learned.bound_ - learned.linked_) / size)} of all "
            "records open"
        )
    )
    # More candidates make linking harder for any weights, so the mean over samples bounds the whole
    # file; one sample does not prove it.
    beyond = (
        ""
        if size == n
        else f". Among all {n:,} linking is harder, so that this is a guide there and no proof"
    )
    return (
        f"No weighting of the variables links more than {percent(learned.bound_ / size)} without ties {where} (proved; {reached})"
        f"{beyond}."
    )


def _unmasked(assessment):
    parts = []
    if assessment.unmasked:
        parts.append(f"Left as they were: {_listed(assessment.unmasked)}.")
    for state, what in (
        (RENAMED, "Renamed one for one, so that who knows the new names reads the originals"),
        (RESCALED, "Changed but in the same order, so that ranks give them away"),
    ):
        names = list(assessment.variables.index[assessment.variables["state"] == state])
        if names:
            parts.append(f"{what}: {_listed(names)}.")
    return " ".join(parts) or "Every variable was changed in some record."


def _giving_away(assessment):
    top = assessment.variables[assessment.variables["shapley"] > 0].head(3)
    if top.empty:
        return None
    named = [f"{name} (alone it finds {percent(row['alone'])})" for name, row in top.iterrows()]
    return f"What gives people away, the most first: {_listed(named)}."


def _persons(assessment):
    found, n = assessment.records["found by"], len(assessment.records)
    certain = assessment.records["risk"] == 1
    every = int((found == _tried(assessment)).sum())
    return (
        f"{certain.sum():,} of {n:,} persons are found without a tie by the worst attack, {every:,} by every attack, "
        f"{int((found == 0).sum()):,} by none."
    )


def _tried(assessment):
    return assessment.records.shape[1] - 3


def _second(assessment):
    table = assessment.shortlist.set_index("rank")["up to this rank"]
    last = max(rank for rank in table.index if rank <= 10)
    drawn = assessment.shortlist["linked"].iloc[0]
    of = "" if drawn == len(assessment.pair) else f" of {drawn:,} that were looked for"
    return (
        f"By the plain distance the right person comes first for {percent(table[1])}{of} and among the first {last} for "
        f"{percent(table[last])}."
    )


def _known(assessment):
    table = assessment.subsets
    few = table.iloc[-1]
    return (
        f"Who knows only {percent(few['share known'])} of {few['masked records']:,.0f} persons finds {percent(few['to nearest masked'])} of "
        f"those (one to one {percent(few['one to one'])}); who knows all finds {percent(table.iloc[0]['to nearest masked'])} "
        f"({percent(table.iloc[0]['one to one'])})."
    )


def _new(assessment):
    table = assessment.new_records.set_index("records")
    if "new" not in table.index:
        return None
    old, new = table.loc["learned from"], table.loc["new"]
    return (
        f"Learned weights link {percent(old[LEARNED])} of the records they were learned from (equal weights {percent(old[NEAREST])}) and "
        f"{percent(new[LEARNED])} of as many new ones ({percent(new[NEAREST])}), without ties."
    )


def _cost(assessment):
    loss = assessment.loss.set_index("measure")["value"]
    words = f"Values were moved by {loss['values moved']:.2f} on average (0 is not at all; for numbers, about the share of their spread)"
    return words + (
        f", correlations by {loss['correlations']:.2f}." if "correlations" in loss else "."
    )


def _choice(assessment):
    if assessment.alternatives is None:
        return None
    better = assessment.alternatives[assessment.alternatives["better"]].sort_values("risk")
    if better.empty:
        return f"Of {len(assessment.alternatives) - 1} other maskings tried, none has both less risk and less loss."
    best = better.iloc[0]
    return (
        f"Of {len(assessment.alternatives) - 1} other maskings tried, {len(better)} {'has' if len(better) == 1 else 'have'} both less risk and less "
        f"loss by the same yardstick: "
        f"{best['method']} = {best['parameter']}, say, with {percent(best['risk'])} instead of "
        f"{percent(assessment.alternatives['risk'].iloc[0])} found and {best['loss']:.2f} instead of {assessment.alternatives['loss'].iloc[0]:.2f} moved."
    )


def _drawn(assessment):
    table = assessment.attacks[assessment.attacks["attack"] != ONE_TO_ONE]
    parts = []
    if (table["linked"] < table["candidates"]).any():
        drawn = " to ".join(
            f"{n:,}" for n in sorted({table["linked"].min(), table["linked"].max()})
        )
        parts.append(
            f"{drawn} persons were drawn at random and looked for among all {len(assessment.pair):,}; intervals say how sure that "
            "is."
        )
    if not assessment.attacks["comparable"].all():
        few = assessment.attacks[~assessment.attacks["comparable"]].iloc[0]
        parts.append(
            f"The one-to-one attack saw a file of {few['candidates']:,} records, where linking is easier; it does not count for "
            "the risk."
        )
    return " ".join(parts) or None


def _skipped(assessment):
    return [f"Not tried: {name}; {why}." for name, why in assessment.findings.skipped.items()]


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
