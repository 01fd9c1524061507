"""What a tier's README says of all its releases: the numbers of the ledger, and no more."""

import io
import re
import zipfile

import pytest

from dpviz.handout import verify_folder
from dpviz.handout.packs import one_line
from dpviz.planning.tiers import as_rows
from dpviz.queries import BoundedSum, Bounds, ByColumn, Count, Everybody
from dpviz.workspace import account, packing
from dpviz.workspace.guesses import right_in_all
from dpviz.workspace.joint_promise import APART, PRACTICE
from dpviz.workspace.takeaways import loss_words
from dpviz.workspace.workspace import Workspace

ROWS = b"id,ward,cost,street\n1,A,3,x\n2,A,4,y\n3,B,5,x\n"
PERSON = Bounds(person="id")
BY = ByColumn("ward", ("A", "B"))
PEOPLE, BY_WARD = Count(Everybody(), PERSON), Count(BY, PERSON)
COSTS = BoundedSum("cost", 0, 50, BY, PERSON)
ALL = ("public", "partners", "audit")
FOLDER, EVERYBODY = "Privacy loss of this folder in all: ", "Privacy loss of all tiers who compare"


def drawn(*acts, family="discrete_laplace", mode="hardened"):
    """A workspace in which, statistic by statistic, these tiers drew."""
    ws = Workspace.load(ROWS, name="visits.csv")
    ws.use_mode(mode)
    ws.use_family(family)
    for query, tiers in acts:
        ws.state(query)
        ws.draw(*tiers)
    return ws


def rebudget(ws, tier, amount):
    rows = [{**r, "budget": amount} if r["tier"] == tier else r for r in as_rows(ws.plan.tiers)]
    assert ws.use_tiers(rows) == []


def readme(ws, tier="audit", practice=""):
    """The README of a tier's folder, line by line; the folder passes by ledger and by signature."""
    content = packing.hand_out(ws, tier=tier)
    assert packing.check(ws, content) == ()
    assert verify_folder(content).passed
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        text = archive.read(f"{practice}{tier}/README.txt").decode("utf-8-sig")
    return text.splitlines()


def words_of(loss):
    return one_line(loss_words(loss))


def line(lines, begin, place=0):
    return [text for text in lines if text.startswith(begin)][place]


@pytest.mark.parametrize("family", ["gaussian", "laplace", "skellam", "discrete_laplace"])
def test_both_losses_are_those_of_the_ledger(family):
    mode = "hardened" if family in ("skellam", "discrete_laplace") else "teaching"
    acts = ((PEOPLE, ALL), (BY_WARD, ALL[1:]), (COSTS, ALL[:1]))
    ws = drawn(*acts, family=family, mode=mode)
    rebudget(ws, "partners", "0.9")
    ws.draw("partners")
    alone = [(q, [t for t in who if t == "partners"]) for q, who in acts]
    mine = drawn(*((q, who) for q, who in alone if who), family=family, mode=mode)
    mine.state(COSTS)
    rebudget(mine, "partners", "0.9")
    mine.draw("partners")
    lines = readme(ws, "partners", "practice-" * (mode == "teaching"))
    for begin, loss in ((FOLDER, account.joint(mine)), (EVERYBODY, account.joint(ws))):
        said = line(lines, begin)
        assert words_of(loss) in said
        assert right_in_all(loss).said in said
    assert (PRACTICE in lines) == (mode == "teaching")


def test_earlier_budgets_and_closed_sessions_count():
    ws = drawn((PEOPLE, ["audit"]), family="discrete_laplace")
    one = account.joint(ws).value
    rebudget(ws, "audit", "0.1")
    ws.draw("audit")  # smaller: within the session the larger one counts
    assert words_of(account.joint(ws)) in line(readme(ws), FOLDER)
    assert account.joint(ws).value == one
    ws.start_over()
    ws.draw("audit")
    lines = readme(ws)
    assert account.joint(ws).value > one
    assert words_of(account.joint(ws)) in line(lines, FOLDER)
    assert [re.match(r"(\S*)/ ", text)[1] for text in lines[3:6]] == [
        *("number-of-people", "number-of-people-2", "number-of-people-3")
    ]


def test_a_line_of_a_statistic_is_what_its_own_folder_says():
    ws = drawn((PEOPLE, ALL), (BY_WARD, ALL))
    lines = readme(ws)
    for entry in (e for e in ws.ledger if e.tier == "audit"):
        facts = dict(ws.facts_of(entry))
        said = one_line(f"{facts['statistic']}: {facts['budget']}; {facts['accuracy']}")
        assert sum(text.endswith(f"  {said}") for text in lines) == 1


def test_nothing_is_said_of_a_statistic_a_unit_or_a_tier_of_others():
    streets = Count(Everybody(), Bounds(person="street"))
    ws = drawn((PEOPLE, ALL), (BY_WARD, ALL), (streets, ["public"]))
    text = "\n".join(readme(ws))
    for word in ("street", "public", "partners", "visits.csv", APART):
        assert word not in text
    assert APART in readme(drawn((PEOPLE, ALL), (streets, ALL)))


def test_losses_of_two_units_are_beside_each_other():
    ws = drawn((PEOPLE, ALL), (BY_WARD, ALL), (Count(BY), ALL))
    lines = readme(ws)
    units = account.by_unit(ws)
    assert [text for text in lines if text.startswith("Where ")] == [f"Where {u}:" for u in units]
    for place, loss in enumerate(units.values()):
        assert words_of(loss) in line(lines, FOLDER, place)
    assert APART in lines


def test_practice_and_what_was_read_off_the_data_are_said():
    ws = drawn((PEOPLE, ALL), mode="teaching", family="discrete_laplace")
    ws.seen.groups[ws.table.digest, "ward"] = ["A", "B"]
    ws.use_mode("hardened")
    for query in (PEOPLE, BY_WARD):
        ws.state(query)
        ws.draw("audit", "public")
    said = "\n".join(readme(ws))
    assert "The list of groups of “ward” was read off the data: no promise covers that." in said
    assert "is for practice, and carries no guarantee" in said
    assert PRACTICE not in said
    assert packing.with_several(ws) == {"audit": 2, "public": 2}
    assert packing.folder_name(ws, "audit") == "audit.zip", "practice is not handed out with it"
    ws = drawn((PEOPLE, ALL), (COSTS, ["audit"]))
    ws.seen.groups[ws.table.digest, "ward"] = ["A", "B"]
    ws.state(BY_WARD)
    ws.draw("public")  # the others alone hold what was read off
    said = "\n".join(readme(ws))
    assert "has groups that were read off the data, and carries no guarantee" in said
    assert "The list of groups" not in said


def test_a_folder_passes_after_others_drew_and_words_of_the_plan_changed():
    ws = drawn((PEOPLE, ["audit"]), (BY_WARD, ["audit"]), family="skellam")
    first, whole = packing.hand_out(ws, tier="audit"), packing.hand_out(ws)
    assert first == packing.hand_out(ws, tier="audit")
    ws.delta = 1e-9
    ws.draw("public", "partners")
    assert packing.check(ws, first) == ()
    assert {f.where for f in packing.check(ws, whole)} == {"tier “public”", "tier “partners”"}
    assert packing.hand_out(ws, tier="audit") != first, "all tiers know more now, and δ is another"
    ws.state(COSTS)
    ws.draw("audit")
    assert [f.where for f in packing.check(ws, first)] == ["tier “audit”"]


def test_losses_of_different_noise_are_composed_as_in_the_ledger():
    ws = drawn((PEOPLE, ["audit"]), family="discrete_laplace")
    ws.use_family("skellam")
    ws.state(BY_WARD)
    ws.draw("audit")
    loss = account.joint(ws)
    assert loss.delta
    assert words_of(loss) in line(readme(ws), FOLDER)


def test_a_folder_has_the_name_that_somebody_gave_its_statistic_and_passes_after_another():
    ws = drawn((PEOPLE, ["audit"]), (BY_WARD, ["audit"]))
    ws.call("Visitors by ward")
    lines = readme(ws)
    assert line(lines, "Visitors-by-ward/").split("  ")[-1].startswith("number of people per group")
    before = [packing.hand_out(ws, tier="audit"), packing.hand_out(ws)]
    ws.call("Wards")
    assert line(readme(ws), "Wards/")
    for content in before:
        assert packing.check(ws, content) == ()
