"""Bridge paths: how a release is drawn between two others, without the data."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import pandas as pd
import streamlit as st

from dpviz.accounting.guarantees import guarantee_of, offered
from dpviz.charts.forms.cone import HELD, IDLE, NEEDED, NEW, STOPS, WAITING, NewStop, Room, cone
from dpviz.charts.forms.picture import Picture
from dpviz.noise import ADDITIVE
from dpviz.palette import GREY
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.planning.cast import ILL, PEOPLE, with_article
from dpviz.scenes import bridge_paths as scenes
from dpviz.scenes.bridge_paths import (
    LEVEL,
    SPREAD,
    Bridge,
    Example,
    Held,
    Pin,
    Source,
    Step,
    example_source,
    own_source,
)
from dpviz.ui.kit import controls, parts, press
from dpviz.ui.kit.page_form import Closer, Missing, PageForm
from dpviz.ui.kit.state import Shelf, Slot
from dpviz.words import (
    after,
    budget,
    capitalised,
    clean,
    join,
    number,
    percent,
    pm,
    significant,
    within,
)
from dpviz.words.claims import Claim, Name, Number, Said, joined, say, share
from dpviz.words.grammar import times_in_100
from dpviz.words.markdown import literal
from dpviz.workspace.facts import Facts, footer
from dpviz.workspace.guesses import A_COIN
from dpviz.workspace.takeaways import distance_claim
from dpviz.workspace.workspace import Workspace

TOWN, OWN = "made-up town", "my statistic"
MANTISSAS = ("1", "1.2", "1.5", "2", "2.5", "3", "4", "5", "6", "8")  # budgets of the slider
NOTHING_HELD = "Nothing is released yet. Draw one number, then see what a second one would be."
_LAST = Slot("bridge_last", lambda: "")  # the budget that was drawn last
_STEP = Slot("bridge_step", lambda: 1)
_EXAMPLES = Slot[dict[str, Example]]("bridge_examples", dict)
_KEPT = Shelf[Any]("bridge_kept")  # a rerun that only moves the slider makes nothing again


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Whose numbers, and at which budget."""

    source: Source
    amount: str


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The number at the slider, and the walk that it lies on."""

    settings: Settings
    bridge: Bridge
    walk: pd.DataFrame
    room: Room  # that the axis had before its number was drawn, and keeps

    @property
    def held(self) -> Held:
        """What is known of the coordinate."""
        return self.settings.source.held


# --- what is asked ---


def noise_in_use(ws: Workspace) -> str:
    """Ask for the noise of the made-up town."""
    family = controls.selectbox(
        "Noise of the made-up town",
        offered(),
        format_func=lambda n: capitalised(ADDITIVE[n].label),
        key="bridge_family",
    )
    st.caption(f"Your statistic has {ws.family.label} noise, as on the page Tiers.")
    return family or offered()[0]


def settings(ws: Workspace, family_name: str) -> Settings | Missing:
    """Ask whose numbers and which budget."""
    whose = controls.look_at(
        TOWN,
        OWN,
        key="bridge_source",
        help="The made-up town of the lessons, or the numbers that your tiers have got.",
    )
    source = _own(ws) if whose == OWN else example_source(_example(family_name))
    if not source.held.pins:
        return Missing(NOTHING_HELD, "releases" if ws.waiting() else "tiers")
    found = places(min(source.losses), max(source.losses), SPREAD[source.letter])
    starts = (_LAST.get(), source.opens, found[len(found) // 3])
    amount = controls.select_slider(
        f"How exact? (budget {source.letter})",
        found,
        value=next(start for start in starts if start in found),
        key=controls.keyed("bridge_budget", (source.held.family.name, whose, *found)),
        help="How much the new tier may learn. Moving the slider draws nothing.",
        lasting=False,
    )
    st.caption("Further right: sharper, less private.")
    return Settings(source=source, amount=amount)


def _example(family_name: str) -> Example:
    """The made-up town with this noise; opened once."""
    opened = _EXAMPLES.get()
    if family_name not in opened:
        opened[family_name] = Example(family_name)
    return opened[family_name]


def _own(ws: Workspace) -> Source:
    entries = ws.statistic.query.entries
    place = controls.selectbox(
        "Number",
        range(len(entries)),
        format_func=lambda i: clean(entries[i]),
        key="bridge_group",
        help="One of the numbers that every tier gets.",
        lasting=False,
    )
    return own_source(ws, place)


def places(least: float, most: float, spread: float) -> list[str]:
    """Budgets as they are typed, from more private than all that is held to less private.

    Args:
        least: of the budgets held.
        most: of them.
        spread: by which factor the slider goes beyond them.

    >>> places(0.1, 0.1, 2.0)
    ['0.05', '0.06', '0.08', '0.1', '0.12', '0.15', '0.2']
    """
    powers = range(math.floor(math.log10(least / spread)), math.ceil(math.log10(most * spread)))
    found = [Decimal(f"{digits}e{power}") for power in powers for digits in MANTISSAS]
    ends = least / spread * (1 - 1e-9), most * spread * (1 + 1e-9)
    return [f"{each:f}" for each in found if ends[0] <= each <= ends[1]]


# --- what can be done ---


def acts(shown: View) -> None:
    """Draw the number of the town, or start over; that of the visitor’s statistic elsewhere."""
    source, b = shown.settings.source, shown.bridge
    parts.problem_of_last_act()
    if source.example is None:
        st.caption("To draw it: Releases, “What if someone asks later?”")
        return
    with st.container(horizontal=True):
        if b.pin is None:
            press.button(
                f"Draw {literal(_whose(source.name))} number",
                _draw,
                source.example,
                source.name,
                shown.settings.amount,
                key="bridge_draw",
                type="primary",
                icon="casino",
            )
        if _LAST.get():
            name = source.held.family.name
            press.button("Start over", _again, name, key="bridge_over", icon="restart_alt")
    if _LAST.get():
        st.caption("Move the slider to ask for another number.")


def _draw(town: Example, name: str, amount: str) -> None:
    town.draw(name, amount)
    _LAST.set(amount)


def _again(family_name: str) -> None:
    """A fresh town: other noise on the same count."""
    opened = _EXAMPLES.get()
    again = opened[family_name].again + 1 if family_name in opened else 0
    opened[family_name] = Example(family_name, again=again)
    _LAST.pop()


# --- the numbers ---


def view(settings: Settings) -> View:
    """All numbers of the page but those of orders."""
    held, bridge = settings.source.held, scenes.scene(settings.source, settings.amount)
    before = earlier(held, bridge.pin)
    fell = scenes.new_number(**scenes.inputs(before, bridge.level))["value"].tolist()
    return View(
        settings=settings,
        bridge=bridge,
        walk=_KEPT.take(held, lambda: scenes.walk(held)),
        room=Room(
            walk=_KEPT.take(before, lambda: scenes.walk(before)),
            ends=(fell[0], fell[-1]) if fell else None,
        ),
    )


def earlier(held: Held, pin: Pin | None) -> Held:
    """What was held before this number was drawn; all of it if there is no other."""
    others = tuple(each for each in held.pins if each != pin)
    return replace(held, pins=others) if others else held


# --- what is said ---


def headline(shown: View) -> Said:
    """What a draw at the slider's level gives, or gave, and what it needs."""
    b = shown.bridge
    if b.pin is not None:
        return _drawn(b, b.pin)
    if b.law is None:
        sharpest = Name(_whose(shown.held.pins[0].tier))
        return say(
            "Not for a sharper number than {sharpest}: that has to be made from the exact one.",
            sharpest=sharpest,
        )
    made = _lazy(b)
    if not b.chances:
        made = say("{who} number is {made}", who=Name(_whose(b.tier)), made=_made(b))
    where = "in this made-up town, " * (b.source.example is not None)
    made = Said(capitalised(where + made.text), made.claims)
    return say("Yes. {made}. Nobody looks at the data again.", made=made)


def _drawn(b: Bridge, pin: Pin) -> Said:
    """The number that somebody holds, how far off it may be, and what it was made from."""
    same = [p for p in b.ends_at if p is not None and p.value == pin.value]
    made = _made(b)
    if b.source.held.family.lazy and same:
        made = say("the same as {who}", who=Name(_whose(same[0].tier)))
    return say(
        "{who} number is {value}, {near}. It is {made}.{end}",
        who=Name(capitalised(_whose(pin.tier))),
        value=_value(b, pin),
        near=_near(b),
        made=made,
        end=" Nobody looked at the data again." if b.ends_at[0] else "",
    )


def _made(b: Bridge) -> Said:
    """What the number is, or was, made from."""
    below, above = b.ends_at
    if above is None:
        more = "more " if below else ""
        return say("{that} with {more}noise added", that=_that(b, below), more=more)
    return say(
        "made from {below}, {above} and a little new noise",
        below=_that(b, below),
        above=_that(b, above),
    )


def _lazy(b: Bridge) -> Said:
    """A walk that rests: the chances to be identical to a neighbour."""
    who, named = Name(with_article(b.tier)), []
    for chance, pin in b.chances:
        if chance > 1 - 1e-12:
            return say("{who} gets exactly {that}", who=who, that=_that(b, pin))
        often = share(
            chance,
            what=f"chance to be exactly the number of {pin.tier}",
            fixed="both numbers that it is made from, and the three noise levels",
            method=f"the distribution of a {b.source.held.family.label} bridge (MATHEMATICS 2)",
        )
        named.append(say("exactly {that} with {often} chance", that=_that(b, pin), often=often))
    return say("{who} gets {which}, otherwise a new number", who=who, which=joined(named, ", "))


def _that(b: Bridge, pin: Pin | None) -> Said:
    """A number that somebody holds, or the exact one, which is not told."""
    if pin is None:
        return Said("the exact one")
    return say("{who} {value}", who=Name(_whose(pin.tier)), value=_value(b, pin))


def _value(b: Bridge, pin: Pin) -> Number:
    """A released number as people read it, as exact as its noise deserves: it is public."""
    held = b.source.held
    claim = Claim(
        what=f"the number of {pin.tier}",
        value=float(held.read(pin.value, pin.level)),
        unit=after(b.source.noun),
        fixed=f"the release at {pin.budget}, drawn once and kept",
        method="read off the release (MATHEMATICS 2)",
    )
    return Number(_written(held, pin), claim)


def _written(held: Held, pin: Pin) -> str:
    value = float(held.read(pin.value, pin.level))
    return number(value, step=max(2 * held.noise(pin.level), float(value.is_integer())))


def _near(b: Bridge) -> Said:
    """How near the exact number it is."""
    half, unit = b.source.held.half(b.level), after(b.source.noun)
    if not half:
        return Said(within(0))
    claim = distance_claim(
        "distance from the exact number",
        half,
        unit,
        b.source.held.family,
        confidence=ACCURACY_CONFIDENCE,
        budget=budget(b.budget.letter, b.budget.loss),
        at=b.level,
    )
    near = Number(within(half, literal(unit)), claim)
    sure = Name(times_in_100(ACCURACY_CONFIDENCE))
    return say("{near} of the exact one ({sure})", near=near, sure=sure)


def _whose(name: str) -> str:
    return f"{with_article(name)}’s"


def beside(shown: View) -> tuple[Said, ...]:
    """How often somebody who knows all but one person guesses right about her."""
    b, one = shown.bridge, shown.bridge.source.one
    about = f"whether one {one} is counted" if b.source.example else f"about one {one}"
    right = b.right.times(f"right by {b.tier}", budget(b.budget.letter, b.budget.loss), one)
    return (
        say(
            "From {whose} number alone, a guess {about} is right {right} ({coin}).",
            whose=Name(_whose(b.tier)),
            about=Name(about),
            right=right,
            coin=A_COIN,
        ),
    )


def reading(shown: View) -> str:
    """What to notice in the picture."""
    b = shown.bridge
    if not any(b.ends_at):
        return "Grey: a new number falls here 95 times in 100."
    chances = " Upright bars: the chance to get exactly that number." if b.chances else ""
    absent = " Audit has no number here." if b.source.example else ""
    return (
        "Dotted line: the median of numbers made this way. Grey: they fall here 95 times in "
        f"100.{chances} Only a number more exact than "
        f"{literal(_whose(shown.held.pins[0].tier))} needs the data."
        f"{absent}"
    )


# --- the picture, and its formulas ---


def picture(shown: View) -> Picture:
    """The walk, the stops held, and the new one."""
    b, held, source = shown.bridge, shown.held, shown.settings.source
    needs = [pin for pin in b.ends_at if pin is not None]
    noisiest = held.pins[-1].level

    def seen(walk: pd.DataFrame) -> pd.DataFrame:
        # nothing below the noisiest stop, where the new one is not
        return walk[walk[LEVEL] <= noisiest] if b.level <= noisiest else walk

    atoms = () if b.law is None else b.law.atoms
    colours = [pin.style.colour if pin else GREY for pin in held.around(b.level)]
    new = NewStop(
        name=b.tier,
        style=source.style,
        noise=held.noise(b.level),
        below="new",
        ends=None if b.ends is None else (b.ends[0], b.ends[2]),
        chances=tuple(
            (float(held.read(value, b.level)), chance, colour)
            for (value, chance), colour in zip(atoms, colours, strict=False)
            if chance > 0
        ),
    )
    return cone(
        _stops(held, needs, b.pin),
        seen(shown.walk),
        what="The numbers that are held, by rising noise.",
        noun=source.where if source.example else f"{source.where}: {source.noun}",
        new=None if b.pin else new,
        threads=[(b.tier, pin.tier) for pin in needs] if b.pin else [],
        room=replace(shown.room, walk=seen(shown.room.walk)),
    )


def _stops(held: Held, needs: Sequence[Pin], large: Pin | None) -> pd.DataFrame:
    """The held numbers, as the form of the cone takes them."""
    rows = []
    for pin in held.pins:
        state = NEW if pin == large else NEEDED if pin in needs else HELD if large else IDLE
        rows.append(_stop(held, pin, state))
    return pd.DataFrame(rows, columns=list(STOPS))


def _stop(held: Held, pin: Pin, state: str) -> tuple[object, ...]:
    value = float(held.read(pin.value, pin.level))
    below = "not needed" if state == IDLE else "released"
    below = pm(held.half(pin.level)) if state == NEW else below  # one ± in the picture
    told = f"Its budget: {pin.budget}."
    return pin.tier, held.noise(pin.level), value, pin.style, state, below, told


def formula(shown: View) -> str:
    """The law of a draw with the numbers of the slider."""
    b, held = shown.bridge, shown.held
    family, level = held.family, b.level
    symbol = family.level_symbol
    lines = [
        f"{capitalised(family.label)} noise; the level {symbol} is the {family.level_name}. "
        f"{budget(b.budget.letter, b.budget.loss)} means {symbol} = {significant(level, 5)}.",
        "Given the numbers on both sides: " + family.bridge_formula,
    ]
    if b.law is None or b.ends is None:
        hidden = "it is released already, or would need the exact number."
        return "\n\n".join([*lines, f"At this level nothing is shown: {hidden}"])
    below, above = held.around(level)
    if below is not None:
        lines.append(rf"l = {significant(below.level, 5)}, y\_l = {number(below.value)}")
    if above is not None:
        lines.append(rf"h = {significant(above.level, 5)}, y\_h = {number(above.value)}")
    if not b.law.atoms:
        weights = zip(held.around(level), held.weights(level), strict=True)
        said = [
            f"that of {literal(pin.tier)} {percent(weight)}"
            for pin, weight in weights
            if pin and weight == weight
        ]
        lines.append(f"In the mean of the new number, each counts: {join(said)}.")
    low, half, high = (significant(end, 6) for end in b.ends)
    lines.append(
        f"95 % of draws fall between **{low}** and **{high}**, half of them up to **{half}**."
    )
    lines += [
        f"Chance to be exactly {number(float(held.read(value, level)))}: **{percent(chance)}**."
        for value, chance in b.law.atoms
        if chance > 0
    ]
    return "\n\n".join(lines)


def facts(shown: View) -> Facts | None:
    """The definitions of the made-up town, which is about nobody; else those of the plan."""
    source = shown.settings.source
    if source.example is None:
        return None
    return footer(
        guarantee_of(source.setting.family).definition,
        unit="one person",
        neighbours="add or remove one person",
        sensitivity="one person moves the number by at most 1",
        data=f"made up: a town of {PEOPLE:,} people, {ILL} with high blood pressure",
        symbols="Δ = 1",
    )


def badges(shown: View) -> list[parts.Badge]:
    """Lossless, and beside which tier."""
    return [parts.lossless(shown.held.pins[0].tier)]


# --- the closer: one session step by step, in two orders of asking ---

RISING, FALLING = ORDERS = ("Least private first", "Most private first")


def step_by_step(_: Workspace, shown: View) -> None:
    """Back and forward, two figures, and the likelihood of the whole in either order."""
    levels = {p.level for p in shown.held.pins}
    order = [level for level in shown.settings.source.order if level in levels]
    if len(order) < 2:
        parts.empty("No order yet.", "Draw a second number: then there are two orders of asking.")
        return
    at = _place(len(order))
    sides = []
    for column, heading in zip(st.columns(2, gap="medium"), ORDERS, strict=True):
        with column:
            sides.append(_one_order(shown, order, at, heading))
    st.caption(verdict(*sides))


def _place(count: int) -> int:
    """Back and forward: the step that both figures show, from 1."""
    at = min(_STEP.get(), count)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for label, by in (("Back", -1), ("Forward", 1)):
            controls.button(
                label,
                _STEP.set,
                at + by,
                icon=f"arrow_{label.lower()}",
                disabled=not 1 <= at + by <= count,
                key=f"bridge_{label.lower()}",
            )
        st.markdown(f"Answer {at} of {count}")
    return at


def _one_order(shown: View, levels: Sequence[float], at: int, heading: str) -> list[Step]:
    """One side: both end with the same numbers; only who asks first differs."""
    order = tuple(sorted(levels, reverse=heading == FALLING))
    held = shown.held
    steps: list[Step] = _KEPT.take((held, order), lambda: scenes.order_steps(held, order))
    names = ", ".join(literal(step.newest.tier) for step in steps[:at])
    parts.picture(
        order_picture(steps, at, held, shown.settings.source.noun),
        heading=heading,
        reading=f"Asked so far: {names}. {answer(steps[at - 1], shown)}",
        key=f"bridge_steps_{ORDERS.index(heading)}",
    )
    return steps


def order_picture(steps: Sequence[Step], at: int, held: Held, noun: str) -> Picture:
    """What is held after one answer; those still to come have their rows already."""
    step, rows = steps[at - 1], []
    for pin in steps[-1].pins:
        state = NEW if pin == step.newest else HELD if pin in step.pins else WAITING
        rows.append(_stop(held, pin, state))
    stops = pd.DataFrame(rows, columns=list(STOPS))
    shown = f"Answer {at} of {len(steps)}."
    room = Room(walk=steps[-1].walk, alone=True)
    return cone(stops, step.walk, what=shown, noun=noun, room=room)


def answer(step: Step, shown: View) -> str:
    """What the newest got, and how likely that was."""
    pin, noun = step.newest, literal(shown.settings.source.noun)
    got = f"{literal(capitalised(pin.tier))} gets {_written(shown.held, pin)} {noun}"
    if math.isnan(step.likelihood):
        return f"{got}. The chance of this number is hidden: it would tell the exact number."
    return f"{got}, of likelihood {significant(step.likelihood, 3)}."


def verdict(first: Sequence[Step], second: Sequence[Step]) -> str:
    """How likely all answers together are in either order: the product over the steps."""
    products = [math.prod(step.likelihood for step in side) for side in (first, second)]
    if any(map(math.isnan, products)):
        return "Answers given before never change, and both orders end with the same picture."
    left, right = (significant(product, 3) for product in products)
    return (
        f"**Same distribution.** Likelihood of all {len(first)} answers together: left {left}, "
        f"right {right}. The order does not matter: nobody can tell from the numbers who asked "
        "first. (Likelihood: the chance of a whole number or of exactly the number next to it, "
        "else the density.)"
    )


PAGE = PageForm(
    file="bridge_paths",
    specialist=noise_in_use,
    controls=settings,
    scene=view,
    headline=headline,
    picture=picture,
    reading=reading,
    beside=beside,
    acts=acts,
    formula=formula,
    recipe=scenes.new_number,
    arguments=lambda shown: scenes.inputs(shown.held, shown.bridge.level),
    closers=(
        Closer(
            label="Step by step, in two orders (Figure 1 of Andersson et al., 2025)",
            inside=step_by_step,
            key="bridge_steps",
        ),
    ),
    badges=badges,
    facts=facts,
)
