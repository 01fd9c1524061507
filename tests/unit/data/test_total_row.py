"""A total row is found by its word or its sums, pointed at, and left out by what stands in it."""

import random

import pytest

from dpviz.data import Reading, Table, read_csv
from dpviz.data.suggestion import suggest
from dpviz.data.total_row import TotalRow, find_total_row, without_total_row
from dpviz.errors import ParameterError
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
    Query,
)
from dpviz.workspace import plan_file
from dpviz.workspace.projects import Projects
from dpviz.workspace.reading_check import counted, said_total
from dpviz.workspace.workspace import Workspace
from tests.conftest import FULL, few, for_each

ROWS = ("1;A;2,5;2025-01-01", "2;B;3;2025-02-01", "2;A;10,5;2025-02-03", "3;;4;2025-03-01")
NAMES = "id;ward;cost;day"


def table_of(*rows: str, names: str = NAMES) -> Table:
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
            (
                "Total;;1;\n;;;\n;;;",
                TotalRow("id", "Total", sums=False),
            ),  # sheets end with empty rows
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
    assert find_total_row(table_of(*ROWS, last).read_as(read)) == found
    if FULL or last.startswith("Total;;1;"):
        assert find_total_row(table_of(last, *ROWS).read_as(read)) is None  # it is not the last


def test_a_text_that_begins_like_a_total_is_none_where_others_have_it_too() -> None:
    """A hospital of that name has more rows than the last."""
    assert find_total_row(table_of("Total Care;A;1;", *ROWS, "Total Care;A;2;")) is None


@for_each(
    ("rows", "found"),
    [
        (("a;1;2", "b;2;3", "c;3;5", "Everyone;6;10"), TotalRow("n", "Everyone", sums=True)),
        (("a;1;2", "b;2;3", "c;3;5", ";6;10"), TotalRow("n", "", sums=True)),
        (
            ("a;1;2", "b;2;3", "c;3;5", "All;6;10", "Source: x;;"),
            TotalRow("n", "All", sums=True),
        ),
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
    assert find_total_row(table_of(*rows, names="n;x;y")) == found


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
    bare, whole = table_of(*ROWS).read_as(READ), table_of(*ROWS, last).read_as(READ)
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
        assert table_of(*rows).read_as(read).rows() == len(kept)
    assert Reading(left_out=(" Total ", "")).left_out == ("", "Total")
    assert Reading(left_out=("",)).described == "without the rows where it is empty"
    both = Reading(left_out=("", "Sum"), missing=("NA",)).described
    assert both.endswith(
        "missing where “NA” is written, without the rows where it is empty or “Sum”"
    )
    with pytest.raises(ParameterError, match="left_out"):
        Reading(left_out="Total")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="no way"):
        without_total_row(table_of(*ROWS), TotalRow("", "", sums=True))


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
