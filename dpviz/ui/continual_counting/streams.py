"""The visitor's streams as they are chosen: the table counted by times, or typed counts."""

import streamlit as st

from dpviz.data import quoted
from dpviz.errors import ParameterError
from dpviz.planning.typed import whole
from dpviz.queries import ByTime, Count
from dpviz.ui.kit import bound_controls, controls, group_controls, looking, parts
from dpviz.words import capitalised, shorten
from dpviz.words.markdown import literal
from dpviz.workspace.counting import Stream, Subject, of_counts, of_query, read_counts
from dpviz.workspace.sessions import PUBLIC
from dpviz.workspace.workspace import Workspace

MOST_MOVED = 1_000_000


def of_table(ws: Workspace) -> Stream | None:
    """The table counted by a column of times; None with the reason on screen."""
    if looking.is_away(ws):
        return None
    mine = ws.statistic.query if ws.statistic.table.digest == ws.table.digest else None
    used = mine.by if mine and isinstance(mine.by, ByTime) else None
    if used is None and not group_controls.columns_of(ws.table, *group_controls.TIMES):
        st.info(
            "This table has no column of times, such as 2025-01-31 13:05. Load the sample visits "
            "on the page Data, upload a table with one, or type counts here.",
            icon=":material/schedule:",
        )
        parts.link("data")
        return None
    by = group_controls.times(ws, used, usual="day")
    bounds = bound_controls.choose(
        ws, mine.bounds if mine else None, rows=None if isinstance(mine, Count) else "1"
    )
    try:
        split = by()
        query = Count(split, bounds(len(split.labels)))
    except ParameterError as error:
        parts.problem(error)
        return None
    if not query.sensitivity.l1 > 0:
        parts.refusal(PUBLIC)
        return None
    rows = capitalised(query.nouns.rows)
    st.caption(
        f"{rows} may be in any order: each is counted at its time. {rows} whose time cannot be "
        "read, or lies outside, are not counted."
    )
    return of_query(ws, query)


def kept(ws: Workspace) -> Subject | None:
    """One of the streams that a project holds of tables that are not loaded; None if none is."""
    held: dict[int, Subject] = {}
    for one in ws.sessions:
        of = None if isinstance(one.asking.kept, str) else one.asking.kept.subject
        if isinstance(of, Subject) and ws.find(of.key) is one:
            held[one.number] = of
    if not held:
        return None
    number = controls.selectbox(
        "Session",
        list(held),
        format_func=lambda n: f"session {n}: {shorten(held[n].stream.statistic)}",
        key=controls.keyed("counting_held", list(held)),
        lasting=False,
    )
    st.caption(
        f"{literal(quoted(ws.table.name))} is not loaded: what the project holds of it is here. "
        "A sealed session draws on without it; to draw from another one, load the same file "
        "again on the page Data."
    )
    return held[number or min(held)]


def of_list() -> Stream | None:
    """A list of counts, typed or pasted; None with the reason on screen."""
    text = controls.text_area(
        "Counts, one per line",
        placeholder="12\n7\n0\n31",
        height=150,
        key="counting_typed",
        help="New events of each step, in order of time. They are your data: the pictures show "
        "the noisy running counts that tiers draw.",
    )
    where = "One person moves the counts by at most"
    most = controls.text_input(
        where,
        "1",
        key="counting_typed_moved",
        help="c: at how many steps a person may be counted, times how often at each. Larger: more "
        "noise.",
    )
    if not text.strip():
        st.caption("Nothing is typed yet: paste a column of whole numbers.")
        return None
    return parts.usable(
        lambda: of_counts(read_counts(text), whole(most, where=where, least=1, most=MOST_MOVED))
    )
