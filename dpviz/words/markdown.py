"""Text that people typed, made safe for places that render Markdown."""

import re

from dpviz.words.numbers import one_line

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&])")
_ALIVE = re.compile(r"(?i)(?<=h)(?=ttps?:)|(?<=w)(?=ww\.)|(?=@)|(?<=:)(?=material/|streamlit:)")
_JOINER = "\u2060"  # invisible: nothing becomes a link or an icon by itself, escaped or not


def literal(text: object) -> str:
    r"""User text that Markdown shows as it is; hidden characters by their code.

    >>> print(literal("![](x.png)"))
    \!\[\]\(x\.png\)
    """
    return _MARKDOWN.sub(r"\\\1", _ALIVE.sub(_JOINER, one_line(text)))


def unbroken(text: str) -> str:
    r"""User text as `literal` gives it, which no line ends within at a hyphen.

    >>> plain_text(unbroken("free-prizes")), len(unbroken("a-b"))
    ('free-prizes', 5)
    """
    return literal(text).replace("-", f"-{_JOINER}")


def plain_text(sentence: str) -> str:
    """A sentence without what keeps it literal in Markdown.

    >>> plain_text(literal("www.a.b is 1.5"))
    'www.a.b is 1.5'
    """
    return sentence.replace("\\", "").replace(_JOINER, "")
