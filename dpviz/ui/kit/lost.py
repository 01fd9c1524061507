"""A tab whose workspace is gone: what happened, and a choice before anything can be drawn."""

import streamlit as st

from dpviz.streams import Mode
from dpviz.ui.kit import controls, parts, project_box, state

TITLE = "Your workspace was lost"
WHAT_HAPPENED = (
    "The connection was cut for too long, or the server was restarted. The table, the plan and the "
    "releases of this tab are gone, unless a project keeps them. Files that you downloaded stay "
    "valid."
)
WHAT_IT_COSTS = (
    "If you load the same table again, the privacy loss of its new releases adds to that of the "
    "old ones. The new workspace cannot count the old ones."
)
BUTTONS: dict[Mode, str] = {
    "hardened": "Start a new workspace in hardened mode",
    "teaching": "Start a new workspace in practice mode",
}


def say_lost() -> None:
    """Nothing of a workspace, old or new, until the visitor has chosen the mode of the new one."""
    st.title(TITLE, anchor=False)
    st.markdown(WHAT_HAPPENED)
    st.markdown(WHAT_IT_COSTS)
    with st.container(horizontal=True, gap="small"):
        for mode, label in BUTTONS.items():
            pressed = controls.button(label, key=f"start_{mode}", help=parts.MODES[mode][3])
            if pressed:
                with st.spinner("Finding the noise level of each budget …"):
                    state.begin(mode)
                st.rerun()
    project_box.offer_to_open()
