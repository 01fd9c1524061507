"""The Laplace path against vectors, against the definition at 30 digits, and bit by bit."""

import math
from fractions import Fraction

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from dpviz import streams
from dpviz.noise import FAMILIES
from dpviz.noise.laplace_path import (
    branches_between,
    bridge_one,
    logarithm_of_one,
    signed_logarithm,
)
from tests.conftest import few, for_each, full_run
from tests.oracles_noise import LaplaceBridge, laplace_branches
from tests.statistical import DRAWS, LEVEL

LAPLACE = FAMILIES["laplace"]
CLOSE = [  # (low, level, high): differences carry everything here
    (1.0, 1.0 + 1e-9, 2.0),
    (1.0, 3.0 - 1e-9, 3.0),
    (0.7, 1.1, math.nextafter(1.1, 2.0)),
    (0.0, 1.0, math.nextafter(1.0, 2.0)),
    (1.0, math.nextafter(1.0, 2.0), 3.0),
    (1.0, math.nextafter(1.0, 2.0), math.nextafter(math.nextafter(1.0, 2.0), 2.0)),
    (1e-12, 1e-6, 1e12),
]
ALL = [*CLOSE, (0.5, 1.0, 2.5), (0.0, 3.0, 4.0), (1e-100, 1.0, 1e100)]


class Uniforms:
    """Stands in for a generator: gives out the numbers it was made with."""

    def __init__(self, numbers):
        self.numbers = np.array(numbers, dtype=float)

    def random(self, out):
        out[:] = self.numbers


def even(size):
    """The midpoints of `size` equal parts of (0, 1): every share comes out to within 1/size."""
    return Uniforms((np.arange(size) + 0.5) / size)


def chance_of_above(law, k):
    """P(W = k) with the sampler's own numbers: E passes |k|, but not by more than `rest`."""
    passed = math.exp(-abs(k) / law.toward_scale)
    return law.toward * passed * -math.expm1(-law.rest / law.toward_scale)


def chance_below(law, k, x):
    """P(W < x) for k > 0, branch by branch."""
    if x <= 0:
        return law.away * math.exp(x / law.away_scale)
    start = law.away + law.stay
    if x <= k:
        return start + law.toward * -math.expm1(-x / law.toward_scale)
    beyond = k + law.rest + (x - k) / law.slope
    return start + law.toward * -math.expm1(-beyond / law.toward_scale)


def mean_of(law, k):
    """E[W] = E[min(E, |k|)] + slope·E[(E - |k| - rest)⁺] - E[step away], signed."""
    scale = law.toward_scale
    toward = scale * -math.expm1(-abs(k) / scale)
    beyond = law.slope * scale * math.exp(-(abs(k) + law.rest) / scale)
    step = law.toward * (toward + beyond) - law.away * law.away_scale
    return math.copysign(step, k)


@for_each("levels", ALL)
def test_branches_against_fractions(levels):
    law = branches_between(*levels)
    for got, exact in zip(law[:3], laplace_branches(*levels), strict=True):
        assert got == 0 if exact == 0 else abs(Fraction(got) / exact - 1) < 2e-15
    assert sum(laplace_branches(*levels)) == 1


@pytest.mark.parametrize("levels", few(ALL[:-1], 3))
def test_atoms_keep_full_precision_whatever_the_levels(levels):
    law = branches_between(*levels)
    k = 1.7 * levels[1]
    oracle = LaplaceBridge(*levels, k)
    assert_allclose(law.stay, float(oracle.zero), rtol=1e-14)
    assert_allclose(chance_of_above(law, k), float(oracle.whole), rtol=1e-13)


@for_each(
    ("levels", "k"),
    [((1, 2, 4), 3), ((0.5, 1, 1.5), -0.7), ((1, 1.1, 10), 25), ((0, 1, 2), 1.25)],
)
def test_atoms_and_mean_are_those_of_the_definition(levels, k):
    """The first case is the example of MATHEMATICS 2.3."""
    law, oracle = branches_between(*levels), LaplaceBridge(*levels, k)
    got = law.stay, chance_of_above(law, k), mean_of(law, k)
    wanted = oracle.zero, oracle.whole, oracle.mean()
    assert_allclose(got, [float(each) for each in wanted], rtol=1e-12)
    if k == 3:
        assert [round(each, 5) for each in got[:2]] == [0.2, 0.18895]


@full_run
@pytest.mark.parametrize("levels", few([(0.5, 1.0, 2.5), (0.0, 3.0, 4.0), (1.0, 1.01, 30.0)], 3))
def test_whole_law_against_the_definition(levels):
    law, k = branches_between(*levels), 2.0
    oracle = LaplaceBridge(*levels, k)
    for x in (-3.0, -0.2, 0.3, 1.1, 1.999, 2.001, 2.5, 9.0):
        assert_allclose(chance_below(law, k, x), float(oracle.below(x)), rtol=1e-12)


@pytest.mark.parametrize("k", [2.0, -2.0])
def test_sampler_is_the_inverse_of_that_law(k):
    """No randomness: evenly spaced uniform numbers come out evenly spaced in probability."""
    size, levels = 16_000, (0.5, 1.0, 2.5)
    drawn = LAPLACE.bridge(np.zeros(size), np.full(size, k), *levels, rng=even(size))
    law = branches_between(*levels)
    drawn *= math.copysign(1, k)
    for x in (-3.0, -0.2, 0.3, 1.1, 1.999, 2.001, 2.5, 9.0):
        assert_allclose((drawn < x).mean(), chance_below(law, abs(k), x), atol=2 / size)
    assert_allclose((drawn == 0).mean(), law.stay, atol=2 / size)
    assert_allclose((drawn == 2).mean(), chance_of_above(law, k), atol=2 / size)


def test_signed_logarithm_splits_the_uniform_number():
    got = np.empty(20_000)
    signed_logarithm(got, np.empty_like(got), 0.25, 0.5, rng=even(got.size))
    assert_allclose([(got < 0).mean(), (got == 0).mean()], [0.25, 0.25], atol=1e-4)
    for x in (0.1, 1.0, 3.0):
        assert_allclose((got < -x).mean(), 0.25 * math.exp(-x), atol=1e-4)
        assert_allclose((got > x).mean(), 0.5 * math.exp(-x), atol=1e-4)


@pytest.mark.parametrize("levels", ALL)
@pytest.mark.parametrize("k", [-1e9, -1.0, -1e-9, 0.0, 1e-9, 1.0, 1e9])
def test_the_ends_of_the_uniform_numbers_stay_finite(levels, k):
    ends = Uniforms([0.0, 2.0**-53, 0.5, 1 - 2.0**-53])
    drawn = LAPLACE.bridge(np.zeros(4), np.full(4, k), *levels, rng=ends)
    assert np.isfinite(drawn).all()
    stepped = LAPLACE.extend(np.zeros(4), levels[0], levels[2], rng=ends)
    assert np.isfinite(stepped).all()
    if k == 0:
        assert_array_equal(drawn, 0)
    law = branches_between(*levels)
    assert all(math.isfinite(bridge_one(0.0, k, law, end)) for end in ends.numbers.tolist())


@pytest.mark.parametrize("levels", ALL)
def test_one_number_and_many_are_drawn_alike(levels, seed):
    """The plain form of the law and its form for whole arrays, from the same uniform numbers."""
    rng, law, size = streams.teaching(seed), branches_between(*levels), 3000
    below, above = rng.laplace(size=(2, size)) * levels[1]
    above[:100] = below[:100]
    uniform = rng.random(size)
    many = LAPLACE.bridge(below, above, *levels, rng=Uniforms(uniform))
    coordinates = np.array([below, above, uniform]).T.tolist()
    one = [bridge_one(start, end, law, number) for start, end, number in coordinates]
    assert_allclose(many, one, rtol=1e-11, atol=1e-11 * levels[1])
    assert_array_equal(many == below, np.array(one) == below)
    assert_array_equal(many == above, np.array(one) == above)
    signed = np.empty(size)
    signed_logarithm(signed, np.empty(size), 0.3, 0.3, rng=Uniforms(uniform))
    assert_allclose(signed, [logarithm_of_one(u, 0.3, 0.3) for u in uniform], rtol=0, atol=1e-14)


def test_draws_of_single_numbers_use_the_same_uniform_numbers():
    for levels in ((0.5, 1.0, 2.5), (0.0, 3.0, 4.0)):
        one, many = streams.teaching(4), streams.teaching(4)
        below, above = np.zeros(200), np.full(200, 1.5)
        drawn = [LAPLACE.bridge(below[:1], above[:1], *levels, rng=one)[0] for _ in below]
        assert_allclose(drawn, LAPLACE.bridge(below, above, *levels, rng=many), rtol=1e-12)
        drawn = [LAPLACE.extend(below[:1], levels[0], levels[2], rng=one)[0] for _ in below]
        assert_allclose(drawn, LAPLACE.extend(below, levels[0], levels[2], rng=many), rtol=1e-12)


def test_atoms_are_copied_bit_for_bit(seed):
    """`below + (above - below)` would miss `above` in many places; a copy never does."""
    rng = streams.teaching(seed)
    below = rng.standard_normal(DRAWS) * 1e6
    above = rng.standard_normal(DRAWS)
    assert (below + (above - below) != above).mean() > 0.5
    levels = (5e5, 1e6, 1.1e6)
    drawn = LAPLACE.bridge(below, above, *levels, rng=rng)
    law = branches_between(*levels)
    whole = np.mean([chance_of_above(law, k) for k in above - below])
    for neighbour, mass in ((below, law.stay), (above, whole)):
        hits = int((drawn == neighbour).sum())
        assert abs(hits - mass * DRAWS) < 6 * math.sqrt(DRAWS * mass)
        near = np.isclose(drawn, neighbour, rtol=1e-9, atol=0)
        assert near.sum() <= hits + 3  # no near misses either


def test_extend_rests_with_the_square_of_the_ratio(seed):
    start = np.arange(DRAWS) / 7
    drawn = LAPLACE.extend(start, 0.6, 1.0, rng=streams.teaching(seed))
    rests = int((drawn == start).sum())
    assert stats.binomtest(rests, DRAWS, 0.36).pvalue > LEVEL
    fresh = LAPLACE.extend(start, 0, 1.0, rng=streams.teaching(seed))
    assert (fresh != start).all()
