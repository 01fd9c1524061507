"""A table of BigQuery, Snowflake or Trino, by the URLs of Ibis.

None of them runs here: the statements that are sent to them are kept in tests/engines/sql and
compared, so that a change of them is seen; they have not been executed.
"""

from contextlib import suppress
from functools import cache
from typing import Any

from dpviz.data.engines.outside import Field, Outside, identifier, md5_of, no_column, trimmed
from dpviz.errors import DataError

_QUOTES = {"bigquery": "`", "snowflake": '"', "trino": '"'}
_TEXT = {"bigquery": "STRING", "snowflake": "VARCHAR", "trino": "VARCHAR"}
_DOUBLE = {"bigquery": "FLOAT64", "snowflake": "DOUBLE", "trino": "DOUBLE"}


class Warehouse(Outside):
    """The engine of a warehouse, by the name of its scheme."""

    def __init__(self, dialect: str, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.dialect = dialect

    def md5(self, text: Any) -> Any:
        """Ibis expression of a text's MD5, 32 hexadecimal digits in small letters."""
        if self.dialect == "trino":
            text = _function("TO_UTF8")(text)
        found = _function("MD5")(text)
        return found if self.dialect == "snowflake" else _function("TO_HEX")(found).lower()

    def _listed(self, rows: Any) -> str:
        if self.dialect != "bigquery":
            return super()._listed(rows)
        structs = ", ".join(
            f"STRUCT({self._literal(text)} AS value, {place} AS position)" for text, place in rows
        )
        return f"SELECT value, position FROM UNNEST([{structs}])"


def open_warehouse(
    dialect: str, url: str, table: str, columns: tuple[str, ...], order: str | None, seconds: float
) -> Warehouse:
    """Connect by Ibis and look at the columns of a table.

    Raises:
        DataError: without a word of the address, if there is no such warehouse or table, or a
            column cannot be read alike everywhere.
    """
    import ibis

    backend, found = None, None
    with suppress(Exception):  # whatever it says may have the address
        backend = ibis.connect(url)
        found = backend.table(table).schema()
    if backend is None or found is None:
        raise DataError(
            f"{dialect} cannot be reached, or has no such table; check the address, the rights and "
            "the names of the source"
        )
    fields = fields_of(found, columns, dialect)
    return Warehouse(dialect, backend, identifier(table, dialect), fields, order, seconds)


def fields_of(schema: Any, columns: tuple[str, ...], dialect: str) -> list[Field]:
    """How a warehouse writes the columns of a table.

    Args:
        schema: Ibis schema of the table.
        columns: those to take; empty: all.
        dialect: of the warehouse.

    Raises:
        DataError: if a column cannot be read alike everywhere.

    >>> import ibis
    >>> fields_of(ibis.schema({"age": "int32"}), (), "trino")[0].text
    'CAST("age" AS VARCHAR)'
    """
    items = schema.items()
    return [_field(name, kind, dialect) for name, kind in items if name in columns or not columns]


def _field(name: str, kind: Any, dialect: str) -> Field:
    """Floats and decimals have no text here: warehouses write them in their own ways."""
    quote = _QUOTES[dialect]
    c = f"{quote}{name.replace(quote, quote * 2)}{quote}"
    text, number = f"CAST({c} AS {_TEXT[dialect]})", f"CAST({c} AS {_DOUBLE[dialect]})"
    if kind.is_string():
        return Field(name, "string", trimmed(text, dialect))
    if kind.is_boolean():
        return Field(name, "boolean", text)
    if kind.is_integer():
        return Field(name, "int64", text, number)
    if kind.is_decimal():
        whole = kind.scale == 0
        return Field(name, "int64" if whole else "float64", text if whole else None, number)
    if kind.is_float64():
        finite = f"CASE WHEN ABS({c}) <= 1.7976931348623157E308 THEN {c} END"
        return Field(name, "float64", None, finite)
    if kind.is_date():
        return Field(name, "date", text)
    raise no_column(name)


@cache
def _function(name: str) -> Any:
    """A function of a warehouse, from text to text as far as Ibis knows."""
    import ibis

    return ibis.udf.scalar.builtin(md5_of, name=name)
