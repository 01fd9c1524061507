"""A plan of several statistics: budgets of their own, and what each tier learns by all of them."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from dpviz.errors import OverBudgetError, ParameterError, SealedError
from dpviz.planning.sharing import Part, Request, work_out
from dpviz.planning.tiers import as_rows
from dpviz.queries import BoundedSum, Bounds, ByColumn, Count, Everybody
from dpviz.workspace import account, plan_file
from dpviz.workspace.limits import read_limit
from dpviz.workspace.sessions import Statistic
from dpviz.workspace.undo import undo
from dpviz.workspace.workspace import Workspace
from tests.cast import RHO
from tests.conftest import few, for_each
from tests.project_workers import WARDS, opened

ROWS = b"id,ward,cost\n1,A,3\n2,A,4\n3,B,5\n"
PERSON = Bounds(person="id")
BY = ByColumn("ward", ("A", "B"))
PEOPLE, BY_WARD = Count(Everybody(), PERSON), Count(BY, PERSON)
COSTS = BoundedSum("cost", 0, 50, BY, PERSON)
TIERS = ("audit", "research", "partners", "public")


def planned(*queries):
    """A workspace with these statistics on its plan, the last one in use."""
    ws = Workspace.load(ROWS, name="visits.csv")
    for query in queries:
        ws.state(query)
    return ws


def typed(ws, **cells):
    """Type into the row of a tier, by its name: `public="0.2"`, `audit=("tier", "ministry")`."""
    rows = as_rows(ws.plan.tiers)
    for name, cell in cells.items():
        column, text = cell if isinstance(cell, tuple) else ("budget", cell)
        next(row for row in rows if row["tier"] == name)[column] = text
    assert ws.use_tiers(rows) == []


def amounts(ws):
    return {t.name: t.amount for t in ws.plan.tiers}


def queries(ws):
    return [s.query for s in ws.statistics]


def test_each_statistic_has_budgets_of_its_own_and_a_new_one_begins_with_those_in_use():
    ws = planned(PEOPLE)
    typed(ws, audit="0.5")
    ws.state(BY_WARD)
    assert amounts(ws)["audit"] == "0.5"
    typed(ws, audit="0.05", public="0.01")
    ws.state(PEOPLE)
    assert (amounts(ws)["audit"], amounts(ws)["public"]) == ("0.5", "0.1")
    ws.state(BY_WARD)
    assert (amounts(ws)["audit"], amounts(ws)["public"]) == ("0.05", "0.01")
    assert queries(ws) == [PEOPLE, BY_WARD], "how many rows there are was nobody's statistic"


def test_a_tier_has_one_name_and_one_place_in_all_statistics():
    ws = planned(PEOPLE, BY_WARD)
    typed(ws, audit="0.05")
    ws.state(PEOPLE)
    typed(ws, audit=("tier", "court"))
    ws.use_tiers([*as_rows(ws.plan.tiers), {"tier": "press", "budget": "0.02", "as": "ρ"}])
    ws.state(BY_WARD)
    assert amounts(ws) == {"court": "0.05"} | {n: f"{RHO[n]:g}" for n in TIERS[1:]} | {
        "press": "0.02"
    }


@pytest.mark.parametrize("family", few(["gaussian", "skellam", "laplace"], 2))
def test_what_all_statistics_tell_is_what_the_ledger_says_once_they_are_drawn(family):
    ws = planned(PEOPLE, BY_WARD, COSTS)
    ws.use_family(family)
    for query, at in zip((PEOPLE, BY_WARD, COSTS), ("0.05", "0.1", "0.2"), strict=True):
        ws.state(query)
        typed(ws, audit=at, public="0.01")
    found = account.in_all(ws)
    assert found is not None
    assert found.statistics == tuple(ws.statistics)
    for tier in (*TIERS, None):
        drawn = planned(PEOPLE, BY_WARD, COSTS)
        drawn.use_family(family)
        for query, at in zip((PEOPLE, BY_WARD, COSTS), ("0.05", "0.1", "0.2"), strict=True):
            drawn.state(query)
            typed(drawn, audit=at, public="0.01")
            drawn.draw(*([tier] if tier else TIERS))
        said = found.tiers[tier] if tier else found.together
        assert said.value == pytest.approx(account.joint(drawn).value, rel=1e-9)
    if family == "gaussian":
        assert found.tiers["audit"].value == pytest.approx(0.05 + 0.1 + 0.2)
        assert found.together.value == pytest.approx(0.3 + 0.3 + 0.3), "research has most of each"


def test_losses_of_another_unit_are_not_added():
    ws = planned(PEOPLE, BY_WARD, Count(BY))
    assert account.in_all(ws) is None, "rows are protected by the last one alone"
    ws.state(PEOPLE)
    found = account.in_all(ws)
    assert [s.query for s in found.statistics] == [PEOPLE, BY_WARD]
    assert found.other_units == (Count(BY).statistic,)


def test_a_statistic_in_the_place_of_another_one():
    ws = planned(PEOPLE, BY_WARD)
    ws.use_instead(Statistic(ws.table, COSTS, ws.loading))
    assert queries(ws) == [PEOPLE, COSTS]
    ws.draw("public")
    ws.use_instead(Statistic(ws.table, BY_WARD, ws.loading))
    assert queries(ws) == [PEOPLE, COSTS, BY_WARD], "what was released counts, so it stays"


def test_a_statistic_moves_up_and_leaves_the_plan_unless_it_was_released():
    ws = planned(PEOPLE, BY_WARD, COSTS)
    ws.move_up(ws.statistic)
    assert queries(ws) == [PEOPLE, COSTS, BY_WARD]
    ws.take_off()
    assert (queries(ws), ws.statistic.query) == ([PEOPLE, BY_WARD], PEOPLE)
    ws.draw("public")
    with pytest.raises(ParameterError, match="Something was released"):
        ws.take_off()
    ws.state(BY_WARD)
    with pytest.raises(ParameterError, match="Something was released"):
        ws.leave_out(ws.statistics[0])
    with pytest.raises(ParameterError, match="The statistic in use"):
        ws.leave_out(ws.statistic)
    ws.take_off()
    with pytest.raises(ParameterError, match="The plan needs a statistic"):
        ws.take_off()


# --- budgets of all of them at once ---


@pytest.mark.parametrize(
    "families",
    few([("gaussian", "laplace"), ("gaussian",) * 2, ("laplace",) * 2, ("skellam",) * 2], 4),
    ids="-".join,
)
def test_shares_that_are_put_to_use_meet_the_total_that_the_ledger_says(families):
    ws = planned(PEOPLE, BY_WARD)
    for query, family in zip((PEOPLE, BY_WARD), families, strict=True):
        ws.state(query)
        ws.use_family(family)
    now = account.in_all(ws)
    weights = (Fraction(2), Fraction(1))
    parts = tuple(
        Part(statistic=s.name, setting=at, typed=None, weight=w)
        for s, at, w in zip(now.statistics, now.settings, weights, strict=True)
    )
    found = work_out(Request(tier="audit", parts=parts, total=Fraction("0.7")))
    ws.use_budgets(
        {
            s.key: {"audit": (p.tier.kind, p.tier.amount)}
            for s, p in zip(now.statistics, found.planned, strict=True)
        }
    )
    after = account.in_all(ws)
    assert 0 <= 0.7 - after.tiers["audit"].value <= 0.7e-9
    two, one = (float(p.tier.amount) for p in found.planned)
    assert two == pytest.approx(2 * one, rel=1e-9)
    assert [ws.noise_of(s) for s in ws.statistics] == [*families]
    assert {n: after.tiers[n] for n in TIERS[1:]} == {n: now.tiers[n] for n in TIERS[1:]}
    assert (queries(ws), ws.statistic.query) == ([PEOPLE, BY_WARD], BY_WARD)


def test_budgets_go_to_the_statistic_that_they_are_for_and_all_else_stays():
    ws = planned(PEOPLE, BY_WARD, Count(BY))
    ws.state(PEOPLE)
    ws.statistics[:] = [replace(s, budgets={}) if s.query != PEOPLE else s for s in ws.statistics]
    ws.use_budgets({ws.statistic.key: {"audit": ("ρ", "0.9")}})
    assert amounts(ws) == {"audit": "0.9"} | {n: f"{RHO[n]:g}" for n in TIERS[1:]}
    for other in ws.statistics[1:]:
        assert ws.tiers_of(other)[0].amount == "0.4", "it had the one that was in use"
    ws.use_budgets({ws.statistics[1].key: {"public": ("±a 95 %", "20")}})
    assert amounts(ws)["public"] == "0.1"
    ws.state(BY_WARD)
    assert amounts(ws)["public"] == "20"


def test_a_budget_is_given_to_a_tier_that_has_none_yet():
    ws = planned(PEOPLE)
    ws.use_tiers([{**row, "budget": "3", "as": "±a 95 %"} for row in as_rows(ws.plan.tiers)[:2]])
    ws.state(COSTS)  # ±3 people are not ±3 of a cost
    ws.use_budgets({ws.statistic.key: {"audit": ("±a 95 %", "30")}})
    assert amounts(ws) == {"audit": "30", "research": ""}
    assert [p.name for p in ws.planned()[0]] == ["audit"]
    assert account.in_all(ws).left_out == ("research",)


def test_a_budget_that_cannot_be_used_changes_nothing():
    ws = planned(PEOPLE, BY_WARD)
    before = {s.key: ws.tiers_of(s) for s in ws.statistics}
    for amount in ("lots", "-1"):
        with pytest.raises(ParameterError, match="The number of people: Budget of audit"):
            ws.use_budgets({s.key: {"audit": ("ρ", amount)} for s in ws.statistics})
    ws.use_tiers([*as_rows(ws.plan.tiers), {"tier": "press", "budget": "soon", "as": "ρ"}])
    with pytest.raises(ParameterError, match="The plan as typed on the page Tiers has a problem"):
        ws.use_budgets({ws.statistic.key: {"audit": ("ρ", "0.9")}})
    assert {s.key: ws.tiers_of(s) for s in ws.statistics} == before


# --- noise and names of their own ---


def test_each_statistic_has_noise_of_its_own_and_a_new_one_begins_with_that_in_use():
    ws = planned(PEOPLE)
    ws.use_family("laplace")
    ws.state(BY_WARD)
    assert ws.family_name == "laplace"
    ws.use_family("gaussian")
    assert [ws.noise_of(s) for s in ws.statistics] == ["laplace", "gaussian"]
    ws.use_mode("hardened")  # which has neither of them
    assert {ws.noise_of(s) for s in ws.statistics} == {ws.family_name}


def test_a_statistic_is_called_as_somebody_says():
    ws = planned(PEOPLE, BY_WARD)
    ws.call("  people by ward ")
    assert [s.name for s in ws.statistics] == ["number of people", "people by ward"]
    ws.state(PEOPLE)
    with pytest.raises(ParameterError, match="Another statistic is called people by ward"):
        ws.call("people by ward")
    with pytest.raises(ParameterError, match="The name of the statistic is too long"):
        ws.call("x" * 41)
    ws.state(BY_WARD)
    assert ws.statistic.name == "people by ward"
    ws.call("")
    assert ws.statistic.name == BY_WARD.statistic


# --- drawn in one press ---


def test_all_statistics_of_a_tier_are_drawn_at_once_and_are_those_of_single_draws():
    at_once, singly = planned(PEOPLE, BY_WARD, COSTS), planned(PEOPLE, BY_WARD, COSTS)
    at_once.draw_all("audit", "public")
    for query in (COSTS, PEOPLE, BY_WARD):
        singly.state(query)
        singly.draw("public", "audit")
    for query in (PEOPLE, BY_WARD, COSTS):
        for ws in (at_once, singly):
            ws.state(query)
        pairs = zip(at_once.values_of_tiers, singly.values_of_tiers, strict=True)
        assert all(np.array_equal(a.values, b.values) for a, b in pairs if a.values is not None)
        assert at_once.waiting() == singly.waiting() == ["partners", "research"]
    before = len(at_once.ledger)
    at_once.draw_all("audit")
    assert len(at_once.ledger) == before == 6


def test_a_limit_below_all_statistics_together_refuses_the_first_draw_and_names_the_dearest():
    ws = planned(PEOPLE, BY_WARD)
    typed(ws, audit="0.7")
    ws.use_limit(read_limit("ρ", "1"))
    with pytest.raises(OverBudgetError) as refused:
        ws.draw_all("audit", "public")
    assert str(refused.value).startswith(
        "audit, by 2 statistics, asks for ρ\xa0=\xa01.1, but the limit is ρ\xa0=\xa01 "
    )
    assert "ask for less of the number of people per group of “ward”" in str(refused.value)
    assert ws.ledger == []
    ws.draw_all("public")
    assert account.joint(ws).value == pytest.approx(0.2)


def test_a_tier_without_a_budget_for_one_of_them_draws_nothing():
    ws = planned(PEOPLE)
    ws.use_tiers([{**row, "budget": "3", "as": "±a 95 %"} for row in as_rows(ws.plan.tiers)[:1]])
    ws.state(COSTS)
    ws.state(PEOPLE)
    with pytest.raises(ParameterError, match="audit has no budget for the sum of “cost”"):
        ws.draw_all("audit")
    assert ws.ledger == []


def test_a_sealed_statistic_refuses_what_all_would_draw():
    ws = planned(PEOPLE, BY_WARD)
    ws.draw("public")
    ws.seal(ws.cap("public"))
    with pytest.raises(SealedError, match="audit cannot be drawn"):
        ws.draw_all("audit")
    assert len(ws.ledger) == 1


# --- in a plan file ---


def test_a_plan_file_holds_every_statistic_of_its_table_and_gives_them_back():
    ws = planned(PEOPLE, BY_WARD, COSTS)
    ws.use_family("laplace")
    ws.call("what it cost")
    ws.state(BY_WARD)
    typed(ws, audit="0.05")
    plan = plan_file.opened(plan_file.saved(ws))
    assert (plan.query, plan.name, plan.family_name) == (BY_WARD, "", "gaussian")
    assert [(one.query, one.name, one.family_name) for one in plan.further] == [
        (PEOPLE, "", ""),
        (COSTS, "what it cost", "laplace"),
    ]
    other = Workspace.load(ROWS, name="again.csv")
    plan_file.use(other, plan)
    assert queries(other) == [BY_WARD, PEOPLE, COSTS]
    assert (other.statistics[2].name, other.noise_of(other.statistics[2])) == (
        *("what it cost", "laplace"),
    )
    assert plan_file.opened(plan_file.saved(other)).further == plan.further
    assert amounts(other)["audit"] == "0.05"
    assert account.in_all(other).tiers == account.in_all(ws).tiers
    other.state(PEOPLE)
    assert amounts(other)["audit"] == "0.4"
    undo(other)
    assert queries(other) == [Count(Everybody())]


def test_the_same_question_of_another_table_leaves_the_plan_with_a_plan_file():
    plan = plan_file.opened(plan_file.saved(planned(PEOPLE)))
    ws = planned(PEOPLE)
    ws.bring(Workspace.load(ROWS + b"4,B,1\n", name="june.csv").table)
    plan_file.use(ws, plan)
    assert [s.table.name for s in ws.statistics] == ["june.csv"]


def test_a_plan_file_of_one_statistic_is_as_it_was_before_there_were_several():
    ws = planned(PEOPLE)
    content = plan_file.saved(ws)
    assert b"further" not in content
    assert b'"name": "number' not in content
    assert plan_file.opened(content).further == ()


@for_each(
    ("change", "sentence"),
    [
        ({"budgets": {"audit": ["ρ", "lots"]}}, "The number of people per group of “ward”: "),
        ({"budgets": {"audit": "0.4"}}, "“audit” of “budgets” of entry 1 of “further”"),
        ({"statistic": None}, "“statistic” of entry 1 of “further”"),
        ({"groups_from_data": ["cost"]}, "groups_from_data names “cost”"),
        ({"tiers": []}, "a field that no plan has, “tiers” of entry 1 of “further”"),
        ({"noise": "lots"}, "noise must be one of"),
        ({"name": "x" * 41}, "The name of the statistic is too long"),
    ],
)
def test_a_mistake_in_a_further_statistic_gets_one_sentence(change, sentence):
    ws = planned(BY_WARD, PEOPLE)
    found = json.loads(plan_file.saved(ws))
    found["further"][0] |= change
    with pytest.raises(ParameterError) as refused:
        plan_file.opened(json.dumps(found).encode())
    assert sentence in str(refused.value)


def test_the_same_statistic_twice_is_refused():
    found = json.loads(plan_file.saved(planned(BY_WARD, PEOPLE)))
    found["further"] *= 2
    with pytest.raises(ParameterError, match="is there twice; leave one out"):
        plan_file.opened(json.dumps(found).encode())


# --- in a project ---


EVERYBODY = Count(Everybody(), WARDS.bounds)


def test_a_project_keeps_every_statistic_with_its_budgets_noise_and_name(places, ws):
    first, noise = ws.statistic.query, ws.family_name
    ws.call("by ward")
    ws.save_plan()
    assert opened(places, rows=None).statistic.name == "by ward"
    ws.state(EVERYBODY)
    ws.use_family("skellam")
    ws.call("everybody")
    typed(ws, public="0.05")
    ws.save_plan()
    for again in (opened(places), opened(places, rows=None)):  # with its table and without it
        assert [s.name for s in again.statistics] == ["by ward", "everybody"]
        assert queries(again) == [first, EVERYBODY]
        assert (again.family_name, amounts(again)["public"]) == ("skellam", "0.05")
        again.use(again.statistics[0])
        assert (again.statistic.query, again.family_name) == (first, noise)
        assert amounts(again)["public"] == "0.1"


def test_a_tab_hears_of_noise_and_names_of_statistics_that_another_one_changed(places, ws):
    ws.state(EVERYBODY)
    ws.save_plan()
    tab, noise = opened(places), ws.family_name
    ws.use(ws.statistics[0])
    ws.use_family("skellam")
    ws.call("by ward")
    ws.save_plan()
    typed(tab, public="0.05")  # of the other statistic, so that both are written
    tab.save_plan()
    tab.catch_up()
    tab.follow_plan()
    assert [(s.name, tab.noise_of(s)) for s in tab.statistics] == [
        ("by ward", "skellam"),
        (EVERYBODY.statistic, noise),
    ]
    again = opened(places)
    again.state(EVERYBODY)
    assert amounts(again)["public"] == "0.05"


def test_a_draw_is_refused_if_its_budget_was_changed_in_another_tab_on_another_statistic(
    places, ws
):
    ws.state(EVERYBODY)
    ws.save_plan()
    tab = opened(places)
    tab.use(tab.statistics[0])
    tab.save_plan()
    typed(tab, public="0.07")
    tab.save_plan()
    ws.use(ws.statistics[0])
    with pytest.raises(ParameterError, match="Another tab changed the plan"):
        ws.draw("public")
