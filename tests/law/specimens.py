"""Deliberately broken noise families: proof that the law tests can fail.

Each behaves like a family of `dpviz.noise` but for one flaw, the kind of flaw that has been seen in
print or that a slip of the hand makes.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.experiments.broken import table
from dpviz.experiments.broken.table import BrokenPrintedBridge
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
class WideBridge(Specimen):
    """A normal bridge whose variance is too large by a factor; its mean is right."""

    factor: float

    def bridge(self, below, above, low, level, high, *, rng):
        drawn = self.right.bridge(below, above, low, level, high, rng=rng)
        centre = below + (above - below) * ((level - low) / (high - low))
        return centre + (drawn - centre) * np.sqrt(self.factor)


@dataclass(frozen=True)
class ShiftedBridge(Specimen):
    """A bridge to a level that is too high by a factor."""

    factor: float

    def bridge(self, below, above, low, level, high, *, rng):
        return self.right.bridge(below, above, low, level * self.factor, high, rng=rng)


class OneCount(Specimen):
    """A Skellam bridge that thins the difference alone, as if no steps had cancelled."""

    def bridge(self, below, above, low, level, high, *, rng):
        k = above - below
        return below + np.sign(k) * rng.binomial(np.abs(k), (level - low) / (high - low))


LAPLACE, SKELLAM = FAMILIES["laplace"], FAMILIES["skellam"]

RIGHT = {"Laplace, branch by branch": BrokenPrintedBridge(LAPLACE, table.RIGHT)}


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
    "Lemma F.5 as printed": BrokenPrintedBridge(LAPLACE, table.PRINTED),
    "Lemma F.5 as printed, exchanged": BrokenPrintedBridge(LAPLACE, table.EXCHANGED),
}
