"""A noise or a mechanism of the visitor's own: typed, decided, and shown with its proof."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise

import plotly.graph_objects as go
import streamlit as st

from dpviz.charts.falsify.own_noise import (
    added_bars,
    added_frame,
    bet_bars,
    bet_frame,
    would_be_frame,
)
from dpviz.charts.falsify.own_table import (
    cells_frame,
    loss_bars,
    losses_frame,
    share_table,
)
from dpviz.errors import ParameterError
from dpviz.lossless import (
    FiniteMechanism,
    GaussianDecision,
    LatticeLaw,
    decide_discrete_gaussian,
    read_mechanism,
    read_noise,
)
from dpviz.ui.falsify import examples, jobs, own_words
from dpviz.ui.falsify.jobs import MechanismAnswer, NoiseAnswer
from dpviz.ui.falsify.own_words import Verdict
from dpviz.ui.kit import controls, parts, work

TITLE = "Does your own noise work? Type how likely each value is, and get a proof"
NOISE, MECHANISM = "noise", "mechanism"
KINDS = {NOISE: "noise", MECHANISM: "few outcomes"}
WHAT = {
    NOISE: "Two levels of noise work together if the noisier number can be made from the sharper "
    "one alone, by adding independent noise. Who holds both then learns what the sharper one "
    "tells.",
    MECHANISM: "Two levels work together if a blur that is the same for all data sets makes the "
    "noisier outcome from the sharper one. Who holds both then learns what the sharper one tells.",
}
NEXT, ALL = "next", "all"
NEIGHBOURS = {NEXT: "rows that follow each other", ALL: "any two rows"}
TABLE_HELP = (
    "A row for each number that the noise can be: the number, its chance in the sharper noise, its "
    "chance in the noisier one. A first or last row of dots gives tails: each further step "
    "multiplies the chances by these. Paste or type; 1/3, 0.25 and 1e-3 are read as they stand."
)
ROWS_HELP = (
    "A row for each data set, with the chance of each outcome. Paste or type; 1/3, 0.25 and 1e-3 "
    "are read as they stand."
)
HIGH = 210  # pixels of a table that is typed
Sums = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Noise:
    """Two levels of noise that is typed as a table."""

    sharper: LatticeLaw
    noisier: LatticeLaw
    sums: Sums


@dataclass(frozen=True, slots=True)
class Mechanism:
    """Two levels of a mechanism that is typed as two tables."""

    sharper: FiniteMechanism
    noisier: FiniteMechanism
    neighbours: tuple[tuple[int, int], ...]
    sums: tuple[Sums, Sums]


Typed = Noise | Mechanism | GaussianDecision


def show() -> None:
    """The fields, the answer and its picture."""
    top = st.container()
    left, right = st.columns([3, 1], gap="medium")
    with right:
        kind = controls.segmented_control(
            "What you have",
            KINDS,
            default=NOISE,
            key="falsify_own_kind",
            help="Noise is added to a number. What has few outcomes, such as randomised response, "
            "is a table: how likely each outcome is on each data set.",
        )
        typed: Typed | None = _noise() if kind == NOISE else _mechanism()
    with top:
        st.markdown(WHAT[kind])
    with left:
        if typed is None:
            parts.empty("No answer yet.", "What is typed cannot be read: the fields say why.")
        elif isinstance(typed, Noise):
            _of_noise(typed)
        elif isinstance(typed, Mechanism):
            _of_mechanism(typed)
        else:
            _of_discrete_gaussian(typed)


def _noise() -> Noise | GaussianDecision | None:
    """Two levels of noise; None, with a sentence, where they cannot be read."""
    name = controls.selectbox(
        "Begin with",
        list(examples.NOISE),
        key="falsify_own_noise",
        help="An example, whose numbers you can change.",
    )
    table = examples.NOISE[str(name)]
    if table is None:
        return _squares()
    text = controls.text_area(
        "Chances of both",
        table,
        height=HIGH,
        key=controls.keyed("falsify_own_table", name),
        help=TABLE_HELP,
    )
    return parts.usable(lambda: Noise(*read_noise(text)))


def _squares() -> GaussianDecision | None:
    """Two levels of discrete Gaussian noise."""
    squares = [
        controls.text_input(
            f"σ² of the {name} noise",
            value,
            key=f"falsify_own_{name}",
            help="The chance of x is in proportion to exp(−x²/(2σ²)).",
        )
        for name, value in (("sharper", "1"), ("noisier", "3"))
    ]
    return parts.usable(lambda: decide_discrete_gaussian(*squares))


def _mechanism() -> Mechanism | None:
    """Two levels of a mechanism of a few outcomes."""
    name = controls.selectbox(
        "Begin with",
        list(examples.MECHANISMS),
        key="falsify_own_mechanism",
        help="An example, whose numbers you can change.",
    )
    tables = examples.MECHANISMS[str(name)]
    texts = [
        controls.text_area(
            f"The {level} table",
            table,
            height=HIGH // 2,
            key=controls.keyed(f"falsify_own_{level}_table", name),
            help=ROWS_HELP,
        )
        for level, table in zip(("sharper", "noisier"), tables, strict=True)
    ]
    near = controls.radio(
        "One person sets apart",
        list(NEIGHBOURS),
        format_func=lambda key: NEIGHBOURS[key],
        key="falsify_own_neighbours",
        help="Which data sets differ in one person only: ε compares these.",
    )

    def read() -> Mechanism:
        sharper, first = read_mechanism(texts[0], "sharper")
        noisier, second = read_mechanism(texts[1], "noisier")
        sets = range(len(sharper.rows))
        if len(noisier.rows) != len(sets):
            raise ParameterError(
                f"the sharper table has {len(sets)} rows and the noisier one "
                f"{len(noisier.rows)}; type a row for each data set in both"
            )
        pairs = combinations(sets, 2) if near == ALL else pairwise(sets)
        return Mechanism(sharper, noisier, tuple(pairs), (first, second))

    return parts.usable(read)


def _of_noise(typed: Noise) -> None:
    call = jobs.noise_answer
    key = (NOISE, typed)
    found: NoiseAnswer | None = work.found(
        key, call, typed.sharper, typed.noisier, what="The proof"
    )
    if found is None:
        return
    verdict = own_words.of_noise(found)
    if found.decision.added is not None:
        figure = added_bars(added_frame(found.decision.added))
    elif found.candidate:
        figure = added_bars(would_be_frame({x: float(chance) for x, chance in found.candidate}))
    else:
        figure = bet_bars(bet_frame(typed.sharper, typed.noisier, found.decision.bet))
    _picture(figure, verdict)
    _notes(verdict, own_words.sums(("sharper", "noisier"), typed.sums), own_words.NOISE_CODE)


def _of_discrete_gaussian(found: GaussianDecision) -> None:
    verdict = own_words.of_discrete_gaussian(found)
    if not found.candidate:
        parts.empty(verdict.heading, " ".join(verdict.then))
        return
    reach = len(found.candidate) // 2
    chances = dict(enumerate(found.candidate, start=-reach))
    _picture(added_bars(would_be_frame(chances)), verdict)
    _notes(verdict, own_words.SQUARES_CODE)


def _of_mechanism(typed: Mechanism) -> None:
    found: MechanismAnswer | None = work.found(
        (MECHANISM, typed),
        jobs.mechanism_answer,
        *(typed.sharper, typed.noisier, typed.neighbours),
        what="The proof",
    )
    if found is None:
        return
    verdict, decision = own_words.of_mechanism(found), found.decision
    if decision.kernel is not None:
        cells = cells_frame([[float(share) for share in row] for row in decision.kernel])
        figure = share_table(cells, down="sharper outcome", across="becomes noisier outcome")
        _picture(figure, verdict)
    elif decision.guessing is not None:
        cells = cells_frame([[float(pay) for pay in row] for row in decision.guessing.payoffs])
        figure = share_table(cells, down="data set", across="guess")
        _picture(figure, verdict)
    else:
        st.subheader(verdict.heading, anchor=False)
    _notes(verdict)
    if decision.kernel is None:
        _costs(found)
    _small(own_words.sums(*_named(typed)), own_words.TABLES_CODE)


def _costs(found: MechanismAnswer) -> None:
    """ε of each outcome and of both, as bars, or why there are none."""
    costs = own_words.costs(found)
    if not costs:
        st.info(own_words.costs_reading(found), icon=":material/info:")
        return
    parts.chart(
        loss_bars(losses_frame(costs), digits=4),
        heading="",
        reading=own_words.costs_reading(found),
        alt="Bars of ε: " + "; ".join(f"{who} {loss:.4g}" for who, loss in costs) + ".",
        key="falsify_own_costs",
    )


def _named(typed: Mechanism) -> tuple[tuple[str, ...], Sums]:
    """A name for the sum of each row."""
    levels = zip(("sharper", "noisier"), typed.sums, strict=True)
    named = [(f"{level} row {i}", each) for level, row in levels for i, each in enumerate(row, 1)]
    names, found = zip(*named, strict=True)
    return names, found


def _picture(figure: go.Figure, verdict: Verdict) -> None:
    parts.chart(
        figure,
        heading=verdict.heading,
        reading=verdict.reading,
        alt=verdict.alt,
        key="falsify_own",
    )


def _notes(verdict: Verdict, *small: str) -> None:
    """What follows from the answer."""
    for sentence in verdict.then:
        st.markdown(sentence)
    _small(*small)


def _small(*sentences: str) -> None:
    """What was done to the numbers that were typed, and the same in Python."""
    for sentence in filter(None, sentences):
        st.caption(sentence)
