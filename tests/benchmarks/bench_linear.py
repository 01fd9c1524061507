"""How long linear queries take: the first optimum, and a draw.

    python -m tests.benchmarks.bench_linear

The optimum for 128 numbers is found by iteration, once for each workload and what a person adds;
beside it, as floor, one singular value decomposition of as many numbers. A draw opens a session on
400 numbers with each factorization in turn and releases at four levels, with the ± of each answer.
"""

from collections.abc import Iterator

import numpy as np

from dpviz import streams
from dpviz.linear.accuracy import half_widths
from dpviz.linear.contribution import Contribution
from dpviz.linear.workloads import prefix_sums, ranges
from dpviz.noise import FAMILIES
from tests.benchmarks.table import Figure, in_fresh_processes, seconds

PROCESSES = 3
OPTIMUM, DRAWN = 128, 400  # numbers
LEVELS = (1.0, 10.0, 3.0, 30.0)


def optima() -> Iterator[Figure]:
    """The first time that somebody asks."""
    prefix_sums(8).names(Contribution())  # imports
    for workload in (prefix_sums(OPTIMUM), ranges(OPTIMUM)):
        for relation in ("add/remove", "replace"):
            asked = Contribution(relation=relation)
            took = seconds(lambda w=workload, a=asked: w.names(a))
            yield f"first optimum, {workload.name}, {relation}", took, 0.5, "s"
    matrix = np.tril(np.ones((OPTIMUM, OPTIMUM)))
    yield "beside: one decomposition", seconds(lambda: np.linalg.svd(matrix)), None, "s"


def draws() -> Iterator[Figure]:
    """Four releases, with what they are good for."""
    data, family = np.ones(DRAWN, dtype=np.int64), FAMILIES["gaussian"]
    for workload in (prefix_sums(DRAWN), ranges(DRAWN)):
        for way in workload.ways:

            def draw(workload=workload, way=way):
                chosen = workload.factorization(way)
                answers = chosen.session(data, family, rng=streams.teaching(1))
                for level in LEVELS:
                    answers.release(level)
                    half_widths(chosen, family, level, 0.95)

            yield f"four draws, {workload.name}, {way}", seconds(draw), 0.2 * len(LEVELS), "s"


def measure() -> Iterator[Figure]:
    """All figures of this process."""
    for part in (optima, draws):
        yield from part()


if __name__ == "__main__":
    in_fresh_processes(
        "tests.benchmarks.bench_linear", measure, processes=PROCESSES, title="Linear queries"
    )
