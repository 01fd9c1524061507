"""Undo and redo of the plan: two buttons, which the keys that everybody knows press, too.

A press is carried out at the beginning of the next run: before the fields, which it fills, and
after the run in which what was typed last was read.
"""

import streamlit as st

from dpviz.ui.kit import plan_file, press, state
from dpviz.ui.kit.state import Slot, attempt, nothing
from dpviz.workspace.undo import can_undo, note, redo, undo, use_a
from dpviz.workspace.workspace import Workspace

UNDO, REDO, BACK = "undo", "redo", "back to A"
ACTS = {UNDO: undo, REDO: redo, BACK: use_a}
TURN = Slot[str | None]("plan_turn", nothing)  # which of these was pressed


def begin_run() -> None:
    """Go to another plan, if that was pressed; else see whether the plan has changed."""
    ws, turn = state.workspace(), TURN.pop()
    if turn is None:
        note(ws)
        return
    before = ws.table, ws.statistic
    with st.spinner("Finding the noise level of each budget …"):
        attempt(ACTS[turn], ws)
    plan_file.refill(ws, drafts=(ws.table, ws.statistic) != before)


def show(ws: Workspace) -> None:
    """The two buttons, once the grid was read."""
    note(ws)
    there = {UNDO: can_undo(ws), REDO: bool(ws.history.future)}
    keys = {UNDO: "Ctrl+Z", REDO: "Ctrl+Shift+Z"}
    says = {UNDO: "Undo the last change of the plan", REDO: "Make the change again"}
    for turn in (UNDO, REDO):
        press.button(
            "",
            TURN.set,
            turn,
            key=f"plan_turn_{turn}",
            icon=turn,
            help=f"{says[turn]} ({keys[turn]}). Releases stay as they are.",
            disabled=not there[turn],
        )
