"""What the Bridge paths page looks at: a made-up example with a public answer, or the user's group.

The example is a session of its own, never in the workspace's ledger. The exact number of the user's
own group is handed on only after "reveal".
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np

from dpviz import streams
from dpviz.accounting.guarantees import guarantee_of
from dpviz.charts.bridge.frame import Held, Pin
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE
from dpviz.palette import TierStyle, assign_styles
from dpviz.parameters import USUAL_DELTA
from dpviz.planning.amounts import Amount
from dpviz.planning.budgets import Budget, Setting, resolve
from dpviz.planning.cast import AUDIT, COUNCIL, ILL, PUBLIC, RESEARCH, STYLES, amounts
from dpviz.planning.tiers import Tier
from dpviz.queries import Sensitivity
from dpviz.release import MultipleRelease
from dpviz.ui.kit.state import Shelf, Slot
from dpviz.words import budget
from dpviz.workspace.plan import free_name
from dpviz.workspace.workspace import Workspace

SEED = 15  # its marks stand apart with every noise: one draw, not a typical one
SPREAD = {"ρ": 3.0, "ε": 2.0}  # the axis runs on by this factor of the budget, on either side
ONE = Sensitivity(l0=1, l1=1, l2=1, linf=1)
OPENING = (RESEARCH, PUBLIC, AUDIT)  # who asked already, in this order
T = TypeVar("T")


@dataclass(slots=True)
class Example:
    """The town's count: three releases held, and those drawn after them."""

    family_name: str
    again: int = 0
    session: MultipleRelease = field(init=False)
    tiers: dict[str, Budget] = field(default_factory=dict)
    styles: dict[str, TierStyle] = field(default_factory=dict)

    def __post_init__(self) -> None:
        family = ADDITIVE[self.family_name]
        place = list(ADDITIVE).index(self.family_name)
        rng = streams.teaching(SEED, place, self.again)
        exact = np.array([ILL if family.integer else float(ILL)])
        self.session = MultipleRelease(exact, family, rng=rng)
        typed = amounts(guarantee_of(family).letter)
        for name in OPENING:
            self.draw(name, typed[name])

    @property
    def setting(self) -> Setting:
        """What budgets refer to: one person moves the number by 1, at the usual δ."""
        return Setting(
            family=ADDITIVE[self.family_name], delta=USUAL_DELTA, sensitivity=ONE, dimension=1
        )

    def draw(self, name: str, amount: str) -> None:
        """Draw the release of a tier, and give it a style; once drawn it stays.

        Raises:
            ParameterError: if the budget cannot be used.
        """
        if name in self.tiers:
            return
        found = resolve(
            guarantee_of(self.setting.family).letter, Amount(Fraction(amount)), self.setting
        )
        self.session.release(found.level)
        self.tiers[name] = found
        self.styles |= {name: STYLES.get(name) or new_style(self.styles, name)}


_EXAMPLES = Slot[dict[str, Example]]("bridge_examples", dict)
_KEPT = Shelf[tuple[object, Any]]("bridge_kept")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One coordinate with all that the page needs to know of it."""

    held: Held
    setting: Setting
    where: str  # for the heading
    noun: str
    name: str  # of the new tier
    style: Callable[[float], TierStyle]  # of the new tier, by its level
    draw: Callable[[str, bool], None]  # draws the new tier at a typed budget, if it is meant
    example: Example | None
    losses: tuple[float, ...]  # budgets held
    opens: str  # the budget at which the slider first stands; "": where there is most room
    order: tuple[float, ...]  # levels, in order of asking
    coordinate: int = 0
    one: str = "person"  # what is protected


def kept(name: str, key: object, make: Callable[[], T]) -> T:
    """What was made for this key, or a new one: one thing of each name per visitor.

    A rerun that changes nothing of the key (the slider) makes nothing again.
    """
    found = _KEPT.get(name)
    if found is None or found[0] != key:
        found = _KEPT.put(name, (key, make()))
    made: T = found[1]
    return made


def example(family_name: str) -> Example:
    """The made-up example of this family; opened once."""
    kept = _EXAMPLES.get()
    if family_name not in kept:
        kept[family_name] = Example(family_name)
    return kept[family_name]


def start_over(family_name: str) -> None:
    """A fresh example: other noise on the same count."""
    kept = _EXAMPLES.get()
    again = kept[family_name].again + 1 if family_name in kept else 0
    kept[family_name] = Example(family_name, again=again)


def example_scene(one: Example) -> Scene:
    """The example as a scene."""
    pins = [
        Pin(
            tier=name,
            level=found.level,
            value=float(one.session.release(found.level)[0]),
            budget=budget(found.letter, found.loss),
            slot=one.styles[name].slot,
            symbol=one.styles[name].symbol,
        )
        for name, found in one.tiers.items()
    ]
    losses = tuple(found.loss for found in one.tiers.values())
    name = free_name(one.tiers)
    return Scene(
        held=_held(pins, float(ILL), one.setting, losses, 1.0),
        setting=one.setting,
        where="people with high blood pressure",
        noun="people",
        name=name,
        style=lambda _: STYLES.get(name) or new_style(one.styles, name),
        draw=lambda amount, _: one.draw(name, amount),
        example=one,
        losses=losses,
        opens=amounts(guarantee_of(one.setting.family).letter)[COUNCIL.name],
        order=tuple(found.level for found in one.tiers.values()),
    )


def own_scene(ws: Workspace, coordinate: int, revealed: bool) -> Scene:
    """One coordinate of the user's statistic; its exact number only where it is revealed."""
    query, pins = ws.statistic.query, []
    for t in ws.held:
        if t.values is not None:
            pins.append(
                Pin(
                    tier=t.name,
                    level=t.level,
                    value=float(t.values[coordinate]),
                    budget=t.budget,
                    slot=t.style.slot,
                    symbol=t.style.symbol,
                )
            )
    losses = tuple(t.loss for t in ws.held)
    exact = float(ws.exact()[coordinate]) if revealed else None
    name = free_name({t.name.casefold() for t in ws.plan.tiers})
    kind = guarantee_of(ws.family).letter

    def draw(amount: str, sure: bool) -> None:
        owner = ws.plan.owner(kind, amount)
        if owner is not None:
            ws.draw(owner.name, sure=sure)
        else:
            ws.add_tier(Tier(name=name, amount=amount, kind=kind), sure=sure)

    return Scene(
        held=_held(pins, exact, ws.setting, losses, query.step),
        setting=ws.setting,
        where=f"{query.entries[coordinate]}",
        noun=query.noun_released,
        name=name,
        style=lambda level: _planned_style(ws, name, level),
        draw=draw,
        example=None,
        losses=losses,
        opens="",
        order=tuple(ws.levels_of(ws.round)),
        coordinate=coordinate,
        one=query.nouns.one,
    )


def _planned_style(ws: Workspace, name: str, level: float) -> TierStyle:
    """The look that the plan will give a tier of this level."""
    levels = {tier.name: tier.budget.level for tier in ws.plan.planned(ws.setting)[0]} | {
        name: level
    }
    names = sorted(levels, key=lambda each: -levels[each])
    return assign_styles(ws.plan.styles, names)[0][name]


def _held(
    pins: list[Pin],
    exact: float | None,
    setting: Setting,
    losses: tuple[float, ...],
    step: float,
) -> Held:
    """Pins once per level, by rising level, and the ends of the axis."""
    once = {p.level: p for p in sorted(pins, key=lambda p: p.level)}
    levels = list(once) or [1.0]
    most, least = _ends(setting, losses)
    return Held(
        family=setting.family,
        pins=tuple(once.values()),
        exact=exact,
        bottom=min(most, levels[0] / 1.5),
        top=max(least, levels[-1] * 1.5),
        step=step,
    )


def _ends(setting: Setting, losses: tuple[float, ...]) -> tuple[float, float]:
    """Levels a little beyond the least and the most private budget held."""
    if not losses:
        return 1.0, 1.0
    found = []
    kind = guarantee_of(setting.family).letter
    for loss in (max(losses) * SPREAD[kind], min(losses) / SPREAD[kind]):
        try:
            found.append(resolve(kind, Amount(Fraction(f"{loss:.3g}")), setting).level)
        except ParameterError:
            found.append(1.0)
    return found[0], found[1]


def new_style(styles: dict[str, TierStyle], name: str) -> TierStyle:
    """That of the cast where it is free, else a free colour and the first free symbol."""
    taken = {s.symbol for s in styles.values()}
    slots = {s.slot for s in styles.values()}
    slot = next((s for s in (3, 4, 9, 6, 10, 7) if s not in slots), 3)
    free = (s for s in (STYLES[COUNCIL.name].symbol, *range(12)) if s not in taken)
    return TierStyle(slot, next(free, len(name) % 12))
