"""The last draw on its string, and the orders of asking: right numbers, and never the exact one."""

import json

import numpy as np
import pytest
from scipy import stats

from dpviz import streams
from dpviz.accounting import half_width
from dpviz.charts.releases.any_order import SHOWN, reach_of, swarm, swarm_frame
from dpviz.charts.releases.last_draw import LastDraw, last_draw_chart, last_draw_frames
from dpviz.charts.threads_frame import GAUSSIAN
from dpviz.errors import ParameterError
from dpviz.experiments.orders import errors_by_order
from dpviz.noise import ADDITIVE
from dpviz.planning import cast
from dpviz.release import MultipleRelease
from dpviz.ui.releases import words
from dpviz.words import percent
from dpviz.workspace.held import HeldTier
from tests.app.reading import numbers_in

LEVELS = {"audit": 1.25, "research": 5 / 3, "partners": 2.5, "public": 5.0}
EXACT = 2711


def last(names, drawn, family=GAUSSIAN, step=1.0, levels=LEVELS):
    """These tiers hold their releases of EXACT, and one of them was drawn last."""
    session = MultipleRelease([EXACT], family, rng=streams.teaching(7))
    tiers = [
        HeldTier(
            name=name,
            level=levels[name],
            letter="ρ",
            loss=0.5 / levels[name],
            slot=cast.STYLES[name].slot,
            symbol=cast.STYLES[name].symbol,
            values=session.release(levels[name]),
        )
        for name in names
    ]
    return LastDraw(tuple(tiers), levels[drawn], 0, family, step)


def chart(of):
    rows, string = last_draw_frames(of)
    style = cast.STYLES[of.drawn.name]
    return last_draw_chart(rows, string, pinned=style, remark="not shown")


@pytest.mark.parametrize("family", ADDITIVE.values(), ids=ADDITIVE)
def test_rows_are_what_the_tiers_read_and_hang_from_the_next_sharper_one(family):
    levels = {name: 4.0 * level for name, level in LEVELS.items()}
    of = last(LEVELS, "partners", family, 0.5, levels)
    rows, string = last_draw_frames(of)
    mean = np.array([family.mean(levels[name]) for name in LEVELS])
    raw = np.array([t.values[0] for t in of.tiers])
    np.testing.assert_allclose(rows["value"], 0.5 * (raw - mean), rtol=1e-12)
    assert rows["who"].tolist() == list(LEVELS)
    assert rows["above"].tolist() == ["", "audit", "research", "partners"]
    assert rows["state"].tolist() == ["held", "held", "large", "held"]
    for tier, half in zip(of.tiers, rows["half"], strict=True):
        assert half == pytest.approx(0.5 * half_width(family, tier.level, 0.95))
    for end, who in ((string.iloc[0], 1), (string.iloc[-1], 3)):
        assert end["low"] == end["high"] == pytest.approx(rows["value"][who])
        assert end["sd"] == pytest.approx(rows["sd"][who])
    assert (string["low"] <= string["high"]).all()


def test_the_string_holds_the_middle_of_the_bridge():
    of = last(LEVELS, "partners")
    rows, string = last_draw_frames(of)
    top, foot = LEVELS["research"], LEVELS["public"]
    assert {percent(0.5), percent(0.95)} <= {note.text for note in chart(of).layout.annotations}
    middle = string.iloc[len(string) // 2]
    level = middle["sd"] ** 2
    share = (level - top) / (foot - top)
    mean = rows["value"][1] + share * (rows["value"][3] - rows["value"][1])
    law = stats.norm(mean, np.sqrt((level - top) * (foot - level) / (foot - top)))
    assert middle[["low", "lower", "upper", "high"]].tolist() == pytest.approx(
        law.ppf([0.025, 0.25, 0.75, 0.975]).tolist()
    )


@pytest.mark.parametrize("names", [["public"], ["research", "public"], list(LEVELS)])
def test_the_exact_number_is_in_no_figure(names):
    for drawn in names:
        fig = chart(last(names, drawn))
        found = {*numbers_in(json.loads(fig.to_json()))}
        assert EXACT not in found
        assert all(np.isfinite(fig.layout[axis].range).all() for axis in ("xaxis", "yaxis"))
        assert {"cone", "the truth"}.isdisjoint(trace.name for trace in fig.data)
        assert "stub" in [trace.name for trace in fig.data]


def test_rows_that_would_touch_are_spread_and_far_ones_left_out():
    names = [f"tier {i}" for i in range(12)]
    levels = {name: 1.0 + 0.01 * i for i, name in enumerate(names)}
    tiers = [
        HeldTier(
            name=name, level=level, letter="ρ", loss=1, slot=2, symbol=0, values=np.array([level])
        )
        for name, level in levels.items()
    ]
    rows, string = last_draw_frames(LastDraw(tuple(tiers), levels["tier 5"], 0, GAUSSIAN, 1.0))
    assert rows["who"].tolist() == ["tier 4", "tier 5", "tier 6"]
    assert np.diff(rows["sd"]).min() > 0
    assert string is not None
    with pytest.raises(ParameterError, match="level"):
        LastDraw(tuple(tiers), 3.0, 0, GAUSSIAN, 1.0)


def test_the_sentence_names_what_the_draw_looked_at():
    assert "asked first" in words.last_draw(last(["public"], "public"))
    sharper = words.last_draw(last(["audit", "public"], "audit"))
    assert "between the exact number, which is not shown, and public’s" in sharper
    blurrier = words.last_draw(last(["audit", "public"], "public"))
    assert "audit’s" in blurrier
    assert blurrier.endswith("Nothing else was looked at.")
    assert "was drawn from research’s" in words.last_draw(last(LEVELS, "partners"))


def test_every_order_has_the_same_spread():
    orders = (list(LEVELS), list(LEVELS)[::-1], cast.ASKING)
    found = errors_by_order(GAUSSIAN, LEVELS, orders, 40_000, rng=streams.teaching(7))
    sds = {name: level**0.5 for name, level in LEVELS.items()}
    frames = [swarm_frame(errors, sds, cast.STYLES) for errors in found]
    for order, errors, frame in zip(orders, found, frames, strict=True):
        assert list(errors) == list(order)
        spreads = frame.drop_duplicates("tier").set_index("tier")
        assert list(spreads.index) == list(LEVELS)  # sharpest on top
        for name, sd in sds.items():
            assert spreads["spread"][name] == pytest.approx(sd, rel=0.03)
            assert spreads["asked"][name] == order.index(name) + 1
    fig = swarm(frames[2], reach=reach_of(frames))
    marks = {t.name: t for t in fig.data if t.mode == "markers"}
    assert len(marks["audit"].x) == SHOWN
    assert max(np.abs(marks["public"].x)) <= fig.layout.xaxis.range[1]
    assert fig.layout.yaxis.ticktext[0].startswith("3rd")
