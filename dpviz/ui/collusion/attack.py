"""The coalition attacks: its best estimate, the membership test, and what it means in plain words.

Errors alone are drawn, of made-up numbers (dpviz.ui.collusion.worlds).
"""

import numpy as np
import streamlit as st

from dpviz.charts.collusion.attack import error_chart, squares, trade_off_chart
from dpviz.charts.collusion.frame import INDEPENDENT, LOSSLESS
from dpviz.experiments.attack_tests import best_misses
from dpviz.palette import TierStyle
from dpviz.ui.collusion import controls, words
from dpviz.ui.collusion import worlds as collusion_worlds
from dpviz.ui.collusion.controls import View
from dpviz.ui.collusion.worlds import Attack
from dpviz.ui.kit import parts
from dpviz.words import fixed, percent, significant
from dpviz.words.markdown import literal

ALARMS = 0.05  # share of false alarms of the test that a belief is asked about
AT = np.array([0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])
CURVE = np.concatenate([np.geomspace(1e-4, 0.02, 40), np.linspace(0.025, 1, 160)])
GREY_LOOK = TierStyle(0, 0)


def section(shown: View) -> str:
    """Both attacks; returns the sample of code that reproduces them."""
    st.subheader("The attack made real", anchor=False)
    asked = collusion_worlds.question(shown)
    found = collusion_worlds.attack(asked)
    if len(asked.levels) < shown.persons:
        st.caption(
            f"Only the {len(asked.levels)} least private of the {shown.persons:,} persons attack "
            "here, in the pictures and in the numbers below."
        )
    left, right = st.columns(2, gap="medium")
    with left:
        _errors(shown, found)
    with right:
        _membership(shown, found)
    _squares(shown, found)
    return collusion_worlds.code(asked, ALARMS, _belief(shown, found))


def _errors(shown: View, found: Attack) -> None:
    family, step = shown.plan.setting.family, shown.plan.setting.step
    variance = np.array([family.variance(level) for level in found.question.levels])
    theory = (
        step * np.sqrt(np.minimum.accumulate(variance)),
        step / np.sqrt(np.cumsum(1 / variance)),
    )
    seen = (step * found.lossless.joining, step * found.independent.joining)
    parts.chart(
        error_chart(
            (theory[0], seen[0]),
            (theory[1], seen[1]),
            style=shown.look(shown.last),
            noun=shown.noun,
        ),
        heading=f"Error of their best estimate, {literal(shown.noun)}",
        reading=f"Symbols: root mean square of estimate − exact number in "
        f"{2 * found.question.worlds:,} simulated worlds, weighted by 1/variance; lines: the "
        "formula. Lossless: nobody who joins "
        f"makes it smaller than {significant(theory[0][0])}. Independent: it falls to "
        f"{significant(theory[1][-1])}. The numbers looked for are made up.",
        alt=f"Error against persons. Lossless stays at {significant(theory[0][-1])}, independent "
        f"releases fall to {significant(theory[1][-1])}.",
        key="collusion_errors",
    )


def _membership(shown: View, found: Attack) -> None:
    asked, look = found.question, shown.look(shown.last)
    schemes = [(LOSSLESS, found.lossless, look), (INDEPENDENT, found.independent, GREY_LOOK)]
    schemes = schemes[: min(len(asked.levels), 2)]  # of one person both are the same
    curves = [
        (name, best_misses(asked.noise, held, asked.moved, CURVE), style)
        for name, _, style in schemes
        for held in (asked.held(lossless=name == LOSSLESS),)
    ]
    lowered = None
    if not asked.noise.symmetric:
        lowered = best_misses(asked.noise, asked.levels[:1], asked.moved, CURVE, lowers=True)
    parts.chart(
        trade_off_chart(
            CURVE,
            curves,
            AT,
            [(name, worlds.misses(AT), style) for name, worlds, style in schemes],
            lowered=lowered,
        ),
        heading="Is one certain person in the table? Misses against false alarms"
        + words.from_one_number(shown.plan),
        reading=words.trade_off_reading(two_sided=lowered is None),
        alt=f"Trade-off curves. At 5 % false alarms the test misses "
        f"{percent(float(np.interp(0.05, CURVE, curves[0][1])))} under lossless release.",
        key="collusion_trade_off",
    )


def _squares(shown: View, found: Attack) -> None:
    look = shown.look(shown.last)
    one = words.from_one_number(shown.plan)
    st.markdown(f"**1,000 guesses “in” or “out”{one}, for people of whom half are in**")
    columns = st.columns(2, gap="medium")
    each = ((LOSSLESS, found.lossless), (INDEPENDENT, found.independent))
    for column, (name, worlds) in zip(columns, each, strict=True):
        count = round(1000 * found.question.success(lossless=name == LOSSLESS))
        said = f"{name.capitalize()}: {count} of 1,000 right{one}"
        bold = "" if one else "**"  # of one number alone, it is no headline
        with column:
            parts.chart(
                squares(count, style=look),
                heading="",
                reading=f"{bold}{said}{bold}, {count - 500} more than "
                f"a coin. The simulated attacker: {fixed(1000 * worlds.success(), 0)}.",
                alt=f"{name}: {count} of 1,000 guesses are right{one}, 500 of them by luck alone.",
                key=f"collusion_squares_{name}",
            )
    st.caption(
        "Grey: right, as a coin would be. Coloured: right because of the releases. Faint: wrong. "
        f"{words.knows(shown)}"
    )


def _belief(shown: View, found: Attack) -> float:
    """What the test makes of a belief; returns the belief before."""
    asked = found.question
    left, right = st.columns([3, 1], gap="medium")
    with right:
        prior = controls.prior()
    misses = {
        name: float(
            best_misses(asked.noise, asked.held(lossless=name == LOSSLESS), asked.moved, ALARMS)
        )
        for name in (LOSSLESS, INDEPENDENT)
    }
    with left:
        st.markdown(words.belief(shown, prior, ALARMS, misses))
    return prior
