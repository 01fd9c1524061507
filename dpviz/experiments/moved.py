"""The vector that one person moves: what a membership test of all numbers is a test of.

The norms of a sensitivity do not say which vector has them; this takes one that a person really
has where the query attains its norms. It looks for the most coordinates of one size beside m
coordinates at Δ∞ such that Δ₁ and Δ₂ are both attained: from A = Δ₁ - mΔ∞ and Q = Δ₂² - mΔ∞²,
A²/Q coordinates of size Q/A. The least such m is taken. Counts and sums give ℓ₀ alike, a count with
its total ℓ₀ alike and the total. Where no m fits, Δ₁ and Δ₂ belong to two different persons, and as
many coordinates as the norms allow are at Δ∞.
Limits: such a vector stays within all norms, but no person need have exactly it.
Source: MATHEMATICS 5.6.
"""

import math
from dataclasses import dataclass

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.noise.family import NORMAL, Family
from dpviz.queries import Sensitivity

SLACK = 1e-7  # relative, of typed square roots


@dataclass(frozen=True, slots=True)
class Moved:
    """By how much one person moves the coordinates: (shift, number of coordinates), in steps.

    A negative shift makes a coordinate smaller. Under replacement the shifts are from the one
    person to the other.

    >>> moved = Moved(((1.0, 5), (-2.0, 1)))
    >>> moved.count, moved.l2, moved.largest
    (6, 3.0, 2.0)
    """

    shifts: tuple[tuple[float, int], ...]

    def __post_init__(self) -> None:
        for shift, count in self.shifts:
            checks.positive(shift=abs(checks.number(shift=shift)))
            checks.whole(1, count=count)
        if not self.shifts:
            raise ParameterError(
                "a person who moves nothing cannot be found; pass at least one shift"
            )

    @property
    def count(self) -> int:
        """Number of coordinates that move."""
        return sum(count for _, count in self.shifts)

    @property
    def largest(self) -> float:
        """Size of the largest shift."""
        return max(abs(shift) for shift, _ in self.shifts)

    @property
    def l2(self) -> float:
        """Euclidean length."""
        return math.sqrt(math.fsum(count * shift * shift for shift, count in self.shifts))

    @property
    def mirrored(self) -> "Moved":
        """The same sizes the other way."""
        return Moved(tuple((-shift, count) for shift, count in self.shifts))

    @property
    def balanced(self) -> bool:
        """Whether as many coordinates go up as down, size by size."""
        return sorted(self.shifts) == sorted(self.mirrored.shifts)


def moved_by(family: Family, sensitivity: Sensitivity, *, replaced: bool = False) -> Moved:
    """What the attacked person moves, in whole steps where noise is whole.

    Args:
        family: a noise family.
        sensitivity: of the statistic, in steps; above 0.
        replaced: whether one person takes the place of another. If all sizes are alike, half of the
            coordinates then go up and the others down: those of the one, and those of the other.
            Otherwise all go up, as a person can always have it who comes, or who goes.

    Raises:
        ParameterError: the statistic is public: nobody moves it.

    >>> from dpviz.noise import FAMILIES
    >>> laplace, ten = FAMILIES["laplace"], Sensitivity.bounded(10)
    >>> moved_by(laplace, ten), moved_by(laplace, ten, replaced=True)
    (Moved(shifts=((1.0, 10),)), Moved(shifts=((1.0, 5), (-1.0, 5))))
    >>> moved_by(laplace, Sensitivity(l0=6, l1=10, l2=30**0.5, linf=5))  # five groups and the total
    Moved(shifts=((5.0, 1), (1.0, 5)))
    """
    if family.shape == NORMAL and not _attained(sensitivity):
        return Moved(((float(sensitivity.l2), 1),))  # noise alike in all directions: Δ₂ tells all
    sizes = _sizes(sensitivity)
    if family.integer:
        sizes = [(float(math.ceil(size * (1 - SLACK))), count) for size, count in sizes]
    if len(sizes) > 1 or not replaced:
        return Moved(tuple(sizes))
    ((size, count),) = sizes
    halves = ((size, (count + 1) // 2), (-size, count // 2))
    return Moved(tuple(half for half in halves if half[1]))


def _attained(sensitivity: Sensitivity) -> bool:
    """Whether some vector has both Δ₁ and Δ₂."""
    return _exact(sensitivity) is not None


def _sizes(sensitivity: Sensitivity) -> list[tuple[float, int]]:
    found = _exact(sensitivity)
    if found is not None:
        return found
    most = _most_at_largest(sensitivity)
    left, square, size, number = _rest(sensitivity, most)
    places = sensitivity.l0 - most
    if number > places:  # spread over all that is left, within both norms
        number, size = places, min(left / places, math.sqrt(square / places)) if places else 0.0
    rest = [(size, math.floor(number * (1 + SLACK)))] if size > 0 else []
    return [each for each in [(sensitivity.linf, most), *rest] if each[1]]


def _exact(s: Sensitivity) -> list[tuple[float, int]] | None:
    """The least m at Δ∞ and others alike that attain Δ₁ and Δ₂, or None."""
    for m in range(_most_at_largest(s) + 1):
        left, _, size, number = _rest(s, m)
        whole = round(number)
        if whole == 0 and left <= SLACK * s.l1:
            return [(s.linf, m)]
        fits = abs(number - whole) <= SLACK * max(number, 1.0) and 1 <= whole <= s.l0 - m
        if fits and size <= s.linf * (1 + SLACK):
            size = left / whole  # of sums, without the rounding of a square root
            return [each for each in [(s.linf, m), (size, whole)] if each[1]]
    return None


def _most_at_largest(s: Sensitivity) -> int:
    """How many coordinates all norms allow at Δ∞."""
    if s.linf <= 0:
        raise ParameterError("nobody can move this statistic; pass a sensitivity above 0")
    return min(
        s.l0,
        math.floor(s.l1 / s.linf * (1 + SLACK)),
        math.floor((s.l2 / s.linf) ** 2 * (1 + SLACK)),
    )


def _rest(s: Sensitivity, m: int) -> tuple[float, float, float, float]:
    """What m coordinates at Δ∞ leave: of Δ₁, of Δ₂²; and the size and number that use up both."""
    left, square = s.l1 - m * s.linf, s.l2**2 - m * s.linf**2
    if left <= SLACK * s.l1 or square <= SLACK * s.l2**2:
        return max(left, 0.0), 0.0, 0.0, 0.0
    return left, square, square / left, left * left / square
