"""Exact draws, each from one of a few narrow laws: which of them is known for each value.

The laws stand in one guide table, so that a draw is one look-up, whichever law it is from: the
first 14 of 16 bits settle nearly all draws, and the rest are settled in their law by 48 bits more.
So every draw has the exact law, as in `dpviz.noise.unimodal`.
Limits: it is quick for numbers of 16 bits and laws that are not pooled in blocks, slow for others.
"""

from collections.abc import Sequence

import numpy as np

from dpviz.noise.bits import CHUNK, first_bits, to_words
from dpviz.noise.family import Array
from dpviz.noise.unimodal import Unimodal

GUIDE = 14  # bits that a draw is looked up by: eight laws of this many stay in a second-level cache
UNSURE = -(2**15)


class OneOf:
    """A few laws to draw from.

    >>> from itertools import repeat
    >>> from dpviz import streams
    >>> halves = Unimodal(0, lambda _: repeat((1, 2)), lambda _: iter(()), spread=2)
    >>> ninths = Unimodal(1, lambda _: repeat((1, 9)), lambda _: iter(()), spread=1)
    >>> which = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    >>> OneOf([halves, ninths]).draw(which, rng=streams.teaching(7))
    array([0, 4, 0, 1, 1, 1, 1, 2])
    """

    __slots__ = ("_guide", "_laws")

    def __init__(self, laws: Sequence[Unimodal]) -> None:
        """Look all first bits up once in each law."""
        self._laws = laws
        self._guide = np.empty((len(laws), 2**GUIDE), dtype=np.int16)
        for row, law in zip(self._guide, laws, strict=True):
            found, certain = law.guide(GUIDE)
            row[:] = np.where(certain & (np.abs(found) < -UNSURE), found, UNSURE)

    def draw(self, which: Array, *, rng: np.random.Generator) -> Array:
        """Draw from the law in this place, for each value.

        Returns:
            Shape (d,), int64.
        """
        head = first_bits(which.size, rng=rng)
        entry = which << GUIDE
        entry |= head >> (CHUNK - GUIDE)
        drawn = self._guide.take(entry, mode="clip")  # nothing to clip, but quicker
        (unsure,) = (drawn == UNSURE).nonzero()
        drawn, chosen = drawn.astype(np.int64), which[unsure]
        uniform = to_words(head[unsure], rng=rng)
        for place, law in enumerate(self._laws):
            (late,) = (chosen == place).nonzero()
            drawn[unsure[late]] = law.draw_from(uniform[late], rng=rng)
        return drawn
