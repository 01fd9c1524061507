"""Laplace noise under zCDP: its exact rho, and the bound epsilon²/2 that budgets are read by.

    one coordinate, pure budget e    rho = e + exp(-e) - 1,   exactly
    any epsilon-DP mechanism         rho = epsilon²/2,        an upper bound

The Rényi divergence over its order, D_alpha / alpha, falls with alpha, so its supremum is the
Kullback-Leibler divergence, alpha -> 1. All coordinates have theirs there, so the rho of several is
the sum, exactly, too. Rounded to the private side. Source: MATHEMATICS 3.2.
[HM25] Harrison, Manurangsi, Exact zCDP Characterizations, arXiv:2510.25746.
"""

import math

from dpviz.accounting.inputs import Number, non_negative, positive, representable
from dpviz.accounting.search import least

SERIES = 0.1  # below, e + exp(-e) - 1 loses digits and its series is taken
TERMS = 12
UP = 1 + 2.0**-49


def laplace_rho(epsilon: Number) -> float:
    """Exact zCDP budget of Laplace noise on one coordinate, rounded up.

    Args:
        epsilon: pure budget of the coordinate, at least 0, nats.

    Returns:
        rho = e + exp(-e) - 1; less than epsilon²/2, what any epsilon-DP mechanism has at most.

    Raises:
        ParameterError: epsilon is negative or not finite.

    Source: [HM25]; MATHEMATICS 3.2.

    >>> round(laplace_rho(1.0), 9), round(laplace_rho(0.01), 12)
    (0.367879441, 4.9833749e-05)
    """
    e = non_negative(epsilon=epsilon)
    if e < SERIES:
        return math.fsum((-e) ** k / math.factorial(k) for k in range(2, TERMS)) * UP
    return representable((e + math.expm1(-e)) * UP)


def laplace_epsilon_at_rho(rho: Number) -> float:
    """Largest pure budget of Laplace noise on one coordinate that is rho-zCDP, rounded down.

    Args:
        rho: above 0.

    Returns:
        epsilon in nats; `laplace_rho` of it never exceeds `rho`.

    Raises:
        ParameterError: rho is out of range.

    Source: as `laplace_rho`, inverted.

    >>> round(laplace_epsilon_at_rho(0.5), 6)
    1.19829
    """
    rho = positive(rho=rho)
    found = least(lambda x: laplace_rho(1 / x) - rho, 1 / (math.sqrt(2 * rho) + rho))
    return 1 / found if found is not None and laplace_rho(1 / found) <= rho else math.sqrt(2 * rho)
