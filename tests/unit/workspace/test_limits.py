"""Limits: a loss that every act keeps, or a plan that is all there is; refused, nothing changes."""

import itertools
import json
from dataclasses import replace
from fractions import Fraction

import pytest

from dpviz.accounting import Limit
from dpviz.accounting.filter import Filter
from dpviz.data import Reading, read_csv
from dpviz.errors import OverBudgetError, ParameterError
from dpviz.planning.tiers import Tier, as_rows
from dpviz.queries import (
    BoundedSum,
    Bounds,
    ByColumn,
    ByTime,
    Count,
    Everybody,
    ItemCounts,
    WholeNumbers,
)
from dpviz.ui.kit import state as state_of_visitors
from dpviz.words import NO_BREAK
from dpviz.workspace import Statistic, Workspace, account, counting, plan_file, sparse, top_k
from dpviz.workspace.limits import OWNER, counted, owner_limit, read_limit
from dpviz.workspace.others import Server
from dpviz.workspace.plan_file import FurtherStatistic, PlanFile, written
from dpviz.workspace.plan_limits import PlanLimit, limit_in, standing
from dpviz.workspace.projects import Projects, records
from tests.conftest import few, for_each
from tests.structured_sessions import asked
from tests.unit.workspace.test_several import typed

RHO_ROWS = [
    {"tier": n, "budget": b, "as": "ρ"} for n, b in (("a", "0.1"), ("b", "0.2"), ("c", "0.4"))
]


def refusal(act):
    with pytest.raises(OverBudgetError) as refused:
        act()
    return str(refused.value).replace(NO_BREAK, " ")


def fresh(limit=None, rows=RHO_ROWS):
    ws = Workspace.fresh()
    assert ws.use_tiers(rows) == []
    if limit:
        ws.use_limit(read_limit("ρ", limit))
    return ws


def state(ws):
    """Everything that an act may change."""
    drawn = [(s.number, s.mechanism.levels, s.mechanism.sealed_at) for s in ws.rounds]
    return ws.ledger.copy(), drawn, ws.plan.tiers, ws.plan.typed_rows, ws.limit


ACTS = {
    "draw": lambda ws: ws.draw("c"),
    "draw the rest": lambda ws: ws.draw("a", "c"),
    "upgrade": lambda ws: ws.upgrade("a", "ρ", "0.35"),
    "add a tier": lambda ws: ws.add_tier(Tier(name="d", amount="0.31", kind="ρ")),
    "seal": lambda ws: ws.seal(ws.cap("c")),
}


@for_each("act", ACTS.values())
def test_every_act_on_a_statistic_keeps_the_limit_and_refused_changes_nothing(act):
    ws = fresh("0.3")
    ws.draw("b")
    before = state(ws)
    said = refusal(lambda: act(ws))
    assert state(ws) == before
    assert "but the limit is ρ = 0.3 for everything together: ρ = 0.2 is spent and ρ = 0.1" in said
    assert "at most ρ = 0.3, or raise the limit on the page Releases" in said
    ws.use_limit(None)
    act(ws)


def test_a_list_keeps_the_limit_and_a_longer_one_costs_only_what_it_adds():
    ws = fresh()
    source = top_k.Source(table=ws.table, query=ws.statistic.query)
    lists = [top_k.Subject(source=source, k=k, step=Fraction(1, 10)) for k in (1, 2, 3)]
    ws.use_limit(read_limit("ε", "0.2"))
    lists[0].draw(ws)
    lists[1].draw(ws)
    lists[0].draw(ws)
    before, items = state(ws), lists[1].ranking(ws).items
    with pytest.raises(OverBudgetError, match=r"list of 3 asks for ε.=.0\.3"):
        lists[2].draw(ws)
    assert state(ws) == before
    assert lists[1].ranking(ws).items == items


def test_a_limit_below_what_is_spent_is_refused_with_what_to_type():
    ws = fresh("0.3")
    ws.draw("b")
    with pytest.raises(ParameterError, match=r"Type at least ρ.=.0\.2"):
        ws.use_limit(read_limit("ρ", "0.1"))
    assert ws.limit == read_limit("ρ", "0.3")
    ws.use_limit(read_limit("ρ", "0.2"))
    with pytest.raises(ParameterError, match=r"Type it as \(ε, δ\)"):
        ws.use_limit(read_limit("ε", "9"))


def test_a_limit_in_epsilon_and_delta_takes_every_noise_and_one_in_rho_does_not():
    ws = fresh("1", [{"tier": "a", "budget": "0.5", "as": "ε"}])
    ws.use_family("laplace")
    with pytest.raises(OverBudgetError, match="a has no loss in ρ-zCDP"):
        ws.draw("a")
    assert ws.sessions == []
    ws.use_limit(read_limit("(ε, δ)", "1, 1e-6"))
    ws.draw("a")
    ws.use_family("gaussian")
    ws.draw("a")
    assert float(ws.limit.cost(ws.made(ws.limit))) < 1
    ws.use_family("poisson")
    before = state(ws)
    with pytest.raises(OverBudgetError, match="is spent"):
        ws.draw("a")
    assert state(ws) == before


def topics(ws):
    """What a session of each structured topic on the same table is asked for, with its tiers."""
    stream = counting.of_query(ws, ws.statistic.query)
    for one in (counting.subject(ws, stream, counting.Branching()), asked(ws)):
        yield one.asking, one.tiers(ws)[0]
    shops = sparse.Subject(table=ws.table, query=ItemCounts("shop", WholeNumbers(0, 10**6)))
    items, _ = shops.tiers(ws, "1")
    yield shops.asking({t.name: t.threshold for t in items}), [t.planned for t in items]


def test_every_structured_topic_keeps_the_limit():
    rows = "".join(f"2025-01-{1 + n % 5:02d} 12:00,{n % 7}\n" for n in range(90))
    ws = fresh()
    ws.table = read_csv(f"when,shop\n{rows}".encode(), name="visits")
    days = Count(ByTime("when", "day", "2025-01-01", "2025-01-06"))
    ws.use(Statistic(ws.table, days, ""))
    most = Limit(definition="(ε, δ)-DP", budget=100, delta=1e-6)
    for asking, tiers in topics(ws):
        first = counted(most, ws.next_number, asking, tiers[0].budget)
        enough = float(most.cost([*ws.made(most), first])) * 1.001
        ws.use_limit(replace(most, budget=enough))
        before = state(ws)
        with pytest.raises(OverBudgetError, match="raise the limit on the page Releases"):
            ws.record(asking, tiers[-1])
        assert state(ws) == before
        assert ws.find(asking.key) is None  # no session was opened for it
        ws.record(asking, tiers[0])
    assert len(ws.sessions) == 3


def test_the_limit_of_the_owner_is_tightened_and_never_raised_or_lifted():
    ws = fresh()
    ws.bind(owner_limit("rho=0.3"))
    for limit in (None, read_limit("ρ", "0.4"), read_limit("ε", "0.1")):
        with pytest.raises(ParameterError, match=r"the owner of this dashboard set ρ.=.0\.3"):
            ws.use_limit(limit)
    assert ws.limit == read_limit("ρ", "0.3")
    ws.use_limit(read_limit("ρ", "0.15"))
    with pytest.raises(OverBudgetError):
        ws.draw("b")
    ws.use_limit(read_limit("ρ", "0.3"))
    ws.draw("b")


def test_every_workspace_of_a_dashboard_has_the_limit_of_its_owner(monkeypatch):
    assert state_of_visitors.opened().limit is None
    monkeypatch.setenv(OWNER, "epsilon=2,delta=1e-6")
    ws = state_of_visitors.opened()
    assert ws.limit == ws.owner == read_limit("(ε, δ)", "2, 1e-6")


@for_each(
    "text", ["0.5", "rho", "rho=", "rho=x", "rho=1,rho=2", "rho=1,epsilon=2", "delta=1e-6", "rho=0"]
)
def test_a_mistyped_limit_is_refused(text):
    with pytest.raises(ParameterError, match="Limit"):
        owner_limit(text)
    with pytest.raises(ParameterError, match="Limit: type it as ρ"):
        read_limit("±a 95 %", "3")


@pytest.mark.parametrize("family", ["poisson", "skellam"])
def test_a_limit_with_a_large_delta_takes_a_release_whose_epsilon_is_none_there(family):
    ws = Workspace.fresh()
    ws.use_family(family)
    ws.use_limit(read_limit("(ε, δ)", "2, 0.5"))
    assert ws.use_tiers([{"tier": "a", "budget": "40", "as": "±a 95 %"}]) == []
    ws.draw("a")
    (event,) = ws.made(ws.limit)
    assert event.budget > 0  # as it was stated, at the δ of the plan
    assert ws.limit.cost(ws.made(ws.limit)) == 0


# --- A limit that is a plan: what it registers, in any order, and nothing beside it ---


ROWS = b"id;ward;euros\n" + b"".join(
    b"%d;%s;%d\n" % (n, b"AB"[n % 2 : n % 2 + 1], n) for n in range(40)
)
WARDS = Count(ByColumn("ward", ("A", "B")), Bounds(person="id"))
EUROS = BoundedSum("euros", 0, 50, Everybody(), Bounds(person="id"), step=1.0)
PLAN = PlanFile(
    table="pay.csv",
    query=WARDS,
    tiers=tuple(Tier(name=n, amount=a, kind="ρ") for n, a in (("public", "0.1"), ("audit", "0.4"))),
    family_name="gaussian",
    mode="teaching",
    delta="1e-6",
    further=(FurtherStatistic(query=EUROS, budgets={"public": ("ρ", "0.05")}),),
)
COUNTS = "the number of people per group of “ward”"
SUM = "the sum of “euros”, each row at most 50"
PURE = replace(
    PLAN,
    tiers=tuple(replace(tier, kind="ε") for tier in PLAN.tiers),
    family_name="discrete_laplace",
    mode="hardened",
    further=(FurtherStatistic(query=EUROS, budgets={"public": ("ε", "0.05")}),),
)


def text(plan=PLAN):
    return written(plan).decode()


def tab(plan=PLAN, server=None, owner=None, rows=ROWS):
    """A tab with the plan in use on the table, and perhaps bound by it."""
    ws = Workspace.load(rows, name="pay.csv")
    if server is not None:
        ws.others = server
    if owner is not None:
        ws.bind(owner)
    plan_file.use(ws, plan)
    return ws


def drawn(ws):
    return [(e.session, e.tier, e.event.budget) for e in ws.ledger]


def pairs(ws):
    return [(s, name) for s in ws.statistics for name in ("public", "audit")]


@for_each("order", few([*itertools.permutations(range(4))], 5))
def test_all_that_is_registered_is_released_in_any_order_and_costs_what_the_plan_says(order):
    ws = tab(owner=PlanLimit(text()))
    asked = pairs(ws)
    for n in order:
        statistic, name = asked[n]
        ws.draw(name, statistic=statistic)
    assert len(ws.ledger) == 4
    assert account.joint(ws).value == 0.8  # the largest of each statistic: 0.4 + 0.4
    (total,) = ws.limit.totals.values()
    assert total.value == 0.8
    assert ws.said_of_limit(ws.table).replace(NO_BREAK, " ") == (
        "Limit for everything together: the 4 releases of its plan, each once, together ρ = 0.8. "
        "Released here: 4. Left: nothing."
    )
    before = drawn(ws)
    ws.draw("public")  # asked again, it is the same release
    assert drawn(ws) == before


NEAR = {
    "a budget 1.0001 times as large": (
        lambda ws: typed(ws, public="0.10001"),
        "at ρ = 0.10001",
    ),
    "a smaller budget": (
        lambda ws: typed(ws, public="0.09"),
        "the limit does not list the number of people per group of “ward” at ρ = 0.09",
    ),
    "the budget of the other statistic": (lambda ws: typed(ws, public="0.05"), "at ρ = 0.05"),
    "another statistic": (
        lambda ws: ws.state(Count(Everybody(), Bounds(person="id"))),
        "the limit does not list the number of people",
    ),
    "more of each person": (
        lambda ws: ws.state(
            Count(ByColumn("ward", ("A", "B")), Bounds(person="id", groups_per_person=2))
        ),
        "lists the number of people per group of “ward” with other groups or bounds",
    ),
    "other noise": (
        lambda ws: (
            ws.use_family("laplace")
            or ws.use_tiers(as_rows([Tier(name="public", amount="0.1", kind="ε")]))
        ),
        "with Gaussian noise, not with Laplace",
    ),
    "another mode": (lambda ws: ws.use_mode("hardened"), ""),
    "columns that are read in another way": (
        lambda ws: (
            setattr(ws, "table", ws.table.read_as({"ward": Reading(missing=("B",))})),
            ws.state(WARDS),
        ),
        f"the limit lists {COUNTS} of columns that are read in another way",
    ),
}


@for_each("change", NEAR.values())
def test_what_is_near_the_plan_is_refused_before_it_is_drawn(change):
    ws = tab(owner=PlanLimit(text()))
    change[0](ws)
    said = refusal(lambda: ws.draw("public"))
    assert said.startswith("public is not drawn, as the limit ")
    assert change[1] in said
    assert said.endswith(
        f"left on it: {COUNTS} at ρ = 0.1 or 0.4 and {SUM} at ρ = 0.05 or 0.4; ask for one of "
        "these, or ask the person who runs this dashboard for another plan"
    )
    assert (ws.ledger, ws.sessions) == ([], [])
    assert said in ws.beyond_limit().replace(NO_BREAK, " "), "the page says so beforehand"


def test_another_mode_and_a_structured_answer_are_not_registered():
    ws = tab(replace(PURE, mode="teaching"), owner=PlanLimit(text(PURE)))
    assert "in hardened mode, not in practice mode" in refusal(lambda: ws.draw("public"))
    ws.use_mode("hardened")
    ws.draw("public")
    one = top_k.Subject(source=top_k.Source(table=ws.table, query=WARDS), k=1, step=Fraction(1, 10))
    assert "is not drawn, as the limit does not list" in refusal(lambda: one.draw(ws))


def test_the_same_budget_twice_is_refused_and_its_session_goes_on_elsewhere():
    ws = tab(owner=PlanLimit(text()))
    ws.draw("public")
    ws.start_over()
    said = refusal(lambda: ws.draw("public"))
    assert "the limit lists the number of people per group of “ward” once" in said
    assert "left on it" in said
    ws.draw("public", statistic=ws.statistics[1])
    assert drawn(ws) == [(1, "public", Fraction(1, 10)), (2, "public", Fraction(1, 20))]


def test_a_tier_of_another_name_gets_the_same_release():
    ws = tab(owner=PlanLimit(text()))
    ws.draw("public")
    ws.add_tier(Tier(name="press", amount="0.1", kind="ρ"))
    held = ws.round.mechanism.held
    assert len(held) == 1
    assert ws.said_of_limit(ws.table).count("Released here: 1.") == 1


def test_other_tabs_use_up_the_plan_and_never_more_than_it():
    server, owner = Server(), PlanLimit(text(PURE))
    first = tab(PURE, server, owner)
    first.draw("audit")
    second = tab(PURE, server, owner)
    second.begin_second(second.table)
    second.draw("audit", statistic=second.statistics[1])
    said = refusal(lambda: second.draw("public"))
    assert "what else was released of these rows, here or in other tabs and projects" in said
    told = second.said_of_limit(second.table).replace(NO_BREAK, " ")
    assert f"Other tabs and projects have released ε = 0.4. Left: {SUM} at ε = 0.05." in told
    assert "nothing is left on it" in refusal(lambda: tab(PURE, server, owner).draw("public"))
    first.draw("public")  # of its own session, which has all of its entry
    events = second.elsewhere(second.table).events
    both = Filter([("pure", 0.4), ("pure", 0.4)], delta=1e-6)
    for event in events:
        both.ask("pure", event.budget)
    both.ask("pure", Fraction(2, 5))


def test_what_was_released_beyond_the_plan_leaves_nothing_of_it():
    server, owner = Server(), PlanLimit(text(PURE))
    first = tab(PURE, server)
    typed(first, public="0.41")
    first.draw("public")
    second = tab(PURE, server, owner)
    assert "nothing is left on it" in refusal(lambda: second.draw("public"))


def test_the_plan_of_the_owner_stays_and_a_loss_of_the_owner_holds_beside_a_plan():
    ws = tab(owner=PlanLimit(text()))
    for limit in (None, read_limit("ρ", "0.1"), PlanLimit(text(PURE))):
        with pytest.raises(ParameterError, match="lets out what a plan registers"):
            ws.use_limit(limit)
    ws.use_limit(PlanLimit(text()))
    other = tab(owner=owner_limit("rho=0.45"))
    other.use_limit(PlanLimit(text()))
    other.draw("audit")
    second = other.statistics[1]
    assert "the limit is ρ = 0.45" in refusal(lambda: other.draw("audit", statistic=second))
    assert "not list" in refusal(lambda: other.add_tier(Tier(name="x", amount="0.01", kind="ρ")))


def test_a_plan_below_what_was_released_is_refused():
    ws = tab()
    ws.draw("audit")
    ws.use_limit(PlanLimit(text()))
    ws.use_limit(None)
    ws.add_tier(Tier(name="x", amount="0.01", kind="ρ"))
    assert "x is not drawn" in refusal(lambda: ws.use_limit(PlanLimit(text())))
    assert ws.limit is None


def test_a_plan_of_other_noise_is_no_limit():
    poisson = replace(PURE, family_name="skellam", further=())
    with pytest.raises(ParameterError, match="Skellam noise promises neither a ρ nor an ε"):
        PlanLimit(text(poisson))


def test_a_plan_of_two_kinds_costs_what_the_ledger_composes():
    mixed = replace(
        PLAN,
        further=(
            FurtherStatistic(
                query=EUROS,
                budgets={"public": ("ε", "0.05"), "audit": ("ε", "0.2")},
                family_name="laplace",
            ),
        ),
    )
    limit = PlanLimit(text(mixed))
    ws = tab(mixed, owner=limit)
    for statistic, name in pairs(ws):
        ws.draw(name, statistic=statistic)
    (total,) = limit.totals.values()
    assert total.value == account.joint(ws).value
    assert total.definition == "(ε, δ)-DP"
    whole = Filter([("Gaussian", 0.4), ("pure", 0.2)], delta=1e-6).total.value
    assert total.value <= whole  # a filter knows no law of the noise


def test_a_project_keeps_the_plan(tmp_path):
    ws = tab(PURE)
    projects = Projects(tmp_path)
    projects.create("pay", ws)
    ws.use_limit(PlanLimit(text(PURE)))
    ws.draw("public")
    again = projects.open("pay")
    assert again.limit == PlanLimit(text(PURE))
    assert records.read(records.written(again.limit)) == again.limit
    again.bring(ws.table)
    assert "not list" in refusal(lambda: again.add_tier(Tier(name="x", amount="0.01", kind="ε")))
    again.draw("audit")
    again.bind(read_limit("ε", "5"))
    assert again.limit == read_limit("ε", "5")


def test_a_file_is_read_once_and_a_wrong_one_is_refused_with_a_sentence(tmp_path):
    file = tmp_path / "plan.json"
    file.write_bytes(written(replace(PLAN, seed=11)))
    limit = limit_in(str(file))
    assert limit == PlanLimit(text())
    assert "seed" not in json.loads(limit.text), "the seed takes noise off"
    assert standing(str(file)) == limit
    file.write_text("{}")
    assert standing(str(file)) == limit
    for content, said in (
        ("{}", "is not a plan of dpviz"),
        ("no", "is not a plan, because it cannot"),
    ):
        file.write_text(content)
        with pytest.raises(ParameterError, match=f"Limit: “plan.json”: This file {said}"):
            limit_in(str(file))
    with pytest.raises(ParameterError, match="there is no file"):
        limit_in(str(tmp_path / "none.json"))
    with pytest.raises(ParameterError, match=r"Limit: type rho=0\.5"):
        limit_in("half")
    assert limit_in(None) is None
