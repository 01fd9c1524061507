"""Frames: columns as declared, numbers as held, the exact answer in none but its own."""

import numpy as np
import pandas as pd
import pytest

from dpviz import words
from dpviz.accounting import half_width
from dpviz.accounting.guarantees import offered
from dpviz.charts.releases.frame import (
    EXACT,
    LEDGER,
    WIDE_ROWS,
    exact_frame,
    ledger_frame,
    releases_frame,
    wide_frame,
)
from dpviz.charts.tidy import RELEASE, TOO_FEW
from dpviz.charts.tiers.plan import PLAN, plan_frame
from dpviz.handout.post_processing import PROCESSINGS
from dpviz.noise import FAMILIES
from dpviz.palette import TierStyle
from dpviz.queries import BoundedMean, BoundedSum, ByColumn, Count, Everybody
from dpviz.workspace.held import HeldTier
from dpviz.workspace.workspace import Workspace

BY = ByColumn("place", ("north", "south", "east"))
COUNT = Count(BY)
QUERIES = {
    "count": COUNT,
    "count with total": Count(BY, total=True),
    "everybody": Count(Everybody()),
    "sum": BoundedSum("euros", -8, 24, by=BY, step=0.125),
    "mean": BoundedMean("euros", 0, 50, by=BY),
}
LEVELS = (900.0, 25.0, 4.0)


def tiers_of(query, levels=LEVELS, *, values=None, last=True):
    """Tiers with whole numbers as values; the last one may not have asked."""
    made = []
    for rank, level in enumerate(levels):
        numbers = np.arange(query.dimension) * 1000 + 3000 + rank if values is None else values
        held = numbers if last or rank < len(levels) - 1 else None
        look = {"style": TierStyle(rank + 1, rank), "letter": "ρ", "loss": rank + 1.0}
        made.append(HeldTier(name=f"tier {rank}", level=level, values=held, **look))
    return made


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


@pytest.mark.parametrize("family", offered())
@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_releases_are_debiased_in_units_and_tidy(family, query):
    noise, tiers = FAMILIES[family], tiers_of(query)
    frame = releases_frame(query, tiers, noise, 0.9)
    assert tuple(frame.columns) == RELEASE
    for tier in tiers:
        mine = frame[frame["tier"] == tier.name]
        assert list(mine["group"]) == list(query.labels)
        released = tier.values - noise.mean(tier.level)
        reach = half_width(noise, tier.level, 0.9, coordinates=query.per_value)
        low, high = query.interval(released, reach)
        np.testing.assert_array_equal(mine["value"], query.estimate(released))
        np.testing.assert_array_equal(mine["low"], low)
        np.testing.assert_array_equal(mine["high"], high)
        assert (mine["low"] <= mine["value"]).all()
        assert (mine["value"] <= mine["high"]).all()
        looks = mine[["budget", "style"]].drop_duplicates()
        assert looks.to_numpy().tolist() == [[tier.budget, tier.style]]


def test_half_an_interval_is_the_half_width_in_units():
    query = QUERIES["sum"]
    frame = releases_frame(query, tiers_of(query, [4.0]), FAMILIES["gaussian"], 0.95)
    np.testing.assert_allclose(frame["high"] - frame["value"], 0.125 * 1.959964 * 2, rtol=1e-6)
    np.testing.assert_allclose(frame["value"], [375, 500, 625])


def test_tiers_that_have_not_asked_are_left_out():
    tiers = tiers_of(COUNT, last=False)
    frame = releases_frame(COUNT, tiers, FAMILIES["gaussian"], 0.9)
    assert list(frame["tier"].unique()) == ["tier 0", "tier 1"]
    none = releases_frame(COUNT, tiers[2:], FAMILIES["gaussian"], 0.9)
    assert tuple(none.columns) == RELEASE
    assert none.empty


def test_raw_numbers_keep_the_mean_of_the_noise_and_so_do_their_intervals():
    family, tiers = FAMILIES["poisson"], tiers_of(COUNT, [400.0])
    fair = releases_frame(COUNT, tiers, family, 0.9)
    raw = releases_frame(COUNT, tiers, family, 0.9, raw=True)
    np.testing.assert_array_equal(raw["value"], tiers[0].values)
    for name in ("value", "low", "high"):
        np.testing.assert_allclose(raw[name] - fair[name], 400)


@pytest.mark.parametrize("key", list(PROCESSINGS))
def test_processing_changes_the_value_and_leaves_the_interval(key):
    query, done = QUERIES["count with total"], PROCESSINGS[key]
    tiers = tiers_of(query, values=np.array([-2.25, 5.5, 7.75, 10.0]))
    plain = releases_frame(query, tiers, FAMILIES["gaussian"], 0.9)
    frame = releases_frame(query, tiers, FAMILIES["gaussian"], 0.9, processing=done)
    expected = done.apply(query, query.estimate(tiers[0].values))
    for tier in tiers:
        np.testing.assert_array_equal(frame.loc[frame["tier"] == tier.name, "value"], expected)
    scale = np.arcsinh if key == "asinh" else np.asarray
    np.testing.assert_array_equal(frame["low"], scale(plain["low"]))
    np.testing.assert_array_equal(frame["high"], scale(plain["high"]))


def test_a_mean_without_rows_is_unknown_and_says_so():
    query = QUERIES["mean"]
    tiers = tiers_of(query, values=np.array([0, 0, 0, 9000, -2000, 9000]))
    frame = releases_frame(query, tiers, FAMILIES["gaussian"], 0.9)
    assert frame["value"].isna().tolist() == [False, True, False] * 3
    wide = wide_frame(frame)
    assert wide.iloc[1, 1:].tolist() == [TOO_FEW] * 3
    assert TOO_FEW not in wide.iloc[[0, 2]].to_string()


def test_the_wide_frame_keeps_the_order_of_groups_and_tiers():
    frame = releases_frame(COUNT, tiers_of(COUNT), FAMILIES["gaussian"], 0.95)
    wide = wide_frame(frame)
    assert list(wide.columns) == ["group", "tier 0", "tier 1", "tier 2"]
    assert list(wide["group"]) == ["north", "south", "east"]
    assert wide["tier 1"].tolist() == ["3,001.0", "4,001.0", "5,001.0"]
    many = pd.concat([frame] * 500).assign(group=np.arange(4500))
    assert len(wide_frame(many)) == WIDE_ROWS


def test_the_wide_frame_has_a_minus_sign_and_none_before_a_zero():
    frame = releases_frame(COUNT, tiers_of(COUNT), FAMILIES["gaussian"], 0.95)
    frame.loc[:2, "value"] = [-1234.56, -0.01, -0.06]
    assert wide_frame(frame)["tier 0"].tolist() == ["−1,234.6", "0.0", "−0.1"]


def test_the_wide_frame_has_the_decimals_that_the_intervals_deserve():
    frame = releases_frame(COUNT, tiers_of(COUNT), FAMILIES["gaussian"], 0.95)
    narrow = frame.assign(low=frame["value"] - 0.0123, high=frame["value"] + 0.0123)
    assert wide_frame(narrow)["tier 0"].tolist()[0] == "3,000.000"


def test_the_exact_frame_is_in_units():
    exact = exact_frame(QUERIES["sum"], np.array([8, 0, -8]))
    assert tuple(exact.columns) == EXACT
    assert exact["value"].tolist() == [1.0, 0.0, -1.0]


def test_the_table_of_the_plan_agrees_with_the_plan():
    ws = Workspace.fresh()
    planned = ws.planned()[0]
    plan = plan_frame(planned, ws.family, 5)
    assert tuple(plan.columns) == PLAN
    assert (plan["± all groups at once"] > plan["± one group"]).all()
    np.testing.assert_allclose(plan["μ"] ** 2 / 2, plan["ρ"])
    halves = [half_width(ws.family, t.level, 0.95) for t in ws.values_of_tiers]
    np.testing.assert_allclose(plan["± one group"], halves)
    in_quarters = plan_frame(planned, ws.family, 1, 0.25)
    np.testing.assert_allclose(in_quarters["± all groups at once"], 0.25 * np.array(halves))


def test_the_ledger_names_neighbours_and_never_the_exact_number():
    ws = Workspace.fresh()
    for name in ("research", "public", "audit", "partners"):
        ws.draw(name)
    ledger = ledger_frame(ws.ledger, words.percent)
    assert tuple(ledger.columns) == LEDGER
    assert list(ledger["drawn from"]) == [
        "fresh noise on the exact number (not shown)",
        "fresh noise on research",
        "the exact number (not shown) 25\u202f%, research 75\u202f%",
        "research 75\u202f%, public 25\u202f%",
    ]
