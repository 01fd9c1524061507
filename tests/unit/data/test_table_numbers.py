"""Numbers, moments and places are read row by row: one odd value changes nothing for the others."""

from datetime import datetime

import pytest

from dpviz.data import read_csv
from dpviz.errors import DataError
from tests.oracles_queries import moment, number

WRITTEN = (
    "0 -0 1 +3 007 .5 5. -.5e-3 1e5 1E+05 1e-400 0.1 12345678901234567890 1.7976931348623157e308 "
    "1e309 -1e400 NaN nan -nan inf -inf Infinity 0x1F 1_000 1,5 1.5.2 . - + e5 1e 1e+ --1 +-1 ١ ½ "
    "1d 1f true None 1/2 10% 0b1 0.30000000000000004 9007199254740993 4.9e-324"
)
NUMBERS = WRITTEN.split()
MOMENTS = (
    "2025-01-06",
    "2025-01-06 13:05",
    "2025-01-06T13:05",
    "2025-01-06T13:05Z",
    "2025-01-06 13:05:09",
    "2025-01-06T13:05:09.123Z",
    "2025-01-06 23:59:59.999999",
    "2024-02-29",
    "2025-02-29",
    "2025-13-01",
    "2025-01-06 24:00",
    "2025-12-31T24:00:00.000Z",
    "2025-02-29 24:00",
    "2025-01-06 24:00:01",
    "2025-01-06 24:00:00.5",
    "2025-01-06 24:30",
    "2025-01-06 13:60",
    "2025-01-06 13",
    "2025-01-06Z",
    "2025-01-06 13:05+02:00",
    "2025-01-06 23:59:59.9999999",
    "25-01-06",
    "2025-1-6",
    "20250106",
    "06.01.2025",
    "13:05",
    "infinity",
    "epoch",
    "now",
    "2025-01-06  13:05",
    "٢٠٢٥-01-06",
)


def read(values: tuple[str, ...] | list[str], name: str) -> list[object]:
    table = read_csv(("v\tw\n" + "".join(f"{v}\tx\n" for v in values)).encode(), name="t")
    expression = table.expression.select(v=getattr(table, name)("v"), place=table.turns()["place"])
    answer = table.collect(expression.order_by("place"))
    assert answer["place"].to_pylist() == list(range(len(values)))
    return answer["v"].to_pylist()


def test_numbers_are_those_of_the_definition() -> None:
    found = read([*NUMBERS, ""], "number")
    assert found == [*map(number, NUMBERS), None]
    assert sum(value is not None for value in found) == 17


def test_moments_are_those_of_the_definition() -> None:
    found = read([*MOMENTS, ""], "moment")
    assert found == [*map(moment, MOMENTS), None]
    assert found[1:3] == [datetime(2025, 1, 6, 13, 5)] * 2
    assert sum(value is not None for value in found) == 10


@pytest.mark.parametrize(
    ("name", "values", "odd"),
    [("number", ("1", "2.5", "3"), "x"), ("moment", ("2025-01-06", "2025-01-07"), "13:00")],
)
def test_one_odd_value_changes_nothing_for_the_others(
    name: str, values: tuple[str, ...], odd: str
) -> None:
    assert read([*values, odd], name) == [*read(values, name), None]


def test_place_is_the_order_of_the_file_in_a_long_one() -> None:
    rows = 300_000  # several of the engine's row groups, read by several threads
    table = read_csv(("v\n" + "\n".join(map(str, range(rows)))).encode(), name="t")
    expression = table.expression.select(v=table.number("v"), place=table.turns()["place"])
    answer = table.collect(expression.filter(lambda row: row.v != row.place))
    assert answer.num_rows == 0


@pytest.mark.parametrize("name", ["number", "moment"])
def test_a_column_that_is_not_there(name: str) -> None:
    table = read_csv(b"a,b\n1,2\n", name="t")
    with pytest.raises(DataError, match="no column “c”"):
        getattr(table, name)("c")
