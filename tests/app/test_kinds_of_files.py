"""Files that statisticians have, on the pages: codebooks, rows of names, columns of lists."""

import pytest

from dpviz.queries import ByColumn, Count
from dpviz.ui.kit.group_controls import CODEBOOK
from dpviz.workspace import Workspace
from dpviz.workspace.plan_file import saved
from tests.app.reading import (
    button,
    choose,
    errors,
    field,
    press,
    run_sample,
    widget,
    words,
    workspace,
)
from tests.app.test_columns import LISTED
from tests.app.test_upload import upload
from tests.coded_files import spss
from tests.conftest import few, full_run
from tests.workbooks import written

ROW = "Row with the names of the columns"
REPORT = written(
    {"S": [["Visits, by ward", None], [None, None], ["ward", "n"], ["A", 1], ["B", 2]]}
)
LISTS = b'{"id": 1, "tags": ["a"], "ward": "A"}\n{"id": 2, "of": {}, "ward": "B"}\n'


def columns(app):
    return [column.name for column in workspace(app).table.columns]


@pytest.mark.opens("specialists")
@pytest.mark.parametrize("mode", few(["hardened", "teaching"], 2))
def test_value_labels_are_offered_as_groups(open_page, mode, tmp_path, monkeypatch):
    (tmp_path / "people.sav").write_bytes(spss())
    monkeypatch.chdir(tmp_path)
    app = open_page("data")
    workspace(app).use_mode(mode)
    upload(app, spss(), name="people.sav")
    assert errors(app) == []
    assert "Read as SPSS." in words(app)
    assert not any(box.label == ROW for box in app.text_input)  # nor has it such a row
    assert "that the file declares as missing are missing: in “sex” and “pay”." in words(app)
    assert "Its codebook names the values of “sex”." in words(app)
    choose(app, "Column of the groups", "pay")
    assert CODEBOOK not in words(app)
    choose(app, "Column of the groups", "sex")
    whole = '1 = men\n2 = women\n3 = "other, or none"'
    assert widget(app, LISTED).value == whole
    assert CODEBOOK in words(app)
    assert "Use the groups found in the data" not in [b.label for b in app.button]
    press(app, "use_statistic")
    ws = workspace(app)
    assert ws.statistic.query.labels == ("men", "women", "other, or none")
    assert ws.exact().tolist() == [1, 3, 0]
    assert not ws.seen.of(ws.statistic).read_off
    assert run_sample(app)["query"].labels == ws.statistic.query.labels
    widget(app, LISTED).set_value("1\n2").run()
    assert CODEBOOK not in words(app)
    button(app, "Use the groups of the file’s codebook").click().run()
    assert widget(app, LISTED).value == whole
    assert CODEBOOK in words(app)


def test_the_row_of_names_is_chosen(open_page):
    app = open_page("data")
    assert not any(box.label == ROW for box in app.text_input)  # of a sample there is no choice
    upload(app, REPORT, name="r.xlsx")
    assert columns(app) == ["Visits, by ward", "column 2"]
    field(app, ROW).set_value("3").run()
    assert errors(app) == []
    assert columns(app) == ["ward", "n"]
    assert "The names stand in row 3." in words(app)
    assert workspace(app).loading == "read_table('r.xlsx', header=3)"
    field(app, ROW).set_value("2").run()
    assert "Row 2 of the sheet is empty; type the number of the row" in errors(app)[0]
    assert columns(app) == ["ward", "n"]
    for wrong in few(("x", "0", "-1", "1.5", "9" * 30), 4):
        field(app, ROW).set_value(wrong).run()
        assert "this is not the number of a row. Type one such as 3" in errors(app)[-1]
    field(app, ROW).set_value("").run()
    assert columns(app) == ["Visits, by ward", "column 2"]


def test_columns_of_lists_are_left_out_by_a_press(open_page):
    app = upload(open_page("data"), LISTS, name="r.jsonl")
    assert "The columns “tags” and “of” hold lists or records; leave them out" in errors(app)[0]
    button(app, "Leave out “tags” and “of”").click().run()
    assert errors(app) == []
    assert columns(app) == ["id", "ward"]
    assert "Read as JSON Lines. Left out: “tags” and “of”." in words(app)
    assert "leave_out=('tags', 'of')" in workspace(app).loading
    assert not [b for b in app.button if b.label.startswith("Leave out")]
    upload(app, b"a,b\n1,2\n", name="other.csv")
    assert errors(app) == []
    assert columns(app) == ["a", "b"]


@full_run
def test_a_plan_that_waits_for_its_table_says_how_that_is_read(open_page):
    ws = Workspace.load(REPORT, name="r.xlsx", header=3)
    ws.state(Count(ByColumn("ward", ("A", "B"))))
    app = open_page("tiers")
    next(u for u in app.file_uploader if u.label == "Open a plan").upload(
        "plan.json", saved(ws), "application/json"
    ).run()
    app.switch_page("pages/data.py").run()
    upload(app, REPORT, name="r.xlsx")
    assert columns(app) == ["ward", "n"]
    assert field(app, ROW).value == "3"
