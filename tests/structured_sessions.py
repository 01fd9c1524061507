"""Sessions of every structured kind on one small table, as pages ask for them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from dpviz.accounting.guarantees import guarantee_of
from dpviz.linear.comparison import compare
from dpviz.linear.contribution import contribution_of
from dpviz.local.bloom import Bloom
from dpviz.planning.amounts import Amount
from dpviz.queries import Bounds, ByTime, Count, ItemCounts, TextCounts, Words
from dpviz.top_k import UnknownDomain
from dpviz.workspace import Workspace, counting, linear, structured, top_k
from dpviz.workspace.local import rappor
from dpviz.workspace.sessions import Asking

TABLE = "trips.csv"
ROWS = "when,shop\n" + "".join(
    f"2025-01-{1 + n % 30:02d} 12:00,{'aabbbcdddd'[n % 10]}{'xy'[n % 20 // 10]}\n"
    for n in range(600)
)
EACH_ROW = Bounds(several_rows=False)
DAYS = Count(ByTime("when", "day", "2025-01-01", "2025-01-31"), EACH_ROW)
SHOPS = TextCounts("shop", EACH_ROW)
BLOOM = Bloom(bits=8, cohorts=4, key="spring")
TIERS = ("public", "partners", "research", "audit")


def workspace() -> Workspace:
    """A workspace in hardened mode with the table, that has released nothing."""
    ws = Workspace.load(ROWS.encode(), name=TABLE)
    ws.use_mode("hardened")
    ws.state(DAYS)
    return ws


@dataclass(frozen=True)
class Kind:
    """A kind of session: what it is asked for in a workspace, and the draws in their order."""

    asking: Callable[[Workspace], Asking]
    draws: tuple[Callable[[Workspace], Any], ...]


def counted(ws: Workspace) -> Any:
    """Running counts of the days."""
    return counting.subject(ws, counting.of_query(ws, DAYS), counting.Branching(3, False))


Asks = Callable[[linear.Numbers], linear.Queries]


def asked(ws: Workspace, of: Asks = linear.totals) -> Any:
    """Linear queries about the days, by the best factorization of whole numbers."""
    statistic, query = linear.statistic_of(ws)
    what = of(linear.of_query(query))
    found = compare(
        what.workload,
        ws.family,
        guarantee_of(ws.family).letter,
        Amount(Fraction(1, 2)),
        contribution=contribution_of(query),
        delta=ws.delta,
    )
    return linear.Subject(
        statistic=statistic,
        query=query,
        queries=what,
        family=ws.family,
        factorization=found.best.factorization,
    )


def typed(ws: Workspace) -> Any:
    """A typed matrix of linear queries."""
    rows = tuple(tuple(float(day % 7 == n) for day in range(30)) for n in range(7))
    return asked(ws, lambda of: linear.of_matrix(rows, of))


def listed(ws: Workspace, k: int = 2) -> top_k.Subject:
    """The most common shops."""
    return top_k.Subject(
        source=top_k.Source(table=ws.table, query=SHOPS),
        k=k,
        step=Fraction(3, 10),
        unknown=UnknownDomain(seen=20, log_delta=-14.0),
    )


def known(ws: Workspace, k: int = 2) -> top_k.Subject:
    """The busiest days, of which there is a public list."""
    return top_k.Subject(source=top_k.Source(table=ws.table, query=DAYS), k=k, step=Fraction(1, 3))


def of_items(ws: Workspace, k: int = 1) -> top_k.Subject:
    """The most common words of up to two letters."""
    items = ItemCounts("shop", Words(2))
    return top_k.Subject(
        source=top_k.Source(table=ws.table, query=items),
        k=k,
        step=Fraction(1),
        unknown=UnknownDomain(seen=9, log_delta=-14.0),
    )


def surveyed(ws: Workspace) -> rappor.Subject:
    """A survey of the shops."""
    query = TextCounts("shop", Bounds(relation="replace"))
    return rappor.Subject(table=ws.table, query=query, bloom=BLOOM, p=0.25, q=0.75)


def by_level(mechanism: Any, tier: Any) -> float:
    """Draw what a tier may have from a mechanism whose levels are those of the noise."""
    mechanism.release(tier.budget.level)
    return float(tier.budget.level)


def by_hand(
    family: Any, mechanism: Callable[[Any], Any], release: Any = by_level, **more: Any
) -> Asking:
    """A session of a mechanism that is on no page."""
    given = {
        **{"key": "by hand", "statistic": "numbers", "data": "a table", "kind": "lossless"},
        "facts": lambda *_: (),
        "values": lambda session, level: session.held[level],
        "entries": lambda *_: (),
    }
    return Asking(family=family, mechanism=mechanism, release=release, **given | more)


def of_tiers(make: Callable[[Workspace], Any]) -> Kind:
    """A kind whose tiers draw in any order."""

    def draw(name: str) -> Callable[[Workspace], None]:
        def act(ws: Workspace) -> None:
            of = make(ws)
            tier = next(t for t in of.tiers(ws)[0] if t.name == name)
            ws.record(of.asking, tier)

        return act

    return Kind(lambda ws: make(ws).asking, tuple(map(draw, ("research", "public", "audit"))))


def of_lists(make: Callable[..., top_k.Subject], *lengths: int) -> Kind:
    """A kind that draws one list, longer and longer."""
    return Kind(
        lambda ws: make(ws).asking(ws.family),
        tuple(lambda ws, k=k: make(ws, k).draw(ws) for k in lengths),  # type: ignore[misc]
    )


def on_list(ws: Workspace) -> top_k.Values:
    """The counts of a list, which is drawn for them if it is not yet."""
    of = replace(known(ws, 2), step=Fraction(2, 5))
    of.draw(ws)
    return of.values(ws)


KINDS = {
    "continual counting": of_tiers(counted),
    "linear queries": of_tiers(asked),
    "typed linear queries": of_tiers(typed),
    "list": of_lists(listed, 2, 4, 9),
    "known list": of_lists(known, 1, 3, 5),
    "list of items": of_lists(of_items, 1, 3, 5),
    "counts of a list": of_tiers(on_list),
}
SURVEY = Kind(
    lambda ws: surveyed(ws).asking(0.5, ws.family),
    tuple(lambda ws, f=f: surveyed(ws).draw(ws, f, sure=True) for f in (0.5, 0.75)),  # type: ignore[misc]
)


def shown(ws: Workspace) -> list[tuple[Any, ...]]:
    """What every tier may have, release by release, with all that its file says."""
    return [tuple(_facts(ws, entry)) for entry in ws.ledger]


def released(ws: Workspace) -> list[dict[str, Any]]:
    """Every release in numbers and keys that no version renames."""
    return [
        {
            "session": e.session,
            "tier": e.tier,
            "level": e.level,
            "budget": str(e.event.budget),
            "delta": e.event.delta,
            "drawn": e.drawn.isoformat(),
            "entries": list(one.entries),
            "values": one.values.tolist(),
        }
        for e in ws.ledger
        for one in [structured.release_of(ws, e)]
    ]


def _facts(ws: Workspace, entry: Any) -> Iterator[Any]:
    one = structured.release_of(ws, entry)
    yield from (entry.number, entry.session, entry.tier, entry.level, entry.drawn)
    yield from (one.values.tolist(), one.values.dtype.kind, one.entries, one.facts)
