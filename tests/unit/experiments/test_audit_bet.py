"""The best bet: as often won as theory says, never proved above what is promised."""

import math

import numpy as np
import pytest
from scipy import stats

from dpviz import streams
from dpviz.errors import ParameterError
from dpviz.experiments.audit_bet import best_bet, wins

RUNS = 100_000


def shifted(mu):
    """Gaussian noise of variance 1, which one person moves by mu."""

    def run(inside, size, *, rng):
        return rng.normal(mu * inside, 1.0, (size, 1))

    return run


@pytest.mark.parametrize("mu", [0.3, math.sqrt(0.8), 2.0])
def test_of_gaussian_noise_it_wins_as_often_as_the_best_test(mu):
    bet = best_bet(shifted(mu), RUNS, rng=streams.teaching(3), digits=False)
    best = stats.norm.cdf(mu / 2)
    deviation = 0.5 / math.sqrt(2 * bet.runs)
    assert bet.runs == RUNS // 2
    assert best - 0.002 - 5 * deviation < wins(bet) < best + 5 * deviation
    assert (1 + bet.at_least - bet.at_most) / 2 < best


def test_it_bets_on_the_side_that_is_likelier():
    for sign in (1, -1):
        bet = best_bet(shifted(2.0 * sign), RUNS, rng=streams.teaching(3), digits=False)
        assert wins(bet) == pytest.approx(stats.norm.cdf(1.0), abs=0.01)


def test_without_a_difference_it_is_a_coin():
    bet = best_bet(shifted(0.0), RUNS, rng=streams.teaching(4), digits=False)
    assert wins(bet) == pytest.approx(0.5, abs=0.01)


def test_a_hidden_person_is_found_for_certain():
    def told(inside, size, **_):
        return np.full((size, 1), float(inside))

    assert wins(best_bet(told, 1000, rng=streams.teaching(5))) == 1.0


def test_refuses():
    for bad in ({"runs": 999}, {"runs": 10**8}, {"runs": 1000, "confidence": 1.0}):
        with pytest.raises(ParameterError):
            best_bet(shifted(1.0), **bad, rng=streams.teaching(1))
