"""Read JSON Lines, in a process of its own: see `dpviz.data.limited_process`.

Each line is a record in braces. Its numbers stay as they are written, a name that a line lacks and
`null` are nothing, and the columns are all names, in the order in which they first come.
"""

import csv
import io
import itertools
import json
from collections.abc import Iterator
from typing import Any

_AT_ONCE = 10_000  # rows that are written together
_MARK = b"\xef\xbb\xbf"
_LITTLE = str.maketrans({"\r": "\n", "\0": None})


class RefusedError(Exception):
    """A line that is no record of values: which one, and why."""


def answer(asked: dict[str, Any], content: bytes) -> Iterator[bytes]:
    """The pieces of the answer; a fault is the whole answer, with the number of its line.

    Args:
        asked: `leave_out`, the names of columns that are not read.
        content: the bytes of the file.
    """
    names: dict[str, bool] = {}  # and whether one of its values is a list or a record
    try:
        for record in _records(content):
            for name, value in record.items():
                names[name] = names.get(name, False) or isinstance(value, list | dict)
    except RefusedError as error:
        line, why = error.args
        yield json.dumps({"fault": why, "line": line}).encode()
        return
    kept = [name for name in names if name not in asked["leave_out"]]
    nested = [name for name in kept if names[name]]
    found = {"fault": "nested" if nested else None, "columns": nested, "names": [*names]}
    yield json.dumps(found).encode()
    records = _records(content) if kept and not nested else iter(())
    while some := list(itertools.islice(records, _AT_ONCE)):
        piece = io.StringIO()
        rows = ([text_of(record.get(name)) for name in kept] for record in some)
        csv.writer(piece, lineterminator="\n").writerows(rows)
        yield b"\n" + piece.getvalue()[:-1].encode(errors="replace")


def text_of(value: object) -> str:
    r"""The text of a value, as a CSV file would have it.

    >>> [text_of(v) for v in ("25.0", True, None, "a\r\nb")]
    ['25.0', 'true', '', 'a\nb']
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value).replace("\r\n", "\n").translate(_LITTLE)


def _records(content: bytes) -> Iterator[dict[str, Any]]:
    """Each line that is not empty, numbers as they are written."""
    start = len(_MARK) if content.startswith(_MARK) else 0
    lines = io.BytesIO(content)
    lines.seek(start)
    for number, line in enumerate(lines, start=1):
        if line.isspace():
            continue
        try:
            record = json.loads(
                line.decode(),
                parse_float=str,
                parse_int=str,
                parse_constant=str,
                object_pairs_hook=_unique,
            )
        except UnicodeDecodeError:
            raise RefusedError(number, "encoding") from None
        except (ValueError, RecursionError):
            raise RefusedError(number, "no record") from None
        if not isinstance(record, dict):
            raise RefusedError(number, "no record")
        yield record


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError  # a name twice
    return found
