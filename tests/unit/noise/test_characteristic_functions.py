"""When what is added is the only possible law, and that the steps of every family fit together.

MATHEMATICS 1.1: a characteristic function that is 0 on no interval leaves one law to be added, so
that two steps in a row are the long step. Fejér's law shows that something of the kind is needed.
"""

import math

import numpy as np
import pytest

from dpviz.noise import ADDITIVE
from tests.conftest import few, full_run

FORMS = {  # as MATHEMATICS 1.1 has them, by level and frequency
    "gaussian": lambda t, s: np.exp(-t * s**2 / 2),
    "laplace": lambda b, s: 1 / (1 + b**2 * s**2),
    "exponential": lambda m, s: 1 / (1 - 1j * m * s),
    "poisson": lambda rate, s: np.exp(rate * (np.exp(1j * s) - 1)),
    "skellam": lambda rate, s: np.exp(-2 * rate * (1 - np.cos(s))),
    "discrete_laplace": lambda b, s: np.expm1(-1 / b) ** 2 / abs(1 - np.exp(-1 / b + 1j * s)) ** 2,
}
LEVELS = (0.7, 1.3, 2.9)
FREQUENCIES = np.array([0.0, 0.4, 1.0, 2.2, math.pi])
GRID, REACH = 0.004, 60  # of an integral over the density


@pytest.mark.parametrize("name", ADDITIVE)
def test_no_family_has_a_frequency_without_weight(name):
    """The closed form is that of the law, and nowhere 0."""
    family, level = ADDITIVE[name], LEVELS[1]
    grid = 1.0 if family.integer else GRID
    x = np.arange(-REACH, REACH, grid) + (0 if family.integer else grid / 2)
    weight = grid * np.asarray(family.density(x, level))
    found = np.exp(1j * np.multiply.outer(FREQUENCIES, x)) @ weight
    assert found == pytest.approx(FORMS[name](level, FREQUENCIES), abs=2e-5)
    dense = np.linspace(0, math.pi if family.integer else 30, 2_000)
    assert all(np.abs(FORMS[name](each, dense)).min() > 0 for each in LEVELS[:2])


@full_run
@pytest.mark.parametrize("name", few(ADDITIVE, 2))
def test_two_steps_in_a_row_are_the_long_step(name):
    """C(l, m) * C(m, h) = C(l, h): extending in two steps has the law of extending in one."""
    family, (low, level, high) = ADDITIVE[name], LEVELS
    rng = np.random.default_rng(33)
    start = np.zeros(200_000, dtype=np.int64 if family.integer else np.float64)
    once = family.extend(start, low, high, rng=rng)
    twice = family.extend(family.extend(start, low, level, rng=rng), level, high, rng=rng)
    for s in (0.3, 1.1, 2.5):
        exact = FORMS[name](high, s) / FORMS[name](low, s)
        for drawn in (once, twice):
            assert np.exp(1j * s * drawn).mean() == pytest.approx(exact, abs=0.012)


# Fejér's law has the characteristic function max(0, 1 - |s|). On [-1, 1] alone it has weight, and
# there the square of `step` is exp(-|s|), that of Cauchy's law; further out it is not.
def step(s):
    """A Pólya function: even, convex and falling from 1 to 0, so a characteristic function."""
    s = np.abs(s)
    return np.where(s <= 1, np.exp(-s / 2), math.exp(-0.5) * np.maximum(3 - s, 0) / 2)


def density(power, x):
    """Of the law with the characteristic function step^power, by the integral over s."""
    nodes, weights = np.polynomial.legendre.leggauss(400)
    total = np.zeros_like(x)
    for low, high in ((0.0, 1.0), (1.0, 3.0)):
        s = (high - low) / 2 * nodes + (high + low) / 2
        total += np.cos(np.multiply.outer(x, s)) @ (weights * step(s) ** power) * (high - low) / 2
    return total / math.pi


def test_without_that_condition_two_laws_may_be_added():
    s = np.linspace(-4, 4, 801)
    fejer, cauchy = np.maximum(1 - np.abs(s), 0), np.exp(-np.abs(s))
    assert fejer * step(s) ** 2 == pytest.approx(fejer * cauchy, abs=1e-15)
    assert np.abs(step(s) ** 2 - cauchy).max() > 0.01
    falling = np.diff(step(np.linspace(0, 4, 4001)))  # Pólya's condition: it falls ever slower
    assert falling.max() <= 0
    assert np.diff(falling).min() > -1e-12


@full_run  # mathematics alone
def test_and_a_later_request_between_the_two_then_gets_the_wrong_law():
    """First l and h, with a Cauchy step; then m by a bridge of two steps: its law is not D(m)."""
    reach, grid = 150, 0.05
    k = np.arange(-reach, reach + grid / 2, grid)
    one, two, cauchy = density(1, k), density(2, k), 1 / (math.pi * (1 + k**2))
    for s in (0.5, 0.75):
        wave = np.convolve(one * np.cos(s * k), one, mode="same") * grid
        # E exp(isW), W given W + W' = k with k drawn by Cauchy's law, less that with k as W + W'
        wrong = float(((cauchy / two - 1) * wave).sum() * grid)
        assert wrong < -8e-4  # so what D(m) shows there, 1 - s times step(s), is missed
