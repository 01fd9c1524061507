"""Budget to level and back: private rounding, the rules of noise of whole numbers, refusals."""

import math
import random
from fractions import Fraction
from itertools import pairwise

import mpmath as mp
import numpy as np
import pytest

from dpviz.accounting import half_width, level_for_half_width, skellam_renyi_epsilon
from dpviz.accounting import skellam_coordinate_epsilon as one_coordinate
from dpviz.accounting.levels import (
    discrete_laplace_level,
    gaussian_level,
    gaussian_rho,
    laplace_epsilon,
    laplace_level,
)
from dpviz.accounting.poisson_levels import poisson_epsilon, poisson_level, poisson_rule
from dpviz.accounting.skellam_levels import skellam_epsilon, skellam_level, skellam_rule
from dpviz.errors import NoGuaranteeError, ParameterError
from dpviz.noise import FAMILIES
from tests import oracles_accounting as oracle
from tests.conftest import few
from tests.oracles_accounting import sensitivities as moves

# --- Budget to level and back: private rounding, the three rules of Poisson, bad input -----------

DELTA = 1e-6


ONE = moves(1, 1, 1, 20)  # one person in one of twenty groups
THREE = moves(3, math.sqrt(3), 1, 20)  # one person in three of twenty groups
VECTOR = moves(2, 2, 2, 20)  # one person counts twice in one group, or once in two
MANY = moves(60, 60, 60, 1000)  # too many ways to count sixty times
SUM = moves(7, 7, 7, 1)  # one coordinate moved by up to seven


def test_the_way_back_never_overspends(seed):
    rng = random.Random(seed)
    for _ in range(100):
        budget, sensitivity = 10 ** rng.uniform(-12, 12), 10 ** rng.uniform(-6, 6)
        for level_of, cost_of in ((gaussian_level, gaussian_rho), (laplace_level, laplace_epsilon)):
            level = level_of(budget, sensitivity)
            assert cost_of(level, sensitivity) <= budget
            assert cost_of(level * (1 - 1e-15), sensitivity) > budget * (1 - 1e-15)
            assert cost_of(level, sensitivity) == pytest.approx(budget, rel=1e-15)


def test_nobody_moves_costs_nothing_and_needs_no_noise():
    assert gaussian_rho(1.0, 0) == laplace_epsilon(1.0, 0.0) == 0.0
    nobody = moves(0, 0, 0, 3)
    for epsilon_of in (poisson_epsilon, skellam_epsilon):
        assert epsilon_of(1.0, DELTA, **nobody) == 0
    for call in (
        lambda: gaussian_level(1.0, 0.0),
        lambda: laplace_level(1.0, 0),
        lambda: discrete_laplace_level(1.0, 0),
        lambda: poisson_level(1.0, DELTA, **nobody),
        lambda: skellam_level(1.0, DELTA, **nobody),
    ):
        with pytest.raises(ParameterError, match="nobody can move the statistic"):
            call()


def test_rules_are_named():
    names = [poisson_rule(400.0, **m) for m in (ONE, SUM, THREE, VECTOR, MANY)]
    assert names[:2] == ["exact, one coordinate"] * 2
    assert names[2:4] == ["exact, sum over the coordinates that one person moves"] * 2
    assert names[4] == "Theorem E.2"
    assert poisson_rule(400.0, **THREE, directions=(3, 3)) == names[2]
    assert poisson_rule(400.0, **VECTOR, l0_sensitivity=1) == names[0]
    assert poisson_rule(400.0, **moves(2.5, 2, 1, 9)) == names[2]  # whole: at most two by one
    assert poisson_rule(400.0, **moves(0.5, 0.5, 0.5, 9)) == "Theorem E.2"
    assert poisson_rule(2e9, **ONE) == "Theorem E.2"
    assert poisson_rule(5.0, **moves(1, 1, 1, 1)) == "exact, one coordinate"


def test_the_scale_that_the_design_states():
    assert poisson_level(1.0, DELTA, **ONE) == pytest.approx(34.0679, abs=1e-4)
    theorem = poisson_level(500.0, DELTA, **MANY)
    assert theorem == pytest.approx(23 * math.log(10 * 1000 / DELTA), rel=1e-12)


LEAST = [(1.0, 1e-6), (0.1, 1e-6), (0.02, 1e-3)]
BUDGETS = [*LEAST, (1e-3, 1e-12), (5.0, 1e-12), (50.0, 1e-12), (5.0, 0.3)]
HOWS = {"one": ONE, "three": THREE, "vector": VECTOR, "sum": SUM, "many": MANY}


@pytest.mark.parametrize(("epsilon", "delta"), few(BUDGETS, 3))
@pytest.mark.parametrize("how", HOWS)
def test_poisson_level_never_overspends(epsilon, delta, how):
    level = poisson_level(epsilon, delta, **HOWS[how])
    assert poisson_epsilon(level, delta, **HOWS[how]) <= epsilon


@pytest.mark.parametrize(("epsilon", "delta"), LEAST)
@pytest.mark.parametrize("how", [*HOWS][:-1])
def test_poisson_level_is_least(epsilon, delta, how):
    level = poisson_level(epsilon, delta, **HOWS[how])
    assert poisson_epsilon(level * (1 - 1e-5), delta, **HOWS[how]) > epsilon


def test_epsilon_never_rises_with_the_level_under_one_rule():
    levels = [16 * 1.25**k for k in few(range(25), 3)]
    for how in (ONE, THREE):
        epsilons = [poisson_epsilon(level, DELTA, **how) for level in levels]
        assert all(b <= a * (1 + 1e-6) for a, b in pairwise(epsilons))


def test_never_more_groups_than_coordinates():
    loose = moves(5, math.sqrt(5), 1, 2)
    assert poisson_level(1.0, DELTA, **loose) == poisson_level(1.0, DELTA, **moves(2, 2**0.5, 1, 2))


def test_no_guarantee_is_a_named_error():
    with pytest.raises(NoGuaranteeError, match="no theorem gives a guarantee"):
        poisson_epsilon(100.0, DELTA, **MANY)
    with pytest.raises(NoGuaranteeError, match="no finite epsilon"):
        poisson_epsilon(10.0, DELTA, **ONE)
    assert poisson_epsilon(100.0, DELTA, **ONE) < 1


def test_beyond_the_exact_sums_the_theorem_takes_over():
    level = poisson_level(1e-5, DELTA, **ONE)
    assert level > 1e9
    assert poisson_rule(level, **ONE) == "Theorem E.2"
    assert poisson_epsilon(level, DELTA, **ONE) <= 1e-5
    millions = moves(10**6, 10**6, 10**6, 1)
    assert poisson_rule(400.0, **millions) == "Theorem E.2"
    assert poisson_epsilon(poisson_level(1.0, DELTA, **millions), DELTA, **millions) <= 1.0


def test_what_no_float_can_hold_is_refused():
    for call in (
        lambda: gaussian_level(1e-300, 1e100),
        lambda: gaussian_level(1e300, 1e-100),
        lambda: gaussian_rho(1e-300, 1e300),
        lambda: laplace_level(1e-200, 1e200),
        lambda: laplace_epsilon(1e-300, 1e300),
    ):
        with pytest.raises(ParameterError, match="beyond what a float can hold"):
            call()
    with pytest.raises(ParameterError, match="too small for any noise"):
        poisson_level(1e-200, DELTA, **ONE)


# --- Budget to level and back for the integer families: rules, rounding, refusals ----------------

ALONE = moves(1, 1, 1, 1)
NINE = moves(9, 3, 1, 20)


def test_discrete_laplace_epsilon_is_what_the_masses_say():
    level = discrete_laplace_level(0.7, 2)
    here, moved = FAMILIES["discrete_laplace"].density([5, 7], level)
    assert math.log(here / moved) == pytest.approx(0.7, rel=1e-9)


@pytest.mark.parametrize("epsilon", [1e-3, 0.5, 3.0, 40.0])
@pytest.mark.parametrize("how", [ALONE, NINE], ids=["one", "nine"])
@pytest.mark.parametrize("delta", [1e-9, 1e-3])
def test_skellam_never_overspends(epsilon, how, delta):
    level = skellam_level(epsilon, delta, **how)
    assert skellam_epsilon(level, delta, **how) <= epsilon
    assert skellam_epsilon(level * (1 - 1e-5), delta, **how) > epsilon


def test_exact_where_the_moves_can_be_looked_at_and_bounded_beyond():
    log_delta = math.log(1e-6)
    exact = one_coordinate(log_delta, 20.0)
    assert skellam_epsilon(20.0, 1e-6, **ALONE) == exact
    assert skellam_epsilon(20.0, 1e-6, **(ALONE | {"dimension": 7})) == exact  # one of seven moves
    three = moves(5, 4, 3, 1)
    assert skellam_epsilon(20.0, 1e-6, **three) == one_coordinate(log_delta, 20.0, shift=3)
    bound = skellam_renyi_epsilon(20.0, log_delta, l1_sensitivity=9, l2_sensitivity=3)
    assert 0.5 * bound < skellam_epsilon(20.0, 1e-6, **NINE) < 0.95 * bound
    assert skellam_rule(20.0, **NINE) == "exact, sum over the coordinates that one person moves"
    many = moves(60, 60, 60, 99)
    bound = skellam_renyi_epsilon(2e4, log_delta, l1_sensitivity=60, l2_sensitivity=60)
    assert skellam_epsilon(2e4, 1e-6, **many) == bound
    assert [skellam_rule(2e4, **many), skellam_rule(2e9, **ALONE)] == ["Rényi bound"] * 2
    assert skellam_epsilon(20.0, 1e-6, **(many | {"l0_sensitivity": 1})) == one_coordinate(
        log_delta, 20.0, shift=60
    )


def test_beyond_the_exact_sums_the_bound_takes_over():
    level = skellam_level(1e-6, 1e-6, **ALONE)
    assert level > 1e9
    assert skellam_epsilon(level, 1e-6, **ALONE) <= 1e-6


# --- Accuracy +-a ---


GAUSSIAN, LAPLACE, POISSON = (FAMILIES[name] for name in ("gaussian", "laplace", "poisson"))


@pytest.mark.parametrize("coordinates", [1, 2, 1000, 10**7])
@pytest.mark.parametrize("confidence", [1e-9, 0.3, 0.95, 1 - 1e-9])
def test_all_coordinates_at_once_at_forty_digits(coordinates, confidence):
    with mp.workdps(40):
        each = mp.mpf(confidence) ** (mp.mpf(1) / coordinates)
        gaussian, laplace = mp.sqrt(2) * mp.erfinv(each), -mp.log(1 - each)
    for family, level, exact in ((GAUSSIAN, 9.0, 3 * gaussian), (LAPLACE, 2.0, 2 * laplace)):
        found = half_width(family, level, confidence, coordinates=coordinates)
        assert found == pytest.approx(float(exact), rel=1e-12)


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
