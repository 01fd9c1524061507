"""First passage: the chance that a cell which has stayed hidden so far shows at a new level.

The noise of one cell is a Brownian motion N(ℓ) in its variance. A cell with count 0 that has never
been released has N(ℓ_i) <= τ_i at every level served so far, and nothing else is known of it. For a
new level ℓ with threshold τ, with α from the less noisy side and β from the noisier one,

    p = ∫_{y>τ} α(y) β(y) dy / ∫ α(y) β(y) dy,     α(y) = φ_ℓ(y)·a(y),

    a(y) = P(N(ℓ_j) <= τ_j for all served ℓ_j < ℓ | N(ℓ) = y),   β(y) the same for ℓ_j > ℓ.

In any order of levels: in descending order (budgets rise) a = 1, and only β is carried on, by one
kernel per level; a level between two others leaves everything on its two sides as it was. Depends
on levels and thresholds only, never on data.
Limits: p to 1e-12 relative, budgets from adjacent floats to any ratio. Far below any chance that
matters, down to 1e-280, about one in a thousand random ladders is off by more, at worst by 3e-6.
Source: MATHEMATICS 8.2, 8.3, which correct [LMR25, Algorithm 6] and add the other orders.
Symbols: dpviz/NOTATION.md.  [LMR25] Private Lossless Multiple Release, arXiv:2505.22449v1.
"""

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.noise.family import Array
from dpviz.sparse.first_passage_law import OneSided, one_sided
from dpviz.sparse.first_passage_step import Message, Step

FARTHEST = 1e9  # standard deviations from 0 to a threshold; from 1e12 on floats lose the law
SURE_LOSS = 0.9  # beyond this probability the rest is integrated, not subtracted
_LOG_ROOT_2PI = 0.5 * math.log(2 * math.pi)
_Maker = Callable[[Message, float, float, float], Step]


@dataclass(frozen=True, slots=True)
class Crossing:
    """What is known of hidden cells at one new level.

    `law` is that of the noise of a cell that crosses, as offsets above the threshold;
    `log_staying` is ln P(below all thresholds, this one included).
    """

    level: float
    threshold: float
    probability: float
    law: OneSided
    log_staying: float

    def __post_init__(self) -> None:
        checks.positive(level=self.level)
        checks.between(-math.inf, math.inf, threshold=self.threshold)
        checks.between(0, 1, probability=self.probability)
        checks.between(-math.inf, 0, log_staying=self.log_staying)

    def draw(self, size: int, *, rng: np.random.Generator) -> Array:
        """Noise of cells that cross now: shape (size,), every value above the threshold."""
        values = self.threshold + self.law.draw(size, rng=rng)
        return np.maximum(values, np.nextafter(self.threshold, math.inf))

    def cdf(self, value: Array) -> Array:
        """P(noise <= value | crosses now), elementwise on values of shape (K,)."""
        offset = np.maximum(np.asarray(value, dtype=float) - self.threshold, 0.0)
        return self.law.below(offset)

    def density(self, value: Array) -> Array:
        """Density of the noise given that the cell crosses now, per unit of the count."""
        offset = np.asarray(value, dtype=float) - self.threshold
        return np.exp(self.law.log_density(offset) - self.law.log_mass)


class FirstPassage:
    """Levels served so far with their thresholds, and the messages between them.

    >>> passage = FirstPassage()
    >>> first = passage.crossing(5.0, 3.354101966249685)  # 1.5 standard deviations
    >>> passage.add(first)
    >>> round(first.probability, 6), round(passage.crossing(2.5, 2.3717).probability, 5)
    (0.066807, 0.04095)
    """

    __slots__ = ("_above", "_below", "_levels", "_log_staying", "_steps", "_thresholds")

    def __init__(self) -> None:
        self._levels: list[float] = []  # ascending, those with a finite threshold
        self._thresholds: list[float] = []
        self._below: list[Message] = []  # a, cut at its own barrier: valid for the first levels
        self._above: list[Message] = []  # β likewise, the noisiest level first
        self._log_staying = 0.0
        self._steps: dict[_Maker, tuple[Message, tuple[float, ...], Step]] = {}

    @property
    def levels(self) -> tuple[float, ...]:
        """Levels that have been added, ascending: variances of the noise."""
        return tuple(self._levels)

    @property
    def thresholds(self) -> tuple[float, ...]:
        """Their thresholds, in the same order."""
        return tuple(self._thresholds)

    def crossing(self, level: float, threshold: float) -> Crossing:
        """What a new level would show of the hidden cells; nothing is changed.

        Args:
            level: variance of the noise, above 0, in squared units of the count; not yet added.
            threshold: finite; a cell shows where its noise is larger.

        Returns:
            p, the law of what crosses, and the chance of staying hidden.

        Raises:
            ParameterError: if the level has been added, a number is out of range, or the threshold
                is more than a billion standard deviations from 0, where floats lose the law.
        """
        checks.positive(level=level)
        level, threshold = float(level), float(threshold)
        if not math.isfinite(threshold):
            raise ParameterError("threshold must be a finite number here, pass one")
        if abs(threshold) > FARTHEST * math.sqrt(level):
            raise ParameterError(
                f"threshold must be within {FARTHEST:.0e} standard deviations of the noise, which "
                f"is {math.sqrt(level):.3g} at this budget; pass a smaller budget, or a threshold "
                "nearer to 0"
            )
        if level in self._levels:
            raise ParameterError(f"level {level!r} has been added already, ask for another one")
        kernels = self._kernels(level, threshold)

        def log_density(offset: Array) -> Array:
            value = threshold + offset
            result = -value * value / (2 * level) - _LOG_ROOT_2PI - math.log(level) / 2
            for kernel in kernels:
                result = result + kernel.log_at(offset)
            return result

        deviation = math.sqrt(level)
        marks = [kernel.break_off for kernel in kernels]
        law = one_sided(log_density, 1, scale=deviation, reach=max(0.0, -threshold), marks=marks)
        probability = min(1.0, math.exp(min(0.0, law.log_mass - self._log_staying)))
        if probability < SURE_LOSS:
            staying = self._log_staying + math.log1p(-probability)
        else:
            reach = self._farthest(level, threshold)
            rest = one_sided(log_density, -1, scale=deviation, reach=reach, marks=marks)
            staying = rest.log_mass
        return Crossing(level, threshold, probability, law, staying)

    def add(self, crossing: Crossing) -> None:
        """Note that a level was served: whatever is hidden from now on stayed below it, too."""
        place = bisect_left(self._levels, crossing.level)
        del self._below[place:]
        del self._above[len(self._levels) - place :]
        self._levels.insert(place, crossing.level)
        self._thresholds.insert(place, crossing.threshold)
        self._log_staying = crossing.log_staying

    def below(self, place: int) -> Message:
        """The a of the level in this place, cut at its own threshold; made when first needed."""
        while len(self._below) <= place:
            here = len(self._below)
            barrier = self._thresholds[here]
            if here == 0:
                self._below.append(Message(barrier, None))
                continue
            level = self._levels[here]
            low = self._levels[here - 1]
            step = self._step(bridge_step, self._below[-1], low, level, barrier)
            self._below.append(step.cut(barrier, math.sqrt(level)))
        return self._below[place]

    def above(self, place: int) -> Message:
        """The β of the level in this place, cut at its own threshold; made when first needed."""
        last = len(self._levels) - 1
        while len(self._above) <= last - place:
            here = last - len(self._above)
            barrier = self._thresholds[here]
            if here == last:
                self._above.append(Message(barrier, None))
                continue
            level = self._levels[here]
            high = self._levels[here + 1]
            step = self._step(onward_step, self._above[-1], level, high, barrier)
            self._above.append(step.cut(barrier, math.sqrt(level)))
        return self._above[last - place]

    def _kernels(self, level: float, threshold: float) -> list[Step]:
        """The kernels from the nearest levels on both sides."""
        place = bisect_left(self._levels, level)
        kernels = []
        if place:
            low = self._levels[place - 1]
            below = self.below(place - 1)
            kernels.append(self._step(bridge_step, below, low, level, threshold))
        if place < len(self._levels):
            high = self._levels[place]
            above = self.above(place)
            kernels.append(self._step(onward_step, above, level, high, threshold))
        return kernels

    def _step(self, make: _Maker, message: Message, *numbers: float) -> Step:
        """A kernel; the last one of each kind is kept, as `add` mostly follows `crossing`."""
        kept = self._steps.get(make)
        if kept is None or kept[0] is not message or kept[1] != numbers:
            kept = self._steps[make] = message, numbers, make(message, *numbers)
        return kept[2]

    def _farthest(self, level: float, threshold: float) -> float:
        """How far below its threshold the peak of hidden cells can lie."""
        lowest = min(0.0, threshold, *self._thresholds)
        return max(0.0, threshold - lowest) + 40 * math.sqrt(level)


def bridge_step(message: Message, low: float, level: float, reference: float) -> Step:
    """Towards the less noisy level `low`: given N(level) = y, N(low) is a bridge from 0."""
    missing = (level - low) / level
    return Step(
        message,
        share=low / level,
        missing=missing,
        sd=math.sqrt(low * missing),
        reference=reference,
    )


def onward_step(message: Message, level: float, high: float, reference: float) -> Step:
    """Towards the noisier level `high`: N(high) is N(level) plus new noise."""
    return Step(message, share=1.0, missing=0.0, sd=math.sqrt(high - level), reference=reference)
