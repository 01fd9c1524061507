"""Read a table from a file of any kind; its first bytes say which."""

from dpviz.data.parquet import ENCRYPTED, MAGIC, read_parquet
from dpviz.data.read import Source, content_of, name_of, read_csv
from dpviz.data.table import Table
from dpviz.data.workbook import MAGIC as ZIP
from dpviz.data.workbook import OLD, read_workbook
from dpviz.errors import DataError


def read_table(
    source: Source,
    *,
    name: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
) -> Table:
    r"""Read a CSV, Parquet or Excel file into a table with an engine of its own.

    Args:
        source: the bytes, a path, or a file opened in binary mode (read from its beginning).
        name: what to call the table; by default the name of the file.
        encoding: of CSV, see `read_csv`; other files say it themselves.
        sheet: of an Excel workbook, see `read_workbook`; other files have none.

    Raises:
        DataError: as `read_csv`, `read_parquet` and `read_workbook` do.
        ParameterError: if there is no such encoding.

    >>> read_table(b"id,region\n1,north\n", name="people.csv")
    Table(“people.csv”, 2 columns)
    """
    content = content_of(source)
    called = name_of(source) if name is None else name
    if content[:4] in (MAGIC, ENCRYPTED):
        return read_parquet(content, name=called)
    if content[:4] in (ZIP, OLD):
        return read_workbook(content, name=called, sheet=sheet)
    if sheet is not None:
        raise DataError("only an Excel workbook has sheets; leave out the name of the sheet")
    return read_csv(content, name=called, encoding=encoding)
