"""The workspace: drawing once, sessions that add, sealing, and what a change starts."""

import itertools
import math
import re
import zipfile

import numpy as np
import pytest

from dpviz.data import read_csv
from dpviz.errors import DataError, ParameterError, SealedError
from dpviz.planning.tiers import DEFAULT_TIERS, Tier, as_rows
from dpviz.queries import BoundedMean, BoundedSum, Bounds, ByColumn, Count
from dpviz.workspace import Workspace, account, packing
from dpviz.workspace.sessions import Statistic
from tests.cast import MOST, RHO, SUM
from tests.conftest import few, for_each
from tests.serving import ROOT

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


@for_each("order", few(itertools.permutations(NAMES), 5))
def test_asking_again_in_any_order_gives_the_same_numbers(order):
    ws = Workspace.fresh()
    seen = {}
    for name in order:
        ws.draw(name)
        seen[name] = numbers(ws)[name]
    for name in reversed(order):
        ws.draw(name)
    assert numbers(ws) == seen
    assert [e.tier for e in ws.ledger] == list(order)
    assert account.joint(ws).value == MOST
    assert math.isclose(account.independent(ws).value, SUM)


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


def test_statistics_stay_on_the_list_once_each_and_the_known_one_is_used_again():
    ws = Workspace.fresh()
    first, other = ws.statistic, Statistic(VISITS, Count(WARDS), "")
    ws.use(other)
    ws.use(Statistic(VISITS, Count(WARDS), "loaded otherwise"))
    assert ws.statistic == other
    ws.use(first)
    assert ws.statistics == [first, other]


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
