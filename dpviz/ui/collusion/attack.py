"""The coalition attacks: its best estimate, the membership test, and what it means in plain words.

Errors alone are drawn, of made-up numbers (dpviz.ui.collusion.worlds).
"""

import numpy as np
import streamlit as st

from dpviz.charts.collusion.attack import error_chart, trade_off_chart
from dpviz.charts.collusion.frame import INDEPENDENT, LOSSLESS
from dpviz.experiments.attack_tests import best_misses
from dpviz.palette import TierStyle
from dpviz.ui.collusion import controls, words
from dpviz.ui.collusion import worlds as collusion_worlds
from dpviz.ui.collusion.controls import View
from dpviz.ui.collusion.sample import code
from dpviz.ui.collusion.worlds import Attack
from dpviz.ui.kit import parts
from dpviz.words import percent, significant
from dpviz.words.markdown import literal

ALARMS = 0.05  # share of false alarms of the test that a belief is asked about
AT = np.array([0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])
CURVE = np.concatenate([np.geomspace(1e-4, 0.02, 40), np.linspace(0.025, 1, 160)])
GREY_LOOK = TierStyle(0, 0)
NOTHING = np.empty(0)


def sample(shown: View) -> str:
    """The sample of code that reproduces both attacks."""
    asked = collusion_worlds.question(shown)
    return collusion_worlds.code(asked, ALARMS, controls.prior_held())


def whole_sample(shown: View) -> str:
    """The sample of the page with that of the attack, for a coalition with members."""
    return code(shown, *controls.one_tier_held(shown)) + sample(shown)


def section(shown: View) -> None:
    """Both attacks."""
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
    _right(shown, found)
    _belief(shown, found)


def _errors(shown: View, found: Attack) -> None:
    family, step = shown.plan.setting.family, shown.plan.setting.step
    variance = np.array([family.variance(level) for level in found.question.levels])
    theory = (
        step * np.sqrt(np.minimum.accumulate(variance)),
        step / np.sqrt(np.cumsum(1 / variance)),
    )
    seen = [
        step * worlds.joining if worlds else NOTHING
        for worlds in (found.lossless, found.independent)
    ]
    marks = (
        "Symbols: root mean square of estimate − exact number in "
        f"{2 * found.question.worlds:,} simulated worlds, weighted by 1/variance; lines: the "
        "formula. "
        if found.question.worlds
        else "Root mean square of estimate − exact number, by the formula. "
    )
    parts.chart(
        error_chart(
            (theory[0], seen[0]),
            (theory[1], seen[1]),
            style=shown.look(shown.last),
            noun=shown.noun,
        ),
        heading=f"Error of their best estimate, {literal(shown.noun)}",
        reading=f"{marks}Lossless: with any number of persons, the error "
        f"is never below {significant(theory[0][0])}. Independent: the error falls to "
        f"{significant(theory[1][-1])}. The exact numbers are made up.",
        alt=f"Error against persons. Lossless stays at {significant(theory[0][-1])}, independent "
        f"releases fall to {significant(theory[1][-1])}.",
        key="collusion_errors",
    )


def _membership(shown: View, found: Attack) -> None:
    asked, look, two = found.question, shown.look(shown.last), words.sides(shown)
    schemes = [(LOSSLESS, found.lossless, look), (INDEPENDENT, found.independent, GREY_LOOK)]
    schemes = schemes[: min(len(asked.levels), 2)]  # of one person both are the same
    curves = [
        (name, asked.misses(CURVE, lossless=name == LOSSLESS), style) for name, _, style in schemes
    ]
    other = None
    if not (asked.noise.symmetric or asked.moved.balanced) and asked.exact(lossless=True):
        against = best_misses(asked.noise, asked.levels[:1], asked.moved.mirrored, CURVE)
        other = words.mirrored(shown), against
    parts.chart(
        trade_off_chart(
            CURVE,
            curves,
            AT,
            [(name, worlds.misses(AT), style) for name, worlds, style in schemes if worlds],
            alarm=two.alarm,
            mirrored=other,
        ),
        heading=f"{two.ask} Misses against false alarms",
        reading=words.trade_off_reading(shown, asked, two_sided=other is None),
        alt=f"Trade-off curves. At 5 % false alarms the test misses "
        f"{percent(float(np.interp(0.05, CURVE, curves[0][1])))} under lossless release.",
        key="collusion_trade_off",
    )


def _right(shown: View, found: Attack) -> None:
    """How many of 1,000 guesses are right, by the best test and by the simulated attacker."""
    two, asked = words.sides(shown), found.question
    lines = [f"**1,000 guesses {two.guess}, {two.even}**"]
    for name, worlds in ((LOSSLESS, found.lossless), (INDEPENDENT, found.independent)):
        right = asked.right(lossless=name == LOSSLESS)
        simulated = f" {words.simulated(worlds)}" if worlds else ""
        lines.append(f"{name.capitalize()}: {right.said} of 1,000 right.{simulated}")
    st.markdown("  \n".join(lines))
    st.caption(words.knows(shown, asked))


def _belief(shown: View, found: Attack) -> None:
    """What the test makes of a belief."""
    asked = found.question
    left, right = st.columns([3, 1], gap="medium")
    with right:
        controls.prior(words.sides(shown).belief)
    misses = {
        name: float(asked.misses(ALARMS, lossless=name == LOSSLESS))
        for name in (LOSSLESS, INDEPENDENT)
    }
    with left:
        st.markdown(words.belief(shown, asked, controls.prior_held(), ALARMS, misses))
