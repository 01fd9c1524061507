"""Slow, literal computations of what dpviz.accounting computes fast: mpmath and enumeration."""

import math
from collections.abc import Callable
from fractions import Fraction

import mpmath as mp


def gaussian_log_delta(epsilon: float, mu: float) -> mp.mpf:
    """ln(Phi(-a) - e^epsilon Phi(-b)), with as many digits as the difference loses, and 50 more."""
    cancelled = abs(math.log10(mu)) + math.log10(1 + epsilon)
    with mp.workdps(int(60 + 4 * cancelled)):
        epsilon, mu = mp.mpf(epsilon), mp.mpf(mu)
        a = epsilon / mu - mu / 2
        b = a + mu

        def upper(x: mp.mpf) -> mp.mpf:
            return mp.erfc(x / mp.sqrt(2)) / 2

        if a < -3:
            return mp.log1p(-(upper(-a) + mp.exp(epsilon) * upper(b)))
        return mp.log(upper(a) - mp.exp(epsilon) * upper(b))


def gaussian_log_delta_by_integral(epsilon: float, mu: float) -> mp.mpf:
    """The same by integrating (1 - e^(epsilon - loss)) over the normal law of the loss."""
    with mp.workdps(40):
        epsilon, mu = mp.mpf(epsilon), mp.mpf(mu)
        mean = mu * mu / 2
        scale = mp.npdf(epsilon, mean, mu)  # mp.quad stops at an absolute error

        def term(loss: mp.mpf) -> mp.mpf:
            return mp.npdf(loss, mean, mu) / scale * -mp.expm1(epsilon - loss)

        cuts = [epsilon + k * mu for k in (0, 0.02, 0.05, 0.1, 0.2, 0.4, 1, 2, 4, 8, 16)]
        return mp.log(scale) + mp.log(mp.quad(term, [*cuts, max(cuts[-1], mean) + 60 * mu]))


def zcdp_epsilon(rho: float, log_delta: float) -> mp.mpf:
    """The infimum over alpha, by golden section in ln(alpha - 1) at 50 digits."""
    with mp.workdps(50):

        def bound(u: mp.mpf) -> mp.mpf:
            alpha = 1 + mp.exp(u)
            last = (alpha - 1) * mp.log(1 - 1 / alpha) - mp.log(alpha)
            return alpha * rho + (-mp.mpf(log_delta) + last) / (alpha - 1)

        low, high, ratio = mp.mpf(-60), mp.mpf(60), (mp.sqrt(5) - 1) / 2
        one, other = high - ratio * (high - low), low + ratio * (high - low)
        at_one, at_other = bound(one), bound(other)
        while high - low > mp.mpf(10) ** -15:  # so the bound is known to 30 digits
            if at_one < at_other:
                high, other, at_other = other, one, at_one
                one = high - ratio * (high - low)
                at_one = bound(one)
            else:
                low, one, at_one = one, other, at_other
                other = low + ratio * (high - low)
                at_other = bound(other)
        return min(at_one, at_other)


def poisson_log_delta(epsilon: float, level: float, shift: int = 1) -> mp.mpf:
    """Sum of positive parts of P - e^epsilon Q over outcomes, both directions, at 50 digits."""
    with mp.workdps(50):
        level, factor = mp.mpf(level), mp.exp(mp.mpf(epsilon))
        top = int(float(level) * math.exp(epsilon / shift) + 60 * math.sqrt(float(level))) + 300
        mass = [mp.exp(-level)]
        for y in range(1, top + shift):
            mass.append(mass[-1] * level / y)
        moved = [mp.mpf(0)] * shift + mass
        away = mp.fsum(max(p - factor * q, 0) for p, q in zip(mass, moved, strict=False))
        there = mp.fsum(max(q - factor * p, 0) for p, q in zip(mass, moved, strict=False))
        return mp.log(max(away, there))


def theorem_epsilon(
    level: float, delta: float, l1: float, l2: float, linf: float, dimension: int
) -> mp.mpf:
    """Theorem E.1 of LMR25 (corrected) with p = level / N and N so large that p does not matter."""
    with mp.workdps(60):
        n = mp.mpf(10) ** 40
        p = mp.mpf(level) / n
        delta = mp.mpf(delta)
        b = 2 * (p**2 + (1 - p) ** 2) / 3 + (1 - 2 * p)
        c = mp.sqrt(2) * (3 * p**3 + 3 * (1 - p) ** 3 + 2 * p**2 + 2 * (1 - p) ** 2)
        d = mp.mpf(4) / 3 * (p**2 + (1 - p) ** 2)
        variance = n * p * (1 - p)
        first = l2 * mp.sqrt(2 * mp.log(1.25 / delta)) / mp.sqrt(variance)
        second = (l2 * c * mp.sqrt(mp.log(10 / delta)) + l1 * b) / (variance * (1 - delta / 10))
        third = mp.mpf(2) / 3 * linf * mp.log(1.25 / delta)
        third += linf * d * mp.log(20 * dimension / delta) * mp.log(10 / delta)
        return first + second + third / variance


def integer_half_width(mass: Callable[[int], float], mean: Fraction, miss: float) -> Fraction:
    """Least distance a with P(|Y - mean| <= a) >= 1 - miss: add integers from the nearest on."""
    covered = 0.0
    for distance in sorted({abs(y - mean) for y in range(4 * math.ceil(mean) + 300)}):
        below, above = mean - distance, mean + distance
        covered += sum(mass(int(y)) for y in {below, above} if y.denominator == 1 and y >= 0)
        if 1 - covered <= miss:
            return distance
    raise AssertionError("unreachable")
