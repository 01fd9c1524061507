"""The commands on a project, from a table to a pack: what they say, and what the shell gets."""

import json
import signal
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from dpviz.command import commands
from dpviz.data import Reading
from dpviz.planning.tiers import Tier
from dpviz.queries import BoundedSum, Bounds, ByColumn, Count, Everybody
from dpviz.workspace import account
from dpviz.workspace.limits import read_limit
from dpviz.workspace.plan_file import FurtherStatistic, PlanFile, written
from dpviz.workspace.projects import Projects
from tests import handouts, workbooks
from tests.conftest import few, full_run
from tests.three_tables import TABLES, check_numbers, walk_by_command
from tests.visiting import plain

ROWS = b"id;ward;euros\n1;A;1.000,5\n2;B;2,5\n3;A;-\n4;B;7\n"
NAMES = ("public", "partners", "audit")
GERMAN = Reading(kind="number", decimal=",", thousands=".", missing=("-",))
PLAN = PlanFile(
    table="pay.csv",
    query=BoundedSum("euros", 0, 2000, ByColumn("ward", ("A", "B")), Bounds(person="id"), step=0.5),
    tiers=tuple(Tier(name=n, amount=f"0.{i}", kind="ε") for i, n in enumerate(NAMES, start=1)),
    family_name="discrete_laplace",
    mode="hardened",
    delta="1e-6",
    sizes="A: 2",
    from_data=("ward",),
    readings=(("euros", GERMAN),),
)
DIES = """
import os, signal, sys
from dpviz.command import main
from dpviz.workspace.projects import project
enter, turns = project._Writing.enter, []
def second(self, *asked, **more):
    turns.append(self)
    if len(turns) > 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return enter(self, *asked, **more)
project._Writing.enter = second
main(sys.argv[1:])
"""


@pytest.fixture
def files(tmp_path):
    (tmp_path / "pay.csv").write_bytes(ROWS)
    (tmp_path / "other.csv").write_bytes(ROWS + b"5;A;3\n")
    (tmp_path / "plan.json").write_bytes(written(PLAN))
    return tmp_path


@pytest.fixture
def run(files):
    """What a command says, after its code: words that are files stand for those of the test."""

    def ran(*words, code=0, place=True):
        typed = [str(files / w) if "." in w and not {*"/="} & {*w} else w for w in words]
        typed += ["--projects", str(files / "kept")] if place else []
        done = CliRunner().invoke(commands, typed)
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        assert done.exit_code == code, done.output
        return done.output if code else done.stdout

    return ran


def with_plan(run, plan):
    """A command on a project that begins with this plan."""
    run("project", "new", "pay 2026", "--plan", plan, "--table", "pay.csv")
    return lambda command, *words, **more: run(command, "--project", "pay 2026", *words, **more)


@pytest.fixture
def begun(run):
    return with_plan(run, "plan.json")


def long(numbers):
    """Those long enough to stand nowhere by chance."""
    return [str(number) for number in numbers if abs(number) > 9999]


def opened(files):
    return Projects(files / "kept").open("pay 2026")


def test_from_a_table_to_a_pack(begun, files):
    first = begun("release", "--tier", "partners", "--table", "pay.csv")
    sharp = json.loads(begun("release", "--tier", "audit", "--table", "pay.csv", "--json"))
    assert begun("release", "--tier", "partners") == first, "asked again, without the table"
    ws = opened(files)
    held = {t.name: t.values.tolist() for t in ws.held}
    assert sharp["released"]["value"] == held["audit"]
    means = PLAN.query.estimate(np.array(held["partners"]))
    assert all(repr(float(mean)) in first for mean in means), "the means, not steps of their sums"
    others = {*held["audit"]} - {*held["partners"]}  # Laplace noise may leave a number as it was
    assert not any(number in first for number in long(others))
    begun("seal", "--tier", "audit")
    begun("seal", "--tier", "audit")
    begun("release", "--tier", "public")
    begun("pack", "--tier", "partners", "--out", "partners.zip")
    packed = handouts.opened((files / "partners.zip").read_bytes())
    assert {n.split("/")[0] for n in packed} == {"MANIFEST.json", "partners"}
    estimates = packed["partners/estimates.csv"].decode()
    assert estimates.splitlines() == first.splitlines(), "the same file"
    ws = opened(files)
    assert [e.tier for e in ws.ledger] == ["partners", "audit", "public"]
    told = json.loads(begun("status", "--json"))
    assert (told["sealed"], [t["released"] for t in told["tiers"]]) == (True, [True, True, True])
    assert [loss["value"] for loss in told["losses"]] == [account.joint(ws).value]
    assert "euros” is read as a number, with a decimal comma" in told["table"]
    assert ws.plan.sizes == {PLAN.query.counted: PLAN.sizes}
    assert {e.known.read_off for e in ws.ledger} == {("ward",)}


PEOPLE = FurtherStatistic(
    name="people", query=Count(Everybody(), Bounds(person="id")), budgets={}, family_name="skellam"
)


@pytest.fixture
def several(files, run):
    """A command on a project with a plan of two statistics, each with noise of its own."""
    (files / "several.json").write_bytes(written(replace(PLAN, further=(PEOPLE,))))
    return with_plan(run, "several.json")


def test_every_statistic_of_a_tier_is_drawn_packed_and_told_of(several, files):
    said = several("release", "--tier", "partners", "--statistic", "people", "--table", "pay.csv")
    assert [(e.tier, e.family) for e in opened(files).ledger] == [("partners", "skellam")]
    assert opened(files).statistic.query == PLAN.query, "the one in use stays"
    asked = ("release", "--tier", "partners", "--table", "pay.csv")
    assert several(*asked, "--statistic", "2") == said
    both = several(*asked, "--all")
    assert said in both
    assert [e.family for e in opened(files).ledger] == ["skellam", "discrete_laplace"]
    listed = json.loads(several(*asked, "--all", "--json"))
    assert [one["tier"] for one in listed] == ["partners", "partners"]
    told = json.loads(several("status", "--json"))
    assert [s["not_released"] for s in told["statistics"]] == [["public", "audit"]] * 2
    assert "Statistic 2: people; waiting: public and audit." in several("status")
    refused = several("release", "--tier", "audit", "--statistic", "pay", code=1)
    assert "The plan has no statistic pay. Name one by its number or its name: 1: " in refused
    several("pack", "--tier", "partners", "--out", "partners.zip")
    packed = handouts.opened((files / "partners.zip").read_bytes())
    folders = {name.rpartition("/")[0] for name in packed}
    assert len({f for f in folders if f.startswith("partners/")}) == 2


def test_kill_9_between_two_statistics_loses_nothing(several, files):
    words = ["release", "--project", "pay 2026", "--tier", "audit", "--all"]
    words += ["--table", str(files / "pay.csv"), "--projects", str(files / "kept")]
    script = [sys.executable, "-c", DIES, *words]
    assert subprocess.run(script, check=False, timeout=120).returncode == -signal.SIGKILL
    ws = opened(files)
    assert [(e.tier, e.session) for e in ws.ledger] == [("audit", 1)]
    drawn = ws.held[0].values.tolist()
    several("release", "--tier", "audit", "--all", "--table", "pay.csv")
    ws = opened(files)
    assert [(e.tier, e.session) for e in ws.ledger] == [("audit", 1), ("audit", 2)]
    assert ws.held[0].values.tolist() == drawn


@full_run
def test_a_sheet_a_row_and_an_encoding_are_those_that_the_project_began_with(run, files):
    cells = [line.split(";") for line in ROWS.decode().splitlines()]
    book = workbooks.written({"notes": [["nothing"], [1]], "pay": [["Pay in 2026"], [], *cells]})
    (files / "book.xlsx").write_bytes(book)
    other = ROWS + b"5;A;3\n"  # the same rows would have their ledger in the first project
    (files / "wide.csv").write_bytes(other.decode().encode("utf-16-le"))  # without its mark
    for table, *how in (
        ["book.xlsx", "--sheet", "pay", "--header", "3"],
        ["wide.csv", "--encoding", "UTF-16"],
    ):
        run("plan", "check", "plan.json", "--table", table, *how, place=False)
        run("project", "new", table[:4], "--plan", "plan.json", "--table", table, *how)
        asked = ["release", "--project", table[:4], "--tier", "audit", "--table", table]
        drawn = run(*asked)  # read as before, since the project knows how
        assert run(*asked, *how) == drawn


def test_a_plan_that_does_not_say_who_is_protected_begins_no_project(run, files):
    old = json.loads(written(replace(PLAN, query=Count(Everybody()), sizes="", from_data=())))
    del old["statistic"]["bounds"]["several_rows"]  # as plans were saved before it was asked
    (files / "old.json").write_text(json.dumps(old))
    new = ("project", "new", "old", "--table", "pay.csv", "--plan", "old.json")
    said = run(*new, code=1)
    assert "does not say whether a person can have several rows" in said
    assert not Projects(files / "kept").names()
    assert "does not say whether" in run("plan", "check", "old.json", place=False)
    for answer, unit in ((False, "one person = one row"), (True, "one row is protected by itself")):
        old["statistic"]["bounds"]["several_rows"] = answer
        (files / "old.json").write_text(json.dumps(old))
        assert unit in run("plan", "check", "old.json", place=False)
        run(*new[:2], f"said {answer}", *new[3:])
        assert Projects(files / "kept").open(f"said {answer}").statistic.query.unit.startswith(unit)


def test_status_says_what_each_tier_has_and_no_number(begun, files):
    said = begun("status")
    for part in ("The project “pay 2026”: sum of “euros”", "not sealed", "Nothing has been"):
        assert part in said
    begun("release", "--tier", "public", "--table", "pay.csv")
    said = plain(begun("status"))
    (held,) = opened(files).held
    assert "partners  ε = 0.2  not released" in said
    assert "public    ε = 0.1  released" in said
    assert "same “id”: ε = 0.1." in said
    assert not any(number in said for number in long(held.values.tolist()))


def test_what_is_refused_ends_with_1_in_one_sentence(begun, run, files):
    release = ("release", "--tier", "audit")
    begun("release", "--tier", "partners", "--table", "pay.csv")
    (files / "there.zip").write_bytes(b"")
    (files / "gaussian.json").write_bytes(
        written(replace(PLAN, family_name="gaussian", mode="teaching"))
    )
    new = ("project", "new", "second", "--table", "pay.csv", "--plan")
    ward = replace(PLAN, query=Count(ByColumn("city", ("A",))), sizes="", from_data=())
    (files / "city.json").write_bytes(written(ward))
    first, *rest = ROWS.strip().split(b"\n")
    (files / "moved.csv").write_bytes(b"\n".join([first, *rest[::-1]]))
    cases = [
        (begun(*release, code=1), "Name that file with --table"),
        (begun(*release, "--table", "other.csv", code=1), "“other.csv” is not the file"),
        (begun(*release, "--table", "moved.csv", code=1), "“moved.csv” has the same rows as"),
        (begun("release", "--tier", "court", code=1), "There is no tier of this name"),
        (begun("seal", "--tier", "public", code=1), "public cannot be the seal"),
        (begun("seal", "--tier", "audit", code=1), "audit has no release to seal at"),
        (begun("pack", "--tier", "audit", "--out", "a.zip", code=1), "audit has no release"),
        (begun("pack", "--tier", "partners", "--out", "there.zip", code=1), "is there already"),
        (run(*new, "gaussian.json", code=1), "for practice only"),
        (run(*new, "city.json", code=1), "needs the column “city”"),
        (run("project", "new", "pay 2026", *new[3:], "plan.json", code=1), "already"),
    ]
    ws = opened(files)
    ws.use_limit(read_limit("ε", "0.25"))
    cases.append((begun(*release, "--table", "pay.csv", code=1), "limit"))
    for said, part in cases:
        assert part in said
        assert said.startswith("Error: ")
        assert said.count("\n") == 1
    said = json.loads(begun(*release, "--json", code=1))
    assert "Name that file" in said["error"]
    ws.catch_up()
    assert [e.tier for e in ws.ledger] == ["partners"]
    assert not (files / "a.zip").exists()


def test_the_first_draw_says_that_nobody_has_checked_the_groups(run, files):
    """A script has no page that would say it: it stands on the error stream, beside the numbers."""
    plan = replace(PLAN, query=replace(PLAN.query, by=ByColumn("ward", ("A", "Bb"))))
    (files / "other.json").write_bytes(written(plan))
    (files / "other.csv").write_bytes(ROWS + b"Total;;1010\n")
    run("project", "new", "other", "--plan", "other.json", "--table", "other.csv")
    words = ["release", "--project", "other", "--projects", str(files / "kept")]
    words += ["--table", str(files / "other.csv"), "--tier"]
    first = CliRunner().invoke(commands, [*words, "public"])
    assert first.exit_code == 0
    for part in ("“Bb”", "whether your groups", "are no numbers", "looks like a total"):
        assert first.stderr.count(part) == 1
        assert part not in first.stdout
    assert CliRunner().invoke(commands, [*words, "audit"]).stderr == "", "said once"


def test_a_budget_that_promises_next_to_nothing_is_released_where_it_is_meant(run, files):
    everything = Tier(name="all", amount="50", kind="ε")
    (files / "weak.json").write_bytes(written(replace(PLAN, tiers=(*PLAN.tiers, everything))))
    run("project", "new", "weak", "--plan", "weak.json", "--table", "pay.csv")
    release = ("release", "--project", "weak", "--tier", "all")
    said = run(*release, "--table", "pay.csv", code=1)
    assert "\nError: all: a privacy loss this large promises little" in said
    assert said.endswith("Add --sure to draw it, or type a smaller budget\n")
    assert Projects(files / "kept").open("weak").ledger == []
    drawn = run(*release, "--table", "pay.csv", "--sure")
    assert run(*release) == drawn, "what is held needs no second word"


def test_what_cannot_be_read_ends_with_2(run, files, monkeypatch):
    status = ("status", "--project", "pay")
    (files / "bad.csv").write_bytes(b"\x89PNG\r\n\x1a\n")
    assert "There is no project “pay”" in run(*status, code=2)
    assert "Missing option '--project'" in run("status", code=2)
    new = ("project", "new", "pay")
    assert "a picture" in run(*new, "--plan", "plan.json", "--table", "bad.csv", code=2)
    assert "not a plan" in run(*new, "--plan", "pay.csv", "--table", "pay.csv", code=2)
    secret = "postgresql://me:hunter2@host/name"
    said = run(*status, "--projects", secret, code=2, place=False)
    assert "password" in said
    assert "hunter2" not in said
    monkeypatch.setenv("DPVIZ_PROJECTS", "off")
    assert "Projects are off here" in run(*status, code=2, place=False)
    monkeypatch.setenv("DPVIZ_PROJECTS", str(files / "kept"))
    assert "There is no project" in run(*status, code=2, place=False)
    (files / "kept" / "projects.sqlite").write_bytes(b"something else" * 500)
    assert "damaged" in run(*status, code=2)


@full_run
def test_projects_are_listed_renamed_and_deleted(begun, run, files):
    begun("release", "--tier", "audit", "--table", "pay.csv")
    assert run("project", "list").startswith("pay 2026\n  Sum of “euros”")
    run("project", "rename", "pay 2026", "pay")
    (one,) = json.loads(run("project", "list", "--json"))["projects"]
    ((audit,), (loss,)) = one["released"], one["losses"]
    assert (one["project"], audit, loss["value"], one["sealed"]) == ("pay", "audit", 0.3, 0)
    assert "There is no project “pay 2026”" in run("project", "rename", "pay 2026", "x", code=1)
    for typed in (["--json"], ["--name-again", "other"]):
        assert "Nothing was deleted" in run("project", "delete", "pay", *typed, code=1)
    assert "for good, type its name" in run("project", "delete", "pay", code=1), "nothing is typed"
    assert Projects(files / "kept").names() == ["pay"]
    run("project", "delete", "pay", "--name-again", "pay")
    assert "There is no project here yet" in run("project", "list")


@full_run
def test_an_upgrade_prints_the_new_release_and_keeps_the_others(begun, files):
    first = begun("release", "--tier", "public", "--table", "pay.csv")
    begun("release", "--tier", "audit", "--table", "pay.csv")
    more = ("upgrade", "--tier", "public", "--budget")
    for budget, part in [
        ("rho", "Type rho=0.5"),
        ("epsilon=0.05", "0.05 as ε would tell it less than"),
        ("epsilon=90", "promises little"),
        ("epsilon=0." + 4400 * "1", "at most 60 characters"),
        ("epsilon=0.4", "Name that file with --table"),  # sharper than audit's
    ]:
        words = () if "--table" in part else ("--table", "pay.csv")
        assert part in begun(*more, budget, *words, code=1), budget
    (held,) = [t for t in opened(files).held if t.name == "public"]
    said = json.loads(begun(*more, "epsilon=0.25", "--table", "pay.csv", "--json"))
    ws = opened(files)
    assert [e.tier for e in ws.ledger] == ["public", "audit", "public"]
    assert said["released"]["value"] == ws.known_of_tiers[-2].values.tolist()
    means = PLAN.query.estimate(np.array(held.values))
    assert all(repr(float(mean)) in first for mean in means)
    begun("seal", "--tier", "audit")
    begun(*more, "epsilon=0.28")
    assert [e.level for e in opened(files).ledger[2:]] == sorted(
        (e.level for e in opened(files).ledger[2:]), reverse=True
    )


@full_run
def test_starting_over_is_confirmed_and_its_loss_adds(begun, files):
    over = ("start-over",)
    assert "nothing to start over" in begun(*over, "--loss-adds", code=1)
    begun("release", "--tier", "audit", "--table", "pay.csv")
    assert "Type --loss-adds" in begun(*over, code=1)
    assert json.loads(begun(*over, "--loss-adds", "--json"))["closed"] == 1
    begun("release", "--tier", "audit", "--table", "pay.csv")
    (loss,) = json.loads(begun("status", "--json"))["losses"]
    assert [e.session for e in opened(files).ledger] == [1, 2]
    assert loss["value"] == pytest.approx(0.6)


@full_run
def test_the_next_months_file_is_released_when_it_is_meant_and_the_first_one_goes_on(begun, files):
    audit, public = (("release", "--tier", tier, "--table") for tier in ("audit", "public"))
    first = begun(*audit, "pay.csv")
    assert "add --read-again to draw from this one: another session" in begun(
        *public, "other.csv", code=1
    )
    begun(*public, "other.csv", "--read-again")
    begun(*audit, "other.csv")  # it is the table of the statistic now
    told = json.loads(begun("status", "--json"))
    drawn = [(r["session"], r["table"].split(";")[0], r["tier"]) for r in told["releases"]]
    assert drawn == [(1, "pay.csv", "audit"), (2, "other.csv", "public"), (2, "other.csv", "audit")]
    assert [loss["value"] for loss in told["losses"]] == [pytest.approx(0.6)]
    assert begun(*audit, "pay.csv", "--read-again") == first
    assert len(opened(files).sessions) == 2


def test_a_plan_is_set_as_a_limit_and_what_it_does_not_register_is_refused(begun, files):
    named = str(files / "plan.json")
    assert "Released here: 0. Left: the sum of “euros”" in plain(begun("limit", "--set", named))
    begun("release", "--tier", "partners", "--table", "pay.csv")
    begun("release", "--tier", "public", "--table", "pay.csv")
    told = json.loads(begun("limit", "--json"))
    assert plain(told["limit"]).endswith("together ε = 0.3")
    assert "Released here: 2." in told["words"]
    (files / "other.json").write_bytes(
        written(replace(PLAN, tiers=(Tier(name="public", amount="0.1", kind="ε"),)))
    )
    refused = plain(begun("limit", "--set", str(files / "other.json"), code=1))
    assert "partners is not drawn, as the limit does not list the sum of “euros”" in refused
    assert "there is no file" in begun("limit", "--set", str(files / "none.json"), code=1)
    assert "is not a plan" in begun("limit", "--set", str(files / "pay.csv"), code=1)


@full_run
def test_a_limit_is_set_kept_and_lifted(begun):
    assert begun("limit") == "No limit is set.\n"
    assert "Limit for everything together: ε = 0.25" in plain(begun("limit", "--set", "ε=0.25"))
    assert "limit" in begun("release", "--tier", "audit", "--table", "pay.csv", code=1)
    begun("release", "--tier", "partners", "--table", "pay.csv")
    assert "is spent" in begun("limit", "--set", "epsilon=0.1", code=1)
    assert "Type either" in begun("limit", "--set", "epsilon=9", "--lift", code=1)
    assert "type rho=0.5" in begun("limit", "--set", "mu=1", code=1)
    assert "at most 60 characters" in begun("limit", "--set", f"rho=0.{4400 * '1'}", code=1)
    assert json.loads(begun("limit", "--json"))["limit"] is not None
    assert json.loads(begun("limit", "--lift", "--json"))["limit"] is None
    begun("release", "--tier", "audit", "--table", "pay.csv")


# Commands on a table that stays where it is, by its name.


OUR_PLAN = replace(
    PLAN,
    table="visits",
    query=Count(ByColumn("ward", ("A", "B")), Bounds(person="id")),
    tiers=PLAN.tiers[:2],
    sizes="",
    from_data=(),
    readings=(),
)


@pytest.fixture
def run_beside(tmp_path, monkeypatch):
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit" / "secrets.toml").write_text(
        f"[connections.dpviz.visits]\naddress = '{tmp_path}/visits.csv'\n"
    )
    (tmp_path / "visits.csv").write_text("id,ward\n1,A\n2,B\n3,B\n")
    (tmp_path / "plan.json").write_bytes(written(OUR_PLAN))
    monkeypatch.chdir(tmp_path)

    def ran(*words, code=0):
        done = CliRunner().invoke(commands, [*words, "--projects", str(tmp_path / "kept")])
        assert done.exit_code == code, done.output
        return done.output if code else done.stdout

    return ran


def test_a_project_on_a_table_that_stays_where_it_is(run_beside, tmp_path):
    new = ("project", "new", "ours", "--plan", "plan.json")
    assert "Name one table" in run_beside(*new, code=2)
    assert "Name one table" in run_beside(
        *new, "--table", "visits.csv", "--source", "visits", code=2
    )
    assert "there are “visits”" in run_beside(*new, "--source", "others", code=2)
    assert "Leave them out" in run_beside(*new, "--source", "visits", "--sheet", "a", code=2)
    run_beside(*new, "--source", "visits")
    release = ("release", "--project", "ours", "--source", "visits", "--tier")
    with (tmp_path / "visits.csv").open("a") as file:  # nothing is released yet
        file.write("4,A\n")
    first = json.loads(run_beside(*release, "partners", "--json"))["released"]
    with (tmp_path / "visits.csv").open("a") as file:
        file.write("5,A\n")
    assert "Add --read-again" in run_beside(*release, "public", code=1)
    assert json.loads(run_beside(*release, "partners", "--json"))["released"] == first, "it is held"
    run_beside(*release, "public", "--read-again")
    upgrade = ("upgrade", "--project", "ours", "--tier", "public", "--source", "visits")
    run_beside(*upgrade, "--budget", "epsilon=0.3")
    assert "Name one table" in run_beside(
        *upgrade, "--table", "plan.json", "--budget", "rho=1", code=2
    )
    with (tmp_path / "visits.csv").open("a") as file:
        file.write("6,A\n")
    assert "Add --read-again" in run_beside(*upgrade, "--budget", "epsilon=0.4", code=1)
    run_beside(*upgrade, "--budget", "epsilon=0.4", "--read-again")
    ws = Projects(str(tmp_path / "kept")).open("ours")
    assert [e.session for e in ws.ledger] == [1, 2, 2, 3]
    assert ws.planned_tier("public").budget.loss == 0.4
    assert ws.statistic.loading == "open_connection('visits')"
    ws.close()


# Flights, wages and a German spreadsheet's export: by command from the table to verified packs.


REAL = [pytest.param(name, True, marks=full_run) for name in ("flights", "wages")]


@pytest.mark.parametrize(("name", "real"), [*((name, False) for name in few(TABLES, 4)), *REAL])
def test_a_table_goes_to_verified_packs_by_command(tmp_path, name, real):
    table = TABLES[name]
    content, file, plan = table.content(real), tmp_path / table.file, tmp_path / "plan.json"
    file.write_bytes(content)
    plan.write_bytes(table.plan())
    handed = walk_by_command(tmp_path, file, plan)
    for tier, found in handed.items():
        assert found["tier"] == tier
        check_numbers(table, content, found)
    assert handed["research"]["lost"] == pytest.approx(0.7746, rel=1e-3), "that of the sharpest"
