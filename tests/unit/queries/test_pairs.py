"""Sensitivities by pairs: no person moves a statistic farther than the formula, and some as far.

A person's part in a statistic is a function of their rows alone, and the statistic is the sum of
the parts: that is tested here through the engine. So it is enough to know each person's part: to
add or remove one moves the statistic by it, to replace one by another by the difference of two.
"""

import dataclasses
import itertools
import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

from dpviz.errors import ParameterError
from dpviz.queries import (
    RELATIONS,
    BoundedMean,
    BoundedSum,
    Bounds,
    ByBins,
    ByColumn,
    ByTime,
    ByTwoColumns,
    Count,
    Everybody,
    Grouping,
    Query,
    Relation,
    Sensitivity,
)
from tests.conftest import few
from tests.oracles_queries import Row, Rows, one_person
from tests.unit.queries.test_values import table_of

NORMS = ("l0", "l1", "l2", "linf")
OUTSIDE = {"ward": "elsewhere", "sex": "", "age": "-1", "when": "never"}
WARDS = ("c", "a", "d", "b")
GROUPINGS: dict[str, tuple[Grouping, list[Row]]] = {  # with a row of each group
    "everybody": (Everybody(), [OUTSIDE]),
    **{
        f"{k} wards": (ByColumn("ward", WARDS[:k]), [OUTSIDE | {"ward": w} for w in WARDS[:k]])
        for k in (1, 2, 3, 4)
    },
    "pairs": (
        ByTwoColumns(ByColumn("ward", ("c", "a")), ByColumn("sex", ("m", "f"))),
        [OUTSIDE | {"ward": w, "sex": s} for w in "ca" for s in "mf"],
    ),
    "bins": (ByBins("age", (0, 10, 20)), [OUTSIDE | {"age": a} for a in ("9.9", "20")]),
    "weeks": (
        ByTime("when", "week", "2025-01-06", "2025-01-20"),
        [OUTSIDE | {"when": w} for w in ("2025-01-12 23:59", "2025-01-13")],
    ),
}
CLIPS = ((0.0, 2.0), (-1.0, 2.0), (-3.0, -1.0), (1.0, 3.0), (-2.0, 2.3))


def statistics(by: Grouping, bounds: Bounds) -> Iterator[Query]:
    yield Count(by, bounds)
    if not isinstance(by, Everybody):
        yield Count(by, bounds, total=True)
    for low, high in CLIPS:
        yield BoundedSum("x", low, high, by, bounds, step=0.5)
    yield BoundedMean("x", -1, 2, by, bounds, step=0.5)


def configurations(relation: Relation) -> Iterator[tuple[str, Query]]:
    for name, (by, cells) in GROUPINGS.items():
        for query in statistics(by, Bounds(relation=relation)):
            yield name, query
        for l0, rows in itertools.product(range(1, len(cells) + 1), (1, 2, 3)):
            bounds = Bounds("id", l0, rows, relation)
            for query in statistics(by, bounds):
                yield name, query


def universe(name: str, rows: int) -> list[Rows]:
    """Persons: in every set of groups, with up to ℓ∞ + 1 rows in each, values of every kind."""
    cells = GROUPINGS[name][1]
    found: list[Rows] = [[OUTSIDE | {"x": "1"}], [cells[0] | {"x": ""}]]
    for size in range(1, len(cells) + 1):
        for held in itertools.combinations(cells, size):
            for number, x in itertools.product(range(1, rows + 2), ("-9", "9", "1.1", "none")):
                found.append([cell | {"x": x} for cell in held for _ in range(number)])
    for values in itertools.product(("-9", "9", None), repeat=len(cells)):  # low here, high there
        held = [cell | {"x": x} for cell, x in zip(cells, values, strict=True) if x is not None]
        found += [held * rows] * bool(held)
    return found


def single_rows(name: str) -> list[Rows]:
    """Persons of one row each."""
    cells = [OUTSIDE, *GROUPINGS[name][1]]
    return [[cell | {"x": value}] for cell in cells for value in ("-9", "9", "1.1", "none", "")]


def people(name: str, query: Query) -> list[Rows]:
    bounds = query.bounds
    return single_rows(name) if bounds.person is None else universe(name, bounds.rows_per_group)


@cache
def parts(name: str, query: Query) -> Any:
    """Each different part that a person can have, one per row."""
    return np.unique([one_person(query, rows) for rows in people(name, query)], axis=0)


def observed(name: str, query: Query) -> dict[str, float]:
    """The largest move in each norm, over all persons or all pairs of them."""
    add = dataclasses.replace(query.bounds, relation="add/remove")  # type: ignore[type-var]
    vectors = parts(name, dataclasses.replace(query, bounds=add))  # type: ignore[type-var]
    moves = np.abs(vectors)
    if query.bounds.relation == "replace":
        moves = np.abs(vectors[:, None, :] - vectors[None, :, :]).reshape(-1, vectors.shape[1])
    return {
        "l0": float(np.count_nonzero(moves, axis=1).max()),
        "l1": float(moves.sum(axis=1).max()),
        "l2": math.sqrt((moves**2).sum(axis=1).max()),
        "linf": float(moves.max()),
    }


@pytest.mark.parametrize("relation", ["add/remove", "replace"])
def test_no_pair_moves_farther_than_the_formula_and_some_as_far(relation: Relation) -> None:
    checked = 0
    for name, query in configurations(relation):
        claimed = query.sensitivity
        for norm, found in observed(name, query).items():
            assert found == pytest.approx(getattr(claimed, norm), rel=1e-12), (name, query, norm)
        checked += 1
    assert checked == 516


@pytest.mark.parametrize("name", few(GROUPINGS, 2))
def test_a_table_is_the_sum_of_its_persons_through_the_engine(name: str) -> None:
    """Random persons of the universe, their rows shuffled among each other, for all bounds."""
    rng = np.random.default_rng(len(name))
    queries = [query for n, query in configurations("add/remove") if n == name]
    for query in rng.choice(np.array(queries, dtype=object), min(len(queries), 8), replace=False):
        everybody = people(name, query)
        chosen = [everybody[i] for i in rng.integers(len(everybody), size=12)]
        # each next row is of a random person who has one left, so a person's rows keep their order
        names = rng.permutation([i for i, rows in enumerate(chosen) for _ in rows])
        left = [iter(rows) for rows in chosen]
        table = table_of([next(left[i]) | {"id": f"person {i}"} for i in names])
        assert (
            query.values(table).tolist()
            == np.sum([one_person(query, rows) for rows in chosen], axis=0).tolist()
        )


def under(relation: Relation, query: Query) -> Query:
    """The same statistic between other neighbours: its numbers are the same."""
    bounds = dataclasses.replace(query.bounds, relation=relation)
    return dataclasses.replace(query, bounds=bounds)  # type: ignore[type-var]


def assert_largest_moves(query: Query, rest: Rows, tables: list[Rows]) -> None:
    """Both relations by one look at each table: a person added to the rest, or replaced."""
    one_less = query.values(table_of(rest))
    full = [query.values(table_of(rows)) for rows in tables]
    for relation, before in (("add/remove", [one_less]), ("replace", full)):
        asked = under(relation, query)
        assert asked.values(table_of(rest)).tolist() == one_less.tolist()
        moves = [float(np.abs(a - b).sum()) for a, b in itertools.product(before, full)]
        assert max(moves) == asked.sensitivity.l1


def test_pairs_of_tables_through_the_engine() -> None:
    """Tables of two and three persons, one removed or replaced by every other one."""
    by, cells = GROUPINGS["2 wards"]
    bounds = Bounds("id", 1, 2)
    kinds = [[cell | {"x": x}] * 3 for cell in cells for x in ("-9", "9")] + [
        [OUTSIDE | {"x": "1"}]
    ]
    company = [
        row | {"id": who} for who, rows in zip("qr", kinds[1:], strict=False) for row in rows
    ]
    for query in (Count(by, bounds), BoundedSum("x", -1, 2, by, bounds, step=1)):
        for rest in (company[:3], company):
            assert_largest_moves(query, rest, [[r | {"id": "p"} for r in k] + rest for k in kinds])


MARKS = ("NA", "N/A", "null", "'; DROP TABLE data; --")


def test_rows_of_a_missing_person_are_nobodys() -> None:
    """Whatever stands in rows with a mark moves nothing; near marks are persons, and move enough.

    Tables of one or two persons and any rows of nobody: with these rows, without them, and with a
    person more, less or replaced, through the engine.
    """
    by, cells = GROUPINGS["2 wards"]
    bounds = Bounds("id", 1, 2, missing=MARKS)
    nobodys = [cell | {"x": "9", "id": mark} for cell in cells for mark in (*MARKS, "", " NA ")] * 3
    persons = [
        [cell | {"x": x, "id": who}] * 3
        for cell in cells
        for x in ("-9", "9")
        for who in ("na", "NA.", "Null", "it''s", "p")
    ]
    rest = [cell | {"x": "9", "id": "q"} for cell in cells]
    for query in (Count(by, bounds), BoundedSum("x", -1, 2, by, bounds, step=1)):
        plain = dataclasses.replace(query, bounds=dataclasses.replace(bounds, missing=()))  # type: ignore[type-var]
        assert query.sensitivity == plain.sensitivity
        nobody, one_less = query.values(table_of(nobodys)), query.values(table_of(rest))
        assert nobody.tolist() == [0] * query.dimension
        assert query.values(table_of(rest + nobodys)).tolist() == one_less.tolist()
        assert plain.values(table_of(rest + nobodys)).tolist() != one_less.tolist()
        assert_largest_moves(query, rest, [nobodys[:7] + rows + rest + nobodys for rows in persons])


def test_marks_for_a_missing_person() -> None:
    assert Bounds("id", missing=["null ", "NA", "null"]) == Bounds("id", missing=("NA", "null"))  # type: ignore[arg-type]
    assert hash(Bounds("id", missing=("NA",))) != hash(Bounds("id"))
    many = tuple(str(i) for i in range(21))
    for marks, says in [
        ("NA", "must be a list of texts"),
        (("NA", " "), "mark 2 of missing is empty"),
        (("NA\0",), "mark 1 of missing"),
        (("\ud800",), "mark 1 of missing"),
        ((3,), "mark 1 of missing"),
        (many, "at most 20 marks"),
    ]:
        with pytest.raises(ParameterError, match=says):
            Bounds("id", missing=marks)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="missing must be empty where each row is one person"):
        Bounds(missing=("NA",))


# Formulas that are wrong on purpose: each is exceeded by some pair.


def replace_as_add(query: Query) -> Sensitivity:
    bounds = dataclasses.replace(query.bounds, relation="add/remove")
    return dataclasses.replace(query, bounds=bounds).sensitivity  # type: ignore[type-var]


def one_group(query: Query) -> Sensitivity:
    bounds = dataclasses.replace(query.bounds, groups_per_person=1)
    return dataclasses.replace(query, bounds=bounds).sensitivity  # type: ignore[type-var]


def one_row(query: Query) -> Sensitivity:
    bounds = dataclasses.replace(query.bounds, rows_per_group=1)
    return dataclasses.replace(query, bounds=bounds).sensitivity  # type: ignore[type-var]


def without_total(query: Query) -> Sensitivity:
    return dataclasses.replace(query, total=False).sensitivity  # type: ignore[type-var]


def only_the_upper_bound(query: Query) -> Sensitivity:
    assert isinstance(query, BoundedSum)
    return dataclasses.replace(query, lower=0.0).sensitivity


def sums_alone(query: Query) -> Sensitivity:
    one = query.sensitivity
    return Sensitivity(one.l0 // 2, one.l1 / 2, one.l2 / math.sqrt(2), one.linf)


def always_disjoint(query: Query) -> Sensitivity:
    """Replacing taken for one person gone and another come, in groups apart."""
    one = replace_as_add(query)
    return Sensitivity(one.l0 * 2, one.l1 * 2, one.l2 * math.sqrt(2), one.linf)


PAIR, ALL = Bounds("id", 2, 2, "add/remove"), Bounds("id", 3, 2, "replace")
THREE = GROUPINGS["3 wards"][0]


@pytest.mark.parametrize(
    ("wrong", "query", "norms"),
    [
        (replace_as_add, Count(THREE, Bounds("id", 1, 1, "replace")), ("l0", "l1", "l2")),
        (replace_as_add, BoundedSum("x", -1, 2, THREE, ALL, step=1), ("l2", "linf")),
        (replace_as_add, BoundedMean("x", -1, 2, THREE, ALL, step=1), ("l2", "linf")),
        (one_group, Count(THREE, PAIR), ("l0", "l1", "l2")),
        (one_group, Count(THREE, PAIR, total=True), ("l0", "l1", "l2", "linf")),
        (one_group, BoundedSum("x", 0, 2, THREE, PAIR, step=1), ("l0", "l1", "l2")),
        (one_row, Count(THREE, PAIR), ("l1", "l2", "linf")),
        (one_row, BoundedMean("x", 0, 2, THREE, PAIR, step=1), ("l1", "l2", "linf")),
        (without_total, Count(THREE, PAIR, total=True), NORMS),
        (without_total, Count(THREE, ALL, total=True), NORMS),
        (only_the_upper_bound, BoundedSum("x", -3, 2, THREE, PAIR, step=1), ("l1", "l2", "linf")),
        (sums_alone, BoundedMean("x", -1, 2, THREE, PAIR, step=1), ("l0", "l1", "l2")),
        (always_disjoint, BoundedSum("x", -1, 1, THREE, ALL, step=1), ("l2", "linf")),
    ],
)
def test_a_wrong_formula_is_exceeded(
    wrong: Callable[[Query], Sensitivity], query: Query, norms: tuple[str, ...]
) -> None:
    found, claimed = observed("3 wards", query), wrong(query)
    exceeded = tuple(n for n in NORMS if found[n] > getattr(claimed, n) * (1 + 1e-9))
    assert set(norms) <= set(exceeded)
    assert query.sensitivity != claimed


def test_directions_are_what_the_parts_are() -> None:
    claimed = [c for r in RELATIONS for c in configurations(r) if c[1].directions]
    reached = 0
    for name, query in claimed:
        assert query.directions is not None
        moves = parts(name, query)
        if query.bounds.relation == "replace":
            moves = (moves[:, None, :] - moves[None, :, :]).reshape(-1, moves.shape[1])
        both = np.sort(np.stack([(moves > 0).sum(axis=1), (moves < 0).sum(axis=1)]), axis=0)
        fewer, more = both[0].max(), both[1].max()
        assert (more <= query.directions[0]) & (fewer <= query.directions[1]), (name, query)
        reached += (more, fewer) == query.directions
    assert len(claimed) > 180
    assert reached > 90
