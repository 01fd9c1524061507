"""Text that people typed, made safe for places that render Markdown."""

import re

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&])")


def literal(text: object) -> str:
    r"""User text that Markdown shows as it is.

    >>> print(literal("![](http://host/x.png)"))
    \!\[\]\(http\://host/x\.png\)
    """
    flat = " ".join(str(text).split())
    return _MARKDOWN.sub(r"\\\1", flat)
