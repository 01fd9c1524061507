"""Releases as rows and as strips: every number where it belongs, and nothing that was not asked."""

import numpy as np
import pandas as pd
import pytest

from dpviz.charts.releases.chart import is_thinned, release_chart
from dpviz.charts.strips import MOST_POINTS, thin
from dpviz.charts.tidy import TOO_FEW
from dpviz.errors import ParameterError
from dpviz.palette import GREY, TierStyle
from tests.figure_frames import HOSTILE, markers, releases, texts, unknown

FOUR = ["public", "partners", "research", "audit"]
WORDS = {"noun": "people", "axis_title": "people, 2025", "confidence": 0.95}


def groups(count):
    return [f"group {i}" for i in range(count)]


def chart(frame, **more):
    return release_chart(frame, **{**WORDS, **more})


def rows_of(frame, tier):
    return frame[frame["tier"] == tier]


def lines(fig):
    return {t.name: t for t in fig.data if t.mode == "lines" and t.name}


def dots(fig):
    return {t.name: t for t in fig.data if t.mode == "markers"}


def test_rows_mark_every_release_with_its_interval():
    frame = releases(FOUR, groups(8))
    before = frame.copy(deep=True)
    fig = chart(frame)
    assert list(dots(fig)) == list(lines(fig)) == FOUR
    for name, trace in dots(fig).items():
        own, line = rows_of(frame, name), lines(fig)[name]
        np.testing.assert_array_equal(trace.x, own["value"])
        ends = line.x.reshape(-1, 3)
        np.testing.assert_array_equal(ends[:, 0], own["low"])
        np.testing.assert_array_equal(ends[:, 1], own["high"])
        assert np.isnan(ends[:, 2]).all()  # no line runs from one group to the next
        np.testing.assert_array_equal(line.y.reshape(-1, 3)[:, 0], trace.y)
        style = own["style"].iloc[0]
        assert (trace.marker.color, trace.marker.symbol) == (style.colour, style.marker)
        assert trace.cliponaxis is False  # whole, also at an end of the axis
        assert line.line.color == style.colour
    assert fig.layout.xaxis.title.text == "people, 2025"
    assert list(fig.layout.yaxis.ticktext) == groups(8)
    pd.testing.assert_frame_equal(frame, before)


def test_rows_keep_tiers_and_groups_in_the_order_of_the_frame():
    fig = chart(releases(FOUR, ["z", "a"]))
    heights = np.array([trace.y for trace in dots(fig).values()])
    assert np.all(np.diff(heights, axis=0) > 0)  # pixels from the top: public first
    assert np.all(heights[:, 0] < heights[:, 1])
    assert list(fig.layout.yaxis.ticktext) == ["z", "a"]
    assert fig.layout.yaxis.range[0] > fig.layout.yaxis.range[1]


def test_rows_name_every_tier_with_accuracy_and_budget():
    fig = chart(releases(FOUR, groups(2)))
    said = [note.text for note in fig.layout.annotations]
    assert [text.split("</b> ")[1] for text in said] == [
        "±\u202f100, ρ = 0.1",
        "±\u202f50, ρ = 0.2",
        "±\u202f34, ρ = 0.3",
        "±\u202f25, ρ = 0.4",
    ]
    assert all(f"<b>{name}</b>" in text for name, text in zip(FOUR, said, strict=True))


@pytest.mark.parametrize("count", [7, 20, 100])
def test_many_tiers_name_only_the_most_and_the_least_private(count):
    names = [f"tier {i}" for i in range(count)]
    fig = chart(releases(names, groups(3)))
    said = [note.text for note in fig.layout.annotations]
    assert len(said) == 2
    assert "<b>tier 0</b>" in said[0]
    assert f"<b>tier {count - 1}</b>" in said[1]
    assert len(dots(fig)) == count


def test_the_hover_sentence():
    fig = chart(releases(["public"], ["0–9"]))
    assert dots(fig)["public"].hovertemplate == (
        "<b>public</b> sees %{x:,.0f} people for %{customdata}.<br>"
        "With 95\u202f% confidence the<br>"
        "true bounded number is within ±\u202f100 of that (ρ = 0.1).<extra></extra>"
    )
    assert list(dots(fig)["public"].customdata) == ["0–9"]
    raw = chart(releases(["public"], ["0–9"]), truth="true number plus the mean noise")
    assert "the<br>true number plus the mean noise is" in dots(raw)["public"].hovertemplate


def test_hover_of_differing_accuracies_says_each():
    values = {"value": [9.0, 9.0, 9.0], "low": [7.0, np.nan, 8.5], "high": [11.0, np.nan, 12.0]}
    frame = releases(["public"], ["a", "b", "c"]).assign(**values)
    fig = chart(frame)
    data = dots(fig)["public"].customdata
    assert data[0][0] == "a"
    assert data[0][1].endswith("is within ±\u202f2 of that")
    assert data[1][1].startswith("No guarantee")
    assert data[2][1].endswith("is between 8.5 and 12")
    assert fig.layout.annotations[0].text.endswith("</b> 7 to 11, ρ = 0.1")


@pytest.mark.parametrize("count", [2, 40])
def test_a_processed_number_outside_the_middle_of_its_interval_says_both_ends(count):
    frame = releases(["public"], groups(count)).assign(value=0.0, low=-14.0, high=-4.0)
    fig = chart(frame)
    told = lines(fig)["public"] if count == 40 else dots(fig)["public"]
    assert told.customdata[0][1].endswith("is between −14 and −4")
    assert "±\u202f5" in fig.layout.annotations[0].text  # the accuracy of the release itself


@pytest.mark.parametrize("count", [2, 40])
def test_no_guarantee_draws_no_interval_and_says_so(count):
    fig = chart(releases(["public"], groups(count)).assign(low=np.nan, high=np.nan))
    assert len(fig.data) == 1
    assert "No guarantee" in fig.data[0].hovertemplate
    assert "±" not in " ".join(texts(fig))


@pytest.mark.parametrize("group", ["group 0", "group 2"])
def test_too_few_to_tell_is_a_note_and_no_mark(group):
    fig = chart(unknown(releases(FOUR, groups(4)), "research", group))
    said = [note.text for note in fig.layout.annotations if TOO_FEW in note.text]
    assert len(said) == 1
    assert TierStyle(8, 2).glyph in said[0]
    assert ("<b>research</b>" in said[0]) == (group == "group 0")  # named in the first row
    missing = groups(4).index(group)
    x = dots(fig)["research"].x
    assert np.isnan(x[missing])
    assert np.isfinite(np.delete(x, missing)).all()
    assert np.isfinite(fig.layout.xaxis.range).all()


def test_nothing_but_too_few_to_tell_still_is_a_picture():
    for count in (3, 40):
        frame = releases(FOUR, groups(count)).assign(value=np.nan)
        bare = frame.assign(low=np.nan, high=np.nan)
        for each in (frame, bare):
            fig = chart(each)
            assert TOO_FEW in " ".join(texts(fig))
            axis = fig.layout.xaxis if count == 3 else fig.layout.yaxis
            assert np.isfinite(axis.range).all()


def test_strips_have_a_gap_where_there_are_too_few_and_say_in_how_many_groups():
    frame = unknown(unknown(releases(FOUR, groups(40)), "audit", "group 7"), "audit", "group 9")
    fig = chart(frame)
    assert np.flatnonzero(np.isnan(lines(fig)["audit"].y)).tolist() == [7, 9]
    assert fig.layout.annotations[3].text.endswith(f"{TOO_FEW} in 2 groups")
    assert TOO_FEW not in fig.layout.annotations[0].text


@pytest.mark.parametrize("count", [4, 40])
def test_the_exact_numbers_are_there_only_when_given(count):
    frame = releases(FOUR, groups(count))
    exact = pd.DataFrame({"group": [*groups(count), "elsewhere"], "value": 123.456})
    secret = exact["value"].iloc[0]

    def numbers(fig):
        return [v for t in fig.data for v in np.ravel(np.array([*t.x, *t.y], dtype=float))]

    assert secret not in numbers(chart(frame))
    shown = chart(frame, exact=exact)
    assert numbers(shown).count(secret) == (3 * count if count == 4 else 4 * count)
    grey = [trace for trace in shown.data if trace.name == "exact"]
    assert {trace.line.color for trace in grey} == {GREY}
    assert "not private" in " ".join(texts(shown))


@pytest.mark.parametrize("count", [5, 50])
def test_negative_releases_are_in_view(count):
    frame = releases(FOUR, groups(count))
    frame[["value", "low", "high"]] -= 1000
    fig = chart(frame)
    low, high = (fig.layout.xaxis if count == 5 else fig.layout.yaxis).range
    assert low < frame["low"].min()
    assert high > frame["high"].max()


def test_more_than_thirty_groups_are_strips_on_one_scale():
    assert dots(chart(releases(FOUR, groups(30))))
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


def test_colours_are_those_of_the_rows():
    rows, strips = chart(releases(FOUR, groups(3))), chart(releases(FOUR, groups(33)))
    assert {name: colour for name, (colour, _) in markers(rows).items()} == {
        name: trace.line.color for name, trace in lines(strips).items()
    }


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
        assert (len(lines(chart(frame))["t0"].x) < count) is thinned
    assert not is_thinned(releases(FOUR, groups(30)))


def test_a_large_figure_stays_small():
    frame = releases(FOUR, groups(20_000))
    fig = chart(frame)
    assert max(len(trace.x) for trace in fig.data) <= MOST_POINTS
    assert len(fig.to_json()) < 1_000_000


@pytest.mark.parametrize("count", [4, 40])
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_only_text(name, count):
    frame = releases([name, "b"], [name, *groups(count)[1:]])
    frame["budget"] = name
    exact = frame.loc[frame["tier"] == "b", ["group", "value"]]
    fig = chart(frame, noun=name, axis_title=name, group_title=name, exact=exact)
    ours = ("<b>", "</b>", "<br>", "</span>", "<extra></extra>", "%{customdata}")
    for text in texts(fig):
        rest = text
        for tag in ours:
            rest = rest.replace(tag, "")
        for start in ("<span style=", "%{x:", "%{y:"):
            while start in rest:
                head, _, tail = rest.partition(start)
                rest = head + tail.partition(">" if start[0] == "<" else "}")[2]
        assert not set("<>$\n") & set(rest), text
        assert "%{" not in rest, text
        assert len(rest) < 400


def test_what_is_missing_is_named():
    frame = releases(FOUR, groups(2))
    with pytest.raises(ParameterError, match="lacks low"):
        chart(frame.drop(columns="low"))
    with pytest.raises(ParameterError, match="no rows"):
        chart(frame.iloc[:0])
    with pytest.raises(ParameterError, match="confidence"):
        chart(frame, confidence=95)
    with pytest.raises(ParameterError, match="lacks value"):
        chart(frame, exact=frame[["group"]])
