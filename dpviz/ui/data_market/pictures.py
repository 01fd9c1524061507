"""The pictures of the page Data market: who holds what, money and privacy, prices, the ledger."""

import pandas as pd
import streamlit as st

from dpviz.charts.local import market, market_guesses, market_money
from dpviz.ui.data_market import controls as fields
from dpviz.ui.data_market import words
from dpviz.ui.data_market.controls import Draft
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


def together(stall: Stall) -> None:
    """What all buyers know together, beside the usual way."""
    if not stall.ledger.sales:
        return
    frame = market_money.running_frame(stall)
    parts.chart(
        market_guesses.together(frame, right=words.together(stall), texts=words.bars(stall)),
        heading=words.TOGETHER_HEADING,
        reading=words.together_reading(stall),
        alt=words.together_alt(stall),
        key="market_together",
    )


def running(stall: Stall, coordinate: int) -> None:
    """Two folds: revenue and loss, purchase by purchase, and the ledger as a table."""
    if not stall.ledger.sales:
        return
    with st.expander(words.RUNNING_FOLD, icon=":material/query_stats:"):
        frame = market_money.running_frame(stall)
        parts.chart(
            market_money.blocks(frame),
            heading="",
            reading=words.BLOCKS_READING,
            alt=words.blocks_alt(stall),
            key="market_blocks",
        )
        parts.chart(
            market_money.running(frame),
            heading="",
            reading=words.RUNNING_READING,
            alt=words.running_alt(stall),
            key="market_running",
        )
    table = ledger_table(stall, coordinate)
    with st.expander(words.LEDGER_FOLD, icon=":material/table:"):
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


def prices(ws: Workspace, stall: Stall) -> None:
    """A fold with the owner's terms: fields beside the price curve that they draw."""
    fold = st.expander(words.TERMS_FOLD, icon=":material/tune:")
    left, right = fold.columns(2, gap="medium")
    with left:
        found = fields.draft(ws)
        fields.start_over(ws, stall, found)
    with right:
        if found is None:
            parts.empty("No price curve.", "Correct the field whose sentence says what is wrong.")
        else:
            _curve(stall, found)


def _curve(stall: Stall, found: Draft) -> None:
    terms = found.terms
    mine = stall if terms.curve == stall.ledger.terms.curve else None
    frame = market_money.prices_frame(terms.curve, terms.most, mine)
    parts.chart(
        market_money.price_line(frame),
        heading=words.PRICES_HEADING,
        reading=words.arbitrage(terms),
        alt=words.price_alt(terms),
        key="market_prices_line",
    )
