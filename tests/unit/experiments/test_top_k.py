"""Repeated lists: what is counted, against the chances of lists and the distribution of noise."""

import math

import numpy as np
import pytest

from dpviz import streams
from dpviz.errors import ParameterError
from dpviz.experiments.top_k import Repetitions, repeated_lists
from dpviz.noise import FAMILIES
from tests import oracles_top_k
from tests.conftest import few

GAUSSIAN = FAMILIES["gaussian"]


def made(counts=(9, 7, 4, 1), k=2, repetitions=2000, level=4.0, family=GAUSSIAN, **other):
    asked = {"scale": 2.0, "family": family, "level": level, "repetitions": repetitions} | other
    return repeated_lists(counts, k, rng=streams.teaching(7), **asked)


def test_items_are_missed_as_often_as_they_should():
    found = made()
    law = oracles_top_k.lists(dict(enumerate((9.0, 7.0, 4.0, 1.0))), 2.0, 2)
    wanted = sum(p * sum(i >= 2 for i in o) for o, p in law.items())
    spread = math.sqrt(2 / 2000)
    assert found.missed.mean() == pytest.approx(wanted, abs=5 * spread)
    np.testing.assert_array_equal(found.missed, found.wrongly_shown)


@pytest.mark.parametrize("name", few(["poisson", "gaussian", "laplace"], 3))
def test_errors_are_those_of_the_noise(name):
    found = made(family=FAMILIES[name])
    deviation = math.sqrt(FAMILIES[name].variance(4.0))
    assert found.error(found.values) == pytest.approx([deviation] * 2, rel=0.15)


def test_the_fit_helps_where_counts_are_near_each_other():
    found = made(counts=(50, 50, 50, 50, 1), k=4, level=100.0)
    assert (found.error(found.fitted) < found.error(found.values)).all()
    assert (np.diff(found.fitted, axis=1) <= 0).all()


def test_lists_that_end_are_padded():
    found = made(counts=(90, 70, 1), k=3, end=40.0)
    assert (found.places[:, 2] == -1).all()
    assert (found.missed == 1).all()
    assert (found.wrongly_shown == 0).all()
    assert np.isnan(found.values[:, 2]).all()
    errors = found.error(found.fitted)
    assert np.isnan(errors).tolist() == [False, False, True]


@pytest.mark.parametrize(
    "bad", [{"k": 0}, {"k": 9}, {"counts": (1, 2)}, {"scale": 0}, {"repetitions": 10**9}]
)
def test_what_cannot_be_repeated_is_refused(bad):
    with pytest.raises(ParameterError):
        made(**bad)
    with pytest.raises(ParameterError):
        Repetitions(places=np.zeros((1, 2), int), truth=1, values=2, fitted=3)
