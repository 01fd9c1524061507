"""The farthest moves of a query are moves of real persons, and none is found more easily by them.

Persons and pairs of them are those of `test_pairs`, their parts by the literal oracle.
"""

import numpy as np
import pytest

from dpviz.experiments.attack_tests import best_success, most_exposed
from dpviz.experiments.moved import Moved, moves_of
from dpviz.noise import FAMILIES
from dpviz.queries import BoundedMean, BoundedSum, Bounds, Count, Sensitivity
from dpviz.queries.sensitivity import real_moves
from tests.conftest import few
from tests.unit.queries.test_pairs import GROUPINGS, configurations, parts, under

WARDS = GROUPINGS["3 wards"][0]
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


@pytest.mark.parametrize("relation", ["add/remove", "replace"])
def test_each_farthest_move_is_one_that_a_person_makes(relation):
    for name, query in few(configurations(relation), 9):
        real = shapes(changes(name, query))
        for move in query.moves:
            assert written_out(move, query.dimension) in real, (name, query, move)
        assert bool(query.moves) == (query.sensitivity.l1 > 0)
        if query.moves:
            longest = max(m.l2 for m in moves_of(query))
            assert longest == pytest.approx(query.sensitivity.l2), (name, query)


def statistics(relation):
    bounds = Bounds("id", 2, 2, relation)
    yield Count(WARDS, bounds)
    yield Count(WARDS, bounds, total=True)
    for low, high in ((0, 2), (-1, 2), (-2, 2), (-3, -1)):
        yield BoundedSum("x", low, high, WARDS, bounds, step=1)
    yield BoundedMean("x", -1, 2, WARDS, bounds, step=1)


@pytest.mark.parametrize(("noise", "level"), few(NOISE, 4))
@pytest.mark.parametrize("relation", ["add/remove", "replace"])
def test_nobody_is_found_more_easily_than_by_the_farthest_moves(relation, noise, level):
    """The number of the risk card against every pair of persons there is."""
    family = FAMILIES[noise]
    for query in statistics(relation):
        worst = most_exposed(family, level, moves_of(query))
        claimed = best_success(family, [level], worst)
        for vector in shapes(changes("3 wards", query)):
            move = real_moves(tuple((shift, 1) for shift in vector))
            if move:
                found = best_success(family, [level], Moved(move[0]))
                assert found <= claimed + 1e-9, (query, move, worst)


def test_several_rows_and_groups_move_a_sum_further_than_one():
    one, many = Bounds("id"), Bounds("id", 2, 3)
    near, far = (moves_of(BoundedSum("x", 0, 50, WARDS, b, step=1))[0] for b in (one, many))
    assert (near.shifts, far.shifts) == (((50.0, 1),), ((150.0, 2),))
    family = FAMILIES["laplace"]
    level = 100.0
    assert best_success(family, [level], far) > best_success(family, [level], near) + 0.1


def test_a_public_statistic_has_no_moves():
    query = Count(GROUPINGS["everybody"][0], Bounds(relation="replace"))
    assert (query.moves, query.sensitivity) == ((), Sensitivity(0, 0.0, 0.0, 0.0))
