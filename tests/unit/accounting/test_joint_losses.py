"""Losses of different kinds together: never below the exact curve, a little above it at most."""

import itertools
import math
import random
from dataclasses import replace

import numpy as np
import pytest
from scipy import integrate, stats

from dpviz.accounting import (
    ReleaseEvent,
    composed_laplace_epsilon,
    gaussian_epsilon,
    gaussian_log_delta,
    joint_loss,
    rho_to_mu,
)
from dpviz.accounting.guarantees import Setting, points_of
from dpviz.accounting.privacy_loss import gaussian, kept_together
from dpviz.accounting.pure_composition import pure_composition_epsilon
from dpviz.noise import FAMILIES
from dpviz.planning.budgets import Amount, resolve
from dpviz.queries import Sensitivity
from dpviz.release import event_of
from tests.conftest import FULL, few, for_each, full_run

DELTA = 1e-6
LOG = math.log(DELTA)
ONE = Sensitivity(l0=1, l1=1, l2=1, linf=1)


def pure(epsilon):
    return ((epsilon, -math.inf),)


def drawn(family, epsilon, session=1, sensitivity=ONE):
    """A release of this family at an ε, with its points, and the budget."""
    setting = Setting(family=FAMILIES[family], delta=DELTA, sensitivity=sensitivity, dimension=5)
    budget = resolve("ε", Amount(epsilon), setting)
    event = event_of(session, family, budget)
    found = points_of(budget, setting)
    assert all(b >= a for (a, _), (b, _) in itertools.pairwise(found))
    definition, delta = event.definition, event.delta
    return budget, ReleaseEvent(
        session=session, definition=definition, budget=event.budget, delta=delta, points=found
    )


def gauss(epsilon, rho):
    """Exact δ of Gaussian noise, at any ε."""
    return math.exp(gaussian_log_delta(epsilon, rho_to_mu(rho)))


def exact_epsilon(delta_at):
    """The ε at which an exact, falling curve is DELTA."""
    low, high = 0.0, 60.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if delta_at(middle) > DELTA else (low, middle)
    return low


def tight(found, exact, over):
    """Not below the exact one, but for the digits of that one, and not far above."""
    return exact * (1 - 1e-6) <= found <= exact * (1 + over)


def test_pure_guarantees_alone_are_optimal_composition():
    exact = pure_composition_epsilon(40, 0.1, LOG)
    assert tight(kept_together([pure(0.1)] * 40).epsilon(DELTA), exact, 1e-3)


def test_laplace_noise_alone_is_its_own_composition():
    _, event = drawn("laplace", 0.25)
    exact = composed_laplace_epsilon([0.25] * 30, LOG)
    assert tight(kept_together([event.curve] * 30).epsilon(DELTA), exact, 1e-3)


@for_each(("rho", "epsilon"), [(0.5, 1.0), (0.02, 0.1), (0.005, 2.0), (3.0, 0.5)])
def test_gaussian_noise_and_a_pure_guarantee_have_a_closed_form(rho, epsilon):
    up = 1 / (1 + math.exp(-epsilon))

    def delta_at(x):
        return up * gauss(x - epsilon, rho) + (1 - up) * gauss(x + epsilon, rho)

    added = gaussian_epsilon(LOG, rho_to_mu(rho)) + epsilon
    found = kept_together([pure(epsilon)]).compose(gaussian(rho_to_mu(rho))).epsilon(DELTA)
    assert tight(found, exact_epsilon(delta_at), 1e-5)
    assert found < added


@pytest.mark.parametrize(("rho", "epsilon"), few([(0.5, 1.0), (0.02, 0.1), (0.02, 3.0)], 3))
def test_gaussian_and_laplace_noise_against_quadrature(rho, epsilon):
    """The law of the Laplace loss is elementary (MATHEMATICS 5.3)."""

    def delta_at(x):
        between, _ = integrate.quad(
            lambda loss: math.exp((loss - epsilon) / 2) / 4 * gauss(x - loss, rho),
            *(-epsilon, epsilon),
            epsrel=1e-9,
            epsabs=0,
        )
        ends = gauss(x - epsilon, rho) + math.exp(-epsilon) * gauss(x + epsilon, rho)
        return ends / 2 + between

    _, event = drawn("laplace", epsilon, session=2)
    found = joint_loss([ReleaseEvent(session=1, definition="ρ-zCDP", budget=rho), event])
    assert found.delta == DELTA
    assert tight(found.value, exact_epsilon(delta_at), 2e-3)


@pytest.mark.parametrize(("family", "over"), [("poisson", 0.02), ("skellam", 0.02)])
@pytest.mark.parametrize(("rho", "epsilon"), few([(0.5, 1.0), (0.02, 0.3), (0.001, 1.5)], 3))
def test_gaussian_and_whole_noise_against_their_laws(family, over, rho, epsilon):
    """Each outcome of the whole noise shifts the ε of the Gaussian curve by its loss."""
    budget, event = drawn(family, epsilon, session=2)
    rate = budget.level
    law = stats.poisson(rate) if family == "poisson" else stats.skellam(rate, rate)
    x = np.arange(*law.ppf([1e-14, 1 - 1e-14]).astype(int))
    x = x[x > 0] if family == "poisson" else x
    mass, loss = law.pmf(x), law.logpmf(x) - law.logpmf(x - 1)

    def delta_at(at):
        there = sum(m * gauss(at - one, rho) for m, one in zip(mass, loss, strict=True))
        moved = np.exp(law.logpmf(x - 1))
        back = sum(m * gauss(at + one, rho) for m, one in zip(moved, loss, strict=True))
        impossible = law.pmf(0) if family == "poisson" else 0.0
        return max(there + impossible, back)

    found = joint_loss([ReleaseEvent(session=1, definition="ρ-zCDP", budget=rho), event])
    assert found.delta == DELTA
    low, high = found.value / (1 + over), found.value * (1 + 1e-6)
    assert delta_at(high) <= DELTA  # it is private
    assert delta_at(low) >= DELTA  # and no smaller ε by much is


def test_it_is_never_above_the_sum_in_either_number(seed):
    rng = random.Random(seed)
    made = [drawn(f, e)[1] for f in ("laplace", "poisson", "skellam") for e in (0.1, 1)]
    made += [
        ReleaseEvent(session=1, definition="ρ-zCDP", budget=0.01),
        ReleaseEvent(session=1, definition="ε-DP", budget=2),
        ReleaseEvent(session=1, definition="(ε, δ)-DP", budget=0.5, delta=1e-7),
    ]
    for _ in range(25 if FULL else 8):
        chosen = rng.choices(made, k=rng.randrange(2, 6))
        events = [replace(event, session=session) for session, event in enumerate(chosen)]
        found = joint_loss(events)
        rho = sum(e.budget for e in events if e.definition == "ρ-zCDP")
        mixed = len({e.definition for e in events}) > 1
        in_one = gaussian_epsilon(LOG, rho_to_mu(float(rho))) if rho and mixed else rho
        epsilon = float(sum(e.budget for e in events if e.definition != "ρ-zCDP"))
        deltas = sum(e.delta for e in events) + (DELTA if rho and mixed else 0)
        assert found.value <= (float(in_one) + epsilon) * (1 + 1e-12)
        assert found.delta <= deltas * (1 + 1e-12)
        assert found.value >= max(float(e.budget) for e in events if e.definition != "ρ-zCDP") * 0.9


def test_the_ledger_and_the_objects_have_one_convolution():
    """Neither is looser than what the ledger convolved by itself before: 5.7585 and 1.3345."""
    rho = ReleaseEvent(session=1, definition="ρ-zCDP", budget=0.5)
    _, laplace = drawn("laplace", 1, session=2)
    known = kept_together([laplace.curve])
    assert joint_loss([rho, laplace]).value == known.compose(gaussian(1.0)).epsilon(DELTA) < 5.7585
    poisson = [drawn("poisson", 1, session)[1] for session in (1, 2)]
    both = kept_together(event.curve for event in poisson)
    assert joint_loss(poisson).value == both.epsilon(DELTA) < 1.3345


@full_run
def test_budgets_of_any_size_are_convolved():
    """Before, a large rho was converted and added, a small one met a grid of another size."""
    for rho, epsilon in ((900.0, 1.0), (1e-24, 1e-12)):
        events = [
            ReleaseEvent(session=1, definition="ρ-zCDP", budget=rho),
            ReleaseEvent(session=2, definition="ε-DP", budget=epsilon),
        ]
        found = joint_loss(events)
        assert "convolved" in found.method
        assert found.value < gaussian_epsilon(LOG, rho_to_mu(rho)) + epsilon


def test_two_poisson_sessions_cost_less_than_twice_one_and_at_one_delta():
    events = [drawn("poisson", 1, session)[1] for session in (1, 2)]
    found = joint_loss(events)
    assert 1.3 < found.value < 1.45  # added it was 2 at δ = 2e-6
    assert (found.delta, found.bound) == (DELTA, True)
    assert joint_loss(events[:1]).value == 1.0


def test_releases_of_one_session_stated_at_different_deltas_keep_no_points():
    _, one = drawn("poisson", 1)
    other = ReleaseEvent(session=1, definition="(ε, δ)-DP", budget=0.7, delta=1e-9)
    rho = ReleaseEvent(session=2, definition="ρ-zCDP", budget=0.1)
    bare = ReleaseEvent(session=1, definition="(ε, δ)-DP", budget=1, delta=DELTA)
    assert joint_loss([one, other, rho]) == joint_loss([bare, rho])
    assert joint_loss([one, rho]).value < joint_loss([bare, rho]).value
