"""The clock of the jumps: at which budgets the path of a value moves.

A path is read in its rate r = ε/Δ₁ = 1/b, the inverse of the noise scale. Towards smaller rates its
increments are independent and jumps come by a Poisson process; a jump at r is noise of scale 1/r.
Towards larger rates the path is Markov, and from noise v two clocks run: one for jumps inwards, to
a uniform place between the truth and the value, and one for jumps that noise of scale 1/(2r) makes:
beyond the truth if it points there, else beyond the value.

    noise               intensity backward    outwards    inwards
    Laplace             2/r                   1/r         |v|
    discrete Laplace    coth(r/2)             coth(r)     |v|, to one of 0 … |v| - 1 from the truth

Of whole numbers a jump may have size 0: it is counted, and moves nothing.
Source: MATHEMATICS 14.2; the rates are ours.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpviz.errors import ParameterError
from dpviz.noise.arguments import additive_family
from dpviz.noise.family import DOUBLE_EXPONENTIAL, Array, Family

LN_2 = math.log(2)


@dataclass(frozen=True, slots=True)
class Clock:
    """How a path of one kind of noise finds its jumps.

    Attributes:
        expected: number of jumps that are expected between two rates, a < b.
        below: the rate that is `passed` expected jumps below a rate.
        above: the rate at which the outward clock has gone on by `passed`.
    """

    expected: Callable[[float, float], float]
    below: Callable[[float, Array], Array]
    above: Callable[[Array, Array], Array]


def clock_of(family: Family) -> Clock:
    """The clock of a family, by the shape of its density.

    Raises:
        ParameterError: the noise is neither Laplace nor discrete Laplace.

    >>> from dpviz.noise import FAMILIES
    >>> round(clock_of(FAMILIES["laplace"]).expected(0.5, 5.0), 6)  # 2 ln 10
    4.60517
    """
    additive_family(family)
    if family.shape != DOUBLE_EXPONENTIAL:
        raise ParameterError(
            f"{family.label} noise has no path with single jumps; pass Laplace or discrete Laplace "
            'noise, such as FAMILIES["laplace"]'
        )
    return WHOLE if family.integer else REAL


def _expected(a: float, b: float) -> float:
    return 2 * math.log1p((b - a) / a)


def _below(b: float, passed: Array) -> Array:
    return np.asarray(b * np.exp(-passed / 2))


def _above(r: Array, passed: Array) -> Array:
    with np.errstate(over="ignore"):
        return np.asarray(r * np.exp(passed))


def _expected_whole(a: float, b: float) -> float:
    """2 ln(sinh(b/2)/sinh(a/2)), of positive terms only.

    >>> round(_expected_whole(0.5, 1.5), 6)
    2.360539
    """
    return (b - a) + 2 * math.log1p(math.exp(-a) * math.expm1(a - b) / math.expm1(-a))


def _below_whole(b: float, passed: Array) -> Array:
    half = np.asarray(b / 2)
    return 2 * _asinh_exp(_log_sinh(half) - passed / 2)


def _above_whole(r: Array, passed: Array) -> Array:
    return _asinh_exp(_log_sinh(r) + passed)


def _log_sinh(x: Array) -> Array:
    """Log of sinh x for x > 0, also where sinh x is no float."""
    return np.asarray(x + np.log(-np.expm1(-2 * x)) - LN_2)


def _asinh_exp(y: Array) -> Array:
    """The inverse of `_log_sinh`.

    >>> bool(np.allclose(_asinh_exp(_log_sinh(np.array([1e-9, 1.0, 900.0]))), [1e-9, 1.0, 900.0]))
    True
    """
    small = np.arcsinh(np.exp(np.minimum(y, 0)))
    large = np.maximum(y, 0)
    large = large + np.log1p(np.sqrt(1 + np.exp(-2 * large)))
    return np.asarray(np.where(y < 0, small, large))


REAL = Clock(_expected, _below, _above)
WHOLE = Clock(_expected_whole, _below_whole, _above_whole)
