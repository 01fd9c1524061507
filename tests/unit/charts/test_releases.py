"""Releases of many groups as strips: every number where it belongs, and nothing else.

One tier's view: its own numbers in large type, on a scale that several pages share.
"""

import numpy as np
import pandas as pd
import pytest

from dpviz.charts.forms.lines import thin
from dpviz.charts.labels import pixels
from dpviz.charts.present import TEXT, one_tier_chart, sample_frame, span_of
from dpviz.charts.releases import ROWS_UP_TO, is_thinned, release_chart
from dpviz.errors import ParameterError
from dpviz.scenes.releases import TOO_FEW
from tests.conftest import few, for_each
from tests.figure_frames import HOSTILE, check_harmless, releases, texts, unknown

FOUR = ["public", "partners", "research", "audit"]
WORDS = {"what": "Visits.", "noun": "people", "confidence": 0.95}


def groups(count):
    return [f"group {i}" for i in range(count)]


def chart(frame, **more):
    return release_chart(frame, **{**WORDS, **more}).figure


def rows_of(frame, tier):
    return frame[frame["tier"] == tier]


def lines(fig):
    return {t.name: t for t in fig.data if t.mode == "lines" and t.name}


def test_a_processed_number_outside_the_middle_of_its_interval_says_both_ends():
    frame = releases(["public"], groups(40)).assign(value=0.0, low=-14.0, high=-4.0)
    fig = chart(frame)
    assert lines(fig)["public"].customdata[0][1].endswith("is between −14 and −4")
    assert "±\u202f5" in fig.layout.annotations[0].text  # the accuracy of the release itself


def test_no_guarantee_draws_no_interval_and_says_so():
    fig = chart(releases(["public"], groups(40)).assign(low=np.nan, high=np.nan))
    assert len(fig.data) == 1
    assert "No guarantee" in fig.data[0].hovertemplate
    assert "±" not in " ".join(texts(fig))


def test_nothing_but_too_few_to_tell_still_is_a_picture():
    frame = releases(FOUR, groups(40)).assign(value=np.nan)
    for each in (frame, frame.assign(low=np.nan, high=np.nan)):
        fig = chart(each)
        assert TOO_FEW in " ".join(texts(fig))
        assert np.isfinite(fig.layout.yaxis.range).all()


def test_strips_have_a_gap_where_there_are_too_few_and_say_in_how_many_groups():
    frame = unknown(unknown(releases(FOUR, groups(40)), "audit", "group 7"), "audit", "group 9")
    fig = chart(frame)
    assert np.flatnonzero(np.isnan(lines(fig)["audit"].y)).tolist() == [7, 9]
    assert fig.layout.annotations[3].text.endswith(f"{TOO_FEW} in 2 groups")
    assert TOO_FEW not in fig.layout.annotations[0].text


def test_the_exact_numbers_are_there_only_when_given():
    frame = releases(FOUR, groups(40))
    exact = pd.DataFrame({"group": [*groups(40), "elsewhere"], "value": 123.456})
    secret = exact["value"].iloc[0]

    def numbers(fig):
        return [v for t in fig.data for v in np.ravel(np.array([*t.x, *t.y], dtype=float))]

    assert secret not in numbers(chart(frame))
    shown = chart(frame, exact=exact)
    assert numbers(shown).count(secret) == 4 * 40
    ink = [trace for trace in shown.data if trace.name == "exact"]
    assert {trace.line.color for trace in ink} == {None}, "the ink of the page"
    assert "not private" in " ".join(texts(shown))


def test_negative_releases_are_in_view():
    frame = releases(FOUR, groups(50))
    frame[["value", "low", "high"]] -= 1000
    fig = chart(frame)
    low, high = fig.layout.yaxis.range
    assert low < frame["low"].min()
    assert high > frame["high"].max()


def test_more_than_thirty_groups_are_strips_on_one_scale():
    few = chart(releases(FOUR, groups(ROWS_UP_TO)))
    assert "bar" in {trace.type for trace in few.data}
    frame = releases(FOUR, groups(31))
    before = frame.copy(deep=True)
    fig = chart(frame, group_title="municipality")
    assert len(fig.data) == 3 * 4
    assert fig.layout.xaxis.title.text == "municipality"
    axes = [fig.layout[f"yaxis{key}"] for key in ("", 2, 3, 4)]
    pixels = [(a.domain[1] - a.domain[0]) / (a.range[1] - a.range[0]) for a in axes]
    assert pixels == pytest.approx([pixels[0]] * 4)  # as long as its numbers need
    tops = [axis.domain[1] for axis in axes]
    assert tops == sorted(tops, reverse=True)
    for name, trace in lines(fig).items():
        own = rows_of(frame, name)
        np.testing.assert_array_equal(trace.y, own["value"])
        np.testing.assert_array_equal(trace.x, np.arange(31))
        low, high = (t for t in fig.data if t.yaxis == trace.yaxis and not t.name)
        np.testing.assert_array_equal(low.y, own["low"])
        np.testing.assert_array_equal(high.y, own["high"])
        assert high.fill == "tonexty"
        assert trace.line.shape == low.line.shape == high.line.shape == "hvh"
    pd.testing.assert_frame_equal(frame, before)


def test_strips_put_shuffled_rows_in_place():
    frame = releases(["public"], groups(40))
    fig = chart(pd.concat([frame.iloc[:1], frame.iloc[:0:-1]]))
    assert list(lines(fig)["public"].x) == list(range(40))


@pytest.mark.parametrize("most", [4, 10, 101, 2000])
def test_thinning_keeps_ends_and_extremes_and_the_order(seed, most):
    values = np.random.default_rng(seed).normal(size=54_321)
    kept = thin(values, most)
    assert len(kept) <= most
    assert np.all(np.diff(kept) > 0)
    assert (kept[0], kept[-1]) == (0, 54_320)
    assert {values.argmin(), values.argmax()} <= set(kept)
    for size in (0, 1, most):
        assert thin(values[:size], most).tolist() == list(range(size))
    values[:30_000:7] = np.nan
    assert {np.nanargmin(values), np.nanargmax(values)} <= set(thin(values, most))
    assert len(thin(np.full(99, np.nan), 4)) <= 4


def test_thinning_is_announced_exactly_when_it_happens():
    for tiers, count, thinned in [(1, 2000, False), (1, 2001, True), (100, 400, False)]:
        frame = releases([f"t{i}" for i in range(tiers)], groups(count))
        assert is_thinned(frame) is thinned
        if tiers == 1:
            assert (len(lines(chart(frame))["t0"].x) < count) is thinned
    assert not is_thinned(releases(FOUR, groups(30)))


@pytest.mark.parametrize("name", few(HOSTILE, 5))
def test_hostile_names_are_only_text(name):
    frame = releases([name, "b"], [name, *groups(40)[1:]])
    frame["budget"] = name
    exact = frame.loc[frame["tier"] == "b", ["group", "value"]]
    fig = chart(frame, noun=name, group_title=name, exact=exact)
    check_harmless(fig)
    assert max(map(len, texts(fig))) < 800


GROUPS = [f"group {i}" for i in range(5)]


def view(groups=GROUPS, tier="audit"):
    frame = releases(["public", "audit"], groups)
    return frame[frame["tier"] == tier]


def test_every_number_is_marked_with_its_interval_and_written_out():
    frame = view()
    before = frame.copy(deep=True)
    fig = one_tier_chart(frame, axis_title="people")
    bar, mark = fig.data
    np.testing.assert_array_equal(mark.x, frame["value"])
    np.testing.assert_array_equal(bar.x.reshape(-1, 3)[:, 0], frame["low"])
    np.testing.assert_array_equal(bar.x.reshape(-1, 3)[:, 1], frame["high"])
    style = frame["style"].iloc[0]
    assert (mark.marker.color, mark.marker.symbol) == (style.colour, style.marker)
    said = [note.text.replace("\u202f", "") for note in fig.layout.annotations]
    assert said[0::2] == GROUPS
    assert said[1::2] == [f"<b>{value:,.0f}</b> ±50" for value in frame["value"]]
    pd.testing.assert_frame_equal(frame, before)


def test_names_stand_on_the_left_and_numbers_on_the_right_above_each_bar():
    frame = view(["short", "a name that needs a second line", *GROUPS[2:]])
    frame = frame.assign(value=[0.0, 25.0, 50.0, 75.0, 100.0], low=0.0, high=100.0)
    fig = one_tier_chart(frame, axis_title="n", span=(0.0, 100.0))
    notes = fig.layout.annotations
    assert [(note.x, note.xanchor) for note in notes] == [(0, "left"), (1, "right")] * 5
    assert notes[1].text == "<b>0</b> (0 to 100)"
    assert notes[2].text == "a name that needs<br>a second line"
    rows = [note.y for note in notes[0::2]]
    below = np.diff([*rows, fig.layout.yaxis.range[0]])
    assert (below > 0).all()
    assert [note.y for note in notes[1::2]] == rows
    for name, mark in zip(rows, fig.data[1].y, strict=True):
        assert mark > name


@for_each("high", [7.0, 707.0, 41_000.0, 3.5e6])
def test_the_ticks_fit_beside_one_another_on_a_phone(high):
    axis = one_tier_chart(view(), axis_title="n", span=(0.0, high)).layout.xaxis
    assert len(axis.ticktext) >= 2
    assert sum(pixels(text, TEXT) for text in axis.ticktext) <= 200


def test_pages_share_a_scale():
    frame = view([f"g{i}" for i in range(8)])
    frame.iloc[-1, frame.columns.get_loc("high")] = 1e9  # on the last page
    span = span_of(frame)
    pages = [frame.iloc[:5], frame.iloc[5:]]
    figs = [one_tier_chart(page, axis_title="people", span=span) for page in pages]
    assert [fig.layout.xaxis.range for fig in figs] == [span, span]
    assert [len(fig.data[1].x) for fig in figs] == [5, 3]
    assert span[0] <= frame["low"].min()
    assert span[1] >= 1e9


def test_too_few_to_tell_is_said_and_not_marked():
    fig = one_tier_chart(unknown(view(), "audit", "group 1"), axis_title="years")
    told = [note.text for note in fig.layout.annotations]
    assert [text for text in told if TOO_FEW in text] == [told[3]] == [TOO_FEW]
    assert np.isnan(fig.data[1].x[1])
    assert np.isnan(fig.data[0].x[3:5]).all()


def test_no_guarantee_has_a_number_and_no_bar():
    fig = one_tier_chart(view().assign(low=np.nan, high=np.nan), axis_title="people")
    assert "±" not in " ".join(texts(fig))
    assert "No guarantee" in fig.data[1].hovertemplate


@for_each("name", few(HOSTILE, 3))
def test_hostile_names_are_only_text_when_shown_large(name):
    frame = view().assign(group=name, tier=name, budget=name)
    check_harmless(one_tier_chart(frame, axis_title=name))


def test_one_tier_and_all_its_columns_are_asked_for():
    with pytest.raises(ParameterError, match="several tiers"):
        one_tier_chart(releases(["a", "b"], GROUPS), axis_title="n")
    with pytest.raises(ParameterError, match="lacks high"):
        one_tier_chart(view().drop(columns="high"), axis_title="n")
    with pytest.raises(ParameterError, match="no rows"):
        one_tier_chart(view().iloc[:0], axis_title="n")
    with pytest.raises(ParameterError, match="confidence"):
        one_tier_chart(view(), axis_title="n", confidence=95)


def test_a_number_without_noise_to_speak_of_claims_no_interval_and_keeps_its_mark_whole():
    exact = view().assign(value=[0.0, 1, 2, 3, 659.0])
    exact = exact.assign(low=exact["value"], high=exact["value"])
    fig = one_tier_chart(exact, axis_title="people")
    assert fig.layout.annotations[-1].text == "<b>659</b>"
    low, high = fig.layout.xaxis.range
    assert (high - 659) / (high - low) * 200 > 12  # half a mark, on a phone


def test_one_number_alone_stands_over_its_mark_unless_its_name_is_in_the_way():
    near = sample_frame()
    far = near.assign(group="a name that is long and takes the room")
    for frame, x in ((near, 312.0), (far, 1.0)):
        name, number = one_tier_chart(frame, axis_title="people").layout.annotations
        assert number.text.startswith("<b>312</b>")
        assert (name.x, number.x) == (0, x)
