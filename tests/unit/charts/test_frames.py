"""Frames of the page Data: columns as declared, and what one person moves."""

from itertools import product

import numpy as np
import pytest

from dpviz.charts.data.bounding import BOUNDING, KEPT, bounding_frame, kept_frame
from dpviz.charts.data.influence import INFLUENCE, influence_frame
from dpviz.queries import BoundedMean, BoundedSum, Bounds, ByColumn, Count, Everybody, Kept

BY = ByColumn("place", ("north", "south", "east"))


def bounded_queries():
    """Queries of every kind with bounds on a person, for both relations."""
    for relation, groups, rows in product(("add/remove", "replace"), (1, 2, 3), (1, 2)):
        bounds = Bounds("who", groups, rows, relation)
        yield Count(BY, bounds)
        yield BoundedSum("euros", -8, 24, by=BY, bounds=bounds, step=0.125)
        yield BoundedSum("euros", 16, 24, by=BY, bounds=bounds)
        yield BoundedMean("euros", 0, 50, by=BY, bounds=bounds)
        if relation == "add/remove":
            yield Count(BY, bounds, total=True)
        if groups == 1:
            yield Count(Everybody(), bounds)
            yield BoundedSum("euros", -8, 24, bounds=bounds)


@pytest.mark.parametrize("query", list(bounded_queries()), ids=repr)
def test_the_picture_of_one_person_attains_the_sensitivity(query):
    frame, norms = influence_frame(query), query.sensitivity
    assert tuple(frame.columns) == INFLUENCE
    assert list(frame["group"]) == list(query.entries)
    moved = frame["change"].to_numpy() / query.step
    assert np.abs(moved).sum() == pytest.approx(norms.l1)
    assert np.abs(moved).max() <= norms.linf * (1 + 1e-12)
    assert np.linalg.norm(moved) <= norms.l2 * (1 + 1e-12)
    assert np.count_nonzero(moved) <= norms.l0


def test_a_total_moves_by_what_its_groups_move():
    for relation, changes in (("add/remove", [1, 1, 0, 2]), ("replace", [-1, 1, 1, 1])):
        query = Count(BY, Bounds("who", 2, 1, relation), total=True)
        assert influence_frame(query)["change"].tolist() == changes


def test_replacing_one_person_moves_one_group_up_and_another_down():
    bounds = Bounds("who", 1, 1, "replace")
    frame = influence_frame(Count(BY, bounds))
    assert frame["change"].tolist() == [-1, 1, 0]
    mean = influence_frame(BoundedMean("euros", 0, 50, by=BY, bounds=bounds))
    assert mean["change"].tolist() == [-1, 1, 0, -1, 1, 0]


def test_bounding_is_bounded_minus_unbounded():
    query = Count(ByColumn("x", ("a", "b")))
    frame = bounding_frame(query, np.array([3, 5]), np.array([10.0, np.nan]))
    assert tuple(frame.columns) == BOUNDING
    assert frame["difference"].iloc[0] == -7
    assert np.isnan(frame["difference"].iloc[1])


def test_kept_shares_are_of_all_rows():
    record = Kept(rows=200, in_groups=150, after_groups=100, after_rows=50, clipped=20)
    frame = kept_frame(record)
    assert tuple(frame.columns) == KEPT
    assert frame["rows"].tolist() == [200, 150, 100, 50, 20]
    assert frame["share"].tolist() == [1, 0.75, 0.5, 0.25, 0.1]
    nothing = kept_frame(Kept(rows=0, in_groups=0, after_groups=0, after_rows=0, clipped=0))
    assert nothing["share"].tolist() == [0] * 5
