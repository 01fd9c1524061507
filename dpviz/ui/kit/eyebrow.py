"""The small line above the title of every page: where this is, and what is true of the whole tab.

It alone says that a tab is in practice mode and whether its work is saved; what saves it, or opens
a project, opens from here.
"""

from typing import Any

import streamlit as st

from dpviz.data import quoted
from dpviz.ui.kit import parts, press, project_box, state
from dpviz.ui.kit.page_table import page
from dpviz.words.markdown import literal

BOX = "project"  # key of the popover
NOT_SAVED = (
    "Table, plan and releases are forgotten a minute after this tab is closed. Open to save them "
    "as a project, or to open one."
)
WAITS = "Another tab changed the plan, too. Choose below which of the two to keep."
SAVED = "Plan, ledger and releases are there after the tab is closed. The table is not saved."


def show(file: str) -> None:
    """Show where this page is in the menu, the mode of the tab, and whether its work is saved."""
    info, ws = page(file), state.workspace()
    mode, icon, colour, why = parts.MODES[ws.mode]
    where = f"{info.group} · **{info.title}**" if info.group else f"**{info.title}**"
    row: dict[str, Any] = {"horizontal": True, "vertical_alignment": "center", "gap": "xsmall"}
    with st.container(key="eyebrow", **row):
        st.caption(where)
        st.badge(mode, icon=f":material/{icon}:", color=colour, help=why)  # type: ignore[arg-type]
        name = ws.keeper.name
        label = f"Saved in {literal(quoted(name))}" if name else "Not saved"
        look = ("folder", SAVED) if name else ("save", NOT_SAVED)
        if project_box.plan_waits():
            label, look = "Plan not saved yet", ("sync_problem", WAITS)
        box = press.popover(label, key=BOX, icon=look[0], help=look[1], type="tertiary")
        if box.open:
            with box:
                st.caption(f"**{mode}**: {why}")  # no key reaches the badge
                project_box.show(ws)
