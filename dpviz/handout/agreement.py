"""Whether the files of one folder say the same: its signed list, JSON, tables and README.

What people read and what programs read must not differ, no matter who signed it. The JSON is
compared with the signed list, and both tables and the README with the JSON, number by number and
fact by fact. Findings name files and facts, and never say what is written there.
"""

import csv
import io
import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

from dpviz.handout.contents import STATED, FolderList
from dpviz.handout.packs import (
    ESTIMATES_CSV,
    PARAMETERS,
    README,
    RELEASE_CSV,
    RELEASE_JSON,
    SCHEMA,
    csv_cells,
    csv_facts,
    fact_of_line,
    one_line,
    readme_title,
)
from dpviz.words.names import visible

_NAMES = ("entry", "group")  # columns of texts
_LARGEST = 64_000_000  # bytes of a file; 100,000 groups take a third of it
_AS_LIST = "than SIGNED.json"
_AS_JSON = f"than {RELEASE_JSON}"
_UNREADABLE = "cannot be read as dpviz writes it"
_FAULTS = (
    ValueError,
    TypeError,
    KeyError,
    AttributeError,
    OverflowError,
    RecursionError,
    csv.Error,
)

Disagreement = tuple[str, str]  # the file, and what of it differs from which


def disagreements(files: Mapping[str, bytes], said: FolderList) -> Iterator[Disagreement]:
    """What one file of a folder says otherwise than another.

    Args:
        files: of the folder, by name, from anybody; those that are missing are passed over.
        said: the folder's list.

    Yields:
        The file, and half a sentence that follows its name.
    """
    large = [name for name, content in files.items() if len(content) > _LARGEST]
    if large:
        yield from ((name, "is larger than any file of a hand-out") for name in large)
        return
    try:
        found = _only_reading(files[RELEASE_JSON])
        yield from _of_list(found, said)
        facts = {str(name): _text(text) for name, text in found["facts"].items()}
        title, day = readme_title(_text(found["tier"]), facts), _text(found["made"])
        tables = {
            RELEASE_CSV: _column_cells(found["released"]),
            ESTIMATES_CSV: _column_cells(found["estimates"]),
        }
        if found.get("measure") and RELEASE_CSV not in files:
            del tables[RELEASE_CSV]  # of means and sums the JSON alone has the released steps
    except _FAULTS:
        yield RELEASE_JSON, _UNREADABLE if RELEASE_JSON in files else "is not among the files"
        return
    for name, columns in tables.items():
        yield from ((name, what) for what in _of_table(files.get(name), columns, facts))
    yield from ((README, what) for what in _of_readme(files.get(README), facts, title, day))


def _only_reading(content: bytes) -> Any:
    """What JSON says in the one form in which dpviz writes it: a field twice has two readings."""
    found = json.loads(content)
    if json.dumps(found, allow_nan=False).encode("ascii") != content:
        raise ValueError
    return found


def _of_list(found: Mapping[str, Any], said: FolderList) -> Iterator[Disagreement]:
    """What the JSON says otherwise than the signed list."""
    if found["schema"] != SCHEMA:
        yield RELEASE_JSON, "is of a format that this dpviz does not know; update dpviz to check it"
    facts, pairs = found["facts"], {}
    for name in {*said.facts, *(name for name in STATED if name in facts)}:
        pairs[name] = (visible(facts.get(name, "")), said.facts.get(name, ""))
    pairs["name of the tier"] = (found["tier"], facts.get("tier", found["tier"]))
    pairs["session"] = (str(found["session"]), str(said.session))
    pairs["noise level"] = (repr(float(_number(found["level"]))), said.level)
    pairs["day"] = (found["made"], said.made)
    for name in sorted(name for name, (one, other) in pairs.items() if one != other):
        yield RELEASE_JSON, f"says another {visible(name)[:40]} {_AS_LIST}"


def _text(text: Any) -> str:
    if not isinstance(text, str):
        raise TypeError
    return text


def _column_cells(columns: Mapping[str, Any]) -> dict[str, list[str]]:
    """A table of the JSON as its cells stand in a CSV."""
    if len({len(cells) for cells in columns.values()}) > 1:
        raise ValueError
    return {
        name: csv_cells(
            [_text(x) for x in cells] if name in _NAMES else [_number(x) for x in cells]
        )
        for name, cells in columns.items()
    }


def _number(cell: Any) -> float:
    """A number of the JSON, where null is no number and an endless one a text."""
    if cell is None:
        return math.nan
    if cell in ("inf", "-inf"):
        return float(cell)
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        raise TypeError
    return cell


def _of_table(
    content: bytes | None, columns: Mapping[str, list[str]], facts: Mapping[str, str]
) -> Iterator[str]:
    """What a CSV says otherwise than the JSON."""
    if content is None:
        if columns:
            yield "is not among the files"
        return
    try:
        rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))
        blank = rows.index([])
        head = [(name.removeprefix("# "), text) for name, text in rows[:blank]]
    except _FAULTS:
        yield _UNREADABLE
        return
    written = csv_facts(facts)
    told = [pair for pair in head if pair[0] in written or not pair[0].startswith("column ")]
    left_out = set(PARAMETERS) - set(dict(told))
    written = {name: text for name, text in written.items() if name not in left_out}
    yield from _of_facts(told, written)
    if rows[blank + 1 :] != [list(columns), *map(list, zip(*columns.values(), strict=True))]:
        yield f"holds another table {_AS_JSON}"


def _of_readme(
    content: bytes | None, facts: Mapping[str, str], title: str, day: str
) -> Iterator[str]:
    """What the README says otherwise than the JSON."""
    if content is None:
        yield "is not among the files"
        return
    lines = content.decode("utf-8-sig", "replace").splitlines()
    written = {one_line(name): one_line(text) for name, text in facts.items()}
    pairs = filter(None, map(fact_of_line, lines))
    yield from _of_facts([(name, text) for name, text in pairs if name in written], written)
    if lines[:1] != [title]:
        yield f"says another tier {_AS_JSON}"
    if sum(line.startswith(f"Made on {day} with ") for line in lines) != 1:
        yield f"says another day {_AS_JSON}"


def _of_facts(told: list[tuple[str, str]], written: Mapping[str, str]) -> Iterator[str]:
    """Facts that are told otherwise, not at all, or twice."""
    if len(told) != len(dict(told)):
        yield "tells a fact twice"
    for name in sorted({*dict(told), *written}):
        if dict(told).get(name) != written.get(name):
            yield f"says another {visible(name)[:40]} {_AS_JSON}"
