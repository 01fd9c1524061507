"""Names of the numbers that linear queries ask about, and of the answers: none stands twice."""

import numpy as np
import pytest

from dpviz.errors import ParameterError
from dpviz.linear.operators import dense
from dpviz.queries import BoundedSum, ByBins, ByColumn, ByTime, ByTwoColumns, Count, Everybody
from dpviz.workspace import linear
from dpviz.workspace.linear import QUARTERS, WEEKS, YEAR, of_query

QUERIES = {
    "bins": Count(ByBins("age", (0, 10, 20, 30))),
    "groups": BoundedSum("x", -1, 3, ByColumn("g", ("b", "a", "week 2")), step=0.5),
    "days": Count(ByTime("when", "day", "2025-01-06", "2025-01-09")),
    "pairs": Count(ByTwoColumns(ByColumn("g", ("a", "b")), ByColumn("h", ("a", "b", "c")))),
    "everybody": Count(Everybody()),
}
OFFERED = {
    "bins": ["running totals", "all ranges of bins", "every bin by itself"],
    "groups": ["running totals", "all ranges of groups", "every group by itself"],
    "days": ["running totals", "all ranges of days", "every day by itself"],
    "pairs": [
        "running totals",
        "all ranges of pairs",
        "row and column sums",
        "every pair by itself",
    ],
    "everybody": ["every number by itself"],
}
ALL = {name: of_query(query) for name, query in QUERIES.items()} | {"year": YEAR}


@pytest.mark.parametrize("name", OFFERED)
def test_only_what_makes_sense_is_offered(name):
    assert list(linear.offered(ALL[name])) == OFFERED[name]


@pytest.mark.parametrize("name", ALL)
def test_every_answer_has_a_name_and_a_place_of_its_own(name):
    for make in linear.offered(ALL[name]).values():
        asked = make(ALL[name])
        m, n = asked.workload.shape
        assert n == len(ALL[name].labels)
        assert len(set(asked.names)) == len(asked.names) == m


def test_names_say_which_numbers_are_summed():
    asked = linear.all_ranges(ALL["days"])
    matrix = dense(asked.workload.operator)
    at = asked.names.index("days 2025-01-07 … 2025-01-08")
    assert matrix[at].tolist() == [0, 1, 1]
    asked = linear.both_sums(ALL["pairs"])
    matrix = dense(asked.workload.operator)
    labels = ALL["pairs"].labels
    for name, row in zip(asked.names, matrix, strict=True):
        side, group = name.split("” ")
        place = 0 if side == "“g" else 1
        assert [label.split(" × ")[place] == group for label in labels] == (row == 1).tolist()
    asked = linear.totals(ALL["bins"])
    assert asked.names[1] == "up to bin 10 to 20"


def test_the_made_up_year_is_quarters_of_its_weeks():
    asked = linear.both_sums(YEAR)
    assert asked.workload.exact(WEEKS)[:QUARTERS].tolist() == [
        sum(WEEKS[13 * q : 13 * (q + 1)]) for q in range(QUARTERS)
    ]
    with pytest.raises(ParameterError, match="no rows and columns"):
        linear.both_sums(ALL["days"])


@pytest.mark.parametrize("name", ALL)
def test_the_matrix_to_begin_with_can_be_used(name):
    rows = linear.read_matrix(linear.matrix_to_begin_with(ALL[name]), ALL[name])
    asked = linear.of_matrix(rows, ALL[name])
    assert np.array_equal(dense(asked.workload.operator), np.array(rows))


def test_a_matrix_of_other_width_is_refused_for_a_statistic_alone():
    assert len(linear.read_matrix("1 1", YEAR)) == 1
    for text in ("1 1", "1 1 1 1"):
        with pytest.raises(ParameterError, match=r"the statistic has 3 days"):
            linear.read_matrix(text, ALL["days"])


def test_ranges_are_offered_up_to_their_limit():
    for count in (linear.MOST_RANGED, linear.MOST_RANGED + 1):
        numbers = of_query(Count(ByBins("x", tuple(range(count + 1)))))
        is_offered = "all ranges of bins" in linear.offered(numbers)
        assert is_offered == (count == linear.MOST_RANGED)
