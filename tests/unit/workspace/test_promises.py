"""What is promised, in words: of δ, ρ, ε and the samplers, in a hand-out, and of all in a folder.

δ is no chance of a broken promise, ρ and ε bound the privacy loss and are not it, and a release by
itself rests on the sampler of the noise alone only as each hand-out says.
"""

import functools
import math
import re
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from dpviz.accounting import gaussian_epsilon
from dpviz.data import read_csv
from dpviz.handout import verify_folder
from dpviz.handout.packs import one_line
from dpviz.noise import FAMILIES
from dpviz.parameters import DELTA_AXIS, DELTA_MEANING
from dpviz.queries import BoundedSum, Bounds, ByColumn, ByTwoColumns, Count, Everybody
from dpviz.release import MultipleRelease, Provenance
from dpviz.ui.kit import group_controls
from dpviz.words.glossary import GLOSSARY
from dpviz.workspace import account, packing, plan_file
from dpviz.workspace.guesses import right_in_all
from dpviz.workspace.packing import APART, IF_HARDENED, caveats
from dpviz.workspace.projects import Projects
from dpviz.workspace.sessions import Statistic
from dpviz.workspace.takeaways import loss_words
from dpviz.workspace.workspace import Workspace
from tests.cast import RHO
from tests.conftest import few, for_each
from tests.handouts import opened
from tests.structured_sessions import by_hand
from tests.unit.workspace.test_several import typed

ROOT = Path(__file__).resolve().parents[3]
TEXTS = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    ROOT / "dpviz" / "NOTATION.md",
    *sorted((ROOT / "dpviz").rglob("*.py")),
    *sorted((ROOT / "dpviz").rglob("*.jinja")),
    *sorted((ROOT / "pages").glob("*.py")),
]
# δ as the chance that something fails, in any of the ways it was written.
FALSE_OF_DELTA = re.compile(
    r"(promise|protection|guarantee|budget)( ε| epsilon)? (may )?fails?\b(?! alone)"
    r"|fails? with( a chance| probability)?( of)? (δ|delta)"
    r"|(δ|delta)[^.|]{0,60}chance (that|of)|chance (δ|delta)|except with a chance"
    r"|(δ|delta)[^.]{0,20}this chance",
    re.IGNORECASE,
)

# ρ or ε as the privacy loss, which is a random quantity that they bound.
FALSE_OF_RHO = re.compile(
    r"(ρ|rho|ε|epsilon)[`* ]*(:|is|=|\| (none|nats) \|) (the )?privacy loss"
    r"|\bprivacy loss (of|is|so far is) (ρ|ε|\{|\"\s)|privacy loss (ρ|ε|\{)"
    r"|(?<!bound on the )privacy loss(</th>|: \{|, \{)|privacy loss so far\*\* \{",
    re.IGNORECASE,
)
# Of every release, or before a session is sealed: a bridge from the exact numbers needs its own.
FALSE_OF_SAMPLERS = re.compile(
    r"(each|every|any) release[^.]{0,60}rests? on the sampler of the noise"
    r"|sampler of the noise (alone|only)",
    re.IGNORECASE,
)


@functools.cache
def joined(file):
    """The text of a file, with the pieces of string literals put together."""
    text = file.read_text(encoding="utf-8")
    return re.sub(r'"\s*\n\s*f?"', "", re.sub(r"\s*\n\s*#? ?", " ", text).replace('" "', ""))


def test_the_loss_exceeds_epsilon_far_more_often_than_delta_says():
    """P(loss > ε) of Gaussian noise at δ = 1e-6, for the losses of the usual tiers."""
    for rho in (0.002, *RHO.values(), 0.5):
        mu = math.sqrt(2 * rho)
        epsilon = gaussian_epsilon(math.log(1e-6), mu)
        above = math.erfc((epsilon / mu - mu / 2) / math.sqrt(2)) / 2
        assert above > 5e-6


def test_no_text_calls_delta_the_chance_of_a_failure_or_a_bound_the_loss_or_forgets_the_bridge():
    words = {
        FALSE_OF_DELTA: "fail|chance",
        FALSE_OF_RHO: "privacy loss",
        FALSE_OF_SAMPLERS: "rests? on|alone|only",
    }
    for false, word in words.items():
        near = [file for file in TEXTS if re.search(word, joined(file), re.IGNORECASE)]
        assert [file for file in near if false.search(joined(file))] == []


@for_each(
    ("text", "false"),
    [
        ("ρ-zCDP (ρ, rho: privacy loss; larger = less private)", FALSE_OF_RHO),
        ("| rho | ρ | none | privacy loss in zCDP |", FALSE_OF_RHO),
        ('f"for a privacy loss of {loss_words(joint)}"', FALSE_OF_RHO),
        ('f"privacy loss {letter} (larger = less private)"', FALSE_OF_RHO),
        ("A release by itself rests on the sampler of the noise alone.", FALSE_OF_SAMPLERS),
    ],
)
def test_what_was_said_is_found(text, false):
    assert false.search(text)


def test_one_over_the_number_of_people_is_a_rule_of_thumb_that_exposing_one_person_passes():
    for file in TEXTS:
        text = joined(file)
        for found in re.finditer("1 / number of people", text):
            around = text[max(0, found.start() - 60) : found.end() + 90]
            assert re.search("rule of thumb", around, re.IGNORECASE), file
            assert "one person at random" in around, file


def test_the_meaning_of_delta_is_written_in_one_place():
    assert DELTA_MEANING == "no probability changes by more than a factor eᵋ plus δ"
    assert DELTA_MEANING in GLOSSARY["δ"]
    assert DELTA_MEANING in (ROOT / "dpviz" / "NOTATION.md").read_text(encoding="utf-8")
    assert len(DELTA_AXIS) <= 50
    written = [f for f in TEXTS if f.suffix == ".py" and DELTA_MEANING in joined(f)]
    assert written == [ROOT / "dpviz" / "parameters.py"]


# What a tier's README says of all its releases: the numbers of the ledger, and no more.


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


def readme(ws, tier="audit", practice=""):
    """The README of a tier's folder, line by line; the folder passes by ledger and by signature."""
    content = packing.hand_out(ws, tier=tier)
    assert packing.check(ws, content) == ()
    assert verify_folder(content).passed
    return opened(content)[f"{practice}{tier}/README.txt"].decode("utf-8-sig").splitlines()


def words_of(loss):
    return one_line(loss_words(loss))


def line(lines, begin, place=0):
    return [text for text in lines if text.startswith(begin)][place]


@pytest.mark.parametrize("family", few(["gaussian", "laplace", "skellam", "discrete_laplace"], 3))
def test_both_losses_are_those_of_the_ledger(family):
    mode = "hardened" if family in ("skellam", "discrete_laplace") else "teaching"
    acts = ((PEOPLE, ALL), (BY_WARD, ALL[1:]), (COSTS, ALL[:1]))
    ws = drawn(*acts, family=family, mode=mode)
    typed(ws, partners="0.9")
    ws.draw("partners")
    alone = [(q, [t for t in who if t == "partners"]) for q, who in acts]
    mine = drawn(*((q, who) for q, who in alone if who), family=family, mode=mode)
    mine.state(COSTS)
    typed(mine, partners="0.9")
    mine.draw("partners")
    lines = readme(ws, "partners", "practice-" * (mode == "teaching"))
    for begin, loss in ((FOLDER, account.joint(mine)), (EVERYBODY, account.joint(ws))):
        said = line(lines, begin)
        assert words_of(loss) in said
        assert right_in_all(loss).said in said
    assert (IF_HARDENED in lines) == (mode == "teaching")


def test_earlier_budgets_and_closed_sessions_count():
    ws = drawn((PEOPLE, ["audit"]), family="discrete_laplace")
    one = account.joint(ws).value
    typed(ws, audit="0.1")
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
    assert IF_HARDENED not in said
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


# The promise of a hand-out: which samplers it rests on, and what the data were asked before.


THIS, TOGETHER = "guarantee, this release", "guarantee, coalitions"
NOISE_ONLY = "it rests on that of the noise only"
BRIDGE = "on that of the bridge"
TABLE = b"ward,street\nA,x\nB,y\nA,y\n"


def hardened(family="discrete_laplace"):
    ws = Workspace.fresh()
    ws.use_mode("hardened")
    ws.use_family(family)
    return ws


def facts(ws, tier):
    return dict(ws.facts_of(next(e for e in ws.ledger[::-1] if e.tier == tier)))


def test_a_less_noisy_tier_asked_second_rests_on_the_bridge_as_well():
    ws = hardened()
    ws.draw("partners", "audit", "research", "public")
    first, second = facts(ws, "partners")[THIS], facts(ws, "audit")[THIS]
    assert "new noise on the exact numbers" in first
    assert NOISE_ONLY in first
    assert "between the exact numbers and a noisier release" in second
    assert BRIDGE in second
    between = facts(ws, "research")[THIS]
    assert "between two releases without the exact numbers" in between
    assert "no more than these two even if the bridge were wrong" in between
    assert BRIDGE in between
    noisiest = facts(ws, "public")[THIS]
    assert "adding new noise to the noisiest release before it" in noisiest
    assert NOISE_ONLY in noisiest
    assert all(BRIDGE in facts(ws, p.name)[TOGETHER] for p in ws.planned()[0])
    ws.add_tier(replace(ws.planned_tier("audit").tier, name="court"))
    assert facts(ws, "court")[THIS] == second, "it shares the release, and its sentence"


@pytest.mark.parametrize("order", few(permutations(("public", "research", "audit")), 2))
def test_what_is_said_to_need_no_bridge_calls_none(order, monkeypatch):
    family = FAMILIES["discrete_laplace"]
    real, called = type(family).bridge, []

    def bridge(self, *args, **kwargs):
        called.append(args)
        return real(self, *args, **kwargs)

    monkeypatch.setattr(type(family), "bridge", bridge)
    ws = hardened()
    for name in order:
        called.clear()
        ws.draw(name)
        assert (NOISE_ONLY in facts(ws, name)[THIS]) == (not called)
        exact = any((args[0] == ws.exact()).all() and args[2] == 0 for args in called)
        assert ("between the exact numbers" in facts(ws, name)[THIS]) == exact


def with_table(*groups, mode="hardened"):
    """A workspace with a table of its own; `groups` is a column with its list, or two of them."""
    ws = hardened() if mode == "hardened" else Workspace.fresh()
    parts = [ByColumn(name, listed) for name, listed in groups]
    by = parts[0] if len(parts) == 1 else ByTwoColumns(*parts)
    ws.table, ws.loading = read_csv(TABLE, name="t.csv"), "read_table('t.csv')"
    ws.use(Statistic(ws.table, Count(by), ws.loading))
    return ws


def test_a_list_that_was_known_before_has_its_guarantee_again_and_the_hand_out_says_both():
    ws = with_table(("ward", ("Y", "Z")))
    assert group_controls.suggested(ws, "ward") == ["A", "B"]
    assert ws.seen.of(ws.statistic).read_off == ()
    ws.use(Statistic(ws.table, Count(ByColumn("ward", ("A", "Z"))), ws.loading))
    assert ws.seen.of(ws.statistic).read_off == ("ward",), "one value that was read off is enough"
    ws.seen.say_known(ws.table.digest, ByColumn("ward", ("Z", "A")))  # in any order
    assert ws.seen.of(ws.statistic) == Provenance(known_before=("ward",))
    ws.draw("public")
    said = facts(ws, "public")
    assert said[THIS].startswith("the budget above")
    assert (
        "read off the data; the plan’s owner says that the list was known" in said["known before"]
    )
    assert "read off the data" not in said
    assert set(dict(caveats(ws))) == {"Known before"}
    for other in (("A", "B"), ("A",), ("A", "Z", "Y")):  # of another list nothing was said
        ws.use(Statistic(ws.table, Count(ByColumn("ward", other)), ws.loading))
        assert ws.seen.of(ws.statistic).read_off == ("ward",)
        ws.draw("public")
        assert facts(ws, "public")[THIS].startswith("none: the list of groups of “ward”")
    ws.seen.say_known(ws.table.digest, ByColumn("ward", ("A", "Z")), said=False)
    ws.use(Statistic(ws.table, Count(ByColumn("ward", ("A", "Z"))), ws.loading))
    assert ws.seen.of(ws.statistic).read_off == ("ward",)


def test_what_the_owner_says_of_a_list_goes_with_plans_and_projects(tmp_path):
    ws = with_table(("ward", ("A", "B")), ("street", ("x", "y")))
    for column in ("ward", "street"):
        group_controls.suggested(ws, column)
    ws.seen.say_known(ws.table.digest, ws.statistic.query.by.first)
    both = Provenance(read_off=("street",), known_before=("ward",))
    plan = plan_file.opened(plan_file.saved(ws))
    assert (plan.from_data, plan.known_before) == (("street",), ("ward",))
    other = with_table(("ward", ("A",)))
    plan_file.use(other, plan)
    assert other.seen.of(other.statistic) == both
    projects = Projects(tmp_path)
    projects.create("wards", ws)
    ws.close()
    again = projects.open("wards")
    again.bring(read_csv(TABLE, name="t.csv"))
    assert again.seen.of(again.statistic) == both
    again.draw("public")
    assert again.ledger[0].known == both
    again.close()
    third = projects.open("wards")
    assert third.ledger[0].known == third.seen.of(third.statistic) == both
    third.close()


def test_each_of_two_columns_is_looked_up():
    ws = with_table(("ward", ("A",)), ("street", ("x",)))
    group_controls.suggested(ws, "street")
    ws.draw("public")
    said = facts(ws, "public")
    assert said["read off the data"].startswith("the list of groups of “street”")
    assert (
        said[THIS] == said[TOGETHER] == "none: the list of groups of “street” was read off the data"
    )


def test_the_public_list_of_a_sample_stays_public():
    ws = hardened()
    group_controls.suggested(ws, "education")
    ws.draw("public")
    assert "read off the data" not in facts(ws, "public")
    query = Count(ByColumn("education", ws.statistic.query.by.groups[:2]))
    assert ws.seen.of(Statistic(ws.table, query, ws.loading)).read_off == ("education",)


def test_teaching_hand_outs_say_it_too_and_promise_nothing():
    ws = with_table(("ward", ("A", "B")), mode="teaching")
    group_controls.suggested(ws, "ward")
    ws.draw("public", "audit")
    for name in ("public", "audit"):
        said = facts(ws, name)
        assert "read off the data" in said
        assert said[THIS] == said[TOGETHER] == "none: practice mode"


def test_structured_hand_outs_end_with_the_same_promise():
    ws = with_table(("ward", ("A", "B")))
    ask = by_hand(
        ws.family,
        lambda rng: MultipleRelease([2, 1], ws.family, rng=rng),
        facts=lambda entry, one: (("tier", entry.tier), ("mode", one.mode)),
        about=ws.statistic,
    )
    planned = {p.name: p for p in ws.planned()[0]}
    ws.record(ask, planned["public"])
    ws.record(ask, planned["audit"])
    assert NOISE_ONLY in facts(ws, "public")[THIS]
    assert "between the exact numbers" in facts(ws, "audit")[THIS]
    group_controls.suggested(ws, "ward")
    ws.record(ask, planned["research"])
    assert facts(ws, "research")[THIS].startswith("none: the list of groups of “ward”")
