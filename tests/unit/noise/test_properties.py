"""Any levels, close or far apart: finite numbers, whole steps, never NaN."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz import streams
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE, FAMILIES
from tests.conftest import FULL, few, full_run

CASES = 6_000 if FULL else 5  # 1e5 in all, in the full run
everything = settings(derandomize=True, deadline=None, max_examples=CASES)
sane = st.floats(1e-12, 1e12)
extreme = st.floats(min_value=5e-324, allow_infinity=False)
dimensions = st.sampled_from([0, 1, 2, 50])
LARGEST = {"poisson": 1e10, "skellam": 1e8}  # noisier ones take long: many pieces, large tables
seeds = st.integers(0, 2**64)


@st.composite
def close_or_far(draw, levels=sane):
    """Three ascending levels: apart, equal, or one float apart."""
    first = draw(levels)
    chosen = [first]
    for _ in range(2):
        last = chosen[-1]
        near = [last, math.nextafter(last, math.inf), last * (1 + 1e-9)]
        chosen.append(draw(st.one_of(levels, st.sampled_from(near))))
    return sorted(min(level, 1e12) if levels is sane else level for level in chosen)


def values_at(d):
    return np.arange(d, dtype=np.int64) * 1000 - 7


@pytest.mark.parametrize("name", ADDITIVE)
@everything
@given(levels=close_or_far(), from_exact=st.booleans(), d=dimensions, seed=seeds)
def test_draws_between_any_levels_are_finite(name, levels, from_exact, d, seed):
    family, rng = FAMILIES[name], streams.teaching(seed)
    low, level, high = (min(level, LARGEST.get(name, level)) for level in levels)
    below = family.extend(values_at(d), 0, low, rng=rng)
    if from_exact:
        low, below = 0.0, values_at(d)
    above = family.extend(below, low, high, rng=rng)
    drawn = family.bridge(below, above, low, level, high, rng=rng)
    assert drawn.shape == (d,)
    assert np.isfinite(drawn).all()
    if level == low:
        assert np.array_equal(drawn, below)
    if level == high:
        assert np.array_equal(drawn, above)
    if family.integer:
        assert drawn.dtype == np.int64
    if family.never_falls:
        assert (below <= drawn).all()
        assert (drawn <= above).all()
    elif d:
        reach = 60 * math.sqrt(family.variance(high))  # a step longer than this is no draw
        assert np.abs(drawn - below).max() <= reach + 1e-9 * np.abs(drawn).max()


@pytest.mark.parametrize("name", ADDITIVE)
@everything
@given(levels=close_or_far(extreme), seed=seeds)
def test_extreme_levels_are_drawn_or_refused(name, levels, seed):
    family, rng = FAMILIES[name], streams.teaching(seed)
    low, level, high = levels
    try:
        below = family.extend(values_at(5), 0, low, rng=rng)
        above = family.extend(below, low, high, rng=rng)
        drawn = family.bridge(below, above, low, level, high, rng=rng)
        moments = [family.variance(level), *family.weights(low, level, high)]
    except ParameterError:
        return
    assert np.isfinite(drawn).all()
    assert np.isfinite(moments).all()
    assert np.isfinite(family.cdf(np.array([-1.0, 0.0, 1.0]), level)).all()
    assert np.isfinite(family.density(np.array([-1.0, 0.0, 1.0]), level)).all()


@full_run
@pytest.mark.parametrize("name", ADDITIVE)
@everything
@given(levels=close_or_far())
def test_weights_are_shares_or_chances(name, levels):
    low, level, high = (min(level, LARGEST.get(name, level)) for level in levels)
    for neighbour in (high, None):
        weights = FAMILIES[name].weights(low, level, neighbour)
        assert all(0 <= weight <= 1 for weight in weights)
        assert FAMILIES[name].weights(0, level, neighbour)[0] <= 1


@full_run
@pytest.mark.parametrize("name", few(ADDITIVE, 3))
def test_a_million_coordinates(name):
    family, rng = FAMILIES[name], streams.teaching(1)
    exact = np.zeros(1_000_000, dtype=int)
    above = family.extend(exact, 0, 9.0, rng=rng)
    drawn = family.bridge(exact, above, 0, 4.0, 9.0, rng=rng)
    assert drawn.mean() == pytest.approx(family.mean(4.0), abs=0.05)
    assert drawn.var() == pytest.approx(family.variance(4.0), rel=0.02)
