"""Check one tier's folder against its release, and say whose number stands where it should not.

Sentences name tiers, facts, columns by position and how many cells differ; never a value.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.errors import DataError
from dpviz.release.pack_reading import read_csv_rows, read_json, read_text
from dpviz.release.packs import (
    ESTIMATES_CSV,
    README,
    RELEASE_CSV,
    RELEASE_JSON,
    SCHEMA,
    csv_cells,
    csv_head,
    derived_about,
    json_columns,
    one_line,
    released_about,
    tier_readme,
)
from dpviz.release.tier_release import Columns, TierRelease

_README_HEAD = 3  # lines before the facts


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong in a pack, and where: a path in it, and half a sentence.

    Both may hold names from outside (a tier's, a file's), never a number from the data.
    """

    where: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Numbers that must not stand in a folder, and whose they are."""

    whose: str
    columns: Callable[[], Iterator[list[Any]]]  # made only where something is wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """What a folder must hold: the release, where, and from when and what it says it is."""

    path: str
    release: TierRelease
    made: Any  # date and versions as the manifest states them
    versions: Mapping[str, str]
    sources: tuple[Source, ...]
    exact: tuple[Any, ...]  # of float noise, in steps; empty where equality proves nothing

    @property
    def files(self) -> tuple[str, ...]:
        """Names of the files that belong in it."""
        estimates = (ESTIMATES_CSV,) if self.release.derived else ()
        return (README, RELEASE_CSV, *estimates, RELEASE_JSON)


def check_folder(folder: Folder, files: Mapping[str, bytes]) -> Iterator[Finding]:
    """Everything that is wrong with the files that belong in a folder, by path in the pack."""
    for name in folder.files:
        path = f"{folder.path}/{name}"
        if path not in files:
            yield Finding(path, "is missing")
            continue
        try:
            yield from (Finding(path, what) for what in _CHECKS[name](folder, files[path]))
        except DataError as error:
            yield Finding(path, f"cannot be checked: {error}")


def _release_csv(folder: Folder, content: bytes) -> Iterator[str]:
    r = folder.release
    found = yield from _csv(folder, content, r.released, released_about(r))
    yield from _exact_cells(folder, found.get("value", ()))


def _estimates_csv(folder: Folder, content: bytes) -> Iterator[str]:
    columns = folder.release.estimates
    yield from _csv(folder, content, columns, derived_about(columns))


def _csv(folder: Folder, content: bytes, columns: Columns, about: Mapping[str, str]) -> Any:
    """Head and table of a CSV; returns the table that was found."""
    rows = read_csv_rows(content)
    end = next((i for i, row in enumerate(rows) if not row), 0)
    head, table = rows[:end], rows[end + 1 :]
    facts = {row[0].removeprefix("# "): row[1] for row in head if len(row) == 2}
    yield from _facts(facts, csv_head(folder.release, about))
    if len(facts) < len(head):
        yield "has a line above the table that does not belong there"
    if not table or any(len(row) != len(table[0]) for row in table):
        yield "has no table whose rows are of one length"
        return {}
    if len(set(table[0])) < len(table[0]):
        yield "names a column twice"
        return {}
    cells = zip(*table[1:], strict=True) if len(table) > 1 else [()] * len(table[0])
    found = dict(zip(table[0], map(list, cells), strict=True))
    yield from _table(found, {n: csv_cells(c) for n, c in columns.items()}, folder.sources)
    return found


def _release_json(folder: Folder, content: bytes) -> Iterator[str]:
    r, found = folder.release, read_json(content)
    expected = {
        "schema": SCHEMA,
        "made": folder.made.isoformat(),
        "versions": dict(folder.versions),
        "tier": r.tier,
        "session": r.session,
        "level": r.level,
        "step": r.step,
        "noise_mean": r.mean,
        "facts": dict(r.facts),
        "released": json_columns(r.released),
        "estimates": json_columns(r.estimates),
    }
    if not isinstance(found, dict) or list(found) != list(expected):
        yield "does not have the fields of a release, or has others as well"
        return
    for name, value in expected.items():
        theirs = found[name]
        if type(theirs) is not type(value):
            yield f"the field “{name}” is of another kind"
        elif name == "facts":
            yield from _facts(theirs, dict(r.facts))
        elif name in ("released", "estimates"):
            yield from _columns(theirs, value, folder.sources)
        elif theirs != value:
            yield f"the field “{name}” was changed"
    yield from _exact_cells(folder, _listed(found["released"], "value"))


def _columns(found: Mapping[str, Any], expected: Columns, sources: Sequence[Source]) -> Any:
    if all(isinstance(cells, list) for cells in found.values()):
        yield from _table(found, expected, sources)
    else:
        yield "has a column that is no list"


def _listed(columns: Any, name: str) -> Sequence[Any]:
    cells = columns.get(name) if isinstance(columns, dict) else None
    return cells if isinstance(cells, list) else ()


def _readme(folder: Folder, content: bytes) -> Iterator[str]:
    found = read_text(content).split("\r\n")
    expected = read_text(tier_readme(folder.release, folder.made, folder.versions)).split("\r\n")
    if found == expected:
        return
    facts = [one_line(name) for name, _ in folder.release.facts]
    named = dict(zip(expected[_README_HEAD:], facts, strict=False))
    missing = [line for line in expected if line not in found]
    for line in missing:
        yield (
            f"the fact “{named[line]}” was changed or is missing"
            if line in named
            else "a line was changed or is missing"
        )
    if len(found) > len(expected) or not missing:
        yield "has a line that does not belong there"


_CHECKS = {
    README: _readme,
    RELEASE_CSV: _release_csv,
    ESTIMATES_CSV: _estimates_csv,
    RELEASE_JSON: _release_json,
}


def _facts(found: Mapping[str, Any], expected: Mapping[str, str]) -> Iterator[str]:
    for name, text in expected.items():
        if name not in found:
            yield f"the fact “{name}” is missing"
        elif found[name] != text:
            yield f"the fact “{name}” was changed"
    if len(found.keys() - expected.keys()):
        yield "has a fact that does not belong there"


def _table(
    found: Mapping[str, list[Any]], expected: Columns, sources: Sequence[Source]
) -> Iterator[str]:
    """Columns that are not allowed, missing or different, and whose numbers they hold."""
    for position, (name, cells) in enumerate(found.items(), start=1):
        if name not in expected:
            whose = _whose(cells, range(len(cells)), sources)
            yield f"column {position} is not one of those allowed{whose}"
            continue
        right = expected[name]
        if len(cells) != len(right):
            yield f"the column “{name}” has not one cell for each entry"
            continue
        if cells == right:
            continue
        wrong = [i for i, (a, b) in enumerate(zip(cells, right, strict=True)) if a != b]
        if wrong:
            whose = _whose(cells, wrong, sources)
            yield (
                f"{len(wrong)} of {len(right)} cells in the column “{name}” are not those of "
                f"this tier’s release{whose}"
            )
    for name in expected:
        if name not in found:
            yield f"the column “{name}” is missing"


def _whose(cells: Sequence[Any], places: Sequence[int], sources: Sequence[Source]) -> str:
    """Whose numbers stand in these places, as the end of a sentence."""
    numbers = {i: _number(cells[i]) for i in places}
    if None in numbers.values() or not numbers:
        return ""
    for source in sources:
        for column in source.columns():
            if len(column) == len(cells) and all(column[i] == x for i, x in numbers.items()):
                return f": they are {source.whose}"
    return ""


def _number(cell: Any) -> float | None:
    try:
        return float(cell)
    except (TypeError, ValueError, OverflowError):
        return None


def _exact_cells(folder: Folder, cells: Sequence[Any]) -> Iterator[str]:
    pairs = zip(cells, folder.exact, strict=False)  # a wrong length is a finding already
    if any(_number(cell) == number for cell, number in pairs):
        yield "a released number equals the exact one"


def columns_of(release: TierRelease) -> Iterator[list[Any]]:
    """Every column of numbers that follows from a release, as `Source` gives them."""
    tables = [*release.released.items(), *release.estimates.items()]
    return (cells for name, cells in tables if name not in ("entry", "group"))


def exact_columns(exact: NDArray[Any], step: float) -> Iterator[list[Any]]:
    """The exact numbers in steps and in units of the statistic."""
    yield exact.tolist()
    yield np.asarray(exact * step, dtype=np.float64).tolist()
