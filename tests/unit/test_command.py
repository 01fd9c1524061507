"""The commands: what each says, in words and in JSON, and what the shell gets."""

import json
import os
import zipfile
from functools import partial
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from dpviz.command import commands, run
from dpviz.data import source
from dpviz.queries import BoundedMean, ByColumn, Count, Everybody
from dpviz.release import today
from dpviz.scenes import exercises
from dpviz.scenes.classroom import dealt_to
from dpviz.ui.kit import serve
from dpviz.workspace import Workspace, packing
from dpviz.workspace.accounts import ACCOUNTS
from dpviz.workspace.plan_file import saved
from dpviz.workspace.projects import PLACE
from tests.conftest import for_each, full_run

ROOT = Path(__file__).resolve().parents[2]
PLANS = ROOT / "dpviz" / "data" / "plans"
NHEFS = PLANS / "nhefs.json"
PICTURE = ROOT / "dpviz" / "ui" / "kit" / "assets" / "dashboard.png"
TABLE = ROOT / "dpviz" / "data" / "nhefs.csv"


def check(*words, command=("plan", "check")):
    """What is said, and the code."""
    done = CliRunner().invoke(commands, [*command, *map(str, words)])
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done.output.replace("\u202f", " ").replace("\u00a0", " "), done.exit_code


@for_each("port", ["0", "65536", "x", "-1", 5000 * "1"])
def test_a_port_that_is_none_is_refused_in_one_sentence(port):
    said, code = check(command=("run", "--port", port))
    assert code == 2
    assert "is not a whole number from 1 to 65535; type one such as 8501" in " ".join(said.split())
    assert len(said) < 300


def test_a_plan_of_two_statistics_names_both(tmp_path):
    ws = Workspace.fresh()
    ws.state(Count(Everybody()))
    file = tmp_path / "plan.json"
    file.write_bytes(saved(ws))
    said, code = check(file, "--table", TABLE)
    assert code == 0
    education = "number of people per group of “education”"
    assert f"Published, too, with budgets of its own: {education}." in said
    assert "By 2 statistics together, where one person = one row: public ρ = 0.2, " in said
    assert "and audit ρ = 0.8; all tiers ρ = 0.8." in said
    facts = json.loads(check(file, "--json")[0])
    assert facts["in_all"][0]["together"]["value"] == 0.8
    assert [len(one["tiers"]) for one in facts["further"]] == [4]


def test_a_plan_is_told_in_words():
    said, code = check(NHEFS, "--table", TABLE)
    assert code == 0
    for part in (
        "practice mode",
        "mean of “weight 1982 (kg)”",
        "audit     ρ = 0.4  within ± 3.1 rows",
        "All tiers together tell ρ = 0.4; with separate noise they would tell ρ = 1.",
        "It fits “nhefs.csv”.",
    ):
        assert part in said


def test_a_plan_says_how_its_file_is_read_and_it_is_read_so(tmp_path):
    table, file = tmp_path / "v.csv", tmp_path / "plan.json"
    table.write_bytes(b"Visits\nward\nA\nB\n")
    ws = Workspace.load(table, header=2)
    ws.state(Count(ByColumn("ward", ("A", "B"))))
    file.write_bytes(saved(ws))
    said, code = check(file, "--table", table)
    assert "The file is read with the names in row 2." in said
    assert code == 0
    assert json.loads(check(file, "--json")[0])["file"] == {"header": 2}
    said, code = check(file, "--table", table, "--header", "1")
    assert ("no column of this name" in said, code) == (True, 1)
    said, code = check(file, "--table", table, "--leave-out", "ward")
    assert ("columns are left out of a Parquet or JSON Lines file only" in said, code) == (True, 2)


@full_run
def test_a_plan_says_by_the_form_of_a_column_what_cannot_fit(tmp_path):
    table, file = tmp_path / "towns.csv", tmp_path / "plan.json"
    table.write_text("code;cost\n01000;1 234,5\n01100;20,5\n01100;7\n", encoding="utf-8")
    for groups, query, code, part in [
        (("1000", "1100"), Count, 1, "None of your groups can be in “code”"),
        (("01000", "1100"), Count, 0, "These groups cannot be in “code”: “1100”."),
        (("01000",), partial(BoundedMean, "cost", 0, 9), 1, "Most are numbers with a decimal"),
    ]:
        ws = Workspace.load(table)  # a plan of this statistic alone
        ws.state(query(by=ByColumn("code", groups)))
        file.write_bytes(saved(ws))
        said, ended = check(file, "--table", table)
        assert ended == code
        assert part in said
        assert ("It fits “towns.csv”." in said) == (not code)
        told = json.loads(check(file, "--table", table, "--json")[0])
        assert part in " ".join(told["misfits" if code else "remarks"])


def test_a_plan_is_told_in_json():
    said, code = check(NHEFS, "--json")
    facts = json.loads(said)
    assert code == 0
    assert facts["misfits"] == []
    assert [(t["name"], t["loss"]["value"]) for t in facts["tiers"]] == [
        ("public", 0.1),
        ("partners", 0.2),
        ("research", 0.3),
        ("audit", 0.4),
    ]
    assert (facts["together"]["value"], facts["with_fresh_noise"]["value"]) == (0.4, 1.0)
    assert facts["columns"] == ["quit smoking by 1982", "weight 1982 (kg)"]


def test_a_plan_that_does_not_fit_ends_with_1():
    missing = "needs the column “district”"
    said, code = check(PLANS / "visits.json", "--table", TABLE)
    assert code == 1
    assert missing in said
    said, code = check(PLANS / "visits.json", "--table", TABLE, "--json")
    assert code == 1
    assert [missing in sentence for sentence in json.loads(said)["misfits"]] == [True, False]


@for_each(
    ("words", "part"),
    [
        ((TABLE,), "not a plan, because it cannot be read as JSON"),
        ((NHEFS, "--table", PICTURE), "a picture"),
        (("nowhere.json",), "does not exist"),
        ((PLANS,), "is a directory"),
        ((), "Missing argument"),
    ],
)
def test_what_cannot_be_read_ends_with_2(words, part):
    said, code = check(*words)
    assert code == 2
    assert part in said
    if part.startswith(("not", "a p")):
        said, code = check(*words, "--json")
        assert code == 2
        assert part in json.loads(said)["error"]


def test_what_several_releases_tell_together_is_said_by_verify(tmp_path):
    ws = Workspace.fresh()
    ws.draw("audit")
    ws.state(Count(Everybody()))
    ws.draw("audit")
    path = tmp_path / "audit.zip"
    path.write_bytes(packing.hand_out(ws, tier="audit"))
    said, code = check(path, command=["verify"])
    assert code == 0
    assert "All of practice-audit together:" in said
    assert "Privacy loss of this folder in all: ρ = 0.8." in said
    said, _ = check(path, "--json", command=["verify"])
    ((folder, promise),) = [(one["folder"], one["promise"]) for one in json.loads(said)["together"]]
    assert folder == "practice-audit"
    assert any("ρ = 0.8" in sentence for sentence in promise)


def test_a_pack_is_verified_in_words_and_in_json(tmp_path):
    ws = Workspace.fresh()
    ws.draw("public", "audit")
    path, own = tmp_path / "pack.zip", packing.fingerprint_of(ws)
    path.write_bytes(packing.hand_out(ws))
    said, code = check(path, command=["verify"])
    assert code == 0
    for part in (
        "A hand-out for audit, made on",
        "passed  Every listed file is there, unchanged.",
        f"Signed with the key {own}",
        "No file can tell:",
        "All checks passed",
    ):
        assert part in said
    assert "together:" not in said, "each tier has one release"
    said, code = check(path, "--key", own, "--json", command=["verify"])
    facts = json.loads(said)
    assert (code, facts["passed"], facts["signed_with"]) == (0, True, [own])
    assert [h["tier"] for h in facts["hand_outs"]] == ["public", "audit"]
    assert own not in facts["not_checked"][0]
    said, code = check(path, "--key", "0" * 32, command=["verify"])
    assert code == 1
    assert "FAILED  The key is the one that you named." in said
    assert "1 of 6 checks failed" in said
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("audit/more.csv", b"1")
    said, code = check(path, "--json", command=["verify"])
    assert code == 1
    wrong = {c["check"]: c["findings"] for c in json.loads(said)["checks"] if not c["passed"]}
    assert [f["where"] for f in next(iter(wrong.values()))] == ["audit/more.csv"]
    assert "        audit/more.csv: " in check(path, command=["verify"])[0]
    for words in ((TABLE,), (path, "--key", ""), ("nowhere.zip",)):
        said, code = check(*words, command=["verify"])
        assert (code, "Error: " in said) == (2, True)
    said, code = check(TABLE, "--json", command=["verify"])
    assert (code, "not a zip" in json.loads(said)["error"]) == (2, True)


def test_a_file_that_was_handed_out_alone_is_verified(tmp_path):
    ws = Workspace.fresh()
    ws.draw("public", "audit")
    path, own = tmp_path / "audit.csv", packing.fingerprint_of(ws)
    path.write_bytes(packing.file_of(ws, ws.ledger[1], today()))
    said, code = check(path, "--key", own, command=["verify"])
    assert code == 0
    assert "A hand-out for audit, made on" in said
    assert "All checks passed" in said
    path.write_bytes(path.read_bytes().replace(b"# unit,", b"# unit,no "))
    said, code = check(path, command=["verify"])
    assert code == 1
    assert "audit.csv: was changed after signing" in said


def test_no_command_takes_a_secret():
    """What is typed on a command line is seen by everybody on the machine, and kept in a file."""
    names = set()
    left = [commands]
    while left:
        one = left.pop()
        left += getattr(one, "commands", {}).values()
        names |= {each.name for each in one.params if not isinstance(each.type, click.Path)}
    assert {"port", "limit", "key"} <= names
    assert not {n for n in names if any(w in n for w in ("seed", "password", "secret", "token"))}


@pytest.fixture
def started(monkeypatch):
    """The options with which `dpviz run` would start the server, in an environment of its own."""
    options = []
    monkeypatch.setattr(serve, "serve", lambda _, *more: options.extend(more))
    monkeypatch.setattr(source, "PLACES", ())
    monkeypatch.setattr(os, "environ", {})
    return options


def test_for_a_class_the_server_listens_at_an_address_of_its_network_and_keeps_nothing(started):
    said, code = check(command=("run", "--network=127.0.0.1", "--port", "8600"))
    assert code == 0
    assert started == [
        "--server.port=8600",
        "--server.address=127.0.0.1",
        "--server.allowedHosts=127.0.0.1",
    ]
    assert "http://127.0.0.1:8600/classroom" in said
    assert os.environ[PLACE] == "off"
    started.clear()
    check(command=("run",))
    assert started == ["--server.port=8501"]


@for_each("address", ["abc", "1.2.3.4", "192.168.1", "::1", "127.0.0.1:80", 500 * "1"])
def test_what_is_no_address_of_this_computer_is_refused_in_one_sentence(started, address):
    said, code = check(command=("run", f"--network={address}"))
    assert code == 1
    assert "type one such as 192.168.1.20" in said
    assert len(said) < 200
    assert not started


def test_a_computer_in_no_network_is_told_what_to_type(started, monkeypatch):
    def nowhere(*_):
        raise OSError("no route")

    monkeypatch.setattr(run.socket, "socket", nowhere)
    said, code = check(command=("run", "--network"))
    assert code == 1
    assert "dpviz run --network=192.168.1.20" in said
    assert not started


def test_a_class_gets_neither_projects_nor_tables_of_the_owner(started, monkeypatch, tmp_path):
    os.environ[PLACE] = "somewhere"
    said, code = check(command=("run", "--network=127.0.0.1"))
    assert code == 1
    assert "could open your projects" in said
    os.environ.clear()
    secret = tmp_path / "secrets.toml"
    secret.write_text('[connections.dpviz.visits]\naddress = "duckdb://x"\ntable = "t"\n')
    monkeypatch.setattr(source, "PLACES", (secret,))
    said, code = check(command=("run", "--network=127.0.0.1"))
    assert code == 1
    assert "tables that secrets.toml offers" in said
    assert not started
    os.environ[ACCOUNTS] = "accounts.toml"  # people log in, so who may see what is said there
    assert check(command=("run", "--network=127.0.0.1"))[1] == 0
    assert started


def test_a_sheet_and_its_key_are_written_once_from_a_code(tmp_path):
    out, key = tmp_path / "sheet.html", tmp_path / "key.html"
    said, code = check("kxrtmp", "--out", out, command=["sheet"])
    assert (said.strip(), code) == (f"Wrote the exercise sheet of class KXRTMP to {out}.", 0)
    assert out.read_text("utf-8") == exercises.sheet("KXRTMP")
    said, code = check("KXRTMP", "--answers", "--out", key, "--json", command=["sheet"])
    assert json.loads(said) == {"code": "KXRTMP", "answers": True, "file": str(key)}
    assert key.read_text("utf-8") == exercises.sheet("KXRTMP", answers=True)
    said, code = check("KXRTMP", "--out", out, command=["sheet"])
    assert "is there already" in said
    assert code == 1
    ours = tmp_path / "ours.html"
    said, code = check("KXRTMP", "--students", "12", "--out", ours, command=["sheet"])
    assert ours.read_text("utf-8") == exercises.sheet("KXRTMP", dealt=dealt_to(12))
    too_many = ["KXRTMP", "--students", "201", "--out", tmp_path / "x.html"]
    said, code = check(*too_many, command=["sheet"])
    assert "students" in said
    assert code == 2
    said, code = check("KX7", "--out", tmp_path / "x.html", command=["sheet"])
    assert "CODE has six letters from A to Z" in said
    assert code == 2
    assert not (tmp_path / "x.html").exists()


def commitment(act, *words):
    return check(*words, command=("commitment", act))


def test_a_plan_is_pledged_committed_to_handed_out_and_audited(tmp_path):
    ws = Workspace.fresh()
    ws.use_mode("hardened")
    plan, seed, out = (tmp_path / name for name in ("plan.json", "seed.txt", "out"))
    plan.write_bytes(saved(ws))
    asked = (plan, "--table", TABLE, "--seed", seed)
    digits, code = commitment("pledge", *asked)
    assert (code, len(digits.strip())) == (0, 64)
    if os.name == "posix":
        assert seed.stat().st_mode & 0o777 == 0o600
    said, code = commitment("make", *asked, "--beacon", "3 9 17", "--out", out)
    assert code == 0
    assert f"Publish {out / 'COMMITMENT.json'} first" in said
    published = json.loads((out / "COMMITMENT.json").read_bytes())
    assert (published["pledge"], published["beacon"]) == (digits.strip(), "3 9 17")
    zips = sorted(out.glob("*.zip"))
    assert [file.stem for file in zips] == ["audit", "partners", "public", "research"]
    for file in zips:
        told, code = check(file, "--commitment", out / "COMMITMENT.json", command=("verify",))
        assert code == 0
        assert "passed  The commitment is the one that you named." in told
    asked = ("--plan", plan, "--table", TABLE, "--seed", seed)
    said, code = commitment("audit", out / "COMMITMENT.json", *asked)
    assert (code, said[:33]) == (0, "passed  The path is the one that ")
    changed = tmp_path / "COMMITMENT.json"
    changed.write_bytes((out / "COMMITMENT.json").read_bytes().replace(b"3 9 17", b"9 9 17"))
    said, code = commitment("audit", changed, *asked)
    assert (code, said[:6]) == (1, "FAILED")
    assert "signature is wrong" in said
    assert "The root is not that of the path" in said


def test_what_cannot_be_committed_to_is_said_in_a_sentence(tmp_path):
    ws = Workspace.fresh()
    ws.use_mode("hardened")
    plan, seed, out = (tmp_path / name for name in ("plan.json", "seed.txt", "out"))
    plan.write_bytes(saved(ws))
    seed.write_text("0123", encoding="ascii")
    asked = (plan, "--table", TABLE, "--seed", seed, "--out", out)
    said, code = commitment("make", *asked)
    assert code == 1
    assert "seed.txt holds no seed, which is 64 digits" in said
    assert not out.exists()
    out.mkdir()
    assert "is there already" in commitment("make", *asked)[0]
    said, code = commitment("audit", plan, "--plan", plan, "--table", TABLE, "--seed", seed)
    assert code == 2
    assert "plan.json is neither a commitment nor an opening" in said
