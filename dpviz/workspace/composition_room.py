"""How many more answers fit under a total.

What fits is searched by bounds that are quick to compute, and then near there by better ones: at
least as many as is said. Source: MATHEMATICS 5.7, 5.9.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from dpviz import checks
from dpviz.accounting.bounds import IN_ADVANCE
from dpviz.accounting.conversions import zcdp_epsilon
from dpviz.accounting.loss_curves import AWAY, curve
from dpviz.accounting.mixed_composition import LARGEST_RANGE, mixed_composition_log_delta
from dpviz.errors import ParameterError
from dpviz.workspace.composition import ANY, CHOICE, Part
from dpviz.workspace.composition_totals import (
    left_of,
    loss_of,
    sum_of,
    totals,
    usable,
    whole_rho,
)

MOST_MORE = 1_000  # answers that are looked at
LOOKS = 3  # by a bound that takes a sixth of a second


@dataclass(frozen=True, slots=True)
class Room:
    """How many more answers fit: by the tightest bound at least, and if budgets are simply added.

    -1: not even the sequence itself fits; MOST_MORE: that many or more.
    """

    best: int
    added: int

    def __post_init__(self) -> None:
        for more in (self.best, self.added):
            checks.between(-1, MOST_MORE, more=more)


def room(
    parts: Sequence[Part], more: Part, *, limit: Fraction, delta: Fraction, granted: str
) -> Room:
    """How many more answers like `more` fit under a total ε.

    Args:
        parts: the sequence.
        more: of the kind and budget that is asked for once more; its count is not looked at.
        limit: the total ε that may be spent, exact.
        delta: of all together, exact.
        granted: what may depend on earlier answers, one of `bounds.ASSUMPTIONS`.

    >>> ten, limit = Part(answer=ANY, budget=0.1, count=10), Fraction(2)
    >>> room([ten], ten, limit=limit, delta=Fraction("1e-6"), granted=IN_ADVANCE)
    Room(best=14, added=10)
    """
    bare = tuple(replace(part, note="") for part in parts)
    return _room(bare, replace(more, note=""), limit, delta, granted)


@lru_cache(maxsize=256)  # mathematics of public numbers
def _room(
    parts: tuple[Part, ...], more: Part, limit: Fraction, delta: Fraction, granted: str
) -> Room:
    def sequence(count: int) -> tuple[Part, ...]:
        return (*parts, replace(more, count=count)) if count else parts

    added = _most(lambda n: _adds_up(sequence(n), limit, delta))
    best = _most(lambda n: _fits(sequence(n), limit, delta, granted), added)
    if best < 0 and usable(totals(parts, delta), granted)[0].value <= limit:
        best = 0
    if 0 <= best < MOST_MORE and any(part.answer is CHOICE for part in (*parts, more)):
        far = min(best + best // 2 + 4, MOST_MORE)
        best = _between(best, far, lambda n: _within(sequence(n), float(limit), delta), LOOKS)
    return Room(best, added)


def _within(parts: tuple[Part, ...], limit: float, delta: Fraction) -> bool:
    """Whether the losses allow these parts, all choices of one size counted together."""
    try:
        return float(loss_of(parts).log_delta(limit)) <= math.log(delta)
    except ParameterError:  # too small, too large or too many to convolve
        return False


def _between(low: int, high: int, fits: Callable[[int], bool], looks: int = 99) -> int:
    """The largest number found to fit from `low`, which does, to below `high`, by halving."""
    while high - low > 1 and looks:
        middle, looks = (low + high) // 2, looks - 1
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def _most(fits: Callable[[int], bool], known: int = -1) -> int:
    """The largest number that fits, by doubling and halving; `known` fits."""
    low, high = known, max(known, 0) + 1
    if known < 0 and not fits(0):
        return -1
    low = max(low, 0)
    while high < MOST_MORE and fits(high):
        low, high = high, min(2 * high, MOST_MORE)
    if high >= MOST_MORE and fits(MOST_MORE):
        return MOST_MORE
    return _between(low, high, fits)


def _adds_up(parts: tuple[Part, ...], limit: Fraction, delta: Fraction) -> bool:
    """Whether the sum allows these parts, and δ their promises."""
    try:
        left_of(parts, delta)
    except ParameterError:
        return False
    return sum_of(parts, delta) <= limit


def _fits(parts: tuple[Part, ...], limit: Fraction, delta: Fraction, granted: str) -> bool:
    """Whether a bound that is quick to compute allows these parts."""
    try:
        left = left_of(parts, delta)
    except ParameterError:
        return False
    total, log_left = float(limit), math.log(left)
    if _adds_up(parts, limit, delta) or zcdp_epsilon(whole_rho(parts), log_left) <= total:
        return True
    try:
        if curve(loss_of(parts).terms, AWAY, total) <= math.log(delta):
            return True
    except ParameterError:
        pass
    budgets = {part.amount for part in parts}
    choices = sum(part.count for part in parts if part.answer is CHOICE)
    others = sum(part.count for part in parts if part.answer is ANY)
    if granted != IN_ADVANCE or len(budgets) > 1 or choices > LARGEST_RANGE:
        return False
    if choices + others < sum(part.count for part in parts):
        return False
    found = mixed_composition_log_delta(others, choices, budgets.pop(), total)
    return float(found) <= log_left
