"""Controls of the Collusion page: whose tiers, who compares notes, how many of them.

The page opens on the visitor's own tiers, or on the made-up town before there is a plan. Only
budgets, names and head-counts are used: they are public, and the data is not touched.
"""

import zlib
from dataclasses import dataclass, replace

import streamlit as st

from dpviz.accounting.guarantees import guarantee_of
from dpviz.charts.collusion.frame import COUNTS, MOST_MEMBERS, Holder, Plan
from dpviz.errors import ParameterError
from dpviz.experiments.moved import Moved, moves_of
from dpviz.noise import ADDITIVE
from dpviz.palette import TierStyle
from dpviz.parameters import EPSILON, RHO, USUAL_DELTA
from dpviz.planning.budgets import Setting
from dpviz.planning.cast import STYLES
from dpviz.planning.tiers import DEFAULT_TIERS, FIRST_PLAN
from dpviz.queries import Nouns, Sensitivity
from dpviz.queries.nouns import PERSON
from dpviz.ui.kit import controls, parts
from dpviz.ui.kit.state import Shelf, field
from dpviz.words import after, clean, percent, rounded_up
from dpviz.workspace import account
from dpviz.workspace.workspace import Workspace

EXAMPLE, OWN = "example", "own"
ONE, EVERYBODY, TYPED = "one", "everybody", "typed"
COUNTING = {EVERYBODY: "everybody", ONE: "one each", TYPED: "typed"}
_WHOLES = Shelf[float]("collusion_wholes")
WHOSE = {EXAMPLE: "made-up town", OWN: "my tiers"}


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What the page shows: a plan, how many hold each clearance, and the coalition."""

    plan: Plan
    people: dict[str, int | None]
    members: tuple[Holder, ...]  # ascending by budget; empty while nobody is ticked
    noun: str
    own: bool
    moves: tuple[Moved, ...]  # that one person can make, in steps
    unit: str = ""  # after a distance that a person moves a number by
    replaced: bool = False  # neighbours: one person in the place of another, none more or less
    nouns: Nouns = PERSON

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Whose tiers are looked at, before anybody compares notes."""

    tiers: tuple[Holder, ...]
    people: dict[str, int | None]
    setting: Setting
    own: bool
    problems: tuple[str, ...] = ()  # which tiers are left out, and why

    @property
    def names(self) -> int:
        """Stands in keys for these tiers: for others the fields begin afresh."""
        return zlib.crc32(repr([t.name for t in self.tiers]).encode())

    @property
    def everybody(self) -> tuple[Holder, ...]:
        """All tiers, with how many hold a number."""
        return tuple(replace(t, joining=_joining(self.people[t.name])) for t in self.tiers)


def whose(ws: Workspace) -> Asked:
    """Whose tiers: the visitor's at first if they are not those that everybody finds here."""
    theirs = tuple(ws.plan.tiers) not in ((), FIRST_PLAN) or bool(ws.rounds)
    chosen = controls.segmented_control(
        "Whose tiers?",
        WHOSE,
        default=OWN if theirs else EXAMPLE,
        key="collusion_whose_theirs" if theirs else "collusion_whose",
        help="Made-up town: a count of people with Gaussian noise, which one person moves by 1. "
        "My tiers: your plan, with its noise and its sensitivity.",
    )
    return _own(ws) if chosen == OWN else _example()


def counted(asked: Asked) -> tuple[Holder, ...]:
    """All tiers: one reader of each, or every reader where more of them are known."""
    if all((many or 1) == 1 for many in asked.people.values()):
        return asked.tiers
    how = controls.segmented_control(
        "Who compares notes?",
        {ONE: "one reader of each tier", EVERYBODY: "every reader"},
        default=ONE,
        key="collusion_persons",
        help="Every reader: as many people as the page Tiers states for each tier. A tier: a group "
        "of readers, who all get the same numbers.",
    )
    return asked.everybody if how == EVERYBODY else asked.tiers


def picked(asked: Asked) -> tuple[Holder, ...]:
    """The tiers and readers that somebody picks; the least private one is named first."""
    looks = {t.name: _look(t) for t in asked.tiers[::-1]}
    chosen = controls.pills(
        "Tiers in the group",
        list(looks),
        default=list(looks),
        format_func=lambda name: parts.chip(name, looks[name]),
        key=f"collusion_ticked_{asked.names}",
        help="Tick the tiers that pool their numbers.",
    )
    return _with_readers(tuple(t for t in asked.tiers if t.name in set(chosen)), asked)


def view(ws: Workspace, asked: Asked, members: tuple[Holder, ...], whole: float) -> View:
    """A group of readers, and what it learns about.

    Args:
        ws: the visitor's.
        asked: whose tiers.
        members: the group.
        whole: the budget of the one global release.
    """
    plan = Plan(tiers=asked.tiers, setting=asked.setting, whole=whole)
    once = (Moved(((1.0, 1),)),)  # in the made-up town
    shown = View(
        plan=plan, people=asked.people, members=members, noun=PERSON.many, moves=once, own=asked.own
    )
    query = ws.statistic.query
    if not asked.own:
        return shown
    return replace(
        shown,
        noun=query.noun_released,
        moves=moves_of(query),
        unit=after(query.noun) if query.clip is not None and query.per_value == 1 else "",
        replaced=query.bounds.relation == "replace",
        nouns=query.nouns,
    )


def _look(holder: Holder) -> TierStyle:
    return TierStyle(holder.slot, holder.symbol)


def _with_readers(ticked: tuple[Holder, ...], asked: Asked) -> tuple[Holder, ...]:
    """How many persons of each ticked tier are in the group."""
    how = controls.segmented_control(
        "Persons of each tier",
        COUNTING,
        default=EVERYBODY,
        key="collusion_picked",
        help="Everybody: as many people as the page Tiers states for each tier, or one where it "
        "states none. Typed: you say how many.",
    )
    if how == ONE:
        return ticked
    everybody = {t.name: t.joining for t in asked.everybody}
    if how == EVERYBODY:
        return tuple(replace(m, joining=everybody[m.name]) for m in ticked)
    return tuple(replace(m, joining=_typed(m, everybody[m.name], asked.names)) for m in ticked)


def _joining(people: int | None) -> int:
    return min(max(people or 1, 1), MOST_MEMBERS)


def _typed(member: Holder, people: int, names: int) -> int:
    """The typed head-count of one tier; at first that of the table of tiers."""
    return controls.number_input(
        f"Persons of {parts.chip(member.name, _look(member))}",
        1,
        MOST_MEMBERS,
        people,
        key=f"collusion_persons_{names}_{zlib.crc32(member.name.encode())}",
    )


def _example() -> Asked:
    """The cast: the tiers of every example, over a count of people of the made-up town."""
    one = Sensitivity(l0=1, l1=1, l2=1, linf=1)
    setting = Setting(family=ADDITIVE["gaussian"], delta=USUAL_DELTA, sensitivity=one, dimension=1)
    tiers = tuple(
        Holder(name=t.name, loss=float(t.amount), slot=look.slot, symbol=look.symbol)
        for t in DEFAULT_TIERS
        for look in (STYLES[t.name],)
    )
    people = {t.name: t.members for t in DEFAULT_TIERS}
    return Asked(tiers=tiers, people=people, setting=setting, own=False)


def _own(ws: Workspace) -> Asked:
    problems = ws.planned()[1]
    known, left_out = account.at_plan(ws, ws.known())
    tiers = tuple(
        Holder(name=p.name, loss=loss, slot=style.slot, symbol=style.symbol)
        for p, loss in known
        for style in (ws.plan.style_of(p.name),)
    )
    return Asked(
        tiers=tiers,
        people={p.name: p.people for p, _ in known},
        setting=ws.setting,
        own=True,
        problems=(*problems[:1], *left_out),
    )


def whole(asked: Asked) -> float:
    """The typed budget of the global release; the last usable one while it cannot be used."""
    letter, least = guarantee_of(asked.setting.family).letter, asked.tiers[-1].loss
    names = asked.names
    enough = f"{rounded_up(least, 4):.15g}"  # as people type it
    typed = controls.text_input(
        f"Global release: {letter}",
        enough,
        key=f"collusion_whole_{letter}_{names}_{least!r}",
        help="For the way “global release + separate noise”: the owner makes one release at this "
        "budget, and each person gets it with independent noise. No tier may have a larger budget.",
    )
    key = f"{letter}_{names}_{least!r}"
    st.caption("small budget: more private, more noise · large budget: less private, less noise")
    if str(typed).strip() == enough:  # however large the largest tier is
        return _WHOLES.put(key, least)
    try:
        whole = float((RHO if letter == "ρ" else EPSILON).read(str(typed), where="Global release"))
        if whole < least:
            raise ParameterError(
                f"Global release: {typed} is below the largest budget of a tier. "
                f"Type at least {enough}."
            )
        _WHOLES.put(key, whole)
    except ParameterError as error:
        parts.refusal(str(error))
    return _WHOLES.take(key, lambda: least)


PRIOR, COUNT = "collusion_prior", "collusion_count"
USUAL_PRIOR, USUAL_COUNT = 0.5, 4


def prior(belief: str) -> None:
    """How likely it seemed before.

    Args:
        belief: what seemed so likely, such as "this person is in the table".
    """
    controls.select_slider(
        "Belief before any release",
        (0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99),
        value=USUAL_PRIOR,
        format_func=percent,
        key=PRIOR,
        help=f"How likely the attacker thought, before any release, that {belief}.",
    )
    st.caption("left: hardly believed · right: nearly certain")


def prior_held() -> float:
    """How likely it seemed before, whether or not its field is on the page."""
    return float(field(PRIOR) or USUAL_PRIOR)


def of_one_tier(shown: View) -> None:
    """Which tier’s members collude, and how many of them are read off."""
    tiers = shown.plan.tiers
    controls.selectbox(
        "Members of",
        range(len(tiers)),
        index=min(1, len(tiers) - 1),
        format_func=lambda i: f"{shown.look(tiers[i]).glyph} {clean(tiers[i].name)}",
        key=_members_key(shown),
        help="All of them have releases at the same budget.",
    )
    controls.select_slider(
        "How many",
        COUNTS,
        value=USUAL_COUNT,
        format_func=lambda k: f"{k:,}",
        key=COUNT,
        help="The dotted line in the picture.",
    )
    st.caption("left: few collude · right: many collude")


def one_tier_held(shown: View) -> tuple[Holder, int]:
    """That tier and number, whether or not the fields are on the page."""
    tiers, place = shown.plan.tiers, field(_members_key(shown))
    chosen = min(1, len(tiers) - 1) if place is None else place
    return tiers[chosen], int(field(COUNT) or USUAL_COUNT)


def _members_key(shown: View) -> str:
    return f"collusion_tier_{zlib.crc32(repr([t.name for t in shown.plan.tiers]).encode())}"
