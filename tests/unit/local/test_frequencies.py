"""Frequencies from randomised responses: unbiased, and with the variance that enumeration finds."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose

from dpviz import streams
from dpviz.errors import ParameterError
from dpviz.local.frequencies import estimate_frequencies
from dpviz.noise.randomised_response import RandomisedResponse
from tests.conftest import few

TRUTH = (0, 0, 1, 2)
LEVELS = {0.3: (0, 2), 1.1: (1, 3)}  # which people report at which level


def every_outcome(family, levels, **options):
    """All reports of the small population, each with its probability and its estimate."""
    level_of = {person: level for level, people in levels.items() for person in people}
    laws = [family.law_between(t, None, 0.0, level_of[i], None) for i, t in enumerate(TRUTH)]
    for reports in itertools.product(range(family.categories), repeat=len(TRUTH)):
        chance = np.prod([law[y] for law, y in zip(laws, reports, strict=True)])
        given = {level: np.array(reports)[list(people)] for level, people in levels.items()}
        yield chance, estimate_frequencies(given, family, **options)


@pytest.mark.parametrize("levels", [{0.7: (0, 1, 2, 3)}, LEVELS])
def test_unbiased_by_enumeration(levels):
    family = RandomisedResponse(3)
    outcomes = list(every_outcome(family, levels))
    mean = sum(chance * found.shares for chance, found in outcomes)
    assert_allclose(mean, [0.5, 0.25, 0.25], rtol=1e-12)
    assert all(found.shares.sum() == pytest.approx(1) for _, found in outcomes)
    assert all(found.possible.min() >= 0 for _, found in outcomes)
    assert all(found.possible.sum() == pytest.approx(1) for _, found in outcomes)


def test_weights_of_the_least_error_are_biased_where_levels_tell_something():
    """People 1 and 3, at the noisier level, are no picture of all: the sharper count more."""
    family = RandomisedResponse(3)
    outcomes = list(every_outcome(family, LEVELS, alike=True))
    mean = sum(chance * found.shares for chance, found in outcomes)
    part = np.array([2 * np.exp(-2 * level) for level in LEVELS])
    part /= part.sum()
    assert_allclose(mean, part @ [[0.5, 0.5, 0], [0.5, 0, 0.5]], rtol=1e-12)


@pytest.mark.parametrize("alike", few([False, True], 2))
def test_its_error_is_the_one_that_repetitions_have(alike):
    """Reports of 3,000 people at two levels, 2,000 times."""
    family = RandomisedResponse(4)
    truth = np.repeat([0, 1, 2, 3], [1800, 900, 300, 0])
    people = np.arange(truth.size) % 3 == 0
    rng, found = streams.teaching(3), []
    for _ in range(2000):
        given = {
            level: family.extend(truth[chosen], 0.0, level, rng=rng)
            for level, chosen in ((0.4, people), (1.5, ~people))
        }
        found.append(estimate_frequencies(given, family, alike=alike))
    shares = np.array([one.shares for one in found])
    stated = np.array([one.standard_errors for one in found]).mean(axis=0)
    assert_allclose(shares.mean(axis=0), [0.6, 0.3, 0.1, 0.0], atol=5 * stated.max() / 2000**0.5)
    assert_allclose(shares.std(axis=0), stated, rtol=0.08)  # 5 standard errors of a spread
    assert not np.allclose(shares.std(axis=0), 1.15 * stated, rtol=0.08)


def test_possible_shares_are_the_nearest():
    """Against a grid of all possible shares."""
    family = RandomisedResponse(3)
    found = estimate_frequencies({1.5: np.array([0, 0, 0, 1])}, family)
    grid = [(a, b, 100 - a - b) for a in range(101) for b in range(101 - a)]
    grid = np.array(grid) / 100
    nearest = grid[np.argmin(((grid - found.shares) ** 2).sum(axis=1))]
    assert_allclose(found.possible, nearest, atol=0.01)


def test_refuses_what_are_no_reports():
    family = RandomisedResponse(3)
    with pytest.raises(ParameterError, match="at least one report"):
        estimate_frequencies({}, family)
    with pytest.raises(ParameterError, match="at least one report"):
        estimate_frequencies({1.0: np.array([], dtype=int)}, family)
    with pytest.raises(ParameterError, match="categories from 0 to 2"):
        estimate_frequencies({1.0: np.array([3])}, family)
    with pytest.raises(ParameterError, match="level"):
        estimate_frequencies({0.0: np.array([1])}, family)
    with pytest.raises(ParameterError, match="whole numbers"):
        estimate_frequencies({1.0: np.array([0.5])}, family)
