"""Every number of the page Variances by another way: literal formulas, scipy's laws, arithmetic."""

import io
import math
from contextlib import redirect_stdout
from dataclasses import replace
from itertools import accumulate
from statistics import NormalDist

import numpy as np
import pytest

from dpviz.accounting.guarantees import guarantee_of
from dpviz.accounting.scheme_variances import ONE_NUMBER
from dpviz.errors import ParameterError
from dpviz.experiments.ladders import spaced_budgets
from dpviz.experiments.simulation import SampleVariances
from dpviz.noise import FAMILIES
from dpviz.queries import Sensitivity
from dpviz.scenes import variances as scenes
from dpviz.scenes.variances import LINES, LOSSLESS, WAYS, at
from dpviz.ui.kit.code import recipe_code
from tests.claim_settings import (
    GRID,
    LAWS,
    delta_of,
    in_quick,
    is_half_width,
    moves,
    workspace_of,
)
from tests.conftest import FULL

PLAN = (("public", "0.3"), ("partners", "0.7"), ("audit", "2"))
PURE = [g for g in GRID if not guarantee_of(FAMILIES[g[0][0]]).with_delta]
WITH_DELTA = [g for g in GRID if guarantee_of(FAMILIES[g[0][0]]).with_delta]
each = ("noise", "relation", "groups", "query")


def part(budgets, scheme, place):
    """What a scheme leaves a tier of the joint budget (MATHEMATICS 5.5)."""
    mine, most = budgets[place], budgets[-1]
    if scheme == LOSSLESS:
        return mine
    if scheme == "splitting":
        return mine - (budgets[place - 1] if place else 0)
    if scheme == "independent":
        return mine * most / sum(budgets)
    grid = [g for g in accumulate([budgets[0]] + [2] * 60, lambda a, b: a * b) if g <= most]
    return min(1, most / sum(grid)) * max(g for g in grid if g <= mine)


@pytest.mark.parametrize("l2", [1.0, 3.5])
def test_variances_are_the_formulas(l2):
    rhos = [0.003, 0.01, 0.05, 0.7]
    frame = scenes.variances(rhos, replace(ONE_NUMBER, sensitivity=Sensitivity.bounded(1, l2)))
    assert list(frame.columns) == list(scenes.COLUMNS)
    for scheme in LINES:
        for place, rho in enumerate(rhos):
            row, slice_ = at(frame, scheme, place), part(rhos, scheme, place)
            assert row["part"] == pytest.approx(slice_)
            assert row["variance"] == pytest.approx(l2**2 / (2 * slice_), rel=1e-12)
            assert row["factor"] == pytest.approx(rho / slice_, rel=1e-12)


@pytest.mark.parametrize(
    ("m", "spacing", "factor"),
    [
        *((m, "factors", f) for m, f in ((2, 1.0002), (10, 1.634), (30, 3.93), (100, 12.13))),
        *((m, "steps", f) for m, f in ((10, 9.0), (30, 29.0), (100, 99.0))),
    ],
)
def test_the_price_of_figure_2(m, spacing, factor):
    frame = scenes.variances(spaced_budgets(0.001, 5.0, m, spacing).tolist(), ONE_NUMBER)
    assert at(frame, "splitting", 0)["factor"] == 1
    assert at(frame, "splitting", m - 1)["factor"] == pytest.approx(factor, rel=2e-3)
    assert frame[frame["scheme"] == "doubling"]["factor"].max() < 4


def test_tiers_must_ascend():
    with pytest.raises(ParameterError):
        scenes.variances([0.5, 0.1], ONE_NUMBER)


@pytest.mark.parametrize(each, in_quick(PURE, 5))
def test_the_scene_where_budgets_add_exactly(noise, relation, groups, query):
    ws, family = workspace_of(noise, relation, groups, query, PLAN), noise[0]
    ladder, left_out = scenes.plan_of(ws)
    l1, budgets = sum(map(abs, moves(ws.statistic.query, relation, groups))), ladder.losses
    assert (ladder.names, left_out) == (("public", "partners", "audit"), [])

    def variance(budget):  # at ρ, up to a factor, or at pure ε
        return 1 / budget if family == "gaussian" else LAWS[family](l1 / budget).var()

    for place, mine in enumerate(budgets):
        scene = scenes.scene(ladder, place)
        needed = {s: variance(part(budgets, s, place)) / variance(mine) for s in WAYS}
        assert scene.worst == max(WAYS[1:], key=needed.__getitem__)
        assert scene.times == pytest.approx(needed[scene.worst] ** 0.5, rel=1e-9)
        precision = sum(1 / variance(part(budgets, "splitting", i)) for i in range(place + 1))
        averaged = (1 / precision / variance(mine)) ** 0.5
        assert scene.averaged == pytest.approx(averaged, rel=1e-9)
        for scheme in WAYS:
            step, level = ladder.setting.step, at(scene.ways, scheme, place)["level"]
            assert is_half_width(family, level, scene.half(scheme) / step)


@pytest.mark.parametrize(each, in_quick(WITH_DELTA, 2))
def test_the_scene_where_there_is_a_δ(noise, relation, groups, query):
    """All releases together keep the joint ε and δ; lossless noise could not be less."""
    ws, law, place = workspace_of(noise, relation, groups, query, PLAN), LAWS[noise[0]], 1
    ladder, _ = scenes.plan_of(ws)
    scene, setting = scenes.scene(ladder, place), ladder.setting
    shifts = moves(ws.statistic.query, relation, groups)
    least = [float(at(scene.ways, LOSSLESS, i)["level"]) for i in range(len(PLAN))]
    for scheme in WAYS[1:] if FULL else ("independent",):
        levels = [float(at(scene.ways, scheme, i)["level"]) for i in range(len(PLAN))]
        assert given_away([law(level) for level in levels], shifts, 2.0) <= setting.delta
        factor = law(levels[place]).var() / law(least[place]).var()
        assert at(scene.ways, scheme, place)["factor"] == pytest.approx(factor)
        assert is_half_width(noise[0], levels[place], scene.half(scheme) / setting.step)
    if guarantee_of(setting.family).is_least(least[place], setting):
        assert given_away([law(0.99 * least[place])], shifts, ladder.losses[place]) > setting.delta


def given_away(laws, shifts, epsilon):
    """At most the δ of independent releases together, either way."""
    return max(
        delta_of([(law, turned * shift) for law in laws for shift in shifts], epsilon)
        for turned in (1, -1)
    )


def test_what_all_tiers_together_may_guess():
    """Gaussian noise at ρ: Φ(√(2ρ)/2) of 1,000; at ε, whose bound holds: e^ε / (1 + e^ε)."""
    for name in ("gaussian", "laplace"):
        ws = workspace_of((name, "teaching"), "add/remove", 1, "count", PLAN)
        ladder, _ = scenes.plan_of(ws)
        most, right = ladder.losses[-1], scenes.scene(ladder, 0).right
        if name == "gaussian":
            assert right.value == pytest.approx(1000 * NormalDist().cdf(math.sqrt(2 * most) / 2))
        else:
            assert right.value == pytest.approx(1000 * math.exp(most) / (1 + math.exp(most)))
        assert right.kind == ("exact" if name == "gaussian" else "at most")


def test_measured_factors_are_by_the_formula_of_lossless():
    setting = replace(ONE_NUMBER, family=FAMILIES["laplace"], step=2.0)
    frame = scenes.variances([0.1, 0.5], setting)
    found = SampleVariances(np.array([200.0, 8.0]), np.array([210.0, 13.0]), 10_000)
    measured = scenes.measured(frame, "splitting", found, setting)
    assert list(measured.columns) == list(scenes.MEASURED)
    assert measured["scheme"].tolist() == ["lossless"] * 2 + ["splitting"] * 2
    assert measured["variance"].tolist() == [800.0, 32.0, 840.0, 52.0]
    np.testing.assert_allclose(measured["factor"], [1.0, 1.0, 840 / 800, 52 / 32])
    gaussian = scenes.measured(frame, "splitting", found, ONE_NUMBER)
    wider = (measured["high"] - measured["low"]) / (gaussian["high"] - gaussian["low"]) / 4
    np.testing.assert_allclose(wider, 2.5**0.5, rtol=1e-3)


@pytest.mark.parametrize("noise", [("gaussian", "teaching"), ("skellam", "hardened")])
def test_the_sample_shown_is_what_made_the_numbers(noise):
    ladder, _ = scenes.plan_of(workspace_of(noise, "add/remove", 1, "count", PLAN))
    text = recipe_code(scenes.ways, losses=ladder.losses, setting=ladder.setting)
    assert "dpviz.scenes" not in text.replace(">>> from dpviz.scenes", "")
    names = {}
    with redirect_stdout(io.StringIO()) as printed:
        exec(text, names)
    assert names["numbers"].equals(scenes.scene(ladder, 0).ways)
    assert "half_width" in printed.getvalue()
