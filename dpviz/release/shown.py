"""How a session shows itself in a notebook: its levels and what they cost, and no number of it.

Losses are those of one person who moves one number by 1; a session does not know its statistic. A
released number is not shown either, since a notebook is easily passed on.
"""

from collections.abc import Sequence
from html import escape

from dpviz.accounting.guarantees import Setting, guarantee_of
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE
from dpviz.noise.family import Process
from dpviz.parameters import USUAL_DELTA
from dpviz.queries import Sensitivity
from dpviz.words import budget, delta

ONE = Sensitivity.bounded(1)
UNKNOWN = "no bound"


def session_html(
    family: Process, levels: Sequence[float], *, sealed_at: float | None, mode: str
) -> str:
    """A table of the levels that a session holds, the sharpest last.

    Args:
        family: its noise.
        levels: that it holds.
        sealed_at: the level of its seal.
        mode: teaching or hardened.

    >>> from dpviz.noise import FAMILIES
    >>> text = session_html(FAMILIES["laplace"], [4.0], sealed_at=None, mode="teaching")
    >>> "<td>ε\u00a0=\u00a00.25</td>" in text, "not sealed" in text
    (True, True)
    """
    about = f"{family.label} noise, {mode} mode, "
    about += "not sealed" if sealed_at is None else f"sealed at {sealed_at:g}"
    if not levels:
        return f"<p>MultipleRelease: {escape(about)}. No release yet.</p>"
    rows = "".join(
        f"<tr><td>{level:g}</td><td>{escape(loss_words(family, level))}</td></tr>"
        for level in sorted(levels, reverse=True)
    )
    return (
        f"<p>MultipleRelease: {escape(about)}.</p><table><thead><tr>"
        f"<th>{escape(family.level_name)}</th><th>privacy loss, one person moving one number by 1"
        f"</th></tr></thead><tbody>{rows}</tbody></table>"
        "<p>Together they tell what the last one tells.</p>"
    )


def loss_words(family: Process, level: float) -> str:
    """The loss of one release, in the currency of its noise.

    >>> from dpviz.noise import FAMILIES
    >>> loss_words(FAMILIES["gaussian"], 4.0).replace("\u00a0", " ")
    'ρ = 0.125'
    """
    known = ADDITIVE.get(family.name)
    if known is None:
        return UNKNOWN
    setting = Setting(family=known, delta=USUAL_DELTA, sensitivity=ONE, dimension=1)
    try:
        found = guarantee_of(known)
        loss = found.loss(level, setting)
    except ParameterError:
        return UNKNOWN
    at = f" at δ = {delta(USUAL_DELTA)}" if found.with_delta else ""
    return f"{budget(found.letter, loss)}{at}"
