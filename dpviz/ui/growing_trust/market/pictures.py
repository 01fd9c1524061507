"""The pictures of the story of a market: who holds what, the ledger, and the owner's terms."""

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.charts.local import market
from dpviz.ui.growing_trust.market import controls as fields
from dpviz.ui.growing_trust.market import words
from dpviz.ui.kit import controls, parts
from dpviz.words import number, pm
from dpviz.workspace.local.data_market import Stall
from dpviz.workspace.local.data_market_typed import ledger_csv, money, written
from dpviz.workspace.workspace import Workspace


def holdings(stall: Stall) -> int:
    """The main picture: who holds which number; the place of the value that is drawn."""
    if not stall.ledger.sales:
        parts.empty(
            "Nothing is sold yet.",
            "Sell a first number, or let a dozen buyers arrive: who holds what is drawn here.",
        )
        return 0
    coordinate = fields.coordinate(stall)
    frame = market.holdings_frame(stall, coordinate)
    parts.chart(
        market.holdings(frame, truth=stall.owner.values[coordinate], noun=stall.owner.noun),
        heading=words.HOLDINGS_HEADING,
        reading=words.holdings_reading(stall),
        alt=words.holdings_alt(stall),
        key="market_holdings",
    )
    return coordinate


def ledger(stall: Stall, coordinate: int) -> None:
    """Every purchase, as a table and as a file."""
    table = ledger_table(stall, coordinate)
    parts.table(table, alt="Every purchase in its order, with revenue and loss so far.")
    controls.download_button(
        "Download the ledger",
        lambda: ledger_csv(stall, words.facts(stall)),
        key="market_download",
        file_name="dpviz-data-market.csv",
    )


def ledger_table(stall: Stall, coordinate: int) -> pd.DataFrame:
    """Every purchase in its order: facts, the number that is drawn, and totals so far."""
    holdings = market.holdings_frame(stall, coordinate)
    several = len(stall.owner.values) > 1
    totals = stall.ledger.running
    halves = holdings[market.HALF]
    return pd.DataFrame(
        {
            "purchase": holdings[market.SALE],
            "buyer": holdings[market.BUYER],
            "held before, ε": [written(s.before) for s in stall.ledger.sales],
            "bought, ε": holdings[market.TEXT],
            f"number {coordinate + 1}" if several else "number": [
                number(value, step=halves.min()) for value in holdings[market.VALUE]
            ],
            "± (95 %)": [pm(half) for half in halves],
            "paid": holdings[market.PAID],
            "revenue so far": [money(revenue) for revenue, _, _ in totals],
            "ε lost so far": [written(loss) for _, loss, _ in totals],
            "ε if separate": [written(apart) for _, _, apart in totals],
        }
    )


def terms(ws: Workspace, stall: Stall, own: DeltaGenerator) -> None:
    """Behind a button, the owner's value and terms, and what prices mean for those who buy."""
    with own.popover(words.OWN, icon=":material/edit:"):
        found = fields.draft(ws)
        if found is not None:
            st.caption(words.arbitrage(found.terms))
        fields.start_over(ws, stall, found)
