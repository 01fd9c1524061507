"""Lists of groups as people type them, and as they bring them in a file.

A line or a comma sets groups apart; a value in quotation marks keeps its comma. After an equals
sign with blanks around it stands what the group is called where it is shown:

    0 = men
    1 = women
    "Washington, DC"

Limits: the list is read as text; whether a group is in the data is never looked at.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.data import quoted
from dpviz.data.text import text_of
from dpviz.errors import DataError, ParameterError

MOST_BYTES = 1 << 20  # of a file: more than the longest list needs, as a rule
_QUOTED = re.compile(r'"((?:[^"]|"")+)"\s*(?=,|$|=\s)')
_EQUALS = re.compile(r"\s*=\s")
_ENDS = re.compile(r",|\s=\s|(?<![^,\s])=\s|$")  # of a group
_COMMA = re.compile(r",|$")  # ends a name, which may have an equals sign


@dataclass(frozen=True, slots=True)
class GroupList:
    """What was typed.

    Attributes:
        groups: in the order of the list, as they are compared with the data.
        names: what each is called where it is shown; empty if none has another name.
        caution: how the first line that was cut at commas was read; empty if none was.
    """

    groups: tuple[str, ...]
    names: tuple[str, ...] = ()
    caution: str = ""


def read_groups(text: str) -> GroupList:
    r"""Read a typed list of groups.

    Args:
        text: groups set apart by lines or commas, each perhaps with " = " and a name.

    Raises:
        ParameterError: if a name has no group.

    >>> read_groups('0 = men\n1 = women').names
    ('men', 'women')
    >>> read_groups('A, B\n"Washington, DC"').groups
    ('A', 'B', 'Washington, DC')
    >>> read_groups("0, 1").caution
    'Line 1 is read as 2 groups, “0” and “1”. If it is one group, type it in quotation marks.'
    """
    pairs: list[tuple[str, str]] = []
    caution = ""
    for number, line in enumerate(text.splitlines(), start=1):
        found = [pair for pair in _entries(line.strip()) if any(pair)]
        for group, _ in found:
            if not group:
                raise ParameterError(
                    f"Line {number} of the groups has a name without a group. Type the group as "
                    "it is in the data, then the name, for example 0 = men."
                )
        pairs += found
        if len(found) > 1 and not caution and not any(name for _, name in found):
            caution = _caution(number, [group for group, _ in found])
    named = any(name for _, name in pairs)
    names = tuple(name or group for group, name in pairs) if named else ()
    return GroupList(tuple(group for group, _ in pairs), names, caution)


def written_groups(groups: Sequence[str], names: Sequence[str] = ()) -> str:
    r"""A list of groups as somebody would type it, one per line.

    >>> print(written_groups(("0", "a, b"), ("men", "a, b")))
    0 = men
    "a, b"
    """
    called = names or groups
    pairs = zip(groups, called, strict=True)
    return "\n".join(_typed(g) + (f" = {_typed(n)}" if n != g else "") for g, n in pairs)


def moved(text: str, place: int, by: int) -> str:
    r"""A typed list with one of its groups farther up or down.

    Args:
        text: the list.
        place: which group, from 0.
        by: how many places down; negative: up. It stops at the ends.

    >>> moved("a\nb\nc", 2, -1)
    'a\nc\nb'
    """
    found = read_groups(text)
    order = list(range(len(found.groups)))
    if not 0 <= place < len(order):
        return text
    order.insert(max(0, min(place + by, len(order))), order.pop(place))
    names = [found.names[i] for i in order] if found.names else ()
    return written_groups([found.groups[i] for i in order], names)


def groups_in_file(content: bytes) -> tuple[str, ...]:
    r"""The groups in a text file: one per line, with its commas; each once.

    Args:
        content: the bytes, in UTF-8, UTF-16 or Windows-1252.

    Raises:
        ParameterError: one sentence: why it is no list, and what to bring instead.

    >>> groups_in_file(b"A\nWashington, DC\n\n\"B\"\n")
    ('A', 'Washington, DC', 'B')
    """
    if len(content) > MOST_BYTES:
        raise ParameterError(
            "The file with the groups is larger than 1 MB. Bring a text file with one group per "
            "line."
        )
    try:
        text = text_of(content)[0].decode()
    except DataError:
        raise ParameterError(
            "The file with the groups is no text, or is empty. Bring a text file with one group "
            "per line, not a workbook."
        ) from None
    lines = [line.strip() for line in text.splitlines()]
    whole = [_QUOTED.fullmatch(line) for line in lines]
    found = [
        each[1].replace('""', '"') if each else line
        for each, line in zip(whole, lines, strict=True)
    ]
    return tuple(dict.fromkeys(group for group in found if group))


def _caution(line: int, groups: Sequence[str]) -> str:
    first = f"{quoted(groups[0])} and {quoted(groups[1])}"
    listed = first if len(groups) == 2 else f"the first {first}"
    return (
        f"Line {line} is read as {len(groups):,} groups, {listed}. If it is one group, type it in "
        "quotation marks."
    )


def _entries(line: str) -> list[tuple[str, str]]:
    """The groups of a line with their names, each "" if it has no other name."""
    found, at = [], 0
    while at <= len(line):
        group, at = _part(line, at, _ENDS)
        name = ""
        if (equals := _EQUALS.match(line, at)) is not None:
            name, at = _part(line, equals.end(), _COMMA)
        found.append((group, name))
        at += 1
    return found


def _part(line: str, at: int, ends: re.Pattern[str]) -> tuple[str, int]:
    """One text, and where it ends."""
    while at < len(line) and line[at].isspace():
        at += 1
    if (inside := _QUOTED.match(line, at)) is not None:
        return inside[1].replace('""', '"').strip(), inside.end()
    end = ends.search(line, at)
    stop = len(line) if end is None else end.start()
    return line[at:stop].strip(), stop


def _typed(text: str) -> str:
    """A text as it is typed: in quotation marks if something in it would part it."""
    plain = "," not in text and not re.search(r"\s=\s|^=|^\"|\s=$", text)
    return text if plain else '"' + text.replace('"', '""') + '"'
