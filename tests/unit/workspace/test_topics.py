"""Structured mechanisms as statistics of a plan: their losses, tiers, limits, undo and draws."""

import datetime
from fractions import Fraction
from io import BytesIO
from zipfile import ZipFile

import pytest

from dpviz.accounting.composition import joint_loss
from dpviz.errors import OverBudgetError, ParameterError
from dpviz.handout import verify_folder
from dpviz.planning.sharing import Part, Request, joint_of, work_out
from dpviz.planning.tiers import as_rows
from dpviz.scenes.tiers import side_by_side
from dpviz.workspace import account, changes, counting, packing, undo
from dpviz.workspace.limits import read_limit
from dpviz.workspace.projects.absent import drawable_of_all
from dpviz.workspace.takeaways import loss_words
from dpviz.workspace.topics import topic_of
from tests.structured_sessions import asked, counted, known, listed, workspace

GAUSS, LAPLACE = "gaussian", "discrete_laplace"
MAKES = {"linear_queries": asked, "continual_counting": counted, "top_k": listed}


def planned(*pages, family=GAUSS, kind="ρ"):
    """A workspace with these topics on the plan."""
    ws = workspace()
    ws.use_mode("teaching")
    ws.use_family(family)
    ws.use_tiers([{**row, "as": kind} for row in as_rows(ws.plan.tiers)])
    for page in pages:
        ws.plan_topic(topic_of(page, MAKES[page](ws).asked, ws))
    return ws


@pytest.mark.parametrize(
    ("family", "kind", "pages"),
    [
        (GAUSS, "ρ", ("linear_queries",)),
        (LAPLACE, "ε", ("continual_counting", "linear_queries")),
        (GAUSS, "ρ", ("linear_queries", "top_k")),
        ("skellam", "ρ", ("continual_counting",)),
    ],
)
def test_what_is_said_before_is_what_the_ledger_says_after(family, kind, pages):
    ws = planned(*pages, family=family, kind=kind)
    found, before = account.in_all(ws), account.with_plan(ws)[0]
    names = list(found.tiers)
    assert len(found.names) == 1 + len(pages)
    for name in names:
        alone = planned(*pages, family=family, kind=kind)
        alone.draw_all(name)
        assert found.tiers[name].value == pytest.approx(account.joint(alone).value, rel=1e-9)
        assert found.tiers[name].delta == pytest.approx(account.joint(alone).delta, rel=1e-9)
    ws.draw_all(*names)
    assert found.together.value == pytest.approx(account.joint(ws).value, rel=1e-9)
    assert before.value == pytest.approx(account.joint(ws).value, rel=1e-9)


def test_losses_of_the_same_kind_add():
    ws = planned("linear_queries")
    found = account.in_all(ws)
    assert found.tiers["audit"].value == pytest.approx(0.4 + 0.4)
    assert [joint.value for joint in found.shares["public"]] == pytest.approx([0.1, 0.1])


def test_a_list_is_everybodys_and_counts_once():
    ws = planned("top_k")
    found, list_alone = account.in_all(ws), listed(ws).cost.event(2)
    for name, budgets in found.budgets.items():
        told = joint_of(budgets[:1], found.settings, [list_alone])
        assert found.tiers[name].value == pytest.approx(told.value, rel=1e-12)
    ws.draw_all("public", "audit")
    assert [e.tier for e in ws.ledger] == ["public", "audit", "list of 2"]


def test_its_tiers_follow_the_plan():
    ws = planned("linear_queries")
    ws.use_tiers([{**row, "budget": "0.05"} for row in as_rows(ws.plan.tiers)[:1]])
    assert [p.budget.rho for p in ws.draws()[1].tiers] == pytest.approx([0.05])


def test_a_tier_whose_budget_is_typed_as_plus_minus_is_left_out_and_refused():
    ws = planned("linear_queries")
    rows = as_rows(ws.plan.tiers)
    ws.use_tiers([{**rows[0], "budget": "3", "as": "±a 95 %"}, *rows[1:]])
    assert account.in_all(ws).left_out == (rows[0]["tier"],)
    assert rows[0]["tier"] not in drawable_of_all(ws)
    with pytest.raises(ParameterError, match="no budget for the running totals"):
        ws.draw_all(rows[0]["tier"])
    assert not ws.ledger


def test_shares_leave_it_what_it_costs():
    ws = planned("linear_queries")
    found = account.in_all(ws)
    part = Part(statistic="days", setting=found.settings[0], typed=None)
    both = work_out(
        Request(
            tier="audit",
            parts=(part, part),
            total=Fraction(1),
            besides=found.besides["audit"],
        )
    )
    assert [p.tier.amount for p in both.planned] == ["0.3", "0.3"], "0.4 of 1 is the topic’s"


def test_typed_budgets_beyond_a_total_become_noisier_until_it_is_met_with_the_topic():
    ws = planned("linear_queries")
    found = account.in_all(ws)
    part = Part(statistic="days", setting=found.settings[0], typed=("ρ", "0.3"))
    asked_for = {"tier": "audit", "parts": (part,), "besides": found.besides["audit"]}
    near = work_out(Request(**asked_for, total=Fraction(1, 2)))
    assert near.needed.value == pytest.approx(0.7)
    told = joint_of([near.planned[0].budget], found.settings, found.besides["audit"])
    assert 0.499 < told.value <= 0.5
    with pytest.raises(ParameterError, match="costs more than this total"):
        work_out(Request(**asked_for, total=Fraction(2, 5)))


def test_the_limit_counts_it_before_the_first_draw():
    ws = planned("linear_queries")
    ws.use_limit(read_limit("ρ", "0.5"))
    assert "0.8" in ws.beyond_limit()
    with pytest.raises(OverBudgetError):
        ws.draw_all("audit")
    assert not ws.ledger
    ws.leave_topic(ws.topics[0].key)
    assert not ws.beyond_limit()


def test_adding_and_taking_off_are_changes_that_can_be_undone():
    ws = workspace()
    undo.note(ws)
    ws.plan_topic(topic_of("linear_queries", asked(ws).asked, ws))
    undo.undo(ws)
    assert ws.topics == []
    assert account.in_all(ws) is None
    undo.redo(ws)
    assert [topic.page for topic in ws.topics] == ["linear_queries"]


def test_two_plans_side_by_side_show_it():
    ws = workspace()
    undo.keep_as_a(ws)
    ws.plan_topic(topic_of("linear_queries", asked(ws).asked, ws))
    lines = side_by_side(undo.plan_a(ws), ws)
    mine = [line for line in lines if line.statistic == ws.topics[0].name]
    assert {line.change for line in mine} == {"new in B"}
    assert lines[-1].change == "less private"


def test_added_twice_it_is_there_once():
    ws = planned("linear_queries")
    ws.plan_topic(topic_of("linear_queries", asked(ws).asked, ws))
    assert len(ws.topics) == 1


def test_a_press_says_what_it_draws_and_draws_it_once():
    ws = planned("linear_queries", "top_k")
    ws.draw_all("public")
    told = changes.of_all(ws, drawable_of_all(ws))
    assert set(told.drawn) == {"partners", "research", "audit"}
    assert all(len(names) == 2 for names in told.drawn.values()), "the list is drawn"
    ws.draw_all("public")
    assert len(ws.ledger) == 3
    drawn = [e.event for e in ws.ledger]
    assert told.before.value == pytest.approx(joint_loss(drawn, delta=ws.delta).value)


def test_of_a_list_with_a_public_domain_the_plan_holds_the_list():
    ws = workspace()
    ws.plan_topic(topic_of("top_k", known(ws).asked, ws))
    assert account.in_all(ws).names[1].startswith("most common items")


def test_a_tiers_zip_has_a_folder_for_it_and_the_joint_promise_counts_it():
    ws = planned("linear_queries", "top_k")
    ws.draw_all("public", "audit")
    content = packing.hand_out(ws, tier="audit")
    with ZipFile(BytesIO(content)) as archive:
        folders = {name.split("/")[1] for name in archive.namelist() if name.count("/") == 2}
        said = archive.read("practice-audit/README.txt").decode("utf-8-sig")
    assert sorted(name.split("-of")[0] for name in folders) == ["number", "running-totals"]
    drawn = [e for e in ws.ledger if e.tier == "audit"]
    assert f"in all: {plain(account.of_releases(ws, drawn)[0].mine)}." in said
    assert packing.check(ws, content) == ()
    assert verify_folder(content).passed


def test_a_zip_of_typed_numbers_alone_says_what_they_tell_together():
    ws = workspace()
    for counts in ([3, 1, 4], [2, 7]):
        stream = counting.of_counts(counts, 1)
        ws.record(*_drawn(counting.subject(ws, stream, counting.Branching(3, False)).asked(ws)))
    with ZipFile(BytesIO(packing.hand_out(ws, tier="audit"))) as archive:
        said = archive.read("audit/README.txt").decode("utf-8-sig")
    drawn = [e.event for e in ws.ledger if e.tier == "audit"]
    assert f"in all: {plain(joint_loss(drawn, delta=ws.delta))}." in said


def plain(loss):
    """A loss as a README says it, with usual spaces."""
    return loss_words(loss).replace("\u00a0", " ")


def _drawn(asked_for):
    return asked_for[0], *asked_for[1]


def test_the_report_names_it_and_adds_it():
    ws = planned("linear_queries")
    told = packing.report_of(ws, datetime.date(2026, 1, 1)).replace("\u00a0", " ")
    assert "The plan has 1 statistic and the running totals of: number of people" in told
    audit = told[told.index("In all, once the plan is drawn") :]
    assert "ρ = 0.8" in audit[: audit.index("</table>")]
    assert "at most 737" in told, "the headline counts it, too"


def test_typed_numbers_are_no_statistic_of_a_table():
    ws = workspace()
    stream = counting.of_counts([3, 1, 4, 1, 5], 1)
    one = counting.subject(ws, stream, counting.Branching(3, False))
    with pytest.raises(ParameterError, match="Choose a column of the table instead"):
        topic_of("continual_counting", one.asked, ws)
