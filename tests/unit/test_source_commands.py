"""Commands on a table that stays where it is, by its name."""

import json

import pytest
from click.testing import CliRunner

from dpviz.command import commands
from dpviz.planning.tiers import Tier
from dpviz.queries import Bounds, ByColumn, Count
from dpviz.workspace.plan_file import PlanFile, written
from dpviz.workspace.projects import Projects

PLAN = PlanFile(
    table="visits",
    query=Count(ByColumn("ward", ("A", "B")), Bounds(person="id")),
    tiers=tuple(
        Tier(name=n, amount=f"0.{i}", kind="ε") for i, n in enumerate(("public", "audit"), 1)
    ),
    family_name="discrete_laplace",
    mode="hardened",
    delta="1e-6",
    sizes="",
)


@pytest.fixture
def run(tmp_path, monkeypatch):
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit" / "secrets.toml").write_text(
        f"[connections.dpviz.visits]\naddress = '{tmp_path}/visits.csv'\n"
    )
    (tmp_path / "visits.csv").write_text("id,ward\n1,A\n2,B\n3,B\n")
    (tmp_path / "plan.json").write_bytes(written(PLAN))
    monkeypatch.chdir(tmp_path)

    def ran(*words, code=0):
        done = CliRunner().invoke(commands, [*words, "--projects", str(tmp_path / "kept")])
        assert done.exit_code == code, done.output
        return done.output if code else done.stdout

    return ran


def test_a_project_on_a_table_that_stays_where_it_is(run, tmp_path):
    new = ("project", "new", "ours", "--plan", "plan.json")
    assert "Name one table" in run(*new, code=2)
    assert "Name one table" in run(*new, "--table", "visits.csv", "--source", "visits", code=2)
    assert "there are “visits”" in run(*new, "--source", "others", code=2)
    assert "Leave them out" in run(*new, "--source", "visits", "--sheet", "a", code=2)
    run(*new, "--source", "visits")
    release = ("release", "--project", "ours", "--source", "visits", "--tier")
    with (tmp_path / "visits.csv").open("a") as file:  # nothing is released yet
        file.write("4,A\n")
    first = json.loads(run(*release, "audit", "--json"))["released"]["value"]
    assert len(first) == 2
    with (tmp_path / "visits.csv").open("a") as file:
        file.write("5,A\n")
    assert "Add --read-again" in run(*release, "public", code=1)
    assert json.loads(run(*release, "audit", "--json"))["released"]["value"] == first, "it is held"
    run(*release, "public", "--read-again")
    upgrade = ("upgrade", "--project", "ours", "--tier", "public", "--source", "visits")
    wider = json.loads(run(*upgrade, "--budget", "epsilon=0.3", "--json"))
    assert len(wider["released"]["value"]) == 2
    assert "Name one table" in run(*upgrade, "--table", "plan.json", "--budget", "rho=1", code=2)
    with (tmp_path / "visits.csv").open("a") as file:
        file.write("6,A\n")
    assert "Add --read-again" in run(*upgrade, "--budget", "epsilon=0.4", code=1)
    run(*upgrade, "--budget", "epsilon=0.4", "--read-again")
    ws = Projects(str(tmp_path / "kept")).open("ours")
    assert [e.session for e in ws.ledger] == [1, 2, 2, 3]
    assert ws.planned_tier("public").budget.loss == 0.4
    assert ws.statistic.loading == "open_connection('visits')"
    ws.close()
