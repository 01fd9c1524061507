"""Every number of the page Tiers by another way: the laws of the noise, and Φ."""

import math
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest

from dpviz.accounting import half_width
from dpviz.accounting.scheme_variances import ONE_NUMBER
from dpviz.errors import ParameterError
from dpviz.planning.sharing import Part, Request, work_out
from dpviz.queries import Count, Everybody
from dpviz.scenes import tiers as scenes
from dpviz.scenes.tiers import PLAN as CURRENCIES
from dpviz.scenes.tiers import (
    READABLE,
    error,
    largest_part,
    plan_frame,
    readable_cells,
    readable_frame,
)
from dpviz.ui.kit import in_all
from dpviz.ui.kit.code import recipe_code
from dpviz.ui.tiers import arguments, decision, headline, picture
from dpviz.workspace import account
from dpviz.workspace.workspace import Workspace
from tests.claim_settings import is_half_width, workspace_of
from tests.conftest import for_each, full_run
from tests.visiting import numbers_of, plain

PLAN = (("public", "0.3"), ("partners", "0.7"), ("audit", "2"))


def right(rho):
    return 1000 * NormalDist().cdf(math.sqrt(2 * rho) / 2)


def test_near_and_right_of_every_tier_and_of_all_together():
    ws = Workspace.fresh()
    ws.use_tiers([{"tier": name, "budget": rho, "as": "ρ"} for name, rho in PLAN])
    scene = scenes.scene(ws)
    assert [tier.name for tier in scene.held] == ["public", "partners", "audit"]
    for tier, found, (_, rho) in zip(scene.planned, scene.rights, PLAN, strict=True):
        assert is_half_width("gaussian", 1 / (2 * float(rho)), tier.budget.half_width)
        assert found.value == pytest.approx(right(float(rho)))
    assert scene.together.value == pytest.approx(right(2.0))
    assert scene.apart.value == pytest.approx(right(3.0))
    assert (scene.compared, scene.everybody) == (True, "all three")


def test_of_an_epsilon_the_guesses_are_at_most():
    scene = scenes.scene(workspace_of(("laplace", "teaching"), "add/remove", 1, "count", PLAN))
    for tier, found in zip(scene.planned, scene.rights, strict=True):
        epsilon = tier.budget.epsilon
        assert found.value == pytest.approx(1000 * math.exp(epsilon) / (1 + math.exp(epsilon)))
        assert found.kind == "at most"
    assert "≤ 9" in picture(scene).alt


def test_the_picture_has_every_tier_and_all_together_on_the_scale_of_guesses():
    scene = scenes.scene(Workspace.fresh())
    made = picture(scene)
    assert [made.alt.count(name) for name in ("audit: ", "public: ", "all four: ")] == [1, 1, 1]
    ends = ("673", "651", "624", "588", "760", "535", "874")
    assert all(end in made.alt for end in ends)
    assert "On it Wikipedia page views: 535." in made.alt
    assert headline(scene).claims


def test_the_decision_names_what_the_public_sees_and_what_all_together_guess():
    made = decision(scenes.scene(Workspace.fresh()))
    assert plain(made) == (
        "If ± 4.4 people is close enough for the public, and 673 right guesses of 1,000 about one "
        "person are safe enough, draw the numbers; if not, change the plan."
    )
    tiny = workspace_of(("discrete_laplace", "hardened"), "add/remove", 1, "count", (("a", "60"),))
    assert decision(scenes.scene(tiny)).startswith("If that is close enough for a, and ")


@pytest.mark.parametrize("count", [1, 3])
def test_nobody_compares_notes_alone_or_with_an_equal(count):
    ws = Workspace.fresh()
    ws.use_tiers([{"tier": f"t{i}", "budget": "0.1", "as": "ρ"} for i in range(count)])
    scene = scenes.scene(ws)
    assert not scene.compared
    assert "Separate noise" not in picture(scene).alt


@full_run
def test_a_hundred_tiers_fit():
    ws = Workspace.fresh()
    ws.use_tiers([{"tier": f"t{i}", "budget": f"0.{i + 1:03}", "as": "ρ"} for i in range(100)])
    assert picture(scenes.scene(ws)).figure.layout.height < 100 * 34


def test_the_sample_shown_is_what_made_the_numbers():
    scene = scenes.scene(Workspace.fresh())
    again = numbers_of(recipe_code(scenes.budgets, **arguments(scene)))
    assert again == {tier.name: tier.budget for tier in scene.planned}


def test_what_is_nearest_to_a_total_has_a_claim_for_every_number():
    asked = (("visits", ("±a 95 %", "2")), ("costs", ("ρ", "0.3")), ("persons", None))
    parts = [Part(statistic=name, setting=ONE_NUMBER, typed=typed) for name, typed in asked]
    found = work_out(Request(tier="audit", parts=tuple(parts), total=Fraction("0.6")))
    said = in_all.said_nearest(found, "person")
    assert plain(said.text).removeprefix(":material/warning: ") == (
        "audit: ±2 and ρ 0.3 need ρ = 0.7802. At ρ = 0.6 the nearest is ±2.8 and ρ 0.153, which "
        "leaves a share to the persons."
    )
    need, far, rho = said.values
    assert need == pytest.approx(1.959964**2 / 8 + 0.3)
    assert 1.959964**2 / (2 * far**2) + rho == pytest.approx(0.4, rel=0.01)


def test_which_statistic_costs_most_is_asked_of_epsilon_where_one_has_no_rho():
    ws = Workspace.fresh()
    first = ws.statistic
    ws.state(Count(Everybody()))
    ws.use_family("laplace")
    ws.use_tiers([{"tier": "audit", "budget": "0.5", "as": "ε"}])
    ws.use(first)
    ws.use_tiers([{"tier": "audit", "budget": "0.4", "as": "ρ"}])  # ε = 4.3 at δ = 1e-6
    found = account.in_all(ws)
    place, part = largest_part(found, "audit")
    assert place == 0
    assert 0.8 < part < 0.95


def test_what_all_statistics_tell_has_a_claim_for_every_number_and_says_which_costs_most():
    ws = Workspace.fresh()
    ws.state(Count(Everybody()))
    ws.use_tiers([{"tier": "audit", "budget": "1.6", "as": "ρ"}])
    scene = scenes.scene(ws)
    made = in_all.said(scene, scene.in_all)
    assert plain(made.text).endswith("The number of people costs most: 80 % of audit’s loss.")
    assert made.values[-1] == 80.0


def test_the_table_of_the_plan_agrees_with_the_plan():
    ws = Workspace.fresh()
    planned = ws.planned()[0]
    plan = plan_frame(planned, ws.family, 5)
    assert tuple(plan.columns) == CURRENCIES
    assert (plan["± all groups at once"] > plan["± one group"]).all()
    np.testing.assert_allclose(plan["μ"] ** 2 / 2, plan["ρ"])
    halves = [half_width(ws.family, t.level, 0.95) for t in ws.values_of_tiers]
    np.testing.assert_allclose(plan["± one group"], halves)
    in_quarters = plan_frame(planned, ws.family, 1, 0.25)
    np.testing.assert_allclose(in_quarters["± all groups at once"], 0.25 * np.array(halves))


def test_readable_is_half_width_over_size():
    tiers = [("public", 30.0), ("audit", 2.0)]
    frame = readable_frame(["a", "b", "c"], np.array([300.0, 20.0, 0.0]), tiers, 0.1)
    assert tuple(frame.columns) == READABLE
    assert frame["relative"].tolist() == [0.1, 1.5, np.inf, 2 / 300, 0.1, np.inf]
    assert frame["readable"].tolist() == [True, False, False, True, True, False]
    cells = readable_cells(frame).map(plain)
    assert cells["group"].tolist() == ["a", "b", "c"]
    assert cells["public"].tolist() == ["±10 %", "(±150 %)", "(> 999 %)"]
    with pytest.raises(ParameterError, match="limit"):
        readable_frame(["a"], np.ones(1), tiers, 0.0)


def test_of_many_groups_the_smallest_are_shown_in_the_order_of_the_list():
    names = [f"group {i}" for i in range(100)]
    frame = readable_frame(names, np.arange(100.0, 0, -1), [("audit", 1.0)], 0.1)
    assert readable_cells(frame)["group"].tolist() == names[70:]


@for_each(
    ("relative", "text"), [(0.123, "±13 %"), (0.12, "±12 %"), (0.0044, "±0.44 %"), (2.7, "±270 %")]
)
def test_errors_have_two_digits_and_are_rounded_up(relative, text):
    assert error(relative).replace("\u202f", " ") == text
