"""Every number of the page Releases by another way: laws, arithmetic, and what was drawn."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dpviz import words
from dpviz.accounting import JointLoss, half_width
from dpviz.accounting.composition import CONVOLVED
from dpviz.accounting.guarantees import offered
from dpviz.handout.post_processing import PROCESSINGS
from dpviz.noise import ADDITIVE, FAMILIES
from dpviz.palette import TierStyle
from dpviz.queries import BoundedMean, BoundedSum, ByColumn, Count, Everybody
from dpviz.scenes import releases as scenes
from dpviz.scenes.releases import (
    EXACT,
    LEDGER,
    RELEASE,
    TOO_FEW,
    WIDE_ROWS,
    Choice,
    View,
    exact_frame,
    ledger_frame,
    pick_groups,
    releases_frame,
    share_numbers,
    wide_frame,
)
from dpviz.ui.kit.code import recipe_code
from dpviz.ui.releases import page
from dpviz.workspace import takeaways
from dpviz.workspace.held import HeldTier
from dpviz.workspace.workspace import Workspace
from tests import visiting
from tests.conftest import few, for_each
from tests.figure_frames import releases, unknown
from tests.visiting import numbers_of

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
GROUPS = ["Oslo", "Bergen", "oslofjord", "[O]", "Ås"]
VALUES = {"Oslo": 50.0, "Bergen": 400.0, "oslofjord": 3.0, "[O]": -20.0, "Ås": 60.0}
VIEW = View(confidence=0.95, processing=PROCESSINGS["released"])


# --- the sentences ---


def workspace(*drawn, family="gaussian", seed=7):
    ws = Workspace.fresh()
    ws.seed = seed
    ws.use_family(family)
    ws.draw(*drawn) if drawn else None
    return ws


def said(ws, **loss):
    """The headline, once these losses are what the scene has."""
    found = page.headline(replace(scenes.scene(ws, VIEW), **loss))
    visiting.check_words(found.text, found.claims, "95 times in 1,000 of 100")
    return visiting.plain(found.text)


def test_the_headline_says_what_is_seen_and_what_all_together_guess():
    everybody = ("public", "partners", "research", "audit")
    nothing = said(workspace())
    assert nothing.startswith("Nothing is drawn yet. The public will see each count to within")
    assert said(workspace("audit")).endswith(
        ", and guesses right about one person 673 times in 1,000 (a coin: 500)."
    )
    drawn = said(workspace(*everybody))
    assert drawn.startswith("The public sees each count to within")
    assert "no more often than audit alone" in drawn
    ws = workspace("public")
    ws.start_over()
    assert "earlier sessions have cost" in said(ws)
    ws.draw("public")
    assert "at most " in said(ws), "sessions meet"
    none = replace(scenes.scene(workspace(), VIEW), planned=())
    assert page.headline(none).text == "Nothing is drawn yet. Ask for the tiers in any order."


@pytest.mark.parametrize(
    ("together", "guesses"),
    [
        (JointLoss(0.5, 0.0, "ρ-zCDP", "max"), "691"),
        (JointLoss(1.5, 1e-6, "(ε, δ)-DP", CONVOLVED), "at most 818"),
    ],
)
def test_the_headline_says_max_not_sum(together, guesses):
    alone = JointLoss(0.6, 0.0, "ρ-zCDP", "sum")
    ws = workspace("public", "audit")
    found = said(ws, together=together, apart=alone, loss=together)
    assert f"{guesses} times in 1,000; with separate noise, 708 (a coin: 500)." in found
    cost = visiting.plain(takeaways.cost_words(together))
    assert cost == ("at most ε = 1.5 at δ = 1e-6" if together.delta else "ρ = 0.5")


def test_bars_say_what_each_tier_will_get_and_then_what_is_drawn_so_far():
    before, first = (page.meter(scenes.scene(workspace(*d), VIEW)).alt for d in ((), ("public",)))
    assert visiting.plain(before).endswith(
        "audit: ± 2.2 people. research: ± 2.6 people. partners: ± 3.1 people. public: ± 4.4 people."
    )
    assert "Public, 588 of 1,000." in first
    ws = workspace("public")
    ws.use_family("laplace")
    scene = scenes.scene(ws, VIEW)
    assert (scene.earlier, scene.right.kind) == (True, "at most")
    assert "All releases so far, ≤ " in page.meter(scene).alt


def test_the_formula_says_what_the_last_draw_leaned_on():
    scene = scenes.scene(workspace("audit", "public"), VIEW)
    text = page.formula(scene)
    assert "public, at level 5, was drawn from: " in text
    assert scene.family.weight_meaning in text
    assert text.endswith("Level 0 is the exact number: not shown.")
    shown = replace(scene, view=replace(VIEW, revealed=True))
    assert page.formula(shown).endswith("on screen now, and not private.")


def test_the_exact_numbers_are_in_the_scene_only_when_revealed():
    ws = workspace("audit")
    assert scenes.scene(ws, VIEW).exact is None
    revealed = scenes.scene(ws, replace(VIEW, revealed=True))
    np.testing.assert_array_equal(revealed.exact["value"], ws.exact())
    assert "not private" in page.reading(revealed)


def test_a_search_that_finds_nothing_shows_all():
    ws = workspace("audit")
    found = scenes.scene(ws, VIEW, Choice(search="high"))
    assert 0 < len(found.numbers) < 5
    lost = scenes.scene(ws, VIEW, Choice(search="nowhere"))
    assert (lost.lost, len(lost.numbers)) == (True, 5)
    assert page.reading(lost).endswith("No group has this in its name: all are shown.")


@pytest.mark.parametrize("query", few([QUERIES["sum"], None, QUERIES["mean"]], 3))
def test_the_sample_draws_the_same_numbers(query, monkeypatch, tmp_path):
    ws = Workspace.fresh()
    if query is not None:
        content = b"place,euros\nnorth,3\nsouth,-2\neast,20\n"
        monkeypatch.chdir(tmp_path)
        (tmp_path / "x.csv").write_bytes(content)
        ws = Workspace.load(content, name="x.csv")
        ws.state(query)
    ws.draw("research", "public", "audit")
    monkeypatch.setattr(page, "workspace", lambda: ws)
    again = numbers_of(recipe_code(scenes.drawn, **page.arguments(scenes.scene(ws, VIEW))))
    session, read = ws.round.mechanism, ws.statistic.query.estimate
    assert again.keys() == {*session.levels}
    for level, numbers in again.items():
        released = session.release(level) - session.family.mean(level)
        np.testing.assert_array_equal(numbers, read(released))


@pytest.mark.parametrize("family", few(["laplace", "gaussian", "skellam"], 3))
def test_that_tiers_share_a_number_is_said_exactly_where_they_do(family):
    found = set()
    for seed in range(8):
        ws = workspace("public", "audit", family=family, seed=seed)
        noisy, sharp = (t.values for t in ws.held)
        scene = scenes.scene(ws, VIEW)
        assert scene.equal == bool((noisy == sharp).any())
        said = any("share a number" in each.text for each in page.beside(scene))
        assert said == scene.equal
        found.add(said)
    assert (True in found) == (family != "gaussian")
    one = workspace("partners").held
    assert not share_numbers([*one, *one], ADDITIVE["laplace"]), "one release, twice"


def test_only_fractions_of_a_count_are_said_to_be_noise():
    for family, fractions in (("gaussian", True), ("discrete_laplace", False)):
        scene = scenes.scene(workspace("audit", family=family), VIEW)
        assert ("Tenths come from the noise" in page.reading(scene)) == fractions


# --- frames of what was released ---


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


def test_tiers_that_have_not_asked_are_left_out():
    tiers = tiers_of(COUNT, last=False)
    frame = releases_frame(COUNT, tiers, FAMILIES["gaussian"], 0.9)
    assert list(frame["tier"].unique()) == ["tier 0", "tier 1"]
    none = releases_frame(COUNT, tiers[2:], FAMILIES["gaussian"], 0.9)
    assert tuple(none.columns) == RELEASE
    assert none.empty


@for_each("key", list(PROCESSINGS))
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


def test_the_ledger_names_neighbours_and_never_the_exact_number():
    ws = Workspace.fresh()
    for name in ("research", "public", "audit", "partners"):
        ws.draw(name)
    ledger = ledger_frame(ws.ledger, words.percent)
    assert tuple(ledger.columns) == LEDGER
    assert list(ledger["drawn from"]) == [
        "new noise on the exact number (not shown)",
        "new noise on research",
        "the exact number (not shown) 25\u202f%, research 75\u202f%",
        "research 75\u202f%, public 25\u202f%",
    ]


def tiers_of(query, levels=LEVELS, *, values=None, last=True):
    """Tiers with whole numbers as values; the last one may not have asked."""
    made = []
    for rank, level in enumerate(levels):
        numbers = np.arange(query.dimension) * 1000 + 3000 + rank if values is None else values
        held = numbers if last or rank < len(levels) - 1 else None
        look = {"style": TierStyle(rank + 1, rank), "letter": "ρ", "loss": rank + 1.0}
        made.append(HeldTier(name=f"tier {rank}", level=level, values=held, **look))
    return made


# --- of many groups, some ---


def many():
    """Two tiers; the less private one holds VALUES, the other the opposite."""
    frame = releases(["public", "audit"], GROUPS)
    sign = np.where(frame["tier"] == "audit", 1.0, -1.0)
    value = sign * frame["group"].map(VALUES)
    return frame.assign(value=value, low=value - 10, high=value + 10)


def shown(frame):
    return list(frame.loc[frame["tier"] == frame["tier"].iloc[0], "group"])


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("list", GROUPS),
        ("largest", ["Bergen", "Ås", "Oslo", "oslofjord", "[O]"]),
        ("smallest", ["[O]", "oslofjord", "Oslo", "Ås", "Bergen"]),
    ],
)
def test_orders_go_by_the_least_private_tier(order, expected):
    frame = many()
    before = frame.copy(deep=True)
    found = pick_groups(frame, order=order)
    assert shown(found) == expected
    assert list(found["tier"]) == ["public"] * 5 + ["audit"] * 5
    assert shown(found[found["tier"] == "audit"]) == expected
    assert shown(pick_groups(frame, order=order, show=2)) == expected[:2]
    merged = found.merge(frame, on=["group", "tier"])
    assert (merged["value_x"] == merged["value_y"]).all()
    pd.testing.assert_frame_equal(frame, before)


@for_each(
    ("search", "expected"),
    [
        ("OSLO", ["Oslo", "oslofjord"]),
        ("[o]", ["[O]"]),
        (".*", []),
        (" ås ", ["Ås"]),
        ("", GROUPS),
    ],
)
def test_search_is_plain_text_whatever_its_capitals(search, expected):
    found = pick_groups(many(), search=search)
    assert list(found["group"].drop_duplicates()) == expected


def test_unknown_numbers_are_last():
    frame = unknown(many(), "audit", "Ås")
    for order in ("largest", "smallest"):
        assert shown(pick_groups(frame, order=order))[-1] == "Ås"
