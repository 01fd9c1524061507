"""The same rows in every engine that runs here, to be read as sources."""

import csv
import itertools
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from dpviz.data import Address, Table, TableSource, open_source
from tests.oracles_queries import Rows
from tests.postgres import programs

NUMBERS = itertools.count()


class Place:
    """Where tables are put: texts as they are, an empty one as null."""

    def __init__(self, folder: Path, url: str = "") -> None:
        self.folder, self.url = folder, url

    def put(self, rows: Rows) -> tuple[str, str]:
        """Write the rows; gives the address and the name of their table."""
        raise NotImplementedError

    @contextmanager
    def opened(self, rows: Rows, order: str | None = None) -> Iterator[Table]:
        address, name = self.put(rows)
        table = open_source(
            TableSource(name="rows", address=Address(address), table=name, order=order)
        )
        try:
            yield table
        finally:
            table.close()

    def path(self, suffix: str) -> str:
        return str(self.folder / f"t{next(NUMBERS)}{suffix}")


def values(rows: Rows) -> list[tuple[str | None, ...]]:
    return [tuple(row[name] or None for name in row) for row in rows]


def quoted(rows: Rows) -> list[str]:
    return [f'"{name}"' for name in rows[0]]


class Parquet(Place):
    def put(self, rows: Rows) -> tuple[str, str]:
        columns = {name: pa.array([r[name] or None for r in rows], pa.string()) for name in rows[0]}
        path = self.path(".parquet")
        pq.write_table(pa.table(columns), path)
        return path, ""


class Csv(Place):
    def put(self, rows: Rows) -> tuple[str, str]:
        path = self.path(".csv")
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        return path, ""


class DuckDb(Place):
    def put(self, rows: Rows) -> tuple[str, str]:
        path = self.path(".duckdb")
        with duckdb.connect(path) as connection:
            fill(connection, rows, "VARCHAR", "?")
        return f"duckdb://{path}", "t"


class Sqlite(Place):
    def put(self, rows: Rows) -> tuple[str, str]:
        path = self.path(".db")
        connection = sqlite3.connect(path)
        fill(connection, rows, "TEXT", "?")
        connection.commit()
        connection.close()
        return f"sqlite://{path}", "t"


class Postgres(Place):
    def put(self, rows: Rows) -> tuple[str, str]:
        import psycopg

        name = f"t{next(NUMBERS)}"
        with (
            psycopg.connect(self.url, autocommit=True) as connection,
            connection.cursor() as cursor,
        ):
            fill(cursor, rows, "TEXT", "%s", name)
        return self.url, name


class Spark(Place):
    def put(self, rows: Rows) -> tuple[str, str]:
        path, _ = Parquet(self.folder).put(rows)
        return "spark://local", f"parquet.`{path}`"


def fill(cursor, rows: Rows, kind: str, mark: str, name: str = "t") -> None:
    names = quoted(rows)
    cursor.execute(f"CREATE TABLE {name} ({', '.join(f'{each} {kind}' for each in names)})")
    marks = ", ".join([mark] * len(names))
    cursor.executemany(f"INSERT INTO {name} VALUES ({marks})", values(rows))


PLACES = {
    "parquet": Parquet,
    "csv": Csv,
    "duckdb": DuckDb,
    "sqlite": Sqlite,
    "postgres": Postgres,
    "spark": Spark,
}


QUICK = ("parquet", "postgres")  # in every run; the others in make test-engines


def missing(name: str) -> str:
    """Why an engine cannot run here; nothing if it can."""
    if name == "postgres" and (programs() is None or find_spec("psycopg") is None):
        return "Postgres is not installed: make postgres"
    if name == "spark" and (shutil.which("java") is None or find_spec("pyspark") is None):
        return "Spark is not installed: make test-engines"
    return ""
