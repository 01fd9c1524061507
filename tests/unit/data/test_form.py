"""The form of a column: what every value is like, and what can therefore be none of them."""

import pytest

from dpviz.data import Reading, read_csv
from dpviz.data.form import Form, form_of

FITS: list[tuple[tuple[str, ...], str, tuple[str, ...], tuple[str, ...]]] = [
    (
        ("01000", "01100"),
        "5 characters, leading zeros kept",
        ("01200",),
        ("1000", "0100A", "٠١٢٣٤"),
    ),
    (("007", "1000"), "digits alone, leading zeros kept", ("1", "0"), ("1a", "-1")),
    (("AB", "CD", ""), "2 characters", ("éé",), ("A", "ABC")),
    (("A", "B"), "1 character", ("C",), ("AA",)),
    (("north", "east"), "", ("anything",), ()),
    (("1", "20", "-3"), "whole numbers without leading zeros", ("0", "-7"), ("01", "1.0", "+1")),
    (("1.5", "2"), "numbers with a decimal point", ("2.50", "-1"), ("1,5", "x")),
    (("2025-12-31",), "dates such as 2025-12-31", ("2024-01-01",), ("31.12.2025",)),
    (("2025-12-31 14:05",), "dates or times such as 2025-12-31 14:05", ("2025-12-31",), ("noon",)),
    (("true", "false"), "true or false", ("TRUE",), ("yes",)),
    (("", ""), "", ("x",), ()),
]


@pytest.mark.parametrize(("values", "said", "can", "cannot"), FITS)
def test_a_form_is_that_of_every_value(
    values: tuple[str, ...], said: str, can: tuple[str, ...], cannot: tuple[str, ...]
) -> None:
    table = read_csv("".join(f"{v};x\n" for v in ("v", *values)).encode(), name="t.csv")
    form = form_of(table, "v")
    assert form is not None
    assert form.described == said
    assert all(map(form.fits, (*(v for v in values if v), *can)))
    assert not any(map(form.fits, cannot))


def test_one_value_hides_the_form_of_all_others() -> None:
    values = ["01000"] * 50
    table = read_csv("\n".join(["v;w", *(f"{v};x" for v in values), "2A;x"]).encode())
    assert form_of(table, "v") == Form(kind="text")
    marked = table.read_as({"v": Reading(missing=("2A",))})
    assert form_of(marked, "v") == Form(kind="text", length=5, digits=True)
    assert form_of(table.read_as({"v": Reading(kind="yes/no")}), "v") is None
