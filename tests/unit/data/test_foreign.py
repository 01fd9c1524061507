"""What is no table is called by its name, whatever the file is called."""

import gzip

import pytest

from dpviz.data import read_table
from dpviz.errors import DataError

NAMED = {
    b"ARROW1\0\0\xff": "an Arrow or Feather file",
    b"ORC\x0a\x03\xff": "an ORC file",
    b"Obj\x01\x04\xff": "an Avro file",
    b"%PDF-1.7\n%plain\n": "a PDF document",
    b"{\\rtf1\\ansi a,b}\n": "a document in rich text",
    b"SQLite format 3\0": "an SQLite database",
    b"\0\0\0\0\0\0\0\0DUCK\0\xff": "a DuckDB database",
    b"\0\x01\0\0Standard Jet DB\0": "an Access database",
    b"RDX3\nX\n\0\0\0\x03\xff": "a workspace of R",
    b"RDA3\nA\n3\n262657\n197888\n5\nUTF-8\n1026\n": "a workspace of R",
    gzip.compress(b"RDA2\nA\n2\n262657\n131840\n1026\n"): "a workspace of R",
    gzip.compress(b"RDX3\nX\n\0\0\0\x03\xff"): "a workspace of R",
    gzip.compress(b"X\n\0\0\0\x03\0\x04\xff"): "an object of R",
    b"MATLAB 5.0 MAT-file\0": "a MATLAB file",
    b"\x89HDF\r\n\x1a\n": "an HDF5 file",
    b"\x93NUMPY\x01\0": "an array of NumPy",
    b"\x80\x04\x95\0\xff": "an object of Python",
    b"a" * 257 + b"ustar\0\xff": "a tar archive",
    b"Rar!\x1a\x07\0": "a RAR archive",
    bytes(12) + b"\xc2\xea\x81\x63\xb3\x14\x11\xcf\xbd\x92\x08\0": "a catalog of SAS",
    b"**COMPRESSED** **COMPRESSED** **COMPRESSED**": "an archive of SAS made by CPORT",
    b" " * 40 + b"ASCII SPSS PORT FILE" + b" " * 140 + b"x": "a portable SPSS file",
    b"\x1c\0\0\0\0\0\0\0ENCRYPTEDSAV\x15\xff": "an SPSS file with a password",
    b"@RELATION people\n@attribute a numeric": "a Weka file",
    '<?xml version="1.0"?>'.encode("utf-16"): "an XML file",
}


@pytest.mark.parametrize("what", NAMED.values())
def test_each_refusal_names_the_format_that_it_sees(what: str) -> None:
    for data, named in NAMED.items():
        if named == what:
            with pytest.raises(DataError, match=f"the file is {named}.*, not CSV"):
                read_table(data, name="people.csv")


@pytest.mark.parametrize("name", ["PK", "ORC", "DUCK", "RDX3", "RDA3", "Obj", "Rar", "weight,DUCK"])
def test_a_table_whose_first_name_looks_like_a_mark_is_a_table(name: str) -> None:
    values = ",".join("1" * (name.count(",") + 2))
    table = read_table(f"{name},é\n{values}\n".encode())
    assert table.columns[0].name == name.split(",")[0]
