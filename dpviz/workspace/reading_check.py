"""The reading check of a workspace: how a statistic's columns are read, before the first draw.

Its counts are exact answers. So hardened mode makes them only for somebody who says that they are
meant to be seen, and what is released of the table afterwards says on its hand-out that they were
on screen. Without them there is the form of the columns, which is not private in either mode (see
`dpviz.data.suggestion`), and the word that nobody has checked.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

from dpviz.data import Table, quoted
from dpviz.data.suggestion import Form, form_of
from dpviz.data.total_row import TotalRow, find_total_row
from dpviz.errors import ParameterError
from dpviz.queries import ByBins, ByTime, Query, listed_in
from dpviz.queries.reading_check import (
    FormatCheck,
    ListCheck,
    ReadingCheck,
    check_reading,
    checkable,
    cut_in,
    doubtful,
    formats,
)
from dpviz.queries.sensitivity import plain
from dpviz.words import capitalised, join
from dpviz.workspace.keeping import alone
from dpviz.workspace.projects.absent import is_absent
from dpviz.workspace.sessions import Statistic
from dpviz.workspace.workspace import Workspace

NAMED = 6  # groups in a sentence; more are counted
LOST = "Every number would be noise around 0."
ASK = (
    "Hardened mode counts no rows unless you say so, because these counts are exact. Pass "
    "look=True to see them: hand-outs of this table then say that you looked"
)
SEALED = "A session on this table is sealed, so its rows are counted no more"


Weight = Literal["known", "doubtful", "wrong"]


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence on how a statistic is read, and whether that can be meant."""

    text: str
    weight: Weight = "known"


def is_sealed(ws: Workspace, table: Table) -> bool:
    """Whether a session on this table is sealed, be it in use or closed."""
    sealed = (s.asking.table for s in ws.sessions if s.sealed_at is not None)
    return any(about is not None and about.digest == table.digest for about in sealed)


@alone
def counted(
    ws: Workspace, statistic: Statistic | None = None, *, look: bool = False
) -> ReadingCheck:
    r"""Count the rows of each typed group, and the values that fit each format. Not private.

    It is noted: what is released of the table from now on says that these counts were on screen.

    Args:
        ws: the workspace.
        statistic: what is about to be drawn; by default the one in use.
        look: whether the exact counts are meant to be seen, which hardened mode asks for.

    Raises:
        ParameterError: in hardened mode if `look` is False, or if a session on the table is sealed.
        DataError: if the table lacks a column or is not loaded, or the engine cannot compute it.

    >>> from dpviz.queries import ByColumn, Count
    >>> ws = Workspace.load(b"id,code\n1,01000\n2,01100\n", name="towns.csv")
    >>> ws.state(Count(ByColumn("code", ("1000", "1100"))))
    >>> said_of(ws.statistic, counted(ws))[0].text.partition(".")[0]
    'No row belongs to any of your groups of “code”'
    """
    about = statistic or ws.statistic
    if ws.mode == "hardened" and not look:
        raise ParameterError(ASK)
    if is_sealed(ws, about.table):
        raise ParameterError(SEALED)
    found = check_reading(about.query, about.table)
    note(ws, about)
    return found


def note(ws: Workspace, statistic: Statistic) -> None:
    """Remember that the counts of a reading check were on screen, or what they showed was said."""
    ws.seen.check(statistic.table.digest, checkable(statistic.query))
    ws.seen.readings.add(_reading(statistic))


def _reading(statistic: Statistic) -> Hashable:
    """What a reading check counts."""
    query = statistic.query
    return statistic.table.source(checkable(query)), query.by, formats(query)


def is_needed(ws: Workspace, statistic: Statistic) -> bool:
    """Whether there is something to check: not what the description of a ready sample says."""
    query, table = statistic.query, statistic.table
    if is_absent(table) or not checkable(query):
        return False
    sample = ws.sample if table.digest == ws.table.digest else None
    if sample is None:
        return True
    cut = cut_in(query.by)
    if isinstance(cut, ByTime):
        return sample.times.get(cut.column) != (cut.start, cut.stop)
    typed = any(sample.groups.get(part.column) != part.groups for part in listed_in(query.by))
    return typed or cut is not None


def is_checked(ws: Workspace, statistic: Statistic) -> bool:
    """Whether the counts of these groups and formats were on screen, not of others of a column."""
    return _reading(statistic) in ws.seen.readings


def said_of(statistic: Statistic, check: ReadingCheck) -> list[Remark]:
    """What a reading check found, in sentences with exact numbers: not private.

    Args:
        statistic: that was checked.
        check: what was counted.

    Raises:
        DataError: if the engine cannot compute the form of a column.
    """
    said = []
    for each in check.lists:
        said += _of_list(statistic, each, check.rows)
    return [*said, *map(_of_format, check.formats)]


def said_unchecked(query: Query, table: Table) -> list[Remark]:
    r"""What is known of a reading that nobody has checked, by the form of the columns alone.

    It is the same in both modes, is no look, and is not noted.

    Args:
        query: what is about to be drawn.
        table: of what.

    Raises:
        DataError: if the table lacks a column or is not loaded, or the engine cannot compute it.

    >>> from dpviz.data import read_csv
    >>> from dpviz.queries import ByColumn, Count
    >>> towns = read_csv(b"id,code\n1,01000\n2,01100\n", name="towns.csv")
    >>> said_unchecked(Count(ByColumn("code", ("1000", "1100"))), towns)[0].text.partition(".")[2]
    ' Its values: 5 characters, leading zeros kept. Every number would be noise around 0.'
    """
    found = []
    for part in listed_in(query.by):
        form = form_of(table, part.column)
        written = _written(form)
        never = [g for g in part.groups if form is not None and not form.fits(g)]
        column = f"{quoted(part.column)}.{written}"
        if len(never) == len(part.groups):
            found.append(Remark(f"None of your groups can be in {column} {LOST}", weight="wrong"))
            continue
        if never:
            listed = f"These groups cannot be in {quoted(part.column)}: {_named(never)}."
            found.append(Remark(f"{listed}{written}", weight="doubtful"))
        found.append(Remark(f"Nobody has checked whether your groups are in {column}"))
    if (cut := cut_in(query.by)) is not None:
        found.append(Remark(f"Nobody has checked whether {_typed(cut)}."))
    for name, kind in doubtful(query, table):
        what = "numbers" if kind == "number" else "dates or times"
        found.append(
            Remark(
                f"Nobody has counted which values of {quoted(name)} are no {what}; they are left "
                "out."
            )
        )
    return found


def said_total(table: Table) -> list[Remark]:
    r"""Say that the last row of a table looks like a total; nothing where it does not.

    It tells of a row that is about nobody, so it is no look either.

    Raises:
        DataError: if the table is not loaded, or the engine cannot compute it.

    >>> from dpviz.data import read_csv
    >>> said_total(read_csv(b"id,cost\n1,20\n2,22\n", name="costs.csv"))
    []
    """
    found = find_total_row(table)
    return [Remark(total_words(found), weight="doubtful")] if found else []


def total_words(found: TotalRow) -> str:
    """What tells a total row, and what it does.

    >>> total_words(TotalRow("id", "", sums=True)).partition(":")[2]
    ' its numbers are the sums of those above. It would be counted like any other.'
    """
    word = f"{quoted(found.text)} stands in {quoted(found.column)}"
    what = "its numbers are the sums of those above" if found.sums else word
    return f"A row at the end looks like a total: {what}. It would be counted like any other."


def _of_list(statistic: Statistic, check: ListCheck, rows: int) -> list[Remark]:
    nouns, column, listed = statistic.query.nouns, quoted(check.column), check.what == "groups"
    said = []
    if check.matched:
        text = f"{capitalised(nouns.rows)} in your {check.what} of {column}: "
        text += f"{check.matched:,} of {rows:,}. In none of them: {check.others:,}. Without a "
        kind = "value" if listed else "number" if check.what == "bins" else "date or time"
        said.append(Remark(f"{text}{kind}: {check.missing:,}."))
    if not check.unmatched:
        return said
    if not listed:
        if not check.matched:
            nothing = f"No {nouns.row} is in your {check.what} of {column}. {LOST}"
            return [Remark(nothing, weight="wrong")]
        return said  # a night has hours, and an age bins, in which nobody is
    written = _written(form_of(statistic.table, check.column))
    if not check.matched:
        nothing = f"No {nouns.row} belongs to any of your groups of {column}.{written} {LOST}"
        return [Remark(nothing, weight="wrong")]
    few = f"These groups of {column} have no {nouns.row}: {_named(check.unmatched)}.{written}"
    return [*said, Remark(few, weight="doubtful")]


def _typed(cut: ByBins | ByTime) -> str:
    """That values are in bins or times, from the first to the last."""
    values = f"values of {quoted(cut.column)} are in your"
    if isinstance(cut, ByBins):
        return f"{values} bins, from {plain(cut.edges[0])} to {plain(cut.edges[-1])}"
    return f"{values} {cut.every}s, from {cut.start} until before {cut.stop}"


def _written(form: Form | None) -> str:
    """How the values of a column are written, as a sentence to go on with."""
    return f" Its values: {form.described}." if form is not None and form.described else ""


def _of_format(check: FormatCheck) -> Remark:
    what = "numbers" if check.form == "number" else "dates or times"
    text = f"Values of {quoted(check.column)} read as {what}: {check.fit:,} of {check.values:,}."
    return Remark(text + (" The others are left out." if check.fit < check.values else ""))


def _named(groups: Sequence[str]) -> str:
    """Some groups by name, and how many more there are."""
    return join([quoted(group) for group in groups], most=NAMED)
