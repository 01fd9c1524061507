"""A project: what was shown is there, once, for every tab; on SQLite, and in the full run on a real
Postgres server as well.
"""

from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
import sqlalchemy as sa

from dpviz.data import Reading, read_csv
from dpviz.errors import OverBudgetError, ParameterError, SealedError
from dpviz.planning.tiers import Tier, as_rows
from dpviz.queries import BoundedSum, ByColumn, Count, Everybody
from dpviz.release import Provenance
from dpviz.workspace import account, packing
from dpviz.workspace.limits import read_limit
from dpviz.workspace.projects.absent import drawable
from dpviz.workspace.reading_check import counted
from dpviz.workspace.sessions import NOT_KEPT
from tests.conftest import few
from tests.project_workers import NAMES, PROJECT, ROWS, WARDS, in_threads, opened, shown, workspace

MORE = b"id,ward\n1,A\n2,B\n3,A\n4,B\n5,B\n6,C\n"


def numbers(ws):
    return [(e.number, e.session, e.tier, e.budget, e.neighbours, e.drawn) for e in ws.ledger]


def test_what_is_kept_comes_back(projects, places, ws):
    ws.use_limit(read_limit("ε", "9"))
    ws.draw("research", "public")
    ws.add_tier(
        Tier(name="court", amount="0.25", kind="ρ", people="4", note="a note, ≤ §", colour="teal")
    )
    ws.start_over()
    ws.draw("public")
    ws.delta = 1e-9
    ws.plan.sizes = {"people": "A: 30\nB: 4"}
    ws.save_plan()
    found = opened(places, rows=None)
    assert projects.names() == [PROJECT]
    assert numbers(found) == numbers(ws)
    assert found.ledger == ws.ledger
    assert [s.closed for s in found.sessions] == [True, False]
    for one, two in zip(found.sessions, ws.sessions, strict=True):
        assert one.mechanism.levels == two.mechanism.levels
        for level in one.mechanism.levels:
            np.testing.assert_array_equal(one.mechanism.held[level], two.mechanism.held[level])
            assert one.mechanism.held[level].dtype == np.int64
    assert (found.plan.tiers, found.plan.sizes) == (ws.plan.tiers, ws.plan.sizes)
    assert (found.delta, found.family_name, found.mode) == (1e-9, ws.family_name, "hardened")
    assert (found.statistic.query, found.limit) == (WARDS, ws.limit)
    assert account.joint(found) == account.joint(ws)
    assert packing.report_of(found, ws.ledger[0].drawn)
    assert packing.check(found, packing.hand_out(ws)) == ()


def test_other_names_for_groups_stay_with_the_session_that_goes_on(places, ws):
    ws.draw("public")
    called = ("north", "south", "coast")
    ws.state(Count(ByColumn("ward", ("A", "B", "C"), names=called)))
    ws.draw("audit")
    for tab in (ws, opened(places, rows=None)):
        assert [s.statistic.query.labels for s in tab.rounds] == [called]
        assert tab.statistic.query.labels == called
        assert len(tab.ledger) == 2


def test_a_draw_leans_on_what_other_tabs_drew(projects, places):
    """Poisson noise never falls, and levels so close would cross if each were drawn by itself."""
    ws = workspace(query=Count(ByColumn("ward", tuple(f"ward {i}" for i in range(60)))))
    ws.use_family("poisson")
    tiers = [Tier(name=n, amount=f"0.200{i}", kind="ε") for i, n in enumerate("abc")]
    assert ws.use_tiers(as_rows(tiers)) == []
    projects.create(PROJECT, ws)
    for name in "acb":
        opened(places).draw(name)
    found = opened(places, rows=None)
    c, b, a = (found.round.mechanism.held[level] for level in found.round.mechanism.levels)
    assert np.all(c <= b)
    assert np.all(b <= a)


def test_threads_and_tabs_at_once_draw_once(places, ws):
    tabs = [ws, opened(places), opened(places)]
    in_threads(*(lambda tab=tab, n=n: tab.draw(n) for tab in tabs for n in NAMES[:2]))
    for tab in tabs:
        tab.catch_up()
        assert shown(tab) == shown(ws)
    assert sorted(e.tier for e in ws.ledger) == sorted(NAMES[:2])
    assert len(ws.sessions) == 1


def test_a_sealed_session_goes_on_without_its_table(places, ws):
    ws.draw("public")
    ws.seal(ws.cap("research"))
    found = opened(places, rows=None)
    assert found.round.mechanism.sealed_at == ws.held[-1].level
    found.draw("partners")
    ws.draw("partners")
    assert shown(found) == shown(ws)
    with pytest.raises(SealedError):
        found.draw("audit")
    with pytest.raises(ParameterError, match="already sealed"):
        ws.seal_session(ws.round, ws.held[0].level)


def test_a_seal_by_another_tab_holds_at_once(places, ws):
    other = opened(places)
    ws.draw("public")
    ws.seal(ws.cap("public"))
    with pytest.raises(SealedError):
        other.draw("audit")
    assert [e.tier for e in other.ledger] == ["public"]


def test_an_open_session_needs_the_same_file_again(places, ws):
    ws.draw("public")
    found = opened(places, rows=None)
    with pytest.raises(ParameterError, match=r"“visits\.csv”, which is not loaded\. Load the same"):
        found.draw("audit")
    found.bring(read_csv(ROWS, name="under another name.csv"))
    found.draw("audit")
    assert len(found.sessions) == 1
    assert [n.level for n in found.ledger[1].neighbours] == [0.0, found.ledger[0].level]


def test_a_noisier_number_needs_no_table(places, ws):
    """It is made from what was released; the session stays open for the table of another day."""
    ws.draw("public", "research")
    found = opened(places, rows=None)
    assert drawable(found) == ["partners"]
    found.draw("partners")
    public, research = (e.level for e in found.ledger[:2])
    assert [n.level for n in found.ledger[2].neighbours] == [research, public]
    assert not [*found.keeper._exact]
    found.add_tier(Tier(name="guests", amount="0.05", kind="ρ"))
    assert [n.level for n in found.ledger[3].neighbours] == [public]
    assert found.round.mechanism.sealed_at is None
    promised = dict(found.facts_of(found.ledger[2]))["guarantee, this release"]
    assert "drawn between two releases without the exact numbers" in promised
    with pytest.raises(ParameterError, match=r"not loaded\. Load the same file again"):
        found.draw("audit")
    later = opened(places)
    assert shown(later) == shown(found)
    later.draw("audit")
    assert len(later.sessions) == 1


def test_another_file_is_another_session_and_its_loss_adds(places, ws):
    ws.draw("audit")
    next_month = opened(places, rows=MORE)
    next_month.state(WARDS)
    next_month.draw("audit")
    next_month.state(Count(Everybody(), WARDS.bounds))
    next_month.draw("public")
    assert [e.session for e in next_month.ledger] == [1, 2, 3]
    ((unit, loss),) = account.by_unit(next_month).items()
    assert unit == WARDS.unit
    assert loss.value == pytest.approx(sum(e.budget.loss for e in next_month.ledger))
    ws.catch_up()
    assert account.by_unit(ws) == {unit: loss}


COSTS = b"id,ward,cost\n1,A,7\n2,B,5\n3,A,-\n4,B,9\n5,B,1\n"
COST = BoundedSum("cost", 0, 1000, Everybody(), step=1)
OTHERWISE = Reading(kind="number", missing=("9",))


def test_the_same_file_and_readings_go_on_and_other_readings_are_another_session(projects, places):
    ws = workspace(COSTS)
    ws.table = ws.table.read_as({"cost": OTHERWISE, "ward": Reading(missing=("B",))})
    ws.state(COST)
    projects.create(PROJECT, ws)
    ws.draw("public")
    again = opened(places, rows=COSTS)
    assert again.table.readings == again.statistic.table.readings == ws.table.readings
    assert again.exact().tolist() == ws.exact().tolist() == [13]
    again.draw("audit")
    again.table = again.table.read_as({"ward": Reading()})  # no column of this statistic
    again.state(COST)
    again.draw("research")
    assert {e.session for e in again.ledger} == {1}
    assert again.ledger[1].neighbours[0].level == 0.0, "drawn from the exact numbers"
    for plain in (again, opened(places, rows=COSTS)):
        plain.table = plain.table.read_as({"cost": Reading()})
        plain.state(COST)
        assert plain.exact().tolist() == [22]
        plain.draw("audit")
    assert [e.session for e in plain.ledger] == [1, 1, 1, 2], "two tabs, one other session"
    ((_, loss),) = account.by_unit(plain).items()
    assert loss.value == pytest.approx(2 * plain.ledger[1].budget.loss)
    ws.catch_up()
    ws.draw("partners")
    assert ws.ledger[-1].session == 1, "the tab that was open before goes on with its own"
    assert ws.round.statistic.table.readings == ws.table.readings


def test_a_table_brought_with_readings_of_its_own_keeps_them(projects, places):
    ws = workspace(COSTS)
    ws.table = ws.table.read_as({"cost": OTHERWISE})
    ws.state(COST)
    projects.create(PROJECT, ws)
    found = opened(places, rows=None)
    own = {"cost": Reading(missing=("7",))}
    found.bring(read_csv(COSTS, name="visits.csv").read_as(own))
    assert dict(found.table.readings) == own
    assert dict(found.statistic.table.readings) == {"cost": OTHERWISE}


def test_what_was_released_before_goes_on_in_the_project(projects, places):
    ws = workspace()
    ws.use_limit(read_limit("ε", "9"))
    ws.draw("public", "audit")
    live, before = ws.round.mechanism, shown(ws)
    projects.create(PROJECT, ws)
    assert shown(ws) == before
    with pytest.raises(ParameterError, match="suspended"):
        live.release(0.01)
    found = opened(places)
    assert found.limit == ws.limit
    found.draw("research")
    assert {
        level: found.round.mechanism.held[float.fromhex(level)].tolist() for level in before
    } == before
    assert [n.level for n in found.ledger[2].neighbours] == [e.level for e in ws.ledger[::-1]]


def test_a_limit_holds_in_every_tab_and_an_owners_is_not_lifted_by_another(places, ws):
    ws.use_limit(read_limit("ε", "1"))
    other = opened(places)
    ws.draw("audit")
    ws.start_over()
    with pytest.raises(OverBudgetError):
        other.draw("research")
    assert [e.tier for e in other.ledger] == ["audit"]
    ws.bind(read_limit("ε", "9"))
    other.use_limit(None)
    ws.draw("public")
    assert ws.limit == ws.owner
    assert opened(places).limit is None


@pytest.mark.parametrize("drawn", [(), ("public",)], ids=["nothing drawn", "one release"])
def test_what_was_seen_of_the_data_is_known_of_releases_in_the_next_process(
    projects, places, drawn
):
    ws = workspace()
    ws.seen.groups[ws.table.digest, "ward"] = ["A"]
    ws.seen.tables.add(ws.table.digest)
    counted(ws, look=True)
    projects.create(PROJECT, ws)
    ws.draw(*drawn)
    found = opened(places)
    found.draw("audit")
    known = Provenance(looked=True, read_off=("ward",), checked=("ward",))
    assert found.ledger[-1].known == opened(places).ledger[-1].known == known


def test_a_plan_that_is_too_long_to_keep_is_refused_and_nothing_is_shown(ws):
    ws.draw("public")
    before = numbers(ws)
    pair = f"0.{40 * '1'}, 0.0000001{40 * '1'}"
    assert ws.use_tiers(as_rows([Tier(name="a", amount=pair, kind="(ε, δ)")])) == []
    with pytest.raises(ParameterError, match="cannot keep this plan"):
        ws.draw("a")
    assert numbers(ws) == before


REFUSED = {
    "a second project of the name": (
        lambda p, _: p.create(PROJECT, workspace(MORE)),
        "There is a project “visits” already",
    ),
    "a project that is not there": (lambda p, _: p.open("vistis"), "There is no project “vistis”"),
    "a name that cannot be typed": (lambda p, _: p.open("\ud800"), "control characters"),
    "no name": (lambda p, _: p.create(" ", workspace(MORE)), "has no name"),
    "a workspace that is kept": (
        lambda p, ws: p.create("second", ws),
        "kept in the project “visits”",
    ),
    "teaching mode": (lambda _, ws: taught(ws), "keeps hardened releases only"),
    "a table with a ledger": (
        lambda p, _: draws_into(p, "second", workspace()),
        "The ledger of “visits.csv” is in the project “visits”. Open that one",
    ),
    "releases of a table with a ledger": (
        lambda p, _: p.create("second", drawn(workspace())),
        "The ledger of “visits.csv” is in the project “visits”. Open that one",
    ),
    "teaching releases": (
        lambda p, _: p.create("second", taught(workspace(MORE))),
        "hardened releases only",
    ),
    "a kind that nobody keeps": (lambda _, ws: of_its_own(ws), "cannot keep releases of this kind"),
}


def drawn(ws):
    ws.draw("public")
    return ws


def draws_into(projects, name, ws):
    projects.create(name, ws)
    drawn(ws)


def taught(ws):
    ws.use_mode("teaching")
    try:
        ws.draw("audit")
    finally:
        ws.use_mode("hardened")
    return ws


def of_its_own(ws):
    asking = ws.statistic.asking(ws.family_name)
    own = replace(asking, key="of its own", plain=None, kept=NOT_KEPT)
    ws.record(own, ws.planned()[0][0])


@pytest.mark.parametrize("case", few(REFUSED, 4))
def test_what_cannot_be_kept_is_refused_in_a_sentence_and_changes_nothing(case, projects, ws):
    act, sentence = REFUSED[case]
    ws.draw("public")
    before = shown(ws), numbers(ws), len(projects.names())
    with pytest.raises(ParameterError, match=sentence):
        act(projects, ws)
    ws.catch_up()
    assert (shown(ws), numbers(ws)) == before[:2]
    assert projects.names() in ([PROJECT], ["second", PROJECT])


def test_nothing_is_shown_that_was_not_committed(projects, ws):
    """The commit fails after the draw: nobody has seen the number, and it is drawn again."""
    ws.draw("public")
    before = shown(ws), numbers(ws)
    drawn_then = []

    def fails(_connection):
        drawn_then.append((shown(ws), numbers(ws)))
        raise sa.exc.OperationalError("COMMIT", None, OSError("gone"))

    engine = projects._database._engine
    sa.event.listen(engine, "commit", fails)
    with pytest.raises(ParameterError, match=r"^The database"):
        ws.draw("audit")
    sa.event.remove(engine, "commit", fails)
    assert drawn_then == [before]
    assert (shown(ws), numbers(ws)) == before
    ws.draw("audit")
    assert len(ws.ledger) == 2


def test_a_kept_session_has_no_exact_number_and_draws_nothing_by_itself(ws):
    ws.draw("public")
    one = ws.round.mechanism
    assert {f.name for f in fields(one)} == {"held", "sealed"}
    with pytest.raises(ParameterError, match=r"Workspace\.draw"):
        one.release(0.5)


def test_a_lost_key_leaves_what_was_released_and_knows_no_table(places, ws):
    ws.draw("public")
    (Path(places[1]) / "table.key").unlink()
    found = opened(places)
    assert shown(found) == shown(ws)
    with pytest.raises(ParameterError, match="Load the same file again"):
        found.draw("audit")
    found.state(Count(ByColumn("ward", ("A",))))
    with pytest.raises(ParameterError, match=r"Put the file table\.key back"):
        found.draw("audit")
    assert not (Path(places[1]) / "table.key").exists()
