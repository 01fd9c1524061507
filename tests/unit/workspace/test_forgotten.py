"""What a seal and a new beginning leave of the exact numbers: nothing, in no tab that has drawn.

The search is shown to find them before, and in twins that keep them.
"""

import numpy as np
import pytest

from dpviz.planning.tiers import Tier, as_rows
from dpviz.queries import ByColumn, Count
from dpviz.workspace.projects import Projects, project
from dpviz.workspace.projects.database import Database
from tests import structured_sessions
from tests.conftest import few
from tests.project_workers import workspace
from tests.reaching import numbers_in

NAMES = tuple(f"ward {n}" for n in range(30))
EXACT = np.array([7 + n * n % 31 for n in range(30)])
ROWS = ("ward\n" + "".join(f"{w}\n" * n for w, n in zip(NAMES, EXACT, strict=True))).encode()
TIERS = as_rows(
    [Tier(name="public", amount="0.1", kind="ε"), Tier(name="audit", amount="0.2", kind="ε")]
)
PROJECT = "wards"


@pytest.fixture
def place(tmp_path):
    return tmp_path / "kept"


@pytest.fixture
def ws(place):
    """A tab on a project that has drawn, so that it has the exact numbers."""
    made = workspace(ROWS, Count(ByColumn("ward", NAMES)))
    assert made.use_tiers(TIERS) == []
    Projects(place).create(PROJECT, made)
    made.draw("public")
    made.draw("audit")
    return made


def other_tab(place, ws):
    tab = Projects(place).open(PROJECT)
    tab.bring(ws.table)
    tab.upgrade("audit", "ε", "0.25")
    return tab


def found(held):
    """The exact numbers among all that a project, or a session, holds in this process."""
    numbers = numbers_in(held, EXACT.size, but=(Database,))
    return [each for each in numbers if (each == EXACT).sum() > EXACT.size // 2]


def kept_by(ws):
    """The arrays in which a project keeps exact numbers for a tab."""
    return [*ws.keeper._exact.values()]


ENDS = {"a seal": lambda ws: ws.seal(ws.caps()[-1]), "a new beginning": lambda ws: ws.start_over()}


def test_a_tab_that_draws_has_them(ws):
    assert [each.tolist() for each in kept_by(ws)] == [EXACT.tolist()]
    assert len(found(ws.keeper)) == 1


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
def test_they_are_overwritten_and_forgotten_in_every_tab(end, place, ws):
    tab = other_tab(place, ws)
    mine, theirs = kept_by(ws), kept_by(tab)
    assert len(mine) == len(theirs) == 1
    ws.catch_up()
    end(ws)
    tab.catch_up()
    for each in (ws, tab):
        assert kept_by(each) == []
        assert found(each.keeper) == []
        assert all(found(one.mechanism) == [] for one in each.sessions)
    for exact in (*mine, *theirs):
        assert not exact.any(), "somebody who had kept the array reads zeros"


@pytest.mark.parametrize("end", few(ENDS.values(), 2), ids=few(ENDS, 2))
def test_a_project_that_overwrites_nothing_is_found_out(end, ws, monkeypatch):
    monkeypatch.setattr(project, "_erase", lambda _: None)
    (exact,) = kept_by(ws)
    end(ws)
    assert exact.any()


def test_a_project_that_keeps_them_after_a_seal_is_found_out(ws):
    class Keeps(dict):
        def pop(self, key, default=None):
            return self.get(key, default)

    exact = EXACT.copy()
    ws.keeper._exact = Keeps({1: lambda: exact})  # within a function, so that it is not overwritten
    ws.seal(ws.caps()[-1])
    assert found(ws.keeper)


def test_a_workspace_without_a_project_forgets_them_too():
    ws = workspace(ROWS, Count(ByColumn("ward", NAMES)))
    assert ws.use_tiers(TIERS) == []
    ws.draw("public")
    mechanism, exact = ws.round.mechanism, ws.round.mechanism._exact
    assert len(found(mechanism)) == 1
    ws.seal(ws.caps()[-1])
    assert found(ws.round.mechanism) == found(mechanism) == []
    assert not exact.any()


SEALED = ("continual counting", "linear queries", "typed linear queries", "counts of a list")


@pytest.mark.parametrize("kind", few(SEALED, 2))
def test_structured_sessions_forget_them_too(kind, place):
    of = structured_sessions.KINDS[kind]
    ws = structured_sessions.workspace()
    Projects(place).create(PROJECT, ws)
    of.draws[0](ws)
    of.draws[1](ws)
    one = ws.sessions[-1]
    exact = ws.keeper._exact[one.number]
    was = np.array(exact, dtype=float).ravel()
    assert was.any()
    ws.seal_session(one, min(ws.levels_of(one)))
    assert one.number not in ws.keeper._exact
    assert not exact.any()
    mechanism = ws.sessions[-1].mechanism
    drawn = [np.ravel(x) for x in getattr(mechanism, "held", {}).values()]  # may hit both of two
    for held in (ws.keeper, mechanism):
        numbers = numbers_in(held, was.size, but=(Database,))
        mine = [x for x in numbers if not any(np.array_equal(x, each) for each in drawn)]
        assert not [each for each in mine if (each == was).mean() > 0.9]
