"""The exact ρ of Laplace noise: against the Rényi divergence by quadrature, and inverted."""

import itertools
import math
from pathlib import Path

import mpmath
import pytest

from dpviz.accounting.laplace_zcdp import laplace_epsilon_at_rho, laplace_rho
from dpviz.planning.same_rho import at_rho


def renyi(epsilon, alpha):
    """D_α of two Laplace laws, by quadrature of p^α q^(1-α)."""
    e, a = mpmath.mpf(epsilon), mpmath.mpf(alpha)

    def integrand(x):
        return mpmath.exp(-a * abs(x) - (1 - a) * abs(x - e)) / 2

    whole = mpmath.quad(integrand, [-mpmath.inf, 0, e, mpmath.inf])
    return mpmath.log(whole) / (a - 1)


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 6.0])
def test_rho_is_the_largest_renyi_divergence_over_its_order(epsilon):
    rho = laplace_rho(epsilon)
    with mpmath.workdps(30):
        by_order = [renyi(epsilon, a) / a for a in (1.0001, 1.01, 1.5, 3, 20)]
    assert all(value < rho for value in by_order)
    assert all(x > y for x, y in itertools.pairwise(by_order))
    assert float(by_order[0]) == pytest.approx(rho, rel=2e-4)
    assert rho < epsilon**2 / 2


@pytest.mark.parametrize("epsilon", [1e-8, 0.0999, 0.1001, 2.0, 50.0])
def test_rho_has_all_its_digits(epsilon):
    with mpmath.workdps(50):
        want = mpmath.mpf(epsilon) + mpmath.exp(-mpmath.mpf(epsilon)) - 1
        found = mpmath.mpf(laplace_rho(epsilon))
        assert want <= found <= want * (1 + mpmath.mpf("1e-13"))


@pytest.mark.parametrize("rho", [1e-12, 0.002, 0.5, 1.63, 40.0])
def test_the_inverse_costs_no_more_and_hardly_less(rho):
    epsilon = laplace_epsilon_at_rho(rho)
    assert rho * (1 - 1e-10) <= laplace_rho(epsilon) <= rho


def test_the_ratio_falls_below_1_where_the_document_says():
    """MATHEMATICS 9.1: 4ρ(e)/e² is still above 1 at 2.55, and below it from 2.56 on."""
    assert 4 * laplace_rho(2.5569) / 2.5569**2 > 1 > 4 * laplace_rho(2.5570) / 2.5570**2
    assert 1.63 < laplace_rho(2.557) < 1.635
    text = (Path(__file__).resolve().parents[3] / "docs" / "MATHEMATICS.md").read_text("utf-8")
    assert "below 1 from $e=2.56$ on (it is 1 at $e=2.557$)" in text


def test_gauss_is_the_smaller_one_at_the_same_rho_up_to_1_63():
    for rho, smaller in ((0.002, False), (1.6, False), (1.65, True), (10.0, True)):
        assert (at_rho(rho, l1=1.0, l2=1.0, count=1).ratio < 1) is smaller
    five = at_rho(5 * 1.6, l1=5.0, l2=math.sqrt(5), count=5)
    assert five.ratio > 1
    assert five.ratio_bound == pytest.approx(10, rel=1e-12)
    assert at_rho(0.5, l1=3.0, l2=2.0, count=None).ratio == pytest.approx(2 * 2.25)
