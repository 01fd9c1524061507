"""Randomised response as a path: a category that is redrawn uniformly when a clock rings.

The level is ℓ = -ln p, where p is the probability that the report is still the true category;
otherwise it is uniform on all K, the true one included. A clock rings at random levels, at rate 1,
and each ring redraws the category, so probabilities to keep multiply and levels add: a random
path in its level, though no noise is added. So multiple release is lossless in any order here, too
[XTC09].
Exact: every draw compares uniform bits with integer tables (`bits`), and exponentials are enclosed
to as many bits as it takes, so the total variation from the law is 0. Timing is not hidden.
Symbols: dpviz/NOTATION.md.  Source: MATHEMATICS 2.8.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

import numpy as np

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.noise.arguments import Span, ascending, within, within_categories
from dpviz.noise.bits import Table
from dpviz.noise.family import Array
from dpviz.noise.noise_path import Levels, NoisePath, Rng
from dpviz.noise.reals import Exponential, Interval, enclose

MOST_CATEGORIES = 2**16  # a draw looks its category up in a table of as many cells
NAME = "randomised_response"


@dataclass(frozen=True, slots=True)
class RandomisedResponse(NoisePath):
    """Randomised response over K categories 0 … K-1; the level is ℓ = -ln p, without a unit.

        Y_h = Y_l with probability e^-(h-l),   otherwise uniform on the K categories
        P(Y_ℓ = y | below, above) ∝ T_{ℓ-l}(below, y) T_{h-ℓ}(y, above)
        T_s(x, y) = e^-s 1{x = y} + (1 - e^-s)/K

    ε = ln(1 + K/(e^ℓ - 1)) for one category changed to another: `randomised_response_epsilon`.
    Source: [XTC09]; MATHEMATICS 2.8.

    Raises:
        ParameterError: there are fewer than 2 categories, or more than 65,536.

    >>> from dpviz import streams
    >>> yes_no = RandomisedResponse()
    >>> yes_no.extend(np.array([1, 1, 1, 1, 1, 1]), 0, 1.0, rng=streams.teaching(7))
    array([1, 0, 1, 1, 1, 0])
    >>> seven = yes_no.with_categories(7)
    >>> seven.bridge(np.array([2, 2, 2]), np.array([2, 5, 5]), 0.5, 1, 2, rng=streams.teaching(7))
    array([2, 2, 5])
    """

    categories: int = 2
    label: str = "randomised response"
    level_symbol: str = "ℓ"
    level_name: str = "response level"
    integer: bool = True
    lazy: bool = True
    never_falls: bool = False
    span: ClassVar[Span] = (1e-300, 700.0)

    def __post_init__(self) -> None:
        if checks.integer(2, categories=self.categories) > MOST_CATEGORIES:
            raise ParameterError(f"categories must be at most {MOST_CATEGORIES:,}; pass fewer")

    def __repr__(self) -> str:
        return f"RandomisedResponse({self.categories})"

    @property
    def name(self) -> str:
        """Key in FAMILIES; with other than 2 categories their number follows."""
        return NAME if self.categories == 2 else f"{NAME}_{self.categories}"

    def with_categories(self, categories: int) -> "RandomisedResponse":
        """The family over K categories 0 … K-1.

        Raises:
            ParameterError: there are fewer than 2, or more than 65,536.

        >>> RandomisedResponse().with_categories(7).name
        'randomised_response_7'
        """
        return RandomisedResponse(categories)

    def probability_kept(self, level: float) -> float:
        """How likely the report is kept and not redrawn: p = e^-ℓ.

        >>> RandomisedResponse().probability_kept(math.log(4))
        0.25
        """
        return math.exp(-within(self.span, level))

    def probability_true(self, level: float) -> float:
        """P(report = truth) = p + (1-p)/K.

        >>> RandomisedResponse(4).probability_true(math.log(2))
        0.625
        """
        kept = self.probability_kept(level)
        return kept + (1 - kept) / self.categories

    def law_between(
        self, below: int, above: int | None, low: float, level: float, high: float | None
    ) -> Array:
        """Probability of each category in what `bridge` draws, or `extend` if `above` is None.

        Returns:
            Shape (K,), adding up to 1.

        Raises:
            ParameterError: levels descend, or a value is no category.

        >>> RandomisedResponse().law_between(0, 1, 0.5, 1.0, 1.5).round(3)
        array([0.5, 0.5])
        >>> RandomisedResponse(4).law_between(0, None, 0.0, math.log(2), None)
        array([0.625, 0.125, 0.125, 0.125])
        """
        self._arrays(below=np.array([below]))
        mass = self._step_chances(below, low, level)
        if above is not None and high is not None:
            self._arrays(above=np.array([above]))
            mass *= self._step_chances(above, level, high)  # as likely one way as back
            mass /= mass.sum()
        return mass

    def _step_chances(self, start: int, low: float, high: float) -> Array:
        """Probability of each category at one level, from a category at the other."""
        low, high = ascending(self.span, low, high)
        mass = np.full(self.categories, -math.expm1(low - high) / self.categories)
        mass[start] += math.exp(low - high)
        return mass

    def _arrays(self, **named: Array) -> list[Array]:
        arrays = NoisePath._arrays(self, **named)
        within_categories(self.categories, **dict(zip(named, arrays, strict=True)))
        return arrays

    def _step(self, values: Array, low: float, high: float, result: Array, rng: Rng) -> None:
        _extension(low, high, self.categories).draw(values.size, rng=rng, out=result)
        result += values
        result %= self.categories

    def _between(self, below: Array, above: Array, levels: Levels, result: Array, rng: Rng) -> None:
        laws = _Bridge.of(*levels, self.categories)
        apart = (above - below) % self.categories  # `above`, seen from `below` around the circle
        equal = np.flatnonzero(apart == 0)
        unequal = np.flatnonzero(apart)
        if equal.size:
            result[equal] = laws.equal.draw(equal.size, rng=rng)
        if unequal.size:
            result[unequal] = _placed(laws.unequal.draw(unequal.size, rng=rng), apart[unequal])
        result += below
        result %= self.categories


def with_categories(name: str) -> RandomisedResponse | None:
    """The family whose name ends in its number of categories; None if the name is another.

    >>> with_categories("randomised_response_7"), with_categories("randomised_response_one")
    (RandomisedResponse(7), None)
    """
    start, _, number = name.rpartition("_")
    if start != NAME or not (number.isascii() and number.isdigit() and len(number) <= 5):
        return None
    found = RandomisedResponse(min(max(int(number), 2), MOST_CATEGORIES))
    return found if found.name == name else None


@dataclass(frozen=True, slots=True)
class _Bridge:
    """What a draw between two releases may need.

    Attributes:
        equal: the step around the circle where the two agree.
        unequal: where they differ: 0 is `below`, 1 is `above`, more is one of the others.
    """

    equal: Table
    unequal: Table

    @staticmethod
    @lru_cache(maxsize=8)
    def of(low: float, level: float, high: float, categories: int) -> "_Bridge":
        """The tables between these levels; the floats are taken as the fractions they are."""
        steps = _kept(low, level), _kept(level, high)

        def masses(bits: int) -> tuple[Interval, Interval, Interval, Interval]:
            """P(both steps keep the category), P(first moves), P(second moves), P(both move)."""
            (stay, move), (stay_too, move_too) = (
                _chances(step.power(1, bits), categories) for step in steps
            )
            return stay * stay_too, move * stay_too, stay * move_too, move * move_too

        def equal(bits: int) -> list[Interval]:
            both, _, _, neither = masses(bits)
            others = Interval.of(categories - 1, bits)
            total = both + others * neither
            return _cumulated(both / total, neither / total, categories)

        def unequal(bits: int) -> list[Interval]:
            _, at_above, at_below, elsewhere = masses(bits)
            total = at_above + at_below + Interval.of(categories - 2, bits) * elsewhere
            first, second = at_below / total, at_above / total
            return [first, *_cumulated(first + second, elsewhere / total, categories - 1)]

        return _Bridge(
            Table(lambda bits: enclose(equal, bits)), Table(lambda bits: enclose(unequal, bits))
        )


@lru_cache(maxsize=8)
def _extension(low: float, high: float, categories: int) -> Table:
    """The step around the circle between two levels: 0 to stay, all others alike."""
    step = _kept(low, high)

    def thresholds(bits: int) -> list[Interval]:
        return _cumulated(*_chances(step.power(1, bits), categories), categories)

    return Table(lambda bits: enclose(thresholds, bits))


def _kept(low: float, high: float) -> Exponential:
    """The probability that no clock rings between two different levels."""
    return Exponential(Fraction(high) - Fraction(low))


def _chances(kept: Interval, categories: int) -> tuple[Interval, Interval]:
    """P(same category) and P(one other category), from the probability that no clock rings."""
    other = (1 - kept) / Interval.of(categories, kept.bits)
    return kept + other, other


def _cumulated(first: Interval, each: Interval, cells: int) -> list[Interval]:
    """P(draw < i) for i = 1 … cells - 1: a first cell, and others that are all alike."""
    return [first + Interval(each.low * i, each.high * i, each.bits) for i in range(cells - 1)]


def _placed(cells: Array, apart: Array) -> Array:
    """Steps around the circle: 0 to `below`, else to `above`, else to the others in order."""
    others = cells - 1 + (cells - 1 >= apart)  # 1 … K-1 without `apart`
    return np.where(cells == 0, 0, np.where(cells == 1, apart, others))
