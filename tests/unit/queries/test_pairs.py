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

from dpviz.data import Reading, Table
from dpviz.errors import ParameterError
from dpviz.experiments.attack_tests import Moved, best_success, most_exposed, moves_of
from dpviz.noise import FAMILIES
from dpviz.queries import (
    RELATIONS,
    BoundedMean,
    BoundedSum,
    Bounds,
    ByBins,
    ByColumn,
    ByCycle,
    ByThreeColumns,
    ByTime,
    ByTwoColumns,
    Count,
    Everybody,
    Grouping,
    Query,
    Relation,
    Sensitivity,
)
from dpviz.queries.sensitivity import real_moves
from tests.conftest import FULL, few, for_each, full_run
from tests.oracles_queries import Row, Rows, one_person, turns
from tests.unit.queries.test_values import table_of

NORMS = ("l0", "l1", "l2", "linf")
OUTSIDE = {"ward": "elsewhere", "sex": "", "age": "-1", "when": "never", "ill": "?"}
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
    "names": (
        ByColumn("ward", ("c", "a"), names=("a", "men")),
        [OUTSIDE | {"ward": w} for w in "ca"],
    ),
    "three": (
        ByThreeColumns(
            ByColumn("ward", ("c",)), ByColumn("sex", ("m", "f")), ByColumn("ill", ("1",))
        ),
        [OUTSIDE | {"ward": "c", "sex": s, "ill": "1"} for s in "mf"],
    ),
    "quarters": (
        ByTime("when", "quarter", "2024-10-01", "2025-04-01"),
        [OUTSIDE | {"when": w} for w in ("2024-12-31 23:59", "2025-01-01")],
    ),
    "years": (
        ByTime("when", "year", "2024-01-01", "2026-01-01"),
        [OUTSIDE | {"when": w} for w in ("2024-12-31 23:59", "2025-01-01")],
    ),
    "seasons": (
        ByCycle("when", "quarter of the year"),
        [OUTSIDE | {"when": f"20{m}-{m}-30"} for m in ("12", "09", "06", "03")[::-1]],
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
    return moves(parts(name, under("add/remove", query)), query.bounds.relation)


def moves(vectors: Any, relation: Relation) -> dict[str, float]:
    """The same over all persons, or pairs of them, who have these parts."""
    moved = np.abs(vectors)
    if relation == "replace":
        moved = np.abs(vectors[:, None, :] - vectors[None, :, :]).reshape(-1, vectors.shape[1])
    return {
        "l0": float(np.count_nonzero(moved, axis=1).max()),
        "l1": float(moved.sum(axis=1).max()),
        "l2": math.sqrt((moved**2).sum(axis=1).max()),
        "linf": float(moved.max()),
    }


@pytest.mark.parametrize("relation", ["add/remove", "replace"])
def test_no_pair_moves_farther_than_the_formula_and_some_as_far(relation: Relation) -> None:
    configured = [*configurations(relation)]
    assert len(configured) == 844
    for name, query in few(configured, 15):
        claimed = query.sensitivity
        for norm, found in observed(name, query).items():
            assert found == pytest.approx(getattr(claimed, norm), rel=1e-12), (name, query, norm)


@pytest.mark.parametrize("name", few(GROUPINGS, 7))
def test_a_table_is_the_sum_of_its_persons_through_the_engine(name: str) -> None:
    """Random persons of the universe, their rows shuffled among each other, for all bounds."""
    rng = np.random.default_rng(len(name))
    queries = [query for n, query in configurations("add/remove") if n == name]
    for query in rng.choice(
        np.array(queries, dtype=object), min(len(queries), 8 if FULL else 2), replace=False
    ):
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


def assert_largest_moves(query: Query, rest: Rows, tables: list[Rows], read: Any) -> None:
    """Both relations by one look at each table: a person added to the rest, or replaced."""
    one_less = query.values(read(rest))
    full = [query.values(read(rows)) for rows in tables]
    for relation, before in (("add/remove", [one_less]), ("replace", full)):
        asked = under(relation, query)
        assert asked.values(read(rest)).tolist() == one_less.tolist()
        moves = [float(np.abs(a - b).sum()) for a, b in itertools.product(before, full)]
        assert max(moves) == asked.sensitivity.l1


MARKS = ("NA", "N/A", "null", "'; DROP TABLE data; --")


def read_with_marks(rows: Rows) -> Table:
    return table_of(rows).read_as({"id": Reading(missing=MARKS)})


def test_rows_of_a_missing_person_are_nobodys() -> None:
    """Whatever stands in rows with a mark moves nothing; near marks are persons, and move enough.

    Tables of one or two persons and any rows of nobody: with these rows, without them, and with a
    person more, less or replaced, through the engine.
    """
    by, cells = GROUPINGS["2 wards"]
    bounds = Bounds("id", 1, 2)
    nobodys = [cell | {"x": "9", "id": mark} for cell in cells for mark in (*MARKS, "", " NA ")] * 3
    persons = [
        [cell | {"x": x, "id": who}] * 3
        for cell in cells
        for x in ("-9", "9")
        for who in ("na", "NA.", "Null", "it''s", "p")
    ]
    rest = [cell | {"x": "9", "id": "q"} for cell in cells]
    for query in few((BoundedSum("x", -1, 2, by, bounds, step=1), Count(by, bounds)), 2):
        nobody, one_less = query.values(read_with_marks(nobodys)), query.values(table_of(rest))
        assert nobody.tolist() == [0] * query.dimension
        assert query.values(read_with_marks(rest + nobodys)).tolist() == one_less.tolist()
        assert query.values(table_of(rest + nobodys)).tolist() != one_less.tolist()
        full = [nobodys[:7] + rows + rest + nobodys for rows in few(persons, 4)]
        assert_largest_moves(query, rest, full, read_with_marks)


SALT = "'; DROP TABLE data; -- ✚"
WHO = ("p", "q", "it's", "1")


def test_a_shuffled_order_moves_as_far_as_the_list_and_no_farther() -> None:
    """Persons of every set of groups under several names, since the order depends on the name."""
    for name, (l0, rows) in itertools.product(("2 wards", "3 wards"), ((1, 1), (2, 2))):
        by = GROUPINGS[name][0]
        people = [[r | {"id": who} for r in one] for one in universe(name, rows) for who in WHO]
        for relation in RELATIONS:
            bounds = Bounds("id", l0, rows, relation, salt=SALT)
            for query in statistics(by, bounds):
                vectors = np.unique([one_person(query, one) for one in people], axis=0)
                found = moves(vectors, relation)
                for norm in NORMS:
                    claimed = getattr(query.sensitivity, norm)
                    assert found[norm] == pytest.approx(claimed, rel=1e-12), (name, query, norm)
                listed = dataclasses.replace(query, bounds=Bounds("id", l0, rows, relation))  # type: ignore[type-var]
                assert listed.sensitivity == query.sensitivity


def test_no_group_is_always_last_once_a_salt_shuffles_them() -> None:
    """2,000 persons who are in all four wards and count in two: each ward should have half of them.

    By the list the last two wards have nobody. By the salt each has 1,000 ± 4 standard errors of
    √(2000/4) = 22.4, so within 90; and another salt chooses others.
    """
    wards = GROUPINGS["4 wards"][0]
    table = table_of([{"id": str(i), "ward": ward} for i in range(2000) for ward in WARDS])
    first = Count(wards, Bounds("id", 2)).values(table)
    assert first.tolist() == [2000, 2000, 0, 0]
    for salt in ("spring 2026", "autumn 2026"):
        counts = Count(wards, Bounds("id", 2, salt=salt)).values(table)
        assert counts.sum() == 4000
        assert (abs(counts - 1000) < 90).all()
    one, other = (
        [turns(Count(wards, Bounds("id", 1, salt=s)), [{"id": str(i)}], range(4))[0] for i in WHOLE]
        for s in ("spring 2026", "autumn 2026")
    )
    assert 0.15 < np.mean([a == b for a, b in zip(one, other, strict=True)]) < 0.35  # about 1 in 4


WHOLE = range(500)


def test_salts() -> None:
    assert Bounds("id", salt=" 2026 ") == Bounds("id", salt="2026") != Bounds("id")
    for salt, says in (("a\nb", "plain characters"), ("s" * 41, "at most 40"), (3, "public text")):
        with pytest.raises(ParameterError, match=says):
            Bounds("id", salt=salt)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="salt must be empty where each row is one person"):
        Bounds(salt="2026")


# Formulas that are wrong on purpose: each is exceeded by some pair.


def replace_as_add(query: Query) -> Sensitivity:
    return under("add/remove", query).sensitivity


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


@for_each(
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


@full_run
def test_directions_are_what_the_parts_are() -> None:
    configured = [c for r in RELATIONS for c in few(configurations(r), 3)]
    claimed = [c for c in configured if c[1].directions]
    reached = 0
    for name, query in claimed:
        assert query.directions is not None
        moves = changes(name, query)
        both = np.sort(np.stack([(moves > 0).sum(axis=1), (moves < 0).sum(axis=1)]), axis=0)
        fewer, more = both[0].max(), both[1].max()
        assert (more <= query.directions[0]) & (fewer <= query.directions[1]), (name, query)
        reached += (more, fewer) == query.directions
    assert len(claimed) > (180 if FULL else 60)
    assert reached > (90 if FULL else 30)


# The sensitivities are norms of one vector.


def test_bounded_gives_the_norms_of_the_full_vector() -> None:
    for l0, linf in itertools.product((1, 3, 100_000), (0.0, 1.0, 7.25)):
        vector = np.full(l0, linf)
        norms = (l0, vector.sum(), np.linalg.norm(vector), linf)
        found = dataclasses.astuple(Sensitivity.bounded(l0, linf))
        assert found == pytest.approx(norms, rel=1e-12)
    with pytest.raises(ParameterError, match="l0 must be a whole number of at least 1"):
        Sensitivity.bounded(0)


# The farthest moves of a query are moves of real persons, and none is found more easily by them.
#
# Persons and pairs of them are those of `test_pairs`, their parts by the literal oracle.


THREE_WARDS = GROUPINGS["3 wards"][0]


NOISE = [("laplace", 3.0), ("discrete_laplace", 3.0), ("skellam", 9.0), ("poisson", 9.0)]


def changes(name, query):
    """Every move of a person, or of one for another."""
    vectors = parts(name, under("add/remove", query))
    if query.bounds.relation == "add/remove":
        return vectors
    return (vectors[:, None, :] - vectors[None, :, :]).reshape(-1, vectors.shape[1])


def shapes(vectors):
    """Moves without the places, each in both directions."""
    both = np.concatenate([vectors, -vectors])
    return {tuple(row) for row in np.unique(np.sort(both, axis=1), axis=0).tolist()}


def written_out(move, dimension):
    shifts = [shift for shift, count in move for _ in range(count)]
    return tuple(sorted(shifts + [0.0] * (dimension - len(shifts))))


@full_run
@pytest.mark.parametrize("relation", ["add/remove", "replace"])
def test_each_farthest_move_is_one_that_a_person_makes(relation):
    for name, query in few(configurations(relation), 20):
        real = shapes(changes(name, query))
        for move in query.moves:
            assert written_out(move, query.dimension) in real, (name, query, move)
        assert bool(query.moves) == (query.sensitivity.l1 > 0)
        if query.moves:
            longest = max(m.l2 for m in moves_of(query))
            assert longest == pytest.approx(query.sensitivity.l2), (name, query)


def moving_statistics(relation):
    bounds = Bounds("id", 2, 2, relation)
    yield Count(THREE_WARDS, bounds)
    yield Count(THREE_WARDS, bounds, total=True)
    for low, high in ((0, 2), (-1, 2), (-2, 2), (-3, -1)):
        yield BoundedSum("x", low, high, THREE_WARDS, bounds, step=1)
    yield BoundedMean("x", -1, 2, THREE_WARDS, bounds, step=1)


@full_run
@pytest.mark.parametrize(("noise", "level"), few(NOISE, 4))
@pytest.mark.parametrize("relation", ["add/remove", "replace"])
def test_nobody_is_found_more_easily_than_by_the_farthest_moves(relation, noise, level):
    """The number of the risk card against every pair of persons there is."""
    family = FAMILIES[noise]
    for query in few(moving_statistics(relation), 4):
        worst = most_exposed(family, level, moves_of(query))
        claimed = best_success(family, [level], worst)
        for vector in shapes(changes("3 wards", query)):
            move = real_moves(tuple((shift, 1) for shift in vector))
            if move:
                found = best_success(family, [level], Moved(move[0]))
                assert found <= claimed + 1e-9, (query, move, worst)


def test_several_rows_and_groups_move_a_sum_further_than_one():
    one, many = Bounds("id"), Bounds("id", 2, 3)
    near, far = (moves_of(BoundedSum("x", 0, 50, THREE_WARDS, b, step=1))[0] for b in (one, many))
    assert (near.shifts, far.shifts) == (((50.0, 1),), ((150.0, 2),))
    family = FAMILIES["laplace"]
    level = 100.0
    assert best_success(family, [level], far) > best_success(family, [level], near) + 0.1


def test_a_public_statistic_has_no_moves():
    query = Count(GROUPINGS["everybody"][0], Bounds(relation="replace"))
    assert (query.moves, query.sensitivity) == ((), Sensitivity(0, 0.0, 0.0, 0.0))
