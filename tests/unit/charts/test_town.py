"""The town: everybody has a place of their own, and the one in question always has the same."""

import pandas as pd
import pytest

from dpviz.charts.forms.town import ALONE, people, places, town
from dpviz.charts.labels import PHONE

WORDS = {"name": "<Maria>", "what": "A town.", "kinds": ("ill", "not ill")}
HER = "&lt;Maria&gt;"


@pytest.mark.parametrize("count", [1, 2, 33, 34, 35, 41, 1000])
def test_everybody_has_a_place_of_their_own(count):
    found = places(count)
    assert len({*found}) == count
    assert found[0] == (ALONE, -2.5)
    assert all(down >= 0 for _, down in found[1:])
    assert (ALONE, 0) not in found  # her empty place


@pytest.mark.parametrize("count", [1, 40, 1000])
def test_the_one_in_question_stands_at_the_same_place_in_every_town(count):
    counted = [True] * count
    one = town(people(counted), **WORDS).figure
    pair = pd.concat([people(counted, named="a"), people(counted, named="b", left_out=True)])
    two = town(pair, **WORDS).figure
    at = [
        (trace.x[0], trace.y[0]) for fig in (one, two) for trace in fig.data if "ring" in trace.name
    ]
    assert at[0] == at[1]
    assert (at[2][0] - at[1][0], at[2][1]) == (45, at[1][1])


def test_dots_are_counted_and_who_is_left_out_has_an_empty_ring():
    def sizes(frame):
        return {trace.name: len(trace.x) for trace in town(frame, **WORDS).figure.data}

    kinds = [False, True, True, False]
    assert sizes(people(kinds)) == {"other": 1, "counted": 2, "ring": 1, HER: 1}
    assert sizes(people(kinds, left_out=True)) == {"other": 1, "counted": 2, "ring": 1}
    assert "3 of 4 dots are large" in town(people([True, *kinds[1:]]), **WORDS).alt


@pytest.mark.parametrize("towns", [1, 2])
def test_dots_do_not_touch_on_a_phone(towns):
    frame = pd.concat([people([True] * 1000, named=f"{k}") for k in range(towns)])
    figure = town(frame, **WORDS).figure
    low, high = figure.layout.xaxis.range
    pitch = (PHONE - 8) / (high - low)
    assert next(t for t in figure.data if t.name == "counted").marker.size < pitch


def test_words_stand_above_one_town_and_below_each_of_two():
    fig = town(people([True]), above=(("312", "says"), ("=", ""), ("1", "Maria")), **WORDS).figure
    assert [note.text for note in fig.layout.annotations] == [
        *("<b>312</b>", "says", "<b>=</b>", "<b>1</b>", "Maria")
    ]
    assert fig.layout.annotations[-1].x == ALONE
    out = people([True], named="b", left_out=True)
    pair = pd.concat([people([True], named="<a>"), out])
    whose = "<b>&lt;Maria&gt;</b> →"
    fig = town(pair, below={"b": (("311", 20),)}, between="apart", **WORDS).figure
    assert [note.text for note in fig.layout.annotations] == [
        *(
            "<b>&lt;a&gt;</b>",
            whose,
            "<b>b</b>",
            whose.replace("</b>", " left out</b>"),
            "311",
            "apart",
        )
    ]
