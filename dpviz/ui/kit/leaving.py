"""The browser asks before a reload or a closed tab loses releases that no project keeps.

Streamlit has no such question. So a few lines of JavaScript, which are constant, listen for the
page's end; what they ask is only whether there is something to lose, which each run tells them.
"""

import streamlit as st

from dpviz.ui.kit import state

_LISTENING = """
if (!("dpvizWouldLose" in window)) {
  window.addEventListener("beforeunload", event => {
    if (window.dpvizWouldLose) { event.preventDefault(); event.returnValue = true; }
  });
}
"""
_SCRIPTS = {
    lose: f"<script>{_LISTENING}window.dpvizWouldLose = {str(lose).lower()};</script>"
    for lose in (True, False)
}


def ask_before() -> None:
    """Let the browser ask from now on, if releases would be lost, and not if nothing would be."""
    st.html(_SCRIPTS[state.would_lose()], unsafe_allow_javascript=True)
