"""Screens 4 and 5 of the lesson on the promise: tricks that cannot win, and families that count."""

from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from dpviz.accounting import gaussian_right_guesses
from dpviz.charts.forms.squares import guesses_frame
from dpviz.charts.promise.hills import hills_of_groups
from dpviz.charts.promise.hills_frame import PEOPLE, RIGHT, groups_frame, hills_frame
from dpviz.charts.promise.tricks import blurred_right, rounded_right, tricks, tricks_frame
from dpviz.planning.cast import ILL, KNOWN
from dpviz.ui.kit.lesson import Asked, Side
from dpviz.ui.the_promise import claims, words
from dpviz.ui.the_promise.town import FAMILY, RHO, STYLE
from dpviz.workspace.guesses import COIN

TENS, TWICE = 10, 2  # what is rounded to; how much noise there is once it was added again


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempts:
    """Tricks and what they gain, or groups; and what was asked.

    Attributes:
        frame: as `tricks_frame` or `hills_frame` makes it.
        groups: as `groups_frame` makes it.
        asked: what was asked.
    """

    frame: pd.DataFrame
    groups: pd.DataFrame
    asked: Asked


def tricks_scene(asked: Asked) -> Attempts:
    """The public number as it is, and after each trick.

    Squaring and averaging with an old guess can be undone, so they leave what was there.
    """
    plain = gaussian_right_guesses(RHO)
    tens = rounded_right(RHO, (KNOWN, ILL), TENS)
    found = (plain, tens, plain, plain, blurred_right(RHO, TWICE))
    named = zip(words.TRICKS, found, strict=True)
    guessed = words.TRICK_OF.get(asked.chosen, "")
    return Attempts(
        frame=tricks_frame([*named], guessed), groups=groups_frame(RHO, (1,)), asked=asked
    )


def tricks_said(scene: Attempts) -> str:
    """The question, and its answer."""
    if not scene.asked.done:
        return words.WHICH_TRICK
    chosen = scene.asked.chosen
    return words.answered(words.NO_TRICK, chosen, chosen == words.NONE)


def tricks_picture(scene: Attempts) -> go.Figure:
    """A bar for each trick."""
    return tricks(scene.frame, STYLE, known=len(scene.frame) if scene.asked.done else 1)


def tricks_alt(scene: Attempts) -> str:
    """The same in words."""
    rights = [f"{right:.0f}" for right in scene.frame[RIGHT]]
    if not scene.asked.done:
        return f"A bar for the number as it is, {rights[0]} guesses right; four tricks to come."
    return f"Guesses right of 1,000, as it is: {rights[0]}; after tricks: {', '.join(rights[1:])}."


def tricks_side(scene: Attempts) -> Side:
    """What the best trick gains: nothing."""
    plain = gaussian_right_guesses(RHO)
    done, chosen = scene.asked.done, scene.asked.chosen
    return Side(
        label=words.RIGHT,
        value=f"{plain:.0f}",
        note="0 more by the best trick" if done else "by the number as it is",
        claims=claims.tricks(scene.frame) if done else (claims.guess(1, RHO),),
        guesses=guesses_frame((words.BY_NUMBER, round(plain) - COIN, STYLE, False)),
        lines=words.verdict(chosen, chosen == words.NONE, words.NONE) if done else (),
        caption=words.TRICKED if done else words.AS_IT_IS,
    )


def family_scene(asked: Asked) -> Attempts:
    """Groups of people who all count."""
    frame = hills_frame(ILL, RHO, FAMILY)
    return Attempts(frame=frame, groups=groups_frame(RHO, FAMILY), asked=asked)


def family_said(scene: Attempts) -> str:
    """The question, and its answer."""
    if not scene.asked.done:
        return words.WHAT_OF_FOUR
    chosen = scene.asked.chosen
    return words.answered(words.FAMILY_COUNTS, chosen, chosen == answers()[-1])


def family_picture(scene: Attempts) -> go.Figure:
    """A pair of hills for each group."""
    known = len(FAMILY) if scene.asked.done else 1
    return hills_of_groups(scene.frame, scene.groups, known=known)


def family_alt(scene: Attempts) -> str:
    """The same in words."""
    start = "Four pairs of hills, ever farther apart: one person, two, four and eight."
    if not scene.asked.done:
        return start
    rights = ", ".join(f"{right:.0f}" for right in scene.groups[RIGHT])
    return f"{start} Guesses right of 1,000: {rights}."


def family_side(scene: Attempts) -> Side:
    """What four of one family lose."""
    one, _, four, _ = (round(right) for right in scene.groups[RIGHT])
    if not scene.asked.done:
        return Side(label=words.RIGHT_OF_FOUR, value="?", caption=words.rows(one))
    chosen = scene.asked.chosen
    more = ("more about four people", four - one, None, False)
    return Side(
        label=words.RIGHT_OF_FOUR,
        value=f"{four}",
        note=f"{four - one} more than about one person",
        worse=True,
        claims=claims.groups(scene.groups),
        guesses=guesses_frame(("about one person", one - COIN, STYLE, False), more),
        lines=(*words.verdict(chosen, chosen == f"{four}", f"{four}"), words.squares(scene.groups)),
        caption=words.SQUARE,
    )


def answers() -> tuple[str, ...]:
    """Three answers about four people: as for one, as for two, as for four."""
    of = groups_frame(RHO, FAMILY).set_index(PEOPLE)[RIGHT]
    return tuple(f"{of[size]:.0f}" for size in (1, 2, 4))
