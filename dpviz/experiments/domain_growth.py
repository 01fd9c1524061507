"""What a release costs as the domain grows, measured on made-up counts: ours, and noise everywhere.

Seeded simulations; only the clock differs from run to run. The first run of a method loads what the
later ones find loaded, so each size is run several times, and the fastest run counts.
"""

import io
import math
import pickle
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz import checks
from dpviz.data import long_tail
from dpviz.release import MultipleRelease
from dpviz.sparse import DenseHistogram, SparseHistogram, threshold_for
from dpviz.sparse.histogram import Method

SUPPORT, LARGEST = 100, 200  # items with a count in every domain, and the largest count
RUNS = 3  # of one size; the first warms up
PHANTOMS = 5.0
FEASIBLE = 10**6  # noise in every item is tried up to here
Opened = Callable[[], np.random.Generator]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What one histogram took on a domain: ours, and noise in every item where that was tried."""

    size: int
    seconds: float
    bytes: int
    normals: int
    lemma: int
    rounds: int
    dense_seconds: float | None
    dense_bytes: int | None

    def __post_init__(self) -> None:
        checks.non_negative(seconds=self.seconds)
        checks.known(checks.non_negative, dense_seconds=self.dense_seconds)
        for count in (self.size, self.bytes, self.normals, self.lemma, self.rounds):
            checks.whole(0, count=count)
        if self.dense_bytes is not None:
            checks.whole(0, dense_bytes=self.dense_bytes)


def measure(size: int, rhos: Sequence[float], *, rng: Opened) -> Cost:
    """Draw all tiers on a domain of this size, and see what that took.

    Args:
        size: how many items there could be, d.
        rhos: the budgets of the tiers, each above 0.
        rng: opens a generator that begins again, for each run the same.

    Raises:
        ParameterError: a number is out of range.

    >>> from dpviz import streams
    >>> cost = measure(10**9, [0.1, 0.2], rng=lambda: streams.teaching(7))
    >>> cost.rounds, cost.normals <= cost.lemma, cost.dense_seconds
    (2, True, None)
    """
    seconds, histogram = _timed(size, rhos, "sparse", rng)
    work = histogram.work[-1]
    dense_seconds = dense_bytes = None
    if size <= FEASIBLE:
        dense_seconds, dense = _timed(size, rhos, "dense", rng)
        dense_bytes = _kept_bytes(dense)
    return Cost(
        size=size,
        seconds=seconds,
        bytes=_kept_bytes(histogram),
        normals=work.drawn_so_far,
        lemma=work.lemma,
        rounds=len(rhos),
        dense_seconds=dense_seconds,
        dense_bytes=dense_bytes,
    )


def _timed(
    size: int, rhos: Sequence[float], method: Method, rng: Opened
) -> tuple[float, SparseHistogram]:
    """The fastest of a few runs, and what it drew: the same in each, as all are seeded."""
    seconds = math.inf
    for _ in range(RUNS):
        begin = time.perf_counter()
        histogram = _drawn(size, rhos, method, rng())
        seconds = min(seconds, time.perf_counter() - begin)
    return seconds, histogram


def _kept_bytes(histogram: SparseHistogram) -> int:
    """The size of all that a histogram keeps, in bytes: its arrays, and the little beside them.

    It is computed from the histogram alone. A tracer of allocations would be the whole process's,
    and switching one on and off while other visitors allocate kills the server.
    """
    arrays: list[pickle.PickleBuffer] = []
    rest = io.BytesIO()
    measure = pickle.Pickler(rest, protocol=5, buffer_callback=arrays.append)
    kinds = (SparseHistogram, DenseHistogram, MultipleRelease)
    measure.dispatch_table = dict.fromkeys(kinds, _parts)  # the bytes can be counted, not read
    measure.dump(histogram)
    return len(rest.getvalue()) + sum(array.raw().nbytes for array in arrays)


def _parts(each: object) -> tuple[Any, ...]:
    """What an object that is not pickled keeps, but for its lock."""
    names = (name for kind in type(each).__mro__ for name in getattr(kind, "__slots__", ()))
    return list, ([getattr(each, name) for name in names if name != "_lock"],)


def _drawn(
    size: int, rhos: Sequence[float], method: Method, rng: np.random.Generator
) -> SparseHistogram:
    indices, counts = long_tail(SUPPORT, LARGEST, size, rng=rng)
    histogram = SparseHistogram(indices, counts, size, l2_sensitivity=1.0, rng=rng, method=method)
    for rho in dict.fromkeys(rhos):
        histogram.release(rho, threshold_for(rho, PHANTOMS, cells=size, l2_sensitivity=1.0))
    return histogram
