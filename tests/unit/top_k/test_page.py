"""The page Top-k: frames against literal lists, figures that show them, words that count right."""

import io
import math
from contextlib import redirect_stdout
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from dpviz.charts.top_k import two_rankings
from dpviz.errors import ParameterError
from dpviz.noise import FAMILIES
from dpviz.palette import TierStyle
from dpviz.scenes import top_k as frames
from dpviz.scenes import top_k as scenes
from dpviz.scenes.top_k import CITIES, SEED, Settings, TopList
from dpviz.top_k import Reach, fit_in_order
from dpviz.ui import top_k as page
from dpviz.ui.kit.code import recipe_code
from dpviz.workspace.held import HeldTier
from tests.conftest import for_each
from tests.figure_frames import HOSTILE, texts

COUNTS = {"a": 50, "b": 40, "c": 30, "d": 30, "e": 1}
FOUND = ["b", "a", "e"]


def asked(k=10, epsilon=1, l0=None, known=False):
    return Settings(
        k=k,
        epsilon=Fraction(epsilon),
        delta=Fraction(1, 10**6),
        reach=Reach(l0=l0),
        known=known,
    )


def chosen(what, name=None):
    best = what.choose()
    return best, best.named(name) if name else best


def scene(what=None, name=None, counts=CITIES, **other):
    what = what or asked()
    best, choice = chosen(what, name)
    made = {
        "things": "destinations",
        "thing": "destination",
        "noun": "people",
        "settings": what,
        "best": best,
        "choice": choice,
        "drawn": scenes.draw(counts or CITIES, what, choice, 0),
        "counts": counts,
    }
    return TopList(**made | other)


def test_both_rankings_in_one_frame():
    values = np.array([41.5, 47.5, 3.0])
    frame = frames.rankings(FOUND, values, COUNTS, 3).set_index(frames.ITEM)
    assert frame[frames.FATE].to_dict() == {
        "a": frames.FOUND,
        "b": frames.FOUND,
        "c": frames.MISSED,
        "e": frames.WRONG,
    }
    assert frame[frames.TRUE_PLACE].to_dict() == {"a": 1, "b": 2, "c": 3, "e": 5}
    assert frame.loc["e", frames.PLACE] == 3
    assert math.isnan(frame.loc["c", frames.PLACE])
    fitted = frame.loc[FOUND, frames.FITTED].to_numpy()
    np.testing.assert_allclose(fitted, fit_in_order(values))


def test_without_counts_or_without_a_list():
    hidden = frames.rankings(FOUND, None, None, 3)
    assert set(hidden[frames.FATE]) == {frames.LISTED}
    assert hidden[[frames.TRUE_PLACE, frames.COUNT]].isna().all(axis=None)
    undrawn = frames.rankings(None, None, COUNTS, 3)
    assert set(undrawn[frames.FATE]) == {frames.TRUE}
    assert frames.rankings(None, None, None, 3).empty
    with pytest.raises(ParameterError, match="as many"):
        frames.rankings(FOUND, np.zeros(2), COUNTS, 3)
    for some in (hidden, undrawn):
        assert two_rankings(some, k=3, noun="people").layout.height > 100


def test_an_item_that_is_in_no_count_is_wrong():
    frame = frames.rankings(["z"], None, COUNTS, 2)
    assert frame.set_index(frames.ITEM)[frames.FATE]["z"] == frames.WRONG


def test_the_picture_says_what_is_missed_and_what_is_wrong():
    frame = frames.rankings(FOUND, np.array([41.5, 47.5, 3.0]), COUNTS, 3)
    fig = two_rankings(frame, k=3, noun="people")
    said = " ".join(texts(fig))
    assert "missing: c" in said
    assert "e <b>3</b>, truly " in said
    assert {"b <b>44</b>", "a <b>44</b>"} <= {*texts(fig)}  # the fit to the order of the list
    by_name = {}
    for trace in fig.data:
        by_name.setdefault(trace.name, []).append(trace)
    assert by_name["the same item"][0].y[:2].tolist() == [1, 2]  # a: true place, place on the list
    assert {t.marker.symbol for t in by_name[frames.MISSED]} == {"x"}
    assert {t.marker.symbol for t in by_name[frames.WRONG]} == {"diamond-open"}
    assert [t.x.tolist() for t in by_name[frames.WRONG]] == [[1.0]]


def test_hostile_names_are_text():
    counts = {name: 9 + place for place, name in enumerate(HOSTILE)}
    frame = frames.rankings(HOSTILE[:4], np.arange(4.0), counts, 5)
    said = " ".join(texts(two_rankings(frame, k=5, noun="people")))
    assert "<a href" not in said
    assert "%{x}" not in said
    assert "\u202e" not in said


def test_tiers_hold_their_intervals_around_the_middle_of_their_noise():
    family = FAMILIES["poisson"]
    tier = HeldTier(
        name="a", level=4.0, letter="ε", loss=1.0, style=TierStyle(2, 0), values=np.array([14, 9])
    )
    frame = scenes.tiers_frame(["x", "y"], [tier], family)
    assert frame["value"].tolist() == [14 - family.mean(4.0), 9 - family.mean(4.0)]
    assert (frame["high"] - frame["value"] == frame["value"] - frame["low"]).all()


MECHANISMS = [
    (asked(), None),
    (asked(l0=3), None),
    (asked(l0=3), "Gumbel list that can end"),
    (asked(known=True), None),
    (asked(known=True, l0=3), None),
]


@for_each(("what", "name"), MECHANISMS)
def test_each_mechanism_has_its_list_words_and_code(what, name):
    one = scene(what, name)
    missed, _ = one.outcomes
    assert missed == len(set(sorted(CITIES, key=lambda c: -CITIES[c])[:10]) - {*one.drawn.items})
    assert one.list_cost.value <= 1 + 1e-12
    assert "Here $k$ = 10" in page.formula(one)
    names = {}
    with redirect_stdout(io.StringIO()):
        exec(recipe_code(scenes.listed, **page.arguments(one)), names)
    items, (values,), _ = names["numbers"]
    assert tuple(items) == one.drawn.items
    np.testing.assert_array_equal(values, one.drawn.values)


def test_a_list_that_ends_at_once_says_what_would_help():
    one = scene(asked(epsilon=Fraction(1, 10)))
    assert one.drawn.items == ()
    assert page.headline(one).text.startswith("Not at this budget: the list ended before its first")


def test_a_hidden_list_says_nothing_of_the_truth():
    hidden = scene(drawn=scene().drawn, counts=None)
    said = page.headline(hidden)
    assert "what it misses stays hidden" in said.text
    assert [claim.kind for claim in said.claims] == ["at most"]  # what it cost
    made = page.picture(hidden)
    assert "hidden" in made.alt
    assert not any("true top" in text for text in texts(made.figure))
    assert {x for t in made.figure.data[1:] for x in t.x} == {0.0}  # it stands alone
    undrawn = page.headline(replace(hidden, drawn=None)).text
    assert undrawn.startswith("Not yet: no list has been drawn")
    assert "325" in undrawn


def test_the_first_list_is_that_of_its_seed():
    one = scene()
    again = scenes.draw(CITIES, one.settings, one.choice, 0)
    assert (again.items, SEED) == (one.drawn.items, 5)
    assert scenes.draw(CITIES, one.settings, one.choice, 1).items != one.drawn.items


def test_where_there_are_fewer_items_than_asked_for_only_they_can_be_missed():
    few = {"a": 900, "b": 800, "c": 2}
    what = asked()
    best, choice = chosen(what)
    one = scene(what, counts=few, drawn=scenes.draw(few, what, choice, 0), best=best)
    assert (one.k, one.true_k) == (10, 3)
    assert page.headline(one).text.startswith("Yes. This list names two of the true three. A guess")
    fig = two_rankings(one.frame, k=10, noun="people")
    assert "true top 3" in " ".join(texts(fig))


def test_neighbours_that_the_fit_made_equal_are_noticed():
    frame = frames.rankings(["a", "b", "c"], np.array([9.0, 4.0, 6.0]), None, 3)
    assert scenes.averaged(frame)
    assert frame.loc[1, frames.FITTED] == frame.loc[2, frames.FITTED] == 5
    kept = frames.rankings(["a", "b", "c"], np.array([9.0, 6.0, 6.0]), None, 3)
    assert not scenes.averaged(kept)
    assert not scenes.averaged(frames.rankings(["a", "b"], None, None, 2))
