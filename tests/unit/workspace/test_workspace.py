"""The workspace: drawing once, sessions that add, sealing, and acts of one workspace take turns."""

import datetime
import math
import re
import time
import zipfile
from functools import partial

import numpy as np
import pytest

from dpviz.data import read_csv
from dpviz.errors import DataError, OverBudgetError, ParameterError, SealedError, UnsureError
from dpviz.handout.post_processing import PROCESSINGS
from dpviz.planning.tiers import DEFAULT_TIERS, FIRST_PLAN, Tier, as_rows
from dpviz.queries import BoundedMean, BoundedSum, Bounds, ByColumn, Count
from dpviz.release import MultipleRelease
from dpviz.workspace import Workspace, account, gradual, packing
from dpviz.workspace.limits import read_limit
from dpviz.workspace.sessions import Statistic
from tests import structured_sessions
from tests.cast import MOST, RHO, SUM
from tests.conftest import few, for_each
from tests.project_workers import in_threads
from tests.serving import ROOT
from tests.unit.workspace.test_several import typed

NAMES = [t.name for t in DEFAULT_TIERS]
VISITS = read_csv(b"id,ward\n1,A\n1,B\n2,B\n3,A\n3,C\n", name="visits.csv")
WARDS = ByColumn("ward", ("A", "B"))
HALF = {"public": "0.002", "audit": "0.5"}

PUBLIC_BEFORE, AUDIT_BEFORE = (
    f"{tier} (drawn at ρ\u00a0=\u00a0{rho}, before)"
    for tier, rho in (("public", 0.1), ("audit", 0.4))
)


def numbers(ws: Workspace) -> dict[str, bytes]:
    return {t.name: t.values.tobytes() for t in ws.values_of_tiers if t.values is not None}


def test_another_definition_is_another_session_and_the_first_one_can_go_on():
    ws = Workspace.fresh()
    ws.draw("public")
    before, old = numbers(ws), ws.statistic
    ws.statistic = Statistic(VISITS, Count(WARDS), "read_csv('visits.csv')")
    assert numbers(ws) == {}
    ws.draw("audit")
    assert math.isclose(account.joint(ws).value, RHO["public"] + RHO["audit"])
    ws.statistic = old
    assert numbers(ws) == before
    ws.draw("partners")  # the same session goes on: its maximum counts
    assert math.isclose(account.joint(ws).value, RHO["partners"] + RHO["audit"])


@for_each(
    "other",
    [
        Count(ByColumn("ward", ("A", "B", "C"))),
        Count(ByColumn("ward", ("B", "A"))),
        Count(WARDS, Bounds("id")),
        Count(WARDS, Bounds("id", 2)),
    ],
)
def test_groups_person_and_bound_belong_to_the_definition(other):
    ws = Workspace.fresh()
    ws.statistic = Statistic(VISITS, Count(WARDS), "")
    ws.draw("public")
    ws.statistic = Statistic(VISITS, other, "")
    assert ws.round is None


def test_mixed_families_meet_in_epsilon_and_delta_and_cost_less_than_the_sum():
    ws = Workspace.fresh()
    ws.use_tiers([{"tier": n, "budget": b, "as": "ρ"} for n, b in HALF.items()])
    ws.draw("audit")
    ws.family_name = "laplace"
    ws.draw("audit")  # ρ = 0.5 means ε = 1
    loss = account.joint(ws)
    assert loss.definition == "(ε, δ)-DP"
    assert 5.758 < loss.value < 5.76 < 4.886554 + 1
    assert loss.delta == 1e-6
    assert loss.bound
    ws.start_over()
    ws.family_name = "poisson"
    assert all(each.bound for each in account.with_plan(ws))
    ws.draw("public")
    one, other, last = (e.definition for e in account.events(ws, ws.ledger))
    assert (one, other, last) == ("ρ-zCDP", "ε-DP", "(ε, δ)-DP")
    assert account.joint(ws).delta == 1e-6  # by the points of its curve, not one more δ
    assert [e.tier for e in account.once(ws)] == ["public"]


def test_a_released_loss_stays_as_it_was_stated_when_delta_changes():
    ws = Workspace.fresh()
    ws.family_name = "poisson"
    ws.use_tiers([{"tier": n, "budget": n, "as": "ε", "note": ""} for n in ("1", "3")])
    ws.draw("1", "3")
    before = account.joint(ws)
    assert (before.value, before.delta) == (3.0, 1e-6)
    ws.delta = 1e-30
    assert account.joint(ws) == before
    assert [float(e.event.budget) for e in account.once(ws)] == [1.0, 3.0]
    assert account.independent(ws).value == 4.0


def test_a_release_whose_tier_left_the_plan_stays_in_the_picture():
    ws = Workspace.fresh()
    ws.draw("public", "audit")
    rows = as_rows(DEFAULT_TIERS)
    rows[0]["tier"], rows[3]["budget"] = "folk", "0.35"
    style = ws.plan.style_of("public")
    assert ws.use_tiers(rows) == []
    assert [t.name for t in ws.held] == [PUBLIC_BEFORE, AUDIT_BEFORE]
    assert ws.held[0].style == style
    ws.draw("folk")
    assert [t.name for t in ws.held] == ["folk", AUDIT_BEFORE]
    assert [ws.plan.style_of(e.tier).slot > 0 for e in account.once(ws)] == [True, True]
    assert [t.name for t in ws.caps()][-1] == AUDIT_BEFORE
    ws.seal(ws.caps()[-1])
    assert ws.round.mechanism.sealed_at == ws.held[-1].level


def test_sealing_erases_and_makes_less_private_tiers_impossible():
    ws = Workspace.fresh()
    ws.draw("public")
    ws.seal(ws.cap("partners"))
    assert ws.round.mechanism.sealed_at is not None
    assert ws.waiting() == []
    assert ws.possible(ws.round.mechanism.sealed_at)
    with pytest.raises(SealedError):
        ws.draw("audit")
    ws.draw("partners")  # which holds its release
    assert [e.tier for e in ws.ledger] == ["public", "partners"]


def test_a_tier_above_a_held_less_private_one_cannot_be_the_seal():
    ws = Workspace.fresh()
    ws.draw("audit")
    assert [t.name for t in ws.caps()] == ["audit"]
    with pytest.raises(ParameterError, match="cannot be the seal"):
        ws.seal(ws.values_of_tiers[0])
    assert [e.tier for e in ws.ledger] == ["audit"]


def test_an_upgrade_draws_another_level_and_leaves_every_other_release():
    ws = Workspace.fresh()
    ws.draw("audit", "public")
    before = {t.level: t.values.tobytes() for t in ws.held}
    ws.upgrade("public", "ρ", "0.15")
    after = {t.level: t.values.tobytes() for t in ws.held}
    assert len(after) == 3
    assert after.items() >= before.items()
    assert [t.name for t in ws.held] == [PUBLIC_BEFORE, "public", "audit"]
    ws.add_tier(Tier(name="auditors", amount="1", kind="ρ"))
    assert len(ws.held) == 4
    assert {t.level: t.values.tobytes() for t in ws.held}.items() >= after.items()
    assert account.joint(ws).value == 1.0  # the maximum, not the sum


def test_hardened_mode_offers_whole_number_noise_alone_and_needs_no_seed():
    ws = Workspace.fresh()
    ws.use_mode("hardened")
    assert ws.offered == ["discrete_laplace", "poisson", "skellam"]
    assert ws.family_name in ws.offered
    for query in (BoundedSum("id", 0, 5, WARDS), BoundedMean("id", 0, 5, WARDS)):
        ws.use(Statistic(VISITS, query, ""))
        ws.draw("public", "audit")
        assert all(t.values.dtype == np.int64 for t in ws.held)
        assert ws.round.mechanism.mode == "hardened"
    ws.use_mode("teaching")
    assert ws.round is None


# What a visitor does, done by a script: the example runs, without the dashboard.


DOCUMENT = (ROOT / "docs" / "SCRIPT.md").read_text(encoding="utf-8")


(EXAMPLE,) = re.findall(r"```python\n(.*?)```", DOCUMENT, flags=re.DOTALL)


ROWS = b"ward,n\nA,1\nB,2\nA,3\n"


def test_a_script_of_twenty_lines_does_what_a_visitor_does(tmp_path, monkeypatch, capsys):
    assert len([line for line in EXAMPLE.splitlines() if line]) <= 20
    monkeypatch.chdir(tmp_path)
    made = {}
    exec(EXAMPLE, made)
    assert capsys.readouterr().out.startswith(f"ρ-zCDP: {MOST} together, not {SUM + 0.15}")
    ws = made["ws"]
    assert [e.tier for e in ws.ledger] == ["research", "public", "audit", "partners", "council"]
    assert ws.round.mechanism.sealed_at == ws.held[-1].level
    assert packing.check(ws, (tmp_path / "pack.zip").read_bytes()) == ()
    names = {name.split("/")[0] for name in zipfile.ZipFile(tmp_path / "pack.zip").namelist()}
    assert len(names) >= 5
    assert "council" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_workspace_is_loaded_from_what_a_table_is_read_from(tmp_path):
    file = tmp_path / "rows.csv"
    file.write_bytes(ROWS)
    ws = Workspace.load(file)
    assert (ws.table.name, ws.loading) == ("rows.csv", "read_table('rows.csv')")
    assert ws.exact().tolist() == [3]
    ws.state(Count(ByColumn("ward", ("A", "B"))))
    assert ws.exact().tolist() == [2, 1]
    assert len(ws.statistics) == 1
    with pytest.raises(DataError):
        Workspace.load(b"")


# Two presses at once: acts of one workspace take turns, so that one session is opened and kept.


THREADS = 8
DAY = datetime.date(2026, 11, 1)


def at_once(*acts):
    """Run acts in threads that all begin together; what each of them raised or returned."""

    def tried(act):
        try:
            return act()
        except ParameterError as error:
            return error

    return in_threads(*(partial(tried, act) for act in acts))


@pytest.fixture
def slow(monkeypatch):
    """An exact answer that takes long enough for every other thread to come between."""
    real = Count.values

    def values(self, table):
        time.sleep(0.05)
        return real(self, table)

    monkeypatch.setattr(Count, "values", values)


def pressed(ws, name):
    return lambda: ws.draw(name)


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize("mode", ["teaching", "hardened"])
def test_presses_at_once_open_one_session_with_one_number(mode):
    ws = Workspace.fresh()
    ws.use_mode(mode)
    at_once(*(pressed(ws, NAMES[i % len(NAMES)]) for i in range(THREADS)))
    assert [r.number for r in ws.rounds] == [1]
    assert sorted(e.tier for e in ws.ledger) == sorted(NAMES)
    assert sorted(e.number for e in ws.ledger) == [1, 2, 3, 4]
    screen = {t.name: t.values for t in ws.values_of_tiers}
    files = {r.tier: r.values for r in packing.releases_of(ws, PROCESSINGS["released"])}
    for name in NAMES:
        np.testing.assert_array_equal(screen[name], files[name])
    session = ws.rounds[0].mechanism
    assert set(session.levels) == {e.level for e in ws.ledger}
    one = max(float(e.event.budget) for e in ws.ledger)
    assert account.joint(ws).value == one
    ws.seal(ws.caps()[-1])
    assert all(r.mechanism.sealed_at is not None for r in ws.rounds)


@pytest.mark.usefixtures("slow")
def test_draws_upgrades_additions_and_a_seal_at_once_leave_one_sealed_session():
    ws = Workspace.fresh()
    ws.draw("audit")
    cap = ws.caps()[-1]
    found = at_once(
        *(pressed(ws, name) for name in NAMES),
        lambda: ws.upgrade("public", "ρ", "0.15"),
        lambda: ws.add_tier(Tier(name="court", amount="0.25", kind="ρ")),
        lambda: ws.seal(cap),
        lambda: ws.upgrade("public", "ρ", "0.15"),
    )
    assert found == [None] * len(found)
    assert len(ws.rounds) == 1
    assert ws.rounds[0].mechanism.sealed_at == cap.level
    asked = [(e.tier, e.level) for e in ws.ledger]
    assert len(asked) == len(set(asked))
    assert [t.amount for t in ws.plan.tiers if t.name == "public"] == ["0.15"]


@pytest.mark.usefixtures("slow")
def test_start_over_beside_draws_leaves_every_release_in_the_session_of_its_entry():
    ws = Workspace.fresh()
    at_once(*(pressed(ws, name) for name in NAMES), ws.start_over, ws.start_over)
    numbers = [r.number for r in ws.rounds]
    assert len(numbers) == len(set(numbers))
    for one in ws.rounds:
        assert set(one.mechanism.levels) == {e.level for e in ws.entries_of(one)}


def test_presses_at_once_release_a_made_up_value_once():
    one = gradual.OneValue(gradual.EXAMPLES[0], "hardened", 7)
    found = at_once(*(lambda e=e: one.release(e) for e in (0.5, 1.0) * (THREADS // 2)))
    assert set(found) == set(one.released.values())
    assert sorted(one.released) == [0.5, 1.0]


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize("kind", few(structured_sessions.KINDS, 2))
def test_structured_sessions_are_opened_once_too_and_share_the_numbers(kind):
    ws, alone = structured_sessions.workspace(), structured_sessions.workspace()
    draws = structured_sessions.KINDS[kind].draws
    for draw in draws:
        draw(alone)
    at_once(*(partial(draw, ws) for draw in 2 * draws), *2 * (pressed(ws, "public"),))
    assert [s.number for s in ws.sessions] == [n + 1 for n in range(len(alone.sessions) + 1)]
    asked = [(e.session, e.tier, e.level) for e in ws.ledger]
    assert len(asked) == len(set(asked))
    assert sorted(e.number for e in ws.ledger) == [n + 1 for n in range(len(asked))]
    if kind != "list":  # of which a longer one may come first, and hold the others
        assert {tier for _, tier, _ in asked} >= {e.tier for e in alone.ledger}
    assert structured_sessions.shown(ws), "every entry has its numbers"


def test_looking_draws_nothing(monkeypatch):
    """Every property that a page reads while it renders, with a session that refuses to draw."""
    ws = Workspace.fresh()
    ws.draw("public", "audit")
    ws.upgrade("public", "ρ", "0.15")

    def release(*_):
        raise AssertionError("a look has drawn")

    monkeypatch.setattr(MultipleRelease, "release", release)
    assert len(ws.held) == 3
    assert [t.values is None for t in ws.values_of_tiers].count(False) == 2
    assert ws.known_of_tiers
    assert ws.caps()
    assert packing.releases_of(ws, PROCESSINGS["released"])


@pytest.mark.parametrize("amount", ["0.35", DEFAULT_TIERS[0].amount])
def test_a_smaller_budget_is_no_upgrade(amount):
    ws = Workspace.fresh()
    ws.draw("audit", "public")
    before = list(ws.ledger)
    with pytest.raises(ParameterError, match="takes back nothing"):
        ws.upgrade("audit", "ρ", amount)
    assert ws.plan.tiers == FIRST_PLAN
    assert ws.ledger == before


def test_what_a_tier_holds_counts_and_not_a_smaller_plan():
    ws = Workspace.fresh()
    ws.draw("audit")
    typed(ws, audit="0.25")
    known = {p.name: p.budget.loss for p in ws.known()}
    assert known == RHO
    with pytest.raises(ParameterError, match="that it has"):
        ws.upgrade("audit", "ρ", "0.35")
    report = packing.report_of(ws, DAY)
    assert f"ρ = {RHO['audit']}" in report.replace("\u00a0", " ")
    assert "ρ = 0.25" not in report.replace("\u00a0", " ")


@pytest.mark.parametrize("upgraded", [False, True])
def test_what_was_refused_is_nothing_that_a_tier_has(upgraded):
    """A plan of ε = 4 that the limit refuses was never drawn: a smaller budget takes nothing."""
    ws = Workspace.fresh()
    ws.use_limit(read_limit("ρ", "0.5"))
    if upgraded:
        ws.draw("audit")
    else:
        typed(ws, audit="4")
    with pytest.raises(OverBudgetError, match="asks for"):
        ws.upgrade("audit", "ρ", "4") if upgraded else ws.draw("audit")
    held = ws.most_held("audit")
    assert (None if held is None else held.loss) == (RHO["audit"] if upgraded else None)
    ws.upgrade("audit", "ρ", "0.45")
    assert ws.most_held("audit").loss == 0.45


def test_a_refused_upgrade_of_a_sealed_session_changes_nothing():
    ws = Workspace.fresh()
    ws.draw("public")
    ws.seal(ws.cap("partners"))
    plan, ledger = ws.plan.tiers, list(ws.ledger)
    styles, edition = dict(ws.plan.styles), ws.plan.edition
    with pytest.raises(ParameterError, match="sealed at a noisier level"):
        ws.upgrade("public", "ρ", "5", sure=True)
    with pytest.raises(ParameterError, match="sealed at a noisier level"):
        ws.add_tier(Tier(name="court", amount="0.35", kind="ρ"))
    with pytest.raises(ParameterError, match="sealed at a noisier level"):
        ws.draw("public", "research")
    assert (ws.plan.tiers, ws.plan.styles, ws.plan.edition) == (plan, styles, edition)
    assert ws.ledger == ledger
    assert "ρ = 5" not in packing.report_of(ws, DAY).replace("\u00a0", " ")


def test_a_seal_at_a_budget_that_has_changed_since_draws_nothing():
    ws = Workspace.fresh()
    ws.draw("public")
    cap = ws.cap("partners")
    typed(ws, partners="0.25")
    with pytest.raises(ParameterError, match="has changed since"):
        ws.seal(cap)
    assert [e.tier for e in ws.ledger] == ["public"]
    assert ws.round.mechanism.sealed_at is None


def test_a_first_draw_that_is_refused_opens_no_session(monkeypatch):
    ws = Workspace.fresh()

    def release(*_):
        raise ParameterError("out of reach")

    with monkeypatch.context() as patched:
        patched.setattr(MultipleRelease, "release", release)
        with pytest.raises(ParameterError):
            ws.draw("public")
    assert (ws.rounds, ws.ledger, ws.next_number) == ([], [], 1)


def test_a_budget_that_promises_next_to_nothing_needs_a_tick():
    ws = Workspace.fresh()
    tier = Tier(name="court", amount="20", kind="ρ")
    with pytest.raises(UnsureError, match="public: a privacy loss this large promises little"):
        ws.upgrade("public", "ρ", "20")
    with pytest.raises(UnsureError, match="Pass sure=True to draw it, or type a smaller budget"):
        ws.add_tier(tier)
    assert ws.ledger == []
    ws.add_tier(tier, sure=True)
    assert [e.tier for e in ws.ledger] == ["court"]
    ws.draw("court")  # it is held: asking again draws nothing
    ws.start_over()
    with pytest.raises(UnsureError):
        ws.draw("audit", "court")
    assert len(ws.ledger) == 1, "nothing of an act that is refused is drawn"
    (cap,) = [t for t in ws.caps() if t.name == "court"]
    with pytest.raises(UnsureError):
        ws.seal(cap)
    ws.draw("audit", "court", sure=True)
    assert [e.tier for e in ws.ledger] == ["court", "audit", "court"]
