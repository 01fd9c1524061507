"""A number that a page states, and why it is true.

A sentence is made from numbers; each comes with its claim: what it is, in which unit, what is held
fixed, by which theorem or method it was found, under which assumptions, and whether it is exact, a
bound or simulated. The page shows it in its drawer, and a test computes the number again by
another way. `say` makes sentences whose numbers cannot part from their claims.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Literal

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.words.grammar import with_noun
from dpviz.words.markdown import literal
from dpviz.words.numbers import capitalised, percent, pm, rounded_down, rounded_up, significant

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

    @property
    def values(self) -> tuple[float, ...]:
        """The numbers of the sentence, as they were computed."""
        return tuple(claim.value for claim in self.claims)


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it stands in a sentence, Markdown-safe, with its claim."""

    text: str
    claim: Claim


@dataclass(frozen=True, slots=True)
class Name:
    """What a stranger called something; it may have digits, which are no numbers of ours."""

    text: str


def plus_minus(claim: Claim, *, unit: bool = True, digits: int = 2) -> Number:
    """An accuracy, rounded up, in its unit or, where that has been said, without it.

    >>> half = Claim(what="half width", value=4.386, unit="people", fixed="95 %", method="quantile")
    >>> plus_minus(half).text.replace(chr(0x202F), " ")
    '± 4.4 people'
    """
    return Number(pm(claim.value, digits, literal(claim.unit) if unit else ""), claim)


def times(claim: Claim, digits: int = 2) -> Number:
    """How many times as large something is; what holds "at most" is rounded up.

    >>> many = Claim(what="of the noise", value=1.7321, fixed="ρ = 0.4", method="a part")
    >>> times(many).text, times(many, 3).text
    ('1.7', '1.73')
    """
    up = rounded_up(claim.value, digits) if claim.kind == "at most" else claim.value
    return Number(significant(up, digits), claim)


def share(
    part: float, *, what: str, fixed: str, method: str, assumes: str = "", kind: Kind = "exact"
) -> Number:
    """A share in per cent, with its claim; a bound is rounded to its own side.

    >>> half = share(0.123456, what="chance", fixed="one draw", method="counted", kind="at most")
    >>> half.text.replace(chr(0x202F), " "), half.claim.unit
    ('12.4 %', '%')
    """
    claim = Claim(
        what=what,
        value=100 * part,
        unit="%",
        fixed=fixed,
        method=method,
        assumes=assumes,
        kind=kind,
    )
    if kind in ("at most", "at least"):
        part = (rounded_up if kind == "at most" else rounded_down)(part, 3)
    return Number(percent(part), claim)


def joined(parts: Sequence[Said], by: str = " ") -> Said:
    """Several sentences as one, with the claims of all.

    >>> joined([Said("Yes."), Said("No.")]).text
    'Yes. No.'
    """
    claims = tuple(dict.fromkeys(claim for part in parts for claim in part.claims))
    return Said(by.join(part.text for part in parts), claims)


def say(template: str, **parts: Number | Name | Said | str) -> Said:
    """Make a sentence of its words and numbers, with the claims of all numbers in it.

    Args:
        template: the sentence, with the name of each part in braces.
        parts: numbers with their claims, names from outside, sentences within, or words.

    Raises:
        ParameterError: a number without a claim, a name without a part, or a part without a place.

    >>> half = Claim(what="half width", value=4.386, unit="people", fixed="95 %", method="quantile")
    >>> made = say("{who}’s numbers are within {far}.", who=Name("audit"), far=plus_minus(half))
    >>> made.text.replace(chr(0x202F), " "), made.values
    ('audit’s numbers are within ± 4.4 people.', (4.386,))
    >>> say("They are within 5 people.")
    Traceback (most recent call last):
    dpviz.errors.ParameterError: “They are within 5 people.” has a number: pass it with its claim
    """
    places = [name for _, name, _, _ in Formatter().parse(template) if name is not None]
    if sorted(set(places)) != sorted(parts):
        raise ParameterError(f"the sentence has the places {places}: pass a part for each, no more")
    for words in (Formatter().vformat(template, (), dict.fromkeys(parts, "")), *parts.values()):
        if not isinstance(words, Number | Name | Said) and _has_number(words):
            raise ParameterError(f"“{words}” has a number: pass it with its claim")
    claims: list[Claim] = []
    for name in places:
        part = parts[name]
        claims += part.claims if isinstance(part, Said) else ()
        claims += [part.claim] if isinstance(part, Number) else []
    text = template.format(**{name: _written(part) for name, part in parts.items()})
    return Said(text, tuple(dict.fromkeys(claims)))


def _has_number(words: object) -> bool:
    return not isinstance(words, str) or any(map(str.isnumeric, words))


def _written(part: Number | Name | Said | str) -> str:
    if isinstance(part, str):
        return part
    return literal(part.text) if isinstance(part, Name) else part.text
