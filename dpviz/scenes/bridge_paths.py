"""Bridge paths: a release drawn between two held ones, and the walk that all of them lie on.

One coordinate. Values are in whole steps where they are drawn; what people read is in units of the
statistic, and without the mean of its noise (Poisson). Limits: nothing is said of a number sharper
than all that are held; the exact value of the made-up town enters the likelihood of the first
answer alone. Where the walk may be is read off the law; nothing is drawn for it.

The likelihood of an answer is its chance where the law has one (whole numbers, or exactly that of a
neighbour), else its density. Multiplied over all answers it is the same in every order: that is
what makes the release lossless [LMR25, Lemma 3.2].
[LMR25] Private Lossless Multiple Release, arXiv:2505.22449v1.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import pandas as pd

from dpviz import streams
from dpviz.accounting.guarantees import guarantee_of
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE
from dpviz.noise.bridge_law import release_law
from dpviz.noise.family import Family, ReleaseLaw
from dpviz.palette import TierStyle
from dpviz.parameters import USUAL_DELTA, exact
from dpviz.planning.amounts import Amount
from dpviz.planning.budgets import Budget, Setting, resolve, usual_half_width
from dpviz.planning.cast import COUNCIL, ILL, PUBLIC, RESEARCH, STYLES, amounts
from dpviz.queries import Sensitivity
from dpviz.release import MultipleRelease
from dpviz.words import budget
from dpviz.workspace.guesses import CorrectGuesses, right_at
from dpviz.workspace.plan import free_name
from dpviz.workspace.workspace import Workspace

SEED = 15  # its marks stand apart with every noise: one draw, not a typical one
SPREAD = {"ρ": 3.0, "ε": 2.0}  # budgets are offered by this factor beyond those held
ONE = Sensitivity(l0=1, l1=1, l2=1, linf=1)
OPENING = (RESEARCH, PUBLIC)  # who asked already, in this order
GAP, LEVEL, NOISE = "gap", "level", "noise"
LOW95, HIGH95 = "low95", "high95"
WALK = (GAP, LEVEL, NOISE, LOW95, HIGH95)
CHANCES = np.array([0.025, 0.975])
POINTS = 41  # levels between two stops at which the walk is looked at
Row = tuple[float, ...]
Ends = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """One held release of one coordinate: a stop of the walk."""

    tier: str
    level: float
    value: float  # in whole steps, as it was released
    budget: str
    style: TierStyle


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What is known of one coordinate: pins by rising level, and the exact value if it is public.

    `top` is where the walk that is shown ends.
    """

    family: Family
    pins: tuple[Pin, ...]
    exact: float | None
    top: float
    step: float = 1.0

    def around(self, level: float) -> tuple[Pin | None, Pin | None]:
        """The held releases on either side of a level: the sharper one, and the noisier one."""
        below = [p for p in self.pins if p.level < level]
        above = [p for p in self.pins if p.level > level]
        return (below[-1] if below else None), (above[0] if above else None)

    def at(self, level: float) -> Pin | None:
        """The release held at this level, if there is one."""
        return next((p for p in self.pins if p.level == level), None)

    def law(self, level: float) -> ReleaseLaw | None:
        """Law of a new release in whole steps; None where it would use a value that is hidden."""
        below, above = self.around(level)
        start = below.value if below else self.exact
        if start is None or self.at(level) is not None:
            return None
        return release_law(
            self.family,
            start,
            above.value if above else None,
            below.level if below else 0.0,
            level,
            above.level if above else None,
        )

    def weights(self, level: float) -> tuple[float, float]:
        """How much the held releases on either side count in the mean of a new one; or NaN."""
        below, above = self.around(level)
        low, high = below.level if below else 0.0, above.level if above else None
        return self.family.weights(low, level, high)

    def read(self, value: Any, level: float) -> Any:
        """A released number in units of the statistic, without the mean of its noise."""
        return (value - self.family.mean(level)) * self.step

    def noise(self, level: float) -> float:
        """Standard deviation of the noise, in units of the statistic."""
        return self.step * float(np.sqrt(self.family.variance(level)))

    def half(self, level: float) -> float:
        """How far off 95 % of the numbers of a level are at most, in units of the statistic."""
        return usual_half_width(self.family, level, self.step)


def walk(
    held: Held, *, count: int = POINTS, made: dict[Ends, list[Row]] | None = None
) -> pd.DataFrame:
    """Where the walk is 95 times in 100 at every level from the sharpest stop on; columns `WALK`.

    Args:
        held: the stops.
        count: levels of each gap.
        made: rows by the ends of their gap, filled as they are made: to add one stop after
            the other makes no gap twice.

    >>> found = walk(example_source(Example("gaussian")).held)
    >>> found[found["gap"] == 0].iloc[-1][["low95", "high95"]].round(1).tolist()
    [309.6, 309.6]
    """
    ends = [*(p.level for p in held.pins), held.top]
    found = [(low, high) for low, high in pairwise(ends) if low < high]
    made = {} if made is None else made
    rows: list[Row] = []
    for gap, each in enumerate(found):
        if each not in made:
            made[each] = list(_quantiles(held, each, count))
        rows += [(gap, *row) for row in made[each]]
    return pd.DataFrame(rows, columns=list(WALK))


def _quantiles(held: Held, ends: Ends, count: int) -> Iterator[Row]:
    """Level, noise and both quantiles between two ends; zero wide at a stop."""
    values = {p.level: p.value for p in held.pins}
    for level in levels_between(*ends, count):
        law = held.law(level)
        at = np.full(2, values.get(level)) if law is None else law.quantile(CHANCES)
        yield level, held.noise(level), *held.read(at, level)


def levels_between(low: float, high: float, count: int) -> list[float]:
    """Levels that are closest near both ends, where the walk is pinched; the ends are among them.

    >>> [round(level, 3) for level in levels_between(1.0, 16.0, 3)]
    [1.0, 4.0, 16.0]
    """
    share = (1 - np.cos(np.linspace(0, np.pi, count))) / 2
    found = np.exp(np.log(low) + share * (np.log(high) - np.log(low)))
    return [low, *found[1:-1].tolist(), high]


# --- whose numbers: a made-up town, or one number of the visitor's statistic ---


@dataclass(slots=True)
class Example:
    """The town's count: two releases held, and those drawn after them. It is in no ledger."""

    family_name: str
    again: int = 0
    session: MultipleRelease = field(init=False)
    tiers: dict[str, Budget] = field(default_factory=dict)
    styles: dict[str, TierStyle] = field(default_factory=dict)

    def __post_init__(self) -> None:
        family = ADDITIVE[self.family_name]
        place = list(ADDITIVE).index(self.family_name)
        rng = streams.teaching(SEED, place, self.again)
        count = np.array([ILL if family.integer else float(ILL)])
        self.session = MultipleRelease(count, family, rng=rng)
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
        letter = guarantee_of(self.setting.family).letter
        found = resolve(letter, Amount(Fraction(amount)), self.setting)
        self.session.release(found.level)
        self.tiers[name] = found
        self.styles |= {name: STYLES.get(name) or new_style(self.styles, name)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One coordinate with all that the page needs to know of it."""

    held: Held
    setting: Setting
    where: str  # what is counted, or which number it is
    noun: str
    name: str  # of the new tier
    style: TierStyle  # of the new tier
    example: Example | None
    losses: tuple[float, ...]  # budgets held
    opens: str  # the budget at which the slider first stands; "": where there is most room
    order: tuple[float, ...]  # levels, in order of asking
    one: str = "person"  # what is protected

    @property
    def letter(self) -> Literal["ρ", "ε"]:
        """The letter of its budgets."""
        return guarantee_of(self.held.family).letter

    def origin(self, level: float) -> tuple[Pin | None, Pin | None]:
        """The stops that a held number was drawn between: those asked for before it."""
        before = self.order[: self.order.index(level)] if level in self.order else ()
        known = tuple(p for p in self.held.pins if p.level in before)
        return replace(self.held, pins=known).around(level)


def example_source(one: Example) -> Source:
    """The made-up town.

    >>> [round(pin.value, 1) for pin in example_source(Example("gaussian")).held.pins]
    [312.5, 309.6]
    """
    pins = [
        Pin(
            tier=name,
            level=found.level,
            value=float(one.session.release(found.level)[0]),
            budget=budget(found.letter, found.loss),
            style=one.styles[name],
        )
        for name, found in one.tiers.items()
    ]
    losses = tuple(found.loss for found in one.tiers.values())
    name = free_name(one.tiers)
    return Source(
        held=_held(pins, float(ILL), one.setting, losses, 1.0),
        setting=one.setting,
        where="people with high blood pressure",
        noun="people",
        name=name,
        style=STYLES.get(name) or new_style(one.styles, name),
        example=one,
        losses=losses,
        opens=amounts(guarantee_of(one.setting.family).letter)[COUNCIL.name],
        order=tuple(found.level for found in one.tiers.values()),
    )


def own_source(ws: Workspace, coordinate: int) -> Source:
    """One coordinate of the user's statistic, whose exact number is not looked at."""
    query = ws.statistic.query
    pins = [
        Pin(
            tier=t.name,
            level=t.level,
            value=float(t.values[coordinate]),
            budget=t.budget,
            style=t.style,
        )
        for t in ws.held
        if t.values is not None
    ]
    losses = tuple(t.loss for t in ws.held)
    name = free_name({t.name.casefold() for t in ws.plan.tiers})
    return Source(
        held=_held(pins, None, ws.setting, losses, query.step),
        setting=ws.setting,
        where=f"{query.entries[coordinate]}",
        noun=query.noun_released,
        name=name,
        style=new_style(ws.plan.styles, name),
        example=None,
        losses=losses,
        opens="",
        order=tuple(ws.levels_of(ws.round)),
        one=query.nouns.one,
    )


def _held(
    pins: list[Pin],
    exact_value: float | None,
    setting: Setting,
    losses: tuple[float, ...],
    step: float,
) -> Held:
    """Pins once per level, by rising level, and the end of the walk."""
    once = {p.level: p for p in sorted(pins, key=lambda p: p.level)}
    levels = list(once) or [1.0]
    return Held(
        family=setting.family,
        pins=tuple(once.values()),
        exact=exact_value,
        top=max(_noisiest(setting, losses), levels[-1] * 1.5),
        step=step,
    )


def _noisiest(setting: Setting, losses: tuple[float, ...]) -> float:
    """The level a little beyond the most private budget held."""
    kind = guarantee_of(setting.family).letter
    try:
        least = min(losses, default=1.0) / SPREAD[kind]
        return resolve(kind, Amount(Fraction(f"{least:.3g}")), setting).level
    except ParameterError:
        return 1.0


def new_style(styles: dict[str, TierStyle], name: str) -> TierStyle:
    """That of the cast where it is free, else a free colour and the first free symbol.

    >>> new_style({}, "press").slot
    3
    """
    taken = {s.symbol for s in styles.values()}
    slots = {s.slot for s in styles.values()}
    slot = next((s for s in (3, 4, 9, 6, 10, 7) if s not in slots), 3)
    free = (s for s in (STYLES[COUNCIL.name].symbol, *range(12)) if s not in taken)
    return TierStyle(slot, next(free, len(name) % 12))


# --- the new number ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Bridge:
    """A number at one budget: held, or yet to be drawn, and from what.

    Attributes:
        source: what is held.
        budget: all that it means.
        law: of a new number; None where the level is held, or would need the exact number.
        ends: where 95 of 100 draws fall, and their middle, in units; None without a law.
        right: guesses about one person that the tier's number lets be right.
    """

    source: Source
    budget: Budget
    law: ReleaseLaw | None
    ends: tuple[float, float, float] | None
    right: CorrectGuesses

    @property
    def level(self) -> float:
        """Of the noise at this budget."""
        return self.budget.level

    @property
    def pin(self) -> Pin | None:
        """The number, if it is held."""
        return self.source.held.at(self.level)

    @property
    def tier(self) -> str:
        """Whose number it is."""
        return self.pin.tier if self.pin else self.source.name

    @property
    def ends_at(self) -> tuple[Pin | None, Pin | None]:
        """The sharper and the noisier stop that it is, or was, made from."""
        if self.pin:
            return self.source.origin(self.level)
        return self.source.held.around(self.level)

    @property
    def chances(self) -> tuple[tuple[float, Pin], ...]:
        """How likely a draw is identical to a neighbour: only those that can be."""
        atoms = () if self.law is None else self.law.atoms
        pairs = zip(atoms, self.source.held.around(self.level), strict=False)
        return tuple((chance, pin) for (_, chance), pin in pairs if pin and chance > 0)


def scene(source: Source, amount: str) -> Bridge:
    """The number at one budget.

    Args:
        source: what is held; at least one release.
        amount: of the budget, as the slider has it.

    Raises:
        ParameterError: the budget cannot be used.

    >>> [round(end, 1) for end in scene(example_source(Example("gaussian")), "0.15").ends]
    [309.3, 311.1, 312.8]
    """
    found = resolve(source.letter, Amount(exact(float(amount))), source.setting)
    held, level = source.held, found.level
    law = held.law(level) if held.around(level)[0] else None
    between = None
    if law is not None:
        numbers = new_number(**inputs(held, level))
        low, middle, high = numbers["value"].tolist()
        between = (low, middle, high)
    return Bridge(
        source=source,
        budget=found,
        law=law,
        ends=between,
        right=right_at(found),
    )


def inputs(held: Held, level: float) -> dict[str, Any]:
    """What `new_number` needs for a level: the numbers on either side, and where they are.

    >>> inputs(example_source(Example("gaussian")).held, 10.0)["levels"]
    (5.0, 10.0, None)
    """
    below, above = held.around(level)
    kind = int if held.family.integer else float
    return {
        "family": held.family,
        "below": kind(below.value) if below else None,
        "above": kind(above.value) if above else None,
        "levels": (below.level if below else 0.0, level, above.level if above else None),
        "step": held.step,
    }


def new_number(
    family: Family,
    below: float | None,
    above: float | None,
    levels: tuple[float, float, float | None],
    step: float,
) -> pd.DataFrame:
    """Return between which numbers 95 of 100 draws fall, and their middle; nothing is drawn.

    Args:
        family: the noise.
        below: the sharper number, in steps; None where nobody holds one.
        above: the noisier one, in steps; None where nobody holds one.
        levels: of the sharper one, of the new one, and of the noisier one.
        step: of the statistic.

    >>> made = new_number(ADDITIVE["gaussian"], 312.5, 309.6, (1.7, 3.3, 5.0), 1.0)
    >>> made["value"].round(1).tolist()
    [309.3, 311.1, 312.9]
    """
    if below is None:  # the number would be made from the exact one, which is not looked at
        return pd.DataFrame(columns=["chance", "value"])
    low, level, high = levels
    law = release_law(family, below, above, low, level, high)
    chances = [0.025, 0.5, 0.975]
    values = (law.quantile(np.array(chances)) - family.mean(level)) * step
    return pd.DataFrame({"chance": chances, "value": values})


# --- the order of asking ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What is held after one answer."""

    newest: Pin
    pins: tuple[Pin, ...]
    walk: pd.DataFrame  # columns `WALK`
    likelihood: float  # of this answer, given those before it; NaN where that is hidden


def order_steps(held: Held, order: Sequence[float]) -> list[Step]:
    """The pins of `held` in an order of asking, one after the other.

    Args:
        held: all pins.
        order: levels of the pins, first asked first.

    >>> town = example_source(Example("gaussian"))
    >>> [step.newest.tier for step in order_steps(town.held, town.order)]
    ['research', 'public']
    """
    steps, pins = [], {p.level: p for p in held.pins}
    made: dict[Ends, list[Row]] = {}
    count = max(9, min(POINTS, 100 // max(1, len(order))))
    before = replace(held, pins=())
    for number, level in enumerate(order, start=1):
        law = before.law(level)
        known = sorted((pins[at] for at in order[:number]), key=lambda pin: pin.level)
        then = replace(held, pins=tuple(known))
        steps.append(
            Step(
                newest=pins[level],
                pins=then.pins,
                walk=walk(then, count=count, made=made),
                likelihood=math.nan if law is None else likelihood(law, pins[level].value),
            )
        )
        before = then
    return steps


def likelihood(law: ReleaseLaw, value: float) -> float:
    """Chance of a value where it has one, else its density.

    >>> law = release_law(ADDITIVE["laplace"], 10.0, 13.0, 1.0, 2.0, 4.0)
    >>> round(likelihood(law, 10.0), 3), round(likelihood(law, 12.0), 3)
    (0.2, 0.091)
    """
    for place, chance in law.atoms:
        if math.isclose(place, value, rel_tol=1e-12):
            return chance
    return float(law.density(np.array([value]))[0])
