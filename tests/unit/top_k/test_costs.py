"""What lists cost: never more than the sum of all ε, and by hand where the formula is short."""

import math
from fractions import Fraction

import pytest

from dpviz.accounting import joint_loss, zcdp_epsilon
from dpviz.errors import ParameterError
from dpviz.top_k import ListCost, list_step

LOG_DELTA = math.log(1e-6)


@pytest.mark.parametrize("steps", [1, 2, 10, 50, 1000])
@pytest.mark.parametrize("step", ["0.001", "0.1", "1", "5"])
def test_never_more_than_the_sum_of_all_draws(steps, step):
    cost = ListCost(steps=steps, step=Fraction(step))
    for log_delta in (None, -1e-3, -1.0, LOG_DELTA, -500.0):
        assert cost.epsilon(log_delta).value <= steps * float(step) * (1 + 1e-15)
    converted = zcdp_epsilon(steps * float(step) ** 2 / 8, LOG_DELTA)
    assert cost.epsilon(LOG_DELTA).value <= converted * (1 + 1e-12)


def test_short_and_long_lists():
    short, long = ListCost(steps=1, step=0.1), ListCost(steps=50, step=0.1)
    assert short.epsilon(LOG_DELTA).value == 0.1
    assert "added" in short.epsilon(LOG_DELTA).method
    assert long.epsilon(LOG_DELTA).value <= 1.6599790501
    assert long.epsilon(LOG_DELTA).value < long.epsilon().value == 5.0
    assert ListCost(steps=0, step=1).epsilon(LOG_DELTA).value == 0


def test_decimals_do_not_drift():
    assert ListCost(steps=3, step=0.1).pure == Fraction(3, 10)
    assert ListCost(steps=3, step=0.1).event(1).budget == Fraction(3, 10)


def test_an_unknown_domain_adds_to_delta():
    cost = ListCost(steps=10, step=0.1, log_hidden=math.log(1e-7))
    assert math.exp(math.log(1e-7)) < cost.hidden <= 1e-7 * (1 + 1e-14)
    event = cost.event(2)
    assert (event.definition, event.delta) == ("(ε, δ)-DP", cost.hidden)
    assert cost.epsilon(LOG_DELTA).value == ListCost(steps=10, step=0.1).epsilon(LOG_DELTA).value
    for epsilon, log_delta in event.points:
        assert epsilon < 1
        assert log_delta > math.log(1e-7)


def test_points_are_those_of_the_curve():
    cost = ListCost(steps=200, step=0.1)
    assert len(cost.points) > 5
    for epsilon, log_delta in cost.points:
        assert epsilon >= cost.epsilon(log_delta).value * (1 - 1e-12)


def test_a_list_and_gaussian_counts_cost_less_than_their_sums():
    from dpviz.accounting import ReleaseEvent

    listed = ListCost(steps=100, step=0.05)
    counts = ReleaseEvent(session=2, definition="ρ-zCDP", budget=0.05)
    together = joint_loss([listed.event(1), counts], delta=1e-6)
    assert together.value < 5 + zcdp_epsilon(0.05, LOG_DELTA)
    assert together.delta <= 2e-6


@pytest.mark.parametrize("epsilon", [0.1, 1, 8])
@pytest.mark.parametrize("steps", [1, 7, 300])
@pytest.mark.parametrize("log_delta", [None, -2.0, LOG_DELTA, -300.0])
def test_the_step_of_a_budget_spends_nearly_all_of_it(epsilon, steps, log_delta):
    step = list_step(epsilon, steps, log_delta)
    spent = ListCost(steps=steps, step=step).epsilon(log_delta).value
    assert 0.999999 * epsilon <= spent <= epsilon


@pytest.mark.parametrize(
    "bad",
    [
        {"steps": -1, "step": 1},
        {"steps": 1, "step": 0},
        {"steps": 1, "step": math.nan},
        {"steps": 1.5, "step": 1},
        {"steps": 1, "step": 1, "log_hidden": 0.1},
    ],
)
def test_what_is_no_cost_is_refused(bad):
    with pytest.raises(ParameterError):
        ListCost(**bad)
