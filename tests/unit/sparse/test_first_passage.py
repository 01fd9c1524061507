"""First-passage probabilities against 30 digits, in every order, down to 1e-280."""

import math
from itertools import permutations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import special

from dpviz.errors import ParameterError
from dpviz.sparse.first_passage import FirstPassage
from tests.conftest import FULL, few, for_each
from tests.oracles_sparse import chance

EXACT = 1e-12  # relative


def served(levels, thresholds):
    passage = FirstPassage()
    for level, threshold in zip(levels, thresholds, strict=True):
        passage.add(passage.crossing(level, threshold))
    return passage


def exact_probability(levels, thresholds, new):
    """P(the level in place `new` shows | no other one does), by the oracle."""
    others = [i for i in range(len(levels)) if i != new]
    staying = chance(
        [levels[i] for i in others], [thresholds[i] for i in others], [False] * len(others)
    )
    above = [i == new for i in range(len(levels))]
    return float(chance(levels, thresholds, above) / staying)


def assert_exact(levels, thresholds, new):
    others = [i for i in range(len(levels)) if i != new]
    passage = served([levels[i] for i in others], [thresholds[i] for i in others])
    found = passage.crossing(levels[new], thresholds[new]).probability
    wanted = exact_probability(levels, thresholds, new)
    assert abs(found / wanted - 1) < EXACT, (found, wanted)


@for_each("z", [-30.0, -3.0, 0.0, 1.5, 5.0, 20.0, 37.0])
def test_the_first_level_is_the_normal_tail(z):
    found = FirstPassage().crossing(4.0, 2 * z).probability
    assert_allclose(found, special.ndtr(-z), rtol=EXACT)


@pytest.mark.parametrize("ratio", few([1 + 1e-12, 2.0, 1.0001, 50.0], 2))
@pytest.mark.parametrize(
    "z", few([(1.5, 1.5), (5.0, 5.0), (3.0, -1.0), (-1.0, 3.0), (20.0, 20.5), (35.5, 35.0)], 2)
)
@pytest.mark.parametrize("new", [0, 1])
def test_two_levels(ratio, z, new):
    levels = (2.5, 2.5 * ratio)
    thresholds = [zi * math.sqrt(level) for zi, level in zip(z, levels, strict=True)]
    if exact_probability(levels, thresholds, new) > 1e-280:
        assert_exact(levels, thresholds, new)


@pytest.mark.parametrize(
    ("ratios", "z"),
    [
        ((2.0, 2.0), (1.5, 1.5, 1.5)),
        ((1.0001, 1.0001), (5.0, 5.0, 5.0)),
        ((1.0001, 50.0), (2.0, 2.0, 2.0)),
        ((50.0, 1.0001), (2.0, 2.0, 2.0)),
        ((1.5, 3.0), (34.0, 34.0, 34.0)),
        ((2.0, 1.2), (4.0, 0.5, 3.0)),
    ][:: 1 if FULL else 2],
    ids=str,
)
@pytest.mark.parametrize("new", [0, 1, 2])
def test_three_levels(ratios, z, new):
    levels = 2.5 * np.cumprod([1.0, *ratios])
    assert_exact(levels, np.array(z) * np.sqrt(levels), new)


@pytest.mark.parametrize("ratio", few([1.0001, 1 + 1e-7, 1.3, 2.0, 50.0], 2))
def test_every_order_has_the_same_chance_of_staying(ratio):
    """Messages from either side and from both, rebuilt and kept, tell one and the same story."""
    levels = 2.5 * ratio ** np.arange(4.0)
    thresholds = np.array([1.0, 1.4, 0.7, 1.2]) * np.sqrt(levels)
    logs = [
        served(levels[list(order)], thresholds[list(order)])._log_staying
        for order in permutations(range(4))
    ]
    assert max(logs) - min(logs) < EXACT


@pytest.mark.parametrize("ratio", few([1.3, 1.0001, 20.0], 2))
def test_twenty_levels_rising_and_falling(ratio):
    levels = 2.5 * ratio ** np.arange(20.0)
    thresholds = 3.0 * np.sqrt(levels)
    up, down = served(levels, thresholds), served(levels[::-1], thresholds[::-1])
    assert abs(up._log_staying / down._log_staying - 1) < 1e-11
    new = levels[7] * math.sqrt(ratio)
    found = [p.crossing(new, 3 * math.sqrt(new)).probability for p in (up, down)]
    assert_allclose(found[0], found[1], rtol=EXACT)


def test_messages_are_extended_not_rebuilt():
    levels = 2.5 * 2.0 ** np.arange(5.0)
    passage = served(levels, 2 * np.sqrt(levels))
    below, above = [passage.below(i) for i in range(5)], [passage.above(i) for i in range(5)]
    passage.add(passage.crossing(levels[2] * 1.3, 5.0))  # between the third and the fourth
    assert [passage.below(i) is message for i, message in enumerate(below[:3])] == [True] * 3
    assert [passage.above(i + 1) is above[i] for i in (3, 4)] == [True] * 2
    assert passage.below(4) is not below[3]
    assert passage.above(0) is not above[0]


@pytest.mark.parametrize("z", few([-40.0, -2.0, 0.0, 1.5, 5.0, 30.0], 2))
def test_values_of_the_first_crossing(z):
    """Density, cumulative distribution and draws against the normal law above its threshold."""
    crossing = FirstPassage().crossing(4.0, 2 * z)
    rng = np.random.Generator(np.random.PCG64(3))
    drawn = crossing.draw(20_000, rng=rng)
    assert (drawn > crossing.threshold).all()
    log_tail = special.log_ndtr(-z)
    cdf = -np.expm1(special.log_ndtr(-np.sort(drawn)[::50] / 2) - log_tail)
    assert_allclose(crossing.cdf(np.sort(drawn)[::50]), cdf, atol=1e-12)
    density = np.exp(-(drawn**2) / 8 - log_tail) / math.sqrt(8 * math.pi)
    assert_allclose(crossing.density(drawn), density, rtol=1e-10)
    rank = np.arange(1, drawn.size + 1) / drawn.size
    assert np.abs(crossing.cdf(np.sort(drawn)) - rank).max() < 3.1 / math.sqrt(drawn.size)


def test_density_and_distribution_agree_in_the_middle_of_others():
    passage = served((1.0, 3.0, 5.0), (1.0, 1.0, 4.0))
    crossing = passage.crossing(2.0, 0.5)
    x = np.linspace(0.5, 9.0, 20_001)
    area = np.concatenate(
        [[0.0], np.cumsum(np.diff(x) * (crossing.density(x)[1:] + crossing.density(x)[:-1]) / 2)]
    )
    assert_allclose(crossing.cdf(x), area, atol=1e-6)
    assert crossing.density(np.array([0.4]))[0] == 0


def test_a_level_twice_or_a_threshold_that_is_none():
    passage = served((1.0,), (1.0,))
    with pytest.raises(ParameterError, match="added already"):
        passage.crossing(1.0, 2.0)
    for bad in (math.inf, -math.inf, math.nan):
        with pytest.raises(ParameterError, match="finite"):
            passage.crossing(2.0, bad)
    assert passage.levels == (1.0,)
    assert passage.thresholds == (1.0,)
