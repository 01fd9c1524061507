"""The joint density of releases: against scipy, by adding up to one, and in any order."""

import itertools
import math

import numpy as np
import pytest
from scipy.integrate import dblquad, quad
from scipy.stats import multivariate_normal

import dpviz
from dpviz import FAMILIES, MultipleRelease, ParameterError, streams
from dpviz.noise import ADDITIVE
from dpviz.noise.bridge_law import release_law
from dpviz.noise.joint_density import joint_log_density

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


@pytest.mark.parametrize("name", WHOLE)
def test_chances_of_whole_numbers_add_up_to_one(name):
    family = FAMILIES[name]
    span = range(-1, 25) if family.never_falls else range(-17, 18)
    total = math.fsum(
        math.exp(joint_log_density(family, [0, 0], {0.3: [0, a], 1.0: [0, b]}))
        for a in span
        for b in span
    )
    alone = math.exp(joint_log_density(family, [0], {0.3: [0], 1.0: [0]}))
    assert total == pytest.approx(alone, rel=1e-6)
    marginal = math.fsum(
        math.exp(joint_log_density(family, [0], {0.3: [a], 1.0: [3]})) for a in span
    )
    assert marginal == pytest.approx(family.density(3, 1.0), rel=1e-6)


def test_laplace_densities_and_atoms_add_up_to_one():
    family = FAMILIES["laplace"]

    def joint(first, second):
        return math.exp(joint_log_density(family, [0.0], {1.0: [first], 2.0: [second]}))

    rested = 2 * quad(lambda x: joint(x, x), 0, 40)[0]
    moved = 2 * sum(
        dblquad(lambda y, x: joint(x, y), 0, 30, *ends, epsabs=1e-4)[0]
        for ends in ((-60, lambda x: x - 1e-12), (lambda x: x + 1e-12, 90))
    )
    assert rested == pytest.approx(0.25, rel=1e-6)
    assert rested + moved == pytest.approx(1.0, rel=1e-3)


@pytest.mark.parametrize("name", ADDITIVE)
def test_the_order_of_asking_does_not_matter(name):
    family = FAMILIES[name]
    values = [10, 10, 13] if family.lazy else [11, 12, 16]
    releases = list(zip(LEVELS, values if family.integer else map(float, values), strict=True))
    exact = 9 if family.integer else 9.0
    whole = joint_log_density(family, [exact], {level: [value] for level, value in releases})
    assert math.isfinite(whole)
    for order in itertools.permutations(releases):
        assert in_order(family, exact, order) == pytest.approx(whole, rel=1e-9)


@pytest.mark.parametrize("name", ADDITIVE)
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


@pytest.mark.parametrize("name", ADDITIVE)
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


def test_they_are_offered():
    assert dpviz.release_law is release_law
    assert dpviz.joint_log_density is joint_log_density
