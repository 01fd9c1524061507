"""Budgets over all statistics of a plan: some are typed, and the others share what a total leaves.

What is left of a tier's total is shared by weight: of two statistics the one of weight 2 may lose
twice as much. ρ adds, and so does ε without δ: there a share is a fraction. Losses of other kinds
are composed as in the ledger, and one common factor is searched for which they meet the total.
Shares are written as decimals that are rounded down, so no total is exceeded.
Limits: one tier at a time; the weights of statistics whose budgets are typed count only where these
exceed the total: what is nearest then leaves the others their share.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from dpviz.accounting import JointLoss, ReleaseEvent, joint_loss
from dpviz.accounting.composition import APPROXIMATE, ZCDP, sessions_meet
from dpviz.accounting.guarantees import guarantee_of, points_of
from dpviz.accounting.inputs import positive
from dpviz.errors import ParameterError
from dpviz.noise.family import Family
from dpviz.parameters import exact
from dpviz.planning.amounts import ACCURACIES, KINDS, PAIR, Kind, read_amount
from dpviz.planning.budgets import Budget, Setting, at_level
from dpviz.planning.tiers import AMOUNT, KIND, NAME, PlannedTier, read_tiers, restate, written
from dpviz.planning.typed import NothingTyped
from dpviz.release import event_of

SHARES = "share"  # how a cell begins that shares what is left
DIGITS = 12  # of the total, at which shares are rounded down
NEAR = 1e-9  # relatively, that the total is met to from below
READABLE = 3  # digits of the nearest budgets
TRIES = 60
USUAL: Kind = "±a 95 %"
SIGNS: dict[str, Kind] = {
    "±": USUAL, "+-": USUAL, "+/-": USUAL,
    "ρ": "ρ", "rho": "ρ", "ε": "ε", "epsilon": "ε", "eps": "ε", "μ": "μ", "mu": "μ",
}  # fmt: skip
_CELL = re.compile(
    f"(?:({'|'.join(map(re.escape, SIGNS))})(?![^\\W\\d_]))?"  # and no other word that begins so
    r"\s*=?\s*(.*?)\s*(?:\((9[059]) ?%(, all)?\))?",
    re.IGNORECASE | re.DOTALL,
)

Typed = tuple[Kind, str]


def cell_of(kind: Kind, amount: str) -> str:
    """A budget as it stands in one cell, without a column for its kind.

    >>> cell_of("ρ", "0.1"), cell_of("±a 95 %", "20"), cell_of("±a 99 %, all", "20")
    ('ρ 0.1', '±20', '±20 (99 %, all)')
    >>> cell_of("(ε, δ)", "1, 1e-7")
    '(1, 1e-7)'
    """
    bare = amount.strip()
    if not bare:
        return ""
    if kind in ACCURACIES:
        said = kind.removeprefix("±a ")
        return f"±{bare.lstrip('± ')}" + f" ({said})" * (kind != USUAL)
    return f"({bare.strip('() ')})" if kind == PAIR else f"{kind} {bare}"


def read_cell(text: str, kind: Kind) -> Typed | None:
    """What a cell holds: a kind and an amount as typed, which is not read yet; None: it shares.

    Args:
        text: what stands in the cell.
        kind: of a number without a sign.

    >>> read_cell("±20", "ρ"), read_cell("0.1", "ρ"), read_cell("+-20 (99 %, all)", "ε")
    (('±a 95 %', '20'), ('ρ', '0.1'), ('±a 99 %, all', '20'))
    >>> read_cell("(1, 1e-7)", "ρ"), read_cell(" ", "ρ"), read_cell("share ±20", "ρ")
    (('(ε, δ)', '(1, 1e-7)'), None, None)
    """
    bare = text.strip()
    if not bare or bare.casefold().startswith(SHARES):
        return None
    found = _CELL.fullmatch(bare)
    assert found is not None  # it takes any text
    sign, amount, sure, every = found.groups()
    if sign is None and bare.startswith("("):
        return PAIR, bare
    typed = SIGNS[sign.casefold()] if sign else kind
    if typed in ACCURACIES:
        usual = kind if kind in ACCURACIES else USUAL
        typed = next((k for k in KINDS if sure and k == f"±a {sure} %{every or ''}"), usual)
    return typed, amount


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One statistic of a tier, as it is asked for.

    Attributes:
        statistic: its name.
        setting: what its budgets refer to.
        typed: its budget, not read yet; None: it shares what is left.
        weight: of its share.
    """

    statistic: str
    setting: Setting
    typed: Typed | None
    weight: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        positive(weight=self.weight)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What one tier is to have of all statistics.

    Attributes:
        tier: its name.
        parts: the statistics.
        total: the most that they may lose together; None: what the typed budgets add up to.
        besides: what else the tier gets, whose budget stays; see `events_of`.
    """

    tier: str
    parts: tuple[Part, ...]
    total: Fraction | None = None
    besides: tuple[ReleaseEvent, ...] = ()

    def __post_init__(self) -> None:
        if self.total is not None:
            positive(total=self.total)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The budgets of one tier.

    Attributes:
        request: what was asked for.
        planned: the budget of each statistic, as text and as what that means.
        needed: the loss by the typed budgets, where it leaves nothing of the total; the budgets are
            the nearest then: all typed ones with the least more noise, by one factor, that does.
    """

    request: Request
    planned: tuple[PlannedTier, ...]
    needed: JointLoss | None = None


def events_of(
    budgets: Sequence[Budget], settings: Sequence[Setting], besides: Sequence[ReleaseEvent] = ()
) -> list[ReleaseEvent]:
    """A release of each statistic in a session of its own, as the ledger composes them.

    Args:
        budgets: of the statistics.
        settings: what each refers to.
        besides: what else is released, in sessions of larger numbers than there are statistics.

    >>> from dpviz.accounting.scheme_variances import ONE_NUMBER
    >>> [e.session for e in events_of([at_level(1.0, ONE_NUMBER)] * 2, [ONE_NUMBER] * 2)]
    [1, 2]
    """
    both = list(zip(budgets, settings, strict=True))
    found = [event_of(n, s.family.name, b) for n, (b, s) in enumerate(both, start=1)]
    if not sessions_meet([*found, *besides]):
        return [*found, *besides]
    pointed = [replace(e, points=points_of(*one)) for e, one in zip(found, both, strict=True)]
    return [*pointed, *besides]


def joint_of(
    budgets: Sequence[Budget], settings: Sequence[Setting], besides: Sequence[ReleaseEvent] = ()
) -> JointLoss:
    """The loss of one tier by a release of each statistic and `besides`, at the settings' δ.

    >>> from dpviz.accounting.scheme_variances import ONE_NUMBER
    >>> joint_of([at_level(1.0, ONE_NUMBER), at_level(2.0, ONE_NUMBER)], [ONE_NUMBER] * 2).value
    0.75
    """
    return joint_loss(events_of(budgets, settings, besides), delta=settings[0].delta)


def letter_of_all(settings: Sequence[Setting], besides: Sequence[ReleaseEvent] = ()) -> Kind:
    """The currency in which the loss by all statistics is said: ρ where each has one, else ε.

    >>> from dpviz.accounting.scheme_variances import ONE_NUMBER
    >>> letter_of_all([ONE_NUMBER])
    'ρ'
    """
    return "ρ" if _definitions(settings, besides) == {ZCDP} else "ε"


def searched(settings: Sequence[Setting], besides: Sequence[ReleaseEvent] = ()) -> bool:
    """Whether the shares of these statistics take a search, and so some time.

    >>> from dpviz.accounting.scheme_variances import ONE_NUMBER
    >>> searched([ONE_NUMBER, ONE_NUMBER])
    False
    """
    found = _definitions(settings, besides)
    return found == {APPROXIMATE} or len(found) > 1


def _definitions(settings: Sequence[Setting], besides: Sequence[ReleaseEvent]) -> set[str]:
    return {guarantee_of(s.family).definition for s in settings} | {e.definition for e in besides}


def noisier(family: Family, level: float, times: float) -> float:
    """The level at which the standard deviation is this many times as large.

    >>> from dpviz.noise import FAMILIES
    >>> noisier(FAMILIES["gaussian"], 1.0, 2.0), noisier(FAMILIES["laplace"], 1.0, 2.0)
    (4.0, 2.0)
    """
    return level * (times if family.level_unit == "scale" else times**2)


def work_out(request: Request) -> Outcome:
    """Return the budgets of one tier: the typed ones as they are, and the shares of the others.

    Raises:
        NothingTyped: something is to be shared, and no total is typed.
        ParameterError: a budget cannot be used, or no share can be so small.

    >>> from dpviz.accounting.scheme_variances import ONE_NUMBER
    >>> visits, persons = (
    ...     Part(statistic=name, setting=ONE_NUMBER, typed=typed, weight=Fraction(weight))
    ...     for name, typed, weight in (("visits", None, 1), ("persons", None, 2))
    ... )
    >>> found = work_out(Request(tier="audit", parts=(visits, persons), total=Fraction(3, 10)))
    >>> [(p.tier.kind, p.tier.amount) for p in found.planned]
    [('ρ', '0.1'), ('ρ', '0.2')]
    """
    parts, total = request.parts, request.total
    fixed = {
        place: _planned(request.tier, part, part.typed)
        for place, part in enumerate(parts)
        if part.typed is not None
    }
    shared = len(fixed) < len(parts)
    if total is None and shared:
        raise NothingTyped(f"{request.tier}: type a total for the empty cells to share.")
    if total is None:
        return _outcome(request, fixed)
    used = _joint(request, fixed)
    left = total - exact(used.value)
    if left >= 0 and not shared:
        return _outcome(request, fixed)
    if left > total * exact(NEAR):
        return _outcome(request, fixed | _shares(request, fixed, total))
    weight = sum((part.weight for part in parts), Fraction(0))
    theirs = sum((parts[place].weight for place in fixed), Fraction(0))
    alone = exact(_joint(request, {}).value)
    if alone >= total:
        raise ParameterError(
            f"{request.tier}: what is planned beside the statistics costs more than this total. "
            "Type a larger total, or take it off the plan"
        )
    nearest = _grown(request, fixed, alone + (total - alone) * theirs / weight)
    if shared:
        nearest |= _shares(request, nearest, total)
    return replace(_outcome(request, nearest), needed=used)


_Planned = dict[int, PlannedTier]  # by the place of the statistic


def _outcome(request: Request, planned: _Planned) -> Outcome:
    return Outcome(request=request, planned=tuple(planned[n] for n in range(len(planned))))


def _joint(request: Request, planned: _Planned) -> JointLoss:
    settings = [request.parts[place].setting for place in planned]
    made = events_of([p.budget for p in planned.values()], settings, request.besides)
    return joint_loss(made, delta=request.parts[0].setting.delta)


def _planned(tier: str, part: Part, typed: Typed) -> PlannedTier:
    """What is typed for a statistic, read as the grid of its tiers reads it."""
    kind, amount = typed
    planned, problems = read_tiers([{NAME: tier, AMOUNT: amount, KIND: kind}], part.setting)
    if problems:
        raise ParameterError(f"The {part.statistic}: {problems[0]}")
    return planned[0]


def _shares(request: Request, fixed: _Planned, total: Fraction) -> _Planned:
    """What the other statistics get of the total, by their weights."""
    settings = [part.setting for part in request.parts]
    kind = letter_of_all(settings, request.besides)
    unit = Decimal(1).scaleb(math.floor(math.log10(total)) - DIGITS + 1)
    others = {n: part for n, part in enumerate(request.parts) if n not in fixed}
    weight = sum((part.weight for part in others.values()), Fraction(0))

    def at(factor: Fraction) -> _Planned:
        return {
            n: _planned(request.tier, part, (kind, _down(factor * part.weight, unit)))
            for n, part in others.items()
        }

    if not searched(settings, request.besides):
        spent = [*(p.budget.exact for p in fixed.values()), *(e.budget for e in request.besides)]
        return at((total - sum(map(exact, spent), Fraction(0))) / weight)
    heaviest = max(part.weight for part in others.values())
    factor = most_within(
        lambda x: _joint(request, fixed | at(Fraction(x))).value,
        total=float(total),
        at_zero=_joint(request, fixed).value,
        most=float(total / heaviest),
    )
    return at(Fraction(factor))


def _grown(request: Request, fixed: _Planned, total: Fraction) -> _Planned:
    """The typed budgets with the least more noise, by one factor, that the total allows."""
    parts = {place: request.parts[place] for place in fixed}

    def loss(share: float) -> float:  # at 1 / share times the noise
        budgets = [
            at_level(_level(part, fixed[place], 1 / share), _own(part, fixed[place]))
            for place, part in parts.items()
        ]
        settings = [part.setting for part in parts.values()]
        return joint_of(budgets, settings, request.besides).value

    alone = _joint(request, {}).value
    share = most_within(loss, total=float(total), at_zero=alone, most=1.0, near=1e-4)
    return {
        place: _planned(request.tier, part, _restated(part, fixed[place], 1 / share))
        for place, part in parts.items()
    }


def _level(part: Part, planned: PlannedTier, times: float) -> float:
    return noisier(part.setting.family, planned.budget.level, times)


def _own(part: Part, planned: PlannedTier) -> Setting:
    """The setting of a budget, with the δ that was typed with it, if one was."""
    kind, amount = planned.tier.kind, planned.tier.amount
    own = read_amount(kind, amount, where=planned.name).delta
    return part.setting if own is None else replace(part.setting, delta=float(own))


def _restated(part: Part, planned: PlannedTier, times: float) -> Typed:
    kind, level = planned.tier.kind, _level(part, planned, times)
    return kind, restate(level, kind, _own(part, planned), digits=READABLE)


def most_within(
    loss: Callable[[float], float], *, total: float, at_zero: float, most: float, near: float = NEAR
) -> float:
    """The largest number, as nearly as it takes, at which a rising loss is within a total.

    By secants of the logarithms, as such losses are nearly powers; by halves where that leaves
    the bracket or is slow, for a loss may jump where it is composed by another rule.

    Args:
        loss: of a number above 0.
        total: what it may be at most.
        at_zero: its limit at 0, below the total.
        most: which is not to be exceeded.
        near: how near, relatively, the total is met from below.

    Raises:
        ParameterError: if no such number is found.

    >>> round(most_within(lambda x: x * x, total=2.0, at_zero=0.0, most=2.0), 7)
    1.4142136
    """
    aim, low, high = total * (1 - near / 2) - at_zero, 0.0, most
    x, found, power = most, loss(most), 1.0
    if found <= total:
        return most
    for tried in range(TRIES):
        nearer = x * (aim / (found - at_zero)) ** (1 / power) if found > at_zero else most
        if tried >= TRIES // 3 or not low < nearer < high:
            nearer = (low + high) / 2
        before, (x, found) = (x, found), (nearer, loss(nearer))
        if total * (1 - near) <= found <= total:
            return x
        low, high = (x, high) if found <= total else (low, x)
        if min(found, before[1]) > at_zero and found != before[1]:
            rise = math.log((found - at_zero) / (before[1] - at_zero))
            power = rise / math.log(x / before[0])
    if not low:
        raise ParameterError("no budget above 0 is within the total: type a larger total")
    return low


def _down(value: Fraction, unit: Decimal) -> str:
    """A share as text, rounded down to a multiple of the unit."""
    return written(Decimal(math.floor(value / Fraction(unit))) * unit)
