"""Who somebody is by what the provider says, what is recorded of it, and what a reader has."""

import datetime
import json
from dataclasses import replace

import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from dpviz.command import commands
from dpviz.errors import ParameterError
from dpviz.release import today
from dpviz.workspace import Workspace, packing
from dpviz.workspace.accounts import (
    UNKNOWN,
    UNVERIFIED,
    Custodian,
    EndedError,
    Reader,
    StrangerError,
    accounts_at,
    accounts_in,
    name_in,
)
from dpviz.workspace.keeping import InMemory
from dpviz.workspace.projects import Projects
from dpviz.workspace.projects.acts import ACTS, operator
from dpviz.workspace.projects.of_tier import NothingYetError
from tests import people
from tests.conftest import for_each
from tests.people import HEAD, READER, SUBJECT
from tests.project_workers import PROJECT, ROWS
from tests.project_workers import workspace as made

NOW = 1_900_000_000.0
ACCOUNTS = accounts_in(people.ACCOUNTS)


def said(**claims):
    return {"iat": NOW - 60, "sub": "x", **claims}


def test_a_verified_address_or_a_subject_says_who_somebody_is():
    head = said(email=HEAD.upper(), email_verified=True)
    assert ACCOUNTS.person(head, NOW) == Custodian(HEAD)
    anna = said(email=READER, email_verified=True)
    assert ACCOUNTS.person(anna, NOW) == Reader(READER, PROJECT, "public")
    carla = said(sub=SUBJECT, email=HEAD, email_verified=False)  # the subject alone counts
    assert ACCOUNTS.person(carla, NOW) == Reader(SUBJECT, PROJECT, "partners")


@for_each(
    ("claims", "why"),
    [
        ({"email": HEAD}, UNVERIFIED),
        *(({"email": HEAD, "email_verified": v}, UNVERIFIED) for v in (False, "true", 1, None)),
        ({"email": "x" + HEAD, "email_verified": True}, UNKNOWN),
        ({"email": HEAD + " ", "email_verified": True}, UNKNOWN),
        ({"email": "KELVIN@x.org".replace("K", "\u212a"), "email_verified": True}, UNKNOWN),
        ({"sub": HEAD}, UNKNOWN),  # an address is no subject
        ({"sub": None, "email": None}, UNKNOWN),
        ({"email": SUBJECT, "email_verified": True}, UNKNOWN),  # nor a subject an address
        ({"sub": [SUBJECT], "email": {"a": 1}}, UNKNOWN),
        ({}, UNKNOWN),
    ],
)
def test_nobody_else_is_anybody(claims, why):
    with pytest.raises(StrangerError) as refused:
        ACCOUNTS.person(said(**claims), NOW)
    assert str(refused.value) == why


@for_each("begun", [NOW - 8 * 3600, NOW - 1e9, NOW + 301, float("nan"), None, True, str(NOW)])
def test_a_login_ends_after_its_hours(begun):
    claims = said(email=HEAD, email_verified=True, iat=begun)
    with pytest.raises(EndedError):
        ACCOUNTS.person(claims, NOW)
    assert ACCOUNTS.person(claims | {"iat": NOW - 8 * 3600 + 1}, NOW)
    assert ACCOUNTS.person(claims | {"iat": NOW + 299}, NOW)


def account(**fields):
    return "[[account]]\n" + "\n".join(f'{name} = "{text}"' for name, text in fields.items())


ROLE = {"role": "custodian"}
MISTAKES = {
    "hours = \n": "at line 1, column 9: there it is no TOML",
    "": "lists nobody",
    "account = 3": "lists nobody",
    "account = [3]": "lists nobody",
    "users = 3\n" + account(email=HEAD, **ROLE): "“users” that means nothing here",
    account(email=HEAD, **ROLE, tiers="a"): "Account 1 has a field “tiers”",
    account(**ROLE): "Account 1 needs one name",
    account(email=HEAD, subject="x", **ROLE): "Account 1 needs one name",
    account(email="head", **ROLE): "Account 1 has no usable e-mail",
    account(email="a b@x.org", **ROLE): "Account 1 has no usable e-mail",
    account(email="hеad@x.org", **ROLE): "Account 1 has no usable e-mail",  # Cyrillic
    account(email=HEAD): "Account 1 lacks what it may see",
    account(email=HEAD, tier="a"): "Account 1 lacks one of project and tier",
    account(email=HEAD, role="admin"): "Account 1 has a role that does not exist",
    account(email=HEAD, role="reader", project="p", tier="a"): "a role that does not exist",
    account(email=HEAD, **ROLE, tier="a"): "leave project and tier out, or the role",
    account(email=HEAD, tier="", project="p"): "tier of account 1 is no short text",
    "[[account]]\nsubject = 3\nrole = 'custodian'": "subject of account 1 is no short text",
    account(email=HEAD, **ROLE) + "\n" + account(email=HEAD.upper(), tier="a", project="p"): (
        "Account 2 is there twice"
    ),
    **{
        f"hours = {hours}\n" + account(email=HEAD, **ROLE): "hours in the file"
        for hours in ("0", "inf", "true", "721")
    },
}


@for_each("text", MISTAKES)
def test_each_mistake_has_one_sentence(text):
    with pytest.raises(ParameterError) as refused:
        accounts_in(text)
    sentence = str(refused.value)
    assert MISTAKES[text] in sentence
    assert "\n" not in sentence


def test_the_file_is_read_only_if_nobody_else_may_write_it(tmp_path):
    file = people.write(tmp_path / "accounts.toml")
    assert accounts_at(file) == ACCOUNTS
    file.chmod(0o644)
    assert accounts_at(file) == ACCOUNTS
    for mode in (0o664, 0o646):
        file.chmod(mode)
        with pytest.raises(ParameterError, match="Others may write"):
            accounts_at(file)
    file.chmod(0o600)
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(ParameterError, match="is no text"):
        accounts_at(file)
    file.write_bytes(b"#" * 1_000_001)
    with pytest.raises(ParameterError, match="above 1 MB"):
        accounts_at(file)
    for missing in (tmp_path, tmp_path / "none", "a\0b"):
        with pytest.raises(ParameterError, match="cannot be read"):
            accounts_at(missing)


def test_strangers_have_a_name_in_the_record():
    assert name_in({"sub": "s\u202e1"}) == "subject s⟨U+202E⟩1"
    assert name_in({"email": "a@b.org", "email_verified": False}) == "a@b.org (not verified)"
    assert len(name_in({"email": "a" * 10_000})) < 400
    assert name_in({"sub": 3}) == "an account without a name"


# --- The record of who did what, and what one tier's reader has of a project ---


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
    with pytest.raises(ParameterError, match="session"):
        replace(acts[0], session=-1)
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


def test_two_tiers_of_one_budget_have_one_release_and_its_guarantee(projects, ws):
    tiers = [{"tier": name, "budget": "0.5", "as": "ε"} for name in ("a", "b")]
    assert ws.use_tiers(tiers) == []
    ws.draw("a", "b")
    (a,), (b,) = (projects.of_tier(PROJECT, name).releases() for name in ("a", "b"))
    assert a.release.values.tolist() == b.release.values.tolist()
    assert b.view.facts == ws.facts_of(ws.ledger[1])
