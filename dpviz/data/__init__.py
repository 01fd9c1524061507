"""Tables of people: a CSV file or the ready sample, held by an embedded engine (DuckDB by Ibis)."""

from dpviz.data.read import read_csv
from dpviz.data.sample import SAMPLE, Sample, load_sample
from dpviz.data.table import Column, Table, quoted

__all__ = ["SAMPLE", "Column", "Sample", "Table", "load_sample", "quoted", "read_csv"]
