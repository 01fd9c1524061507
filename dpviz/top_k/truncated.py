r"""Truncated Gaussian noise: how far it reaches, its draws, and its exact Rényi divergence.

The density on [-T, T] is φ(x/σ)/σ over 2Φ(T/σ) - 1, elsewhere 0. Two neighbours differ by Δ in a
count, so the outcomes that only one of them can have are as likely as the δ of

    δ = (Φ(T/σ) - Φ((T - Δ)/σ)) / (2Φ(T/σ) - 1)

which is solved for T in the log domain: δ may be 1e-300 and less. On what both can have, the
divergence is below that of Gaussian noise that is not cut.
Limits: drawn in floating point.
Source: MATHEMATICS 13.4; [BCT20] Algorithm 2, equation 10, Lemma 6.4.
"""

import math

import numpy as np
from scipy.special import log_ndtr, ndtr, ndtri

from dpviz import checks
from dpviz.accounting.inputs import Number, log_probability, positive
from dpviz.accounting.search import least
from dpviz.errors import ParameterError
from dpviz.noise.family import Array

NODES, WEIGHTS = np.polynomial.legendre.leggauss(20)
NEAR = 5.0  # where the log density falls by less than this, the mass is integrated
WIDEST = 1e6  # Δ∞/σ or σ/Δ∞, beyond which nobody would publish
SMALLEST_LOG_DELTA = -1e7
LARGEST_ORDER = 1e6
SLACK = 1e-12  # of ln δ: many times its error in floats


def truncation(sigma: Number, linf: Number, log_delta: float) -> float:
    """Where truncated noise is cut: the least T whose δ is no more than the one asked for.

    Args:
        sigma: standard deviation before the cut, above 0.
        linf: Δ∞, the most that one count moves, within a factor of 1e6 of sigma.
        log_delta: ln of the δ of one count.

    Returns:
        T, rounded up.

    Raises:
        ParameterError: an argument is out of range.

    >>> round(truncation(1.0, 1.0, math.log(1e-6)), 6)
    5.752538
    """
    width, log_delta = _width(linf, sigma), log_probability(log_delta)
    if log_delta < SMALLEST_LOG_DELTA:
        raise ParameterError(
            f"log_delta must be at least {SMALLEST_LOG_DELTA:g} here, got {log_delta!r}"
        )
    wanted = log_delta * (1 + SLACK) - SLACK

    def excess(u: float) -> float:
        return _log_cut(u, width) - wanted

    guess = width + math.sqrt(-2 * log_delta)
    found = least(excess, guess, lowest=width / 2, highest=10 * WIDEST, tolerance=1e-14)
    if found is None:
        raise ParameterError("no cut is far enough for this log_delta; type a larger one")
    return float(found * positive(sigma=sigma) * (1 + 1e-15))


def truncated_divergence(order: Number, sigma: Number, shift: Number, cut: Number) -> float:
    """Exact Rényi divergence of truncated noise from itself shifted, on what both can have.

        D_α = αΔ²/(2σ²) + 1/(α-1) · ln{ [Φ((T+(α-1)Δ)/σ) - Φ((αΔ-T)/σ)] / [Φ(T/σ) - Φ((Δ-T)/σ)] }

    The ratio is below 1, so that D_α is at most αΔ²/(2σ²), as without the cut; the same both ways.

    Args:
        order: α, above 1.
        sigma: standard deviation before the cut.
        shift: Δ, by how much the count differs, below 2T.
        cut: T.

    Raises:
        ParameterError: an argument is out of range.

    >>> cut = truncation(1.0, 1.0, math.log(1e-3))
    >>> round(truncated_divergence(2.0, 1.0, 1.0, cut), 6)
    0.982277
    """
    order, width = positive(order=order), _width(shift, sigma)
    u = positive(cut=cut) / positive(sigma=sigma)
    if not 1 < order <= LARGEST_ORDER:
        raise ParameterError(f"order must lie above 1 and be at most {LARGEST_ORDER:g}")
    if not width < 2 * u:
        raise ParameterError("shift must be below twice the cut, else no outcome is shared")
    shared = _log_mass(u + (order - 1) * width, order * width - u)
    found = order * width**2 / 2 + (shared - _log_mass(u, width - u)) / (order - 1)
    return max(0.0, float(found))


def truncated_noise(sigma: float, cut: float, size: int, *, rng: np.random.Generator) -> Array:
    """Independent truncated Gaussian noise, by its upper tail, which keeps its digits.

    Args:
        sigma: standard deviation before the cut, above 0.
        cut: T, above 0.
        size: how many.
        rng: generator that the noise is drawn from.

    Returns:
        Shape (size,), float64, within ±cut.

    Raises:
        ParameterError: a number is out of range.

    >>> from dpviz import streams
    >>> truncated_noise(2.0, 3.0, 3, rng=streams.teaching(7)).round(3)
    array([-0.838, -0.224,  0.492])
    """
    checks.positive(sigma=sigma, cut=cut)
    size = checks.integer(0, size=size)
    beyond = ndtr(-cut / sigma)
    tail = beyond + rng.random(size) * (0.5 - beyond)
    away = np.minimum(-sigma * ndtri(tail), cut)
    return np.asarray(np.where(rng.random(size) < 0.5, -away, away))


def _width(linf: Number, sigma: Number) -> float:
    """Δ/σ, refused where nobody would publish."""
    width = positive(linf=linf) / positive(sigma=sigma)
    if not 1 / WIDEST <= width <= WIDEST:
        raise ParameterError(
            f"sigma must be within a factor of {WIDEST:g} of what a count moves by"
        )
    return width


def _log_cut(u: float, width: float) -> float:
    """The ln δ of a cut at u = T/σ."""
    return _log_mass(u, u - width) - _log_mass(u, -u)


def _log_mass(high: float, low: float) -> float:
    """ln(Φ(high) - Φ(low)) for high > low, with all its digits."""
    if high <= 0:
        return _log_mass(-low, -high)
    if low < 0 and high - low > 1:
        return float(np.log1p(-(ndtr(low) + ndtr(-high))))
    width = high - low
    if width * (abs(low) + width / 2) < NEAR:  # ∫ φ, the density at `low` taken out
        t = width / 2 * (1 + NODES)
        inside = width / 2 * float(WEIGHTS @ np.exp(-t * (low + t / 2)))
        return math.log(inside) - low * low / 2 - 0.5 * math.log(2 * math.pi)
    tail = float(log_ndtr(-low))
    return tail + math.log1p(-math.exp(float(log_ndtr(-high)) - tail))
