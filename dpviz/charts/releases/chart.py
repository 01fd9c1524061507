"""Every tier's release in one picture: rows of marks for few groups, strips for many.

Up to 30 groups a group is a row (`dpviz.charts.releases.rows`): names need width, phones have
height. Beyond, each tier is a strip over the same groups and the same scale
(`dpviz.charts.releases.strips`), thinned where there are more points than a screen shows.
"""

from collections.abc import Mapping

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.releases.frame import EXACT
from dpviz.charts.releases.hover import TRUTH
from dpviz.charts.releases.rows import release_rows
from dpviz.charts.releases.strips import release_strips
from dpviz.charts.strips import points_per_strip
from dpviz.charts.tidy import RELEASE, TOO_FEW, require_columns
from dpviz.checks import probability

ROWS_UP_TO = 30


def release_chart(
    frame: pd.DataFrame,
    *,
    noun: str,
    axis_title: str,
    confidence: float,
    exact: pd.DataFrame | None = None,
    group_title: str = "group",
    truth: str = TRUTH,
    absent: str = TOO_FEW,
    beside: Mapping[str, str] | None = None,
) -> go.Figure:
    """Draw what each tier received, with the interval that holds the true number.

    Args:
        frame: one row per group and tier, in the order to draw, most private tier first.
            Columns: group, tier, value (NaN: too few to tell), low, high (NaN: no guarantee),
            budget (text such as "ρ = 0.02"), style (of the tier).
        noun: what is counted, for the hover sentences, such as "people".
        axis_title: quantity and unit; on the axis of the rows (strips are labelled by the page).
        confidence: of the intervals, between 0 and 1.
        exact: columns group, value; drawn as grey ticks, only while revealed.
        group_title: what the groups are; on the axis of the strips.
        truth: what the intervals hold, for the hover sentences.
        absent: what the first row says of a tier that has no number there; other words than the
            usual ones say why, and are not repeated in the rows below.
        beside: what a strip says beside a tier's name, in place of its half width or budget.

    Raises:
        ParameterError: a column is missing, there is no row, or `confidence` is not a probability.

    >>> from dpviz.palette import TierStyle
    >>> one = pd.DataFrame({"group": ["a"], "tier": ["public"], "value": [7.0],
    ...     "low": [5.0], "high": [9.0], "budget": ["ρ = 1"], "style": [TierStyle(2, 0)]})
    >>> line, mark = release_chart(one, noun="people", axis_title="people", confidence=0.95).data
    >>> line.x.tolist(), mark.x.tolist()
    ([5.0, 9.0, nan], [7.0])
    """
    require_columns(frame, *RELEASE)
    probability(confidence=confidence)
    if exact is not None:
        require_columns(exact, *EXACT)
    if frame["group"].nunique(dropna=False) <= ROWS_UP_TO:
        return release_rows(
            frame,
            noun=noun,
            axis_title=axis_title,
            confidence=confidence,
            exact=exact,
            truth=truth,
            absent=absent,
        )
    return release_strips(
        frame,
        noun=noun,
        group_title=group_title,
        confidence=confidence,
        exact=exact,
        truth=truth,
        beside=beside,
    )


def is_thinned(frame: pd.DataFrame) -> bool:
    """Whether `release_chart` leaves points out; then the caption says so.

    Columns: group, tier.
    """
    require_columns(frame, "group", "tier")
    groups = frame["group"].nunique(dropna=False)
    tiers = frame["tier"].nunique(dropna=False)
    return groups > ROWS_UP_TO and bool(groups > points_per_strip(tiers))
