"""Two plans side by side: the numbers that the page shows of each alone, and what they mean."""

from dataclasses import replace

import pytest

from dpviz.planning.tiers import as_rows
from dpviz.queries import Bounds, Count
from dpviz.scenes import tiers as scenes
from dpviz.scenes.tiers import side_by_side
from dpviz.ui.kit.plan_compare import sentence, settings, table
from dpviz.workspace.guesses import right_in_all
from dpviz.workspace.undo import keep_as_a, plan_a
from dpviz.workspace.workspace import Workspace
from tests.conftest import few
from tests.unit.workspace.test_several import BY, BY_WARD, COSTS, PEOPLE, planned, typed
from tests.visiting import plain


def lines_of(ws):
    return {(line.statistic, line.tier): line for line in side_by_side(plan_a(ws), ws)}


def shown(told):
    return told.half, told.letter, told.loss, told.right


@pytest.mark.parametrize("noise", few(["gaussian", "laplace", "discrete_laplace"], 2))
def test_each_plan_has_the_numbers_that_the_page_shows_of_it_alone(noise):
    ws = planned(PEOPLE, BY_WARD, COSTS)
    keep_as_a(ws)
    ws.use_family(noise)
    typed(ws, audit="0.7", public="0.01")
    ws.delta = 1e-7
    found = lines_of(ws)
    for side, alone in (("a", plan_a(ws)), ("b", ws)):
        for statistic in list(alone.statistics):
            alone.use(statistic)
            scene = scenes.scene(alone)
            for planned_tier, right in zip(scene.planned, scene.rights, strict=True):
                budget = planned_tier.budget
                told = getattr(found[statistic.name, planned_tier.name], side)
                assert shown(told) == (budget.half_width, budget.letter, budget.loss, right)
        for name, joint in {**scene.in_all.tiers, "": scene.in_all.together}.items():
            told = getattr(found["", name], side)
            assert (told.loss, told.right) == (joint.value, right_in_all(joint))
    assert len(found) == 3 * 4 + 4 + 1


def test_of_one_statistic_all_together_is_what_the_headline_says():
    ws = Workspace.fresh()
    keep_as_a(ws)
    typed(ws, audit="0.5")
    found = lines_of(ws)
    assert [*found][-1] == ("", "")
    assert len(found) == 5
    for side, alone in (("a", plan_a(ws)), ("b", ws)):
        scene, told = scenes.scene(alone), getattr(found["", ""], side)
        assert (told.loss, told.right) == (scene.joint.value, scene.together)


def test_what_one_plan_lacks_is_a_dash_and_what_is_better_is_said():
    ws = planned(PEOPLE, BY_WARD)
    keep_as_a(ws)
    rows = as_rows(ws.plan.tiers)
    rows[1]["budget"], rows[2]["budget"] = "0.01", "0.9"
    ws.use_tiers([*rows[1:], {"tier": "press", "budget": "0.02", "as": "ρ"}])
    ws.use_instead(replace(ws.statistic, query=COSTS))
    found = lines_of(ws)
    name, costs, wards = PEOPLE.statistic, COSTS.statistic, BY_WARD.statistic
    assert found[name, "audit"].change == found[wards, "audit"].change == "only in A"
    assert found[costs, "press"].change == found[name, "press"].change == "new in B"
    assert found[name, "public"].change == "the same"
    assert found[name, "research"].change == "the same", "budgets of another statistic stay"
    cells = table(tuple(found.values())).to_numpy().tolist()
    assert [row[0] for row in cells if row[0]] == [name, costs, wards, "all statistics"]
    new = next(row for row in cells if row[1] == "press")
    assert plain(new[3]) == "– → ρ = 0.02"
    assert plain(cells[-1][3]) == "ρ = 0.8 → 1.2"
    assert plain(cells[-1][4]) == "≤ 737 → ≤ 781"


def test_sharper_and_less_private_are_told_apart():
    ws = Workspace.fresh()
    keep_as_a(ws)
    typed(ws, audit="0.5", public="0.05")
    found = lines_of(ws)
    key = ws.statistic.name
    assert found[key, "audit"].change == "sharper, less private"
    assert found[key, "public"].change == "less sharp, more private"
    assert found[key, "research"].change == "the same"
    said = sentence(found["", ""].a, found["", ""].b, "person")
    assert "673 times in 1,000 with A, and 691 times in 1,000 with B" in said.text
    assert [claim.value for claim in said.claims] == [
        pytest.approx(672.64, abs=0.01),
        pytest.approx(691.46, abs=0.01),
    ]
    assert settings(plan_a(ws), ws) == ""
    ws.use_family("laplace")
    assert plain(settings(plan_a(ws), ws)) == (
        "A: Gaussian noise, δ = 1e-6. B: Laplace noise, δ = 1e-6."
    )
    assert lines_of(ws)[key, "research"].change.endswith("another kind of promise"), "685 at most"


def test_losses_of_another_unit_are_not_compared():
    ws = planned(PEOPLE)
    keep_as_a(ws)
    ws.use_instead(replace(ws.statistic, query=Count(BY, Bounds())))
    found = lines_of(ws)
    assert found["", ""].a is None
    assert found["", ""].b is not None
