"""The plan as one visitor edits it: what is typed, what is in use, what comes back, and styles."""

from dataclasses import replace

import pytest

from dpviz.errors import ParameterError
from dpviz.noise import FAMILIES
from dpviz.planning.budgets import KINDS, Setting
from dpviz.planning.presets import PRESETS
from dpviz.planning.tiers import DEFAULT_TIERS, FIRST_PLAN, Tier, as_rows, read_tiers
from dpviz.queries import BoundedMean, BoundedSum, Bounds, ByColumn, Count, Everybody, Sensitivity
from dpviz.scenes.tiers import better_noise
from dpviz.workspace import Workspace
from dpviz.workspace.plan import KEPT, Plan, renamed
from dpviz.workspace.plan_file import opened, saved, use, use_tiers
from dpviz.workspace.projects import Projects
from dpviz.workspace.undo import undo
from tests.conftest import for_each

ONE = Sensitivity(l0=1, l1=1, l2=1, linf=1)


def setting_of(family="gaussian"):
    return Setting(family=FAMILIES[family], delta=1e-6, sensitivity=ONE, dimension=5)


SETTING = setting_of()


def amounts(plan):
    return {t.name: (t.kind, t.amount) for t in plan.tiers}


def test_typed_sizes_follow_their_groups_when_these_change_names_even_with_each_other():
    ws = Workspace.fresh()
    ws.state(Count(ByColumn("ward", ("A", "B"))))
    ws.plan.sizes = {"people": "A: 30\nB: 4\nelse: 1", "rows": "A: 5"}
    for names, sizes in (
        (("north", "B"), "north: 30\nB: 4\nelse: 1"),
        (("B", "A"), "B: 30\nA: 4\nelse: 1"),
        ((), "A: 30\nB: 4\nelse: 1"),
    ):
        ws.state(Count(ByColumn("ward", ("A", "B"), names=names)))
        assert ws.plan.sizes == {"people": sizes, "rows": "A: 5"}
    ws.state(Count(ByColumn("ward", ("B", "A"))))
    assert ws.plan.sizes["people"] == sizes, "another statistic leaves them alone"


def test_a_tier_that_is_not_in_the_grid_yet_is_not_called_a_row():
    for name, part in (("", "The new tier has no name"), ("x" * 41, "name of the new tier is too")):
        said = Plan().problem_with(Tier(name=name, amount="1", kind="ρ"), SETTING)
        assert part in said
        assert "row" not in said


def test_the_same_rows_are_read_once_in_a_setting(monkeypatch):
    asked = []

    def counted(rows, setting):
        asked.append(setting)
        return read_tiers(rows, setting)

    monkeypatch.setattr("dpviz.workspace.plan.read_tiers", counted)
    plan = Plan()
    first = plan.planned(SETTING)
    first[0].clear()  # what was handed out is the caller's own
    first[1].append("a problem of the caller")
    assert plan.planned(SETTING) == read_tiers(as_rows(FIRST_PLAN), SETTING)
    assert asked == [SETTING]
    plan.planned(setting_of("laplace"))
    plan.planned(SETTING)
    assert len(asked) == 2
    typed = [{"tier": " a ", "budget": 1, "as": "ρ", "note": None}]
    assert plan.use(typed, SETTING) == []
    assert [p.name for p in plan.planned(SETTING)[0]] == ["a"]
    assert len(asked) == 3
    assert plan.use([{"tier": "None", "budget": "1"}], SETTING) == []
    assert plan.use([{"tier": None, "budget": "1"}], SETTING) != []
    for n in range(100):
        plan.read([{"tier": "a", "budget": str(n + 1)}], SETTING)
    assert len(plan._read) == KEPT


def test_a_refused_change_takes_back_what_was_typed_and_not_what_was_read(monkeypatch):
    plan = Plan()
    before = plan.planned(SETTING)
    with pytest.raises(ParameterError), plan.unchanged_if_refused():
        plan.upgrade("public", "ρ", "no number", SETTING)
    assert plan.tiers == FIRST_PLAN
    monkeypatch.setattr("dpviz.workspace.plan.read_tiers", None)
    assert plan.planned(SETTING) == before


def made(*tiers):
    plan = Plan()
    assert plan.use(as_rows(tiers), SETTING) == []
    return plan


@pytest.mark.parametrize("family", ["gaussian", "laplace", "discrete_laplace"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_currency_and_back_restores_what_was_typed(family, kind):
    plan, setting = Plan(), setting_of(family)
    plan.use(as_rows(DEFAULT_TIERS), setting)
    before = amounts(plan)
    assert plan.state_as(kind, setting) == []
    assert {t.kind for t in plan.tiers} == {kind}
    assert plan.state_as("ρ", setting) == []
    assert amounts(plan) == before
    assert [row["budget"] for row in plan.typed_rows] == [t.amount for t in DEFAULT_TIERS]


def test_the_currency_of_a_plan_is_that_of_most_of_its_budgets():
    assert Plan().currency == Plan(tiers=()).currency == "ρ"
    kinds = {"a": "ρ", "b": "ε", "c": "ε"}
    plan = made(*(Tier(name=name, amount="1", kind=kind) for name, kind in kinds.items()))
    assert plan.currency == "ε"


def test_what_was_typed_before_a_new_amount_does_not_come_back():
    plan = made(Tier(name="a", amount="0.1", kind="ρ"))
    plan.state_as("ε", SETTING)
    rows = as_rows(plan.tiers)
    rows[0]["budget"] = "3"
    plan.use(rows, SETTING)
    plan.state_as("ρ", SETTING)
    assert plan.tiers[0].amount != "0.1"
    plan.state_as("ε", SETTING)
    assert plan.tiers[0].amount == "3"


def test_typing_keeps_the_edition_and_a_rewrite_starts_a_new_one():
    plan = Plan()
    plan.use(as_rows(DEFAULT_TIERS), SETTING)
    assert plan.edition == 0
    for act in (
        lambda: plan.use_preset(PRESETS[1], SETTING),
        lambda: plan.state_as("ε", SETTING),
        lambda: plan.sort(SETTING),
        lambda: plan.upgrade("research", "ε", "2", SETTING),
        lambda: plan.add(Tier(name="new", amount="4", kind="ε"), SETTING),
    ):
        edition = plan.edition
        act()
        assert plan.edition > edition


def test_rows_keep_their_order_and_sorting_goes_by_the_order_number():
    tiers = [
        Tier(name=name, amount=amount, kind="ρ", order=order)
        for name, amount, order in (("c", "0.5", "10"), ("a", "0.01", "9"), ("b", "0.1", ""))
    ]
    plan = made(*tiers)
    assert [t.name for t in plan.tiers] == ["c", "a", "b"]
    assert [p.name for p in plan.planned(SETTING)[0]] == ["a", "b", "c"]
    plan.sort(SETTING)
    assert [t.name for t in plan.tiers] == ["a", "c", "b"]  # 9 before 10, as numbers; none last


@for_each(
    "act",
    [
        lambda plan: plan.state_as("ε", SETTING),
        lambda plan: plan.sort(SETTING),
        lambda plan: plan.upgrade("public", "ε", "1", SETTING),
        lambda plan: plan.add(Tier(name="new", amount="1", kind="ρ"), SETTING),
    ],
)
def test_no_act_drops_rows_that_are_not_in_use_yet(act):
    plan = Plan()
    rows = as_rows(DEFAULT_TIERS)
    rows[1]["budget"] = "lots"
    assert len(plan.use(rows, SETTING)) == 1
    with pytest.raises(ParameterError, match="correct it there first"):
        act(plan)
    assert (plan.tiers, plan.edition, plan.typed_rows) == (FIRST_PLAN, 0, rows)


def test_a_ready_plan_replaces_rows_that_cannot_be_used_and_others_can_be_restated():
    plan = Plan()
    plan.use([{"tier": "x", "budget": "lots", "as": "ρ"}], SETTING)
    assert plan.refused
    assert plan.use_preset(PRESETS[0], SETTING) == []
    assert not plan.refused
    plan = made(Tier(name="a", amount="1e-12", kind="ρ"))
    tight = setting_of("poisson")
    assert plan.use(plan.typed_rows, tight) == plan.planned(tight)[1] != []
    assert not plan.refused


def test_upgrade_changes_one_tier_and_keeps_what_else_it_says():
    plan = Plan()
    plan.upgrade("partners", "ε", "1", SETTING)
    expected = [replace(t, kind="ε", amount="1") if t.name == "partners" else t for t in FIRST_PLAN]
    assert list(plan.tiers) == expected


@for_each(
    "act",
    [
        lambda plan: plan.upgrade("public", "ε", "-1", SETTING),
        lambda plan: plan.upgrade("public", "(ε, δ)", "1", SETTING),
        lambda plan: plan.add(Tier(name="Public", amount="1", kind="ρ"), SETTING),
        lambda plan: plan.add(Tier(name="", amount="1", kind="ρ"), SETTING),
        lambda plan: plan.add(Tier(name="new", amount="x", kind="ρ"), SETTING),
    ],
)
def test_an_act_that_cannot_be_done_changes_nothing(act):
    plan = Plan()
    with pytest.raises(ParameterError):
        act(plan)
    assert (plan.tiers, plan.edition) == (FIRST_PLAN, 0)
    assert plan.typed_rows == as_rows(FIRST_PLAN)


def test_a_tier_under_a_new_name_keeps_its_style_and_one_that_left_the_plan():
    plan = Plan()
    plan.use(as_rows(DEFAULT_TIERS), SETTING)
    before = dict(plan.styles)
    web = replace(DEFAULT_TIERS[1], name="web")
    plan.use(as_rows([DEFAULT_TIERS[0], web, *DEFAULT_TIERS[2:]]), SETTING)
    assert plan.styles["web"] == before["partners"]
    assert set(plan.styles) == {"public", "web", "research", "audit"}
    assert {n: s for n, s in plan.styles.items() if n != "web"}.items() <= before.items()
    assert plan.remembered["web", "ρ"] == DEFAULT_TIERS[1].amount
    plan.use_preset(PRESETS[2], SETTING)
    assert "public" not in plan.styles
    assert {name: plan.style_of(name) for name in before} == before
    assert plan.style_of("nobody") is not None


@for_each(
    "rows",
    [
        [replace(DEFAULT_TIERS[0], name="web", amount="0.003"), *DEFAULT_TIERS[1:]],
        [replace(DEFAULT_TIERS[0], name="web"), replace(DEFAULT_TIERS[1], name="b")],
        [replace(DEFAULT_TIERS[0], name="web"), replace(DEFAULT_TIERS[1], name="audit")],
        [DEFAULT_TIERS[1], DEFAULT_TIERS[0], *DEFAULT_TIERS[2:]],
        [*DEFAULT_TIERS, replace(DEFAULT_TIERS[0], name="web")],
        DEFAULT_TIERS[1:],
        DEFAULT_TIERS,
    ],
)
def test_what_is_more_than_a_new_name_is_no_renaming(rows):
    assert renamed(DEFAULT_TIERS, rows) == {}


def test_several_new_names_at_once_keep_the_budgets_of_every_statistic():
    ws = Workspace.fresh()
    ws.state(Count(Everybody()))
    ws.use_tiers([{**row, "budget": "0.05"} for row in as_rows(ws.plan.tiers)])
    ws.use(ws.statistics[0])
    rows = as_rows(ws.plan.tiers)
    ws.use_tiers([{**row, "tier": f"{row['tier']}s"} for row in rows])
    assert [t.name for t in ws.plan.tiers] == ["audits", "researchs", "partnerss", "publics"]
    assert {t.amount for t in ws.tiers_of(ws.statistics[1])} == {"0.05"}


def test_no_noise_is_advised_where_no_tier_can_be_used():
    """Beside a noise that none of the tiers can have, there is no share to compare."""
    ws = Workspace.fresh()
    ws.use_family("skellam")
    ws.delta = 0.5
    (problem,) = ws.use_tiers([{"tier": "a", "budget": "0.001", "as": "ρ"}])
    assert "out of reach" in problem
    assert better_noise(ws) is None


# ±50 people are not ±50 rows: where numbers are of another kind, every ± is asked again.


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


def typed_amounts(ws):
    typed = {row["tier"]: row["budget"] for row in ws.plan.typed_rows}
    assert typed == {t.name: t.amount for t in ws.plan.tiers}
    return list(typed.values())


def test_half_widths_of_people_are_asked_again_for_a_mean_with_the_old_ones_beside(ws):
    edition = ws.plan.edition
    ws.state(MEAN)
    assert typed_amounts(ws) == ["0.4", "", ""]
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
    assert ws.asked_again(ws.statistics[0]) == []
    ws.state(COUNT)
    assert typed_amounts(ws) == ["0.4", "50", "5 % of 2,000"]
    ws.state(MEAN)
    assert typed_amounts(ws) == ["0.4", "3", "3"]


@pytest.mark.parametrize(
    ("after", "same"),
    [
        (Count(ByColumn("ward", ("A",)), PEOPLE), True),  # still people
        (Count(WARDS, Bounds("id", rows_per_group=3)), False),  # rows now
        (BoundedSum("cost", 0, 50, WARDS, PEOPLE), False),
    ],
)
def test_only_another_kind_of_number_asks(ws, after, same):
    assert ws.plan.asked_again(COUNT, after, {}) == ([] if same else ["press", "web"])
    ws.state(after)
    assert (typed_amounts(ws) == ["0.4", "50", "5 % of 2,000"]) is same


def test_sums_of_two_columns_are_of_two_kinds_and_means_of_two_columns_of_one(ws):
    ws.state(BoundedSum("cost", 0, 50, WARDS, PEOPLE))
    ws.use_tiers([{**row, "budget": row["budget"] or "300"} for row in ws.plan.typed_rows])
    ws.state(BoundedSum("age", 0, 9, WARDS, PEOPLE))
    assert ws.plan.beside["press"] == "±300 “cost” (95 %)"
    ws.state(MEAN)
    ws.use_tiers([{**row, "budget": row["budget"] or "3"} for row in ws.plan.typed_rows])
    ws.state(BoundedMean("age", 0, 9, WARDS, MEAN.bounds))
    assert typed_amounts(ws) == ["0.4", "3", "3"]


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
    use_tiers(ws, plan)
    assert typed_amounts(ws) == ["0.4", "", ""]
    undo(ws)
    assert typed_amounts(ws) == ["0.4"]
    use_tiers(ws, plan)
    with pytest.raises(ParameterError, match="Budget of press is empty"):
        saved(ws)


def test_a_plan_that_is_taken_back_keeps_its_half_widths(ws):
    mean = Workspace.load(ROWS, name="visits.csv")
    mean.state(MEAN)
    use(ws, opened(saved(mean)))
    assert ws.statistic.query == MEAN
    undo(ws)
    assert (ws.statistic.query, typed_amounts(ws)) == (COUNT, ["0.4", "50", "5 % of 2,000"])


def test_a_project_keeps_what_is_asked_again(ws, tmp_path):
    ws.state(MEAN)
    Projects(tmp_path).create("visits", ws)
    again = Projects(tmp_path).open("visits")
    assert typed_amounts(again) == ["0.4", "", ""]
    assert again.plan.beside == ws.plan.beside
