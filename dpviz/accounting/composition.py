"""What all releases together have learned: max within a session, sum between sessions.

Releases of one session are lossless [LMR25]: together they say no more than the least private one,
so a session costs its maximum, whatever the order of its releases. Sessions draw separate noise,
so their losses compose: rho adds, epsilon adds, (epsilon, delta) add coordinate by coordinate.
Budgets are added as exact fractions and become a float once, at the end: 0.1 + 0.1 + 0.1 is 0.3.
Sessions of different definitions meet in (epsilon, delta): their privacy losses are convolved
(privacy_loss.py), an upper bound, within a fiftieth of the least one where points are known. Where
that is out of reach or no gain, the sum of all rho is converted once, by the exact Gaussian curve,
at one extra delta, and the rest adds to it (basic composition): no loss here is above that.
Limit: a rho here is that of Gaussian noise (mu = sqrt(2 rho)). This is the one place where losses
of sessions are composed.
[LMR25] arXiv:2505.22449v1, Definition 3.4.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from dpviz import checks
from dpviz.accounting.conversions import rho_to_mu
from dpviz.accounting.gaussian import gaussian_epsilon
from dpviz.accounting.inputs import Number, positive, representable
from dpviz.accounting.loss_promises import Points, checked_points
from dpviz.accounting.privacy_loss import gaussian, kept_together
from dpviz.errors import ParameterError
from dpviz.parameters import USUAL_DELTA, exact

MOST_KINDS = 64  # of losses that are convolved: a second
BOUND = "an upper bound"
CONVOLVED = f"their privacy losses convolved, {BOUND}"
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
    """One release that was made: enough to account for it, and no more.

    `points` are further (epsilon, ln delta) that the release keeps, which make a composition with
    releases of other kinds tighter. Without them its definition is all that is used.
    """

    session: int  # releases of one session are correlated; sessions are independent
    definition: str  # "ρ-zCDP", "ε-DP" or "(ε, δ)-DP", or spelled rho, epsilon, delta
    budget: Number  # ρ or ε (nats); decimals are exact, a float stands for its shortest decimal
    delta: float = 0.0  # of "(ε, δ)-DP" only
    points: Points = ()  # not of "ρ-zCDP", whose curve is known

    def __post_init__(self) -> None:
        """Refuse what cannot be accounted for, and spell the definition in one way."""
        checks.whole(0, session=self.session)
        definition, delta = checked_definition(self.definition, self.delta)
        object.__setattr__(self, "definition", definition)
        plain = positive(budget=self.budget)
        typed = isinstance(self.budget, Fraction | Decimal)
        object.__setattr__(self, "budget", Fraction(self.budget) if typed else plain)
        object.__setattr__(self, "delta", delta)
        object.__setattr__(self, "points", checked_points(self.points))
        if self.points and self.definition == ZCDP:
            raise ParameterError(f"the curve of {ZCDP} is known here: leave points out")

    @property
    def curve(self) -> Points:
        """All that is known of its epsilons and deltas; of "ε-DP" and "(ε, δ)-DP"."""
        budget = float(self.budget) * (1 + 2.0**-52)  # not below the exact one
        log_delta = math.log(self.delta) if self.delta else -math.inf
        return (*self.points, (budget, log_delta))


def checked_definition(definition: str, delta: float) -> tuple[str, float]:
    """A definition in its one spelling, and its delta, which only "(ε, δ)-DP" has.

    Raises:
        ParameterError: there is no such definition, or its delta is missing or too many.

    >>> checked_definition("rho-zCDP", 0)
    ('ρ-zCDP', 0.0)
    """
    checks.one_of(SPELLINGS, definition=definition)
    spelled = SPELLINGS[definition]
    if spelled == APPROXIMATE:
        checks.probability(delta=delta)
    elif checks.number(delta=delta) != 0:
        raise ParameterError(f"{spelled} has no delta: leave delta out")
    return spelled, float(delta)


@dataclass(frozen=True, slots=True)
class JointLoss:
    """A privacy loss, its definition, and the method that gave it; `delta` 0: without a δ."""

    value: float
    delta: float
    definition: str
    method: str

    def __post_init__(self) -> None:
        checks.non_negative(value=self.value, delta=self.delta)

    @property
    def bound(self) -> bool:
        """Whether the releases may have cost less: it was composed of different kinds of losses."""
        return BOUND in self.method


def joint_loss(events: Iterable[ReleaseEvent], *, delta: float = USUAL_DELTA) -> JointLoss:
    """Privacy loss of all these releases together: max within a session, sum between sessions.

    Args:
        events: what was released, in any order; the same release given twice counts once.
        delta: the δ of the conversion of rho, where definitions are mixed.

    Returns:
        The loss in the definition that all events share, else in (ε, δ).

    Raises:
        ParameterError: delta is out of range, or one session mixes definitions.

    Source: [LMR25] Definition 3.4; composition of zCDP (Bun and Steinke 2016, Lemma 1.7), of
    (epsilon, delta) (Dwork et al. 2006), and of privacy losses (MATHEMATICS 5.1).

    >>> tiers = [ReleaseEvent(session=1, definition="ρ-zCDP", budget=b) for b in (0.1, 0.5, 0.3)]
    >>> joint_loss(tiers).value
    0.5
    """
    return _sum(of_sessions(events), delta, "the largest of each session, ")


def sessions_meet(events: Iterable[ReleaseEvent]) -> bool:
    """Whether sessions meet whose losses do not simply add: then points of their curves count.

    >>> pair = [ReleaseEvent(session=k, definition="ε-DP", budget=1) for k in (1, 2)]
    >>> sessions_meet(pair)
    False
    """
    found = list(events)
    kinds = {event.definition for event in found}
    apart = len({event.session for event in found}) > 1
    return apart and (len(kinds) > 1 or kinds == {APPROXIMATE})


def of_sessions(events: Iterable[ReleaseEvent]) -> list[ReleaseEvent]:
    """One event for each session, which costs what the session does: that of its largest budget.

    Raises:
        ParameterError: one session mixes definitions.

    >>> tiers = [ReleaseEvent(session=1, definition="ρ-zCDP", budget=b) for b in (0.1, 0.5, 0.3)]
    >>> [event.budget for event in of_sessions(tiers)]
    [0.5]
    """
    sessions: dict[int, ReleaseEvent] = {}
    for event in _checked(events):
        held = sessions.setdefault(event.session, event)
        if held.definition != event.definition:
            raise ParameterError(
                f"session {event.session} mixes {held.definition} and {event.definition}: "
                "releases of one session share one noise family, so give them one definition"
            )
        least_private = max(held, event, key=lambda each: exact(each.budget))
        comparable = held.delta == event.delta  # else which is less private is not known
        sessions[event.session] = replace(
            least_private,
            delta=max(held.delta, event.delta),
            points=least_private.points if comparable else (),
        )
    return list(sessions.values())


def independent_loss(events: Iterable[ReleaseEvent], *, delta: float = USUAL_DELTA) -> JointLoss:
    """What the same releases would have cost, had each been drawn with independent noise.

    Args:
        events: what was released, in any order; a level is drawn once, so an event given twice
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
    """Losses of independent events in the definition they share, or in (ε, δ)."""
    checks.probability(delta=delta)
    definitions = {event.definition for event in events}
    if not definitions:
        return JointLoss(0.0, 0.0, PURE, "nothing was released")
    added = _added(events, delta, counted)
    known = any(event.points or event.definition == ZCDP for event in events)
    if added.definition != APPROXIMATE or len(events) == 1 or not known:
        return added
    return _convolved(events, delta, counted, added) or added


def _convolved(
    events: list[ReleaseEvent], delta: float, counted: str, added: JointLoss
) -> JointLoss | None:
    """Losses of independent events convolved, if that is no worse than adding in either number."""
    bare = (e.delta for e in events if not e.points and e.definition == APPROXIMATE)
    at = min(math.fsum([delta, *bare]), added.delta)
    found = convolved_epsilon(events, at) if 0 < at < 1 else None
    if found is None or not found <= added.value:
        return None
    return JointLoss(found, at, APPROXIMATE, counted + CONVOLVED)


def convolved_epsilon(events: list[ReleaseEvent], delta: float) -> float | None:
    """Least epsilon at this delta of independent events, their losses convolved, rounded up.

    Returns:
        epsilon in nats, infinite where none is known; None where that is out of reach.

    >>> pair = [ReleaseEvent(session=k, definition="ε-DP", budget=1) for k in (1, 2)]
    >>> round(convolved_epsilon(pair, 0.337835), 3)
    1.0
    """
    curves = [event.curve for event in events if event.definition != ZCDP]
    if len(set(curves)) > MOST_KINDS:
        return None
    try:
        loss = kept_together(curves)
        if rho := _total(events, ZCDP):
            loss = loss.compose(gaussian(rho_to_mu(representable(rho))))
        return float(loss.epsilon(delta))
    except ParameterError:  # beyond the limits of losses that compose
        return None


def _total(events: list[ReleaseEvent], definition: str) -> Fraction:
    own = (exact(event.budget) for event in events if event.definition == definition)
    return sum(own, Fraction(0))


def _added(events: list[ReleaseEvent], delta: float, counted: str) -> JointLoss:
    """Losses of independent events, added in the definition they share, or in (ε, δ)."""
    losses = {each: _total(events, each) for each in {event.definition for event in events}}
    deltas = sum((exact(event.delta) for event in events), Fraction(0))
    if len(losses) == 1:
        ((definition, value),) = losses.items()
        return JointLoss(representable(value), float(deltas), definition, counted + "added")
    method = counted + f"added as (ε, δ), {BOUND}"
    if (rho := losses.pop(ZCDP, None)) is not None:
        losses[ZCDP] = exact(gaussian_epsilon(math.log(delta), rho_to_mu(representable(rho))))
        deltas += exact(delta)
        method += ", the sum of ρ by the exact Gaussian curve"
    value = sum(losses.values(), Fraction(0))
    return JointLoss(representable(value), float(deltas), APPROXIMATE, method)
