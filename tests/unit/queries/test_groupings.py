"""Lists, bins, spans and formats that cannot be used are refused; the others are facts."""

import math
from typing import Any

import pytest

from dpviz.data import Reading, Table, read_csv, read_table
from dpviz.data.file_format import FileFormat
from dpviz.data.suggestion import suggest
from dpviz.errors import DataError, ParameterError
from dpviz.queries import (
    MAX_GROUPS,
    BoundedMean,
    BoundedSum,
    Bounds,
    ByBins,
    ByColumn,
    ByCycle,
    ByTime,
    ByTwoColumns,
    Count,
    Everybody,
    Query,
)
from dpviz.queries.reading_check import misread
from dpviz.workspace import Workspace
from tests.conftest import few, for_each
from tests.workbooks import stata

WARDS = ByColumn("ward", ("d", "a", "c", "b"))


def refused(says: str, make: Any, *args: Any, **named: Any) -> str:
    with pytest.raises(ParameterError, match=says) as caught:
        make(*args, **named)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@for_each(
    ("groups", "says"),
    [
        ((), "no groups; list at least one"),
        ("abc", "must be a list"),
        (None, "must be a list"),
        (("a", 3), "group 2 is not text"),
        (("a", None), "group 2 is not text"),
        (("a", "\ud800"), "group 2 is not text"),
        (("a", " "), "group 2 is empty"),
        (("Zanzibar", "b", " Zanzibar"), "groups 1 and 3 are the same"),
        (map(str, range(MAX_GROUPS + 1)), "at most 100,000 groups"),
    ],
)
def test_lists_of_groups(groups: Any, says: str) -> None:
    assert "Zanzibar" not in refused(says, ByColumn, "ward", groups)


def test_pairs_of_columns() -> None:
    long = ByColumn("long", tuple(map(str, range(1000))))
    assert len(ByTwoColumns(long, ByColumn("n", tuple(map(str, range(100))))).labels) == MAX_GROUPS
    longer = ByColumn("n", tuple(map(str, range(101))))
    refused(
        "at most 100,000 pairs of groups, and these lists make 101,000", ByTwoColumns, long, longer
    )
    refused("the two columns are the same", ByTwoColumns, WARDS, WARDS)
    first, second = ByColumn("x", ("a", "a × b")), ByColumn("y", ("b × c", "c"))
    refused("two pairs of groups read the same", ByTwoColumns, first, second)


@for_each(
    ("edges", "says"),
    [
        ((1,), "at least two edges"),
        ((0, 10, 10), "edge 3 is not above edge 2"),
        ((0, 10, 5), "edge 3 is not above edge 2; type the edges from small to large"),
        ((-0.0, 0.0), "edge 2 is not above edge 1"),
        ((0, math.nan, 5), "edge 2 is not a finite number"),
        ((-math.inf, 0), "edge 1 is not a finite number"),
        ((0, 10**400), "edge 2 is not a finite number"),
        ((0, "1"), "edge 2 is not a finite number"),
        ((0, True), "edge 2 is not a finite number"),
        ((0, None), "edge 2 is not a finite number"),
        ("12", "must be a list"),
        (5, "must be a list"),
        (range(MAX_GROUPS + 2), "at most 100,000 bins"),
    ],
)
def test_edges_of_bins(edges: Any, says: str) -> None:
    refused(says, ByBins, "x", edges)


@for_each(
    ("span", "says"),
    [
        ("decade 2025-01-01 2026-01-01", "every must be one of hour, day, week, month, quar"),
        ("quarter 2025-02-01 2025-07-01", "start .* the first day of a quarter; .* 2025-01-01"),
        ("quarter 2025-01-01 2025-11-30", "stop .* the first day of a quarter; .* 2026-01-01"),
        ("year 2024-01-01 2025-07-01", "years are counted whole, so stop .* 2026-01-01"),
        ("day 1.1.2025 2025-01-02", "start is not a day; type year, month and day"),
        ("day 20250101 2025-01-02", "start is not a day"),
        ("day 2025-W01-1 2025-01-02", "start is not a day"),
        ("day 2025-01-01 2025-02-29", "stop is not a day"),
        ("day 2025-01-01 9999-12-31", "stop is not a day"),
        ("day 2025-01-02 2025-01-02", "stop is not after start"),
        ("day 2025-01-03 2025-01-02", "stop is not after start"),
        ("week 2025-01-06 2025-01-19", "13 days are not whole weeks; type .* 2025-01-13"),
        ("week 2025-01-06 2025-01-08", "2 days are not whole weeks; type .* 2025-01-13"),
        ("month 2025-01-02 2025-03-01", "start .* the first day of a month; .* 2025-01-01"),
        ("month 2025-01-01 2025-03-02", "stop .* the first day of a month; .* 2025-04-01"),
        ("hour 2010-01-01 2025-01-01", "at most 100,000 groups, and hours make 131,496"),
    ],
)
def test_spans_of_time(span: str, says: str) -> None:
    refused(says, ByTime, "when", *span.split())
    refused("stop is not a day", ByTime, "when", "day", "2025-01-01", 20250102)


def test_labels() -> None:
    assert Everybody().labels == ("everybody",)
    assert ByBins("x", (-1.5, 0, 0.1, 1e20)).labels == ("-1.5 to 0", "0 to 0.1", "0.1 to 1e+20")
    hours = ByTime("t", "hour", "2025-02-28", "2025-03-02").labels
    assert hours[0] == "2025-02-28 00:00"
    assert hours[-11] == "2025-03-01 13:00"
    assert ByTime("t", "day", " 2024-02-28", "2024-03-01").labels == ("2024-02-28", "2024-02-29")
    assert ByTime("t", "month", "2024-12-01", "2025-02-01").labels == ("2024-12", "2025-01")
    quarters = ByTime("t", "quarter", "2024-10-01", "2025-04-01").labels
    assert quarters == ("2024 Q4", "2025 Q1")
    weeks = ByTime("t", "week", "2024-12-30", "2025-01-13").labels
    assert weeks == ("2024-12-30", "2025-01-06")


@for_each(
    ("changes", "says"),
    [
        ({"person": "id", "groups_per_person": 0}, "groups_per_person .* at least 1, got 0"),
        ({"person": "id", "groups_per_person": 1.5}, "whole number"),
        ({"person": "id", "groups_per_person": math.nan}, "whole number"),
        ({"person": "id", "groups_per_person": True}, "whole number"),
        ({"person": "id", "rows_per_group": 0}, "rows_per_group .* at least 1, got 0"),
        ({"person": "id", "rows_per_group": math.inf}, "whole number"),
        ({"person": "id", "rows_per_group": 10**7}, "rows_per_group must be at most 1,000,000"),
        ({"groups_per_person": 2}, "groups_per_person must be 1 where each row is one person"),
        ({"rows_per_group": 2}, "rows_per_group must be 1 where each row is one person"),
        ({"relation": "swap"}, "relation must be one of add/remove, replace"),
    ],
)
def test_bounds(changes: dict[str, Any], says: str) -> None:
    refused(says, Bounds, **changes)


def test_bounds_that_do_not_go_with_the_groups() -> None:
    many = Bounds("id", groups_per_person=5)
    refused("at most the number of groups, 4, got 5", Count, WARDS, many)
    refused("at most the number of groups, 1, got 2", BoundedSum, "x", 0, 1, bounds=Bounds("id", 2))
    counted = "cannot also be the column that is counted"
    times = ByTime("id", "day", "2025-01-01", "2025-01-03")
    pairs = ByTwoColumns(WARDS, ByColumn("id", ("1",)))
    for by in (ByColumn("id", ("1",)), ByBins("id", (0, 1)), times, pairs):
        with pytest.raises(DataError, match=counted):
            Count(by, Bounds("id"))
    refused(counted, BoundedSum, "id", 0, 1, WARDS, Bounds("id"))
    refused(counted, BoundedMean, "id", 0, 1, WARDS, Bounds("id"))


def test_totals_that_cannot_be_published() -> None:
    refused("everybody is the total already", Count, Everybody(), total=True)
    refused("one of the groups is called “total”", Count, ByColumn("x", ("total",)), total=True)


def test_queries_are_facts() -> None:
    def some() -> list[Any]:
        return [
            Count(ByColumn("ward", ["a ", "b"])),  # type: ignore[arg-type]
            Count(WARDS, Bounds("id"), total=True),
            Count(ByTwoColumns(WARDS, ByColumn("sex", ("f", "m")))),
            Count(ByBins("x", [0, 1])),  # type: ignore[arg-type]
            Count(ByTime("when", "day", "2025-01-01", "2025-01-03")),
            BoundedSum("x", 0, 10),
            BoundedMean("x", 0, 10, WARDS),
        ]

    for one, other in zip(some(), some(), strict=True):
        assert one == other
    assert len(set(some())) == 7
    assert BoundedSum("x", 0, 1024) == BoundedSum("x", 0.0, 1024.0, step=1)


# Groups from a file's own codebook: its values under its names, whatever the rows hold.


def test_what_a_reading_takes_for_missing_is_no_group() -> None:
    table = read_table(stata()).read_as({"sex": Reading(missing=("9", "3"))})
    assert ByColumn.coded(table, "sex").groups == ("1", "2")
    with pytest.raises(ParameterError, match="lists no values of “sex”; type groups"):
        ByColumn.coded(table.read_as({"sex": Reading(kind="yes/no")}), "sex")


def test_equal_names_are_told_apart_and_too_many_are_refused() -> None:
    table = read_csv(b"a,b\n1,2\n")
    pairs = (("1", "low"), ("2", "low"), ("3", "high"))
    object.__setattr__(table, "file", FileFormat(labels=(("a", pairs),)))
    assert ByColumn.coded(table, "a").labels == ("low (1)", "low (2)", "high")
    with pytest.raises(ParameterError, match="lists no values of “b”"):
        ByColumn.coded(table, "b")
    with pytest.raises(DataError, match="has no column “c”"):
        ByColumn.coded(table, "c")
    many = tuple((str(i), f"n{i}") for i in range(MAX_GROUPS + 1))
    object.__setattr__(table, "file", FileFormat(labels=(("a", many),)))
    with pytest.raises(ParameterError, match="at most"):
        ByColumn.coded(table, "a")


# --- A format that most values do not have is refused before anything is drawn ---


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


@pytest.mark.parametrize(
    ("query", "now", "wanted"),
    few(
        [
            (SUM, "decimal point", "numbers with a decimal comma and a blank between"),
            (BoundedMean("cout", 0, 9, ByColumn("service", ("Med",))), "decimal point", "comma"),
            (Count(ByBins("cout", (0, 10, 1e5))), "decimal point", "missing where “N.D.”"),
            (Count(ByTime("jour", "year", "2025-01-01", "2026-01-01")), "yyyy-mm-dd", "dd.mm.yyyy"),
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


def test_nothing_is_drawn_from_a_column_that_is_misread() -> None:
    ws = Workspace.load(FRENCH, name="cout.csv")
    ws.use_mode("hardened")
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
