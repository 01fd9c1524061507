"""How fast variances are measured (P9), as ratios to drawing as many normal numbers with numpy.

    python -m tests.benchmarks.bench_variances

The limit is 2 m n standard normal draws into memory that is kept: one for each tier of the lossless
session and one for each of the baseline. The lossless ones go through `MultipleRelease` in random
orders. Work and limit take turns; the table shows the median of five rounds and the worst. On a
machine that does other work only the figure for one core, in processor seconds, means much.
"""

import time
import tracemalloc
from collections.abc import Iterator

import numpy as np

from dpviz import streams
from dpviz.experiments.ladders import spaced_budgets
from dpviz.experiments.simulation import BLOCK, GAUSSIAN, exact_law_variances, simulate_variances
from tests.benchmarks.table import heading, line, seconds

ROUNDS, DRAWS = 5, 1_000_000


def variances(m: int) -> np.ndarray:
    """Variances of a ladder of Figure 2."""
    return 1 / (2 * spaced_budgets(0.001, 5.0, m))


def simulate(m: int, threads: int) -> None:
    """Measure a ladder directly."""
    rng, t = streams.teaching(1), variances(m)
    for _ in simulate_variances(GAUSSIAN, t, t, DRAWS, rng=rng, threads=threads):
        pass


def normals(count: int) -> None:
    """The limit: this many normal numbers."""
    rng, kept = streams.teaching(2), np.empty(BLOCK)
    for _ in range(count // BLOCK):
        rng.standard_normal(out=kept)


def measure() -> Iterator[tuple[str, list[float], float, str]]:
    """All figures: what, measured several times, goal, unit."""
    clocks = {1: (time.process_time, 1.1, "one core"), 2: (time.perf_counter, 0.65, "two cores")}
    for m in (2, 10, 30):
        for threads, (clock, goal, where) in clocks.items():
            ratios = []
            for _ in range(ROUNDS):
                work = seconds(lambda m=m, threads=threads: simulate(m, threads), clock)
                limit = seconds(lambda m=m: normals(2 * m * DRAWS), clock)
                ratios.append(work / limit)
            yield f"P9 {DRAWS:,} repetitions, m = {m}, {where}", ratios, goal, "limits"
    tracemalloc.start()
    simulate(10, 2)
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    yield "P9 peak memory, m = 10, two threads", [peak], 50.0, "MB"
    rng = streams.teaching(1)
    times = [
        seconds(
            lambda: exact_law_variances(variances(100), variances(100), DRAWS, rng=rng),
            time.perf_counter,
        )
        for _ in range(50)
    ]
    yield "P9 exact law, m = 100", [1e3 * t for t in times], 5.0, "ms"


def main() -> None:
    """Print the table."""
    heading("Measured variances")
    for name, measured, goal, unit in measure():
        line(name, measured, unit, goal)


if __name__ == "__main__":
    main()
