"""Simulated attackers against theory; and what noise in floating point gives away.

Mironov's attack: a number that was released for the exact answer 0 and that no random number at all
could have given for the answer 1. The precision attack: a binary digit that is finer than any sum
with 1 has. Both are run on single releases and on correlated pairs.
[M12] Mironov, On significance of the least significant bits for differential privacy, 2012.
"""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.stats import poisson
from scipy.stats import skellam as skellam_law

from dpviz import streams
from dpviz.accounting import (
    Pair,
    gaussian_trade_off,
    joint_pair,
    laplace_trade_off,
    pair_advantage,
    pair_trade_off,
    poisson_log_delta,
)
from dpviz.accounting.guarantees import offered
from dpviz.errors import HardenedModeError, ParameterError
from dpviz.experiments.attack import attack_worlds
from dpviz.experiments.attack_tests import (
    MOST_TOGETHER,
    Moved,
    best_misses,
    best_success,
    can_be_summed,
    most_exposed,
    moves_of,
    outcomes,
)
from dpviz.noise import ADDITIVE, FAMILIES
from dpviz.queries import BoundedSum, Bounds, ByColumn, Count, Everybody
from dpviz.release import MultipleRelease
from tests.conftest import few, for_each, full_run
from tests.oracles_accounting import delta_by_enumeration, discrete_laplace_log_delta

ALARMS = np.array([0.0, 0.003, 0.02, 0.1, 0.3, 0.5, 0.8, 0.97, 1.0])


def one(shift):
    return Moved(((shift, 1),))


def least_misses(out, inside, alpha):
    """By the dual of linear programming: the best price of a false alarm is one of the ratios."""
    price = np.append(inside[out > 0] / out[out > 0], 0.0)
    worth = np.maximum(inside - np.outer(price, out), 0.0).sum(axis=1)
    return 1 - (worth + np.outer(alpha, price)).min(axis=1)


LAWS = {
    "poisson": lambda level: poisson(level).pmf,
    "skellam": lambda level: skellam_law(level, level).pmf,
    "discrete_laplace": lambda level: (
        lambda x: math.tanh(0.5 / level) * np.exp(-np.abs(np.asarray(x)) / level)
    ),
}


@pytest.mark.parametrize("family", LAWS)
@pytest.mark.parametrize(("level", "moved"), [(1.3, 1), (6.0, 1), (6.0, 4)])
@pytest.mark.parametrize("lowers", [False, True])
def test_one_release_is_tested_as_well_as_can_be(family, level, moved, lowers):
    x = np.arange(-200, 201)
    out, inside = (LAWS[family](level)(y) for y in (x, x + moved if lowers else x - moved))
    shift = one(-moved if lowers else moved)
    found = best_misses(FAMILIES[family], [level], shift, ALARMS)
    want = least_misses(out, inside, ALARMS)
    np.testing.assert_allclose(found, want, atol=1e-11)
    near = best_misses(FAMILIES[family], [level * 1.02], shift, ALARMS)
    assert np.abs(near - want).max() > 1e-4
    right = (1 + np.abs(out - inside).sum() / 2) / 2
    assert best_success(FAMILIES[family], [level], shift) == pytest.approx(right, abs=1e-11)


def test_the_curve_gives_the_delta_of_the_accounting():
    """1 - e^eps alpha - beta, at its largest, is delta [Dong, Roth, Su 2019, Proposition 5]."""
    alphas = np.linspace(0, 1, 20_001)
    for epsilon in (0.1, 0.4):
        curve = best_misses(FAMILIES["discrete_laplace"], [2.0], one(1), alphas)
        delta = math.exp(discrete_laplace_log_delta(epsilon, 2.0, 1))
        assert np.max(1 - math.exp(epsilon) * alphas - curve) == pytest.approx(delta, abs=1e-4)
        curves = (best_misses(FAMILIES["poisson"], [9.0], one(by), alphas) for by in (1, -1))
        deltas = [np.max(1 - math.exp(epsilon) * alphas - curve) for curve in curves]
        delta = math.exp(poisson_log_delta(epsilon, 9.0))
        assert max(deltas) == pytest.approx(delta, abs=1e-4)


@pytest.mark.parametrize(
    ("family", "levels", "moved"),
    [
        ("discrete_laplace", (1.5, 1.5, 4.0), 2),
        ("poisson", (3.0, 5.0), 1),
        ("skellam", (2.0, 2.0), 1),
    ],
)
def test_several_releases_are_tested_as_well_as_can_be(family, levels, moved):
    x = np.arange(-150, 150) if family == "discrete_laplace" else np.arange(-30, 45)
    laws = [[LAWS[family](level)(y) for y in (x, x - moved)] for level in levels]
    if family == "discrete_laplace":  # flat tails: three outcomes say all
        ends = np.searchsorted(x, [0, 1, moved])
        laws = [
            [np.add.reduceat(law, [0, *ends[1:]]) for law in two]  # ≤ 0, 1, ≥ 2
            for two in laws
        ]
    out, inside = (
        np.array([math.prod(masses) for masses in product(*(two[k] for two in laws))])
        for k in (0, 1)
    )
    keep = out + inside > 1e-13
    pair = Pair(out[keep], inside[keep])
    found = best_misses(FAMILIES[family], list(levels), one(moved), ALARMS[:-1])
    want = pair_trade_off(pair, ALARMS[:-1])
    np.testing.assert_allclose(found, want, atol=2e-6)
    assert (
        np.abs(best_misses(FAMILIES[family], [*levels, 30.0], one(moved), ALARMS[:-1]) - want).max()
        > 1e-3
    )
    assert best_success(FAMILIES[family], levels, one(moved)) == pytest.approx(
        (1 + pair_advantage(pair)) / 2, abs=1e-6
    )


def test_several_laplace_releases_against_a_fine_sum():
    cell = np.arange(-0.995, 2.0, 0.01)  # beyond 0 and 1 the ratio is flat
    density = [np.exp(-np.abs(cell - s) / 1.0) / 2 * 0.01 for s in (0, 1)]
    for law, s in zip(density, (0, 1), strict=True):
        law[0] += np.exp(-(s + 1.0)) / 2
        law[-1] += np.exp(-(2.0 - s)) / 2
    both = np.abs(np.outer(*[density[0]] * 2) - np.outer(*[density[1]] * 2)).sum() / 2
    assert best_success(FAMILIES["laplace"], [1.0, 1.0], one(1.0)) == pytest.approx(
        (1 + both) / 2, abs=2e-5
    )


def test_closed_forms_and_wide_noise_agree():
    wide = best_misses(
        FAMILIES["skellam"], [5e7], one(10_000), ALARMS
    )  # variance 1e8: nearly Gaussian, mu = 1
    np.testing.assert_allclose(wide, gaussian_trade_off(1.0, ALARMS), atol=1e-4)
    fine = best_misses(FAMILIES["discrete_laplace"], [1000.0], one(1000), ALARMS)
    np.testing.assert_allclose(fine, laplace_trade_off(1.0, ALARMS), atol=1e-3)
    pair = outcomes(FAMILIES["laplace"], 1.0, 1.0)
    np.testing.assert_allclose(
        pair_trade_off(pair, ALARMS), laplace_trade_off(1.0, ALARMS), atol=1e-6
    )
    joint = joint_pair([(outcomes(FAMILIES["skellam"], 5e3, 100), 4)])
    np.testing.assert_allclose(
        pair_trade_off(joint, ALARMS), gaussian_trade_off(2.0, ALARMS), atol=2e-4
    )


WORLDS = 20_000


@pytest.mark.parametrize("family", offered())
@pytest.mark.parametrize("lossless", [True, False])
def test_the_simulated_attacker_is_as_good_as_the_best_test(family, lossless):
    levels, at = [2.0, 3.0, 3.0], ALARMS[2:-1]
    moved = one(2.0)
    rng = streams.teaching(13, 1 + lossless)
    found = attack_worlds(FAMILIES[family], levels, moved, WORLDS, lossless=lossless, rng=rng)
    held = levels[:1] if lossless else levels
    best = best_misses(FAMILIES[family], held, moved, at)
    # The threshold is estimated, too: its error counts by the slope of the curve.
    slope = np.abs(np.gradient(best, at)) + 1
    wide = 5 * slope * np.sqrt(np.maximum(at * (1 - at), best * (1 - best)) / WORLDS) + 1e-3
    assert np.all(np.abs(found.misses(at) - best) < wide)
    other = best_misses(FAMILIES[family], levels if lossless else levels[:1], moved, at)
    assert np.any(np.abs(found.misses(at) - other) > wide)
    right = best_success(FAMILIES[family], held, moved)
    assert abs(found.success() - right) < 5 * 0.5 / math.sqrt(2 * WORLDS)


@pytest.mark.parametrize("levels", [[4.0], [2.0, 3.0, 3.0]])
def test_noise_of_real_numbers_of_any_shape_is_put_into_cells(levels):
    """The cells cut outcomes of chance 0 in floats, which count only without any false alarm."""
    gaussian = FAMILIES["gaussian"]
    other = replace(gaussian, shape="other")
    for moved in (0.5, 2.0, 40.0):
        mine, its = (best_misses(f, levels, one(moved), ALARMS[1:]) for f in (other, gaussian))
        np.testing.assert_allclose(mine, its, atol=2e-4)
        assert best_success(other, levels, one(moved)) == pytest.approx(
            best_success(gaussian, levels, one(moved)), abs=1e-4
        )
    rng = streams.teaching(13)
    found = attack_worlds(other, levels, one(2.0), WORLDS, lossless=False, rng=rng)
    assert found.success() == pytest.approx(best_success(gaussian, levels, one(2.0)), abs=0.015)


def test_noise_that_never_falls_gives_away_who_is_below_it():
    """Out: Exp(1). In: 1 + Exp(1). The best test says "in" above 1, and never misses."""
    found = best_misses(FAMILIES["exponential"], [1.0], one(1.0), [math.exp(-1), 0.2])
    np.testing.assert_allclose(found, [0, 1 - 0.2 * math.e], atol=5e-3)


FIVE = Bounds(person="id", groups_per_person=5)
SWAP = replace(FIVE, relation="replace")
TWELVE, EIGHT = (ByColumn("ward", tuple("abcdefghijkl"[:k])) for k in (12, 8))


def summed(by, bounds, low, high):
    return BoundedSum("x", low, high, step=1, by=by, bounds=bounds)


@for_each(
    ("query", "shifts"),
    [
        (Count(TWELVE, FIVE), ((1.0, 5),)),
        (Count(TWELVE, FIVE, total=True), ((5.0, 1), (1.0, 5))),
        (Count(TWELVE, SWAP), ((1.0, 5), (-1.0, 5))),
        (Count(TWELVE, SWAP, total=True), ((5.0, 1), (1.0, 5))),  # one of five groups, one of none
        (Count(EIGHT, SWAP), ((1.0, 4), (-1.0, 4))),
        (summed(TWELVE, FIVE, -10, 50), ((50.0, 5),)),
        (summed(TWELVE, FIVE, -50, 10), ((-50.0, 5),)),
        (summed(TWELVE, SWAP, -10, 50), ((50.0, 5), (-50.0, 5))),  # apart
        (summed(TWELVE, SWAP, -30, 50), ((80.0, 5),)),  # in the same groups
        (summed(EIGHT, SWAP, -10, 50), ((60.0, 2), (50.0, 3), (-50.0, 3))),  # two in common
    ],
)
def test_the_attacked_vector_is_one_that_a_person_has(query, shifts):
    """Under Gaussian noise the longest; Δ₁ and Δ₂ may belong to two different persons."""
    moved = most_exposed(FAMILIES["gaussian"], 1.0, moves_of(query))
    assert moved.shifts == shifts
    assert moved.l2 == pytest.approx(query.sensitivity.l2)


def test_laplace_noise_may_show_another_person_than_gaussian_noise():
    query = summed(TWELVE, Bounds("id", 1, 1, "replace"), -21, 50)
    apart, met = moves_of(query)
    assert (apart.shifts, met.shifts) == (((50.0, 1), (-50.0, 1)), ((71.0, 1),))
    assert most_exposed(FAMILIES["gaussian"], 5000.0, (apart, met)) == met
    assert most_exposed(FAMILIES["laplace"], 10.0, (apart, met)) == apart


def test_a_public_statistic_shows_nobody():
    with pytest.raises(ParameterError, match="nobody can move"):
        moves_of(Count(Everybody(), Bounds(relation="replace")))


def test_five_groups_under_laplace_noise_are_found_519_times_in_1000():
    """At ε = 0.3156: one number moved by Δ₁ would be found 573 times, one of the ten 508 times."""
    epsilon, family = 0.31564817038713444, FAMILIES["laplace"]
    level = 10 / epsilon
    moved = most_exposed(family, level, moves_of(Count(TWELVE, SWAP)))
    right = [best_success(family, [level], m) for m in (one(10.0), one(1.0), moved)]
    assert [round(1000 * share) for share in right] == [573, 508, 519]
    found = attack_worlds(family, [level], moved, 50_000, lossless=True, rng=streams.teaching(8))
    assert found.success() == pytest.approx(right[2], abs=5 * 0.5 / math.sqrt(100_000))
    assert abs(found.success() - right[1]) > 5 * 0.5 / math.sqrt(100_000)


def brute(family, level, shifts):
    """Success by all outcomes of all coordinates, without any grid."""
    x = np.arange(-40, 60)
    pairs = [[LAWS[family](level)(y) for y in (x, x - s)] for s in shifts]
    return (1 + delta_by_enumeration(pairs, 0.0)) / 2


@pytest.mark.parametrize("family", LAWS)
@pytest.mark.parametrize("shifts", [((1, 2),), ((1, 1), (-1, 1)), ((3, 1), (1, 2)), ((-1, 3),)])
def test_several_numbers_are_tested_as_well_as_can_be(family, shifts):
    want = brute(family, 1.7, [s for s, count in shifts for _ in range(count)])
    assert best_success(FAMILIES[family], [1.7], Moved(shifts)) == pytest.approx(want, abs=2e-6)


def test_ups_and_downs_of_poisson_noise_are_no_ups():
    ups, both = (
        best_misses(FAMILIES["poisson"], [2.0], Moved(m), ALARMS[1:-1])
        for m in (((1, 4),), ((1, 2), (-1, 2)))
    )
    assert np.abs(ups - both).max() > 0.005
    one_way, other_way = (
        best_misses(FAMILIES["poisson"], [2.0], Moved(((up, 2), (-up, 2))), ALARMS)
        for up in (1, -1)
    )
    np.testing.assert_allclose(one_way, other_way, atol=1e-12)


@pytest.mark.parametrize("family", ADDITIVE)
@pytest.mark.parametrize("lossless", [True, False])
def test_the_simulated_attacker_looks_at_the_whole_vector(family, lossless):
    moved, levels, n = Moved(((2.0, 1), (1.0, 3), (-1.0, 2))), [6.0, 9.0, 9.0], 8000
    noise, rng = FAMILIES[family], streams.teaching(17, 1 + lossless)
    found = attack_worlds(noise, levels, moved, n, lossless=lossless, rng=rng)
    right = best_success(noise, levels[:1] if lossless else levels, moved)
    band = 5 * 0.5 / math.sqrt(2 * n)
    assert abs(found.success() - right) < band
    assert right - best_success(noise, levels[:1], one(2.0)) > band


def test_gaussian_noise_hides_a_vector_as_its_length():
    """The closed form against the convolution of its coordinates, each put into cells."""
    gaussian, moved = FAMILIES["gaussian"], Moved(((1.0, 5), (-2.0, 1)))
    cells = replace(gaussian, shape="other")
    for held in ([9.0], [9.0, 16.0]):
        mine, its = (best_misses(f, held, moved, ALARMS[1:-1]) for f in (cells, gaussian))
        np.testing.assert_allclose(mine, its, atol=2e-4)
        np.testing.assert_allclose(its, best_misses(gaussian, held, one(3.0), ALARMS[1:-1]))


@pytest.mark.parametrize(("family", "level"), [("skellam", 2500.0), ("poisson", 5000.0)])
def test_thousands_of_numbers_come_near_the_gaussian_limit(family, level):
    found = best_success(FAMILIES[family], [level], Moved(((1.0, 5000),)))
    assert found == pytest.approx(best_success(FAMILIES["gaussian"], [1.0], one(1.0)), abs=2e-4)


def test_too_many_numbers_are_refused_and_gaussian_ones_are_not():
    many = Moved(((1.0, MOST_TOGETHER),))
    assert can_be_summed(FAMILIES["laplace"], [1.0], many)
    assert not can_be_summed(FAMILIES["laplace"], [1.0, 2.0], many)
    with pytest.raises(ParameterError, match="promised_trade_off"):
        best_success(FAMILIES["laplace"], [1.0, 2.0], many)
    with pytest.raises(ParameterError, match="fewer worlds"):
        attack_worlds(FAMILIES["laplace"], [1.0], many, 101, lossless=True, rng=streams.teaching(1))
    assert best_success(FAMILIES["gaussian"], [1e8, 1e8], many) > 0.5


@pytest.mark.parametrize("family", ["poisson", "skellam", "discrete_laplace"])
def test_a_move_far_beyond_the_noise_is_seen(family):
    assert best_success(FAMILIES[family], [10.0], one(5_000_000)) == pytest.approx(1.0)


@for_each(
    "call",
    [
        lambda: best_misses(FAMILIES["poisson"], [1.0], one(1.5), ALARMS),
        lambda: best_misses(FAMILIES["poisson"], [1.0], one(1.0), [1.1]),
        *(
            lambda name=name, levels=levels, by=by: attack_worlds(
                FAMILIES[name], levels, one(by), 9, lossless=True, rng=streams.teaching(1)
            )
            for name, levels, by in (
                ("poisson", [4.0], 0.5),
                ("gaussian", [], 1.0),
                ("gaussian", [1.0] * 201, 1.0),
            )
        ),
        lambda: joint_pair([]),
        lambda: Pair(np.array([0.5]), np.array([0.5, 0.5])),
        lambda: Pair(np.array([-0.5]), np.array([0.5])),
    ],
)
def test_refusals(call):
    with pytest.raises(ParameterError):
        call()


# What floats give away: attacks on noise in floating point, beside noise in whole numbers.


DRAWS = 20_000
GRID = 2**53  # numpy's uniform numbers are multiples of 1/GRID
NEAR = 4  # such multiples to either side of the one that is looked for
FINE = -53.0  # a sum with 1 has no digit below 2⁻⁵³
FLOATS = [name for name, family in ADDITIVE.items() if not family.integer]
WHOLE = [name for name, family in ADDITIVE.items() if family.integer]


def numpy_laplace(uniform, scale):
    """As numpy makes a Laplace number of a uniform one."""
    if uniform >= 0.5:
        return -scale * math.log(2.0 - uniform - uniform)
    return scale * math.log(uniform + uniform)


def possible(released, exact, scale):
    """Whether numpy's Laplace noise could have given this number for this exact answer."""
    tail = math.exp(-abs(released - exact) / scale) / 2
    middle = round((tail if released < exact else 1 - tail) * GRID)
    near = range(max(middle - NEAR, 1), min(middle + NEAR, GRID - 1) + 1)
    return any(exact + numpy_laplace(multiple / GRID, scale) == released for multiple in near)


def impossible_share(released, exact, scale):
    return np.mean([not possible(each, exact, scale) for each in released.tolist()])


def digit(numbers):
    """Exponent of the last binary digit that is not 0, by the fraction that a float is."""
    fractions = map(Fraction, numbers.tolist())
    return np.array([1 - each.denominator.bit_length() if each else math.inf for each in fractions])


@pytest.mark.parametrize("scale", few([1.0, 2.0, 10.0], 3))
def test_four_of_five_numpy_laplace_numbers_could_not_come_from_the_other_table(scale):
    rng = np.random.default_rng(12)
    zero, one = (exact + rng.laplace(0, scale, DRAWS) for exact in (0.0, 1.0))
    assert impossible_share(zero, 0.0, scale) == impossible_share(one, 1.0, scale) == 0
    assert 0.78 < impossible_share(zero, 1.0, scale) < 0.84
    assert 0.78 < impossible_share(one, 0.0, scale) < 0.84


@pytest.mark.parametrize("name", WHOLE)
def test_no_whole_number_is_impossible_for_the_other_table(name):
    """By the chances of the family: every number that came from 0 can come from 1 and back.

    Poisson noise never falls, so from 1 no 0 can come: its δ, which is part of its promise.
    """
    family = FAMILIES[name]
    level = 20.0 if family.level_unit == "rate" else 1.0
    for exact, other in ((0, 1), (1, 0)):
        session = MultipleRelease(np.full(DRAWS, exact), family, rng=streams.hardened())
        for each in (3 * level, level):  # a single release, and the two of a pair
            released = session.release(each)
            chances = family.density(released - other, each)
            impossible = np.mean(chances == 0)
            if family.never_falls:
                assert impossible <= 1e-3
            else:
                assert impossible == 0


def pair(family, exact, rng):
    """Two releases of one session, and their difference: the noisier one is drawn first."""
    level = 20.0 if family.level_unit == "rate" else 1.0
    session = MultipleRelease(np.full(DRAWS, exact), family, rng=rng)
    noisier, less = session.release(3 * level), session.release(level)
    return less, noisier, noisier - less


def numpy_pair(exact):
    rng = np.random.default_rng(3)
    less = exact + rng.laplace(0, 1.0, DRAWS)
    moved = rng.random(DRAWS) > 1 / 9  # the step to scale 3, as a naive program draws it
    return less, less + moved * rng.laplace(0, 3.0, DRAWS)


@full_run
def test_fine_digits_betray_floats_alone_and_in_pairs():
    """Of numpy's Laplace noise 0.27 has a digit that no sum with 1 has; ours for teaching, too."""
    single, noisier = numpy_pair(0.0)
    assert 0.25 < np.mean(digit(single) < FINE) < 0.29
    assert not np.any(digit(numpy_pair(1.0)[0]) < FINE)
    assert np.mean(digit(noisier) < FINE) > 0.05
    assert np.mean((digit(single) < FINE) | (digit(noisier) < FINE)) > 0.27  # both tell more
    for name in ("gaussian", "laplace"):
        zero, one = (pair(FAMILIES[name], exact, streams.teaching(3)) for exact in (0, 1))
        assert all(np.mean(digit(each) < FINE) > 0.05 for each in zero[:2])
        assert not any(np.any(digit(each) < FINE) for each in one[:1])


@pytest.mark.parametrize("name", few(WHOLE, 3))
def test_whole_numbers_have_no_fine_digits(name):
    for exact in (0, 1):
        for released in pair(FAMILIES[name], exact, streams.hardened()):
            assert released.dtype.kind == "i"
            assert not np.any(digit(released) < 0)


@pytest.mark.parametrize("name", FLOATS)
def test_so_hardened_mode_refuses_floats(name):
    with pytest.raises(HardenedModeError, match="whose last digits give the exact values away"):
        MultipleRelease([0.0], FAMILIES[name], rng=streams.hardened())
