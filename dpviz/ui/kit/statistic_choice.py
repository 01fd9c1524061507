"""Which statistic of the plan a page shows, where there are several."""

import streamlit as st

from dpviz.ui.kit import controls
from dpviz.workspace.workspace import Workspace


def choose(ws: Workspace) -> int | None:
    """Ask which statistic is in use; its place in the plan, or None where there is one alone."""
    if len(ws.statistics) < 2:
        return None
    keys = [s.key for s in ws.statistics]
    place = keys.index(ws.statistic.key)
    names = [f"{i}. {s.name} ({s.data})" for i, s in enumerate(ws.statistics, start=1)]
    chosen = controls.selectbox(
        "Statistic",
        range(len(keys)),
        index=place,
        format_func=names.__getitem__,  # numbered, as two may be called the same
        help="Each has its own session and its own budgets; their losses add.",
        lasting=False,
        key=controls.keyed("statistic", (place, names)),
    )
    if chosen != place:
        ws.use(ws.statistics[chosen])
        st.rerun()
    return place
