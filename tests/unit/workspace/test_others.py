"""What others have released of the same rows: the owner's limit counts it, nobody hears more."""

import gc
import threading
import types
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from fractions import Fraction

import numpy as np
import pytest

from dpviz.accounting import ReleaseEvent
from dpviz.data import SAMPLES, Table, load, rows_mark, texts_mark
from dpviz.errors import OverBudgetError, SecondLedgerError
from dpviz.planning.tiers import Tier, as_rows
from dpviz.words import NO_BREAK
from dpviz.workspace import Workspace
from dpviz.workspace.limits import limit_words, owner_limit
from dpviz.workspace.others import Server
from dpviz.workspace.projects import Projects
from tests import structured_sessions
from tests.conftest import few, full_run
from tests.project_workers import ROWS, WARDS
from tests.unit.workspace.test_project_tables import ALIKE, OTHER, SAME

OWNER = owner_limit("epsilon=0.5")
TIERS = as_rows(
    [Tier(name=n, amount=a, kind="ε") for n, a in (("public", "0.1"), ("audit", "0.4"))]
)


def tab(server, rows=ROWS, mode="teaching", owner=OWNER):
    """A tab that was opened just now, with an uploaded table."""
    ws = Workspace.load(rows, name="visits.csv")
    ws.others = server
    ws.bind(owner)
    ws.use_mode(mode)
    ws.use_family("discrete_laplace")
    ws.state(WARDS)
    assert ws.use_tiers(TIERS) == []
    return ws


def spent(ws, owner=OWNER):
    return owner.cost(ws.elsewhere(ws.table, owner).events)


def test_a_reload_does_not_refresh_the_limit():
    server = Server()
    first = tab(server)
    first.draw("audit")
    first.close()  # the tab is gone, and what it released is not
    second = tab(server)
    with pytest.raises(OverBudgetError) as refused:
        second.draw("audit")
    said = str(refused.value).replace(NO_BREAK, " ")
    assert said == (
        "audit asks for ε = 0.4, but the limit is ε = 0.5 for everything that was released of "
        "these rows, in whatever tab or project: ε = 0.4 is spent and ε = 0.1 is left; give it a "
        "budget of at most ε = 0.1, or ask the person who runs this dashboard for a larger limit"
    )
    assert (second.ledger, second.sessions) == ([], [])
    second.draw("public")
    with pytest.raises(OverBudgetError):
        tab(server).draw("public")


def test_within_a_session_only_the_largest_budget_counts_for_others_too():
    server = Server()
    first = tab(server)
    first.draw("audit", "public")
    first.draw("public")
    assert spent(tab(server)) == Fraction(2, 5)
    first.start_over()
    first.draw("public")
    assert spent(tab(server)) == Fraction(1, 2)
    assert spent(first) == 0
    with pytest.raises(OverBudgetError):
        tab(server).draw("public")


@pytest.mark.parametrize("how", few({**ALIKE, **SAME}, 4))
def test_the_limit_knows_the_rows_in_another_file(how):
    server = Server()
    tab(server).draw("audit")
    with pytest.raises(OverBudgetError):
        tab(server, {**ALIKE, **SAME}[how]).draw("audit")


@pytest.mark.parametrize("how", few(OTHER, 3))
def test_other_rows_have_a_limit_of_their_own_and_say_nothing_of_these(how):
    """No mark can tell that a table is nearly the same: docs/PROMISES.md says so."""
    server = Server()
    tab(server).draw("audit")
    other = tab(server, OTHER[how])
    assert other.elsewhere(other.table).events == []
    other.draw("audit")


def test_what_a_tab_releases_counts_there_whatever_table_it_has():
    server = Server()
    ws = tab(server)
    ws.draw("audit")
    ws.bring(tab(server, OTHER["a row more"]).table)
    ws.state(WARDS)
    with pytest.raises(OverBudgetError, match="for everything together"):
        ws.draw("audit")


def test_ready_samples_are_public_and_a_reload_begins_again():
    server = Server()
    for _ in range(2):
        ws = Workspace.fresh()
        ws.others = server
        ws.bind(OWNER)
        ws.use_family("laplace")
        assert ws.use_tiers(TIERS) == []
        ws.draw("audit")
        with pytest.raises(OverBudgetError):
            ws.start_over() or ws.draw("audit")
    assert server._made == {}


@pytest.fixture
def looking(monkeypatch):
    """Let eight threads look at what others have released before one of them draws, if they can."""

    def begin(patience):
        all_looked, look = threading.Barrier(8), Server.found

        def looks(*asked):
            seen = look(*asked)
            with suppress(threading.BrokenBarrierError):  # they take turns, so nobody else comes
                all_looked.wait(patience)
            return seen

        monkeypatch.setattr(Server, "found", looks)

    return begin


def drawn_at_once(many, **about):
    """How many of these tabs draw ε = 0.1 of the same rows, if all ask at once."""
    server = Server()
    tabs = [tab(server, **about) for _ in range(many)]

    def draw(ws):
        with suppress(OverBudgetError, SecondLedgerError):
            ws.draw("public")
        return len(ws.ledger)

    with ThreadPoolExecutor(many) as threads:
        return sum(threads.map(draw, tabs))


FOUR_TENTHS = owner_limit("epsilon=0.4")


def test_threads_cannot_both_spend_what_is_left_and_of_two_first_draws_one_is_asked(looking):
    looking(0.5)
    assert drawn_at_once(8, owner=FOUR_TENTHS) == 4
    assert drawn_at_once(2, owner=None, mode="hardened") == 1


@full_run
def test_without_turns_they_would(looking, monkeypatch):
    looking(60)
    monkeypatch.setattr(Server, "turn", lambda *_: nullcontext())
    assert drawn_at_once(8, owner=FOUR_TENTHS) == 8


def test_a_long_draw_of_other_rows_keeps_nobody_waiting():
    server = Server()
    one, other = tab(server), tab(server, OTHER["a row more"])
    with server.turn(one.table), ThreadPoolExecutor(1) as thread:
        thread.submit(other.draw, "public").result(60)
    assert len(other.ledger) == 1


def kept(folder):
    """A server that was started just now, with its projects."""
    projects = Projects(folder)
    return projects, Server(projects.holding)


def test_with_projects_the_limit_is_kept_for_good(tmp_path):
    projects, server = kept(tmp_path)
    first = tab(server, mode="hardened")
    first.draw("audit")
    projects.create("visits", first)
    assert spent(tab(server)) == Fraction(2, 5)  # once, and not in the tab and in the project
    for rows in (ROWS, SAME["rows in another order"]):
        _, later = kept(tmp_path)
        fresh = tab(later, rows)
        assert spent(fresh) == Fraction(2, 5)
        with pytest.raises(OverBudgetError, match="in whatever tab or project"):
            fresh.draw("audit")
    assert projects.open("visits").made(OWNER) == first.made(OWNER)


def test_a_tab_on_a_project_counts_what_other_tabs_released(tmp_path):
    projects, server = kept(tmp_path)
    first = tab(server, mode="hardened")
    projects.create("visits", first)
    first.draw("public")
    tab(server).draw("audit")
    for ws in (first, projects.open("visits")):
        ws.others, ws.owner = server, OWNER
        if ws is not first:
            ws.bring(first.table)
            ws.catch_up()
        assert spent(ws) == Fraction(2, 5)
        with pytest.raises(OverBudgetError, match="in whatever tab or project"):
            ws.upgrade("public", "ε", "0.2")


def test_hardened_mode_asks_before_it_begins_a_second_ledger(tmp_path):
    projects, server = kept(tmp_path)
    first = tab(server, mode="hardened", owner=None)
    first.draw("public")
    second = tab(server, SAME["columns and rows"], mode="hardened", owner=None)
    for _ in range(2):
        with pytest.raises(SecondLedgerError, match="Begin a second ledger"):
            second.draw("public")
        assert (second.ledger, second.sessions) == ([], [])
    second.begin_second(second.table)
    second.draw("public")
    first.draw("audit")  # who has the first one is asked nothing
    projects.create("visits", first)
    third = tab(kept(tmp_path)[1], mode="hardened", owner=None)
    with pytest.raises(SecondLedgerError):
        third.draw("public")
    third.use_mode("teaching")
    third.draw("public")
    tab(server, OTHER["a letter"], mode="hardened", owner=None).draw("public")


@pytest.mark.parametrize("kind", few([*structured_sessions.KINDS, "survey"], 5))
def test_structured_draws_are_counted_like_all_others(kind):
    kinds = structured_sessions.KINDS | {"survey": structured_sessions.SURVEY}
    server, owner = Server(), owner_limit("epsilon=90, delta=1e-3")
    first, second = structured_sessions.workspace(), structured_sessions.workspace()
    for ws in (first, second):
        ws.others = server
        ws.bind(owner)
    for draw in kinds[kind].draws:
        draw(first)
        assert spent(second, owner) == owner.cost(first.made(owner)) > 0
    assert spent(first, owner) == 0
    with pytest.raises(SecondLedgerError):
        kinds[kind].draws[0](second)
    assert second.sessions == []


def noisy(ws):
    """With Gaussian noise; at δ = 1e-6 the second tier has ε = 4.31 by itself."""
    tiers = [Tier(name=n, amount=a, kind="ρ") for n, a in (("public", "0.02"), ("audit", "0.4"))]
    ws.use_family("gaussian")
    assert ws.use_tiers(as_rows(tiers)) == []
    return ws


def test_a_limit_in_epsilon_and_delta_adds_curves_of_all_tabs():
    server, owner = Server(), owner_limit("epsilon=4.35, delta=1e-6")
    for _ in range(2):
        noisy(tab(server, owner=owner)).draw("public")
    ws = noisy(tab(server, owner=owner))
    events = ws.elsewhere(ws.table, owner).events
    assert len({event.session for event in events}) == 2
    one, two = owner.cost(events[:1]), owner.cost(events)
    assert one < two < 2 * one
    with pytest.raises(OverBudgetError, match="in whatever tab"):
        ws.draw("audit")


def test_the_sentence_about_the_limit_says_what_others_have_spent():
    server = Server()
    tab(server).draw("public")
    ws = tab(server)
    ws.draw("public")
    said = limit_words(OWNER, ws.made(OWNER), ws.elsewhere(ws.table, OWNER).events)
    assert said.replace(NO_BREAK, " ") == (
        "Limit for everything released of these rows: ε = 0.5. Spent: ε = 0.2, of which other tabs "
        "and projects ε = 0.1. Left: ε = 0.3."
    )


def test_a_server_keeps_budgets_under_marks_and_nothing_else():
    server = Server()
    ws = tab(server, mode="hardened")
    ws.draw("public", "audit")
    marks = [*server._made]
    assert [len(mark) for mark in marks] == [64]
    assert not {*marks} & {ws.table.digest, rows_mark(ws.table), texts_mark(ws.table)}
    held = things_in(server)
    events = [thing for thing in held if isinstance(thing, ReleaseEvent)]
    assert len(events) == 1
    assert not [thing for thing in held if isinstance(thing, np.ndarray | Table | Workspace)]
    texts = {thing for thing in held if isinstance(thing, str)}
    assert texts == {*marks, *(event.definition for event in events)}


def things_in(server):
    """All that a server holds, but for classes, modules and functions."""
    skipped = type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType
    found, left = {}, [server._made, *(getattr(server, n) for n in ("_secret", "_turns"))]
    while left:
        thing = left.pop()
        if id(thing) not in found and not isinstance(thing, skipped):
            found[id(thing)] = thing
            left += gc.get_referents(thing)
            left += [*thing] if isinstance(thing, dict) else []  # texts that are keys
    return [*found.values()]


def test_a_server_that_has_counted_enough_refuses_to_guess():
    server = Server(most=2)
    for rows in (ROWS, OTHER["a letter"]):
        tab(server, rows).draw("public")
    with pytest.raises(OverBudgetError, match="keeps in mind"):
        tab(server, OTHER["a row more"]).draw("public")
    sample = load(SAMPLES["load_sample()"])
    server.check_room(sample)
    without = tab(server, OTHER["a row more"], owner=None)
    without.draw("public")  # no limit needs the count, so the oldest is forgotten
    assert len(server._made) == 2
    assert tab(server, owner=None).elsewhere(tab(server).table).events == []


def test_the_same_tab_forgets_nothing_that_others_count():
    server = Server()
    ws = tab(server)
    ws.draw("public")
    ws.forget()
    assert spent(ws) == Fraction(1, 10)
