"""Sparse histograms: a list that nobody wrote down first, of which only common items show."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from dpviz.charts.forms.lines import Axis, Look, lines
from dpviz.charts.forms.picture import Picture
from dpviz.charts.releases import release_chart
from dpviz.charts.sparse import named_rows
from dpviz.errors import ParameterError
from dpviz.planning import typed
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.planning.cast import PEOPLE, with_article
from dpviz.queries import LETTERS, LETTERS_AND_DIGITS, ItemCounts, Sensitivity, WholeNumbers, Words
from dpviz.queries.item_names import Coding, longest
from dpviz.scenes import sparse_histograms as scenes
from dpviz.scenes.sparse_histograms import HIDDEN, MOST, PHANTOM, SEED, SEEN, Histogram
from dpviz.ui.kit import (
    bound_controls,
    code,
    controls,
    looking,
    noun_controls,
    panel,
    parts,
    source,
)
from dpviz.ui.kit.page_form import Closer, Missing, PageForm
from dpviz.ui.kit.parts import Field
from dpviz.ui.kit.source import OWN
from dpviz.ui.kit.state import workspace
from dpviz.words import capitalised, join, pm, rounded_up, significant
from dpviz.words.claims import Claim, Name, Number, Said, say
from dpviz.words.markdown import literal
from dpviz.workspace.facts import Facts, footer
from dpviz.workspace.guesses import A_COIN, right_at
from dpviz.workspace.sparse import ItemTier, Subject
from dpviz.workspace.takeaways import counted_with, moves
from dpviz.workspace.workspace import Workspace

EXAMPLE = "made-up town"
WORDS, CODES, NUMBERS = "words (a–z)", "words and codes (a–z, 0–9)", "whole numbers"
ALPHABETS = {WORDS: LETTERS, CODES: LETTERS_AND_DIGITS}
LARGEST = 10**15
ALLOWED = "5"  # phantoms
WORDS_OF = {SEEN: "seen", HIDDEN: "hidden", PHANTOM: "phantoms"}
MANY = 300  # items, of which the ranks are logarithmic
LEAST = 0.5  # people, where the line of a tier is drawn at the lowest
HARDENED = Missing(
    "Sparse histograms draw Gaussian noise in floating point, which hardened mode does not allow. "
    "Switch to practice mode on the page Tiers, or count a public list of items on the page Data: "
    "its whole-number noise is exact."
)
WHO = " All people here are made up."


# --- what is asked ---


def settings(ws: Workspace) -> Histogram | Missing:
    """Ask which histogram, and how many phantoms it may have."""
    if controls.look_at(EXAMPLE, OWN, key="sparse_source") == OWN:
        return HARDENED if ws.mode == "hardened" else source.of_table(ws, lambda: _own(ws))
    return scenes.of_town(ws, _allowed(scenes.TOWN_SETTING.dimension))


def _allowed(size: int) -> str:
    """One number of phantoms for every tier."""

    def read(text: str, *, where: str) -> str:
        allowed = typed.number(text, where=where, example="1")
        if allowed <= 0:
            raise ParameterError(f"{where}: type a number above 0, for example 0.1 or 1.")
        if allowed >= size > float(ALLOWED):  # of fewer items the tiers say what is possible
            raise ParameterError(
                f"{where}: there are {size:,} items in all. Type fewer, for example 1."
            )
        return str(allowed)

    return Field(
        label="Phantoms allowed, on average",
        default=ALLOWED,
        help="Fewer: a higher threshold, and more true items are hidden. More: a lower one, and "
        "more of what is shown is untrue.",
        reader=read,
        key="sparse_phantoms",
    ).value()


def _own(ws: Workspace) -> Histogram:
    """Ask for a column, and for the items that there could be: never read off the data."""
    query = _query(ws)
    revealed = looking.reveal(ws, ws.table, key="sparse_reveal")
    own = Subject(table=ws.table, query=query)
    allowed = _allowed(query.coding.size)
    return scenes.of_column(ws, own, allowed, revealed=revealed)


def _query(ws: Workspace) -> ItemCounts:
    """The column, its items and the bounds as chosen now.

    Raises:
        ParameterError: they cannot be used.
    """
    nouns = noun_controls.in_use(ws)
    column = source.column(
        ws,
        "Column of items",
        key="sparse_column",
        help=f"Each value is an item; the histogram counts {nouns.many}, or {nouns.rows}, per "
        "item.",
    )
    kind = ws.table.column(column).kind
    key = f"{ws.table.digest[:12]}_{column}"
    coding = _coding(key, NUMBERS if kind == "whole number" else WORDS)
    with bound_controls.place(ws, None):
        bounds = bound_controls.choose(ws, None)
    items = coding()
    return ItemCounts(column, items, bounds(items.size))


def _coding(key: str, usual: str) -> Callable[[], Coding]:
    """Which items there could be, typed; to be built once all widgets are there."""
    kinds = (WORDS, CODES, NUMBERS)
    kind = controls.selectbox(
        "Items are",
        kinds,
        index=kinds.index(usual),
        key=f"sparse_items_{key}",
        help="Which items there could be, by what is known without the data. Other values are "
        "not counted, and their number is not shown.",
    )
    if kind == NUMBERS:
        left, right = st.columns(2)
        with left:
            low = controls.text_input("From", "0", key=f"sparse_low_{key}")
        with right:
            high = controls.text_input("To", "999999", key=f"sparse_high_{key}")
        return lambda: WholeNumbers(
            typed.whole(low, where="From", least=-LARGEST, most=LARGEST),
            typed.whole(high, where="To", least=-LARGEST, most=LARGEST),
        )
    alphabet = ALPHABETS[kind]
    most = longest(alphabet)
    length = controls.slider(
        "Longest word, in characters",
        1,
        most,
        most,
        key=controls.keyed(f"sparse_longest_{key}", most),
        help="Longer words are not counted. More characters: more items that may be phantoms.",
    )
    st.caption(f"{Words(int(length), alphabet).size:,} items are possible.")
    return lambda: Words(int(length), alphabet)


# --- what can be done ---


def acts(shown: Histogram) -> None:
    """Draw the tiers of a column; what it costs, what went wrong."""
    for sentence in shown.problems:
        parts.refusal(sentence)
    if shown.asking is None or shown.asked is None or not shown.tiers:
        return
    ws, by_name = workspace(), {t.name: t for t in shown.tiers}
    offered = panel.offer(
        ws,
        shown.asking,
        [t.planned for t in shown.tiers],
        lambda p: _drawn(shown, by_name[p.name]),
        key="sparse",
    )
    styles = {t.name: t.style for t in reversed(shown.tiers)}
    panel.draw_tiers(ws, styles, offered, key="sparse")
    panel.plan_topic(ws, "sparse_histograms", shown.asked, key="sparse_plan")


def _drawn(shown: Histogram, tier: ItemTier) -> str:
    """What a press for a tier draws, as the beginning of a sentence."""
    return (
        f"Draws the items whose noisy count is above {significant(tier.threshold)} {shown.noun}. "
        f"Noise {pm(tier.planned.budget.half_width, 3)} (95 %), "
        f"{significant(tier.phantoms)} phantoms expected"
    )


def badges(shown: Histogram) -> list[parts.Badge]:
    """What kind of release it is, and whether exact counts of real people are on screen."""
    revealed = shown.query is not None and shown.truth is not None
    several = shown.tiers[-1:] if len(shown.tiers) > 1 else ()
    sharpest = [parts.lossless(tier.name, weakly=True) for tier in several]
    return sharpest + [parts.REVEALED] * revealed


# --- the sentences ---


def headline(shown: Histogram) -> Said:
    """What the least private tier sees of a list of this size, and how much of it nobody has."""
    if not shown.tiers:
        why = "the red sentences say why" if shown.problems else "say on Tiers who may see how much"
        return Said(f"No tier can be used here: {why}.")
    size = _count("items that there could be", shown.size, size_words(shown.size))
    if not shown.drawn:
        return say(
            "Of {size} possible items at most {phantoms} phantoms, which {nobody}, will show on "
            "average. Draw any tier.",
            size=size,
            phantoms=_phantoms(shown.tiers[0], shown.size),
            nobody=_nobody(shown),
        )
    last = shown.drawn[-1]
    true, ghosts = shown.seen(last)
    if shown.truth is None or shown.query:
        return say(
            "Of {size} possible items {tier} sees {many}. On average at most {phantoms} of them "
            "are phantoms, which {nobody}, and nothing tells which.",
            size=size,
            tier=Name(last.name),
            many=_count(f"items that {last.name} sees", true + ghosts),
            phantoms=_phantoms(last, shown.size),
            nobody=_nobody(shown),
        )
    how = "each release compared with the exact counts"
    phantoms = _count(
        f"phantoms that {last.name} sees", ghosts, counted_with(ghosts, "phantoms"), method=how
    )
    return say(
        "Yes, mostly the frequent ones. {people} people chose a diagnosis from a public list. "
        "{tier}, a group of readers, sees {true} of the {real} that were chosen, and "
        "{ghosts}{nobody}.",
        people=_count("made-up people", PEOPLE),
        tier=Name(capitalised(with_article(last.name))),
        true=_count(f"of these, items that {last.name} sees", true, method=how),
        real=_count("items in the table", shown.truth[0].size, method=how),
        ghosts=phantoms,
        nobody=" that nobody chose" if ghosts else "",
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


def _count(what: str, many: int, text: str = "", method: str = "counted in its release") -> Number:
    """A whole number that was counted."""
    claim = Claim(what=what, value=many, fixed="what is on screen", method=method)
    return Number(text or f"{many:,}", claim)


def _items(shown: Histogram) -> str:
    """What the items are called: in the example they are diagnoses."""
    return "items" if shown.query else "diagnoses"


def _nobody(shown: Histogram) -> Name:
    """What is said of a phantom."""
    who = "nobody" if shown.nouns.of_people else f"no {shown.nouns.one}"
    return Name(f"{who} {'has' if shown.query else 'chose'}")


def _phantoms(tier: ItemTier, size: int) -> Number:
    """Phantoms expected at most in a release of this tier."""
    claim = Claim(
        what=f"phantoms that {tier.name} sees on average",
        value=tier.phantoms,
        fixed=f"{size:,} possible items, {tier.words}, threshold {significant(tier.threshold, 4)}",
        method="the chance that noise alone passes the threshold, as if there were none of the "
        "items (MATHEMATICS 8.1)",
        kind="at most",
    )
    return Number(significant(rounded_up(tier.phantoms), 2), claim)


def beside(shown: Histogram) -> tuple[Said, ...]:
    """What phantoms are, and what the releases give away about one person."""
    if not shown.tiers:
        return ()
    tier, nouns = [*shown.tiers, *shown.drawn][-1], shown.nouns
    right = replace(right_at(tier.planned.budget), kind="at most")  # of what is left to see
    made_up = say(
        "**Why are there phantoms?** {there} {size} {items}. Each gets noise, {even}, and a few "
        "that {nobody} cross the line by chance: about {phantoms} are to be expected, but nothing "
        "tells which.{who}",
        there="There could be" if shown.query else "The public list has",
        who="" if shown.query else WHO,
        phantoms=_phantoms(tier, shown.size),
        size=_count("items that there could be", shown.size, size_words(shown.size)),
        items=_items(shown),
        even="in the table or not" if shown.query else "chosen or not",
        nobody=_nobody(shown),
    )
    guesses = say(
        "Somebody who guesses from what {tier} sees whether a given {one} is in the data is right "
        "{right} ({coin}); what is hidden can only lower that.",
        tier=Name(tier.name),
        one=Name(nouns.one),
        right=right.times(f"right with what {tier.name} sees", tier.words, nouns.one),
        coin=A_COIN,
    )
    return made_up, guesses


# --- the pictures ---


def picture(shown: Histogram) -> Picture | tuple[()]:
    """Ten items by name, or what the tiers were given where the truth is hidden."""
    if not shown.drawn:
        return ()
    if shown.truth is not None and shown.compared:
        tier = shown.drawn[-1]
        hidden = None if shown.query else scenes.hidden_values(tier)
        frame = scenes.ten_items(tier, shown.truth, shown.names, hidden)
        return named_rows(frame, threshold=tier.threshold, style=tier.style, noun=shown.noun)
    frame = scenes.largest_items(shown.tiers, shown.names, scenes.ITEMS_SHOWN)
    if frame.empty:
        return ()
    return release_chart(
        frame,
        what="Released items with their intervals.",
        noun=shown.noun,
        axis_title=f"{shown.noun} per item",
        confidence=ACCURACY_CONFIDENCE,
        truth="bounded number",
        absent="hidden",
    )


def reading(shown: Histogram) -> str:
    """How to read the picture."""
    if shown.truth is None or not shown.compared:
        return (
            f"The largest items of each tier, {scenes.ITEMS_SHOWN} at most; each bar covers 95 % "
            "of the possible noise. A tier without a mark sees nothing of the item, which is below "
            "its threshold."
        )
    last = shown.drawn[-1]
    true, phantoms = shown.seen(last)
    all_of = {SEEN: true, HIDDEN: shown.truth[0].size - true, PHANTOM: phantoms}
    grey = "; grey: hidden" * (shown.query is None)
    rows = [f"{min(MOST[kind], n)} of {n:,} {WORDS_OF[kind]}" for kind, n in all_of.items() if n]
    return (
        f"Drawn here: {join(rows)}. Thin line: the true number; in colour: with noise; hollow: a "
        f"phantom, made up by noise alone{grey}. Published only if the noisy number is right of "
        "the dotted line."
    )


def below(ws: Workspace, shown: Histogram) -> None:
    """Files of a visitor's column; a word where its releases are empty."""
    if shown.drawn and not picture(shown):
        parts.empty(
            "No item is above its threshold.",
            "That, too, is what the tiers see: all items look alike to them.",
        )
    if shown.asking is not None:
        panel.hand_out(
            ws,
            shown.asking,
            [t.planned for t in shown.tiers],
            key="sparse_file_",
            caption="Each file holds the items that this tier sees, with their noisy counts; "
            "nothing in it tells which of them are phantoms.",
        )


# --- the closer: the whole list, and where to draw the line ---


def line(_ws: Workspace, shown: Histogram) -> None:
    """Show the whole list with the line of each tier."""
    if shown.truth is None or not shown.compared or not shown.tiers:
        st.caption("What a line would hide can be told only where the exact counts may be known.")
        return
    parts.picture(
        whole_list(shown),
        heading=f"All {_items(shown)}, and the line of each tier (group of readers)",
        reading="Noise moves each count before it is held against a line, so a few that are near "
        "it land on the other side. A lower line shows more true items, and more phantoms.",
        key="sparse_list",
    )


def whole_list(shown: Histogram) -> Picture:
    """The true counts by rank, and for each tier the line above which an item shows."""
    counts = np.sort(shown.truth[1] if shown.truth else ())[::-1]
    ranks, true = np.arange(1, counts.size + 1), "true counts"
    frames = [_line(true, ranks, counts, f"{{y}} {shown.noun}, rank {{x}}.")]
    looks = {true: Look(width=1.5)}
    for tier in reversed(shown.tiers):
        name, at = f"line of {tier.name}", np.full(2, max(tier.threshold, LEAST))
        seen = f" sees {shown.seen(tier)[0]:,}" if tier.released is not None else ""
        frames.append(_line(name, ranks[[0, -1]], at, f"{{y}} {shown.noun}, with noise."))
        look = Look(colour=tier.style.colour, symbol=tier.style.marker, width=1.5, dash="dot")
        looks[name] = replace(look, words=f"{tier.name}{seen}")
    return lines(
        pd.concat(frames),
        what=f"{capitalised(_items(shown))} by how common they are.",
        x=Axis(title=f"{_items(shown)}, the most common first", log=counts.size > MANY),
        y=Axis(title=shown.noun, log=True),
        looks=looks,
    )


def _line(name: str, x: NDArray[Any], y: NDArray[Any], said: str) -> pd.DataFrame:
    """A line of a picture; what is said of a point has places for x and y."""
    points = [(significant(a, 4), significant(b, 3)) for a, b in zip(x, y, strict=True)]
    detail = [said.format(x=a, y=b) for a, b in points]
    return pd.DataFrame({"line": name, "x": x, "y": y, "detail": detail})


# --- the drawer ---


def formula(shown: Histogram) -> str:
    """Threshold, phantoms and noise with the numbers of the first tier."""
    lines = [
        "An item is released where its noisy count exceeds the threshold: "
        r"$c_i+N_i>\tau$ with $N_i\sim N(0,\ \sigma^2)$, $\sigma^2=\dfrac{\Delta_2^2}{2\rho}$. "
        "The same noise path serves all tiers, so each release is what a single one would be.",
        r"Phantoms expected in one release: at most $d\,Q(\tau/\sigma)$, where $Q$ is the upper "
        "tail of the normal distribution.",
    ]
    for t in shown.tiers[:1]:
        sigma = t.level**0.5
        lines.append(
            f"{literal(capitalised(t.name))}: Δ₂ = {significant(shown.l2, 4)} and "
            f"{t.words} give σ = {significant(sigma, 4)}; τ = {significant(t.threshold, 5)} is "
            f"{significant(t.threshold / sigma, 3)} standard deviations, and "
            f"{shown.size:,} · Q = {significant(t.phantoms, 3)}."
        )
    lines.append(
        "This histogram cannot be sealed: whether a hidden item shows at a noisier tier depends on "
        "its exact count, so the counts must be kept for as long as tiers may ask."
    )
    return "\n\n".join(lines)


def arguments(shown: Histogram) -> dict[str, object]:
    """With what `scenes.releases` gives the items on screen."""
    if shown.query is None or shown.asking is None:
        before: tuple[str, ...] = (
            "import numpy as np",
            "from dpviz.data import possible_diagnoses, typed_diagnoses",
            "names, counts = typed_diagnoses()",
            "indices = [possible_diagnoses().index(name) for name in names]",
        )
        items = code.Text("(np.array(indices), counts)", before)
        rng = code.seeded(SEED, 1, 0)
    else:
        ws, query = workspace(), shown.query
        items = code.values_code(ws.table, ws.loading, query)
        rng = code.generator(ws, shown.asking)
    return {"items": items, "size": shown.size, "l2": shown.l2, "rounds": shown.rounds, "rng": rng}


def facts(shown: Histogram) -> Facts:
    """The definitions: for a column of the table, or for the example."""
    query = shown.query
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
        data=f"{workspace().table.described(query.columns)}; items: {query.coding.described}",
        symbols=query.formula,
    )


PAGE = PageForm(
    file="sparse_histograms",
    controls=settings,
    acts=acts,
    headline=headline,
    badges=badges,
    picture=picture,
    reading=reading,
    below=below,
    beside=beside,
    formula=formula,
    recipe=scenes.releases,
    arguments=arguments,
    facts=facts,
    closers=(Closer(label="Where should the dotted line be?", inside=line, key="sparse_rates"),),
)
