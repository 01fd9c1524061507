"""The discrete Laplace path: exact fractions, vectors, and the law at every scale."""

import math
from fractions import Fraction
from functools import partial
from itertools import pairwise

import mpmath
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from dpviz import streams
from dpviz.noise import FAMILIES
from dpviz.noise import discrete_laplace_law as law
from dpviz.noise.bits import FEW, Table
from dpviz.noise.discrete_laplace_law import TOP, Chain
from dpviz.noise.reals import Exponential, Interval
from dpviz.release.session import release_at
from tests import oracles_discrete as oracle
from tests.conftest import few, for_each
from tests.oracles_discrete import Bridge, F, Rational
from tests.statistical import (
    DRAWS,
    LEVEL,
    MISS,
    assert_law,
    chi_square_pvalue,
    kolmogorov_pvalue,
    law_of,
    law_pvalue,
)

DISCRETE = FAMILIES["discrete_laplace"]
RATIONAL = [  # a_l, a, a_h
    (F(1, 5), F(1, 2), F(4, 5)),
    (F(3, 10), F(3, 5), F(9, 10)),
    (F(0), F(1, 2), F(2, 3)),
    (F(9, 10), F(10, 11), F(11, 12)),
    (F(1, 2), F(1, 2) + F(1, 10**9), F(1, 2) + F(1, 10**8)),
]


def chain_of(low, level, high):
    return Chain(high, level / high, low / level)


def rational_laws(low, level, high, *, fine=True):
    """The samplers of a bridge, for rational a."""

    def chain(bits):
        return Chain(*(Interval.of(one, bits) for one in chain_of(low, level, high)))

    scale = 0.3 if fine else 5.0  # few cells, or none: the tail begins early
    ratios = Rational(level / high, scale), Rational(level * high, scale)
    return law.BridgeLaws(chain, *ratios, fine=fine)


def bridge_mass(levels, k, x):
    """P(W = x) as the samplers compose it: step, then beyond, or rest where k = 0."""
    _, level, high = levels
    chain = chain_of(*levels)
    outer, inner = level * high, level / high
    if k == 0:
        side = law.rest_side(chain)
        return side * (1 - outer) * outer ** (abs(x) - 1) if x else 1 - 2 * side
    x, k = (x, k) if k > 0 else (-x, -k)
    away, toward = law.bridge_sides(chain)
    if x < 0:
        return away * (1 - outer) * outer ** (-x - 1)
    if x == 0:
        return 1 - away - toward
    if x < k:
        return toward * (1 - inner) * inner ** (x - 1)
    beyond = law.beyond_side(chain)
    passed = toward * inner ** (k - 1)
    return passed * (beyond * (1 - outer) * outer ** (x - k - 1) if x > k else 1 - beyond)


@for_each("levels", RATIONAL)
def test_extension_is_the_definition_as_fractions(levels):
    for low, high in pairwise(levels):
        side = law.extend_side(low, high, low / high)
        for x in range(1, 12):
            assert side * (1 - high) * high ** (x - 1) == oracle.step_mass(x, low, high)
        assert 1 - 2 * side == oracle.step_mass(0, low, high)


@pytest.mark.parametrize("levels", [RATIONAL[0], RATIONAL[2]])
@pytest.mark.parametrize("fine", [True, False])
@pytest.mark.parametrize("k", [-3, 0, 2])
def test_rational_bridge_is_drawn_by_its_law(levels, fine, k, seed, monkeypatch):
    monkeypatch.setattr("dpviz.noise.discrete_laplace.bridge", lambda *_, **__: laws)
    laws = rational_laws(*levels, fine=fine)
    zeros = np.zeros(DRAWS, dtype=int)
    drawn = DISCRETE.bridge(zeros, zeros + k, 1, 2, 3, rng=streams.teaching(seed))
    mass = [Bridge(*levels, k).mass(x) for x in range(-60, 61)]
    assert chi_square_pvalue(drawn, law_of(-60, mass)) > LEVEL
    assert not k or chi_square_pvalue(drawn, law_of(-60, mass[::-1])) < LEVEL


def near(level):
    """The level, and 10 % more and less."""
    return level, level * (1 + MISS), level * (1 - MISS)


@pytest.mark.parametrize("small", [True, False])
@pytest.mark.parametrize("level", few([1.3, 0.2, 3000.0, 70.0, 1e12, 1e5], 3))
def test_law_at_every_scale(level, small, seed):
    """Drawn from the exact values, and between two releases; in many small calls, or in one."""
    size = FEW if small else DRAWS
    parts = []
    for path in range(DRAWS // size):
        rng, zeros = streams.teaching(seed, path), np.zeros(size, dtype=int)
        below = DISCRETE.extend(zeros, 0, level / 3, rng=rng)
        above = DISCRETE.extend(below, level / 3, level * 2, rng=rng)
        drawn = DISCRETE.bridge(below, above, level / 3, level, level * 2, rng=rng)
        parts.append([drawn, DISCRETE.bridge(zeros, above, 0, level, level * 2, rng=rng)])
    for noise in np.concatenate(parts, axis=1):
        assert law_pvalue(noise, DISCRETE, level) > LEVEL
        if level >= 1000:  # wide enough to count as continuous, where that test is the sharper one
            sharp = [kolmogorov_pvalue(noise, partial(DISCRETE.cdf, level=s)) for s in near(level)]
            assert sharp[0] > LEVEL > max(sharp[1:])
        elif level > 1:
            assert_law(noise, DISCRETE, level)


def test_close_levels_share_their_moves(seed):
    """Two steps of one float each: given that something moved, either step is as likely."""
    level = 3.0
    high = math.nextafter(math.nextafter(level, 4), 4)
    zeros = np.zeros(DRAWS, dtype=int)
    middle = math.nextafter(level, 4)
    drawn = DISCRETE.bridge(zeros, zeros + 2, level, middle, high, rng=streams.teaching(seed))
    assert set(np.unique(drawn)) == {0, 2}
    assert stats.binomtest(int((drawn == 2).sum()), DRAWS).pvalue > LEVEL


def test_law_from_hardened_bits():
    drawn = DISCRETE.extend(np.zeros(DRAWS, dtype=int), 0, 3.0, rng=streams.hardened())
    assert law_pvalue(drawn, DISCRETE, 3.0) > LEVEL


@pytest.mark.parametrize("level", [1e-3, 0.2, 1.0, 2.5, 1e5, 1e15])
def test_mass_cdf_and_variance_against_the_definition(level):
    for x in (0, 1, 2, 5, -1, -3, math.floor(level), -2 * math.ceil(level)):
        exact = oracle.exact_mass(x, level)
        ratio = mpmath.exp(-1 / mpmath.mpf(level))
        tail = ratio ** (-x if x < 0 else x + 1) / (1 + ratio)
        assert_allclose(DISCRETE.density(x, level), float(exact), rtol=1e-13, atol=1e-300)
        assert_allclose(DISCRETE.cdf(x, level), float(tail if x < 0 else 1 - tail), rtol=1e-13)
    with mpmath.workdps(60):
        half = 1 / (2 * mpmath.mpf(level))
        assert_allclose(DISCRETE.variance(level), float(1 / (2 * mpmath.sinh(half) ** 2)), 1e-13)


@for_each("levels", [(0.5, 2.5), (0, 3.0), (2.5, 2.5 + 1e-9), (1e-9, 1e9)])
def test_weights_against_the_definition(levels):
    exact = oracle.atom_mass(*levels)
    assert_allclose(DISCRETE.weights(*levels, None), (exact, 0), rtol=1e-13)
    assert_allclose(DISCRETE.weights(0, *levels)[1] if levels[0] else exact, exact, rtol=1e-13)


def test_the_widest_values_that_fit_are_served():
    ends = np.array([TOP - 500, 500 - TOP])
    drawn = DISCRETE.extend(ends, 0, 3.0, rng=streams.teaching(1))
    assert abs(drawn - ends).max() < 200
    between = DISCRETE.bridge(ends // 2, -ends // 2, 1, 2, 3, rng=streams.teaching(1))
    assert (np.minimum(abs(between - ends // 2), abs(between + ends // 2)) < 200).all()


def test_levels_are_taken_as_the_fractions_they_are():
    ratio = Exponential(1 / Fraction(0.1)).power(1, 200)
    with mpmath.workprec(300):
        exact = mpmath.exp(-1 / mpmath.mpf(0.1)) * mpmath.mpf(2) ** 200
        assert ratio.low <= exact <= ratio.high
    extension = law.extension(0.0, 0.1, fine=True)
    side = Exponential(1 / Fraction(0.1)).power(1, 64)
    low, high = extension.thresholds(64)[extension.cells[0]]  # P(increment < 0) = a/(1+a)
    assert abs(low - side.low / (1 + side.low / 2**64)) < 2**12
    assert high - low <= 1


@pytest.mark.parametrize("gap", [1e-14, 1e-9, 1e-3, 0.1, 1.0])
@pytest.mark.parametrize("level", [0.02, 0.7, 2.236, 31.0, 3e5])
def test_how_often_a_path_moves_at_most_where_its_ends_agree(level, gap):
    """The bound by floats is above the enclosed chance, and near it where it is of use."""
    low, high = level, level * (1 + 2 * gap)
    middle = low + (high - low) / 2
    if not low < middle < high:
        return
    most = law.rests_at_most(low, middle, high)
    found = law.bridge(low, middle, high, fine=False).rest._masses(400)[0]
    least = found.low / 2**400
    assert least < most
    assert most < 1.01 * least + 2.0**-19


def test_draws_without_a_table_are_those_of_the_table():
    """The same bits, the same numbers: a bound of 1 never leaves the table out."""
    levels = 2.236, 2.4, 2.6
    quick = law.bridge(*levels, fine=False)
    assert quick._moves < 1 / 16
    by_table = law.BridgeLaws(quick._chain, quick._inner, quick._outer, fine=False)
    moved = 0
    for seed in range(300):
        one, two = (each.rest.draw(40, rng=streams.teaching(seed)) for each in (quick, by_table))
        np.testing.assert_array_equal(one, two)
        moved += np.count_nonzero(one)
    assert 20 < moved < 12_000 // 8


def test_a_release_by_seed_and_level_alone_makes_few_tables(monkeypatch):
    """Most halvings of the way to a level move no path; a table for each took half a second."""
    made, real = [], Table.__init__

    def counted(self, *args, **options):
        made.append(1)
        real(self, *args, **options)

    monkeypatch.setattr(Table, "__init__", counted)
    rng = streams.for_levels(rng=streams.teaching(7))
    release_at(FAMILIES["discrete_laplace"], np.arange(5), 7.7731, rng=rng)
    assert 3 < len(made) < 200  # there were 790
