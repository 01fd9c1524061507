"""Discrete Gaussian noise: what is added, by convolution; and where there is nothing to add."""

import itertools
from fractions import Fraction as F

import numpy as np
import pytest

from dpviz.errors import ParameterError
from dpviz.lossless import decide_discrete_gaussian, refute_noise
from dpviz.lossless.discrete_gaussian import GaussianDecision

FAR = 150


def law(square):
    """The chances of -150, …, 150, as they are defined."""
    weights = np.exp(-(np.arange(-FAR, FAR + 1) ** 2) / (2 * square))
    return weights / weights.sum()


def test_sharper_noise_and_what_is_added_are_the_noisier_noise():
    for sharper, times in itertools.product((0.1, 1, 4.5), (1, 2, 3, 2.5, 5)):
        added_up(sharper, times)


def added_up(sharper, times):
    found = decide_discrete_gaussian(sharper, F(sharper) * F(times))
    added = np.array(found.candidate)
    both = np.convolve(law(sharper), added, mode="same" if added.size < FAR else "full")
    middle = both[both.size // 2 - FAR // 2 : both.size // 2 + FAR // 2 + 1]
    whole = law(sharper * times)
    assert middle == pytest.approx(whole[FAR // 2 : -(FAR // 2)], abs=1e-11)
    assert found.verdict == ("yes" if times in (1, 3, 5) else "no")
    if found.verdict == "yes":
        assert added.min() >= 0
    elif sharper < 2:  # for larger σ² the chances below 0 are too small for floats
        assert added.min() < 0


def test_the_general_search_says_no_where_the_theorem_does():
    def wave(square):
        chances = law(square)[FAR : FAR + 13].tolist()
        return lambda t, m: (
            chances[0] + 2 * sum(chance * m.cos(x * t) for x, chance in enumerate(chances) if x)
        )

    assert refute_noise(wave(0.5), wave(1.0)).verdict == "no"


def test_what_is_no_growth_and_what_is_no_variance():
    assert decide_discrete_gaussian(3, 1) == GaussianDecision("no", F(1, 3), ())
    assert "odd multiple" in decide_discrete_gaussian("1/3", 1).sentence
    for given in ((0, 1), (1, 101), ("x", 1), (1, None), (1, -1)):
        with pytest.raises(ParameterError, match=r"σ² is .* pass a number from 0.1 to 100"):
            decide_discrete_gaussian(*given)
    with pytest.raises(ParameterError, match="odd multiple"):
        GaussianDecision("yes", F(2), ())
