"""What people type, read exactly: numbers, lists of groups, and the sizes of groups."""

import numpy as np
import pytest

from dpviz.errors import ParameterError
from dpviz.parameters import DELTA, RHO, seed_from
from dpviz.planning import typed
from dpviz.planning.group_lists import groups_in_file, moved, read_groups, written_groups
from dpviz.planning.tiers import read_sizes
from dpviz.workspace.local.social_network import read_value
from tests.conftest import FULL, for_each

# --- Numbers that people type: read exactly, or refused with one sentence that says what to type --

LONG = "9" * 400
ENDLESS = 5000 * "0" + "7"  # Python makes no whole number of this many digits


def test_a_number_is_read_and_what_is_no_finite_number_is_refused():
    for text in ("0", " -2.5 ", "1e15", "-1e15", ".5"):
        assert typed.number(text, where="Bound") == float(text)
    for text in ("", "x", "NaN", "inf", "-inf", "1e400", LONG, "1 2", "−3"):
        with pytest.raises(ParameterError, match=r"^Bound: .*for example 7\.$") as refusal:
            typed.number(text, where="Bound", example="7")
        assert len(str(refusal.value)) < 120
    for text in ("1.1e15", "-1e16", "1e300"):  # a double would not count with it
        with pytest.raises(ParameterError, match=r"is too large\. Type at most 10¹⁵\."):
            typed.number(text, where="Bound")
    with pytest.raises(ParameterError, match=r"“0,5” is not a number\. Type 0\.5, with a point"):
        typed.number("0,5", where="Bound")


def test_a_number_with_endless_zeros_before_it_is_read_or_refused():
    assert typed.number(ENDLESS, where="x") == read_value(ENDLESS, where="x") == 7
    with pytest.raises(ParameterError):
        typed.whole(ENDLESS, where="x", least=0, most=9)


@pytest.mark.parametrize("text", ["", "  "])
def test_an_empty_field_is_no_mistake(text):
    with pytest.raises(typed.NothingTyped, match=r"Type a number, for example 7\."):
        typed.awaited(text, where="Lower clip bound", example="7")
    with pytest.raises(typed.NothingTyped):
        typed.numbers(text, where="Edges", example="0, 1")


@for_each("text", ["1_0", "٣", "１０", "1_000.5"])
def test_only_plain_digits_are_read(text):
    for read in (
        lambda: typed.number(text, where="x"),
        lambda: typed.numbers(f"0, {text}", where="x", example="0, 1"),
        lambda: typed.whole(text, where="x", least=0, most=5000),
        lambda: seed_from(text),
        lambda: RHO.read(text, where="x"),
        lambda: DELTA.read(text, where="x"),
        lambda: read_sizes(text, ["a"]),
    ):
        with pytest.raises(ParameterError):
            read()


def test_numbers_are_set_apart_by_anything_usual():
    for text in ("0,10,20", "0 10 20", "0; 10; 20", "\n0\n10\n\n20\n", ",0,10,20,"):
        assert typed.numbers(text, where="Edges", example="0, 1") == (0.0, 10.0, 20.0)
    for text, part in (
        *((nothing, "nothing is typed") for nothing in ("", " ,; ")),
        *(("0, ten", "“ten” is not"), ("0, 1e16", "too large")),
    ):
        with pytest.raises(ParameterError, match=part):
            typed.numbers(text, where="Edges", example="0, 1")


def test_a_whole_number_is_read_and_out_of_range_it_is_refused():
    for text in ("1", " 5 ", "+3"):
        assert typed.whole(text, where="Groups", least=1, most=5) == int(text)
    for text in ("", "0", "6", "-1", "−1", "1.0", "x", "1e0", LONG):
        with pytest.raises(ParameterError, match="Type a whole number from 1 to 5"):
            typed.whole(text, where="Groups", least=1, most=5)
    for text in ("0,5", "1,5", "10,00", "1,0000", ",100", "0,100", "1,000,"):  # decimal commas
        with pytest.raises(ParameterError, match="Type a whole number from 1 to 5,000"):
            typed.whole(text, where="d", least=1, most=5000)


# --- Typed lists of groups: what is written is read back, whatever is in it ----------------------


def test_what_is_written_is_read_back():
    rng = np.random.default_rng(3)
    for _ in range(3000 if FULL else 500):
        texts = ["".join(rng.choice([*'ab ,="é'], rng.integers(1, 7))).strip() for _ in range(6)]
        groups, names = tuple(t or "a" for t in texts[:3]), tuple(t or "b" for t in texts[3:])
        found = read_groups(written_groups(groups, names))
        assert found.groups == groups
        assert (found.names or found.groups) == names


@for_each(
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


def test_what_is_no_list_gets_one_sentence():
    for content, says in (
        (b"", "is no text, or is empty"),
        (b"PK\x03\x04\0", "not a workbook"),
        (b"a\n" * (1 << 20), "larger than 1 MB"),
    ):
        with pytest.raises(ParameterError, match=says):
            groups_in_file(content)


# --- Which groups are readable at a tier, and the sizes that people type for it ------------------


LABELS = ["north", "south: coast", "7"]


@for_each(
    ("text", "expected"),
    [
        ("120", {"north": 120.0, "south: coast": 120.0, "7": 120.0}),
        (" 1e3 \n", {"north": 1000.0, "south: coast": 1000.0, "7": 1000.0}),
        ("7", {"north": 7.0, "south: coast": 7.0, "7": 7.0}),  # a size, though a group is called 7
        ("north: 5", {"north": 5.0}),
        ("7: 5\n\n north :0.5 ", {"north": 0.5, "7": 5.0}),
        ("south: coast: 9", {"south: coast": 9.0}),
        ("north:\t3\r\n7:4", {"north": 3.0, "7": 4.0}),
    ],
)
def test_sizes_that_can_be_read(text, expected):
    found = read_sizes(text, LABELS)
    assert found == expected
    assert list(found) == [g for g in LABELS if g in expected]


@for_each(
    ("text", "sentence"),
    [
        (" \n\n", "No size is typed"),
        ("many", "“many” is not a number"),
        ("0", "0 is not a size. Type a number above 0, for example 120."),
        ("nan", "is not a size"),
        ("1e99", "too large"),
        ("1,5", "Type 1.5, with a point."),
        ("east: 5", "Line 1 of the sizes names no group"),
        ("north: 5\n120", "Line 2 of the sizes names no group"),
        ("north: 5\n\nnorth: 6", "Line 3 of the sizes names a group again"),
        ("north: x", "Size in line 1: “x” is not a number"),
        ("north:", "Size in line 1: “” is not a number"),
    ],
)
def test_sizes_that_cannot_be_read(text, sentence):
    with pytest.raises(ParameterError) as caught:
        read_sizes(text, LABELS)
    assert sentence in str(caught.value)
