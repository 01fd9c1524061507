"""Numbers that people type: read exactly, or refused with one sentence that says what to type."""

import pytest

from dpviz.errors import ParameterError
from dpviz.parameters import DELTA, RHO, seed_from
from dpviz.planning import typed
from dpviz.planning.readable import read_sizes
from dpviz.workspace.local.social_network import read_value

LONG = "9" * 400
ENDLESS = 5000 * "0" + "7"  # Python makes no whole number of this many digits


@pytest.mark.parametrize(
    ("text", "value"), [("0", 0.0), (" -2.5 ", -2.5), ("1e15", 1e15), ("-1e15", -1e15), (".5", 0.5)]
)
def test_a_number_is_read(text, value):
    assert typed.number(text, where="Bound") == value


@pytest.mark.parametrize("text", ["", "x", "NaN", "inf", "-inf", "1e400", LONG, "1 2", "−3"])
def test_what_is_no_finite_number_is_refused(text):
    with pytest.raises(ParameterError) as refusal:
        typed.number(text, where="Lower clip bound", example="7")
    said = str(refusal.value)
    assert said.startswith("Lower clip bound: ")
    assert said.endswith("for example 7.")
    assert len(said) < 120


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


@pytest.mark.parametrize("text", ["1_0", "٣", "１０", "1_000.5"])
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


def test_a_decimal_comma_is_shown_with_a_point():
    with pytest.raises(ParameterError, match=r"“0,5” is not a number\. Type 0\.5, with a point"):
        typed.number("0,5", where="Lower clip bound")


@pytest.mark.parametrize("text", ["1.1e15", "-1e16", "1e300"])
def test_a_number_that_a_double_would_not_count_with_is_refused(text):
    with pytest.raises(ParameterError, match=r"is too large\. Type at most 10¹⁵\."):
        typed.number(text, where="Bound")


@pytest.mark.parametrize(
    "text", ["0,10,20", "0 10 20", "0; 10; 20", "\n0\n10\n\n20\n", ",0,10,20,"]
)
def test_numbers_are_set_apart_by_anything_usual(text):
    assert typed.numbers(text, where="Edges", example="0, 1") == (0.0, 10.0, 20.0)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "nothing is typed"),
        (" ,; ", "nothing is typed"),
        ("0, ten", "“ten” is not"),
        ("0, 1e16", "too large"),
    ],
)
def test_numbers_that_cannot_be_used(text, part):
    with pytest.raises(ParameterError, match=part):
        typed.numbers(text, where="Edges", example="0, 1")


@pytest.mark.parametrize(("text", "value"), [("1", 1), (" 5 ", 5), ("+3", 3)])
def test_a_whole_number_is_read(text, value):
    assert typed.whole(text, where="Groups", least=1, most=5) == value


@pytest.mark.parametrize("text", ["", "0", "6", "-1", "−1", "1.0", "x", "1e0", LONG])
def test_a_whole_number_out_of_range_is_refused(text):
    with pytest.raises(ParameterError, match="Type a whole number from 1 to 5"):
        typed.whole(text, where="Groups", least=1, most=5)


@pytest.mark.parametrize("text", ["1,000", "1000", " 1,000 "])
def test_thousands_may_be_set_apart(text):
    assert typed.whole(text, where="d", least=1, most=5000) == 1000


@pytest.mark.parametrize("text", ["0,5", "1,5", "10,00", "1,0000", ",100", "0,100", "1,000,"])
def test_a_decimal_comma_is_no_thousands_separator(text):
    with pytest.raises(ParameterError, match="Type a whole number from 1 to 5,000"):
        typed.whole(text, where="d", least=1, most=5000)
