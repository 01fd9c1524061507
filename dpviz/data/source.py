"""Sources: a table that stays where it is, under a name that the server's owner gives it.

    address = Address("postgresql://reader:secret@db/clinic")
    source = TableSource(name="visits", address=address, table="public.visits", order="arrived")
    table = open_source(source)  # a Table like any other: every query takes its answer from it
    counts = Count(ByColumn("ward", wards), Bounds(person="patient")).values(table)
    table.stop()  # from another thread: ends what is being computed

Addresses: a path, a pattern with stars or a folder of CSV or Parquet files; duckdb:///path and
sqlite:///path of a file; postgresql://; spark://local, spark://host:port and sc://host:port;
bigquery://, snowflake:// and trino:// as Ibis has them. All but files need the name of a table.

An address may hold a password: no record, error, log or pickle shows it. What comes back from an
engine are aggregates; rows stay where they are. Each reading is a table of its own: its digest is
that of the definition and of the files as they are, or of the time at which a server was asked.
docs/ENGINES.md says how typed columns are read, and what each engine can do.

Connections: tables that a server offers by name, in `.streamlit/secrets.toml`.

    [connections.dpviz.visits]
    address = "postgresql://reader:secret@db/clinic"
    table = "public.visits"
    order = "arrived"  # these three may be left out: columns, order and seconds
    columns = ["patient", "ward", "arrived"]
    seconds = 60

The fields are those of `dpviz.data.source.TableSource`, whose name is that of the entry. Who uses
the dashboard or a command types a name and sees names, never an address. The file is read at each
use, so what is written there is offered at once; nothing of it is kept.
"""

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from dpviz import checks
from dpviz.data.engines.kind import digest
from dpviz.data.file_format import name_columns
from dpviz.data.layout import check_names
from dpviz.data.read import columns_of
from dpviz.data.table import Table
from dpviz.errors import DataError, ParameterError
from dpviz.words.names import quoted
from dpviz.words.numbers import join

SECONDS = 60.0  # that a statement may take, unless the source says otherwise
MOST_SECONDS = 86_400.0
_FILES = ("file", "duckdb", "sqlite")
_SERVERS = {  # scheme: the extra that brings its driver, and a module of it
    "postgresql": ("postgres", "psycopg"),
    "postgres": ("postgres", "psycopg"),
    "spark": ("spark", "pyspark"),
    "sc": ("spark", "pyspark"),
    "bigquery": ("bigquery", "google.cloud.bigquery"),
    "snowflake": ("snowflake", "snowflake.connector"),
    "trino": ("trino", "trino"),
}
SCHEMES = (*_FILES, *_SERVERS)


class Address:
    """Where a table is, as URL or path; what it says is shown nowhere.

    >>> Address("postgresql://reader:secret@db/clinic")
    Address(postgresql://…)
    >>> Address("visits/*.parquet")
    Address(file://…)
    """

    __slots__ = ("_scheme", "_text")

    def __init__(self, text: str) -> None:
        """Keep the text; a path without a scheme is one of files.

        Raises:
            ParameterError: if no engine here has this scheme.
        """
        said = text.strip() if isinstance(text, str) else ""
        scheme = re.match(r"([a-z]+):/", said)
        self._scheme = scheme[1] if scheme else "file"
        self._text = said
        if not said or self._scheme not in SCHEMES:
            raise ParameterError(
                "the address of a source must be a path, or a URL that begins with "
                f"{', '.join(f'{name}://' for name in SCHEMES)}"
            )

    @property
    def scheme(self) -> str:
        """What kind of engine it is."""
        return self._scheme

    def told(self) -> str:
        """The whole address, with its password: for the engine's driver alone."""
        return self._text

    def __repr__(self) -> str:
        return f"Address({self._scheme}://…)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Address) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Address":
        return self

    def __reduce__(self) -> str:
        raise ParameterError("an address may hold a password, so it is not pickled; make it again")


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSource:
    """A table that stays where it is.

    Attributes:
        name: what it is called on the screen and in files.
        address: where it is.
        table: its name there, such as clinic.visits; empty for files.
        columns: those that are used, in the order of the table; empty: all.
        order: a column by which one person's rows are sorted, where some of them count; None: by
            a hash of the row's values.
        seconds: how long a statement may take.

    Raises:
        ParameterError: if a name is missing, or the seconds are no number above 0.

    >>> TableSource(name="visits", address=Address("sqlite:///srv/clinic.db"), table="visits").name
    'visits'
    """

    name: str
    address: Address
    table: str = ""
    columns: tuple[str, ...] = ()
    order: str | None = None
    seconds: float = SECONDS

    def __post_init__(self) -> None:
        checks.instance(str, name=self.name)
        checks.instance(Address, address=self.address)
        checks.instance(str, table=self.table)
        object.__setattr__(self, "columns", tuple(checks.listed(columns=self.columns)))
        for each in self.columns:
            checks.instance(str, columns=each)
        checks.positive(seconds=self.seconds)
        if self.seconds > MOST_SECONDS:
            raise ParameterError(f"seconds must be at most {MOST_SECONDS:,.0f}; type fewer")
        if not self.name.strip():
            raise ParameterError("the source needs a name under which it is shown")
        if self.order is not None:
            checks.instance(str, order=self.order)
            if self.columns and self.order not in self.columns:
                raise ParameterError("the column of the order must be one of the columns; add it")
        if (self.address.scheme == "file") == bool(self.table.strip()):
            raise ParameterError(
                "files need no table's name, and any other source needs one, such as clinic.visits"
            )


def open_source(source: TableSource) -> Table:
    r"""Read a source: connect, look at its columns, and give the table that all queries know.

    No row is read here. A second reading is another table, whose sessions' losses add; only files
    that did not change are the same table again.

    Args:
        source: what to open.

    Raises:
        ParameterError: if what it needs is not installed, with the command that installs it.
        DataError: if it cannot be reached, or has no such table or columns. No sentence has its
            address.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "people.csv"
    ...     _ = path.write_text("id,region\n1,north\n2,south\n")
    ...     table = open_source(TableSource(name="people", address=Address(str(path))))
    ...     print(table.rows(), table.column("region").kind)
    ...     table.close()
    2 text
    """
    checks.instance(TableSource, source=source)
    opened = _engine(source)
    names, unnamed = name_columns([field.name for field in opened.fields])
    missing = [c for c in (*source.columns, source.order) if c is not None and c not in names]
    fault = None
    try:
        check_names(names)
    except DataError as error:
        fault = str(error)
    if missing:
        fault = f"the table of the source has no column {quoted(missing[0])}; check its name"
    if fault is not None or unnamed:
        opened.close()
        raise DataError(fault or "a column of the source has no name; use a view that names it")
    types = tuple(field.type for field in opened.fields)
    opened.place = digest(_place(source), "place")
    reading = opened.state or datetime.now(UTC).isoformat()
    return Table(
        name=source.name,
        digest=digest(_definition(source, names, types), reading),
        columns=columns_of(names, types),
        types=types,
        engine=opened,
    )


def _definition(source: TableSource, names: Any, types: Any) -> dict[str, Any]:
    """What the table is, without user and password."""
    return {**_place(source), "order": source.order, "columns": [names, types]}


def _place(source: TableSource) -> dict[str, Any]:
    """Where the table is, whichever of its columns are asked for."""
    url = urlsplit(source.address.told())
    at = [url.scheme, url.hostname, url.port, url.path] if url.scheme else [source.address.told()]
    return {"at": at, "table": source.table}


def _engine(source: TableSource) -> Any:
    """The engine of a source, connected; each is loaded when the first source needs it."""
    scheme, told = source.address.scheme, source.address.told()
    rest = (source.columns, source.order, source.seconds)
    if scheme in ("file", "duckdb"):
        from dpviz.data.engines.files import open_duckdb, open_files

        if scheme == "file":
            return open_files(_path(told), *rest)
        return open_duckdb(_path(told), source.table, *rest)
    if scheme == "sqlite":
        from dpviz.data.engines.sqlite import open_sqlite

        return open_sqlite(_path(told), source.table, *rest)
    return _server(scheme)(told, source.table, *rest)


def _server(scheme: str) -> Callable[..., Any]:
    """What connects to an engine of its own, if its driver is installed."""
    extra, needed = _SERVERS[scheme]
    if not _is_there(needed):
        raise ParameterError(
            f'a source at {scheme}:// needs the extra “{extra}”; run pip install "dpviz[{extra}]"'
        )
    if extra == "postgres":
        from dpviz.data.engines.postgres import open_postgres

        return open_postgres
    if extra == "spark":
        from dpviz.data.engines.spark import open_spark

        return open_spark
    from dpviz.data.engines.warehouses import open_warehouse

    return partial(open_warehouse, scheme)


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # a package above it is missing
        return False


def _path(told: str) -> str:
    """The path of a URL: sqlite:///srv/a.db is /srv/a.db; a path stays as it is."""
    url = re.match("[a-z]+://", told)
    return unquote(told[url.end() :]) if url else told


FILE = ".streamlit/secrets.toml"
PLACES = (Path.home() / FILE, Path(FILE))  # where Streamlit looks; the later one wins
_FIELDS = tuple(field.name for field in fields(TableSource) if field.name != "name")
OFFER = "the person who runs dpviz can offer it in secrets.toml, under [connections.dpviz]"
_BROKEN = "the file secrets.toml cannot be read; check that it is TOML, and who may read it"


def connection_names(places: Sequence[str | Path] | None = None) -> tuple[str, ...]:
    """The names of the tables that are offered, in the order of the files.

    Args:
        places: the files; None for those of Streamlit, in the user's folder and in this one.

    Raises:
        ParameterError: if a file is there and cannot be read.

    >>> connection_names([])
    ()
    """
    return tuple(_entries(places))


def connection(name: str, places: Sequence[str | Path] | None = None) -> TableSource:
    """The source of a name.

    Args:
        name: as in the file.
        places: as for `connection_names`.

    Raises:
        ParameterError: if there is no such entry, or a mistake in it; no sentence has its address.

    >>> connection("visits", [])
    Traceback (most recent call last):
    dpviz.errors.ParameterError: no table is offered as “visits”; the person who runs dpviz can \
offer it in secrets.toml, under [connections.dpviz]
    """
    entries = _entries(places)
    if name not in entries:
        offered = f"there are {join([quoted(each) for each in entries])}" if entries else OFFER
        raise ParameterError(f"no table is offered as {quoted(name)}; {offered}")
    return _source(name, entries[name])


def open_connection(name: str, places: Sequence[str | Path] | None = None) -> Table:
    r"""Read the table of a name, as `dpviz.data.source.open_source` does.

    Args:
        name: as in the file.
        places: as for `connection_names`.

    Raises:
        ParameterError: as for `connection`, or if what it needs is not installed.
        DataError: if it cannot be reached, or has no such table or columns.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table, file = pathlib.Path(folder, "a.csv"), pathlib.Path(folder, "secrets.toml")
    ...     _ = table.write_text("id,ward\n1,A\n2,B\n")
    ...     _ = file.write_text(f"[connections.dpviz.visits]\naddress = '{table}'\n")
    ...     read = open_connection("visits", [file])
    ...     print(read.name, [column.name for column in read.columns])
    ...     read.close()
    visits ['id', 'ward']
    """
    return open_source(connection(name, places))


def _entries(places: Sequence[str | Path] | None) -> dict[str, Any]:
    """What the files say, by name; of two entries of one name the later one."""
    found: dict[str, Any] = {}
    for place in PLACES if places is None else places:
        told = _read(Path(place))
        for part in ("connections", "dpviz"):
            told = told.get(part, {}) if isinstance(told, Mapping) else {}
        found.update(told if isinstance(told, Mapping) else {})
    return found


def _read(path: Path) -> Mapping[str, Any]:
    """A file of TOML; nothing if it is not there. What the parser says may quote it."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError):
        pass
    raise ParameterError(_BROKEN)


def _source(name: str, entry: Any) -> TableSource:
    """The source of an entry; what is wrong says its name, and nothing that stands in it."""
    where = f"[connections.dpviz.{name}] in secrets.toml"
    if not isinstance(entry, Mapping):
        raise ParameterError(f"{where} must be a section with an address; write it so")
    others = [key for key in entry if key not in _FIELDS]
    if others:
        raise ParameterError(f"{where} has {quoted(others[0])}; it may have {join(_FIELDS)}")
    if "address" not in entry:
        raise ParameterError(f"{where} lacks an address; write the URL or path of the table")
    try:
        return TableSource(name=name, **{**entry, "address": Address(entry["address"])})
    except ParameterError as error:
        fault = str(error).split(", got ")[0]
    raise ParameterError(f"{where}: {fault}")
