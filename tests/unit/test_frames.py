"""Frames: columns as declared, numbers as held, the exact answer in none but its own."""

import numpy as np
import pytest

from dpviz import frames
from dpviz.frames.plans import LADDER
from dpviz.frames.releases import CURVE, LEDGER, MARK, METER, RELEASE
from dpviz.mechanisms.budgets import OFFERED
from dpviz.ui import account
from dpviz.ui.workspace import Workspace


def drawn(family="gaussian"):
    ws = Workspace.fresh()
    ws.family_name = family
    if family in ("poisson", "skellam"):
        ws.use_tiers(
            [
                {"tier": n, "budget": a, "as": "ε", "note": ""}
                for n, a in (("public", "0.2"), ("audit", "1"))
            ]
        )
    for name in [p.name for p in ws.planned()[0]]:
        ws.draw(name)
    return ws


@pytest.mark.parametrize("family", list(OFFERED))
def test_releases_are_debiased_and_tidy(family):
    ws = drawn(family)
    groups = ws.statistic.query.groups
    frame = frames.releases_frame(groups, ws.values_of_tiers, ws.family, 0.95)
    assert tuple(frame.columns) == RELEASE
    for tier in ws.values_of_tiers:
        mine = frame[frame["tier"] == tier.name]
        assert list(mine["group"]) == list(groups)
        np.testing.assert_allclose(mine["value"], tier.values - ws.family.mean(tier.level))


def test_the_wide_frame_keeps_the_order_of_groups_and_tiers():
    ws = drawn()
    frame = frames.releases_frame(ws.statistic.query.groups, ws.values_of_tiers, ws.family, 0.95)
    wide = frames.wide_frame(frame)
    assert list(wide.columns) == ["group", *(t.name for t in ws.values_of_tiers)]
    assert list(wide["group"]) == list(ws.statistic.query.groups)


def test_the_meter_nests_and_chains():
    ws = drawn()
    total = account.joint(ws)
    spent, stops = account.spent(ws, total.definition)
    frame = frames.meter_frame(spent, letter="ρ", total=total.value, independent=stops)
    assert tuple(frame.columns) == METER
    nested, chained = (frame[frame["row"] == r] for r in ("lossless", "independent"))
    assert list(nested["start"]) == [0] * 4
    assert nested["stop"].max() == 0.5
    np.testing.assert_allclose(chained["stop"], [0.002, 0.012, 0.062, 0.562])
    np.testing.assert_allclose(chained["start"].iloc[1:], chained["stop"].iloc[:-1])


def test_the_meter_shows_earlier_sessions_in_both_rows():
    ws = drawn()
    ws.start_over()
    ws.draw("restricted")
    total = account.joint(ws)
    spent, stops = account.spent(ws, total.definition)
    frame = frames.meter_frame(spent, letter="ρ", total=total.value, independent=stops)
    grey = frame[frame["tier"] == frames.releases.EARLIER]
    np.testing.assert_allclose(grey["stop"], [0.5, 0.562])
    np.testing.assert_allclose(frame.groupby("row")["stop"].max(), [0.572, 0.51])


def test_a_mixed_meter_ends_at_its_totals():
    ws = drawn()
    ws.family_name = "laplace"
    ws.draw("restricted")
    ws.draw("top secret")
    total, alone = account.joint(ws), account.independent(ws)
    spent, stops = account.spent(ws, total.definition)
    frame = frames.meter_frame(spent, letter="ε", total=total.value, independent=stops)
    ends = frame.groupby("row")["stop"].max()
    np.testing.assert_allclose(ends["lossless"], total.value)
    np.testing.assert_allclose(ends["independent"], alone.value)


@pytest.mark.parametrize("family", list(OFFERED))
@pytest.mark.parametrize("released", [False, True])
def test_hills_are_the_law_of_the_error(family, released):
    ws = drawn(family)
    if not released:
        ws.start_over()
    tiers = ws.values_of_tiers
    curves, marks = frames.hills(tiers, ws.family, 0.95, group=1, describe=lambda c, a: f"{c}{a}")
    assert tuple(curves.columns) == CURVE
    assert tuple(marks.columns) == MARK
    for tier, centre in zip(tiers, marks["centre"], strict=True):
        mine = curves[curves["tier"] == tier.name]
        assert (np.diff(mine["x"]) > 0).all()
        expected = tier.values[1] - ws.family.mean(tier.level) if released else 0.0
        assert centre == expected
        weight = mine["density"] / mine["density"].sum()
        deviation = ws.family.variance(tier.level) ** 0.5
        assert abs((weight * mine["x"]).sum() - centre) < 0.2 * deviation


def test_plan_and_ladder_agree_with_the_plan():
    ws = Workspace.fresh()
    planned = ws.planned()[0]
    plan = frames.plan_frame(planned, ws.family, 5)
    assert tuple(plan.columns) == frames.PLAN
    assert (plan["± all groups at once"] > plan["± one group"]).all()
    ladder = frames.ladder_frame(ws.values_of_tiers, ws.family, 0.95)
    assert tuple(ladder.columns) == LADDER
    np.testing.assert_allclose(ladder["half_width"], plan["± one group"])


def test_the_ledger_names_neighbours_and_never_the_exact_number():
    ws = Workspace.fresh()
    for name in ("confidential", "public", "top secret", "restricted"):
        ws.draw(name)
    ledger = frames.ledger_frame(ws.ledger)
    assert tuple(ledger.columns) == LEDGER
    assert list(ledger["drawn from"]) == [
        "fresh noise on the exact number (not shown)",
        "fresh noise on confidential",
        "the exact number (not shown) 90 %, confidential 10 %",
        "confidential 83.3 %, public 16.7 %",
    ]


def test_influence_and_sensitivity_name_their_numbers():
    query = Workspace.fresh().statistic.query
    assert list(frames.influence_frame(query)["change"]) == [1, 0, 0, 0, 0]
    assert "Δ₂ = √ℓ₀ · ℓ∞ = √1 · 1 = 1" in frames.sensitivity_frame(query).to_string()
