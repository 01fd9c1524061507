"""Screens 1 and 2 of the front page: an exact count, and one with noise."""

from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.guesses import guesses_frame
from dpviz.charts.start.town import town, town_frame
from dpviz.charts.threads import number_of
from dpviz.charts.threads_frame import NO_STYLE
from dpviz.charts.two_hills import hills_frame, two_hills
from dpviz.planning.cast import ILL, KNOWN, PEOPLE
from dpviz.ui.kit.lesson import Asked, Side
from dpviz.ui.kit.notes import RIGHT, guess_claim, right
from dpviz.ui.start import words
from dpviz.ui.start.town import RHO, TRUTH, drawn, ill
from dpviz.workspace.guesses import COIN

REACH = 9.0  # people to either side of the hills: the same for every blur
TICKS = {float(x): f"{x}" for x in range(ILL - 8, ILL + 9, 4)}
ALL = ("by the number", COIN, None, False)  # beyond a coin


def count_frame(asked: Asked) -> pd.DataFrame:
    """Everybody's dot, with Maria among those who are ill or not."""
    return town_frame(ill(asked.chosen != words.WITHOUT))


def _reported(frame: pd.DataFrame) -> int:
    return int(frame["ill"].sum())


def count_said(frame: pd.DataFrame) -> str:
    """What the insurer takes from the count."""
    return words.GIVEN_AWAY if _reported(frame) == ILL else words.CLEARED


def count_picture(frame: pd.DataFrame) -> go.Figure:
    """A thousand dots, and the sum that leaves Maria."""
    return town(frame, name="Maria", known=KNOWN, says=("the town reports", "the insurer knows"))


def count_alt(frame: pd.DataFrame) -> str:
    """The same in words."""
    total = _reported(frame)
    return (
        f"{PEOPLE:,} dots, one per person; {KNOWN} are strong. Maria’s is ringed and stands apart, "
        f"below a sum: {total} less {KNOWN} leaves {total - KNOWN}."
    )


def count_side(frame: pd.DataFrame) -> Side:
    """Every guess is right."""
    return Side(
        label=RIGHT,
        value=f"{2 * COIN:,}",
        claims=(words.sum_claim(_reported(frame)),),
        guesses=guesses_frame(ALL),
        caption=words.DOTS,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One number that the town may say, and how often it would come up either way.

    Attributes:
        rho: its budget; None: no noise.
        said: the number.
        hills: as `hills_frame` makes them.
    """

    rho: float | None
    said: float
    hills: pd.DataFrame


def noise_frame(asked: Asked) -> Report:
    """The town's number with the blur that was chosen."""
    rho = words.BLURS.get(asked.chosen)
    heard = drawn(asked.draw).usual
    said = next((heard[name] for name, each in RHO.items() if each == rho), TRUTH)
    return Report(rho=rho, said=said, hills=hills_frame(rho, float(KNOWN)))


def noise_said(report: Report) -> str:
    """Whether the insurer is left to guess."""
    return words.KNOWS if report.rho is None else words.LEFT_TO_GUESS


def noise_picture(report: Report) -> go.Figure:
    """Two hills, and the number."""
    return two_hills(
        report.hills,
        report.said,
        NO_STYLE,
        names=("<b>without</b><br>Maria", "<b>with</b><br>Maria"),
        says="the town says",
        right=2 * COIN if report.rho is None else right(report.rho),
        ticks=TICKS,
        reach=REACH,
    )


def noise_alt(report: Report) -> str:
    """The same in words."""
    shape = "two spikes, apart" if report.rho is None else "two hills, almost on top of each other"
    return f"Without Maria and with her: {shape}. The town says {number_of(report.said)}."


def noise_side(report: Report) -> Side:
    """How often the insurer guesses right by it."""
    if report.rho is None:
        claim, count = words.sum_claim(ILL), 2 * COIN
    else:
        claim, count = guess_claim("by this number", report.rho), right(report.rho)
    return Side(
        label=RIGHT,
        value=f"{count:,}",
        claims=(claim,),
        guesses=guesses_frame(("by the number", count - COIN, None, False)),
        caption=words.better_guess(report.said, report.rho),
    )
