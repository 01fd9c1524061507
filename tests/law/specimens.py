"""Deliberately broken noise families: proof that the law tests can fail.

Each behaves like a family of `dpviz.noise` but for one flaw, the kind of flaw that has been seen in
print or that a slip of the hand makes.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.noise import ADDITIVE, FAMILIES, Family


@dataclass(frozen=True)
class Specimen:
    """A family that passes everything on to the right one."""

    right: Family

    def __getattr__(self, name: str) -> Any:
        return getattr(self.right, name)

    def extend(self, values, low, high, *, rng):
        return self.right.extend(values, low, high, rng=rng)

    def bridge(self, below, above, low, level, high, *, rng):
        return self.right.bridge(below, above, low, level, high, rng=rng)


class FlippedBridge(Specimen):
    """The sign of k is wrong: the bridge heads away from the noisier neighbour."""

    def bridge(self, below, above, low, level, high, *, rng):
        if self.never_falls:  # an earlier bridge went the wrong way, which it would refuse
            above = np.maximum(below, above)
        drawn = self.right.bridge(below, above, low, level, high, rng=rng)
        return 2 * below - drawn


class IndependentBridge(Specimen):
    """A fresh draw in place of a bridge (the exact values are 0 in these tests)."""

    def bridge(self, below, _above, _low, level, _high, *, rng):
        return self.right.extend(np.zeros_like(below), 0, level, rng=rng)


class SubtractedNoise(Specimen):
    """Noise is subtracted."""

    def extend(self, values, low, high, *, rng):
        return 2 * values - self.right.extend(values, low, high, rng=rng)

    def bridge(self, below, above, low, level, high, *, rng):
        return -self.right.bridge(-below, -above, low, level, high, rng=rng)


@dataclass(frozen=True)
class WrongLevel(Specimen):
    """All levels are wrong by a factor."""

    factor: float

    def extend(self, values, low, high, *, rng):
        return self.right.extend(values, low * self.factor, high * self.factor, rng=rng)

    def bridge(self, below, above, low, level, high, *, rng):
        levels = (one * self.factor for one in (low, level, high))
        return self.right.bridge(below, above, *levels, rng=rng)


@dataclass(frozen=True)
class LiteralLaplace(Specimen):
    """The mixture of Lemma F.5, drawn branch by branch; `reading` says which scales go where.

    A bridge from l over b to h splits k into two parts, each 0 with some probability and Laplace
    otherwise. Right: (l/b)² and b for the first, (b/h)² and h for the second. Printed: (b/h)² and b
    for one, (l/b)² and l for the other; it does not say which of them is the first.
    """

    reading: str

    def bridge(self, below, above, low, level, high, *, rng):
        if low == 0:  # as printed there would be a division by 0 here
            return self.right.bridge(below, above, low, level, high, rng=rng)
        near, far = (low / level) ** 2, (level / high) ** 2
        first, second = {
            "right": ((near, level), (far, high)),
            "printed": ((far, level), (near, low)),
            "printed, exchanged": ((near, low), (far, level)),
        }[self.reading]
        k = above - below
        part = np.sign(k) * _first_of_two(np.abs(k), first, second, rng=rng)
        return np.where(part == 0, below, np.where(part == k, above, below + part))


class OneCount(Specimen):
    """A Skellam bridge that thins the difference alone, as if no steps had cancelled."""

    def bridge(self, below, above, low, level, high, *, rng):
        k = above - below
        return below + np.sign(k) * rng.binomial(np.abs(k), (level - low) / (high - low))


def _first_of_two(k, first, second, *, rng):
    """The first of two such parts, given that they add up to k >= 0."""
    (stay1, scale1), (stay2, scale2) = first, second
    both = (1 - stay1) * (1 - stay2) / (4 * scale1 * scale2)
    outer, inner = 1 / scale1 + 1 / scale2, 1 / scale1 - 1 / scale2
    masses = np.array(
        [
            stay1 * (1 - stay2) * np.exp(-k / scale2) / (2 * scale2),  # the first is 0
            (1 - stay1) * stay2 * np.exp(-k / scale1) / (2 * scale1),  # the second is 0
            both * np.exp(-k / scale2) / outer,  # the first is negative
            both * np.exp(-k / scale2) * -np.expm1(-k * inner) / inner,  # both are positive
            both * np.exp(-k / scale1) / outer,  # the second is negative
        ]
    )
    chance = np.cumsum(masses / masses.sum(axis=0), axis=0)
    branch = (rng.random(k.size) > chance).sum(axis=0)
    step = rng.exponential(1 / outer, k.size)
    inside = -np.log1p(rng.random(k.size) * np.expm1(-k * inner)) / inner
    return np.where(k == 0, 0, np.choose(branch.clip(0, 4), [0 * k, k, -step, inside, k + step]))


LAPLACE, SKELLAM = FAMILIES["laplace"], FAMILIES["skellam"]

RIGHT = {"Laplace, branch by branch": LiteralLaplace(LAPLACE, "right")}


def levels_off(family: Family, factor: float) -> WrongLevel:
    """The level that is a scale is off by the factor, a variance by its square."""
    square = family.level_unit != "scale" and family.symmetric
    return WrongLevel(family, factor**2 if square else factor)


BROKEN = {  # of every family, also of one that is added
    **{f"{f.label}, sign of k flipped": FlippedBridge(f) for f in ADDITIVE.values()},
    **{f"{f.label}, independent": IndependentBridge(f) for f in ADDITIVE.values()},
    **{f"{f.label}, level too high": levels_off(f, 1.1) for f in ADDITIVE.values()},
    **{f"{f.label}, level too low": levels_off(f, 0.9) for f in ADDITIVE.values()},
    **{f"{f.label}, subtracted": SubtractedNoise(f) for f in ADDITIVE.values() if not f.symmetric},
    "Skellam, one hidden count left out": OneCount(SKELLAM),
    "Lemma F.5 as printed": LiteralLaplace(LAPLACE, "printed"),
    "Lemma F.5 as printed, exchanged": LiteralLaplace(LAPLACE, "printed, exchanged"),
}
