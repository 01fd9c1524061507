"""The visitor's workspace in Streamlit's session state, and messages that outlive a callback."""

from collections.abc import Callable

import streamlit as st

from dpviz.errors import ParameterError
from dpviz.ui.workspace import Workspace

_WORKSPACE = "workspace"
_PROBLEM = "problem_of_last_act"


def workspace() -> Workspace:
    """The workspace of this visitor; a first visit gets one with the sample loaded.

    While an earlier press still draws, the page waits: it would show what is no longer true.
    """
    if _WORKSPACE not in st.session_state:
        st.session_state[_WORKSPACE] = Workspace.fresh()
    found: Workspace = st.session_state[_WORKSPACE]
    with found.lock:
        return found


def attempt(act: Callable[..., object], *args: object) -> None:
    """Run an act from a button; a refusal is kept and shown once by `show_problem`."""
    try:
        act(*args)
    except ParameterError as error:
        st.session_state[_PROBLEM] = str(error)


def take_problem() -> str | None:
    """The refusal of the last act, once."""
    found: str | None = st.session_state.pop(_PROBLEM, None)
    return found
