"""Write the projects of this version into tests/kept, with what a visitor was shown of them."""

import json
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from dpviz.data import Reading
from dpviz.noise import ADDITIVE
from dpviz.planning.tiers import Tier, as_rows
from dpviz.queries import (
    BoundedMean,
    BoundedSum,
    Bounds,
    ByBins,
    ByColumn,
    ByCycle,
    ByThreeColumns,
    ByTime,
    ByTwoColumns,
    Count,
    Everybody,
    Query,
)
from dpviz.workspace import Workspace
from dpviz.workspace.limits import read_limit
from dpviz.workspace.projects import Projects
from tests import structured_sessions

HERE = Path(__file__).parent
NAME, TABLE = "visits 2026", "visits.csv"
ROWS = b"""id,ward,sex,age,cost,day
1,A,f,30,10.5,2026-01-06
1,B,f,30,70,2026-01-07
2,B,m,61,3.3,2026-01-13
3,A,f,8,none,2026-01-14
NA,A,m,45,20,2026-01-08
"""
WARDS, SEXES = ByColumn("ward", ("A", "B")), ByColumn("sex", ("f", "m"))
PEOPLE = Bounds(person="id", groups_per_person=2, relation="replace")
QUERIES = (  # one of each kind of query, split and bounds
    Count(WARDS, PEOPLE, total=True),
    Count(ByTwoColumns(WARDS, SEXES)),
    Count(ByBins("age", (0, 18, 65.5))),
    Count(ByTime("day", "week", "2026-01-05", "2026-01-19")),
    BoundedSum("cost", 0, 50, Everybody(), Bounds(person="id", rows_per_group=3)),
    BoundedMean("cost", 0, 50, WARDS, step=0.25),
)
CALLED = ByColumn("ward", ("A", "B"), names=("north", "south"))
SHUFFLED = Bounds(person="id", groups_per_person=2, salt="spring 2026")
LATER = (  # kinds that joined format 1 later, in a folder of their own
    Count(ByThreeColumns(CALLED, SEXES, ByColumn("age", ("30", "61", "8"))), SHUFFLED),
    Count(ByCycle("day", "weekday")),
    Count(ByTime("day", "quarter", "2026-01-01", "2026-07-01")),
    BoundedMean("cost", 0, 50, CALLED, step=0.25),
)
KEPT = {"format-1": QUERIES, "format-1-groups": LATER}
STRUCTURED = "format-1-structured"  # sessions of every structured kind, which joined later still
READINGS = {"cost": Reading(kind="number", decimal=",", missing=("none",))}  # of the last query
PERSONS = {"id": Reading(missing=("NA",))}  # of the first one
WHOLE = [name for name, family in ADDITIVE.items() if family.integer]
LIMIT = read_limit("(ε, δ)", "99, 1e-3")
TIERS = [Tier(name=n, amount=f"0.{i}", kind="ε", note="≤ §") for i, n in enumerate("abc", start=1)]


def write(folder: Path, queries: Sequence[Query]) -> None:
    """Projects with every kind of record, and beside them what was shown."""
    ws = Workspace.load(ROWS, name=TABLE)
    ws.use_mode("hardened")
    ws.use_limit(LIMIT)
    assert not ws.use_tiers(as_rows(TIERS))
    for number, query in enumerate(queries):
        ws.table = ws.table.loaded or ws.table
        if number in (0, len(queries) - 1):
            ws.table = ws.table.read_as(READINGS if number else PERSONS)
        ws.use_family(WHOLE[number % len(WHOLE)])
        ws.state(query)
        ws.draw("b", "a")
        if number == 1:
            ws.seen.tables.add(ws.table.digest)
            ws.start_over()
        if number == 2:
            ws.seal(ws.cap("b"))
    Projects(folder).create(NAME, ws)
    assert ws.statistic.table.readings
    ws.draw("c")
    text = json.dumps(shown(ws), ensure_ascii=False, indent=1)
    (folder / "shown.json").write_text(text + "\n", encoding="utf-8")


def write_structured(folder: Path) -> None:
    """A project with two draws of every structured kind, and beside it what was shown."""
    ws = structured_sessions.workspace()
    Projects(folder).create(NAME, ws)
    for kind in (*structured_sessions.KINDS.values(), structured_sessions.SURVEY):
        for draw in kind.draws[:2]:
            draw(ws)
    text = json.dumps(structured_sessions.released(ws), ensure_ascii=False, indent=1)
    (folder / "shown.json").write_text(text + "\n", encoding="utf-8")


def shown(ws: Workspace) -> dict[str, object]:
    """What a visitor sees of sessions and ledger, in numbers and keys that no version renames."""
    sessions = [
        {
            "family": s.asking.family.name,
            "closed": s.closed,
            "sealed": s.mechanism.sealed_at,
            "held": {repr(level): v.tolist() for level, v in s.mechanism.held.items()},
        }
        for s in ws.sessions
    ]
    ledger = [
        {
            "session": e.session,
            "tier": e.tier,
            "level": e.level,
            "budget": str(e.budget.exact),
            "delta": e.budget.delta,
            "kind": e.kind,
            "neighbours": [(n.level, n.weight) for n in e.neighbours],
            "looked": e.known.looked,
            "drawn": e.drawn.isoformat(),
        }
        for e in ws.ledger
    ]
    return {"sessions": sessions, "ledger": ledger}


if __name__ == "__main__":
    for name in (*KEPT, STRUCTURED):
        if not (HERE / name).exists():  # the earlier ones stay as they were written
            with tempfile.TemporaryDirectory() as made:
                if name in KEPT:
                    write(Path(made), KEPT[name])
                else:
                    write_structured(Path(made))
                shutil.copytree(made, HERE / name)
