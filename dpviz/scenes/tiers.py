"""Every number of the page Tiers: how near each tier comes, and what that lets it guess.

Which noise needs the least for the plan, too, each budget kept as it is typed. A budget that is
typed as ρ means the ε of Gaussian noise of that ρ, at δ, where a noise has no ρ: then less noise
keeps that ε, but not the ρ.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.accounting import JointLoss, half_width
from dpviz.accounting.guarantees import Budget, Setting
from dpviz.checks import non_negative, positive
from dpviz.noise.family import Family
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.planning.tiers import PlannedTier, as_rows, read_tiers
from dpviz.queries import Query
from dpviz.words import NARROW, percent, pm, rounded_up
from dpviz.workspace import account
from dpviz.workspace.account import InAll
from dpviz.workspace.guesses import CorrectGuesses, right_at, right_by, right_in_all
from dpviz.workspace.held import HeldTier
from dpviz.workspace.nearness import Size, size_of
from dpviz.workspace.sessions import Statistic
from dpviz.workspace.takeaways import counted, letter_of
from dpviz.workspace.topics import Topic
from dpviz.workspace.workspace import Workspace

DELTA_OF = "δ of ε"
LOSSES = ("ρ", "μ", "ε")
PLAN = ("tier", *LOSSES, DELTA_OF, "± one group", "± all groups at once", "noise level")
READABLE = ("group", "tier", "size", "relative", "readable")
MOST_GROUPS = 30  # in the table of readable groups; of more the smallest are shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiers:
    """A plan in use.

    Attributes:
        planned: its tiers, most private first.
        held: the same as they are drawn.
        rights: right guesses about one person by each of them alone.
        joint: the loss of all of them together.
        alone: what that would be, had each separate noise.
        query: what is published.
        setting: what the budgets refer to.
        size: how large groups are, as far as it was said.
        read_off: whether groups were read off the data.
        in_all: what the tiers learn by all statistics of the plan; None where it has one.
    """

    planned: tuple[PlannedTier, ...]
    held: tuple[HeldTier, ...]
    rights: tuple[CorrectGuesses, ...]
    joint: JointLoss
    alone: JointLoss
    query: Query
    setting: Setting
    size: Size
    read_off: bool
    in_all: InAll | None = None

    @property
    def compared(self) -> bool:
        """Whether separate noise would tell more."""
        return self.joint.value != self.alone.value

    @property
    def together(self) -> CorrectGuesses:
        """Right guesses by all tiers together."""
        return right_by(self.joint)

    @property
    def apart(self) -> CorrectGuesses:
        """Right guesses by all tiers together, had each separate noise."""
        return right_by(self.alone)

    @property
    def everybody(self) -> str:
        """Who compares notes."""
        return "both" if len(self.planned) == 2 else f"all {counted(len(self.planned))}"


def budgets(rows: Sequence[Mapping[str, object]], setting: Setting) -> dict[str, Budget]:
    """Return the budget of each tier in every currency, its noise level and its ±.

    Args:
        rows: tiers as they are typed.
        setting: the noise, δ and the statistic.

    >>> from dpviz.accounting.scheme_variances import ONE_NUMBER
    >>> found = budgets([{"tier": "audit", "budget": "0.5", "as": "ρ"}], ONE_NUMBER)
    >>> found["audit"].level, round(found["audit"].half_width, 2)
    (1.0, 1.96)
    """
    return {tier.name: tier.budget for tier in read_tiers(rows, setting)[0]}


def scene(ws: Workspace) -> Tiers:
    """All numbers of the page, for a plan with a tier that can be used."""
    planned = tuple(ws.planned()[0])
    joint, alone = account.plan(ws)
    return Tiers(
        planned=planned,
        held=tuple(ws.values_of_tiers),
        rights=tuple(right_at(tier.budget) for tier in planned),
        joint=joint,
        alone=alone,
        query=ws.statistic.query,
        setting=ws.setting,
        size=size_of(ws),
        read_off=bool(ws.seen.of(ws.statistic).read_off),
        in_all=account.in_all(ws),
    )


def largest_part(found: InAll, name: str) -> tuple[int, float]:
    """The place of the statistic or topic by which a tier loses most, and its share of the losses.

    Losses of different kinds are compared as ε at δ.
    """
    alike = len({loss.definition for loss in found.shares[name]}) == 1
    losses = [budget.loss if alike else budget.epsilon for budget in found.budgets[name]]
    most = int(np.argmax(losses))
    return most, losses[most] / math.fsum(losses)


def plan_frame(
    planned: Sequence[PlannedTier], family: Family, dimension: int, step: float = 1.0
) -> pd.DataFrame:
    """Every tier's budget in every currency, columns `PLAN`; ± at 95 % confidence, in units.

    Args:
        planned: tiers with their budgets.
        family: the noise family.
        dimension: how many numbers are released, for "all groups at once".
        step: one whole step in units of the statistic.
    """
    rows = [
        (
            p.name,
            p.budget.rho,
            p.budget.mu,
            p.budget.epsilon,
            p.budget.delta,
            p.budget.half_width,
            step * half_width(family, p.budget.level, ACCURACY_CONFIDENCE, coordinates=dimension),
            p.budget.level,
        )
        for p in planned
    ]
    frame = pd.DataFrame(rows, columns=list(PLAN))
    return frame.astype(dict.fromkeys(PLAN[1:], "float64"))


def readable_frame(
    groups: Sequence[str],
    sizes: NDArray[Any],
    tiers: Sequence[tuple[str, float]],
    limit: float,
) -> pd.DataFrame:
    """Relative error of every group at every tier, columns `READABLE`.

        relative = half width / size        readable: relative ≤ limit

    Args:
        groups: names of the k groups.
        sizes: what each group is expected to hold, from public knowledge, in units of the
            statistic; shape (k,). A size that is not above 0 is never readable.
        tiers: name, and half width in the same units, of each tier, most private first.
        limit: the largest relative error that still counts as readable, e.g. 0.1.

    Raises:
        ParameterError: if the limit is not above 0.

    >>> frame = readable_frame(["a", "b"], np.array([100, 10]), [("audit", 5.0)], 0.1)
    >>> frame["relative"].tolist(), frame["readable"].tolist()
    ([0.05, 0.5], [True, False])
    """
    positive(limit=limit)
    size, parts = np.asarray(sizes, dtype=np.float64), []
    for name, half in tiers:
        relative = np.full(len(size), np.inf)
        np.divide(half, size, out=relative, where=size > 0)
        columns = (list(groups), name, size, relative, relative <= limit)
        parts.append(pd.DataFrame(dict(zip(READABLE, columns, strict=True))))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(READABLE))


def readable_cells(frame: pd.DataFrame) -> pd.DataFrame:
    """A row for each group and a column for each tier: its error, in brackets if it is too large.

    Args:
        frame: columns `READABLE`. Of more than 30 groups the smallest are shown, as listed.

    >>> frame = readable_frame(["a", "b"], np.array([100, 10]), [("audit", 5.0)], 0.1)
    >>> readable_cells(frame)["audit"].str.replace(NARROW, " ").tolist()
    ['±5 %', '(±50 %)']
    """
    sizes = frame.drop_duplicates("group").set_index("group")["size"]
    shown = sizes[sizes.rank(method="first") <= MOST_GROUPS].index
    texts = [
        error(relative) if good else f"({error(relative)})"
        for relative, good in zip(frame["relative"], frame["readable"], strict=True)
    ]
    cells = frame.assign(cell=texts).pivot(index="group", columns="tier", values="cell")
    return cells.loc[shown, frame["tier"].unique()].reset_index()


def error(relative: float) -> str:
    """A relative error as per cent, at most "over 999 %".

    >>> error(0.1234).replace(NARROW, " "), error(14.0).replace(NARROW, " "), error(0.0)
    ('±13 %', '> 999 %', 'usually exact')
    """
    if relative == 0:
        return pm(relative)
    return f">{NARROW}999{NARROW}%" if relative >= 10 else f"±{percent(rounded_up(relative))}"


# --- two plans side by side ---

ALIKE = 1e-4  # two numbers that are closer than this share are called the same


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What one plan tells a tier, or all of them.

    Attributes:
        half: how near its numbers come, in units of the statistic; None of several statistics.
        letter: of its loss.
        loss: how much it may tell about one person.
        right: right guesses about one person.
    """

    half: float | None
    letter: str
    loss: float
    right: CorrectGuesses

    def __post_init__(self) -> None:
        non_negative(loss=self.loss)
        if self.half is not None:
            non_negative(half=self.half)

    @classmethod
    def by(cls, joint: JointLoss, right: CorrectGuesses) -> "Told":
        """What several releases tell."""
        return cls(half=None, letter=letter_of(joint), loss=joint.value, right=right)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One tier, or all of them, in plan A and in the plan in use, B.

    Attributes:
        statistic: its name; "" for all of the plan together.
        tier: its name; "" for all tiers together.
        unit: of the numbers.
        a: what A tells it; None where A has no such tier or statistic.
        b: the same in B.
    """

    statistic: str
    tier: str
    unit: str
    a: Told | None
    b: Told | None

    @property
    def change(self) -> str:
        """What B is, beside A, in words."""
        if self.a is None or self.b is None:
            return "only in A" if self.b is None else "new in B"
        near = _turn(self.a.half, self.b.half)
        words = [("sharper", "", "less sharp")[near + 1], _privacy(self.a.right, self.b.right)]
        return ", ".join(filter(None, words)) or "the same"


def _turn(before: float | None, now: float | None) -> int:
    """1 where a number has grown, −1 where it has fallen."""
    if now is None or before is None or math.isclose(now, before, rel_tol=ALIKE):
        return 0
    return 1 if now > before else -1


def _privacy(before: CorrectGuesses, now: CorrectGuesses) -> str:
    """Whether fewer guesses are right now; a bound says that of another number on its side alone.

    >>> sharp, rough = CorrectGuesses(value=700), CorrectGuesses(value=600, kind="at most")
    >>> _privacy(sharp, rough), _privacy(rough, sharp), _privacy(replace(rough, value=800), sharp)
    ('more private', 'less private', 'another kind of promise')
    """
    turn = _turn(before.value, now.value)
    bound = {now.kind: -1, before.kind: 1}.get("at most", 0)  # what alone a bound can show
    if before.kind != now.kind and turn != bound:
        return "another kind of promise"
    return ("more private", "", "less private")[turn + 1]


def side_by_side(a: Workspace, b: Workspace) -> tuple[Line, ...]:
    """Two plans, line by line: each statistic and tier, and last what all of it tells together.

    What B has comes in its order, then what A alone has.

    >>> a, b = Workspace.fresh(), Workspace.fresh()
    >>> _ = b.use_tiers(as_rows(b.plan.tiers[1:]))
    >>> [(line.tier, line.change) for line in side_by_side(a, b)][-2:]
    [('audit', 'only in A'), ('', 'more private')]
    """
    names = [*dict.fromkeys(tier.name for ws in (b, a) for tier in ws.plan.tiers)]
    mine = {s.key for s in b.statistics}
    statistics = [*b.statistics, *(s for s in a.statistics if s.key not in mine)]
    parts = [
        (s.name, s.query.noun_released, _of_statistic(a, s), _of_statistic(b, s))
        for s in statistics
    ]
    topics = {topic.key: topic for ws in (a, b) for topic in ws.topics}
    parts += [(t.name, "", _of_topic(a, t), _of_topic(b, t)) for t in topics.values()]
    parts.append(("", "", _of_all(a, b.statistic), _of_all(b, b.statistic)))
    several = len(statistics) + len(topics) > 1
    return tuple(
        Line(statistic=said, tier=name, unit=unit, a=of_a.get(name), b=of_b.get(name))
        for said, unit, of_a, of_b in parts
        for name in [*names, ""]
        if (name in of_a or name in of_b) and (said or several or not name)
    )


def _of_statistic(ws: Workspace, statistic: Statistic) -> dict[str, Told]:
    """What each tier is told by one statistic, if it is on the plan."""
    found = next((s for s in ws.statistics if s.key == statistic.key), None)
    return {} if found is None else _of_tiers(ws.planned_of(found))


def _of_topic(ws: Workspace, topic: Topic) -> dict[str, Told]:
    """The same by a structured mechanism, whose answers are many, so that no one ± is said."""
    if topic.key not in [t.key for t in ws.topics]:
        return {}
    told = _of_tiers(topic.draw(ws).tiers)
    return {name: replace(one, half=None) for name, one in told.items()}


def _of_tiers(planned: Sequence[PlannedTier]) -> dict[str, Told]:
    return {
        p.name: Told(
            half=p.budget.half_width,
            letter=p.budget.letter,
            loss=p.budget.loss,
            right=right_at(p.budget),
        )
        for p in planned
    }


def _of_all(ws: Workspace, like: Statistic) -> dict[str, Told]:
    """What each tier is told by all statistics, and under "" all tiers together.

    Nothing if another unit is protected than with the statistic that it is compared with.
    """
    planned = ws.planned()[0]
    if not planned or account.unit_of(ws.statistic.query.bounds) != account.unit_of(
        like.query.bounds
    ):
        return {}
    found = account.in_all(ws)
    if found is None:
        joint = account.plan(ws)[0]
        tiers = {name: replace(told, half=None) for name, told in _of_tiers(planned).items()}
        return tiers | {"": Told.by(joint, right_by(joint))}
    losses = {**found.tiers, **({"": found.together} if found.tiers else {})}
    return {name: Told.by(joint, right_in_all(joint)) for name, joint in losses.items()}


# --- which noise needs the least ---


WORTH = 0.98  # of the noise in use: a smaller gain is not worth another session


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """Another noise than the one in use, for the same budgets.

    Attributes:
        family: which.
        least: its standard deviation as a share of that in use, at the tier that gains most.
        most: the same at the tier that gains least.
    """

    family: Family
    least: float
    most: float


def better_noise(ws: Workspace) -> Advice | None:
    """The noise that needs least for the budgets as typed; None: the one in use, or none of them.

    Noise is compared with that in use, so it takes a tier that can be used now.

    >>> ws = Workspace.fresh()
    >>> found = better_noise(ws)
    >>> found.family.label, round(found.least, 2), round(found.most, 2)
    ('Skellam', 0.29, 0.67)
    """
    found = filter(None, (in_place(ws, name) for name in ws.offered))
    best = min(found, key=lambda a: math.log(a.least) + math.log(a.most), default=None)
    if best is None or best.family.name == ws.family_name or best.most > WORTH:
        return None
    return best


def in_place(ws: Workspace, name: str) -> Advice | None:
    """How large another noise would be for the plan; None where it fits not all of its budgets.

    >>> found = in_place(Workspace.fresh(), "laplace")
    >>> round(found.least, 2), round(found.most, 2)  # a typed ρ means ε = √(2ρ)
    (1.41, 1.41)
    """
    used = _deviations(ws.family, ws.planned()[0])
    setting = ws.statistic.setting(name, ws.delta)
    planned, problems = ws.plan.read(as_rows(ws.plan.tiers), setting)
    if not used or not planned or problems:
        return None
    new = _deviations(setting.family, planned)
    shares = [new[who] / used[who] for who in used]
    return Advice(family=setting.family, least=min(shares), most=max(shares))


def _deviations(family: Family, planned: Sequence[PlannedTier]) -> dict[str, float]:
    """Standard deviations, in steps, by the names of tiers."""
    return {p.name: math.sqrt(family.variance(p.budget.level)) for p in planned}
