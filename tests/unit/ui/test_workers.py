"""Long work in processes of its own: the same numbers, in turns, and faults that stay alone."""

import os
import time
from dataclasses import dataclass

import numpy as np
import pytest
import streamlit as st

from dpviz import streams
from dpviz.errors import ParameterError
from dpviz.scenes.jobs import measurement
from dpviz.ui.kit import parts, press, work, workers
from dpviz.ui.kit.workers import GONE, Pool
from tests.conftest import for_each
from tests.serving import PATIENCE
from tests.unit.ui import jobs_of_tests as jobs


@pytest.fixture(scope="module")
def pool():
    """One worker for all tests of this file: it takes seconds to begin."""
    return Pool(1)


def until(true):
    end = time.monotonic() + 5 * PATIENCE  # a worker stands back for whatever else runs
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def ended(job):
    until(lambda: not job.running)
    return job


def same(one, other):
    """Equal, field by field; arrays and frames digit by digit."""
    if hasattr(one, "equals"):
        return one.equals(other)
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    slots = getattr(one, "__slots__", ())
    return all(same(getattr(one, s), getattr(other, s)) for s in slots) if slots else one == other


def test_a_worker_finds_the_numbers_that_the_same_call_finds_here(pool):
    asked = ("laplace", (1.0, 4.0), (1.0, 9.0), 120_000, 3)
    *_, (share, direct) = measurement(*asked)
    job = ended(pool.start("visitor", measurement, *asked))
    assert job.error is None
    assert job.share == share == 1
    assert same(job.latest, direct)
    *_, (_, one), (_, other) = measurement("laplace", (1.0,), (1.0,), 120_000, 3)
    assert not same(one, other)


def test_a_worker_stands_back_and_loads_no_page_and_no_engine(pool):
    own, priority, heavy = ended(pool.start("visitor", jobs.told)).latest
    assert own != os.getpid()
    assert priority in (None, workers.LOWEST)
    assert heavy == []


def test_visitors_take_turns_and_each_has_one_job(pool):
    long = pool.start("first", jobs.counted, 100_000, 0.01)
    until(lambda: long.latest)
    short = ended(pool.start("second", jobs.counted, 3))
    assert short.latest == 3
    assert long.running
    assert 0 < long.share < 1
    assert long.seconds_left > 0
    assert pool.running == 1
    other = ended(pool.start("first", jobs.counted, 2))  # it replaces the long one
    assert other.latest == 2
    assert not long.running
    assert 0 < long.latest < 100_000  # what it found is kept
    left = pool.start("third", jobs.counted, 100_000, 0.01)
    until(lambda: left.latest)
    pool.leave("third")
    pool.leave("never there")
    assert not left.running


def test_a_worker_that_dies_takes_one_job_with_it_and_another_one_begins(pool):
    innocent = pool.start("innocent", jobs.counted, 60, 0.01)
    until(lambda: innocent.latest)
    dead = ended(pool.start("unlucky", jobs.dying))
    assert isinstance(dead.error, ParameterError)
    assert str(dead.error) == GONE
    assert ended(innocent).latest == 60
    assert innocent.error is None


def test_a_fault_is_told_with_what_was_found_and_the_next_job_runs(pool):
    fault = ended(pool.start("visitor", jobs.faulty))
    assert isinstance(fault.error, ZeroDivisionError)
    assert ended(pool.start("visitor", jobs.counted, 2)).latest == 2


def test_what_says_nothing_on_the_way_is_ended_by_force_when_nobody_wants_it(pool, monkeypatch):
    monkeypatch.setattr(workers, "PATIENCE", 0.1)
    stuck = pool.start("visitor", jobs.silent, 10 * PATIENCE)
    until(lambda: stuck.began)
    stuck.stop()
    assert ended(pool.start("visitor", jobs.counted, 2)).latest == 2
    assert stuck.latest is None


def test_without_workers_a_job_is_done_when_it_is_started():
    job = Pool(0).start("visitor", jobs.counted, 3)
    assert (job.running, job.latest) == (False, 3)
    with pytest.raises(ZeroDivisionError):
        Pool(0).start("visitor", jobs.faulty)


@dataclass
class Changeable:
    level: float = 1.0


@dataclass(frozen=True)
class WithNumbers:
    counts: object


@for_each(
    "private",
    [
        np.ones(3),
        [1, 2],
        {"male": 3},
        Changeable(),
        WithNumbers(np.ones(2)),
        streams.teaching(7),
        (1.0, (2.0, np.float64(3).reshape(1))),
        lambda: 1,
    ],
)
def test_only_settings_go_to_a_worker(private):
    with pytest.raises(TypeError, match="takes settings"):
        Pool(0).start("visitor", jobs.counted, private)


def test_the_environment_says_how_many_workers_there_are(monkeypatch):
    monkeypatch.delenv(workers.WORKERS, raising=False)
    for processors, wanted in ((None, 1), (1, 1), (2, 1), (8, 7)):
        monkeypatch.setattr(os, "cpu_count", lambda found=processors: found)
        assert workers.wanted() == wanted
    monkeypatch.setenv(workers.WORKERS, "0")
    assert workers.wanted() == 0
    for typed in ("many", "-1", "65", "1.5", 5000 * "1"):
        monkeypatch.setenv(workers.WORKERS, typed)
        with pytest.raises(ParameterError, match="set it to one such as 2"):
            workers.wanted()


# What a page shows of long work: kept results, faults that are told, and who gives way.


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


def test_a_page_finds_at_once_what_takes_no_worker(shown):
    assert work.result_or_progress("key", jobs.counted, 3, what="The map") == 3
    assert work.result("key") == 3
    assert shown == []


def test_a_page_gives_way_to_what_was_pressed_for_and_replaces_what_is_out_of_date(
    slow, shown, monkeypatch
):
    monkeypatch.setattr(press, "page", lambda: "a")
    assert work.result_or_progress("old", jobs.counted, 3, what="The map") is None
    old = slow.job
    assert work.result_or_progress("new", jobs.counted, 4, what="The map") is None  # other settings
    assert not old.running
    new = slow.job
    assert work.result_or_progress("lines", jobs.counted, 5, what="The lines") is None
    assert new.running
    assert shown == [("watched", "old"), ("watched", "new"), ("waits",)]
    monkeypatch.setattr(press, "page", lambda: "b")
    assert work.result_or_progress("other", jobs.counted, 6, what="The table") is None
    assert not new.running  # of a page that was left
    work.start("pressed", jobs.counted, 7)
    shown.clear()
    assert work.result_or_progress("other", jobs.counted, 6, what="The table") is None
    assert work.pending("pressed")
    assert shown == [("waits",)]


def test_the_more_visitors_wait_the_less_often_each_looks(monkeypatch):
    for many, seconds in ((1, 0.3), (5, 0.3), (25, 1.0)):
        monkeypatch.setattr(Pool, "running", many)
        assert work._tick() == pytest.approx(seconds)


def test_what_a_visitor_stopped_is_not_begun_again_by_itself(slow, shown):
    assert work.result_or_progress("key", jobs.counted, 3, what="The map") is None
    work._halt("key")
    assert not slow.job.running
    shown.clear()
    assert work.result_or_progress("key", jobs.counted, 3, what="The map") is None
    assert shown == [("watched", "key"), ("button",)]
