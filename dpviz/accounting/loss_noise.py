"""Privacy losses of noise on one moved coordinate, family by family. Source: MATHEMATICS 5.7."""

import math
from dataclasses import dataclass

import numpy as np

from dpviz import checks
from dpviz.accounting import poisson, skellam
from dpviz.accounting.gaussian import gaussian_epsilon, gaussian_log_delta
from dpviz.accounting.laplace import laplace_log_delta
from dpviz.accounting.loss_terms import Floats, Losses, LossPoints, LossTerm, laplace_losses, panels

LEAST_FLOAT = math.ulp(0.0)
FAR = 1e3  # deviations, or counts: hardly anything lies beyond
PANELS = 20  # per standard deviation of a normal loss, at least


@dataclass(frozen=True, slots=True)
class NormalTerm(LossTerm):
    """Gaussian noise: the loss is normal with mean mu²/2 and variance mu² in either direction.

    >>> away, _ = NormalTerm(1.0).points(40.0, 0.5, 0.0)
    >>> round(float(away.mass.sum()), 9), round(float((away.mass * away.loss).sum()), 9)
    (1.0, 0.5)
    """

    mu: float

    def __post_init__(self) -> None:
        checks.positive(mu=self.mu)

    @property
    def deviation(self) -> float:
        """It is mu."""
        return self.mu

    def closed_log_delta(self, epsilon: float) -> float:
        """The curve of Gaussian noise."""
        return gaussian_log_delta(epsilon, self.mu)

    def closed_epsilon(self, log_delta: float) -> float:
        """Its inverse."""
        return gaussian_epsilon(log_delta, self.mu)

    def points(self, cut: float, width: float, begin: float) -> tuple[LossPoints, LossPoints]:
        """Both directions alike."""
        mean, reach = self.mu * self.mu / 2, math.sqrt(2 * cut)
        low, high = mean - reach * self.mu, mean + reach * self.mu
        end = width * (begin + math.ceil(high / width - begin))
        loss, weights = panels(low, high, self.mu / PANELS, width, begin, end=max(high, end))
        mass = weights * np.exp(-0.5 * np.minimum((loss - mean) / self.mu, FAR) ** 2)
        mass /= self.mu * math.sqrt(2 * math.pi)
        tail = -cut - math.log(reach)  # above the ln of the tail, by Mills's ratio
        found = LossPoints(loss, mass, log_cut=tail, cut_low=math.exp(tail))
        return found, found


@dataclass(frozen=True, slots=True)
class DoubleExponentialTerm(LossTerm):
    """Laplace noise: atoms at ±budget, density e^((g - budget)/2) / 4 between (MATHEMATICS 5.3).

    >>> away, _ = DoubleExponentialTerm(1.0).points(40.0, 0.5, 0.0)
    >>> round(float(away.mass.sum()), 9), round(float((away.mass * np.exp(-away.loss)).sum()), 9)
    (1.0, 1.0)
    """

    budget: float

    def __post_init__(self) -> None:
        checks.positive(budget=self.budget)

    @property
    def unit(self) -> float:
        """Both atoms lie at the budget."""
        return self.budget

    @property
    def most(self) -> float:
        """The budget."""
        return self.budget

    def closed_log_delta(self, epsilon: float) -> float:
        """The curve of one coordinate of Laplace noise."""
        return laplace_log_delta(epsilon, 1.0, self.budget)

    def raised(self, cut: float, width: float, way: int) -> tuple[Losses, float]:
        """By a formula where nothing is cut."""
        if self.budget > cut:
            return LossTerm.raised(self, cut, width, way)
        return laplace_losses(self.budget, width), 0.0

    def points(self, cut: float, width: float, begin: float) -> tuple[LossPoints, LossPoints]:
        """Both directions alike; nothing is cut but what is smaller than any float."""
        e = self.budget
        low = max(-e, e - 2 * cut)
        loss, weights = panels(low, e, 1.0, width, begin)
        mass = np.r_[0.5 * math.exp(-e), 0.5, weights * np.exp((loss - e) / 2) / 4]
        cut_low = math.exp(-cut) if low > -e else 0.0
        found = LossPoints(np.r_[-e, e, loss], mass, cut_low=cut_low)
        return found, found


@dataclass(frozen=True, slots=True)
class GeometricTerm(LossTerm):
    """Discrete Laplace noise of one scale, on a coordinate moved by whole units.

    >>> away, _ = GeometricTerm(2.0, 3).points(40.0, 0.5, 0.0)
    >>> away.loss, round(float((away.mass * np.exp(-away.loss)).sum()), 9)
    (array([ 1.5,  0.5, -0.5, -1.5]), 1.0)
    """

    level: float
    shift: int
    lattice = True  # all of them

    def __post_init__(self) -> None:
        checks.positive(level=self.level)
        checks.whole(1, shift=self.shift)

    @property
    def unit(self) -> float:
        """Losses are odd or even multiples of 1/scale."""
        return 1 / self.level

    @property
    def most(self) -> float:
        """The pure budget, shift / scale."""
        return self.shift / self.level

    def points(self, _cut: float, _width: float, _begin: float) -> tuple[LossPoints, LossPoints]:
        """Both directions alike, nothing cut."""
        x = np.arange(self.shift + 1)
        loss = (self.shift - 2 * x) / self.level
        log_fall = -1 / self.level
        mass = -math.expm1(log_fall) * np.exp(x * log_fall)
        mass[0], mass[-1] = 1.0, math.exp(self.shift * log_fall)
        found = LossPoints(loss, mass / (1 + math.exp(log_fall)))
        return found, found


@dataclass(frozen=True, slots=True)
class PoissonTerm(LossTerm):
    """Poisson noise on a coordinate that the person moves by whole units, up or down.

    >>> away, there = PoissonTerm(4.0, 1).points(40.0, 0.5, 0.0)
    >>> away.log_infinite, there.log_infinite  # nothing counted proves that they are away
    (-4.0, -inf)
    """

    level: float
    shift: int
    lowered: bool = False
    symmetric = False  # counts are bounded on one side
    proof = True  # a count below the shift

    def __post_init__(self) -> None:
        checks.positive(level=self.level)
        checks.whole(1, shift=self.shift)

    @property
    def deviation(self) -> float:
        """About shift / sqrt(level)."""
        return self.shift / math.sqrt(max(self.level, 1.0))

    @property
    def extent(self) -> float:
        """Large for a level near 0."""
        return self.shift * math.log1p(FAR / self.level)

    def points(self, cut: float, _width: float, _begin: float) -> tuple[LossPoints, LossPoints]:
        """Away, and there; both tails of the noise are cut where they have at most e^-cut."""
        level, shift, tail = self.level, self.shift, math.exp(-cut)
        low = max(0, math.floor(level - math.sqrt(2 * level * cut)))
        high = math.ceil(level + cut + math.sqrt(cut * cut + 2 * cut * level)) + shift
        mode = max(low, math.floor(level))
        falls = poisson.log_ratios(np.arange(low + 1, high + 1), level)
        loss, mass = _apart(falls, poisson.log_mass(mode, level), mode - low, shift)
        impossible = float(mass[:shift].sum()) + (tail if low else 0.0)
        lacking = math.log(max(impossible, LEAST_FLOAT))  # above a mass that no float can hold
        there = LossPoints(loss, mass[:-shift], log_cut=-cut, cut_low=tail if low else 0.0)
        proof, cut_high = (-math.inf, lacking) if low else (lacking, -math.inf)
        away = LossPoints(-loss, mass[shift:], proof, cut_high, tail)
        return (there, away) if self.lowered else (away, there)


@dataclass(frozen=True, slots=True)
class SkellamTerm(LossTerm):
    """Skellam noise, a difference of two Poisson counts, on a coordinate moved by whole units.

    >>> away, _ = SkellamTerm(4.0, 1).points(40.0, 0.5, 0.0)
    >>> round(float(away.mass.sum()), 9), round(float((away.mass * np.exp(-away.loss)).sum()), 9)
    (1.0, 1.0)
    """

    level: float
    shift: int

    def __post_init__(self) -> None:
        checks.positive(level=self.level)
        checks.whole(1, shift=self.shift)

    @property
    def deviation(self) -> float:
        """About shift / sqrt(2 level)."""
        return self.shift / math.sqrt(max(2 * self.level, 1.0))

    @property
    def extent(self) -> float:
        """Large for a level near 0."""
        return self.shift * math.log1p(FAR / self.level)

    def points(self, cut: float, _width: float, _begin: float) -> tuple[LossPoints, LossPoints]:
        """Both directions alike; both tails are cut where they have at most e^-cut."""
        high = math.ceil(cut + math.sqrt(cut * cut + 4 * cut * self.level))
        falls = skellam.log_ratios(-high, 2 * high + self.shift, self.level)
        at_zero = skellam.log_mass(0, self.level)
        loss, mass = _apart(falls, at_zero, high, self.shift)
        found = LossPoints(loss, mass[: -self.shift], log_cut=-cut, cut_low=math.exp(-cut))
        return found, found


def _apart(falls: Floats, log_mass: float, mode: int, shift: int) -> tuple[Floats, Floats]:
    """The ln P(x)/P(x + shift) and the masses, from ln P(x)/P(x+1) and the mass at the mode."""
    down = np.cumsum(falls[:mode][::-1])[::-1]
    logs = np.concatenate([down, [0.0], -np.cumsum(falls[mode:])])
    loss = falls if shift == 1 else logs[:-shift] - logs[shift:]
    return np.asarray(loss), np.exp(log_mass + logs)
