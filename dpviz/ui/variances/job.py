"""Long measurements in the background: started, watched and stopped, and their results kept.

The draws are made by a thread that knows nothing of streamlit; a fragment looks at it three times a
second. One measurement runs at a time in each browser tab. Results are kept by what was asked, so
that a rerun and a page switch show the same numbers.
"""

import time
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from typing import Any, Protocol

import streamlit as st

from dpviz.ui.kit import controls
from dpviz.ui.kit.state import Shelf, Slot, nothing

_RESULTS = Shelf[Any]("variance_results")
TICK = 0.3  # seconds
THREADS = 2  # of a measurement


class Measured(Protocol):
    """A result over all draws so far."""

    @property
    def repetitions(self) -> int:
        """How many draws."""


class Job:
    """One measurement: draws until it is done or stopped; every result on the way is complete."""

    def __init__(self, key: Hashable, results: Iterator[Any], total: int) -> None:
        """Start drawing.

        Args:
            key: what was asked.
            results: gives a result over all draws so far, again and again.
            total: draws asked for.
        """
        self.key, self.total = key, total
        self.latest: Any = None
        self._stopped, self._began = False, time.monotonic()
        pool = ThreadPoolExecutor(1)
        self.drawing = pool.submit(self._draw, results)
        pool.shutdown(wait=False)

    def _draw(self, results: Any) -> None:
        with closing(results):  # so that blocks which wait are given up
            for self.latest in results:
                if self._stopped:
                    break

    @property
    def running(self) -> bool:
        """Whether it still draws."""
        return not self.drawing.done()

    def stop(self) -> None:
        """Stop after the block that is being drawn, and wait for it."""
        self._stopped = True
        wait([self.drawing], 5)

    @property
    def done(self) -> int:
        """Draws so far."""
        return self.latest.repetitions if self.latest is not None else 0

    @property
    def seconds_left(self) -> float | None:
        """How long it will take at the pace so far."""
        if not self.done:
            return None
        return (time.monotonic() - self._began) * (self.total / self.done - 1)


_JOB = Slot[Job | None]("variance_job", nothing)


def start(key: Hashable, make: Callable[[], Iterator[Any]], total: int) -> None:
    """Start a measurement from a button; another one that runs is stopped and kept."""
    stop()
    _JOB.set(Job(key, make(), total))


def stop() -> None:
    """Stop the running measurement, if there is one, and keep what it has."""
    if (job := _JOB.get()) is not None:
        job.stop()
        _collect()


def result(key: Hashable) -> Any:
    """What was measured for this key, or None."""
    _collect()
    return _RESULTS.get(key)


def keep(key: Hashable, found: Any) -> Any:
    """Keep a result that took no time, and give it back."""
    return _RESULTS.put(key, found)


def pending(key: Hashable) -> bool:
    """Whether this was started and its result is not collected yet; ask after `result`."""
    job = _JOB.get()
    return job is not None and job.key == key


def watch(key: Hashable) -> None:
    """Progress and a button that stops, while this is being measured."""
    job = _JOB.get()
    if job is None or job.key != key:
        return

    @st.fragment(run_every=TICK)
    def box() -> None:
        if not job.running:
            st.rerun()
        with st.container(border=True):
            left = job.seconds_left
            about = "" if left is None else f", about {max(1, round(left))} s left"
            st.progress(
                job.done / job.total, text=f"Drawn {job.done:,} of {job.total:,} times{about}"
            )
            controls.button("Stop", stop, icon="stop", key="variance_stop")

    box()


def said(found: Measured, total: int) -> str:
    """One sentence on how much was drawn."""
    if found.repetitions < total:
        return (
            f"Stopped after {found.repetitions:,} of {total:,} repetitions; these are complete "
            "and kept."
        )
    return f"Drawn {found.repetitions:,} times, and kept."


def _collect() -> None:
    """Keep the result of a measurement that has ended."""
    job = _JOB.get()
    if job is not None and not job.running:
        _JOB.pop()
        if job.latest is not None:
            keep(job.key, job.latest)
        job.drawing.result()  # a fault in the draws is raised here
