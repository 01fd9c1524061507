r"""What a file is that no reader takes, by how it begins: said in the refusal.

The marks are those that the makers of the formats publish. A compressed file is asked for what is
in it, so that a workspace of R is called that and not an archive.
"""

_MARKS = (  # where in the file, what is there, and what it is
    (0, b"PK", "an Excel workbook (.xlsx) or zip archive"),
    (0, b"\xd0\xcf\x11\xe0", "an Excel workbook (.xls)"),
    (0, b"PAR1", "a Parquet file"),
    (0, b"PARE", "an encrypted Parquet file"),
    (0, b"ARROW1", "an Arrow or Feather file"),
    (0, b"\xff\xff\xff\xff\x10\0\0\0", "an Arrow stream"),
    (0, b"FEA1", "a Feather file"),
    (0, b"ORC", "an ORC file"),
    (0, b"Obj\x01", "an Avro file"),
    (0, b"\x1f\x8b", "a gzip archive"),
    (0, b"BZh", "a bzip2 archive"),
    (0, b"\xfd7zXZ", "an xz archive"),
    (0, b"7z\xbc\xaf", "a 7-Zip archive"),
    (0, b"Rar!", "a RAR archive"),
    (0, b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (257, b"ustar", "a tar archive"),
    (0, b"%PDF", "a PDF document"),
    (0, b"SQLite format 3", "an SQLite database"),
    (8, b"DUCK", "a DuckDB database"),
    (4, b"Standard Jet DB", "an Access database (.mdb)"),
    (4, b"Standard ACE DB", "an Access database (.accdb)"),
    (0, b"RDX2\n", "a workspace of R (.RData)"),
    (0, b"RDX3\n", "a workspace of R (.RData)"),
    (0, b"X\n\0\0\0", "an object of R (.rds)"),
    (12, b"\xc2\xea\x81\x63\xb3\x14\x11\xcf", "a catalog of SAS (.sas7bcat)"),
    (8, b"ENCRYPTEDSAV", "an SPSS file with a password"),
    (0, b"MATLAB 5.0", "a MATLAB file (.mat)"),
    (0, b"\x89HDF\r\n", "an HDF5 file"),
    (0, b"\x93NUMPY", "an array of NumPy (.npy)"),
    (0, b"\x80\x03", "an object of Python (.pickle)"),
    (0, b"\x80\x04", "an object of Python (.pickle)"),
    (0, b"\x80\x05", "an object of Python (.pickle)"),
    (0, b"\x89PNG", "a picture"),
    (0, b"\xff\xd8\xff", "a picture"),
    (0, b"GIF8", "a picture"),
)
_TEXTS = (  # how texts begin that are no tables
    (b"<!doctype", "a web page"),
    (b"<html", "a web page"),
    (b"<?xml", "an XML file"),
    (b'{"', "a JSON file"),
    (b"[{", "a JSON file of one list"),
    (b"%pdf-", "a PDF document"),
    (b"{\\rtf", "a document in rich text (.rtf)"),
    (b"@relation", "a Weka file (.arff)"),
    (b"rda2\na\n", "a workspace of R (.RData)"),  # written as ASCII
    (b"rda3\na\n", "a workspace of R (.RData)"),
)


def binary(data: bytes) -> str | None:
    r"""What a file is that is no text, or None if nobody knows.

    >>> binary(b"ORC\x0a"), binary(b"id,age"), binary(bytes(257) + b"ustar")
    ('an ORC file', None, 'a tar archive')
    """
    return next((what for at, mark, what in _MARKS if data.startswith(mark, at)), None)


def text(data: bytes) -> str | None:
    """What a text is that is no table, or None if it may be one.

    >>> text(b" <HTML>"), text(b"id,age")
    ('a web page', None)
    """
    first = data.lstrip()[:20].lower()
    if b"SPSS PORT FILE" in data[:200]:
        return "a portable SPSS file (.por)"
    if data.startswith(b"**COMPRESSED** " * 2):
        return "an archive of SAS made by CPORT"
    return next((what for mark, what in _TEXTS if first.startswith(mark)), None)
