"""What a visitor has of a data market: the owner, the open market, and what earlier ones cost.

The owner is made up: what is typed about the value is public on screen, so a market enters no
ledger of the workspace. It begins with six made-up purchases, seeded. A market keeps the terms
that it was opened with; another one is another session on the same value, so its loss adds.
Sources: MATHEMATICS 15.5, 5.1, 5.7.
"""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from dpviz import checks, streams
from dpviz.accounting.guarantees import GUARANTEES
from dpviz.accounting.inputs import Number
from dpviz.errors import ParameterError
from dpviz.handout import neutral
from dpviz.local.data_market import DataMarket, MarketLedger, MarketTerms, Sale
from dpviz.local.prices import COIN, PriceCurve
from dpviz.noise import ADDITIVE, Array, Family
from dpviz.palette import SYMBOLS, TierStyle
from dpviz.parameters import EPSILON, SENSITIVITY, exact
from dpviz.planning.typed import number, numbers
from dpviz.streams import Mode
from dpviz.words import clean, exactly
from dpviz.workspace.facts import Facts
from dpviz.workspace.guesses import CorrectGuesses, right_between

SEED = 903  # of 9,000 one of 27 whose first five numbers all differ and can be told apart
MOST_VALUES = 20
FIRST = (
    ("insurer", 0.2), ("city", 0.4), ("car maker", 0.6), ("garage", 0.6), ("bank", 1),
    ("insurer", 0.5),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Whose value is sold, made up and public.

    Attributes:
        values: the exact numbers; whole where the noise is.
        noun: what they are.
        moves: the most by which two values that the owner may have differ: Δ₁.

    Raises:
        ParameterError: there is no value or there are too many, or one is no number.
    """

    values: tuple[float, ...]
    noun: str
    moves: float

    def __post_init__(self) -> None:
        if not 1 <= len(checks.listed(values=self.values)) <= MOST_VALUES:
            raise ParameterError(f"Value: type 1 to {MOST_VALUES} numbers, with commas between.")
        for value in self.values:
            checks.finite(value=value)
        checks.positive(moves=self.moves)

    def numbers(self, family: Family) -> Array:
        """The values as a session takes them.

        Raises:
            ParameterError: the noise is made of whole numbers and a value is not.
        """
        if not family.integer:
            return np.array(self.values)
        for where, each in (("Value", self.values), ("One change moves it by", (self.moves,))):
            if any(one != int(one) for one in each):
                raise ParameterError(
                    f"{where}: {family.label} noise is made of whole numbers. Type whole numbers, "
                    "or choose Laplace noise."
                )
        return np.array([int(value) for value in self.values], dtype=np.int64)


OWNER = Owner(values=(147.0,), noun="driving days last year", moves=1.0)
OFFER = MarketTerms(curve=PriceCurve.linear(4), limit=2, sensitivity=OWNER.moves)


@dataclass(slots=True, kw_only=True)
class Stall:
    """What a visitor has: an open market of an owner, and what the ones before it cost.

    A script does with it what the page does:

    >>> stall = Stall.opened(OWNER, OFFER, mode="teaching")
    >>> for buyer, epsilon in FIRST:
    ...     _ = stall.sell(buyer, epsilon)
    >>> str(stall.ledger.revenue), str(stall.ledger.loss), str(stall.loss)
    ('62/5', '1', '1')
    >>> stall.start_over(OWNER, OFFER, mode="teaching")
    >>> str(stall.sell("ada", 0.5).paid), str(stall.loss)  # the first market's loss adds
    ('2', '3/2')
    """

    owner: Owner
    market: DataMarket
    number: int = 0  # of this market; each has noise of its own
    before: Fraction = Fraction(0)  # lost in the markets before: each had noise of its own
    styles: dict[str, TierStyle] = field(default_factory=dict)

    @classmethod
    def opened(cls, owner: Owner, terms: MarketTerms, *, mode: Mode) -> "Stall":
        """A first market, empty.

        Raises:
            ParameterError: the values are not what the noise of the terms takes.
        """
        return cls(owner=owner, market=open_market(owner, terms, mode, 0))

    @classmethod
    def example(cls) -> "Stall":
        """The made-up market with its first six purchases; seeded, for teaching."""
        made = cls.opened(OWNER, OFFER, mode="teaching")
        for buyer, epsilon in FIRST:
            made.sell(buyer, epsilon)
        return made

    @property
    def ledger(self) -> MarketLedger:
        """What was sold in the open market."""
        return self.market.ledger

    @property
    def loss(self) -> Fraction:
        """What the owner has lost in all markets."""
        return self.before + self.ledger.loss

    def sell(self, buyer: str, epsilon: Number) -> Sale:
        """Sell; a new buyer gets the next symbol and keeps it, as buyers change places.

        Raises:
            ParameterError: as `DataMarket.sell`; nothing is sold.
        """
        sale = self.market.sell(buyer, epsilon)
        look = TierStyle(0, len(self.styles) % len(SYMBOLS))  # a colour is a tier’s
        self.styles.setdefault(sale.buyer, look)
        return sale

    def start_over(self, owner: Owner, terms: MarketTerms, *, mode: Mode) -> None:
        """Open another market; what was sold in this one stays sold, and its loss adds.

        Raises:
            ParameterError: the values are not what the noise of the terms takes.
        """
        following, lost = open_market(owner, terms, mode, self.number + 1), self.loss
        self.market, self.number, self.before = following, self.number + 1, lost
        self.owner, self.styles = owner, {}


def open_market(owner: Owner, terms: MarketTerms, mode: Mode, number: int) -> DataMarket:
    """Open the market of this number, with noise of its own.

    Raises:
        ParameterError: the values are not what the noise of the terms takes.
    """
    rng = streams.hardened() if mode == "hardened" else streams.teaching(SEED, number)
    return DataMarket(owner.numbers(terms.family), terms, rng=rng)


def families(mode: Mode) -> tuple[str, ...]:
    """Names of the noise that a market can have: a pure ε, and whole numbers if hardened.

    >>> families("teaching"), families("hardened")
    (('laplace', 'discrete_laplace'), ('discrete_laplace',))
    """
    return tuple(
        name
        for name, family in ADDITIVE.items()
        if (found := GUARANTEES[name]) is not None and found.pure
        if mode == "teaching" or family.integer
    )


def guesses(terms: MarketTerms, epsilons: Sequence[Fraction], *, times: int = 1) -> CorrectGuesses:
    """How often, of 1,000 times, an attacker tells two values apart by independent numbers.

    Two values of the owner that differ by Δ₁, or a multiple of it, in one number, equally likely
    beforehand; the best guess, rounded up. No number: a coin.

    >>> round(guesses(OFFER, [Fraction(1)]).value, 3)  # 1000 (1 - e^(-1/2) / 2)
    696.735
    """
    levels = [terms.level(epsilon) for epsilon in epsilons]
    far, loss = times * terms.sensitivity, times * sum(epsilons, Fraction(0))
    return right_between(terms.family, far, levels, loss)


# --- what is typed, and how ε and money are written ---


MOST_NOUN = 60  # letters of what the owner's numbers are
PER_EPSILON, DISCOUNT = PRICES = ("same for each ε", "cheaper in bulk")


def read_owner(values: str, noun: str, moves: str) -> Owner:
    """The owner as typed.

    Raises:
        ParameterError: one sentence with what to type instead.

    >>> read_owner("147, 52", "days", "2").values
    (147.0, 52.0)
    """
    named = clean(noun) if noun.strip() else "numbers"
    if len(named) > MOST_NOUN:
        raise ParameterError(f"What it counts: type at most {MOST_NOUN} letters.")
    return Owner(
        values=numbers(values, where="Value", example="147"),
        noun=named,
        moves=SENSITIVITY.read(moves, where="One change moves it by"),
    )


def read_rate(text: str, *, where: str) -> Fraction:
    """A price as typed, exact.

    Raises:
        ParameterError: it is no number.

    >>> read_rate("0.1", where="Price")
    Fraction(1, 10)
    """
    return exact(number(text, where=where, example="4"))


def terms_of(curve: PriceCurve, limit: str, owner: Owner, family: Family) -> MarketTerms:
    """The terms of an owner with the limit as typed.

    Raises:
        ParameterError: one sentence with what to type instead.

    >>> from dpviz.noise import ADDITIVE
    >>> owner = read_owner("147", "days", "1")
    >>> terms_of(PriceCurve.linear(4), "2", owner, ADDITIVE["laplace"]).most
    Fraction(2, 1)
    """
    most = EPSILON.read_exact(limit, where="Most ε that will ever be sold")
    return MarketTerms(curve=curve, limit=most, sensitivity=owner.moves, family=family)


def written(number: Fraction) -> str:
    """An ε as it is written: in full if it is a short decimal, else rounded up.

    >>> written(Fraction(3, 5)), written(Fraction(1, 3))
    ('0.6', '0.3334')
    """
    return exactly(number, up=True)


def money(amount: Fraction) -> str:
    """An amount of money, which is whole coins.

    >>> money(Fraction(62, 5)), money(Fraction(12345))
    ('€12.40', '€12,345.00')
    """
    whole, coins = divmod(round(amount / COIN), round(1 / COIN))
    return f"€{whole:,}.{coins:02d}"


LEDGER = (
    "purchase",
    "buyer",
    "held before",
    "ε",
    "level",
    "paid",
    "revenue",
    "largest ε",
    "sum of ε",
)


def ledger_csv(stall: Stall, facts: Facts) -> bytes:
    r"""Write the ledger of the open market: facts, then a row per purchase, exact.

    Args:
        stall: the open market.
        facts: what the numbers are, as in the footer of the page.

    Returns:
        UTF-8 text with a byte order mark: lines `# name,text`, an empty line, and a table. ε and
        money are decimals, or fractions where no decimal is exact; released numbers read back to
        the same double. Text from people begins no formula.

    >>> file = ledger_csv(Stall.example(), (("Data", "made up"),)).decode("utf-8-sig")
    >>> file.splitlines()[0], file.splitlines()[3].split(",")[:4]
    ('# Data,made up', ['1', 'insurer', '0', '0.2'])
    """
    sink = io.StringIO(newline="")
    writer = csv.writer(sink)
    writer.writerows([f"# {name}", neutral(text)] for name, text in facts)
    sink.write("\r\n")
    places = range(1, len(stall.owner.values) + 1)
    writer.writerow([*LEDGER, *(f"number {place}" for place in places)])
    for sale, totals in zip(stall.ledger.sales, stall.ledger.running, strict=True):
        exact_ones = [_exactly(x) for x in (sale.before, sale.epsilon)]
        money_and_loss = [_exactly(x) for x in (sale.paid, *totals)]
        numbers_sold = map(repr, stall.market.number(sale).reshape(-1).tolist())
        row = [sale.number, neutral(sale.buyer), *exact_ones, repr(sale.level), *money_and_loss]
        writer.writerow([*row, *numbers_sold])
    return sink.getvalue().encode("utf-8-sig")


def _exactly(amount: Fraction) -> str:
    """A decimal if it is exact, else a fraction."""
    shown = f"{float(amount)!r}".removesuffix(".0")
    return shown if Fraction(shown) == amount else str(amount)
