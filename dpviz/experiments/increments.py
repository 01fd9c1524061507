"""What increments of noise must do beside having the right covariances, as events of known chance.

`N(h) - N(l)` is independent of everything up to `l < h`. For Gaussian noise covariances say all
of it, for any other noise they do not: increments of another law, or increments that depend on the
noise before them only through its size, have the same covariances. So events are counted whose
chances are exact for right increments: for each level l and the next one h

    law      N(h) - N(l) <= x, at quantiles of its falls and of its rises
    rest     N(h) = N(l): the atom of a lazy path; the chance that whole numbers agree; else never
    sizes    N(l) in the middle half of its law, and a large fall or rise: the product of both
    signs    N(l) above its median, and a large rise: the product of both
    resting  N(l) in the middle half, and N(h) = N(l): the product of both

and the law events for the least noisy level alone. Counts are binomial, so their band is exact.
Limits: finitely many events of neighbouring levels; a mistake that none of them sees passes.
Source: [LMR25, Lemma 3.2]; MATHEMATICS 1.2, 4.3.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import special

from dpviz import checks
from dpviz.noise.family import Array, Family, ReleaseLaw

Floats = NDArray[np.float64]
LAW, REST, SIZES, SIGNS, RESTING = "law", "rest", "sizes", "signs", "resting"
PARTS = (0.1, 0.5, 0.9)  # of all falls, and of all rises, at which the law is tested
REST_ONLY = (-5e-324, 0.0)  # above the first, at most the second: 0 itself
ANY = (-math.inf, math.inf)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Noise at one level in a range and its increment to the next in another, with its chance.

    Attributes:
        kind: one of "law", "rest", "sizes", "signs", "resting".
        low: place of the less noisy level in ascending order; None: the exact number.
        high: place of the noisier one.
        noise: range of the noise at `low`, above the first and at most the second number.
        step: range of the increment, likewise.
        chance: of right noise.
    """

    kind: str
    low: int | None
    high: int
    noise: tuple[float, float]
    step: tuple[float, float]
    chance: float

    def __post_init__(self) -> None:
        checks.one_of((LAW, REST, SIZES, SIGNS, RESTING), kind=self.kind)
        checks.whole(0, high=self.high, low=self.low or 0)
        checks.between(0, 1, chance=self.chance)
        for ends in (self.noise, self.step):
            for end in ends:
                checks.between(-math.inf, math.inf, range=end)


def increment_events(family: Family, levels: Sequence[float]) -> list[Event]:
    """The events that right increments of a family have, for these levels in ascending order.

    Args:
        family: an additive noise family.
        levels: noise levels, ascending.

    >>> from dpviz.noise import FAMILIES
    >>> events = increment_events(FAMILIES["laplace"], [1.0, 4.0])
    >>> [round(e.chance, 4) for e in events if e.kind in (REST, RESTING)]  # (1/4)², and half of it
    [0.0625, 0.0312]
    """
    ascending = sorted(levels)
    events = list(_law(family.law_between(0.0, None, 0.0, ascending[0], None), None, 0))
    for low, (level, noisier) in enumerate(pairwise(ascending)):
        noise = family.law_between(0.0, None, 0.0, level, None)
        step = family.law_between(0.0, None, level, noisier, None)
        events += [*_law(step, low, low + 1), *_joint(noise, step, low, family)]
    return [event for event in events if 0 < event.chance < 1 or event.kind == REST]


def _law(step: ReleaseLaw, low: int | None, high: int) -> Iterator[Event]:
    """The increment is at most x, for x at parts of the falls and of the rises."""
    for x in sorted({x for side in _sides(step) for x in side}):
        yield Event(
            kind=LAW, low=low, high=high, noise=ANY, step=(-math.inf, x), chance=_upto(step, x)
        )


def _joint(noise: ReleaseLaw, step: ReleaseLaw, low: int, family: Family) -> Iterator[Event]:
    """The noise at the lower level does not help to foretell the increment."""
    rests = sum(chance for value, chance in step.atoms if value == 0)
    if family.integer:
        rests = float(step.density(np.zeros(1))[0])
    place = {"low": low, "high": low + 1}
    yield Event(kind=REST, **place, noise=ANY, step=REST_ONLY, chance=rests)
    lower, median, upper = (_quantile(noise, p) for p in (0.25, 0.5, 0.75))
    near = (lower, upper) if upper > lower else (-math.inf, median)
    among = _upto(noise, near[1]) - _upto(noise, near[0])
    yield Event(kind=RESTING, **place, noise=near, step=REST_ONLY, chance=among * rests)
    falls, rises = _sides(step)
    large = (rises[1], math.inf)
    grows = 1 - _upto(step, rises[1])
    yield Event(kind=SIZES, **place, noise=near, step=large, chance=among * grows)
    above = 1 - _upto(noise, median)
    high = (median, math.inf)
    yield Event(kind=SIGNS, **place, noise=high, step=large, chance=above * grows)
    if falls:
        small, shrinks = (-math.inf, falls[1]), _upto(step, falls[1])
        yield Event(kind=SIZES, **place, noise=near, step=small, chance=among * shrinks)


def _sides(step: ReleaseLaw) -> tuple[list[float], list[float]]:
    """Parts of the falls, if there are any, and of the rises of an increment."""
    rest = _upto(step, 0.0)
    fall = _upto(step, REST_ONLY[0])
    falls = [_quantile(step, fall * part) for part in PARTS] if fall > 0 else []
    return falls, [_quantile(step, rest + (1 - rest) * part) for part in PARTS]


def _upto(law: ReleaseLaw, x: float) -> float:
    return float(law.cdf(np.array([x]))[0]) if math.isfinite(x) else float(x > 0)


def _quantile(law: ReleaseLaw, p: float) -> float:
    return float(law.quantile(np.array([p]))[0])


def count_events(events: Sequence[Event], noise: Array) -> Floats:
    """How often each event happened.

    Args:
        events: of `increment_events`.
        noise: releases of the number 0, shape (levels, n), levels ascending.

    >>> always = Event(kind=LAW, low=None, high=0, noise=ANY, step=(-9.0, 9.0), chance=0.5)
    >>> count_events([always], np.array([[1.0, 2.0, 30.0]])).tolist()
    [2.0]
    """
    found = np.empty(len(events))
    for place, event in enumerate(events):
        below = np.zeros(1) if event.low is None else noise[event.low]
        step = noise[event.high] - below
        happened = (step > event.step[0]) & (step <= event.step[1])
        if event.noise != ANY:
            happened &= (below > event.noise[0]) & (below <= event.noise[1])
        found[place] = np.count_nonzero(happened)
    return found


def unlikely(
    events: Sequence[Event], counts: Floats, draws: int, chance: float
) -> NDArray[np.bool_]:
    """Which counts right increments have with no more than this chance, or at neither end.

    A count is outside where its binomial tail, below or above, is less than half the chance.

    Args:
        events: of `increment_events`.
        counts: how often each happened, shape (events,).
        draws: number of draws.
        chance: that a right sampler leaves the band of one event, at most.

    >>> coin = Event(kind=LAW, low=None, high=0, noise=ANY, step=ANY, chance=0.5)
    >>> unlikely([coin] * 3, np.array([50.0, 61.0, 70.0]), 100, 0.001).tolist()
    [False, False, True]
    """
    chances = np.array([event.chance for event in events])
    below = np.where(counts >= draws, 1.0, special.bdtr(np.minimum(counts, draws), draws, chances))
    above = np.where(counts <= 0, 1.0, special.bdtrc(np.maximum(counts - 1, 0), draws, chances))
    return np.asarray(~(np.minimum(below, above) >= chance / 2), dtype=np.bool_)
