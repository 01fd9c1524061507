"""Truncated noise: where it is cut, against 50 digits; its divergence, by integrating densities."""

import math

import numpy as np
import pytest

from dpviz import streams
from dpviz.errors import DataError, HardenedModeError, ParameterError
from dpviz.top_k import Reach, TruncatedHistogram, truncated_divergence, truncation
from dpviz.top_k.truncated_histogram import concentrated_cost
from tests import oracles_top_k
from tests.conftest import FULL

LN10 = math.log(10)
VECTORS = [
    (1.0, 1.0, math.log(1e-6), 5.752537865635573),
    (10.0, 1.0, math.log(1e-8), 55.656831888547941),
    (5.0, 2.0, math.log(1e-12), 37.134693761937445),
    (1.0, 1.0, math.log(0.3), 1.4399838778315561),
    (100.0, 1.0, -300 * LN10, 3702.5457019373056),
]
CUTS = [(1e5, 1.0, -20.0), (1.0, 1e3, -3.0), (2.0, 1.0, -1e-3), (50.0, 1.0, -0.7), (3.0, 7.0, -90)]


@pytest.mark.parametrize(("sigma", "linf", "log_delta", "wanted"), VECTORS)
def test_the_cut_of_known_cases(sigma, linf, log_delta, wanted):
    found = truncation(sigma, linf, log_delta)
    assert wanted * (1 - 1e-14) <= found <= wanted * (1 + 1e-10)


@pytest.mark.parametrize(("sigma", "linf", "log_delta"), CUTS if FULL else CUTS[1:3])
def test_the_cut_is_not_below_50_digits(sigma, linf, log_delta):
    wanted = oracles_top_k.cut(sigma, linf, log_delta)
    found = truncation(sigma, linf, log_delta)
    assert wanted * (1 - 1e-14) <= found <= wanted * (1 + 1e-9)


def test_a_delta_far_below_the_smallest_float():
    assert truncation(1.0, 1.0, -1e6) == pytest.approx(1 + math.sqrt(2e6), rel=1e-4)


@pytest.mark.parametrize(
    ("order", "wanted"),
    [(1.1, 0.54605657130443061), (2.0, 0.98227725641811901), (10.0, 2.7529450433074528)],
)
def test_the_divergence_of_known_cases(order, wanted):
    at = truncation(1.0, 1.0, math.log(1e-3))
    assert truncated_divergence(order, 1.0, 1.0, at) == pytest.approx(wanted, rel=1e-10)


@pytest.mark.parametrize("order", [1.5, 4.0])
@pytest.mark.parametrize(("sigma", "shift", "log_delta"), [(1.0, 1.0, -3.0), (4.0, 2.0, -12.0)])
def test_the_divergence_is_that_of_the_densities(order, sigma, shift, log_delta):
    at = truncation(sigma, shift, log_delta)
    found = truncated_divergence(order, sigma, shift, at)
    assert found == pytest.approx(oracles_top_k.divergence(order, sigma, shift, at), rel=1e-9)
    assert found == pytest.approx(oracles_top_k.divergence(order, sigma, -shift, at), rel=1e-9)
    assert found <= order * shift**2 / (2 * sigma**2)


def test_the_divergence_nears_that_of_noise_without_a_cut():
    assert truncated_divergence(3.0, 2.0, 1.0, 100.0) == pytest.approx(3 / 8, rel=1e-12)


def opened(counts, *, seed=7, sigma=3.0, log_delta=-9.0, l0=2, linf=1, whole=True):
    return TruncatedHistogram(
        counts,
        sigma=sigma,
        log_delta=log_delta,
        reach=Reach(l0=l0, linf=linf),
        whole=whole,
        rng=streams.teaching(seed),
    )


def test_what_one_person_alone_has_never_shows():
    """Even where δ is so large that noise often reaches its end."""
    for seed in range(300):
        found = opened(
            {"of one": 2, "of nobody": 0, "common": 90},
            seed=seed,
            sigma=1.0,
            log_delta=-0.01,
            linf=2,
        ).release()
        assert set(found.items) <= {"common"}
        assert (found.values > found.threshold).all()


def test_asked_again_it_is_the_same_release():
    histogram = opened({"a": 90, "b": 50, "c": 3})
    found = histogram.release()
    assert histogram.release() is found
    assert found.items == ("a", "b")
    assert list(found.values) == sorted(found.values, reverse=True)
    assert not found.values.flags.writeable
    assert repr(histogram) == "TruncatedHistogram(sigma=3.0, released=True)"
    assert max(abs(found.values - [90, 50])) <= histogram.cut


def test_the_order_and_zeros_of_the_counts_do_not_matter():
    one = opened({"a": 90, "b": 50, "c": 30}).release()
    two = opened({"c": 30, "z": 0, "b": 50, "a": 90, "d": 0}).release()
    np.testing.assert_array_equal(one.values, two.values)


def test_what_it_costs():
    cost = concentrated_cost(10.0, math.log(1e-3), Reach(l0=4, linf=2))
    assert cost.rho == 4 * 4 / 200
    assert cost.hidden == pytest.approx(1 - (1 - 1e-3) ** 4, rel=1e-14)
    event = cost.event(3, math.log(1e-6))
    assert event.delta >= cost.hidden + 1e-6
    assert float(event.budget) == cost.epsilon(math.log(1e-6)).value
    assert concentrated_cost(10.0, -1000.0, Reach(l0=4)).hidden == 0.0


def test_it_needs_all_items_a_bound_and_teaching_mode():
    with pytest.raises(ParameterError, match="every item that somebody has"):
        opened({"a": 90}, whole=False)
    with pytest.raises(ParameterError, match="a bound on how many counts"):
        opened({"a": 90}, l0=None)
    with pytest.raises(HardenedModeError, match="for teaching only"):
        TruncatedHistogram(
            {"a": 9},
            sigma=3.0,
            log_delta=-9.0,
            reach=Reach(l0=1),
            whole=True,
            rng=streams.hardened(),
        )
    with pytest.raises(DataError):
        opened({"a": 0.5})
