"""What floats give away: attacks on noise in floating point, beside noise in whole numbers.

Mironov's attack: a number that was released for the exact answer 0 and that no random number at all
could have given for the answer 1. The precision attack: a binary digit that is finer than any sum
with 1 has. Both are run on single releases and on correlated pairs.
[M12] Mironov, On significance of the least significant bits for differential privacy, 2012.
"""

import math
from fractions import Fraction

import numpy as np
import pytest

from dpviz import streams
from dpviz.errors import HardenedModeError
from dpviz.noise import ADDITIVE, FAMILIES
from dpviz.release import MultipleRelease
from tests.conftest import few, full_run

DRAWS = 20_000
GRID = 2**53  # numpy's uniform numbers are multiples of 1/GRID
NEAR = 4  # such multiples to either side of the one that is looked for
FINE = -53.0  # a sum with 1 has no digit below 2⁻⁵³
FLOATS = [name for name, family in ADDITIVE.items() if not family.integer]
WHOLE = [name for name, family in ADDITIVE.items() if family.integer]


def numpy_laplace(uniform, scale):
    """As numpy makes a Laplace number of a uniform one."""
    if uniform >= 0.5:
        return -scale * math.log(2.0 - uniform - uniform)
    return scale * math.log(uniform + uniform)


def possible(released, exact, scale):
    """Whether numpy's Laplace noise could have given this number for this exact answer."""
    tail = math.exp(-abs(released - exact) / scale) / 2
    middle = round((tail if released < exact else 1 - tail) * GRID)
    near = range(max(middle - NEAR, 1), min(middle + NEAR, GRID - 1) + 1)
    return any(exact + numpy_laplace(multiple / GRID, scale) == released for multiple in near)


def impossible_share(released, exact, scale):
    return np.mean([not possible(each, exact, scale) for each in released.tolist()])


def digit(numbers):
    """Exponent of the last binary digit that is not 0, by the fraction that a float is."""
    fractions = map(Fraction, numbers.tolist())
    return np.array([1 - each.denominator.bit_length() if each else math.inf for each in fractions])


@pytest.mark.parametrize("scale", few([1.0, 2.0, 10.0], 3))
def test_four_of_five_numpy_laplace_numbers_could_not_come_from_the_other_table(scale):
    rng = np.random.default_rng(12)
    zero, one = (exact + rng.laplace(0, scale, DRAWS) for exact in (0.0, 1.0))
    assert impossible_share(zero, 0.0, scale) == impossible_share(one, 1.0, scale) == 0
    assert 0.78 < impossible_share(zero, 1.0, scale) < 0.84
    assert 0.78 < impossible_share(one, 0.0, scale) < 0.84


@pytest.mark.parametrize("name", WHOLE)
def test_no_whole_number_is_impossible_for_the_other_table(name):
    """By the chances of the family: every number that came from 0 can come from 1 and back.

    Poisson noise never falls, so from 1 no 0 can come: its δ, which is part of its promise.
    """
    family = FAMILIES[name]
    level = 20.0 if family.level_unit == "rate" else 1.0
    for exact, other in ((0, 1), (1, 0)):
        session = MultipleRelease(np.full(DRAWS, exact), family, rng=streams.hardened())
        for each in (3 * level, level):  # a single release, and the two of a pair
            released = session.release(each)
            chances = family.density(released - other, each)
            impossible = np.mean(chances == 0)
            if family.never_falls:
                assert impossible <= 1e-3
            else:
                assert impossible == 0


def pair(family, exact, rng):
    """Two releases of one session, and their difference: the noisier one is drawn first."""
    level = 20.0 if family.level_unit == "rate" else 1.0
    session = MultipleRelease(np.full(DRAWS, exact), family, rng=rng)
    noisier, less = session.release(3 * level), session.release(level)
    return less, noisier, noisier - less


def numpy_pair(exact):
    rng = np.random.default_rng(3)
    less = exact + rng.laplace(0, 1.0, DRAWS)
    moved = rng.random(DRAWS) > 1 / 9  # the step to scale 3, as a naive program draws it
    return less, less + moved * rng.laplace(0, 3.0, DRAWS)


@full_run
def test_fine_digits_betray_floats_alone_and_in_pairs():
    """Of numpy's Laplace noise 0.27 has a digit that no sum with 1 has; ours for teaching, too."""
    single, noisier = numpy_pair(0.0)
    assert 0.25 < np.mean(digit(single) < FINE) < 0.29
    assert not np.any(digit(numpy_pair(1.0)[0]) < FINE)
    assert np.mean(digit(noisier) < FINE) > 0.05
    assert np.mean((digit(single) < FINE) | (digit(noisier) < FINE)) > 0.27  # both tell more
    for name in ("gaussian", "laplace"):
        zero, one = (pair(FAMILIES[name], exact, streams.teaching(3)) for exact in (0, 1))
        assert all(np.mean(digit(each) < FINE) > 0.05 for each in zero[:2])
        assert not any(np.any(digit(each) < FINE) for each in one[:1])


@pytest.mark.parametrize("name", few(WHOLE, 3))
def test_whole_numbers_have_no_fine_digits(name):
    for exact in (0, 1):
        for released in pair(FAMILIES[name], exact, streams.hardened()):
            assert released.dtype.kind == "i"
            assert not np.any(digit(released) < 0)


@pytest.mark.parametrize("name", FLOATS)
def test_so_hardened_mode_refuses_floats(name):
    with pytest.raises(HardenedModeError, match="whose last digits give the exact values away"):
        MultipleRelease([0.0], FAMILIES[name], rng=streams.hardened())
