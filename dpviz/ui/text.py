"""Text that people typed, made safe for places that render Markdown."""

import re

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&])")


_LINKS = re.compile(r"(?i)(?<=h)(?=ttps?:)|(?<=w)(?=ww\.)|(?=@)")
_JOINER = "\u2060"  # invisible, and no part of an address: nothing becomes a link by itself


def literal(text: object) -> str:
    r"""User text that Markdown shows as it is.

    >>> print(literal("![](x.png)"))
    \!\[\]\(x\.png\)
    """
    flat = _LINKS.sub(_JOINER, " ".join(str(text).split()))
    return _MARKDOWN.sub(r"\\\1", flat)
