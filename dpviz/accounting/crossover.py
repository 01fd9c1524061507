"""Where Laplace and Gaussian noise change places: at which delta, up to which dimension.

Laplace noise on a vector has variance 2 (l1/epsilon)² for every delta; Gaussian noise has sigma²,
which grows as delta falls. With R = l1/l2 they are equal at

    analytic Gaussian   ln delta* = ln delta_G(epsilon; mu = epsilon / (sqrt(2) R))   any epsilon
    classical Gaussian  ln delta* = ln 1.25 - R²                                      epsilon <= 1

and Laplace has the smaller variance for every smaller delta. Turned round: for a given delta it
does up to R² = (epsilon sigma / l2)² / 2, which is the dimension if a person may move every
coordinate by the same amount. The l2 Laplace mechanism never changes the verdict against the
analytic Gaussian, whose sigma is at most its scale. Closed forms, in the log domain.
The classical sigma = l2 sqrt(2 ln(1.25/delta)) / epsilon is larger than needed for epsilon <= 1,
and no guarantee at all for larger epsilon: there it is refused. Source: MATHEMATICS 9.1.

Where Gaussian noise has a smaller variance than Laplace noise that uses delta, too: exact.

With equal variance, and R² = `moved` coordinates moved alike, own budget e each,

    mu = e sqrt(moved / 2),      h(e) = ln delta_Laplace(epsilon; e) - ln delta_Gauss(epsilon; mu)

and Gaussian noise is the smaller one where h > 0. h is -inf at the pure budget e = epsilon / moved,
so Laplace noise wins at every small enough delta; Gaussian noise wins from the first root on: up to
delta = 0.5, up to a second root before it, or nowhere. The roots lie between a point on either
side; at the lower end h <= 0 is proved (delta_Laplace is rounded up), so up to the first root
Laplace noise is the smaller one for certain. Within 1e-6 of the pure crossing or above it.
Source: MATHEMATICS 9.1.
"""

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from dpviz import checks
from dpviz.accounting.gaussian import gaussian_log_delta, gaussian_sigma
from dpviz.accounting.inputs import Number, elementwise, log_probability, positive, representable
from dpviz.accounting.laplace import sensitivity_ratio
from dpviz.accounting.laplace_composition import (
    DEEPEST,
    HALF,
    NOTHING_GAINED,
    laplace_alike_curve,
    laplace_alike_log_delta,
    refuse_beyond_reach,
    within_reach,
)
from dpviz.errors import NoGuaranteeError

GAUSSIANS = ("analytic", "classical")
LOG_125 = math.log(1.25)


@elementwise
def crossover_log_delta(
    epsilon: Number, l1_sensitivity: Number, l2_sensitivity: Number, *, gaussian: str = "analytic"
) -> float:
    """The ln delta* at which Laplace and Gaussian noise have equal variance; Laplace wins below it.

    Args:
        epsilon: above 0, nats.
        l1_sensitivity: above 0, at least l2_sensitivity.
        l2_sensitivity: above 0, in the same units.
        gaussian: "analytic", or "classical" (epsilon at most 1; the answer is free of epsilon).

    Returns:
        ln delta*.

    Raises:
        NoGuaranteeError: "classical" with an epsilon above 1.
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 9.1.

    >>> round(crossover_log_delta(1.0, 10**0.5, 1.0), 6)
    -15.048116
    >>> round(crossover_log_delta(1.0, 10**0.5, 1.0, gaussian="classical"), 6)
    -9.776856
    """
    checks.one_of(GAUSSIANS, gaussian=gaussian)
    epsilon = positive(epsilon=epsilon)
    ratio = sensitivity_ratio(l1_sensitivity, l2_sensitivity)
    if gaussian == "classical":
        _refuse_above_one(epsilon)
        return LOG_125 - ratio * ratio
    return gaussian_log_delta(epsilon, epsilon / (math.sqrt(2) * ratio))


@elementwise
def crossover_dimension(epsilon: Number, log_delta: Number, *, gaussian: str = "analytic") -> float:
    """Number of equal coordinates up to which Laplace noise has the smaller variance: R² = d.

    Args:
        epsilon: above 0, nats.
        log_delta: ln delta, below 0.
        gaussian: "analytic", or "classical" (epsilon at most 1).

    Returns:
        d* as a real number: Laplace wins for every dimension up to it, so for none if it is below
        1. Where a person moves only some coordinates, read "(l1/l2)²" for "dimension".

    Raises:
        NoGuaranteeError: "classical" with an epsilon above 1.
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 9.1.

    >>> math.floor(crossover_dimension(1.0, math.log(1e-6)))
    8
    >>> math.floor(crossover_dimension(1.0, math.log(1e-6), gaussian="classical"))
    14
    """
    checks.one_of(GAUSSIANS, gaussian=gaussian)
    epsilon = positive(epsilon=epsilon)
    if gaussian == "classical":
        sigma = classical_gaussian_sigma(epsilon, log_delta, 1.0)
    else:
        sigma = gaussian_sigma(epsilon, log_delta, 1.0)
    moved = epsilon * sigma
    return representable(moved * moved / 2)


@elementwise
def classical_gaussian_sigma(epsilon: Number, log_delta: Number, l2_sensitivity: Number) -> float:
    """Standard deviation of the classical Gaussian mechanism: l2 sqrt(2 ln(1.25/delta)) / epsilon.

    Args:
        epsilon: above 0 and at most 1, nats.
        log_delta: ln delta, below 0.
        l2_sensitivity: above 0, in units of the statistic.

    Returns:
        sigma in units of the statistic, rounded up; `gaussian_sigma` is never larger.

    Raises:
        NoGuaranteeError: epsilon is above 1, where the formula is no guarantee.
        ParameterError: an argument is out of range.

    Source: Dwork and Roth (2014), Theorem A.1; MATHEMATICS 3.7.

    >>> round(classical_gaussian_sigma(1.0, math.log(1e-5), 1.0), 6)
    4.844805
    """
    epsilon, log_delta = positive(epsilon=epsilon), log_probability(log_delta)
    _refuse_above_one(epsilon)
    root = math.sqrt(2 * (LOG_125 - log_delta))
    sigma = positive(l2_sensitivity=l2_sensitivity) * root / epsilon * (1 + 2.0**-50)
    return positive(sigma=representable(sigma))


def _refuse_above_one(epsilon: float) -> None:
    """The classical formula is proved for small epsilon only, and false for large ones."""
    if epsilon > 1:
        raise NoGuaranteeError(
            "the classical Gaussian mechanism gives no guarantee for an epsilon above 1; pass a "
            "smaller epsilon, or gaussian='analytic'"
        )


WIDTH = 1e-10  # of ln(excess) between the two sides of a root
FURTHER = 1e-6  # how far below the table a root is looked for: there it is that of the pure scale
EVERY = 4  # points between two of the table where the largest h is looked for
Found = tuple[float, float] | None


def gaussian_smaller_between(epsilon: Number, *, moved: int) -> Found:
    """From which ln delta on Gaussian noise is smaller than exact Laplace noise, and up to which.

    Args:
        epsilon: above 0, nats.
        moved: how many coordinates one person moves, all by the same amount; R².

    Returns:
        ln delta of both ends, the second ln 0.5 where Gaussian noise stays the smaller one; None
        where Laplace noise is the smaller one at every delta up to 0.5.

    Raises:
        NoGuaranteeError: the exact curve is beyond the reach of the composition.
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 9.1.

    >>> [round(math.exp(x), 4) for x in gaussian_smaller_between(1.0, moved=1)]
    [0.0629, 0.5]
    >>> gaussian_smaller_between(4.8866, moved=1) is None
    True
    """
    moved = int(checks.integer(1, moved=moved))
    return _between(positive(epsilon=epsilon), moved)


def laplace_smaller_up_to(epsilon: Number, log_delta: Number) -> int:
    """Up to how many coordinates moved alike exact Laplace noise is no larger than Gaussian noise.

    Args:
        epsilon: above 0, nats.
        log_delta: ln delta, below 0.

    Returns:
        R² as a whole number, at least that of pure Laplace noise; 0 if not even one.

    Raises:
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 9.1.

    >>> laplace_smaller_up_to(1.0, math.log(1e-6)), laplace_smaller_up_to(1.0, math.log(0.1))
    (8, 0)
    """
    return _up_to(positive(epsilon=epsilon), log_probability(log_delta))


@lru_cache(maxsize=4096)
def _up_to(epsilon: float, log_delta: float) -> int:
    pure = math.floor(crossover_dimension(epsilon, log_delta) * (1 + 1e-12))

    def smaller(moved: int) -> bool:
        over = _over(epsilon, log_delta, moved)
        return over is not None and over <= 0

    step = 1
    while smaller(pure + step):
        step *= 2
    low, high = pure + step // 2, pure + step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if smaller(middle) else (low, middle)
    return low


@lru_cache(maxsize=8192)  # both of the above ask for the same
def _over(epsilon: float, log_delta: float, moved: int) -> float | None:
    """By how much ln delta of Laplace noise as large as the Gaussian is above that of the latter.

    None where the curve of Laplace noise saves nothing or is not known: its pure epsilon counts.
    """
    if (
        log_delta < -DEEPEST
        or moved * math.log(2) + log_delta < math.log(NOTHING_GAINED * min(epsilon, 1.0))
        or not within_reach(epsilon, moved)
    ):
        return None
    own = math.sqrt(2 / moved) / gaussian_sigma(epsilon, log_delta, 1.0)
    return laplace_alike_log_delta(epsilon, own, moved=moved) - log_delta


def equal_variance_moved(epsilon: Number, log_delta: Number) -> float:
    """How many coordinates moved alike make both kinds of noise equally large, for a picture.

    Args:
        epsilon: above 0, nats.
        log_delta: ln delta, below 0.

    Returns:
        R²: at least `laplace_smaller_up_to`, and below the next whole number. Exact where it is
        whole, and rising in between; where a delta saves nothing it is that of pure Laplace noise.

    Raises:
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 9.1.

    >>> round(equal_variance_moved(1.0, math.log(1e-6)), 2)
    8.93
    >>> star, _ = gaussian_smaller_between(1.0, moved=3)
    >>> round(equal_variance_moved(1.0, star), 5)
    3.0
    """
    epsilon, log_delta = positive(epsilon=epsilon), log_probability(log_delta)
    most, pure = _up_to(epsilon, log_delta), crossover_dimension(epsilon, log_delta)
    low, over = max(float(most), pure), _over(epsilon, log_delta, most + 1)
    if over is None:
        return low
    under = _over(epsilon, log_delta, most) if most > pure else None
    below, above = -1.0 if under is None else math.expm1(under), math.expm1(over)
    return low + (most + 1 - low) * below / (below - above)


def equal_variance_log_delta(
    epsilon: Number, *, moved: int, low: Number, high: Number
) -> float | None:
    """Ln delta at which both kinds are equally large for a whole number of coordinates moved alike.

    Args:
        epsilon: above 0, nats.
        moved: how many coordinates one person moves; R².
        low: ln delta at which Laplace noise is the smaller one.
        high: ln delta at which Gaussian noise is.

    Returns:
        A root between both; None if they are on one side, or the exact curve is not known there.

    Raises:
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 9.1; `gaussian_smaller_between` finds both ends from nothing.

    >>> at = equal_variance_log_delta(1.0, moved=3, low=-15, high=-5)
    >>> round(at, 6) == round(gaussian_smaller_between(1.0, moved=3)[0], 6)
    True
    """
    epsilon, moved = positive(epsilon=epsilon), int(checks.integer(1, moved=moved))
    low, high = log_probability(low), log_probability(high)

    def over(log_delta: float) -> float:  # Laplace noise that a delta does not help is at 0
        known = _over(epsilon, log_delta, moved)
        return -1.0 if known is None else math.expm1(known)

    return _root(over, low, high) if over(low) < 0 < over(high) else None


@lru_cache(maxsize=4096)  # pure mathematics of public numbers; other controls ask for it again
def _between(epsilon: float, moved: int) -> Found:
    pure = crossover_log_delta(epsilon, math.sqrt(moved), 1.0)
    if pure >= HALF:
        return None
    if moved * math.log(2) + pure < math.log(NOTHING_GAINED * min(epsilon, 1.0)):
        return pure, HALF  # a delta of this size saves nothing: the first ninth digit is the same
    refuse_beyond_reach(epsilon, moved)

    def gauss(u: float) -> float:
        own = (epsilon + math.exp(u)) / moved
        return gaussian_log_delta(epsilon, own * math.sqrt(moved / 2))

    def h(u: float) -> float:
        own = (epsilon + math.exp(u)) / moved
        return laplace_alike_log_delta(epsilon, own, moved=moved) - gauss(u)

    table, logs = laplace_alike_curve(epsilon, moved)
    u = [x for x in table.tolist() if gauss(x) <= HALF]
    if not u:  # pure Laplace noise crosses just below delta = 0.5, where its exact curve is far off
        return None
    known = [log - gauss(x) for x, log in zip(u, logs.tolist(), strict=False)]
    if len(u) < len(table):  # ends at delta = 0.5, of the Gaussian or of the Laplace noise
        u.append(_root(lambda x: gauss(x) - HALF, u[-1], float(table[len(u)])))
        known.append(h(u[-1]))
    u, known = _with_peak(h, u, known)
    return _ends(u, known, h, gauss, pure)


def _ends(
    u: list[float],
    known: list[float],
    h: Callable[[float], float],
    gauss: Callable[[float], float],
    pure: float,
) -> Found:
    """Ln delta of the Gaussian noise at both ends of the points where h is above 0."""
    above = [i for i, value in enumerate(known) if value > 0]
    if not above:
        return None
    first, final = above[0], above[-1]
    below = u[first - 1] if first else u[0] + math.log(FURTHER)
    begins = gauss(_root(h, below, u[first])) if h(below) <= 0 else pure
    if final == len(u) - 1:
        return begins, HALF
    return begins, gauss(_root(lambda x: -h(x), u[final], u[final + 1]))


def _with_peak(
    h: Callable[[float], float], u: list[float], known: list[float]
) -> tuple[list[float], list[float]]:
    """The points with some more beside the largest h, so that a narrow rise above 0 is seen."""
    if max(known) > 0:
        return u, known
    top = int(np.argmax(known))
    low, high = u[max(top - 1, 0)], u[min(top + 1, len(u) - 1)]
    for _ in range(8):
        inner = np.linspace(low, high, EVERY + 2)[1:-1].tolist()
        values = [h(x) for x in inner]
        best = int(np.argmax(values))
        if values[best] > 0 or high - low < 1e-6:
            break
        low, high = ([low, *inner][best], [*inner, high][best + 1])
    both = sorted(zip([*u, *inner], [*known, *values], strict=True))
    return [x for x, _ in both], [value for _, value in both]


def _root(f: Callable[[float], float], low: float, high: float) -> float:
    """A root of f, which is at most 0 at `low` and above 0 at `high`, from the side of `low`."""
    from scipy.optimize import brentq  # here, because loading it takes longer than a whole search

    root, step = float(brentq(f, low, high, xtol=WIDTH)), WIDTH
    while root > low and f(root) > 0:
        root, step = max(low, root - step), 2 * step
    return root
