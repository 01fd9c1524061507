"""Sentence, formulas and code sample of the Bridge paths page: pure functions, each tested."""

import numpy as np

from dpviz.accounting import half_width
from dpviz.accounting.guarantees import guarantee_of
from dpviz.charts.bridge.frame import Pin
from dpviz.noise.bridge_law import ReleaseLaw
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.ui.bridge_paths.controls import Asked
from dpviz.ui.bridge_paths.scenes import PUBLIC_ANSWER, SEED, Scene
from dpviz.words import NO_BREAK, after, between, capitalised, number, percent, significant, within
from dpviz.words.claims import Claim
from dpviz.words.markdown import literal
from dpviz.workspace.facts import Facts, footer
from dpviz.workspace.takeaways import distance_claim

NOTHING_HELD = "Nothing is released yet. Ask for one release, then see what a second one would be."
EXACT = "the exact number"


def example_facts(shown: Scene) -> Facts:
    """The footer of the made-up example: it is about nobody."""
    return footer(
        guarantee_of(shown.setting.family).definition,
        unit="one person",
        neighbours="add or remove one person",
        sensitivity="Δ = 1: one person moves the number by at most 1",
        data=f"made up: {PUBLIC_ANSWER} people, none of whom exists; the answer is public",
    )


def interval(law: ReleaseLaw, shown: Scene, level: float) -> tuple[float, float, float]:
    """Ends of the 95 % interval and its middle, as people read them."""
    low, middle, high = shown.held.read(law.quantile(np.array([0.025, 0.5, 0.975])), level).tolist()
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
    return number(value, step=max(shown.held.noise(pin.level), float(value.is_integer())))


def _falls(shown: Scene, law: ReleaseLaw, level: float) -> str:
    """Where 95 of 100 draws fall: never as ±, which says how far a number is from the truth."""
    low, middle, high = interval(law, shown, level)
    return between(low, high) if low < high else number(middle)


def take_away(shown: Scene, asked: Asked, law: ReleaseLaw | None) -> str:
    """What a draw at the slider's level gives, and what it needs."""
    level, held = asked.budget.level, shown.held
    who = literal(capitalised(shown.name))
    if (owner := held.at(level)) is not None:
        return (
            f"{literal(capitalised(owner.tier))} holds the release at {asked.words}. Asking "
            "for this level again gives the same number."
        )
    if law is None:
        return (
            f"At {asked.words} {literal(shown.name)} would know more than all who hold a release: "
            "such a draw uses the exact number, so its picture is hidden."
        )
    below, above = held.around(level)
    first = literal(below.tier) if below else EXACT
    second = literal(above.tier) if above else ""
    if law.atoms:
        return _lazy(shown, law, first, second)
    half = half_width(held.family, level, ACCURACY_CONFIDENCE) * held.step
    unit = literal(after(shown.noun, aside=True))
    near = within(half, f"{unit} of the exact one (95{NO_BREAK}% confidence)")
    said = f"{who} will get a number {near}"
    if held.raw:
        added = held.family.mean(level) * held.step
        said += f" once {number(added, step=half)} is subtracted, which the noise adds on average"
    if not second:
        return f"{said}: it is the number of {first} plus fresh noise."
    close, far = held.family.weights(below.level if below else 0.0, level, above.level)  # type: ignore[union-attr]
    needed = "Nothing else is needed, not even the exact number." if below else ""
    pull = f"On average {first} counts {percent(close)} in it, {second} {percent(far)}."
    return f"{said}. {pull} {needed}".strip()


def claims(shown: Scene, asked: Asked, law: ReleaseLaw | None) -> tuple[Claim, ...]:
    """Why the numbers of the take-away are what they are; none where it states none."""
    level, held = asked.budget.level, shown.held
    if law is None or held.holds(level):
        return ()
    below, above = held.around(level)
    first, second = below.tier if below else EXACT, above.tier if above else ""
    if law.atoms:
        return tuple(
            _share(shown, f"chance to be exactly {_number_of(name)}", chance)
            for chance, name in _chances(law, first, second)
        )
    accuracy = distance_claim(
        "distance from the exact number",
        half_width(held.family, level, ACCURACY_CONFIDENCE) * held.step,
        after(shown.noun),
        held.family,
        confidence=ACCURACY_CONFIDENCE,
        budget=asked.words,
        at=level,
    )
    found = [accuracy, *_added(shown, level)]
    if above is not None:
        shares = held.family.weights(below.level if below else 0.0, level, above.level)
        found += [
            _share(shown, f"share of {name} in the mean of the new number", share)
            for name, share in zip((first, second), shares, strict=True)
        ]
    return tuple(found)


def _share(shown: Scene, what: str, share: float) -> Claim:
    """A share, in per cent, of what a draw between two neighbours gives."""
    return Claim(
        what=what,
        value=100 * share,
        unit="%",
        fixed="the numbers of both neighbours, and the three noise levels",
        method=f"the law of a {shown.held.family.label} bridge (MATHEMATICS 2)",
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


def _lazy(shown: Scene, law: ReleaseLaw, first: str, second: str) -> str:
    """A lazy path: the chances to be identical to a neighbour."""
    who = literal(capitalised(shown.name))
    chances = _chances(law, first, second)
    if not chances:
        return f"{who} will get a new number: the path cannot rest where it starts."
    if len(chances) == 1 and chances[0][0] > 1 - 1e-12:
        return f"{who} will get exactly {_number_of(first)}: both neighbours hold the same one."
    named = [f"with {percent(c)} chance exactly {_number_of(n)}" for c, n in chances]
    if second and len(law.atoms) == 1:
        named.append(f"which {second} holds, too")
    return f"{who} will get {', '.join(named)}, otherwise a new one."


def reading(shown: Scene, asked: Asked, law: ReleaseLaw | None, path: int | None) -> str:
    """How to read the picture."""
    text = "Each mark is a number that somebody has received; right is more private. "
    text += "Bands: where 95 % and 50 % of all possible paths run; they narrow at each mark. "
    if law is not None and law.atoms:
        text += (
            "The path is lazy: it rests, then jumps. Wedges: how likely it still rests on that "
            "number. Spikes: the chance that the new number is exactly a neighbour’s. Hill: the "
            "rest of the chance. "
        )
    elif law is not None:
        text += (
            f"Sideways on the dotted line: where the number of {literal(shown.name)} will fall "
            f"(95 times in 100: {_falls(shown, law, asked.budget.level)}). "
        )
    if path is not None:
        text += "Grey line: one possible path. "
    if shown.held.raw:
        text += (
            f"{shown.held.family.label} noise only adds: the path is a staircase that never falls. "
        )
    elif shown.held.family.mean(1.0):
        text += f"{shown.held.family.label} noise only adds; its mean is subtracted here, as "
        text += "people read the number. "
    if shown.held.exact is None:
        text += "The exact number, at noise 0, is not shown; nothing is drawn left of the marks."
    elif shown.example is not None:
        text += f"The exact number is {PUBLIC_ANSWER}, public because the people are made up."
    else:
        text += "It starts from the exact number: not private."
    return text


def alternative(shown: Scene, asked: Asked, law: ReleaseLaw | None) -> str:
    """The picture in words, for those who cannot see it."""
    names = ", ".join(
        f"{p.tier} at {number(shown.held.read(p.value, p.level))}" for p in shown.held.pins
    )
    return f"Pinned releases by rising noise: {names}. " + take_away(shown, asked, law).replace(
        "\\", ""
    )


def formula(shown: Scene, asked: Asked, law: ReleaseLaw | None) -> str:
    """The law of a draw with the numbers of the slider."""
    held, level = shown.held, asked.budget.level
    family = held.family
    symbol = family.level_symbol
    below, above = held.around(level)
    lines = [
        f"{capitalised(family.label)} noise; the level {symbol} is the {family.level_name}. "
        f"{asked.words} means {symbol} = {significant(level, 5)}.",
        "Given the two held neighbours: " + family.bridge_formula,
    ]
    if law is None:
        lines.append(
            "At this level nothing is shown: it is released already, or would use a hidden number."
        )
        return "\n\n".join(lines)
    if below is not None or held.exact is not None:
        at = below.level if below else 0.0
        value = below.value if below else float(held.exact or 0.0)
        lines.append(f"l = {significant(at, 5)}, y_l = {number(value)}".replace("_", r"\_"))
    if above is not None:
        lines.append(
            f"h = {significant(above.level, 5)}, y_h = {number(above.value)}".replace("_", r"\_")
        )
    low, middle, high = interval(law, shown, level)
    lines.append(
        f"95 % of draws fall between **{significant(low, 6)}** and **{significant(high, 6)}**, "
        f"half of them up to **{significant(middle, 6)}**."
    )
    lines += [
        f"Chance to be exactly {number(held.read(value, level))}: **{percent(chance)}**."
        for value, chance in law.atoms
        if chance > 0
    ]
    return "\n\n".join(lines)


def code(shown: Scene, asked: Asked, law: ReleaseLaw | None) -> str:
    """The same with the library; defines `law`, `interval` and `drawn`."""
    held, level = shown.held, asked.budget.level
    below, above = held.around(level)
    start = below.value if below else held.exact
    lines = [
        "import numpy as np",
        "",
        "from dpviz import streams",
        "from dpviz.noise import FAMILIES",
        "from dpviz.noise.bridge_law import release_law",
        "",
        f"family, level = FAMILIES[{held.family.name!r}], {level!r}"
        f"  # {guarantee_of(held.family).letter} = {asked.amount}",
    ]
    if law is None or start is None:
        return "\n".join([*lines, "print(family.variance(level))", ""])
    kind = int if held.family.integer else float
    mean = "" if held.raw else " - family.mean(level)"  # as it was drawn, or as people read it
    last = kind(above.value) if above else None
    high = above.level if above else None
    lines += [
        f"below, low = {kind(start)!r}, {below.level if below else 0.0!r}  # held",
        f"above, high = {last!r}, {high!r}  # held",
        "law = release_law(family, below, above, low, level, high)",
        "at = law.quantile(np.array([0.025, 0.5, 0.975]))",
        f"interval = (at{mean}) * {held.step!r}",
        "print(interval, law.atoms)",
        "",
        f"rng = streams.teaching({SEED})",
        "many = np.full(10_000, below)",
    ]
    if above is None:
        lines.append("drawn = family.extend(many, low, level, rng=rng)")
    else:
        lines.append(
            "drawn = family.bridge(many, np.full(10_000, above), low, level, high, rng=rng)"
        )
    lines += [f"print(np.quantile(drawn{mean}, [0.025, 0.5, 0.975]) * {held.step!r})", ""]
    return "\n".join(lines)
