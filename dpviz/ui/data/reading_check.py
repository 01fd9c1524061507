"""The reading check: whether typed groups are in the data and formats fit, before the first draw.

In practice mode its counts are always there, for all that was typed. Hardened mode asks first, as
for the rows of the table; until then the page says that nobody has checked, and how the columns
write their values. Limits: counts are made again in each run, so that none stays after a seal; a
table that stays in its engine is counted when that is asked for.

A last row that looks like a total is pointed at, and left out with one press.
"""

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from dpviz.data import Table, quoted
from dpviz.data.total_row import TotalRow, find_total_row, without_total_row
from dpviz.errors import DataError, ParameterError
from dpviz.queries.reading_check import (
    ListCheck,
    ReadingCheck,
    check_reading,
    checkable,
    formats,
    misread,
)
from dpviz.ui.kit import controls, looking, parts
from dpviz.ui.kit.state import Shelf
from dpviz.words import join
from dpviz.words.markdown import literal
from dpviz.workspace import reading_check
from dpviz.workspace.projects.absent import is_absent
from dpviz.workspace.reading_check import Remark
from dpviz.workspace.sessions import Session, Statistic
from dpviz.workspace.workspace import Workspace

SHOWN = 300  # groups with their rows; more are counted in the sentences
LONG, HIGH = 8, 380  # more groups than this scroll, within this many pixels
AT_ONCE = 2_000_000  # rows that are counted unasked whenever the page is made
COUNT = "Count the rows of each group: not private"
ANYWAY = "Count them anyway"
WARNING = (
    "These counts are exact, and no noise hides what they tell. From now on, the hand-outs of this "
    "table say that you looked at them."
)
LATER = "Hardened hand-outs of this table would say that you looked at these counts."
_FORMATS = Shelf[tuple[str, ...]]("column_formats")
_FORM = Shelf[tuple[Remark, ...]]("column_forms")
_TOTALS = Shelf[tuple[TotalRow, ...]]("total_rows")
NO_WAY = "Delete it in the file, and upload the file again: nothing else tells it from other rows."


def misreading(statistic: Statistic) -> ParameterError | None:
    """Why a statistic cannot be drawn: most values of a column do not fit the format it is read in.

    It looks at the form alone, so in both modes; what is kept are sentences without a number. A
    table that stays in its engine is not asked while a page is made: the first draw asks it.
    """
    query, table = statistic.query, statistic.table
    columns = formats(query)
    if not columns or table.seconds is not None:
        return None
    key = table.source([name for name, _ in columns]), columns
    try:
        said = _FORMATS.take(key, lambda: misread(query, table))
    except DataError as error:
        return error
    return ParameterError(said[0]) if said else None


def show(ws: Workspace, statistic: Statistic) -> None:
    """Check a draft on the page Data: what the counts say, or what is known without them."""
    if not reading_check.is_needed(ws, statistic):
        return
    try:
        if not _allowed(ws, statistic):
            _say(_by_form(statistic))
            return
        found = reading_check.counted(ws, statistic, look=True)
        _say(reading_check.said_of(statistic, found))
    except ParameterError as error:
        parts.refusal(str(error))
        return
    if found.lists:
        _show_rows(ws, found)


def _show_rows(ws: Workspace, found: ReadingCheck) -> None:
    """The rows of each group."""
    st.badge("Rows of each group: not private", icon=":material/visibility:", color="red")
    long = max(len(each.labels) for each in found.lists) > LONG
    with st.container(height=HIGH if long else "content", border=False):
        for each in found.lists:
            parts.table(_frame(each), alt=f"How many rows each group of {each.column} has.")
    if ws.mode == "teaching":
        st.caption(LATER)


def before_draw(ws: Workspace, statistic: Statistic, begun: Session | None) -> None:
    """Say before the first draw of a statistic what cannot be meant or nobody has checked.

    Args:
        ws: the workspace.
        statistic: that is about to be drawn, or counted on.
        begun: its session, if there is one.
    """
    if begun is not None or is_absent(statistic.table):
        return
    try:
        if ws.sample is None:
            _point_at_total(statistic.table)
        if not reading_check.is_needed(ws, statistic):
            return
        if problem := misreading(statistic):
            parts.refusal(str(problem))
            return
        if ws.mode == "teaching" and _at_once(ws, statistic):
            _alarm(ws, statistic)
        elif not reading_check.is_checked(ws, statistic):
            _say(_by_form(statistic))
    except ParameterError as error:
        parts.refusal(str(error))


def _alarm(ws: Workspace, statistic: Statistic) -> None:
    """What the counts show to be wrong; where nothing is, no count is on screen."""
    found = check_reading(statistic.query, statistic.table)
    said = [r for r in reading_check.said_of(statistic, found) if r.weight != "known"]
    _say(said)
    if said:
        reading_check.note(ws, statistic)


def _at_once(ws: Workspace, statistic: Statistic) -> bool:
    """Whether rows may be counted without a question, and soon."""
    table = statistic.table
    small = table.seconds is None and table.rows() <= AT_ONCE
    return small and not reading_check.is_sealed(ws, table)


def _allowed(ws: Workspace, statistic: Statistic) -> bool:
    """Whether the counts are shown: in practice mode they are, hardened mode asks first."""
    if reading_check.is_sealed(ws, statistic.table):
        st.caption(looking.SEALED_TABLE)
        return False
    if ws.mode == "teaching" and _at_once(ws, statistic):
        return True
    digest = statistic.table.digest[:12]
    if not controls.toggle(COUNT, wrap=True, key=f"check_{digest}", lasting=False):
        return False
    if ws.mode == "teaching":
        return True
    st.warning(WARNING, icon=":material/warning:")
    return controls.checkbox(ANYWAY, key=f"check_anyway_{digest}", lasting=False)


def _by_form(statistic: Statistic) -> Sequence[Remark]:
    """What is known without a count; kept, as there is no number of rows in it."""
    query, table = statistic.query, statistic.table
    key = table.source(checkable(query)), query.by
    return _FORM.take(key, lambda: tuple(reading_check.said_unchecked(query, table)))


def _frame(check: ListCheck) -> pd.DataFrame:
    """Groups with their rows; then those that belong to none of them."""
    rows = [*zip(check.labels, check.rows, strict=True)][:SHOWN]
    if len(check.labels) > SHOWN:
        rows.append((f"{len(check.labels) - SHOWN:,} more groups", sum(check.rows[SHOWN:])))
    rows += [("none of these", check.others), ("no value", check.missing)]
    return pd.DataFrame([(g, f"{n:,}") for g, n in rows], columns=[check.column, "rows"])


def _say(remarks: Sequence[Remark]) -> None:
    """Sentences: what cannot be meant in red, so that nobody overlooks it."""
    for remark in remarks:
        if remark.weight == "wrong":
            parts.refusal(remark.text)
        elif remark.weight == "doubtful":
            st.warning(literal(remark.text), icon=":material/warning:")
        else:
            st.caption(literal(remark.text))


# --- a row that is no record ---


def ask_about_total(ws: Workspace) -> None:
    """Point at a total row on the page Data, or say what is left out; nothing for a sample."""
    if is_absent(ws.table) or ws.sample is not None:
        return
    try:
        found = _point_at_total(ws.table)
    except DataError as error:
        parts.refusal(str(error))
        return
    if found is not None and found.column:
        label, icon = "Leave the total row out", "backspace"
        controls.button(label, _leave_out, ws, found, key="leave_total", icon=icon)
    elif found is not None:
        st.caption(NO_WAY)
    _say_what_is_left_out(ws)


def _point_at_total(table: Table) -> TotalRow | None:
    """Say that a row at the end looks like a total, if one does; looked for once for each reading.

    Raises:
        DataError: if the engine cannot compute it.
    """
    key = table.digest, table.readings
    for found in _TOTALS.take(key, lambda: tuple(filter(None, [find_total_row(table)]))):
        st.warning(literal(reading_check.total_words(found)), icon=":material/warning:")
        return found
    return None


def _leave_out(ws: Workspace, found: TotalRow) -> None:
    ws.table = without_total_row(ws.table, found)


def _say_what_is_left_out(ws: Workspace) -> None:
    """Which rows are no records, and a button that brings them back."""
    rules = [(name, text) for name, how in ws.table.readings for text in how.left_out]
    if not rules:
        return
    said = [f"{quoted(name)} is {quoted(text) if text else 'empty'}" for name, text in rules]
    left, right = st.columns([3, 1], vertical_alignment="center")
    left.caption(
        literal(
            f"Left out: rows where {join(said)}. A statistic in use keeps them until you press "
            "“Use this statistic” again."
        )
    )
    with right:
        controls.button("Count them again", _count_again, ws, key="count_total", icon="undo")


def _count_again(ws: Workspace) -> None:
    readings = dict(ws.table.readings)
    ws.table = ws.table.read_as({n: replace(how, left_out=()) for n, how in readings.items()})
