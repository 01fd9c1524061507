"""Laplace or Gauss: the choice, where it changes, and what each noise needs, against oracles."""

import math

import pytest

from dpviz.errors import ParameterError
from dpviz.planning.choice import Question, choose
from tests.conftest import few, for_each


def asked(epsilon=1.0, delta=1e-6, moved=1.0, l2=1.0, log_delta=None):
    log_delta = math.log(delta) if log_delta is None else log_delta
    return Question(epsilon=epsilon, log_delta=log_delta, l1=l2 * math.sqrt(moved), l2=l2)


# MATHEMATICS 9.1: (epsilon, R², ln δ* analytic)
ANALYTIC = [
    (1.0, 1, -3.2281034435708802),
    (1.0, 10, -15.048115850138949),
    (4.0, 16, -18.875651363697682),
]


@pytest.mark.parametrize(("epsilon", "moved", "log_delta"), few(ANALYTIC, 3))
def test_the_crossover_is_where_both_need_the_same(epsilon, moved, log_delta):
    c = choose(asked(epsilon, moved=moved, log_delta=-30.0))
    assert c.crossover_pure == pytest.approx(log_delta, rel=1e-12)
    pure = choose(asked(epsilon, moved=moved, log_delta=c.crossover_pure))
    assert pure.laplace_pure == pytest.approx(pure.gaussian, rel=1e-9)
    begin, end = c.gauss_between
    assert c.crossover_pure <= begin < end == math.log(0.5)
    at = choose(asked(epsilon, moved=moved, log_delta=begin))
    assert at.factor == pytest.approx(1, abs=1e-6)
    for nudge, name in ((-0.01, "laplace"), (0.01, "gaussian")):
        near = choose(asked(epsilon, moved=moved, log_delta=begin + nudge))
        assert near.better.name == name


def test_gauss_may_be_better_between_two_deltas_only():
    c = choose(asked(4.1, moved=2))
    begin, end = c.gauss_between
    assert [round(math.exp(x), 4) for x in c.gauss_between] == [0.3128, 0.4566]
    sides = [(begin - 0.01, "laplace"), (begin + 0.01, "gaussian"), (end + 0.01, "laplace")]
    for log_delta, name in sides:
        assert choose(asked(4.1, moved=2, log_delta=log_delta)).better.name == name


def test_at_top_secrets_epsilon_laplace_is_better_at_every_delta():
    assert choose(asked(4.886554)).gauss_between is None
    for delta in (1e-6, 0.1, 0.3, 0.4999):
        assert choose(asked(4.886554, delta)).better.name == "laplace"


def test_without_numbers_moved_alike_laplace_is_counted_by_its_pure_epsilon():
    q = asked(1.0, 0.01, moved=3)
    other = Question(epsilon=1.0, log_delta=q.log_delta, l1=q.l1, l2=q.l2, alike=False)
    for found in (choose(other), choose(asked(1.0, 0.01, moved=2.5))):
        assert not found.exact
        assert found.laplace == found.laplace_pure
        assert found.gauss_between[0] == found.crossover_pure
    assert choose(q).exact
    assert choose(q).laplace < choose(other).laplace


@pytest.mark.parametrize(("moved", "delta"), [(1, 0.4598493014643029), (5, 0.0084224337488568339)])
def test_the_classical_formula_gives_laplace_too_large_a_region(moved, delta):
    c = choose(asked(0.5, moved=moved))
    assert math.exp(c.crossover_classical) == pytest.approx(delta, rel=1e-12)
    assert c.crossover_pure < c.crossover_classical
    assert c.gaussian < c.gaussian_classical
    again = choose(asked(0.5, moved=moved, log_delta=c.crossover_classical))
    assert again.laplace_pure == pytest.approx(again.gaussian_classical, rel=1e-12)


def test_beyond_epsilon_one_nothing_classical_is_shown():
    assert choose(asked(1.0)).gaussian_classical is not None
    c = choose(asked(1.0000001))
    assert c.gaussian_classical is None
    assert c.crossover_classical is None


@pytest.mark.parametrize("epsilon", few([1.0, 0.1, 3.0], 3))
def test_laplace_wins_up_to_the_stated_number_of_groups(epsilon):
    most = choose(asked(epsilon, moved=7)).moved_up_to
    assert choose(asked(epsilon, moved=most)).better.name == "laplace"
    assert choose(asked(epsilon, moved=most + 1)).better.name == "gaussian"


def test_the_l2_mechanism_switches_where_it_says():
    c = choose(asked(1.0, moved=10))
    assert c.switch == pytest.approx(-(19**2) / 80, rel=1e-12)
    for nudge, below in ((-0.01, False), (0.01, True)):
        near = choose(asked(1.0, moved=10, log_delta=c.switch + nudge))
        assert (near.laplace_l2 < near.laplace_pure) is below
        assert near.laplace_l2 > near.gaussian
    assert choose(asked(3.0, moved=1)).switch == 0


def test_laplace_noise_uses_delta():
    c = choose(asked(1.0, 0.01))
    scale = c.laplace / math.sqrt(2)
    assert 1 - math.exp((1 - 1 / scale) / 2) == pytest.approx(0.01, rel=1e-9)
    assert c.laplace < c.laplace_pure
    assert choose(asked(1.0, 0.01, moved=2)).laplace < choose(asked(1.0, moved=2)).laplace


def test_numbers_are_in_the_unit_of_the_sensitivities():
    small, large = choose(asked(moved=4)), choose(asked(moved=4, l2=100.0))
    for name in ("laplace", "laplace_pure", "laplace_l2", "gaussian", "gaussian_classical"):
        assert getattr(large, name) == pytest.approx(100 * getattr(small, name), rel=1e-12)
    assert large.crossover_pure == pytest.approx(small.crossover_pure, rel=1e-12)
    assert large.gauss_between == small.gauss_between


@for_each(
    "wrong",
    [
        {"epsilon": 0.0},
        {"epsilon": math.nan},
        {"log_delta": 0.0},
        {"log_delta": -math.inf},
        {"l1": 0.9},
        {"l2": 0.0},
        {"l1": math.inf},
    ],
)
def test_a_question_out_of_range_is_refused(wrong):
    good = {"epsilon": 1.0, "log_delta": -10.0, "l1": 1.0, "l2": 1.0}
    assert Question(**good).moved == 1
    with pytest.raises(ParameterError):
        Question(**{**good, **wrong})
