"""Tables of people: a file or a ready sample, held by an embedded engine (DuckDB by Ibis)."""

from dpviz.data.either import read_table
from dpviz.data.file_format import FileFormat, HowRead, NestedError
from dpviz.data.json_lines import read_json_lines
from dpviz.data.made_up import hourly_events, long_tail
from dpviz.data.parquet import read_parquet
from dpviz.data.read import MAX_BYTES, read_csv
from dpviz.data.reading import Reading
from dpviz.data.same_rows import rows_mark, texts_mark
from dpviz.data.sample import SAMPLE, Sample, load_sample
from dpviz.data.samples import (
    DECLARATION,
    SAMPLES,
    load,
    load_declaration,
    possible_diagnoses,
    typed_diagnoses,
)
from dpviz.data.source import Address, TableSource, connection_names, open_connection, open_source
from dpviz.data.statistics_file import read_statistics
from dpviz.data.table import Column, Table
from dpviz.data.text import ENCODINGS
from dpviz.data.visits import VISITS, load_visits
from dpviz.data.workbook import read_workbook
from dpviz.words.names import quoted

__all__ = [
    "DECLARATION",
    "ENCODINGS",
    "MAX_BYTES",
    "SAMPLE",
    "SAMPLES",
    "VISITS",
    "Address",
    "Column",
    "FileFormat",
    "HowRead",
    "NestedError",
    "Reading",
    "Sample",
    "Table",
    "TableSource",
    "connection_names",
    "hourly_events",
    "load",
    "load_declaration",
    "load_sample",
    "load_visits",
    "long_tail",
    "open_connection",
    "open_source",
    "possible_diagnoses",
    "quoted",
    "read_csv",
    "read_json_lines",
    "read_parquet",
    "read_statistics",
    "read_table",
    "read_workbook",
    "rows_mark",
    "texts_mark",
    "typed_diagnoses",
]
