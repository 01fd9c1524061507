"""Draws from bits: enclosures of reals, thresholds and ties, geometric laws of any scale."""

import ast
import inspect
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import stats

from dpviz import streams
from dpviz.noise import arguments, bits, whole
from dpviz.noise.bits import LAST, Table, less, words
from dpviz.noise.discrete_laplace_law import TOP, Geometric, TwoSided
from dpviz.noise.reals import Exponential, Interval, enclose, exponential, powers
from tests.conftest import FULL, few, full_run
from tests.oracles_discrete import F, Rational, cumulative
from tests.statistical import DRAWS, LEVEL, chi_square_pvalue

# --- Draws from bits against fractions: every threshold, every tie, whole numbers only -----------

THIRDS = [Fraction(1, 3), Fraction(2, 3)]
MIXED = [  # close to each other, dyadic, in one cell of the guide, near the ends
    Fraction(1, 2**70),
    Fraction(1, 3),
    Fraction(1, 3) + Fraction(1, 2**20),
    Fraction(1, 3) + Fraction(1, 2**65),
    Fraction(1, 2),
    Fraction(1, 2) + Fraction(1, 2**100),
    Fraction(5, 7),
    1 - Fraction(1, 2**300),
]
MIXED.sort()


FILLER = 0x1000100010001000  # no threshold is near it: settled at once


class Script:
    """Stands in for a generator: gives out the words it was made with, then one and the same."""

    def __init__(self, script, filler=FILLER):
        self.script, self.filler = list(script), filler

    def integers(self, low, high, size, *, dtype, endpoint):
        assert (low, high, dtype, endpoint) == (0, LAST, np.uint64, True)
        taken, self.script = self.script[:size], self.script[size:]
        return np.array(taken + [self.filler] * (size - len(taken)), dtype=np.uint64)


def rational(number):
    """A fraction as the bits see it: rounded down at any number of them."""
    return lambda bits: ((number.numerator << bits) // number.denominator,) * 2


def table_of(chances, widen=0):
    """A table of fractions; `widen` makes the bounds worse than they need be."""

    def thresholds(bits):
        floors = [rational(chance)(bits)[0] for chance in chances]
        return [(max(floor - widen, 0), floor + widen) for floor in floors]

    return Table(thresholds)


def draw_one(table, uniform, guide):
    """The draw for a uniform number of 256 bits, fed as the table asks for it."""
    words_of = [(uniform >> shift) & LAST for shift in (128, 64, 0)]
    first = [uniform >> 240 | FILLER << 16 & LAST] + [FILLER] * (bits.FEW // 4 if guide else 0)
    middle = (uniform >> 176) & LAST  # 48 bits are taken
    size = bits.FEW + 1 if guide else 1
    return table.draw(size, rng=Script([*first, middle & ~0xFFFF, *words_of]))[0]


@pytest.mark.parametrize("guide", [False, True])
@pytest.mark.parametrize("widen", [0, 1, 5])
@pytest.mark.parametrize("chances", [THIRDS, MIXED], ids=["thirds", "mixed"])
def test_a_draw_counts_the_thresholds_passed(chances, widen, guide):
    """Uniform numbers that agree with a threshold for 15, 16, 63, 64, 128, 190 bits and more."""
    table = table_of(chances, widen)
    for chance in chances:
        near = chance.numerator * 2**256 // chance.denominator
        for agree in (3, 15, 16, 17, 63, 64, 65, 128, 190, 192, 250, 256):
            for step in (-1, 0, 1):
                uniform = near + step * 2 ** (256 - agree)
                if 0 <= uniform < 2**256 - 2**240:
                    passed = sum(one <= Fraction(uniform, 2**256) for one in chances)
                    if any(one.numerator * 2**256 // one.denominator == uniform for one in chances):
                        continue  # not settled by 256 bits, unless the threshold is dyadic
                    assert draw_one(table, uniform, guide) == passed


def test_a_tie_is_broken_by_as_many_words_as_it_takes():
    table = table_of([Fraction(1, 3)])
    fives = 0x5555555555555555  # 1/3 = 0.0101…
    for length in (1, 2, 9):
        head = [0x5555] + [fives << 16 & LAST] + [fives] * length
        assert table.draw(1, rng=Script([*head, fives - 1])) == 0
        assert table.draw(1, rng=Script([*head, fives + 1])) == 1


def test_few_and_many_are_drawn_alike():
    """The guide answers as a search does: all heads, one after another."""
    table = table_of(MIXED)
    script = np.arange(2**16, dtype="<u2").view("<u8").tolist()
    few = [table.draw(4, rng=Script([word])).tolist() for word in script[::7]]
    many = table.draw(2**16, rng=Script(script)).reshape(-1, 4)[::7].tolist()
    assert few == many


def test_least_draw_and_wide_tables():
    chances = [Fraction(i, 40_000) for i in range(1, 40_000)]
    table = Table(lambda bits: [rational(chance)(bits) for chance in chances], first=-7)
    drawn = table.draw(DRAWS, rng=streams.teaching(1))
    assert drawn.min() == -7 < drawn.max() - 39_900
    assert stats.kstest(drawn, stats.randint(-7, 39_993).cdf).pvalue > LEVEL


def test_same_bytes_whatever_the_block(monkeypatch):
    table = table_of(MIXED)
    drawn = {}
    for block in (1, 3, 4, 1000, 16384):
        monkeypatch.setattr(arguments, "BLOCK", block)
        for size in (1, 5, 1999, 4001):
            both = [table.draw(size, rng=rng).tobytes() for rng in [streams.teaching(3)] * 2]
            assert drawn.setdefault(size, both) == both
            assert both[0] != both[1] or size < 9  # the second went on where the first stopped


def test_draws_into_room():
    room = np.empty(5000, dtype=np.int64)
    table = table_of(THIRDS)
    assert table.draw(5000, rng=streams.teaching(1), out=room) is room
    assert_array_equal(room, table.draw(5000, rng=streams.teaching(1)))


def test_less_takes_each_its_own_chance(seed):
    chances = [Fraction(0), Fraction(1, 2**70), Fraction(1, 3), Fraction(1, 2), Fraction(1)]
    low = np.array([min(rational(one)(64)[0], LAST) for one in chances], dtype=np.uint64)

    def refine(i, bits):
        return rational(chances[i])(bits)

    rng = streams.teaching(seed)
    happens = np.array([less(low, low, refine, rng=rng) for _ in range(3000)])
    for column, chance in zip(happens.T, chances, strict=True):
        assert stats.binomtest(int(column.sum()), 3000, float(chance)).pvalue > LEVEL
    third = 0x5555555555555555
    ties = [LAST, LAST, third, 2**63, LAST]
    further = [third, third - 1, 1, LAST]  # 1/3 ties twice
    got = less(low, low, refine, rng=Script(ties + further))
    assert got.tolist() == [False, False, True, False, True]


def test_words_are_64_bits_of_any_generator(seed):
    kinds = few([np.random.MT19937, np.random.PCG64, np.random.Philox], 3)
    for generator in (kind(seed) for kind in kinds):
        drawn = words(DRAWS, rng=np.random.Generator(generator))
        assert drawn.dtype == np.uint64
        for shift in range(64):
            ones = int(((drawn >> shift) & 1).sum())
            assert stats.binomtest(ones, DRAWS, 0.5).pvalue > LEVEL
    drawn = words(DRAWS, rng=streams.hardened())
    assert abs(float(drawn.mean()) / 2**63 - 1) < 6 / np.sqrt(3 * DRAWS)


@pytest.mark.parametrize("module", [bits, whole])
def test_no_float_is_written_down(module):
    """No float literal, no true division, no float type, no float method of a generator."""
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float))
        assert not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div))
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            assert name not in {"float", "float64", "random", "standard_normal", "exponential"}


def test_tables_hold_whole_numbers_only():
    table = table_of(MIXED)
    table.draw(bits.FEW + 1, rng=streams.teaching(1))
    held = [getattr(table, name) for name in ("_low", "_high", "_guide")]
    assert [array.dtype.kind for array in held] == ["u", "u", "i"]


# --- Enclosures against fractions and mpmath: the truth is never outside, and the ends are close --

everything = settings(max_examples=300 if FULL else 60)
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


# --- Two-sided geometric laws of any scale: digits, tails and sizes of tables --------------------


@pytest.mark.parametrize("scale", [0.02, 0.9, 3.0, 200.0, 1e5, 1e9, 1e14, 2.0**54])
@pytest.mark.parametrize("fine", [True, False])
def test_geometric_law_of_any_scale(scale, fine, seed):
    drawn = Geometric(Exponential(1 / F(scale)), fine=fine).draw(DRAWS, rng=streams.teaching(seed))
    if scale < 0.1:  # e^-50
        assert not drawn.any()
        return
    assert chi_square_pvalue(drawn, lambda x: -np.expm1(-(np.floor(x) + 1) / scale)) > LEVEL
    if scale >= 16:  # the low digits, too: parity and the remainder by 16
        digits = np.bincount(drawn % 16, minlength=16)
        share = np.exp(-np.arange(16) / scale)
        assert stats.chisquare(digits, DRAWS * share / share.sum()).pvalue > LEVEL


@full_run
@pytest.mark.parametrize("fine", [True, False])
def test_what_is_too_large_is_drawn_as_the_largest(fine, seed):
    for scale, chance in ((2.0**62, math.exp(-2)), (2.0**100, 1.0)):
        ratio = Exponential(1 / F(scale))
        drawn = Geometric(ratio, fine=fine).draw(5000, rng=streams.teaching(seed))
        assert drawn.min() >= 0
        assert stats.binomtest(int((drawn == TOP).sum()), 5000, chance).pvalue > LEVEL
        both = TwoSided(lambda bits: (Interval.of(F(1, 2), bits),) * 2, ratio, ratio, fine=fine)
        signs = both.draw(5000, rng=streams.teaching(seed))
        ends = int((signs == TOP).sum()), int((signs == -TOP).sum())
        assert stats.binomtest(sum(ends), 5000, chance).pvalue > LEVEL
        assert stats.binomtest(ends[0], sum(ends)).pvalue > LEVEL


def test_sizes_of_tables_never_change_the_law():
    """The scale is a float and only chooses sizes: a wrong one leaves every threshold true."""
    masses = F(1, 5), F(1, 3)
    for scale in (0.1, 1.0, 30.0, 1e6, 1e30):
        ratio = Rational(F(7, 8), scale)
        for fine in (True, False):
            two_sided = TwoSided(
                lambda bits: tuple(Interval.of(one, bits) for one in masses),
                ratio,
                ratio,
                fine=fine,
            )
            exact = cumulative(two_sided.cells, masses, (F(7, 8), F(7, 8)))
            for (low, high), truth in zip(two_sided.thresholds(64), exact, strict=True):
                assert low <= truth * 2**64 < high + 1


@pytest.mark.parametrize("fine", [True, False])
@pytest.mark.parametrize("scale", [0.4, 8.0, 700.0])
def test_digits_put_together_are_the_law(scale, fine):
    """P(G = n) is the product over the head and the blocks of digits, whatever their sizes."""
    bits, ratio = 400, F(6, 7)
    law = Geometric(Rational(ratio, scale), fine=fine)
    head = [F(low, 2**bits) for low, _ in law._head._thresholds(bits)]
    blocks = [[F(low, 2**bits) for low, _ in one._thresholds(bits)] for one in law._digits]
    assert bool(blocks) == (scale > (64 if fine else 1))
    for n in (*range(40), 99, 333):
        chance, left = F(1), n
        for below in blocks:
            cuts = [F(0), *below, F(1)]
            left, digits = divmod(left, len(below) + 1)
            chance *= cuts[digits + 1] - cuts[digits]
        if left < len(head):  # else in the tail, which starts over
            chance *= head[left] - (head[left - 1] if left else 0)
            assert abs(chance - (1 - ratio) * ratio**n) < F(1, 2**380)


def test_the_tail_begins_anew_as_often_as_it_takes(seed):
    """A table far too short for its ratio: most draws run through it again and again."""
    law = Geometric(Rational(F(6, 7), 0.3), fine=True)
    drawn = law.draw(DRAWS, rng=streams.teaching(seed))
    assert chi_square_pvalue(drawn, lambda x: 1 - (6 / 7) ** (np.floor(x) + 1)) > LEVEL
