"""Formulas and code of the story of a market, with its numbers.

Source: MATHEMATICS 15.5.
"""

from fractions import Fraction

from dpviz.ui.kit.code import HARDENED
from dpviz.words import significant
from dpviz.words.markdown import literal
from dpviz.workspace.local.data_market import SEED, Stall
from dpviz.workspace.local.data_market_typed import money, written

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


def formula(stall: Stall) -> str:
    """The formulas, and what they give for the open market."""
    ledger = stall.ledger
    lines = [
        f"{literal(sale.buyer)}: $b$ = {significant(sale.level, 6)}, pays "
        f"{literal(money(sale.paid))}."
        for sale in ledger.sales[-3:]
    ]
    if ledger.sales:
        lines.append(
            f"Together: largest $\\varepsilon$ = {literal(written(ledger.loss))}, sum = "
            f"{literal(written(ledger.apart))}, revenue {literal(money(ledger.revenue))}."
        )
    return "\n\n- ".join([FORMULA, *lines])


def code(stall: Stall) -> str:
    """A program that repeats the open market; defines `market`."""
    ledger, terms = stall.ledger, stall.ledger.terms
    hardened = stall.market.session.mode == "hardened"
    points = ", ".join(f"({_fraction(e)}, {_fraction(p)})" for e, p in terms.curve.corners)
    beyond = terms.curve.beyond
    values = stall.owner.numbers(terms.family).tolist()
    rng = "streams.hardened()" if hardened else f"streams.teaching({SEED}, {stall.number})"
    return "\n".join(
        [
            "from fractions import Fraction",
            "",
            "from dpviz import FAMILIES, DataMarket, MarketTerms, PriceCurve, streams",
            "",
            "terms = MarketTerms(",
            "    curve=PriceCurve(",
            f"        points=({points},),",
            f"        beyond={'None' if beyond is None else _fraction(Fraction(beyond))},",
            "    ),",
            f"    limit={_fraction(terms.most)},",
            f"    sensitivity={terms.sensitivity!r},",
            f'    family=FAMILIES["{terms.family.name}"],',
            ")",
            *([HARDENED] if hardened else []),
            f"market = DataMarket({values!r}, terms, rng={rng})",
            "purchases = [",
            *(f"    ({sale.buyer!r}, {_fraction(sale.epsilon)})," for sale in ledger.sales),
            "]",
            "for buyer, epsilon in purchases:",
            "    sale = market.sell(buyer, epsilon)",
            "    print(buyer, epsilon, sale.paid, market.number(sale))",
            "ledger = market.ledger",
            'print("paid:", ledger.revenue, "lost:", ledger.loss, "separately:", ledger.apart)',
            "",
        ]
    )


def _fraction(number: Fraction) -> str:
    """An exact number as Python."""
    return f'Fraction("{number}")'
