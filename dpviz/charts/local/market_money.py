"""Money and privacy of a data market: what all know together, purchase by purchase, and prices.

The loss here is the largest ε that was sold; with independent noise in each number it would be the
sum. Revenue is the same both ways.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import PHONE, dotted, note, pixels, ticks
from dpviz.charts.local.market import BUYER, EPSILON, PAID, SALE, SLOT, SYMBOL
from dpviz.charts.tidy import require_columns
from dpviz.local.prices import PriceCurve
from dpviz.palette import GREY, LAPLACE_SLOT, TierStyle, rgba
from dpviz.words import NARROW, plain, shorten
from dpviz.words import loss as loss_words
from dpviz.workspace.local.data_market import Stall

REVENUE, LOSS, APART = "revenue", "loss", "loss apart"
UPGRADE = "upgrade"
RUNNING = (SALE, BUYER, EPSILON, PAID, REVENUE, LOSS, APART, SLOT, SYMBOL, UPGRADE)
PRICE, MARK = "price", "mark"
PRICES = (EPSILON, PRICE, MARK)
HERE = TierStyle(LAPLACE_SLOT, 0)
HEIGHT, SHORT = 410, 232
UPRIGHT = 520  # the height if names stand upright
SIZE = 12  # pixels, of a name at its block
MARGIN = 92  # right of the blocks, for what stands at the end of a line
UPPER = 0.44  # of the height, for the blocks


def running_frame(stall: Stall) -> pd.DataFrame:
    """Revenue and loss after each purchase; columns `RUNNING`."""
    rows = []
    for sale, (revenue, loss, apart) in zip(stall.ledger.sales, stall.ledger.running, strict=True):
        style = stall.styles[sale.buyer]
        totals = map(float, (sale.epsilon, sale.paid, revenue, loss, apart))
        look = (style.slot, style.symbol)
        rows.append((sale.number, sale.buyer, *totals, *look, sale.upgrade))
    return pd.DataFrame(rows, columns=list(RUNNING))


def running(frame: pd.DataFrame) -> go.Figure:
    """Draw revenue above, purchase by purchase, and the owner's loss below.

    Args:
        frame: columns `RUNNING`.

    Raises:
        ParameterError: a column is missing, or nothing was sold.
    """
    require_columns(frame, *RUNNING)
    last, top = frame.iloc[-1], float(frame[REVENUE].max()) or 1.0
    ends = (float(last[LOSS]), float(last[APART]))
    fig = go.Figure([_paid(frame), _steps(frame, APART), _steps(frame, LOSS)])
    beside = {"xref": "paper", "xanchor": "left", "xshift": 6}
    apart_at = max(ends[1], ends[0] + 0.2 * ends[1])
    names, room, height = _names(frame, top)
    lower = "<b>the owner’s privacy loss is at most ε</b>"
    notes = [
        note("<b>paid, in all (€)</b>", 0, 1, xref="paper", yref="paper", yanchor="bottom"),
        note(lower, 0, 0.42, xref="paper", yref="paper", yanchor="bottom"),
        note(f"<b>{_euros(last[REVENUE])}</b>", 1, last[REVENUE], **beside),
        note(f"<b>here {loss_words(ends[0])}</b>", 1, ends[0], yref="y2", **beside),
    ]
    if ends[1] > ends[0]:
        notes.append(
            note(f"separate<br>noise {loss_words(ends[1])}", 1, apart_at, yref="y2", **beside)
        )
    count = len(frame)
    return fig.update_layout(
        height=height,
        margin={"t": 26, "r": MARGIN},
        annotations=[*notes, *names],
        xaxis={
            "range": (0.4, count + 0.6),
            "showgrid": False,
            "anchor": "y2",
            "title": {"text": "purchases, in their order"},
            "tickmode": "array",
            "tickvals": list(range(1, count + 1, -(-count // 12))),
        },
        yaxis={"domain": (1 - UPPER, 1), "range": (0, room), "showgrid": True}
        | ticks(0, top, most=3),
        yaxis2={"domain": (0, 0.4), "range": (0, 1.15 * ends[1]), "showgrid": True}
        | ticks(0, ends[1], most=3),
    )


def _paid(frame: pd.DataFrame) -> go.Bar:
    """A block for each purchase, on top of what was paid before."""
    looks = [TierStyle(int(s), int(m)) for s, m in zip(frame[SLOT], frame[SYMBOL], strict=True)]
    hover = [
        f"<b>{plain(buyer)}</b> pays {_euros(paid)}: {_euros(total)} in all"
        for buyer, paid, total in zip(frame[BUYER], frame[PAID], frame[REVENUE], strict=True)
    ]
    return go.Bar(
        x=frame[SALE],
        y=frame[PAID],
        base=frame[REVENUE] - frame[PAID],
        marker={"color": [look.colour for look in looks]},
        hovertext=hover,
        hoverinfo="text",
        name="paid",
    )


def _names(frame: pd.DataFrame, top: float) -> tuple[list[dict[str, Any]], float, int]:
    """Who pays, at each block: level, upright or unnamed; the end of the axis; the height.

    Args:
        frame: columns `RUNNING`.
        top: what was paid in all.
    """
    slot = (PHONE - MARGIN - 26) / len(frame)
    height = HEIGHT
    bought = list(zip(frame[BUYER], frame[UPGRADE], strict=True))
    level = [[plain(name, 12), *(["upgrade"] if again else [])] for name, again in bought]
    wide = [max(pixels(line, SIZE) for line in lines) for lines in level]
    style: dict[str, Any] = {"xanchor": "center", "align": "center", "font": {"size": SIZE}}
    rise = 0.8 * UPPER * (HEIGHT - 96) / top * frame[PAID].iloc[1:]
    beside = [
        (a + b) / 2 <= slot or up > 1.2 * SIZE
        for a, b, up in zip(wide, wide[1:], rise, strict=False)
    ]
    if max(wide) <= 1.4 * slot and all(beside):
        texts, tall = ["<br>".join(lines) for lines in level], 2.4 * SIZE
        texts = [text.replace("<br>", ",<br>") for text in texts]
    elif slot >= SIZE:
        texts = [
            f"{plain(name, 10)}, upgrade" if again else plain(name, 14) for name, again in bought
        ]
        tall, style["textangle"] = max(pixels(text, SIZE) for text in texts), -90
        height = UPRIGHT
    else:
        return [], 1.12 * top, height
    tops = frame[REVENUE]
    names = [
        note(text, x, y, yanchor="bottom", yshift=2, **style)
        for text, x, y in zip(texts, frame[SALE], tops, strict=True)
    ]
    share = min(0.6, (tall + 6) / (UPPER * (height - 96)))
    return names, top / (1 - share), height


def _steps(frame: pd.DataFrame, column: str) -> go.Scatter:
    """A total after each purchase, as steps."""
    here = column == LOSS
    said = "here, the largest ε sold" if here else "with separate noise, the sum"
    colour = {} if here else {"color": GREY}  # here: the ink of the page, no buyer's colour
    return go.Scatter(
        x=[0.5, *frame[SALE], len(frame) + 0.5],
        y=[0.0, *frame[column], frame[column].iloc[-1]],
        yaxis="y2",
        mode="lines",
        line={
            "shape": "hv",
            **colour,
            "width": 3 if here else 2,
            "dash": "solid" if here else "5px 4px",
        },
        hovertemplate=f"{said}: ε = %{{y:.4~g}}<extra></extra>",
        name=column,
    )


def together(frame: pd.DataFrame, *, texts: tuple[str, str]) -> go.Figure:
    """Draw what all buyers know together: here, and with independent noise in each number.

    Args:
        frame: columns `RUNNING`.
        texts: what stands at the end of the line above each bar.

    Raises:
        ParameterError: a column is missing, or nothing was sold.
    """
    require_columns(frame, *RUNNING)
    loss, apart = float(frame[LOSS].iloc[-1]), float(frame[APART].iloc[-1])
    best = frame.loc[frame[EPSILON].idxmax()]
    bars = [_bar(loss, 0.0, 1.0, best, f"{plain(best[BUYER])} bought ε = {loss_words(loss)}")]
    start = 0.0
    for _, row in frame.iterrows():
        said = f"{plain(row[BUYER])}, purchase {row[SALE]}: ε = {loss_words(row[EPSILON])}"
        bars.append(_bar(float(row[EPSILON]), start, 0.0, row, said))
        start += float(row[EPSILON])
    best_name = plain(shorten(best[BUYER], 18))
    longest = max(apart, loss)
    look = {"xref": "paper", "yanchor": "bottom"}
    right = look | {"xanchor": "right", "align": "right"}
    notes = [
        note(f"<b>Here</b>: the number sold to {best_name}", 0, 1.27, **look),
        note(f"<b>ε{NARROW}={NARROW}{loss_words(loss)}</b>", 1, 1.27, **right),
        note("<b>Usual way</b>: separate noise, the sum", 0, 0.27, **look),
        note(f"<b>ε{NARROW}={NARROW}{loss_words(apart)}</b>", 1, 0.27, **right),
        note(texts[0], 0, 0.73, **look | {"yanchor": "top"}),
        note(texts[1], 0, -0.27, **look | {"yanchor": "top"}),
    ]
    return go.Figure(
        data=bars,
        layout={
            "height": SHORT,
            "barmode": "overlay",
            "margin": {"t": 8, "b": 8},
            "annotations": [*notes, *_parts(frame, longest)],
            "xaxis": {"visible": False, "range": (0, longest)},
            "yaxis": {"visible": False, "range": (-0.62, 1.55)},
        },
    )


def _parts(frame: pd.DataFrame, longest: float) -> list[dict[str, Any]]:
    """Names within the stacked bar, where they fit on a phone."""
    starts: Sequence[float] = frame[EPSILON].cumsum() - frame[EPSILON]
    names = []
    for name, length, start in zip(frame[BUYER], frame[EPSILON], starts, strict=True):
        text = plain(name, 18)
        if pixels(text, SIZE) + 2 <= length / longest * (PHONE - 20):
            look = {"xanchor": "center", "font": {"size": SIZE}}
            names.append(note(text, start + length / 2, 0, yanchor="middle", **look))
    return names


def _bar(length: float, start: float, y: float, row: Any, said: str) -> go.Bar:
    look = TierStyle(int(row[SLOT]), int(row[SYMBOL]))
    return go.Bar(
        x=[length],
        base=[start],
        y=[y],
        width=0.42,
        orientation="h",
        marker={"color": look.colour if y else rgba(look.colour, 0.5), "line": {"width": 2}},
        hovertext=[said],
        hoverinfo="text",
        name=plain(row[BUYER]),
    )


def prices_frame(curve: PriceCurve, limit: Fraction, sold: Stall | None) -> pd.DataFrame:
    """The corners of a price curve up to the limit, then what was sold; columns `PRICES`.

    Args:
        curve: the prices.
        limit: the largest ε that is sold.
        sold: the market whose purchases are marked; None: no marks.
    """
    corners = [epsilon for epsilon, _ in curve.corners if epsilon < limit]
    line = [(float(e), float(curve.line(e)), False) for e in (Fraction(0), *corners, limit)]
    sales = sold.ledger.sales if sold else ()
    marks = [(float(s.epsilon), float(curve.price(s.epsilon)), True) for s in sales]
    return pd.DataFrame([*line, *marks], columns=list(PRICES))


def price_line(frame: pd.DataFrame) -> go.Figure:
    """Draw a price curve up to the limit, with marks where something was sold.

    Args:
        frame: columns `PRICES`.

    Raises:
        ParameterError: a column is missing, or there is no point.
    """
    require_columns(frame, *PRICES)
    line, marks = frame[~frame[MARK]], frame[frame[MARK]]
    limit, top = float(line[EPSILON].iloc[-1]), float(line[PRICE].max()) or 1.0
    text = f"most ever sold: {loss_words(limit)}"
    wide = pixels(text) / (PHONE - 60)
    return go.Figure(
        [
            go.Scatter(
                x=line[EPSILON],
                y=line[PRICE],
                mode="lines",
                line={"color": HERE.colour, "width": 3},
                hovertemplate="ε = %{x:.4~g}: €%{y:,.2f}<extra></extra>",
                name="price",
            ),
            go.Scatter(
                x=marks[EPSILON],
                y=marks[PRICE],
                mode="markers",
                marker={"size": 9, "color": HERE.colour},
                hovertemplate="sold at ε = %{x:.4~g}: €%{y:,.2f}<extra></extra>",
                name="sold",
            ),
        ],
        layout={
            "height": 270,
            "margin": {"t": 24},
            "shapes": [dotted(limit)],
            "annotations": [note(text, limit, 1, yref="paper", yanchor="bottom", xanchor="right")],
            "xaxis": {
                "range": (0, 1.06 * limit),
                "title": {"text": "ε of a release (larger = less private)"},
            }
            | ticks(0, limit, most=5, room=(1 - wide / 4) * 250),
            "yaxis": {"range": (0, 1.1 * top), "showgrid": True} | ticks(0, top, most=4),
        },
    )


def _euros(amount: float) -> str:
    return f"€{amount:,.2f}"
