"""Made-up data: events by the hour, and counts with a long tail.

Nobody stands behind any of it, so it may be shown as it is; no privacy rests on these numbers.
"""

import numpy as np
from numpy.typing import NDArray

from dpviz import checks, streams
from dpviz.errors import ParameterError

# --- events per hour, with a daily rhythm and a quiet weekend ---


SEED = 29
PER_HOUR = (1, 1, 1, 1, 1, 2, 4, 8, 13, 17, 18, 16, 14, 15, 17, 18, 16, 13, 10, 7, 5, 4, 3, 2)
WEEKEND = 0.4  # share of the events of a weekday, on days 6 and 7 of each week


def hourly_events(hours: int) -> NDArray[np.int64]:
    """Make the counts of the first hours, beginning on a Monday at midnight.

    Args:
        hours: how many, at least 1; more hours begin with the same ones.

    Returns:
        Shape (hours,), whole numbers of at least 0.

    Raises:
        ParameterError: the number is not whole or below 1.

    >>> hourly_events(12)
    array([ 0,  1,  0,  0,  0,  2,  6,  8, 14, 14, 19, 27])
    """
    checks.whole(1, hours=hours)
    hour = np.arange(hours)
    usual = np.array(PER_HOUR)[hour % 24] * np.where(hour // 24 % 7 < 5, 1.0, WEEKEND)
    return streams.teaching(SEED).poisson(usual)


# --- counts with a long tail ---


Whole = NDArray[np.int64]


def long_tail(
    items: int, largest: int, domain_size: int, *, rng: np.random.Generator
) -> tuple[Whole, Whole]:
    """Make indices and counts of this many items.

    Args:
        items: how many items have a count, k; at most `domain_size` and at most `largest`.
        largest: count of the most common one.
        domain_size: number of items that there could be, d.
        rng: decides which items they are.

    Returns:
        Indices in 0 … d-1 and counts of at least 1, each of shape (k,), most common first.

    Raises:
        ParameterError: if a number is out of range.

    >>> from dpviz import streams
    >>> indices, counts = long_tail(5, 60, 10**9, rng=streams.teaching(7))
    >>> counts.tolist(), len(set(indices.tolist()))
    ([60, 30, 20, 15, 12], 5)
    """
    checks.whole(1, items=items, largest=largest, domain_size=domain_size)
    if items > min(domain_size, largest):
        raise ParameterError(
            f"items must be at most the domain's {domain_size:,} and the largest count, "
            f"{largest:,}, got {items:,}"
        )
    indices = rng.choice(domain_size, size=items, replace=False)
    return indices.astype(np.int64), largest // np.arange(1, items + 1, dtype=np.int64)
