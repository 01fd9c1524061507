"""What all releases together have learned: max within a session, sum between sessions.

Releases of one session are lossless [LMR25]: together they say no more than the least private one,
so a session costs its maximum, whatever the order of its releases. Sessions draw fresh noise,
so their losses compose: rho adds, epsilon adds, (epsilon, delta) add coordinate by coordinate.
Budgets are added as exact fractions and become a float once, at the end: 0.1 + 0.1 + 0.1 is 0.3.
Sessions of different definitions meet in (epsilon, delta): the sum of all rho is converted once, by
the exact Gaussian curve, at one extra delta; the rest adds to it (basic composition).
Limit: a rho here is that of Gaussian noise (mu = sqrt(2 rho)); adding epsilons is valid for
adaptive choices, not the tightest. This is the one place where losses are composed.
[LMR25] arXiv:2505.22449v1, Definition 3.4.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from dpviz import checks
from dpviz.accounting.conversions import rho_to_mu
from dpviz.accounting.gaussian import gaussian_epsilon
from dpviz.accounting.inputs import Number, positive, representable
from dpviz.errors import ParameterError
from dpviz.parameters import USUAL_DELTA, exact

ZCDP, PURE, APPROXIMATE = "ρ-zCDP", "ε-DP", "(ε, δ)-DP"
SPELLINGS = {
    ZCDP: ZCDP,
    PURE: PURE,
    APPROXIMATE: APPROXIMATE,
    "rho-zCDP": ZCDP,
    "epsilon-DP": PURE,
    "(epsilon, delta)-DP": APPROXIMATE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseEvent:
    """One release that was made: enough to account for it, and no more."""

    session: int  # releases of one session are correlated; sessions are independent
    definition: str  # "ρ-zCDP", "ε-DP" or "(ε, δ)-DP", or spelled rho, epsilon, delta
    budget: Number  # ρ or ε (nats); decimals are exact, a float stands for its shortest decimal
    delta: float = 0.0  # of "(ε, δ)-DP" only

    def __post_init__(self) -> None:
        """Refuse what cannot be accounted for, and spell the definition in one way."""
        checks.one_of(SPELLINGS, definition=self.definition)
        checks.whole(0, session=self.session)
        object.__setattr__(self, "definition", SPELLINGS[self.definition])
        plain = positive(budget=self.budget)
        typed = isinstance(self.budget, Fraction | Decimal)
        object.__setattr__(self, "budget", Fraction(self.budget) if typed else plain)
        if self.definition == APPROXIMATE:
            checks.probability(delta=self.delta)
        elif checks.number(delta=self.delta) != 0:
            raise ParameterError(f"{self.definition} has no delta: leave delta out")
        object.__setattr__(self, "delta", float(self.delta))


@dataclass(frozen=True, slots=True)
class JointLoss:
    """A privacy loss, its definition, and the method that gave it; `delta` 0: there is none."""

    value: float
    delta: float
    definition: str
    method: str

    def __post_init__(self) -> None:
        checks.non_negative(value=self.value, delta=self.delta)


def joint_loss(events: Iterable[ReleaseEvent], *, delta: float = USUAL_DELTA) -> JointLoss:
    """Privacy loss of all these releases together: max within a session, sum between sessions.

    Args:
        events: what was released, in any order; the same release told twice costs nothing.
        delta: the δ of the conversion of rho, where definitions are mixed.

    Returns:
        The loss in the definition that all events share, else in (ε, δ).

    Raises:
        ParameterError: delta is out of range, or one session mixes definitions.

    Source: [LMR25] Definition 3.4; composition of zCDP (Bun and Steinke 2016, Lemma 1.7) and of
    (epsilon, delta) (Dwork et al. 2006).

    >>> tiers = [ReleaseEvent(session=1, definition="ρ-zCDP", budget=b) for b in (0.1, 0.5, 0.3)]
    >>> joint_loss(tiers).value
    0.5
    """
    sessions: dict[int, ReleaseEvent] = {}
    for event in _checked(events):
        held = sessions.setdefault(event.session, event)
        if held.definition != event.definition:
            raise ParameterError(
                f"session {event.session} mixes {held.definition} and {event.definition}: "
                "releases of one session share one noise family, so give them one definition"
            )
        sessions[event.session] = ReleaseEvent(
            session=event.session,
            definition=event.definition,
            budget=max(held.budget, event.budget),
            delta=max(held.delta, event.delta),
        )
    return _sum(list(sessions.values()), delta, "the largest of each session, ")


def independent_loss(events: Iterable[ReleaseEvent], *, delta: float = USUAL_DELTA) -> JointLoss:
    """What the same releases would have cost, had each been drawn with independent noise.

    Args:
        events: what was released, in any order; a level is drawn once, so an event told twice
            counts once.
        delta: the δ of the conversion of rho, where definitions are mixed.

    Returns:
        The loss in the definition that all events share, else in (ε, δ).

    Raises:
        ParameterError: delta is out of range.

    Source: as `joint_loss`, every distinct release a session of its own.

    >>> tiers = [ReleaseEvent(session=1, definition="ρ-zCDP", budget=b) for b in (0.1, 0.5, 0.3)]
    >>> independent_loss(tiers).value
    0.9
    """
    return _sum(list(dict.fromkeys(_checked(events))), delta, "every release, ")


def _checked(events: Iterable[ReleaseEvent]) -> list[ReleaseEvent]:
    """The events as a list; what is not an event is refused."""
    found = checks.listed(events=events)
    for event in found:
        checks.instance(ReleaseEvent, event=event)
    return found


def _sum(events: list[ReleaseEvent], delta: float, counted: str) -> JointLoss:
    """Losses of independent events, added in the definition they share, or in (ε, δ)."""
    checks.probability(delta=delta)
    definitions = {event.definition for event in events}
    if not definitions:
        return JointLoss(0.0, 0.0, PURE, "nothing was released")

    def total(definition: str, part: Callable[[ReleaseEvent], Number]) -> Fraction:
        own = (exact(part(event)) for event in events if event.definition == definition)
        return sum(own, Fraction(0))

    deltas = total(APPROXIMATE, lambda event: event.delta)
    losses = {each: total(each, lambda event: event.budget) for each in definitions}
    if len(losses) == 1:
        ((definition, value),) = losses.items()
        return JointLoss(representable(value), float(deltas), definition, counted + "added")
    method = counted + "added as (ε, δ)"
    if (rho := losses.pop(ZCDP, None)) is not None:
        losses[ZCDP] = exact(gaussian_epsilon(math.log(delta), rho_to_mu(representable(rho))))
        deltas += exact(delta)
        method += ", the sum of ρ by the exact Gaussian curve"
    value = sum(losses.values(), Fraction(0))
    return JointLoss(representable(value), float(deltas), APPROXIMATE, method)
