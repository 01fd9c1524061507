"""Screens 1 and 2 of the front page: an exact count, and one with noise."""

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.forms.squares import guesses_frame
from dpviz.charts.start.town import town, town_frame
from dpviz.charts.threads import number_of
from dpviz.charts.threads_frame import NO_STYLE
from dpviz.charts.two_hills import two_hills
from dpviz.planning.cast import ILL, KNOWN, PEOPLE
from dpviz.ui.kit.lesson import Asked, Side
from dpviz.ui.kit.notes import Report, guess_claim
from dpviz.ui.start import words
from dpviz.ui.start.town import FOUR, drawn, ill
from dpviz.workspace.guesses import COIN

REACH = 9.0  # people to either side of the hills: the same for every blur
TICKS = {float(x): f"{x}" for x in range(ILL - 8, ILL + 9, 4)}
ALL = ("because of the count", COIN, None, False)  # beyond a coin


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
        label=words.RIGHT,
        value=f"{2 * COIN:,}",
        claims=(words.sum_claim(_reported(frame)),),
        guesses=guesses_frame(ALL),
        caption=words.CERTAIN,
    )


def noise_frame(asked: Asked) -> Report:
    """The town's number with the blur that was chosen."""
    return FOUR.report(asked.chosen, drawn(asked.draw).usual)


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
        right=report.right,
        ticks=TICKS,
        reach=REACH,
    )


def noise_alt(report: Report) -> str:
    """The same in words."""
    return f"Without Maria and with her: {report.shape}. The town says {number_of(report.said)}."


def noise_side(report: Report) -> Side:
    """How often the insurer guesses right by it."""
    rho = report.rho
    claim = words.sum_claim(ILL) if rho is None else guess_claim("by this number", rho)
    return Side(
        label=words.RIGHT,
        value=f"{report.right:,}",
        claims=(claim,),
        guesses=guesses_frame(("because of the number", report.right - COIN, None, False)),
        caption=words.better_guess(report.said, rho),
    )
