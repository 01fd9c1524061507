"""The promise of a hand-out: which samplers it rests on, and what the data were asked before."""

from itertools import permutations

import pytest

from dpviz.data import read_csv
from dpviz.noise import FAMILIES
from dpviz.queries import ByColumn, ByTwoColumns, Count
from dpviz.release import MultipleRelease, Provenance
from dpviz.ui.kit import group_controls
from dpviz.workspace import plan_file
from dpviz.workspace.packing import caveats
from dpviz.workspace.projects import Projects
from dpviz.workspace.sessions import Asking, Statistic
from dpviz.workspace.workspace import Workspace
from tests.conftest import few

THIS, TOGETHER = "guarantee, this release", "guarantee, coalitions"
NOISE_ONLY = "it rests on that of the noise only"
BRIDGE = "on that of the bridge"
TABLE = b"ward,street\nA,x\nB,y\nA,y\n"


def hardened(family="discrete_laplace"):
    ws = Workspace.fresh()
    ws.use_mode("hardened")
    ws.use_family(family)
    return ws


def facts(ws, tier):
    return dict(ws.facts_of(next(e for e in ws.ledger[::-1] if e.tier == tier)))


def test_a_less_noisy_tier_asked_second_rests_on_the_bridge_as_well():
    ws = hardened()
    ws.draw("partners", "audit", "research", "public")
    first, second = facts(ws, "partners")[THIS], facts(ws, "audit")[THIS]
    assert "new noise on the exact numbers" in first
    assert NOISE_ONLY in first
    assert "between the exact numbers and a noisier release" in second
    assert BRIDGE in second
    between = facts(ws, "research")[THIS]
    assert "between two releases without the exact numbers" in between
    assert "no more than these two even if the bridge were wrong" in between
    noisiest = facts(ws, "public")[THIS]
    assert "adding new noise to the noisiest release before it" in noisiest
    assert NOISE_ONLY in noisiest
    assert all(BRIDGE in facts(ws, p.name)[TOGETHER] for p in ws.planned()[0])


@pytest.mark.parametrize("order", few(permutations(("public", "research", "audit")), 2))
def test_what_is_said_to_need_no_bridge_calls_none(order, monkeypatch):
    family = FAMILIES["discrete_laplace"]
    real, called = type(family).bridge, []

    def bridge(self, *args, **kwargs):
        called.append(args)
        return real(self, *args, **kwargs)

    monkeypatch.setattr(type(family), "bridge", bridge)
    ws = hardened()
    for name in order:
        called.clear()
        ws.draw(name)
        assert (NOISE_ONLY in facts(ws, name)[THIS]) == (not called)
        exact = any((args[0] == ws.exact()).all() and args[2] == 0 for args in called)
        assert ("between the exact numbers" in facts(ws, name)[THIS]) == exact


def test_after_a_seal_nothing_leans_on_the_exact_numbers():
    ws = hardened()
    ws.draw("public")
    ws.seal(ws.cap("audit"))
    ws.draw("partners")
    assert "without the exact numbers" in facts(ws, "partners")[THIS]


def test_a_tier_that_shares_a_release_shares_its_sentence():
    ws = hardened()
    rows = [{"tier": n, "budget": b, "as": "ρ"} for n, b in (("a", "0.1"), ("b", "1"), ("c", "1"))]
    assert ws.use_tiers(rows) == []
    ws.draw("a", "b", "c")
    assert facts(ws, "c")[THIS] == facts(ws, "b")[THIS]
    assert BRIDGE in facts(ws, "c")[THIS]


def test_teaching_promises_nothing():
    ws = Workspace.fresh()
    ws.draw("public", "audit")
    assert {facts(ws, n)[k] for n in ("public", "audit") for k in (THIS, TOGETHER)} == {
        "none: practice mode"
    }


def with_table(*groups, mode="hardened"):
    """A workspace with a table of its own; `groups` is a column with its list, or two of them."""
    ws = hardened() if mode == "hardened" else Workspace.fresh()
    parts = [ByColumn(name, listed) for name, listed in groups]
    by = parts[0] if len(parts) == 1 else ByTwoColumns(*parts)
    ws.table, ws.loading = read_csv(TABLE, name="t.csv"), "read_table('t.csv')"
    ws.use(Statistic(ws.table, Count(by), ws.loading))
    return ws


def test_one_value_that_was_read_off_is_enough():
    ws = with_table(("ward", ("A", "Z")))
    assert ws.seen.of(ws.statistic).read_off == ()
    assert group_controls.suggested(ws, "ward") == ["A", "B"]
    assert ws.seen.of(ws.statistic).read_off == ("ward",)
    ws.use(Statistic(ws.table, Count(ByColumn("ward", ("Y", "Z"))), ws.loading))
    assert ws.seen.of(ws.statistic).read_off == ()


def test_a_list_that_was_known_before_has_its_guarantee_again_and_the_hand_out_says_both():
    ws = with_table(("ward", ("A", "Z")))
    group_controls.suggested(ws, "ward")
    ws.seen.say_known(ws.table.digest, ByColumn("ward", ("Z", "A")))  # in any order
    assert ws.seen.of(ws.statistic) == Provenance(known_before=("ward",))
    ws.draw("public")
    said = facts(ws, "public")
    assert said[THIS].startswith("the budget above")
    assert (
        "read off the data; the plan’s owner says that the list was known" in said["known before"]
    )
    assert "read off the data" not in said
    assert set(dict(caveats(ws))) == {"Known before"}
    for other in (("A", "B"), ("A",), ("A", "Z", "Y")):  # of another list nothing was said
        ws.use(Statistic(ws.table, Count(ByColumn("ward", other)), ws.loading))
        assert ws.seen.of(ws.statistic).read_off == ("ward",)
        ws.draw("public")
        assert facts(ws, "public")[THIS].startswith("none: the list of groups of “ward”")
    ws.seen.say_known(ws.table.digest, ByColumn("ward", ("A", "Z")), said=False)
    ws.use(Statistic(ws.table, Count(ByColumn("ward", ("A", "Z"))), ws.loading))
    assert ws.seen.of(ws.statistic).read_off == ("ward",)


def test_what_the_owner_says_of_a_list_goes_with_plans_and_projects(tmp_path):
    ws = with_table(("ward", ("A", "B")), ("street", ("x", "y")))
    for column in ("ward", "street"):
        group_controls.suggested(ws, column)
    ws.seen.say_known(ws.table.digest, ws.statistic.query.by.first)
    both = Provenance(read_off=("street",), known_before=("ward",))
    plan = plan_file.opened(plan_file.saved(ws))
    assert (plan.from_data, plan.known_before) == (("street",), ("ward",))
    other = with_table(("ward", ("A",)))
    plan_file.use(other, plan)
    assert other.seen.of(other.statistic) == both
    projects = Projects(tmp_path)
    projects.create("wards", ws)
    ws.close()
    again = projects.open("wards")
    again.bring(read_csv(TABLE, name="t.csv"))
    assert again.seen.of(again.statistic) == both
    again.draw("public")
    assert again.ledger[0].known == both
    again.close()
    third = projects.open("wards")
    assert third.ledger[0].known == third.seen.of(third.statistic) == both
    third.close()


def test_each_of_two_columns_is_looked_up():
    ws = with_table(("ward", ("A",)), ("street", ("x",)))
    group_controls.suggested(ws, "street")
    ws.draw("public")
    said = facts(ws, "public")
    assert said["read off the data"].startswith("the list of groups of “street”")
    assert (
        said[THIS] == said[TOGETHER] == "none: the list of groups of “street” was read off the data"
    )


def test_the_public_list_of_a_sample_stays_public():
    ws = hardened()
    group_controls.suggested(ws, "education")
    ws.draw("public")
    assert "read off the data" not in facts(ws, "public")
    query = Count(ByColumn("education", ws.statistic.query.by.groups[:2]))
    assert ws.seen.of(Statistic(ws.table, query, ws.loading)).read_off == ("education",)


def test_teaching_hand_outs_say_it_too():
    ws = with_table(("ward", ("A", "B")), mode="teaching")
    group_controls.suggested(ws, "ward")
    ws.draw("public")
    assert "read off the data" in facts(ws, "public")
    assert facts(ws, "public")[THIS] == "none: practice mode"


def test_structured_hand_outs_end_with_the_same_promise():
    ws = with_table(("ward", ("A", "B")))
    ask = Asking(
        key="running totals",
        statistic="running totals",
        data="t.csv",
        family=ws.family,
        kind="lossless",
        mechanism=lambda rng: MultipleRelease([2, 1], ws.family, rng=rng),
        release=lambda session, p: session.release(p.budget.level) is None or p.budget.level,
        facts=lambda entry, one: (("tier", entry.tier), ("mode", one.mode)),
        values=lambda session, level: session.held[level],
        entries=lambda *_: ("a", "b"),
        about=ws.statistic,
    )
    planned = {p.name: p for p in ws.planned()[0]}
    ws.record(ask, planned["public"])
    ws.record(ask, planned["audit"])
    assert NOISE_ONLY in facts(ws, "public")[THIS]
    assert "between the exact numbers" in facts(ws, "audit")[THIS]
    group_controls.suggested(ws, "ward")
    ws.record(ask, planned["research"])
    assert facts(ws, "research")[THIS].startswith("none: the list of groups of “ward”")
