"""Sentences of the Bridge paths page and the claims behind them: pure functions, each tested."""

import math

import numpy as np

from dpviz.accounting.guarantees import guarantee_of
from dpviz.charts.bridge.frame import ENDS, MIDDLE, QUANTILES, Pin
from dpviz.noise.bridge_law import ReleaseLaw
from dpviz.parameters import exact
from dpviz.planning.budgets import ACCURACY_CONFIDENCE, usual_half_width
from dpviz.planning.cast import COUNCIL, ILL, PEOPLE, PUBLIC
from dpviz.ui.bridge_paths.controls import Asked
from dpviz.ui.bridge_paths.scenes import Scene
from dpviz.words import (
    NO_BREAK,
    after,
    between,
    capitalised,
    number,
    percent,
    pm,
    significant,
    within,
)
from dpviz.words.claims import Claim
from dpviz.words.markdown import literal
from dpviz.workspace.composition import ANY, GAUSS, WITH_DELTA, Part
from dpviz.workspace.facts import Facts, footer
from dpviz.workspace.guesses import right_of
from dpviz.workspace.takeaways import distance_claim

NOTHING_HELD = "Nothing is released yet. Ask for one release, then see what a second one would be."
EXACT, NOISE = "the exact one", "a little new noise"
_LED = "to the next sharper and the next noisier number. Who asks first makes no difference."
_LEADS = (  # by how many neighbours a held number has
    "The first number: those to come will be drawn from it.",
    "The line leads to the number beside it. Who asks first makes no difference.",
    f"The lines lead {_LED}",
)
_ONLY = "Only with the data."
_WITH_ARTICLE = (PUBLIC, COUNCIL.name, "press")


def example_facts(shown: Scene) -> Facts:
    """The footer of the made-up example: it is about nobody."""
    return footer(
        guarantee_of(shown.setting.family).definition,
        unit="one person",
        neighbours="add or remove one person",
        sensitivity="one person moves the number by at most 1",
        data=f"made up: a town of {PEOPLE:,} people, {ILL} with high blood pressure",
        symbols="Δ = 1",
    )


def interval(law: ReleaseLaw, shown: Scene, level: float) -> tuple[float, float, float]:
    """Ends of the 95 % interval and its middle, as people read them."""
    found = law.quantile(np.array([*ENDS, QUANTILES[MIDDLE]]))
    low, high, middle = shown.held.read(found, level).tolist()
    return low, middle, high


def _said(shown: Scene, pin: Pin) -> str:
    """A released number as people read it, as exact as its noise deserves."""
    value = float(shown.held.read(np.array([pin.value]), pin.level)[0])
    return number(value, step=max(2 * shown.held.noise(pin.level), float(value.is_integer())))


def _falls(shown: Scene, law: ReleaseLaw, level: float) -> str:
    """Where 95 of 100 draws fall: never as ±, which says how far a number is from the truth."""
    low, middle, high = interval(law, shown, level)
    return between(low, high) if low < high else number(middle)


def take_away(shown: Scene, asked: Asked, law: ReleaseLaw | None) -> str:
    """What a draw at the slider's level gives, or gave, and what it needs."""
    level, held = asked.budget.level, shown.held
    if (owner := held.at(level)) is not None:
        return _drawn(shown, owner)
    if law is None:
        return (
            "Not this sharp. A number sharper than all others has to be made from the exact one, "
            f"so where {_whose(shown.name)} would fall stays hidden."
        )
    below, above = held.around(level)
    opening, end = ("Yes.", " Nobody looks at the data again.") if below else (_ONLY, "")
    if law.atoms:
        return f"{opening} {_lazy(shown, law, below, above)}.{end}"
    said = f"{opening} {capitalised(_whose(shown.name))} new number is {_made(shown, level)}"
    unit = literal(after(shown.noun, aside=True))
    near = within(_half(shown, level), f"{unit} of the exact one (95{NO_BREAK}% confidence)")
    if held.raw:
        added = number(held.family.mean(level) * held.step, step=_half(shown, level))
        said += f". Once {added} is subtracted, which the noise adds on average, it is {near}"
    elif not _inside(shown, level):  # inside, ± would be a second range beside that of the picture
        said += f", {near}"
    return f"{said}.{end}"


def _inside(shown: Scene, level: float) -> bool:
    """Whether a draw of this level follows from two numbers, with nothing to subtract from it."""
    return None not in shown.held.around(level) and not shown.held.raw


def _made(shown: Scene, level: float) -> str:
    """What the number of a level is made from."""
    below, above = shown.held.around(level)
    if above is None:
        return f"{_that(shown, below)} with {'more ' if below else ''}noise added"
    return f"made from {_that(shown, below)}, {_that(shown, above)} and {NOISE}"


def _that(shown: Scene, pin: Pin | None) -> str:
    """A number that somebody holds, or the exact one, which is not told."""
    return f"{_whose(pin.tier)} {_said(shown, pin)}" if pin else EXACT


def _who(name: str) -> str:
    """A group of readers as it is called in a sentence; Markdown.

    >>> _who("council"), _who("audit")
    ('the council', 'audit')
    """
    return f"the {name}" if name in _WITH_ARTICLE else literal(name)


def _whose(name: str) -> str:
    return f"{_who(name)}’s"


def _lazy(shown: Scene, law: ReleaseLaw, below: Pin | None, above: Pin | None) -> str:
    """A lazy path: the chances to be identical to a neighbour."""
    who, chances = capitalised(_who(shown.name)), _chances(law, below, above)
    if not chances:
        return f"{who} gets a new number: the path cannot rest where it starts"
    if len(chances) == 1 and chances[0][0] > 1 - 1e-12:
        return f"{who} gets exactly {_that(shown, chances[0][1])}: both ringed numbers are this one"
    named = [f"exactly {_that(shown, pin)} with {percent(c)} chance" for c, pin in chances]
    if above and len(law.atoms) == 1:
        named.append(f"which {_who(above.tier)} holds, too")
    return f"{who} gets {', '.join(named)}, otherwise a new number"


def _chances(
    law: ReleaseLaw, below: Pin | None, above: Pin | None
) -> list[tuple[float, Pin | None]]:
    """How likely a draw of a lazy path is identical to each neighbour; those that can be."""
    pairs = zip(law.atoms, (below, above), strict=False)
    return [(chance, pin) for (_, chance), pin in pairs if chance > 0]


def _drawn(shown: Scene, pin: Pin) -> str:
    """The number that somebody holds, how far off it may be, and where the newest comes from."""
    half, held = _half(shown, pin.level), shown.held
    unit = literal(after(shown.noun, aside=True))
    said = f"{capitalised(_whose(pin.tier))} number is {_said(shown, pin)}"
    if not held.raw:
        said += f" {pm(half, unit=unit)}" if half else f", {within(half)}"
    same = [p for p in held.around(pin.level) if p is not None and p.value == pin.value]
    newest = shown.order[-1:] == (pin.level,)
    if held.family.lazy and same:
        said += f", the same as {_whose(same[0].tier)}"
    elif newest:
        said += f", {_made(shown, pin.level)}"
    without = newest and held.around(pin.level)[0] is not None
    return f"{said}.{' Nobody looked at the data again.' if without else ''}"


def _half(shown: Scene, level: float) -> float:
    """95 % of the noise of a level, in units of the statistic."""
    return usual_half_width(shown.held.family, level, shown.held.step)


def claims(shown: Scene, asked: Asked, law: ReleaseLaw | None) -> tuple[Claim, ...]:
    """Why the numbers of the take-away are what they are; none where it states none."""
    level, held = asked.budget.level, shown.held
    pin = held.at(level)
    if law is None and pin is None:
        return ()
    below, above = held.around(level)
    found = [_released(shown, each) for each in (pin, below, above) if each is not None]
    if law is not None and law.atoms:
        chances = (
            _share(shown, f"chance to be exactly the number of {p.tier if p else EXACT}", chance)
            for chance, p in _chances(law, below, above)
        )
        return (*chances, *found)
    if (pin is not None and held.raw) or (pin is None and _inside(shown, level)):
        return tuple(found)
    accuracy = distance_claim(
        "distance from the exact number",
        _half(shown, level),
        after(shown.noun),
        held.family,
        confidence=ACCURACY_CONFIDENCE,
        budget=asked.words,
        at=level,
    )
    return (accuracy, *_added(shown, level), *found)


def _released(shown: Scene, pin: Pin) -> Claim:
    """A number that somebody holds: public, and nothing to compute."""
    return Claim(
        what=f"the number of {pin.tier}",
        value=float(shown.held.read(pin.value, pin.level)),
        unit=after(shown.noun),
        fixed=f"the release at {pin.budget}, drawn once and kept",
        method="read off the release (MATHEMATICS 2)",
    )


def _share(shown: Scene, what: str, share: float) -> Claim:
    """A share, in per cent, of what a draw between two neighbours gives."""
    return Claim(
        what=what,
        value=100 * share,
        unit="%",
        fixed="both ringed numbers, and the three noise levels",
        method=f"the distribution of a {shown.held.family.label} bridge (MATHEMATICS 2)",
    )


def _added(shown: Scene, level: float) -> list[Claim]:
    """What is to be subtracted of a number that is read as it was drawn."""
    if not shown.held.raw:
        return []
    family = shown.held.family
    return [
        Claim(
            what="what the noise adds on average",
            value=family.mean(level) * shown.held.step,
            unit=after(shown.noun),
            fixed=f"the {family.level_name} {significant(level, 6)}",
            method=f"the mean of {family.label} noise (MATHEMATICS 2)",
        )
    ]


def reading(shown: Scene, asked: Asked, law: ReleaseLaw | None, *, whole: bool) -> str:
    """What to notice in the picture: two sentences.

    Args:
        shown: what is looked at.
        asked: where the slider is.
        law: of the new number.
        whole: whether one whole path is shown.
    """
    if shown.held.holds(asked.budget.level):
        more = _LEADS[sum(end is not None for end in shown.held.around(asked.budget.level))]
    elif law is None:
        more = "Nothing is drawn above the sharpest number that somebody has."
    elif whole:
        more = "Grey: one whole path, level by level; one of many that could come, and not kept."
    elif law.atoms:
        more = "Upright bars: the chance to get exactly a ringed number. 95 times in 100 the "
        more += "number falls between the ends of the flat bar."
    else:
        more = f"Ringed: what is needed. {_bar(shown, asked)}±: 95 times in 100 a number is at "
        more += "most this far from the exact one."
    return more


def _bar(shown: Scene, asked: Asked) -> str:
    """What the bar is, so that nobody takes it for ±; "" where it is made from the exact number."""
    below, above = shown.held.around(asked.budget.level)
    if below is None:
        return ""
    given = "this one" if above is None else "these two"
    return f"Bar: where {_whose(shown.name)} number falls, given {given}. "


def picture_title(shown: Scene, level: float) -> str:
    """The heading of the picture."""
    if (pin := shown.held.at(level)) is not None:
        return f"{capitalised(_whose(pin.tier))} number among the others"
    return f"Where {_whose(shown.name)} number may fall"


def upwards(shown: Scene) -> str:
    """What is said on top of the picture, where the noise is least."""
    if shown.held.exact is None or shown.example is not None:
        return "↑ less noise"
    return (
        "↑ less noise; on top the exact number,<br>"
        f"{number(shown.held.exact * shown.held.step)}: not private"
    )


def accuracies(shown: Scene, level: float) -> dict[str, str]:
    """± of each tier's release by itself, where it is needed; the new one's bar is narrower."""
    held = {pin.tier: pm(_half(shown, pin.level)) for pin in shown.held.pins}
    if shown.held.holds(level):
        return held
    needed = {pin.tier for pin in shown.held.around(level) if pin is not None}
    idle = dict.fromkeys(held.keys() - needed, "not needed")
    return held | idle | {shown.name: f"new, {pm(_half(shown, level))}"}


def guesses_right(asked: Asked, shown: Scene) -> str:
    """How often somebody who knows all but one person guesses right about her."""
    promise = guarantee_of(shown.held.family)
    delta = exact(shown.setting.delta) if promise.with_delta else 0
    kind = GAUSS if promise.letter == "ρ" else WITH_DELTA if delta else ANY
    found = right_of([Part(answer=kind, budget=exact(float(asked.amount)), delta=delta)])
    right = math.ceil(found.value - 1e-9)
    about = f"whether one {shown.one} is counted" if shown.example else f"about one {shown.one}"
    pin = shown.held.at(asked.budget.level)
    whose = _whose(pin.tier if pin else shown.name)
    return f"With {whose} number, at most {right} of 1,000 guesses {about} are right (a coin: 500)."


def alternative(shown: Scene, asked: Asked, law: ReleaseLaw | None) -> str:
    """The picture in words, for those who cannot see it."""
    names = ", ".join(
        f"{p.tier} at {number(shown.held.read(p.value, p.level))}" for p in shown.held.pins
    )
    said = take_away(shown, asked, law).replace("\\", "")
    if law is not None:
        falls = _falls(shown, law, asked.budget.level)
        said += f" 95 times in 100 that number falls within {falls}."
    return f"Pinned releases by rising noise: {names}. {said}"
