"""One person's value on the person's side: each viewer gets a release of its own budget.

All releases are drawn in one lossless session, so viewers of equal budgets get one number, and any
of them together learn what the one with the largest budget knows alone.
Source: MATHEMATICS 15.3, 15.4; [KHP15] section 4.2.
"""

import threading
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dpviz import checks
from dpviz.accounting.guarantees import Guarantee, Setting, guarantee_of
from dpviz.accounting.inputs import Number, positive
from dpviz.errors import ParameterError
from dpviz.local.trust import CoalitionBudget
from dpviz.noise.family import Array, Family
from dpviz.parameters import EPSILON, USUAL_DELTA, exact
from dpviz.queries import Sensitivity
from dpviz.release import MultipleRelease

KNOWN, FIRST, NEARER, EXTEND, BRIDGE = (
    "known",
    "from the value",
    "between the value and a release",
    "extend",
    "bridge",
)


@dataclass(frozen=True, slots=True)
class NextDraw:
    """How a release would be drawn now.

    Attributes:
        how: `KNOWN`: it is there already; `FIRST`: noise is added to the value; `NEARER`: it is
            drawn between the value and a noisier release; `EXTEND`: noise is added to a release
            that is there; `BRIDGE`: it is drawn between two that are there.
        level: its noise level.
        below: level of the release with less noise that it leans on, if any.
        above: level of the one with more noise, if any.
    """

    how: str
    level: float
    below: float | None
    above: float | None

    def __post_init__(self) -> None:
        checks.one_of((KNOWN, FIRST, NEARER, EXTEND, BRIDGE), how=self.how)
        checks.positive(level=self.level)
        checks.known(checks.positive, below=self.below, above=self.above)

    @property
    def needs_value(self) -> bool:
        """Whether the value itself is looked at once more."""
        return self.how in (FIRST, NEARER)


class Person:
    """A value, or a vector of them, whose owner answers each viewer at a budget of its own.

    >>> from dpviz import streams
    >>> from dpviz.noise import FAMILIES
    >>> maria = Person(142, family=FAMILIES["discrete_laplace"], rng=streams.teaching(7))
    >>> int(maria.answer("doctor", 0.5)), int(maria.answer("clinic", 0.1))
    (141, 108)
    >>> int(maria.answer("aunt", 0.1))  # an equal budget: the identical number
    108
    >>> maria.next_draw(0.2).how
    'bridge'
    >>> float(maria.together(["doctor", "clinic", "aunt"]).largest)
    0.5
    """

    def __init__(
        self,
        value: Any,
        *,
        family: Family,
        sensitivity: Number | Sensitivity = 1,
        rng: np.random.Generator,
    ) -> None:
        """Keep a value, and open its session.

        Args:
            value: a number or an array of them; whole numbers for an integer family.
            family: a noise whose budget is an ε without δ, or a ρ, such as Laplace or Gaussian.
            sensitivity: how far apart two values may lie and still be hidden from each other: a
                number, or norms if the value is a vector.
            rng: the generator of all noise; hardened for integer families only.

        Raises:
            ParameterError: an argument is out of range, or the family's budget needs a δ.
            HardenedModeError: a float family with a hardened generator.
        """
        self._session = MultipleRelease(value, family, rng=rng)
        self._promise = additive_guarantee(family)
        if not isinstance(sensitivity, Sensitivity):
            sensitivity = Sensitivity.bounded(1, positive(sensitivity=sensitivity))
        self._setting = Setting(
            family=family,
            delta=USUAL_DELTA,  # no budget here depends on it
            sensitivity=sensitivity,
            dimension=max(1, self._session.dimension),
        )
        self._budgets: dict[Hashable, Fraction] = {}
        self._levels: dict[Fraction, float] = {}
        self._lock = threading.Lock()

    @property
    def family(self) -> Family:
        """The noise family."""
        return self._setting.family

    @property
    def letter(self) -> str:
        """Letter of the budgets, "ε" or "ρ"."""
        return self._promise.letter

    @property
    def viewers(self) -> dict[Hashable, Fraction]:
        """The largest budget of each who was answered, in the order of asking."""
        return dict(self._budgets)

    def level(self, budget: Number) -> float:
        """Noise level of a budget; its cost never exceeds the budget.

        Raises:
            ParameterError: the budget is no number above 0 of ordinary size.
        """
        whole = _budget(budget)
        if whole not in self._levels:
            self._levels[whole] = self._promise.level(whole, self._setting)
        return self._levels[whole]

    def next_draw(self, budget: Number) -> NextDraw:
        """How a release at this budget would be drawn now; draws nothing.

        Raises:
            ParameterError: the budget is no number above 0 of ordinary size.
        """
        level = self.level(budget)
        below, above = self._session.neighbours(level)
        if self._session.holds(level):
            return NextDraw(KNOWN, level, below or None, above)
        if below:
            return NextDraw(EXTEND if above is None else BRIDGE, level, below, above)
        return NextDraw(FIRST if above is None else NEARER, level, None, above)

    def answer(self, viewer: Hashable, budget: Number) -> Array:
        """What a viewer gets: a release at its budget, drawn once for all of that budget.

        Args:
            viewer: a name, or anything that can be the key of a dict.
            budget: an ε or a ρ, as the family has it. A viewer may come again with a larger one;
                what was answered at a smaller one stays known.

        Returns:
            A read-only array of the shape of the value.

        Raises:
            ParameterError: the budget is no number above 0 of ordinary size, or the viewer cannot
                be a key.
        """
        checks.key(viewer=viewer)
        released = self._session.release(self.level(budget))
        with self._lock:
            self._budgets[viewer] = max(exact(budget), self._budgets.get(viewer, Fraction(0)))
        return released

    def together(self, viewers: Iterable[Hashable]) -> CoalitionBudget:
        """What viewers who were answered have learned together: the largest budget, not the sum.

        Raises:
            ParameterError: there is no viewer, or one was not answered yet.
        """
        listed = checks.keys(viewers=viewers)
        if not listed or not all(viewer in self._budgets for viewer in listed):
            raise ParameterError(
                "a coalition is one or more viewers who were answered; answer each of them first"
            )
        return CoalitionBudget.of([self._budgets[viewer] for viewer in listed], self.letter)

    def __repr__(self) -> str:
        """Family, size and how many were answered; never a value."""
        return (
            f"{type(self).__name__}(family={self.family.name!r}, "
            f"dimension={self._session.dimension}, viewers={len(self._budgets)})"
        )


def additive_guarantee(family: Family) -> Guarantee:
    """What a family promises, if budgets of it are an ε without δ, or a ρ.

    Raises:
        ParameterError: it promises nothing, or its budget needs a δ.

    >>> from dpviz.noise import FAMILIES
    >>> additive_guarantee(FAMILIES["gaussian"]).letter
    'ρ'
    """
    promise = guarantee_of(family)
    if promise.with_delta:
        raise ParameterError(
            f"budgets of {family.label} noise need a δ; pass Laplace, discrete Laplace or Gaussian "
            "noise"
        )
    return promise


def _budget(value: Number) -> Fraction:
    size = positive(budget=value)
    if not EPSILON.least <= size <= EPSILON.most:
        raise ParameterError(
            f"budget must lie between {EPSILON.least:g} and {EPSILON.most:g}, got "
            f"{checks.told(value)}"
        )
    return exact(value)
