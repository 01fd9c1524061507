"""Controls of the Collusion page: whose tiers, who compares notes, how many of them, against what.

The page opens on a made-up plan; the visitor's own tiers are a click away. Only budgets, names and
head-counts are used: they are public, and the data is not touched.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from dpviz.charts.collusion.frame import COUNTS, MOST_MEMBERS, Holder, Plan
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE
from dpviz.palette import TierStyle, slots_for
from dpviz.parameters import EPSILON, RHO, USUAL_DELTA
from dpviz.planning.budgets import Setting
from dpviz.queries import Sensitivity
from dpviz.ui.kit import controls, parts
from dpviz.ui.kit.state import Shelf
from dpviz.words import clean, percent, rounded_up
from dpviz.words.markdown import literal
from dpviz.workspace import account
from dpviz.workspace.workspace import Workspace

EXAMPLE, OWN = "example", "own"
ONE, EVERYBODY, TYPED = "one", "everybody", "typed"
COUNTING = {ONE: "one each", EVERYBODY: "everybody", TYPED: "typed"}
_WHOLES = Shelf[float]("collusion_wholes")
WHOSE = {EXAMPLE: "made-up example", OWN: "my tiers"}
_EXAMPLE = (("public", 0.02, None), ("partners", 0.1, 16), ("research", 0.3, 4), ("audit", 1.0, 2))


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What the page shows: a plan, how many hold each clearance, and the coalition."""

    plan: Plan
    people: dict[str, int | None]
    members: tuple[Holder, ...]  # ascending by budget; empty while nobody is ticked
    noun: str
    own: bool
    replaced: bool = False  # neighbours: one person in the place of another, none more or less

    @property
    def persons(self) -> int:
        """How many persons collude."""
        return sum(m.joining for m in self.members)

    @property
    def last(self) -> Holder:
        """The least private member."""
        return self.members[-1]

    def look(self, holder: Holder) -> TierStyle:
        """Colour and symbol of a tier."""
        return TierStyle(holder.slot, holder.symbol)

    def budget(self, loss: float) -> str:
        """A bound on the privacy loss of one release, with its δ where it has one."""
        return self.plan.loss_words(loss)


def view(ws: Workspace) -> View | None:
    """All controls of the main picture; None where there is no tier."""
    whose = controls.segmented_control(
        "Whose tiers",
        WHOSE,
        default=EXAMPLE,
        key="collusion_whose",
        help="The example counts people with Gaussian noise; one person moves the number by 1. "
        "My tiers: your plan, with its noise and its sensitivity.",
    )
    own = whose == OWN
    tiers, people, setting = _own(ws) if own else _example()
    if not tiers:
        return None
    names = zlib.crc32(repr([t.name for t in tiers]).encode())
    plan = Plan(tiers=tiers, setting=setting, whole=tiers[-1].loss)
    ticked = _tick(tiers, f"collusion_ticked_{names}")
    ticked = _counted(ticked, people, names)
    return View(
        plan=replace(plan, whole=_whole(plan, names)),
        people=people,
        members=ticked,
        noun=ws.statistic.query.noun_released if own else "people",
        own=own,
        replaced=own and ws.statistic.query.bounds.relation == "replace",
    )


def _counted(
    ticked: tuple[Holder, ...], people: dict[str, int | None], names: int
) -> tuple[Holder, ...]:
    """How many persons of each ticked tier join in."""
    how = controls.segmented_control(
        "Persons of each tier",
        COUNTING,
        default=ONE,
        key="collusion_persons",
        help="Everybody: all who have the clearance in the table of tiers; a tier without a "
        "number of people there sends one. A typed number: you say how many.",
    )
    if how == EVERYBODY:
        return tuple(replace(m, joining=_joining(people[m.name])) for m in ticked)
    if how == TYPED:
        return tuple(replace(m, joining=_typed(m, people[m.name], names)) for m in ticked)
    return ticked


def _joining(people: int | None) -> int:
    return min(max(people or 1, 1), MOST_MEMBERS)


def _typed(member: Holder, people: int | None, names: int) -> int:
    """The typed head-count of one tier; at first that of the table of tiers."""
    return controls.number_input(
        f"Persons of {parts.chip(member.name, TierStyle(member.slot, member.symbol))}",
        1,
        MOST_MEMBERS,
        _joining(people),
        key=f"collusion_persons_{names}_{zlib.crc32(member.name.encode())}",
    )


def _example() -> tuple[tuple[Holder, ...], dict[str, int | None], Setting]:
    one = Sensitivity(l0=1, l1=1, l2=1, linf=1)
    setting = Setting(family=ADDITIVE["gaussian"], delta=USUAL_DELTA, sensitivity=one, dimension=1)
    looks = zip(_EXAMPLE, slots_for(len(_EXAMPLE)), range(len(_EXAMPLE)), strict=True)
    tiers = tuple(
        Holder(name=name, loss=loss, slot=slot, symbol=symbol)
        for (name, loss, _), slot, symbol in looks
    )
    return tiers, {name: people for name, _, people in _EXAMPLE}, setting


def _own(ws: Workspace) -> tuple[tuple[Holder, ...], dict[str, int | None], Setting]:
    problems = ws.planned()[1]
    known, left_out = account.at_plan(ws, ws.known())
    for problem in [*problems[:1], *left_out]:
        st.caption(literal(problem))
    tiers = tuple(
        Holder(name=p.name, loss=loss, slot=style.slot, symbol=style.symbol)
        for p, loss in known
        for style in (ws.plan.style_of(p.name),)
    )
    return tiers, {p.name: p.people for p, _ in known}, ws.setting


def _tick(tiers: Sequence[Holder], key: str) -> tuple[Holder, ...]:
    """The ticked tiers; at first all but the least private one, so that its absence is seen."""
    looks = {t.name: TierStyle(t.slot, t.symbol) for t in tiers}
    first = [t.name for t in tiers]
    chosen = controls.pills(
        "Who compares notes?",
        list(looks),
        default=first[:-1] or first,
        format_func=lambda name: parts.chip(name, looks[name]),
        key=key,
        help="Tick the tiers that put what they hold together.",
    )
    return tuple(t for t in tiers if t.name in set(chosen))


def _whole(plan: Plan, names: int) -> float:
    """The typed budget of the global release; the last usable one while it cannot be used."""
    letter, least = plan.letter, plan.whole
    enough = f"{rounded_up(least, 4):.15g}"  # as people type it
    typed = controls.text_input(
        f"Global release: {letter}",
        enough,
        key=f"collusion_whole_{letter}_{names}_{least!r}",
        help="For the scheme “global release + own noise”: one release at this budget is made, and "
        "each person gets it with independent noise. Nobody may hold more.",
    )
    key = f"{letter}_{names}_{least!r}"
    try:
        whole = float((RHO if letter == "ρ" else EPSILON).read(str(typed), where="Global release"))
        if whole < least:
            raise ParameterError(
                f"Global release: {typed} is less than the largest tier holds. "
                f"Type at least {enough}."
            )
        _WHOLES.put(key, whole)
    except ParameterError as error:
        parts.refusal(str(error))
    st.caption("small budget: more private, more noise · large budget: less private, less noise")
    return _WHOLES.take(key, lambda: least)


def prior(belief: str) -> float:
    """How likely it seemed before.

    Args:
        belief: what seemed so likely, such as "this person is in the table".
    """
    chosen = controls.select_slider(
        "How likely it seemed before",
        (0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99),
        value=0.5,
        format_func=percent,
        key="collusion_prior",
        help=f"What the attacker believed before any release: that {belief}.",
    )
    st.caption("left: hardly believed · right: nearly certain")
    return float(chosen)


def of_one_tier(shown: View) -> tuple[Holder, int]:
    """Which tier’s members collude, and how many of them are read off."""
    tiers = shown.plan.tiers
    names = zlib.crc32(repr([t.name for t in tiers]).encode())
    place = controls.selectbox(
        "Members of",
        range(len(tiers)),
        index=min(1, len(tiers) - 1),
        format_func=lambda i: f"{shown.look(tiers[i]).glyph} {clean(tiers[i].name)}",
        key=f"collusion_tier_{names}",
        help="All of them hold releases at the same budget.",
    )
    count = controls.select_slider(
        "How many",
        COUNTS,
        value=4,
        format_func=lambda k: f"{k:,}",
        key="collusion_count",
        help="The dotted line in the picture.",
    )
    st.caption("left: few collude · right: many collude")
    return tiers[place], int(count)
