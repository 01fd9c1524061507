"""The record of who did what, and what one tier's reader has of a project."""

import datetime
import json

import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from dpviz.command import commands
from dpviz.errors import ParameterError
from dpviz.release import today
from dpviz.workspace import Workspace, packing
from dpviz.workspace.keeping import InMemory
from dpviz.workspace.projects import Projects
from dpviz.workspace.projects.acts import ACTS, Act, operator
from dpviz.workspace.projects.database import ENTRIES, PROJECTS, RELEASES
from dpviz.workspace.projects.of_tier import NothingYetError
from tests.people import HEAD, READER
from tests.project_workers import PROJECT, ROWS
from tests.project_workers import workspace as made


def begun(places, who=HEAD):
    """A project with three releases, begun by somebody who has logged in."""
    ws = made()
    Projects(places[0], keys=places[1], who=who).create(PROJECT, ws)
    ws.draw("audit", "public", "partners")
    return ws


def done(places):
    found = Projects(places[0], keys=places[1]).acts(PROJECT)
    return [(a.what, a.who, a.tier, a.session) for a in found]


def written(places):
    """The database itself, past the library."""
    return Projects(places[0], keys=places[1])._database._engine


def test_every_act_is_recorded_with_who_and_when_and_without_a_number(places):
    before = datetime.datetime.now(tz=datetime.UTC).replace(microsecond=0)
    ws = begun(places)
    ws.upgrade("public", "ε", "0.9")
    ws.draw("public")  # holds it: nothing is done, and nothing is recorded
    ws.seal(ws.cap("public"))
    ws.start_over()
    ws.keeper.note("pack")
    projects = Projects(places[0], keys=places[1])  # a command
    projects.rename(PROJECT, "another")
    projects.rename("another", PROJECT)
    command = operator()
    assert done(places) == [
        ("begin", HEAD, "", 0),
        *(("draw", HEAD, tier, 1) for tier in ("audit", "public", "partners")),
        ("upgrade", HEAD, "public", 1),
        ("seal", HEAD, "", 1),
        ("start over", HEAD, "", 1),
        ("pack", HEAD, "", 0),
        *(("rename", command, "", 0) for _ in range(4)),
    ]
    acts = projects.acts()
    assert all(before <= a.at <= datetime.datetime.now(tz=datetime.UTC) for a in acts)
    assert {c.name for c in ACTS.columns} == {  # there is no room for a number in it
        *("id", "at", "who", "act", "project", "name", "tier", "session")
    }


def test_the_record_is_only_added_to(places):
    begun(places)
    before = done(places)
    for change in (sa.update(ACTS).values(who="x"), sa.delete(ACTS)):
        with pytest.raises(sa.exc.DBAPIError, match="only added to"), written(places).begin() as c:
            c.execute(change)
    assert done(places) == before


def test_an_act_that_is_refused_leaves_no_line_and_one_without_a_line_is_not_done(places):
    ws = begun(places)
    before = done(places)
    with pytest.raises(ParameterError):
        ws.upgrade("audit", "ε", "0.0001")
    assert done(places) == before
    with written(places).begin() as c:
        c.execute(sa.text("ALTER TABLE dpviz_acts RENAME TO gone"))
    with pytest.raises(ParameterError):
        ws.draw("research")
    assert [t.name for t in ws.held] == ["public", "partners", "audit"]
    with written(places).begin() as c:
        c.execute(sa.text("ALTER TABLE gone RENAME TO dpviz_acts"))
    ws.draw("research")
    assert done(places)[-1] == ("draw", HEAD, "research", 1)


def test_without_a_login_there_is_no_record_and_with_one_commands_are_in_it(tmp_path):
    places = (tmp_path, tmp_path)
    begun(places, who=None)
    assert done(places) == []
    assert not sa.inspect(written(places)).has_table(ACTS.name)
    Projects(tmp_path, who=HEAD).note("log in")
    (tmp_path / "t.csv").write_bytes(ROWS)
    run = CliRunner().invoke
    place = ["--projects", str(tmp_path)]
    table = ["--table", str(tmp_path / "t.csv")]
    drawn = run(commands, ["release", "--project", PROJECT, "--tier", "research", *table, *place])
    assert drawn.exit_code == 0, drawn.output
    said = run(commands, ["record", *place])
    assert said.exit_code == 0
    first, second = said.output.splitlines()
    assert first.endswith(f"{HEAD}: log in")
    assert second.endswith(f"{operator()}: draw ({PROJECT}, research, session 1)")
    told = json.loads(run(commands, ["record", "--json", "--project", PROJECT, *place]).output)
    assert [(a["act"], a["tier"]) for a in told["acts"]] == [("draw", "research")]
    assert run(commands, ["record", "--project", "none", *place]).exit_code == 2
    empty = run(commands, ["record", "--projects", str(tmp_path / "other")])
    assert empty.output.startswith("There is no record here.")


def test_a_workspace_without_a_project_is_recorded_where_people_log_in():
    acts = []
    ws = Workspace.fresh()
    ws.keeper = InMemory(record=lambda what, **about: acts.append((what, about["tier"])))
    ws.draw("public")
    ws.draw("public")
    ws.upgrade("public", "ρ", "0.15")
    ws.start_over()
    assert acts == [("draw", "public"), ("upgrade", "public"), ("start over", "")]


def test_a_reader_has_the_own_releases_as_the_custodian_hands_them_out(places):
    ws = begun(places)
    ws.upgrade("public", "ε", "0.9")
    first = next(e for e in reversed(ws.ledger) if e.tier == "public")
    tier = Projects(places[0], keys=places[1], who=READER).of_tier(PROJECT, "public")
    (own,) = tier.releases()
    assert own.entry == first
    assert own.view.facts == ws.facts_of(first)
    assert (
        own.view.tier.values.tolist() == ws.session_of(first).mechanism.held[first.level].tolist()
    )
    assert tier.file(own, today()) == packing.file_of(ws, first, today())
    tier.note("view", own)
    assert done(places)[-2:] == [("hand-out", READER, "public", 1), ("view", READER, "public", 1)]
    ws.start_over()
    ws.draw("public")  # another session
    assert [o.entry.session for o in tier.releases()] == [2, 1]
    for project, name in ((PROJECT, "research"), (PROJECT, "Public"), ("none", "public")):
        with pytest.raises(NothingYetError):
            Projects(places[0], keys=places[1]).of_tier(project, name).releases()


def test_two_tiers_of_one_budget_have_one_release_and_its_guarantee(places):
    ws = made()
    tiers = [{"tier": name, "budget": "0.5", "as": "ε"} for name in ("a", "b")]
    assert ws.use_tiers(tiers) == []
    projects = Projects(places[0], keys=places[1])
    projects.create(PROJECT, ws)
    ws.draw("a", "b")
    (a,), (b,) = (projects.of_tier(PROJECT, name).releases() for name in ("a", "b"))
    assert a.release.values.tolist() == b.release.values.tolist()
    assert b.view.facts == ws.facts_of(ws.ledger[1])


def test_a_reader_reads_nothing_of_another_tier(places):
    """All that is of others is unreadable, and the reader does not notice."""
    begun(places)
    tier = Projects(places[0], keys=places[1]).of_tier(PROJECT, "public")
    (own,) = tier.releases()
    level = own.entry.level.hex()
    with written(places).begin() as c:
        plan = json.loads(c.execute(sa.select(PROJECTS.c.plan)).scalar_one())
        c.execute(sa.update(PROJECTS).values(plan=json.dumps({**plan, "tiers": "gone"})))
        c.execute(sa.update(RELEASES).where(RELEASES.c.level != level).values(numbers=b"gone"))
        for row in c.execute(sa.select(ENTRIES)).all():
            if json.loads(row.entry)["tier"] != "public":
                gone = sa.update(ENTRIES).where(ENTRIES.c.number == row.number)
                c.execute(gone.values(entry='{"tier": "gone"}'))
    (again,) = tier.releases()
    assert again.view.facts == own.view.facts
    with written(places).begin() as c:
        c.execute(sa.update(RELEASES).values(numbers=b"gone"))
    with pytest.raises(ParameterError, match="damaged"):
        tier.releases()


def test_an_act_is_checked():
    with pytest.raises(ParameterError, match="session"):
        Act(what="draw", who="x", at=datetime.datetime.now(tz=datetime.UTC), session=-1)
