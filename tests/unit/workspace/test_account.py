"""What a workspace has spent, what its plan will cost, and what each statistic did cost."""

import pytest

from dpviz.data import read_csv
from dpviz.handout.post_processing import PROCESSINGS
from dpviz.queries import BoundedSum, ByColumn, Count
from dpviz.release import MultipleRelease
from dpviz.workspace import account, packing
from dpviz.workspace.sessions import Asking, Statistic
from dpviz.workspace.workspace import Workspace
from tests.cast import MOST, RHO, SUM
from tests.conftest import few

TABLE = read_csv(b"g,n\na,1\nb,2\nb,3\n", name="t.csv")
BY = ByColumn("g", ("a", "b"))


def values(pair):
    return [loss.value for loss in pair]


@pytest.mark.parametrize("drawn", few([["audit", "public"], ["public"], ["public", "partners"]], 2))
def test_what_is_drawn_of_the_plan_is_not_counted_twice(drawn):
    ws = Workspace.fresh()
    ws.draw(*drawn)
    assert values(account.with_plan(ws)) == pytest.approx([MOST, SUM])
    assert account.sessions_with_plan(ws) == 1


def test_the_plan_comes_on_top_of_earlier_sessions():
    ws = Workspace.fresh()
    ws.draw("audit")
    ws.start_over()
    assert account.sessions_with_plan(ws) == 2
    assert values(account.with_plan(ws)) == pytest.approx([RHO["audit"] + MOST, RHO["audit"] + SUM])
    ws.draw("public")
    assert account.sessions_with_plan(ws) == 2
    assert values(account.with_plan(ws)) == pytest.approx([RHO["audit"] + MOST, RHO["audit"] + SUM])
    assert account.joint(ws).value == pytest.approx(RHO["audit"] + RHO["public"])


def test_a_release_at_a_former_budget_stays_in_the_account():
    ws = Workspace.fresh()
    ws.draw("audit")
    ws.plan.upgrade("audit", "ρ", "0.25", ws.setting)
    joint, alone = account.with_plan(ws)
    assert joint.value == RHO["audit"]
    assert alone.value == pytest.approx(SUM + 0.25)


def test_equal_levels_are_one_release():
    ws = Workspace.fresh()
    ws.use_tiers([{"tier": n, "budget": "0.1", "as": "ρ"} for n in "ab"])
    assert values(account.with_plan(ws)) == [0.1, 0.1]


def test_each_statistic_has_its_own_loss():
    ws = Workspace.fresh()
    assert account.by_statistic(ws) == []
    counts = Statistic(TABLE, Count(BY), "")
    sums = Statistic(TABLE, BoundedSum("n", 0, 5, BY), "")
    for statistic, tiers in ((counts, ["public", "partners"]), (sums, ["research"])):
        ws.use(statistic)
        ws.draw(*tiers)
    ws.start_over()
    ws.draw("research")  # the sums again: both sessions count
    found = account.by_statistic(ws)
    assert [words for words, *_ in found] == [counts.query.statistic, sums.query.statistic]
    assert [names for _, _, names, _ in found] == [["public", "partners"], ["research"]]
    assert [loss.value for *_, loss in found] == pytest.approx(
        [RHO["partners"], 2 * RHO["research"]]
    )
    assert account.joint(ws).value == pytest.approx(RHO["partners"] + 2 * RHO["research"])


def test_a_tier_whose_noise_the_delta_of_the_plan_covers_is_left_out_with_the_reason():
    ws = Workspace.fresh()
    ws.use_family("skellam")
    ws.delta = 0.5
    tiers = [("a", "0.01, 1e-9", "(ε, δ)"), ("b", "1", "ε")]
    assert ws.use_tiers([{"tier": n, "budget": b, "as": k} for n, b, k in tiers]) == []
    found, left_out = account.at_plan(ws, ws.planned()[0])
    assert [(p.name, loss) for p, loss in found] == [("b", 1.0)]
    assert left_out == ["Left out: a, as the plan’s δ alone covers its noise."]


# Structured sessions stand in the same ledger, cost what they cost, and enter no pack.


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


def test_packs_hold_structured_releases_beside_the_others():
    ws = Workspace.fresh()
    draw(ws, "public")
    ws.draw("public")
    assert [r.session for r in packing.releases_of(ws, PROCESSINGS["released"])] == [1, 2]
