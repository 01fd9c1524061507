"""How near a coalition gets to a value by its members' answers, in both worlds.

With v_i the variance of the noise of member i, alone:

    independent, plain average     Σ v_i / k²
    independent, weighted average  1 / Σ 1/v_i, the least of all averages
    independent, any estimate      at least 1 / Σ I_i, by the information bound
    lossless, plain average        Σ_i Σ_j min(v_i, v_j) / k²
    lossless, any estimate         min v_i, however many are in the coalition

The last line is exact: given the answer with the least noise, all others are that answer plus noise
that has nothing to do with the value, so the best estimate is that answer itself. Of k equal ε with
Laplace noise the first two are 2/(kε²), and the last 2/ε² [KHP15, section 4.2].
"Best" is among estimates that move along with the answers: the mean of all values that the answers
allow, each as likely beforehand [Pitman 1939]. `best_estimate` is that of independent answers.
Source: MATHEMATICS 15.3.  [Pit39] Pitman, The estimation of the location and scale parameters of a
continuous population of any given form, Biometrika 30, 1939.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.accounting import half_width
from dpviz.accounting.inputs import probability
from dpviz.errors import ParameterError
from dpviz.noise.arguments import additive_family
from dpviz.noise.family import DOUBLE_EXPONENTIAL, NORMAL, Family

Floats = NDArray[np.float64]

MOST_MEMBERS = 100_000
CELLS, SPREADS = 2**14, 20  # of a grid, and how far it goes


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackErrors:
    """Mean squared errors of a coalition, in squared units of the value.

    Attributes:
        average: plain average of independent answers.
        weighted: best weighted average of independent answers.
        least: no unbiased estimate from independent answers is better; None where no such bound
            holds, as of whole numbers.
        lossless_average: plain average of lossless answers.
        lossless: best estimate from lossless answers.
    """

    average: float
    weighted: float
    least: float | None
    lossless_average: float
    lossless: float

    def __post_init__(self) -> None:
        checks.positive(
            average=self.average,
            weighted=self.weighted,
            lossless_average=self.lossless_average,
            lossless=self.lossless,
        )
        checks.known(checks.positive, least=self.least)


def attack_errors(family: Family, levels: Iterable[float]) -> AttackErrors:
    """Mean squared errors of a coalition whose members hold answers at these levels.

    Args:
        family: the noise; its mean is taken off first.
        levels: one for each member, above 0; members of one level hold one number if lossless.

    Raises:
        ParameterError: there is no member or too many, or a level is beyond the family's span.

    Source: MATHEMATICS 15.3.

    >>> from dpviz.noise import FAMILIES
    >>> found = attack_errors(FAMILIES["laplace"], [10.0] * 100)  # ε = 0.1 each
    >>> found.average, found.lossless
    (2.0, 200.0)
    """
    additive_family(family)
    held = _levels(levels)
    variances = np.sort([family.variance(level) for level in held])
    least, k = float(variances[0]), len(variances)
    v = variances / least  # so that no sum leaves the floats
    weighted = least / math.fsum(1 / v)
    return AttackErrors(
        average=math.fsum(v) / k**2 * least,
        weighted=weighted,
        least=_information_bound(family, weighted),
        # of every two the smaller counts: the n-th smallest is that of 2(k-n)-1 ordered pairs
        lossless_average=math.fsum(v * np.arange(2 * k - 1, 0, -2)) / k**2 * least,
        lossless=least,
    )


def weighted_half_width(family: Family, levels: Iterable[float], confidence: float) -> float:
    """How far off the best weighted average of independent answers is at most, at a confidence.

    The noise terms are convolved on a grid of 1/400 of the spread of their average; of one member
    it is the half width of its answer.

    Args:
        family: the noise; its mean is taken off first.
        levels: one for each member, above 0.
        confidence: probability of lying that near, strictly between 0 and 1.

    Raises:
        ParameterError: there is no member or too many, a level is beyond the family's span, or the
            confidence is no probability.

    Source: MATHEMATICS 15.3.

    >>> from dpviz.noise import FAMILIES
    >>> round(weighted_half_width(FAMILIES["laplace"], [1.0, 1.0], 0.95), 2)
    2.06
    """
    additive_family(family)
    held, counts = np.unique(_levels(levels), return_counts=True)
    if counts.sum() == 1:
        return float(half_width(family, held[0], confidence))
    probability(confidence=confidence)
    variances = np.array([family.variance(level) for level in held])
    spread = math.sqrt(1 / float((counts / variances).sum()))
    cell = 2 * SPREADS * spread / CELLS
    ends = (np.arange(CELLS + 1) - CELLS / 2 - 0.5) * cell
    whole = np.ones(CELLS // 2 + 1, dtype=complex)
    for level, variance, count in zip(held, variances, counts, strict=True):
        x = ends * variance / spread**2 + family.mean(level)
        chances = np.diff(family.cdf(np.floor(x) if family.integer else x, level))
        whole *= np.fft.rfft(np.fft.ifftshift(chances)) ** count
    summed = np.fft.irfft(whole, CELLS)  # the chance of the cell at 0 first, those left of it last
    within = np.cumsum(summed[: CELLS // 2] + np.append(0.0, summed[: CELLS // 2 : -1]))
    return float(np.searchsorted(within, confidence) * cell)


def best_estimate(family: Family, answers: Any, levels: Iterable[float]) -> Floats:
    """The best estimate of a value from independent answers about it.

    It is the mean of the value given the answers, if all values are equally likely beforehand:
    sums of exponentials between two answers next to each other, in closed form.

    Args:
        family: Laplace or discrete Laplace, by its shape.
        answers: shape (..., members); whole numbers for an integer family.
        levels: one for each member.

    Returns:
        The estimates, shape (...).

    Raises:
        ParameterError: the family has another shape, or the numbers of answers and levels differ.

    Source: MATHEMATICS 15.3, [Pit39].

    >>> from dpviz.noise import FAMILIES
    >>> best_estimate(FAMILIES["laplace"], [[0.0, 10.0], [3.0, 3.0]], [1.0, 1.0]).round(3)
    array([5., 3.])
    >>> round(float(best_estimate(FAMILIES["laplace"], [0.0, 10.0], [1.0, 2.0])), 3)
    1.295
    """
    additive_family(family)
    if family.shape != DOUBLE_EXPONENTIAL:
        raise ParameterError(
            f"the best estimate from {family.label} answers is not computed here; pass Laplace or "
            "discrete Laplace noise"
        )
    held, found = _levels(levels), checks.reals(answers=answers)
    if not found.ndim or found.shape[-1] != len(held) or not np.isfinite(found).all():
        raise ParameterError("answers must be finite numbers, as many as there are levels")
    order = np.argsort(found, axis=-1)
    x = np.take_along_axis(found, order, axis=-1)
    rate = (1 / held)[order]
    slopes = rate.sum(axis=-1, keepdims=True) - 2 * np.cumsum(rate, axis=-1)  # right of each answer
    return _mean_of_pieces(x, slopes, float((1 / held).sum()), family.integer)


def _mean_of_pieces(x: Floats, slopes: Floats, whole: float, integer: bool) -> Floats:
    """Mean of a density that is exponential between ascending answers and beyond them.

    Args:
        x: answers, ascending in the last axis.
        slopes: of the log density right of each answer.
        whole: the slope left of all answers, and minus that right of all.
        integer: whether only whole numbers count.
    """
    width, slope = np.diff(x, axis=-1), slopes[..., :-1]
    rise = width * slope
    heights = np.concatenate([np.zeros_like(x[..., :1]), np.cumsum(rise, axis=-1)], axis=-1)
    heights -= heights.max(axis=-1, keepdims=True)
    top = np.exp(np.maximum(heights[..., 1:], heights[..., :-1]))
    if integer:  # a piece holds the numbers from its first answer up to, not with, the next one
        mass = top * width * _share(rise) / _share(slope)
        mass *= np.exp(np.minimum(-slope, 0))  # the top of a rising piece is not in it
        inside = width * _lean(rise) - _lean(slope)
        after = -1 / math.expm1(-whole)
        before = after * math.exp(-whole)
        left, right = -after, before
    else:
        mass, inside = top * width * _share(rise), width * _lean(rise)
        before = after = 1 / whole
        left, right = -before, after
    ends = np.exp(heights[..., [0, -1]]) * np.array([before, after])
    parts = np.concatenate([ends, mass], axis=-1)
    means = np.concatenate([x[..., [0, -1]] + np.array([left, right]), x[..., :-1] + inside], -1)
    found: Floats = (parts * means).sum(axis=-1) / parts.sum(axis=-1)
    return found


def _share(z: Floats) -> Floats:
    """Area under exp between 0 and z, as a share of its rectangle: (1 - e^-|z|)/|z|; 1 at 0."""
    size = np.abs(z)
    safe = np.where(size > 0, size, 1.0)
    return np.where(size > 0, -np.expm1(-safe) / safe, 1.0)


def _lean(z: Floats) -> Floats:
    """Where the mean of exp(z·t) lies on 0 < t < 1: 1/(1 - e^-z) - 1/z; 1/2 at 0."""
    small = np.abs(z) < 1e-3
    safe = np.where(small, 1.0, z)
    with np.errstate(over="ignore"):
        found = -1 / np.expm1(-safe) - 1 / safe
    return np.where(small, 0.5 + z / 12 - z**3 / 720, found)


def _information_bound(family: Family, weighted: float) -> float | None:
    """The least variance of an unbiased estimate from independent answers [Cramér and Rao].

    An answer's information is 1/v for normal noise and 2/v for Laplace noise, v its variance.
    """
    if family.integer:
        return None
    return {NORMAL: weighted, DOUBLE_EXPONENTIAL: weighted / 2}.get(family.shape)


def _levels(levels: Iterable[float]) -> Floats:
    listed = checks.listed(levels=levels)
    if not 1 <= len(listed) <= MOST_MEMBERS:
        raise ParameterError(
            f"a coalition has from 1 to {MOST_MEMBERS:,} members; pass one level for each"
        )
    for level in listed:
        checks.positive(level=level)
    return np.array([float(level) for level in listed])
