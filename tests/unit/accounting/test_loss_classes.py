"""Losses of responses and of classes: every outcome, closed forms, published values, another way.

The vectors are those of paper 002, recomputed with 50 digits from its formulas.
"""

import functools
import itertools
import math
import random

import numpy as np
import pytest
from mpmath import mp

from dpviz import accounting
from dpviz.accounting.privacy_loss import (
    concentrated,
    discrete_laplace,
    exponential_mechanism,
    gaussian,
    generalised_response,
    laplace,
    poisson,
    promised,
    randomised_response,
    top_k,
)
from tests.conftest import FULL, few, full_run


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


def enumerated(pairs, epsilon):
    """The worse delta of both directions, outcome by outcome."""
    p, q = (functools.reduce(np.multiply.outer, side) for side in zip(*pairs, strict=True))
    away, there = (
        float(np.maximum(0, a - math.exp(epsilon) * b).sum()) for a, b in ((p, q), (q, p))
    )
    return max(away, there)


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
        true = enumerated([pair for _, pair in chosen], epsilon)
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
    """The sum above by powers of polynomials in e^(0.1 k), with 50 digits."""
    with mp.workdps(50):

        def power(masses, count):
            found = {0: mp.mpf(1)}
            for _ in range(count):
                step = {}
                for (a, p), (b, q) in itertools.product(found.items(), masses.items()):
                    step[a + b] = step.get(a + b, 0) + p * q
                found = step
            return found

        def answer(step, categories):
            e = mp.e ** (mp.mpf(step) / 10)
            whole = e + categories - 1
            masses = {step: e / whole, -step: 1 / whole}
            return masses | ({0: (categories - 2) / whole} if categories > 2 else {})

        a = mp.e ** (mp.mpf(-1) / 10)
        masses = [1 / (1 + a), (1 - a) * a / (1 + a), (1 - a) * a**2 / (1 + a), a**3 / (1 + a)]
        noise = {3 - 2 * k: mass for k, mass in enumerate(masses)}
        found = {0: mp.mpf(1)}
        for part, count in ((answer(1, 2), 30), (answer(3, 5), 20), (noise, 10)):
            step = {}
            for (a, p), (b, q) in itertools.product(found.items(), power(part, count).items()):
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


@full_run
def test_dp_accounting_agrees_within_its_grid():
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    e, k = 0.5, 5
    noise = k / (math.exp(e) + k - 1)
    theirs = pld.from_randomized_response(noise, k, value_discretization_interval=1e-3)
    ours = times(randomised_response(e, categories=k), 20)
    theirs = theirs.self_compose(20)
    for epsilon in (0.5, 1.0, 3.0):
        peer = theirs.get_delta_for_epsilon(epsilon)  # each of its losses is rounded up
        assert ours.delta(epsilon) <= peer * (1 + 1e-9)
        assert peer <= ours.delta(epsilon - 20 * 1e-3) * (1 + 1e-9)
