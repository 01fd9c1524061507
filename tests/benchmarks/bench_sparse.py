"""How long sparse histograms take, and how little the domain matters, on one core.

    python -m tests.benchmarks.bench_sparse

P7: processor time of one first-passage probability, budgets distant and close, with its messages.
P8: ten releases with 1,000 counted cells and about 1,000 crossings, at d = 1e6 and 1e9; the choice
between sparse and dense against the better of the two; memory. Every figure is measured in three
fresh processes; the table shows their median and the worst.
"""

import math
import time
import tracemalloc
from collections.abc import Iterator
from functools import partial

import numpy as np

from dpviz import streams
from dpviz.sparse import SparseHistogram, threshold_for
from dpviz.sparse.first_passage import FirstPassage
from tests.benchmarks.table import Figure, in_fresh_processes
from tests.benchmarks.table import seconds as measured_seconds

PROCESSES = 3
COUNTED = 1000
CROSSINGS = 100  # expected at each of ten releases


seconds = partial(measured_seconds, clock=time.process_time)


def probabilities(levels: np.ndarray) -> None:
    """All first-passage probabilities, thresholds at three standard deviations."""
    passage = FirstPassage()
    for level in levels:
        passage.add(passage.crossing(float(level), 3 * math.sqrt(level)))


def rounds() -> Iterator[Figure]:
    """P7."""
    shrinking = 5.0 / np.cumprod([1.0, *(1 + 1 / np.arange(1, 51, 5) ** 2)])
    for name, levels, goal in (
        ("ratio 1.27", 5.0 / np.geomspace(1, 100, 20), 0.6),
        ("ratio 1.0001", 5.0 / 1.0001 ** np.arange(20), 20.0),
        ("steps shrinking 1:50", shrinking, 20.0),
    ):
        probabilities(levels)
        times = [seconds(lambda levels=levels: probabilities(levels)) for _ in range(5)]
        yield f"P7 one round of {levels.size}, {name}", min(times) / levels.size * 1e3, goal, "ms"


def ten_releases(domain_size: int, method: str) -> SparseHistogram:
    """Rising budgets; thresholds that let about 100 cells through each time."""
    cells = np.arange(COUNTED) * (domain_size // COUNTED)
    histogram = SparseHistogram(
        cells,
        np.full(COUNTED, 50),
        domain_size,
        l2_sensitivity=1.0,
        rng=streams.teaching(1),
        method=method,
    )
    for rho in np.geomspace(0.01, 1.0, 10).tolist():
        threshold = threshold_for(rho, CROSSINGS, cells=domain_size, l2_sensitivity=1.0)
        histogram.release(rho, threshold)
    return histogram


def releases() -> Iterator[Figure]:
    """P8."""
    found = {}
    for domain_size in (10**6, 10**9):
        ten_releases(domain_size, "sparse")
        found[domain_size] = min(
            seconds(lambda d=domain_size: ten_releases(d, "sparse")) for _ in range(5)
        )
    yield "P8 ten releases, d=1e9", found[10**9] * 1e3, 40.0, "ms"
    yield "P8 time at d=1e9 / time at d=1e6", found[10**9] / found[10**6], 1.3, "times"
    tracemalloc.start()
    ten_releases(10**9, "sparse")
    yield "P8 memory, d=1e9", tracemalloc.get_traced_memory()[1] / 2**20, 64.0, "MB"
    tracemalloc.stop()
    for domain_size in (10**4, 10**5, 3 * 10**5, 10**6):
        times = {
            method: min(
                seconds(lambda m=method, d=domain_size: ten_releases(d, m)) for _ in range(5)
            )
            for method in ("auto", "sparse", "dense")
        }
        best = min(times["sparse"], times["dense"])
        yield f"P8 choice, d={domain_size:.0e}", times["auto"] / best, 1.3, "of the better"


def measure() -> Iterator[Figure]:
    """All figures of this process."""
    for part in (rounds, releases):
        yield from part()


if __name__ == "__main__":
    in_fresh_processes(
        "tests.benchmarks.bench_sparse", measure, processes=PROCESSES, title="Sparse histograms"
    )
