"""Releases of more than 30 groups: a strip per tier, one above the other, on one scale.

A strip shows at most `points_per_strip` points. Longer ones are thinned: of each run of
neighbouring groups the least and the largest release stay, so that no peak is lost. Where too
little was released to tell a number the line has a gap.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpviz.charts.labels import note, pixels, round_step, span, tag, ticks
from dpviz.charts.releases.hover import release_hover
from dpviz.charts.strips import on_one_scale, points_per_strip, strip_domains, thin
from dpviz.charts.tidy import TOO_FEW, Intervals, Tier, extent, tiers
from dpviz.palette import GREY, rgba
from dpviz.words import plain, pm, shorten

ROOM, FEW_ROOM = 420, 150  # pixels that all strips share; that each of a few has on average
PLACE = "place"  # column that is added: where a row's group stands


def release_strips(
    frame: pd.DataFrame,
    *,
    noun: str,
    group_title: str,
    confidence: float,
    exact: pd.DataFrame | None,
    truth: str,
    beside: Mapping[str, str] | None = None,
) -> go.Figure:
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
    bottom = f"y{len(everybody)}" if len(everybody) > 1 else "y"
    layout = {
        "height": round(48 + total),
        "margin": {"t": 4},
        "annotations": [
            _name(t, d[1], (beside or {}).get(t.name))
            for t, d in zip(everybody, domains, strict=True)
        ],
        "xaxis": _group_axis(groups, plain(group_title)) | {"anchor": bottom},
    }
    return go.Figure(data=traces, layout=layout | axes)


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
    line = {"color": GREY, "shape": "hvh", "width": 1.5, "simplify": False}
    hover = "Exact, <b>not private</b>: %{y:,.6~g}<extra></extra>"
    return go.Scatter(
        x=x[keep], y=y[keep], mode="lines", name="exact", line=line, hovertemplate=hover
    )


def _name(tier: Tier, top: float, beside: str | None) -> dict[str, Any]:
    marks = Intervals.of(tier.rows)
    half, unknown = marks.common_half, int(np.isnan(marks.value).sum())
    usual = pm(half) if np.isfinite(half) else tier.rows["budget"].iloc[0]
    words = f" {plain(usual if beside is None else beside)}"
    words += f"; {TOO_FEW} in {unknown:,} group{'s' * (unknown > 1)}" if unknown else ""
    text = tag(tier.style, tier.short()) + words
    return note(text, 0, top, xref="paper", yref="paper", yanchor="bottom", xshift=2, yshift=1)


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
