"""Sharpening: where it stops, what that costs, and outcomes by enumeration that prove it."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import special

from dpviz import MultipleRelease, sharpen, streams
from dpviz.errors import ParameterError, SealedError
from dpviz.experiments.doubling import DOUBLING, SHARPEN, compare
from dpviz.noise import FAMILIES
from dpviz.queries import Sensitivity
from dpviz.release.sharpening import PrivateRule, decided, outcome_loss, relative
from tests.conftest import FULL, for_each
from tests.oracles_discrete import mass, step_mass

LEVELS = [64.0, 16.0, 4.0, 1.0]
ONE = Sensitivity.bounded(1)
A = [Fraction(4, 5), Fraction(3, 5), Fraction(2, 5)]  # e^(-1/b), noisy first
WIDE = 12 if FULL else 9


def opened(family="discrete_laplace", value=312, seed=7):
    return MultipleRelease([value], FAMILIES[family], rng=streams.teaching(seed))


def never(*_):
    return False


def paths(exact):
    """Every path of three releases within a window, with its probability, drawn from the sharp end.

    The last release is drawn from the exact value, each noisier one from the one before it.
    """
    window = range(-WIDE, WIDE + 1)
    for noisy, middle, sharp in itertools.product(window, repeat=3):
        yield (
            (noisy, middle, sharp),
            (
                mass(sharp - exact, A[2])
                * step_mass(middle - sharp, A[2], A[1])
                * step_mass(noisy - middle, A[1], A[0])
            ),
        )


def outcomes(exact, stop):
    """The probability of what is shown in the end: all releases up to where the rule stops."""
    found = {}
    for path, chance in paths(exact):
        asked = next((n for n in range(1, 3) if stop(path[:n], exact)), 3)
        found[path[:asked]] = found.get(path[:asked], 0) + chance
    return found


def largest_ratios(stop):
    """For each number of releases the largest ratio of an outcome's chances at 0 and at 1."""
    with_one, without = outcomes(1, stop), outcomes(0, stop)
    most = {}
    for shown in with_one.keys() | without.keys():
        if max(map(abs, shown)) <= 3:  # what lies beyond the window is missing elsewhere
            one, none = with_one.get(shown, 0), without.get(shown, 0)
            ratio = max(one / none, none / one) if one and none else math.inf
            most[len(shown)] = max(most.get(len(shown), 0), ratio)
    return most


def test_by_enumeration_an_outcome_tells_what_its_last_release_tells():
    most = largest_ratios(lambda shown, _: shown[-1] % 3 == 0)
    for many, ratio in most.items():
        allowed = float(1 / A[many - 1])  # e^(1/b)
        assert float(ratio) == pytest.approx(allowed, rel=2e-2), "attained, up to the window"
        assert float(ratio) <= allowed * 1.02
    assert set(most) == {1, 2, 3}


def test_by_enumeration_a_rule_that_looks_at_the_exact_value_tells_more():
    most = largest_ratios(lambda shown, exact: abs(shown[-1] - exact) <= 1)
    assert most[1] == most[2] == math.inf, "where it stops may give the exact value away"


def test_it_stops_where_the_rule_is_content_and_costs_the_last_release():
    found = sharpen(opened(), LEVELS, lambda _, level: level <= 4)
    assert (found.level, found.met, found.levels) == (4.0, True, (64.0, 16.0, 4.0))
    assert (found.loss.epsilon, found.loss.delta) == (0.25, 0.0)
    assert found.charged.epsilon == 1.0
    assert "Ligett" in found.loss.theorem
    found = sharpen(opened(), LEVELS, never)  # nothing is enough, so the sharpest is there
    assert (found.level, found.met) == (1.0, False)
    assert found.loss == found.charged


@for_each("family", ["gaussian", "laplace", "discrete_laplace"])
def test_the_session_is_as_if_its_levels_had_been_asked_for(family):
    asked, plain = opened(family), opened(family)
    sharpen(asked, LEVELS, lambda _, level: level <= 16)
    for level in LEVELS[:2]:
        assert asked.release(level) == plain.release(level)
    assert asked.levels == plain.levels


def test_gaussian_outcomes_stay_below_their_bound_but_for_delta():
    """Every level of every run at δ = 5 %: how often any of them tells more than its bound."""
    runs, delta = 4_000, 0.05
    above = 0
    bounds = [
        outcome_loss(FAMILIES["gaussian"], t, ONE, levels=4, delta=delta).epsilon for t in LEVELS
    ]
    noise = np.zeros(runs)
    rng, last, exceeds = np.random.default_rng(7), 0.0, np.zeros(runs, dtype=bool)
    for level, bound in zip(reversed(LEVELS), reversed(bounds), strict=True):
        noise = noise + rng.normal(0, math.sqrt(level - last), runs)
        last = level
        exceeds |= (1 / (2 * level) + noise / level) > bound  # the loss of one person’s move by 1
    above = exceeds.mean()
    assert 0.5 * delta < above < delta, "no more than δ, and not far from it"


def test_the_gaussian_bound_is_that_of_the_formula():
    mu, z = 0.1, -special.ndtri(1e-6 / 10)
    found = outcome_loss(FAMILIES["gaussian"], 100.0, ONE, levels=10)
    assert found.epsilon == pytest.approx(mu**2 / 2 + mu * z)
    assert (found.delta, "Whitehouse" in found.theorem) == (1e-6, True)


def test_a_private_rule_is_charged_and_ends_with_its_yes():
    rule = PrivateRule([312], 20.0, 0.5, sensitivity=ONE, rng=streams.teaching(3))
    found = sharpen(opened(), LEVELS, rule)
    assert found.met
    assert found.loss.epsilon == pytest.approx(1 / found.level + 0.5)
    assert found.charged.epsilon == pytest.approx(1.5)
    with pytest.raises(ParameterError, match="has said yes"):
        rule(np.array([312]), 1.0)
    with pytest.raises(ParameterError, match="floating-point"):
        PrivateRule([1], 1.0, 1.0, sensitivity=ONE, rng=streams.hardened())


def test_a_private_rule_is_right_more_often_the_more_it_may_tell(seed):
    def near(epsilon):
        rng = streams.teaching(seed)
        return sum(
            PrivateRule([0], 10.0, epsilon, sensitivity=ONE, rng=rng)(np.array([0.0]), 1.0)
            and not PrivateRule([0], 10.0, epsilon, sensitivity=ONE, rng=rng)(np.array([20.0]), 1.0)
            for _ in range(300)
        )

    assert near(5.0) > 270 > near(0.05)


def test_answers_of_a_private_rule_keep_its_epsilon():
    """By counting: how often a first yes comes at each of two releases, one person moved."""
    epsilon, runs = 1.0, 40_000
    rng = np.random.default_rng(5)
    rates = []
    for exact in (0.0, 1.0):
        bound = 2.0 + rng.laplace(0, 2 / epsilon, runs)
        first = abs(3.0 - exact) + rng.laplace(0, 4 / epsilon, runs) <= bound
        rates.append(first.mean())
    mine = [
        np.mean(
            [
                PrivateRule([exact], 2.0, epsilon, sensitivity=ONE, rng=streams.teaching(n))(
                    np.array([3.0]), 1.0
                )
                for n in range(4_000)
            ]
        )
        for exact in (0.0, 1.0)
    ]
    assert mine == pytest.approx(rates, abs=0.03)
    assert math.exp(-epsilon) < mine[1] / mine[0] < math.exp(epsilon)


def test_doubling_pays_for_every_start_and_the_path_for_the_last():
    found = compare([300.0], 64.0, 8, relative(0.1, 3.0), runs=60, rng=streams.teaching(7))
    paid = found.groupby("way")["epsilon"].median()
    assert paid[SHARPEN] < 0.6 * paid[DOUBLING]
    doubled = found[found.way == DOUBLING]
    assert doubled.epsilon.to_numpy() == pytest.approx(2 / doubled.level - 1 / 64)
    own = found[found.way == SHARPEN]
    assert own.epsilon.to_numpy() == pytest.approx(1 / own.level)


def test_rules_that_see_releases_only():
    assert relative(0.1, 3.0)(np.array([300.0, 10.0]), 8.0) is False, "each number counts"
    assert decided(250.0, 3.0)(np.array([300.0]), 16.0) is True


@for_each(
    ("levels", "enough", "part"),
    [
        *((levels, never, "levels must be") for levels in ([], [4.0, 16.0], [4.0, 4.0])),
        ([-1.0], never, "level must be"),
        *((LEVELS, lambda *_, a=a: a, "must answer True or False") for a in ("yes", None)),
    ],
)
def test_what_cannot_be_sharpened_is_refused(levels, enough, part):
    with pytest.raises(ParameterError, match=part):
        sharpen(opened(), levels, enough)


def test_a_session_that_tells_more_or_has_no_such_bound_is_refused_before_a_draw():
    session = opened()
    session.release(2.0)
    with pytest.raises(ParameterError, match="less noisy than the first level"):
        sharpen(session, LEVELS, never)
    sealed = opened()
    sealed.seal(70.0)
    with pytest.raises(SealedError):
        sharpen(sealed, LEVELS, never)
    session = opened("poisson")
    with pytest.raises(ParameterError, match="Poisson noise has no bound for single outcomes"):
        sharpen(session, LEVELS, never)
    assert session.levels == ()
