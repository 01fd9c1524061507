"""Hills: one row per tier, on the released number, and names that no hill covers."""

import numpy as np
import pandas as pd
import pytest

from dpviz.charts.releases.chart import release_chart
from dpviz.charts.start.hills import hills
from dpviz.errors import ParameterError
from tests.figure_frames import HOSTILE, hill_frames, markers, releases, texts

FOUR = ["public", "partners", "research", "audit"]
WORDS = {"axis_title": "bed days in 2025", "noun": "bed days"}


def curves_of(fig):
    return {t.name: t for t in fig.data if t.fill == "toself"}


def bars_of(fig):
    return {t.name: t for t in fig.data if t.mode == "lines" and t.fill is None}


def heights(trace):
    return np.array(trace.y) - min(trace.y)


def test_every_tier_has_hill_bar_and_mark_where_they_belong():
    curves, marks = hill_frames(FOUR)
    copies = curves.copy(deep=True), marks.copy(deep=True)
    fig = hills(curves, marks, **WORDS)
    assert len(fig.data) == 3 * len(FOUR)
    for row in marks.itertuples():
        bar, hill = bars_of(fig)[row.tier], curves_of(fig)[row.tier]
        assert list(bar.x) == [row.centre - row.half_width, row.centre + row.half_width]
        assert hill.x[np.argmax(hill.y)] == pytest.approx(row.centre)
        assert set(bar.y) == {min(hill.y)}
    mark = {t.name: t for t in fig.data if t.mode == "markers"}
    assert [mark[name].x[0] for name in FOUR] == list(marks["centre"])
    assert fig.layout.xaxis.title.text == "bed days in 2025"
    pd.testing.assert_frame_equal(curves, copies[0])
    pd.testing.assert_frame_equal(marks, copies[1])


def test_the_most_private_is_on_top_and_rows_do_not_touch():
    fig = hills(*hill_frames(FOUR), **WORDS)
    bases = [min(curves_of(fig)[name].y) for name in FOUR]
    assert bases == sorted(bases, reverse=True)
    assert max(heights(curves_of(fig)[name]).max() for name in FOUR) < 96


def test_width_shows_noise_and_the_scale_of_a_density_does_not_matter():
    scales = [1e-9, 5.0, 1.0, 1e9]
    one = curves_of(hills(*hill_frames(FOUR), **WORDS))
    other = curves_of(hills(*hill_frames(FOUR, scales=scales), **WORDS))
    tops = [heights(one[name]).max() for name in FOUR]
    assert tops == sorted(tops)
    np.testing.assert_allclose(tops, [heights(other[name]).max() for name in FOUR])
    assert tops[3] / tops[0] == pytest.approx(2.0)  # four times as wide: half as high


def test_names_change_sides_or_get_room_when_a_hill_is_in_the_way():
    halves = [300.0, 130.0, 76.0, 42.0]

    def sides(centres):
        fig = hills(*hill_frames(FOUR, centres=centres, halves=halves), **WORDS)
        return {note.xanchor for note in fig.layout.annotations}, fig.layout.xaxis.range

    assert sides([1700, 1700, 1700, 1700])[0] == {"left"}
    assert sides([1700, 1700, 1700, 1280])[0] == {"right"}
    side, (low, _) = sides([1700, 1700, 2120, 1280])
    assert side == {"left"}
    assert low < 1280 - 300


@pytest.mark.parametrize("count", [1, 2, 6, 7, 12])
def test_any_number_of_tiers(count):
    names = [f"tier {i}" for i in range(count)]
    fig = hills(*hill_frames(names), **WORDS)
    assert len(curves_of(fig)) == count
    assert len(fig.layout.annotations) == 2 * count
    assert fig.layout.height < 100 * count + 60


def test_discrete_hills_are_steps_with_room_for_the_first_and_the_last():
    marks = hill_frames(["a"])[1].assign(centre=2.0, half_width=2.0)
    curves = pd.DataFrame({"tier": "a", "x": [0, 1, 2, 3], "density": [0.4, 0.3, 0.2, 0.1]})
    steps = hills(curves, marks, **WORDS, discrete=True).data[0]
    assert steps.line.shape == "hvh"
    assert list(steps.x[1:-1]) == [-1, 0, 1, 2, 3, 4]
    smooth = hills(curves, marks, **WORDS).data[0]
    assert smooth.line.shape == "linear"
    assert smooth.line.simplify is False


def test_no_guarantee_draws_no_bar():
    curves, marks = hill_frames(["a", "b"])
    marks.loc[0, "half_width"] = np.nan
    fig = hills(curves, marks, **WORDS)
    assert set(bars_of(fig)) == {"b"}
    said = {t.name: t.hovertemplate for t in fig.data if t.mode == "markers"}
    assert "No guarantee" in said["a"]
    assert "95\u202f% confidence" in said["b"]


def test_a_density_of_nothing_but_zeros_is_flat():
    curves, marks = hill_frames(["a"])
    fig = hills(curves.assign(density=0.0), marks, **WORDS)
    assert heights(fig.data[0]).max() == 0


def test_tiers_look_as_in_every_other_figure():
    rows = release_chart(releases(FOUR, ["x"]), noun="n", axis_title="n", confidence=0.9)
    assert markers(hills(*hill_frames(FOUR), **WORDS)) == markers(rows)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_only_text(name):
    curves, marks = hill_frames([name, "b"])
    fig = hills(curves, marks.assign(label=name), axis_title=name, noun=name)
    for text in texts(fig):
        rest = text.replace("<b>", "").replace("</b>", "").replace("<br>", "")
        rest = rest.replace("<extra></extra>", "").replace("</span>", "")
        if rest.startswith("<span style="):
            rest = rest.partition(">")[2]
        assert not set("<>$\n") & set(rest)
        assert "%{" not in rest


def test_what_is_missing_is_named():
    curves, marks = hill_frames(["a", "b"])
    with pytest.raises(ParameterError, match="no curve"):
        hills(curves[curves["tier"] == "a"], marks, **WORDS)
    with pytest.raises(ParameterError, match="lacks density"):
        hills(curves.drop(columns="density"), marks, **WORDS)
    with pytest.raises(ParameterError, match="lacks label"):
        hills(curves, marks.drop(columns="label"), **WORDS)
