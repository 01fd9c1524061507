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
from dpviz.checks import positive
from dpviz.errors import ParameterError
from dpviz.noise.family import Family
from dpviz.planning.budgets import ACCURACY_CONFIDENCE, at_level
from dpviz.planning.sharing import joint_of, noisier
from dpviz.planning.tiers import PlannedTier, as_rows, read_tiers
from dpviz.queries import Query
from dpviz.words import NARROW, percent, pm, rounded_up
from dpviz.workspace import account
from dpviz.workspace.account import InAll
from dpviz.workspace.guesses import CorrectGuesses, right_at, right_by
from dpviz.workspace.held import HeldTier
from dpviz.workspace.nearness import Size, size_of
from dpviz.workspace.takeaways import counted
from dpviz.workspace.workspace import Workspace

DELTA_OF = "δ of ε"
LOSSES = ("ρ", "μ", "ε")
PLAN = ("tier", *LOSSES, DELTA_OF, "± one group", "± all groups at once", "noise level")
READABLE = ("group", "tier", "size", "relative", "readable")
MORE = 1.1  # times the standard deviation: of what more noise would free
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
    """The place of the statistic by which a tier loses most, and its share of the losses.

    Losses of different kinds are compared as ε at δ.
    """
    alike = len({loss.definition for loss in found.shares[name]}) == 1
    losses = [budget.loss if alike else budget.epsilon for budget in found.budgets[name]]
    most = int(np.argmax(losses))
    return most, losses[most] / math.fsum(losses)


@dataclass(frozen=True, slots=True, kw_only=True)
class Freed:
    """What more noise in one statistic leaves of a tier's loss by all of them.

    Attributes:
        near: how far off a number is at most, 95 times in 100.
        wider: the same with more noise.
        after: the loss by all statistics then.
    """

    near: float
    wider: float
    after: JointLoss


def freed(found: InAll, name: str, place: int) -> Freed | None:
    """What `MORE` noise in the statistic at this place would leave of a tier's loss.

    None where nothing is known of so much noise, or δ alone covers it.

    Args:
        found: all statistics together.
        name: of the tier.
        place: of the statistic.
    """
    budgets = list(found.budgets[name])
    before, own = budgets[place], found.settings[place]
    setting = replace(own, delta=before.delta or own.delta)
    try:
        budgets[place] = at_level(noisier(setting.family, before.level, MORE), setting)
        after = joint_of(budgets, found.settings)
    except ParameterError:
        return None
    return Freed(near=before.half_width, wider=budgets[place].half_width, after=after)


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
