"""The delta of a sum of independent privacy losses on one grid, rounded up; or down, for a bound.

1. The law is tilted (weights e^(t loss)) so that the losses that make delta are the likely ones:
   the Fourier transform then has relative, not absolute, accuracy, for any delta a float can hold.
2. The distribution convolved with itself wraps around the window; what wraps only adds to delta.
3. The mass beyond the window is bounded by Chernoff's inequality and added; so are losses counted
   as infinite, and a bound of the transform's rounding error.
4. ln delta is raised by 1e-11 (1 + |ln delta|) for the rounding of everything else.

Any tilt is valid, so it is one of a few (RUNGS to a doubling), and the law tilted by it serves
every epsilon nearby: a search for an epsilon transforms a few times only.

Limit: far below every likely loss the bound is the trivial one, delta = 1. Sources: the sum of
losses is the privacy loss distribution of Sommer, Meiser and Mohammadi (2019); the tilt
is Esscher's.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft, next_fast_len, rfft

from dpviz.accounting.loss_terms import Floats, Losses, log_moment, tilted
from dpviz.errors import ParameterError

HALF_WINDOW = 10.0  # in standard deviations of the tilted sum
LARGEST_WINDOW = 2.0**18  # grid points, about
WHOLE = 2.0**16  # a window of this many points holds every sum there is, if it can
COARSE = 256
RUNGS, STEEPEST = 4, 100  # tilts are 2^(k / RUNGS) / deviation with |k| up to the steepest
LAWS = 4  # of one sum are kept
LOST = 1e-11  # bound on the relative rounding error of ln delta
TINY = 1e-300
CHERNOFF_STEPS = (0.03, 0.1, 0.3, 0.9)  # in tilts of the window's half width
Complex = NDArray[np.complex128]
Part = tuple[Losses, int]  # one loss, and how many independent ones have its law


def sum_log_delta(parts: Sequence[Part], epsilon: float) -> float:
    """Upper bound of ln delta at `epsilon` of the sum of all these independent losses.

    Args:
        parts: losses on grids of one width, each with its count.
        epsilon: nats.

    >>> fair = Losses(np.array([0.0, 1.0]), np.log([0.5, 0.5]), 1.0, -math.inf)
    >>> round(math.exp(sum_log_delta([(fair, 1)], 0.0)), 6)  # (1 - 1/e) / 2
    0.31606
    """
    return LossSum(parts).log_delta(epsilon)


class LossSum:
    """The sum of independent losses, for as many epsilons as one likes.

    >>> fair = Losses(np.array([0.0, 1.0]), np.log([0.5, 0.5]), 1.0, -math.inf)
    >>> both = LossSum([(fair, 1)])
    >>> round(math.exp(both.log_delta(0.5)), 6)  # (1 - e^-0.5) / 2
    0.196735
    """

    def __init__(self, parts: Sequence[Part], shift: float = 0.0) -> None:
        """Keep the losses.

        Args:
            parts: losses on grids of one width, each with its count.
            shift: added to their sum.
        """
        self._parts, self.shift = tuple(parts), shift
        self.width = self._parts[0][0].width
        self._count = sum(count for _, count in self._parts)
        terms = [_log_any(losses.log_infinite, count) for losses, count in self._parts]
        self._log_infinite = min(0.0, float(np.logaddexp.reduce(terms)))
        self._least, self._largest = (
            math.fsum(n * float(losses.loss[side]) for losses, n in self._parts) for side in (0, -1)
        )
        self._law = lru_cache(maxsize=LAWS)(self._tilted)
        self._rough = lru_cache(maxsize=None)(self._rough_moments)

    def log_delta(self, epsilon: float) -> float:
        """Upper bound of ln delta at `epsilon`."""
        terms = [self._log_infinite]
        if (own := epsilon - self.shift) < self._largest and terms[0] < 0:
            terms += self._finite(own)
        total = float(np.logaddexp.reduce(terms))
        if total == -math.inf:
            return total
        return min(0.0, total + LOST * (1 - total) + 1e-14 * self._count)

    def log_delta_from_below(self, epsilon: float) -> float:
        """Lower bound of ln delta at `epsilon`.

        What may have wrapped around the window, and every rounding error, is taken off instead.

        >>> fair = Losses(np.array([0.0, 1.0]), np.log([0.5, 0.5]), 1.0, -math.inf)
        >>> round(math.exp(LossSum([(fair, 1)]).log_delta_from_below(0.0)), 6)  # (1 - 1/e) / 2
        0.31606
        """
        terms = [self._log_infinite]
        if (own := epsilon - self.shift) < self._largest and terms[0] < 0:
            law = self._around(own)
            if law is not None:
                inside, rounding, largest = law.worth(own)
                kept = inside - rounding - self._wrapped(law) * largest
                terms.append(law.log_scale(own) + math.log(kept) if kept > TINY else -math.inf)
        total = min(0.0, float(np.logaddexp.reduce(terms)))
        if total == -math.inf:
            return total
        return total - LOST * (1 - total) - 1e-14 * self._count

    @property
    def lost(self) -> float:
        """Probability of a loss that is infinite, or counted as such."""
        return math.exp(self._log_infinite)

    def law(self) -> tuple[int, Floats]:
        """The finite sum: the grid index of its first point, and the mass of each point.

        Not rounded to any side: for pictures. Almost all of it lies within its window.

        Raises:
            ParameterError: the window of the sum is too long.

        >>> fair = Losses(np.array([0.0, 1.0]), np.log([0.5, 0.5]), 1.0, -math.inf)
        >>> first, mass = LossSum([(fair, 2)]).law()
        >>> first, mass[:5].round(6)
        (-1, array([0.  , 0.25, 0.5 , 0.25, 0.  ]))
        """
        found = self._tilted(None)
        if found is None:
            raise ParameterError("the losses spread too far for a picture; pass smaller budgets")
        return found.start, np.maximum(found.mass, 0.0) * math.exp(found.log_norm)

    def rough_epsilon(self, log_delta: float) -> tuple[float, float]:
        """About where ln delta is this, and how much it falls there as epsilon grows by factor e.

        With K(t) the ln of the mean of e^(t loss), the saddle point's estimate of delta is

            e^(K - t epsilon) / (t (1 + t) sqrt(2 pi K'')),   epsilon = K' - 1/t - 1/(1 + t)

        A place to search from, no bound. Source: Daniels (1954), for the sums of loss_sums.py.

        >>> fair = Losses(np.array([0.0, 0.1]), np.log([0.5, 0.5]), 0.1, -math.inf)
        >>> sums = LossSum([(fair, 100)])
        >>> near, _ = sums.rough_epsilon(-10.0)
        >>> bool(abs(sums.log_delta(near) + 10) < 0.2)
        True
        """

        def found(rung: int) -> tuple[float, float]:
            t, (log_norm, mean, variance) = self._tilt_at(rung), self._rough(rung)
            epsilon = mean - 1 / t - 1 / (1 + t)
            spread = math.log(t * (1 + t)) + 0.5 * math.log(2 * math.pi * max(variance, TINY))
            return epsilon, log_norm - t * epsilon - spread

        guess = RUNGS * math.log2(math.sqrt(-2 * log_delta))
        rung = max(_first(lambda rung: found(rung)[1] <= log_delta, guess), 1 - STEEPEST)
        (before, high), (after, low) = found(rung - 1), found(rung)
        share = min(max((high - log_delta) / (high - low), 0.0), 1.0) if high > low else 1.0
        epsilon = before + share * (after - before) + self.shift
        return epsilon, self._tilt_at(rung) * epsilon

    def _finite(self, epsilon: float) -> tuple[float, float]:
        """Bounds of ln delta from the finite losses: inside the window, and beyond it."""
        law = self._around(epsilon)
        if law is None:  # epsilon is far below any likely loss: delta is near 1
            return 0.0, -math.inf
        inside, rounding, _ = law.worth(epsilon)
        log_inside = law.log_scale(epsilon) + math.log(max(0.0, inside) + rounding + TINY)
        return log_inside, -math.inf if law.whole[1] else self._beyond(law, 1)

    def _beyond(self, law: "_Law", side: int) -> float:
        """Chernoff's bound of the ln of the probability beyond the upper (1) or lower (-1) edge."""
        edge = law.edges[(1 + side) // 2]
        tilts = (law.tilt + side * step * HALF_WINDOW / law.spread for step in CHERNOFF_STEPS)
        return min(
            math.fsum(n * log_moment(losses, u) for losses, n in self._parts) - u * edge
            for u in tilts
        )

    def _wrapped(self, law: "_Law") -> float:
        """Bound of the tilted probability beyond either edge of the window."""
        total = 0.0
        for side, whole in zip((-1, 1), law.whole, strict=True):
            if not whole:
                tilted_edge = law.tilt * law.edges[(1 + side) // 2] - law.log_norm
                total += math.exp(min(0.0, self._beyond(law, side) + tilted_edge))
        return total

    def _around(self, epsilon: float) -> "_Law | None":
        """A law whose likely sums are those that make delta; None if its window is too long."""
        rung = self._rung(epsilon)
        law = self._law(rung)
        if law is None or law.whole[0] or law.edges[0] <= epsilon:
            return law
        return self._tilted(rung, epsilon)

    def _rung(self, epsilon: float) -> int:
        """Of the saddle point K'(t) = epsilon + 1/t + 1/(1+t), roughly: any t > 0 is valid."""
        mean, deviation = self._moments
        away = (epsilon - mean) / deviation  # of a normal sum t is the x with x - 1/x = away
        guess = RUNGS * math.log2((math.hypot(away, 2) + abs(away)) / 2) * math.copysign(1, away)

        def steep(rung: int) -> bool:
            t = self._tilt_at(rung)
            return self._rough(rung)[1] >= epsilon + 1 / t + 1 / (1 + t)

        return _first(steep, guess)

    def _tilt_at(self, rung: int | None) -> float:
        return 0.0 if rung is None else 2.0 ** (rung / RUNGS) / self._moments[1]

    @cached_property
    def _moments(self) -> tuple[float, float]:
        """Mean and standard deviation of the sum, this at least a step of the grid."""
        norms = [(n, tilted(losses, 0.0)) for losses, n in self._parts]
        mean = math.fsum(n * norm[1] for n, norm in norms)
        variance = math.fsum(n * norm[2] ** 2 for n, norm in norms)
        return mean, max(math.sqrt(variance), self.width)

    @cached_property
    def _coarse(self) -> tuple[Part, ...]:
        return tuple((_coarse(losses), count) for losses, count in self._parts)

    def _rough_moments(self, rung: int) -> tuple[float, float, float]:
        """The ln of the sum of weights, mean and variance of the sum with this tilt, about."""
        t = self._tilt_at(rung)
        norms = [(n, tilted(losses, t)) for losses, n in self._coarse]
        return (
            math.fsum(n * norm[0] for n, norm in norms),
            math.fsum(n * norm[1] for n, norm in norms),
            math.fsum(n * norm[2] ** 2 for n, norm in norms),
        )

    def _tilted(self, rung: int | None, lowest: float = math.inf) -> "_Law | None":
        """The tilted sum around its mean, and down to `lowest`; None if that window is too long."""
        t, width = self._tilt_at(rung), self.width
        norms = [tilted(losses, t) for losses, _ in self._parts]
        counts = [count for _, count in self._parts]
        log_norm, mean, variance = (
            math.fsum(n * each for n, each in zip(counts, own, strict=True))
            for own in (
                [norm[0] for norm in norms],
                [norm[1] for norm in norms],
                [norm[2] ** 2 for norm in norms],
            )
        )
        spread = math.sqrt(variance) + width
        low, high = min(mean - HALF_WINDOW * spread, lowest), mean + HALF_WINDOW * spread
        if self._largest - min(low, self._least) <= WHOLE * width:  # then nothing wraps around
            low, high = min(low, self._least), self._largest
        start = math.floor(max(low, self._least) / width) - 1
        end = math.ceil(min(high, self._largest) / width) + 1
        if end - start > 8 * LARGEST_WINDOW:
            return None
        size = next_fast_len(end - start + 1, real=True)
        mass, centre, rounding = _convolved(self._parts, norms, t, size)
        edges = width * start, width * (start + size)
        return _Law(
            tilt=t,
            log_norm=log_norm,
            mass=np.roll(mass, centre - start),
            start=start,
            width=width,
            rounding=rounding,
            spread=spread,
            edges=edges,
            whole=(edges[0] < self._least, edges[1] > self._largest),
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Law:
    """The tilted sum on a window of its grid, with the error of its transform."""

    tilt: float
    log_norm: float  # of the tilt
    mass: Floats
    start: int  # grid index of the first mass
    width: float
    rounding: float  # Euclidean norm of the error
    spread: float
    edges: tuple[float, float]  # what lies beyond these losses has wrapped around
    whole: tuple[bool, bool]  # nothing lies beyond them

    def log_scale(self, epsilon: float) -> float:
        """The ln of what `worth` is to be multiplied with."""
        return self.log_norm - self.tilt * epsilon

    def worth(self, epsilon: float) -> tuple[float, float, float]:
        """What the window adds to delta, its rounding error, and what one outcome adds at most."""
        first = min(max(0, math.floor(epsilon / self.width) - self.start), len(self.mass) - 1)
        loss = self.width * np.arange(self.start + first, self.start + len(self.mass))
        beyond = np.maximum(loss - epsilon, 0.0)
        worth = np.exp(-self.tilt * beyond) * -np.expm1(-beyond)
        inside = float(np.sum(self.mass[first:] * worth))
        return inside, self.rounding * _norm(worth), float(worth.max())


def _first(holds: Callable[[int], bool], guess: float) -> int:
    """The least rung that holds, as all beyond it do, searched from the guess on; else the last."""
    low, high = -STEEPEST, STEEPEST
    rung, stride = round(min(max(guess, low), high - 1)), 1
    while low < high:
        if holds(rung):
            high, rung = rung, max(low, rung - stride)
        else:
            low, rung = rung + 1, min(high - 1, rung + stride)
        stride *= 2
        if low > -STEEPEST and high < STEEPEST:
            rung = (low + high) // 2
    return low


def _log_any(log_one: float, count: int) -> float:
    """The ln of the probability that any of `count` independent events happens."""
    if log_one < -30:
        return log_one + math.log(count)
    if math.exp(log_one) >= 1:  # certain, to the last bit
        return 0.0
    return math.log(-math.expm1(count * math.log1p(-math.exp(log_one))))


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
