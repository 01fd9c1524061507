"""The picture of the page Tiers: how near each tier comes, and what that lets it guess."""

from collections.abc import Sequence

import pandas as pd

from dpviz.accounting import JointLoss
from dpviz.charts.forms.bar_rows import bar_rows
from dpviz.charts.forms.guess_scale import guess_row, guess_scale, together_rows
from dpviz.charts.forms.picture import Picture
from dpviz.planning.tiers import PlannedTier
from dpviz.queries import Query
from dpviz.ui.kit import parts
from dpviz.words import loss, pm
from dpviz.workspace.guesses import ALL, right_at, right_by
from dpviz.workspace.takeaways import counted
from dpviz.workspace.workspace import Workspace

LARGE_UP_TO = 12  # tiers; of more only what all learn together is large


def show(ws: Workspace, planned: Sequence[PlannedTier], joint: JointLoss, alone: JointLoss) -> None:
    """The picture; nothing is drawn for it.

    Args:
        ws: the workspace.
        planned: its tiers.
        joint: loss of all of them together.
        alone: what independent releases would cost.
    """
    made = picture(ws, planned, joint, alone)
    compared = joint.value != alone.value
    parts.chart(
        made.figure,
        heading="Sharper numbers, more right guesses",
        reading=_reading(ws.statistic.query, compared=compared),
        alt=made.alt,
        key="clearances",
    )


def picture(
    ws: Workspace, planned: Sequence[PlannedTier], joint: JointLoss, alone: JointLoss
) -> Picture:
    """A bar of right guesses for every tier, the sharpest on top, and for all of them together."""
    query, rows = ws.statistic.query, []
    for tier in planned[::-1]:
        budget = tier.budget
        near = pm(budget.half_width, unit=query.noun_released * bool(budget.half_width))
        rows.append(
            guess_row(
                right_at(budget),
                group=tier.name,
                row=f"{near}, {budget.letter} = {loss(budget.loss)}",
                colour=ws.plan.style_of(tier.name).colour,
            )
        )
    together, everybody = right_by(joint), ""
    if joint.value != alone.value:
        everybody = "both" if len(planned) == 2 else f"all {counted(len(planned))}"
        colour = ws.plan.style_of(planned[-1].name).colour
        apart = (alone, right_by(alone))
        rows += together_rows(everybody, (joint, together), apart, colour=colour)
    return bar_rows(
        pd.DataFrame(rows),
        what=f"How often the best guess about one {query.nouns.one} is right, of {ALL:,}.",
        large=None if len(planned) <= LARGE_UP_TO else everybody or planned[-1].name,
        scale=guess_scale(together.value if everybody else None),
        styles=ws.plan.styles,
    )


def _reading(query: Query, *, compared: bool) -> str:
    """What the bars are, why several tell no more than the sharpest, whose the ticks are."""
    nouns = query.nouns
    mean = f" The mean is the sum over the {nouns.rows}." if query.per_value > 1 else ""
    shared = " Upright line: what all learn together." if compared else ""
    return (
        "A forecast: it shows no released number. "
        f"Bar: of {ALL:,} guesses whether one {nouns.one} is in the table, how many are right."
        f"{shared}{mean} Ticks: what others published with, to protect other things."
    )
