"""Two tabs on the plan of one project: what one of them typed is lost by no act of the other."""

import json
from dataclasses import replace

import pytest
import sqlalchemy as sa

from dpviz.palette import TierStyle
from dpviz.planning.tiers import Tier, as_rows
from dpviz.workspace.projects import Projects, plans, versions
from dpviz.workspace.projects.database import PROJECTS
from dpviz.workspace.projects.versions import PlanChangedError
from tests.project_workers import PROJECT, WARDS, in_threads, opened
from tests.unit.workspace.test_several import EVERYBODY, amounts, typed


@pytest.fixture
def tab(places, ws):  # noqa: ARG001 - it is there then
    """Another tab on the project of `ws`."""
    return opened(places)


def kept(places):
    """The plan of the project, as a process that begins now finds it."""
    return opened(places, rows=None)


def test_a_rename_is_not_lost_to_a_tab_that_changes_something_else_of_the_plan(places, ws, tab):
    typed(ws, audit=("tier", "ministry"))
    ws.save_plan()
    typed(tab, public="0.05")
    with pytest.raises(PlanChangedError) as refused:
        tab.save_plan()
    assert amounts(kept(places)) == amounts(ws), "nothing was written over it"
    assert amounts(tab)["public"] == "0.05", "nor is anything lost that was typed here"
    found = refused.value.elsewhere
    assert found.there == ("“audit” is called “ministry”",)
    assert found.here == ("the budget of “public” is 0.05 as ρ",)
    assert found.told.startswith("Another tab changed the plan on 20")
    assert found.told.endswith(" (universal time): “audit” is called “ministry”.")
    assert str(refused.value).endswith("take the other plan, or keep this one")
    with pytest.raises(PlanChangedError):
        tab.save_plan()  # asked again it is the same: nobody has chosen yet


@pytest.mark.parametrize("choice", ["take_plan", "keep_plan"])
def test_the_tab_that_would_overwrite_chooses(places, ws, tab, choice):
    typed(ws, audit=("tier", "ministry"))
    ws.save_plan()
    typed(tab, public="0.05")
    before = {"take_plan": amounts(ws), "keep_plan": amounts(tab)}[choice]
    getattr(tab, choice)()
    assert amounts(tab) == before
    tab.save_plan()
    assert amounts(kept(places)) == before
    ws.catch_up()
    news = ws.follow_plan()
    assert amounts(ws) == before
    assert (news is None) == (choice == "take_plan")
    assert ws.follow_plan() is None, "told once"


def test_what_only_the_other_tab_changed_stays_as_it_is(places, ws, tab):
    """A plan has two parts, the tiers and the statistic in use; each statistic has its budgets."""
    typed(ws, public="0.05")
    ws.save_plan()
    tab.state(EVERYBODY)
    tab.save_plan()
    found = kept(places)
    assert (amounts(found)["public"], found.statistic.query) == ("0.1", EVERYBODY)
    assert tab.follow_plan().there == ("the budgets of the number of people per group of “ward”",)
    assert amounts(tab)["public"] == "0.1"
    assert tab.statistic.query == EVERYBODY
    for each in (found, tab):
        each.use(next(s for s in each.statistics if s.query == WARDS))
        assert amounts(each)["public"] == "0.05"
        each.state(EVERYBODY)
    assert ws.follow_plan() is None, "the statistic that a tab looks at is its own"
    assert ws.statistic.query == WARDS
    ws.save_plan()
    assert kept(places).statistic.query == EVERYBODY


def test_budgets_of_two_statistics_are_changed_in_two_tabs_and_nobody_is_asked(places, ws):
    ws.state(EVERYBODY)
    ws.save_plan()
    tab = opened(places)
    tab.use(next(s for s in tab.statistics if s.query == WARDS))
    tab.save_plan()
    ws.catch_up()
    typed(ws, public="0.05")
    typed(tab, public="0.07")
    ws.save_plan()
    tab.save_plan()
    found = kept(places)
    for query, amount in ((EVERYBODY, "0.05"), (WARDS, "0.07")):
        found.use(next(s for s in found.statistics if s.query == query))
        assert amounts(found)["public"] == amount
    tab.use(next(s for s in tab.statistics if s.query == EVERYBODY))
    typed(tab, public="0.06")
    typed(ws, public="0.04")
    ws.save_plan()
    with pytest.raises(PlanChangedError):  # of the same statistic
        tab.save_plan()


def test_a_tab_without_changes_of_its_own_follows(places, ws, tab):
    typed(ws, audit=("tier", "ministry"), public=("people", "40"))
    ws.delta = 1e-7
    ws.plan.sizes = {WARDS.counted: "20"}
    ws.add_tier(Tier(name="court", amount="0.25", kind="ρ"))
    tab.catch_up()
    assert "ministry" not in amounts(tab), "never while somebody may be typing"
    assert tab.follow_plan().there == (
        "“audit” is called “ministry”",
        "the readers of “public”: 40",
        "“court” is new, with 0.25 as ρ",
        "δ is 1e-7",
        "expected sizes of groups",
    )
    assert (tab.plan.tiers, tab.delta, tab.plan.sizes) == (ws.plan.tiers, 1e-7, ws.plan.sizes)
    tab.save_plan()
    assert kept(places).plan.tiers == ws.plan.tiers


def test_a_row_with_a_problem_is_not_replaced_while_it_is_corrected(ws, tab):
    typed(ws, public="0.05")
    ws.save_plan()
    rows = as_rows(tab.plan.tiers)
    rows[0]["budget"] = "lots"
    assert tab.use_tiers(rows) != []
    tab.catch_up()
    assert tab.follow_plan() is None
    assert tab.plan.typed_rows[0]["budget"] == "lots"
    rows[0]["budget"] = "0.9"
    assert tab.use_tiers(rows) == []
    with pytest.raises(PlanChangedError):
        tab.save_plan()


def test_the_same_change_in_both_tabs_is_none_to_ask_about(places, ws, tab):
    for each in (ws, tab):
        typed(each, public="0.05")
        each.save_plan()
    typed(tab, public="0.04")
    tab.save_plan()
    assert amounts(kept(places))["public"] == "0.04"


def test_nothing_is_drawn_for_a_tier_that_is_planned_otherwise_by_now(places, ws, tab):
    typed(ws, audit=("tier", "ministry"), public="0.05")
    ws.save_plan()
    for act in (
        lambda: tab.draw("public"),
        lambda: tab.draw("audit"),
        lambda: tab.upgrade("research", "ρ", "0.35"),
        lambda: tab.add_tier(Tier(name="court", amount="0.25", kind="ρ")),
    ):
        before = tab.plan.tiers
        with pytest.raises(PlanChangedError, match="So nothing was drawn") as refused:
            act()
        assert "“audit” is called “ministry”" in refused.value.elsewhere.told
        assert tab.plan.tiers == before
    assert tab.ledger == kept(places).ledger == []
    tab.draw("partners")  # as it was
    assert amounts(kept(places)) == amounts(ws), "a draw writes no plan over another"
    tab.follow_plan()
    tab.draw("ministry")
    assert [e.tier for e in kept(places).ledger] == ["partners", "ministry"]


def test_a_draw_keeps_what_was_typed_here_and_who_logged_in_is_named(places, ws):
    tab = Projects(places[0], keys=places[1], who="ada@example.org").open(PROJECT)
    tab.bring(ws.table)
    typed(tab, public="0.05")
    tab.draw("public")
    assert amounts(kept(places))["public"] == "0.05"
    ws.catch_up()
    assert ws.follow_plan().told.startswith("ada@example.org changed the plan on ")
    assert amounts(ws)["public"] == "0.05"


def test_tabs_that_write_at_once_lose_nothing(places, ws):
    """Of several that change the same part, one is written, and the others are asked."""
    tabs = [ws, opened(places), opened(places), opened(places)]

    def change(tab, amount):
        typed(tab, public=amount)
        try:
            tab.save_plan()
        except PlanChangedError:
            return None
        return amount

    written = in_threads(*(lambda t=t, n=n: change(t, f"0.0{n}") for n, t in enumerate(tabs, 1)))
    (one,) = [amount for amount in written if amount]
    assert amounts(kept(places))["public"] == one


def test_colours_and_symbols_belong_to_the_project(places, ws):
    ws.add_tier(Tier(name="court", amount="0.25", kind="ρ"))
    ws.draw("partners", "public")
    rows = [row for row in as_rows(ws.plan.tiers) if row["tier"] != "partners"]
    typed_rows = [{**row, "tier": row["tier"].replace("audit", "ministry")} for row in rows]
    assert ws.use_tiers(rows) == []
    assert ws.use_tiers(typed_rows) == []
    ws.save_plan()
    looks = {name: ws.plan.style_of(name) for name in ("court", "ministry", "public", "partners")}
    assert len(set(looks.values())) == 4
    found = kept(places)
    assert {name: found.plan.style_of(name) for name in looks} == looks
    assert [(t.name, t.style) for t in found.held] == [(t.name, t.style) for t in ws.held]
    tab = opened(places)
    tab.add_tier(Tier(name="press", amount="0.01", kind="ρ"))
    ws.catch_up()
    ws.follow_plan()
    assert ws.plan.style_of("press") == tab.plan.style_of("press") != TierStyle(0, 0)


def test_a_plan_from_before_there_were_looks_and_names_opens(places, projects, ws):
    with projects._database.writing() as connection:
        text = connection.execute(sa.select(PROJECTS.c.plan)).scalar_one()
        old = {k: v for k, v in json.loads(text).items() if k not in ("styles", "changed")}
        connection.execute(sa.update(PROJECTS).values(plan=json.dumps(old)))
    tab = kept(places)
    assert tab.plan.tiers == ws.plan.tiers
    assert len({tab.plan.style_of(t.name) for t in tab.plan.tiers}) == len(tab.plan.tiers)


def test_changes_in_words(ws):
    with ws.keeper._database.reading() as connection:
        stored = connection.execute(sa.select(PROJECTS.c.plan)).scalar_one()
    asked = plans.plan_in(stored).asked
    before = plans.KeptPlan(
        tiers=tuple(Tier(name=n, amount="1", kind="ρ") for n in "abc"),
        **{"delta": 1e-6, "asked": asked, "sizes": {}, "groups_from_data": (), "looked": False},
    )
    a, b, c = before.tiers
    for tiers, said in [
        ((b, a, c), ["the rows are in another order"]),
        ((a, b), ["“c” is deleted"]),
        (
            (replace(a, name="x"), replace(b, name="y"), c),
            ["“a” is called “x”", "“b” is called “y”"],
        ),
        ((replace(a, note="n\u202ee"), b, c), ["the note of “a”: n⟨U+202E⟩e"]),
        ((replace(a, name="x", amount="2"), b, c), ["“a” is deleted", "“x” is new, with 2 as ρ"]),
    ]:
        assert [*versions._changes("tiers", before, replace(before, tiers=tiers))] == said
