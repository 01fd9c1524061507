"""Hand-outs: what one tier may have, as a file; releases of earlier sessions stay available."""

from collections.abc import Sequence

import streamlit as st

from dpviz.release import LedgerEntry, tier_csv
from dpviz.ui.parts import chip
from dpviz.ui.rounds import Round
from dpviz.ui.text import literal
from dpviz.ui.workspace import Workspace

FEW = 12  # up to so many releases each has a button of its own


def hand_out(ws: Workspace) -> None:
    """A button per release of this session, and a choice among all others."""
    if not ws.ledger:
        return
    st.subheader("Hand out", anchor=False)
    current = ws.entries_of(ws.round) if ws.round else []
    own = current if len(current) <= FEW else []
    with st.container(horizontal=True, gap="small"):
        for entry in own:
            _download(ws, entry, _label(ws, entry))
    others = [e for e in ws.ledger[::-1] if e not in own]
    if others:
        _choose(ws, others)
    st.caption("Each file holds one tier’s numbers and what they are; no other tier’s, none exact.")


def _choose(ws: Workspace, entries: Sequence[LedgerEntry]) -> None:
    entry = st.selectbox(
        "Another release",
        entries,
        format_func=lambda e: f"{e.tier}, {e.budget}, session {e.event.session}",
    )
    _download(ws, entry, "Download this release")


def _label(ws: Workspace, entry: LedgerEntry) -> str:
    """The tier with its symbol; with its budget where its budget has changed since."""
    label = chip(entry.tier, ws.style_of(entry.tier))
    again = any(e.tier == entry.tier and e is not entry for e in ws.ledger)
    return f"{label}, {literal(entry.budget)}" if again else label


def _download(ws: Workspace, entry: LedgerEntry, label: str) -> None:
    one = next(r for r in ws.rounds if r.number == entry.event.session)
    st.download_button(
        label,
        data=lambda: content(one, entry),
        file_name=file_name(entry),
        mime="text/csv",
        icon=":material/download:",
        key=f"download_{entry.number}",
        on_click="ignore",
    )


def content(one: Round, entry: LedgerEntry) -> bytes:
    """The file of one release."""
    session = one.session
    return tier_csv(
        entry.facts,
        one.statistic.query.groups,
        session.release(entry.level),
        mean=session.family.mean(entry.level),
    )


def file_name(entry: LedgerEntry) -> str:
    """A file name from the tier's name, letters and digits only."""
    words = "".join(c if c.isalnum() else " " for c in entry.tier).split()
    return f"{'-'.join(words) or 'tier'}-session-{entry.event.session}.csv"
