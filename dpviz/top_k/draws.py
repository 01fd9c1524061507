"""Two samplers of a list with one law: Gumbel noise once, or exact draws one after the other.

    P(first = i) ∝ exp(ε·score(i)/range), and so on among those that are left   (Plackett and Luce)

Adding Gumbel noise of scale range/ε to every score once and sorting gives the same law, at
O(d + k log k): that is for teaching, in floating point. Exact draws compare uniform bits with the
cumulative chances, enclosed by whole-number arithmetic to as many bits as it takes, so that the
total variation from the law is 0; items of one score are one class, chosen as a whole, and one of
its members uniformly. Draws outside a session: docs/DECISIONS.md says why.
Source: MATHEMATICS 13.1; [DR19]; the exact draws are ours.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby

import numpy as np

from dpviz.noise.bits import Pair, Table
from dpviz.noise.family import Array
from dpviz.noise.reals import Interval, enclose, exponential

Scores = Sequence[Fraction]


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


def exactly(scores: Scores, rate: Fraction, count: int, *, rng: np.random.Generator) -> list[int]:
    """Places of `count` items, drawn one after the other with P ∝ exp(rate·score), exactly.

    >>> from dpviz import streams
    >>> exactly([Fraction(s) for s in (9, 0, 5)], Fraction(2), 2, rng=streams.teaching(7))
    [0, 2]
    """
    order = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
    classes = [
        (score, list(members)) for score, members in groupby(order, key=lambda place: scores[place])
    ]
    found: list[int] = []
    while len(found) < count and classes:
        at = _class(classes, rate, rng)
        members = classes[at][1]
        found.append(members.pop(int(rng.integers(len(members)))))
        if not members:
            del classes[at]
    return found


def _class(
    classes: Sequence[tuple[Fraction, list[int]]], rate: Fraction, rng: np.random.Generator
) -> int:
    """Which class the next item is of, exactly."""
    if len(classes) == 1:
        return 0
    top = classes[0][0]
    gaps, sizes = [rate * (top - score) for score, _ in classes], [len(c) for _, c in classes]

    def chances(bits: int) -> list[Interval]:
        total, sums = Interval(0, 0, bits), []
        for gap, size in zip(gaps, sizes, strict=True):
            one = exponential.__wrapped__(gap, bits)  # its cache must not know the counts
            total += Interval(one.low * size, one.high * size, bits)
            sums.append(total)
        return [each / total for each in sums[:-1]]

    def thresholds(bits: int) -> list[Pair]:
        return enclose(chances, bits)

    return int(Table(thresholds).draw(1, rng=rng)[0])
