"""The pictures of the page Laplace or Gauss: two hills; in closers map and rounds."""

from functools import partial

import streamlit as st

from dpviz.charts.axes import LN_10
from dpviz.charts.crossover import frame as crossover
from dpviz.charts.crossover import moved_rounds as by_groups
from dpviz.charts.crossover import rounds
from dpviz.charts.crossover import tiers as for_tiers
from dpviz.charts.crossover.hills import DIGITS, noise_hills
from dpviz.charts.crossover.map import crossover_map
from dpviz.charts.crossover.noise import noise_lines
from dpviz.charts.crossover.turn import turn_strip
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.planning.tier_choice import TierChoice, choose_for_tiers
from dpviz.ui.kit import controls, parts, work
from dpviz.ui.laplace_or_gauss import controls as controls_of
from dpviz.ui.laplace_or_gauss import jobs, rounds_words, verdict, words
from dpviz.ui.laplace_or_gauss.controls import View
from dpviz.words import pm, significant
from dpviz.words.claims import Said
from dpviz.words.markdown import literal, spoken
from dpviz.workspace.workspace import Workspace

LINES = "What each line is, and what is held fixed"


def hills(view: View | None) -> None:
    """The main picture: how far both kinds of noise that keep the promise reach."""
    if view is None:
        parts.empty("Nothing to compare yet.", "Correct what is typed.")
        return
    curves, marks = crossover.crossover_hills(view.choice, ACCURACY_CONFIDENCE)
    laplace, gauss = verdict.halves(view)
    noun = view.noun
    parts.chart(
        noise_hills(
            curves, marks, noun=noun, axis_title=f"error, {noun}", confidence=ACCURACY_CONFIDENCE
        ),
        heading="How far off: two kinds of noise, equally private",
        reading=verdict.hills_reading(view),
        alt=f"Two bars around 0. Laplace: 95 % within {pm(laplace, DIGITS)}; Gaussian: 95 % "
        f"within {pm(gauss, DIGITS)} {noun}. Below them two hills, one pointed, one round.",
        key="crossover_hills",
    )
    turn, here = verdict.turn(view), view.question.count
    if turn is not None and here is not None:
        noun = "counts" if view.town else "numbers"
        one = view.nouns.one
        alt = f"From 1 number per {one} on Gaussian noise is smaller."
        if turn > 1:
            alt = f"Laplace noise is smaller below {turn:,} numbers per {one}, Gaussian from there."
        parts.chart(
            turn_strip(turn=turn, here=here, noun=f"{noun} per {one}"),
            heading=f"Which one is smaller depends on the {noun} per {one}",
            reading="",
            alt=f"A strip in two colours. {alt} Here: {here:,}.",
            key="crossover_turn",
        )


def closers(ws: Workspace, view: View) -> None:
    """The map of all promises, and the same counts released again and again."""
    parts.look_closer(
        "Which noise is smaller at every ε and δ?",
        lambda: _regions(ws, controls_of.on_the_map(view)),
        key="crossover_map",
    )
    parts.look_closer(
        "What if the same counts are released again and again?",
        lambda: _again_and_again(view),
        key="crossover_rounds",
    )


def _regions(ws: Workspace, view: View) -> None:
    """In whose region the query lies, and how much each noise needs over δ."""
    said = Said(words.takeaway(view), words.claims(view))
    st.markdown(said.text, help=said.why or None)
    q = view.question
    asked = (q, view.axis, float(view.low))
    made = work.found(asked, jobs.regions, *asked, what="The map")
    if made is None:
        return
    chosen = [] if view.axis == "moved" or not (view.own or view.town) else _tiers(ws)
    height = q.epsilon if view.axis == "epsilon" else q.moved
    up = "ε" if view.axis == "epsilon" else "Groups moved, (Δ₁/Δ₂)²,"
    parts.chart(
        crossover_map(
            crossover.crossover_map(made.cells),
            crossover.crossover_lines(made.lines),
            for_tiers.crossover_points(chosen, partial(_style, ws)),
            here=(q.log_delta / LN_10, height),
            star=view.choice.gauss_between and view.choice.gauss_between[0] / LN_10,
            axis=view.axis,
        ),
        heading=f"Which noise is more exact? {up} upwards, δ to the right",
        reading=words.map_reading(view),
        alt=words.map_alt(view),
        key="crossover_map",
    )
    st.caption(LINES, help=words.map_lines(view))
    parts.chart(
        noise_lines(
            crossover.crossover_noise(made.noise), here=q.log_delta / LN_10, noun=view.noun
        ),
        heading=f"Standard deviation that each needs, {literal(view.noun)}",
        reading=words.noise_reading(view),
        alt=spoken(words.noise_reading(view)),
        key="crossover_noise",
    )


def _again_and_again(view: View) -> None:
    """Rounds of the same counts, and rounds of others."""
    _several_rounds(view)
    _groups_and_rounds(view)


def _several_rounds(view: View) -> None:
    """What releasing the histogram again and again would cost."""
    heading = "The same histogram in k rounds: total ε of equally large noise"
    moved = view.question.count
    if moved is None or moved > rounds.MOST_COORDINATES:
        st.subheader(heading, anchor=False)
        parts.empty(
            "No histogram.",
            f"Rounds are compared where one {view.nouns.one} moves a whole number of groups, at "
            f"most "
            f"{rounds.MOST_COORDINATES:,}, by the same amount; here (Δ₁/Δ₂)² is "
            f"{significant(view.question.moved)}.",
        )
        return
    frame = rounds.crossover_rounds(view.question)
    if not (frame[rounds.TOTAL] > 0).any():
        st.subheader(heading, anchor=False)
        parts.empty(
            "No loss to draw.",
            "The noise is so large that δ alone covers all rounds: their ε is 0. Choose a larger ε "
            "or a smaller δ.",
        )
        return
    exact, loose = (
        rounds.gauss_from(view.question, frame, method)
        for method in (rounds.ROUNDS_GAUSS, rounds.ROUNDS_LOOSE)
    )
    most = rounds.most_rounds(view.question)
    parts.chart(
        rounds.rounds_chart(frame),
        heading=heading,
        reading=rounds_words.rounds_reading(view, exact, most),
        alt="Rising lines, total ε over the number of rounds: Laplace and Gaussian noise composed "
        "exactly, and upper bounds of both. Gaussian noise lies below "
        f"Laplace noise from {exact or 'no'} rounds on.",
        key="crossover_rounds",
    )
    st.caption(LINES, help=rounds_words.rounds_lines(view, loose, most))


def _groups_and_rounds(view: View) -> None:
    """Which noise costs less by groups moved and rounds; computed once it is asked for."""
    if view.question.count is None:
        return
    if not controls.toggle(
        "Compare other numbers of groups and rounds",
        key="crossover_groups",
        help=f"The noise of each number stays as it is. What one {view.nouns.one} moves grows.",
    ):
        return
    q = view.question
    first, exact = by_groups.coordinates_from(q)
    frame = by_groups.moved_rounds(q)
    parts.chart(
        by_groups.moved_rounds_chart(frame, first=first, moved=q.count or 1, one=view.nouns.one),
        heading="Which noise costs less? Rounds upwards, groups that one "
        f"{view.nouns.one} moves to the right",
        reading=rounds_words.groups_reading(first, exact=exact),
        alt=rounds_words.groups_sentence(first, exact=exact),
        key="crossover_groups_chart",
    )
    st.caption(LINES, help=rounds_words.groups_lines(view, frame, first, exact=exact))


def _tiers(ws: Workspace) -> list[TierChoice]:
    """The tiers in use with what each noise needs for them."""
    return choose_for_tiers(ws.planned()[0], ws.setting)


def _style(ws: Workspace, name: str) -> tuple[int, int]:
    style = ws.plan.style_of(name)
    return style.slot, style.symbol
