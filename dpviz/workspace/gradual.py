"""One person's value: what the visitor typed, its path over ε, and what was released of it.

The value is made up, so it may be shown, costs nothing and enters no ledger. The path is always
drawn from a seed, and in practice mode what is released on a press is read off it. In hardened mode
it is an illustration: releases come from a session, which draws whole numbers exactly.
"""

import math
import threading
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dpviz import checks, streams
from dpviz.accounting.levels import laplace_level
from dpviz.errors import ParameterError
from dpviz.gradual import LaplacePath, gradual_law, jump_law
from dpviz.gradual.laws import JumpLaw
from dpviz.noise import ADDITIVE
from dpviz.noise.family import Array, Family, ReleaseLaw
from dpviz.release import MultipleRelease
from dpviz.workspace.keeping import alone

LEAST, MOST = 0.1, 2.0  # budgets that a path is drawn for at first
LARGEST = 1e9  # a value
FINEST = 1e6  # a step, and a value in steps: noise is far above the rounding of floats
SMALLEST_EPSILON, LARGEST_EPSILON = 1e-6, 1e4
ROUNDING = 1e-9  # of a chance
PATH = 1  # stream of a seed
RELAXED, TIGHTENED, BETWEEN, FIRST, SAME = "relaxed", "tightened", "between", "first", "same"
HIDDEN = "Hide differences up to"  # the name of a step, where one types it


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A value of one person.

    Attributes:
        what: what was measured, such as "resting pulse".
        value: the exact value, in its unit.
        unit: such as "beats per minute".
        step: the change of the value that costs ε, in the same unit.
    """

    what: str
    value: float
    unit: str
    step: float

    def __post_init__(self) -> None:
        checks.finite(value=self.value)
        checks.positive(step=self.step)
        if abs(self.value) > LARGEST:
            raise ParameterError(
                f"Exact value: {self.value:g} is too large. Type a number from {-LARGEST:,.0f} to "
                f"{LARGEST:,.0f}, in a larger unit if need be"
            )
        least = max(abs(self.value), 1) / FINEST
        if not least <= self.step <= FINEST:
            raise ParameterError(
                f"{HIDDEN}: {self.step:g} cannot be used beside this value. Type a number from "
                f"{least:g} to {FINEST:g}"
            )

    @property
    def whole(self) -> bool:
        """Whether both are whole numbers, as hardened mode needs them."""
        return self.value == math.floor(self.value) and self.step == math.floor(self.step)


EXAMPLES = (
    Reading(what="resting pulse", value=62.0, unit="beats per minute", step=1.0),
    Reading(what="age", value=37.0, unit="years", step=2.0),
    Reading(what="weekly exercise", value=150.0, unit="minutes", step=10.0),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    """What a release can be, given the value and the next noisier release: four chances.

    Attributes:
        stays: it is that release.
        between: from the value on towards that release.
        opposite: on the other side of the value.
        beyond: further away than that release.
    """

    stays: float
    between: float
    opposite: float
    beyond: float

    def __post_init__(self) -> None:
        chances = (self.stays, self.between, self.opposite, self.beyond)
        for chance in chances:
            checks.between(0, 1 + ROUNDING, chance=chance)


def pieces(law: ReleaseLaw, value: float, before: float) -> Pieces:
    """The four pieces of a relaxed release.

    >>> law = gradual_law({1.0: 0.75}, 2.0, exact=0.0)
    >>> found = pieces(law, 0.0, 0.75)
    >>> [round(each, 4) for each in (found.opposite, found.between, found.stays, found.beyond)]
    [0.25, 0.3957, 0.2362, 0.1181]
    """
    low, high = sorted((value, before))
    places = (np.nextafter(low, -np.inf), low, np.nextafter(high, -np.inf), high)
    under_low, upto_low, under_high, upto_high = (float(law.cdf(np.array(x))) for x in places)
    stays = upto_high - under_high if before == high else upto_low - under_low
    left, right = under_low, 1 - upto_high
    opposite, beyond = (left, right) if before == high else (right, left)
    between = max(upto_high - under_low - stays, 0.0)
    return Pieces(stays=stays, between=between, opposite=opposite, beyond=max(beyond, 0.0))


def check_ends(least: float, most: float) -> None:
    """Refuse budgets between which no path is drawn.

    Raises:
        ParameterError: they do not ascend, or are out of range.
    """
    if not least < most:
        raise ParameterError(
            f"Smallest ε: {least:g} is not below the largest, {most:g}. Type a smaller one"
        )
    for which, epsilon in (("Smallest", least), ("Largest", most)):
        if not SMALLEST_EPSILON <= epsilon <= LARGEST_EPSILON:
            raise ParameterError(
                f"{which} ε: {epsilon:g} cannot be drawn here. Type a number from "
                f"{SMALLEST_EPSILON:g} to {LARGEST_EPSILON:g}"
            )


class OneValue:
    """A value with its path and its releases; acts take turns.

    >>> one = OneValue(EXAMPLES[0], "teaching", 7)
    >>> one.release(0.5) == one.release(0.5), list(one.released) == [0.5]
    (True, True)
    """

    def __init__(self, reading: Reading, mode: streams.Mode, *seed: int) -> None:
        """Draw the path, and in hardened mode open the session.

        Args:
            reading: the value.
            mode: hardened takes whole numbers only.
            seed: of the path.

        Raises:
            ParameterError: a fraction in hardened mode.
        """
        if mode == "hardened" and not reading.whole:
            raise ParameterError(
                "In hardened mode noise is whole: type a whole number for the value and for one "
                "step, in a smaller unit if need be"
            )
        self.reading, self.mode, self.seed = reading, mode, seed
        self.lock = threading.RLock()
        self.grown: list[float] = []  # budgets that the path was relaxed or tightened to, in order
        self.path = self._path(self._typed([reading.value]), PATH)
        self._session: MultipleRelease | None = None
        if mode == "hardened":
            exact = self._typed([reading.value])
            self._session = MultipleRelease(exact, self.family, rng=streams.hardened())
        self._order: list[float] = []

    @property
    def family(self) -> Family:
        """The noise: Laplace; of whole numbers in hardened mode."""
        hardened = self.mode == "hardened"
        return ADDITIVE["discrete_laplace"] if hardened else ADDITIVE["laplace"]

    @property
    def least(self) -> float:
        """The smallest budget of the path."""
        return self.path.least_epsilon

    @property
    def most(self) -> float:
        """The largest budget of the path."""
        return self.path.most_epsilon

    @alone
    def serve(self, least: float, most: float) -> None:
        """Let the path reach these budgets, too; what it has shown stays.

        Raises:
            ParameterError: they do not ascend, or are out of range.
        """
        check_ends(least, most)
        if least < self.least:
            self.path.tighten_to(least)
            self.grown.append(least)
        if most > self.most:
            self.path.relax_to(most)
            self.grown.append(most)

    def number(self, epsilon: float) -> float:
        """What everybody with this budget reads on the path."""
        return float(self.path.at(epsilon)[0])

    def rests(self, epsilon: float) -> tuple[float, float]:
        """From which budget to which the number stays the same around this one."""
        ends, values = self.path.steps()
        first = last = int(np.searchsorted(ends, epsilon))
        while first and values[first - 1] == values[last]:  # a whole number may jump by 0
            first -= 1
        while last + 1 < ends.size and values[last + 1] == values[last]:
            last += 1
        return (float(ends[first - 1]) if first else self.least), float(ends[last])

    def jumps(self, least: float, most: float) -> JumpLaw:
        """Law of the number of jumps between two budgets."""
        unit = self.reading.step
        return jump_law(least, most, l1_sensitivity=unit, family=self.family)

    @property
    def released(self) -> Mapping[float, float]:
        """What was released on a press, by ε, in the order of the presses."""
        if self._session is None:
            return {e: self.number(e) for e in self._order}
        held = self._session.held
        return {e: float(held[self.level(e)][0]) for e in self._order}

    def level(self, epsilon: float) -> float:
        """The noise scale of a budget."""
        return float(laplace_level(epsilon, self.reading.step))

    def turn(self, epsilon: float) -> str:
        """What a release at this budget would be, given those there are."""
        if epsilon in self._order:
            return SAME
        if not self._order:
            return FIRST
        if epsilon > max(self._order):
            return RELAXED
        return TIGHTENED if epsilon < min(self._order) else BETWEEN

    def before(self, epsilon: float) -> Mapping[float, float]:
        """What was released before the release at a budget, by ε."""
        place = self._order.index(epsilon) if epsilon in self._order else len(self._order)
        return {e: value for e, value in self.released.items() if e in self._order[:place]}

    def law(self, epsilon: float) -> ReleaseLaw:
        """Law of the release at a budget, given what was released before it."""
        return gradual_law(
            self.before(epsilon),
            epsilon,
            exact=self.reading.value,
            l1_sensitivity=self.reading.step,
            family=self.family,
        )

    @alone
    def release(self, epsilon: float) -> float:
        """Draw the release at a budget, once; in practice mode it is what the path says there."""
        level = self.level(epsilon)
        if self._session is None:
            self.serve(min(epsilon, self.least), max(epsilon, self.most))
        else:
            self._session.release(level)
        if epsilon not in self._order:
            self._order.append(epsilon)
        return self.released[epsilon]

    def _typed(self, values: object) -> Array:
        """Values in the kind of the noise."""
        found = np.asarray(values, dtype=float)
        return np.round(found).astype(np.int64) if self.family.integer else found

    def _path(self, values: Array, stream: int) -> LaplacePath:
        return LaplacePath(
            values,
            LEAST,
            MOST,
            l1_sensitivity=self.reading.step,
            family=self.family,
            rng=streams.teaching(*self.seed, stream),
        )
