"""What is typed about a data market, read exactly; how ε and money are written; and its file.

Every refusal is one sentence: what is wrong, where, and what to type instead.
Source: MATHEMATICS 15.5.
"""

import csv
import io
from collections.abc import Iterable, Mapping
from fractions import Fraction

from dpviz.errors import ParameterError
from dpviz.handout import neutral
from dpviz.local.data_market import MarketTerms
from dpviz.local.prices import COIN, PriceCurve
from dpviz.noise.family import Family
from dpviz.parameters import EPSILON, SENSITIVITY, exact
from dpviz.planning.typed import number, numbers
from dpviz.words import clean, exactly
from dpviz.workspace.facts import Facts
from dpviz.workspace.local.data_market import Owner, Stall

MOST_NOUN = 60  # letters of what the owner's numbers are
PER_EPSILON, DISCOUNT, TABLE = "same for each ε", "cheaper in bulk", "a table"
PRICES = (PER_EPSILON, DISCOUNT, TABLE)
AT, COST = "ε", "price"  # columns of a typed table
TABLE_ROWS = (("0.25", "0.5"), ("0.5", "1.5"), ("1", "5"), ("2", "16"))  # each further ε is dearer


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


def read_table(rows: Iterable[Mapping[str, object]]) -> PriceCurve:
    """A price curve as typed into a table, row by row; rows with nothing in them are left out.

    Raises:
        ParameterError: one sentence with the row that cannot be used.

    >>> str(read_table([{"ε": "1", "price": "4"}, {"ε": "3", "price": "10"}]).price(2))
    '7'
    """
    points = []
    for place, row in enumerate(rows, start=1):
        cells = {name: _cell(row.get(name)) for name in (AT, COST)}
        if any(cells.values()):
            points.append(
                (
                    EPSILON.read_exact(cells[AT], where=f"Row {place}, ε"),
                    read_rate(cells[COST], where=f"Row {place}, price"),
                )
            )
    if not points:
        raise ParameterError("The table is empty: type an ε such as 1 and its price such as 4.")
    return PriceCurve(points=tuple(points))


def _cell(content: object) -> str:
    """What a cell of a grid holds, as text; "" for nothing."""
    return "" if content is None or content != content else str(content).strip()


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
