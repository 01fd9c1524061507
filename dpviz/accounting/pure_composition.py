"""Several independent pure guarantees of one size together: the optimal trade, and its inverse.

    delta(g) = sum over (2l - k) eps > g of Bin(l; k, 1/(1 + e^-eps)) (1 - e^(g - (2l - k) eps))

No mechanism of k eps-private parts costs more, and k-fold randomised response costs exactly this;
so does any adaptive choice of the parts. For Laplace noise it is an upper bound, not tight:
laplace_composition.py. The masses come from their ratios, so they keep their digits for any k, and
ln delta is raised by LOST (1 + |ln delta|), above its rounding error.
Source: Kairouz, Oh and Viswanath (2015), Theorem 3.3; MATHEMATICS 5.2.

Pure mechanisms of different sizes together: every sum of losses, or a convolution rounded up.

An epsilon-private mechanism is dominated by randomised response: loss epsilon with probability
1/(1 + e^-epsilon), else -epsilon. Losses of dominating pairs add, also where mechanisms and their
order are chosen as results come in. Equal budgets are a binomial law; several budgets together are
enumerated, up to STATES outcomes, or ENUMERATED if that is all there is: then the answer is exact.
Else these laws are put on one grid and convolved, which rounds up at every step (loss_sums.py).
Source: Kairouz, Oh and Viswanath (2015); MATHEMATICS 5.11.
"""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np

from dpviz import checks
from dpviz.accounting.bounds import ANY_ORDER, EXACT, UPPER, Bound
from dpviz.accounting.inputs import (
    Floats,
    Number,
    elementwise,
    finite,
    log_probability,
    non_negative,
    positive,
    representable,
)
from dpviz.accounting.laplace_composition import DEEPEST, LARGEST_GRID, LARGEST_SUM, fitting
from dpviz.accounting.loss_sums import HALF_WINDOW, LossSum, Part
from dpviz.accounting.loss_terms import on_grid
from dpviz.accounting.schemes import budgets
from dpviz.accounting.search import least
from dpviz.accounting.setwise import Counted, Mechanisms
from dpviz.errors import ParameterError
from dpviz.parameters import exact

LARGEST_COUNT = 1_000_000
LOST = 2e-13


@elementwise
def pure_composition_log_delta(count: int, epsilon: Number, epsilon_total: Number) -> float:
    """The ln delta of `count` independent epsilon-private parts at `epsilon_total`, rounded up.

    Args:
        count: number of parts, 1 to LARGEST_COUNT.
        epsilon: pure budget of each part, above 0, nats.
        epsilon_total: of either sign, nats.

    Returns:
        ln delta; -inf where delta is 0 (epsilon_total at least count * epsilon).

    Raises:
        ParameterError: an argument is out of range.

    Source: Kairouz, Oh and Viswanath (2015); MATHEMATICS 5.2.

    >>> round(math.exp(pure_composition_log_delta(10, 0.1, 0.3)), 9)
    0.035097126
    """
    count = _check_count(count)
    epsilon, total = positive(epsilon=epsilon), finite(epsilon_total=epsilon_total)
    return _log_delta(count, epsilon, total)


@elementwise
def pure_composition_epsilon(count: int, epsilon: Number, log_delta: Number) -> float:
    """Least total epsilon at this delta of `count` independent epsilon-private parts, rounded up.

    Args:
        count: number of parts, 1 to LARGEST_COUNT.
        epsilon: pure budget of each part, above 0, nats.
        log_delta: ln delta, below 0.

    Returns:
        epsilon in nats, at most count * epsilon; `pure_composition_log_delta` of it never exceeds
        `log_delta`.

    Raises:
        ParameterError: an argument is out of range.

    Source: as `pure_composition_log_delta`, inverted.

    >>> pure_composition_epsilon(200, math.sqrt(2) / 100, np.log([1e-6, 1e-9])).round(9)
    array([0.82807743, 1.09058169])
    """
    count = _check_count(count)
    epsilon, log_delta = positive(epsilon=epsilon), log_probability(log_delta)
    if _log_delta(count, epsilon, 0.0) <= log_delta:
        return 0.0
    most = representable(count * epsilon * (1 + 2.0**-50))
    guess = min(most / 2, epsilon * math.sqrt(-2 * log_delta * count))
    found = least(
        lambda total: _log_delta(count, epsilon, total) - log_delta,
        guess,
        lowest=most * 1e-16,
        highest=most,
    )
    return most if found is None else found


def _log_delta(count: int, epsilon: float, total: float) -> float:
    """The sum, by masses relative to the largest one kept."""
    if not representable(count * epsilon) > total:
        return -math.inf
    first = (
        count + max(total / epsilon, -count)
    ) / 2  # losses (2l - count) epsilon above the total begin here
    start = max(0, math.floor(first) - 1)
    wins = np.arange(start, count + 1, dtype=np.float64)
    worth = (2 * wins - count) * epsilon - total
    masses = log_masses(count, epsilon)[start:]
    kept = worth > 0
    masses, worth = masses[kept], worth[kept] * (1 + 2.0**-50) + abs(total) * 2.0**-52
    peak = float(masses.max())
    value = peak + math.log(float(np.sum(np.exp(masses - peak) * -np.expm1(-worth))))
    return min(0.0, value + LOST * (1 - value))


@lru_cache(maxsize=1)  # a search asks for the same masses forty times
def log_masses(count: int, epsilon: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The ln of the binomial masses, from their ratios outwards of the mode, normalised.

    >>> np.exp(log_masses(2, math.log(3))).round(4)
    array([0.0625, 0.375 , 0.5625])
    """
    steps = np.arange(count, dtype=np.float64)
    ratios = np.log((count - steps) / (steps + 1)) + epsilon
    mode = int(np.searchsorted(-ratios, 0.0))
    down = -np.cumsum(ratios[:mode][::-1])[::-1]
    logs = np.concatenate([down, [0.0], np.cumsum(ratios[mode:])])
    logs -= math.log(float(np.sum(np.exp(logs))))
    logs.setflags(write=False)
    return logs


def _check_count(count: int) -> int:
    """The count, refused if it is not a whole number from 1 to LARGEST_COUNT."""
    count = checks.integer(1, count=count)
    if count > LARGEST_COUNT:
        raise ParameterError(f"count must be at most {LARGEST_COUNT}, got {checks.told(count)}")
    return count


NAME = "worst losses"
MOST_ENUMERATED = 20  # different budgets ...
ENUMERATED = 2**20  # ... and sums of their losses, that are enumerated
STATES = 2**12  # outcomes of several mechanisms that are enumerated before they are gridded
MOST_DIFFERENT = 500  # budgets; of more, some are raised
POINTS = 2.0**14  # of the grid, in the window of the sum
LARGEST_DEVIATION = 1.4  # of the loss of one mechanism, however large its epsilon
TOLERANCE = 1e-7  # relative, of the inverse
Law = tuple[Floats, Floats]  # losses, ln of their masses


def composed_pure_log_delta(epsilons: Iterable[Number], epsilon: Number) -> Bound:
    """The ln delta at `epsilon` of pure mechanisms of any budgets together, rounded up.

    Args:
        epsilons: pure budget of each mechanism, above 0, nats; at most 100,000.
        epsilon: at least 0, nats.

    Returns:
        ln delta: exact for at most 20 different budgets with 2^20 sums of losses, else an upper
        bound, as the record says; -inf from the sum of all on.

    Raises:
        ParameterError: an argument is out of range.

    Source: Kairouz, Oh and Viswanath (2015); MATHEMATICS 5.11.

    >>> answer = composed_pure_log_delta([0.1, 0.2, 0.3], 0.1)
    >>> round(math.exp(answer.value), 9), answer.kind
    (0.117047723, 'exact')
    """
    curve = _checked(epsilons)
    return curve.bound(curve.log_delta(non_negative(epsilon=epsilon)))


def composed_pure_epsilon(epsilons: Iterable[Number], log_delta: Number) -> Bound:
    """Least total epsilon at this delta of pure mechanisms of any budgets together, rounded up.

    Args:
        epsilons: pure budget of each mechanism, above 0, nats; at most 100,000.
        log_delta: ln delta, below 0.

    Returns:
        epsilon in nats, at most the sum: exact or an upper bound, as the record says.

    Raises:
        ParameterError: an argument is out of range.

    Source: as `composed_pure_log_delta`, inverted.

    >>> round(composed_pure_epsilon([0.01 * k for k in range(1, 41)], math.log(1e-6)).value, 3)
    6.808
    """
    curve = _checked(epsilons)
    return curve.bound(curve.epsilon(log_probability(log_delta)))


class PureLosses:
    """Pure mechanisms of any sizes as one curve.

    Attributes:
        exact: whether every sum of losses was enumerated; then the curve is attained.
    """

    def __init__(
        self, pure: Counted, *, enumerated: int = ENUMERATED, points: float = POINTS
    ) -> None:
        """Enumerate what can be, and put the rest on a grid.

        Args:
            pure: budgets, each with how often it occurs; their sum is at most LARGEST_SUM if they
                are more than can be enumerated.
            enumerated: most sums of losses that are summed one by one.
            points: of the grid, in the window of the sum.
        """
        self._whole = Mechanisms(pure, (), ()).whole()
        self._spread = math.sqrt(sum(n * min(e, LARGEST_DEVIATION) ** 2 for e, n in pure))
        self.exact = enumerable(pure, enumerated)
        if self.exact:
            (self._law,) = _laws(pure, enumerated)
        else:
            some = fewer(pure, MOST_DIFFERENT)
            each = [exact(epsilon) for epsilon, _ in some]
            self._sum = LossSum(_parts(_laws(some, min(STATES, enumerated)), each, points))

    def bound(self, value: float) -> Bound:
        """The value with what it rests on.

        >>> PureLosses(((0.1, 1), (0.2, 1))).bound(0.3).theorem
        '[KOV15], all outcomes; MATHEMATICS 5.11'
        """
        way = "all outcomes" if self.exact else "convolved"
        kind = EXACT if self.exact else UPPER
        return Bound(NAME, value, f"[KOV15], {way}; MATHEMATICS 5.11", kind, ANY_ORDER)

    def log_delta(self, total: float) -> float:
        """The ln delta at an epsilon of at least 0, rounded up.

        >>> round(math.exp(PureLosses(((0.1, 10),)).log_delta(0.3)), 9)
        0.035097126
        """
        if total >= self._whole:
            return -math.inf
        if not self.exact:
            return self._sum.log_delta(total)
        losses, masses = self._law
        worth = losses - total + (self._whole + total) * 2.0**-50
        kept = worth > 0
        masses, worth = masses[kept], worth[kept]
        peak = float(masses.max())
        value = peak + math.log(float(np.sum(np.exp(masses - peak) * -np.expm1(-worth))))
        return min(0.0, value + LOST * (1 - value))

    def epsilon(self, log_delta: float) -> float:
        """The least epsilon at this ln delta, rounded up, at most the sum of all."""
        most = self._whole * (1 + 2.0**-50)
        if not self.exact and log_delta < -DEEPEST:
            return most
        if self.log_delta(0.0) <= log_delta:
            return 0.0
        found = least(
            lambda x: self.log_delta(x) - log_delta,
            min(most / 2, self._spread * math.sqrt(-2 * log_delta)),
            lowest=most * 1e-12,
            highest=most,
            tolerance=TOLERANCE,
        )
        return most if found is None else found


def enumerable(pure: Counted, most: int = ENUMERATED) -> bool:
    """Whether these have few enough sums of losses to sum them one by one.

    >>> enumerable(((0.1, 1000), (0.2, 1000))), enumerable(((0.1, 2000), (0.2, 2000)))
    (True, False)
    """
    return len(pure) <= MOST_ENUMERATED and math.prod(n + 1 for _, n in pure) <= most


def fewer(counted: Counted, most: int) -> Counted:
    """At most this many different budgets: neighbouring ones are raised to the largest of them.

    >>> fewer(((0.1, 1), (0.2, 5), (0.3, 1)), 2)
    ((0.2, 6), (0.3, 1))
    """
    size = max(1, -(-len(counted) // most))
    groups = (counted[k : k + size] for k in range(0, len(counted), size))
    return tuple((group[-1][0], sum(n for _, n in group)) for group in groups)


def _checked(epsilons: Iterable[Number]) -> PureLosses:
    """The curve of these budgets, refused if their sum is too large."""
    pure = Mechanisms.of(budgets(epsilons, "epsilons"), (), ()).pure
    if not (enumerable(pure) or Mechanisms(pure, (), ()).whole() <= LARGEST_SUM):
        raise ParameterError(
            f"epsilons must add up to at most {LARGEST_SUM:g} here; pass smaller ones"
        )
    return PureLosses(pure)


def _laws(pure: Counted, states: int) -> list[Law]:
    """Laws of several mechanisms each, of at most this many outcomes."""
    found: list[Law] = []
    for epsilon, count in pure:
        left = count
        while left:
            some = min(left, states - 1)
            left -= some
            wins = np.arange(some + 1, dtype=np.float64)
            law = (2 * wins - some) * epsilon, log_masses(some, epsilon)
            if found and len(found[-1][0]) * (some + 1) <= states:
                law = _product(found.pop(), law)
            found.append(law)
    return found


def _product(first: Law, second: Law) -> Law:
    """Independent mechanisms together: losses and logs of masses add."""
    return np.add.outer(first[0], second[0]).ravel(), np.add.outer(first[1], second[1]).ravel()


def _parts(laws: Sequence[Law], each: list[Fraction], most: float) -> list[Part]:
    """Every loss on one grid, as fine as the window of their sum allows."""
    with_mass = [(loss, np.exp(log_mass)) for loss, log_mass in laws]
    variance = math.fsum(float(np.sum(p * (x - np.sum(p * x)) ** 2)) for x, p in with_mass)
    widest = max(float(x[-1]) for x, _ in laws)
    width = max(2 * HALF_WINDOW * math.sqrt(variance) / most, 2 * widest / LARGEST_GRID)
    fitted = fitting(each, width)  # then no loss is split, and nothing is lost
    width = fitted if fitted >= width / 2 else width
    return [(on_grid(x + x[-1] * 2.0**-48, p, width, -math.inf), 1) for x, p in with_mass]
