"""Formulas and code sample of the Bridge paths page: pure functions, each tested."""

from dpviz.accounting.guarantees import guarantee_of
from dpviz.noise.bridge_law import ReleaseLaw
from dpviz.ui.bridge_paths.controls import Asked
from dpviz.ui.bridge_paths.scenes import SEED, Scene
from dpviz.ui.bridge_paths.words import interval
from dpviz.words import capitalised, join, number, percent, significant
from dpviz.words.markdown import literal


def formula(shown: Scene, asked: Asked, law: ReleaseLaw | None) -> str:
    """The law of a draw with the numbers of the slider."""
    held, level = shown.held, asked.budget.level
    family = held.family
    symbol = family.level_symbol
    below, above = held.around(level)
    lines = [
        f"{capitalised(family.label)} noise; the level {symbol} is the {family.level_name}. "
        f"{asked.words} means {symbol} = {significant(level, 5)}.",
        "Given the numbers on both sides: " + family.bridge_formula,
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
    if not law.atoms:
        lines.append(_weights(shown, level))
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


def _weights(shown: Scene, level: float) -> str:
    """How much each number that is held counts in the mean of the new one."""
    ends = zip(shown.held.around(level), shown.held.weights(level), strict=True)
    said = [
        f"that of {literal(pin.tier) if pin else 'the exact number'} {percent(weight)}"
        for pin, weight in ends
        if weight == weight
    ]
    return f"In the mean of the new number, each counts: {join(said)}."


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
