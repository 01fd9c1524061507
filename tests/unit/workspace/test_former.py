"""A release whose tier has another budget now says so, in the same words everywhere."""

import io
import zipfile

import pytest

from dpviz.handout import verify_folder
from dpviz.handout.single import read_signed
from dpviz.planning.amounts import KINDS
from dpviz.release import today
from dpviz.words.numbers import NARROW, NO_BREAK
from dpviz.workspace import packing
from dpviz.workspace.facts import FACT
from dpviz.workspace.packing import PROCESSINGS, report_of
from dpviz.workspace.workspace import Workspace

AS_RELEASED = PROCESSINGS["released"]
SPACES = str.maketrans({NARROW: " ", NO_BREAK: " "})
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
    rows = [
        {**row, "budget": amount} if row["tier"] == "audit" else row for row in ws.plan.typed_rows
    ]
    assert ws.use_tiers(rows) == []
    return ws


def said(text):
    return text.translate(SPACES)


@pytest.mark.parametrize("kind", KINDS)
def test_file_pack_report_and_picture_say_it_alike_in_the_unit_of_the_plan(kind):
    ws = lowered(kind)
    public, audit = ws.ledger
    assert ws.former(public) == ""
    words = ws.former(audit)
    assert said(words) == SAID.get(kind, said(words))
    assert [t.name for t in ws.held] == ["public", f"audit ({words})"]
    assert f"audit ({words})" in report_of(ws, today())
    assert read_signed(packing.file_of(ws, audit, today())).facts[FACT] == words
    assert FACT not in read_signed(packing.file_of(ws, public, today())).facts
    with zipfile.ZipFile(io.BytesIO(packing.hand_out(ws))) as pack:
        texts = {n: said(pack.read(n).decode("utf-8-sig")) for n in pack.namelist()}
    found = {name for name, text in texts.items() if name.endswith("txt") and said(words) in text}
    assert found == {"practice-audit/README.txt"}


def test_files_from_before_and_after_the_change_both_pass():
    ws = Workspace.fresh()
    ws.draw("audit")
    before = [packing.hand_out(ws), packing.file_of(ws, ws.ledger[0], today())]
    rows = [
        {**row, "budget": "0.2"} if row["tier"] == "audit" else row for row in ws.plan.typed_rows
    ]
    ws.use_tiers(rows)
    after = [packing.hand_out(ws), packing.file_of(ws, ws.ledger[0], today())]
    assert all(old != new for old, new in zip(before, after, strict=True))
    for content in (*before, *after):
        assert packing.check(ws, content) == ()
        assert verify_folder(content).passed
    forged = after[1].replace(b"0.4, before", b"0.3, before")
    assert forged != after[1]
    assert packing.check(ws, forged) != ()
