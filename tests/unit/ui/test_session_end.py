"""Which sessions are ended, and what a workspace that was closed still holds."""

import asyncio
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
import streamlit as st

from dpviz.errors import ParameterError
from dpviz.ui.kit import session_end
from dpviz.ui.kit.session_end import Visit
from dpviz.workspace.workspace import Workspace
from tests.conftest import full_run
from tests.serving import ROOT


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
