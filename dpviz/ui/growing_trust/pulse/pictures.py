"""The pictures of the story of a pulse: the cone on its side, and what the next number may be."""

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.charts.gradual.frame import VALUE, law_frame, steps_frame
from dpviz.charts.gradual.laws import law_chart
from dpviz.charts.gradual.thread import LEVELS, cone_frame, thread_chart
from dpviz.ui.growing_trust.pulse import words
from dpviz.ui.growing_trust.pulse.controls import View
from dpviz.ui.kit import parts, press
from dpviz.words.markdown import literal
from dpviz.workspace.gradual import SAME


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
            handed_out=view.one.released,
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
        words.draw_label(view),
        one.release,
        wanted,
        key="gradual_draw",
        type="primary",
        icon="person_add",
        width="stretch",
        disabled=not usable,
        help=f"The same trust gives the same number for good. {words.MADE_UP}",
    )
    parts.problem_of_last_act()


def next_release(view: View) -> None:
    """The law of the next release, before the press; after it, where it fell; all so far."""
    st.markdown(words.next_release(view))
    if view.wanted is not None:
        _law(view, view.wanted)
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


def _frames(view: View) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The path, and the area around it."""
    epsilons = np.geomspace(view.least, view.most, LEVELS)
    return (
        steps_frame([view.one.path.steps()], view.least, view.most),
        cone_frame(epsilons, np.array([words.reach(view, e) for e in epsilons])),
    )
