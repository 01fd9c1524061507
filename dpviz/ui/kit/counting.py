"""Exact numbers of a table that stays in an engine: counted beside the page, watched and stopped.

A press whose act needs them is put off (`press.py`). They are counted in a thread of this process,
since they must not leave it; what it computes the table keeps, so that the act, pressed again, has
them at once. A tab counts one thing at a time.
"""

import atexit
import time
from dataclasses import dataclass, field
from threading import Thread
from weakref import WeakSet

import streamlit as st

from dpviz.data import Table
from dpviz.ui.kit import admitted, controls, press
from dpviz.ui.kit.state import Slot, attempt, nothing, workspace
from dpviz.words import percent, shorten
from dpviz.words.markdown import literal
from dpviz.workspace.sessions import Asking, generator
from dpviz.workspace.workspace import Workspace

SOON = 0.5  # seconds in which most tables answer: then there is nothing to watch
SEEN = 0.01  # share below which one can only say that it has begun
TICK = 0.5  # seconds between two looks


@dataclass(slots=True, eq=False, repr=False, weakref_slot=True)
class Counting:
    """What is being counted, and the presses that wait for it."""

    asking: Asking
    table: Table
    page: str | None
    presses: list[str]
    began: float = field(default_factory=time.monotonic)
    fault: Exception | None = None
    thread: Thread | None = None

    def start(self, ws: Workspace) -> None:
        """Count in a thread: a session is opened to be dropped, and the table keeps the answers."""
        rng = generator(ws.next_stream(self.asking))

        def count() -> None:
            try:
                self.asking.opened(rng=rng)
            except Exception as error:  # told in the run that looks after it
                self.fault = error

        self.thread = Thread(target=count, name="dpviz-counting", daemon=True)
        _STARTED.add(self)
        self.thread.start()
        self.thread.join(SOON)

    @property
    def running(self) -> bool:
        """Whether it is not done yet."""
        return self.thread is not None and self.thread.is_alive()

    def raise_fault(self) -> None:
        """Raise what it ended with, if that is a fault.

        Raises:
            ParameterError: why there are no numbers; other errors are faults in the code.
        """
        if self.fault is not None:
            raise self.fault


_STARTED: WeakSet[Counting] = WeakSet()  # of the whole process, for its end
_COUNTING = Slot[Counting | None]("counting", nothing)


def begin_run() -> None:
    """Start what a press waits for, show how far it is, and press again once it is there."""
    waits, running = press.waits(), _COUNTING.get()
    if waits is not None:
        running = _started(*waits, running)
    if running is None:
        return
    if running.running:
        _watch(running)
        return
    _COUNTING.pop()
    if not attempt(running.raise_fault):
        return
    press.COUNTED.get().add(running.asking.key)
    if running.page == press.page():
        for key in running.presses:
            press.again(key)


def _started(key: str, asking: Asking, before: Counting | None) -> Counting:
    """Count for this press: with what runs, if it is the same, else in its place."""
    if before is not None and before.asking.key == asking.key and before.running:
        before.presses.append(key)
        return before
    if before is not None:
        before.table.stop()
    table = asking.table
    assert table is not None  # else nobody waits
    started = Counting(asking, table, press.page(), [key])
    started.start(workspace())
    _COUNTING.set(started)
    return started


def _watch(running: Counting) -> None:
    """How far it is, and a button that stops it."""

    @st.fragment(run_every=TICK)
    @admitted.guarded_part
    def box() -> None:
        if not running.running:
            st.rerun()
        with st.container(border=True):
            limit = running.table.seconds or 0.0
            spent, share = time.monotonic() - running.began, running.table.share()
            st.progress(share or 0.0, text=told(running.table.name, spent, limit, share))
            controls.button("Stop", _stop, running, icon="stop", key="counting_stop")

    box()


def told(name: str, spent: float, limit: float, share: float | None) -> str:
    """How far it is, in words.

    Args:
        name: of the table.
        spent: seconds since it began.
        limit: seconds that one statement may take.
        share: how much of a statement is done, where the engine says so.

    >>> told("visits", 12.3, 60, 0.5).translate({0x202F: None, 0xA0: " "})
    'Counting in “visits”, which stays on the server: 50% done, 12 s; a step may take 60 s.'
    """
    done = "" if share is None or share < SEEN else f"{percent(share)} done, "
    return (
        f"Counting in “{literal(shorten(name, 40))}”, which stays on the server: {done}"
        f"{spent:.0f} s; a step may take {limit:,.0f} s."
    )


def _stop(running: Counting) -> None:
    """Stop it at the visitor's wish; the engine then says so, and nothing was drawn."""
    running.presses.clear()
    running.table.stop()


@atexit.register
def _end() -> None:
    """Stop all of it as the server ends: an engine must not answer into a process that is gone."""
    for running in [*_STARTED]:
        if running.thread is not None and running.running:
            running.table.stop()
            running.thread.join(SOON)
