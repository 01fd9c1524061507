"""RAPPOR: the two responses of one client, their chances, and what they cost.

A client turns its text into a Bloom filter and blurs each bit twice [EPK14]. The *permanent*
response keeps a bit with probability 1 - f and otherwise tosses a fair coin; it is drawn once and
kept. The *instantaneous* response is drawn afresh for every report: it shows a one with
probability q where the permanent bit is 1, and p where it is 0.

The permanent response is randomised response with two categories. So a client whom one asks at
several f answers along the bit chain of that family: lossless, in any order.
[EPK14] RAPPOR, CCS 2014.  Symbols: dpviz/NOTATION.md.

Permanent responses at f₁ and then at a smaller f₂: three couplings and their joint losses.

- *chain*: bits along the path of randomised response. Both together tell what the second tells.
- *recast*: the paper's [KHP15, section 4.1]: a bit plus a Laplace number, cut at ½, and the number
  relaxed. Each response is right, and both together keep the promise of the number, 2 ln(1/f₂); but
  they tell more than the second alone, as cutting loses what that promise pays for.
- *fresh*: two independent responses. Their losses add.

Each law is P(first bit, second bit) as a table; that of a one is that of a zero with both bits
turned.

RAPPOR as the paper recasts it: a bit plus a Laplace number, cut at a threshold.

Right for every single response; the couplings say what two of them tell together.
[KHP15] Gradual Release of Sensitive Data, arXiv:1504.00429, section 4.1.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.local.bloom import Bloom
from dpviz.noise import ADDITIVE, FAMILIES
from dpviz.noise.bits import Pair, Table
from dpviz.noise.family import Array
from dpviz.release import MultipleRelease

CHAIN = FAMILIES["randomised_response"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rappor:
    """The three probabilities of RAPPOR.

    Attributes:
        f: chance that the permanent response tosses a coin for a bit, from 0 to 1.
        p: chance of a one in a report where the permanent bit is 0.
        q: chance of a one in a report where the permanent bit is 1; more than p.

    Raises:
        ParameterError: if f lies outside [0, 1], p or q outside (0, 1), or q is not above p.

    >>> Rappor(f=0.5, p=0.5, q=0.75).one_if_one
    0.6875
    """

    f: float
    p: float
    q: float

    def __post_init__(self) -> None:
        checks.between(0, 1, f=self.f)
        checks.finite(p=self.p, q=self.q)
        for name in ("f", "p", "q"):
            object.__setattr__(self, name, float(getattr(self, name)))
        told = f"got p = {self.p:g} and q = {self.q:g}"
        if not (0 < self.p < 1 and 0 < self.q < 1):
            raise ParameterError(
                f"both p and q must lie strictly between 0 and 1, {told}; choose for example 0.25 "
                "and 0.75"
            )
        if self.p == self.q:
            raise ParameterError(
                f"reports say nothing unless p and q differ, {told}; choose a larger q"
            )
        if self.p > self.q:
            raise ParameterError(f"the chance q must be above p, {told}; swap them")

    @property
    def one_if_zero(self) -> float:
        """p*: chance of a one in a report where the bit of the filter is 0."""
        return self.p + self.f / 2 * (self.q - self.p)

    @property
    def one_if_one(self) -> float:
        """q*: chance of a one in a report where the bit of the filter is 1."""
        return self.q - self.f / 2 * (self.q - self.p)

    @property
    def contrast(self) -> float:
        """q* - p*: how much a bit of the filter moves the chance of a one."""
        return (1 - self.f) * (self.q - self.p)

    @property
    def level(self) -> float:
        """Level of the permanent response in its family: -ln(1 - f).

        Raises:
            ParameterError: at f = 0, which blurs nothing, and at f = 1, which says nothing.

        >>> round(Rappor(f=0.5, p=0.5, q=0.75).level, 6)
        0.693147
        """
        if not 0 < self.f < 1:
            raise ParameterError(
                f"no permanent response is drawn at f = {self.f:g}: 0 keeps every bit as it is, 1 "
                "forgets all of them; choose an f between 0 and 1, such as 0.5"
            )
        return -math.log1p(-self.f)

    def epsilon_forever(self, hashes: int) -> float:
        """ε∞: what any number of reports tells about a text; exact, in nats.

            2h·ln((2 - f)/f)

        Args:
            hashes: h, ones that a text sets.

        Raises:
            ParameterError: if that is no whole number of at least 1.

        >>> round(Rappor(f=0.5, p=0.5, q=0.75).epsilon_forever(2), 6)
        4.394449
        """
        checks.whole(1, hashes=hashes)
        if not self.f:
            return math.inf
        return 2 * hashes * math.log1p(2 * (1 - self.f) / self.f)

    def epsilon_once(self, hashes: int) -> float:
        """ε₁: what one report tells about a text; exact, in nats.

            h·ln(q*(1 - p*)/(p*(1 - q*)))

        Args:
            hashes: h, ones that a text sets.

        Raises:
            ParameterError: if that is no whole number of at least 1.

        >>> round(Rappor(f=0.5, p=0.5, q=0.75).epsilon_once(2), 6)
        1.074286
        """
        checks.whole(1, hashes=hashes)
        low, high, gap = self.one_if_zero, self.one_if_one, self.contrast
        return hashes * (math.log1p(gap / low) + math.log1p(gap / (1 - high)))


def instantaneous_response(permanent: Array, rappor: Rappor, *, rng: np.random.Generator) -> Array:
    """Draw an instantaneous response to each permanent bit: a fresh one in every report.

    This is noise outside a session, since it has no level and is never drawn again at another one.
    Uniform bits are compared with the exact binary fractions p and q, in either mode.

    Args:
        permanent: zeros and ones, of any shape.
        rappor: its p and q.
        rng: generator that the bits are drawn from.

    Returns:
        The same shape, uint8.

    Raises:
        ParameterError: if there is something else than zeros and ones.

    >>> from dpviz import streams
    >>> asked = Rappor(f=0.5, p=0.5, q=0.75)
    >>> instantaneous_response(np.array([0, 0, 1, 1]), asked, rng=streams.teaching(7))
    array([1, 0, 1, 1], dtype=uint8)
    """
    checks.instance(np.ndarray, permanent=permanent)
    checks.instance(Rappor, rappor=rappor)
    checks.instance(np.random.Generator, rng=rng)
    known = permanent.dtype.kind in "biu"
    if not known or (permanent.size and not 0 <= permanent.min() <= permanent.max() <= 1):
        raise ParameterError("permanent must hold zeros and ones as whole numbers")
    place = np.empty(permanent.size, dtype=np.uint8)
    _table(rappor).draw(permanent.size, rng=rng, out=place)  # U < p: 0, p ≤ U < q: 1, else 2
    told: Array = (place <= permanent.reshape(-1)) & (place < 2)
    return told.view(np.uint8).reshape(permanent.shape)


def _table(rappor: Rappor) -> Table:
    """Where a uniform number lies, seen from p and q."""
    exact = [Fraction(rappor.p), Fraction(rappor.q)]

    def thresholds(bits: int) -> list[Pair]:
        return [((each.numerator << bits) // each.denominator,) * 2 for each in exact]

    return Table(thresholds)


class RapporClient:
    """One person's side: a text, its filter, and a session of permanent responses.

    >>> from dpviz import streams
    >>> maria = RapporClient("weather.example", Bloom(bits=8, cohorts=4), rng=streams.teaching(7))
    >>> asked = Rappor(f=0.5, p=0.25, q=0.75)
    >>> permanent = maria.permanent(asked)
    >>> bool((permanent == maria.permanent(asked)).all())  # drawn once and kept
    True
    >>> maria.report(asked).size  # fresh coins at every report
    8
    """

    __slots__ = ("_rng", "_session", "cohort", "filter")

    def __init__(self, text: str, bloom: Bloom, *, rng: np.random.Generator) -> None:
        """Choose a cohort by chance and open the session.

        Args:
            text: what this person would say.
            bloom: the public hash functions.
            rng: generator of cohort, permanent and instantaneous responses.
        """
        checks.instance(str, text=text)
        checks.instance(Bloom, bloom=bloom)
        checks.instance(np.random.Generator, rng=rng)
        self.cohort = int(rng.integers(bloom.cohorts))
        self.filter = bloom.filters([text], np.array([self.cohort]))[0]
        self._rng = rng
        self._session = MultipleRelease(self.filter, CHAIN, rng=rng)

    def permanent(self, rappor: Rappor) -> Array:
        """The permanent response at f: drawn once, along one chain for all f.

        Raises:
            ParameterError: at f = 0 or 1, where nothing is drawn.
        """
        checks.instance(Rappor, rappor=rappor)
        return self._session.release(rappor.level).astype(np.uint8)

    def report(self, rappor: Rappor) -> Array:
        """A report: the permanent response at f, then fresh coins with p and q.

        Raises:
            ParameterError: at f = 0 or 1, where nothing is drawn.
        """
        return instantaneous_response(self.permanent(rappor), rappor, rng=self._rng)


Coupling = Literal["chain", "recast", "fresh"]
COUPLINGS: tuple[Coupling, ...] = ("chain", "recast", "fresh")


def rappor_law(coupling: Coupling, first: float, second: float) -> Array:
    """The law of both permanent bits of a zero; exact up to rounding.

    Args:
        coupling: "chain", "recast" or "fresh".
        first: f₁, between 0 and 1.
        second: f₂, between 0 and f₁.

    Returns:
        Shape (2, 2): entry (i, j) is the chance of i at f₁ and j at f₂.

    Raises:
        ParameterError: unless 0 < f₂ < f₁ < 1.

    >>> rappor_law("chain", 0.75, 0.5)
    array([[0.5625, 0.0625],
           [0.1875, 0.1875]])
    >>> round(float(rappor_law("recast", 0.75, 0.5)[1, 1]), 10)
    0.1768796874
    """
    checks.one_of(COUPLINGS, coupling=coupling)
    checks.probability(first=first, second=second)
    first, second = float(first), float(second)
    if not second < first:
        raise ParameterError(
            f"the second f must be below the first, got {first:g} and then {second:g}; swap them"
        )
    if coupling == "fresh":
        law: Array = np.outer([1 - first / 2, first / 2], [1 - second / 2, second / 2])
        return law
    if coupling == "chain":
        again = (first - second) / (1 - second) / 2  # chance that the second bit is turned
        both, only_second = second / 2 * (1 - again), second / 2 * again
    else:
        moved = math.log1p((second - first) / first) / math.log(second)  # 1 - ε_f1/ε_f2
        both, only_second = second / 4 * (2 - moved), second / 4 * moved
    only_first = (first - second) / 2 + only_second
    return np.array([[1 - both - only_first - only_second, only_second], [only_first, both]])


def rappor_joint_loss(coupling: Coupling, first: float, second: float) -> float:
    """What both permanent responses to one bit tell about it; exact, in nats.

    Args:
        coupling: "chain", "recast" or "fresh".
        first: f₁, between 0 and 1.
        second: f₂, between 0 and f₁.

    Raises:
        ParameterError: unless 0 < f₂ < f₁ < 1.

    >>> [round(rappor_joint_loss(each, 0.75, 0.5), 10) for each in COUPLINGS]
    [1.0986122887, 1.1378602956, 1.6094379124]
    """
    law = rappor_law(coupling, first, second)
    if coupling == "chain":  # what the first adds is nothing, exactly
        return math.log1p(2 * (1 - float(second)) / float(second))
    return _largest(law, law[::-1, ::-1])


def rappor_reports_loss(coupling: Coupling, first: Rappor, second: Rappor, hashes: int) -> float:
    """What one report at f₁ and one at f₂ tell together about a text; exact, in nats.

    Two texts differ in at most h bits that fall and h that rise, and bits are drawn independently.

    Args:
        coupling: how the permanent responses go together; instantaneous ones are always fresh.
        first: the probabilities of the first report.
        second: those of the second; its f is smaller.
        hashes: h, ones that a text sets.

    Raises:
        ParameterError: unless 0 < f₂ < f₁ < 1.

    >>> at = {f: Rappor(f=f, p=0.5, q=0.75) for f in (0.75, 0.5)}
    >>> [round(rappor_reports_loss(each, at[0.75], at[0.5], 2), 4) for each in COUPLINGS]
    [1.5582, 1.5637, 1.6086]
    """
    checks.instance(Rappor, first=first, second=second)
    checks.whole(1, hashes=hashes)
    law = rappor_law(coupling, first.f, second.f)
    seen = [np.array([[1 - r.p, r.p], [1 - r.q, r.q]]) for r in (first, second)]
    zero, one = (seen[0].T @ each @ seen[1] for each in (law, law[::-1, ::-1]))
    return hashes * (_largest(zero, one) + _largest(one, zero))


def _largest(one: Array, other: Array) -> float:
    """The largest ln(P/P') over the outcomes."""
    return float(np.log(one / other).max())


class LaplaceBits:
    """Permanent responses by a Laplace path on every bit: 1 where bit + noise is at least ½.

    The scale of the noise is 1/(2·ln(1/f)), so that a bit is turned with probability f/2. The path
    is kept, not the cut bits: these alone do not say how it goes on. Practice mode only.

    >>> from dpviz import streams
    >>> bits = LaplaceBits(np.array([0, 1, 0, 1]), rng=streams.teaching(7))
    >>> bits.permanent(0.75), bits.permanent(0.5)
    (array([1, 1, 1, 0], dtype=uint8), array([0, 1, 0, 0], dtype=uint8))
    """

    __slots__ = ("_session",)

    def __init__(self, bits: Array, *, rng: np.random.Generator) -> None:
        """Open the session.

        Args:
            bits: zeros and ones.
            rng: generator of the paths.
        """
        self._session = MultipleRelease(bits, ADDITIVE["laplace"], rng=rng)

    def permanent(self, f: float) -> Array:
        """The permanent response at f, drawn once.

        Args:
            f: chance that a coin would be tossed for a bit, strictly between 0 and 1.

        Raises:
            ParameterError: for another f.
        """
        checks.probability(f=f)
        return (self._session.release(-0.5 / math.log(f)) >= 0.5).astype(np.uint8)


def laplace_response(p: float, q: float) -> tuple[float, float]:
    """The instantaneous response as a Laplace number cut at θ [KHP15, section 4.1].

        1 if bit + Laplace(1/ε) >= θ, else 0

    Args:
        p: chance of a one where the bit is 0.
        q: chance of a one where the bit is 1; more than p.

    Returns:
        ε and θ.

    >>> [round(x, 6) for x in laplace_response(0.1, 0.3)]
    [1.098612, 1.464974]
    """
    asked = Rappor(f=0.5, p=p, q=q)
    zero, one = (
        math.log(2 * chance) if chance <= 0.5 else -math.log(2 * (1 - chance))
        for chance in (asked.p, asked.q)
    )
    return one - zero, -zero / (one - zero)
