"""The price of the same promise, what comparing notes does, and how both are said."""

import math
from dataclasses import replace

import pytest

from dpviz.charts.collusion.arrays import two_arrays
from dpviz.charts.collusion.card import Card, card_bars, risk_card
from dpviz.charts.collusion.frame import (
    DOUBLING,
    GLOBAL,
    INDEPENDENT,
    LOSSLESS,
    SCHEME,
    SPLITTING,
    Holder,
    Plan,
)
from dpviz.charts.collusion.prices import (
    HALF,
    NO_NOISE,
    ORDER,
    price_bars,
    prices_frame,
    worst_leak,
)
from dpviz.charts.guesses import guesses_frame
from dpviz.errors import ParameterError
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
RESEARCH = CAST[2]


def plan(family="gaussian", tiers=CAST):
    setting = Setting(family=FAMILIES[family], delta=1e-6, sensitivity=ONE, dimension=1)
    return Plan(tiers=tiers, setting=setting, whole=max(t.loss for t in tiers))


def view(members=CAST, family="gaussian", **more):
    once = (Moved(((1.0, 1),)),)
    return View(
        plan=plan(family), people={}, members=members, noun="people", moves=once, own=False, **more
    )


def test_the_prices_of_the_cast():
    """± is 1.96 standard deviations of the noise that each scheme leaves to research."""
    frame = prices_frame(plan(), CAST, RESEARCH).set_index(SCHEME)
    parts = {
        LOSSLESS: 0.3,
        DOUBLING: 0.2 * 0.4 / 0.7,
        SPLITTING: 0.1,
        INDEPENDENT: 0.3 * 0.4 / 3.0,
        GLOBAL: 0.3,
    }
    for scheme, rho in parts.items():
        want = 1.959963985 * math.sqrt(1 / (2 * rho))
        assert frame.loc[scheme, HALF] == pytest.approx(want, rel=1e-6)


@pytest.mark.parametrize("tier", CAST, ids=lambda t: t.name)
@pytest.mark.parametrize("family", ["gaussian", "laplace", "skellam"])
def test_no_scheme_is_sharper_than_lossless_at_the_same_promise(family, tier):
    frame = prices_frame(plan(family), CAST, tier).set_index(SCHEME)[HALF]
    assert (frame >= frame[LOSSLESS] * (1 - 1e-9)).all()


def test_all_of_a_tier_learn_more_than_they_were_meant_to_under_the_global_release():
    found = worst_leak(plan(), CAST)
    assert [t.name for t in found.tiers] == ["partners"]
    joint = 1 / (1 / 0.4 + 1 / (6 / (1 / 0.2 - 1 / 0.4)))
    assert (found.joint, found.meant) == (pytest.approx(joint), 0.2)
    assert worst_leak(replace(plan(), whole=9.0), CAST) == found  # the largest budget is compared
    said = harm.leak_words(view(), found)
    assert said == "but the six readers of partners together guess right 661 times, not 624"
    alone = [replace(t, joining=1) for t in CAST]
    assert len(worst_leak(plan(), alone).tiers) == 2
    assert worst_leak(plan(tiers=CAST[:1]), CAST[:1]) is None
    assert harm.leak_words(view(), None) == ""
    laplace = harm.leak_words(view(family="laplace"), worst_leak(plan("laplace"), CAST))
    assert laplace.endswith("together learn ε = 0.4, not 0.1") or "ε = 0.4, not" in laplace


def test_numbers_at_the_bars_have_decimals_in_common_and_none_is_zero():
    frame = prices_frame(plan(), CAST, RESEARCH)
    texts = [n.text for n in price_bars(frame, unit="people").layout.annotations]
    assert [t.replace("\u202f", "") for t in texts[1::2]] == [
        "<b>±2.6 people</b>",
        *(f"<b>±{half}</b>" for half in ("4.1", "4.4", "7.0", "2.6")),
    ]
    frame[HALF] = [0.0, 1.0, math.nan, 3.0, 0.0]
    texts = [n.text for n in price_bars(frame, unit="people").layout.annotations]
    assert f"<b>{NO_NOISE}</b>" in texts
    assert not [t for t in texts if "±\u202f0<" in t]
    assert "<b>usually exact</b>" in texts
    with pytest.raises(ParameterError):
        price_bars(frame[[HALF]], unit="people")


def test_only_a_bar_that_leaks_is_hollow():
    frame = prices_frame(plan(), CAST, RESEARCH)
    assert not price_bars(frame, unit="people").layout.shapes
    fig = price_bars(frame, unit="people", leak="but <b>two</b> learn more")
    assert len(fig.layout.shapes) == 1
    assert "&lt;b&gt;" in fig.layout.annotations[-1].text
    assert fig.data[0].name == "lossless"
    assert len(fig.data) == len(ORDER)


def test_two_arrays_stand_side_by_side():
    one, more = (guesses_frame(("a", n, TierStyle(11, 3), False)) for n in (173, 390))
    fig = two_arrays(one, more, heads=(("here", "673"), ("usual", "890")))
    assert [len(part.x) for part in fig.data] == [500, 173, 327, 500, 390, 110]
    assert max(fig.data[2].x) < min(fig.data[3].x)
    assert len({(x, y) for part in fig.data for x, y in zip(part.x, part.y, strict=True)}) == 2000


@pytest.mark.parametrize("people", [1, 300])
def test_a_share_that_is_not_computed_for_all_is_called_a_bound(people):
    """Of 300 with Laplace noise only 200 are combined: the others can only add to it."""
    crowd = tuple(replace(t, joining=people) for t in CAST)
    assert harm.right(view(crowd), lossless=False).kind == "exact"
    apart = harm.right(view(crowd, family="laplace"), lossless=False)
    assert apart.kind == ("exact" if people == 1 else "at least")
    assert harm.right(view(crowd, family="laplace"), lossless=True).kind == "exact"


def test_who_compares_notes():
    alone = tuple(replace(t, joining=1) for t in CAST)
    assert harm.who(view()) == "all 12 readers of the four tiers"
    assert harm.who(view(alone[1:3])) == "partners and research"
    assert harm.who(view(CAST[1:2])) == "the six readers of partners"
    assert "no more than one of partners alone" in harm.take_away(view(CAST[1:2]))
    assert harm.take_away(view(alone[3:])).startswith("Audit alone guesses right")
    assert "between two people" in harm.take_away(view(replaced=True))
    assert "guess right 760 times." in harm.one_per_tier(view(), 4.1)
    assert harm.one_per_tier(view(alone), 4.1) == ""
    assert harm.readers_words(view(alone)).startswith("One reader of each tier")


def test_a_card_cuts_no_word():
    long = "a name of forty letters that goes on so"
    made = Card(
        who=", ".join([long] * 3),
        sentence="",
        bars=(("Lossless", 0.3, "ρ = 0.3"),),
        style=TierStyle(8, 0),
        rows=(("what is said " * 9, "within ±2 " * 9),),
        small=("print " * 90,),
    )
    svg = risk_card(made)
    for word, times in (("forty", 6), ("said", 9), ("within", 9), ("print", 90)):
        assert svg.count(word) == times  # a name is in the title of the file, too
    assert "…" not in svg
    assert card_bars(made).data[0].x == (0.3,)
