"""The reading check on the pages Data and Releases: seen before the first draw, asked for first."""

import gc

import pytest

from dpviz.queries import BoundedSum, Bounds, ByColumn, Count
from dpviz.queries.reading_check import ListCheck, ReadingCheck
from dpviz.ui.data import reading_check
from dpviz.ui.data.reading_check import ANYWAY, COUNT
from dpviz.workspace import plan_file
from tests.app.reading import button, choose, errors, fill, labels, run_sample, words, workspace
from tests.app.test_readings import correct
from tests.app.test_upload import upload
from tests.conftest import few, full_run

TOWNS = b"id;code\n" + b"".join(b"%d;0%d\n" % (i, 1000 + 100 * (i % 3)) for i in range(41))
LIST = "Groups to publish, one per line"
NOBODY = "Nobody has checked whether your groups are in “code”. Its values: 5 characters, leading"
NONE = (
    "No row belongs to any of your groups of “code”. Its values: 5 characters, leading zeros kept. "
    "Every number would be noise around 0."
)


def towns(open_page, groups, mode="teaching"):
    app = upload(open_page("data"), TOWNS, name="towns.csv")
    workspace(app).use_mode(mode)
    choose(app, "Column of the groups", "code")
    fill(app, {LIST: groups})
    return app


def rows_of_groups(app):
    """The table of the check, if it is on screen."""
    found = [t.value for t in app.table if "rows" in t.value.columns and "code" in t.value.columns]
    return dict(zip(found[0]["code"], found[0]["rows"], strict=True)) if found else None


def test_a_list_that_matches_nothing_is_red_on_data_and_releases_until_it_is_right(open_page):
    app = towns(open_page, "1000\n1100")
    assert errors(app) == [NONE]
    assert rows_of_groups(app) == {"1000": "0", "1100": "0", "none of these": "41", "no value": "0"}
    button(app, "Use this statistic").click().run()
    assert errors(app) == [NONE]
    app.switch_page("pages/releases.py").run()
    assert errors(app) == [NONE]
    app.switch_page("pages/data.py").run()
    fill(app, {LIST: "01000\n01100\n01300"})
    assert errors(app) == []
    assert "Rows in your groups of “code”: 28 of 41. In none of them: 13." in words(app)
    assert "These groups of “code” have no row: “01300”." in words(app)
    assert rows_of_groups(app)["01000"] == "14"
    fill(app, {LIST: "01000\n01100"})
    button(app, "Use this statistic").click().run()
    app.switch_page("pages/releases.py").run()
    assert errors(app) == []
    app.button(key="draw_public").click().run()
    assert "reading checked" in dict(workspace(app).facts_of(workspace(app).ledger[0]))


def test_hardened_mode_counts_after_a_word_of_warning_and_notes_it(open_page):
    app = towns(open_page, "01000\n01100", "hardened")
    assert NOBODY in words(app)
    assert rows_of_groups(app) is None
    assert "28" not in words(app)
    button(app, "Use this statistic").click().run()
    app.switch_page("pages/releases.py").run()
    assert NOBODY in words(app)
    app.switch_page("pages/data.py").run()
    fill(app, {COUNT: True})
    assert "hand-outs of this table say that you looked at them" in words(app)
    assert rows_of_groups(app) is None
    assert not workspace(app).seen.checked
    fill(app, {ANYWAY: True})
    assert rows_of_groups(app)["01100"] == "14"
    app.switch_page("pages/releases.py").run()
    assert NOBODY not in words(app)
    looked = workspace(app).statistic
    workspace(app).state(Count(ByColumn("code", ("09999",)), looked.query.bounds))
    app.run()
    assert NOBODY in words(app), "of this list nobody has"
    workspace(app).state(looked.query)
    app.run()
    assert NOBODY not in words(app)
    app.button(key="draw_public").click().run()
    ws = workspace(app)
    assert "the plan’s owner looked" in dict(ws.facts_of(ws.ledger[0]))["reading checked"]


@pytest.mark.parametrize("mode", few(["hardened", "teaching"], 2))
def test_a_large_table_is_counted_when_that_is_asked_for(open_page, mode, monkeypatch):
    monkeypatch.setattr(reading_check, "AT_ONCE", 40)
    app = towns(open_page, "01000", mode)
    assert NOBODY in words(app)
    assert rows_of_groups(app) is None
    fill(app, {COUNT: True})
    assert (rows_of_groups(app) is None) == (mode == "hardened")


@pytest.mark.parametrize("mode", few(["hardened", "teaching"], 2))
def test_a_format_that_does_not_fit_is_red_on_releases_before_a_press(open_page, mode):
    app = upload(open_page("data"), b"g;x\na;1,5\nb;2,5\n", name="t.csv")
    workspace(app).use_mode(mode)
    workspace(app).state(BoundedSum("x", 0, 9, bounds=Bounds(several_rows=False)))  # as a plan may
    app.switch_page("pages/releases.py").run()
    (said,) = errors(app)
    assert "Most are numbers with a decimal comma" in said
    app.button(key="draw_public").click().run()
    assert errors(app) == [said, said]
    assert workspace(app).ledger == []


# A total row is pointed at on Data and Releases, and left out with one press that lasts.


WARDS = b"id;ward;cost\n1;A;2,5\n2;B;3\n3;A;4,5\nTotal;;10\n"


SAID = "A row at the end looks like a total: “Total” stands in “id”. It would be counted like any"


LEAVE, AGAIN = "Leave the total row out", "Count them again"


@pytest.mark.opens("specialists", "reading")
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


@full_run
def test_the_row_can_be_counted_again(open_page):
    app = upload(open_page("data"), WARDS)
    button(app, LEAVE).click().run()
    assert LEAVE not in labels(app)
    button(app, AGAIN).click().run()
    assert SAID in words(app)
    assert AGAIN not in labels(app)
    assert workspace(app).table.readings == ()


@full_run
@pytest.mark.usefixtures("unfolded")
def test_the_counts_go_when_the_session_is_sealed(open_page):
    app = towns(open_page, "01000\n01100")
    button(app, "Use this statistic").click().run()
    ws = workspace(app)
    ws.draw("public")
    ws.seal(ws.cap("public"))
    app.run()
    assert rows_of_groups(app) is None
    assert "28 of 41" not in words(app)
    assert "shown on no page and in no mode" in words(app)
    gc.collect()
    assert not [thing for thing in gc.get_objects() if isinstance(thing, ListCheck | ReadingCheck)]
