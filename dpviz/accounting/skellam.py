"""Skellam noise on one coordinate: its masses in logarithms, and the exact trade of ε and δ.

Neighbours differ by `shift` in one integer coordinate; the noise is symmetric, so both directions
cost the same. With P(x) the mass of the noise and loss(x) = ln(P(x)/P(x + shift)),

    delta(epsilon) = sum over loss(x) > epsilon of P(x) (1 - e^(epsilon - loss(x)))

The law is log-concave, so the loss rises with x: the sum is a tail of positive terms. It is cut
where they are below e^-32 of the largest, and the mass cut off is added back whole. A noisier
release is a post-processing of a less noisy one and a smaller shift never costs more, which makes
the inverses sound. Errors are rounded to the private side: losses are raised by 1e-15 of their size
and ln delta by 1e-12 (1 + |ln delta|), many times their rounding errors.

The noise is the difference of two Poisson(level) counts, P(x) = e^{-2 level} I_x(2 level). What one
unit costs at x is ln(P(x)/P(x+1)), from the recurrence of the Bessel functions run downwards, where
all terms are positive (as 1 - P(x+1)/P(x) while that is small), or, where the order or the argument
exceeds FORMULA, from Debye's expansion, integrated over the unit step [DLMF 10.29.1, 10.41(ii)].
Relative errors stay near 1e-15.
Limit: levels from 1e-300 to LARGEST_LEVEL, where a sum has a third of a million terms.
"""

import math
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ive

from dpviz.accounting.inputs import (
    LARGEST_LEVEL,
    SMALLEST_LEVEL,
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

Floats = NDArray[np.float64]

FORMULA = 2e4  # of sqrt(x² + (2 level)²); the terms left out are below its -4th power
EXTRA = 30  # steps that the recurrence begins beyond the first one wanted
NODES, NODE_WEIGHTS = np.polynomial.legendre.leggauss(2)
CUT = 32.0  # nats below the largest term where a sum is cut
LOST = 1e-12  # bound on the relative rounding error of ln delta
RAISED = 1 + 1e-15  # factor on losses
FAR = 1e12  # beyond this the sum is replaced by a bound of the tail


def log_mass(x: int, level: float) -> float:
    """The ln P(x) of x >= 0.

    >>> round(math.exp(log_mass(0, 0.5)), 6)  # e⁻¹ I₀(1)
    0.46576
    """
    size = math.hypot(x, 2 * level)
    if size > FORMULA:
        exponent = x * x / (size + 2 * level) - x * math.asinh(x / (2 * level))
        return exponent - 0.5 * math.log(2 * math.pi * size) + float(_correction(x, size))
    return math.log(ive(0, 2 * level)) - math.fsum(log_ratios(0, x, level))


def log_ratios(first: int, count: int, level: float) -> Floats:
    """The ln(P(x)/P(x+1)) for x = first, …, first + count - 1; odd around -1/2.

    >>> log_ratios(-2, 3, 0.5).round(6)
    array([-1.426309, -0.806562,  0.806562])
    """
    if first < 0:
        upwards = log_ratios(0, max(first + count, -first), level)
        mirrored = -upwards[:-first][::-1]
        return np.concatenate([mirrored, upwards])[:count]
    if math.hypot(first, 2 * level) > FORMULA:
        return _by_formula(np.arange(first, first + count, dtype=np.float64), level)
    return _by_recurrence(first, count, level)


def _by_formula(x: Floats, level: float) -> Floats:
    """By Debye's expansion, its leading term integrated."""
    twice, further = 2 * level, np.append(x, x[-1:] + 1)
    steps = x[:, np.newaxis] + (NODES + 1) / 2
    leading = (np.arcsinh(steps / twice) * NODE_WEIGHTS).sum(axis=1) / 2
    size = np.hypot(further, twice)
    root = 0.25 * np.log1p((2 * x + 1) / size[:-1] / size[:-1])
    return np.asarray(leading + root - np.diff(_correction(further, size)))


def _correction(x: Any, size: Any) -> Floats:
    """The ln of the series of Debye's expansion."""
    square = (x / size) ** 2
    second = (81 - (462 - 385 * square) * square) / (1152 * size * size)
    corrected: Floats = np.log1p((3 - 5 * square) / (24 * size) + second)
    return corrected


def _by_recurrence(first: int, count: int, level: float) -> Floats:
    """By P(x-1)/P(x) = x/level + P(x+1)/P(x), from beyond the last x downwards."""
    last = first + count - 1 + EXTRA
    ratio = math.exp(-float(_by_formula(np.array([float(last)]), level)[0]))
    steps = np.arange(last, first, -1) / level
    steep = int(np.count_nonzero(steps > 1.5))
    ratios, missing = [], []  # the logarithms are taken together, below
    for step in steps[:steep].tolist():
        ratio = 1 / (step + ratio)
        ratios.append(ratio)
    lacks = 1 - ratio
    for step in steps[steep:].tolist():  # nearly 1: the difference from 1 keeps the digits
        lacks = (step - lacks) / (1 + step - lacks)
        missing.append(lacks)
    downwards = -np.concatenate([np.log(ratios), np.log1p(np.negative(missing))])
    return np.asarray(downwards[::-1][:count])


@elementwise
def skellam_log_delta(epsilon: Number, level: Number, *, shift: int = 1) -> float:
    """Least ln delta of Skellam noise at `epsilon`, one coordinate moved by `shift`, rounded up.

    Args:
        epsilon: at least 0, nats.
        level: rate of each of the two counts, from 1e-300 to LARGEST_LEVEL.
        shift: whole units by which one person moves the coordinate, 1 to LARGEST_SHIFT.

    Returns:
        ln delta, at most 0; never below the exact value.

    Raises:
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 3.9; from the probability masses.

    >>> round(math.exp(skellam_log_delta(0.0, 0.5)), 6)  # P(0), for a shift of 1
    0.46576
    """
    epsilon, level = non_negative(epsilon=epsilon), summed_level(level)
    shift = summed_shift(shift)
    first = _first(epsilon, level, shift)
    if first > FAR:
        return -_deviance(first, level) * (1 - LOST)
    start = max(math.ceil(first) - 1, -(shift // 2))  # below, the loss is at most 0
    begins = start + shift + 3  # the loss exceeds epsilon from there on
    count = begins - start + max(-begins, 0) + _reach(max(begins, 0), level)
    ratios = log_ratios(start, count + shift, level)
    sums = np.concatenate([[0.0], np.cumsum(ratios)])
    loss = (sums[shift : count + shift] - sums[:count]) * RAISED
    masses = log_mass(abs(start), level) - sums[: count + 1]
    neglected = float(masses[count]) - math.log(-math.expm1(-float(ratios[count])))
    kept = loss > epsilon
    total = neglected
    if kept.any():
        peak = float(masses[:count][kept].max())
        terms = np.exp(masses[:count][kept] - peak) * -np.expm1(epsilon - loss[kept])
        total = float(np.logaddexp(peak + math.log(float(terms.sum())), neglected))
    return max(min(0.0, total + LOST * (1 - total)), -sys.float_info.max)


@elementwise
def skellam_coordinate_epsilon(log_delta: Number, level: Number, *, shift: int = 1) -> float:
    """Least epsilon of Skellam noise at this delta, one coordinate moved by `shift`, rounded up.

    Args:
        log_delta: ln delta, below 0.
        level: rate of each of the two counts, from 1e-300 to LARGEST_LEVEL.
        shift: whole units by which one person moves the coordinate.

    Returns:
        epsilon in nats; `skellam_log_delta` of it never exceeds `log_delta`.

    Raises:
        NoGuaranteeError: no epsilon up to a million holds.
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 3.9, inverted.

    >>> round(skellam_coordinate_epsilon(math.log(1e-6), 20.0), 4)
    0.6187
    """
    log_delta, level = log_probability(log_delta), summed_level(level)
    shift = summed_shift(shift)
    if skellam_log_delta(0.0, level, shift=shift) <= log_delta:
        return 0.0
    epsilon = least(
        lambda x: skellam_log_delta(x, level, shift=shift) - log_delta,
        shift * math.sqrt(-log_delta / level),
        highest=1e6,
    )
    if epsilon is None:
        raise NoGuaranteeError(
            "no epsilon up to a million holds at this level and delta; pass a larger level or a "
            "larger delta"
        )
    return epsilon


@elementwise
def skellam_coordinate_level(epsilon: Number, log_delta: Number, *, shift: int = 1) -> float:
    """Least rate of Skellam noise that is (epsilon, delta)-private for one coordinate, rounded up.

    Args:
        epsilon: above 0, nats.
        log_delta: ln delta, below 0.
        shift: whole units by which one person moves the coordinate.

    Returns:
        The rate; `skellam_log_delta` at it never exceeds `log_delta`. Infinite where it would
        exceed LARGEST_LEVEL.

    Raises:
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 3.9, inverted.

    >>> round(skellam_coordinate_level(1.0, math.log(1e-6)), 3)
    7.12
    """
    epsilon, log_delta = positive(epsilon=epsilon), log_probability(log_delta)
    shift = summed_shift(shift)
    found = least(
        lambda x: skellam_log_delta(epsilon, x, shift=shift) - log_delta,
        -log_delta * (shift / min(max(epsilon, 1e-9), 1e9)) ** 2,
        lowest=SMALLEST_LEVEL,
        highest=LARGEST_LEVEL,
    )
    return or_infinite(found)


def _first(epsilon: float, level: float, shift: int) -> float:
    """Below the x from which the loss exceeds epsilon: by ln(P(x)/P(x+1)) <= asinh((x+1)/2 level).

    That bound is the inequality of Amos, I_{x+1}/I_x >= z/(x + 1 + sqrt((x+1)² + z²)), z = 2 level.
    """
    return 2 * level * math.sinh(min(epsilon / shift, 300.0)) - shift - 1


def _deviance(x: float, level: float) -> float:
    """The exponent of Chernoff's bound, P(noise >= x) <= e^-deviance, for x >= 0."""
    twice = 2 * level
    return x * math.asinh(x / twice) - x * x / (math.hypot(x, twice) + twice)


def _reach(first: int, level: float) -> int:
    """Outcomes from `first` outwards until the mass has fallen by e^-CUT.

    After n steps it has fallen by more than n asinh(x/z), and by more than n²/(2 (s + n)), with
    z = 2 level and s = sqrt(x² + z²): the slope of asinh(x/z) is 1/s.
    """
    size = math.hypot(first, 2 * level)
    by_curvature = CUT + math.sqrt(CUT * CUT + 2 * CUT * size)
    slope = math.asinh(first / (2 * level))
    return math.ceil(min(by_curvature, CUT / slope) if slope > 0 else by_curvature) + 2
