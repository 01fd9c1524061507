"""The pictures of the page Gradual reports: the thread, its readers, the next release, more."""

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.charts.gradual.frame import VALUE, counts_frame, law_frame, steps_frame
from dpviz.charts.gradual.laws import jumps_chart, law_chart
from dpviz.charts.gradual.readers import readers_chart, readers_frame
from dpviz.charts.gradual.thread import (
    LEVELS,
    cone_frame,
    thread_chart,
    threads_chart,
)
from dpviz.ui.gradual_reports import reader_words, words
from dpviz.ui.gradual_reports.controls import View
from dpviz.ui.kit import controls, parts, press
from dpviz.words.markdown import literal
from dpviz.workspace.gradual import LEAST, MOST, SAME


def thread(view: View) -> None:
    """The main picture: the value over ε."""
    steps, cone = _frames(view)
    parts.chart(
        thread_chart(
            steps,
            cone,
            exact=view.reading.value,
            epsilon=view.epsilon,
            unit=view.reading.unit,
            step=view.digit,
            what=view.reading.what,
            handed_out=view.one.released if view.is_of_readers else {},
        ),
        heading=f"One {literal(view.reading.what)}, from little trust to much",
        reading=words.thread_reading(view),
        alt=words.thread_alt(view),
        key="gradual_thread",
    )


def nothing() -> None:
    """What is shown while something cannot be used."""
    parts.empty("Nothing to draw.", "The sentence under the fields says what to type instead.")


def ask(view: View) -> None:
    """The press that draws the next release, and what was released."""
    one, wanted = view.one, view.wanted
    usable = wanted is not None and one.turn(wanted) != SAME
    press.button(
        reader_words.draw_label(view),
        one.release,
        wanted,
        key="gradual_draw",
        type="primary",
        icon="casino",
        width="stretch",
        disabled=not usable,
        help=f"The same trust gives the same number for good. {reader_words.MADE_UP}",
    )
    parts.problem_of_last_act()
    st.caption(reader_words.harm(view))


def readers(view: View) -> None:
    """The numbers that were handed out, and what all their readers know together."""
    held = view.one.released
    parts.chart(
        readers_chart(
            readers_frame(held, {epsilon: words.reach(view, epsilon) for epsilon in held}),
            exact=view.reading.value,
            unit=view.reading.unit,
            step=view.digit,
            what=view.reading.what,
        ),
        heading=reader_words.readers_heading(view),
        reading=reader_words.readers_reading(view),
        alt=reader_words.readers_alt(view),
        key="gradual_readers",
    )


def next_release(view: View) -> None:
    """The law of the next release, before the press; after it, where it fell; all so far."""
    st.markdown(words.next_release(view))
    if view.wanted is not None:
        _law(view, view.wanted)
    st.markdown(reader_words.together(view))
    parts.table(words.released_table(view), alt="Releases in the order of the presses.")


def _law(view: View, wanted: float) -> None:
    one = view.one
    curve, atoms = law_frame(one.law(wanted), whole=one.family.integer)
    atoms = atoms[atoms[VALUE].isin([*one.before(wanted).values()])]
    parts.chart(
        law_chart(
            curve,
            atoms,
            exact=view.reading.value,
            drawn=one.released.get(wanted),
            whole=one.family.integer,
            unit=view.reading.unit,
            step=view.digit,
        ),
        heading=words.turn_heading(view),
        reading="",
        alt=words.law_alt(view),
        key="gradual_law",
    )


def many(view: View) -> None:
    """Twenty days, one above the other."""
    if not controls.toggle(
        "Twenty days, one above the other", key="gradual_many_shown", help=words.MANY_COST
    ):
        return
    path, exact = view.one.many, view.one.days
    paths = [path.steps(n) for n in range(path.dimension)]
    off = [(ends, values - truth) for (ends, values), truth in zip(paths, exact, strict=True)]
    parts.chart(
        threads_chart(
            steps_frame(off, view.least, view.most),
            epsilon=view.epsilon,
            width=words.reach(view, min(words.WIDE * view.least, view.most)),
        ),
        heading="Twenty values at once",
        reading=words.many_reading(),
        alt=words.many_alt(view, path),
        key="gradual_many",
    )


def jumps(view: View) -> None:
    """How often paths jump, against the law."""
    st.markdown(words.jumps_here(view))
    if not controls.toggle("How often do such paths jump?", key="gradual_jumps_shown"):
        return
    numbers, law = view.one.counted, view.one.jumps(LEAST, MOST)
    frame = counts_frame(numbers, law)
    parts.chart(
        jumps_chart(frame),
        heading="How often do such paths jump?",
        reading=words.jumps_reading(frame, numbers.size, law.mean),
        alt=words.jumps_alt(frame, law.mean),
        key="gradual_jumps",
    )


def _frames(view: View) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The path, and the area around it."""
    epsilons = np.geomspace(view.least, view.most, LEVELS)
    return (
        steps_frame([view.one.path.steps()], view.least, view.most),
        cone_frame(epsilons, np.array([words.reach(view, e) for e in epsilons])),
    )
