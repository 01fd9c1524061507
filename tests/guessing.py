"""Right guesses of 1,000 about one person, by simulated worlds and by two hills.

Two truths, one apart, are equally likely. For normal noise the best guess is linear in the numbers.
"""

import math
from collections.abc import Mapping, Sequence
from types import SimpleNamespace

import numpy as np
from numpy.typing import NDArray
from scipy import integrate, stats

from dpviz import streams
from dpviz.accounting.levels import gaussian_level
from dpviz.noise import FAMILIES
from dpviz.release import MultipleRelease
from tests.conftest import FULL

WORLDS = 2_000_000 if FULL else 100_000
WITHIN = 4.5 * 1000 * math.sqrt(0.25 / WORLDS)
GAUSSIAN = FAMILIES["gaussian"]
Floats = NDArray[np.float64]


def truths(least: float = 0.0) -> Floats:
    """The truth of each world."""
    return least + np.random.default_rng(11).integers(0, 2, WORLDS).astype(float)


def worlds(
    least: float, asking: Mapping[str, float], apart: Mapping[str, float]
) -> SimpleNamespace:
    """Truths, numbers of one session in the order of asking, and numbers with independent noise.

    Args:
        least: the smaller truth.
        asking: budgets by name, in the order in which one session is asked.
        apart: budgets by name of numbers that have a session each.
    """
    truth = truths(least)
    session = MultipleRelease(truth, GAUSSIAN, rng=streams.teaching(5))
    here = {name: session.release(gaussian_level(rho, 1.0)) for name, rho in asking.items()}
    usual = {
        name: MultipleRelease(truth, GAUSSIAN, rng=streams.teaching(6, k)).release(
            gaussian_level(rho, 1.0)
        )
        for k, (name, rho) in enumerate(apart.items())
    }
    return SimpleNamespace(truth=truth, here=here, usual=usual)


def guessed(truth: Floats, numbers: Sequence[Floats]) -> float:
    """Right guesses of 1,000 by the best weights for these numbers, found from the worlds."""
    held, middle = np.stack(numbers), (truth.min() + truth.max()) / 2
    weights = np.linalg.solve(np.atleast_2d(np.cov(held - truth)), np.ones(len(held)))
    guess = weights @ held > weights.sum() * middle
    return float(1000 * np.mean(guess == (truth > middle)))


def overlap(rho: float, people: int = 1) -> float:
    """Right guesses of 1,000 from the two laws: half of the larger density at each number."""
    sd, middle = math.sqrt(gaussian_level(rho, 1.0)), people / 2

    def larger(x: float) -> float:
        return float(max(stats.norm.pdf(x, 0, sd), stats.norm.pdf(x, people, sd)))

    halves = [(-12 * sd, middle), (middle, people + 12 * sd)]
    return float(500 * sum(integrate.quad(larger, *ends)[0] for ends in halves))
