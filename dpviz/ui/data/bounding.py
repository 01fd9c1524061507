"""What bounding costs: the rows that the bounds keep, and how far they move the statistic.

Both are exact answers, so they are shown on request, in teaching mode, under a red badge.
"""

import streamlit as st

from dpviz.charts.data.bounding import bounding_chart, bounding_frame, kept_chart, kept_frame
from dpviz.errors import ParameterError
from dpviz.queries import Query, kept, unbounded
from dpviz.ui.kit import looking, parts
from dpviz.words import capitalised
from dpviz.words.grammar import numbered
from dpviz.workspace.workspace import Workspace


def cost(ws: Workspace, query: Query) -> None:
    """What each bound keeps; off at each visit, and whenever another table is loaded."""
    if ws.mode == "hardened":
        st.caption(
            "Hardened mode does not look: choose bounds from what is known without the data."
        )
        return
    st.caption(
        "Every accuracy in this dashboard is about the bounded statistic. How much the bounds cut "
        "off is itself a private number. Looking at it, or choosing bounds by it, leaks."
    )
    if not looking.reveal(
        ws,
        ws.table,
        "Look at what bounding costs: not private",
        key=f"bounding_reveal_{ws.table.digest[:12]}",
    ):
        return
    st.badge("Exact numbers on screen: not private", icon=":material/visibility:", color="red")
    try:
        found = kept(query, ws.table)
        bounded, free = query.estimate(query.values(ws.table)), unbounded(query, ws.table)
    except ParameterError as error:
        parts.refusal(str(error))
        return
    if found.in_groups == 0:
        st.warning(
            f"No {query.nouns.row} counts at all. Check how the columns are read, the list of "
            f"groups, "
            f"and the column that names the {query.nouns.one}.",
            icon=":material/warning:",
        )
    parts.chart(
        kept_chart(kept_frame(found), rows_are=query.nouns.rows),
        heading="",
        reading=f"{capitalised(query.nouns.rows)} that each bound leaves, in the order in which "
        f"the "
        "bounds act.",
        alt=f"Of {found.rows:,} {query.nouns.rows} {found.after_rows:,} remain after all bounds.",
        key="kept",
    )
    parts.chart(
        bounding_chart(bounding_frame(query, bounded, free), axis_title=query.noun),
        heading="What bounding changes, in each group",
        reading="Bounded minus unbounded statistic; no noise is in it.",
        alt=f"{numbered(len(query.labels), 'groups')}; how far the bounds move each number.",
        key="bounding",
    )
