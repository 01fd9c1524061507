"""Controls of the page Continual counting: which stream, which tree, and who reads along."""

from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.accounting.conversions import rho_to_mu
from dpviz.errors import ParameterError
from dpviz.parameters import EPSILON
from dpviz.planning.cast import COUNCIL, RHO, amounts
from dpviz.planning.typed import whole
from dpviz.ui.continual_counting.example import (
    HOURS,
    Counting,
    Example,
    example,
    example_view,
    start_over,
)
from dpviz.ui.continual_counting.own import buttons, own_view
from dpviz.ui.continual_counting.streams import kept, of_list, of_table
from dpviz.ui.kit import controls, looking, panel, parts, press
from dpviz.words import capitalised, clean, join, rounded_down
from dpviz.words.markdown import literal
from dpviz.workspace.counting import Branching, Subject, readers, subject
from dpviz.workspace.guesses import right_of_epsilon
from dpviz.workspace.held import HeldTier
from dpviz.workspace.plan import NEWCOMERS, free_name
from dpviz.workspace.projects.absent import is_absent
from dpviz.workspace.workspace import Workspace

EXAMPLE, TABLE, LIST = "made-up", "my table", "my counts"
LIVE, KEPT = "live counter", "whole stream"
LARGEST_ARITY = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The stream and who reads it; either the example or the visitor's own.

    Attributes:
        counting: the stream with its readers.
        branching: how its blocks lie in one another.
        example: the made-up stream.
        own: the visitor's.
        reader: the tier whose count is drawn.
    """

    counting: Counting
    branching: Branching
    example: Example | None
    own: Subject | None
    reader: HeldTier

    def drawn(self) -> tuple[HeldTier, ...]:
        """What the reader has read by now, and those who joined late; nothing if nobody has."""
        late = {reader.name for reader, _ in self.example.joined} if self.example else set()
        shown = {self.reader.name, *late}
        return tuple(tier for tier in self.counting.tiers() if tier.name in shown)


def source() -> str:
    """Which stream."""
    return controls.look_at(
        EXAMPLE,
        TABLE,
        LIST,
        key="counting_source",
        help="An invented stream of calls: its exact count is public, and drawn in grey. "
        "Your own counts, from the table or typed, stay hidden.",
    )


def view(ws: Workspace, chosen: str, branching: Branching | None, live: bool) -> View | None:
    """The stream and who reads it; None where there is nothing to show, the reason on screen."""
    if branching is None:
        return None
    if chosen == EXAMPLE:
        return _example(ws, branching, live)
    own = _own(ws, chosen, branching)
    if own is None:
        return None
    tiers, left_out = own.tiers(ws)
    if not tiers:
        _nobody(left_out)
        return None
    buttons(ws, own)
    shown = looking.reveal(
        ws,
        own.stream.table,
        "Reveal the exact numbers: not private",
        key="counting_reveal",
        help_text="For teaching: the exact running count is drawn in grey.",
    )
    counting = own_view(ws, own, shown)
    reader = _reader(counting)
    return View(counting=counting, branching=own.branching, example=None, own=own, reader=reader)


def _reader(counting: Counting) -> HeldTier:
    """Whose count is drawn: of those who have read, the sharpest at first."""
    held = {tier.name: tier for tier in counting.tiers()}
    everybody = {tier.name: tier for tier in counting.readers} | held
    chosen = controls.selectbox(
        "Whose count?",
        list(everybody),
        index=list(everybody).index(max(held or everybody, key=lambda n: everybody[n].loss)),
        format_func=clean,
        key=controls.keyed("counting_reader", (list(held), list(everybody))),
        lasting=False,
    )
    return everybody[chosen]


def _own(ws: Workspace, chosen: str, branching: Branching) -> Subject | None:
    """The visitor's stream, or one that a project holds of a table that is not loaded."""
    if chosen == TABLE and is_absent(ws.table) and (held := kept(ws)) is not None:
        return held
    stream = of_table(ws) if chosen == TABLE else of_list()
    if stream is None:
        return None
    if stream.steps < 2:
        parts.refusal("A stream needs at least two steps. Use a shorter interval or add counts")
        return None
    return subject(ws, stream, branching)


def _nobody(left_out: list[str]) -> None:
    names = f" ({literal(join(left_out))})" if left_out else ""
    parts.refusal(f"No tier has an ε for a stream{names}. Give one an ε or a ρ on the page Tiers")
    parts.link("tiers")


def more(chosen: str, place: DeltaGenerator | None) -> tuple[Any, Branching | None, bool]:
    """In the drawer: a place for the pace, the tree, and whether the example is a live counter.

    The tree is None if what is typed cannot be used.
    """
    live = True
    with place or st.container():
        pace = st.container()
        if chosen == EXAMPLE:
            live = _kept() == LIVE
        typed = controls.text_input(
            "Branches k: smaller blocks in a larger one",
            "",
            placeholder="best for this stream",
            key="counting_arity",
            help="2 to 100. Left empty: the k with the least mean squared error, computed exactly.",
        )
        subtraction = controls.toggle(
            "Blocks may be subtracted",
            value=True,
            wrap=True,
            key="counting_subtraction",
            help="A step just short of the end of a wide block is then that block minus a few "
            "small ones.",
        )
        st.caption("Changing the tree starts a new session, and the example, with fresh noise.")
    text = typed.strip()
    try:
        arity = whole(text, where="Branches k", least=2, most=LARGEST_ARITY) if text else None
    except ParameterError as error:
        parts.refusal(str(error))
        return pace, None, live
    return pace, Branching(arity, bool(subtraction)), live


def _kept() -> str:
    """What is kept of the example."""
    return controls.segmented_control(
        "What is kept",
        (LIVE, KEPT),
        default=LIVE,
        key="counting_form",
        help="A live counter keeps a handful of numbers and forgets the past; a tier that comes "
        "later reads from the next hour on. With “whole stream” that tier may read past hours, "
        "too.",
    )


def harm(view: View) -> None:
    """How often an attacker can be right at most about one call; why it differs from Tiers."""
    tier = view.reader
    chip = parts.chip(tier.name, tier.style)
    text = (
        f":small[Guessing whether one {view.counting.one} was counted,] :small[{chip} is right at "
        f"most {right_of_epsilon(tier.loss).count} times in 1,000 (a coin: 500), by its budget on "
        f"this page, {tier.budget}.]"
    )
    st.markdown(text)  # a caption dulls the symbols


def _example(ws: Workspace, branching: Branching, live: bool) -> View | None:
    one = example(ws, branching, live)
    if one is None:
        _nobody(readers(ws, branching.tree(HOURS), HOURS, 1)[1])
        return None
    counting = example_view(ws, one)
    reader = _reader(counting)
    return View(counting=counting, branching=branching, example=one, own=None, reader=reader)


def newcomer(ws: Workspace, one: Example) -> None:
    """Who comes later, at which budget, and what that changes for the others."""
    taken = {reader.name for reader, _ in one.everybody}
    name = free_name(taken)
    who = f"the {name}" if name in NEWCOMERS else name
    usual = newcomer_epsilon(ws)
    keeps = usual != amounts("ε")[COUNCIL.name]
    start = "from the next hour on" if one.live else "all hours, the past ones too"
    st.markdown(
        f"{capitalised(literal(who))} is a new tier (group of readers). It reads {start}; earlier "
        "numbers stay as they are, and all readers together still learn no more than the sharpest "
        "one."
    )
    text = controls.text_input(
        f"Budget ε of {who} (larger: sharper, less private)",
        usual,
        key="counting_joining",
        help="One more reader. ε bounds its privacy loss over the whole stream."
        + keeps
        * f" ε = {usual} gives away no more than ρ = {COUNCIL.amount}, its budget elsewhere.",
    )
    press.button(
        f"Let {who} read from now on" if one.live else f"Let {who} read all hours",
        _read_and_join,
        one,
        name,
        text,
        key="counting_join",
        icon="person_add",
        width="stretch",
    )
    parts.problem_of_last_act()
    if one.joined:
        st.info(_joined(one), icon=":material/visibility:")
        panel.start_over("Start the example over", start_over, key="counting_over")


def newcomer_epsilon(ws: Workspace) -> str:
    """The council's budget as typed text: a round ε that keeps its ρ, if the plan is in ρ."""
    if all(tier.kind == "ρ" for tier in ws.plan.tiers):
        return f"{rounded_down(rho_to_mu(RHO[COUNCIL.name]), 1):g}"  # ε-DP implies ε²/2-zCDP
    return amounts("ε")[COUNCIL.name]


def _joined(one: Example) -> str:
    """What the last to join reads."""
    reader, first = one.joined[-1]
    name = capitalised(literal(reader.name))
    if not one.live:
        return f"{name} reads all hours, the past ones too: its count is in the picture."
    return (
        f"{name} reads from hour {first:,} on and no hour before. Its line begins with the hours "
        "to come: press Play."
    )


def _read_and_join(one: Example, name: str, text: str) -> None:
    one.join(name, EPSILON.read(text, where=f"ε of {name}"))
