"""The one scale of guesses: from the 500 of 1,000 that a coin gets right to all of them.

On it stands a yardstick: a small and a large budget that others have published with.
"""

from dpviz.accounting import JointLoss
from dpviz.charts.forms.bar_rows import (
    ASIDE,
    COLOUR,
    DETAIL,
    END,
    GROUP,
    LENGTH,
    ROW,
    UNIT,
    Scale,
    Tick,
)
from dpviz.palette import GREY
from dpviz.planning.practice import PRACTICE
from dpviz.words import loss
from dpviz.workspace.guesses import ALL, COIN, CorrectGuesses, right_of_rho
from dpviz.workspace.takeaways import letter_of

ONE_NOISE = "One shared noise"
HERE = f"{ONE_NOISE}, with more added for the less trusted"
SEPARATE = "Separate noise for each"
ELSEWHERE = "Elsewhere: what others published, protecting other things: point at a mark, or tap it."
BOUND = (
    "≤: no more than the promise allows; against this very noise the best guess may be right less "
    "often."
)


def guess_scale(line: CorrectGuesses | None = None, words: str = "") -> Scale:
    """The scale of every bar of right guesses.

    Args:
        line: right guesses that all bars are compared with, such as those of all together.
        words: what the line is; then it is named on the scale, too.

    >>> [tick.said for tick in guess_scale().ticks]
    ['Wikipedia page views: 535', 'US Census 2020: 874']
    """
    ticks = yardstick()
    if line is not None and words:
        all_bars = "The upright line across the bars."
        end = with_sign(line.said)
        ticks += (Tick(at=line.value, words=words, end=end, detail=all_bars),)
    return Scale(
        low=COIN,
        high=ALL,
        title=f"right guesses out of {ALL:,}",
        low_words=f"{COIN} = a coin",
        high_words=f"{ALL:,} = always",
        ticks=ticks,
        line=None if line is None else line.value,
        name="elsewhere",
    )


def yardstick() -> tuple[Tick, ...]:
    """The budgets that others have published with, by the guesses that Gaussian noise leaves."""
    return tuple(
        Tick(
            at=right.value,
            words=one.name,
            end=right.said,
            detail=f"It protects {one.unit}, with {one.budget} ({one.who}, {one.year}). "
            f"Others protect other things: no advice. Source: {one.source}.",
        )
        for one, right in ((one, right_of_rho(one.rho)) for one in PRACTICE)
    )


def guess_row(
    right: CorrectGuesses,
    *,
    colour: str,
    group: str = "",
    row: str = "",
    aside: str = "",
    detail: str = "",
) -> dict[str, object]:
    """A bar of right guesses, for `bar_rows` on the scale of guesses.

    Args:
        right: how many are right.
        colour: "#RRGGBB", rgba, or "" for the ink of the page.
        group: the name of several bars.
        row: the words above the bar.
        aside: the words below the name.
        detail: a sentence for the hover.
    """
    return {
        GROUP: group,
        ROW: row,
        ASIDE: aside,
        LENGTH: right.value - COIN,
        COLOUR: colour,
        END: with_sign(right.said),
        UNIT: f"of {ALL:,}",
        DETAIL: detail,
    }


def together_rows(
    who: str,
    joint: tuple[JointLoss, CorrectGuesses],
    alone: tuple[JointLoss, CorrectGuesses],
    *,
    colour: str,
) -> list[dict[str, object]]:
    """All tiers together, here and with separate noise if that differs.

    Args:
        who: who compares notes, such as "all four".
        joint: loss and right guesses of all together, here.
        alone: the same, had each been drawn with independent noise.
        colour: of the largest budget.
    """
    letter = letter_of(joint[0])
    here, apart = (f"{letter} = {loss(one.value)}" for one, _ in (joint, alone))
    if joint[0].value == alone[0].value:
        return [guess_row(joint[1], group=who, row=HERE, colour=colour, detail=f"{here}.")]
    only, adds = "Only the largest budget counts", "All budgets add up"
    return [
        guess_row(joint[1], group=who, row=HERE, colour=colour, detail=f"{only}: {here}."),
        guess_row(alone[1], group=who, row=SEPARATE, colour=GREY, detail=f"{adds}: {apart}."),
    ]


def with_sign(said: str) -> str:
    """Right guesses as they stand in a picture: a bound by its sign.

    >>> with_sign("at most 673")
    '≤ 673'
    """
    return said.replace("at most", "≤").replace("at least", "≥")
