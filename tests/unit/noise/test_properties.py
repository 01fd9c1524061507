"""Any levels, close or far apart: finite numbers, whole steps, never NaN."""

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from dpviz import streams
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE, FAMILIES, whole
from dpviz.noise.bits import FEW
from tests.conftest import FULL
from tests.unit.noise.test_poisson import OnlyBits

CASES = 6_000 if FULL else 5  # 1e5 in all, in the full run
everything = settings(derandomize=True, deadline=None, max_examples=CASES)
sane = st.floats(1e-12, 1e12)
extreme = st.floats(min_value=5e-324, allow_infinity=False)
dimensions = st.sampled_from([0, 1, 2, 50])
LARGEST = {
    "poisson": 1e10,
    "skellam": 1e8 if FULL else 1e6,
}  # noisier ones take long: many pieces, large tables
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


# --- What families of whole numbers promise beside `test_contract` ---


WHOLE = [family for family in ADDITIVE.values() if family.integer]
LARGEST_WHOLE = 2**63 - 1
families = pytest.mark.parametrize("family", WHOLE, ids=lambda family: family.name)


@families
@pytest.mark.parametrize("dtype", [float, bool, complex, object, "datetime64[s]", "U1"])
def test_refuses_what_is_not_a_whole_number(family, dtype):
    with pytest.raises(ParameterError, match="values must hold whole numbers"):
        family.extend(np.array([0, 1]).astype(dtype), 0, 2, rng=streams.teaching(1))


@families
@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint64])
def test_other_integer_dtypes_become_int64(family, dtype):
    drawn = family.extend(np.array([3, 4], dtype=dtype), 0, 2, rng=streams.teaching(1))
    assert drawn.dtype == np.int64


@families
def test_refuses_values_beyond_64_bits_and_never_wraps_around(family):
    rng = streams.teaching(1)
    with pytest.raises(ParameterError, match="leave the 64-bit integers"):
        family.extend(np.array([2**63], dtype=np.uint64), 0, 1, rng=rng)
    far, ends = np.full(50, LARGEST_WHOLE), (LARGEST_WHOLE,) * (not family.never_falls)
    for values in (far, *(-far for _ in ends)):
        with pytest.raises(ParameterError, match="leave the 64-bit integers"):
            family.extend(values, 0, 1e6, rng=rng)
    for below, above in ((-far, far), *((far, -far) for _ in ends), (far * 0, -far - 1)):
        with pytest.raises(ParameterError, match=r"leave the 64-bit|nowhere be less"):
            family.bridge(below, above, 1, 2, 3, rng=rng)


@families
def test_refuses_noise_beyond_the_samplers(family):
    most = {"discrete_laplace": 1e15, "poisson": 1e13, "skellam": 1e10}[family.name]
    zeros = np.zeros(2, dtype=int)
    for level in (1.1 * most, 1e19, 1e300):
        for draw in (partial(family.extend, zeros, 0), partial(family.bridge, zeros, zeros, 0, 1)):
            with pytest.raises(ParameterError, match=r"level must lie between|pass a level up to"):
                draw(level, rng=streams.teaching(1))


@families
def test_between_whole_numbers_there_is_no_mass(family):
    assert family.density(np.array([-1.5, -0.5, 0.5]), 2.0).tolist() == [0, 0, 0]
    found = family.cdf(np.array([-1.5, -0.5, 0.5]), 2.0)
    assert_array_equal(found, family.cdf(np.array([-2, -1, 0]), 2.0))


def test_numbers_of_two_sessions_are_told_apart():
    with pytest.raises(ParameterError, match="not two releases of one session"):
        FAMILIES["skellam"].bridge(
            np.array([0]), np.array([2**40]), 1, 2, 3, rng=streams.teaching(1)
        )


@families
@pytest.mark.parametrize("size", [3, FEW + 1])
@pytest.mark.parametrize("levels", [(1.0, 2.0, 5.0), (100.0, 200.5, 40_000.0)])
def test_nothing_but_words_is_asked_of_the_generator(family, levels, size):
    """A stand-in that has nothing else gives the same draws."""

    def draws(rng):
        low, level, high = levels
        below = family.extend(np.arange(size), 0, low, rng=rng)
        above = family.extend(below, low, high, rng=rng)
        return below, above, family.bridge(below, above, low, level, high, rng=rng)

    assert_array_equal(draws(OnlyBits(streams.teaching(5))), draws(streams.teaching(5)))


def test_what_just_fits_is_added_and_one_more_is_refused():
    """By the sign of the sum, where the sizes alone say nothing."""
    top = LARGEST_WHOLE
    for onto, more in ((top - 1, 1), (1 - top, -1), (top, -top), (5, top - 5)):
        total = np.array([0, onto])
        whole.add(np.array([0, more]), total)
        assert total.tolist() == [0, onto + more]
        difference = whole.subtract(np.array([onto, 0]), np.array([-more, 0]))
        assert difference.tolist() == [onto + more, 0]
    for onto, more in ((top, 1), (-top, -2), (top, top)):
        with pytest.raises(ParameterError, match="leave the 64-bit integers"):
            whole.add(np.array([more, 0]), np.array([onto, 0]))
    for first, second in ((top, -1), (-top, 1), (-top, top)):
        with pytest.raises(ParameterError, match="leave the 64-bit integers"):
            whole.subtract(np.array([first, 0]), np.array([second, 0]))
    alike = np.array([top, top - 4])
    assert whole.subtract(alike, alike - 4).tolist() == [4, 4]
    (kept,) = whole.counts(values=np.array([top], dtype=np.uint64))
    assert kept.tolist() == [top]
