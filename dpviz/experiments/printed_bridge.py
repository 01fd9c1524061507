"""How far off Lemma F.5 draws as printed: a subject of exposition; nothing draws from it.

A bridge from the scale l over b to h, l < b < h, splits k = Y_h - Y_l into two parts, each of them
0 with some chance and a Laplace number otherwise:

    right      (l/b)² and scale b      (b/h)² and scale h
    printed    (l/b)² and scale l      (b/h)² and scale b

so that the first part, which is the noise between l and b, comes out too small. MATHEMATICS 2.3.
Source: [LMR25] Andersson, Retschmeier, Nelson, Pagh, Private Lossless Multiple Release, ICML 2025,
Lemma F.5. Limits: the lemma does not say which of its parts is the first; with the other one first
the noise comes out too large instead.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import quad

from dpviz.checks import positive
from dpviz.errors import ParameterError

Floats = NDArray[np.float64]
Part = tuple[float, float]  # chance to be 0, and the scale otherwise
RIGHT, PRINTED, EXCHANGED = "right", "printed", "printed, exchanged"  # readings of the lemma
FAR = 60.0  # scales of k; what lies beyond changes no digit
PIECES = 500  # of the quadrature


def bridged_variance(low: float, level: float, high: float, *, printed: bool) -> float:
    """Variance of a release that is drawn between two others, in squared units.

    2l² + E[W²] with W = Y_b - Y_l and k distributed as the two releases have it; by quadrature, to
    about 1e-8 of its size.

    Args:
        low: scale l of the sharper release, above 0.
        level: scale b of the new one.
        high: scale h of the noisier one.
        printed: by the lemma as printed; else as corrected, which gives 2b².

    Raises:
        ParameterError: unless 0 < low < level < high.

    >>> round(bridged_variance(1, 3, 10, printed=False), 6)
    18.0
    >>> round(bridged_variance(1, 3, 10, printed=True), 3)
    4.457
    """
    positive(low=low, level=level, high=high)
    if not low < level < high:
        raise ParameterError("scales must rise: low below level below high")
    parts = parts_of(EXCHANGED if printed else RIGHT, low, level, high)
    moved = 1 - (low / high) ** 2  # chance that k is not 0

    def weighted(k: float) -> float:
        return moved * math.exp(-k / high) / high * _second_moment(k, *parts)

    places = (low, level, 10 * level)
    return 2 * low**2 + float(quad(weighted, 0, FAR * high, limit=PIECES, points=places)[0])


def parts_of(reading: str, low: float, level: float, high: float) -> tuple[Part, Part]:
    """The parts between low and level, and between level and high, by a reading of the lemma.

    >>> parts_of(RIGHT, 1.0, 2.0, 4.0)
    ((0.25, 2.0), (0.25, 4.0))
    """
    near, far = (low / level) ** 2, (level / high) ** 2
    return {
        RIGHT: ((near, level), (far, high)),
        PRINTED: ((far, level), (near, low)),
        EXCHANGED: ((near, low), (far, level)),
    }[reading]


def masses(k: ArrayLike, first: Part, second: Part) -> Floats:
    """How likely each case is, given that two such parts add up to k, to a common factor.

    Args:
        k: what they add up to, at least 0, of any shape.
        first: the part W.
        second: the other one.

    Returns:
        Shape (5, …): W is 0, is k, is negative, lies between 0 and k, lies beyond k.
    """
    k = np.asarray(k, dtype=np.float64)
    (stay1, scale1), (stay2, scale2) = first, second
    widest = max(scale1, scale2)  # taken out of both exponentials, so that neither vanishes
    e1, e2 = np.exp(k / widest - k / scale1), np.exp(k / widest - k / scale2)
    both = (1 - stay1) * (1 - stay2) / (4 * scale1 * scale2)
    outer, inner = 1 / scale1 + 1 / scale2, 1 / scale1 - 1 / scale2
    return np.array(
        [
            stay1 * (1 - stay2) * e2 / (2 * scale2),
            (1 - stay1) * stay2 * e1 / (2 * scale1),
            both * e2 / outer,
            both * (e2 - e1) / inner,
            both * e1 / outer,
        ]
    )


def _second_moment(k: float, first: Part, second: Part) -> float:
    """E[W²] of the first of two such parts, given that they add up to k > 0."""
    chances = masses(k, first, second)
    outer = 1 / first[1] + 1 / second[1]
    beyond = k * k + 2 * k / outer + 2 / outer**2
    squares = chances[1] * k * k + chances[2] * 2 / outer**2 + chances[4] * beyond
    squares += chances[3] * _square_between(k, 1 / first[1] - 1 / second[1])
    return float(squares / chances.sum())


def _square_between(k: float, rate: float) -> float:
    """E[W²] of an exponential number of this rate, of either sign, that lies between 0 and k."""
    share = -math.expm1(-k * rate)
    if share == 0:
        return k * k / 3
    left = math.exp(-k * rate)
    return (2 / rate**2 * share - left * (k * k + 2 * k / rate)) / share
