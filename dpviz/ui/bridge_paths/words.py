"""Sentences of the Bridge paths page and the claims behind them: pure functions, each tested."""

import math

import numpy as np

from dpviz.accounting.guarantees import guarantee_of
from dpviz.charts.bridge.frame import ENDS, MIDDLE, QUANTILES, Pin
from dpviz.noise.bridge_law import ReleaseLaw
from dpviz.parameters import exact
from dpviz.planning.budgets import ACCURACY_CONFIDENCE, usual_half_width
from dpviz.planning.cast import ASKING, ILL, PEOPLE
from dpviz.ui.bridge_paths.controls import Asked
from dpviz.ui.bridge_paths.scenes import Scene
from dpviz.words import (
    NO_BREAK,
    after,
    between,
    capitalised,
    join,
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
EXACT, NEW = "the exact number", "a new group of readers"
_LEADS = (  # by how many neighbours a held number has
    "The first number: those to come will be drawn from it.",
    "The line leads to the ringed number that it was drawn from.",
    "The lines lead to the ringed numbers that it was drawn from.",
)


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


def heading(shown: Scene, law: ReleaseLaw | None, level: float) -> str:
    """What is written beside the new tier's name in the picture."""
    if (pin := shown.held.at(level)) is not None:
        return f"{_said(shown, pin)}, held"
    if law is None:
        return "would use the exact number"
    if law.atoms:
        return "open, not drawn yet"
    return f"{_falls(shown, law, level)}, not drawn yet"  # as long as a phone has room for


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
            f"At {asked.words} {literal(shown.name)} would know more than all who hold a release: "
            "such a draw uses the exact number, so its picture is hidden."
        )
    below, above = held.around(level)
    newcomer = f"in a made-up town {_newcomer(shown)}" if shown.example else _newcomer(shown)
    who = f"Yes: {newcomer}" if below else capitalised(newcomer)
    if law.atoms:
        first = literal(below.tier) if below else EXACT
        return _lazy(who, law, first, literal(above.tier) if above else "")
    if _inside(shown, level):  # ± would be a second range beside the bar of the picture
        made = f"{_newcomer(shown)} gets a number {_made(shown, level)}"
        return f"Yes: {made}; the exact one is not needed again."
    unit = literal(after(shown.noun, aside=True))
    near = within(_half(shown, level), f"{unit} of the exact one (95{NO_BREAK}% confidence)")
    said = f"{who} will get a number {near}"
    if held.raw:
        added = number(held.family.mean(level) * held.step, step=_half(shown, level))
        said += f" once {added} is subtracted, which the noise adds on average"
    return f"{said}, {_between(shown, level)}."


def _inside(shown: Scene, level: float) -> bool:
    """Whether a draw of this level follows from two numbers, with nothing to subtract from it."""
    return None not in shown.held.around(level) and not shown.held.raw


def _newcomer(shown: Scene) -> str:
    """Who gets the new number, in the example somebody of whom nobody has heard."""
    name = literal(shown.name)
    return name if shown.example is None else f"{name}, {NEW},"


def _half(shown: Scene, level: float) -> float:
    """95 % of the noise of a level, in units of the statistic."""
    return usual_half_width(shown.held.family, level, shown.held.step)


def _between(shown: Scene, level: float) -> str:
    """From which numbers a draw of this level follows."""
    below, above = shown.held.around(level)
    if above is None:
        first = literal(below.tier) if below else EXACT
        return f"{_number_of(first)} with fresh noise added"
    without = ", without a look at the exact number" if below else ""
    return f"{_made(shown, level)}{without}"


def _made(shown: Scene, level: float) -> str:
    """What the number of a level is made from; with a noisier number that somebody has."""
    below, above = shown.held.around(level)
    assert above is not None
    end = f"{_owner(above)} {_said(shown, above)}"
    start = f"{_owner(below)} {_said(shown, below)}" if below else EXACT
    return f"made from {start}, {end} and fresh noise"


def _owner(pin: Pin) -> str:
    return f"{literal(pin.tier)}’s"


def _drawn(shown: Scene, pin: Pin) -> str:
    """The number that somebody holds, how far off it may be, and where it comes from."""
    half, told = _half(shown, pin.level), _said(shown, pin)
    unit = literal(after(shown.noun, aside=True))
    said = f"{literal(capitalised(pin.tier))}’s number is {told}"
    if not shown.held.raw:
        said += f" {pm(half, unit=unit)}" if half else f", {within(half)}"
    same = [p for p in shown.held.around(pin.level) if p is not None and p.value == pin.value]
    if shown.held.family.lazy and same:
        said += f", the same as {_owner(same[0])}"
    return f"{said}: {_between(shown, pin.level)}."


def claims(shown: Scene, asked: Asked, law: ReleaseLaw | None) -> tuple[Claim, ...]:
    """Why the numbers of the take-away are what they are; none where it states none."""
    level, held = asked.budget.level, shown.held
    pin = held.at(level)
    if law is None and pin is None:
        return ()
    below, above = held.around(level)
    if law is not None and law.atoms:
        first, second = below.tier if below else EXACT, above.tier if above else ""
        return tuple(
            _share(shown, f"chance to be exactly {_number_of(name)}", chance)
            for chance, name in _chances(law, first, second)
        )
    ends = (below, above) if above is not None and below is not None else (above,)
    found = [_released(shown, each) for each in (pin, *ends) if each is not None]
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


def _number_of(name: str) -> str:
    """Whose number, in words."""
    return EXACT if name == EXACT else f"the number of {name}"


def _chances(law: ReleaseLaw, first: str, second: str) -> list[tuple[float, str]]:
    """How likely a draw of a lazy path is identical to each neighbour; those that can be."""
    pairs = zip(law.atoms, (first, second), strict=False)
    return [(chance, name) for (_, chance), name in pairs if chance > 0]


def _lazy(who: str, law: ReleaseLaw, first: str, second: str) -> str:
    """A lazy path: the chances to be identical to a neighbour."""
    chances = _chances(law, first, second)
    if not chances:
        return f"{who} will get a new number: the path cannot rest where it starts."
    if len(chances) == 1 and chances[0][0] > 1 - 1e-12:
        return f"{who} will get exactly {_number_of(first)}: both ringed numbers are this one."
    named = [f"with {percent(c)} chance exactly {_number_of(n)}" for c, n in chances]
    if second and len(law.atoms) == 1:
        named.append(f"which {second} holds, too")
    return f"{who} will get {', '.join(named)}, otherwise a new one."


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
        more = f"Only {_needed(shown, asked)} needed (ringed){_waits(shown)}. "
        more += f"{_bar(shown, asked)}±: 95 times in 100 a number is at most this far from the "
        more += "exact one."
    return more


def _bar(shown: Scene, asked: Asked) -> str:
    """What the bar is, so that nobody takes it for ±; "" where it is made from the exact number."""
    below, above = shown.held.around(asked.budget.level)
    if below is None:
        return ""
    given = "this one" if above is None else "these two"
    return f"Bar: where {literal(shown.name)}’s number falls, given {given}. "


def _waits(shown: Scene) -> str:
    """Who of the cast is not in the picture of the example, so that nobody looks for them."""
    here = {pin.tier for pin in shown.held.pins}
    missing = [name for name in ASKING if name not in here] if shown.example else []
    verb = "has" if len(missing) == 1 else "have"
    who = "group" if len(missing) == 1 else "groups"
    return f"; the {who} {join(missing)} {verb} not asked yet" if missing else ""


def _needed(shown: Scene, asked: Asked) -> str:
    """Which of the numbers that are held a draw needs, with its verb."""
    below, above = shown.held.around(asked.budget.level)
    if below and above:
        return "the next sharper and the next noisier number are"
    return f"the next {'sharper' if below else 'noisier'} number is"


def picture_title(shown: Scene, level: float) -> str:
    """The heading of the picture."""
    if (pin := shown.held.at(level)) is not None:
        return f"{literal(capitalised(pin.tier))}’s number among the others"
    if None in shown.held.around(level):
        return f"Where {literal(shown.name)}’s number may fall"
    name = literal(capitalised(shown.name))
    return f"{name}’s number is made from two noisy ones, not from the exact one"


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
    whose = f"{literal(pin.tier if pin else shown.name)}’s number"
    return f"With {whose}, at most {right} of 1,000 guesses {about} are right (a coin: 500)."


def law_reading(shown: Scene, asked: Asked, law: ReleaseLaw | None) -> str:
    """How to read the picture of the law."""
    text = "Right is more private. Bands: where 95 % and 50 % of all possible paths run. "
    if law is not None and law.atoms:
        text += (
            "The path is lazy: it rests, then jumps. Wedges: how likely it still rests on that "
            "number. Spikes: the chance that the new number is exactly a ringed one. Hill: the "
            "rest of the chance. "
        )
    elif law is not None:
        text += (
            f"Sideways on the dotted line: where the number of {literal(shown.name)} will fall "
            f"(95 times in 100: {_falls(shown, law, asked.budget.level)}). "
        )
    if shown.held.raw:
        text += (
            f"{shown.held.family.label} noise only adds: the path is a staircase that never falls. "
        )
    elif shown.held.family.mean(1.0):
        text += f"{shown.held.family.label} noise only adds; its mean is subtracted here, as "
        text += "the number is read. "
    if shown.held.exact is None:
        text += "The exact number, at noise 0, is not shown; nothing is drawn left of the marks."
    elif shown.example is not None:
        text += f"The exact number is {ILL}, public because the people are made up."
    else:
        text += "It starts from the exact number: not private."
    return text


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
