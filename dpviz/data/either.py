"""Read a table from a file of either kind; its first bytes say which."""

from dpviz.data.parquet import ENCRYPTED, MAGIC, read_parquet
from dpviz.data.read import Source, content_of, name_of, read_csv
from dpviz.data.table import Table


def read_table(source: Source, *, name: str | None = None) -> Table:
    r"""Read a CSV or Parquet file into a table with an engine of its own.

    Args:
        source: the bytes, a path, or a file opened in binary mode (read from its beginning).
        name: what to call the table; by default the name of the file.

    Raises:
        DataError: as `read_csv` and `read_parquet` do.

    >>> read_table(b"id,region\n1,north\n", name="people.csv")
    Table(“people.csv”, 2 columns)
    """
    content = content_of(source)
    read = read_parquet if content[:4] in (MAGIC, ENCRYPTED) else read_csv
    return read(content, name=name_of(source) if name is None else name)
