"""The law of a release that a session would draw, and the joint density of several."""

import itertools
import math
import os
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from dpviz import MultipleRelease, streams
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE, FAMILIES
from dpviz.noise.bridge_law import joint_log_density, release_law
from tests.conftest import few, for_each

# --- The stated law of a bridge against draws of the family's own bridge; near misses are seen ---

ONE_POINT = ("laplace", 10, 0, 2.0, 5.0, 9.0)  # both neighbours agree: the path rests on them
N = 1_000_000 if os.environ.get("DPVIZ_SEEDS") == "all" else 100_000
BOUND = math.sqrt(math.log(2 / 1e-7) / (2 * N))  # Dvoretzky, Kiefer, Wolfowitz, Massart

CASES = [
    *((f, 10, k, 2.0, 5.0, 9.0) for f in ("gaussian", "laplace", "skellam") for k in (6, 0, -7)),
    *(("discrete_laplace", 10, k, 2.0, 5.0, 9.0) for k in (6, 1, 0, -7)),
    *((f, 10, k, 2.0, 5.0, 9.0) for f in ("poisson", "exponential") for k in (6, 1)),
    *((f, 120, 9, 0.0, 5.0, 9.0) for f in ADDITIVE),
    *((f, 120, None, 3.0, 5.0, None) for f in ADDITIVE),
    ("skellam", 10, 500, 2.0, 50_000.0, 90_000.0),
    ("poisson", 10, 300_000, 2.0, 50_000.0, 900_000.0),
    ("discrete_laplace", 10, 3000, 200.0, 700.0, 1900.0),
]


def drawn(case, n=N):
    name, below, k, low, level, high = case
    family, rng = FAMILIES[name], streams.teaching(11, len(name))
    kind = np.int64 if family.integer else np.float64
    start = np.full(n, below, dtype=kind)
    if k is None:
        return family.extend(start, low, level, rng=rng)
    return family.bridge(start, start + kind(k), low, level, high, rng=rng)


def law_of(case, **changed):
    name, below, k, low, level, high = case
    level = changed.get("level", level)
    return release_law(
        FAMILIES[name], float(below), None if k is None else float(below + k), low, level, high
    )


def distance(values, law):
    """Greatest distance of the two distribution functions, at the draws and just below them."""
    at, counts = np.unique(values, return_counts=True)
    reached = np.cumsum(counts) / values.size
    just_below = np.nextafter(at, -np.inf)
    return max(
        np.abs(law.cdf(at) - reached).max(),
        np.abs(law.cdf(just_below) - (reached - counts / values.size)).max(),
    )


@for_each("case", few(CASES, 2))
def test_draws_of_the_family_follow_the_law(case):
    values, law = drawn(case), law_of(case)
    coarse = getattr(law, "step", 1) / 2  # a step of a coarse table
    slack = coarse * float(law.density(np.median(values)[None].round())[0]) if coarse > 1 else 0.0
    assert distance(values, law) < BOUND + slack
    if FAMILIES[case[0]].never_falls:
        assert law.cdf(np.array([case[1] - 1e-6])) == 0
    for value, chance in law.atoms:
        share = float(np.mean(values == value))
        assert abs(share - chance) < 5.5 * math.sqrt(max(chance * (1 - chance), 1e-9) / N) + 1e-12


@for_each("case", few([case for case in CASES if case != ONE_POINT], 3))
def test_a_near_miss_is_seen(case):
    *_, level, high = case
    other = level * 1.25 if high is None else level + 0.5 * (high - level)
    assert distance(drawn(case), law_of(case, level=other)) > BOUND


@for_each("case", CASES)
def test_quantiles_are_the_least_values_that_reach_their_chance(case):
    law, p = law_of(case), np.array([1e-6, 0.025, 0.25, 0.5, 0.75, 0.975, 1 - 1e-6])
    at = law.quantile(p)
    step = getattr(law, "step", 1)
    below = at - step if FAMILIES[case[0]].integer else at - 1e-6 * (1 + np.abs(at))
    assert np.all(law.cdf(at + 1e-9 * (1 + np.abs(at))) >= p - 1e-9)
    assert np.all(law.cdf(below) <= p + 1e-9)
    assert np.all(np.diff(at) >= 0)


@for_each("case", few(CASES, 2))
def test_density_is_the_slope_of_the_cdf(case):
    law = law_of(case)
    low, high = law.quantile(np.array([0.01, 0.99]))
    if FAMILIES[case[0]].integer:
        if getattr(law, "step", 1) > 1:
            return
        x = np.arange(low, high + 1)
        assert np.allclose(law.density(x), law.cdf(x) - law.cdf(x - 1), atol=1e-12)
        assert not law.density(x + 0.5).any()
        return
    x = np.linspace(low, high, 41) + 1e-4
    away = np.all([np.abs(x - value) > 1e-3 for value, _ in law.atoms] or [x == x], axis=0)
    x = x[away]
    slope = (law.cdf(x + 1e-5) - law.cdf(x - 1e-5)) / 2e-5
    assert np.allclose(law.density(x), slope, rtol=1e-4, atol=1e-7)


def test_atoms_match_the_numbers_of_the_design():
    law = law_of(("laplace", 0, 3, 1.0, 2.0, 4.0))
    # MATHEMATICS 2.3: stay (l/b)² (1-(b/h)²)/(1-(l/h)²)
    assert law.atoms[0][1] == pytest.approx(0.25 * 0.75 / (1 - 1 / 16))
    assert [value for value, _ in law.atoms] == [0.0, 3.0]


@for_each(
    ("name", "arguments"),
    [
        ("gaussian", (0.0, 1.0, 2.0, 2.0, 3.0)),
        ("gaussian", (0.0, 1.0, 2.0, 4.0, 3.0)),
        ("gaussian", (0.0, None, 2.0, 2.5, 3.0)),
        ("gaussian", (0.0, 1.0, 2.0, 2.5, None)),
        ("poisson", (5.0, 4.0, 1.0, 2.0, 3.0)),
        ("exponential", (5.0, 4.0, 1.0, 2.0, 3.0)),
        ("skellam", (5.5, 6.0, 1.0, 2.0, 3.0)),
        ("skellam", (0.0, 4000.0, 1.0, 2.0, 3.0)),
    ],
)
def test_refusals(name, arguments):
    with pytest.raises(ParameterError) as told:
        release_law(FAMILIES[name], *arguments)
    assert str(told.value).count(". ") == 0


# --- The joint density of releases: against scipy, by adding up to one, and in any order ---------

WHOLE = [name for name, family in ADDITIVE.items() if family.integer]
LEVELS = (0.5, 1.0, 2.5)


def in_order(family, exact, releases):
    """The same density, one draw after another in the order of asking, bridges among them."""
    held, total = {0.0: exact}, 0.0
    for level, value in releases:
        low = max(each for each in held if each < level)
        high = min((each for each in held if each > level), default=None)
        law = release_law(family, held[low], held.get(high), low, level, high)
        total += float(law.log_density(np.array(value)))
        held[level] = value
    return total


def test_gaussian_releases_are_jointly_normal():
    rng = np.random.default_rng(7)
    levels, exact = np.array([0.5, 1.0, 4.0, 9.0]), np.array([3.0, -1.0])
    released = {float(level): rng.normal(size=2) for level in levels}
    covariance = np.minimum.outer(levels, levels)
    expected = sum(
        multivariate_normal.logpdf([released[t][i] for t in levels], [exact[i]] * 4, covariance)
        for i in range(2)
    )
    found = joint_log_density(FAMILIES["gaussian"], exact, released)
    assert found == pytest.approx(expected, rel=1e-12)
    shaped = {level: values.reshape(2, 1) for level, values in released.items()}
    again = joint_log_density(FAMILIES["gaussian"], exact.reshape(2, 1), shaped)
    assert again == pytest.approx(found, rel=1e-12)


@for_each("name", ADDITIVE)
def test_the_order_of_asking_does_not_matter(name):
    family = FAMILIES[name]
    values = [10, 10, 13] if family.lazy else [11, 12, 16]
    releases = list(zip(LEVELS, values if family.integer else map(float, values), strict=True))
    exact = 9 if family.integer else 9.0
    whole = joint_log_density(family, [exact], {level: [value] for level, value in releases})
    assert math.isfinite(whole)
    for order in itertools.permutations(releases):
        assert in_order(family, exact, order) == pytest.approx(whole, rel=1e-9)


@for_each("name", ADDITIVE)
def test_only_the_least_noisy_release_tells_of_the_values(name):
    family = FAMILIES[name]
    session = MultipleRelease([50, 60], family, rng=streams.teaching(3))
    for level in LEVELS[::-1]:
        session.release(level)
    least = {0.5: session.held[0.5]}

    def gain(releases):
        one, other = ([50, 60], [49, 60]) if family.integer else ([50.0, 60.0], [49.3, 60.0])
        return joint_log_density(family, one, releases) - joint_log_density(family, other, releases)

    assert gain(session.held) == pytest.approx(gain(least), rel=1e-9)
    assert joint_log_density(family, [50, 60], {}) == 0.0


@for_each("name", ADDITIVE)
def test_logs_agree_with_densities(name):
    family = FAMILIES[name]
    above = 13.0
    for law in (
        release_law(family, 9.0, None, 1.0, 2.0, None),
        release_law(family, 9.0, above, 1.0, 2.0, 4.0),
        release_law(family, 9.0, 9.0, 1.0, 2.0, 4.0),
    ):
        x = np.array([5.0, 9.5, 10.0, 11.0, 14.0, 9.0, 13.0])
        expected = law.density(x)
        if not family.integer:
            for value, chance in law.atoms:
                expected = np.where(x == value, chance, expected)
        assert np.exp(law.log_density(x)) == pytest.approx(expected, rel=1e-9, abs=1e-300)


def test_far_away_the_digits_stay():
    far = {name: joint_log_density(FAMILIES[name], [0], {1.0: [700]}) for name in WHOLE}
    assert far["discrete_laplace"] == pytest.approx(math.log(math.tanh(0.5)) - 700, rel=1e-12)
    assert far["poisson"] == pytest.approx(-1 - math.lgamma(701), rel=1e-12)


def test_what_cannot_be_is_said():
    poisson = FAMILIES["poisson"]
    assert joint_log_density(poisson, [5], {1.0: [4]}) == -math.inf
    for values, releases, text in (
        ([5], {1.0: [4, 5]}, "shape of values"),
        ([5.0], {1.0: [4]}, "whole numbers"),
        ([5], {-1.0: [4]}, "level"),
        ([5], [4], "map levels to values"),
    ):
        with pytest.raises(ParameterError, match=text):
            joint_log_density(poisson, values, releases)
    with pytest.raises(ParameterError, match="below must be"):
        release_law(poisson, "9", None, 1.0, 2.0, None)


@pytest.mark.parametrize("name", ["gaussian", "laplace", "discrete_laplace", "skellam"])
@pytest.mark.parametrize("number", [Decimal, Fraction])
def test_neighbours_may_be_decimals_or_fractions(name, number):
    law = release_law(ADDITIVE[name], number(10), number(13), 1.0, 2.0, 4.0)
    same = release_law(ADDITIVE[name], 10.0, 13.0, 1.0, 2.0, 4.0)
    assert law.atoms == same.atoms
    assert law.cdf(11.0) == same.cdf(11.0)


# --- When what is added is the only possible law: characteristic functions of every family ---


FORMS = {  # as MATHEMATICS 1.1 has them, by level and frequency
    "gaussian": lambda t, s: np.exp(-t * s**2 / 2),
    "laplace": lambda b, s: 1 / (1 + b**2 * s**2),
    "exponential": lambda m, s: 1 / (1 - 1j * m * s),
    "poisson": lambda rate, s: np.exp(rate * (np.exp(1j * s) - 1)),
    "skellam": lambda rate, s: np.exp(-2 * rate * (1 - np.cos(s))),
    "discrete_laplace": lambda b, s: np.expm1(-1 / b) ** 2 / abs(1 - np.exp(-1 / b + 1j * s)) ** 2,
}
THREE_LEVELS = (0.7, 1.3, 2.9)
FREQUENCIES = np.array([0.0, 0.4, 1.0, 2.2, math.pi])
GRID, REACH = 0.004, 60  # of an integral over the density


@for_each("name", ADDITIVE)
def test_no_family_has_a_frequency_without_weight(name):
    """The closed form is that of the law, and nowhere 0."""
    family, level = ADDITIVE[name], THREE_LEVELS[1]
    grid = 1.0 if family.integer else GRID
    x = np.arange(-REACH, REACH, grid) + (0 if family.integer else grid / 2)
    weight = grid * np.asarray(family.density(x, level))
    found = np.exp(1j * np.multiply.outer(FREQUENCIES, x)) @ weight
    assert found == pytest.approx(FORMS[name](level, FREQUENCIES), abs=2e-5)
    dense = np.linspace(0, math.pi if family.integer else 30, 2_000)
    assert all(np.abs(FORMS[name](each, dense)).min() > 0 for each in THREE_LEVELS[:2])


# Fejér's law has the characteristic function max(0, 1 - |s|). On [-1, 1] alone it has weight, and
# there the square of `step` is exp(-|s|), that of Cauchy's law; further out it is not.
def step(s):
    """A Pólya function: even, convex and falling from 1 to 0, so a characteristic function."""
    s = np.abs(s)
    return np.where(s <= 1, np.exp(-s / 2), math.exp(-0.5) * np.maximum(3 - s, 0) / 2)


def density(power, x):
    """Of the law with the characteristic function step^power, by the integral over s."""
    nodes, weights = np.polynomial.legendre.leggauss(400)
    total = np.zeros_like(x)
    for low, high in ((0.0, 1.0), (1.0, 3.0)):
        s = (high - low) / 2 * nodes + (high + low) / 2
        total += np.cos(np.multiply.outer(x, s)) @ (weights * step(s) ** power) * (high - low) / 2
    return total / math.pi


def test_without_that_condition_two_laws_may_be_added():
    s = np.linspace(-4, 4, 801)
    fejer, cauchy = np.maximum(1 - np.abs(s), 0), np.exp(-np.abs(s))
    assert fejer * step(s) ** 2 == pytest.approx(fejer * cauchy, abs=1e-15)
    assert np.abs(step(s) ** 2 - cauchy).max() > 0.01
    falling = np.diff(step(np.linspace(0, 4, 4001)))  # Pólya's condition: it falls ever slower
    assert falling.max() <= 0
    assert np.diff(falling).min() > -1e-12
