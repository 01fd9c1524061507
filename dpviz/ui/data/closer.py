"""What specialists want of the page Data, in folds: the norms, what the bounds keep, the table."""

import pandas as pd
import streamlit as st

from dpviz.charts.data.influence import sensitivity_frame
from dpviz.queries import Query
from dpviz.ui.data import bounding
from dpviz.ui.kit import controls, looking, parts
from dpviz.workspace.workspace import Workspace

PREVIEW = 20  # rows of the table, shown on request


def look(ws: Workspace, query: Query | None) -> None:
    """The folds of the page, each computed only while it is open."""
    if query:
        parts.look_closer(
            "How far one person moves all numbers together: three norms",
            lambda: _norms(query),
            key="norms",
        )
        parts.look_closer(
            "How much the bounds cut off", lambda: bounding.cost(ws, query), key="bounding"
        )
    parts.look_closer(
        "The table: its columns, its source, and its rows",
        lambda: _table(ws),
        key="table",
    )


def _norms(query: Query) -> None:
    st.caption(f"Sensitivity, tables that differ by this: {query.neighbours}.")
    parts.table(sensitivity_frame(query), alt="The three norms with their numbers.")


def _table(ws: Workspace) -> None:
    """Columns and source of the table; its first rows on request and marked.

    Another table begins with its rows out of sight, whatever was asked of the one before.
    """
    parts.table(
        pd.DataFrame([(c.name, c.kind) for c in ws.table.columns], columns=["column", "type"]),
        alt="The columns of the table, and the type of each.",
    )
    if (sample := ws.sample) is not None:
        st.caption(
            f"**Sample** {sample.title}. **One row** {sample.row}. **Source** {sample.source}. "
            f"**Licence** {sample.licence}."
        )
    wanted = controls.toggle(
        "Look at the table: not private",
        help="The raw rows, for people who may see them.",
        lasting=False,
        key=f"look_at_table_{ws.table.digest[:12]}",
    )
    if wanted and looking.sure_of_rows(ws):
        looking.note(ws, ws.table)
        st.badge("Raw rows on screen: not private", icon=":material/visibility:", color="red")
        parts.table(
            ws.table.preview(PREVIEW), alt=f"First {PREVIEW} rows of the table, not private."
        )
        st.caption(f"First {PREVIEW} of {ws.table.rows():,} rows.")
