"""Poisson noise by the simplified bound of the paper, for a dashed line beside the better ones.

    epsilon = sqrt(2 ln(1.25/delta)) / sqrt(level) + 2 ln(20 d/delta) ln(10/delta) / level

for unit sensitivities, delta < 1/100 and level > 23 ln(10 d/delta). It lies above Theorem E.2
(poisson_theorem.py), which lies far above the exact curve (poisson.py).
Source: [LMR25] Corollary E.3.
"""

import math

from dpviz.accounting.inputs import Number, log_probability, positive
from dpviz.accounting.poisson_theorem import poisson_theorem_limit
from dpviz.accounting.stated import Stated
from dpviz.errors import NoGuaranteeError

COROLLARY = "Corollary E.3, unit sensitivities (simplified, loose)"


def poisson_corollary_epsilon(level: Number, log_delta: Number, *, dimension: int) -> Stated:
    """Epsilon of Poisson noise by Corollary E.3; one person moves one coordinate by one.

    Args:
        level: rate of the noise in each coordinate, above 23 ln(10 d/delta).
        log_delta: ln delta, below ln 0.01.
        dimension: d, the number of coordinates.

    Returns:
        epsilon in nats, rounded up.

    Raises:
        NoGuaranteeError: the level or delta is outside what the corollary covers.
        ParameterError: an argument is out of range.

    Source: [LMR25] Corollary E.3.

    >>> round(poisson_corollary_epsilon(1000.0, math.log(1e-6), dimension=1).value, 4)
    0.7095
    """
    level, log_delta = positive(level=level), log_probability(log_delta)
    limit = poisson_theorem_limit(log_delta, linf_sensitivity=1, dimension=dimension)
    if not (log_delta < math.log(0.01) and level > limit):
        raise NoGuaranteeError(
            "Corollary E.3 gives no guarantee here; pass a delta below 0.01 and a level above "
            f"{limit:.6g}"
        )
    first = math.sqrt(2 * (math.log(1.25) - log_delta) / level)
    spread = math.log(20) + math.log(dimension) - log_delta
    second = 2 * spread * (math.log(10) - log_delta) / level
    return Stated((first + second) * (1 + 2.0**-48), COROLLARY)
