"""How columns are read: as a person says, and checked before the first draw."""

import gc

import pytest

from dpviz.data import Reading
from dpviz.queries import BoundedSum, Bounds, ByColumn, Count
from dpviz.queries.reading_check import ListCheck, ReadingCheck
from dpviz.ui.data import reading_check
from dpviz.ui.data.query_controls import SUM
from dpviz.ui.data.reading_check import ANYWAY, COUNT
from dpviz.ui.kit.group_controls import EVERYBODY, TIME
from tests.app.reading import BY_COLUMN, LISTED, SEVERAL, plain
from tests.conftest import few, full_run

PERSON = "Column that names the person"
GERMAN = (
    b"year;tailnum;euros;day\n"
    b"2025;N1;1.234,5;31.12.2025\n"
    b"2025;N1;12,5;01.12.2025\n"
    b"2024;NA;1.000,25;02.12.2025\n"
    b"2024;NA;7,75;02.12.2025\n"
    b"2025;N2;3,25;31.02.2025\n"
)


def hints(app):
    return plain(" ".join(w.value for w in [*app.warning, *app.info]))


def correct(app, column):
    """Take the suggestion for a column, and confirm it."""
    app.choose("Column to correct", column)
    app.press("suggest_reading")
    app.press("use_reading")


FRENCH = (
    "Patient;Département;Coût total\nP1;Urgences;1 234,50\nP2;Urgences;n.d.\n"
    "P3;Oncologie;20,5\nP4;Oncologie;7,25\nTotal;;1 262,25\n"
)


def test_one_press_beside_the_column_reads_its_numbers_as_most_are_written(open_page):
    """In the way of the form that most values have; a total row that is left out stays so."""
    app = open_page("data").upload(FRENCH.encode("latin-1"), name="export.csv")
    app.press("leave_total")
    app.fill({"What": SUM})
    app.fill({"Read a text column as numbers": True})
    app.choose("Number", "Coût total")
    assert "“Coût total” is read as text, so it may hold no numbers. Most of its" in hints(app)
    (offer,) = (b for b in app.button if b.key.startswith("read_so_"))
    assert offer.label == "Read it as a number, with a decimal comma, thousands marked by a blank"
    offer.click().run()
    assert app.errors() == []
    readings = dict(app.workspace().table.readings)
    assert readings["Coût total"].decimal == ","
    assert "n.d." in readings["Coût total"].missing
    assert readings["Patient"].left_out == ("Total",)
    assert app.widget("Number").value == "Coût total"
    assert not [b for b in app.button if b.key.startswith("read_so_")]


@full_run
def test_many_columns_are_listed_in_parts(open_page):
    names = ";".join(f"c{i}" for i in range(45))
    app = open_page("data").upload(f"{names}\n{';'.join('1' * 45)}\n".encode())
    *_, listed = (t.value for t in app.table if "read as" in t.value.columns)
    assert len(listed) == 20
    assert "The first 20 of 45 columns." in app.words()  # in the place of the picture
    app.choose("Columns on the list", 40)
    *_, listed = (t.value for t in app.table if "read as" in t.value.columns)
    assert listed["column"].tolist()[-1] == "c44"
    app.choose("Column to correct", "c33")


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("reading")
def test_a_german_table_is_read_as_a_person_says(open_page):
    app = open_page("data").upload(GERMAN)
    app.fill({"What": SUM, "For": TIME})
    assert list(app.widget("Number").options) == ["year"]
    app.fill({"Read a text column as numbers": True})
    app.choose("Number", "euros")
    assert "“euros” is read as text, so it may hold no numbers" in hints(app)

    app.choose("Column to correct", "euros")
    app.press("suggest_reading")
    assert "as a number, with a decimal comma, thousands marked by a point" in hints(app)
    assert "no further than their form" in hints(app)
    assert app.workspace().table.readings == ()  # nothing is in use before it is confirmed
    app.press("use_reading")
    app.choose("Column to correct", "day")
    app.press("suggest_reading")
    said = "No other reading fits all values. Most of them have this form: as a date or time"
    assert said in hints(app)  # no calendar has a 31 February
    assert app.widget("Order of day, month and year").value == "dd.mm.yyyy"  # filled in
    app.press("use_reading")
    correct(app, "tailnum")
    ws = app.workspace()
    german = Reading(kind="number", decimal=",", thousands=".")
    assert dict(ws.table.readings)["euros"] == german
    assert dict(ws.table.readings)["tailnum"].missing == ("-", "N/A", "NA", "null")
    assert "1.234,5" not in app.everything()

    assert list(app.widget("Number").options)[:2] == ["year", "euros"]
    app.fill({"Number": "euros", "For": EVERYBODY, SEVERAL: BY_COLUMN})
    assert list(app.widget(PERSON).options) == ["tailnum", "year", "euros", "day"]
    app.choose(PERSON, "year")
    assert "“year” looks like a date or a measure" in hints(app)
    app.choose(PERSON, "tailnum")
    assert "looks like" not in hints(app)
    app.fill({"Lower clip bound": "0", "Upper clip bound": "1000", "Grid step": "0.25"})
    app.fill({"Rows per group (ℓ∞)": "2"})
    app.press("use_statistic")
    assert app.workspace().exact().tolist() == [4 * (1000 + 12.5 + 3.25)]  # N1 twice; N2; no NA


# The reading check on the pages Data and Releases: seen before the first draw, asked for first.


TOWNS = b"id;code\n" + b"".join(b"%d;0%d\n" % (i, 1000 + 100 * (i % 3)) for i in range(41))
NOBODY = "Nobody has checked whether your groups are in “code”. Its values: 5 characters, leading"
NONE = (
    "No row belongs to any of your groups of “code”. Its values: 5 characters, leading zeros kept. "
    "Every number would be noise around 0."
)


def towns(open_page, groups, mode="teaching"):
    app = open_page("data").upload(TOWNS, name="towns.csv")
    app.workspace().use_mode(mode)
    app.choose("Column of the groups", "code")
    app.fill({LISTED: groups})
    return app


def rows_of_groups(app):
    """The table of the check, if it is on screen."""
    found = [t.value for t in app.table if "rows" in t.value.columns and "code" in t.value.columns]
    return dict(zip(found[0]["code"], found[0]["rows"], strict=True)) if found else None


def test_a_list_that_matches_nothing_is_red_on_data_and_releases_until_it_is_right(open_page):
    app = towns(open_page, "1000\n1100")
    assert app.errors() == [NONE]
    assert rows_of_groups(app) == {"1000": "0", "1100": "0", "none of these": "41", "no value": "0"}
    app.press("use_statistic")
    assert app.errors() == [NONE]
    app.go("releases")
    assert app.errors() == [NONE]
    app.go("data")
    app.fill({LISTED: "01000\n01100\n01300"})
    assert app.errors() == []
    assert "Rows in your groups of “code”: 28 of 41. In none of them: 13." in app.words()
    assert "These groups of “code” have no row: “01300”." in app.words()
    assert rows_of_groups(app)["01000"] == "14"
    app.fill({LISTED: "01000\n01100"})
    app.press("use_statistic")
    app.go("releases")
    assert app.errors() == []
    app.press("draw_public")
    assert "reading checked" in dict(app.workspace().facts_of(app.workspace().ledger[0]))


def test_hardened_mode_counts_after_a_word_of_warning_and_notes_it(open_page):
    app = towns(open_page, "01000\n01100", "hardened")
    assert NOBODY in app.words()
    assert rows_of_groups(app) is None
    assert "28" not in app.words()
    app.press("use_statistic")
    app.go("releases")
    assert NOBODY in app.words()
    app.go("data")
    app.fill({COUNT: True})
    assert "hand-outs of this table say that you looked at them" in app.words()
    assert rows_of_groups(app) is None
    assert not app.workspace().seen.checked
    app.fill({ANYWAY: True})
    assert rows_of_groups(app)["01100"] == "14"
    app.go("releases")
    assert NOBODY not in app.words()
    looked = app.workspace().statistic
    app.workspace().state(Count(ByColumn("code", ("09999",)), looked.query.bounds))
    app.run()
    assert NOBODY in app.words(), "of this list nobody has"
    app.workspace().state(looked.query)
    app.run()
    assert NOBODY not in app.words()
    app.press("draw_public")
    ws = app.workspace()
    assert "the plan’s owner looked" in dict(ws.facts_of(ws.ledger[0]))["reading checked"]


@pytest.mark.parametrize("mode", few(["hardened", "teaching"], 2))
def test_a_large_table_is_counted_when_that_is_asked_for(open_page, mode, monkeypatch):
    monkeypatch.setattr(reading_check, "AT_ONCE", 40)
    app = towns(open_page, "01000", mode)
    assert NOBODY in app.words()
    assert rows_of_groups(app) is None
    app.fill({COUNT: True})
    assert (rows_of_groups(app) is None) == (mode == "hardened")


@pytest.mark.parametrize("mode", few(["hardened", "teaching"], 2))
def test_a_format_that_does_not_fit_is_red_on_releases_before_a_press(open_page, mode):
    app = open_page("data").upload(b"g;x\na;1,5\nb;2,5\n", name="t.csv")
    app.workspace().use_mode(mode)
    app.workspace().state(BoundedSum("x", 0, 9, bounds=Bounds(several_rows=False)))  # as a plan may
    app.go("releases")
    (said,) = app.errors()
    assert "Most are numbers with a decimal comma" in said
    app.press("draw_public")
    assert app.errors() == [said, said]
    assert app.workspace().ledger == []


# A total row is pointed at on Data and Releases, and left out with one press that lasts.


WARDS = b"id;ward;cost\n1;A;2,5\n2;B;3\n3;A;4,5\nTotal;;10\n"


SAID = "A row at the end looks like a total: “Total” stands in “id”. It would be counted like any"


LEAVE, AGAIN = "Leave the total row out", "Count them again"


@pytest.mark.opens("reading")
@pytest.mark.parametrize("mode", few(["hardened", "teaching"], 2))
def test_one_press_leaves_a_total_row_out_until_it_is_counted_again(open_page, mode):
    app = open_page("data").upload(WARDS, name="wards.csv")
    app.workspace().use_mode(mode)
    app.fill({"For": "everybody together"})
    assert SAID in app.words()
    app.press("use_statistic")
    assert app.workspace().exact().tolist() == [4]
    app.go("releases")
    assert SAID in app.words()
    app.go("data")
    app.labelled(LEAVE).click().run()
    assert SAID not in app.words()
    assert "Left out: rows where “id” is “Total”." in app.words()
    app.labelled(AGAIN).click().run()
    assert SAID in app.words()
    assert app.workspace().table.readings == ()
    app.labelled(LEAVE).click().run()
    assert app.workspace().exact().tolist() == [4]  # what is in use, until it is used again
    app.press("use_statistic")
    ws = app.workspace()
    assert ws.exact().tolist() == [3]
    correct(app, "cost")  # another reading does not bring it back
    assert app.workspace().table.rows() == 3
    app.go("releases")
    assert SAID not in app.words()
    app.press("draw_public")
    facts = dict(ws.facts_of(ws.ledger[0]))
    assert facts["data"] == "wards.csv; “id” is read without the rows where it is “Total”"
    assert not {"looked at", "reading checked"} & set(facts)


@full_run
@pytest.mark.usefixtures("unfolded")
def test_the_counts_go_when_the_session_is_sealed(open_page):
    app = towns(open_page, "01000\n01100")
    app.press("use_statistic")
    ws = app.workspace()
    ws.draw("public")
    ws.seal(ws.cap("public"))
    app.run()
    assert rows_of_groups(app) is None
    assert "28 of 41" not in app.words()
    assert "shown on no page and in no mode" in app.words()
    gc.collect()
    assert not [thing for thing in gc.get_objects() if isinstance(thing, ListCheck | ReadingCheck)]
