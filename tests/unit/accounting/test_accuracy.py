"""Accuracy +-a: closed forms, the exact integer rule against enumeration, and the way back."""

import math
import random
from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest

from dpviz.accounting import half_width, level_for_half_width
from dpviz.errors import ParameterError
from dpviz.noise import FAMILIES
from tests import oracles_accounting as oracle
from tests.conftest import few

GAUSSIAN, LAPLACE, POISSON = (FAMILIES[name] for name in ("gaussian", "laplace", "poisson"))


@pytest.mark.parametrize(
    ("confidence", "z"),
    [(0.90, 1.6448536269514722), (0.95, 1.959963984540054), (0.99, 2.5758293035489004)],
)
def test_gaussian_and_laplace_by_the_table(confidence, z):
    assert half_width(GAUSSIAN, 9.0, confidence) == pytest.approx(3 * z, rel=1e-14)
    assert half_width(LAPLACE, 2.0, confidence) == pytest.approx(
        -2 * math.log(1 - confidence), rel=1e-12
    )


@pytest.mark.parametrize("coordinates", [1, 2, 1000, 10**7])
@pytest.mark.parametrize("confidence", [1e-9, 0.3, 0.95, 1 - 1e-9])
def test_all_coordinates_at_once_at_forty_digits(coordinates, confidence):
    with mp.workdps(40):
        each = mp.mpf(confidence) ** (mp.mpf(1) / coordinates)
        gaussian, laplace = mp.sqrt(2) * mp.erfinv(each), -mp.log(1 - each)
    assert half_width(GAUSSIAN, 1.0, confidence, coordinates=coordinates) == pytest.approx(
        float(gaussian), rel=1e-12
    )
    assert half_width(LAPLACE, 1.0, confidence, coordinates=coordinates) == pytest.approx(
        float(laplace), rel=1e-12
    )


def test_all_coordinates_at_once_is_joint_coverage(seed):
    """Teeth: 200 coordinates within a together as often as promised, and not with one's own a."""
    rng = np.random.default_rng(seed)
    noise = np.abs(rng.normal(0.0, 2.0, size=(4000, 200))).max(axis=1)
    joint = half_width(GAUSSIAN, 4.0, 0.9, coordinates=200)
    assert abs(np.mean(noise <= joint) - 0.9) < 5 * math.sqrt(0.09 / 4000)
    assert np.mean(noise <= half_width(GAUSSIAN, 4.0, 0.9)) < 0.01


def poisson_mass(level):
    return lambda y: math.exp(y * math.log(level) - level - math.lgamma(y + 1))


def test_poisson_against_adding_integers_one_by_one(seed):
    rng = random.Random(seed)
    levels = [0.01, 0.5, 333.3, *(10 ** rng.uniform(-2, 2) for _ in range(40)), *range(1, 90, 2)]
    levels = few(levels, 4)
    for level in map(float, levels):
        for confidence in (rng.uniform(0.1, 0.999), rng.choice([0.2, 1 - 1e-9])):
            exact = oracle.integer_half_width(poisson_mass(level), Fraction(level), 1 - confidence)
            assert half_width(POISSON, level, confidence) == pytest.approx(float(exact), abs=1e-12)


WHOLE = ("discrete_laplace", "skellam")


@pytest.mark.parametrize("name", [*WHOLE, "exponential"])
@pytest.mark.parametrize("level", [0.2, 3.0, 2e4])
@pytest.mark.parametrize("confidence", [1e-9, 0.5, 0.86, 0.87, 0.95, 1 - 1e-12])
def test_half_widths_hold_the_confidence_by_the_distribution_function(name, level, confidence):
    """Of noise of whole numbers the least whole one; of exponential noise around its mean."""
    family = FAMILIES[name]
    width, mean = half_width(family, level, confidence), family.mean(level)

    def outside(a):
        below = family.cdf(mean - a - family.integer, level)
        return below + (below if family.symmetric else 1 - family.cdf(mean + a, level))

    if name not in WHOLE:
        assert outside(width) == pytest.approx(1 - confidence, rel=1e-3, abs=1e-9)
        return
    assert width == int(width)
    assert outside(width) <= (1 - confidence) * (1 + 1e-9)
    assert width == 0 or outside(width - 1) > 1 - confidence


@pytest.mark.parametrize("name", [*WHOLE, "exponential"])
@pytest.mark.parametrize("width", [1.0, 10.0, 500.0])
def test_the_way_back_is_the_largest_level_that_fits(name, width):
    family = FAMILIES[name]
    level = level_for_half_width(family, width, 0.95)
    assert half_width(family, level, 0.95) <= width
    assert half_width(family, level * (1 + 1e-6), 0.95) > width


@pytest.mark.parametrize("family", [GAUSSIAN, LAPLACE], ids=lambda f: f.name)
@pytest.mark.parametrize("coordinates", [1, 50, 10**7])
def test_the_way_back_is_largest_and_fits(family, coordinates, seed):
    rng = random.Random(seed)
    for _ in range(100):
        wanted, confidence = 10 ** rng.uniform(-6, 6), rng.uniform(1e-6, 0.9999)
        level = level_for_half_width(family, wanted, confidence, coordinates=coordinates)
        assert half_width(family, level, confidence, coordinates=coordinates) <= wanted
        more = level * (1 + 1e-14)
        assert half_width(family, more, confidence, coordinates=coordinates) > wanted * (1 - 1e-14)


def largest_poisson_level(wanted, confidence):
    """Every level on a fine grid, and every one where an integer enters or leaves the window."""
    z = -float(mp.sqrt(2) * mp.erfinv(-confidence))
    low, high = 0.3 * (wanted / z) ** 2, 1.7 * (wanted / z) ** 2 + 9
    events = [n + s * wanted for n in range(int(high + wanted) + 2) for s in (-1, 1)]
    events += [math.nextafter(e, 0.0) for e in events]
    grid = np.array(
        [*np.arange(low, high, 2e-3 if high < 500 else 0.1), *(e for e in events if low < e < high)]
    )
    from scipy.special import pdtr

    first, last = np.ceil(grid - wanted), np.floor(grid + wanted)
    inside = pdtr(last, grid) - np.where(first > 0, pdtr(np.maximum(first - 1, 0), grid), 0.0)
    exact_window = (grid - first <= wanted) & (last - grid <= wanted)
    return grid[(inside >= confidence) & exact_window].max()


@pytest.mark.parametrize("wanted", few([0.2, 1.0, 2.5, 5.0, 7.3, 20.0, 33.3, 50.0], 2))
@pytest.mark.parametrize("confidence", [0.3, 0.5, 0.9, 0.95, 0.99])
def test_poisson_way_back_finds_the_last_tooth(wanted, confidence):
    level = level_for_half_width(POISSON, wanted, confidence)
    assert half_width(POISSON, level, confidence) <= wanted
    assert level >= largest_poisson_level(wanted, confidence) * (1 - 1e-12)
    assert half_width(POISSON, level * (1 + 1e-12), confidence) > wanted


class Counting(type(POISSON)):
    """Poisson noise that counts how often its distribution function is asked."""

    asked = 0

    def cdf(self, x, level):
        Counting.asked += 1
        return super().cdf(x, level)


@pytest.mark.parametrize(("wanted", "confidence"), [(1e-6, 1e-6**0.5), (1e-6, 0.02), (0.3, 0.05)])
def test_the_last_of_very_many_teeth_is_found_by_strides(wanted, confidence):
    """One whole number at a time is held, so the tips fall as e^-n n^n/n! does."""
    Counting.asked = 0
    found = level_for_half_width(Counting(), wanted, confidence)
    assert Counting.asked < 2500  # one by one: a hundred times as often
    n = round(found)
    masses = [math.exp(k * math.log(k) - k - math.lgamma(k + 1)) for k in (n, n + 1)]
    assert masses[0] >= confidence * (1 - 1e-7)
    assert masses[1] < confidence
    assert half_width(POISSON, found, confidence) <= wanted


def test_the_saw_is_real():
    """Why a plain bisection would not do: a level that fits lies above one that does not."""
    assert half_width(POISSON, 664.0, 0.95) == 50.0
    assert half_width(POISSON, 660.9, 0.95) > 50.0
    assert level_for_half_width(POISSON, 50.0, 0.95) == 664.0


def test_no_level_is_that_coarse():
    with pytest.raises(ParameterError, match="no Poisson noise of a level up to"):
        level_for_half_width(POISSON, 1e8, 0.95)
    with pytest.raises(ParameterError, match="no level that a float can hold"):
        level_for_half_width(GAUSSIAN, 1e200, 0.95)


@pytest.mark.parametrize("bad", [0, 1.5, "2", True])
@pytest.mark.parametrize("call", [half_width, level_for_half_width])
def test_coordinates_are_counted(call, bad):
    with pytest.raises(ParameterError, match="coordinates must "):
        call(GAUSSIAN, 1.0, 0.9, coordinates=bad)
