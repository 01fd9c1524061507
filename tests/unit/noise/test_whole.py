"""What families of whole numbers promise beside `test_contract`: their dtypes, and bits alone."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from dpviz import streams
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE, whole
from dpviz.noise.bits import FEW
from tests.unit.noise.test_poisson import OnlyBits

WHOLE = [family for family in ADDITIVE.values() if family.integer]
LARGEST = 2**63 - 1
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
def test_refuses_values_beyond_64_bits(family):
    with pytest.raises(ParameterError, match="leave the 64-bit integers"):
        family.extend(np.array([2**63], dtype=np.uint64), 0, 1, rng=streams.teaching(1))


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
    for onto, more in ((LARGEST - 1, 1), (1 - LARGEST, -1), (LARGEST, -LARGEST), (5, LARGEST - 5)):
        total = np.array([0, onto])
        whole.add(np.array([0, more]), total)
        assert total.tolist() == [0, onto + more]
        assert whole.subtract(np.array([onto, 0]), np.array([-more, 0])).tolist() == [
            onto + more,
            0,
        ]
    for onto, more in ((LARGEST, 1), (-LARGEST, -2), (LARGEST, LARGEST)):
        with pytest.raises(ParameterError, match="leave the 64-bit integers"):
            whole.add(np.array([more, 0]), np.array([onto, 0]))
    for first, second in ((LARGEST, -1), (-LARGEST, 1), (-LARGEST, LARGEST)):
        with pytest.raises(ParameterError, match="leave the 64-bit integers"):
            whole.subtract(np.array([first, 0]), np.array([second, 0]))
    alike = np.array([LARGEST, LARGEST - 4])
    assert whole.subtract(alike, alike - 4).tolist() == [4, 4]
    (kept,) = whole.counts(values=np.array([LARGEST], dtype=np.uint64))
    assert kept.tolist() == [LARGEST]
