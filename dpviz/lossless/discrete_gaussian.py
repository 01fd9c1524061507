"""Discrete Gaussian noise, P(x) ∝ exp(-x²/(2σ²)) on the whole numbers: decided by the ratio of σ².

Its generating function is, up to a constant, the product of (1 + rz)(1 + r/z) over r = q, q³, q⁵, …
with q = exp(-1/(2σ²)), by Jacobi's triple product. If the larger σ² is an odd multiple of the
smaller, its factors contain those of the smaller, and what is left are independent coins; for every
other ratio the quotient has poles, of which none is at a positive number, so it is no law.
The verdict is that of the theorem; the chances shown with it are computed in floats.
Limits: σ² from 0.1 to 100 for these chances. Source: docs/LOSSLESS.md.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.lossless.convolution import VERDICTS, Verdict
from dpviz.lossless.lattice import fraction

LEAST, MOST = Fraction(1, 10), 100  # σ²
POINTS = 1024  # on the circle
FORGOTTEN = 1e-18  # of a factor that changes nothing
SEEN = 1e-12  # chances nearer to 0 than that may be rounding


@dataclass(frozen=True, slots=True)
class GaussianDecision:
    """Whether discrete Gaussian noise of one σ² is that of another plus independent noise.

    Attributes:
        verdict: "yes" or "no".
        times: by what the larger σ² is a multiple of the smaller.
        candidate: chances of -n, …, n in all that could be added, in floats; below 0 in some place
            if the verdict is no. Empty where σ² does not grow.
    """

    verdict: Verdict
    times: Fraction
    candidate: tuple[float, ...]

    def __post_init__(self) -> None:
        checks.one_of(VERDICTS, verdict=self.verdict)
        checks.instance(Fraction, times=self.times)
        checks.positive(times=float(self.times))
        for chance in self.candidate:
            checks.between(-1, 1.0 + SEEN, candidate=chance)
        if (self.times.denominator == 1 and self.times % 2 == 1) != (self.verdict == "yes"):
            raise ParameterError("verdict must be yes for an odd multiple, and no for all others")

    @property
    def sentence(self) -> str:
        """The answer in plain English.

        >>> decide_discrete_gaussian(1, 2).sentence
        'No: the noisier σ² is 2 times the sharper one, and only odd multiples work.'
        """
        if self.verdict == "yes":
            return (
                f"Yes: the noisier σ² is {self.times} times the sharper one, an odd multiple; what "
                "is added is a sum of independent coins."
            )
        return (
            f"No: the noisier σ² is {self.times} times the sharper one, and only odd multiples "
            "work."
        )


def decide_discrete_gaussian(
    sharper: Fraction | float | str, noisier: Fraction | float | str
) -> GaussianDecision:
    """Decide whether the noisier discrete Gaussian noise is the sharper plus independent noise.

    Args:
        sharper: σ² of the sharper noise.
        noisier: σ² of the noisier noise.

    Raises:
        ParameterError: a number is no σ² from 0.1 to 100.

    >>> [decide_discrete_gaussian(1, times).verdict for times in (1, 2, 3, "7/2")]
    ['yes', 'no', 'yes', 'no']
    >>> added = decide_discrete_gaussian(1, 3).candidate
    >>> round(sum(added), 12), min(added) >= 0
    (1.0, True)
    """
    squares = _square("sharper", sharper), _square("noisier", noisier)
    times = squares[1] / squares[0]
    verdict: Verdict = "yes" if times.denominator == 1 and times % 2 == 1 else "no"
    if times < 1:
        return GaussianDecision(verdict, times, ())
    added = _added(*(float(each) for each in squares))
    return GaussianDecision(verdict, times, tuple(added.tolist()))


def _square(name: str, value: Fraction | float | str) -> Fraction:
    """σ² as it is typed."""
    try:
        found = fraction(value)
    except ParameterError:
        found = Fraction(0)
    if not LEAST <= found <= MOST:
        raise ParameterError(
            f"the {name} σ² is {checks.told(value)}; pass a number from {float(LEAST)} to {MOST}, "
            "such as 2 or 7/2"
        )
    return found


def _added(sharper: float, noisier: float) -> NDArray[np.float64]:
    """Coefficients of the quotient of both generating functions on the circle, from -n to n."""
    angles = 2 * math.pi * np.arange(POINTS) / POINTS
    quotient = np.exp(_log_wave(noisier, angles) - _log_wave(sharper, angles))
    found = np.fft.ifft(quotient).real
    found[np.abs(found) < SEEN] = 0.0
    half = POINTS // 2
    reach = int(np.flatnonzero(found[:half]).max())
    return np.concatenate([found[reach:0:-1], found[: reach + 1]])


def _log_wave(square: float, angles: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithm of the characteristic function, factor by factor, so that nothing cancels."""
    count = math.ceil(-math.log(FORGOTTEN) * square) + 1
    roots = np.exp(-(2 * np.arange(1, count + 1) - 1) / (2 * square))
    found = np.zeros_like(angles)
    for r in roots.tolist():  # 1 + 2r·cos + r² = (1 + r)² - 2r(1 - cos)
        found += np.log1p(-2 * r * (1 - np.cos(angles)) / (1 + r) ** 2)
    return found
