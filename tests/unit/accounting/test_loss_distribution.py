"""How likely each loss is, for pictures: against laws that are known."""

import math

import numpy as np
import pytest
from scipy import stats

from dpviz.accounting.privacy_loss import (
    PrivacyLoss,
    gaussian,
    generalised_response,
    laplace,
    poisson,
    promised,
    randomised_response,
)
from dpviz.errors import ParameterError


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
