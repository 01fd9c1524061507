"""Two-sided geometric laws of any scale: digits, tails and sizes of tables."""

import math

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import stats

from dpviz import streams
from dpviz.noise.geometric import TOP, Geometric, TwoSided
from dpviz.noise.reals import Exponential, Interval
from tests.oracles_discrete import F, Rational, cumulative
from tests.statistical import DRAWS, LEVEL


@pytest.mark.parametrize("scale", [0.02, 0.9, 3.0, 200.0, 1e5, 1e9, 1e14, 2.0**54])
@pytest.mark.parametrize("fine", [True, False])
def test_geometric_law_of_any_scale(scale, fine, seed):
    drawn = Geometric(Exponential(1 / F(scale)), fine=fine).draw(DRAWS, rng=streams.teaching(seed))
    ends = np.unique(np.floor(-scale * np.log1p(-np.arange(1, 40) / 40)))  # quantiles
    chance = np.diff([0, *-np.expm1(-(ends + 1) / scale), 1])
    seen = np.bincount(np.searchsorted(ends, drawn), minlength=chance.size)
    kept = chance * DRAWS > 5
    seen = np.array([*seen[kept], seen[~kept].sum()])
    chance = np.array([*chance[kept], chance[~kept].sum()])
    filled = chance > 0
    assert_array_equal(seen[~filled], 0)
    if filled.sum() > 1:
        assert stats.chisquare(seen[filled], DRAWS * chance[filled]).pvalue > LEVEL
    if scale >= 16:  # the low digits, too: parity and the remainder by 16
        digits = np.bincount(drawn % 16, minlength=16)
        share = np.exp(-np.arange(16) / scale)
        assert stats.chisquare(digits, DRAWS * share / share.sum()).pvalue > LEVEL


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
    mass = np.array([float(F(6, 7) ** n / 7) for n in range(45)])
    seen = np.bincount(np.minimum(drawn, 45), minlength=46)
    assert stats.chisquare(seen, DRAWS * np.array([*mass, 1 - mass.sum()])).pvalue > LEVEL
