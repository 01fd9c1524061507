"""The closer of the page Data: how columns are read, what the bounds keep, the table."""

from functools import partial

import streamlit as st

from dpviz.queries import Query
from dpviz.ui.data import bounding, reading_controls
from dpviz.ui.kit import controls, group_controls, looking, parts
from dpviz.words.grammar import numbered
from dpviz.workspace.projects.absent import is_absent
from dpviz.workspace.workspace import Workspace

PREVIEW = 20  # rows of the table, shown on request


def look(ws: Workspace, query: Query | None) -> None:
    """How the table was read: its columns, the rows that are left out, its source and its rows."""
    if not is_absent(ws.table):
        parts.look_closer(group_controls.HOW_READ, partial(_how_read, ws, query), key="reading")


def _how_read(ws: Workspace, query: Query | None) -> None:
    reading_controls.columns(ws)
    if query:
        st.subheader("Which rows are left out?", anchor=False)
        bounding.cost(ws, query)
    st.subheader("Where is the table from?", anchor=False)
    _table(ws)


def _table(ws: Workspace) -> None:
    """Source of the table; its first rows on request and marked.

    Another table begins with its rows out of sight, whatever was asked of the one before.
    """
    if (sample := ws.sample) is not None:
        st.caption(
            f"**Sample** {sample.title}. **One row** {sample.row}. **Source** {sample.source}. "
            f"**Licence** {sample.licence}."
        )
    wanted = controls.toggle(
        "Look at the table: not private",
        help="The raw rows, for those who may see them.",
        lasting=False,
        key=f"look_at_table_{ws.table.digest[:12]}",
    )
    if wanted and looking.sure_of_rows(ws):
        looking.note(ws, ws.table)
        st.badge("Raw rows on screen: not private", icon=":material/visibility:", color="red")
        parts.table(
            ws.table.preview(PREVIEW), alt=f"First {PREVIEW} rows of the table, not private."
        )
        st.caption(f"First {PREVIEW} of {numbered(ws.table.rows(), 'rows')}.")
