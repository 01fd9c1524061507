"""An enlarged figure is the same picture: what is measured in pixels grows, places stay."""

import plotly.graph_objects as go
import pytest

from dpviz.charts import theme
from dpviz.charts.forms.squares import guesses_frame, squares
from dpviz.errors import ParameterError
from dpviz.palette import TierStyle
from dpviz.ui.kit.enlarged import enlarged


def drawn():
    fig = squares(guesses_frame(("audit", 173, TierStyle(11, 3), False))).figure
    fig.add_annotation(text="a", x=3, y=4, xshift=10, font={"size": 14})
    fig.add_shape(type="line", x0=0, x1=1, y0=0, y1=1, line={"width": 2})
    fig.add_scatter(x=[1, 2], y=[3, 4], marker={"size": [5, 6], "line": {"width": 1}})
    return theme.dress(fig, "dark")


def test_type_marks_lines_and_heights_grow_and_places_stay():
    before = drawn()
    after = enlarged(before, 2)
    assert after.layout.height == 2 * before.layout.height
    assert after.layout.annotations[0].font.size == 28
    assert after.layout.annotations[0].xshift == 20
    assert after.layout.annotations[0].x == 3
    assert after.layout.shapes[0].line.width == 4
    assert list(after.data[-1].marker.size) == [10, 12]
    assert after.data[-1].marker.line.width == 2
    assert after.layout.template.layout.font.size == 2 * before.layout.template.layout.font.size
    for one, other in zip(before.to_dict()["data"], after.to_dict()["data"], strict=True):
        assert (one["x"], one["y"]) == (other["x"], other["y"])
    assert before == drawn()  # the original is left as it is


@pytest.mark.parametrize("times", [0, -1, float("nan")])
def test_nonsense_is_refused(times):
    with pytest.raises(ParameterError):
        enlarged(go.Figure(), times)
