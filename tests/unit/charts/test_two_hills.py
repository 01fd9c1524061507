"""Two hills: the law of a number around either truth, and the words at the number that came."""

import math

import numpy as np
import pytest
from scipy import stats

from dpviz.charts.two_hills import two_hills
from dpviz.palette import TierStyle
from dpviz.scenes.lessons import hills_frame

WORDS = {"names": ("if no", "if yes"), "says": "she sends", "ticks": {0.0: "no"}}


@pytest.mark.parametrize("rho", [0.1, 0.4])
@pytest.mark.parametrize("first", [0.0, 311.0])
def test_two_hills_are_the_law_of_the_number(rho, first):
    frame = hills_frame(rho, first)
    assert sorted(frame["centre"].unique()) == [first, first + 1]
    for centre, part in frame.groupby("centre"):
        wanted = stats.norm.pdf(part["place"], centre, math.sqrt(1 / (2 * rho)))
        np.testing.assert_allclose(part["density"], wanted, rtol=1e-9)


def test_without_noise_there_are_two_spikes_and_a_whole_number():
    fig = two_hills(hills_frame(None, 311.0), 312.0, TierStyle(0, 0), **WORDS)
    assert [tuple(t.x) for t in fig.data[1:4:2]] == [(311.0, 311.0), (312.0, 312.0)]
    assert fig.layout.annotations[-1].text == "she sends <b>312</b>"


def test_the_axis_reaches_as_far_as_the_hills_or_as_far_as_asked():
    frame = hills_frame(0.1, 311.0)
    assert two_hills(frame, 312.0, TierStyle(2, 0), **WORDS, reach=9.0).layout.xaxis.range == (
        302.5,
        320.5,
    )
    low, high = two_hills(frame, 312.0, TierStyle(2, 0), **WORDS).layout.xaxis.range
    assert (low, high) == pytest.approx((frame["place"].min(), frame["place"].max()))


def test_what_belongs_to_no_tier_is_in_the_ink_of_the_page():
    frame = hills_frame(0.1)
    assert two_hills(frame, 0.3, TierStyle(0, 0), **WORDS).data[-1].marker.color is None
    assert two_hills(frame, 0.3, TierStyle(2, 0), **WORDS).data[-1].marker.color == "#385FC2"
