"""Slow, literal oracles of the sparse histogram, and samplers that are wrong in one way each.

`chance` integrates the definition in nested rules with 30 digits. Algorithm 6 as printed is in
dpviz/experiments/broken, as the page Falsify shows it.
"""

from functools import cache
from itertools import pairwise

import mpmath
import numpy as np
from scipy import special, stats

from dpviz import streams
from dpviz.experiments.broken.table import BrokenPrintedHistogram
from dpviz.sparse import SparseHistogram, sampler
from dpviz.sparse.first_passage import FirstPassage
from dpviz.sparse.first_passage_step import Message

NODES = 28  # of a panel
LEFT_OUT = 40.0  # the integrand is summed where it is above e^-40 of its largest value


@cache
def legendre():
    """Nodes and weights of the Gauss-Legendre rule in 30 digits, by Newton's method."""
    nodes, weights = [], []
    for start in np.polynomial.legendre.leggauss(NODES)[0]:
        x = mpmath.mpf(float(start))
        for _ in range(3):
            before, now = mpmath.mpf(1), x
            for k in range(2, NODES + 1):
                before, now = now, ((2 * k - 1) * x * now - (k - 1) * before) / k
            slope = NODES * (x * now - before) / (x * x - 1)
            x -= now / slope
        nodes.append(x)
        weights.append(2 / ((1 - x * x) * slope * slope))
    return nodes, weights


def integral(function, edges):
    """Composite rule between ascending edges, in mpmath numbers."""
    total = mpmath.mpf(0)
    for a, b in pairwise(edges):
        half = (b - a) / 2
        for x, w in zip(*legendre(), strict=True):
            total += half * w * function(a + half * (1 + x))
    return total


def chance(levels, thresholds, above):
    """P(N(level) > threshold where `above`, else <= threshold, for all), 1 to 3 ascending levels.

    Given the path at the middle level, the other two are independent: a bridge from 0, and a step.
    So one integral is left, over the middle level, with edges laid around every barrier seen there.
    """
    with mpmath.workdps(30):
        levels = [mpmath.mpf(float(x)) for x in levels]
        thresholds = [mpmath.mpf(float(x)) for x in thresholds]
        middle = (len(levels) - 1) // 2
        at, sd = levels[middle], mpmath.sqrt(levels[middle])
        sides = []  # (share, threshold, sd, above)
        for i, (level, threshold) in enumerate(zip(levels, thresholds, strict=True)):
            if i < middle:
                sides.append(
                    (level / at, threshold, mpmath.sqrt(level * (at - level) / at), above[i])
                )
            elif i > middle:
                sides.append((mpmath.mpf(1), threshold, mpmath.sqrt(level - at), above[i]))

        def integrand(y):
            result = mpmath.exp(-y * y / (2 * at))
            for share, threshold, width, up in sides:
                result *= side_tail((threshold - share * y) / width, up)
            return result

        edges = _edges(sides, thresholds[middle], sd, above[middle])
        return integral(integrand, edges) / mpmath.sqrt(2 * mpmath.pi * at)


def _edges(sides, threshold, sd, up):
    """Edges on one side of the middle barrier, close together where any factor changes."""
    far = 60 * sd
    low, high = (threshold, max(threshold, 0) + far) if up else (min(threshold, 0) - far, threshold)
    marks = [(threshold, sd), (0, sd)] + [
        (t / share, width / share) for share, t, width, _ in sides
    ]
    marks += [(threshold, width / share) for share, _, width, _ in sides]
    ladder = [0, *(sign * mpmath.mpf(2) ** k for k in range(-1, 7) for sign in (-1, 1))]
    edges = {low, high}
    edges |= {m + w * step for m, w in marks for step in ladder if low < m + w * step < high}
    edges = np.array(sorted(edges), dtype=object)

    def log_density(y):
        result = -((y / float(sd)) ** 2) / 2
        for share, t, width, side_up in sides:
            z = (float(t - share * threshold) - float(share) * (y - float(threshold))) / float(
                width
            )
            result += special.log_ndtr(-z if side_up else z)
        return result

    logs = log_density(edges.astype(float))
    kept = np.flatnonzero(logs > logs.max() - LEFT_OUT)
    return edges[max(kept[0] - 1, 0) : kept[-1] + 2]


def side_tail(z, above):
    """Q(z) if the path is to lie above, else Φ(z), in mpmath."""
    return mpmath.erfc((z if above else -z) / mpmath.sqrt(2)) / 2


class ForgottenBackward(FirstPassage):
    """Messages from the noisier side are forgotten: β = 1 beyond the next level's own barrier."""

    __slots__ = ()

    def above(self, place):
        return Message(self.thresholds[place], None)


def independent_past(step, offset, *, rng):
    """A draw below the barrier that ignores the value it should lead to."""
    deviation = np.sqrt(np.std(offset) ** 2 + step.sd**2)
    return stats.truncnorm.rvs(
        -np.inf, 0, loc=-deviation, scale=deviation, size=offset.size, random_state=rng
    )


def opened(kind, cells, counts, domain_size, *, seed):
    """A sparse histogram that draws in the way named."""
    make = BrokenPrintedHistogram if kind == "printed" else SparseHistogram
    method = "dense" if kind == "dense" else "sparse"
    histogram = make(
        cells, counts, domain_size, l2_sensitivity=1.0, rng=streams.teaching(seed), method=method
    )
    if kind == "forgotten backward message":
        histogram._sparse._hidden = ForgottenBackward()
    return histogram


def with_independent_past(monkeypatch):
    monkeypatch.setattr(sampler, "stayed", independent_past)
