"""Literal computations of the curves of Laplace and pure noise: densities, splines, enumeration."""

import itertools
import math

import mpmath as mp

DIGITS = 50


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


def pure_composition_delta(count: int, epsilon: float, total: float) -> mp.mpf:
    """Optimal composition, summed over every vector of answers of randomised response."""
    with mp.workdps(DIGITS):
        epsilon, total = mp.mpf(epsilon), mp.mpf(total)
        right = 1 / (1 + mp.exp(-epsilon))
        result = mp.mpf(0)
        for answers in itertools.product((1, 0), repeat=count):
            ones = sum(answers)
            p = right**ones * (1 - right) ** (count - ones)
            q = right ** (count - ones) * (1 - right) ** ones
            result += max(p - mp.exp(total) * q, 0)
        return result


def pure_composition_log_delta(count: int, epsilon: float, total: float) -> mp.mpf:
    """The same by binomial coefficients, at 50 digits, for counts that cannot be enumerated."""
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
