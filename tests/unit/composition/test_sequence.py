"""A sequence as a record: exact budgets, refusals, and the releases of a workspace as its parts."""

from fractions import Fraction

import pytest

from dpviz.accounting import joint_loss
from dpviz.errors import ParameterError
from dpviz.workspace import account
from dpviz.workspace.composition import (
    ANSWERS,
    ANY,
    CHOICE,
    CONCENTRATED,
    EXAMPLE,
    GAUSS,
    GAUSS_BY_SIZE,
    LAPLACE,
    WITH_DELTA,
    Part,
    from_ledger,
    read_part,
    typed,
)
from dpviz.workspace.composition_totals import left_of, sum_of, totals
from dpviz.workspace.workspace import Workspace

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


@pytest.mark.parametrize("text", ["0.1", "1e-12", "123.456", "1e12", "0.00000001234"])
def test_what_is_written_is_read_again(text):
    assert Fraction(typed(Fraction(text))) == Fraction(text)


def test_what_no_decimal_is_is_written_larger():
    for number in (Fraction(1, 3), Fraction(2, 7), Fraction(10, 3)):
        assert 0 <= Fraction(typed(number)) - number < number / 10**14


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda a: a.name)
@pytest.mark.parametrize(
    ("budget", "count", "part"),
    [
        ("0", "1", "above 0"),
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


@pytest.mark.parametrize("pair", ["0.5", "0.5,", "0.5, 1", "0.5, 0"])
def test_a_promise_needs_both(pair):
    with pytest.raises(ParameterError, match="Question 1"):
        read_part(WITH_DELTA, pair, "1", where="Question 1")


def test_only_a_promise_has_a_delta():
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


def test_the_example_is_a_sequence():
    answers = {answer.name: answer for answer in ANSWERS}
    for name, budget, count, note in EXAMPLE:
        assert read_part(answers[name], budget, count, where=note).count == 10


FAMILIES = {"gaussian": GAUSS, "laplace": LAPLACE, "discrete_laplace": ANY, "skellam": WITH_DELTA}


@pytest.mark.parametrize("family", FAMILIES)
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


def test_kinds_know_their_currency():
    assert Part(answer=CONCENTRATED, budget=0.1).epsilon is None
    assert Part(answer=CHOICE, budget=0.1).rho is None
    assert Part(answer=WITH_DELTA, budget=1, delta=1e-7).words == "ε = 1, δ = 1e-7"
    assert Part(answer=GAUSS_BY_SIZE, budget=5).words == "σ/Δ₂ = 5"
