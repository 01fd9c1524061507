"""Continual counting as tidy frames: noisy running counts, and the walk down the tree.

Column names are declared here. Only `exact_counts_frame` holds exact numbers: a page builds it for
a public stream, or after "reveal". Nothing here draws.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.accounting.laplace_sums import laplace_sum_half_width, most_noises
from dpviz.accounting.levels import laplace_level
from dpviz.accounting.trees import Tree
from dpviz.noise.family import Family
from dpviz.workspace.held import HeldTier

TIER, STEP, VALUE, LOW, HIGH, FRESH = "tier", "step", "value", "low", "high", "fresh"
STREAM = (TIER, STEP, VALUE, LOW, HIGH, FRESH, "style", "budget")
LEVEL, WIDTH, DIGIT, KIND, PLACE, CELLS, FIRST, LAST = (
    "level",
    "width",
    "digit",
    "kind",
    "place",
    "cells",
    "first",
    "last",
)
WALK = (LEVEL, WIDTH, DIGIT, KIND, PLACE, CELLS, FIRST, LAST)
ADDED, SUBTRACTED, UNUSED = "added", "subtracted", "unused"
MOST_CELLS = 30  # blocks of a row that are drawn one by one


def half_widths(
    used: NDArray[np.int64], level: float, confidence: float, family: Family
) -> NDArray[np.float64]:
    """±a of each prefix sum by itself, from how many noise terms it carries; exact."""
    counts, place = np.unique(used, return_inverse=True)
    known = [laplace_sum_half_width(int(n), level, confidence, family=family) for n in counts]
    return np.array(known)[place]


def fresh_widths(
    steps: NDArray[np.int64], level: float, confidence: float, family: Family
) -> NDArray[np.float64]:
    """±a of running counts to which every step has added noise of its own; NaN if not computed.

    Exact at the last step and at 1, 2, 3, 4, 6, 8, 12 …; in between along a straight line over
    √step, less than 0.1 % off.

    Args:
        steps: from 1, ascending.
        level: scale of the noise of each step.
        confidence: of each interval by itself.
        family: of the noise.
    """
    first, last = int(steps[0]), int(steps[-1])
    known = {2**i * n for i in range(last.bit_length()) for n in (2, 3)} | {1}
    low = max((n for n in known if n <= first), default=first)
    kept = [n for n in sorted(known) if low <= n <= last] + [last]
    kept = [n for n in dict.fromkeys(kept) if n <= most_noises(family)]
    if not kept:
        return np.full(len(steps), np.nan)
    exact = [laplace_sum_half_width(n, level, confidence, family=family) for n in kept]
    beyond = np.interp(np.sqrt(steps), np.sqrt(kept), exact)
    return np.where(steps > kept[-1], np.nan, beyond)


def stream_frame(
    tiers: Sequence[HeldTier],
    used: NDArray[np.int64],
    family: Family,
    confidence: float,
    *,
    moved: int,
    start: int,
    stop: int,
) -> pd.DataFrame:
    """Noisy running counts of the steps start…stop with their intervals, columns `STREAM`.

    A tier that reads from a later step on has one row there, without a number: NaN.

    Args:
        tiers: most private first; those that hold nothing at all are left out.
        used: as of `dpviz.accounting.tree_errors.vertices_used`.
        family: of the noise.
        confidence: of each interval by itself.
        moved: c, what one person can move the counts by altogether.
        start: first step, from 1.
        stop: last step.
    """
    parts = []
    for tier in tiers:
        if tier.first > stop:
            parts.append(_rows(tier, np.array([tier.first]), np.array([np.nan]), 0.0, np.nan))
            continue
        if tier.values is None:
            continue
        begin, end = max(start, tier.first), min(stop, tier.first + len(tier.values) - 1)
        if begin > end:
            continue
        values = np.asarray(tier.values[begin - tier.first : end - tier.first + 1], float)
        half = half_widths(used[begin - 1 : end], tier.level, confidence, family)
        steps = np.arange(begin, end + 1)
        fresh = fresh_widths(steps, laplace_level(tier.loss, moved), confidence, family)
        parts.append(_rows(tier, steps, values, half, fresh))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(STREAM))


def _rows(
    tier: HeldTier,
    steps: NDArray[np.int64],
    values: NDArray[np.float64],
    half: NDArray[np.float64] | float,
    fresh: NDArray[np.float64] | float,
) -> pd.DataFrame:
    """The rows of one tier."""
    return pd.DataFrame(
        {
            TIER: tier.name,
            STEP: steps,
            VALUE: values,
            LOW: values - half,
            HIGH: values + half,
            FRESH: fresh,
            "style": tier.style,
            "budget": tier.budget,
        }
    )


def exact_counts_frame(counts: NDArray[Any], *, start: int, stop: int) -> pd.DataFrame:
    """Exact running counts of the steps start…stop: not private; columns step, value."""
    sums = np.cumsum(counts)
    return pd.DataFrame({STEP: np.arange(start, stop + 1), VALUE: sums[start - 1 : stop]})


def walk_frame(tree: Tree, step: int) -> pd.DataFrame:
    """The blocks beside the way to a step, level by level, widest first; columns `WALK`.

    On each level the sum has come to some step; to its right are the blocks that may be added, to
    its left those that may be subtracted. A row is one block, or where there are more than 30 of
    them, one run of blocks of the same kind. `place` counts blocks from where the sum has come,
    `first` and `last` are the steps of a block. Left out are blocks of inputs before the first,
    which do not exist, and, but for the first of a level without any other, unused blocks of inputs
    that have not come yet.

    >>> walk_frame(Tree(3, 2, True), 2)[["width", "kind", "place"]].values.tolist()
    [[3, 'added', 0], [1, 'subtracted', -1]]
    """
    rows, start = [], 0
    for level, digit in zip(reversed(range(tree.height)), tree.digits(step), strict=True):
        width = tree.arity**level
        runs = [run for run in _runs(tree, digit) if start + run[1] * width >= 0]
        seen = [
            (k, at, n) for k, at, cells in runs if (n := _come(k, at, cells, step - start, width))
        ]
        for kind, place, cells in seen or [(k, at, 1) for k, at, _ in runs[:1]]:
            first = start + place * width
            rows.append((level, width, digit, kind, place, cells, first + 1, first + cells * width))
        start += digit * width
    return pd.DataFrame(rows, columns=list(WALK))


def _come(kind: str, place: int, cells: int, ahead: int, width: int) -> int:
    """How many blocks of a run are shown: used ones, and those whose first step has come.

    Args:
        kind: added, subtracted or unused.
        place: of the first block of the run.
        cells: how many there are.
        ahead: how many steps the present is ahead of where places begin; negative: behind.
        width: steps of a block.

    >>> _come(UNUSED, 0, 7, 15, 14), _come(UNUSED, 0, 7, -3, 1), _come(ADDED, 0, 3, 500, 196)
    (2, 0, 3)
    """
    if kind != UNUSED:
        return cells
    return min(cells, max(0, -(-ahead // width) - place))


def _runs(tree: Tree, digit: int) -> list[tuple[str, int, int]]:
    """Kind, place and length of the runs of a level, from the left; short rows cell by cell."""
    ends = {
        UNUSED: [(-tree.most_negative, min(digit, 0)), (max(digit, 0), tree.most_positive)],
        ADDED: [(0, digit)],
        SUBTRACTED: [(digit, 0)],
    }
    runs = [(kind, a, b - a) for kind, pairs in ends.items() for a, b in pairs if b > a]
    if tree.arity - 1 <= MOST_CELLS:
        runs = [(kind, place + i, 1) for kind, place, cells in runs for i in range(cells)]
    return sorted(runs, key=lambda run: run[1])
