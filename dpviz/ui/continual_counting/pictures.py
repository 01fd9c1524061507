"""The pictures of the page Continual counting: replay; in folds its blocks, and what is on paper.

The replay is a fragment: while it plays, only it runs again. A tick moves the step; what had come
before stays as it was.
"""

import math

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.charts.axes import LN_10
from dpviz.charts.counting import errors
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
    REACHED,
    TOLD,
    Paper,
    Player,
    paper,
    play_button,
    step_key,
)
from dpviz.ui.kit import admitted, controls, parts
from dpviz.ui.kit.state import field, fill
from dpviz.words import capitalised
from dpviz.words.claims import Said
from dpviz.words.markdown import spoken
from dpviz.workspace.workspace import Workspace

TICK = 0.9  # seconds
MOST_POINTS = 2000


def replay(view: View, player: Player, head: DeltaGenerator) -> Said:
    """Slider and running counts of a step, and in `head` its sentence; plays by itself."""
    counting = view.counting

    @st.fragment(run_every=TICK if player.until else None)
    @admitted.guarded_part
    def show() -> None:
        if PLAYING.get() != player.until:
            st.rerun()  # the button was pressed: the whole page sets the clock
        step = _step(counting, player)
        if view.example is not None:
            view.example.advance(step)
        with head.container():  # in an empty place: what a fragment writes there is not added
            parts.headline(_said(view, step))
            parts.show_badges([parts.LOSSLESS, *words.revealed(view)])
        _strips(view, player, step)
        if not player.until and TOLD.get() not in (0, step):
            st.rerun()  # the open fold below tells of another step
        if player.until and step >= player.until:
            PLAYING.set(0)
            st.rerun()

    TOLD.set(0)
    show()
    return _said(view, _come_to(view.counting))


def closer(view: View, player: Player) -> None:
    """The fold on the blocks of the step that has come; it moves with the replay above it."""

    @st.fragment(run_every=TICK if player.until else None)
    @admitted.guarded_part
    def tell() -> None:
        step = _come_to(view.counting)
        TOLD.set(0 if player.until else step)
        _walk(view.counting, step)
        st.markdown(words.closer(view, step))

    parts.look_closer(
        "Why does so little noise pile up? The blocks behind one count", tell, key="counting_boxes"
    )


def _said(view: View, step: int) -> Said:
    return Said(words.take_away(view, step), words.claims(view, step))


def _come_to(counting: Counting) -> int:
    return min(field(step_key(counting)) or 1, counting.steps)


def _step(counting: Counting, player: Player) -> int:
    """How far the stream has come: one tick on while it plays, else the slider's place."""
    key, most = step_key(counting), counting.steps
    if player.until:
        at = field(key)
        REACHED.set(max(at, min(at + player.speed, player.until)))
        fill(key, REACHED.get())
    elif not player.until and (reached := REACHED.pop()):
        fill(key, reached)  # the browser may not have heard of the last tick
    if most == 1:
        return 1
    button, slider = st.columns([3, 7], vertical_alignment="bottom")
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
    tiers = view.drawn()
    window = min(player.window, counting.steps)
    first = 1 if window == counting.steps else max(step - window + 1, 1)
    last = max(step, first + window - 1)
    frame = frames.stream_frame(
        tiers,
        counting.used,
        counting.family,
        ACCURACY_CONFIDENCE,
        moved=counting.moved,
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
        heading=f"{capitalised(counting.noun)} so far at {here}, as each tier (group of readers) "
        "reads them",
        reading=words.strips_reading(counting),
        alt=words.strips_alt(frame, here),
        key="counting_stream",
    )


def _walk(counting: Counting, step: int) -> None:
    """Whose noise the running count of this step carries."""
    tree = counting.tree
    parts.chart(
        walk_chart(frames.walk_frame(tree, step), arity=tree.arity, every=counting.every),
        heading=words.walk_heading(counting, step),
        reading=words.walk_reading(counting),
        alt=words.walk_alt(tree, step),
        key="counting_walk",
    )


def on_paper(ws: Workspace, counting: Counting) -> None:
    """What other trees and Gaussian noise would cost; nothing is drawn for it."""
    compared = paper(ws, counting)
    if compared is None:
        parts.empty("Nothing to compare yet.", "Correct what is typed above.")
        return
    _errors(counting, compared)
    _crossover(compared)


def _errors(counting: Counting, paper: Paper) -> None:
    """Error over the steps of this stream, and over the arity for T on paper."""
    tier, moved = paper.tier, float(counting.moved)
    left, right = st.columns(2, gap="medium")
    with left:
        frame = errors.deviations_frame(
            counting.tree,
            counting.steps,
            tier.loss,
            paper.log_delta,
            sensitivity=moved,
            family=counting.family,
            most=MOST_POINTS,
        )
        parts.chart(
            errors.deviations_chart(frame, every=counting.every, noun=counting.noun),
            heading=f"Error of each {counting.every}: standard deviation, {counting.noun}",
            reading=paper_words.deviations_reading(counting, paper),
            alt=spoken(paper_words.deviations_reading(counting, paper)),
            key="counting_deviations",
        )
    with right:
        family = counting.family
        arities = errors.arities_frame(paper.steps, tier.loss, sensitivity=moved, family=family)
        base = errors.baselines_frame(
            paper.steps, tier.loss, paper.log_delta, sensitivity=moved, family=family
        )
        said = paper_words.arities_reading(counting, paper, arities, base)
        parts.chart(
            errors.arities_chart(arities, base, used=counting.tree.arity, noun=counting.noun),
            heading=f"How many branches? Root mean squared error, {counting.noun}",
            reading=said,
            alt=spoken(said),
            key="counting_arities",
        )


def _crossover(paper: Paper) -> None:
    """Laplace on the tree against Gauss, on the square root and on any factorization, for any T."""
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
