"""Read a table from a file of any kind; its first bytes say which."""

from collections.abc import Callable, Sequence

from dpviz.data.file_format import HowRead
from dpviz.data.json_lines import is_json_lines, read_json_lines
from dpviz.data.parquet import ENCRYPTED, MAGIC, read_parquet
from dpviz.data.read import Source, content_of, first_unpacked, name_of, read_csv
from dpviz.data.statistics_file import program_of, read_statistics
from dpviz.data.table import Table
from dpviz.data.text import GZIP
from dpviz.data.workbook import MAGIC as ZIP
from dpviz.data.workbook import OLD, read_workbook
from dpviz.errors import DataError

_REFUSED = {  # what was chosen, of a file that has no such choice
    "sheet": "only an Excel workbook has sheets; leave out the name of the sheet",
    "header": "only a CSV file or an Excel workbook has a row of names to choose; leave out its "
    "number",
    "leave_out": "columns are left out of a Parquet or JSON Lines file only; leave out their names",
}
_CHOICES: dict[Callable[..., Table], tuple[str, ...]] = {
    read_parquet: ("leave_out",),
    read_json_lines: ("leave_out",),
    read_workbook: ("sheet", "header"),
    read_statistics: ("encoding",),
    read_csv: ("encoding", "header"),
}


def read_table(
    source: Source,
    *,
    name: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
    header: int | None = None,
    leave_out: Sequence[str] = (),
) -> Table:
    r"""Read a file of any kind into a table with an engine of its own.

    CSV, Excel (.xlsx), Parquet, Stata (.dta), SPSS (.sav, .zsav), SAS (.sas7bdat, .xpt) and JSON
    Lines (.jsonl); CSV and JSON Lines may be compressed by gzip.

    Args:
        source: the bytes, a path, or a file opened in binary mode (read from its beginning).
        name: what to call the table; by default the name of the file.
        encoding: of CSV, see `read_csv`, or of a file of Stata, SPSS or SAS; others say it.
        sheet: of an Excel workbook, see `read_workbook`; other files have none.
        header: number of the row with the names, of CSV or an Excel workbook.
        leave_out: names of columns that are not read, of Parquet or JSON Lines.

    Raises:
        DataError: as the reader of such files does, or if it has no such choice.
        ParameterError: if there is no such encoding, or a choice cannot be one.

    >>> read_table(b"id,region\n1,north\n", name="people.csv")
    Table(“people.csv”, 2 columns)
    """
    how = HowRead(encoding=encoding, sheet=sheet, header=header, leave_out=leave_out)
    content = content_of(source)
    reader = _reader(content)
    chosen = dict(how.chosen)
    if reader in (read_parquet, read_json_lines, read_workbook):
        chosen.pop("encoding", None)  # these files say it themselves
    for option in chosen:
        if option not in _CHOICES[reader]:
            raise DataError(_REFUSED[option])
    return reader(content, name=name_of(source) if name is None else name, **chosen)


def _reader(content: bytes) -> Callable[..., Table]:
    """What reads a file that begins so."""
    if content[:4] in (MAGIC, ENCRYPTED):
        return read_parquet
    if content[:4] in (ZIP, OLD):
        return read_workbook
    if program_of(content) is not None:
        return read_statistics
    text = first_unpacked(content) if content[:2] == GZIP else content
    return read_json_lines if is_json_lines(text) else read_csv
