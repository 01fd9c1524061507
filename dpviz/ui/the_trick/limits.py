"""Screen 6 of the lesson on the trick: three things that it does not promise."""

from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.forms.squares import guesses_frame
from dpviz.charts.threads import number_of, threads
from dpviz.charts.threads_frame import HELD, LARGE, half_of, threads_frame
from dpviz.charts.trick.frame import limits_frame
from dpviz.charts.trick.heaps import limits
from dpviz.planning.cast import AUDIT, ILL, PARTNERS, PUBLIC, RESEARCH
from dpviz.ui.kit import notes
from dpviz.ui.kit.lesson import Asked, Side
from dpviz.ui.the_trick import words
from dpviz.ui.the_trick.paths import TICKS, TRUTH, mark
from dpviz.ui.the_trick.town import RHO, STYLE, TIERS, Drawn, drawn
from dpviz.words import pm
from dpviz.workspace.guesses import COIN

QUESTIONS, BLUR, FRIENDS = "more questions", "no less blur", "friends of audit"
ALL = (QUESTIONS, BLUR, FRIENDS)
SAID = {
    QUESTIONS: "One path is one question: each further question has a path of its own, and what "
    "they tell adds up.",
    BLUR: "“Lossless” is about privacy, not about sharpness: every number keeps the full blur of "
    "its reader.",
    FRIENDS: "Those who compare notes with audit know what audit knows: the sharpest number "
    "counts for all of them.",
}
COUNTS = ("one question", "two questions", "three questions")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """One of the three.

    Attributes:
        which: of `ALL`.
        frame: as `limits_frame` makes it; the numbers, as `threads_frame` does, for the blur.
        drawn: the draw.
    """

    which: str
    frame: pd.DataFrame
    drawn: Drawn


def limit_frame(asked: Asked) -> Limit:
    """What is asked for."""
    made, which = drawn(asked.draw), asked.chosen or QUESTIONS
    if which == BLUR:
        states = {PUBLIC: LARGE}
        rows = [mark(name, made.here[name], states.get(name, HELD)) for name in TIERS]
        frame = threads_frame(rows, TRUTH)
    elif which == QUESTIONS:
        paths = (notes.joint(k * (RHO[AUDIT],), notes.USUAL) for k in range(1, 1 + len(COUNTS)))
        frame = limits_frame([(n, rho, STYLE[AUDIT]) for n, rho in zip(COUNTS, paths, strict=True)])
    else:
        frame = limits_frame(
            [
                ("public alone", RHO[PUBLIC], STYLE[PUBLIC]),
                *(
                    (f"with {name}", notes.joint((RHO[PUBLIC], RHO[name]), notes.HERE), STYLE[name])
                    for name in (PARTNERS, RESEARCH, AUDIT)
                ),
            ]
        )
    return Limit(which=which, frame=frame, drawn=made)


def limit_said(limit: Limit) -> str:
    """What is not promised."""
    return SAID[limit.which]


def limit_picture(limit: Limit) -> go.Figure:
    """Bars of right guesses, or the numbers below the truth."""
    if limit.which == BLUR:
        return threads(limit.frame, ticks=TICKS, guesses=False)
    return limits(limit.frame)


def limit_alt(limit: Limit) -> str:
    """The same in words."""
    if limit.which == BLUR:
        said = ", ".join(f"{n} {number_of(x)}" for n, x in limit.drawn.here.items())
        return f"The truth is {ILL}. The numbers, each within its blur: {said}."
    rows = zip(limit.frame["what"], limit.frame["right"], strict=True)
    said = ", ".join(f"{what} {right:.0f}" for what, right in rows)
    return f"Guesses right, of 1,000: {said}."


def limit_side(limit: Limit) -> Side:
    """The number that one should remember."""
    if limit.which == BLUR:
        return _blur(limit.drawn)
    return _questions() if limit.which == QUESTIONS else _friends()


def _questions() -> Side:
    one, two = RHO[AUDIT], notes.joint((RHO[AUDIT], RHO[AUDIT]), notes.USUAL)
    alone, joint = notes.right(one), notes.right(two)
    return Side(
        label=f"{notes.RIGHT}, by two questions",
        value=f"{joint:,}",
        note=f"{joint - alone} more than by one",
        worse=True,
        claims=(notes.guess_claim("two questions", two), notes.guess_claim("one question", one)),
        guesses=guesses_frame(
            ("by one question", alone - COIN, STYLE[AUDIT], False),
            ("by the second", joint - alone, None, False),
        ),
        caption="Audit asks about blood pressure, then about smoking, and gets two sharp "
        "numbers. Only numbers about one question share a path.",
    )


def _blur(made: Drawn) -> Side:
    x, half = made.here[PUBLIC], half_of(RHO[PUBLIC])
    return Side(
        label="The public’s number is off by",
        value=number_of(abs(x - ILL)),
        note=f"in most draws within {pm(half)}",
        claims=(
            words.drawn_claim("the public", x),
            words.half_claim(
                "half width of the public’s number",
                half,
                "quantile of Gaussian noise (MATHEMATICS 4.1)",
            ),
        ),
        lines=words.held(made.here),
        caption="What is not lost: all numbers together tell no more about Maria than the sharpest "
        "one. No number is exact.",
    )


def _friends() -> Side:
    alone, joint = notes.right(RHO[PUBLIC]), notes.joint((RHO[PUBLIC], RHO[AUDIT]), notes.HERE)
    right = notes.right(joint)
    return Side(
        label=f"{notes.RIGHT}, with audit",
        value=f"{right:,}",
        note=f"{right - alone} more than by the public’s number",
        worse=True,
        claims=(
            notes.guess_claim("the public and audit", joint),
            notes.guess_claim("the public", RHO[PUBLIC]),
        ),
        guesses=guesses_frame(
            ("by the public’s number", alone - COIN, STYLE[PUBLIC], False),
            ("by audit’s", right - alone, STYLE[AUDIT], False),
        ),
        caption="No more than audit knows alone. So choose well who is audit.",
    )
