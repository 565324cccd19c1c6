"""How two values differ, character by character: the segments that a display masks or shows.

Each function that aligns returns one tuple of segments per row. Segments stand side by side: the
first of one row belongs to the first of the other, so that a character that only one of them has
faces a gap.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from .._internal.extras import needed

distance = needed("rapidfuzz.distance", "review")

#: Symbols of a masked character: equal in both rows, or differing, in the first row and in the
#: second.
EQUAL, FIRST, SECOND = "*@&"

#: What can be said of a segment without telling a character.
MARKUPS = (
    "equal",
    "substituted",
    "inserted",
    "deleted",
    "transposed",
    "swapped",
    "different",
    "gap",
    "separator",
)

#: Cost of an edit beside the characters that it shows: more than any value is long.
_EDIT_COST = 10**6

_DATE = re.compile(r"(\d{4})(\D?)(\d{2})(\2)(\d{2})|(\d{2})(\D)(\d{2})(\7)(\d{4})", re.ASCII)


class Segment(NamedTuple):
    """Neighbouring characters of one row with one markup, and the symbols that mask them."""

    markup: str
    characters: str = ""
    symbols: str = ""

    @property
    def hidden(self) -> bool:
        """Whether the characters stay masked in a partial display: those that both rows have."""
        return self.markup in ("equal", "different")


GAP = Segment("gap")

Segments = tuple[Segment, ...]
#: The segments of both rows.
Rows = tuple[Segments, Segments]
#: Two segments that stand side by side.
Beside = tuple[Segment, Segment]


def whole(value: str, row: int, markup: str) -> Segments:
    """Return one segment, of a value that is not aligned with another.

    Row 0 is the first, 1 the second.
    """
    return (
        Segment(markup, value, (EQUAL if markup == "equal" else (FIRST, SECOND)[row]) * len(value)),
    )


def whole_date(date: str, row: int, markup: str) -> Segments:
    """Return the segments of a date that is not aligned; its separators are always shown."""
    return tuple(
        segment
        for part in date_parts(date)
        for segment in (
            whole(part, row, markup) if part.isdigit() else (Segment("separator", part, part),)
        )
    )


def align_strings(first: str, second: str) -> Rows:
    """Align by insertions and deletions only, as in the ID of Table 1.

    What replaces something else is a substitution.

    Examples
    --------
    >>> [segment.characters for segment in align_strings("1742682819", "1742668281")[1]]
    ['17426', '6', '8281', '']
    """
    blocks: list[tuple[str, str, str]] = []
    for tag, i, j, p, q in distance.Indel.opcodes(first, second):
        if tag != "equal" and blocks and blocks[-1][0] != "equal":
            blocks[-1] = ("replace", blocks[-1][1] + first[i:j], blocks[-1][2] + second[p:q])
        else:
            blocks.append((tag, first[i:j], second[p:q]))
    names = {"insert": "inserted", "delete": "deleted", "equal": "equal"}
    return _rows(
        [
            _beside("substituted" if a and b and tag != "equal" else names[tag], a, b)
            for tag, a, b in blocks
        ]
    )


def align_names(first: str, second: str) -> Rows:
    """Align by as few edits as possible (Damerau-Levenshtein).

    Edits are insertions, deletions, substitutions and transpositions of neighbours. No part is
    edited twice (the restricted form of the distance), so that every character has one markup. Of
    several alignments with as few edits, it is one that shows the fewest characters in a partial
    display.

    Examples
    --------
    >>> [segment.characters for segment in align_names("SANCHEZ JR", "SANCHEZ")[0]]
    ['SANCHEZ', ' JR']
    """
    # cost[i][j]: edits, then characters shown, between what follows i in the first and what follows
    # j in the second.
    n, m = len(first), len(second)
    cost = [[(n - i + m - j) * (_EDIT_COST + 1) for j in range(m + 1)] for i in range(n + 1)]
    for i in range(n - 1, -1, -1):
        for j in range(m - 1, -1, -1):
            cost[i][j] = min(
                step + cost[i + di][j + dj] for _, step, di, dj in _moves(first, second, i, j)
            )
    i = j = 0
    blocks: list[tuple[str, str, str]] = []
    while i < n or j < m:
        markup, _, di, dj = next(
            move
            for move in _moves(first, second, i, j)
            if cost[i][j] == move[1] + cost[i + move[2]][j + move[3]]
        )
        if blocks and blocks[-1][0] == markup != "transposed":
            blocks[-1] = (
                markup,
                blocks[-1][1] + first[i : i + di],
                blocks[-1][2] + second[j : j + dj],
            )
        else:
            blocks.append((markup, first[i : i + di], second[j : j + dj]))
        i, j = i + di, j + dj
    return _rows([_beside(*block) for block in blocks])


def too_different(first: str, second: str) -> bool:
    """Return whether two names need more edits than half the length of the longer.

    Then there is nothing partial to show.
    """
    return 2 * distance.OSA.distance(first, second) > max(len(first), len(second))


def align_dates(first: str, second: str, show: str = "digits") -> Rows:
    """Align two dates of one layout element by element, and find what is swapped.

    That may be digits within an element, or two elements.

    Parameters
    ----------
    first, second : str
    show : {"digits", "elements"}
        What differs: the digits (as in Tables 3 and 4) or all digits of an element that differs (as
        in Table 1).

    Examples
    --------
    >>> "".join(segment.symbols for segment in align_dates("08/09/1964", "09/08/1964")[0])
    '*@/*&/****'
    """
    one, two = date_parts(first), date_parts(second)
    elements = [i for i, part in enumerate(one) if part.isdigit()]
    swapped = {
        i: j for i in elements for j in elements if i != j and one[i] == two[j] != one[j] == two[i]
    }
    found: list[Beside] = []
    for i, (a, b) in enumerate(zip(one, two, strict=True)):
        if i not in elements:
            found.append((Segment("separator", a, a), Segment("separator", b, b)))
        elif a == b:
            found.append(_beside("equal", a, b))
        else:
            first_symbol = FIRST if swapped.get(i, i) >= i else SECOND
            found += _element(a, b, show, i in swapped, first_symbol)
    return _rows(found)


def date_parts(text: str) -> list[str]:
    """Split a date into year, month, day and what is between them, in the order of the text.

    Examples
    --------
    >>> date_parts("08/09/1964"), date_parts("19640908")
    (['08', '/', '09', '/', '1964'], ['1964', '09', '08'])
    """
    found = _DATE.fullmatch(text)
    if found is None:
        raise ValueError(
            f"{text!r} is not a date; write dates like 08/09/1964, 1964-09-08 or 19640908, "
            "all in one way"
        )
    return [part for part in found.groups() if part]


def _element(a: str, b: str, show: str, swapped: bool, first_symbol: str) -> list[Beside]:
    """Segments of one element of a date; the symbols of what is swapped follow the values."""
    one, two = first_symbol, SECOND if first_symbol == FIRST else FIRST
    usual = "swapped" if swapped else "substituted"
    if show == "elements":
        return [(Segment(usual, a, one * len(a)), Segment(usual, b, two * len(b)))]
    crossed = {i for i in range(len(a) - 1) if not swapped and a[i] == b[i + 1] != a[i + 1] == b[i]}
    found: list[Beside] = []
    i = 0
    while i < len(a):
        width = 2 if i in crossed else 1
        x, y = a[i : i + width], b[i : i + width]
        i += width
        if width == 2:
            new = Segment("transposed", x, one + two), Segment("transposed", y, two + one)
        elif x == y:
            new = _beside("equal", x, y)
        else:
            new = Segment(usual, x, one), Segment(usual, y, two)
        # Neighbours of one markup are one segment; each transposition stays its own.
        if found and found[-1][0].markup == new[0].markup != "transposed":
            x_before, y_before = found.pop()
            new = _joined(x_before, new[0]), _joined(y_before, new[1])
        found.append(new)
    return found


def _moves(first: str, second: str, i: int, j: int) -> Iterator[tuple[str, int, int, int]]:
    """Yield what can come next after i characters of the first and j of the second.

    The preferred comes first. Each is a markup, its cost, and the characters taken of either.
    """
    n, m = len(first), len(second)
    if i < n and j < m:
        if first[i] == second[j]:
            yield "equal", 0, 1, 1
        if first[i : i + 2] == second[j : j + 2][::-1] and i + 1 < n and first[i] != first[i + 1]:
            yield "transposed", _EDIT_COST + 4, 2, 2
        if first[i] != second[j]:
            yield "substituted", _EDIT_COST + 2, 1, 1
    if i < n:
        yield "deleted", _EDIT_COST + 1, 1, 0
    if j < m:
        yield "inserted", _EDIT_COST + 1, 0, 1


def _joined(before: Segment, after: Segment) -> Segment:
    characters, symbols = before.characters + after.characters, before.symbols + after.symbols
    return Segment(before.markup, characters, symbols)


def _beside(markup: str, a: str, b: str) -> Beside:
    """Segments of what stands side by side; where one is empty there is a gap."""
    if markup == "equal":
        symbols = EQUAL * len(a), EQUAL * len(b)
    elif markup == "transposed":
        symbols = FIRST + SECOND, SECOND + FIRST
    else:
        symbols = FIRST * len(a), SECOND * len(b)
    return (
        Segment(markup, a, symbols[0]) if a else GAP,
        Segment(markup, b, symbols[1]) if b else GAP,
    )


def _rows(found: list[Beside]) -> Rows:
    return tuple(a for a, _ in found), tuple(b for _, b in found)
