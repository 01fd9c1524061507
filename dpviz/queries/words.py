"""Numbers and formulas as people read them; every formula of a sensitivity is written here."""

from decimal import Decimal

from dpviz.errors import ParameterError
from dpviz.queries.sensitivity import NORMS, Norm

SYMBOLS: dict[Norm, str] = {"l0": "entries that move", "l1": "Δ₁", "l2": "Δ₂", "linf": "Δ∞"}


def symbol(norm: Norm) -> str:
    """The sign of a norm.

    Raises:
        ParameterError: for any other name.

    >>> symbol("l2")
    'Δ₂'
    """
    if norm not in SYMBOLS:
        raise ParameterError(f"norm must be one of {', '.join(NORMS)}, got {norm!r}")
    return SYMBOLS[norm]


def plain(number: float) -> str:
    """A typed number as short as it can be written without loss.

    >>> plain(10.0), plain(0.1), plain(-2.5)
    ('10', '0.1', '-2.5')
    """
    return repr(number).removesuffix(".0")


def full(number: float) -> str:
    """A typed number to read, with all its digits.

    >>> full(1000.0), full(-12345.675), full(0.1)
    ('1,000', '−12,345.675', '0.1')
    """
    return f"{Decimal(plain(number)):,}".replace("-", "−")


def short(number: float) -> str:
    """A number to read: whole ones in full, others to four digits.

    >>> short(100000.0), short(1.7320508), short(-12345.678), short(0.00048828125)
    ('100,000', '1.732', '−12,346', '0.0004883')
    """
    full = abs(number) < 1e15 and (abs(number) >= 1000 or number == int(number))
    return (f"{number:,.0f}" if full else f"{number:.4g}").replace("-", "−")


def root(term: str) -> str:
    """The square root of a term, in brackets where it is a product.

    >>> root("ℓ₀"), root("2ℓ₀"), root("16")
    ('√ℓ₀', '√(2ℓ₀)', '√16')
    """
    return f"√({term})" if term[0].isdigit() and not term.isdigit() else f"√{term}"


def equation(norm: Norm, formula: str, numbers: str, value: float, step: float = 1.0) -> str:
    """One line: sign, formula, formula with numbers, value in units, and in steps.

    >>> equation("l1", "ℓ₀ · ℓ∞", "3 · 1", 3)
    'Δ₁ = ℓ₀ · ℓ∞ = 3 · 1 = 3'
    >>> equation("linf", "ℓ∞", "1", 1, step=0.5)
    'Δ∞ = ℓ∞ = 1 (2 steps of 0.5)'
    """
    parts = [symbol(norm), formula, numbers, short(value)]
    line = " = ".join(part for i, part in enumerate(parts) if part != parts[i - 1])
    if step == 1 or norm == "l0":
        return line
    return f"{line} ({short(value / step)} steps of {short(step)})"
