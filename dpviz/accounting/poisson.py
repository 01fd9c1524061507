"""Poisson noise on one coordinate: the exact trade between epsilon and delta, and its inverse.

Neighbours differ by `shift` in one integer coordinate: P = Poisson(level), Q = shift + P. Both
directions are summed from the probability masses, positive terms only:

    delta(epsilon) = max over both of  sum over loss(y) > epsilon of P(y) (1 - e^(epsilon-loss(y)))

Outcomes below `shift` are impossible under Q, so their mass counts wholly. The loss is monotone in
y, so each sum is a tail; it is cut where its terms are below e^-45 of the largest and the mass cut
off is added back whole. Two facts make the inverses sound: a noisier release is a post-processing
of a less noisy one (Poisson(h) = Poisson(l) + Poisson(h-l)), so delta falls as the level grows; and
for this log-concave law a smaller shift never costs more. Errors are rounded to the private side:
ln delta is raised by 1e-12 (1 + |ln delta|), many times its rounding error.
Limit: levels up to LARGEST_LEVEL, because a sum has about 40 sqrt(level) terms.
"""

import math
import sys
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from dpviz.accounting.inputs import (
    LARGEST_LEVEL,
    Number,
    elementwise,
    log_probability,
    non_negative,
    positive,
    summed_level,
    summed_shift,
)
from dpviz.accounting.search import least, or_infinite
from dpviz.errors import NoGuaranteeError

CUT = 45.0  # nats below the largest term where a sum is cut
LOST = 1e-12  # bound on the relative rounding error of ln delta
VAST = 1e6  # an epsilon at which only impossible outcomes count
FAR = 1e15  # beyond this integers are no longer exact floats


@elementwise
def poisson_log_delta(epsilon: Number, level: Number, *, shift: int = 1) -> float:
    """Least ln delta of Poisson noise at `epsilon`, one coordinate moved by `shift`, rounded up.

    Args:
        epsilon: at least 0, nats.
        level: rate of the noise, from 1e-300 to LARGEST_LEVEL.
        shift: whole units by which one person moves the coordinate, 1 to LARGEST_SHIFT.

    Returns:
        ln delta, at most 0; at most 1e-12 (1 + |ln delta|) above the exact value, never below it.

    Raises:
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 3.11; from the two probability masses.

    >>> round(math.exp(poisson_log_delta(0.0, 1.0)), 6)  # P(Y <= 1) - P(Y <= 0) = 1/e
    0.367879
    """
    epsilon, level = non_negative(epsilon=epsilon), summed_level(level)
    shift = summed_shift(shift)
    return max(_fewer(epsilon, level, shift), _more(epsilon, level, shift))


@elementwise
def poisson_coordinate_epsilon(log_delta: Number, level: Number, *, shift: int = 1) -> float:
    """Least epsilon of Poisson noise at this delta, one coordinate moved by `shift`, rounded up.

    Args:
        log_delta: ln delta, below 0.
        level: rate of the noise, from 1e-300 to LARGEST_LEVEL.
        shift: whole units by which one person moves the coordinate.

    Returns:
        epsilon in nats; `poisson_log_delta` of it never exceeds `log_delta`.

    Raises:
        NoGuaranteeError: the outcomes that only one neighbour can produce are likelier than delta,
            so no epsilon is finite.
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 3.11, inverted.

    >>> round(poisson_coordinate_epsilon(math.log(1e-6), 40.0), 4)
    0.8809
    """
    log_delta, level = log_probability(log_delta), summed_level(level)
    shift = summed_shift(shift)
    if poisson_log_delta(0.0, level, shift=shift) <= log_delta:
        return 0.0
    if _impossible(level, shift) > log_delta:
        raise no_finite_epsilon()
    guess = shift * math.sqrt(-2 * log_delta / level)
    epsilon = least(
        lambda x: poisson_log_delta(x, level, shift=shift) - log_delta, guess, highest=VAST
    )
    if epsilon is None:
        raise no_finite_epsilon()
    return epsilon


@elementwise
def poisson_coordinate_level(epsilon: Number, log_delta: Number, *, shift: int = 1) -> float:
    """Least rate of Poisson noise that is (epsilon, delta)-private for one coordinate, rounded up.

    Args:
        epsilon: above 0, nats.
        log_delta: ln delta, below 0.
        shift: whole units by which one person moves the coordinate.

    Returns:
        The rate, or infinite where it would exceed LARGEST_LEVEL. All epsilons so large that a
        larger one needs no less noise give exactly the same number.

    Raises:
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 3.11, inverted.

    >>> round(poisson_coordinate_level(1.0, math.log(1e-6)), 2)
    34.07
    >>> poisson_coordinate_level(4.3, -13.8) == poisson_coordinate_level(3.0, -13.8)
    True
    """
    epsilon, log_delta = positive(epsilon=epsilon), log_probability(log_delta)
    shift = summed_shift(shift)
    lowest = _floor(log_delta, shift)
    if lowest < math.inf and poisson_log_delta(epsilon, lowest, shift=shift) <= log_delta:
        return lowest
    guess = -2 * log_delta * (shift / min(max(epsilon, 1e-9), 1e9)) ** 2 + shift - log_delta
    found = least(
        lambda x: poisson_log_delta(epsilon, x, shift=shift) - log_delta,
        guess,
        highest=LARGEST_LEVEL,
    )
    return or_infinite(found)


def no_finite_epsilon() -> NoGuaranteeError:
    """The error where some outcome gives a neighbour away with probability above delta.

    >>> str(no_finite_epsilon()).split(",")[0]
    'no finite epsilon holds at this level and delta'
    """
    return NoGuaranteeError(
        "no finite epsilon holds at this level and delta, because an outcome that only one of two "
        "neighbours can produce is likelier than delta; pass a larger level or a larger delta"
    )


def log_mass(count: float, level: float) -> float:
    """The ln P(Poisson(level) = count), to 1e-15 of its size at any size [Loader 2000].

    >>> round(log_mass(0, 2.0), 12), round(math.exp(log_mass(2, 2.0)), 12)
    (-2.0, 0.270670566473)
    """
    if count < 16:
        return count * math.log(level) - level - float(gammaln(count + 1))
    inverse = 1 / (count * count)
    stirling = (1 / 12 - (1 / 360 - (1 / 1260 - inverse / 1680) * inverse) * inverse) / count
    return -deviance(count, level) - 0.5 * math.log(2 * math.pi * count) - stirling


def deviance(count: float, level: float) -> float:
    """The exponent of the tail, count ln(count/level) + level - count, without cancellation.

    >>> round(deviance(2.0, 1.0), 12) == round(2 * math.log(2) - 1, 12)
    True
    """
    if count == 0:
        return level
    v = (count - level) / (count + level)
    if abs(v) > 0.1:
        return count * math.log(count / level) + level - count
    series = math.fsum(v ** (2 * j + 1) / (2 * j + 1) for j in range(1, 9))
    return (count - level) * v + 2 * count * series


def _fewer(epsilon: float, level: float, shift: int) -> float:
    """The ln delta of P against Q: small outcomes are evidence that nobody was added."""
    top = math.floor(level * math.exp(-epsilon / shift)) + shift - 1  # above it loss <= epsilon
    count = min(top, _reach(top, level / max(top, 1)) + shift + max(0, math.ceil(top - level)))
    steps = min(count + shift, top)  # outcomes from 1 up; below `shift` the loss is infinite
    sums = np.cumsum(log_ratios(top - np.arange(steps), level))
    sums = np.concatenate([[0.0], sums, np.full(count + shift - steps, -np.inf)])
    below = top - count - 1
    neglected = log_mass(below, level) - math.log1p(-below / level) if below >= 0 else -math.inf
    return _tail(log_mass(top, level) + sums[: count + 1], sums, shift, epsilon, neglected)


def _more(epsilon: float, level: float, shift: int) -> float:
    """The ln delta of Q against P: large outcomes are evidence that somebody was added."""
    lowest = level * math.exp(min(epsilon / shift, 300.0)) - shift  # below it loss <= epsilon
    if lowest > FAR:  # P(Y >= y) <= exp(-deviance(y)); so far out nothing is left to sum
        return -deviance(lowest, level) * (1 - LOST)
    start = max(0, math.floor(lowest))
    count = _reach(start, start / level) + shift + max(0, math.ceil(level - start))
    sums = np.cumsum(-log_ratios(start + 1 + np.arange(count + shift), level))
    sums = np.concatenate([[0.0], sums])
    above = start + count + 1
    neglected = log_mass(above, level) - math.log1p(-level / (above + 1))
    return _tail(log_mass(start, level) + sums[: count + 1], sums, shift, epsilon, neglected)


def _tail(
    log_masses: NDArray[np.float64],
    sums: NDArray[np.float64],
    shift: int,
    epsilon: float,
    neglected: float,
) -> float:
    """The ln of the sum of mass * (1 - e^(epsilon - loss)) over loss > epsilon, plus e^neglected.

    `sums` are ln mass relative to the first outcome, so the loss is a difference of two of them.
    """
    count = len(log_masses)
    with np.errstate(invalid="ignore"):
        loss = sums[:count] - sums[shift : shift + count]
    kept = loss > epsilon
    peak = float(np.max(log_masses, where=kept, initial=-np.inf))
    total = neglected
    if peak > -math.inf:
        terms = np.exp(log_masses[kept] - peak) * -np.expm1(epsilon - loss[kept])
        total = float(np.logaddexp(peak + math.log(np.sum(terms)), neglected))
    return min(0.0, total + LOST * (1 - total)) if total > -math.inf else -sys.float_info.max


def _reach(first: float, ratio: float) -> int:
    """Outcomes from `first` outwards until the mass has fallen by e^-CUT; ratio > 1 where it falls.

    After n steps it has fallen by at least n ln(ratio), and by at least n^2 / (2 (first + n)).
    """
    by_curvature = CUT + math.sqrt(CUT * CUT + 2 * CUT * first)
    return math.ceil(min(by_curvature, CUT / math.log(ratio)) if ratio > 1 else by_curvature)


def log_ratios(counts: NDArray[np.int64], level: float) -> NDArray[np.float64]:
    """The ln(count/level) = ln(mass(count - 1) / mass(count)), with all digits near count = level.

    >>> log_ratios(np.array([2]), 2.0)
    array([0.])
    """
    excess = (counts - level) / level
    with np.errstate(divide="ignore"):
        return np.where(np.abs(excess) < 0.5, np.log1p(excess), np.log(counts / level))


@lru_cache(maxsize=256)
def _floor(log_delta: float, shift: int) -> float:
    """The rate below which no epsilon is finite, rounded up, or infinity."""
    found = least(
        lambda x: poisson_log_delta(VAST, x, shift=shift) - log_delta,
        shift - log_delta,
        highest=LARGEST_LEVEL,
    )
    return or_infinite(found)


def _impossible(level: float, shift: int) -> float:
    """The ln P(Poisson(level) < shift), of outcomes that prove that nobody was added."""
    return float(np.logaddexp.reduce([log_mass(y, level) for y in range(shift)]))
