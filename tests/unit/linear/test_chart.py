"""Pictures of linear queries: bars of the ways, the totals of the year, rows of answers."""

from contextlib import nullcontext

import numpy as np
import pytest

from dpviz.charts.linear import answers_frame
from dpviz.palette import TierStyle
from dpviz.scenes.releases import RELEASE
from dpviz.ui import linear_queries as page
from dpviz.workspace.held import HeldTier
from dpviz.workspace.linear import WEEKS
from tests.claim_settings import OWN, workspace_of


@pytest.fixture
def scene(visit):
    visit.come()
    return page.asked(workspace_of(*OWN[0]), nullcontext())


def test_the_bars_are_the_errors_of_the_ways_the_least_on_top_and_in_ink(scene):
    (bars,) = page.pictures(scene)[1:]
    by_place = sorted(
        (y, x, trace.marker.color is None)
        for trace in bars.figure.data
        for x, y in zip(trace.x, trace.y, strict=True)
    )
    errors = sorted(scene.comparison.ways[name].typical for name in page.named(scene))
    assert [x for _, x, _ in by_place] == errors
    assert [inked for *_, inked in by_place] == [True] + [False] * (len(errors) - 1)
    assert "nearly the least" in bars.alt


def test_the_line_is_the_totals_and_the_bands_are_one_standard_deviation(scene):
    picture, _ = page.pictures(scene)
    true = np.cumsum(WEEKS)
    for name, way in (
        ("noise on each total", scene.compared),
        ("noise in the right places", scene.way),
    ):
        band = next(t for t in picture.figure.data if t.name == name and len(t.x) == 2 * len(true))
        half = np.sqrt(way.variances)
        assert band.y[: len(true)] == pytest.approx(true - half)
        assert band.y[len(true) :] == pytest.approx((true + half)[::-1])
    line = next(trace for trace in picture.figure.data if trace.name == "the true totals")
    assert line.y.tolist() == true.tolist()


def test_answers_have_their_intervals():
    tier = HeldTier(
        name="public", level=2.0, letter="ε", loss=1, style=TierStyle(2, 0), values=np.array([7, 9])
    )
    frame = answers_frame([tier], ["a", "b"], [np.array([1.0, 3.0])])
    assert tuple(frame.columns) == RELEASE
    assert frame[["value", "low", "high"]].to_numpy().tolist() == [[7, 6, 8], [9, 6, 12]]
    assert answers_frame([], [], []).empty
