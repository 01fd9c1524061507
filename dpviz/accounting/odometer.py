"""An odometer: what everything released so far costs together, against a limit that is kept.

The loss is counted in the currency of the limit. Budgets are exact fractions until they are
written, so 0.1 and 0.2 fill a limit of 0.3, and leave nothing.

    ρ          the largest ρ of each session, added; what is stated otherwise has no ρ here
    ε          the largest ε of each session, added; what needs a δ has no such ε
    (ε, δ)     the least ε at the δ of the limit that is proved: budgets added as they are, the sum
               of ρ by the exact Gaussian curve, and all privacy losses convolved

Within one session only the largest counts (composition.py), so a release that is noisier than
what its session holds costs nothing.
Limits: ρ is that of Gaussian noise; convolved losses end where privacy_loss.py does. Sums of ρ or
of ε bound the loss even if each budget was chosen in the light of what was released; of convolved
losses this is not known, so there the budgets must not depend on the released numbers.
Source: MATHEMATICS 5.1; [RRUV16] for odometers and filters, [WRRW23] for budgets chosen so.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from dpviz import checks
from dpviz.accounting.composition import (
    APPROXIMATE,
    PURE,
    ZCDP,
    JointLoss,
    ReleaseEvent,
    checked_definition,
    convolved_epsilon,
    joint_loss,
    of_sessions,
)
from dpviz.accounting.conversions import rho_to_mu
from dpviz.accounting.gaussian import gaussian_epsilon
from dpviz.accounting.inputs import Number, positive, representable
from dpviz.errors import OverBudgetError
from dpviz.parameters import USUAL_DELTA, exact
from dpviz.words import NO_BREAK, at_delta, exactly

LETTERS = {ZCDP: "ρ", PURE: "ε", APPROXIMATE: "ε"}
UP = 1 + 2.0**-50


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """The most that everything together may cost: a loss in one definition.

    >>> Limit(definition="rho-zCDP", budget=0.3).words.replace(NO_BREAK, " ")
    'ρ = 0.3'
    """

    definition: str  # "ρ-zCDP", "ε-DP" or "(ε, δ)-DP", or spelled rho, epsilon, delta
    budget: Number  # ρ or ε (nats), kept as an exact fraction
    delta: float = 0.0  # of "(ε, δ)-DP" only

    def __post_init__(self) -> None:
        definition, at = checked_definition(self.definition, self.delta)
        positive(budget=self.budget)
        object.__setattr__(self, "definition", definition)
        object.__setattr__(self, "budget", exact(self.budget))
        object.__setattr__(self, "delta", at)

    @property
    def words(self) -> str:
        """The limit as people write it."""
        return self.said(exact(self.budget), up=False) + self.at

    @property
    def at(self) -> str:
        """The δ that its ε is counted at, in words; empty without a δ."""
        return at_delta(self.delta)

    def said(self, loss: Fraction | None, *, up: bool) -> str:
        """A loss in the currency of the limit, as "ρ = 0.3"; None: no finite one is known."""
        number = "∞" if loss is None else exactly(loss, up=up)
        return f"{LETTERS[self.definition]}{NO_BREAK}={NO_BREAK}{number}"

    def cost(self, events: Iterable[ReleaseEvent]) -> Fraction | None:
        """What these releases cost together in the currency of the limit, an upper bound.

        Args:
            events: what was released, in any order; the same release given twice counts once.

        Returns:
            ρ or ε, exact where it is a sum of budgets; None where no finite number is known.

        Raises:
            ParameterError: one session mixes definitions.

        >>> tiers = [ReleaseEvent(session=k, definition="ε-DP", budget=0.1) for k in (1, 2, 3)]
        >>> Limit(definition="ε-DP", budget=1).cost(tiers)
        Fraction(3, 10)
        """
        largest = of_sessions(events)
        if self.definition == APPROXIMATE:
            return _least_epsilon(largest, self.delta)
        if any(event.definition != self.definition for event in largest):
            return None
        return sum((exact(event.budget) for event in largest), Fraction(0))


class Odometer:
    """Adds up releases as they are made, and refuses the one that would exceed its limit.

    >>> odometer = Odometer(Limit(definition="ρ-zCDP", budget=0.3))
    >>> for session, rho in enumerate((0.1, 0.2)):
    ...     odometer.add(ReleaseEvent(session=session, definition="ρ-zCDP", budget=rho))
    >>> odometer.spent.value, odometer.left
    (0.3, Fraction(0, 1))
    """

    def __init__(self, limit: Limit | None = None, *, delta: float = USUAL_DELTA) -> None:
        """An odometer at 0.

        Args:
            limit: the most that everything together may cost; None: there is no limit.
            delta: the δ at which definitions that differ are added, where the limit has none.

        Raises:
            ParameterError: delta is out of range.
        """
        if limit is not None:
            checks.instance(Limit, limit=limit)
        checks.probability(delta=delta)
        self._limit, self._delta = limit, delta
        self._events: list[ReleaseEvent] = []

    @property
    def spent(self) -> JointLoss:
        """What everything costs together, in the definition that all share, else (ε, δ)."""
        at = self._limit.delta if self._limit is not None else 0.0
        return joint_loss(self._events, delta=at or self._delta)

    @property
    def left(self) -> Fraction | None:
        """What is left of the limit, in its currency; None without a limit.

        Of (ε, δ) a new session may have more than that, as losses compose below their sum.
        """
        return None if self._limit is None else left_of(self._limit, self._events)

    def would_exceed(self, *events: ReleaseEvent) -> bool:
        """Whether these releases, on top of all so far, cost more than the limit.

        Raises:
            ParameterError: one session would mix definitions.

        >>> odometer = Odometer(Limit(definition="ε-DP", budget=1))
        >>> odometer.would_exceed(ReleaseEvent(session=1, definition="ρ-zCDP", budget=0.1))
        True
        """
        return self._limit is not None and exceeds(self._limit, [*self._events, *events])

    def add(self, event: ReleaseEvent) -> None:
        """Count a release.

        Raises:
            OverBudgetError: it would exceed the limit; it is not counted then.
            ParameterError: its session would mix definitions.

        >>> odometer = Odometer(Limit(definition="ρ-zCDP", budget=0.3))
        >>> odometer.add(ReleaseEvent(session=1, definition="ρ-zCDP", budget=0.2))
        >>> big = ReleaseEvent(session=1, definition="ρ-zCDP", budget=0.4)
        >>> odometer.add(big)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        dpviz.errors.OverBudgetError: This release asks for ...
        """
        checks.instance(ReleaseEvent, event=event)
        if self._limit is not None:
            check_within(self._limit, self._events, [event])
        else:
            of_sessions([*self._events, event])
        self._events.append(event)


def exceeds(limit: Limit, events: Iterable[ReleaseEvent]) -> bool:
    """Whether these releases together cost more than the limit.

    >>> three = [ReleaseEvent(session=k, definition="ρ-zCDP", budget=0.1) for k in (1, 2, 3)]
    >>> exceeds(Limit(definition="ρ-zCDP", budget=0.3), three)
    False
    """
    cost = limit.cost(events)
    return cost is None or cost > exact(limit.budget)


def left_of(limit: Limit, events: Iterable[ReleaseEvent]) -> Fraction:
    """What these releases leave of a limit, at least 0."""
    cost = limit.cost(events)
    return Fraction(0) if cost is None else max(Fraction(0), exact(limit.budget) - cost)


def check_within(
    limit: Limit,
    events: list[ReleaseEvent],
    asked: list[ReleaseEvent],
    *,
    who: str = "This release",
    of: str = "everything together",
    more: str = "raise the limit",
    costliest: str = "",
) -> None:
    """Refuse releases that would exceed a limit, on top of those that were made.

    Args:
        limit: the most that everything may cost.
        events: what was released.
        asked: what is asked for.
        who: who asks, to begin the sentence.
        of: what the limit is for.
        more: how to get a larger one, to end it.
        costliest: what of several things that are asked for costs most.

    Raises:
        OverBudgetError: what is asked for, spent and left, and what to do instead.
    """
    after = limit.cost([*events, *asked])
    if after is not None and after <= exact(limit.budget):
        return
    spent = limit.cost(events)
    left = Fraction(0) if spent is None else max(Fraction(0), exact(limit.budget) - spent)
    wanted, none = limit.cost(asked), limit.said(Fraction(0), up=True)
    if wanted is None:
        raise OverBudgetError(
            f"{who} has no loss in {limit.definition}, which the limit of {limit.words} counts in; "
            "use a noise that has one, or set a limit in (ε, δ)"
        )
    remains = "nothing" if left == 0 else limit.said(left, up=False)
    used = none if spent is None else limit.said(spent, up=True)
    raise OverBudgetError(
        f"{who} asks for {limit.said(wanted, up=True)}, but the limit is {limit.words} for {of}: "
        f"{used} is spent and {remains} is left; {_instead(limit, events, asked, costliest)}, or "
        f"{more}"
    )


def _instead(
    limit: Limit, events: list[ReleaseEvent], asked: list[ReleaseEvent], costliest: str
) -> str:
    """What fits: in a currency that adds, all that other sessions leave of the limit."""
    if costliest:
        return f"ask for less of {costliest}, which costs most"
    session = {event.session for event in asked}
    others = limit.cost(event for event in events if event.session not in session)
    room = None if others is None else exact(limit.budget) - others
    if room is None or room <= 0 or len(session) > 1 or limit.definition == APPROXIMATE:
        return "ask for a smaller budget" if room is None or room > 0 else "ask for nothing more"
    return f"give it a budget of at most {limit.said(room, up=False)}"


def _least_epsilon(largest: list[ReleaseEvent], at: float) -> Fraction | None:
    """The least proved ε of independent sessions at one δ; None where none is known."""
    found = [_added(largest, at), _convolved(largest, at)]
    return min((each for each in found if each is not None), default=None)


def _added(largest: list[ReleaseEvent], at: float) -> Fraction | None:
    """Budgets added as they are, and the sum of ρ at what their deltas leave."""
    rho, total, rest = Fraction(0), Fraction(0), exact(at)
    for event in largest:
        if event.definition == ZCDP:
            rho += exact(event.budget)
        else:
            total += exact(event.budget)
            rest -= exact(event.delta)
    if rest < 0 or (rho and not rest):
        return None
    if rho:
        mu = rho_to_mu(representable(rho)) * UP
        total += Fraction(gaussian_epsilon(math.log(rest), mu))
    return total


def _convolved(largest: list[ReleaseEvent], at: float) -> Fraction | None:
    """All losses convolved at this δ; None where that is out of reach or no gain."""
    if all(event.definition == ZCDP for event in largest):
        return None  # normal losses are added exactly
    if len(largest) == 1:
        log_delta = math.log(at)
        kept = (e for e, reached in largest[0].curve if reached <= log_delta)
        found = min(kept, default=None)
    else:
        found = convolved_epsilon(largest, at)
    return exact(found) if found is not None and math.isfinite(found) else None
