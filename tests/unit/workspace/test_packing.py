"""From the workspace to what leaves it: records, the check of a pack, and the report's facts."""

import datetime
import re
from dataclasses import replace
from datetime import timedelta

import pytest

from dpviz import __version__
from dpviz.data import read_csv
from dpviz.handout import verify_folder
from dpviz.handout.post_processing import PROCESSINGS
from dpviz.handout.single import read_signed
from dpviz.planning.amounts import KINDS
from dpviz.planning.tiers import Tier
from dpviz.queries import BoundedMean, BoundedSum, Bounds, ByColumn, Count
from dpviz.release import Provenance, software, today
from dpviz.workspace import account, packing
from dpviz.workspace.facts import FACT
from dpviz.workspace.guesses import right_in_all
from dpviz.workspace.packing import caveats, report_of
from dpviz.workspace.sessions import Statistic
from dpviz.workspace.takeaways import loss_words
from dpviz.workspace.workspace import Workspace
from tests.conftest import few, for_each
from tests.handouts import opened
from tests.unit.workspace.test_several import typed
from tests.visiting import plain

TABLE = read_csv(
    b"g,n\n" + b"a,41.25\n" * 211 + b"b,53.5\n" * 313 + b"c,61.75\n" * 427, name="t.csv"
)
BY = ByColumn("g", ("a", "b", "c"))
QUERIES = [
    Count(BY, total=True),
    BoundedSum("n", 0, 100, BY, step=0.25),
    BoundedMean("n", 0, 100, BY),
]


def workspace_of(*queries, family="gaussian"):
    ws = Workspace.fresh()
    ws.family_name = family
    ws.use_tiers([{"tier": n, "budget": a, "as": "ε"} for n, a in (("low", "0.5"), ("high", "2"))])
    for query in queries:
        ws.use(Statistic(TABLE, query, ""))
        ws.draw("high", "low")
    return ws


def test_post_processing_adds_a_column_where_it_is_offered():
    ws = workspace_of(*QUERIES)
    names = {
        r.session: [name for name, _ in r.derived][3:]
        for r in packing.releases_of(ws, PROCESSINGS["consistent"])
    }
    assert names == {1: ["consistent"], 2: [], 3: []}


@pytest.mark.parametrize("key", few(PROCESSINGS, 6))
def test_a_pack_passes_whatever_is_shown_when_it_is_checked(key):
    ws = workspace_of(*QUERIES)
    assert packing.check(ws, packing.hand_out(ws, PROCESSINGS[key])) == ()


def test_what_was_handed_out_before_groups_were_renamed_differs_in_names_alone_and_says_which():
    ws = workspace_of(*QUERIES)
    before = packing.hand_out(ws)
    files = {e.session: packing.file_of(ws, e, today()) for e in ws.ledger}
    named = ByColumn("g", ("a", "b", "c"), names=("north", "b", "a"))
    ws.use(Statistic(TABLE, replace(QUERIES[2], by=named), ""))
    for content in (before, files[3]):
        (found,) = packing.check(ws, content)
        assert found.where == "names of groups"
        assert "in session 3 “a” is “north” now, “c” is “a” now. Everything else" in found.what
    assert packing.check(ws, packing.hand_out(ws)) == packing.check(ws, files[1]) == ()
    for old, new in ((b"\r\nc,", b"\r\nd,"), (b"\r\nc,", b"\r\nc,1")):
        wrong = files[3].replace(old, new)  # a name that nobody gave, and another number
        assert wrong != files[3]
        assert [f.where for f in packing.check(ws, wrong)] == ["the file"]
    other = workspace_of(*QUERIES)  # the same names and days, other numbers and another key
    assert len(packing.check(ws, packing.hand_out(other))) > 1
    changed = before.replace(b"north", b"south").replace(b'"a"', b'"d"', 1)
    assert len(packing.check(ws, changed)) > 1, "a name that nobody gave is no former name"
    assert len(packing.check(ws, before + b" ")) > 1


def test_a_single_file_is_checked_against_the_ledger_to_the_last_byte():
    ws = workspace_of(QUERIES[0])
    file = packing.file_of(ws, ws.ledger[0], today())
    assert packing.check(ws, file) == ()
    tomorrow = packing.file_of(ws, ws.ledger[0], today() + timedelta(days=1))
    other = workspace_of(QUERIES[0])  # with a key of its own
    wrong = (file + b"\r\n", file.replace(b"\r\n", b"\n"), file[:90], tomorrow)
    for content in (*wrong, packing.file_of(other, other.ledger[0], today())):
        assert [f.where for f in packing.check(ws, content)] == ["the file"]


def test_checking_a_pack_asks_for_no_exact_answer(monkeypatch):
    ws = workspace_of(QUERIES[0], family="laplace")
    pack = packing.hand_out(ws)
    monkeypatch.setattr(Count, "values", None)
    assert packing.check(ws, pack) == ()
    assert packing.check(ws, pack + b" ") != ()


def test_a_draw_records_the_day_and_the_software_and_a_pack_keeps_to_them(monkeypatch):
    ws = workspace_of(QUERIES[0])
    assert {(e.drawn, e.versions) for e in ws.ledger} == {(today(), software())}
    assert dict(software())["dpviz"] == __version__
    monkeypatch.setattr(packing, "today", lambda: today() + timedelta(days=1))
    assert packing.check(ws, packing.hand_out(ws)) == ()
    content = packing.hand_out(ws)
    monkeypatch.setattr(packing, "today", lambda: today() - timedelta(days=1))
    assert [f.where for f in packing.check(ws, content)] == ["MANIFEST.json"]


def test_the_report_says_tiers_and_losses_and_no_number():
    ws = workspace_of(QUERIES[1], family="laplace")
    ws.plan.add(Tier(name="later", amount="4", kind="ε"), ws.setting)
    report = packing.report_of(ws, today())
    for said in ("low", "high", "later", "t.csv"):
        assert said in report
    exact = QUERIES[1].estimate(ws.exact())
    for tier in ws.held:
        for value in (*QUERIES[1].estimate(tier.values), *exact):
            assert f"{value:,.0f}" not in report
            assert f"{value:.1f}" not in report


@pytest.mark.parametrize("family", ["gaussian", "laplace"])
def test_the_report_of_several_statistics_says_what_all_of_them_tell(family):
    ws = workspace_of(QUERIES[0], family=family)
    ws.leave_out(ws.statistics[0])  # that of the sample
    assert "statistics of the plan" not in report_of(ws, today())
    ws.use(Statistic(TABLE, QUERIES[1], ""))
    ws.call("Weights by group")
    ws.draw("low")
    ws.use(ws.statistics[0])
    forecast, report = account.in_all(ws), plain(report_of(ws, today()))
    assert "The plan has 2 statistics." in report
    assert ">2. Weights by group</th>" in report
    for name in ("low", "high"):
        loss = account.of_tier_with_plan(ws, name)
        assert loss.value == pytest.approx(forecast.tiers[name].value, rel=1e-9)
        row = f'<th scope="row">{name}</th>\n<td>{plain(loss_words(loss))}</td>'
        assert f"{row}\n<td>{right_in_all(loss).said}</td>" in report
    together, _ = account.with_plan(ws)
    assert together.value == pytest.approx(forecast.together.value, rel=1e-9)
    weights = report[report.index("2. Weights by group") :]
    cells = re.findall(r"<td>(not yet|[-0-9]{10})</td>", weights)[:2]
    assert cells == [today().isoformat(), "not yet"]
    ws.start_over()
    ws.draw("low")
    again, _ = account.with_plan(ws)
    assert again.value > together.value, "what was released before counts"
    assert account.of_tier_with_plan(ws, "low").value > forecast.tiers["low"].value
    ws.use(Statistic(TABLE, Count(BY, Bounds(relation="replace")), ""))
    assert "Not added, as another unit is protected: 1. Number of people" in report_of(ws, today())


def test_a_level_that_another_tier_drew_first_counts_for_a_tier_that_will_have_it():
    ws = workspace_of()
    ws.use_tiers([{"tier": name, "budget": "1", "as": "ε"} for name in ("low", "high")])
    ws.draw("high")
    low, high = (account.of_tier_with_plan(ws, name) for name in ("low", "high"))
    assert low == high
    assert low.value > 0


def test_files_bear_the_names_of_tier_and_statistic_each_its_own():
    ws = workspace_of(*QUERIES[:2])
    ws.start_over()
    ws.draw("low")
    count = "number-of-people-per-group-of-g-and-their-total"
    name = "sum-of-n-per-group-of-g-each-row-at-most-100"
    assert [packing.file_name(ws, e) for e in ws.ledger] == [
        *(f"practice-{tier}-{count}.csv" for tier in ("high", "low")),
        *(f"practice-{tier}-{name}.csv" for tier in ("high", "low")),
        f"practice-low-{name}-2.csv",
    ]
    assert packing.report_name(ws) == f"practice-report-{name}.html"
    ws.use_mode("hardened")
    ws.draw("low")
    assert packing.file_name(ws, ws.ledger[-1]) == f"low-{name}.csv"
    ws.call("Totals of g")
    assert packing.file_name(ws, ws.ledger[-1]) == "low-Totals-of-g.csv"
    ws.call("")
    assert packing.report_name(ws) == f"report-{name}.html"
    assert packing.pack_name(ws) == "practice-dpviz-pack.zip", "some of it is practice"
    pack = packing.hand_out(ws)
    files = [*opened(pack)]
    assert "low/README.txt" in files
    second = [n for n in files if n.startswith("practice-low/sum-of-n-per-group")]
    assert any(n.endswith("-2/README.txt") for n in second)
    assert packing.check(ws, pack) == ()


def test_the_first_line_of_practice_files_says_what_they_are():
    ws = workspace_of(*QUERIES)
    says = "these numbers are for trying out: do not publish them"
    for entry in ws.ledger:
        alone = packing.file_of(ws, entry, today())
        assert alone.decode("utf-8-sig").splitlines()[0] == f"# practice,{says}"
        assert packing.check(ws, alone) == ()
        (told,) = verify_folder(alone).handouts
        assert ("practice", says) in told.facts
    assert verify_folder(packing.hand_out(ws)).passed
    report = packing.report_of(ws, today())
    assert "<title>Practice numbers, do not publish. Mean of “n”" in report
    ws.use_mode("hardened")
    ws.draw("low")
    real = packing.file_of(ws, ws.ledger[-1], today()).decode("utf-8-sig")
    assert real.splitlines()[0] == "# tier,low"
    assert "practice" not in real
    assert "ractice" not in packing.report_of(ws, today())


# A release whose tier has another budget now says so, in the same words everywhere.


SAID = {
    "ρ": "drawn at ρ = 0.4, before",
    "ε": "drawn at ε = 4.306 at δ = 1e-6, before",
    "μ": "drawn at μ = 0.8945, before",
    "±a 95 %": "drawn at ± 2.2 people, before",
    "±a 99 %": "drawn at ± 2.9 people, before",
}


def lowered(kind="ρ"):
    """A workspace whose tier audit was drawn, and then has half its budget."""
    ws = Workspace.fresh()
    ws.change_plan(ws.plan.state_as, kind)
    ws.draw("public", "audit")
    smaller = ws.plan.tiers[0].amount
    factor = 2.0 if kind.startswith("±") else 0.5
    amount = f"{float(smaller.split(',')[0]) * factor}" + (", 1e-6" if "δ" in kind else "")
    typed(ws, audit=amount)
    return ws


@for_each("kind", few(KINDS, 3))
def test_file_pack_report_and_picture_say_it_alike_in_the_unit_of_the_plan(kind):
    ws = lowered(kind)
    public, audit = ws.ledger
    assert ws.former(public) == ""
    words = ws.former(audit)
    assert plain(words) == SAID.get(kind, plain(words))
    assert [t.name for t in ws.held] == ["public", f"audit ({words})"]
    assert f"audit ({words})" in report_of(ws, today())
    assert read_signed(packing.file_of(ws, audit, today())).facts[FACT] == words
    assert FACT not in read_signed(packing.file_of(ws, public, today())).facts
    files = opened(packing.hand_out(ws))
    texts = {n: plain(content.decode("utf-8-sig")) for n, content in files.items()}
    found = {name for name, text in texts.items() if name.endswith("txt") and plain(words) in text}
    assert found == {"practice-audit/README.txt"}


def test_files_from_before_and_after_the_change_both_pass():
    ws = Workspace.fresh()
    ws.draw("audit")
    before = [packing.hand_out(ws), packing.file_of(ws, ws.ledger[0], today())]
    typed(ws, audit="0.2")
    after = [packing.hand_out(ws), packing.file_of(ws, ws.ledger[0], today())]
    assert all(old != new for old, new in zip(before, after, strict=True))
    for content in (*before, *after):
        assert packing.check(ws, content) == ()
        assert verify_folder(content).passed
    forged = after[1].replace(b"0.4, before", b"0.3, before")
    assert forged != after[1]
    assert packing.check(ws, forged) != ()


# What weakens a promise is said in the report: each thing that can, and nothing else.


AGES = read_csv(b"g,n\n" + b"a,41\n" * 20 + b"b,53\n" * 30, name="t.csv")


BY_G = ByColumn("g", ("a", "b"))


COUNT = Count(BY_G)


def hardened(query=COUNT):
    ws = Workspace.fresh()
    ws.table, ws.loading = AGES, ""
    ws.use_mode("hardened")
    ws.use(Statistic(AGES, query, ""))
    return ws


def names(ws):
    found = dict(caveats(ws))
    report = packing.report_of(ws, today())
    assert ("Nothing that would weaken" in report) == (not found)
    for name, sentence in found.items():
        assert f"<dt>{name}</dt>" in report
        assert sentence.endswith(".")
    return set(found)


def test_practice_draws_and_means_are_named_and_nothing_where_nothing_weakens():
    ws = hardened()
    assert names(ws) == set()
    ws.draw("public", "audit")
    assert names(ws) == set()
    ws = Workspace.fresh()
    assert names(ws) == {"Practice numbers"}
    assert str(ws.seed) not in dict(caveats(ws))["Practice numbers"]
    assert names(hardened(BoundedMean("n", 0, 100, BY_G))) == {"Weakly lossless"}


def test_what_was_read_off_or_looked_at_stays_said_once_it_was_drawn():
    ws = hardened()
    ws.seen.groups[(AGES.digest, "g")] = ["a", "b"]
    ws.seen.tables.add(AGES.digest)
    assert names(ws) == {"Read off the data", "Looked at"}
    assert "“g” was read off the data" in dict(caveats(ws))["Read off the data"]
    ws.draw("public")
    ws.seen.groups.clear()  # of another visit, say; the ledger keeps what it knew
    ws.seen.tables.clear()
    assert ws.ledger[0].known == Provenance(read_off=("g",), looked=True)
    assert names(ws) == {"Read off the data", "Looked at"}


def test_a_weak_promise_is_said_of_its_tier_and_that_it_was_meant():
    ws = hardened()
    assert ws.use_tiers([{"tier": "boss", "budget": "30", "as": "ε"}]) == []
    assert names(ws) == {"Weak promise to boss"}
    assert "confirmed" not in dict(caveats(ws))["Weak promise to boss"]
    ws.draw("boss", sure=True)
    said = dict(caveats(ws))["Weak promise to boss"]
    assert said.startswith("boss: a privacy loss this large promises little")
    assert said.endswith("confirmed that it is meant.")


def test_what_left_the_plan_is_still_in_the_report():
    ws = hardened()
    ws.draw("public")
    ws.upgrade("public", "ε", "0.9")
    ws.add_tier(Tier(name="guest", amount="0.7", kind="ε"))
    rows = [row for row in ws.plan.typed_rows if row["tier"] != "guest"]
    assert ws.use_tiers(rows) == []
    said = dict(caveats(ws))
    assert set(said) == {"Released before the plan changed"}
    for part in ("public (drawn at ε = 0.4473, before)", "guest (drawn at ρ", today().isoformat()):
        assert part in plain(said["Released before the plan changed"])


def test_other_versions_and_days_are_said():
    ws = hardened()
    ws.draw("public")
    then = datetime.date(2026, 1, 31)
    ws.ledger[0] = replace(ws.ledger[0], versions=(("dpviz", "0.0.9"),), drawn=then)
    assert names(ws) == {"Drawn with other versions"}
    assert dict(caveats(ws))["Drawn with other versions"] == "dpviz 0.0.9."
    assert "<td>2026-01-31</td>" in packing.report_of(ws, today())
