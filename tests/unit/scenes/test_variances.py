"""The page Variances: every number by another way, its sentences, its pictures."""

import re
from dataclasses import replace
from itertools import accumulate

import numpy as np
import pytest

from dpviz.accounting.guarantees import guarantee_of
from dpviz.accounting.scheme_variances import ONE_NUMBER
from dpviz.accounting.schemes import SCHEMES
from dpviz.charts.forms.guess_scale import HERE
from dpviz.charts.variances import figure_2
from dpviz.errors import ParameterError
from dpviz.experiments.simulation import SampleVariances
from dpviz.noise import FAMILIES
from dpviz.palette import GREY, TierStyle
from dpviz.planning.budgets import Setting
from dpviz.queries import Sensitivity
from dpviz.scenes import variances as scenes
from dpviz.scenes.variances import LINES, LOSSLESS, WAYS, Ladder, at
from dpviz.ui import variances as page
from dpviz.ui.kit.code import recipe_code
from tests.claim_settings import (
    GRID,
    LAWS,
    NOISE,
    in_quick,
    is_half_width,
    moves,
    workspace_of,
)
from tests.conftest import few
from tests.visiting import check_words, numbers_of, plain

PLAN = (("public", "0.3"), ("partners", "0.7"), ("audit", "2"))
PURE = [g for g in GRID if not guarantee_of(FAMILIES[g[0][0]]).with_delta]
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


def test_tiers_must_ascend():
    with pytest.raises(ParameterError):
        scenes.variances([0.5, 0.1], ONE_NUMBER)


@pytest.mark.parametrize(each, in_quick(PURE, 2))
def test_the_scene_where_budgets_add_exactly(noise, relation, groups, query):
    ws, family = workspace_of(noise, relation, groups, query, PLAN), noise[0]
    ladder, left_out = scenes.plan_of(ws)
    l1, budgets = sum(map(abs, moves(ws.statistic.query, relation, groups))), ladder.losses
    assert (ladder.names, left_out) == (("public", "partners", "audit"), [])

    def variance(budget):  # at ρ, up to a factor, or at pure ε
        return 1 / budget if family == "gaussian" else LAWS[family](l1 / budget).var()

    for place, mine in enumerate(budgets):
        scene = scenes.scene(ladder, place)
        apart = variance(part(budgets, "independent", place)) / variance(mine)
        assert scene.times == pytest.approx(apart**0.5, rel=1e-9)
        precision = sum(1 / variance(part(budgets, "splitting", i)) for i in range(place + 1))
        averaged = (1 / precision / variance(mine)) ** 0.5
        assert scene.averaged == pytest.approx(averaged, rel=1e-9)
        for scheme in WAYS:
            step, level = ladder.setting.step, at(scene.ways, scheme, place)["level"]
            assert is_half_width(family, level, scene.half(scheme) / step)


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


@pytest.mark.parametrize("noise", few([("gaussian", "teaching"), ("laplace", "teaching")], 2))
def test_the_sample_shown_is_what_made_the_numbers(noise):
    ladder, _ = scenes.plan_of(workspace_of(noise, "add/remove", 1, "count", PLAN))
    again = numbers_of(recipe_code(scenes.ways, losses=ladder.losses, setting=ladder.setting))
    assert again.equals(scenes.scene(ladder, 0).ways)


# --- the sentences and the pictures ---


def ladder(name, budgets):
    setting = Setting(
        family=FAMILIES[name], delta=1e-3, sensitivity=Sensitivity.bounded(1), dimension=1
    )
    return Ladder(
        names=tuple(f"tier {b}" for b in budgets),
        losses=tuple(budgets),
        styles=tuple(TierStyle(i + 1, i) for i in range(len(budgets))),
        setting=setting,
        unit="people",
        one="person",
    )


@pytest.mark.parametrize("noise", few(NOISE[::-1], 5))
def test_every_number_of_the_page_is_claimed(noise):
    shown, _ = scenes.plan_of(workspace_of(noise, "add/remove", 1, "count", PLAN))
    bound = shown.promise.with_delta
    for place in range(len(PLAN)):
        scene = scenes.scene(shown, place)
        head, (together, why) = page.headline(scene), page.beside(scene)
        for said in (head, together):
            check_words(said.text, said.claims, "1,000 95 100")
        assert why.claims == ()
        ours, theirs = (scene.half(s) for s in (LOSSLESS, "independent"))
        assert head.values == ((ours, theirs) if ours else (scene.times,))
        assert together.values == (scene.right.value, 500)
        assert head.claims[0].kind == "exact" or not ours
        assert head.claims[-1].kind == ("at most" if bound else "exact")
        averaged = re.search(r"would be (up to )?(.*?) times as noisy", page.formula(scene))
        many, up_to = (float(averaged[2]), averaged[1]) if averaged else (1.0, bound)
        assert many == pytest.approx(scene.averaged, rel=0.1)
        assert bool(up_to) == bound


def test_the_sentences_of_the_page():
    """Wording is asserted here and nowhere else."""
    scene = scenes.scene(ladder("gaussian", [0.1, 0.2, 0.3, 0.4]), 2)
    assert plain(page.headline(scene).text) == (
        "Separate noise would widen tier 0.3’s ± 2.6 to ± 4.1 people, for equal protection."
    )
    assert [plain(said.text) for said in page.beside(scene)] == [
        "**All tiers together learn the same either way:** a guess about one person is right 673 "
        "times in 1,000 (a coin: 500).",
        "Separate noise partly cancels when tiers compare notes. So at equal protection it has to "
        "be larger, as here, and larger again for every tier that joins later. At equal size it "
        "protects less: see Collusion.",
    ]
    assert "tier 0.3’s would be as exact as with shared noise" in plain(page.formula(scene))
    noisier = page.formula(scenes.scene(ladder("laplace", [0.3, 0.5, 1.2]), 2))
    assert "would be 1.5 times as noisy" in plain(noisier)  # √2.32, MATHEMATICS 5.5
    less = scenes.scene(ladder("poisson", [0.3, 0.7, 2.0]), 2)
    assert less.averaged < 0.9, "lossless is no best: the page must not hide it"
    assert "right at most " in page.beside(less)[0].text
    assert "would be up to 0." in plain(page.formula(less))
    tiny = page.headline(scenes.scene(ladder("discrete_laplace", [30.0, 45.0]), 1))
    assert re.search(r"for tier 45.0 would have to be [\d,.]+ times as large", plain(tiny.text))


@pytest.mark.parametrize(
    ("name", "budgets", "rule"),
    [
        ("gaussian", [0.5, 2.0], "budgets that add up to the joint one"),
        ("skellam", [0.5, 2.0], "convolved privacy losses"),
        ("skellam", [0.5, 1.0, 1.5, 2.0, 2.5, 3.0], "adding ε and δ of all releases"),
    ],
)
def test_claims_and_formulas_say_which_rule(name, budgets, rule):
    scene = scenes.scene(ladder(name, budgets), 0)
    assert rule in page.headline(scene).claims[1].method
    assert rule in page.formula(scene)
    assert scene.ladder.promise.formula in page.formula(scene)


def test_the_picture_has_all_tiers_two_ways():
    shown = ladder("gaussian", [0.1, 0.2, 0.3, 0.4])
    made = page.picture(scenes.scene(shown, 2))
    alt = plain(made.alt)
    assert (
        f"tier 0.3: {HERE}, ± 2.6 people; "
        "Separate noise for each, equal protection, ± 4.1 people." in alt
    )
    assert f"tier 0.1: {HERE}, ± 4.4 people; Separate noise for each, equal protection, ± 7." in alt
    coloured = {c for trace in made.figure.data for c in trace.marker.color}
    assert {style.colour for style in shown.styles} < coloured
    hovers = " ".join(hover for trace in made.figure.data for hover in trace.hovertext)
    assert "ρ = 0.12 instead of 0.3" in plain(hovers).replace("<br>", " ")


def test_figure_2_has_a_line_for_each_scheme_and_marks_for_the_two_compared():
    frame = scenes.variances([0.1, 0.5], ONE_NUMBER)
    found = SampleVariances(np.array([5.1, 0.9]), np.array([5.2, 1.3]), 1000)
    rows = scenes.measured(frame, "doubling", found, ONE_NUMBER)
    made = figure_2(frame, rows, compared="doubling", how="1,000 repetitions")
    lines = [trace for trace in made.figure.data if trace.mode == "lines"]
    assert lines[-1].name == "lossless"
    assert {line.line.color for line in lines[:3]} == {GREY}
    for line in lines:
        scheme = next(key for key in LINES if SCHEMES[key].name == line.name)
        np.testing.assert_array_equal(line.y, frame[frame["scheme"] == scheme]["variance"])
        assert (line.y >= lines[-1].y).all()
    marks = [trace for trace in made.figure.data if trace.mode == "markers"]
    assert [m.name for m in marks] == ["doubling budgets, measured", "lossless, measured"]
    np.testing.assert_allclose(marks[1].y, [5.1, 0.9])
    assert "1,000 repetitions" in marks[0].hovertext[0]
