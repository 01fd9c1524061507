"""What a session refuses: one sentence each, and nothing about it changes."""

import math
from fractions import Fraction

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from dpviz import streams
from dpviz.errors import HardenedModeError, ParameterError
from dpviz.noise import ADDITIVE, FAMILIES
from dpviz.release import MultipleRelease
from dpviz.release.values import own_copy

every_family = pytest.mark.parametrize("family", ADDITIVE.values(), ids=ADDITIVE)


def opened(family):
    return MultipleRelease(np.array([3, 5, 8]), family, rng=streams.teaching(1))


def held(session):
    return {level: session.release(level).tolist() for level in session.levels}


BAD_LEVELS = [0, -1, math.nan, math.inf, -math.inf, 10**400, Fraction(10**400)]
NO_NUMBERS = [True, np.True_, "1", "abc", b"1", None, [1.0], np.array([1.0]), 1j]


@pytest.mark.parametrize("level", [*BAD_LEVELS, *NO_NUMBERS], ids=repr)
@pytest.mark.parametrize("ask", ["release", "seal", "holds", "neighbours"])
def test_refuses_what_is_no_level(ask, level):
    session = opened(FAMILIES["gaussian"])
    session.release(2.0)
    with pytest.raises(ParameterError, match="level must be"):
        getattr(session, ask)(level)
    assert session.levels == (2.0,)
    assert session.sealed_at is None


BAD_VALUES = {
    "object": np.array([1, 2], dtype=object),
    "text": np.array(["1", "2"]),
    "bool": np.array([True, False]),
    "complex": np.array([1j]),
    "dates": np.array(["2020-01-01"], dtype="datetime64[D]"),
    "ragged": [[1], [1, 2]],
    "none": None,
    "too large": np.array([2**64 - 1, 0], dtype=np.uint64),
}
BAD_FLOATS = {
    "nan": np.array([1.0, math.nan]),
    "inf": np.array([1.0, math.inf]),
    "-inf": np.array([-math.inf]),
    "longer float": np.array([np.longdouble(10) ** 4000]),
    "half nan": np.array([math.nan], dtype=np.float16),
}


@pytest.mark.parametrize("values", BAD_VALUES.values(), ids=BAD_VALUES)
def test_refuses_values_that_are_no_counts(values):
    with pytest.raises(ParameterError, match="values must"):
        MultipleRelease(values, FAMILIES["poisson"], rng=streams.teaching(1))


@pytest.mark.parametrize("values", BAD_FLOATS.values(), ids=BAD_FLOATS)
@every_family
def test_refuses_values_that_are_no_finite_vector(family, values):
    with pytest.raises(ParameterError, match="values must") as refusal:
        MultipleRelease(values, family, rng=streams.teaching(1))
    assert "nan" not in str(refusal.value).lower()  # nothing read from the data


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.uint64, np.float16, np.longdouble])
def test_other_dtypes_of_good_values_are_taken(dtype):
    session = MultipleRelease(
        np.array([3, 5, 8], dtype=dtype), FAMILIES["gaussian"], rng=streams.teaching(1)
    )
    assert_array_equal(session.release(4.0), opened(FAMILIES["gaussian"]).release(4.0))


@every_family
def test_numbers_under_a_mask_are_not_released(family):
    counts = np.ma.array([3, 5], mask=[False, True])
    with pytest.raises(ParameterError, match="values must have no masked entries"):
        own_copy(counts, family)
    assert own_copy(counts[:1], family).tolist() == [3]


def test_the_largest_whole_number_is_taken():
    largest = np.array([2**63 - 1, 0], dtype=np.uint64)
    assert own_copy(largest, FAMILIES["poisson"]).tolist() == [2**63 - 1, 0]


def test_a_negative_zero_is_a_zero():
    assert not np.signbit(own_copy(np.array([-0.0, 0.0]), FAMILIES["laplace"])).any()


def test_integer_family_refuses_floats_even_whole_ones():
    with pytest.raises(ParameterError, match="values must be whole numbers"):
        MultipleRelease([1.0, 2.0], FAMILIES["poisson"], rng=streams.teaching(1))


@pytest.mark.parametrize("rng", [None, 7, np.random.RandomState(1), np.random.PCG64(1)])
def test_refuses_what_is_no_generator(rng):
    with pytest.raises(ParameterError, match="rng must be a numpy Generator"):
        MultipleRelease([1], FAMILIES["poisson"], rng=rng)


@pytest.mark.parametrize("family", ["gaussian", None, type(FAMILIES["gaussian"])])
def test_refuses_what_is_no_family(family):
    with pytest.raises(ParameterError, match="family must be a noise family"):
        MultipleRelease([1], family, rng=streams.teaching(1))


@every_family
def test_hardened_generators_are_for_integer_families(family):
    if family.integer:
        session = MultipleRelease([3, 5], family, rng=streams.hardened())
        assert session.mode == "hardened"
        session.release(9.0)
        session.seal(4.0)
        assert session.mode == "hardened"
    else:
        with pytest.raises(HardenedModeError, match="last digits give"):
            MultipleRelease([3, 5], family, rng=streams.hardened())


@every_family
def test_a_draw_that_fails_changes_nothing(family):
    class Failing:
        integer, name, label = family.integer, family.name, family.label
        fail = False

        def extend(self, *arguments, rng):
            drawn = family.extend(*arguments, rng=rng)
            if self.fail:
                raise MemoryError
            return drawn

        def bridge(self, *_, **__):
            raise MemoryError

    failing = Failing()
    session = opened(failing)
    session.release(4.0)
    before = held(session)
    failing.fail = True
    for level in (9.0, 2.0):
        with pytest.raises(MemoryError):
            session.release(level)
        assert held(session) == before
    with pytest.raises(MemoryError):
        session.seal(2.0)
    assert session.sealed_at is None
    failing.fail = False
    session.release(9.0)  # and it goes on


def test_a_seal_whose_draw_fails_leaves_the_session_open():
    session = opened(FAMILIES["poisson"])
    session.release(9.0)
    before = held(session), repr(session)
    with pytest.raises(ParameterError, match="level must lie between"):
        session.seal(1e-320)
    assert (held(session), repr(session)) == before
    assert session.release(1.0).shape == (3,)
