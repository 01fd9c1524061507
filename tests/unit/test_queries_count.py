"""The counts are right, and one person moves them by no more than the sensitivities say."""

import csv
import dataclasses
import io
import itertools
import math
from typing import Any

import ibis
import numpy as np
import pytest

from dpviz.data import Table, read_csv
from dpviz.errors import DataError, ParameterError
from dpviz.queries import MAX_GROUPS, CountPerGroup
from tests.oracles_queries import count_people

Rows = list[dict[str, str]]
GROUPS = ("d", "a", "c", "b")  # not the alphabet's order
HOSTILE = [
    '"; DROP TABLE data; --',
    "a' OR '1'='1",
    "ward name",
    "position",
    "value",
    "Łódź ☃",
    "%",
]


def table_of(rows: Rows) -> Table:
    memory = io.StringIO()
    writer = csv.DictWriter(memory, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return read_csv(memory.getvalue().encode(), name="random")


def random_rows(rng: np.random.Generator) -> Rows:
    """Few people in few groups, some values missing or outside the list, rows repeated."""
    people = rng.choice(["p", "q", "r", "s", ""], rng.integers(6, 14)).tolist()
    wards = rng.choice([*"abcde", ""], len(people)).tolist()
    return [{"id": person, "ward": ward} for person, ward in zip(people, wards, strict=True)]


QUERIES = [CountPerGroup("ward", GROUPS)] + [
    CountPerGroup("ward", GROUPS, person="id", groups_per_person=l0) for l0 in (1, 2, 3, 4)
]


@pytest.mark.parametrize("number", range(6))
def test_counts_are_those_of_the_definition(number: int) -> None:
    rng = np.random.default_rng(number)
    rows = random_rows(rng)
    table = table_of(rows)
    for query in QUERIES:
        got = query.counts(table)
        assert got.dtype == np.int64
        assert got.tolist() == count_people(
            rows, "ward", list(GROUPS), query.person, query.groups_per_person
        )


class Unbounded(CountPerGroup):
    """A broken query: it forgets ℓ₀."""

    def _bounded(self, matched: Any) -> Any:
        return matched.filter(matched.person.notnull()).select("person", "position").distinct()


class Repeating(CountPerGroup):
    """A broken query: it counts rows, not people."""

    def _bounded(self, matched: Any) -> Any:
        pairs = matched.filter(matched.person.notnull())
        first = pairs.position.dense_rank().over(group_by="person", order_by="position")
        return pairs.mutate(place=first).filter(lambda row: row.place < self.groups_per_person)


class MostPopularFirst(CountPerGroup):
    """A broken query: which groups are kept depends on how many others are in them."""

    def _bounded(self, matched: Any) -> Any:
        pairs = matched.select("person", "position").distinct()
        sizes = pairs.group_by("position").aggregate(size=pairs.count())
        order = [ibis.desc("size"), ibis.asc("position")]
        place = ibis.row_number().over(group_by="person", order_by=order)
        sized = pairs.join(sizes, "position").mutate(place=place)
        return sized.filter(lambda row: row.place < self.groups_per_person)


def norms(change: np.ndarray) -> dict[str, float]:
    size = np.abs(change)
    return {
        "l0": float(np.count_nonzero(size)),
        "l1": float(size.sum()),
        "l2": float(np.linalg.norm(size)),
        "linf": float(size.max()),
    }


def largest_change(query: CountPerGroup, tables: list[Rows]) -> dict[str, float]:
    """Over all tables and all people: remove them (or, read backwards, add them)."""
    largest = dict.fromkeys(("l0", "l1", "l2", "linf"), 0.0)
    for rows in tables:
        full = query.counts(table_of(rows))
        if query.person is None:
            smaller = [rows[:i] + rows[i + 1 :] for i in range(len(rows))]
        else:
            people = {row[query.person] for row in rows} - {""}
            smaller = [[row for row in rows if row[query.person] != p] for p in sorted(people)]
        for neighbour in smaller:
            if neighbour:  # a file needs one row
                found = norms(full - query.counts(table_of(neighbour)))
                largest = {norm: max(largest[norm], found[norm]) for norm in largest}
    return largest


# A person in every group, more than once; one who fills the first ward; and two random tables.
CROWDED: list[Rows] = [
    [
        {"id": p, "ward": w}
        for p, wards in (("p", "abcdabcd"), ("q", "dde"), ("r", "b"))
        for w in wards
    ],
    *(random_rows(np.random.default_rng(seed)) for seed in (11, 12)),
]


@pytest.mark.parametrize("query", QUERIES, ids=lambda q: f"{q.person}-{q.groups_per_person}")
def test_one_person_moves_the_counts_as_far_as_the_formula_and_no_farther(
    query: CountPerGroup,
) -> None:
    assert largest_change(query, CROWDED) == pytest.approx(
        dataclasses.asdict(query.sensitivity), rel=1e-12
    )


@pytest.mark.parametrize(
    ("broken", "norm"),
    [(Unbounded, "l0"), (Unbounded, "l2"), (Repeating, "linf"), (Repeating, "l1")],
)
def test_a_query_that_does_not_keep_the_bound_is_found_out(
    broken: type[CountPerGroup], norm: str
) -> None:
    query = broken("ward", GROUPS, person="id", groups_per_person=2)
    assert largest_change(query, CROWDED[:1])[norm] > getattr(query.sensitivity, norm)


def test_a_rule_that_looks_at_others_is_found_out() -> None:
    visits = {"p": "d", "q": "ad", "r": "ad", "s": "ad"}  # without p, ward a is as full as ward d
    rows = [{"id": p, "ward": w} for p, wards in visits.items() for w in wards]
    query = MostPopularFirst("ward", ("a", "d"), person="id")
    assert largest_change(query, [rows])["l1"] == 7
    assert largest_change(CountPerGroup("ward", ("a", "d"), person="id"), [rows])["l1"] == 1


def test_order_of_rows_does_not_matter() -> None:
    rows = random_rows(np.random.default_rng(5))
    for query in QUERIES:
        assert (query.counts(table_of(rows)) == query.counts(table_of(rows[::-1]))).all()


def test_the_order_of_the_list_is_the_rule() -> None:
    table = table_of([{"id": "p", "ward": w} for w in "abcd"])
    for groups in itertools.permutations("abcd"):
        kept = CountPerGroup("ward", groups, person="id", groups_per_person=2).counts(table)
        assert kept.tolist() == [1, 1, 0, 0]


@pytest.mark.parametrize(
    ("values", "groups", "counts"),
    [
        ("1 25 25 -3", ["25", "-3", "025", "25.0", "3"], [2, 1, 0, 0, 0]),
        ("2.50 3 3.0 .5", ["2.5", "2.50", "3", "3.0", "0.5"], [0, 1, 1, 1, 0]),
        ("TRUE false True", ["true", "false", "TRUE"], [0, 1, 1]),
        ("2026-01-31 2026-02-01", ["2026-01-31", "31.01.2026"], [1, 0]),
        ("007 7 07", ["007", "7"], [1, 1]),
        ("a A á", ["a", "A"], [1, 1]),
        ("a_b axb a%", ["a_b", "a%", "%"], [1, 1, 0]),  # no wildcards
        ("NULL null None", ["NULL", "None"], [1, 1]),
    ],
)
def test_values_are_compared_as_written(values: str, groups: list[str], counts: list[int]) -> None:
    table = table_of([{"x": value} for value in values.split()])
    assert CountPerGroup("x", tuple(groups)).counts(table).tolist() == counts


def test_white_space_around_groups_values_and_people() -> None:
    rows = [{"id": " p", "ward": "a "}, {"id": "p ", "ward": "\u00a0a"}, {"id": " ", "ward": "a"}]
    query = CountPerGroup("ward", (" a\t", "\u00a0b "), person="id")
    assert query.groups == ("a", "b")
    assert query.counts(table_of(rows)).tolist() == [1, 0]


def test_people_with_numbers_for_names_do_not_merge() -> None:
    names = ["9007199254740993.0", "9007199254740992.0", "12345678901234567890", "1.5", "1.50"]
    rows = [{"id": name, "ward": "a"} for name in names]
    assert CountPerGroup("ward", ("a",), person="id").counts(table_of(rows)).tolist() == [5]


class AsTyped(CountPerGroup):
    """A broken query: it compares typed values, and the type of a column depends on everybody."""

    def counts(self, table: Table) -> Any:
        text = table.collect(table.expression.select(v=table.typed(self.column).cast("string")))
        values = text["v"].to_pylist()
        return np.array([values.count(group) for group in self.groups])


@pytest.mark.parametrize(
    ("values", "odd", "groups"),
    [
        ("25.50 25.50 25.50", "x", ("25.50", "25.5")),
        ("25 25 25", "2.5", ("25.0", "25")),
        ("TRUE TRUE TRUE", "x", ("TRUE", "true")),
        ("2026-01-31 2026-01-31", "2026-01-31T10:00", ("2026-01-31", "2026-01-31 00:00:00")),
    ],
)
def test_one_odd_value_does_not_change_how_others_are_counted(
    values: str, odd: str, groups: tuple[str, ...]
) -> None:
    tables = [[{"ward": value} for value in [odd, *values.split()]]]
    assert largest_change(CountPerGroup("ward", groups), tables)["l1"] == 1
    assert largest_change(AsTyped("ward", groups), tables)["l1"] > 1


def test_hostile_names_and_groups() -> None:
    rows = [dict(zip(HOSTILE, HOSTILE[i:] + HOSTILE[:i], strict=True)) for i in range(7)]
    table = table_of(rows)
    for column, person in itertools.pairwise([*HOSTILE, HOSTILE[0]]):
        query = CountPerGroup(column, tuple(HOSTILE), person=person, groups_per_person=7)
        assert query.counts(table).tolist() == [1] * 7
    assert table.rows() == 7


def test_a_list_of_a_hundred_thousand_groups() -> None:
    table = table_of([{"id": str(i % 1000), "n": str(i)} for i in range(2000)])
    groups = tuple(str(i) for i in range(MAX_GROUPS))
    counts = CountPerGroup("n", groups).counts(table)
    assert counts.sum() == counts[:2000].sum() == 2000
    counts = CountPerGroup("n", groups, person="id", groups_per_person=1).counts(table)
    assert counts.sum() == counts[:1000].sum() == 1000


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"groups": ()}, "no groups; list at least one"),
        ({"groups": "abc"}, "must be a list of texts"),
        ({"groups": None}, "must be a list of texts"),
        ({"groups": ("a", 3)}, "group 2 is not text"),
        ({"groups": ("a", None)}, "group 2 is not text"),
        ({"groups": ("a", "\ud800")}, "group 2 is not text"),
        ({"groups": ("a", " ")}, "group 2 is empty"),
        ({"groups": ("Zanzibar", "b", " Zanzibar")}, "groups 1 and 3 are the same"),
        ({"groups": map(str, range(MAX_GROUPS + 1))}, "at most 100,000 groups"),
        ({"person": "id", "groups_per_person": 0}, "at least 1, got 0"),
        ({"person": "id", "groups_per_person": -1}, "at least 1, got -1"),
        ({"person": "id", "groups_per_person": 5}, "at most the number of groups, 4, got 5"),
        ({"person": "id", "groups_per_person": 1.5}, "whole number"),
        ({"person": "id", "groups_per_person": math.nan}, "whole number"),
        ({"person": "id", "groups_per_person": True}, "whole number"),
        ({"groups_per_person": 2}, "must be 1 where each row is one person"),
        ({"person": "ward"}, "cannot also be the column that is counted"),
    ],
)
def test_refusals(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(ParameterError, match=says) as caught:
        CountPerGroup(**{"column": "ward", "groups": GROUPS, **changes})
    assert "Zanzibar" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("column", "person"), [("nobody", None), ("ward", "nobody"), ("Ward", "id")]
)
def test_a_column_that_is_not_there(column: str, person: str | None) -> None:
    table = table_of([{"id": "p", "ward": "a"}])
    with pytest.raises(DataError, match=r"no column “(nobody|Ward)”; choose one of its 2 columns"):
        CountPerGroup(column, GROUPS, person=person).counts(table)


def test_what_people_read() -> None:
    by_row, by_person = QUERIES[0], QUERIES[3]
    assert by_row.statistic == "number of people per group of “ward”"
    assert by_row.unit == "one person = one row"
    assert by_person.unit == "one person = all rows with the same “id”"
    assert by_person.neighbours == "add or remove one person"
    assert "at most 3 groups: the first 3 in the order of the list" in by_person.contribution
    assert "at most 1 group: the first 1 in" in QUERIES[1].contribution
    assert "at most once" in by_row.contribution


def test_queries_are_facts() -> None:
    query = CountPerGroup("ward", ["a ", "b"])  # type: ignore[arg-type]
    assert query == CountPerGroup("ward", ("a", "b"))
    assert len({query, CountPerGroup("ward", ("a", "b"))}) == 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        query.column = "x"  # type: ignore[misc]
