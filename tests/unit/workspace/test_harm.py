"""What a loss lets somebody guess: computed again with many digits, and never written too small."""

import mpmath
import pytest

from dpviz.accounting import JointLoss
from dpviz.workspace import harm


@pytest.mark.parametrize("rho", [1e-6, 0.1, 0.4, 1.0, 40.0])
def test_guesses_by_gaussian_noise(rho):
    with mpmath.workdps(40):
        right = float(1000 * mpmath.ncdf(mpmath.sqrt(mpmath.mpf(rho) / 2)))
    loss = JointLoss(rho, 0.0, "ρ-zCDP", "max")
    assert harm.guesses(loss) == pytest.approx(right, rel=1e-12)
    assert int(harm.at_most(loss).replace(",", "")) >= right
    assert harm.claim("by all", loss).value == harm.guesses(loss)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 0.0), (1.5, 1e-6), (900.0, 0.1)])
def test_guesses_by_any_other_noise_are_at_most_what_the_promise_allows(epsilon, delta):
    with mpmath.workdps(40):
        grown = mpmath.exp(epsilon)
        right = float(500 * (1 + (grown - 1 + 2 * delta) / (grown + 1)))
    loss = JointLoss(epsilon, delta, "(ε, δ)-DP", "max")
    assert harm.guesses(loss) == pytest.approx(min(right, 1000.0), rel=1e-9)


def test_no_loss_is_a_coin():
    assert harm.about(JointLoss(0.0, 0.0, "ε-DP", "max")) == "500"
