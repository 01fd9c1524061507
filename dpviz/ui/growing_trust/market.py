"""Growing trust, a data market: an owner sells a value by its ε, to buyers in any order."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import pandas as pd
import streamlit as st

from dpviz.accounting.composition import PURE
from dpviz.charts.forms.picture import Picture
from dpviz.charts.market import MOST_ROWS, holdings
from dpviz.local import MarketTerms, PriceCurve
from dpviz.local.data_market import Sale
from dpviz.local.prices import undercut
from dpviz.noise import ADDITIVE, Family
from dpviz.parameters import EPSILON
from dpviz.planning.budgets import usual_half_width
from dpviz.scenes import growing_trust as scenes
from dpviz.scenes.growing_trust import Market
from dpviz.ui.growing_trust import meter
from dpviz.ui.kit import controls, parts, press
from dpviz.ui.kit.page_form import COMPUTED, Closer, PageForm
from dpviz.ui.kit.state import Slot
from dpviz.words import budget, capitalised, clean, join, number, pm, shorten, significant, within
from dpviz.words.claims import Claim, Name, Number, Said, say
from dpviz.words.markdown import literal
from dpviz.workspace.facts import Facts, footer
from dpviz.workspace.local.data_market import (
    OFFER,
    OWNER,
    PER_EPSILON,
    PRICES,
    Owner,
    Stall,
    families,
    ledger_csv,
    money,
    read_owner,
    read_rate,
    terms_of,
    written,
)
from dpviz.workspace.takeaways import counted
from dpviz.workspace.workspace import Workspace

STALL = Slot("market_stall", Stall.example)
SOURCE = "MATHEMATICS 15.5"
ADDED = "losses of independent numbers add (MATHEMATICS 5.1)"


# --- what is asked: the terms of the next market, and which value is drawn ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An owner and terms that could open the next market."""

    owner: Owner
    terms: MarketTerms


def settings(ws: Workspace) -> Market:
    """Ask which value is drawn; behind a button, for a market of the visitor’s own."""
    stall, place = STALL.get(), 0
    if len(stall.owner.values) > 1:
        places = list(range(len(stall.owner.values)))
        place = controls.selectbox(
            "Draw value",
            places,
            format_func=lambda place: f"{place + 1}: {stall.owner.values[place]:g}",
            key=f"market_coordinate_{len(places)}",
        )
    with st.popover("Your own value and terms", icon=":material/edit:"):
        draft = _draft(ws)
        if draft is not None:
            st.caption(arbitrage(draft.terms))
        press.button(
            "Start over with these terms",
            _start_over,
            ws,
            stall,
            draft,
            key="market_over",
            icon="restart_alt",
            disabled=draft is None,
            help="A new market draws new noise on the same person: its privacy loss adds to the "
            "old.",
        )
        if draft is not None and (draft.owner, draft.terms) != (stall.owner, stall.ledger.terms):
            st.caption(
                "These terms are for the next market; the open one keeps those that it began with."
            )
    return Market(stall=stall, place=place)


def _start_over(ws: Workspace, stall: Stall, draft: Draft | None) -> None:
    """Open another market; nothing where the sentence at a field says why it cannot be."""
    if draft is not None:
        stall.start_over(draft.owner, draft.terms, mode=ws.mode)


def _draft(ws: Workspace) -> Draft | None:
    """What is typed for the next market; None where it cannot be used, and why."""
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
    curve = _curve()
    limit = controls.text_input(
        "Most ε that will ever be sold",
        written(OFFER.most),
        key="market_limit",
        help="The owner's limit: nobody, and no coalition, ever knows more than a number of this "
        "ε.",
        width=220,
    )
    noise = controls.radio(
        "Noise",
        families(ws.mode),
        format_func=lambda name: literal(capitalised(ADDITIVE[name].label)),
        key=f"market_noise_{ws.mode}",
        help="Discrete Laplace noise is made of whole numbers, drawn exactly.",
    )

    def read() -> Draft:
        owner, family = read_owner(value, noun, moves), ADDITIVE[noise]
        owner.numbers(family)
        return Draft(owner=owner, terms=terms_of(curve(), limit, owner, family))

    return parts.value_or_refusal(read)


def _curve() -> Callable[[], PriceCurve]:
    """The fields of the price curve, and how they are read."""
    kind = controls.segmented_control(
        "Price", PRICES, default=PER_EPSILON, key="market_prices", format_func=capitalised
    )
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


def arbitrage(terms: MarketTerms) -> str:
    """Whether somebody could pay less than the price, here and with independent noise."""
    found = undercut(terms.curve, terms.most)
    if found is None:
        return "Buying twice is never cheaper than buying once."
    price, whole = terms.curve.price, found.first + found.second
    apart, at_once = price(found.first) + price(found.second), price(whole)
    here = "two numbers tell no more than the better one."
    if apart >= at_once:
        return (
            "With separate noise, buying twice would save less than prices are rounded by. Here "
            + here
        )
    first, second = written(found.first), written(found.second)
    both = f"two of ε = {first}" if first == second else f"ε = {first} and ε = {second}"
    return literal(
        f"With separate noise, {both} add up to ε = {written(whole)} for {money(apart)} instead "
        f"of {money(at_once)}. Here that gains nothing: {here}"
    )


# --- the sentences ---


def headline(scene: Market) -> Said:
    """What came in, and what all buyers know together."""
    stall, ledger = scene.stall, scene.stall.ledger
    if not ledger.sales:
        return say("Nobody has bought anything in this market yet.{before}", before=_earlier(stall))
    fixed = f"these {len(ledger.sales)} purchases and this price curve"
    paid = Claim(
        what="paid by all buyers",
        value=float(ledger.revenue),
        unit="€",
        fixed=fixed,
        method=f"each buyer’s payments add up to the price of what she holds ({SOURCE})",
    )
    common: dict[str, Number | Name | Said | str] = {
        "paid": Number(literal(money(ledger.revenue)), paid),
        "numbers": "numbers" if len(stall.owner.values) > 1 else "number",
        "noun": Name(shorten(stall.owner.noun, 38)),
        "before": _earlier(stall),
    }
    if len(ledger.held) == 1:
        right = scene.meter.right[0].times("right by the buyer", fixed, "owner")
        return say(
            "One buyer paid the owner {paid} for the {numbers} of {noun}: the buyer guesses "
            "“{values}?” right {right}.{before}",
            values=Name(scene.meter.values),
            right=right,
            **common,
        )
    best = "any of the best informed buyers"
    if len(scene.best) == 1:
        best = f"the best informed buyer ({shorten(scene.best[0])})"
    return say(
        "{buyers} buyers paid the owner {paid} for the {numbers} of {noun}, yet together they know "
        "no more than {best} alone.{before}",
        buyers=Name(capitalised(counted(len(ledger.held)))),
        best=Name(best),
        **common,
    )


def _earlier(stall: Stall) -> Said:
    """What earlier markets add."""
    if not stall.before:
        return Said("")
    before, whole = (
        Number(
            literal(budget("ε", loss)),
            Claim(what=what, value=float(loss), fixed="all that was sold", method=ADDED),
        )
        for what, loss in (
            ("loss of earlier markets, ε", stall.before),
            ("loss of all markets, ε", stall.loss),
        )
    )
    text = " Markets before this one cost {before}: {whole} in all."
    return say(text, before=before, whole=whole)


def beside(scene: Market) -> tuple[Said, ...]:
    """What all buyers together guess."""
    ledger = scene.stall.ledger
    if not ledger.sales:
        return ()
    who = "all buyers together guess" if len(ledger.held) > 1 else "the buyer guesses"
    return (meter.question(scene.meter, who, f"Δ = {number(scene.stall.owner.moves)}"),)


def aside(scene: Market) -> Picture | None:
    """How often all buyers together are right; nothing before a first number is sold."""
    if not scene.best:
        return None
    one = f"the best informed ({shorten(scene.best[0], 18)})"
    return meter.bars(scene.meter, one if len(scene.best) == 1 else "any of the best informed")


def reading(scene: Market) -> str:
    """What to notice in who holds what."""
    ledger = scene.stall.ledger
    if not ledger.sales:
        return ""
    text = "The number is the true value plus random noise."
    rows = len(set(ledger.held.values()))
    if rows > 1:
        text = "Each row is the one above it with more noise, yet by luck it may land nearer the "
        text += "truth."
    if any(sale.upgrade for sale in ledger.sales):
        text += " Upgraded: paid the difference for a sharper number."
    if rows > MOST_ROWS:
        text += f" The {MOST_ROWS} sharpest are drawn; the list of purchases has all."
    return text


def picture(scene: Market) -> Picture | tuple[Picture, ...]:
    """Who holds which number; nothing before a first one is sold."""
    stall = scene.stall
    if not stall.ledger.sales:
        return ()
    frame, digit = scene.sales, scene.sales["half_width"].min()
    held = frame[frame["holds"]]
    noun = shorten(stall.owner.noun, 38)
    told = [
        f"{row['buyer']} holds {number(row['number'], step=digit)} {noun}, "
        f"{pm(row['half_width'])} in 95 of 100 draws, ε = {written(row['epsilon'])}, for "
        f"{money(row['paid'])}"
        for row in held.to_dict("records")
    ]
    frame = held.assign(
        epsilon=held["epsilon"].map(float),
        price=held["price"].map(money),
        upgrade=held["before"] > 0,
        style=[stall.styles[name] for name in held["buyer"]],
        detail=told,
    )
    return holdings(frame, truth=stall.owner.values[scene.place], noun=stall.owner.noun)


# --- the closer: one more buyer, and every purchase so far ---


def add_reader(_: Workspace, scene: Market) -> None:
    """A buyer, an ε, and what they do; the price is said before the press."""
    stall = scene.stall
    terms = stall.ledger.terms
    st.caption(
        literal(
            f"The sharper the number, the larger its ε. Price: {price_words(terms.curve)}. Nobody "
            f"gets more than ε = {written(terms.most)}."
        )
    )
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
    quoted_text = parts.value_or_refusal(lambda: quote_of(stall, buyer, epsilon))
    if quoted_text:
        quoted.markdown(quoted_text)
    with row:
        press.button(
            "Sell this number",
            _sell,
            stall,
            buyer if quoted_text else None,
            epsilon,
            key="market_sell",
            type="primary",
            icon="sell",
            help="A sold number cannot be taken back: its buyer has seen it. An upgrade pays the "
            "difference and replaces the number by a sharper one.",
        )
    parts.problem_of_last_act()
    if stall.ledger.sales:
        parts.table(ledger(scene), alt="Every purchase in its order, with revenue and loss so far.")
        controls.download_button(
            "Download the ledger",
            lambda: ledger_csv(stall, facts(scene)),
            key="market_download",
            file_name="dpviz-data-market.csv",
        )


def price_words(curve: PriceCurve) -> str:
    """What a number costs, in a few words, such as "€4 × ε"."""
    (up_to, price), *others = curve.corners
    if others or curve.beyond is None:
        return "by a table"
    rate, then = price / up_to, Fraction(curve.beyond)
    first = f"€{written(rate)} × ε"
    if rate == then:
        return first
    return f"{first} up to ε = {written(up_to)}, then €{written(then)} × the rest"


def _sell(stall: Stall, buyer: str | None, epsilon: str) -> None:
    """Sell what the fields say; nothing where a sentence says already why it cannot be.

    Raises:
        ParameterError: the buyer holds as much.
    """
    if buyer is not None:
        stall.sell(buyer, EPSILON.read_exact(epsilon, where="ε"))


def quote_of(stall: Stall, buyer: str, epsilon: str) -> str:
    """What the purchase that is typed would cost, as Markdown.

    Raises:
        ParameterError: it cannot be sold.
    """
    wanted = EPSILON.read_exact(epsilon, where="ε")
    held = stall.ledger.held.get(clean(buyer))
    if held is not None and wanted <= held:
        more = "Type more to upgrade, or a new name."
        return literal(f"{buyer.strip()} holds ε = {written(held)} now. {more}")
    return quote(stall.ledger.quote(buyer, wanted), stall.ledger.terms.family)


def quote(sale: Sale, family: Family) -> str:
    """What a purchase would cost, and how near its number is; Markdown."""
    near = within(usual_half_width(family, sale.level), "of the true value")
    what = f"{near}, 95 times in 100 ({literal(budget('ε', sale.epsilon))})"
    more = f" more, as {literal(budget('ε', sale.before))} is held," if sale.upgrade else ""
    return (
        f"Price for {literal(shorten(sale.buyer))}: **{literal(money(sale.paid))}**{more} for a "
        f"number that is {what}."
    )


def ledger(scene: Market) -> pd.DataFrame:
    """Every purchase in its order, in columns that fit a phone; the file has all of them."""
    frame, digit = scene.sales, scene.sales["half_width"].min()
    held, bought, lost, apart = (
        frame[name].map(written) for name in ("before", "epsilon", "loss", "apart")
    )
    which = f" {scene.place + 1}" if len(scene.stall.owner.values) > 1 else ""
    pairs = zip(frame["number"], frame["half_width"], strict=True)
    return pd.DataFrame(
        {
            "buyer": frame["buyer"],
            "ε": bought.where(frame["before"] == 0, held + " → " + bought),
            f"number{which}": [f"{number(value, step=digit)} {pm(half)}" for value, half in pairs],
            "paid": frame["paid"].map(money),
            "ε so far": lost,
            "if separate": apart,
        }
    )


# --- for specialists ---

FORMULA = (
    r"A number of budget $\varepsilon$ is the value with Laplace noise of scale "
    r"$b=\Delta/\varepsilon$, all from one session. What a coalition $S$ knows: "
    r"$\varepsilon_S=\max_{i\in S}\varepsilon_i$; with independent noise it would be the sum over "
    r"all that was sold. An upgrade from $\varepsilon$ to $\varepsilon'$ costs "
    r"$P(\varepsilon')-P(\varepsilon)$, so a buyer has paid $P$ of what she holds, whatever her "
    r"steps. **No arbitrage here**: nobody can pay less than the price, as $P$ never falls. **With "
    r"independent noise** it also takes $P(x+y)\le P(x)+P(y)$: two purchases never cost less than "
    r"one of their sum. Right guesses: $500\,(1+\delta(0))$, with Laplace noise "
    r"$1000\,(1-\tfrac12 e^{-\varepsilon/2})$."
)


def formula(scene: Market) -> str:
    """The formulas (MATHEMATICS 15.5), and what they give for the open market."""
    found = scene.stall.ledger
    lines = [
        f"{literal(sale.buyer)}: $b$ = {significant(sale.level, 6)}, pays "
        f"{literal(money(sale.paid))}."
        for sale in found.sales[-3:]
    ]
    if found.sales:
        lines.append(
            f"Together: largest $\\varepsilon$ = {literal(written(found.loss))}, sum = "
            f"{literal(written(found.apart))}, revenue {literal(money(found.revenue))}."
        )
    return "\n\n- ".join([FORMULA, *lines])


def facts(scene: Market) -> Facts:
    """Definition, unit, neighbours, sensitivity and data of this story."""
    owner, terms = scene.stall.owner, scene.stall.ledger.terms
    moves, delta = number(owner.moves), number(terms.sensitivity)
    several = len(owner.values) > 1
    return footer(
        PURE,
        unit=f"one change of the owner’s value by at most {moves}",
        neighbours=f"two lists of the owner’s values, at most {moves} apart in all"
        if several
        else f"two values of the owner at most {moves} apart",
        sensitivity=f"one change moves {'the values, added up,' if several else 'the value'} by at "
        f"most {delta}",
        data=f"made up, and public: {join([number(value) for value in owner.values])} {owner.noun}",
        symbols=f"Δ₁ = {delta}",
    )


def arguments(scene: Market) -> dict[str, object]:
    """With which the recipe makes the numbers on screen."""
    stall = scene.stall
    return {
        "owner": stall.owner,
        "terms": stall.ledger.terms,
        "mode": stall.market.session.mode,
        "number": stall.number,
        "purchases": tuple((sale.buyer, sale.epsilon) for sale in stall.ledger.sales),
        "place": scene.place,
    }


PAGE = PageForm(
    file="growing_trust",
    guesses=COMPUTED,
    controls=settings,
    headline=headline,
    picture=picture,
    reading=reading,
    beside=beside,
    aside=aside,
    formula=formula,
    recipe=scenes.market,
    arguments=arguments,
    facts=facts,
    closers=(Closer(label="Add a reader", inside=add_reader, key="market_add"),),
    badges=(parts.lossless("the best informed"),),
)
