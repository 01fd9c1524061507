"""The delta of a sum of independent privacy losses on one grid, rounded up; or down, for a bound.

1. The law is tilted (weights e^(t loss)) so that the losses that make delta are the likely ones:
   the Fourier transform then has relative, not absolute, accuracy, for any delta a float can hold.
2. The distribution convolved with itself wraps around the window; what wraps only adds to delta.
3. The mass beyond the window is bounded by Chernoff's inequality and added; so are losses counted
   as infinite, and a bound of the transform's rounding error.
4. ln delta is raised by 1e-11 (1 + |ln delta|) for the rounding of everything else.

Limit: far below every likely loss the bound is the trivial one, delta = 1. Sources: the sum of
losses is the privacy loss distribution of Sommer, Meiser and Mohammadi (2019); the tilt
is Esscher's.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft, next_fast_len, rfft

from dpviz.accounting.poisson_losses import Floats, Losses, tilted
from dpviz.accounting.search import least

HALF_WINDOW = 10.0  # in standard deviations of the tilted sum
LARGEST_WINDOW = 2.0**18  # grid points, about
WHOLE = 2.0**16  # a window of this many points holds every sum there is, if it can
COARSE = 256
LOST = 1e-11  # bound on the relative rounding error of ln delta
TINY = 1e-300
CHERNOFF_STEPS = (0.03, 0.1, 0.3, 0.9)  # in tilts of the window's half width
Complex = NDArray[np.complex128]
Part = tuple[Losses, int]  # one loss, and how many independent ones have its law


def sum_log_delta(parts: Sequence[Part], epsilon: float) -> float:
    """Upper bound of ln delta at `epsilon` of the sum of all these independent losses.

    Args:
        parts: losses on grids of one width, each with its count.
        epsilon: at least 0, nats.

    >>> fair = Losses(np.array([0.0, 1.0]), np.log([0.5, 0.5]), 1.0, -math.inf)
    >>> round(math.exp(sum_log_delta([(fair, 1)], 0.0)), 6)  # (1 - 1/e) / 2
    0.31606
    """
    terms = [_log_any(losses.log_infinite, count) for losses, count in parts]
    if max(terms) >= 0:
        return 0.0
    if sum(count * float(losses.loss[-1]) for losses, count in parts) > epsilon:
        terms += _finite_part(parts, epsilon)
    total = float(np.logaddexp.reduce(terms))
    counted = sum(count for _, count in parts)
    return min(0.0, total + LOST * (1 - total) + 1e-14 * counted)


def sum_law(parts: Sequence[Part]) -> tuple[int, Floats]:
    """The law of the finite sum: the grid index of its first point, and the mass of each point.

    Not rounded to any side: for pictures. Almost all of it lies within its window.

    >>> fair = Losses(np.array([0.0, 1.0]), np.log([0.5, 0.5]), 1.0, -math.inf)
    >>> first, mass = sum_law([(fair, 2)])
    >>> first, mass[:5].round(6)
    (-1, array([0.  , 0.25, 0.5 , 0.25, 0.  ]))
    """
    width, counts = parts[0][0].width, [count for _, count in parts]
    norms = [tilted(losses, 0.0) for losses, _ in parts]
    mean = math.fsum(n * norm[1] for n, norm in zip(counts, norms, strict=True))
    variance = math.fsum(n * norm[2] ** 2 for n, norm in zip(counts, norms, strict=True))
    reach = HALF_WINDOW * (math.sqrt(variance) + width)
    ends = [math.fsum(n * float(losses.loss[side]) for losses, n in parts) for side in (0, -1)]
    low, high = max(mean - reach, ends[0]), min(mean + reach, ends[1])
    start, end = math.floor(low / width + 0.5) - 1, math.ceil(high / width - 0.5) + 1
    size = next_fast_len(end - start + 1, real=True)
    law, centre, _ = _convolved(parts, norms, 0.0, size)
    log_kept = math.fsum(n * norm[0] for n, norm in zip(counts, norms, strict=True))
    return start, np.maximum(np.roll(law, centre - start), 0.0) * math.exp(log_kept)


def _log_any(log_one: float, count: int) -> float:
    """The ln of the probability that any of `count` independent events happens."""
    if log_one < -30:
        return log_one + math.log(count)
    if math.exp(log_one) >= 1:  # certain, to the last bit
        return 0.0
    return math.log(-math.expm1(count * math.log1p(-math.exp(log_one))))


def sum_log_delta_from_below(parts: Sequence[Part], epsilon: float) -> float:
    """Lower bound of ln delta at `epsilon` of the sum of all these independent losses.

    What may have wrapped around the window, and every rounding error, is taken off instead.

    Args:
        parts: losses on grids of one width, each with its count.
        epsilon: at least 0, nats.

    >>> fair = Losses(np.array([0.0, 1.0]), np.log([0.5, 0.5]), 1.0, -math.inf)
    >>> round(math.exp(sum_log_delta_from_below([(fair, 1)], 0.0)), 6)  # (1 - 1/e) / 2
    0.31606
    """
    terms = [_log_any(losses.log_infinite, count) for losses, count in parts]
    if max(terms) < 0 and sum(n * float(losses.loss[-1]) for losses, n in parts) > epsilon:
        found = _window(parts, epsilon)
        if found is not None:
            kept = found.inside - found.rounding - _wrapped(parts, found) * found.largest_worth
            terms.append(found.log_scale + math.log(kept) if kept > TINY else -math.inf)
    total = min(0.0, float(np.logaddexp.reduce(terms)))
    counted = sum(count for _, count in parts)
    return total - LOST * (1 - total) - 1e-14 * counted


@dataclass(frozen=True, slots=True)
class _Window:
    """Delta of the tilted sum within a window of losses: e^log_scale (inside ± rounding)."""

    tilt: float
    log_norm: float  # of the tilt
    log_scale: float
    inside: float
    rounding: float
    largest_worth: float
    spread: float
    edges: tuple[float, float]  # what lies beyond these losses has wrapped around
    whole: tuple[bool, bool]  # nothing lies beyond them


def _finite_part(parts: Sequence[Part], epsilon: float) -> tuple[float, float]:
    """Bounds of ln delta from the finite losses: inside the window, and beyond it."""
    found = _window(parts, epsilon)
    if found is None:  # epsilon is far below any likely loss: delta is near 1
        return 0.0, -math.inf
    inside = max(0.0, found.inside) + found.rounding + TINY
    log_inside = found.log_scale + math.log(inside)
    return log_inside, -math.inf if found.whole[1] else _beyond(parts, found, 1)


def _beyond(parts: Sequence[Part], window: _Window, side: int) -> float:
    """Chernoff's bound of the ln of the probability beyond the upper (1) or lower (-1) edge."""
    edge = window.edges[(1 + side) // 2]
    tilts = (window.tilt + side * step * HALF_WINDOW / window.spread for step in CHERNOFF_STEPS)
    return min(math.fsum(n * tilted(losses, u)[0] for losses, n in parts) - u * edge for u in tilts)


def _wrapped(parts: Sequence[Part], window: _Window) -> float:
    """Bound of the tilted probability beyond either edge of the window."""
    total = 0.0
    for side, whole in zip((-1, 1), window.whole, strict=True):
        if not whole:
            edge = window.edges[(1 + side) // 2]
            tilted_edge = window.tilt * edge - window.log_norm
            total += math.exp(min(0.0, _beyond(parts, window, side) + tilted_edge))
    return total


def _window(parts: Sequence[Part], epsilon: float) -> _Window | None:
    """The tilted sum around its mean and epsilon; None where such a window is too long."""
    t, width = _tilt(parts, epsilon), parts[0][0].width
    norms = [tilted(losses, t) for losses, _ in parts]
    counts = [count for _, count in parts]
    log_norm = math.fsum(n * norm[0] for n, norm in zip(counts, norms, strict=True))
    mean = math.fsum(n * norm[1] for n, norm in zip(counts, norms, strict=True))
    variance = math.fsum(n * norm[2] ** 2 for n, norm in zip(counts, norms, strict=True))
    spread = math.sqrt(variance) + width
    least_sum, largest_sum = (
        math.fsum(n * float(losses.loss[side]) for losses, n in parts) for side in (0, -1)
    )
    low, high = min(mean - HALF_WINDOW * spread, epsilon), mean + HALF_WINDOW * spread
    if largest_sum - min(low, least_sum) <= WHOLE * width:  # then nothing wraps around
        low, high = min(low, least_sum), largest_sum
    start, end = math.floor(low / width) - 1, math.ceil(min(high, largest_sum) / width) + 1
    if end - start > 8 * LARGEST_WINDOW:
        return None
    size = next_fast_len(end - start + 1, real=True)
    law, centre, rounding = _convolved(parts, norms, t, size)

    loss = width * (start + (np.arange(size) + (centre - start)) % size)
    beyond = np.maximum(loss - epsilon, 0.0)
    worth = np.exp(-t * beyond) * -np.expm1(-beyond)
    edges = width * start, width * (start + size)
    return _Window(
        tilt=t,
        log_norm=log_norm,
        log_scale=log_norm - t * epsilon,
        inside=float(np.sum(law * worth)),
        rounding=rounding * _norm(worth),
        largest_worth=float(worth.max()),
        spread=spread,
        edges=edges,
        whole=(edges[0] < least_sum, edges[1] > largest_sum),
    )


def _convolved(
    parts: Sequence[Part], norms: Sequence[tuple[float, float, float]], t: float, size: int
) -> tuple[Floats, int, float]:
    """The tilted law of the sum on a ring, the grid index of its place 0, and its rounding error.

    The error is that of the Euclidean norm: every transform errs by its own norm times log(size).
    """
    spectrum, centre, rounding = None, 0, 0.0
    for (losses, count), (log_norm, mean, _) in zip(parts, norms, strict=True):
        own = round(mean / losses.width)
        index = np.arange(len(losses.loss)) + (round(float(losses.loss[0]) / losses.width) - own)
        weights = np.exp(losses.log_mass + t * losses.loss - log_norm)
        one = np.bincount(index % size, weights, size).astype(np.float64)
        factor = _power(rfft(one), count)
        spectrum = factor if spectrum is None else spectrum * factor
        centre += count * own
        rounding += 4 * 2.0**-52 * count * math.log2(size + 1) * _norm(one)
    return irfft(spectrum, size), centre, rounding


def _power(spectrum: Complex, count: int) -> Complex:
    """The spectrum to a whole power by squaring, which is a tenth of the time of `**`."""
    if count == 1:
        return spectrum
    half = _power(spectrum, count // 2)
    half = half * half
    return half * spectrum if count % 2 else half


def _tilt(parts: Sequence[Part], epsilon: float) -> float:
    """The saddle point K'(t) = epsilon + 1/t + 1/(1+t), roughly: any t > 0 is valid."""
    rough = [(_coarse(losses), count) for losses, count in parts]

    def short(t: float) -> float:
        mean = math.fsum(count * tilted(losses, t)[1] for losses, count in rough)
        return epsilon + 1 / t + 1 / (1 + t) - mean

    counted = sum(count for _, count in parts)
    variance = math.fsum(count * tilted(losses, 0.0)[2] ** 2 for losses, count in parts)
    guess = (epsilon / counted + 1 / math.sqrt(counted)) / max(math.sqrt(variance / counted), 1e-9)
    return least(short, guess, lowest=1e-6, highest=1e6, tolerance=0.02) or 1e6


def _coarse(losses: Losses) -> Losses:
    """The same law on about COARSE points, enough to find a tilt; the ends keep their atoms."""
    size = len(losses.loss)
    step = size // COARSE
    if step < 2:
        return losses
    starts = np.r_[0, 1, np.arange(2, size - 2, step), size - 2, size - 1]
    sizes = np.diff(starts, append=size)
    with np.errstate(divide="ignore"):
        log_mass = np.log(np.add.reduceat(np.exp(losses.log_mass), starts))
    middle = losses.loss[starts] + (sizes - 1) * losses.width / 2
    return Losses(middle, log_mass, losses.width, losses.log_infinite)


def _norm(vector: Floats) -> float:
    """Euclidean norm, without a BLAS call (its threads cost more than this sum)."""
    return math.sqrt(float(np.sum(vector * vector)))
