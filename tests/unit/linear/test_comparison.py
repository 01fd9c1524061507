"""All ways of a workload at one budget: levels, errors, half widths, a bound below them."""

import itertools

import numpy as np
import pytest

from dpviz import streams
from dpviz.accounting import half_width
from dpviz.accounting.laplace import laplace_sum_half_width
from dpviz.accounting.levels import gaussian_level, laplace_level
from dpviz.data import read_csv
from dpviz.errors import ParameterError
from dpviz.linear import Contribution, Factorization, accuracy
from dpviz.linear.accuracy import half_widths
from dpviz.linear.comparison import REAL, compare, setting_of
from dpviz.linear.contribution import MOST_NUMBERS, contribution_of, moves, numbers_of
from dpviz.linear.operators import Identity, PrefixSums, dense
from dpviz.linear.workloads import marginals, prefix_sums, ranges
from dpviz.noise import ADDITIVE, FAMILIES
from dpviz.planning.amounts import Amount
from dpviz.queries import RELATIONS, BoundedMean, BoundedSum, Bounds, ByColumn, Count
from tests.conftest import few, for_each

# --- All ways of a workload at one budget: levels, errors, and a bound that none goes below ------

WORKLOADS = [prefix_sums(12), ranges(9), marginals(3, 5)]
OFFERED = ["gaussian", "laplace", "discrete_laplace", "poisson", "skellam"]


def kind_of(name):
    return "ρ" if name == "gaussian" else "ε"


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("groups", [1, 3])
@pytest.mark.parametrize("name", OFFERED)
@pytest.mark.parametrize("workload", few(WORKLOADS, 2), ids=lambda w: w.name)
def test_no_way_is_below_the_bound(workload, name, groups, relation):
    person = Contribution(groups=groups, relation=relation)
    found = compare(workload, FAMILIES[name], kind_of(name), Amount(0.5), contribution=person)
    assert (found.bound is not None) == (name in ("gaussian", "laplace", "discrete_laplace"))
    for way in found.ways.values():
        assert way.typical >= (found.bound or 0.0) * (1 - 1e-9)
        level = way.budget.level
        wanted = FAMILIES[name].variance(level) * way.factorization.row_squares
        assert way.variances == pytest.approx(wanted)
    assert found.best.typical == min(way.typical for way in found.ways.values())


def test_each_way_has_the_level_of_its_own_sensitivity():
    gaussian = compare(prefix_sums(12), FAMILIES["gaussian"], "ρ", Amount(0.5)).ways
    laplace = compare(prefix_sums(12), FAMILIES["laplace"], "ε", Amount(0.5)).ways
    assert gaussian["noise on answers"].budget.level == gaussian_level(
        0.5, gaussian["noise on answers"].factorization.l2_sensitivity
    )
    assert laplace["binary tree"].budget.level == laplace_level(0.5, 4)
    assert laplace["noise on data"].typical == pytest.approx(
        np.sqrt(2 * 2.0**2 * np.arange(1, 13).mean())
    )


def test_real_factors_are_left_out_for_whole_noise():
    found = compare(prefix_sums(12), FAMILIES["discrete_laplace"], "ε", Amount(0.5))
    assert found.left_out == {"square root": REAL, "Gaussian optimum": REAL}
    assert "Haar wavelet" in found.ways


@pytest.mark.parametrize(
    ("relation", "way", "directions"),
    [
        ("add/remove", "binary tree", (4, 0)),
        ("add/remove", "Haar wavelet", None),
        ("replace", "binary tree", (4, 4)),
    ],
)
def test_directions_are_claimed_only_where_they_are_true(relation, way, directions):
    contribution = Contribution(relation=relation)
    made = prefix_sums(12).factorization(way, contribution)
    assert setting_of(made, FAMILIES["poisson"], 1e-6).directions == directions
    columns = dense(made.right)
    rows = list(columns.T)
    if relation == "replace":
        rows = [a - b for a in columns.T for b in columns.T]
    for moved in rows if directions else ():
        up, down = int((moved > 0).sum()), int((moved < 0).sum())
        assert max(up, down) <= directions[0]
        assert min(up, down) <= directions[1]


def test_a_budget_nobody_can_use_is_refused():
    with pytest.raises(ParameterError):
        compare(prefix_sums(12), FAMILIES["exponential"], "ε", Amount(0.5))


# --- Half widths of linear answers cover what they promise, and not much more --------------------

NAMES = ["gaussian", "laplace", "poisson", "discrete_laplace", "skellam"]
TALL = Factorization([[1, 0, 0], [1, 1, 1], [2, 0, -1]], np.eye(3))


@pytest.mark.parametrize("confidence", [0.9, 0.95])
@pytest.mark.parametrize("name", NAMES)
def test_they_cover_fresh_noise_and_hardly_more(name, confidence):
    family, level, draws = FAMILIES[name], 9.0, 100_000
    zeros = np.zeros(draws * 3, dtype=np.int64)
    noise = family.extend(zeros, 0, level, rng=streams.teaching(8)).reshape(draws, 3)
    centred = (noise - family.mean(level)) @ TALL.left.entries.T
    reach = half_widths(TALL, family, level, confidence)
    covered = (np.abs(centred) <= reach).mean(axis=0)
    assert (covered > confidence - 0.002).all()
    tighter = 0.98 * reach - family.integer  # whole numbers: one step
    assert (np.abs(centred) <= tighter).mean(axis=0).max() < confidence


@for_each("name", ADDITIVE)
def test_a_single_noise_has_the_exact_half_width(name):
    family = FAMILIES[name]
    found = half_widths(TALL, family, 4.0, 0.95)[0]
    assert found == pytest.approx(half_width(family, 4.0, 0.95))


@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("level", [0.5, 20.0])
@pytest.mark.parametrize("name", ["laplace", "discrete_laplace"])
def test_plain_sums_come_within_two_percent_of_the_closed_form(name, level, confidence):
    family, answers = FAMILIES[name], prefix_sums(30).factorization("noise on data")
    found = half_widths(answers, family, level, confidence)
    for count, reach in enumerate(found, start=1):
        exact = laplace_sum_half_width(count, level, confidence, family=family)
        deviation = np.sqrt(count * family.variance(level))
        assert exact - 1e-9 <= reach <= exact + 0.02 * max(exact, deviation)


@pytest.mark.parametrize("name", ["laplace", "poisson"])
def test_without_frequencies_a_wider_bound_holds(monkeypatch, name):
    family, level = FAMILIES[name], 9.0
    sharp = half_widths(TALL, family, level, 0.95)
    monkeypatch.setattr(accuracy, "MOST_POINTS", 1)
    bound = half_widths(Factorization(TALL.left, TALL.right), family, level, 0.95)
    assert bound[0] == sharp[0]
    assert (bound[1:] > sharp[1:]).all()
    assert (bound < 2 * sharp).all()


def test_a_noise_that_hardly_ever_is_above_zero():
    rare, common = (half_widths(TALL, FAMILIES["poisson"], level, 0.95) for level in (1e-5, 9.0))
    assert (rare >= 0).all()
    assert rare.max() < 0.1 < common.min()


def test_refusals():
    with pytest.raises(ParameterError, match="between 0 and 1"):
        half_widths(TALL, FAMILIES["laplace"], 2.0, 1.0)
    many = ranges(100).factorization("noise on data")
    with pytest.raises(ParameterError, match="at most 5,000 answers"):
        half_widths(many, FAMILIES["laplace"], 2.0, 0.95)


# --- A table's statistic as x: what one person adds is what the query itself proves --------------

GROUPS = ByColumn("g", ("a", "b", "c", "d"))
CLIPS = ((0, 8), (-3, 8), (-8, 2), (2, 8), (-8, -1))


def queries():
    for l0, rows, relation in itertools.product((1, 3), (1, 2), RELATIONS):
        bounds = Bounds(person="id", groups_per_person=l0, rows_per_group=rows, relation=relation)
        yield Count(GROUPS, bounds)
        for low, high in CLIPS:
            yield BoundedSum("x", low, high, GROUPS, bounds, step=0.5)


@for_each("query", few(queries(), 3))
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


@pytest.mark.parametrize("query", few(SOME, 3), ids=lambda q: repr(q)[-90:])
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
