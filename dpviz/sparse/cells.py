"""Cells of a histogram over a huge domain: those given, and uniform choices among all others.

The domain is 0 … d-1 and is never made: only the cells that somebody tracks are held, sorted.
Limits: d up to 1e12.
"""

import math
from typing import Any

import numpy as np

from dpviz import checks
from dpviz.errors import DataError, ParameterError
from dpviz.noise.family import Array

LARGEST_DOMAIN = 10**12
LARGEST_COUNT = 10**15
MOST_SHOWN = 10**6  # cells that a threshold may let through by noise alone


def support(indices: Any, counts: Any, domain_size: int) -> tuple[Array, Array]:
    """The cells whose count is not 0, as (indices int64 ascending, counts float64).

    A cell given with count 0 is left out: it is a cell like every other that was not given.

    Args:
        indices: whole numbers in 0 … domain_size - 1, each at most once, shape (n,).
        counts: their counts, whole numbers of at least 0, shape (n,).
        domain_size: number of cells, at most 1e12.

    Raises:
        DataError: if they are not of that kind; no sentence holds a value.

    >>> support([7, 2, 5], [3, 1, 0], 10)
    (array([2, 7]), array([1., 3.]))
    """
    domain_size = checks.integer(1, domain_size=domain_size)
    if domain_size > LARGEST_DOMAIN:
        raise ParameterError(
            f"domain_size must be at most {LARGEST_DOMAIN:.0e}, got {checks.told(domain_size)}"
        )
    cells = _whole_numbers("indices", indices, domain_size - 1)
    numbers = _whole_numbers("counts", counts, LARGEST_COUNT)
    if cells.size != numbers.size:
        raise DataError("indices and counts must have the same length: one count for each index")
    order = np.argsort(cells, kind="stable")
    cells, numbers = cells[order], numbers[order]
    if cells.size and (np.diff(cells) == 0).any():
        raise DataError("indices name one cell twice; add its counts up and give the cell once")
    kept = numbers > 0
    return cells[kept], numbers[kept].astype(np.float64)


def threshold_number(threshold: float) -> float:
    """The threshold as a float: any number but NaN and minus infinity.

    Raises:
        ParameterError: it is no number, or minus infinity.

    >>> threshold_number(4)
    4.0
    """
    number = math.nan if isinstance(threshold, bool) else checks.number(threshold=threshold)
    if math.isnan(number):
        raise ParameterError(
            f"threshold must be a number, got {checks.told(threshold)}; type for example 5.5"
        )
    if number == -math.inf:
        raise ParameterError(
            "threshold minus infinity would release every cell of the domain; type a finite number"
        )
    return number


def refuse_flood(domain_size: int, probability: float, threshold: float) -> None:
    """Refuse a threshold that noise alone is expected to cross in more than 1e6 cells.

    >>> refuse_flood(10**12, 0.5, 0.0)
    Traceback (most recent call last):
    dpviz.errors.ParameterError: threshold 0.0 would let about 5e+11 cells through by noise alone, \
more than the 1e+06 that are served; type a larger threshold
    """
    if (expected := domain_size * probability) > MOST_SHOWN:
        raise ParameterError(
            f"threshold {threshold!r} would let about {expected:.1g} cells through by noise alone, "
            f"more than the {MOST_SHOWN:.0e} that are served; type a larger threshold"
        )


def others(tracked: Array, domain_size: int, size: int, *, rng: np.random.Generator) -> Array:
    """A uniformly random subset of the cells that are not tracked, ascending.

    The first `size` distinct numbers of an endless row of uniform ones are a uniform subset;
    where most cells are wanted, those to leave out are drawn instead.

    Args:
        tracked: cells that cannot be chosen, ascending, shape (t,).
        domain_size: number of all cells.
        size: number of cells to choose, at most `domain_size` - t.
        rng: generator of the choice.

    >>> from dpviz import streams
    >>> others(np.array([0, 2]), 5, 3, rng=streams.teaching(7))
    array([1, 3, 4])
    """
    free = domain_size - tracked.size
    if 2 * size > free:
        left_out = _distinct(free, free - size, rng)
        kept = np.ones(free, dtype=bool)
        kept[left_out] = False
        ranks = np.flatnonzero(kept).astype(np.int64)
    else:
        ranks = _distinct(free, size, rng)
    return ranks + np.searchsorted(tracked - np.arange(tracked.size), ranks, side="right")


def _distinct(below: int, size: int, rng: np.random.Generator) -> Array:
    """A uniform subset of 0 … below-1, ascending; size at most half of below."""
    row = np.empty(0, dtype=np.int64)
    while True:
        missing = size - row.size
        if not missing:
            return np.sort(row)
        fresh = rng.integers(below, size=missing + missing // 8 + 8)
        row = np.concatenate([row, fresh])
        _, first = np.unique(row, return_index=True)
        row = row[np.sort(first)][:size]  # in the order drawn: the smallest are not preferred


def _whole_numbers(name: str, given: Any, largest: int) -> Array:
    """An int64 copy of whole numbers in 0…largest, of any integer dtype."""
    try:
        array = np.asarray(given)
    except (TypeError, ValueError):
        array = np.empty((0, 0))
    if array.ndim == 1 and not array.size:
        return np.empty(0, dtype=np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iuf":
        raise DataError(f"{name} must be a list of whole numbers, one for each cell")
    if not ((array >= 0) & (array <= largest)).all():  # NaN fails
        raise DataError(f"{name} must lie between 0 and {largest}; correct those that do not")
    copy = array.astype(np.int64)
    if (copy != array).any():
        raise DataError(f"{name} must be whole numbers; round or sum those that are not")
    return copy
