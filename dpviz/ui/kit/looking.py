"""Looks at rows and at exact numbers: who may have one, what is asked first, and that it is noted.

A seal promises that the exact numbers of a table are gone, so a table with a sealed session is
revealed on no page and in no mode. Limits: its rows stay loaded, and can be looked at after a word
of warning; to upload the table again is to ask for another workspace's promise.
"""

import streamlit as st

from dpviz.data import Table, quoted
from dpviz.ui.kit import controls, parts
from dpviz.words.markdown import literal
from dpviz.workspace.projects.absent import is_absent
from dpviz.workspace.promises import groups_words
from dpviz.workspace.reading_check import is_sealed
from dpviz.workspace.sessions import Statistic
from dpviz.workspace.workspace import Workspace

SEALED_TABLE = (
    "A session on this table is sealed: its exact numbers are shown on no page and in no mode."
)
REVEAL = "Reveal the exact numbers: not private"
FOR_TEACHING = "For teaching: the picture then shows what is true."
HELD = "What was released stays: the page Present shows it, and Releases has its files."
AWAY = "Exact numbers are computed from the table, which is not loaded."
WEAKENS = (
    "Choosing groups or bounds by the rows weakens the promise, because no noise hides what they "
    "tell. From now on, the hand-outs of this table say that its rows were on screen."
)
READ_OFF: parts.Badge = (
    "Groups read off the data",
    "warning",
    "red",
    "The name of a group tells that it exists. No noise hides that: hand-outs carry no guarantee.",
)


def may_reveal(ws: Workspace, table: Table | None) -> bool:
    """Whether exact numbers may be offered: in practice mode, of a loaded table without a seal.

    Says why where the table is the reason. None stands for typed numbers, which are never sealed.
    """
    if ws.mode == "hardened":
        return False
    if table is not None and is_absent(table):
        st.caption(AWAY)
        return False
    if table is not None and is_sealed(ws, table):
        st.caption(SEALED_TABLE)
        return False
    return True


def reveal(
    ws: Workspace,
    table: Table | None,
    label: str = REVEAL,
    *,
    key: str,
    help_text: str | None = FOR_TEACHING,
) -> bool:
    """Whether exact numbers are shown; off at each visit, and noted when it is on."""
    if not may_reveal(ws, table):
        return False
    shown = controls.toggle(label, wrap=True, key=key, help=help_text, lasting=False)
    if shown and table is not None:
        note(ws, table)
    return shown


def is_away(ws: Workspace) -> bool:
    """Whether the table is not loaded, which a page that asks the table itself then says."""
    if is_absent(ws.table):
        parts.refusal(
            f"{quoted(ws.table.name)} is not loaded, and this view asks the table itself. Load the "
            "same file again on the page Data"
        )
        if ws.ledger:
            st.caption(HELD)
        parts.link("data")
        return True
    return False


def sure_of_rows(ws: Workspace) -> bool:
    """Whether the rows of the table may be shown: at once, or after a word of warning."""
    sealed = is_sealed(ws, ws.table)
    if ws.mode == "teaching" and not sealed:
        return True
    also = " A session on this table is sealed, and the rows tell its exact numbers."
    st.warning(WEAKENS + (also if sealed else ""), icon=":material/warning:")
    return controls.checkbox(
        "Show the rows anyway", key=f"rows_{ws.table.digest[:12]}", lasting=False
    )


def note(ws: Workspace, table: Table) -> None:
    """Remember that rows or exact numbers of a table were on screen."""
    ws.seen.tables.add(table.digest)


def badges(ws: Workspace, statistic: Statistic | None = None) -> list[parts.Badge]:
    """The mark of a statistic whose groups were read off the data."""
    return [READ_OFF] if ws.seen.of(statistic or ws.statistic).read_off else []


def warn(ws: Workspace, statistic: Statistic) -> None:
    """Say in hardened mode what the hand-outs of a statistic will not promise."""
    known = ws.seen.of(statistic)
    if ws.mode == "hardened" and known.read_off:
        st.warning(
            literal(
                f"In this workspace, {groups_words(known.read_off)} was read off the data. No "
                "noise hides that a group exists, so the hand-outs carry no guarantee. To have "
                "one, type a list that was known before, and say so below it on the page Data."
            ),
            icon=":material/warning:",
        )
