"""A format that most values do not have is refused before anything is drawn."""

import pytest

from dpviz.data import Reading, Table, read_csv
from dpviz.data.suggestion import nearest, suggest
from dpviz.errors import ParameterError
from dpviz.queries import (
    BoundedMean,
    BoundedSum,
    ByBins,
    ByColumn,
    ByCycle,
    ByTime,
    Count,
    Everybody,
    Query,
)
from dpviz.queries.formats import misread
from dpviz.workspace.workspace import Workspace
from tests.conftest import few, full_run

FRENCH = (
    "patient;service;cout;jour\n"
    "1;Chir;1 234,50;31.12.2025\n"
    "2;Med;n.d.;1.2.2025\n"
    "3;Med;20,5;2.2.2025\n"
    "4;Chir;12\u202f000,00;3.2.2025\n"
    "Total;;13 255,00;\n"
).encode()
SUM = BoundedSum("cout", 0, 20_000)


def french() -> Table:
    return read_csv(FRENCH, name="cout.csv")


def column(*values: str) -> Table:
    return read_csv("".join(f"{v};w\n" for v in ("v", *values)).encode(), name="t.csv")


def test_a_mark_of_another_language_does_not_hide_the_form_of_all_others() -> None:
    (found,) = suggest(french(), "cout")
    assert (found.kind, found.decimal, found.thousands) == ("number", ",", " ")
    assert "n.d." in found.missing
    assert not {"-", "k.A."} & set(found.missing)  # no mark of another line
    table = french().read_as({"cout": found})
    exact = BoundedSum("cout", 0, 20_000, step=0.5)
    assert exact.values(table).tolist() == [2 * (1234.5 + 20.5 + 12_000 + 13_255)]
    assert suggest(column("ND", "NC", "TX"), "v") == ()  # names, and no marks


@full_run  # refusals below name it
def test_the_reading_that_fits_most_is_found_where_none_fits_all() -> None:
    table = column("1 234,5", "12,5", "7,25 €", "2,5")
    assert suggest(table, "v") == ()
    assert nearest(table, "v") == (Reading(kind="number", decimal=",", thousands=" "),)
    assert nearest(table, "v", "date") == ()
    assert nearest(column("a", "b", "1,5"), "v") == ()
    both = nearest(column("20,5", "3,5", "20.5", "1.5"), "v", "number")
    assert [how.decimal for how in both] == [".", ","]  # as many each, and other ones
    days = nearest(column("01/02/2025", "03/04/2025"), "v", "date")
    assert [how.dates for how in days] == ["dd/mm/yyyy", "mm/dd/yyyy"]


@pytest.mark.parametrize(
    ("query", "now", "wanted"),
    few(
        [
            (
                SUM,
                "numbers with a decimal point",
                "numbers with a decimal comma and a blank between",
            ),
            (BoundedMean("cout", 0, 9, ByColumn("service", ("Med",))), "decimal point", "comma"),
            (Count(ByBins("cout", (0, 10, 1e5))), "decimal point", "missing where “N.D.”"),
            (
                Count(ByTime("jour", "year", "2025-01-01", "2026-01-01")),
                "dates such as yyyy-mm-dd",
                "dates such as dd.mm.yyyy",
            ),
            (Count(ByCycle("jour", "weekday")), "dates such as yyyy-mm-dd", "such as dd.mm.yyyy"),
        ],
        3,
    ),
)
def test_a_format_that_fits_too_few_is_refused_with_the_one_that_fits_most(
    query: Query, now: str, wanted: str
) -> None:
    (said,) = misread(query, french())
    before, after = said.split("fewer than half of its values have that form.")
    assert now in before
    assert wanted in after
    for private in ("13", "20,5", "1 234", "31.12", "Chir"):  # no value, no number of values
        assert private not in said


@pytest.mark.parametrize("mode", ["teaching", "hardened"])
def test_nothing_is_drawn_from_a_column_that_is_misread(mode: str) -> None:
    ws = Workspace.load(FRENCH, name="cout.csv")
    ws.use_mode(mode)  # type: ignore[arg-type]
    ws.state(SUM)
    with pytest.raises(ParameterError, match="fewer than half of its values"):
        ws.draw("public")
    assert (ws.sessions, ws.ledger) == ([], [])
    ws.table = ws.table.read_as({"cout": suggest(ws.table, "cout")[0]})
    ws.state(SUM)
    ws.draw("public")
    assert len(ws.ledger) == 1
    ws.close()


def test_half_of_the_values_is_enough_and_no_value_is_no_misreading() -> None:
    def said(text: str, reading: Reading) -> tuple[str, ...]:
        table = read_csv(("v;w\n" + text).encode()).read_as({"v": reading})
        return misread(BoundedSum("v", 0, 9), table)

    fine = [
        ("1;\n2;\nx;\ny;\n", Reading()),
        ("1;\n2;\n", Reading(decimal=",")),
        (";a\n;b\n", Reading()),
        ("NA;\nNA;\n2.5;\n", Reading(missing=("NA",))),
        ("1.5;\n2.5;\n", Reading()),
        ("-;a\n", Reading(missing=("-",))),
    ]
    refused = [
        ("NA;\nNA;\n2,5;\n", Reading(missing=("NA",))),  # marks are no values
        ("1.5;\n2.5;\n4;\n", Reading(kind="whole number")),
        ("1.5;\n2.5;\n", Reading(decimal=",")),
        ("1;\nx;\ny;\n", Reading()),
    ]
    assert not any(said(*each) for each in few(fine, 6))
    assert all(said(*each) for each in few(refused, 4))
    (hopeless,) = said("a;\nb;\n1;\n", Reading())
    assert "No other way to write numbers" in hopeless
    assert misread(Count(Everybody()), french()) == ()


def test_a_session_that_was_opened_goes_on() -> None:
    ws = Workspace.load(b"v\n1.5\n2.5\n", name="t.csv")
    ws.state(BoundedSum("v", 0, 9))
    ws.draw("public")
    ws.seal(ws.cap("public"))
    ws.table.close()  # no question is asked of it
    ws.draw("public")
    assert len(ws.ledger) == 1
