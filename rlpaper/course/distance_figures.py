"""Figures of the lessons on linking by distance and on masking."""

import matplotlib as mpl
import matplotlib.pyplot as plt

from ..plotting import BLUE, DARK, GREEN, GREY, ORANGE, PURPLE, RED, SKY

#: Colour and marker in order of appearance, for methods and attackers.
LOOKS = ((BLUE, "o"), (RED, "s"), (GREEN, "D"), (PURPLE, "^"), (ORANGE, "v"), (SKY, "P"))


def number_line(persons, released, label):
    """Persons with their values above, released records with theirs below, on one scale.

    Parameters
    ----------
    persons, released : Series
        Values, by name and by number of the record.
    label : str
        What the values are.
    """
    figure, axis = plt.subplots(figsize=(10, 2.9))
    for values, height, colour, marker, offset in (
        (persons, 1, BLUE, "o", 13),
        (released, 0, RED, "s", -13),
    ):
        axis.axhline(height, color="#CCCCCC", lw=1, zorder=0)
        axis.scatter(
            values,
            [height] * len(values),
            color=colour,
            marker=marker,
            s=64,
            edgecolors="white",
            zorder=3,
        )
        for (name, value), side in zip(values.items(), _sides(values)):
            axis.annotate(
                f"{name}\n{value:,.0f}",
                (value, height),
                (0, offset),
                textcoords="offset points",
                ha=side,
                va="bottom" if offset > 0 else "top",
                color=colour,
                fontsize=10,
            )
    axis.set_yticks([0, 1], ["released", "known to\nthe attacker"])
    axis.set(xlabel=label, ylim=(-0.85, 1.85))
    axis.margins(x=0.07)
    axis.grid(axis="y", visible=False)
    axis.tick_params(axis="y", length=0)
    axis.spines["left"].set_visible(False)
    axis.xaxis.set_major_formatter("{x:,.0f}")
    return figure


def _sides(values, close=0.08):
    """How the label of each value is aligned: aside where another value is close, by that share of the range."""
    gap = close * (values.max() - values.min())
    for value in values:
        if ((values > value) & (values < value + gap)).any():
            yield "right"
        else:
            yield "left" if ((values < value) & (values > value - gap)).any() else "center"


def share_bars(shares, label):
    """A bar a name, with its value; of a Series."""
    figure, axis = plt.subplots(figsize=(8, 0.3 * len(shares) + 0.9))
    bars = axis.barh(shares.index, shares, color=BLUE)
    axis.bar_label(bars, [f"{100 * value:.1f}%" for value in shares], padding=4, fontsize=10)
    axis.invert_yaxis()
    axis.set_xlabel(label)
    axis.margins(x=0.12)
    axis.xaxis.set_major_locator(mpl.ticker.MaxNLocator(6, steps=[1, 2, 5, 10]))
    axis.grid(axis="y", visible=False)
    _percent(axis.xaxis)
    return figure


def found_by_variables(frame, variables, noise, guesses, records):
    """Share of the records found against the variables known, a line a strength of noise; and at which rank they are found.

    Parameters
    ----------
    frame : DataFrame
        Columns `noise`, `variables`, `rank` (1, 2, ...) and `share`, the share of the records found
        at that rank.
    variables, noise, guesses : int
        What is marked on the left and drawn on the right; so many ranks count as found.
    records : int
        Candidates of each record, for the line of chance.
    """
    figure, (left, right) = plt.subplots(1, 2, figsize=(11.5, 4.3), width_ratios=(1.25, 1))
    found = frame[frame["rank"] <= guesses].groupby(["noise", "variables"])["share"].sum()
    for strength, line in found.groupby(level="noise"):
        line, chosen = line.droplevel("noise"), strength == noise
        left.plot(
            line.index,
            line,
            color=BLUE if chosen else GREY,
            lw=2.6 if chosen else 1.1,
            marker="o",
            ms=6 if chosen else 3.5,
            zorder=3 if chosen else 2,
        )
        left.annotate(
            f"noise {strength}%",
            (line.index[-1], line.iloc[-1]),
            (9, 0),
            textcoords="offset points",
            va="center",
            fontsize=10,
            color=BLUE if chosen else DARK,
            weight="bold" if chosen else "normal",
            annotation_clip=False,
        )
    left.hlines(guesses / records, line.index[0], line.index[-1], color=RED, ls="--", lw=1.2)
    left.annotate(
        "by chance",
        (line.index[-1], guesses / records),
        (9, 0),
        textcoords="offset points",
        va="center",
        fontsize=10,
        color=RED,
        annotation_clip=False,
    )
    left.scatter(
        variables,
        found[noise, variables],
        s=230,
        facecolors="none",
        edgecolors=ORANGE,
        lw=2.5,
        zorder=4,
    )
    left.set(
        xlabel="variables that the attacker knows",
        ylabel="share of the records found",
        ylim=(-0.03, 1.04),
        title=f"found with {_guesses(guesses)}: {100 * found[noise, variables]:.1f}%",
    )
    left.set_xticks(line.index)
    _percent(left.yaxis)
    part = frame[(frame["noise"] == noise) & (frame["variables"] == variables)]
    bars = right.bar(
        part["rank"],
        part["share"],
        color=[BLUE if rank <= guesses else "#C8C8C8" for rank in part["rank"]],
    )
    right.bar_label(bars, [f"{100 * share:.1f}" for share in part["share"]], fontsize=9, padding=2)
    right.set(
        xlabel="rank of the right person among the nearest",
        ylabel="share of the records",
        title=f"noise {noise}%, {variables} {'variable' if variables == 1 else 'variables'}",
    )
    right.set_xticks(part["rank"])
    right.grid(axis="x", visible=False)
    right.set_ylim(0, max(0.1, 1.1 * part["share"].max()))
    _percent(right.yaxis)
    return figure


def before_after(original, files, label):
    """Masked against original values of one variable, a panel a file.

    Parameters
    ----------
    original : Series
    files : dict of Series
        Masked values by title.
    label : str
        What the values are, in thousands.
    """
    figure, axes = plt.subplots(
        1, len(files), figsize=(3.9 * len(files), 4.1), sharex=True, sharey=True, squeeze=False
    )
    for axis, (title, masked) in zip(axes.flat, files.items()):
        _cloud(axis, original, masked)
        axis.set(title=title, xlabel=f"original {label}")
    axes[0, 0].set_ylabel(f"masked {label}")
    return figure


def risk_utility(table, method, step, measure, original, masked, limit=None):
    """The map of risk against loss, a line a method, with one file marked and shown beside it.

    Parameters
    ----------
    table : DataFrame
        Indexed by `method` and `parameter`; columns `step` (1, 2, ...), `risk` and the measure's.
    method : str
    step : int
        The file that is marked.
    measure : str
        Column drawn across, and the axis label.
    original, masked : Series
        Values of one variable, drawn on the right.
    limit : float, optional
        Largest risk allowed, drawn as a line.
    """
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 4.9), width_ratios=(1.55, 1))
    for (name, part), (colour, marker) in zip(table.groupby(level="method", sort=False), LOOKS):
        chosen = name == method
        left.plot(
            part[measure],
            part["risk"],
            color=colour,
            marker=marker,
            ms=6,
            lw=2.4 if chosen else 1.1,
            alpha=1 if chosen else 0.65,
            label=name,
            zorder=3 if chosen else 2,
        )
    row = table.xs(method, level="method", drop_level=False).query("step == @step").iloc[0]
    left.scatter(
        row[measure], row["risk"], s=260, facecolors="none", edgecolors=DARK, lw=2.2, zorder=4
    )
    if limit is not None:
        left.axhline(limit, color=DARK, ls="--", lw=1)
        left.text(
            0.995,
            limit,
            f"limit {100 * limit:.0f}%",
            transform=left.get_yaxis_transform(),
            ha="right",
            va="bottom",
            fontsize=10,
        )
    left.set(
        xlabel=measure,
        ylabel="share of the records found",
        ylim=(-0.03, 1.04),
        title=f"found {100 * row['risk']:.1f}%, {measure} {row[measure]:.3f}",
    )
    left.legend(loc="upper right", fontsize=10)
    _percent(left.yaxis)
    _cloud(right, original, masked)
    right.set(
        title=f"{method}, {row.name[1]}",
        xlabel=f"original {original.name}, thousands",
        ylabel="masked, thousands",
    )
    return figure


def by_scope(frame):
    """Share found against the variables masked together, a line an attacker; of a frame with a column an attacker."""
    figure, axis = plt.subplots(figsize=(9, 4.2))
    for (attacker, line), (colour, marker) in zip(frame.items(), LOOKS):
        axis.plot(frame.index, line, color=colour, marker=marker, ms=7, lw=1.6, label=attacker)
    axis.set_xticks(frame.index)
    axis.set(
        xlabel="variables masked together", ylabel="share of the records found", ylim=(0, 1.05)
    )
    axis.legend(loc="lower left", fontsize=10)
    _percent(axis.yaxis)
    return figure


def by_attacker(frame, limit=None):
    """What each attacker finds in each file: a row a file, a mark an attacker; of a frame with a column an attacker."""
    figure, axis = plt.subplots(figsize=(10.5, 0.52 * len(frame) + 1.9))
    places = range(len(frame))
    axis.hlines(places, frame.min(axis=1), frame.max(axis=1), color="#BBBBBB", lw=3, zorder=1)
    for (attacker, shares), (colour, marker) in zip(frame.items(), LOOKS):
        axis.scatter(
            shares, places, color=colour, marker=marker, s=75, label=attacker, zorder=3, alpha=0.9
        )
    if limit is not None:
        axis.axvline(limit, color=DARK, ls="--", lw=1)
    axis.set_yticks(places, frame.index)
    axis.invert_yaxis()
    axis.set(xlabel="share of the records found", xlim=(-0.02, 1.02))
    axis.tick_params(axis="y", length=0)
    axis.grid(axis="y", visible=False)
    _percent(axis.xaxis)
    figure.legend(
        *axis.get_legend_handles_labels(),
        loc="outside upper left",
        ncols=len(frame.columns),
        fontsize=10,
        columnspacing=1.2,
        handletextpad=0.3,
    )
    return figure


def _cloud(axis, original, masked):
    axis.scatter(original / 1e3, masked / 1e3, s=7, color=BLUE, alpha=0.55, linewidths=0)
    ends = [original.min() / 1e3, original.max() / 1e3]
    axis.plot(ends, ends, color=GREY, lw=0.9, zorder=0)


def _guesses(count):
    return "one guess" if count == 1 else f"{count} guesses"


def _percent(axis):
    axis.set_major_formatter(mpl.ticker.PercentFormatter(1, decimals=0))
