"""±50 people are not ±50 rows: where numbers are of another kind, every ± is asked again."""

import pytest

from dpviz import Workspace
from dpviz.errors import ParameterError
from dpviz.planning.tiers import Tier, as_rows
from dpviz.queries import BoundedMean, BoundedSum, Bounds, ByColumn, Count
from dpviz.workspace.plan_file import opened, saved, take_back, use, use_tiers
from dpviz.workspace.projects import Projects

ROWS = b"id,ward,cost,age\n1,A,10,3\n1,A,70,4\n2,B,3,5\n"
WARDS = ByColumn("ward", ("A", "B"))
PEOPLE = Bounds("id")
COUNT = Count(WARDS, PEOPLE)
MEAN = BoundedMean("cost", 0, 50, WARDS, Bounds("id", rows_per_group=5))
TIERS = (
    Tier(name="audit", amount="0.4", kind="ρ"),
    Tier(name="press", amount="50", kind="±a 95 %"),
    Tier(name="web", amount="5 % of 2,000", kind="±a 90 %, all"),
)


@pytest.fixture
def ws():
    found = Workspace.load(ROWS, name="visits.csv")
    found.state(COUNT)
    found.use_mode("hardened")
    assert found.use_tiers(as_rows(TIERS)) == []
    return found


def amounts(ws):
    typed = {row["tier"]: row["budget"] for row in ws.plan.typed_rows}
    assert typed == {t.name: t.amount for t in ws.plan.tiers}
    return list(typed.values())


def test_half_widths_of_people_are_asked_again_for_a_mean_with_the_old_ones_beside(ws):
    edition = ws.plan.edition
    ws.state(MEAN)
    assert amounts(ws) == ["0.4", "", ""]
    assert ws.plan.beside == {
        "press": "±50 people (95 %)",
        "web": "±5 % of 2,000 people (90 %, all)",
    }
    assert ws.plan.edition > edition, "the grid begins with them"
    planned, problems = ws.planned()
    assert [p.name for p in planned] == ["audit"]
    assert problems[0] == "Budget of press is empty. Type a number above 0, for example 50."
    with pytest.raises(ParameterError, match="no tier of this name"):
        ws.draw("press")
    rows = [{**row, "budget": row["budget"] or "3"} for row in ws.plan.typed_rows]
    assert ws.use_tiers(rows) == []
    assert ws.plan.beside == {}


def test_what_was_typed_comes_back_with_its_kind_of_number(ws):
    ws.state(MEAN)
    ws.use_tiers([{**row, "budget": row["budget"] or "3"} for row in ws.plan.typed_rows])
    assert ws.plan.asked_again(MEAN, COUNT) == []
    ws.state(COUNT)
    assert amounts(ws) == ["0.4", "50", "5 % of 2,000"]
    ws.state(MEAN)
    assert amounts(ws) == ["0.4", "3", "3"]


@pytest.mark.parametrize(
    ("after", "same"),
    [
        (Count(ByColumn("ward", ("A",)), PEOPLE), True),  # still people
        (Count(WARDS, Bounds("id", rows_per_group=3)), False),  # rows now
        (BoundedSum("cost", 0, 50, WARDS, PEOPLE), False),
    ],
)
def test_only_another_kind_of_number_asks(ws, after, same):
    assert ws.plan.asked_again(COUNT, after) == ([] if same else ["press", "web"])
    ws.state(after)
    assert (amounts(ws) == ["0.4", "50", "5 % of 2,000"]) is same


def test_sums_of_two_columns_are_of_two_kinds_and_means_of_two_columns_of_one(ws):
    ws.state(BoundedSum("cost", 0, 50, WARDS, PEOPLE))
    ws.use_tiers([{**row, "budget": row["budget"] or "300"} for row in ws.plan.typed_rows])
    ws.state(BoundedSum("age", 0, 9, WARDS, PEOPLE))
    assert ws.plan.beside["press"] == "±300 “cost” (95 %)"
    ws.state(MEAN)
    ws.use_tiers([{**row, "budget": row["budget"] or "3"} for row in ws.plan.typed_rows])
    ws.state(BoundedMean("age", 0, 9, WARDS, MEAN.bounds))
    assert amounts(ws) == ["0.4", "3", "3"]


def test_rows_that_cannot_be_used_are_asked_again_too(ws):
    wrong = [*as_rows(TIERS), {"tier": "new", "budget": "7", "as": "±a 99 %", "people": "x"}]
    assert ws.use_tiers(wrong)
    ws.state(MEAN)
    assert [row["budget"] for row in ws.plan.typed_rows] == ["0.4", "", "", ""]
    assert ws.plan.beside["new"] == "±7 people (99 %)"


def test_tiers_of_a_plan_for_another_kind_of_number_are_asked_again(ws):
    plan = opened(saved(ws))
    ws.state(MEAN)
    ws.plan.rewrite(TIERS[:1], ws.setting)
    before = use_tiers(ws, plan)
    assert amounts(ws) == ["0.4", "", ""]
    take_back(ws, before)
    assert amounts(ws) == ["0.4"]
    use_tiers(ws, plan)
    with pytest.raises(ParameterError, match="Budget of press is empty"):
        saved(ws)


def test_a_plan_that_is_taken_back_keeps_its_half_widths(ws):
    mean = Workspace.load(ROWS, name="visits.csv")
    mean.state(MEAN)
    before = use(ws, opened(saved(mean)))
    assert ws.statistic.query == MEAN
    take_back(ws, before)
    assert (ws.statistic.query, amounts(ws)) == (COUNT, ["0.4", "50", "5 % of 2,000"])


def test_a_project_keeps_what_is_asked_again(ws, tmp_path):
    ws.state(MEAN)
    Projects(tmp_path).create("visits", ws)
    again = Projects(tmp_path).open("visits")
    assert amounts(again) == ["0.4", "", ""]
    assert again.plan.beside == ws.plan.beside
