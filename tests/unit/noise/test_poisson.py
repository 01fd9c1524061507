"""The Poisson path: thinning against the definition, and whole numbers only."""

import numpy as np
import pytest
from scipy import stats

from dpviz import streams
from dpviz.errors import ParameterError
from dpviz.noise import FAMILIES
from dpviz.noise.counts import MOST_PIECES
from tests.oracles_noise import poisson_bridge, poisson_mass
from tests.statistical import DRAWS, LEVEL

POISSON = FAMILIES["poisson"]
TOP = np.iinfo(np.int64).max


def counts(*values):
    return np.array(values, dtype=np.int64)


@pytest.mark.parametrize("levels", [(0, 1, 3, 6), (2.5, 3, 9, 11), (1, 8, 9, 2)])
def test_thinning_follows_the_definition(levels, seed):
    low, level, high, k = levels
    below = np.full(DRAWS, 40)
    drawn = POISSON.bridge(below, below + k, low, level, high, rng=streams.teaching(seed))
    mass = np.array([float(p) for p in poisson_bridge(*levels)])
    seen = np.bincount(drawn - 40, minlength=k + 1)
    assert seen.size == k + 1
    assert stats.chisquare(seen, DRAWS * mass / mass.sum()).pvalue > LEVEL
    wrong = mass[::-1]  # the share of the other neighbour
    assert stats.chisquare(seen, DRAWS * wrong / wrong.sum()).pvalue < LEVEL


@pytest.mark.parametrize("x", [0, 1, 7, 40])
@pytest.mark.parametrize("rate", [1e-6, 0.5, 9.0, 30.0])
def test_mass_and_cdf_against_the_definition(x, rate):
    exact = [poisson_mass(i, rate) for i in range(x + 1)]
    assert POISSON.density(x, rate) == pytest.approx(float(exact[-1]), rel=1e-12)
    assert POISSON.cdf(x, rate) == pytest.approx(float(sum(exact)), rel=1e-12)


def test_mass_and_cdf_off_the_counts():
    x = np.array([-1.0, -0.5, 0.5, np.inf, -np.inf, np.nan])
    np.testing.assert_array_equal(POISSON.density(x, 2.0), [0, 0, 0, 0, 0, np.nan])
    expected = [0, 0, POISSON.cdf(0, 2.0), 1, 0, np.nan]
    np.testing.assert_array_equal(POISSON.cdf(x, 2.0), expected)


def test_refuses_overflow_instead_of_wrapping_around():
    with pytest.raises(ParameterError, match="leave the 64-bit integers"):
        POISSON.extend(counts(0, TOP - 3), 0, 1e6, rng=streams.teaching(1))
    with pytest.raises(ParameterError, match="leave the 64-bit integers"):
        POISSON.bridge(counts(-TOP), counts(TOP), 1, 2, 3, rng=streams.teaching(1))


def test_at_the_largest_rate_at_most_67_values_are_drawn_at_a_time():
    """As docs/PROMISES.md says."""
    assert 67 * 1e13 / 2**27 <= MOST_PIECES < 68 * 1e13 / 2**27
    with pytest.raises(ParameterError, match="at most 5,000,000 are made at a time"):
        POISSON.extend(np.zeros(68, dtype=np.int64), 0.0, 1e13, rng=streams.teaching(7))


def test_refuses_a_fall_that_wraps_around_to_a_rise():
    with pytest.raises(ParameterError, match="above must nowhere be less than below"):
        POISSON.bridge(counts(TOP), counts(-TOP), 1, 2, 3, rng=streams.teaching(1))


@pytest.mark.parametrize("level", [1.1e13, 1e19, 1e300])
def test_refuses_rates_beyond_the_samplers(level):
    with pytest.raises(ParameterError, match="level must lie between 1e-300 and 1e"):
        POISSON.extend(counts(0), 0, level, rng=streams.teaching(1))
