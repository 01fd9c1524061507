"""Readings: each row's text alone, strictly; and a total row, left out by what stands in it."""

import itertools
import random
import re
from datetime import datetime
from typing import Any

import pytest

from dpviz.data import Reading, Table, read_csv
from dpviz.data.reading import CLOCKS, DATES, DECIMALS, THOUSANDS, TWO_DIGITS, USUAL_MARKS
from dpviz.data.suggestion import Form, form_of, suggest
from dpviz.data.total_row import TotalRow, find_total_row, without_total_row
from dpviz.errors import DataError, ParameterError
from dpviz.queries import (
    BoundedMean,
    BoundedSum,
    Bounds,
    ByBins,
    ByColumn,
    ByTime,
    ByTwoColumns,
    Count,
    Everybody,
    ItemCounts,
    Query,
    TextCounts,
    WholeNumbers,
)
from dpviz.workspace import Workspace, plan_file, sparse
from dpviz.workspace.projects import Projects
from dpviz.workspace.reading_check import counted, said_total
from dpviz.workspace.top_k import Source
from tests.conftest import FULL, few, for_each
from tests.oracles_queries import moment, number

AS_WRITTEN = (
    "0 -0 1 +3 007 .5 5. -.5e-3 1e5 1E+05 1e-400 0.1 12345678901234567890 1.7976931348623157e308 "
    "1e309 -1e400 NaN nan -nan inf -inf Infinity 0x1F 1_000 1,5 1.5.2 . - + e5 1e 1e+ --1 +-1 ١ ½ "
    "1d 1f true None 1/2 10% 0b1 0.30000000000000004 9007199254740993 4.9e-324"
)
NUMBERS = AS_WRITTEN.split()
MOMENTS = (
    *("2025-01-06", "2025-01-06 13:05", "2025-01-06T13:05", "2025-01-06T13:05Z"),
    *("2025-01-06 13:05:09", "2025-01-06T13:05:09.123Z", "2025-01-06 23:59:59.999999"),
    *("2024-02-29", "2025-02-29", "2025-13-01", "2025-01-06 24:00", "2025-12-31T24:00:00.000Z"),
    *("2025-02-29 24:00", "2025-01-06 24:00:01", "2025-01-06 24:00:00.5", "2025-01-06 24:30"),
    *("2025-01-06 13:60", "2025-01-06 13", "2025-01-06Z", "2025-01-06 13:05+02:00"),
    *("2025-01-06 23:59:59.9999999", "25-01-06", "2025-1-6", "20250106", "06.01.2025", "13:05"),
    *("infinity", "epoch", "now", "2025-01-06  13:05", "٢٠٢٥-01-06"),
)
PLAIN = (
    "12,5 1,234 1.234 12.34 1.234,5 1,234.5 1.234.567 1,234,567 1234,5 12.345,678 1.2345 .123 "
    "1..234 1.,5 -1.234,5 +0,5 ,5 5, 1,234e3 1,23,456 1'234 1\u2019234.5 1'23 1234.567,8 1e300"
)
BLANKS = ("1 234,5", "1\u00a0234,5", "1\u202f234.5", "1\u2009234", "1 23", "1  234", "1 234 567")
WRITTEN = (*NUMBERS, *PLAIN.split(), *BLANKS)
DATED = (
    "31.12.2025 31.02.2025 1.2.2025 01/02/2025 13/01/2025 01/13/2025 31-12-2025 2025/12/31 "
    "20251231 20250230 2025123 1.2.25 31.12.2025Z 0.1.2025 12.31.2025 29.02.2024 1/2/20250 NA"
)
TIMED = (
    *("31.12.2025 14:05", "1.2.2025 9:05", "31.12.2025 25:00", "31.12.2025 24:00", "today"),
    *("01/02/2025 2:05 PM", "31.12.2025T14:05:09.5", "2025/12/31 23:59:59", "31. 12. 2025"),
    *("1.2.49", "31.12.50 14:05", "31/12/07 2:05 AM", "12/31/07 12:05\u202fpm", "1-2-99T9:05 Pm"),
    *("2025-01-06 12:00 AM", "2025-01-06 12:00:30.5 p.m.", "2025-01-06 1:05PM", "1.2.2025 0:05 PM"),
    *("1.2.2025 13:05 PM", "1.2.2025 1:65 PM", "1.2.2025 1:05  PM", "29.2.00", "2.29.00", "1.2.5"),
    *("2025/12/31 1:05 PM", "31-12-25 9:05", "31-12-25", "31/12/25", "12/31/25"),
)
DAYS = (*MOMENTS, *DATED.split(), *TIMED)
ORDERS = {  # what stands where
    "dd.mm.yyyy": (r"(?P<d>\d\d?)\.(?P<m>\d\d?)\.(?P<y>\d{4})"),
    "dd/mm/yyyy": (r"(?P<d>\d\d?)/(?P<m>\d\d?)/(?P<y>\d{4})"),
    "mm/dd/yyyy": (r"(?P<m>\d\d?)/(?P<d>\d\d?)/(?P<y>\d{4})"),
    "dd-mm-yyyy": (r"(?P<d>\d\d?)-(?P<m>\d\d?)-(?P<y>\d{4})"),
    "yyyy/mm/dd": (r"(?P<y>\d{4})/(?P<m>\d\d?)/(?P<d>\d\d?)"),
    "yyyymmdd": (r"(?P<y>\d{4})(?P<m>\d\d)(?P<d>\d\d)"),
    "yyyy-mm-dd": (r"(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)"),
}
ORDERS |= {o[:-2]: shape.replace(r"\d{4}", r"\d\d") for o, shape in ORDERS.items() if o[1] != "y"}
AM_PM = r"(?P<t>[ T])(?P<h>\d\d?)(?P<s>:\d\d(:\d\d(\.\d{1,6})?)?)[ \u00a0\u202f]?(?P<p>[ap])\.?m\.?"
GERMAN = Reading(kind="number", decimal=",", thousands=".", missing=("NA",))


def number_as(text: str, reading: Reading) -> float | None:
    """By hand: the marks between thousands stand three digits apart, or are not there."""
    head, point, tail = text.partition(reading.decimal)
    if point and reading.decimal in tail:
        return None
    blanks = {" ": " \u00a0\u2009\u202f", "'": "'\u2019"}.get(reading.thousands, reading.thousands)
    groups = re.split(f"[{re.escape(blanks)}]", head) if blanks else [head]
    first, *rest = groups
    if rest:
        whole, _, _ = rest[-1].lower().partition("e")
        shut = [*rest[:-1], whole]
        digits = first.lstrip("+-") if first[:1] in ("+", "-") else first
        if not 1 <= len(digits) <= 3 or any(len(g) != 3 for g in shut):
            return None
        if not all(g.isascii() and g.isdigit() for g in (digits, *shut)):
            return None
    if "." in "".join(groups) or "." in tail:
        return None
    return number("".join(groups) + ("." if point else "") + tail)


def moment_as(text: str, reading: Reading) -> datetime | None:
    """By hand: the day is put into ISO order, the rest is read as ever."""
    if reading.dates == DATES[0] and reading.clock == "24 hours":
        return moment(text)
    found = re.fullmatch(ORDERS[reading.dates] + r"(?P<rest>[ TZ].*)?", text, flags=re.ASCII)
    if found is None:
        return None
    rest = re.sub(r"^([ T])(\d:)", r"\g<1>0\2", found["rest"] or "").removesuffix("Z")
    if reading.clock == "AM/PM" and found["rest"]:
        time = re.fullmatch(AM_PM, found["rest"], flags=re.ASCII | re.IGNORECASE)
        if time is None or not 1 <= int(time["h"]) <= 12:
            return None
        hour = [12, *range(1, 12)].index(int(time["h"]) % 12 or 12)
        rest = f"{time['t']}{hour + 12 * (time['p'].lower() == 'p'):02}{time['s']}"
    year = int(found["y"])
    if len(found["y"]) == 2:
        century = range(reading.first_year, reading.first_year + 100)
        year = next(y for y in century if y % 100 == year)
    return moment(f"{year}-{int(found['m']):02}-{int(found['d']):02}{rest}")


def table_of(values: tuple[str, ...], name: str = "t") -> Table:
    return read_csv(("v\tw\n" + "".join(f"{v}\tx\n" for v in values)).encode(), name=name)


def read(table: Table, how: str, reading: Reading) -> list[object]:
    view = table.read_as({"v": reading})
    expression = view.expression.select(v=getattr(view, how)("v"), place=view.turns()["place"])
    return view.collect(expression.order_by("place"))["v"].to_pylist()


def test_numbers_are_read_as_by_hand_under_every_pair_of_marks() -> None:
    table, numbers = table_of(WRITTEN), 0
    for decimal, thousands in itertools.product(DECIMALS, THOUSANDS):
        if decimal == thousands:
            continue
        reading = Reading(decimal=decimal, thousands=thousands)
        expected = [number_as(text, reading) for text in WRITTEN]
        assert read(table, "number", reading) == expected, reading
        numbers += sum(value is not None for value in expected)
    assert numbers > 150
    found = dict(zip(WRITTEN, read(table, "number", GERMAN), strict=True))
    assert (found["1.234,5"], found["12.34"], found["1.2345"]) == (1234.5, None, None)
    whole = read(table, "number", Reading(kind="whole number"))
    plain = read(table, "number", Reading())
    assert whole == [v if v is None or v == int(v) else None for v in plain]
    assert whole != plain


def test_dates_are_read_as_by_hand_in_every_order() -> None:
    table = table_of(DAYS)
    cases = [
        (order, clock, first)
        for order, clock, first in itertools.product(DATES, CLOCKS, (1950, 2000, 1907))
        if first == 1950 or order in TWO_DIGITS
    ]
    for order, clock, first in few(cases, 5):
        reading = Reading(kind="date", dates=order, clock=clock, first_year=first)
        expected = [moment_as(text, reading) for text in DAYS]
        assert read(table, "moment", reading) == expected, reading
        assert any(expected), reading
    found = dict(zip(DAYS, read(table, "moment", Reading(dates="dd.mm.yyyy")), strict=True))
    assert found["31.02.2025"] is found["2025-01-06"] is None
    assert found["1.2.2025 9:05"] == datetime(2025, 2, 1, 9, 5)


def test_marks_are_nobody_and_nothing_and_yes_is_yes() -> None:
    table = table_of(("NA", "na", "-1", "Ja", "N", "2"))
    known = Reading(missing=("NA", "-1 "))
    assert read(table, "text", known) == [None, "na", None, "Ja", "N", "2"]
    assert read(table, "number", known) == [None, None, None, None, None, 2.0]
    answers = Reading(kind="yes/no", missing=("NA",))
    assert read(table, "text", answers) == [None, None, None, "yes", "no", None]
    assert table.read_as({"v": answers}).distinct("v", 9) == ["no", "yes"]


def test_one_odd_value_changes_nothing_for_the_others() -> None:
    values = ("1.234,5", "31.12.2025", "yes", "7", "NA")
    single, crowd = [table_of((v,)) for v in values], table_of((*values, "12.34", "?"))
    hows = ("number", "moment", "text")
    readings = (GERMAN, Reading(kind="date", dates="dd.mm.yyyy"), Reading(kind="yes/no"))
    for how, reading in few(itertools.product(hows, readings), 5):
        alone = [read(table, how, reading)[0] for table in single]
        assert read(crowd, how, reading)[: len(values)] == alone


def test_a_table_read_otherwise_is_the_same_rows_in_one_engine() -> None:
    table = table_of(("1,5", "NA"))
    assert table.read_as({}) is table.read_as({"v": Reading()}) is table
    view = table.read_as({"v": GERMAN})
    assert [c.kind for c in (*table.columns, *view.columns)] == ["text", "text", "number", "text"]
    assert (view.types, view.digest) == (("float64", "string"), table.digest)
    assert view.source(["w"]) == table.source(["v"]) != view.source(["v", "w"])
    assert view.read_as({"w": Reading(kind="date")}).readings[0] == ("v", GERMAN)
    assert view.read_as({"v": Reading()}) is table
    assert view.preview()["v"].tolist()[0] == 1.5
    assert view.described(["v"]) == (
        "t; “v” is read as a number, with a decimal comma, thousands marked by a point, missing "
        "where “NA” is written"
    )
    with pytest.raises(DataError, match="no column"):
        table.read_as({"x": GERMAN})
    with pytest.raises(ParameterError, match="reading must be"):
        table.read_as({"v": "german"})  # type: ignore[dict-item]
    view.close()
    view.close()
    table.close()
    for closed in (view, table):
        with pytest.raises(DataError, match="closed"):
            closed.rows()


def test_a_reading_that_cannot_be_is_refused() -> None:
    wrong: tuple[dict[str, Any], ...] = (
        *({"decimal": mark} for mark in (";", 1)),
        {"decimal": ",", "thousands": ","},
        {"kind": ""},
        {"dates": "dmy"},
        {"missing": ("",)},
        {"clock": "12 hours"},
        *({"dates": "dd.mm.yy", "first_year": year} for year in (50, 1950.5, 999, 9901)),
    )
    assert Reading(dates="dd.mm.yy", first_year=1000).first_year == 1000
    assert Reading(dates="dd.mm.yy").described.endswith("in the years 1950 to 2049")
    assert Reading(dates="dd.mm.yyyy", first_year=1907) == Reading(dates="dd.mm.yyyy")
    for given in wrong:
        with pytest.raises(ParameterError):
            Reading(**given)


def test_a_suggestion_fits_every_value_and_says_where_two_do() -> None:
    fits = {
        ("1.234,5", "12,5", "NA"): [("number", ",", ".")],
        ("1.234.567", "2"): [("whole number", ",", ".")],
        ("12,345", "1,000"): [("whole number", ".", ","), ("number", ",", "")],
        ("1\u202f234,5", "2"): [("number", ",", " ")],
        ("12.5", "13"): [],  # the file's own reading does
        ("007", "011"): [],  # codes
        ("a", "b"): [],
        ("-", ""): [],
    }
    for values, expected in few(fits.items(), 4):
        found = suggest(table_of(values), "v")
        assert [(r.kind, r.decimal, r.thousands) for r in found] == expected, values
        assert all(r.missing == (USUAL_MARKS if "NA" in values else ()) for r in found)
    days = {
        ("01/02/2025", "03/04/2025"): ["dd/mm/yyyy", "mm/dd/yyyy"],
        ("31.12.2025", "1.2.2025 9:05"): ["dd.mm.yyyy"],
        ("01/13/2025", "03/04/2025"): ["mm/dd/yyyy"],
        ("01/13/25 9:05 PM", "03/04/25"): ["mm/dd/yy"],
    }
    for values, orders in few(days.items(), 4):
        assert [r.dates for r in suggest(table_of(values), "v")] == orders
    assert suggest(table_of(("ja", "Nein")), "v") == (Reading(kind="yes/no"),)
    assert suggest(table_of(("N14", "NA")), "v") == (Reading(missing=USUAL_MARKS),)


def test_another_reading_is_another_statistic() -> None:
    ws = Workspace.load(b"id;ward\n1;A\nNA;A\nNA;A\n", name="visits.csv")
    query = Count(ByColumn("ward", ("A",)), Bounds(person="id"))
    ws.state(query)
    assert ws.exact().tolist() == [2]
    ws.table = ws.table.read_as({"ward": Reading(missing=("-",)), "id": Reading(missing=("NA",))})
    assert ws.exact().tolist() == [2]  # what is in use stays as it was
    ws.state(query)
    assert ws.exact().tolist() == [1]
    assert len(ws.statistics) == 2
    counts, texts = ItemCounts("id", WholeNumbers(0, 9)), TextCounts("ward", Bounds("id"))
    asked = [
        {sparse.Subject(table=t, query=counts).key, Source(table=t, query=texts).key}
        for t in (ws.table.loaded, ws.table)
    ]
    assert not asked[0] & asked[1]
    ws.table = ws.table.read_as({"ward": Reading()})
    ws.draw("public")
    (said,) = [text for name, text in ws.facts_of(ws.ledger[0]) if name == "data"]
    assert "“id” is read missing where “NA” is written" in said
    ws.state(Count(ByColumn("ward", ("A",))))
    ws.draw("public")
    assert dict(ws.facts_of(ws.ledger[1]))["data"] == "visits.csv"
    assert len(ws.sessions) == 2
    ws.close()


# The form of a column: what every value is like, and what can therefore be none of them.


FITS: list[tuple[tuple[str, ...], str, tuple[str, ...], tuple[str, ...]]] = [
    (("01000", "01100"), "5 characters, leading zeros kept", ("01200",), ("1000", "0100A", "٠١")),
    (("007", "1000"), "digits alone, leading zeros kept", ("1", "0"), ("1a", "-1")),
    (("AB", "CD", ""), "2 characters", ("éé",), ("A", "ABC")),
    (("A", "B"), "1 character", ("C",), ("AA",)),
    (("north", "east"), "", ("anything",), ()),
    (("1", "20", "-3"), "whole numbers without leading zeros", ("0", "-7"), ("01", "1.0", "+1")),
    (("1.5", "2"), "numbers with a decimal point", ("2.50", "-1"), ("1,5", "x")),
    (("2025-12-31",), "dates such as 2025-12-31", ("2024-01-01",), ("31.12.2025",)),
    (("2025-12-31 14:05",), "dates or times such as 2025-12-31 14:05", ("2025-12-31",), ("noon",)),
    (("true", "false"), "true or false", ("TRUE",), ("yes",)),
    (("", ""), "", ("x",), ()),
]


def test_a_form_is_that_of_every_value() -> None:
    for values, said, can, cannot in FITS:
        table = read_csv("".join(f"{v};x\n" for v in ("v", *values)).encode(), name="t.csv")
        form = form_of(table, "v")
        assert form is not None
        assert form.described == said
        assert all(map(form.fits, (*(v for v in values if v), *can)))
        assert not any(map(form.fits, cannot))


def test_one_value_hides_the_form_of_all_others() -> None:
    values = ["01000"] * 50
    table = read_csv("\n".join(["v;w", *(f"{v};x" for v in values), "2A;x"]).encode())
    assert form_of(table, "v") == Form(kind="text")
    marked = table.read_as({"v": Reading(missing=("2A",))})
    assert form_of(marked, "v") == Form(kind="text", length=5, digits=True)
    assert form_of(table.read_as({"v": Reading(kind="yes/no")}), "v") is None


# Numbers, moments and places are read row by row: one odd value changes nothing for the others.


def test_place_is_the_order_of_the_file_in_a_long_one() -> None:
    rows = 300_000  # several of the engine's row groups, read by several threads
    table = read_csv(("v\n" + "\n".join(map(str, range(rows)))).encode(), name="t")
    expression = table.expression.select(v=table.number("v"), place=table.turns()["place"])
    answer = table.collect(expression.filter(lambda row: row.v != row.place))
    assert answer.num_rows == 0


# A total row is found by its word or its sums, pointed at, and left out by what stands in it.


ROWS = ("1;A;2,5;2025-01-01", "2;B;3;2025-02-01", "2;A;10,5;2025-02-03", "3;;4;2025-03-01")
NAMES = "id;ward;cost;day"


def table_with(*rows: str, names: str = NAMES) -> Table:
    return read_csv("\n".join([names, *rows]).encode(), name="t.csv")


@for_each(
    ("last", "found"),
    few(
        [
            ("Total;;1;", TotalRow("id", "Total", sums=False)),
            ("SUMME:;;;", TotalRow("id", "SUMME:", sums=False)),
            (";Total  général;20;", TotalRow("ward", "Total  général", sums=False)),
            ("4;Somme;20;2025-03-01", TotalRow("ward", "Somme", sums=False)),
            ("合計;;;", TotalRow("id", "合計", sums=False)),
            ("Sous-total;;1;", TotalRow("id", "Sous-total", sums=False)),
            ("Total 2025;;1;", TotalRow("id", "Total 2025", sums=False)),
            ("TOTAL (n = 4);A;1;", TotalRow("id", "TOTAL (n = 4)", sums=False)),
            ("Total;;1;\n;;;\n;;;", TotalRow("id", "Total", sums=False)),  # as sheets end
            ("Total;;1;\nSource: the ward book;;;", TotalRow("id", "Total", sums=False)),
            ("Total;;1;\n;;;\nSource: x;;;\n*estimated;;;", TotalRow("id", "Total", sums=False)),
            ("Total;;1;\n5;A;2;2025-03-01", None),  # a record is no note
            ("Total;;1;" + "\nNote;;;" * 6, None),
            ("4;Total loss;3;", None),  # what somebody wrote stands behind an id
            ("Total nonsense from the first question to the last;;3;", None),
            ("Totalis;;3;", None),
            ("4;Sum of us;3;", None),
            ("4;A;20;2025-03-01", None),  # its number is the sum, but its id is another number
        ],
        3,
    ),
)
def test_a_last_row_is_known_by_its_word(last: str, found: TotalRow | None) -> None:
    read = {"cost": Reading(kind="number", decimal=",")}
    assert find_total_row(table_with(*ROWS, last).read_as(read)) == found
    if FULL or last.startswith("Total;;1;"):
        assert find_total_row(table_with(last, *ROWS).read_as(read)) is None  # it is not the last


def test_a_text_that_begins_like_a_total_is_none_where_others_have_it_too() -> None:
    """A hospital of that name has more rows than the last."""
    assert find_total_row(table_with("Total Care;A;1;", *ROWS, "Total Care;A;2;")) is None


@for_each(
    ("rows", "found"),
    [
        (("a;1;2", "b;2;3", "c;3;5", "Everyone;6;10"), TotalRow("n", "Everyone", sums=True)),
        (("a;1;2", "b;2;3", "c;3;5", ";6;10"), TotalRow("n", "", sums=True)),
        (("a;1;2", "b;2;3", "c;3;5", "All;6;10", "Source: x;;"), TotalRow("n", "All", sums=True)),
        (("a;1;2", "b;2;3", ";3;5", ";6;10"), TotalRow("", "", sums=True)),  # not by itself
        (("a;1;2", "b;2;3", "c;3;5", "a;6;10"), TotalRow("", "", sums=True)),
        (("a;1;2", "b;2;3", "c;3;5", "d;6;11"), None),  # one of them is no sum
        (("a;0;1", "b;1;0", "c;0;0", "d;1;1"), None),  # of a yes and a no: by chance
        (("a;1;1", "b;2;2", "c;3;3"), None),  # of two rows: by chance
        (("a;0.1;1", "b;0.2;2", "c;0.3;3", "d;0.6;"), TotalRow("n", "d", sums=True)),
        (("a;x;y", "b;x;y", "c;z;y", "d;x;y"), None),
    ],
)
def test_a_last_row_is_known_by_its_sums(rows: tuple[str, ...], found: TotalRow | None) -> None:
    assert find_total_row(table_with(*rows, names="n;x;y")) == found


QUERIES: list[Query] = [
    Count(Everybody()),
    Count(ByColumn("ward", ("A", "B", "Total"))),
    Count(ByColumn("ward", ("A", "B")), Bounds(person="id"), total=True),
    Count(ByTwoColumns(ByColumn("ward", ("A", "B")), ByColumn("day", ("2025-01-01",)))),
    Count(ByBins("cost", (0, 5, 1000))),
    Count(ByTime("day", "year", "2025-01-01", "2026-01-01")),
    BoundedSum("cost", 0, 1000, step=0.5),
    BoundedSum("cost", 0, 1000, bounds=Bounds(person="id", rows_per_group=2), step=0.5),
    BoundedMean("cost", 0, 1000, ByColumn("ward", ("A", "B"))),
]
READ = {"cost": Reading(kind="number", decimal=",")}


@pytest.mark.parametrize("query", few(QUERIES[::-1], 9))
@pytest.mark.parametrize("last", few(["Total;Total;20;2025-03-01", ";Total;20;2025-03-01"], 2))
def test_every_statistic_is_that_of_the_file_without_the_row(query: Query, last: str) -> None:
    bare, whole = table_with(*ROWS).read_as(READ), table_with(*ROWS, last).read_as(READ)
    found = find_total_row(whole)
    assert found is not None
    left = without_total_row(whole, found)
    assert query.values(left).tolist() == query.values(bare).tolist()
    assert left.rows() == 4
    assert left.preview(9).astype(str).equals(bare.preview(9).astype(str))
    assert left.distinct("ward", 9) == bare.distinct("ward", 9)
    assert left.source(query.columns) != whole.source(query.columns)  # another statistic
    assert "without the rows where it is “Total”" in left.described(query.columns)
    assert find_total_row(left) is None
    assert suggest(left, "cost") == suggest(bare, "cost")


def test_a_row_is_left_out_by_what_stands_in_it_alone() -> None:
    random.seed(7)
    values = ["A", "B", "Total", "", "total", "n"]
    rows = [f"{i};{random.choice(values)};{i};" for i in range(60)]
    for marks in (("Total",), ("",), ("", "Total")):
        read = {"ward": Reading(left_out=marks)}
        kept = [row for row in rows if row.split(";")[1] not in marks]
        random.shuffle(rows)
        assert table_with(*rows).read_as(read).rows() == len(kept)
    assert Reading(left_out=(" Total ", "")).left_out == ("", "Total")
    assert Reading(left_out=("",)).described == "without the rows where it is empty"
    both = Reading(left_out=("", "Sum"), missing=("NA",)).described
    assert both.endswith(
        "missing where “NA” is written, without the rows where it is empty or “Sum”"
    )
    with pytest.raises(ParameterError, match="left_out"):
        Reading(left_out="Total")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="no way"):
        without_total_row(table_with(*ROWS), TotalRow("", "", sums=True))


def test_the_total_row_stays_left_out_in_plans_and_projects(tmp_path) -> None:
    content = "\n".join([NAMES, *ROWS, "Total;;20;"]).encode()
    ws = Workspace.load(content, name="t.csv")
    (said,) = said_total(ws.table)
    assert said.text == (
        "A row at the end looks like a total: “Total” stands in “id”. It would be counted like any "
        "other."
    )
    found = find_total_row(ws.table)
    assert found is not None
    ws.table = without_total_row(ws.table, found)
    assert said_total(ws.table) == []
    ws.use_mode("hardened")
    ws.state(Count(ByColumn("ward", ("A", "B"))))
    assert counted(ws, look=True).rows == 4
    plan = plan_file.opened(plan_file.saved(ws))
    other = Workspace.load(content, name="t.csv")
    plan_file.use(other, plan)
    assert other.table.rows() == other.statistic.table.rows() == 4
    projects = Projects(tmp_path)
    projects.create("costs", ws)
    ws.draw("public")
    ws.close()
    again = projects.open("costs")
    again.bring(read_csv(content, name="t.csv"))
    assert again.statistic.table.rows() == 4
    again.draw("audit")
    assert len(again.sessions) == 1  # the same session goes on
    data = dict(again.facts_of(again.ledger[0]))["data"]
    assert data == "t.csv; “id” is read without the rows where it is “Total”"
    again.close()
