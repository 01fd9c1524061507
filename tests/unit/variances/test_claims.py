"""Every number that the page Variances claims, computed again over a grid of settings.

Parts of the joint budget by arithmetic; noise at a part by its variance, and where ε comes with a
δ by what that noise really gives away.
"""

import math
from itertools import accumulate
from statistics import NormalDist

import pytest

from dpviz.accounting.guarantees import guarantee_of
from dpviz.charts.variances.bars import bars_frame
from dpviz.charts.variances.frame import BASELINES, LEVEL, LOSSLESS, of_scheme
from dpviz.noise import FAMILIES
from dpviz.ui.variances import controls, price, words
from tests.claim_settings import GRID, LAWS, NOISE, delta_of, in_quick, moves, workspace_of
from tests.conftest import FULL
from tests.visiting import check_words, plain

PLAN = (("public", "0.3"), ("partners", "0.7"), ("audit", "2"))
BARRED = ("splitting", "independent")  # the ways that have a bar beside lossless release
PURE = [g for g in GRID if not guarantee_of(FAMILIES[g[0][0]]).with_delta]
WITH_DELTA = [g for g in GRID if guarantee_of(FAMILIES[g[0][0]]).with_delta]
each = ("noise", "relation", "groups", "query")


def visited(visit, ws, scheme, place, **answers):
    visit.come(variance_compared=scheme, variance_place=place, **answers)
    ladder = controls.ladder(ws)
    return controls.frame_of(ladder), ladder, controls.reading(ladder)


def own(visit, ws, scheme, place):
    return visited(visit, ws, scheme, place, variance_count=0, variance_few=0)


def part(budgets, scheme, place):
    """What a scheme leaves a tier of the joint budget; and how many releases it makes."""
    mine, most = budgets[place], budgets[-1]
    if scheme == "splitting":
        return mine - (budgets[place - 1] if place else 0), len(budgets)
    if scheme == "independent":
        return mine * most / sum(budgets), len(budgets)
    grid = [g for g in accumulate([budgets[0]] + [2] * 60, lambda a, b: a * b) if g <= most]
    scale = min(1, most / sum(grid))
    return scale * max(g for g in grid if g <= mine), len(grid)


def said(made):
    """The one claim of a take-away whose numbers are all claimed."""
    claims, ladder = words.claims(*made), made[1]
    given = f"{len(ladder.tiers)} {ladder.joint}"
    check_words(words.take_away(*made), claims, given)
    (claim,) = claims
    return claim


def main(visit, ws, place):
    """The take-away of the page and its claims, for one tier of the plan."""
    visit.come(variance_whose=place)
    ladder = controls.own(ws)
    frame = controls.frame_of(ladder)
    assert controls.whose(ladder) == place
    made = (frame, bars_frame(frame, place, ladder.setting), ladder, place)
    claims = price.claims(*made)
    check_words(price.take_away(*made), claims, ladder.joint)
    return claims, ladder


def variance_at(family, budget, l1):
    """At ρ, up to a factor, or at pure ε."""
    if family == "gaussian":
        return 1 / budget
    return LAWS[family](l1 / budget).var()


@pytest.mark.parametrize(each, in_quick(PURE, 5))
def test_what_others_cost_where_budgets_add_exactly(visit, noise, relation, groups, query):
    ws = workspace_of(noise, relation, groups, query, PLAN)
    l1 = sum(map(abs, moves(ws.statistic.query, relation, groups)))
    for scheme in BASELINES:
        for place in range(len(PLAN)):
            made = own(visit, ws, scheme, place)
            budgets, claim = [t.budget for t in made[1].tiers], said(made)
            needed = variance_at(noise[0], part(budgets, scheme, place)[0], l1)
            held = variance_at(noise[0], budgets[place], l1)
            assert claim.kind == "exact"
            assert claim.value == pytest.approx(needed / held, rel=1e-9)


@pytest.mark.parametrize(each, in_quick(PURE, 5))
def test_what_the_dearest_way_costs(visit, noise, relation, groups, query):
    ws = workspace_of(noise, relation, groups, query, PLAN)
    l1 = sum(map(abs, moves(ws.statistic.query, relation, groups)))
    for place in range(len(PLAN)):
        (times, *halves), ladder = main(visit, ws, place)
        budgets = [t.budget for t in ladder.tiers]
        needed = max(
            variance_at(noise[0], part(budgets, scheme, place)[0], l1) for scheme in BARRED
        )
        wanted = (needed / variance_at(noise[0], budgets[place], l1)) ** 0.5
        assert times.kind == "exact"
        assert times.value == pytest.approx(wanted, rel=1e-9)
        if halves and noise[0] in ("gaussian", "laplace"):  # their quantiles scale
            worse, ours, *other = (claim.value for claim in halves)
            assert all(ours - 1e-9 <= less < worse for less in other)
            assert worse / ours == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize(each, in_quick(WITH_DELTA, 1))
def test_what_the_dearest_way_costs_where_there_is_a_δ(visit, noise, relation, groups, query):
    ws = workspace_of(noise, relation, groups, query, PLAN)
    (times, *halves), ladder = main(visit, ws, 1)
    frame, law = controls.frame_of(ladder), LAWS[noise[0]]
    least = of_scheme(frame, LOSSLESS)[LEVEL].iloc[1]
    worst = max(law(of_scheme(frame, s)[LEVEL].iloc[1]).std() for s in BARRED)
    assert times.kind == "at most"
    assert times.value == pytest.approx(worst / law(least).std())
    assert len(halves) in (0, 2)


@pytest.mark.parametrize(each, in_quick(WITH_DELTA, 2))
def test_what_others_cost_where_there_is_a_δ(visit, noise, relation, groups, query):
    """All releases together keep the joint ε and δ; lossless noise could not be less."""
    ws = workspace_of(noise, relation, groups, query, PLAN)
    shifts, place, law = moves(ws.statistic.query, relation, groups), 1, LAWS[noise[0]]
    for scheme in BASELINES if FULL else ("independent",):  # each searches for its levels
        made = own(visit, ws, scheme, place)
        levels, least = (of_scheme(made[0], s)[LEVEL].tolist() for s in (scheme, LOSSLESS))
        claim, delta = said(made), made[1].setting.delta
        assert claim.kind == "at most"
        assert "up to" in plain(words.take_away(*made))
        ratio = law(levels[place]).var() / law(least[place]).var()
        assert claim.value == pytest.approx(ratio)
        drawn = set(levels) if scheme == "doubling" else levels
        assert given_away([law(level) for level in drawn], shifts, float(PLAN[-1][1])) <= delta
        if not claim.assumes:
            less = law(0.99 * least[place])
            assert given_away([less], shifts, made[1].tiers[place].budget) > delta


def given_away(laws, shifts, epsilon):
    """At most the δ of independent releases together, either way."""
    return max(
        delta_of([(law, turned * shift) for law in laws for shift in shifts], epsilon)
        for turned in (1, -1)
    )


@pytest.mark.parametrize("noise", NOISE)
def test_a_ladder_between_two_ends(visit, noise):
    """Ten tiers as the page opens, or two where each level is searched for."""
    ws = workspace_of(noise, "add/remove", 1, "count")
    for scheme in BASELINES:
        made = visited(visit, ws, scheme, 1, variance_few=2)
        budgets, claim = [t.budget for t in made[1].tiers], said(made)
        if claim.kind == "exact":
            needed = variance_at(noise[0], part(budgets, scheme, 1)[0], 1)
            assert claim.value == pytest.approx(needed / variance_at(noise[0], budgets[1], 1))
        if claim.value >= 1.0005:
            assert "within the same joint budget" in words.take_away(*made)


def test_a_little_is_not_nothing(visit):
    ws = workspace_of(NOISE[0], "add/remove", 1, "count", (("low", "0.01"), ("high", "1")))
    for place, cost in ((0, "low nothing (variance"), (1, "high next to nothing (variance")):
        assert cost in plain(words.take_away(*own(visit, ws, "splitting", place)))


def test_one_tier_states_no_number(visit):
    ws = workspace_of(NOISE[0], "add/remove", 1, "count", PLAN[:1])
    made = own(visit, ws, "splitting", 0)
    assert words.claims(*made) == ()
    assert "every scheme is the same" in words.take_away(*made)
    assert main(visit, ws, 0)[0] == ()


def test_what_all_tiers_together_may_guess(visit):
    """Gaussian noise at ρ: Φ(√(2ρ)/2) of 1,000; at ε, whose bound holds: e^ε / (1 + e^ε)."""
    for name in ("gaussian", "laplace"):
        visit.come()
        ladder = controls.own(workspace_of((name, "teaching"), "add/remove", 1, "count", PLAN))
        most, said = ladder.tiers[-1].budget, price.harm(ladder)
        if name == "gaussian":
            right = f"{1000 * NormalDist().cdf(math.sqrt(2 * most) / 2):.0f}"
        else:
            share = math.exp(most) / (1 + math.exp(most))
            right = f"at most {math.ceil(1000 * share)}"
        assert f"{right} of 1,000 guesses" in said
        assert "a coin: 500" in said


def pieced(visit, name, plan=PLAN):
    """What the page says of the pieces that the last tier averages, and its claim."""
    visit.come()
    found = price.pieces(
        controls.own(workspace_of((name, "teaching"), "add/remove", 1, "count", plan)),
        len(plan) - 1,
    )
    (claim,) = found.claims
    assert "known beforehand, or only rise" in found.text
    return found.text, claim


def test_averaged_pieces_of_gaussian_noise_are_just_as_exact(visit):
    said, claim = pieced(visit, "gaussian")
    assert "are just as exact" in said
    assert claim.value == pytest.approx(1, rel=1e-12)


def test_averaged_pieces_of_laplace_noise_are_noisier(visit):
    """2² / (0.3² + 0.4² + 1.3²), by hand."""
    said, claim = pieced(visit, "laplace")
    assert claim.value == pytest.approx(math.sqrt(4 / 1.94), rel=1e-12)
    assert "are 1.4 times as noisy" in said


def test_averaged_pieces_of_poisson_noise_have_less_noise_and_the_page_says_so(visit):
    """Lossless is no best: the pieces keep the same promise, and the page must not hide it."""
    said, claim = pieced(visit, "poisson")
    assert claim.value < 0.9
    assert "as exact" not in said
    assert f"have even less noise: at most {math.ceil(100 * claim.value) / 100} times" in said
    noisier, _ = pieced(visit, "skellam")
    assert "are up to 1.1 times as noisy" in noisier or "are up to 1.2 times as noisy" in noisier


def test_one_tier_has_no_pieces(visit):
    visit.come()
    alone = controls.own(workspace_of(NOISE[0], "add/remove", 1, "count", PLAN[:1]))
    assert price.pieces(alone, 0).text == ""
