"""Typed lists of groups: what is written is read back, whatever is in it."""

import numpy as np
import pytest

from dpviz.errors import ParameterError
from dpviz.planning.group_lists import groups_in_file, moved, read_groups, written_groups


def test_what_is_written_is_read_back():
    rng = np.random.default_rng(3)
    for _ in range(3000):
        texts = ["".join(rng.choice([*'ab ,="é'], rng.integers(1, 7))).strip() for _ in range(6)]
        groups, names = tuple(t or "a" for t in texts[:3]), tuple(t or "b" for t in texts[3:])
        found = read_groups(written_groups(groups, names))
        assert found.groups == groups
        assert (found.names or found.groups) == names


@pytest.mark.parametrize(
    ("text", "groups", "names"),
    [
        ("a\n\n b \n", ("a", "b"), ()),
        ("0, 1", ("0", "1"), ()),
        ('"0, 1"', ("0, 1",), ()),
        ("a=b", ("a=b",), ()),  # without blanks it is a value
        ("0 = a = b", ("0",), ("a = b",)),
        ('0 = "x, y", 1', ("0", "1"), ("x, y", "1")),
        ('5" pipe, 6" pipe', ('5" pipe', '6" pipe'), ()),
        ('"""a"""', ('"a"',), ()),
        ("", (), ()),
    ],
)
def test_lines_commas_and_quotation_marks(text, groups, names):
    found = read_groups(text)
    assert (found.groups, found.names) == (groups, names)


def test_a_line_that_looks_like_two_groups_is_told():
    assert read_groups("a\n0, 1, 2").caution.startswith("Line 2 is read as 3 groups, the first “0”")
    assert read_groups('"0, 1"').caution == read_groups("0 = men, 1 = women").caution == ""
    with pytest.raises(ParameterError, match="Line 2 of the groups has a name without a group"):
        read_groups("a\n = men")


def test_a_group_moves_with_its_name_and_stops_at_the_ends():
    assert moved("0 = men\n1 = women", 0, 1) == "1 = women\n0 = men"
    assert moved("a, b, c", 0, -1) == "a\nb\nc"
    assert moved("a, b, c", 2, 5) == "a\nb\nc"
    assert moved("a", 7, 1) == "a"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_a_file_has_a_group_per_line(encoding):
    content = 'Köln\r\nFrankfurt, Main\r\n"a ""b"""\r\nKöln\r\n'.encode(encoding)
    assert groups_in_file(content) == ("Köln", "Frankfurt, Main", 'a "b"')


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is no text, or is empty"),
        (b"PK\x03\x04\0", "not a workbook"),
        (b"a\n" * (1 << 20), "larger than 1 MB"),
    ],
)
def test_what_is_no_list_gets_one_sentence(content, says):
    with pytest.raises(ParameterError, match=says):
        groups_in_file(content)
