"""Randomised response: its bridge against enumeration, its exactness, and what it refuses."""

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from numpy.testing import assert_array_equal

import dpviz
from dpviz import MultipleRelease, streams
from dpviz.accounting import privacy_loss
from dpviz.accounting.levels import randomised_response_epsilon, randomised_response_level
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE, FAMILIES, named
from dpviz.noise.randomised_response import RandomisedResponse, _Bridge
from dpviz.release import MemoryStore
from tests.conftest import for_each
from tests.oracles_noise import response_bridge, response_steps

LEVELS = (0.4, 1.0, 2.2)
YES_NO = FAMILIES["randomised_response"]
SIZES = pytest.mark.parametrize("categories", [2, 3, 7])


def masses(table, cells):
    """The law of a table, as it draws: from its own thresholds at 200 bits."""
    ends = [0, *(Fraction(low, 2**200) for low, _ in table._thresholds(200)), 1]
    assert len(ends) == cells + 1
    return [float(b - a) for a, b in itertools.pairwise(ends)]


@SIZES
def test_draws_follow_the_law_for_every_pair_of_neighbours(categories, seed):
    """All pairs at once: a chi-square test of each, and one that must fail."""
    family, n = YES_NO.with_categories(categories), 4000
    pairs = list(itertools.product(range(categories), repeat=2))
    below, above = (np.repeat([pair[i] for pair in pairs], n) for i in (0, 1))
    drawn = family.bridge(below, above, *LEVELS, rng=streams.teaching(seed)).reshape(-1, n)
    levels = LEVELS, (LEVELS[0], 1.1, LEVELS[2])
    steps, near = (response_steps(categories, each) for each in levels)
    statistic = near_miss = 0.0
    for pair, row in zip(pairs, drawn, strict=True):
        seen = np.bincount(row, minlength=categories)
        expected = n * np.array(response_bridge(steps, *pair), float)
        statistic += ((seen - expected) ** 2 / expected).sum()
        wrong = n * np.array(response_bridge(near, *pair), float)
        near_miss += ((seen - wrong) ** 2 / wrong).sum()
    freedom = len(pairs) * (categories - 1)
    limit = freedom + 6 * math.sqrt(2 * freedom) + 20
    assert statistic < limit < near_miss


def test_levels_one_float_apart_keep_the_report():
    near = np.nextafter(1.0, 2.0)
    laws = _Bridge.of(1.0, near, 2.0, 3)
    assert masses(laws.unequal, 3)[0] == pytest.approx(1, abs=1e-15)
    moved = 1 - Fraction(laws.unequal._thresholds(200)[0][0], 2**200)
    assert 0 < moved < 1e-15


@SIZES
def test_level_and_epsilon_belong_together(categories):
    """The loss of one report is the one that the loss distribution of this response has."""
    family = RandomisedResponse(categories)
    for epsilon in (0.01, 0.5, 3.0, 20.0):
        level = randomised_response_level(epsilon, categories=categories)
        assert randomised_response_epsilon(level, categories=categories) <= epsilon
        true = family.probability_true(level)
        other = (1 - true) / (categories - 1)
        assert math.log(true / other) == pytest.approx(epsilon, rel=1e-7)
        loss = privacy_loss.randomised_response(epsilon, categories=categories)
        assert loss.delta(0.0) == pytest.approx(true - other, rel=1e-9)


@SIZES
def test_a_coalition_learns_what_its_sharpest_report_says(categories):
    """By enumeration: the loss of three reports of one session is the loss of the first."""
    at = response_steps(categories, (0, *LEVELS))
    losses = []
    for y, z, w in itertools.product(range(categories), repeat=3):
        chances = [at[0][truth][y] * at[1][y][z] * at[2][z][w] for truth in (0, 1)]
        losses.append(abs(float(mpmath.log(chances[0] / chances[1]))))
    assert max(losses) == pytest.approx(randomised_response_epsilon(0.4, categories=categories))


def test_hardened_sessions_draw_it_and_are_kept():
    seven, store = YES_NO.with_categories(7), MemoryStore()
    session = MultipleRelease([0, 3, 6], seven, rng=streams.hardened())
    later, first = session.release(2.0), session.release(0.5)
    assert session.mode == "hardened"
    again = MultipleRelease.resume(session.suspend(store), store)
    assert again.family == seven
    assert_array_equal(again.release(0.5), first)
    assert_array_equal(again.release(2.0), later)
    session = MultipleRelease([[0, 1], [1, 0]], YES_NO, rng=streams.hardened())
    session.seal(0.5)
    assert session.release(3.0).shape == (2, 2)


def test_a_name_says_how_many_categories():
    assert named("randomised_response") == YES_NO
    assert named("randomised_response_7") == RandomisedResponse(7)
    for wrong in ("randomised_response_2", "randomised_response_1", "randomised_response_07", ""):
        assert named(wrong) is None
    assert YES_NO.name not in ADDITIVE


@for_each(
    "use",
    [
        lambda: dpviz.half_width(YES_NO, 1.0, 0.95),
        lambda: dpviz.LaplacePath([0, 1], 0.1, 1.0, family=YES_NO, rng=streams.teaching(1)),
        lambda: dpviz.jump_law(0.1, 1.0, family=YES_NO),
        lambda: dpviz.gradual_law({1.0: 0}, 0.5, family=YES_NO),
        lambda: dpviz.gradual_correlation(1.0, 2.0, family=YES_NO),
        lambda: dpviz.tighten(np.array([0]), 1.0, 0.5, family=YES_NO, rng=streams.teaching(1)),
        lambda: dpviz.attack_errors(YES_NO, [1.0]),
        lambda: dpviz.best_estimate(YES_NO, [0, 1], [1.0, 1.0]),
        lambda: dpviz.release_law(YES_NO, 0, 1, 0.1, 0.5, 1.0),
    ],
)
def test_what_asks_for_the_noise_of_a_number_refuses_it(use):
    with pytest.raises(ParameterError, match="must add noise to numbers"):
        use()


def test_refuses_what_is_no_category():
    three = YES_NO.with_categories(3)
    for values in ([3], [-1], [0, 9]):
        with pytest.raises(ParameterError, match="categories from 0 to 2"):
            MultipleRelease(values, three, rng=streams.teaching(1))
        with pytest.raises(ParameterError, match="categories from 0 to 2"):
            three.extend(np.array(values), 0, 1.0, rng=streams.teaching(1))
    for one in (0, 1, 2**16 + 1, 2.5, "3", True):
        with pytest.raises(ParameterError, match="categories must"):
            YES_NO.with_categories(one)
    with pytest.raises(ParameterError, match="dtype"):
        MultipleRelease([0.5], YES_NO, rng=streams.teaching(1))
    with pytest.raises(ParameterError, match="level must lie between"):
        three.extend(np.array([1]), 0, 701.0, rng=streams.teaching(1))
