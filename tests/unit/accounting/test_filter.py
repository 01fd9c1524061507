"""A filter holds against anyone who chooses kinds and order; a bound in advance does not."""

import itertools
import math

import numpy as np
import pytest

from dpviz import Filter
from dpviz.accounting import Limit, zcdp_epsilon
from dpviz.accounting.bounds import ANY_ORDER, IN_ADVANCE
from dpviz.accounting.composition import ReleaseEvent
from dpviz.accounting.filter import GAUSSIAN, PURE, RANGE, Registered
from dpviz.errors import OverBudgetError, ParameterError
from tests.conftest import for_each


def worst_laws(kind, epsilon, steps):
    """Losses and their probabilities: randomised response, or its general form for each t."""
    if kind == PURE:
        high = 1 / (1 + math.exp(-epsilon))
        return [((epsilon, high), (-epsilon, 1 - high))]
    laws = []
    for t in np.linspace(0, epsilon, steps):
        q = -math.expm1(t - epsilon) / -math.expm1(-epsilon)
        laws.append(((t, q), (t - epsilon, 1 - q)))
    return laws


def adversary(g, left, steps=9):
    """The most δ at ε = g that anybody reaches who chooses each next mechanism by the results."""
    if not left:
        return max(0.0, -math.expm1(g))
    best = 0.0
    for one in set(left):
        rest = list(left)
        rest.remove(one)
        for law in worst_laws(*one, steps):
            best = max(best, sum(p * adversary(g - loss, rest, steps) for loss, p in law))
    return best


@for_each(
    "plan",
    [
        [(PURE, 0.5)] * 3,
        [(PURE, 0.7), (PURE, 0.2), (PURE, 0.4), (PURE, 0.1)],
        [(PURE, 0.4), (RANGE, 0.4), (RANGE, 0.4)],
        [(RANGE, 0.6), (RANGE, 0.3), (PURE, 0.5)],
        [(RANGE, 0.5)] * 3,
    ],
)
@for_each("delta", [0.2, 0.02, 1e-3])
def test_nobody_exceeds_the_total_whatever_the_order(plan, delta):
    total = Filter(plan, delta=delta).total
    assert total.chosen.assumes == ANY_ORDER
    assert adversary(total.value, plan) <= delta * (1 + 1e-9)


@for_each("plan", [[(PURE, 0.5)] * 3, [(PURE, 0.7), (PURE, 0.2), (PURE, 0.4)]])
def test_of_pure_budgets_the_total_is_the_least(plan):
    total = Filter(plan, delta=0.01).total.value
    assert adversary(total * 0.999, plan) > 0.01


def test_a_bound_for_an_order_that_is_fixed_in_advance_is_exceeded():
    plan, delta = [(RANGE, 1.0)] * 3, 0.1
    (near,) = (b for b in Filter(plan, delta=delta).total.bounds if b.assumes == IN_ADVANCE)
    assert adversary(near.value, plan, steps=25) > 1.05 * delta


def test_each_is_used_once_and_the_total_stays():
    plan = Filter([(PURE, 0.1), (PURE, 0.1), (GAUSSIAN, 0.2)], delta=1e-6)
    total = plan.total
    plan.ask(PURE, 0.1)
    plan.ask(GAUSSIAN, 0.2)
    plan.ask(PURE, 0.1)
    assert [one.kind for one in plan.asked] == [PURE, GAUSSIAN, PURE]
    assert plan.left == ()
    assert plan.total == total
    with pytest.raises(OverBudgetError, match="Left: nothing"):
        plan.ask(PURE, 0.1)


def test_all_orders_of_a_small_set_are_served():
    for order in itertools.permutations([(PURE, 0.3), (RANGE, 0.2), (GAUSSIAN, 0.1)]):
        plan = Filter(order, delta=1e-6)
        for one in reversed(order):
            plan.ask(*one)
        assert plan.left == ()


def test_the_smallest_budget_that_covers_is_used_up():
    plan = Filter([(PURE, 0.5), (PURE, 0.2), (RANGE, 0.4)], delta=1e-6)
    plan.ask(RANGE, 0.3)
    assert plan.asked == (Registered(RANGE, 0.4),)
    plan.ask(RANGE, 0.1)
    assert plan.asked[-1] == Registered(PURE, 0.2), "pure covers a bounded range as large"
    with pytest.raises(OverBudgetError):
        plan.ask(GAUSSIAN, 0.01)
    assert plan.left == (Registered(PURE, 0.5),)


def test_decimals_are_what_they_say():
    plan = Filter([(PURE, 0.1)] * 3, delta=1e-6)
    for _ in range(3):
        plan.ask(PURE, 0.1)
    with pytest.raises(OverBudgetError):
        Filter([(PURE, 0.3)], delta=1e-6).ask(PURE, 0.1 + 0.2)


def test_registering_saves_against_budgets_that_are_chosen_on_the_way():
    """Who chooses each ε by the results has the sum of ρ = ε²/2, as [WRRW23] shows."""
    registered = Filter([(PURE, 0.1)] * 20, delta=1e-6).total.value
    on_the_way = zcdp_epsilon(20 * 0.1**2 / 2, math.log(1e-6))
    assert registered < 0.85 * on_the_way


def test_pure_budgets_cost_what_the_ledger_says_of_them():
    events = [ReleaseEvent(session=k, definition="ε-DP", budget=0.1) for k in range(20)]
    cost = Limit(definition="(ε, δ)-DP", budget=5, delta=1e-6).cost(events)
    assert Filter([(PURE, 0.1)] * 20, delta=1e-6).total.value == pytest.approx(float(cost))


@for_each(
    ("plan", "delta", "part"),
    [
        ([], 1e-6, "at least one mechanism"),
        ([("Laplace", 0.1)], 1e-6, "kind must be one of pure, bounded range and Gaussian"),
        ([(PURE, 0)], 1e-6, "budget"),
        ([(PURE, math.nan)], 1e-6, "budget"),
        ([(PURE, 0.1)], 0, "delta"),
        ([(PURE, 0.1)], 1, "delta"),
        (7, 1e-6, "plan"),
    ],
)
def test_what_cannot_be_registered_is_refused(plan, delta, part):
    with pytest.raises(ParameterError, match=part):
        Filter(plan, delta=delta)


@for_each("one", [0.1, "pure", ("pure",), ("pure", 0.1, 1), None, np.array([["a", "b"]])])
def test_what_is_no_pair_of_kind_and_budget_is_refused(one):
    with pytest.raises(ParameterError):
        Filter([one], delta=1e-6)
