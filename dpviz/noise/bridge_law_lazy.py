"""Mixed laws of lazy paths: rest on a neighbour, or move by an exponential step.

Seen from `below` in the direction of `above`, at distance k, all of them have the same four
branches: away, stay, towards (while it falls short of k), and there an atom and what goes beyond.
With nothing noisier held, k is infinite. On whole numbers: `bridge_law_geometric`.
Source: MATHEMATICS 2.3, 2.4, as `laplace_path.Branches` states the branches for the sampler.
"""

import math
from dataclasses import dataclass

import numpy as np

from dpviz import checks
from dpviz.noise.family import Array
from dpviz.noise.laplace_path import branches_between

Atoms = tuple[tuple[float, float], ...]
ROUNDING = 1e-12  # of a chance


@dataclass(frozen=True, slots=True, kw_only=True)
class LazyLaw:
    """Exponential pieces and two atoms; `sign` turns distances from `below` into values."""

    below: float
    sign: int  # 1 if `above` is at least `below`, else -1
    distance: float  # k = |above - below|; infinite if nothing noisier is held
    away: float  # chance
    stay: float  # chance
    away_scale: float  # units of the statistic
    toward_scale: float
    rest: float  # chance to equal `above`
    beyond: float  # chance
    beyond_scale: float

    def __post_init__(self) -> None:
        checks.finite(below=self.below)
        checks.side(sign=self.sign)
        checks.between(0, math.inf, distance=self.distance)
        chances = {name: getattr(self, name) for name in ("away", "stay", "rest", "beyond")}
        checks.between(-ROUNDING, 1 + ROUNDING, **chances)
        for name in ("away_scale", "toward_scale", "beyond_scale"):
            checks.non_negative(**{name: getattr(self, name)})

    @property
    def toward(self) -> float:
        """Chance of a step that falls short of `above`."""
        return -math.expm1(-self.distance / self.toward_scale) * self._moves

    @property
    def _moves(self) -> float:
        return 1.0 - self.away - self.stay

    @property
    def atoms(self) -> Atoms:
        """Chances to be identical to the neighbours; one atom if these agree."""
        first = (self.below, self.stay)
        if not math.isfinite(self.distance):
            return (first,)
        if self.distance == 0:
            return ((self.below, 1.0),)
        return (first, (self.below + self.sign * self.distance, self.rest))

    def cdf(self, x: Array) -> Array:
        """P(value <= x), elementwise, atoms included."""
        x = np.asarray(x, float)
        resting = [np.where(x >= value, chance, 0.0) for value, chance in self.atoms]
        if self.distance == 0:
            return np.asarray(resting[0])
        moved = self._moved_up_to(self.sign * (x - self.below))
        if self.sign < 0:
            moved = self.away + self.toward + self.beyond - moved
        return np.asarray(np.clip(moved + sum(resting), 0.0, 1.0))

    def _moved_up_to(self, w: Array) -> Array:
        """P(W <= w and W rests on no neighbour)."""
        with np.errstate(over="ignore", under="ignore"):
            left = self.away * np.exp(np.minimum(w, 0) / self.away_scale)
            near = np.clip(w, 0, self.distance)
            total = left - np.expm1(-near / self.toward_scale) * self._moves
            if math.isfinite(self.distance):
                past = np.maximum(w - self.distance, 0)
                total = total - np.expm1(-past / self.beyond_scale) * self.beyond
        return np.asarray(total)

    def density(self, x: Array) -> Array:
        """Density of the continuous part, elementwise: it adds up to 1 without the atoms."""
        w = self.sign * (np.asarray(x, float) - self.below)
        if self.distance == 0:
            return np.zeros_like(w)
        with np.errstate(over="ignore", under="ignore"):
            left = self.away / self.away_scale * np.exp(np.minimum(w, 0) / self.away_scale)
            near = self._moves / self.toward_scale * np.exp(-np.maximum(w, 0) / self.toward_scale)
            found = np.where(w < 0, left, near)
            if math.isfinite(self.distance):
                past = np.maximum(w - self.distance, 0)
                far = self.beyond / self.beyond_scale * np.exp(-past / self.beyond_scale)
                found = np.where(w > self.distance, far, found)
        return np.asarray(found)

    def log_density(self, x: Array) -> Array:
        """Log of the chance at an atom, else of the density, elementwise."""
        x = np.asarray(x, float)
        w, k = self.sign * (x - self.below), self.distance
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            pieces = [
                np.log(self.away / self.away_scale) + w / self.away_scale,
                np.log(self._moves / self.toward_scale) - w / self.toward_scale,
                np.log(self.beyond / self.beyond_scale) - (w - k) / self.beyond_scale,
            ]
        found = (
            np.select([w < 0, w < k], pieces[:2], pieces[2]) if k else np.full_like(w, -math.inf)
        )
        with np.errstate(divide="ignore"):
            for value, chance in self.atoms:
                found = np.where(x == value, np.log(chance), found)
        return np.asarray(found)

    def quantile(self, p: Array) -> Array:
        """Least x with cdf(x) >= p, elementwise."""
        p = np.asarray(p, float)
        if self.distance == 0:
            return np.full_like(p, self.below)
        u = p if self.sign > 0 else 1 - p
        short, moves = self.away + self.stay, self._moves
        stop = short + self.toward
        with np.errstate(divide="ignore", invalid="ignore"):
            left = self.away_scale * np.log(u / self.away) if self.away else np.zeros_like(u)
            near = -self.toward_scale * np.log1p(-(u - short) / moves) if moves else 0 * u
            w = np.where(u < self.away, left, np.where(u <= short, 0.0, near))
            if math.isfinite(self.distance):
                far = np.full_like(u, self.distance)
                if self.beyond:
                    tail = np.minimum((1 - u) / self.beyond, 1.0)
                    far = self.distance - self.beyond_scale * np.log(tail)
                w = np.where(u > stop, far, np.minimum(w, self.distance))
        return np.asarray(self.below + self.sign * w)


def laplace_law(
    below: float, above: float | None, low: float, level: float, high: float | None
) -> LazyLaw:
    """Law at scale b between scales l and h, or beyond l.

    >>> law = laplace_law(0.0, None, 1.0, 2.0, None)
    >>> law.atoms, float(law.cdf(np.array(0.0)))
    (((0.0, 0.25),), 0.625)
    """
    if above is None or high is None:
        return _beyond_held(below, stay=(low / level) ** 2, scale=level, two_sided=True)
    branches = branches_between(low, level, high)
    distance = abs(above - below)
    reach = branches.toward * math.exp(-distance / branches.toward_scale)
    over = reach * math.exp(-branches.rest / branches.toward_scale)
    return LazyLaw(
        below=below,
        sign=1 if above >= below else -1,
        distance=distance,
        away=branches.away,
        stay=branches.stay,
        away_scale=branches.away_scale,
        toward_scale=branches.toward_scale,
        rest=reach - over,
        beyond=over,
        beyond_scale=branches.slope * branches.toward_scale,
    )


def exponential_law(
    below: float, above: float | None, low: float, level: float, high: float | None
) -> LazyLaw:
    """Law at mean m between means l and h, or beyond l: noise never falls.

    Raises:
        ParameterError: above is less than below.

    >>> place, chance = exponential_law(0.0, 3.0, 1.0, 2.0, 4.0).atoms[0]
    >>> place, round(chance, 9)
    (0.0, 0.333333333)
    """
    if above is None or high is None:
        return _beyond_held(below, stay=low / level, scale=level, two_sided=False)
    moves = (level - low) / level / ((high - low) / high)
    scale = level / ((high - level) / high)
    return LazyLaw(
        below=below,
        sign=1,
        distance=above - below,
        away=0.0,
        stay=1 - moves,
        away_scale=1.0,
        toward_scale=scale,
        rest=moves * math.exp(-(above - below) / scale),
        beyond=0.0,
        beyond_scale=1.0,
    )


def _beyond_held(below: float, *, stay: float, scale: float, two_sided: bool) -> LazyLaw:
    return LazyLaw(
        below=below,
        sign=1,
        distance=math.inf,
        away=(1 - stay) / 2 if two_sided else 0.0,
        stay=stay,
        away_scale=scale,
        toward_scale=scale,
        rest=0.0,
        beyond=0.0,
        beyond_scale=1.0,
    )
