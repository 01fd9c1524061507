"""The statements that are sent to warehouses, which do not run here: kept, and compared.

Nothing says that a warehouse takes them; a change of them is seen, and read by a person. They are
written again by `python -m tests.engines.test_kept_sql`.
"""

from pathlib import Path

import ibis
import ibis.expr.operations as ops
import pytest
import sqlglot
from ibis.backends.sql import compilers

from dpviz.data import Address, Reading, Table, TableSource
from dpviz.data.engines.outside import identifier
from dpviz.data.engines.warehouses import Warehouse, fields_of
from dpviz.data.read import columns_of
from dpviz.queries import BoundedMean, Bounds, ByBins, ByColumn, ByCycle, ByTime, Count, TextCounts
from tests.conftest import few

KEPT = Path(__file__).parent / "sql"
DIALECTS = ("bigquery", "snowflake", "trino")
SCHEMA = ibis.schema(
    {
        "patient": "int64",
        "ward": "string",
        "cost": "float64",
        "arrived": "date",
        "urgent": "boolean",
        "paid": "decimal(10, 2)",
    }
)
BOUNDS = Bounds("patient", 2, 3, salt="2026")
QUERIES = {
    "count of rows by column": Count(ByColumn("ward", ("it's", "é"))),
    "count by column": Count(ByColumn("ward", ("it's", "a\\b", "é")), BOUNDS),
    "count by bins": Count(ByBins("paid", (0, 0.1, 2.5)), Bounds("patient")),
    "count by month": Count(ByTime("arrived", "month", "2025-01-01", "2026-01-01")),
    "count by weekday": Count(ByCycle("arrived", "weekday")),
    "mean": BoundedMean("cost", 0, 100, ByColumn("urgent", ("true", "false")), BOUNDS),
    "texts": TextCounts("ward", Bounds("patient")),
}


class Asked(Exception):
    """The statement that would have been sent."""


class Silent:
    """A backend that is asked and never answers."""

    def __init__(self, dialect: str) -> None:
        self.compiler = getattr(compilers, dialect).compiler
        self.dialect, self.name = dialect, dialect

    def sql(self, query, schema):
        return ops.SQLQueryResult(query, ibis.schema(schema), self).to_expr()

    def compile(self, expression) -> str:
        return self.compiler.to_sqlglot(expression).sql(self.dialect, pretty=True)

    def close(self) -> None:
        """Nothing is open."""


class Written(Warehouse):
    """A warehouse whose statements are caught."""

    def run(self, expression, *, keep):
        del keep
        raise Asked(self.backend.compile(expression))


def table_of(dialect: str) -> Table:
    fields = fields_of(SCHEMA, (), dialect)
    place = identifier("clinic.visits", dialect)
    engine = Written(dialect, Silent(dialect), place, fields, None, 60.0)
    types = tuple(field.type for field in fields)
    columns = columns_of(SCHEMA.names, types)
    return Table(name="visits", digest="0", columns=columns, types=types, engine=engine)


def statements(dialect: str) -> str:
    table = table_of(dialect)
    found = []
    for name, query in QUERIES.items():
        with pytest.raises(Asked) as asked:
            query.values(table)
        found.append(f"-- {name}\n{asked.value};\n")
    return "\n".join(found)


@pytest.mark.parametrize("dialect", few(DIALECTS, 3))
def test_statements_are_those_that_were_read(dialect):
    kept = (KEPT / f"{dialect}.sql").read_text(encoding="utf-8")
    assert statements(dialect) == kept, (
        "read the change, then python -m tests.engines.test_kept_sql"
    )


@pytest.mark.parametrize("dialect", few(DIALECTS, 3))
def test_they_are_sql_and_hold_what_was_asked(dialect):
    kept = (KEPT / f"{dialect}.sql").read_text(encoding="utf-8")
    assert len(sqlglot.parse(kept, read=dialect)) >= len(QUERIES)
    assert "MD5" in kept
    assert "é" in kept


def test_a_reading_of_a_float_as_text_is_refused():
    table = table_of("trino").read_as({"cost": Reading(missing=("-1",))})
    with pytest.raises(ValueError, match="floating-point numbers"):
        table.text("cost")
    assert TableSource(name="v", address=Address("trino://h/a"), table="t").order is None


if __name__ == "__main__":
    KEPT.mkdir(exist_ok=True)
    for each in DIALECTS:
        (KEPT / f"{each}.sql").write_text(statements(each), encoding="utf-8")
