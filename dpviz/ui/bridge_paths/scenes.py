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
from dpviz.noise import ADDITIVE, Family
from dpviz.palette import TierStyle, assign_styles
from dpviz.parameters import USUAL_DELTA
from dpviz.planning.amounts import Amount
from dpviz.planning.budgets import Budget, Setting, resolve
from dpviz.planning.tiers import Tier
from dpviz.queries import Sensitivity
from dpviz.release import MultipleRelease
from dpviz.ui.kit.state import Shelf, Slot
from dpviz.words import budget
from dpviz.workspace.plan import free_name
from dpviz.workspace.workspace import Workspace

PUBLIC_ANSWER = 120
SEED = 12
SPREAD = {"ρ": 3.0, "ε": 2.0}  # the axis runs on by this factor of the budget, on either side
ONE = Sensitivity(l0=1, l1=1, l2=1, linf=1)
OPENING = ("public", "audit", "research")  # order in which the example's first three asked
SHARES = {"public": "0.04", "research": "0.25", "audit": "1"}  # ε
RHOS = {"public": "0.0005", "research": "0.02", "audit": "0.3"}
LARGE = {"public": "0.2", "research": "0.8", "audit": "2"}  # few enough counts to draw as bars
STAIRS = {"public": "0.4", "research": "1", "audit": "2"}  # few enough to see every step
T = TypeVar("T")


@dataclass(slots=True)
class Example:
    """120 people, one number: three releases held, and those drawn after them."""

    family_name: str
    again: int = 0
    session: MultipleRelease = field(init=False)
    tiers: dict[str, Budget] = field(default_factory=dict)
    styles: dict[str, TierStyle] = field(default_factory=dict)

    def __post_init__(self) -> None:
        family = ADDITIVE[self.family_name]
        place = list(ADDITIVE).index(self.family_name)
        rng = streams.teaching(SEED, place, self.again)
        exact = np.array([PUBLIC_ANSWER]) if family.integer else np.array([float(PUBLIC_ANSWER)])
        self.session = MultipleRelease(exact, family, rng=rng)
        amounts = amounts_of(family)
        for name in OPENING:
            self.draw(name, amounts[name])

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
        if name in OPENING:
            ordered = sorted(self.tiers, key=lambda n: -self.tiers[n].level)
            self.styles, _ = assign_styles(self.styles, ordered)
        else:  # it keeps the look that it had while it was not drawn yet
            self.styles = self.styles | {name: new_style(self.styles, name)}


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
    style: TierStyle
    draw: Callable[[str, bool], None]  # draws the new tier at a typed budget, if it is meant
    example: Example | None
    losses: tuple[float, ...]  # budgets held
    order: tuple[float, ...]  # levels, in order of asking
    coordinate: int = 0


def amounts_of(family: Family) -> dict[str, str]:
    """What the example's tiers may have, in the family's own currency."""
    promise = guarantee_of(family)
    if promise.letter == "ρ":
        return RHOS
    if not promise.with_delta:
        return SHARES
    return STAIRS if family.never_falls else LARGE


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
    """A fresh example: other noise on the same 120 people."""
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
        held=_held(pins, float(PUBLIC_ANSWER), one.setting, losses, 1.0),
        setting=one.setting,
        where="People in a made-up town",
        noun="people",
        name=name,
        style=new_style(one.styles, name),
        draw=lambda amount, _: one.draw(name, amount),
        example=one,
        losses=losses,
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
                    slot=t.slot,
                    symbol=t.symbol,
                )
            )
    losses = tuple(t.loss for t in ws.held)
    exact = float(ws.exact()[coordinate]) if revealed else None
    name = free_name({t.name.casefold() for t in ws.plan.tiers})
    kind = guarantee_of(ws.family).letter

    def draw(amount: str, sure: bool) -> None:
        owner = ws.plan.owner(kind, amount)
        if owner is not None:
            ws.draw(owner.name)
        else:
            ws.add_tier(Tier(name=name, amount=amount, kind=kind), sure=sure)

    return Scene(
        held=_held(pins, exact, ws.setting, losses, query.step),
        setting=ws.setting,
        where=f"{query.entries[coordinate]}",
        noun=query.noun_released,
        name=name,
        style=new_style(ws.plan.styles, name),
        draw=draw,
        example=None,
        losses=losses,
        order=tuple(ws.levels_of(ws.round)),
        coordinate=coordinate,
    )


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
    """A violet that no tier has, or the first free symbol."""
    taken = {s.symbol for s in styles.values()}
    slots = {s.slot for s in styles.values()}
    slot = next((s for s in (5, 4, 9, 3, 6, 10) if s not in slots), 5)
    return TierStyle(slot, next((s for s in range(12) if s not in taken), len(name) % 12))
