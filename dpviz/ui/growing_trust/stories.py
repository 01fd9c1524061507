"""Which of the three stories is told, and what each one hands to the page and its drawer."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import streamlit as st

from dpviz.charts.local.together import together_chart
from dpviz.ui.kit import controls, parts
from dpviz.ui.kit.page_table import STORY
from dpviz.ui.kit.state import Slot, fill, nothing
from dpviz.words import capitalised, significant
from dpviz.words.claims import Said
from dpviz.words.markdown import literal
from dpviz.workspace.facts import Facts
from dpviz.workspace.guesses import Right

PULSE, CIRCLE, MARKET = "pulse", "circle", "market"
STORIES = {PULSE: "Patient’s pulse", CIRCLE: "Circle of friends", MARKET: "Data market"}
KEY = "trust_story"
_SEEN = Slot[str | None]("trust_story_seen", nothing)
Closer = tuple[str, Callable[[], object], str]  # a question, its answer, and the key
MOST_DIGITS = 9  # of each of two values that stand at a bar
HEADING = "If they compare notes"
APART = "<b>Separate noise</b> for each"


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a story says to the frame of the page.

    Attributes:
        said: the headline.
        formula: of the drawer.
        code: of the drawer.
        facts: of the drawer.
        closers: at most two.
    """

    said: Said
    formula: Callable[[], str]
    code: Callable[[], str]
    facts: Facts
    closers: tuple[Closer, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Meter:
    """What all readers know together, by guesses and by loss.

    Attributes:
        right: of 1,000 guesses, here and with separate noise.
        losses: ε, here and with separate noise.
        who: guess, as the subject of a sentence.
        best: whose number decides here, as text of a figure.
        asked: the two values that are told apart, such as "62 or 64".
    """

    right: tuple[Right, Right]
    losses: tuple[Fraction | float, Fraction | float]
    who: str
    best: str
    asked: str


def chosen() -> str:
    """The story that the visitor wants, by the switch or by the address; the address keeps it."""
    asked = st.query_params.get(STORY)
    if asked in STORIES and asked != _SEEN.get():
        fill(KEY, asked)
    story: str = controls.segmented_control(
        "Story", STORIES, default=PULSE, key=KEY, label_visibility="collapsed"
    )
    _SEEN.set(story)
    st.query_params[STORY] = story
    return story


def show_meter(meter: Meter) -> None:
    """Show what all readers guess together: here, and with separate noise."""
    parts.chart(
        together_chart(meter.right, (f"<b>Here</b>: what {meter.best} knows alone", APART)),
        heading=HEADING,
        reading=reading(meter),
        alt=alternative(meter),
        key="trust_meter",
    )


def reading(meter: Meter) -> str:
    """What is guessed, and what both ways promise."""
    asked = meter.asked
    if max(map(len, asked.split(" or "))) > MOST_DIGITS:
        asked = "which of two values"
    here, apart = (significant(float(loss), 6) for loss in meter.losses)
    return literal(
        f"{capitalised(meter.who)} guess: {asked}? Privacy loss (ε): at most {here}; with separate "
        f"noise {apart}."
    )


def alternative(meter: Meter) -> str:
    """The two bars in words."""
    here, apart = meter.right
    return (
        f"Two bars from a coin’s 500 on. Guesses right of 1,000 by {meter.who}: here {here.said}, "
        f"with separate noise {apart.said}."
    )
