"""From which size on a group is readable, at each tier."""

import numpy as np
import pandas as pd
import pytest

from dpviz.charts.tiers.least_sizes import least_sizes
from dpviz.errors import ParameterError
from dpviz.palette import TierStyle
from tests.figure_frames import HOSTILE, texts


def rows(halves):
    frame = pd.DataFrame({"tier": list(halves), "half_width": list(halves.values())})
    return frame.assign(style=[TierStyle(1 + i % 12, i % 12) for i in range(len(frame))])


def test_a_line_per_tier_begins_at_the_least_size_it_can_read():
    frame = rows({"audit": 1.0, "public": 2.0}).rename(columns={"half_width": "size"})
    frame["size"] = [22.0, 0.0]
    fig = least_sizes(frame, [100.0, 0.0, 100.0, 30.0], axis_title="people")
    first, second = fig.data
    assert 10 ** first.x[0] == pytest.approx(22.0)
    assert second.x[0] == fig.layout.xaxis.range[0]
    assert list(fig.layout.xaxis.ticktext) == ["30", "100"]
    said = [note.text for note in fig.layout.annotations]
    assert said[0].endswith("22 and more")
    assert said[1].endswith("any size")
    assert len(least_sizes(frame, [*range(1, 40)], axis_title="n").layout.shapes) == 4
    assert np.isfinite(least_sizes(frame, [], axis_title="n").layout.xaxis.range).all()
    with pytest.raises(ParameterError, match="lacks size"):
        least_sizes(frame.drop(columns="size"), [], axis_title="n")


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_only_text(name):
    frame = rows({name: 1.0}).assign(size=1.0)
    for text in texts(least_sizes(frame, [1.0], axis_title=name)):
        rest = text
        for ours in ("<b>", "</b>", "<br>", "</span>"):
            rest = rest.replace(ours, "")
        if rest.startswith("<span style="):
            rest = rest.partition(">")[2]
        assert not set("<>$\n") & set(rest), text
        assert "%{" not in rest, text
