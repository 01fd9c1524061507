"""Long computations outside the server: one bounded pool of processes that all visitors share.

A thread of the server that computes holds Python's lock, and everybody waits. So what takes long
goes to a worker: a process of the lowest priority, which leaves by itself when nobody needs it.
Jobs of several visitors take turns in a worker, a fifth of a second each; a visitor has one job.
Only settings go there, never a table, an exact answer or a generator: a job draws from a public
seed. Limits: a computation that says nothing on the way keeps its worker until it ends.
"""

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import fields
from fractions import Fraction
from functools import cache
from itertools import count
from typing import Any

from loky import ProcessPoolExecutor
from loky.backend import get_context

from dpviz.errors import ParameterError

WORKERS = "DPVIZ_WORKERS"  # environment: how many processes; 0: the server computes by itself
MOST_WORKERS = 64
TURN = 0.2  # seconds of a job, before the next one has its turn
PATIENCE = 1.0  # seconds beyond its turn, after which a job that nobody wants is ended by force
IDLE = 300  # seconds after which a worker without a job leaves
LOWEST = 19  # priority of a worker, where the system knows such things
GONE = "The process that computed this was ended from outside. Press the button to begin again"

Steps = Iterator[tuple[float, Any]]  # the share that is done, with a complete result or None


class Job:
    """One computation: its share done, its latest result, and how it ended."""

    def __init__(self, call: Callable[..., Steps], args: tuple[object, ...]) -> None:
        """Note what is to be computed; see `Pool.start`."""
        self.call, self.args, self.number = call, args, next(_NUMBERS)
        self.share = 0.0
        self.latest: Any = None
        self.error: Exception | None = None
        self.began: float | None = None
        self._over = threading.Event()

    @property
    def running(self) -> bool:
        """Whether it goes on."""
        return not self._over.is_set()

    @property
    def seconds_left(self) -> float | None:
        """How long it will take at the pace so far; None where nothing is known."""
        if self.began is None or not self.share:
            return None
        return (time.monotonic() - self.began) * (1 / self.share - 1)

    def stop(self) -> None:
        """End it here; what it found is kept."""
        self._over.set()

    def tell(self, share: float, found: Any) -> None:
        """Take over what is known now, unless it was stopped or is told of an earlier state."""
        if self.running and share >= self.share:
            self.share = share
            self.latest = self.latest if found is None else found

    def begin(self) -> None:
        """Its first turn begins."""
        self.began = self.began or time.monotonic()

    def fail(self, error: Exception) -> None:
        """It cannot go on."""
        if self.running:
            self.error = error
            self._over.set()


class Pool:
    """The workers of a server, and the job of each visitor."""

    def __init__(self, workers: int) -> None:
        """Prepare them; each begins with its first job.

        Args:
            workers: processes; 0: each job runs to its end where it is started.
        """
        self._lanes = [_Lane() for _ in range(workers)]
        self._jobs: dict[Hashable, Job] = {}
        self._lock = threading.Lock()

    def start(self, visitor: Hashable, call: Callable[..., Steps], *args: object) -> Job:
        """Begin a job; another one of the same visitor is stopped.

        Args:
            visitor: who asked.
            call: a function at the top of a module without Streamlit.
            args: settings: numbers, text, and frozen records of such.

        Raises:
            TypeError: something else is passed, which may hold what is private.
        """
        _only_settings(args)
        job = Job(call, args)
        with self._lock:
            if (before := self._jobs.pop(visitor, None)) is not None:
                before.stop()
            if self._lanes:
                self._jobs[visitor] = job
                min(self._lanes, key=len).take(job)
        if not self._lanes:
            for share, found in call(*args):
                job.tell(share, found)
            job.stop()
        return job

    @property
    def running(self) -> int:
        """How many jobs go on."""
        with self._lock:
            return sum(job.running for job in self._jobs.values())

    def leave(self, visitor: Hashable) -> None:
        """The visitor has left: nobody wants the job."""
        with self._lock:
            job = self._jobs.pop(visitor, None)
        if job is not None:
            job.stop()


class _Lane:
    """One worker, and the jobs that take turns in it."""

    def __init__(self) -> None:
        self._turns: deque[Job] = deque()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._worker: Any = None

    def __len__(self) -> int:
        """How many jobs wait or run here."""
        return len(self._turns)

    def take(self, job: Job) -> None:
        """Let this job take part."""
        with self._changed:
            self._turns.append(job)
            self._changed.notify()
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, daemon=True, name="dpviz worker")
            self._thread.start()

    def _work(self) -> None:
        """Give one job after the other its turn, for as long as the server lives."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._turns)
                job = self._turns[0]
            try:
                self._turn(job)
            except BrokenProcessPool:
                self._worker = None  # the next turn begins another one, and other jobs begin again
                job.fail(ParameterError(GONE))
            except Exception as error:  # the visitor who asked is told
                job.fail(error)
            with self._changed:
                self._turns.popleft()
                if job.running:
                    self._turns.append(job)

    def _turn(self, job: Job) -> None:
        """Go on with a job for a while, or forget it.

        Raises:
            BrokenProcessPool: the worker is gone; this job alone ends with it.
        """
        if job.running:
            job.begin()
            going = self._submit(_go_on, job.number, job.call, job.args)
            share, found, over = self._awaited(going, job)
            job.tell(share, found)
            if over:
                job.stop()
        elif job.began is not None and self._worker is not None:
            self._submit(_drop, job.number)

    def _awaited(self, going: "Future[Any]", job: Job) -> Any:
        """What this turn found; a turn that goes on for nobody is ended by force."""
        while True:
            try:
                return going.result(TURN + PATIENCE)
            except TimeoutError:
                if going.done():  # it is the job's own
                    raise
                if not job.running:
                    self._worker.shutdown(wait=True, kill_workers=True)
                    raise BrokenProcessPool("ended, as nobody wants the result") from None

    def _submit(self, call: Callable[..., Any], *args: object) -> "Future[Any]":
        """Hand this to the worker; one that left or died is begun again."""
        for _ in range(2):
            if self._worker is None:
                self._worker = _worker()
            try:
                found: Future[Any] = self._worker.submit(call, *args)
            except BrokenProcessPool:
                self._worker = None
            else:
                return found
        raise BrokenProcessPool("no worker can be started")


def _worker() -> Any:
    """A process of its own, which reads nothing of this one's and is begun with its first task.

    Streamlit puts a page in the place of Python's main module, and a process that `multiprocessing`
    spawns would run that page; those of loky do not load the main module.
    """
    return ProcessPoolExecutor(
        1,
        context=get_context("loky"),
        timeout=IDLE,
        initializer=_stand_back,
        env={"OPENBLAS_NUM_THREADS": "1"},
    )


def _stand_back() -> None:
    """In a worker: let everything else on this computer go first."""
    if hasattr(os, "nice"):
        os.nice(LOWEST)


_NUMBERS = count()
_OPEN: dict[int, Steps] = {}  # in a worker: the jobs that it is at


def _go_on(
    number: int, call: Callable[..., Steps], args: tuple[object, ...]
) -> tuple[float, Any, bool]:
    """In a worker: a turn of a job, from its beginning if it is not known here.

    Returns:
        the share that is done, the latest result or None, and whether it is over.
    """
    steps = _OPEN.pop(number, None) or iter(call(*args))
    share, latest, end = 0.0, None, time.monotonic() + TURN
    for share, found in steps:
        latest = latest if found is None else found
        if time.monotonic() > end:
            _OPEN[number] = steps
            return share, latest, False
    return 1.0, latest, True


def _drop(number: int) -> None:
    """In a worker: forget a job."""
    _OPEN.pop(number, None)


def _only_settings(thing: Any) -> None:
    """Refuse what is no number, no text and no frozen record of such."""
    if thing is None or isinstance(thing, bool | int | float | str | Fraction):
        return
    record = getattr(type(thing), "__dataclass_params__", None)
    if isinstance(thing, tuple):
        parts: tuple[object, ...] = thing
    elif record is not None and record.frozen:
        parts = tuple(getattr(thing, field.name) for field in fields(thing))
    else:
        raise TypeError(f"a job takes settings, and no {type(thing).__name__}")
    for part in parts:
        _only_settings(part)


def wanted() -> int:
    """How many workers there are to be: one less than processors, or as the environment says.

    Raises:
        ParameterError: what the environment says is no such number.
    """
    typed = os.environ.get(WORKERS, "").strip()
    if not typed:
        return max(1, (os.cpu_count() or 1) - 1)
    if typed.isdecimal() and float(typed) <= MOST_WORKERS:  # of more than 4300 digits, too
        return int(typed)
    raise ParameterError(
        f"{WORKERS} is {typed!r}, which is no whole number from 0 to {MOST_WORKERS}; "
        "set it to one such as 2, or unset it"
    )


@cache
def shared() -> Pool:
    """The pool of this server.

    Raises:
        ParameterError: as `wanted`.
    """
    return Pool(wanted())
