"""Frames for rows of bars, from the least to the most that a page may hand the form."""

import itertools
from dataclasses import replace

import pandas as pd

from dpviz.charts.forms.bar_rows import BAR_ROWS, INK, Scale, Tick, bar_rows
from dpviz.charts.forms.guess_scale import guess_scale
from dpviz.palette import COLOURS, GREY, TierStyle
from dpviz.workspace.guesses import CorrectGuesses

NAMES = {1: "A", 60: "Wards Medicine, Surgery & <b>Maternity</b> of the Old Town, MMXX"}
NUMBERS = {1: "±7", 12: "±123,456,789,012"}
SCALE = Scale(low=500.0, high=1000.0, low_words="500: a coin", high_words="1,000: always right")

STYLES = {name: TierStyle(11, 3) for name in (*NAMES.values(), f"{NAMES[60]} 0", "A 0")}
GUESSES = guess_scale(CorrectGuesses(value=673.0), "all four together")
LONG = tuple(
    Tick(at=at, words=NAMES[60], end="≤ 1,000", detail="Why.")
    for at in (500.0, 510.0, 740.0, 760.0, 1000.0)
)


def frame(letters, groups, digits, ways=3, scale=None):
    """A frame of this many groups, whose names and numbers are this long."""
    rows = []
    for g, w in itertools.product(range(groups), range(ways)):
        name = NAMES[letters] + (f" {g}" if groups > 1 else "")
        share = (g + w) / max(1, groups + ways - 2) if groups + ways > 2 else 1.0
        words = NAMES[letters] if w else "One shared noise, with more added for the less trusted"
        for part, colour in ((0.6, COLOURS[g % 12] if w else INK), (0.4, GREY)):
            length = share * part * (scale.high - scale.low if scale else 10**digits)
            rows.append((name, f"{words} {w}", length, colour, NUMBERS[digits], "people", "Why."))
    return pd.DataFrame(rows, columns=list(BAR_ROWS))


def cases():
    """Name, frame, the group that is large, and the scale."""
    for letters, groups, digits in itertools.product((1, 60), (1, 20), (1, 12)):
        made = frame(letters, groups, digits)
        yield f"{letters} letters, {groups} groups, {digits} digits", made, made["group"][0], None
    yield "all large", frame(60, 3, 12), None, None
    yield "one bar", frame(1, 1, 12, ways=1), None, None
    yield "a scale", frame(60, 4, 1, scale=SCALE), None, SCALE
    short = frame(1, 4, 12, scale=GUESSES)
    yield "the scale of guesses", short, short["group"][0], GUESSES
    for letters in NAMES:
        made = frame(letters, 4, 1, ways=1, scale=GUESSES).assign(row="", aside="± 4.4 people")
        yield f"asides, {letters} letters", made, None, GUESSES
    yield "long ticks", frame(60, 2, 12, scale=GUESSES), None, replace(GUESSES, ticks=LONG)
    yield "no name", frame(60, 1, 12).assign(group=""), None, None
    yield "nothing", frame(1, 2, 1).assign(length=0.0, end="usually exact"), "A 0", None


def drawn(made, large, scale):
    return bar_rows(made, what="How far off each is.", large=large, scale=scale, styles=STYLES)
