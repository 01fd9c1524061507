"""Grow the domain: what a release costs, measured on made-up counts, ours beside noise everywhere.

Seeded simulations; only the clock differs from run to run. A size is measured once and kept. The
first run of a method loads what the later ones find loaded, so each size is run several times, and
the fastest run counts.
"""

import io
import math
import pickle
import time
from collections.abc import Sequence
from typing import Any

import streamlit as st

from dpviz import streams
from dpviz.charts.sparse.story import (
    BYTES,
    DENSE,
    NORMALS,
    OURS,
    SAID,
    SECONDS,
    Cost,
    amount,
    growth_chart,
    growth_frame,
    size_tick,
)
from dpviz.data import long_tail
from dpviz.release import MultipleRelease
from dpviz.sparse import DenseHistogram, SparseHistogram, threshold_for
from dpviz.sparse.histogram import Method
from dpviz.ui.kit import controls, parts
from dpviz.ui.kit.state import Shelf
from dpviz.ui.sparse_histograms.view import LARGEST, SEED, Scene
from dpviz.ui.sparse_histograms.words import size_words
from dpviz.words.markdown import spoken

SIZES = tuple(10**p for p in range(3, 13))
SUPPORT = 100  # items with a count, in every domain
RUNS = 3  # of one size; the first warms up
PHANTOMS = 5.0
MOST_TIERS = 5
FEASIBLE = 10**6  # noise in every item is tried up to here
REFERENCE = 10**5  # tried at once, so that the rest can be extrapolated
QUANTITIES = {SECONDS: "time", BYTES: "memory", NORMALS: "draws"}
_KEPT = Shelf[dict[int, Cost]]("sparse_costs")  # by budgets, then by size


def closer(shown: Scene) -> None:
    """The fold with it, where there is a tier to draw for."""
    if shown.tiers:
        label = "Does it take longer when more items are possible?"
        parts.look_closer(label, lambda: _section(shown), key="sparse_grow")


def _section(shown: Scene) -> None:
    """Slider, picture, and the button that measures every size."""
    rhos = _budgets(shown)
    left, right = st.columns([3, 1], gap="medium")
    kept = _KEPT.take(rhos, dict)
    with right:
        size = controls.select_slider(
            "Items possible, d",
            SIZES,
            value=10**9,
            format_func=size_tick,
            key="sparse_size",
            help=f"How many items there could be. Only {SUPPORT} of them have a count.",
            lasting=False,
        )
        quantity = controls.segmented_control(
            "Compare",
            QUANTITIES,
            default=SECONDS,
            key="sparse_quantity",
            help="Time: the fastest of three runs on this machine. Memory: what a session keeps "
            "between two releases. Draws: random numbers with a normal distribution.",
        )
        controls.button(
            "Measure every size now",
            measure_all,
            rhos,
            icon="timer",
            width="stretch",
            key="sparse_measure",
        )
        st.caption(
            "Made-up counts, the same plan, measured on this machine. Noise in every item is tried "
            "up to a million items, and extrapolated beyond."
        )
    for needed in (REFERENCE, size):
        if needed not in kept:
            kept[needed] = measure(needed, rhos)
    with left:
        _picture([*kept.values()], kept[size], quantity)


def _picture(costs: Sequence[Cost], here: Cost, quantity: str) -> None:
    frame = growth_frame(costs)
    rows = frame[frame["items possible"] == here.size].set_index("method")
    ours, dense = rows.loc[OURS], rows.loc[DENSE]
    said = (
        f"If {SUPPORT} of {size_words(here.size)} possible items have a count: "
        f"{amount(ours[SECONDS], SECONDS)}, "
        f"{amount(ours[BYTES], BYTES)} and {here.normals:,} normal variates for "
        f"{here.rounds} releases (Lemma 5.7 of the paper allows {here.lemma:,}). "
        f"{SAID[DENSE].capitalize()}: {amount(dense[SECONDS], SECONDS)}, "
        f"{amount(dense[BYTES], BYTES)} and {amount(dense[NORMALS], NORMALS)}"
        + ("." if dense["measured"] else ", time and memory extrapolated.")
    )
    st.markdown(said)
    parts.chart(
        growth_chart(frame, quantity, at=here.size),
        heading=f"{QUANTITIES[quantity].capitalize()} against the number of possible items",
        reading="Filled marks are measured, hollow ones extrapolated"
        + (" or computed" if quantity == NORMALS else "")
        + ". Both axes are logarithmic: equal distances are equal factors.",
        alt=spoken(said),
        key="sparse_growth",
    )


def _budgets(shown: Scene) -> tuple[float, ...]:
    """Budgets of at most five tiers, evenly chosen, in the order most private first."""
    rhos = [t.rho for t in shown.tiers]
    if len(rhos) <= MOST_TIERS:
        return tuple(rhos)
    at = [round(i * (len(rhos) - 1) / (MOST_TIERS - 1)) for i in range(MOST_TIERS)]
    return tuple(rhos[i] for i in at)


def measure_all(rhos: tuple[float, ...]) -> None:
    """Measure every size again; called by the button."""
    _KEPT.put(rhos, {size: measure(size, rhos) for size in SIZES})


def measure(size: int, rhos: Sequence[float]) -> Cost:
    """Draw all tiers on a domain of this size, and see what that took."""
    seconds, histogram = _timed(size, rhos, "sparse")
    work = histogram.work[-1]
    dense_seconds = dense_bytes = None
    if size <= FEASIBLE:
        dense_seconds, dense = _timed(size, rhos, "dense")
        dense_bytes = kept_bytes(dense)
    return Cost(
        size=size,
        seconds=seconds,
        bytes=kept_bytes(histogram),
        normals=work.drawn_so_far,
        lemma=work.lemma,
        rounds=len(rhos),
        dense_seconds=dense_seconds,
        dense_bytes=dense_bytes,
    )


def _timed(size: int, rhos: Sequence[float], method: Method) -> tuple[float, SparseHistogram]:
    """The fastest of a few runs, and what it drew: the same in each, as all are seeded."""
    seconds = math.inf
    for _ in range(RUNS):
        begin = time.perf_counter()
        histogram = _drawn(size, rhos, method)
        seconds = min(seconds, time.perf_counter() - begin)
    return seconds, histogram


def kept_bytes(histogram: SparseHistogram) -> int:
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


def _drawn(size: int, rhos: Sequence[float], method: Method) -> SparseHistogram:
    place = SIZES.index(size)
    indices, counts = long_tail(SUPPORT, LARGEST, size, rng=streams.teaching(SEED, 2, place))
    histogram = SparseHistogram(
        indices,
        counts,
        size,
        l2_sensitivity=1.0,
        rng=streams.teaching(SEED, 3, place),
        method=method,
    )
    for rho in dict.fromkeys(rhos):
        histogram.release(rho, threshold_for(rho, PHANTOMS, cells=size, l2_sensitivity=1.0))
    return histogram
