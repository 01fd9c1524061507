"""Which mechanism is chosen, what lists cost, and counts fitted to their order."""

import math
from fractions import Fraction

import numpy as np
import pytest

from dpviz import streams
from dpviz.accounting import ReleaseEvent, gaussian_log_delta, joint_loss, zcdp_epsilon
from dpviz.errors import ParameterError
from dpviz.top_k import (
    ListCost,
    Reach,
    UnknownDomain,
    choose_top_k,
    fit_in_order,
    list_step,
    truncation,
)
from dpviz.top_k.choice import ENDING, HISTOGRAM, LIST, MECHANISMS, TRUNCATED
from tests import oracles_top_k
from tests.conftest import for_each

# --- Which mechanism: the table, when the other column wins, and that a choice keeps its budget ---

LOG_DELTA = math.log(1e-6)


def chosen(k=10, epsilon=1, known=True, reach=None, **other):
    return choose_top_k(
        k, epsilon=epsilon, log_delta=LOG_DELTA, reach=reach or Reach(), known=known, **other
    )


@pytest.mark.parametrize("known", [True, False])
def test_the_table(known):
    assert chosen(known=known, reach=Reach(l0=1)).mechanism == MECHANISMS[known, True]
    assert chosen(known=known, reach=Reach()).mechanism == MECHANISMS[known, False]
    assert set(MECHANISMS.values()) == {HISTOGRAM, LIST, TRUNCATED, ENDING}


def test_a_short_list_of_people_with_much_is_drawn_by_gumbel_noise():
    found = chosen(k=3, reach=Reach(l0=500))
    assert found.mechanism == LIST
    assert [other.mechanism for other in found.others] == [HISTOGRAM]
    assert found.spread < found.others[0].spread
    assert "smaller than that of the noisy histogram" in found.reason
    unknown = chosen(k=3, known=False, reach=Reach(l0=5000), seen=100)
    assert (unknown.mechanism, unknown.others[0].mechanism) == (ENDING, TRUNCATED)
    assert unknown.threshold < unknown.others[0].threshold


def test_without_all_items_there_is_no_truncated_histogram():
    found = chosen(known=False, reach=Reach(l0=2), whole=False)
    assert (found.mechanism, found.others) == (ENDING, ())
    assert "largest counts" in found.reason


def test_where_truncated_noise_would_be_too_wide_the_list_is_left():
    found = chosen(known=False, reach=Reach(l0=10**9), epsilon=1e-6)
    assert (found.mechanism, found.others) == (ENDING, ())
    assert "drown in noise" in found.reason
    with pytest.raises(ParameterError, match="too small for this reach"):
        chosen(known=False, reach=Reach(l0=10**9, both_ways=True), epsilon=1e-6)


def test_where_a_person_is_replaced():
    both = Reach(l0=2, both_ways=True)
    assert chosen(known=False, reach=both).mechanism == TRUNCATED
    one, two = chosen(reach=Reach()), chosen(reach=Reach(both_ways=True))
    assert two.scale == pytest.approx(2 * one.scale)
    for impossible in ({"reach": Reach(both_ways=True)}, {"reach": both, "whole": False}):
        with pytest.raises(ParameterError, match="no mechanism here fits"):
            chosen(known=False, **impossible)


def test_every_choice_keeps_its_budget():
    """Both halves by their own curves, at their own shares of δ."""
    gumbel = chosen(reach=Reach(linf=2))
    draws = ListCost(steps=10, step=2 / gumbel.scale)
    half = LOG_DELTA - math.log(2)
    assert draws.epsilon(half).value <= 0.5 * (1 + 1e-12)
    mu = 2 * math.sqrt(10) / gumbel.value_sigma
    assert gaussian_log_delta(0.5, mu) <= half + 1e-9
    assert gumbel.spread == pytest.approx(gumbel.scale * math.pi / math.sqrt(6))

    histogram = chosen(reach=Reach(l0=3))
    assert gaussian_log_delta(1, math.sqrt(3) / histogram.value_sigma) <= LOG_DELTA + 1e-9

    cut = chosen(known=False, reach=Reach(l0=3))
    rho = 3 / (2 * cut.value_sigma**2)
    assert zcdp_epsilon(rho, half) <= 1 + 1e-12
    assert cut.threshold == pytest.approx(
        1 + truncation(cut.value_sigma, 1, half - math.log(3)), rel=1e-12
    )


def test_a_choice_says_what_its_mechanism_is_made_with():
    best = chosen(known=False, reach=Reach(l0=3))
    cut, ending = best.named(TRUNCATED), best.named(ENDING)
    assert cut is best
    assert (cut.step, ending.scale) == (None, pytest.approx(1 / ending.step))
    each = truncation(cut.scale, 1, cut.log_hidden)
    assert cut.threshold == pytest.approx(1 + each, rel=1e-12)
    hidden = UnknownDomain(seen=1000, log_delta=ending.log_hidden)
    assert ending.threshold == float(hidden.above(ending.step, Reach(l0=3)))
    cost = ListCost(steps=10, step=ending.step, log_hidden=ending.log_hidden)
    spent = cost.hidden + math.exp(ending.log_used) + math.exp(LOG_DELTA) / 2
    assert spent <= math.exp(LOG_DELTA) * (1 + 1e-9)
    with pytest.raises(ParameterError, match="can be used here"):
        best.named(HISTOGRAM)


@for_each("bad", [{"k": 0}, {"epsilon": 0}, {"epsilon": math.inf}, {"known": 1}, {"seen": 0}])
def test_what_cannot_be_chosen_for_is_refused(bad):
    with pytest.raises(ParameterError):
        chosen(**bad)


# --- What lists cost: never more than the sum of all ε, and by hand where the formula is short ---


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


@for_each(
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


# --- Counts fitted to the order of a list: hand-made cases, and a solver for least squares -------

PAPER = [5, 7, 3, 4, 4.5, -2, -1]


@for_each(
    ("values", "wanted"),
    [
        ([4, 1, 5, 2], [4, 3, 3, 2]),
        (PAPER, [6, 6, 23 / 6, 23 / 6, 23 / 6, -1.5, -1.5]),
        ([], []),
        ([-4.0], [-4.0]),
    ],
)
def test_hand_made_rows(values, wanted):
    np.testing.assert_allclose(fit_in_order(values), wanted, rtol=1e-15)


def test_known_to_be_at_least_0():
    found = fit_in_order(PAPER, non_negative=True)
    np.testing.assert_allclose(found, [6, 6, 23 / 6, 23 / 6, 23 / 6, 0, 0], rtol=1e-15)


def test_the_same_as_non_negative_least_squares():
    rng = streams.teaching(7)
    for size in (1, 2, 3, 5, 8, 13) * 5:
        values = rng.normal(np.linspace(8, -2, size), 4)
        found = fit_in_order(values, non_negative=True)
        np.testing.assert_allclose(found, oracles_top_k.fitted(values), atol=1e-12)
        assert (np.diff(found) <= 0).all()


def test_it_keeps_the_sum_and_what_it_is_handed():
    values = np.array([4.0, 1.0, 5.0])
    assert fit_in_order(values).sum() == pytest.approx(10)
    assert values.tolist() == [4, 1, 5]


@for_each("bad", [None, "3, 2", [[1, 2]], [1, np.nan], [1, np.inf], 3.0])
def test_what_is_no_row_of_numbers_is_refused(bad):
    with pytest.raises(ParameterError):
        fit_in_order(bad)
