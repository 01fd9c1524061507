"""What weakens a promise is said in the report: each thing that can, and nothing else."""

import datetime
from dataclasses import replace

from dpviz.data import read_csv
from dpviz.planning.tiers import Tier
from dpviz.queries import BoundedMean, ByColumn, Count
from dpviz.release import Provenance, today
from dpviz.workspace import packing
from dpviz.workspace.packing import caveats
from dpviz.workspace.sessions import Statistic
from dpviz.workspace.workspace import Workspace
from tests.visiting import plain

TABLE = read_csv(b"g,n\n" + b"a,41\n" * 20 + b"b,53\n" * 30, name="t.csv")
BY = ByColumn("g", ("a", "b"))
COUNT = Count(BY)


def hardened(query=COUNT):
    ws = Workspace.fresh()
    ws.table, ws.loading = TABLE, ""
    ws.use_mode("hardened")
    ws.use(Statistic(TABLE, query, ""))
    return ws


def names(ws):
    found = dict(caveats(ws))
    report = packing.report_of(ws, today())
    assert ("Nothing that would weaken" in report) == (not found)
    for name, sentence in found.items():
        assert f"<dt>{name}</dt>" in report
        assert sentence.endswith(".")
    return set(found)


def test_nothing_is_said_where_nothing_weakens():
    ws = hardened()
    assert names(ws) == set()
    ws.draw("public", "audit")
    assert names(ws) == set()


def test_practice_draws_and_means_are_named():
    ws = Workspace.fresh()
    assert names(ws) == {"Practice numbers"}
    assert str(ws.seed) not in dict(caveats(ws))["Practice numbers"]
    assert names(hardened(BoundedMean("n", 0, 100, BY))) == {"Weakly lossless"}


def test_what_was_read_off_or_looked_at_stays_said_once_it_was_drawn():
    ws = hardened()
    ws.seen.groups[(TABLE.digest, "g")] = ["a", "b"]
    ws.seen.tables.add(TABLE.digest)
    assert names(ws) == {"Read off the data", "Looked at"}
    assert "“g” was read off the data" in dict(caveats(ws))["Read off the data"]
    ws.draw("public")
    ws.seen.groups.clear()  # of another visit, say; the ledger keeps what it knew
    ws.seen.tables.clear()
    assert ws.ledger[0].known == Provenance(read_off=("g",), looked=True)
    assert names(ws) == {"Read off the data", "Looked at"}


def test_a_weak_promise_is_said_of_its_tier_and_that_it_was_meant():
    ws = hardened()
    assert ws.use_tiers([{"tier": "boss", "budget": "30", "as": "ε"}]) == []
    assert names(ws) == {"Weak promise to boss"}
    assert "confirmed" not in dict(caveats(ws))["Weak promise to boss"]
    ws.draw("boss", sure=True)
    said = dict(caveats(ws))["Weak promise to boss"]
    assert said.startswith("boss: a privacy loss this large promises little")
    assert said.endswith("confirmed that it is meant.")


def test_what_left_the_plan_is_still_in_the_report():
    ws = hardened()
    ws.draw("public")
    ws.upgrade("public", "ε", "0.9")
    ws.add_tier(Tier(name="guest", amount="0.7", kind="ε"))
    rows = [row for row in ws.plan.typed_rows if row["tier"] != "guest"]
    assert ws.use_tiers(rows) == []
    said = dict(caveats(ws))
    assert set(said) == {"Released before the plan changed"}
    for part in ("public (drawn at ε = 0.4473, before)", "guest (drawn at ρ", today().isoformat()):
        assert part in plain(said["Released before the plan changed"])


def test_other_versions_and_days_are_said():
    ws = hardened()
    ws.draw("public")
    then = datetime.date(2026, 1, 31)
    ws.ledger[0] = replace(ws.ledger[0], versions=(("dpviz", "0.0.9"),), drawn=then)
    assert names(ws) == {"Drawn with other versions"}
    assert dict(caveats(ws))["Drawn with other versions"] == "dpviz 0.0.9."
    assert "<td>2026-01-31</td>" in packing.report_of(ws, today())
