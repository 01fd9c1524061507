"""Every number that the page Collusion claims, computed again over a grid of settings.

Of one session the least noise counts; what it gives away, and what independent releases would give
away together, is added up outcome by outcome.
"""

import math

import numpy as np
import pytest
from scipy import stats
from scipy.signal import fftconvolve

from dpviz.ui.collusion import controls, harm, words
from dpviz.workspace import account
from tests.claim_settings import (
    GRAIN,
    GRID,
    LAWS,
    OWN,
    READY,
    delta_of,
    in_quick,
    moves,
    workspace_of,
)
from tests.visiting import check_words, plain

TOGETHER = "bound on the privacy loss of all together"
APART = "bound on it for independent releases"
COALITIONS = (["public"], ["public", "audit"])


def said(shown):
    """The claims, by their first words, of a take-away whose numbers are all claimed."""
    claims = words.claims(shown)
    check_words(words.take_away(shown), claims, words.who(shown))
    return {claim.what.rpartition(", ")[0]: claim for claim in claims}


def seen(ws):
    """The group that is picked."""
    asked = controls.whose(ws)
    return controls.view(ws, asked, controls.picked(asked), controls.whole(asked))


def check_harm(shown, relation, groups, query):
    """The best test is right as often as the distance of what it sees with and without one."""
    family, claims = shown.plan.setting.family.name, harm.claims(shown)
    check_words(harm.take_away(shown), claims, harm.who(shown))
    shifts = moves(query, relation, groups)
    levels = [shown.plan.budget(m.loss).level for m in shown.members for _ in range(m.joining)]
    for claim, held in zip(claims, ([min(levels)], levels), strict=False):
        if family == "gaussian":
            mu = math.sqrt(2 * loss(family, held, shifts))
            assert claim.value == pytest.approx(1000 * stats.norm.cdf(mu / 2), rel=1e-9)
        else:
            moved = [(LAWS[family](level), shift) for level in held for shift in shifts]
            right = 500 * (
                1 + (laplace_apart(moved) if family == "laplace" else delta_of(moved, 0))
            )
            assert right <= claim.value + 0.05 * len(moved)
            if claim.kind == "exact":
                assert right == pytest.approx(claim.value, abs=0.05 * len(moved))


def laplace_apart(moved):
    """How far apart Laplace noise and the moved one are in all, from losses at many quantiles."""
    sums, first, many = np.ones(1), 0, 100_000
    for law, shift in moved:
        x = law.isf((np.arange(many) + 0.5) / many)
        steps = np.floor((law.logpdf(x) - law.logpdf(x + shift)) / GRAIN).astype(int)
        sums = fftconvolve(sums, np.bincount(steps - steps.min()) / many)
        first += steps.min()
    return float(sums @ np.maximum(-np.expm1(-GRAIN * (first + np.arange(sums.size))), 0))


def check(shown, relation, groups, query):
    """A bound holds for the noise that is drawn; that of ρ and of pure ε is attained."""
    family, found = shown.plan.setting.family.name, said(shown)
    shifts = moves(query, relation, groups)
    levels = [shown.plan.budget(m.loss).level for m in shown.members for _ in range(m.joining)]
    assert found[TOGETHER].value == pytest.approx(loss(family, [min(levels)], shifts), rel=1e-9)
    if len(levels) > 1:
        assert found[APART].value == pytest.approx(loss(family, levels, shifts), rel=1e-9)


def loss(family, levels, shifts):
    """ρ of Gaussian noise, ε of Laplace noise."""
    if family == "gaussian":
        return sum(s * s for s in shifts) * sum(1 / (2 * level) for level in levels)
    return sum(map(abs, shifts)) * sum(1 / level for level in levels)


def check_with_delta(shown, relation, groups, query):
    """The bound holds at the δ that is said with it, with noise as it is drawn."""
    family, found = shown.plan.setting.family.name, said(shown)
    levels = [shown.plan.budget(m.loss).level for m in shown.members for _ in range(m.joining)]
    for what, held in ((TOGETHER, [min(levels)]), (APART, levels)):
        if what in found:
            delta = len(held) * shown.plan.setting.delta
            assert f"δ = {delta:g}".replace("e-0", "e-") in plain(words.take_away(shown))
            for turned in (1, -1):
                moved = [
                    (LAWS[family](level), turned * shift)
                    for level in held
                    for shift in moves(query, relation, groups)
                ]
                assert delta_of(moved, found[what].value) <= delta


@pytest.mark.parametrize(
    ("noise", "relation", "groups", "query"), in_quick(OWN, 8) + in_quick(READY, 1)
)
def test_what_a_coalition_learns(visit, noise, relation, groups, query):
    ws = workspace_of(noise, relation, groups, query)
    for ticked in COALITIONS:
        visit.come(collusion_whose=controls.OWN, collusion_ticked=ticked)
        shown = seen(ws)
        check_harm(shown, relation, groups, ws.statistic.query)
        checked = check if shown.plan.adds_exactly else check_with_delta
        checked(shown, relation, groups, ws.statistic.query)


def test_the_made_up_example(visit):
    """As it opens, and with everybody of each tier."""
    for how, right in ((controls.ONE, "760"), (controls.EVERYBODY, "890")):
        visit.come(collusion_whose=controls.EXAMPLE, collusion_persons=how)
        ws = workspace_of(*GRID[0])
        asked = controls.whose(ws)
        shown = controls.view(ws, asked, controls.counted(asked), controls.whole(asked))
        found = said(shown)
        held = [m.loss for m in shown.members for _ in range(m.joining)]
        assert found[TOGETHER].value == max(held)
        assert found[APART].value == pytest.approx(sum(held))
        check_words(harm.take_away(shown), harm.claims(shown), harm.who(shown))
        assert "673 times in 1,000" in harm.take_away(shown)
        assert harm.take_away(shown).endswith(f", {right}.")


def test_a_bound_is_never_written_smaller_than_it_is(visit):
    """ρ of a tier that was typed as ε has many digits."""
    visit.come(collusion_whose=controls.OWN, collusion_ticked=["public"])
    shown = seen(workspace_of(("gaussian", "teaching"), "add/remove", 1, "count"))
    assert shown.last.loss == pytest.approx(0.0077017, rel=1e-4)
    assert "bounded by ρ = 0.007702 " in plain(words.take_away(shown))


def test_the_least_private_tier_is_the_one_of_least_noise(visit):
    """Two δ were typed: the larger ε is not that of less noise."""
    ws = workspace_of(("poisson", "teaching"), "add/remove", 1, "count")
    ws.use_tiers(
        [
            {"tier": "low", "budget": "0.5; 1e-3", "as": "(ε, δ)", "note": ""},
            {"tier": "high", "budget": "0.6; 1e-9", "as": "(ε, δ)", "note": ""},
        ]
    )
    visit.come(collusion_whose=controls.OWN, collusion_ticked=["low", "high"])
    shown = seen(ws)
    least = min(ws.planned()[0], key=lambda p: p.budget.level).name
    assert shown.last.name == least == "low"
    assert shown.last.loss == max(t.loss for t in shown.plan.tiers)
    check_with_delta(shown, "add/remove", 1, ws.statistic.query)


def test_who_promises_nothing_at_the_δ_of_the_plan_is_left_out(visit):
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
    assert left_out == ["Left out: a, as so little noise promises nothing at the plan’s δ."]
    visit.come(collusion_whose=controls.OWN)
    assert [t.name for t in seen(ws).plan.tiers] == ["b"]
