"""The odometer: exact sums, the limit that is kept, and the least epsilon at one delta."""

import itertools
import math
import random
from fractions import Fraction

import pytest

from dpviz.accounting import (
    Limit,
    Odometer,
    ReleaseEvent,
    gaussian_epsilon,
    joint_loss,
    pure_composition_epsilon,
)
from dpviz.accounting.odometer import exceeds
from dpviz.errors import OverBudgetError, ParameterError
from dpviz.words import NO_BREAK

ZCDP, PURE, APPROXIMATE = "ρ-zCDP", "ε-DP", "(ε, δ)-DP"


def rho(budget, session=1):
    return ReleaseEvent(session=session, definition=ZCDP, budget=budget)


def pure(budget, session=1):
    return ReleaseEvent(session=session, definition=PURE, budget=budget)


@pytest.mark.parametrize(("of", "definition"), [(rho, ZCDP), (pure, PURE)])
def test_three_tenths_hold_a_tenth_and_two_tenths(of, definition):
    """0.1 + 0.2 is 0.30000000000000004 with floats, above 0.3."""
    odometer = Odometer(Limit(definition=definition, budget=0.3))
    odometer.add(of(0.1, 1))
    odometer.add(of(0.2, 2))
    assert (odometer.spent.value, odometer.left) == (0.3, 0)
    assert odometer.would_exceed(of(1e-12, 3))


def test_a_thousand_hundredths_are_ten():
    odometer = Odometer(Limit(definition=ZCDP, budget=10))
    events = [rho(0.01, k) for k in range(1000)]
    assert not odometer.would_exceed(*events)
    assert odometer.would_exceed(*events, rho(1e-12, 1000))


def test_within_a_session_only_the_largest_counts_in_every_order():
    limit = Limit(definition=ZCDP, budget=0.5)
    tiers = [rho(b) for b in (0.1, 0.5, 0.3)]
    for order in itertools.permutations(tiers):
        odometer = Odometer(limit)
        for event in order:
            odometer.add(event)
        assert (odometer.spent.value, odometer.left) == (0.5, 0)
        assert not odometer.would_exceed(rho(0.4))


def test_a_refused_release_changes_nothing_and_the_sentence_adds_up():
    odometer = Odometer(Limit(definition=ZCDP, budget=0.35))
    odometer.add(rho(0.1, 1))
    odometer.add(rho(0.2, 2))
    with pytest.raises(OverBudgetError) as refused:
        odometer.add(rho(0.3, 2))
    assert str(refused.value).replace(NO_BREAK, " ") == (
        "This release asks for ρ = 0.3, but the limit is ρ = 0.35 for everything together: ρ = 0.3 "
        "is spent and ρ = 0.05 is left; give it a budget of at most ρ = 0.25, or raise the limit"
    )
    assert odometer.left == Fraction(1, 20)
    odometer.add(rho(0.25, 2))  # what the sentence says fits
    assert odometer.left == 0


def test_what_is_spent_is_written_rounded_up_and_what_is_left_down():
    odometer = Odometer(Limit(definition=PURE, budget=1))
    odometer.add(pure(Fraction(1, 3)))
    with pytest.raises(OverBudgetError, match=r"0\.3334 is spent and ε.=.0\.6666 is left"):
        odometer.add(pure(1, 2))


@pytest.mark.parametrize(("limit", "event"), [(ZCDP, pure(0.1)), (PURE, rho(0.1))])
def test_a_limit_in_a_currency_that_the_release_lacks_says_so(limit, event):
    odometer = Odometer(Limit(definition=limit, budget=9))
    with pytest.raises(OverBudgetError, match="has no loss in"):
        odometer.add(event)
    assert odometer.spent.value == 0


def test_all_zcdp_is_the_exact_gaussian_curve_of_the_sum():
    limit = Limit(definition=APPROXIMATE, budget=9, delta=1e-6)
    found = limit.cost([rho(0.2, 1), rho(0.3, 2)])
    assert float(found) == pytest.approx(gaussian_epsilon(math.log(1e-6), 1.0), rel=1e-12)
    assert float(found) >= gaussian_epsilon(math.log(1e-6), 1.0)


def test_all_pure_is_never_more_than_the_sum_and_less_for_many():
    limit = Limit(definition=APPROXIMATE, budget=9, delta=1e-6)
    assert limit.cost([pure(0.1, 1), pure(0.2, 2)]) == Fraction(3, 10)
    many = float(limit.cost([pure(0.01, k) for k in range(1000)]))  # the sum is 10
    optimal = pure_composition_epsilon(1000, 0.01, math.log(1e-6))
    assert optimal <= many <= optimal * 1.001


def test_what_is_mixed_costs_no_more_than_the_account_says():
    rng = random.Random(13)
    for _ in range(20):
        events = [
            rng.choice([rho, pure])(rng.choice([0.1, 0.25, 0.5]), rng.randrange(3))
            for _ in range(4)
        ]
        try:
            said = joint_loss(events, delta=1e-6)
        except ParameterError:  # one session of two definitions
            continue
        cost = Limit(definition=APPROXIMATE, budget=9, delta=1e-6).cost(events)
        if said.definition != ZCDP:
            assert float(cost) <= said.value * (1 + 1e-6)


def test_each_release_more_costs_no_less():
    limit = Limit(definition=APPROXIMATE, budget=1, delta=1e-6)
    events = [rho(0.01, 1), pure(0.2, 2), rho(0.02, 3), pure(0.4, 4)]
    costs = [limit.cost(events[:k]) for k in range(5)]
    assert costs == sorted(costs)
    assert exceeds(limit, events) is (costs[-1] > 1)


def test_deltas_beyond_that_of_the_limit_have_no_finite_loss():
    """At δ = 1e-7 nothing is known of what is (1, 1e-6)-DP alone."""
    event = ReleaseEvent(session=1, definition=APPROXIMATE, budget=1.0, delta=1e-6)
    limit = Limit(definition=APPROXIMATE, budget=100, delta=1e-7)
    assert limit.cost([event]) is None
    assert exceeds(limit, [event])
    assert Limit(definition=APPROXIMATE, budget=100, delta=1e-6).cost([event]) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"definition": "ρ", "budget": 1},
        {"definition": ZCDP, "budget": 0},
        {"definition": ZCDP, "budget": 1, "delta": 1e-6},
        {"definition": APPROXIMATE, "budget": 1},
        {"definition": PURE, "budget": math.nan},
    ],
)
def test_a_limit_that_is_none_is_refused(wrong):
    with pytest.raises(ParameterError):
        Limit(**wrong)
