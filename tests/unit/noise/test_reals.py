"""Enclosures against fractions and mpmath: the truth is never outside, and the ends are close."""

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.noise.reals import Exponential, Interval, enclose, exponential, powers

everything = settings(derandomize=True, deadline=None, max_examples=300)
fractions = st.fractions(min_value=0, max_value=1, max_denominator=10**12)


def holds(interval, truth):
    """Is the truth inside? Compared as whole numbers and fractions."""
    return interval.low <= truth * 2**interval.bits <= interval.high


@everything
@given(first=fractions, second=fractions, bits=st.integers(1, 90))
def test_every_operation_encloses(first, second, bits):
    x, y = (Interval.of(number, bits) for number in (first, second))
    results = [(x + y, first + second), (x * y, first * second), (1 - x, 1 - first)]
    results.append((2 + x, 2 + first))
    if first >= second:
        results.append((x - y, first - second))
    if y.low > 0:
        results.append((x / y, first / second))
    for interval, truth in results:
        assert holds(interval, truth)
        assert type(interval.low) is type(interval.high) is int
    for i, one in enumerate(powers(x, y, 5)):
        assert holds(one, first * second**i)
        assert one.high - one.low <= 2 * i + 2


@pytest.mark.parametrize("bits", [1, 16, 64, 128, 200, 777])
@pytest.mark.parametrize(
    "x",
    [
        *[Fraction(0), Fraction(1), Fraction(1, 3), Fraction(355, 113), Fraction(44), Fraction(63)],
        *[Fraction(10**-300), 1 / Fraction(1e15), Fraction(1, 7 * 2**200), Fraction(10**290)],
        *[1 / Fraction(0.7), 1 / Fraction(0.7) - 1 / Fraction(0.7000000000000001)],
    ],
)
def test_exponential_against_mpmath(x, bits):
    with mpmath.workprec(bits + 80):
        exact = mpmath.exp(-mpmath.mpf(x.numerator) / x.denominator) * mpmath.mpf(2) ** bits
        got = exponential(x, bits)
        assert got.low <= exact + mpmath.mpf(2) ** -60
        assert exact - mpmath.mpf(2) ** -60 <= got.high
        assert got.high - got.low <= 2


def test_ratios():
    assert Exponential(None).power(3, 10) == Interval(0, 0, 10)
    assert Exponential(None).power(0, 10) == Exponential(Fraction(1)).power(0, 10)
    assert Exponential(None).scale == 0
    assert Exponential(Fraction(1, 4)).scale == 4
    fourth = Exponential(Fraction(1, 4)).power(8, 100)
    assert fourth == Exponential(Fraction(2)).power(1, 100)


def test_enclose_asks_for_more_bits_until_it_is_enough():
    asked = []

    def vague(bits):
        asked.append(bits)
        return [Interval(2**bits // 3 - 2 ** (bits // 2), 2**bits // 3 + 2 ** (bits // 2), bits)]

    ((low, high),) = enclose(vague, 100)
    assert low <= 2**100 // 3 <= high <= low + 1
    assert asked == [164, 228, 356][: len(asked)]
    assert len(asked) > 1


def test_enclose_needs_bits_to_divide_by_small_numbers():
    tiny = Fraction(1, 2**150)

    def quotient(bits):
        return [Interval.of(tiny, bits) / Interval.of(3 * tiny, bits)]

    assert enclose(quotient, 20) == [(2**20 // 3, 2**20 // 3)]
