"""Slow, literal oracles of top-k: every list with its probability, truncated noise to 50 digits.

A list is a tuple of items, with `END` as its last one where the sign that it has ended was drawn.
"""

import math
from itertools import permutations

import mpmath
import numpy as np
from scipy import optimize, stats

END = "⊥"


def plackett_luce(scores, scale, order):
    """P(the first ones are these, in this order), one round of the exponential mechanism each."""
    left, chance = dict(scores), 1.0
    for item in order:
        top = max(left.values())
        weights = {i: math.exp((s - top) / scale) for i, s in left.items()}
        chance *= weights[item] / sum(weights.values())
        del left[item]
    return chance


def lists(scores, scale, k):
    """Every ordered list of k items with its probability."""
    return {o: plackett_luce(scores, scale, o) for o in permutations(scores, min(k, len(scores)))}


def lists_that_can_end(counts, k, *, epsilon, linf, l0, seen, delta):
    """Every list from an unknown domain with its probability, as the mechanism is written down."""
    there = sorted((i for i in counts if counts[i] > 0), key=lambda i: (-counts[i], i))
    beyond = counts[there[seen]] if len(there) > seen else 0
    moved = seen if l0 is None else min(l0, seen)
    scores = {i: counts[i] for i in there[:seen]}
    scores[END] = beyond + linf + linf / epsilon * math.log(moved / delta)
    found = {}
    for length in range(k + 1):
        for order in permutations([i for i in scores if i != END], length):
            if length == k:
                found[order] = plackett_luce(scores, linf / epsilon, order)
            else:
                found[(*order, END)] = plackett_luce(scores, linf / epsilon, (*order, END))
    return found


def exact_delta(one, other, epsilon):
    """The least δ of two laws at ε, the larger of both directions."""
    keys = {*one, *other}
    return max(
        math.fsum(max(0.0, p.get(x, 0.0) - math.exp(epsilon) * q.get(x, 0.0)) for x in keys)
        for p, q in ((one, other), (other, one))
    )


def gumbel_first_two(counts, scale, first, second):
    """P(the two largest noisy counts are these, in this order), integrated over the Gumbel law."""
    with mpmath.workdps(20):
        counts, b = [mpmath.mpf(c) for c in counts], mpmath.mpf(scale)
        others = [c for i, c in enumerate(counts) if i not in (first, second)]

        def below(x, c):
            return mpmath.exp(-mpmath.exp(-(x - c) / b))

        def density(x, c):
            z = (x - c) / b
            return mpmath.exp(-z - mpmath.exp(-z)) / b

        def inner(y):  # the second one is y, the first one above it, all others below
            rest = mpmath.mpf(1)
            for c in others:
                rest *= below(y, c)
            return density(y, counts[second]) * (1 - below(y, counts[first])) * rest

        return float(mpmath.quad(inner, [-20, -5, 0, 2, 5, 10, 40]))


def cut(sigma, linf, log_delta):
    """T by bisection of equation 10 with 50 digits beyond those of δ."""
    with mpmath.workdps(50 + int(-log_delta / 2)):
        sigma, linf = mpmath.mpf(sigma), mpmath.mpf(linf)
        wanted, phi = mpmath.exp(mpmath.mpf(log_delta)), mpmath.ncdf

        def delta(t):
            return (phi(t / sigma) - phi((t - linf) / sigma)) / (2 * phi(t / sigma) - 1)

        low, high = linf / 2, linf
        while delta(high) > wanted:
            high *= 2
        for _ in range(170):
            middle = (low + high) / 2
            low, high = (middle, high) if delta(middle) > wanted else (low, middle)
        return float(high)


def divergence(order, sigma, shift, at):
    """Rényi divergence of two truncated laws, a shift apart, on what both can have: integrated."""
    with mpmath.workdps(25):
        sigma, shift, at = mpmath.mpf(sigma), mpmath.mpf(shift), mpmath.mpf(at)

        def density(x):
            return mpmath.exp(-((x / sigma) ** 2) / 2)

        ends = [max(-at, shift - at), min(at, shift + at)]
        one = mpmath.quad(density, ends)
        two = mpmath.quad(lambda x: density(x - shift), ends)
        total = mpmath.quad(
            lambda x: (density(x) / one) ** order * (density(x - shift) / two) ** (1 - order), ends
        )
        return float(mpmath.log(total) / (order - 1))


def truncated_cdf(sigma, at):
    """Distribution of truncated Gaussian noise."""
    return stats.truncnorm(-at / sigma, at / sigma, scale=sigma).cdf


def fitted(values):
    """Nearest decreasing non-negative numbers, as sums of non-negative steps."""
    steps = np.triu(np.ones((len(values), len(values))))
    return steps @ optimize.nnls(steps, np.asarray(values, dtype=float))[0]
