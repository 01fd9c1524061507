"""Controls of the story of a market: who buys what, and the terms for the next market."""

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from dpviz.errors import ParameterError
from dpviz.local.data_market import MarketTerms
from dpviz.local.prices import PriceCurve
from dpviz.noise import ADDITIVE
from dpviz.parameters import EPSILON
from dpviz.ui.growing_trust.market import words
from dpviz.ui.kit import controls, parts, press
from dpviz.ui.kit.state import Slot, field
from dpviz.words import capitalised, clean
from dpviz.words.markdown import literal
from dpviz.workspace.local.data_market import OFFER, OWNER, Owner, Stall, families
from dpviz.workspace.local.data_market_typed import (
    AT,
    COST,
    PER_EPSILON,
    PRICES,
    TABLE,
    TABLE_ROWS,
    read_owner,
    read_rate,
    read_table,
    terms_of,
    written,
)
from dpviz.workspace.workspace import Workspace

STALL = Slot("market_stall", Stall.example)
_TYPED = Slot("market_table", lambda: (_rows(), _rows()))  # the rows it began with, and now
EDITOR = "market_table_rows"


def _rows() -> pd.DataFrame:
    return pd.DataFrame(TABLE_ROWS, columns=[AT, COST])


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An owner and terms that could open the next market."""

    owner: Owner
    terms: MarketTerms


def acts(stall: Stall) -> None:
    """A buyer, an ε, and what they do; the price is said before the press."""
    st.subheader(words.SELL_HEADING, anchor=False)
    st.caption(words.terms_line(stall))
    quoted = st.container()
    row = st.container(horizontal=True, gap="small", vertical_alignment="bottom")
    with row:
        buyer = controls.text_input(
            "Buyer",
            "newspaper",
            key="market_buyer",
            help="Any name. The name of somebody who has bought already makes it an upgrade.",
            width=170,
        )
        epsilon = controls.text_input(
            "Sharpness ε",
            "1.5",
            key="market_epsilon",
            help="ε, epsilon: how much the number may tell. Larger: sharper, dearer, less private.",
            width=120,
        )
    said = _quote(stall, buyer, epsilon)
    if said:
        quoted.markdown(said)
    with row:
        press.button(
            "Sell this number",
            _sell,
            stall,
            buyer if said else None,
            epsilon,
            key="market_sell",
            type="primary",
            icon="sell",
            help=words.FOR_GOOD,
        )
        press.button(
            "A dozen buyers arrive",
            stall.arrive,
            key="market_dozen",
            icon="groups",
            help="Twelve made-up buyers, in a seeded order; those who hold a number ask for more.",
        )
    parts.problem_of_last_act()


def _sell(stall: Stall, buyer: str | None, epsilon: str) -> None:
    """Sell what the fields say; nothing where a sentence says already why it cannot be.

    Raises:
        ParameterError: the buyer holds as much.
    """
    if buyer is not None:
        stall.sell(buyer, EPSILON.read_exact(epsilon, where="ε"))


def _quote(stall: Stall, buyer: str, epsilon: str) -> str:
    """What the purchase would cost, as Markdown; "" where the fields cannot be used, and why."""
    try:
        wanted = EPSILON.read_exact(epsilon, where="ε")
        held = stall.ledger.held.get(clean(buyer))
        if held is not None and wanted <= held:
            return words.holds(buyer, written(held))
        return words.quote(stall.ledger.quote(buyer, wanted), stall.ledger.terms.family)
    except ParameterError as error:
        parts.refusal(str(error))
        return ""


def coordinate(stall: Stall) -> int:
    """Which of the owner's values is drawn."""
    places = list(range(len(stall.owner.values)))
    if len(places) == 1:
        return 0
    return controls.selectbox(
        "Draw value",
        places,
        format_func=lambda place: f"{place + 1}: {stall.owner.values[place]:g}",
        key=f"market_coordinate_{len(places)}",
    )


def draft(ws: Workspace) -> Draft | None:
    """The terms that are typed for the next market; None where they cannot be used, and why."""
    value, noun, moves = _owner()
    curve, limit, family = _curve(), _limit(), ADDITIVE[_noise(ws)]

    def read() -> Draft:
        owner = read_owner(value, noun, moves)
        owner.numbers(family)
        return Draft(owner=owner, terms=terms_of(curve(), limit, owner, family))

    return parts.usable(read)


def start_over(ws: Workspace, stall: Stall, found: Draft | None) -> None:
    """Open another market with what is typed; it says what that costs."""
    press.button(
        "Start over with these terms",
        _start_over,
        ws,
        stall,
        found,
        key="market_over",
        icon="restart_alt",
        disabled=found is None,
        help="A new market draws fresh noise on the same person: its privacy loss adds to the old.",
    )
    if found is not None and (found.owner, found.terms) != (stall.owner, stall.ledger.terms):
        st.caption(words.NOT_YET)


def _start_over(ws: Workspace, stall: Stall, found: Draft | None) -> None:
    """Nothing where the terms cannot be used: the sentence at their field says why."""
    if found is not None:
        stall.start_over(found.owner, found.terms, mode=ws.mode)


def _owner() -> tuple[str, str, str]:
    """Value, what it counts, and what is hidden, as typed."""
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        value = controls.text_input(
            "Value",
            f"{OWNER.values[0]:g}",
            key="market_value",
            help="Of a made-up person, so this page may show it. Type several numbers, with commas "
            "between them, to sell them together.",
            width=110,
        )
        noun = controls.text_input("What it counts", OWNER.noun, key="market_noun", width=205)
        moves = controls.text_input(
            "One change moves it by",
            f"{OWNER.moves:g}",
            key="market_moves",
            help="Δ: what is hidden, in the unit of the value. In the example 1 hides each single "
            "day; 365 would hide the whole number, with 365 times the noise.",
            width=160,
        )
    return value, noun, moves


def _curve() -> Callable[[], PriceCurve]:
    """The fields of the price curve, and how they are read."""
    kind = controls.segmented_control(
        "Price", list(PRICES), default=PER_EPSILON, key="market_prices", format_func=capitalised
    )
    if kind == TABLE:
        rows = _table()
        return lambda: read_table(rows)
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        rate = controls.text_input("€ for each ε", "4", key="market_rate", width=110)
        if kind == PER_EPSILON:
            return lambda: PriceCurve.linear(read_rate(rate, where="€ for each ε"))
        up_to = controls.text_input("up to ε", "1", key="market_up_to", width=90)
        then = controls.text_input("then € for each", "2", key="market_then", width=130)
    return lambda: PriceCurve.with_discount(
        read_rate(rate, where="€ for each ε"),
        EPSILON.read_exact(up_to, where="Up to ε"),
        read_rate(then, where="Then € for each"),
    )


def _table() -> list[dict[str, object]]:
    """A price curve that is drawn point by point, in a grid; what was typed is kept."""
    base, last = _TYPED.get()
    if field(EDITOR) is None:  # a first look, or back from another page or price
        base = last
    edited = controls.data_editor(
        base,
        key=EDITOR,
        alt="Prices: an ε and what a number of this ε costs, row by row.",
        column_config={
            AT: st.column_config.TextColumn("ε", required=True, max_chars=20),
            COST: st.column_config.TextColumn("€", required=True, max_chars=20),
        },
    )
    _TYPED.set((base, edited))
    found: list[dict[str, object]] = edited.to_dict("records")
    return found


def _limit() -> str:
    return controls.text_input(
        "Most ε that will ever be sold",
        written(OFFER.most),
        key="market_limit",
        help="The owner's limit: nobody, and no coalition, ever knows more than a number of this "
        "ε.",
        width=220,
    )


def _noise(ws: Workspace) -> str:
    names = families(ws.mode)
    return controls.radio(
        "Noise",
        names,
        format_func=lambda name: literal(capitalised(ADDITIVE[name].label)),
        key=f"market_noise_{ws.mode}",
        help="Discrete Laplace noise is made of whole numbers, drawn exactly.",
    )
