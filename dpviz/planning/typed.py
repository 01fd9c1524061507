"""Numbers and days that people type into text fields: read exactly, refused with one sentence."""

import math
import re

from dpviz.errors import ParameterError
from dpviz.parameters import plain, round_number


class NothingTyped(ParameterError):
    """A field is still empty: the sentence says what to type, and nothing is wrong."""


LARGEST = 1e15  # beyond it a double skips whole numbers
_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}(,[0-9]{3})+")


def number(text: str, *, where: str, example: str = "100") -> float:
    """Read a finite number, of either sign.

    Raises:
        ParameterError: one sentence with what to type instead.

    >>> number(" -2.5 ", where="Lower bound")
    -2.5
    """
    shown = text.strip()
    try:
        value = float(shown) if plain(shown) else math.nan
    except ValueError:
        value = math.nan
    if not math.isfinite(value) and re.fullmatch(r"-?[0-9]+,[0-9]+", shown):
        pointed = shown.replace(",", ".")
        raise ParameterError(
            f"{where}: “{shown[:20]}” is not a number. Type {pointed}, with a point."
        )
    if not math.isfinite(value):
        raise ParameterError(
            f"{where}: “{shown[:20]}” is not a finite number. Type one, for example {example}."
        )
    if abs(value) > LARGEST:
        raise ParameterError(
            f"{where}: {shown[:20]} is too large. Type at most {round_number(LARGEST)}."
        )
    return value


def awaited(text: str, *, where: str, example: str) -> float:
    """Read a finite number from a field that begins empty.

    Raises:
        NothingTyped: it is empty still.
        ParameterError: one sentence with what to type instead.

    >>> awaited("7", where="Lower bound", example="0")
    7.0
    """
    if not text.strip():
        raise NothingTyped(f"{where}: nothing is typed. Type a number, for example {example}.")
    return number(text, where=where, example=example)


def numbers(text: str, *, where: str, example: str) -> tuple[float, ...]:
    r"""Read numbers set apart by spaces, commas, semicolons or lines.

    Raises:
        NothingTyped: the field is empty.
        ParameterError: one sentence with what to type instead.

    >>> numbers("0, 10; 20\n30", where="Edges", example="0, 10")
    (0.0, 10.0, 20.0, 30.0)
    """
    pieces = [piece for piece in re.split(r"[\s,;]+", text) if piece]
    if not pieces:
        raise NothingTyped(f"{where}: nothing is typed. Type numbers, for example {example}.")
    return tuple(number(piece, where=where, example=example) for piece in pieces)


def whole(text: str, *, where: str, least: int, most: int) -> int:
    """Read a whole number between two limits; commas may set its thousands apart.

    Raises:
        ParameterError: one sentence with what to type instead.

    >>> whole("2", where="Groups per person", least=1, most=5)
    2
    >>> whole("1,000", where="Groups per person", least=1, most=5000)
    1000
    """
    shown = text.strip()
    grouped = _THOUSANDS.fullmatch(shown) is not None  # and 0,5 is not
    try:
        value = int(shown.replace(",", "") if grouped else shown) if plain(shown) else least - 1
    except ValueError:
        value = least - 1
    if not least <= value <= most:
        raise ParameterError(
            f"{where}: “{shown[:20]}” cannot be used. "
            f"Type a whole number from {least:,} to {most:,}."
        )
    return value


def first_day(text: str) -> str:
    """A typed day; of a year or a month alone its first day. What is neither stays as it is.

    >>> first_day("2025"), first_day(" 2025-04 "), first_day("2025-04-30")
    ('2025-01-01', '2025-04-01', '2025-04-30')
    """
    shown = text.strip()
    if re.fullmatch(r"[0-9]{4}", shown):
        return f"{shown}-01-01"
    return f"{shown}-01" if re.fullmatch(r"[0-9]{4}-[0-9]{2}", shown) else shown
