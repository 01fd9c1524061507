"""A plan of several statistics: budgets of their own, and what each tier learns by all of them."""

import itertools
import json

import pytest

from dpviz.errors import ParameterError
from dpviz.planning.tiers import as_rows
from dpviz.queries import BoundedSum, Bounds, ByColumn, Count, Everybody
from dpviz.workspace import account, plan_file
from dpviz.workspace.sessions import Statistic
from dpviz.workspace.undo import undo
from dpviz.workspace.workspace import Workspace
from tests.cast import RHO
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


def typed(ws, **budgets):
    rows = as_rows(ws.plan.tiers)
    for row in rows:
        row["budget"] = budgets.get(row["tier"], row["budget"])
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
    rows = as_rows(ws.plan.tiers)
    rows[0]["tier"] = "court"
    ws.use_tiers(rows)
    ws.use_tiers([*rows, {"tier": "press", "budget": "0.02", "as": "ρ"}])
    ws.state(BY_WARD)
    assert amounts(ws) == {"court": "0.05"} | {n: f"{RHO[n]:g}" for n in TIERS[1:]} | {
        "press": "0.02"
    }


@pytest.mark.parametrize("family", ["gaussian", "laplace", "skellam"])
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
    assert [s.query for s in found.other_units] == [Count(BY)]


def test_a_tier_without_a_budget_for_one_of_them_is_named_and_left_out():
    ws = planned(PEOPLE)
    ws.use_tiers([{**row, "budget": "3", "as": "±a 95 %"} for row in as_rows(ws.plan.tiers)[:1]])
    ws.state(COSTS)  # ±3 people are not ±3 of a cost
    found = account.in_all(ws)
    assert (found.left_out, dict(found.tiers)) == (("audit",), {})


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


# --- in a plan file ---


def test_a_plan_file_holds_every_statistic_of_its_table_and_gives_them_back():
    ws = planned(PEOPLE, BY_WARD, COSTS)
    ws.state(BY_WARD)
    typed(ws, audit="0.05")
    plan = plan_file.opened(plan_file.saved(ws))
    assert plan.query == BY_WARD
    assert [one.query for one in plan.further] == [PEOPLE, COSTS]
    other = Workspace.load(ROWS, name="again.csv")
    plan_file.use(other, plan)
    assert queries(other) == [BY_WARD, PEOPLE, COSTS]
    assert amounts(other)["audit"] == "0.05"
    assert account.in_all(other).tiers == account.in_all(ws).tiers
    other.state(PEOPLE)
    assert amounts(other)["audit"] == "0.4"
    undo(other)
    assert queries(other) == [Count(Everybody())]


def test_a_plan_file_of_one_statistic_is_as_it_was_before_there_were_several():
    ws = planned(PEOPLE)
    content = plan_file.saved(ws)
    assert b"further" not in content
    assert plan_file.opened(content).further == ()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"budgets": {"audit": ["ρ", "lots"]}}, "The number of people per group of “ward”: "),
        ({"budgets": {"audit": "0.4"}}, "“audit” of “budgets” of entry 1 of “further”"),
        ({"statistic": None}, "“statistic” of entry 1 of “further”"),
        ({"groups_from_data": ["cost"]}, "groups_from_data names “cost”"),
        ({"tiers": []}, "a field that no plan has, “tiers” of entry 1 of “further”"),
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


def test_a_project_keeps_every_statistic_with_its_budgets(places, ws):
    first = ws.statistic.query
    ws.state(EVERYBODY)
    typed(ws, public="0.05")
    ws.save_plan()
    for again in (opened(places), opened(places, rows=None)):  # with its table and without it
        assert queries(again) == [first, EVERYBODY]
        assert (again.statistic.query, amounts(again)["public"]) == (EVERYBODY, "0.05")
        again.use(again.statistics[0])
        assert amounts(again)["public"] == "0.1"


def test_tabs_on_two_statistics_change_the_budgets_of_their_own(places, ws):
    first = ws.statistic.query
    ws.state(EVERYBODY)
    ws.save_plan()
    tab = opened(places)
    ws.use(ws.statistics[0])
    typed(ws, public="0.07")
    ws.save_plan()
    tab.draw("public")  # of the statistic that this tab looks at, whose budgets nobody changed
    tab.catch_up()
    news = tab.follow_plan()
    assert news is not None
    assert "budgets of the " in news.told
    assert amounts(tab)["public"] == "0.1"
    tab.state(first)
    assert amounts(tab)["public"] == "0.07"


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


@pytest.mark.parametrize("pair", list(itertools.permutations(["0.05", "0.1"])))
def test_one_statistic_is_kept_as_before_there_were_several(places, ws, pair):
    for amount in pair:
        typed(ws, public=amount)
        ws.save_plan()
    kept = opened(places, rows=None)
    assert len(kept.statistics) == 1
    assert amounts(kept)["public"] == pair[-1]
