"""Structured sessions stand in the same ledger, cost what they cost, and enter no pack."""

import pytest

from dpviz.handout.post_processing import PROCESSINGS
from dpviz.release import MultipleRelease
from dpviz.workspace import account, packing
from dpviz.workspace.sessions import Asking
from dpviz.workspace.workspace import Workspace
from tests.cast import MOST, RHO

KEY = ("prefix sums", "a table")


def draw(ws, *names, key=KEY):
    planned = {p.name: p for p in ws.planned()[0]}

    def release(session, tier):
        session.release(tier.budget.level)
        return tier.budget.level

    asking = Asking(
        key=key,
        statistic="prefix sums",
        data="a table",
        family=ws.family,
        kind="lossless",
        mechanism=lambda rng: MultipleRelease([1.0, 2.0], ws.family, rng=rng),
        release=release,
        facts=lambda *_: (),
        values=lambda session, level: session.held[level],
        entries=lambda *_: ("first", "second"),
    )
    for name in names:
        ws.record(asking, planned[name])
    return ws.find(key)


def test_the_largest_of_a_session_counts_and_sessions_add():
    ws = Workspace.fresh()
    ws.draw("audit")
    draw(ws, "public", "research", "public")
    assert account.joint(ws).value == pytest.approx(RHO["audit"] + RHO["research"])
    assert account.independent(ws).value == pytest.approx(
        RHO["audit"] + RHO["research"] + RHO["public"]
    )
    assert [e.session for e in ws.ledger] == [1, 2, 2]
    assert [e.number for e in ws.ledger] == [1, 2, 3]
    words = [(names, loss.value) for _, _, names, loss in account.by_statistic(ws)]
    assert words == [(["audit"], RHO["audit"]), (["public", "research"], RHO["research"])]


def test_a_structured_session_first_leaves_its_number_to_it():
    ws = Workspace.fresh()
    draw(ws, "public")
    ws.draw("public")
    assert ws.round is not None
    assert [s.asking.plain is None for s in ws.sessions] == [True, False]
    assert ws.round.number == 2
    assert account.sessions_with_plan(ws) == 2
    assert account.with_plan(ws)[0].value == pytest.approx(MOST + RHO["public"])
    assert [e.tier for e in account.once(ws)] == ["public"]
    assert account.joint(ws).value == pytest.approx(2 * RHO["public"])


def test_another_key_or_mode_is_another_session():
    ws = Workspace.fresh()
    first = draw(ws, "public")
    assert draw(ws, "partners") is first
    assert draw(ws, "public", key="ranges") is not first
    first.closed = True
    again = draw(ws, "public")
    assert again.number == 3
    assert again.mechanism.release(5.0)[0] != first.mechanism.release(5.0)[0]


def test_the_ledger_says_what_a_draw_leaned_on():
    ws = Workspace.fresh()
    draw(ws, "public", "audit", "research")
    levels = {p.name: p.budget.level for p in ws.planned()[0]}
    leaned = [[n.level for n in e.neighbours] for e in ws.ledger]
    assert leaned == [[0.0], [0.0, levels["public"]], [levels["audit"], levels["public"]]]
    assert [sum(n.weight for n in e.neighbours) for e in ws.ledger] == pytest.approx([1, 1, 1])


def test_packs_hold_the_rounds_alone():
    ws = Workspace.fresh()
    draw(ws, "public")
    assert packing.releases_of(ws, PROCESSINGS["released"]) == []
    ws.draw("public")
    assert [r.session for r in packing.releases_of(ws, PROCESSINGS["released"])] == [2]
