"""What buyers of a data market hold: a row per number, the higher the sharper.

A row per ε that somebody holds, the largest on top, whatever the order of sale: each number is that
of the row above with more noise. No line joins them, as it would look like a path in time. What an
upgrade replaced is in the ledger alone. The grey bar around a number holds the true value 95 times
in 100. The value is made up, so it may be shown.
"""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import PHONE, grounded, note, pixels, rule, tag, ticks
from dpviz.charts.tidy import require_columns
from dpviz.local.data_market import DataMarket
from dpviz.palette import GREY, TierStyle, rgba
from dpviz.planning.budgets import usual_half_width
from dpviz.words import number, plain, pm
from dpviz.workspace.local.data_market import Stall
from dpviz.workspace.local.data_market_typed import money, written

SALE, BUYER, EPSILON, TEXT, VALUE = "purchase", "buyer", "epsilon", "ε", "number"
HALF, PAID, NOW, SLOT, SYMBOL = "half width", "paid", "holds it now", "slot", "symbol"
WORTH, AGAIN = "price of its ε", "is an upgrade"
HOLDINGS = (*(SALE, BUYER, EPSILON, TEXT, VALUE, HALF, PAID, WORTH, NOW, AGAIN, SLOT, SYMBOL),)
MOST_ROWS = 10  # sharpest ε that are drawn
NAMES, LETTERS = 2, 14  # buyers named in a row, letters of each
ROW, TOP, BOTTOM = 60, 34, 62  # pixels
SIZE = 15  # pixels, of a mark
EDGE = 0.2  # of the axis: no number stands beyond it
APART, TALL = 0.26, 0.44  # of a row: from mark to mark of one number, and from first to last
THICK = 0.07  # of a row: half a grey bar
TERMS = "price for ± error"  # at the right end of each row
NAIL = 0.62  # rows above the sharpest


def holdings_frame(stall: Stall, coordinate: int) -> pd.DataFrame:
    """One row per purchase, in order; columns `HOLDINGS`.

    Args:
        stall: the open market with the looks of its buyers.
        coordinate: which of the owner's values is shown.
    """
    ledger, market = stall.ledger, stall.market
    family, held = ledger.terms.family, ledger.held
    rows = []
    for sale in ledger.sales:
        style = stall.styles[sale.buyer]
        value = float(_value(market, sale.number, coordinate))
        half = usual_half_width(family, sale.level)
        now = held[sale.buyer] == sale.epsilon
        row = (sale.number, sale.buyer, float(sale.epsilon), written(sale.epsilon), value, half)
        price = ledger.terms.curve.price
        paid = (sale.paid, price(sale.epsilon))
        look = (sale.upgrade, style.slot, style.symbol)
        rows.append((*row, *map(money, paid), now, *look))
    return pd.DataFrame(rows, columns=list(HOLDINGS))


def _value(market: DataMarket, sale: int, coordinate: int) -> Any:
    return market.number(market.ledger.sales[sale - 1]).reshape(-1)[coordinate]


def holdings(frame: pd.DataFrame, *, truth: float, noun: str) -> go.Figure:
    """Draw who holds what.

    Args:
        frame: columns `HOLDINGS`.
        truth: the true value, made up.
        noun: what it counts.

    Raises:
        ParameterError: a column is missing, or nothing was sold.
    """
    require_columns(frame, *HOLDINGS)
    rows = _rows(frame[frame[NOW].astype(bool)])
    ends = [end for row in rows for end in _bar(row)]
    low, high = min(*ends, truth), max(*ends, truth)
    room = 0.06 * (high - low) or 1.0  # whole numbers that are all exact: no width
    low, high = low - room, high + room
    fig = go.Figure([_bars(rows), _true(truth, (0.45 - len(rows), NAIL))])
    notes = _heads(truth, (low, high))
    sharpest = float(rows[0][HALF].iloc[0])  # all numbers are written with as many decimals
    title = f"{plain(noun, 38)} (made up)<br>grey: ± error; 95 of 100 such bars hold the true value"
    for place, row in enumerate(rows):
        fig.add_traces(_marks(row, -place, noun, sharpest))
        notes += _texts(row, -place)
        notes.append(_number(row, -place, (low, truth, high), sharpest))
    return fig.update_layout(
        height=int(ROW * (len(rows) + NAIL - 0.45)) + TOP + BOTTOM,
        margin={"t": TOP, "b": BOTTOM},
        annotations=notes,
        shapes=[rule(-place) for place in range(len(rows))],
        xaxis={"range": (low, high), "title": {"text": title}} | ticks(low, high),
        yaxis={"visible": False, "range": (-len(rows) + 0.45, NAIL)},
    )


def _true(truth: float, ends: tuple[float, float]) -> go.Scatter:
    """The true value: a thin line in the ink of the page, behind the marks."""
    x, line = [truth, truth], {"width": 1}
    return go.Scatter(x=x, y=ends, mode="lines", line=line, hoverinfo="skip", name="true")


def _heads(truth: float, ends: tuple[float, float]) -> list[dict[str, Any]]:
    """Above all rows: the true value, and what stands at their ends where there is room for it."""
    over, true = {"yanchor": "bottom", "yshift": 4}, f"true value {number(truth)}"
    notes = [note(f"<b>{true}</b>", truth, NAIL, xanchor="center", **over)]
    middle = (truth - ends[0]) / (ends[1] - ends[0]) * (PHONE - 20)
    if middle + pixels(true, bold=True) / 2 + pixels(TERMS) < PHONE - 24:
        notes.append(note(TERMS, 1, NAIL, xref="paper", **over | {"xanchor": "right"}))
    return notes


def _rows(frame: pd.DataFrame) -> list[pd.DataFrame]:
    """The purchases of each ε, the sharpest first; no more than can be drawn."""
    groups = [rows for _, rows in frame.groupby(EPSILON, sort=True)]
    return groups[::-1][:MOST_ROWS]


def _bar(row: pd.DataFrame) -> tuple[float, float]:
    """The ends of a row's grey bar."""
    value, half = float(row[VALUE].iloc[0]), float(row[HALF].iloc[0])
    return value - half, value + half


def _bars(rows: Sequence[pd.DataFrame]) -> go.Scatter:
    """In each row a grey bar around its number: how far off it may be."""
    x: list[float | None] = []
    y: list[float | None] = []
    for place, row in enumerate(rows):
        low, high = _bar(row)
        x += [low, high, high, low, None]
        y += [THICK - place, THICK - place, -THICK - place, -THICK - place, None]
    return go.Scatter(
        x=x,
        y=y,
        mode="lines",
        line={"width": 0},
        fill="toself",
        fillcolor=rgba(GREY, 0.45),
        hoverinfo="skip",
        name="95 %",
    )


def _marks(row: pd.DataFrame, y: float, noun: str, sharpest: float) -> list[go.Scatter]:
    """The number of a row, a mark for each who holds it."""
    traces = []
    buyers = row.to_dict("records")
    for place, mine in enumerate(buyers):
        look = TierStyle(int(mine[SLOT]), int(mine[SYMBOL]))
        sentence = (
            f"<b>{plain(mine[BUYER])}</b> holds {number(mine[VALUE], step=sharpest)} "
            f"{plain(noun, 38)},<br>{pm(mine[HALF])} in 95 of 100 draws, "
            f"ε = {mine[TEXT]}, for {mine[PAID]}"
        )
        traces.append(
            go.Scatter(
                x=[mine[VALUE]],
                y=[y + _up(place, len(buyers))],
                mode="markers",
                name=plain(mine[BUYER]),
                marker={
                    "size": SIZE,
                    "symbol": look.marker,
                    "color": look.colour,
                    "line": {"width": 0},
                },
                hovertemplate=f"{sentence}<extra></extra>",
            )
        )
    return traces


def _up(place: int, many: int) -> float:
    """How far up in its row a mark stands that shares its number with others: none covers one."""
    apart = min(APART, TALL / max(many - 1, 1))
    return apart * ((many - 1) / 2 - place)


def _texts(row: pd.DataFrame, y: float) -> list[dict[str, Any]]:
    """Above a row, clear of its marks: who holds the number, its price and its accuracy."""
    terms = f"{_price(row)} for {pm(float(row[HALF].iloc[0]))}"
    who = _who(row, PHONE - 30 - pixels(terms))
    place = {"xref": "paper", "yanchor": "bottom", "yshift": SIZE / 2 + 1 + ROW * _up(0, len(row))}
    return [
        note(who, 0, y, **place),
        grounded(terms, 1, y, **place | {"xanchor": "right", "align": "right"}),
    ]


def _price(row: pd.DataFrame) -> str:
    """What each who holds the number paid in all."""
    price = str(row[WORTH].iloc[0])
    return f"{price} each" if len(row) > 1 else price


def _who(row: pd.DataFrame, room: float) -> str:
    """Those who hold the number of a row; as many names as have room."""
    buyers = row.to_dict("records")
    names = [plain(mine[BUYER], LETTERS) for mine in buyers[:NAMES]]
    looks = [TierStyle(int(mine[SLOT]), int(mine[SYMBOL])) for mine in buyers[:NAMES]]
    after = [", upgraded" if mine[AGAIN] else "" for mine in buyers[:NAMES]]
    long = ["", *map("".join, zip(names, after, strict=True)), "+9"]
    if len(names) > 1 and pixels("● ".join(long), bold=True) > room:
        names, looks, after = names[:1], looks[:1], after[:1]
    who = " ".join(map("".join, zip(map(tag, looks, names), after, strict=True)))
    return who + (f" +{len(row) - len(names)}" if len(row) > len(names) else "")


def _number(
    row: pd.DataFrame, y: float, at: tuple[float, float, float], sharpest: float
) -> dict[str, Any]:
    """The number itself, below its mark, on the side away from the true value if there is room."""
    value, (low, truth, high) = float(row[VALUE].iloc[0]), at
    text, place = number(value, step=sharpest), (value - low) / (high - low)
    right = place < 1 - EDGE and (value >= truth or place < EDGE)
    side = {"xanchor": "left", "xshift": 11} if right else {"xanchor": "right", "xshift": -11}
    shown, more = f"<b>{text}</b>", ", same number"
    room = (1 - place if right else place) * (PHONE - 20) - 16
    if len(row) > 1 and pixels(text, 15) + pixels(more) <= room:  # marks on top of each other
        shown += f'<span style="font-size:13px">{more}</span>'
    return note(shown, value, y - THICK - 0.02, yanchor="top", font={"size": 15}, **side)
