"""Structured mechanisms in a workspace: as statistics of a plan, as lists, and as a survey."""

import datetime
import math
from dataclasses import replace
from fractions import Fraction

import pytest

from dpviz.accounting.composition import joint_loss
from dpviz.data import read_csv
from dpviz.errors import HardenedModeError, OverBudgetError, ParameterError
from dpviz.handout import tier_csv, verify_folder
from dpviz.local import Bloom
from dpviz.planning.sharing import Part, Request, joint_of, work_out
from dpviz.planning.tiers import as_rows
from dpviz.queries import (
    BoundedSum,
    Bounds,
    ByColumn,
    Count,
    Everybody,
    ItemCounts,
    TextCounts,
    Words,
)
from dpviz.scenes.tiers import side_by_side
from dpviz.top_k import ListCost, UnknownDomain
from dpviz.workspace import Workspace, account, changes, counting, packing, structured, undo
from dpviz.workspace.facts import entry_noise
from dpviz.workspace.limits import read_limit
from dpviz.workspace.local import rappor
from dpviz.workspace.projects.absent import drawable_of_all
from dpviz.workspace.takeaways import loss_words
from dpviz.workspace.top_k import Common, Source, Subject
from dpviz.workspace.topics import topic_of
from tests.handouts import opened
from tests.structured_sessions import asked, counted, known, listed, workspace
from tests.visiting import plain

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


def test_a_list_is_everybodys_and_counts_once():
    ws = planned("top_k")
    found, list_alone = account.in_all(ws), listed(ws).cost.event(2)
    for name, budgets in found.budgets.items():
        told = joint_of(budgets[:1], found.settings, [list_alone])
        assert found.tiers[name].value == pytest.approx(told.value, rel=1e-12)
    ws.draw_all("public", "audit")
    assert [e.tier for e in ws.ledger] == ["public", "audit", "list of 2"]


def test_its_tiers_follow_the_plan_but_for_one_whose_budget_is_typed_as_plus_minus():
    ws = planned("linear_queries")
    rows = as_rows(ws.plan.tiers)
    ws.use_tiers([{**rows[0], "budget": "0.05"}])
    assert [p.budget.rho for p in ws.draws()[1].tiers] == pytest.approx([0.05])
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
        Request(tier="audit", parts=(part, part), total=Fraction(1), besides=found.besides["audit"])
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
    ws.plan_topic(topic_of("linear_queries", asked(ws).asked, ws))  # it is there already
    assert [topic.page for topic in ws.topics] == ["linear_queries"]


def test_two_plans_side_by_side_show_it():
    ws = workspace()
    undo.keep_as_a(ws)
    ws.plan_topic(topic_of("linear_queries", asked(ws).asked, ws))
    lines = side_by_side(undo.plan_a(ws), ws)
    mine = [line for line in lines if line.statistic == ws.topics[0].name]
    assert {line.change for line in mine} == {"new in B"}
    assert lines[-1].change == "less private"


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
    files = opened(content)
    folders = {name.split("/")[1] for name in files if name.count("/") == 2}
    said = files["practice-audit/README.txt"].decode("utf-8-sig")
    assert sorted(name.split("-of")[0] for name in folders) == ["number", "running-totals"]
    drawn = [e for e in ws.ledger if e.tier == "audit"]
    assert f"in all: {plain(loss_words(account.of_releases(ws, drawn)[0].mine))}." in said
    assert packing.check(ws, content) == ()
    assert verify_folder(content).passed


def test_a_zip_of_typed_numbers_alone_says_what_they_tell_together():
    ws = workspace()
    for counts in ([3, 1, 4], [2, 7]):
        stream = counting.of_counts(counts, 1)
        asking, tiers = counting.subject(ws, stream, counting.Branching(3, False)).asked(ws)
        ws.record(asking, *tiers)
    said = opened(packing.hand_out(ws, tier="audit"))["audit/README.txt"].decode("utf-8-sig")
    drawn = [e.event for e in ws.ledger if e.tier == "audit"]
    assert f"in all: {plain(loss_words(joint_loss(drawn, delta=ws.delta)))}." in said


def test_the_report_names_it_and_adds_it():
    ws = planned("linear_queries")
    told = plain(packing.report_of(ws, datetime.date(2026, 1, 1)))
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


# Lists in a workspace: drawn once for all tiers, in the ledger with what they cost.


@pytest.fixture
def ws():
    return Workspace.fresh()


ROWS = "".join(f"{n % 400},{'abcdefgh'[min(7, n * n % 11)]}\n" for n in range(3000))
TABLE = read_csv(f"id,to\n{ROWS}".encode(), name="trips")
PERSON = Bounds(person="id", groups_per_person=3)
FREE = Source(table=TABLE, query=TextCounts("to", PERSON))
LISTED = Source(table=TABLE, query=Count(ByColumn("to", tuple("abcdefghij")), PERSON))
HIDDEN = UnknownDomain(seen=100, log_delta=math.log(1e-6))


def asked_list(source=FREE, k=3, unknown=HIDDEN, step="1"):
    return Subject(source=source, k=k, step=Fraction(step), unknown=unknown)


KNOWN = asked_list(LISTED, 2, None)


def test_the_three_ways_to_count_agree():
    words = Source(table=TABLE, query=ItemCounts("to", Words(1), PERSON))
    exact = FREE.counts()
    assert exact == words.counts() == {k: n for k, n in LISTED.counts().items() if n}
    assert set(LISTED.counts()) == set("abcdefghij")
    assert (FREE.known, words.known, LISTED.known) == (False, False, True)
    assert FREE.reach == words.reach == LISTED.reach
    assert FREE.reach.l0 == 3


@pytest.mark.parametrize("subject", [asked_list(), KNOWN])
def test_a_list_is_drawn_once_and_stands_in_the_ledger(ws, subject):
    assert subject.ranking(ws) is None
    assert ws.ledger == []
    found = subject.draw(ws)
    assert subject.draw(ws) == subject.ranking(ws) == found
    (entry,) = ws.ledger
    hidden = math.log(1e-6) if subject is not KNOWN else None
    assert entry.event == ListCost(steps=subject.k, step=1, log_hidden=hidden).event(1)
    assert account.joint(ws, subject.source.query.bounds).value == subject.k
    assert entry_noise(entry) == "Gumbel noise, scale 1"


def test_a_longer_list_is_another_entry_of_one_session(ws):
    short, long = KNOWN.draw(ws), replace(KNOWN, k=4).draw(ws)
    assert long.items[:2] == short.items
    assert [(e.session, e.tier) for e in ws.ledger] == [(1, "list of 2"), (1, "list of 4")]
    bounds = KNOWN.source.query.bounds
    assert account.joint(ws, bounds).value == 4
    assert account.independent(ws, bounds).value == 6
    assert [n.level for e in ws.ledger for n in e.neighbours] == [0, 0]


def test_counts_are_another_session_whose_cost_adds(ws):
    with pytest.raises(ParameterError, match="Draw the list first"):
        asked_list().values(ws)
    found = asked_list().draw(ws)
    counts = asked_list().values(ws)
    tiers, _ = counts.tiers(ws)
    for place in (3, 0, 2):
        ws.record(counts.asking, tiers[place])
    assert [e.session for e in ws.ledger] == [1, 2, 2, 2]
    held = structured.held_tiers(ws, counts.asking, tiers)
    assert len(held) == 3
    size = len(found.items)
    assert counts.setting(1e-6).sensitivity.l2 == pytest.approx(math.sqrt(min(3, size)))
    for tier, entry in held:
        assert tier.values.shape == (size,)
        release = structured.release_of(ws, entry)
        assert release.entries == found.items
    total = account.joint(ws, counts.subject.source.query.bounds)
    assert total.definition == "(ε, δ)-DP"
    assert total.value > 3
    assert counts.tiers(ws)[0][0].budget.level > tiers[-1].budget.level


def test_files_say_what_they_are(ws):
    asked_list().draw(ws)
    text = tier_csv(structured.release_of(ws, ws.ledger[0])).decode()
    for said in ("the 3 most common items", "Gumbel, scale 1.0", "the list ends where", "unknown:"):
        assert said in text
    common = Common(source=FREE, sigma=5.0, log_delta=math.log(1e-8), log_delta_used=-14.0)
    found = common.draw(ws)
    assert common.draw(ws) is common.found(ws) is found
    text = tier_csv(structured.release_of(ws, ws.ledger[-1])).decode()
    assert "cut at ±" in text
    assert entry_noise(ws.ledger[-1]) == "truncated Gaussian noise, scale 5"
    assert ws.ledger[-1].event.delta == pytest.approx(3e-8 + math.exp(-14), rel=1e-7)
    assert len(ws.ledger) == 2


def test_hardened_lists_are_exact_and_truncated_noise_is_refused(ws):
    ws.use_mode("hardened")
    assert len(KNOWN.draw(ws).items) == 2
    text = tier_csv(structured.release_of(ws, ws.ledger[0])).decode()
    assert "none: practice mode" not in text
    ws.use_family("discrete_laplace")
    counts = KNOWN.values(ws)
    ws.record(counts.asking, counts.tiers(ws)[0][0])
    common = Common(source=FREE, sigma=5.0, log_delta=-18.0, log_delta_used=-14.0)
    with pytest.raises(HardenedModeError):
        common.draw(ws)
    assert common.found(ws) is None
    assert [e.session for e in ws.ledger] == [1, 2]


def test_what_has_no_counts_or_no_list_is_refused():
    for query in (
        BoundedSum("to", 0, 1),
        Count(Everybody()),
        Count(ByColumn("to", ("a", "b")), total=True),
    ):
        with pytest.raises(ParameterError, match="top-k needs"):
            Source(table=TABLE, query=query)
    with pytest.raises(ParameterError, match="where the items are not on a list"):
        asked_list(LISTED)
    with pytest.raises(ParameterError, match="where the items are not on a list"):
        asked_list(unknown=None)
    with pytest.raises(ParameterError, match="public list"):
        Common(source=LISTED, sigma=5.0, log_delta=-18.0, log_delta_used=-14.0)
    with pytest.raises(ParameterError):
        asked_list(k=0)
    with pytest.raises(ParameterError, match="at most the 10 items"):
        asked_list(LISTED, 11, None)


# Clients behind a column of the workspace: one ledger, one chain, a file for each f.


TREES = "who,tree\n" + "".join(f"p{n},{'ash' if n % 3 else 'yew'}\n" for n in range(300))
REPLACED = Bounds(relation="replace")
BLOOM = Bloom(bits=8, hashes=2, cohorts=4)


def survey_of(ws, bounds=REPLACED, **changed):
    given = {"query": TextCounts("tree", bounds), "bloom": BLOOM, "p": 0.25, "q": 0.75}
    return rappor.Subject(table=ws.table, **given | changed)


def of_trees():
    ws = Workspace.fresh()
    ws.table = read_csv(TREES.encode(), name="trees")
    return ws


@pytest.fixture(params=["teaching", "hardened"])
def trees(request):
    ws = of_trees()
    ws.use_mode(request.param)
    return ws


def test_reports_at_several_f_cost_the_sharpest_in_any_order(trees):
    mine = survey_of(trees)
    for f in (0.5, 0.75, 0.5):
        mine.draw(trees, f)
    assert [reports.rappor.f for reports in mine.reports(trees)] == [0.5, 0.75]
    assert [reports.total for reports in mine.reports(trees)] == [300, 300]
    assert len(trees.ledger) == 2
    joint = account.joint(trees, mine.query.bounds)
    assert (joint.definition, joint.value) == ("ε-DP", pytest.approx(4 * math.log(3), rel=1e-12))
    assert joint.value >= 4 * math.log(3)  # rounded to the private side
    other = survey_of(trees, q=0.9)  # another survey, with permanent bits of its own
    other.draw(trees, 0.75)
    added = 4 * math.log(3) + 4 * math.log(5 / 3)
    assert account.joint(trees, other.query.bounds).value == pytest.approx(added, rel=1e-9)


def test_a_file_holds_the_sums_and_no_text(trees):
    mine = survey_of(trees)
    mine.draw(trees, 0.5)
    text = tier_csv(structured.release_of(trees, trees.ledger[0])).decode()
    assert "RAPPOR, f = 0.5, p = 0.25, q = 0.75" in text
    assert "the text of one client is replaced" in text
    assert "cohort 4, bit 8" in text
    assert "ash" not in text
    assert "yew" not in text


def test_a_person_with_several_rows_is_one_client():
    rows = "who,tree\n" + "a,yew\na,ash\na,oak\nb,yew\n,fir\n"
    ws = Workspace.fresh()
    ws.table = read_csv(rows.encode(), name="rows")
    mine = survey_of(ws, Bounds(person="who", relation="replace"))
    assert mine.query.values(ws.table) == {"ash": 1, "yew": 1}
    mine.draw(ws, 0.5)
    assert mine.reports(ws)[0].total == 2


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"bounds": Bounds()}, "replaced"),
        ({"bounds": Bounds(person="who", groups_per_person=2, relation="replace")}, "one text"),
        ({"p": 0.75}, "unless p and q differ"),
    ],
)
def test_what_is_no_survey_is_refused(changed, says):
    ws = of_trees()
    with pytest.raises(ParameterError, match=says):
        survey_of(ws, **changed)
    with pytest.raises(ParameterError, match="forgets all"):
        survey_of(ws).draw(ws, 1.0)
    assert ws.ledger == []
