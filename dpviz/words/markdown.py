"""Text that people typed, made safe for places that render Markdown."""

import re

from dpviz.words.names import visible

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&])")


_ALIVE = re.compile(r"(?i)(?<=h)(?=ttps?:)|(?<=w)(?=ww\.)|(?=@)|(?<=:)(?=material/|streamlit:)")
_JOINER = "\u2060"  # invisible: nothing becomes a link or an icon by itself, escaped or not


SPOKEN = 250  # letters of a text for those who do not see a picture


def spoken(text: str) -> str:
    """Whole sentences from the beginning of a text, about as long as one listens, without Markdown.

    >>> spoken("Two hills. " + 300 * "x" + ".")
    'Two hills.'
    """
    flat = text.replace("\\", "").replace(_JOINER, "")
    first, *others = re.split(r"(?<=[.!?]) ", flat)
    for sentence in others:
        if len(first) + 1 + len(sentence) > SPOKEN:
            break
        first = f"{first} {sentence}"
    return first


def literal(text: object) -> str:
    r"""User text that Markdown shows as it is; hidden characters by their code.

    >>> print(literal("![](x.png)"))
    \!\[\]\(x\.png\)
    """
    flat = _ALIVE.sub(_JOINER, " ".join(visible(text).split()))
    return _MARKDOWN.sub(r"\\\1", flat)
