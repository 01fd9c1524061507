"""Made-up counts with a long tail: a few items of a huge domain are common, most are rare.

Zipf's law, rounded down: the item of rank r has ⌊largest / r⌋; which items of the domain these are
is drawn uniformly. Nobody stands behind such counts, so they may be shown.
"""

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.errors import ParameterError

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
