"""The picture of the page Tiers: how near each tier comes, and what that lets it guess."""

from collections.abc import Sequence

import pandas as pd

from dpviz.accounting import JointLoss
from dpviz.charts.compared import together_frame
from dpviz.charts.tiers.clearances import clearances, clearances_frame
from dpviz.planning.tiers import PlannedTier
from dpviz.queries import Query
from dpviz.ui.kit import parts
from dpviz.words.claims import Said
from dpviz.words.markdown import plain_text
from dpviz.workspace.guesses import Right, right_at, right_by
from dpviz.workspace.takeaways import counted
from dpviz.workspace.workspace import Workspace


def show(
    ws: Workspace, planned: Sequence[PlannedTier], joint: JointLoss, alone: JointLoss, said: Said
) -> None:
    """The picture; nothing is drawn for it.

    Args:
        ws: the workspace.
        planned: its tiers.
        joint: loss of all of them together.
        alone: what independent releases would cost.
        said: the take-away.
    """
    query = ws.statistic.query
    rights = [right_at(p.budget) for p in planned]
    downwards = ws.values_of_tiers[::-1], rights[::-1]  # the sharpest on top, as everywhere
    frame = clearances_frame(*downwards, ws.family, query.step)
    pooled = together(ws, rights, joint, alone)
    parts.chart(
        clearances(frame, pooled, noun=query.noun_released, one=query.nouns.one),
        heading="Sharper numbers, more right guesses",
        reading=_reading(query, compared=pooled is not None),
        alt=plain_text(said.text),
        key="clearances",
    )


def _reading(query: Query, *, compared: bool) -> str:
    """That no number is shown, why several tell no more than the sharpest, whose the ticks are."""
    nouns = query.nouns
    mean = f" The mean is the sum over the {nouns.rows}." if query.per_value > 1 else ""
    shared = (
        " Shared noise: a noisier number is a sharper one plus more noise, so it adds nothing."
        if compared
        else ""
    )
    others = " Below: others’ budgets, which protect other things and are no advice."
    return f"A forecast: it shows no released number.{shared}{mean}{others}"


def together(
    ws: Workspace, rights: Sequence[Right], joint: JointLoss, alone: JointLoss
) -> pd.DataFrame | None:
    """What all tiers learn together, here and with separate noise; None if that is one."""
    if joint.value == alone.value or not rights:
        return None
    everybody = "both" if len(rights) == 2 else f"all {counted(len(rights))}"
    return together_frame(
        everybody,
        (joint, right_by(joint)),
        (alone, right_by(alone)),
        slot=ws.values_of_tiers[-1].slot,
    )
