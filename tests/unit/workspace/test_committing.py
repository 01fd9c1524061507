"""A workspace that has committed: its releases, its hand-outs, and what it refuses."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.errors import ParameterError
from dpviz.handout import verify_folder
from dpviz.handout.committed import read_committed
from dpviz.queries import ByColumn, Count, Sensitivity
from dpviz.release import commitment
from dpviz.release.commitment import Seed
from dpviz.workspace import Workspace
from dpviz.workspace.committing import audit, commit, pledge
from dpviz.workspace.packing import check, hand_out
from dpviz.workspace.projects import Projects
from tests.handouts import opened

ZERO = Seed.from_bytes(bytes(32))
TIERS = ("partners", "audit", "public", "research")


def hardened():
    ws = Workspace.fresh()
    ws.use_mode("hardened")
    return ws


def test_every_tier_checks_its_hand_out_and_the_ledger_checks_the_pack():
    ws = hardened()
    digits = pledge(ws, seed=ZERO)
    published = commit(ws, seed=ZERO)
    assert read_committed(published).pledge == digits
    ws.draw(*TIERS)
    assert [e.neighbours[0].level for e in ws.ledger] == [0.0] * 4
    for name in TIERS:
        assert verify_folder(hand_out(ws, tier=name), commitment=published).passed
    whole = hand_out(ws)
    assert check(ws, whole) == ()
    files = opened(whole)
    assert sum(name.endswith("OPENING.json") for name in files) == 4
    readme = files["audit/README.txt"].decode("utf-8-sig")
    assert "committed to before the first release" in readme
    assert "operating-system entropy" not in readme


def test_the_next_session_is_another_one():
    ws = hardened()
    published = commit(ws, seed=ZERO)
    ws.draw("public")
    with pytest.raises(ParameterError, match="too late"):
        commit(ws, seed=ZERO)
    ws.start_over()
    ws.draw("audit")
    second = ws.session_of(ws.ledger[-1])
    assert second.committed is None
    pack = verify_folder(hand_out(ws, tier="audit"), commitment=published)
    assert "holds no OPENING.json" in str(pack.checks)


def test_sealed_it_goes_on_with_the_path_and_keeps_no_sharper_release():
    ws = hardened()
    commit(ws, seed=ZERO)
    ws.draw("research")
    ws.seal(ws.cap("research"))
    ws.draw("public")
    (one,) = ws.sessions
    assert np.array_equal(ws.held[0].values, one.committed.path.release(ws.held[0].level))
    least = one.committed.path.commitment.levels[0]
    with pytest.raises(ParameterError, match="sealed at a noisier level"):
        one.committed.path.release(least)


def test_an_auditor_finds_noise_that_is_scaled_to_another_statistic():
    ws = hardened()
    stated = read_committed(commit(ws, seed=ZERO)).content
    assert audit(ws, stated, seed=ZERO) == ()
    half = Sensitivity(1, 0.5, 0.5, 0.5)  # as if one person could change a count by a half only
    setting = replace(stated.setting, sensitivity=half)
    exact = ws.statistic.query.values(ws.statistic.table)
    names, levels = ws.statistic.query.entries, stated.levels
    words = {"about": stated.about, "names": names}
    forged = commitment.commit(exact, setting, levels, seed=ZERO, **words).commitment
    assert commitment.audit(forged, exact, seed=ZERO, names=names) == ()  # a path all right
    (wrong,) = audit(ws, forged, seed=ZERO)
    assert wrong.endswith("so its budgets are others")
    short = commitment.commit(exact, stated.setting, levels[1:], seed=ZERO, **words).commitment
    assert audit(ws, short, seed=ZERO) == ("no level is that of audit in this plan",)


def test_what_cannot_be_committed_to_is_refused_in_a_sentence(tmp_path):
    with pytest.raises(ParameterError, match="Choose hardened mode"):
        commit(Workspace.fresh(), seed=ZERO)
    drawn = hardened()
    drawn.draw("public")
    with pytest.raises(ParameterError, match="too late"):
        pledge(drawn, seed=ZERO)
    several = hardened()
    several.state(Count(ByColumn("sex", ("male", "female"))))
    with pytest.raises(ParameterError, match="about one statistic"):
        commit(several, seed=ZERO)
    ws = hardened()
    commit(ws, seed=ZERO)
    with pytest.raises(ParameterError, match="keeps no seed"):
        Projects(tmp_path).create("visits", ws)
    ws.draw("public")
    with pytest.raises(ParameterError, match="keeps no seed"):
        Projects(tmp_path).create("visits", ws)
    kept = Projects(tmp_path).create("others", hardened()) or Projects(tmp_path).open("others")
    with pytest.raises(ParameterError, match="A project keeps no seed"):
        commit(kept, seed=ZERO)


def test_a_tier_whose_budget_changes_afterwards_is_told_which_levels_there_are():
    ws = hardened()
    commit(ws, seed=ZERO)
    with pytest.raises(ParameterError, match="was not committed to; the nearest are"):
        ws.upgrade("public", "ε", "0.6", sure=True)
    assert ws.ledger == []
    ws.draw("audit")
    assert ws.sessions[0].committed is not None
