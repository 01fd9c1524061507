"""RAPPOR: the two responses of one client, their chances, and what they cost.

A client turns its text into a Bloom filter and blurs each bit twice [EPK14]. The *permanent*
response keeps a bit with probability 1 - f and otherwise tosses a fair coin; it is drawn once and
kept. The *instantaneous* response is drawn afresh for every report: it shows a one with
probability q where the permanent bit is 1, and p where it is 0.

The permanent response is randomised response with two categories. So a client whom one asks at
several f answers along the bit chain of that family: lossless, in any order.
[EPK14] RAPPOR, CCS 2014.  Symbols: dpviz/NOTATION.md.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.local.bloom import Bloom
from dpviz.noise import FAMILIES
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
