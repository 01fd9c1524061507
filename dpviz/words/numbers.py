"""How a number, a list and a stranger's name are written, in figures and in sentences.

Numbers carry as many digits as their accuracy deserves and no more; thousands are grouped, signs
and units stay on the line of their number (narrow no-break spaces), exponents are written as
people write them. `plain` is the gate that every name typed by a user passes before it enters a
figure: Plotly reads tags, entities, `%{…}` and `$…$` in any text.
"""

import math
import re
import unicodedata
from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction
from typing import SupportsFloat

from dpviz.parameters import power_of_ten
from dpviz.words.grammar import with_noun
from dpviz.words.names import visible

USUALLY = "usually exact"  # where ± would be 0
NARROW, NO_BREAK, MINUS = "\u202f", "\u00a0", "\u2212"
_BREAKS = re.compile(rf"[^\S{NARROW}{NO_BREAK}]+")  # runs of blanks, but for the no-break ones
_LONG = 9  # digits of a number that is written in full
_LARGE, _SMALL = 1e12, 1e-4  # beyond these a number is written as a × 10ⁿ
_FLOAT = Decimal(2) ** -40  # relative error of a few steps with floats
# Not &quot;: Plotly knows only mu, amp, lt, gt, nbsp, times, plusmn, deg and numbered entities.
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;"})


def fixed(x: float, decimals: int) -> str:
    """`x` with grouped thousands and this many decimals; never a minus before a zero.

    >>> fixed(-1234.56, 1), fixed(-0.0001, 2)
    ('−1,234.6', '0.00')
    """
    text = f"{abs(x):,.{decimals}f}"
    return MINUS + text if x < 0 and text.strip("0.") else text


def scientific(x: float, digits: int = 2) -> str:
    """`x` as a × 10ⁿ with this many significant digits, without trailing zeros.

    >>> scientific(1.234e-7), scientific(3e20), scientific(-1e-12)
    ('1.2×10⁻⁷', '3×10²⁰', '−10⁻¹²')
    """
    mantissa, exponent = f"{x:.{digits - 1}e}".split("e")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    power = power_of_ten(int(exponent))
    factor = mantissa.replace("-", MINUS)
    return factor[:-1] + power if factor.strip(MINUS) == "1" else f"{factor}×{power}"


def significant(x: SupportsFloat, digits: int = 3) -> str:
    """`x` with this many significant digits, without trailing zeros.

    >>> significant(1.4200001), significant(0.02), significant(12345.6), significant(2.5e-7)
    ('1.42', '0.02', '12,346', '2.5×10⁻⁷')
    """
    x = float(x)
    if not math.isfinite(x):
        return _endless(x)
    if x and not _SMALL <= abs(x) < _LARGE:
        return scientific(x, digits)
    text = fixed(x, _decimals_for(x, digits))
    return text.rstrip("0").rstrip(".") if "." in text else text


def aligned(values: Sequence[float]) -> list[str]:
    """Numbers below one another: as many decimals for all as one of them needs.

    >>> aligned([1.0, 1.42]), aligned([2e-6, 1.0])
    (['1.00', '1.42'], ['2×10⁻⁶', '1'])
    """
    texts = [significant(value) for value in values]
    if not all(map(math.isfinite, values)) or any(text[-1] in "⁰¹²³⁴⁵⁶⁷⁸⁹" for text in texts):
        return texts
    places = max((len(text.partition(".")[2]) for text in texts), default=0)
    return [fixed(value, places) for value in values]


def decimals(step: float) -> int:
    """Decimals of a number that is known to about ± `step`: two digits of `step`, none from 10 up.

    >>> decimals(294.0), decimals(3.2), decimals(0.042)
    (0, 1, 3)
    """
    return _decimals_for(step, 2) if math.isfinite(step) and step else 0


def _decimals_for(x: float, digits: int) -> int:
    return 0 if x == 0 else max(0, digits - 1 - math.floor(math.log10(abs(x))))


def number(x: float, *, step: float | None = None) -> str:
    """`x` as exact as its accuracy ± `step` deserves; alone, with at least two digits.

    >>> number(1793.27, step=294.0), number(3.14159, step=0.02), number(5.0), number(41.58)
    ('1,793', '3.142', '5', '42')
    >>> number(1.2e-7), number(1e15), number(float("nan"))
    ('1.2×10⁻⁷', '10¹⁵', '–')
    """
    x = float(x)
    if not math.isfinite(x):
        return _endless(x)
    known = abs(x) if step is None or not math.isfinite(step) or step <= 0 else step
    if abs(x) >= _LARGE or (x and max(known, abs(x)) < _SMALL):
        return scientific(x, min(max(2, 2 + _magnitude(x) - _magnitude(known)), 6))
    if x == int(x) and known >= 1:
        return fixed(x, 0)
    return fixed(x, min(decimals(known), 12))


def _magnitude(x: float) -> int:
    return math.floor(math.log10(abs(x)))


def _endless(x: float) -> str:
    return "–" if math.isnan(x) else "∞" if x > 0 else MINUS + "∞"


def d3(step: float) -> str:
    """The same rule as a format for Plotly's own number writing.

    >>> d3(294.0), d3(0.042), d3(2e-6)
    (',.0f', ',.3~f', '.3~g')
    """
    if 0 < step < _SMALL:
        return ".3~g"
    places = decimals(step)
    return f",.{places}~f" if places else ",.0f"


def rounded_up(x: float, digits: int = 2) -> float:
    """The least number that `x` may be written as without being made smaller.

    It has this many significant digits, or is whole where it has more before the point. What is
    above by the error of a float alone is not moved.

    >>> rounded_up(13.86), rounded_up(293.2), rounded_up(0.1 * 3), rounded_up(3.92), rounded_up(0.0)
    (14.0, 294.0, 0.3, 4.0, 0.0)
    """
    return _rounded(x, digits, ROUND_CEILING)


def rounded_down(x: float, digits: int = 2) -> float:
    """The greatest number that `x` may be written as without being made larger.

    >>> rounded_down(13.86), rounded_down(293.9), rounded_down(0.1 * 3)
    (13.0, 293.0, 0.3)
    """
    return _rounded(x, digits, ROUND_FLOOR)


def _rounded(x: float, digits: int, rounding: str) -> float:
    """`x` with this many significant digits; what is not a size stays as it is."""
    if not (math.isfinite(x) and x > 0):
        return x
    places = digits - 1 - _magnitude(x) if x >= _LARGE else _decimals_for(x, digits)
    return _at_places(x, places, rounding)


def _at_places(x: float, places: int, rounding: str) -> float:
    """`x` at this many decimals, rounded as said but for the error of a float."""
    with localcontext() as context:
        context.prec = 400  # of any float at any of its places
        exact, unit = Decimal(x), Decimal(1).scaleb(-places)
        nearest = exact.quantize(unit, ROUND_HALF_EVEN)
        if abs(nearest - exact) <= abs(exact) * _FLOAT:
            return float(nearest)
        return float(exact.quantize(unit, rounding))


def after(unit: str, *, aside: bool = False) -> str:
    """A unit after its number: "people", or "of “cost”" where all that is known is a column's name.

    Args:
        unit: such as "people", or a column's name in quotation marks.
        aside: in brackets instead, where another "of" follows.

    >>> after("people"), after("“cost”"), after("“cost”", aside=True)
    ('people', 'of “cost”', '(“cost”)')
    """
    if not unit.startswith("“"):
        return unit
    return f"({unit})" if aside else f"of {unit}"


def pm(half_width: float, digits: int = 2, unit: str = "") -> str:
    """An accuracy, as "±294 people", rounded up; a narrow no-break space keeps ± at its number.

    Rounded up, because what is said of it (19 times in 20) must hold for what is written. Never
    ±0, which would promise the exact number. With three digits or more zeros stay at the end.

    >>> pm(293.2).replace(NARROW, "_"), pm(13.21, 3, "people").replace(NARROW, "_"), pm(0.0)
    ('±_294', '±_13.3 people', 'usually exact')
    >>> pm(14.98, 3).replace(NARROW, "_"), pm(4.0, 3).replace(NARROW, "_")
    ('±_15.0', '±_4')
    """
    if half_width == 0:
        return USUALLY
    up = rounded_up(half_width, digits)
    text = number(up) if digits == 2 else significant(up, digits)
    if digits > 2 and not float(half_width).is_integer() and 1e-3 <= up < 1e6:
        text = fixed(up, _decimals_for(up, digits))
    return f"±{NARROW}{with_noun(text, unit)}"


def within(half_width: float, after: str = "") -> str:
    """How near a number is, in a sentence; `after` is what follows the ±, such as its unit.

    >>> within(293.2, "people").replace(NARROW, "_"), within(0.0, "people")
    ('within ±_294 people', 'usually exactly right, but never surely')
    """
    if half_width == 0:
        return "usually exactly right, but never surely"
    return f"within {pm(half_width, unit=after)}"


def to_within(half_width: float, after: str = "") -> str:
    """How near somebody sees a number, after the verb.

    >>> to_within(293.2, "people").replace(NARROW, "_"), to_within(0.0)
    ('to within ±_294 people', 'usually exactly right, but never surely')
    """
    return f"{'to ' * bool(half_width)}{within(half_width, after)}"


def between(low: float, high: float, word: str = "to") -> str:
    """An interval that is not a ± around its number, as exact as its width deserves.

    Its ends are rounded outwards, so that it holds as often as is said.

    >>> between(3.14159, 4.2), between(-20.0, 310.0), between(102.4, 141.6)
    ('3.14 to 4.20', '−20 to 310', '102 to 142')
    """
    return f" {word} ".join(outwards(low, high))


def outwards(low: float, high: float) -> tuple[str, str]:
    """Both ends of an interval, rounded as in `between`.

    >>> outwards(3.14159, 4.2)
    ('3.14', '4.20')
    """
    step = (high - low) / 2
    if math.isfinite(step) and step > 0:
        places = min(decimals(step), 12)
        low, high = _at_places(low, places, ROUND_FLOOR), _at_places(high, places, ROUND_CEILING)
    return number(low, step=step), number(high, step=step)


def percent(share: float) -> str:
    """A share as per cent: never rounded to a certainty that is not there.

    >>> [percent(p).replace(NARROW, " ") for p in (0.86, 0.95, 0.995, 0.99999, 0.0004, 1.0)]
    ['86 %', '95 %', '99.5 %', '99.999 %', '0.04 %', '100 %']
    """
    tail = 100 * min(share, 1 - share)
    if tail <= 0 or tail >= 1:
        return f"{significant(100 * share)}{NARROW}%"
    if share < 0.5:
        return f"{significant(tail, 2)}{NARROW}%"
    text = fixed(100 * share, min(_decimals_for(round(tail, 12), 1), 12))
    return f"{text}{NARROW}%"


def budget(letter: str, value: SupportsFloat) -> str:
    """A budget with its letter, as "ρ = 0.3"; no-break spaces keep it on one line.

    >>> budget("ρ", 0.3).replace(NO_BREAK, "_"), budget("ε", 1.06325).replace(NO_BREAK, "_")
    ('ρ_=_0.3', 'ε_=_1.064')
    """
    return f"{letter}{NO_BREAK}={NO_BREAK}{loss(value)}"


def loss(value: SupportsFloat) -> str:
    """A bound on the privacy loss with four digits, rounded up: it is a bound as it is written.

    >>> loss(0.5), loss(0.141421)
    ('0.5', '0.1415')
    """
    return significant(rounded_up(float(value), 4), 4)


def exactly(x: Fraction, *, up: bool) -> str:
    """An exact number in full if it is a short decimal; else four digits, rounded up or down.

    >>> exactly(Fraction(3, 10), up=True), exactly(Fraction(1, 3), up=True)
    ('0.3', '0.3334')
    >>> exactly(Fraction(123456, 1000), up=False), exactly(Fraction(0), up=True)
    ('123.456', '0')
    """
    with localcontext() as context:
        context.prec = _LONG
        context.rounding = ROUND_CEILING if up else ROUND_FLOOR
        number = Decimal(x.numerator) / Decimal(x.denominator)
        if Fraction(number) != x:
            context.prec = 4
            number = +number
    whole = Fraction(number)
    if whole and not Fraction(_SMALL) <= abs(whole) < Fraction(_LARGE):
        return scientific(float(number), _LONG)
    return f"{number.normalize():,f}"


def delta(value: float) -> str:
    """A δ as people type it.

    >>> delta(1e-6), delta(0.05), delta(2.5e-12)
    ('1e-6', '0.05', '2.5e-12')
    """
    return f"{value:g}".replace("e-0", "e-")


def loss_with_delta(letter: str, value: float, at: float) -> str:
    """A bound on the privacy loss, with its δ where it has one; rounded up, to stay a bound.

    >>> loss_with_delta("ε", 3.0, 1e-6).replace(NO_BREAK, " ")
    'ε = 3 at δ = 1e-6'
    >>> loss_with_delta("ρ", 0.123412, 0.0).replace(NO_BREAK, " ")
    'ρ = 0.1235'
    """
    return budget(letter, value) + at_delta(at)


def at_delta(value: float) -> str:
    """The δ at which a loss is stated, to follow it; empty without a δ.

    >>> at_delta(1e-6).replace(NO_BREAK, " "), at_delta(0.0)
    (' at δ = 1e-6', '')
    """
    return f" at δ{NO_BREAK}={NO_BREAK}{delta(value)}" if value else ""


def join(names: Sequence[str], most: int | None = None) -> str:
    """Names as in a sentence; of more than `most` the others are counted.

    >>> join(["public", "partners", "research"]), join(["audit"]), join([])
    ('public, partners and research', 'audit', '')
    >>> join(["a", "b", "c", "d"], most=2)
    'a, b and 2 more'
    """
    shown = list(names[:most])
    if len(shown) < len(names):
        shown.append(f"{len(names) - len(shown):,} more")
    *first, last = shown or [""]
    return f"{', '.join(first)} and {last}" if first else last


def capitalised(text: str) -> str:
    """The first letter large, the rest untouched.

    >>> capitalised("public and the FDA")
    'Public and the FDA'
    """
    return text[:1].upper() + text[1:]


def columns(text: str) -> int:
    """Width in letters: characters of East Asian scripts and emoji count twice.

    >>> columns("abc"), columns("公衆")
    (3, 4)
    """
    if text.isascii():
        return len(text)
    return sum(1 + (unicodedata.east_asian_width(c) in "WF") for c in text)


def one_line(text: object) -> str:
    """Visible text on one line, with single blanks; no-break blanks hold a number to its unit.

    >>> one_line(" a" + chr(10) + chr(9) + "b " + pm(3.0, unit="people")).replace(NARROW, "_")
    'a b ±_3 people'
    """
    return _BREAKS.sub(" ", visible(text)).strip()


def clean(text: object) -> str:
    """One line of visible text: hidden characters by their code, single blanks.

    >>> clean(" a" + chr(10) + chr(9) + "b" + chr(0x202E)), clean(chr(10))
    ('a b⟨U+202E⟩', '(no name)')
    """
    return one_line(text) or "(no name)"


def shorten(text: object, limit: int = 28) -> str:
    """Clean text of at most `limit` letters' width, cut with an ellipsis.

    >>> shorten("a very long name indeed", 10)
    'a very lo…'
    """
    line = clean(text)
    if columns(line) <= limit:
        return line
    while columns(line) > limit - 1:
        line = line[:-1]
    return line.rstrip() + "…"


def plain(text: object, limit: int = 60) -> str:
    """A name from outside, safe in any text, tick, hover or template of a figure.

    Cleaned, shortened, then escaped: tags, entities, `%{…}` and `$…$` show as they were typed.

    >>> plain("<b>x</b> %{y}")
    '&lt;b&gt;x&lt;/b&gt; &#37;{y}'
    """
    return shorten(text, limit).translate(_ENTITIES).replace("%{", "&#37;{")
