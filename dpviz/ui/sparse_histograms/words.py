"""Sentence, formulas and code sample of the page Sparse histograms: pure functions, each tested."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from dpviz.data import Table
from dpviz.planning.cast import PEOPLE
from dpviz.queries import Bounds, ItemCounts, Sensitivity
from dpviz.ui.kit.code import table_code
from dpviz.ui.sparse_histograms.view import LONGEST, SEED, Scene
from dpviz.words import capitalised, join, rounded_up, significant
from dpviz.words.claims import Claim
from dpviz.words.markdown import literal
from dpviz.workspace.facts import Facts, footer
from dpviz.workspace.guesses import right_at
from dpviz.workspace.sparse import ItemTier
from dpviz.workspace.takeaways import counted, moves
from dpviz.workspace.workspace import Workspace

WHO = f"The {PEOPLE:,} people are made up; each typed one word, with no list to pick from. "
NOTHING = "Nothing can be drawn yet: say which items there could be, and which tiers may ask."
NO_TIERS = "No tier can be used here: say on the page Tiers who may see how much."
NO_THRESHOLDS = "No tier can be used here: the red sentences say why."
JUST_ABOVE = (
    "An interval covers the noise alone: numbers just above a threshold tend to be too high. An "
    "item that only a noisier tier shows, although less private tiers were drawn, is probably a "
    "phantom."
)
NO_SEAL = (
    "This histogram cannot be sealed: whether a hidden item shows at a noisier tier depends on its "
    "exact count, so the counts must be kept for as long as tiers may ask."
)


def size_words(size: int) -> str:
    """A number of items, readable: whole thousands in full, beyond a million in words.

    >>> size_words(1000), size_words(10**9), size_words(217_180_147_158)
    ('1,000', '1 billion', '217 billion')
    """
    for value, word in ((10**12, "trillion"), (10**9, "billion"), (10**6, "million")):
        if size >= value:
            return f"{significant(size / value, 3)} {word}"
    return f"{size:,}"


def survivors(shown: Scene, tier: ItemTier) -> tuple[int, int]:
    """True items and phantoms in a drawn release; only where the truth may be known."""
    if shown.truth is None or tier.released is None:
        return 0, 0
    true = int(np.isin(tier.released[0], shown.truth[0]).sum())
    return true, tier.released[0].size - true


def take_away(shown: Scene) -> str:
    """What the tiers see of a domain of this size, and how much of it nobody has."""
    size = size_words(shown.size)
    if not shown.drawn:
        t = shown.tiers[0] if shown.tiers else None
        if t is None:
            return NO_THRESHOLDS if shown.problems else NO_TIERS
        return (
            f"Of {size} possible {shown.items} at most {_phantoms([t])} phantoms, "
            f"which {_nobody(shown)}, will show on average. "
            f"{'Draw' if shown.query else 'Show'} any tier."
        )
    first, last = shown.drawn[0], shown.drawn[-1]
    if shown.truth is None:
        ends = dict.fromkeys((last, first))
        seen = [(literal(t.name), t.released[0].size) for t in ends if t.released is not None]
        who = ", ".join(
            f"{name} {'' if place else 'sees '}{found:,}"
            for place, (name, found) in enumerate(seen)
        )
        each = "there" if len(seen) == 1 else "in each"
        return (
            f"Of {size} possible items {who}; on average at most {_phantoms(shown.drawn)} {each} "
            f"are phantoms, which {_nobody(shown)}, and nothing there tells which."
        )
    (true, ghosts), real = survivors(shown, last), shown.truth[0].size
    who = capitalised(literal(last.name))
    if shown.query:
        told = (
            f"{real:,} of {size} possible items are in the table. {who} sees {true:,} of these, "
            f"and {_made_up(shown, ghosts)}."
        )
    else:
        told = (
            f"{PEOPLE:,} people typed a diagnosis. {who} sees {true:,} of the {real:,} they typed, "
            f"and {_made_up(shown, ghosts)}."
        )
    if true == real:
        return told
    away = "a person" if shown.nouns.of_people else shown.nouns.a_unit
    what = "answer" if shown.query is None else "item"
    return f"{told} The rare ones stay hidden, because a rare {what} gives {away} away."


def _made_up(shown: Scene, ghosts: int) -> str:
    """How many phantoms there are, and what that is."""
    return f"{counted(ghosts) if ghosts else 'none'} that {_nobody(shown)}"


def _nobody(shown: Scene) -> str:
    """What is said of a phantom."""
    who = "nobody" if shown.nouns.of_people else f"no {shown.nouns.one}"
    return f"{who} {'has' if shown.query else 'typed'}"


def heading(shown: Scene, most: int) -> str:
    """Above the main picture, which shows all items or the largest of each tier."""
    if shown.truth is None:
        return f"What the tiers see: {most} items at most, the largest of each"
    return f"All {shown.items}, as each tier (group of readers) sees them"


def rows_heading(shown: Scene) -> str:
    """Above the named rows."""
    return f"Ten {shown.items}: what {literal(shown.drawn[-1].name)} sees"


def rows_reading(shown: Scene) -> str:
    """How to read the named rows."""
    last = shown.drawn[-1]
    return (
        f"Grey: how many {literal(shown.noun)} there are in truth. In colour: what is published, "
        f"if it is above the dotted line at {significant(last.threshold)}."
    )


def _counted_phantoms(ghosts: int) -> str:
    return f"{counted(ghosts)} phantom" + ("" if ghosts == 1 else "s")


def claims(shown: Scene) -> tuple[Claim, ...]:
    """Why the numbers of the take-away are what they are: as counted, and as expected."""
    return *_counted(shown), *_expected(shown)


def _counted(shown: Scene) -> list[Claim]:
    """What is in the releases; how much of it is true, where the truth may be known."""
    fixed = "the releases that are drawn"
    if shown.truth is None:
        return [
            Claim(
                what=f"items that {t.name} sees",
                value=t.released[0].size,
                fixed=fixed,
                method="counted in its release",
            )
            for t in shown.drawn
            if t.released is not None
        ]
    if not shown.drawn:
        return []
    how = "each release compared with the exact counts"
    sharpest = shown.drawn[-1]
    true, ghosts = survivors(shown, sharpest)
    found = {
        "items in the table": shown.truth[0].size,
        f"of these, items that {sharpest.name} sees": true,
        f"phantoms that {sharpest.name} sees": ghosts,
    }
    return [Claim(what=what, value=n, fixed=fixed, method=how) for what, n in found.items()]


def _expected(shown: Scene) -> Iterator[Claim]:
    """How many phantoms there are on average: of the first tier, or of those that are drawn."""
    return (
        Claim(
            what=f"phantoms that {tier.name} sees on average",
            value=tier.phantoms,
            fixed=f"{shown.size:,} possible items, {tier.words}, "
            f"threshold {significant(tier.threshold, 4)}",
            method="the chance that noise alone passes the threshold, as if there were none of the "
            "items (MATHEMATICS 8.1)",
            kind="at most",
        )
        for tier in shown.drawn or shown.tiers[:1]
    )


def _phantoms(tiers: Sequence[ItemTier]) -> str:
    """Phantoms expected at most in a release of these tiers, whose thresholds may be unlike."""
    expected = sorted(t.phantoms for t in tiers)
    least, most = (significant(rounded_up(n), 2) for n in (expected[0], expected[-1]))
    return most if least == most else f"{least} to {most}"


def why_phantoms(shown: Scene) -> str:
    """What phantoms are; where no picture of them has said it, also why they are released too."""
    reason = f" {_reason(shown)}" if shown.truth is None else ""
    return (
        f"Every possible one gets noise, and a few that {_nobody(shown)} cross the line by "
        f"chance: the phantoms. Readers cannot tell for sure which ones they are.{reason}"
    )


def _reason(shown: Scene) -> str:
    """Why phantoms are released too."""
    verb = "has" if shown.query else "typed"
    who = "anybody" if shown.nouns.of_people else f"any {shown.nouns.one}"
    return (
        f"Because of the phantoms, a rare {shown.item} above the line is no "
        f"proof that {who} {verb} it."
    )


def guesses(shown: Scene) -> str:
    """What releases give away about one person: of those drawn, or else planned, the two ends."""
    those = shown.drawn or shown.tiers
    each = [
        f"{right_at(t.planned.budget).count} {'' if place else 'times in 1,000 '}with what "
        f"{literal(t.name)} sees"
        for place, t in enumerate(dict.fromkeys((those[-1], those[0])))
    ]
    return (
        f"Somebody who guesses whether a given {shown.nouns.one} is in the data is right at most "
        f"about {', '.join(each)} (a coin: 500)."
    )


def reading(shown: Scene) -> str:
    """How to read the main picture."""
    if shown.truth is None:
        return (
            "A row per item; each bar covers 95 % of the possible noise. A tier without a mark "
            "sees nothing of the item, which is below its threshold."
        )
    many = f"{_by_chance(shown)}at most {_phantoms(shown.tiers)} on average over many releases."
    return f"{_reason(shown)} {capitalised(many)}"


def _by_chance(shown: Scene) -> str:
    """How many phantoms the releases have, in the order of the picture; of many only the ends."""
    found = [survivors(shown, t)[1] for t in shown.drawn[::-1]]
    if not found:
        return ""
    told = join([counted(n) for n in found]) if len(found) < 5 else f"{min(found)} to {max(found)}"
    return f"phantoms: {told} this time, by chance; "


def rows_alternative(frame: pd.DataFrame) -> str:
    """The named rows in words."""
    told = {kind: ", ".join(rows["item"]) for kind, rows in frame.groupby("kind", sort=False)}
    return ". ".join(f"{capitalised(kind)}: {names}" for kind, names in told.items()) + "."


def alternative(shown: Scene) -> str:
    """The picture in words."""
    if shown.truth is None:
        return "Released items with their intervals, one row each; hidden ones have no mark."
    parts = []
    for t in shown.drawn[:-5:-1]:
        true, ghosts = survivors(shown, t)
        parts.append(f"{t.name}: {true:,} real, {_counted_phantoms(ghosts)}")
    many = len(shown.drawn or shown.tiers)
    strips = f"{many} strips of {shown.items} by rank; lower thresholds let more through"
    return f"{strips}. {'; '.join(parts)}." if parts else f"{strips}."


def formula(shown: Scene) -> str:
    """Threshold, phantoms and noise with the numbers of the first tier."""
    lines = [
        "An item is released where its noisy count exceeds the threshold: "
        r"$c_i+N_i>\tau$ with $N_i\sim N(0,\ \sigma^2)$, $\sigma^2=\dfrac{\Delta_2^2}{2\rho}$. "
        "The same noise path serves all tiers, so each release is what a single one would be.",
        r"Phantoms expected in one release: at most $d\,Q(\tau/\sigma)$, where $Q$ is the upper "
        "tail of the normal distribution.",
    ]
    if shown.tiers:
        t = shown.tiers[0]
        sigma = t.level**0.5
        lines.append(
            f"{literal(capitalised(t.name))}: Δ₂ = {significant(shown.l2, 4)} and "
            f"{t.words} give σ = {significant(sigma, 4)}; τ = {significant(t.threshold, 5)} is "
            f"{significant(t.threshold / sigma, 3)} standard deviations, and "
            f"{shown.size:,} · Q = {significant(t.phantoms, 3)}."
        )
    lines.append(
        "Items that nobody has are drawn only when they cross: their number is binomial, their "
        "value is that of a noise path that stays below all earlier thresholds and crosses "
        "at this one. So the work follows the items that are shown, not those that could be."
    )
    if shown.truth is None:
        lines.append(JUST_ABOVE)
    lines.append(NO_SEAL)
    return "\n\n".join(lines)


def facts(query: ItemCounts | None, table: Table) -> Facts:
    """The footer: for a column of this table, or for the example."""
    if query is None:
        return footer(
            "ρ-zCDP",
            unit="one person, who types one diagnosis",
            neighbours="add or remove one person",
            sensitivity=moves(Sensitivity.bounded(1)),
            data="made up, so nothing here is secret: the town types 100 different diagnoses",
            symbols="Δ₂ = √ℓ₀ · ℓ∞ = 1",
        )
    return footer(
        "ρ-zCDP",
        unit=query.bounds.unit,
        neighbours=query.bounds.neighbours,
        sensitivity=moves(
            query.sensitivity,
            replaced=query.bounds.relation == "replace",
            one=query.bounds.nouns.one,
        ),
        data=f"{table.described(query.columns)}; items: {query.coding.described}",
        symbols=query.formula,
    )


def code(shown: Scene, ws: Workspace) -> str:
    """The same with the library; defines `histogram` and `releases`.

    Args:
        shown: the scene on the page.
        ws: whose table it is, where it is no example.
    """
    lines = ["from dpviz import streams"]
    if shown.query is None:
        lines += [
            "import numpy as np",
            "from dpviz.data import typed_diagnoses",
            "from dpviz.queries import Words",
            "from dpviz.sparse import SparseHistogram",
            "",
            f"words = Words({LONGEST})  # all that could be typed",
            "names, counts = typed_diagnoses()",
            "indices = np.array([words.index(name) for name in names])",
            "domain, sensitivity = words.size, 1.0",
            f"rng = streams.teaching({SEED}, 1, {shown.again})",
        ]
    else:
        query = shown.query
        plain = query.bounds == Bounds()
        names = ["ItemCounts", type(query.coding).__name__] + ([] if plain else ["Bounds"])
        bounds = "" if plain else f", {query.bounds!r}"
        load, table = table_code(ws.table, ws.loading, query.columns)
        lines += [
            load,
            "from dpviz.sparse import SparseHistogram",
            f"from dpviz.queries import {', '.join(sorted(names))}",
            "",
            table,
            f"query = ItemCounts({query.column!r}, {query.coding!r}{bounds})",
            "indices, counts = query.values(table)",
            "domain, sensitivity = query.coding.size, query.sensitivity.l2",
            f"rng = {shown.generator}",
        ]
    lines += [
        "histogram = SparseHistogram(",
        "    indices, counts, domain, l2_sensitivity=sensitivity, rng=rng",
        ")",
        f"asked = {list(shown.asked)!r}  # (ρ, τ), in the order of asking",
        "releases = [histogram.release(rho, threshold) for rho, threshold in asked]",
        "for found, values in releases:",
        "    print(found[:5], values[:5])",
        "",
    ]
    return "\n".join(lines)
