"""Parameters that people type, each declared once: its range, and the sentence of a refusal.

The declaration makes the check, the help text and the example; a field that reads a number uses
`Parameter.read` or `Parameter.read_exact` and nothing else. Typed text is an exact decimal; what
adds budgets keeps it exact, what computes noise turns it into a float once.
"""

import math
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from dpviz import checks
from dpviz.errors import ParameterError

# What (ε, δ) promises, for every text that explains δ. It is no chance that a promise is broken:
# the loss of a release may exceed ε with a probability many times δ.
DELTA_MEANING = "no probability changes by more than a factor eᵋ plus δ"
DELTA_AXIS = "weaker promise (δ) →"
USUAL_DELTA = 1e-6  # unless told otherwise
MAX_TYPED = 60  # characters of a number that somebody typed
MOST_DIGITS = 15  # of a seed: every program reads such a number to the last digit

_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A number that somebody may type, strictly above `above` and at most `most`."""

    symbol: str
    kind: str  # what a refusal calls it, e.g. "budget"
    unit: str
    above: float
    least: float  # smaller ones are too small to compute with
    most: float
    example: str

    def __post_init__(self) -> None:
        checks.finite(above=self.above, least=self.least, most=self.most)
        if not float(self.above) <= float(self.least) < float(self.most):
            raise ParameterError("above, least and most must ascend")

    def read(self, text: str, *, where: str) -> float:
        """Read a typed decimal number as the float next to it.

        Args:
            text: what was typed.
            where: whose number it is, to begin the sentence of a refusal.

        Raises:
            ParameterError: one sentence with what to type instead.

        >>> RHO.read("0.1", where="Budget of audit")
        0.1
        >>> RHO.read("0,1", where="Budget of audit")
        Traceback (most recent call last):
        dpviz.errors.ParameterError: Budget of audit: “0,1” is not a number. Type 0.1, with a point.
        """
        return float(self.read_exact(text, where=where))

    def read_exact(self, text: str, *, where: str) -> Fraction:
        """Read a typed decimal number exactly.

        Args:
            text: what was typed.
            where: whose number it is, to begin the sentence of a refusal.

        Raises:
            ParameterError: one sentence with what to type instead.

        >>> 3 * RHO.read_exact("0.1", where="Budget of audit")
        Fraction(3, 10)
        """
        if not isinstance(text, str):
            raise ParameterError(f"{where}: type a number as text, for example {self.example}.")
        shown = " ".join(text.split())
        if len(shown) > MAX_TYPED:
            raise ParameterError(
                f"{where}: {shown[:20]}… is longer than anybody needs. Type a number of at most "
                f"{MAX_TYPED} characters."
            )
        number = decimal(shown)
        if number is None:
            pointed = shown.replace(",", ".")
            hint = self._hint() if decimal(pointed) is None else f"Type {pointed}, with a point."
            raise ParameterError(f"{where}: “{shown[:20]}” is not a number. {hint}")
        if not number.is_finite() or number <= Decimal(self.above):
            raise ParameterError(f"{where}: {shown[:20]} is not a {self.kind}. {self._hint()}")
        value = float(number)
        if not self.least <= value <= self.most:  # checked before 1e-999999 becomes a fraction
            size = "small" if value < self.least else "large"
            raise ParameterError(
                f"{where}: {shown[:20]} is too {size}. "
                f"Type a number between {round_number(self.least)} and {round_number(self.most)}."
            )
        return Fraction(number)

    def _hint(self) -> str:
        return f"Type a number above {self.above:g}, for example {self.example}."


def decimal(text: str) -> Decimal | None:
    """The typed decimal, or None if the text is no number.

    >>> decimal("0.10"), decimal("ten") is None
    (Decimal('0.10'), True)
    """
    if not isinstance(text, str) or not plain(text):
        return None
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def plain(text: str) -> bool:
    """Whether a typed number is written with the digits 0 to 9, a point, signs and letters alone.

    Python reads more: 1_0 as 10, and the digits of every script. Nobody who typed these is sure
    to have meant the number.

    >>> plain("1e-6"), plain("1_0"), plain("٣")
    (True, False, False)
    """
    return text.isascii() and "_" not in text


def seed_from(text: str) -> int:
    """Read the seed of practice numbers.

    Raises:
        ParameterError: it is no whole number of at least 0, or of more than 15 digits.

    >>> seed_from("7")
    7
    """
    shown = text.strip() if isinstance(text, str) else ""
    if not (shown.isascii() and shown.isdigit() and len(shown) <= MOST_DIGITS):
        raise ParameterError(
            f"The seed must be a whole number of at least 0, of at most {MOST_DIGITS} digits. "
            "Type one, for example 7."
        )
    return int(shown)


def round_number(number: float) -> str:
    """A limit as people write it: far powers of ten as such.

    >>> round_number(1e-12), round_number(-1e15), round_number(0.5)
    ('10⁻¹²', '−10¹⁵', '0.5')
    """
    text = f"{abs(number):g}"
    written = power_of_ten(int(text[2:])) if text.startswith("1e") else text
    return f"−{written}" if number < 0 else written


def power_of_ten(exponent: int) -> str:
    """A power of ten as people write it.

    >>> power_of_ten(-12)
    '10⁻¹²'
    """
    return f"10{str(exponent).translate(_RAISED)}"


def exact(number: float | Decimal | Fraction) -> Fraction:
    """The finite number as a fraction; a float stands for the shortest decimal that reads as it.

    A float in a budget was nearly always typed, and 0.1 was typed to mean one tenth; so sums of
    such budgets do not drift. The fraction differs from the double by less than its last bit.

    Raises:
        ParameterError: it is no number, or not finite.

    >>> 3 * exact(0.1) == exact(0.3)
    True
    """
    if isinstance(number, Fraction):
        return number
    plain_number = checks.number(number=number)
    if not math.isfinite(plain_number):
        raise ParameterError(f"a budget must be a finite number, got {checks.told(number)}")
    return Fraction(number if isinstance(number, Decimal) else repr(plain_number))


_BUDGET = {"kind": "budget", "above": 0.0, "least": 1e-12, "most": 1e12}
RHO = Parameter(symbol="ρ", unit="zCDP", example="0.1", **_BUDGET)  # type: ignore[arg-type]
MU = Parameter(symbol="μ", unit="Gaussian DP", example="0.5", **_BUDGET)  # type: ignore[arg-type]
EPSILON = Parameter(symbol="ε", unit="nat", example="0.5", **_BUDGET)  # type: ignore[arg-type]
HALF_WIDTH = Parameter(
    symbol="±a",
    unit="of the statistic",
    example="50",
    **_BUDGET,  # type: ignore[arg-type]
)
GRID_STEP = Parameter(
    symbol="s",
    kind="step above 0",
    unit="unit of the column",
    above=0.0,
    least=1e-300,
    most=1e15,
    example="0.25",
)
DELTA = Parameter(
    symbol="δ",
    kind="probability above 0",
    unit="probability",
    above=0.0,
    least=1e-300,
    most=0.5,
    example="1e-6",
)
SIZE = Parameter(
    symbol="n",
    kind="size",
    unit="of the statistic",
    above=0.0,
    least=1e-12,
    most=1e18,  # a thousand rows of the largest bound that a page takes, 1e15
    example="120",
)
SHARE = Parameter(
    symbol="%",
    kind="share above 0",
    unit="percent of an expected size",
    above=0.0,
    least=1e-9,
    most=100.0,
    example="5",
)
WEIGHT = Parameter(
    symbol="w",
    kind="weight above 0",
    unit="of a share",
    above=0.0,
    least=1e-3,
    most=1e3,
    example="2",
)
SENSITIVITY = Parameter(
    symbol="Δ",
    kind="sensitivity above 0",
    unit="of the statistic",
    above=0.0,
    least=1e-12,
    most=1e15,
    example="1",
)
