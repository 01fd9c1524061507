"""The visitor's workspace in Streamlit's session state, and messages that outlive a callback."""

from collections.abc import Callable
from typing import Any

import streamlit as st
from cachetools import LRUCache
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dpviz.errors import ParameterError
from dpviz.streams import Mode
from dpviz.ui.kit.session_end import Visit, watch
from dpviz.workspace.workspace import Workspace

_WORKSPACE, _VISIT, _LOST = "workspace", "visit", "workspace_lost"
_PROBLEM = "problem_of_last_act"


def workspace() -> Workspace:
    """The workspace of this visitor; a first visit gets one with the sample loaded.

    While an earlier press still draws, the page waits: it would show what is no longer true.
    """
    if _WORKSPACE not in st.session_state:
        st.session_state[_WORKSPACE] = Workspace.fresh()
    found: Workspace = st.session_state[_WORKSPACE]
    if _VISIT not in st.session_state:
        st.session_state[_VISIT] = Visit(_session_now(), found)
    watch(st.session_state[_VISIT])
    with found.lock:
        return found


def bounded(name: str, most: int) -> LRUCache[Any, Any]:
    """What this visitor's pages keep under a name: of more than `most` the longest unused goes."""
    kept: LRUCache[Any, Any] = st.session_state.setdefault(name, LRUCache(most))
    return kept


def lost() -> bool:
    """Whether this tab lost its workspace and the visitor has not begun a new one yet."""
    if _LOST not in st.session_state:
        fresh = _WORKSPACE not in st.session_state
        st.session_state[_LOST] = fresh and _session_before() not in ("", _session_now())
    return bool(st.session_state[_LOST])


def begin(mode: Mode) -> None:
    """A new workspace in this mode, in the place of one that was lost."""
    made = Workspace.fresh()
    made.use_mode(mode)
    st.session_state[_WORKSPACE], st.session_state[_LOST] = made, False


def _session_before() -> str:
    """The session that the tab had when it connected: after a cut the browser names it.

    It stands third in the list of the websocket's protocols; a tab that is opened or reloaded
    names none.
    """
    listed = st.context.headers.get("Sec-WebSocket-Protocol", "").split(",")
    return listed[2].strip() if len(listed) > 2 else ""


def _session_now() -> str:
    context = get_script_run_ctx()
    return context.session_id if context else ""


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
