"""Screens 1 and 2 of the lesson on the promise: two tables, and the ratio between them."""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.promise.hills import ratio_at, two_hills
from dpviz.charts.promise.hills_frame import LOSS, PLACE, hills_frame
from dpviz.charts.promise.tables import tables_frame, two_tables
from dpviz.planning.cast import ILL, KNOWN
from dpviz.ui.kit.lesson import Asked, Side
from dpviz.ui.the_promise import claims, words
from dpviz.ui.the_promise.town import HER, RHO, STYLE, Twin, made
from dpviz.words import number


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """Both tables, the numbers made from them, and what was asked.

    Attributes:
        frame: as `tables_frame` makes it.
        twins: pairs of numbers with the same noise.
        asked: what was asked.
    """

    frame: pd.DataFrame
    twins: tuple[Twin, ...]
    asked: Asked


def tables_scene(asked: Asked) -> Pairs:
    """The town with Maria and without her."""
    town = made()
    return Pairs(frame=tables_frame(town.ill, HER), twins=town.twins, asked=asked)


def tables_said(scene: Pairs) -> str:
    """The question, and its answer."""
    if not scene.asked.done:
        return words.HOW_FAR
    chosen = scene.asked.chosen
    return words.answered(words.ALL_YOU_CHANGE, chosen, chosen == words.EXACTLY)


def tables_picture(scene: Pairs) -> go.Figure:
    """Two tables, and what becomes of them."""
    noise = scene.twins[0].noise if scene.asked.done else None
    return two_tables(scene.frame, (ILL, KNOWN), STYLE, noise)


def tables_alt(scene: Pairs) -> str:
    """The same in words."""
    first = scene.twins[0]
    end = "Noise is still to be added."
    if scene.asked.done:
        end = f"With the same noise they become {number(first.here)} and {number(first.away)}."
    return f"Two tables of dots, with Maria and without: {ILL} and {KNOWN} are ill. {end}"


def tables_side(scene: Pairs) -> Side:
    """How far the two numbers are apart, in several draws."""
    if not scene.asked.done:
        return Side(label=words.APART, value="?", caption=words.TABLES)
    right = scene.asked.chosen == words.EXACTLY
    return Side(
        label=words.APART,
        value="1",
        note="in every draw",
        claims=claims.apart(scene.twins),
        lines=(
            *words.verdict(scene.asked.chosen, right, words.EXACTLY),
            words.draws(scene.twins),
        ),
        caption=words.REPLAYED,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratio:
    """Two hills, and a number in question.

    Attributes:
        frame: as `hills_frame` makes it.
        at: the number.
        asked: what was asked.
    """

    frame: pd.DataFrame
    at: float
    asked: Asked

    @property
    def loss(self) -> float:
        """The logarithm of the ratio of both hills at the number."""
        return float(np.interp(self.at, self.frame[PLACE], self.frame[LOSS]))


def ratio_scene(asked: Asked) -> Ratio:
    """Both hills, and the number that was chosen."""
    return Ratio(frame=hills_frame(ILL, RHO), at=float(asked.chosen), asked=asked)


def ratio_said(scene: Ratio) -> str:
    """The question, and its answer."""
    return words.BOUNDED if scene.asked.done else words.HOW_MUCH_LIKELIER


def ratio_picture(scene: Ratio) -> go.Figure:
    """Two hills; below them their ratio."""
    return two_hills(scene.frame, scene.at, STYLE, asked=scene.asked.done)


def ratio_alt(scene: Ratio) -> str:
    """The same in words."""
    end = "What is their ratio?"
    if scene.asked.done:
        end = f"It is {ratio_at(scene.loss)} times likelier with Maria than without."
    return f"Two hills, almost on top of each other, and the number {scene.at:.0f} below. {end}"


def ratio_side(scene: Ratio) -> Side:
    """The ratio and its logarithm at the number."""
    if not scene.asked.done:
        return Side(label=words.LIKELIER, value="?", caption=words.HILLS)
    return Side(
        label=words.LIKELIER,
        value=ratio_at(scene.loss),
        note=f"loss by this number {words.signed_loss(scene.loss)}",
        claims=claims.ratio(scene.at, math.exp(scene.loss), scene.loss),
        lines=words.RATIO,
        caption=words.LOSS,
    )
