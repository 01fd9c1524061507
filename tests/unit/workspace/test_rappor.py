"""Clients behind a column of the workspace: one ledger, one chain, a file for each f."""

import math

import pytest

from dpviz.data import read_csv
from dpviz.errors import ParameterError
from dpviz.handout import tier_csv
from dpviz.local import Bloom
from dpviz.queries import Bounds, TextCounts
from dpviz.workspace import account, structured
from dpviz.workspace.local.rappor import Subject
from dpviz.workspace.workspace import Workspace

TREES = "who,tree\n" + "".join(f"p{n},{'ash' if n % 3 else 'yew'}\n" for n in range(300))
REPLACED = Bounds(relation="replace")
BLOOM = Bloom(bits=8, hashes=2, cohorts=4)


def survey(ws, bounds=REPLACED, **changed):
    given = {"query": TextCounts("tree", bounds), "bloom": BLOOM, "p": 0.25, "q": 0.75}
    return Subject(table=ws.table, **given | changed)


@pytest.fixture(params=["teaching", "hardened"])
def ws(request):
    ws = Workspace.fresh()
    ws.table = read_csv(TREES.encode(), name="trees")
    ws.use_mode(request.param)
    return ws


def test_reports_at_several_f_cost_the_sharpest_in_any_order(ws):
    mine = survey(ws)
    for f in (0.5, 0.75, 0.5):
        mine.draw(ws, f)
    assert [reports.rappor.f for reports in mine.reports(ws)] == [0.5, 0.75]
    assert [reports.total for reports in mine.reports(ws)] == [300, 300]
    assert len(ws.ledger) == 2
    joint = account.joint(ws, mine.query.bounds)
    assert (joint.definition, joint.value) == ("ε-DP", pytest.approx(4 * math.log(3), rel=1e-12))
    assert joint.value >= 4 * math.log(3)  # rounded to the private side
    other = survey(ws, q=0.9)  # another survey, with permanent bits of its own
    other.draw(ws, 0.75)
    added = 4 * math.log(3) + 4 * math.log(5 / 3)
    assert account.joint(ws, other.query.bounds).value == pytest.approx(added, rel=1e-9)


def test_a_file_holds_the_sums_and_no_text(ws):
    mine = survey(ws)
    mine.draw(ws, 0.5)
    text = tier_csv(structured.release_of(ws, ws.ledger[0])).decode()
    assert "RAPPOR, f = 0.5, p = 0.25, q = 0.75" in text
    assert "the text of one client is replaced" in text
    assert "cohort 4, bit 8" in text
    assert "ash" not in text
    assert "yew" not in text


def test_a_person_with_several_rows_is_one_client():
    rows = "who,tree\n" + "a,yew\na,ash\na,oak\nb,yew\n,fir\n"
    ws = Workspace.fresh()
    ws.table = read_csv(rows.encode(), name="rows")
    mine = survey(ws, Bounds(person="who", relation="replace"))
    assert mine.query.values(ws.table) == {"ash": 1, "yew": 1}
    mine.draw(ws, 0.5)
    assert mine.reports(ws)[0].total == 2


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"bounds": Bounds()}, "replaced"),
        ({"bounds": Bounds(person="who", groups_per_person=2, relation="replace")}, "one text"),
        ({"p": 0.75}, "unless p and q differ"),
    ],
)
def test_what_is_no_survey_is_refused(changed, says):
    ws = Workspace.fresh()
    ws.table = read_csv(TREES.encode(), name="trees")
    with pytest.raises(ParameterError, match=says):
        survey(ws, **changed)
    with pytest.raises(ParameterError, match="forgets all"):
        survey(ws).draw(ws, 1.0)
    assert ws.ledger == []
