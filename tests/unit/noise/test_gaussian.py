"""The Gaussian path against fractions."""

import math
from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from dpviz import streams
from dpviz.noise import FAMILIES
from dpviz.noise.gaussian import _share_and_deviation
from tests.conftest import for_each
from tests.oracles_noise import gaussian_bridge
from tests.statistical import DRAWS, LEVEL, kolmogorov_pvalue

GAUSSIAN = FAMILIES["gaussian"]
LEVELS = [
    (0.0, 1.0, 2.0),
    (1.0, 4.0, 9.0),
    (1.0, 1.0 + 1e-8, 1.0 + 3e-8),
    (1.0, math.nextafter(1.0, 2.0), 3.0),
    (0.0, 3.0, math.nextafter(3.0, 4.0)),
    (1e-12, 1.0, 1e12),
    (1e-200, 1e-199, 1e100),
]


@for_each("levels", LEVELS)
def test_bridge_law_against_fractions(levels):
    share, deviation = _share_and_deviation(*levels)
    exact_share, exact_variance = gaussian_bridge(*levels)
    assert abs(Fraction(share) / exact_share - 1) < 1e-15
    assert abs(Fraction(deviation) ** 2 / exact_variance - 1) < 2e-15


@for_each("levels", LEVELS[:4])
def test_bridge_is_the_mean_plus_scaled_normals(levels):
    below, above = np.array([3.0, -1.0, 0.0]), np.array([5.0, 7.0, 0.0])
    drawn = GAUSSIAN.bridge(below, above, *levels, rng=streams.teaching(3))
    share, deviation = _share_and_deviation(*levels)
    normal = streams.teaching(3).standard_normal(3)
    assert_allclose(drawn, below + (above - below) * share + deviation * normal, rtol=1e-14)


@for_each("miss", [5e-324, 1e-300, 0.05, 0.6, 1 - 1e-9])
def test_the_half_width_misses_as_often_as_it_says(miss):
    with mp.workdps(40):
        found = mp.erfc(mp.mpf(GAUSSIAN.unit_half_width(miss)) / mp.sqrt(2))
    assert float(found / mp.mpf(miss)) == pytest.approx(1, rel=1e-11)


def test_extend_adds_the_difference_of_variances():
    drawn = GAUSSIAN.extend(np.array([3.0, 5.0]), 7.0, 16.0, rng=streams.teaching(3))
    normal = streams.teaching(3).standard_normal(2)
    assert_allclose(drawn, np.array([3.0, 5.0]) + 3 * normal, rtol=1e-15)


# --- The exponential path ---


EXPONENTIAL = FAMILIES["exponential"]
VECTORS = [  # MATHEMATICS 2.4, by rates: (r_l, r, r_h, k), then P(W=0), P(W=k), P(other)
    ((2, 1, 0.5, 3), (1 / 3, 0.148753440098953, 0.517913226567713)),
    ((10, 1, 0.1, 0.25), (0.0909090909090909, 0.725923835235797, 0.183167073855112)),
]


@pytest.mark.parametrize(("rates", "masses"), VECTORS)
def test_bridge_follows_the_vectors(rates, masses, seed):
    *rates, k = rates
    levels = [1 / rate for rate in rates]
    rng = streams.teaching(seed)
    drawn = EXPONENTIAL.bridge(np.zeros(DRAWS), np.full(DRAWS, float(k)), *levels, rng=rng)
    inside = drawn[(drawn > 0) & (drawn < k)]
    seen = [(drawn == 0).sum(), (drawn == k).sum(), inside.size]
    assert sum(seen) == DRAWS
    assert stats.chisquare(seen, DRAWS * np.array(masses)).pvalue > LEVEL
    wrong = np.array([masses[1], masses[0], masses[2]])  # the atoms exchanged
    assert stats.chisquare(seen, DRAWS * wrong).pvalue < LEVEL
    rate = rates[1] - rates[2]
    cdf = lambda x: np.expm1(-rate * x) / np.expm1(-rate * k)  # noqa: E731
    assert kolmogorov_pvalue(inside, cdf) > LEVEL
    assert kolmogorov_pvalue(inside, lambda x: x / k) < LEVEL or rate * k < 0.5


def test_atoms_are_copied_bit_for_bit():
    rng = streams.teaching(5)
    below = rng.standard_normal(20_000) * 1e3
    above = EXPONENTIAL.extend(below, 1.0, 4.0, rng=rng)
    drawn = EXPONENTIAL.bridge(below, above, 1.0, 2.0, 4.0, rng=rng)
    moved = above > below
    assert 0.2 < (above == below).mean() < 0.3
    assert (drawn[~moved] == below[~moved]).all()
    assert (drawn[moved] == above[moved]).mean() > 0.2
    assert (below <= drawn).all()
    assert (drawn <= above).all()


def test_says_that_it_protects_poorly():
    assert "δ is at least" in EXPONENTIAL.warning
    assert EXPONENTIAL.warning.endswith(".")
