"""Read a JSON Lines file (.jsonl, .ndjson) into the same kind of table that a CSV file gives.

A record on each line, whose names are columns. Values are kept as written: 25.0 stays 25.0, a text
is what stands between its quotation marks, `null` is missing. Columns that hold lists or records
are named, and can be left out. The file is read in a process of its own.
"""

import re
from collections.abc import Sequence
from typing import Any

from dpviz.data import apart
from dpviz.data.file_format import (
    FileFormat,
    HowRead,
    NestedError,
    check_left_out,
    left_marks,
    name_columns,
)
from dpviz.data.layout import Layout, check_names
from dpviz.data.read import Source, content_of, digest_of, name_of, table_of, unpacked
from dpviz.data.table import Table
from dpviz.data.text import GZIP
from dpviz.errors import DataError

_BEGINS = re.compile(rb'(\xef\xbb\xbf)?\s*\{\s*["}]')
_INSTEAD = "export the table as CSV and use that file"


def is_json_lines(text: bytes) -> bool:
    r"""Whether a text begins with a record in braces, as JSON Lines do and no CSV file does.

    >>> is_json_lines(b'{"id": 1}\n{"id": 2}\n'), is_json_lines(b"id,age\n")
    (True, False)
    """
    return _BEGINS.match(text) is not None


def read_json_lines(
    source: Source, *, name: str | None = None, leave_out: Sequence[str] = ()
) -> Table:
    r"""Read a JSON Lines file, which may be compressed by gzip, into a table.

    Args:
        source: the bytes, a path, or a file opened in binary mode (read from its beginning).
        name: what to call the table; by default the name of the file.
        leave_out: names of columns that are not read, such as those that hold lists.

    Raises:
        NestedError: if columns hold lists or records; it has their names.
        DataError: if a line is no record, or there are no such columns: one sentence, with the
            number of the line, without any value of the file.
        ParameterError: if the names of columns are no list of texts.

    >>> read_json_lines(b'{"id": 1, "ward": "A"}\n{"id": 2}\n', name="visits.jsonl")
    Table(“visits.jsonl”, 2 columns)
    """
    left_out = tuple(HowRead(leave_out=leave_out).leave_out)
    data = content_of(source)
    packed = data[:2] == GZIP
    answer = apart.ask(
        "json_process.py",
        unpacked(data) if packed else data,
        files="JSON Lines",
        damaged=f"the file cannot be read as JSON Lines; {_INSTEAD}",
        instead=_INSTEAD,
        leave_out=left_out,
    )
    if answer.found["fault"] is not None:
        raise _refusal(answer.found)
    if not answer.found["names"]:
        raise DataError("the records of the file have no column with a value; use another file")
    every, unnamed = name_columns(answer.found["names"])
    check_names(every)
    check_left_out(answer.found["names"], left_out)
    kept = [i for i, each in enumerate(answer.found["names"]) if each not in left_out]
    places = tuple(at for at, i in enumerate(kept, start=1) if i + 1 in unnamed)
    if answer.start == len(answer.text):
        raise DataError("the records of the file have no values; use a table with at least one row")
    return table_of(
        answer.text,
        Layout(",", tuple(every[i] for i in kept), answer.start, 1),
        name_of(source) if name is None else name,
        digest_of(data, *left_marks(left_out)),
        FileFormat(kind="JSON Lines", packed=packed, unnamed=places, left_out=left_out),
    )


def _refusal(found: dict[str, Any]) -> DataError:
    if found["fault"] == "nested":
        return NestedError(found["columns"], "lists or records")
    if found["fault"] == "encoding":
        return DataError(f"line {found['line']:,} is not UTF-8 text, as JSON is; {_INSTEAD}")
    return DataError(
        f"the file is JSON, but line {found['line']:,} is not one record in braces with each name "
        f"once; write one record per line (JSON Lines), or {_INSTEAD}"
    )
