"""How far one person moves a whole-number statistic: sensitivities, and the moves they allow.

A move is a vector of whole numbers. Bounds allow every vector with at most l0 entries other than 0,
norms within D1, D2 and Di, and no more entries up and down than `directions` says. Only the largest
moves need to be looked at. The noise of a coordinate is log-concave, so the best test at every
false-alarm rate asks whether the outcome exceeds a threshold, which does not depend on the size of
the move, and a larger move in the same direction makes that test better. By Blackwell's theorem the
smaller move is then a post-processing of the larger one, alone and beside other coordinates; no
move at all is the smallest. Source: MATHEMATICS 3.12.

Exact privacy losses of what one person moves: of one coordinate, and of whole noise of all.

Of one coordinate, by the noise of the release: each takes a noise level and a shift in steps, below
0 where the number gets smaller. Of everything that one person can move, where the noise is whole:
one loss for each largest move, in one order at all levels: who makes a move makes the
same one in every release, so the losses of one move are composed, and the worst move counts.
Source: MATHEMATICS 3.12, 5.7.
"""

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial, reduce
from typing import TypedDict

from dpviz import checks
from dpviz.accounting import privacy_loss
from dpviz.accounting.composed_loss import PrivacyLoss
from dpviz.accounting.inputs import LARGEST_SHIFT, Number, non_negative
from dpviz.errors import ParameterError
from dpviz.queries.sensitivity import Directions, checked_directions

NO_NOISE = (
    "the sensitivities are 0: nobody can move the statistic, so it needs no noise; "
    "publish it as it is or pass sensitivities above 0"
)
EXACT_ONE = "exact, one coordinate"
EXACT_SUM = "exact, sum over the coordinates that one person moves"
SLACK = 1 + 1e-9  # of typed square roots
MOST_MOVES = 64  # that are looked at one by one
MOST_STEPS = 5_000  # of the search for them
LARGEST_GROUPS = 100_000  # coordinates that one person moves
Move = tuple[tuple[int, int], ...]  # (coordinates, by how much each: above 0 up, below 0 down), ...


class _TooManyError(Exception):
    """There are more moves than are looked at."""


@dataclass(frozen=True)
class Moves:
    """How one person can move the statistic; all 0, or all above 0 and in the order of norms.

    Raises:
        ParameterError: a number is out of range, or they are not in this order.

    >>> Moves(3.0, 3**0.5, 1.0, dimension=10, directions=(3, 0)).sizes
    (((3, 1),),)
    >>> Moves(3.0, 3**0.5, 1.0, dimension=10, directions=(2, 2)).signed
    (((2, 1), (1, -1)),)
    """

    l1: float
    l2: float
    linf: float
    dimension: int
    l0: int
    directions: Directions

    def __init__(
        self,
        l1_sensitivity: Number,
        l2_sensitivity: Number,
        linf_sensitivity: Number,
        dimension: int,
        l0_sensitivity: int | None = None,
        directions: Directions | None = None,
    ) -> None:
        dimension = checks.integer(1, dimension=dimension)
        l1 = non_negative(l1_sensitivity=l1_sensitivity)
        l2 = non_negative(l2_sensitivity=l2_sensitivity)
        linf = non_negative(linf_sensitivity=linf_sensitivity)
        if not linf <= l2 * SLACK <= l1 * SLACK * SLACK or (l1 > 0) != (linf > 0):
            raise ParameterError(
                "sensitivities must satisfy linf_sensitivity <= l2_sensitivity <= l1_sensitivity, "
                f"got {linf:g}, {l2:g}, {l1:g}"
            )
        l0 = dimension
        if l0_sensitivity is not None:
            l0 = min(l0, checks.integer(0 if l1 == 0 else 1, l0_sensitivity=l0_sensitivity))
        most, fewer = checked_directions(directions) or (dimension, dimension)
        l0 = min(l0, math.floor(l1 * SLACK), most + fewer)
        found = (l1, l2, linf, dimension, l0, (min(most, l0), min(fewer, l0)))
        for name, value in zip(self.__dataclass_fields__, found, strict=True):
            object.__setattr__(self, name, value)

    @property
    def shift(self) -> int | None:
        """Units by which the one coordinate that moves is moved, or None; at most LARGEST_SHIFT."""
        by = math.floor(min(self.l1, self.linf) * SLACK)
        return by if self.l0 == 1 and 1 <= by <= LARGEST_SHIFT else None

    @cached_property
    def sizes(self) -> tuple[Move, ...] | None:
        """The largest moves without their directions; None if there are too many to look at.

        >>> Moves(3, 3, 2, dimension=9).sizes
        (((1, 2), (1, 1)), ((3, 1),))
        """
        limit = math.floor(self.linf * SLACK)
        if not 1 <= limit <= LARGEST_SHIFT or not 1 <= self.l0 <= LARGEST_GROUPS:
            return None
        total = min(math.floor(self.l1 * SLACK), self.l0 * limit)
        square = min(math.floor((self.l2 * SLACK) ** 2), self.l0 * limit * limit)
        return _at_most(_largest((), limit, self.l0, total, square, limit, iter(range(MOST_STEPS))))

    @cached_property
    def signed(self) -> tuple[Move, ...] | None:
        """The largest moves; one of a move and its reverse stands for both; None if too many."""
        if self.sizes is None:
            return None
        each = (_directed(sizes, *self.directions) for sizes in self.sizes)
        return _at_most(itertools.chain.from_iterable(each))


def reverse(move: Move) -> Move:
    """The move back, its largest steps up first.

    >>> reverse(((2, 1), (1, -1)))
    ((1, 1), (2, -1))
    """
    return tuple(sorted(((n, -by) for n, by in move), key=lambda part: -part[1]))


def checked_move(move: Move) -> Move:
    """The move, refused unless it is coordinates and whole steps, few enough to be summed.

    >>> checked_move(((5, 1), (5, -1)))
    ((5, 1), (5, -1))
    """
    try:
        pairs = [(n, by) for n, by in move]
    except (TypeError, ValueError):
        raise _no_move(move) from None
    whole = all(isinstance(x, int) and not isinstance(x, bool) for pair in pairs for x in pair)
    if not pairs or not whole or any(n < 1 or by == 0 for n, by in pairs):
        raise _no_move(move)
    if sum(n for n, _ in pairs) > LARGEST_GROUPS or max(abs(by) for _, by in pairs) > LARGEST_SHIFT:
        raise ParameterError(
            f"move must be of at most {LARGEST_GROUPS:,} coordinates by at most {LARGEST_SHIFT:,} "
            "each for the exact sum over coordinates; use a bound that holds for any vector"
        )
    return tuple(sorted(pairs, key=lambda part: -part[1]))


def _no_move(move: object) -> ParameterError:
    return ParameterError(
        "move must be pairs of whole numbers, how many coordinates and by how much each, such as "
        f"((5, 1), (5, -1)), got {checks.told(move)}"
    )


def _at_most(found: Iterator[Move]) -> tuple[Move, ...] | None:
    """All moves, or None beyond MOST_MOVES."""
    try:
        first = tuple(itertools.islice(found, MOST_MOVES + 1))
    except _TooManyError:
        return None
    return first if len(first) <= MOST_MOVES else None


def _largest(
    begun: Move, last: int, left: int, total: int, square: int, limit: int, steps: Iterator[int]
) -> Iterator[Move]:
    """Completions of `begun` by smaller sizes than its last, none of which could be larger.

    `left` coordinates may still move, by `total` altogether and `square` in squares. Sizes and
    counts from which every completion could be larger are skipped.
    """
    if next(steps, None) is None:
        raise _TooManyError
    grows = begun and begun[-1][1] < limit and square >= 2 * begun[-1][1] + 1
    if begun and not (total >= 1 and ((left and square >= 1) or grows)):
        yield begun
    for by in range(min(last, total, math.isqrt(square)) if left else 0, 0, -1):
        if next(steps, None) is None:
            raise _TooManyError
        if by < last and _fits(1, by + 1, left - 1, by, total, square):
            return
        for count in range(min(left, total // by, square // (by * by)), 0, -1):
            if count < left and _fits(count + 1, by, left - count - 1, by - 1, total, square):
                break
            rest = left - count, total - count * by, square - count * by * by
            yield from _largest((*begun, (count, by)), by - 1, *rest, limit, steps)


def _fits(many: int, by: int, others: int, less: int, total: int, square: int) -> bool:
    """Whether `many` coordinates by `by` and the others by `less` are within what is left."""
    return many * by + others * less <= total and many * by * by + others * less * less <= square


def _directed(sizes: Move, one_way: int, other_way: int) -> Iterator[Move]:
    """The sizes with at most `one_way` coordinates one way and `other_way` the other way.

    The first size moves up at least as often as down: its reverse is the same question.
    """
    most = max(one_way, other_way)
    ups = [range(min(n, most), max(0, n - most) - 1, -1) for n, _ in sizes]
    if other_way == 0:
        ups = [range(n, n - 1, -1) for n, _ in sizes]
    for steps, chosen in enumerate(itertools.product(*ups)):
        if steps > MOST_STEPS:
            raise _TooManyError
        downs = tuple(n - up for (n, _), up in zip(sizes, chosen, strict=True))
        up, down = sum(chosen), sum(downs)
        within = (up <= one_way and down <= other_way) or (up <= other_way and down <= one_way)
        if within and chosen >= downs:
            parts = [(n, by) for n, (_, by) in zip(chosen, sizes, strict=True) if n]
            parts += [(n, -by) for n, (_, by) in reversed([*zip(downs, sizes, strict=True)]) if n]
            yield tuple(parts)


MovedLosses = tuple[PrivacyLoss, ...] | None


class Sizes(TypedDict):
    """What one person moves, as the rules for whole noise take it."""

    l1_sensitivity: float
    l2_sensitivity: float
    linf_sensitivity: float
    dimension: int
    l0_sensitivity: int


def gaussian_loss(level: float, shift: float) -> PrivacyLoss:
    """Of Gaussian noise; the level is its variance.

    >>> gaussian_loss(4.0, -1.0) == privacy_loss.gaussian(0.5)
    True
    """
    return privacy_loss.gaussian(abs(shift) / math.sqrt(level))


def laplace_loss(level: float, shift: float) -> PrivacyLoss:
    """Of Laplace noise.

    >>> laplace_loss(2.0, -1.0) == privacy_loss.laplace(2.0, 1.0)
    True
    """
    return privacy_loss.laplace(level, abs(shift))


def discrete_laplace_loss(level: float, shift: float) -> PrivacyLoss:
    """Of discrete Laplace noise, on a coordinate that moves by whole steps.

    >>> discrete_laplace_loss(2.0, -3.0) == privacy_loss.discrete_laplace(2.0, shift=3)
    True
    """
    return privacy_loss.discrete_laplace(level, shift=round(abs(shift)))


def poisson_loss(level: float, shift: float) -> PrivacyLoss:
    """Of Poisson noise, on a coordinate that moves by whole steps, up or down.

    >>> poisson_loss(40.0, -1.0) == privacy_loss.poisson(40.0, lowered=True)
    True
    """
    return privacy_loss.poisson(level, shift=round(abs(shift)), lowered=bool(shift < 0))


def skellam_loss(level: float, shift: float) -> PrivacyLoss:
    """Of Skellam noise, on a coordinate that moves by whole steps.

    >>> skellam_loss(40.0, -2.0) == privacy_loss.skellam(40.0, shift=2)
    True
    """
    return privacy_loss.skellam(level, shift=round(abs(shift)))


def poisson_moved(level: float, moves: Moves) -> MovedLosses:
    """Of Poisson noise, up and down apart; None where there are too many moves.

    >>> two = Moves(2.0, 2**0.5, 1.0, dimension=9, directions=(2, 2))
    >>> [round(loss.delta(0.5), 5) for loss in poisson_moved(40.0, two)]
    [0.00232, 0.00151]
    """
    return _composed(partial(poisson_loss, level), moves.signed)


def skellam_moved(level: float, moves: Moves) -> MovedLosses:
    """Of Skellam noise, for which up and down are alike; None where there are too many moves.

    >>> two = Moves(2.0, 2**0.5, 1.0, dimension=9)
    >>> [round(loss.delta(0.5), 5) for loss in skellam_moved(20.0, two)]
    [0.0012]
    """
    return _composed(partial(skellam_loss, level), moves.sizes)


def _composed(
    of_shift: Callable[[float], PrivacyLoss], moves: tuple[Move, ...] | None
) -> MovedLosses:
    """Of each move the losses of its coordinates, composed."""
    if moves is None:
        return None
    return tuple(
        reduce(
            lambda loss, part: loss.compose(of_shift(part[1]), times=part[0]), move, PrivacyLoss()
        )
        for move in moves
    )
