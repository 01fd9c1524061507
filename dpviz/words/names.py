"""Names from outside: every character shown, and names compared by how they look.

A name may hold characters that nobody sees, that turn the direction of writing, or that look like
others. `visible` writes these by their code, for screens, files and reports; `looks` says which
names a reader would take for the same. The look-alikes are the Greek, Cyrillic and Latin letters
that the Unicode Standard's table of confusables [UTS39] gives for Latin ones.
Limits: other scripts stay as they are, and so does a whole word of Greek or Cyrillic letters.
[UTS39] Unicode Technical Standard #39, Unicode Security Mechanisms, confusables.txt.
"""

import re
import unicodedata

# Characters that print as nothing or as a blank although their class is that of letters and marks.
_EMPTY = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)
_SURE = re.compile(r"[ -~±×·≤≥≈–—…“”‘’\u00a0\u202f]*")  # all have a picture; no look-alikes
_GREEK = {"ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ": "ABEZHIKMNOPTYX", "αγινορσυ": "ayivopou"}
_CYRILLIC = {
    "АВЕКМНОРСТУХЅІЈЬӀҮԌԜѴ": "ABEKMHOPCTYXSIJbIYGWV",
    "агеорсухѕіјһҽӏүѡѵԁԛԝ": "areopcyxsijheiywvdqw",
}
_LATIN = {"ıɩɑɡǀ": "iiagl", "‐‑‒–−": "-----", "’‘ʼ": "'''", "01|": "oll"}
_FOREIGN = {**_GREEK, **_CYRILLIC}
_TABLE = {
    ord(other): letter
    for others, letters in {**_FOREIGN, **_LATIN}.items()
    for other, letter in zip(others, letters, strict=True)
}
_LOOK_ALIKES = frozenset("".join(_FOREIGN))
_SHORT = 40  # characters of a name in a sentence
_WORD = re.compile(r"[^\W\d_]+")
_PLAIN_LETTER = re.compile("[A-Za-z]")


def visible(text: object) -> str:
    r"""Text in which every character is visible: a hidden one is shown by its code.

    By code are written: characters without a picture, characters that turn the direction of
    writing, and Greek or Cyrillic letters that look like Latin ones in a word that has both.
    A line break becomes a blank.

    >>> visible("a\u202eb\n"), visible("p\u0430y"), visible("рядом, ρ = 1")
    ('a⟨U+202E⟩b ', 'p⟨U+0430⟩y', 'рядом, ρ = 1')
    """
    line = str(text)
    if _SURE.fullmatch(line):  # most text, told fast
        return line
    mixed = _WORD.sub(lambda word: _unmixed(word[0]), line)
    return "".join(c if _seen(c) else " " if c.isspace() else code(c) for c in mixed)


def code(character: str) -> str:
    r"""A character by its number in Unicode.

    >>> code("\u200b")
    '⟨U+200B⟩'
    """
    return f"⟨U+{ord(character):04X}⟩"


def looks(name: str) -> tuple[str, str]:
    r"""What a name looks like, in two ways; names that share either look alike.

    The first makes no difference between capitals and small letters, the second none between a
    large I and a small l.

    >>> looks("P\u0430rtners\u200b")[0] == looks("partners")[0]
    True
    >>> looks("pubIic")[1] == looks("public")[1]
    True
    """
    bare = "".join(c for c in unicodedata.normalize("NFKD", name) if _seen(c) or c.isspace())
    latin = " ".join(bare.translate(_TABLE).split())
    return _joined(latin.casefold()), _joined(latin.replace("I", "l"))


def _joined(latin: str) -> str:
    """Pairs of letters that look like one."""
    return latin.replace("rn", "m").replace("vv", "w")


def _unmixed(word: str) -> str:
    """A word of Latin letters whose look-alikes are written by their code; others stay."""
    if not _PLAIN_LETTER.search(word):
        return word
    return "".join(code(c) if c in _LOOK_ALIKES else c for c in word)


def _seen(character: str) -> bool:
    """Whether a character has a picture, or is a blank that breaks no line."""
    if character.isprintable():
        return not _EMPTY.match(character)
    return unicodedata.category(character) == "Zs"


def quoted(name: object) -> str:
    """A name for a sentence: in quotation marks, all of it to be seen, at most 40 characters.

    >>> quoted("education")
    '“education”'
    >>> len(quoted("x" * 1000))
    42
    """
    text = visible(name)
    return f"“{text}”" if len(text) <= _SHORT else f"“{text[: _SHORT - 1]}…”"
