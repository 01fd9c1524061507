"""Trust that falls with distance: the ε of each ring around a person, and what rings add up to.

    ε(d) = the d-th of a list that never rises; beyond its end, and where no path leads, no answer

The list may be typed, or made by a curve: ε₁/d, ε₁/2^(d-1), or the same ε up to a last ring.
Budgets are exact decimals, so that equal ones are equal.
Source: MATHEMATICS 15.3; [KHP15] section 4.2, whose weight of an edge is a decreasing function of
distance.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from dpviz import checks
from dpviz.accounting.bounds import Stated
from dpviz.accounting.inputs import Number, positive
from dpviz.accounting.schemes import coalition_epsilon, coalition_rho
from dpviz.errors import ParameterError
from dpviz.parameters import EPSILON, exact

MOST_RINGS = 30
EXAMPLE = "2, 1, 0.5"


@dataclass(frozen=True, slots=True)
class Trust:
    """The ε of each ring around a person, nearest first, in nats.

    Attributes:
        epsilons: of those one hop away, two hops away, and so on; beyond the last, no answer.

    Raises:
        ParameterError: there is no ring or too many, an ε is no number above 0 of ordinary size, or
            somebody farther away would learn more.

    >>> Trust((2, "1", 0.5)).at(2)
    Traceback (most recent call last):
    dpviz.errors.ParameterError: epsilon of ring 2 must be a number, got '1'
    >>> Trust((2, 1, 0.5)).at(2)
    Fraction(1, 1)
    """

    epsilons: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        typed = checks.listed(epsilons=self.epsilons)
        if not 1 <= len(typed) <= MOST_RINGS:
            raise ParameterError(
                f"trust needs from 1 to {MOST_RINGS} rings; pass one ε for each, such as {EXAMPLE}"
            )
        found = tuple(_epsilon(each, ring) for ring, each in enumerate(typed, 1))
        for ring, (nearer, farther) in enumerate(pairwise(found), 2):
            if farther > nearer:
                raise ParameterError(
                    f"ring {ring} would learn more than the ring before it; type ε in descending "
                    f"order, such as {EXAMPLE}"
                )
        object.__setattr__(self, "epsilons", found)

    @property
    def rings(self) -> int:
        """How many rings get an answer."""
        return len(self.epsilons)

    def at(self, distance: int | None) -> Fraction | None:
        """The ε at a distance in hops; None: no answer, also where no path leads (`None`).

        The person, at distance 0, knows the value itself, for which there is no ε.

        Raises:
            ParameterError: the distance is no whole number of at least 1.

        >>> Trust((2, 1)).at(3) is None, Trust((2, 1)).at(None) is None
        (True, True)
        """
        if distance is None:
            return None
        place = checks.integer(1, distance=distance)
        return self.epsilons[place - 1] if place <= self.rings else None


def inverse_trust(first: Number, rings: int) -> Trust:
    """ε₁/d: half of it two hops away, a third three hops away.

    Args:
        first: ε₁, of those one hop away.
        rings: how many rings get an answer.

    Raises:
        ParameterError: an argument is out of range.

    >>> inverse_trust(1, 3).epsilons
    (Fraction(1, 1), Fraction(1, 2), Fraction(1, 3))
    """
    return _curve(first, rings, lambda d: Fraction(1, d))


def halving_trust(first: Number, rings: int) -> Trust:
    """ε₁/2^(d-1): half as much with every hop.

    Args:
        first: ε₁, of those one hop away.
        rings: how many rings get an answer.

    Raises:
        ParameterError: an argument is out of range.

    >>> halving_trust(1, 3).epsilons
    (Fraction(1, 1), Fraction(1, 2), Fraction(1, 4))
    """
    return _curve(first, rings, lambda d: Fraction(1, 2 ** (d - 1)))


def threshold_trust(first: Number, rings: int) -> Trust:
    """ε₁ for everybody up to a last ring, and no answer beyond it: one number for all of them.

    Args:
        first: ε₁.
        rings: how many rings get an answer.

    Raises:
        ParameterError: an argument is out of range.

    >>> threshold_trust(1, 2).epsilons
    (Fraction(1, 1), Fraction(1, 1))
    """
    return _curve(first, rings, lambda _: Fraction(1))


def read_trust(text: str) -> Trust:
    """Read a typed list of ε, nearest ring first, set apart by commas, semicolons or blanks.

    Raises:
        ParameterError: one sentence with what to type instead.

    >>> read_trust("2, 1, 0.5").rings
    3
    >>> read_trust("1, 2")
    Traceback (most recent call last):
    dpviz.errors.ParameterError: ring 2 would learn more than the ring before it; type ε in \
descending order, such as 2, 1, 0.5
    """
    if not isinstance(text, str):
        raise ParameterError(f"trust is typed as text, one ε for each ring, such as {EXAMPLE}")
    pieces = text.replace(",", " ").replace(";", " ").split()
    if len(pieces) > MOST_RINGS:
        raise ParameterError(f"there are more than {MOST_RINGS} rings; type fewer ε")
    return Trust(
        tuple(EPSILON.read_exact(each, where=f"ε of ring {n}") for n, each in enumerate(pieces, 1))
    )


@dataclass(frozen=True, slots=True)
class CoalitionBudget:
    """What a coalition has learned of one person's value.

    Attributes:
        largest: its privacy loss, exact: the largest budget among the members.
        added: what it would be with separate noise for each member: the sum, exact for pure ε and
            for Gaussian ρ.
        letter: of both budgets, "ε" or "ρ".
    """

    largest: Stated
    added: Stated
    letter: str

    @classmethod
    def of(cls, budgets: Iterable[Number], letter: str = "ε") -> "CoalitionBudget":
        """The two budgets of a coalition, rounded up once.

        Args:
            budgets: one for each member.
            letter: "ε" or "ρ".

        Raises:
            ParameterError: there is no member, or a budget is no number above 0.

        Source: MATHEMATICS 5.4.

        >>> both = CoalitionBudget.of([1, 0.5, 0.5, *[0.25] * 4])
        >>> float(both.largest), float(both.added)
        (1.0, 3.0)
        """
        checks.one_of(("ε", "ρ"), letter=letter)
        listed = checks.listed(budgets=budgets)
        joint = coalition_rho if letter == "ρ" else coalition_epsilon
        return cls(joint(listed, "lossless"), joint(listed, "independent"), letter)


def _epsilon(value: Number, ring: int) -> Fraction:
    """A budget as an exact fraction of ordinary size."""
    name = f"epsilon of ring {ring}"
    size = positive(**{name: value})
    if not EPSILON.least <= size <= EPSILON.most:
        raise ParameterError(
            f"{name} must lie between {EPSILON.least:g} and {EPSILON.most:g}, got "
            f"{checks.told(value)}"
        )
    return exact(value)


def _curve(first: Number, rings: int, weight: Callable[[int], Fraction]) -> Trust:
    rings = checks.integer(1, rings=rings)
    if rings > MOST_RINGS:
        raise ParameterError(f"rings must be at most {MOST_RINGS}, got {rings:,}")
    whole = _epsilon(first, 1)
    return Trust(tuple(whole * weight(d) for d in range(1, rings + 1)))
