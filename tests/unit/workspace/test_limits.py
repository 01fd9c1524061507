"""The owner's limit: every act that draws keeps it, and what it refuses changes nothing."""

from dataclasses import replace
from fractions import Fraction

import pytest

from dpviz.accounting import Limit
from dpviz.data import read_csv
from dpviz.errors import OverBudgetError, ParameterError
from dpviz.linear.comparison import compare
from dpviz.linear.statistic import contribution_of
from dpviz.planning.amounts import Amount
from dpviz.planning.tiers import Tier
from dpviz.queries import ByTime, Count, ItemCounts, WholeNumbers
from dpviz.ui.kit import state as state_of_visitors
from dpviz.words import NO_BREAK
from dpviz.workspace import Statistic, account, counting, linear, sparse, top_k
from dpviz.workspace.limits import OWNER, counted, limit_words, owner_limit, read_limit
from dpviz.workspace.workspace import Workspace
from tests.conftest import for_each

ROWS = [{"tier": n, "budget": b, "as": "ρ"} for n, b in (("a", "0.1"), ("b", "0.2"), ("c", "0.4"))]


def fresh(limit=None, rows=ROWS):
    ws = Workspace.fresh()
    assert ws.use_tiers(rows) == []
    if limit:
        ws.use_limit(read_limit("ρ", limit))
    return ws


def state(ws):
    """Everything that an act may change."""
    drawn = [(s.number, s.mechanism.levels, s.mechanism.sealed_at) for s in ws.rounds]
    return ws.ledger.copy(), drawn, ws.plan.tiers, ws.plan.typed_rows, ws.limit


def test_tenths_of_two_statistics_fill_three_tenths():
    ws = fresh("0.3")
    ws.draw("a")
    ws.start_over()
    ws.draw("b")
    assert account.joint(ws).value == 0.3
    words = limit_words(ws.limit, ws.made(ws.limit)).replace(NO_BREAK, " ")
    assert words == "Limit for everything together: ρ = 0.3. Spent: ρ = 0.3. Left: ρ = 0."


ACTS = {
    "draw": lambda ws: ws.draw("c"),
    "draw the rest": lambda ws: ws.draw("a", "c"),
    "upgrade": lambda ws: ws.upgrade("a", "ρ", "0.35"),
    "add a tier": lambda ws: ws.add_tier(Tier(name="d", amount="0.31", kind="ρ")),
    "seal": lambda ws: ws.seal(ws.cap("c")),
}


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_every_act_on_a_statistic_keeps_the_limit_and_refused_changes_nothing(act):
    ws = fresh("0.3")
    ws.draw("b")
    before = state(ws)
    with pytest.raises(OverBudgetError) as refused:
        act(ws)
    assert state(ws) == before
    said = str(refused.value).replace(NO_BREAK, " ")
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
    query = ws.statistic.query
    stream = counting.subject(ws, counting.of_query(ws, query), counting.Branching())
    yield stream.asking, stream.tiers(ws)[0]
    statistic, query = linear.statistic_of(ws)
    asked = linear.totals(linear.of_query(query))
    contribution = contribution_of(query)
    found = compare(
        asked.workload, ws.family, "ρ", Amount(0.05), contribution=contribution, delta=ws.delta
    )
    asked_linear = linear.Subject(
        statistic=statistic,
        query=query,
        queries=asked,
        family=ws.family,
        factorization=found.best.factorization,
    )
    yield asked_linear.asking, asked_linear.tiers(ws)[0]
    shops = sparse.Subject(table=ws.table, query=ItemCounts("shop", WholeNumbers(0, 10**6)))
    items, _ = shops.tiers(ws, sparse.Wanted(allowed="1"))
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


def test_a_kind_that_is_no_limit_is_refused():
    with pytest.raises(ParameterError, match="Limit: type it as ρ"):
        read_limit("±a 95 %", "3")
    with pytest.raises(ParameterError, match="Limit"):
        read_limit("ρ", "x")


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
def test_a_mistyped_limit_of_the_owner_is_refused(text):
    with pytest.raises(ParameterError, match="Limit"):
        owner_limit(text)


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
