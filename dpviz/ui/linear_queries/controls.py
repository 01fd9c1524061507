"""Controls of the page Linear queries: what is asked, of whom, at which budget, through what."""

from fractions import Fraction
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.accounting.guarantees import guarantee_of, offered
from dpviz.errors import ParameterError
from dpviz.linear import Contribution
from dpviz.linear.comparison import Comparison, Way, compare
from dpviz.linear.statistic import Summed, contribution_of
from dpviz.noise import ADDITIVE
from dpviz.noise.family import Family
from dpviz.parameters import USUAL_DELTA
from dpviz.planning import cast
from dpviz.planning.amounts import Amount, Kind
from dpviz.queries import Relation
from dpviz.queries.nouns import PERSON
from dpviz.ui.kit import controls, parts
from dpviz.ui.kit.state import Shelf
from dpviz.ui.linear_queries.view import View, guesses_at
from dpviz.words import capitalised, significant
from dpviz.words.grammar import several
from dpviz.words.markdown import literal
from dpviz.workspace.linear import questions
from dpviz.workspace.linear.numbers import YEAR, Numbers, of_query
from dpviz.workspace.linear.questions import Asked
from dpviz.workspace.linear.subject import Subject, statistic_of
from dpviz.workspace.workspace import Workspace

MADE_UP, OWN = "made-up year", "my statistic"
TYPED = "your own matrix"
RHOS = ("0.001", "0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.3", "0.4", "0.5", "1")
EPSILONS = ("0.05", "0.1", "0.2", "0.3", "0.5", "1", "1.5", "2", "3", "5", "10")
GROUPS = (1, 2, 4, 8, 13, 26, 52)
MOST_BYTES = 100_000
_MATRICES = Shelf[Asked]("linear_matrices")  # their errors are not computed in every run
RELATION_WORDS: dict[Relation, str] = {"add/remove": "comes or goes", "replace": "is replaced"}


def source() -> str:
    """Whose numbers."""
    return controls.look_at(
        MADE_UP,
        OWN,
        key="linear_source",
        help="All visits of the year are invented: its answers are public, so the page can show "
        "the errors. Your own statistic keeps its exact numbers hidden.",
    )


def view(ws: Workspace, chosen: str, settings: DeltaGenerator) -> View | None:
    """All controls of the main picture; None, with a sentence, while something cannot be used.

    Args:
        ws: the workspace.
        chosen: whose numbers.
        settings: where what only specialists change goes.
    """
    try:
        statistic, query = statistic_of(ws) if chosen == OWN else (None, None)
    except ParameterError as error:
        parts.refusal(str(error))
        parts.link("data")
        return None
    numbers = YEAR if query is None else of_query(query)
    try:
        about, asked = st.container(), _asked(numbers)
        spent = st.container()
        with settings:
            family = ADDITIVE[_noise(ws, own=query is not None)]
            person = _person(asked) if query is None else _own_person(query)
        if numbers.made_up:
            about.caption(_invented(numbers, person))
        delta = USUAL_DELTA if query is None else ws.delta
        with spent:
            amount = _budget(family, delta, (query.nouns if query else PERSON).one)
        comparison = compare(
            asked.workload,
            family,
            guarantee_of(family).letter,
            Amount(Fraction(amount)),
            contribution=person,
            delta=delta,
            step=numbers.step,
        )
    except ParameterError as error:
        parts.refusal(str(error))
        return None
    with settings:
        way = _way(asked, family, person, comparison)
    own = None
    if statistic is not None and query is not None:
        made = way.factorization
        own = Subject(
            statistic=statistic, query=query, asked=asked, family=family, factorization=made
        )
    return View(
        asked=asked,
        family=family,
        person=person,
        amount=amount,
        delta=delta,
        comparison=comparison,
        way=way,
        own=own,
    )


def _invented(numbers: Numbers, person: Contribution) -> str:
    """What the made-up year is, and how much of it one person can change."""
    return (
        f"{len(numbers.labels)} weeks of visits to a clinic, all invented. Each patient comes in "
        f"at most {several(person.groups, 'week', 'weeks')}."
    )


def _asked(numbers: Numbers) -> Asked:
    """The questions.

    Raises:
        ParameterError: if a typed matrix cannot be used.
    """
    offered = questions.offered(numbers)
    names = (*offered, TYPED)
    first = names[0] if numbers.ordered or numbers.crossed is None else numbers.crossed.words
    chosen = controls.selectbox(
        "What is asked",
        names,
        index=names.index(first),
        key=_keyed("linear_asked", numbers, names),
        help=f"You ask all of these questions at once, about {len(numbers.labels):,} "
        f"{numbers.many}. “All ranges” is offered for up to {questions.MOST_RANGED}.",
    )
    if chosen in offered:
        if not numbers.ordered and offered[chosen] in questions.IN_ORDER:
            st.caption("Summed in the order of the list on the page Data.")
        return offered[chosen](numbers)
    text = controls.text_area(
        f"Matrix: a row per question, a column per {numbers.one}",
        questions.matrix_to_begin_with(numbers),
        height=130,
        key=_keyed("linear_matrix", numbers, numbers.labels),
        help=f"Numbers set apart by spaces or commas. 1 adds the {numbers.one}, −1 subtracts it, 0 "
        f"leaves it out. At most {questions.MOST_QUESTIONS} rows and {len(numbers.labels):,} "
        "columns.",
    )
    file = controls.file_uploader(
        "Or a file with the matrix",
        type=["csv", "txt"],
        key=_keyed("linear_file", numbers, numbers.labels),
        max_upload_size=1,  # megabytes; what is longer than `MOST_BYTES` gets a sentence
        help="A text file with a row per line; it is used in place of what is typed above.",
    )
    typed = text if file is None else _text(file, len(numbers.labels))
    rows = questions.read_matrix(typed, numbers)
    return _MATRICES.take((rows, numbers), lambda: questions.of_matrix(rows, numbers))


def _keyed(name: str, numbers: Numbers, what: object) -> str:
    """The key of a widget: what was chosen for other numbers does not fit these."""
    return name if numbers.made_up else controls.keyed(name, what)


def _text(file: Any, columns: int) -> str:
    """The text of an uploaded matrix.

    Raises:
        ParameterError: if it is too long or no text.
    """
    if file.size > MOST_BYTES:
        raise ParameterError(
            f"The file is longer than {MOST_BYTES:,} bytes. Keep to "
            f"{questions.MOST_QUESTIONS} rows of {columns:,} numbers."
        )
    try:
        return str(file.getvalue().decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ParameterError(
            "The file is not a text file. Save the matrix as CSV (UTF-8) and upload that."
        ) from None


def _noise(ws: Workspace, *, own: bool) -> str:
    """The noise; on the user's data what the mode allows, at first that of the workspace."""
    allowed = ws.offered if own else offered()
    names = [n for n in allowed if ADDITIVE[n].symmetric]
    usual = ws.family_name if own and ws.family_name in names else names[0]
    return str(
        controls.selectbox(
            "Noise",
            names,
            index=names.index(usual),
            format_func=lambda name: capitalised(ADDITIVE[name].label),
            key=f"linear_noise_{ws.mode}" if own else "linear_noise",
            help="Gaussian and Laplace noise fit any factorization. The other two need whole "
            "numbers, and so an R of whole numbers. Poisson noise is not offered: it only adds, so "
            "different sums are off by different amounts.",
        )
    )


def _budget(family: Family, delta: float, one: str) -> str:
    """The budget of the comparison, at first that of the tier public, and what it hides."""
    letter: Kind = guarantee_of(family).letter
    offered = RHOS if letter == "ρ" else EPSILONS
    chosen = controls.select_slider(
        f"Budget {letter}, the same for all bars",
        offered,
        value=cast.amounts(letter)[cast.PUBLIC],
        key=f"linear_budget_{letter}",
        help=f"The privacy budget {letter}, the same for every way: only the errors differ. Moving "
        "it draws nothing.",
    )
    st.caption(
        f"The best guesser gets {guesses_at(family, chosen, delta)} of 1,000 right about one {one} "
        "(a coin: 500). Further right: less noise, less private."
    )
    return chosen


def _own_person(query: Summed) -> Contribution:
    """What one person adds to the statistic, as the page Data bounds it."""
    st.caption(f"{literal(query.contribution)} Neighbours: {literal(query.neighbours)}.")
    parts.link("data")
    return contribution_of(query)


def _person(asked: Asked) -> Contribution:
    """What one person adds to the weeks."""
    most = asked.workload.shape[1]
    offered = [count for count in GROUPS if count < most] + [most]
    groups = (
        controls.select_slider(
            "Weeks that one person visits in, at most",
            offered,
            key=f"linear_groups_{most}",
            help="One visit in each of them. More weeks per person need more noise.",
        )
        if most > 1
        else 1
    )
    relation: Relation = controls.segmented_control(
        "A person",
        RELATION_WORDS,
        default="add/remove",
        key="linear_relation",
        help="The two tables that the noise must make hard to tell apart: with and without a "
        "person, or with another person in their place.",
    )
    return Contribution(groups=int(groups), relation=relation)


def _way(asked: Asked, family: Family, person: Contribution, comparison: Comparison) -> Way:
    """The factorization that is used; at first the one of least error."""
    names = list(comparison.ways)
    what = (asked.key, asked.workload.shape, family.name, person)
    chosen = controls.selectbox(
        "Factorization used",
        names,
        index=names.index(comparison.best.name),
        format_func=lambda n: f"{n} (error {significant(comparison.ways[n].typical)})",
        key=controls.keyed("linear_way", what),
        help="How the questions are split into numbers that get noise (R) and sums of them (L). "
        "In brackets the typical error.",
        lasting=False,
    )
    return comparison.ways[chosen]
