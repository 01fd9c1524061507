"""Two samplers of a list with one law: Gumbel noise once, or exact draws one after the other.

    P(first = i) ∝ exp(ε·score(i)/range), and so on among those that are left   (Plackett and Luce)

Adding Gumbel noise of scale range/ε to every score once and sorting gives the same law, at
O(d + k log k): that is for teaching, in floating point. Exact draws compare uniform bits with the
cumulative chances, enclosed by whole-number arithmetic to as many bits as it takes, so that the
total variation from the law is 0; items of one score are one class, chosen as a whole, and one of
its members uniformly. Draws outside a session: docs/DECISIONS.md says why.
Limits: how many bits a draw takes depends on it, so timing is not hidden.
Source: MATHEMATICS 13.1; [DR19]; the exact draws are ours.
"""

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, groupby, pairwise
from math import lcm

import numpy as np

from dpviz.noise.bits import WORD, words
from dpviz.noise.family import Array
from dpviz.noise.reals import exponential

FAR = 32  # a weight of e^-FAR, beside 1
Sums = tuple[list[int], list[int]]  # lower and upper bounds of running sums times 2^bits


def by_gumbel(scores: Array, scale: float, count: int, *, rng: np.random.Generator) -> list[int]:
    """Places of the `count` largest noisy scores, the largest first.

    >>> from dpviz import streams
    >>> by_gumbel(np.array([9.0, 0.0, 5.0]), 0.5, 2, rng=streams.teaching(7))
    [0, 2]
    """
    noisy = scores + rng.gumbel(0.0, scale, scores.size)
    count = min(count, noisy.size)
    best = np.argpartition(-noisy, count - 1)[:count] if count else np.empty(0, dtype=int)
    return [int(place) for place in best[np.argsort(-noisy[best], kind="stable")]]


def exactly(
    scores: Sequence[Fraction], rate: Fraction, count: int, *, rng: np.random.Generator
) -> list[int]:
    """Places of `count` items, drawn one after the other with P ∝ exp(rate·score), exactly.

    >>> from dpviz import streams
    >>> exactly([Fraction(s) for s in (9, 0, 5)], Fraction(2), 2, rng=streams.teaching(7))
    [0, 2]
    """
    unit = lcm(*{score.denominator for score in scores})  # whole numbers are compared sooner
    whole = [score.numerator * (unit // score.denominator) for score in scores]
    order = sorted(range(len(scores)), key=whole.__getitem__, reverse=True)
    classes = [list(each) for _, each in groupby(order, key=whole.__getitem__)]
    tops = [scores[members[0]] for members in classes]
    weights = Weights(tops, rate)
    found: list[int] = []
    for _ in range(min(count, len(scores))):
        first = next(place for place, members in enumerate(classes) if members)
        if rate * (tops[0] - tops[first]) > FAR:  # else no bits are left of their weights
            tops, classes = tops[first:], classes[first:]
            weights = Weights(tops, rate)
        members = classes[weights.draw([len(each) for each in classes], rng=rng)]
        found.append(members.pop(int(rng.integers(len(members)))))
    return found


class Weights:
    """exp(-rate·(largest score - score)) of scores that fall, enclosed to any number of bits.

    Each is the one before it times that of the gap between them, so that one exponential is needed
    for each size of a gap only.

    >>> from dpviz import streams
    >>> weights = Weights([Fraction(3), Fraction(1)], Fraction(1, 2))
    >>> weights.draw([1, 0], rng=streams.teaching(7)), weights.draw([0, 4], rng=streams.teaching(7))
    (0, 1)
    """

    __slots__ = ("_gaps", "_held")

    def __init__(self, scores: Sequence[Fraction], rate: Fraction) -> None:
        """Take the scores of the classes, the largest first."""
        self._gaps = [rate * (one - other) for one, other in pairwise(scores)]
        self._held: dict[int, Sums] = {}

    def draw(self, sizes: Sequence[int], *, rng: np.random.Generator) -> int:
        """Which class the next item is of, by how many each class has left.

        The place of one endless uniform binary number U among the cumulative chances: it is
        revealed word by word until no bound is in doubt.
        """
        uniform = known = 0
        while True:
            uniform, known = uniform << WORD | int(words(1, rng=rng)[0]), known + WORD
            low, high = self.sums(sizes, known + WORD)
            below, above = uniform * low[-1], (uniform + 1) * high[-1]
            passed = bisect_left(high, below + 1, hi=len(high) - 1, key=lambda s: s << known)
            perhaps = bisect_left(low, above, hi=len(low) - 1, key=lambda s: s << known)
            if passed == perhaps:
                return passed

    def sums(self, sizes: Sequence[int], bits: int) -> Sums:
        """Bounds of the running sums of the weights of all items left, times 2^bits."""
        low, high = (
            list(accumulate(w * n for w, n in zip(each, sizes, strict=True)))
            for each in self._at(bits)
        )
        return low, high

    def _at(self, bits: int) -> Sums:
        """Bounds of the weight of each class, times 2^bits."""
        if bits not in self._held:
            ratios = {gap: exponential.__wrapped__(gap, bits) for gap in set(self._gaps)}
            low, high = [1 << bits], [1 << bits]  # the cache of all must not learn the counts
            for gap in self._gaps:
                ratio = ratios[gap]
                low.append(low[-1] * ratio.low >> bits)
                high.append(-(-high[-1] * ratio.high >> bits))
            self._held[bits] = low, high
        return self._held[bits]
