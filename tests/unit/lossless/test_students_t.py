"""Student's t is self-decomposable: the formula that the proof in docs/LOSSLESS.md rests on.

In the full run: mathematics alone, which no change of the library can break.
"""

import mpmath
import pytest

from tests.conftest import full_run

pytestmark = full_run
DEGREES = [3.0, 1.0, 2.5, 8.0]


def rate(order, u):
    """K_{μ-1}(u) / (u K_μ(u)): up to a factor minus the slope of ln E exp(-sV)."""
    return mpmath.besselk(order - 1, u) / (u * mpmath.besselk(order, u))


def mixture(order, u):
    """The same as a mixture of 1/(x² + u²) with weights that are nowhere negative."""

    def weighed(x):
        size = mpmath.besselj(order, x) ** 2 + mpmath.bessely(order, x) ** 2
        return 1 / (x * size * (x * x + u * u))

    return 4 / mpmath.pi**2 * mpmath.quad(weighed, [0, 1, 8, mpmath.inf])


@pytest.mark.parametrize("degrees", DEGREES)
def test_the_slope_is_a_mixture_of_simple_fractions(degrees):
    with mpmath.workdps(18):
        for u in (0.3, 2.0):
            assert mpmath.almosteq(rate(degrees / 2, u), mixture(degrees / 2, u), rel_eps=1e-12)


@pytest.mark.parametrize("degrees", DEGREES)
def test_the_transform_of_reciprocal_gamma_variances_is_that_of_students_t(degrees):
    """φ(t) = E exp(-t²V/2) with V = ν/χ², and what is added has a transform that falls."""
    with mpmath.workdps(20):
        order = mpmath.mpf(degrees) / 2

        def transform(s):
            u = mpmath.sqrt(2 * degrees * s)
            return u**order * mpmath.besselk(order, u) * 2 ** (1 - order) / mpmath.gamma(order)

        for s in (mpmath.mpf("0.1"), mpmath.mpf(3)):
            slope = mpmath.diff(lambda x: mpmath.log(transform(x)), s)
            assert mpmath.almosteq(
                -slope, degrees * rate(order, mpmath.sqrt(2 * degrees * s)), 1e-9
            )
        t = mpmath.mpf("0.7")
        if degrees == 3:  # known: (1 + √3·t) exp(-√3·t)
            known = (1 + mpmath.sqrt(3) * t) * mpmath.exp(-mpmath.sqrt(3) * t)
            assert mpmath.almosteq(transform(t * t / 2), known)
        added = [transform(s) / transform(s / 4) for s in (0.01, 0.1, 1, 10)]  # c = 1/2
        assert added == sorted(added, reverse=True)
        assert added[0] < 1
