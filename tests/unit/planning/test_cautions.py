"""Words about large budgets, none about small ones; published practice to compare with."""

import math

import pytest

from dpviz.accounting.guarantees import offered
from dpviz.noise import FAMILIES
from dpviz.planning.budgets import Amount, Setting, resolve
from dpviz.planning.cautions import LARGE_EPSILON, warning
from dpviz.planning.practice import PRACTICE
from dpviz.queries import Sensitivity


def stated(kind, value, family="laplace", delta=None):
    setting = Setting(
        family=FAMILIES[family], delta=1e-6, sensitivity=Sensitivity.bounded(1), dimension=4
    )
    return resolve(kind, Amount(value, delta), setting)


@pytest.mark.parametrize("family", offered())
@pytest.mark.parametrize(("kind", "value"), [("ε", 0.01), ("ε", 10), ("ρ", 0.5), ("±a 95 %", 50)])
def test_small_budgets_are_not_commented(family, kind, value):
    assert warning(stated(kind, value, family)) is None


@pytest.mark.parametrize(
    ("epsilon", "factor"),
    [
        (10.01, "about 22,000"),
        (11, "about 60,000"),
        (12, "about 160,000"),
        (13.8, "about 980,000"),
        (14, "more than 10⁶"),
        (100, "more than 10⁴³"),
        (1e9, "more than 10⁴³⁴²⁹⁴⁴⁸¹"),
    ],
)
def test_the_factor_is_computed(epsilon, factor):
    said = warning(stated("ε", epsilon))
    assert said == (
        "a privacy loss this large promises little: it lets the odds of a guess change by a "
        f"factor of {factor}."
    )
    if epsilon < 14:
        number = float(factor.removeprefix("about ").replace(",", ""))
        assert math.isclose(number, math.exp(epsilon), rel_tol=0.05)


def test_a_large_rho_is_judged_by_its_epsilon():
    large = stated("ρ", 3, "gaussian")
    assert large.epsilon > LARGE_EPSILON
    assert warning(large) is not None
    assert warning(stated("ρ", 0.5, "laplace")) is None


def test_a_large_delta_is_named_only_where_it_counts():
    said = warning(stated("(ε, δ)", 1, "gaussian", 0.05))
    assert said == (
        "a δ this large promises little: publishing everything about one in 20 would keep it, too."
    )
    assert warning(stated("(ε, δ)", 1, "gaussian", 1e-3)) is None
    assert warning(stated("(ε, δ)", 1, "laplace", 0.05)) is None  # keeps ε without any δ


def test_practice_names_its_sources():
    assert 5 <= len(PRACTICE) <= 8
    assert [d.epsilon for d in PRACTICE if d.delta is None] == [1.68, 4.0, 9.98]
    for d in PRACTICE:
        assert d.who
        assert d.what
        assert d.unit
        assert len(d.source) > 20
        assert 2008 <= d.year <= 2030
        for number in (d.epsilon, d.delta, d.rho):
            assert number is None or f"{number:g}".replace("e-0", "e-") in d.budget
