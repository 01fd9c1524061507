"""What the commands share: their options, how a project is opened, how they end.

The library is loaded within the functions, once it is known what is asked: it takes a second.
"""

import functools
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from dpviz.data import HowRead, Table
    from dpviz.workspace import Workspace
    from dpviz.workspace.plan_file import PlanFile
    from dpviz.workspace.projects import Projects

BUDGET = "rho=0.5, or epsilon=1, or epsilon=1,delta=1e-7, or mu=0.5, with your own numbers"
REFUSED, UNREADABLE = 1, 2  # what the shell gets
FILES = "a file of CSV, Excel, Parquet, Stata, SPSS, SAS or JSON Lines"
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
NAME = click.option("--project", "name", metavar="NAME", required=True, help="name of the project")
TIER = click.option("--tier", metavar="TIER", required=True, help="name of the tier")
PLACE = click.option(
    "--projects",
    "place",
    metavar="PLACE",
    help="where projects are kept: a folder, or the URL of a Postgres database without a password; "
    "by default what DPVIZ_PROJECTS says, else the folder of your data",
)
_HOW = (  # how a file is read; `how_read` makes one argument of them
    click.option("--encoding", help="of the table's text, such as UTF-16; by default it is found"),
    click.option("--sheet", help="of an Excel workbook; by default the first one"),
    click.option(
        "--header",
        type=int,
        metavar="ROW",
        help="number of the row with the names of the columns, of a CSV file or an Excel workbook; "
        "by default the first that is not empty",
    ),
    click.option(
        "--leave-out",
        "leave_out",
        metavar="COLUMN",
        multiple=True,
        help="a column that is not read, of a Parquet or JSON Lines file, such as one of lists; "
        "once for each",
    ),
)
SOURCE = click.option(
    "--source",
    metavar="NAME",
    help="in place of --table: a table that stays where it is, by its name in "
    ".streamlit/secrets.toml",
)
READ_AGAIN = click.option(
    "--read-again",
    "again",
    is_flag=True,
    help="draw from a table that has changed, or from another file such as the next month’s, in a "
    "session whose loss adds",
)
SURE = click.option(
    "--sure", is_flag=True, help="draw it even if its budget promises next to nothing"
)
JSON = click.option("--json", "as_json", is_flag=True, help="say it in JSON, for programs")
_PASSWORD = (
    "The URL after --projects has a password in it, which others on this computer can see. Leave "
    "it out, and write it into the file .pgpass or the variable PGPASSWORD"
)
_OFF = "Projects are off here, as DPVIZ_PROJECTS says. Name a place with --projects"


def out_option(what: str) -> Callable[..., Any]:
    """The option of a command for the file that it writes.

    Args:
        what: it is, such as "the zip to write".
    """
    file = click.Path(dir_okay=False, path_type=Path)
    words = f"{what}; a file that is there is not replaced"
    return click.option("--out", type=file, required=True, help=words)


def how_read(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that say how a file is read, as one argument `how`."""

    @functools.wraps(command)
    def given(
        *,
        encoding: str | None,
        sheet: str | None,
        header: int | None,
        leave_out: tuple[str, ...],
        **others: Any,
    ) -> Any:
        options = {"encoding": encoding, "sheet": sheet, "header": header}
        chosen = {name: value for name, value in options.items() if value is not None}
        return command(how=chosen | ({"leave_out": leave_out} if leave_out else {}), **others)

    for option in _HOW[::-1]:
        given = option(given)
    return given


@contextmanager
def ending(code: int, as_json: bool) -> Iterator[None]:
    """Say what is refused within the block in one sentence, and end the command with a code."""
    from dpviz.errors import ParameterError, UnsureError

    try:
        yield
    except UnsureError as error:
        said = error.told("Add --sure")
    except (ParameterError, OSError) as error:
        said = str(error)
    else:
        return
    click.echo(in_json({"error": said}) if as_json else f"Error: {said}", err=not as_json)
    sys.exit(code)


def in_json(facts: dict[str, Any]) -> str:
    """Facts for programs.

    >>> print(in_json({"tier": "Bürger"}))
    {
      "tier": "Bürger"
    }
    """
    return json.dumps(facts, ensure_ascii=False, indent=2)


def projects_at(place: str | None) -> "Projects":
    """The projects of a place.

    Args:
        place: as typed; None for that of the environment, or the user's folder.

    Raises:
        ParameterError: if projects are off, or the URL holds a password.
    """
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    from dpviz.errors import ParameterError
    from dpviz.workspace.projects import Projects, place_from

    if place is not None and "://" in place:
        try:
            known = make_url(place).password is not None
        except (ArgumentError, ValueError):
            known = False  # no URL; the next line says so
        if known:
            raise ParameterError(_PASSWORD)
    told = place if place is not None else place_from(os.environ, shared=False)
    if told is None:
        raise ParameterError(_OFF)
    return Projects(told)


def loaded(table: Path | None, source: str | None, how: Mapping[str, Any]) -> "Table":
    """The table that was named: a file, or one that stays where it is.

    Args:
        table: the file; None for none.
        source: the name of a table that stays where it is; None for none.
        how: how the file is read, where somebody chose.

    Raises:
        ParameterError: if both or none were named, or it cannot be read.
    """
    from dpviz.data import open_connection, read_table
    from dpviz.errors import ParameterError

    if (table is None) == (source is None):
        raise ParameterError("Name one table: a file with --table, or its name with --source")
    if table is not None:
        return read_table(table, **how)
    if how:
        option = f"--{next(iter(how))}".replace("_", "-")
        raise ParameterError(
            f"{option} and other ways to read a file go with --table. Leave them out with --source"
        )
    return open_connection(str(source))


def as_before(
    table: Path | None, name: str, before: "HowRead", how: Mapping[str, Any]
) -> dict[str, Any]:
    """How a file is read: as somebody chose, and else as before, if it is the file of this name.

    Args:
        table: the file that was named; None for none.
        name: of the file that was read before.
        before: how that was read.
        how: what somebody chose.
    """
    return {**(before.chosen if table is not None and table.name == name else {}), **how}


def loading_of(table: "Table", source: str | None) -> str:
    """How the library loads a table that was named.

    Args:
        table: as it was read.
        source: the name of one that stays where it is.
    """
    return table.file.loading(table.name) if source is None else f"open_connection({source!r})"


def read_plan(file: Path) -> "PlanFile":
    """The plan in a file.

    Raises:
        ParameterError: if the file holds no plan.
    """
    from dpviz.workspace.plan_file import MAX_BYTES, opened

    with file.open("rb") as stream:
        return opened(stream.read(MAX_BYTES + 1))


@contextmanager
def planned(
    plan: Path, table: Path | None, source: str | None, how: Mapping[str, Any], as_json: bool
) -> "Iterator[tuple[Workspace, PlanFile]]":
    """A workspace with a plan on a table, in hardened mode, and the plan; closed after the block.

    Args:
        plan: the file of the plan.
        table: as of `loaded`.
        source: likewise.
        how: how the file of the table is read, where somebody chose.
        as_json: how it is said what is refused, which ends the command.
    """
    from dpviz.queries import Count, Everybody
    from dpviz.workspace import Workspace
    from dpviz.workspace.plan_file import use
    from dpviz.workspace.sessions import Statistic

    with ending(UNREADABLE, as_json):
        found = read_plan(plan)
        rows = loaded(table, source, as_before(table, found.table, found.how, how))
        ws = Workspace.around(Statistic(rows, Count(Everybody()), loading_of(rows, source)))
    with closing(ws), ending(REFUSED, as_json):
        use(ws, _hardened(found))
        yield ws, found


def _hardened(plan: "PlanFile") -> "PlanFile":
    """The plan in hardened mode.

    Raises:
        ParameterError: if its noise is for practice only.
    """
    from dpviz.errors import ParameterError
    from dpviz.noise import ADDITIVE
    from dpviz.workspace.sessions import families_in

    if plan.family_name not in families_in("hardened"):
        raise ParameterError(
            f"The plan has {ADDITIVE[plan.family_name].label} noise, which is for practice only; a "
            "project is in hardened mode. Open the plan on the page Tiers, choose hardened mode "
            "and a noise that it offers, and save the plan again"
        )
    return replace(plan, mode="hardened")


def opened(name: str, place: str | None) -> "Workspace":
    """A project, whose table is not loaded.

    Raises:
        ParameterError: if there is no such project, or it cannot be read.
    """
    return projects_at(place).open(name)


def write_new(out: Path, content: bytes) -> None:
    """Write a file that is not there yet.

    Raises:
        ParameterError: if it is there, or cannot be written.
    """
    from dpviz.data import quoted
    from dpviz.errors import ParameterError

    try:
        with out.open("xb") as file:
            file.write(content)
    except FileExistsError:
        raise ParameterError(
            f"The file {quoted(out.name)} is there already. Name another one with --out"
        ) from None
    except OSError:
        raise ParameterError(
            f"The file {quoted(out.name)} cannot be written. Name another place with --out"
        ) from None
