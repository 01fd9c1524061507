"""What the page Data market says: the take-away with its claims, readings, and the footer."""

import math
from fractions import Fraction

from dpviz.accounting.composition import PURE
from dpviz.charts.local.market import MOST_ROWS
from dpviz.local.data_market import MarketTerms, Sale
from dpviz.local.prices import undercut
from dpviz.words import budget, capitalised, join, number, plain
from dpviz.words.claims import Claim
from dpviz.words.markdown import literal
from dpviz.workspace.facts import Facts, footer
from dpviz.workspace.local.data_market import Stall, guesses
from dpviz.workspace.local.data_market_typed import money, written
from dpviz.workspace.takeaways import counted

FOR_GOOD = (
    "A sold number cannot be taken back: its buyer has seen it. An upgrade pays the difference and "
    "replaces the number by a sharper one."
)
NOT_YET = "These terms are for the next market; the open one keeps those that it began with."
HOLDINGS_HEADING = "Who holds which number: the higher, the sharper"
HOLDINGS_READING = (
    "Each number hangs from the next sharper one, so all together are no nearer the truth than the "
    "top one. Grey: where 95 % of such numbers fall. Dashed: an upgrade, from a hollow mark."
)
CUT = f" Drawn are the {MOST_ROWS} sharpest; the table has all."
RUNNING_HEADING = "What comes in, and what it costs in privacy"
RUNNING_READING = (
    "Every purchase brings money; only one that is sharper than all before it costs the owner "
    "privacy. Dashed: the sum, if each number had noise of its own."
)
PRICES_HEADING = "What a number costs, in €"
TOGETHER_HEADING = "All buyers compare notes"
TOGETHER_READING = (
    "Guessing whether the value is one change higher: a coin is right 500 times in 1,000. Stacked: "
    "what each purchase would add if it had noise of its own."
)
SOURCE = "MATHEMATICS 15.5"
ADDED = "losses of independent releases add (MATHEMATICS 5.1)"
HOW_GUESSED = "500 (1 + δ at ε = 0), the best guess (MATHEMATICS 5.6)"


def right(guess: float) -> int:
    """Right guesses of 1,000, rounded up."""
    return min(1000, math.ceil(guess - 1e-9))


def together(stall: Stall) -> tuple[float, float]:
    """Right guesses of 1,000 after all purchases: here, and with independent noise."""
    ledger = stall.ledger
    best = [ledger.loss] if ledger.sales else []
    return guesses(ledger.terms, best), guesses(
        ledger.terms, [sale.epsilon for sale in ledger.sales]
    )


def take_away(stall: Stall) -> str:
    """What came in, what all buyers know together, and what the usual way would have cost."""
    ledger = stall.ledger
    if not ledger.sales:
        return f"Nobody has bought anything in this market yet.{_earlier(stall)}"
    buyers, here = len(ledger.held), right(together(stall)[0])
    who = "One buyer" if buyers == 1 else f"{capitalised(counted(buyers))} buyers"
    bought = (
        f"for {_epsilon(ledger.loss)}:"
        if buyers == 1
        else "together, and all of them together know only what the best of them bought: "
        f"{_epsilon(ledger.loss)},"
    )
    text = (
        f"{who} paid {money(ledger.revenue)} {bought} at most {here:,} right guesses of 1,000 "
        f"about a change by {number(stall.owner.moves)} (a coin: 500)."
    )
    if ledger.apart > ledger.loss:
        text += f" Sold separately it would be {_epsilon(ledger.apart)}."
    return text + _earlier(stall)


def _earlier(stall: Stall) -> str:
    """What earlier markets add."""
    if not stall.before:
        return ""
    text = f"Markets before this one cost {_epsilon(stall.before)}: {_epsilon(stall.loss)} in all."
    return f" {text}"


def _epsilon(amount: Fraction) -> str:
    return budget("ε", amount)


def claims(stall: Stall) -> tuple[Claim, ...]:
    """Why the numbers of the take-away are what they are."""
    ledger = stall.ledger
    fixed = f"these {len(ledger.sales)} purchases and this price curve"
    found = _of_the_market(stall, fixed) if ledger.sales else []
    if ledger.apart > ledger.loss:
        found.append(
            Claim(
                what="sum of every ε that was sold",
                value=float(ledger.apart),
                fixed=fixed,
                method=ADDED,
                assumes="each sold number, also that of an upgrade, has independent noise",
            )
        )
    if stall.before:
        of_all = {"loss of earlier markets, ε": stall.before, "loss of all markets, ε": stall.loss}
        found += [
            Claim(what=what, value=float(value), fixed="all that was sold", method=ADDED)
            for what, value in of_all.items()
        ]
    return tuple(found)


def _of_the_market(stall: Stall, fixed: str) -> list[Claim]:
    """What came in, what was lost, and what an attacker makes of it."""
    ledger = stall.ledger
    return [
        Claim(
            what="paid by all buyers",
            value=float(ledger.revenue),
            unit="€",
            fixed=fixed,
            method=f"each buyer’s payments add up to the price of what she holds ({SOURCE})",
        ),
        Claim(
            what="largest ε that was sold",
            value=float(ledger.loss),
            fixed=f"one session, Δ = {number(ledger.terms.sensitivity)}",
            method=f"that of the least private release (MATHEMATICS 1.3, {SOURCE})",
        ),
        Claim(
            what="right guesses of 1,000",
            value=together(stall)[0],
            fixed="two values one change apart, equally likely beforehand",
            method=HOW_GUESSED,
            kind="at most",
        ),
    ]


def quote(sale: Sale) -> str:
    """What a purchase would cost."""
    price = literal(money(sale.paid))
    if sale.upgrade:
        return (
            f"**{price}**: the difference, as {literal(sale.buyer)} holds "
            f"{literal(_epsilon(sale.before))}."
        )
    return f"**{price}** for a first number of {literal(_epsilon(sale.epsilon))}."


def holds(buyer: str, epsilon: str) -> str:
    """A buyer who has what is asked for."""
    return literal(f"{buyer.strip()} holds ε = {epsilon} now. Type more to upgrade, or a new name.")


def bars(stall: Stall) -> tuple[str, str]:
    """What is written below the two bars."""
    here, apart = map(right, together(stall))
    return (
        f"one change guessed right at most {here:,} times in 1,000",
        f"at most {apart:,} times" if apart > here else "the same",
    )


def together_alt(stall: Stall) -> str:
    """The two bars in words."""
    ledger = stall.ledger
    return (
        f"Two bars. Here all buyers together know ε = {written(ledger.loss)}; with independent "
        f"noise in each number it would be ε = {written(ledger.apart)}."
    )


def holdings_alt(stall: Stall) -> str:
    """Who holds what, in words."""
    held = stall.ledger.held
    ordered = sorted(held, key=lambda name: held[name], reverse=True)
    listed = [f"{plain(name)} ε = {written(held[name])}" for name in ordered]
    return (
        f"Marks under the true value, a row for each ε, from the sharpest down: {join(listed)}. "
        "Threads lead from each number to the next sharper one."
    )


def running_alt(stall: Stall) -> str:
    """Money and loss in words."""
    ledger = stall.ledger
    return (
        f"Bars that climb to {money(ledger.revenue)} after {len(ledger.sales)} purchases; below, a "
        f"line of the loss that ends at ε = {written(ledger.loss)}, and the sum, which ends at "
        f"ε = {written(ledger.apart)}."
    )


def arbitrage(terms: MarketTerms) -> str:
    """Whether somebody could pay less than the price, here and with independent noise."""
    found = undercut(terms.curve, terms.most)
    if found is None:
        return (
            "Nobody can pay less than the price: not here, and not with independent noise, as two "
            "purchases never cost less than one of their sum."
        )
    price, whole = terms.curve.price, found.first + found.second
    apart, at_once = price(found.first) + price(found.second), price(whole)
    if apart >= at_once:
        return (
            "With independent noise, buying twice would save less than prices are rounded by. Here "
            "two numbers know no more than the better one."
        )
    first, second = written(found.first), written(found.second)
    both = f"two of ε = {first}" if first == second else f"ε = {first} and ε = {second}"
    return literal(
        f"With independent noise, {both} add up to ε = {written(whole)} for {money(apart)} instead "
        f"of {money(at_once)}. Here that gains nothing: two numbers know no more than the better "
        "one."
    )


def price_alt(terms: MarketTerms) -> str:
    """The price curve in words."""
    most = terms.most
    return (
        f"A line from 0 up to {money(terms.curve.price(most))} at ε = {written(most)}, which never "
        "falls."
    )


def facts(stall: Stall) -> Facts:
    """The footer: what is promised, to whom, about what."""
    owner, terms = stall.owner, stall.ledger.terms
    values = join([number(value) for value in owner.values])
    return footer(
        PURE,
        unit=f"one change of the owner’s value by at most {number(owner.moves)}",
        neighbours=f"two values of the owner at most {number(owner.moves)} apart (all added up)",
        sensitivity=f"Δ₁ = {number(terms.sensitivity)}, as typed",
        data=f"made up, and public: {values} {owner.noun}",
    )
