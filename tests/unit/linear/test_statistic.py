"""A table's statistic as x: what one person adds is what the query itself proves."""

import itertools

import numpy as np
import pytest

from dpviz.data import read_csv
from dpviz.errors import ParameterError
from dpviz.linear.comparison import compare, setting_of
from dpviz.linear.contribution import moves
from dpviz.linear.operators import Identity, PrefixSums, dense
from dpviz.linear.statistic import MOST_NUMBERS, contribution_of, numbers_of
from dpviz.linear.workloads import prefix_sums
from dpviz.noise import FAMILIES
from dpviz.planning.amounts import Amount
from dpviz.queries import RELATIONS, BoundedMean, BoundedSum, Bounds, ByColumn, Count

GROUPS = ByColumn("g", ("a", "b", "c", "d"))
CLIPS = ((0, 8), (-3, 8), (-8, 2), (2, 8), (-8, -1))


def queries():
    for l0, rows, relation in itertools.product((1, 3), (1, 2), RELATIONS):
        bounds = Bounds(person="id", groups_per_person=l0, rows_per_group=rows, relation=relation)
        yield Count(GROUPS, bounds)
        for low, high in CLIPS:
            yield BoundedSum("x", low, high, GROUPS, bounds, step=0.5)


@pytest.mark.parametrize("query", list(queries()), ids=lambda q: repr(q)[-90:])
def test_the_numbers_themselves_move_as_the_query_says(query):
    found, said = moves(Identity(4), contribution_of(query)), query.sensitivity
    for ours, theirs in ((found.l1, said.l1), (found.l2, said.l2), (found.linf, said.linf)):
        assert ours.value >= theirs * (1 - 1e-12)
        if query.bounds.relation == "add/remove" or query.bounds.groups_per_person == 1:
            assert ours.value == pytest.approx(theirs)


SOME = [
    q
    for q in queries()
    if (q.bounds.groups_per_person, q.bounds.rows_per_group) == (3, 2)
    and (isinstance(q, Count) or (q.lower, q.upper) == (-3, 8))
]


@pytest.mark.parametrize("query", SOME, ids=lambda q: repr(q)[-90:])
def test_no_person_of_a_table_moves_the_totals_farther(query):
    found = moves(PrefixSums(4), contribution_of(query))
    person = "".join(f"1,{g},{x}\n" for g in "abcd" for x in (9, 9, -9))
    other = "".join(f"2,{g},{x}\n" for g in "dcba" for x in (-9, -9, 9))
    tables = [read_csv(f"id,g,x\n{rows}3,a,1\n".encode(), name="t") for rows in ("", person, other)]
    nobody, one, two = (query.values(table) for table in tables)
    pairs = [(one, nobody), (two, nobody)]
    if query.bounds.relation == "replace":
        pairs.append((one, two))
    for first, second in pairs:
        change = dense(PrefixSums(4)) @ (first - second)
        assert np.abs(change).sum() <= found.l1.value
        assert np.sqrt((change**2).sum()) <= found.l2.value
        assert np.abs(change).max() <= found.linf.value


def test_a_total_is_left_out_and_means_and_long_lists_are_refused():
    assert numbers_of(Count(GROUPS, total=True)) == Count(GROUPS)
    with pytest.raises(ParameterError, match="means do not add up"):
        numbers_of(BoundedMean("x", 0, 8, GROUPS))
    many = ByColumn("g", tuple(map(str, range(MOST_NUMBERS + 1))))
    with pytest.raises(ParameterError, match="up to 400 numbers here, and this statistic has 401"):
        numbers_of(Count(many))


@pytest.mark.parametrize("family", ["gaussian", "discrete_laplace"])
def test_errors_are_in_units_of_the_statistic(family):
    query = BoundedSum("x", -3, 8, GROUPS, step=0.5)
    kind = "ρ" if family == "gaussian" else "ε"
    given = {"contribution": contribution_of(query)}
    steps = compare(prefix_sums(4), FAMILIES[family], kind, Amount(1), **given)
    units = compare(prefix_sums(4), FAMILIES[family], kind, Amount(1), step=0.5, **given)
    for name, way in steps.ways.items():
        assert units.ways[name].typical == pytest.approx(way.typical / 2)
        assert units.ways[name].budget.level == way.budget.level
        assert units.ways[name].budget.half_width == pytest.approx(way.budget.half_width / 2)
    assert units.bound == pytest.approx(steps.bound / 2)
    one = setting_of(steps.best.factorization, FAMILIES[family], 1e-6)
    assert (one.step, one.directions) == (1.0, None)
