"""Made-up frames for the figure tests, and what to look for in a figure."""

import numpy as np
import pandas as pd

from dpviz.palette import assign_styles

HOSTILE = [
    "<a href='http://x'>link</a>",
    "<b>x</b>",
    "%{x}",
    "=1+1",
    "![](http://x)",
    "$x^2$",
    "&amp;",
    "two\nlines\t\u202eturned",
    "%{customdata[0]}<extra>no</extra>",
    "W" * 400,
]


def looks(tier_names):
    return assign_styles({}, list(tier_names))[0]


def releases(tier_names, groups, *, half=lambda rank: 100.0 / (rank + 1), seed=1):
    """One row per tier and group, values around 1,000 in the middle of their intervals."""
    rng, styles = np.random.default_rng(seed), looks(tier_names)
    rows = []
    for rank, name in enumerate(tier_names):
        for group in groups:
            value = 1000.0 + rng.normal() * half(rank)
            row = {"group": group, "tier": name, "value": value}
            row |= {"low": value - half(rank), "high": value + half(rank)}
            row |= {"budget": f"ρ = {0.1 * (rank + 1):g}"}
            rows.append(row | {"style": styles[name]})
    return pd.DataFrame(rows)


def unknown(frame, tier, group):
    """The frame with one number that is too little to tell: its interval is all there may be."""
    frame = frame.copy()
    at = (frame["tier"] == tier) & (frame["group"] == group)
    frame.loc[at, ["value", "low", "high"]] = (np.nan, 0.0, 2000.0)
    return frame


def texts(fig):
    """Every text of a figure that a browser reads for tags, entities or templates."""
    found = [note.text for note in fig.layout.annotations]
    for axis in (*fig.select_xaxes(), *fig.select_yaxes()):
        found += [axis.title.text or "", *(axis.ticktext if axis.ticktext is not None else ())]
    for trace in fig.data:
        found.append(trace.name or "")
        for part in (trace.text, trace.hovertemplate, trace.ids, trace.hovertext, trace.customdata):
            found += [] if part is None else [str(x) for x in np.ravel(np.array(part, object))]
    return found


def markers(fig):
    """Name, colour and symbol of every trace of marks."""
    marks = [t for t in fig.data if t.type == "scatter" and t.mode == "markers"]
    return {t.name: (t.marker.color, t.marker.symbol) for t in marks}


def check_harmless(fig):
    """No text of the figure does anything: without our own marks, it is only text."""
    for text in texts(fig):
        rest = text
        for tag in ("<b>", "</b>", "<br>", "</span>", "<extra></extra>", "%{customdata}"):
            rest = rest.replace(tag, "")
        for start in ("<span style=", "%{x:", "%{y:"):
            while start in rest:
                head, _, tail = rest.partition(start)
                rest = head + tail.partition(">" if start[0] == "<" else "}")[2]
        assert not set("<>$\n") & set(rest), text
        assert "%{" not in rest, text
