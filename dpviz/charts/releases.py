"""Every tier's release in one picture: rulers for few groups, a strip of each tier for many.

Up to 30 groups each is a row (`dpviz.charts.forms.rulers`): names need width, phones have height.
Beyond, each tier is a strip over the same groups and on the same scale. A strip shows at most
`points_per_strip` points. Longer ones are thinned: of each run of neighbouring groups the least and
the largest release stay, so that no peak is lost. Where too little was released to tell a number
the line has a gap.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpviz.charts.forms.lines import thin
from dpviz.charts.forms.picture import Picture
from dpviz.charts.forms.rulers import INK, TRUTH, release_hover, rulers
from dpviz.charts.labels import note, pixels, round_step, span, tag, ticks
from dpviz.charts.tidy import Intervals, Tier, extent, require_columns, tiers
from dpviz.checks import probability
from dpviz.palette import rgba
from dpviz.scenes.releases import EXACT, RELEASE, TOO_FEW
from dpviz.words import clean, plain, pm, shorten

ROWS_UP_TO = 30
ROOM, FEW_ROOM = 420, 150  # pixels that all strips share; that each of a few has on average
MOST_POINTS, ALL_POINTS = 2_000, 40_000  # in a strip, in the figure
LOWEST = 0.4  # of the highest strip, so that a line is still seen
NAME, BETWEEN = 20.0, 8.0  # pixels for a strip's name and below it
PLACE = "place"  # column that is added: where a row's group stands


def release_chart(
    frame: pd.DataFrame,
    *,
    what: str,
    noun: str,
    confidence: float,
    axis_title: str = "",
    exact: pd.DataFrame | None = None,
    group_title: str = "group",
    truth: str = TRUTH,
    absent: str = TOO_FEW,
    beside: Mapping[str, str] | None = None,
) -> Picture:
    """Draw what each tier received, with the interval that holds the true number.

    Args:
        frame: as `rulers` takes it.
        what: what the numbers are, as a sentence, with which the alt text begins.
        noun: what is counted, for the hover sentences, such as "people".
        confidence: of the intervals, between 0 and 1.
        axis_title: of one axis for all groups, quantity and unit; "": few groups have one each.
        exact: columns group, value; drawn as thin lines, only while revealed.
        group_title: what the groups are; on the axis of the strips.
        truth: what the intervals hold, for the hover sentences.
        absent: what stands in place of a number that a tier does not have, on rulers.
        beside: what a strip says beside a tier's name, in place of its half width or budget.

    Raises:
        ParameterError: a column is missing, there is no row, or `confidence` is not a probability.

    >>> from dpviz.palette import TierStyle
    >>> many = pd.DataFrame({"group": range(31), "tier": "public", "value": 7.0,
    ...     "low": 5.0, "high": 9.0, "budget": "ρ = 1", "style": TierStyle(2, 0)})
    >>> made = release_chart(many, what="Visits.", noun="visits", confidence=0.95)
    >>> made.alt.replace(chr(0x202F), " ")
    'Visits. A strip of 31 numbers for each tier: public ± 2.'
    """
    require_columns(frame, *RELEASE)
    probability(confidence=confidence)
    if exact is not None:
        require_columns(exact, *EXACT)
    said = {"noun": noun, "confidence": confidence, "exact": exact, "truth": truth}
    if frame["group"].nunique(dropna=False) <= ROWS_UP_TO:
        return rulers(frame, what=what, absent=absent, shared=axis_title, **said)  # type: ignore[arg-type]
    return _strips(frame, what=what, group_title=group_title, beside=beside or {}, **said)  # type: ignore[arg-type]


def is_thinned(frame: pd.DataFrame) -> bool:
    """Whether `release_chart` leaves points out; then the caption says so.

    Columns: group, tier.
    """
    require_columns(frame, "group", "tier")
    groups = frame["group"].nunique(dropna=False)
    tiers = frame["tier"].nunique(dropna=False)
    return groups > ROWS_UP_TO and bool(groups > points_per_strip(tiers))


def _strips(
    frame: pd.DataFrame,
    *,
    what: str,
    noun: str,
    group_title: str,
    confidence: float,
    exact: pd.DataFrame | None,
    truth: str,
    beside: Mapping[str, str],
) -> Picture:
    """Strips; frame and arguments are those of `release_chart`."""
    places, found = pd.factorize(frame["group"], use_na_sentinel=False)
    everybody, groups = tiers(frame.assign(**{PLACE: places})), np.asarray(found, dtype=object)
    most = points_per_strip(len(everybody))
    ends = on_one_scale([span(*extent(tier.rows, exact), pad=0.06) for tier in everybody])
    room = min(ROOM, FEW_ROOM * len(everybody))
    total, domains = strip_domains([high - low for low, high in ends], room=room)
    limits = span(*extent(frame, exact), pad=0.06)
    scale = {"showgrid": True} | ticks(*limits, most=4)
    traces, axes = [], {}
    words = {"noun": noun, "truth": truth}
    names: dict[int, str] = {}  # escaped once for all strips
    for rank, (tier, domain) in enumerate(zip(everybody, domains, strict=True)):
        key = str(rank + 1) if rank else ""
        axes[f"yaxis{key}"] = scale | {"domain": domain, "range": ends[rank]}
        strip = [] if exact is None else [_exact_line(exact, groups, most)]
        strip += _strip(tier, groups, names, most, confidence=confidence, **words)
        traces += [trace.update(yaxis=f"y{key}") for trace in strip]
    place: dict[str, Any] = {"xref": "paper", "yref": "paper", "yanchor": "bottom"}
    place |= {"xshift": 2, "yshift": 1}
    bottom = f"y{len(everybody)}" if len(everybody) > 1 else "y"
    layout = {
        "height": round(48 + total),
        "margin": {"t": 4},
        "annotations": [
            note(f"{tag(t.style, t.short())} {plain(_beside(t, beside))}", 0, d[1], **place)
            for t, d in zip(everybody, domains, strict=True)
        ],
        "xaxis": _group_axis(groups, plain(group_title)) | {"anchor": bottom},
    }
    each = ", ".join(f"{clean(t.key)} {_beside(t, beside)}" for t in everybody)
    alt = f"{what} A strip of {len(groups):,} numbers for each tier: {each}."
    return Picture(go.Figure(data=traces, layout=layout | axes), alt)


def _strip(
    tier: Tier,
    groups: NDArray[Any],
    names: dict[int, str],
    most: int,
    *,
    noun: str,
    confidence: float,
    truth: str,
) -> list[go.Scatter]:
    """Band (two edges, filled between) and line of one tier."""
    places, marks = tier.rows[PLACE].to_numpy(np.int32), Intervals.of(tier.rows)
    order = np.argsort(places, kind="stable")
    kept = order[thin(marks.value[order], most)]
    x, marks = places[kept], marks.at(kept)
    for place in set(x.tolist()) - names.keys():
        names[place] = plain(groups[place], 28)
    told = [names[place] for place in x.tolist()]
    hover = release_hover(
        tier, told, marks, noun=noun, confidence=confidence, axis="y", truth=truth
    )
    line = {"color": tier.style.colour, "shape": "hvh", "width": 1.6, "simplify": False}
    y = marks.value
    return [
        *_band(tier, x, marks),
        go.Scatter(x=x, y=y, mode="lines", name=tier.name, line=line, **hover),
    ]


def _band(tier: Tier, x: NDArray[np.int32], marks: Intervals) -> list[go.Scatter]:
    """Two edges, filled between; a mark without an interval has a band of no width."""
    low, high = (np.where(np.isnan(end), marks.value, end) for end in (marks.low, marks.high))
    drawn = np.isfinite(low)
    if np.isnan(marks.low).all():
        return []
    edge = {"x": x[drawn], "mode": "lines", "line": {"shape": "hvh", "width": 0}}
    fill = {"fill": "tonexty", "fillcolor": rgba(tier.style.colour, 0.28)}
    return [
        go.Scatter(y=low[drawn], hoverinfo="skip", **edge),
        go.Scatter(y=high[drawn], hoverinfo="skip", **edge, **fill),
    ]


def _exact_line(exact: pd.DataFrame, groups: NDArray[Any], most: int) -> go.Scatter:
    at = pd.Index(groups, dtype=object).get_indexer(exact["group"])
    order = np.argsort(at, kind="stable")[(at < 0).sum() :]
    x, y = at[order], exact["value"].to_numpy(float)[order]
    keep = thin(y, most)
    line = INK | {"shape": "hvh", "simplify": False}
    hover = "Exact, <b>not private</b>: %{y:,.6~g}<extra></extra>"
    return go.Scatter(
        x=x[keep], y=y[keep], mode="lines", name="exact", line=line, hovertemplate=hover
    )


def _beside(tier: Tier, beside: Mapping[str, str]) -> str:
    """What stands beside a tier’s name: its half width or budget, and what it cannot tell."""
    marks = Intervals.of(tier.rows)
    half, unknown = marks.common_half, int(np.isnan(marks.value).sum())
    usual = pm(half) if np.isfinite(half) else str(tier.rows["budget"].iloc[0])
    more = f"; {TOO_FEW} in {unknown:,} group{'s' * (unknown > 1)}" if unknown else ""
    return beside.get(tier.name, usual) + more


def _group_axis(groups: NDArray[Any], title: str) -> dict[str, Any]:
    """As many group names below the strips as a phone has room for, evenly spaced."""
    count = len(groups)
    texts = [shorten(group, 20) for group in groups[: min(count, 200)]]
    length = max(pixels(text, 12) for text in texts)
    shown = int(np.clip(270 // (length + 14), 2, 6))
    if length < 40:
        at = np.arange(0, count, int(round_step(count / shown)))
    else:  # a long name at the edge would be cut, and hides
        at = (2 * np.arange(shown) + 1) * count // (2 * shown)
    return {
        "range": (-0.5, count - 0.5),
        "showgrid": False,
        "tickangle": 0,
        "tickvals": at,
        "ticktext": [plain(group, 20) for group in groups[at]],
        "title": {"text": title},
    }


def points_per_strip(tiers: int) -> int:
    """How many points a strip shows: 2,000, fewer with more than 20 tiers.

    >>> points_per_strip(4), points_per_strip(100)
    (2000, 400)
    """
    return min(MOST_POINTS, ALL_POINTS // tiers)


def on_one_scale(ends: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The ranges of strips whose heights follow them: none below `LOWEST` of the longest.

    >>> on_one_scale([(-10.0, 10.0), (-1.0, 1.0)])
    [(-10.0, 10.0), (-4.0, 4.0)]
    """
    least = LOWEST * max(high - low for low, high in ends)
    missing = [max(0.0, least - (high - low)) / 2 for low, high in ends]
    return [(low - m, high + m) for (low, high), m in zip(ends, missing, strict=True)]


def strip_domains(
    sizes: Sequence[float], *, room: float = 420
) -> tuple[float, list[tuple[float, float]]]:
    """Height of all strips in pixels, and of each the share it takes, from the top down.

    Args:
        sizes: of the strips, beside one another: how long the axis of each is, at least one.
        room: pixels that all share; of the highest strip at least 64, at most 220.
    """
    pixels = float(np.clip(room / sum(sizes), 64 / max(sizes), 220 / max(sizes)))
    heights = [pixels * size for size in sizes]
    total = sum(heights) + len(sizes) * (NAME + BETWEEN)
    found, at = [], 0.0
    for height in heights:
        top = 1 - (at + NAME) / total
        found.append((max(top - height / total, 0.0), top))
        at += NAME + height + BETWEEN
    return total, found
