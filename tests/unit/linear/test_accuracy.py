"""Half widths of linear answers cover what they promise, and not much more."""

import numpy as np
import pytest

from dpviz import streams
from dpviz.accounting import half_width
from dpviz.errors import ParameterError
from dpviz.linear import Factorization
from dpviz.linear.accuracy import half_widths
from dpviz.linear.workloads import prefix_sums, ranges
from dpviz.noise import FAMILIES

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
    tighter = 0.88 * reach - family.integer  # whole numbers: one step
    assert (np.abs(centred) <= tighter).mean(axis=0).max() < confidence


@pytest.mark.parametrize("name", ["gaussian", "laplace"])
def test_a_single_noise_has_the_exact_half_width(name):
    family = FAMILIES[name]
    found = half_widths(TALL, family, 4.0, 0.95)[0]
    exact = half_width(family, 4.0, 0.95)
    assert exact * 0.999 <= found <= 1.1 * exact


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
