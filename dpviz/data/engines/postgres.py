"""A table or view of a Postgres server, asked in transactions that only read."""

import re
from functools import cache
from typing import Any

from dpviz.data.engines.outside import (
    Field,
    Outside,
    column,
    identifier,
    md5_of,
    no_column,
    trimmed,
)
from dpviz.errors import DataError

NAME = "postgres"
_WAIT = 10  # seconds for a connection
_SETTINGS = (  # of the session: it only reads, and writes dates, times and floats in one way
    "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
    "SET datestyle = 'ISO, YMD'",
    "SET extra_float_digits = 1",
    "SET standard_conforming_strings = on",
    "SET client_encoding = 'UTF8'",
    "SET statement_timeout = {limit}",
)
_COLUMNS = """
    SELECT a.attname, format_type(coalesce(nullif(t.typbasetype, 0), a.atttypid), -1), t.typtype
    FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
    WHERE a.attrelid = to_regclass(%s) AND a.attnum > 0 AND NOT a.attisdropped
    ORDER BY a.attnum
"""
_TEXTS = ("text", "character varying", "character", "bpchar", "citext", "name", "uuid", '"char"')
_WHOLE = ("smallint", "integer", "bigint", "oid")
_FLOATS = ("real", "double precision")
_AS_TEXT = {"boolean": "boolean", "numeric": "float64", "date": "date"}  # Ibis types
_HUGE = "1.797693134862315807937289714053e308"  # from here on a decimal is beyond the floats
_TINY = "2.4703282292062327208e-324"  # and up to here it is 0
_EASY = r"^[+-]?[0-9]{1,15}([.][0-9]{0,15})?$"


class Postgres(Outside):
    """The engine of a Postgres server, version 15 or later."""

    dialect = "postgres"

    def float_of(self, text: Any) -> Any:
        """Ibis expression of float64; what the server would refuse is a decimal first."""
        import ibis  # only where it is needed: it takes half a second

        far = text.re_search("[eE][+-]?0*[1-9][0-9]{4}")  # 10,000 or more: 0 or beyond
        easy = text.re_search(_EASY)
        size = (far | easy).ifelse("0", text).cast("decimal").abs()
        huge = size >= ibis.literal(_HUGE).cast("decimal")
        tiny = size <= ibis.literal(_TINY).cast("decimal")
        nothing = ~text.re_search("^[+-]?[0.]*[1-9]")
        beyond = huge | (far & ~text.re_search("[eE]-") & ~nothing)
        read = easy.ifelse(text, (far | huge | tiny).ifelse("0", text)).cast("float64")
        return (text.isnull() | (beyond & ~easy)).ifelse(None, read)

    def md5(self, text: Any) -> Any:
        """Ibis expression of a text's MD5; it sorts by bytes, as the text does."""
        return _md5()(text)

    def _interrupt(self) -> None:
        self.backend.con.cancel()


@cache
def _md5() -> Any:
    """The server's own function, for Ibis."""
    import ibis

    return ibis.udf.scalar.builtin(md5_of, name="md5")


def open_postgres(
    url: str, table: str, columns: tuple[str, ...], order: str | None, seconds: float
) -> Postgres:
    """Connect to a server and look at the columns of a table.

    Raises:
        DataError: without a word of the address, if there is no such server or table, or a column
            holds what is neither text, number, date nor yes or no.
    """
    import ibis
    import psycopg

    try:
        connection = psycopg.connect(url, connect_timeout=_WAIT, autocommit=True)
    except Exception:
        connection = None
    if connection is None:
        raise DataError(
            "the Postgres server cannot be reached; check that it runs, and host, user, password "
            "and database of the source"
        )
    try:
        for statement in _SETTINGS:
            connection.execute(statement.format(limit=int(seconds * 1000)))
        backend = ibis.postgres.from_connection(connection)
        found = connection.execute(_COLUMNS, (identifier(table, "postgres"),)).fetchall()
    except Exception:
        connection.close()
        found = []
    fields = [
        _field(name, kind, sort) for name, kind, sort in found if name in columns or not columns
    ]
    if not fields:
        connection.close()
        raise DataError(
            "the source has no such table or columns, or they may not be read; check the names "
            "and the rights of its user"
        )
    return Postgres(backend, identifier(table, "postgres"), fields, order, seconds)


def _field(name: str, kind: str, sort: str) -> Field:
    """A column by the name of its type; `sort` is "e" for an enumeration."""
    c = column(name)
    if kind in _TEXTS or sort == "e":
        text = trimmed(f"CAST({c} AS TEXT)", "postgres")
        return Field(name, "string", f'{text} COLLATE "C"')
    plain = f'CAST({c} AS TEXT) COLLATE "C"'
    if kind in _WHOLE:
        return Field(name, "int64", plain, f"CAST({c} AS DOUBLE PRECISION)")
    if kind in _AS_TEXT:
        return Field(name, _AS_TEXT[kind], plain)
    if kind in _FLOATS:
        return Field(name, "float64", _text_of_float(c), _float(c, kind))
    if kind.startswith("timestamp"):
        at = f"CAST({c} AT TIME ZONE 'UTC' AS TEXT) || 'Z'" if "with time zone" in kind else plain
        return Field(name, "timestamp", f'({at}) COLLATE "C"' if at != plain else plain)
    if re.match("time( |$)", kind):
        return Field(name, "time", f'CAST(CAST({c} AS TIME) AS TEXT) COLLATE "C"')
    raise no_column(name)


def _float(c: str, kind: str) -> str:
    """SQL: a finite number as double precision; a real is the shortest decimal that it prints."""
    value = f"CAST(CAST({c} AS TEXT) AS DOUBLE PRECISION)" if kind == "real" else c
    return f"CASE WHEN {c} NOT IN ('NaN', 'Infinity', '-Infinity') THEN {value} END"


def _text_of_float(c: str) -> str:
    """SQL: a float as uploads have it: 25.0, 2.5, 1e+16; below that no exponent is written."""
    text = f"CAST({c} AS TEXT)"
    short = f"{text} ~ 'e[+](0[0-9]|1[0-5])$'"
    plain = f"CASE WHEN {short} THEN CAST(CAST({text} AS NUMERIC) AS TEXT) ELSE {text} END"
    return (
        f"CASE WHEN {c} = 'NaN' THEN 'nan' WHEN {c} = 'Infinity' THEN 'inf' "
        f"WHEN {c} = '-Infinity' THEN '-inf' "
        f"WHEN {plain} ~ '[.e]' THEN {plain} ELSE {plain} || '.0' END COLLATE \"C\""
    )
