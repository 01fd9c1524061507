"""The Skellam path: its bridge against known values and the definition, every step of it exact."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from dpviz import streams
from dpviz.noise import FAMILIES, bridge_law_counts, skellam_draws
from dpviz.noise.bridge_law_counts import skellam_mass, skellam_tail
from tests import oracles_skellam
from tests.conftest import few, for_each, full_run
from tests.statistical import DRAWS, LEVEL, chi_square_pvalue, law_of, law_pvalue
from tests.unit.noise.test_poisson import OnlyBits, assert_cells

SKELLAM = FAMILIES["skellam"]


def counts(*values):
    return np.array(values, dtype=np.int64)


@pytest.mark.parametrize(
    "levels",
    [
        (1.5, 2.5, 3),
        pytest.param((4, 1, -2), marks=full_run),
        (0.2, 30.0, 4),
        pytest.param((200, 150, -11), marks=full_run),
    ],
)
def test_bridge_follows_the_definition(levels, seed):
    """Up to and beyond the level from which hidden counts are drawn by rejection."""
    first, second, k = levels
    law = oracles_skellam.bridge(first, second, k, reach=80)
    below = np.full(DRAWS, 7)
    drawn = SKELLAM.bridge(
        below, below + k, 2, 2 + first, 2 + first + second, rng=streams.teaching(seed)
    )
    mass = [*law.values()]
    assert chi_square_pvalue(drawn - 7, law_of(-80, mass)) > LEVEL
    assert chi_square_pvalue(drawn - 7, law_of(-80, mass[::-1])) < LEVEL  # the sign of k


@pytest.mark.parametrize("bits", [64, 160])
@pytest.mark.parametrize(("k", "rate"), [(0, 1), (3, 4), (1, 0.01), (40, 9), (5, 30.5)])
def test_every_cell_of_a_bessel_table(k, rate, bits):
    with mpmath.workdps(90):
        exact = [
            Fraction(int(one * 2**280)) / 2**280 for one in oracles_skellam.bessel(k, rate, 300)
        ]
        assert_cells(skellam_draws.bessel_law(k, Fraction(rate)), exact.__getitem__, bits)


@pytest.mark.parametrize("last", [3, 6, 12])
def test_masses_of_a_step_are_enclosed_whatever_is_left_out(last):
    """With few cells the unknown ratio and the mass beyond show; the bounds hold them."""
    rate = Fraction(4)
    ends = skellam_draws._sequences(rate, 0, last, 64)
    bounds = skellam_draws._between([skellam_draws.shares(masses, 64) for masses in ends])
    half = [oracles_skellam.mass(x, 4) for x in range(60)]
    total, below = mpmath.fsum(half), mpmath.mpf(0)
    for mass, (low, high) in zip(half, bounds, strict=False):
        below += mass
        assert low <= below / total * 2**64 <= high + 1
    assert bounds[-1][1] == 2**64  # nothing may be left out, and then this is 1


def test_a_step_is_drawn_exactly_where_the_table_ends(seed):
    """About one draw in 2^88; here the rare branch alone."""
    rate = Fraction(400)
    first = skellam_draws.reach(rate, skellam_draws.FURTHER)
    drawn = skellam_draws.beyond(rate, 1, DRAWS, rng=OnlyBits(streams.teaching(seed)))
    mass = [oracles_skellam.mass(x, 400) for x in range(first, first + 80)]
    law = law_of(first, [one / mpmath.fsum(mass) for one in mass])
    assert chi_square_pvalue(drawn, law) > LEVEL > chi_square_pvalue(drawn + 1, law)


@pytest.mark.parametrize("size", [100, skellam_draws.MANY])
def test_few_and_many_steps_have_one_law(size, seed):
    rng = OnlyBits(streams.teaching(seed))
    drawn = [skellam_draws.step(Fraction(25), size, rng=rng) for _ in range(40_000 // size)]
    assert law_pvalue(np.concatenate(drawn), SKELLAM, 25.0) > LEVEL
    assert law_pvalue(np.concatenate(drawn), SKELLAM, 28.0) < LEVEL


@pytest.mark.parametrize(
    "rate", few([Fraction(257), Fraction(300.7), Fraction(10**4), Fraction(10**9)], 4)
)
def test_rejection_keeps_the_law_of_the_hidden_counts(rate, seed):
    """E[V(V + k)] = Λ² for each k; the whole law where the oracle can list it."""
    rng = OnlyBits(streams.teaching(seed))
    for k in (0, 5, int(3 * float(rate) ** 0.5)):
        size = 20_000 if k or rate > 1000 else 200_000  # sees proposals that nobody rejects
        drawn = skellam_draws.hidden(np.full(size, k), rate, rng=rng)
        product = drawn.astype(float) * (drawn + k) / float(rate) ** 2 - 1
        assert abs(product.mean()) < 6 * product.std() / np.sqrt(drawn.size)
        if rate < 1000:
            law = law_of(0, oracles_skellam.bessel(k, float(rate), 900))
            assert chi_square_pvalue(drawn, law) > LEVEL
            assert chi_square_pvalue(drawn + 1, law) < LEVEL
            if not k:
                proposed = skellam_draws.common_law(rate).draw(size, rng=rng)
                mode = skellam_draws.modes(np.array([k]), rate)
                assert chi_square_pvalue(mode + proposed, law) < LEVEL


def samples(rate, size, seed):
    """Differences, modes and proposals as they occur, and some that hardly do."""
    rng = streams.teaching(seed)
    k = np.abs(np.round(rng.standard_normal(size) * float(2 * rate) ** 0.5 * 2)).astype(np.int64)
    k[:4] = 0, 1, 2**39, 2**20
    mode = skellam_draws.modes(k, rate)
    away = np.round(rng.standard_normal(size) * float(rate / 2) ** 0.5 * 2).astype(np.int64)
    away[4:8] = 0, 1, -1, 2
    return np.maximum(away, -mode), mode, k


@pytest.mark.parametrize(
    "rate", [Fraction(257), Fraction(5000.5), Fraction(10**6), Fraction(10**10)]
)
def test_modes_are_exact(rate, seed):
    _, mode, k = samples(rate, 300, seed)
    for m, each in zip(mode.tolist(), k.tolist(), strict=True):
        assert m * (m + each) <= rate * rate < (m + 1) * (m + 1 + each)


@full_run
@pytest.mark.parametrize("rate", [Fraction(257), Fraction(5000.5), Fraction(10**6) + Fraction(0.1)])
def test_bounds_enclose_the_chance_to_accept(rate, seed):
    away, mode, k = samples(rate, 200, seed)
    least, most = skellam_draws._lacking(away, mode, k, rate)
    gaps = []
    for i, (lowest, highest) in enumerate(zip(least.tolist(), most.tolist(), strict=True)):
        one = skellam_draws.chance(int(away[i]), int(mode[i]), int(k[i]), rate, 96)
        lower, upper = (Fraction(bound, 2**96) for bound in (one[0], one[1] + 1))
        assert lower <= 1
        s = Fraction(lowest, 2**32)
        assert 1 - Fraction(highest, 2**32) <= upper
        assert lower <= 1 - s + s * s / 2
        gaps.append((highest - lowest) / 2**32)
    assert np.median(gaps) < 8 / float(rate) + 1e-8  # so that the product is seldom worked out


@for_each(("away", "mode", "k"), [(3, 6, 0), (-4, 6, 0), (2, 4, 5), (-4, 4, 5)])
def test_chance_to_accept_is_the_quotient_of_both_laws(away, mode, k):
    rate = Fraction(13, 2)
    exact = Fraction(1)
    step = 1 if away > 0 else -1
    for i in range(abs(away)):
        v = mode + step * i
        if step > 0:
            exact *= rate**2 / ((v + 1) * (v + 1 + k)) / (rate / (rate + i)) ** 2
        else:
            exact *= Fraction(v * (v + k)) / rate**2 / ((rate - i) / rate) ** 2
    low, high = skellam_draws.chance(away, mode, k, rate, 128)
    assert Fraction(low, 2**128) <= exact < Fraction(high + 1, 2**128)
    assert exact <= 1


@pytest.mark.parametrize("level", [0.3, 50.0, 9e4, 1.1e5])
@pytest.mark.parametrize("z", [-6.0, -1.0, 0.0, 2.0])
def test_mass_and_cdf_against_the_definition(level, z):
    x = round(z * (2 * level) ** 0.5)
    with mpmath.workdps(40):
        rate = 2 * mpmath.mpf(level)
        mass = [
            mpmath.exp(-rate) * mpmath.besseli(abs(y), rate, maxterms=10**7) for y in (x, x + 1)
        ]
    assert SKELLAM.density(x, level) == pytest.approx(float(mass[0]), rel=1e-11)
    step = SKELLAM.cdf(x + 1, level) - SKELLAM.cdf(x, level)
    assert step == pytest.approx(float(mass[1]), rel=1e-9, abs=1e-14)


def test_both_formulas_of_the_tail_agree(monkeypatch):
    x = np.round(np.array([1, 100, 500, 2000, 5000]) * 1.0)
    tail, mass = skellam_tail(x, 9e4), skellam_mass(x, 9e4)
    monkeypatch.setattr(bridge_law_counts, "LARGE", 1.0)
    np.testing.assert_allclose(skellam_tail(x, 9e4), tail, rtol=1e-8)
    np.testing.assert_allclose(skellam_mass(x, 9e4), mass, rtol=1e-11)
