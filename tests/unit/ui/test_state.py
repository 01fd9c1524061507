"""What is kept for a visitor, under names and bounded, and what is left when the visitor goes."""

import ast
import asyncio
import itertools
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st

from dpviz.errors import ParameterError
from dpviz.ui.kit import session_end, state
from dpviz.ui.kit.session_end import Visit
from dpviz.ui.kit.state import KEPT, MOST, SHELVED, Shelf, Slot, nothing
from dpviz.workspace import Workspace
from tests.conftest import full_run
from tests.serving import ROOT
from tests.sources import nodes

UI = Path(state.__file__).parents[1]


@pytest.fixture(autouse=True)
def _session(monkeypatch):
    monkeypatch.setattr(st, "session_state", {})


def test_of_what_is_kept_the_longest_unused_goes():
    worlds, lists = Shelf("worlds"), Shelf("lists")
    for key in range(MOST):
        worlds.put(key, key)
    assert worlds.get(0) == 0  # used again
    assert lists.take(0, lambda: "a list") == "a list"
    assert worlds.get(0) == 0
    assert worlds.get(1) is None
    assert worlds.get(2) == 2
    assert len(st.session_state["shelves"]) == MOST


def test_what_is_on_a_shelf_is_made_once():
    shelf, made = Shelf("worlds"), itertools.count()
    assert shelf.take("key", lambda: next(made)) == shelf.take("key", lambda: next(made)) == 0
    assert shelf.take("other", lambda: next(made)) == 1
    shelf.drop("key")
    shelf.drop("never kept")
    assert shelf.take("key", lambda: next(made)) == 2


def test_a_slot_keeps_what_it_is_at_first_but_not_nothing():
    notes, job = Slot("notes", list), Slot("job", nothing)
    notes.get().append(1)
    assert notes.get() == [1]
    assert notes.pop() == [1]
    assert notes.pop() == notes.get() == []
    assert job.get() is job.pop() is None
    assert "job" not in st.session_state
    job.set("runs")
    assert job.pop() == "runs"
    assert job.get() is None


def names(kind):
    """Names of all slots, or of all shelves, as the code makes them."""
    found = []
    for file in UI.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        for call in nodes(text) if kind in text else ():
            if isinstance(call, ast.Call) and ast.unparse(call.func).split("[")[0].endswith(kind):
                found.append(call.args[0].value)
    return sorted(found)


def test_all_that_a_session_keeps_is_listed_once():
    for kind, listed in (("Slot", KEPT), ("Shelf", SHELVED)):
        made = names(kind)
        assert len(made) == len(set(made)), f"two of these {kind} have one name"
        assert set(made) == set(listed), f"list each {kind} in dpviz/ui/kit/state.py, and no other"


# --- Which sessions are ended, and what a workspace that was closed still holds ---


class FakeServer:
    """Stands for Streamlit's runtime: which sessions are connected, and which were closed."""

    def __init__(self) -> None:
        self.connected: set[str] = set()
        self.closed: list[str] = []
        self.media_file_mgr = SimpleNamespace(remove_orphaned_files=lambda: None)

    def is_active_session(self, session_id: str) -> bool:
        return session_id in self.connected

    def get_app_session(self, session_id: str) -> object | None:
        return SimpleNamespace(id=session_id)

    def close_session(self, session_id: str) -> None:
        self.closed.append(session_id)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> FakeServer:
    made = FakeServer()
    monkeypatch.setattr(session_end.runtime, "get_instance", lambda: made)
    monkeypatch.setattr(session_end, "_forget", lambda *_: None)
    return made


def cut_and_wait(server: FakeServer, *steps: str) -> list[str]:
    """Cut a connection, bring it back, let the oldest timer ring; which sessions were closed."""
    visit = Visit("a", Workspace.fresh())

    async def story() -> None:
        timers = []
        loop = asyncio.get_running_loop()
        loop.call_later = lambda _, act, *args: timers.append((act, args))  # type: ignore[assignment]
        for step in steps:
            if step == "cut":
                server.connected.discard("a")
                session_end._cut(visit)
            elif step == "back":
                server.connected.add("a")
            else:
                act, args = timers.pop(0)
                act(*args)

    with ThreadPoolExecutor(1) as pool:  # in this thread the browser's tests may have a loop
        pool.submit(asyncio.run, story()).result()
    return server.closed


@pytest.mark.parametrize(
    ("steps", "closed"),
    [
        ("cut ring", ["a"]),
        ("cut back ring", []),
        ("cut back cut ring", []),  # a second cut waits as long as the first
        ("cut back cut ring ring", ["a"]),
    ],
)
def test_a_tab_that_stays_away_is_closed_and_one_that_came_back_is_kept(server, steps, closed):
    assert cut_and_wait(server, *steps.split()) == closed


def test_long_work_of_a_visitor_who_left_is_stopped(monkeypatch):
    stopped = []
    monkeypatch.setattr(
        session_end.workers, "shared", lambda: SimpleNamespace(leave=stopped.append)
    )
    session = SimpleNamespace(session_state={"work": 1}, flush_browser_queue=lambda: None)
    session_end._forget(Visit("a", Workspace.fresh()), session)
    assert stopped == ["a"]
    assert session.session_state == {}


def test_a_closed_workspace_holds_no_table_no_round_and_no_groups():
    ws = Workspace.fresh()
    ws.draw("public")
    ws.seen.groups["digest", "column"] = ["rare"]
    tables, session = {ws.table, ws.statistic.table}, ws.rounds[0]
    assert session
    ws.close()
    assert (ws.rounds, ws.ledger, ws.statistics, ws.seen.groups) == ([], [], [], {})
    for table in tables:
        with pytest.raises(ParameterError):
            table.rows()
    ws.close()  # again does nothing


def test_streamlit_keeps_a_session_until_it_is_closed_here():
    assert float(st.get_option("server.disconnectedSessionTTL")) * session_end._SHARE == 60


LAST_WORD = """import dpviz.ui.kit.whole
raise SystemExit("the last word")"""


@full_run  # it takes seconds to load everything in a process of its own
def test_what_went_wrong_is_the_last_thing_on_screen():
    """The engine reports whatever is alive when Python ends: nothing is, also after the set-up."""
    done = subprocess.run(
        [sys.executable, "-c", LAST_WORD], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stderr.endswith("the last word\n"), done.stderr
