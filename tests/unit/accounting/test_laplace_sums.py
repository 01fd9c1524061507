"""Sums of Laplace noise: intervals against numerical inversion of the characteristic function."""

import math

import numpy as np
import pytest

from dpviz.accounting.laplace_sums import laplace_sum_half_width
from dpviz.errors import ParameterError
from dpviz.noise import FAMILIES

WHOLE = FAMILIES["discrete_laplace"]
COUNTS = (1, 2, 9, 60)


def whole_masses(count, level, size=2**15):
    """P(S = s) for s = 0…size/2, by a discrete Fourier transform; aliases are below 1e-12."""
    a = math.exp(-1 / level)
    angle = 2 * np.pi * np.arange(size) / size
    return np.fft.fft(((1 - a) ** 2 / (1 - 2 * a * np.cos(angle) + a * a)) ** count).real / size


def real_tail(count, beyond):
    """P(|S| > x) by the inversion formula, trapezoids up to where φ is negligible."""
    u = np.linspace(1e-9, {1: 1e4, 2: 1e3}.get(count, 30.0), 1_000_001)
    inner = np.sin(u * beyond) / u * np.exp(-count * np.log1p(u * u))
    return 1 - 2 / np.pi * np.trapezoid(inner, u)


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_half_widths_hold_just_what_they_say(count, confidence):
    half = laplace_sum_half_width(count, 5.0, confidence) / 5.0
    assert real_tail(count, half) == pytest.approx(1 - confidence, abs=2e-6)
    normal = math.erfc(half / math.sqrt(4 * count))
    assert abs(normal - (1 - confidence)) > 1e-4  # the law of the same variance is a near miss


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("level", [0.3, 3.0, 40.0])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_whole_half_widths_are_the_least_that_hold_it(count, level, confidence):
    whole = laplace_sum_half_width(count, level, confidence, family=WHOLE)
    assert whole == int(whole)
    masses = whole_masses(count, level)
    kept = masses[0] + 2 * masses[1 : int(whole) + 1].sum()
    assert kept >= confidence - 1e-12
    assert whole == 0 or kept - 2 * masses[int(whole)] < confidence


@pytest.mark.parametrize("count", [2_001, 50_000])
def test_of_many_terms_only_the_last_weights_count(count):
    half = laplace_sum_half_width(count, 1.0, 0.95)
    assert real_tail(count, half) == pytest.approx(0.05, abs=2e-6)


def test_no_noise_has_no_width_and_nonsense_is_refused():
    assert laplace_sum_half_width(0, 5.0, 0.95) == 0
    for bad in ((-1, 5.0, 0.95), (2, 0.0, 0.95), (2, 5.0, 1.0), (1_000_001, 5.0, 0.95)):
        with pytest.raises(ParameterError):
            laplace_sum_half_width(*bad)
    with pytest.raises(ParameterError):
        laplace_sum_half_width(2, 5.0, 0.95, family=FAMILIES["gaussian"])
