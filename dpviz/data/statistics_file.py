"""Read a file of Stata (.dta), SPSS (.sav), or SAS (.sas7bdat, .xpt) into a table like that of CSV.

Columns keep the codes of their values; what the file's codebook calls these (value labels) is kept
beside them, to be offered as groups: the people who designed the table wrote it in the file, and it
does not depend on its rows. Values that the file declares as missing are missing. Dates and times
are written as ISO, weeks, months and quarters of Stata by their first day.

The file is read in a process of its own, see `dpviz.data.statistics_process`.
Limits: labels of SAS stand in a catalog beside the file, and are not read. Times of Stata with leap
seconds are read without them, so they may be half a minute off.
"""

from typing import Any

from dpviz import checks
from dpviz.data import apart
from dpviz.data.file_format import FileFormat, name_columns
from dpviz.data.layout import Layout, check_names
from dpviz.data.read import Source, content_of, digest_of, name_of, table_of
from dpviz.data.table import Table
from dpviz.data.text import LATIN, UTF_8, WINDOWS
from dpviz.errors import DataError

_ENCODINGS = {UTF_8: "UTF-8", WINDOWS: "WINDOWS-1252", LATIN: "ISO-8859-1"}  # as iconv knows them
_OLD_STATA = range(104, 116)  # versions, the first byte; the second says the order of bytes
_SAS = bytes.fromhex("00" * 12 + "c2ea8160b31411cfbd92080009c7318c181f1011")
_BEGINS = (
    (b"<stata_dta>", "Stata"),
    (b"$FL2", "SPSS"),
    (b"$FL3", "SPSS"),
    (_SAS, "SAS"),
    (b"HEADER RECORD*******LIB", "SAS transport"),
)
_INSTEAD = "export the table as CSV and use that file"


def program_of(data: bytes) -> str | None:
    """The program of which a file is, by how it begins; None if of none that is known.

    >>> program_of(b"<stata_dta><header>"), program_of(b"id,age")
    ('Stata', None)
    """
    found = next((program for mark, program in _BEGINS if data.startswith(mark)), None)
    old = len(data) > 3 and data[0] in _OLD_STATA and data[1] in (1, 2) and data[2:4] == b"\1\0"
    return found or ("Stata" if old else None)


def read_statistics(
    source: Source, *, name: str | None = None, encoding: str | None = None
) -> Table:
    """Read a file of Stata, SPSS or SAS into a table with an engine of its own.

    Args:
        source: the bytes, a path, or a file opened in binary mode (read from its beginning).
        name: what to call the table; by default the name of the file.
        encoding: "UTF-8", "Windows-1252" or "Latin-1" for all of its text; None: as the file says,
            or, where it says nothing, text by text as in `read_csv`.

    Raises:
        DataError: if the bytes are no such file, or it cannot be read: one sentence, without any
            value of the file.
        ParameterError: if there is no such encoding.
    """
    if encoding is not None:
        checks.one_of(tuple(_ENCODINGS), encoding=encoding)
    data = content_of(source)
    program = program_of(data)
    if program is None:
        raise DataError(f"the file does not begin like one of Stata, SPSS or SAS; {_INSTEAD}")
    answer = apart.ask(
        "statistics_process.py",
        data,
        files=f"files of {program}",
        damaged=_damaged(program),
        instead=_INSTEAD,
        program=program,
        encoding=None if encoding is None else _ENCODINGS[encoding],
    )
    found = answer.found
    if found["fault"] is not None:
        raise DataError(_fault(program, found))
    names, unnamed = name_columns(found["names"])
    check_names(names)
    if answer.start == len(answer.text):
        raise DataError("the file has columns but no rows; use a table with at least one row")
    return table_of(
        answer.text,
        Layout(",", names, answer.start, 1),
        name_of(source) if name is None else name,
        digest_of(data, encoding),
        FileFormat(
            kind=program,
            encoding=encoding,
            chosen=encoding is not None,
            unnamed=unnamed,
            labels=tuple(
                (names[at], tuple((code, label) for code, label in pairs))
                for at, pairs in found["labels"]
            ),
            missing=tuple(names[at] for at in found["missing"]),
        ),
    )


def _damaged(program: str) -> str:
    return (
        f"the file begins like a file of {program} but cannot be read, it may be damaged; save it "
        f"again, or {_INSTEAD}"
    )


def _fault(program: str, found: dict[str, Any]) -> str:
    if found["fault"] == "several":
        return (
            f"the SAS transport file holds {found['members']:,} tables; export the one that you "
            "need by itself"
        )
    if found["fault"] == "encoding":
        return (
            f"the {program} file has text in another encoding than it says; choose an encoding, "
            f"such as {WINDOWS}, or {_INSTEAD}"
        )
    return _damaged(program)
