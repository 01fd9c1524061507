"""Half widths of linear answers cover what they promise, and not much more."""

import numpy as np
import pytest

from dpviz import streams
from dpviz.accounting import half_width
from dpviz.accounting.laplace_sums import laplace_sum_half_width
from dpviz.errors import ParameterError
from dpviz.linear import Factorization, accuracy
from dpviz.linear.accuracy import half_widths
from dpviz.linear.workloads import prefix_sums, ranges
from dpviz.noise import ADDITIVE, FAMILIES

NAMES = ["gaussian", "laplace", "poisson", "discrete_laplace", "skellam"]
TALL = Factorization([[1, 0, 0], [1, 1, 1], [2, 0, -1]], np.eye(3))


@pytest.mark.parametrize("confidence", [0.9, 0.95])
@pytest.mark.parametrize("name", NAMES)
def test_they_cover_fresh_noise_and_hardly_more(name, confidence):
    family, level, draws = FAMILIES[name], 9.0, 100_000
    zeros = np.zeros(draws * 3, dtype=np.int64)
    noise = family.extend(zeros, 0, level, rng=streams.teaching(8)).reshape(draws, 3)
    centred = (noise - family.mean(level)) @ TALL.left.entries.T
    reach = half_widths(TALL, family, level, confidence)
    covered = (np.abs(centred) <= reach).mean(axis=0)
    assert (covered > confidence - 0.002).all()
    tighter = 0.98 * reach - family.integer  # whole numbers: one step
    assert (np.abs(centred) <= tighter).mean(axis=0).max() < confidence


@pytest.mark.parametrize("name", ADDITIVE)
def test_a_single_noise_has_the_exact_half_width(name):
    family = FAMILIES[name]
    found = half_widths(TALL, family, 4.0, 0.95)[0]
    assert found == pytest.approx(half_width(family, 4.0, 0.95))


@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("level", [0.5, 20.0])
@pytest.mark.parametrize("name", ["laplace", "discrete_laplace"])
def test_plain_sums_come_within_two_percent_of_the_closed_form(name, level, confidence):
    family, answers = FAMILIES[name], prefix_sums(30).factorization("noise on data")
    found = half_widths(answers, family, level, confidence)
    for count, reach in enumerate(found, start=1):
        exact = laplace_sum_half_width(count, level, confidence, family=family)
        deviation = np.sqrt(count * family.variance(level))
        assert exact - 1e-9 <= reach <= exact + 0.02 * max(exact, deviation)


@pytest.mark.parametrize("name", ["laplace", "poisson"])
def test_without_frequencies_a_wider_bound_holds(monkeypatch, name):
    family, level = FAMILIES[name], 9.0
    sharp = half_widths(TALL, family, level, 0.95)
    monkeypatch.setattr(accuracy, "MOST_POINTS", 1)
    bound = half_widths(Factorization(TALL.left, TALL.right), family, level, 0.95)
    assert bound[0] == sharp[0]
    assert (bound[1:] > sharp[1:]).all()
    assert (bound < 2 * sharp).all()


def test_a_noise_that_hardly_ever_is_above_zero():
    rare, common = (half_widths(TALL, FAMILIES["poisson"], level, 0.95) for level in (1e-5, 9.0))
    assert (rare >= 0).all()
    assert rare.max() < 0.1 < common.min()


def test_the_same_question_has_the_same_answer():
    tree = prefix_sums(20).factorization("binary tree")
    first = half_widths(tree, FAMILIES["laplace"], 2.0, 0.95)
    assert first is half_widths(tree, FAMILIES["laplace"], 2.0, 0.95)
    assert not first.flags.writeable


def test_refusals():
    with pytest.raises(ParameterError, match="between 0 and 1"):
        half_widths(TALL, FAMILIES["laplace"], 2.0, 1.0)
    many = ranges(100).factorization("noise on data")
    with pytest.raises(ParameterError, match="at most 5,000 answers"):
        half_widths(many, FAMILIES["laplace"], 2.0, 0.95)
