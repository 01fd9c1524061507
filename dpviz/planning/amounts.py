"""The kinds of budget that people type, and how a typed amount is read.

    ρ, μ, ε       one number; ε is at the plan's δ
    (ε, δ)        two numbers, "1, 1e-7"
    ±a 95 %       one number, in units of the statistic: for one group, or for all of them at once

Limits: the text is read exactly; what it means for a noise family is said in budgets.py.
"""

from dataclasses import dataclass
from typing import Literal, get_args

from dpviz.accounting.inputs import Number, positive, probability
from dpviz.errors import ParameterError
from dpviz.parameters import DELTA, EPSILON, HALF_WIDTH, MU, RHO, Parameter

Kind = Literal[
    "ρ",
    "ε",
    "(ε, δ)",
    "μ",
    "±a 90 %",
    "±a 95 %",
    "±a 99 %",
    "±a 90 %, all",
    "±a 95 %, all",
    "±a 99 %, all",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
PAIR: Kind = "(ε, δ)"
EPSILONS: tuple[Kind, ...] = ("ε", PAIR)
ACCURACIES: dict[str, tuple[float, bool]] = {  # confidence, and whether for all groups at once
    "±a 90 %": (0.90, False),
    "±a 95 %": (0.95, False),
    "±a 99 %": (0.99, False),
    "±a 90 %, all": (0.90, True),
    "±a 95 %, all": (0.95, True),
    "±a 99 %, all": (0.99, True),
}
_PARAMETERS: dict[str, Parameter] = {"ρ": RHO, "ε": EPSILON, "μ": MU}


@dataclass(frozen=True, slots=True)
class Amount:
    """How much was typed; `delta` only where a δ was typed with it."""

    value: Number
    delta: Number | None = None

    def __post_init__(self) -> None:
        positive(budget=self.value)
        if self.delta is not None:
            probability(delta=self.delta)


def read_amount(kind: Kind, text: str, *, where: str) -> Amount:
    """Read what was typed for a budget of this kind, exactly.

    Args:
        kind: one of `KINDS`.
        text: what was typed.
        where: whose budget it is, to begin the sentence of a refusal.

    Raises:
        ParameterError: one sentence with what to type instead.

    >>> read_amount("(ε, δ)", "0.5, 1e-7", where="Budget of audit")
    Amount(value=Fraction(1, 2), delta=Fraction(1, 10000000))
    """
    if kind != PAIR:
        return Amount(_PARAMETERS.get(kind, HALF_WIDTH).read_exact(text, where=where))
    epsilon, delta = _pair(text, where)
    return Amount(
        EPSILON.read_exact(epsilon, where=f"{where}, ε"),
        DELTA.read_exact(delta, where=f"{where}, δ"),
    )


def _pair(text: str, where: str) -> tuple[str, str]:
    """The two texts between the brackets, if there are brackets."""
    shown = text.strip()
    if shown.startswith("(") and shown.endswith(")"):
        shown = shown[1:-1]
    parts = shown.split(";" if ";" in shown else ",")
    if len(parts) != 2:
        raise ParameterError(f"{where}: type ε and δ with a comma between, for example 1, 1e-7.")
    return parts[0], parts[1]
