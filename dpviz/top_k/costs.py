"""What choosing a list costs: draws of bounded range one after the other, stated or prepaid.

Each item of a list is one draw of the exponential mechanism, of bounded range ε (ε-BR): for each
pair of neighbours its privacy loss lies in an interval of length ε that contains 0. Which counts
are left for the next draw depends on what was drawn, so the draws are adaptive, and k of them cost

    kε  without δ        k ε²/8-zCDP, and so an ε at every δ'        the smaller one is stated.

An unknown domain adds to δ: see `UnknownDomain` in reach.py.

Prepaid: a budget of K draws and ℓ calls, whichever lists they are spent on. A call of k items that
finds j of them and then ends has spent j + 1 draws, not k. The whole budget is fixed before the
first call, so that what is found may decide what is asked next:

    K adaptive draws of bounded range ε        δ in all: ℓ = 1: δ + δ',  ℓ > 1: 2ℓδ + δ'

Limits: the constant 2 is quoted from the literature; in all enumerations 1 was enough.
Source: MATHEMATICS 13.1, 13.2; [BCT20] Lemma 3.2 and section 6, [DDR20] for adaptive draws, [DR19].
"""

import math
import threading
from dataclasses import dataclass
from fractions import Fraction

from dpviz import checks
from dpviz.accounting import ReleaseEvent, Stated, zcdp_epsilon
from dpviz.accounting.composition import APPROXIMATE, PURE
from dpviz.accounting.inputs import Number, log_probability, positive, representable, rounded_up
from dpviz.accounting.loss_promises import Points
from dpviz.errors import ParameterError
from dpviz.parameters import exact
from dpviz.release import Uncopied
from dpviz.top_k.reach import Reach, UnknownDomain

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


class PrepaidDraws(Uncopied):
    """A budget of draws and calls for lists from unknown domains.

    >>> budget = PrepaidDraws(draws=20, calls=3, epsilon=0.1, log_delta=math.log(1e-7))
    >>> budget.cost.steps, round(budget.cost.hidden / 1e-7, 6)
    (20, 6.0)
    >>> budget
    PrepaidDraws(draws_left=20, calls_left=3)
    """

    __slots__ = ("_calls", "_draws", "_lock", "_log_delta", "_made", "_step", "_taken")

    def __init__(self, *, draws: int, calls: int, epsilon: Number, log_delta: float) -> None:
        """Open the budget.

        Args:
            draws: K, how many draws all calls may make together.
            calls: ℓ, how many lists may be opened.
            epsilon: ε of each draw, above 0.
            log_delta: ln of the δ of each call.

        Raises:
            ParameterError: if a number is out of range, or the δ of all calls is 1 or more.
        """
        self._draws, self._calls = checks.integer(1, draws=draws), checks.integer(1, calls=calls)
        positive(epsilon=epsilon)
        self._step, self._log_delta = exact(epsilon), log_probability(log_delta)
        self._taken = self._made = 0
        self._lock = threading.RLock()
        if self._log_hidden >= 0:
            raise ParameterError(
                "the δ of all calls together must be below 1; type a smaller log_delta"
            )

    @property
    def draws_left(self) -> int:
        """How many draws are left."""
        return self._draws - self._taken

    @property
    def calls_left(self) -> int:
        """How many lists can still be opened."""
        return self._calls - self._made

    @property
    def cost(self) -> ListCost:
        """What the whole budget costs, spent or not."""
        return ListCost(steps=self._draws, step=self._step, log_hidden=self._log_hidden)

    def call(self, step: Fraction, reach: Reach, unknown: UnknownDomain | None) -> None:
        """Take one call for a list.

        Raises:
            ParameterError: none is left, or the list is not drawn at the ε and δ of this budget.
        """
        checks.instance(Reach, reach=reach)
        if unknown is not None:
            checks.instance(UnknownDomain, unknown=unknown)
        checks.instance(Fraction, step=step)
        if unknown is None or (step, unknown.log_delta) != (self._step, self._log_delta):
            raise ParameterError(
                "a prepaid budget pays for lists from an unknown domain at its own epsilon and "
                "log_delta; open the list with these"
            )
        with self._lock:
            self._refuse_in_child()
            if not self.calls_left:
                raise ParameterError(
                    f"all {self._calls} calls of this budget are spent; open another budget, whose "
                    "cost adds"
                )
            self._made += 1

    def reserve(self, wanted: int) -> int:
        """Take up to this many draws; how many there were.

        Raises:
            ParameterError: none is left.
        """
        wanted = checks.integer(1, wanted=wanted)
        with self._lock:  # two lists that draw at once must not both have the last one
            self._refuse_in_child()
            if not self.draws_left:
                raise ParameterError(
                    f"all {self._draws} draws of this budget are spent; open another budget, whose "
                    "cost adds"
                )
            found = min(wanted, self.draws_left)
            self._taken += found
            return found

    def give_back(self, draws: int) -> None:
        """Give back draws that were reserved and not made.

        Raises:
            ParameterError: more than were taken.
        """
        draws = checks.integer(0, draws=draws)
        with self._lock:
            if draws > self._taken:
                raise ParameterError(f"only {self._taken} draws were taken; give back fewer")
            self._taken -= draws

    def __repr__(self) -> str:
        """What is left."""
        return f"PrepaidDraws(draws_left={self.draws_left}, calls_left={self.calls_left})"

    @property
    def _log_hidden(self) -> float:
        """The ln of the δ of all calls: δ for one, 2ℓδ for more."""
        return self._log_delta + (math.log(2 * self._calls) if self._calls > 1 else 0.0)
