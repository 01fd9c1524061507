"""A practice session draws what it drew when it was recorded: numbers, neighbours and budgets.

`tests/kept/practice.json` holds a session of every family and of every structured kind. Whole
numbers are the same everywhere; others agree to 1e-9, as processors round differently.
After a change of the draws that is meant: `python -m tests.unit.workspace.test_replay`.
"""

import json
from pathlib import Path

import pytest

from dpviz.workspace import Workspace
from dpviz.workspace.sessions import families_in
from tests import structured_sessions
from tests.conftest import for_each

RECORDED = Path(__file__).parents[2] / "kept" / "practice.json"
FAMILIES = families_in("teaching")
STRUCTURED = "structured"


def practice() -> Workspace:
    """A workspace in practice mode, with the seed that every visitor begins with."""
    ws = Workspace.load(structured_sessions.ROWS.encode(), name=structured_sessions.TABLE)
    ws.tab = 1
    ws.state(structured_sessions.DAYS)
    return ws


def of_family(name: str) -> dict[str, object]:
    """What four tiers get, drawn in an order that needs bridges, and their lines of the ledger."""
    ws = practice()
    ws.use_family(name)
    names = [planned.tier.name for planned in ws.planned()[0]]
    for tier in names[1::2] + names[::2]:
        ws.draw(tier)
    (session,) = ws.sessions
    return {
        "held": [[level, values.tolist()] for level, values in session.mechanism.held.items()],
        "ledger": [
            [e.tier, e.level, float(e.budget.exact), e.budget.delta, e.kind]
            + [[n.level, n.weight] for n in e.neighbours]
            for e in ws.ledger
        ],
    }


def of_structured() -> list[dict[str, object]]:
    """What every structured kind gives in its order of draws."""
    ws = practice()
    for kind in (*structured_sessions.KINDS.values(), structured_sessions.SURVEY):
        for draw in kind.draws:
            draw(ws)
    found = structured_sessions.released(ws)
    return [{key: value for key, value in one.items() if key != "drawn"} for one in found]


@for_each("name", [*FAMILIES, STRUCTURED])
def test_a_session_is_drawn_as_it_was_recorded(name):
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))[name]
    now = of_structured() if name == STRUCTURED else of_family(name)
    same(json.loads(json.dumps(now)), recorded)


def same(now: object, recorded: object) -> None:
    """Fail unless both are equal, but for the last digits of what is not whole."""
    if isinstance(recorded, dict):
        assert isinstance(now, dict)
        assert now.keys() == recorded.keys()
        for key in recorded:
            same(now[key], recorded[key])
    elif isinstance(recorded, list):
        assert isinstance(now, list)
        assert len(now) == len(recorded)
        for one, other in zip(now, recorded, strict=True):
            same(one, other)
    else:
        assert now == (
            pytest.approx(recorded, rel=1e-9) if isinstance(recorded, float) else recorded
        )


if __name__ == "__main__":
    everything = {name: of_family(name) for name in FAMILIES} | {STRUCTURED: of_structured()}
    lines = (f"{json.dumps(name)}: {json.dumps(made)}" for name, made in everything.items())
    RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
