"""One line for every figure: what, its median and its worst, the floor, the goal, the verdict."""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence

Figure = tuple[str, float, float | None, str]  # what, measured, goal if there is one, unit
Clock = Callable[[], float]
MEASURE = "--measure"
VERDICTS = ("kept", "missed", "no goal")  # what each line ends with


def seconds(work: Callable[[], object], clock: Clock = time.perf_counter) -> float:
    """Time one call."""
    start = clock()
    work()
    return clock() - start


def heading(title: str) -> None:
    """Begin a table."""
    print(f"\n{title}\n{'':54} {'median':>9} {'worst':>9} {'floor':>9} {'goal':>9}")


def line(
    what: str,
    measured: float | Sequence[float],
    unit: str,
    goal: float | None = None,
    *,
    floor: float | None = None,
    worst: float | None = None,
    beside: str = "",
) -> None:
    """Print a figure.

    Args:
        what: is measured.
        measured: once, or several times.
        unit: of all numbers of the line.
        goal: the most that the median may be.
        floor: what cannot be undercut, measured in the same run.
        worst: the most that the worst may be, if that is a goal too.
        beside: what else was seen.
    """
    several = [measured] if isinstance(measured, float | int) else [*measured]
    middle, most = statistics.median(several), max(several)
    missed = (goal is not None and middle > goal) or (worst is not None and most > worst)
    verdict = VERDICTS[2 if goal is None else missed]
    last = f"{most:9.3g}" if len(several) > 1 else f"{'':9}"
    bounds = "" if goal is None else f"≤ {goal:g}" + ("" if worst is None else f", {worst:g}")
    bare = "" if floor is None else f"{floor:.3g}"
    said = f"   ({beside})" if beside else ""
    numbers = f"{middle:9.3g} {last} {bare:>9} {bounds:>9}"
    print(f"{what:54} {numbers} {unit}{said}, {verdict}", flush=True)


def one_core() -> None:
    """Stay on one core, where the system can be told."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def in_fresh_processes(
    module: str,
    measure: Callable[[], Iterable[Figure]],
    *,
    processes: int,
    title: str,
    options: Sequence[str] = (),
) -> None:
    """Measure several times on one core, each in a process of its own, and print the table.

    Args:
        module: this benchmark, which such a process runs with `MEASURE`.
        measure: all figures of a process, always in the same order.
        processes: how many, one after another.
        title: of the table.
        options: what else each process is told.
    """
    if MEASURE in sys.argv:
        one_core()
        print(json.dumps([*measure()]))
        return
    command = [sys.executable, "-m", module, MEASURE, *options]
    runs: list[list[Figure]] = []
    for _ in range(processes):
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        runs.append(json.loads(done.stdout))
    heading(title)
    for figures in zip(*runs, strict=True):
        name, _, goal, unit = figures[0]
        line(name, [figure[1] for figure in figures], unit, goal)
