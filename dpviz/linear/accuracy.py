"""How near the exact answers are: half widths that hold for sums of several noises.

An answer holds row q of L times the noise, so for Gaussian noise ±a = z·σ·‖row q‖ exactly. For
other families the law of such a sum has no short formula: its quantile is read off `SIMULATED`
noise vectors of one fixed seed, at a rank high enough that ±a covers the confidence with 99 %
certainty (order statistics: the count below a quantile is binomial). Only noise is drawn, never an
answer.
How far: factors that can be written out, `MOST_ROWS` answers.
"""

from functools import lru_cache

import numpy as np
from scipy import special

from dpviz import checks, streams
from dpviz.errors import ParameterError
from dpviz.linear.factorization import Factorization
from dpviz.linear.operators import dense
from dpviz.noise import Array, Family
from dpviz.noise.family import NORMAL

SIMULATED = 4000
CERTAINTY = 0.99
MOST_ROWS = 5000
BLOCK = 256  # answers at a time
SEED = 2024


def half_widths(
    factorization: Factorization, family: Family, level: float, confidence: float
) -> Array:
    """±a for every answer: |answer − mean of its noise − exact| ≤ a with the confidence.

    Args:
        factorization: A = L·R; only L matters.
        family: a noise family.
        level: noise level, above 0.
        confidence: for one answer at a time, between 0 and 1.

    Returns:
        Shape (m,), read-only, in units of the answers.

    Raises:
        ParameterError: if an argument is out of range, or there are too many answers to simulate.

    >>> from dpviz.noise import FAMILIES
    >>> both = Factorization([[1, 0], [1, 1]], np.eye(2))
    >>> half_widths(both, FAMILIES["gaussian"], 1.0, 0.95).round(3)
    array([1.96 , 2.772])
    """
    checks.probability(confidence=confidence)
    checks.positive(level=level)
    return _half_widths(factorization, family, level, confidence)


@lru_cache(maxsize=64)  # a deterministic function: the seed is fixed, and no data enters
def _half_widths(
    factorization: Factorization, family: Family, level: float, confidence: float
) -> Array:
    """The same, of checked arguments."""
    if family.shape == NORMAL:  # so is every sum
        found = special.ndtri((1 + confidence) / 2) * np.sqrt(
            factorization.variances(family, level)
        )
    else:
        found = _simulated(factorization, family, level, confidence)
    found.setflags(write=False)
    return np.asarray(found)


def _simulated(
    factorization: Factorization, family: Family, level: float, confidence: float
) -> Array:
    """Quantiles of the size of the centred noise in every answer."""
    from scipy import stats  # here, because loading it takes longer than all the rest of the page

    m, inner = factorization.left.shape
    if m > MOST_ROWS:
        raise ParameterError(f"intervals are simulated for at most {MOST_ROWS:,} answers")
    zeros = np.zeros(SIMULATED * inner, dtype=np.int64)
    drawn = family.extend(zeros, 0, level, rng=streams.teaching(SEED))
    noise = drawn.reshape(SIMULATED, inner) - family.mean(level)
    rows, which = _laws(dense(factorization.left), symmetric=family.symmetric)
    rank = min(int(stats.binom.ppf(CERTAINTY, SIMULATED, confidence)), SIMULATED - 1)
    found = np.empty(len(rows))
    for begin in range(0, len(rows), BLOCK):
        part = slice(begin, begin + BLOCK)
        sizes = np.abs(noise @ rows[part].T)
        found[part] = np.partition(sizes, rank, axis=0)[rank]
    return found[which]


def _laws(rows: Array, *, symmetric: bool) -> tuple[Array, Array]:
    """One row for each law of an answer, and which law each answer has.

    Noises are alike and independent, so only the weights count, not which noise has which; and not
    their signs, if the noise is symmetric.
    """
    weights = np.sort(np.abs(rows) if symmetric else rows, axis=1)[:, ::-1].round(12)
    kept, which = np.unique(weights, axis=0, return_inverse=True)
    return kept, which.ravel()
