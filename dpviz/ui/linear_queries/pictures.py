"""The pictures of the page Linear queries: errors before a draw, and the answers of the tiers."""

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.charts.linear.answers import answers_frame
from dpviz.charts.linear.bars import error_bars, totals_frame
from dpviz.charts.releases.chart import release_chart
from dpviz.errors import ParameterError
from dpviz.linear.accuracy import half_widths
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.ui.kit import controls, parts
from dpviz.ui.linear_queries import draws, words
from dpviz.ui.linear_queries.names import attained, name_of, names
from dpviz.ui.linear_queries.view import Answers, View, guesses_at
from dpviz.words import shorten, significant
from dpviz.words.grammar import numbered
from dpviz.words.markdown import literal
from dpviz.workspace.workspace import Workspace


def totals(shown: View) -> None:
    """The main picture: typical error of all answers, a bar per way at one budget."""
    parts.chart(
        error_bars(
            totals_frame(shown.comparison, names(shown)),
            chosen=shown.way.name,
            bound=None if attained(shown) else shown.comparison.bound,
            unit=shown.numbers.noun,
        ),
        heading=f"Same privacy, same {shown.asked.one}s: where should the noise go?",
        reading=words.bars_reading(shown),
        alt=words.bars_alt(shown),
        key="linear_totals",
    )
    if said := words.so(shown):
        st.markdown(said)


def answers(ws: Workspace, shown: View) -> Answers | None:
    """What every tier holds, where it is looked at: that of the made-up year waits in a closer."""
    if shown.own is not None:
        return _drawn(ws, shown)
    fold = controls.fold("Draw it for each tier", key="closer_linear_answers")
    if not fold.open:
        return None
    with fold:
        return _drawn(ws, shown)


def _drawn(ws: Workspace, shown: View) -> Answers | None:
    """What every tier holds, drawn in any order; exact answers where they are public."""
    left, right = st.columns([3, 1], gap="medium")
    off = False
    with left:
        heading = st.container()
        acts = st.container(horizontal=True, vertical_alignment="center")
        cost = st.container()
    try:
        with right:
            given = draws.answers(ws, shown, acts, cost)
        if given.tiers and shown.own is None:
            with acts:
                off = _errors_wanted()
    except ParameterError as error:
        parts.refusal(str(error))
        return None
    with left:
        if given.tiers:
            with heading:
                st.subheader(_heading(shown, off=off), anchor=False)
            _answers(shown, given, off=off)
        else:
            parts.empty(
                "No answers in this session yet.",
                "Draw a tier: its answers appear here, with a 95 % interval for each exact one.",
            )
        draws.files(ws, shown)
    return given


def _heading(shown: View, *, off: bool) -> str:
    """Above the buttons at the picture."""
    what = f"{len(shown.asked.names):,} {shown.asked.one}s"
    what = f"How far off each tier’s {what} are" if off else f"What each tier gets: {what}"
    return f"{what}, in {literal(shown.numbers.noun)}"


def _answers(shown: View, given: Answers, *, off: bool) -> None:
    """Answers, or how far they are off; the sharpest tier on top."""
    made, step, noun = shown.way.factorization, shown.numbers.step, shown.numbers.noun
    reaches = [
        step * half_widths(made, shown.family, tier.level, ACCURACY_CONFIDENCE)
        for tier in reversed(given.tiers)
    ]
    tiers = [replace(t, values=step * np.asarray(t.values)) for t in reversed(given.tiers)]
    zero = np.zeros(len(shown.asked.names))
    exact = given.exact if given.exact is not None else zero
    names = shown.asked.names
    frame = answers_frame(tiers, names, [exact if off else zero for _ in tiers], reaches)
    typical = {t.name: shown.typical_at(t.level) for t in tiers}
    parts.chart(
        release_chart(
            frame,
            noun=noun,
            axis_title=f"{noun} off" if off else noun,
            confidence=ACCURACY_CONFIDENCE,
            exact=None
            if given.exact is None
            else pd.DataFrame({"group": list(names), "value": zero if off else exact}),
            group_title=f"{len(names):,} {shown.asked.one}s",
            truth="0, no error," if off else "the exact answer",
            beside={
                t.name: f"typically off by {typical[t.name]} "
                f"({guesses_at(shown.family, t.loss, shown.delta)} of 1,000 guesses right)"
                for t in tiers
            },
        ),
        heading="",
        reading=words.answers_reading(shown, given, off=off),
        alt=f"{numbered(len(tiers), 'tiers')} with {numbered(len(names), 'noisy answers')} each; "
        f"{shorten(tiers[0].name)} is typically off by {typical[tiers[0].name]} {noun}, "
        f"{shorten(tiers[-1].name)} by {typical[tiers[-1].name]}.",
        key="linear_answers",
    )


def _errors_wanted() -> bool:
    """Whether the picture of the tiers shows errors; else the answers themselves."""
    chosen = controls.segmented_control(
        "Show",
        ("errors", "answers"),
        default="errors",
        format_func=lambda what: f"{what} (noisy − exact)" if what == "errors" else what,
        key="linear_show",
        label_visibility="collapsed",
    )
    return chosen != "answers"


def ways(shown: View) -> None:
    """The norms of every way as a table, and what is known about all."""
    rows = []
    for name, way in shown.comparison.ways.items():
        made = way.factorization
        rows.append(
            {
                "way": name_of(shown, name),
                "factorization": name,
                "numbers with noise": f"{made.inner:,}",
                "Δ₁": significant(made.l1_sensitivity, 4),
                "Δ₂": significant(made.l2_sensitivity, 4),
                "typical error": significant(way.typical, 4),
                "left inverse": "yes" if made.has_left_inverse else "no",
            }
        )
    parts.table(
        pd.DataFrame(rows),
        alt=f"{len(rows)} factorizations with their sensitivities, errors and inverses.",
    )
    st.caption(
        f"Typical error: root mean square over all answers at {shown.budget}. {words.limit(shown)}"
    )
    st.caption(words.sensitivity_rule(shown))
    for name, why in shown.comparison.left_out.items():
        st.caption(f"Not offered here: {name}, because {why}.")
    st.markdown(words.inverse_sentence(shown))
