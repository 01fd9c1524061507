"""How a file is read, as chosen and as found: encoding, row of names, sheet, what is left out.

A small file is kept while it may have to be read in another way; what was chosen for a larger one
is used when it is uploaded again.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from dpviz.data import ENCODINGS, FileFormat, HowRead, NestedError, Table, quoted
from dpviz.data.text import MIXED, WINDOWS
from dpviz.errors import ParameterError
from dpviz.ui.kit import controls, parts, plan_file, state
from dpviz.ui.kit.state import Slot, nothing
from dpviz.words import join, shorten
from dpviz.words.markdown import literal
from dpviz.words.names import visible
from dpviz.workspace.projects.absent import is_absent
from dpviz.workspace.workspace import Workspace

ENCODING = "upload_encoding"  # key of the box
AUTOMATIC = "found automatically"
NAMED = 6  # columns; more are counted
_SMALL = 16 << 20  # bytes of an upload that is kept while it may be read in another way


@dataclass(frozen=True, slots=True)
class Upload:
    """A file, and how it was asked to be read last."""

    name: str
    content: bytes
    asked: HowRead


@dataclass(frozen=True, slots=True)
class _Columns:
    """Columns of the file of this name."""

    file: str
    names: tuple[str, ...]


AGAIN = Slot[Upload | None]("upload_again", nothing)
NESTED = Slot[_Columns | None]("upload_nested", nothing)
_LEFT_OUT = Slot[_Columns | None]("upload_left_out", nothing)


def asked(newest: Table, name: str) -> HowRead:
    """How a file of this name is to be read, by the fields; a sheet is that of one file only."""
    encoding = state.field(ENCODING)
    sheet = state.field(_sheet_key(newest)) if newest.name == name else None
    left_out = _LEFT_OUT.get()
    return HowRead(
        encoding=None if encoding == AUTOMATIC else encoding,
        sheet=None if sheet in newest.file.sheets[:1] else sheet,
        header=_row(state.field(_header_key(name))),
        leave_out=left_out.names if left_out and left_out.file == name else (),
    )


def recalled(ws: Workspace, name: str) -> str | None:
    """Fill the fields with how a file of this name was read before, by a project or a plan.

    Returns:
        The sheet, whose field is shown only once the file was read.
    """
    away = ws.statistic.table
    how = away.file.how if is_absent(away) and away.name == name else plan_file.expected(name)
    if how.encoding is not None:
        state.fill(ENCODING, how.encoding)
    if how.header is not None:
        state.fill(_header_key(name), str(how.header))
    if how.leave_out:
        _LEFT_OUT.set(_Columns(name, tuple(how.leave_out)))
    return how.sheet


def _row(typed: str | None) -> int | None:
    """The number of a row as typed; None where it is not one."""
    text = (typed or "").strip()
    return int(text) if re.fullmatch("[1-9][0-9]{0,8}", text, re.ASCII) else None


def _sheet_key(table: Table) -> str:
    return controls.keyed("upload_sheet", (table.name, table.file.sheets))


def _header_key(name: str) -> str:
    return controls.keyed("upload_header", name)


def ask_how_to_read(ws: Workspace, table: Table) -> None:
    """Encoding, row of names and sheet; what is kept of an upload is then read again."""
    file, again = table.file, AGAIN.get()
    encoding = controls.selectbox(
        "Text encoding",
        [AUTOMATIC, *ENCODINGS],
        key=ENCODING,
        help="Of CSV: UTF-16 is known by its first bytes. Otherwise the file is read as UTF-8, and "
        "as Windows-1252 only where a byte is not UTF-8. Of Stata, SPSS and SAS: as the file says. "
        "Choose another encoding if letters look wrong.",
    )
    row, name = file.header, again.name if again else table.name
    if (again or not ws.sample) and not (file.kind and name == table.name):
        row = _ask_for_row(name)
    sheet = file.sheet
    if len(file.sheets) > 1:
        sheet = controls.selectbox("Sheet", file.sheets, key=_sheet_key(table), format_func=visible)
    used = file.encoding if file.chosen else AUTOMATIC
    if again is None and (encoding, row, sheet) != (used, file.header, file.sheet):
        st.caption("Your choice is used for the next upload. To read the same file so, upload it.")


def _ask_for_row(name: str) -> int | None:
    """Which row has the names of the columns, where that is not the first one."""
    typed = controls.text_input(
        "Row with the names of the columns",
        key=_header_key(name),
        placeholder="the first that is not empty",
        help="Of a CSV file or an Excel workbook, as Excel numbers its rows. Rows above it, such "
        "as a title, are left out.",
    )
    row = _row(typed)
    if typed.strip() and row is None:
        parts.refusal(
            "Row with the names of the columns: this is not the number of a row. Type one such as 3"
        )
    return row


def refused(name: str, content: bytes, how: HowRead, error: ParameterError) -> None:
    """Keep a file that cannot be read so: perhaps it can in another way."""
    if isinstance(error, NestedError):
        NESTED.set(_Columns(name, error.columns))
    _keep(name, content, how)


def taken(name: str, content: bytes, how: HowRead, table: Table) -> None:
    """Keep a file that was read, if it may be another table in another way."""
    file = table.file
    if len(file.sheets) > 1:
        state.fill(_sheet_key(table), file.sheet)
    doubtful = file.unnamed or len(table.columns) == 1 or file.encoding in (WINDOWS, MIXED)
    if how.chosen or file.sheet is not None or doubtful:
        _keep(name, content, how)


def _keep(name: str, content: bytes, asked: HowRead) -> None:
    """Hold a file that may have to be read in another way, unless it is large."""
    if len(content) <= _SMALL:
        AGAIN.set(Upload(name, content, asked))


def offer_to_leave_out() -> None:
    """Where columns hold lists: to read the file without them."""
    nested = NESTED.get()
    if nested is None:
        return
    label = f"Leave out {join([literal(quoted(name)) for name in nested.names], most=NAMED)}"
    key, icon = "leave_out_columns", "playlist_remove"
    controls.button(label, _leave_out, nested, key=key, icon=icon)
    left_out = _LEFT_OUT.get()
    if AGAIN.get() is None and left_out and {*nested.names} <= {*left_out.names}:
        st.caption("They are left out once you upload the file again.")


def _leave_out(nested: _Columns) -> None:
    """Read the file without these columns, and without those that are left out already."""
    before = _LEFT_OUT.get()
    known = before.names if before and before.file == nested.file else ()
    _LEFT_OUT.set(replace(nested, names=tuple(dict.fromkeys([*known, *nested.names]))))


# --- what is said of a file that was read ---


def how_it_was_read(file: FileFormat) -> str:
    """Encoding, sheet, row of names, what was filled or left out, for everybody to check.

    >>> how_it_was_read(FileFormat(encoding="UTF-16", packed=True, unnamed=(3, 7), header=2))
    'Unpacked by gzip. Read as UTF-16 text. The names stand in row 2. Columns 3 and 7 had no name \
and were given one.'
    """
    coded = [column for column, _ in file.labels]
    said = {
        "Unpacked by gzip.": file.packed,
        _source(file): True,
        f"The names stand in row {file.header or 0:,}.": file.header is not None,
        "A merged cell has its value in all rows and columns that it covers.": file.merged,
        _unnamed(file.unnamed): file.unnamed,
        f"Left out: {some_columns(file.left_out)}.": file.left_out,
        "Rows without any value are left out.": file.emptied,
        "Values that the file declares as missing are missing: in "
        f"{some_columns(file.missing)}.": file.missing,
        f"Its codebook names the values of {some_columns(coded)}.": coded,
    }
    return " ".join(sentence for sentence, holds in said.items() if holds and sentence)


def some_columns(names: Sequence[str]) -> str:
    """The first columns by name, and how many more there are."""
    return join([f"“{literal(shorten(name, 24))}”" for name in names], most=NAMED)


def _source(file: FileFormat) -> str:
    if file.kind:
        said = f", its text as {file.encoding}" if file.encoding else ""
        return f"Read as {file.kind}{said}."
    if file.sheet is not None:
        among = f", one of {len(file.sheets)}" if len(file.sheets) > 1 else ""
        return f"Read from the sheet “{literal(shorten(file.sheet, 40))}”{among}."
    if file.encoding is None:
        return ""
    if file.chosen:
        return f"Read as {file.encoding} text, as you chose."
    if file.encoding == WINDOWS:
        return f"Read as {WINDOWS} text, because it is not UTF-8."
    if file.encoding == MIXED:
        return f"Read as UTF-8 text, and as {WINDOWS} where a byte is not UTF-8."
    return f"Read as {file.encoding} text."


def _unnamed(positions: Sequence[int]) -> str:
    if len(positions) > NAMED:
        return f"{len(positions):,} columns had no name and were given one."
    which = join([f"{position:,}" for position in positions])
    if len(positions) == 1:
        return f"Column {which} had no name and was given one."
    return f"Columns {which} had no name and were given one."
