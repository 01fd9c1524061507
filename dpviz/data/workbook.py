"""Read a sheet of an Excel workbook (.xlsx, .xlsm) into the same kind of table that CSV gives.

Each cell becomes text by itself: 25.0 is 25, a date 2025-01-31, an error nothing. Formulas have the
values that were saved with them, of merged cells the first has the value, and rows without any
value are left out. The first row with values has the names of the columns.

The file is unpacked in a process of its own, see `dpviz.data.sheet_process`.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from dpviz.data.file_format import FileFormat, name_columns
from dpviz.data.layout import Layout, check_names
from dpviz.data.read import (
    MAX_UNPACKED,
    Source,
    content_of,
    digest_of,
    name_of,
    table_of,
)
from dpviz.data.table import Table
from dpviz.errors import DataError
from dpviz.words import join
from dpviz.words.names import quoted

MAGIC = b"PK\x03\x04"
OLD = b"\xd0\xcf\x11\xe0"  # how .xls begins, and each workbook that has a password
MAX_MEMORY = 2 << 30  # bytes that the process may take
MAX_SECONDS = 60  # of a processor
_NAMED = 10  # sheets in a sentence
_PROCESS = Path(__file__).with_name("sheet_process.py")
_PASSWORD = "EncryptedPackage".encode("utf-16-le")  # the part in which Excel hides the rest
_INSTEAD = "save the sheet as CSV and use that file"
_FAULTS = {
    "damaged": "the file is no workbook (.xlsx) that can be read, perhaps a damaged one or another "
    f"zip archive; save it again as a workbook, or {_INSTEAD}",
    "none": f"the workbook has no sheet with cells; {_INSTEAD}",
    "empty": "the sheet is empty; choose another one, or give it a row of names and rows below it",
    "large": "the workbook unpacks to more than can be held; "
    f"keep only the columns and rows that you need, or {_INSTEAD}",
    "process": f"the process that reads workbooks cannot be started here; {_INSTEAD}",
}


def read_workbook(source: Source, *, name: str | None = None, sheet: str | None = None) -> Table:
    """Read one sheet of a workbook into a table with an engine of its own.

    Args:
        source: the bytes, a path, or a file opened in binary mode (read from its beginning).
        name: what to call the table; by default the name of the file.
        sheet: the name of the sheet; by default the first one that is not hidden.

    Raises:
        DataError: if the bytes are no usable workbook, or it has no such sheet: one sentence,
            without any value of a cell.
    """
    data = content_of(source)
    if data[:4] == OLD:
        raise DataError(
            f"the workbook has a password; take it off, or {_INSTEAD}"
            if _PASSWORD in data
            else f"the file is an Excel workbook of before 2007 (.xls); save it as .xlsx, or "
            f"{_INSTEAD}"
        )
    text = _ask(data, sheet)
    end = (text.find(b"\n") + 1) or len(text)
    found: dict[str, Any] = json.loads(text[:end])
    if found["fault"] == "absent":
        raise DataError(
            f"the workbook has no sheet {quoted(sheet)}; its sheets are "
            f"{join([quoted(other) for other in found['sheets'][:_NAMED]])}"
        )
    if found["fault"]:
        raise DataError(_FAULTS[found["fault"]])
    names, unnamed = name_columns(found["header"])
    check_names(names)
    if end == len(text):
        raise DataError("the sheet has a row of names but no rows below it; add one")
    first = found["sheets"][0] == found["sheet"]
    return table_of(
        text,
        Layout(",", names, end, 1),
        name_of(source) if name is None else name,
        digest_of(data, None if first else found["sheet"]),
        FileFormat(sheet=found["sheet"], sheets=tuple(found["sheets"]), unnamed=unnamed),
    )


def _ask(data: bytes, sheet: str | None) -> bytes:
    """What the process answers; it may be ended for what it takes, or for what the reader does."""
    asked = {"sheet": sheet, "unpacked": MAX_MEMORY, "most": MAX_UNPACKED}
    asked |= {"memory": MAX_MEMORY + len(data), "seconds": MAX_SECONDS}
    try:
        done = subprocess.run(
            [sys.executable, "-I", _PROCESS],
            input=json.dumps(asked).encode() + b"\n" + data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # it may quote values
            timeout=4 * MAX_SECONDS,
            check=False,
        )
        fault = "large" if done.returncode else None
    except subprocess.TimeoutExpired:
        fault = "large"
    except (OSError, subprocess.SubprocessError):
        fault = "process"
    if fault is not None:  # raised here, so that an error with the file in it is not kept
        raise DataError(_FAULTS[fault])
    return done.stdout
