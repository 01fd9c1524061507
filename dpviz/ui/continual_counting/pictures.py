"""The pictures of the page Continual counting: replay, its last day enlarged, its blocks.

The replay is a fragment: while it plays, only it runs again. A tick moves the step; what had come
before stays as it was.
"""

import math

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.charts.counting import frame as frames
from dpviz.charts.counting.stream import counting_chart, step_name
from dpviz.charts.counting.tree import walk_chart
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.ui.continual_counting import words
from dpviz.ui.continual_counting.controls import View
from dpviz.ui.continual_counting.example import Counting
from dpviz.ui.continual_counting.player import (
    PLAYING,
    REACHED,
    TOLD,
    Player,
    play_button,
    step_key,
)
from dpviz.ui.kit import admitted, controls, parts
from dpviz.ui.kit.state import field, fill
from dpviz.words import capitalised
from dpviz.words.claims import Said

TICK = 0.9  # seconds
ZOOMED = 24  # steps of the enlarged picture: a day of hours


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
        _pictures(view, step)
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
        "Why so little noise adds up: the blocks behind one count", tell, key="counting_boxes"
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


def _pictures(view: View, step: int) -> None:
    """The count from zero to now, and its last day enlarged."""
    counting = view.counting
    if step <= ZOOMED:
        _strips(view, (1, counting.steps if counting.steps <= ZOOMED else ZOOMED), step, "stream")
        return
    whole, last = st.columns([3, 2], gap="medium")
    with whole:
        _strips(view, (1, step), step, "stream")
    with last:
        _strips(view, (step - ZOOMED + 1, step), step, "last")


def _strips(view: View, window: tuple[int, int], step: int, part: str) -> None:
    """The running count of a window; of the whole stream where `part` is "stream"."""
    counting = view.counting
    frame = frames.stream_frame(
        view.drawn(),
        counting.used,
        counting.family,
        ACCURACY_CONFIDENCE,
        moved=counting.moved,
        start=window[0],
        stop=step,
    )
    if frame.empty:
        if part == "stream":
            parts.empty("No running count yet.", "Draw the first one: any tier will do.")
        return
    if part == "stream":  # over the whole stream the dotted lines lie on the band
        frame = frame.assign(**{frames.FRESH: math.nan})
    exact = None
    if counting.counts is not None:
        exact = frames.exact_counts_frame(counting.counts, start=window[0], stop=step)
    here = step_name(step, counting.labels, counting.every)
    is_whole = part == "stream"
    parts.chart(
        counting_chart(
            frame,
            exact,
            window=window,
            labels=counting.labels,
            noun=counting.noun,
            every=counting.every,
            confidence=ACCURACY_CONFIDENCE,
        ),
        heading=f"{capitalised(counting.noun)} so far at {here}"
        if is_whole
        else f"The last {ZOOMED} {counting.every}s, enlarged",
        reading=words.strips_reading(counting) if is_whole else words.enlarged_reading(counting),
        alt=words.strips_alt(frame, here),
        key=f"counting_{part}",
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
