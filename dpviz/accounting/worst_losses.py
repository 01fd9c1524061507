"""The worst losses of pure and bounded-range mechanisms of any sizes, convolved and rounded up.

A pure mechanism is dominated by randomised response: loss epsilon with probability
1/(1 + e^-epsilon), else -epsilon. One of bounded range is dominated by the law whose curve is the
worst over t at each g; its loss has the density

    e^((x - epsilon)/2) / (2 (1 - e^-epsilon))  on  [-epsilon, epsilon]

Losses of dominating pairs add, also where mechanisms and their order are chosen as results come in.
Several pure mechanisms are enumerated together, up to STATES outcomes; such a law is exact, and
if it is all there is, so is the answer. Else the laws are put on one grid and convolved, which
rounds up at every step (loss_sums.py).
Source: Kairouz, Oh and Viswanath (2015); MATHEMATICS 5.11.
"""

import math
from collections.abc import Iterable, Sequence

import numpy as np

from dpviz.accounting.arrays import Floats
from dpviz.accounting.bounds import ANY_ORDER, EXACT, UPPER, Bound
from dpviz.accounting.inputs import Number, log_probability, non_negative
from dpviz.accounting.laplace_losses import on_cells
from dpviz.accounting.loss_sums import HALF_WINDOW, Part, sum_log_delta
from dpviz.accounting.poisson_losses import Losses, on_grid
from dpviz.accounting.pure_composition import LOST, log_masses
from dpviz.accounting.schemes import budgets
from dpviz.accounting.search import least
from dpviz.accounting.setwise import Counted, Mechanisms
from dpviz.errors import ParameterError

MOST_ENUMERATED = 20  # different budgets ...
ENUMERATED = 2**20  # ... and sums of their losses, that are enumerated
STATES = 2**12  # outcomes of the pure mechanisms that are enumerated before they are gridded
POINTS = 2.0**14  # of the grid, in the window of the sum
LARGEST_GRID = 2.0**17  # points of one loss
LARGEST_DEVIATION = 1.4  # of the loss of one pure mechanism, however large its epsilon
DEEPEST = 600.0  # nats: below e^-600 a convolution resolves no delta
MOST_PURE, MOST_RANGES = 500, 50  # different budgets; of more, some are raised
LARGEST_SUM = 1e4  # of epsilons on a grid
TOLERANCE = 1e-7
Law = tuple[Floats, Floats]  # losses, ln of their masses


def composed_pure_log_delta(epsilons: Iterable[Number], epsilon: Number) -> Bound:
    """The ln delta at `epsilon` of pure mechanisms of any budgets together, rounded up.

    Args:
        epsilons: pure budget of each mechanism, above 0, nats; at most 1,000,000.
        epsilon: at least 0, nats.

    Returns:
        ln delta: exact for at most 20 different budgets (or 2^20 sums of losses), else an upper
        bound, as the record says; -inf from the sum of all on.

    Raises:
        ParameterError: an argument is out of range.

    Source: Kairouz, Oh and Viswanath (2015); MATHEMATICS 5.11.

    >>> answer = composed_pure_log_delta([0.1, 0.2, 0.3], 0.1)
    >>> round(math.exp(answer.value), 9), answer.kind
    (0.117047723, 'exact')
    """
    curve = _pure(epsilons)
    return curve.bound(curve.log_delta(non_negative(epsilon=epsilon)))


def composed_pure_epsilon(epsilons: Iterable[Number], log_delta: Number) -> Bound:
    """Least total epsilon at this delta of pure mechanisms of any budgets together, rounded up.

    Args:
        epsilons: pure budget of each mechanism, above 0, nats; at most 1,000,000.
        log_delta: ln delta, below 0.

    Returns:
        epsilon in nats, at most the sum: exact or an upper bound, as the record says.

    Raises:
        ParameterError: an argument is out of range.

    Source: as `composed_pure_log_delta`, inverted.

    >>> round(composed_pure_epsilon([0.01 * k for k in range(1, 41)], math.log(1e-6)).value, 4)
    6.8079
    """
    curve = _pure(epsilons)
    return curve.bound(curve.epsilon(log_probability(log_delta)))


class WorstLosses:
    """Pure and bounded-range mechanisms of any sizes as one curve.

    Attributes:
        exact: whether every outcome was enumerated; then the curve is attained.
    """

    def __init__(self, mechanisms: Mechanisms) -> None:
        """Enumerate what can be, and put the rest on a grid.

        Args:
            mechanisms: the pure and bounded-range ones; concentrated ones are not looked at.
        """
        pure, ranges = mechanisms.pure, mechanisms.bounded_range
        self._whole = mechanisms.whole()
        self._spread = math.sqrt(
            sum(n * min(e, LARGEST_DEVIATION) ** 2 for e, n in (*pure, *ranges))
        )
        self.exact = _enumerable(mechanisms)
        if self.exact:
            (self._law,) = _laws(pure, ENUMERATED)
        else:
            self._parts = _parts(
                _laws(_fewer(pure, MOST_PURE), STATES), _fewer(ranges, MOST_RANGES)
            )

    @staticmethod
    def of(mechanisms: Mechanisms) -> "WorstLosses | None":
        """The curve, or None where the sum of the budgets is too large for a grid.

        >>> WorstLosses.of(Mechanisms.of([], [1e9], [])) is None
        True
        """
        small = _enumerable(mechanisms) or mechanisms.whole() <= LARGEST_SUM
        return WorstLosses(mechanisms) if small else None

    def bound(self, value: float) -> Bound:
        """The value with what it rests on.

        >>> WorstLosses(Mechanisms.of([0.1, 0.2], [], [])).bound(0.3).name
        'worst losses'
        """
        return Bound(
            "worst losses",
            value,
            "[KOV15], all outcomes; MATHEMATICS 5.11"
            if self.exact
            else "[ZDW22], convolved; MATHEMATICS 5.11",
            EXACT if self.exact else UPPER,
            ANY_ORDER,
        )

    def log_delta(self, total: float) -> float:
        """The ln delta at an epsilon of at least 0, rounded up.

        >>> round(math.exp(WorstLosses(Mechanisms.of([], [1.0], [])).log_delta(0.3)), 6)
        0.137963
        """
        if total >= self._whole:
            return -math.inf
        if not self.exact:
            return sum_log_delta(self._parts, total)
        losses, masses = self._law
        worth = losses - total + (self._whole + total) * 2.0**-50
        kept = worth > 0
        masses, worth = masses[kept], worth[kept]
        peak = float(masses.max())
        value = peak + math.log(float(np.sum(np.exp(masses - peak) * -np.expm1(-worth))))
        return min(0.0, value + LOST * (1 - value))

    def epsilon(self, log_delta: float) -> float:
        """The least epsilon at this ln delta, rounded up, at most the sum of all."""
        if not self.exact and log_delta < -DEEPEST:
            return self._whole * (1 + 2.0**-50)
        if self.log_delta(0.0) <= log_delta:
            return 0.0
        most = self._whole * (1 + 2.0**-50)
        found = least(
            lambda x: self.log_delta(x) - log_delta,
            min(most / 2, self._spread * math.sqrt(-2 * log_delta)),
            lowest=most * 1e-12,
            highest=most,
            tolerance=TOLERANCE,
        )
        return most if found is None else found


def _pure(epsilons: Iterable[Number]) -> WorstLosses:
    """The curve of these budgets, refused where there is none."""
    checked = Mechanisms.of(budgets(epsilons, "epsilons"), (), ())
    found = WorstLosses.of(checked)
    if found is None:
        raise ParameterError(
            f"epsilons must add up to at most {LARGEST_SUM:g} here; pass smaller ones"
        )
    return found


def _enumerable(mechanisms: Mechanisms) -> bool:
    """Whether all mechanisms are pure and have few enough sums of losses."""
    pure = mechanisms.pure
    if mechanisms.bounded_range or len(pure) > MOST_ENUMERATED:
        return False
    return math.prod(n + 1 for _, n in pure) <= ENUMERATED


def _fewer(counted: Counted, most: int) -> Counted:
    """At most so many different budgets: neighbouring ones are raised to the largest of them."""
    size = -(-len(counted) // most) if counted else 1
    groups = (counted[k : k + size] for k in range(0, len(counted), size))
    return tuple((group[-1][0], sum(n for _, n in group)) for group in groups)


def _laws(pure: Counted, states: int) -> list[Law]:
    """Laws of several pure mechanisms each, of at most so many outcomes."""
    found: list[Law] = []
    for epsilon, count in pure:
        while count:
            some = min(count, states - 1)
            count -= some
            wins = np.arange(some + 1, dtype=np.float64)
            law = (2 * wins - some) * epsilon, log_masses(some, epsilon)
            if found and len(found[-1][0]) * (some + 1) <= states:
                law = _product(found.pop(), law)
            found.append(law)
    return found


def _product(first: Law, second: Law) -> Law:
    """Independent mechanisms together: losses and logs of masses add."""
    return np.add.outer(first[0], second[0]).ravel(), np.add.outer(first[1], second[1]).ravel()


def _parts(laws: Sequence[Law], ranges: Counted) -> list[Part]:
    """Every loss on one grid, as fine as the window of their sum allows."""
    with_mass = [(loss, np.exp(log_mass)) for loss, log_mass in laws]
    variance = math.fsum(
        (
            *(float(np.sum(p * (x - np.sum(p * x)) ** 2)) for x, p in with_mass),
            *(n * min(e, LARGEST_DEVIATION) ** 2 / 3 for e, n in ranges),
        )
    )
    widest = max((*(float(x[-1]) for x, _ in laws), *(e for e, _ in ranges)))
    width = max(2 * HALF_WINDOW * math.sqrt(variance) / POINTS, 2 * widest / LARGEST_GRID)
    return [
        *((on_grid(x + float(x[-1]) * 2.0**-48, p, width, -math.inf), 1) for x, p in with_mass),
        *((bounded_range_losses(e, width), n) for e, n in ranges),
    ]


def bounded_range_losses(epsilon: float, width: float) -> Losses:
    """Losses of the law that dominates one epsilon-BR mechanism, on a grid.

    >>> losses = bounded_range_losses(1.0, 0.25)
    >>> mass = np.exp(losses.log_mass)
    >>> round(float(mass.sum()), 9), round(float((mass * np.exp(-losses.loss)).sum()), 9)
    (1.0, 1.0)
    """
    most = math.ceil(epsilon / width)
    points = width * np.arange(-most, most + 1, dtype=np.float64)
    mass, upper = on_cells(points[:-1], epsilon, width)
    gridded = np.append(mass - upper, 0.0) + np.append(0.0, upper)
    with np.errstate(divide="ignore"):
        log_mass = np.log(gridded) + math.log(2) - math.log(-math.expm1(-epsilon))
    return Losses(points, log_mass, width, -math.inf)
