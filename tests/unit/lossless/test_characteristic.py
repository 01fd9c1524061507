"""Characteristic functions and laws of jumps: known answers, and proofs checked by other means.

[GV14] Geng and Viswanath, The optimal mechanism in differential privacy, arXiv:1212.1186, 2014.
"""

import math
from fractions import Fraction as F

import mpmath
import pytest

from dpviz.errors import ParameterError
from dpviz.lossless import JumpLaw, LatticeLaw, decide_jumps, decide_noise, refute_noise
from dpviz.lossless.characteristic import POINTS, Negative, Refutation, Zero
from tests.conftest import few, for_each


def gauss(variance):
    return lambda t, m: m.exp(-variance * t * t / 2)


def laplace(b):
    return lambda t, _: 1 / (1 + (b * t) ** 2)


def uniform(half):
    return lambda t, m: m.sin(half * t) / (half * t)


def logistic(s):
    return lambda t, m: 2 * m.pi * s * t / (m.exp(m.pi * s * t) - m.exp(-m.pi * s * t))


def student(s):
    """Three degrees of freedom, for t > 0."""
    return lambda t, m: (1 + m.sqrt(3) * s * t) * m.exp(-m.sqrt(3) * s * t)


def exponential(mean):
    return lambda t, m: 1 / (1 - m.mpc(0, 1) * (mean * t))


def skellam(rate):
    return lambda t, m: m.exp(2 * rate * (m.cos(t) - 1))


def poisson(rate):
    return lambda t, m: m.exp(rate * (m.exp(m.mpc(0, 1) * t) - 1))


def discrete_gauss(variance):
    """exp(-x²/(2·variance)) on the whole numbers, as Jacobi's product; docs/LOSSLESS.md."""

    def characteristic(t, m):
        q, found = m.exp(-1 / (2 * m.mpf(variance))), 1
        for n in range(1, 25):
            r = q ** (2 * n - 1)
            found = found * (1 + 2 * r * m.cos(t) + r * r) / (1 + r) ** 2
        return found

    return characteristic


def staircase(epsilon, plateau):
    """Noise of a density that falls by e^-ε at plateau, 1 + plateau, 2 + plateau, …"""
    fall = math.exp(-epsilon)
    height = (1 - fall) / (2 * (plateau + fall * (1 - plateau)))

    def characteristic(t, m):
        i = m.mpc(0, 1)
        ends = [m.exp(i * t * x) for x in (0, plateau, 1)]
        step = (ends[1] - ends[0] + fall * (ends[2] - ends[1])) / (i * t * (1 - fall * ends[2]))
        return 2 * height * step.real

    return characteristic


def best(epsilon):
    """The plateau of the least expected error [GV14]."""
    return 1 / (1 + math.exp(epsilon / 2))


POSSIBLE = {  # of which none may be ruled out: each is the sharper noise plus independent noise
    "Gaussian": (gauss(1), gauss(2)),
    "Laplace": (laplace(1), laplace(2)),
    "uniform, twice as wide": (uniform(1), uniform(2)),
    "uniform, three times as wide": (uniform(1), uniform(3)),
    "logistic": (logistic(0.5), logistic(1)),
    "Student's t, 3 degrees": (student(1), student(2)),
    "exponential": (exponential(1), exponential(2)),
    "Poisson": (poisson(1), poisson(2)),
    "Skellam": (skellam(1), skellam(2)),
    "staircase, plateaus of 1": (staircase(2, 0.5), staircase(1, 0.5)),
    "discrete Gaussian, odd multiple": (discrete_gauss(0.5), discrete_gauss(1.5)),
}
IMPOSSIBLE = {
    "uniform, half as wide again": (uniform(1), uniform(1.5)),
    "uniform, a little too wide": (uniform(1), uniform(2.01)),
    "discrete Gaussian, even multiple": (discrete_gauss(0.5), discrete_gauss(1.0)),
    "staircase, its best plateaus": (staircase(2, best(2)), staircase(1, best(1))),
    "staircase, low": (staircase(1, best(1)), staircase(0.5, best(0.5))),
    "staircase, high": (staircase(4, best(4)), staircase(2, best(2))),
    "Laplace within Gaussian": (gauss(1), laplace(5)),
    **{f"{name}, the other way": pair[::-1] for name, pair in [*POSSIBLE.items()][:-1]},
}


@pytest.mark.parametrize("pair", few(POSSIBLE.values(), 5), ids=few(POSSIBLE, 5))
def test_what_is_possible_is_never_ruled_out(pair):
    found = refute_noise(*pair)
    assert found.verdict == "undecided"
    assert found.least > -1e-9
    assert found.sentence.startswith("Undecided: ")


@for_each("pair", few(IMPOSSIBLE.values(), 3))
def test_what_is_impossible_is_ruled_out_with_a_proof(pair):
    found = refute_noise(*pair)
    assert found.verdict == "no"
    assert found.sentence.startswith("No: ")
    sharper, noisier = pair
    with mpmath.workdps(60):
        if found.zero is not None:
            low, high = (mpmath.mpf(end) for end in (found.zero.low, found.zero.high))
            assert sharper(low, mpmath.mp) * sharper(high, mpmath.mp) < 0
            for share in (0, 0.5, 1):
                at = low + (high - low) * share
                assert abs(noisier(at, mpmath.mp)) >= found.zero.noisier > 0
        else:
            vector, s = found.negative.vector, mpmath.mpf(found.negative.spacing)
            assert len(vector) <= POINTS
            total = mpmath.fsum(v * v for v in vector)
            for j in range(len(vector)):
                for k in range(j):
                    t = (j - k) * s
                    psi = noisier(t, mpmath.mp) / sharper(t, mpmath.mp)
                    total += 2 * vector[j] * vector[k] * mpmath.re(psi)
            assert total <= found.negative.value < 0


def test_jumps_have_known_answers():
    """Poisson, Skellam and Gaussian noise, mixtures of them, and what they are not."""
    yes = [
        ((JumpLaw({1: 1})), JumpLaw({1: 3}), JumpLaw({1: 2})),
        (JumpLaw({1: 1, -1: 1}), JumpLaw({1: 2, -1: 2}), JumpLaw({1: 1, -1: 1})),
        (JumpLaw({}, 1), JumpLaw({}, 3), JumpLaw({}, 2)),
        (JumpLaw({2: "1/2"}, 1), JumpLaw({2: 1, 5: 1}, 1), JumpLaw({2: "1/2", 5: 1})),
    ]
    for sharper, noisier, added in yes:
        assert decide_jumps(sharper, noisier).added == added
        assert decide_jumps(noisier, sharper).verdict == "no"
    assert decide_jumps(JumpLaw({}, 1), JumpLaw({1: 9, -1: 9})).verdict == "no"  # no part of it
    assert decide_jumps(JumpLaw({1: 1, -1: 1}), JumpLaw({1: 2, -1: "0.9"})).verdict == "undecided"


def test_the_coefficient_is_that_of_the_power_series():
    """The quotient of two Poisson laws of jumps, from their chances, power by power."""
    sharper, noisier = JumpLaw({1: 1}), JumpLaw({1: "1/2", 2: 1, 3: 1})
    found = decide_jumps(sharper, noisier)
    place, quotient = found.coefficient

    def chances(law):  # P(n)/P(0), by the same recursion run on a law and not on a quotient
        series = [F(1)]
        for n in range(1, 12):
            series.append(sum(k * r * series[n - k] for k, r in law.rates.items() if k <= n) / n)
        return series

    mine, theirs, ratio = chances(sharper), chances(noisier), []
    for n in range(12):
        ratio.append(theirs[n] - sum(ratio[k] * mine[n - k] for k in range(n)))
    assert place == next(n for n, c in enumerate(ratio) if c < 0)
    assert ratio[place] == quotient


def test_a_table_and_its_characteristic_function_agree():
    """Ruled out by the one only if the other says no."""

    def characteristic(law):
        mean = F(law.first + law.last, 2)  # symmetric about it, so that φ is real

        def of(t, m):
            parts = enumerate(law.masses, start=law.first)
            return sum(
                m.mpf(p.numerator) / p.denominator * m.cos(m.mpf(float(x - mean)) * t)
                for x, p in parts
            )

        return of

    laws = [
        LatticeLaw.of(dict(enumerate(w)))
        for w in ([1, 2, 1], [1, 1, 1], [1, 4, 6, 4, 1], [1, 3, 4, 3, 1], [1, 1, 1, 1, 1])
    ]
    seen = set()
    for sharper in laws[:2]:
        for noisier in laws[2:]:
            exact = decide_noise(sharper, noisier).verdict
            points = refute_noise(characteristic(sharper), characteristic(noisier)).verdict
            assert (exact, points) in {("yes", "undecided"), ("no", "no"), ("no", "undecided")}
            seen.add((exact, points))
    assert {("yes", "undecided"), ("no", "no")} <= seen


@for_each(
    "use",
    [
        lambda: refute_noise(gauss(1), gauss(2), scale=0),
        lambda: JumpLaw({0: 1}),
        lambda: JumpLaw({1: -1}),
        lambda: JumpLaw({1: 1}, -1),
        lambda: JumpLaw([1]),
        lambda: decide_jumps(JumpLaw({1: 1}), 3),
        lambda: Zero(2.0, 1.0, 0.1),
        lambda: Negative(1.0, (1.0,), 0.5),
        lambda: Refutation("yes"),
        lambda: Refutation("no"),
    ],
)
def test_refuses(use):
    with pytest.raises(ParameterError):
        use()
