"""A coalition attacks: what it gets in many simulated worlds, through the real samplers.

Every world is one coordinate. Exactly one number is looked for: 0, or 0 + Δ if the person is in.
Lossless: all members hold releases of one session (`MultipleRelease`), and the least noisy one is
the best estimate, since the others are that one plus noise that is independent of the data.
Independent: every member's release comes from a session of its own, and the mean weighted by
1/variance is the best linear estimate. The membership test is the likelihood ratio of all that is
held. The exact numbers are made up and public, so nothing here is private.
Source: MATHEMATICS 5.4, 5.6.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.noise.family import DOUBLE_EXPONENTIAL, NORMAL, Array, Family
from dpviz.release import MultipleRelease

Floats = NDArray[np.float64]
MOST_PERSONS = 200  # simulated at once
LEAST_DENSITY = 1e-300  # a smaller one counts as this
DIGITS = 9  # of a log ratio; outcomes that say the same must tie exactly


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

    def __post_init__(self) -> None:
        checks.arrays(1, errors=self.errors, out=self.out, inside=self.inside)
        checks.arrays(1, least=0, joining=self.joining)

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
    moved: float,
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
        moved: Δ, how far one person moves the number that is attacked; above 0, and whole for
            whole-number noise.
        worlds: n, with the person and without.
        lossless: whether all hold releases of one session.
        rng: what all noise is drawn from.

    Raises:
        ParameterError: no person or more than 200, or a value out of range.

    >>> from dpviz import streams
    >>> from dpviz.noise import FAMILIES
    >>> noise, rng = FAMILIES["gaussian"], streams.teaching(7)
    >>> held = attack_worlds(noise, [1.0, 4.0], 1.0, 40_000, lossless=True, rng=rng)
    >>> held.joining.round(1).tolist(), round(held.success(), 2)
    ([1.0, 1.0], 0.69)
    """
    checks.positive(moved=moved)
    worlds = checks.integer(1, worlds=worlds)
    if family.integer and moved != int(moved):
        raise ParameterError("moved must be a whole number for whole-number noise: round it up")
    if not 1 <= len(levels) <= MOST_PERSONS:
        raise ParameterError(f"a simulated coalition has 1 to {MOST_PERSONS} persons")
    exact = np.zeros(2 * worlds, dtype=np.int64 if family.integer else np.float64)
    exact[worlds:] = moved
    held_by = _lossless if lossless else _independent
    estimates, score = held_by(family, levels, exact, moved, rng)
    errors = np.asarray(estimates - exact, dtype=np.float64)
    return Worlds(
        errors=errors[-1, :worlds],
        out=score[:worlds],
        inside=score[worlds:],
        joining=np.sqrt(np.mean(np.square(errors), axis=1)),
    )


def _lossless(
    family: Family, levels: Sequence[float], exact: Array, moved: float, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Estimates as one after the other asks one session, and the scores of all that is held.

    The release of the least private person so far holds all that they hold.
    """
    session = MultipleRelease(exact, family, rng=rng)
    for level in levels:
        session.release(level)
    least = np.minimum.accumulate(levels)
    estimates = [session.release(float(level)) - family.mean(float(level)) for level in least]
    best = float(least[-1])
    return np.array(estimates), log_ratio(family, session.release(best), best, moved)


def _independent(
    family: Family, levels: Sequence[float], exact: Array, moved: float, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Each person has a session of their own; the weights are 1/variance, the scores add."""
    # Coordinates of a session are independent: persons of one level share one, in blocks.
    blocks = {
        level: MultipleRelease(np.tile(exact, count), family, rng=rng).release(level)
        for level, count in Counter(levels).items()
    }
    own = {level: iter(block.reshape(-1, exact.size)) for level, block in blocks.items()}
    held = [next(own[level]) for level in levels]
    weights = np.array([1 / family.variance(level) for level in levels])
    centred = np.array([h - family.mean(v) for h, v in zip(held, levels, strict=True)])
    estimates = np.cumsum(centred * weights[:, np.newaxis], axis=0)
    estimates /= np.cumsum(weights)[:, np.newaxis]
    score = np.zeros(exact.size)
    for level, block in blocks.items():
        score += log_ratio(family, block, level, moved).reshape(-1, exact.size).sum(axis=0)
    return estimates, score


def log_ratio(family: Family, held: Array, level: float, moved: float) -> Floats:
    """Log of how much likelier a held number is if the person is in; noise of one coordinate.

        Gaussian  Δ (y − Δ/2) / t        Laplace  (|y| − |y − Δ|) / b        others  ln P(y−Δ)/P(y)

    >>> from dpviz.noise import FAMILIES
    >>> log_ratio(FAMILIES["laplace"], np.array([-1.0, 0.5, 3.0]), 2.0, 1.0).tolist()
    [-0.5, 0.0, 0.5]
    """
    if family.shape == NORMAL:
        ratio = moved * (held - moved / 2) / level
    elif family.shape == DOUBLE_EXPONENTIAL:
        ratio = (np.abs(held) - np.abs(held - moved)) / level
    else:
        seen, place = np.unique(held, return_inverse=True)
        inside, out = (
            np.log(np.maximum(family.density(x, level), LEAST_DENSITY))
            for x in (seen - moved, seen)
        )
        ratio = (inside - out)[place]
    return np.asarray(np.round(ratio, DIGITS), dtype=np.float64)
