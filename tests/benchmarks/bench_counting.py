"""How fast continual counting runs, as ratios to one Laplace draw of numpy for each prefix sum.

    python -m tests.benchmarks.bench_counting

P12: the whole-stream form, counts to noisy prefix sums, opening included; and its parts. The live
counter: a pure step, and a push with its array and its lock, at any length; how many numbers it
keeps. OpenDP's b-ary tree with Laplace noise in the same run, where it is installed: a range tree
over a known vector, without subtraction. Every figure is measured in fresh processes, taking turns
with its limit, in processor time, because a long loop loses more of the clock to other work than a
short draw; the table shows their median and the worst. T = 1e8 takes 5 GB: pass --long to measure
it too.
"""

import importlib.util
import sys
import time
from collections.abc import Iterator
from functools import partial

import numpy as np

from dpviz import streams
from dpviz.accounting import best_arity
from dpviz.counting import ContinualCounter, CountedStream
from dpviz.counting.steps import advance
from dpviz.noise import FAMILIES
from tests.benchmarks.bench_core import PROCESSES
from tests.benchmarks.bench_core import ratio as measured_ratio
from tests.benchmarks.table import Figure, in_fresh_processes

SIZES = {10**6: 7, 10**7: 3}  # prefix sums: rounds
LONG = {10**8: 1}
DRAWS = 10**6  # of the limit at a time: more would measure memory that is handed out afresh
PUSHES = 20_000


ratio = partial(measured_ratio, clock=time.process_time)


def whole_streams(sizes: dict[int, int]) -> Iterator[Figure]:
    """P12, vectorised; one more tier of a stream that is open; whole noise."""
    rng = streams.teaching(1)
    for steps, rounds in sizes.items():
        counts = np.ones(steps, dtype=np.int64)

        def limit(steps=steps):
            for start in range(0, steps, DRAWS):
                rng.laplace(size=min(DRAWS, steps - start))

        for family, goal in ((FAMILIES["laplace"], 1.8), (FAMILIES["discrete_laplace"], None)):

            def work(counts=counts, family=family):
                CountedStream(counts, family=family, rng=rng).release(0.5)

            name = f"P12 whole stream, {family.label}, T={steps:.0e}"
            yield name, ratio(work, limit, rounds), goal, "Laplace draws"
        stream = CountedStream(counts, rng=rng)
        stream.release(0.1)
        stream.release(1.0)
        fresh = iter(np.linspace(0.2, 0.9, rounds + 1))

        def bridge(stream=stream, fresh=fresh):
            stream.release(float(next(fresh)))

        name = f"one more tier between two, T={steps:.0e}"
        yield name, ratio(bridge, limit, rounds), None, "Laplace draws"


def live_counters() -> Iterator[Figure]:
    """P12, streaming; seconds for each push over seconds for each draw."""
    rng = streams.teaching(1)

    def limit():
        rng.laplace(size=PUSHES)  # as many as steps; numpy's call itself is nothing beside them

    for steps in (10**6, 10**12):
        counter = ContinualCounter(steps, [1.0], rng=rng)
        state = [counter._state]

        def step(state=state):
            now = state[0]
            for _ in range(PUSHES):
                _, now = advance(now, 1, rng=rng)
            state[0] = now

        yield f"P12 one step, T={steps:.0e}", ratio(step, limit, 7), 50.0, "Laplace draws"
    for tiers in (1, 3):
        counter = ContinualCounter(10**6, [2.0**i for i in range(tiers)], rng=rng)

        def push(counter=counter):
            for _ in range(PUSHES):
                counter.push(1)

        yield f"one push, tiers: {tiers}", ratio(push, limit, 7), None, "Laplace draws"
        name = f"numbers kept by a counter of a million, tiers: {tiers}"
        yield name, counter.numbers_kept, None, "numbers"


def peer() -> Iterator[Figure]:
    """OpenDP's b-ary tree over a thousand leaves, with integer Laplace noise."""
    if importlib.util.find_spec("opendp") is None:
        return
    import opendp.prelude as dp

    dp.enable_features("contrib")
    leaves, rng = 1000, streams.teaching(1)
    space = dp.vector_domain(dp.atom_domain(T="i32")), dp.l1_distance(T="i32")
    tree = space >> dp.t.then_b_ary_tree(leaf_count=leaves, branching_factor=19)
    measurement, counts = tree >> dp.m.then_laplace(scale=10.0), [1] * leaves
    measured = ratio(lambda: measurement(counts), lambda: rng.laplace(size=leaves), 7)
    yield "beside: OpenDP b-ary tree and Laplace, T=1e+03", measured, None, "Laplace draws"


def best_arities() -> Iterator[Figure]:
    """Computing the best arity."""
    for steps in (10**6, 10**12):
        start = time.perf_counter()
        best_arity(steps)
        name = f"best arity for T={steps:.0e}"
        yield name, (time.perf_counter() - start) * 1e3, None, "ms"


def measure(sizes: dict[int, int]) -> Iterator[Figure]:
    """All figures of this process."""
    for part in (live_counters(), peer(), best_arities(), whole_streams(sizes)):
        yield from part


if __name__ == "__main__":
    chosen = [option for option in sys.argv[1:] if option == "--long"]
    in_fresh_processes(
        "tests.benchmarks.bench_counting",
        partial(measure, SIZES | LONG if chosen else SIZES),
        processes=PROCESSES,
        title="Continual counting",
        options=chosen,
    )
