"""When a visitor has left: everything of theirs is forgotten, soon and without a next visitor.

Streamlit keeps a session for a while after its connection was cut, so that the browser can come
back, and then drops it only when another visitor comes or goes. Here a timer closes it. A closed
tab and a lost connection look the same to the server, so both wait equally long.

Limits: what was freed is overwritten and given back on Linux with glibc only; elsewhere it is just
freed. Short pieces of text may outlive their table by chance.
"""

import asyncio
import ctypes
import gc
from contextlib import suppress
from dataclasses import dataclass

import streamlit as st
from streamlit import runtime
from streamlit.runtime.app_session import AppSession

from dpviz.ui.kit import workers
from dpviz.workspace.workspace import Workspace

_SHARE = 0.5  # of the time that Streamlit keeps a session: it must still be there to be closed
_FETCHED = 10.0  # seconds in which a browser has fetched a file that was made for it
_PERTURB, _FILLED = -6, 1  # glibc: overwrite what is freed with this byte's complement


@dataclass(slots=True, repr=False, eq=False)
class Visit:
    """One browser tab's session; it is cut each time its connection is lost."""

    session_id: str
    workspace: Workspace
    cuts: int = 0


def _cut(visit: Visit) -> None:
    """Called by Streamlit in its event loop as soon as the connection is lost."""
    session = runtime.get_instance().get_app_session(visit.session_id)
    if session is None:  # it is over already: the server stops
        return
    visit.cuts += 1
    kept = float(st.get_option("server.disconnectedSessionTTL"))
    asyncio.get_running_loop().call_later(_SHARE * kept, _end, visit, session, visit.cuts)


@st.cache_resource(scope="session", on_release=_cut, show_spinner=False, hash_funcs={Visit: id})
def watch(visit: Visit) -> Visit:
    """Forget a visitor who has left; called in every run, as each cut ends the watch."""
    return visit


def _end(visit: Visit, session: AppSession, cuts: int) -> None:
    """Close the session, unless the browser came back."""
    server = runtime.get_instance()
    if visit.cuts != cuts or server.is_active_session(visit.session_id):
        return
    server.close_session(visit.session_id)
    loop = asyncio.get_running_loop()
    loop.run_in_executor(None, _forget, visit, session)
    loop.call_later(_FETCHED, server.media_file_mgr.remove_orphaned_files)  # its second look


def _forget(visit: Visit, session: AppSession) -> None:
    """Drop what the session holds; the server keeps the last session that it wrote to."""
    workers.shared().leave(visit.session_id)
    visit.workspace.close()
    session.session_state.clear()
    session.flush_browser_queue()
    gc.collect()
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def overwrite_what_is_freed() -> None:
    """From now on, memory that is freed is overwritten, so that no table can be read there."""
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).mallopt(_PERTURB, _FILLED)
