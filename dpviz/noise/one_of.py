"""Exact draws, each from one of a few narrow laws: which of them is known for each value.

The laws stand in one guide table, so that a draw is one look-up, whichever law it is from: the
first 14 of 16 bits settle nearly all draws, and the rest are settled by 48 bits more, in one row of
the thresholds of all laws.
So every draw has the exact law, as in `dpviz.noise.unimodal`.
Limits: it is quick for numbers of 16 bits and laws that are not pooled in blocks, slow for others.
"""

from collections.abc import Sequence

import numpy as np

from dpviz.noise.arguments import blocks
from dpviz.noise.bits import CHUNK, WORD, first_bits, to_words
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

    __slots__ = ("_bits", "_edges", "_first", "_guide", "_laws", "_size", "_start")

    def __init__(self, laws: Sequence[Unimodal]) -> None:
        """Look all first bits up once in each law, and put all thresholds in one row."""
        self._laws, self._bits = laws, (len(laws) - 1).bit_length()
        self._guide = np.empty((len(laws), 2**GUIDE), dtype=np.int16)
        for row, law in zip(self._guide, laws, strict=True):
            found, certain = law.guide(GUIDE)
            row[:] = np.where(certain & (np.abs(found) < -UNSURE), found, UNSURE)
        lows, highs, first = zip(*(law.edges() for law in laws), strict=True)
        self._edges = [
            np.concatenate([self._behind(place, each) for place, each in enumerate(side)])
            for side in (lows, highs)
        ]
        self._size, self._first = np.array([low.size for low in lows]), np.array(first)
        self._start = self._size.cumsum() - self._size

    def draw(self, which: Array, *, rng: np.random.Generator) -> Array:
        """Draw from the law in this place, for each value.

        Returns:
            Shape (d,), int64.
        """
        head = first_bits(which.size, rng=rng)
        drawn = np.empty(which.size, dtype=np.int16)
        for place, bits, found in blocks(which, head, drawn):
            entry = place << GUIDE
            entry |= bits >> (CHUNK - GUIDE)
            self._guide.take(entry, out=found, mode="clip")  # nothing to clip, but quicker
        (unsure,) = (drawn == UNSURE).nonzero()
        drawn = drawn.astype(np.int64)
        uniform = to_words(head[unsure], rng=rng)
        drawn[unsure] = self._settle(which[unsure], uniform, rng=rng)
        return drawn

    def _settle(self, which: Array, uniform: Array, *, rng: np.random.Generator) -> Array:
        """Draws of which 64 bits are known: by the row of all thresholds, about never by a law.

        The row has a few bits less of each, so it may leave open what the law itself decides.
        """
        low, high = self._edges
        key, start = self._behind(which, uniform), self._start[which]
        passed = high.searchsorted(key, "left") - start
        tail = (passed == 0) | (passed == self._size[which])
        (late,) = (tail | (passed != low.searchsorted(key, "right") - start)).nonzero()
        drawn: Array = passed + self._first[which]
        for place in np.unique(which[late]).tolist():
            at = late[which[late] == place]
            drawn[at] = self._laws[place].draw_from(uniform[at], rng=rng)
        return drawn

    def _behind(self, place: Array | int, uniform: Array) -> Array:
        """Uniform words with the place of their law before them, in place of their last bits."""
        law = np.asarray(place, dtype=np.uint64) << (WORD - self._bits)
        return uniform >> self._bits | law
