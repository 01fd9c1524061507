"""How long a bar of ± is drawn: evenly, or by arsinh where one is many times as wide as another.

x → arsinh(x / narrowest) is even near 0 and logarithmic further out, so that every bar is seen.
"""

from collections.abc import Sequence

import numpy as np

from dpviz.noise import Array

EVEN_UP_TO = 30.0  # ratio of the widest bar to the narrowest on an even scale


def narrowest(half_widths: Sequence[float] | Array) -> float | None:
    """The narrowest ±, if bars are drawn by arsinh in its unit, or None if they are even.

    A ± of 0 has no length, and NaN no guarantee: neither counts.

    >>> narrowest([1.0, 29.0]), narrowest([0.0, 1.0, 31.0, float("nan")]), narrowest([])
    (None, 1.0, None)
    """
    half = np.asarray(half_widths, dtype=float)
    seen = half[np.isfinite(half) & (half > 0)]
    wide = seen.size > 0 and seen.max() > EVEN_UP_TO * seen.min()
    return float(seen.min()) if wide else None


def place(x: Array, unit: float | None) -> Array:
    """Where the scale puts x: arsinh(x / unit), or x itself without a unit.

    >>> place(np.array([3.0]), None), place(np.array([0.0]), 2.0)
    (array([3.]), array([0.]))
    """
    return x if unit is None else np.arcsinh(x / unit)
