"""Other processes on one project: what they were shown lasts through kill -9, and is drawn once.

The quick runs have a few draws; the full run has what the promise says: 200 draws killed ten times
over, and eight processes that draw at once, with the joint law of what they draw. Of the exact
numbers a seal and a new beginning leave nothing, in no tab that has drawn.
"""

import json
import random
import signal
import subprocess
import sys
from itertools import permutations

import numpy as np
import pytest

from dpviz.noise import FAMILIES
from dpviz.planning.tiers import MAX_TIERS, Tier, as_rows
from dpviz.queries import ByColumn, Count
from dpviz.workspace.projects import Projects, project
from dpviz.workspace.projects.database import Database
from tests import structured_sessions
from tests.conftest import FULL, few, full_run
from tests.project_workers import (
    NAMES,
    PROJECT,
    at_once,
    begun,
    draw_all,
    opened,
    shown,
    structured_at_once,
    workspace,
)
from tests.reaching import numbers_in
from tests.serving import ROOT
from tests.statistical import broken_promises

PROCESSES = 8 if FULL else 4
ORDERS = [list(order) for order in permutations(NAMES)]
MANY = 60_000  # groups with nobody in them: as many draws of the noise


def told(lines):
    """Every release that a process told of, the lines that were cut off left out."""
    found = {}
    for line in lines:
        if line.endswith(b"\n"):
            said = json.loads(line)
            if "released" in said:  # by `dpviz release --json`
                said = {said["level"].hex(): said["released"]["value"]}
            for level, values in said.items():
                assert found.setdefault(level, values) == values, "shown twice, in two ways"
    return found


def started(places, most, by):
    asked = [sys.executable, "-m", "tests.project_workers", *map(str, places), str(most), by]
    return subprocess.Popen(asked, cwd=ROOT, stdout=subprocess.PIPE)


@pytest.mark.parametrize(("kills", "draws"), [(10, 200)] if FULL else [(1, 12)])
def test_after_kill_9_all_that_was_shown_is_there(places, kills, draws):
    """Killed after a random number of lines and a random time, so anywhere between two of them."""
    begun(places)
    killed_again_and_again(places, kills, draws, "library")


@full_run
def test_kill_9_of_a_page_loses_nothing(tmp_path):
    """The same where a press on the page Releases draws."""
    begun((tmp_path, tmp_path))
    killed_again_and_again((tmp_path, tmp_path), 10, 60, "page")


@full_run
def test_kill_9_of_commands_loses_nothing(tmp_path):
    """The same where `dpviz release` draws: a plan has at most 100 tiers, so in two projects."""
    for place in (tmp_path / "one", tmp_path / "two"):
        begun((place, place), many=MAX_TIERS)
        killed_again_and_again((place, place), 5, MAX_TIERS, "command")


@full_run
def test_kill_9_of_structured_draws_loses_nothing(places):
    """Each line told all that was on screen; after each kill all of the last one is there."""
    projects = Projects(places[0], keys=places[1])
    projects.create(PROJECT, structured_sessions.workspace())
    chance, seen = random.Random(7), []
    for _ in range(12):
        with started(places, 3, "structured") as process:
            lines = [process.stdout.readline() for _ in range(chance.randint(1, 8))]
            try:
                process.wait(timeout=chance.random() * 0.1)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
            told_last = [x for x in (*lines, *process.stdout) if x.endswith(b"\n")][-1]
        told_last = json.loads(told_last)
        there = structured_sessions.released(projects.open(PROJECT))
        assert told_last[: len(seen)] == seen
        assert there[: len(told_last)] == told_last
        seen = there
    with started(places, 3, "structured") as process:
        process.communicate()
    final = projects.open(PROJECT)
    assert structured_sessions.released(final)[: len(seen)] == seen
    assert len(final.ledger) == 3 * len(structured_sessions.KINDS) + 1
    assert len(final.sessions) == len(structured_sessions.KINDS) + 1


@full_run
def test_processes_that_draw_structured_sessions_at_once_draw_each_release_once(places, tmp_path):
    projects = Projects(places[0], keys=places[1])
    projects.create(PROJECT, structured_sessions.workspace())
    found = at_once(4, structured_at_once, *((places, str(tmp_path / f"{n}")) for n in range(4)))
    final = structured_sessions.released(projects.open(PROJECT))
    assert len(final) == 3 * len(structured_sessions.KINDS) + 1
    assert all(each == final[: len(each)] for each in found)


def killed_again_and_again(places, kills, draws, by):
    """Kill a process that draws, and look each time at what is there."""
    chance, seen = random.Random(7), {}
    for number in range(1, kills + 1):
        with started(places, draws, by) as process:
            lines = [process.stdout.readline() for _ in range(chance.randint(1, draws // kills))]
            try:
                process.wait(timeout=chance.random() * 0.05)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
            for level, values in told([*filter(None, lines), *process.stdout]).items():
                assert seen.setdefault(level, values) == values, "shown twice, in two ways"
        found = opened(places, rows=None)
        there = shown(found)
        assert {level: there[level] for level in seen} == seen, f"after kill {number}"
        assert len(found.ledger) == len(there), "each has its entry"
        assert set(found.round.mechanism.levels) == {e.level for e in found.ledger}
    assert len(seen) >= kills
    if FULL:
        with started(places, draws, by) as process:  # it goes on where it was
            seen |= told(process.stdout)
        assert shown(opened(places, rows=None)) == seen
        assert len(seen) == draws


@pytest.mark.parametrize("same", few([False, True], 2))
def test_processes_at_once_draw_one_release_each(places, same):
    begun(places)
    orders = [NAMES] * PROCESSES if same else ORDERS[:: len(ORDERS) // PROCESSES]
    found = at_once(PROCESSES, draw_all, *((places, list(order)) for order in orders))
    final = opened(places, rows=None)
    assert sorted(e.tier for e in final.ledger) == sorted(NAMES)
    assert len(final.sessions) == 1
    for seen, ledger in found:
        assert seen == shown(final)
        assert ledger == [(e.number, e.tier, e.level.hex()) for e in final.ledger]


@full_run
def test_the_joint_law_of_what_eight_processes_draw_at_once(places):
    """In whatever order they came, from the one record of all draws: 60,000 groups of nobody."""
    rows = b"id,ward\n1,A\n"
    begun(places, query=Count(ByColumn("ward", tuple(f"ward {i}" for i in range(MANY)))), rows=rows)
    orders = ORDERS[:: len(ORDERS) // PROCESSES]
    at_once(PROCESSES, draw_all, *((places, order, rows) for order in orders))
    one = opened(places, rows=None).round.mechanism
    noise = np.array([one.held[level] for level in one.levels])
    assert len(one.levels) == len(NAMES)
    assert broken_promises(FAMILIES["discrete_laplace"], one.levels, noise) == []
    noise[1] = noise[1][::-1]  # as if it had been drawn by itself
    assert broken_promises(FAMILIES["discrete_laplace"], one.levels, noise)


# What a seal and a new beginning leave of the exact numbers: nothing, in no tab that has drawn.


STREETS = tuple(f"ward {n}" for n in range(30))
EXACT = np.array([7 + n * n % 31 for n in range(30)])
ROWS = ("ward\n" + "".join(f"{w}\n" * n for w, n in zip(STREETS, EXACT, strict=True))).encode()
TIERS = as_rows(
    [Tier(name="public", amount="0.1", kind="ε"), Tier(name="audit", amount="0.2", kind="ε")]
)


@pytest.fixture
def ws(tmp_path):
    """A tab on a project that has drawn, so that it has the exact numbers."""
    made = workspace(ROWS, Count(ByColumn("ward", STREETS)))
    assert made.use_tiers(TIERS) == []
    Projects(tmp_path).create(PROJECT, made)
    made.draw("public", "audit")
    return made


def found(held):
    """The exact numbers among all that a project, or a session, holds in this process."""
    numbers = numbers_in(held, EXACT.size, but=(Database,))
    return [each for each in numbers if (each == EXACT).sum() > EXACT.size // 2]


def kept_by(ws):
    """The arrays in which a project keeps exact numbers for a tab."""
    return [*ws.keeper._exact.values()]


ENDS = {"a seal": lambda ws: ws.seal(ws.caps()[-1]), "a new beginning": lambda ws: ws.start_over()}


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
def test_they_are_overwritten_and_forgotten_in_every_tab(end, tmp_path, ws):
    tab = opened((tmp_path, tmp_path), ROWS)
    tab.upgrade("audit", "ε", "0.25")
    mine, theirs = kept_by(ws), kept_by(tab)
    assert [each.tolist() for each in (*mine, *theirs)] == 2 * [EXACT.tolist()]
    assert len(found(ws.keeper)) == 1, "a tab that draws has them"
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
    ws = workspace(ROWS, Count(ByColumn("ward", STREETS)))
    assert ws.use_tiers(TIERS) == []
    ws.draw("public")
    mechanism, exact = ws.round.mechanism, ws.round.mechanism._exact
    assert len(found(mechanism)) == 1
    ws.seal(ws.caps()[-1])
    assert found(ws.round.mechanism) == found(mechanism) == []
    assert not exact.any()


SEALED = ("continual counting", "linear queries", "typed linear queries", "counts of a list")


@pytest.mark.parametrize("kind", few(SEALED, 2))
def test_structured_sessions_forget_them_too(kind, tmp_path):
    of = structured_sessions.KINDS[kind]
    ws = structured_sessions.workspace()
    Projects(tmp_path).create(PROJECT, ws)
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
