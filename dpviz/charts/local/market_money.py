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
from dpviz.palette import GREY, TierStyle, ink_on
from dpviz.words import NARROW, plain, shorten
from dpviz.words import loss as loss_words
from dpviz.workspace.local.data_market import Stall

REVENUE, LOSS, APART = "revenue", "loss", "loss apart"
UPGRADE = "upgrade"
RUNNING = (SALE, BUYER, EPSILON, PAID, REVENUE, LOSS, APART, SLOT, SYMBOL, UPGRADE)
PRICE, MARK = "price", "mark"
PRICES = (EPSILON, PRICE, MARK)
HEIGHT, SHORT = 410, 190
UPRIGHT = 520  # the height if names stand upright
SIZE = 12  # pixels, of a name at its block
FOLD = 34  # pixels that the edges of a fold take
UPPER = 0.44  # of the height, for the blocks
AWAY = 0.24  # of the way from bar to bar: from the middle of one to the words at it
WIDE = 0.8  # of the way from block to block: a block


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
    top, apart = float(frame[REVENUE].max()) or 1.0, float(frame[APART].iloc[-1])
    fig = go.Figure([_paid(frame), _steps(frame, APART), _steps(frame, LOSS)])
    totals, margin = _totals(frame)
    scale = ticks(0, top, most=3)
    beside = margin + max(pixels(text, SIZE) for text in scale["ticktext"]) + 8
    names, room, height = _names(frame, top, PHONE - FOLD - beside)
    lower = "<b>the owner’s privacy loss is at most ε</b>"
    notes = [
        note("<b>paid, in all (€)</b>", 0, 1, xref="paper", yref="paper", yanchor="bottom"),
        note(lower, 0, 0.42, xref="paper", yref="paper", yanchor="bottom"),
    ]
    count = len(frame)
    return fig.update_layout(
        height=height,
        margin={"t": 26, "r": margin},
        annotations=[*notes, *totals, *names],
        xaxis={
            "range": (0.4, count + 0.6),
            "showgrid": False,
            "anchor": "y2",
            "title": {"text": "purchases, in their order"},
            "tickmode": "array",
            "tickvals": list(range(1, count + 1, -(-count // 12))),
        },
        yaxis={"domain": (1 - UPPER, 1), "range": (0, room), "showgrid": True} | scale,
        yaxis2={"domain": (0, 0.4), "range": (0, 1.15 * apart), "showgrid": True}
        | ticks(0, apart, most=3),
    )


def _totals(frame: pd.DataFrame) -> tuple[list[dict[str, Any]], float]:
    """What each line has come to, at its end, and the pixels that this takes."""
    last = frame.iloc[-1]
    loss, apart = float(last[LOSS]), float(last[APART])
    paid, here = _euros(last[REVENUE]), f"here {loss_words(loss)}"
    usual = ["separate", f"noise {loss_words(apart)}"]
    wide = max(*(pixels(t, bold=True) for t in (paid, here)), *map(pixels, usual))
    beside = {"xref": "paper", "xanchor": "left", "xshift": 6}
    notes = [
        note(f"<b>{paid}</b>", 1, last[REVENUE], **beside),
        note(f"<b>{here}</b>", 1, loss, yref="y2", **beside),
    ]
    if apart > loss:
        at = max(apart, loss + 0.2 * apart)
        notes.append(note("<br>".join(usual), 1, at, yref="y2", **beside))
    return notes, wide + 10


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
        width=WIDE,
        marker={"color": [look.colour for look in looks]},
        hovertext=hover,
        hoverinfo="text",
        name="paid",
    )


def _names(
    frame: pd.DataFrame, top: float, across: float
) -> tuple[list[dict[str, Any]], float, int]:
    """Who pays, at each block: level, upright or unnamed; the end of the axis; the height.

    Args:
        frame: columns `RUNNING`.
        top: what was paid in all.
        across: pixels for all blocks, on a phone.
    """
    slot = across / len(frame)
    height = HEIGHT
    bought = list(zip(frame[BUYER], frame[UPGRADE], strict=True))
    level = [[plain(name, 12), *(["upgrade"] if again else [])] for name, again in bought]
    wide = [max(pixels(line, SIZE) for line in lines) for lines in level]
    style: dict[str, Any] = {"xanchor": "center", "align": "center", "font": {"size": SIZE}}
    tall_ones = [1.25 * SIZE * len(lines) for lines in level]
    rises = 0.8 * UPPER * (HEIGHT - 96) / top * frame[PAID].iloc[1:]
    if _level(wide, tall_ones, rises, slot):
        texts, tall = ["<br>".join(lines) for lines in level], 2.4 * SIZE
        style |= {"xanchor": "right", "align": "right"}
        ends = frame[SALE] + WIDE / 2
    elif slot >= SIZE:
        texts = [
            f"{plain(name, 10)}, upgrade" if again else plain(name, 14) for name, again in bought
        ]
        tall, style["textangle"] = max(pixels(text, SIZE) for text in texts), -90
        height, ends = UPRIGHT, frame[SALE]
    else:
        return [], 1.12 * top, height
    names = [
        note(text, x, y, yanchor="bottom", yshift=2, **style)
        for text, x, y in zip(texts, ends, frame[REVENUE], strict=True)
    ]
    share = min(0.6, (tall + 6) / (UPPER * (height - 96)))
    return names, top / (1 - share), height


def _level(wide: list[float], tall: list[float], rises: Sequence[float], slot: float) -> bool:
    """Whether names fit that end where their blocks end, and begin above lower blocks.

    Args:
        wide: pixels of each name, from left to right.
        tall: likewise.
        rises: pixels by which each block but the first is higher than the one before.
        slot: pixels from block to block.
    """
    above = [
        width <= slot or up > below for width, up, below in zip(wide[1:], rises, tall, strict=False)
    ]
    return wide[0] <= slot and max(wide) <= 1.9 * slot and all(above)


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


def blocks(frame: pd.DataFrame) -> go.Figure:
    """Draw what all buyers may learn together, by ε: here, and with independent noise in each.

    Args:
        frame: columns `RUNNING`.

    Raises:
        ParameterError: a column is missing, or nothing was sold.
    """
    require_columns(frame, *RUNNING)
    loss, apart = float(frame[LOSS].iloc[-1]), float(frame[APART].iloc[-1])
    best = frame.loc[frame[EPSILON].idxmax()]
    longest = max(apart, loss)
    drawn = [_block(best, loss, 0.0, 1.0, longest)]
    start = 0.0
    for _, rows in frame.groupby(BUYER, sort=False):  # all that a buyer bought is one block
        length = float(rows[EPSILON].sum())
        bought = " + ".join(map(loss_words, rows[EPSILON])) if len(rows) > 1 else ""
        drawn.append(_block(rows.iloc[0], length, start, 0.0, longest, bought))
        start += length
    best_name = plain(shorten(best[BUYER], 18))
    look = {"xref": "paper", "yanchor": "bottom"}
    right = look | {"xanchor": "right", "align": "right"}
    notes = [
        note(f"<b>Here</b>: the number sold to {best_name}", 0, 1 + AWAY, **look),
        note(f"<b>ε{NARROW}={NARROW}{loss_words(loss)}</b>", 1, 1 + AWAY, **right),
        note("<b>Usual way</b>: separate noise, the sum", 0, AWAY, **look),
        note(f"<b>ε{NARROW}={NARROW}{loss_words(apart)}</b>", 1, AWAY, **right),
    ]
    return go.Figure(
        data=[bar for bar, _ in drawn],
        layout={
            "height": SHORT,
            "barmode": "overlay",
            "margin": {"t": 4, "b": 0},
            "annotations": [*notes, *(name for _, names in drawn for name in names)],
            "xaxis": {"visible": False, "range": (0, longest)},
            "yaxis": {"visible": False, "range": (-0.24, 1.44)},
        },
    )


def _block(
    row: Any, length: float, start: float, y: float, longest: float, bought: str = ""
) -> tuple[go.Bar, list[dict[str, Any]]]:
    """What a buyer has in a bar; in it a name and its ε, or symbols where a phone lacks room.

    Args:
        row: of the buyer.
        length: the ε of all that was bought.
        start: where the block begins.
        y: of its bar.
        longest: the bar that fills the axis.
        bought: the ε of each of several purchases, as a sum.
    """
    look, buyer = TierStyle(int(row[SLOT]), int(row[SYMBOL])), plain(row[BUYER])
    bar = go.Bar(
        x=[length],
        base=[start],
        y=[y],
        width=0.36,
        orientation="h",
        marker={"color": look.colour, "line": {"width": 2}},
        hovertext=[f"{buyer}: ε = {bought or loss_words(length)} bought"],
        hoverinfo="text",
        name=buyer,
    )
    room = length / longest * (PHONE - 20) - 4
    name, loss = plain(row[BUYER], 18), loss_words(length)
    texts = ((name, bought or loss), (name, loss), (look.glyph, loss), (look.glyph,))
    fits = ["<br>".join(two) for two in texts if max(pixels(t, SIZE) for t in two) <= room]
    font = {"size": SIZE, "color": ink_on(look.colour), "shadow": "none"}
    middle = {"xanchor": "center", "yanchor": "middle", "align": "center", "font": font}
    return bar, [note(text, start + length / 2, y, **middle) for text in fits[:1]]


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
                line={"width": 3},
                hovertemplate="ε = %{x:.4~g}: €%{y:,.2f}<extra></extra>",
                name="price",
            ),
            go.Scatter(
                x=marks[EPSILON],
                y=marks[PRICE],
                mode="markers",
                marker={"size": 9},
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
