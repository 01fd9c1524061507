"""The figures of the front page: as much ink for each, strings that are held."""

import math
import re

import numpy as np
import pytest

from dpviz.charts.start import blurs, plucked
from dpviz.errors import ParameterError
from dpviz.palette import TierStyle
from dpviz.scenes.threads import Mark, string_frame, threads_frame

AUDIT = Mark(who="audit", rho=0.4, style=TierStyle(11, 3), value=310.6)
PUBLIC = Mark(who="public", rho=0.1, style=TierStyle(2, 0), value=308.7)
NEW = Mark(who="council", rho=0.2, style=TierStyle(3, 4))


def test_every_bar_has_as_much_ink():
    frame = threads_frame([AUDIT, PUBLIC], ("the truth", 312.0))
    bars = [trace for trace in blurs(frame, ticks={}).data if trace.type == "heatmap"]
    assert len(bars) == 2
    inks = []
    for bar, mark in zip(bars, (AUDIT, PUBLIC), strict=True):
        darkest = float(re.findall(r"[\d.]+(?=\))", bar.colorscale[1][1])[0])
        inks.append(darkest * np.trapezoid(bar.z[0], bar.x))
        assert np.max(bar.z) == pytest.approx(1)
        assert np.mean(bar.y) == pytest.approx(math.sqrt(1 / (2 * mark.rho)))
    assert inks[0] == pytest.approx(inks[1], rel=0.02)


def strings(ways, new=NEW):
    frame = threads_frame([AUDIT, PUBLIC, new])
    below = {"audit": "April", "council": "<next>", "public": "May"}
    words = {"pins": ("audit", "public"), "new": "council", "ticks": {}, "remark": "up there"}
    string = string_frame(AUDIT, PUBLIC)
    return plucked(frame, string, ways, NEW.style, **words, below=below)


def test_each_way_hangs_between_the_pins():
    fig = strings((309.0, 311.0))
    ways = [trace for trace in fig.data if trace.name == "way"]
    assert [way.x for way in ways] == [(310.6, 309.0, 308.7), (310.6, 311.0, 308.7)]
    (pins,) = (trace for trace in fig.data if trace.name == "pins")
    assert pins.x == (310.6, 308.7)
    assert [label.split("<br>")[1] for label in fig.layout.yaxis.ticktext[1:]] == [
        "April",
        "&lt;next&gt;",
        "May",
    ]
    assert not [trace for trace in strings(()).data if trace.name == "way"]


def test_the_bands_are_in_the_plot():
    low, high = strings(()).layout.xaxis.range
    string = string_frame(AUDIT, PUBLIC)
    assert low <= string["low"].min()
    assert high >= string["high"].max()


@pytest.mark.parametrize("bad", [math.nan, math.inf, None])
def test_a_way_that_is_no_number_is_refused(bad):
    with pytest.raises(ParameterError):
        strings((bad,))
