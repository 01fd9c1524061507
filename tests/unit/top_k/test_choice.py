"""Which mechanism: the table, when the other column wins, and that a choice keeps its budget."""

import math

import pytest

from dpviz.accounting import gaussian_log_delta, zcdp_epsilon
from dpviz.errors import ParameterError
from dpviz.top_k import ListCost, Reach, UnknownDomain, choose_top_k, truncation
from dpviz.top_k.choice import ENDING, HISTOGRAM, LIST, MECHANISMS, TRUNCATED

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


@pytest.mark.parametrize(
    "bad", [{"k": 0}, {"epsilon": 0}, {"epsilon": math.inf}, {"known": 1}, {"seen": 0}]
)
def test_what_cannot_be_chosen_for_is_refused(bad):
    with pytest.raises(ParameterError):
        chosen(**bad)
