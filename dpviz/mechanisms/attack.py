"""A coalition attacks: what it gets in many simulated worlds, through the real samplers.

Every world is one coordinate. Exactly one number is looked for: 0, or 0 + Δ if the person is in.
Lossless: all members hold releases of one session (`MultipleRelease`), and the least noisy one is
the best estimate, since the others are that one plus noise that knows nothing of the data.
Independent: every member holds noise of his own, and the mean weighted by 1/variance is the best
linear estimate. The membership test is the likelihood ratio of all that is held. How far: Gaussian
and Laplace noise; the exact numbers are made up and public, so nothing here is private.
Source: MATH section 5, "Attack view".
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.noise.family import Family
from dpviz.release import MultipleRelease

Floats = NDArray[np.float64]
ATTACKED = ("gaussian", "laplace")  # families
MOST_PERSONS = 200  # simulated at once


@dataclass(frozen=True, slots=True, eq=False)
class Worlds:
    """What a coalition makes of many worlds.

    `errors` are best estimate − exact, `out` and `inside` the scores of the membership test in
    worlds without and with the person: larger speaks for "in". Shape (n,) each. `joining` is the
    root mean square error as one person after the other joins, shape (persons,), in steps.
    """

    errors: Floats
    out: Floats
    inside: Floats
    joining: Floats

    def misses(self, alarms: Sequence[float] | Floats) -> Floats:
        """Share of worlds with the person that a test misses, at these shares of false alarms.

        The threshold for a share α is the (1 − α) quantile of the scores without the person; of
        worlds that score exactly at it, as many count as "in" as α asks for.
        """
        out, inside = np.sort(self.out), np.sort(self.inside)
        n = out.size
        place = np.minimum((n * (1 - np.asarray(alarms))).astype(int), n - 1)
        edge = out[place]
        below, upto = (np.searchsorted(inside, edge, side=s) for s in ("left", "right"))
        false = [1 - np.searchsorted(out, edge, side=s) / n for s in ("right", "left")]
        tied = false[1] - false[0]
        share = np.clip((np.asarray(alarms) - false[0]) / np.maximum(tied, 1 / n), 0, 1)
        return np.asarray((upto - share * (upto - below)) / inside.size, dtype=np.float64)

    def success(self) -> float:
        """Share of right guesses at even odds with the best threshold of the likelihood ratio, 0.

        A score of exactly 0 says nothing: a coin decides.
        """
        right = np.mean(self.out < 0) + np.mean(self.inside > 0)
        tied = np.mean(self.out == 0) + np.mean(self.inside == 0)
        return float(right + tied / 2) / 2


def attack_worlds(
    family: Family,
    levels: Sequence[float],
    sensitivity: float,
    worlds: int,
    *,
    lossless: bool,
    rng: np.random.Generator,
) -> Worlds:
    """Let a coalition attack in many worlds.

    Args:
        family: Gaussian or Laplace noise.
        levels: noise level of every person of the coalition; equal ones share their numbers under
            lossless release and have noise of their own otherwise.
        sensitivity: Δ, how far one person moves the number that is attacked; above 0.
        worlds: n, with the person and without.
        lossless: whether all hold releases of one session.
        rng: what all noise is drawn from.

    Raises:
        ParameterError: another family, no person or more than 200, or a value out of range.

    >>> from dpviz import streams
    >>> from dpviz.noise import FAMILIES
    >>> noise, rng = FAMILIES["gaussian"], streams.teaching(7)
    >>> held = attack_worlds(noise, [1.0, 4.0], 1.0, 40_000, lossless=True, rng=rng)
    >>> held.joining.round(1).tolist(), round(held.success(), 2)
    ([1.0, 1.0], 0.69)
    """
    if family.name not in ATTACKED:
        raise ParameterError("the attack is worked out for Gaussian and Laplace noise: pass one")
    checks.positive(sensitivity=sensitivity)
    checks.whole(1, worlds=worlds)
    if not 1 <= len(levels) <= MOST_PERSONS:
        raise ParameterError(f"a simulated coalition has 1 to {MOST_PERSONS} persons")
    held_by = _lossless if lossless else _independent
    errors, out, joining = held_by(family, levels, 0.0, sensitivity, worlds, rng)
    _, inside, _ = held_by(family, levels, sensitivity, sensitivity, worlds, rng)
    return Worlds(errors, out, inside, joining)


def _lossless(
    family: Family,
    levels: Sequence[float],
    exact: float,
    sensitivity: float,
    worlds: int,
    rng: np.random.Generator,
) -> tuple[Floats, Floats, Floats]:
    """Everybody asks; the release of the least private so far holds all that they hold."""
    session = MultipleRelease(np.full(worlds, exact), family, rng=rng)
    least, joining = np.minimum.accumulate(levels), []
    for level, best in zip(levels, least, strict=True):
        session.release(level)
        joining.append(_size(session.release(float(best)) - exact))
    held = session.release(float(least[-1]))
    score = log_ratio(family, held, float(least[-1]), sensitivity)
    return held - exact, score, np.array(joining)


def _independent(
    family: Family,
    levels: Sequence[float],
    exact: float,
    sensitivity: float,
    worlds: int,
    rng: np.random.Generator,
) -> tuple[Floats, Floats, Floats]:
    """Everybody draws for himself; the weights are 1/variance, the scores add."""
    values = np.full(worlds, exact)
    estimate, score, weights = np.zeros(worlds), np.zeros(worlds), 0.0
    joining = []
    for level in levels:
        held = family.extend(values, 0.0, level, rng=rng)
        weight = 1 / family.variance(level)
        estimate += weight * held
        weights += weight
        score += log_ratio(family, held, level, sensitivity)
        joining.append(_size(estimate / weights - exact))
    return estimate / weights - exact, score, np.array(joining)


def _size(errors: Floats) -> float:
    return float(np.sqrt(np.mean(np.square(errors))))


def log_ratio(family: Family, held: Floats, level: float, sensitivity: float) -> Floats:
    """Log of how much likelier a held number is if the person is in; noise of one coordinate.

        Gaussian  Δ (y − Δ/2) / t        Laplace  (|y| − |y − Δ|) / b

    >>> from dpviz.noise import FAMILIES
    >>> log_ratio(FAMILIES["laplace"], np.array([-1.0, 0.5, 3.0]), 2.0, 1.0).tolist()
    [-0.5, 0.0, 0.5]
    """
    if family.name == "gaussian":
        return np.asarray(sensitivity * (held - sensitivity / 2) / level, dtype=np.float64)
    moved = np.abs(held - sensitivity)
    return np.asarray((np.abs(held) - moved) / level, dtype=np.float64)
