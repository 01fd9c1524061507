"""The meter: nested bars for the largest, bars end to end for the sum."""

import math
from itertools import accumulate

import numpy as np
import pandas as pd
import pytest

from dpviz.charts.local.network_meter import METER, NARROWEST, Spent, meter, meter_frame
from dpviz.charts.theme import dress
from dpviz.errors import ParameterError
from dpviz.palette import TierStyle
from tests.cast import MOST, RHO
from tests.figure_frames import HOSTILE, meter_rows, texts

FOUR = {"public": 0.02, "partners": 0.1, "research": 0.3, "audit": 1.0}


def test_the_meter_nests_and_chains():
    spent = [Spent(name=name, loss=rho, slot=1, symbol=0) for name, rho in RHO.items()]
    stops = [*accumulate(RHO.values())]
    frame = meter_frame(spent, letter="ρ", total=MOST, independent=stops)
    assert tuple(frame.columns) == METER
    nested, chained = (frame[frame["row"] == r] for r in ("lossless", "independent"))
    assert list(nested["start"]) == [0] * 4
    assert nested["stop"].max() == MOST
    np.testing.assert_allclose(chained["stop"], np.cumsum(list(RHO.values())))
    np.testing.assert_allclose(chained["start"].iloc[1:], chained["stop"].iloc[:-1])


def test_lossless_bars_are_nested_the_larger_the_thicker():
    frame = meter_rows(FOUR)
    before = frame.copy(deep=True)
    nested, _ = meter(frame).data
    assert list(nested.base) == [0, 0, 0, 0]
    assert list(nested.x) == [1.0, 0.3, 0.1, 0.02]  # the largest lies behind
    assert np.all(np.diff(nested.width) < 0)
    assert nested.opacity is None
    pd.testing.assert_frame_equal(frame, before)


def test_independent_bars_stand_end_to_end():
    _, chain = meter(meter_rows(FOUR)).data
    ends = np.add(chain.base, chain.x)
    np.testing.assert_allclose(chain.base[1:].astype(float), ends[:-1].astype(float))
    assert ends[-1] == pytest.approx(1.42)
    assert set(chain.width) == {0.44}
    assert chain.opacity == 0.7


def test_colours_are_the_tiers_own():
    frame = meter_rows(FOUR)
    fig = meter(frame)
    styles = {r.tier: TierStyle(int(r.slot), int(r.symbol)) for r in frame.itertuples()}
    colours = [style.colour for style in styles.values()]
    assert list(fig.data[1].marker.color) == colours
    assert list(fig.data[0].marker.color) == colours[::-1]


def test_totals_stand_where_the_bars_end_and_have_room():
    for budgets, letter in (
        (FOUR, "ρ"),
        ({"a": 1.23456e-7, "b": 2e-7}, "ε"),
        ({"a": 98765.0}, "ε"),
    ):
        fig = meter(meter_rows(budgets, letter=letter))
        ends = [max(np.add(bar.base, bar.x)) for bar in fig.data]
        totals = fig.layout.annotations[1::2]
        assert [n.x for n in totals] == pytest.approx(ends)
        letters = max(len(n.text) - len("<b></b>") for n in totals)
        share = max(ends) / fig.layout.xaxis.range[1]
        assert (1 - share) * NARROWEST >= 7.5 * letters


def test_words_on_and_around_the_bars():
    fig = meter(meter_rows(FOUR))
    said = [note.text for note in fig.layout.annotations]
    assert said == [
        "here: only the largest matters",
        "<b>ρ\u00a0=\u00a01.00</b>",
        "separate noise for each: they add up",
        "<b>ρ\u00a0=\u00a01.42</b>",
    ]
    assert fig.data[0].hovertext[0] == (
        "<b>audit</b>: ρ = 1.<br>All together: a privacy loss of at most ρ\u00a0=\u00a01.00."
    )
    assert fig.data[1].hovertext[1].startswith("<b>partners</b> would add ρ = 0.1.")


def test_one_tier_is_as_thick_in_both_rows():
    fig = meter(meter_rows({"audit": 0.3}))
    assert list(fig.data[0].width) == list(fig.data[1].width) == [0.44]


def test_more_tiers_than_colours_are_parted_by_lines_of_paper():
    many = meter(meter_rows({f"tier {i}": 0.1 + i for i in range(20)}))
    assert all(bar.marker.line.width > 0 for bar in many.data)
    assert np.all(many.data[0].width > 0)
    assert many.data[0].marker.line.color is None  # the theme says which paper
    assert dress(many, "dark").layout.template.data.bar[0].marker.line.color == "#14161A"
    assert all(bar.marker.line.width == 0 for bar in meter(meter_rows(FOUR)).data)


def test_no_number_where_there_is_no_guarantee():
    frame = meter_rows({"a": 1.0, "b": 2.0})
    last = frame.index[-1]
    frame.loc[last, "stop"] = math.inf
    frame.loc[frame["row"] == "independent", "total"] = math.inf
    fig = meter(frame)
    assert fig.layout.annotations[3].text == "<b>no guarantee</b>"
    assert np.isfinite(fig.data[1].x).all()
    assert np.isfinite(fig.layout.xaxis.range).all()


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_only_text(name):
    for text in texts(meter(meter_rows({name: 1.0}))):
        rest = text.replace("<b>", "").replace("</b>", "").replace("<br>", "")
        assert not set("<>$\n") & set(rest)
        assert "%{" not in rest


def test_what_is_missing_is_named():
    frame = meter_rows(FOUR)
    with pytest.raises(ParameterError, match="lacks total"):
        meter(frame.drop(columns="total"))
    with pytest.raises(ParameterError, match="independent"):
        meter(frame[frame["row"] == "lossless"])
