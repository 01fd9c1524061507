"""The door: who has to log in, who is turned away, and who has come in, with a way out.

Before anything else is shown, and before a workspace is made, app.py asks here. Anyone who may not
come in has one page, which holds nothing. See `dpviz.ui.kit.admitted` for who may.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.errors import ParameterError
from dpviz.ui.kit import admitted, controls, parts, state, workers
from dpviz.ui.kit.state import Slot, nothing
from dpviz.words import visible
from dpviz.words.markdown import literal
from dpviz.workspace.accounts import EndedError, Person, Reader, StrangerError

LOG_IN = "Log in to see this dashboard"
WHY = "What you may see here depends on your account. The login is that of your organisation."
NO_ACCESS = "Nothing here is open to you"
NOT_NOW = "This dashboard is closed just now"
_CAME = Slot[Person | None]("came_in", nothing)
_TURNED = Slot("turned_away", lambda: False)


def at_the_door() -> tuple[Person | None, Callable[[], None] | None]:
    """Who has come in, and what to show to anyone who has not.

    Returns:
        The person, None where nobody logs in; and the page of the door, None for those who are in.
    """
    try:
        found = admitted.person()
        if found is not None and _CAME.get() != found:
            _forget()
            admitted.projects().note("log in")
            _CAME.set(found)
    except EndedError:
        _forget()
        return None, _log_in
    except StrangerError as error:
        _forget()
        return None, partial(_turned_away, str(error))
    except ParameterError as error:
        _forget()
        return None, partial(_closed, str(error))
    return found, None


def reader() -> Reader | None:
    """The reader who uses this tab; None for anybody else.

    Raises:
        ParameterError: if the person may not see anything any more.
    """
    found = admitted.person()
    return found if isinstance(found, Reader) else None


def with_way_out(who: Person | None) -> AbstractContextManager[object]:
    """A place for a page, with who is logged in below it, and a button to log out.

    Args:
        who: the person; None where nobody logs in, and the page has no more than it had.
    """
    if who is None:
        return nullcontext()
    page: DeltaGenerator = st.container()
    with st.container(horizontal=True, vertical_alignment="center", key="way_out"):
        st.caption(f"Logged in as {literal(visible(who.who))}", width="content")
        _out("Log out")
    return page


def _forget() -> None:
    """What this tab had, and what is computed for it, was for somebody who may see more."""
    if state.give_up():
        workers.shared().leave(state.session())


def _out(label: str) -> None:
    if controls.button(label, key="log_out", type="tertiary", icon="logout"):
        st.logout()
        st.stop()  # nobody is logged in from here on


def _log_in() -> None:
    parts.bare_head(LOG_IN, WHY)
    if controls.button("Log in", key="log_in", type="primary", icon="login"):
        st.login()


def _turned_away(why: str) -> None:
    _note_stranger()
    parts.bare_head(NO_ACCESS, literal(f"{why}."))
    _out("Log out")


def _closed(why: str) -> None:
    parts.bare_head(NOT_NOW, literal(f"{why}."))


def _note_stranger() -> None:
    """Once for each tab."""
    if _TURNED.get():
        return
    try:
        admitted.note_stranger()
    except ParameterError as error:
        parts.refusal(str(error))
    _TURNED.set(True)
