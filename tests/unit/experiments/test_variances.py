"""Measured variances against their laws: the sampler, Bartlett's law, and near misses of both."""

import threading
import time
from functools import cache, partial
from itertools import islice

import numpy as np
import pytest
from scipy import stats

from dpviz import streams
from dpviz.errors import ParameterError
from dpviz.experiments.exact import exact_law_variances
from dpviz.experiments.ladders import spaced_budgets
from dpviz.experiments.simulation import (
    BLOCK,
    GAUSSIAN,
    IndependentReleases,
    in_blocks,
    interval,
    simulate_variances,
)
from dpviz.noise import ADDITIVE, FAMILIES
from dpviz.release import MultipleRelease

LEVELS, APART = np.array([0.5, 2.0, 9.0]), np.array([0.5, 3.0, 20.0])
SIZE = 2 * BLOCK  # repetitions at a time of three tiers
N, TIMES = 40, 3000  # repetitions behind one sample variance; how many of those
CERTAIN = 1e-7


def brute_force(seed):
    """Sample variances of N draws each, TIMES over, by the real sampler: shape (TIMES, 3)."""
    session = MultipleRelease(np.zeros(N * TIMES), FAMILIES["gaussian"], rng=streams.teaching(seed))
    for level in (2.0, 9.0, 0.5):
        session.release(level)
    rows = np.stack([session.release(level) for level in LEVELS])
    return (rows.reshape(3, TIMES, N) ** 2).mean(axis=2).T


@cache
def exact_law(seed):
    rng = streams.teaching(seed, 1)
    drawn = [exact_law_variances(LEVELS, APART, N, rng=rng) for _ in range(TIMES)]
    return np.array([d.lossless for d in drawn]), np.array([d.baseline for d in drawn])


def as_correlation_errors(sample, expected):
    """How many standard errors the correlation of two columns lies from what it should be."""
    found = np.corrcoef(sample.T)[0, 1]
    return abs(np.arctanh(found) - np.arctanh(expected)) * np.sqrt(TIMES - 3)


def test_the_exact_law_is_that_of_brute_force(seed):
    brute, (exact, _) = brute_force(seed), exact_law(seed)
    for column in range(3):
        assert stats.ks_2samp(brute[:, column], exact[:, column]).pvalue > CERTAIN
    ratios = brute[:, 2] / brute[:, 0], exact[:, 2] / exact[:, 0]  # a law of the pair
    assert stats.ks_2samp(*ratios).pvalue > CERTAIN
    sums = brute[:, 1] + brute[:, 2], exact[:, 1] + exact[:, 2]
    assert stats.ks_2samp(*sums).pvalue > CERTAIN


def test_each_sample_variance_is_chi_square_with_all_its_degrees(seed):
    exact, baseline = exact_law(seed)
    for found, variances in ((exact, LEVELS), (baseline, APART)):
        for column, variance in enumerate(variances):
            scaled = N * found[:, column] / variance
            assert stats.kstest(scaled, stats.chi2(N).cdf).pvalue > CERTAIN
            for miss in (N - 5, N + 5):
                assert stats.kstest(scaled, stats.chi2(miss).cdf).pvalue < CERTAIN


def test_variances_of_one_session_move_together_and_those_of_the_baseline_do_not(seed):
    exact, baseline = exact_law(seed)
    together = LEVELS[0] / LEVELS[1]  # correlation of squares: the squared correlation
    assert as_correlation_errors(exact[:, :2], together) < 6
    assert as_correlation_errors(exact[:, :2], 0.0) > 6
    assert as_correlation_errors(baseline[:, :2], 0.0) < 6


def test_levels_in_any_order_and_equal_ones():
    drawn = exact_law_variances([9.0, 0.5, 9.0], [1.0] * 3, 10**6, rng=streams.teaching(7))
    assert drawn.lossless[0] == drawn.lossless[2]
    np.testing.assert_allclose(drawn.lossless, [9.0, 0.5, 9.0], rtol=0.02)


def test_the_simulation_gives_the_variances_and_rejects_near_misses(seed):
    *_, last = simulate_variances(GAUSSIAN, LEVELS, APART, 200_000, rng=streams.teaching(seed))
    for found, right in ((last.lossless, LEVELS), (last.baseline, APART)):
        low, high = interval(found, last.repetitions, 1 - 1e-8)
        assert ((low < right) & (right < high)).all()
        for miss in (0.97, 1.03):
            assert ((high < miss * right) | (miss * right < low)).all()


@pytest.mark.parametrize("name", list(ADDITIVE))
def test_the_simulation_gives_the_variances_of_every_family(name, seed):
    family, levels, apart = FAMILIES[name], [0.5, 2.0, 9.0], [0.5, 3.0, 20.0]
    rng, n = streams.teaching(seed), 40_000
    *_, last = simulate_variances(family, levels, apart, n, rng=rng)
    for found, asked in ((last.lossless, levels), (last.baseline, apart)):
        right = np.array([family.variance(x) for x in asked])
        kurtosis = np.array([family.fourth_moment(x) for x in asked]) / right**2
        low, high = interval(found, n, 1 - 1e-8, kurtosis=kurtosis)
        assert ((low < right) & (right < high)).all()
        miss = 1.25 * right
        assert ((high < miss) | (miss < low)).all()


def test_intervals_of_laplace_noise_cover_about_as_often_as_they_say():
    """Those of Gaussian noise would be too short: they cover four times in five only."""
    n, times = 1000, 4000
    drawn = FAMILIES["laplace"].extend(np.zeros(n * times), 0, 1.0, rng=streams.teaching(5))
    found = np.square(drawn).reshape(times, n).mean(axis=1) / 2

    def covered(**more):
        low, high = interval(found, n, 0.95, **more)
        return ((low < 1) & (high > 1)).mean()

    assert covered(kurtosis=6.0) == pytest.approx(0.95, abs=0.015)
    assert covered() < 0.85


def test_intervals_cover_as_often_as_they_say():
    _, baseline = exact_law(7)
    low, high = interval(baseline / APART, N, 0.9)
    covered = ((low < 1) & (high > 1)).mean()
    assert covered == pytest.approx(0.9, abs=0.015)


@pytest.mark.parametrize(("tiers", "numbers"), [(1, 6), (2, 6), (6, 6), (12, 12)])
def test_a_block_holds_as_many_numbers_of_few_tiers_as_of_many(tiers, numbers):
    levels = np.arange(1.0, tiers + 1)
    first = next(simulate_variances(GAUSSIAN, levels, levels, 10**6, rng=streams.teaching(7)))
    assert first.repetitions * tiers == numbers * BLOCK


def test_the_numbers_depend_on_the_generator_and_not_on_threads_or_on_stopping():
    def run(threads, blocks=None):
        found = simulate_variances(
            GAUSSIAN, LEVELS, APART, 10 * SIZE + 5, rng=streams.teaching(7), threads=threads
        )
        return list(islice(found, blocks))

    one, two, early = run(1), run(2), run(2, 4)
    assert [s.repetitions for s in one] == [*range(SIZE, 10 * SIZE + 1, SIZE), 10 * SIZE + 5]
    for a, b in zip(one, two, strict=True):
        np.testing.assert_array_equal(a.lossless, b.lossless)
        np.testing.assert_array_equal(a.baseline, b.baseline)
    np.testing.assert_array_equal(early[-1].lossless, one[3].lossless)
    assert not np.array_equal(one[-1].lossless, one[0].lossless)


def test_whoever_stops_iterating_stops_the_work():
    drawn, stopped = [], threading.Event()

    def block(size, _rng):
        drawn.append(size)
        if len(drawn) > 1:
            stopped.wait()
        return np.zeros(1)

    before = threading.active_count()
    steps = in_blocks(block, 1000 * BLOCK, rng=streams.teaching(7), threads=2, size=BLOCK)
    next(steps)
    steps.close()
    stopped.set()
    while threading.active_count() > before:
        time.sleep(0.01)
    assert len(drawn) < 20


def test_every_block_asks_in_an_order_of_its_own(monkeypatch):
    orders = []

    class Watched(MultipleRelease):
        __slots__ = ()

        def __init__(self, *args, **more):
            super().__init__(*args, **more)
            orders.append([])

        def release(self, level):
            orders[-1].append(level)
            return super().release(level)

    monkeypatch.setattr("dpviz.experiments.simulation.MultipleRelease", Watched)
    list(simulate_variances(GAUSSIAN, LEVELS, APART, 12 * SIZE, rng=streams.teaching(7)))
    assert len(orders) == 12
    assert len({tuple(order) for order in orders}) > 3
    assert all(sorted(order) == LEVELS.tolist() for order in orders)


def test_independent_releases_share_nothing_and_keep_what_they_drew():
    apart = IndependentReleases(np.zeros(50_000), FAMILIES["gaussian"], rng=streams.teaching(7))
    first, second = apart.release(1.0), apart.release(2.0)
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.03
    assert apart.release(1.0) is first


@pytest.mark.parametrize(
    ("levels", "baseline", "repetitions"),
    [
        ([1.0], [1.0, 2.0], 10),
        ([], [], 10),
        ([0.0], [1.0], 10),
        ([1.0], [np.nan], 10),
        ([1.0], [1.0], 0),
        ([1.0], [1.0], 2.5),
    ],
)
def test_refusals(levels, baseline, repetitions):
    for law in (partial(simulate_variances, GAUSSIAN), exact_law_variances):
        with pytest.raises(ParameterError):
            law(levels, baseline, repetitions, rng=streams.teaching(7))


def test_ladders_by_factors_and_by_steps():
    log = spaced_budgets(0.001, 5.0, 10)
    assert (log[0], log[-1]) == (0.001, 5.0)
    np.testing.assert_allclose(log[1:] / log[:-1], 5000 ** (1 / 9))
    even = spaced_budgets(0.001, 5.0, 10, "steps")
    np.testing.assert_allclose(np.diff(even), 4.999 / 9)


@pytest.mark.parametrize(
    ("least", "largest", "count", "spacing"),
    [
        (5.0, 0.001, 10, "factors"),
        (1.0, 1.0, 2, "steps"),
        (0.0, 1.0, 2, "steps"),
        (1.0, 2.0, 1, "steps"),
        (1.0, 2.0, 3, "sideways"),
        (1.0, np.nextafter(1.0, 2.0), 30, "factors"),
    ],
)
def test_a_ladder_that_cannot_be_used_is_refused(least, largest, count, spacing):
    with pytest.raises(ParameterError):
        spaced_budgets(least, largest, count, spacing)
