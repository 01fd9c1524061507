"""Slow, literal oracles for one person's moves: masses, products of pairs, every move of a box."""

import itertools
import math

import numpy as np

UNLIKELY = 1e-22  # masses below are left out


def poisson_masses(level):
    """P(y) for y = 0, 1, …, one term after the other."""
    top = int(level + 14 * math.sqrt(level) + 60)
    return np.array(
        [math.exp(y * math.log(level) - level - math.lgamma(y + 1)) for y in range(top)]
    )


def poisson_pair(level, by):
    """Masses of the outcomes of one coordinate without and with the person who moves it."""
    masses, still = poisson_masses(level), np.zeros(abs(by))
    here, there = np.append(masses, still), np.append(still, masses)
    return (here, there) if by > 0 else (there, here)


def skellam_pair(level, by):
    """The same for the difference of two such counts."""
    masses = poisson_masses(level)
    noise = np.convolve(masses, masses[::-1])
    still = np.zeros(abs(by))
    return np.append(noise, still), np.append(still, noise)


def delta_by_enumeration(pairs, epsilon):
    """The sum over all outcome vectors of the positive part of P - e^epsilon Q, the worse way."""
    found = []
    for swap in (1, -1):
        p, q = np.ones(1), np.ones(1)
        for pair in pairs:
            here, there = pair[::swap]
            p, q = np.outer(p, here).ravel(), np.outer(q, there).ravel()
        found.append(float(np.maximum(p - math.exp(epsilon) * q, 0).sum()))
    return max(found)


def delta_by_convolution(counted, epsilon, points=2**18):
    """The same of (pair, count): the loss on a grid that keeps its mean, by an FFT."""
    return max(_one_way(counted, epsilon, points, swap) for swap in (1, -1))


def _one_way(counted, epsilon, points, swap):
    finite, laws = 1.0, []
    for pair, count in counted:
        p, q = pair[::swap]
        kept = (p > UNLIKELY) & (q > 0)
        finite *= (1 - float(p[(q == 0) & (p > 0)].sum())) ** count
        laws.append((np.log(p[kept] / q[kept]), p[kept], count))
    span = sum(count * float(np.ptp(loss)) for loss, _, count in laws)
    width = span / (points - 2 * sum(count for _, _, count in laws) - 2)
    spectrum, least = 1.0, 0.0
    for loss, mass, count in laws:
        place = (loss - loss.min()) / width
        below = np.floor(place).astype(int)
        one = np.bincount(below, mass * (1 - (place - below)), points)
        one += np.bincount(below + 1, mass * (place - below), points)
        spectrum, least = spectrum * np.fft.rfft(one) ** count, least + count * float(loss.min())
    law = np.fft.irfft(spectrum, points)
    loss = least + width * np.arange(points)
    over = loss > epsilon
    return 1 - finite + float((law[over] * -np.expm1(epsilon - loss[over])).sum())


def largest_moves(l1, l2, linf, coordinates):
    """Sizes of all moves within the bounds that no other exceeds, by looking at all."""
    within = [
        move
        for move in itertools.product(range(linf + 1), repeat=coordinates)
        if list(move) == sorted(move, reverse=True)
        and sum(move) <= l1 + 1e-9
        and math.hypot(*move) <= l2 + 1e-9
    ]
    return sorted(
        move
        for move in within
        if not any(
            other != move and all(a <= b for a, b in zip(move, other, strict=True))
            for other in within
        )
    )
