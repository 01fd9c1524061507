"""Controls of the page Composition: the sequence, its δ, and what more is to be asked."""

import math
from dataclasses import dataclass
from fractions import Fraction

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.accounting.bounds import ANY_ORDER, FIXED_ORDER, IN_ADVANCE, Bound
from dpviz.parameters import DELTA, DELTA_MEANING, EPSILON
from dpviz.ui.composition import rows
from dpviz.ui.kit import controls, parts
from dpviz.words import capitalised, delta
from dpviz.words.markdown import literal
from dpviz.workspace.composition import ANSWERS, MOST_PARTS, Part, read_part
from dpviz.workspace.composition_room import Room, room
from dpviz.workspace.composition_totals import SUM, sum_of, totals, usable
from dpviz.workspace.guesses import Right, right_of
from dpviz.workspace.workspace import Workspace

CHANGE = "Change the questions"
NAMES = {answer.name: answer for answer in ANSWERS}
CHOSEN = {  # what may depend on earlier answers
    FIXED_ORDER: "one by one, in this order",
    ANY_ORDER: "one by one, in any order",
    IN_ADVANCE: "all in advance",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What is composed.

    Attributes:
        sequence: the parts in order.
        delta: δ of all together, exact.
        granted: what may depend on earlier answers, one of `bounds.ASSUMPTIONS`.
        totals: the total ε by every bound, the smallest first.
        limit: total ε that may be spent, exact; None: nothing usable is typed.
        more: the part of which more is to be asked.
        notes: what each part was, for a visitor; "" where that is only its kind.
    """

    sequence: tuple[Part, ...]
    delta: Fraction
    granted: str
    totals: tuple[Bound, ...]
    limit: Fraction | None
    more: Part
    notes: tuple[str, ...]

    @property
    def log_delta(self) -> float:
        """Ln δ."""
        return math.log(self.delta)

    @property
    def count(self) -> int:
        """How many answers there are."""
        return sum(part.count for part in self.sequence)

    @property
    def exact_sum(self) -> Fraction | None:
        """The sum of all ε, exact; None where an answer has a ρ."""
        pure = all(part.epsilon is not None for part in self.sequence)
        return sum_of(self.sequence, self.delta) if pure else None

    @property
    def one_epsilon(self) -> Fraction | None:
        """The ε of the answer of which more is to be asked, or else of the first that has one."""
        found = (part.epsilon for part in (self.more, *self.sequence))
        return next((epsilon for epsilon in found if epsilon is not None), None)

    @property
    def best(self) -> Bound:
        """The smallest bound that holds."""
        return usable(self.totals, self.granted)[0]

    @property
    def added(self) -> Bound:
        """The sum of all ε."""
        return next(bound for bound in self.totals if bound.name == SUM)

    @property
    def guesses(self) -> Right:
        """What an attacker makes of all answers."""
        return right_of(self.sequence)

    @property
    def room(self) -> Room | None:
        """How many more answers fit; None without a limit."""
        if self.limit is None:
            return None
        asked = {"limit": self.limit, "delta": self.delta, "granted": self.granted}
        return room(self.sequence, self.more, **asked)  # type: ignore[arg-type]


def view(
    ws: Workspace,
    questions: DeltaGenerator,
    adding: DeltaGenerator,
    beside: DeltaGenerator,
    settings: DeltaGenerator,
) -> View | None:
    """All controls; None where there is nothing to add up, with the reason on screen.

    Args:
        ws: the workspace whose releases may be loaded.
        questions: where they go.
        adding: where the button for one more question goes.
        beside: where the fields of what may be spent go.
        settings: where what only specialists change goes.
    """
    kept = rows.ROWS.get()
    with questions:
        typed = [_row(place, number) for place, number in enumerate(kept.order)]
    with adding:
        _add()
    with settings:
        _whole(ws)
        granted, at = _granted(), _delta(ws)
    found = tuple(part for part in typed if part is not None)
    with beside:
        limit, more = _limit(), _more(found)
    if more is None or at is None or len(found) < len(typed):
        return None
    every = parts.usable(lambda: totals(found, at))
    if every is None:
        return None
    notes = tuple(_note(number, part) for number, part in zip(kept.order, found, strict=True))
    return View(
        sequence=found,
        delta=at,
        granted=granted,
        totals=every,
        limit=limit,
        more=more,
        notes=notes,
    )


def _note(number: int, part: Part) -> str:
    """What a row says of itself, if its kind is still the one that it began with."""
    name, _, _, note = rows.ROWS.get().began[number]
    return note if name == part.answer.name else ""


def any_rows() -> bool:
    """Whether there is any question, usable or not."""
    return bool(rows.ROWS.get().order)


def _row(place: int, number: int) -> Part | None:
    """The fields of one part and its buttons; None where it cannot be used, with the reason."""
    began = rows.ROWS.get().began[number]
    last = len(rows.ROWS.get().order) - 1
    where = f"Question {place + 1}"
    with st.container(border=True, gap="xsmall"):
        st.markdown(f"**{place + 1}** {literal(began[3])}" if began[3] else f"**{where}**")
        name = controls.selectbox(
            "Kind of answer",
            list(NAMES),
            index=list(NAMES).index(began[0]),
            format_func=capitalised,
            key=f"composition_answer_{number}",
        )
        answer = NAMES[name]
        with st.container(horizontal=True, gap="xsmall", vertical_alignment="bottom"):
            count = controls.text_input(
                "How many", began[2], key=f"composition_count_{number}", width=80
            )
            budget = controls.text_input(
                answer.budget,
                began[1],
                key=f"composition_budget_{number}",
                help=f"Of each answer. {capitalised(answer.name)}: {answer.meaning}.",
                width=112,
            )
            _change(place, number, last)
        return parts.usable(lambda: read_part(answer, budget, count, where=where))


def _change(place: int, number: int, last: int) -> None:
    """What moves a question or takes it away."""
    with st.container(horizontal=True, gap="xsmall", key=f"composition_change_{number}"):
        for label, by, there in (("Up", -1, place > 0), ("Down", 1, place < last)):
            key = f"composition_{label.lower()}_{number}"
            controls.button(
                f"Move {label.lower()}", rows.move, number, by, key=key, disabled=not there
            )
        controls.button("Remove", rows.remove, number, key=f"composition_remove_{number}")


def _add() -> None:
    """One more question, and back to what was there before."""
    kept = rows.ROWS.get()
    controls.button(
        "Add a question",
        rows.add,
        key="composition_add",
        icon="add",
        type="primary",
        disabled=len(kept.order) >= MOST_PARTS,
    )
    if kept.before is not None:
        controls.button("Undo", rows.undo, key="composition_undo", icon="undo")


def _whole(ws: Workspace) -> None:
    """Other questions in the place of these, or none."""
    with st.container(horizontal=True, gap="xsmall"):
        controls.button(
            "Load my releases",
            rows.load,
            ws,
            key="composition_load",
            icon="input",
            disabled=not ws.ledger,
            help="Replaces these questions by what this workspace has released, each session at "
            "its largest budget."
            + ("" if ws.ledger else " Nothing has been released yet: see the page Releases."),
        )
        there = bool(rows.ROWS.get().order)
        controls.button("Remove all", rows.clear, key="composition_clear", disabled=not there)


def _delta(ws: Workspace) -> Fraction | None:
    """The δ of all together, as typed; it begins at the plan's."""
    typed = controls.text_input(
        "δ of all together",
        delta(ws.delta),
        key=f"composition_delta_{ws.delta!r}",
        help=f"δ, delta: {DELTA_MEANING}. It begins at the δ of your plan; changing it here "
        "changes no plan.",
    )
    return parts.usable(lambda: DELTA.read_exact(typed, where="δ of all together"))


def _granted() -> str:
    """What may depend on earlier answers."""
    return controls.radio(
        "Questions are chosen",
        list(CHOSEN),
        format_func=CHOSEN.__getitem__,
        key="composition_granted",
        help="Somebody who sees an answer before choosing the next question can learn a little "
        "more, and more again if the kind of the next answer may be chosen, too. Fewer bounds "
        "hold then.",
    )


def _limit() -> Fraction | None:
    """The total that may be spent, as typed."""
    typed = controls.text_input(
        "ε that may be spent",
        "2",
        key="composition_limit",
        help="Below you read how many more questions fit. Leave the field empty for no limit.",
    )
    if not typed.strip():
        return None
    return parts.usable(lambda: EPSILON.read_exact(typed, where="ε that may be spent"))


def _more(found: tuple[Part, ...]) -> Part | None:
    """Of which part more is to be asked: the last one, unless another is chosen."""
    if not found:
        return None
    places = list(range(len(found)))
    place = controls.selectbox(
        "Ask more of",
        places,
        index=places[-1],
        format_func=lambda n: f"question {n + 1}",
        key=f"composition_more_{len(found)}",
    )
    return found[place]
