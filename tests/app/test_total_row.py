"""A total row is pointed at on Data and Releases, and left out with one press that lasts."""

import pytest

from dpviz.workspace import plan_file
from tests.app.reading import button, choose, fill, run_sample, words, workspace
from tests.app.test_readings import correct
from tests.app.test_upload import upload
from tests.conftest import few

pytestmark = pytest.mark.usefixtures("shut")

WARDS = b"id;ward;cost\n1;A;2,5\n2;B;3\n3;A;4,5\nTotal;;10\n"
SAID = "A row at the end looks like a total: “Total” stands in “id”. It would be counted like any"
LEAVE, AGAIN = "Leave the total row out", "Count them again"


def labels(app):
    return [b.label for b in app.button]


@pytest.mark.usefixtures("unfolded")
@pytest.mark.parametrize("mode", few(["hardened", "teaching"], 2))
def test_one_press_leaves_a_total_row_out_for_good(open_page, mode, tmp_path, monkeypatch):
    app = upload(open_page("data"), WARDS, name="wards.csv")
    workspace(app).use_mode(mode)
    fill(app, {"For": "everybody together"})
    assert SAID in words(app)
    button(app, "Use this statistic").click().run()
    assert workspace(app).exact().tolist() == [4]
    app.switch_page("pages/releases.py").run()
    assert SAID in words(app)
    app.switch_page("pages/data.py").run()
    button(app, LEAVE).click().run()
    assert SAID not in words(app)
    assert "Left out: rows where “id” is “Total”." in words(app)
    assert workspace(app).exact().tolist() == [4]  # what is in use, until it is used again
    button(app, "Use this statistic").click().run()
    ws = workspace(app)
    assert ws.exact().tolist() == [3]
    correct(app, "cost")  # another reading does not bring it back
    assert workspace(app).table.rows() == 3
    app.switch_page("pages/releases.py").run()
    assert SAID not in words(app)
    app.button(key="draw_public").click().run()
    facts = dict(ws.facts_of(ws.ledger[0]))
    assert facts["data"] == "wards.csv; “id” is read without the rows where it is “Total”"
    assert not {"looked at", "reading checked"} & set(facts)
    plan = plan_file.opened(plan_file.saved(ws))
    assert dict(plan.readings)["id"].left_out == ("Total",)
    (tmp_path / "wards.csv").write_bytes(WARDS)
    monkeypatch.chdir(tmp_path)
    ran = run_sample(app)
    assert ran["query"].values(ran["table"]).tolist() == [3]


def test_the_row_can_be_counted_again(open_page):
    app = upload(open_page("data"), WARDS)
    button(app, LEAVE).click().run()
    assert LEAVE not in labels(app)
    button(app, AGAIN).click().run()
    assert SAID in words(app)
    assert AGAIN not in labels(app)
    assert workspace(app).table.readings == ()


@pytest.mark.usefixtures("unfolded")
def test_the_marks_of_the_persons_column_do_not_bring_it_back(open_page):
    app = upload(open_page("data"), WARDS)
    button(app, LEAVE).click().run()
    choose(app, "Column to correct", "id")
    fill(app, {"Marks for a missing value": "NA"})
    button(app, "Read the column this way").click().run()
    (reading,) = [how for name, how in workspace(app).table.readings if name == "id"]
    assert (reading.missing, reading.left_out) == (("NA",), ("Total",))


def test_sums_that_nothing_tells_from_other_rows_are_pointed_at(open_page):
    app = upload(open_page("data"), b"men;women\n10;12\n8;9\n7;3\n25;24\n")
    said = "A row at the end looks like a total: its numbers are the sums of those above."
    assert said in words(app)
    assert LEAVE not in labels(app)
    assert "Delete it in the file, and upload the file again" in words(app)
    assert "25" not in " ".join(w.value for w in [*app.warning, *app.caption])


def test_an_ordinary_table_and_a_sample_are_not_asked_about(open_page):
    app = open_page("data")
    assert "looks like a total" not in words(app)
    upload(app, b"id;ward\n1;A\n2;B\n")
    assert "looks like a total" not in words(app)
    assert not {LEAVE, AGAIN} & set(labels(app))
