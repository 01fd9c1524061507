"""What all releases together have learned, and the limit that an odometer keeps."""

import itertools
import math
import random
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from dpviz import Filter
from dpviz.accounting import (
    JointLoss,
    Limit,
    Odometer,
    ReleaseEvent,
    gaussian_epsilon,
    independent_loss,
    joint_loss,
    pure_composition_epsilon,
    rho_to_mu,
    zcdp_epsilon,
)
from dpviz.accounting.bounds import ANY_ORDER, IN_ADVANCE
from dpviz.accounting.filter import GAUSSIAN, RANGE, Registered
from dpviz.accounting.filter import PURE as PURE_KIND
from dpviz.accounting.odometer import check_within, exceeds
from dpviz.errors import OverBudgetError, ParameterError
from dpviz.words import NO_BREAK
from tests.conftest import FULL, few, for_each

# --- What all releases together have learned: metamorphic tests over one of every event ----------

ZCDP, PURE, APPROXIMATE = "ρ-zCDP", "ε-DP", "(ε, δ)-DP"


def rho(budget, session=1):
    return ReleaseEvent(session=session, definition=ZCDP, budget=budget)


def pure(budget, session=1):
    return ReleaseEvent(session=session, definition=PURE, budget=budget)


def approximate(budget, session=1, delta=1e-7):
    return ReleaseEvent(session=session, definition=APPROXIMATE, budget=budget, delta=delta)


ONE_OF_EVERY_EVENT = [rho(0.5), pure(0.7), approximate(0.9)]
every_event = pytest.mark.parametrize("event", ONE_OF_EVERY_EVENT, ids=lambda e: e.definition)
both_losses = pytest.mark.parametrize("loss", [joint_loss, independent_loss])


@every_event
@both_losses
def test_one_release_costs_itself_and_no_more_if_it_is_told_again(event, loss):
    found = loss([event])
    assert loss([event] * 5) == found
    assert (found.value, found.delta, found.definition) == (
        event.budget,
        event.delta,
        event.definition,
    )


@every_event
def test_within_a_session_the_largest_counts_not_the_sum(event):
    of = {ZCDP: rho, PURE: pure, APPROXIMATE: approximate}[event.definition]
    releases = [of(b) for b in (0.1, 0.4, 0.2)]
    assert joint_loss(releases).value == 0.4
    assert joint_loss(releases).delta == event.delta
    assert independent_loss(releases).value == 0.7
    assert independent_loss(releases).delta == pytest.approx(3 * event.delta)


@every_event
@both_losses
def test_sessions_add(event, loss):
    of = {ZCDP: rho, PURE: pure, APPROXIMATE: approximate}[event.definition]
    found = loss([of(0.1, 1), of(0.1, 2), of(0.2, 3)])
    assert found.value == 0.4
    assert found.delta == pytest.approx(3 * event.delta, rel=1e-15)
    assert found.definition == event.definition


@both_losses
def test_one_more_release_never_lowers_the_loss(loss):
    mixed = [rho(0.3, 1), pure(0.1, 2)]
    for extra in (rho(0.1, 3), pure(0.1, 3), approximate(0.1, 3), rho(0.4, 1), pure(0.2, 2)):
        assert loss([*mixed, extra]).value > loss(mixed).value


def test_joint_never_exceeds_independent(seed):
    rng = random.Random(seed)
    for kinds in few(itertools.product([rho, pure, approximate], repeat=3), 10):
        events = [kinds[s](rng.random(), s) for s in rng.choices(range(3), k=7)]
        joint, independent = joint_loss(events), independent_loss(events)
        assert joint.value <= independent.value
        assert joint.delta <= independent.delta
        assert joint.definition == independent.definition


def test_mixed_sessions_meet_in_epsilon_and_delta():
    events = [
        rho(0.1, 1),
        rho(0.5, 1),
        rho(0.3, 2),
        pure(0.7, 3),
        pure(0.2, 3),
        approximate(0.9, 4),
    ]
    found = joint_loss(events, delta=1e-5)
    added = gaussian_epsilon(math.log(1e-5), rho_to_mu(0.5 + 0.3)) + 0.7 + 0.9
    assert found.value == pytest.approx(7.1381, abs=1e-4)
    assert found.value < added == pytest.approx(7.3595, abs=1e-4)
    assert found.delta == pytest.approx(1e-5 + 1e-7, rel=1e-15)
    assert found.definition == APPROXIMATE
    assert found.bound
    assert "convolved" in found.method
    assert joint_loss(events).delta == pytest.approx(1e-6 + 1e-7)


def test_beyond_the_reach_of_the_convolution_losses_add():
    for events in ([rho(0.5, 1), pure(400, 2)], [rho(1e6, 1), pure(1, 2)]):
        found = joint_loss(events)
        gauss, other = events
        mu = rho_to_mu(float(gauss.budget))
        expected = gaussian_epsilon(math.log(1e-6), mu) + float(other.budget)
        assert found.value == pytest.approx(expected, rel=1e-14)
        assert found.bound
        assert "exact Gaussian curve" in found.method


def test_points_are_refused_where_they_mean_nothing():
    for wrong in (((1.0, 0.5),), ((-1.0, -1.0),), ((1.0,),), 3, ((math.nan, -1.0),), "ab"):
        with pytest.raises(ParameterError):
            ReleaseEvent(session=1, definition=PURE, budget=1, points=wrong)
    with pytest.raises(ParameterError, match="leave points out"):
        ReleaseEvent(session=1, definition=ZCDP, budget=1, points=((1.0, -1.0),))


def test_mixing_without_rho_needs_no_further_delta():
    found = joint_loss([pure(Decimal("0.1"), 1), pure(Decimal("0.2"), 2), approximate(0.3, 3)])
    assert (found.value, found.delta, found.definition) == (0.6, 1e-7, APPROXIMATE)
    assert "Gaussian" not in found.method


def test_methods_say_max_or_every():
    assert joint_loss([rho(0.5)]).method == "the largest of each session, added"
    assert independent_loss([rho(0.5)]).method == "every release, added"


@both_losses
def test_nothing_released_costs_nothing(loss):
    assert loss([]) == JointLoss(0.0, 0.0, PURE, "nothing was released")
    assert loss(iter([rho(0.5)])).value == 0.5


def test_plain_spellings_are_the_same_definitions():
    for plain, letter in (("rho-zCDP", ZCDP), ("epsilon-DP", PURE)):
        event = ReleaseEvent(session=1, definition=plain, budget=0.5)
        assert event == ReleaseEvent(session=1, definition=letter, budget=0.5)
    plain = ReleaseEvent(session=1, definition="(epsilon, delta)-DP", budget=0.9, delta=1e-7)
    assert plain == approximate(0.9)
    assert joint_loss([plain]).definition == APPROXIMATE


def test_one_session_has_one_definition():
    with pytest.raises(ParameterError, match="session 1 mixes"):
        joint_loss([rho(0.5), pure(0.5)])


@for_each("bad", [0.0, -1.0, math.nan, math.inf, "abc", None])
def test_bad_events_get_a_sentence(bad):
    with pytest.raises(ParameterError, match="budget must be a"):
        ReleaseEvent(session=1, definition=PURE, budget=bad)
    with pytest.raises(ParameterError, match="delta must "):
        ReleaseEvent(session=1, definition=APPROXIMATE, budget=1.0, delta=bad)
    with pytest.raises(ParameterError, match="delta must "):
        joint_loss([rho(0.5)], delta=bad)
    with pytest.raises(ParameterError, match="has no delta"):
        ReleaseEvent(session=1, definition=ZCDP, budget=1.0, delta=1e-6)


@both_losses
@pytest.mark.parametrize("kind", [rho, pure, approximate])
def test_a_sum_meets_its_budget_without_an_ulp_between(loss, kind, seed):
    rng = random.Random(seed)
    tenths = [["0.1"] * count for count in range(1, 40)]
    for texts in (*tenths, *([f"{rng.random():.{n}f}1" for n in range(1, 9)] for _ in range(50))):
        whole = float(sum(Decimal(t) for t in texts))
        for number in (float, Decimal, Fraction):
            assert loss([kind(number(t), s) for s, t in enumerate(texts)]).value == whole


def test_more_digits_than_a_float_has_are_not_lost():
    small = Fraction(1, 10**18)
    events = [rho(1, 0), *(rho(small, s) for s in range(1, 1001))]
    assert joint_loss(events).value == 1.000000000000001
    assert pure(Decimal("0.1")).budget == Fraction(1, 10)
    assert type(pure(0.25).budget) is float
    assert pure(Fraction(1, 2)) == pure(0.5)


def test_within_a_session_decimals_and_floats_are_compared_exactly():
    assert joint_loss([pure(Fraction(1, 3)), pure(0.4), pure(Decimal("0.1"))]).value == 0.4


# --- The odometer: exact sums, the limit that is kept, and the least epsilon at one delta --------


@pytest.mark.parametrize(("of", "definition"), [(rho, ZCDP), (pure, PURE)])
def test_three_tenths_hold_a_tenth_and_two_tenths(of, definition):
    """0.1 + 0.2 is 0.30000000000000004 with floats, above 0.3."""
    odometer = Odometer(Limit(definition=definition, budget=0.3))
    odometer.add(of(0.1, 1))
    odometer.add(of(0.2, 2))
    assert (odometer.spent.value, odometer.left) == (0.3, 0)
    assert odometer.would_exceed(of(1e-12, 3))


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


@for_each(
    ("most", "asked", "said"),
    [
        (0.35, [rho(0.3, 2)], "give it a budget of at most"),
        (0.35, [rho(0.3, 2), rho(0.3, 3)], "ask for a smaller budget"),  # of which of the two?
        (0.35, [rho(0.3, 2), rho(0.3, 1)], "ask for a smaller budget"),
        (0.1, [rho(0.3, 2)], "nothing is left; ask for nothing more, or raise"),
    ],
)
def test_what_fits_is_told_of_one_session_alone(most, asked, said):
    with pytest.raises(OverBudgetError, match=said):
        check_within(Limit(definition=ZCDP, budget=most), [rho(0.1, 1)], asked)


def test_definitions_that_differ_are_added_at_the_delta_of_the_limit_or_else_at_its_own():
    events = [rho(0.1, 1), pure(Fraction(1, 3), 2)]
    with_delta = Odometer(Limit(definition=APPROXIMATE, budget=9, delta=1e-3), delta=1e-9)
    without = Odometer(delta=1e-9)
    for each in events:
        with_delta.add(each)
        without.add(each)
    assert with_delta.spent == joint_loss(events, delta=1e-3)
    assert without.spent == joint_loss(events, delta=1e-9)
    assert with_delta.spent.value < without.spent.value


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
    for _ in range(20 if FULL else 8):
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


def test_deltas_beyond_that_of_the_limit_have_no_finite_loss():
    """At δ = 1e-7 nothing is known of what is (1, 1e-6)-DP alone."""
    event = ReleaseEvent(session=1, definition=APPROXIMATE, budget=1.0, delta=1e-6)
    limit = Limit(definition=APPROXIMATE, budget=100, delta=1e-7)
    assert limit.cost([event]) is None
    assert exceeds(limit, [event])
    assert Limit(definition=APPROXIMATE, budget=100, delta=1e-6).cost([event]) == 1


@for_each(
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


# --- A filter holds against anyone who chooses kinds and order; a bound in advance does not ---


def worst_laws(kind, epsilon, steps):
    """Losses and their probabilities: randomised response, or its general form for each t."""
    if kind == PURE_KIND:
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
        [(PURE_KIND, 0.5)] * 3,
        [(PURE_KIND, 0.7), (PURE_KIND, 0.2), (PURE_KIND, 0.4), (PURE_KIND, 0.1)],
        [(PURE_KIND, 0.4), (RANGE, 0.4), (RANGE, 0.4)],
        [(RANGE, 0.6), (RANGE, 0.3), (PURE_KIND, 0.5)],
        [(RANGE, 0.5)] * 3,
    ],
)
@for_each("delta", [0.2, 0.02, 1e-3])
def test_nobody_exceeds_the_total_whatever_the_order(plan, delta):
    total = Filter(plan, delta=delta).total
    assert total.chosen.assumes == ANY_ORDER
    assert adversary(total.value, plan) <= delta * (1 + 1e-9)


@for_each("plan", [[(PURE_KIND, 0.5)] * 3, [(PURE_KIND, 0.7), (PURE_KIND, 0.2), (PURE_KIND, 0.4)]])
def test_of_pure_budgets_the_total_is_the_least(plan):
    total = Filter(plan, delta=0.01).total.value
    assert adversary(total * 0.999, plan) > 0.01


def test_a_bound_for_an_order_that_is_fixed_in_advance_is_exceeded():
    plan, delta = [(RANGE, 1.0)] * 3, 0.1
    (near,) = (b for b in Filter(plan, delta=delta).total.bounds if b.assumes == IN_ADVANCE)
    assert adversary(near.value, plan, steps=25) > 1.05 * delta


def test_each_is_used_once_and_the_total_stays():
    plan = Filter([(PURE_KIND, 0.1), (PURE_KIND, 0.1), (GAUSSIAN, 0.2)], delta=1e-6)
    total = plan.total
    plan.ask(PURE_KIND, 0.1)
    plan.ask(GAUSSIAN, 0.2)
    plan.ask(PURE_KIND, 0.1)
    assert [one.kind for one in plan.asked] == [PURE_KIND, GAUSSIAN, PURE_KIND]
    assert plan.left == ()
    assert plan.total == total
    with pytest.raises(OverBudgetError, match="Left: nothing"):
        plan.ask(PURE_KIND, 0.1)


def test_the_smallest_budget_that_covers_is_used_up():
    plan = Filter([(PURE_KIND, 0.5), (PURE_KIND, 0.2), (RANGE, 0.4)], delta=1e-6)
    plan.ask(RANGE, 0.3)
    assert plan.asked == (Registered(RANGE, 0.4),)
    plan.ask(RANGE, 0.1)
    assert plan.asked[-1] == Registered(PURE_KIND, 0.2), "pure covers a bounded range as large"
    with pytest.raises(OverBudgetError):
        plan.ask(GAUSSIAN, 0.01)
    assert plan.left == (Registered(PURE_KIND, 0.5),)


def test_decimals_are_what_they_say():
    plan = Filter([(PURE_KIND, 0.1)] * 3, delta=1e-6)
    for _ in range(3):
        plan.ask(PURE_KIND, 0.1)
    with pytest.raises(OverBudgetError):
        Filter([(PURE_KIND, 0.3)], delta=1e-6).ask(PURE_KIND, 0.1 + 0.2)


def test_registering_saves_against_budgets_that_are_chosen_on_the_way():
    """Who chooses each ε by the results has the sum of ρ = ε²/2, as [WRRW23] shows."""
    registered = Filter([(PURE_KIND, 0.1)] * 20, delta=1e-6).total.value
    on_the_way = zcdp_epsilon(20 * 0.1**2 / 2, math.log(1e-6))
    assert registered < 0.85 * on_the_way


def test_pure_budgets_cost_what_the_ledger_says_of_them():
    events = [ReleaseEvent(session=k, definition="ε-DP", budget=0.1) for k in range(20)]
    cost = Limit(definition="(ε, δ)-DP", budget=5, delta=1e-6).cost(events)
    assert Filter([(PURE_KIND, 0.1)] * 20, delta=1e-6).total.value == pytest.approx(float(cost))


@for_each(
    ("plan", "delta", "part"),
    [
        ([], 1e-6, "at least one mechanism"),
        ([("Laplace", 0.1)], 1e-6, "kind must be one of pure, bounded range and Gaussian"),
        ([(PURE_KIND, 0)], 1e-6, "budget"),
        ([(PURE_KIND, math.nan)], 1e-6, "budget"),
        ([(PURE_KIND, 0.1)], 0, "delta"),
        ([(PURE_KIND, 0.1)], 1, "delta"),
        (7, 1e-6, "plan"),
        *(
            ([one], 1e-6, "a pair of a kind and a budget")
            for one in (0.1, "pure", ("pure",), ("pure", 0.1, 1), None, np.array([["a", "b"]]))
        ),
    ],
)
def test_what_cannot_be_registered_is_refused(plan, delta, part):
    with pytest.raises(ParameterError, match=part):
        Filter(plan, delta=delta)
