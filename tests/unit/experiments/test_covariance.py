"""The covariance check accepts every family and goes red for what breaks the promise."""

import numpy as np
import pytest
from scipy import integrate, special

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
from dpviz.experiments.planted import AnotherLaw
from dpviz.experiments.simulation import IndependentReleases
from dpviz.noise import ADDITIVE, FAMILIES
from dpviz.release import MultipleRelease
from tests.conftest import FULL, few

LEVELS = dict.fromkeys(ADDITIVE, (1.0, 3.0, 15.0)) | {
    "gaussian": (1.0, 10.0, 250.0),
    "poisson": (14.0, 70.0, 290.0),
    "skellam": (3.0, 23.0, 120.0),
}
N = 40_000


def checked(name, open_releases=MultipleRelease, *, seed=7, scaled=False, draws=N):
    family, levels = FAMILIES[name], LEVELS[name]
    *_, sample = simulate_covariances(
        family, levels, draws, rng=streams.teaching(seed), open_releases=open_releases
    )
    return check_covariances(family, levels, sample, scaled=scaled)


@pytest.mark.parametrize("name", few(ADDITIVE, 2))
def test_every_family_is_within_the_band(name, seed):
    found = checked(name, seed=seed)
    assert found.passed
    variance = [FAMILIES[name].variance(level) for level in LEVELS[name]]
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


@pytest.mark.parametrize(
    ("name", "broken"),
    [
        ("gaussian", NoBridge),
        ("gaussian", TooWide),
        ("gaussian", BetweenAverages),
        ("laplace", NoBridge),
        ("laplace", TooWide),
        ("laplace", BetweenAverages),
        ("exponential", NoBridge),
        ("exponential", BetweenAverages),
    ][:: 1 if FULL else 2],
)
def test_planted_mistakes_turn_the_check_red(name, broken, seed):
    assert not checked(name, broken, seed=seed, draws=5 * N).passed  # 25 orders


@pytest.mark.parametrize("name", ["poisson", "skellam", "discrete_laplace"])
def test_a_draw_in_place_of_the_bridge_is_caught_on_whole_numbers_too(name, seed):
    assert not checked(name, NoBridge, seed=seed).passed


def test_the_correlation_of_the_laplace_process_is_l_over_h(seed):
    found = checked("laplace", seed=seed, scaled=True)
    b = np.array(LEVELS["laplace"])
    ratios = np.minimum.outer(b, b) / np.maximum.outer(b, b)
    np.testing.assert_allclose(found.theory, ratios, rtol=1e-14)
    assert (np.abs(found.sample - ratios) <= found.half).all()
    root = np.sqrt(ratios)  # that of the Gaussian process: a near miss
    assert (np.abs(found.sample - root) > found.half)[~np.eye(3, dtype=bool)].all()


@pytest.mark.parametrize("name", ADDITIVE)
def test_fourth_moments_are_those_of_the_densities(name):
    family, level = FAMILIES[name], LEVELS[name][1]
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


@pytest.mark.parametrize("name", ADDITIVE)
def test_the_band_is_as_wide_as_sample_covariances_scatter(name):
    """Half the band over z is the standard error: that of 400 small samples, within 20 %."""
    family, levels, rng = FAMILIES[name], LEVELS[name][:2], streams.teaching(11)
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
        low, high, _ = LEVELS[family.name]
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
    found = checked(name, AnotherLaw, seed=seed, draws=N // 2)
    assert not found.outside.any()
    assert not found.passed
    kinds = {event.kind for event, bad in zip(found.events, found.strange, strict=True) if bad}
    assert LAW in kinds
    if FAMILIES[name].lazy:
        assert kinds >= {REST, RESTING}


@pytest.mark.parametrize("name", ["laplace", "gaussian"])
def test_dependence_through_absolute_values_is_caught(name, seed):
    family, levels = FAMILIES[name], LEVELS[name][:2]
    *_, sample = simulate_covariances(
        family, levels, N // 2, rng=streams.teaching(seed), open_releases=Comonotone
    )
    found = check_covariances(family, levels, sample)
    events = zip(found.events, found.strange, strict=True)
    assert SIZES in {event.kind for event, bad in events if bad} <= {SIZES, RESTING}
    assert not found.passed


@pytest.mark.parametrize("name", few(ADDITIVE, 6))
def test_chances_of_events_are_those_of_the_characteristic_function(name):
    """The law of an increment by its characteristic function, which is a quotient of two."""
    family, (low, high, _) = FAMILIES[name], LEVELS[name]
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


def test_refusals():
    rng = streams.teaching(7)
    for levels, n in (([], 10), ([1.0, 1.0], 10), ([1.0], 0), ([-1.0], 10)):
        with pytest.raises(ParameterError):
            simulate_covariances(FAMILIES["gaussian"], levels, n, rng=rng)
