"""The pictures of the page Linear queries: errors before a draw, and the answers of the tiers."""

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.errors import ParameterError
from dpviz.figures.linear import error_bars, error_lines
from dpviz.figures.releases import ROWS_UP_TO, release_chart
from dpviz.figures.words import budget, percent, pm, significant
from dpviz.frames import HeldTier
from dpviz.frames.linear import answers_frame, errors_frame, totals_frame
from dpviz.mechanisms.linear_accuracy import SIMULATED, half_widths
from dpviz.noise import Array
from dpviz.ui import linear_controls, linear_words, parts
from dpviz.ui.linear_controls import View
from dpviz.ui.linear_questions import NOUN
from dpviz.ui.linear_state import STYLES, TIERS, Held

CONFIDENCE = 0.95


def errors(shown: View) -> None:
    """The main picture: error of every answer, all ways at one budget."""
    frame = errors_frame(shown.comparison, shown.asked.places, shown.asked.place_names)
    parts.chart(
        error_lines(
            frame,
            chosen=shown.way.name,
            bound=shown.comparison.bound,
            unit=NOUN,
            axis_title=shown.asked.axis,
        ),
        heading=f"How far off each answer is at {shown.budget}: standard deviation, {NOUN}",
        reading=linear_words.lines_reading(shown),
        alt=linear_words.lines_alt(shown),
        key="linear_errors",
    )
    st.markdown(linear_words.inverse_sentence(shown))


def totals(shown: View) -> None:
    """All answers together, a bar per way."""
    parts.chart(
        error_bars(
            totals_frame(shown.comparison),
            chosen=shown.way.name,
            bound=shown.comparison.bound,
            unit=NOUN,
        ),
        heading="All answers together, factorization by factorization",
        reading=linear_words.bars_reading(shown),
        alt=linear_words.bars_alt(shown),
        key="linear_totals",
    )


def answers(shown: View) -> Held | None:
    """What every tier holds, drawn in any order, with the exact answers of the made-up year."""
    left, right = st.columns([3, 1], gap="medium")
    try:
        with right:
            held = linear_controls.draws(shown)
    except ParameterError as error:
        parts.refusal(str(error))
        return None
    with left:
        _answers(shown, held)
    return held


def _answers(shown: View, held: Held) -> None:
    """Answers, or how far they are off: the exact ones of a made-up year are public."""
    off = linear_controls.errors_shown()
    made, exact = shown.way.factorization, shown.asked.exact
    names = [name for name in TIERS if name in held.drawn]
    levels = [held.budgets[name].level for name in names]
    reaches = [half_widths(made, shown.family, level, CONFIDENCE) for level in levels]
    tiers = [_tier(held, *pair) for pair in zip(names, reaches, strict=True)]
    offsets = [made.offset(shown.family, level) + (exact if off else 0) for level in levels]
    what = "How far off the answers of each tier are" if off else "What each tier holds"
    parts.chart(
        release_chart(
            answers_frame(tiers, shown.asked.names, offsets, reaches),
            noun=NOUN,
            axis_title=f"{NOUN} off" if off else NOUN,
            confidence=CONFIDENCE,
            exact=pd.DataFrame(
                {"group": list(shown.asked.names), "value": 0.0 * exact if off else exact}
            ),
            group_title=f"{len(shown.asked.names):,} answers",
            truth="0, no error," if off else "the exact answer",
        ),
        heading=f"{what}, {NOUN}",
        reading=f"Bands and bars: {percent(CONFIDENCE)} intervals for one answer at a time, which "
        f"should hold the grey {'0' if off else 'exact answer'}{_simulated(shown)}. The year is "
        "made up, so its exact answers are public; on real data they would not be here.",
        alt=f"{len(tiers)} tiers with {len(shown.asked.names):,} noisy answers each; the "
        f"typical half width goes from {pm(float(reaches[0].mean()))} for {tiers[0].name} to "
        f"{pm(float(reaches[-1].mean()))} for {tiers[-1].name}.",
        key="linear_answers",
    )


def _simulated(shown: View) -> str:
    if shown.family.name == "gaussian":
        return ""
    return f" (read off {SIMULATED:,} simulated noises, to the safe side)"


def _tier(held: Held, name: str, reach: Array) -> HeldTier:
    found = held.budgets[name]
    alike = reach.max() - reach.min() <= 1e-9 * reach.max()
    typical = (
        "" if alike or reach.size <= ROWS_UP_TO else f", typically {pm(float(np.median(reach)))}"
    )
    return HeldTier(
        name=name,
        level=found.level,
        budget=budget(found.letter, found.loss) + typical,
        loss=found.loss,
        slot=STYLES[name].slot,
        symbol=STYLES[name].symbol,
        values=held.answers.release(found.level),
    )


def sensitivities(shown: View) -> None:
    """The norms of every way as a table."""
    rows = []
    for name, way in shown.comparison.ways.items():
        made = way.factorization
        rows.append(
            {
                "factorization": name,
                "numbers with noise": f"{made.inner:,}",
                "Δ₁": significant(made.l1_sensitivity, 4),
                "Δ₂": significant(made.l2_sensitivity, 4),
                "typical error": significant(way.typical, 4),
                "left inverse": "yes" if made.has_left_inverse else "no",
            }
        )
    with st.expander("Sensitivities and inverses of all factorizations"):
        parts.table(
            pd.DataFrame(rows),
            alt=f"{len(rows)} factorizations with their sensitivities, errors and inverses.",
        )
        st.caption(linear_words.sensitivity_rule(shown))
        for name, why in shown.comparison.left_out.items():
            st.caption(f"Not offered here: {name}, because {why}.")
