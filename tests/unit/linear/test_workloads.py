"""A = L·R: every way answers the same questions, none beats the bound; what sessions give."""

import pickle

import numpy as np
import pytest

from dpviz import streams
from dpviz.accounting.trees import smallest_tree
from dpviz.errors import HardenedModeError, ParameterError, SealedError
from dpviz.linear import Contribution, Factorization, error_bounds, workloads
from dpviz.linear.comparison import compare
from dpviz.linear.operators import Matrix, PrefixSums, SquareRoot, TreeSums, TreeVertices, dense
from dpviz.linear.operators_intervals import HaarCoefficients, HaarSums
from dpviz.noise import ADDITIVE, FAMILIES
from dpviz.planning.budgets import Amount
from tests import oracles_linear as oracle
from tests.conftest import few, for_each

# --- Workloads: every way answers the same questions, and none beats the bound -------------------

TYPED = [[1, 1, 0, 0], [0, 1, 1, 1], [2, 0, 0, -1]]
CASES = [
    *[(workloads.single_numbers(n), np.eye(n)) for n in (1, 6)],
    *[(workloads.prefix_sums(n), oracle.prefix_matrix(n)) for n in (1, 2, 7, 16)],
    *[(workloads.ranges(n), oracle.range_matrix(n)) for n in (1, 2, 7, 8)],
    *[(workloads.marginals(*shape), oracle.marginal_matrix(*shape)) for shape in ((1, 3), (3, 4))],
    (workloads.typed(TYPED), np.array(TYPED)),
]
WAYS = [(workload, way, entries) for workload, entries in CASES for way in workload.names()]


@for_each(("workload", "way", "entries"), few(WAYS, 2))
def test_every_way_is_a_factorization(workload, way, entries):
    made = workload.factorization(way)
    assert workload.shape == made.shape == entries.shape
    assert dense(made.left) @ dense(made.right) == pytest.approx(entries, abs=1e-9)
    least = workload.bound().value
    error = made.row_squares.sum() * made.l2_sensitivity**2
    assert error >= least * (1 - 1e-9)
    if way == workloads.LEAST:
        assert error <= least * (1 + 2 * error_bounds.CLOSE)
        assert made is workload.factorization(way)


def test_marginals_and_typed_matrices_have_a_way_better_than_both_ends():
    for workload, _ in CASES[-2:]:
        errors = {
            made.name: made.row_squares.sum() * made.l2_sensitivity**2
            for made in map(workload.factorization, workload.names())
        }
        assert errors[workloads.LEAST] <= min(errors.values()) * (1 + 1e-3)


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (0.0, 3.0), (-2.0, 1.0)])
@pytest.mark.parametrize(
    "entries",
    few([oracle.prefix_matrix(5), oracle.prefix_matrix(2), oracle.range_matrix(3), np.eye(4)], 2),
)
def test_the_optimum_under_replacement_against_a_descent(entries, low, high):
    """Least ‖L‖²·(Δ₂/M)² over all R, by descent over a soft maximum of all moves."""
    person = Contribution(low=low, high=high, relation="replace")
    found = error_bounds.optimum(Matrix(entries), person)
    least = oracle.least_by_descent(entries, low, high) / person.largest**2
    assert found.settled
    assert found.bound <= least * (1 + 1e-9)
    assert found.error <= least * (1 + 2 * error_bounds.CLOSE)


def test_under_replacement_the_square_root_does_not_beat_the_optimum():
    """52 running totals: square root 8.43, the optimum for adding or removing 9.07, now 7.57."""
    person = Contribution(relation="replace")
    found = compare(
        workloads.prefix_sums(52), FAMILIES["gaussian"], "ρ", Amount(0.05), contribution=person
    )
    assert found.best.name == workloads.LEAST
    assert found.best.typical == pytest.approx(7.571, abs=0.01)
    assert found.ways["square root"].typical == pytest.approx(8.429, abs=0.01)
    assert found.bound <= found.best.typical <= found.bound * (1 + 1e-3)


@pytest.mark.parametrize("relation", ["add/remove", "replace"])
@pytest.mark.parametrize("groups", [2, 3])
@pytest.mark.parametrize("entries", few([oracle.prefix_matrix(4), np.array(TYPED, dtype=float)], 2))
def test_of_several_groups_the_bound_holds_for_true_sensitivities(entries, groups, relation):
    """No R has less with its true Δ₂, by trying all moves; and nothing is called optimum."""
    person = Contribution(groups=groups, relation=relation)
    found = error_bounds.optimum(Matrix(entries), person)
    true = oracle.moves_by_trying(dense(found.right), groups, 0.0, 1.0, relation)[1]
    least = oracle.least_by_descent(entries, 0.0, 1.0, groups, relation)
    assert true <= 1 + 1e-9
    assert found.bound <= least * (1 + 1e-9)
    assert found.error >= found.error * true**2 >= least * (1 - 1e-3)
    workload = workloads.typed(entries)
    assert workload.names(person)[-1] == (workloads.LEAST if found.settled else workloads.FITTED)


@pytest.mark.parametrize(
    "operator",
    [PrefixSums(30), Matrix(TYPED), Matrix(oracle.marginal_matrix(3, 4))],
    ids=["totals", "typed", "both sums"],
)
def test_the_optimum_is_the_same_whatever_singular_vectors_a_processor_finds(operator, monkeypatch):
    """Equal singular values leave open which vectors, others which sign: draws must not depend."""
    decompose = np.linalg.svd

    def turned(matrix, **how):
        u, values, v = decompose(matrix, **how)
        turn = np.diag(np.where(np.arange(len(values)) % 2, 1.0, -1.0))
        for first in np.flatnonzero(np.isclose(values[1:], values[:-1])):
            turn[[first, first + 1]] = (
                np.array([[0.6, 0.8], [-0.8, 0.6]]) @ turn[[first, first + 1]]
            )
        return u @ turn.T, values, turn @ v

    here = error_bounds.optimum(operator, Contribution())
    monkeypatch.setattr(np.linalg, "svd", turned)
    there = error_bounds.optimum(operator, Contribution())
    np.testing.assert_allclose(here.right.entries, there.right.entries, atol=1e-9)
    np.testing.assert_allclose(here.left.entries, there.left.entries, atol=1e-9)
    first = [row[np.abs(row) > 1e-9][0] for row in here.right.entries]
    assert min(first) > 0


def test_a_column_that_is_nearly_another_one_keeps_its_own_answers():
    entries = np.array([[1.0, 1.0, 0.0], [1.0, 1.0 + 1e-9, 0.0], [0.0, 0.0, 1.0]])
    found = error_bounds.optimum(Matrix(entries), Contribution())
    assert found.right.entries.shape == (3, 3)
    np.testing.assert_allclose(found.left.entries @ found.right.entries, entries, atol=1e-12)


def test_a_person_with_two_weeks_has_an_optimum_with_a_certificate():
    """52 running totals: all persons are tried, so that bound and error meet."""
    found = error_bounds.optimum(PrefixSums(52), Contribution(groups=2))
    assert found.settled
    assert found.error == pytest.approx(696.6, rel=2e-3)


def test_with_four_weeks_replaced_the_search_beats_the_square_root_and_claims_nothing():
    workload, person = workloads.prefix_sums(52), Contribution(groups=4, relation="replace")
    assert workload.names(person)[-1] == workloads.FITTED
    root, fitted = (
        made.row_squares.sum() * made.l2_sensitivity**2
        for made in (
            workload.factorization(way, person) for way in ("square root", workloads.FITTED)
        )
    )
    assert workload.bound(person).value < fitted < root


def test_single_numbers_can_be_bettered_when_a_person_is_replaced():
    """Noise on data moves by √2; n columns at equal distances: n - 1 + 1/(n + 1) times 2."""
    workload = workloads.single_numbers(6)
    assert workloads.LEAST not in workload.names()
    person = Contribution(relation="replace")
    found = workload.factorization(workloads.LEAST, person)
    least = 2 * (6 - 1 + 1 / 7)
    assert workload.bound(person).value <= least < 12
    assert found.row_squares.sum() * found.l2_sensitivity**2 == pytest.approx(least, rel=2e-3)


def test_more_of_a_person_never_lowers_the_bound():
    for entries in (oracle.prefix_matrix(9), np.array(TYPED, dtype=float)):
        one, two, swapped, both = (
            error_bounds.optimum(Matrix(entries), person).bound
            for person in (
                Contribution(),
                Contribution(groups=2),
                Contribution(relation="replace"),
                Contribution(groups=2, relation="replace"),
            )
        )
        assert one < two < both
        assert one < swapped < both


def test_large_prefix_sums_have_a_bound_without_a_matrix():
    workload = workloads.prefix_sums(1_000_000)
    root = workload.factorization("square root")
    ratio = root.row_squares.sum() * root.l2_sensitivity**2 / workload.bound().value
    assert 1 < ratio < 1.1
    assert workloads.LEAST not in workload.names()
    assert workloads.ranges(200).bound() is None
    assert workloads.prefix_sums(200).bound().method == "singular values, best weights"


@for_each(
    ("make", "sentence"),
    [
        (lambda: workloads.prefix_sums(5).factorization("magic"), "choose one of: noise on"),
        (lambda: workloads.typed([[1, 0], [2, 0]]), "column 2 of the matrix is all zeros"),
        (lambda: workloads.typed([[1, 1], [0, 0]]), "row 2 of the matrix is all zeros"),
        (lambda: workloads.typed([["x"]]), "not a number"),
        (lambda: workloads.ranges(1001), "at most 1,000"),
        (lambda: error_bounds.optimum(PrefixSums(129), Contribution()), "at most 128 columns"),
        (lambda: error_bounds.optimum(Matrix([[1, 0]]), Contribution()), "all zeros"),
        (lambda: Factorization(LEFT, np.eye(3)), "as many columns"),
        (lambda: Factorization(np.eye(2), [[1, 0], [2, 0]]), "column 2 of R is all zeros"),
        (lambda: Factorization([[1, 2], [3]], np.eye(2)), "differ in length"),
        (lambda: opened(TOTALS, [1, 2], "poisson"), "3 numbers"),
        (lambda: opened(TOTALS, [1, 2, 0.5], "poisson"), "whole numbers"),
        (lambda: opened(TOTALS, [1, 2, np.nan], "laplace"), "finite"),
        (lambda: TOTALS.variances(FAMILIES["laplace"], 0.0), "above 0"),
    ],
)
def test_refusals_say_what_is_wrong(make, sentence):
    with pytest.raises(ParameterError, match=sentence):
        make()


def test_a_tree_that_is_another_way_stands_once():
    assert list(workloads.trees(1)) == list(workloads.trees(5)) == ["binary tree"]
    assert list(workloads.trees(1000)) == ["binary tree", "11-ary tree", "14-ary tree ±"]


# --- A = L·R: what it promises before a draw, and what its sessions hand out ---------------------

LEFT = [[1, 0], [1, 1], [0, 1]]
RIGHT = [[1, 2, 0], [0, 1, 3]]
TOTALS = Factorization(LEFT, RIGHT, name="an example")


def opened(made, data, name):
    return made.session(data, FAMILIES[name], rng=streams.teaching(7))


def tree(n=7, arity=3):
    made = smallest_tree(n, arity)
    return Factorization(TreeSums(made, n), TreeVertices(made, n))


def test_sensitivities_are_those_of_right():
    assert (TOTALS.l1_sensitivity, TOTALS.linf_sensitivity) == (3.0, 3.0)
    assert TOTALS.l2_sensitivity == pytest.approx(3.0)
    both = Factorization(LEFT, RIGHT, Contribution(groups=2))
    assert both.l1_sensitivity == 6.0
    assert both.sensitivity.l2 == pytest.approx(np.sqrt(20))  # the second and third: (2, 4)


@for_each("name", ADDITIVE)
def test_variances_are_row_norms_times_the_noise(name):
    family = FAMILIES[name]
    level = 4.0
    wanted = family.variance(level) * np.array([1.0, 2.0, 1.0])
    assert TOTALS.variances(family, level) == pytest.approx(wanted)
    assert TOTALS.offset(family, level) == pytest.approx(family.mean(level) * np.array([1, 2, 1]))


@for_each("name", ADDITIVE)
def test_answers_are_left_times_the_noisy_inner_numbers(name):
    data = np.array([10, 20, 30])
    answers = TOTALS.session(data, FAMILIES[name], rng=streams.teaching(7))
    for level in (2.0, 8.0, 3.0):
        released = answers.release(level)
        assert np.array_equal(released, np.array(LEFT) @ answers.inner.release(level))
        assert answers.inner.dimension == TOTALS.inner == 2
        assert released is answers.release(level)
        assert not released.flags.writeable
    assert answers.levels == (2.0, 3.0, 8.0)
    assert list(answers.held) == [2.0, 3.0, 8.0]
    assert answers.mode == "teaching"


@pytest.mark.parametrize("name", ["poisson", "discrete_laplace", "skellam"])
def test_whole_families_give_whole_answers_in_hardened_mode(name):
    made = tree()
    answers = made.session(np.arange(7), FAMILIES[name], rng=streams.hardened())
    assert answers.mode == "hardened"
    assert answers.release(2.0).dtype == np.int64


def test_real_factors_are_refused_for_whole_noise():
    roots = Factorization(SquareRoot(3), SquareRoot(3))
    with pytest.raises(ParameterError, match="whole numbers, and R has entries that are not"):
        opened(roots, [1, 2, 3], "poisson")
    opened(roots, [1, 2, 3], "laplace").release(1.0)
    wavelet = Factorization(HaarSums(3, "prefixes"), HaarCoefficients(3))  # L need not be whole
    answers = opened(wavelet, [1, 2, 3], "poisson")
    assert answers.release(1.0).dtype == np.float64
    with pytest.raises(HardenedModeError):
        roots.session([1, 2, 3], FAMILIES["gaussian"], rng=streams.hardened())


def test_sums_never_wrap_around():
    large = Factorization(np.eye(1), [[2**40]])
    with pytest.raises(ParameterError, match="64 bits"):
        opened(large, [2**30], "poisson")
    wide = Factorization([[2**40]], np.eye(1))
    answers = opened(wide, [2**30], "poisson").release(1.0)
    assert answers[0] == pytest.approx(2.0**70, rel=1e-6)


def test_left_inverse():
    assert TOTALS.has_left_inverse
    assert TOTALS.rank_and_tolerance[0] == 2
    assert TOTALS.rank_and_tolerance[1] == pytest.approx(3 * 2**-52 * np.sqrt(3))
    assert not Factorization([[1, 1], [2, 2]], np.eye(2)).has_left_inverse
    assert not Factorization([[1, 1]], np.eye(2)).has_left_inverse  # known by shape alone
    nearly = Factorization([[1, 1], [1, 1 + 1e-13]], np.eye(2))
    assert nearly.has_left_inverse
    assert not Factorization([[1, 1], [1, 1 + 4e-16]], np.eye(2)).has_left_inverse
    assert not tree(n=7).has_left_inverse  # 7 = 9 − 2 uses two vertices more than totals
    assert tree(n=4).has_left_inverse  # a full tree of height 2: as many vertices as totals


def test_sealing_keeps_noisier_answers_only():
    answers = opened(tree(), np.arange(7), "laplace")
    at_cap = answers.release(2.0).copy()
    answers.seal(2.0)
    assert np.array_equal(answers.release(2.0), at_cap)
    assert answers.release(5.0).shape == (7,)
    with pytest.raises(SealedError):
        answers.release(1.0)


def test_sessions_are_not_pickled_and_tell_no_value():
    answers = opened(tree(), np.arange(7) + 12345, "laplace")
    answers.release(2.0)
    with pytest.raises(ParameterError, match="neither copied nor pickled"):
        pickle.dumps(answers)
    assert "1234" not in repr(answers)
