"""Ledgers of the same rows elsewhere, and what a tab says of them.

A tab says before its first draw that the rows of its table have a ledger: in a project, which it
offers to open, or in another tab. Hardened mode draws only once a second ledger is meant. Somebody
who has the rows hears how much was lost of them in all; of other rows nobody hears anything.
"""

import streamlit as st

from dpviz.accounting import joint_loss
from dpviz.data import Table, quoted
from dpviz.ui.kit import parts, press, project_box
from dpviz.words.markdown import literal
from dpviz.workspace.others import Elsewhere
from dpviz.workspace.takeaways import cost_words
from dpviz.workspace.workspace import Workspace

LIMIT = "The limit of this dashboard counts all of it."


def show(ws: Workspace, table: Table) -> None:
    """Say that the rows of a table have a ledger elsewhere, as long as none was drawn from here.

    Args:
        ws: the workspace.
        table: that the next number would be drawn from.
    """
    found = parts.value_or_refusal(lambda: ws.elsewhere(table)) if ws.is_new(table) else None
    if found is None or not found.events:
        return
    place = project_box.offered()
    with st.container(border=True, gap="xsmall"):
        st.markdown(f"**These rows have a ledger already: {literal(quoted(table.name))}**")
        st.caption(literal(_said(ws, found, named=place is not None)))
        with st.container(horizontal=True, gap="small"):
            if place and not ws.ledger:
                for name in found.projects:
                    project_box.open_button(place, name)
            if ws.mode == "hardened" and table.digest not in ws.seconds:
                press.button("Begin a second ledger", ws.begin_second, table, key="second_ledger")


def _said(ws: Workspace, found: Elsewhere, *, named: bool) -> str:
    """Where the ledgers are, how much was lost there, and what a draw here means."""
    said = []
    for name, events in found.projects.items():
        lost = cost_words(joint_loss(events, delta=ws.delta))
        who = f"The project {quoted(name)}" if named else "A project of this server"
        open_it = " Open it, so that all adds up in one place." if named else ""
        said.append(f"{who} has released of them: {lost} in all.{open_it}")
    if found.tabs:
        lost = cost_words(joint_loss(found.tabs, delta=ws.delta))
        said.append(f"Other tabs of this server have released of them: {lost} in all.")
    said.append("What this tab draws adds to that, and its own meter does not count it.")
    return " ".join([*said, *([LIMIT] if ws.owner is not None else [])])
