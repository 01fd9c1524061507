"""Measured variances and covariances against their laws, and near misses of both."""

import threading
import time
from functools import cache, partial
from itertools import islice, product

import numpy as np
import pytest
from scipy import integrate, special, stats

from dpviz import streams
from dpviz.errors import ParameterError
from dpviz.experiments.covariance import (
    LAW,
    REST,
    RESTING,
    SIZES,
    SampleCovariances,
    check_covariances,
    count_events,
    increment_events,
    simulate_covariances,
    unlikely,
)
from dpviz.experiments.ladders import spaced_budgets
from dpviz.experiments.planted import AnotherLaw
from dpviz.experiments.simulation import (
    BLOCK,
    GAUSSIAN,
    IndependentReleases,
    exact_law_variances,
    in_blocks,
    interval,
    simulate_variances,
)
from dpviz.noise import ADDITIVE, FAMILIES
from dpviz.release import MultipleRelease
from tests.conftest import few, for_each

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


@pytest.mark.parametrize("name", list(ADDITIVE))
def test_the_simulation_gives_the_variances_of_every_family(name, seed):
    family, rng = FAMILIES[name], streams.teaching(seed)
    n, miss = (200_000, 0.03) if name == "gaussian" else (40_000, 0.25)
    *_, last = simulate_variances(family, LEVELS, APART, n, rng=rng)
    for found, asked in ((last.lossless, LEVELS), (last.baseline, APART)):
        right = np.array([family.variance(x) for x in asked])
        kurtosis = np.array([family.fourth_moment(x) for x in asked]) / right**2
        low, high = interval(found, n, 1 - 1e-8, kurtosis=kurtosis)
        assert ((low < right) & (right < high)).all()
        for near in ((1 - miss) * right, (1 + miss) * right):
            assert ((high < near) | (near < low)).all()


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


@for_each(("tiers", "numbers"), [(1, 6), (2, 6), (6, 6), (12, 12)])
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


@for_each(
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


@for_each(
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


# The covariance check accepts every family and goes red for what breaks the promise.


LADDER = dict.fromkeys(ADDITIVE, (1.0, 3.0, 15.0)) | {
    "gaussian": (1.0, 10.0, 250.0),
    "poisson": (14.0, 70.0, 290.0),
    "skellam": (3.0, 23.0, 120.0),
}
RUNS = 40_000


def checked(name, open_releases=MultipleRelease, *, seed=7, scaled=False, draws=RUNS):
    family, levels = FAMILIES[name], LADDER[name]
    *_, sample = simulate_covariances(
        family, levels, draws, rng=streams.teaching(seed), open_releases=open_releases
    )
    return check_covariances(family, levels, sample, scaled=scaled)


@pytest.mark.parametrize("name", few(ADDITIVE, 2))
def test_every_family_is_within_the_band(name, seed):
    found = checked(name, seed=seed)
    assert found.passed
    variance = [FAMILIES[name].variance(level) for level in LADDER[name]]
    assert np.diag(found.theory).tolist() == variance
    assert found.theory[0].tolist() == [variance[0]] * 3  # of the less noisy one


@pytest.mark.parametrize("name", ADDITIVE)
def test_independent_draws_are_caught(name, seed):
    found = checked(name, IndependentReleases, seed=seed)
    assert not found.passed
    assert not found.outside.diagonal().any()
    assert found.outside[0, 1]
    assert found.outside[1, 2]


class NoBridge(MultipleRelease):
    """Plants an independent draw instead of the bridge, and nothing else."""

    __slots__ = ()

    def _draw(self, level, place):
        if place < len(self._held):
            return self._family.extend(self._exact, 0.0, level, rng=self._rng)
        return super()._draw(level, place)


class TooWide(MultipleRelease):
    """Bridges and extensions move 14 % too far from the exact values."""

    __slots__ = ()

    def _draw(self, level, place):
        return 1.14 * super()._draw(level, place)


class BetweenAverages(MultipleRelease):
    """Puts the average of the two neighbours where the bridge should draw."""

    __slots__ = ()

    def _draw(self, level, place):
        if 0 < place < len(self._held):
            below, above = self._held[place - 1][1], self._held[place][1]
            return (below + above) / 2
        return super()._draw(level, place)


PLANTED = [*product(("gaussian", "laplace"), (NoBridge, TooWide, BetweenAverages))]
PLANTED += [("exponential", NoBridge), ("exponential", BetweenAverages)]


@pytest.mark.parametrize(("name", "broken"), few(PLANTED, 2))
def test_planted_mistakes_turn_the_check_red(name, broken, seed):
    assert not checked(name, broken, seed=seed, draws=5 * RUNS).passed  # 25 orders


@pytest.mark.parametrize("name", ["poisson", "skellam", "discrete_laplace"])
def test_a_draw_in_place_of_the_bridge_is_caught_on_whole_numbers_too(name, seed):
    assert not checked(name, NoBridge, seed=seed).passed


def test_the_correlation_of_the_laplace_process_is_l_over_h(seed):
    found = checked("laplace", seed=seed, scaled=True)
    b = np.array(LADDER["laplace"])
    ratios = np.minimum.outer(b, b) / np.maximum.outer(b, b)
    np.testing.assert_allclose(found.theory, ratios, rtol=1e-14)
    assert (np.abs(found.sample - ratios) <= found.half).all()
    root = np.sqrt(ratios)  # that of the Gaussian process: a near miss
    assert (np.abs(found.sample - root) > found.half)[~np.eye(3, dtype=bool)].all()


@for_each("name", ADDITIVE)
def test_fourth_moments_are_those_of_the_densities(name):
    family, level = FAMILIES[name], LADDER[name][1]
    mean, sd = family.mean(level), family.variance(level) ** 0.5
    if family.integer:
        x = np.arange(round(mean - 60 * sd), round(mean + 60 * sd))
        found = float(((x - mean) ** 4 * family.density(x, level)).sum())
    else:
        found = integrate.quad(
            lambda x: (x - mean) ** 4 * float(family.density(x, level)),
            mean - 50 * sd if name != "exponential" else 0.0,
            mean + 50 * sd,
            points=[0.0, mean],
            limit=500,
        )[0]
    assert family.fourth_moment(level) == pytest.approx(found, rel=1e-8)


@for_each("name", ADDITIVE)
def test_the_band_is_as_wide_as_sample_covariances_scatter(name):
    """Half the band over z is the standard error: that of 400 small samples, within 20 %."""
    family, levels, rng = FAMILIES[name], LADDER[name][:2], streams.teaching(11)
    zero = np.zeros(400 * 500, dtype=np.int64 if family.integer else float)
    session = MultipleRelease(zero, family, rng=rng)
    events = increment_events(family, levels)
    noise = np.stack([session.release(b) - family.mean(b) for b in levels])
    products = (noise[0] * noise[1]).reshape(400, 500).mean(axis=1)
    sample = SampleCovariances(np.eye(2), np.zeros(len(events)), 500)
    found = check_covariances(family, levels, sample)
    z = special.ndtri(1 - 0.001 / (2 * (3 + len(events))))
    assert found.half[0, 1] / z == pytest.approx(products.std(), rel=0.2)


class Comonotone:
    """The right law at both levels apart, all covariances right, and yet no independence.

    Increments of the right law get fair signs of their own, but the larger ones go to larger noise.
    """

    def __init__(self, values, family, *, rng):
        low, high, _ = LADDER[family.name]
        self._held = {low: family.extend(np.zeros(values.size), 0.0, low, rng=rng)}
        noise = self._held[low]
        step = np.abs(family.extend(noise, low, high, rng=rng) - noise)
        order = np.argsort(np.argsort(np.abs(noise)))
        self._held[high] = noise + np.sort(step)[order] * rng.choice([-1.0, 1.0], values.size)

    def release(self, level):
        return self._held[level]


@pytest.mark.parametrize("name", few(ADDITIVE, 3))
def test_another_law_with_the_same_covariances_is_caught(name, seed):
    """The covariances alone call it right: they are."""
    found = checked(name, AnotherLaw, seed=seed, draws=RUNS // 2)
    assert not found.outside.any()
    assert not found.passed
    kinds = {event.kind for event, bad in zip(found.events, found.strange, strict=True) if bad}
    assert LAW in kinds
    if FAMILIES[name].lazy:
        assert kinds >= {REST, RESTING}


@pytest.mark.parametrize("name", ["laplace", "gaussian"])
def test_dependence_through_absolute_values_is_caught(name, seed):
    family, levels = FAMILIES[name], LADDER[name][:2]
    *_, sample = simulate_covariances(
        family, levels, RUNS // 2, rng=streams.teaching(seed), open_releases=Comonotone
    )
    found = check_covariances(family, levels, sample)
    events = zip(found.events, found.strange, strict=True)
    assert SIZES in {event.kind for event, bad in events if bad} <= {SIZES, RESTING}
    assert not found.passed


@pytest.mark.parametrize("name", few(ADDITIVE, 6))
def test_chances_of_events_are_those_of_the_characteristic_function(name):
    """The law of an increment by its characteristic function, which is a quotient of two."""
    family, (low, high, _) = FAMILIES[name], LADDER[name]
    for event in increment_events(family, [low, high]):
        if event.kind != LAW or event.low is None:
            continue
        x = event.step[1]
        t = (
            np.linspace(1e-6, np.pi, 400_001)
            if family.integer
            else np.geomspace(1e-7, 1e6, 400_001)
        )
        ratio = np.exp(family.log_moments(1j * t, high) - family.log_moments(1j * t, low))
        at_least = x + (0.5 if family.integer else 0.0)
        kernel = 2 * np.sin(t / 2) if family.integer else t
        rests = 0.0 if family.integer else ratio[-1].real  # only an atom is left at the end
        wave = ((ratio - rests) * np.exp(-1j * t * at_least)).imag / kernel
        below = (1 - rests) / 2 - np.trapezoid(wave, t) / np.pi + rests * (x >= 0)
        assert below == pytest.approx(event.chance, abs=2e-4), (event, below)


def test_a_right_sampler_leaves_the_band_of_an_event_as_rarely_as_said():
    """All counts of a binomial law: those outside have no more than the chance, and nearly it."""
    (event,) = (e for e in increment_events(FAMILIES["laplace"], [1.0, 2.0]) if e.kind == REST)
    counts = np.arange(401.0)
    bad = unlikely([event] * 401, counts, 400, 0.01)
    logs = special.gammaln(401) - special.gammaln(counts + 1) - special.gammaln(401 - counts)
    masses = np.exp(logs + special.xlogy(counts, 0.25) + special.xlogy(400 - counts, 0.75))
    assert event.chance == pytest.approx(0.25)
    assert 0.005 < masses[bad].sum() <= 0.01


def test_tiers_that_agree_where_they_never_should_are_caught():
    events = increment_events(FAMILIES["gaussian"], [1.0, 2.0])
    noise = np.random.default_rng(1).standard_normal((1, 500)).repeat(2, axis=0)
    counts = count_events(events, noise)
    rest = [event.kind for event in events].index(REST)
    assert counts[rest] == 500
    assert unlikely(events, counts, 500, 1e-6)[rest]


def test_units_change_numbers_and_no_verdict():
    found = checked("gaussian", IndependentReleases)
    quarter = found.in_units(0.0625)
    np.testing.assert_array_equal(quarter.theory, found.theory / 16)
    np.testing.assert_array_equal(quarter.outside, found.outside)


def test_a_sample_that_is_no_number_is_outside():
    family = FAMILIES["gaussian"]
    counts = np.array([100 * event.chance for event in increment_events(family, [1.0])]).round()
    bad = SampleCovariances(np.array([[np.nan]]), counts, 100)
    assert not check_covariances(family, [1.0], bad).passed
    good = SampleCovariances(np.array([[1.0]]), counts, 100)
    assert check_covariances(family, [1.0], good).passed


def test_refusals_of_covariances():
    rng = streams.teaching(7)
    for levels, n in (([], 10), ([1.0, 1.0], 10), ([1.0], 0), ([-1.0], 10)):
        with pytest.raises(ParameterError):
            simulate_covariances(FAMILIES["gaussian"], levels, n, rng=rng)
