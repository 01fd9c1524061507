"""The printed law of Algorithm 6 beside the right one, and the figures of the erratum."""

import math

import numpy as np
import pytest

from dpviz import streams
from dpviz.errors import ParameterError
from dpviz.experiments.broken.table import printed_draws
from dpviz.sparse.first_passage import FirstPassage
from dpviz.sparse.printed_law import printed_leak, printed_rounds
from tests.conftest import few

KINDS = [
    ((0.1, 0.2, 0.4), 1.5, (0.127, 0.124)),
    ((0.1, 0.2, 0.4), 5.0, (0.235, 0.235)),
    ((0.1, 0.11, 0.12), 5.0, (0.634, 0.644)),
    ((0.01, 0.1, 1.0), 5.0, (0.037, 0.037)),
]


def thresholds_of(rhos, z):
    return [z * math.sqrt(0.5 / rho) for rho in rhos]


def printed_cdf(found, value):
    return found.printed.below(np.maximum(value - found.threshold, 0.0))


@pytest.mark.parametrize(("rhos", "z", "distances"), KINDS)
def test_distances(rhos, z, distances):
    first, *later = printed_rounds(rhos, thresholds_of(rhos, z), l2_sensitivity=1.0)
    assert first.distance == 0
    assert [round(found.distance, 3) for found in later] == list(distances)


@pytest.mark.parametrize("number", [2, 3])
@pytest.mark.parametrize(("rhos", "z", "_"), few(KINDS, 2))
def test_the_printed_sampler_has_the_printed_law_and_not_the_right_one(rhos, z, _, number):
    taus = thresholds_of(rhos, z)
    found = printed_rounds(rhos[:number], taus[:number], l2_sensitivity=1.0)[-1]
    rounds = [(0.5 / rho, tau) for rho, tau in zip(rhos[:number], taus, strict=False)]
    drawn = np.sort(printed_draws(rounds, 40_000, rng=streams.teaching(5)))
    rank = np.arange(1, drawn.size + 1) / drawn.size
    assert np.abs(printed_cdf(found, drawn) - rank).max() < 3 / math.sqrt(drawn.size)
    away = np.abs(found.right.cdf(drawn) - rank).max()
    assert abs(away - found.distance) < 3 / math.sqrt(drawn.size)


def test_right_and_printed_probability_are_one():
    rhos = (0.1, 0.2, 0.4)
    passage = FirstPassage()
    for found, threshold in zip(
        printed_rounds(rhos, thresholds_of(rhos, 1.5), l2_sensitivity=1.0),
        thresholds_of(rhos, 1.5),
        strict=True,
    ):
        crossing = passage.crossing(0.5 / found.rho, threshold)
        passage.add(crossing)
        assert found.probability == crossing.probability


def test_the_density_belongs_to_the_distribution():
    rhos = (0.1, 0.2, 0.4)
    found = printed_rounds(rhos, thresholds_of(rhos, 1.5), l2_sensitivity=1.0)[-1]
    x = np.linspace(found.threshold, found.threshold + 8, 8001)
    middle = found.right.density((x[1:] + x[:-1]) / 2) * np.diff(x)
    np.testing.assert_allclose(np.cumsum(middle), found.right.cdf(x[1:]), atol=1e-5)


def test_the_leak():
    taus = thresholds_of((0.1, 0.2), 1.5)
    leak = printed_leak((0.1, 0.2), taus, 2.0, l2_sensitivity=1.0)
    assert round(leak.printed, 6) == 0.002615
    assert round(leak.zcdp, 5) == 0.00123
    assert leak.right < leak.gaussian < leak.zcdp < leak.printed


@pytest.mark.parametrize(
    ("rhos", "epsilon", "zcdp"), [((0.1, 100.0), 2.0, 1.0), ((0.1, 0.2), 100.0, 0.0)]
)
def test_where_zcdp_promises_nothing_or_everything(rhos, epsilon, zcdp):
    leak = printed_leak(rhos, thresholds_of(rhos, 1.5), epsilon, l2_sensitivity=1.0)
    assert leak.zcdp == pytest.approx(zcdp, abs=1e-300)
    assert leak.right <= leak.gaussian * (1 + 1e-9) <= leak.zcdp * (1 + 1e-9)


def test_budgets_must_rise():
    for rhos, taus in (((0.2, 0.1), (1.0, 1.0)), ((0.1, 0.2), (1.0,)), ((), ())):
        with pytest.raises(ParameterError):
            printed_rounds(rhos, taus, l2_sensitivity=1.0)


@pytest.mark.parametrize("tiny", [-1e-200, 5e-324, -5e-324])
def test_a_threshold_of_next_to_nothing_is_that_of_zero(tiny):
    rhos = (0.1, 0.2)
    at_zero = printed_rounds(rhos, (0.0, 0.0), l2_sensitivity=1.0)[1]
    beside = printed_rounds(rhos, (tiny, 2 * tiny), l2_sensitivity=1.0)[1]
    assert beside.distance == pytest.approx(at_zero.distance, rel=1e-9)
    assert beside.probability == pytest.approx(at_zero.probability, rel=1e-9)
