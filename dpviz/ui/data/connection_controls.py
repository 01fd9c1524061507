"""A table that stays on the server: chosen by its name, and read again when asked.

The people who run the server say which there are (docs/ENGINES.md). A visitor sees names, never an
address; what is wrong with an entry is told without it.
"""

from collections.abc import Callable

import streamlit as st

from dpviz.data import Table, connection_names, open_connection
from dpviz.errors import ParameterError
from dpviz.ui.kit import controls, parts, press
from dpviz.ui.kit.state import Slot, nothing
from dpviz.words import shorten
from dpviz.words.markdown import literal
from dpviz.words.names import visible

CONNECTION = "connection"  # key of the box
_PROBLEM = Slot[str | None]("connection_problem", nothing)


def offer(take: Callable[[Table, str], None], table: Table) -> None:
    """The tables of the server and a button that reads one; nothing where none is offered.

    Args:
        take: what is done with a table, and how the library loads it.
        table: in use.
    """
    try:
        names = connection_names(places())
    except ParameterError as error:
        parts.refusal(str(error))
        return
    if not names:
        return
    name = controls.selectbox(
        "A table on this server",
        names,
        key=controls.keyed(CONNECTION, names),
        format_func=lambda each: visible(shorten(each, 60)),
        help="The people who run this server offer it. Its rows stay where they are; only exact "
        "aggregates come into the memory of the server.",
    )
    again = table.seconds is not None and table.name == name
    label = "Read it again" if again else "Use this table of the server"
    press.button(label, _read, take, name, key="use_connection", icon="database")
    if again:
        st.caption(
            "It is as it was when it was read. Read again, a table that has changed is another "
            "one: its releases are another session, whose privacy loss adds to what was lost."
        )
    if problem := _PROBLEM.get():
        parts.refusal(problem)


def said(table: Table) -> str:
    """How a table that stays is read: which of a person's rows come first; nothing of an upload.

    Args:
        table: in use.
    """
    if table.seconds is None:
        return ""
    return f"It stays on the server, where a table has no order: {literal(table.order_said)}."


def places() -> list[str]:
    """The files in which connections are written: those of Streamlit."""
    return [str(path) for path in st.get_option("secrets.files")]


def _read(take: Callable[[Table, str], None], name: str) -> None:
    """Read a table; what is wrong with it stays on screen until the next one is read."""
    _PROBLEM.pop()
    try:
        with st.spinner("Asking for the columns of the table …"):
            table = open_connection(name, places())
    except ParameterError as error:
        _PROBLEM.set(str(error))
        return
    take(table, f"open_connection({name!r})")
