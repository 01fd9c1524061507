"""How fast the core draws, as ratios to a limit measured in the same round, on one core.

    python -m tests.benchmarks.bench_core

P1 and P4: a bridge, against drawing the same noise once with numpy and moving the same memory
(two reads, one write). Both sides write into memory that is kept. P2: one release of one number,
bookkeeping included. P5: a Poisson bridge, against one standard normal draw. Every figure is
measured in five fresh processes, taking turns with its limit; the table shows their median and
the worst. P6: a committed path, against a session of the same levels.
"""

import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from dpviz import streams
from dpviz.accounting.guarantees import Setting
from dpviz.noise import FAMILIES
from dpviz.noise.arguments import BLOCK
from dpviz.queries import Sensitivity
from dpviz.release import MultipleRelease, commitment
from tests.benchmarks.table import Clock, Figure, in_fresh_processes, seconds

PROCESSES = 5
SIZES = {100_000: 30, 10_000_000: 4}  # coordinates: rounds
GAUSSIAN, LAPLACE, POISSON, DISCRETE = (
    FAMILIES[name] for name in ("gaussian", "laplace", "poisson", "discrete_laplace")
)


def ratio(
    work: Callable[[], object],
    limit: Callable[[], object],
    rounds: int,
    clock: Clock = time.perf_counter,
) -> float:
    """Median over rounds of the ratio of two pieces of work that take turns."""
    work()  # first touch of memory
    limit()
    return statistics.median(seconds(work, clock) / seconds(limit, clock) for _ in range(rounds))


def gaussian_bridges() -> Iterator[Figure]:
    """P1, into kept memory; and through a session, which takes fresh memory for each release."""
    rng = streams.teaching(1)
    for size, rounds in SIZES.items():
        below, above = rng.standard_normal((2, size))
        out, kept = np.empty((2, size))

        def limit(below=below, above=above, kept=kept):
            rng.standard_normal(out=kept)
            np.add(below, above, out=kept)

        def bridge(below=below, above=above, out=out):
            GAUSSIAN.bridge(below, above, 1.0, 2.0, 3.0, rng=rng, out=out)

        yield f"P1 Gaussian bridge, d={size:.0e}", ratio(bridge, limit, rounds), 1.25, "limits"
        session = MultipleRelease(below, GAUSSIAN, rng=rng)
        session.release(1.0)
        session.release(2.0)
        fresh = iter(np.linspace(1.1, 1.9, rounds + 1))

        def release(session=session, fresh=fresh):
            session.release(float(next(fresh)))

        grown = []  # the limit keeps its memory too, so that neither side gets some back

        def fresh_limit(below=below, above=above, grown=grown):
            grown.append(np.empty(below.size))
            limit(below, above, grown[-1])

        name = f"P1 in a session, both in fresh memory, d={size:.0e}"
        yield name, ratio(release, fresh_limit, rounds), 1.6, "limits"


def laplace_bridges() -> Iterator[Figure]:
    """P4; numpy's laplace has no `out`, so its limit draws into small memory that is reused."""
    rng = streams.teaching(1)
    for size, rounds in SIZES.items():
        below = LAPLACE.extend(np.zeros(size), 0, 0.5, rng=rng)
        above = LAPLACE.extend(below, 0.5, 2.5, rng=rng)
        out, kept = np.empty((2, size))

        def limit(size=size, below=below, above=above, kept=kept):
            for start in range(0, size, BLOCK):
                rng.laplace(size=min(BLOCK, size - start))
            np.add(below, above, out=kept)

        def bridge(below=below, above=above, out=out):
            LAPLACE.bridge(below, above, 0.5, 1.0, 2.5, rng=rng, out=out)

        yield f"P4 Laplace bridge, d={size:.0e}", ratio(bridge, limit, rounds), 1.25, "limits"


def poisson_bridges() -> Iterator[Figure]:
    """P5: numpy's binomial for each coordinate."""
    rng, size = streams.teaching(1), 300_000
    normal, out = np.empty(size), np.empty(size, dtype=np.int64)
    for low, level, high in ((1, 3, 10), (50, 100, 500)):
        below = POISSON.extend(np.zeros(size, dtype=np.int64), 0, low, rng=rng)
        above = POISSON.extend(below, low, high, rng=rng)

        def bridge(below=below, above=above, low=low, level=level, high=high):
            POISSON.bridge(below, above, low, level, high, rng=rng, out=out)

        measured = ratio(bridge, lambda: rng.standard_normal(out=normal), 7)
        yield f"P5 Poisson bridge, rates {low}, {level}, {high}", measured, 3.0, "normal draws"


def scalar_releases() -> Iterator[Figure]:
    """P2: a release of one number, with few and with 10,000 levels held, in random order."""
    for family in (GAUSSIAN, LAPLACE, POISSON):
        session = MultipleRelease(np.zeros(1, dtype=int), family, rng=streams.teaching(1))
        order = streams.teaching(2).permutation(np.linspace(1, 2, 11_000)).tolist()
        for goal, held in ((15.0, 100), (20.0, 10_000)):
            for level in order[len(session.levels) : held]:
                session.release(level)
            asked = order[held : held + 500]
            times = [seconds(partial(session.release, level)) for level in asked]
            name = f"P2 one number, {family.label}, {held} levels held"
            yield name, statistics.median(times) * 1e6, goal, "µs"


def committed_paths() -> Iterator[Figure]:
    """P6: drawing a path and committing to it, against a hardened session of the same levels."""
    for size, levels in ((12, 64), (1000, 64)):
        exact = np.zeros(size, dtype=np.int64)
        one = Sensitivity.bounded(1)
        setting = Setting(family=DISCRETE, delta=1e-6, sensitivity=one, dimension=size)
        path = commitment.ladder(2.0, 2.0 * 2 ** (levels / 8))

        def session(exact=exact, path=path):
            drawn = MultipleRelease(exact, DISCRETE, rng=streams.hardened())
            for level in path:
                drawn.release(level)

        def commit(exact=exact, path=path, setting=setting):
            commitment.commit(exact, setting, path, seed=commitment.Seed())

        name = f"P6 committed path, {levels} levels, d={size:,}"
        yield name, ratio(commit, session, 9), 2.0, "sessions"


def measure() -> Iterator[Figure]:
    """All figures of this process."""
    parts = (scalar_releases, gaussian_bridges, laplace_bridges, poisson_bridges, committed_paths)
    for part in parts:
        yield from part()


if __name__ == "__main__":
    in_fresh_processes(
        "tests.benchmarks.bench_core", measure, processes=PROCESSES, title="The core"
    )
