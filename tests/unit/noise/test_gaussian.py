"""The Gaussian path against fractions."""

import math
from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
from numpy.testing import assert_allclose

from dpviz import streams
from dpviz.noise import FAMILIES
from dpviz.noise.gaussian import _share_and_deviation
from tests.oracles_noise import gaussian_bridge

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


@pytest.mark.parametrize("levels", LEVELS)
def test_bridge_law_against_fractions(levels):
    share, deviation = _share_and_deviation(*levels)
    exact_share, exact_variance = gaussian_bridge(*levels)
    assert abs(Fraction(share) / exact_share - 1) < 1e-15
    assert abs(Fraction(deviation) ** 2 / exact_variance - 1) < 2e-15


@pytest.mark.parametrize("levels", LEVELS[:4])
def test_bridge_is_the_mean_plus_scaled_normals(levels):
    below, above = np.array([3.0, -1.0, 0.0]), np.array([5.0, 7.0, 0.0])
    drawn = GAUSSIAN.bridge(below, above, *levels, rng=streams.teaching(3))
    share, deviation = _share_and_deviation(*levels)
    normal = streams.teaching(3).standard_normal(3)
    assert_allclose(drawn, below + (above - below) * share + deviation * normal, rtol=1e-14)


@pytest.mark.parametrize("miss", [5e-324, 1e-300, 0.05, 0.6, 1 - 1e-9])
def test_the_half_width_misses_as_often_as_it_says(miss):
    with mp.workdps(40):
        found = mp.erfc(mp.mpf(GAUSSIAN.unit_half_width(miss)) / mp.sqrt(2))
    assert found == pytest.approx(mp.mpf(miss), rel=1e-12)


def test_extend_adds_the_difference_of_variances():
    drawn = GAUSSIAN.extend(np.array([3.0, 5.0]), 7.0, 16.0, rng=streams.teaching(3))
    normal = streams.teaching(3).standard_normal(2)
    assert_allclose(drawn, np.array([3.0, 5.0]) + 3 * normal, rtol=1e-15)
