"""Read a sheet of an Excel workbook (.xlsx, .xlsm) into the same kind of table that CSV gives.

Each cell becomes text by itself: 25.0 is 25, a date 2025-01-31, an error nothing. Formulas have the
values that were saved with them, a merged cell has its value in every row and column that it
covers, and rows without any value are left out. The first row with values has the names of the
columns, or the row that is chosen: those above it are left out then.

The file is unpacked in a process of its own, see `dpviz.data.sheet_process`.
"""

from typing import Any

from dpviz.data import apart
from dpviz.data.file_format import FileFormat, HowRead, name_columns
from dpviz.data.layout import Layout, check_names
from dpviz.data.read import Source, content_of, digest_of, name_of, row_marks, table_of
from dpviz.data.table import Table
from dpviz.errors import DataError
from dpviz.words import join
from dpviz.words.names import quoted

MAGIC = b"PK\x03\x04"
OLD = b"\xd0\xcf\x11\xe0"  # how .xls begins, and each workbook that has a password
_NAMED = 10  # sheets in a sentence
_PASSWORD = "EncryptedPackage".encode("utf-16-le")  # the part in which Excel hides the rest
_WORD = "WordDocument".encode("utf-16-le")
_INSTEAD = "save the sheet as CSV and use that file"
_FAULTS = {
    "damaged": "the file is no workbook (.xlsx) that can be read, perhaps a damaged one or another "
    f"zip archive; save it again as a workbook, or {_INSTEAD}",
    "none": f"the workbook has no sheet with cells; {_INSTEAD}",
    "empty": "the sheet is empty; choose another one, or give it a row of names and rows below it",
    "large": apart.too_large(_INSTEAD),
}


def read_workbook(
    source: Source, *, name: str | None = None, sheet: str | None = None, header: int | None = None
) -> Table:
    """Read one sheet of a workbook into a table with an engine of its own.

    Args:
        source: the bytes, a path, or a file opened in binary mode (read from its beginning).
        name: what to call the table; by default the name of the file.
        sheet: the name of the sheet; by default the first one that is not hidden.
        header: number of the row with the names of the columns, as Excel counts; by default the
            first that is not empty.

    Raises:
        DataError: if the bytes are no usable workbook, or it has no such sheet or row: one
            sentence, without any value of a cell.
        ParameterError: if the number of the row is no whole number of at least 1.
    """
    header = HowRead(header=header).header
    data = content_of(source)
    if data[:4] == OLD:
        raise DataError(_of_before(data))
    answer = apart.ask(
        "sheet_process.py",
        data,
        files="workbooks",
        damaged=_FAULTS["damaged"],
        instead=_INSTEAD,
        sheet=sheet,
        header=header,
    )
    found = answer.found
    if found["fault"] is not None:
        raise DataError(_fault(found, sheet, header))
    names, unnamed = name_columns(found["names"])
    check_names(names)
    if answer.start == len(answer.text):
        raise DataError("the sheet has a row of names but no rows below it; add one")
    first = found["sheets"][0] == found["sheet"]
    chosen = None if header in (None, found["usual"]) else header
    marks = [*row_marks(chosen), *(["merged cells filled"] if found["merged"] else [])]
    return table_of(
        answer.text,
        Layout(",", names, answer.start, 1),
        name_of(source) if name is None else name,
        digest_of(data, None if first else found["sheet"], *marks),
        FileFormat(
            sheet=found["sheet"],
            sheets=tuple(found["sheets"]),
            header=chosen,
            merged=found["merged"],
            unnamed=unnamed,
        ),
    )


def _of_before(data: bytes) -> str:
    """The sentence on a file in the form that Office had before 2007."""
    if _PASSWORD in data:
        return f"the workbook has a password; take it off, or {_INSTEAD}"
    if _WORD in data:
        return "the file is a Word document (.doc), not a table; save the table in it as CSV"
    return f"the file is an Excel workbook of before 2007 (.xls); save it as .xlsx, or {_INSTEAD}"


def _fault(found: dict[str, Any], sheet: str | None, header: int | None) -> str:
    """The sentence on what the process did not find."""
    if found["fault"] == "absent":
        named = join([quoted(other) for other in found["sheets"][:_NAMED]])
        return f"the workbook has no sheet {quoted(sheet)}; its sheets are {named}"
    if found["fault"] == "unnamed":
        return (
            f"row {header:,} of the sheet is empty; type the number of the row with the names of "
            f"the columns, such as {found['usual']:,}"
        )
    if found["fault"] == "other":
        return f"the file is {found['what']}, not a workbook; {_INSTEAD}"
    return _FAULTS[found["fault"]]
