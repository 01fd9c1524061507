"""Controls of the page Composition: the sequence, its δ, and what more is to be asked."""

import math
from dataclasses import dataclass
from fractions import Fraction

import streamlit as st

from dpviz.errors import ParameterError
from dpviz.parameters import DELTA, DELTA_MEANING, EPSILON
from dpviz.ui.composition import rows
from dpviz.ui.kit import controls, parts
from dpviz.words import capitalised, delta
from dpviz.words.markdown import literal
from dpviz.workspace.composition import ANSWERS, MOST_PARTS, Part, read_part
from dpviz.workspace.workspace import Workspace

NAMES = {answer.name: answer for answer in ANSWERS}
SEEN, FIXED = "after seeing earlier answers", "all in advance"


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What is composed.

    Attributes:
        sequence: the parts in order.
        delta: δ of all together, exact.
        seen: whether a later question may depend on earlier answers.
        limit: total ε that may be spent, exact; None: nothing usable is typed.
        more: the part of which more is to be asked.
    """

    sequence: tuple[Part, ...]
    delta: Fraction
    seen: bool
    limit: Fraction | None
    more: Part

    @property
    def log_delta(self) -> float:
        """ln δ."""
        return math.log(self.delta)

    @property
    def count(self) -> int:
        """How many questions there are."""
        return sum(part.count for part in self.sequence)


def view(ws: Workspace) -> View | None:
    """All controls; None where there is nothing to add up, with the reason on screen."""
    typed = [_row(place, number) for place, number in enumerate(rows.ROWS.get().order)]
    _acts(ws)
    at, seen = _delta(ws), _seen()
    found = tuple(part for part in typed if part is not None)
    limit, more = _limit(), _more(found)
    if more is None or at is None or len(found) < len(typed):
        return None
    return View(sequence=found, delta=at, seen=seen, limit=limit, more=more)


def _row(place: int, number: int) -> Part | None:
    """The fields of one part and its buttons; None where it cannot be used, with the reason."""
    began = rows.ROWS.get().began[number]
    last = len(rows.ROWS.get().order) - 1
    where = f"Question {place + 1}"
    with st.container(border=True, gap="xsmall"):
        name = controls.selectbox(
            f"{where}: the answer is",
            list(NAMES),
            index=list(NAMES).index(began[0]),
            format_func=capitalised,
            key=f"composition_answer_{number}",
        )
        answer = NAMES[name]
        with st.container(horizontal=True, gap="xsmall", vertical_alignment="bottom"):
            budget = controls.text_input(
                capitalised(answer.budget),
                began[1],
                key=f"composition_budget_{number}",
                help=f"{capitalised(answer.name)}: {answer.meaning}.",
                width=120,
            )
            count = controls.text_input(
                "How many", began[2], key=f"composition_count_{number}", width=88
            )
            for label, by, there in (("Up", -1, place > 0), ("Down", 1, place < last)):
                key = f"composition_{label.lower()}_{number}"
                controls.button(label, rows.move, number, by, key=key, disabled=not there)
            controls.button("Remove", rows.remove, number, key=f"composition_remove_{number}")
        if began[3]:
            st.caption(literal(began[3]))
        try:
            return read_part(answer, budget, count, where=where)
        except ParameterError as error:
            parts.refusal(str(error))
            return None


def _acts(ws: Workspace) -> None:
    """What changes the sequence as a whole."""
    kept = rows.ROWS.get()
    with st.container(horizontal=True, gap="xsmall"):
        controls.button(
            "Add a question",
            rows.add,
            key="composition_add",
            icon="add",
            disabled=len(kept.order) >= MOST_PARTS,
        )
        controls.button(
            "Load my releases",
            rows.load,
            ws,
            key="composition_load",
            icon="input",
            disabled=not ws.ledger,
            help="What was released in this workspace, each session at its largest budget, in "
            "the place of these questions."
            + ("" if ws.ledger else " Nothing has been released yet: see the page Releases."),
        )
        controls.button(
            "Remove all", rows.clear, key="composition_clear", disabled=not kept.order
        )
        if kept.before is not None:
            controls.button("Undo", rows.undo, key="composition_undo", icon="undo")


def _delta(ws: Workspace) -> Fraction | None:
    """The δ of all together, as typed; it begins at the plan's."""
    typed = controls.text_input(
        "δ of all together",
        delta(ws.delta),
        key=f"composition_delta_{ws.delta!r}",
        help=f"δ, delta: {DELTA_MEANING}. It begins at the δ of your plan; changing it here "
        "changes no plan.",
    )
    try:
        return DELTA.read_exact(typed, where="δ of all together")
    except ParameterError as error:
        parts.refusal(str(error))
        return None


def _seen() -> bool:
    """Whether questions may depend on answers."""
    chosen = controls.segmented_control(
        "Questions are chosen",
        [SEEN, FIXED],
        default=SEEN,
        key="composition_seen",
        help="Somebody who sees an answer before choosing the next question can learn a little "
        "more. Fewer bounds hold then.",
    )
    return chosen == SEEN


def _limit() -> Fraction | None:
    """The total that may be spent, as typed."""
    typed = controls.text_input(
        "Total ε that may be spent",
        "2",
        key="composition_limit",
        help="How many more questions fit under it is said below. Leave it empty for no limit.",
    )
    if not typed.strip():
        return None
    try:
        return EPSILON.read_exact(typed, where="Total ε that may be spent")
    except ParameterError as error:
        parts.refusal(str(error))
        return None


def _more(found: tuple[Part, ...]) -> Part | None:
    """Of which part more is to be asked: the last one, unless another is chosen."""
    if not found:
        return None
    places = list(range(len(found)))
    place = controls.selectbox(
        "More like question",
        places,
        index=places[-1],
        format_func=lambda n: f"{n + 1}: {found[n].answer.name}",
        key=f"composition_more_{len(found)}",
    )
    return found[place]
