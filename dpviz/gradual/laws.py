"""Laws of a value over budgets: when it changes, how often, and what the next release will be.

Nothing is drawn here but numbers of jumps. The law of a release is that of its family
(`dpviz.noise.bridge_law`), asked by budgets in the place of levels.

The clock. A path is read in its rate r = ε/Δ₁ = 1/b, the inverse of the noise scale. Towards
smaller rates its increments are independent and jumps come by a Poisson process; a jump at r is
noise of scale 1/r. Towards larger rates the path is Markov, and from noise v two clocks run: one
for jumps inwards, to a uniform place between the truth and the value, and one for jumps that noise
of scale 1/(2r) makes: beyond the truth if it points there, else beyond the value.

    noise               intensity backward    outwards    inwards
    Laplace             2/r                   1/r         |v|
    discrete Laplace    coth(r/2)             coth(r)     |v|, to one of 0 … |v| - 1 from the truth

Of whole numbers a jump may have size 0: it is counted, and moves nothing.
Source: [KHP15] Theorem 10, equations 25 and 28; MATHEMATICS 14.1 to 14.3; the rates are ours.
[KHP15] Koufogiannis, Han, Pappas, Gradual Release of Sensitive Data, arXiv:1504.00429.
"""

import math
from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from dpviz import checks
from dpviz.accounting.levels import laplace_level
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE
from dpviz.noise.arguments import additive_family
from dpviz.noise.bridge_law import release_law
from dpviz.noise.family import DOUBLE_EXPONENTIAL, Array, Family, ReleaseLaw

LN_2 = math.log(2)
LAPLACE, POISSON = ADDITIVE["laplace"], ADDITIVE["poisson"]
MOST_DRAWN = 10_000_000  # numbers of jumps at once


@dataclass(frozen=True, slots=True)
class Clock:
    """How a path of one kind of noise finds its jumps.

    Attributes:
        expected: number of jumps that are expected between two rates, a < b.
        below: the rate that is `passed` expected jumps below a rate.
        above: the rate at which the outward clock has gone on by `passed`.
    """

    expected: Callable[[float, float], float]
    below: Callable[[float, Array], Array]
    above: Callable[[Array, Array], Array]


def clock_of(family: Family) -> Clock:
    """The clock of a family, by the shape of its density.

    Raises:
        ParameterError: the noise is neither Laplace nor discrete Laplace.

    >>> from dpviz.noise import FAMILIES
    >>> round(clock_of(FAMILIES["laplace"]).expected(0.5, 5.0), 6)  # 2 ln 10
    4.60517
    """
    additive_family(family)
    if family.shape != DOUBLE_EXPONENTIAL:
        raise ParameterError(
            f"{family.label} noise has no path with single jumps; pass Laplace or discrete Laplace "
            'noise, such as FAMILIES["laplace"]'
        )
    return WHOLE if family.integer else REAL


def _expected(a: float, b: float) -> float:
    return 2 * math.log1p((b - a) / a)


def _below(b: float, passed: Array) -> Array:
    return np.asarray(b * np.exp(-passed / 2))


def _above(r: Array, passed: Array) -> Array:
    with np.errstate(over="ignore"):
        return np.asarray(r * np.exp(passed))


def _expected_whole(a: float, b: float) -> float:
    """2 ln(sinh(b/2)/sinh(a/2)), of positive terms only.

    >>> round(_expected_whole(0.5, 1.5), 6)
    2.360539
    """
    return (b - a) + 2 * math.log1p(math.exp(-a) * math.expm1(a - b) / math.expm1(-a))


def _below_whole(b: float, passed: Array) -> Array:
    half = np.asarray(b / 2)
    return 2 * _asinh_exp(_log_sinh(half) - passed / 2)


def _above_whole(r: Array, passed: Array) -> Array:
    return _asinh_exp(_log_sinh(r) + passed)


def _log_sinh(x: Array) -> Array:
    """Log of sinh x for x > 0, also where sinh x is no float."""
    return np.asarray(x + np.log(-np.expm1(-2 * x)) - LN_2)


def _asinh_exp(y: Array) -> Array:
    """The inverse of `_log_sinh`.

    >>> bool(np.allclose(_asinh_exp(_log_sinh(np.array([1e-9, 1.0, 900.0]))), [1e-9, 1.0, 900.0]))
    True
    """
    small = np.arcsinh(np.exp(np.minimum(y, 0)))
    large = np.maximum(y, 0)
    large = large + np.log1p(np.sqrt(1 + np.exp(-2 * large)))
    return np.asarray(np.where(y < 0, small, large))


REAL = Clock(_expected, _below, _above)
WHOLE = Clock(_expected_whole, _below_whole, _above_whole)


@dataclass(frozen=True, slots=True)
class JumpLaw:
    """How many jumps there are between two budgets: a Poisson number.

    Independent of the value at the larger budget, not of the one at the smaller budget.

    Attributes:
        mean: expected number, and variance.
    """

    mean: float

    def __post_init__(self) -> None:
        checks.non_negative(mean=self.mean)

    def probability(self, count: int) -> float:
        """P(number = count).

        Raises:
            ParameterError: the count is no whole number of at least 0.

        >>> round(jump_law(0.5, 5.0).probability(0), 12)  # (0.5/5)²
        0.01
        """
        count = checks.integer(0, count=count)
        if self.mean < POISSON.span[0]:
            return float(count == 0)
        return float(POISSON.density(count, self.mean))

    def draw(self, size: int, *, rng: np.random.Generator) -> Array:
        """Numbers of jumps of independent paths, shape (size,), exactly.

        Raises:
            ParameterError: the size is no whole number, or far too large.
        """
        if checks.integer(0, size=size) > MOST_DRAWN:
            raise ParameterError(f"size must be at most {MOST_DRAWN:,}; draw in several parts")
        none = np.zeros(size, dtype=np.int64)
        if self.mean < POISSON.span[0]:
            return none
        return POISSON.extend(none, 0, self.mean, rng=rng)


def jump_law(
    least_epsilon: float,
    most_epsilon: float,
    *,
    dimension: int = 1,
    l1_sensitivity: float = 1.0,
    family: Family = LAPLACE,
) -> JumpLaw:
    """Law of the number of jumps between two budgets, all coordinates together.

        mean = 2·d·ln(ε₂/ε₁);  of whole numbers 2·d·ln(sinh(ε₂/2Δ) / sinh(ε₁/2Δ))

    Args:
        least_epsilon: the smaller budget, above 0.
        most_epsilon: the larger one.
        dimension: number d of coordinates.
        l1_sensitivity: change of the value that costs the budget, in units of the value.
        family: Laplace or discrete Laplace noise.

    Raises:
        ParameterError: budgets are not finite, above 0 and ascending, or the noise has no such
            path.

    Source: MATHEMATICS 14.2.

    >>> round(jump_law(0.1, 10.0).mean, 6)
    9.21034
    """
    clock = clock_of(family)
    least, most = ascending(least_epsilon, most_epsilon)
    dimension = checks.integer(1, dimension=dimension)
    low, high = (rate(epsilon, l1_sensitivity, family) for epsilon in (least, most))
    mean = dimension * clock.expected(low, high)
    if not mean < POISSON.span[1]:
        raise ParameterError(
            "between these budgets there are too many jumps; pass budgets that are closer, or a "
            "smaller dimension"
        )
    return JumpLaw(mean)


def gradual_law(
    released: Mapping[float, float],
    epsilon: float,
    *,
    exact: float | None = None,
    l1_sensitivity: float = 1.0,
    family: Family = LAPLACE,
) -> ReleaseLaw:
    """Law of one value's release at a budget, given what was released of it.

    Only the nearest budgets matter. Relaxing, above all of them, needs the exact value; tightening,
    below all, and filling in between need the releases alone.

    Args:
        released: values by their budgets, at least one unless `exact` is there.
        epsilon: the budget of the release to come, not one of those.
        exact: the value itself, for budgets above all that were released.
        l1_sensitivity: change of the value that costs the budget.
        family: Laplace or discrete Laplace noise.

    Returns:
        The law, with `atoms` (the chance to be exactly what a neighbour is), `cdf`, `density`,
        `log_density` and `quantile`.

    Raises:
        ParameterError: a budget is not finite and above 0, this one was released already, or
            nothing sharper is known.

    Source: [KHP15] equations 25 and 28, MATHEMATICS 14.1.

    >>> relaxed = gradual_law({1.0: 0.75}, 2.0, exact=0.0)
    >>> value, chance = relaxed.atoms[-1]
    >>> value, round(chance, 6)
    (0.75, 0.236183)
    >>> gradual_law({2.0: 0.75}, 1.0).atoms  # tightened: the same with chance (1/2)²
    ((0.75, 0.25),)
    """
    clock_of(family)
    checks.instance(Mapping, released=released)
    checks.positive(epsilon=epsilon)
    epsilon = float(epsilon)
    for each in released:
        checks.positive(epsilon=each)
    budgets = sorted(released)
    place = bisect_left(budgets, epsilon)
    if epsilon in released:
        raise ParameterError(f"a release at ε = {epsilon:g} is there already: it stays as it is")
    sharper = budgets[place] if place < len(budgets) else None
    if sharper is None and exact is None:
        raise ParameterError(
            f"ε = {epsilon:g} is above all that was released: pass the exact value, which only its "
            "owner has, or a smaller ε"
        )
    level = level_of(epsilon, l1_sensitivity, family)
    high = level_of(budgets[place - 1], l1_sensitivity, family) if place else None
    above = released[budgets[place - 1]] if place else None
    if sharper is None:
        assert exact is not None
        return release_law(family, exact, above, 0, level, high)
    low = level_of(sharper, l1_sensitivity, family)
    return release_law(family, released[sharper], above, low, level, high)


def gradual_correlation(
    first_epsilon: float,
    second_epsilon: float,
    *,
    l1_sensitivity: float = 1.0,
    family: Family = LAPLACE,
) -> float:
    """Correlation of the noise at two budgets: that of the larger ε is all they share.

        √(Var(ε₂)/Var(ε₁)) = ε₁/ε₂ for ε₁ < ε₂ and Laplace noise

    Raises:
        ParameterError: a budget is not finite and above 0, or the noise has no such path.

    Source: [KHP15] after equation 27, MATHEMATICS 14.1.

    >>> gradual_correlation(1.0, 2.0)
    0.5
    """
    clock_of(family)
    levels = [level_of(e, l1_sensitivity, family) for e in (first_epsilon, second_epsilon)]
    less, more = (math.sqrt(family.variance(level)) for level in sorted(levels))
    return less / more if more else 1.0


def ascending(least_epsilon: float, most_epsilon: float) -> tuple[float, float]:
    """Both budgets as floats, refused unless they are finite, above 0 and ascend.

    >>> ascending(0.1, 2)
    (0.1, 2.0)
    """
    checks.positive(least_epsilon=least_epsilon, most_epsilon=most_epsilon)
    least, most = float(least_epsilon), float(most_epsilon)
    if not least <= most:
        raise ParameterError(
            f"the budgets must ascend, got {least:g} and then {most:g}; pass the smaller ε first"
        )
    return least, most


def level_of(epsilon: float, l1_sensitivity: float, family: Family) -> float:
    """Noise scale of a budget, refused where the family has no such level.

    >>> level_of(0.5, 1.0, LAPLACE)
    2.0
    """
    checks.positive(epsilon=epsilon, l1_sensitivity=l1_sensitivity)
    level = float(laplace_level(epsilon, l1_sensitivity))
    family.weights(0, level, None)  # refuses what is out of its span
    return level


def rate(epsilon: float, l1_sensitivity: float, family: Family) -> float:
    """Inverse of the noise scale of a budget.

    >>> rate(0.5, 2.0, LAPLACE)
    0.25
    """
    return 1 / level_of(epsilon, l1_sensitivity, family)
