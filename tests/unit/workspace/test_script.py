"""What a visitor does, done by a script: the example runs, without the dashboard."""

import re
import subprocess
import sys
import zipfile

import pytest

from dpviz.errors import DataError, ParameterError
from dpviz.queries import ByColumn, Count
from dpviz.workspace import Workspace, packing
from tests.cast import MOST, SUM
from tests.serving import ROOT

DOCUMENT = (ROOT / "docs" / "SCRIPT.md").read_text(encoding="utf-8")
(EXAMPLE,) = re.findall(r"```python\n(.*?)```", DOCUMENT, flags=re.DOTALL)
AFTER = """
import sys
assert not {"streamlit", "plotly"} & set(sys.modules)
assert [e.tier for e in ws.ledger] == [
    "research", "public", "audit", "partners", "council"
]
assert ws.round.mechanism.sealed_at == ws.held[-1].level
assert packing.check(ws, Path("pack.zip").read_bytes()) == ()
"""
ROWS = b"ward,n\nA,1\nB,2\nA,3\n"


def test_a_script_of_twenty_lines_does_what_a_visitor_does(tmp_path):
    assert len([line for line in EXAMPLE.splitlines() if line]) <= 20
    done = subprocess.run(
        [sys.executable, "-c", EXAMPLE + AFTER],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"ρ-zCDP: {MOST} together, not {SUM + 0.15}")
    names = {name.split("/")[0] for name in zipfile.ZipFile(tmp_path / "pack.zip").namelist()}
    assert len(names) >= 5
    assert "council" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_workspace_is_loaded_from_what_a_table_is_read_from(tmp_path):
    file = tmp_path / "rows.csv"
    file.write_bytes(ROWS)
    ws = Workspace.load(file)
    assert (ws.table.name, ws.loading) == ("rows.csv", "read_table('rows.csv')")
    assert ws.exact().tolist() == [3]
    ws.state(Count(ByColumn("ward", ("A", "B"))))
    assert ws.exact().tolist() == [2, 1]
    assert len(ws.statistics) == 2
    with pytest.raises(DataError):
        Workspace.load(b"")


def test_a_pack_of_a_workspace_is_the_one_that_its_ledger_gives():
    ws = Workspace.load(ROWS, name="rows.csv")
    ws.draw("audit", "public")
    assert packing.check(ws, packing.hand_out(ws)) == ()


def test_a_seal_is_named_by_a_tier_that_can_be_one():
    ws = Workspace.load(ROWS, name="rows.csv")
    ws.draw("research")
    assert ws.cap("audit").values is None
    with pytest.raises(ParameterError, match=r"public cannot be the seal. Choose one of .*audit"):
        ws.cap("public")
