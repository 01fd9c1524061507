"""A histogram released several times: one person moves l0 groups by at most linf, in each round.

    Gaussian, exact      mu = sqrt(rounds l0) linf / sigma, and the exact curve of that mu
    Gaussian, loose      the exact curve of one round at delta/(2 rounds), then the optimal
                         composition of `rounds` pure guarantees at delta/2
    Gaussian, zCDP       rho = mu²/2, epsilon = rho + 2 sqrt(rho ln(1/delta))
    Laplace, exact       the losses of rounds * l0 coordinates of own budget linf / scale, added
    Laplace, bound       the optimal composition of rounds * l0 guarantees of linf / scale each

[BCT20, Figure 5] draws the last three but "exact": loose, zCDP and bound. The loose way forgets
that the losses of one person are normal, and so lets Laplace noise win where the exact curves do
not. Fresh noise in each round, which is what lossless releases of one statistic avoid. All rounded
to the private side.
Source: MATHEMATICS 9.2; [BCT20] Lemmas 6.1 to 6.3.
"""

import math
from fractions import Fraction

from dpviz import checks
from dpviz.accounting.conversions import mu_to_rho, zcdp_epsilon_textbook
from dpviz.accounting.gaussian import gaussian_epsilon
from dpviz.accounting.inputs import Number, elementwise, log_probability, positive, representable
from dpviz.accounting.laplace_composition import LARGEST_COUNT, composed_laplace_epsilon
from dpviz.accounting.pure_composition import pure_composition_epsilon
from dpviz.errors import ParameterError

UP = 1 + 2.0**-50


@elementwise
def histogram_gaussian_epsilon(
    log_delta: Number,
    sigma: Number,
    *,
    l0_sensitivity: int,
    linf_sensitivity: Number = 1.0,
    rounds: int = 1,
) -> float:
    """Epsilon of `rounds` noisy histograms, Gaussian noise, by the exact composition.

    Args:
        log_delta: ln delta of all rounds together, below 0.
        sigma: standard deviation of the noise, above 0, in units of the statistic.
        l0_sensitivity: how many groups one person moves at most.
        linf_sensitivity: by how much one person moves a group at most, above 0.
        rounds: number of releases, each with separate noise.

    Returns:
        epsilon in nats, rounded up.

    Raises:
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 9.2: k rounds have sensitivity sqrt(k) l2.

    >>> histogram_gaussian_epsilon(
    ...     math.log(1e-6), 100.0, l0_sensitivity=10, rounds=20
    ... ).__round__(9)
    0.575055186
    """
    mu = _mu(sigma, l0_sensitivity, linf_sensitivity, rounds)
    return gaussian_epsilon(log_delta, mu)


@elementwise
def histogram_loose_epsilon(
    log_delta: Number,
    sigma: Number,
    *,
    l0_sensitivity: int,
    linf_sensitivity: Number = 1.0,
    rounds: int = 1,
) -> float:
    """The same in the paper's loose way; arguments as `histogram_gaussian_epsilon`.

    Half of delta goes to the rounds, half to their composition; a single round is the exact curve.

    Raises:
        ParameterError: an argument is out of range.

    >>> histogram_loose_epsilon(
    ...     math.log(1e-6), 100.0, l0_sensitivity=10, rounds=20
    ... ).__round__(9)
    2.695252939
    """
    mu = _mu(sigma, l0_sensitivity, linf_sensitivity, 1)
    rounds = checks.integer(1, rounds=rounds)
    log_delta = log_probability(log_delta)
    if rounds == 1:
        return gaussian_epsilon(log_delta, mu)
    one = gaussian_epsilon(log_delta - math.log(2 * rounds), mu)
    if one == 0:
        return 0.0
    composed = pure_composition_epsilon(rounds, one, log_delta - math.log(2))
    return composed


@elementwise
def histogram_zcdp_epsilon(
    log_delta: Number,
    sigma: Number,
    *,
    l0_sensitivity: int,
    linf_sensitivity: Number = 1.0,
    rounds: int = 1,
) -> float:
    """The same by zCDP, an upper bound; arguments as `histogram_gaussian_epsilon`.

    Raises:
        ParameterError: an argument is out of range.

    Source: [BCT20] Lemma 6.3 and Figure 5; MATHEMATICS 3.2, 9.2.

    >>> histogram_zcdp_epsilon(
    ...     math.log(1e-6), 100.0, l0_sensitivity=10, rounds=20
    ... ).__round__(9)
    0.753384438
    """
    mu = _mu(sigma, l0_sensitivity, linf_sensitivity, rounds)
    return zcdp_epsilon_textbook(mu_to_rho(mu) * UP, log_delta)


@elementwise
def histogram_tight_epsilon(
    log_delta: Number,
    scale: Number,
    *,
    l0_sensitivity: int,
    linf_sensitivity: Number = 1.0,
    rounds: int = 1,
) -> float:
    """Laplace noise by the sum of its losses, exact up to upward rounding.

    Args:
        log_delta: ln delta of all rounds together, below 0 and at least -600.
        scale: scale of the noise, above 0; its variance is 2 scale².
        l0_sensitivity: how many groups one person moves at most.
        linf_sensitivity: by how much one person moves a group at most, above 0.
        rounds: number of releases, each with separate noise.

    Returns:
        epsilon in nats, rounded up.

    Raises:
        ParameterError: an argument is out of range, or there are too many groups and rounds.

    Source: MATHEMATICS 5.3, 9.2.

    >>> histogram_tight_epsilon(
    ...     math.log(1e-6), 100 / math.sqrt(2), l0_sensitivity=10, rounds=20
    ... ).__round__(6)
    0.825832
    """
    l0_sensitivity = checks.integer(1, l0_sensitivity=l0_sensitivity)
    rounds = checks.integer(1, rounds=rounds)
    one = positive(linf_sensitivity=linf_sensitivity) / positive(scale=scale) * UP
    if (count := int(l0_sensitivity) * int(rounds)) > LARGEST_COUNT:
        raise ParameterError(
            f"l0_sensitivity times rounds must be at most {LARGEST_COUNT:,}; pass fewer rounds"
        )
    return composed_laplace_epsilon([one], log_delta, times=count)


@elementwise
def histogram_laplace_epsilon(
    log_delta: Number,
    scale: Number,
    *,
    l0_sensitivity: int,
    linf_sensitivity: Number = 1.0,
    rounds: int = 1,
) -> float:
    """Epsilon of `rounds` noisy histograms, Laplace noise of this scale, by Lemma 6.2.

    Args:
        log_delta: ln delta of all rounds together, below 0.
        scale: scale of the noise, above 0; its variance is 2 scale².
        l0_sensitivity: how many groups one person moves at most.
        linf_sensitivity: by how much one person moves a group at most, above 0.
        rounds: number of releases, each with separate noise.

    Returns:
        epsilon in nats, rounded up. An upper bound: `histogram_tight_epsilon` is tighter.

    Raises:
        ParameterError: an argument is out of range.

    Source: [BCT20] Lemma 6.2; MATHEMATICS 9.2.

    >>> histogram_laplace_epsilon(
    ...     math.log(1e-6), 100 / math.sqrt(2), l0_sensitivity=10, rounds=20
    ... ).__round__(9)
    0.828077429
    """
    l0_sensitivity = checks.integer(1, l0_sensitivity=l0_sensitivity)
    rounds = checks.integer(1, rounds=rounds)
    one = positive(linf_sensitivity=linf_sensitivity) / positive(scale=scale) * UP
    composed = pure_composition_epsilon(l0_sensitivity * rounds, one, log_delta)
    return composed


def _mu(sigma: Number, l0_sensitivity: int, linf_sensitivity: Number, rounds: int) -> float:
    """Sensitivity over sigma of all rounds together, rounded up."""
    checks.whole(1, l0_sensitivity=l0_sensitivity, rounds=rounds)
    one = positive(linf_sensitivity=linf_sensitivity) / positive(sigma=sigma)
    moved = representable(Fraction(int(l0_sensitivity) * int(rounds)))
    return representable(math.sqrt(moved) * one * UP)
