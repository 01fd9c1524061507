"""Losses that are composed: against integrals, plain sums, closed forms, and another library."""

import functools
import itertools
import math
import random

import numpy as np
import pytest
from mpmath import mp
from scipy import stats
from scipy.integrate import quad
from scipy.stats import poisson as poisson_law
from scipy.stats import skellam as skellam_law

from dpviz import accounting
from dpviz.accounting import privacy_loss
from dpviz.accounting.loss_curves import width_of
from dpviz.accounting.privacy_loss import (
    Accounted,
    PrivacyLoss,
    concentrated,
    discrete_laplace,
    exponential_mechanism,
    gaussian,
    generalised_response,
    laplace,
    poisson,
    promised,
    randomised_response,
    skellam,
    top_k,
)
from dpviz.accounting.pure_composition import pure_composition_log_delta
from dpviz.errors import ParameterError
from tests import oracles_accounting as oracle
from tests.conftest import FULL, few, for_each, full_run

# --- Losses that are composed: against integrals, plain sums, closed forms, and another library ---


def normal_and_double_exponential(mu, budget, epsilon):
    """Delta of both together, as an integral over the loss of the Laplace noise."""

    def given(loss):
        return math.exp(accounting.gaussian_log_delta(epsilon - loss, mu))

    between = quad(
        lambda g: math.exp((g - budget) / 2) / 4 * given(g), -budget, budget, epsabs=0, epsrel=1e-12
    )[0]
    return 0.5 * math.exp(-budget) * given(-budget) + 0.5 * given(budget) + between


@full_run
@pytest.mark.parametrize(
    ("mu", "budget", "epsilon"),
    few(
        [(1, 1.5, 1), (1, 1.5, 6), (1, 1.5, 20), (0.01, 0.02, 0.01), (5, 3, 10), (30, 0.1, 700)], 2
    ),
)
def test_gaussian_and_laplace_against_an_integral(mu, budget, epsilon):
    true = normal_and_double_exponential(mu, budget, epsilon)
    low, high = gaussian(mu).compose(laplace(2.0, 2 * budget)).bounds(epsilon)
    assert low <= true * (1 + 1e-11)
    assert high >= true * (1 - 1e-11)
    assert high <= true * (1 + 1e-5)
    assert low >= true * (1 - 1e-4)


def test_three_families_against_every_outcome():
    reach = np.arange(-30, 31)
    count = np.arange(61)
    law = poisson_law(2.0)
    pairs = [
        (law.pmf(count), law.pmf(count - 1)),
        (skellam_law(1.5, 1.5).pmf(reach), skellam_law(1.5, 1.5).pmf(reach - 2)),
        (
            math.tanh(0.25) * np.exp(-np.abs(reach) / 2),
            math.tanh(0.25) * np.exp(-np.abs(reach - 1) / 2),
        ),
    ]
    loss = poisson(2.0).compose(skellam(1.5, shift=2)).compose(discrete_laplace(2.0))
    for epsilon in (0.0, 1.0):
        exact = oracle.directions_by_enumeration(pairs, epsilon)
        found = loss.directions(epsilon)
        assert found == pytest.approx(exact, rel=2e-4)
        assert min(f - o for f, o in zip(found, exact, strict=True)) > -1e-5 * max(exact)
        low, high = loss.bounds(epsilon)
        assert low <= max(exact) * (1 + 1e-5)
        assert low >= max(exact) * (1 - 1e-2)
        assert high == max(found)


def test_closed_forms():
    assert gaussian(3.0).compose(gaussian(2.0), times=4) == gaussian(5.0)
    assert gaussian(1.0).log_delta(2.0) == accounting.gaussian_log_delta(2.0, 1.0)
    assert laplace(2.0, 1.0).log_delta(0.25) == accounting.laplace_log_delta(0.25, 2.0, 1.0)
    for shift in (1, 3):
        expected = math.exp(accounting.poisson_log_delta(0.5, 7.0, shift=shift))
        assert poisson(7.0, shift=shift).delta(0.5) == pytest.approx(expected, rel=1e-9)
        assert poisson(7.0, shift=shift, lowered=True).delta(0.5) == poisson(
            7.0, shift=shift
        ).delta(0.5)
        expected = math.exp(accounting.skellam_log_delta(0.5, 7.0, shift=shift))
        assert skellam(7.0, shift=shift).delta(0.5) == pytest.approx(expected, rel=1e-9)


def test_known_compositions():
    many = laplace(20.0, 1.0).compose(laplace(20.0, 1.0), times=19)
    assert many.epsilon(1e-6) == pytest.approx(
        float(accounting.composed_laplace_epsilon([0.05] * 20, math.log(1e-6))), rel=1e-6
    )
    several = poisson(905.0).compose(poisson(905.0), times=49)
    assert several.epsilon(1e-6) == pytest.approx(
        accounting.poisson_groups_epsilon(math.log(1e-6), 905.0, move=((50, 1),)), rel=1e-5
    )
    promises = promised(0.1).compose(promised(0.1), times=9)
    assert promises.log_delta(0.3) == pytest.approx(
        float(accounting.pure_composition_log_delta(10, 0.1, 0.3)), rel=1e-9
    )


def test_both_directions_are_kept_apart():
    up, down = poisson(4.0), poisson(4.0, lowered=True)
    assert up.directions(1.0) == down.directions(1.0)[::-1]
    assert up.directions(1.0)[0] > 50 * up.directions(1.0)[1]
    both = up.compose(down)
    assert both.directions(1.0)[0] == pytest.approx(both.directions(1.0)[1], rel=1e-9)


@full_run
def test_arrays_and_inverses():
    loss = gaussian(0.5).compose(laplace(1.0, 1.0)).compose(skellam(20.0))
    deltas = np.array([[1e-3, 1e-6], [1e-9, 1e-12]])
    epsilons = loss.epsilon(deltas)
    assert np.all(loss.delta(epsilons) <= deltas * (1 + 1e-9))
    assert np.all(loss.delta(epsilons * (1 - 1e-5)) > deltas)
    assert poisson(4.0).epsilon(1e-6) == math.inf  # nothing counted has probability e^-4
    assert poisson(1e-300).compose(gaussian(1.0)).epsilon(0.5) == math.inf
    assert promised(1.0, 1e-3).compose(gaussian(1.0)).epsilon([1e-2, 1e-4])[1] == math.inf


def test_refusals():
    one, far = laplace(1.0, 1.0), laplace(1e-9, 1.0)
    for ask, said in (
        (lambda: gaussian(1.0).compose(1.0), "other must be a PrivacyLoss"),
        (lambda: one.compose(one, times=1_000_000), "at most"),
        (lambda: far.compose(gaussian(1.0)).delta(1.0), "ordinary size"),
        (lambda: gaussian(1.0).epsilon(1e-290), "at least 1e-260"),
        (lambda: gaussian(1.0).delta([1.0, -1.0]), "epsilon"),
    ):
        with pytest.raises(ParameterError, match=said):
            ask()


class Pairs:
    """A stand-in for a distribution of dp-accounting: a Gaussian that counts how it is added."""

    def __init__(self, mu):
        self.mu = mu

    def get_delta_for_epsilon(self, epsilon):
        return gaussian(self.mu).delta(epsilon)

    def get_epsilon_for_delta(self, delta):
        return gaussian(self.mu).epsilon(delta)

    def compose(self, other):
        return Pairs(math.hypot(self.mu, other.mu))


def in_use(loss: privacy_loss.Loss) -> list[float]:
    """What code that takes any loss asks of it."""
    whole = loss.compose(loss, times=11)
    return [whole.delta(1.0), whole.epsilon(1e-6)]


def test_another_library_stands_in():
    assert in_use(Accounted(Pairs(0.3))) == pytest.approx(in_use(gaussian(0.3)), rel=1e-9)
    with pytest.raises(ParameterError, match="other must be"):
        Accounted(Pairs(1.0)).compose(gaussian(1.0))


@full_run
def test_dp_accounting_agrees():
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    theirs = Accounted(pld.from_gaussian_mechanism(1.0, value_discretization_interval=1e-3))
    theirs = theirs.compose(
        Accounted(pld.from_laplace_mechanism(2.0, value_discretization_interval=1e-3)), times=3
    )
    ours = gaussian(1.0).compose(laplace(2.0, 1.0), times=3)
    assert ours.delta([0.5, 3.0]) == pytest.approx(theirs.delta([0.5, 3.0]), rel=1e-3)
    assert ours.epsilon(1e-6) == pytest.approx(theirs.epsilon(1e-6), rel=1e-3)


def test_a_far_end_takes_no_endless_grid():
    """Noise near 0 has losses of hundreds; its grid is no longer than that of any other."""
    loss = skellam(4.9e-225).compose(promised(0.1), times=20)
    assert 2 * 500 / width_of(loss.terms) < 2**17
    assert 517 < loss.epsilon(1e-6) < 521


# --- Discrete Laplace noise with a δ: against literal sums of masses and the optimal composition --


def log_delta(epsilon, level, shift=1, moved=1):
    loss = PrivacyLoss().compose(discrete_laplace(level, shift=shift), times=moved)
    return float(loss.log_delta(epsilon))


@for_each(
    ("epsilon", "level", "shift"), [(0.0, 2.0, 1), (0.3, 2.0, 1), (0.5, 4.0, 7), (1.0, 3.0, 10)]
)
def test_one_coordinate_is_the_literal_sum(epsilon, level, shift):
    want = mp.exp(oracle.discrete_laplace_log_delta(epsilon, level, shift))
    found = math.exp(log_delta(epsilon, level, shift=shift))
    assert want * (1 - 1e-12) <= found <= want * (1 + 1e-9)


@pytest.mark.parametrize(("moved", "level", "epsilon"), [(2, 3.0, 0.4), (5, 4.0, 1.0), (40, 9, 2)])
def test_moved_by_one_each_it_is_randomised_response(moved, level, epsilon):
    want = pure_composition_log_delta(moved, 1 / level, epsilon)
    assert log_delta(epsilon, level, moved=moved) == pytest.approx(want, abs=1e-9)


def test_from_the_pure_budget_on_delta_is_zero():
    assert log_delta(2.5, 2.0, shift=5) == -math.inf
    assert log_delta(2.5, 2.0, shift=1, moved=5) == -math.inf


# --- How likely each loss is, for pictures: against laws that are known --------------------------


def mean(law):
    return float((law.mass * law.loss).sum())


def test_gaussian_losses_are_normal():
    law, there = gaussian(1.0).distributions(500)
    assert there is law
    assert len(law.loss) <= 500
    normal = stats.norm(0.5, 1.0)
    cells = normal.cdf(law.loss + law.width / 2) - normal.cdf(law.loss - law.width / 2)
    assert law.mass == pytest.approx(cells, abs=1e-6 * cells.max())


def test_responses_stay_on_their_lattice():
    law, _ = randomised_response(0.1).compose(randomised_response(0.1), times=99).distributions()
    wins = np.round((law.loss / 0.1 + 100) / 2)
    assert law.width == pytest.approx(0.2)
    assert law.loss == pytest.approx((2 * wins - 100) * 0.1, abs=1e-12)
    exact = stats.binom(100, 1 / (1 + math.exp(-0.1))).pmf(wins)
    assert law.mass == pytest.approx(exact, rel=1e-6)


def test_a_lattice_may_lie_beside_zero():
    away, there = generalised_response(1.0, 0.3).distributions()
    assert away.loss == pytest.approx([-0.7, 0.3])
    assert there.loss == pytest.approx([-0.3, 0.7])
    assert there.mass == pytest.approx((away.mass * np.exp(-away.loss))[::-1])


def test_of_several_kinds_the_means_and_variances_add():
    """Mean of one Laplace loss: e^-e - 1 + e; second moment by its own grid."""
    alone, _ = laplace(2.0, 3.0).distributions(20_000)
    assert mean(alone) == pytest.approx(math.exp(-1.5) - 1 + 1.5, rel=1e-3)
    law, _ = gaussian(0.7).compose(laplace(2.0, 3.0), times=3).distributions(5_000)
    assert mean(law) == pytest.approx(0.245 + 3 * mean(alone), rel=1e-3)
    own = float((alone.mass * alone.loss**2).sum()) - mean(alone) ** 2
    spread = float((law.mass * law.loss**2).sum()) - mean(law) ** 2
    assert spread == pytest.approx(0.49 + 3 * own, rel=1e-3)


def test_what_proves_is_told_apart():
    away, there = poisson(2.0).compose(poisson(2.0)).distributions()
    assert away.infinite == pytest.approx(1 - (1 - math.exp(-2)) ** 2)
    assert there.infinite == 0
    for law in (away, there):
        assert float(law.mass.sum()) + law.infinite == pytest.approx(1, abs=1e-8)
    certain, _ = promised(1.0, 1.0).distributions()
    assert (certain.infinite, float(certain.mass.sum())) == pytest.approx((1.0, 0.0), abs=1e-9)


def test_no_loss_and_refusals():
    law, _ = PrivacyLoss().distributions()
    assert (law.loss.tolist(), law.mass.tolist()) == ([0.0], [1.0])
    assert generalised_response(1.0, 1.0) == PrivacyLoss()
    with pytest.raises(ParameterError, match="points"):
        gaussian(1.0).distributions(0)
    with pytest.raises(ParameterError, match="at most 100,000"):
        gaussian(1.0).distributions(10**9)
    assert len(gaussian(1.0).distributions(1)[0].loss) == 1


# --- Losses of responses and of classes ---


def together(*losses):
    return functools.reduce(lambda a, b: a.compose(b), losses)


def times(loss, count):
    return loss if count == 1 else loss.compose(loss, times=count - 1)


def response(epsilon, categories):
    """Masses of the answers of two people with different true categories."""
    mass = np.ones(categories)
    other = mass.copy()
    mass[0] = other[1] = math.exp(epsilon)
    return mass / mass.sum(), other / mass.sum()


def general(epsilon, top):
    high = math.expm1(top - epsilon) / math.expm1(-epsilon)
    low = math.exp(-top) * high
    return np.array([high, 1 - high]), np.array([low, 1 - low])


@pytest.mark.parametrize("epsilon", [0.0, 0.4, 1.3])
def test_responses_against_every_outcome(epsilon):
    """Up to six at once, of different kinds."""
    rng = random.Random(epsilon)
    kinds = [
        (randomised_response(0.5), response(0.5, 2)),
        (randomised_response(0.7, categories=4), response(0.7, 4)),
        (generalised_response(0.9, 0.3), general(0.9, 0.3)),
        (generalised_response(0.5, 0.45), general(0.5, 0.45)),
    ]
    for size in range(1, 7):
        chosen = rng.choices(kinds, k=size)
        low, high = together(*(loss for loss, _ in chosen)).bounds(epsilon)
        true = oracle.delta_by_enumeration([pair for _, pair in chosen], epsilon)
        assert low <= true * (1 + 1e-9)
        assert true <= high * (1 + 1e-9)
        assert high == pytest.approx(true, rel=1e-4, abs=1e-12)
        assert low == pytest.approx(true, rel=1e-3, abs=1e-12)


def test_a_lattice_is_exact():
    """Both bounds meet, and meet 50 digits, also where each budget is a third or a decimal."""
    loss = together(
        times(randomised_response(0.1), 30),
        times(randomised_response(0.3, categories=5), 20),
        times(discrete_laplace(10.0, shift=3), 10),
    )
    low, high = loss.bounds(1.5)
    assert high / low == pytest.approx(1, abs=1e-8)
    assert loss.stated(1e-6).kind == "exact"
    assert low * (1 - 1e-9) <= lattice(1.5) <= high * (1 + 1e-9)
    thirds = together(times(randomised_response(1 / 3), 9), times(randomised_response(1 / 6), 4))
    low, high = thirds.bounds(0.7)
    assert (thirds.stated(1e-3).kind, high / low) == ("exact", pytest.approx(1, abs=1e-9))
    beside = times(generalised_response(0.3, 0.123456789), 40)  # a lattice beside 0
    low, high = beside.bounds(0.7)
    assert (beside.stated(1e-3).kind, high / low) == ("exact", pytest.approx(1, abs=1e-9))
    assert together(thirds, randomised_response(math.pi / 10)).stated(1e-3).kind == "upper bound"


def lattice(epsilon):
    """The sum above by products of polynomials in e^(0.1 k), with 50 digits."""
    with mp.workdps(50):

        def answer(step, categories):
            e = mp.e ** (mp.mpf(step) / 10)
            whole = e + categories - 1
            masses = {step: e / whole, -step: 1 / whole}
            return masses | ({0: (categories - 2) / whole} if categories > 2 else {})

        a = mp.e ** (mp.mpf(-1) / 10)
        masses = [1 / (1 + a), (1 - a) * a / (1 + a), (1 - a) * a**2 / (1 + a), a**3 / (1 + a)]
        noise = {3 - 2 * k: mass for k, mass in enumerate(masses)}
        found = {0: mp.mpf(1)}
        for part in [answer(1, 2)] * 30 + [answer(3, 5)] * 20 + [noise] * 10:
            step = {}
            for (a, p), (b, q) in itertools.product(found.items(), part.items()):
                step[a + b] = step.get(a + b, 0) + p * q
            found = step
        return float(
            sum(
                p * (1 - mp.e ** (epsilon - mp.mpf(k) / 10))
                for k, p in found.items()
                if mp.mpf(k) / 10 > epsilon
            )
        )


@pytest.mark.parametrize(
    ("pure", "ranges", "epsilon", "total", "delta"),
    [  # 002-thm3: fixed in advance, the worst t is the same for all
        (0, 2, 1.0, 0.5, 0.1524519067986656),
        (2, 1, 0.5, 0.7, 0.10702768903479179),
        (4, 2, 0.3, 0.8, 0.0452413866),
    ],
)
def test_generalised_responses_reach_the_optimal_composition(pure, ranges, epsilon, total, delta):
    places = {
        min(max((total + s * epsilon) / (ranges + 1), 0.0), epsilon) for s in range(-9, ranges + 9)
    }
    found = max(
        together(
            times(generalised_response(epsilon, t), ranges),
            *([times(promised(epsilon), pure)] if pure else []),
        ).delta(total)
        for t in places
        if 0 < t < epsilon
    )
    assert found == pytest.approx(delta, rel=1e-8)


def test_equal_tops_cost_most_beside_anything():
    """The proof of MATHEMATICS 5.7: with the sum of the tops fixed, equal ones dominate."""
    rng = random.Random(3)
    other = together(gaussian(0.4), poisson(9.0), laplace(2.0, 1.0))
    for _ in range(3 if FULL else 1):
        t, apart, epsilon = rng.uniform(0.3, 0.7), rng.uniform(0.05, 0.25), rng.uniform(0, 1.5)
        equal = together(times(generalised_response(1.0, t), 2), other)
        unequal = together(
            generalised_response(1.0, t - apart), generalised_response(1.0, t + apart), other
        )
        for one, two in zip(equal.directions(epsilon), unequal.directions(epsilon), strict=True):
            assert two <= one * (1 + 1e-5)


@pytest.mark.parametrize(
    ("total", "delta"),
    [  # 002-br2: the second chosen after the result of the first
        (0.1, 0.26917813862160039),
        (1.4, 0.014906392784017364),
    ],
)
def test_two_places_cost_the_closed_form(total, delta):
    low, high = top_k(1.0, 2).bounds(total)
    assert low <= delta <= high
    assert high == pytest.approx(delta, rel=1e-4)
    assert low == pytest.approx(delta, rel=0.05)
    alone = exponential_mechanism(1.0)
    assert alone.compose(alone).delta(total) == high


def test_pure_mechanisms_before_two_of_bounded_range():
    """002-setwise, an exact closed form: the worst order, chosen as results come in."""
    loss = together(times(promised(0.1), 10), times(exponential_mechanism(0.1), 2))
    assert loss.delta(0.4) == pytest.approx(0.020496168121513, rel=1e-6)
    assert loss.delta(0.4) >= 0.020496168121513
    loss = together(times(promised(0.5), 3), times(exponential_mechanism(0.5), 2))
    assert loss.delta(1.0) == pytest.approx(0.10856938185109, rel=1e-5)


@full_run
@pytest.mark.parametrize(("count", "epsilon"), few([(5, 4.0), (20, 0.1), (1, 0.1)], 2))
def test_many_places_lie_between_the_two_theorems(count, epsilon):
    """Not below what mechanisms fixed in advance cost, a little above the recursion of 5.10."""
    log_delta = math.log(1e-6)
    found = top_k(epsilon, count).stated(1e-6)
    fixed = accounting.mixed_composition_epsilon(0, count, epsilon, log_delta)
    order = ["bounded_range"] * count
    chosen = accounting.adaptive_composition_epsilon(order, epsilon, log_delta).value
    assert fixed * (1 - 1e-9) <= found.value
    assert found.value == pytest.approx(chosen, rel=2e-3)
    assert found.kind == ("exact" if count == 1 else "upper bound")


def test_what_is_beyond_the_recursion_is_converted():
    found = top_k(0.01, 5000).stated(1e-6)
    rho = 5000 * 1e-4 / 8
    assert found.value == pytest.approx(accounting.zcdp_epsilon(rho, math.log(1e-6)), rel=1e-12)
    assert (found.kind, "[CKS20]" in found.theorem) == ("upper bound", True)


def test_concentrated_losses_convert_and_add():
    log_delta = math.log(1e-6)
    for rho in (1e-6, 0.1, 5.0, 500.0):
        found = concentrated(rho)
        assert found.epsilon(1e-6) == accounting.zcdp_epsilon(rho, log_delta)
        assert found.delta(found.epsilon(1e-6)) == pytest.approx(1e-6, rel=1e-9)
        low, _ = found.bounds(found.epsilon(1e-6))
        assert 0 < low < 1e-6  # Gaussian noise of this rho is such a mechanism
    half = concentrated(0.05)
    assert half.compose(half).epsilon(1e-6) == pytest.approx(concentrated(0.1).epsilon(1e-6))
    with_noise = concentrated(0.1).compose(laplace(2.0, 1.0))
    real = gaussian(math.sqrt(0.2)).compose(laplace(2.0, 1.0))
    assert real.epsilon(1e-6) < with_noise.epsilon(1e-6) < concentrated(0.1).epsilon(1e-6) + 0.5


def test_kinds_compose_with_each_other_in_any_order():
    parts = [
        times(exponential_mechanism(0.2), 3),
        exponential_mechanism(0.5),
        top_k(0.1, 4),
        gaussian(0.3),
        promised(0.2, 1e-9),
        concentrated(0.01),
        randomised_response(0.4, categories=3),
    ]
    parts = few(parts, 2)
    one, other = together(*parts), together(*reversed(parts))
    assert one == other
    assert one.epsilon(1e-6) < sum(part.epsilon(1e-7) for part in parts)
    low, high = one.bounds(1.5)
    assert 0 < low < high < 3 * low
