"""Discrete Gaussian noise, lossless only if one σ² is an odd multiple of the other."""

import itertools
from fractions import Fraction as F
from functools import cache

import mpmath
import numpy as np
import pytest

from dpviz.errors import ParameterError
from dpviz.lossless import decide_discrete_gaussian, refute_noise
from dpviz.lossless.discrete_gaussian import GaussianDecision
from tests.conftest import full_run

FAR = 150


def law(square):
    """The chances of -150, …, 150, as they are defined."""
    weights = np.exp(-(np.arange(-FAR, FAR + 1) ** 2) / (2 * square))
    return weights / weights.sum()


def test_sharper_noise_and_what_is_added_are_the_noisier_noise():
    for sharper, times in itertools.product((0.1, 1, 4.5), (1, 2, 3, 2.5, 5)):
        added_up(sharper, times)


def added_up(sharper, times):
    found = decide_discrete_gaussian(sharper, F(sharper) * F(times))
    added = np.array(found.candidate)
    both = np.convolve(law(sharper), added, mode="same" if added.size < FAR else "full")
    middle = both[both.size // 2 - FAR // 2 : both.size // 2 + FAR // 2 + 1]
    whole = law(sharper * times)
    assert middle == pytest.approx(whole[FAR // 2 : -(FAR // 2)], abs=1e-11)
    assert found.verdict == ("yes" if times in (1, 3, 5) else "no")
    if found.verdict == "yes":
        assert added.min() >= 0
    elif sharper < 2:  # for larger σ² the chances below 0 are too small for floats
        assert added.min() < 0


def test_the_general_search_says_no_where_the_theorem_does():
    def wave(square):
        chances = law(square)[FAR : FAR + 13].tolist()
        return lambda t, m: (
            chances[0] + 2 * sum(chance * m.cos(x * t) for x, chance in enumerate(chances) if x)
        )

    assert refute_noise(wave(0.5), wave(1.0)).verdict == "no"


def test_what_is_no_growth_and_what_is_no_variance():
    assert decide_discrete_gaussian(3, 1) == GaussianDecision("no", F(1, 3), ())
    assert "odd multiple" in decide_discrete_gaussian("1/3", 1).sentence
    for given in ((0, 1), (1, 101), ("x", 1), (1, None), (1, -1)):
        with pytest.raises(ParameterError, match=r"σ² is .* pass a number from 0.1 to 100"):
            decide_discrete_gaussian(*given)
    with pytest.raises(ParameterError, match="odd multiple"):
        GaussianDecision("yes", F(2), ())


# --- Discrete Gaussian noise, lossless only if one σ² is an odd multiple of the other: both ways --

# The proof is in docs/LOSSLESS.md; this is another look at each of its two halves, in the full run,
# as no change of the library can break it. In fractions,
# with bounds for what is left out: the sharper noise does not show the point -qᵏ, and the noisier
# one shows it unless k is odd. At 60 digits: the only law that could be added, worked out from the
# two generating functions on the unit circle, has a chance below 0 unless k is odd.

BASES = (F(1, 3), F(1, 2), F(4, 5), F(9, 10))
FACTORS = sorted(
    {F(n, 4) for n in range(4, 33)} | {odd + F(s, 100) for odd in (3, 5) for s in (-1, 1)}
)
ODD = (1, 3, 5, 7)
TINY = F(1, 10**20)
POINTS, REACH, DIGITS = 300, 40, 60  # on the circle; numbers on either side of 0
SETTINGS = [
    (q, k) for q in ("0.2", "0.5", "0.8") for k in ("2", "3", "2.5", "4", "5", "2.99", "7", "7.5")
]


def alternating(base, factor):
    """Bounds of Σ (-1)ˣ q^(x² + kx) over all x, for q = base^d and k = p/d in lowest terms.

    Up to the constant that makes the chances add up to 1 it is the generating function of the
    noise of this q at -qᵏ.
    """
    p, d = factor.numerator, factor.denominator
    least = min(d * x * x + p * x for x in range(-p, 1))

    def term(x):
        return base ** (d * x * x + p * x - least)

    reach = p // d  # beyond, terms fall faster and faster on both sides
    while max(term(reach + 1), term(-reach - 1)) > TINY:
        reach += 1
    total = sum((1 - x % 2 * 2) * term(x) for x in range(-reach, reach + 1))
    rest = F(0)
    for sign in (1, -1):
        assert term(sign * (reach + 2)) < term(sign * (reach + 1)) / 2
        rest += 2 * term(sign * (reach + 1))
    return total - rest, total + rest


@full_run
@pytest.mark.parametrize("base", BASES, ids=str)
def test_the_noisier_noise_shows_what_the_sharper_one_does_not_unless_the_factor_is_odd(base):
    low, high = alternating(base, F(1))  # the sharper noise at its own first zero
    assert low <= 0 <= high
    for factor in FACTORS:
        low, high = alternating(base, factor)
        if factor in ODD:
            assert low <= 0 <= high < F(1, 10**9)
        else:
            assert low * high > 0, factor


@cache
def cosines():
    with mpmath.workdps(DIGITS):
        return [mpmath.cos(2 * mpmath.pi * j / POINTS) for j in range(POINTS)]


def circle(q):
    """The generating function of the noise on the unit circle, divided by that at 1."""
    terms = [mpmath.mpf(1)]
    while terms[-1] > mpmath.mpf(10) ** -DIGITS:
        terms.append(q ** (len(terms) ** 2))
    wave = cosines()
    values = [
        1 + 2 * mpmath.fsum(t * wave[j * x % POINTS] for x, t in enumerate(terms) if x)
        for j in range(POINTS)
    ]
    return [value / values[0] for value in values]


def quotient(noisier, sharper):
    """The law that would have to be added, as chances of 0, 1, …, REACH; it is symmetric."""
    ratios, wave = [n / s for n, s in zip(noisier, sharper, strict=True)], cosines()
    return [
        mpmath.fsum(r * wave[j * x % POINTS] for j, r in enumerate(ratios)) / POINTS
        for x in range(REACH + 1)
    ]


@full_run
@pytest.mark.parametrize(("q", "factor"), SETTINGS)
def test_the_only_law_that_may_be_added_has_no_negative_chance_if_the_factor_is_odd(q, factor):
    with mpmath.workdps(DIGITS):
        q, k, tiny = mpmath.mpf(q), mpmath.mpf(factor), mpmath.mpf(10) ** -30
        assert q ** (k * (POINTS - REACH)) < tiny**1.2  # what comes round the circle
        added = quotient(circle(q), circle(q**k))
        sharper = [(q**k) ** (x * x) for x in range(-REACH, REACH + 1)]
        noisier = [q ** (x * x) for x in range(-REACH, REACH + 1)]
        for x in range(4):  # sharper + added is noisier
            both = mpmath.fsum(
                added[abs(x - y)] * sharper[y + REACH]
                for y in range(x - REACH, REACH + 1 + min(x, 0))
            )
            assert (
                abs(both / mpmath.fsum(sharper) - noisier[x + REACH] / mpmath.fsum(noisier)) < tiny
            )
        least = min(added)
        assert least > -tiny if k in ODD else least < -100 * tiny
