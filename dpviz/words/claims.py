"""A number that a page states, and why it is true.

A sentence is made from numbers; each comes with its claim: what it is, in which unit, what is held
fixed, by which theorem or method it was found, under which assumptions, and whether it is exact, a
bound or simulated. The page shows it beside the sentence ("why?"), and a test computes the number
again by another way.
"""

import math
from dataclasses import dataclass
from typing import Literal

from dpviz import checks
from dpviz.words.grammar import with_noun
from dpviz.words.markdown import literal
from dpviz.words.numbers import capitalised, rounded_down, rounded_up, significant

Kind = Literal["exact", "at most", "at least", "simulated"]
DIGITS, EXACT_DIGITS = 4, 6  # an exact number is shown with more digits than its sentence has
KINDS: tuple[Kind, ...] = ("exact", "at most", "at least", "simulated")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One number of a sentence, with its reason.

    Attributes:
        what: the number in words, such as "half width of public".
        value: the number, as it was computed, before it is rounded for the page.
        unit: after the number, such as "people"; "" for a bare number.
        fixed: what is held fixed, such as "95 % confidence, ρ = 0.002".
        method: the theorem or formula, with its source.
        assumes: what must hold for it to be true; "" if nothing beyond the footer of the page.
        kind: "exact" up to rounding; a bound, "at most" or "at least"; or "simulated".

    Raises:
        ParameterError: the value is not a number, or the kind is unknown.

    >>> half = Claim(
    ...     what="half width of public", value=31.0, unit="people", fixed="95 % confidence",
    ...     method="quantile of Gaussian noise (MATHEMATICS 4.1)",
    ... )
    >>> half.stated
    'Half width of public: 31 people, exact.'
    >>> half.reason
    'Held fixed: 95 % confidence. Found by: quantile of Gaussian noise (MATHEMATICS 4.1).'
    """

    what: str
    value: float
    unit: str = ""
    fixed: str
    method: str
    assumes: str = ""
    kind: Kind = "exact"

    def __post_init__(self) -> None:
        checks.between(-math.inf, math.inf, value=self.value)
        checks.one_of(KINDS, kind=self.kind)

    @property
    def stated(self) -> str:
        """The number and how true it is: exact, a bound, or simulated."""
        bound = self.kind in ("at most", "at least")
        shown, digits = self.value, EXACT_DIGITS if self.kind == "exact" else DIGITS
        if bound:  # still a bound as it is written
            shown = (rounded_up if self.kind == "at most" else rounded_down)(shown, digits)
        value = with_noun(significant(shown, digits), self.unit)
        return f"{capitalised(self.what)}: " + (
            f"{self.kind} {value}." if bound else f"{value}, {self.kind}."
        )

    @property
    def reason(self) -> str:
        """What is held fixed, by which method it was found, and what that assumes."""
        assumes = f" It assumes that {self.assumes}." if self.assumes else ""
        return f"Held fixed: {self.fixed.rstrip('.')}. Found by: {self.method}.{assumes}"


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence for a page, Markdown-safe, with the claims behind its numbers.

    >>> Said("Nothing is released yet.").why
    ''
    """

    text: str
    claims: tuple[Claim, ...] = ()

    @property
    def why(self) -> str:
        """All claims, a paragraph each, safe for Markdown; the claims themselves are plain text."""
        return "\n\n".join(
            f"**{literal(claim.stated)}** {literal(claim.reason)}" for claim in self.claims
        )
