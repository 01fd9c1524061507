"""Write the projects of this version into tests/kept, with what a visitor was shown of them."""

import json
import shutil
import tempfile
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
    ByTime,
    ByTwoColumns,
    Count,
    Everybody,
)
from dpviz.workspace import Workspace
from dpviz.workspace.limits import read_limit
from dpviz.workspace.projects import Projects
from dpviz.workspace.projects.schema import FORMAT

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
READINGS = {"cost": Reading(kind="number", decimal=",", missing=("none",))}  # of the last query
WHOLE = [name for name, family in ADDITIVE.items() if family.integer]
LIMIT = read_limit("(ε, δ)", "99, 1e-3")
TIERS = [Tier(name=n, amount=f"0.{i}", kind="ε", note="≤ §") for i, n in enumerate("abc", start=1)]


def write(folder: Path) -> None:
    """Projects with every kind of record, and beside them what was shown."""
    ws = Workspace.load(ROWS, name=TABLE)
    ws.use_mode("hardened")
    ws.use_limit(LIMIT)
    assert not ws.use_tiers(as_rows(TIERS))
    for number, query in enumerate(QUERIES):
        if query is QUERIES[-1]:
            ws.table = ws.table.read_as(READINGS)
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
    with tempfile.TemporaryDirectory() as made:
        write(Path(made))
        shutil.copytree(made, HERE / f"format-{FORMAT}", dirs_exist_ok=True)
