"""The same numbers asked for in several orders, many times over: their distribution is the same.

Each repetition is an entry of one session, so every order is a session of the library. Nothing of a
visitor's data enters.
Source: [LMR25, Lemma 3.2]; MATHEMATICS 2.1.
[LMR25] Private Lossless Multiple Release, arXiv:2505.22449v1.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from dpviz import checks, streams
from dpviz.noise.family import Family
from dpviz.release import MultipleRelease

Floats = NDArray[np.float64]


def errors_by_order(
    family: Family,
    levels: Mapping[str, float],
    orders: Sequence[Sequence[str]],
    repetitions: int,
    *,
    rng: np.random.Generator,
) -> list[dict[str, Floats]]:
    """For each order of asking, every tier's errors, shape (repetitions,).

    Args:
        family: of the noise.
        levels: the noise level of each tier, by its name.
        orders: the names in the order of asking.
        repetitions: how often each order is played.
        rng: its children draw one order each.

    Raises:
        ParameterError: `repetitions` is not at least 1, or a level cannot be drawn.

    >>> from dpviz.noise import FAMILIES
    >>> rng, levels = streams.teaching(7), {"public": 4.0, "audit": 1.0}
    >>> orders = [("public", "audit"), ("audit", "public")]
    >>> found = errors_by_order(FAMILIES["gaussian"], levels, orders, 40_000, rng=rng)
    >>> [round(float(np.std(each["public"])), 1) for each in found]
    [2.0, 2.0]
    """
    checks.whole(1, repetitions=repetitions)
    found = []
    for order in orders:
        zeros = np.zeros(repetitions, dtype=np.int64 if family.integer else np.float64)
        session = MultipleRelease(zeros, family, rng=streams.child_for_simulation(rng))
        found.append({name: np.asarray(session.release(levels[name]), float) for name in order})
    return found
