"""What private answers cost together, by every bound, and how many more fit under a total.

Each bound says by which theorem it holds, whether it is exact, and what may depend on earlier
answers. What fits is searched by bounds that are quick to compute, and then near there by better
ones: at least as many as is said. All are mathematics of public budgets.
Source: MATHEMATICS 5.1, 5.7 to 5.11.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from dpviz import checks
from dpviz.accounting import adaptive_composition as adaptive
from dpviz.accounting import privacy_loss
from dpviz.accounting.best import best_epsilon
from dpviz.accounting.bounds import ANY_ORDER, ASSUMPTIONS, EXACT, IN_ADVANCE, UPPER, Bound
from dpviz.accounting.composed_loss import PrivacyLoss
from dpviz.accounting.conversions import rho_to_mu, zcdp_epsilon
from dpviz.accounting.gaussian import gaussian_epsilon
from dpviz.accounting.inputs import representable
from dpviz.accounting.laplace import laplace_rho
from dpviz.accounting.loss_curves import AWAY, curve
from dpviz.accounting.mixed_composition import LARGEST_RANGE, mixed_composition_log_delta
from dpviz.accounting.pure_composition import NAME as WORST
from dpviz.errors import ParameterError
from dpviz.parameters import exact
from dpviz.workspace.composition import ANY, CHOICE, CONCENTRATED, LAPLACE, WITH_DELTA, Part

SUM, BY_RHO, ANY_CHOICE = "sum", "zCDP", "any choice and order"
FIXED, IN_ORDER = "fixed in advance", "in this order"
UP = 1 + 2.0**-46  # above the rounding of a sum


def totals(parts: Sequence[Part], delta: Fraction) -> tuple[Bound, ...]:
    """The total ε of all parts together at this δ, by every bound, the smallest first.

    Args:
        parts: the sequence, not empty.
        delta: of all together, exact; the δ of (ε, δ) promises are part of it.

    Returns:
        the bounds; `usable` says which may be used.

    Raises:
        ParameterError: the sequence is empty, or the δ of its promises use up all of `delta`.

    Source: MATHEMATICS 5.1, 5.7 to 5.11.

    >>> three = [Part(answer=ANY, budget=0.5, count=3)]
    >>> [(bound.name, round(bound.value, 4)) for bound in totals(three, Fraction("1e-6"))][-1]
    ('any choice and order', 4.9197)
    """
    if not parts:
        raise ParameterError("no answer is given: add one")
    bare = tuple(replace(part, note="") for part in parts)  # a shared cache keeps no words
    return _totals(bare, delta)


@lru_cache(maxsize=256)  # mathematics of public numbers; other controls ask for the same
def _totals(parts: tuple[Part, ...], delta: Fraction) -> tuple[Bound, ...]:
    log_left = math.log(left_of(parts, delta))
    found = [*_known(parts, log_left), _sum(parts, delta), _by_rho(parts, log_left)]
    found += [bound for bound in (_in_order(parts, log_left), _convolved(parts, delta)) if bound]
    best = {bound.name: bound for bound in sorted(found, key=_looser, reverse=True)}
    return tuple(sorted(best.values(), key=_looser))


def _looser(bound: Bound) -> tuple[float, bool]:
    """The order of bounds: by value, exact ones first; of one name the first is kept."""
    return bound.value, bound.kind != EXACT


def allowed(bounds: Iterable[Bound], granted: str) -> tuple[Bound, ...]:
    """The bounds that hold, in the same order.

    Args:
        bounds: as `totals` gives them.
        granted: what may depend on earlier answers, one of `ASSUMPTIONS`.
    """
    most = ASSUMPTIONS.index(granted)
    return tuple(b for b in bounds if ASSUMPTIONS.index(b.assumes) <= most)


def left_of(parts: Iterable[Part], delta: Fraction) -> Fraction:
    """What (ε, δ) promises leave of the δ of all together, exact.

    Raises:
        ParameterError: they leave nothing.

    >>> left_of([Part(answer=WITH_DELTA, budget=1, delta=0.1, count=3)], Fraction(1, 2))
    Fraction(1, 5)
    """
    own = sum((part.count * exact(part.delta) for part in parts), Fraction(0))
    if own >= delta:
        raise ParameterError(
            f"δ of all together: {float(delta):g} is used up by the promises, whose δ add up to "
            f"{float(own):g}. Type a larger δ, or promise a smaller one"
        )
    return delta - own


def _known(parts: Sequence[Part], log_delta: float) -> list[Bound]:
    """The bounds of pure, bounded-range and concentrated mechanisms that the library compares."""
    lists = _lists(parts)
    if lists is None:
        return []
    try:
        answer = best_epsilon(*lists, log_delta=log_delta)
    except ParameterError:  # too large or too small for one of them
        return []
    return [_of_all(parts, b) for b in answer.bounds if b.name not in (SUM, BY_RHO)]


def _of_all(parts: Sequence[Part], bound: Bound) -> Bound:
    """What is exact for any private answers is a bound where a part is known better than that."""
    return bound if _only_classes(parts) else replace(bound, kind=UPPER)


def _only_classes(parts: Sequence[Part]) -> bool:
    """Whether nothing is known of the answers but their class."""
    return {part.answer.name for part in parts} <= {ANY.name, CHOICE.name}


def _lists(
    parts: Sequence[Part],
) -> tuple[list[Fraction], list[Fraction], list[tuple[float, float]]] | None:
    """ε of pure and of bounded-range answers, and (μ, τ); None: no mean of a loss is known."""
    pure: list[Fraction] = []
    choices: list[Fraction] = []
    rho = Fraction(0)
    for part in parts:
        if part.answer is CONCENTRATED:
            return None
        if part.rho is not None:
            rho += part.count * part.rho
        else:
            (choices if part.answer is CHOICE else pure).extend(part.count * [part.amount])
    whole = representable(rho) * UP
    return pure, choices, [(whole, rho_to_mu(whole) * UP)] if rho else []


def sum_of(parts: Iterable[Part], delta: Fraction) -> Fraction:
    """All ε added, exact where all budgets are an ε; what has a ρ has its ε at a share of δ.

    >>> sum_of([Part(answer=ANY, budget=0.1, count=3)], Fraction("1e-6"))
    Fraction(3, 10)
    """
    parts = list(parts)
    epsilons = sum((p.count * p.epsilon for p in parts if p.epsilon is not None), Fraction(0))
    shares = sum(p.count for p in parts if p.rho is not None)
    turned = 0.0
    for part in parts:
        if part.rho is not None:
            rho, log_share = representable(part.rho) * UP, math.log(left_of(parts, delta) / shares)
            to_epsilon = zcdp_epsilon if part.answer is CONCENTRATED else _gaussian_epsilon
            turned += part.count * to_epsilon(rho, log_share)
    return epsilons + Fraction(turned * UP)


def _gaussian_epsilon(rho: float, log_delta: float) -> float:
    return gaussian_epsilon(log_delta, rho_to_mu(rho))


def _sum(parts: Sequence[Part], delta: Fraction) -> Bound:
    value = representable(sum_of(parts, delta))
    return Bound(SUM, value, "[DMNS06]; MATHEMATICS 5.1", UPPER, ANY_ORDER)


def _by_rho(parts: Sequence[Part], log_delta: float) -> Bound:
    value = zcdp_epsilon(whole_rho(parts), log_delta)
    return Bound(BY_RHO, value, "[CKS20] Proposition 12; MATHEMATICS 3.2", UPPER, ANY_ORDER)


def whole_rho(parts: Iterable[Part]) -> float:
    """All ρ added: half of ε² for any private answer, an eighth for a choice; rounded up.

    >>> round(whole_rho([Part(answer=CHOICE, budget=1, count=4), Part(answer=ANY, budget=1)]), 9)
    1.0
    """
    precise, rounded = Fraction(0), 0.0
    for part in parts:
        if part.answer is LAPLACE:
            rounded += part.count * laplace_rho(representable(part.amount))
        else:
            half = part.amount**2 / (8 if part.answer is CHOICE else 2)
            precise += part.count * (half if part.rho is None else part.rho)
    return representable(precise + Fraction(rounded)) * UP


def _in_order(parts: Sequence[Part], log_delta: float) -> Bound | None:
    """The bound for this order of kinds, where all have one ε and it is not the worst one."""
    budgets = {part.amount for part in parts}
    kinds = {ANY.name: adaptive.PURE, LAPLACE.name: adaptive.PURE}
    kinds |= {WITH_DELTA.name: adaptive.PURE, CHOICE.name: adaptive.BOUNDED_RANGE}
    count = sum(part.count for part in parts)
    if len(budgets) > 1 or count > adaptive.LONGEST:
        return None
    if any(part.answer.name not in kinds for part in parts):
        return None
    order = tuple(kinds[part.answer.name] for part in parts for _ in range(part.count))
    found = adaptive.adaptive_composition_epsilon(order, budgets.pop(), log_delta)
    return None if found.assumes == ANY_ORDER else _of_all(parts, replace(found, name=IN_ORDER))


def _convolved(parts: Sequence[Part], delta: Fraction) -> Bound | None:
    """The losses of all parts as they are known, convolved; None where they cannot be."""
    try:
        found = loss_of(parts).stated(float(delta))
    except ParameterError:  # too small, too large or too many
        return None
    named = replace(found, name=WORST) if _only_classes(parts) else found
    return named if math.isfinite(named.value) else None


def loss_of(parts: Iterable[Part]) -> PrivacyLoss:
    """The privacy loss of all parts together, an upper bound where only a promise is known.

    Raises:
        ParameterError: there are too many answers, or one is too large to be convolved.

    >>> from dpviz.workspace.composition import GAUSS
    >>> loss = loss_of([Part(answer=GAUSS, budget=0.5), Part(answer=ANY, budget=1)])
    >>> round(loss.delta(1.0), 6)
    0.285568
    """
    listed = list(parts)
    several = sum(part.count for part in listed if part.answer is CONCENTRATED) > 1
    whole = PrivacyLoss()
    for part in listed:  # of two classes that alternate, choices count by their ρ
        as_rho = several and part.answer is CHOICE
        one = privacy_loss.concentrated(whole_rho([replace(part, count=1)])) if as_rho else None
        whole = whole.compose(one or _one(part), times=part.count)
    return whole


def _one(part: Part) -> PrivacyLoss:
    """The loss of one answer."""
    if part.answer is CONCENTRATED:
        return privacy_loss.concentrated(representable(part.amount) * UP)
    if part.rho is not None:
        return privacy_loss.gaussian(rho_to_mu(representable(part.rho)) * UP)
    epsilon = representable(part.amount) * UP
    if part.answer is LAPLACE:
        return privacy_loss.laplace(1.0, epsilon)
    if part.answer is CHOICE:
        return privacy_loss.exponential_mechanism(epsilon)
    return privacy_loss.promised(epsilon, float(part.delta) * UP)


# --- how many more answers fit ---


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
    if best < 0 and allowed(totals(parts, delta), granted)[0].value <= limit:
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
