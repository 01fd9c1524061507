"""Every number of the page Collusion by another way: closed forms, laws of scipy, and outcomes.

Of one session the least noise counts; what it gives away, and what separate releases would give
away together, is added up outcome by outcome, over a grid of settings.
"""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from scipy.signal import fftconvolve

from dpviz.accounting import coalition_rho, gaussian_advantage, gaussian_epsilon
from dpviz.accounting.laplace_composition import composed_laplace_epsilon
from dpviz.experiments.attack_tests import Moved, best_success, moves_of
from dpviz.noise import FAMILIES
from dpviz.palette import TierStyle
from dpviz.planning.budgets import Setting
from dpviz.queries import Bounds, ByColumn, Count, Sensitivity
from dpviz.scenes import collusion as scenes
from dpviz.scenes.collusion import (
    DOUBLING,
    GLOBAL,
    INDEPENDENT,
    LOSSLESS,
    SPLITTING,
    WAYS,
    Holder,
    Ladder,
)
from dpviz.ui import collusion as page
from dpviz.ui.kit.code import recipe_code
from dpviz.workspace import account
from dpviz.workspace.sessions import Statistic
from dpviz.workspace.workspace import Workspace
from tests.claim_settings import (
    GRAIN,
    LAWS,
    OWN,
    READY,
    delta_of,
    in_quick,
    moves,
    workspace_of,
)
from tests.conftest import few
from tests.visiting import check_words, numbers_of, plain

LOSSES = (0.02, 0.1, 0.3, 1.0)
LOOK = TierStyle(2, 0)
LN = math.log(1e-6)


def ladder_of(losses=LOSSES, family="gaussian", *, l0=1, **more):
    """Tiers at these budgets, of a statistic of which one person moves l0 numbers by 1."""
    sensitivity = Sensitivity(l0=l0, l1=l0, l2=math.sqrt(l0), linf=1)
    setting = Setting(family=FAMILIES[family], delta=1e-6, sensitivity=sensitivity, dimension=l0)
    tiers = tuple(Holder(name=f"t{k}", loss=v, style=LOOK) for k, v in enumerate(losses))
    people = dict.fromkeys([t.name for t in tiers], 1)
    return Ladder(tiers=tiers, people=people, setting=setting, whole=max(losses), own=False, **more)


def group_of(losses=LOSSES, joining=(), *, family="gaussian", among=None, **more):
    """A group of readers, of all tiers or of those at these places."""
    ladder = ladder_of(losses, family, **more)
    counts = joining or (1,) * len(losses)
    members = [replace(t, joining=n) for t, n in zip(ladder.tiers, counts, strict=True)]
    return scenes.group(ladder, tuple(members[k] for k in among or range(len(members))))


def totals(group):
    return scenes.segments(group).groupby("scheme")["total"].first().to_dict()


def test_joint_budgets_scheme_by_scheme():
    found = totals(group_of(among=(0, 1, 2)))
    own = 1 / (1 + 1 / sum(1 / (1 / r - 1) for r in LOSSES[:3]))
    want = {LOSSLESS: 0.3, INDEPENDENT: 0.42, GLOBAL: own, SPLITTING: 0.3, DOUBLING: 0.26}
    assert found == pytest.approx(want, rel=1e-12)


def test_segments_fill_each_bar():
    frame = scenes.segments(group_of(joining=(1, 2, 1, 3)))
    assert list(frame["scheme"].unique()) == list(WAYS)
    for _, rows in frame.groupby("scheme"):
        assert rows["loss"].sum() == pytest.approx(rows["total"].iloc[0])
    twins = scenes.segments(group_of((0.1, 0.15, 0.4)))  # two share the piece 0.1 of doubling
    assert twins[twins["scheme"] == DOUBLING]["tier"].tolist() == ["t0", "t2"]


def test_people_count_once_only_where_they_share_their_numbers():
    found = totals(group_of((0.1, 1.0), (16, 1), among=(0,)))
    assert found[LOSSLESS] == 0.1
    assert found[INDEPENDENT] == pytest.approx(1.6)
    assert found[GLOBAL] == pytest.approx(0.64)


def test_many_readers_of_one_tier():
    found = scenes.crowd(ladder_of(), 0.1).pivot(index="readers", columns="scheme", values="loss")
    few_of_them = found.loc[[2, 4, 20]]
    assert few_of_them[GLOBAL].round(2).tolist() == [0.18, 0.31, 0.69]
    assert few_of_them[LOSSLESS].tolist() == [0.1] * 3
    assert few_of_them[INDEPENDENT].tolist() == pytest.approx([0.2, 0.4, 2.0])


@pytest.mark.parametrize("family", ["laplace", "discrete_laplace", "poisson"])
def test_epsilon_families_add_epsilon_and_two_make_it_global(family):
    found = group_of((0.1, 0.5, 1.0), family=family, among=(0, 1))
    assert found.ladder.letter == "ε"
    assert (found.ladder.delta > 0) == (family == "poisson")
    want = {LOSSLESS: 0.5, INDEPENDENT: 0.6, GLOBAL: 1.0, SPLITTING: 0.5, DOUBLING: 0.5}
    assert totals(found) == pytest.approx(want)


# --- right guesses, and the bounds behind them ---


def check_guesses(found, relation, groups, query):
    """The best test is right as often as the distance of what it sees with and without one."""
    family, said = found.ladder.setting.family.name, page.headline(found)
    check_words(said.text, said.claims, f"{page.who(found)} 1,000")
    shifts = moves(query, relation, groups)
    levels = [found.ladder.budget(m.loss).level for m in found.members]
    for right, held in ((found.here, [min(levels)]), (found.apart, levels)):
        if family == "gaussian":
            mu = math.sqrt(2 * loss(family, held, shifts))
            assert right.value == pytest.approx(1000 * stats.norm.cdf(mu / 2), rel=1e-9)
            continue
        moved = [(LAWS[family](level), shift) for level in held for shift in shifts]
        distance = laplace_apart(moved) if family == "laplace" else delta_of(moved, 0)
        assert 500 * (1 + distance) <= right.value + 0.05 * len(moved)
        assert right.kind == "at most"


def laplace_apart(moved):
    """How far apart Laplace noise and the moved one are in all, from losses at many quantiles."""
    sums, first, many = np.ones(1), 0, 100_000
    for law, shift in moved:
        x = law.isf((np.arange(many) + 0.5) / many)
        steps = np.floor((law.logpdf(x) - law.logpdf(x + shift)) / GRAIN).astype(int)
        sums = fftconvolve(sums, np.bincount(steps - steps.min()) / many)
        first += steps.min()
    return float(sums @ np.maximum(-np.expm1(-GRAIN * (first + np.arange(sums.size))), 0))


def loss(family, levels, shifts):
    """ρ of Gaussian noise, ε of Laplace noise."""
    if family == "gaussian":
        return sum(s * s for s in shifts) * sum(1 / (2 * level) for level in levels)
    return sum(map(abs, shifts)) * sum(1 / level for level in levels)


def check_bounds(found, relation, groups, query):
    """A bound holds for the noise that is drawn; that of ρ and of pure ε is attained."""
    ladder, said = found.ladder, page.learned(found)
    check_words(said.text, said.claims, f"{page.who(found)} 1,000")
    shifts, family = moves(query, relation, groups), ladder.setting.family.name
    levels = [ladder.budget(m.loss).level for m in found.members]
    for claim, held in zip(said.claims, ([min(levels)], levels), strict=False):
        if not ladder.delta:
            assert claim.value == pytest.approx(loss(family, held, shifts), rel=1e-9)
            continue
        delta = len(held) * ladder.delta
        assert f"δ = {delta:g}".replace("e-0", "e-") in plain(said.text)
        for turned in (1, -1):
            moved = [(LAWS[family](x), turned * shift) for x in held for shift in shifts]
            assert delta_of(moved, claim.value) <= delta


@pytest.mark.parametrize(
    ("noise", "relation", "groups", "query"), in_quick(OWN, 2) + in_quick(READY, 1)
)
def test_what_a_group_learns(noise, relation, groups, query):
    ws = workspace_of(noise, relation, groups, query)
    ladder = scenes.plan_of(ws)
    for members in (ladder.tiers[:1], ladder.tiers):
        found = scenes.group(ladder, members)
        check_guesses(found, relation, groups, ws.statistic.query)
        check_bounds(found, relation, groups, ws.statistic.query)


def test_the_made_up_example_by_tier_and_by_reader():
    """760 as on the page Tiers; 890 where every reader holds noise of their own."""
    ladder = scenes.example()
    for members, right in ((ladder.tiers, 760), (ladder.everybody, 890)):
        found = scenes.group(ladder, members)
        assert (found.here.count, found.apart.count) == (673, right)
        assert found.held == scenes.persons(members)
        both = [500 * (1 + gaussian_advantage(math.sqrt(2 * r))) for r in (0.4, sum(found.held))]
        assert [found.here.value, found.apart.value] == pytest.approx(both, rel=1e-12)


def test_tiers_with_one_number_count_once_and_its_readers_each():
    twins = group_of((0.1, 0.1))
    assert twins.apart == twins.here
    crowd = group_of((0.1,), (2,))
    assert crowd.apart.value > crowd.here.value + 10


def test_the_recipe_shown_is_what_made_the_numbers():
    for found in (group_of(joining=(1, 2, 1, 1)), group_of(family="poisson")):
        again = numbers_of(recipe_code(scenes.guesses, **page.PAGE.arguments(found)))
        assert again == {LOSSLESS: found.here, INDEPENDENT: found.apart}


def test_a_bound_is_never_written_smaller_than_it_is():
    """ρ of a tier that was typed as ε has many digits."""
    ladder = scenes.plan_of(workspace_of(("gaussian", "teaching"), "add/remove", 1, "count"))
    found = scenes.group(ladder, ladder.tiers[:1])
    assert found.last.loss == pytest.approx(0.0077017, rel=1e-4)
    assert "bounded by ρ = 0.007702 " in plain(page.learned(found).text)


def test_the_least_private_tier_is_the_one_of_least_noise():
    """Two δ were typed: the larger ε is not that of less noise."""
    ws = workspace_of(("poisson", "teaching"), "add/remove", 1, "count")
    ws.use_tiers(
        [
            {"tier": "low", "budget": "0.5; 1e-3", "as": "(ε, δ)", "note": ""},
            {"tier": "high", "budget": "0.6; 1e-9", "as": "(ε, δ)", "note": ""},
        ]
    )
    ladder = scenes.plan_of(ws)
    found = scenes.group(ladder, ladder.tiers)
    least = min(ws.planned()[0], key=lambda p: p.budget.level).name
    assert found.last.name == least == "low"
    assert found.last.loss == max(t.loss for t in ladder.tiers)
    check_bounds(found, "add/remove", 1, ws.statistic.query)


def test_who_promises_nothing_at_the_δ_of_the_plan_is_left_out():
    """Noise below ln(1/δ) shows its 0 too often; the page says who is left out, and why."""
    ws = workspace_of(("poisson", "teaching"), "add/remove", 1, "count")
    ws.use_tiers(
        [
            {"tier": "a", "budget": "1; 1e-3", "as": "(ε, δ)", "note": ""},
            {"tier": "b", "budget": "0.5", "as": "ε", "note": ""},
        ]
    )
    known, left_out = account.at_plan(ws, ws.planned()[0])
    assert [p.name for p, _ in known] == ["b"]
    ladder = scenes.plan_of(ws)
    assert [t.name for t in ladder.tiers] == ["b"]
    assert left_out == ["Left out: a, as so little noise promises nothing at the plan’s δ."]
    assert ladder.problems[-1:] == tuple(left_out)


# --- how likely each loss is ---


def by_scheme(found):
    return {each.scheme: each for each in scenes.coalition_losses(found)}


def test_gaussian_losses_are_normal_and_their_epsilons_closed_forms():
    group = group_of((0.1, 0.2, 0.5), (1, 3, 1))
    found = by_scheme(group)
    drawn = scenes.chances([*found.values()])
    for scheme, rho in {LOSSLESS: 0.5, SPLITTING: 0.5, INDEPENDENT: 0.1 + 3 * 0.2 + 0.5}.items():
        mu, each = math.sqrt(2 * rho), found[scheme]
        assert each.epsilon == pytest.approx(gaussian_epsilon(LN, mu), rel=1e-9)
        law = stats.norm(mu**2 / 2, mu)
        levels = np.array([-1.0, 0.0, 1.0])
        assert each.above(levels) == pytest.approx(law.sf(levels), abs=3e-4)
        assert 0 <= each.within(0.95) - law.ppf(0.95) < 1e-3
        rows = drawn[drawn["scheme"] == scheme]
        assert rows["chance"].to_numpy() == pytest.approx(law.sf(rows["loss"]), abs=3e-4)
        assert rows["loss"].min() < law.ppf(1e-4) < law.isf(1e-4) < rows["loss"].max()


@pytest.mark.parametrize("chosen", few([(0, 2), (0,), (1,), (1, 2)], 4))
def test_of_any_subset_the_split_pieces_are_those_it_holds(chosen):
    group = group_of((0.1, 0.2, 0.5), among=chosen)
    pieces = sum((0.1, 0.1, 0.3)[k] for k in chosen)
    for scheme, rho in ((SPLITTING, pieces), (LOSSLESS, group.last.loss)):
        closed = gaussian_epsilon(LN, math.sqrt(2 * rho))
        assert by_scheme(group)[scheme].epsilon == pytest.approx(closed, rel=1e-9)


def test_laplace_losses_are_convolved_and_never_beyond_the_sum():
    found = by_scheme(group_of((0.5, 1.0), family="laplace"))
    apart = found[INDEPENDENT]
    assert apart.epsilon == pytest.approx(composed_laplace_epsilon([0.5, 1.0], LN), rel=1e-6)
    assert found[LOSSLESS].epsilon == pytest.approx(1.0, rel=1e-5)
    assert found[LOSSLESS].within(0.95) == pytest.approx(1.0, abs=1e-3)  # half of the time it is 1
    assert np.abs(apart.law.loss[apart.law.mass > 1e-12]).max() <= 1.5 + 1e-3
    rng = np.random.default_rng(3)  # the person moves the number by 1 and is there
    noise = rng.laplace(size=(400_000, 2)) / (0.5, 1.0)
    loss = ((np.abs(noise + 1) - np.abs(noise)) * (0.5, 1.0)).sum(axis=1)
    for level in (0.0, 0.7):
        assert apart.above(level) == pytest.approx(float((loss > level).mean()), abs=4e-3)


def test_what_moves_together_adds_up():
    """Two coordinates of Gaussian noise are one of √2 times the shift."""
    two = by_scheme(group_of((0.5,), l0=2, moves=(Moved(((1.0, 2),)),)))[LOSSLESS]
    assert two.epsilon == pytest.approx(gaussian_epsilon(LN, 1.0), rel=1e-9)


@pytest.mark.parametrize("family", few(["discrete_laplace", "skellam", "poisson"], 3))
def test_whole_number_noise_of_either_direction(family):
    group = group_of((0.5, 1.0), family=family)
    found = by_scheme(group)
    away = replace(group, ladder=replace(group.ladder, moves=(Moved(((-1.0, 1),)),)))
    assert {LOSSLESS, INDEPENDENT} <= set(found)
    assert max(found[LOSSLESS].within(0.95), found[LOSSLESS].epsilon) <= 1.0 * (1 + 1e-6)
    assert found[LOSSLESS].epsilon < found[INDEPENDENT].epsilon
    for each in found.values():
        assert each.law.mass.sum() + each.law.infinite == pytest.approx(1.0, abs=1e-6)
        assert by_scheme(away)[each.scheme].epsilon == pytest.approx(each.epsilon, rel=1e-4)


def test_one_whole_number_is_for_the_person_or_against_by_all_of_epsilon():
    lossless = by_scheme(group_of((1.0,), family="discrete_laplace"))[LOSSLESS]
    for_them = 1 / (1 + math.exp(-1))
    assert lossless.above([-1.01, 0.0, 1.01]) == pytest.approx([1, for_them, 0])
    assert [lossless.within(0.2), lossless.within(0.95)] == pytest.approx([-1, 1])


def test_losses_in_words():
    losses = scenes.coalition_losses(group_of((0.1, 0.4)))
    said = page.loss_words(losses)
    assert said.values == tuple(each.within(0.95) for each in losses)
    check_words(said.text, said.claims, "95 times in 100")


def test_many_readers_in_words():
    ladder = ladder_of()
    said = page.crowd_words(ladder, ladder.tiers[1], 20)
    together = coalition_rho([0.1] * 20, "global", global_rho=1.0).value
    assert said.values == pytest.approx((0.1, 2.0, together))
    check_words(said.text, said.claims, "20 t1")


# --- the attack ---


def of_several(family, *, l0=4, replaced=False, losses=LOSSES):
    """One reader of the third tier, of a statistic that one person moves in several numbers."""
    ws = Workspace.fresh()
    bounds = Bounds("id", l0, 1, relation="replace" if replaced else "add/remove")
    query = Count(ByColumn("education", tuple(f"{k}" for k in range(2 * l0))), bounds)
    ws.statistic = Statistic(ws.table, query, "")
    ws.family_name = family
    ladder = replace(
        ladder_of(losses, family), setting=ws.setting, moves=moves_of(query), replaced=replaced
    )
    return scenes.group(ladder, ladder.tiers[2:3])


@pytest.mark.parametrize("family", few(["laplace", "discrete_laplace", "poisson", "skellam"], 2))
def test_the_guess_is_from_all_that_a_person_moves(family):
    found = of_several(family)
    asked = scenes.question(found)
    right = best_success(FAMILIES[family], asked.levels, Moved(((1.0, 4),)))
    assert asked.right(LOSSLESS).value == pytest.approx(1000 * right)
    said = page.knows(found, asked)
    assert said.startswith("One person moves at most four numbers, each by at most 1. ")
    assert said.endswith("nobody can do better.")
    assert asked.worlds > 0


def test_what_is_too_much_to_compute_is_a_bound_and_called_one():
    found = of_several("laplace", l0=6000, losses=(0.2, 0.5, 1.0, 2.0), replaced=True)
    asked = scenes.question(found)
    assert asked.moved.count == 12_000
    assert asked.worlds == 0
    assert scenes.attack(asked) == {}
    right = asked.right(LOSSLESS)
    assert right.value == pytest.approx(1000 * math.e / (1 + math.e))
    assert right.said == "at most 732"  # 731.06 rounded up: it is a bound
    said = page.knows(found, asked)
    assert "a bound from (ε, δ) alone" in said
    assert "too many numbers to simulate" in said


def test_the_same_question_has_the_same_worlds_and_its_attacker_is_near_the_best():
    found = group_of((0.1, 0.2, 0.3, 0.4))
    asked = scenes.question(found)
    one, other = scenes.attack(asked), scenes.attack(asked)
    for scheme, worlds in one.items():
        assert worlds.inside.tolist() == other[scheme].inside.tolist()
        best = asked.right(scheme).value
        assert 1000 * worlds.success() == pytest.approx(best, abs=12)
    for said in page.right_words(found, asked, one):
        check_words(said.text, said.claims, "1,000")


@pytest.mark.parametrize("family", ["laplace", "poisson"])
def test_where_one_person_replaces_another_the_question_is_which_of_two(family):
    found = of_several(family, l0=5, replaced=True)
    asked = scenes.question(found)
    assert asked.moved.shifts == ((1.0, 5), (-1.0, 5))
    said = [page.knows(found, asked), page.formula(found), page.reading(found)]
    for old in ("“in”", "“out”", "in or out", "this person", "is in,", "who is in"):
        assert old not in " ".join(said), old
