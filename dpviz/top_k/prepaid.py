"""Pay what you get: a budget of K draws and ℓ calls, whichever lists they are spent on.

A call of k items that finds j of them and then ends has spent j + 1 draws, not k. The whole budget
is fixed before the first call, so that what is found may decide what is asked next:

    K adaptive draws of bounded range ε        δ in all: ℓ = 1: δ + δ',  ℓ > 1: 2ℓδ + δ'

Limits: the constant 2 is quoted from the literature; in all enumerations 1 was enough.
Source: MATHEMATICS 13.2; [DR19].
"""

import math
import threading
from fractions import Fraction

from dpviz import checks
from dpviz.accounting.inputs import Number, log_probability, positive
from dpviz.errors import ParameterError
from dpviz.parameters import exact
from dpviz.release import Uncopied
from dpviz.top_k.costs import ListCost
from dpviz.top_k.reach import Reach
from dpviz.top_k.unknown import UnknownDomain


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
