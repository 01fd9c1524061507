"""A last row that looks like a total: pointed at, and left out with one press."""

from dataclasses import replace

import streamlit as st

from dpviz.data import Table, quoted
from dpviz.data.total_row import TotalRow, find_total_row, without_total_row
from dpviz.errors import DataError
from dpviz.ui.kit import controls, parts
from dpviz.ui.kit.state import Shelf
from dpviz.words import join
from dpviz.words.markdown import literal
from dpviz.workspace.projects.absent import is_absent
from dpviz.workspace.reading_check import total_words
from dpviz.workspace.workspace import Workspace

_FOUND = Shelf[tuple[TotalRow, ...]]("total_rows")
NO_WAY = "Delete it in the file, and upload the file again: nothing else tells it from other rows."


def ask(ws: Workspace) -> None:
    """Point at the row on the page Data, or say what is left out; nothing for a sample.

    Args:
        ws: whose table.
    """
    if is_absent(ws.table) or ws.sample is not None:
        return
    try:
        found = point_at(ws.table)
    except DataError as error:
        parts.refusal(str(error))
        return
    if found is not None and found.column:
        controls.button(
            "Leave the total row out", _leave_out, ws, found, key="leave_total", icon="backspace"
        )
    elif found is not None:
        st.caption(NO_WAY)
    _say_what_is_left_out(ws)


def point_at(table: Table) -> TotalRow | None:
    """Say that the last row looks like a total, if it does.

    Args:
        table: in which it is looked for, once for each way to read it.

    Raises:
        DataError: if the engine cannot compute it.
    """
    key = table.digest, table.readings
    for found in _FOUND.take(key, lambda: tuple(filter(None, [find_total_row(table)]))):
        st.warning(literal(total_words(found)), icon=":material/warning:")
        return found
    return None


def _leave_out(ws: Workspace, found: TotalRow) -> None:
    ws.table = without_total_row(ws.table, found)


def _say_what_is_left_out(ws: Workspace) -> None:
    """Which rows are no records, and a button that brings them back."""
    rules = {name: how.left_out for name, how in ws.table.readings if how.left_out}
    if not rules:
        return
    said = [
        f"{quoted(name)} is {quoted(text) if text else 'empty'}"
        for name, texts in rules.items()
        for text in texts
    ]
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
