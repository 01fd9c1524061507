"""The folds of the page Data: the norms, what the bounds keep, how columns are read, the table."""

import streamlit as st

from dpviz.charts.data.influence import sensitivity_frame
from dpviz.queries import Query
from dpviz.ui.data import bounding, reading_controls
from dpviz.ui.kit import controls, group_controls, looking, parts
from dpviz.words.grammar import numbered
from dpviz.workspace.projects.absent import is_absent
from dpviz.workspace.workspace import Workspace

PREVIEW = 20  # rows of the table, shown on request


def look(ws: Workspace, query: Query | None) -> None:
    """The folds of the page, each computed only while it is open."""
    if query:
        parts.look_closer(
            f"How far one {query.nouns.one} moves all numbers together",
            lambda: _norms(query),
            key="norms",
        )
        cut = query.bounds.person is not None or query.clip is not None
        parts.look_closer(
            "How much the bounds cut off" if cut else "Which rows are left out",
            lambda: bounding.cost(ws, query),
            key="bounding",
        )
    if is_absent(ws.table):
        return
    parts.look_closer(group_controls.HOW_READ, lambda: reading_controls.columns(ws), key="reading")
    parts.look_closer(
        "The table: its source and its rows",
        lambda: _table(ws),
        key="table",
    )


def _norms(query: Query) -> None:
    st.caption(f"Sensitivity, tables that differ by this: {query.neighbours}.")
    parts.table(sensitivity_frame(query), alt="The three norms with their numbers.")


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
