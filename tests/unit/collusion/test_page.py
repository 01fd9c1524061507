"""Coalitions: frames against formulas, the simulated attack against theory, safe pictures."""

import math
import re
from dataclasses import astuple
from itertools import combinations

import numpy as np
import pytest

from dpviz import streams
from dpviz.accounting import (
    gaussian_advantage,
    gaussian_trade_off,
    laplace_advantage,
    laplace_trade_off,
)
from dpviz.accounting.guarantees import offered
from dpviz.charts.collusion.attack import trade_off_chart
from dpviz.charts.collusion.frame import (
    COUNTS,
    DOUBLING,
    GLOBAL,
    INDEPENDENT,
    LOSSLESS,
    MOST_TIERS,
    SCHEME,
    SCHEMES,
    SPLITTING,
    START,
    STOP,
    TIER,
    TOTAL,
    WHO,
    Holder,
    Plan,
    coalitions_frame,
    members_frame,
    schemes_frame,
)
from dpviz.charts.collusion.many import coalition_dots, member_curves
from dpviz.charts.collusion.schemes import scheme_bars
from dpviz.errors import ParameterError
from dpviz.experiments.attack import MOST_PERSONS, attack_worlds
from dpviz.experiments.attack_tests import best_success
from dpviz.experiments.moved import Moved, moves_of
from dpviz.noise import FAMILIES
from dpviz.palette import TierStyle
from dpviz.planning.budgets import Setting
from dpviz.queries import Bounds, ByColumn, Count, Sensitivity
from dpviz.ui.collusion import words
from dpviz.ui.collusion.controls import View
from dpviz.ui.collusion.sample import formula
from dpviz.ui.collusion.worlds import attack, question
from dpviz.ui.collusion.worlds import code as worlds_code
from dpviz.workspace.sessions import Statistic
from dpviz.workspace.workspace import Workspace

BY_ONE = Moved(((1.0, 1),))
ONE = Sensitivity(l0=1, l1=1, l2=1, linf=1)
NAMES, LOSSES = ("public", "partners", "research", "audit"), (0.02, 0.1, 0.3, 1.0)


def plan(losses=LOSSES, names=NAMES, family="gaussian", whole=None):
    setting = Setting(family=FAMILIES[family], delta=1e-6, sensitivity=ONE, dimension=1)
    tiers = tuple(Holder(name=n, loss=v, slot=2) for n, v in zip(names, losses, strict=True))
    return Plan(tiers=tiers, setting=setting, whole=whole or max(losses))


def totals(frame):
    return {s: frame[frame[SCHEME] == s][TOTAL].iloc[0] for s in SCHEMES}


def test_the_bars_of_the_look_picture():
    made = plan()
    found = totals(schemes_frame(made, made.tiers[:3]))
    own = 1 / (1 + 1 / sum(1 / (1 / r - 1) for r in LOSSES[:3]))
    want = {LOSSLESS: 0.3, INDEPENDENT: 0.42, GLOBAL: own, SPLITTING: 0.3, DOUBLING: 0.26}
    assert found == pytest.approx(want, rel=1e-12)


def test_segments_fill_each_bar_and_lossless_ones_are_nested():
    made = plan()
    frame = schemes_frame(made, made.tiers[1:])
    for scheme in SCHEMES:
        rows = frame[frame[SCHEME] == scheme]
        assert rows[STOP].max() == pytest.approx(rows[TOTAL].iloc[0])
        if scheme == LOSSLESS:
            assert (rows[START] == 0).all()
        else:
            assert rows[START].tolist() == [0, *rows[STOP].tolist()[:-1]]


def test_who_holds_nothing_new_has_no_segment():
    made = plan((0.1, 0.15, 0.4), ("a", "b", "c"))  # a and b share the piece 0.1 of doubling
    rows = schemes_frame(made, made.tiers)
    assert rows[rows[SCHEME] == DOUBLING][TIER].tolist() == ["a", "c"]


def test_the_price_is_the_accuracy_of_the_piece_that_is_held():
    made = plan()
    frame = schemes_frame(made, made.tiers[:3])
    price = {s: frame[frame[SCHEME] == s]["price"].iloc[0] for s in SCHEMES}
    for scheme, rho in ((LOSSLESS, 0.3), (SPLITTING, 0.2), (DOUBLING, 0.16), (INDEPENDENT, 0.3)):
        assert price[scheme] == pytest.approx(1.959963985 / math.sqrt(2 * rho), rel=1e-6)


def test_people_count_once_only_where_they_share_their_numbers():
    made = plan()
    crowd = [Holder(name="partners", loss=0.1, joining=16)]
    found = totals(schemes_frame(made, crowd))
    assert found[LOSSLESS] == 0.1
    assert found[INDEPENDENT] == pytest.approx(1.6)
    assert found[GLOBAL] == pytest.approx(0.64)
    assert found[SPLITTING] == pytest.approx(0.08)


def test_no_member_is_refused():
    with pytest.raises(ParameterError, match="at least one member"):
        schemes_frame(plan(), [])


def test_the_curve_of_the_issue():
    frame = members_frame(plan(), 0.1, [2, 4, 16]).set_index("members")
    assert frame[GLOBAL].round(2).tolist() == [0.18, 0.31, 0.64]
    assert frame[LOSSLESS].tolist() == [0.1] * 3
    assert frame[INDEPENDENT].tolist() == pytest.approx([0.2, 0.4, 1.6])
    assert COUNTS[-1] == 1000


@pytest.mark.parametrize(("count", "said"), [(2, "0.18"), (4, "0.31"), (16, "0.64")])
def test_the_curve_says_its_values_where_it_is_read_off(count, said):
    frame = members_frame(plan(), 0.1, COUNTS)
    fig = member_curves(frame, style=TierStyle(2, 0), letter="ρ", marked=count)
    texts = [n.text for n in fig.layout.annotations]
    assert f"<b>{said}</b>" in texts
    assert "<b>0.1</b>" in texts
    hover = next(line for line in fig.data if line.name.startswith("global")).hovertext
    assert any(text.startswith("<b>global") and f"{count} together" in text for text in hover)
    alone = member_curves(frame, style=TierStyle(2, 0), letter="ρ", marked=1)
    assert [n.text for n in alone.layout.annotations].count("<b>0.1</b>") == 1


@pytest.mark.parametrize("family", ["laplace", "discrete_laplace", "poisson"])
def test_epsilon_families_add_epsilon_and_two_make_it_global(family):
    made = plan(family=family)
    found = totals(schemes_frame(made, made.tiers[:2]))
    assert made.letter == "ε"
    assert made.adds_exactly == (family != "poisson")
    want = {LOSSLESS: 0.1, INDEPENDENT: 0.12, GLOBAL: 1.0, SPLITTING: 0.1, DOUBLING: 0.1}
    assert found == pytest.approx(want)


def test_every_coalition_is_listed_once_up_to_1023():
    losses = [0.01 * 1.5**i for i in range(12)]
    names = [f"t{i}" for i in range(12)]
    frame = coalitions_frame(plan(losses, names))
    shown = list(zip(names, losses, strict=True))[-MOST_TIERS:]
    assert len(frame) == 1023 == frame[WHO].nunique()
    by_name = frame.set_index(WHO)
    for size in (1, 2, 7, 10):
        for chosen in list(combinations(shown, size))[:20]:
            row = by_name.loc[", ".join(n for n, _ in chosen)]
            assert row[LOSSLESS] == max(v for _, v in chosen)
            assert row[INDEPENDENT] == pytest.approx(sum(v for _, v in chosen), rel=1e-12)
    fig = coalition_dots(frame, compared=INDEPENDENT, letter="ρ", ringed="t11")
    assert fig.data[0].x.size == 1023
    assert fig.data[1].x.tolist() == [losses[-1]]


def best_variance(family, budgets, lossless):
    """Of the inverse-variance weighted mean: precisions add, or the largest is all that is held."""
    precisions = [2 * b if family == "gaussian" else b * b / 2 for b in budgets]
    return 1 / (max(precisions) if lossless else sum(precisions))


def level_of(family, budget):
    return 1 / (2 * budget) if family == "gaussian" else 1 / budget


@pytest.mark.parametrize("family", ["gaussian", "laplace"])
@pytest.mark.parametrize("lossless", [True, False])
def test_the_error_of_the_best_estimate_is_that_of_theory(family, lossless):
    budgets, n = [1.0, 1.0, 0.3, 0.1], 40_000
    levels = [level_of(family, b) for b in budgets]
    rng = streams.teaching(11, 1 + lossless)
    found = attack_worlds(FAMILIES[family], levels, BY_ONE, n, lossless=lossless, rng=rng)
    for k in range(1, 5):
        want = math.sqrt(best_variance(family, budgets[:k], lossless))
        assert found.joining[k - 1] == pytest.approx(want, rel=0.03)
    other = math.sqrt(best_variance(family, budgets, not lossless))
    assert abs(found.joining[-1] / other - 1) > 0.1


ALARMS = np.array([0.02, 0.1, 0.3, 0.5, 0.8])


@pytest.mark.parametrize(("family", "budget"), [("gaussian", 0.5), ("laplace", 1.0)])
def test_the_simulated_attacker_stands_on_the_curve(family, budget):
    level, n = level_of(family, budget), 60_000
    rng = streams.teaching(11, 9)
    found = attack_worlds(FAMILIES[family], [4 * level, level], BY_ONE, n, lossless=True, rng=rng)
    curve = {"gaussian": gaussian_trade_off, "laplace": laplace_trade_off}[family]
    wide = 5 * np.sqrt(0.5 / n)
    np.testing.assert_allclose(found.misses(ALARMS), curve(1.0, ALARMS), atol=wide)
    assert np.abs(found.misses(ALARMS) - curve(1.1, ALARMS)).max() > wide  # a near miss is seen
    advantage = {"gaussian": gaussian_advantage, "laplace": laplace_advantage}[family](1.0)
    assert found.success() == pytest.approx((1 + advantage) / 2, abs=0.01)


def test_independent_gaussian_attackers_reach_the_joint_curve():
    levels, n = [1 / (2 * b) for b in (0.5, 0.3, 0.2)], 60_000
    rng = streams.teaching(11, 10)
    found = attack_worlds(FAMILIES["gaussian"], levels, BY_ONE, n, lossless=False, rng=rng)
    want = gaussian_trade_off(math.sqrt(2), ALARMS)
    np.testing.assert_allclose(found.misses(ALARMS), want, atol=5 * math.sqrt(0.5 / n))


@pytest.mark.parametrize(("family", "levels"), [("gaussian", []), ("gaussian", [1.0] * 201)])
def test_what_cannot_be_simulated_is_refused(family, levels):
    assert MOST_PERSONS == 200
    with pytest.raises(ParameterError):
        attack_worlds(FAMILIES[family], levels, BY_ONE, 10, lossless=True, rng=streams.teaching(1))


def test_pictures_hold_their_frames_and_escape_names():
    hostile = "<b>x</b> $y$"
    made = plan((0.1, 0.5), ("a", hostile))
    fig = scheme_bars(schemes_frame(made, made.tiers), letter="ρ")
    assert [bar.name for bar in fig.data] == list(SCHEMES.values())
    assert "<b>x</b>" not in fig.to_json().replace("\\u003c", "<").replace("\\u003e", ">")
    dots = coalition_dots(coalitions_frame(made), compared=INDEPENDENT, letter="ρ")
    assert "<b>x</b>" not in dots.to_json().replace("\\u003c", "<").replace("\\u003e", ">")
    lines = member_curves(
        members_frame(made, 0.1, [1, 2, 4]), style=TierStyle(2, 0), letter="ρ", marked=4
    )
    assert lines.data[-1].y == pytest.approx((0.4, 1 / (2 + 1 / (4 / 8)), 0.1))


def test_a_lossless_bar_gets_thinner_and_the_others_do_not():
    made = plan()
    fig = scheme_bars(schemes_frame(made, made.tiers[:3]), letter="ρ")
    assert np.diff(fig.data[0].width).max() < 0
    assert len(set(fig.data[1].width)) == 1
    assert fig.data[0].base.tolist() == [0, 0, 0]


def test_one_curve_alone_has_one_name():
    curves = [("lossless", 1 - ALARMS, TierStyle(2, 0))]
    fig = trade_off_chart(ALARMS, curves, ALARMS, [], alarm="says “B” where it is A")
    assert "says “B” where it is A" in fig.layout.xaxis.title.text
    assert [n.text for n in fig.layout.annotations] == ["guessing", "<b>lossless</b>"]


def of_several(family, *, l0=4, replaced=False, losses=LOSSES, total=False):
    """A workspace whose statistic one person moves in several numbers, and its whole plan."""
    ws = Workspace.fresh()
    bounds = Bounds("id", l0, 1, relation="replace" if replaced else "add/remove")
    query = Count(ByColumn("education", tuple(f"{k}" for k in range(2 * l0))), bounds, total=total)
    ws.statistic = Statistic(ws.table, query, "")
    ws.family_name = family
    tiers = tuple(Holder(name=n, loss=v, slot=2) for n, v in zip(NAMES, losses, strict=True))
    made = Plan(tiers=tiers, setting=ws.setting, whole=max(losses))
    members = tiers[2:3]
    return ws, View(
        plan=made,
        people={},
        members=members,
        noun="people",
        own=True,
        moves=moves_of(query),
        replaced=replaced,
    )


@pytest.mark.parametrize("family", ["laplace", "discrete_laplace", "poisson", "skellam"])
def test_the_guess_is_from_all_that_a_person_moves(family):
    _, shown = of_several(family)
    asked = question(shown)
    right = best_success(FAMILIES[family], asked.levels, Moved(((1.0, 4),)))
    assert asked.right(lossless=True).value == pytest.approx(1000 * right)
    assert "of 1,000" not in words.take_away(shown)
    said = words.knows(shown, asked)
    assert said.startswith("This person moves 4 numbers by 1 each. ")
    assert said.endswith("looks at all that moves: nobody can do better.")
    assert asked.worlds > 0


def test_four_numbers_hide_a_person_better_than_one_of_their_sum_and_worse_than_one_of_them():
    """ε = 0.3 over four numbers is 0.075 for each: neither 570 nor 519, but 528 of 1,000."""
    _, shown = of_several("laplace")
    assert question(shown).right(lossless=True).said == "528"
    one, whole = (500 * (1 + laplace_advantage(e)) for e in (0.3 / 4, 0.3))
    assert round(one) == 518
    assert round(whole) == 570


def test_gaussian_noise_hides_several_numbers_as_well_as_one():
    _, shown = of_several("gaussian")
    right = 500 * (1 + gaussian_advantage(math.sqrt(0.6)))
    assert question(shown).right(lossless=True).said == f"{right:.0f}"
    assert words.knows(shown, question(shown)).endswith("nobody can do better.")


@pytest.mark.parametrize("family", offered())
def test_where_one_person_replaces_another_the_question_is_which_of_two(family):
    _, shown = of_several(family, l0=5, replaced=True)
    asked = question(shown)
    assert asked.moved.shifts == ((1.0, 5), (-1.0, 5))
    misses = {s: float(asked.misses(0.05, lossless=s == LOSSLESS)) for s in (LOSSLESS, INDEPENDENT)}
    said = [
        *astuple(words.sides(shown)),
        words.knows(shown, asked),
        words.belief(shown, asked, 0.5, 0.05, misses),
        words.trade_off_reading(shown, asked, two_sided=True),
        formula(shown),
    ]
    text = " ".join(said)
    for old in ("“in”", "“out”", "in or out", "this person", "is in,", "who is in"):
        assert old not in text, old
    assert "Putting B in the place of A moves 10 numbers by 1 each (5 up, 5 down)" in text
    assert "“A” or “B”" in text
    assert "after “B”" in text
    assert "that B is in the table, and not A" in text


def test_poisson_directions_are_told_apart_where_all_numbers_go_one_way():
    _, shown = of_several("poisson")
    asked = question(shown)
    assert not asked.moved.balanced
    reading = words.trade_off_reading(shown, asked, two_sided=False)
    assert "if a person makes the numbers smaller; Poisson noise is not symmetric" in reading


def test_what_is_too_much_to_compute_is_a_bound_and_called_one():
    _, shown = of_several("laplace", l0=6000, losses=(0.2, 0.5, 1.0, 2.0), replaced=True)
    asked = question(shown)
    assert asked.moved.count == 12_000
    assert asked.worlds == 0
    assert asked.success(lossless=True) == pytest.approx(math.e / (1 + math.e))
    found = attack(asked)
    assert found.lossless is None
    assert asked.right(lossless=True).said == "at most 732"  # 731.06 rounded up: it is a bound
    assert "a bound from (ε, δ) alone" in words.knows(shown, asked)
    assert "too many numbers to simulate" in words.knows(shown, asked)
    misses = dict.fromkeys((LOSSLESS, INDEPENDENT), float(asked.misses(0.05, lossless=True)))
    assert "at most **" in words.belief(shown, asked, 0.5, 0.05, misses)
    exec(worlds_code(asked, 0.05, 0.5), names := {})
    assert names["success"]["lossless"] == asked.success(lossless=True)


def test_gaussian_noise_needs_no_bound_however_many_numbers_move():
    _, shown = of_several("gaussian", l0=6000)
    asked = question(shown)
    assert asked.moved.count == 1
    assert asked.moved.l2 == pytest.approx(math.sqrt(6000))
    assert asked.worlds > 0
    assert asked.exact(lossless=False)
    assert "up to 6,000 numbers; Gaussian noise hides that" in words.knows(shown, asked)
    assert words.sides(shown).yes == "in"


def test_the_total_moves_with_the_groups():
    _, shown = of_several("laplace", l0=5, total=True)
    moved = question(shown).moved
    assert words.moves(shown, moved) == (
        "This person moves one number by 5 and 5 numbers by 1 each"
    )


def test_a_simulated_share_says_how_far_chance_moves_it():
    _, shown = of_several("laplace", l0=5)
    found = attack(question(shown)).lossless
    right, by = map(int, re.findall(r"\d+", words.simulated(found)))
    assert right == round(1000 * found.success())
    assert by == math.ceil(1000 * 1.96 * 0.5 / math.sqrt(2 * found.out.size))
    assert abs(right - 1000 * question(shown).success(lossless=True)) < 2 * by
