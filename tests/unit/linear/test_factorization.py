"""A = L·R: what it promises before a draw, and what its sessions hand out."""

import pickle

import numpy as np
import pytest

from dpviz import streams
from dpviz.accounting.levels import laplace_level
from dpviz.accounting.trees import smallest_tree
from dpviz.errors import HardenedModeError, ParameterError, SealedError
from dpviz.linear import Contribution, Factorization
from dpviz.linear.operators_intervals import HaarCoefficients, HaarSums
from dpviz.linear.operators_toeplitz import SquareRoot
from dpviz.linear.operators_tree import TreeSums, TreeVertices
from dpviz.noise import ADDITIVE, FAMILIES
from dpviz.planning.budgets import Amount, Setting, resolve

LEFT = [[1, 0], [1, 1], [0, 1]]
RIGHT = [[1, 2, 0], [0, 1, 3]]
TOTALS = Factorization(LEFT, RIGHT, name="an example")


def tree(n=7, arity=3):
    made = smallest_tree(n, arity)
    return Factorization(TreeSums(made, n), TreeVertices(made, n))


def test_sensitivities_are_those_of_right():
    assert (TOTALS.l1_sensitivity, TOTALS.linf_sensitivity) == (3.0, 3.0)
    assert TOTALS.l2_sensitivity == pytest.approx(3.0)
    both = Factorization(LEFT, RIGHT, Contribution(groups=2))
    assert both.l1_sensitivity == 6.0
    assert both.sensitivity.l2 == pytest.approx(np.sqrt(20))  # the second and third: (2, 4)


def test_budgets_take_the_sensitivities():
    setting = Setting(
        family=FAMILIES["laplace"],
        delta=1e-6,
        sensitivity=tree().sensitivity,
        dimension=tree().inner,
    )
    assert resolve("ε", Amount(1), setting).level == laplace_level(1, tree().l1_sensitivity)


@pytest.mark.parametrize("name", ADDITIVE)
def test_variances_are_row_norms_times_the_noise(name):
    family = FAMILIES[name]
    level = 4.0
    wanted = family.variance(level) * np.array([1.0, 2.0, 1.0])
    assert TOTALS.variances(family, level) == pytest.approx(wanted)
    assert TOTALS.offset(family, level) == pytest.approx(family.mean(level) * np.array([1, 2, 1]))


@pytest.mark.parametrize("name", ADDITIVE)
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


def test_little_noise_gives_the_exact_answers():
    data = np.array([3.0, 1.0, 4.0])
    answers = TOTALS.session(data, FAMILIES["gaussian"], rng=streams.teaching(7))
    assert answers.release(1e-20) == pytest.approx(np.array(LEFT) @ np.array(RIGHT) @ data)


@pytest.mark.parametrize("name", ["poisson", "discrete_laplace", "skellam"])
def test_whole_families_give_whole_answers_in_hardened_mode(name):
    made = tree()
    answers = made.session(np.arange(7), FAMILIES[name], rng=streams.hardened())
    assert answers.mode == "hardened"
    assert answers.release(2.0).dtype == np.int64


def test_real_factors_are_refused_for_whole_noise():
    roots = Factorization(SquareRoot(3), SquareRoot(3))
    with pytest.raises(ParameterError, match="whole numbers, and R has entries that are not"):
        roots.session([1, 2, 3], FAMILIES["poisson"], rng=streams.teaching(7))
    roots.session([1, 2, 3], FAMILIES["laplace"], rng=streams.teaching(7)).release(1.0)
    wavelet = Factorization(HaarSums(3, "prefixes"), HaarCoefficients(3))  # L need not be whole
    answers = wavelet.session([1, 2, 3], FAMILIES["poisson"], rng=streams.teaching(7))
    assert answers.release(1.0).dtype == np.float64
    with pytest.raises(HardenedModeError):
        roots.session([1, 2, 3], FAMILIES["gaussian"], rng=streams.hardened())


def test_sums_never_wrap_around():
    large = Factorization(np.eye(1), [[2**40]])
    with pytest.raises(ParameterError, match="64 bits"):
        large.session([2**30], FAMILIES["poisson"], rng=streams.teaching(7))
    wide = Factorization([[2**40]], np.eye(1))
    answers = wide.session([2**30], FAMILIES["poisson"], rng=streams.teaching(7)).release(1.0)
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
    answers = tree().session(np.arange(7), FAMILIES["laplace"], rng=streams.teaching(7))
    at_cap = answers.release(2.0).copy()
    answers.seal(2.0)
    assert np.array_equal(answers.release(2.0), at_cap)
    assert answers.release(5.0).shape == (7,)
    with pytest.raises(SealedError):
        answers.release(1.0)


def test_sessions_are_not_pickled_and_tell_no_value():
    answers = tree().session(np.arange(7) + 12345, FAMILIES["laplace"], rng=streams.teaching(7))
    answers.release(2.0)
    with pytest.raises(ParameterError, match="neither copied nor pickled"):
        pickle.dumps(answers)
    assert "1234" not in repr(answers)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Factorization(LEFT, np.eye(3)), "as many columns"),
        (lambda: Factorization(np.eye(2), [[1, 0], [2, 0]]), "column 2 of R is all zeros"),
        (lambda: Factorization([[1, 2], [3]], np.eye(2)), "differ in length"),
        (lambda: TOTALS.session([1, 2], FAMILIES["poisson"], rng=streams.teaching(7)), "3 numbers"),
        (
            lambda: TOTALS.session([1, 2, 0.5], FAMILIES["poisson"], rng=streams.teaching(7)),
            "whole numbers",
        ),
        (
            lambda: TOTALS.session([1, 2, np.nan], FAMILIES["laplace"], rng=streams.teaching(7)),
            "finite",
        ),
        (lambda: TOTALS.variances(FAMILIES["laplace"], 0.0), "above 0"),
    ],
)
def test_refusals_say_what_is_wrong(make, sentence):
    with pytest.raises(ParameterError, match=sentence):
        make()
