"""Long work of a page: started, watched and stopped, and its results kept.

Workers compute (`workers.py`); here a fragment looks how far they are, three times a second or,
where many visitors wait, less often, and all else on the page stays usable. A tab has one job at a
time. Results are kept by what was asked, so that a rerun and a page switch show the same numbers.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dpviz.errors import ParameterError
from dpviz.ui.kit import admitted, controls, parts, press, workers
from dpviz.ui.kit.state import Shelf, Slot, nothing, session
from dpviz.ui.kit.workers import Job, Steps
from dpviz.words import percent

TICK, EACH = 0.3, 0.04  # seconds: at least, and for each job, as looking costs the server time
STOPPED = "Stopped before it was done"
WAITS = "This begins as soon as your other computation is done."

Place = tuple[str | None, str]
Told = Callable[[float], str]  # how far it is, in words, at a share that is done
_RESULTS = Shelf[Any]("work_results")


@dataclass(frozen=True)
class Running:
    """The job of a tab.

    Attributes:
        key: what was asked.
        job: what computes it.
        place: page and part of it that asked by itself; None where a button started the job.
    """

    key: Hashable
    job: Job
    place: Place | None


_RUNNING = Slot[Running | None]("work", nothing)
_FAILED = Shelf[str]("work_failed")


def start(
    key: Hashable, call: Callable[..., Steps], *args: object, place: Place | None = None
) -> None:
    """Start a job; another one that runs is stopped, and what it found is kept.

    Args:
        key: what is asked.
        call: gives what is done and found, again and again; see `workers.Pool.start`.
        args: settings that it is called with.
        place: page and part of it that asks by itself; None where a button was pressed.
    """
    stop()
    _FAILED.drop(key)
    _RUNNING.set(Running(key, workers.shared().start(session(), call, *args), place))


def stop() -> None:
    """Stop the job that runs, if there is one, and keep what it has."""
    if (running := _RUNNING.get()) is not None:
        running.job.stop()
        _collect()


def _halt(key: Hashable) -> None:
    """Stop at the visitor's wish: what has no result by now is not begun again by itself."""
    stop()
    if _RESULTS.get(key) is None:
        _FAILED.put(key, STOPPED)


def result(key: Hashable) -> Any:
    """What was found for this key, or None."""
    _collect()
    return _RESULTS.get(key)


def keep(key: Hashable, found: Any) -> Any:
    """Keep a result that took no time, and give it back."""
    return _RESULTS.put(key, found)


def pending(key: Hashable) -> bool:
    """Whether this was started and its result is not collected yet; ask after `result`."""
    running = _RUNNING.get()
    return running is not None and running.key == key


def watch(key: Hashable, told: Told) -> None:
    """How far this is, and a button that stops it; or why it ended without a result.

    Args:
        key: what is asked.
        told: how far it is, in words.
    """
    if (why := _FAILED.get(key)) is not None:
        (st.caption if why == STOPPED else parts.refusal)(why)
    running = _RUNNING.get()
    if running is None or running.key != key:
        return
    job = running.job

    @st.fragment(run_every=_tick())
    @admitted.guarded_part
    def box() -> None:
        if not job.running:
            st.rerun()
        with st.container(border=True):
            left = job.seconds_left
            about = "" if left is None else f", about {max(1, round(left))} s left"
            st.progress(job.share, text=f"{told(job.share)}{about}")
            controls.button("Stop", _halt, key, icon="stop", key="work_stop")

    box()


def result_or_progress(key: Hashable, call: Callable[..., Steps], *args: object, what: str) -> Any:
    """What this gives, once it is there: the page starts it by itself and shows how far it is.

    Args:
        key: what is asked.
        call: as for `start`.
        args: as for `start`.
        what: what is computed, as "The map".

    Returns:
        the result; None as long as it is being computed.
    """
    kept = result(key)
    if kept is not None:
        return kept
    if _FAILED.get(key) is not None:
        watch(key, str)
        again = controls.keyed("work_again", key)
        controls.button("Compute it", start, key, call, *args, key=again, icon="refresh")
        return None
    place = (press.page(), what)
    if not pending(key):
        if _occupied(place):
            _wait()
            return None
        start(key, call, *args, place=place)
    if (kept := result(key)) is None:
        watch(key, lambda share: f"{what}: {percent(share)} computed")
    return kept


def _occupied(place: Place) -> bool:
    """Whether the tab's job is one that was pressed for, or of another part of the same page.

    A job that another page began by itself gives way, and so does this part's for other settings.
    """
    running = _RUNNING.get()
    if running is None or running.place == place:
        return False
    return running.place is None or running.place[0] == place[0]


def _wait() -> None:
    """Look again until the other job is done, or stop it."""

    @st.fragment(run_every=_tick())
    @admitted.guarded_part
    def box() -> None:
        running = _RUNNING.get()
        if running is None or not running.job.running:
            st.rerun()
        st.caption(WAITS)
        key = controls.keyed("work_instead", running.key)
        controls.button("Stop the other one", _halt, running.key, icon="stop", key=key)

    box()


def _tick() -> float:
    """Seconds between two looks: all visitors together look 25 times a second at most."""
    return max(TICK, EACH * workers.shared().running)


def _collect() -> None:
    """Keep the result of a job that has ended, or why it has none.

    A refusal is shown where the job is watched; a fault in the code is raised here, and what was
    found before it is kept.
    """
    running = _RUNNING.get()
    if running is None or running.job.running:
        return
    _RUNNING.pop()
    job = running.job
    if isinstance(job.error, ParameterError):
        _FAILED.put(running.key, str(job.error))
        return
    if job.latest is not None:
        keep(running.key, job.latest)
    if job.error is not None:
        raise job.error
