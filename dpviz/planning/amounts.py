"""The kinds of budget that people type, and how a typed amount is read.

    ρ, μ, ε       one number; ε is at the plan's δ
    (ε, δ)        two numbers, "1, 1e-7"
    ±a 95 %       one number, in units of the statistic: for one group, or for all of them at once
                  or a share of an expected size, "5 % of 2,000", which is ±100

A share stays as it was typed, in plan files too: it says why ±100 is wanted, and reads as the same
accuracy everywhere. The size is what somebody expects, from public knowledge.
Limits: the text is read exactly; what it means for a noise family is said in budgets.py.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, get_args

from dpviz.accounting.inputs import Number, positive, probability
from dpviz.errors import ParameterError
from dpviz.parameters import DELTA, EPSILON, HALF_WIDTH, MU, RHO, SHARE, SIZE, Parameter

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
_SHARE = re.compile(r"\s*±?\s*(\S+?)\s*%\s*of\s+(\S+)\s*")
_THOUSANDS = re.compile(r"[0-9]{1,3}(,[0-9]{3})+")
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
    >>> read_amount("±a 95 %", "5 % of 2,000", where="Budget of audit").value
    Fraction(100, 1)
    """
    if kind in ACCURACIES and "%" in text:
        return Amount(_share(text, where))
    if kind != PAIR:
        return Amount(_PARAMETERS.get(kind, HALF_WIDTH).read_exact(text, where=where))
    epsilon, delta = _pair(text, where)
    return Amount(
        EPSILON.read_exact(epsilon, where=f"{where}, ε"),
        DELTA.read_exact(delta, where=f"{where}, δ"),
    )


def _share(text: str, where: str) -> Fraction:
    """The accuracy that is typed as a share of an expected size."""
    found = _SHARE.fullmatch(text)
    if found is None:
        raise ParameterError(
            f"{where}: type a share with the size that it is of, for example 5 % of 2000."
        )
    share = SHARE.read_exact(found[1], where=f"{where}, share")
    typed_size = found[2].replace(",", "") if _THOUSANDS.fullmatch(found[2]) else found[2]
    value = share * SIZE.read_exact(typed_size, where=f"{where}, expected size") / 100
    if not HALF_WIDTH.least <= value <= HALF_WIDTH.most:
        size = "small" if value < HALF_WIDTH.least else "large"
        raise ParameterError(f"{where}: {text.strip()[:40]} is too {size}. Type another size.")
    return value


def _pair(text: str, where: str) -> tuple[str, str]:
    """The two texts between the brackets, if there are brackets."""
    shown = text.strip()
    if shown.startswith("(") and shown.endswith(")"):
        shown = shown[1:-1]
    parts = shown.split(";" if ";" in shown else ",")
    if len(parts) != 2:
        raise ParameterError(f"{where}: type ε and δ with a comma between, for example 1, 1e-7.")
    return parts[0], parts[1]
