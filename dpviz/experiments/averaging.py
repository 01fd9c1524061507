"""Coalitions simulated many times: how near the value their members' answers bring them.

No release is made: the value is 0 and made up. The formulas are in `dpviz.local.averaging`, and of
the best estimate from independent answers, whose error has none, this is the only number.
Source: MATHEMATICS 15.3.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.local.averaging import best_estimate
from dpviz.noise.arguments import additive_family
from dpviz.noise.family import DOUBLE_EXPONENTIAL, Family
from dpviz.release import MultipleRelease

Attack = Literal["independent, average", "independent, best", "lossless, average", "lossless, best"]
ATTACKS: tuple[Attack, ...] = get_args(Attack)
MOST_DRAWS = 10**7  # repetitions × members: some seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A mean squared error as it was measured, in squared units, and the standard error of it."""

    value: float
    error: float

    def __post_init__(self) -> None:
        checks.non_negative(value=self.value, error=self.error)


def averaging_attacks(
    family: Family,
    levels: Iterable[float],
    sizes: Iterable[int],
    repetitions: int,
    *,
    rng: np.random.Generator,
) -> dict[int, Mapping[Attack, Measured]]:
    """Measure the errors of coalitions of the first members, in both worlds.

    Args:
        family: Laplace or discrete Laplace, whose best estimate is known.
        levels: the noise level of each member's answer, in the order in which they join.
        sizes: of the coalitions.
        repetitions: how often everybody is answered afresh.
        rng: a generator for simulation.

    Returns:
        size → attack → mean squared error.

    Raises:
        ParameterError: an argument is out of range, or there is too much to draw.

    >>> from dpviz import streams
    >>> from dpviz.noise import FAMILIES
    >>> asked = FAMILIES["laplace"], [2.0] * 8, [1, 8], 4000
    >>> found = averaging_attacks(*asked, rng=streams.teaching(7))
    >>> [round(found[8][attack].value) for attack in ATTACKS]  # 8/8, less than that, 8 and 8
    [1, 1, 8, 8]
    """
    additive_family(family)
    if family.shape != DOUBLE_EXPONENTIAL:
        raise ParameterError("attacks are simulated for Laplace and discrete Laplace noise")
    held = [checks.number(level=level) for level in checks.listed(levels=levels)]
    for level in held:
        checks.positive(level=level)
    counts = [checks.integer(1, sizes=size) for size in checks.listed(sizes=sizes)]
    n = checks.integer(1, repetitions=repetitions)
    if not counts or max(counts) > len(held) or n * len(held) > MOST_DRAWS:
        raise ParameterError(
            f"sizes must be from 1 to the number of levels, and repetitions times levels at most "
            f"{MOST_DRAWS:,}"
        )
    alone, ours = _answers(family, held, n, rng=rng)
    found: dict[int, Mapping[Attack, Measured]] = {}
    for k in counts:
        estimates = (
            alone[:, :k].mean(axis=1),
            best_estimate(family, alone[:, :k], held[:k]),
            ours[:, :k].mean(axis=1),
            ours[:, int(np.argmin(held[:k]))],
        )
        found[k] = dict(zip(ATTACKS, map(_measured, estimates), strict=True))
    return found


def _answers(
    family: Family, levels: list[float], n: int, *, rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Answers about 0 with separate noise for each, and of one session: shape (n, members)."""
    zeros = np.zeros(n, dtype=np.int64 if family.integer else np.float64)
    alone = [family.extend(zeros, 0, level, rng=rng) for level in levels]
    session = MultipleRelease(zeros, family, rng=rng)
    ours = [session.release(level) for level in levels]
    return np.stack(alone, axis=1).astype(np.float64), np.stack(ours, axis=1).astype(np.float64)


def _measured(estimates: NDArray[np.float64]) -> Measured:
    """The mean squared error of estimates of 0, and the standard error of that mean."""
    squares = estimates**2
    return Measured(value=float(squares.mean()), error=float(squares.std() / np.sqrt(len(squares))))
