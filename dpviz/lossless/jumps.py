"""Noise that is a sum of Poisson counts of jumps, and of Gaussian noise: compared rate by rate.

Poisson noise has jumps of 1, Skellam noise jumps of 1 and of -1, Gaussian noise none at all. If no
rate of the noisier law is smaller, what is added has the differences for its rates: a "yes" with
its law. A smaller variance in all, or a negative coefficient of the power series that the quotient
of two laws of jumps upwards is, proves a "no". All of it is arithmetic of fractions.
Limits: between the two, "undecided"; finitely many sizes of jumps. Source: docs/LOSSLESS.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.lossless.convolution import VERDICTS, Verdict
from dpviz.lossless.lattice import FURTHEST, Table, fraction

COEFFICIENTS = 60  # of the power series that are looked at
MOST_JUMPS = 60  # sizes of jumps
LONGEST_JUMP = 10**6


@dataclass(frozen=True, slots=True)
class JumpLaw:
    """The law of Σ k · Poisson(rate of k), plus Gaussian noise.

    Attributes:
        rates: by size of jump, a whole number other than 0; numbers of at least 0.
        variance: of the Gaussian part.

    Raises:
        ParameterError: a size is 0 or no whole number, or a rate or the variance is negative.

    >>> JumpLaw({1: 2, -1: 2}).spread  # Skellam noise of λ = 2
    Fraction(4, 1)
    """

    rates: Mapping[int, Fraction | float | str] = field(default_factory=dict)
    variance: Fraction | float | str = 0

    def __post_init__(self) -> None:
        checks.instance(Mapping, rates=self.rates)
        found = {checks.integer(-FURTHEST, rates=k): fraction(r) for k, r in self.rates.items()}
        if len(found) > MOST_JUMPS or not all(0 < abs(k) <= LONGEST_JUMP for k in found):
            raise ParameterError(
                f"rates must be those of at most {MOST_JUMPS} jumps of 1 to {LONGEST_JUMP:,} "
                "in either direction"
            )
        object.__setattr__(self, "rates", {k: r for k, r in found.items() if r})
        object.__setattr__(self, "variance", fraction(self.variance))

    @property
    def spread(self) -> Fraction:
        """Variance of all of it: Σ k²·rate, and that of the Gaussian part."""
        jumps = sum((k * k * fraction(r) for k, r in self.rates.items()), Fraction(0))
        return jumps + fraction(self.variance)


@dataclass(frozen=True, slots=True)
class JumpDecision:
    """Whether the noisier law of jumps is the sharper one plus independent noise, with the proof.

    Attributes:
        verdict: "yes", "no" or "undecided".
        added: if yes, what is added.
        coefficient: if no, and the variance does not say so, a number and the quotient of its
            chance by that of 0, in the only candidate: below 0.
    """

    verdict: Verdict
    added: JumpLaw | None = None
    coefficient: tuple[int, Fraction] | None = None

    def __post_init__(self) -> None:
        checks.one_of(VERDICTS, verdict=self.verdict)
        if self.added is not None:
            checks.instance(JumpLaw, added=self.added)
        if (self.added is not None) != (self.verdict == "yes"):
            raise ParameterError("added must be given if the verdict is yes, and only then")
        if self.coefficient is not None:
            place, quotient = self.coefficient
            checks.whole(1, coefficient=place)
            checks.instance(Fraction, coefficient=quotient)
            if quotient >= 0 or self.verdict != "no":
                raise ParameterError("coefficient must be below 0, and the verdict no")


def decide_jumps(sharper: JumpLaw, noisier: JumpLaw) -> JumpDecision:
    """Decide whether the noisier law is the sharper one plus independent noise.

    Raises:
        ParameterError: an argument is no `JumpLaw`.

    >>> decide_jumps(JumpLaw({1: 1}), JumpLaw({1: 3})).added.rates  # Poisson noise
    {1: Fraction(2, 1)}
    >>> decide_jumps(JumpLaw({1: 1}), JumpLaw({2: 5})).coefficient  # even numbers alone
    (1, Fraction(-1, 1))
    """
    checks.instance(JumpLaw, sharper=sharper, noisier=noisier)
    sizes = sorted({*sharper.rates, *noisier.rates})
    more = {k: fraction(noisier.rates.get(k, 0)) - fraction(sharper.rates.get(k, 0)) for k in sizes}
    variance = Fraction(noisier.variance) - Fraction(sharper.variance)
    if variance >= 0 and all(rate >= 0 for rate in more.values()):
        return JumpDecision("yes", added=JumpLaw({k: r for k, r in more.items() if r}, variance))
    if noisier.spread < sharper.spread or variance < 0:
        return JumpDecision("no")  # |φ| of the noisier would exceed that of the sharper
    if variance or sizes[0] < 0:
        return JumpDecision("undecided")
    place = next((n for n, c in enumerate(_series(more)) if c < 0), None)
    if place is None:
        return JumpDecision("undecided")
    return JumpDecision("no", coefficient=(place, _series(more)[place]))


def _series(more: Table) -> list[Fraction]:
    """Coefficients of exp(Σ more_k z^k), the first ones: n·c_n = Σ k·more_k·c_(n-k)."""
    found = [Fraction(1)]
    for n in range(1, COEFFICIENTS):
        parts = (k * rate * found[n - k] for k, rate in more.items() if k <= n)
        found.append(sum(parts, Fraction(0)) / n)
    return found
