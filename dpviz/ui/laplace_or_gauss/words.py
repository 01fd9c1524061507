"""What the page Laplace or Gauss says: the verdict, how to read each picture, and the footer."""

import math
from collections.abc import Sequence

from dpviz.accounting.laplace_alike import MOST_MOVED
from dpviz.charts.axes import probability
from dpviz.planning.choice import LAPLACE, Choice
from dpviz.ui.laplace_or_gauss.controls import View
from dpviz.words import NO_BREAK, budget, rounded_down, significant
from dpviz.words.claims import Claim
from dpviz.words.markdown import literal
from dpviz.workspace.facts import DEFINITION_WORDS, SYMBOLS, Facts

NOTHING = "Type a query, and this line will say which noise is more exact for it."
HALF = math.log(0.5)  # beyond δ = 0.5 nothing is promised
LEAST = math.log(1e-300)  # of a δ as a float with all its digits


def point(view: View) -> str:
    """ε and δ of the query, as "ε = 1 and δ = 1e-6"."""
    q = view.question
    return f"{budget('ε', q.epsilon)} and δ{NO_BREAK}={NO_BREAK}{probability(q.log_delta)}"


def takeaway(view: View) -> str:
    """At which δ the verdict turns round, with ε held fixed."""
    return f"At {budget('ε', view.question.epsilon)}: {_change(view.choice)}"


def claims(view: View | None) -> tuple[Claim, ...]:
    """Why the numbers of the take-away are what they are."""
    if view is None:
        return ()
    c, found = view.choice, list(deviations(view))
    begin, end = c.gauss_between or (0.0, 0.0)
    if c.gauss_between is not None:
        found.append(_star(view, "from which on", begin))
    if begin < end < HALF:
        found.append(_star(view, "up to which", end))
    return tuple(found)


def deviations(view: View) -> tuple[Claim, Claim]:
    """How much of each noise the query needs."""
    c, at = view.choice, f"{point(view)}, one release"
    return (
        Claim(
            what="standard deviation of Laplace noise",
            value=c.laplace,
            unit=view.unit,
            fixed=at,
            method="its exact (ε, δ) curve (MATHEMATICS 9.1)"
            if c.exact
            else "its pure ε (MATHEMATICS 3.1)",
            kind="exact" if c.exact else "at most",
        ),
        Claim(
            what="standard deviation of Gaussian noise",
            value=c.gaussian,
            unit=view.unit,
            fixed=at,
            method="the exact curve of Gaussian noise (MATHEMATICS 3.3)",
        ),
    )


def _star(view: View, which: str, log_delta: float) -> Claim:
    """Where the verdict turns; a δ* that no float holds by its logarithm."""
    tiny = log_delta < LEAST
    return Claim(
        what=f"the {'log₁₀ of the ' if tiny else ''}δ* {which} Gaussian noise is the smaller one",
        value=log_delta / math.log(10) if tiny else math.exp(log_delta),
        fixed=budget("ε", view.question.epsilon) + ", equal variances",
        method="both curves set equal (MATHEMATICS 9.1)",
        assumes=""
        if view.choice.exact
        else "Laplace noise is counted by its pure ε; as it may "
        "use δ, it can be the smaller one beyond",
        kind="exact" if view.choice.exact else "at least",
    )


def _change(c: Choice) -> str:
    """Where the verdict turns round."""
    if c.gauss_between is None:
        return "Laplace noise is smaller at every δ up to 0.5."
    begin, end = (literal(probability(_below(x, c))) for x in c.gauss_between)
    star = f"δ*{NO_BREAK}={NO_BREAK}{begin}".replace("*", r"\*")
    if c.gauss_between[1] < HALF:
        if c.better == LAPLACE:
            return f"only between {star} and {end} is Gaussian noise smaller."
        return f"only below {star} and above {end} is Laplace noise smaller."
    if c.better == LAPLACE:
        return f"only above {star} is Gaussian noise smaller."
    return f"only below {star} is Laplace noise smaller."


def _below(log_delta: float, c: Choice) -> float:
    """Where Laplace noise is counted by a bound, so is its δ*: written no larger than it is."""
    if c.exact or log_delta < LEAST:
        return log_delta
    return math.log(rounded_down(math.exp(log_delta)))


def star_of(between: tuple[float, float] | None) -> str:
    """The δ* of a table.

    >>> star_of(None), star_of((math.log(0.01), math.log(0.5)))
    ('none up to 0.5', '0.01')
    >>> star_of((math.log(0.31), math.log(0.46)))
    '0.31 to 0.46'
    """
    if between is None:
        return "none up to 0.5"
    begin, end = between
    return probability(begin) + (f" to {probability(end)}" if end < HALF else "")


def map_reading(view: View) -> str:
    """What to notice in the map."""
    text = "Deep colour: one variance is at least four times the other. "
    if _has_border(view):
        text = "Thick line: equal variance; deep colour: one is at least four times the other. "
    per = view.nouns.one
    if (most := view.choice.moved_up_to) >= 1:
        groups = f"{most:,} group" + ("" if most == 1 else "s")
        return f"{text}At {point(view)} Laplace noise is smaller up to {groups} per {per}."
    return f"{text}At {point(view)} Gaussian noise is smaller even for one group per {per}."


def _has_border(view: View) -> bool:
    """Whether the exact curves of both kinds are known, and so the line of equal variance."""
    return view.choice.exact or view.axis == "moved"


def map_lines(view: View) -> str:
    """The other lines of the map, one by one; Markdown."""
    lines = [
        "Long dashes: the paper’s line, with Laplace noise that keeps ε without any δ.",
        "Thick line: both kinds by their exact curves at δ."
        if _has_border(view)
        else "Laplace noise is counted by its pure ε: its exact curve is not known here.",
    ]
    if view.question.epsilon <= 1 or view.axis == "epsilon":
        lines.append(
            "Dashed: the same line by the classical Gaussian formula, which asks for more noise "
            "than is needed (and proves nothing above ε = 1), so it flatters Laplace."
        )
    if view.axis == "moved" or view.choice.switch < HALF:
        lines.append("Dotted: right of it the ℓ2 Laplace mechanism needs less than pure Laplace.")
    if view.axis == "moved":
        lines.append(
            f"With d = {view.dimension:,} numbers one {view.nouns.one} moves at most d groups; "
            f"above "
            f"{MOST_MOVED:,} Laplace noise is counted by its pure ε."
        )
    if view.own and view.axis == "epsilon":
        lines.append("Small symbols: your tiers, at the plan’s δ.")
    return bullets(lines)


def bullets(lines: Sequence[str]) -> str:
    """A list in Markdown."""
    return "\n".join(f"- {line}" for line in lines)


def map_alt(view: View) -> str:
    """The map in words."""
    up = "ε" if view.axis == "epsilon" else "groups moved"
    return (
        f"Map, δ to the right, {up} upwards: Laplace noise is more exact on the left, Gaussian "
        f"on the right. Your query is on the side of {view.choice.better.label}; "
        f"δ*: {star_of(view.choice.gauss_between)}."
    )


def noise_reading(view: View) -> str:
    """What the four lines say at the query's δ."""
    c = view.choice
    text = (
        f"At δ = {probability(view.question.log_delta)} (dotted): "
        + (f"Laplace {significant(c.laplace)}, " if c.exact else "")
        + f"pure Laplace {significant(c.laplace_pure)}, Gaussian {significant(c.gaussian)}, "
        f"ℓ2 Laplace {significant(c.laplace_l2)}"
    )
    if c.gaussian_classical is not None:
        text += f", Gaussian by the classical formula {significant(c.gaussian_classical)}"
    text += f" {literal(view.unit)}. Pure Laplace noise keeps ε with no δ: its line is flat. "
    if c.switch < HALF:
        text += (
            f"The ℓ2 Laplace mechanism falls below it at δ = {probability(c.switch)}, and is "
            "never below Gaussian noise."
        )
    else:
        text += "The ℓ2 Laplace mechanism needs more at every δ up to 0.5."
    return text


def facts(view: View | None, footer: Facts) -> Facts:
    """The footer's fields for this page: two kinds of noise are compared in (ε, δ)."""
    named = dict(footer) | {"Definition": DEFINITION_WORDS["(ε, δ)-DP"]}
    if view is not None:
        q = view.question
        named[SYMBOLS] = f"Δ₁ = {significant(q.l1, 4)}, Δ₂ = {significant(q.l2, 4)} {view.unit}"
        one = view.nouns.one
        unit = "" if view.noun == view.nouns.many else view.unit
        far = f"{significant(q.l1, 4)} {unit}".rstrip()
        named["Sensitivity"] = f"one {one} moves the numbers, added up, by at most {far}"
    if view is not None and not view.own:
        named |= _TOWN if view.town else _TYPED
    return tuple(named.items())


_TYPED = {
    "Unit": "the person or group that Δ₁ and Δ₂ were typed for",
    "Neighbours": "two tables whose numbers differ by at most Δ₁ and Δ₂",
    "Data": "none: a typed query",
}
_TOWN = {
    "Unit": "one person of the town",
    "Neighbours": "the town with and without one person",
    "Data": "none: a made-up town",
}
