"""How near the exact answers are: half widths that hold for sums of noise terms.

An answer holds row q of L times the noise, so for Gaussian noise ±a = z·σ·‖row q‖ exactly, and a
row of one weight has the half width of its noise. For other sums the chance to be off by more than
x is read off their characteristic function (a sum over odd frequencies [D73]), and every error is
bounded, to the safe side: `SMOOTHING` of a deviation is added to a, a few thousandths of the chance
is given away. Nothing is drawn. MATHEMATICS 4.2.
Limits: factors that can be written out, `MOST_ROWS` answers; where more than `MOST_POINTS`
frequencies were needed, the bounds of Chernoff and Chebyshev, which are wider.
"""

import math
from functools import lru_cache

import numpy as np
from scipy import special

from dpviz import checks
from dpviz.accounting.accuracy import half_width
from dpviz.errors import ParameterError
from dpviz.linear.factorization import Factorization
from dpviz.linear.operators import dense
from dpviz.noise import Array, Family
from dpviz.noise.family import NORMAL

MOST_ROWS = 5000
BLOCK = 256  # laws at a time
SMOOTHING = 0.01  # of a deviation: a bounded number is added, so that high frequencies count less
UNIFORMS = 6  # it is the sum of this many
SLACK = 0.002  # of the chance to miss, for each of two errors
MOST_POINTS = 2**16
AT_A_TIME = 2_000_000  # values of a characteristic function
HALVINGS = 14  # of the interval that a lies in
RATES = np.geomspace(1e-4, 30, 200)  # of Chernoff's bound, per deviation


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
        Shape (m,), read-only, in units of the answers; never too small.

    Raises:
        ParameterError: if an argument is out of range, or there are too many answers.

    >>> from dpviz.noise import FAMILIES
    >>> both = Factorization([[1, 0], [1, 1]], np.eye(2))
    >>> half_widths(both, FAMILIES["gaussian"], 1.0, 0.95).round(3)
    array([1.96 , 2.772])
    >>> half_widths(both, FAMILIES["laplace"], 1.0, 0.95).round(1)
    array([3. , 4.1])
    """
    checks.probability(confidence=confidence)
    checks.positive(level=level)
    return _half_widths(factorization, family, level, confidence)


@lru_cache(maxsize=64)  # a deterministic function, and no data enters
def _half_widths(
    factorization: Factorization, family: Family, level: float, confidence: float
) -> Array:
    """The same, of checked arguments."""
    if family.shape == NORMAL:  # so is every sum
        found = special.ndtri((1 + confidence) / 2) * np.sqrt(
            factorization.variances(family, level)
        )
    elif factorization.shape[0] > MOST_ROWS:
        raise ParameterError(f"intervals are computed for at most {MOST_ROWS:,} answers")
    else:
        rows, which = _laws(dense(factorization.left), symmetric=family.symmetric)
        found = _of_laws(rows, family, level, confidence)[which]
    found.setflags(write=False)
    return np.asarray(found)


def _laws(rows: Array, *, symmetric: bool) -> tuple[Array, Array]:
    """One row for each law of an answer, and which law each answer has.

    Noises are alike and independent, so only the weights count, not which noise has which; and not
    their signs, if the noise is symmetric.
    """
    weights = np.sort(np.abs(rows) if symmetric else rows, axis=1)[:, ::-1].round(12)
    kept, which = np.unique(weights, axis=0, return_inverse=True)
    return kept, which.ravel()


def _of_laws(rows: Array, family: Family, level: float, confidence: float) -> Array:
    """Half widths of these laws, those of similar deviation together: they share frequencies."""
    found = np.zeros(len(rows))
    norms = np.sqrt(np.square(rows).sum(axis=1))
    single = np.count_nonzero(rows, axis=1) == 1
    if level > family.largest_level:
        single[:] = False
    elif single.any():
        found[single] = norms[single] * half_width(family, level, confidence)
    sums = np.flatnonzero(~single & (norms > 0))
    octave = np.floor(np.log2(norms[sums]))
    for one in np.unique(octave):
        alike = sums[octave == one]
        for begin in range(0, len(alike), BLOCK):
            part = alike[begin : begin + BLOCK]
            found[part] = _Sums(rows[part], family, level).half_widths(1 - confidence)
    return found


class _Sums:
    """Sums of centred noise terms, one for each row of weights."""

    def __init__(self, rows: Array, family: Family, level: float) -> None:
        self.family, self.level = family, level
        self.weights, place = np.unique(rows, return_inverse=True)
        cells = place.reshape(rows.shape) + len(self.weights) * np.arange(len(rows))[:, None]
        size = len(rows) * len(self.weights)
        self.times = np.bincount(cells.ravel(), minlength=size).reshape(len(rows), -1).astype(float)
        self.deviation = np.sqrt(family.variance(level) * np.square(rows).sum(axis=1))

    def log_moments(self, z: Array) -> Array:
        """Log E[exp(z·S)] of every sum, shape (rows, len(z))."""
        scaled = np.multiply.outer(self.weights, z)
        each = self.family.log_moments(scaled, self.level) - self.family.mean(self.level) * scaled
        found: Array = self.times @ each.real
        return found + 1j * (self.times @ each.imag) if np.iscomplexobj(each) else found

    def half_widths(self, miss: float) -> Array:
        """The a with P(|S| > a) ≤ miss, by halving an interval that ends at a plain bound.

        With a number B of [-δ, δ] added, P(|S| > a) ≤ P(|S + B| > a - δ). The square wave of
        period 2·2π/Δ has the sign of x - S - B unless |S + B| > 2π/Δ - x; it is a sum over the
        frequencies (k + 1/2)Δ, and the chance is what it leaves of 1.
        """
        wide, far = self._beyond(miss), self._beyond(SLACK * miss / 2)
        smoothing = SMOOTHING * self.deviation
        step = 2 * np.pi / (wide.max() + far.max() + smoothing.max())
        slack = SLACK * miss
        last = UNIFORMS / smoothing.min() * (2 / (np.pi * UNIFORMS * slack)) ** (1 / UNIFORMS)
        if last / step > MOST_POINTS:
            return wide
        places = np.arange(math.ceil(last / step) + 1) + 0.5
        at = step * places
        parts = np.array_split(at, math.ceil(at.size * self.weights.size / AT_A_TIME))
        waves = np.hstack([np.exp(self.log_moments(1j * part)).real for part in parts])
        kernel = np.sinc(np.multiply.outer(smoothing, at) / (np.pi * UNIFORMS)) ** UNIFORMS
        waves *= kernel * (2 / np.pi / places)
        low, high = np.zeros_like(wide), wide.copy()
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            inside = np.einsum("ij,ij->i", waves, np.sin(np.multiply.outer(middle, at)))
            fits = 1 - inside + 2 * slack <= miss
            low, high = np.where(fits, low, middle), np.where(fits, middle, high)
        return np.asarray(np.minimum(high + smoothing, wide))

    def _beyond(self, chance: float) -> Array:
        """Chernoff's or Chebyshev's x with P(|S| > x) ≤ chance, for every sum."""
        rates = RATES / self.deviation.max()
        logs = np.stack([self.log_moments(rates), self.log_moments(-rates)])
        both = np.where(np.isfinite(logs), logs, np.inf).max(axis=0)
        chernoff = np.min((math.log(2 / chance) + both) / rates, axis=1)
        return np.asarray(np.minimum(chernoff, self.deviation / math.sqrt(chance)))
