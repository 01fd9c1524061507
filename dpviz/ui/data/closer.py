"""What specialists want of the page Data, in folds: the norms, what the bounds keep, the table."""

import streamlit as st

from dpviz.charts.data.influence import sensitivity_frame
from dpviz.queries import Query
from dpviz.ui.data import bounding
from dpviz.ui.kit import parts, summary
from dpviz.workspace.workspace import Workspace


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
        lambda: summary.look_at_table(ws),
        key="table",
    )


def _norms(query: Query) -> None:
    st.caption(f"Sensitivity, tables that differ by this: {query.neighbours}.")
    parts.table(sensitivity_frame(query), alt="The three norms with their numbers.")
