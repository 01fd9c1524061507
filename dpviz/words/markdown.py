"""Text that people typed, made safe for places that render Markdown."""

import re

from dpviz.words.names import visible

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&])")


_ALIVE = re.compile(r"(?i)(?<=h)(?=ttps?:)|(?<=w)(?=ww\.)|(?=@)|(?<=:)(?=material/|streamlit:)")
_JOINER = "\u2060"  # invisible: nothing becomes a link or an icon by itself, escaped or not


def literal(text: object) -> str:
    r"""User text that Markdown shows as it is; hidden characters by their code.

    >>> print(literal("![](x.png)"))
    \!\[\]\(x\.png\)
    """
    flat = _ALIVE.sub(_JOINER, " ".join(visible(text).split()))
    return _MARKDOWN.sub(r"\\\1", flat)
