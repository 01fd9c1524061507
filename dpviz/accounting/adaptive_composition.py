"""Pure and bounded-range mechanisms of one size, each chosen after the results of those before.

For bounded range it matters that the next mechanism may depend on earlier results, and where the
pure ones stand: moving a pure one before a bounded-range one never lowers delta, so all pure first
is the worst order, also if the order itself is chosen as results come in. Exact are: pure ones
alone; one of bounded range among them, anywhere; two of bounded range after all pure ones, or alone
with one pure mechanism in any order (after further pure ones). Two of bounded range together have

    g >= e/2:      c^2 (1 - e^((g - 2e)/3))^3,              s = e^(-e/2), c = 1/(1 - s^2)
    |g| <= e/2:    ((1 + s)(1 - z)^2 + 2 z (1 - sqrt s)^2) / ((1 - s)(1 + s)^2),   z = s e^(g/2)

and below the mirror image. All else is an upper bound, by mixed_composition.py. What bounded-range
mechanisms cost that are fixed in advance (mixed_composition.py) is less, from two of them on.
Source: Cesar and Rogers (2021), Lemmas 5.1, 5.3, 5.4, Propositions 1, 2; MATHEMATICS 5.10.
"""

import math
from collections.abc import Iterable

import numpy as np

from dpviz import checks
from dpviz.accounting.bounds import ANY_ORDER, EXACT, FIXED_ORDER, UPPER, Bound
from dpviz.accounting.inputs import Floats, Number, finite, log_probability, positive, representable
from dpviz.accounting.mixed_composition import (
    NARROWEST,
    PER_PART,
    WIDEST,
    PureCurve,
    RangeCurve,
    checked_counts,
    mixed_log_delta,
)
from dpviz.accounting.pure_composition import LOST, log_masses
from dpviz.accounting.search import least
from dpviz.errors import ParameterError

PURE, BOUNDED_RANGE = "pure", "bounded_range"
MECHANISMS = (PURE, BOUNDED_RANGE)
LONGEST = 1000  # mechanisms in an order
ADAPTIVE = "chosen as results come in"
CURVE = "[BCT20] Lemma 5.1, chords; MATHEMATICS 5.10"
ALONE = "[KOV15] Theorem 3.3; MATHEMATICS 5.2"
ONE = "[BCT20] Proposition 2 and Theorem 3; MATHEMATICS 5.10"
TWO = "two of bounded range, closed form; MATHEMATICS 5.10"
THREE = "[BCT20] Lemma 5.4, closed form; MATHEMATICS 5.10"
TOLERANCE = 1e-10  # relative, of the inverse
LEAST = -1e300  # ln of a delta that is not 0


def adaptive_composition_log_delta(
    order: Iterable[str], epsilon: Number, epsilon_total: Number
) -> Bound:
    """The ln delta at `epsilon_total` of mechanisms chosen as results come in, in this order.

    Args:
        order: the kind of each mechanism in turn, "pure" or "bounded_range", at most 1,000.
        epsilon: budget of each mechanism, above 0, nats.
        epsilon_total: of either sign, nats.

    Returns:
        ln delta, rounded up: exact or an upper bound, as the record says; -inf where delta is 0.

    Raises:
        ParameterError: an argument is out of range, or a kind is not known.

    Source: Cesar and Rogers (2021), Lemma 5.1; MATHEMATICS 5.10.

    >>> two = ("bounded_range", "bounded_range")
    >>> first, last = (
    ...     adaptive_composition_log_delta(order, 1.0, 0.3)
    ...     for order in (("pure", *two), (*two, "pure"))
    ... )
    >>> round(math.exp(first.value), 6), round(math.exp(last.value), 6), first.kind, last.kind
    (0.413601, 0.409278, 'exact', 'exact')
    """
    kinds = _checked(order)
    epsilon, total = positive(epsilon=epsilon), finite(epsilon_total=epsilon_total)
    return _bound(_log_delta(kinds, epsilon, total), kinds, epsilon)


def adaptive_composition_epsilon(order: Iterable[str], epsilon: Number, log_delta: Number) -> Bound:
    """Least total epsilon at this delta of mechanisms chosen as results come in, in this order.

    Args:
        order: the kind of each mechanism in turn, "pure" or "bounded_range", at most 1,000.
        epsilon: budget of each mechanism, above 0, nats.
        log_delta: ln delta, below 0.

    Returns:
        epsilon in nats, rounded up, at most the sum: exact or an upper bound, as the record says.

    Raises:
        ParameterError: an argument is out of range, or a kind is not known.

    Source: as `adaptive_composition_log_delta`, inverted.

    >>> answer = adaptive_composition_epsilon(["bounded_range"] * 2, 0.5, math.log(1e-3))
    >>> round(answer.value, 6), answer.kind
    (0.834426, 'exact')
    """
    kinds = _checked(order)
    epsilon, log_delta = positive(epsilon=epsilon), log_probability(log_delta)
    return _bound(_epsilon(kinds, epsilon, log_delta), kinds, epsilon)


def worst_order(pure: int, bounded_range: int) -> tuple[str, ...]:
    """The order of these mechanisms that costs most: all pure ones first.

    It is also the worst that can come of an order chosen as results come in.

    Raises:
        ParameterError: a number is out of range, or there are more than 1,000 in all.

    Source: Cesar and Rogers (2021), Proposition 1; MATHEMATICS 5.10.

    >>> worst_order(1, 2)
    ('pure', 'bounded_range', 'bounded_range')
    """
    pure, bounded_range = checked_counts(pure, bounded_range)
    if pure + bounded_range > LONGEST:
        raise ParameterError(f"an order has at most {LONGEST} mechanisms; pass fewer")
    return (PURE,) * pure + (BOUNDED_RANGE,) * bounded_range


def _checked(order: Iterable[str]) -> tuple[bool, ...]:
    """Whether each mechanism in turn is of bounded range."""
    found = checks.listed(order=order)
    if not 0 < len(found) <= LONGEST:
        raise ParameterError(f"order must hold 1 to {LONGEST} kinds, for example {MECHANISMS}")
    for each in found:
        checks.one_of(MECHANISMS, order=each)
    return tuple(each == BOUNDED_RANGE for each in found)


def _bound(value: float, kinds: tuple[bool, ...], epsilon: float) -> Bound:
    """The value with what it rests on."""
    theorem, exact = _method(kinds, epsilon)
    worst = sum(kinds) <= 1 or kinds == tuple(sorted(kinds))
    return Bound(
        ADAPTIVE, value, theorem, EXACT if exact else UPPER, ANY_ORDER if worst else FIXED_ORDER
    )


def _method(kinds: tuple[bool, ...], epsilon: float) -> tuple[str, bool]:
    """By which theorem this order is counted, and whether that is exact."""
    rest = _after_pure(kinds)
    if sum(kinds) <= 1:
        return (ONE if rest else ALONE), True
    if rest in CLOSED:
        return (TWO if rest == TOGETHER else THREE), True
    return (CURVE if NARROWEST <= epsilon <= WIDEST else ALONE), False


def _after_pure(kinds: tuple[bool, ...]) -> tuple[bool, ...]:
    """What comes after the pure mechanisms at the beginning."""
    return kinds[kinds.index(True) :] if True in kinds else ()


def _epsilon(kinds: tuple[bool, ...], epsilon: float, log_delta: float) -> float:
    """The least total epsilon, rounded up."""
    if _log_delta(kinds, epsilon, 0.0) <= log_delta:
        return 0.0
    most = representable(len(kinds) * epsilon * (1 + 2.0**-50))
    variance = len(kinds) - 0.75 * sum(kinds)
    found = least(
        lambda total: _log_delta(kinds, epsilon, total) - log_delta,
        min(most / 2, epsilon * math.sqrt(-2 * log_delta * variance)),
        lowest=most * 1e-16,
        highest=most,
        tolerance=TOLERANCE,
    )
    return most if found is None else found


def _log_delta(kinds: tuple[bool, ...], epsilon: float, total: float) -> float:
    """The ln delta of an order, rounded up."""
    most = representable(len(kinds) * epsilon)
    if sum(kinds) <= 1:
        return mixed_log_delta(len(kinds) - sum(kinds), sum(kinds), epsilon, total)
    if total >= most:
        return -math.inf
    if total <= -most:
        return min(0.0, math.log(-math.expm1(total)) * (1 - LOST))
    rest = _after_pure(kinds)
    pure = len(kinds) - len(rest)
    wins = np.arange(pure + 1, dtype=np.float64)
    slack = (abs(total) + most) * 2.0**-50
    needed = total - (2 * wins - pure) * epsilon - slack
    logs = log_masses(pure, epsilon) + _after(rest, epsilon, needed)
    value = max(LEAST, float(np.logaddexp.reduce(logs)))
    return min(0.0, value + LOST * (1 - value) + PER_PART * len(kinds))


def _after(rest: tuple[bool, ...], epsilon: float, g: Floats) -> Floats:
    """The ln delta of an order that begins with bounded range, at any epsilon."""
    found, most = np.full_like(g, -math.inf), len(rest) * epsilon
    low, between = g <= -most, np.abs(g) < most
    found[low] = np.log(-np.expm1(g[low]))
    if between.any():
        inside = g[between]
        if rest in CLOSED:
            found[between] = CLOSED[rest](epsilon, inside)
        elif NARROWEST <= epsilon <= WIDEST:
            found[between] = RangeCurve.of(rest, epsilon)(inside)
        else:  # as if all were pure
            found[between] = PureCurve.of(len(rest), epsilon)(inside)
    return found


def two_log_delta(epsilon: float, g: Floats) -> Floats:
    """The ln delta of two bounded-range mechanisms, the second chosen after the first's result.

    >>> np.exp(two_log_delta(1.0, np.array([-0.9, 0.1, 0.7]))).round(9)
    array([0.6228595 , 0.26917814, 0.1088311 ])
    """
    far = np.minimum(2 * epsilon, np.abs(g))
    with np.errstate(divide="ignore"):
        high = 3 * np.log(-np.expm1((far - 2 * epsilon) / 3)) - 2 * math.log(-math.expm1(-epsilon))
        mirrored = np.logaddexp(np.log(-np.expm1(-far)), high - far)
    near = _middle(epsilon, np.clip(g, -epsilon / 2, epsilon / 2))
    return np.where(np.abs(g) <= epsilon / 2, near, np.where(g > 0, high, mirrored))


def _middle(epsilon: float, g: Floats) -> Floats:
    """The middle piece of two bounded-range mechanisms, from positive terms."""
    log_s = math.log1p(math.exp(-epsilon / 2))  # of 1 + s, s = e^(-epsilon/2)
    first = log_s + 2 * np.log(-np.expm1((g - epsilon) / 2))
    second = math.log(2) + (g - epsilon) / 2 + 2 * math.log(-math.expm1(-epsilon / 4))
    found = np.logaddexp(first, second)
    return np.asarray(found - math.log(-math.expm1(-epsilon / 2)) - 2 * log_s)


def _three_log_delta(epsilon: float, g: Floats) -> Floats:
    """The ln delta of two of bounded range and a pure one that is not the first."""
    far = np.abs(g)
    after = np.where(
        far < epsilon,
        _middle(epsilon, np.minimum(far, epsilon) - epsilon),
        two_log_delta(epsilon, far - epsilon),
    )
    high = after - math.log1p(math.exp(-epsilon))
    with np.errstate(divide="ignore"):
        return np.where(g >= 0, high, np.logaddexp(np.log(-np.expm1(-far)), high - far))


TOGETHER = (True, True)
CLOSED = {  # after the pure ones at the beginning
    TOGETHER: two_log_delta,
    (True, False, True): _three_log_delta,
    (True, True, False): _three_log_delta,
}
