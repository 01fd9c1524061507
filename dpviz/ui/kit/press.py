"""Buttons whose act needs what is in the fields at the moment of the press.

A button's `args` are those of the render before: a text that was typed last is not in them, for the
field commits it in the same run that the press starts. So the press is only noted, and the act runs
where the button is, after the fields above it were read. A run that another one cuts short does
not lose the note; leaving the page drops it. An act that would wait for an engine is put off until
its numbers are there (`counting.py`); then the button is pressed again.
"""

import threading
import time
from collections.abc import Callable, Hashable
from typing import Any, Literal, Unpack

import streamlit as st

from dpviz.ui.kit import controls, parts
from dpviz.ui.kit.controls import Look
from dpviz.ui.kit.state import Slot, attempt, nothing
from dpviz.workspace.book import UncountedError, at_hand
from dpviz.workspace.sessions import Asking

_NOTED = Slot[dict[str, int]]("pressed", dict)
_REFUSED = Slot[str | None]("press_refused", nothing)
_PAGE = Slot[str | None]("page_of_presses", nothing)
_WAITS = Slot[tuple[str, Asking] | None]("press_waits", nothing)
COUNTED = Slot[set[Hashable]]("counted", set)  # keys of what was asked of an engine and is there
_run = threading.local()  # when the run of this thread began: an older one has older fields


def button(
    label: str,
    act: Callable[..., object],
    *args: object,
    key: str,
    closes: str = "",
    **look: Unpack[Look],
) -> None:
    """A button that runs its act with these arguments, in the run that the press starts.

    Args:
        label: what the button says.
        act: what it does; a refusal is kept and shown once.
        args: its arguments, read from the fields of this run.
        key: key of the button.
        closes: key of the popover or fold that the button is in: it is shut once the act is done,
            and stays open with the reason if the act is refused.
        look: how the button looks. `disabled` holds back the next press, not this one: what the
            fields hold now is for the act to judge.
    """
    controls.button(label, _note, key, key=key, **look)
    noted = _NOTED.get()
    if noted.get(key, _run.began) < _run.began:
        noted.pop(key, None)
        try:
            with at_hand(COUNTED.get().__contains__):
                done = attempt(act, *args)
        except UncountedError as waits:
            _WAITS.set((key, waits.asking))
            st.rerun()
        if not done:
            _REFUSED.set(key)
        elif closes:
            controls.shut(closes)
        st.rerun()
    if closes and _REFUSED.get() == key:
        _REFUSED.pop()
        parts.problem_of_last_act()


def page() -> str | None:
    """The page that is on screen."""
    return _PAGE.get()


def forget(*keys: str) -> None:
    """Drop presses of buttons that this run does not show: their acts would change nothing."""
    for key in keys:
        _NOTED.get().pop(key, None)


def popover(
    label: str,
    *,
    key: str,
    icon: str,
    help: str,
    type: Literal["secondary", "tertiary"] = "secondary",
) -> Any:
    """A box that a button opens, and that the acts in it shut again: see `closes` of `button`."""
    controls.shut_if_done(key)
    look: dict[str, Any] = {"icon": f":material/{icon}:", "help": help, "type": type}
    return st.popover(label, key=key, on_change="rerun", **look)


def _note(key: str) -> None:
    _NOTED.get()[key] = time.monotonic_ns()


def waits() -> tuple[str, Asking] | None:
    """The press whose act waits for numbers from an engine, once: its key, and what is asked."""
    return _WAITS.pop()


def again(key: str) -> None:
    """Press a button once more, if the next run shows it: what its act waited for is there."""
    _NOTED.get()[key] = 0


def begin_run(page: str) -> None:
    """Mark the beginning of a run, and drop what was pressed on another page than this one."""
    _run.began = time.monotonic_ns()
    if _PAGE.get() != page:
        _PAGE.set(page)
        _NOTED.pop()
