"""Rows of bars say all they show in hovers and alt text, and leave their frame alone.

Where everything stands on a phone and a desktop is measured in tests/browser/test_forms.py.
"""

import pandas as pd
import pytest

from dpviz.charts import theme
from dpviz.charts.forms.bar_rows import BAR_ROWS, LEAST, Scale, bar_rows
from dpviz.charts.labels import PHONE
from dpviz.errors import ParameterError
from tests.bar_cases import SCALE, cases, drawn, frame

each = pytest.mark.parametrize(("made", "large", "scale"), [c[1:] for c in cases()])


def marks(picture):
    return [
        (x, base, y, hover, trace.marker.color and trace.marker.color[i])
        for trace in picture.figure.data
        for i, (x, base, y, hover) in enumerate(
            zip(trace.x, trace.base, trace.y, trace.hovertext, strict=True)
        )
    ]


@each
def test_every_mark_has_a_hover_sentence_and_the_frame_is_not_changed(made, large, scale):
    before = made.copy(deep=True)
    found = marks(drawn(made, large, scale))
    pd.testing.assert_frame_equal(made, before)
    assert len(found) == len(made)
    for *_, hover, _ in found:
        assert hover.endswith(("Why.", "<br>Why."))
        assert "<b>" not in hover
    assert {round(x, 6) for x, *_ in found} == {round(x, 6) for x in made["length"]}


@each
def test_the_alt_text_has_every_number_and_name(made, large, scale):
    alt = drawn(made, large, scale).alt
    assert alt.startswith("How far off each is. ")
    bars = made.groupby(["group", "row"], sort=False).ngroups
    assert alt.count(made["end"][0]) == bars
    assert all(name in alt for name in made["group"])
    assert alt.endswith(".")
    assert (SCALE.high_words in alt) == (scale is not None)


@each
def test_segments_stand_one_after_the_other_and_leave_room(made, large, scale):
    picture = drawn(made, large, scale)
    start = scale.low if scale else 0.0
    rows = {}
    for x, base, y, _, _ in marks(picture):
        rows.setdefault(y, []).append((base, x))
    for segments in rows.values():
        at = start
        for base, x in sorted(segments):
            assert base == pytest.approx(at)
            at = base + x
    layout = picture.figure.layout
    assert PHONE - layout.margin.l - layout.margin.r >= LEAST
    assert layout.xaxis.range[0] == start
    assert layout.height == pytest.approx(layout.yaxis.range[0], abs=1)


def test_what_has_no_colour_gets_the_ink_of_the_page():
    picture = drawn(frame(1, 1, 1), None, None)
    inked = [trace for trace in picture.figure.data if trace.marker.color is None]
    assert len(inked) == 1
    for mode, ink in theme.INKS.items():
        dressed = theme.dress(picture.figure, mode)
        assert dressed.layout.template.data.bar[0].marker.color == ink["mark"]
        assert all(note.font.color is None for note in dressed.layout.annotations)


def test_names_from_outside_do_nothing():
    evil = "<i>x</i> %{y} $z$"
    made = frame(1, 1, 1).assign(group=evil, row=evil, unit=evil, end=evil, detail=evil)
    assert "<i>" not in drawn(made, None, None).figure.to_json()
    assert "%{" not in drawn(made, None, None).figure.to_json()
    assert evil in drawn(made, None, None).alt


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ParameterError):
        bar_rows(frame(1, 1, 1).drop(columns="end"), what="x")
    with pytest.raises(ParameterError):
        bar_rows(pd.DataFrame(columns=list(BAR_ROWS)), what="x")
    with pytest.raises(ParameterError):
        Scale(low=1.0, high=1.0, low_words="", high_words="")
