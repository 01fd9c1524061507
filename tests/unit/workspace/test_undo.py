"""Undo and redo: every change of a plan, what was released, refusals, limits, other tabs."""

from dataclasses import replace

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from dpviz.errors import ParameterError
from dpviz.planning.presets import PRESETS
from dpviz.planning.tiers import as_rows
from dpviz.workspace import account
from dpviz.workspace.history import MOST
from dpviz.workspace.undo import (
    can_undo,
    forget_a,
    keep_as_a,
    note,
    plan_a,
    redo,
    state_of,
    undo,
    use_a,
)
from dpviz.workspace.workspace import Workspace
from tests.project_workers import opened
from tests.unit.workspace.test_several import (
    BY_WARD,
    COSTS,
    PEOPLE,
    amounts,
    planned,
    queries,
    typed,
)
from tests.visiting import plain


def refused_rows(ws):
    first, *others = as_rows(ws.plan.tiers)
    return [{**first, "budget": "lots"}, *others]


def delta(ws):
    ws.delta = 1e-9


def size(ws):
    ws.plan.sizes = {"people": "40"}


CHANGES = {
    "a cell": lambda ws: typed(ws, audit="0.05"),
    "a name": lambda ws: typed(ws, audit=("tier", "court")),
    "a note": lambda ws: typed(ws, audit=("note", "of health")),
    "a new row": lambda ws: ws.use_tiers(
        [*as_rows(ws.plan.tiers), {"tier": "press", "budget": "0.02", "as": "ρ"}]
    ),
    "a row less": lambda ws: ws.use_tiers(as_rows(ws.plan.tiers[1:])),
    "a ready plan": lambda ws: ws.change_plan(ws.plan.use_preset, PRESETS[-1]),
    "the currency": lambda ws: ws.change_plan(ws.plan.state_as, "ε"),
    "the order": lambda ws: ws.change_plan(ws.plan.sort),
    "a colour": lambda ws: ws.change_plan(ws.plan.recolour, "audit", "rust"),
    "the noise": lambda ws: ws.use_family("laplace"),
    "the mode": lambda ws: ws.use_mode("hardened"),
    "δ": delta,
    "sizes": size,
    "another statistic": lambda ws: ws.use(replace(ws.statistic, query=COSTS)),
    "a statistic less": lambda ws: ws.take_off(),
    "the order of statistics": lambda ws: ws.move_up(ws.statistics[1]),
    "the name of a statistic": lambda ws: ws.call("sites"),
    "budgets of another statistic": lambda ws: (ws.use(ws.statistics[0]), typed(ws, audit="0.07")),
}


def said(ws):
    return state_of(ws).said()


@pytest.fixture
def plan():
    made = planned(PEOPLE, BY_WARD)
    rows = as_rows(made.plan.tiers)
    made.use_tiers([{**row, "order": str(len(rows) - i)} for i, row in enumerate(rows)])
    note(made)
    return made


@pytest.mark.parametrize("name", CHANGES)
def test_every_change_of_a_plan_is_undone_and_made_again(plan, name):
    ws = plan
    before, rows, style = said(ws), as_rows(ws.plan.tiers), ws.plan.style_of("audit")
    CHANGES[name](ws)
    after = said(ws)
    assert after != before
    undo(ws)
    assert (said(ws), ws.plan.typed_rows) == (before, as_rows(ws.plan.tiers))
    assert ws.plan.style_of("audit") == style
    assert as_rows(ws.tiers_of(ws.statistics[1])) == rows
    assert ws.statistic.own_name == ""
    assert (can_undo(ws), len(ws.history.future)) == (False, 1)
    redo(ws)
    assert said(ws) == after
    assert (can_undo(ws), ws.history.future) == (True, [])


def test_the_statistic_that_was_changed_is_in_use_after_undo_and_redo(plan):
    ws = plan
    ws.use(ws.statistics[0])
    note(ws)
    typed(ws, audit="0.07")
    note(ws)
    ws.use(ws.statistics[1])
    note(ws)
    assert len(ws.history.past) == 1, "which one is looked at is no change of the plan"
    for turn, amount in ((undo, "0.4"), (redo, "0.07"), (undo, "0.4")):
        turn(ws)
        assert (ws.statistic.query, amounts(ws)["audit"]) == (PEOPLE, amount)
        ws.use(ws.statistics[1])
        assert amounts(ws)["audit"] == "0.4"


def test_what_is_typed_and_refused_leaves_no_trace(plan):
    ws = plan
    before = said(ws)
    assert ws.use_tiers(refused_rows(ws))
    note(ws)
    ws.plan.sizes = {"people": "many"}
    note(ws)
    assert (ws.history.past, can_undo(ws)) == ([], True)
    with pytest.raises(ParameterError, match="correct it there first"):
        redo(ws)
    assert ws.plan.typed_rows[0]["budget"] == "lots", "nothing typed is lost"
    undo(ws)
    assert (said(ws), ws.plan.refused, can_undo(ws)) == (before, False, False)
    assert ws.plan.typed_rows == as_rows(ws.plan.tiers)


def test_a_new_change_drops_what_was_undone_and_of_many_the_latest_stay(plan):
    ws = plan
    for number in range(MOST + 5):
        typed(ws, audit=f"0.{number + 100}")
        note(ws)
    assert len(ws.history.past) == MOST
    for _ in range(3):
        undo(ws)
    assert amounts(ws)["audit"] == f"0.{MOST + 101}"
    typed(ws, audit="0.3")
    redo(ws)
    assert (amounts(ws)["audit"], ws.history.future) == ("0.3", [])
    for _ in range(MOST + 5):
        undo(ws)
    assert amounts(ws)["audit"] == "0.104", "the 50th before the last"


def test_what_was_released_is_never_undone_and_its_tier_keeps_its_looks(plan):
    ws = plan
    ws.upgrade("public", "ρ", "0.25")
    note(ws)
    CHANGES["a new row"](ws)
    ws.draw("press")
    loss, style = account.joint(ws), ws.plan.style_of("press")
    undo(ws)
    undo(ws)
    assert (amounts(ws)["public"], "press" in amounts(ws)) == ("0.1", False)
    assert (len(ws.ledger), account.joint(ws)) == (2, loss)
    assert plain(ws.former(ws.ledger[0])) == "drawn at ρ = 0.25, before"
    assert ws.plan.style_of("press") == style


def test_a_statistic_stays_if_something_was_released_of_it(plan):
    ws = plan
    typed(ws, audit="0.05")
    note(ws)
    ws.use(replace(ws.statistic, query=COSTS))
    note(ws)
    ws.draw("public")
    undo(ws)  # to add it cannot be undone any more, so the change before it is
    assert queries(ws) == [PEOPLE, BY_WARD, COSTS]
    assert ws.history.now.statistics[1].budgets["audit"] == ("ρ", "0.4")
    assert len(ws.ledger) == 1


def test_another_table_begins_a_new_history(plan):
    ws = plan
    typed(ws, audit="0.05")
    keep_as_a(ws)
    ws.bring(Workspace.load(b"id,ward\n7,A\n", name="other.csv").table)
    note(ws)
    assert (can_undo(ws), plan_a(ws)) == (False, None)
    ws.close()
    assert ws.history.now is None


# --- other tabs of a project ---


def test_undo_goes_back_no_further_than_what_another_tab_changed(places, ws):
    tab = opened(places)
    for each in (ws, tab):
        note(each)
    typed(ws, audit="0.3")
    ws.save_plan()
    note(ws)
    tab.catch_up()
    assert tab.follow_plan() is not None
    typed(tab, public="0.05")
    tab.save_plan()
    ws.catch_up()
    assert ws.follow_plan() is not None
    undo(ws)
    assert (amounts(ws)["audit"], amounts(ws)["public"], can_undo(ws)) == ("0.3", "0.05", False)


def test_undo_of_what_another_tab_changed_meanwhile_is_asked_about(places, ws):
    tab = opened(places)
    note(ws)
    typed(ws, audit="0.3")
    ws.save_plan()
    tab.catch_up()
    tab.follow_plan()
    typed(tab, public="0.05")
    tab.save_plan()
    undo(ws)  # before this tab has heard of that
    with pytest.raises(ParameterError, match=r"“public” is 0\.05"):
        ws.save_plan()
    assert opened(places).plan.tiers[-1].amount == "0.05"


def test_a_project_keeps_no_history(places, ws):
    note(ws)
    typed(ws, audit="0.3")
    keep_as_a(ws)
    ws.save_plan()
    again = opened(places)
    note(again)
    assert (can_undo(again), plan_a(again)) == (False, None)


# --- plan A ---


def test_plan_a_stays_as_it_was_and_to_use_it_is_a_change_as_any_other(plan):
    ws, before = plan, said(plan)
    keep_as_a(ws)
    typed(ws, audit="0.05")
    ws.use_family("laplace")
    ws.draw("public")
    after, kept = said(ws), plan_a(ws)
    assert (said(kept), kept.ledger, kept.sessions) == (before, [], [])
    use_a(ws)
    assert (said(ws), len(ws.ledger)) == (before, 1)
    undo(ws)
    assert said(ws) == after
    forget_a(ws)
    use_a(ws)
    assert (said(ws), plan_a(ws)) == (after, None)


def test_plan_a_is_seen_by_the_statistic_that_is_in_use(plan):
    keep_as_a(plan)
    plan.use(plan.statistics[0])
    assert plan_a(plan).statistic.query == PEOPLE
    plan.use(replace(plan.statistic, query=COSTS))
    assert plan_a(plan).statistic.query == BY_WARD


# --- whatever is done, in whatever order ---


class AnyOrder(RuleBasedStateMachine):
    """What is undone and redone is what a list of states says."""

    def __init__(self):
        super().__init__()
        self.ws = planned(PEOPLE, BY_WARD)
        note(self.ws)
        self.past, self.now, self.future = [], said(self.ws), []

    def changed(self):
        note(self.ws)
        if (new := said(self.ws)) != self.now:
            self.past, self.now, self.future = [*self.past, self.now][-MOST:], new, []

    @rule(amount=st.sampled_from(["0.1", "0.2", "lots", ""]), tier=st.integers(0, 2))
    def type_a_budget(self, amount, tier):
        rows = as_rows(self.ws.plan.tiers)
        rows[tier % len(rows)]["budget"] = amount
        self.ws.use_tiers(rows)
        self.changed()

    @rule(
        name=st.sampled_from(["gaussian", "laplace"]), kind=st.sampled_from(["ρ", "ε", "±a 95 %"])
    )
    def use_a_noise_and_a_currency(self, name, kind):
        self.ws.use_family(name)
        self.changed()
        if not self.ws.plan.refused:
            self.ws.change_plan(self.ws.plan.state_as, kind)
            self.changed()

    @rule(place=st.integers(0, 2))
    def look_at_another_statistic(self, place):
        self.ws.use(self.ws.statistics[place % len(self.ws.statistics)])
        self.changed()

    @rule()
    def draw(self):
        names = [p.name for p in self.ws.planned()[0]]
        if names:
            self.ws.draw(names[0])

    @rule()
    def undo(self):
        refused = self.ws.plan.refused
        undo(self.ws)
        if self.past and not refused:
            self.future.append(self.now)
            self.now = self.past.pop()

    @precondition(lambda self: not self.ws.plan.refused)
    @rule()
    def redo(self):
        redo(self.ws)
        if self.future:
            self.past.append(self.now)
            self.now = self.future.pop()

    @invariant()
    def the_plan_is_that_of_the_list(self):
        assert said(self.ws) == self.now
        assert (len(self.ws.history.past), len(self.ws.history.future)) == (
            len(self.past),
            len(self.future),
        )
        assert len(self.ws.ledger) == len({(e.session, e.tier, e.level) for e in self.ws.ledger})


TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings(max_examples=12, stateful_step_count=25, deadline=None)
