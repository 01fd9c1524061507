"""Common items of an unknown domain with their counts: truncated noise, and a threshold.

Noise cut at ±T is added to every count that is not 0, and an item is released where its noisy count
is strictly above Δ∞ + T. A count of at most Δ∞ can never be: so what nobody has, and what one
person alone has, look alike.

    one count: δ-approximate Δ∞²/(2σ²)-zCDP        all: (1 - (1-δ)^Δ₀)-approximate Δ₀Δ∞²/(2σ²)-zCDP

Limits: every item that somebody has must be there; with the largest counts only the proof does not
apply. One release, drawn in floating point: a teaching mechanism.
Source: MATHEMATICS 13.4; [BCT20] Algorithm 2, Lemma 6.4.
"""

import math
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dpviz import checks, streams
from dpviz.accounting import ReleaseEvent, Stated, zcdp_epsilon
from dpviz.accounting.composition import APPROXIMATE
from dpviz.accounting.inputs import Number, log_probability, non_negative, positive, rounded_up
from dpviz.errors import HardenedModeError, ParameterError
from dpviz.noise.arguments import GENERATOR
from dpviz.noise.family import Array
from dpviz.parameters import exact
from dpviz.release import Uncopied
from dpviz.top_k.ranking import Item, checked_counts
from dpviz.top_k.reach import Reach
from dpviz.top_k.truncated import truncated_noise, truncation


@dataclass(frozen=True, slots=True, kw_only=True)
class ConcentratedCost:
    """What a release with truncated noise costs: δ-approximate ρ-zCDP.

    Attributes:
        rho: ρ of all counts that one person moves.
        hidden: δ of the whole release.

    >>> cost = ConcentratedCost(rho=0.1, hidden=1e-7)
    >>> round(cost.epsilon(math.log(1e-6)).value, 6)
    2.141939
    """

    rho: float
    hidden: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "rho", non_negative(rho=self.rho))
        checks.between(0, 1, hidden=self.hidden)

    def epsilon(self, log_delta: float) -> Stated:
        """The ε at δ' + `hidden`.

        Args:
            log_delta: ln of the δ' of the conversion.

        Raises:
            ParameterError: log_delta is not below 0.
        """
        found = zcdp_epsilon(self.rho, log_probability(log_delta))
        return Stated(found, "approximate zCDP, converted, an upper bound")

    def event(self, session: int, log_delta: float) -> ReleaseEvent:
        """The release for accounting, a session of its own.

        Args:
            session: its number.
            log_delta: ln of the δ' of the conversion.

        Raises:
            ParameterError: an argument is out of range, or the δ of both is 1 or more.
        """
        log_delta = log_probability(log_delta)
        return ReleaseEvent(
            session=session,
            definition=APPROXIMATE,
            budget=exact(self.epsilon(log_delta).value),
            delta=math.nextafter(math.exp(log_delta) + self.hidden, math.inf),
        )


def concentrated_cost(sigma: Number, log_delta: float, reach: Reach) -> ConcentratedCost:
    """What a release with truncated noise costs; it does not depend on the counts.

        ρ = Δ₀Δ∞²/(2σ²)        δ = 1 - (1 - δ₁)^Δ₀ for the δ₁ of one count

    Args:
        sigma: standard deviation of the noise before it is cut.
        log_delta: ln of the δ of one count.
        reach: what one person can do.

    Raises:
        ParameterError: an argument is out of range, or one person may move any number of counts.

    >>> concentrated_cost(10.0, math.log(1e-8), Reach(l0=2)).rho
    0.01
    """
    checks.instance(Reach, reach=reach)
    if reach.l0 is None:
        raise ParameterError(
            "truncated noise needs a bound on how many counts one person moves: pass a reach with "
            "l0, or draw a list with TopK"
        )
    rho = reach.l0 * Fraction(reach.linf) ** 2 / (2 * Fraction(positive(sigma=sigma)) ** 2)
    hidden = -math.expm1(reach.l0 * math.log1p(-math.exp(log_probability(log_delta))))
    return ConcentratedCost(rho=rounded_up(rho), hidden=min(1.0, hidden * (1 + 1e-15)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CommonItems:
    """The items above the threshold, the largest noisy count first, and these counts."""

    items: tuple[Item, ...]
    values: Array
    threshold: float

    def __post_init__(self) -> None:
        checks.arrays(1, values=self.values)
        checks.positive(threshold=self.threshold)
        object.__setattr__(self, "items", tuple(checks.listed(items=self.items)))
        if len(self.items) != self.values.size:
            raise ParameterError("items and values must be as many: pass those of one release")


class TruncatedHistogram(Uncopied):
    """Common items of an unknown domain, released once with truncated Gaussian noise.

    >>> words = {"the": 650, "and": 546, "thane": 40, "porter": 2}
    >>> histogram = TruncatedHistogram(
    ...     words, sigma=10.0, log_delta=math.log(1e-8), reach=Reach(l0=3), whole=True,
    ...     rng=streams.teaching(7),
    ... )
    >>> found = histogram.release()
    >>> found.items, round(found.threshold, 3)
    (('the', 'and'), 56.657)
    >>> histogram.release() is found, round(histogram.cost.rho, 6)
    (True, 0.015)
    """

    __slots__ = ("_counts", "_cut", "_found", "_lock", "_log_delta", "_reach", "_rng", "_sigma")

    def __init__(
        self,
        counts: Mapping[Any, Any],
        *,
        sigma: Number,
        log_delta: float,
        reach: Reach,
        whole: bool,
        rng: np.random.Generator,
    ) -> None:
        """Open a histogram.

        Args:
            counts: count of each item that somebody has; one with count 0 is like every item that
                is not there.
            sigma: standard deviation of the noise before it is cut.
            log_delta: ln of the δ of one count.
            reach: what one person can do; its number of counts must be bounded.
            whole: that every item which somebody has is there, and not the most common ones only.
            rng: generator that the noise is drawn from.

        Raises:
            ParameterError: if an argument is out of range, items may be missing, or one person may
                move any number of counts.
            HardenedModeError: if the generator is a hardened one.
            DataError: if counts are no whole numbers; no sentence holds one.
        """
        if not isinstance(rng, np.random.Generator):
            raise ParameterError(GENERATOR)
        checks.instance(Reach, reach=reach)
        concentrated_cost(sigma, log_delta, reach)  # refuses a reach without a bound
        if whole is not True:
            raise ParameterError(
                "truncated noise needs every item that somebody has, as its proof does not hold "
                "for the largest counts alone: pass all with whole=True, or draw a list with TopK"
            )
        if streams.mode_of(rng) == "hardened":
            raise HardenedModeError(
                "truncated Gaussian noise is made of floating-point numbers, whose last digits "
                "give the exact values away, so it is for teaching only; pass "
                "streams.teaching(seed), or draw a list with TopK"
            )
        self._sigma, self._reach, self._rng = positive(sigma=sigma), reach, rng
        self._log_delta = log_probability(log_delta)
        self._cut = truncation(sigma, reach.linf, log_delta)
        names, numbers = checked_counts(counts)
        there = np.flatnonzero(numbers > 0)
        self._counts = ([names[place] for place in there], numbers[there].astype(np.float64))
        self._found: CommonItems | None = None
        self._lock = threading.RLock()

    @property
    def cut(self) -> float:
        """T: no noise is larger."""
        return self._cut

    @property
    def mode(self) -> streams.Mode:
        """Mode of the generator that the histogram was opened with."""
        return streams.mode_of(self._rng)

    @property
    def threshold(self) -> float:
        """Δ∞ + T: only what is strictly above it is released."""
        return math.nextafter(self._reach.linf + self._cut, math.inf)

    @property
    def cost(self) -> ConcentratedCost:
        """What the release costs, all that one person moves together."""
        return concentrated_cost(self._sigma, self._log_delta, self._reach)

    def release(self) -> CommonItems:
        """The items whose noisy count is above the threshold; asked again, the same."""
        with self._lock:
            if self._found is None:
                self._refuse_in_child()
                names, numbers = self._counts
                noisy = numbers + truncated_noise(
                    self._sigma, self._cut, numbers.size, rng=self._rng
                )
                shown = np.flatnonzero(noisy > self.threshold)
                shown = shown[np.argsort(-noisy[shown], kind="stable")]
                values = noisy[shown]
                values.setflags(write=False)
                self._found = CommonItems(
                    items=tuple(names[place] for place in shown),
                    values=values,
                    threshold=self.threshold,
                )
            return self._found

    def __repr__(self) -> str:
        """State; never an item nor a count."""
        return f"TruncatedHistogram(sigma={self._sigma!r}, released={self._found is not None})"
