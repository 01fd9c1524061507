"""Lists of groups on the page Data: names, commas, order, a file, combinations, the calendar."""

import pytest

from dpviz.data import Reading
from dpviz.ui.kit.group_controls import COLUMN, CYCLE, THREE, TIME, TWO
from tests.app.reading import (
    choose,
    errors,
    everything,
    fill,
    press,
    run_sample,
    widget,
    words,
    workspace,
)
from tests.app.test_columns import LISTED
from tests.app.test_upload import upload
from tests.conftest import full_run
from tests.visiting import plain

CONTENT = (
    b"sex,smoker,treated,day,town\n"
    b'0,yes,no,2025-01-06,"Washington, DC"\n'
    b"1,no,no,2025-04-06,Oslo\n"
    b"1,yes,yes,2026-04-07,Oslo\n"
)


def warnings(app):
    return plain(" ".join(w.value for w in app.warning))


def key_of(app, label):
    return next(t.key for t in app.text_area if t.label == label)


def counted(app):
    """The statistic is put to use, and the code sample counts the same."""
    assert errors(app) == []
    press(app, "use_statistic")
    ws, ran = workspace(app), run_sample(app)
    assert ran["query"].values(ran["table"]).tolist() == ws.exact().tolist()
    assert ran["query"].labels == ws.statistic.query.labels
    return dict(zip(ws.statistic.query.labels, ws.exact().tolist(), strict=True))


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("specialists")
def test_groups_are_named_moved_and_brought_in_a_file(open_page, tmp_path, monkeypatch):
    (tmp_path / "visits.csv").write_bytes(CONTENT)
    monkeypatch.chdir(tmp_path)
    app = upload(open_page("data"), CONTENT)
    choose(app, "Column of the groups", "sex")
    fill(app, {LISTED: "0, 1"})
    assert "Line 1 is read as 2 groups, “0” and “1”" in warnings(app)
    assert counted(app) == {"0": 1, "1": 2}
    app.switch_page("pages/releases.py").run()
    press(app, "draw_public")
    app.switch_page("pages/data.py").run()
    fill(app, {LISTED: "0 = men\n1 = women"})
    assert "Only words change" in words(app)
    assert counted(app) == {"men": 1, "women": 2}
    app.switch_page("pages/releases.py").run()
    assert "women" in everything(app)
    assert len(workspace(app).sessions) == 1  # words only: the session goes on
    assert app.button(key="draw_public").disabled
    app.switch_page("pages/data.py").run()
    press(app, f"down_{key_of(app, LISTED)}")
    assert widget(app, LISTED).value == "1 = women\n0 = men"
    assert widget(app, "Move a group").value == 1  # the box goes with the group
    press(app, f"up_{key_of(app, LISTED)}")
    assert widget(app, LISTED).value == "0 = men\n1 = women"

    choose(app, "Column of the groups", "town")
    uploader = next(u for u in app.file_uploader if u.label.startswith("A public list"))
    uploader.upload("towns.txt", b"Oslo\nWashington, DC\nParis\n", "text/plain").run()
    assert widget(app, LISTED).value == 'Oslo\n"Washington, DC"\nParis'
    assert counted(app) == {"Oslo": 2, "Washington, DC": 1, "Paris": 0}
    uploader = next(u for u in app.file_uploader if u.label.startswith("A public list"))
    uploader.upload("towns.txt", b"PK\x03\x04\0\0", "text/plain").run()
    assert "one group per line, not a workbook" in errors(app)[0]
    assert widget(app, LISTED).value == 'Oslo\n"Washington, DC"\nParis'  # nothing is lost
    fill(app, {LISTED: " = men"})
    assert any("has a name without a group" in said for said in errors(app))


@full_run
def test_yes_and_no_are_combined_and_a_calendar_needs_no_list(open_page, tmp_path, monkeypatch):
    (tmp_path / "visits.csv").write_bytes(CONTENT)
    monkeypatch.chdir(tmp_path)
    app = upload(open_page("data"), CONTENT)
    ws = workspace(app)
    yes_no = Reading(kind="yes/no")
    ws.table = ws.table.read_as({"smoker": yes_no, "treated": yes_no, "sex": yes_no})
    fill(app.run(), {"For": TWO})
    choose(app, "First column", "smoker")
    choose(app, "Second column", "treated")
    assert counted(app) == {
        "smoker yes × treated yes": 1,
        "smoker yes × treated no": 1,
        "smoker no × treated yes": 0,
        "smoker no × treated no": 1,
    }
    fill(app, {"For": THREE})
    choose(app, "Third column", "sex")
    fill(app, {f"{LISTED}: sex": "1 = women\nno = men"})
    said = "A group of “sex” can never count: it is read as yes or no, and “1” is neither"
    assert said in warnings(app)
    fill(app, {f"{LISTED}: sex": "yes = women\nno = men"})
    assert "never count" not in warnings(app)
    assert counted(app)["smoker yes × treated yes × women"] == 1
    ws.table = ws.table.read_as({"town": Reading(missing=("NA",))})
    fill(app.run(), {"For": COLUMN})
    choose(app, "Column of the groups", "town")
    fill(app, {LISTED: "Oslo\nNA"})
    assert "“NA” stands for a missing value there" in warnings(app)

    fill(app, {"For": CYCLE})
    assert counted(app)["Monday"] == 1
    fill(app, {"For": TIME})
    next(s for s in app.segmented_control if "year" in s.options).set_value("year").run()
    fill(app, {"From (year-month-day)": "2025", "Until, not included": "2027"})
    assert counted(app) == {"2025": 2, "2026": 1}
