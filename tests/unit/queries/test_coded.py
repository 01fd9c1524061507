"""Groups from a file's own codebook: its values under its names, whatever the rows hold."""

import pytest

from dpviz.data import Reading, read_csv, read_table
from dpviz.data.file_format import FileFormat
from dpviz.errors import DataError, ParameterError
from dpviz.queries import MAX_GROUPS, ByColumn, Count
from tests.coded_files import spss, stata


def test_the_codebook_lists_the_groups() -> None:
    table = read_table(spss())
    by = ByColumn.coded(table, "sex")
    assert by.groups == ("1", "2", "3")
    assert by.labels == ("men", "women", "other, or none")
    assert Count(by).values(table).tolist() == [1, 3, 0]
    assert ByColumn.coded(read_table(stata()), "sex").labels[3:] == ("no answer",)


def test_what_a_reading_takes_for_missing_is_no_group() -> None:
    table = read_table(stata()).read_as({"sex": Reading(missing=("9", "3"))})
    assert ByColumn.coded(table, "sex").groups == ("1", "2")
    with pytest.raises(ParameterError, match="lists no values of “sex”; type groups"):
        ByColumn.coded(table.read_as({"sex": Reading(kind="yes/no")}), "sex")


def test_equal_names_are_told_apart_and_too_many_are_refused() -> None:
    table = read_csv(b"a,b\n1,2\n")
    pairs = (("1", "low"), ("2", "low"), ("3", "high"))
    object.__setattr__(table, "file", FileFormat(labels=(("a", pairs),)))
    assert ByColumn.coded(table, "a").labels == ("low (1)", "low (2)", "high")
    with pytest.raises(ParameterError, match="lists no values of “b”"):
        ByColumn.coded(table, "b")
    with pytest.raises(DataError, match="has no column “c”"):
        ByColumn.coded(table, "c")
    many = tuple((str(i), f"n{i}") for i in range(MAX_GROUPS + 1))
    object.__setattr__(table, "file", FileFormat(labels=(("a", many),)))
    with pytest.raises(ParameterError, match="at most"):
        ByColumn.coded(table, "a")
