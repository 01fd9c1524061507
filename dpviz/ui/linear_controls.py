"""Controls of the page Linear queries: what is asked, of whom, at which budget, through what."""

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import streamlit as st

from dpviz.errors import ParameterError
from dpviz.figures.words import budget, capitalised, significant
from dpviz.mechanisms import Contribution
from dpviz.mechanisms.amounts import Amount
from dpviz.mechanisms.linear_comparison import Comparison, Way, compare
from dpviz.noise import FAMILIES
from dpviz.noise.family import Family
from dpviz.queries import RELATIONS, Relation
from dpviz.ui import linear_questions as questions
from dpviz.ui import linear_state, parts
from dpviz.ui.bridge_state import kind_of
from dpviz.ui.linear_questions import Asked

TYPED = "your own matrix"
KINDS: dict[str, Callable[[], Asked]] = {
    "running totals": questions.totals,
    "all ranges of weeks": questions.all_ranges,
    "quarters and weeks within them": questions.both_sums,
    "every week by itself": questions.single_weeks,
}
NOISES = ("gaussian", "laplace", "discrete_laplace", "skellam")
RHOS = ("0.001", "0.002", "0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1")
EPSILONS = ("0.05", "0.1", "0.2", "0.3", "0.5", "1", "2", "3", "5", "10")
GROUPS = (1, 2, 4, 8, 13, 26, 52)
MOST_BYTES = 100_000
RELATION_WORDS = {"add/remove": "comes or goes", "replace": "is replaced"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class View:
    """What the page shows: the questions, the person, the budget, all ways, and the one taken."""

    asked: Asked
    family: Family
    person: Contribution
    amount: str
    comparison: Comparison
    way: Way

    @property
    def budget(self) -> str:
        """The budget with its letter."""
        return budget(self.way.budget.letter, self.way.budget.loss)

    @property
    def key(self) -> tuple[object, ...]:
        """What makes a session of its own."""
        return self.asked.key, self.family.name, self.person, self.way.name


def view() -> View | None:
    """All controls of the main picture; None, with a sentence, while something cannot be used."""
    try:
        asked = _asked()
        family = FAMILIES[_noise()]
        amount = _budget(family)
        person = _person(asked)
        comparison = compare(
            asked.workload, family, kind_of(family.name), _exact(amount), contribution=person
        )
    except ParameterError as error:
        parts.refusal(str(error))
        return None
    return View(
        asked=asked,
        family=family,
        person=person,
        amount=amount,
        comparison=comparison,
        way=_way(asked, family, person, comparison),
    )


def _exact(amount: str) -> Amount:
    return Amount(Fraction(amount))


def _asked() -> Asked:
    """The questions.

    Raises:
        ParameterError: if a typed matrix cannot be used.
    """
    chosen = st.selectbox(
        "What is asked",
        (*KINDS, TYPED),
        key="linear_asked",
        persist_state="session",
        help="All of it is asked at once, of one year of weekly visits.",
    )
    if chosen != TYPED:
        return KINDS[chosen or "running totals"]()
    text = st.text_area(
        "Matrix: a row per question, a column per week",
        questions.EXAMPLE,
        height=130,
        key="linear_matrix",
        persist_state="session",
        help="Numbers set apart by spaces or commas. 1 adds the week, −1 subtracts it, 0 leaves it "
        f"out. At most {questions.MOST_QUESTIONS} rows and {len(questions.WEEKS)} columns.",
    )
    file = st.file_uploader(
        "Or a file with the matrix",
        type=["csv", "txt"],
        key="linear_file",
        max_upload_size=1,  # megabytes; what is longer than `MOST_BYTES` gets a sentence
        help="A text file with a row per line; it is used in place of what is typed above.",
    )
    return questions.of_matrix(questions.read_matrix(str(text) if file is None else _text(file)))


def _text(file: Any) -> str:
    """The text of an uploaded matrix.

    Raises:
        ParameterError: if it is too long or no text.
    """
    if file.size > MOST_BYTES:
        raise ParameterError(
            f"The file is longer than {MOST_BYTES:,} bytes. Keep to "
            f"{questions.MOST_QUESTIONS} rows of {len(questions.WEEKS)} numbers."
        )
    try:
        return str(file.getvalue().decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ParameterError(
            "The file is not a text file. Save the matrix as CSV (UTF-8) and upload that."
        ) from None


def _noise() -> str:
    return str(
        st.selectbox(
            "Noise",
            NOISES,
            format_func=lambda name: capitalised(FAMILIES[name].label),
            key="linear_noise",
            persist_state="session",
            help="Gaussian and Laplace noise takes any factorization. The other two are for whole "
            "numbers, so for factorizations whose R is whole.",
        )
    )


def _budget(family: Family) -> str:
    letter = kind_of(family.name)
    offered = RHOS if letter == "ρ" else EPSILONS
    chosen = st.select_slider(
        f"Budget {letter} of the comparison",
        offered,
        value="0.05" if letter == "ρ" else "1",
        key=f"linear_budget_{letter}",
        persist_state="session",
        help="The same for every way, so that only the errors differ. Nothing is drawn by moving "
        "it.",
    )
    st.caption("left: more private, more noise · right: less private, less noise")
    return str(chosen)


def _person(asked: Asked) -> Contribution:
    """What one person adds to the weeks."""
    most = asked.workload.shape[1]
    offered = [count for count in GROUPS if count < most] + [most]
    groups = (
        st.select_slider(
            "Weeks that one person visits in, at most",
            offered,
            key=f"linear_groups_{most}",
            persist_state="session",
            help="One visit in each of them. More weeks per person need more noise.",
        )
        if most > 1
        else 1
    )
    relation: Relation = st.segmented_control(
        "A person",
        RELATIONS,
        default=RELATIONS[0],
        required=True,
        format_func=lambda r: RELATION_WORDS[r],
        key="linear_relation",
        persist_state="session",
        help="Which two tables the promise holds apart: one with and one without somebody, or one "
        "where somebody else is in the place.",
    )
    return Contribution(groups=int(groups), relation=relation)


def _way(asked: Asked, family: Family, person: Contribution, comparison: Comparison) -> Way:
    """The factorization that is used; at first the one of least error."""
    names = list(comparison.ways)
    chosen = st.selectbox(
        "Factorization used",
        names,
        index=names.index(comparison.best.name),
        format_func=lambda n: f"{n} (±{significant(comparison.ways[n].typical)})",
        key=f"linear_way_{zlib.crc32(repr((asked.key, family.name, person)).encode())}",
        help="How the questions are split into numbers that get noise (R) and sums of them (L). "
        "In brackets the typical error.",
    )
    return comparison.ways[chosen or comparison.best.name]


def errors_shown() -> bool:
    """Whether the picture of the tiers shows errors; else the answers themselves."""
    chosen = st.segmented_control(
        "Show",
        ("errors", "answers"),
        default="errors",
        required=True,
        format_func=lambda what: f"{what} (noisy − exact)" if what == "errors" else what,
        key="linear_show",
        persist_state="session",
        label_visibility="collapsed",
    )
    return chosen != "answers"


def draws(shown: View) -> linear_state.Held:
    """A button per tier: ask in any order."""
    held = linear_state.held(shown.key, shown.way.factorization, shown.family, shown.asked.data)
    for name in linear_state.TIERS:
        has = name in held.drawn
        found = held.budgets[name]
        st.button(
            f"{name}: {'held' if has else 'draw'} at {budget(found.letter, found.loss)}",
            key=f"linear_draw_{name}",
            width="stretch",
            disabled=has,
            on_click=held.draw,
            args=(name,),
        )
    st.caption("Ask in any order; what is drawn is kept. Larger budget: less private, less noise.")
    st.button(
        "Start this session over",
        icon=":material/restart_alt:",
        key="linear_over",
        width="stretch",
        on_click=linear_state.start_over,
        args=(shown.key,),
        help="Fresh noise. Only a made-up year may be asked again like this.",
    )
    return held
