"""How fast noise is drawn from bits, as ratios to a limit measured in the same round, on one core.

    python -m tests.benchmarks.bench_integer

P6: one exact discrete Laplace draw against one standard normal draw of numpy, teaching and
hardened, into kept memory; OpenDP's exact integer sampler in the same run, against the same limit,
where it is installed; randomised response likewise. P3: hardened bits against teaching ones, for
normal and Laplace draws. Sums have fine steps, and so noise of many of them. Every figure is
measured in five fresh processes, taking turns with its limit; the table shows their median and the
worst. Rows without a goal are for comparison.
"""

import importlib.util
import math
import statistics
import time
from collections.abc import Iterator
from functools import partial

import numpy as np

from dpviz import streams
from dpviz.data import SAMPLE
from dpviz.noise import FAMILIES
from dpviz.queries import BoundedSum, ByColumn
from dpviz.workspace.workspace import Workspace
from tests.benchmarks.bench_core import PROCESSES, ratio
from tests.benchmarks.table import Figure, in_fresh_processes, seconds

DISCRETE, LAPLACE = FAMILIES["discrete_laplace"], FAMILIES["laplace"]
RESPONSE = FAMILIES["randomised_response"]
SIZE = 100_000
ROUNDS = 30
PEER_SIZE = 2_000
SUMMED = next(iter(SAMPLE.bounds))
MODES = {"teaching": streams.teaching(1), "hardened": streams.hardened()}


def scale_of(sigma: float) -> float:
    """Scale b whose discrete Laplace noise has this standard deviation."""
    return 1 / (2 * math.asinh(1 / (math.sqrt(2) * sigma)))


def integer_noise() -> Iterator[Figure]:
    """P6, and what larger noise and bridges cost."""
    values, out = np.zeros((2, SIZE), dtype=np.int64)
    room, limit_rng = np.empty(SIZE), streams.teaching(2)

    def limit():
        limit_rng.standard_normal(out=room)

    for mode, rng in MODES.items():
        for sigma, goal in ((1, 1.0), (10, 1.0), (100, 1.0), (1000, None), (100_000, None)):
            b = scale_of(sigma)

            def extend(b=b, rng=rng):
                DISCRETE.extend(values, 0, b, rng=rng, out=out)

            name = f"P6 discrete Laplace, σ={sigma}, {mode}"
            yield name, ratio(extend, limit, ROUNDS), goal, "normal draws"
    for sigma in (10, 100):
        b, rng = scale_of(sigma), MODES["hardened"]
        below = DISCRETE.extend(values, 0, b / 2, rng=rng)
        above = DISCRETE.extend(below, b / 2, 2 * b, rng=rng)

        def bridge(below=below, above=above, b=b, rng=rng):
            DISCRETE.bridge(below, above, b / 2, b, 2 * b, rng=rng, out=out)

        name = f"discrete Laplace bridge, σ={sigma}, hardened"
        yield name, ratio(bridge, limit, ROUNDS), None, "normal draws"


def responses() -> Iterator[Figure]:
    """Randomised response: reports of many clients, and bridges between them."""
    values, out = np.zeros((2, SIZE), dtype=np.int64)
    room, limit_rng, rng = np.empty(SIZE), streams.teaching(2), MODES["hardened"]

    def limit():
        limit_rng.standard_normal(out=room)

    for categories in (2, 7, 1000):
        family = RESPONSE.with_categories(categories)
        above = family.extend(values, 0, 2.0, rng=rng)

        def extend(family=family):
            family.extend(values, 0, 1.0, rng=rng, out=out)

        def bridge(family=family, above=above):
            family.bridge(values, above, 0, 1.0, 2.0, rng=rng, out=out)

        name = f"randomised response, K={categories}, hardened"
        yield name, ratio(extend, limit, ROUNDS), None, "normal draws"
        yield f"{name}, bridge", ratio(bridge, limit, ROUNDS), None, "normal draws"


def peer_noise() -> Iterator[Figure]:
    """OpenDP's exact integer Laplace sampler, one call for the whole vector."""
    if importlib.util.find_spec("opendp") is None:
        return
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T="i32")), dp.l1_distance(T="i32")
    room, rng, values = np.empty(PEER_SIZE), streams.teaching(2), [0] * PEER_SIZE
    for sigma in (10, 100):
        measurement = space >> dp.m.then_laplace(scale=scale_of(sigma))
        measured = ratio(lambda m=measurement: m(values), lambda: rng.standard_normal(out=room), 5)
        yield f"P6 beside: OpenDP integer Laplace, σ={sigma}", measured, None, "normal draws"


def hardened_bits() -> Iterator[Figure]:
    """P3: normal draws, and Laplace draws against those of numpy."""
    room, values = np.empty(SIZE), np.zeros(SIZE)
    teaching, hardened = MODES.values()
    measured = ratio(
        lambda: hardened.standard_normal(out=room),
        lambda: teaching.standard_normal(out=room),
        ROUNDS,
    )
    yield "P3 normal draws from hardened bits", measured, 1.3, "normal draws"
    measured = ratio(
        lambda: LAPLACE.extend(values, 0, 3.0, rng=hardened, out=room),
        lambda: teaching.laplace(size=SIZE),
        ROUNDS,
    )
    yield "P3 Laplace draws from hardened bits", measured, 1.0, "Laplace draws"


def first_draws() -> Iterator[Figure]:
    """Making the tables of levels that were never asked for, in milliseconds."""
    rng = streams.teaching(1)
    for size in (1, SIZE):
        values = np.zeros(size, dtype=np.int64)
        for sigma in (10, 100, 100_000):
            times = []
            for i in range(5):
                start = time.perf_counter()
                DISCRETE.extend(values, 0, scale_of(sigma) * (1 + i / 100), rng=rng)
                times.append(time.perf_counter() - start)
            name = f"first draw at a level, σ={sigma}, d={size}"
            yield name, statistics.median(times) * 1e3, None, "ms"


def hardened_sums() -> Iterator[Figure]:
    """Four tiers of the sample's sums of weight per group, the first draw included."""
    by = ByColumn(SAMPLE.column, SAMPLE.groups[SAMPLE.column])
    low, high = SAMPLE.bounds[SUMMED]
    for name in ("discrete_laplace", "skellam"):
        ws = Workspace.fresh()
        ws.use_mode("hardened")
        ws.use_family(name)
        ws.state(BoundedSum(SUMMED, low, high, by))
        tiers = [tier.name for tier in ws.planned()[0]]
        ws.exact()  # the engine's part is no noise
        took = seconds(partial(ws.draw, *tiers))
        yield f"four tiers of sums, hardened, {name}", took, None, "s"


def measure() -> Iterator[Figure]:
    """All figures of this process."""
    for part in (integer_noise, responses, peer_noise, hardened_bits, first_draws, hardened_sums):
        yield from part()


if __name__ == "__main__":
    in_fresh_processes(
        "tests.benchmarks.bench_integer", measure, processes=PROCESSES, title="Exact integers"
    )
