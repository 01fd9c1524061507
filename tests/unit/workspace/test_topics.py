"""A script does what the pages of the topics do: ask in any order, hand out the files."""

import csv
import io

import pytest

from tests.conftest import for_each
from tests.unit.test_architecture import PERSONAL, TOPICS

SCRIPT = """
from fractions import Fraction
from pathlib import Path

from dpviz import streams
from dpviz.data import read_csv
from dpviz.handout import tier_csv
from dpviz.linear.comparison import compare
from dpviz.linear.statistic import contribution_of
from dpviz.local import Trust, read_edges
from dpviz.planning.amounts import Amount
from dpviz.planning.tiers import DEFAULT_TIERS, as_rows
from dpviz.queries import Bounds, ByTime, Count, ItemCounts, TextCounts, WholeNumbers
from dpviz.top_k import UnknownDomain
from dpviz.workspace import Statistic, Workspace, counting, gradual, sparse, structured
from dpviz.workspace import linear
from dpviz.workspace.local.social_network import Circle
from dpviz.workspace.local import data_market
from dpviz.workspace.packing import file_name
from dpviz.workspace import top_k

rows = "".join(f"2025-01-{1 + n % 30:02d} 12:00,{n % 7}\\n" for n in range(900))
ws = Workspace.fresh()
assert not ws.use_tiers(
    [row | {"tier": row["tier"].replace("audit", "audit office")} for row in as_rows(DEFAULT_TIERS)]
)
ws.table = read_csv(f"when,shop\\n{rows}".encode(), name="visits")
days = Count(ByTime("when", "day", "2025-01-01", "2025-01-31"))
ws.use(Statistic(ws.table, days, "read_table('visits.csv')"))

stream = counting.subject(ws, counting.of_query(ws, days), counting.Branching())

statistic, query = linear.statistic_of(ws)
asked = linear.totals(linear.of_query(query))
found = compare(asked.workload, ws.family, "ρ", Amount(Fraction("0.05")),
                contribution=contribution_of(query), delta=ws.delta)
linear = linear.Subject(statistic=statistic, query=query, queries=asked, family=ws.family,
                         factorization=found.best.factorization)

shops = sparse.Subject(table=ws.table, query=ItemCounts("shop", WholeNumbers(0, 10**6)))
items, problems = shops.tiers(ws, sparse.Wanted(allowed="1"))
assert problems == []

counted = top_k.Source(table=ws.table, query=TextCounts("shop", Bounds()))
listed = top_k.Subject(source=counted, k=3, step=Fraction(1),
                       unknown=UnknownDomain(seen=20, log_delta=-14))
assert listed.draw(ws).items == listed.draw(ws).items == listed.ranking(ws).items
common = listed.values(ws)

town = read_edges("Maria,Ana\\nAna,Bo\\nBo,Cem")
circle = Circle(town, "Maria", 142, sensitivity=20, trust=Trust((4, 2)),
                rng=streams.teaching(ws.seed))
assert [ring.members for ring in circle.rings] == [("Ana",), ("Bo",)]
assert circle.unanswered == 1
assert circle.coalition(["Ana", "Bo", "Cem"]).together.added.value == 6
assert circle.coalition(["Cem"]) is None
assert circle.join("Zoe", "Ana", 3).draw.how == "bridge"

for name, asking, tiers in (
    ("counting", stream.asking, stream.tiers(ws)[0]),
    ("linear", linear.asking, linear.tiers(ws)[0]),
    ("sparse", shops.asking({t.name: t.threshold for t in items}), [t.planned for t in items]),
    ("top_k", common.asking, common.tiers(ws)[0]),
):
    assert structured.held_tiers(ws, asking, tiers) == []
    for place in (2, 0, 3, 0):
        ws.record(asking, tiers[place])
    for held, entry in structured.held_tiers(ws, asking, tiers):
        file = tier_csv(structured.release_of(ws, entry))
        Path(folder, file_name(ws, entry)).write_bytes(file)

assert [e.session for e in ws.ledger] == [1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5]

stall = data_market.Stall.example()
stall.sell("insurer", Fraction(3, 2))
assert stall.market.best("insurer") is stall.market.number(stall.ledger.sales[-1])
assert (stall.ledger.revenue, stall.loss) == (Fraction(82, 5), Fraction(3, 2))
stall.start_over(stall.owner, stall.ledger.terms, mode=ws.mode)
stall.arrive()
assert stall.loss == stall.before + stall.ledger.loss
pulse = gradual.OneValue(gradual.EXAMPLES[0], ws.mode, ws.seed)
pulse.serve(0.05, 4.0)
low, high = pulse.rests(0.5)
assert pulse.number(0.5) == pulse.number((low + high) / 2) == pulse.number(high)
first = pulse.release(0.5)
law = pulse.law(2.0)
found = gradual.pieces(law, pulse.reading.value, first)
assert abs(found.stays + found.between + found.opposite + found.beyond - 1) < 1e-12
assert pulse.turn(2.0) == gradual.RELAXED and pulse.turn(0.1) == gradual.TIGHTENED
again = [pulse.release(e) for e in (2.0, 0.5, 0.1, 1.0)]
assert again[1] == first and list(pulse.released) == [0.5, 2.0, 0.1, 1.0]
"""
FIRST = {"counting": "2025-01-01", "linear": "up to day 2025-01-01", "sparse": "0", "top_k": "2"}
KINDS = dict.fromkeys(FIRST, "lossless") | {"sparse": "weakly lossless"}
NAMED = {
    "counting": "running-count-number-of-people-per-day-of-when",
    "linear": "running-totals-of-number-of-people-per-day-of-when",
    "sparse": "number-of-people-per-item-of-shop",
    "top_k": "counts-of-the-most-common-items-by-number-of-people-per-text-of-shop",
}
HEAD = (
    *("practice", "tier", "statistic", "data", "definition", "budget", "unit"),
    *("neighbours", "bounds"),
)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """What the script wrote, by name."""
    folder = tmp_path_factory.mktemp("files")
    exec(SCRIPT, {"folder": folder})
    return {f.name: f.read_bytes().decode("utf-8-sig") for f in folder.iterdir()}


def test_every_topic_is_scripted():
    assert set(FIRST) == set(KINDS) == TOPICS - PERSONAL, (
        "ask each topic in SCRIPT, and say here what comes"
    )


def test_each_tier_that_asked_has_a_file_of_each_topic(files):
    tiers = ("public", "research", "audit-office")
    assert set(files) == {f"practice-{t}-{NAMED[topic]}.csv" for topic in FIRST for t in tiers}


@for_each("topic", FIRST)
def test_a_file_holds_the_numbers_and_what_they_are(files, topic):
    name = f"practice-audit-office-{NAMED[topic]}.csv"
    top, table = files[name].split("\r\n\r\n", 1)
    rows = list(csv.DictReader(io.StringIO(table)))
    assert rows[0]["entry"] == FIRST[topic]
    assert all(float(row["value"]) == float(row["value"]) for row in rows)
    facts = [line.removeprefix("# ").split(",")[0] for line in top.split("\r\n")]
    assert tuple(facts[: len(HEAD)]) == HEAD
    assert f"# kind,{KINDS[topic]}:" in top.replace('"', "")
    assert "seed," not in top
