"""A sequence as a record; its totals against enumeration, vectors, a literal search for room."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import brentq

from dpviz.accounting import joint_loss
from dpviz.accounting.bounds import ANY_ORDER, ASSUMPTIONS, EXACT, FIXED_ORDER, IN_ADVANCE, UPPER
from dpviz.accounting.composed_loss import NAME
from dpviz.accounting.conversions import zcdp_epsilon
from dpviz.accounting.pure_composition import NAME as WORST
from dpviz.errors import ParameterError
from dpviz.workspace import account
from dpviz.workspace.composition import (
    ANSWERS,
    ANY,
    CHOICE,
    CONCENTRATED,
    GAUSS,
    GAUSS_BY_SIZE,
    LAPLACE,
    WITH_DELTA,
    Part,
    from_ledger,
    read_part,
    typed,
)
from dpviz.workspace.composition_totals import (
    ANY_CHOICE,
    BY_RHO,
    FIXED,
    IN_ORDER,
    MOST_MORE,
    SUM,
    Room,
    allowed,
    left_of,
    loss_of,
    room,
    sum_of,
    totals,
    whole_rho,
)
from dpviz.workspace.guesses import CorrectGuesses, right_of
from dpviz.workspace.workspace import Workspace
from tests.conftest import few

# --- A sequence as a record: exact budgets, refusals, and the releases of a workspace as its parts

DELTA = Fraction("1e-6")


def test_budgets_are_exact_decimals():
    third = read_part(ANY, "0.1", "3", where="Question 1")
    assert sum_of([third], DELTA) == Fraction(3, 10)
    assert sum_of([Part(answer=ANY, budget=0.1), Part(answer=LAPLACE, budget=0.2)], DELTA) == (
        Fraction(3, 10)
    )
    assert read_part(GAUSS_BY_SIZE, "5", "1", where="x").rho == Fraction(1, 50)
    pair = read_part(WITH_DELTA, "(0.5, 1e-7)", "4", where="x")
    assert (pair.amount, pair.delta) == (Fraction(1, 2), Fraction(1, 10**7))
    assert left_of([pair], DELTA) == Fraction(6, 10**7)


def test_what_is_written_is_read_again_and_what_no_decimal_is_is_written_larger():
    for text in ("0.1", "1e-12", "123.456", "1e12", "0.00000001234"):
        assert Fraction(typed(Fraction(text))) == Fraction(text)
    for number in (Fraction(1, 3), Fraction(2, 7), Fraction(10, 3)):
        assert 0 <= Fraction(typed(number)) - number < number / 10**14


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda a: a.name)
@pytest.mark.parametrize(
    ("budget", "count", "part"),
    [
        ("-1", "1", "above 0"),
        ("NaN", "1", "Type a number"),
        ("", "1", "Type a number"),
        ("1e400", "1", "too large"),
        ("0.1", "0", "Type a whole number from 1 to 1,000"),
        ("0.1", "2.5", "Type a whole number"),
        ("0.1", "1001", "Type a whole number"),
    ],
)
def test_what_cannot_be_gets_one_sentence(answer, budget, count, part):
    budget += ", 1e-7" if answer is WITH_DELTA else ""
    with pytest.raises(ParameterError) as refused:
        read_part(answer, budget, count, where="Question 2")
    assert str(refused.value).startswith("Question 2")
    assert part in str(refused.value)


def test_a_promise_needs_both_and_it_alone_has_a_delta():
    for pair in ("0.5", "0.5,", "0.5, 1", "0.5, 0"):
        with pytest.raises(ParameterError, match="Question 1"):
            read_part(WITH_DELTA, pair, "1", where="Question 1")
    with pytest.raises(ParameterError, match="has no δ"):
        Part(answer=ANY, budget=1, delta=0.1)
    with pytest.raises(ParameterError, match="needs δ"):
        Part(answer=WITH_DELTA, budget=1)


def test_what_promises_use_up_is_said():
    parts = [Part(answer=WITH_DELTA, budget=1, delta=1e-7, count=10)]
    with pytest.raises(ParameterError, match="δ of all together: 1e-06 is used up by the promises"):
        totals(parts, DELTA)
    with pytest.raises(ParameterError, match="no answer is given"):
        totals([], DELTA)


FAMILIES = {"gaussian": GAUSS, "laplace": LAPLACE, "discrete_laplace": ANY, "skellam": WITH_DELTA}


@pytest.mark.parametrize("family", few(FAMILIES, 3))
def test_releases_are_a_part_for_each_session_at_its_largest_budget(family):
    ws = Workspace.fresh()
    assert from_ledger(ws) == ()
    ws.use_family(family)
    kind = "ρ" if FAMILIES[family] is GAUSS else "ε"
    rows = (("public", "0.1"), ("audit", "0.4"))
    ws.use_tiers([{"tier": n, "budget": a, "as": kind, "note": ""} for n, a in rows])
    ws.draw("audit", "public")
    (part,) = from_ledger(ws)
    assert part.answer is FAMILIES[family]
    assert float(part.amount) == pytest.approx(0.4)
    assert part.count == 1
    assert part.note == ws.statistic.query.statistic
    ws.start_over()
    ws.draw("public")
    first, second = from_ledger(ws)
    assert (first.amount, float(second.amount)) == (part.amount, pytest.approx(0.1))
    ws.start_over()
    ws.draw("public")
    assert [p.count for p in from_ledger(ws)] == [1, 2]
    total = joint_loss(account.events(ws, ws.ledger), delta=ws.delta)
    if family in ("gaussian", "laplace", "discrete_laplace"):
        added = sum(p.count * p.amount for p in from_ledger(ws))
        assert float(added) == pytest.approx(total.value)


# --- Totals against enumeration of all outcomes, published vectors, and a literal search for room -

TEN = (Part(answer=ANY, budget=0.1, count=10), Part(answer=CHOICE, budget=0.1, count=10))


def values(bounds):
    return {bound.name: bound.value for bound in bounds}


def enumerated(parts, total):
    """δ at a total ε of randomised responses and (ε, δ) promises, outcome by outcome."""
    each = []
    for part in parts:
        epsilon, delta = float(part.amount), float(part.delta)
        high = (1 - delta) / (1 + math.exp(-epsilon))
        laws = [(epsilon, high), (-epsilon, 1 - delta - high), (math.inf, delta)]
        each += part.count * [[law for law in laws if law[1] > 0]]
    found = 0.0
    for outcome in itertools.product(*each):
        loss, mass = math.fsum(x for x, _ in outcome), math.prod(p for _, p in outcome)
        found += mass * max(0.0, -math.expm1(total - loss))
    return found


def test_published_values():
    """Ten of each at ε = 0.1 and δ = 1e-6."""
    found = values(totals(TEN, DELTA))
    assert found[ANY_CHOICE] == pytest.approx(1.9209177336573976, rel=1e-9)
    assert found[BY_RHO] == pytest.approx(1.6599790500, rel=1e-9)
    assert found[FIXED] == pytest.approx(1.3761617466, rel=1e-9)
    assert found[SUM] == 2.0
    assert found[FIXED] < found["chosen as results come in"] <= found[WORST] < 1.381
    assert list(found.values()) == sorted(found.values())


@pytest.mark.parametrize(
    "parts",
    [
        [Part(answer=ANY, budget=0.5, count=5)],
        [Part(answer=ANY, budget=0.3, count=3), Part(answer=ANY, budget=0.7, count=2)],
        [Part(answer=WITH_DELTA, budget=0.4, delta=0.001, count=3), Part(answer=ANY, budget=1)],
    ],
)
def test_any_private_answers_cost_what_all_outcomes_say(parts):
    delta = Fraction(1, 100)
    best = totals(parts, delta)[0]
    wanted = brentq(lambda g: enumerated(parts, g) - float(delta), 0, 10)
    assert wanted * (1 - 1e-9) <= best.value <= wanted * (1 + 1e-6)
    assert right_of(parts).value == pytest.approx(500 * (1 + enumerated(parts, 0.0)), rel=1e-6)


def test_gaussian_noise_is_exact_by_either_currency():
    """One normal law of mean μ²/2: μ² adds."""
    by_rho = [Part(answer=GAUSS, budget=Fraction(1, 50), count=9)]
    by_size = [Part(answer=GAUSS_BY_SIZE, budget=5, count=9)]
    mu = 3 / 5
    for parts in (by_rho, by_size):
        best = totals(parts, DELTA)[0]
        assert (best.name, best.kind) == (NAME, EXACT)
        left, right = mu / 2 - best.value / mu, -mu / 2 - best.value / mu
        delta = stats.norm.cdf(left) - math.exp(best.value) * stats.norm.cdf(right)
        assert delta == pytest.approx(1e-6, rel=1e-6)
        assert right_of(parts).value == pytest.approx(1000 * stats.norm.cdf(mu / 2))


def test_laplace_and_gauss_together_by_numbers():
    """One answer each: the loss of the first integrated against the curve of the second."""
    parts = [Part(answer=LAPLACE, budget=1), Part(answer=GAUSS, budget=0.5)]
    at = 2.0

    def gauss(g):  # μ = 1
        return stats.norm.cdf(0.5 - g) - np.exp(g) * stats.norm.cdf(-0.5 - g)

    x = np.linspace(-1, 1, 200_001)
    between = np.trapezoid(np.exp((x - 1) / 2) / 4 * gauss(at - x), x)
    wanted = 0.5 * gauss(at - 1) + 0.5 * math.exp(-1) * gauss(at + 1) + between
    assert float(loss_of(parts).delta(at)) == pytest.approx(wanted, rel=1e-6)


def test_only_what_is_attained_is_called_exact():
    """Laplace noise costs less than any private answer of its ε: bounds of these are not exact."""
    noise = [Part(answer=LAPLACE, budget=0.5, count=2), Part(answer=CHOICE, budget=0.5, count=2)]
    assert {bound.kind for bound in totals(noise, DELTA)} == {UPPER}
    anything = [Part(answer=ANY, budget=0.5, count=2), Part(answer=CHOICE, budget=0.5, count=2)]
    kinds = {bound.name: bound.kind for bound in totals(anything, DELTA)}
    assert kinds[FIXED] == kinds["chosen as results come in"] == EXACT
    (one,) = [b for b in totals([Part(answer=LAPLACE, budget=2)], DELTA) if b.name == NAME]
    assert one.kind == EXACT
    assert one.value == pytest.approx(2 + 2 * math.log1p(-1e-6), rel=1e-9)


def test_a_promise_of_rho_costs_no_more_than_its_conversion():
    parts = [Part(answer=CONCENTRATED, budget=0.1, count=2)]
    found = values(totals(parts, DELTA))
    assert set(found) == {SUM, BY_RHO, NAME}
    converted = zcdp_epsilon(0.2, math.log(1e-6))
    assert found[BY_RHO] == pytest.approx(converted, rel=1e-9)
    assert values(totals([Part(answer=GAUSS, budget=0.2)], DELTA))[NAME] < found[NAME]
    assert found[NAME] <= converted * (1 + 1e-3)
    assert found[SUM] == pytest.approx(2 * zcdp_epsilon(0.1, math.log(5e-7)), rel=1e-9)


def test_classes_that_alternate_count_as_one():
    """Promises of ρ between choices: the choices count by their ρ, ε²/8."""
    choices = Part(answer=CHOICE, budget=0.5, count=4)
    several = loss_of([Part(answer=CONCENTRATED, budget=0.1, count=2), choices])
    wanted = zcdp_epsilon(0.325, math.log(1e-6))
    assert several.epsilon(1e-6) == pytest.approx(wanted, rel=1e-3)
    one = loss_of([Part(answer=CONCENTRATED, budget=0.2), choices])
    assert one.epsilon(1e-6) < several.epsilon(1e-6)


def test_rho_of_each_kind():
    exact = 0.5 + 1 / 8 + (1 + math.exp(-1) - 1) + 0.25 + 1 / 50
    parts = [
        Part(answer=ANY, budget=1),
        Part(answer=CHOICE, budget=1),
        Part(answer=LAPLACE, budget=1),
        Part(answer=CONCENTRATED, budget=0.25),
        Part(answer=GAUSS_BY_SIZE, budget=5),
    ]
    assert exact <= whole_rho(parts) <= exact * (1 + 1e-12)
    assert SUM in values(totals(parts, DELTA))


def test_the_order_counts_only_where_choices_can_react():
    """Any private answer after choices costs less than before them, if the order is kept."""
    small = Fraction(1, 10)
    first = [Part(answer=ANY, budget=1), Part(answer=CHOICE, budget=1, count=2)]
    last = first[::-1]
    worst = allowed(totals(first, small), FIXED_ORDER)[0].value
    kept = allowed(totals(last, small), FIXED_ORDER)[0]
    assert kept.value <= worst
    assert IN_ORDER not in values(totals(first, small))
    assert values(totals(last, small))[IN_ORDER] >= kept.value
    assert allowed(totals(last, small), ANY_ORDER)[0].value == pytest.approx(worst)


def test_what_holds_depends_on_what_is_granted():
    parts = [Part(answer=CHOICE, budget=0.5, count=2), Part(answer=ANY, budget=0.5)]
    bounds = totals(parts, Fraction(1, 100))
    counts = [len(allowed(bounds, granted)) for granted in ASSUMPTIONS]
    assert counts[0] < counts[1] < counts[2] == len(bounds)
    assert allowed(bounds, IN_ADVANCE)[0].name == FIXED
    assert FIXED not in [bound.name for bound in allowed(bounds, ANY_ORDER)]


def test_sums_are_exact_and_notes_do_not_count():
    parts = [Part(answer=ANY, budget=0.1, count=3, note="mine")]
    assert sum_of(parts, DELTA) == Fraction(3, 10)
    assert totals(parts, DELTA) is totals([Part(answer=ANY, budget=0.1, count=3)], DELTA)


def test_what_fits_fits_and_one_more_does_not():
    asked = {"limit": Fraction(2), "delta": DELTA}
    found = room(TEN[:1], TEN[0], granted=ANY_ORDER, **asked)
    assert found.added == 10
    for more, fits in ((0, True), (1, False)):
        whole = (Part(answer=ANY, budget=0.1, count=10 + found.best + more),)
        assert (allowed(totals(whole, DELTA), ANY_ORDER)[0].value <= 2) == fits


def test_room_at_its_ends():
    one = Part(answer=ANY, budget=1)
    asked = {"delta": DELTA, "granted": ANY_ORDER}
    assert room([one], one, limit=Fraction(1, 2), **asked) == Room(-1, -1)
    assert room([one], one, limit=Fraction(1), **asked) == Room(0, 0)
    assert room([one], one, limit=Fraction(10**6), **asked) == Room(MOST_MORE, MOST_MORE)
    promise = Part(answer=WITH_DELTA, budget=0.1, delta=4e-7)
    assert room([promise], promise, limit=Fraction(5), **asked).best == 1


@pytest.mark.parametrize("budget", few([1e12, 1e-12], 2))
def test_budgets_of_any_size_have_a_total(budget):
    parts = [Part(answer=answer, budget=budget, count=3) for answer in (ANY, CHOICE, LAPLACE)]
    bounds = totals(parts, DELTA)
    assert bounds[0].value <= values(bounds)[SUM] == pytest.approx(9 * budget)
    assert isinstance(right_of(parts), CorrectGuesses)
    assert right_of([Part(answer=GAUSS, budget=budget)]).value <= 1000
    assert values(totals([Part(answer=CONCENTRATED, budget=budget)], DELTA))[SUM] >= 0
