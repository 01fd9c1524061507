"""The pictures of the page Continual counting: replay and tree, the errors, the crossover.

The replay is a fragment: while it plays, only it runs again. A tick moves the step; what had come
before stays as it was.
"""

import math

import streamlit as st

from dpviz.charts.axes import LN_10
from dpviz.charts.counting import errors as on_paper
from dpviz.charts.counting import frame as frames
from dpviz.charts.counting.crossover import counting_crossover_chart, crossover_frame
from dpviz.charts.counting.stream import counting_chart, step_name
from dpviz.charts.counting.tree import walk_chart
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.ui.continual_counting import paper_words, words
from dpviz.ui.continual_counting.controls import View
from dpviz.ui.continual_counting.example import Counting
from dpviz.ui.continual_counting.player import (
    PLAYING,
    Paper,
    Player,
    is_playing,
    play_button,
    step_key,
)
from dpviz.ui.kit import controls, parts
from dpviz.ui.kit.state import field, fill

TICK = 0.9  # seconds
OPENING = 705  # a step at which vertices are added and subtracted
MOST_POINTS = 2000


def replay(view: View, player: Player) -> None:
    """Slider, running counts and tree of a step; moves by itself while it plays."""
    counting = view.counting

    @st.fragment(run_every=TICK if player.playing else None)
    def show() -> None:
        if is_playing() != player.playing:
            st.rerun()  # the button was pressed: the whole page sets the clock
        step = _step(counting, player)
        if (one := view.example) is not None:
            one.advance(step)
            st.caption(words.kept(one))
        _strips(view, player, step)
        _walk(counting, step)
        if player.playing and step >= counting.steps:
            PLAYING.set(False)
            st.rerun()

    show()


def _step(counting: Counting, player: Player) -> int:
    """How far the stream has come: one tick on while it plays, else the slider's place."""
    key, most = step_key(counting), counting.steps
    at = field(key)
    if at is None:
        fill(key, at := most if counting.own else OPENING)
    if player.playing:
        fill(key, min(at + player.speed, most))
    if most == 1:
        return 1
    button, slider = st.columns([1, 5], vertical_alignment="bottom")
    with button:
        play_button(counting)
    with slider:
        return int(
            controls.slider(
                f"The stream has come to {counting.every}",
                1,
                most,
                key=key,
                help="Going back shows what was published then. It draws no new noise.",
            )
        )


def _strips(view: View, player: Player, step: int) -> None:
    """The main picture."""
    counting = view.counting
    tiers = counting.tiers()
    window = min(player.window, counting.steps)
    first = 1 if window == counting.steps else max(step - window + 1, 1)
    last = max(step, first + window - 1)
    frame = frames.stream_frame(
        tiers,
        counting.used,
        counting.family,
        ACCURACY_CONFIDENCE,
        start=first,
        stop=step,
    )
    if frame.empty:
        parts.empty("No running count yet.", "Draw the first one: any tier will do.")
        return
    exact = None
    if counting.counts is not None:
        exact = frames.exact_counts_frame(counting.counts, start=first, stop=step)
    here = step_name(step, counting.labels, counting.every)
    parts.chart(
        counting_chart(
            frame,
            exact,
            window=(first, last),
            labels=counting.labels,
            noun=counting.noun,
            every=counting.every,
            confidence=ACCURACY_CONFIDENCE,
        ),
        heading=f"Running count at {here}, {counting.noun} so far",
        reading=words.strips_reading(counting),
        alt=words.strips_alt(frame, here),
        key="counting_stream",
    )


def _walk(counting: Counting, step: int) -> None:
    """Which vertices the running count of this step is made of."""
    tree = counting.tree
    parts.chart(
        walk_chart(frames.walk_frame(tree, step), arity=tree.arity, every=counting.every),
        heading="How this count is put together: vertices added and subtracted",
        reading=words.walk_reading(counting, step),
        alt=words.walk_alt(tree, step),
        key="counting_walk",
    )
    st.markdown(words.digits(tree, step))


def errors(counting: Counting, paper: Paper | None) -> None:
    """Error over the steps of this stream, and over the arity for T on paper."""
    if paper is None:
        parts.empty("Nothing to compare yet.", "Correct what is typed above.")
        return
    tier, moved = paper.tier, float(counting.moved)
    left, right = st.columns(2, gap="medium")
    with left:
        frame = on_paper.deviations_frame(
            counting.tree,
            counting.steps,
            tier.loss,
            paper.log_delta,
            sensitivity=moved,
            family=counting.family,
            most=MOST_POINTS,
        )
        parts.chart(
            on_paper.deviations_chart(frame, every=counting.every, noun=counting.noun),
            heading=f"Error of each {counting.every}: standard deviation, {counting.noun}",
            reading=paper_words.deviations_reading(counting, paper),
            alt=paper_words.deviations_reading(counting, paper).replace("\\", "")[:200],
            key="counting_deviations",
        )
    with right:
        family = counting.family
        arities = on_paper.arities_frame(paper.steps, tier.loss, sensitivity=moved, family=family)
        base = on_paper.baselines_frame(
            paper.steps, tier.loss, paper.log_delta, sensitivity=moved, family=family
        )
        said = paper_words.arities_reading(counting, paper, arities, base)
        parts.chart(
            on_paper.arities_chart(arities, base, used=counting.tree.arity, noun=counting.noun),
            heading=f"How many branches? Root mean squared error, {counting.noun}",
            reading=said,
            alt=said.replace("\\", "")[:200],
            key="counting_arities",
        )


def crossover(paper: Paper | None) -> None:
    """Laplace on the tree against Gauss, on the square root and on any factorization, for any T."""
    if paper is None:
        return
    frame = crossover_frame(paper.tier.loss)
    said = paper_words.crossover_reading(paper)
    parts.chart(
        counting_crossover_chart(
            frame,
            here=(math.log10(paper.steps), paper.log_delta / LN_10),
        ),
        heading="Laplace or Gauss for a stream? δ upwards, the number of steps T to the right",
        reading=said,
        alt="Lines of δ* over T: the paper’s bound above δ = 1/T, the least Gaussian noise on the "
        "square root far below it, and lower still the line below which every factorization loses.",
        key="counting_crossover",
    )
    st.markdown(paper_words.crossover_verdict(paper))
