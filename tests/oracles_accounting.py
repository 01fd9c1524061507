"""Slow, literal computations of what dpviz.accounting computes fast: mpmath and enumeration.

Curves of Gaussian, Laplace, Poisson and pure noise by densities, splines and sums; one person's
moves by masses, products of pairs, and every move of a box; the errors of continual counting by
matrices.
"""

import itertools
import math
from collections.abc import Callable
from fractions import Fraction

import mpmath as mp
import numpy as np

from tests.oracles_composition import golden

DIGITS = 50
UNLIKELY = 1e-22  # masses below are left out


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

        return -golden(lambda u: -bound(u), mp.mpf(-60), mp.mpf(60), 1e-15)  # to 30 digits


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


def laplace_log_delta(epsilon: float, level: float, l1: float) -> mp.mpf:
    """The ln of 1 - e^((epsilon - l1/level)/2), at 50 digits beyond what cancels."""
    with mp.workdps(DIGITS):
        half = (mp.mpf(epsilon) - mp.mpf(l1) / mp.mpf(level)) / 2
        if half >= 0:
            return mp.ninf
        return mp.log(-mp.expm1(half)) if half > -1 else mp.log1p(-mp.exp(half))


def laplace_delta_by_integral(epsilon: float, level: float, l1: float) -> mp.mpf:
    """Positive part of P - e^epsilon Q by quadrature over the outcomes, any sign of epsilon."""
    with mp.workdps(30):
        factor = mp.exp(mp.mpf(epsilon))

        def excess(y: mp.mpf) -> mp.mpf:
            p = mp.exp(-abs(y) / level) / (2 * level)
            q = mp.exp(-abs(y - l1) / level) / (2 * level)
            return max(p - factor * q, mp.mpf(0))

        turn = (mp.mpf(l1) - mp.mpf(epsilon) * level) / 2  # where P = e^epsilon Q between 0 and l1
        cuts = sorted({mp.mpf(-80) * level, mp.mpf(0), turn, mp.mpf(l1), mp.mpf(80) * level + l1})
        return mp.quad(excess, cuts)


def l2_laplace_epsilon(scale: float, log_delta: float, l2: float) -> mp.mpf:
    """Forward function of Lemma 5.4: u²/2 + u sqrt(2 L) of u = l2 / scale."""
    with mp.workdps(DIGITS):
        u = mp.mpf(l2) / mp.mpf(scale)
        return u * u / 2 + u * mp.sqrt(-2 * mp.mpf(log_delta))


def composed_laplace_delta(epsilons: list[float], epsilon: float) -> mp.mpf:
    """Exact: every choice of atoms, and the spline density of the losses between them.

    The density of one loss is e^((loss - e)/2)/4 on (-e, e). So m of them have the density
    e^((s - sum e)/2) / 4^m times the m-fold convolution of indicators, which is a sum over signs of
    (-1)^(minus signs) (s + sum of +-e)_+^(m-1) / (m-1)!.
    """
    with mp.workdps(60):
        own = [mp.mpf(e) for e in epsilons]
        total = mp.mpf(0)
        for kinds in itertools.product("+-~", repeat=len(own)):
            weight = mp.mpf(1)
            shift = mp.mpf(0)
            inside = []
            for kind, e in zip(kinds, own, strict=True):
                if kind == "~":
                    inside.append(e)
                else:
                    weight *= mp.mpf(1) / 2 if kind == "+" else mp.exp(-e) / 2
                    shift += e if kind == "+" else -e
            total += weight * _spline_part(inside, mp.mpf(epsilon) - shift)
        return total


def _spline_part(inside: list[mp.mpf], threshold: mp.mpf) -> mp.mpf:
    """Mean of (1 - e^(threshold - s))_+ over the sum s of the losses inside, not normalised."""
    m = len(inside)
    if m == 0:
        return max(-mp.expm1(threshold), mp.mpf(0))
    whole = mp.fsum(inside)
    knots = []
    for signs in itertools.product((1, -1), repeat=m):
        knots.append(
            (mp.fsum(-s * e for s, e in zip(signs, inside, strict=True)), mp.mpf(math.prod(signs)))
        )

    def density(s: mp.mpf) -> mp.mpf:
        spline = mp.fsum(sign * (s - knot) ** (m - 1) for knot, sign in knots if s > knot)
        return mp.exp((s - whole) / 2) / mp.mpf(4) ** m * spline / mp.factorial(m - 1)

    low = max(threshold, -whole)
    if low >= whole:
        return mp.mpf(0)
    cuts = sorted({low, whole, *(knot for knot, _ in knots if low < knot < whole)})
    return mp.quad(lambda s: density(s) * -mp.expm1(threshold - s), cuts)


def pure_composition_log_delta(count: int, epsilon: float, total: float) -> mp.mpf:
    """Optimal composition by binomial coefficients, at 50 digits."""
    with mp.workdps(DIGITS):
        epsilon, total = mp.mpf(epsilon), mp.mpf(total)
        terms = [
            mp.binomial(count, wins)
            * mp.exp(wins * epsilon)
            * -mp.expm1(total - (2 * wins - count) * epsilon)
            for wins in range(count + 1)
            if (2 * wins - count) * epsilon > total
        ]
        if not terms:
            return mp.ninf
        return min(mp.log(mp.fsum(terms)) - count * mp.log1p(mp.exp(epsilon)), mp.mpf(0))


def discrete_laplace_log_delta(epsilon: float, level: float, shift: int) -> mp.mpf:
    """Positive parts of P - e^epsilon Q over outcomes, MATHEMATICS 3.8, at 50 digits."""
    with mp.workdps(DIGITS):
        a = mp.exp(-1 / mp.mpf(level))
        factor = mp.exp(mp.mpf(epsilon))
        scale = (1 - a) / (1 + a)
        reach = int(130 * float(level)) + 3 * shift + 10
        parts = []
        for y in range(-reach, shift + reach):
            p, q = scale * a ** abs(y), scale * a ** abs(y - shift)
            parts.append(max(p - factor * q, mp.mpf(0)))
        result = mp.fsum(parts)
        return mp.log(result) if result > 0 else mp.ninf


def alike_laplace_delta(own: float, moved: int, epsilon: float) -> mp.mpf:
    """Exact for `moved` losses alike: how many are at either atom, and splines in closed form."""
    with mp.workdps(60 + 4 * moved):
        e, total = mp.mpf(own), mp.mpf(0)
        for highest, lowest in itertools.product(range(moved + 1), repeat=2):
            inside = moved - highest - lowest
            if inside >= 0:
                chance = mp.factorial(moved) / mp.factorial(highest) / mp.factorial(lowest)
                chance *= mp.mpf(2) ** -(highest + lowest) * mp.exp(-lowest * e)
                threshold = mp.mpf(epsilon) - (highest - lowest) * e
                total += chance / mp.factorial(inside) * _alike_part(inside, e, threshold)
        return total


def _alike_part(m: int, e: mp.mpf, threshold: mp.mpf) -> mp.mpf:
    """Mean of (1 - e^(threshold - s))_+ over the sum s of m losses inside, not normalised."""
    if m == 0:
        return max(-mp.expm1(threshold), mp.mpf(0))
    low, high, found = max(threshold, -m * e), m * e, mp.mpf(0)
    if low >= high:
        return found
    for k in range(m + 1):
        knot = (2 * k - m) * e
        begin = max(low, knot)
        if begin < high:
            up, down = (
                mp.exp(sign * knot / 2)
                * _power_times_exp(m - 1, sign * mp.mpf(1) / 2, begin - knot, high - knot)
                for sign in (1, -1)
            )
            found += (-1) ** k * mp.binomial(m, k) * (up - mp.exp(threshold) * down)
    return found * mp.exp(-m * e / 2) / mp.mpf(4) ** m / mp.factorial(m - 1)


def _power_times_exp(power: int, rate: mp.mpf, low: mp.mpf, high: mp.mpf) -> mp.mpf:
    """The integral of u^power e^(rate u), by parts."""

    def upto(u: mp.mpf) -> mp.mpf:
        terms = (
            (-1) ** i
            * mp.factorial(power)
            / mp.factorial(power - i)
            * u ** (power - i)
            / rate ** (i + 1)
            for i in range(power + 1)
        )
        return mp.exp(rate * u) * mp.fsum(terms)

    return upto(high) - upto(low)


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


def directions_by_enumeration(pairs, epsilon):
    """The sums over all outcome vectors of the positive parts of P - e^ε Q, and of Q - e^ε P."""
    p, q = np.ones(1), np.ones(1)
    for here, there in pairs:
        p, q = np.outer(p, here).ravel(), np.outer(q, there).ravel()
    return [float(np.maximum(a - math.exp(epsilon) * b, 0).sum()) for a, b in ((p, q), (q, p))]


def delta_by_enumeration(pairs, epsilon):
    """The worse of the two directions."""
    return max(directions_by_enumeration(pairs, epsilon))


def sensitivities(l1, l2, linf, dimension, **more):
    """What the functions of whole noise are told of the moves of one person."""
    named = ("l1_sensitivity", "l2_sensitivity", "linf_sensitivity", "dimension")
    return dict(zip(named, (l1, l2, linf, dimension), strict=True)) | more


def sum_within(family, scale, terms, distance):
    """P(|S| <= distance) of a sum of independent terms, from its characteristic function.

    Of whole noise by a Fourier series over more whole numbers than S reaches; else by the integral
    of sin(tx)/t times the function, up to where that is negligible.
    """
    if family == "laplace":
        u = np.linspace(1e-9, {1: 1e4, 2: 1e3}.get(terms, 30.0), 1_000_001)
        inner = np.sin(u * distance / scale) / u * np.exp(-terms * np.log1p(u * u))
        return float(2 / np.pi * np.trapezoid(inner, u))
    points, a = 2**16, np.exp(-1 / scale)
    angles = 2 * np.pi * np.arange(points) / points
    turned = ((1 - a) ** 2 / (1 - 2 * a * np.cos(angles) + a * a)) ** terms
    chances = np.fft.fft(turned).real / points
    return float(chances[0] + 2 * chances[1 : int(distance) + 1].sum())


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


def digit_range(arity: int, subtraction: bool) -> range:
    """The digits of the paper: 0…k-1, ±(k-1)/2 for odd k, -(k/2-1)…k/2 for even k."""
    if not subtraction:
        return range(arity)
    if arity % 2:
        return range(-(arity - 1) // 2, (arity - 1) // 2 + 1)
    return range(-(arity // 2 - 1), arity // 2 + 1)


def all_digits(arity: int, height: int, subtraction: bool) -> dict[int, tuple[int, ...]]:
    """Digits of every whole number that `height` digits can write, most significant first."""
    written: dict[int, tuple[int, ...]] = {}
    for digits in itertools.product(digit_range(arity, subtraction), repeat=height):
        number = 0
        for digit in digits:
            number = number * arity + digit
        assert number not in written
        written[number] = digits
    return written


def most_steps(arity: int, height: int, subtraction: bool) -> int:
    """The largest number that `height` digits can write."""
    return sum(max(digit_range(arity, subtraction)) * arity**level for level in range(height))


def used_vertices(digits: tuple[int, ...], arity: int) -> list[tuple[int, int, int]]:
    """(sign, first, last) of every vertex, by Algorithm 1 with subtraction added."""
    start, used = 0, []
    for place, digit in enumerate(digits):
        width = arity ** (len(digits) - 1 - place)
        for i in range(1, abs(digit) + 1):
            if digit > 0:
                used.append((1, start + (i - 1) * width + 1, start + i * width))
            else:
                used.append((-1, start - i * width + 1, start - (i - 1) * width))
        start += digit * width
    return used


def height_for(steps: int, arity: int, subtraction: bool) -> int:
    """The least number of digits that can write every number up to `steps`."""
    height = 1
    while most_steps(arity, height, subtraction) < steps:
        height += 1
    return height


def honaker_variance(height: int) -> float:
    """Variance of the best unbiased estimate of a vertex from its whole subtree, one noise = 1."""
    leaves = 2**height
    rows = [
        [float(start <= leaf < start + width) for leaf in range(leaves)]
        for width in (2**level for level in range(height + 1))
        for start in range(0, leaves, width)
    ]
    design = np.array(rows)
    target = np.ones(leaves)
    return float(target @ np.linalg.solve(design.T @ design, target))


def square_root_factor(steps: int) -> mp.mpf:
    """Γ_T = ‖R‖²_{1→2} ‖L‖_F²/T with exact f_j = C(2j, j)/4^j, to 30 digits."""
    with mp.workdps(30):
        squares = [(mp.binomial(2 * j, j) / mp.mpf(4) ** j) ** 2 for j in range(steps)]
        column = mp.fsum(squares)
        frobenius = mp.fsum((steps - j) * square for j, square in enumerate(squares))
        return column * frobenius / steps
