"""Columns that are read wrongly are corrected, said, and used."""

import pytest

from dpviz.data import Reading
from dpviz.ui.data.query_controls import SUM
from dpviz.ui.kit.group_controls import EVERYBODY, TIME
from tests.app.reading import (
    BY_COLUMN,
    SEVERAL,
    button,
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
from tests.app.test_upload import upload
from tests.conftest import few, full_run
from tests.visiting import plain

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
    choose(app, "Column to correct", column)
    press(app, "suggest_reading")
    press(app, "use_reading")


FRENCH = (
    "Patient;Département;Coût total\nP1;Urgences;1 234,50\nP2;Urgences;n.d.\n"
    "P3;Oncologie;20,5\nP4;Oncologie;7,25\nTotal;;1 262,25\n"
)


def test_one_press_beside_the_column_reads_its_numbers_as_most_are_written(open_page):
    """In the way of the form that most values have; a total row that is left out stays so."""
    app = upload(open_page("data"), FRENCH.encode("latin-1"), name="export.csv")
    press(app, "leave_total")
    fill(app, {"What": SUM})
    fill(app, {"Read a text column as numbers": True})
    choose(app, "Number", "Coût total")
    assert "“Coût total” is read as text, so it may hold no numbers. Most of its" in hints(app)
    (offer,) = (b for b in app.button if b.key.startswith("read_so_"))
    assert offer.label == "Read it as a number, with a decimal comma, thousands marked by a blank"
    offer.click().run()
    assert errors(app) == []
    readings = dict(workspace(app).table.readings)
    assert readings["Coût total"].decimal == ","
    assert "n.d." in readings["Coût total"].missing
    assert readings["Patient"].left_out == ("Total",)
    assert widget(app, "Number").value == "Coût total"
    assert not [b for b in app.button if b.key.startswith("read_so_")]


@full_run
@pytest.mark.opens("reading", "left_out")
@pytest.mark.parametrize("mode", few(["hardened", "teaching"], 2))
def test_a_number_of_which_nothing_can_be_read_is_refused_with_the_reading_that_fits(
    open_page, mode
):
    app = upload(open_page("data"), b"g;x\na;1 000,5\nb;n.d.\nTotal;2,5\n")
    workspace(app).use_mode(mode)
    fill(app, {"What": SUM, "For": EVERYBODY})
    fill(app, {"Read a text column as numbers": True})
    choose(app, "Number", "x")
    fill(app, {"Lower clip bound": "0", "Upper clip bound": "9"})
    (said,) = errors(app)
    assert "fewer than half of its values have that form" in said
    assert "Most are numbers with a decimal comma and a blank between thousands" in said
    assert ("Values of “x” read as numbers: 0 of 3." in words(app)) == (mode == "teaching")
    assert button(app, "Use this statistic").disabled
    app.switch_page("pages/releases.py").run()
    assert errors(app) == []  # of the statistic in use
    app.switch_page("pages/data.py").run()
    assert widget(app, "Upper clip bound").value == "9"
    correct(app, "x")
    assert errors(app) == []
    press(app, "use_statistic")
    assert workspace(app).exact().sum() * workspace(app).statistic.query.step == 9 + 2.5


@full_run
def test_many_columns_are_listed_in_parts(open_page):
    names = ";".join(f"c{i}" for i in range(45))
    app = upload(open_page("data"), f"{names}\n{';'.join('1' * 45)}\n".encode())
    *_, listed = (t.value for t in app.table if "read as" in t.value.columns)
    assert len(listed) == 20
    assert "The first 20 of 45 columns." in words(app)  # in the place of the picture
    choose(app, "Columns on the list", 40)
    *_, listed = (t.value for t in app.table if "read as" in t.value.columns)
    assert listed["column"].tolist()[-1] == "c44"
    choose(app, "Column to correct", "c33")


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("specialists", "reading")
def test_a_german_table_is_read_as_a_person_says(open_page, tmp_path, monkeypatch):
    app = upload(open_page("data"), GERMAN)
    fill(app, {"What": SUM, "For": TIME})
    assert list(widget(app, "Number").options) == ["year"]
    fill(app, {"Read a text column as numbers": True})
    choose(app, "Number", "euros")
    assert "“euros” is read as text, so it may hold no numbers" in hints(app)

    choose(app, "Column to correct", "euros")
    press(app, "suggest_reading")
    assert "as a number, with a decimal comma, thousands marked by a point" in hints(app)
    assert "no further than their form" in hints(app)
    assert workspace(app).table.readings == ()  # nothing is in use before it is confirmed
    press(app, "use_reading")
    choose(app, "Column to correct", "day")
    press(app, "suggest_reading")
    said = "No other reading fits all values. Most of them have this form: as a date or time"
    assert said in hints(app)  # no calendar has a 31 February
    assert widget(app, "Order of day, month and year").value == "dd.mm.yyyy"  # filled in
    press(app, "use_reading")
    correct(app, "tailnum")
    ws = workspace(app)
    german = Reading(kind="number", decimal=",", thousands=".")
    assert dict(ws.table.readings)["euros"] == german
    assert dict(ws.table.readings)["tailnum"].missing == ("-", "N/A", "NA", "null")
    assert "1.234,5" not in everything(app)

    assert list(widget(app, "Number").options)[:2] == ["year", "euros"]
    fill(app, {"Number": "euros", "For": EVERYBODY, SEVERAL: BY_COLUMN})
    assert list(widget(app, PERSON).options) == ["tailnum", "year", "euros", "day"]
    choose(app, PERSON, "year")
    assert "“year” looks like a date or a measure" in hints(app)
    choose(app, PERSON, "tailnum")
    assert "looks like" not in hints(app)
    fill(app, {"Lower clip bound": "0", "Upper clip bound": "1000", "Grid step": "0.25"})
    fill(app, {"Rows per group (ℓ∞)": "2"})
    press(app, "use_statistic")
    ws = workspace(app)
    assert errors(app) == []
    assert ws.exact().tolist() == [4 * (1000 + 12.5 + 3.25)]  # N1 twice, clipped; N2; no NA
    assert ws.statistic.query.sensitivity.l1 == 4 * 2 * 1000
    assert "“euros” is read as a number, with a decimal comma" in words(app)

    app.switch_page("pages/releases.py").run()
    app.button(key="draw_public").click().run()
    assert "“tailnum” is read missing where" in dict(ws.facts_of(ws.ledger[0]))["data"]
    (tmp_path / "visits.csv").write_bytes(GERMAN)
    monkeypatch.chdir(tmp_path)
    ran = run_sample(app)
    assert ran["query"].values(ran["table"]).tolist() == ws.exact().tolist()
    assert len(ws.sessions) == 1
