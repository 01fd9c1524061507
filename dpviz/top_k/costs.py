r"""What choosing a list costs: draws of bounded range, chosen one after the other.

Each item of a list is one draw of the exponential mechanism, of bounded range ε (ε-BR): for each
pair of neighbours its privacy loss lies in an interval of length ε that contains 0. Which counts
are left for the next draw depends on what was drawn, so the draws are adaptive, and k of them cost

    kε  without δ        k ε²/8-zCDP, and so an ε at every δ'        the smaller one is stated.

An unknown domain adds to δ: see `dpviz.top_k.unknown`.
Source: MATHEMATICS 13.1, 13.2; [BCT20] Lemma 3.2 and section 6, [DDR20] for adaptive draws.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from dpviz import checks
from dpviz.accounting import ReleaseEvent, Stated, zcdp_epsilon
from dpviz.accounting.composition import APPROXIMATE, PURE
from dpviz.accounting.inputs import Number, log_probability, representable, rounded_up
from dpviz.accounting.loss_promises import Points
from dpviz.parameters import exact

ADDED = "the ε of all draws added"
CONCENTRATED = "k ε²/8-zCDP of adaptive draws of bounded range, converted, an upper bound"
LARGEST_LOG_STEP = 20.0
LOG_DELTAS = (-2.0, -5.0, -10.0, -15.0, -20.0, -30.0, -50.0, -100.0, -300.0)  # points of the curve


@dataclass(frozen=True, slots=True, kw_only=True)
class ListCost:
    """What a list costs.

    Attributes:
        steps: number of draws, k; the sign that a list has ended is one of them.
        step: ε of each draw; decimals are exact.
        log_hidden: ln of what an unknown domain adds to δ; None if the domain is known.

    >>> cost = ListCost(steps=50, step=Fraction(1, 10))
    >>> cost.epsilon().value, round(cost.epsilon(math.log(1e-6)).value, 4)
    (5.0, 1.66)
    """

    steps: int
    step: Number
    log_hidden: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "steps", checks.integer(0, steps=self.steps))
        checks.positive(step=self.step)  # type: ignore[arg-type]
        object.__setattr__(self, "step", exact(self.step))
        if self.log_hidden is not None:
            object.__setattr__(self, "log_hidden", log_probability(self.log_hidden))

    @property
    def pure(self) -> Fraction:
        """The ε of all draws added: it needs no δ but that of an unknown domain."""
        return self.steps * exact(self.step)

    @property
    def definition(self) -> str:
        """The definition that the sum of all ε is stated in."""
        return PURE if self.log_hidden is None else APPROXIMATE

    @property
    def hidden(self) -> float:
        """What an unknown domain adds to δ, rounded up."""
        return 0.0 if self.log_hidden is None else math.nextafter(math.exp(self.log_hidden), 1.0)

    def epsilon(self, log_delta: float | None = None) -> Stated:
        """The ε of the whole list, and by which bound; never more than kε.

        Args:
            log_delta: ln of the δ' that the composition of the draws may use; None for none. The δ
                of the list is that δ' plus `hidden`.

        Raises:
            ParameterError: log_delta is not below 0.
        """
        added = rounded_up(self.pure)
        if log_delta is None or not self.steps:
            return Stated(added, ADDED)
        rho = rounded_up(self.steps * exact(self.step) ** 2 / 8)
        converted = zcdp_epsilon(rho, log_probability(log_delta))
        return Stated(added, ADDED) if added <= converted else Stated(converted, CONCENTRATED)

    @property
    def points(self) -> Points:
        """Points (ε, ln δ) of the list's curve below the sum of all ε, all that δ includes."""
        found = []
        for log_delta in LOG_DELTAS if self.steps else ():
            epsilon = self.epsilon(log_delta).value
            if epsilon < self.pure:
                total = _log_sum(log_delta, self.log_hidden)
                if total < 0:
                    found.append((epsilon, total))
        return tuple(found)

    def event(self, session: int) -> ReleaseEvent:
        """The list as a release for accounting, a session of its own.

        Raises:
            ParameterError: nothing was drawn, or session is no whole number of at least 0.

        >>> ListCost(steps=5, step=0.1).event(1).budget
        Fraction(1, 2)
        """
        return ReleaseEvent(
            session=session,
            definition=self.definition,
            budget=self.pure,
            delta=self.hidden,
            points=self.points,
        )


def list_step(epsilon: Number, steps: int, log_delta: float | None = None) -> Fraction:
    """The largest ε of one draw at which `steps` draws cost no more than `epsilon` together.

    Args:
        epsilon: what the list may cost, above 0.
        steps: number of draws, at least 1.
        log_delta: ln of the δ' that their composition may use; None: all ε simply add.

    Returns:
        An exact fraction, on the private side.

    Raises:
        ParameterError: an argument is out of range.

    >>> list_step(1, 20), round(float(list_step(1, 20, math.log(1e-6))), 6)
    (Fraction(1, 20), 0.098704)
    """
    checks.positive(epsilon=epsilon)  # type: ignore[arg-type]
    steps, wanted = checks.integer(1, steps=steps), exact(epsilon)
    least = wanted / steps
    if log_delta is None:
        return least
    log_delta = log_probability(log_delta)
    low = math.log(representable(least))
    high = low + math.log(2)
    while _costs(steps, high, log_delta) <= wanted and high < LARGEST_LOG_STEP:
        low, high = high, high + math.log(2)
    for _ in range(60):
        middle = (low + high) / 2
        fits = _costs(steps, middle, log_delta) <= wanted
        low, high = (middle, high) if fits else (low, middle)
    found = exact(math.exp(low))
    fits = exact(ListCost(steps=steps, step=found).epsilon(log_delta).value) <= wanted
    return max(found, least) if fits else least


def _costs(steps: int, log_step: float, log_delta: float) -> Fraction:
    return exact(ListCost(steps=steps, step=math.exp(log_step)).epsilon(log_delta).value)


def _log_sum(first: float, second: float | None) -> float:
    """ln(e^first + e^second), rounded up; None stands for the logarithm of 0."""
    if second is None:
        return first
    large, small = max(first, second), min(first, second)
    found = large + math.log1p(math.exp(small - large))
    return found + 4e-16 * abs(found)
