"""What the story of a market says: the take-away with its claims, readings, and the facts."""

from fractions import Fraction

from dpviz.accounting.composition import PURE
from dpviz.charts.local.market import MOST_ROWS
from dpviz.local.data_market import MarketTerms, Sale
from dpviz.local.prices import PriceCurve, undercut
from dpviz.noise import Family
from dpviz.planning.budgets import usual_half_width
from dpviz.ui.growing_trust.stories import Meter
from dpviz.words import budget, capitalised, join, number, plain, shorten, within
from dpviz.words.claims import Claim
from dpviz.words.markdown import literal
from dpviz.workspace.facts import Facts, footer
from dpviz.workspace.guesses import BEST, Right, question
from dpviz.workspace.local.data_market import Stall, guesses
from dpviz.workspace.local.data_market_typed import money, written
from dpviz.workspace.takeaways import counted

FOR_GOOD = (
    "A sold number cannot be taken back: its buyer has seen it. An upgrade pays the difference and "
    "replaces the number by a sharper one."
)
NOT_YET = "These terms are for the next market; the open one keeps those that it began with."
HOLDINGS_HEADING = "Who holds which number: the sharper, the less private"
CUT = f" The {MOST_ROWS} sharpest are drawn; the ledger has all."
LINES = "Each row is the one above it with more noise, yet by luck it may land nearer the truth."
UPGRADED = " Upgraded: paid the difference for a sharper number."
ALONE = "The number is the true value plus random noise."
LEDGER = "Who bought what?"
OWN = "Your own value and terms"
SELL_HEADING = "Sell one more number"
SOURCE = "MATHEMATICS 15.5"
ADDED = "losses of independent releases add (MATHEMATICS 5.1)"
SEPARATE = "each sold number, also that of an upgrade, has independent noise"
GUESSED = "two values one change apart, equally likely beforehand"


def together(stall: Stall) -> tuple[Right, Right]:
    """Right guesses of 1,000 after all purchases: here, and with independent noise."""
    ledger = stall.ledger
    best = [ledger.loss] if ledger.sales else []
    return guesses(ledger.terms, best), guesses(
        ledger.terms, [sale.epsilon for sale in ledger.sales]
    )


def take_away(stall: Stall) -> str:
    """What came in, and what all buyers know together; of a single one, how well she guesses."""
    ledger = stall.ledger
    if not ledger.sales:
        return f"Nobody has bought anything in this market yet.{_earlier(stall)}"
    paid, sold = money(ledger.revenue), _sold(stall)
    if len(ledger.held) > 1:
        return (
            f"{capitalised(counted(len(ledger.held)))} buyers paid me {paid} for {sold}, yet "
            f"together they know no more than {_best(stall)} alone.{_earlier(stall)}"
        )
    here, _ = together(stall)
    return (
        f"One buyer paid me {paid} for {sold}: the buyer guesses “{asked_of(stall)}?” right "
        f"{here.said} times in 1,000 (a coin: 500).{_earlier(stall)}"
    )


def _sold(stall: Stall) -> str:
    """What is sold, in Markdown."""
    noun = literal(shorten(stall.owner.noun, 38))
    return f"my number{'s' if len(stall.owner.values) > 1 else ''} of {noun}"


def asked_of(stall: Stall) -> str:
    """Two values that are one change apart: the owner’s first one, and one that is Δ larger."""
    return question(stall.owner.values[0], stall.owner.moves)


def _best(stall: Stall) -> str:
    """Whose number is the sharpest; a typed name stands in brackets, where any name is right."""
    ledger = stall.ledger
    best = [name for name, held in ledger.held.items() if held == ledger.loss]
    if len(best) > 1:
        return "any of the best informed buyers"
    return f"the best informed buyer ({literal(shorten(best[0]))})"


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
    if len(ledger.held) == 1:
        found += _asked(stall)
    if ledger.apart > ledger.loss:
        found.append(
            Claim(
                what="sum of every ε that was sold",
                value=float(ledger.apart),
                fixed=fixed,
                method=ADDED,
                assumes=SEPARATE,
            )
        )
        found.append(
            Claim(
                what="right guesses of 1,000 with separate noise",
                value=together(stall)[1].value,
                fixed=GUESSED,
                method=f"{BEST}; independent losses convolved (MATHEMATICS 5.7)",
                assumes=SEPARATE,
                kind="at most",
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
            value=together(stall)[0].value,
            fixed=f"{GUESSED}, Δ = {number(stall.owner.moves)}",
            method=BEST,
            kind="at most",
        ),
    ]


def _asked(stall: Stall) -> list[Claim]:
    """The two values that an attacker tells apart."""
    value, moves = stall.owner.values[0], stall.owner.moves
    methods = {
        "the owner’s value": (value, "made up, so it may be shown"),
        "a value one change away": (value + moves, f"the value plus Δ = {number(moves)}"),
    }
    return [
        Claim(
            what=what,
            value=found,
            unit=stall.owner.noun,
            fixed="what is typed for the owner",
            method=method,
        )
        for what, (found, method) in methods.items()
    ]


def quote(sale: Sale, family: Family) -> str:
    """What a purchase would cost, and how near its number is; Markdown."""
    buyer, price = literal(shorten(sale.buyer)), literal(money(sale.paid))
    near = within(usual_half_width(family, sale.level), "of the true value")
    number = f"for a number that is {near}, 95 times in 100 ({literal(_epsilon(sale.epsilon))})"
    if sale.upgrade:
        before = literal(_epsilon(sale.before))
        return f"Price for {buyer}: **{price}** more, as {before} is held, {number}."
    return f"Price for {buyer}: **{price}** {number}."


def holds(buyer: str, epsilon: str) -> str:
    """A buyer who has what is asked for."""
    return literal(f"{buyer.strip()} holds ε = {epsilon} now. Type more to upgrade, or a new name.")


def meter(stall: Stall) -> Meter:
    """What all buyers together can tell apart: as often as the best informed alone."""
    ledger = stall.ledger
    best = [name for name, held in ledger.held.items() if held == ledger.loss]
    one = f"the best informed ({plain(shorten(best[0], 18))})"
    return Meter(
        right=together(stall),
        losses=(ledger.loss, ledger.apart),
        who="all buyers together" if len(ledger.held) > 1 else "the buyer",
        best=one if len(best) == 1 else "any of the best informed",
        asked=asked_of(stall),
    )


def terms_line(stall: Stall) -> str:
    """The terms of the open market on one line, above the fields that sell."""
    terms = stall.ledger.terms
    return literal(
        f"The sharper the number, the larger its ε. Price: {_price(terms.curve)}. Nobody gets more "
        f"than ε = {written(terms.most)}."
    )


def _price(curve: PriceCurve) -> str:
    """What a number costs, in a few words."""
    (up_to, price), *others = curve.corners
    if others or curve.beyond is None:
        return "by a table"
    rate, then = price / up_to, Fraction(curve.beyond)
    first = f"{_coins(rate)} × ε"
    if rate == then:
        return first
    return f"{first} up to ε = {written(up_to)}, then {_coins(then)} × the rest"


def _coins(amount: Fraction) -> str:
    """A price that was typed: "€4", "€0.5", "€1.25"."""
    return f"€{written(amount)}"


def holdings_reading(stall: Stall) -> str:
    """What to notice in who holds what."""
    rows = len(set(stall.ledger.held.values()))
    lines = LINES if rows > 1 else ALONE
    lines += UPGRADED * any(sale.upgrade for sale in stall.ledger.sales)
    return lines + CUT if rows > MOST_ROWS else lines


def holdings_alt(stall: Stall) -> str:
    """Who holds what, in words."""
    held = stall.ledger.held
    ordered = sorted(held, key=lambda name: held[name], reverse=True)
    listed = [f"{plain(name)} ε = {written(held[name])}" for name in ordered]
    return (
        f"Marks under the true value, a row for each ε, from the sharpest down: {join(listed)}. "
        "Of the grey bars around them, 95 of 100 hold the true value."
    )


def arbitrage(terms: MarketTerms) -> str:
    """Whether somebody could pay less than the price, here and with independent noise."""
    found = undercut(terms.curve, terms.most)
    if found is None:
        return "Buying twice is never cheaper than buying once."
    price, whole = terms.curve.price, found.first + found.second
    apart, at_once = price(found.first) + price(found.second), price(whole)
    if apart >= at_once:
        return (
            "With separate noise, buying twice would save less than prices are rounded by. Here "
            "two numbers tell no more than the better one."
        )
    first, second = written(found.first), written(found.second)
    both = f"two of ε = {first}" if first == second else f"ε = {first} and ε = {second}"
    return literal(
        f"With separate noise, {both} add up to ε = {written(whole)} for {money(apart)} instead "
        f"of {money(at_once)}. Here that gains nothing: two numbers tell no more than the better "
        "one."
    )


def facts(stall: Stall) -> Facts:
    """The footer: what is promised, to whom, about what."""
    owner, terms = stall.owner, stall.ledger.terms
    values = join([number(value) for value in owner.values])
    return footer(
        PURE,
        unit=f"one change of the owner’s value by at most {number(owner.moves)}",
        neighbours=f"two values of the owner at most {number(owner.moves)} apart"
        if len(owner.values) == 1
        else f"two lists of the owner’s values, at most {number(owner.moves)} apart in all",
        sensitivity="one change moves "
        f"{'the values, added up,' if len(owner.values) > 1 else 'the value'} by at most "
        f"{number(terms.sensitivity)}",
        data=f"made up, and public: {values} {owner.noun}",
        symbols=f"Δ₁ = {number(terms.sensitivity)}",
    )
