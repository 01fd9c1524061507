"""What comparing notes does, and how it is said."""

from dataclasses import replace

import pytest

from dpviz.charts.collusion.arrays import large_array
from dpviz.charts.collusion.frame import Holder, Plan
from dpviz.charts.guesses import guesses_frame
from dpviz.experiments.moved import Moved
from dpviz.noise import FAMILIES
from dpviz.palette import TierStyle
from dpviz.planning.budgets import Setting
from dpviz.planning.tiers import DEFAULT_TIERS
from dpviz.queries import Sensitivity
from dpviz.ui.collusion import harm
from dpviz.ui.collusion.controls import View

ONE = Sensitivity(l0=1, l1=1, l2=1, linf=1)
CAST = tuple(
    Holder(name=t.name, loss=float(t.amount), slot=2, joining=t.members or 1) for t in DEFAULT_TIERS
)


def plan(family="gaussian", tiers=CAST):
    setting = Setting(family=FAMILIES[family], delta=1e-6, sensitivity=ONE, dimension=1)
    return Plan(tiers=tiers, setting=setting, whole=max(t.loss for t in tiers))


def view(members=CAST, family="gaussian", **more):
    once = (Moved(((1.0, 1),)),)
    return View(
        plan=plan(family), people={}, members=members, noun="people", moves=once, own=False, **more
    )


def test_an_array_has_a_thousand_squares_in_forty_columns_below_its_number():
    fig = large_array(guesses_frame(("a", 173, TierStyle(11, 3), False)), name="x", number="673")
    assert [len(part.x) for part in fig.data] == [500, 173, 327]
    places = {(x, y) for part in fig.data for x, y in zip(part.x, part.y, strict=True)}
    assert places == {(x, y) for x in range(40) for y in range(25)}
    assert "<b>673</b>" in fig.layout.annotations[1].text


@pytest.mark.parametrize("family", ["laplace", "skellam"])
def test_an_epsilon_tells_a_bound_and_calls_it_one(family):
    """Of one number per tier as on the page Tiers; of many readers all budgets add up."""
    alone = tuple(replace(t, joining=1) for t in CAST)
    for members in (alone, CAST):
        for lossless in (True, False):
            assert harm.right(view(members, family=family), lossless=lossless).kind == "at most"
    assert harm.right(view(alone), lossless=False).kind == "exact"


def test_tiers_with_one_number_count_once_and_its_readers_each():
    twins = (replace(CAST[0], joining=1), replace(CAST[0], name="twin", joining=1))
    alone = harm.right(view(twins[:1]), lossless=True)
    assert harm.right(view(twins), lossless=False) == alone
    crowd = (replace(CAST[0], joining=2),)
    assert harm.right(view(crowd), lossless=False).value > alone.value + 10


def test_who_compares_notes():
    alone = tuple(replace(t, joining=1) for t in CAST)
    assert harm.who(view()) == "all 12 readers"
    assert harm.who(view(alone)) == "all four tiers"
    assert harm.who(view(alone[1:3])) == "partners and research"
    assert harm.who(view(CAST[1:2])) == "the six readers of partners"
    assert "times in 1,000, as often as one of them; with separate noise for each, " in (
        harm.take_away(view(CAST[1:2]))
    )
    assert harm.take_away(view(alone[3:])).startswith("Audit alone guesses right 673 times")
    assert harm.readers_words(view(alone)).startswith("One reader of each tier")


def test_averaged_pieces_are_said_where_budgets_add_exactly_and_somebody_compares():
    assert "Averaged pieces: if all budgets are known beforehand" in harm.pieces_words(view())
    assert harm.pieces_words(view((replace(CAST[3], joining=1),))) == ""
    assert harm.pieces_words(view(family="skellam")) == ""
