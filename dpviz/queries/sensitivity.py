"""How far one person can move a statistic: the four norms, in numbers and in formulas to read.

For neighbouring tables the statistic moves by a vector v. If at most ℓ₀ of its entries are other
than 0, each at most ℓ∞ in size, then ‖v‖₁ ≤ ℓ₀ ℓ∞ and ‖v‖₂ ≤ √ℓ₀ ℓ∞ [Cauchy and Schwarz], and a
vector with all ℓ₀ entries at ℓ∞ attains both. A query may prove smaller norms; each query has its
own formula beside its code, written with `equation`. A sensitivity of 0 says that the statistic is
public.
"""

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, get_args

from dpviz import checks
from dpviz.errors import ParameterError

# How one unit moves the coordinates: (shift in steps, number of coordinates), not 0.
Move = tuple[tuple[float, int], ...]
Norm = Literal["l0", "l1", "l2", "linf"]
NORMS: tuple[Norm, ...] = get_args(Norm)
Directions = tuple[int, int]  # most entries that move one way, and the other way at the same time
SYMBOLS: dict[Norm, str] = {"l0": "entries that move", "l1": "Δ₁", "l2": "Δ₂", "linf": "Δ∞"}


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """Largest change by one person: entries that move, and their size in three norms.

    Attributes:
        l0: number of entries that can move, ℓ₀.
        l1: Δ₁, in units of the statistic, as all below.
        l2: Δ₂.
        linf: Δ∞ = ℓ∞, the most that one entry moves.

    Raises:
        ParameterError: if a number is out of range or no vector has these norms.
    """

    l0: int
    l1: float
    l2: float
    linf: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "l0", checks.integer(0, l0=self.l0))
        checks.non_negative(l1=self.l1, l2=self.l2, linf=self.linf)
        for name in ("l1", "l2", "linf"):
            object.__setattr__(self, name, float(getattr(self, name)))
        slack = 1 + 1e-12
        if not (
            self.linf <= self.l2 * slack
            and self.l2 <= self.l1 * slack
            and self.l1 <= self.l0 * self.linf * slack
            and self.l2 <= math.sqrt(self.l0) * self.linf * slack
        ):
            raise ParameterError(
                "the sensitivities must satisfy linf <= l2 <= l1 <= l0·linf and l2 <= √l0·linf, "
                f"got {self!r}"
            )

    @property
    def alike(self) -> bool:
        """Whether who moves the statistic furthest moves ℓ₀ entries by Δ∞ each, in every norm.

        >>> Sensitivity.bounded(3).alike, Sensitivity(4, 6.0, 12**0.5, 3.0).alike
        (True, False)
        """
        whole = math.isclose(self.l1, self.l0 * self.linf)
        return whole and math.isclose(self.l2, math.sqrt(self.l0) * self.linf)

    @classmethod
    def bounded(cls, l0: int, linf: float = 1.0) -> "Sensitivity":
        """Sensitivities of a statistic in which one person moves `l0` entries by `linf` each.

            Δ₁ = ℓ₀ · ℓ∞        Δ₂ = √ℓ₀ · ℓ∞        Δ∞ = ℓ∞

        Args:
            l0: number of entries, at least 1.
            linf: size of each move, in units of the statistic.

        Raises:
            ParameterError: if a number is out of range.

        >>> Sensitivity.bounded(4)
        Sensitivity(l0=4, l1=4.0, l2=2.0, linf=1.0)
        """
        l0 = checks.integer(1, l0=l0)
        checks.non_negative(linf=linf)
        linf = float(linf)
        return cls(l0, l0 * linf, math.sqrt(l0) * linf, float(linf))


def checked_directions(directions: Directions | None) -> Directions | None:
    """The numbers of entries that one person moves one way and the other way, or None for any.

    Args:
        directions: such as (3, 0) where somebody is added or removed and all entries move alike,
            (3, 3) where one person takes another one's place.

    Raises:
        ParameterError: they are not two whole numbers, the first above 0.

    >>> checked_directions((3, 0))
    (3, 0)
    """
    if directions is None:
        return None
    if not isinstance(directions, tuple) or len(directions) != 2:
        raise ParameterError(
            "directions must be two whole numbers, most entries that one person moves one way and "
            f"the other way, such as (3, 0), got {checks.told(directions)}"
        )
    one_way, other_way = directions
    return checks.integer(1, directions=one_way), checks.integer(0, directions=other_way)


def real_moves(*ways: Move) -> tuple[Move, ...]:
    """Moves without what does not move, each once and in the same form.

    >>> real_moves(((2.0, 1), (0.0, 3)), ((2.0, 1), (5.0, 0)), ((1.0, 1), (1.0, 2)))
    (((2.0, 1),), ((1.0, 3),))
    """
    found: list[Move] = []
    for way in ways:
        sizes: dict[float, int] = {}
        for shift, count in way:
            if shift and count:
                sizes[shift] = sizes.get(shift, 0) + count
        move = tuple(sizes.items())
        if move and move not in found:
            found.append(move)
    return tuple(found)


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
