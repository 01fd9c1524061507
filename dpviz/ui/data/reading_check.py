"""The reading check: whether typed groups are in the data and formats fit, before the first draw.

In teaching mode its counts are always there, for all that was typed. Hardened mode asks first, as
for the rows of the table; until then the page says that nobody has checked, and how the columns
write their values. Limits: counts are made again in each run, so that none stays after a seal; a
table that stays in its engine is counted when that is asked for.
"""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from dpviz.errors import DataError, ParameterError
from dpviz.queries import Query
from dpviz.queries.formats import formats, misread
from dpviz.queries.reading_check import ListCheck, ReadingCheck, check_reading, checkable
from dpviz.ui.data import total_row
from dpviz.ui.kit import controls, looking, parts
from dpviz.ui.kit.state import Shelf
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


def show(ws: Workspace, query: Query | None) -> ReadingCheck | None:
    """Check the draft on the page Data: what the counts say, or what is known without them.

    Args:
        ws: whose table.
        query: the draft; None while there is none.

    Returns:
        The counts for `rows`, where they may be seen.
    """
    if query is None or not reading_check.is_needed(ws, Statistic(ws.table, query, ws.loading)):
        return None
    statistic = Statistic(ws.table, query, ws.loading)
    try:
        if not _allowed(ws, statistic):
            _say(_by_form(statistic))
            return None
        found = reading_check.counted(ws, statistic, look=True)
        _say(reading_check.said_of(statistic, found))
    except ParameterError as error:
        parts.refusal(str(error))
        return None
    return found


def rows(ws: Workspace, found: ReadingCheck | None) -> None:
    """The rows of each group; nothing where they may not be seen.

    Args:
        ws: the workspace.
        found: what `show` has counted.
    """
    if found is None or not found.lists:
        return
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
            total_row.point_at(statistic.table)
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
    """Whether the counts are shown: in teaching mode they are, hardened mode asks first."""
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
