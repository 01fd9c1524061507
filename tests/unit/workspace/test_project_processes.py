"""Other processes on one project: what they were shown lasts through kill -9, and is drawn once.

The quick runs have a few draws; the full run has what the promise says: 200 draws killed ten times
over, and eight processes that draw at once, with the joint law of what they draw.
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
from dpviz.planning.tiers import MAX_TIERS
from dpviz.queries import ByColumn, Count
from dpviz.workspace.projects import Projects
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
)
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
    killed_again_and_again((tmp_path, tmp_path), 10, 200, "page")


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
