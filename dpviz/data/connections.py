"""Connections: tables that a server offers by name, in `.streamlit/secrets.toml`.

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

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from dpviz.data.source import Address, TableSource, open_source
from dpviz.data.table import Table
from dpviz.errors import ParameterError
from dpviz.words.names import quoted
from dpviz.words.numbers import join

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
