"""More questions: an overview, a card with a small still picture for each.

The pictures are computed as their pages compute theirs, of made-up numbers, and drawn once for a
visitor, by sessions with a public seed: nothing here is about anybody.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
import streamlit as st

from dpviz import streams
from dpviz.accounting import half_width, pure_composition_epsilon
from dpviz.accounting.prefix_sums import square_root_coefficients
from dpviz.accounting.trees import smallest_tree
from dpviz.charts.still import Layer, still
from dpviz.data import long_tail
from dpviz.linear.operators import used_vertices
from dpviz.noise import ADDITIVE
from dpviz.planning.budgets import usual_half_width
from dpviz.release import MultipleRelease
from dpviz.sparse import SparseHistogram
from dpviz.ui.kit import controls, parts
from dpviz.ui.kit.page_table import page, path
from dpviz.ui.kit.state import Shelf
from dpviz.workspace.gradual import EXAMPLES, LEAST, MOST, OneValue
from dpviz.workspace.linear import WEEKS

SAID = (
    "You have seen how to publish a table of counts; if that is all you need, draw yours on "
    "Releases. Otherwise, pick the question that looks like yours. All examples are made up."
)
WIDTH = 266  # pixels: four in a row; on a phone a card is as wide as the page
SEED = 7  # of all noise here, public
LISTED = 4  # its stream for a list: a draw whose noise carries no bar across the line
LAST = 8  # weeks that are drawn
LEVEL = 250.0  # variance of the noise on each weekly count
STEPS = 13  # of a stream of 16
RHO, THRESHOLD, ITEMS, LARGEST, DOMAIN = 0.1, 9.0, 36, 60, 1000
RANKED, SCALE = (99, 93, 90, 84, 80, 79, 71, 64, 60, 51), 4.0
EACH, LOG_DELTA, ANSWERS = 0.1, math.log(1e-6), 40
ROW, BITS, RANDOM = 20, 100, 75  # three bits in four of an answer are random at first
PICKED = 528  # the path with which Growing trust opens: its jumps are easy to see
_KEPT = Shelf["Still"]("more_stills")


@dataclass(frozen=True, slots=True, kw_only=True)
class Still:
    """A small picture: its parts, and what it shows in words."""

    layers: tuple[Layer, ...]
    alt: str
    symbol: str = "circle"
    size: int = 7


def totals() -> Still:
    """52 running totals with the noise on each total, and with noise that they share."""
    weeks = np.arange(1.0, len(WEEKS) + 1)
    sums = np.array([*accumulate(WEEKS)], dtype=float)
    near = half_width(ADDITIVE["gaussian"], LEVEL, 0.95)
    squares = np.cumsum(square_root_coefficients(len(WEEKS)) ** 2)
    apart = np.full(len(WEEKS), near * math.sqrt(len(WEEKS)))  # a person moves all totals
    placed = near * np.sqrt(squares * squares[-1])
    last = slice(-LAST, None)  # of all of them the noise could not be seen
    return Still(
        layers=(
            _band(weeks[last], sums[last], apart[last], grey=True),
            _band(weeks[last], sums[last], placed[last]),
            Layer(kind="line", x=weeks[last].tolist(), y=sums[last].tolist()),
        ),
        alt=f"A total every week, {len(WEEKS)} in all, here the last {LAST}. Wide band: noise on "
        "each total; narrow band: noise on weighted sums of weeks, just as private.",
    )


def blocks() -> Still:
    """The blocks of a stream of 16 steps, and the few that make up the sum of the first 13."""
    tree = smallest_tree(16, 2, subtraction=False)
    used: list[tuple[float, float, int]] = []
    rest: list[tuple[float, float, int]] = []
    begun = 0
    for level, (width, *_) in reversed([*enumerate(used_vertices(tree, 16))]):
        taken = begun // width if begun + width <= STEPS else -1
        for place in range(16 // width):
            (used if place == taken else rest).append((place * width, (place + 1) * width, level))
        begun += width * (taken >= 0)
    return Still(
        layers=(_boxes(rest, grey=True), _boxes(used)),
        alt="A count that never stops. Only the three filled blocks, each with noise, make up the "
        "first 13 hours.",
    )


def found() -> Still:
    """Counts of a long list, those that a release shows in ink."""
    indices, counts = long_tail(ITEMS, LARGEST, DOMAIN, rng=streams.teaching(SEED))
    histogram = SparseHistogram(
        indices, counts, DOMAIN, l2_sensitivity=1.0, rng=streams.teaching(SEED, LISTED)
    )
    shown, _ = histogram.release(RHO, THRESHOLD)
    seen = np.isin(indices, shown)
    bars = [(n - 0.3, n + 0.3, float(count)) for n, count in enumerate(counts)]
    return Still(
        layers=(
            _columns([bar for bar, there in zip(bars, seen, strict=True) if not there], grey=True),
            _columns([bar for bar, there in zip(bars, seen, strict=True) if there]),
            Layer(kind="line", x=[-1.0, float(ITEMS)], y=[THRESHOLD, THRESHOLD], grey=True),
        ),
        alt=f"Answers from a long list. Shown: the {int(seen.sum())} of {ITEMS} whose count, "
        "with noise, is above the line.",
    )


def ranking() -> Still:
    """A list beside its noisy copy: lines that cross where two items change places."""
    session = MultipleRelease(
        np.array(RANKED, dtype=float), ADDITIVE["laplace"], rng=streams.teaching(SEED, 2)
    )
    order = np.argsort(-session.release(SCALE))
    places = np.argsort(order)
    moved = [n for n, place in enumerate(places) if n != place]
    kept = [n for n, place in enumerate(places) if n == place]

    def lines(which: Sequence[int], *, grey: bool) -> Layer:
        x = [at for _ in which for at in (0.0, 1.0, None)]
        y = [at for n in which for at in (-float(n), -float(places[n]), None)]
        return Layer(kind="line", x=x, y=y, grey=grey)

    return Still(
        layers=(lines(kept, grey=True), lines(moved, grey=False)),
        alt=f"A list of favourites, the first on top, and its noisy copy: {len(moved)} of "
        f"{len(RANKED)} items change places.",
    )


def added() -> Still:
    """What answers cost together: the sum, and the exact total below it."""
    counts = range(1, ANSWERS + 1)
    total = [float(pure_composition_epsilon(count, EACH, LOG_DELTA)) for count in counts]
    return Still(
        layers=(
            Layer(kind="line", x=[*counts], y=[EACH * count for count in counts], grey=True),
            Layer(kind="line", x=[*counts], y=total),
        ),
        alt=f"From left to right, one to {ANSWERS} answers from the same data. Grey: their privacy "
        "costs added up; below it: what they cost together.",
    )


def browsers() -> Still:
    """A hundred bits of answers, of which three in four are random."""
    at_random = [(37 * n) % BITS < RANDOM for n in range(BITS)]  # spread over the rows

    def marks(*, grey: bool) -> Layer:
        places = [n for n in range(BITS) if at_random[n] == grey]
        x, y = [float(n % ROW) for n in places], [-float(n // ROW) for n in places]
        return Layer(kind="marks", x=x, y=y, grey=grey)

    return Still(
        layers=(marks(grey=True), marks(grey=False)),
        alt="Nobody has to trust the collector: 75 of 100 answers, in grey, are random.",
        symbol="square",
        size=8,
    )


def trust() -> Still:
    """One number that comes nearer to the truth as trust grows, in its cone."""
    one = OneValue(EXAMPLES[0], "teaching", SEED, PICKED)
    epsilons = np.geomspace(LEAST, MOST, 60)
    half = np.array([usual_half_width(one.family, one.level(e)) for e in epsilons])
    ends, values = one.path.steps()
    x = np.log([LEAST, *np.repeat(ends[:-1], 2), MOST])
    y = np.repeat(values, 2)
    truth = np.full(epsilons.size, one.reading.value)
    return Still(
        layers=(
            _band(np.log(epsilons), truth, half, grey=True),
            Layer(kind="line", x=x.tolist(), y=y.tolist()),
        ),
        alt="One person’s pulse for several readers: from a stranger, left, to the doctor, right, "
        "it comes nearer to the truth.",
    )


def _band(x: np.ndarray, middle: np.ndarray, half: np.ndarray, *, grey: bool = False) -> Layer:
    """The area around a line."""
    y = [*(middle - half), *(middle + half)[::-1]]
    return Layer(kind="band", x=[*x, *x[::-1]], y=y, grey=grey)


def _boxes(blocks: Sequence[tuple[float, float, int]], *, grey: bool = False) -> Layer:
    """Blocks from left to right, with a little room between two."""
    x = [end for left, right, _ in blocks for end in (left + 0.08, right - 0.08)]
    y = [end for _, _, level in blocks for end in (level + 0.12, level + 0.88)]
    return Layer(kind="boxes", x=x, y=y, grey=grey)


def _columns(bars: Sequence[tuple[float, float, float]], *, grey: bool = False) -> Layer:
    """Columns from the ground up."""
    x = [end for left, right, _ in bars for end in (left, right)]
    y = [end for _, _, height in bars for end in (0.0, height)]
    return Layer(kind="boxes", x=x, y=y, grey=grey)


STILLS: Mapping[str, Callable[[], Still]] = {
    "linear_queries": totals,
    "continual_counting": blocks,
    "sparse_histograms": found,
    "top_k": ranking,
    "composition": added,
    "rappor": browsers,
    "growing_trust": trust,
}


# --- the page ---


def show() -> None:
    """Show the page: all cards, as many in a row as fit."""
    parts.head("more_questions", SAID)
    with st.container(horizontal=True, gap="small"):
        for file in STILLS:
            with st.container(border=True, width=WIDTH, height="stretch", key=f"card_{file}"):
                _card(file)
    parts.onward("more_questions")


def _card(file: str) -> None:
    found, info = _KEPT.take(file, STILLS[file]), page(file)
    parts.chart(
        still(found.layers, symbol=found.symbol, size=found.size),
        heading="",
        reading="",
        alt=found.alt,
        key=f"still_{file}",
    )
    controls.page_link(path(file), f"**{info.question}**")
    st.caption(found.alt)
