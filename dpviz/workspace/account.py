"""What a workspace has spent: the joint loss of its sessions, and what it would have cost.

Losses are those of one unit of privacy: losses of different units are shown beside each other.
"""

import itertools
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

from dpviz.accounting import JointLoss, ReleaseEvent, independent_loss, joint_loss
from dpviz.accounting.composition import sessions_meet
from dpviz.accounting.guarantees import points_of
from dpviz.errors import NoGuaranteeError
from dpviz.planning.budgets import Budget, Setting, at_level
from dpviz.planning.sharing import events_of
from dpviz.planning.tiers import PlannedTier
from dpviz.queries import Bounds
from dpviz.release import LedgerEntry, event_of
from dpviz.workspace.limits import stated
from dpviz.workspace.sessions import Asking, Session, Statistic
from dpviz.workspace.topics import PlannedDraw, Topic
from dpviz.workspace.workspace import Workspace


def events(ws: Workspace, drawn: Sequence[LedgerEntry]) -> list[ReleaseEvent]:
    """What was released, each loss as it was stated when it was drawn.

    Where losses of different kinds meet, with points of each curve as it is.
    """
    found = [e.event for e in drawn]
    if not sessions_meet(found):
        return found
    return [_with_points(ws, e) for e in drawn]


def _with_points(ws: Workspace, entry: LedgerEntry) -> ReleaseEvent:
    plain = ws.session_of(entry).asking.plain
    if plain is None:  # a structured mechanism: its definition is all that is used
        return entry.event
    return replace(
        entry.event, points=points_of(entry.budget, plain.setting(entry.family, ws.delta))
    )


def plan(ws: Workspace) -> tuple[JointLoss, JointLoss]:
    """What all tiers of the plan cost together, and what independent releases would cost."""
    return of_tiers(ws.planned()[0], ws.family_name, ws.delta)


def of_tiers(
    planned: Sequence[PlannedTier], family_name: str, delta: float
) -> tuple[JointLoss, JointLoss]:
    """What these tiers cost together, and what independent releases of them would cost."""
    one = {p.budget.level: p.budget for p in planned}
    drawn = [event_of(1, family_name, b) for b in one.values()]
    return joint_loss(drawn, delta=delta), independent_loss(drawn, delta=delta)


@dataclass(frozen=True, slots=True, kw_only=True)
class Composed:
    """What tiers learn by several statistics together, and by topics beside them.

    Attributes:
        settings: what the budgets of each statistic refer to.
        budgets: of each tier for each of them, in their order, and then for each topic.
        shares: the losses by these budgets.
        besides: what the topics release to each tier, as the ledger counts it.
        tiers: the loss of each tier by all of them, most private first.
        together: that of all tiers who compare notes.
        left_out: tiers that have no budget yet for one of the statistics.
    """

    settings: tuple[Setting, ...]
    budgets: Mapping[str, tuple[Budget, ...]]
    shares: Mapping[str, tuple[JointLoss, ...]]
    besides: Mapping[str, tuple[ReleaseEvent, ...]]
    tiers: Mapping[str, JointLoss]
    together: JointLoss
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InAll(Composed):
    """The same of the statistics of a workspace.

    Attributes:
        statistics: those whose losses add up, in the order of the plan.
        topics: those whose losses add to them.
        other_units: names of the statistics and topics that protect another unit: their losses say
            nothing of these.
    """

    statistics: tuple[Statistic, ...]
    topics: tuple[Topic, ...]
    other_units: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        """What the statistics and the topics are called."""
        return [*(s.name for s in self.statistics), *(topic.name for topic in self.topics)]


def composed(
    names: Sequence[str],
    plans: Sequence[tuple[Setting, Sequence[PlannedTier]]],
    delta: float,
    topics: Sequence[PlannedDraw] = (),
) -> Composed:
    """What tiers learn by several statistics, composed as the ledger composes sessions.

    Within a statistic only the largest loss counts; those of different statistics add as ρ or as ε,
    and losses of different kinds are convolved.

    Args:
        names: of the tiers, in the order of the plan.
        plans: of each statistic what its budgets refer to, and its tiers that can be used.
        delta: of the plan.
        topics: what is asked of structured mechanisms.
    """
    found = [(setting, {p.name: p for p in tiers}) for setting, tiers in plans]
    usable = [
        name
        for name in names
        if all(name in planned for _, planned in found)
        and not any(topic.lacks(name) for topic in topics)
    ]
    settings, many = tuple(setting for setting, _ in found), len(plans)
    budgets = {
        name: (
            *(planned[name].budget for _, planned in found),
            *(topic.of(name)[0].budget for topic in topics),
        )
        for name in usable
    }
    besides = {
        name: tuple(
            stated(number, topic.asking, budget)
            for number, (topic, budget) in enumerate(
                zip(topics, each[many:], strict=True), start=many + 1
            )
        )
        for name, each in budgets.items()
    }
    made = {n: events_of(each[:many], settings, besides[n]) for n, each in budgets.items()}
    losses = {name: joint_loss(events, delta=delta) for name, events in made.items()}
    private = sorted(usable, key=lambda name: losses[name].value)
    return Composed(
        settings=settings,
        budgets=budgets,
        shares={n: tuple(joint_loss([e], delta=delta) for e in made[n]) for n in private},
        besides=besides,
        tiers={name: losses[name] for name in private},
        together=joint_loss([e for events in made.values() for e in events], delta=delta),
        left_out=tuple(name for name in names if name not in usable),
    )


def in_all(ws: Workspace) -> InAll | None:
    """What the tiers learn by all statistics of the plan; None where it has one of this unit."""
    mine, topics = of_unit_in_use(ws), topics_of_unit_in_use(ws)
    if len(mine) + len(topics) < 2:
        return None
    found = composed(
        [t.name for t in ws.plan.tiers],
        [(ws.setting_of(s), ws.planned_of(s)) for s in mine],
        ws.delta,
        [topic.draw(ws) for topic in topics],
    )
    return InAll(
        settings=found.settings,
        budgets=found.budgets,
        shares=found.shares,
        besides=found.besides,
        tiers=found.tiers,
        together=found.together,
        left_out=found.left_out,
        statistics=mine,
        topics=topics,
        other_units=(
            *(s.name for s in ws.statistics if s not in mine),
            *(topic.name for topic in ws.topics if topic not in topics),
        ),
    )


def at_plan(
    ws: Workspace, tiers: Sequence[PlannedTier]
) -> tuple[list[tuple[PlannedTier, float]], list[str]]:
    """Tiers with their losses, all at the δ of the plan, and why others have none there.

    Losses at different δ do not compare: of these the larger one is that of less noise.

    Args:
        ws: the workspace.
        tiers: of its plan, some perhaps typed with a δ of their own.

    Returns:
        Tiers and losses, most private first; and one sentence per tier that is left out.
    """
    found, left_out = [], []
    for p in sorted(tiers, key=lambda p: -p.budget.level):
        loss = p.budget.loss
        try:
            if p.budget.letter == "ε" and p.budget.delta not in (0, ws.delta):
                loss = at_level(p.budget.level, ws.setting).loss
            if loss > 0:
                found.append((p, loss))
            else:
                left_out.append(f"Left out: {p.name}, as the plan’s δ alone covers its noise.")
        except NoGuaranteeError:
            left_out.append(
                f"Left out: {p.name}, as so little noise promises nothing at the plan’s δ."
            )
    return found, left_out


def sessions_with_plan(ws: Workspace) -> int:
    """How many sessions of the unit in use there are once the plan is drawn."""
    new = sum(ws.find(draw.asking.key) is None for draw in draws_of_unit_in_use(ws))
    return len({e.session for e in entries(ws)}) + new


def of_unit_in_use(ws: Workspace) -> tuple[Statistic, ...]:
    """The statistics of the plan whose losses add to that of the one in use, in their order."""
    unit = unit_of(ws.statistic.query.bounds)
    return tuple(s for s in ws.statistics if unit_of(s.query.bounds) == unit)


def topics_of_unit_in_use(ws: Workspace) -> tuple[Topic, ...]:
    """The topics of the plan whose losses add to that of the statistic in use, in their order."""
    unit = unit_of(ws.statistic.query.bounds)
    return tuple(t for t in ws.topics if unit_of(t.bounds) == unit)


def draws_of_unit_in_use(ws: Workspace) -> list[PlannedDraw]:
    """What the plan asks for whose losses add to that of the statistic in use."""
    unit = unit_of(ws.statistic.query.bounds)
    found = ((draw, draw.asking.bounds) for draw in ws.draws())
    return [draw for draw, bounds in found if bounds is not None and unit_of(bounds) == unit]


Draws = Sequence[tuple[Asking, Sequence[Budget]]]  # what each session is asked for, and how much


def with_plan(ws: Workspace) -> tuple[JointLoss, JointLoss]:
    """Loss once the whole plan is drawn, beside all earlier sessions; and if independent."""
    draws = [(d.asking, [p.budget for p in d.tiers]) for d in draws_of_unit_in_use(ws)]
    made = _made_with(ws, draws)
    return joint_loss(made, delta=ws.delta), independent_loss(made, delta=ws.delta)


def of_tier_with_plan(ws: Workspace, name: str) -> JointLoss:
    """What one tier learns once the whole plan is drawn, beside all that it has."""
    draws = [(d.asking, [p.budget for p in d.of(name)]) for d in draws_of_unit_in_use(ws)]
    return joint_loss(_made_with(ws, draws, tier=name), delta=ws.delta)


def with_draws(ws: Workspace, draws: Draws) -> JointLoss:
    """Loss once sessions are asked for these budgets, too, beside what was released of their unit.

    Args:
        ws: the workspace.
        draws: what each session is asked for, all of one unit, and the budgets.
    """
    return joint_loss(_made_with(ws, draws), delta=ws.delta)


def _made_with(ws: Workspace, draws: Draws, tier: str | None = None) -> list[ReleaseEvent]:
    """All that was released of the unit of some sessions, and these draws, as `events` has it.

    Args:
        ws: the workspace.
        draws: what each session is asked for, all of one unit, and the budgets.
        tier: whose releases count; None: everybody's.
    """
    new = itertools.count(ws.next_number)
    drawn: list[tuple[ReleaseEvent, Asking, Budget]] = []
    for asking, budgets in draws:
        one = ws.find(asking.key)
        number = one.number if one else next(new)
        before = [e for e in ws.entries_of(one) if tier in (None, e.tier)]
        held = set() if asking.selection else {e.level for e in before}
        fresh = {b.level: b for b in budgets if b.level not in held}  # a longer list has its level
        drawn += [(stated(number, asking, b), asking, b) for b in fresh.values()]
    mine = [e for e in entries(ws, draws[0][0].bounds) if tier in (None, e.tier)]
    made = [*(e.event for e in mine), *(event for event, _, _ in drawn)]
    if not sessions_meet(made):
        return made
    return [_with_points(ws, e) for e in mine] + [
        replace(event, points=points_of(b, asking.plain.setting(asking.family.name, ws.delta)))
        if asking.plain
        else event
        for event, asking, b in drawn
    ]


def entries(ws: Workspace, bounds: Bounds | None = None) -> list[LedgerEntry]:
    """What was released of one unit of privacy, by default that in use; and of typed numbers.

    What one aircraft loses says nothing of what one flight or one owner does, and losses where one
    comes or goes say little of losses where one is replaced: these are never added.
    """
    return _of_unit(ws, unit_of(bounds or ws.statistic.query.bounds))


def joint(ws: Workspace, bounds: Bounds | None = None) -> JointLoss:
    """Loss of everything released of one unit of privacy, by default that in use, together."""
    return joint_loss(events(ws, entries(ws, bounds)), delta=ws.delta)


def independent(ws: Workspace, bounds: Bounds | None = None) -> JointLoss:
    """What the same releases would have cost if each had been drawn on its own."""
    return independent_loss(events(ws, entries(ws, bounds)), delta=ws.delta)


def by_unit(ws: Workspace) -> dict[str, JointLoss]:
    """Loss of what was released of each unit of privacy, over all tables and days of a project.

    Losses of different units say nothing about each other, so they are not added.
    """
    return {
        said: joint_loss(events(ws, _of_unit(ws, unit)), delta=ws.delta)
        for unit, said in _units(ws).items()
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class OfUnit:
    """What some releases tell of one unit of privacy, and what everything does.

    Attributes:
        unit: in words.
        one: what one of it is called.
        mine: the loss by these releases.
        everybody: that by all that was released of the unit.
        entries: all of that.
    """

    unit: str
    one: str
    mine: JointLoss
    everybody: JointLoss
    entries: tuple[LedgerEntry, ...]


def of_releases(ws: Workspace, drawn: Sequence[LedgerEntry]) -> list[OfUnit]:
    """What some releases of the ledger tell together, unit by unit of theirs, and no other.

    Args:
        ws: the workspace.
        drawn: releases of statistics, such as those of one tier.
    """
    words, found = _units(ws), []
    bounds = {unit_of(b): b for e in drawn if (b := ws.session_of(e).asking.bounds) is not None}
    for unit, of in bounds.items():
        every = _of_unit(ws, unit)
        mine = [e for e in drawn if e in every]
        found.append(
            OfUnit(
                unit=words[unit],
                one=of.nouns.one,
                mine=joint_loss(events(ws, mine), delta=ws.delta),
                everybody=joint_loss(events(ws, every), delta=ws.delta),
                entries=tuple(every),
            )
        )
    return found


def other_units(ws: Workspace) -> dict[str, JointLoss]:
    """The losses of the units of privacy of which something was released, but the one in use."""
    mine = _units(ws).get(unit_of(ws.statistic.query.bounds))
    return {said: loss for said, loss in by_unit(ws).items() if said != mine}


def unit_of(bounds: Bounds) -> Hashable:
    """What makes it this unit, whatever it is called."""
    return bounds.person, bounds.relation


def _units(ws: Workspace) -> dict[Hashable, str]:
    """Every unit of which something was released, in the words that were typed last."""
    found = {unit_of(b): b for one in ws.sessions if (b := one.asking.bounds) is not None}
    for bounds in (s.query.bounds for s in (*ws.statistics, ws.statistic)):
        if unit_of(bounds) in found:
            found[unit_of(bounds)] = bounds
    alone = len({b.relation for b in found.values()}) < 2
    return {
        unit: b.unit if alone else f"{b.unit}; neighbours: {b.neighbours}"
        for unit, b in found.items()
    }


def _of_unit(ws: Workspace, unit: Hashable) -> list[LedgerEntry]:
    bounds = {one.number: one.asking.bounds for one in ws.sessions}
    of = {number for number, b in bounds.items() if b is None or unit_of(b) == unit}
    return [e for e in ws.ledger if e.session in of]


def by_statistic(ws: Workspace) -> list[tuple[str, str, list[str], JointLoss]]:
    """For each statistic that was released: its words, its table, who holds it, and its loss."""
    of: dict[Hashable, list[Session]] = {s.key: [] for s in ws.statistics}
    for one in sorted(ws.sessions, key=lambda s: s.asking.plain is None):
        key = one.asking.plain.key if one.asking.plain else one.number
        of.setdefault(key, []).append(one)
    rows = []
    for sessions in filter(None, of.values()):
        numbers = {s.number for s in sessions}
        drawn, first = [e for e in ws.ledger if e.session in numbers], sessions[0].asking
        if drawn:
            names = dict.fromkeys(e.tier for e in drawn)
            loss = joint_loss(events(ws, drawn), delta=ws.delta)
            rows.append((first.statistic, first.data, list(names), loss))
    return rows


def once(ws: Workspace) -> list[LedgerEntry]:
    """Releases of the session in use, each level once, ascending in what they may tell."""
    if ws.round is None:
        return []
    first = {e.level: e for e in ws.entries_of(ws.round)[::-1]}
    return [first[level] for level in sorted(first, reverse=True)]
