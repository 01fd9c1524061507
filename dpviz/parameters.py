"""Parameters that people type, each declared once: its range, and the sentence of a refusal.

The declaration makes the check, the help text and the example; a field that reads a number uses
`Parameter.read` and nothing else. Typed text is an exact decimal until it becomes a float here.
"""

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from dpviz.errors import ParameterError


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

    def read(self, text: str, *, where: str) -> float:
        """Read a typed decimal number.

        Args:
            text: what was typed.
            where: whose number it is, to begin the sentence of a refusal.

        Raises:
            ParameterError: one sentence with what to type instead.

        >>> RHO.read("0.1", where="Budget of audit")
        0.1
        >>> RHO.read("0,1", where="Budget of audit")
        Traceback (most recent call last):
        dpviz.errors.ParameterError: Budget of audit: "0,1" is not a number. Type 0.1, with a point.
        """
        shown = text.strip()
        number = _decimal(shown)
        if number is None:
            pointed = shown.replace(",", ".")
            hint = self._hint() if _decimal(pointed) is None else f"Type {pointed}, with a point."
            raise ParameterError(f'{where}: "{shown[:20]}" is not a number. {hint}')
        if not number.is_finite() or number <= Decimal(self.above):
            raise ParameterError(f"{where}: {shown[:20]} is not a {self.kind}. {self._hint()}")
        value = float(number)
        if not self.least <= value <= self.most:
            size = "small" if value < self.least else "large"
            raise ParameterError(
                f"{where}: {shown[:20]} is too {size}. "
                f"Type a number between {self.least:g} and {self.most:g}."
            )
        return value

    def _hint(self) -> str:
        return f"Type a number above {self.above:g}, for example {self.example}."


def _decimal(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


_BUDGET = {"kind": "budget", "above": 0.0, "least": 1e-12, "most": 1e12}
RHO = Parameter(symbol="ρ", unit="zCDP", example="0.1", **_BUDGET)  # type: ignore[arg-type]
EPSILON = Parameter(symbol="ε", unit="nat", example="0.5", **_BUDGET)  # type: ignore[arg-type]
HALF_WIDTH = Parameter(symbol="±a", unit="people", example="50", **_BUDGET)  # type: ignore[arg-type]
DELTA = Parameter(
    symbol="δ",
    kind="probability above 0",
    unit="probability",
    above=0.0,
    least=1e-300,
    most=0.5,
    example="1e-6",
)
