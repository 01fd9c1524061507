"""Extend and bridge, as every family begins them: what is checked, and what needs no draw.

A family says in `_step` and `_between` how it draws. Both are handed arguments that fit and levels
that differ, and fill `result`; nothing else of a draw is left to a family.
"""

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from dpviz.errors import ParameterError
from dpviz.noise.arguments import Span, ascending, drawing, room, vectors
from dpviz.noise.family import Array
from dpviz.noise.whole import counts

Rng = np.random.Generator
Levels = tuple[float, float, float]  # low, level, high


class NoisePath(ABC):
    """Two draws of a random path in its level, coordinate by coordinate.

    Values are float64, or for a family of whole numbers int64 that come from an integer dtype.
    """

    __slots__ = ()
    span: ClassVar[Span]  # least and greatest level
    categories: int | None = None  # number of values that it takes; None: any numbers
    label: str
    integer: bool
    never_falls: bool

    def extend(
        self,
        values: Array,
        low: float,
        high: float,
        *,
        rng: Rng,
        out: Array | None = None,
    ) -> Array:
        """Move from one level to a noisier one.

        Args:
            values: values held at `low`, shape (d,).
            low: their level, at least 0; 0 stands for the exact values.
            high: the level wanted, at least `low`.
            rng: generator that the noise is drawn from.
            out: room for the result, shape (d,); fresh memory if left out.

        Returns:
            Values at `high`, shape (d,); a copy of `values` if the levels are equal.

        Raises:
            ParameterError: if levels descend or leave the span of the family, or values have
                another shape or kind; of whole numbers also if the sum leaves 64 bits, or the noise
                of all values would take minutes to draw.
        """
        low, high = self._ascending(low, high)
        drawing(rng, "integers" if self.integer else "random")
        (values,) = self._arrays(values=values)
        result = room(out, values)
        if low == high:
            result[:] = values
        else:
            self._step(values, low, high, result, rng)
        return result

    def bridge(
        self,
        below: Array,
        above: Array,
        low: float,
        level: float,
        high: float,
        *,
        rng: Rng,
        out: Array | None = None,
    ) -> Array:
        """Draw between two held releases.

        Args:
            below: values held at `low`, shape (d,).
            above: values held at `high`, shape (d,); of noise that never falls nowhere less.
            low: level of `below`, at least 0; 0 stands for the exact values.
            level: the level wanted, `low <= level <= high`.
            high: level of `above`.
            rng: generator that the noise is drawn from.
            out: room for the result, shape (d,); fresh memory if left out.

        Returns:
            Values at `level`, shape (d,); a copy of a neighbour at that one's level. Where a lazy
            path rests on a neighbour, that one is copied bit for bit.

        Raises:
            ParameterError: as for `extend`, or if `below` and `above` cannot be two releases of
                one session: noise that never falls would fall, or whole numbers are further apart
                than any noise.
        """
        low, level, high = self._ascending(low, level, high)
        drawing(rng, "integers" if self.integer else "random")
        below, above = self._arrays(below=below, above=above)
        result = room(out, below, above)
        if self.never_falls and np.count_nonzero(above < below):
            raise ParameterError(
                f"above must nowhere be less than below: {self.label} noise never falls, so these "
                "are not two releases of one session; pass both as they were released"
            )
        if level in (low, high):
            result[:] = below if level == low else above
        else:
            self._between(below, above, (low, level, high), result, rng)
        return result

    @abstractmethod
    def _step(self, values: Array, low: float, high: float, result: Array, rng: Rng) -> None:
        """Fill `result` with values at `high`, which is above `low`."""

    @abstractmethod
    def _between(self, below: Array, above: Array, levels: Levels, result: Array, rng: Rng) -> None:
        """Fill `result` with values at the middle one of three levels that ascend."""

    def _ascending(self, low: float, *noisier: float) -> list[float]:
        """The levels as floats, refused unless they ascend within the span."""
        return ascending(self.span, low, *noisier)

    def _arrays(self, **named: Array) -> list[Array]:
        """The values as float64, or as int64 for a family of whole numbers."""
        return counts(**named) if self.integer else vectors("iuf", np.float64, **named)
