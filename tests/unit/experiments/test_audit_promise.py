"""What a promise allows: the exact trade-off curve, and no more power than a proof may have."""

import math
from dataclasses import replace

import numpy as np
import pytest

from dpviz.accounting import gaussian_trade_off, laplace_trade_off
from dpviz.accounting.privacy_loss import gaussian, laplace
from dpviz.errors import ParameterError
from dpviz.experiments.audit_promise import most_allowed
from dpviz.scenes.falsify import FIRST, Tried, first, ours

SHARES = [1e-6, 0.0036, 0.0047, 0.1, 0.4, 0.5, 0.8, 0.999]


@pytest.mark.parametrize("share", SHARES)
def test_it_is_the_trade_off_curve(share):
    for mu in (0.3, math.sqrt(0.6), 2.0):
        exact = 1 - gaussian_trade_off(mu, share)
        assert most_allowed(gaussian(mu), share) == pytest.approx(exact, rel=1e-6)
    for epsilon in (0.5, 2.0):
        exact = 1 - laplace_trade_off(epsilon, share)
        assert most_allowed(laplace(1 / epsilon, 1.0), share) == pytest.approx(exact, rel=1e-6)


def test_no_test_of_whole_noise_reaches_more_and_one_reaches_it():
    """Every set of outcomes that the best test may choose, for Skellam noise."""
    from scipy import stats

    game = ours("skellam", ("audit",))
    level = min(game.held)
    x = np.arange(-200, 201)
    out, inside = (stats.skellam(level, level).pmf(x - moved) for moved in (0, 1))
    for cut in range(-2, 8):
        rare, likely = out[x > cut].sum(), inside[x > cut].sum()
        assert likely <= most_allowed(game.promised, float(rare)) + 1e-9
        assert likely == pytest.approx(most_allowed(game.promised, float(rare)), rel=1e-4)


def test_the_numbers_that_a_referee_read():
    """0.36 %: one point of the curve allows 3.7 %, exact noise 2.8 %; 4.7 % was for 0.47 %."""
    both = replace(FIRST, members=("research", "public"))
    point = math.exp(both.promised)
    assert point * 0.0036 + 1e-3 == pytest.approx(0.037, abs=5e-4)
    assert point * 0.0047 + 1e-3 == pytest.approx(0.047, abs=1e-3)
    assert most_allowed(both.promise, 0.0036) == pytest.approx(0.028, abs=5e-4)
    tried = Tried(FIRST, first(FIRST))
    assert tried.allowed < math.exp(FIRST.promised) * tried.seen.at_most + 1e-3


def test_what_one_pair_proves_the_curve_proves_and_more():
    seen = Tried(FIRST, first(FIRST)).seen
    for share in np.linspace(seen.at_most, 0.5, 9):
        for epsilon in (0.0, 0.5, FIRST.promised):
            pair = math.exp(epsilon) * share + float(FIRST.promise.delta(epsilon))
            assert most_allowed(FIRST.promise, float(share)) <= pair + 1e-12


def test_refuses():
    for use in (lambda: most_allowed(None, 0.5), lambda: most_allowed(gaussian(1.0), 1.5)):
        with pytest.raises(ParameterError):
            use()
