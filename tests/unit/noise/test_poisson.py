"""The Poisson path: thinning against the definition, and draws from bits alone."""

from fractions import Fraction
from itertools import accumulate, pairwise

import mpmath
import numpy as np
import pytest
from scipy import stats

from dpviz import streams
from dpviz.errors import ParameterError
from dpviz.noise import FAMILIES, counts
from dpviz.noise.counts import MOST_PIECES, OneOf
from dpviz.noise.unimodal import DOWN, UP, Unimodal
from tests.conftest import FULL, for_each, full_run
from tests.oracles_noise import poisson_bridge, poisson_mass
from tests.oracles_skellam import binomial_mass
from tests.statistical import DRAWS, LEVEL, chi_square_pvalue, law_of
from tests.unit.noise.test_bits import Script

# --- The Poisson path: thinning against the definition, and whole numbers only -------------------

POISSON = FAMILIES["poisson"]
TOP = np.iinfo(np.int64).max


def whole(*values):
    return np.array(values, dtype=np.int64)


@pytest.mark.parametrize("levels", [(0, 1, 3, 6), (2.5, 3, 9, 11), (1, 8, 9, 2)])
def test_thinning_follows_the_definition(levels, seed):
    low, level, high, k = levels
    below = np.full(DRAWS, 40)
    drawn = POISSON.bridge(below, below + k, low, level, high, rng=streams.teaching(seed))
    mass = poisson_bridge(*levels)
    assert chi_square_pvalue(drawn - 40, law_of(0, mass)) > LEVEL
    wrong = mass[::-1]  # the share of the other neighbour
    assert chi_square_pvalue(drawn - 40, law_of(0, wrong)) < LEVEL


@pytest.mark.parametrize("x", [0, 1, 7, 40])
@pytest.mark.parametrize("rate", [1e-6, 0.5, 9.0, 30.0])
def test_mass_and_cdf_against_the_definition(x, rate):
    exact = [poisson_mass(i, rate) for i in range(x + 1)]
    assert POISSON.density(x, rate) == pytest.approx(float(exact[-1]), rel=1e-12)
    assert POISSON.cdf(x, rate) == pytest.approx(float(sum(exact)), rel=1e-12)


def test_at_the_largest_rate_at_most_67_values_are_drawn_at_a_time():
    """As docs/PROMISES.md says."""
    assert 67 * 1e13 / 2**27 <= MOST_PIECES < 68 * 1e13 / 2**27
    with pytest.raises(ParameterError, match="at most 5,000,000 are made at a time"):
        POISSON.extend(np.zeros(68, dtype=np.int64), 0.0, 1e13, rng=streams.teaching(7))


def test_refuses_a_fall_that_wraps_around_to_a_rise():
    with pytest.raises(ParameterError, match="above must nowhere be less than below"):
        POISSON.bridge(whole(TOP), whole(-TOP), 1, 2, 3, rng=streams.teaching(1))


# --- The integer path of Poisson and binomial draws: every cell against fractions; bits alone ----


class OnlyBits:
    """A generator that gives 64-bit words and nothing else."""

    def __init__(self, rng):
        self._rng = rng

    def integers(self, *args, **kwargs):
        assert kwargs["dtype"] == np.uint64
        return self._rng.integers(*args, **kwargs)


def masses(law, bits):
    """Bounds of the chances of all outcomes, as fractions."""
    bounds = [(0, 0), *law._thresholds(bits), (2**bits, 2**bits)]
    return [
        (Fraction(low - before_high - 1, 2**bits), Fraction(high + 1 - before_low, 2**bits))
        for (before_low, before_high), (low, high) in pairwise(bounds)
    ]


def assert_cells(law, exact, bits):
    """Every cell, and the chance of each tail, encloses the exact mass; closely."""
    cells = dict(zip(law._lowest.tolist(), masses(law, bits)[1:-1], strict=True))
    assert all(low <= exact(x) <= high for x, (low, high) in cells.items())
    assert all(high - low <= Fraction(4, 2**bits) for low, high in cells.values())
    assert sum(exact(x) for x in cells) > 1 - Fraction(1, 2**60)


def ratios(n, q, mode):
    """Ratios of a binomial law, written once more."""

    def up(start):
        for x in range(mode + start, n):
            yield (n - x) * q.numerator, (x + 1) * (q.denominator - q.numerator)

    def down(start):
        for x in range(mode - start, 0, -1):
            yield x * (q.denominator - q.numerator), (n - x + 1) * q.numerator

    return up, down


@pytest.mark.parametrize("bits", [64, 128])
def test_every_cell_of_a_pooled_table(bits):
    """Blocks of 4: even part, uneven part, and the small table inside add up to the exact mass."""
    n, q = 60, Fraction(2, 5)
    law = Unimodal(24, *ratios(n, q, 24), spread=2048)
    assert law.width == 4
    middles = [(low + high) / 2 for low, high in masses(law, bits)]
    for block, lowest in enumerate(law._lowest.tolist()):
        exact = [binomial_mass(x, n, q) for x in range(lowest, lowest + 4)]
        even, uneven = middles[1 + 2 * block : 3 + 2 * block]
        assert abs(even - 4 * min(exact)) < Fraction(1, 2 ** (bits - 4))
        assert abs(even + uneven - sum(exact)) < Fraction(1, 2 ** (bits - 4))
    assert abs(middles[0] - sum(binomial_mass(x, n, q) for x in range(law._lowest[0]))) < 2**-58


def test_pooled_draws_follow_the_law(seed):
    n, q = 60, Fraction(2, 5)
    law = Unimodal(24, *ratios(n, q, 24), spread=2048)
    drawn = law.draw(DRAWS, rng=OnlyBits(streams.teaching(seed)))
    assert chi_square_pvalue(drawn, lambda x: stats.binom.cdf(x, n, float(q))) > LEVEL
    assert chi_square_pvalue(drawn, lambda x: stats.binom.cdf(x, n, 0.41)) < LEVEL
    among = OneOf([law]).draw(np.zeros(10_000, dtype=int), rng=streams.teaching(seed))
    assert chi_square_pvalue(among, lambda x: stats.binom.cdf(x, n, float(q))) > LEVEL
    inside = law._uneven(8, DRAWS, rng=streams.teaching(seed)) - int(law._lowest[8])
    exact = np.array([float(binomial_mass(x + int(law._lowest[8]), n, q)) for x in range(4)])
    exact -= exact.min()
    seen = np.bincount(inside, minlength=4)
    assert seen[exact == 0].sum() == 0
    kept = exact > 0
    assert stats.chisquare(seen[kept], DRAWS * exact[kept] / exact.sum()).pvalue > LEVEL


def test_one_of_several_laws_is_found_by_all_64_bits():
    """Every value of the first 16 bits, against cumulative chances in fractions."""
    q, further = Fraction(2, 7), 0x5A5A_5A5A_5A5A_0000
    sizes, moved = (0, 1, 9, 300, 9), 40_000  # the last has numbers of more than 16 bits
    laws = [counts.binomial_law(n, q) for n in sizes[:-1]]
    laws.append(Unimodal(moved, *ratios(9, q, 2), spread=1))
    head = np.arange(2**16, dtype="<u2")
    rng = Script(np.tile(head, len(laws)).view("<u8").tolist(), further)
    drawn = OneOf(laws).draw(np.arange(len(laws)).repeat(head.size), rng=rng)
    uniform = (head.astype(np.uint64) << 48) | np.uint64(further >> 16)
    for n, found in zip(sizes, np.split(drawn, len(laws)), strict=True):
        chances = accumulate(binomial_mass(x, n, q) for x in range(n))
        thresholds = np.array([int(each * 2**64) for each in chances], dtype=np.uint64)
        wanted = thresholds.searchsorted(uniform, "right")
        assert (found - (moved - 2 if found[0] > n else 0) == wanted).all()


@full_run
def test_what_64_bits_leave_open_among_several_laws_is_settled_by_further_ones():
    n, q = 300, Fraction(2, 7)
    law = counts.binomial_law(n, q)
    chances = [*accumulate(binomial_mass(x, n, q) for x in range(n))]
    passed = 0
    for at in range(70, 101):
        tied = int(chances[at] * 2**64)  # the first bits of the threshold itself
        further = (tied & (2**48 - 1)) << 16
        rng = Script([(tied >> 48) * 0x0001_0001_0001_0001], further)
        (drawn,) = OneOf([counts.binomial_law(9, q), law]).draw(np.array([1]), rng=rng)
        above = Fraction((tied << 64) + further, 2**128) >= chances[at]
        assert drawn == at + above
        passed += above
    assert 5 < passed < 26


@pytest.mark.parametrize("side", [UP, DOWN])
def test_what_has_no_cell_is_drawn_exactly_too(side, seed):
    """About one draw in 2^70; here the rare branch alone."""
    law = counts.poisson_law(Fraction(400))
    drawn = law._beyond(side, DRAWS, rng=streams.teaching(seed))
    way, first = (1, int(law._lowest[-1]) + 1) if side == UP else (-1, int(law._lowest[0]) - 1)
    mass = [poisson_mass(first + way * beyond, 400) for beyond in range(60)]
    beyond = law_of(0, [one / mpmath.fsum(mass) for one in mass])
    assert chi_square_pvalue(way * (drawn - first), beyond) > LEVEL


@full_run
@pytest.mark.parametrize("size", [1, 500, counts.MANY])
def test_binomial_of_every_size_of_request(size, seed):
    """One value alone, few, and many go three ways; the law is one."""
    rng, q = OnlyBits(streams.teaching(seed)), Fraction(0.3)
    repeats = max(1, 8000 // size)
    sizes = (3, 70, 3000) if FULL or size > 1 else (70,)  # one by one takes long
    for n in (*sizes, *[5000] * (size == counts.MANY)):
        drawn = [counts.binomial(np.full(size, n), q, rng=rng) for _ in range(repeats)]
        sample = np.concatenate(drawn)
        assert chi_square_pvalue(sample, lambda x, n=n: stats.binom.cdf(x, n, 0.3)) > LEVEL
        assert (
            chi_square_pvalue(sample, lambda x, n=n: stats.binom.cdf(x, n, 0.33)) < LEVEL or n < 9
        )


@for_each("q", [Fraction(0), Fraction(1), Fraction(1, 2**70), Fraction(3, 4)])
def test_binomial_at_the_edges(q):
    n = np.array([0, 1, 63, 64, 65, 5000])
    for part in (n, n[-1:], np.resize(n, counts.MANY)):
        drawn = counts.binomial(part, q, rng=streams.teaching(3))
        assert ((drawn >= 0) & (drawn <= part)).all()
        if q == 0:
            assert not drawn.any()
