"""A coalition attacks: what it gets in many simulated worlds, through the real samplers.

A world is the vector of all coordinates that the person moves: 0, or 0 + shift if the person is in.
Lossless: all members hold releases of one session (`MultipleRelease`), and the least noisy one says
all, since the others are that one plus noise that is independent of the data.
Independent: every member's release comes from a session of its own. The membership test is the
likelihood ratio of all that is held, of all coordinates together. The exact numbers are made up and
public, so nothing here is private.
Source: MATHEMATICS 5.4, 5.6.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.experiments.attack_tests import Moved
from dpviz.noise.family import DOUBLE_EXPONENTIAL, NORMAL, Array, Family
from dpviz.release import MultipleRelease

Floats = NDArray[np.float64]
MOST_PERSONS = 200  # simulated at once
MOST_NUMBERS = 1_000_000  # worlds times coordinates, so that a world of many fits into memory
LEAST_DENSITY = 1e-300  # a smaller one counts as this
DIGITS = 9  # of a log ratio; outcomes that say the same must tie exactly


@dataclass(frozen=True, slots=True, eq=False)
class Worlds:
    """What a coalition makes of many worlds.

    `out` and `inside` are the scores of the membership test in worlds without and with the person,
    shape (n,): larger speaks for "in".
    """

    out: Floats
    inside: Floats

    def __post_init__(self) -> None:
        checks.arrays(1, out=self.out, inside=self.inside)

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
    moved: Moved,
    worlds: int,
    *,
    lossless: bool,
    rng: np.random.Generator,
) -> Worlds:
    """Let a coalition attack in many worlds.

    Args:
        family: a noise family.
        levels: noise level of every person of the coalition; equal ones share their numbers under
            lossless release and have independent noise otherwise.
        moved: by how much one person moves the coordinates; whole for whole-number noise.
        worlds: n, with the person and without; n times coordinates are at most 1,000,000.
        lossless: whether all hold releases of one session.
        rng: what all noise is drawn from.

    Raises:
        ParameterError: no person or more than 200, or a value out of range.

    >>> from dpviz import streams
    >>> from dpviz.noise import FAMILIES
    >>> noise, rng, moved = FAMILIES["gaussian"], streams.teaching(7), Moved(((1.0, 1),))
    >>> held = attack_worlds(noise, [1.0, 4.0], moved, 40_000, lossless=True, rng=rng)
    >>> round(held.success(), 2)
    0.69
    """
    checks.instance(Moved, moved=moved)
    worlds = checks.integer(1, worlds=worlds)
    if family.integer and any(shift != int(shift) for shift, _ in moved.shifts):
        raise ParameterError("moved must hold whole numbers for whole-number noise: round them up")
    if not 1 <= len(levels) <= MOST_PERSONS:
        raise ParameterError(f"a simulated coalition has 1 to {MOST_PERSONS} persons")
    if worlds * moved.count > MOST_NUMBERS:
        raise ParameterError(
            f"worlds times coordinates must be at most {MOST_NUMBERS:,}; pass fewer worlds"
        )
    kind = np.int64 if family.integer else np.float64
    shifts = np.array([shift for shift, count in moved.shifts for _ in range(count)], dtype=kind)
    exact = np.zeros((2, worlds, moved.count), dtype=kind)
    exact[1] = shifts
    scored = _lossless if lossless else _independent
    out, inside = scored(family, levels, exact.ravel(), shifts, rng).reshape(2, worlds)
    return Worlds(out=out, inside=inside)


def _lossless(
    family: Family, levels: Sequence[float], exact: Array, shifts: Array, rng: np.random.Generator
) -> Floats:
    """Scores of all that is held when one after the other has asked one session.

    The release of the least private person holds all that the others hold.
    """
    session = MultipleRelease(exact, family, rng=rng)
    for level in levels:
        session.release(level)
    best = min(levels)
    return log_ratio(family, session.release(best), best, shifts)


def _independent(
    family: Family, levels: Sequence[float], exact: Array, shifts: Array, rng: np.random.Generator
) -> Floats:
    """Each person has a session of their own, so the scores add."""
    # Coordinates of a session are independent: persons of one level share one, in blocks.
    blocks = {
        level: MultipleRelease(np.tile(exact, count), family, rng=rng).release(level)
        for level, count in Counter(levels).items()
    }
    own = {level: iter(block.reshape(-1, exact.size)) for level, block in blocks.items()}
    score = np.zeros(exact.size // shifts.size)
    for level in levels:
        score += log_ratio(family, next(own[level]), level, shifts)
    return np.round(score, DIGITS)


def log_ratio(family: Family, held: Array, level: float, shifts: Array) -> Floats:
    """Log of how much likelier what is held is if the person is in, world by world.

    The sum over the coordinates of a world of

        Gaussian  s (y − s/2) / t        Laplace  (|y| − |y − s|) / b        others  ln P(y−s)/P(y)

    Args:
        family: a noise family.
        held: released numbers, world after world, shape (worlds · k,).
        level: of the release.
        shifts: what the person adds to each coordinate, shape (k,).

    >>> from dpviz.noise import FAMILIES
    >>> noise, one, two = FAMILIES["laplace"], np.array([1.0]), np.array([1.0, -1.0])
    >>> log_ratio(noise, np.array([-1.0, 0.5, 3.0]), 2.0, one).tolist()
    [-0.5, 0.0, 0.5]
    >>> log_ratio(noise, np.array([-1.0, 3.0, 2.0, -4.0]), 2.0, two).tolist()
    [-1.0, 1.0]
    """
    numbers = held.reshape(-1, shifts.size)
    if family.shape == NORMAL:
        ratio = shifts * (numbers - shifts / 2) / level
    elif family.shape == DOUBLE_EXPONENTIAL:
        ratio = (np.abs(numbers) - np.abs(numbers - shifts)) / level
    else:
        inside, out = (_log_densities(family, x, level) for x in (numbers - shifts, numbers))
        ratio = inside - out
    return np.asarray(np.round(ratio.sum(axis=1), DIGITS), dtype=np.float64)


def _log_densities(family: Family, numbers: Array, level: float) -> Floats:
    """Logs of densities, of each number that occurs once."""
    seen, place = np.unique(numbers, return_inverse=True)
    logs = np.log(np.maximum(family.density(seen, level), LEAST_DENSITY))
    return np.asarray(logs[place].reshape(numbers.shape), dtype=np.float64)
