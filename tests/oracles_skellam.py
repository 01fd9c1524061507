"""Slow, literal oracles for Skellam noise: fractions and mpmath, from the definitions."""

from fractions import Fraction
from functools import cache
from typing import Any

import mpmath as mp


@cache
def mass(x: int, level: float) -> Any:
    """P(A - B = x) for two Poisson(level) counts, summed over B."""
    rate, x = mp.mpf(level), abs(x)
    with mp.workdps(90):
        term = mp.exp(-2 * rate) * rate**x / mp.factorial(x)
        total, b = mp.mpf(0), 0
        while b <= rate or term > total * mp.mpf(10) ** -80:
            total += term
            b += 1
            term *= rate * rate / (b * (b + x))
        return total


def bridge(first: float, second: float, k: int, reach: int) -> dict[int, Any]:
    """P(W = w | both increments add up to k), w from -reach to reach, from the two laws alone."""
    joint = {w: mass(abs(w), first) * mass(abs(k - w), second) for w in range(-reach, reach + 1)}
    total = mp.fsum(joint.values())
    return {w: one / total for w, one in joint.items()}


def bessel(k: int, rate: float, reach: int) -> list[Any]:
    """P(V = v | A - B = k) for two Poisson(rate) counts, V the smaller, v = 0 … reach."""
    rate_ = mp.mpf(rate)
    weights = [
        rate_ ** (2 * v + abs(k)) / (mp.factorial(v) * mp.factorial(v + abs(k)))
        for v in range(reach + 1)
    ]
    total = mp.fsum(weights)
    return [weight / total for weight in weights]


def log_delta(epsilon: float, level: float, shift: int = 1) -> Any:
    """The ln of sum over all x of max(0, P(x) - e^epsilon P(x + shift)), at 60 digits."""
    with mp.workdps(60):
        z, weight = 2 * mp.mpf(level), mp.exp(mp.mpf(epsilon))
        start, total, past = -shift, mp.mpf(0), False
        x = max(start, int(z * mp.sinh(mp.mpf(epsilon) / shift)) - 2 * shift - 2)
        while True:
            here, there = (mp.besseli(abs(y), z, maxterms=10**8) for y in (x, x + shift))
            term = here - weight * there
            if term > 0:
                past = True
                total += term
                if term < total * mp.mpf(10) ** -30:
                    return mp.log(total) - z
            elif past:
                return mp.log(total) - z
            x += 1


def binomial_mass(x: int, n: int, q: Fraction) -> Fraction:
    """n!/(x!(n-x)!) q^x (1-q)^(n-x)."""
    choices = Fraction(1)
    for i in range(x):
        choices = choices * (n - i) / (i + 1)
    return choices * q**x * (1 - q) ** (n - x)


def renyi(alpha: int, level: float, l1: float, l2: float) -> Fraction:
    """The bound of Agarwal, Kairouz and Liu 2021, in fractions."""
    variance, first, second = 2 * Fraction(level), Fraction(l1), Fraction(l2)
    narrow = ((2 * alpha - 1) * second**2 + 6 * first) / (4 * variance**2)
    wide = 3 * first / (2 * variance)
    return alpha * second**2 / (2 * variance) + min(narrow, wide)


def renyi_epsilon(log_delta: float, level: float, l1: float, l2: float, last: int) -> Any:
    """The least bound over whole alpha from 2 to `last`, one after the other [CKS20]."""

    def bound(alpha: int) -> Any:
        divergence = mp.mpf(renyi(alpha, level, l1, l2).numerator)
        divergence /= renyi(alpha, level, l1, l2).denominator
        spent = (-mp.mpf(log_delta) - mp.log(alpha)) / (alpha - 1)
        return divergence + spent + mp.log1p(-mp.mpf(1) / alpha)

    return min(bound(alpha) for alpha in range(2, last + 1))
