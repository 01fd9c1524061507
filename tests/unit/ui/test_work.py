"""What a page shows of long work: kept results, faults that are told, and who gives way."""

import pytest
import streamlit as st

from dpviz.errors import ParameterError
from dpviz.ui.kit import parts, press, work, workers
from dpviz.ui.kit.state import MOST
from dpviz.ui.kit.workers import GONE, Pool
from tests.unit.ui import jobs_of_tests as jobs


class Slow(Pool):
    """A pool whose jobs end when the test says so."""

    def start(self, _visitor, call, *args):
        self.job = workers.Job(call, args)
        return self.job


@pytest.fixture(autouse=True)
def _session(monkeypatch):
    monkeypatch.setattr(st, "session_state", {})
    monkeypatch.setattr(workers, "shared", lambda: Pool(0))


@pytest.fixture
def slow(monkeypatch):
    pool = Slow(0)
    monkeypatch.setattr(workers, "shared", lambda: pool)
    return pool


@pytest.fixture
def shown(monkeypatch):
    """What the page says of its long work."""
    said = []
    monkeypatch.setattr(work, "watch", lambda key, _: said.append(("watched", key)))
    monkeypatch.setattr(work, "_wait", lambda: said.append(("waits",)))
    monkeypatch.setattr(work.controls, "button", lambda *_, **__: said.append(("button",)))
    return said


def test_a_fault_is_not_swallowed(slow):
    work.start("key", jobs.faulty)
    slow.job.tell(0.5, "first")
    slow.job.fail(ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        work.stop()
    assert work.result("key") == "first"
    assert not work.pending("key")


def test_a_refusal_is_shown_until_the_work_is_begun_again(slow, monkeypatch):
    said = []
    monkeypatch.setattr(parts, "refusal", said.append)
    work.start("key", jobs.dying)
    slow.job.tell(0.5, "half")  # is not shown: the button begins again
    slow.job.fail(ParameterError(GONE))
    assert work.result("key") is None
    work.watch("key", str)
    assert said == [GONE]
    work.start("key", jobs.counted, 2)
    assert work.pending("key")
    assert said == [GONE]


def test_results_are_few_and_the_newest_stay():
    for i in range(MOST + 8):
        work.keep(i, f"result {i}")
    assert work.result(MOST + 7) == f"result {MOST + 7}"
    assert work.result(7) is None
    assert work.result(8) == "result 8"


def test_a_page_finds_at_once_what_takes_no_worker(shown):
    assert work.found("key", jobs.counted, 3, what="The map") == 3
    assert work.result("key") == 3
    assert shown == []


def test_a_page_gives_way_to_what_was_pressed_for_and_replaces_what_is_out_of_date(
    slow, shown, monkeypatch
):
    monkeypatch.setattr(press, "page", lambda: "a")
    assert work.found("old", jobs.counted, 3, what="The map") is None
    old = slow.job
    assert work.found("new", jobs.counted, 4, what="The map") is None  # other settings
    assert not old.running
    new = slow.job
    assert work.found("lines", jobs.counted, 5, what="The lines") is None
    assert new.running
    assert shown == [("watched", "old"), ("watched", "new"), ("waits",)]
    monkeypatch.setattr(press, "page", lambda: "b")
    assert work.found("other", jobs.counted, 6, what="The table") is None
    assert not new.running  # of a page that was left
    work.start("pressed", jobs.counted, 7)
    shown.clear()
    assert work.found("other", jobs.counted, 6, what="The table") is None
    assert work.pending("pressed")
    assert shown == [("waits",)]


def test_the_more_visitors_wait_the_less_often_each_looks(monkeypatch):
    for many, seconds in ((1, 0.3), (5, 0.3), (25, 1.0)):
        monkeypatch.setattr(Pool, "running", many)
        assert work._tick() == pytest.approx(seconds)


def test_what_a_visitor_stopped_is_not_begun_again_by_itself(slow, shown):
    assert work.found("key", jobs.counted, 3, what="The map") is None
    work._halt("key")
    assert not slow.job.running
    shown.clear()
    assert work.found("key", jobs.counted, 3, what="The map") is None
    assert shown == [("watched", "key"), ("button",)]
