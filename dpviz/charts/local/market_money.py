"""Money and privacy of a data market: what all know together, purchase by purchase, and prices.

The loss here is the largest ε that was sold; with independent noise in each number it would be the
sum. Revenue is the same both ways.
"""

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
RUNNING = (SALE, BUYER, EPSILON, PAID, REVENUE, LOSS, APART, SLOT, SYMBOL)
PRICE, MARK = "price", "mark"
PRICES = (EPSILON, PRICE, MARK)
HERE = TierStyle(LAPLACE_SLOT, 0)
HEIGHT, SHORT = 380, 232


def running_frame(stall: Stall) -> pd.DataFrame:
    """Revenue and loss after each purchase; columns `RUNNING`."""
    rows = []
    for sale, (revenue, loss, apart) in zip(stall.ledger.sales, stall.ledger.running, strict=True):
        style = stall.styles[sale.buyer]
        totals = map(float, (sale.epsilon, sale.paid, revenue, loss, apart))
        rows.append((sale.number, sale.buyer, *totals, style.slot, style.symbol))
    return pd.DataFrame(rows, columns=list(RUNNING))


def running(frame: pd.DataFrame) -> go.Figure:
    """Draw revenue above, purchase by purchase, and the owner's loss below.

    Args:
        frame: columns `RUNNING`.

    Raises:
        ParameterError: a column is missing, or nothing was sold.
    """
    require_columns(frame, *RUNNING)
    looks = [TierStyle(int(s), int(m)) for s, m in zip(frame[SLOT], frame[SYMBOL], strict=True)]
    hover = [
        f"<b>{plain(buyer)}</b> pays {_euros(paid)}: {_euros(total)} in all"
        for buyer, paid, total in zip(frame[BUYER], frame[PAID], frame[REVENUE], strict=True)
    ]
    paid = go.Bar(
        x=frame[SALE],
        y=frame[PAID],
        base=frame[REVENUE] - frame[PAID],
        marker={"color": [look.colour for look in looks]},
        hovertext=hover,
        hoverinfo="text",
        name="paid",
    )
    last, top = frame.iloc[-1], float(frame[REVENUE].max()) or 1.0
    ends = (float(last[LOSS]), float(last[APART]))
    fig = go.Figure([paid, _steps(frame, APART), _steps(frame, LOSS)])
    beside = {"xref": "paper", "xanchor": "left", "xshift": 6}
    apart_at = max(ends[1], ends[0] + 0.16 * ends[1])
    notes = [
        note("<b>paid, in all (€)</b>", 0, 1, xref="paper", yref="paper", yanchor="bottom"),
        note("<b>ε the owner has lost</b>", 0, 0.44, xref="paper", yref="paper", yanchor="bottom"),
        note(f"<b>{_euros(last[REVENUE])}</b>", 1, last[REVENUE], **beside),
        note(f"<b>here {loss_words(ends[0])}</b>", 1, ends[0], yref="y2", **beside),
    ]
    if ends[1] > ends[0]:
        notes.append(note(f"separately<br>{loss_words(ends[1])}", 1, apart_at, yref="y2", **beside))
    count = len(frame)
    return fig.update_layout(
        height=HEIGHT,
        margin={"t": 26, "r": 84},
        annotations=notes,
        xaxis={
            "range": (0.4, count + 0.6),
            "showgrid": False,
            "anchor": "y2",
            "title": {"text": "purchases, in their order"},
            "tickmode": "array",
            "tickvals": list(range(1, count + 1, -(-count // 12))),
        },
        yaxis={"domain": (0.56, 1), "range": (0, 1.12 * top), "showgrid": True}
        | ticks(0, top, most=3),
        yaxis2={"domain": (0, 0.42), "range": (0, 1.15 * ends[1]), "showgrid": True}
        | ticks(0, ends[1], most=3),
    )


def _steps(frame: pd.DataFrame, column: str) -> go.Scatter:
    """A total after each purchase, as steps."""
    here = column == LOSS
    said = "here, the largest ε sold" if here else "with independent noise, the sum"
    return go.Scatter(
        x=[0.5, *frame[SALE], len(frame) + 0.5],
        y=[0.0, *frame[column], frame[column].iloc[-1]],
        yaxis="y2",
        mode="lines",
        line={
            "shape": "hv",
            "color": HERE.colour if here else GREY,
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
    look = {"xref": "paper", "yanchor": "bottom"}
    right = look | {"xanchor": "right", "align": "right"}
    notes = [
        note(f"<b>Here</b>: what {best_name} holds", 0, 1.27, **look),
        note(f"<b>ε{NARROW}={NARROW}{loss_words(loss)}</b>", 1, 1.27, **right),
        note("<b>Usual way</b>: the sum", 0, 0.27, **look),
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
            "annotations": notes,
            "xaxis": {"visible": False, "range": (0, max(apart, loss))},
            "yaxis": {"visible": False, "range": (-0.62, 1.55)},
        },
    )


def _bar(length: float, start: float, y: float, row: Any, said: str) -> go.Bar:
    look = TierStyle(int(row[SLOT]), int(row[SYMBOL]))
    return go.Bar(
        x=[length],
        base=[start],
        y=[y],
        width=0.42,
        orientation="h",
        marker={"color": look.colour if y else rgba(look.colour, 0.55), "line": {"width": 1}},
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
