"""Tables of chances as people type or paste them: noise at two levels, or what data make likely.

    value  sharper  noisier          3/4  1/4
    ...    1/3      1/2              1/4  3/4
    0      1/2      1/3
    ...    1/3      1/2

On the left is noise, on the right a mechanism: a row for each data set, a column for each outcome.
Entries are set apart by blanks, tabs, commas or semicolons. A chance is 0.25, 1/4 or 2.5e-1, as
exact as it is typed. A first or last row of dots gives tails: there each further step multiplies
both chances by these two numbers. Chances that do not add up to 1 are divided by their sum, which
is told. Limits: short tables, so that an answer takes seconds.
"""

import re
from fractions import Fraction

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.lossless.finite import FiniteMechanism
from dpviz.lossless.lattice import LatticeLaw, fraction, total
from dpviz.words.names import quoted

MOST_ROWS = 60  # of a table of noise, and whole numbers from its first to its last
MOST_SETS = 8  # rows and columns of a mechanism
FURTHEST = 10**6  # a number that noise may be
LONGEST = 20_000  # characters of a table
DOTS = ("...", "…")
HEADS = ("value", "noise", "x", "k")  # the first word of a row of titles
_WHOLE = re.compile(r"[+-]?\d{1,7}")
_LONG = re.compile(r"\d{21}")  # long fractions make long work
_POWER = re.compile(r"\d{1,20}(\.\d{0,20})?[eE][+-]?\d{1,2}")
Sums = tuple[Fraction, ...]
Rows = list[tuple[int, list[str]]]  # the number of a line, its entries


def read_noise(text: str) -> tuple[LatticeLaw, LatticeLaw, Sums]:
    r"""The sharper and the noisier noise of a table, and what the chances of each add up to.

    Raises:
        ParameterError: it is no table of whole numbers and chances, or too long.

    >>> sharper, noisier, sums = read_noise("0, 1/2, 1/4\n1, 1/2, 1/2\n2, 0, 1/4")
    >>> sharper.masses, noisier.masses[0], sums[1]
    ((Fraction(1, 2), Fraction(1, 2)), Fraction(1, 4), Fraction(1, 1))
    >>> read_noise("... 0 1/2\n0 1 1/3\n... 0 1/2")[1].right
    Fraction(1, 2)
    >>> read_noise("0 1/2")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    dpviz.errors.ParameterError: line 1 has 2 entries; type three: ...
    """
    rows = _rows(text)
    if rows and rows[0][1][0].casefold() in HEADS:
        rows = rows[1:]
    for line, entries in rows:
        _three(line, entries)
    tails = []
    for place in (0, -1):
        dotted = rows and rows[place][1][0] in DOTS
        tails.append(_ratios(*rows.pop(place)) if dotted else (Fraction(0), Fraction(0)))
    if not rows:
        raise ParameterError(
            "the table has no row yet; type one for each number that the noise can be, such as "
            "0, 1/2, 1/4"
        )
    columns = _columns(rows)
    laws = [
        _law(name, weights, tails[0][place], tails[1][place])
        for place, (name, weights) in enumerate(zip(("sharper", "noisier"), columns, strict=True))
    ]
    return laws[0][0], laws[1][0], (laws[0][1], laws[1][1])


def read_mechanism(text: str, name: str) -> tuple[FiniteMechanism, Sums]:
    r"""A mechanism from a row for each data set, and what the chances of each row add up to.

    Args:
        text: the table.
        name: of the table, for what is refused.

    Raises:
        ParameterError: it is no table of chances, or too large.

    >>> read_mechanism("3/4 1/4\n0.25 0.75", "sharper")[0].rows[1]
    (Fraction(1, 4), Fraction(3, 4))
    >>> read_mechanism("1 0 0", "sharper")
    Traceback (most recent call last):
    dpviz.errors.ParameterError: the sharper table has 1 row; type 2 to 8, one for each data set
    """
    rows = _rows(text)
    if not 2 <= len(rows) <= MOST_SETS:
        many = "no row yet" if not rows else f"{len(rows)} row{'s' * (len(rows) > 1)}"
        raise ParameterError(
            f"the {name} table has {many}; type 2 to {MOST_SETS}, one for each data set"
        )
    wide = len(rows[0][1])
    found = []
    for line, entries in rows:
        if len(entries) != wide or not 2 <= wide <= MOST_SETS:
            raise ParameterError(
                f"line {line} of the {name} table has {_entries(entries)}; type 2 to "
                f"{MOST_SETS}, as many in each row, one for each outcome"
            )
        found.append([_chance(line, entry) for entry in entries])
        if not sum(found[-1]):
            raise ParameterError(
                f"line {line} of the {name} table has no chance above 0; type how likely each "
                "outcome is"
            )
    return FiniteMechanism.of(found), tuple(sum(row, Fraction(0)) for row in found)


def _rows(text: str) -> Rows:
    """Lines that hold something, with their numbers."""
    checks.instance(str, text=text)
    if len(text) > LONGEST:
        raise ParameterError(
            f"the table is longer than {LONGEST:,} characters; keep to {MOST_ROWS} rows"
        )
    split = (re.split(r"[\s,;]+", line.strip(" \t,;")) for line in text.splitlines())
    return [(number, row) for number, row in enumerate(split, start=1) if row != [""]]


def _three(line: int, entries: list[str]) -> None:
    if len(entries) != 3:
        raise ParameterError(
            f"line {line} has {_entries(entries)}; type three: a whole number, its chance in the "
            "sharper noise and its chance in the noisier one, such as 0, 1/2, 1/4"
        )


def _entries(entries: list[str]) -> str:
    return "1 entry" if len(entries) == 1 else f"{len(entries)} entries"


def _ratios(line: int, entries: list[str]) -> tuple[Fraction, Fraction]:
    """What each further step multiplies both chances by."""
    first, second = (_chance(line, entry) for entry in entries[1:])
    if max(first, second) >= 1:
        raise ParameterError(
            f"line {line}: chances that go on for ever must fall; after the dots type two numbers "
            "from 0 to less than 1, such as 1/2"
        )
    return first, second


def _columns(rows: Rows) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
    """Weights of both kinds of noise by whole number, as typed."""
    sharper: dict[int, Fraction] = {}
    noisier: dict[int, Fraction] = {}
    for line, (number, *chances) in rows:
        value = _value(line, number)
        if value in sharper:
            raise ParameterError(f"line {line}: the number {value} has a row already; keep one")
        sharper[value], noisier[value] = (_chance(line, entry) for entry in chances)
    if max(sharper) - min(sharper) >= MOST_ROWS:
        raise ParameterError(
            f"the table goes from {min(sharper)} to {max(sharper)}; keep to {MOST_ROWS} whole "
            "numbers, or give what is further out by a row of dots, such as ..., 1/3, 1/2"
        )
    return sharper, noisier


def _law(
    name: str, weights: dict[int, Fraction], left: Fraction, right: Fraction
) -> tuple[LatticeLaw, Fraction]:
    """One kind of noise, and what its chances add up to."""
    row = [weights.get(x, Fraction(0)) for x in range(min(weights), max(weights) + 1)]
    if (left and not row[0]) or (right and not row[-1]):
        raise ParameterError(
            f"a row of dots goes on from a chance of 0 in the {name} noise; type 0 after the dots, "
            "or leave out the row beside them"
        )
    if not any(row):
        raise ParameterError(f"the {name} noise has no chance above 0; type some in its column")
    return LatticeLaw.of(weights, left=left, right=right), total(row, left, right)


def _value(line: int, entry: str) -> int:
    plain = entry.replace("\u2212", "-")
    if entry in DOTS:
        raise ParameterError(
            f"line {line}: dots stand in the first or the last row only; type the number, or move "
            "the row"
        )
    if not _WHOLE.fullmatch(plain) or abs(int(plain)) > FURTHEST:
        raise ParameterError(
            f"line {line}: {quoted(entry)} is not a whole number up to {FURTHEST:,}; count noise "
            "in steps of its grid, such as -2, -1, 0, 1"
        )
    return int(plain)


def _chance(line: int, entry: str) -> Fraction:
    if entry.startswith(("-", "\u2212")):
        raise ParameterError(f"line {line}: a chance is below 0; type a number from 0 on")
    if _LONG.search(entry):
        raise ParameterError(f"line {line}: a chance has more than 20 digits; type fewer")
    entry = f"0{entry}" if entry.startswith(".") and entry not in DOTS else entry
    try:
        return Fraction(entry) if _POWER.fullmatch(entry) else fraction(entry)
    except ParameterError:
        raise ParameterError(
            f"line {line}: {quoted(entry)} is not a chance; type a number such as 0.25 or 1/4, "
            "with a decimal point"
        ) from None
