"""The story of the erratum: both laws against rejection samplers, and the figures of MATH."""

import math

import numpy as np
import pytest

from dpviz import streams
from dpviz.accounting import gaussian_log_delta, zcdp_epsilon
from dpviz.errors import ParameterError
from dpviz.mechanisms.printed_histogram import TwoRounds
from tests.oracles_printed import printed_sums, right_sums

STORY = TwoRounds(0.1, 0.2, 1.5)


@pytest.mark.parametrize(
    ("first", "second", "deviations", "distance"),  # PERFORMANCE section 4, computed elsewhere
    [(0.1, 0.2, 1.5, 0.127), (0.1, 0.2, 3, 0.197), (0.1, 0.2, 5, 0.235), (0.1, 0.11, 5, 0.63)],
)
def test_the_distances_are_those_known(first, second, deviations, distance):
    story = TwoRounds(first, second, deviations)
    assert story.distance == pytest.approx(distance, abs=5e-3 if distance > 0.5 else 5e-4)


def test_the_delta_of_the_story():
    assert STORY.delta(2.0) == pytest.approx(0.00261, abs=1e-5)
    assert STORY.allowed(2.0) == pytest.approx(0.00123, abs=1e-5)
    assert STORY.delta(2.0, printed=False) < math.exp(gaussian_log_delta(2.0, math.sqrt(0.4)))


@pytest.mark.parametrize("epsilon", [0.5, 2.0, 5.0])
def test_what_is_allowed_is_the_inverse_of_the_conversion(epsilon):
    assert zcdp_epsilon(0.2, math.log(STORY.allowed(epsilon))) == pytest.approx(epsilon, rel=1e-9)


@pytest.mark.parametrize("epsilon", [0.0, 0.5, 2.0, 4.0])
def test_the_right_law_stays_within_the_gaussian_curve(epsilon):
    for story in (STORY, TwoRounds(0.1, 0.101, 1.5), TwoRounds(0.5, 3.0, 0.0)):
        exact = math.exp(gaussian_log_delta(epsilon, math.sqrt(2 * story.second)))
        assert story.delta(epsilon, printed=False) <= exact * (1 + 1e-9)


@pytest.mark.parametrize("law", ["right", "printed"])
def test_laws_against_rejection(law):
    rng = streams.teaching(11)
    sampler = right_sums if law == "right" else printed_sums
    drawn = sampler(0.1, 0.2, 1.5, 400_000 if law == "right" else 20_000, rng=rng)
    nodes = STORY.sums
    cdf = np.cumsum(STORY._rule[1] * getattr(STORY, law))
    assert cdf[-1] == pytest.approx(1.0, abs=1e-9)

    def distance(values):
        at = np.searchsorted(np.sort(values), nodes, side="right") / values.size
        return np.abs(at - cdf).max()

    assert distance(drawn) < 2.6 / math.sqrt(drawn.size)  # exceeded once in a million
    other = printed_sums if law == "right" else right_sums
    wrong = other(0.1, 0.2, 1.5, 20_000 if law == "right" else 400_000, rng=rng)
    assert distance(wrong) > 0.1


def test_the_crossing_is_that_of_a_simulation():
    n = 400_000
    share = right_sums(0.1, 0.2, 1.5, n, rng=streams.teaching(12)).size / n
    assert abs(share - STORY.crossing) < 5 * math.sqrt(STORY.crossing / n)


@pytest.mark.parametrize("bad", [(0.2, 0.1, 1.5), (0.1, 0.1, 1.5), (0.1, 0.2, 9.0)])
def test_what_cannot_be_told(bad):
    with pytest.raises(ParameterError):
        TwoRounds(*bad)


@pytest.mark.parametrize("bad", [(0.0, 0.1, 1.0), (0.1, math.inf, 1.0), (0.1, 0.2, math.nan)])
def test_no_numbers(bad):
    with pytest.raises(ParameterError):
        TwoRounds(*bad)
