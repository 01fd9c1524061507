"""Controls of the page Laplace or Gauss: which query, which promise, and what the map shows.

The promise is asked for as the guesses that it lets be right; ε and δ themselves are folded.
"""

import math
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.charts.crossover.points import DEPTHS, Axis, left_edge
from dpviz.errors import ParameterError
from dpviz.parameters import DELTA_MEANING, EPSILON, SENSITIVITY
from dpviz.planning.choice import Choice, Question, choose, same_rho
from dpviz.planning.needs import moved_alike
from dpviz.planning.same_rho import SameRho
from dpviz.planning.typed import whole
from dpviz.queries import Nouns
from dpviz.queries.nouns import PERSON
from dpviz.ui.kit import controls, parts
from dpviz.words import budget, delta, significant
from dpviz.words.markdown import literal
from dpviz.workspace.guesses import right_of_epsilon
from dpviz.workspace.takeaways import unit_after
from dpviz.workspace.workspace import Workspace

TOWN, OWN, TYPED = "A town", "Mine", "Typed in"
COUNTS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30, 50, 100)  # of the town, for one person
EPSILONS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0)
EXPONENTS = (*range(300, 100, -50), *range(100, 50, -10), *range(50, 20, -5), *range(20, 3, -1))
DELTAS = (*(float(f"1e-{e}") for e in EXPONENTS), 0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
AXES: dict[Axis, str] = {"epsilon": "ε", "moved": "groups moved"}
MOST_NUMBERS = 1_000_000_000  # of a typed query; beyond it no δ* is of use


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What the page compares and how its map is drawn.

    Attributes:
        choice: the query's point and what each noise needs for it.
        dimension: numbers released, d.
        noun: unit of the released numbers.
        unit: the same after a number, such as "of “cost”".
        own: whether it is the statistic in use.
        town: whether it is the example of the made-up town.
        axis: what runs upwards in the map.
        low: log₁₀ δ at the left edge of every axis of δ.
        nouns: what the unit of privacy is called.
    """

    choice: Choice
    dimension: int
    noun: str
    unit: str
    own: bool
    axis: Axis
    low: float
    town: bool = False
    nouns: Nouns = PERSON

    @property
    def question(self) -> Question:
        """The query's point."""
        return self.choice.question

    @property
    def held(self) -> SameRho:
        """The same at the ρ of the Gaussian noise that the query needs."""
        return same_rho(self.choice)


def view(ws: Workspace, above: DeltaGenerator, settings: DeltaGenerator) -> View | None:
    """What is compared; None where there is nothing to compare, with the reason on screen.

    Args:
        ws: the visitor's.
        above: right above the picture, where the town's counts are chosen.
        settings: where the δ of the promise is chosen.
    """
    chosen = controls.segmented_control(
        "Whose counts?",
        [TOWN, OWN, TYPED],
        default=TOWN,
        key="crossover_query",
        help="A made-up town, your own statistic, or numbers to type. "
        "What is compared depends on how far one person, or whatever is protected, can move the "
        "numbers: on Δ₁, the sum of all changes, and Δ₂, their Euclidean length. Both are public.",
    )
    asked = {OWN: _own, TYPED: _typed}.get(str(chosen), partial(_town, above=above))
    try:
        question, dimension = asked(ws, settings)
        choice = choose(question)
    except ParameterError as error:
        parts.refusal(str(error))
        return None
    own, town = asked is _own, chosen not in (OWN, TYPED)
    return View(
        choice=choice,
        dimension=dimension,
        noun=ws.statistic.query.noun_released if own else "people" if town else "units",
        unit=unit_after(ws.statistic.query) if own else "people" if town else "units",
        own=own,
        axis="epsilon",
        low=left_edge(choice, DEPTHS[0]),
        town=town,
        nouns=ws.statistic.query.nouns if own else PERSON,
    )


def _town(ws: Workspace, settings: DeltaGenerator, above: DeltaGenerator) -> tuple[Question, int]:
    """The made-up town: one count for each illness, and a person may be in several."""
    with above:
        counts = int(
            controls.select_slider(
                "One person is in at most",
                COUNTS,
                value=5,
                format_func=lambda n: f"{n} count" + ("" if n == 1 else "s"),
                key="crossover_counts",
                help="Move the slider to the right until the other noise is the smaller one.",
            )
        )
    st.caption(
        "A made-up town counts each illness. Maria has several, so she is in several counts."
    )
    epsilon, log_delta = _promise(ws, settings)
    question = Question(
        epsilon=epsilon, log_delta=log_delta, l1=float(counts), l2=math.sqrt(counts)
    )
    return question, COUNTS[-1]


def _promise(ws: Workspace, settings: DeltaGenerator, one: str = PERSON.one) -> tuple[float, float]:
    """ε by the guesses about one unit that it lets be right, and the logarithm of δ."""
    epsilon = float(
        controls.select_slider(
            "Right guesses of 1,000",
            EPSILONS,
            value=1.0,
            format_func=lambda one: right_of_epsilon(one).said,
            key="crossover_epsilon",
            help=f"Guesses about one {one} by somebody who knows all the others. Further right: "
            "less noise, less private. Each step has its ε: see “For specialists”.",
        )
    )
    return epsilon, _with_delta(ws, settings, epsilon, one)


def _with_delta(
    ws: Workspace, settings: DeltaGenerator, epsilon: float, one: str = PERSON.one
) -> float:
    """δ, as its logarithm, among the settings; here what it means with ε for one unit."""
    said = st.container()
    with settings:
        st.caption(f"{budget('ε', epsilon)} (epsilon; larger = less private)")
        log_delta = _delta(ws)
    right = right_of_epsilon(epsilon, math.exp(log_delta))
    with said:
        st.caption(
            f"Both kinds keep this promise: {right.said} of "
            f"1,000 guesses about one {one} are right (a coin: 500)."
        )
    return log_delta


def _own(ws: Workspace, settings: DeltaGenerator) -> tuple[Question, int]:
    """The statistic in use, at an ε and a δ that are moved with sliders."""
    query = ws.statistic.query
    s, step = query.sensitivity, query.step
    if not (s.l1 > 0 and s.l2 > 0):
        raise ParameterError(
            "Nothing can move this statistic, so it needs no noise: choose another one on the page "
            "Data, or type a query here"
        )
    st.caption(
        f"{literal(query.statistic)}: {literal(query.formula('l1'))}; "
        f"{literal(query.formula('l2'))}; d = {query.dimension:,} numbers."
    )
    epsilon, log_delta = _promise(ws, settings, query.nouns.one)
    l1, l2 = s.l1 * step, s.l2 * step
    alike = moved_alike(s)
    question = Question(epsilon=epsilon, log_delta=log_delta, l1=l1, l2=l2, alike=alike)
    return question, query.dimension


def _typed(ws: Workspace, settings: DeltaGenerator) -> tuple[Question, int]:
    """A query that is typed: ε, Δ₂, d and, if it is known, Δ₁.

    Raises:
        ParameterError: one sentence with what to type instead.
    """
    epsilon = EPSILON.read(
        _field("Budget ε", "1", "epsilon", "Larger = less private."), where="Budget ε"
    )
    log_delta = _with_delta(ws, settings, epsilon)
    l2 = SENSITIVITY.read(
        _field("Δ₂, Euclidean length of a change", "1", "l2", "In units of the numbers."),
        where="Δ₂",
    )
    where = "Numbers released, d"
    text = _field(where, "10", "d", "One person can move at most this many.")
    dimension = whole(text, where=where, least=1, most=MOST_NUMBERS)
    typed = _field("Δ₁, sum of all changes", "", "l1", "Left empty: the most that d and Δ₂ allow.")
    most = math.sqrt(dimension) * l2
    l1 = SENSITIVITY.read(typed, where="Δ₁") if typed.strip() else most
    if not l2 * (1 - 1e-9) <= l1 <= most * (1 + 1e-9):
        raise ParameterError(
            f"Δ₁: {significant(l1)} is impossible. For d = {dimension:,} it lies between Δ₂ = "
            f"{significant(l2)} and √d·Δ₂ = {significant(most, 4)}; leave it empty for the largest"
        )
    st.caption(
        f"Δ₁ = {significant(l1, 4)}, Δ₂ = {significant(l2, 4)}, d = {dimension:,}. Exact curves "
        "are for a person who moves (Δ₁/Δ₂)² numbers by the same amount."
    )
    l1 = min(max(l1, l2), most) if dimension > 1 else l2
    return Question(epsilon=epsilon, log_delta=log_delta, l1=l1, l2=l2), dimension


def _field(label: str, value: str, name: str, meaning: str) -> str:
    """One text field of the typed query."""
    return controls.text_input(label, value, key=f"crossover_typed_{name}", help=meaning)


def _delta(ws: Workspace) -> float:
    """The δ of the comparison, as its logarithm; it begins at the plan's."""
    offered = sorted({*DELTAS, ws.delta})
    chosen = controls.select_slider(
        "δ, the slack beyond ε",
        offered,
        value=ws.delta,
        format_func=delta,
        key=f"crossover_delta_{ws.delta!r}",
        help=f"δ, delta: {DELTA_MEANING}. Laplace noise needs none, but is a "
        "little smaller with one. It begins at the δ of your plan; moving it changes no plan.",
    )
    return math.log(float(chosen))


def on_the_map(shown: View) -> View:
    """The same with what runs upwards in the map, and how small a δ it shows."""
    left, right = st.columns(2)
    with left:
        up = controls.segmented_control(
            "Upwards in the map",
            AXES,
            default="epsilon",
            key="crossover_axis",
            help=f"The budget ε, or (Δ₁/Δ₂)²: how many groups one {shown.nouns.one} moves, if each "
            "by the same amount. At most d.",
        )
    with right:
        depth = controls.segmented_control(
            "Smallest δ shown",
            list(DEPTHS),
            default=DEPTHS[0],
            format_func=lambda e: f"1e{e}",
            key="crossover_depth",
            help="The axis extends by itself if the query or its δ* is smaller.",
        )
    axis: Axis = "moved" if up == "moved" else "epsilon"
    return replace(shown, axis=axis, low=left_edge(shown.choice, float(depth)))
